pdcfg check --only choice-disaggregation-mode -- python3 -m sglang.launch_server --model-path m --disaggregation-mode "$(printf 'a\033[31m\nb\377')"
