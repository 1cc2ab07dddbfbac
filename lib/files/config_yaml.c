/*
 * The file of --config. SGLang turns its keys into options, puts them in front of the command line's own words, and lets argparse read all of it
 * (python/sglang/srt/server_args_config_parser.py). What its merge refuses ends it before argparse; the rest is argparse's matter, and so the
 * core's, which is told where each word stands.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <pdcfg/files.h>
#include "files.h"
#include "text.h"
#include "yaml_value.h"

enum {
	CODE_FILE_MISSING = 2182, CODE_UNREADABLE = 7787, CODE_NO_MAPPING = 4172, CODE_KEY_NO_TEXT = 7383, CODE_KEY_UNSUPPORTED = 6464,
	CODE_NULL_IS_NONE = 2135, CODE_FALSE_FLAG = 6387, CODE_EMPTY_LIST = 8073, CODE_HELP = 6102,
	CLASH_MAX = 64 /* longest name of a field that is looked for */
};

/* ---- how the merge treats the field that a key names ---- */

enum treatment { AS_VALUE, AS_FLAG, UNSUPPORTED, NOBODY };
enum {
	IS_STORE = AS_VALUE, IS_STORE_TRUE = AS_FLAG, IS_HELP = NOBODY, IS_STORE_BOOL = UNSUPPORTED, IS_STORE_LORA = UNSUPPORTED,
	IS_OLD_STORE = UNSUPPORTED, IS_OLD_STORE_TRUE = UNSUPPORTED, IS_OLD_STORE_CONST = UNSUPPORTED, IS_OLD_NOTHING = UNSUPPORTED
};

static const struct {
	const char *field;
	uint8_t treatment;
} options[] = {
#define ARG(...)
#define OPTION(field, names, action, ...) { #field, IS_##action },
#include "../core/fields/args.def"
#undef ARG
#undef OPTION
};

/* Of several options that write one field the unsupported one counts. A key with underscores for hyphens is found, although it is no option. */
static enum treatment treatment_of(const struct yv_node *key)
{
	char name[CLASH_MAX];
	enum treatment found = AS_VALUE;

	if (key->len >= sizeof name)
		return AS_VALUE;
	for (size_t i = 0; i <= key->len; i++)
		name[i] = (char)(i == key->len ? 0 : key->text[i] == '-' ? '_' : key->text[i]);
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		if (strcmp(options[i].field, name) != 0 || strlen(name) != key->len)
			continue;
		if (options[i].treatment == UNSUPPORTED)
			return UNSUPPORTED;
		if (options[i].treatment == AS_FLAG)
			found = AS_FLAG;
	}
	return found;
}

/* ---- the merged words ---- */

enum way {
	WHOLE,
	WITHOUT_HELP, /* a key of the file that means --help becomes a finding */
	FINDINGS_ONLY /* what the merge refuses, and no argparse */
};

struct null { /* an option whose value is null */
	const char *option;
	const struct null *next;
};

struct config {
	pdcfg_t *caller, *cfg; /* cfg is a copy, which replaces the caller's when all has worked */
	const char *file, *shown;
	int32_t at;         /* of --config in the words given */
	struct yv yaml;
	const char **words;
	int32_t *indexes;
	uint32_t *lines, *columns;
	size_t count, room;
	const struct null *nulls;
	enum way way;
	bool refused;       /* the merge has raised */
	bool unread;        /* nobody knows what the file says */
	bool has_help;
	char *why;
	size_t why_size;
};

static int32_t explain(struct config *c, int32_t status, const char *format, ...)
{
	va_list ap;

	if (c->why && c->why_size) {
		va_start(ap, format);
		vsnprintf(c->why, c->why_size, format, ap);
		va_end(ap);
	}
	return status;
}

