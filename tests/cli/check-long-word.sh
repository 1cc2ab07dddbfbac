# a word that is wider than the terminal: no excerpt
pdcfg check --only choice-disaggregation-mode -- python3 -m sglang.launch_server --model-path m --disaggregation-mode aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
