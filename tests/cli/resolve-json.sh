pdcfg resolve --format json -- python3 -m sglang.launch_server --model-path m --disaggregation-mode decode | sed -n '1,/settings/p;/"disable_radix_cache"/,/^        }/p'
