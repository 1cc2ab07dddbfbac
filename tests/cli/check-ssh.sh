pdcfg check -- ssh host python3 -m sglang.launch_server
