pdcfg help traits | head -12
