/* The walk. Cost follows the settings given: a row is looked at only when one of the fields that can make it true is in play. */
#include <string.h>
#include "engine.h"
#include "generated/gates.inc"

static void open_rows_of(struct run *r, unsigned cell)
{
	for (unsigned i = gate_start[cell]; i < gate_start[cell + 1]; i++) bit_put(r->open, gate_rows[i], true);
}

/* rows about a text: those that name the one we have, or all of them when we have none */
static void open_rows_about(struct run *r, unsigned cell)
{
	enum { COUNT = sizeof text_gates / sizeof *text_gates - 1 };
	int64_t have = r->v[cell];
	unsigned low = 0, high = COUNT;
	while (low < high) {
		unsigned mid = low + (high - low) / 2;
		bool before = text_gates[mid].cell < cell || (text_gates[mid].cell == cell && have != UNKNOWN && text_gates[mid].value < have);
		if (before) low = mid + 1; else high = mid;
	}
	for (; low < COUNT && text_gates[low].cell == cell && (have == UNKNOWN || text_gates[low].value == have); low++) {
		unsigned row = text_gates[low].row;
		bit_put(r->open, row, true);
		if (have == UNKNOWN && bit_get(hanging, row)) bit_put(r->moot, row, true);
	}
}

static void open_rows_of_flag(struct run *r, unsigned cell)
{
	for (unsigned i = gate_start[cell]; i < gate_start[cell + 1]; i++) {
		bit_put(r->open, gate_rows[i], true);
		if (r->v[cell] == UNKNOWN && bit_get(hanging, gate_rows[i])) bit_put(r->moot, gate_rows[i], true);
	}
}

static void open_rows_of_facts(struct run *r)
{
	for (const uint16_t *c = text_gate_cells; *c; c++) open_rows_about(r, *c);
	for (const uint16_t *c = flag_gate_cells; *c; c++)
		if (r->v[*c] != 0) open_rows_of_flag(r, *c);
}

static void start(const pdcfg_t *cfg, struct run *r, bool gated)
{
	r->cfg = cfg;
	r->k = (struct facts){ r->v, cfg->given, &cfg->pool };
	r->resume = 0;
	r->settled = false;
	memcpy(r->v, cfg->v, sizeof r->v);
	memset(r->by, 0, sizeof r->by);
	memset(r->declared, 0, sizeof r->declared);
	memset(r->lacks, 0, sizeof r->lacks);
	memset(r->written, 0, sizeof r->written);
	memset(r->moot, 0, sizeof r->moot);
	if (!gated) {
		memset(r->open, 0xff, sizeof r->open);
		return;
	}
	memcpy(r->open, always_open, sizeof r->open);
	for (unsigned w = 0; w < BIT_WORDS(CELL_COUNT); w++)
		for (uint64_t m = cfg->play[w]; m; m &= m - 1) {
			unsigned cell = w * 64 + (unsigned)__builtin_ctzll(m);
			if (pdcfg_defaults[cell] != UNKNOWN) open_rows_of(r, cell);
		}
	open_rows_of_facts(r);
}

enum { LACKS_SAID = 1, LACKS_MACHINE = 2 }; /* a setting or a trait of the model; a fact about the machine or the caller */

static unsigned cell_lacks(const struct run *r, unsigned cell)
{
	if (r->v[cell] != UNKNOWN) return 0;
	if (r->by[cell]) return r->lacks[cell];
	return pdcfg_fields[pdcfg_settable(pdcfg_field_of_cell(cell))].kind >= PDCFG_KIND_PLATFORM ? LACKS_MACHINE : LACKS_SAID;
}

static unsigned cells_lack(const struct run *r, const uint16_t *cells, unsigned n)
{
	unsigned lacks = 0;
	for (unsigned i = 0; i < n; i++) lacks |= cell_lacks(r, cells[i]);
	return lacks;
}

static unsigned row_lacks(const struct run *r, unsigned row)
{
	uint16_t cells[64];
	return cells_lack(r, cells, pdcfg_needs(pdcfg_tokens_of(row), &r->k, cells, 64));
}

