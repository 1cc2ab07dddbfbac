pdcfg check --require modle -- x
