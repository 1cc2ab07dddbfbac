/* The options: one table, from which they are read and --help is printed. */
#include "cli.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum option_id {
	ID_FORMAT, ID_MODEL_CONFIG, ID_TRAIT, ID_PLATFORM, ID_ENV, ID_ENV_FILE, ID_NO_ENV, ID_PD_REQUIRED, ID_REQUIRE, ID_ONLY, ID_IGNORE,
	ID_FAIL_LEVEL, ID_ALL, ID_SGLANG_VERSION, ID_COLOR, ID_QUIET, ID_HELP, ID_VERSION
};

static const struct option_row {
	enum option_id id;
	char letter;
	const char *name, *value; /* value: what stands for it in --help, NULL for a flag */
	uint32_t commands;
	const char *help;
} option_rows[] = {
	{ ID_FORMAT, 0, "--format", "text|json", OPT_CHECK | OPT_LISTING, "how the answer is written (text)" },
	{ ID_MODEL_CONFIG, 0, "--model-config", "FILE|DIR", OPT_CHECK, "read the model's traits from this config.json" },
	{ ID_TRAIT, 0, "--trait", "NAME=VALUE", OPT_CHECK, "a fact about the model or the machine, as in is_mla=true, platform.sm=90; may be repeated" },
	{ ID_PLATFORM, 0, "--platform", "NAME", OPT_CHECK, "the machine that SGLang will run on" },
	{ ID_ENV, 0, "--env", "NAME=VALUE", OPT_CHECK, "a variable of SGLang's environment; may be repeated" },
	{ ID_ENV_FILE, 0, "--env-file", "FILE", OPT_CHECK, "variables from a file, in the syntax of docker --env-file; may be repeated" },
	{ ID_NO_ENV, 0, "--no-env", NULL, OPT_CHECK, "leave the environment of this process out" },
	{ ID_PD_REQUIRED, 0, "--pd-required", NULL, OPT_CHECK, "this server will build a PD connection: refuse it without a mode" },
	{ ID_REQUIRE, 0, "--require", "model,platform,peer", OPT_VERDICT, "facts that must be known: where rules lack one, that is an error" },
	{ ID_ONLY, 0, "--only", "CODE,...", OPT_VERDICT, "report these rules alone; the verdict still looks at all" },
	{ ID_IGNORE, 0, "--ignore", "CODE,...", OPT_VERDICT, "do not report these rules, nor fail for them" },
	{ ID_FAIL_LEVEL, 0, "--fail-level", "error|warning|never", OPT_VERDICT, "exit with status 1 from this severity on (error)" },
	{ ID_ALL, 0, "--all", NULL, OPT_RESOLVE, "list the settings at their default too" },
	{ ID_SGLANG_VERSION, 0, "--sglang-version", "VERSION", OPT_CHECK, "the SGLang to check for" },
	{ ID_COLOR, 0, "--color", "auto|always|never", OPT_CHECK | OPT_LISTING, "colour in text (auto: on a terminal)" },
	{ ID_QUIET, 'q', "--quiet", NULL, OPT_VERDICT, "print the summary alone" },
	{ ID_HELP, 'h', "--help", NULL, OPT_COMMON, "print this and exit" },
	{ ID_VERSION, 0, "--version", NULL, OPT_COMMON, "print the versions and exit" },
};
#define ROWS (sizeof option_rows / sizeof *option_rows)

/* ---- small lists -------------------------------------------------------------------------------------------------- */

static int add_text(struct texts *t, const char *text)
{
	if (t->n == t->room) {
		size_t room = t->room ? 2 * t->room : 8;
		const char **v = realloc(t->v, room * sizeof *v);

		if (!v)
			return complain("out of memory");
		t->v = v;
		t->room = room;
	}
	t->v[t->n++] = text;
	return 0;
}

static int add_code(struct codes *c, uint32_t code)
{
	if (c->n == c->room) {
		size_t room = c->room ? 2 * c->room : 8;
		uint32_t *v = realloc(c->v, room * sizeof *v);
		bool *used;

		if (!v)
			return complain("out of memory");
		c->v = v;
		used = realloc(c->used, room * sizeof *used);
		if (!used)
			return complain("out of memory");
		c->used = used;
		c->room = room;
	}
	c->used[c->n] = false;
	c->v[c->n++] = code;
	return 0;
}

void end_options(struct options *o)
{
	free(o->traits.v);
	free(o->env.v);
	free(o->operands.v);
	free(o->only.v);
	free(o->only.used);
	free(o->ignore.v);
	free(o->ignore.used);
}

/* ---- names of rules and facts ------------------------------------------------------------------------------------- */

uint32_t code_by_text(const char *text)
{
	char upper[8];
	size_t n = strlen(text);

	if (n == 6 && tolower((unsigned char)text[0]) == 'p' && tolower((unsigned char)text[1]) == 'd') {
		snprintf(upper, sizeof upper, "PD%s", text + 2);
		text = upper;
	}
	return pdcfg_code_by_rule(text);
}

