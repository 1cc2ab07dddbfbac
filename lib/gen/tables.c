/*
 * Turns the .def files into what the library compiles: numbers of cells and words, conditions as tokens, and the public headers of keys
 * and setters. Everything that is wrong in a row is said here, by the row's name, and nothing is written then.
 * Usage: tables OUTPUT, where OUTPUT is cells, tables, keys, setters.h, setters or map.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include "../core/private.h"
#include "block.h"

enum { MAX_FIELDS = 2048, MAX_OPTIONS = 1024, MAX_ROWS = 8192, MAX_WORDS = 16384, MAX_TOKENS = 262144, MAX_BIG = 32768, MAX_HELPERS = 2048 };

static unsigned errors;
__attribute__((format(printf, 2, 3))) static void wrong(const char *where, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	fprintf(stderr, "%s: ", where);
	vfprintf(stderr, format, ap);
	fputc('\n', stderr);
	va_end(ap);
	errors++;
}

/* ---- fields and options ---- */

enum { FLAG = PDCFG_TYPE_BOOL, INT, FLOAT, TEXT, TEXTS, INTS, FLOATS };
struct gfield {
	unsigned key;
	const char *name, *variable;
	int kind, type, reading;
	const char *text;    /* default, as stringified */
	const char *assumed;
	int secret, family;
	unsigned option, options, view;
	int json;                       /* of a JSON row: what it holds */
	const char *source, *path;      /* the field with the text, and the path or function */
	unsigned first_fact, facts;     /* of the field with the text: its JSON rows */
};
struct goption {
	const char *field, *names;
	int action, nargs, reading;
	int required, code;
	const char *choices, *konst;
};
struct extra { int secret; const char *assumed; };

#define STORE ACT_STORE
#define STORE_TRUE ACT_STORE_TRUE
#define STORE_BOOL ACT_STORE_BOOL
#define STORE_LORA ACT_STORE_LORA
#define HELP_ ACT_HELP
#define OLD_STORE ACT_OLD_STORE
#define OLD_STORE_TRUE ACT_OLD_STORE_TRUE
#define OLD_STORE_CONST ACT_OLD_STORE_CONST
#define OLD_NOTHING ACT_OLD_NOTHING

#define ARG(k, n, t, d, ...) { .key = k, .name = #n, .kind = PDCFG_KIND_ARGUMENT, .type = t, .text = #d, .reading = READ_STR, __VA_ARGS__ },
#define OPTION(...)
#define ENV(k, n, var, t, r, d) { .key = k, .name = "env_" #n, .variable = var, .kind = PDCFG_KIND_ENVIRONMENT, .type = t, .text = #d, .reading = READ_##r },
#define TRAIT(k, n, t, ...) { .key = k, .name = "model_" #n, .kind = PDCFG_KIND_MODEL, .type = t, .text = "UNKNOWN", .reading = READ_STR, __VA_ARGS__ },
#define FACT(k, n, t) { .key = k, .name = "platform_" #n, .kind = PDCFG_KIND_PLATFORM, .type = t, .text = "UNKNOWN", .reading = READ_STR },
#define CALLER(k, n, t, d) { .key = k, .name = #n, .kind = PDCFG_KIND_CALLER, .type = t, .text = #d, .reading = READ_STR },
/* a KIND is a text */
enum { KIND = 16 };
#define JSON_ROW(k, n, t, d) .key = k, .name = #n, .kind = PDCFG_KIND_JSON, .type = (t) == KIND ? TEXT : (t), .text = "NONE", .reading = READ_STR, .source = #d
#define JSON(k, n, t, f, p) { JSON_ROW(k, n, t, f), .json = (t) == KIND ? JSON_KIND : JSON_VALUE, .path = p },
#define JSON_FACT(k, n, t, f, function) { JSON_ROW(k, n, t, f), .json = JSON_COMPUTED, .path = #function },
#define STATE(k, n, t, d) { .key = k, .name = #n, .kind = PDCFG_KIND_STATE, .type = t, .text = #d, .reading = READ_STR },
static struct gfield fields[MAX_FIELDS] = {
	{ .name = "none", .text = "NONE" },
#include "../core/fields.def"
#include "../core/norows.h"
#include "../core/steps.def"
#include "../core/rows_end.h"
};
#undef OPTION
#undef ARG
#undef ENV
#undef TRAIT
#undef FACT
#undef CALLER
#undef JSON
#undef JSON_FACT
#define ARG(...)
#define ENV(...)
#define TRAIT(...)
#define FACT(...)
#define CALLER(...)
#define JSON(...)
#define JSON_FACT(...)
#define HELP ACT_HELP
#define OPTION(f, n, a, many, r, ...) { .field = #f, .names = n, .action = a, .nargs = NARGS_##many, .reading = READ_##r, __VA_ARGS__ },
static struct goption options[MAX_OPTIONS] = {
#include "../core/fields.def"
};
#undef HELP
#undef JSON
#undef JSON_FACT

static unsigned field_count, option_count, cell_count;

static unsigned find_field(const char *name)
{
	for (unsigned i = 1; i < field_count; i++)
		if (!strcmp(fields[i].name, name)) return i;
	return 0;
}
static unsigned cell_named(const char *where, const char *name)
{
	bool view = !strncmp(name, "view_", 5);
	unsigned f = find_field(view ? name + 5 : name);
	if (!f) wrong(where, "there is no field %s", name);
	return f && view ? fields[f].view : f;
}
static unsigned field_of_cell(unsigned cell)
{
	if (cell < field_count) return cell;
	for (unsigned i = 1; i < field_count; i++)
		if (fields[i].view == cell) return i;
	return 0;
}

