pdcfg resolve -- python3 -m sglang.launch_server --model-path m --disaggregation-mode prefill --disaggregation-decode-enable-offload-kvcache | tail -n 4
