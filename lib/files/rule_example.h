/*
 * The launches that rules give as their .bad and .good examples. Internal to libpdcfg-files, the command and the tests.
 *
 *	--disaggregation-mode decode SGLANG_DISAGG_STAGING_BUFFER=1 model.is_mla=true platform.sm=90 pd_required=1 cp_strategy=half
 *
 * Words are split at blanks, '…' keeps them together. --model-path m is put in front unless it is there.
 */
#ifndef PDCFG_RULE_EXAMPLE_H
#define PDCFG_RULE_EXAMPLE_H
#include <pdcfg/pdcfg.h>

enum example_kind {
	EXAMPLE_ARGUMENT,
	EXAMPLE_VARIABLE, /* NAME=VALUE */
	EXAMPLE_FACT,     /* model.NAME=VALUE or platform.NAME=VALUE */
	EXAMPLE_CALLER,   /* pd_required=1 */
	EXAMPLE_FIELD     /* field=VALUE: what only SGLang's Python API can give */
};

struct example_word {
	const char *text;
	enum example_kind kind;
};

struct pdcfg_example {
	char *copy;
	struct example_word *words;
	size_t n;
};

int32_t pdcfg_example_read(const char *text, struct pdcfg_example *out); /* PDCFG_OK or NOMEM; ended by: */
void pdcfg_example_end(struct pdcfg_example *e);
/* Puts it into a new handle. Negative when a word could not be taken. */
int32_t pdcfg_example_apply(const struct pdcfg_example *e, pdcfg_t *cfg);

#endif
