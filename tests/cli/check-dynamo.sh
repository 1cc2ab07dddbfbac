# options that SGLang does not know belong to the program around it
pdcfg check --only argparse-unrecognized,PD2417 -- python3 -m dynamo.sglang --model-path m --dyn-tool-call-parser x --disaggregation-mode prefill --store-kv file --disaggregation-decode-enable-offload-kvcache --one=two
