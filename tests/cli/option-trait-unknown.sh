pdcfg check --trait is_mal=1 -- python3 -m sglang.launch_server --model-path m
