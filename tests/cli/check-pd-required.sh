pdcfg check --only unsupported-disaggregation-mode --pd-required -- python3 -m sglang.launch_server --model-path m
