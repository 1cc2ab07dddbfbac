/* The report as text, for a person. */
#include "cli.h"
#include <stdlib.h>
#include <string.h>

#define MARGIN 10 /* where the words behind "where", "why", "fix" begin */

static void put_label(struct out *o, const char *label)
{
	put(o, "  ");
	if (*label)
		put_styled(o, CYAN, label);
	for (size_t i = strlen(label) + 2; i < MARGIN; i++)
		put(o, " ");
}

static void put_labelled(struct out *o, const char *label, const char *text)
{
	if (!*text)
		return;
	put_label(o, label);
	put_wrapped(o, text, MARGIN, MARGIN);
}

/* ends b, and puts it behind a label */
static void put_line(struct out *o, const char *label, struct out *b)
{
	put_labelled(o, label, b->s ? b->s : "");
	o->failed |= b->failed;
	end_out(b);
}

/* ---- where a value comes from ------------------------------------------------------------------------------------- */

static void put_rule(struct out *b, uint32_t code) { put_f(b, "PD%u %s", (unsigned)code, pdcfg_rule_text(code, PDCFG_TEXT_RULE)); }

static void put_argument(struct out *b, const struct server *s, size_t f, size_t n)
{
	const char *option = pdcfg_subject_origin_text(s->rep, f, n), *value = written_value(s, f, n);
	int64_t index = pdcfg_subject_index(s->rep, f, n);
	int32_t word = word_of(s, index);

	if (*option != '-')
		option = pdcfg_key_option(pdcfg_subject_key(s->rep, f, n));
	put_bytes(b, option, strcspn(option, "="));
	if (*value && (pdcfg_key_type(pdcfg_subject_key(s->rep, f, n)) != PDCFG_TYPE_BOOL || strcmp(value, "True") != 0))
		put_f(b, " %s", value);
	if (word >= 0)
		put_f(b, " (argument %d)", (int)(word - s->launch.first + 1));
}

static void put_variable(struct out *b, const struct server *s, uint32_t key, const char *value)
{
	const char *name = pdcfg_key_option(key);
	const struct variable *v = variable_of(s, name);
	bool secret = pdcfg_key_is_secret(key) == 1;

	/* as it was written: 1, not True */
	put_f(b, "%s=%s", name, v && !secret ? strchr(v->text, '=') + 1 : value);
	if (v && v->line)
		put_f(b, " (%s:%u)", v->how, (unsigned)v->line);
	else if (v && v->word >= 0)
		put_f(b, " (word %d of the command)", (int)v->word + 1);
	else
		put_f(b, " (%s)", v ? v->how : "environment");
}

/* A setting as its owner would write it: "--tp-size 8", or "model.is_mla = True" for what is no option. */
static void put_setting(struct out *b, uint32_t key, const char *value)
{
	const char *option = pdcfg_key_option(key);

	if (!*value)
		value = "''";
	if (*option == '-' && pdcfg_key_type(key) == PDCFG_TYPE_BOOL && !strcmp(value, "True"))
		put(b, option);
	else if (*option == '-')
		put_f(b, "%s %s", option, value);
	else if (*option)
		put_f(b, "%s=%s", option, value);
	else
		put_f(b, "%s = %s", pdcfg_key_name(key), value);
}

static void put_subject(struct out *b, const struct options *o, const struct server *s, size_t f, size_t n)
{
	uint32_t key = pdcfg_subject_key(s->rep, f, n), origin = pdcfg_subject_origin(s->rep, f, n), kind = pdcfg_key_kind(key);
	const char *value = pdcfg_subject_value(s->rep, f, n), *text = pdcfg_subject_origin_text(s->rep, f, n);

	if (origin == PDCFG_FROM_ARGUMENT) {
		put_argument(b, s, f, n);
		return;
	}
	if (kind == PDCFG_KIND_ENVIRONMENT && origin != PDCFG_FROM_DEFAULT && origin != PDCFG_FROM_RULE) {
		put_variable(b, s, key, value);
		return;
	}
	put_setting(b, key, origin == PDCFG_FROM_FILE && *written_value(s, f, n) ? written_value(s, f, n) : value);
	switch (origin) {
	case PDCFG_FROM_NOTHING: put(b, " (nobody said)"); break;
	case PDCFG_FROM_DEFAULT: put(b, " (default)"); break;
	case PDCFG_FROM_FILE:
		put_f(b, " (%s", text);
		if (pdcfg_subject_line(s->rep, f, n))
			put_f(b, ":%u", (unsigned)pdcfg_subject_line(s->rep, f, n));
		put(b, ")");
		break;
	case PDCFG_FROM_RULE:
		put(b, " (set by SGLang: ");
		put_rule(b, pdcfg_subject_origin_code(s->rep, f, n));
		put(b, ")");
		break;
	case PDCFG_FROM_ASSUMPTION: put(b, " (assumed, since other traits were given)"); break;
	case PDCFG_FROM_PLATFORM: put_f(b, " (--platform %s)", o->platform ? o->platform : ""); break;
	default:
		if (!strcmp(text, CATALOGUE))
			put_f(b, " (the model %s)", s->model_from ? s->model_from : "");
		else if (kind != PDCFG_KIND_CALLER)
			put(b, " (--trait)");
		break;
	}
}

