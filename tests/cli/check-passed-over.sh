pdcfg check --only PD2417 -- sudo /opt/entry.sh python3 -m sglang.launch_server --model-path m
