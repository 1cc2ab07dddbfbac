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

static int64_t item_number(const struct facts *k, int64_t list, size_t i)
{
	int64_t n;
	const char *s = pdcfg_list_item(k, list, i);
	return pdcfg_read_int(s, strlen(s), &n) ? n : NONE;
}

bool help_num_steps_not_adaptive(const struct facts *k)
{
	for (size_t i = 0; i < LEN(platform_adaptive_candidate_steps); i++)
		if (item_number(k, V(platform_adaptive_candidate_steps), i) == V(speculative_num_steps)) return false;
	return true;
}

int64_t calc_adaptive_middle_step(const struct facts *k)
{
	return item_number(k, V(platform_adaptive_candidate_steps), LEN(platform_adaptive_candidate_steps) / 2);
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

static bool object_store(const char *s)
{
	static const char *const schemes[] = { "s3://", "gs://", "az://" };
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		size_t n = 0;
		while (schemes[i][n] && schemes[i][n] == (s[n] >= 'A' && s[n] <= 'Z' ? s[n] - 'A' + 'a' : s[n])) n++;
		if (!schemes[i][n]) return true;
	}
	return false;
}

/* something://anything */
static bool url(const char *s) { return *s && strstr(s + 1, "://"); }

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);
	return n >= m && !strcmp(s + n - m, end);
}

bool help_weights_in_object_store(const struct facts *k) { return object_store(STR(model_path)); }
bool help_weights_at_url(const struct facts *k) { return url(STR(model_path)); }
bool help_weights_are_gguf(const struct facts *k) { return ends_with(STR(model_path), ".gguf"); }
bool help_draft_in_object_store(const struct facts *k) { return object_store(STR(speculative_draft_model_path)); }
bool help_served_name_has_colon(const struct facts *k)
{
	return !object_store(STR(served_model_name)) && strchr(STR(served_model_name), ':');
}

/* upstream takes what stands before the last :// for the scheme */
bool help_served_by_instance(const struct facts *k)
{
	const char *s = STR(model_path), *rest = s + strlen("instance");
	return !strncmp(s, "instance://", strlen("instance://")) && !strstr(rest + 1, "://");
}

/* every % but that of %h, which is replaced */
bool help_coredump_folder_has_placeholder(const struct facts *k)
{
	for (const char *s = STR(crash_dump_folder); (s = strchr(s, '%')); s++)
		if (s[1] != 'h') return true;
	return false;
}

/* ---- JSON: is a text JSON as Python's json.loads takes it, and what are the members of an object? ---- */

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 28 && c <= 31); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