/* ---- one finding -------------------------------------------------------------------------------------------------- */

/* What needs no line: a default where something was given, and what "because" is going to say. */
static bool goes_without_saying(const struct server *s, size_t f, size_t n, bool given)
{
	uint32_t code = pdcfg_subject_origin_code(s->rep, f, n);

	return (given && pdcfg_subject_origin(s->rep, f, n) == PDCFG_FROM_DEFAULT) || (code && code == pdcfg_finding_caused_by(s->rep, f));
}

/* What the first fix changes comes first. */
static void put_where(struct out *out, const struct options *o, const struct server *s, size_t f)
{
	bool first = true, given = false;

	for (size_t n = 0; n < pdcfg_finding_subjects(s->rep, f); n++)
		given |= pdcfg_subject_origin(s->rep, f, n) != PDCFG_FROM_DEFAULT;
	for (int pass = 0; pass < 2; pass++) {
		for (size_t n = 0; n < pdcfg_finding_subjects(s->rep, f); n++) {
			struct out b = { 0 };

			if (goes_without_saying(s, f, n, given || pdcfg_finding_phase(s->rep, f) == PDCFG_PHASE_PARSE))
				continue;
			if (is_fixed(s, f, pdcfg_subject_key(s->rep, f, n)) != !pass)
				continue;
			put_subject(&b, o, s, f, n);
			put_line(out, first ? "where" : "", &b);
			first = false;
		}
	}
}

static void put_because(struct out *out, const struct server *s, size_t f)
{
	uint32_t code = pdcfg_finding_caused_by(s->rep, f);
	const char *why = pdcfg_rule_text(code, PDCFG_TEXT_WHY), *summary = pdcfg_rule_text(code, PDCFG_TEXT_SUMMARY);
	struct out b = { 0 };

	if (!code)
		return;
	for (size_t n = 0; n < pdcfg_finding_subjects(s->rep, f); n++) {
		if (pdcfg_subject_origin_code(s->rep, f, n) != code)
			continue;
		put(&b, "SGLang itself has set ");
		put_setting(&b, pdcfg_subject_key(s->rep, f, n), pdcfg_subject_value(s->rep, f, n));
		put(&b, ": ");
		break;
	}
	put_f(&b, "%s (", *summary ? summary : why);
	put_rule(&b, code);
	put(&b, ")");
	put_line(out, "because", &b);
}

static void put_fixes(struct out *out, const struct server *s, size_t f)
{
	size_t fixes = pdcfg_finding_fixes(s->rep, f);

	for (size_t i = 0; i < fixes; i++) {
		struct out b = { 0 };

		put_fix(&b, s, f, i);
		put_line(out, i ? "or" : "fix", &b);
	}
	if (!fixes)
		put_labelled(out, "fix", pdcfg_rule_text(pdcfg_finding_code(s->rep, f), PDCFG_TEXT_FIX));
}

#define CANDIDATES 4 /* more are no help */

/* The options that an abbreviation may be meant to be, the likeliest first. */
static void put_candidates(struct out *b, const struct server *s, size_t f)
{
	const char *token = pdcfg_finding_parse_token(s->rep, f), *likely = nearest_of(s, f), *others[CANDIDATES];
	size_t n = strcspn(token, "="), count = 0;

	for (uint32_t key = pdcfg_key_next(0); key; key = pdcfg_key_next(key)) {
		const char *option = pdcfg_key_option(key);

		if (strncmp(option, token, n) != 0 || !strcmp(option, likely))
			continue;
		if (count < CANDIDATES)
			others[count] = option;
		count++;
	}
	if (count > CANDIDATES)
		count = 0;
	if (*likely || count)
		put_f(b, "write %s", likely);
	for (size_t i = 0; i < count; i++)
		put_f(b, "%s%s", !i && !*likely ? "" : i + 1 < count ? ", " : " or ", others[i]);
}

