/* One launch: what the command line, the environment, the files and the options say of it, put into a configuration and validated. */
#include "cli.h"
#include <errno.h>
#include <pdcfg/files.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

extern char **environ;

#define FROM_PROCESS "environment"
#define FROM_OPTION "--env"
#define FROM_COMMAND "command"

/* ---- the environment ---------------------------------------------------------------------------------------------- */

static struct variable *find_variable(const struct server *s, const char *name, size_t n)
{
	for (size_t i = 0; i < s->env_count; i++) {
		if (!strncmp(s->env[i].text, name, n) && s->env[i].text[n] == '=')
			return &s->env[i];
	}
	return NULL;
}

const struct variable *variable_of(const struct server *s, const char *name) { return find_variable(s, name, strlen(name)); }

static void drop_variable(struct server *s, const char *name, size_t n)
{
	struct variable *v = find_variable(s, name, n);

	if (!v)
		return;
	free(v->text);
	*v = s->env[--s->env_count];
}

static void drop_all_variables(struct server *s)
{
	while (s->env_count)
		free(s->env[--s->env_count].text);
}

static int set_variable(struct server *s, const char *text, const char *how, uint32_t line, int32_t word)
{
	char *copy = strdup(text);

	if (!copy)
		return complain("out of memory");
	drop_variable(s, text, strcspn(text, "="));
	if (s->env_count == s->env_room) {
		size_t room = s->env_room ? 2 * s->env_room : 64;
		struct variable *v = realloc(s->env, room * sizeof *v);

		if (!v) {
			free(copy);
			return complain("out of memory");
		}
		s->env = v;
		s->env_room = room;
	}
	s->env[s->env_count++] = (struct variable){ copy, how, line, word };
	return 0;
}

/* One line of a file in the syntax of docker --env-file: no quotes, no expansion; a name alone is taken from this process. */
static int read_env_line(struct server *s, char *text, const char *file, uint32_t line)
{
	size_t n;

	if (line == 1 && !strncmp(text, "\xef\xbb\xbf", 3))
		text += 3;
	text += strspn(text, " \t\v\f");
	n = strlen(text);
	while (n && (text[n - 1] == '\n' || text[n - 1] == '\r'))
		text[--n] = 0;
	if (!*text || *text == '#')
		return 0;
	n = strcspn(text, "=");
	if (!n)
		return complain("%s:%u: there is no name before =", file, (unsigned)line);
	if (strcspn(text, " \t\v\f") < n)
		return complain("%s:%u: a blank in the name of a variable: '%.*s'", file, (unsigned)line, (int)(n < 60 ? n : 60), text);
	if (text[n])
		return set_variable(s, text, file, line, -1);
	for (char **e = environ; *e; e++) {
		if (!strncmp(*e, text, n) && (*e)[n] == '=')
			return set_variable(s, *e, file, line, -1);
	}
	return 0;
}

static int read_env_file(struct server *s, const char *file)
{
	FILE *f = fopen(file, "r");
	char *text = NULL;
	size_t room = 0;
	ssize_t n;
	uint32_t line = 0;
	int status = 0;

	if (!f)
		return complain("cannot read %s: %s", file, strerror(errno));
	while (!status && (n = getline(&text, &room, f)) >= 0) {
		line++;
		if (strlen(text) != (size_t)n)
			status = complain("%s:%u: a zero byte in a file of variables", file, (unsigned)line);
		else
			status = read_env_line(s, text, file, line);
	}
	if (!status && ferror(f))
		status = complain("cannot read %s: %s", file, strerror(errno));
	free(text);
	fclose(f);
	return status;
}

/* The process, then the files, then --env, then what the command itself sets: each beats the ones before. */
static int gather_env(const struct options *o, struct server *s)
{
	int status = 0;

	for (char **e = environ; !o->no_env && *e && !status; e++)
		status = set_variable(s, *e, FROM_PROCESS, 0, -1);
	for (size_t i = 0; i < o->env.n && !status; i += 2) {
		if (*o->env.v[i] == 'f')
			status = read_env_file(s, o->env.v[i + 1]);
	}
	for (size_t i = 0; i < o->env.n && !status; i += 2) {
		if (*o->env.v[i] == 'e')
			status = set_variable(s, o->env.v[i + 1], FROM_OPTION, 0, -1);
	}
	for (size_t i = 0; i < s->launch.setting_count && !status; i++) {
		const struct launch_setting *set = &s->launch.settings[i];

		if (set->change == LAUNCH_CLEAR)
			drop_all_variables(s);
		else if (set->change == LAUNCH_UNSET)
			drop_variable(s, set->text, strlen(set->text));
		else
			status = set_variable(s, set->text, FROM_COMMAND, 0, set->from);
	}
	return status;
}

