/* What the files of the core share. Names that cross files begin with pdcfg_, for platforms whose archives cannot hide them. */
#ifndef PDCFG_PRIVATE_H
#define PDCFG_PRIVATE_H
#include <pdcfg/pdcfg.h>
#include "cond.h"
#include "text.h"
#include "generated/cells.h"

#define BIT_WORDS(n) (((n) + 63) / 64)

static inline bool bit_get(const uint64_t *set, unsigned i) { return set[i / 64] >> i % 64 & 1; }
static inline void bit_put(uint64_t *set, unsigned i, bool on)
{
	uint64_t bit = UINT64_C(1) << i % 64;
	set[i / 64] = on ? set[i / 64] | bit : set[i / 64] & ~bit;
}

/* ---- memory (memory.c) ---- */
struct memory {
	pdcfg_alloc_fn fn;
	void *ctx;
};
void *pdcfg_mem_get(const struct memory *m, size_t size);
void *pdcfg_mem_grow(const struct memory *m, void *old, size_t old_size, size_t new_size);
void pdcfg_mem_put(const struct memory *m, void *old, size_t size);

/* ---- texts (pool.c): known words have fixed numbers below WORD_COUNT, others are numbered as they come ---- */
struct pool_entry {
	uint32_t at, len;
};
struct pool {
	char *bytes;
	struct pool_entry *entries;
	uint32_t *slots;        /* hash table of entry numbers + 1 */
	uint32_t used, room;    /* bytes */
	uint32_t count, places; /* entries; slots has 2 * places */
};
/* a list is its elements, each with its final NUL, as one text */
int32_t pdcfg_pool_add(struct pool *p, const struct memory *m, const char *text, size_t len, int64_t *cell);
const char *pdcfg_pool_text(const struct pool *p, int64_t cell, size_t *len);
int32_t pdcfg_pool_copy(struct pool *to, const struct pool *from, const struct memory *m);
void pdcfg_pool_end(struct pool *p, const struct memory *m);
int64_t pdcfg_word(const char *text, size_t len); /* UNKNOWN when it is not a known word */

