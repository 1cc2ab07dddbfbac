/*
 * Helpers of the step that adjusts settings to the model. Python's None and absurd sizes come in here as they are: where Python would
 * raise, a row asks first, and the helper says no.
 */
#include "derive.h"

bool help_driver_at_least_595(const struct facts *k) { return version_of(STR(platform_driver_version), 2) >= 595000; }

/* the two architectures and whatever has their names inside its own */
bool help_arch_is_step3p(const struct facts *k)
{
	const char *arch = STR(model_arch);

	return strstr(arch, "Step3p5ForCausalLM") || strstr(arch, "Step3p7ForConditionalGeneration");
}

/* How many tokens DSPARK verifies at once: as given, the length of a block and one more, or 8. The kernel of tokenspeed_mla takes 8. */
bool help_dspark_verifies_few_tokens(const struct facts *k)
{
	int64_t tokens = V(speculative_num_draft_tokens);

	if (tokens == NONE || tokens == 0)
		tokens = IS_NONE(speculative_dspark_block_size) ? 8 : add_(V(speculative_dspark_block_size), 1);
	return tokens <= 8;
}

/* S marks a layer that shares the indices of the layer before */
bool help_pattern_shares_topk(const struct facts *k) { return strchr(STR(model_index_topk_pattern), 'S') != NULL; }

int64_t calc_tp_over_dp(const struct facts *k) { return floordiv_(V(tp_size), V(dp_size)); }

/* ---- quantization ---- */

static bool is_modelopt_variant(const char *method)
{
	return !strcmp(method, "modelopt_fp8") || !strcmp(method, "modelopt_fp4") || !strcmp(method, "modelopt_mixed");
}

/* ModelOpt checkpoints overrule what the user asked for, unless that is to quantize the weights anew; otherwise the user's word counts. */
int64_t calc_quantization_of_checkpoint(const struct facts *k)
{
	const char *asked = STR(quantization), *stored = STR(model_quant_method);
	bool anew = !strcmp(asked, "quark_mxfp4") || (!strcmp(asked, "nvfp4_online") && strcmp(stored, "modelopt_mixed"));

	if (is_modelopt_variant(stored) && !anew)
		return V(model_quant_method);
	return IS_NONE(quantization) ? V(model_quant_method) : V(quantization);
}

/* The generic name stands for the variant that the checkpoint names. */
int64_t calc_nemotron_quantization(const struct facts *k)
{
	const char *algorithm = STR(model_hf_quant_algo);

	if (strcmp(STR(checkpoint_quantization), "modelopt"))
		return V(checkpoint_quantization);
	if (!strcmp(algorithm, "MIXED_PRECISION"))
		return word(k, "modelopt_mixed");
	return word(k, strcmp(algorithm, "NVFP4") ? "modelopt_fp8" : "modelopt_fp4");
}

/* ---- MiMo-V2: the ranks that share the attention of one batch ---- */

static int64_t mimo_attention_tp(const struct facts *k)
{
	int64_t dp = V(view_enable_dp_attention) == 1 ? V(dp_size) : 1;

	return floordiv_(floordiv_(V(tp_size), dp), V(view_attn_cp_size));
}

bool help_mimo_attention_tp_is_zero(const struct facts *k) { return mimo_attention_tp(k) == 0; }

bool help_mimo_heads_do_not_fit(const struct facts *k)
{
	int64_t ranks = mimo_attention_tp(k);

	return ranks != 0 && !IS_NONE(model_num_key_value_heads) && mod_(V(model_num_key_value_heads), ranks) != 0;
}

/* ---- Mamba states; the chunk of the state kernels is the model's or 64 ---- */

static int64_t mamba_chunk(const struct facts *k) { return IS_NONE(model_mamba_chunk_size) ? 64 : V(model_mamba_chunk_size); }

bool help_track_interval_off_page(const struct facts *k)
{
	return !IS_NONE(view_page_size) && V(view_page_size) != 0 && mod_(V(mamba_track_interval), V(view_page_size)) != 0;
}

bool help_mamba_chunk_off_page(const struct facts *k)
{
	int64_t chunk = mamba_chunk(k), page = V(view_page_size);

	if (page == NONE || page == 0 || chunk == 0)
		return false;
	return chunk > page ? mod_(chunk, page) != 0 : mod_(page, chunk) != 0;
}

bool help_prefill_chunk_below_mamba_chunk(const struct facts *k)
{
	int64_t chunk = mamba_chunk(k), page = V(view_page_size);

	return !IS_NONE(chunked_prefill_size) && page != NONE && V(chunked_prefill_size) < (chunk > page ? chunk : page);
}

/* ---- MegaMoE: a rank's share of a chunk of prefill, before and after it is rounded up to what attention shares out ---- */

static int64_t megamoe_share(const struct facts *k)
{
	int64_t chunk = V(chunked_prefill_size), cp = V(attn_cp_size);

	if (V(enable_prefill_cp) == 1)
		return floordiv_(add_(chunk, add_(cp, -1)), cp);
	return V(enable_dp_attention) == 1 ? floordiv_(chunk, V(dp_size)) : chunk;
}

/* does Python divide by zero before it compares? */
static bool megamoe_divides_by_zero(const struct facts *k)
{
	return V(attn_cp_size) == 0 || (V(enable_prefill_cp) != 1 && V(enable_dp_attention) == 1 && V(dp_size) == 0);
}

bool help_megamoe_rank_gets_nothing(const struct facts *k) { return !megamoe_divides_by_zero(k) && megamoe_share(k) <= 0; }

static int64_t megamoe_tokens(const struct facts *k)
{
	int64_t dp = V(enable_dp_attention) == 1 ? V(dp_size) : 1, align = 1;

	if (V(enable_prefill_cp) != 1)
		align = floordiv_(floordiv_(V(tp_size), dp), V(attn_cp_size));
	if (align < 1)
		align = 1;
	return mul_(floordiv_(add_(megamoe_share(k), align - 1), align), align);
}

bool help_megamoe_chunk_exceeds_buffer(const struct facts *k)
{
	if (megamoe_divides_by_zero(k) || megamoe_share(k) <= 0 || IS_NONE(env_opt_deepgemm_mega_moe_num_max_tokens_per_rank))
		return false;
	return V(env_opt_deepgemm_mega_moe_num_max_tokens_per_rank) < megamoe_tokens(k);
}
