/* Helpers of the steps from speculative decoding to the launcher's checks: speculative.def, loading.def, cache.def, final.def, server.def. */
#include "derive.h"

/* ---- speculative decoding ---- */

/* the algorithm's name in upper case if that is a known one, else as it is */
static int64_t upper_algorithm(const struct facts *k, const char *nextn)
{
	char up[16];
	size_t i = 0;
	const char *s = STR(speculative_algorithm);
	for (; s[i] && i + 1 < sizeof up; i++)
		up[i] = (char)(s[i] >= 'a' && s[i] <= 'z' ? s[i] - 'a' + 'A' : s[i]);
	if (s[i]) return V(speculative_algorithm);
	up[i] = 0;
	int64_t cell = word(k, strcmp(up, "NEXTN") ? up : nextn);
	return cell == UNKNOWN ? V(speculative_algorithm) : cell;
}

int64_t calc_spec_algorithm_upper(const struct facts *k) { return upper_algorithm(k, "NEXTN"); }
int64_t calc_spec_family(const struct facts *k) { return upper_algorithm(k, "EAGLE"); }

bool help_target_is_gemma4(const struct facts *k) { return !strncmp(STR(model_arch), "Gemma4", 6); }

bool help_num_steps_not_adaptive(const struct facts *k)
{
	for (const char *item = NULL; pdcfg_list_next(k, V(platform_adaptive_candidate_steps), &item);)
		if (pdcfg_number_of_item(item) == V(speculative_num_steps)) return false;
	return true;
}

int64_t calc_adaptive_middle_step(const struct facts *k)
{
	return pdcfg_list_number(k, V(platform_adaptive_candidate_steps), LEN(platform_adaptive_candidate_steps) / 2);
}

int64_t calc_num_steps_plus_one(const struct facts *k) { return IS_NONE(speculative_num_steps) ? NONE : add_(V(speculative_num_steps), 1); }
int64_t calc_gamma_plus_one(const struct facts *k) { return IS_NONE(spec_gamma) ? NONE : add_(V(spec_gamma), 1); }
int64_t calc_dflash_block_size(const struct facts *k) { return IS_NONE(model_draft_block_size) ? 16 : V(model_draft_block_size); }
bool help_draft_tokens_not_gamma(const struct facts *k) { return V(speculative_num_draft_tokens) != add_(V(spec_gamma), 1); }
int64_t calc_ngram_steps(const struct facts *k) { return floordiv_(V(speculative_num_draft_tokens), V(speculative_eagle_topk)); }

int64_t calc_dflash_fallback_backend(const struct facts *k)
{
	return word(k, strcmp(STR(platform_device), "hip") ? "flashinfer" : "triton");
}

/* what the all-to-all buffers of all expert ranks hold; 0 stands for the default as nothing does */
static int64_t cutedsl_capacity(const struct facts *k)
{
	int64_t per_rank = V(env_flashinfer_num_max_dispatch_tokens_per_rank);
	return mul_(per_rank == NONE || !per_rank ? 1024 : per_rank, V(view_ep_size));
}

bool help_cutedsl_prefill_over_budget(const struct facts *k) { return V(max_prefill_tokens) > cutedsl_capacity(k); }
bool help_cutedsl_prefill_graph_over_budget(const struct facts *k)
{
	return !IS_NONE(cuda_graph_prefill_max_bs) && V(cuda_graph_prefill_max_bs) > cutedsl_capacity(k);
}
bool help_cutedsl_decode_over_budget(const struct facts *k)
{
	int64_t tokens = IS_NONE(spec_family) ? 1 : V(speculative_num_draft_tokens);
	if (tokens == NONE || !tokens) tokens = 1;
	return !IS_NONE(cuda_graph_decode_max_bs) && mul_(V(cuda_graph_decode_max_bs), tokens) > cutedsl_capacity(k);
}

/* ---- paths ---- */

/* something://anything */
static bool url(const char *s) { return *s && strstr(s + 1, "://"); }

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);
	return n >= m && !strcmp(s + n - m, end);
}

