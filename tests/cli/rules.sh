pdcfg rules | head -n 4
pdcfg rules > all; grep -c PD2417 all
