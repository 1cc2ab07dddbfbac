#include "rule_example.h"

#include <pdcfg/files.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_LENGTH 128

static bool starts(const char *s, const char *with) { return strncmp(s, with, strlen(with)) == 0; }

/* What stands in front of the equals sign. */
static bool name_of(const char *word, char name[NAME_MAX_LENGTH])
{
	size_t n = strcspn(word, "=");

	if (word[n] == '\0' || n == 0 || n >= NAME_MAX_LENGTH)
		return false;
	memcpy(name, word, n);
	name[n] = '\0';
	return true;
}

static bool is_variable(const char *name)
{
	return strlen(name) > 1 && !isdigit((unsigned char)*name) && name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

static bool is_field(const char *name)
{
	uint32_t key = pdcfg_key_by_name(name);

	return key != 0 && pdcfg_key_kind(key) == PDCFG_KIND_ARGUMENT && strcmp(pdcfg_key_name(key), name) == 0;
}

static enum example_kind kind_of(const char *word)
{
	char name[NAME_MAX_LENGTH];

	if (*word == '-' || !name_of(word, name))
		return EXAMPLE_ARGUMENT;
	if (is_variable(name))
		return EXAMPLE_VARIABLE;
	if (starts(name, "model.") || starts(name, "platform."))
		return EXAMPLE_FACT;
	if (strcmp(name, "pd_required") == 0)
		return EXAMPLE_CALLER;
	return is_field(name) ? EXAMPLE_FIELD : EXAMPLE_ARGUMENT;
}

/* Cuts the first word off *p, without its quotes. NULL when there is none. */
static const char *cut_word(char **p)
{
	char *s = *p + strspn(*p, " "), *word = s, *to = s;
	bool quoted = false;

	if (*s == '\0')
		return NULL;
	for (; *s != '\0' && (quoted || *s != ' '); s++) {
		if (*s == '\'')
			quoted = !quoted;
		else
			*to++ = *s;
	}
	*p = *s != '\0' ? s + 1 : s;
	*to = '\0';
	return word;
}

int32_t pdcfg_example_read(const char *text, struct pdcfg_example *out)
{
	size_t len = strlen(text);
	const char *word;
	bool model = false;
	char *p;

	out->n = 2;
	out->copy = p = malloc(len + 1);
	out->words = calloc(len + 2, sizeof *out->words); /* a word takes a character at least */
	if (p == NULL || out->words == NULL) {
		pdcfg_example_end(out);
		return PDCFG_E_NOMEM;
	}
	memcpy(p, text, len + 1);
	while ((word = cut_word(&p)) != NULL) {
		model = model || starts(word, "--model");
		out->words[out->n++] = (struct example_word){ word, kind_of(word) };
	}
	if (model) {
		out->n -= 2;
		memmove(out->words, out->words + 2, out->n * sizeof *out->words);
	} else {
		out->words[0].text = "--model-path";
		out->words[1].text = "m";
	}
	return PDCFG_OK;
}

void pdcfg_example_end(struct pdcfg_example *e)
{
	free(e->copy);
	free(e->words);
	*e = (struct pdcfg_example){ NULL, NULL, 0 };
}

static int32_t set_field(pdcfg_t *cfg, const char *name, const char *value)
{
	uint32_t key = pdcfg_key_by_name(name);

	if (strcmp(value, "None") == 0)
		return pdcfg_set_none(cfg, key);
	switch (pdcfg_key_type(key)) {
	case PDCFG_TYPE_BOOL:
		return pdcfg_set_i64(cfg, key, strcmp(value, "true") == 0 || strcmp(value, "True") == 0);
	case PDCFG_TYPE_INT:
		return pdcfg_set_i64(cfg, key, strtoll(value, NULL, 10));
	case PDCFG_TYPE_FLOAT:
		return pdcfg_set_arg(cfg, name, value);
	case PDCFG_TYPE_TEXT:
		return pdcfg_set_text(cfg, key, value);
	default:
		return pdcfg_set_list(cfg, key, &value, 1);
	}
}

static int32_t set_word(pdcfg_t *cfg, const struct example_word *word)
{
	const char *const environment[] = { word->text, NULL }; /* so that old names are renamed too */
	char name[NAME_MAX_LENGTH];
	const char *value;

	if (word->kind == EXAMPLE_VARIABLE)
		return pdcfg_parse_environ(cfg, environment);
	if (!name_of(word->text, name))
		return PDCFG_E_INVALID;
	value = word->text + strlen(name) + 1;
	return word->kind == EXAMPLE_FIELD ? set_field(cfg, name, value) : pdcfg_set_arg(cfg, name, value);
}

static int32_t set_arguments(pdcfg_t *cfg, const struct pdcfg_example *e)
{
	const char **argv = calloc(e->n + 1, sizeof *argv);
	int32_t argc = 0, status;

	if (argv == NULL)
		return PDCFG_E_NOMEM;
	for (size_t i = 0; i < e->n; i++) {
		if (e->words[i].kind == EXAMPLE_ARGUMENT)
			argv[argc++] = e->words[i].text;
	}
	status = pdcfg_parse_argv(cfg, argc, argv);
	free(argv);
	return status;
}

int32_t pdcfg_example_apply(const struct pdcfg_example *e, pdcfg_t *cfg)
{
	int32_t status = pdcfg_set_json_reader(cfg, pdcfg_files_json_reader, NULL);

	if (status >= 0)
		status = set_arguments(cfg, e);
	for (size_t i = 0; i < e->n && status >= 0; i++) {
		if (e->words[i].kind != EXAMPLE_ARGUMENT)
			status = set_word(cfg, &e->words[i]);
	}
	return status < 0 ? status : PDCFG_OK;
}
