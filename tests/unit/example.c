#include <check.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <pdcfg/files.h>
#include "example.h"

enum { WORDS = 256 };

static unsigned split(char *text, char **words)
{
	unsigned n = 0;
	for (char *p = text; *p;) {
		while (*p == ' ') p++;
		if (!*p) break;
		ck_assert_uint_lt(n, WORDS);
		char *out = words[n++] = p, quoted = 0;
		for (; *p && (quoted || *p != ' '); p++) {
			if (*p == '\'') quoted = !quoted;
			else *out++ = *p;
		}
		if (*p) p++;
		*out = 0;
	}
	return n;
}

static bool starts(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

/* NAME= in capitals, or a fact by its full name */
static bool is_assignment(const char *w)
{
	size_t n = strspn(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	return (n > 1 && w[n] == '=' && !isdigit((unsigned char)*w)) || (strchr(w, '=') && (starts(w, "model.") || starts(w, "platform.") || starts(w, "pd_required=")));
}

/* field=VALUE: what only SGLang's Python API can give; 0 when the word is none */
static uint32_t field_of(const char *w)
{
	char name[64];
	size_t n = strspn(w, "abcdefghijklmnopqrstuvwxyz0123456789_");
	if (!n || w[n] != '=' || n >= sizeof name) return 0;
	memcpy(name, w, n);
	name[n] = 0;
	uint32_t key = pdcfg_key_by_name(name);
	return pdcfg_key_kind(key) == PDCFG_KIND_ARGUMENT && !strcmp(pdcfg_key_name(key), name) ? key : 0;
}

static int32_t set_field(pdcfg_t *cfg, uint32_t key, const char *value)
{
	if (!strcmp(value, "None")) return pdcfg_set_none(cfg, key);
	switch (pdcfg_key_type(key)) {
	case PDCFG_TYPE_BOOL:  return pdcfg_set_i64(cfg, key, !strcmp(value, "true") || !strcmp(value, "True"));
	case PDCFG_TYPE_INT:   return pdcfg_set_i64(cfg, key, strtoll(value, NULL, 10));
	case PDCFG_TYPE_FLOAT: return pdcfg_set_f64(cfg, key, strtod(value, NULL));
	case PDCFG_TYPE_TEXT:  return pdcfg_set_text(cfg, key, value);
	default:               return pdcfg_set_list(cfg, key, &value, 1);
	}
}

static void assign(pdcfg_t *cfg, char *word)
{
	if (isupper((unsigned char)*word)) { /* an environment of one variable, so that old names are renamed too */
		const char *const envp[] = { word, NULL };
		ck_assert_int_eq(pdcfg_parse_environ(cfg, envp), 0);
		return;
	}
	char *equals = strchr(word, '=');
	*equals = 0;
	int32_t status = pdcfg_set_arg(cfg, word, equals + 1);
	ck_assert_msg(status >= 0, "%s=%s: %s", word, equals + 1, pdcfg_strerror(status));
}

void example_apply(pdcfg_t *cfg, const char *text)
{
	char *copy = strdup(text), *words[WORDS];
	const char *argv[WORDS + 2] = { "--model-path", "m" };
	int32_t argc = 2;
	bool model = false;
	ck_assert_ptr_nonnull(copy);
	unsigned n = split(copy, words);
	for (unsigned i = 0; i < n; i++) model |= starts(words[i], "--model");
	if (model) argc = 0;
	for (unsigned i = 0; i < n; i++)
		if (!is_assignment(words[i]) && !field_of(words[i])) argv[argc++] = words[i];
	ck_assert_int_eq(pdcfg_set_json_reader(cfg, pdcfg_files_json_reader, NULL), 0);
	ck_assert_int_ge(pdcfg_parse_argv(cfg, argc, argv), 0);
	for (unsigned i = 0; i < n; i++)
		if (is_assignment(words[i])) assign(cfg, words[i]);
		else if (field_of(words[i])) ck_assert_int_eq(set_field(cfg, field_of(words[i]), strchr(words[i], '=') + 1), 0);
	free(copy);
}

long example_find(const pdcfg_report *rep, uint32_t code)
{
	for (size_t i = 0; i < pdcfg_report_count(rep); i++)
		if (pdcfg_finding_code(rep, i) == code) return (long)i;
	return -1;
}

size_t example_errors(const pdcfg_report *rep, uint32_t *codes, size_t max)
{
	size_t n = 0;
	for (size_t i = 0; i < pdcfg_report_count(rep); i++)
		if (pdcfg_finding_severity(rep, i) == PDCFG_ERROR && n < max) codes[n++] = pdcfg_finding_code(rep, i);
	return n;
}

static int32_t set_as_text(pdcfg_t *cfg, uint32_t key, const char *value)
{
	const char *option = pdcfg_key_option(key);
	if (pdcfg_key_type(key) == PDCFG_TYPE_BOOL && *option == '-') return pdcfg_set_i64(cfg, key, !strcmp(value, "True"));
	return pdcfg_set_arg(cfg, *option ? option : pdcfg_key_name(key), value);
}

int32_t example_fix(pdcfg_t *cfg, const pdcfg_report *rep, size_t i, size_t fix)
{
	int32_t status = 0;
	for (size_t e = 0; e < pdcfg_fix_edits(rep, i, fix) && status >= 0; e++) {
		uint32_t key = pdcfg_edit_key(rep, i, fix, e);
		if (pdcfg_edit_op(rep, i, fix, e) == PDCFG_EDIT_UNSET) status = pdcfg_unset(cfg, key);
		else status = set_as_text(cfg, key, pdcfg_edit_value(rep, i, fix, e));
	}
	return status;
}
