pdcfg rules --format json | sed -n '1,/PD9192/p'
