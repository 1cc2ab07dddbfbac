/*
 * Recognises a launch of SGLang in a command line. The words are read from the left as a shell and the programs in front would: assignments,
 * then programs that only run another one (env, numactl, srun …), then Python with a module, a script or SGLang's own command. A program
 * that is not known is passed over when a launch stands behind it: an entrypoint script that ends in exec "$@" is the usual case, and what
 * matters is what SGLang is given.
 */
#include "launch_reader.h"
#include <pdcfg/pdcfg.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is known ------------------------------------------------------------------------------------------------ */

struct module {
	const char *name;
	enum launch_kind kind;
	bool mixed;
};

static const struct module modules[] = {
#define MODULE(module, ...) { .name = module, .kind = __VA_ARGS__ },
#include "launch.def"
};

static const struct {
	const char *end, *within, *module;
} scripts[] = {
#define SCRIPT(end, within, module) { end, within, module },
#include "launch.def"
};

static const char *const runners[] = {
#define RUNNER(name) name,
#include "launch.def"
};

static const char *const routers[] = {
#define ROUTER(name) name,
#include "launch.def"
};

static bool ends(const char *s, const char *with)
{
	size_t n = strlen(s), m = strlen(with);

	return n >= m && fl_same(s + n - m, with);
}

static const struct module *module_by_name(const char *name)
{
	for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
		if (fl_same(modules[i].name, name))
			return &modules[i];
	}
	return NULL;
}

const char *pdcfg_launch_entry(size_t n) { return n < sizeof modules / sizeof *modules ? modules[n].name : ""; }

/* A script is known by the end of its path: a checkout may lie anywhere. */
static const struct module *module_by_script(const char *path)
{
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
		const char *end = scripts[i].end;

		if ((strchr(end, '/') ? ends(path, end) : fl_same(fl_base_name(path), end)) && strstr(path, scripts[i].within))
			return module_by_name(scripts[i].module);
	}
	return NULL;
}

static bool is_python(const char *name)
{
	if (fl_begins(name, "pypy"))
		name += 4;
	else if (fl_begins(name, "python"))
		name += 6;
	else
		return false;
	return !name[strspn(name, "0123456789.")];
}

static bool is_runner(const char *module)
{
	for (size_t i = 0; i < sizeof runners / sizeof *runners; i++) {
		if (fl_same(runners[i], module))
			return true;
	}
	return false;
}

static bool is_router(const char *name)
{
	for (size_t i = 0; i < sizeof routers / sizeof *routers; i++) {
		if (fl_same(routers[i], name))
			return true;
	}
	return false;
}

/* Python, a script that starts SGLang, or its own command */
static bool may_launch(const struct fl_reader *r, size_t at)
{
	const char *w = fl_word_at(r, at), *name = fl_base_name(w), *next = fl_word_at(r, at + 1);

	return is_python(name) || module_by_script(w) || (fl_same(name, "sglang") && next && fl_same(next, "serve"));
}

bool fl_starts_launch(const struct fl_reader *r, size_t at) { return may_launch(r, at) || is_router(fl_base_name(fl_word_at(r, at))); }

/* ---- the arguments ------------------------------------------------------------------------------------------------ */

static void take_args(struct fl_reader *r, size_t first)
{
	for (size_t i = first; i < r->w.n; i++)
		fl_remember(r, fl_add_word(&r->out->args, r->w.v[i], strlen(r->w.v[i]), r->w.from[i]));
}

static bool is_encoder(const struct launch_words *args)
{
	for (size_t i = 0; i < args->n; i++) {
		/* the shortest abbreviation that argparse takes */
		if (fl_begins(args->v[i], "--encoder-o") && fl_begins("--encoder-only", args->v[i]))
			return true;
	}
	return false;
}

static void found(struct fl_reader *r, size_t program, size_t first, enum launch_kind kind, const char *entry)
{
	r->out->kind = kind;
	r->out->entry = entry;
	r->out->program = fl_place_at(r, program);
	r->out->first = first < r->w.n ? r->w.from[first] : r->w.n ? r->w.from[r->w.n - 1] + 1 : 0;
}

static void refuse(struct fl_reader *r, const char *rule, int32_t at)
{
	if (!r->out->refusal.rule)
		r->out->refusal = (struct launch_refusal){ rule, at };
}

/* `sglang serve` chooses a backend by --model-type and takes that off, wherever it stands. Returns the backend, "auto" without one. */
static const char *take_model_type(struct fl_reader *r, size_t first)
{
	const char *backend = "auto";

	for (size_t i = first; i < r->w.n; i++) {
		const char *w = r->w.v[i];

		if (fl_same(w, "--model-type")) {
			if (i + 1 == r->w.n) {
				refuse(r, "cli-serve-model-type-needs-value", r->w.from[i]);
				return backend;
			}
			backend = r->w.v[++i];
		} else if (fl_begins(w, "--model-type=")) {
			backend = w + 13;
		} else {
			fl_remember(r, fl_add_word(&r->out->args, w, strlen(w), r->w.from[i]));
		}
	}
	if (!*backend)
		refuse(r, "cli-serve-model-type-empty", r->w.n > first ? r->w.from[r->w.n - 1] : -1);
	return backend;
}

