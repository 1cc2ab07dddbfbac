# settings of the file are shown in the file; one on the command line is marked there too
cat > server.yaml <<'END'
# the prefill side
model-path: m
disaggregation-mode: prefill
disaggregation-decode-enable-offload-kvcache: true   # was on decode
END
pdcfg check --only PD2417 -- python3 -m sglang.launch_server --config server.yaml
pdcfg check --only PD2417 -- python3 -m sglang.launch_server --config server.yaml --disaggregation-mode prefill | sed -n '/^$/,/^  why/p'
