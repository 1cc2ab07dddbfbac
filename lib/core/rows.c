/* The table's texts, by number and name: what a person reads of a rule. */
#include <string.h>
#include "private.h"

#define TABLES_OF_ROWS
#include "generated/tables.inc"

#include "generated/texts.inc"

const char *pdcfg_said(uint32_t offset) { return (const char *)&said + offset; }
const char *pdcfg_slug(unsigned row) { return pdcfg_said(pdcfg_texts[row].slug); }

struct tombstone {
	uint16_t code;
	const char *slug, *since, *until, *why;
};
#define RETIRED(c, s, since, until, why) { c, #s, since, until, why },
#include "norows.h"
static const struct tombstone tombstones[] = {
#include "steps.def"
	{ 0, "", "", "", "" }
};
#include "rows_end.h"

unsigned pdcfg_row_of_code(uint32_t code)
{
	unsigned r = 0;
	while (r < ROW_COUNT && (!code || pdcfg_texts[r].code != code)) r++;
	return r;
}

unsigned pdcfg_choice_of_code(uint32_t code)
{
	unsigned o = 0;
	while (o < OPTION_COUNT && (!code || pdcfg_options[o].code != code)) o++;
	return o;
}

static const struct tombstone *tombstone_of(uint32_t code)
{
	const struct tombstone *t = tombstones;
	while (t->code && t->code != code) t++;
	return t;
}

/* the row that speaks for every option with choices */
static unsigned choices_row(void) { return pdcfg_row_of_code(CODE_argparse_invalid_choice); }

/* rows first, then choices, then tombstones; labels have no code */
uint32_t pdcfg_code_next(uint32_t after)
{
	unsigned r = pdcfg_row_of_code(after), o = pdcfg_choice_of_code(after);
	const struct tombstone *t = tombstone_of(after);
	if (after && r == ROW_COUNT && o == OPTION_COUNT && !t->code) return 0;
	if (!after || r < ROW_COUNT) {
		for (r = after ? r + 1 : 0; r < ROW_COUNT; r++)
			if (pdcfg_texts[r].code) return pdcfg_texts[r].code;
		o = OPTION_COUNT;
	}
	if (!t->code || t->code != after) {
		for (o = o < OPTION_COUNT ? o + 1 : 0; o < OPTION_COUNT; o++)
			if (pdcfg_options[o].code) return pdcfg_options[o].code;
		return tombstones[0].code;
	}
	return t[1].code;
}

static bool is_choice_name(const char *rule, const struct option *o)
{
	return o->code && !strcmp(rule, pdcfg_str(o->rule));
}

static uint32_t code_of_digits(const char *s)
{
	int64_t code;
	if ((s[0] == 'P' || s[0] == 'p') && (s[1] == 'D' || s[1] == 'd')) s += 2;
	if (strlen(s) != 4 || !pdcfg_read_int(s, 4, &code) || code < 1000) return 0;
	bool known = pdcfg_row_of_code((uint32_t)code) < ROW_COUNT || pdcfg_choice_of_code((uint32_t)code) < OPTION_COUNT;
	return known || tombstone_of((uint32_t)code)->code ? (uint32_t)code : 0;
}

uint32_t pdcfg_code_by_rule(const char *rule)
{
	if (!rule) return 0;
	for (unsigned r = 0; r < ROW_COUNT; r++)
		if (pdcfg_texts[r].code && !strcmp(pdcfg_slug(r), rule)) return pdcfg_texts[r].code;
	for (unsigned r = 0; r < ROW_COUNT; r++)
		if (pdcfg_texts[r].same_as && !strcmp(pdcfg_said(pdcfg_texts[r].same_as), rule)) return pdcfg_texts[r].code;
	for (unsigned o = 0; o < OPTION_COUNT; o++)
		if (is_choice_name(rule, &pdcfg_options[o])) return pdcfg_options[o].code;
	for (const struct tombstone *t = tombstones; t->code; t++)
		if (!strcmp(t->slug, rule)) return t->code;
	return code_of_digits(rule);
}

static const char *kind_name(unsigned row)
{
	static const char *const names[] = { "refuse", "warn", "parse", "assign", "declare", "materialize", "leave", "label" };
	return names[pdcfg_rows[row].kind];
}

static const char *explanation(unsigned r, uint32_t which)
{
#ifdef PDCFG_TERSE
	(void)r;
	(void)which;
	return "";
#else
	const struct long_text *t = &long_texts[r];
	const uint32_t offsets[] = { [PDCFG_TEXT_SUMMARY] = t->summary, [PDCFG_TEXT_WHY] = t->why, [PDCFG_TEXT_CONDITION] = t->cond,
		[PDCFG_TEXT_UPSTREAM] = t->upstream, [PDCFG_TEXT_BAD] = t->bad, [PDCFG_TEXT_GOOD] = t->good, [PDCFG_TEXT_FIX] = t->advice };
	return which < sizeof offsets / sizeof *offsets ? (const char *)&explained + offsets[which] : "";
#endif
}