/* ---- words ---- */

static const char *words[MAX_WORDS];
static unsigned word_count;
static bool words_sorted;
static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static char *keep(const char *s, size_t n)
{
	char *t = malloc(n + 1);
	if (!t) exit(2);
	memcpy(t, s, n);
	t[n] = 0;
	return t;
}
static void note_word(const char *s)
{
	if (word_count == MAX_WORDS) { wrong(s, "too many words"); return; }
	words[word_count++] = s;
}
static void sort_words(void)
{
	unsigned n = 0;
	qsort(words, word_count, sizeof *words, by_text);
	for (unsigned i = 0; i < word_count; i++)
		if (!n || strcmp(words[n - 1], words[i])) words[n++] = words[i];
	word_count = n;
	words_sorted = true;
}
static int64_t word_cell(const char *s)
{
	const char **at = bsearch(&s, words, word_count, sizeof *words, by_text);
	return at ? at - words : UNKNOWN;
}

/* the value that a text stands for in a field of this type; before the words are sorted it only collects them */
static int64_t value_of(const char *where, int type, const char *text)
{
	int64_t i;
	double d;
	switch (type) {
	case FLAG:
		if (!strcmp(text, "True")) return 1;
		if (!strcmp(text, "False")) return 0;
		break;
	case INT:
		if (pdcfg_read_int(text, strlen(text), &i)) return i;
		break;
	case FLOAT:
		if (pdcfg_read_float(text, strlen(text), &d)) return real_cell(d);
		break;
	case TEXT:
		if (!words_sorted) { note_word(text); return 0; }
		return word_cell(text);
	default:
		if (!*text) return 0;
	}
	wrong(where, "%s is no value of its type", text);
	return UNKNOWN;
}
/* the default of a field, which was stringified: "text", NONE, EMPTY or UNKNOWN */
static const char *unquoted(const char *s) { return *s == '"' ? keep(s + 1, strlen(s) - 2) : s; }
static int64_t default_of(const struct gfield *f)
{
	if (!strcmp(f->text, "NONE")) return NONE;
	if (!strcmp(f->text, "UNKNOWN")) return UNKNOWN;
	if (!strcmp(f->text, "EMPTY")) return 0;
	return value_of(f->name, f->type, unquoted(f->text));
}
static const char *python_default(const struct gfield *f)
{
	if (!strcmp(f->text, "NONE")) return "None";
	if (!strcmp(f->text, "UNKNOWN")) return "?";
	if (!strcmp(f->text, "EMPTY")) return "[]";
	return unquoted(f->text);
}

/* ---- rows ---- */

enum { G_IS = 100, G_TEXT, G_ONE_OF, G_NONE, G_GE, G_LE };
struct gtok {
	int op;
	const char *f, *text;
	const char *const *list;
	long long k;
};
#define ALL(...) { OP_ALL, 0, 0, 0, 0 }, __VA_ARGS__, { OP_END, 0, 0, 0, 0 }
#define ANY(...) { OP_ANY, 0, 0, 0, 0 }, __VA_ARGS__, { OP_END, 0, 0, 0, 0 }
#define NOT(...) { OP_NOT, 0, 0, 0, 0 }, __VA_ARGS__
#define ALWAYS { OP_TRUE, 0, 0, 0, 0 }
#define ON(x) { OP_ON, #x, 0, 0, 0 }
#define IS(x, w) { G_IS, #x, w, 0, 0 }
#define TEXT(x, w) { G_TEXT, #x, w, 0, 0 }
#define ONE_OF(x, ...) { G_ONE_OF, #x, 0, (const char *const[]){ __VA_ARGS__, NULL }, 0 }
#define EQ(x, n) { OP_EQ, #x, 0, 0, n }
#define GT(x, n) { OP_GT, #x, 0, 0, n }
#define GE(x, n) { G_GE, #x, 0, 0, n }
#define LT(x, n) { OP_LT, #x, 0, 0, n }
#define LE(x, n) { G_LE, #x, 0, 0, n }
#define ISNONE(x) { G_NONE, #x, 0, 0, 0 }
#define GIVEN(x) { OP_GIVEN, #x, 0, 0, 0 }
#define HAS(x, w) { OP_HAS, #x, w, 0, 0 }
#define SAME(x, y) { OP_SAME, #x, #y, 0, 0 }
#define MORE(x, y) { OP_MORE, #x, #y, 0, 0 }
#define HELP(h) { OP_HELP, #h, 0, 0, 0 }

#define REFUSE(code, slug, exc, phase, cond, ...) static const struct gtok t_##slug[] = { cond, { OP_STOP, 0, 0, 0, 0 } };
#define WARN(code, slug, phase, cond, ...) static const struct gtok t_##slug[] = { cond, { OP_STOP, 0, 0, 0, 0 } };
#define ASSIGN(code, slug, phase, f, value, cond, ...) static const struct gtok t_##slug[] = { cond, { OP_STOP, 0, 0, 0, 0 } };
#define DECLARE(code, slug, phase, f, value, cond, ...) static const struct gtok t_##slug[] = { cond, { OP_STOP, 0, 0, 0, 0 } };
#define LEAVE(code, slug, label, cond, ...) static const struct gtok t_##slug[] = { cond, { OP_STOP, 0, 0, 0, 0 } };
#include "../core/norows.h"
#include "../core/steps.def"
#include "../core/rows_end.h"
static const struct gtok t_always[] = { ALWAYS, { OP_STOP, 0, 0, 0, 0 } };
static const struct gtok t_never[] = { ANY(NOT(ALWAYS), NOT(ALWAYS)), { OP_STOP, 0, 0, 0, 0 } };

