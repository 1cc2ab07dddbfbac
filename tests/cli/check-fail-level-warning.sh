# a warning counts, an abbreviation does not
pdcfg check -q --fail-level warning --only argparse-abbreviation-accepted -- python3 -m sglang.launch_server --model-path m --tp 8
echo "$?"
pdcfg check -q --fail-level warning --only env-bool-invalid-falls-back --env SGLANG_RUST_SERVER=on -- python3 -m sglang.launch_server --model-path m --tp 8
