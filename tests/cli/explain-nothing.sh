pdcfg explain
