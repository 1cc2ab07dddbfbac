/* The commands explain and rules: what the library knows. */
#include "jsonout.h"
#include "rule_example.h"
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
	const char *kind = text(code, PDCFG_TEXT_KIND), *exception = text(code, PDCFG_TEXT_EXCEPTION), *at = phase >= 1 && phase <= PDCFG_PHASE_SERVE ? when[phase] : "";
	struct out b = { 0 };

	if (*exception)
		put_f(&b, "SGLang raises %s %s.", exception, at);
	else if (!strcmp(kind, "assign") || !strcmp(kind, "declare"))
		put_f(&b, "SGLang changes a setting %s.", at);
	else if (phase == PDCFG_PHASE_PARSE)
		put(&b, "SGLang does not stop here.");
	else
		put_f(&b, "SGLang goes on %s, but something will not be as it was meant.", at);
	put(o, "  ");
	put_wrapped(o, b.s ? b.s : "", 2, 2);
	o->failed |= b.failed;
	end_out(&b);
}

/* ---- the examples ------------------------------------------------------------------------------------------------- */

struct line { /* a command line that goes on where it must */
	struct out *o;
	unsigned at;
};

/* Puts what b holds, and ends it. */
static void put_unit(struct line *l, struct out *b)
{
	unsigned n = b->s ? columns_of(b->s) : 0;

	if (l->at && l->at + 1 + n + 2 > l->o->width) {
		put(l->o, " \\\n      ");
		l->at = 6;
	} else {
		put(l->o, l->at ? " " : "  ");
		l->at += l->at ? 1 : 2;
	}
	put(l->o, b->s ? b->s : "");
	l->at += n;
	l->o->failed |= b->failed;
	end_out(b);
}

/* An option with its first value, a variable, or a word, from i on. Returns the last one put. */
static size_t put_words(struct line *l, const struct pdcfg_example *e, size_t i, const char *before)
{
	const char *text = e->words[i].text;
	size_t last = i + 1 < e->n && *text == '-' && *e->words[i + 1].text != '-' && e->words[i + 1].kind == e->words[i].kind ? i + 1 : i;
	struct out b = { 0 };

	put(&b, before);
	put_word(&b, strncmp(text, "model.", 6) ? text : text + 6);
	if (last > i && b.n + columns_of(e->words[last].text) + 10 > l->o->width)
		put_unit(l, &b);
	else if (last > i)
		put(&b, " ");
	if (last > i)
		put_word(&b, e->words[last].text);
	put_unit(l, &b);
	return last;
}

static void put_all(struct line *l, const struct pdcfg_example *e, enum example_kind kind, const char *before)
{
	for (size_t i = 0; i < e->n; i++) {
		if (e->words[i].kind == kind)
			i = put_words(l, e, i, before);
	}
}

static void put_piece(struct line *l, const char *text)
{
	struct out b = { 0 };

	put(&b, text);
	put_unit(l, &b);
}

/* A command line that shows the rule: facts in front of --, the launch behind it. */
static void put_example(struct out *o, const struct pdcfg_example *e)
{
	struct line l = { o, 0 };
	bool python = false;

	put_piece(&l, "pdcfg check");
	for (size_t i = 0; i < e->n; i++) {
		if (e->words[i].kind == EXAMPLE_CALLER)
			put_piece(&l, "--pd-required");
		python |= e->words[i].kind == EXAMPLE_FIELD;
	}
	put_all(&l, e, EXAMPLE_FACT, "--trait ");
	put_piece(&l, "--");
	put_all(&l, e, EXAMPLE_VARIABLE, "");
	put_piece(&l, "python3 -m sglang.launch_server");
	put_all(&l, e, EXAMPLE_ARGUMENT, "");
	put(o, "\n");
	if (!python)
		return;
	l = (struct line){ o, 0 };
	put_piece(&l, "with what only Python can give:");
	put_all(&l, e, EXAMPLE_FIELD, "");
	put(o, "\n");
}

static void put_example_of(struct out *o, uint32_t code, uint32_t which, const char *title)
{
	struct pdcfg_example e;

	if (!*text(code, which))
		return;
	if (pdcfg_example_read(text(code, which), &e) < 0) {
		o->failed = true;
		return;
	}
	put(o, "\n");
	put_styled(o, CYAN, title);
	put(o, "\n");
	put_example(o, &e);
	pdcfg_example_end(&e);
}

/* Validates the rule's example of what it speaks of, for the fixes. Returns the number of the finding, -1 when there is none. */
static int64_t try_example(uint32_t code, struct server *s)
{
	struct pdcfg_example e;
	int64_t found = -1;

	memset(s, 0, sizeof *s);
	if (!*text(code, PDCFG_TEXT_BAD) || pdcfg_example_read(text(code, PDCFG_TEXT_BAD), &e) < 0)
		return -1;
	if (pdcfg_new(&s->cfg) >= 0 && pdcfg_example_apply(&e, s->cfg) >= 0 && pdcfg_validate(s->cfg, &s->rep) >= 0) {
		for (size_t i = 0; i < pdcfg_report_count(s->rep) && found < 0; i++)
			found = pdcfg_finding_code(s->rep, i) == code ? (int64_t)i : -1;
	}
	pdcfg_example_end(&e);
	return found;
}

