/* The commands explain and rules: what the library knows. */
#include "jsonout.h"
#include <stdlib.h>
#include <string.h>

static const char *const when[] = {
	[PDCFG_PHASE_PARSE] = "while it reads the command line",
	[PDCFG_PHASE_RESOLVE] = "while it resolves the arguments, 10 to 25 s after the start",
	[PDCFG_PHASE_LOAD] = "after loading the weights, minutes after the start",
	[PDCFG_PHASE_CONNECT] = "when it builds the PD connection, after loading the weights",
	[PDCFG_PHASE_SERVE] = "at the first request",
};

static const char *text(uint32_t code, uint32_t which) { return pdcfg_rule_text(code, which); }

/* ---- one rule ----------------------------------------------------------------------------------------------------- */

static void put_part(struct out *o, const char *title, const char *words)
{
	if (!*words)
		return;
	put(o, "\n");
	put_styled(o, CYAN, title);
	put(o, "\n  ");
	put_wrapped(o, words, 2, 2);
}

static void put_effect(struct out *o, uint32_t code)
{
	uint32_t phase = pdcfg_rule_phase(code);
	const char *exception = text(code, PDCFG_TEXT_EXCEPTION), *at = phase >= 1 && phase <= PDCFG_PHASE_SERVE ? when[phase] : "";
	struct out b = { 0 };

	if (*exception)
		put_f(&b, "SGLang raises %s %s.", exception, at);
	else if (!strcmp(text(code, PDCFG_TEXT_KIND), "warn"))
		put_f(&b, "SGLang goes on %s, but something will not be as it was meant.", at);
	else
		put_f(&b, "SGLang changes a setting %s.", at);
	put(o, "  ");
	put_wrapped(o, b.s ? b.s : "", 2, 2);
	o->failed |= b.failed;
	end_out(&b);
}

static void put_fixes(struct out *o, uint32_t code)
{
	const char *p = text(code, PDCFG_TEXT_FIX);

	if (!*p)
		return;
	put(o, "\n");
	put_styled(o, CYAN, "What to do");
	put(o, "\n");
	while (*p) {
		size_t n = strcspn(p, "\n");
		char *line = strndup(p, n);

		put(o, "  ");
		put_wrapped(o, line ? line : "", 2, 2);
		free(line);
		p += n + (p[n] == '\n');
	}
}

static void put_reads(struct out *o, uint32_t code)
{
	struct out b = { 0 };

	for (size_t n = 0; n < pdcfg_rule_reads(code); n++) {
		uint32_t key = pdcfg_rule_read(code, n);
		const char *option = pdcfg_key_option(key);

		put_f(&b, "%s%s", n ? ", " : "", *option ? option : pdcfg_key_name(key));
	}
	put_part(o, "Looks at", b.s ? b.s : "");
	o->failed |= b.failed;
	end_out(&b);
}

static void explain_text(struct out *o, uint32_t code)
{
	const char *kind = text(code, PDCFG_TEXT_KIND), *bad = text(code, PDCFG_TEXT_BAD), *good = text(code, PDCFG_TEXT_GOOD);
	bool retired = !strcmp(kind, "retired");
	struct out b = { 0 };

	put_f(&b, "PD%u %s", (unsigned)code, text(code, PDCFG_TEXT_RULE));
	put_styled(o, BOLD, b.s ? b.s : "");
	o->failed |= b.failed;
	end_out(&b);
	if (retired) {
		put(o, ": retired\n  ");
		put_wrapped(o, text(code, PDCFG_TEXT_WHY), 2, 2);
		return;
	}
	put_f(o, ": %s%s\n  ", pdcfg_severity_name(pdcfg_rule_severity(code)), pdcfg_rule_confidence(code) == PDCFG_CERTAIN ? "" : ", not certain");
	put_wrapped(o, text(code, PDCFG_TEXT_SUMMARY), 2, 2);
	put_effect(o, code);
	put_part(o, "Message", text(code, PDCFG_TEXT_MESSAGE));
	put_part(o, "Condition", text(code, PDCFG_TEXT_CONDITION));
	put_part(o, "Why", text(code, PDCFG_TEXT_WHY));
	put_part(o, pdcfg_rule_severity(code) == PDCFG_ERROR ? "Refused" : "Speaks of", bad);
	put_part(o, pdcfg_rule_severity(code) == PDCFG_ERROR ? "Accepted" : "Silent about", good);
	put_fixes(o, code);
	put_reads(o, code);
	put_part(o, "In SGLang", text(code, PDCFG_TEXT_UPSTREAM));
	if (*text(code, PDCFG_TEXT_SAME_AS))
		put_part(o, "Also called", text(code, PDCFG_TEXT_SAME_AS));
}