static int failed(const char *what, int32_t status) { return complain("%s: %s", what, pdcfg_strerror(status)); }

static int give_env(struct server *s)
{
	const char **all = calloc(s->env_count + 1, sizeof *all);
	int32_t status;

	if (!all)
		return complain("out of memory");
	for (size_t i = 0; i < s->env_count; i++)
		all[i] = s->env[i].text;
	status = pdcfg_parse_environ(s->cfg, all);
	free(all);
	for (size_t i = 0; i < s->env_count && status >= 0; i++) {
		const struct variable *v = &s->env[i];
		char name[128];
		uint32_t key;

		if (!v->line || strcspn(v->text, "=") >= sizeof name)
			continue;
		snprintf(name, sizeof name, "%.*s", (int)strcspn(v->text, "="), v->text);
		key = pdcfg_key_by_name(name);
		if (key && pdcfg_is_set(s->cfg, key) == 1)
			status = pdcfg_set_origin(s->cfg, key, PDCFG_FROM_FILE, v->how, v->line, 0);
	}
	return status < 0 ? failed("environment", status) : 0;
}

/* ---- the model and other facts ------------------------------------------------------------------------------------ */

/* The file of this directory that says what the model is, "" when it has none. */
static const char *config_of(const char *dir)
{
	static const char *const names[] = { "/config.json", "/params.json" };
	struct stat st;
	char path[4096];

	for (size_t i = 0; i < 2; i++) {
		int n = snprintf(path, sizeof path, "%s%s", dir, names[i]);

		if (*dir && n > 0 && (size_t)n < sizeof path && !stat(path, &st) && S_ISREG(st.st_mode))
			return names[i];
	}
	return "";
}

static int read_config(struct server *s, const char *path, int32_t (*read)(pdcfg_t *, const char *, char *, size_t))
{
	char why[512] = "";
	int32_t status = read(s->cfg, path, why, sizeof why);

	return status < 0 ? complain("%s", *why ? why : pdcfg_strerror(status)) : 0;
}

/* The text of an argument, copied: the configuration it is borrowed from is about to change. NULL without memory. */
static char *argument(const struct server *s, const char *field) { return strdup(pdcfg_get_text(s->cfg, pdcfg_key_by_name(field))); }

/* Says of the traits that were read just now where they come from. What the file does not tell has no place: its text would be the place. */
static int32_t set_origins(struct server *s, const char *where, uint32_t kind, bool draft)
{
	pdcfg_report *rep;
	int32_t status = pdcfg_validate(s->cfg, &rep);

	for (uint32_t key = pdcfg_key_next(0); key && status >= 0; key = pdcfg_key_next(key)) {
		if (pdcfg_key_kind(key) != PDCFG_KIND_MODEL || pdcfg_is_set(s->cfg, key) != 1 || !strcmp(pdcfg_resolved_text(rep, key), "?"))
			continue;
		if (!strncmp(pdcfg_key_name(key), "model.draft_", 12) == draft)
			status = pdcfg_set_origin(s->cfg, key, kind, where, 0, 0);
	}
	pdcfg_report_free(rep);
	return status;
}

static int32_t set_file_origins(struct server *s, const char *path, bool draft)
{
	struct out where = { 0 };
	int32_t status;

	put_f(&where, "%s%s", path, config_of(path));
	status = where.failed ? PDCFG_E_NOMEM : set_origins(s, where.s, PDCFG_FROM_FILE, draft);
	end_out(&where);
	return status;
}

