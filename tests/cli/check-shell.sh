pdcfg check -- bash -c 'python3 -m sglang.launch_server'
