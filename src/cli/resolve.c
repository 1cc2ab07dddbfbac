/* The command resolve: what SGLang would really run with, what it overrides first. */
#include "jsonout.h"
#include "files.h"
#include <stdlib.h>
#include <string.h>

enum fate { OVERRIDDEN, DERIVED, GIVEN, UNKNOWN_VALUE, DEFAULT, FATES };

/* Is it listed? SGLang's working state, which nobody can set, is for --all. */
static bool is_setting(const struct options *o, uint32_t key)
{
	uint32_t kind = pdcfg_key_kind(key);

	return kind == PDCFG_KIND_ARGUMENT || kind == PDCFG_KIND_ENVIRONMENT || (o->all && kind == PDCFG_KIND_STATE);
}

/* What was written for a setting and could not be read as its value, NULL when nothing of the kind. */
static const char *unreadable(const struct server *s, uint32_t key)
{
	for (size_t f = 0; f < pdcfg_report_count(s->rep); f++) {
		if (pdcfg_finding_phase(s->rep, f) != PDCFG_PHASE_PARSE || pdcfg_finding_severity(s->rep, f) != PDCFG_ERROR)
			continue;
		for (size_t n = 0; n < pdcfg_finding_subjects(s->rep, f); n++) {
			if (pdcfg_subject_key(s->rep, f, n) == key && *written_value(s, f, n))
				return written_value(s, f, n);
		}
	}
	return NULL;
}

static enum fate fate_of(const struct server *s, uint32_t key)
{
	bool given = pdcfg_is_set(s->cfg, key) == 1;
	const char *value = pdcfg_resolved_text(s->rep, key);

	if (!strcmp(value, "?") || (given && unreadable(s, key)))
		return UNKNOWN_VALUE;
	if (*pdcfg_overridden_text(s->rep, key))
		return OVERRIDDEN;
	if (given)
		return GIVEN;
	return pdcfg_resolved_by(s->rep, key) && strcmp(pdcfg_key_default(key), value) != 0 ? DERIVED : DEFAULT;
}

/* ---- text --------------------------------------------------------------------------------------------------------- */

static const char *name_of(uint32_t key)
{
	const char *option = pdcfg_key_option(key);

	return *option ? option : pdcfg_key_name(key);
}

static void put_setting(struct out *o, const struct server *s, uint32_t key, enum fate fate)
{
	uint32_t code = pdcfg_resolved_by(s->rep, key);
	const char *why = pdcfg_rule_text(code, PDCFG_TEXT_WHY);
	struct out b = { 0 };

	put(o, "  ");
	put_styled(o, BOLD, name_of(key));
	put_f(&b, "%s%s", pdcfg_key_kind(key) == PDCFG_KIND_ENVIRONMENT ? "= " : " ", pdcfg_resolved_text(s->rep, key));
	if (fate == OVERRIDDEN)
		put_f(&b, " instead of %s", pdcfg_overridden_text(s->rep, key));
	if (code && fate != GIVEN)
		put_f(&b, " (PD%u %s)", (unsigned)code, pdcfg_rule_text(code, PDCFG_TEXT_RULE));
	put_wrapped(o, b.s ? b.s : "", 2 + columns_of(name_of(key)), 6);
	o->failed |= b.failed;
	end_out(&b);
	if (!*why || fate != OVERRIDDEN)
		why = pdcfg_rule_text(code, PDCFG_TEXT_SUMMARY);
	if (code && fate != GIVEN && *why) {
		put(o, "      ");
		put_wrapped(o, why, 6, 6);
	}
}

static void put_unknown(struct out *o, const struct options *opts, const struct server *s)
{
	const char *before;
	struct out b = { 0 };

	for (uint32_t key = pdcfg_key_next(0); key; key = pdcfg_key_next(key)) {
		if (!is_setting(opts, key) || fate_of(s, key) != UNKNOWN_VALUE)
			continue;
		before = unreadable(s, key);
		if (!before)
			before = pdcfg_overridden_text(s->rep, key);
		put_f(&b, "%s%s", b.n ? ", " : "", name_of(key));
		if (*before)
			put_f(&b, " (given: %s)", before);
	}
	put(o, "  ");
	put_wrapped(o, b.s ? b.s : "", 2, 2);
	o->failed |= b.failed;
	end_out(&b);
}

