pdcfg check -q --fail-level warning --only argparse-abbreviation-accepted -- python3 -m sglang.launch_server --model-path m --tp 8