/* The traits of the model at path: from its file, or from its name. */
static int32_t read_traits(const struct options *o, struct server *s, const char *path)
{
	int32_t known;

	s->model_in_file = o->model_config || *config_of(path);
	if (s->model_in_file) {
		if (read_config(s, path, pdcfg_files_read_model))
			return STATUS_UNABLE;
		known = set_file_origins(s, path, false);
		return known < 0 ? failed("model", known) : 0;
	}
	known = *path ? pdcfg_files_known_model(s->cfg, path) : PDCFG_FILES_UNKNOWN_MODEL;
	s->guessed = known == PDCFG_FILES_LIKELY_MODEL;
	s->model_known = known == PDCFG_FILES_KNOWN_MODEL || s->guessed;
	if (s->model_known)
		known = set_origins(s, CATALOGUE, PDCFG_FROM_CALLER, false);
	return known < 0 ? failed("model", known) : 0;
}

static int give_model(const struct options *o, struct server *s)
{
	char *path = o->model_config ? strdup(o->model_config) : argument(s, "model_path");
	int status = path ? read_traits(o, s, path) : complain("out of memory");

	if (!status && (s->model_in_file || s->model_known))
		s->model_from = path;
	else
		free(path);
	return status;
}

static int give_draft_model(struct server *s)
{
	char *path = argument(s, "speculative_draft_model_path");
	int status = path ? 0 : complain("out of memory");
	int32_t known = 0;

	if (path && *config_of(path)) {
		status = read_config(s, path, pdcfg_files_read_draft_model);
		if (!status)
			known = set_file_origins(s, path, true);
	}
	free(path);
	return known < 0 ? failed("draft model", known) : status;
}

/* --trait NAME=VALUE: a trait of the model, with or without "model.", or "platform.NAME". */
static int give_trait(struct server *s, const char *text)
{
	const char *value = strchr(text, '=') + 1, *near;
	char name[80];
	int n = snprintf(name, sizeof name, "%s%.*s", memchr(text, '.', (size_t)(value - text)) ? "" : "model.", (int)(value - text - 1), text);
	uint32_t key = n > 0 && (size_t)n < sizeof name ? pdcfg_key_by_name(name) : 0, kind = key ? pdcfg_key_kind(key) : 0;
	int64_t number;
	int32_t status;

	if (kind != PDCFG_KIND_MODEL && kind != PDCFG_KIND_PLATFORM) {
		near = nearest_fact(strncmp(name, "model.", 6) ? name : name + 6);
		return complain("--trait %.*s: there is no such fact%s%s%s ('pdcfg help traits' lists them)", (int)(value - text - 1), text,
				*near ? "; did you mean " : "", near, *near ? "?" : "");
	}
	status = pdcfg_set_arg(s->cfg, name, value);
	if (status == PDCFG_OK && pdcfg_key_type(key) <= PDCFG_TYPE_INT && pdcfg_get_i64(s->cfg, key, &number) < 0 && strcmp(value, "None") != 0)
		return complain("--trait %s: %s takes %s", text, name, fact_type(key));
	return status < 0 ? failed("--trait", status) : 0;
}

static int give_facts(const struct options *o, struct server *s)
{
	int32_t status = o->platform ? pdcfg_use_platform(s->cfg, o->platform) : 0;

	if (status < 0)
		return failed("--platform", status);
	if (give_model(o, s) || give_draft_model(s))
		return STATUS_UNABLE;
	for (size_t i = 0; i < o->traits.n; i++) {
		if (give_trait(s, o->traits.v[i]))
			return STATUS_UNABLE;
	}
	status = o->pd_required ? pdcfg_set_pd_required(s->cfg, 1) : 0;
	return status < 0 ? failed("--pd-required", status) : 0;
}

/* ---- the findings that are shown ---------------------------------------------------------------------------------- */

bool is_minor(const struct server *s, size_t i)
{
	return severity_of(s, i) != PDCFG_ERROR && pdcfg_finding_phase(s->rep, i) == PDCFG_PHASE_PARSE;
}

static bool named(const struct codes *c, uint32_t code)
{
	bool found = false;

	for (size_t i = 0; i < c->n; i++) {
		if (c->v[i] == code)
			found = c->used[i] = true;
	}
	return found;
}

uint32_t confidence_of(const struct server *s, size_t i)
{
	uint32_t confidence = pdcfg_finding_confidence(s->rep, i);
	size_t k = 0;

	if (confidence != PDCFG_CERTAIN || !s->sure)
		return confidence;
	while (s->sure[k] && s->sure[k] != pdcfg_finding_code(s->rep, i))
		k++;
	return s->sure[k] ? PDCFG_CERTAIN : PDCFG_LIKELY;
}

