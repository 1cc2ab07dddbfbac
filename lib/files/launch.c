/*
 * Recognises a launch of SGLang in a command line. The words are read from the left as a shell and the programs in front would: assignments,
 * then programs that only run another one (env, numactl, srun …), then Python with a module, a script or SGLang's own command. A program
 * that is not known is passed over when a launch stands behind it: an entrypoint script that ends in exec "$@" is the usual case, and what
 * matters is what SGLang is given.
 */
#include "launch.h"
#include <pdcfg/pdcfg.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct pdcfg_launch *out;
	struct launch_words w; /* the command, with what env -S splits put in */
	size_t at;
	bool started;          /* a program has been passed over: assignments are no longer the shell's */
	bool behind;           /* at stands on a launch behind a program that is not known */
	size_t unknown;        /* that program */
	int32_t status;
};

/* ---- words -------------------------------------------------------------------------------------------------------- */

static char *copy_text(const char *s, size_t n)
{
	char *t = malloc(n + 1);

	if (t) {
		memcpy(t, s, n);
		t[n] = 0;
	}
	return t;
}

static int32_t reserve(struct launch_words *w, size_t more)
{
	size_t room = w->room ? w->room : 16;
	char **v;
	int32_t *from;

	while (room < w->n + more + 1)
		room *= 2;
	if (room == w->room)
		return PDCFG_OK;
	v = realloc(w->v, room * sizeof *v);
	if (!v)
		return PDCFG_E_NOMEM;
	w->v = v;
	from = realloc(w->from, room * sizeof *from);
	if (!from)
		return PDCFG_E_NOMEM;
	w->from = from;
	w->room = room;
	w->v[w->n] = NULL;
	return PDCFG_OK;
}

static int32_t add_word(struct launch_words *w, const char *s, size_t n, int32_t from)
{
	char *t;

	if (reserve(w, 1) < 0)
		return PDCFG_E_NOMEM;
	t = copy_text(s, n);
	if (!t)
		return PDCFG_E_NOMEM;
	w->v[w->n] = t;
	w->from[w->n++] = from;
	w->v[w->n] = NULL;
	return PDCFG_OK;
}

static void end_words(struct launch_words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->v[i]);
	free(w->v);
	free(w->from);
	memset(w, 0, sizeof *w);
}

static void remember(struct reader *r, int32_t status)
{
	if (status < 0 && r->status == PDCFG_OK)
		r->status = status;
}

/* Puts the words of by in place of the first n of w, and leaves by empty. There may be many words, and many such calls: they are moved, not copied. */
static int32_t replace_words(struct launch_words *w, size_t n, struct launch_words *by)
{
	size_t rest = w->n - n;

	if (by->n > n && reserve(w, by->n - n) < 0)
		return PDCFG_E_NOMEM;
	for (size_t i = 0; i < n; i++)
		free(w->v[i]);
	memmove(w->v + by->n, w->v + n, (rest + 1) * sizeof *w->v);
	memmove(w->from + by->n, w->from + n, rest * sizeof *w->from);
	if (by->n) {
		memcpy(w->v, by->v, by->n * sizeof *w->v);
		memcpy(w->from, by->from, by->n * sizeof *w->from);
		by->v[0] = NULL;
	}
	w->n = rest + by->n;
	by->n = 0;
	return PDCFG_OK;
}

static char *print_text(const char *format, va_list args)
{
	va_list again;
	char *text = NULL;
	int n;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (n >= 0)
		text = malloc((size_t)n + 1);
	if (text)
		vsnprintf(text, (size_t)n + 1, format, args);
	return text;
}

__attribute__((format(printf, 2, 3)))
static void fail(struct reader *r, const char *format, ...)
{
	va_list args;

	free(r->out->why);
	va_start(args, format);
	r->out->why = print_text(format, args);
	va_end(args);
	r->out->kind = LAUNCH_NOTHING;
	if (!r->out->why)
		remember(r, PDCFG_E_NOMEM);
}

