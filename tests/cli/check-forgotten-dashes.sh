pdcfg check python3 -m sglang.launch_server --tp 8
