/*
 * Finds for every row the cells without which it cannot act, and prints them as gates.inc. A gate is proved, not guessed: with its cells closed
 * and everything else unknown, the condition comes out false. Three-valued logic is monotone, so then no value of the others can make it true.
 *
 * A setting is closed at its default, not given. A fact that is unknown by default is closed otherwise: a flag at False, and a text at every text
 * that the row does not name (it stands for all of them: only comparing it with a constant says anything). So a row about one architecture is
 * looked at for that architecture only, or when the architecture is unknown.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../core/engine.h"

enum { MAX = 64, UNNAMED = -7 };
static uint16_t gate[ROW_COUNT][MAX];
static unsigned gates[ROW_COUNT], popular[CELL_COUNT];

static bool is_fact(unsigned cell) { return pdcfg_defaults[cell] == UNKNOWN; }
static unsigned type_of(unsigned cell) { return pdcfg_fields[pdcfg_field_of_cell(cell)].type; }
static bool can_close(unsigned cell) { return !is_fact(cell) || type_of(cell) == PDCFG_TYPE_BOOL || type_of(cell) == PDCFG_TYPE_TEXT; }

static bool closed(unsigned row, const uint16_t *cells, unsigned n)
{
	static int64_t v[CELL_COUNT];
	static uint64_t closing[BIT_WORDS(CELL_COUNT)];
	static const struct pool none;
	const struct facts k = { v, NULL, &none, closing };
	for (unsigned c = 0; c < CELL_COUNT; c++) v[c] = UNKNOWN;
	memset(closing, 0, sizeof closing);
	for (unsigned i = 0; i < n; i++) {
		unsigned c = cells[i];
		if (!is_fact(c)) v[c] = pdcfg_defaults[c];
		else if (type_of(c) == PDCFG_TYPE_BOOL) v[c] = 0;
		else if (type_of(c) == PDCFG_TYPE_TEXT) v[c] = UNNAMED;
		if (is_fact(c) && can_close(c)) bit_put(closing, c, type_of(c) == PDCFG_TYPE_TEXT);
	}
	return pdcfg_eval(pdcfg_tokens_of(row), &k) == TF;
}

/* cells that open rows write: they are hardly ever at their defaults, and make poor gates */
static bool restless[CELL_COUNT];

static void find_restless(void)
{
	for (unsigned r = 0; r < ROW_COUNT; r++) {
		unsigned f = pdcfg_rows[r].cell;
		bool writes = pdcfg_rows[r].kind == ROW_ASSIGN || pdcfg_rows[r].kind == ROW_DECLARE, open = !gates[r];
		for (unsigned i = 0; i < gates[r]; i++) open |= restless[gate[r][i]];
		if (writes && open) restless[f] = restless[pdcfg_fields[f].view] = true;
	}
}

/* settings first, then the architecture, then flags: what is most often closed */
static unsigned cost(unsigned cell)
{
	unsigned rank = restless[cell] ? 5 : !is_fact(cell) ? 0 : cell == F_model_arch ? 1 : type_of(cell) == PDCFG_TYPE_BOOL ? 2 : 4;
	return rank * 100000 + popular[cell];
}

static void smallest(unsigned row, uint16_t *cells, unsigned n)
{
	for (;;) {
		unsigned worst = n;
		uint16_t rest[MAX];
		for (unsigned j = 0; j < n; j++) {
			unsigned m = 0;
			for (unsigned i = 0; i < n; i++)
				if (i != j) rest[m++] = cells[i];
			if (closed(row, rest, m) && (worst == n || cost(cells[j]) > cost(cells[worst]))) worst = j;
		}
		if (worst == n) break;
		memmove(&cells[worst], &cells[worst + 1], (n - worst - 1) * sizeof *cells);
		n--;
	}
	memcpy(gate[row], cells, n * sizeof *cells);
	gates[row] = n;
}

static void find_gate(unsigned row)
{
	uint16_t cells[MAX], able[MAX];
	unsigned n = pdcfg_reads(pdcfg_tokens_of(row), cells, MAX), m = 0, best = MAX;
	if (pdcfg_rows[row].kind == ROW_PARSE || pdcfg_rows[row].kind == ROW_LABEL) {
		gates[row] = 1; /* never open: the gate of the field that does not exist */
		return;
	}
	for (unsigned i = 0; i < n; i++)
		if (can_close(cells[i])) able[m++] = cells[i];
	for (unsigned i = 0; i < m; i++)
		if (closed(row, &able[i], 1) && (best == MAX || cost(able[i]) < cost(able[best]))) best = i;
	if (best < MAX) {
		gate[row][0] = able[best];
		gates[row] = 1;
	} else if (n < MAX && closed(row, able, m)) smallest(row, able, m);
}

