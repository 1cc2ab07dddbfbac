# what `sglang serve` refuses comes first, and its arguments are read all the same
pdcfg check -- sglang serve m --disaggregation-mode decod --model-type | grep -e '^error' -e '^refused'
