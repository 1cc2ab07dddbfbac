pdcfg help