__attribute__((format(printf, 2, 3)))
static void note(struct reader *r, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = print_text(format, args);
	va_end(args);
	remember(r, text ? add_word(&r->out->notes, text, strlen(text), -1) : PDCFG_E_NOMEM);
	free(text);
}

static void set(struct reader *r, enum launch_change change, const char *text, size_t n, int32_t from)
{
	struct pdcfg_launch *l = r->out;
	struct launch_setting *s = l->settings;

	if (l->setting_count == l->setting_room) {
		l->setting_room = l->setting_room ? 2 * l->setting_room : 8;
		s = realloc(s, l->setting_room * sizeof *s);
		if (!s) {
			l->setting_room = l->setting_count;
			remember(r, PDCFG_E_NOMEM);
			return;
		}
		l->settings = s;
	}
	s += l->setting_count;
	*s = (struct launch_setting){ .text = copy_text(text, n), .from = from, .change = (uint8_t)change, .in_front = !r->started };
	if (s->text)
		l->setting_count++;
	else
		remember(r, PDCFG_E_NOMEM);
}

static const char *word(const struct reader *r, size_t i) { return i < r->w.n ? r->w.v[i] : NULL; }
static int32_t from(const struct reader *r, size_t i) { return i < r->w.n ? r->w.from[i] : -1; }
static bool same(const char *a, const char *b) { return !strcmp(a, b); }
static bool begins(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

static bool ends(const char *s, const char *with)
{
	size_t n = strlen(s), m = strlen(with);

	return n >= m && same(s + n - m, with);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Is s[0..n) one of the words of a list separated by blanks? */
static bool listed(const char *list, const char *s, size_t n)
{
	if (!n)
		return false;
	for (const char *p = list; p && *p; p += strcspn(p, " "), p += *p == ' ') {
		if (strcspn(p, " ") == n && !memcmp(p, s, n))
			return true;
	}
	return false;
}

size_t pdcfg_launch_assignment(const char *w)
{
	size_t n = 0;

	if (*w >= '0' && *w <= '9')
		return 0;
	while (w[n] == '_' || (w[n] >= 'a' && w[n] <= 'z') || (w[n] >= 'A' && w[n] <= 'Z') || (w[n] >= '0' && w[n] <= '9'))
		n++;
	return w[n] == '=' ? n : 0;
}

/* ---- what is known ------------------------------------------------------------------------------------------------ */

#define ASSIGNS 1  /* NAME=VALUE words may stand after the options */
#define GUESSES 2  /* too many options to list: a word after an option is its value unless a program begins there */
#define IS_ENV 4   /* env: -i, -u, -S */
#define BUILTIN 8  /* of the shell: nothing to execute */
#define EXPORTS 16 /* srun: --export */
#define MPI 32     /* -x NAME=VALUE, -genv NAME VALUE, and options with two values */
#define TORCH 64   /* a Python program follows, as a script or with -m */
#define NOTED 128  /* it changes the environment or the place; said in a note */

struct wrapper {
	const char *names;
	const char *letters;  /* short options that take a value */
	const char *longs;    /* long options that take a value, in the next word unless after = */
	const char *commands; /* of its own, to be passed over: uv run */
	uint8_t operands;     /* words of its own after the options */
	uint8_t flags;
};

static const struct wrapper wrappers[] = {
	{ "env", "uCS", "--unset --chdir --split-string", NULL, 0, ASSIGNS | IS_ENV },
	{ "exec", "a", NULL, NULL, 0, BUILTIN },
	{ "command builtin", NULL, NULL, NULL, 0, BUILTIN },
	{ "nohup setsid catchsegv unbuffer tini-static", NULL, NULL, NULL, 0, 0 },
	{ "tini dumb-init catatonit", "peg", NULL, NULL, 0, 0 },
	{ "numactl", "iwpPCNmSLoIMf", "--interleave --weighted-interleave --preferred --preferred-many --physcpubind --cpunodebind --membind",
	  NULL, 0, 0 },
	{ "taskset", NULL, NULL, NULL, 1, 0 },
	{ "timeout", "sk", "--signal --kill-after", NULL, 1, 0 },
	{ "nice", "n", "--adjustment", NULL, 0, 0 },
	{ "ionice", "cnpPu", "--class --classdata", NULL, 0, 0 },
	{ "chrt", "TPD", "--sched-runtime --sched-period --sched-deadline", NULL, 1, 0 },
	{ "stdbuf", "ioe", "--input --output --error", NULL, 0, 0 },
	{ "time", "fo", "--format --output", NULL, 0, 0 },
	{ "prlimit", "p", "--pid", NULL, 0, 0 },
	{ "sudo", "ugpChrtTDRU", "--user --group --prompt --close-from --host --role --type --command-timeout --chdir --chroot", NULL, 0,
	  ASSIGNS | NOTED },
	{ "doas", "uC", NULL, NULL, 0, NOTED },
	{ "gosu su-exec", NULL, NULL, NULL, 1, 0 },
	{ "srun", NULL, NULL, NULL, 0, GUESSES | EXPORTS },
	{ "mpirun mpiexec orterun mpirun.real prterun", NULL, NULL, NULL, 0, GUESSES | MPI },
	{ "torchrun torchrun.real", NULL, NULL, NULL, 0, GUESSES | TORCH },
	{ "nsys", NULL, NULL, "profile launch", 0, GUESSES },
	{ "ncu", NULL, NULL, NULL, 0, GUESSES },
	{ "py-spy", NULL, NULL, "record", 0, GUESSES },
	{ "viztracer", NULL, NULL, NULL, 0, GUESSES },
	{ "uv poetry pdm pipenv rye hatch", NULL, NULL, "run", 0, GUESSES },
	{ "conda mamba micromamba pixi", NULL, NULL, "run", 0, GUESSES },
	{ "pdcfg", NULL, NULL, "exec check resolve", 0, GUESSES },
};

/* These start something elsewhere or only talk of it: what stands behind is not run here as it is written. */
static const struct {
	const char *names, *why;
} elsewhere[] = {
	{ "ssh pdsh clush parallel-ssh rsh", "it runs on another host, with that host's environment: check it there, or give the command behind it" },
	{ "docker podman nerdctl apptainer singularity enroot", "it runs in a container, with the image's environment: give the command behind it, and its variables with --env" },
	{ "kubectl oc crictl", "it runs in a pod, with the pod's environment: give the command behind it, and its variables with --env" },
	{ "sh bash dash zsh ksh ash busybox", "a shell script is not read from a command line: give the command that it runs" },
	{ "ray", "it is started by Ray: give the command that Ray runs" },
	{ "echo printf cat true false test", "it runs nothing" },
};

struct module {
	const char *name;
	enum launch_kind kind;
	bool mixed;
};

static const struct module modules[] = {
	{ "sglang.launch_server", LAUNCH_SERVER, false },
	{ "sglang_router.launch_router", LAUNCH_ROUTER, false },
	{ "sglang_router.launch_server", LAUNCH_ROUTER, false },
	{ "sglang_router.mini_lb", LAUNCH_ROUTER, false },
	{ "sglang_router.cli", LAUNCH_ROUTER, false },
	{ "sglang_router", LAUNCH_ROUTER, false },
	{ "sglang.srt.disaggregation.launch_lb", LAUNCH_ROUTER, false },
	{ "sglang.srt.disaggregation.mini_lb", LAUNCH_ROUTER, false },
	{ "dynamo.sglang", LAUNCH_SERVER, true },
	{ "dynamo.sglang.main", LAUNCH_SERVER, true },
	{ "dynamo.sglang.worker", LAUNCH_SERVER, true },
	{ "dynamo.sglang.worker.main", LAUNCH_SERVER, true },
	{ "dynamo.sglang.decode_worker", LAUNCH_SERVER, true },
	{ "sgl-model-gateway", LAUNCH_ROUTER, false },
};

static const struct module *module_by_name(const char *name)
{
	for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
		if (same(modules[i].name, name))
			return &modules[i];
	}
	return NULL;
}

const char *pdcfg_launch_entry(size_t n) { return n < sizeof modules / sizeof *modules ? modules[n].name : ""; }

/* A script is known by the end of its path: a checkout may lie anywhere. */
static const struct module *module_by_script(const char *path)
{
	const char *name = base_name(path);

	if (same(name, "launch_server.py"))
		return module_by_name(strstr(path, "sglang_router/") ? "sglang_router.launch_server" : "sglang.launch_server");
	if (same(name, "launch_router.py"))
		return module_by_name("sglang_router.launch_router");
	if (same(name, "launch_lb.py"))
		return module_by_name("sglang.srt.disaggregation.launch_lb");
	if (same(name, "mini_lb.py"))
		return module_by_name(strstr(path, "sglang_router/") ? "sglang_router.mini_lb" : "sglang.srt.disaggregation.mini_lb");
	if (ends(path, "dynamo/sglang/main.py") || ends(path, "dynamo/sglang/__main__.py"))
		return module_by_name("dynamo.sglang");
	return NULL;
}

static bool is_python(const char *name)
{
	if (begins(name, "pypy"))
		name += 4;
	else if (begins(name, "python"))
		name += 6;
	else
		return false;
	return !name[strspn(name, "0123456789.")];
}

static bool is_router(const char *name) { return listed("sgl-model-gateway sglang-router smg amg", name, strlen(name)); }

static const struct wrapper *wrapper_by_name(const char *name)
{
	for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++) {
		if (listed(wrappers[i].names, name, strlen(name)))
			return &wrappers[i];
	}
	return NULL;
}