enum { V_CONST, V_WORD, V_COPY, V_CALC };
struct grow {
	int kind, code, value_kind;
	const char *slug, *cell, *value, *label;
	const struct gtok *cond;
};
#define TRUE V_WORD, "True"
#define FALSE V_WORD, "False"
#define NUM(n) V_WORD, #n
#define WORD(w) V_WORD, w
#define NOTHING V_CONST, ""
#define COPY(f) V_COPY, #f
#define CALC(c) V_CALC, #c
#define VALUES_(vk, v) .value_kind = vk, .value = v
#define VALUES(...) VALUES_(__VA_ARGS__)

#define REFUSE(c, s, ...) { .kind = ROW_REFUSE, .code = c, .slug = #s, .cond = t_##s },
#define WARN(c, s, ...) { .kind = ROW_WARN, .code = c, .slug = #s, .cond = t_##s },
#define PARSE(c, s, ...) { .kind = ROW_PARSE, .code = c, .slug = #s, .cond = t_never },
#define ASSIGN(c, s, phase, f, v, ...) { .kind = ROW_ASSIGN, .code = c, .slug = #s, .cell = #f, VALUES(v), .cond = t_##s },
#define DECLARE(c, s, phase, f, v, ...) { .kind = ROW_DECLARE, .code = c, .slug = #s, .cell = #f, VALUES(v), .cond = t_##s },
#define MATERIALIZE(c, s, ...) { .kind = ROW_MATERIALIZE, .code = c, .slug = #s, .cond = t_always },
#define LEAVE(c, s, l, ...) { .kind = ROW_LEAVE, .code = c, .slug = #s, .label = #l, .cond = t_##s },
#define LABEL(l) { .kind = ROW_LABEL, .label = #l, .slug = "label_" #l, .cond = t_never },
#include "../core/norows.h"
static const struct grow rows[] = {
#include "../core/steps.def"
};
#include "../core/rows_end.h"
enum { ROWS = sizeof rows / sizeof *rows };

struct greads {
	const char *name;
	const char *const *reads;
};
#define NAMES_1(a) #a
#define HELPER(n, ...) { #n, NAMES(__VA_ARGS__) },
#define NAMES(...) (const char *const[]){ #__VA_ARGS__, NULL }
#include "../core/norows.h"
static const struct greads helpers[] = {
	{ NULL, NULL },
#include "../core/steps.def"
};
#include "../core/rows_end.h"
#define COMPUTE(n, ...) { #n, NAMES(__VA_ARGS__) },
#include "../core/norows.h"
static const struct greads calcs[] = {
	{ NULL, NULL },
#include "../core/steps.def"
};
#include "../core/rows_end.h"
enum { HELPERS = sizeof helpers / sizeof *helpers - 1, CALCS = sizeof calcs / sizeof *calcs - 1 };
#define KNOWN(...) __VA_ARGS__,
#include "../core/norows.h"
static const char *const known[] = {
	"", "None", "True", "False",
#include "../core/steps.def"
};
#include "../core/rows_end.h"
#define RETIRED(c, ...) c,
#include "../core/norows.h"
static const int retired[] = {
	0,
#include "../core/steps.def"
};
#include "../core/rows_end.h"

/* ---- tokens ---- */

struct token { int op, big; unsigned f; int64_t k; };
static struct token tokens[MAX_TOKENS];
static unsigned token_count;
static int64_t big[MAX_BIG];
static unsigned big_count;

