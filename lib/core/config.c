/* The handle: what has been said about a server, and by whom. */
#include <string.h>
#include "private.h"

static void start_over(pdcfg_t *cfg)
{
	memcpy(cfg->v, pdcfg_defaults, sizeof cfg->v);
	memset(cfg->given, 0, sizeof cfg->given);
	memset(cfg->play, 0, sizeof cfg->play);
	memset(cfg->origin, 0, sizeof cfg->origin);
	cfg->note_count = 0;
}

int32_t pdcfg_new_with(pdcfg_alloc_fn alloc, void *ctx, pdcfg_t **out)
{
	const struct memory mem = { alloc, ctx };
	if (!out) return PDCFG_E_INVALID;
	*out = NULL;
	pdcfg_t *cfg = pdcfg_mem_get(&mem, sizeof *cfg);
	if (!cfg) return PDCFG_E_NOMEM;
	cfg->mem = mem;
	cfg->json = NULL;
	cfg->json_ctx = NULL;
	cfg->pool = (struct pool){ 0 };
	cfg->notes = NULL;
	cfg->note_room = 0;
	start_over(cfg);
	*out = cfg;
	return PDCFG_OK;
}

int32_t pdcfg_new(pdcfg_t **out)
{
	return pdcfg_new_with(NULL, NULL, out);
}

void pdcfg_free(pdcfg_t *cfg)
{
	if (!cfg) return;
	const struct memory mem = cfg->mem;
	pdcfg_pool_end(&cfg->pool, &mem);
	pdcfg_mem_put(&mem, cfg->notes, cfg->note_room * sizeof *cfg->notes);
	pdcfg_mem_put(&mem, cfg, sizeof *cfg);
}

int32_t pdcfg_clone(const pdcfg_t *cfg, pdcfg_t **out)
{
	if (out) *out = NULL;
	if (!cfg || !out) return PDCFG_E_INVALID;
	pdcfg_t *copy = pdcfg_mem_get(&cfg->mem, sizeof *copy);
	if (!copy) return PDCFG_E_NOMEM;
	*copy = *cfg;
	copy->notes = NULL;
	copy->note_room = 0;
	int32_t status = pdcfg_pool_copy(&copy->pool, &cfg->pool, &copy->mem);
	if (!status && cfg->note_count) {
		copy->notes = pdcfg_mem_get(&copy->mem, cfg->note_count * sizeof *copy->notes);
		if (copy->notes) memcpy(copy->notes, cfg->notes, cfg->note_count * sizeof *copy->notes);
		else status = PDCFG_E_NOMEM;
		copy->note_room = copy->notes ? cfg->note_count : 0;
	}
	if (status < 0) {
		pdcfg_free(copy);
		return status;
	}
	*out = copy;
	return PDCFG_OK;
}

void pdcfg_swap(pdcfg_t *to, pdcfg_t *from)
{
	const struct pool pool = to->pool;
	struct note *const notes = to->notes;
	const uint32_t room = to->note_room;
	*to = *from;
	from->pool = pool;
	from->notes = notes;
	from->note_room = room;
}

int32_t pdcfg_replace(pdcfg_t *cfg, pdcfg_t *by)
{
	if (!cfg || !by || cfg == by || cfg->mem.fn != by->mem.fn || cfg->mem.ctx != by->mem.ctx) return PDCFG_E_INVALID;
	pdcfg_swap(cfg, by);
	pdcfg_free(by);
	return PDCFG_OK;
}

int32_t pdcfg_reset(pdcfg_t *cfg)
{
	if (!cfg) return PDCFG_E_INVALID;
	pdcfg_pool_end(&cfg->pool, &cfg->mem);
	start_over(cfg);
	return PDCFG_OK;
}

int32_t pdcfg_intern(pdcfg_t *cfg, const char *text, size_t len, int64_t *cell)
{
	if (len > PDCFG_TEXT_MAX) return PDCFG_E_LIMIT;
	return pdcfg_pool_add(&cfg->pool, &cfg->mem, text, len, cell);
}

int32_t pdcfg_add_note(pdcfg_t *cfg, const struct note *note)
{
	if (cfg->note_count == cfg->note_room) {
		uint32_t room = cfg->note_room ? 2 * cfg->note_room : 8;
		struct note *notes = pdcfg_mem_grow(&cfg->mem, cfg->notes, cfg->note_room * sizeof *notes, room * sizeof *notes);
		if (!notes) return PDCFG_E_NOMEM;
		cfg->notes = notes;
		cfg->note_room = room;
	}
	cfg->notes[cfg->note_count++] = *note;
	return PDCFG_OK;
}

