pdcfg check -- python3 -m sglang.launch_server --disaggregation-mode prefil --tpp 3 --tp-size x --mem-fraction-static=0.8 --port
