/* Helpers of steps/load.def, connect.def and serve.def: addresses, ports, parallel sizes, and a few settings of storage backends. */
#include "derive.h"

static bool all_ascii(const char *s)
{
	while (*s && is_ascii(*s)) s++;
	return !*s;
}

static bool python_int(const char *s, int64_t *out) { return pdcfg_read_int(s, strlen(s), out); }

static bool older(const char *version, int64_t than) { return is_digit(*version) && version_of(version, 3) < than; }

bool help_torch_older_than_2_7(const struct facts *k) { return older(STR(platform_torch_version), 2007000); }
bool help_torch_older_than_2_8(const struct facts *k) { return older(STR(platform_torch_version), 2008000); }
bool help_mooncake_older_than_0_3_11(const struct facts *k) { return older(STR(platform_mooncake_version), 3011); }

/* ---- the address of the process group ---- */

enum addr { ADDR_OK, ADDR_BRACKET, ADDR_IPV6, ADDR_IPV6_PORT, ADDR_NO_PORT, ADDR_NO_HOST, ADDR_BARE, ADDR_PORT, ADDR_RANGE };

static enum addr port_of(const char *s, int64_t *port)
{
	if (!python_int(s, port)) return ADDR_PORT;
	return *port < 0 || *port > 65535 ? ADDR_RANGE : ADDR_OK;
}

/* What is wrong with host:port or [address]:port. Texts outside ASCII pass: Python may read digits in them. */
static enum addr address(const char *s, int64_t *port)
{
	const char *colon = strrchr(s, ':'), *close;
	size_t host;

	*port = 0;
	if (!all_ascii(s)) return ADDR_OK;
	if (*s == '[') {
		close = strchr(s, ']');
		if (!close) return ADDR_BRACKET;
		if (!is_ipv6(s + 1, (size_t)(close - s - 1))) return ADDR_IPV6;
		if (close[1] != ':' || !close[2]) return ADDR_IPV6_PORT;
		return port_of(close + 2, port);
	}
	if (!colon) return ADDR_NO_PORT;
	host = (size_t)(colon - s);
	if (!host) return ADDR_NO_HOST;
	if (memchr(s, ':', host) && is_ipv6(s, host)) return ADDR_BARE;
	return port_of(colon + 1, port);
}

static bool addr_is(const struct facts *k, enum addr what)
{
	int64_t port;
	return address(STR(dist_init_addr), &port) == what;
}

bool help_dist_addr_bracket(const struct facts *k) { return addr_is(k, ADDR_BRACKET); }
bool help_dist_addr_ipv6_invalid(const struct facts *k) { return addr_is(k, ADDR_IPV6); }
bool help_dist_addr_ipv6_port(const struct facts *k) { return addr_is(k, ADDR_IPV6_PORT); }
bool help_dist_addr_no_port(const struct facts *k) { return addr_is(k, ADDR_NO_PORT); }
bool help_dist_addr_no_host(const struct facts *k) { return addr_is(k, ADDR_NO_HOST); }
bool help_dist_addr_bare_ipv6(const struct facts *k) { return addr_is(k, ADDR_BARE); }
bool help_dist_addr_port_number(const struct facts *k) { return addr_is(k, ADDR_PORT); }
bool help_dist_addr_port_range(const struct facts *k) { return addr_is(k, ADDR_RANGE); }

/* ---- ports under DP attention ---- */

bool help_wait_port_timeout_not_int(const struct facts *k)
{
	const char *s = STR(env_wait_port_timeout);
	int64_t v;
	return all_ascii(s) && !python_int(s, &v);
}

bool help_wait_port_timeout_not_positive(const struct facts *k)
{
	const char *s = STR(env_wait_port_timeout);
	int64_t v;
	return python_int(s, &v) && v <= 0;
}

static bool is_port(int64_t p) { return p >= 0 && p <= 65535; }

