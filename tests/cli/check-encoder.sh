pdcfg check --only PD2417 -- python3 -m sglang.launch_server --model-path m --encoder-only
