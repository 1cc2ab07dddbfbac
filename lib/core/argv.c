/*
 * The command line, read as Python's argparse reads it (CPython 3.11, no positional arguments, abbreviations allowed). argparse exits at the
 * first error; we note it and go on, in its order: ambiguous abbreviations anywhere, then the tokens from left to right, then what is
 * missing, then what no option took.
 */
#include <stdio.h>
#include <string.h>
#include "reading.h"

enum {
	HINTS_MAX = 64,       /* unknown options that get a hint: looking for one takes a while */
	CANDIDATES_MAX = 8,   /* of an ambiguous abbreviation, that are named and thought of as meant */
	HINT_BYTES = 256
};

enum shape {
	WORD,      /* a value, or nobody's */
	OPTION,
	UNKNOWN_OPTION,
	AMBIGUOUS,
	SEPARATOR, /* "--" */
	TAKEN      /* --config and its file, which SGLang takes away before argparse */
};

struct token {
	const char *text, *value; /* the value behind = or behind a letter, NULL for none */
	uint16_t name;            /* index in pdcfg_option_names; of an ambiguous one the first that fits */
	uint16_t fits;            /* how many do */
	uint8_t shape;
	bool left;                /* nobody took it */
};

/* where the tokens of a vector that a reader put together stand: at indexes[i] in what the user wrote, or, where that is -1, in a file */
struct places {
	const int32_t *indexes;
	const char *file;
	const uint32_t *lines, *columns;
};

struct parse {
	pdcfg_t *cfg;
	const struct places *places; /* NULL: every token stands where it is */
	struct token *tokens;
	int32_t count;
	int32_t last[FIELD_COUNT]; /* the last token that set a field, -1 */
	unsigned hints;
	bool config_unread;        /* --config FILE is there: what is not on the command line may be in the file */
	bool exits;
};

/* ---- what a token is: before anything is read ---- */

static const struct option *option_of(const struct token *t) { return &pdcfg_options[pdcfg_option_names[t->name].option]; }
static const char *name_of(const struct token *t) { return pdcfg_str(pdcfg_option_names[t->name].name); }
/* a token up to its = */
static size_t name_length(const char *s)
{
	const char *equals = strchr(s, '=');
	return equals ? (size_t)(equals - s) : strlen(s);
}

static bool exact(const char *name, size_t len, struct token *t)
{
	const struct option_name *known = pdcfg_option_name(name, len);
	if (!known) return false;
	t->name = (uint16_t)(known - pdcfg_option_names);
	t->fits = 1;
	t->shape = OPTION;
	return true;
}

/* --ab and --ab=c: every name that begins with --ab */
static void abbreviation(struct token *t)
{
	size_t len = name_length(t->text);
	unsigned first = pdcfg_first_name_from(t->text, len), last = first;
	while (last < OPTION_NAME_COUNT && !strncmp(pdcfg_str(pdcfg_option_names[last].name), t->text, len)) last++;
	t->fits = (uint16_t)(last - first);
	if (!t->fits) return;
	t->name = (uint16_t)first;
	t->shape = t->fits > 1 ? AMBIGUOUS : OPTION;
	t->value = t->text[len] ? t->text + len + 1 : NULL;
}

/* the order of the questions is argparse's */
static void classify(struct token *t)
{
	size_t len = strlen(t->text), name = name_length(t->text);
	t->shape = WORD;
	if (t->text[0] != '-' || exact(t->text, len, t) || len == 1) return;
	if (name < len && exact(t->text, name, t)) {
		t->value = t->text + name + 1;
		return;
	}
	if (t->text[1] == '-') abbreviation(t);
	else if (exact(t->text, 2, t)) t->value = t->text + 2; /* -hx is -h with x behind it */
	if (t->shape != WORD || pdcfg_is_negative_number(t->text, len) || memchr(t->text, ' ', len)) return;
	t->shape = UNKNOWN_OPTION;
}