static void put_choices(struct out *b, uint32_t key)
{
	put(b, "give it one of: ");
	for (size_t i = 0; i < pdcfg_key_choices(key); i++)
		put_f(b, "%s%s", i ? ", " : "", pdcfg_key_choice(key, i));
}

/* What can be said better of this finding than in general; nothing when nothing can. */
static void put_particular(struct out *b, const struct server *s, size_t f)
{
	uint32_t class = pdcfg_finding_parse_class(s->rep, f), key = pdcfg_key_by_name(pdcfg_finding_parse_option(s->rep, f));

	if (class == PDCFG_PARSE_AMBIGUOUS && strlen(pdcfg_finding_parse_token(s->rep, f)) > 3)
		put_candidates(b, s, f);
	else if ((class == PDCFG_PARSE_ONE_ARGUMENT || class == PDCFG_PARSE_ARGUMENTS) && pdcfg_key_choices(key))
		put_choices(b, key);
	else if (!strcmp(pdcfg_finding_rule(s->rep, f), "env-bool-invalid-falls-back") && variable_of_finding(s, f, &key))
		put(b, pdcfg_key_type(key) == PDCFG_TYPE_BOOL ? "use 1 or 0" : "use a plain number");
}

/* Whoever puts quotes into a file of variables takes it for a script. */
static void put_quotes(struct out *out, const struct server *s, size_t f)
{
	for (size_t n = 0; n < pdcfg_finding_subjects(s->rep, f); n++) {
		uint32_t key = pdcfg_subject_key(s->rep, f, n);
		const struct variable *v = pdcfg_key_kind(key) == PDCFG_KIND_ENVIRONMENT ? variable_of(s, pdcfg_key_option(key)) : NULL;
		const char *value = v ? strchr(v->text, '=') + 1 : "";
		size_t length = strlen(value);

		if (!v || !v->line || length < 2 || (*value != '"' && *value != '\'') || value[length - 1] != *value)
			continue;
		put_labelled(out, "note", "docker's env-files keep quotes: here they are part of the value");
		return;
	}
}

static const char *const when[] = {
	[PDCFG_PHASE_PARSE] = "at once, while it reads the command line",
	[PDCFG_PHASE_RESOLVE] = "10 to 25 s after the start, while it resolves the arguments",
	[PDCFG_PHASE_LOAD] = "only minutes after the start, when the weights are loaded",
	[PDCFG_PHASE_CONNECT] = "only after loading the weights, when it builds the PD connection",
	[PDCFG_PHASE_SERVE] = "only at the first request",
};

static void put_when(struct out *out, const struct server *s, size_t f)
{
	uint32_t phase = pdcfg_finding_phase(s->rep, f);
	const char *exception = pdcfg_finding_exception(s->rep, f);
	struct out b = { 0 };

	if (phase < PDCFG_PHASE_PARSE || phase > PDCFG_PHASE_SERVE || severity_of(s, f) != PDCFG_ERROR)
		return;
	put_f(&b, "SGLang would say this %s", when[phase]);
	if (*exception)
		put_f(&b, " (%s)", exception);
	put_line(out, "when", &b);
}

/* "error[PD2417]"; returns its columns */
static unsigned put_kind(struct out *out, const struct server *s, size_t f)
{
	struct out b = { 0 };
	unsigned n;

	put_f(&b, "%s[PD%u]", pdcfg_severity_name(severity_of(s, f)), (unsigned)pdcfg_finding_code(s->rep, f));
	put_styled(out, severity_of(s, f) == PDCFG_ERROR ? RED : YELLOW, b.s ? b.s : "");
	n = (unsigned)b.n;
	out->failed |= b.failed;
	end_out(&b);
	return n;
}

static void put_heading(struct out *out, const struct server *s, size_t f)
{
	static const char stops[] = "-- SGLang stops here";
	uint32_t confidence = confidence_of(s, f);
	const char *rule = pdcfg_finding_rule(s->rep, f);
	unsigned at = put_kind(out, s, f) + 1 + columns_of(rule);

	put(out, " ");
	put_styled(out, BOLD, rule);
	if (confidence != PDCFG_CERTAIN)
		put_f(out, " (%s)", confidence == PDCFG_LIKELY ? "likely, not certain" : "depends on the machine");
	if ((int64_t)f == s->first) {
		put(out, at + sizeof stops > out->width ? "\n  " : " ");
		put_styled(out, RED, stops);
	}
	put(out, "\n");
}

