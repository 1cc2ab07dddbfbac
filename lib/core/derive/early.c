/*
 * Helpers of the first thirty steps: front end, PD, layout, CUDA graphs and what the memory of a GPU decides.
 *
 * Settings that are JSON are kept as text and read here, by walking over the text. Python's json is followed where it differs from the
 * standard: NaN, Infinity and -Infinity are numbers, and of two members with the same name the last one counts.
 */
#include "derive.h"

/* ---- JSON ---- */

enum { JSON_DEPTH = 512 }; /* Python gives up on deeper texts too, in its own way; they are taken as "cannot tell" */

static const char *json_space(const char *s)
{
	while (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r') s++;
	return s;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static int hex_digit(char c)
{
	if (is_digit(c)) return c - '0';
	if (c >= 'a' && c <= 'f') return c - 'a' + 10;
	if (c >= 'A' && c <= 'F') return c - 'A' + 10;
	return -1;
}

/* behind the string that begins at s, NULL if it is none */
static const char *json_string(const char *s)
{
	if (*s++ != '"') return NULL;
	for (; *s != '"'; s++) {
		if ((unsigned char)*s < 0x20) return NULL; /* also the end of the text */
		if (*s != '\\') continue;
		s++;
		if (*s == 'u') {
			for (int i = 0; i < 4; i++)
				if (hex_digit(*++s) < 0) return NULL;
		} else if (!*s || !strchr("\"\\/bfnrt", *s)) {
			return NULL;
		}
	}
	return s + 1;
}

static const char *json_digits(const char *s)
{
	if (!is_digit(*s)) return NULL;
	while (is_digit(*s)) s++;
	return s;
}

/* behind the number; *whole is cleared if it has a fraction or an exponent */
static const char *json_number(const char *s, bool *whole)
{
	const char *t;
	*whole = true;
	if (*s == '-') s++;
	s = *s == '0' ? s + 1 : json_digits(s);
	if (!s) return NULL;
	if (*s == '.' && (t = json_digits(s + 1))) {
		*whole = false;
		s = t;
	}
	if (*s == 'e' || *s == 'E') {
		t = json_digits(s + 1 + (s[1] == '+' || s[1] == '-'));
		if (t) {
			*whole = false;
			s = t;
		}
	}
	return s;
}

/* behind a string, number or name */
static const char *json_scalar(const char *s)
{
	static const char *const names[] = { "true", "false", "null", "NaN", "Infinity", "-Infinity" };
	bool whole;
	if (*s == '"') return json_string(s);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strncmp(s, names[i], strlen(names[i]))) return s + strlen(names[i]);
	return json_number(s, &whole);
}

/* behind the name of a member and its colon */
static const char *json_name(const char *s)
{
	s = json_string(s);
	if (!s) return NULL;
	s = json_space(s);
	return *s == ':' ? json_space(s + 1) : NULL;
}

enum json { JSON_GOOD, JSON_BAD, JSON_DEEP };

/* Walk over the value at s, without recursion: the texts come from anywhere. *end is behind it. */
static enum json json_value(const char *s, const char **end)
{
	char open[JSON_DEPTH];
	size_t depth = 0;
	for (;;) {
		if (*s == '[' || *s == '{') { /* go in, unless it is empty */
			if (depth == JSON_DEPTH) return JSON_DEEP;
			char close = *s == '[' ? ']' : '}';
			open[depth++] = close;
			s = json_space(s + 1);
			if (*s != close) {
				if (close == '}' && !(s = json_name(s))) return JSON_BAD;
				continue;
			}
		} else if (!(s = json_scalar(s))) {
			return JSON_BAD;
		} else if (!depth) {
			break;
		} else {
			s = json_space(s);
		}
		while (depth && *s == open[depth - 1]) { /* and out again */
			depth--;
			s++;
			if (depth) s = json_space(s);
		}
		if (!depth) break;
		if (*s != ',') return JSON_BAD;
		s = json_space(s + 1);
		if (open[depth - 1] == '}' && !(s = json_name(s))) return JSON_BAD;
	}
	*end = s;
	return JSON_GOOD;
}

static enum json json_text(const char *s)
{
	const char *end;
	enum json status = json_value(json_space(s), &end);
	return status != JSON_GOOD ? status : *json_space(end) ? JSON_BAD : JSON_GOOD;
}

static const char *json_skip(const char *s)
{
	const char *end;
	return json_value(s, &end) == JSON_GOOD ? end : NULL;
}

/* is the string at s this ASCII text? */
static bool json_equals(const char *s, const char *text)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	if (*s++ != '"') return false;
	for (; *s && *s != '"'; s++) {
		int c = (unsigned char)*s;
		if (c == '\\' && s[1] == 'u') {
			c = 0;
			for (int i = 0; i < 4; i++) {
				int h = hex_digit(s[2 + i]);
				if (h < 0) return false;
				c = c * 16 + h;
			}
			s += 5;
		} else if (c == '\\') {
			const char *at = s[1] ? strchr(from, s[1]) : NULL;
			if (!at) return false;
			c = to[at - from];
			s++;
		}
		if (!*text || (unsigned char)*text++ != c) return false;
	}
	return *s == '"' && !*text;
}