static struct json_object *rule_json(uint32_t code)
{
	static const struct {
		uint32_t which;
		const char *name;
	} texts[] = {
		{ PDCFG_TEXT_KIND, "kind" }, { PDCFG_TEXT_SUMMARY, "summary" }, { PDCFG_TEXT_MESSAGE, "message" }, { PDCFG_TEXT_WHY, "why" },
		{ PDCFG_TEXT_CONDITION, "condition" }, { PDCFG_TEXT_EXCEPTION, "exception" }, { PDCFG_TEXT_BAD, "bad" }, { PDCFG_TEXT_GOOD, "good" },
		{ PDCFG_TEXT_FIX, "fix" }, { PDCFG_TEXT_UPSTREAM, "upstream" }, { PDCFG_TEXT_SAME_AS, "same_as" },
	};
	struct json_object *j = json_object_new_object(), *reads = json_object_new_array();

	json_add_id(j, code);
	json_add_word(j, "severity", pdcfg_severity_name(pdcfg_rule_severity(code)));
	json_add_word(j, "phase", pdcfg_phase_name(pdcfg_rule_phase(code)));
	json_add_word(j, "confidence", pdcfg_confidence_name(pdcfg_rule_confidence(code)));
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		json_add_maybe(j, texts[i].name, text(code, texts[i].which));
	for (size_t n = 0; n < pdcfg_rule_reads(code); n++)
		json_object_array_add(reads, json_word(pdcfg_key_name(pdcfg_rule_read(code, n))));
	json_object_object_add(j, "reads", reads);
	return j;
}

static int no_rule(const char *name)
{
	const char *near = nearest_rule(name);

	if (*near)
		return complain("there is no rule %s; did you mean %s?", name, near);
	return complain("there is no rule %s; 'pdcfg rules' lists them", name);
}

int run_explain(struct options *o)
{
	struct out out = { .width = terminal_width(1), .color = want_color(o, 1) };
	struct json_object *all = o->format == FORMAT_JSON ? json_object_new_array() : NULL, *j;

	if (!o->operands.n) {
		json_object_put(all);
		return complain("explain what? Give a code or the name of a rule, as in: pdcfg explain PD2417");
	}
	for (size_t i = 0; i < o->operands.n; i++) {
		uint32_t code = code_by_text(o->operands.v[i]);

		if (!code) {
			json_object_put(all);
			end_out(&out);
			return no_rule(o->operands.v[i]);
		}
		if (all) {
			json_object_array_add(all, rule_json(code));
			continue;
		}
		if (i)
			put(&out, "\n");
		explain_text(&out, code);
	}
	if (all) {
		j = json_head();
		json_object_object_add(j, "rules", all);
		json_write(&out, j);
	}
	return write_out(&out, 1) ? STATUS_CLEAN : STATUS_UNABLE;
}

/* ---- all rules ---------------------------------------------------------------------------------------------------- */

static void put_rule(struct out *o, uint32_t code)
{
	bool error = pdcfg_rule_severity(code) == PDCFG_ERROR;

	put_f(o, "PD%u  ", (unsigned)code);
	put_styled(o, error ? RED : YELLOW, error ? "error  " : "warning");
	put_f(o, "  %-7s  %s\n", pdcfg_phase_name(pdcfg_rule_phase(code)), text(code, PDCFG_TEXT_RULE));
	put(o, "                          ");
	put_wrapped(o, text(code, PDCFG_TEXT_SUMMARY), 26, 26);
}

/* Steps that only order others say nothing to anybody. */
static bool is_listed(uint32_t code)
{
	const char *kind = text(code, PDCFG_TEXT_KIND);

	return strcmp(kind, "retired") != 0 && strcmp(kind, "materialize") != 0 && strcmp(kind, "leave") != 0 && strcmp(kind, "label") != 0;
}

int run_rules(struct options *o)
{
	struct out out = { .width = terminal_width(1), .color = want_color(o, 1) };
	struct json_object *all = o->format == FORMAT_JSON ? json_object_new_array() : NULL, *j;

	if (o->operands.n) {
		json_object_put(all);
		return complain("rules takes no '%s'; to see one rule: pdcfg explain %s", o->operands.v[0], o->operands.v[0]);
	}
	for (uint32_t code = pdcfg_code_next(0); code; code = pdcfg_code_next(code)) {
		if (!is_listed(code))
			continue;
		if (all)
			json_object_array_add(all, rule_json(code));
		else
			put_rule(&out, code);
	}
	if (all) {
		j = json_head();
		json_object_object_add(j, "rules", all);
		json_write(&out, j);
	}
	return write_out(&out, 1) ? STATUS_CLEAN : STATUS_UNABLE;
}
