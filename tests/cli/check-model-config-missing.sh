pdcfg check --model-config nowhere -- python3 -m sglang.launch_server --model-path m