void pdcfg_drop_notes(pdcfg_t *cfg, unsigned field, uint32_t few)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < cfg->note_count; i++)
		if (i >= few || cfg->notes[i].index >= 0 || cfg->notes[i].field != field) cfg->notes[kept++] = cfg->notes[i];
	cfg->note_count = kept;
}

static void put_cell(pdcfg_t *cfg, unsigned field, int64_t cell, bool given)
{
	unsigned view = pdcfg_fields[field].view;
	cfg->v[field] = cfg->v[view] = cell;
	bit_put(cfg->given, field, given);
	bit_put(cfg->play, field, given || cell != pdcfg_defaults[field]);
	bit_put(cfg->play, view, given || cell != pdcfg_defaults[view]);
}

/* once one trait of the family is known, those that nobody mentioned take their ordinary value */
static void assume(pdcfg_t *cfg)
{
	bool known = false;
	for (unsigned f = 1; f < FIELD_COUNT; f++)
		known |= pdcfg_fields[f].family && bit_get(cfg->given, f) && cfg->v[f] != UNKNOWN;
	for (unsigned f = 1; f < FIELD_COUNT; f++) {
		if (!pdcfg_fields[f].assumes || bit_get(cfg->given, f)) continue;
		put_cell(cfg, f, known ? pdcfg_fields[f].assumed : UNKNOWN, false);
		cfg->origin[f] = (struct origin){ .index = -1, .kind = known ? PDCFG_FROM_ASSUMPTION : PDCFG_FROM_NOTHING };
	}
}

/* facts NULL: their defaults */
static void put_facts(pdcfg_t *cfg, unsigned field, const int64_t *facts)
{
	const struct field *f = &pdcfg_fields[field];
	for (unsigned i = 0, row = f->first_fact; i < f->facts; i++, row++) put_cell(cfg, row, facts ? facts[i] : pdcfg_defaults[row], false);
}

int32_t pdcfg_put(pdcfg_t *cfg, unsigned field, int64_t cell, const struct origin *from)
{
	int64_t facts[MOST_FACTS];
	int32_t status = pdcfg_fields[field].facts ? pdcfg_read_facts(cfg, field, cell, facts) : PDCFG_OK;
	if (status < 0) return status;
	put_facts(cfg, field, facts);
	put_cell(cfg, field, cell, true);
	cfg->origin[field] = *from;
	if (pdcfg_fields[field].assumes) assume(cfg);
	return PDCFG_OK;
}

static const struct origin from_caller = { .index = -1, .kind = PDCFG_FROM_CALLER };

static int32_t check(const pdcfg_t *cfg, unsigned field)
{
	if (!cfg) return PDCFG_E_INVALID;
	return field && pdcfg_fields[field].kind < PDCFG_KIND_STATE ? PDCFG_OK : PDCFG_E_KEY;
}

static int32_t give(pdcfg_t *cfg, unsigned field, int64_t cell, const struct origin *from)
{
	int32_t status = pdcfg_put(cfg, field, cell, from);
	if (status >= 0) pdcfg_drop_notes(cfg, field, cfg->note_count);
	return status;
}

int32_t pdcfg_set_whole(pdcfg_t *cfg, unsigned field, int64_t value)
{
	int32_t status = check(cfg, field);
	if (status < 0) return status;
	switch (pdcfg_fields[field].type) {
	case PDCFG_TYPE_BOOL: value = value != 0; break;
	case PDCFG_TYPE_INT:  if (value <= NONE) value = NONE + 1; break;
	default: return PDCFG_E_TYPE;
	}
	return give(cfg, field, value, &from_caller);
}

int32_t pdcfg_set_real(pdcfg_t *cfg, unsigned field, double value)
{
	int32_t status = check(cfg, field);
	if (status < 0) return status;
	if (pdcfg_fields[field].type != PDCFG_TYPE_FLOAT) return PDCFG_E_TYPE;
	return give(cfg, field, real_cell(value), &from_caller);
}

int32_t pdcfg_set_string(pdcfg_t *cfg, unsigned field, const char *value)
{
	int64_t cell = NONE;
	int32_t status = check(cfg, field);
	if (status < 0) return status;
	if (pdcfg_fields[field].type != PDCFG_TYPE_TEXT) return PDCFG_E_TYPE;
	if (value && (status = pdcfg_intern(cfg, value, strlen(value), &cell)) < 0) return status;
	return give(cfg, field, cell, &from_caller);
}

static bool fits(unsigned type, const char *item)
{
	int64_t i;
	double d;
	if (!item) return false;
	if (type == PDCFG_TYPE_INTS) return pdcfg_read_int(item, strlen(item), &i);
	return type != PDCFG_TYPE_FLOATS || pdcfg_read_float(item, strlen(item), &d);
}

