pdcfg check --format json --only PD2417 -- python3 -m sglang.launch_server --model-path m --disaggregation-mode prefill --disaggregation-decode-enable-offload-kvcache