static const char *why_elsewhere(const char *name)
{
	for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
		if (listed(elsewhere[i].names, name, strlen(name)))
			return elsewhere[i].why;
	}
	return NULL;
}

/* ---- the arguments ------------------------------------------------------------------------------------------------ */

static void take_args(struct reader *r, size_t first)
{
	for (size_t i = first; i < r->w.n; i++)
		remember(r, add_word(&r->out->args, r->w.v[i], strlen(r->w.v[i]), r->w.from[i]));
}

static bool is_encoder(const struct launch_words *args)
{
	for (size_t i = 0; i < args->n; i++) {
		/* the shortest abbreviation that argparse takes */
		if (begins(args->v[i], "--encoder-o") && begins("--encoder-only", args->v[i]))
			return true;
	}
	return false;
}

static void found(struct reader *r, size_t program, size_t first, enum launch_kind kind, const char *entry)
{
	r->out->kind = kind;
	r->out->entry = entry;
	r->out->program = from(r, program);
	r->out->first = first < r->w.n ? r->w.from[first] : r->w.n ? r->w.from[r->w.n - 1] + 1 : 0;
}

static void refuse(struct reader *r, const char *rule, int32_t at)
{
	if (!r->out->refusal.rule)
		r->out->refusal = (struct launch_refusal){ rule, at };
}

