pdcfg rules PD2417
