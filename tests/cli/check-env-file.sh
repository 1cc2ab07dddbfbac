printf '# staging\n\nNCCL_DEBUG=INFO\n  SGLANG_DISAGG_STAGING_BUFFER=1\r\nHOME\n' > server.env
pdcfg check --env-file server.env --only staging-mla-decode --trait is_mla=true -- python3 -m sglang.launch_server --model-path m --disaggregation-mode decode
