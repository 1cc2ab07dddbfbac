pdcfg check -q --only PD2417 --require model,platform,peer -- python3 -m sglang.launch_server --model-path m