/* the first element of the array at s, NULL if it is none or empty; and the one after */
static const char *json_first(const char *s)
{
	if (*s != '[') return NULL;
	s = json_space(s + 1);
	return *s == ']' ? NULL : s;
}

static const char *json_next(const char *element)
{
	const char *s = json_skip(element);
	if (!s) return NULL;
	s = json_space(s);
	return *s == ',' ? json_space(s + 1) : NULL;
}

/* the value of a member of the object at s, NULL if there is none */
static const char *json_member(const char *s, const char *name)
{
	const char *found = NULL;
	if (!s || *s != '{') return NULL;
	for (s = json_space(s + 1); *s == '"';) {
		const char *value = json_name(s);
		if (!value) return NULL;
		if (json_equals(s, name)) found = value;
		s = json_skip(value);
		if (!s) return NULL;
		s = json_space(s);
		if (*s == ',') s = json_space(s + 1);
	}
	return found;
}

static bool json_is_null(const char *s) { return !strncmp(s, "null", 4); }
static bool json_is_bool(const char *s) { return *s == 't' || *s == 'f'; }

/* a whole number; a bool is one in Python */
static bool json_int(const char *s, int64_t *out)
{
	bool whole;
	const char *end;
	if (json_is_bool(s)) {
		*out = *s == 't';
		return true;
	}
	end = *s == '-' && s[1] == 'I' ? NULL : json_number(s, &whole);
	return end && whole && pdcfg_read_int(s, (size_t)(end - s), out);
}

/* ---- media domains (step 3) ---- */

/* length of the blank at s, as Python's str.strip() sees it; 0 if there is none */
static size_t blank_at(const char *s)
{
	static const char *const wide[] = {
		"\xc2\x85", "\xc2\xa0", "\xe1\x9a\x80", "\xe2\x80\x80", "\xe2\x80\x81", "\xe2\x80\x82", "\xe2\x80\x83", "\xe2\x80\x84",
		"\xe2\x80\x85", "\xe2\x80\x86", "\xe2\x80\x87", "\xe2\x80\x88", "\xe2\x80\x89", "\xe2\x80\x8a", "\xe2\x80\xa8", "\xe2\x80\xa9",
		"\xe2\x80\xaf", "\xe2\x81\x9f", "\xe3\x80\x80"
	};
	if (*s == ' ' || (*s >= '\t' && *s <= '\r') || (*s >= 0x1c && *s <= 0x1f)) return 1;
	for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
		if (!strncmp(s, wide[i], strlen(wide[i]))) return strlen(wide[i]);
	return 0;
}

struct span {
	const char *s;
	size_t n;
};

static struct span stripped(const char *s)
{
	size_t n, end = 0;
	while ((n = blank_at(s)) != 0) s += n;
	for (size_t i = 0; s[i];) {
		n = blank_at(s + i);
		i += n ? n : 1;
		if (!n) end = i;
	}
	return (struct span){ s, end };
}

static bool span_has(struct span d, char c) { return d.n && memchr(d.s, c, d.n) != NULL; }

/* the groups of hexadecimal digits between colons; an IPv4 address may stand for the last two */
struct ip6 {
	size_t groups, skip_at; /* place of the empty group inside, 0 if there is none */
	bool first_empty, last_empty, good;
};

