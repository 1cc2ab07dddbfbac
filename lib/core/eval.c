/* The interpreter of conditions, and what can be read off them: what they look at, what they lack, why they hold. */
#include <string.h>
#include "derive.h"

#define TABLES_OF_HELPERS
#include "generated/tables.inc"

#ifdef PDCFG_PROOF
static bool open_ended(const struct facts *k, unsigned cell) { return k->closing && bit_get(k->closing, cell); }
#else
static inline bool open_ended(const struct facts *k, unsigned cell)
{
	(void)k;
	(void)cell;
	return false;
}
#endif

static tri ask_helper(unsigned h, const struct facts *k)
{
	for (const uint16_t *f = help_cells + help_starts[h]; *f; f++)
		if (k->v[*f] == UNKNOWN || open_ended(k, *f)) return TU;
	return tri_of(helps[h](k));
}

static tri two(const struct tok *t, const struct facts *k)
{
	int64_t x = k->v[t->f], y = k->v[t->k];
	if (x == UNKNOWN || y == UNKNOWN || open_ended(k, t->f) || open_ended(k, (unsigned)t->k)) return TU;
	return tri_of(t->op == OP_SAME ? x == y : x > y && x != NONE && y != NONE);
}

static inline int64_t constant(const struct tok *t) { return t->big ? pdcfg_big_values[t->k] : t->k; }

/* set: how many values follow, in ascending order */
static tri one_of(int64_t x, const int64_t *set)
{
	size_t low = 0, high = (size_t)*set++;
	if (x == UNKNOWN) return TU;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (set[mid] < x) low = mid + 1; else high = mid;
	}
	return tri_of(set[low] == x && low < (size_t)set[-1]);
}

static inline tri atom(const struct tok *t, const struct facts *k)
{
	int64_t x = k->v[t->f];
	switch (t->op) {
	case OP_EQ:    return tri_eq(x, constant(t));
	case OP_ON:    return open_ended(k, t->f) ? TU : tri_on(x);
	case OP_IN:    return one_of(x, &pdcfg_big_values[t->k]);
	case OP_GT:    return tri_gt(x, constant(t));
	case OP_LT:    return tri_lt(x, constant(t));
	case OP_TRUE:  return TT;
	case OP_GIVEN: return k->given ? tri_of(bit_get(k->given, t->f)) : x == UNKNOWN || pdcfg_defaults[t->f] == UNKNOWN ? TU : TF; /* no bits: a proof */
	case OP_HAS:   return x == UNKNOWN ? TU : tri_of(pdcfg_list_has(k, x, pdcfg_str_of(k, t->k)));
	case OP_HELP:  return ask_helper(t->f, k);
	default:       return two(t, k);
	}
}

/* past the term that begins at t, with as many ALL and ANY open as depth says */
static const struct tok *skip(const struct tok *t, unsigned depth)
{
	do {
		while (t->op == OP_NOT) t++;
		if (t->op == OP_ALL || t->op == OP_ANY) depth++;
		else if (t->op == OP_END) depth--;
		t++;
	} while (depth);
	return t;
}

static tri group(const struct tok **at, const struct facts *k);

/* one term, and past it; most are atoms, bare or negated */
static inline tri term(const struct tok **at, const struct facts *k)
{
	const struct tok *t = *at;
	bool inverse = t->op == OP_NOT;
	if (inverse) t++;
	if (t->op < OP_ON && t->op != OP_TRUE) {
		*at = t;
		tri x = group(at, k);
		return inverse ? tri_not(x) : x;
	}
	*at = t + 1;
	return inverse ? tri_not(atom(t, k)) : atom(t, k);
}

/* an ALL or ANY, or a NOT of a NOT; the generator bounds how deep they nest */
static tri group(const struct tok **at, const struct facts *k)
{
	const struct tok *t = *at;
	if (t->op == OP_NOT) return term(at, k);
	bool any = t++->op == OP_ANY;
	tri x = any ? TF : TT;
	while (t->op != OP_END) {
		tri y = term(&t, k);
		x = any ? x | y : x & y;
		if (x != (any ? TT : TF)) continue;
		while (t->op != OP_END) t = skip(t, 0); /* decided */
	}
	*at = t + 1;
	return x;
}

