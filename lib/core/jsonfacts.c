/*
 * What texts of JSON hold, by asking the reader that the caller lent: the cells of fields/json.def, and whether SGLang would take the text of
 * an option. Nothing is read here but answers. A negative answer is "cannot tell": the cell is then unknown. Only NOMEM is an error.
 */
#include <string.h>
#include "reading.h"

enum {
	ANSWER_MAX = 4096,    /* bytes of a text or number inside JSON; longer ones are unknown */
	PATH_ROOM = 160,
	WORK_MAX = 16 << 20,  /* how much the reader may read because of one text: it may read all of it again for each question */
	QUESTION_COST = 64,
	IB_TEXT_MAX = 32768   /* comparing all devices with all takes too long for a text that is longer than any machine's list */
};

struct asking {
	pdcfg_t *cfg;
	const char *text;
	char *own;            /* the same where it is a copy of our own, else NULL */
	int64_t cell;         /* of the text */
	size_t work;
	bool strict;
	char out[ANSWER_MAX]; /* the text or number that was answered last */
};

/* what a fact of one text is, in *cell */
typedef int32_t (*fact_fn)(struct asking *a, int64_t *cell);

/* What stands at path, continued by then; each # is followed by a number: first i, then j. */
static int32_t ask(struct asking *a, const char *path, const char *then, size_t i, size_t j)
{
	char full[PATH_ROOM + 2 * 24] = "!";
	size_t n = a->strict, cost = strlen(a->text) + QUESTION_COST;
	const char *parts[] = { path, *path ? then : then + (*then == '.') };
	if (!a->cfg->json || a->work < cost) return PDCFG_E_LIMIT;
	a->work -= cost;
	for (unsigned p = 0; p < 2; p++)
		for (const char *s = parts[p]; *s && n < PATH_ROOM; s++) {
			full[n++] = *s;
			if (*s != '#') continue;
			n += pdcfg_print_whole((int64_t)i, full + n);
			i = j;
		}
	full[n] = 0;
	*a->out = 0;
	int32_t kind = a->cfg->json(a->cfg->json_ctx, a->text, full, a->out, sizeof a->out);
	a->out[sizeof a->out - 1] = 0;
	return kind > PDCFG_JSON_OBJECT ? PDCFG_E_LIMIT : kind;
}

static int32_t ask_whole(struct asking *a) { return ask(a, "", "", 0, 0); }

/* how many elements or members there are at path; 0 of anything else */
static int32_t count_at(struct asking *a, const char *path, size_t *count)
{
	int64_t n;
	int32_t kind = ask(a, path, ":count", 0, 0);
	*count = kind == PDCFG_JSON_INT && pdcfg_read_int(a->out, strlen(a->out), &n) && n > 0 ? (size_t)n : 0;
	return kind;
}

/* the number that was just answered; a bool is one in Python */
static int32_t read_whole(const struct asking *a, int32_t kind, int64_t *n)
{
	*n = kind == PDCFG_JSON_TRUE;
	if (kind == PDCFG_JSON_TRUE || kind == PDCFG_JSON_FALSE) return PDCFG_OK;
	return kind == PDCFG_JSON_INT && pdcfg_read_int(a->out, strlen(a->out), n) ? PDCFG_OK : PDCFG_E_TYPE;
}

static int32_t read_real(const struct asking *a, int32_t kind, double *d)
{
	*d = kind == PDCFG_JSON_TRUE;
	if (kind == PDCFG_JSON_TRUE || kind == PDCFG_JSON_FALSE) return PDCFG_OK;
	if (kind != PDCFG_JSON_INT && kind != PDCFG_JSON_FLOAT) return PDCFG_E_TYPE;
	return pdcfg_read_float(a->out, strlen(a->out), d) ? PDCFG_OK : PDCFG_E_TYPE;
}

/* ---- rows with a path ---- */