static bool is_ip4(const char *s, size_t n)
{
	size_t i = 0;
	for (int octet = 0; octet < 4; octet++) {
		size_t digits = 0;
		int value = 0;
		if (octet && (i == n || s[i++] != '.')) return false;
		while (i < n && is_digit(s[i]) && digits < 4) {
			value = value * 10 + (s[i++] - '0');
			digits++;
		}
		if (!digits || digits > 3 || value > 255 || (digits > 1 && s[i - digits] == '0')) return false;
	}
	return i == n;
}

/* one group of n digits; last tells whether an IPv4 address may stand here */
static void ip6_group(struct ip6 *a, const char *s, size_t n, bool last)
{
	if (last && n && memchr(s, '.', n)) {
		a->good = a->good && is_ip4(s, n);
		a->groups += 2;
		return;
	}
	if (!n && !last && a->groups) {
		if (a->skip_at) a->good = false;
		a->skip_at = a->groups;
	}
	if (!n && !a->groups) a->first_empty = true;
	if (!n && last) a->last_empty = true;
	if (n > 4) a->good = false;
	for (size_t i = 0; i < n; i++)
		if (hex_digit(s[i]) < 0) a->good = false;
	a->groups++;
}

/* what Python's ipaddress takes as an IPv6 address */
static bool is_ip6(struct span d)
{
	struct ip6 a = { .good = true };
	const char *zone = d.n ? memchr(d.s, '%', d.n) : NULL;
	if (zone) {
		size_t left = d.n - (size_t)(zone - d.s) - 1;
		if (!left || memchr(zone + 1, '%', left)) return false;
		d.n = (size_t)(zone - d.s);
	}
	size_t parts = 1;
	for (size_t i = 0; i < d.n; i++) parts += d.s[i] == ':';
	if (parts < 3) return false;
	for (size_t at = 0; parts; parts--) {
		const char *colon = at < d.n ? memchr(d.s + at, ':', d.n - at) : NULL;
		size_t n = colon ? (size_t)(colon - d.s) - at : d.n - at;
		ip6_group(&a, d.s + at, n, parts == 1);
		at += n + 1;
	}
	if (!a.good || a.groups > 9) return false;
	if (!a.skip_at) return a.groups == 8 && !a.first_empty && !a.last_empty;
	size_t before = a.skip_at, after = a.groups - a.skip_at - 1;
	if (a.first_empty && --before) return false;
	if (a.last_empty && --after) return false;
	return before + after < 8;
}

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
	struct span d = stripped(text);
	while (d.n && d.s[d.n - 1] == '.') d.n--;
	if (!d.n) return DOMAIN_EMPTY;
	for (size_t i = 0; i < d.n; i++)
		if (strchr("/?#@", d.s[i])) return DOMAIN_NO_HOST; /* "://" has a slash too */
	if (d.n > 1 && d.s[0] == '[' && d.s[d.n - 1] == ']') d = (struct span){ d.s + 1, d.n - 2 };
	if (span_has(d, ':')) return is_ip6(d) ? DOMAIN_GOOD : DOMAIN_PORT;
	return bad_host_name(d) ? DOMAIN_NO_IDNA : DOMAIN_GOOD;
}

/* what is wrong with the first domain with which anything is */
static enum domain first_bad_domain(const struct facts *k)
{
	size_t n = LEN(allowed_media_domains);
	enum domain bad = DOMAIN_GOOD;
	for (size_t i = 0; i < n && !bad; i++) bad = domain_of(ITEM(allowed_media_domains, i));
	return bad;
}

bool help_media_domain_empty(const struct facts *k) { return first_bad_domain(k) == DOMAIN_EMPTY; }
bool help_media_domain_no_host(const struct facts *k) { return first_bad_domain(k) == DOMAIN_NO_HOST; }
bool help_media_domain_port(const struct facts *k) { return first_bad_domain(k) == DOMAIN_PORT; }
bool help_media_domain_no_idna(const struct facts *k) { return first_bad_domain(k) == DOMAIN_NO_IDNA; }

/* ---- paths, front end and device (steps 6 to 13) ---- */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool same_lower(const char *s, const char *text)
{
	while (*text && lower(*s) == *text) {
		s++;
		text++;
	}
	return !*s && !*text;
}

static bool starts_lower(const char *s, const char *prefix)
{
	for (; *prefix; s++, prefix++)
		if (lower(*s) != *prefix) return false;
	return true;
}

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