/* `sglang serve` chooses a backend by --model-type and takes that off, wherever it stands. Returns the backend, "auto" without one. */
static const char *take_model_type(struct reader *r, size_t first)
{
	const char *backend = "auto";

	for (size_t i = first; i < r->w.n; i++) {
		const char *w = r->w.v[i];

		if (same(w, "--model-type")) {
			if (i + 1 == r->w.n) {
				refuse(r, "cli-serve-model-type-needs-value", r->w.from[i]);
				return backend;
			}
			backend = r->w.v[++i];
		} else if (begins(w, "--model-type=")) {
			backend = w + 13;
		} else {
			remember(r, add_word(&r->out->args, w, strlen(w), r->w.from[i]));
		}
	}
	if (!*backend)
		refuse(r, "cli-serve-model-type-empty", r->w.n > first ? r->w.from[r->w.n - 1] : -1);
	return backend;
}

static bool names_model(const struct launch_words *args)
{
	for (size_t i = 0; i < args->n; i++) {
		if ((same(args->v[i], "--model-path") || same(args->v[i], "--model")) && i + 1 < args->n)
			return true;
		if (begins(args->v[i], "--model-path=") || begins(args->v[i], "--model="))
			return true;
	}
	return false;
}

static bool asks_help(const struct launch_words *args)
{
	for (size_t i = 0; i < args->n; i++) {
		if (same(args->v[i], "-h") || same(args->v[i], "--help"))
			return true;
	}
	return false;
}

