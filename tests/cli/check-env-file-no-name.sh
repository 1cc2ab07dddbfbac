printf '=1\n' > server.env
pdcfg check --env-file server.env -- python3 -m sglang.launch_server --model-path m
