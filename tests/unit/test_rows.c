/* Every rule of the table by its own words: its examples do what they say, its texts are there, its fixes help. */
#include <check.h>
#include <stdio.h>
#include <string.h>
#include "example.h"
#include "suites.h"

enum { MAX_CODES = 8192 };
static uint32_t codes[MAX_CODES];
static int code_count;

static const char *text(uint32_t code, uint32_t which) { return pdcfg_rule_text(code, which); }
static const char *rule(uint32_t code) { return text(code, PDCFG_TEXT_RULE); }
static bool is_kind(uint32_t code, const char *kind) { return !strcmp(text(code, PDCFG_TEXT_KIND), kind); }
static bool speaks(uint32_t code) { return is_kind(code, "refuse") || is_kind(code, "warn"); }

static pdcfg_report *report_of(const char *words, pdcfg_t **keep)
{
	pdcfg_t *cfg;
	pdcfg_report *rep;
	ck_assert_int_eq(pdcfg_new(&cfg), 0);
	example_apply(cfg, words);
	ck_assert_int_ge(pdcfg_validate(cfg, &rep), 0);
	ck_assert_int_eq(pdcfg_validate(cfg, NULL), pdcfg_report_verdict(rep));
	if (keep) *keep = cfg; else pdcfg_free(cfg);
	return rep;
}

START_TEST(texts_are_complete)
{
	static const struct { uint32_t which; const char *name; } needed[] = {
		{ PDCFG_TEXT_MESSAGE, "message" }, { PDCFG_TEXT_SUMMARY, "summary" }, { PDCFG_TEXT_WHY, "why" },
		{ PDCFG_TEXT_UPSTREAM, "upstream" }, { PDCFG_TEXT_BAD, "bad" }, { PDCFG_TEXT_GOOD, "good" } };
	uint32_t code = codes[_i];
	ck_assert_msg(*rule(code), "%u has no name", code);
	for (size_t i = 0; speaks(code) && i < sizeof needed / sizeof *needed; i++)
		ck_assert_msg(*text(code, needed[i].which), "%s (%u) has no .%s", rule(code), code, needed[i].name);
	if (is_kind(code, "refuse")) ck_assert_msg(*text(code, PDCFG_TEXT_EXCEPTION), "%s has no exception", rule(code));
	if (!is_kind(code, "label")) ck_assert_msg(*text(code, PDCFG_TEXT_SUMMARY) || is_kind(code, "retired"), "%s (%u) has no .summary", rule(code), code);
	ck_assert_uint_eq(pdcfg_code_by_rule(rule(code)), code);
}
END_TEST

START_TEST(bad_example_fires)
{
	uint32_t code = codes[_i];
	if (!*text(code, PDCFG_TEXT_BAD) || strstr(rule(code), "config-") == rule(code) || strstr(rule(code), "cli-") == rule(code)) return;
	pdcfg_report *rep = report_of(text(code, PDCFG_TEXT_BAD), NULL);
	long i = example_find(rep, code);
	ck_assert_msg(i >= 0, "%s (%u): .bad does not fire it: %s", rule(code), code, text(code, PDCFG_TEXT_BAD));
	const char *message = pdcfg_finding_message(rep, (size_t)i);
	ck_assert_msg(*message && !strchr(message, '\n'), "%s: message \"%s\"", rule(code), message);
	ck_assert_msg(!strstr(text(code, PDCFG_TEXT_MESSAGE), "{") || strcmp(message, text(code, PDCFG_TEXT_MESSAGE)), "%s: a placeholder was not filled in: %s", rule(code), message);
	pdcfg_report_free(rep);
}
END_TEST