static void classify_all(struct parse *p)
{
	int32_t i = 0;
	for (; i < p->count && strcmp(p->tokens[i].text, "--"); i++)
		if (p->tokens[i].shape != TAKEN) classify(&p->tokens[i]);
	if (i < p->count && p->tokens[i].shape != TAKEN) p->tokens[i++].shape = SEPARATOR; /* after it all are words */
	for (; i < p->count; i++)
		if (p->tokens[i].shape != TAKEN) p->tokens[i].shape = WORD;
}

static bool in_file(const struct parse *p, int32_t i) { return p->places && p->places->indexes[i] < 0; }

/* the token after this one that argparse still sees */
static int32_t following(const struct parse *p, int32_t i)
{
	do i++; while (i < p->count && p->tokens[i].shape == TAKEN);
	return i;
}

/* ---- notes without an option ---- */

static int32_t note_token(struct parse *p, int32_t i, unsigned code, unsigned parse_class, const char *nearest, const char *value)
{
	const char *s = p->tokens[i].text;
	struct note note = { .code = (uint16_t)code, .option = OPTION_COUNT, .parse_class = (uint8_t)parse_class, .index = i };
	int32_t status;
	if ((status = pdcfg_keep(p->cfg, s, strlen(s), &note.token)) < 0) return status;
	if ((status = pdcfg_intern(p->cfg, nearest, strlen(nearest), &note.nearest)) < 0) return status;
	if ((status = pdcfg_keep(p->cfg, value, strlen(value), &note.value)) < 0) return status;
	return pdcfg_add_note(p->cfg, &note);
}

static void put(char *out, size_t *used, const char *s)
{
	size_t n = strlen(s);
	if (n > HINT_BYTES - 1 - *used) n = HINT_BYTES - 1 - *used;
	memcpy(out + *used, s, n);
	out[*used += n] = 0;
}

static int32_t note_ambiguous(struct parse *p, int32_t i)
{
	const struct token *t = &p->tokens[i];
	char value[HINT_BYTES] = "";
	size_t used = 0;
	for (unsigned n = 0; n < t->fits; n++) {
		const char *name = pdcfg_str(pdcfg_option_names[t->name + n].name);
		bool more = n + 1 < t->fits;
		if (n == CANDIDATES_MAX || used + strlen(name) + 24 > HINT_BYTES) {
			put(value, &used, " or others");
			break;
		}
		if (n) put(value, &used, more ? ", " : " or ");
		put(value, &used, name);
	}
	return note_token(p, i, CODE_argparse_ambiguous_abbreviation, PDCFG_PARSE_AMBIGUOUS, "", value);
}

/* " (line 7 of the file of --config)" for a token that stands there; of a key the message says as much */
static void put_place(const struct parse *p, int32_t i, bool key, char *out, size_t *used)
{
	char line[16];
	if (!in_file(p, i)) return;
	snprintf(line, sizeof line, "%lu", (unsigned long)p->places->lines[i]);
	put(out, used, " (line ");
	put(out, used, line);
	put(out, used, key ? ")" : " of the file of --config)");
}

/* ---- --config: SGLang reads the file and takes the two tokens away ---- */

static struct use use_of(const struct parse *p, int32_t i)
{
	const struct token *t = &p->tokens[i];
	size_t len = t->value && t->text[1] != '-' ? 2 : t->value ? name_length(t->text) : strlen(t->text);
	return (struct use){ .option = option_of(t), .name = t->text, .name_len = len, .matched = name_of(t), .index = i,
	                     .value_index = t->value ? i : following(p, i), .kind = PDCFG_FROM_ARGUMENT };
}

static int32_t note_config(struct parse *p, int32_t i, unsigned code, const char *file)
{
	struct use use = use_of(p, i);
	return pdcfg_note_option(p->cfg, &use, code, PDCFG_PARSE_OTHER, p->tokens[i].text, file);
}

/* a reader of files found what SGLang stops at, before these arguments: then it need not be said that the file was not read */
static bool was_refused(const pdcfg_t *cfg)
{
	for (uint32_t i = 0; i < cfg->note_count; i++)
		if (!cfg->notes[i].warning) return true;
	return false;
}