static unsigned big_place(int64_t v)
{
	for (unsigned i = 0; i < big_count; i++)
		if (big[i] == v) return i;
	if (big_count == MAX_BIG) { wrong("big values", "too many"); return 0; }
	big[big_count] = v;
	return big_count++;
}
static void token(int op, unsigned f, int64_t k)
{
	if (token_count == MAX_TOKENS) { wrong("tokens", "too many"); return; }
	bool large = k > INT32_MAX || k < INT32_MIN;
	tokens[token_count++] = (struct token){ op, large, f, large ? (int64_t)big_place(k) : k };
}
static bool is_choice(const struct gfield *f, const char *text)
{
	bool any = false;
	for (unsigned i = 0; i < option_count; i++) {
		const char *c = options[i].choices;
		if (strcmp(options[i].field, f->name) || !c) continue;
		any = true;
		for (size_t n; *c; c += n + (c[n] == '|')) {
			n = strcspn(c, "|");
			if (n == strlen(text) && !strncmp(c, text, n)) return true;
		}
	}
	return !any || !strcmp(python_default(f), text);
}
static unsigned by_name(const char *where, const char *what, const struct greads *table, unsigned count, const char *name)
{
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(table[i + 1].name, name)) return i;
	wrong(where, "there is no %s %s", what, name);
	return 0;
}
static void compare(const char *where, const struct gtok *t, unsigned cell, const struct gfield *f)
{
	int64_t k = f->type == FLOAT ? real_cell((double)t->k) : t->k;
	if (f->type == TEXT || f->type > TEXT) wrong(where, "%s is no number", f->name);
	switch (t->op) {
	case OP_EQ: token(OP_EQ, cell, k); break;
	case OP_GT: token(OP_GT, cell, k); break;
	case OP_LT: token(OP_LT, cell, k); break;
	case G_GE:  token(OP_GT, cell, k - 1); break;
	default:    token(OP_LT, cell, k + 1); break;
	}
}
/* where the set stands that was just added from start on: sets that rows share stand once */
static unsigned set_place(unsigned start)
{
	unsigned n = big_count - start;
	for (unsigned i = 0; i + n <= start; i++) {
		if (memcmp(&big[i], &big[start], n * sizeof *big)) continue;
		big_count = start;
		return i;
	}
	return start;
}
static void one_of(const char *where, unsigned cell, int type, const char *const *texts)
{
	unsigned n = 0;
	while (texts[n]) n++;
	if (big_count + n + 1 > MAX_BIG) { wrong(where, "too many values"); return; }
	unsigned start = big_count;
	big[big_count++] = n;
	for (unsigned i = 0; i < n; i++) { /* in ascending order: they are searched */
		int64_t v = value_of(where, type, texts[i]);
		unsigned j = big_count++;
		for (; i && j > big_count - 1 - i && big[j - 1] > v; j--) big[j] = big[j - 1];
		big[j] = v;
	}
	unsigned place_of = set_place(start);
	if (token_count < MAX_TOKENS) tokens[token_count++] = (struct token){ OP_IN, 1, cell, place_of };
}
/* is the whole condition one ALL? Then its terms stand bare: a row's tokens are an ALL already, and the first false term ends it */
static bool is_one_all(const struct gtok *t)
{
	int depth = 0;
	if (t->op != OP_ALL) return false;
	do {
		if (t->op == OP_ALL || t->op == OP_ANY) depth++;
		else if (t->op == OP_END) depth--;
		t++;
	} while (depth);
	return t->op == OP_STOP;
}
static void translate(const char *where, const struct gtok *t)
{
	bool bare = is_one_all(t);
	unsigned depth = 0;
	if (bare) t++;
	for (; t->op != OP_STOP; t++) {
		unsigned cell = t->f && t->op != OP_HELP ? cell_named(where, t->f) : 0;
		const struct gfield *f = &fields[field_of_cell(cell)];
		switch (t->op) {
		case OP_END:
			if (!bare || t[1].op != OP_STOP) token(OP_END, 0, 0);
			if (depth) depth--;
			break;
		case OP_ALL: case OP_ANY:
			if (++depth > 16) wrong(where, "the condition nests too deep");
			token(t->op, 0, 0);
			break;
		case OP_TRUE: case OP_NOT: token(t->op, 0, 0); break;
		case OP_ON: case OP_GIVEN: token(t->op, t->op == OP_GIVEN ? field_of_cell(cell) : cell, 0); break;
		case G_IS:
			if (f->type == TEXT && cell && !is_choice(f, t->text)) wrong(where, "%s is no choice of %s (TEXT() compares with any text)", t->text, f->name);
			/* fall through */
		case G_TEXT: token(OP_EQ, cell, value_of(where, f->type, t->text)); break;
		case G_ONE_OF:
			one_of(where, cell, f->type, t->list);
			break;
		case OP_EQ: case OP_GT: case OP_LT: case G_GE: case G_LE: compare(where, t, cell, f); break;
		case G_NONE: token(OP_EQ, cell, NONE); break;
		case OP_HAS:
			if (f->type != TEXTS) wrong(where, "%s is no list of texts", f->name);
			token(OP_HAS, cell, value_of(where, PDCFG_TYPE_TEXT, t->text));
			break;
		case OP_SAME: case OP_MORE: token(t->op, cell, cell_named(where, t->text)); break;
		case OP_HELP: token(OP_HELP, by_name(where, "helper", helpers, HELPERS, t->f), 0); break;
		default: wrong(where, "token %d", t->op); break;
		}
	}
	token(OP_STOP, 0, 0);
}

/* ---- all of it ---- */

struct compiled { unsigned tokens, cell, value_kind, value; };
static struct compiled compiled[ROWS + 1];

/* the JSON rows of a field stand together, so that it only has to know the first */
static void collect_facts(void)
{
	for (unsigned i = 1; i < field_count; i++) {
		struct gfield *row = &fields[i], *f;
		if (!row->json) continue;
		f = &fields[find_field(row->source)];
		if (f == fields) wrong(row->name, "there is no field %s", row->source);
		else if (f->type != PDCFG_TYPE_TEXT || f->json) wrong(row->name, "%s is no text", row->source);
		else if (!f->facts) f->first_fact = i;
		else if (f->first_fact + f->facts != i) wrong(row->name, "the JSON rows of a field stand together");
		if (strlen(row->path) > 64) wrong(row->name, "its path is too long");
		f->facts++;
	}
}