/* what the facts lack behind an unknown that the row is about to write */
static unsigned value_lacks(const struct run *r, unsigned row)
{
	uint16_t cells[64];
	const struct row *w = &pdcfg_rows[row];
	if (w->value_kind == VALUE_COPY) return cell_lacks(r, w->value);
	return w->value_kind == VALUE_CALC ? cells_lack(r, cells, pdcfg_calc_reads(w->value, cells, 64)) : 0;
}

static int64_t value_of(const struct run *r, const struct row *w)
{
	switch (w->value_kind) {
	case VALUE_CONST: return pdcfg_big_values[w->value];
	case VALUE_COPY:  return r->v[w->value];
	default:          return pdcfg_calc(w->value, &r->k);
	}
}

/* under an unknown condition the cell is unknown, unless nothing would change */
static void write_cell(struct run *r, unsigned cell, int64_t value, tri sure, unsigned row)
{
	if (sure == TU) {
		if (r->v[cell] == value && value != UNKNOWN) return;
		value = UNKNOWN;
	}
	if (value == UNKNOWN && !r->settled) r->lacks[cell] = (uint8_t)((sure == TU ? row_lacks(r, row) : 0) | value_lacks(r, row) | cell_lacks(r, cell));
	bool still_unknown = value == UNKNOWN && r->v[cell] == UNKNOWN; /* then the first row that left it so is the reason */
	if (!still_unknown || !r->by[cell]) r->by[cell] = (uint16_t)(row + 1);
	r->v[cell] = value;
	bit_put(r->written, cell, true);
	if (value != pdcfg_defaults[cell]) open_rows_of(r, cell); /* rows already passed stay passed */
}

static void assign(struct run *r, unsigned row, unsigned field, int64_t value, tri t)
{
	unsigned view = pdcfg_fields[field].view;
	write_cell(r, field, value, t, row);
	if (view == field || r->declared[field] == TT) return; /* a declaration hides direct writes */
	write_cell(r, view, value, r->declared[field] == TU ? TU : t, row);
}

static void materialize(struct run *r, unsigned row)
{
	for (unsigned cell = FIELD_COUNT; cell < CELL_COUNT; cell++) {
		unsigned field = pdcfg_viewed[cell - FIELD_COUNT];
		if (!r->declared[field]) continue;
		r->v[field] = r->v[cell];
		r->lacks[field] = r->lacks[cell];
		r->by[field] = r->by[cell] ? r->by[cell] : (uint16_t)(row + 1);
		r->declared[field] = 0;
		bit_put(r->written, field, true);
		open_rows_of(r, field);
	}
}

static void act(struct run *r, unsigned row, tri t, int64_t value)
{
	const struct row *w = &pdcfg_rows[row];
	switch (w->kind) {
	case ROW_ASSIGN: assign(r, row, w->cell, value, t); break;
	case ROW_DECLARE:
		write_cell(r, pdcfg_fields[w->cell].view, value, t, row);
		r->declared[w->cell] |= (uint8_t)t;
		break;
	case ROW_MATERIALIZE: materialize(r, row); break;
	case ROW_LEAVE:
		if (t == TT) r->resume = w->cell;
		break;
	default: break;
	}
}

/* a quick look at the one term that most likely fails: most open rows end here */
static inline bool is_ruled_out(const struct run *r, unsigned row)
{
	const struct tok *t = pdcfg_tokens_of(row) + guards[row];
	int64_t x = r->v[t->f];
	switch (t->op) {
	case OP_ON: return x == 0 || x == NONE;
	case OP_EQ: return !t->big && x != t->k && x != UNKNOWN;
	case OP_GT: return !t->big && x <= t->k && x != UNKNOWN;
	default:    return false;
	}
}

