pdcfg check --trait is_mla=maybe -- python3 -m sglang.launch_server --model-path m
