pdcfg explain offload-kvcache-decode-onl