static void collect_fields(void)
{
	while (field_count < MAX_FIELDS && fields[field_count].name) field_count++;
	while (option_count < MAX_OPTIONS && options[option_count].names) option_count++;
	cell_count = field_count;
	for (unsigned i = 0; i < field_count; i++) fields[i].view = i;
	for (unsigned r = 0; r < ROWS; r++) {
		if (rows[r].kind != ROW_DECLARE) continue;
		unsigned f = find_field(rows[r].cell);
		if (!f) { wrong(rows[r].slug, "there is no field %s", rows[r].cell); continue; }
		if (fields[f].view == f) fields[f].view = cell_count++;
	}
	for (unsigned i = 0; i < option_count; i++) {
		unsigned f = strcmp(options[i].field, "none") ? find_field(options[i].field) : 0;
		if (!f && strcmp(options[i].field, "none")) wrong(options[i].names, "there is no field %s", options[i].field);
		if (!fields[f].options++) { fields[f].option = i; if (f) fields[f].reading = options[i].reading; }
		else if (f && fields[f].option + fields[f].options - 1 != i) wrong(options[i].names, "the options of a field stand together");
	}
	collect_facts();
}
static void collect_words(void)
{
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++) note_word(known[i]);
	for (unsigned i = 0; i < option_count; i++) {
		const char *c = options[i].choices ? options[i].choices : "";
		for (size_t n; *c; c += n + (c[n] == '|')) {
			n = strcspn(c, "|");
			note_word(keep(c, n));
		}
		if (options[i].konst) note_word(options[i].konst);
	}
	for (unsigned i = 1; i < field_count; i++) {
		default_of(&fields[i]);
		if (fields[i].assumed) value_of(fields[i].name, fields[i].type, fields[i].assumed);
	}
}
static void compile_value(unsigned r)
{
	struct compiled *c = &compiled[r];
	const struct grow *g = &rows[r];
	c->cell = cell_named(g->slug, g->cell);
	switch (g->value_kind) {
	case V_CONST: c->value_kind = VALUE_CONST; c->value = big_place(NONE); break;
	case V_WORD:
		c->value_kind = VALUE_CONST;
		c->value = big_place(value_of(g->slug, fields[c->cell].type, g->value));
		break;
	case V_COPY: c->value_kind = VALUE_COPY; c->value = cell_named(g->slug, g->value); break;
	default:     c->value_kind = VALUE_CALC; c->value = by_name(g->slug, "COMPUTE", calcs, CALCS, g->value); break;
	}
}
static void compile_rows(void)
{
	token_count = big_count = 0;
	for (unsigned r = 0; r < ROWS; r++) {
		compiled[r].tokens = token_count;
		translate(rows[r].slug, rows[r].cond);
		if (rows[r].cell) compile_value(r);
		if (rows[r].kind != ROW_LEAVE) continue;
		for (unsigned q = r + 1; q < ROWS; q++)
			if (rows[q].kind == ROW_LABEL && !strcmp(rows[q].label, rows[r].label)) compiled[r].cell = q;
		if (!compiled[r].cell) wrong(rows[r].slug, "there is no LABEL(%s) after it", rows[r].label);
	}
}
static void check_numbers(void)
{
	static const char *codes[10000], *keys[10000];
	for (unsigned r = 0; r < ROWS; r++) {
		int c = rows[r].code;
		if (rows[r].kind == ROW_LABEL) continue;
		if (c < 1000 || c > 9999) wrong(rows[r].slug, "%d is no code of four digits", c);
		else if (codes[c]) wrong(rows[r].slug, "the code %d is that of %s", c, codes[c]);
		else codes[c] = rows[r].slug;
		for (unsigned q = 0; q < r; q++)
			if (!strcmp(rows[q].slug, rows[r].slug)) wrong(rows[r].slug, "there is another row of this name");
	}
	for (unsigned i = 0; i < option_count; i++) {
		int c = options[i].code;
		if (c && codes[c]) wrong(options[i].names, "the code %d is that of %s", c, codes[c]);
		if (c) codes[c] = options[i].names;
		if (!c != !options[i].choices) wrong(options[i].names, "choices and their code come together");
	}
	for (unsigned i = 1; i < sizeof retired / sizeof *retired; i++) {
		if (codes[retired[i]]) wrong(codes[retired[i]], "the code %d is retired", retired[i]);
		codes[retired[i]] = "a retired rule";
	}
	for (unsigned i = 1; i < field_count; i++) {
		if (keys[fields[i].key]) wrong(fields[i].name, "the key %u is that of %s", fields[i].key, keys[fields[i].key]);
		keys[fields[i].key] = fields[i].name;
	}
}

/* ---- output ---- */