static bool grow(struct config *c)
{
	size_t room = c->room ? 2 * c->room : 64;
	const char **words = realloc(c->words, room * sizeof *words);
	int32_t *indexes = words ? realloc(c->indexes, room * sizeof *indexes) : NULL;
	uint32_t *lines = indexes ? realloc(c->lines, room * sizeof *lines) : NULL;
	uint32_t *columns = lines ? realloc(c->columns, room * sizeof *columns) : NULL;

	c->words = words ? words : c->words;
	c->indexes = indexes ? indexes : c->indexes;
	c->lines = lines ? lines : c->lines;
	c->columns = columns ? columns : c->columns;
	if (columns)
		c->room = room;
	return columns;
}

static int32_t add_word(struct config *c, const char *word, int32_t index, const struct yv_node *at)
{
	if (c->count == PDCFG_ARGS_MAX)
		return PDCFG_E_LIMIT;
	if (c->count == c->room && !grow(c))
		return PDCFG_E_NOMEM;
	c->words[c->count] = word;
	c->indexes[c->count] = index;
	c->lines[c->count] = at ? at->line : 0;
	c->columns[c->count++] = at ? at->column : 0;
	return PDCFG_OK;
}

/* ---- findings ---- */

static int32_t find(struct config *c, uint32_t code, const char *token, const char *value)
{
	return pdcfg_add_parse_finding(c->cfg, code, token == c->shown ? c->at : -1, token, value);
}

static int32_t refuse(struct config *c, uint32_t code, const char *token, const char *value)
{
	c->refused = true;
	return find(c, code, token, value);
}

/* What is wrong with a key, whose finding has no other place for the line. */
static int32_t refuse_key(struct config *c, uint32_t code, const struct yv_node *key, const char *text)
{
	size_t room = strlen(text) + 32;
	char *value = yv_get(&c->yaml, room);

	if (!value)
		return yv_no_memory(&c->yaml);
	snprintf(value, room, "%s (line %u)", text, (unsigned)key->line);
	return refuse(c, code, text, value);
}

/* What yaml or json raised. */
static int32_t refuse_yaml(struct config *c)
{
	char text[YV_WHY + 64];

	if (c->yaml.line)
		snprintf(text, sizeof text, "line %u, column %u: %s", (unsigned)c->yaml.line, (unsigned)c->yaml.column, c->yaml.why);
	else
		snprintf(text, sizeof text, "%s", c->yaml.why);
	*c->yaml.why = 0;
	c->yaml.line = 0;
	return refuse(c, CODE_UNREADABLE, c->shown, text);
}

static int32_t refuse_file(struct config *c, uint32_t code, const char *value)
{
	c->unread = true;
	return refuse(c, code, c->shown, value);
}

/* ---- from keys to words ---- */

static const char *option_of(struct config *c, const struct yv_node *key)
{
	struct yv_node with_dashes = *key;
	char *name = yv_get(&c->yaml, key->len + 3);
	const char *out;

	if (!name)
		return NULL;
	memcpy(name, "--", 2);
	memcpy(name + 2, key->text, key->len);
	with_dashes.text = name;
	with_dashes.len = key->len + 2;
	return yv_str(&c->yaml, &with_dashes, &out) == 0 ? out : NULL;
}

static int32_t add_text(struct config *c, struct yv_node *value, int32_t (*text)(struct yv *, struct yv_node *, const char **))
{
	const char *word;
	int32_t status = text(&c->yaml, value, &word);

	return status ? status : add_word(c, word, -1, value);
}

static int32_t add_list(struct config *c, const char *option, const struct yv_node *key, const struct yv_node *list)
{
	int32_t status = list->count ? add_word(c, option, -1, key) : find(c, CODE_EMPTY_LIST, option, "");

	for (size_t i = 0; i < list->count && !status; i++)
		status = add_text(c, list->items[i], yv_str);
	return status;
}

/* The elements of !!pairs are tuples: lists of one pair, as far as str() goes, in other brackets. */
static int32_t add_tuples(struct config *c, const char *option, const struct yv_node *key, const struct yv_node *list)
{
	int32_t status = list->count ? add_word(c, option, -1, key) : find(c, CODE_EMPTY_LIST, option, "");

	for (size_t i = 0; i < list->count && !status; i += 2) {
		struct yv_node one = *list;
		const char *text;
		char *word;
		size_t len;

		one.items = list->items + i;
		one.count = 2;
		status = yv_str(&c->yaml, &one, &text);
		if (status)
			return status;
		len = strlen(text) - 2; /* without the list's own brackets */
		word = yv_get(&c->yaml, len + 1);
		if (!word)
			return yv_no_memory(&c->yaml);
		memcpy(word, text + 1, len);
		word[len] = 0;
		status = add_word(c, word, -1, list);
	}
	return status;
}

