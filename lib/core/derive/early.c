/* Helpers of the first thirty steps: front end, PD, layout, CUDA graphs and what the memory of a GPU decides. */
#include "derive.h"

/* ---- media domains (step 3) ---- */

static bool span_has(struct span d, char c) { return d.n && memchr(d.s, c, d.n) != NULL; }

/* the length of a dot of host names at s, of which Unicode has four */
static size_t dot_at(const char *s, bool wide)
{
	if (*s == '.') return 1;
	if (wide && (!strncmp(s, "\xe3\x80\x82", 3) || !strncmp(s, "\xef\xbc\x8e", 3) || !strncmp(s, "\xef\xbd\xa1", 3))) return 3;
	return 0;
}

/* only what is certain: in a name that is not all ASCII the length of a part depends on its encoding */
static bool bad_host_name(struct span d)
{
	bool wide = false;
	size_t part = 0;
	for (size_t i = 0; i < d.n; i++) wide |= (unsigned char)d.s[i] >= 0x80;
	for (size_t i = 0; i < d.n;) {
		size_t dot = dot_at(d.s + i, wide);
		if (dot && !part) return true;
		part = dot ? 0 : part + 1;
		if (!wide && part > 63) return true;
		i += dot ? dot : 1;
	}
	return false;
}

enum domain { DOMAIN_GOOD, DOMAIN_EMPTY, DOMAIN_NO_HOST, DOMAIN_PORT, DOMAIN_NO_IDNA };

static enum domain domain_of(const char *text)
{
	struct span d = stripped(text, strlen(text));
	while (d.n && d.s[d.n - 1] == '.') d.n--;
	if (!d.n) return DOMAIN_EMPTY;
	for (size_t i = 0; i < d.n; i++)
		if (strchr("/?#@", d.s[i])) return DOMAIN_NO_HOST; /* "://" has a slash too */
	if (d.n > 1 && d.s[0] == '[' && d.s[d.n - 1] == ']') d = (struct span){ d.s + 1, d.n - 2 };
	if (span_has(d, ':')) return is_ipv6(d.s, d.n) ? DOMAIN_GOOD : DOMAIN_PORT;
	return bad_host_name(d) ? DOMAIN_NO_IDNA : DOMAIN_GOOD;
}

/* what is wrong with the first domain with which anything is */
static enum domain first_bad_domain(const struct facts *k)
{
	enum domain bad = DOMAIN_GOOD;
	for (const char *item = NULL; !bad && pdcfg_list_next(k, V(allowed_media_domains), &item);) bad = domain_of(item);
	return bad;
}

bool help_media_domain_empty(const struct facts *k) { return first_bad_domain(k) == DOMAIN_EMPTY; }
bool help_media_domain_no_host(const struct facts *k) { return first_bad_domain(k) == DOMAIN_NO_HOST; }
bool help_media_domain_port(const struct facts *k) { return first_bad_domain(k) == DOMAIN_PORT; }
bool help_media_domain_no_idna(const struct facts *k) { return first_bad_domain(k) == DOMAIN_NO_IDNA; }

/* ---- paths, front end and device (steps 6 to 13) ---- */

bool help_model_path_is_dummy(const struct facts *k)
{
	return same_lower(STR(model_path), "none") || same_lower(STR(model_path), "dummy");
}

/* a running SGLang server as the source of the weights: what stands before the last "://" is "instance" */
bool help_model_path_is_instance(const struct facts *k)
{
	const char *path = STR(model_path);
	return !strncmp(path, "instance://", 11) && !strstr(path + 9, "://");
}

bool help_path_in_object_store(const struct facts *k)
{
	return in_object_store(STR(model_path)) || in_object_store(STR(tokenizer_path)) || in_object_store(STR(speculative_draft_model_path));
}

bool help_sidecar_is_blank(const struct facts *k) { return !IS_NONE(sidecar) && !stripped(STR(sidecar), strlen(STR(sidecar))).n; }

int64_t calc_smg_grpc_port(const struct facts *k) { return IS_NONE(port) ? NONE : add_(V(port), 10000); }

bool help_device_has_index(const struct facts *k) { return strchr(STR(device), ':') != NULL; }

int64_t calc_device_without_index(const struct facts *k)
{
	char kind[16];
	const char *device = STR(device);
	size_t n = strcspn(device, ":");
	if (n >= sizeof kind) return UNKNOWN;
	memcpy(kind, device, n);
	kind[n] = 0;
	return word(k, kind);
}

