# the radix cache is off because the server decodes: nobody wrote that
pdcfg check --only PD5431 -- python3 -m sglang.launch_server --model-path m --disaggregation-mode decode --enable-hierarchical-cache