static int32_t add_bool(struct config *c, const char *option, const struct yv_node *key, const struct yv_node *value)
{
	int32_t status;

	if (treatment_of(key) == AS_FLAG)
		return value->u.on ? add_word(c, option, -1, key) : find(c, CODE_FALSE_FLAG, option, "");
	status = add_word(c, option, -1, key);
	return status ? status : add_word(c, value->u.on ? "true" : "false", -1, value);
}

static int32_t remember_null(struct config *c, const char *option)
{
	struct null *n = yv_get(&c->yaml, sizeof *n);

	if (!n)
		return yv_no_memory(&c->yaml);
	*n = (struct null){ option, c->nulls };
	c->nulls = n;
	return 0;
}

static int32_t add_value(struct config *c, const char *option, const struct yv_node *key, struct yv_node *value)
{
	int32_t status;

	if (value->type == YV_NONE && (status = remember_null(c, option)) < 0)
		return status;
	switch (value->type) {
	case YV_BOOL:
		return add_bool(c, option, key, value);
	case YV_LIST:
		return add_list(c, option, key, value);
	case YV_TUPLES:
		return add_tuples(c, option, key, value);
	default:
		status = add_word(c, option, -1, key);
		return status ? status : add_text(c, value, value->type == YV_DICT ? yv_json : yv_str);
	}
}

/* Is it --help, or does it abbreviate that and nothing else? */
static bool means_help(const struct yv_node *key)
{
	return key->len >= 2 && key->len <= 4 && !memcmp(key->text, "help", key->len);
}

static int32_t add_pair(struct config *c, struct yv_node *key, struct yv_node *value)
{
	const char *option, *text;
	size_t before = c->count;
	int32_t status;

	if (key->type != YV_STR) {
		status = yv_str(&c->yaml, key, &text);
		return status < 0 ? status : refuse_key(c, CODE_KEY_NO_TEXT, key, status ? "" : text);
	}
	option = option_of(c, key);
	if (!option)
		return yv_no_memory(&c->yaml);
	if (treatment_of(key) == UNSUPPORTED)
		return refuse_key(c, CODE_KEY_UNSUPPORTED, key, option);
	c->has_help |= means_help(key);
	if (c->way == WITHOUT_HELP && means_help(key))
		return refuse(c, CODE_HELP, option, "");
	status = add_value(c, option, key, value);
	if (status != YV_RAISES)
		return status;
	c->count = before;
	return refuse_yaml(c);
}

static int32_t add_all(struct config *c, struct yv_node *root)
{
	int32_t status = 0;

	if (root && root->type != YV_NONE && root->type != YV_DICT)
		return refuse_file(c, CODE_NO_MAPPING, yv_type_name(root));
	if (root && root->count / 2 > PDCFG_ARGS_MAX)
		return PDCFG_E_LIMIT;
	for (size_t i = 0; root && root->type == YV_DICT && i < root->count && !status; i += 2)
		status = add_pair(c, root->items[i], root->items[i + 1]);
	return status;
}

/* ---- the file ---- */

/* The file's name for findings, which are UTF-8. */
static int32_t show(struct config *c)
{
	size_t len = strlen(c->file), i = 0;
	char *out = yv_get(&c->yaml, 3 * len + 1), *p = out;

	if (!out)
		return yv_no_memory(&c->yaml);
	while (i < len) {
		size_t n = pdcfg_utf8_valid(c->file + i, len - i);

		memcpy(p, c->file + i, n);
		p += n;
		i += n;
		if (i++ < len) {
			memcpy(p, "\xef\xbf\xbd", 3);
			p += 3;
		}
	}
	*p = 0;
	c->shown = out;
	return 0;
}

