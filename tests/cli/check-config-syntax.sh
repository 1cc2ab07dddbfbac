# a syntax error says where; a line that holds a secret is not shown
printf 'model-path: m\n  tp-size: 3\n' > server.yaml
printf 'model-path: m\napi-key: hush: hush\n' > secret.yaml
pdcfg check --only config-yaml-unreadable -- python3 -m sglang.launch_server --config server.yaml
pdcfg check --only config-yaml-unreadable -- python3 -m sglang.launch_server --config secret.yaml | sed -n '/^error/,/^  why/p'
