/*
 * Writing a report. What a finding shows is taken when its row fires, not from the final state. The walk writes into buffers on the stack, which
 * then go into one block; only a report too large for them is made by a second walk, which writes into the block itself.
 */
#include <string.h>
#include "engine.h"
#include "report.h"

struct sink {
	struct run *run;
	struct pdcfg_report head;
	bool open;      /* an undecided error row keeps the verdict open */
	bool earlier;   /* one was met before the first refusal */
	/* what does not fit is counted and not written */
	char *texts;
	struct finding *findings;
	struct skipped *skipped;
	struct resolved *resolved; /* FIELD_COUNT of them */
	size_t texts_room, findings_room, skipped_room, used;
};

static uint32_t put(struct sink *s, const void *data, size_t n)
{
	size_t at = s->used;
	if (n && at + n <= s->texts_room) memcpy(s->texts + at, data, n);
	s->used += n;
	return (uint32_t)at;
}

static void align(struct sink *s)
{
	static const char zeros[8];
	put(s, zeros, -s->used & 7);
}

static void put_str(struct sink *s, const char *text) { put(s, text, strlen(text)); }

/* length of the UTF-8 sequence at s that may be shown as it is; 0 for a control character or no UTF-8 */
static size_t shown(const char *s, size_t n)
{
	size_t len = pdcfg_utf8_length(s, n);
	uint32_t code = len ? pdcfg_utf8_code(s, len) : 0;
	if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return 0;
	if ((code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return 0;
	return len;
}

/* text with everything that could harm a terminal or a log written as \xNN; quote is 0, or the character that must not stand bare */
static void put_escaped(struct sink *s, const char *text, size_t n, char quote)
{
	static const char hex[] = "0123456789abcdef";
	for (size_t i = 0; i < n;) {
		size_t len = shown(text + i, n - i);
		if (len && quote && (text[i] == quote || text[i] == '\\')) put(s, "\\", 1);
		if (len) put(s, text + i, len);
		else if (text[i] == '\n') put_str(s, "\\n");
		else {
			const char code[] = { '\\', 'x', hex[(unsigned char)text[i] >> 4], hex[text[i] & 15] };
			put(s, code, sizeof code);
		}
		i += len ? len : 1;
	}
}

static void put_quoted(struct sink *s, const char *text, size_t n)
{
	char quote = memchr(text, '\'', n) && !memchr(text, '"', n) ? '"' : '\'';
	put(s, &quote, 1);
	put_escaped(s, text, n, quote);
	put(s, &quote, 1);
}

static void put_int(struct sink *s, int64_t value)
{
	char b[24];
	put(s, b, pdcfg_print_whole(value, b));
}

static void put_list(struct sink *s, const struct pool *pool, unsigned type, int64_t cell)
{
	size_t len, at = 0;
	const char *all = pdcfg_pool_text(pool, cell, &len);
	put_str(s, "[");
	for (; at < len; at += strlen(all + at) + 1) {
		if (at) put_str(s, ", ");
		if (type == PDCFG_TYPE_TEXTS) put_quoted(s, all + at, strlen(all + at));
		else put_escaped(s, all + at, strlen(all + at), 0);
	}
	put_str(s, "]");
}

enum manner { AS_STR, AS_REPR };

/* a value as Python prints it */
static void put_value(struct sink *s, unsigned cell, int64_t value, enum manner manner)
{
	const pdcfg_t *cfg = s->run->cfg;
	unsigned field = pdcfg_field_of_cell(cell);
	const struct field *f = &pdcfg_fields[field];
	char b[40];
	size_t len;
	const char *text;
	if (value == UNKNOWN) {
		text = pdcfg_pool_text(&cfg->pool, cfg->origin[field].said, &len);
		if (len && cfg->v[field] == UNKNOWN && !f->secret) put_escaped(s, text, len, 0);
		else put_str(s, "?");
	} else if (value == NONE) put_str(s, "None");
	else if (f->secret) put_str(s, "***");
	else switch (f->type) {
	case PDCFG_TYPE_BOOL:  put_str(s, value ? "True" : "False"); break;
	case PDCFG_TYPE_INT:   put_int(s, value); break;
	case PDCFG_TYPE_FLOAT: put(s, b, pdcfg_print_float(cell_real(value), b)); break;
	case PDCFG_TYPE_TEXT:
		text = pdcfg_pool_text(&cfg->pool, value, &len);
		if (manner == AS_REPR) put_quoted(s, text, len); else put_escaped(s, text, len, 0);
		break;
	default: put_list(s, &cfg->pool, f->type, value); break;
	}
}

/* the cell that a message calls by this name, 0 for none */
static unsigned cell_called(const char *name, size_t n)
{
	bool view = n > 5 && !memcmp(name, "view_", 5);
	if (view) { name += 5; n -= 5; }
	for (unsigned f = 1; f < FIELD_COUNT; f++) {
		const char *ident = pdcfg_str(pdcfg_fields[f].ident);
		if (!strncmp(ident, name, n) && !ident[n]) return view ? pdcfg_fields[f].view : f;
	}
	return 0;
}

static void put_enum_member(struct sink *s, const char *class, size_t n, int64_t value)
{
	size_t len;
	const char *text = pdcfg_pool_text(s->run->k.pool, value, &len);
	if (value == NONE) { put_str(s, "None"); return; }
	put(s, class, n);
	put_str(s, ".");
	for (size_t i = 0; i < len; i++) {
		char c = text[i] >= 'a' && text[i] <= 'z' ? (char)(text[i] - 'a' + 'A') : text[i];
		put_escaped(s, &c, 1, 0);
	}
}

static void put_choices(struct sink *s, const struct note *note)
{
	const char *c = note->option < OPTION_COUNT ? pdcfg_str(pdcfg_options[note->option].choices) : "";
	for (size_t n; *c; c += n + (c[n] == '|')) {
		n = strcspn(c, "|");
		put(s, c, n);
		if (c[n]) put_str(s, ", ");
	}
}

static bool put_from_note(struct sink *s, const struct note *note, const char *name, size_t n)
{
	static const char *const names[] = { "option", "token", "value", "nearest" };
	const struct pool *pool = &s->run->cfg->pool;
	if (n == 7 && !memcmp(name, "choices", 7)) {
		put_choices(s, note);
		return true;
	}
	const int64_t cells[] = { 0, note->token, note->value, note->nearest };
	for (unsigned i = 0; i < 4; i++) {
		size_t len = strlen(names[i]);
		if (len != n || memcmp(names[i], name, n)) continue;
		const char *text = i ? pdcfg_pool_text(pool, cells[i], &len) : pdcfg_option_first_name(note->option);
		put_escaped(s, text, i ? len : strlen(text), 0);
		return true;
	}
	return false;
}

/* what a message says of a cell: where SGLang's own steps made it unknown, what was given or the default, rather than nothing */
static int64_t told(const struct run *r, unsigned cell)
{
	return r->v[cell] == UNKNOWN && r->by[cell] ? r->cfg->v[cell] : r->v[cell];
}

/* fills in {field}, {field!r}, {field!Class}, and of a note {option}, {token}, {value}, {nearest} */
static void put_template(struct sink *s, const char *m, const struct note *note)
{
	while (*m) {
		size_t plain = strcspn(m, "{"), name, whole;
		put(s, m, plain);
		m += plain;
		if (!*m) break;
		name = strcspn(m + 1, "!}");
		whole = strcspn(m, "}");
		if (!m[whole]) break;
		const char *how = m[1 + name] == '!' ? m + 2 + name : "";
		bool noted = note && put_from_note(s, note, m + 1, name);
		unsigned cell = noted ? 0 : cell_called(m + 1, name);
		m += whole + 1;
		if (noted) continue;
		if (!cell) put(s, m - whole - 1, whole + 1);
		else if (*how && *how != 'r') put_enum_member(s, how, (size_t)(m - 1 - how), told(s->run, cell));
		else put_value(s, cell, told(s->run, cell), *how ? AS_REPR : AS_STR);
	}
}

static uint32_t end_str(struct sink *s, size_t from)
{
	put(s, "", 1);
	return (uint32_t)from;
}

static uint32_t put_value_text(struct sink *s, unsigned cell, int64_t value)
{
	size_t at = s->used;
	put_value(s, cell, value, AS_STR);
	return end_str(s, at);
}

static uint32_t put_pool_text(struct sink *s, int64_t cell)
{
	size_t at = s->used, len;
	const char *text = pdcfg_pool_text(&s->run->cfg->pool, cell, &len);
	put_escaped(s, text, len, 0);
	return end_str(s, at);
}

static uint8_t origin_kind(const struct run *r, unsigned cell)
{
	unsigned field = pdcfg_field_of_cell(cell);
	if (r->by[cell]) return PDCFG_FROM_RULE;
	field = pdcfg_settable(field);
	if (r->cfg->origin[field].kind) return r->cfg->origin[field].kind;
	return r->v[cell] == UNKNOWN ? PDCFG_FROM_NOTHING : PDCFG_FROM_DEFAULT;
}

static struct subject subject_of(struct sink *s, unsigned cell)
{
	struct run *r = s->run;
	unsigned field = pdcfg_field_of_cell(cell);
	const struct origin *o = &r->cfg->origin[field];
	struct subject x = { .key = pdcfg_fields[field].key, .index = -1, .kind = origin_kind(r, cell) };
	x.value = put_value_text(s, cell, r->v[cell]);
	if (x.kind == PDCFG_FROM_RULE) {
		x.by = pdcfg_texts[r->by[cell] - 1].code;
		x.origin_text = put_pool_text(s, 0);
		return x;
	}
	x.origin_text = put_pool_text(s, o->text);
	x.index = o->kind ? o->index : -1;
	x.line = o->line;
	x.column = o->column;
	return x;
}

enum { MANY = 64 };

static void put_subjects(struct sink *s, struct finding *f, const uint16_t *cells, unsigned n)
{
	struct subject all[MANY];
	uint16_t shown_cells[MANY];
	unsigned count = 0, shown_count = 0;
	for (unsigned i = 0; i < n; i++) { /* of what a JSON text holds, the text is shown, and once */
		unsigned cell = cells[i] < FIELD_COUNT ? pdcfg_settable(cells[i]) : cells[i], j = 0;
		while (j < shown_count && shown_cells[j] != cell) j++;
		if (j == shown_count) shown_cells[shown_count++] = (uint16_t)cell;
	}
	for (int given = 1; given >= 0; given--) /* what somebody wrote comes first */
		for (unsigned i = 0; i < shown_count; i++)
			if (bit_get(s->run->cfg->given, pdcfg_field_of_cell(shown_cells[i])) == given) all[count++] = subject_of(s, shown_cells[i]);
	align(s);
	f->subjects = put(s, all, count * sizeof *all);
	f->subject_count = (uint16_t)count;
}

static void put_edits(struct sink *s, struct finding *f, const struct text *t, const struct note *note)
{
	const struct edit *edit = &pdcfg_edits[t->fix];
	struct edit_out all[8];
	unsigned n = 0;
	for (; n < t->fixes && n < 8; n++) {
		size_t at = s->used;
		put_template(s, pdcfg_said(edit[n].value), note);
		all[n] = (struct edit_out){ pdcfg_fields[edit[n].field].key, end_str(s, at), edit[n].op, edit[n].joins };
	}
	align(s);
	f->edits = put(s, all, n * sizeof *all);
	f->edit_count = (uint16_t)n;
}

static void put_finding(struct sink *s, const struct finding *f)
{
	if (f->severity == PDCFG_ERROR) {
		if (s->head.first < 0) {
			s->head.first = s->head.count;
			s->head.maybe_earlier = s->earlier;
		}
		s->head.errors++;
	} else s->head.warnings++;
	if (s->head.count < s->findings_room) s->findings[s->head.count] = *f;
	s->head.count++;
}

/* counterfactual: the row behind a derived value without which the condition would not hold */
static uint16_t cause(struct run *r, unsigned row, const uint16_t *cells, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		unsigned cell = cells[i];
		int64_t now = r->v[cell];
		if (!r->by[cell]) continue;
		r->v[cell] = r->cfg->v[cell];
		tri t = pdcfg_eval(pdcfg_tokens_of(row), &r->k);
		r->v[cell] = now;
		if (t != TT) return pdcfg_texts[r->by[cell] - 1].code;
	}
	return 0;
}

static void finding_of_row(struct sink *s, unsigned row)
{
	uint16_t cells[MANY];
	const struct text *t = &pdcfg_texts[row];
	struct finding f = { .code = t->code, .index = -1, .option = OPTION_COUNT, .severity = PDCFG_WARNING };
	unsigned n = pdcfg_reasons(pdcfg_tokens_of(row), &s->run->k, cells, MANY);
	f.confidence = t->confidence;
	if (pdcfg_rows[row].kind == ROW_REFUSE && pdcfg_is_certain(row)) f.severity = PDCFG_ERROR;
	if (pdcfg_rows[row].kind >= ROW_ASSIGN && n < MANY) cells[n++] = pdcfg_rows[row].cell; /* what it overrides */
	f.message = (uint32_t)s->used;
	put_template(s, pdcfg_message(row), NULL);
	put(s, "", 1);
	put_subjects(s, &f, cells, n);
	put_edits(s, &f, t, NULL);
	f.caused_by = cause(s->run, row, cells, n);
	put_finding(s, &f);
}

/* a choice that is near can be put in its place */
static void put_nearest(struct sink *s, struct finding *f, const struct note *note)
{
	struct edit_out e = { pdcfg_fields[note->field].key, put_pool_text(s, note->nearest), PDCFG_EDIT_SET, 0 };
	align(s);
	f->edits = put(s, &e, sizeof e);
	f->edit_count = 1;
}

static void finding_of_note(struct sink *s, const struct note *note)
{
	unsigned choice = pdcfg_choice_of_code(note->code), row = pdcfg_row_of_code(note->code);
	if (row == ROW_COUNT) row = pdcfg_row_of_code(CODE_argparse_invalid_choice);
	const struct text *t = &pdcfg_texts[row];
	struct finding f = { .code = note->code, .index = note->index, .option = note->option, .confidence = PDCFG_CERTAIN,
		.parse_class = note->parse_class, .severity = note->warning ? PDCFG_WARNING : PDCFG_ERROR };
	const uint16_t cells[] = { note->field };
	f.message = (uint32_t)s->used;
	put_template(s, pdcfg_message(row), note);
	put(s, "", 1);
	f.token = put_pool_text(s, note->token);
	f.nearest = put_pool_text(s, note->nearest);
	put_subjects(s, &f, cells, note->field != 0);
	if (choice < OPTION_COUNT && note->nearest) put_nearest(s, &f, note);
	else put_edits(s, &f, t, note);
	put_finding(s, &f);
}

static void skip_row(struct sink *s, unsigned row)
{
	uint16_t fields[MANY];
	uint32_t keys[MANY];
	unsigned n = pdcfg_missing(s->run, row, fields, MANY);
	if (!n) return; /* only a value that did not parse is missing, and that has a finding */
	for (unsigned i = 0; i < n; i++) keys[i] = pdcfg_fields[fields[i]].key;
	align(s);
	struct skipped x = { put(s, keys, n * sizeof *keys), pdcfg_texts[row].code, (uint16_t)n };
	if (s->head.skipped_count < s->skipped_room) s->skipped[s->head.skipped_count] = x;
	s->head.skipped_count++;
	if (pdcfg_rows[row].kind == ROW_REFUSE && s->head.first < 0) s->earlier = true;
	if (pdcfg_keeps_open(s->run, row)) s->open = s->run->settled = true;
}

static bool write_row(void *ctx, struct run *r, unsigned row, tri t, int64_t new_value)
{
	struct sink *s = ctx;
	unsigned kind = pdcfg_rows[row].kind;
	bool says = kind == ROW_REFUSE || kind == ROW_WARN;
	if (says && t == TU) skip_row(s, row);
	else if (t == TT && (says || pdcfg_overrides(r, row, new_value))) finding_of_row(s, row);
	return true;
}

/* as if argparse knew what the caller set directly: SGLang's Python API takes any text here, its command line does not */
static void check_direct_choice(struct sink *s, unsigned field)
{
	const pdcfg_t *cfg = s->run->cfg;
	const struct option *x = &pdcfg_options[pdcfg_fields[field].option];
	size_t len, at, found;
	if (!pdcfg_fields[field].options || !x->choices || cfg->origin[field].kind != PDCFG_FROM_CALLER) return;
	if (cfg->v[field] == NONE || cfg->v[field] == UNKNOWN || pdcfg_fields[field].type != PDCFG_TYPE_TEXT) return;
	const char *text = pdcfg_pool_text(&cfg->pool, cfg->v[field], &len);
	const char *choices = pdcfg_str(x->choices);
	if (pdcfg_is_choice(choices, text, len)) return;
	struct note note = { .code = x->code, .option = pdcfg_fields[field].option, .field = (uint16_t)field, .warning = true, .index = -1,
		.parse_class = PDCFG_PARSE_INVALID_CHOICE, .value = cfg->v[field] };
	if (pdcfg_nearest_choice(choices, text, &at, &found)) note.nearest = pdcfg_word(choices + at, found);
	finding_of_note(s, &note);
}

static void check_direct_choices(struct sink *s)
{
	for (unsigned w = 0; w < BIT_WORDS(FIELD_COUNT); w++)
		for (uint64_t m = s->run->cfg->given[w]; m; m &= m - 1) {
			unsigned field = w * 64 + (unsigned)__builtin_ctzll(m);
			if (field < FIELD_COUNT) check_direct_choice(s, field);
		}
}

static void put_resolved_field(struct sink *s, unsigned f)
{
	struct run *r = s->run;
	bool overridden = bit_get(r->cfg->given, f) && r->cfg->v[f] != UNKNOWN && r->cfg->v[f] != r->v[f];
	struct resolved x = { .by = r->by[f] ? pdcfg_texts[r->by[f] - 1].code : 0, .kind = origin_kind(r, f) };
	if (r->v[f] != pdcfg_defaults[f] || r->v[f] == UNKNOWN) x.text = put_value_text(s, f, r->v[f]);
	if (overridden) x.given = put_value_text(s, f, r->cfg->v[f]);
	s->resolved[f] = x;
}

/* only what somebody gave or some row wrote; the rest is as it is by default, which the getters know */
static void put_resolved(struct sink *s)
{
	const struct run *r = s->run;
	for (unsigned w = 0; w < BIT_WORDS(FIELD_COUNT); w++)
		for (uint64_t m = r->cfg->play[w] | r->written[w]; m; m &= m - 1) {
			unsigned f = w * 64 + (unsigned)__builtin_ctzll(m);
			if (f < FIELD_COUNT) put_resolved_field(s, f);
		}
}

static void write_report(struct sink *s, const pdcfg_t *cfg)
{
	struct run *r = s->run;
	s->head = (struct pdcfg_report){ .first = -1 };
	s->open = s->earlier = false;
	s->used = 1; /* offset 0 stands for no text */
	memset(s->resolved, 0, FIELD_COUNT * sizeof *s->resolved);
	r->cfg = cfg;
	r->k = (struct facts){ .v = cfg->v, .given = cfg->given, .pool = &cfg->pool };
	memcpy(r->v, cfg->v, sizeof r->v);
	memset(r->by, 0, sizeof r->by);
	for (uint32_t i = 0; i < cfg->note_count; i++) finding_of_note(s, &cfg->notes[i]);
	check_direct_choices(s);
	pdcfg_walk(cfg, r, WALK_GATED, write_row, s);
	put_resolved(s);
	align(s);
}

/* where things lie in the block; returns its size */
static size_t lay_out(struct pdcfg_report *head, size_t texts)
{
	size_t at = sizeof *head;
	head->findings = (uint32_t)at;
	at += head->count * sizeof(struct finding);
	head->skipped = (uint32_t)at;
	at += head->skipped_count * sizeof(struct skipped);
	head->resolved = (uint32_t)at;
	at += FIELD_COUNT * sizeof(struct resolved);
	at = (at + 7) & ~(size_t)7;
	head->texts = (uint32_t)at;
	return at + texts;
}

static void point_into(struct sink *s, const struct pdcfg_report *head, char *block)
{
	s->findings = (struct finding *)(void *)(block + head->findings);
	s->skipped = (struct skipped *)(void *)(block + head->skipped);
	s->resolved = (struct resolved *)(void *)(block + head->resolved);
	s->texts = block + head->texts;
	s->findings_room = head->count;
	s->skipped_room = head->skipped_count;
	s->texts_room = head->size - head->texts;
}

static int32_t make_report(const pdcfg_t *cfg, struct run *r, pdcfg_report **out)
{
	enum { TEXTS = 24576, FINDINGS = 48, SKIPPED = 320 };
	struct finding findings[FINDINGS];
	struct skipped skipped[SKIPPED];
	struct resolved resolved[FIELD_COUNT];
	_Alignas(8) char texts[TEXTS];
	struct sink s = { .run = r, .texts = texts, .findings = findings, .skipped = skipped, .resolved = resolved,
		.texts_room = TEXTS, .findings_room = FINDINGS, .skipped_room = SKIPPED };
	write_report(&s, cfg);
	struct pdcfg_report head = s.head;
	head.mem = cfg->mem;
	head.size = lay_out(&head, s.used);
	head.verdict = head.errors ? PDCFG_REFUSED : s.open ? PDCFG_UNDETERMINED : PDCFG_ACCEPTED;
	if (head.size > UINT32_MAX) return PDCFG_E_LIMIT;
	bool fits = s.used <= TEXTS && head.count <= FINDINGS && head.skipped_count <= SKIPPED;
	char *block = pdcfg_mem_get(&cfg->mem, head.size);
	if (!block) return PDCFG_E_NOMEM;
	memcpy(block, &head, sizeof head);
	point_into(&s, &head, block);
	if (fits) {
		memcpy(s.findings, findings, head.count * sizeof *findings);
		memcpy(s.skipped, skipped, head.skipped_count * sizeof *skipped);
		memcpy(s.resolved, resolved, sizeof resolved);
		memcpy(s.texts, texts, s.used);
	} else write_report(&s, cfg);
	*out = (pdcfg_report *)(void *)block;
	return head.verdict;
}

static bool judge_row(void *ctx, struct run *r, unsigned row, tri t, int64_t new_value)
{
	int32_t *verdict = ctx;
	(void)new_value;
	if (pdcfg_rows[row].kind != ROW_REFUSE || !pdcfg_is_certain(row)) return true;
	if (t == TT) *verdict = PDCFG_REFUSED;
	else if (pdcfg_keeps_open(r, row)) {
		*verdict = PDCFG_UNDETERMINED;
		r->settled = true;
	}
	return *verdict != PDCFG_REFUSED;
}

int32_t pdcfg_validate(const pdcfg_t *cfg, pdcfg_report **out)
{
	struct run r;
	int32_t verdict = PDCFG_ACCEPTED;
	if (out) *out = NULL;
	if (!cfg) return PDCFG_E_INVALID;
	if (out) return make_report(cfg, &r, out);
	for (uint32_t i = 0; i < cfg->note_count; i++)
		if (!cfg->notes[i].warning) return PDCFG_REFUSED;
	pdcfg_walk(cfg, &r, WALK_JUDGING, judge_row, &verdict);
	return verdict;
}

void pdcfg_report_free(pdcfg_report *rep)
{
	if (!rep) return;
	const struct memory mem = rep->mem;
	pdcfg_mem_put(&mem, rep, rep->size);
}
