# facts of the draft model stand in its own file
mkdir d
echo '{"architectures": ["LlamaForCausalLMEagle3"], "model_type": "llama", "num_hidden_layers": 1, "hidden_size": 64, "num_attention_heads": 4}' > d/config.json
pdcfg resolve --format json -- python3 -m sglang.launch_server --model-path m --speculative-algorithm EAGLE3 --speculative-draft-model-path d | sed -n '/"traits"/,$p' | grep -e arch -e layers