static const char *skip_blanks(const char *s)
{
	while (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r') s++;
	return s;
}

/* what follows the string that begins at s, or NULL if it is none */
static const char *json_string(const char *s)
{
	if (*s != '"') return NULL;
	for (s++; *s != '"'; s++) {
		if ((unsigned char)*s < ' ') return NULL;
		if (*s != '\\') continue;
		s++;
		if (*s == 'u' && is_hex(s[1]) && is_hex(s[2]) && is_hex(s[3]) && is_hex(s[4])) s += 4;
		else if (!*s || !strchr("\"\\/bfnrt", *s)) return NULL;
	}
	return s + 1;
}

static const char *json_digits(const char *s)
{
	if (!is_digit(*s)) return NULL;
	while (is_digit(*s)) s++;
	return s;
}

/* a number, or one of the words that Python knows */
static const char *json_scalar(const char *s)
{
	static const char *const words[] = { "null", "true", "false", "NaN", "Infinity", "-Infinity" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strncmp(s, words[i], strlen(words[i]))) return s + strlen(words[i]);
	if (*s == '-') s++;
	s = *s == '0' ? s + 1 : json_digits(s);
	if (s && *s == '.') s = json_digits(s + 1);
	if (s && (*s == 'e' || *s == 'E')) {
		s++;
		s = json_digits(*s == '-' || *s == '+' ? s + 1 : s);
	}
	return s;
}

/* deeper than Python would go is no JSON */
enum { JSON_DEPTH = 900 };

static const char *json_value(const char *s, unsigned depth)
{
	char close = *s == '{' ? '}' : ']';
	if (*s == '"') return json_string(s);
	if (*s != '{' && *s != '[') return json_scalar(s);
	if (depth == JSON_DEPTH) return NULL;
	s = skip_blanks(s + 1);
	if (*s == close) return s + 1;
	for (;; s = skip_blanks(s + 1)) {
		if (close == '}') {
			if (!(s = json_string(s))) return NULL;
			s = skip_blanks(s);
			if (*s != ':') return NULL;
			s = skip_blanks(s + 1);
		}
		if (!(s = json_value(s, depth + 1))) return NULL;
		s = skip_blanks(s);
		if (*s == close) return s + 1;
		if (*s != ',') return NULL;
	}
}

static bool is_json(const char *text)
{
	const char *end = json_value(skip_blanks(text), 0);
	return end && !*skip_blanks(end);
}

/* the members, of a text that is JSON */
static const char *string_end(const char *s) /* s is at the opening quote */
{
	for (s++; *s && *s != '"'; s++)
		if (*s == '\\' && s[1]) s++;
	return *s ? s + 1 : s;
}

static const char *value_end(const char *s)
{
	size_t depth = 0;
	while (*s) {
		if (*s == '"') {
			s = string_end(s);
		} else if (*s == '{' || *s == '[') {
			depth++, s++;
		} else if (*s == '}' || *s == ']') {
			if (!depth) break;
			depth--, s++;
		} else if (*s == ',' && !depth) {
			break;
		} else {
			s++;
		}
	}
	return s;
}

struct member {
	const char *name, *value;
	size_t length, size;
};

/* the member at *at, which then is behind it; false at the object's end */
static bool next_member(const char **at, struct member *m)
{
	const char *s = skip_blanks(*at);
	if (*s != '"') return false;
	const char *after = string_end(s);
	m->name = s + 1;
	m->length = (size_t)(after - s) - 2;
	s = skip_blanks(after);
	if (*s != ':') return false;
	m->value = skip_blanks(s + 1);
	after = value_end(m->value);
	m->size = (size_t)(after - m->value);
	while (m->size && is_blank(m->value[m->size - 1])) m->size--;
	*at = *after == ',' ? after + 1 : after;
	return true;
}

/* where the members of an object begin, or the end of the text if it is none */
static const char *members(const char *text)
{
	const char *s = skip_blanks(text);
	return *s == '{' ? s + 1 : s + strlen(s);
}

/* a name with an escape may be any of them, so it is taken for known */
static bool is_one_of(const struct member *m, const char *const *names)
{
	if (memchr(m->name, '\\', m->length)) return true;
	for (; *names; names++)
		if (strlen(*names) == m->length && !memcmp(*names, m->name, m->length)) return true;
	return false;
}

/* ---- RDMA devices: names between commas, or an object with such a list for each GPU ---- */

struct span {
	const char *at, *end;
};

/* the next name that is not empty; its length, or 0 at the end. Blanks around a name do not count */
static size_t next_device(struct span *list, const char **name)
{
	const char *s = list->at;
	while (s < list->end && (*s == ',' || is_blank(*s))) s++;
	*name = s;
	while (s < list->end && *s != ',') s++;
	list->at = s;
	while (s > *name && is_blank(s[-1])) s--;
	return (size_t)(s - *name);
}

/* comparing all with all takes too long for a text that is longer than any machine's list; such a one passes */
enum { IB_TEXT_MAX = 32768 };

static struct span ib_text(const struct facts *k)
{
	const char *s = STR(disaggregation_ib_device);
	struct span t = { s, s + strlen(s) };
	while (t.at < t.end && is_blank(*t.at)) t.at++;
	while (t.end > t.at && is_blank(t.end[-1])) t.end--;
	return t;
}

bool help_ib_text_blank(const struct facts *k)
{
	struct span t = ib_text(k);
	return t.at == t.end;
}

bool help_ib_text_is_file(const struct facts *k)
{
	struct span t = ib_text(k);
	return t.end - t.at >= 5 && !memcmp(t.end - 5, ".json", 5);
}

static bool ib_inline(const struct facts *k) { return *ib_text(k).at == '{' && !help_ib_text_is_file(k); }

bool help_ib_inline_not_json(const struct facts *k) { return ib_inline(k) && !is_json(ib_text(k).at); }

static bool is_gpu(const struct member *m)
{
	size_t i = 0;
	while (i < m->length && is_digit(m->name[i])) i++;
	return i && i == m->length;
}

static bool same_name(const struct member *a, const struct member *b) { return a->length == b->length && !memcmp(a->name, b->name, a->length); }

/* the same number, however many zeros stand before it */
static bool same_gpu(const struct member *a, const struct member *b)
{
	struct member x = *a, y = *b;
	while (x.length > 1 && *x.name == '0') x.name++, x.length--;
	while (y.length > 1 && *y.name == '0') y.name++, y.length--;
	return same_name(&x, &y);
}

/* of members with the same name the last one counts */
static bool comes_again(const char *rest, const struct member *m, bool (*same)(const struct member *, const struct member *))
{
	for (struct member later; next_member(&rest, &later);)
		if (same(m, &later)) return true;
	return false;
}

bool help_ib_inline_bad_member(const struct facts *k)
{
	struct span t = ib_text(k);
	if (!ib_inline(k) || t.end - t.at > IB_TEXT_MAX || !is_json(t.at)) return false;
	const char *at = members(t.at);
	for (struct member m; next_member(&at, &m);)
		if (!memchr(m.name, '\\', m.length) && !comes_again(at, &m, same_name) && (!is_gpu(&m) || *m.value != '"')) return true;
	return false;
}

bool help_ib_inline_empty(const struct facts *k)
{
	struct member m;
	if (!ib_inline(k) || !is_json(ib_text(k).at)) return false;
	const char *at = members(ib_text(k).at);
	return !next_member(&at, &m);
}

/* The next list of devices: the whole text, or what an object says of a GPU. A list with an escape in it is passed over. */
static bool next_list(const struct facts *k, const char **at, struct span *list)
{
	struct member m;
	*list = ib_text(k);
	if (help_ib_text_blank(k) || help_ib_text_is_file(k) || list->end - list->at > IB_TEXT_MAX) return false;
	if (!ib_inline(k)) {
		if (*at) return false;
		*at = list->end;
		return true;
	}
	if (!*at && (!is_json(list->at) || help_ib_inline_bad_member(k))) return false;
	if (!*at) *at = members(list->at);
	while (next_member(at, &m)) {
		if (memchr(m.value, '\\', m.size) || !is_gpu(&m) || comes_again(*at, &m, same_gpu)) continue;
		*list = (struct span){ m.value + 1, m.value + m.size - 1 };
		return true;
	}
	return false;
}

bool help_ib_list_empty(const struct facts *k)
{
	const char *at = NULL, *name;
	for (struct span list; next_list(k, &at, &list);)
		if (!next_device(&list, &name)) return true;
	return false;
}

bool help_ib_list_repeats(const struct facts *k)
{
	const char *at = NULL, *name, *other;
	size_t n, m;
	for (struct span list; next_list(k, &at, &list);) {
		struct span all = list;
		while ((n = next_device(&list, &name)))
			for (struct span before = all; (m = next_device(&before, &other)) && other < name;)
				if (m == n && !memcmp(name, other, n)) return true;
	}
	return false;
}

static bool has_device(const struct facts *k, const char *name, size_t n)
{
	for (size_t i = 0; i < LEN(platform_ib_devices); i++)
		if (strlen(ITEM(platform_ib_devices, i)) == n && !memcmp(ITEM(platform_ib_devices, i), name, n)) return true;
	return false;
}

bool help_ib_list_unknown(const struct facts *k)
{
	const char *at = NULL, *name;
	for (struct span list; next_list(k, &at, &list);)
		for (size_t n; (n = next_device(&list, &name));)
			if (!has_device(k, name, n)) return true;
	return false;
}

bool help_ib_mapping_unknown(const struct facts *k)
{
	for (size_t i = 0; i < LEN(platform_ib_mapping_devices); i++) {
		const char *name = ITEM(platform_ib_mapping_devices, i);
		if (!has_device(k, name, strlen(name))) return true;
	}
	return false;
}

/* ---- JSON options; their texts are known to be JSON when these helpers see them ---- */

bool help_chat_template_kwargs_no_object(const struct facts *k)
{
	const char *s = skip_blanks(STR(default_chat_template_kwargs));
	return *s != '{' && strncmp(s, "null", 4);
}

bool help_mm_limit_of_unknown_modality(const struct facts *k)
{
	static const char *const known[] = { "image", "video", "audio", NULL };
	const char *at = members(STR(limit_mm_data_per_request));
	for (struct member m; next_member(&at, &m);)
		if (!is_one_of(&m, known)) return true;
	return false;
}

bool help_preferred_sampling_unknown_key(const struct facts *k)
{
	static const char *const known[] = {
		"max_new_tokens", "stop", "stop_token_ids", "stop_regex", "temperature", "top_p", "top_k", "min_p",
		"frequency_penalty", "presence_penalty", "repetition_penalty", "min_new_tokens", "n", "json_schema",
		"regex", "ebnf", "structural_tag", "ignore_eos", "skip_special_tokens", "spaces_between_special_tokens",
		"no_stop_trim", "stream_interval", "logit_bias", "sampling_seed", "custom_params", "stop_strs",
		"stop_regex_strs", "stop_str_max_len", "stop_regex_max_len", "is_normalized", NULL
	};
	const char *at = members(STR(preferred_sampling_params));
	for (struct member m; next_member(&at, &m);)
		if (!is_one_of(&m, known)) return true;
	return false;
}

/* the value of the last member of that name, as Python takes it; false when there is none */
static bool find_member(const char *text, const char *name, struct member *found)
{
	bool any = false;
	const char *at = members(text);
	for (struct member m; next_member(&at, &m);)
		if (strlen(name) == m.length && !memcmp(name, m.name, m.length)) *found = m, any = true;
	return any;
}

static bool is_text(const struct member *m, const char *text) { return m->size == strlen(text) && !memcmp(m->value, text, m->size); }

static bool is_truthy(const struct member *m)
{
	double d;
	if (is_text(m, "null") || is_text(m, "false") || is_text(m, "\"\"")) return false;
	if (m->size && (*m->value == '[' || *m->value == '{')) {
		const char *inside = skip_blanks(m->value + 1);
		return *inside != ']' && *inside != '}';
	}
	return !pdcfg_read_float(m->value, m->size, &d) || d != 0;
}

bool help_preferred_sampling_has_stop(const struct facts *k)
{
	struct member m;
	return find_member(STR(preferred_sampling_params), "stop", &m) && is_truthy(&m);
}

bool help_preferred_sampling_has_stop_regex(const struct facts *k)
{
	struct member m;
	return find_member(STR(preferred_sampling_params), "stop_regex", &m) && is_truthy(&m);
}

bool help_preferred_sampling_has_min_new_tokens(const struct facts *k)
{
	struct member m;
	double d;
	if (!find_member(STR(preferred_sampling_params), "min_new_tokens", &m)) return false;
	return is_text(&m, "true") || (pdcfg_read_float(m.value, m.size, &d) && d > 0);
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
	for (size_t i = 0; i < LEN(lora_target_modules); i++)
		if (strcmp(ITEM(lora_target_modules, i), "all")) return true;
	return false;
}

bool help_lora_chunk_size_odd(const struct facts *k)
{
	int64_t n = V(max_lora_chunk_size);
	return n != 16 && n != 32 && n != 64 && n != 128;
}

bool help_gc_threshold_too_long(const struct facts *k) { return LEN(gc_threshold) > 3; }

/* torch 2.7 and later */
bool help_torch_after_2_6(const struct facts *k)
{
	int64_t major, minor;
	const char *s = STR(platform_torch_version);
	size_t n = strspn(s, "0123456789");
	if (!pdcfg_read_int(s, n, &major) || s[n] != '.') return false;
	s += n + 1;
	if (!pdcfg_read_int(s, strspn(s, "0123456789"), &minor)) return false;
	return major > 2 || (major == 2 && minor >= 7);
}

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
