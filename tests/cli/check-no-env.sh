SGLANG_DISAGG_STAGING_BUFFER=1 pdcfg check --no-env --only staging-mla-decode --trait is_mla=true -- python3 -m sglang.launch_server --model-path m --disaggregation-mode decode