/* A leading word is the model: it becomes --model-path. Both words stand where the one stood. */
static void name_model(struct reader *r)
{
	struct launch_words *args = &r->out->args;

	if (!args->n || args->v[0][0] == '-')
		return;
	remember(r, add_word(args, "--model-path", 12, args->from[0]));
	if (r->status < 0)
		return;
	char *option = args->v[args->n - 1];
	memmove(args->v + 1, args->v, (args->n - 1) * sizeof *args->v);
	memmove(args->from + 1, args->from, (args->n - 1) * sizeof *args->from);
	args->v[0] = option;
}

static void read_serve(struct reader *r, size_t program)
{
	const char *backend;

	r->out->serve = true;
	found(r, program, program + 2, LAUNCH_SERVER, "sglang serve");
	backend = take_model_type(r, program + 2);
	if (r->status < 0)
		return;
	if (!r->out->refusal.rule && !same(backend, "auto") && !same(backend, "llm")) {
		fail(r, "--model-type %s: that server has options of its own, which pdcfg does not know", backend);
		return;
	}
	name_model(r);
	if (!r->out->refusal.rule && !asks_help(&r->out->args) && !names_model(&r->out->args))
		refuse(r, "cli-serve-model-path-must-be-on-command-line", r->out->program);
}

static void read_sglang(struct reader *r, size_t program)
{
	const char *command = word(r, program + 1);

	if (command && same(command, "serve"))
		read_serve(r, program);
	else
		fail(r, "`sglang %s` starts no server: the command for that is `sglang serve`", command ? command : "");
}

/* smg and sglang-router take a command, launch or server; sgl-model-gateway may go without. */
static void read_router(struct reader *r, size_t program, const char *entry)
{
	const char *command = word(r, program + 1);
	size_t first = program + 1;

	if (command && listed("launch server start", command, strlen(command)))
		first++;
	found(r, program, first, LAUNCH_ROUTER, entry);
	take_args(r, first);
}

static void read_module(struct reader *r, size_t program, size_t first, const struct module *m)
{
	if (same(m->name, "sglang_router") || same(m->name, "sglang_router.cli")) {
		read_router(r, first - 1, m->name);
		r->out->program = from(r, program);
		return;
	}
	found(r, program, first, m->kind, m->name);
	r->out->mixed = m->mixed;
	take_args(r, first);
}

/* ---- Python ------------------------------------------------------------------------------------------------------- */

static void look_behind(struct reader *r, const char *what);

/* the value of a short option: the rest of its word, or the next one */
static const char *value_of(const struct reader *r, const char *rest, size_t *at)
{
	return *rest ? rest : word(r, ++*at);
}

static void run_module(struct reader *r, size_t program, size_t at, const char *name)
{
	const struct module *m = name ? module_by_name(name) : NULL;

	if (!name) {
		fail(r, "-m has no module behind it");
	} else if (m) {
		read_module(r, program, at + 1, m);
	} else if (listed("torch.distributed.run torch.distributed.launch cProfile debugpy coverage viztracer", name, strlen(name))) {
		r->at = at;
		look_behind(r, name);
	} else {
		fail(r, "the Python module %s is not one that starts SGLang", name);
	}
}

static void run_script(struct reader *r, size_t program, size_t at)
{
	const char *path = word(r, at);
	const struct module *m = module_by_script(path);

	if (m) {
		read_module(r, program, at + 1, m);
	} else if (same(base_name(path), "sglang")) {
		read_sglang(r, at);
	} else if (is_router(base_name(path))) {
		read_router(r, at, "sgl-model-gateway");
	} else {
		r->at = at;
		look_behind(r, path);
	}
}

