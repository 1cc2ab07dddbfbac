# a program that reads JSON gets some when nothing could be checked
pdcfg check --format json --colour never -- python3 -m sglang.launch_server --model-path m
echo "$?"
pdcfg check --format=json -- python3 -m sglang.launch_servr --model-path m
