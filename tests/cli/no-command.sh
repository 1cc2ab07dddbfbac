pdcfg