static bool same_code_before(const struct server *s, size_t f)
{
	for (size_t i = 0; i < f; i++) {
		if (pdcfg_finding_code(s->rep, i) == pdcfg_finding_code(s->rep, f))
			return true;
	}
	return false;
}

static void put_remedy(struct out *out, const struct server *s, size_t f)
{
	const char *nearest = pdcfg_finding_parse_nearest(s->rep, f);
	struct out b = { 0 };

	put_particular(&b, s, f);
	if (b.n) {
		put_line(out, "fix", &b);
	} else if (*nearest && !pdcfg_finding_fixes(s->rep, f)) {
		put_f(&b, "write %s", nearest);
		put_line(out, "fix", &b);
	} else {
		put_fixes(out, s, f);
	}
}

/* A warning about how something is written needs few words. */
static void put_minor(struct out *out, const struct server *s, size_t f)
{
	struct out b = { 0 };
	uint32_t key;

	if (variable_of_finding(s, f, &key)) {
		put_variable(&b, s, key, "***");
		put_line(out, "where", &b);
	}
	if (!same_code_before(s, f))
		put_labelled(out, "why", pdcfg_finding_why(s->rep, f));
	put_remedy(out, s, f);
	put_quotes(out, s, f);
	put(out, "\n");
}

/* The words themselves, with a marker under what the finding is about. Of a finding about a word, the one place says it all. */
static bool put_excerpts(struct out *out, const struct server *s, size_t f)
{
	bool shown = put_place(out, s, f);

	if (!shown || pdcfg_finding_phase(s->rep, f) != PDCFG_PHASE_PARSE)
		shown |= put_excerpt(out, s, f);
	if (shown)
		put(out, "\n");
	return shown;
}

static void put_finding(struct out *out, const struct options *o, const struct server *s, size_t f)
{
	put_heading(out, s, f);
	put(out, "  ");
	put_wrapped(out, pdcfg_finding_message(s->rep, f), 2, 2);
	if (is_minor(s, f)) {
		put_minor(out, s, f);
		return;
	}
	if (!put_excerpts(out, s, f) || pdcfg_finding_phase(s->rep, f) != PDCFG_PHASE_PARSE)
		put_where(out, o, s, f);
	put_because(out, s, f);
	put_labelled(out, "why", pdcfg_finding_why(s->rep, f));
	put_remedy(out, s, f);
	put_when(out, s, f);
	put_quotes(out, s, f);
	if ((int64_t)f == s->first && pdcfg_report_maybe_earlier(s->rep))
		put_labelled(out, "note", "rules that come before this one lack facts, so SGLang may stop even earlier");
	put(out, "\n");
}

static bool is_abbreviation(const struct server *s, size_t f) { return !strcmp(pdcfg_finding_rule(s->rep, f), "argparse-abbreviation-accepted"); }

/* All of them together: everybody writes --tp. */
static void put_abbreviations(struct out *out, const struct server *s)
{
	struct out b = { 0 };

	for (size_t i = 0; i < s->shown_count; i++) {
		const char *token;

		if (!is_abbreviation(s, s->shown[i]))
			continue;
		token = pdcfg_finding_parse_token(s->rep, s->shown[i]);
		put(&b, b.n ? ", " : "abbreviated: ");
		put_bytes(&b, token, strcspn(token, "="));
		put_f(&b, " is %s", pdcfg_finding_parse_nearest(s->rep, s->shown[i]));
	}
	if (b.n) {
		put(out, "note: ");
		put_wrapped(out, b.s, 6, 6);
		put(out, "\n");
	}
	out->failed |= b.failed;
	end_out(&b);
}

/* ---- what could not be evaluated ---------------------------------------------------------------------------------- */

struct need {
	uint32_t key, rules;
};

static int by_rules(const void *a, const void *b)
{
	const struct need *x = a, *y = b;

	if (x->rules != y->rules)
		return x->rules < y->rules ? 1 : -1;
	return x->key < y->key ? -1 : x->key > y->key;
}

