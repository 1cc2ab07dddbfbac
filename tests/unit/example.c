#include <check.h>
#include <string.h>
#include "rule_example.h"
#include "example.h"

void example_apply(pdcfg_t *cfg, const char *text)
{
	struct pdcfg_example e;
	ck_assert_int_eq(pdcfg_example_read(text, &e), 0);
	int32_t status = pdcfg_example_apply(&e, cfg);
	ck_assert_msg(status >= 0, "%s: %s", text, pdcfg_strerror(status));
	pdcfg_example_end(&e);
}

long example_find(const pdcfg_report *rep, uint32_t code)
{
	for (size_t i = 0; i < pdcfg_report_count(rep); i++)
		if (pdcfg_finding_code(rep, i) == code) return (long)i;
	return -1;
}

size_t example_errors(const pdcfg_report *rep, uint32_t *codes, size_t max)
{
	size_t n = 0;
	for (size_t i = 0; i < pdcfg_report_count(rep); i++)
		if (pdcfg_finding_severity(rep, i) == PDCFG_ERROR && n < max) codes[n++] = pdcfg_finding_code(rep, i);
	return n;
}

static int32_t set_as_text(pdcfg_t *cfg, uint32_t key, const char *value)
{
	const char *option = pdcfg_key_option(key);
	if (pdcfg_key_type(key) == PDCFG_TYPE_BOOL && *option == '-') return pdcfg_set_i64(cfg, key, !strcmp(value, "True"));
	return pdcfg_set_arg(cfg, *option ? option : pdcfg_key_name(key), value);
}

int32_t example_fix(pdcfg_t *cfg, const pdcfg_report *rep, size_t i, size_t fix)
{
	int32_t status = 0;
	for (size_t e = 0; e < pdcfg_fix_edits(rep, i, fix) && status >= 0; e++) {
		uint32_t key = pdcfg_edit_key(rep, i, fix, e);
		if (pdcfg_edit_op(rep, i, fix, e) == PDCFG_EDIT_UNSET) status = pdcfg_unset(cfg, key);
		else status = set_as_text(cfg, key, pdcfg_edit_value(rep, i, fix, e));
	}
	return status;
}
