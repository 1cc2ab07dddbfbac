pdcfg explain PD2417
