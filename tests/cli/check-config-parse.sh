# what argparse refuses in the file, in lines of their own and in one
printf 'model-path: m\ndisaggregation-mode: prefil\ndisable_radix_cache: true\n' > server.yaml
printf '{model-path: /models/of/a/long/name/indeed, tp-size: 2, disaggregation-mode: prefil, host: 0.0.0.0}\n' > flow.yaml
pdcfg check --ignore config-cli-wins -- python3 -m sglang.launch_server --config server.yaml | grep -v '^  [a-z0-9]'
pdcfg check --only choice-disaggregation-mode -- python3 -m sglang.launch_server --config flow.yaml | sed -n '/^error/,/^  why/p'
