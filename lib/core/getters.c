/* Reading a report. An index that does not exist yields 0, -1 or "". */
#include "report.h"

static const void *at(const pdcfg_report *rep, uint32_t offset) { return (const char *)rep + offset; }
static const void *inner(const pdcfg_report *rep, uint32_t offset) { return at(rep, rep->texts + offset); }
static const char *str(const pdcfg_report *rep, uint32_t offset) { return offset ? inner(rep, offset) : ""; }

static const struct finding *finding(const pdcfg_report *rep, size_t i)
{
	return rep && i < rep->count ? (const struct finding *)at(rep, rep->findings) + i : NULL;
}

static const struct subject *subject(const pdcfg_report *rep, size_t i, size_t n)
{
	const struct finding *f = finding(rep, i);
	return f && n < f->subject_count ? (const struct subject *)inner(rep, f->subjects) + n : NULL;
}

static const struct edit_out *edit(const pdcfg_report *rep, size_t i, size_t fix, size_t n)
{
	const struct finding *f = finding(rep, i);
	if (!f) return NULL;
	const struct edit_out *e = inner(rep, f->edits);
	size_t fixes = 0;
	for (size_t k = 0; k < f->edit_count; k++) {
		if (!e[k].joins) fixes++;
		if (fixes != fix + 1) continue;
		if (!n) return &e[k];
		n--;
	}
	return NULL;
}

static const struct skipped *skipped(const pdcfg_report *rep, size_t i)
{
	return rep && i < rep->skipped_count ? (const struct skipped *)at(rep, rep->skipped) + i : NULL;
}

static const struct resolved *resolved(const pdcfg_report *rep, uint32_t key)
{
	unsigned f = pdcfg_field_of_key(key);
	return rep && f ? (const struct resolved *)at(rep, rep->resolved) + f : NULL;
}

int32_t pdcfg_report_verdict(const pdcfg_report *rep) { return rep ? rep->verdict : PDCFG_E_INVALID; }
size_t pdcfg_report_count(const pdcfg_report *rep) { return rep ? rep->count : 0; }
size_t pdcfg_report_errors(const pdcfg_report *rep) { return rep ? rep->errors : 0; }
size_t pdcfg_report_warnings(const pdcfg_report *rep) { return rep ? rep->warnings : 0; }
int64_t pdcfg_report_first_refusal(const pdcfg_report *rep) { return rep ? rep->first : -1; }
int32_t pdcfg_report_maybe_earlier(const pdcfg_report *rep) { return rep ? rep->maybe_earlier : 0; }

uint32_t pdcfg_finding_code(const pdcfg_report *rep, size_t i)
{
	const struct finding *f = finding(rep, i);
	return f ? f->code : 0;
}
const char *pdcfg_finding_rule(const pdcfg_report *rep, size_t i) { return pdcfg_rule_text(pdcfg_finding_code(rep, i), PDCFG_TEXT_RULE); }
const char *pdcfg_finding_summary(const pdcfg_report *rep, size_t i) { return pdcfg_rule_text(pdcfg_finding_code(rep, i), PDCFG_TEXT_SUMMARY); }
const char *pdcfg_finding_why(const pdcfg_report *rep, size_t i) { return pdcfg_rule_text(pdcfg_finding_code(rep, i), PDCFG_TEXT_WHY); }
const char *pdcfg_finding_exception(const pdcfg_report *rep, size_t i) { return pdcfg_rule_text(pdcfg_finding_code(rep, i), PDCFG_TEXT_EXCEPTION); }
const char *pdcfg_finding_upstream(const pdcfg_report *rep, size_t i) { return pdcfg_rule_text(pdcfg_finding_code(rep, i), PDCFG_TEXT_UPSTREAM); }
uint32_t pdcfg_finding_phase(const pdcfg_report *rep, size_t i) { return pdcfg_rule_phase(pdcfg_finding_code(rep, i)); }

const char *pdcfg_finding_message(const pdcfg_report *rep, size_t i)
{
	const struct finding *f = finding(rep, i);
	return f ? str(rep, f->message) : "";
}
uint32_t pdcfg_finding_severity(const pdcfg_report *rep, size_t i)
{
	const struct finding *f = finding(rep, i);
	return f ? f->severity : 0;
}
uint32_t pdcfg_finding_confidence(const pdcfg_report *rep, size_t i)
{
	const struct finding *f = finding(rep, i);
	return f ? f->confidence : 0;
}
uint32_t pdcfg_finding_caused_by(const pdcfg_report *rep, size_t i)
{
	const struct finding *f = finding(rep, i);
	return f ? f->caused_by : 0;
}

