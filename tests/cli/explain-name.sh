pdcfg explain offload-kvcache-decode-only | head -n 1
pdcfg explain pd2417 | head -n 1
pdcfg --explain 2417 | head -n 1
