printf 'model-path: m\ndisaggregation-mode: prefil\n' > server.yaml
pdcfg check --format json --only choice-disaggregation-mode -- python3 -m sglang.launch_server --config server.yaml | sed -n '/"settings"/,/"unevaluated"/p'