static int32_t take_config(struct parse *p, int32_t i)
{
	const char *file = p->tokens[i + 1].text;
	struct use use = use_of(p, i);
	int32_t status;
	if (!pdcfg_is_yaml_name(file)) return note_config(p, i, CODE_config_not_yaml_suffix, file);
	p->config_unread = true;
	if (!was_refused(p->cfg) && (status = pdcfg_warn_option(p->cfg, &use, CODE_config_file_not_read, "", 0, file)) < 0) return status;
	if ((status = pdcfg_take_option(p->cfg, &use, &file, 1)) < 0) return status;
	p->tokens[i].shape = p->tokens[i + 1].shape = TAKEN;
	return PDCFG_OK;
}

/* The caller that has merged the file into the arguments leaves --config out. */
static int32_t look_for_config(struct parse *p)
{
	int32_t first = -1, found = 0;
	struct token t = { .text = "" };
	if (!exact("--config", 8, &t)) return PDCFG_OK;
	for (int32_t i = 0; i < p->count; i++) {
		if (strcmp(p->tokens[i].text, "--config")) continue;
		p->tokens[i].name = t.name;
		if (first < 0) first = i;
		else if (++found == 1) {
			int32_t status = note_config(p, i, CODE_config_more_than_one, "");
			if (status < 0) return status;
		}
	}
	if (first < 0 || found) return PDCFG_OK;
	return first + 1 == p->count ? note_config(p, first, CODE_config_flag_without_file, "") : take_config(p, first);
}

/* what is not on the command line may stand in the file */
static int32_t forget_the_rest(struct parse *p)
{
	struct origin from = { .index = -1 };
	for (unsigned f = 1; f < FIELD_COUNT; f++)
		if (pdcfg_fields[f].kind == PDCFG_KIND_ARGUMENT && p->last[f] < 0 && !bit_get(p->cfg->given, f)) pdcfg_forget(p->cfg, f, &from);
	return PDCFG_OK;
}

/* ---- argparse: the options from left to right ---- */

/* abbreviated or repeated: both are accepted */
static int32_t warn_about_use(struct parse *p, const struct use *use)
{
	int32_t status = PDCFG_OK, before = p->last[use->option->field];
	if (strlen(use->matched) != use->name_len) /* an exact name has the same length as what it matched */
		status = pdcfg_warn_option(p->cfg, use, CODE_argparse_abbreviation_accepted, use->matched, strlen(use->matched), NULL);
	if (status >= 0 && use->option->field == F_config && !p->config_unread)
		status = pdcfg_warn_option(p->cfg, use, in_file(p, use->index) ? CODE_config_key_config_ignored : CODE_config_equals_form_ignored, "", 0, NULL);
	if (status < 0 || before < 0) return status;
	bool wins = in_file(p, before) && !in_file(p, use->index);
	struct note note = { .code = wins ? CODE_config_cli_wins : CODE_argparse_repeated_option_last_wins, .option = (uint16_t)pdcfg_number_of(use->option),
	                     .field = use->option->field, .warning = true, .index = use->index };
	const char *earlier = p->tokens[before].text;
	if ((status = pdcfg_keep(p->cfg, use->name, use->name_len, &note.token)) < 0) return status;
	if ((status = pdcfg_keep(p->cfg, earlier, name_length(earlier), &note.value)) < 0) return status;
	return pdcfg_add_note(p->cfg, &note);
}

static int32_t take(struct parse *p, const struct use *use, const char *const *values, size_t count)
{
	int32_t status = warn_about_use(p, use);
	if (status >= 0) status = pdcfg_take_option(p->cfg, use, values, count);
	if (use->option->field) p->last[use->option->field] = use->index;
	return status;
}

