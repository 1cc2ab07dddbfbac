pdcfg check --format json --only cli-serve-model-type-needs-value -- sglang serve m --model-type
