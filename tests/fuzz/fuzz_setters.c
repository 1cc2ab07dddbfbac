/*
 * Any bytes as a sequence of calls: every setter by key with odd values, all that changes a handle, and every getter with odd keys and indexes.
 * The memory comes from an allocator that checks the sizes it is told, and that fails when the input says so; the JSON reader may be one that
 * answers anything.
 */
#include <math.h>
#include "fuzz.h"

/* ---- the input ---- */

struct input {
	const uint8_t *at, *end;
};

static unsigned byte_of(struct input *in) { return in->at < in->end ? *in->at++ : 0; }
static unsigned pair_of(struct input *in)
{
	unsigned high = byte_of(in);
	return high << 8 | byte_of(in);
}
static uint64_t eight_of(struct input *in)
{
	uint64_t x = 0;
	for (int i = 0; i < 8; i++) x = x << 8 | byte_of(in);
	return x;
}

/* ---- memory ---- */

struct memory {
	size_t live;
	unsigned fail_in; /* the allocation that fails, 0 for none */
};
union head { /* before each block */
	size_t size;
	max_align_t aligned;
};

static void *allocate(void *ctx, void *old, size_t old_size, size_t new_size)
{
	struct memory *m = ctx;
	union head *h = old ? (union head *)old - 1 : NULL;
	require(h ? h->size == old_size : !old_size);
	if (new_size && m->fail_in && !--m->fail_in) return NULL;
	m->live += new_size - old_size;
	if (!new_size) {
		free(h);
		return NULL;
	}
	h = realloc(h, sizeof *h + new_size);
	require(h != NULL);
	h->size = new_size;
	return h + 1;
}

/* ---- a reader that knows no shame: the answer follows from the path and a number ---- */

static int32_t odd_reader(void *ctx, const char *text, const char *path, char *out, size_t size)
{
	static const char *const texts[] = { "", "0", "-1", "7", "99999999999999999999", "1e999", "x", "decode", "mlx5_0", "00", "\xff", "9223372036854775807" };
	unsigned *turn = ctx, h = ++*turn * 2654435761u;
	require(text && path && out && size > 1 && strlen(path) < 256);
	for (const char *p = path; *p; p++) h = (h ^ (unsigned char)*p) * 16777619u;
	if (h % 11 == 0) memset(out, 'a', size); /* not even ended */
	else snprintf(out, size, "%s", texts[h / 16 % (sizeof texts / sizeof *texts)]);
	return (int32_t)(h / 512 % 20) - 6;
}

/* ---- odd values ---- */

struct world {
	pdcfg_t *cfg, *other;
	struct memory mem;
	unsigned turn;
	const struct numbers *keys, *codes;
	char *texts[32]; /* of this step */
	size_t text_count;
};

static uint32_t key_of(struct world *w, struct input *in)
{
	unsigned n = pair_of(in);
	return n < 0xff00 ? w->keys->v[n % w->keys->count] : (uint32_t)eight_of(in);
}

static int64_t whole_of(struct input *in)
{
	static const int64_t odd[] = { 0, 1, -1, 2, INT64_MIN, INT64_MIN + 1, INT64_MIN + 2, INT64_MAX, INT32_MAX, INT32_MIN, UINT32_MAX, 1 << 20, 65535, 65536 };
	unsigned n = byte_of(in);
	return n < sizeof odd / sizeof *odd ? odd[n] : n < 128 ? (int64_t)(n - 64) : (int64_t)eight_of(in);
}

static double real_of(struct input *in)
{
	const double odd[] = { 0.0, -0.0, 1.0, 0.5, INFINITY, -INFINITY, (double)NAN, 5e-324, 1.7976931348623157e308, -1.7976931348623157e308 };
	unsigned n = byte_of(in);
	uint64_t bits;
	double d;
	if (n < sizeof odd / sizeof *odd) return odd[n];
	bits = eight_of(in);
	memcpy(&d, &bits, sizeof d);
	return d;
}

