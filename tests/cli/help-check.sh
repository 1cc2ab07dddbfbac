pdcfg help check
