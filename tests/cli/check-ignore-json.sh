pdcfg check --format json --only PD2417 --ignore PD2417,PD7561 -- python3 -m sglang.launch_server --model-path m --disaggregation-mode prefill --disaggregation-decode-enable-offload-kvcache