struct option_name_out { const char *name; unsigned option; };
static struct option_name_out option_names[MAX_OPTIONS * 4];
static unsigned option_name_count;
static int by_option_name(const void *a, const void *b)
{
	return strcmp(((const struct option_name_out *)a)->name, ((const struct option_name_out *)b)->name);
}
static void collect_option_names(void)
{
	for (unsigned i = 0; i < option_count; i++) {
		const char *s = options[i].names;
		for (size_t n; *s; s += n + (s[n] == ' ')) {
			n = strcspn(s, " ");
			option_names[option_name_count++] = (struct option_name_out){ keep(s, n), i };
		}
	}
	qsort(option_names, option_name_count, sizeof *option_names, by_option_name);
}
static const char *cell_text(int64_t v)
{
	static char b[40];
	if (v == UNKNOWN) return "UNKNOWN";
	if (v == NONE) return "NONE";
	snprintf(b, sizeof b, "INT64_C(%lld)", (long long)v);
	return b;
}
static const char *shown_name(const struct gfield *f)
{
	static char b[256];
	switch (f->kind) {
	case PDCFG_KIND_ENVIRONMENT: snprintf(b, sizeof b, "env.%s", f->variable); break;
	case PDCFG_KIND_MODEL:       snprintf(b, sizeof b, "model.%s", f->name + 6); break;
	case PDCFG_KIND_PLATFORM:    snprintf(b, sizeof b, "platform.%s", f->name + 9); break;
	default:                     snprintf(b, sizeof b, "%s", f->name); break;
	}
	return b;
}
/* the first JSON row; all stand in one place */
static unsigned first_fact(void)
{
	unsigned first = 1;
	while (first < field_count && !fields[first].json) first++;
	return first;
}
static unsigned fact_count(void)
{
	unsigned count = 0;
	for (unsigned i = 0; i < field_count; i++) count += fields[i].json != 0;
	return count;
}
static unsigned most_facts(void)
{
	unsigned most = 0;
	for (unsigned i = 0; i < field_count; i++)
		if (fields[i].facts > most) most = fields[i].facts;
	return most;
}
static void print_cells(void)
{
	puts("/* generated by lib/gen/tables.c */\nenum {");
	printf("\tFIELD_COUNT = %u, CELL_COUNT = %u, OPTION_COUNT = %u, OPTION_NAME_COUNT = %u, ROW_COUNT = %u, WORD_COUNT = %u,\n\tMOST_FACTS = %u, FACT_COUNT = %u, FIRST_FACT = %u\n};\nenum {\n",
	       field_count, cell_count, option_count, option_name_count, (unsigned)ROWS, word_count, most_facts(), fact_count(), first_fact());
	for (unsigned i = 0; i < field_count; i++) printf("\tF_%s = %u,\n", fields[i].name, i);
	for (unsigned i = 1; i < field_count; i++)
		if (fields[i].kind == PDCFG_KIND_ARGUMENT || fields[i].kind == PDCFG_KIND_STATE) printf("\tF_view_%s = %u,\n", fields[i].name, fields[i].view);
	puts("};\nenum {");
	for (unsigned r = 0; r < ROWS; r++)
		if (rows[r].code) printf("\tCODE_%s = %d,\n", rows[r].slug, rows[r].code);
	puts("};");
}
/* ---- the texts of fields and options: offsets into one block ---- */

static struct block strings = { .type = "const struct strings", .name = "pdcfg_strings" };
static char *joined(const char *format, ...)
{
	char b[512];
	va_list ap;
	va_start(ap, format);
	vsnprintf(b, sizeof b, format, ap);
	va_end(ap);
	return keep(b, strlen(b));
}
static const char *rule_of(const struct goption *o) { return o->choices ? joined("choice-%.*s", (int)strcspn(o->names, " ") - 2, o->names + 2) : ""; }
static const char *path_of(const struct gfield *f) { return f->json && f->json != JSON_COMPUTED ? f->path : ""; }
static int longest_first(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	size_t n = strlen(x), m = strlen(y);
	return n != m ? n < m ? 1 : -1 : strcmp(x, y);
}
/* the longest first, so that what ends another is found there */
static void collect_strings(void)
{
	static const char *all[4 * MAX_FIELDS + 7 * MAX_OPTIONS + MAX_WORDS];
	unsigned n = 0;
	for (unsigned i = 1; i < field_count; i++) {
		all[n++] = joined("%s", shown_name(&fields[i]));
		all[n++] = fields[i].name;
		all[n++] = python_default(&fields[i]);
		all[n++] = path_of(&fields[i]);
	}
	for (unsigned i = 0; i < option_count; i++) {
		all[n++] = options[i].names;
		all[n++] = options[i].choices ? options[i].choices : "";
		all[n++] = rule_of(&options[i]);
	}
	for (unsigned i = 0; i < option_name_count; i++) all[n++] = option_names[i].name;
	for (unsigned i = 0; i < word_count; i++) all[n++] = words[i];
	at(&strings, "");
	qsort(all, n, sizeof *all, longest_first);
	for (unsigned i = 0; i < n; i++) at(&strings, all[i]);
	if (strings.size > UINT16_MAX) wrong("names", "%u bytes are more than offsets of 16 bits reach", strings.size);
}

