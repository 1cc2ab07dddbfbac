/*
 * The public functions: a file is read whole, checked, made a tree, turned into traits, and only when all that has worked the
 * traits of the handle are replaced.
 */
#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct text {
	char *s;
	size_t len;
};

static int32_t explain(char *why, size_t size, int32_t status, const char *name, const char *what)
{
	if (why != NULL && size > 0)
		snprintf(why, size, "%s: %s", name, what);
	return status;
}

static int32_t explain_fault(char *why, size_t size, const char *name, const struct fl_fault *fault, int32_t status)
{
	if (why != NULL && size > 0)
		snprintf(why, size, "%s:%u:%u: %s", name, fault->line, fault->column, fault->what);
	return status;
}

/* ---- reading ------------------------------------------------------------------------------------------------------- */

static bool read_on(FILE *f, struct text *t, size_t *room)
{
	if (t->len == *room) {
		size_t more = *room * 2;
		char *grown = realloc(t->s, more);

		if (grown == NULL)
			return false;
		t->s = grown;
		*room = more;
	}
	t->len += fread(t->s + t->len, 1, *room - t->len, f);
	return true;
}

static int32_t read_stream(FILE *f, struct text *t)
{
	size_t room = 65536;

	t->len = 0;
	t->s = malloc(room);
	if (t->s == NULL)
		return PDCFG_E_NOMEM;
	while (!feof(f) && !ferror(f)) {
		if (!read_on(f, t, &room))
			return PDCFG_E_NOMEM;
		if (t->len > FL_FILE_MAX)
			return PDCFG_FILES_E_LIMIT;
	}
	return ferror(f) ? PDCFG_FILES_E_READ : 0;
}

static int32_t read_file(const char *path, struct text *t, char *why, size_t why_size)
{
	FILE *f = fopen(path, "rb");
	int32_t r;

	t->s = NULL;
	if (f == NULL)
		return explain(why, why_size, PDCFG_FILES_E_READ, path, strerror(errno));
	errno = 0;
	r = read_stream(f, t);
	if (r == PDCFG_FILES_E_READ)
		explain(why, why_size, r, path, errno != 0 ? strerror(errno) : "cannot be read");
	else if (r == PDCFG_FILES_E_LIMIT)
		explain(why, why_size, r, path, "more than 64 MiB");
	else if (r < 0)
		explain(why, why_size, r, path, "out of memory");
	fclose(f);
	if (r < 0) {
		free(t->s);
		t->s = NULL;
	}
	return r;
}

