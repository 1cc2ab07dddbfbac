/*
 * Of launch.h: what stands in front of a program. Assignments, and the programs that only run another one (env, numactl, srun …).
 */
#include "launch_reader.h"
#include "text.h"
#include <pdcfg/pdcfg.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is known ------------------------------------------------------------------------------------------------ */

/* .flags of a WRAPPER */
#define ASSIGNS 1  /* NAME=VALUE words may stand after the options */
#define GUESSES 2  /* too many options to list: a word after an option is its value unless a program begins there */
#define IS_ENV 4   /* env: -i, -u, -S */
#define BUILTIN 8  /* of the shell: nothing to execute */
#define EXPORTS 16 /* srun: --export */
#define MPI 32     /* -x NAME=VALUE, -genv NAME VALUE, and options with two values */
#define TORCH 64   /* a Python program follows, as a script or with -m */
#define NOTED 128  /* it changes the environment or the place; said in a note */

struct fl_wrapper {
	const char *names;
	const char *letters;  /* short options that take a value */
	const char *longs;    /* long options that take a value, in the next word unless after = */
	const char *commands; /* of its own, to be passed over: uv run */
	uint8_t operands;     /* words of its own after the options */
	uint8_t flags;
};

static const struct fl_wrapper wrappers[] = {
#define WRAPPER(...) { .names = __VA_ARGS__ },
#include "launch.def"
};

static const struct {
	const char *names, *why;
} elsewhere[] = {
#define ELSEWHERE(names, why) { names, why },
#include "launch.def"
};

const struct fl_wrapper *fl_wrapper_by_name(const char *name)
{
	for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++) {
		if (fl_listed(wrappers[i].names, name, strlen(name)))
			return &wrappers[i];
	}
	return NULL;
}

bool fl_is_builtin(const struct fl_wrapper *p) { return p->flags & BUILTIN; }

const char *fl_why_elsewhere(const char *name)
{
	for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
		if (fl_listed(elsewhere[i].names, name, strlen(name)))
			return elsewhere[i].why;
	}
	return NULL;
}

/* Could a program begin here? Asked of a word that may as well be an option's value. */
static bool starts_program(const struct fl_reader *r, size_t at)
{
	const char *name = fl_base_name(fl_word_at(r, at));

	return fl_wrapper_by_name(name) || fl_why_elsewhere(name) || fl_starts_launch(r, at);
}

/* ---- env ---------------------------------------------------------------------------------------------------------- */

/* One escape of env -S; p stands at the backslash. Returns what follows it. */
static const char *env_escape(const char *p, char **out, bool *end)
{
	static const char *const pairs = "_ f\fn\nr\rt\tv\v";
	const char *pair = p[1] ? strchr(pairs, p[1]) : NULL;

	if (p[1] == 'c') {
		*end = true;
		return p + 2;
	}
	*(*out)++ = pair && (pair - pairs) % 2 == 0 ? pair[1] : p[1] ? p[1] : '\\';
	return p + (p[1] ? 2 : 1);
}

/* The next word of an env -S text, into to, which has room for all of it. Returns what follows, NULL when there is no word left. */
static const char *env_word(const char *p, char *to, bool *end)
{
	char quote = 0;

	while (is_space(*p))
		p++;
	if (!*p || *p == '#' || *end)
		return NULL;
	while (*p && !*end && (quote || !is_space(*p))) {
		if (*p == '\\' && quote != '\'') {
			p = env_escape(p, &to, end);
		} else if (quote ? *p == quote : *p == '"' || *p == '\'') {
			quote = quote ? 0 : *p;
			p++;
		} else {
			*to++ = *p++;
		}
	}
	*to = 0;
	return p;
}

/* Puts the words of an env -S text in place of the words before at. */
static void split_string(struct fl_reader *r, const char *text, size_t at)
{
	struct launch_words all = { 0 };
	char *buffer = malloc(strlen(text) + 1);
	int32_t place = fl_place_at(r, at - 1);
	bool end = false;

	if (!buffer) {
		fl_remember(r, PDCFG_E_NOMEM);
		return;
	}
	for (const char *p = text; (p = env_word(p, buffer, &end));)
		fl_remember(r, fl_add_word(&all, buffer, strlen(buffer), place));
	free(buffer);
	fl_remember(r, fl_replace_words(&r->w, at, &all));
	fl_end_words(&all);
	r->at = 0;
}

/* An option of env. A -S replaces the words, and what it held may begin with options as well. */
static void pass_env_option(struct fl_reader *r)
{
	const char *w = fl_word_at(r, r->at);
	size_t at = r->at;
	const char *value = NULL;
	char letter = 0;

	if (fl_begins(w, "--unset"))
		letter = 'u';
	else if (fl_begins(w, "--split-string"))
		letter = 'S';
	else if (fl_same(w, "--chdir"))
		letter = 'C';
	else if (fl_begins(w, "--ignore-env") || fl_same(w, "-"))
		fl_set(r, LAUNCH_CLEAR, "", 0, fl_place_at(r, at));
	if (letter) {
		value = strchr(w, '=') ? strchr(w, '=') + 1 : fl_word_at(r, ++at);
	} else if (w[0] == '-' && w[1] != '-') {
		for (w++; *w && !letter; w++) {
			if (*w == 'i')
				fl_set(r, LAUNCH_CLEAR, "", 0, fl_place_at(r, at));
			if (strchr("uSC", *w)) {
				letter = *w;
				value = fl_option_value(r, w + 1, &at);
			}
		}
	}
	r->at = at + 1;
	if (letter == 'u' && value)
		fl_set(r, LAUNCH_UNSET, value, strlen(value), fl_place_at(r, at));
	if (letter == 'S' && value)
		split_string(r, value, r->at);
}