/* The port of the process group, the five or six behind it (before it where they would not fit), and NCCL's. */
bool help_checked_port_out_of_range(const struct facts *k)
{
	int64_t group, base, derived = V(env_rust_server) ? add_(6, V(dp_size)) : 6;

	if (!IS_NONE(ep_join_mode)) return false;
	if (V(nnodes) == 1 && IS_NONE(dist_init_addr)) {
		group = add_(V(port), 233);
		if (group > 65535) group = add_(V(port), -233);
	} else if (address(STR(dist_init_addr), &group) != ADDR_OK || !all_ascii(STR(dist_init_addr))) {
		return false; /* refused for that */
	}
	base = add_(group, derived) > 65535 ? add_(add_(group, mul_(derived, -1)), -1) : add_(group, 1);
	bool external = STR(env_distributed_init_method_override)[0]; /* another's process group: its ports are not looked at */
	return (!external && (!is_port(group) || (!IS_NONE(nccl_port) && !is_port(V(nccl_port))))) || !is_port(base) || !is_port(add_(base, 4)) ||
	       (V(nnodes) > 1 && !is_port(add_(base, 5)));
}

/* ---- parallel sizes ---- */

/* how many ranks share one attention layer; 0 where the sizes do not divide, which is refused elsewhere */
static int64_t attention_tp(const struct facts *k)
{
	int64_t cp = V(attn_cp_size), dp = V(enable_dp_attention) ? V(dp_size) : 1, groups;

	if (V(tp_size) < 1 || cp < 1 || dp < 1) return 0;
	groups = mul_(cp, dp);
	return mod_(V(tp_size), groups) ? 0 : floordiv_(V(tp_size), groups);
}

static bool splits(int64_t whole, int64_t parts) { return parts < 1 || mod_(whole, parts) == 0; }

bool help_attention_heads_not_divisible(const struct facts *k)
{
	return V(model_num_attention_heads) > 0 && !splits(V(model_num_attention_heads), attention_tp(k));
}

bool help_mamba_heads_not_divisible(const struct facts *k)
{
	return V(model_mamba_num_heads) > 0 && !splits(V(model_mamba_num_heads), attention_tp(k));
}

bool help_attention_tp_above_one(const struct facts *k) { return attention_tp(k) > 1; }

bool help_dcp_not_dividing_tp(const struct facts *k) { return V(tp_size) > 0 && !splits(V(tp_size), V(dcp_size)); }

bool help_groups_cannot_be_formed(const struct facts *k)
{
	int64_t tp = attention_tp(k);

	return V(pp_size) < 1 || tp < 1 || (V(dcp_size) > 1 && mod_(tp, V(dcp_size)) != 0);
}

bool help_moe_tp_not_divisible(const struct facts *k) { return !splits(V(tp_size), V(ep_size)); }

static int64_t moe_tp(const struct facts *k)
{
	if (V(ep_size) < 1 || V(moe_dp_size) < 1 || !splits(V(tp_size), V(ep_size))) return 0;
	return floordiv_(floordiv_(V(tp_size), V(ep_size)), V(moe_dp_size));
}

bool help_moe_width_not_divisible(const struct facts *k)
{
	return !IS_NONE(model_moe_intermediate_size) && !splits(V(model_moe_intermediate_size), moe_tp(k));
}

bool help_moe_shard_not_whole_blocks(const struct facts *k)
{
	int64_t tp = moe_tp(k), block = pdcfg_list_number(k, V(model_weight_block_size), 0);

	if (IS_NONE(model_moe_intermediate_size) || tp < 1 || block == NONE) return false;
	if (!splits(V(model_moe_intermediate_size), tp)) return false; /* refused for that */
	return !splits(floordiv_(V(model_moe_intermediate_size), tp), block);
}

bool help_mamba_cache_below_requests(const struct facts *k)
{
	int64_t dp = V(enable_dp_attention) && V(dp_size) > 0 ? V(dp_size) : 1;
	int64_t slots = add_(floordiv_(V(max_running_requests), dp), IS_NONE(disaggregation_decode_extra_slots) ? 0 : V(disaggregation_decode_extra_slots));

	return floordiv_(V(max_mamba_cache_size), dp) < slots;
}

bool help_draft_tokens_not_steps_plus_one(const struct facts *k)
{
	return !IS_NONE(speculative_num_draft_tokens) && !IS_NONE(speculative_num_steps) && V(speculative_num_draft_tokens) != add_(V(speculative_num_steps), 1);
}

/* ---- sizes of the model ---- */

static bool not_multiple(int64_t cell, int64_t of) { return cell != NONE && mod_(cell, of) != 0; }

bool help_kv_lora_rank_not_whole_blocks(const struct facts *k) { return not_multiple(V(model_kv_lora_rank), 128); }
bool help_head_dim_not_whole_blocks(const struct facts *k) { return not_multiple(V(model_head_dim), 32); }
bool help_v_head_dim_not_whole_blocks(const struct facts *k) { return not_multiple(V(model_v_head_dim), 32); }

