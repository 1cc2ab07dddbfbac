mkdir m
cat > m/config.json <<'END'
{"architectures": ["DeepseekV3ForCausalLM"], "model_type": "deepseek_v3", "hidden_size": 7168, "num_hidden_layers": 61,
 "num_attention_heads": 128, "num_key_value_heads": 128, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
 "v_head_dim": 128, "max_position_embeddings": 163840, "vocab_size": 129280, "n_routed_experts": 256, "torch_dtype": "bfloat16"}
END
pdcfg check --only staging-mla-decode --env SGLANG_DISAGG_STAGING_BUFFER=1 -- python3 -m sglang.launch_server --model-path m --disaggregation-mode decode
