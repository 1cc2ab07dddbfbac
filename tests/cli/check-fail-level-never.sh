pdcfg check -q --fail-level never -- python3 -m sglang.launch_server --model-path m --disaggregation-mode prefill --disaggregation-decode-enable-offload-kvcache