static bool names_model(const struct launch_words *args)
{
	for (size_t i = 0; i < args->n; i++) {
		if ((fl_same(args->v[i], "--model-path") || fl_same(args->v[i], "--model")) && i + 1 < args->n)
			return true;
		if (fl_begins(args->v[i], "--model-path=") || fl_begins(args->v[i], "--model="))
			return true;
	}
	return false;
}

static bool asks_help(const struct launch_words *args)
{
	for (size_t i = 0; i < args->n; i++) {
		if (fl_same(args->v[i], "-h") || fl_same(args->v[i], "--help"))
			return true;
	}
	return false;
}

/* A leading word is the model: it becomes --model-path. Both words stand where the one stood. */
static void name_model(struct fl_reader *r)
{
	struct launch_words *args = &r->out->args;

	if (!args->n || args->v[0][0] == '-')
		return;
	fl_remember(r, fl_add_word(args, "--model-path", 12, args->from[0]));
	if (r->status < 0)
		return;
	char *option = args->v[args->n - 1];
	memmove(args->v + 1, args->v, (args->n - 1) * sizeof *args->v);
	memmove(args->from + 1, args->from, (args->n - 1) * sizeof *args->from);
	args->v[0] = option;
}

static void read_serve(struct fl_reader *r, size_t program)
{
	const char *backend;

	r->out->serve = true;
	found(r, program, program + 2, LAUNCH_SERVER, "sglang serve");
	backend = take_model_type(r, program + 2);
	if (r->status < 0)
		return;
	if (!r->out->refusal.rule && !fl_same(backend, "auto") && !fl_same(backend, "llm")) {
		fl_fail(r, "--model-type %s: that server has options of its own, which pdcfg does not know", backend);
		return;
	}
	name_model(r);
	if (!r->out->refusal.rule && !asks_help(&r->out->args) && !names_model(&r->out->args))
		refuse(r, "cli-serve-model-path-must-be-on-command-line", r->out->program);
}

static void read_sglang(struct fl_reader *r, size_t program)
{
	const char *command = fl_word_at(r, program + 1);

	if (command && fl_same(command, "serve"))
		read_serve(r, program);
	else
		fl_fail(r, "`sglang %s` starts no server: the command for that is `sglang serve`", command ? command : "");
}

/* smg and sglang-router take a command, launch or server; sgl-model-gateway may go without. */
static void read_router(struct fl_reader *r, size_t program, const char *entry)
{
	const char *command = fl_word_at(r, program + 1);
	size_t first = program + 1;

	if (command && fl_listed("launch server start", command, strlen(command)))
		first++;
	found(r, program, first, LAUNCH_ROUTER, entry);
	take_args(r, first);
}

static void read_module(struct fl_reader *r, size_t program, size_t first, const struct module *m)
{
	if (fl_same(m->name, "sglang_router") || fl_same(m->name, "sglang_router.cli")) {
		read_router(r, first - 1, m->name);
		r->out->program = fl_place_at(r, program);
		return;
	}
	found(r, program, first, m->kind, m->name);
	r->out->mixed = m->mixed;
	take_args(r, first);
}

/* ---- Python ------------------------------------------------------------------------------------------------------- */

static void look_behind(struct fl_reader *r, const char *what);

void fl_run_module(struct fl_reader *r, size_t program, size_t at, const char *name)
{
	const struct module *m = name ? module_by_name(name) : NULL;

	if (!name) {
		fl_fail(r, "-m has no module behind it");
	} else if (m) {
		read_module(r, program, at + 1, m);
	} else if (is_runner(name)) {
		r->at = at;
		look_behind(r, name);
	} else {
		fl_fail(r, "the Python module %s is not one that starts SGLang", name);
	}
}

void fl_run_script(struct fl_reader *r, size_t program, size_t at)
{
	const char *path = fl_word_at(r, at);
	const struct module *m = module_by_script(path);

	if (m) {
		read_module(r, program, at + 1, m);
	} else if (fl_same(fl_base_name(path), "sglang")) {
		read_sglang(r, at);
	} else if (is_router(fl_base_name(path))) {
		read_router(r, at, "sgl-model-gateway");
	} else {
		r->at = at;
		look_behind(r, path);
	}
}