/* ---- fields and options (fields.c and generated/tables.inc) ---- */
enum action {
	ACT_STORE, ACT_STORE_TRUE, ACT_STORE_BOOL, ACT_STORE_LORA, ACT_HELP,
	ACT_OLD_STORE, ACT_OLD_STORE_TRUE, ACT_OLD_STORE_CONST, ACT_OLD_NOTHING
};
enum nargs { NARGS_ONE, NARGS_NO_VALUE, NARGS_SOME, NARGS_ANY_NUMBER, NARGS_MAYBE };
enum reading { /* how a text becomes a value */
	READ_STR, READ_INT, READ_FLOAT, READ_HUMAN_INT, READ_JSON, READ_JSON_LIST, READ_NULLABLE, READ_CUDA_GRAPH_CONFIG,
	READ_BOOL, READ_TRUTH, READ_RAW, READ_INT_BOOL, READ_STRICT_INT, READ_STRICT_FLOAT
};
enum json_row { JSON_NONE, JSON_VALUE, JSON_KIND, JSON_COMPUTED }; /* what a row of fields/json.def holds */
/* Texts of the tables are offsets into one block, 0 for "": a table of pointers would have to be relocated at every load. */
typedef uint16_t str_at;
extern const struct strings pdcfg_strings;
static inline const char *pdcfg_str(str_at offset) { return (const char *)&pdcfg_strings + offset; }
struct option {
	uint16_t field, code;
	uint8_t action, nargs, reading, required;
	str_at names;   /* separated by blanks */
	str_at choices; /* separated by |, 0 for any text */
	str_at konst;
	str_at rule;    /* the name of the rule about its choices */
};
struct option_name {
	str_at name;
	uint16_t option;
};
struct field {
	uint32_t key;
	str_at name;            /* tp_size, env.SGLANG_X, model.is_mla, platform.sm */
	str_at ident;           /* as rows and setters call it: tp_size, env_x, model_is_mla, platform_sm */
	str_at text;            /* the default, as Python prints it */
	str_at path;            /* of a JSON row, "" for the whole */
	uint16_t option, options; /* first option, and how many */
	uint16_t view;       /* the cell with the declarations on top; the field itself when nothing declares it */
	uint8_t type, kind, reading, secret;
	uint8_t assumes, family; /* see fields/model.def */
	uint8_t json;        /* an enum json_row */
	uint16_t source;     /* of a JSON row: the field whose text it looks into */
	uint16_t first_fact, facts; /* of that field: the first of its JSON rows, and how many */
	int64_t assumed;     /* only if assumes */
};
extern const struct field pdcfg_fields[FIELD_COUNT];
extern const uint16_t pdcfg_by_key[FIELD_COUNT]; /* fields in the order of their keys */
extern const uint16_t pdcfg_viewed[]; /* the fields whose views are the cells from FIELD_COUNT on */
/* the field that a caller can set to change this cell: that of a JSON row is the one with the text */
static inline unsigned pdcfg_settable(unsigned field) { return pdcfg_fields[field].json ? pdcfg_fields[field].source : field; }
static inline unsigned pdcfg_field_of_cell(unsigned cell) { return cell < FIELD_COUNT ? cell : pdcfg_viewed[cell - FIELD_COUNT]; }
extern const struct option pdcfg_options[OPTION_COUNT];
extern const struct option_name pdcfg_option_names[OPTION_NAME_COUNT]; /* sorted by name */
extern const int64_t pdcfg_defaults[CELL_COUNT];
unsigned pdcfg_field_of_key(uint32_t key);         /* 0 when there is none */
unsigned pdcfg_field_by_name(const char *name, size_t len); /* by display name, field name or variable, no option; 0 */
unsigned pdcfg_first_name_from(const char *prefix, size_t len); /* the place among the names of the first that is not before this prefix */
const struct option_name *pdcfg_option_name(const char *name, size_t len); /* the same name, with its final NUL; NULL */
const struct option *pdcfg_option_by_name(const char *name, size_t len);   /* exact; NULL */
const char *pdcfg_option_first_name(unsigned option); /* "" for OPTION_COUNT */
/* Damerau-Levenshtein over the options' names, at most a third of the length; "" when none is near */
const char *pdcfg_nearest_option(const char *name, size_t len);
bool pdcfg_is_choice(const char *choices, const char *text, size_t len);
/* the nearest of the choices separated by |, as pointer and length into them; false when none is near */
bool pdcfg_nearest_choice(const char *choices, const char *text, size_t *at, size_t *len);

/* ---- the handle (config.c) ---- */
struct origin {
	uint32_t text;  /* option, variable or file: cell of the text in the pool */
	uint32_t said;  /* of an unknown value: how it was written, likewise */
	int32_t index;  /* in the argument vector, -1 */
	uint32_t line, column;
	uint8_t kind;
};
struct note { /* something that reading argv or the environment found */
	uint16_t code;      /* of the row or choice */
	uint16_t option;    /* index in pdcfg_options, OPTION_COUNT for none */
	uint16_t field;     /* 0 for none */
	uint8_t parse_class;
	bool warning;
	int32_t index;      /* in the argument vector, -1 */
	int64_t token, nearest, value; /* texts in the pool; value is what {value} in the row's message stands for */
};
struct pdcfg_config {
	struct memory mem;
	pdcfg_json_fn json;
	void *json_ctx;
	int64_t v[CELL_COUNT];
	uint64_t given[BIT_WORDS(CELL_COUNT)]; /* somebody gave it */
	uint64_t play[BIT_WORDS(CELL_COUNT)];  /* given, or not at its default: it may open rows */
	struct origin origin[FIELD_COUNT];
	struct pool pool;
	struct note *notes;
	uint32_t note_count, note_room;
};

/* Write a field, its view, its bits, and what its JSON text holds; the origin's text is interned already. Only asking for JSON can fail
 * (NOMEM); then nothing has changed. Nobody needs to look at the status of a field without JSON rows. */
