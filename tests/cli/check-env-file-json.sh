printf 'A=1\nSGLANG_DISAGG_STAGING_BUFFER=1\n' > server.env
pdcfg check --format json --env-file server.env --only staging-mla-decode --trait is_mla=true -- python3 -m sglang.launch_server --model-path m --disaggregation-mode decode
