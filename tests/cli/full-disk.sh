# a report that cannot be written is status 2
pdcfg check --only PD2417 -- python3 -m sglang.launch_server --model-path m > /dev/full