uint32_t severity_of(const struct server *s, size_t i)
{
	uint32_t severity = pdcfg_finding_severity(s->rep, i);

	if (!strcmp(pdcfg_finding_rule(s->rep, i), "argparse-abbreviation-accepted"))
		return NOTE; /* everybody writes --tp */
	return severity == PDCFG_ERROR && confidence_of(s, i) != PDCFG_CERTAIN ? PDCFG_WARNING : severity;
}

static bool is_hidden(const struct options *o, uint32_t code) { return named(&o->ignore, code) || (o->only.n && !named(&o->only, code)); }

uint32_t first_code(const struct server *s) { return s->first >= 0 ? pdcfg_finding_code(s->rep, (size_t)s->first) : 0; }

/* What --only and --ignore leave. The verdict looks at everything: SGLang does not know of them. */
static int select_findings(const struct options *o, struct server *s)
{
	size_t count = pdcfg_report_count(s->rep);

	s->shown = calloc(count + 1, sizeof *s->shown);
	if (!s->shown)
		return complain("out of memory");
	s->first = -1;
	for (size_t i = 0; i < count; i++) {
		if (s->first < 0 && severity_of(s, i) == PDCFG_ERROR)
			s->first = (int64_t)i;
		if (is_hidden(o, pdcfg_finding_code(s->rep, i))) {
			s->hidden += severity_of(s, i) != NOTE;
			continue;
		}
		s->shown[s->shown_count++] = i;
		s->errors += severity_of(s, i) == PDCFG_ERROR;
		s->warnings += severity_of(s, i) == PDCFG_WARNING;
	}
	s->verdict = s->rep ? pdcfg_report_verdict(s->rep) : PDCFG_ACCEPTED;
	if (s->verdict == PDCFG_REFUSED && s->first < 0)
		s->verdict = PDCFG_UNDETERMINED;
	for (unsigned i = 0; i < 3; i++)
		s->lacking += lacks_required(o, s, 1u << i);
	return 0;
}

bool is_shown(const struct server *s, size_t f)
{
	for (size_t i = 0; i < s->shown_count; i++) {
		if (s->shown[i] == f)
			return true;
	}
	return false;
}

size_t needs_of_kind(const struct server *s, uint32_t kind)
{
	size_t rules = 0;

	for (size_t i = 0; i < pdcfg_report_unevaluated(s->rep); i++) {
		for (size_t n = 0; n < pdcfg_unevaluated_needs(s->rep, i); n++) {
			if (pdcfg_key_kind(pdcfg_unevaluated_need(s->rep, i, n)) == kind) {
				rules++;
				break;
			}
		}
	}
	return rules;
}

bool lacks_required(const struct options *o, const struct server *s, uint32_t what)
{
	if (!(o->require & what))
		return false;
	if (what == REQUIRE_PEER)
		return true; /* one launch never has its peer */
	return needs_of_kind(s, what == REQUIRE_MODEL ? PDCFG_KIND_MODEL : PDCFG_KIND_PLATFORM) > 0;
}

int status_of(const struct options *o, const struct server *s)
{
	if (o->fail_level == FAIL_NEVER)
		return STATUS_CLEAN;
	if (s->lacking || s->errors)
		return STATUS_FOUND;
	return o->fail_level == FAIL_WARNING && s->warnings ? STATUS_FOUND : STATUS_CLEAN;
}

const char *verdict_name(int32_t verdict)
{
	return verdict == PDCFG_ACCEPTED ? "accepted" : verdict == PDCFG_REFUSED ? "refused" : "undetermined";
}

uint32_t rule_count(void)
{
	uint32_t n = 0;

	for (uint32_t code = pdcfg_code_next(0); code; code = pdcfg_code_next(code))
		n += strcmp(pdcfg_rule_text(code, PDCFG_TEXT_KIND), "retired") != 0;
	return n;
}

int32_t word_of(const struct server *s, int64_t index)
{
	return index >= 0 && (uint64_t)index < s->args.n ? s->args.from[index] : -1;
}