tri pdcfg_eval(const struct tok *t, const struct facts *k)
{
	tri x = TT;
	while (x != TF && t->op != OP_STOP) x &= term(&t, k);
	return x;
}

static unsigned add(uint16_t *cells, unsigned n, unsigned max, unsigned cell)
{
	for (unsigned i = 0; i < n; i++)
		if (cells[i] == cell) return n;
	if (n < max) cells[n++] = (uint16_t)cell;
	return n;
}

/* the cells an atom looks at; only the unknown ones if k is given */
static unsigned add_atom(const struct tok *t, const struct facts *k, uint16_t *cells, unsigned n, unsigned max)
{
	const uint16_t own[] = { t->f, t->op == OP_SAME || t->op == OP_MORE ? (uint16_t)t->k : 0, 0 };
	const uint16_t *f = t->op == OP_HELP ? help_cells + help_starts[t->f] : t->op == OP_TRUE ? own + 2 : own;
	for (; *f; f++)
		if (!k || k->v[*f] == UNKNOWN) n = add(cells, n, max, *f);
	return n;
}

unsigned pdcfg_reads(const struct tok *t, uint16_t *cells, unsigned max)
{
	unsigned n = 0;
	for (; t->op != OP_STOP; t++)
		if (t->op >= OP_ON) n = add_atom(t, NULL, cells, n, max);
	return n;
}

struct gathering {
	const struct facts *k;
	uint16_t *cells;
	unsigned n, max;
	tri wanted; /* gather from the terms that came out like this */
};

/* Evaluates the term at *t, moves past it, and keeps what it gathered only if it came out as wanted. The depth of a row is bounded. */
static tri gather(const struct tok **t, struct gathering *g)
{
	unsigned before = g->n;
	if ((*t)->op == OP_NOT) {
		tri wanted = g->wanted, x;
		++*t;
		g->wanted = tri_not(wanted);
		x = tri_not(gather(t, g));
		g->wanted = wanted;
		return x;
	}
	if ((*t)->op != OP_ALL && (*t)->op != OP_ANY) {
		tri x = atom(*t, g->k);
		if (x == g->wanted) g->n = add_atom(*t, x == TU ? g->k : NULL, g->cells, g->n, g->max);
		++*t;
		return x;
	}
	bool any = (*t)->op == OP_ANY;
	tri x = any ? TF : TT;
	for (++*t; (*t)->op != OP_END;) {
		tri y = gather(t, g);
		x = any ? x | y : x & y;
	}
	++*t;
	if (x != g->wanted) g->n = before;
	return x;
}

/* a row's terms are an ALL without its bracket */
static unsigned gather_all(const struct tok *t, struct gathering *g)
{
	tri x = TT;
	while (t->op != OP_STOP) x &= gather(&t, g);
	return x == g->wanted ? g->n : 0;
}

unsigned pdcfg_needs(const struct tok *t, const struct facts *k, uint16_t *cells, unsigned max)
{
	struct gathering g = { k, cells, 0, max, TU };
	return gather_all(t, &g);
}

unsigned pdcfg_reasons(const struct tok *t, const struct facts *k, uint16_t *cells, unsigned max)
{
	struct gathering g = { k, cells, 0, max, TT };
	return gather_all(t, &g);
}

int64_t pdcfg_calc(unsigned calc, const struct facts *k)
{
	for (const uint16_t *f = calc_cells + calc_starts[calc]; *f; f++)
		if (k->v[*f] == UNKNOWN) return UNKNOWN;
	return calcs[calc](k);
}

unsigned pdcfg_calc_reads(unsigned calc, uint16_t *cells, unsigned max)
{
	unsigned n = 0;
	for (const uint16_t *f = calc_cells + calc_starts[calc]; *f; f++) n = add(cells, n, max, *f);
	return n;
}
