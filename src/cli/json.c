/* The report as JSON. Minor versions of the format only add members. */
#include "cli.h"
#include "jsonout.h"
#include <stdlib.h>
#include <string.h>

struct json_object *json_word(const char *text)
{
	char *safe = safe_text(text); /* no invalid UTF-8, nothing that a terminal would obey */
	struct json_object *j = json_object_new_string(safe ? safe : "");

	free(safe);
	return j;
}

void json_add_word(struct json_object *to, const char *name, const char *text) { json_object_object_add(to, name, json_word(text)); }
void json_add_int(struct json_object *to, const char *name, int64_t n) { json_object_object_add(to, name, json_object_new_int64(n)); }
void json_add_bool(struct json_object *to, const char *name, bool b) { json_object_object_add(to, name, json_object_new_boolean(b)); }
void json_add_null(struct json_object *to, const char *name) { json_object_object_add(to, name, NULL); }

/* "" becomes null */
void json_add_maybe(struct json_object *to, const char *name, const char *text)
{
	if (*text)
		json_add_word(to, name, text);
	else
		json_add_null(to, name);
}

void json_add_id(struct json_object *to, uint32_t code)
{
	char id[16];
	struct out b = { 0 };

	put_f(&b, "PD%u", (unsigned)code);
	memcpy(id, b.s ? b.s : "", b.s && b.n < sizeof id ? b.n + 1 : 1);
	end_out(&b);
	json_add_int(to, "code", code);
	json_add_word(to, "id", id);
	json_add_word(to, "rule", pdcfg_rule_text(code, PDCFG_TEXT_RULE));
}

struct json_object *json_head(void)
{
	struct json_object *j = json_object_new_object(), *tool = json_object_new_object();

	json_add_word(j, "format_version", "1.0");
	json_add_word(tool, "name", "pdcfg");
	json_add_word(tool, "version", pdcfg_version_text());
	json_object_object_add(j, "tool", tool);
	json_add_word(j, "sglang_version", pdcfg_sglang_version());
	return j;
}

void json_write(struct out *out, struct json_object *j)
{
	const char *text = json_object_to_json_string_ext(j, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE | JSON_C_TO_STRING_SPACED);

	out->failed |= !text;
	put(out, text ? text : "");
	put(out, "\n");
	json_object_put(j);
}

/* ---- one finding -------------------------------------------------------------------------------------------------- */

static struct json_object *origin(const struct server *s, size_t f, size_t n)
{
	struct json_object *j = json_object_new_object();
	int64_t index = pdcfg_subject_index(s->rep, f, n);
	int32_t word = word_of(s, index);
	uint32_t code = pdcfg_subject_origin_code(s->rep, f, n);

	json_add_word(j, "kind", pdcfg_origin_name(pdcfg_subject_origin(s->rep, f, n)));
	json_add_maybe(j, "text", pdcfg_subject_origin_text(s->rep, f, n));
	if (index >= 0)
		json_add_int(j, "index", word >= s->launch.first ? word - s->launch.first : index);
	if (pdcfg_subject_line(s->rep, f, n)) {
		json_add_int(j, "line", pdcfg_subject_line(s->rep, f, n));
		if (pdcfg_subject_column(s->rep, f, n))
			json_add_int(j, "column", pdcfg_subject_column(s->rep, f, n));
	}
	if (code)
		json_add_id(j, code);
	return j;
}

/* "?" for what is unknown because it did not parse */
static const char *shown_value(const struct server *s, size_t f, size_t n)
{
	const char *value = pdcfg_subject_value(s->rep, f, n), *written = written_value(s, f, n);

	return *written || !*value ? written : "?";
}

static struct json_object *settings(const struct server *s, size_t f)
{
	struct json_object *all = json_object_new_array();

