# the likeliest first; and the choices of an option without its value
pdcfg check -- python3 -m sglang.launch_server --model-path m --pp 2 --disaggregation-mode | grep -A1 '^  fix'
