/*
 * Why the caller's JSON reader refused a text. The reader only says yes or no; when the text is JSON, a look at its outermost keys tells
 * which of SGLang's own checks it fails. Any text may come in here: nothing is assumed but its final NUL.
 */
#include <string.h>
#include "reading.h"

bool pdcfg_is_json(const pdcfg_t *cfg, const char *text)
{
	/* of this option SGLang checks nothing but that it is JSON */
	return cfg->json && cfg->json(cfg->json_ctx, "--preferred-sampling-params", text) == 1;
}

static const char *skip_blanks(const char *s) { return s + strspn(s, " \t\r\n"); }

/* s is at a quote; returns what follows the closing one */
static const char *skip_string(const char *s)
{
	for (s++; *s && *s != '"'; s++)
		if (*s == '\\' && s[1]) s++;
	return *s ? s + 1 : s;
}

/* over one value, to the comma or bracket behind it */
static const char *skip_value(const char *s)
{
	size_t depth = 0;
	while (*s) {
		if (*s == '"') {
			s = skip_string(s);
			continue;
		}
		if (!depth && strchr(",]}", *s)) break;
		if (*s == '{' || *s == '[') depth++;
		if (*s == '}' || *s == ']') depth--;
		s++;
	}
	return s;
}

struct member {
	const char *key, *value, *next;
	size_t len;
};

/* the member of an object that begins at s, behind the brace or the comma */
static bool member_at(const char *s, struct member *m)
{
	s = skip_blanks(s);
	if (*s != '"') return false;
	m->key = s + 1;
	s = skip_string(s);
	m->len = (size_t)(s - m->key) - (s > m->key && s[-1] == '"');
	s = skip_blanks(s);
	if (*s != ':') return false;
	m->value = skip_blanks(s + 1);
	m->next = skip_value(m->value);
	if (*m->next == ',') m->next++;
	return true;
}

static bool among(const struct member *m, const char *names)
{
	for (size_t n; *names; names += n + (names[n] == ' ')) {
		n = strcspn(names, " ");
		if (n == m->len && !memcmp(names, m->key, n)) return true;
	}
	return false;
}

static unsigned why_no_phase(const struct member *phase)
{
	const char *known = among(phase, "decode") ? "backend max_bs bs tc_compiler" :
	                    "backend max_bs bs tc_compiler full_prefill_max_req full_prefill_prefix_chunk_tokens";
	struct member m;
	if (!among(phase, "decode prefill")) return CODE_cuda_graph_config_unknown_phase;
	if (*phase->value != '{') return CODE_cuda_graph_config_phase_not_object;
	for (const char *s = phase->value + 1; member_at(s, &m); s = m.next)
		if (!among(&m, known)) return CODE_cuda_graph_config_unknown_key;
	return 0;
}

static unsigned why_no_graph_config(const char *text)
{
	struct member m;
	text = skip_blanks(text);
	if (*text != '{') return CODE_cuda_graph_config_not_object;
	for (const char *s = text + 1; member_at(s, &m); s = m.next) {
		unsigned code = why_no_phase(&m);
		if (code) return code;
	}
	return CODE_cuda_graph_config_not_json;
}

unsigned pdcfg_why_no_json(const struct option *o, const char *text, bool is_json)
{
	if (o->reading == READ_JSON_LIST) return CODE_argparse_json_list_invalid;
	if (o->reading == READ_CUDA_GRAPH_CONFIG) return is_json ? why_no_graph_config(text) : CODE_cuda_graph_config_not_json;
	return CODE_argparse_json_value_invalid;
}

bool pdcfg_lora_has_keys(const char *text, bool *sure)
{
	bool name = false, path = false, escape = false;
	struct member m;
	text = skip_blanks(text);
	for (const char *s = *text == '{' ? text + 1 : text; member_at(s, &m); s = m.next) {
		name |= among(&m, "lora_name");
		path |= among(&m, "lora_path");
		escape |= memchr(m.key, '\\', m.len) != NULL;
	}
	if (name && path) return true;
	*sure &= !escape;
	return escape;
}