static void print_fields(void)
{
	collect_strings();
	puts("const struct field pdcfg_fields[FIELD_COUNT] = {");
	for (unsigned i = 0; i < field_count; i++) {
		const struct gfield *f = &fields[i];
		printf("\t{ .name = %u, .ident = %u, .text = %u", at(&strings, i ? shown_name(f) : ""), at(&strings, i ? f->name : ""),
		       at(&strings, i ? python_default(f) : ""));
		printf(", .key = %u, .option = %u, .options = %u, .view = %u, .type = %d, .kind = %d, .reading = %d, .secret = %d", f->key,
		       f->option, i ? f->options : 0, f->view, f->type, f->kind, f->reading, f->secret);
		if (f->assumed) printf(", .assumes = 1, .family = %d, .assumed = %s", f->family, cell_text(value_of(f->name, f->type, f->assumed)));
		if (f->facts) printf(", .first_fact = %u, .facts = %u", f->first_fact, f->facts);
		if (f->json) printf(", .json = %d, .source = %u, .path = %u", f->json, find_field(f->source), at(&strings, path_of(f)));
		puts(" },");
	}
	puts("};\nconst int64_t pdcfg_defaults[CELL_COUNT] = {");
	for (unsigned c = 0; c < cell_count; c++) printf("\t%s,\n", c ? cell_text(default_of(&fields[field_of_cell(c)])) : "NONE");
	puts("};\nconst uint16_t pdcfg_by_key[FIELD_COUNT] = {");
	unsigned order[MAX_FIELDS], n = 0;
	for (unsigned i = 0; i < field_count; i++) {
		unsigned j = n++;
		for (; j && fields[order[j - 1]].key > fields[i].key; j--) order[j] = order[j - 1];
		order[j] = i;
	}
	for (unsigned i = 0; i < n; i++) printf("\t%u,\n", order[i]);
	puts("};\nconst uint16_t pdcfg_viewed[] = {");
	for (unsigned c = field_count; c < cell_count; c++) printf("\t%u,\n", field_of_cell(c));
	puts("\t0\n};\nconst struct option pdcfg_options[OPTION_COUNT] = {");
	for (unsigned i = 0; i < option_count; i++) {
		const struct goption *o = &options[i];
		printf("\t{ .field = %u, .code = %d, .action = %d, .nargs = %d, .reading = %d, .required = %d, .names = %u, .choices = %u, .konst = %u, .rule = %u },\n",
		       find_field(o->field), o->code, o->action, o->nargs, o->reading, o->required, at(&strings, o->names), at(&strings, o->choices),
		       at(&strings, o->konst), at(&strings, rule_of(o)));
	}
	puts("};\nconst struct option_name pdcfg_option_names[OPTION_NAME_COUNT] = {");
	for (unsigned i = 0; i < option_name_count; i++) printf("\t{ %u, %u },\n", at(&strings, option_names[i].name), option_names[i].option);
	puts("};\nstatic const uint16_t words[WORD_COUNT] = {");
	for (unsigned i = 0; i < word_count; i++) printf("\t%u,\n", at(&strings, words[i]));
	puts("};");
	print_block(&strings);
}
/* what each helper reads: all in one array, each ended by 0, and where each begins */
static void print_reads(const char *kind, const struct greads *table, unsigned count)
{
	static unsigned starts[MAX_HELPERS + 1];
	unsigned total = 0;
	printf("static const uint16_t %s_cells[] = {\n", kind);
	for (unsigned i = 0; i < count; i++) {
		char *s = keep(table[i + 1].reads[0], strlen(table[i + 1].reads[0]));
		unsigned n = 0;
		starts[i] = total;
		putchar('\t');
		for (char *w = strtok(s, ", \t\n"); w; w = strtok(NULL, ", \t\n"), n++) printf("%u, ", cell_named(table[i + 1].name, w));
		if (n > 62) wrong(table[i + 1].name, "reads too many fields");
		puts("0,");
		total += n + 1;
		free(s);
	}
	printf("\t0\n};\nstatic const uint16_t %s_starts[] = {\n", kind);
	for (unsigned i = 0; i < count; i++) printf("\t%u,\n", starts[i]);
	puts("\t0\n};");
	printf("static %s (*const %ss[])(const struct facts *) = {\n", *kind == 'h' ? "bool" : "int64_t", kind);
	for (unsigned i = 0; i < count; i++) printf("\t%s_%s,\n", *kind == 'h' ? "help" : "calc", table[i + 1].name);
	puts(count ? "};" : "\tNULL\n};");
}
static void print_rows(void)
{
	puts("const struct row pdcfg_rows[ROW_COUNT] = {");
	for (unsigned r = 0; r < ROWS; r++)
		printf("\t{ .kind = %d, .tokens = %u, .cell = %u, .value_kind = %u, .value = %u },\n", rows[r].kind, compiled[r].tokens,
		       compiled[r].cell, compiled[r].value_kind, compiled[r].value);
	puts("};\nconst struct tok pdcfg_tokens[] = {");
	for (unsigned i = 0; i < token_count; i++)
		printf("\t{ %d, %d, %u, %lld },\n", tokens[i].op, tokens[i].big, tokens[i].f, (long long)tokens[i].k);
	puts("};\nconst int64_t pdcfg_big_values[] = {");
	for (unsigned i = 0; i < big_count; i++) printf("\t%s,\n", cell_text(big[i]));
	puts("\t0\n};");
}
/* an option with choices is a rule too: a launch that it refuses, and one that it takes */
static void print_choices(void)
{
	struct block examples = { .type = "static const struct", .name = "choice_examples" };
	at(&examples, "");
	puts("#ifndef PDCFG_TERSE\nstatic const struct { uint16_t bad, good; } choice_offsets[OPTION_COUNT] = {");
	for (unsigned i = 0; i < option_count; i++) {
		const struct goption *o = &options[i];
		const char *first = keep(o->names, strcspn(o->names, " ")), *bad = "", *good = "";
		if (o->choices) {
			bad = o->reading == READ_INT ? joined("%s 987654", first) : joined("%s no-such-%s", first, first + 2);
			good = joined("%s %.*s", first, (int)strcspn(o->choices, "|"), o->choices);
		}
		printf("\t{ %u, %u },\n", at(&examples, bad), at(&examples, good));
	}
	if (examples.size > UINT16_MAX) wrong("examples", "%u bytes are more than offsets of 16 bits reach", examples.size);
	puts("};");
	print_block(&examples);
	puts("#endif");
}
/* the functions of JSON_FACT rows, by the cell's number less that of the first row */
static void print_facts(void)
{
	puts("static const fact_fn facts[] = {");
	for (unsigned i = first_fact(); i < field_count && fields[i].json; i++) {
		if (fields[i].json == JSON_COMPUTED) printf("\tfact_%s,\n", fields[i].path);
		else puts("\tNULL,");
	}
	puts("\tNULL\n};");
}
/* four parts of one file, each compiled where it belongs */
static void print_tables(void)
{
	puts("/* generated by lib/gen/tables.c */\n#ifdef TABLES_OF_FIELDS");
	print_fields();
	puts("#endif\n#ifdef TABLES_OF_ROWS");
	print_rows();
	print_choices();
	puts("#endif\n#ifdef TABLES_OF_HELPERS");
	print_reads("help", helpers, HELPERS);
	print_reads("calc", calcs, CALCS);
	puts("#endif\n#ifdef TABLES_OF_FACTS");
	print_facts();
	puts("#endif");
}
static char *upper(const char *s)
{
	char *t = keep(s, strlen(s));
	for (char *p = t; *p; p++) *p = (char)toupper((unsigned char)*p);
	return t;
}
static void print_keys(void)
{
	puts("/* Numbers of the fields and of the rules. Generated by lib/gen/tables.c from the .def files; a number never changes its meaning. */\n"
	     "#ifndef PDCFG_KEYS_H\n#define PDCFG_KEYS_H\n");
	for (unsigned i = 1; i < field_count; i++) printf("#define PDCFG_KEY_%s %u\n", upper(fields[i].name), fields[i].key);
	putchar('\n');
	for (unsigned r = 0; r < ROWS; r++)
		if (rows[r].code) printf("#define PDCFG_RULE_%s %d\n", upper(rows[r].slug), rows[r].code);
	for (unsigned i = 0; i < option_count; i++) {
		if (!options[i].code) continue;
		char *n = keep(options[i].names + 2, strcspn(options[i].names + 2, " "));
		for (char *p = n; *p; p++) *p = *p == '-' ? '_' : *p;
		printf("#define PDCFG_RULE_CHOICE_%s %d\n", upper(n), options[i].code);
	}
	puts("\n#endif");
}
static const char *const parameters[] = { "", "int32_t on", "int64_t value", "double value", "const char *value",
	"const char *const *items, size_t count", "const char *const *items, size_t count", "const char *const *items, size_t count" };