static int32_t truth_at(struct asking *a, const char *path, int32_t kind, int64_t *cell)
{
	double d = 0;
	size_t count = 0;
	if (kind == PDCFG_JSON_LIST || kind == PDCFG_JSON_OBJECT) {
		int32_t status = count_at(a, path, &count);
		*cell = count != 0;
		return status;
	}
	*cell = kind == PDCFG_JSON_STRING ? *a->out != 0 : 0;
	if (kind == PDCFG_JSON_STRING) return PDCFG_OK;
	int32_t status = read_real(a, kind, &d);
	*cell = d < 0 || d > 0 || d != d; /* NaN is true */
	return status;
}

static int32_t wholes_at(struct asking *a, const char *path, int64_t *cell)
{
	struct buffer b = { 0 };
	size_t count;
	int32_t status = count_at(a, path, &count);
	for (size_t i = 0; i < count && status >= 0; i++) {
		char printed[24];
		int64_t n = 0;
		status = ask(a, path, ".#", i, 0);
		if (status >= 0) status = read_whole(a, status, &n);
		if (status >= 0) status = pdcfg_append(a->cfg, &b, printed, pdcfg_print_whole(n, printed) + 1);
	}
	return pdcfg_intern_buffer(a->cfg, &b, status, cell);
}

static int32_t value_at(struct asking *a, const struct field *f, int64_t *cell)
{
	int32_t kind = ask(a, pdcfg_str(f->path), "", 0, 0), status;
	double d;
	*cell = NONE;
	if (kind <= PDCFG_JSON_NULL) return kind < 0 ? kind : PDCFG_OK;
	switch (f->type) {
	case PDCFG_TYPE_BOOL: return truth_at(a, pdcfg_str(f->path), kind, cell);
	case PDCFG_TYPE_INT:  return read_whole(a, kind, cell);
	case PDCFG_TYPE_FLOAT:
		status = read_real(a, kind, &d);
		*cell = real_cell(d);
		return status;
	case PDCFG_TYPE_TEXT: return kind == PDCFG_JSON_STRING ? pdcfg_keep(a->cfg, a->out, strlen(a->out), cell) : PDCFG_E_TYPE;
	default:              return kind == PDCFG_JSON_LIST ? wholes_at(a, pdcfg_str(f->path), cell) : PDCFG_E_TYPE;
	}
}

static int32_t kind_at(struct asking *a, const struct field *f, int64_t *cell)
{
	static const char *const names[] = { "invalid", "", "null", "bool", "bool", "int", "float", "text", "list", "object" };
	int32_t kind = ask(a, pdcfg_str(f->path), "", 0, 0);
	*cell = NONE;
	if (kind < 0 || kind == PDCFG_JSON_ABSENT || (kind == PDCFG_JSON_INVALID && *pdcfg_str(f->path))) return kind < 0 ? kind : PDCFG_OK;
	return pdcfg_intern(a->cfg, names[kind], strlen(names[kind]), cell);
}

/* ---- what no single path says ---- */

static bool among(const char *s, const char *names)
{
	size_t len = strlen(s);
	for (size_t n; *names; names += n + (names[n] == ' ')) {
		n = strcspn(names, " ");
		if (n == len && !memcmp(names, s, n)) return true;
	}
	return false;
}

/* has the object a key that is none of these? */
static int32_t has_other_key(struct asking *a, const char *known, int64_t *cell)
{
	size_t count;
	int32_t status = ask_whole(a);
	*cell = 0;
	if (status != PDCFG_JSON_OBJECT) return status;
	status = count_at(a, "", &count);
	for (size_t i = 0; i < count && status >= 0 && !*cell; i++) {
		status = ask(a, "#:key", "", i, 0);
		*cell = status >= 0 && !among(a->out, known);
	}
	return status;
}

static int32_t fact_unknown_modality(struct asking *a, int64_t *cell) { return has_other_key(a, "image video audio", cell); }

static int32_t fact_unknown_sampling_parameter(struct asking *a, int64_t *cell)
{
	return has_other_key(a, "max_new_tokens stop stop_token_ids stop_regex temperature top_p top_k min_p frequency_penalty presence_penalty "
	                        "repetition_penalty min_new_tokens n json_schema regex ebnf structural_tag ignore_eos skip_special_tokens "
	                        "spaces_between_special_tokens no_stop_trim stream_interval logit_bias sampling_seed custom_params stop_strs "
	                        "stop_regex_strs stop_str_max_len stop_regex_max_len is_normalized", cell);
}