int32_t word_of_finding(const struct server *s, size_t i)
{
	const char *rule = s->launch.refusal.rule;

	/* what `sglang serve` takes off its words is no argument, and has no position among them */
	if (rule && !strcmp(rule, pdcfg_finding_rule(s->rep, i)))
		return s->launch.refusal.from;
	return word_of(s, pdcfg_finding_parse_index(s->rep, i));
}

/* ---- the whole ---------------------------------------------------------------------------------------------------- */

/* Is the mode given, but so that SGLang cannot read it? */
static bool is_mode_unclear(const struct server *s)
{
	uint32_t mode = pdcfg_key_by_name("disaggregation_mode");
	const char *option = pdcfg_key_option(mode);

	for (size_t f = 0; f < pdcfg_report_count(s->rep); f++) {
		if (pdcfg_finding_phase(s->rep, f) != PDCFG_PHASE_PARSE || severity_of(s, f) != PDCFG_ERROR)
			continue;
		if (!strcmp(pdcfg_finding_parse_option(s->rep, f), option) || !strcmp(pdcfg_finding_parse_nearest(s->rep, f), option))
			return true;
		for (size_t n = 0; n < pdcfg_finding_subjects(s->rep, f); n++) {
			if (pdcfg_subject_key(s->rep, f, n) == mode)
				return true;
		}
	}
	return false;
}

static const char *role_of(const struct server *s)
{
	const char *mode;

	if (s->launch.kind == LAUNCH_ENCODER)
		return "encoder";
	if (is_mode_unclear(s))
		return "unknown";
	mode = pdcfg_get_text(s->cfg, pdcfg_key_by_name("disaggregation_mode"));
	return !strcmp(mode, "prefill") ? "prefill" : !strcmp(mode, "decode") ? "decode" : "null";
}

/* Which errors hold whatever the model is? */
static int validate_without_model(struct server *s)
{
	pdcfg_t *bare;
	pdcfg_report *rep = NULL;
	int32_t status = pdcfg_clone(s->cfg, &bare);
	size_t n = 0;

	for (uint32_t key = pdcfg_key_next(0); key && status >= 0; key = pdcfg_key_next(key)) {
		if (pdcfg_key_kind(key) == PDCFG_KIND_MODEL)
			status = pdcfg_unset(bare, key);
	}
	if (status >= 0)
		status = pdcfg_validate(bare, &rep);
	s->sure = calloc(pdcfg_report_count(rep) + 1, sizeof *s->sure);
	if (!s->sure)
		status = PDCFG_E_NOMEM;
	for (size_t i = 0; status >= 0 && i < pdcfg_report_count(rep); i++)
		s->sure[n++] = pdcfg_finding_code(rep, i);
	pdcfg_report_free(rep);
	pdcfg_free(bare);
	return status < 0 ? failed("validation", status) : 0;
}

/* What `sglang serve` refuses stands before whatever its arguments hold; those are read all the same. */
static int give_arguments(struct server *s)
{
	const char *rule = s->launch.refusal.rule;
	char why[512] = "";
	int32_t status = rule ? pdcfg_add_parse_finding(s->cfg, pdcfg_code_by_rule(rule), -1, NULL, NULL) : PDCFG_OK;

	if (status >= 0)
		status = pdcfg_files_parse_argv(s->cfg, (int32_t)s->args.n, (const char *const *)s->args.v, why, sizeof why);
	if (status < 0)
		return *why ? complain("--config: %s", why) : failed("arguments", status);
	s->exits = status == 1 && !rule;
	return 0;
}

static int validate(const struct options *o, struct server *s)
{
	int32_t status = pdcfg_new(&s->cfg);

	if (status < 0)
		return failed("configuration", status);
	pdcfg_set_json_reader(s->cfg, pdcfg_files_json_reader, NULL);
	if (give_arguments(s) || give_env(s) || give_facts(o, s))
		return STATUS_UNABLE;
	status = pdcfg_validate(s->cfg, &s->rep);
	if (status < 0)
		return failed("validation", status);
	return s->guessed && status == PDCFG_REFUSED ? validate_without_model(s) : 0;
}

static void forget(struct server *s)
{
	pdcfg_report_free(s->rep);
	pdcfg_free(s->cfg);
	free(s->model_from);
	free(s->sure);
	s->sure = NULL;
	s->rep = NULL;
	s->cfg = NULL;
	s->model_from = NULL;
	s->model_in_file = s->model_known = s->guessed = false;
}

