pdcfg help rules