/* The object in a text. */
static int32_t parse(const char *s, size_t len, const char *name, struct json_object **out, char *why, size_t why_size)
{
	struct fl_fault fault;
	enum fl_scan r;

	*out = NULL;
	if (len > FL_FILE_MAX)
		return explain(why, why_size, PDCFG_FILES_E_LIMIT, name, "more than 64 MiB");
	r = fl_scan(s, len, FL_PYTHON, &fault);
	if (r != FL_GOOD)
		return explain_fault(why, why_size, name, &fault, r == FL_UNSURE ? PDCFG_FILES_E_LIMIT : PDCFG_FILES_E_SYNTAX);
	while (len > 0 && (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r'))
		s++, len--;
	if (*s != '{')
		return explain(why, why_size, PDCFG_FILES_E_SYNTAX, name, "not an object");
	*out = fl_config_tree(s, len);
	return *out == NULL ? explain(why, why_size, PDCFG_E_NOMEM, name, "out of memory") : 0;
}

static int32_t parse_file(const char *path, struct json_object **out, char *why, size_t why_size)
{
	struct text t = { 0 };
	int32_t r = read_file(path, &t, why, why_size);

	*out = NULL;
	if (r < 0)
		return r;
	r = parse(t.s, t.len, path, out, why, why_size);
	free(t.s);
	return r;
}

/* ---- where things stand --------------------------------------------------------------------------------------------- */

static char *join(const char *dir, size_t n, const char *name)
{
	size_t room = n + strlen(name) + 2;
	char *s = malloc(room);

	if (s != NULL)
		snprintf(s, room, "%.*s%s%s", (int)n, dir, n > 0 && dir[n - 1] != '/' ? "/" : "", name);
	return s;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

/* Names that SGLang takes for models in Mistral's own format, whatever files are there. */
static bool is_mistral_name(const char *path)
{
	static const char *const words[] = { "mistral-large-3", "mistral-small-4", "leanstral" };
	char low[1024];
	size_t n = strlen(path);

	if (n >= sizeof low)
		return false;
	for (size_t i = 0; i <= n; i++)
		low[i] = (char)(path[i] >= 'A' && path[i] <= 'Z' ? path[i] + 32 : path[i]);
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strstr(low, words[i]) != NULL)
			return true;
	return strstr(low, "eagle") != NULL && strstr(low, "mistral") != NULL;
}

/* The file to read, and the directory it stands in when that is a model's. Both are to be freed; either may be NULL. */
static bool find_files(const char *path, const struct fl_settings *s, char **file, char **dir)
{
	const char *base = base_name(path);
	bool params = strcmp(s->parser, "mistral") == 0 || (strcmp(s->parser, "hf") != 0 && is_mistral_name(s->path));

	*file = *dir = NULL;
	if (is_directory(path)) {
		*dir = join(path, strlen(path), "");
		*file = join(path, strlen(path), params ? "params.json" : "config.json");
		if (*file != NULL && !is_file(*file)) {
			char *other = join(path, strlen(path), params ? "config.json" : "params.json");

			if (other != NULL && is_file(other)) {
				free(*file);
				*file = other;
			} else {
				free(other);
			}
		}
		return *file != NULL && *dir != NULL;
	}
	*file = join(path, strlen(path), "");
	if (*file != NULL)
		(*file)[strlen(path)] = '\0';
	if (strcmp(base, "config.json") == 0 || strcmp(base, "params.json") == 0) {
		*dir = join(path, (size_t)(base - path), "");
		if (*dir == NULL)
			return false;
	}
	return *file != NULL;
}

/* hf_quant_config.json and quant_model_description.json. One that cannot be read makes SGLang stop as well. */
static int32_t read_beside(struct fl_model *m, const char *dir, char *why, size_t why_size)
{
	char *quant = join(dir, strlen(dir), "hf_quant_config.json"), *slim = join(dir, strlen(dir), "quant_model_description.json");
	int32_t r = 0;

	if (quant == NULL || slim == NULL)
		r = explain(why, why_size, PDCFG_E_NOMEM, dir, "out of memory");
	else if (is_file(quant))
		r = parse_file(quant, &m->quant, why, why_size);
	if (r >= 0 && slim != NULL)
		m->modelslim = is_file(slim);
	free(quant);
	free(slim);
	return r;
}

/* ---- the model ------------------------------------------------------------------------------------------------------ */

void fl_model_end(struct fl_model *m)
{
	json_object_put(m->root);
	json_object_put(m->over);
	json_object_put(m->quant);
	m->root = m->over = m->quant = NULL;
}

/* A params.json has Mistral's names. */
static bool is_params(struct json_object *root)
{
	return fl_json(root, "architectures").kind == FL_ABSENT && fl_json(root, "model_type").kind != FL_TEXT &&
	       fl_json(root, "dim").kind == FL_INT && fl_json(root, "n_layers").kind == FL_INT;
}

static int32_t take_root(struct fl_model *m, struct json_object *root)
{
	const char *error = NULL;

	if (!is_params(root)) {
		m->root = root;
		return 0;
	}
	m->root = fl_from_mistral(root, m->settings.path, &error);
	m->load_error = error;
	m->native = true;
	json_object_put(root);
	return m->root == NULL ? PDCFG_E_NOMEM : 0;
}

static int32_t read_over(struct fl_model *m)
{
	const char *s = m->settings.override_args;

	if (s[0] == '\0')
		return 0;
	if (fl_scan(s, strlen(s), FL_PYTHON, NULL) != FL_GOOD)
		return 0; /* a rule speaks of it */
	m->over = fl_tree(s, strlen(s));
	if (m->over != NULL && (!json_object_is_type(m->over, json_type_object) || json_object_object_length(m->over) == 0)) {
		json_object_put(m->over);
		m->over = NULL;
	}
	return 0;
}

int32_t fl_model_read(struct fl_model *m, const char *path, struct fl_traits *t, char *why, size_t why_size)
{
	char *file, *dir;
	struct json_object *root = NULL;
	int32_t r;

	if (m->settings.path[0] == '\0')
		m->settings.path = path;
	r = find_files(path, &m->settings, &file, &dir) ? 0 : explain(why, why_size, PDCFG_E_NOMEM, path, "out of memory");
	if (r >= 0)
		r = parse_file(file, &root, why, why_size);
	if (r >= 0)
		r = take_root(m, root);
	if (r >= 0 && dir != NULL)
		r = read_beside(m, dir, why, why_size);
	if (r >= 0)
		r = read_over(m);
	if (r >= 0)
		fl_derive(m, t);
	free(file);
	free(dir);
	return r;
}

static int32_t read_bytes(struct fl_model *m, const char *bytes, size_t len, struct fl_traits *t, char *why, size_t why_size)
{
	struct json_object *root;
	int32_t r = parse(bytes, len, "config.json", &root, why, why_size);

	if (r >= 0)
		r = take_root(m, root);
	if (r >= 0)
		r = read_over(m);
	if (r >= 0)
		fl_derive(m, t);
	return r;
}

/* ---- the handle ------------------------------------------------------------------------------------------------------ */

static bool flag_of(const pdcfg_t *cfg, uint32_t key, bool *given)
{
	int64_t v = 0;

	*given = pdcfg_get_i64(cfg, key, &v) >= 0;
	return *given && v != 0;
}

void fl_settings_init(struct fl_settings *s)
{
	*s = (struct fl_settings) { .enable_multimodal = -1, .dtype = "", .quantization = "", .speculative_algorithm = "",
		.path = "", .parser = "", .override_args = "" };
}

/* What the arguments say that changes the traits. */
void fl_settings_of(const pdcfg_t *cfg, struct fl_settings *s, bool draft)
{
	bool given;

	fl_settings_init(s);
	s->draft = draft;
	s->is_embedding = flag_of(cfg, PDCFG_KEY_IS_EMBEDDING, &given);
	s->enable_multimodal = flag_of(cfg, PDCFG_KEY_ENABLE_MULTIMODAL, &given);
	if (!given)
		s->enable_multimodal = -1;
	s->implementation_is_transformers = strcmp(pdcfg_get_text(cfg, PDCFG_KEY_MODEL_IMPL), "transformers") == 0;
	s->dtype = pdcfg_get_text(cfg, PDCFG_KEY_DTYPE);
	s->quantization = pdcfg_get_text(cfg, draft ? PDCFG_KEY_SPECULATIVE_DRAFT_MODEL_QUANTIZATION : PDCFG_KEY_QUANTIZATION);
	if (strcmp(s->quantization, "unquant") == 0)
		s->quantization = "";
	s->speculative_algorithm = pdcfg_get_text(cfg, PDCFG_KEY_SPECULATIVE_ALGORITHM);
	s->path = pdcfg_get_text(cfg, draft ? PDCFG_KEY_SPECULATIVE_DRAFT_MODEL_PATH : PDCFG_KEY_MODEL_PATH);
	s->parser = pdcfg_get_text(cfg, PDCFG_KEY_MODEL_CONFIG_PARSER);
	s->override_args = pdcfg_get_text(cfg, PDCFG_KEY_JSON_MODEL_OVERRIDE_ARGS);
	s->unsure = pdcfg_is_set(cfg, PDCFG_KEY_JSON_MODEL_OVERRIDE_ARGS) == 1 && s->override_args[0] == '\0';
}

static int32_t put_trait(pdcfg_t *cfg, uint32_t key, const struct fl_trait *t)
{
	switch (t->state) {
	case FL_T_UNKNOWN:
		return pdcfg_set_unknown(cfg, key, "");
	case FL_T_NONE:
		return pdcfg_set_none(cfg, key);
	case FL_T_INT:
		return pdcfg_set_i64(cfg, key, t->i);
	case FL_T_TEXT:
		return pdcfg_set_text(cfg, key, t->s);
	case FL_T_LIST:
		return pdcfg_set_list(cfg, key, t->list, t->count);
	}
	return 0;
}

/* A core of another release may not have every trait. */
static int32_t put_known_trait(pdcfg_t *cfg, uint32_t key, const struct fl_trait *t)
{
	int32_t r = put_trait(cfg, key, t);

	return r == PDCFG_E_KEY ? 0 : r;
}

/* Every trait of the model, or of the draft model. */
static int32_t apply(pdcfg_t *cfg, const struct fl_traits *t, bool draft)
{
	static const struct {
		uint32_t key;
		const char *name;
		size_t at;
	} rows[] = {
#define TRAIT(key, ...) FL_TRAIT_ROW(key, __VA_ARGS__, 0)
#define FL_TRAIT_ROW(key, name, ...) { key, #name, offsetof(struct fl_traits, name) },
#include "../core/fields/model.def"
#undef FL_TRAIT_ROW
#undef TRAIT
	};
	int32_t r = 0;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0] && r >= 0; i++) {
		bool of_draft = strncmp(rows[i].name, "draft_", 6) == 0;

		if (of_draft == draft)
			r = put_known_trait(cfg, rows[i].key, (const struct fl_trait *)(const void *)((const char *)t + rows[i].at));
	}
	return r;
}

