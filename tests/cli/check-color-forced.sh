CLICOLOR_FORCE=1 pdcfg check -q --only PD2417 -- python3 -m sglang.launch_server --model-path m
NO_COLOR=1 CLICOLOR_FORCE=1 pdcfg check -q --only PD2417 -- python3 -m sglang.launch_server --model-path m
