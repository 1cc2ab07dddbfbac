pdcfg resolve -- python3 -m sglang_router.launch_router
