# missing facts: not valid, and counted
pdcfg check --format json --only PD2417 --require model,peer -- python3 -m sglang.launch_server --model-path m | grep -A4 -e '"valid"' -e required_missing