size_t pdcfg_finding_subjects(const pdcfg_report *rep, size_t i)
{
	const struct finding *f = finding(rep, i);
	return f ? f->subject_count : 0;
}
uint32_t pdcfg_subject_key(const pdcfg_report *rep, size_t i, size_t n)
{
	const struct subject *x = subject(rep, i, n);
	return x ? x->key : 0;
}
const char *pdcfg_subject_value(const pdcfg_report *rep, size_t i, size_t n)
{
	const struct subject *x = subject(rep, i, n);
	return x ? str(rep, x->value) : "";
}
uint32_t pdcfg_subject_origin(const pdcfg_report *rep, size_t i, size_t n)
{
	const struct subject *x = subject(rep, i, n);
	return x ? x->kind : 0;
}
const char *pdcfg_subject_origin_text(const pdcfg_report *rep, size_t i, size_t n)
{
	const struct subject *x = subject(rep, i, n);
	return x ? str(rep, x->origin_text) : "";
}
int64_t pdcfg_subject_index(const pdcfg_report *rep, size_t i, size_t n)
{
	const struct subject *x = subject(rep, i, n);
	return x ? x->index : -1;
}
uint32_t pdcfg_subject_line(const pdcfg_report *rep, size_t i, size_t n)
{
	const struct subject *x = subject(rep, i, n);
	return x ? x->line : 0;
}
uint32_t pdcfg_subject_column(const pdcfg_report *rep, size_t i, size_t n)
{
	const struct subject *x = subject(rep, i, n);
	return x ? x->column : 0;
}
uint32_t pdcfg_subject_origin_code(const pdcfg_report *rep, size_t i, size_t n)
{
	const struct subject *x = subject(rep, i, n);
	return x ? x->by : 0;
}

size_t pdcfg_finding_fixes(const pdcfg_report *rep, size_t i)
{
	size_t n = 0;
	while (edit(rep, i, n, 0)) n++;
	return n;
}
size_t pdcfg_fix_edits(const pdcfg_report *rep, size_t i, size_t fix)
{
	size_t n = 0;
	while (edit(rep, i, fix, n)) n++;
	return n;
}
uint32_t pdcfg_edit_op(const pdcfg_report *rep, size_t i, size_t fix, size_t n)
{
	const struct edit_out *e = edit(rep, i, fix, n);
	return e ? e->op : 0;
}
uint32_t pdcfg_edit_key(const pdcfg_report *rep, size_t i, size_t fix, size_t n)
{
	const struct edit_out *e = edit(rep, i, fix, n);
	return e ? e->key : 0;
}
const char *pdcfg_edit_value(const pdcfg_report *rep, size_t i, size_t fix, size_t n)
{
	const struct edit_out *e = edit(rep, i, fix, n);
	return e ? str(rep, e->value) : "";
}

uint32_t pdcfg_finding_parse_class(const pdcfg_report *rep, size_t i)
{
	const struct finding *f = finding(rep, i);
	return f ? f->parse_class : 0;
}
const char *pdcfg_finding_parse_option(const pdcfg_report *rep, size_t i)
{
	const struct finding *f = finding(rep, i);
	return f ? pdcfg_option_first_name(f->option) : "";
}
int64_t pdcfg_finding_parse_index(const pdcfg_report *rep, size_t i)
{
	const struct finding *f = finding(rep, i);
	return f ? f->index : -1;
}
const char *pdcfg_finding_parse_token(const pdcfg_report *rep, size_t i)
{
	const struct finding *f = finding(rep, i);
	return f ? str(rep, f->token) : "";
}
const char *pdcfg_finding_parse_nearest(const pdcfg_report *rep, size_t i)
{
	const struct finding *f = finding(rep, i);
	return f ? str(rep, f->nearest) : "";
}

size_t pdcfg_report_unevaluated(const pdcfg_report *rep) { return rep ? rep->skipped_count : 0; }
uint32_t pdcfg_unevaluated_code(const pdcfg_report *rep, size_t i)
{
	const struct skipped *x = skipped(rep, i);
	return x ? x->code : 0;
}
size_t pdcfg_unevaluated_needs(const pdcfg_report *rep, size_t i)
{
	const struct skipped *x = skipped(rep, i);
	return x ? x->count : 0;
}
uint32_t pdcfg_unevaluated_need(const pdcfg_report *rep, size_t i, size_t n)
{
	const struct skipped *x = skipped(rep, i);
	return x && n < x->count ? ((const uint32_t *)inner(rep, x->needs))[n] : 0;
}

const char *pdcfg_resolved_text(const pdcfg_report *rep, uint32_t key)
{
	const struct resolved *x = resolved(rep, key);
	return !x ? "" : x->text ? str(rep, x->text) : pdcfg_key_default(key);
}
static uint32_t untouched(uint32_t key) { return pdcfg_defaults[pdcfg_field_of_key(key)] == UNKNOWN ? PDCFG_FROM_NOTHING : PDCFG_FROM_DEFAULT; }

uint32_t pdcfg_resolved_origin(const pdcfg_report *rep, uint32_t key)
{
	const struct resolved *x = resolved(rep, key);
	return !x ? 0 : x->kind ? x->kind : untouched(key);
}
uint32_t pdcfg_resolved_by(const pdcfg_report *rep, uint32_t key)
{
	const struct resolved *x = resolved(rep, key);
	return x ? x->by : 0;
}

const char *pdcfg_overridden_text(const pdcfg_report *rep, uint32_t key)
{
	const struct resolved *x = resolved(rep, key);
	return x ? str(rep, x->given) : "";
}