/* ---- PD (step 14) ---- */

int64_t calc_extra_decode_slots(const struct facts *k)
{
	if (IS_NONE(max_running_requests)) return 0;
	int64_t workers = V(dp_size) > 1 ? V(dp_size) : 1, each = floordiv_(V(max_running_requests), workers);
	return each <= 32 ? mul_(each, 2) : 0;
}

/* ---- context parallelism (step 15) ---- */

int64_t calc_old_cp_mode(const struct facts *k)
{
	return word(k, V(cp_strategy) == word(k, "zigzag") ? "in-seq-split" : "round-robin-split");
}

/* ---- the model's configuration (step 18) ---- */

static bool one_of(const char *s, const char *const *list)
{
	for (; *list; list++)
		if (same_lower(s, *list)) return true;
	return false;
}

static bool is_modelopt(const char *method)
{
	static const char *const all[] = { "modelopt", "modelopt_fp8", "modelopt_fp4", "modelopt_mixed", NULL };
	return one_of(method, all);
}

/*
 * Only contradictions that no conversion at load time can resolve. ModelOpt checkpoints choose their method themselves, awq and gptq ones
 * may be converted to their Marlin forms.
 */
static bool contradicts(const char *asked, const char *found)
{
	static const char *const of_awq[] = { "awq_marlin", "marlin", "moe_wna16", NULL };
	static const char *const of_gptq[] = { "gptq_marlin", "marlin", "moe_wna16", NULL };
	static const char *const of_fp8[] = { "modelopt_fp4", "nvfp4_online", NULL };
	static const char *const of_compressed[] = { "w8a8_int8", "w8a8_fp8", "auto-round-int8", NULL };
	static const char *const parsed_modelopt[] = { "mxfp8", "w4afp8", NULL };
	if (!*asked || !*found || same_lower(asked, "quark_mxfp4")) return false;
	if (is_modelopt(found)) return same_lower(asked, "nvfp4_online") && same_lower(found, "modelopt_fp4");
	if (same_lower(asked, "humming")) return same_lower(found, "mxfp4");
	if (same_lower(asked, "modelopt") && one_of(found, parsed_modelopt)) return false;
	if (same_lower(found, "awq")) return !same_lower(asked, "awq") && !one_of(asked, of_awq);
	if (same_lower(found, "gptq")) return !same_lower(asked, "gptq") && !one_of(asked, of_gptq);
	if (same_lower(found, "fp8") && one_of(asked, of_fp8)) return false;
	if ((same_lower(found, "compressed-tensors") || same_lower(found, "compressed_tensors")) && one_of(asked, of_compressed)) return false;
	for (; *asked && lower(*asked) == lower(*found); asked++) found++;
	return *asked || *found;
}

bool help_quantization_contradicts_checkpoint(const struct facts *k)
{
	return contradicts(STR(quantization), STR(model_quant_method));
}

/* the method with which the weights are loaded, "" for none */
static const char *effective_quantization(const struct facts *k)
{
	const char *asked = STR(quantization), *found = STR(model_quant_method);
	bool chosen_by_checkpoint = is_modelopt(found) && !same_lower(asked, "nvfp4_online") && !same_lower(asked, "quark_mxfp4");
	if (!*asked || chosen_by_checkpoint) return found;
	/* "marlin" is no method of its own, but stands for the Marlin form of these */
	if (same_lower(asked, "marlin") && (same_lower(found, "awq") || same_lower(found, "gptq"))) return found;
	return asked;
}

bool help_quantization_is_unknown(const struct facts *k)
{
	static const char *const known[] = {
		"fp8", "mxfp8", "blockwise_int8", "modelopt", "modelopt_fp8", "modelopt_fp4", "nvfp4_online", "modelopt_mixed", "w8a8_int8",
		"w8a8_fp8", "awq", "awq_marlin", "bitsandbytes", "gguf", "gptq", "gptq_marlin", "moe_wna16", "compressed-tensors", "w4afp8",
		"petit_nvfp4", "quark", "quark_mxfp4", "auto-round", "auto-round-int8", "modelslim", "quark_int4fp8_moe", "humming",
		"mxfp_w4a8", "mxfp4", "mlx_q4", "mlx_q8", NULL
	};
	const char *method = effective_quantization(k);
	return *method && !one_of(method, known);
}

bool help_quantization_is_mxfp4(const struct facts *k) { return same_lower(effective_quantization(k), "mxfp4"); }

