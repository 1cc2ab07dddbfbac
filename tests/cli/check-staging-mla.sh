# the variable stands in the command, behind env
pdcfg check --only staging-mla-decode --trait is_mla=true -- env SGLANG_DISAGG_STAGING_BUFFER=1 python3 -m sglang.launch_server --model-path m --disaggregation-mode decode
