# the first refusal is not shown, the second is
pdcfg check -q --ignore choice-disaggregation-mode -- python3 -m sglang.launch_server --model-path m --nonesuch --disaggregation-mode prefil
