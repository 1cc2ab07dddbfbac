pdcfg check --only PD2417 -- python3 -m sglang.launch_server --model-path m --api-key hush --disaggregation-mode prefill --disaggregation-decode-enable-offload-kvcache
pdcfg check --only PD2417 -- HF_TOKEN=hush env SGLANG_X=1 python3 -m sglang.launch_server --model-path m --disaggregation-decode-enable-offload-kvcache --api-k=hush
