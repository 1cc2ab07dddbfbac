pdcfg check --ignore PD2417,offload-kvcache-decode-onl -- x