/* Moves the words of the arguments that are odd to the extra ones, both kept in order. */
static bool move_words(struct launch_words *args, struct launch_words *extra, const bool *odd)
{
	size_t kept = 0;

	for (size_t i = 0; i < args->n; i++) {
		struct launch_words *to = odd[i] ? extra : args;
		size_t at = odd[i] ? extra->n++ : kept++;

		to->v[at] = args->v[i];
		to->from[at] = args->from[i];
	}
	args->n = kept;
	args->v[kept] = NULL;
	return extra->n > 0;
}

/* A program around SGLang has options of its own, which differ from release to release: what SGLang does not know is taken as
 * its. Returns whether there was any. */
static bool set_extra_apart(struct server *s)
{
	size_t count = pdcfg_report_count(s->rep);
	bool *odd = calloc(s->args.n + 1, sizeof *odd), any = false;

	s->extra.v = calloc(s->args.n + 1, sizeof *s->extra.v);
	s->extra.from = calloc(s->args.n + 1, sizeof *s->extra.from);
	for (size_t i = 0; odd && i < count; i++) {
		int64_t at = pdcfg_finding_parse_index(s->rep, i);

		if (pdcfg_finding_parse_class(s->rep, i) != PDCFG_PARSE_UNRECOGNIZED || at < 0 || (uint64_t)at >= s->args.n)
			continue;
		odd[at] = true;
		for (size_t k = (size_t)at + 1; k < s->args.n && s->args.v[k][0] != '-' && !strchr(s->args.v[at], '='); k++)
			odd[k] = true;
	}
	if (odd && s->extra.v && s->extra.from)
		any = move_words(&s->args, &s->extra, odd);
	free(odd);
	return any;
}

/* Says that nothing was recognised, and what the module behind -m may be meant to be. */
static int no_launch(const struct options *o, const struct server *s)
{
	struct nearest near = { 0 };
	const char *entry, *why = s->launch.why;

	for (int i = 0; i + 1 < o->command_count && !near.best; i++) {
		if (strcmp(o->command[i], "-m") != 0)
			continue;
		near.word = o->command[i + 1];
		if (!strstr(why, near.word)) /* it is another word that is wrong */
			continue;
		for (size_t n = 0; *(entry = pdcfg_launch_entry(n)); n++)
			nearest_try(&near, entry);
	}
	if (near.best)
		return complain("no launch of SGLang: %s; did you mean %s?", why, near.best);
	return complain("no launch of SGLang: %s", why);
}

int check_server(const struct options *o, struct server *s)
{
	int32_t status;

	memset(s, 0, sizeof *s);
	s->command = o->command;
	s->command_count = o->command_count;
	status = pdcfg_launch_read(o->command_count, o->command, &s->launch);
	if (status < 0)
		return failed("command", status);
	if (s->launch.kind == LAUNCH_NOTHING)
		return no_launch(o, s);
	s->args = s->launch.args;
	memset(&s->launch.args, 0, sizeof s->launch.args);
	if (gather_env(o, s))
		return STATUS_UNABLE;
	if (s->launch.kind == LAUNCH_ROUTER) { /* there are no rules about its arguments yet */
		s->role = "router";
		s->first = -1;
		s->verdict = PDCFG_UNDETERMINED;
		s->lacking = lacks_required(o, s, REQUIRE_PEER);
		return 0;
	}
	if (validate(o, s))
		return STATUS_UNABLE;
	if (s->launch.mixed && set_extra_apart(s)) {
		forget(s);
		if (validate(o, s))
			return STATUS_UNABLE;
	}
	s->role = role_of(s);
	if (s->exits) { /* SGLang prints its help or version, and nothing is checked */
		pdcfg_report_free(s->rep);
		s->rep = NULL;
	}
	return select_findings(o, s);
}

static void end_list(struct launch_words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->v[i]);
	free(w->v);
	free(w->from);
}

void end_server(struct server *s)
{
	forget(s);
	drop_all_variables(s);
	free(s->env);
	free(s->shown);
	end_list(&s->args);
	end_list(&s->extra);
	pdcfg_launch_end(&s->launch);
}