/* python3 -u -m MODULE, -um MODULE, -mMODULE, or a script. Flags may be joined; W and X take a value. */
static void read_python(struct reader *r)
{
	size_t program = r->at, at = program + 1;

	for (; word(r, at) && r->w.v[at][0] == '-'; at++) {
		const char *w = r->w.v[at];

		if (same(w, "--check-hash-based-pycs"))
			at++;
		if (w[1] == '-')
			continue;
		for (w++; *w; w++) {
			if (*w == 'm') {
				const char *name = value_of(r, w + 1, &at);
				run_module(r, program, at, name);
				return;
			}
			if (*w == 'c') {
				fail(r, "python -c runs code that is not read here");
				return;
			}
			if (*w == 'W' || *w == 'X') {
				value_of(r, w + 1, &at);
				break;
			}
		}
	}
	if (word(r, at))
		run_script(r, program, at);
	else
		fail(r, "%s is given neither a module nor a script", r->w.v[program]);
}

/* ---- what stands in front ----------------------------------------------------------------------------------------- */

/* Could a program begin here? Asked of a word that may as well be an option's value. */
static bool starts_program(const struct reader *r, size_t at)
{
	const char *name = base_name(word(r, at));

	if (is_python(name) || wrapper_by_name(name) || why_elsewhere(name) || module_by_script(word(r, at)))
		return true;
	return (same(name, "sglang") && word(r, at + 1) && same(word(r, at + 1), "serve")) || is_router(name);
}

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

	p += strspn(p, " \t\n\v\f\r");
	if (!*p || *p == '#' || *end)
		return NULL;
	while (*p && !*end && (quote || !strchr(" \t\n\v\f\r", *p))) {
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
static void split_string(struct reader *r, const char *text, size_t at)
{
	struct launch_words all = { 0 };
	char *buffer = malloc(strlen(text) + 1);
	int32_t place = from(r, at - 1);
	bool end = false;

	if (!buffer) {
		remember(r, PDCFG_E_NOMEM);
		return;
	}
	for (const char *p = text; (p = env_word(p, buffer, &end));)
		remember(r, add_word(&all, buffer, strlen(buffer), place));
	free(buffer);
	remember(r, replace_words(&r->w, at, &all));
	end_words(&all);
	r->at = 0;
}

/* An option of env. A -S replaces the words, and what it held may begin with options as well. */
static void pass_env_option(struct reader *r)
{
	const char *w = word(r, r->at);
	size_t at = r->at;
	const char *value = NULL;
	char letter = 0;

	if (begins(w, "--unset"))
		letter = 'u';
	else if (begins(w, "--split-string"))
		letter = 'S';
	else if (same(w, "--chdir"))
		letter = 'C';
	else if (begins(w, "--ignore-env") || same(w, "-"))
		set(r, LAUNCH_CLEAR, "", 0, from(r, at));
	if (letter) {
		value = strchr(w, '=') ? strchr(w, '=') + 1 : word(r, ++at);
	} else if (w[0] == '-' && w[1] != '-') {
		for (w++; *w && !letter; w++) {
			if (*w == 'i')
				set(r, LAUNCH_CLEAR, "", 0, from(r, at));
			if (strchr("uSC", *w)) {
				letter = *w;
				value = value_of(r, w + 1, &at);
			}
		}
	}
	r->at = at + 1;
	if (letter == 'u' && value)
		set(r, LAUNCH_UNSET, value, strlen(value), from(r, at));
	if (letter == 'S' && value)
		split_string(r, value, r->at);
}

/* srun --export=ALL,NAME=VALUE: without ALL the job's environment is only what is named. */
static void read_export(struct reader *r, const char *list, int32_t place)
{
	bool all = false;

	for (int pass = 0; pass < 2; pass++) {
		for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',') {
			size_t n = strcspn(p, ",");

			if (n == 3 && !memcmp(p, "ALL", 3))
				all = true;
			if (pass && pdcfg_launch_assignment(p))
				set(r, LAUNCH_SET, p, n, place);
		}
		if (!pass && !all && *list)
			set(r, LAUNCH_CLEAR, "", 0, place);
	}
}

