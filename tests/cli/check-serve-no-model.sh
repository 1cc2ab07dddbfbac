pdcfg check --only cli-serve-model-path-must-be-on-command-line -- sglang serve --model-p m --port 3000
