pdcfg check --platform h10 -- x