int32_t pdcfg_put(pdcfg_t *cfg, unsigned field, int64_t cell, const struct origin *from);
int32_t pdcfg_add_note(pdcfg_t *cfg, const struct note *note);
/* What somebody says about a field outside an argument vector holds instead of what was said there before: of the first few notes. */
void pdcfg_drop_notes(pdcfg_t *cfg, unsigned field, uint32_t few);
int32_t pdcfg_intern(pdcfg_t *cfg, const char *text, size_t len, int64_t *cell);
/* by field number; as the public setters by key */
int32_t pdcfg_set_whole(pdcfg_t *cfg, unsigned field, int64_t value);
int32_t pdcfg_set_real(pdcfg_t *cfg, unsigned field, double value);
int32_t pdcfg_set_string(pdcfg_t *cfg, unsigned field, const char *value);
int32_t pdcfg_set_items(pdcfg_t *cfg, unsigned field, const char *const *items, size_t count);
/* to becomes what from is; from is left with to's memory, good for pdcfg_free() only */
void pdcfg_swap(pdcfg_t *to, pdcfg_t *from);

/* ---- JSON, by asking the caller's reader (jsonfacts.c) ---- */
/* what the cells of the field's JSON rows become, in their order, when it holds this cell */
int32_t pdcfg_read_facts(pdcfg_t *cfg, unsigned field, int64_t cell, int64_t *facts);

/* ---- reading text into a field (values.c): as the option or the variable would ---- */
/* one value of an environment variable or fact; a bad text becomes a note and the default holds */
int32_t pdcfg_read_variable(pdcfg_t *cfg, unsigned field, const char *text, const struct origin *from);
/* one option with its value as if it stood on the command line; flags take "", "true" or "false" */
int32_t pdcfg_read_option(pdcfg_t *cfg, const struct option *o, const char *name, const char *text);

/* ---- the table (rows.c and generated/tables.inc) ---- */
enum row_kind { ROW_REFUSE, ROW_WARN, ROW_PARSE, ROW_ASSIGN, ROW_DECLARE, ROW_MATERIALIZE, ROW_LEAVE, ROW_LABEL };
enum value_kind { VALUE_CONST, VALUE_COPY, VALUE_CALC };
struct row { /* what the walk needs */
	uint32_t tokens;  /* where its condition begins in pdcfg_tokens[] */
	uint16_t cell;    /* that it writes; of a LEAVE the row of the label */
	uint8_t kind, value_kind;
	uint32_t value;   /* place in big_values[], cell, or number of the CALC */
};
/* texts are offsets: pdcfg_said() finds them */
struct edit {
	uint8_t op, joins; /* joins: applied together with the edit before */
	uint16_t field;
	uint32_t value;
};
struct text { /* what a report says of a row */
	uint16_t code, fix;  /* fix: its first edit in pdcfg_edits[] */
	uint16_t exception, same_as;
	uint32_t slug, message;
	uint32_t phase : 3, confidence : 2, severity : 2, quiet : 1, warns : 1, parse_class : 4, fixes : 4;
};
struct long_text { /* what explains it */
	uint32_t cond, summary, why, advice, upstream, bad, good, since, until;
};
extern const struct row pdcfg_rows[ROW_COUNT];
extern const struct text pdcfg_texts[ROW_COUNT];
extern const struct edit pdcfg_edits[];
const char *pdcfg_said(uint32_t offset);
const char *pdcfg_slug(unsigned row);
const char *pdcfg_message(unsigned row); /* its summary when it has none of its own */
extern const struct tok pdcfg_tokens[];
extern const int64_t pdcfg_big_values[];
unsigned pdcfg_row_of_code(uint32_t code); /* ROW_COUNT when there is none */
unsigned pdcfg_choice_of_code(uint32_t code); /* the option whose choices it guards, OPTION_COUNT when there is none */

/* ---- conditions (eval.c) ---- */
tri pdcfg_eval(const struct tok *t, const struct facts *k);
unsigned pdcfg_needs(const struct tok *t, const struct facts *k, uint16_t *cells, unsigned max);   /* the unknowns that keep it open */
unsigned pdcfg_reads(const struct tok *t, uint16_t *cells, unsigned max);                           /* all it looks at */
unsigned pdcfg_reasons(const struct tok *t, const struct facts *k, uint16_t *cells, unsigned max); /* those that make it true */
int64_t pdcfg_calc(unsigned calc, const struct facts *k);
unsigned pdcfg_calc_reads(unsigned calc, uint16_t *cells, unsigned max);

#endif