static void put_section(struct out *o, const struct options *opts, const struct server *s, enum fate fate)
{
	static const char *const titles[FATES] = {
		"SGLang runs with another value than the one given", "SGLang sets", "As given", "Cannot be told without more facts", "At the default"
	};
	size_t n = 0;

	for (uint32_t key = pdcfg_key_next(0); key; key = pdcfg_key_next(key))
		n += is_setting(opts, key) && fate_of(s, key) == fate;
	if (!n)
		return;
	put_styled(o, CYAN, titles[fate]);
	put(o, "\n");
	if (fate == UNKNOWN_VALUE) {
		put_unknown(o, opts, s);
	} else {
		for (uint32_t key = pdcfg_key_next(0); key; key = pdcfg_key_next(key)) {
			if (is_setting(opts, key) && fate_of(s, key) == fate)
				put_setting(o, s, key, fate);
		}
	}
	put(o, "\n");
}

static void resolve_text(struct out *o, const struct options *opts, const struct server *s)
{
	for (int fate = 0; fate < FATES; fate++) {
		if (fate != DEFAULT || opts->all)
			put_section(o, opts, s, (enum fate)fate);
	}
	put(o, verdict_name(s->verdict));
	if (first_code(s)) {
		put_f(o, ": SGLang stops at PD%u %s\n  ", (unsigned)first_code(s), pdcfg_rule_text(first_code(s), PDCFG_TEXT_RULE));
		put_wrapped(o, pdcfg_finding_message(s->rep, (size_t)s->first), 2, 2);
	} else {
		put(o, "\n");
	}
	put_unevaluated(o, opts, s);
}

/* ---- JSON --------------------------------------------------------------------------------------------------------- */

static struct json_object *setting_json(const struct server *s, uint32_t key, enum fate fate)
{
	struct json_object *j = json_object_new_object(), *by;
	uint32_t code = pdcfg_resolved_by(s->rep, key);

	json_add_word(j, "field", pdcfg_key_name(key));
	json_add_maybe(j, "option", pdcfg_key_option(key));
	json_add_word(j, "value", fate == UNKNOWN_VALUE ? "?" : pdcfg_resolved_text(s->rep, key));
	json_add_bool(j, "given", pdcfg_is_set(s->cfg, key) == 1);
	json_add_bool(j, "overridden", fate == OVERRIDDEN);
	json_add_word(j, "default", pdcfg_key_default(key));
	if (fate == UNKNOWN_VALUE && unreadable(s, key))
		json_add_word(j, "given_value", unreadable(s, key));
	else if (*pdcfg_overridden_text(s->rep, key))
		json_add_word(j, "given_value", pdcfg_overridden_text(s->rep, key));
	json_add_word(j, "origin", pdcfg_origin_name(pdcfg_resolved_origin(s->rep, key)));
	if (!code) {
		json_add_null(j, "by");
		return j;
	}
	by = json_object_new_object();
	json_add_id(by, code);
	json_add_word(by, "summary", pdcfg_rule_text(code, PDCFG_TEXT_SUMMARY));
	json_add_word(by, "why", pdcfg_rule_text(code, PDCFG_TEXT_WHY));
	json_object_object_add(j, "by", by);
	return j;
}

/* What is known of the model, by SGLang's names, and the other traits by those of --trait. */
static int add_model(struct json_object *server, const struct server *s)
{
	struct json_object *model, *traits;
	int32_t status = fl_handle_json(s->cfg, s->rep, s->model_in_file ? s->model_from : NULL, &model, &traits);

	json_object_object_add(server, "model", model);
	json_object_object_add(server, "traits", traits);
	return status < 0 ? complain("model: %s", pdcfg_strerror(status)) : 0;
}

static int resolve_json(struct out *out, const struct options *o, const struct server *s)
{
	struct json_object *j = json_head(), *servers = json_object_new_array(), *server = json_server(s), *all = json_object_new_array();
	int status;

	for (int fate = 0; fate < FATES; fate++) {
		for (uint32_t key = pdcfg_key_next(0); key; key = pdcfg_key_next(key)) {
			if (is_setting(o, key) && (int)fate_of(s, key) == fate && (fate != DEFAULT || o->all))
				json_object_array_add(all, setting_json(s, key, (enum fate)fate));
		}
	}
	json_object_object_add(server, "settings", all);
	status = add_model(server, s);
	json_object_array_add(servers, server);
	json_add_verdict(j, s);
	json_object_object_add(j, "servers", servers);
	json_write(out, j);
	return status;
}

int run_resolve(struct options *o)
{
	struct out out = { .width = terminal_width(1), .color = want_color(o, 1) };
	struct server s;
	int status = need_command(o, "resolve");

	if (status)
		return status;
	status = check_server(o, &s);
	if (!status && s.launch.kind == LAUNCH_ROUTER)
		status = complain("a router has no such settings");
	if (!status) {
		if (o->format == FORMAT_JSON)
			status = resolve_json(&out, o, &s);
		else
			resolve_text(&out, o, &s);
		if (!write_out(&out, 1) || status)
			status = STATUS_UNABLE;
		else
			status = status_of(o, &s);
	}
	end_server(&s);
	return status;
}
