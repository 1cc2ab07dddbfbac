/* The walk and the interpreter against slower readings of the same table, on random configurations. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "../../lib/core/engine.h"
#include "compiled.h"
#include "suites.h"

enum { CONFIGURATIONS = 4000, SHORT = 80, INTERESTING = 24 };

static unsigned configurations(void) { return short_of_time() ? SHORT : CONFIGURATIONS; }

static uint64_t seed;
static unsigned roll(unsigned sides)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed >> 33) % sides;
}

/* for each cell the constants that some condition compares it with */
static int64_t interesting[CELL_COUNT][INTERESTING];
static unsigned interests[CELL_COUNT];

static void add_interest(unsigned cell, int64_t value)
{
	if (interests[cell] < INTERESTING) interesting[cell][interests[cell]++] = value;
	else interesting[cell][roll(INTERESTING)] = value;
}

static void find_interesting(void)
{
	memset(interests, 0, sizeof interests);
	seed = 99;
	for (unsigned r = 0; r < ROW_COUNT; r++)
		for (const struct tok *t = pdcfg_tokens_of(r); t->op != OP_STOP; t++) {
			if (t->op == OP_EQ || t->op == OP_GT || t->op == OP_LT) add_interest(t->f, t->big ? pdcfg_big_values[t->k] : t->k);
			for (int64_t i = 0; t->op == OP_IN && i < pdcfg_big_values[t->k]; i++) add_interest(t->f, pdcfg_big_values[t->k + 1 + i]);
		}
}

static int64_t random_value(unsigned cell)
{
	unsigned type = pdcfg_fields[pdcfg_field_of_cell(cell)].type;
	switch (roll(8)) {
	case 0: return UNKNOWN;
	case 1: return NONE;
	case 2: return type == PDCFG_TYPE_BOOL ? 1 : type == PDCFG_TYPE_INT ? roll(9) : type == PDCFG_TYPE_FLOAT ? real_cell(roll(5) / 4.0) : 0;
	case 3: return type == PDCFG_TYPE_INT && interests[cell] ? interesting[cell][roll(interests[cell])] + 1 : 0;
	default: break;
	}
	if (type == PDCFG_TYPE_BOOL) return roll(2);
	return interests[cell] ? interesting[cell][roll(interests[cell])] : pdcfg_defaults[cell];
}

static void random_config(pdcfg_t *cfg)
{
	static const struct origin from = { .index = -1, .kind = PDCFG_FROM_CALLER };
	pdcfg_reset(cfg);
	unsigned settings = 1 + roll(60);
	for (unsigned i = 0; i < settings; i++) {
		unsigned f = 1 + roll(FIELD_COUNT - 1);
		if (pdcfg_fields[f].kind == PDCFG_KIND_STATE) continue;
		pdcfg_put(cfg, f, random_value(f), &from);
	}
}

struct trace {
	unsigned n;
	struct { unsigned row; tri t; int64_t value; } steps[4 * ROW_COUNT];
};

static bool note_step(void *ctx, struct run *r, unsigned row, tri t, int64_t value)
{
	struct trace *trace = ctx;
	(void)r;
	if (trace->n == 4 * ROW_COUNT) return false;
	trace->steps[trace->n].row = row;
	trace->steps[trace->n].t = t;
	trace->steps[trace->n++].value = value;
	return true;
}

START_TEST(gates_change_nothing)
{
	static struct trace gated, open;
	static struct run a, b;
	pdcfg_t *cfg;
	ck_assert_int_eq(pdcfg_new(&cfg), 0);
	find_interesting();
	seed = 1;
	for (unsigned i = 0; i < configurations(); i++) {
		random_config(cfg);
		gated.n = open.n = 0;
		pdcfg_walk(cfg, &a, WALK_GATED, note_step, &gated);
		pdcfg_walk(cfg, &b, WALK_ALL, note_step, &open);
		for (unsigned s = 0; s < gated.n && s < open.n; s++)
			ck_assert_msg(gated.steps[s].row == open.steps[s].row && gated.steps[s].t == open.steps[s].t && gated.steps[s].value == open.steps[s].value,
				      "configuration %u, step %u: %s with gates, %s without", i, s, pdcfg_slug(gated.steps[s].row), pdcfg_slug(open.steps[s].row));
		ck_assert_uint_eq(gated.n, open.n);
		ck_assert_mem_eq(a.v, b.v, sizeof a.v);
	}
	pdcfg_free(cfg);
}
END_TEST

static bool compare_readings(void *ctx, struct run *r, unsigned row, tri t, int64_t value)
{
	unsigned *compared = ctx;
	(void)value;
	if (!compiled_has(row)) return true;
	tri other = compiled_when(row, &r->k);
	ck_assert_msg(other == t, "%s: %u as tokens, %u as C", pdcfg_slug(row), t, other);
	++*compared;
	return true;
}