static bool has_setter(const struct gfield *f)
{
	return f->kind != PDCFG_KIND_STATE && f->kind != PDCFG_KIND_CALLER && f->kind != PDCFG_KIND_JSON;
}
static void print_setters_h(void)
{
	puts("/* The typed setters, one for each field. Generated by lib/gen/tables.c; included by pdcfg.h, which says what holds for all of them. */\n"
	     "#ifndef PDCFG_SETTERS_H\n#define PDCFG_SETTERS_H\n");
	for (unsigned i = 1; i < field_count; i++)
		if (has_setter(&fields[i])) printf("PDCFG_API int32_t pdcfg_set_%s(pdcfg_t *cfg, %s);\n", fields[i].name, parameters[fields[i].type]);
	puts("\n#endif");
}
static void print_setters(void)
{
	static const char *const macros[] = { "", "BOOL", "INT", "FLOAT", "TEXT", "LIST", "LIST", "LIST" };
	puts("/* generated by lib/gen/tables.c */");
	for (unsigned i = 1; i < field_count; i++)
		if (has_setter(&fields[i])) printf("SETTER_%s(%s)\n", macros[fields[i].type], fields[i].name);
}
static void print_map(void)
{
	char line[512];
	FILE *f = fopen("include/pdcfg/pdcfg.h", "r");
	if (!f) { wrong("include/pdcfg/pdcfg.h", "%s", strerror(errno)); return; }
	puts("/* The symbols of the shared library, one node per release; nodes of past releases are never changed. Generated by lib/gen/tables.c\n"
	     " * from include/pdcfg/pdcfg.h and the fields. */\nPDCFG_0.1 {\nglobal:");
	while (fgets(line, sizeof line, f)) {
		const char *p = strncmp(line, "PDCFG_API", 9) ? NULL : strstr(line, " pdcfg_");
		const char *star = strncmp(line, "PDCFG_API", 9) ? NULL : strstr(line, " *pdcfg_");
		if (star && (!p || star < p)) p = star + 1;
		for (const char *q = p; q; q = strstr(q + 1, " pdcfg_"))
			if (q[1 + strcspn(q + 1, " (,")] == '(') { p = q; break; }
		if (p) printf("\t%.*s;\n", (int)strcspn(p + 1, " (,"), p + 1);
	}
	fclose(f);
	for (unsigned i = 1; i < field_count; i++)
		if (has_setter(&fields[i])) printf("\tpdcfg_set_%s;\n", fields[i].name);
	puts("local:\n\t*;\n};");
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*print)(void); } outputs[] = {
		{ "cells", print_cells }, { "tables", print_tables }, { "keys", print_keys },
		{ "setters.h", print_setters_h }, { "setters", print_setters }, { "map", print_map } };
	collect_fields();
	collect_words();
	compile_rows();     /* once for its words, once for good */
	if (errors) return 1;
	sort_words();
	compile_rows();
	check_numbers();
	collect_option_names();
	for (unsigned i = 0; argc == 2 && !errors && i < sizeof outputs / sizeof *outputs; i++) {
		if (strcmp(argv[1], outputs[i].name)) continue;
		outputs[i].print();
		return errors || ferror(stdout) ? 1 : 0;
	}
	if (!errors) fprintf(stderr, "usage: tables cells|tables|keys|setters.h|setters|map\n");
	return 1;
}
