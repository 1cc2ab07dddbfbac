pdcfg check --format json -- sgl-model-gateway --pd-disaggregation
