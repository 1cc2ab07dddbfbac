/* What the fuzz targets share: a test that holds whatever the build, and what is true of every report. */
#ifndef FUZZ_H
#define FUZZ_H
#include <pdcfg/files.h>
#include <pdcfg/pdcfg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define require(truth) require_((truth), #truth, __FILE__, __LINE__)
static inline void require_(bool truth, const char *what, const char *file, int line)
{
	if (truth) return;
	fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
	abort();
}

/* fit to be printed on a terminal */
static inline void require_harmless(const char *text)
{
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) require(*p >= 0x20 && *p != 0x7f);
}

/* bytes in a block of their own without anything behind them, so that a sanitizer sees the first one too many */
static inline char *block_of(const void *bytes, size_t size)
{
	char *block = malloc(size ? size : 1);
	require(block != NULL);
	memcpy(block, bytes, size);
	return block;
}

static inline char *text_of(const void *bytes, size_t size)
{
	char *text = malloc(size + 1);
	require(text != NULL);
	memcpy(text, bytes, size);
	text[size] = 0;
	return text;
}

/* Cuts text at its newlines; the pointers go to lines. */
static inline int32_t lines_of(char *text, const char **lines, int32_t room)
{
	int32_t n = 0;
	for (char *p = text, *end; p && n < room; p = end) {
		if ((end = strchr(p, '\n'))) *end++ = 0;
		lines[n++] = p;
	}
	return n;
}

struct numbers {
	uint32_t v[4096];
	size_t count;
};

static inline const struct numbers *all_numbers(struct numbers *all, uint32_t (*next)(uint32_t))
{
	for (uint32_t n = all->count ? 0 : next(0); n && all->count < 4096; n = next(n)) all->v[all->count++] = n;
	return all;
}
static inline const struct numbers *all_keys(void)
{
	static struct numbers all;
	return all_numbers(&all, pdcfg_key_next);
}

static inline void check_finding(const pdcfg_report *rep, size_t i)
{
	require_harmless(pdcfg_finding_message(rep, i));
	require_harmless(pdcfg_finding_parse_token(rep, i));
	require(*pdcfg_finding_rule(rep, i) && *pdcfg_finding_message(rep, i));
	for (size_t n = 0; n < pdcfg_finding_subjects(rep, i); n++) {
		require(*pdcfg_key_name(pdcfg_subject_key(rep, i, n)));
		require_harmless(pdcfg_subject_value(rep, i, n));
		require_harmless(pdcfg_subject_origin_text(rep, i, n));
	}
	for (size_t f = 0; f < pdcfg_finding_fixes(rep, i); f++) {
		require(pdcfg_fix_edits(rep, i, f) > 0);
		for (size_t e = 0; e < pdcfg_fix_edits(rep, i, f); e++) {
			require(*pdcfg_key_name(pdcfg_edit_key(rep, i, f, e)));
			require_harmless(pdcfg_edit_value(rep, i, f, e));
		}
	}
}

/* what holds of every report; returns the verdict */
static inline int32_t check_report(const pdcfg_t *cfg)
{
	pdcfg_report *rep;
	int32_t verdict = pdcfg_validate(cfg, &rep);
	require(verdict >= 0 && verdict == pdcfg_validate(cfg, NULL) && verdict == pdcfg_report_verdict(rep));
	size_t errors = 0;
	for (size_t i = 0; i < pdcfg_report_count(rep); i++) {
		check_finding(rep, i);
		errors += pdcfg_finding_severity(rep, i) == PDCFG_ERROR;
		for (size_t u = 0; u < pdcfg_report_unevaluated(rep); u++) require(pdcfg_unevaluated_code(rep, u) != pdcfg_finding_code(rep, i));
	}
	for (size_t u = 0; u < pdcfg_report_unevaluated(rep); u++)
		for (size_t n = 0; n < pdcfg_unevaluated_needs(rep, u); n++) require(*pdcfg_key_name(pdcfg_unevaluated_need(rep, u, n)));
	require(errors == pdcfg_report_errors(rep) && errors + pdcfg_report_warnings(rep) == pdcfg_report_count(rep));
	require((verdict == PDCFG_REFUSED) == (errors > 0) && (errors > 0) == (pdcfg_report_first_refusal(rep) >= 0));
	const struct numbers *all = all_keys();
	for (size_t n = pdcfg_report_count(rep) % 8; n < all->count; n += 8) { /* all of them would take most of the time */
		require_harmless(pdcfg_resolved_text(rep, all->v[n]));
		require_harmless(pdcfg_overridden_text(rep, all->v[n]));
		require(pdcfg_resolved_origin(rep, all->v[n]) <= PDCFG_FROM_PLATFORM);
	}
	pdcfg_report_free(rep);
	return verdict;
}
#endif