	for (size_t n = 0; n < pdcfg_finding_subjects(s->rep, f); n++) {
		struct json_object *j = json_object_new_object();

		json_add_word(j, "field", pdcfg_key_name(pdcfg_subject_key(s->rep, f, n)));
		json_add_word(j, "value", shown_value(s, f, n));
		json_object_object_add(j, "origin", origin(s, f, n));
		json_object_array_add(all, j);
	}
	return all;
}

struct json_object *json_fixes(const struct server *s, size_t f)
{
	struct json_object *all = json_object_new_array();

	for (size_t i = 0; i < pdcfg_finding_fixes(s->rep, f); i++) {
		struct json_object *fix = json_object_new_array();

		for (size_t e = 0; e < pdcfg_fix_edits(s->rep, f, i); e++) {
			bool sets = pdcfg_edit_op(s->rep, f, i, e) == PDCFG_EDIT_SET;
			struct json_object *j;

			if (!changes_anything(s, f, i, e))
				continue;
			j = json_object_new_object();
			json_add_word(j, "op", sets ? "set" : "unset");
			json_add_word(j, "field", pdcfg_key_name(pdcfg_edit_key(s->rep, f, i, e)));
			if (sets)
				json_add_word(j, "value", pdcfg_edit_value(s->rep, f, i, e));
			json_object_array_add(fix, j);
		}
		json_object_array_add(all, fix);
	}
	return all;
}

static struct json_object *parse(const struct server *s, size_t f)
{
	struct json_object *j = json_object_new_object();
	int64_t index = pdcfg_finding_parse_index(s->rep, f);
	int32_t word = word_of_finding(s, f);
	struct place place = place_of(s, f);

	json_add_word(j, "class", pdcfg_parse_class_name(pdcfg_finding_parse_class(s->rep, f)));
	json_add_maybe(j, "option", pdcfg_finding_parse_option(s->rep, f));
	json_add_int(j, "index", word >= s->launch.first ? word - s->launch.first : index);
	if (place.file) {
		json_add_word(j, "file", place.file);
		json_add_int(j, "line", place.line);
		if (place.column)
			json_add_int(j, "column", place.column);
	}
	json_add_maybe(j, "token", pdcfg_finding_parse_token(s->rep, f));
	json_add_maybe(j, "nearest", nearest_of(s, f));
	return j;
}

static struct json_object *finding(const struct server *s, size_t f)
{
	struct json_object *j = json_object_new_object();
	uint32_t cause = pdcfg_finding_caused_by(s->rep, f);

	json_add_id(j, pdcfg_finding_code(s->rep, f));
	json_add_word(j, "severity", severity_of(s, f) == NOTE ? "note" : pdcfg_severity_name(severity_of(s, f)));
	json_add_word(j, "phase", pdcfg_phase_name(pdcfg_finding_phase(s->rep, f)));
	json_add_word(j, "confidence", pdcfg_confidence_name(confidence_of(s, f)));
	json_add_maybe(j, "exception", pdcfg_finding_exception(s->rep, f));
	json_add_word(j, "message", pdcfg_finding_message(s->rep, f));
	json_add_word(j, "summary", pdcfg_finding_summary(s->rep, f));
	json_add_word(j, "why", pdcfg_finding_why(s->rep, f));
	json_object_object_add(j, "settings", settings(s, f));
	json_object_object_add(j, "fixes", json_fixes(s, f));
	json_add_maybe(j, "caused_by", cause ? pdcfg_rule_text(cause, PDCFG_TEXT_RULE) : "");
	json_add_word(j, "upstream", pdcfg_finding_upstream(s->rep, f));
	if (pdcfg_finding_parse_class(s->rep, f))
		json_object_object_add(j, "parse", parse(s, f));
	return j;
}

/* ---- one server --------------------------------------------------------------------------------------------------- */

static struct json_object *unevaluated(const struct server *s)
{
	struct json_object *all = json_object_new_array();