/* mpirun -x NAME=VALUE, -genv NAME VALUE. Returns how many words the option takes besides itself, -1 for another option. */
static int pass_mpi_option(struct reader *r)
{
	const char *w = word(r, r->at), *one = word(r, r->at + 1), *two = word(r, r->at + 2);

	if (same(w, "-x") && one) {
		if (pdcfg_launch_assignment(one))
			set(r, LAUNCH_SET, one, strlen(one), from(r, r->at + 1));
		return 1;
	}
	if ((same(w, "-genv") || same(w, "-env")) && one && two) {
		size_t n = strlen(one), m = strlen(two);
		char *both = malloc(n + m + 2);

		if (!both) {
			remember(r, PDCFG_E_NOMEM);
			return 2;
		}
		memcpy(both, one, n);
		both[n] = '=';
		memcpy(both + n + 1, two, m + 1);
		set(r, LAUNCH_SET, both, n + m + 1, from(r, r->at + 1));
		free(both);
		return 2;
	}
	return listed("--mca -mca -gmca --gmca --prtemca --pmixmca", w, strlen(w)) ? 2 : -1;
}

/* An option of a program with too many to list. */
static void pass_guessed(struct reader *r, const struct wrapper *p)
{
	const char *w = word(r, r->at), *next = word(r, r->at + 1);
	int takes = p->flags & MPI ? pass_mpi_option(r) : -1;

	if (p->flags & EXPORTS && begins(w, "--export")) {
		const char *list = w[8] == '=' ? w + 9 : w[8] ? NULL : next;

		if (list)
			read_export(r, list, from(r, r->at));
	}
	if (takes < 0)
		takes = !strchr(w, '=') && next && *next != '-' && !starts_program(r, r->at + 1);
	r->at += 1 + (size_t)takes;
}