/* is an element, or the value of a member, something else than a text? */
static int32_t has_no_text(struct asking *a, int64_t *cell)
{
	size_t count;
	int32_t status = count_at(a, "", &count);
	*cell = 0;
	for (size_t i = 0; i < count && status >= 0 && !*cell; i++) {
		status = ask(a, "#", "", i, 0);
		*cell = status >= 0 && status != PDCFG_JSON_STRING;
	}
	return status;
}

/* neither null nor a list of texts */
static int32_t fact_no_texts(struct asking *a, int64_t *cell)
{
	int32_t kind = ask_whole(a);
	*cell = kind > PDCFG_JSON_NULL;
	return kind == PDCFG_JSON_LIST ? has_no_text(a, cell) : kind;
}

/* JSON, but no object of texts */
static int32_t fact_other_than_texts(struct asking *a, int64_t *cell)
{
	int32_t kind = ask_whole(a);
	*cell = kind > PDCFG_JSON_ABSENT;
	return kind == PDCFG_JSON_OBJECT ? has_no_text(a, cell) : kind;
}

/* values that Python cannot compare with one another have different orders; those of 0 compare with nothing */
static int32_t order_of(int32_t kind)
{
	if (kind == PDCFG_JSON_OBJECT || kind <= PDCFG_JSON_NULL) return 0;
	return kind == PDCFG_JSON_STRING || kind == PDCFG_JSON_LIST ? kind : PDCFG_JSON_INT;
}

/* The largest size is asked for: of no list, or of values that do not compare. A text has a largest character, an object a largest key. */
static int32_t fact_sizes_unordered(struct asking *a, int64_t *cell)
{
	static const char path[] = "decode.bs";
	int32_t status = ask(a, path, "", 0, 0), first = 0;
	size_t count;
	*cell = status > PDCFG_JSON_NULL && status != PDCFG_JSON_STRING && status != PDCFG_JSON_OBJECT;
	if (status != PDCFG_JSON_LIST) return status;
	status = count_at(a, path, &count);
	*cell = 0;
	for (size_t i = 0; i < count && status >= 0 && !*cell; i++) {
		status = ask(a, path, ".#", i, 0);
		if (!i) first = order_of(status);
		*cell = i && (!order_of(status) || order_of(status) != first);
	}
	return status;
}

/* ---- RDMA devices: names between commas, or an object with such a list for each GPU, or the path of a file with one ---- */

enum ib_form { IB_BLANK, IB_FILE, IB_NAMES, IB_MAPPING, IB_EMPTY, IB_WRONG, IB_INVALID };

struct span {
	const char *at, *end;
};

static struct span without_blanks(const char *s)
{
	struct span t = { s, s + strlen(s) };
	while (t.at < t.end && is_blank(*t.at)) t.at++;
	while (t.end > t.at && is_blank(t.end[-1])) t.end--;
	return t;
}

static int32_t check_gpu(const char *key)
{
	size_t n = strspn(key, "0123456789");
	for (const char *s = key; *s; s++)
		if (!is_ascii(*s)) return PDCFG_E_LIMIT; /* what else counts as a digit is left to Python, and so are blanks */
	return n && !key[n] ? IB_MAPPING : IB_WRONG;
}

static int32_t form_of_mapping(struct asking *a)
{
	size_t count;
	int32_t status = ask_whole(a), form = IB_MAPPING;
	if (status <= PDCFG_JSON_INVALID) return status < 0 ? status : IB_INVALID;
	if ((status = count_at(a, "", &count)) < 0) return status;
	for (size_t i = 0; i < count && form == IB_MAPPING; i++) {
		if ((status = ask(a, "#:key", "", i, 0)) < 0) return status;
		form = check_gpu(a->out);
		if (form != IB_MAPPING) break;
		if ((status = ask(a, "#", "", i, 0)) < 0) return status;
		if (status != PDCFG_JSON_STRING) form = IB_WRONG;
	}
	return count ? form : IB_EMPTY;
}

