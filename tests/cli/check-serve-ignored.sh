pdcfg check -q --only PD2417 -- sglang serve m --model-type