const char *pdcfg_message(unsigned row)
{
	return pdcfg_texts[row].message ? pdcfg_said(pdcfg_texts[row].message) : explanation(row, PDCFG_TEXT_SUMMARY);
}

static const char *text_of_row(unsigned r, uint32_t which)
{
	const struct text *t = &pdcfg_texts[r];
	switch (which) {
	case PDCFG_TEXT_RULE:      return pdcfg_slug(r);
	case PDCFG_TEXT_MESSAGE:   return pdcfg_message(r);
	case PDCFG_TEXT_EXCEPTION: return pdcfg_said(t->exception);
	case PDCFG_TEXT_KIND:      return kind_name(r);
	case PDCFG_TEXT_SAME_AS:   return pdcfg_said(t->same_as);
	default:                   return explanation(r, which);
	}
}

static const char *example_of_choice(unsigned o, bool bad)
{
#ifdef PDCFG_TERSE
	(void)o;
	(void)bad;
	return "";
#else
	return (const char *)&choice_examples + (bad ? choice_offsets[o].bad : choice_offsets[o].good);
#endif
}

/* every option with choices has a rule of its own, with a name and examples of its own and the texts of one row */
static const char *text_of_choice(unsigned o, uint32_t which)
{
	switch (which) {
	case PDCFG_TEXT_RULE: return pdcfg_str(pdcfg_options[o].rule);
	case PDCFG_TEXT_BAD:  return example_of_choice(o, true);
	case PDCFG_TEXT_GOOD: return example_of_choice(o, false);
	case PDCFG_TEXT_KIND: return "choice";
	default:              return text_of_row(choices_row(), which);
	}
}

const char *pdcfg_rule_text(uint32_t code, uint32_t which)
{
	unsigned r = pdcfg_row_of_code(code), o = pdcfg_choice_of_code(code);
	if (r < ROW_COUNT) return text_of_row(r, which);
	if (o < OPTION_COUNT) return text_of_choice(o, which);
	const struct tombstone *t = tombstone_of(code);
	if (!t->code) return "";
	return which == PDCFG_TEXT_RULE ? t->slug : which == PDCFG_TEXT_WHY ? t->why : which == PDCFG_TEXT_KIND ? "retired" : "";
}

static unsigned speaking_row(uint32_t code)
{
	return pdcfg_choice_of_code(code) < OPTION_COUNT ? choices_row() : pdcfg_row_of_code(code);
}

uint32_t pdcfg_rule_severity(uint32_t code)
{
	unsigned r = speaking_row(code);
	if (r == ROW_COUNT) return 0;
	return pdcfg_texts[r].warns ? PDCFG_WARNING : pdcfg_texts[r].severity;
}

uint32_t pdcfg_rule_phase(uint32_t code)
{
	unsigned r = speaking_row(code);
	return r < ROW_COUNT ? pdcfg_texts[r].phase : 0;
}

uint32_t pdcfg_rule_confidence(uint32_t code)
{
	unsigned r = speaking_row(code);
	return r == ROW_COUNT ? 0 : pdcfg_texts[r].confidence;
}

static unsigned fields_read(uint32_t code, uint16_t *fields, unsigned max)
{
	uint16_t cells[64];
	unsigned r = pdcfg_row_of_code(code), n = 0, o = pdcfg_choice_of_code(code);
	if (o < OPTION_COUNT) {
		fields[0] = pdcfg_options[o].field;
		return 1;
	}
	if (r == ROW_COUNT || pdcfg_rows[r].kind == ROW_PARSE) return 0;
	unsigned read = pdcfg_reads(&pdcfg_tokens[pdcfg_rows[r].tokens], cells, 64);
	for (unsigned i = 0; i < read; i++) {
		unsigned f = pdcfg_settable(pdcfg_field_of_cell(cells[i])), j = 0;
		while (j < n && fields[j] != f) j++;
		if (j == n && n < max) fields[n++] = (uint16_t)f;
	}
	return n;
}

size_t pdcfg_rule_reads(uint32_t code)
{
	uint16_t fields[64];
	return fields_read(code, fields, 64);
}

uint32_t pdcfg_rule_read(uint32_t code, size_t n)
{
	uint16_t fields[64];
	return n < fields_read(code, fields, 64) ? pdcfg_fields[fields[n]].key : 0;
}