static int32_t intern_list(pdcfg_t *cfg, const char *const *items, size_t count, int64_t *cell)
{
	size_t size = 0, at = 0;
	for (size_t i = 0; i < count; i++)
		if ((size += strlen(items[i]) + 1) > PDCFG_TEXT_MAX) return PDCFG_E_LIMIT;
	*cell = 0;
	if (!size) return PDCFG_OK;
	char *all = pdcfg_mem_get(&cfg->mem, size);
	if (!all) return PDCFG_E_NOMEM;
	for (size_t i = 0; i < count; i++) {
		size_t n = strlen(items[i]) + 1;
		memcpy(all + at, items[i], n);
		at += n;
	}
	int32_t status = pdcfg_intern(cfg, all, size, cell);
	pdcfg_mem_put(&cfg->mem, all, size);
	return status;
}

int32_t pdcfg_set_items(pdcfg_t *cfg, unsigned field, const char *const *items, size_t count)
{
	int64_t cell;
	int32_t status = check(cfg, field);
	if (status < 0) return status;
	if (pdcfg_fields[field].type < PDCFG_TYPE_TEXTS) return PDCFG_E_TYPE;
	if (count && !items) return PDCFG_E_INVALID;
	if (count > PDCFG_ARGS_MAX) return PDCFG_E_LIMIT;
	for (size_t i = 0; i < count; i++)
		if (!fits(pdcfg_fields[field].type, items[i])) return items[i] ? PDCFG_E_TYPE : PDCFG_E_INVALID;
	if ((status = intern_list(cfg, items, count, &cell)) < 0) return status;
	return give(cfg, field, cell, &from_caller);
}

int32_t pdcfg_set_i64(pdcfg_t *cfg, uint32_t key, int64_t value) { return pdcfg_set_whole(cfg, pdcfg_field_of_key(key), value); }
int32_t pdcfg_set_f64(pdcfg_t *cfg, uint32_t key, double value) { return pdcfg_set_real(cfg, pdcfg_field_of_key(key), value); }
int32_t pdcfg_set_text(pdcfg_t *cfg, uint32_t key, const char *utf8) { return pdcfg_set_string(cfg, pdcfg_field_of_key(key), utf8); }
int32_t pdcfg_set_list(pdcfg_t *cfg, uint32_t key, const char *const *items, size_t count)
{
	return pdcfg_set_items(cfg, pdcfg_field_of_key(key), items, count);
}
int32_t pdcfg_set_pd_required(pdcfg_t *cfg, int32_t on) { return pdcfg_set_whole(cfg, F_pd_required, on != 0); }

int32_t pdcfg_set_none(pdcfg_t *cfg, uint32_t key)
{
	unsigned field = pdcfg_field_of_key(key);
	int32_t status = check(cfg, field);
	return status < 0 ? status : give(cfg, field, NONE, &from_caller);
}

int32_t pdcfg_set_unknown(pdcfg_t *cfg, uint32_t key, const char *text)
{
	unsigned field = pdcfg_field_of_key(key);
	int64_t cell = 0;
	int32_t status = check(cfg, field);
	if (!status && text) status = pdcfg_intern(cfg, text, strlen(text), &cell);
	if (status < 0) return status;
	return give(cfg, field, UNKNOWN, &(struct origin){ .said = (uint32_t)cell, .index = -1, .kind = PDCFG_FROM_CALLER });
}

int32_t pdcfg_unset(pdcfg_t *cfg, uint32_t key)
{
	unsigned field = pdcfg_field_of_key(key);
	int32_t status = check(cfg, field);
	if (status < 0) return status;
	put_cell(cfg, field, pdcfg_defaults[field], false);
	put_facts(cfg, field, NULL);
	cfg->origin[field] = (struct origin){ .index = -1 };
	pdcfg_drop_notes(cfg, field, cfg->note_count);
	if (pdcfg_fields[field].assumes) assume(cfg);
	return PDCFG_OK;
}

int32_t pdcfg_set_arg(pdcfg_t *cfg, const char *name, const char *text)
{
	int64_t cell;
	if (!cfg || !name || !text) return PDCFG_E_INVALID;
	size_t len = strlen(name);
	if (len > PDCFG_TEXT_MAX || strlen(text) > PDCFG_TEXT_MAX) return PDCFG_E_LIMIT;
	const struct option *o = *name == '-' ? pdcfg_option_by_name(name, len) : NULL;
	if (o) return pdcfg_read_option(cfg, o, name, text);
	unsigned field = pdcfg_field_by_name(name, len);
	int32_t status = check(cfg, field);
	if (!status) status = pdcfg_intern(cfg, name, len, &cell);
	if (status < 0) return status;
	uint8_t kind = pdcfg_fields[field].kind == PDCFG_KIND_ENVIRONMENT ? PDCFG_FROM_ENVIRONMENT : PDCFG_FROM_CALLER;
	return pdcfg_read_variable(cfg, field, text, &(struct origin){ .text = (uint32_t)cell, .index = -1, .kind = kind });
}

