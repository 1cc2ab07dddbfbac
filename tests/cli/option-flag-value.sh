pdcfg check --quiet=1 -- x