/* ---- NIXL ---- */

bool help_nixl_plugin_missing(const struct facts *k)
{
	return !pdcfg_list_has(k, V(platform_nixl_plugins), STR(env_disaggregation_nixl_backend));
}

bool help_default_pool_below_queues(const struct facts *k)
{
	int64_t pool = floordiv_(floordiv_(V(platform_cpu_cores), 2), 8);

	pool = pool < 4 ? 4 : pool > 12 ? 12 : pool;
	return pool < V(env_disaggregation_queue_size);
}

bool help_chunk_not_whole_pages(const struct facts *k)
{
	int64_t chunk = V(chunked_prefill_size);

	if (IS_NONE(page_size) || V(page_size) < 1) return false;
	if (IS_NONE(chunked_prefill_size) || !chunk) chunk = 8192;
	return chunk < 0 || mod_(chunk, V(page_size)) != 0;
}

/* ---- InfiniBand devices of each GPU ---- */

static bool names_gpu(const struct facts *k, int64_t gpus, int64_t gpu)
{
	for (const char *item = NULL; pdcfg_list_next(k, gpus, &item);)
		if (pdcfg_number_of_item(item) == gpu) return true;
	return false;
}

/* Only the GPUs of the first replica, which is there with every way of data parallelism. */
bool help_ib_mapping_lacks_a_gpu(const struct facts *k)
{
	int64_t gpus = *STR(disaggregation_ib_device) ? V(disaggregation_ib_device_gpus) : V(mooncake_ib_device_gpus);
	int64_t ranks = mul_(V(tp_size), V(pp_size)), n;

	if (gpus == NONE) return false; /* no mapping */
	if (V(nnodes) < 1 || V(pp_size) != 1) ranks = 1;
	n = V(nnodes) > 1 ? floordiv_(ranks, V(nnodes)) : ranks;
	for (int64_t i = 0; i < n && i < 1024; i++)
		if (!names_gpu(k, gpus, add_(V(base_gpu_id), mul_(i, V(gpu_id_step))))) return true;
	return false;
}

/* ---- the extra configuration of the storage backends ---- */

#define EXTRA STR(hicache_storage_backend_extra_config)

bool help_extra_config_bad_extension(const struct facts *k)
{
	static const char *const known[] = { ".json", ".toml", ".yaml", ".yml" };
	const char *name = strrchr(EXTRA, '/'), *dot;

	if (*EXTRA != '@') return false;
	name = name ? name + 1 : EXTRA + 1;
	dot = strrchr(name, '.');
	if (!dot || dot == name) return true;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (same_lower(dot, known[i])) return false;
	return true;
}

bool help_extra_config_is_file(const struct facts *k) { return *EXTRA == '@'; }

static int64_t storage_tp(const struct facts *k) { return V(enable_dp_attention) ? attention_tp(k) : V(tp_size); }

bool help_extra_tp_lcm_not_multiple(const struct facts *k)
{
	int64_t lcm = V(hicache_extra_tp_lcm_size), tp = storage_tp(k);

	return lcm != NONE && lcm != 0 && tp > 0 && mod_(lcm, tp) != 0;
}

bool help_extra_tp_lcm_above_tp(const struct facts *k)
{
	return !IS_NONE(hicache_extra_tp_lcm_size) && storage_tp(k) > 0 && V(hicache_extra_tp_lcm_size) > storage_tp(k);
}

bool help_nixl_watermarks_inverted(const struct facts *k)
{
	double low = IS_NONE(hicache_extra_l3_cleaner_low_watermark) ? 70 : REAL(hicache_extra_l3_cleaner_low_watermark);
	double high = IS_NONE(hicache_extra_l3_cleaner_high_watermark) ? 80 : REAL(hicache_extra_l3_cleaner_high_watermark);

	return low >= high;
}

/* What does not even begin with a number; the units are left to Python. */
bool help_file_storage_size_invalid(const struct facts *k)
{
	const char *text = STR(env_hicache_file_backend_max_size);
	struct span t = stripped(text, strlen(text));
	return t.n && !is_digit(*t.s) && !strchr(".+-", *t.s);
}