static size_t count_needs(const struct server *s, struct need *all, size_t room)
{
	size_t count = 0;

	for (size_t i = 0; i < pdcfg_report_unevaluated(s->rep); i++) {
		for (size_t n = 0; n < pdcfg_unevaluated_needs(s->rep, i); n++) {
			uint32_t key = pdcfg_unevaluated_need(s->rep, i, n), kind = pdcfg_key_kind(key);
			size_t k = 0;

			if (kind != PDCFG_KIND_MODEL && kind != PDCFG_KIND_PLATFORM) /* a value that did not parse */
				continue;
			while (k < count && all[k].key != key)
				k++;
			if (k == count && count < room)
				all[count++] = (struct need){ key, 0 };
			if (k < room)
				all[k].rules++;
		}
	}
	qsort(all, count, sizeof *all, by_rules);
	return count;
}

static void put_hint(struct out *out, const struct options *o, const struct server *s, const struct need *top)
{
	bool model = needs_of_kind(s, PDCFG_KIND_MODEL) > 0, platform = needs_of_kind(s, PDCFG_KIND_PLATFORM) > 0;
	struct out b = { 0 };

	if (model && (!s->model_from || s->guessed))
		put(&b, "the model with --model-config DIR");
	if (platform && !o->platform)
		put_f(&b, "%sthe machine with --platform NAME", b.n ? ", " : "");
	if (!b.n && (model || platform)) {
		put(&b, "a fact with --trait ");
		put_fact(&b, top->key);
	}
	if (b.n) {
		put(out, "  ");
		put(&b, "");
		char *text = malloc(b.n + 8);

		if (text) {
			memcpy(text, "give ", 5);
			memcpy(text + 5, b.s, b.n + 1);
			put_wrapped(out, text, 2, 2);
		} else {
			out->failed = true;
		}
		free(text);
	}
	out->failed |= b.failed;
	end_out(&b);
}

/* As many of the three facts that most rules lack as fit into a line. */
static void put_most_needed(struct out *out, const struct need *needs, size_t count)
{
	unsigned width = 15;

	put(out, "  most needed: ");
	for (size_t i = 0; i < count && i < 3; i++) {
		struct out b = { 0 };

		put_f(&b, "%s%s (%u)", i ? ", " : "", pdcfg_key_name(needs[i].key), (unsigned)needs[i].rules);
		width += b.s ? columns_of(b.s) : 0;
		if (!i || width <= out->width)
			put(out, b.s ? b.s : "");
		out->failed |= b.failed;
		end_out(&b);
	}
	put(out, "\n");
}

void put_unevaluated(struct out *out, const struct options *o, const struct server *s)
{
	struct need needs[128];
	size_t rules = pdcfg_report_unevaluated(s->rep), count = count_needs(s, needs, 128);

	if (!rules)
		return;
	put_f(out, "  %zu of %u rules %s not evaluated\n", rules, (unsigned)rule_count(), rules == 1 ? "was" : "were");
	if (!count)
		return;
	put_most_needed(out, needs, count);
	put_hint(out, o, s, &needs[0]);
}

/* ---- summary ------------------------------------------------------------------------------------------------------ */

static void put_verdict(struct out *out, const struct options *o, const struct server *s)
{
	static const char *const words[] = {
		[PDCFG_ACCEPTED] = "SGLang takes this launch",
		[PDCFG_REFUSED] = "SGLang refuses this launch",
		[PDCFG_UNDETERMINED] = "nothing is certainly wrong, but rules that may refuse lack facts",
	};
	const char *words_now = words[s->verdict], *prefix = o->in_log ? "pdcfg: " : "";
	uint32_t code = first_code(s);
	size_t errors = s->errors + s->lacking;
	struct out b = { 0 };

	if (s->verdict == PDCFG_ACCEPTED && pdcfg_report_unevaluated(s->rep))
		words_now = "SGLang takes this launch, as far as could be known";
	if (s->launch.kind == LAUNCH_ROUTER)
		words_now = "a router's arguments are not checked by this version";
	else if (s->sure && s->verdict == PDCFG_UNDETERMINED)
		words_now = "SGLang refuses this launch if the model is what its name says";
	else if (s->exits)
		words_now = "the arguments ask for help: SGLang prints it and exits";
	put(out, prefix);
	put_styled(out, s->verdict == PDCFG_REFUSED ? RED : s->verdict == PDCFG_ACCEPTED ? GREEN : YELLOW, verdict_name(s->verdict));
	put_f(&b, " (%zu error%s, %zu warning%s): ", errors, errors == 1 ? "" : "s", s->warnings, s->warnings == 1 ? "" : "s");
	if (s->lacking)
		put(&b, "required facts are missing; ");
	if (code && !s->errors)
		put_f(&b, "SGLang would refuse this: %zu finding%s not shown (--only, --ignore)", s->hidden, s->hidden == 1 ? " is" : "s are");
	else if (code)
		put_f(&b, "SGLang stops at PD%u %s%s", (unsigned)code, pdcfg_rule_text(code, PDCFG_TEXT_RULE),
		      is_shown(s, (size_t)s->first) ? "" : ", which is not shown");
	else
		put(&b, words_now);
	put_wrapped(out, b.s ? b.s : "", columns_of(prefix) + columns_of(verdict_name(s->verdict)), 2);
	out->failed |= b.failed;
	end_out(&b);
}