/* ---- options ------------------------------------------------------------------------------------------------------ */

/* srun --export=ALL,NAME=VALUE: without ALL the job's environment is only what is named. */
static void read_export(struct fl_reader *r, const char *list, int32_t place)
{
	bool all = false;

	for (int pass = 0; pass < 2; pass++) {
		for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',') {
			size_t n = strcspn(p, ",");

			if (n == 3 && !memcmp(p, "ALL", 3))
				all = true;
			if (pass && pdcfg_launch_assignment(p))
				fl_set(r, LAUNCH_SET, p, n, place);
		}
		if (!pass && !all && *list)
			fl_set(r, LAUNCH_CLEAR, "", 0, place);
	}
}

/* mpirun -x NAME=VALUE, -genv NAME VALUE. Returns how many words the option takes besides itself, -1 for another option. */
static int pass_mpi_option(struct fl_reader *r)
{
	const char *w = fl_word_at(r, r->at), *one = fl_word_at(r, r->at + 1), *two = fl_word_at(r, r->at + 2);

	if (fl_same(w, "-x") && one) {
		if (pdcfg_launch_assignment(one))
			fl_set(r, LAUNCH_SET, one, strlen(one), fl_place_at(r, r->at + 1));
		return 1;
	}
	if ((fl_same(w, "-genv") || fl_same(w, "-env")) && one && two) {
		size_t n = strlen(one), m = strlen(two);
		char *both = malloc(n + m + 2);

		if (!both) {
			fl_remember(r, PDCFG_E_NOMEM);
			return 2;
		}
		memcpy(both, one, n);
		both[n] = '=';
		memcpy(both + n + 1, two, m + 1);
		fl_set(r, LAUNCH_SET, both, n + m + 1, fl_place_at(r, r->at + 1));
		free(both);
		return 2;
	}
	return fl_listed("--mca -mca -gmca --gmca --prtemca --pmixmca", w, strlen(w)) ? 2 : -1;
}

/* An option of a program with too many to list. */
static void pass_guessed(struct fl_reader *r, const struct fl_wrapper *p)
{
	const char *w = fl_word_at(r, r->at), *next = fl_word_at(r, r->at + 1);
	int takes = p->flags & MPI ? pass_mpi_option(r) : -1;

	if (p->flags & EXPORTS && fl_begins(w, "--export")) {
		const char *list = w[8] == '=' ? w + 9 : w[8] ? NULL : next;

		if (list)
			read_export(r, list, fl_place_at(r, r->at));
	}
	if (takes < 0)
		takes = !strchr(w, '=') && next && *next != '-' && !starts_program(r, r->at + 1);
	r->at += 1 + (size_t)takes;
}

/* An option of a program whose options with a value are listed. */
static void pass_listed(struct fl_reader *r, const struct fl_wrapper *p)
{
	const char *w = fl_word_at(r, r->at++);

	if (w[1] == '-') {
		if (!strchr(w, '=') && fl_listed(p->longs, w, strlen(w)))
			r->at++;
		return;
	}
	for (w++; *w; w++) {
		if (p->letters && strchr(p->letters, *w)) {
			if (!w[1])
				r->at++;
			return;
		}
	}
}

/* ---- a program ---------------------------------------------------------------------------------------------------- */

void fl_pass_assignments(struct fl_reader *r)
{
	const char *w;

	for (; (w = fl_word_at(r, r->at)) && pdcfg_launch_assignment(w); r->at++)
		fl_set(r, LAUNCH_SET, w, strlen(w), fl_place_at(r, r->at));
}

/* torchrun [options] -m MODULE | SCRIPT */
static bool read_torch(struct fl_reader *r, const struct fl_wrapper *p, size_t program)
{
	const char *w = fl_word_at(r, r->at);

	if (!(p->flags & TORCH) || !w)
		return false;
	if (fl_same(w, "-m") || fl_same(w, "--module")) {
		fl_run_module(r, program, r->at + 1, fl_word_at(r, r->at + 1));
		return true;
	}
	if (*w == '-')
		return false;
	fl_run_script(r, program, r->at);
	return true;
}

bool fl_pass_wrapper(struct fl_reader *r, const struct fl_wrapper *p)
{
	size_t program = r->at++;
	const char *w, *name = r->w.v[program];

	if (!(p->flags & BUILTIN)) {
		r->started = true;
		fl_remember(r, fl_add_word(&r->out->wrappers, fl_base_name(name), strlen(fl_base_name(name)), fl_place_at(r, program)));
	}
	if (p->flags & NOTED)
		fl_note(r, "%s may start the command with another environment than this one", fl_base_name(name));
	if (p->commands && (w = fl_word_at(r, r->at)) && fl_listed(p->commands, w, strlen(w)))
		r->at++;
	while ((w = fl_word_at(r, r->at)) && *w == '-' && r->status == PDCFG_OK) {
		if (read_torch(r, p, program))
			return true;
		if (fl_same(w, "--")) {
			r->at++;
			break;
		}
		if (p->flags & IS_ENV)
			pass_env_option(r);
		else if (p->flags & GUESSES)
			pass_guessed(r, p);
		else
			pass_listed(r, p);
	}
	if (p->flags & ASSIGNS)
		fl_pass_assignments(r);
	r->at += p->operands;
	return read_torch(r, p, program);
}
