pdcfg check --trait is_mla -- python3 -m sglang.launch_server --model-path m