/* the text stands in the input, or is one of those that some rule asks about */
static const char *string_of(struct world *w, struct input *in)
{
	static const char *const odd[] = { "", "None", "true", "8", "0.5", "\xff\xfe", "a\nb\033[0m", "{\"decode\": {\"bs\": [1, \"x\"]}}", "[1, 2]", "{\"0\": \"mlx5_0\"}", "mlx5_0,mlx5_1",
		"prefill", "decode", "EAGLE", "fp8", "mooncake", "DeepseekV3ForCausalLM", "gdn", "{\"image\": 1}", "nan", "{", "auto", "triton", "--tp", "-", "--" };
	unsigned n = byte_of(in);
	if (n == 255) return NULL;
	if (n < sizeof odd / sizeof *odd) return odd[n];
	if (n < 64) {
		uint32_t key = key_of(w, in);
		return pdcfg_key_choice(key, byte_of(in) % (pdcfg_key_choices(key) + 1));
	}
	size_t len = n % 32;
	if (len > (size_t)(in->end - in->at)) len = (size_t)(in->end - in->at);
	char *text = w->texts[w->text_count++] = text_of(in->at, len);
	in->at += len;
	return text;
}

static size_t index_of(struct input *in)
{
	unsigned n = byte_of(in);
	return n < 250 ? n : SIZE_MAX - (n - 250);
}

/* ---- what a handle holds, so that a failed call can be seen to change nothing ---- */

static uint64_t mix(uint64_t sum, uint64_t x) { return (sum ^ x) * UINT64_C(1099511628211); }

static uint64_t digest(const struct world *w)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < w->keys->count; i++) {
		int64_t v = -7;
		const char *s = pdcfg_get_text(w->cfg, w->keys->v[i]);
		pdcfg_get_i64(w->cfg, w->keys->v[i], &v);
		sum = mix(mix(sum, (uint64_t)v), (uint64_t)pdcfg_is_set(w->cfg, w->keys->v[i]));
		for (size_t n = 0; n < 64 && s[n]; n++) sum = mix(sum, (unsigned char)s[n]);
	}
	return mix(sum, (uint64_t)pdcfg_validate(w->cfg, NULL));
}

/* ---- calls ---- */

static int32_t set_list(struct world *w, struct input *in, uint32_t key)
{
	const char *items[8];
	size_t n = byte_of(in) % 8;
	for (size_t i = 0; i < n; i++) items[i] = string_of(w, in);
	return pdcfg_set_list(w->cfg, key, n == 7 ? NULL : items, n == 7 ? index_of(in) : n);
}

static int32_t parse(struct world *w, struct input *in)
{
	const char *argv[8], *envp[8];
	int32_t n = (int32_t)(byte_of(in) % 8);
	bool environment = byte_of(in) & 1;
	for (int32_t i = 0; i < n; i++) {
		const char *s = string_of(w, in);
		if (!environment) argv[i] = s;
		envp[i] = s ? s : "A=1";
	}
	envp[n] = NULL;
	return environment ? pdcfg_parse_environ(w->cfg, envp) : pdcfg_parse_argv(w->cfg, n, argv);
}

static int32_t parse_merged(struct world *w, struct input *in)
{
	const char *argv[4];
	int32_t indexes[4], n = (int32_t)(byte_of(in) % 5);
	uint32_t lines[4], columns[4];
	for (int32_t i = 0; i < n; i++) {
		argv[i] = string_of(w, in);
		indexes[i] = (int32_t)whole_of(in);
		lines[i] = columns[i] = (uint32_t)whole_of(in);
	}
	return pdcfg_parse_merged(w->cfg, n, argv, indexes, string_of(w, in), lines, columns);
}

