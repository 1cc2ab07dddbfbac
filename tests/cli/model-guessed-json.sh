pdcfg check --only staging-mla-decode --env SGLANG_DISAGG_STAGING_BUFFER=1 --format json -- python3 -m sglang.launch_server --model-path /models/DeepSeek-V3.1 --disaggregation-mode decode