/* what would have to follow but does not */
static int32_t note_missing(struct parse *p, const struct use *use, int32_t next)
{
	char value[HINT_BYTES] = "";
	size_t used = 0;
	bool one = use->option->nargs == NARGS_ONE;
	int32_t status;
	if (next < p->count) {
		const char *s = p->tokens[next].text;
		size_t len = name_length(s);
		if (len < HINT_BYTES / 2) {
			char word[HINT_BYTES / 2];
			memcpy(word, s, len);
			word[len] = 0;
			put(value, &used, "; ");
			put(value, &used, word);
			put(value, &used, p->tokens[next].shape == OPTION ? " behind it is an option" : " behind it counts as an option");
		}
	}
	status = pdcfg_note_option(p->cfg, use, one ? CODE_argparse_expected_one_argument : CODE_argparse_expected_at_least_one,
	                           one ? PDCFG_PARSE_ONE_ARGUMENT : PDCFG_PARSE_ARGUMENTS, use->name, value);
	if (status >= 0) status = warn_about_use(p, use);
	if (status < 0) return status;
	struct origin from;
	if ((status = pdcfg_origin_of(p->cfg, use, &from)) < 0) return status;
	pdcfg_put(p->cfg, use->option->field, UNKNOWN, &from); /* no text to ask about: it cannot fail */
	p->last[use->option->field] = use->index;
	return PDCFG_OK;
}

/* -hh, and -hx, which is no option: letters behind a switch are switches. Only -h has one dash, so x is refused in its name. */
static int32_t take_letters(struct parse *p, int32_t i)
{
	const struct token *t = &p->tokens[i];
	struct use use = use_of(p, i);
	const char *rest = t->value;
	while (*rest) {
		char name[3] = { '-', *rest, 0 };
		struct token other = { .text = name };
		if (!exact(name, 2, &other)) break;
		if (!*++rest) {
			p->exits = true;
			return PDCFG_OK;
		}
	}
	return pdcfg_note_option(p->cfg, &use, CODE_argparse_flag_takes_no_value, PDCFG_PARSE_EXPLICIT_ARGUMENT, t->text, rest);
}

/* --option=value */
static int32_t take_explicit(struct parse *p, int32_t i)
{
	const struct token *t = &p->tokens[i];
	struct use use = use_of(p, i);
	if (use.option->nargs != NARGS_NO_VALUE) return take(p, &use, &t->value, strcmp(t->value, "--") != 0); /* argparse drops a -- */
	if (t->text[1] != '-' && *t->value) return take_letters(p, i);
	int32_t status = pdcfg_note_option(p->cfg, &use, CODE_argparse_flag_takes_no_value, PDCFG_PARSE_EXPLICIT_ARGUMENT, t->text, t->value);
	if (use.option->field) p->last[use.option->field] = i;
	return status;
}

/* the words behind token i that its option takes, as pointers one after the other; 0 when there are too few */
static size_t collect(struct parse *p, int32_t i, const char **values)
{
	unsigned nargs = option_of(&p->tokens[i])->nargs;
	size_t most = nargs == NARGS_NO_VALUE ? 0 : nargs == NARGS_ONE || nargs == NARGS_MAYBE ? 1 : (size_t)p->count, n = 0;
	for (i = following(p, i); n < most && i < p->count && p->tokens[i].shape == WORD; i = following(p, i)) {
		values[n++] = p->tokens[i].text;
		p->tokens[i].left = false;
	}
	return n;
}

static int32_t take_one(struct parse *p, int32_t i, const char **values)
{
	struct token *t = &p->tokens[i];
	unsigned nargs = option_of(t)->nargs;
	t->left = false;
	if (t->value) return take_explicit(p, i);
	struct use use = use_of(p, i);
	size_t count = collect(p, i, values);
	if (!count && (nargs == NARGS_ONE || nargs == NARGS_SOME)) return note_missing(p, &use, following(p, i));
	if (use.option->action == ACT_HELP) p->exits = true;
	return p->exits ? PDCFG_OK : take(p, &use, values, count);
}

/* Nobody knows which option was meant: words behind an ambiguous one would be its values, and are nothing to complain about. */
static void skip_values(struct parse *p, int32_t i)
{
	if (strchr(p->tokens[i].text, '=')) return;
	for (i = following(p, i); i < p->count && p->tokens[i].shape == WORD; i = following(p, i)) p->tokens[i].left = false;
}

