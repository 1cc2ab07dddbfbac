# a value of the file that cannot be read is unknown
printf 'model-path: m\nmax-running-requests: "many"\ndisaggregation-mode: decode\n' > server.yaml
pdcfg resolve -- python3 -m sglang.launch_server --config server.yaml --page-size 3 | sed -n '/^As given/,/^$/p'
pdcfg resolve -- python3 -m sglang.launch_server --config server.yaml | tr -s '\n ' ' ' | grep -o 'max-running-requests (given: [a-z]*)'