/* an enum ib_form or a negative status */
static int32_t form_of(struct asking *a)
{
	struct span t = without_blanks(a->text);
	if (t.end - t.at > IB_TEXT_MAX) return PDCFG_E_LIMIT;
	if (t.at == t.end) return IB_BLANK;
	if (!is_ascii(*t.at) || !is_ascii(t.end[-1])) return PDCFG_E_LIMIT;
	a->own[t.end - a->own] = 0; /* some of Python's blanks are none in JSON */
	a->text = t.at;
	if (t.end - t.at >= 5 && !memcmp(t.end - 5, ".json", 5)) return IB_FILE;
	return *t.at == '{' ? form_of_mapping(a) : IB_NAMES;
}

struct devices {
	struct buffer names, gpus, normal; /* elements with their NULs, and a text */
	bool lacks_name, repeats, odd;     /* odd: a name that JSON would not show as it is */
};

static bool holds(const struct buffer *b, size_t from, const char *s, size_t n)
{
	for (size_t at = from; at < b->used; at += strlen(b->s + at) + 1)
		if (strlen(b->s + at) == n && !memcmp(b->s + at, s, n)) return true;
	return false;
}

/* the next name that is not empty, without the blanks around it; false at the end of the list */
static bool next_device(struct span *list, struct span *name)
{
	const char *s = list->at;
	while (s < list->end && (*s == ',' || is_blank(*s))) s++;
	name->at = s;
	while (s < list->end && *s != ',') s++;
	list->at = name->end = s;
	while (name->end > name->at && is_blank(name->end[-1])) name->end--;
	return name->end > name->at;
}

static int32_t add_name(struct asking *a, struct devices *d, size_t from, struct span name)
{
	size_t n = (size_t)(name.end - name.at);
	int32_t status = PDCFG_OK;
	if (holds(&d->names, from, name.at, n)) {
		d->repeats = true;
		return PDCFG_OK;
	}
	for (const char *s = name.at; s < name.end; s++) {
		if (!is_ascii(*s)) return PDCFG_E_LIMIT;
		d->odd |= *s < ' ' || *s > '~' || *s == '"' || *s == '\\';
	}
	if (d->names.used > from) status = pdcfg_append(a->cfg, &d->normal, ",", 1);
	if (status >= 0) status = pdcfg_append(a->cfg, &d->normal, name.at, n);
	if (status >= 0) status = pdcfg_append(a->cfg, &d->names, name.at, n);
	return status < 0 ? status : pdcfg_append(a->cfg, &d->names, "", 1);
}

static int32_t add_list(struct asking *a, struct devices *d, struct span list)
{
	size_t from = d->names.used;
	int32_t status = PDCFG_OK;
	for (struct span name; status >= 0 && next_device(&list, &name);) status = add_name(a, d, from, name);
	d->lacks_name |= d->names.used == from;
	return status;
}

static int32_t add_text(struct asking *a, struct buffer *b, const char *s) { return pdcfg_append(a->cfg, b, s, strlen(s)); }

/* the member that a->out has the key of: "7":"mlx5_0" */
static int32_t add_gpu(struct asking *a, struct devices *d, size_t i)
{
	size_t zeros = strspn(a->out, "0");
	const char *gpu = a->out + (a->out[zeros] || !zeros ? zeros : zeros - 1); /* a reader may answer otherwise than it did before: with nothing */
	if (holds(&d->gpus, 0, gpu, strlen(gpu))) return PDCFG_E_LIMIT; /* 1 and 01: the places of both would have to be known */
	int32_t status = add_text(a, &d->normal, i ? ",\"" : "\"");
	if (status >= 0) status = add_text(a, &d->normal, gpu);
	if (status >= 0) status = add_text(a, &d->normal, "\":\"");
	if (status >= 0) status = pdcfg_append(a->cfg, &d->gpus, gpu, strlen(gpu) + 1);
	if (status >= 0) status = ask(a, "#", "", i, 0);
	if (status >= 0) status = add_list(a, d, without_blanks(a->out));
	return status < 0 ? status : add_text(a, &d->normal, "\"");
}