static int32_t take_all(struct parse *p, const char **values, uint32_t before)
{
	int32_t status = PDCFG_OK;
	for (int32_t i = 0; i < p->count && status >= 0; i++) {
		if (p->tokens[i].shape == AMBIGUOUS) status = note_ambiguous(p, i);
	}
	for (int32_t i = 0; i < p->count && status >= 0; i++) {
		struct token *t = &p->tokens[i];
		if (t->shape == OPTION) status = take_one(p, i, values);
		if (t->shape == UNKNOWN_OPTION || t->shape == AMBIGUOUS) skip_values(p, i);
		if (t->shape == AMBIGUOUS || t->shape == TAKEN) t->left = false;
		if (!p->exits) continue;
		/* argparse comes to --help only when nothing before it was wrong */
		for (uint32_t n = before; n < p->cfg->note_count && p->exits; n++) p->exits = p->cfg->notes[n].warning;
		if (p->exits) break;
	}
	return status;
}

/* ---- argparse: what is missing, and what is left ---- */

static int32_t note_required(struct parse *p)
{
	for (unsigned o = 0; o < OPTION_COUNT; o++) {
		const struct option *option = &pdcfg_options[o];
		if (!option->required || p->last[option->field] >= 0 || p->config_unread || bit_get(p->cfg->given, option->field)) continue;
		struct use use = { .option = option, .index = -1 };
		int32_t status = pdcfg_note_option(p->cfg, &use, CODE_argparse_model_path_required, PDCFG_PARSE_REQUIRED, "", "");
		if (status < 0) return status;
	}
	return PDCFG_OK;
}

/* -tp 8: one dash too few */
static const char *with_another_dash(const char *s, size_t len)
{
	char name[HINT_BYTES / 2] = "-";
	struct token t = { .text = name };
	if (s[1] == '-' || len + 2 > sizeof name) return "";
	memcpy(name + 1, s, len);
	name[len + 1] = 0;
	classify(&t);
	return t.shape == OPTION ? name_of(&t) : "";
}

/* names of options that hold secrets are near to what is misspelt here: a value behind = is then not repeated */
static bool may_be_secret(const char *s, size_t len)
{
	static const char *const marks[] = { "key", "password", "secret", "token" };
	for (size_t m = 0; m < sizeof marks / sizeof *marks; m++)
		for (size_t i = 0, n = strlen(marks[m]); i + n <= len; i++)
			if (!memcmp(s + i, marks[m], n)) return true;
	return false;
}

static int32_t note_unknown_option(struct parse *p, int32_t i)
{
	const char *s = p->tokens[i].text, *nearest = "";
	size_t len = name_length(s), used = 0;
	char value[HINT_BYTES] = "";
	bool key = in_file(p, i) && s[1] == '-';
	int32_t status;
	put_place(p, i, key, value, &used);
	if (p->hints++ < HINTS_MAX) {
		nearest = with_another_dash(s, len);
		if (!*nearest) nearest = pdcfg_nearest_option(s, len);
	}
	if (*nearest) {
		put(value, &used, "; did you mean ");
		put(value, &used, nearest);
		put(value, &used, "?");
	}
	struct note note = { .code = key ? CODE_config_key_underscore_or_unknown : CODE_argparse_unrecognized, .option = OPTION_COUNT,
	                     .parse_class = PDCFG_PARSE_UNRECOGNIZED, .index = i };
	if ((status = pdcfg_keep(p->cfg, s, may_be_secret(s, len) ? len : strlen(s), &note.token)) < 0) return status;
	if ((status = pdcfg_intern(p->cfg, nearest, strlen(nearest), &note.nearest)) < 0) return status;
	if ((status = pdcfg_intern(p->cfg, value, used, &note.value)) < 0) return status;
	return pdcfg_add_note(p->cfg, &note);
}

static int32_t note_stray(struct parse *p, int32_t i)
{
	const struct token *before = i ? &p->tokens[i - 1] : NULL;
	char value[HINT_BYTES] = "";
	size_t used = 0;
	put_place(p, i, false, value, &used);
	if (before && before->shape == OPTION && option_of(before)->nargs == NARGS_NO_VALUE) {
		put(value, &used, "; ");
		put(value, &used, name_of(before));
		put(value, &used, " before it is a switch");
	}
	return note_token(p, i, CODE_argparse_stray_word, PDCFG_PARSE_UNRECOGNIZED, "", value);
}