START_TEST(good_example_is_silent)
{
	uint32_t code = codes[_i];
	if (!*text(code, PDCFG_TEXT_GOOD)) return;
	pdcfg_report *rep = report_of(text(code, PDCFG_TEXT_GOOD), NULL);
	ck_assert_msg(example_find(rep, code) < 0, "%s (%u): .good fires it: %s", rule(code), code, text(code, PDCFG_TEXT_GOOD));
	for (size_t i = 0; i < pdcfg_report_unevaluated(rep); i++)
		ck_assert_msg(pdcfg_unevaluated_code(rep, i) != code, "%s (%u): .good leaves it undecided: %s", rule(code), code, text(code, PDCFG_TEXT_GOOD));
	pdcfg_report_free(rep);
}
END_TEST

static bool among(uint32_t code, const uint32_t *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (all[i] == code) return true;
	return false;
}

START_TEST(fixes_help)
{
	enum { MAX = 64 };
	uint32_t code = codes[_i], before[MAX], after[MAX];
	pdcfg_t *cfg, *fixed;
	if (!speaks(code) || !*text(code, PDCFG_TEXT_BAD)) return;
	pdcfg_report *rep = report_of(text(code, PDCFG_TEXT_BAD), &cfg), *again;
	long i = example_find(rep, code);
	size_t errors = example_errors(rep, before, MAX);
	for (size_t f = 0; i >= 0 && f < pdcfg_finding_fixes(rep, (size_t)i); f++) {
		ck_assert_int_eq(pdcfg_clone(cfg, &fixed), 0);
		int32_t status = example_fix(fixed, rep, (size_t)i, f);
		ck_assert_msg(status >= 0, "%s: fix %zu cannot be applied: %s", rule(code), f, pdcfg_strerror(status));
		ck_assert_int_ge(pdcfg_validate(fixed, &again), 0);
		ck_assert_msg(example_find(again, code) < 0, "%s (%u): fix %zu does not silence it", rule(code), code, f);
		size_t left = example_errors(again, after, MAX);
		for (size_t e = 0; e < left; e++)
			ck_assert_msg(among(after[e], before, errors), "%s (%u): fix %zu brings %s", rule(code), code, f, rule(after[e]));
		pdcfg_report_free(again);
		pdcfg_free(fixed);
	}
	pdcfg_report_free(rep);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(most_errors_can_be_fixed_by_machine)
{
	int errors = 0, fixable = 0;
	for (int c = 0; c < code_count; c++) {
		if (!is_kind(codes[c], "refuse") || !*text(codes[c], PDCFG_TEXT_BAD)) continue;
		pdcfg_report *rep = report_of(text(codes[c], PDCFG_TEXT_BAD), NULL);
		long i = example_find(rep, codes[c]);
		errors++;
		fixable += i >= 0 && pdcfg_finding_fixes(rep, (size_t)i) > 0;
		pdcfg_report_free(rep);
	}
	ck_assert_msg(fixable * 100 >= errors * 95, "only %d of %d error rows have a fix", fixable, errors);
}
END_TEST

START_TEST(reads_name_real_fields)
{
	uint32_t code = codes[_i];
	for (size_t n = 0; n < pdcfg_rule_reads(code); n++)
		ck_assert_msg(*pdcfg_key_name(pdcfg_rule_read(code, n)), "%s reads a field without a name", rule(code));
}
END_TEST

Suite *suite_rows(void)
{
	Suite *s = suite_create("rows");
	TCase *t = tcase_create("rows");
	unsigned passed = 0;
	for (uint32_t code = pdcfg_code_next(0); code && code_count < MAX_CODES; code = pdcfg_code_next(code))
		if (passed++ % (short_of_time() ? 10 : 1) == 0) codes[code_count++] = code;
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, texts_are_complete, 0, code_count);
	tcase_add_loop_test(t, bad_example_fires, 0, code_count);
	tcase_add_loop_test(t, good_example_is_silent, 0, code_count);
	tcase_add_loop_test(t, fixes_help, 0, code_count);
	tcase_add_loop_test(t, reads_name_real_fields, 0, code_count);
	tcase_add_test(t, most_errors_can_be_fixed_by_machine);
	suite_add_tcase(s, t);
	return s;
}