const char *nearest_rule(const char *text)
{
	struct nearest n = { .word = text };

	for (uint32_t code = pdcfg_code_next(0); code; code = pdcfg_code_next(code))
		nearest_try(&n, pdcfg_rule_text(code, PDCFG_TEXT_RULE));
	return n.best ? n.best : "";
}

const char *nearest_fact(const char *text)
{
	struct nearest n = { .word = text };

	for (uint32_t key = pdcfg_key_next(0); key; key = pdcfg_key_next(key)) {
		const char *name = pdcfg_key_name(key), *dot = strchr(name, '.');

		if (pdcfg_key_kind(key) == PDCFG_KIND_MODEL)
			nearest_try(&n, dot ? dot + 1 : name);
		if (pdcfg_key_kind(key) == PDCFG_KIND_PLATFORM && dot && !strcmp(dot + 1, text))
			return name;
		if (pdcfg_key_kind(key) == PDCFG_KIND_PLATFORM)
			nearest_try(&n, name);
	}
	return n.best ? n.best : "";
}

/* ---- values of options -------------------------------------------------------------------------------------------- */

/* The number of text among words separated by |, -1 when it is none. */
static int choice(const char *words, const char *text)
{
	size_t n = strlen(text);

	for (int i = 0;; i++) {
		size_t m = strcspn(words, "|");

		if (n == m && !memcmp(words, text, n))
			return i;
		if (!words[m])
			return -1;
		words += m + 1;
	}
}

static int read_choice(const struct option_row *row, const char *text, int *value)
{
	struct nearest near = { .word = text };
	char word[32];

	*value = choice(row->value, text);
	if (*value >= 0)
		return 0;
	if (row->id == ID_FORMAT && choice("sarif|github|gcc", text) >= 0)
		return complain("--format %s is not built yet; there are text and json", text);
	for (const char *p = row->value; *p; p += strcspn(p, "|"), p += *p == '|') {
		snprintf(word, sizeof word, "%.*s", (int)strcspn(p, "|"), p);
		nearest_try(&near, word);
		if (near.best)
			break;
	}
	return complain("%s takes %s, not '%s'%s%s%s", row->name, row->value, text, near.best ? "; did you mean '" : "", near.best ? word : "",
			near.best ? "'?" : "");
}

static int read_codes(const struct option_row *row, const char *text, struct codes *to)
{
	for (; *text; text += strcspn(text, ","), text += *text == ',') {
		size_t n = strcspn(text, ",");
		char one[80];
		const char *near;
		uint32_t code;

		if (!n)
			continue;
		snprintf(one, sizeof one, "%.*s", (int)(n < sizeof one ? n : sizeof one - 1), text);
		code = code_by_text(one);
		near = nearest_rule(one);
		if (!code)
			return complain("%s: there is no rule %s%s%s%s", row->name, one, *near ? "; did you mean " : "", near, *near ? "?" : "");
		if (add_code(to, code))
			return STATUS_UNABLE;
	}
	return 0;
}

static int read_require(const char *text, uint32_t *mask)
{
	for (; *text; text += strcspn(text, ","), text += *text == ',') {
		size_t n = strcspn(text, ",");
		char one[32];
		int i;

		snprintf(one, sizeof one, "%.*s", (int)(n < sizeof one ? n : sizeof one - 1), text);
		i = choice("model|platform|peer", one);
		if (i < 0)
			return complain("--require takes model, platform and peer, not '%s'", one);
		*mask |= 1u << i;
	}
	return 0;
}

static int read_platform(struct options *o, const char *text)
{
	struct nearest near = { .word = text };
	char list[512] = "";
	size_t n = 0;

	for (const char *p = pdcfg_platform_next(""); *p; p = pdcfg_platform_next(p)) {
		if (!strcmp(p, text)) {
			o->platform = p;
			return 0;
		}
		nearest_try(&near, p);
		if (n < sizeof list)
			n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", p);
	}
	if (near.best)
		return complain("--platform %s is not known; did you mean %s? (%s)", text, near.best, list);
	return complain("--platform %s is not known; there are %s", text, list);
}

static int read_version(const char *text)
{
	if (!strcmp(text, pdcfg_sglang_version()))
		return 0;
	return complain("--sglang-version %s: only %s is known to this pdcfg", text, pdcfg_sglang_version());
}

static int read_env(struct options *o, const char *kind, const char *text)
{
	if (*kind == 'e' && !strchr(text, '='))
		return complain("--env takes NAME=VALUE, not '%s'", text);
	return add_text(&o->env, kind) || add_text(&o->env, text) ? STATUS_UNABLE : 0;
}

static int read_trait(struct options *o, const char *text)
{
	if (!strchr(text, '=') || *text == '=')
		return complain("--trait takes NAME=VALUE, not '%s'", text);
	return add_text(&o->traits, text);
}