bool help_weights_in_object_store(const struct facts *k) { return in_object_store(STR(model_path)); }
bool help_weights_at_url(const struct facts *k) { return url(STR(model_path)); }
bool help_weights_are_gguf(const struct facts *k) { return ends_with(STR(model_path), ".gguf"); }
bool help_draft_in_object_store(const struct facts *k) { return in_object_store(STR(speculative_draft_model_path)); }
bool help_served_name_has_colon(const struct facts *k)
{
	return !in_object_store(STR(served_model_name)) && strchr(STR(served_model_name), ':');
}

/* every % but that of %h, which is replaced */
bool help_coredump_folder_has_placeholder(const struct facts *k)
{
	for (const char *s = STR(crash_dump_folder); (s = strchr(s, '%')); s++)
		if (s[1] != 'h') return true;
	return false;
}

/* ---- RDMA devices ---- */

/* does the list name a device that the host does not have? */
static bool names_unknown(const struct facts *k, int64_t list)
{
	for (const char *item = NULL; pdcfg_list_next(k, list, &item);)
		if (!pdcfg_list_has(k, V(platform_ib_devices), item)) return true;
	return false;
}

bool help_ib_list_unknown(const struct facts *k) { return names_unknown(k, V(disaggregation_ib_device_names)); }
bool help_ib_mapping_unknown(const struct facts *k) { return names_unknown(k, V(platform_ib_mapping_devices)); }
bool help_mooncake_ib_device_is_unknown(const struct facts *k)
{
	return LEN(platform_ib_devices) && names_unknown(k, V(mooncake_ib_device_names));
}

/* ---- diffusion language models ---- */

int64_t calc_dllm_block(const struct facts *k)
{
	if (!strcmp(STR(model_arch), "LLaDA2MoeModelLM")) return 32;
	if (!strcmp(STR(model_arch), "SDARForCausalLM") || !strcmp(STR(model_arch), "SDARMoeForCausalLM")) return 4;
	return NONE;
}

bool help_page_size_splits_dllm_block(const struct facts *k)
{
	return !IS_NONE(dllm_block) && !IS_NONE(view_page_size) && mod_(V(view_page_size), V(dllm_block));
}

/* ---- numbers ---- */

bool help_swa_ratio_out_of_range(const struct facts *k)
{
	return !IS_NONE(view_swa_full_tokens_ratio) && !(REAL(view_swa_full_tokens_ratio) > 0 && REAL(view_swa_full_tokens_ratio) <= 1);
}

bool help_conservativeness_negative(const struct facts *k) { return !IS_NONE(schedule_conservativeness) && !(REAL(schedule_conservativeness) >= 0); }
bool help_lora_threshold_negative(const struct facts *k) { return !IS_NONE(lora_drain_wait_threshold) && !(REAL(lora_drain_wait_threshold) >= 0); }

bool help_world_not_divisible_by_nodes(const struct facts *k)
{
	return V(nnodes) && mod_(mul_(V(tp_size), V(pp_size)), V(nnodes));
}

bool help_chunk_splits_page(const struct facts *k)
{
	return !IS_NONE(chunked_prefill_size) && !IS_NONE(page_size) && V(page_size) && mod_(V(chunked_prefill_size), V(page_size));
}

bool help_chunk_splits_largest_page(const struct facts *k) { return !IS_NONE(chunked_prefill_size) && mod_(V(chunked_prefill_size), 256); }

bool help_lora_loaded_over_twice_batch(const struct facts *k) { return V(max_loaded_loras) > mul_(2, V(max_loras_per_batch)); }
bool help_lora_more_paths_than_loaded(const struct facts *k)
{
	return (int64_t)LEN(lora_paths) > V(max_loaded_loras);
}

bool help_lora_all_is_not_alone(const struct facts *k)
{
	for (const char *item = NULL; pdcfg_list_next(k, V(lora_target_modules), &item);)
		if (strcmp(item, "all")) return true;
	return false;
}

bool help_lora_chunk_size_odd(const struct facts *k)
{
	int64_t n = V(max_lora_chunk_size);
	return n != 16 && n != 32 && n != 64 && n != 128;
}

bool help_gc_threshold_too_long(const struct facts *k) { return LEN(gc_threshold) > 3; }

