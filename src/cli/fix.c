/* Fixes in the words of a command line. */
#include "cli.h"
#include <stdlib.h>
#include <string.h>

/* What the finding says of a setting: index of the subject, -1 when it does not speak of it. */
static int subject_of(const struct server *s, size_t f, uint32_t key)
{
	for (size_t n = 0; n < pdcfg_finding_subjects(s->rep, f); n++) {
		if (pdcfg_subject_key(s->rep, f, n) == key)
			return (int)n;
	}
	return -1;
}

/* The option as the user wrote it, without a value that was joined to it. */
static void put_option(struct out *o, const struct server *s, size_t f, uint32_t key)
{
	int n = subject_of(s, f, key);
	const char *written = "";

	if (n >= 0 && pdcfg_subject_origin(s->rep, f, (size_t)n) == PDCFG_FROM_ARGUMENT)
		written = pdcfg_subject_origin_text(s->rep, f, (size_t)n);
	if (*written != '-')
		written = pdcfg_key_option(key);
	if (!*written)
		written = pdcfg_key_name(key);
	put_bytes(o, written, strcspn(written, "= "));
}

const char *written_value(const struct server *s, size_t f, size_t n)
{
	const char *value = pdcfg_subject_value(s->rep, f, n), *token = pdcfg_finding_parse_token(s->rep, f);

	/* what did not parse has no value; the finding that says so has the text */
	if (strcmp(value, pdcfg_subject_origin_text(s->rep, f, n)) != 0 && strcmp(value, "?") != 0)
		return value;
	return strncmp(token, "--", 2) ? token : "";
}

/* Of an option that is shortened to what several begin with, most mean the size: --pp, --dcp. */
const char *nearest_of(const struct server *s, size_t f)
{
	const char *token = pdcfg_finding_parse_token(s->rep, f);
	size_t n = strcspn(token, "=");

	if (pdcfg_finding_parse_class(s->rep, f) != PDCFG_PARSE_AMBIGUOUS)
		return pdcfg_finding_parse_nearest(s->rep, f);
	for (uint32_t key = pdcfg_key_next(0); key; key = pdcfg_key_next(key)) {
		const char *option = pdcfg_key_option(key);

		if (!strncmp(option, token, n) && !strcmp(option + n, "-size"))
			return option;
	}
	return "";
}

const struct variable *variable_of_finding(const struct server *s, size_t f, uint32_t *key)
{
	if (pdcfg_finding_phase(s->rep, f) != PDCFG_PHASE_PARSE)
		return NULL;
	*key = pdcfg_key_by_name(pdcfg_finding_parse_token(s->rep, f));
	for (size_t n = 0; !*key && n < pdcfg_finding_subjects(s->rep, f); n++)
		*key = pdcfg_subject_key(s->rep, f, n);
	return pdcfg_key_kind(*key) == PDCFG_KIND_ENVIRONMENT ? variable_of(s, pdcfg_key_option(*key)) : NULL;
}

static void put_argument_fix(struct out *o, const struct server *s, size_t f, uint32_t key, const char *value)
{
	int n = subject_of(s, f, key);
	bool given = pdcfg_is_set(s->cfg, key) == 1, flag = pdcfg_key_type(key) == PDCFG_TYPE_BOOL;

	if (flag && !strcmp(value, "False") && !strcmp(pdcfg_key_default(key), "False")) {
		put(o, "drop ");
		put_option(o, s, f, key);
		return;
	}
	put(o, given ? "use " : "add ");
	put_option(o, s, f, key);
	if (flag && !strcmp(value, "True"))
		return;
	put(o, " ");
	put_word(o, value);
	if (given && n >= 0 && *written_value(s, f, (size_t)n)) {
		put(o, " instead of ");
		put_safe(o, written_value(s, f, (size_t)n));
	}
}

static void put_edit(struct out *o, const struct server *s, size_t f, size_t fix, size_t edit)
{
	uint32_t key = pdcfg_edit_key(s->rep, f, fix, edit), kind = pdcfg_key_kind(key);
	const char *value = pdcfg_edit_value(s->rep, f, fix, edit);
	bool sets = pdcfg_edit_op(s->rep, f, fix, edit) == PDCFG_EDIT_SET;

	if (kind == PDCFG_KIND_ENVIRONMENT) {
		put_f(o, "%s %s", sets ? "set" : "unset", pdcfg_key_option(key));
		if (sets) {
			put(o, "=");
			put_word(o, value);
		}
	} else if (kind == PDCFG_KIND_ARGUMENT && sets) {
		put_argument_fix(o, s, f, key, value);
	} else if (kind == PDCFG_KIND_ARGUMENT) {
		put(o, "drop ");
		put_option(o, s, f, key);
	} else {
		put_f(o, "%s %s", sets ? "have" : "have no", pdcfg_key_name(key));
		if (sets) {
			put(o, " = ");
			put_safe(o, value);
		}
	}
}

static bool changes(const struct server *s, size_t f, size_t fix, size_t edit)
{
	uint32_t key = pdcfg_edit_key(s->rep, f, fix, edit);
	const char *value = pdcfg_edit_value(s->rep, f, fix, edit);
	int64_t number;

	if (pdcfg_edit_op(s->rep, f, fix, edit) != PDCFG_EDIT_SET || pdcfg_is_set(s->cfg, key) != 1)
		return true;
	if (pdcfg_key_type(key) == PDCFG_TYPE_TEXT)
		return strcmp(pdcfg_get_text(s->cfg, key), value) != 0;
	if (pdcfg_get_i64(s->cfg, key, &number) < 0)
		return true;
	if (pdcfg_key_type(key) == PDCFG_TYPE_BOOL)
		return strcmp(value, number ? "True" : "False") != 0;
	return number != strtoll(value, NULL, 10);
}

bool changes_anything(const struct server *s, size_t f, size_t fix, size_t edit)
{
	bool any = false;

	for (size_t i = 0; i < pdcfg_fix_edits(s->rep, f, fix); i++)
		any |= changes(s, f, fix, i);
	return !any || changes(s, f, fix, edit);
}

void put_fix(struct out *out, const struct server *s, size_t finding, size_t fix)
{
	bool first = true;

	for (size_t edit = 0; edit < pdcfg_fix_edits(s->rep, finding, fix); edit++) {
		if (!changes_anything(s, finding, fix, edit))
			continue;
		if (!first)
			put(out, " and ");
		first = false;
		put_edit(out, s, finding, fix, edit);
	}
}
