# what the command does to its environment wins
pdcfg check --env SGLANG_DISAGG_STAGING_BUFFER=1 --only staging-mla-decode --trait is_mla=true -- env -u SGLANG_DISAGG_STAGING_BUFFER python3 -m sglang.launch_server --model-path m --disaggregation-mode decode