/* torch 2.7 and later */
bool help_torch_after_2_6(const struct facts *k) { return version_of(STR(platform_torch_version), 2) >= 2007; }

/* ---- histogram buckets ---- */

enum fault {
	FINE, BAD_RULE, TSE_ARITY, TSE_NUMBERS, TSE_BASE, TSE_COUNT, TSE_MIDDLE, DEFAULT_ARITY, CUSTOM_ARITY, CUSTOM_NUMBERS,
	CUSTOM_REPEATS, CUSTOM_NEGATIVE
};

static bool read_real(const char *s, double *d) { return pdcfg_read_float(s, strlen(s), d); }
/* the elements of a list stand one behind the other */
static const char *after(const char *item) { return item + strlen(item) + 1; }

static enum fault fault_of_tse(const char *item)
{
	double middle, base;
	int64_t count;
	const char *second = after(item), *third = after(second);
	if (!read_real(item, &middle) || !read_real(second, &base) || !pdcfg_read_int(third, strlen(third), &count)) return TSE_NUMBERS;
	return !(base > 1) ? TSE_BASE : count <= 0 ? TSE_COUNT : !(middle > 0) ? TSE_MIDDLE : FINE;
}

/* comparing all with all takes too long for more bounds than any histogram has; those pass */
enum { BOUNDS_MAX = 2048 };

static enum fault fault_of_custom(const char *first, size_t n)
{
	double a, b;
	bool negative = false, repeats = false;
	const char *s = first;
	for (size_t i = 0; i < n; i++, s = after(s)) {
		if (!read_real(s, &a)) return CUSTOM_NUMBERS;
		negative |= !(a >= 0);
		const char *t = first;
		for (size_t j = 0; j < i && n <= BOUNDS_MAX && !repeats; j++, t = after(t)) repeats = read_real(t, &b) && b == a;
	}
	return repeats ? CUSTOM_REPEATS : negative ? CUSTOM_NEGATIVE : FINE;
}

static enum fault fault_of(const struct facts *k, int64_t buckets)
{
	size_t n = pdcfg_list_len(k, buckets);
	if (!n) return FINE;
	const char *rule = pdcfg_list_item(k, buckets, 0);
	if (!strcmp(rule, "tse")) return n != 4 ? TSE_ARITY : fault_of_tse(after(rule));
	if (!strcmp(rule, "default")) return n != 1 ? DEFAULT_ARITY : FINE;
	if (!strcmp(rule, "custom")) return n < 2 ? CUSTOM_ARITY : fault_of_custom(after(rule), n - 1);
	return BAD_RULE;
}

/* the buckets of generated tokens are looked at only when those of prompts are fine */
static bool faulty(const struct facts *k, enum fault what)
{
	enum fault f = fault_of(k, V(prompt_tokens_buckets));
	return (f == FINE ? fault_of(k, V(generation_tokens_buckets)) : f) == what;
}

bool help_buckets_bad_rule(const struct facts *k) { return faulty(k, BAD_RULE); }
bool help_buckets_bad_tse_arity(const struct facts *k) { return faulty(k, TSE_ARITY); }
bool help_buckets_bad_tse_numbers(const struct facts *k) { return faulty(k, TSE_NUMBERS); }
bool help_buckets_bad_tse_base(const struct facts *k) { return faulty(k, TSE_BASE); }
bool help_buckets_bad_tse_count(const struct facts *k) { return faulty(k, TSE_COUNT); }
bool help_buckets_bad_tse_middle(const struct facts *k) { return faulty(k, TSE_MIDDLE); }
bool help_buckets_bad_default_arity(const struct facts *k) { return faulty(k, DEFAULT_ARITY); }
bool help_buckets_bad_custom_arity(const struct facts *k) { return faulty(k, CUSTOM_ARITY); }
bool help_buckets_bad_custom_numbers(const struct facts *k) { return faulty(k, CUSTOM_NUMBERS); }
bool help_buckets_bad_custom_repeats(const struct facts *k) { return faulty(k, CUSTOM_REPEATS); }
bool help_buckets_bad_custom_negative(const struct facts *k) { return faulty(k, CUSTOM_NEGATIVE); }