static int32_t replace(struct world *w)
{
	pdcfg_t *copy = NULL;
	int32_t status = pdcfg_clone(w->cfg, &copy);
	require((status == 0) == (copy != NULL));
	if (status < 0) return status;
	status = pdcfg_set_tp_size(copy, 2);
	require(pdcfg_replace(w->cfg, w->cfg) == PDCFG_E_INVALID && pdcfg_replace(w->cfg, w->other) == (w->other ? 0 : PDCFG_E_INVALID));
	w->other = copy; /* the other one has gone into ours */
	return status;
}

static int32_t lend_reader(struct world *w, unsigned which)
{
	if (which == 0) return pdcfg_set_json_reader(w->cfg, NULL, NULL);
	return pdcfg_set_json_reader(w->cfg, which == 1 ? pdcfg_files_json_reader : odd_reader, &w->turn);
}

static int32_t call(struct world *w, struct input *in, unsigned op)
{
	uint32_t key;
	const char *s;
	switch (op) {
	case 0: key = key_of(w, in); return pdcfg_set_i64(w->cfg, key, whole_of(in));
	case 1: key = key_of(w, in); return pdcfg_set_f64(w->cfg, key, real_of(in));
	case 2: key = key_of(w, in); return pdcfg_set_text(w->cfg, key, string_of(w, in));
	case 3: return set_list(w, in, key_of(w, in));
	case 4: return pdcfg_set_none(w->cfg, key_of(w, in));
	case 5: key = key_of(w, in); return pdcfg_set_unknown(w->cfg, key, string_of(w, in));
	case 6: return pdcfg_unset(w->cfg, key_of(w, in));
	case 7: s = string_of(w, in); return pdcfg_set_arg(w->cfg, s, string_of(w, in));
	case 8: key = key_of(w, in); s = pdcfg_key_option(key); return pdcfg_set_arg(w->cfg, *s ? s : pdcfg_key_name(key), string_of(w, in));
	case 9:
		key = key_of(w, in);
		s = string_of(w, in);
		return pdcfg_set_origin(w->cfg, key, byte_of(in) % 12, s, (uint32_t)whole_of(in), (uint32_t)whole_of(in));
	case 10: return parse(w, in);
	case 11: return parse_merged(w, in);
	case 12: return pdcfg_set_pd_required(w->cfg, (int32_t)whole_of(in));
	case 13:
		key = w->codes->v[pair_of(in) % w->codes->count];
		s = string_of(w, in);
		return pdcfg_add_parse_finding(w->cfg, key, (int32_t)whole_of(in), s, string_of(w, in));
	case 14: return pdcfg_use_platform(w->cfg, string_of(w, in));
	case 15: return lend_reader(w, byte_of(in) % 3);
	case 16: return replace(w);
	default: return pdcfg_reset(w->cfg);
	}
}

enum { OPS = 18 };

/* ---- looking ---- */

static void look_at_report(struct world *w, struct input *in)
{
	pdcfg_report *rep = NULL;
	int32_t verdict = pdcfg_validate(w->cfg, &rep);
	require((verdict >= 0) == (rep != NULL) && (verdict >= 0 || verdict == PDCFG_E_NOMEM));
	size_t i = index_of(in), n = index_of(in), k = index_of(in);
	uint32_t key = key_of(w, in);
	require(pdcfg_finding_message(rep, i) && pdcfg_finding_summary(rep, i) && pdcfg_finding_why(rep, i) && pdcfg_finding_exception(rep, i));
	require(pdcfg_finding_upstream(rep, i) && pdcfg_finding_rule(rep, i) && pdcfg_subject_value(rep, i, n) && pdcfg_subject_origin_text(rep, i, n));
	require(pdcfg_edit_value(rep, i, n, k) && pdcfg_finding_parse_option(rep, i) && pdcfg_finding_parse_token(rep, i) && pdcfg_finding_parse_nearest(rep, i));
	require(pdcfg_resolved_text(rep, key) && pdcfg_overridden_text(rep, key));
	require(pdcfg_edit_op(rep, i, n, k) <= PDCFG_EDIT_UNSET && pdcfg_finding_severity(rep, i) <= PDCFG_WARNING && pdcfg_finding_phase(rep, i) <= PDCFG_PHASE_SERVE);
	pdcfg_edit_key(rep, i, n, k);
	pdcfg_subject_key(rep, i, n);
	pdcfg_subject_origin(rep, i, n);
	pdcfg_subject_index(rep, i, n);
	pdcfg_subject_line(rep, i, n);
	pdcfg_subject_column(rep, i, n);
	pdcfg_subject_origin_code(rep, i, n);
	pdcfg_finding_caused_by(rep, i);
	pdcfg_finding_parse_class(rep, i);
	pdcfg_finding_parse_index(rep, i);
	pdcfg_unevaluated_code(rep, i);
	pdcfg_unevaluated_needs(rep, i);
	pdcfg_unevaluated_need(rep, i, n);
	pdcfg_resolved_origin(rep, key);
	pdcfg_resolved_by(rep, key);
	pdcfg_report_free(rep);
}

