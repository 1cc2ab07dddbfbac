/*
 * Truth with three values, and conditions as data.
 *
 * A truth value is two bits, (certain, possible): false 0, unknown 2, true 3. So ALL is `&` and ANY is `|`, without a branch.
 * A cell is an int64_t: a bool 0 or 1, a whole number, a float through real_cell(), or the number of an interned text or list,
 * of which 0 is the empty one. Two values are taken: UNKNOWN (a fact nobody gave) and NONE (Python's None).
 */
#ifndef PDCFG_COND_H
#define PDCFG_COND_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned tri;
enum { TF = 0, TU = 2, TT = 3 };
#define UNKNOWN INT64_MIN
#define NONE (INT64_MIN + 1)

struct pool;

/* what a condition is evaluated on */
struct facts {
	const int64_t *v;
	const uint64_t *given;
	const struct pool *pool;
#ifdef PDCFG_PROOF
	const uint64_t *closing; /* cells that stand for all values but those named: see lib/gen/gates.c */
#endif
};

enum op {
	OP_STOP, OP_TRUE, OP_ALL, OP_ANY, OP_END, OP_NOT,
	OP_ON, OP_EQ, OP_IN, OP_GT, OP_LT, OP_GIVEN, OP_HAS, OP_SAME, OP_MORE, OP_HELP
};

/* f is a cell (of OP_HELP: the helper), k a value, a cell, or the place of something in pdcfg_big_values[]: of a value that has no room in k,
 * or, of OP_IN, of the number of values that follow there */
struct tok {
	uint8_t op, big;
	uint16_t f;
	int32_t k;
};

static inline tri tri_of(bool b) { return b ? TT : TF; }
static inline tri tri_not(tri x) { return ~(x >> 1 | x << 1) & 3u; }

/* UNKNOWN is the smallest int64_t, hence never > a value and never == one */
static inline tri tri_eq(int64_t x, int64_t k) { return x == UNKNOWN ? TU : tri_of(x == k); }
static inline tri tri_on(int64_t x) { return x == UNKNOWN ? TU : tri_of(x != 0 && x != NONE); }
static inline tri tri_gt(int64_t x, int64_t k) { return x == UNKNOWN ? TU : tri_of(x > k && x != NONE); }
static inline tri tri_lt(int64_t x, int64_t k) { return x == UNKNOWN ? TU : tri_of(x < k && x != NONE); }

#endif
