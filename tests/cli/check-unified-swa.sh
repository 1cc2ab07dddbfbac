pdcfg check --only PD2526 --trait is_hybrid_swa=1 -- python3 -m sglang.launch_server --model-path m --disaggregation-mode prefill --enable-unified-memory