static bool in_object_store(const char *path)
{
	return starts_lower(path, "s3://") || starts_lower(path, "gs://") || starts_lower(path, "az://");
}

bool help_path_in_object_store(const struct facts *k)
{
	return in_object_store(STR(model_path)) || in_object_store(STR(tokenizer_path)) || in_object_store(STR(speculative_draft_model_path));
}

bool help_mm_process_config_no_object(const struct facts *k)
{
	const char *s = json_space(STR(mm_process_config));
	return !IS_NONE(mm_process_config) && json_text(s) == JSON_GOOD && *s != '{' && !json_is_null(s);
}

bool help_mm_modality_no_object(const struct facts *k)
{
	static const char *const names[] = { "image", "video", "audio" };
	const char *s = json_space(STR(mm_process_config));
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = json_member(s, names[i]);
		if (value && *value != '{') return true;
	}
	return false;
}

bool help_sidecar_args_no_strings(const struct facts *k)
{
	const char *s = json_space(STR(sidecar_args));
	if (IS_NONE(sidecar_args) || json_text(s) != JSON_GOOD) return false;
	if (*s != '[') return !json_is_null(s);
	for (s = json_first(s); s; s = json_next(s))
		if (*s != '"') return true;
	return false;
}

bool help_sidecar_is_blank(const struct facts *k) { return !IS_NONE(sidecar) && !stripped(STR(sidecar)).n; }

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

bool help_model_override_no_json(const struct facts *k)
{
	return !IS_NONE(json_model_override_args) && json_text(STR(json_model_override_args)) == JSON_BAD;
}

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
		"auto-round", "auto-round-int8", "quark_int4fp8_moe", "quark_mxfp4", "modelopt", NULL
	};
	const char *method = effective_quantization(k);
	return *method && !one_of(method, runs);
}

bool help_gcn_is_gfx95(const struct facts *k) { return strstr(STR(platform_gcn_arch), "gfx95") != NULL; }

/* ---- CUDA graphs (step 21) ---- */

static const char *graph_json(const struct facts *k, const char *phase, const char *key)
{
	if (IS_NONE(cuda_graph_config)) return NULL;
	return json_member(json_member(json_space(STR(cuda_graph_config)), phase), key);
}

bool help_graph_json_sets_prefill_backend(const struct facts *k) { return graph_json(k, "prefill", "backend") != NULL; }
bool help_graph_json_sets_decode_backend(const struct facts *k) { return graph_json(k, "decode", "backend") != NULL; }
bool help_graph_json_sets_prefill_max_bs(const struct facts *k) { return graph_json(k, "prefill", "max_bs") != NULL; }
bool help_graph_json_sets_decode_max_bs(const struct facts *k) { return graph_json(k, "decode", "max_bs") != NULL; }
bool help_graph_json_sets_prefill_bs(const struct facts *k) { return graph_json(k, "prefill", "bs") != NULL; }

bool help_graph_json_has_prefill_sizes(const struct facts *k)
{
	return graph_json(k, "prefill", "bs") || graph_json(k, "prefill", "max_bs");
}

bool help_graph_json_has_decode_sizes(const struct facts *k)
{
	return graph_json(k, "decode", "bs") || graph_json(k, "decode", "max_bs");
}

static const char *const graph_backends[] = { "full", "breakable", "tc_piecewise", "disabled" };

/* the word of a backend, NONE for anything else */
static int64_t graph_backend(const struct facts *k, const char *value)
{
	for (size_t i = 0; value && i < sizeof graph_backends / sizeof *graph_backends; i++)
		if (json_equals(value, graph_backends[i])) return word(k, graph_backends[i]);
	return NONE;
}

int64_t calc_graph_json_prefill_backend(const struct facts *k) { return graph_backend(k, graph_json(k, "prefill", "backend")); }
int64_t calc_graph_json_decode_backend(const struct facts *k) { return graph_backend(k, graph_json(k, "decode", "backend")); }

bool help_graph_json_backend_unknown(const struct facts *k)
{
	const char *prefill = graph_json(k, "prefill", "backend"), *decode = graph_json(k, "decode", "backend");
	return (prefill && graph_backend(k, prefill) == NONE) || (decode && graph_backend(k, decode) == NONE);
}