bool help_quantization_is_mlx(const struct facts *k)
{
	return same_lower(effective_quantization(k), "mlx_q4") || same_lower(effective_quantization(k), "mlx_q8");
}

bool help_quantization_not_on_rocm(const struct facts *k)
{
	static const char *const runs[] = {
		"awq", "gptq", "fp8", "compressed_tensors", "compressed-tensors", "w8a8_fp8", "petit_nvfp4", "quark", "mxfp4", "mxfp8",
		"auto-round", "auto-round-int8", "quark_int4fp8_moe", "quark_mxfp4", NULL
	};
	const char *method = effective_quantization(k);
	return *method && !one_of(method, runs);
}

bool help_gcn_is_gfx95(const struct facts *k) { return strstr(STR(platform_gcn_arch), "gfx95") != NULL; }

/* ---- CUDA graphs (step 21) ---- */

/* a list of sizes stands in the JSON text, even as null, or else in an option */
#define PREFILL_SIZES (IS_NONE(cuda_graph_config_prefill_bs_kind) ? V(cuda_graph_bs_prefill) : V(cuda_graph_config_prefill_bs))
#define DECODE_SIZES (IS_NONE(cuda_graph_config_decode_bs_kind) ? V(cuda_graph_bs_decode) : V(cuda_graph_config_decode_bs))

/* NONE of no sizes */
static int64_t largest_size(const struct facts *k, int64_t sizes)
{
	int64_t max = NONE; /* the least of all cells */
	for (const char *item = NULL; pdcfg_list_next(k, sizes, &item);) {
		int64_t n = pdcfg_number_of_item(item);
		if (n > max) max = n;
	}
	return max;
}

/* Both places say something, and not the same. Equal texts and equal lists are equal numbers. */
static bool differ(int64_t kind, int64_t json, int64_t option) { return kind != NONE && option != NONE && json != option; }

bool help_graph_json_beats_options(const struct facts *k)
{
	return differ(V(cuda_graph_config_decode_backend_kind), V(cuda_graph_config_decode_backend), V(cuda_graph_backend_decode)) ||
	       differ(V(cuda_graph_config_prefill_backend_kind), V(cuda_graph_config_prefill_backend), V(cuda_graph_backend_prefill)) ||
	       differ(V(cuda_graph_config_decode_tc_compiler_kind), V(cuda_graph_config_decode_tc_compiler), V(cuda_graph_tc_compiler)) ||
	       differ(V(cuda_graph_config_prefill_tc_compiler_kind), V(cuda_graph_config_prefill_tc_compiler), V(cuda_graph_tc_compiler)) ||
	       differ(V(cuda_graph_config_decode_max_bs_kind), V(cuda_graph_config_decode_max_bs), V(cuda_graph_max_bs_decode)) ||
	       differ(V(cuda_graph_config_prefill_max_bs_kind), V(cuda_graph_config_prefill_max_bs), V(cuda_graph_max_bs_prefill)) ||
	       differ(V(cuda_graph_config_decode_bs_kind), V(cuda_graph_config_decode_bs), V(cuda_graph_bs_decode)) ||
	       differ(V(cuda_graph_config_prefill_bs_kind), V(cuda_graph_config_prefill_bs), V(cuda_graph_bs_prefill));
}

/* the sizes that SGLang captures prefill for by itself: sparser as they grow */
static const struct { int64_t from, to, step; } prefill_sizes[] = {
	{ 4, 32, 4 }, { 48, 256, 16 }, { 288, 512, 32 }, { 576, 1024, 64 }, { 1280, 4096, 256 }, { 4608, INT64_MAX, 512 }
};

/* how many of them there are up to max; *last is the largest */
static int64_t count_prefill_sizes(int64_t max, int64_t *last)
{
	int64_t count = 0;
	*last = 0;
	for (size_t i = 0; i < sizeof prefill_sizes / sizeof *prefill_sizes; i++) {
		int64_t to = max < prefill_sizes[i].to ? max : prefill_sizes[i].to;
		if (to < prefill_sizes[i].from) break;
		int64_t steps = (to - prefill_sizes[i].from) / prefill_sizes[i].step;
		count += steps + 1;
		*last = prefill_sizes[i].from + steps * prefill_sizes[i].step;
	}
	return count;
}

static int64_t up_to_eight(int64_t n) { return mul_(floordiv_(add_(n, 7), 8), 8); }

