pdcfg check --format json --only PD5431 -- python3 -m sglang.launch_server --model-path m --disaggregation-mode decode --enable-hierarchical-cache
