pdcfg check --only choice-disaggregation-mode -- numactl --membind 0 sglang serve /models/m --model-type llm --disaggregation-mode decod --port 3000