static void put_required(struct out *out, const struct options *o, const struct server *s)
{
	static const struct {
		uint32_t what, kind;
		const char *name;
	} all[] = { { REQUIRE_MODEL, PDCFG_KIND_MODEL, "model" }, { REQUIRE_PLATFORM, PDCFG_KIND_PLATFORM, "platform" }, { REQUIRE_PEER, 0, "peer" } };

	for (size_t i = 0; i < 3; i++) {
		if (!lacks_required(o, s, all[i].what))
			continue;
		put_styled(out, RED, "error");
		if (all[i].kind)
			put_f(out, ": --require %s: %zu rules lack facts about the %s\n", all[i].name, needs_of_kind(s, all[i].kind), all[i].name);
		else
			put_f(out, ": --require peer: no peer was given\n");
	}
}

static void put_filtered(struct out *out, const struct options *o, const struct server *s)
{
	if (s->hidden && (s->errors || !first_code(s))) /* else the verdict has said it */
		put_f(out, "  %zu finding%s not shown (--only, --ignore)\n", s->hidden, s->hidden == 1 ? " is" : "s are");
	for (size_t i = 0; i < o->ignore.n; i++) {
		if (!o->ignore.used[i])
			put_f(out, "  --ignore PD%u: that rule has nothing to say here\n", (unsigned)o->ignore.v[i]);
	}
}

static void put_introduction(struct out *out, const struct server *s)
{
	struct out b = { 0 };

	if (!strcmp(s->role, "null"))
		put(&b, "server without PD");
	else if (!strcmp(s->role, "unknown"))
		put(&b, "server of unknown role");
	else
		put_f(&b, "%s%s", s->role, s->launch.kind == LAUNCH_ROUTER ? "" : " server");
	put_f(&b, ", started by %s", s->launch.entry);
	if (s->model_from)
		put_f(&b, ", model traits %s %s", s->guessed ? "guessed from the name" : "from", s->model_from);
	put_wrapped(out, b.s ? b.s : "", 0, 2);
	out->failed |= b.failed;
	end_out(&b);
	for (size_t i = 0; i < s->launch.notes.n; i++) {
		put(out, "note: ");
		put_wrapped(out, s->launch.notes.v[i], 6, 6);
	}
	if (s->extra.n) {
		put(&b, "not SGLang's, taken as the options of the program around it:");
		for (size_t i = 0; i < s->extra.n; i++)
			put_f(&b, " %s", s->extra.v[i]);
		put(out, "note: ");
		put_wrapped(out, b.s ? b.s : "", 6, 6);
		end_out(&b);
	}
	put(out, "\n");
}

/* Each severity in the order in which SGLang would come to it. */
static void put_findings(struct out *out, const struct options *o, const struct server *s, uint32_t severity)
{
	for (size_t i = 0; i < s->shown_count; i++) {
		if (severity_of(s, s->shown[i]) == severity && !is_abbreviation(s, s->shown[i]))
			put_finding(out, o, s, s->shown[i]);
	}
}

void report_text(struct out *out, const struct options *o, struct server *s)
{
	if (!o->quiet) {
		put_introduction(out, s);
		put_findings(out, o, s, PDCFG_ERROR);
		put_findings(out, o, s, PDCFG_WARNING);
		put_abbreviations(out, s);
	}
	put_required(out, o, s);
	put_verdict(out, o, s);
	if (o->quiet)
		return;
	put_unevaluated(out, o, s);
	put_filtered(out, o, s);
}
