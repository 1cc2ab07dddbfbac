/* The facts that --trait takes: what they are called, and how their values are written. */
#include "cli.h"
#include "rule_example.h"
#include <stdlib.h>
#include <string.h>

#define COLUMN 44 /* where the type stands */

const char *fact_name(uint32_t key)
{
	const char *name = pdcfg_key_name(key);

	return strncmp(name, "model.", 6) ? name : name + 6;
}

const char *fact_type(uint32_t key)
{
	switch (pdcfg_key_type(key)) {
	case PDCFG_TYPE_BOOL: return "true or false";
	case PDCFG_TYPE_INT: return "a whole number";
	case PDCFG_TYPE_FLOAT: return "a number";
	case PDCFG_TYPE_TEXTS: return "texts, with commas";
	case PDCFG_TYPE_INTS: return "whole numbers, with commas";
	case PDCFG_TYPE_FLOATS: return "numbers, with commas";
	default: return "a text";
	}
}

/* Some rules are about values that nobody has. */
static bool is_good_example(uint32_t key, const char *value)
{
	if (!*value || !strcmp(value, "None") || !strcmp(value, "?"))
		return false;
	return pdcfg_key_type(key) != PDCFG_TYPE_INT || (*value >= '1' && *value <= '9');
}

/* The value that a launch gives to a fact, copied; NULL when it gives none. */
static char *value_in(const char *text, uint32_t key)
{
	const char *name = pdcfg_key_name(key);
	size_t n = strlen(name);
	struct pdcfg_example e;
	char *value = NULL;

	if (!strstr(text, name) || pdcfg_example_read(text, &e) < 0)
		return NULL;
	for (size_t i = 0; i < e.n && !value; i++) {
		const char *word = e.words[i].text;

		if (e.words[i].kind == EXAMPLE_FACT && !strncmp(word, name, n) && word[n] == '=' && is_good_example(key, word + n + 1))
			value = strdup(word + n + 1);
	}
	pdcfg_example_end(&e);
	return value;
}

/* Taken from the examples of the rules, which are tested; NULL when no rule has one. */
static char *example_value(uint32_t key)
{
	char *value = NULL;

	for (uint32_t code = pdcfg_code_next(0); code && !value; code = pdcfg_code_next(code)) {
		value = value_in(pdcfg_rule_text(code, PDCFG_TEXT_GOOD), key);
		if (!value)
			value = value_in(pdcfg_rule_text(code, PDCFG_TEXT_BAD), key);
	}
	return value;
}

void put_fact(struct out *out, uint32_t key)
{
	uint32_t type = pdcfg_key_type(key);
	bool devices = !strcmp(pdcfg_key_name(key), "platform.ib_devices");
	char *value = type == PDCFG_TYPE_BOOL || devices ? NULL : example_value(key);

	put(out, fact_name(key));
	put(out, "=");
	if (value)
		put_word(out, value);
	else
		put(out, devices ? "mlx5_0,mlx5_1" : type == PDCFG_TYPE_BOOL ? "true" : type == PDCFG_TYPE_INT ? "8" : type == PDCFG_TYPE_INTS ? "1,2" : "TEXT");
	free(value);
}

static void put_kind_of_facts(struct out *out, uint32_t kind)
{
	for (uint32_t key = pdcfg_key_next(0); key; key = pdcfg_key_next(key)) {
		struct out b = { 0 };
		unsigned at;

		if (pdcfg_key_kind(key) != kind)
			continue;
		put(&b, "  ");
		put_fact(&b, key);
		at = b.s ? columns_of(b.s) : 0;
		put(out, b.s ? b.s : "");
		if (at >= COLUMN) {
			put(out, "\n");
			at = 0;
		}
		put_many(out, ' ', COLUMN - at);
		put(out, fact_type(key));
		put(out, "\n");
		out->failed |= b.failed;
		end_out(&b);
	}
}

void put_facts(struct out *out)
{
	put(out, "usage: --trait NAME=VALUE\n\n");
	put_wrapped(out, "A fact about the model or the machine, for check, exec and resolve. May be repeated: a later one wins, and wins over what was read. "
		    "The elements of a list are separated by commas. None is Python's None.", 0, 0);
	put(out, "\nthe model, each with an example (model. may stand in front):\n");
	put_kind_of_facts(out, PDCFG_KIND_MODEL);
	put(out, "\nthe machine:\n");
	put_kind_of_facts(out, PDCFG_KIND_PLATFORM);
}
