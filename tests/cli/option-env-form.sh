pdcfg check --env SGLANG_X -- python3 -m sglang.launch_server --model-path m