/* a whole number, NONE for null, UNKNOWN for anything else */
static int64_t graph_number(const char *value)
{
	int64_t n;
	if (!value || json_is_null(value)) return NONE;
	return json_int(value, &n) ? n : UNKNOWN;
}

int64_t calc_graph_json_prefill_max_bs(const struct facts *k) { return graph_number(graph_json(k, "prefill", "max_bs")); }
int64_t calc_graph_json_decode_max_bs(const struct facts *k) { return graph_number(graph_json(k, "decode", "max_bs")); }

/* a list of sizes, which stands in the JSON text or in an option; done gives no further one */
struct sizes {
	const char *json;
	size_t i, n;
	int64_t cell;
};

static struct sizes sizes_of(const struct facts *k, const char *phase, int64_t cell)
{
	const char *json = graph_json(k, phase, "bs");
	struct sizes s = { .cell = cell };
	if (json) s.json = json_first(json);
	else if (cell != NONE) s.n = pdcfg_list_len(k, cell);
	return s;
}

static bool next_size(const struct facts *k, struct sizes *s, int64_t *out)
{
	if (s->json) {
		bool good = json_int(s->json, out);
		s->json = json_next(s->json);
		return good;
	}
	if (s->i >= s->n) return false;
	const char *text = pdcfg_list_item(k, s->cell, s->i++);
	return pdcfg_read_int(text, strlen(text), out);
}

/* are sizes given, other than by null? */
static bool has_sizes(const struct facts *k, const char *phase, int64_t cell)
{
	const char *json = graph_json(k, phase, "bs");
	return json ? !json_is_null(json) : cell != NONE;
}

static int64_t largest_size(const struct facts *k, struct sizes s)
{
	int64_t n, max = NONE;
	while (next_size(k, &s, &n))
		if (max == NONE || n > max) max = n;
	return max;
}

/* does the JSON text say the same as the option? */
static bool same_sizes(const struct facts *k, const char *json, int64_t cell)
{
	struct sizes a = { .json = json_first(json) }, b = { .cell = cell, .n = pdcfg_list_len(k, cell) };
	int64_t x, y;
	bool more_x, more_y;
	do {
		more_x = next_size(k, &a, &x);
		more_y = next_size(k, &b, &y);
	} while (more_x && more_y && x == y);
	return *json == '[' && !more_x && !more_y;
}

static bool other_text(const struct facts *k, const char *json, int64_t cell)
{
	return json && cell != NONE && !json_equals(json, pdcfg_str_of(k, cell));
}

static bool other_number(const char *json, int64_t cell) { return json && cell != NONE && graph_number(json) != cell; }

static bool other_sizes(const struct facts *k, const char *json, int64_t cell) { return json && cell != NONE && !same_sizes(k, json, cell); }

bool help_graph_json_beats_options(const struct facts *k)
{
	return other_text(k, graph_json(k, "decode", "backend"), V(cuda_graph_backend_decode)) ||
	       other_text(k, graph_json(k, "prefill", "backend"), V(cuda_graph_backend_prefill)) ||
	       other_text(k, graph_json(k, "decode", "tc_compiler"), V(cuda_graph_tc_compiler)) ||
	       other_text(k, graph_json(k, "prefill", "tc_compiler"), V(cuda_graph_tc_compiler)) ||
	       other_number(graph_json(k, "decode", "max_bs"), V(cuda_graph_max_bs_decode)) ||
	       other_number(graph_json(k, "prefill", "max_bs"), V(cuda_graph_max_bs_prefill)) ||
	       other_sizes(k, graph_json(k, "decode", "bs"), V(cuda_graph_bs_decode)) ||
	       other_sizes(k, graph_json(k, "prefill", "bs"), V(cuda_graph_bs_prefill));
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
	struct sizes s = sizes_of(k, "prefill", V(cuda_graph_bs_prefill));
	int64_t n;
	if (!has_sizes(k, "prefill", V(cuda_graph_bs_prefill))) return false;
	while (next_size(k, &s, &n))
		if (mod_(n, 8)) return true;
	return false;
}

static int64_t deepep_bound(const struct facts *k)
{
	return IS_NONE(cuda_graph_prefill_max_bs) || !V(cuda_graph_prefill_max_bs) ? 2048 : V(cuda_graph_prefill_max_bs);
}