START_TEST(tokens_say_what_the_text_says)
{
	static struct run r;
	unsigned compared = 0;
	pdcfg_t *cfg;
	ck_assert_int_eq(pdcfg_new(&cfg), 0);
	find_interesting();
	seed = 2;
	for (unsigned i = 0; i < configurations() / 8; i++) {
		random_config(cfg);
		pdcfg_walk(cfg, &r, WALK_ALL, compare_readings, &compared);
		for (unsigned row = 0; row < ROW_COUNT; row++) { /* the final state has more known, and more false */
			if (!compiled_has(row)) continue;
			tri t = pdcfg_eval(pdcfg_tokens_of(row), &r.k), other = compiled_when(row, &r.k);
			ck_assert_msg(other == t, "%s: %u as tokens, %u as C", pdcfg_slug(row), t, other);
		}
	}
	ck_assert_uint_gt(compared, 1000);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(truth_tables)
{
	static const tri v[] = { TF, TU, TT };
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_uint_eq(tri_not(v[i]), v[2 - i]);
		for (unsigned j = 0; j < 3; j++) {
			ck_assert_uint_eq(v[i] & v[j], v[i < j ? i : j]);
			ck_assert_uint_eq(v[i] | v[j], v[i > j ? i : j]);
		}
	}
	ck_assert_uint_eq(tri_on(NONE), TF);
	ck_assert_uint_eq(tri_on(UNKNOWN), TU);
	ck_assert_uint_eq(tri_lt(NONE, 5), TF);
	ck_assert_uint_eq(tri_gt(NONE, -5), TF);
	ck_assert_uint_eq(tri_lt(UNKNOWN, 5), TU);
	ck_assert_uint_eq(tri_eq(NONE, NONE), TT);
}
END_TEST

/* what is missing is a fact that nobody gave, never a variable of SGLang's own */
static bool check_missing(void *ctx, struct run *r, unsigned row, tri t, int64_t value)
{
	uint16_t fields[64];
	(void)ctx;
	(void)value;
	if (t != TU || pdcfg_rows[row].kind > ROW_WARN) return true;
	unsigned n = pdcfg_missing(r, row, fields, 64);
	for (unsigned i = 0; i < n; i++) {
		ck_assert_msg(pdcfg_fields[fields[i]].kind != PDCFG_KIND_STATE, "%s lacks %s", pdcfg_slug(row), pdcfg_str(pdcfg_fields[fields[i]].name));
		if (!pdcfg_fields[fields[i]].facts) /* of those nobody may know what the text holds */
			ck_assert_msg(r->cfg->v[fields[i]] == UNKNOWN, "%s lacks %s, which is known", pdcfg_slug(row), pdcfg_str(pdcfg_fields[fields[i]].name));
	}
	return true;
}

START_TEST(what_is_missing_is_a_fact)
{
	static struct run r;
	pdcfg_t *cfg;
	ck_assert_int_eq(pdcfg_new(&cfg), 0);
	find_interesting();
	seed = 3;
	for (unsigned i = 0; i < configurations(); i++) {
		random_config(cfg);
		pdcfg_walk(cfg, &r, WALK_GATED, check_missing, NULL);
	}
	pdcfg_free(cfg);
}
END_TEST

/* the verdict alone looks at fewer rows than a report does */
START_TEST(a_verdict_is_that_of_the_report)
{
	pdcfg_t *cfg;
	pdcfg_report *rep;
	unsigned said[3] = { 0 };
	ck_assert_int_eq(pdcfg_new(&cfg), 0);
	find_interesting();
	seed = 5;
	for (unsigned i = 0; i < configurations(); i++) {
		random_config(cfg);
		int32_t verdict = pdcfg_validate(cfg, NULL);
		ck_assert_int_eq(pdcfg_validate(cfg, &rep), verdict);
		ck_assert_int_ge(verdict, 0);
		said[verdict]++;
		pdcfg_report_free(rep);
	}
	ck_assert(said[PDCFG_REFUSED] && said[PDCFG_UNDETERMINED]);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(order_of_setting_does_not_matter)
{
	static struct run a, b;
	static struct trace ta, tb;
	pdcfg_t *one, *two;
	static const struct origin from = { .index = -1, .kind = PDCFG_FROM_CALLER };
	ck_assert_int_eq(pdcfg_new(&one), 0);
	ck_assert_int_eq(pdcfg_new(&two), 0);
	find_interesting();
	seed = 4;
	for (unsigned i = 0; i < configurations() / 8; i++) {
		random_config(one);
		pdcfg_reset(two);
		for (unsigned f = FIELD_COUNT - 1; f; f--)
			if (bit_get(one->given, f) && !pdcfg_fields[f].json) pdcfg_put(two, f, one->v[f], &from);
		for (unsigned f = FIRST_FACT; f < FIRST_FACT + FACT_COUNT; f++) /* a text that is set later would replace them */
			if (bit_get(one->given, f)) pdcfg_put(two, f, one->v[f], &from);
		ta.n = tb.n = 0;
		pdcfg_walk(one, &a, WALK_GATED, note_step, &ta);
		pdcfg_walk(two, &b, WALK_GATED, note_step, &tb);
		ck_assert_uint_eq(ta.n, tb.n);
		ck_assert_mem_eq(a.v, b.v, sizeof a.v);
	}
	pdcfg_free(one);
	pdcfg_free(two);
}
END_TEST

Suite *suite_engine(void)
{
	Suite *s = suite_create("engine");
	TCase *t = tcase_create("engine");
	tcase_set_timeout(t, 120);
	tcase_add_test(t, truth_tables);
	tcase_add_test(t, gates_change_nothing);
	tcase_add_test(t, tokens_say_what_the_text_says);
	tcase_add_test(t, what_is_missing_is_a_fact);
	tcase_add_test(t, a_verdict_is_that_of_the_report);
	tcase_add_test(t, order_of_setting_does_not_matter);
	suite_add_tcase(s, t);
	return s;
}
