pdcfg check --only config-file-missing -- python3 -m sglang.launch_server --config server.yaml --tp-size 2
