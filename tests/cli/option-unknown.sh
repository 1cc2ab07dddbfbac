pdcfg check --formt json -- x
