/* Helpers of the steps that choose the attention backend. */
#include "derive.h"

bool help_cuda_at_least_12_3(const struct facts *k) { return version_of(STR(platform_cuda_version), 2) >= 12003; }

/* Two sizes that are both absent count as equal. */
bool help_kv_rows_are_asymmetric(const struct facts *k)
{
	return V(model_head_dim) != V(model_v_head_dim) || V(model_swa_head_dim) != V(model_swa_v_head_dim);
}

/* The MLA kernel of aiter is written for 16 or 128 heads on a rank. A rank has one at least. */
bool help_aiter_knows_head_count(const struct facts *k)
{
	int64_t heads = floordiv_(V(model_total_num_kv_heads), V(tp_size));

	return heads == 16 || heads == 128;
}

bool help_skip_softmax_scale_is_positive(const struct facts *k)
{
	return !IS_NONE(env_skip_softmax_prefill_threshold_scale_factor) && REAL(env_skip_softmax_prefill_threshold_scale_factor) > 0;
}

int64_t calc_mem_fraction_beside_aiter(const struct facts *k)
{
	return IS_NONE(mem_fraction_static) ? NONE : real_cell(REAL(mem_fraction_static) * 0.85);
}