static int32_t add_mapping(struct asking *a, struct devices *d)
{
	size_t count;
	int32_t status = count_at(a, "", &count);
	if (status >= 0) status = add_text(a, &d->normal, "{");
	for (size_t i = 0; i < count && status >= 0; i++) {
		status = ask(a, "#:key", "", i, 0);
		if (status >= 0) status = add_gpu(a, d, i);
	}
	return status < 0 ? status : add_text(a, &d->normal, "}");
}

/* returns the form; all is empty where it is neither a list nor a mapping */
static int32_t read_devices(struct asking *a, struct devices *d)
{
	int32_t form = form_of(a), status = PDCFG_OK;
	*d = (struct devices){ 0 };
	if (form == IB_NAMES) status = add_list(a, d, without_blanks(a->text));
	if (form == IB_MAPPING) status = add_mapping(a, d);
	return status < 0 ? status : form;
}

static void drop_devices(struct asking *a, struct devices *d)
{
	pdcfg_mem_put(&a->cfg->mem, d->names.s, d->names.room);
	pdcfg_mem_put(&a->cfg->mem, d->gpus.s, d->gpus.room);
	pdcfg_mem_put(&a->cfg->mem, d->normal.s, d->normal.room);
}

static int32_t fact_ib_form(struct asking *a, int64_t *cell)
{
	static const char *const names[] = { "blank", "file", "names", "mapping", "empty", "wrong", "invalid" };
	int32_t form = form_of(a);
	return form < 0 ? form : pdcfg_intern(a->cfg, names[form], strlen(names[form]), cell);
}

static int32_t keep_buffer(struct asking *a, const struct buffer *b, int64_t *cell) { return pdcfg_intern(a->cfg, b->s ? b->s : "", b->used, cell); }

static int32_t fact_ib_names(struct asking *a, int64_t *cell)
{
	struct devices d;
	int32_t status = read_devices(a, &d);
	if (status >= 0) status = keep_buffer(a, &d.names, cell);
	drop_devices(a, &d);
	return status;
}

static int32_t fact_ib_gpus(struct asking *a, int64_t *cell)
{
	struct devices d;
	int32_t status = read_devices(a, &d);
	*cell = NONE;
	if (status == IB_MAPPING) status = keep_buffer(a, &d.gpus, cell);
	drop_devices(a, &d);
	return status;
}

static int32_t fact_ib_lacks_name(struct asking *a, int64_t *cell)
{
	struct devices d;
	int32_t status = read_devices(a, &d);
	*cell = d.lacks_name;
	drop_devices(a, &d);
	return status;
}

static int32_t fact_ib_repeats(struct asking *a, int64_t *cell)
{
	struct devices d;
	int32_t status = read_devices(a, &d);
	*cell = d.repeats;
	drop_devices(a, &d);
	return status;
}

/* what SGLang writes back; what it refuses stays as it is */
static int32_t fact_ib_normal(struct asking *a, int64_t *cell)
{
	struct devices d;
	int32_t status = read_devices(a, &d);
	*cell = a->cell;
	if (status == IB_FILE || (status == IB_MAPPING && d.odd)) status = PDCFG_E_LIMIT;
	if (status == IB_MAPPING || status == IB_NAMES) status = keep_buffer(a, &d.normal, cell);
	drop_devices(a, &d);
	return status;
}

/* ---- all rows of one text ---- */

#define TABLES_OF_FACTS
#include "generated/tables.inc"

static int32_t read_fact(struct asking *a, unsigned row, int64_t *cell)
{
	const struct field *f = &pdcfg_fields[row];
	int32_t status = f->json == JSON_COMPUTED ? facts[row - FIRST_FACT](a, cell) : f->json == JSON_KIND ? kind_at(a, f, cell) : value_at(a, f, cell);
	if (status == PDCFG_E_NOMEM) return status;
	if (status < 0) *cell = UNKNOWN;
	return PDCFG_OK;
}

