pdcfg exec -q --only PD2417 -- /nowhere/python3 -m sglang.launch_server --model-path m
