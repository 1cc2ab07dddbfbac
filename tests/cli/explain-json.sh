pdcfg explain --format json PD2417