int32_t pdcfg_read_facts(pdcfg_t *cfg, unsigned field, int64_t cell, int64_t *out)
{
	const struct field *f = &pdcfg_fields[field];
	struct asking a = { .cfg = cfg, .cell = cell, .work = WORK_MAX, .strict = f->reading == READ_JSON_LIST };
	size_t len;
	int32_t status = PDCFG_OK;
	for (unsigned i = 0; i < f->facts; i++) out[i] = cell;
	if (cell == NONE || cell == UNKNOWN) return PDCFG_OK;
	const char *text = pdcfg_pool_text(&cfg->pool, cell, &len);
	char *copy = pdcfg_mem_get(&cfg->mem, len + 1); /* the pool may move */
	if (!copy) return PDCFG_E_NOMEM;
	memcpy(copy, text, len + 1);
	a.text = a.own = copy;
	for (unsigned i = 0; i < f->facts && status >= 0; i++) status = read_fact(&a, f->first_fact + i, &out[i]);
	pdcfg_mem_put(&cfg->mem, copy, len + 1);
	return status;
}

/* ---- what a command line may hold ---- */

static int32_t check_phase(struct asking *a, size_t i, unsigned *code)
{
	size_t count;
	int32_t status = ask(a, "#:key", "", i, 0);
	if (status < 0) return status;
	bool decode = !strcmp(a->out, "decode");
	const char *known = decode ? "backend max_bs bs tc_compiler" :
	                    "backend max_bs bs tc_compiler full_prefill_max_req full_prefill_prefix_chunk_tokens";
	if (!decode && strcmp(a->out, "prefill")) *code = CODE_cuda_graph_config_unknown_phase;
	if (*code || (status = ask(a, "#", "", i, 0)) < 0) return status;
	if (status != PDCFG_JSON_OBJECT) *code = CODE_cuda_graph_config_phase_not_object;
	if (*code || (status = ask(a, "#", ":count", i, 0)) < 0) return status;
	int64_t n = 0;
	count = pdcfg_read_int(a->out, strlen(a->out), &n) && n > 0 ? (size_t)n : 0;
	for (size_t j = 0; j < count && status >= 0 && !*code; j++) {
		status = ask(a, "#.#:key", "", i, j);
		if (status >= 0 && !among(a->out, known)) *code = CODE_cuda_graph_config_unknown_key;
	}
	return status;
}

/* an object of two phases with known keys */
static int32_t check_graph_config(struct asking *a, int32_t kind, unsigned *code)
{
	size_t count;
	if (kind != PDCFG_JSON_OBJECT) {
		*code = CODE_cuda_graph_config_not_object;
		return PDCFG_OK;
	}
	int32_t status = count_at(a, "", &count);
	for (size_t i = 0; i < count && status >= 0 && !*code; i++) status = check_phase(a, i, code);
	return status;
}

int32_t pdcfg_check_json(pdcfg_t *cfg, const struct option *o, const char *text, unsigned *code)
{
	struct asking a = { .cfg = cfg, .text = text, .work = WORK_MAX, .strict = o->reading == READ_JSON_LIST };
	int32_t kind = ask_whole(&a);
	bool graphs = o->reading == READ_CUDA_GRAPH_CONFIG;
	*code = 0;
	if (kind == PDCFG_JSON_INVALID)
		*code = a.strict ? CODE_argparse_json_list_invalid : graphs ? CODE_cuda_graph_config_not_json : CODE_argparse_json_value_invalid;
	else if (kind >= 0 && graphs) kind = check_graph_config(&a, kind, code);
	return kind < 0 ? kind : PDCFG_OK;
}

int32_t pdcfg_check_lora(pdcfg_t *cfg, const char *text, unsigned *code)
{
	struct asking a = { .cfg = cfg, .text = text, .work = WORK_MAX };
	int32_t status = ask_whole(&a), path = 0;
	*code = status == PDCFG_JSON_INVALID ? CODE_argparse_lora_paths_bad_json : 0;
	if (status <= PDCFG_JSON_INVALID) return status;
	status = ask(&a, "lora_name", "", 0, 0);
	if (status >= 0) path = ask(&a, "lora_path", "", 0, 0);
	if (status == PDCFG_JSON_ABSENT || path == PDCFG_JSON_ABSENT) *code = CODE_argparse_lora_paths_json_keys;
	return *code ? PDCFG_OK : status < 0 ? status : path < 0 ? path : PDCFG_OK;
}
