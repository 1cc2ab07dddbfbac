pdcfg explain 2650
