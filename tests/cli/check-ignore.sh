# an ignored rule does not refuse; one that had nothing to say is mentioned
pdcfg check --ignore 2417,staging-mla-decode --only PD2417 -- python3 -m sglang.launch_server --model-path m --disaggregation-mode prefill --disaggregation-decode-enable-offload-kvcache