static int set_option(struct options *o, const struct option_row *row, const char *text)
{
	int value = 0, status = 0;

	if (row->id == ID_FORMAT || row->id == ID_FAIL_LEVEL || row->id == ID_COLOR)
		status = read_choice(row, text, &value);
	if (status)
		return status;
	switch (row->id) {
	case ID_FORMAT: o->format = (enum format)value; return 0;
	case ID_FAIL_LEVEL: o->fail_level = (enum fail_level)value; return 0;
	case ID_COLOR: o->color = (enum color)value; return 0;
	case ID_MODEL_CONFIG: o->model_config = text; return 0;
	case ID_TRAIT: return read_trait(o, text);
	case ID_PLATFORM: return read_platform(o, text);
	case ID_ENV: return read_env(o, "e", text);
	case ID_ENV_FILE: return read_env(o, "f", text);
	case ID_NO_ENV: o->no_env = true; return 0;
	case ID_PD_REQUIRED: o->pd_required = true; return 0;
	case ID_REQUIRE: return read_require(text, &o->require);
	case ID_ONLY: return read_codes(row, text, &o->only);
	case ID_IGNORE: return read_codes(row, text, &o->ignore);
	case ID_ALL: o->all = true; return 0;
	case ID_SGLANG_VERSION: return read_version(text);
	case ID_QUIET: o->quiet = true; return 0;
	case ID_HELP: o->help = true; return 0;
	case ID_VERSION: o->version = true; return 0;
	}
	return 0;
}

/* ---- the command line --------------------------------------------------------------------------------------------- */

static const struct option_row *find_option(const struct command *c, const char *word, size_t n)
{
	for (size_t i = 0; i < ROWS; i++) {
		const struct option_row *row = &option_rows[i];

		if (!(row->commands & c->options))
			continue;
		if (strlen(row->name) == n && !memcmp(row->name, word, n))
			return row;
		if (n == 2 && row->letter && word[1] == row->letter)
			return row;
	}
	return NULL;
}

static int unknown_option(const struct command *c, const char *word, size_t n)
{
	char name[80];
	struct nearest near = { .word = name };

	snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), word);
	for (size_t i = 0; i < ROWS; i++) {
		if (option_rows[i].commands & c->options)
			nearest_try(&near, option_rows[i].name);
	}
	if (near.best)
		return complain("%s has no option %s; did you mean %s?", c->name, name, near.best);
	if (c->options & OPT_CHECK)
		return complain("%s has no option %s ('pdcfg help %s' lists them); SGLang's options belong behind --, with its command", c->name, name, c->name);
	return complain("%s has no option %s; 'pdcfg help %s' lists them", c->name, name, c->name);
}

static int read_option(const struct command *c, int argc, const char *const *argv, int *at, struct options *o)
{
	const char *word = argv[*at], *value = NULL;
	size_t n = word[1] == '-' ? strcspn(word, "=") : strlen(word);
	const struct option_row *row = find_option(c, word, n);

	if (!row)
		return unknown_option(c, word, n);
	if (word[n] == '=')
		value = word + n + 1;
	if (!row->value && value)
		return complain("%s takes no value", row->name);
	if (row->value && !value) {
		if (*at + 1 == argc || !strcmp(argv[*at + 1], "--"))
			return complain("%s needs a value: %s", row->name, row->value);
		value = argv[++*at];
	}
	return set_option(o, row, value);
}

int read_options(const struct command *c, int argc, const char *const *argv, struct options *o)
{
	for (int i = 0; i < argc; i++) {
		int status = 0;

		if (!strcmp(argv[i], "--")) {
			o->command = argv + i + 1;
			o->command_count = argc - i - 1;
			return 0;
		}
		if (argv[i][0] == '-' && argv[i][1])
			status = read_option(c, argc, argv, &i, o);
		else
			status = add_text(&o->operands, argv[i]);
		if (status)
			return status;
		/* somebody who forgot -- gave a whole command: its options are not ours */
		if (o->operands.n && c->options & OPT_CHECK)
			return 0;
	}
	return 0;
}

void print_options(struct out *out, const struct command *c)
{
	for (size_t i = 0; i < ROWS; i++) {
		const struct option_row *row = &option_rows[i];
		unsigned n;

		if (!(row->commands & c->options))
			continue;
		put(out, "  ");
		n = 2;
		if (row->letter) {
			put_f(out, "-%c, ", row->letter);
			n += 4;
		}
		put_f(out, "%s%s%s", row->name, row->value ? " " : "", row->value ? row->value : "");
		n += columns_of(row->name) + (row->value ? 1 + columns_of(row->value) : 0);
		if (n > 26) {
			put(out, "\n");
			n = 0;
		}
		put_f(out, "%*s", (int)(28 - n), "");
		put_wrapped(out, row->help, 28, 28);
	}
}

bool want_color(const struct options *o, int fd)
{
	const char *no = getenv("NO_COLOR"), *force = getenv("CLICOLOR_FORCE"), *term = getenv("TERM");

	if (o->color != COLOR_AUTO)
		return o->color == COLOR_ALWAYS;
	if (no && *no)
		return false;
	if (force && *force && strcmp(force, "0") != 0)
		return true;
	return isatty(fd) && term && *term && strcmp(term, "dumb") != 0;
}
