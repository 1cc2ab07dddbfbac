pdcfg check -- python3 -m sglang_router.launch_router --pd-disaggregation --prefill http://p:30000