/* with DeepEP the sizes become a set of multiples of 8; does that change them? */
bool help_prefill_graph_sizes_off_eight(const struct facts *k)
{
	int64_t sizes = PREFILL_SIZES;
	for (const char *item = NULL; pdcfg_list_next(k, sizes, &item);) {
		int64_t n = pdcfg_number_of_item(item);
		if (n != NONE && mod_(n, 8)) return true;
	}
	return false;
}

static int64_t deepep_bound(const struct facts *k)
{
	return IS_NONE(cuda_graph_prefill_max_bs) || !V(cuda_graph_prefill_max_bs) ? 2048 : V(cuda_graph_prefill_max_bs);
}

bool help_deepep_aligns_prefill_sizes(const struct facts *k)
{
	if (PREFILL_SIZES != NONE) return help_prefill_graph_sizes_off_eight(k);
	return deepep_bound(k) >= 4; /* the first size is 4 */
}

int64_t calc_deepep_prefill_max_bs(const struct facts *k)
{
	int64_t last;
	if (PREFILL_SIZES != NONE) {
		last = largest_size(k, PREFILL_SIZES);
		return last == NONE ? UNKNOWN : up_to_eight(last);
	}
	count_prefill_sizes(deepep_bound(k), &last);
	return up_to_eight(last);
}

/* ---- the device (steps 22 to 29) ---- */

/* an object without members too, and a text without characters: Python asks for the largest of them */
bool help_decode_graph_sizes_empty(const struct facts *k)
{
	if (!IS_NONE(cuda_graph_config_decode_bs_kind)) return V(cuda_graph_config_decode_bs_count) == 0;
	return !IS_NONE(cuda_graph_bs_decode) && !LEN(cuda_graph_bs_decode);
}

bool help_decode_graph_sizes_beat_max(const struct facts *k)
{
	int64_t max = largest_size(k, DECODE_SIZES);
	return max != NONE && !IS_NONE(cuda_graph_decode_max_bs) && max != V(cuda_graph_decode_max_bs);
}

int64_t calc_decode_max_bs_of_sizes(const struct facts *k)
{
	int64_t max = largest_size(k, DECODE_SIZES);
	return max == NONE ? UNKNOWN : max;
}

enum { GIB = 1024 };

int64_t calc_npu_chunk(const struct facts *k)
{
	int64_t mem = V(platform_gpu_mem_mib);
	return mem <= 32 * GIB ? 4096 : mem <= 64 * GIB ? 8192 : NONE;
}

int64_t calc_npu_decode_max_bs(const struct facts *k)
{
	int64_t mem = V(platform_gpu_mem_mib);
	bool small = V(tp_size) < 4;
	if (mem <= 32 * GIB) return small ? 16 : 64;
	return mem > 64 * GIB ? NONE : small ? 64 : 256;
}

int64_t calc_chunk_of_memory(const struct facts *k)
{
	int64_t mem = V(platform_gpu_mem_mib);
	return mem < 35 * GIB ? 2048 : mem < 60 * GIB ? 4096 : mem < 160 * GIB ? 8192 : 16384;
}

int64_t calc_decode_max_bs_of_memory(const struct facts *k)
{
	int64_t mem = V(platform_gpu_mem_mib);
	bool small = V(tp_size) < 4;
	if (mem < 20 * GIB) return 8;
	if (mem < 35 * GIB) return small ? 24 : 80;
	if (mem < 60 * GIB) return small ? 32 : 160;
	return mem < 160 * GIB && small ? 256 : 512;
}

/* How the memory is spread over NUMA nodes is not known: only machines on which it does not matter give an answer. */
int64_t calc_chunk_of_cpu_memory(const struct facts *k) { return V(platform_host_mem_mib) < 35 * GIB ? 2048 : UNKNOWN; }
int64_t calc_decode_max_bs_of_cpu_memory(const struct facts *k) { return V(platform_host_mem_mib) < 20 * GIB ? 8 : UNKNOWN; }
int64_t calc_share_of_cpu_memory(const struct facts *k)
{
	(void)k;
	return UNKNOWN;
}

static bool names_llama_2(const char *path)
{
	for (; *path; path++)
		if (starts_lower(path, "llama-2")) return true;
	return false;
}

int64_t calc_prefill_max_bs_default(const struct facts *k)
{
	int64_t max = V(model_is_mla) ? 2048 : V(chunked_prefill_size);
	if (!IS_NONE(max_total_tokens) && V(max_total_tokens) < max) max = V(max_total_tokens);
	return names_llama_2(STR(model_path)) && max > 4096 ? 4096 : max;
}