static void end_try(struct server *s)
{
	pdcfg_report_free(s->rep);
	pdcfg_free(s->cfg);
}

static void put_advice(struct out *o, const char *p)
{
	while (*p) {
		size_t n = strcspn(p, "\n");
		char *line = strndup(p, n);

		put(o, "  ");
		put_wrapped(o, line ? line : "", 2, 2);
		o->failed |= !line;
		free(line);
		p += n + (p[n] == '\n');
	}
}

/* All choices have one template, which says little. */
static void put_message(struct out *o, uint32_t code)
{
	struct server s;
	int64_t f = strcmp(text(code, PDCFG_TEXT_KIND), "choice") ? -1 : try_example(code, &s);

	put_part(o, "Message", f < 0 ? text(code, PDCFG_TEXT_MESSAGE) : pdcfg_finding_message(s.rep, (size_t)f));
	if (!strcmp(text(code, PDCFG_TEXT_KIND), "choice"))
		end_try(&s);
}

static void put_fixes(struct out *o, uint32_t code)
{
	struct server s;
	int64_t f = try_example(code, &s);
	size_t fixes = f < 0 ? 0 : pdcfg_finding_fixes(s.rep, (size_t)f);

	if (fixes || *text(code, PDCFG_TEXT_FIX)) {
		put(o, "\n");
		put_styled(o, CYAN, "What to do");
		put(o, "\n");
	}
	for (size_t i = 0; i < fixes; i++) {
		struct out b = { 0 };

		put_fix(&b, &s, (size_t)f, i);
		put(o, i ? "  or " : "  ");
		put_wrapped(o, b.s ? b.s : "", i ? 5 : 2, 5);
		o->failed |= b.failed;
		end_out(&b);
	}
	put_advice(o, text(code, PDCFG_TEXT_FIX));
	end_try(&s);
}

static struct json_object *fixes_json(uint32_t code)
{
	struct server s;
	int64_t f = try_example(code, &s);
	struct json_object *j = f < 0 ? json_object_new_array() : json_fixes(&s, (size_t)f);

	end_try(&s);
	return j;
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

/* path:function, in two lines when one is too short */
static void put_upstream(struct out *o, const char *where)
{
	size_t n = strcspn(where, ":");

	if (!*where)
		return;
	put(o, "\n");
	put_styled(o, CYAN, "In SGLang");
	put(o, "\n  ");
	put_bytes(o, where, n);
	if (where[n])
		put_f(o, ":%s%s", 2 + columns_of(where) > o->width ? "\n    " : "", where + n + 1);
	put(o, "\n");
}

static void explain_text(struct out *o, uint32_t code)
{
	bool retired = !strcmp(text(code, PDCFG_TEXT_KIND), "retired"), error = pdcfg_rule_severity(code) == PDCFG_ERROR;
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
	put_message(o, code);
	put_part(o, "Condition", text(code, PDCFG_TEXT_CONDITION));
	put_part(o, "Why", text(code, PDCFG_TEXT_WHY));
	put_fixes(o, code);
	put_example_of(o, code, PDCFG_TEXT_BAD, error ? "Refused" : "Speaks of");
	put_example_of(o, code, PDCFG_TEXT_GOOD, error ? "Accepted" : "Silent about");
	put_reads(o, code);
	put_upstream(o, text(code, PDCFG_TEXT_UPSTREAM));
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
		if (texts[i].which != PDCFG_TEXT_FIX || *text(code, PDCFG_TEXT_FIX)) /* "fixes" stands for it */
			json_add_maybe(j, texts[i].name, text(code, texts[i].which));
	for (size_t n = 0; n < pdcfg_rule_reads(code); n++)
		json_object_array_add(reads, json_word(pdcfg_key_name(pdcfg_rule_read(code, n))));
	json_object_object_add(j, "reads", reads);
	json_object_object_add(j, "fixes", fixes_json(code));
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
		return complain("explain what? Give the code or the name of a rule: pdcfg explain PD2417");
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

/* A name that does not fit goes on in the next line, behind one of its hyphens. */
static void put_name(struct out *o, const char *name, unsigned at, unsigned indent)
{
	while (at + columns_of(name) > o->width) {
		size_t n = o->width - at;

		while (n && name[n - 1] != '-')
			n--;
		if (!n)
			break;
		put_bytes(o, name, n);
		put(o, "\n");
		put_many(o, ' ', indent);
		name += n;
		at = indent;
	}
	put(o, name);
}

static void put_rule(struct out *o, uint32_t code)
{
	bool error = pdcfg_rule_severity(code) == PDCFG_ERROR;

	put_f(o, "PD%u  ", (unsigned)code);
	put_styled(o, error ? RED : YELLOW, error ? "error  " : "warning");
	put_f(o, "  %-7s  ", pdcfg_phase_name(pdcfg_rule_phase(code)));
	put_name(o, text(code, PDCFG_TEXT_RULE), 26, 26);
	put(o, "\n                          ");
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
