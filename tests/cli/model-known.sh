pdcfg check --only staging-mla-decode --env SGLANG_DISAGG_STAGING_BUFFER=1 -- python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3.1 --disaggregation-mode decode