static int32_t note_left(struct parse *p)
{
	int32_t status = PDCFG_OK;
	for (int32_t i = 0; i < p->count && status >= 0; i++) {
		if (!p->tokens[i].left) continue;
		status = p->tokens[i].shape == UNKNOWN_OPTION ? note_unknown_option(p, i) : note_stray(p, i);
	}
	return status;
}

/* ---- tokens that stand elsewhere ---- */

static int32_t move_origin(struct parse *p, int32_t i, struct origin *from)
{
	int64_t file;
	if (!p->places) return PDCFG_OK;
	from->index = p->places->indexes[i];
	if (from->index >= 0) return PDCFG_OK;
	int32_t status = pdcfg_keep(p->cfg, p->places->file, strlen(p->places->file), &file);
	if (status < 0) return status;
	*from = (struct origin){ (uint32_t)file, from->said, -1, p->places->lines[i], p->places->columns[i], PDCFG_FROM_FILE };
	return PDCFG_OK;
}

/* last of all: until then an index is that of a token */
static int32_t move_all(struct parse *p, uint32_t first_note)
{
	int32_t status = PDCFG_OK;
	for (uint32_t n = first_note; p->places && n < p->cfg->note_count; n++) {
		int32_t i = p->cfg->notes[n].index;
		if (i >= 0 && i < p->count) p->cfg->notes[n].index = p->places->indexes[i];
	}
	for (unsigned f = 1; p->places && f < FIELD_COUNT && status >= 0; f++)
		if (p->last[f] >= 0 && p->cfg->origin[f].kind == PDCFG_FROM_ARGUMENT) status = move_origin(p, p->last[f], &p->cfg->origin[f]);
	return status;
}

/* Settings that were probably meant by a token that was not understood, and that no other token gives: nobody knows their values. */
static int32_t forget_meant(struct parse *p, int32_t i, const char *name)
{
	struct token t = { .text = name };
	struct use use = { .name = p->tokens[i].text, .name_len = name_length(p->tokens[i].text), .index = i, .kind = PDCFG_FROM_ARGUMENT };
	struct origin from;
	if (!exact(name, strlen(name), &t)) return PDCFG_OK;
	unsigned field = option_of(&t)->field;
	int32_t status = pdcfg_origin_of(p->cfg, &use, &from);
	if (status >= 0) status = move_origin(p, i, &from);
	if (status >= 0 && field && p->last[field] < 0) pdcfg_forget(p->cfg, field, &from);
	return status;
}

static int32_t forget_all_meant(struct parse *p, uint32_t first_note)
{
	int32_t status = PDCFG_OK;
	for (int32_t i = 0; i < p->count && status >= 0; i++) {
		const struct token *t = &p->tokens[i];
		if (t->shape != AMBIGUOUS || t->fits > CANDIDATES_MAX) continue;
		for (unsigned n = 0; n < t->fits && status >= 0; n++) status = forget_meant(p, i, pdcfg_str(pdcfg_option_names[t->name + n].name));
	}
	for (uint32_t n = first_note; n < p->cfg->note_count && status >= 0; n++) {
		size_t len;
		const struct note *note = &p->cfg->notes[n];
		if ((note->code != CODE_argparse_unrecognized && note->code != CODE_config_key_underscore_or_unknown) || !note->nearest) continue;
		status = forget_meant(p, note->index, pdcfg_pool_text(&p->cfg->pool, note->nearest, &len));
	}
	return status;
}

/* ---- after argparse ---- */

/* getattr(logging, level.upper()), which must be a number */
static int32_t check_log_level(struct parse *p)
{
	static const char *const levels[] = { "critical", "fatal", "error", "warning", "warn", "info", "debug", "notset" };
	int32_t i = p->last[F_log_level];
	if (i < 0 || p->cfg->v[F_log_level] == UNKNOWN) return PDCFG_OK;
	struct use use = use_of(p, i);
	const char *text = p->tokens[i].value ? p->tokens[i].value : p->tokens[use.value_index].text;
	for (size_t n = 0; n < sizeof levels / sizeof *levels; n++)
		if (same_lower(text, levels[n])) return PDCFG_OK;
	bool name = same_lower(text, "basic_format");
	use.index = use.value_index;
	return pdcfg_note_option(p->cfg, &use, name ? CODE_argparse_log_level_not_a_level : CODE_argparse_bad_log_level, PDCFG_PARSE_OTHER, text, text);
}

