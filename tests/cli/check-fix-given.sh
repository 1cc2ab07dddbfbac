# a fix leaves out what is given already
pdcfg check --only PD2417 -- python3 -m sglang.launch_server --model-path m --disaggregation-mode prefill --disaggregation-decode-enable-offload-kvcache --hicache-storage-backend mooncake | grep -A1 '^  fix'