	for (size_t i = 0; i < pdcfg_report_unevaluated(s->rep); i++) {
		struct json_object *j = json_object_new_object(), *needs = json_object_new_array();

		json_add_word(j, "rule", pdcfg_rule_text(pdcfg_unevaluated_code(s->rep, i), PDCFG_TEXT_RULE));
		for (size_t n = 0; n < pdcfg_unevaluated_needs(s->rep, i); n++)
			json_object_array_add(needs, json_word(pdcfg_key_name(pdcfg_unevaluated_need(s->rep, i, n))));
		json_object_object_add(j, "needs", needs);
		json_object_array_add(all, j);
	}
	return all;
}

struct json_object *json_words(const struct launch_words *words)
{
	struct json_object *all = json_object_new_array();

	for (size_t i = 0; i < words->n; i++)
		json_object_array_add(all, json_word(words->v[i]));
	return all;
}

static struct json_object *ignored(const struct options *o)
{
	struct json_object *all = json_object_new_array();

	for (size_t i = 0; i < o->ignore.n; i++) {
		struct json_object *j = json_object_new_object();

		json_add_id(j, o->ignore.v[i]);
		json_add_bool(j, "fired", o->ignore.used[i]);
		json_object_array_add(all, j);
	}
	return all;
}

static struct json_object *lacking(const struct options *o, const struct server *s)
{
	static const char *const names[] = { "model", "platform", "peer" };
	struct json_object *all = json_object_new_array();

	for (unsigned i = 0; i < 3; i++) {
		if (lacks_required(o, s, 1u << i))
			json_object_array_add(all, json_word(names[i]));
	}
	return all;
}

struct json_object *json_server(const struct server *s)
{
	struct json_object *j = json_object_new_object(), *source = json_object_new_object();

	json_add_word(j, "name", "command");
	json_add_word(j, "role", s->role);
	json_add_word(source, "kind", "command");
	json_add_null(source, "file");
	json_add_null(source, "line");
	json_object_object_add(j, "source", source);
	json_add_word(j, "entry", s->launch.entry);
	json_add_word(j, "verdict", verdict_name(s->verdict));
	json_add_maybe(j, "first_refusal", pdcfg_rule_text(first_code(s), PDCFG_TEXT_RULE));
	json_add_bool(j, "maybe_earlier", s->first >= 0 && pdcfg_report_maybe_earlier(s->rep));
	return j;
}

void json_add_verdict(struct json_object *to, const struct server *s)
{
	json_add_bool(to, "valid", !first_code(s) && !s->lacking);
	json_add_word(to, "verdict", verdict_name(s->verdict)); /* the worst of all servers */
}

/* What a program can read where nothing could be checked. */
void failure_json(struct out *out, const char *why)
{
	struct json_object *j = json_head();

	json_add_bool(j, "valid", false);
	json_add_word(j, "failure", why);
	json_write(out, j);
}

void report_json(struct out *out, const struct options *o, struct server *s)
{
	struct json_object *j = json_head(), *servers = json_object_new_array(), *server = json_server(s), *findings = json_object_new_array();

	json_add_verdict(j, s);
	json_add_int(j, "errors", (int64_t)(s->errors + s->lacking));
	json_add_int(j, "warnings", (int64_t)s->warnings);
	json_add_int(j, "hidden", (int64_t)s->hidden);
	json_add_int(j, "not_evaluated", (int64_t)pdcfg_report_unevaluated(s->rep));
	for (size_t i = 0; i < s->shown_count; i++)
		json_object_array_add(findings, finding(s, s->shown[i]));
	json_object_object_add(server, "findings", findings);
	json_object_object_add(server, "unevaluated", unevaluated(s));
	json_object_object_add(server, "notes", json_words(&s->launch.notes));
	json_object_object_add(server, "required_missing", lacking(o, s));
	json_object_array_add(servers, server);
	json_object_object_add(j, "servers", servers);
	json_object_object_add(j, "deployments", json_object_new_array());
	json_object_object_add(j, "ignored", ignored(o));
	json_write(out, j);
}