static void look_things_up(struct world *w, struct input *in)
{
	uint32_t key = key_of(w, in), code = byte_of(in) & 1 ? (uint32_t)eight_of(in) : w->codes->v[pair_of(in) % w->codes->count], which = byte_of(in);
	size_t n = index_of(in);
	const char *s = string_of(w, in);
	require(pdcfg_key_name(key) && pdcfg_key_default(key) && pdcfg_key_option(key) && pdcfg_key_choice(key, n) && pdcfg_get_text(w->cfg, key));
	require(pdcfg_rule_text(code, which) && pdcfg_nearest_name(s) && pdcfg_platform_next(s) && pdcfg_files_known_model_next(s));
	require(pdcfg_phase_name(which) && pdcfg_severity_name(which) && pdcfg_confidence_name(which) && pdcfg_origin_name(which) && pdcfg_parse_class_name(which));
	require(pdcfg_strerror((int32_t)(which - 128)));
	pdcfg_key_by_name(s);
	pdcfg_key_next((uint32_t)eight_of(in));
	pdcfg_code_next(code);
	pdcfg_code_by_rule(s);
	pdcfg_key_type(key);
	pdcfg_key_kind(key);
	pdcfg_key_is_secret(key);
	pdcfg_rule_severity(code);
	pdcfg_rule_phase(code);
	pdcfg_rule_confidence(code);
	pdcfg_rule_read(code, n);
	pdcfg_rule_reads(code);
}

static void step(struct world *w, struct input *in)
{
	unsigned op = byte_of(in);
	if (op == 255) w->mem.fail_in = 1 + byte_of(in) % 8;
	else if (op == 254) look_at_report(w, in);
	else if (op >= 250) look_things_up(w, in);
	else {
		uint64_t before = w->mem.fail_in ? digest(w) : 0;
		bool watched = w->mem.fail_in != 0;
		unsigned which = op % OPS;
		int32_t status = call(w, in, which);
		require(status >= PDCFG_E_LIMIT && status <= 1);
		if (status < 0 && watched && which != 16) require(digest(w) == before);
		w->mem.fail_in = 0;
	}
	while (w->text_count) free(w->texts[--w->text_count]);
}

static void begin(struct world *w)
{
	static struct numbers codes;
	require(pdcfg_new_with(allocate, &w->mem, &w->cfg) == 0);
	w->keys = all_keys();
	w->codes = all_numbers(&codes, pdcfg_code_next);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, data + size };
	struct world w = { 0 };
	if (size > 4096) return 0;
	begin(&w);
	while (in.at < in.end) step(&w, &in);
	w.mem.fail_in = 0;
	check_report(w.cfg);
	pdcfg_free(w.cfg);
	pdcfg_free(w.other);
	require(!w.mem.live);
	return 0;
}