static int32_t parse(struct parse *p, const char **values)
{
	uint32_t before = p->cfg->note_count;
	int32_t status = p->places ? PDCFG_OK : look_for_config(p);
	classify_all(p);
	if (status >= 0) status = take_all(p, values, before);
	if (status < 0 || p->exits) return status;
	if ((status = note_required(p)) < 0) return status;
	if ((status = note_left(p)) < 0) return status;
	if ((status = forget_all_meant(p, before)) < 0) return status;
	if (p->config_unread && (status = forget_the_rest(p)) < 0) return status;
	status = check_log_level(p);
	return status < 0 ? status : move_all(p, before);
}

/* everything that can be wrong with what the caller hands in */
static int32_t check_arguments(const pdcfg_t *cfg, int32_t argc, const char *const *argv)
{
	if (!cfg || argc < 0 || (argc && !argv)) return PDCFG_E_INVALID;
	if (argc > PDCFG_ARGS_MAX) return PDCFG_E_LIMIT;
	for (int32_t i = 0; i < argc; i++) {
		if (!argv[i]) return PDCFG_E_INVALID;
		if (!memchr(argv[i], 0, PDCFG_TEXT_MAX + 1)) return PDCFG_E_LIMIT;
	}
	return PDCFG_OK;
}

/* p stands for the copy; what it needs besides is one block: the tokens, and pointers to the values of an option */
static int32_t parse_into(pdcfg_t *copy, int32_t argc, const char *const *argv, const struct places *places, bool *exits)
{
	struct parse p = { .cfg = copy, .places = places, .count = argc };
	size_t room = (size_t)argc + 1, size = room * (sizeof *p.tokens + sizeof(char *));
	int32_t status = PDCFG_E_NOMEM;
	for (unsigned f = 0; f < FIELD_COUNT; f++) p.last[f] = -1;
	p.tokens = pdcfg_mem_get(&copy->mem, size);
	if (p.tokens) {
		for (int32_t i = 0; i < argc; i++) p.tokens[i] = (struct token){ .text = argv[i], .left = true };
		status = parse(&p, (const char **)(p.tokens + room));
	}
	pdcfg_mem_put(&copy->mem, p.tokens, size);
	*exits = p.exits;
	return status;
}

/* nothing has been said yet: what goes wrong can be undone by starting over */
static bool is_fresh(const pdcfg_t *cfg)
{
	uint64_t given = 0;
	for (unsigned w = 0; w < BIT_WORDS(CELL_COUNT); w++) given |= cfg->given[w];
	return !given && !cfg->note_count && !cfg->pool.count;
}

/* on a copy, so that a failure changes nothing; a fresh handle needs none */
static int32_t parse_placed(pdcfg_t *cfg, int32_t argc, const char *const *argv, const struct places *places)
{
	pdcfg_t *copy = cfg;
	bool fresh = cfg && is_fresh(cfg), exits = false;
	int32_t status = check_arguments(cfg, argc, argv);
	if (status < 0) return status;
	if (!fresh && (status = pdcfg_clone(cfg, &copy)) < 0) return status;
	status = parse_into(copy, argc, argv, places, &exits);
	if (fresh && (status < 0 || exits)) pdcfg_reset(cfg);
	else if (!fresh && status >= 0 && !exits) pdcfg_swap(cfg, copy);
	if (!fresh) pdcfg_free(copy);
	return status < 0 ? status : exits; /* SGLang prints its help, and nothing else counts */
}

int32_t pdcfg_parse_argv(pdcfg_t *cfg, int32_t argc, const char *const *argv) { return parse_placed(cfg, argc, argv, NULL); }

int32_t pdcfg_parse_merged(pdcfg_t *cfg, int32_t argc, const char *const *argv, const int32_t *indexes, const char *file, const uint32_t *lines,
                           const uint32_t *columns)
{
	const struct places places = { indexes, file, lines, columns };
	if (argc > 0 && (!indexes || !file || !lines || !columns)) return PDCFG_E_INVALID;
	return parse_placed(cfg, argc, argv, &places);
}
