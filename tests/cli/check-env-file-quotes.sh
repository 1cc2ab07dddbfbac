# quotes belong to the value: with the line of the file, and in words for a switch and a number
printf '# switches\nSGLANG_RUST_SERVER="1"\nSGLANG_LAZY_COMPACTION_MAX_MOVES_PER_CALL=many\n' > server.env
pdcfg check --env-file server.env --only env-bool-invalid-falls-back,env-number-raises-when-read -- python3 -m sglang.launch_server --model-path m