int32_t pdcfg_set_origin(pdcfg_t *cfg, uint32_t key, uint32_t kind, const char *where, uint32_t line, uint32_t column)
{
	unsigned field = pdcfg_field_of_key(key);
	int64_t cell = 0;
	int32_t status = check(cfg, field);
	if (!status && where) status = pdcfg_intern(cfg, where, strlen(where), &cell);
	if (status < 0) return status;
	if (kind > PDCFG_FROM_PLATFORM || !bit_get(cfg->given, field)) return PDCFG_E_INVALID;
	const struct origin *o = &cfg->origin[field];
	cfg->origin[field] = (struct origin){ (uint32_t)cell, o->said, o->index, line, column, (uint8_t)kind };
	return PDCFG_OK;
}

int32_t pdcfg_set_json_reader(pdcfg_t *cfg, pdcfg_json_fn reader, void *ctx)
{
	int64_t facts[FACT_COUNT];
	int32_t status = PDCFG_OK;
	if (!cfg) return PDCFG_E_INVALID;
	const pdcfg_json_fn old = cfg->json;
	void *old_ctx = cfg->json_ctx;
	cfg->json = reader;
	cfg->json_ctx = ctx;
	for (unsigned f = 1; f < FIELD_COUNT && status >= 0; f++) /* texts that are there are asked about again */
		if (pdcfg_fields[f].facts && bit_get(cfg->given, f)) status = pdcfg_read_facts(cfg, f, cfg->v[f], &facts[pdcfg_fields[f].first_fact - FIRST_FACT]);
	if (status < 0) {
		cfg->json = old;
		cfg->json_ctx = old_ctx;
		return status;
	}
	for (unsigned f = 1; f < FIELD_COUNT; f++)
		if (pdcfg_fields[f].facts && bit_get(cfg->given, f)) put_facts(cfg, f, &facts[pdcfg_fields[f].first_fact - FIRST_FACT]);
	return PDCFG_OK;
}

int32_t pdcfg_add_parse_finding(pdcfg_t *cfg, uint32_t code, int32_t index, const char *token, const char *value)
{
	unsigned row = pdcfg_row_of_code(code);
	int32_t status = PDCFG_OK;
	if (!cfg) return PDCFG_E_INVALID;
	if (row == ROW_COUNT || pdcfg_rows[row].kind != ROW_PARSE) return PDCFG_E_KEY;
	struct note note = { .code = (uint16_t)code, .option = OPTION_COUNT, .parse_class = pdcfg_texts[row].parse_class, .warning = pdcfg_texts[row].warns, .index = index };
	const struct option *o = token ? pdcfg_option_by_name(token, strlen(token)) : NULL;
	if (o) {
		note.option = (uint16_t)(o - pdcfg_options);
		note.field = o->field;
	}
	if (token) status = pdcfg_intern(cfg, token, strlen(token), &note.token);
	if (!status && value) status = pdcfg_intern(cfg, value, strlen(value), &note.value);
	return status < 0 ? status : pdcfg_add_note(cfg, &note);
}

int32_t pdcfg_is_set(const pdcfg_t *cfg, uint32_t key)
{
	unsigned field = pdcfg_field_of_key(key);
	if (!cfg) return PDCFG_E_INVALID;
	return field ? bit_get(cfg->given, field) : PDCFG_E_KEY;
}

int32_t pdcfg_get_i64(const pdcfg_t *cfg, uint32_t key, int64_t *value)
{
	unsigned field = pdcfg_field_of_key(key);
	if (!cfg || !value) return PDCFG_E_INVALID;
	if (!field) return PDCFG_E_KEY;
	if (pdcfg_fields[field].type > PDCFG_TYPE_INT) return PDCFG_E_TYPE;
	if (cfg->v[field] == NONE || cfg->v[field] == UNKNOWN) return PDCFG_E_INVALID;
	*value = cfg->v[field];
	return PDCFG_OK;
}

const char *pdcfg_get_text(const pdcfg_t *cfg, uint32_t key)
{
	unsigned field = pdcfg_field_of_key(key);
	size_t len;
	if (!cfg || pdcfg_fields[field].type != PDCFG_TYPE_TEXT) return "";
	return pdcfg_pool_text(&cfg->pool, cfg->v[field], &len);
}
