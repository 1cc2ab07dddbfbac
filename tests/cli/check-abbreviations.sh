pdcfg check --only argparse-abbreviation-accepted -- python3 -m sglang.launch_server --model-path m --tp 8 --disaggregation-m decode
