/*
 * The conditions of the table read as C expressions: a second reading of the same text, against which the interpreter of tokens is tested.
 * Only slower, and without the generator.
 */
#include <string.h>
#include "../../lib/core/derive.h"
#include "compiled.h"

static int64_t value(unsigned cell, const char *text)
{
	const struct field *f = &pdcfg_fields[pdcfg_field_of_cell(cell)];
	int64_t i = UNKNOWN;
	double d;
	switch (f->type) {
	case PDCFG_TYPE_BOOL:  return !strcmp(text, "True");
	case PDCFG_TYPE_INT:   return pdcfg_read_int(text, strlen(text), &i) ? i : UNKNOWN;
	case PDCFG_TYPE_FLOAT: return pdcfg_read_float(text, strlen(text), &d) ? real_cell(d) : UNKNOWN;
	default:               return pdcfg_word(text, strlen(text));
	}
}

static int64_t number(unsigned cell, int64_t n)
{
	return pdcfg_fields[pdcfg_field_of_cell(cell)].type == PDCFG_TYPE_FLOAT ? real_cell((double)n) : n;
}

static tri all(const tri *x, size_t n)
{
	tri r = TT;
	for (size_t i = 0; i < n; i++) r &= x[i];
	return r;
}

static tri any(const tri *x, size_t n)
{
	tri r = TF;
	for (size_t i = 0; i < n; i++) r |= x[i];
	return r;
}

static tri one_of(const struct facts *k, unsigned cell, const char *const *texts, size_t n)
{
	tri r = TF;
	for (size_t i = 0; i < n; i++) r |= tri_eq(k->v[cell], value(cell, texts[i]));
	return r;
}

static tri in_list(const struct facts *k, int64_t list, const char *item)
{
	if (list == UNKNOWN) return TU;
	for (size_t i = 0; i < pdcfg_list_len(k, list); i++)
		if (!strcmp(pdcfg_list_item(k, list, i), item)) return TT;
	return TF;
}

static tri two(int64_t x, int64_t y, bool more)
{
	if (x == UNKNOWN || y == UNKNOWN) return TU;
	return tri_of(more ? x > y && x != NONE && y != NONE : x == y);
}

static tri helped(const struct facts *k, bool (*help)(const struct facts *), const unsigned *reads, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (k->v[reads[i]] == UNKNOWN) return TU;
	return tri_of(help(k));
}

#define C(f) (k->v[F_##f])
#define ALL(...) all((const tri[]){ __VA_ARGS__ }, sizeof((const tri[]){ __VA_ARGS__ }) / sizeof(tri))
#define ANY(...) any((const tri[]){ __VA_ARGS__ }, sizeof((const tri[]){ __VA_ARGS__ }) / sizeof(tri))
#define NOT(x) tri_not(x)
#define ALWAYS TT
#define ON(f) tri_on(C(f))
#define IS(f, w) tri_eq(C(f), value(F_##f, w))
#define TEXT(f, w) IS(f, w)
#define ONE_OF(f, ...) one_of(k, F_##f, (const char *const[]){ __VA_ARGS__ }, sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))
#define EQ(f, n) tri_eq(C(f), number(F_##f, n))
#define GT(f, n) tri_gt(C(f), number(F_##f, n))
#define LT(f, n) tri_lt(C(f), number(F_##f, n))
#define GE(f, n) tri_gt(C(f), number(F_##f, n) - 1)
#define LE(f, n) tri_lt(C(f), number(F_##f, n) + 1)
#define ISNONE(f) tri_eq(C(f), NONE)
#define GIVEN(f) tri_of(bit_get(k->given, pdcfg_field_of_cell(F_##f)))
#define HAS(f, w) in_list(k, C(f), w)
#define SAME(f, g) two(C(f), C(g), false)
#define MORE(f, g) two(C(f), C(g), true)
#define HELP(h) ask_##h(k)

/* the fields of a helper, by name, from the generator's table: as that is not seen here, ask the interpreter for the reads alone */
#define HELPER(n, ...) \
	static tri ask_##n(const struct facts *k) \
	{ \
		static const char *const names[] = { COMPILED_NAMES(__VA_ARGS__) }; \
		unsigned reads[64], count = compiled_cells(names[0], reads, 64); \
		return helped(k, help_##n, reads, count); \
	}
#define COMPILED_NAMES(...) #__VA_ARGS__

static unsigned cell_called(const char *name, size_t n)
{
	bool view = n > 5 && !strncmp(name, "view_", 5);
	unsigned f = pdcfg_field_by_name(view ? name + 5 : name, view ? n - 5 : n);
	return view ? pdcfg_fields[f].view : f;
}

static unsigned compiled_cells(const char *names, unsigned *cells, unsigned max)
{
	unsigned n = 0;
	for (const char *p = names + strspn(names, ", \t\n"); *p && n < max; p += strspn(p, ", \t\n")) {
		size_t len = strcspn(p, ", \t\n");
		cells[n++] = cell_called(p, len);
		p += len;
	}
	return n;
}

#include "../../lib/core/norows.h"
#include "../../lib/core/steps.def"
#include "../../lib/core/rows_end.h"

#define WHEN(slug, cond) static tri when_##slug(const struct facts *k) { (void)k; return cond; }
#define REFUSE(code, slug, exc, phase, cond, ...) WHEN(slug, (cond))
#define WARN(code, slug, phase, cond, ...) WHEN(slug, (cond))
#define ASSIGN(code, slug, phase, f, value, cond, ...) WHEN(slug, (cond))
#define DECLARE(code, slug, phase, f, value, cond, ...) WHEN(slug, (cond))
#define LEAVE(code, slug, label, cond, ...) WHEN(slug, (cond))
#include "../../lib/core/norows.h"
#include "../../lib/core/steps.def"
#include "../../lib/core/rows_end.h"

#define REFUSE(code, slug, ...) when_##slug,
#define WARN(code, slug, ...) when_##slug,
#define ASSIGN(code, slug, ...) when_##slug,
#define DECLARE(code, slug, ...) when_##slug,
#define LEAVE(code, slug, ...) when_##slug,
#define PARSE(...) NULL,
#define MATERIALIZE(...) NULL,
#define LABEL(...) NULL,
#include "../../lib/core/norows.h"
static tri (*const whens[ROW_COUNT])(const struct facts *) = {
#include "../../lib/core/steps.def"
};
#include "../../lib/core/rows_end.h"

bool compiled_has(unsigned row) { return whens[row] != NULL; }
tri compiled_when(unsigned row, const struct facts *k) { return whens[row](k); }