static int32_t apply_all(pdcfg_t *cfg, const struct fl_traits *t, bool draft, char *why, size_t why_size)
{
	int32_t r = apply(cfg, t, draft);

	return r < 0 ? explain(why, why_size, r, "model", pdcfg_strerror(r)) : 0;
}

static int32_t read_model(pdcfg_t *cfg, const char *path, const char *bytes, size_t len, bool draft, char *why, size_t why_size)
{
	struct fl_model *m = calloc(1, sizeof *m);
	struct fl_traits t;
	int32_t r;

	if (m == NULL)
		return explain(why, why_size, PDCFG_E_NOMEM, "model", "out of memory");
	fl_settings_of(cfg, &m->settings, draft);
	if (path != NULL)
		r = fl_model_read(m, path, &t, why, why_size);
	else
		r = read_bytes(m, bytes, len, &t, why, why_size);
	if (r >= 0)
		r = apply_all(cfg, &t, draft, why, why_size);
	fl_model_end(m);
	free(m);
	return r;
}

/* A config whose quantization file, if it has one, stands under hf_quant_config. Takes root, which may be NULL. */
int32_t fl_set_model(pdcfg_t *cfg, struct json_object *root)
{
	struct fl_model *m = calloc(1, sizeof *m);
	struct fl_traits t;
	struct json_object *quant;
	int32_t r;

	if (m == NULL || root == NULL) {
		json_object_put(root);
		free(m);
		return PDCFG_E_NOMEM;
	}
	fl_settings_of(cfg, &m->settings, false);
	m->root = root;
	if (json_object_object_get_ex(root, "hf_quant_config", &quant))
		m->quant = json_object_get(quant);
	r = read_over(m);
	if (r >= 0) {
		fl_derive(m, &t);
		r = apply_all(cfg, &t, false, NULL, 0);
	}
	fl_model_end(m);
	free(m);
	return r;
}

static int32_t invalid(char *why, size_t why_size)
{
	return explain(why, why_size, PDCFG_E_INVALID, "model", "a NULL pointer");
}

int32_t pdcfg_files_read_model(pdcfg_t *cfg, const char *path, char *why, size_t why_size)
{
	return cfg == NULL || path == NULL ? invalid(why, why_size) : read_model(cfg, path, NULL, 0, false, why, why_size);
}

int32_t pdcfg_files_read_model_bytes(pdcfg_t *cfg, const char *bytes, size_t len, char *why, size_t why_size)
{
	return cfg == NULL || bytes == NULL ? invalid(why, why_size) : read_model(cfg, NULL, bytes, len, false, why, why_size);
}

int32_t pdcfg_files_read_draft_model(pdcfg_t *cfg, const char *path, char *why, size_t why_size)
{
	return cfg == NULL || path == NULL ? invalid(why, why_size) : read_model(cfg, path, NULL, 0, true, why, why_size);
}

int32_t pdcfg_files_read_draft_model_bytes(pdcfg_t *cfg, const char *bytes, size_t len, char *why, size_t why_size)
{
	return cfg == NULL || bytes == NULL ? invalid(why, why_size) : read_model(cfg, NULL, bytes, len, true, why, why_size);
}