/* does a text equal one of the words, case and the blanks around it aside? */
static bool among(const char *s, const char *const *words)
{
	struct span t = stripped(s, strlen(s));
	for (; *words; words++)
		if (t.n == strlen(*words) && starts_lower(t.s, *words)) return true;
	return false;
}

bool help_umbp_ssd_io_unknown(const struct facts *k)
{
	static const char *const known[] = { "posix", "io_uring", NULL };
	return !IS_NONE(hicache_extra_ssd_io_backend) && !among(STR(hicache_extra_ssd_io_backend), known);
}

bool help_umbp_ssd_durability_unknown(const struct facts *k)
{
	static const char *const known[] = { "strict", "sync", "relaxed", "async", NULL };
	return !IS_NONE(hicache_extra_ssd_durability_mode) && !among(STR(hicache_extra_ssd_durability_mode), known);
}

bool help_umbp_ssd_backend_unknown(const struct facts *k)
{
	static const char *const known[] = { "file", "spdk", "spdk_proxy", NULL };
	return !IS_NONE(hicache_extra_ssd_backend) && !among(STR(hicache_extra_ssd_backend), known);
}

/* ---- Mooncake's store ---- */

/* a number of bytes, or of gigabytes with gb behind it */
bool help_segment_size_invalid(const struct facts *k)
{
	const char *s = STR(env_mooncake_global_segment_size);
	struct span t = stripped(s, strlen(s));
	int64_t v;

	if (IS_NONE(env_mooncake_global_segment_size) || !all_ascii(s)) return false;
	if (t.n >= 2 && starts_lower(t.s + t.n - 2, "gb")) t.n -= 2;
	return !pdcfg_read_int(t.s, t.n, &v);
}

bool help_mooncake_device_in_braces(const struct facts *k)
{
	struct span t = stripped(STR(env_mooncake_device), strlen(STR(env_mooncake_device)));
	return t.n && *t.s == '{';
}

/* comparing all paths with all takes too long in a longer text, which passes */
enum { PATHS_MAX = 32768 };

/* Two paths that are the same as text; links are not followed. */
bool help_nixl_storage_dir_twice(const struct facts *k)
{
	const char *text = STR(env_hicache_nixl_backend_storage_dir);

	if (strlen(text) > PATHS_MAX) return false;
	for (const char *a = text; *a; a += strcspn(a, ",") + (a[strcspn(a, ",")] == ',')) {
		struct span p = stripped(a, strcspn(a, ","));
		for (const char *b = text; b < a && p.n; b += strcspn(b, ",") + 1) {
			struct span q = stripped(b, strcspn(b, ","));
			if (p.n == q.n && !memcmp(p.s, q.s, p.n)) return true;
		}
	}
	return false;
}

/* ---- HiSparse and KV events ---- */

bool help_hisparse_buffer_below_topk(const struct facts *k)
{
	int64_t top = IS_NONE(hisparse_config_top_k) ? 2048 : V(hisparse_config_top_k);

	return !IS_NONE(hisparse_config_device_buffer_size) && V(hisparse_config_device_buffer_size) < top;
}

bool help_kv_events_endpoint_bad(const struct facts *k)
{
	const char *s = STR(kv_events_config_endpoint);

	return *s && !strstr(s, "tcp") && !strstr(s, "inproc");
}

/* ---- encoders ---- */

static bool a_url_begins(const struct facts *k, const char *with)
{
	for (const char *item = NULL; pdcfg_list_next(k, V(encoder_urls), &item);)
		if (!strncmp(item, with, strlen(with))) return true;
	return false;
}

bool help_encoder_url_is_http(const struct facts *k) { return a_url_begins(k, "http://"); }
bool help_encoder_url_is_grpc(const struct facts *k) { return a_url_begins(k, "grpc://"); }
bool help_encoder_url_is_grpcs(const struct facts *k) { return a_url_begins(k, "grpcs://"); }

bool help_offload_stride_rounded(const struct facts *k)
{
	if (IS_NONE(page_size) || V(page_size) < 1) return false;
	return V(env_hicache_decode_offload_stride) <= 0 || mod_(V(env_hicache_decode_offload_stride), V(page_size)) != 0;
}

bool help_dist_addr_not_loopback(const struct facts *k)
{
	const char *s = STR(dist_init_addr);
	return strncmp(s, "127.", 4) && strncmp(s, "localhost:", 10) && strncmp(s, "[::1]", 5);
}
