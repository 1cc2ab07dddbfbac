pdcfg resolve -h