/* An option of a program whose options with a value are listed. */
static void pass_listed(struct reader *r, const struct wrapper *p)
{
	const char *w = word(r, r->at++);

	if (w[1] == '-') {
		if (!strchr(w, '=') && listed(p->longs, w, strlen(w)))
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

static void pass_assignments(struct reader *r)
{
	const char *w;

	for (; (w = word(r, r->at)) && pdcfg_launch_assignment(w); r->at++)
		set(r, LAUNCH_SET, w, strlen(w), from(r, r->at));
}

/* torchrun [options] -m MODULE | SCRIPT */
static bool read_torch(struct reader *r, const struct wrapper *p, size_t program)
{
	const char *w = word(r, r->at);

	if (!(p->flags & TORCH) || !w)
		return false;
	if (same(w, "-m") || same(w, "--module")) {
		run_module(r, program, r->at + 1, word(r, r->at + 1));
		return true;
	}
	if (*w == '-')
		return false;
	run_script(r, program, r->at);
	return true;
}

/* Passes over a program that only runs another. Returns true when that was the end of it. */
static bool pass_wrapper(struct reader *r, const struct wrapper *p)
{
	size_t program = r->at++;
	const char *w, *name = r->w.v[program];

	if (!(p->flags & BUILTIN)) {
		r->started = true;
		remember(r, add_word(&r->out->wrappers, base_name(name), strlen(base_name(name)), from(r, program)));
	}
	if (p->flags & NOTED)
		note(r, "%s may start the command with another environment than this one", base_name(name));
	if (p->commands && (w = word(r, r->at)) && listed(p->commands, w, strlen(w)))
		r->at++;
	while ((w = word(r, r->at)) && *w == '-' && r->status == PDCFG_OK) {
		if (read_torch(r, p, program))
			return true;
		if (same(w, "--")) {
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
		pass_assignments(r);
	r->at += p->operands;
	return read_torch(r, p, program);
}

/* Does a launch stand at this word, or behind a -m here? */
static bool launch_at(const struct reader *r, size_t at)
{
	const char *w = word(r, at), *next = word(r, at + 1);

	if (same(w, "-m") && next)
		return module_by_name(next) != NULL;
	if (module_by_script(w))
		return true;
	return (same(base_name(w), "sglang") && next && same(next, "serve")) || is_python(base_name(w));
}

/* Nobody knows the program at r->at: is there a launch behind it? It is not read here, since a command may have any number of such programs. */
static void look_behind(struct reader *r, const char *what)
{
	r->unknown = r->at;
	for (size_t i = r->at + 1; i < r->w.n; i++) {
		if (!launch_at(r, i))
			continue;
		note(r, "%s is not known here and was passed over", what);
		remember(r, add_word(&r->out->wrappers, what, strlen(what), from(r, r->at)));
		r->started = r->behind = true;
		r->at = i;
		return;
	}
	fail(r, "%s is not known here, and no launch of SGLang stands behind it", what);
}

static void read_behind(struct reader *r)
{
	size_t at = r->at;

	r->behind = false;
	if (same(word(r, at), "-m"))
		run_module(r, r->unknown, at + 1, word(r, at + 1));
	else if (module_by_script(word(r, at)))
		run_script(r, r->unknown, at);
	else if (is_python(base_name(word(r, at))))
		read_python(r);
	else
		read_sglang(r, at);
}

static void read_program(struct reader *r)
{
	const char *w = word(r, r->at), *name = base_name(w);

	if (is_python(name))
		read_python(r);
	else if (same(name, "sglang"))
		read_sglang(r, r->at);
	else if (is_router(name))
		read_router(r, r->at, "sgl-model-gateway");
	else if (module_by_script(w))
		run_script(r, r->at, r->at);
	else if (why_elsewhere(name))
		fail(r, "%s: %s", name, why_elsewhere(name));
	else
		look_behind(r, w);
}

static void read_command(struct reader *r)
{
	const struct wrapper *p;

	while (r->status == PDCFG_OK) {
		if (!r->started)
			pass_assignments(r);
		if (!word(r, r->at)) {
			fail(r, r->w.n ? "there is no program behind it" : "there is no command");
			return;
		}
		p = wrapper_by_name(base_name(word(r, r->at)));
		if (!r->started && !(p && p->flags & BUILTIN))
			r->out->run = from(r, r->at);
		if (!p) {
			read_program(r);
			return;
		}
		if (pass_wrapper(r, p))
			return;
	}
}

int32_t pdcfg_launch_read(int32_t argc, const char *const *argv, struct pdcfg_launch *out)
{
	struct reader r = { .out = out };

	memset(out, 0, sizeof *out);
	out->entry = "";
	out->program = -1;
	if (argc < 0 || (argc && !argv))
		return PDCFG_E_INVALID;
	if (argc > PDCFG_ARGS_MAX)
		return PDCFG_E_LIMIT;
	out->run = out->first = argc;
	r.status = reserve(&out->args, 1);
	for (int32_t i = 0; i < argc && r.status == PDCFG_OK; i++)
		r.status = argv[i] ? add_word(&r.w, argv[i], strlen(argv[i]), i) : PDCFG_E_INVALID;
	if (r.status == PDCFG_OK)
		read_command(&r);
	while (r.behind && r.status == PDCFG_OK)
		read_behind(&r);
	if (out->kind == LAUNCH_SERVER && is_encoder(&out->args))
		out->kind = LAUNCH_ENCODER;
	end_words(&r.w);
	return r.status;
}

void pdcfg_launch_end(struct pdcfg_launch *l)
{
	end_words(&l->args);
	end_words(&l->wrappers);
	end_words(&l->notes);
	for (size_t i = 0; i < l->setting_count; i++)
		free(l->settings[i].text);
	free(l->settings);
	free(l->why);
	memset(l, 0, sizeof *l);
}
