touch python3
pdcfg exec -q --only PD2417 -- ./python3 -m sglang.launch_server --model-path m