/* how many prefill graphs are captured; UNKNOWN where the alignment for DeepEP may have merged some */
static int64_t count_prefill_graphs(const struct facts *k, bool aligned)
{
	int64_t last, count;
	if (PREFILL_SIZES != NONE) return aligned ? UNKNOWN : (int64_t)pdcfg_list_len(k, PREFILL_SIZES);
	count = count_prefill_sizes(V(cuda_graph_prefill_max_bs), &last);
	return aligned ? count - (last < 32 ? (last / 4) / 2 : 4) : count; /* 4, 12, 20 and 28 fall together with their successors */
}

/* MiB kept for graphs; < 0 if unknown */
static double memory_of_graphs(const struct facts *k)
{
	bool prefill = V(disaggregation_mode) == word(k, "prefill"), decode = V(disaggregation_mode) == word(k, "decode");
	bool deepep = V(view_moe_a2a_backend) == word(k, "deepep");
	double mib = 0, max_bs = (double)V(cuda_graph_decode_max_bs), dp = (double)V(dp_size);
	if (!prefill && V(cuda_graph_decode_backend) != word(k, "disabled")) mib += max_bs * 2;
	if (!prefill && V(view_enable_dp_attention)) mib += max_bs * dp * (V(cuda_graph_decode_max_bs) > 300 ? 4.5 : 3);
	if (!decode && V(cuda_graph_prefill_backend) != word(k, "disabled")) {
		bool aligned = deepep && V(cuda_graph_prefill_backend) == word(k, "breakable");
		int64_t graphs = V(model_is_mla) ? 0 : count_prefill_graphs(k, aligned);
		if (graphs == UNKNOWN) return -1;
		mib += V(model_is_mla) ? 1536 : (double)graphs * 8;
		if (aligned) mib += 1024;
	}
	return mib;
}

static double real_max(double a, double b) { return a > b ? a : b; }

/* MiB kept for activations: those of the running requests on a decode server, else those of a chunk */
static double memory_of_activations(const struct facts *k)
{
	int64_t requests = IS_NONE(max_running_requests) || !V(max_running_requests) ? V(cuda_graph_decode_max_bs) : V(max_running_requests);
	int64_t drafts = IS_NONE(speculative_num_draft_tokens) || !V(speculative_num_draft_tokens) ? 1 : V(speculative_num_draft_tokens);
	double tokens;
	if (V(disaggregation_mode) == word(k, "decode")) tokens = (double)(requests ? requests : 1) * (double)drafts;
	else tokens = (double)(V(chunked_prefill_size) > 0 ? V(chunked_prefill_size) : V(max_prefill_tokens));
	return 512 + real_max(tokens, 2048) * 1.5;
}

/* Python's round(x, 3) for shares of the memory */
static double three_places(double x)
{
	if (!(x > -1e12 && x < 1e12)) return x;
	double thousands = x * 1000 + (x < 0 ? -0.5 : 0.5);
	return (double)(int64_t)thousands / 1000;
}

int64_t calc_mem_fraction(const struct facts *k)
{
	double mem = (double)V(platform_gpu_mem_mib), graphs = memory_of_graphs(k);
	bool decodes = V(disaggregation_mode) != word(k, "prefill") && V(cuda_graph_decode_backend) != word(k, "disabled");
	if (graphs < 0 || mem <= 0) return UNKNOWN;
	double kept = memory_of_activations(k) + (double)V(tp_size) * (double)V(pp_size) / 8 * 1024 + graphs;
	if (V(platform_gpu_mem_mib) > 60 * GIB) kept = real_max(kept, 10 * 1024);
	if (decodes && V(view_moe_a2a_backend) == word(k, "deepep")) kept += 2048; /* buffers of its all-to-all, above the floor */
	return real_cell(three_places((mem - kept) / mem));
}

int64_t calc_mem_fraction_beside_vision(const struct facts *k)
{
	double layers = IS_NONE(model_vision_num_hidden_layers) ? 24 : (double)V(model_vision_num_hidden_layers);
	double width = IS_NONE(model_vision_hidden_size) ? 1024 : (double)V(model_vision_hidden_size);
	double factor = 1.0 - 0.1 * (layers * (width * width) / (24.0 * 1024 * 1024) - 1.0);
	factor = factor > 1.05 ? 1.05 : factor < 0.8 ? 0.8 : factor;
	return real_cell(REAL(mem_fraction_static) * (0.95 * factor));
}