static int32_t read_stream(struct config *c, FILE *f, char **text, size_t *len)
{
	size_t room = 0, used = 0, got;
	char *all = NULL;

	do {
		if (used == room) {
			char *more = used > FL_FILE_MAX ? NULL : realloc(all, room = room ? 2 * room : 4096);

			if (!more) {
				free(all);
				return used > FL_FILE_MAX ? explain(c, PDCFG_FILES_E_LIMIT, "%s is larger than 64 MiB", c->file) :
							    explain(c, PDCFG_E_NOMEM, "out of memory");
			}
			all = more;
		}
		got = fread(all + used, 1, room - used, f);
		used += got;
	} while (got);
	*text = all;
	*len = used;
	return 0;
}

/* A file that SGLang could not open either becomes a finding, and *text stays NULL. */
static int32_t read_file(struct config *c, char **text, size_t *len)
{
	struct stat st;
	FILE *f;
	int32_t status;

	if (stat(c->file, &st) < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
		return refuse_file(c, CODE_FILE_MISSING, c->shown);
	errno = 0;
	f = fopen(c->file, "rb");
	if (!f && (errno == ENOMEM || errno == EMFILE || errno == ENFILE))
		return explain(c, PDCFG_FILES_E_READ, "%s: %s", c->file, strerror(errno));
	if (!f)
		return refuse_file(c, CODE_UNREADABLE, strerror(errno));
	status = read_stream(c, f, text, len);
	if (!status && ferror(f)) {
		free(*text);
		*text = NULL;
		status = errno == ENOMEM ? explain(c, PDCFG_E_NOMEM, "out of memory") : refuse_file(c, CODE_UNREADABLE, errno ? strerror(errno) : "it cannot be read");
	}
	fclose(f);
	return status;
}

/* ---- the whole ---- */

static int32_t merge(struct config *c, const char *yaml, size_t len)
{
	struct yv_node *root;
	size_t valid = pdcfg_utf8_valid(yaml, len); /* Python decodes the file before YAML sees it */
	int32_t status;

	if (valid < len) {
		snprintf(c->yaml.why, sizeof c->yaml.why, "byte %zu is no UTF-8", valid + 1);
		status = YV_RAISES;
	} else
		status = yv_load(&c->yaml, yaml, len, &root);
	c->unread = status != 0;
	if (status)
		return status < 0 ? status : refuse_yaml(c);
	return add_all(c, root);
}

/* without --config and its file; their place is negative when they stay */
static int32_t add_command_line(struct config *c, int32_t argc, const char *const *argv)
{
	int32_t status = 0;

	for (int32_t i = 0; i < argc && !status; i++) {
		if (c->at < 0 || i < c->at || i > c->at + 1)
			status = add_word(c, argv[i], i, NULL);
	}
	return status;
}

/* null for an option that takes any text is not refused, but hardly what was meant. */
static int32_t warn_about_nulls(struct config *c)
{
	int32_t status = 0;

	for (const struct null *n = c->nulls; n && !status; n = n->next) {
		uint32_t key = pdcfg_key_by_name(n->option);

		if (key && !strcmp(pdcfg_get_text(c->cfg, key), "None"))
			status = find(c, CODE_NULL_IS_NONE, n->option, "");
	}
	return status;
}

static int32_t parse(struct config *c, int32_t argc, const char *const *argv)
{
	int32_t status;

	if (c->unread) /* the core takes --config for a file that nobody read: what the words do not say is unknown */
		return pdcfg_parse_argv(c->cfg, argc, argv);
	status = add_command_line(c, argc, argv);
	if (!status)
		status = pdcfg_parse_merged(c->cfg, (int32_t)c->count, c->words, c->indexes, c->file, c->lines, c->columns);
	return status ? status : warn_about_nulls(c);
}

static int32_t attempt(struct config *c, int32_t argc, const char *const *argv, const char *yaml, size_t len)
{
	char *text = NULL;
	int32_t status = pdcfg_clone(c->caller, &c->cfg);

	if (!status)
		status = show(c);
	if (!status && !yaml && *c->file)
		status = read_file(c, &text, &len);
	if (!status && (yaml || text) && *c->file)
		status = merge(c, yaml ? yaml : text, len);
	free(text);
	return status || c->way == FINDINGS_ONLY ? status : parse(c, argc, argv);
}

static void end(struct config *c)
{
	yv_end(&c->yaml);
	free(c->words);
	free(c->indexes);
	free(c->lines);
	free(c->columns);
	pdcfg_free(c->cfg);
	*c = (struct config){ .caller = c->caller, .file = c->file, .at = c->at, .way = c->way, .why = c->why, .why_size = c->why_size };
}

/* --help ends SGLang, unless the merge has before. A key of the file that means --help is no help at all. */
static bool try_again(struct config *c, int32_t status)
{
	enum way way = c->way;

	if (status == 1)
		c->way = c->refused ? FINDINGS_ONLY : c->has_help ? WITHOUT_HELP : WHOLE;
	return c->way != way;
}

static int32_t with_file(struct config *c, int32_t argc, const char *const *argv, const char *yaml, size_t len)
{
	static const char *const help[] = { "--help" };
	int32_t status = attempt(c, argc, argv, yaml, len);

	while (try_again(c, status)) {
		end(c);
		status = attempt(c, argc, argv, yaml, len);
	}
	if (status == 0) {
		status = pdcfg_replace(c->caller, c->cfg);
		c->cfg = NULL;
	}
	end(c);
	return status == 1 ? pdcfg_parse_argv(c->caller, 1, help) : status;
}

enum { NO_CONFIG = -1, EMPTY_NAME = -2 };

/* The place of the one --config that has a YAML file behind it. An empty name is none, and SGLang leaves it to argparse, which takes it. */
static int32_t find_config(int32_t argc, const char *const *argv)
{
	int32_t at = NO_CONFIG;

	for (int32_t i = 0; i < argc; i++) {
		if (strcmp(argv[i], "--config") != 0)
			continue;
		if (at >= 0)
			return NO_CONFIG; /* the core speaks of it, and of the other mistakes around --config itself */
		at = i;
	}
	if (at < 0 || at + 1 == argc)
		return NO_CONFIG;
	return !*argv[at + 1] ? EMPTY_NAME : pdcfg_is_yaml_name(argv[at + 1]) ? at : NO_CONFIG;
}

static bool is_sound(int32_t argc, const char *const *argv)
{
	if (argc < 0 || argc > PDCFG_ARGS_MAX || (argc && !argv))
		return false;
	for (int32_t i = 0; i < argc; i++) {
		if (!argv[i])
			return false;
	}
	return true;
}

static int32_t parse_argv(pdcfg_t *cfg, int32_t argc, const char *const *argv, const char *yaml, size_t len, char *why, size_t why_size)
{
	struct config c = { .caller = cfg, .at = NO_CONFIG, .why = why, .why_size = why_size };
	int32_t status;

	if (why && why_size)
		*why = 0;
	if (cfg && is_sound(argc, argv))
		c.at = find_config(argc, argv);
	if (c.at == NO_CONFIG)
		status = pdcfg_parse_argv(cfg, argc, argv);
	else {
		c.file = c.at == EMPTY_NAME ? "" : argv[c.at + 1];
		status = with_file(&c, argc, argv, yaml, len);
	}
	if (status < 0 && why && why_size && !*why)
		explain(&c, status, "%s", status == PDCFG_FILES_E_LIMIT ? "the file of --config has too many values, or is nested deeper than 200 levels" :
								pdcfg_strerror(status));
	return status;
}

int32_t pdcfg_files_parse_argv(pdcfg_t *cfg, int32_t argc, const char *const *argv, char *why, size_t why_size)
{
	return parse_argv(cfg, argc, argv, NULL, 0, why, why_size);
}

int32_t pdcfg_files_parse_argv_bytes(pdcfg_t *cfg, int32_t argc, const char *const *argv, const char *yaml, size_t len, char *why, size_t why_size)
{
	if (!yaml && len)
		return PDCFG_E_INVALID;
	return parse_argv(cfg, argc, argv, yaml ? yaml : "", len, why, why_size);
}