void pdcfg_walk(const pdcfg_t *cfg, struct run *r, enum walk walk, pdcfg_row_fn told, void *ctx)
{
	start(cfg, r, walk != WALK_ALL);
	for (unsigned w = 0; w < BIT_WORDS(ROW_COUNT); w++) {
		const uint64_t allowed = walk == WALK_JUDGING ? judging[w] : ~UINT64_C(0);
		uint64_t todo = r->open[w] & allowed;
		while (todo) {
			unsigned b = (unsigned)__builtin_ctzll(todo), row = w * 64 + b;
			if (row >= ROW_COUNT) return;
			bool pointless = walk == WALK_JUDGING && r->settled && bit_get(r->moot, row);
			tri t = pointless || row < r->resume || is_ruled_out(r, row) ? TF : pdcfg_eval(pdcfg_tokens_of(row), &r->k);
			if (t != TF) {
				bool writes = pdcfg_rows[row].kind == ROW_ASSIGN || pdcfg_rows[row].kind == ROW_DECLARE;
				int64_t value = writes ? value_of(r, &pdcfg_rows[row]) : UNKNOWN;
				if (!told(ctx, r, row, t, value)) return;
				act(r, row, t, value);
			}
			todo = b == 63 ? 0 : r->open[w] & allowed & ~UINT64_C(0) << (b + 1); /* the row may have opened more */
		}
	}
}

struct search {
	const struct run *r;
	uint16_t *fields;
	unsigned n, max;
	uint64_t seen[BIT_WORDS(ROW_COUNT)];
};

static void search_cells(struct search *s, const uint16_t *cells, unsigned n, unsigned depth);

static void search_row(struct search *s, unsigned row, unsigned depth)
{
	uint16_t cells[64];
	const struct row *w = &pdcfg_rows[row];
	if (depth > 12 || bit_get(s->seen, row)) return;
	bit_put(s->seen, row, true);
	unsigned n = pdcfg_needs(pdcfg_tokens_of(row), &s->r->k, cells, 64);
	if (!n && depth) { /* decided by what later rows wrote: all that it read and nobody knows */
		unsigned m = pdcfg_reads(pdcfg_tokens_of(row), cells, 64);
		for (unsigned i = 0; i < m; i++)
			if (s->r->v[cells[i]] == UNKNOWN) cells[n++] = cells[i];
	}
	search_cells(s, cells, n, depth);
	if (w->kind != ROW_ASSIGN && w->kind != ROW_DECLARE) return;
	n = 0;
	if (w->value_kind == VALUE_COPY) cells[n++] = (uint16_t)w->value;
	else if (w->value_kind == VALUE_CALC) n = pdcfg_calc_reads(w->value, cells, 64);
	search_cells(s, cells, n, depth);
}

static void search_cells(struct search *s, const uint16_t *cells, unsigned n, unsigned depth)
{
	for (unsigned i = 0; i < n; i++) {
		unsigned cell = cells[i], field = pdcfg_field_of_cell(cell), j = 0;
		if (s->r->v[cell] != UNKNOWN) continue;
		if (s->r->by[cell]) {
			search_row(s, s->r->by[cell] - 1u, depth + 1);
			continue;
		}
		field = pdcfg_settable(field);
		while (j < s->n && s->fields[j] != field) j++;
		if (j == s->n && s->n < s->max) s->fields[s->n++] = (uint16_t)field;
	}
}

unsigned pdcfg_missing(const struct run *r, unsigned row, uint16_t *fields, unsigned max)
{
	struct search s = { .r = r, .fields = fields, .max = max };
	search_row(&s, row, 0);
	return s.n;
}

bool pdcfg_keeps_open(const struct run *r, unsigned row)
{
	uint16_t field;
	if (r->settled || pdcfg_rows[row].kind != ROW_REFUSE || !pdcfg_is_certain(row) || pdcfg_texts[row].phase > PDCFG_PHASE_LOAD) return false;
	return row_lacks(r, row) == LACKS_SAID && pdcfg_missing(r, row, &field, 1); /* a value that did not parse is missing, and nobody can give it */
}

bool pdcfg_overrides(const struct run *r, unsigned row, int64_t new_value)
{
	const struct row *w = &pdcfg_rows[row];
	if (w->kind != ROW_ASSIGN && w->kind != ROW_DECLARE) return false;
	unsigned cell = w->kind == ROW_DECLARE ? pdcfg_fields[w->cell].view : w->cell;
	int64_t given = r->cfg->v[w->cell];
	return bit_get(r->cfg->given, w->cell) && given != UNKNOWN && r->v[cell] == given && new_value != given && new_value != UNKNOWN &&
	       !pdcfg_texts[row].quiet;
}
