/*
 * Helpers of the steps for linear attention, the KV cache, parallelism and MoE. The sizes may be any number or None: SGLang does not look at
 * them before it multiplies and divides, and where Python would raise, the rows ask first.
 */
#include "derive.h"

static bool divides(int64_t divisor, int64_t size)
{
	return divisor == 0 || mod_(size, divisor) == 0;
}

bool help_cuda_at_least_12_8(const struct facts *k) { return version_of(STR(platform_cuda_version), 2) >= 12008; }

/* The algorithms whose verify step writes every draft into the ring. The name is still as the user wrote it. */
bool help_algorithm_folds_every_commit(const struct facts *k)
{
	return same_lower(STR(speculative_algorithm), "dspark") || same_lower(STR(speculative_algorithm), "dflash");
}

bool help_attention_backends_differ(const struct facts *k)
{
	int64_t both = V(view_attention_backend);
	int64_t prefill = *STR(view_prefill_attention_backend) ? V(view_prefill_attention_backend) : both;
	int64_t decode = *STR(view_decode_attention_backend) ? V(view_decode_attention_backend) : both;

	return prefill != decode;
}

bool help_aiter_layout_is_vectorized_5d(const struct facts *k)
{
	return same_lower(STR(env_aiter_kv_cache_layout), "vectorized_5d");
}

bool help_dp_does_not_divide_tp(const struct facts *k)
{
	return !divides(V(dp_size), V(tp_size));
}

bool help_attn_cp_does_not_divide_tp(const struct facts *k)
{
	return !divides(V(view_attn_cp_size), V(tp_size));
}

bool help_dp_times_attn_cp_does_not_divide_tp(const struct facts *k)
{
	return !divides(mul_(V(dp_size), V(view_attn_cp_size)), V(tp_size));
}

bool help_moe_dp_does_not_divide_tp(const struct facts *k)
{
	return !divides(V(moe_dp_size), V(tp_size));
}

bool help_ep_times_moe_dp_exceeds_tp(const struct facts *k)
{
	return mul_(V(view_ep_size), V(moe_dp_size)) > V(tp_size);
}

bool help_ep_times_moe_dp_is_not_tp(const struct facts *k)
{
	return mul_(V(view_ep_size), V(moe_dp_size)) != V(tp_size);
}

int64_t calc_chunk_of_one_dp_rank(const struct facts *k)
{
	if (IS_NONE(chunked_prefill_size) || IS_NONE(dp_size))
		return V(chunked_prefill_size);
	return floordiv_(V(chunked_prefill_size), V(dp_size));
}

int64_t calc_conservativeness_under_dp(const struct facts *k)
{
	return IS_NONE(schedule_conservativeness) ? NONE : real_cell(REAL(schedule_conservativeness) * 0.3);
}

/* A decode batch that was not asked for counts as none. */
bool help_pplx_tokens_exceed_budget(const struct facts *k)
{
	int64_t tokens = V(chunked_prefill_size);

	if (!IS_NONE(cuda_graph_max_bs_decode) && V(cuda_graph_max_bs_decode) > tokens)
		tokens = V(cuda_graph_max_bs_decode);
	return tokens > V(env_pplx_num_max_dispatch_tokens_per_rank);
}

/* Not "0 or less": a timeout that is not a number is not positive either. */
bool help_elastic_timeout_is_not_positive(const struct facts *k)
{
	return !IS_NONE(elastic_ep_scale_timeout) && !(REAL(elastic_ep_scale_timeout) > 0);
}

bool help_joiner_exceeds_max_ep_size(const struct facts *k)
{
	return add_(V(ep_join_rank_offset), V(tp_size)) > V(max_ep_size);
}