/* python3 -u -m MODULE, -um MODULE, -mMODULE, or a script. Flags may be joined; W and X take a value. */
static void read_python(struct fl_reader *r)
{
	size_t program = r->at, at = program + 1;

	for (; fl_word_at(r, at) && r->w.v[at][0] == '-'; at++) {
		const char *w = r->w.v[at];

		if (fl_same(w, "--check-hash-based-pycs"))
			at++;
		if (w[1] == '-')
			continue;
		for (w++; *w; w++) {
			if (*w == 'm') {
				const char *name = fl_option_value(r, w + 1, &at);
				fl_run_module(r, program, at, name);
				return;
			}
			if (*w == 'c') {
				fl_fail(r, "python -c runs code that is not read here");
				return;
			}
			if (*w == 'W' || *w == 'X') {
				fl_option_value(r, w + 1, &at);
				break;
			}
		}
	}
	if (fl_word_at(r, at))
		fl_run_script(r, program, at);
	else
		fl_fail(r, "%s is given neither a module nor a script", r->w.v[program]);
}

/* ---- the command -------------------------------------------------------------------------------------------------- */

/* Does a launch stand at this word, or behind a -m here? */
static bool launch_at(const struct fl_reader *r, size_t at)
{
	const char *w = fl_word_at(r, at), *next = fl_word_at(r, at + 1);

	if (fl_same(w, "-m") && next)
		return module_by_name(next) != NULL;
	return may_launch(r, at);
}

/* Nobody knows the program at r->at: is there a launch behind it? It is not read here, since a command may have any number of such programs. */
static void look_behind(struct fl_reader *r, const char *what)
{
	r->unknown = r->at;
	for (size_t i = r->at + 1; i < r->w.n; i++) {
		if (!launch_at(r, i))
			continue;
		fl_note(r, "%s is not known here and was passed over", what);
		fl_remember(r, fl_add_word(&r->out->wrappers, what, strlen(what), fl_place_at(r, r->at)));
		r->started = r->behind = true;
		r->at = i;
		return;
	}
	fl_fail(r, "%s is not known here, and no launch of SGLang stands behind it", what);
}

static void read_behind(struct fl_reader *r)
{
	size_t at = r->at;

	r->behind = false;
	if (fl_same(fl_word_at(r, at), "-m"))
		fl_run_module(r, r->unknown, at + 1, fl_word_at(r, at + 1));
	else if (module_by_script(fl_word_at(r, at)))
		fl_run_script(r, r->unknown, at);
	else if (is_python(fl_base_name(fl_word_at(r, at))))
		read_python(r);
	else
		read_sglang(r, at);
}

static void read_program(struct fl_reader *r)
{
	const char *w = fl_word_at(r, r->at), *name = fl_base_name(w);

	if (is_python(name))
		read_python(r);
	else if (fl_same(name, "sglang"))
		read_sglang(r, r->at);
	else if (is_router(name))
		read_router(r, r->at, "sgl-model-gateway");
	else if (module_by_script(w))
		fl_run_script(r, r->at, r->at);
	else if (fl_why_elsewhere(name))
		fl_fail(r, "%s: %s", name, fl_why_elsewhere(name));
	else
		look_behind(r, w);
}

static void read_command(struct fl_reader *r)
{
	const struct fl_wrapper *p;

	while (r->status == PDCFG_OK) {
		if (!r->started)
			fl_pass_assignments(r);
		if (!fl_word_at(r, r->at)) {
			fl_fail(r, r->w.n ? "there is no program behind it" : "there is no command");
			return;
		}
		p = fl_wrapper_by_name(fl_base_name(fl_word_at(r, r->at)));
		if (!r->started && !(p && fl_is_builtin(p)))
			r->out->run = fl_place_at(r, r->at);
		if (!p) {
			read_program(r);
			return;
		}
		if (fl_pass_wrapper(r, p))
			return;
	}
}

int32_t pdcfg_launch_read(int32_t argc, const char *const *argv, struct pdcfg_launch *out)
{
	struct fl_reader r = { .out = out };

	memset(out, 0, sizeof *out);
	out->entry = "";
	out->program = -1;
	if (argc < 0 || (argc && !argv))
		return PDCFG_E_INVALID;
	if (argc > PDCFG_ARGS_MAX)
		return PDCFG_E_LIMIT;
	out->run = out->first = argc;
	r.status = fl_reserve_words(&out->args, 1);
	for (int32_t i = 0; i < argc && r.status == PDCFG_OK; i++)
		r.status = argv[i] ? fl_add_word(&r.w, argv[i], strlen(argv[i]), i) : PDCFG_E_INVALID;
	if (r.status == PDCFG_OK)
		read_command(&r);
	while (r.behind && r.status == PDCFG_OK)
		read_behind(&r);
	if (out->kind == LAUNCH_SERVER && is_encoder(&out->args))
		out->kind = LAUNCH_ENCODER;
	fl_end_words(&r.w);
	return r.status;
}

void pdcfg_launch_end(struct pdcfg_launch *l)
{
	fl_end_words(&l->args);
	fl_end_words(&l->wrappers);
	fl_end_words(&l->notes);
	for (size_t i = 0; i < l->setting_count; i++)
		free(l->settings[i].text);
	free(l->settings);
	free(l->why);
	memset(l, 0, sizeof *l);
}