/* ---- output ---- */

struct text_gate {
	unsigned cell, row;
	int64_t value;
};
static struct text_gate text_gates[ROW_COUNT * 32];
static unsigned text_gate_count;

static int by_cell_and_value(const void *a, const void *b)
{
	const struct text_gate *x = a, *y = b;
	if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
	if (x->value != y->value) return x->value < y->value ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static bool is_text_gate(unsigned cell) { return cell && is_fact(cell) && type_of(cell) == PDCFG_TYPE_TEXT; }

static void name_text(unsigned row, unsigned cell, int64_t value)
{
	if (text_gate_count == sizeof text_gates / sizeof *text_gates) exit(2);
	text_gates[text_gate_count++] = (struct text_gate){ cell, row, value };
}

/* the texts that the row names for this cell */
static void name_texts(unsigned row, unsigned cell)
{
	for (const struct tok *t = pdcfg_tokens_of(row); t->op != OP_STOP; t++) {
		if (t->f != cell) continue;
		if (t->op == OP_EQ) name_text(row, cell, t->big ? pdcfg_big_values[t->k] : t->k);
		for (int64_t i = 0; t->op == OP_IN && i < pdcfg_big_values[t->k]; i++) name_text(row, cell, pdcfg_big_values[t->k + 1 + i]);
	}
}

static void print_text_gates(void)
{
	uint64_t seen[BIT_WORDS(CELL_COUNT)] = { 0 };
	unsigned cells = 0;
	for (unsigned r = 0; r < ROW_COUNT; r++)
		for (unsigned i = 0; i < gates[r]; i++)
			if (is_text_gate(gate[r][i])) name_texts(r, gate[r][i]);
	qsort(text_gates, text_gate_count, sizeof *text_gates, by_cell_and_value);
	puts("static const struct { uint16_t cell, row; int64_t value; } text_gates[] = { /* by cell, then value */");
	for (unsigned i = 0; i < text_gate_count; i++) {
		const struct text_gate *g = &text_gates[i];
		if (i && !by_cell_and_value(g, g - 1)) continue;
		if (g->value == NONE) printf("\t{ %u, %u, NONE },\n", g->cell, g->row);
		else printf("\t{ %u, %u, %lld },\n", g->cell, g->row, (long long)g->value);
		bit_put(seen, g->cell, true);
	}
	puts("\t{ 0, 0, 0 }\n};\nstatic const uint16_t text_gate_cells[] = {");
	for (unsigned c = 1; c < CELL_COUNT; c++)
		if (bit_get(seen, c)) {
			printf("\t%u,\n", c);
			cells++;
		}
	puts("\t0\n};\nstatic const uint16_t flag_gate_cells[] = {");
	for (unsigned c = 1; c < CELL_COUNT; c++) {
		bool used = false;
		for (unsigned r = 0; r < ROW_COUNT && !used; r++)
			for (unsigned i = 0; i < gates[r]; i++) used |= gate[r][i] == c && is_fact(c) && type_of(c) == PDCFG_TYPE_BOOL;
		if (used) printf("\t%u,\n", c);
	}
	puts("\t0\n};");
}

/* the term of the row that is false most often, as an offset from its first token: one of those that need no others, about a cell that is not
 * the gate by which the row was opened, and that is false where that cell is closed */
static unsigned guard_of(unsigned row)
{
	const struct tok *first = pdcfg_tokens_of(row), *best = first;
	unsigned depth = 0, lowest = UINT32_MAX;
	bool negated = false;
	for (const struct tok *t = first; t->op != OP_STOP; t++) {
		bool usable = !depth && !negated && (t->op == OP_ON || ((t->op == OP_EQ || t->op == OP_GT) && !t->big));
		bool is_gate = false;
		for (unsigned i = 0; i < gates[row]; i++) is_gate |= gate[row][i] == t->f;
		unsigned c = usable ? cost(t->f) + (is_gate && gates[row] == 1 ? 300000u : 0) : UINT32_MAX;
		if (usable && (t->op != OP_EQ || t->k != pdcfg_defaults[t->f]) && c < lowest) {
			lowest = c;
			best = t;
		}
		if (t->op == OP_ALL || t->op == OP_ANY) depth++;
		else if (t->op == OP_END) depth--;
		negated = t->op == OP_NOT || (negated && depth);
	}
	return best - first < 256 ? (unsigned)(best - first) : 0;
}

/* Rows on which a verdict can depend: certain errors, and what writes a cell that such a row reads, and so on backwards. The others only matter
 * to a report. */
static void find_judging(bool *judging)
{
	static bool read[CELL_COUNT];
	uint16_t cells[2 * MAX];
	for (bool more = true; more;) {
		more = false;
		for (unsigned r = 0; r < ROW_COUNT; r++) {
			const struct row *w = &pdcfg_rows[r];
			bool writes = w->kind == ROW_ASSIGN || w->kind == ROW_DECLARE;
			bool wanted = w->kind == ROW_LEAVE || w->kind == ROW_MATERIALIZE || (w->kind == ROW_REFUSE && pdcfg_is_certain(r));
			if (judging[r] || !(wanted || (writes && (read[w->cell] || read[pdcfg_fields[w->cell].view])))) continue;
			judging[r] = more = true;
			unsigned n = pdcfg_reads(pdcfg_tokens_of(r), cells, MAX);
			if (writes && w->value_kind == VALUE_COPY) cells[n++] = (uint16_t)w->value;
			if (writes && w->value_kind == VALUE_CALC) n += pdcfg_calc_reads(w->value, cells + n, MAX);
			for (unsigned i = 0; i < n; i++) read[cells[i]] = read[pdcfg_field_of_cell(cells[i])] = read[pdcfg_fields[pdcfg_field_of_cell(cells[i])].view] = true;
		}
	}
}

static void print_set(const char *name, const bool *in)
{
	printf("static const uint64_t %s[BIT_WORDS(ROW_COUNT)] = {\n", name);
	for (unsigned w = 0; w < BIT_WORDS(ROW_COUNT); w++) {
		uint64_t m = 0;
		for (unsigned b = 0; b < 64 && w * 64 + b < ROW_COUNT; b++) m |= (uint64_t)in[w * 64 + b] << b;
		printf("\tUINT64_C(0x%llx),\n", (unsigned long long)m);
	}
	puts("};");
}

/* errors whose only gate is a fact: while that is unknown they can be undecided, never true */
static void print_hanging(void)
{
	static bool hanging[ROW_COUNT];
	for (unsigned r = 0; r < ROW_COUNT; r++) hanging[r] = pdcfg_rows[r].kind == ROW_REFUSE && gates[r] == 1 && gate[r][0] && is_fact(gate[r][0]);
	print_set("hanging", hanging);
}

static void print_judging(void)
{
	static bool judging[ROW_COUNT];
	unsigned count = 0;
	find_judging(judging);
	for (unsigned r = 0; r < ROW_COUNT; r++) count += judging[r];
	print_set("judging", judging);
	fprintf(stderr, "gates: %u rows can decide a verdict\n", count);
}

static void print_guards(void)
{
	puts("static const uint8_t guards[ROW_COUNT] = {");
	for (unsigned r = 0; r < ROW_COUNT; r++) printf("\t%u,\n", guard_of(r));
	puts("};");
}

int main(void)
{
	uint16_t cells[MAX];
	unsigned total = 0, always = 0;
	for (unsigned r = 0; r < ROW_COUNT; r++)
		for (unsigned i = 0, n = pdcfg_reads(pdcfg_tokens_of(r), cells, MAX); i < n; i++) popular[cells[i]]++;
	for (unsigned pass = 0; pass < 4; pass++) { /* what is restless follows from the gates, and the other way round */
		for (unsigned r = 0; r < ROW_COUNT; r++) {
			gates[r] = 0;
			find_gate(r);
		}
		find_restless();
	}
	puts("/* generated by lib/gen/gates.c */\nstatic const uint16_t gate_start[CELL_COUNT + 1] = {");
	for (unsigned c = 0; c < CELL_COUNT; c++) {
		printf("\t%u,\n", total);
		for (unsigned r = 0; r < ROW_COUNT; r++)
			for (unsigned i = 0; i < gates[r]; i++) total += gate[r][i] == c && c;
	}
	printf("\t%u\n};\nstatic const uint16_t gate_rows[] = {\n", total);
	for (unsigned c = 1; c < CELL_COUNT; c++)
		for (unsigned r = 0; r < ROW_COUNT; r++)
			for (unsigned i = 0; i < gates[r]; i++)
				if (gate[r][i] == c) printf("\t%u,\n", r);
	puts("\t0\n};\nstatic const uint64_t always_open[BIT_WORDS(ROW_COUNT)] = {");
	for (unsigned w = 0; w < BIT_WORDS(ROW_COUNT); w++) {
		uint64_t m = 0;
		for (unsigned b = 0; b < 64 && w * 64 + b < ROW_COUNT; b++)
			if (!gates[w * 64 + b]) {
				m |= UINT64_C(1) << b;
				always++;
			}
		printf("\tUINT64_C(0x%llx),\n", (unsigned long long)m);
	}
	puts("};");
	print_text_gates();
	print_guards();
	print_judging();
	print_hanging();
	fprintf(stderr, "gates: %u rows, %u always open\n", (unsigned)ROW_COUNT, always);
	return 0;
}
