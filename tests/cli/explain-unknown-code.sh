pdcfg explain PD1000
