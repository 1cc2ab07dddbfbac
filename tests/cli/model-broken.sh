mkdir m; printf '{"a": 1,\n x}' > m/config.json
pdcfg check -- python3 -m sglang.launch_server --model-path m
