pdcfg check --