bool help_deepep_aligns_prefill_sizes(const struct facts *k)
{
	if (has_sizes(k, "prefill", V(cuda_graph_bs_prefill))) return help_prefill_graph_sizes_off_eight(k);
	return deepep_bound(k) >= 4; /* the first size is 4 */
}

int64_t calc_deepep_prefill_max_bs(const struct facts *k)
{
	int64_t last;
	if (has_sizes(k, "prefill", V(cuda_graph_bs_prefill))) {
		last = largest_size(k, sizes_of(k, "prefill", V(cuda_graph_bs_prefill)));
		return last == NONE ? UNKNOWN : up_to_eight(last);
	}
	count_prefill_sizes(deepep_bound(k), &last);
	return up_to_eight(last);
}

/* ---- the device (steps 22 to 29) ---- */

bool help_graph_tc_compiler_not_eager(const struct facts *k)
{
	const char *json = graph_json(k, "prefill", "tc_compiler");
	if (json) return !json_is_null(json) && !json_equals(json, "eager");
	return !IS_NONE(cuda_graph_tc_compiler) && strcmp(STR(cuda_graph_tc_compiler), "eager") != 0;
}

bool help_decode_graph_sizes_given(const struct facts *k) { return has_sizes(k, "decode", V(cuda_graph_bs_decode)); }

/* also an object without members: Python asks for its largest key */
bool help_decode_graph_sizes_empty(const struct facts *k)
{
	const char *json = graph_json(k, "decode", "bs");
	if (!json) return !IS_NONE(cuda_graph_bs_decode) && !LEN(cuda_graph_bs_decode);
	if (*json == '[') return !json_first(json);
	return (*json == '{' && *json_space(json + 1) == '}') || json_equals(json, "");
}

bool help_decode_graph_sizes_beat_max(const struct facts *k)
{
	int64_t max = largest_size(k, sizes_of(k, "decode", V(cuda_graph_bs_decode)));
	return max != NONE && !IS_NONE(cuda_graph_decode_max_bs) && max != V(cuda_graph_decode_max_bs);
}

int64_t calc_decode_max_bs_of_sizes(const struct facts *k)
{
	int64_t max = largest_size(k, sizes_of(k, "decode", V(cuda_graph_bs_decode)));
	return max == NONE ? UNKNOWN : max;
}

/* values that Python cannot compare with one another have different kinds; 0 compares with nothing */
static char json_order(const char *s) { return *s == '"' || *s == '[' ? *s : *s == '{' || json_is_null(s) ? 0 : '1'; }

/* the largest size is asked for: of no list, or of values that do not compare */
bool help_decode_graph_sizes_mistyped(const struct facts *k)
{
	const char *json = graph_json(k, "decode", "bs");
	if (!json || json_is_null(json) || *json == '"' || *json == '{') return false;
	if (*json != '[') return true;
	const char *first = json_first(json), *s = first ? json_next(first) : NULL;
	for (; s; s = json_next(s))
		if (!json_order(s) || json_order(s) != json_order(first)) return true;
	return false;
}

/* a bound that cannot be counted up to */
static bool no_bound(const char *json)
{
	int64_t n;
	return json && !json_is_null(json) && !json_int(json, &n);
}

bool help_decode_graph_max_mistyped(const struct facts *k)
{
	return no_bound(graph_json(k, "decode", "max_bs")) && !has_sizes(k, "decode", V(cuda_graph_bs_decode));
}

bool help_prefill_graph_max_mistyped(const struct facts *k)
{
	return no_bound(graph_json(k, "prefill", "max_bs")) && !has_sizes(k, "prefill", V(cuda_graph_bs_prefill));
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
	struct sizes s = sizes_of(k, "prefill", V(cuda_graph_bs_prefill));
	int64_t n, last, count = 0;
	if (!has_sizes(k, "prefill", V(cuda_graph_bs_prefill))) {
		count = count_prefill_sizes(V(cuda_graph_prefill_max_bs), &last);
		return aligned ? count - (last < 32 ? (last / 4) / 2 : 4) : count; /* 4, 12, 20 and 28 fall together with their successors */
	}
	if (aligned) return UNKNOWN;
	while (next_size(k, &s, &n)) count++;
	return count;
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
