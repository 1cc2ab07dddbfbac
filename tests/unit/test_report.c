/* What a report says: the documented texts, order, causes, and what it never does. */
#include <check.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include "example.h"
#include "suites.h"

enum { NOT_REFUSED = -100 }; /* accepted, or undetermined for want of a model */

static pdcfg_report *report_of(const char *words, int32_t verdict)
{
	pdcfg_t *cfg;
	pdcfg_report *rep = (pdcfg_report *)(void *)&rep;
	ck_assert_int_eq(pdcfg_new(&cfg), 0);
	example_apply(cfg, words);
	int32_t said = pdcfg_validate(cfg, &rep);
	if (verdict == NOT_REFUSED) ck_assert(said == PDCFG_ACCEPTED || said == PDCFG_UNDETERMINED);
	else ck_assert_int_eq(said, verdict);
	ck_assert_int_eq(pdcfg_report_verdict(rep), said);
	pdcfg_free(cfg); /* the report outlives it */
	return rep;
}

/* the texts that programs match on; each is what SGLang would stop at, unless a step of its own stops it earlier */
static const struct documented {
	const char *words, *rule, *exception, *message;
	bool first;
} documented[] = {
	{ "--disaggregation-mode prefill --enable-linear-replayssm-spec model.is_mla=false", "replayssm-spec-on-prefill", "ValueError",
	  "--enable-linear-replayssm-spec is not supported on a PD prefill server: the ring is spec-verify-only scratch and the prefill server never runs spec verify.", false },
	{ "pd_required=true", "unsupported-disaggregation-mode", "ValueError", "Unsupported DisaggregationMode: DisaggregationMode.NULL", true },
	{ "--disaggregation-mode prefill --disaggregation-decode-enable-offload-kvcache --hicache-storage-backend mooncake", "offload-kvcache-decode-only", "ValueError",
	  "The argument disaggregation-decode-enable-offload-kvcache is only supported for decode side.", true },
	{ "--disaggregation-mode prefill --enable-unified-memory model.is_hybrid_swa=true", "unified-memory-pd-no-swa", "ValueError",
	  "--enable-unified-memory with PD disaggregation does not support hybrid-SWA models yet (no whole-envelope transfer scheme for the SWA sub-pool). Drop --enable-unified-memory or run without PD.", false },
	{ "--disaggregation-mode decode SGLANG_DISAGG_STAGING_BUFFER=1 model.is_mla=true", "staging-mla-decode", "RuntimeError",
	  "SGLANG_DISAGG_STAGING_BUFFER is designed for non-MLA models (e.g. GQA, MHA). MLA models should not set this flag.", true },
	{ "--disaggregation-mode prefill SGLANG_DISAGG_STAGING_BUFFER=1 model.is_mla=true", "staging-mla-prefill", "RuntimeError",
	  "SGLANG_DISAGG_STAGING_BUFFER is designed for non-MLA models (e.g. GQA, MHA). MLA models should not set this flag.", true },
	{ "--enable-linear-replayssm-spec --speculative-algorithm EAGLE SGLANG_RAGGED_VERIFY_MODE=compact", "replayssm-spec-ragged", "ValueError",
	  "--enable-linear-replayssm-spec with SGLANG_RAGGED_VERIFY_MODE=compact requires the KDA fold-every-commit family (DSPARK/DFLASH) and a ring-writing verify kernel (--linear-attn-verify-backend triton or nv_cutedsl); got algorithm='EAGLE', verify=None. Use SGLANG_RAGGED_VERIFY_MODE=static.", false },
	{ "--enable-linear-replayssm-spec --enable-linear-replayssm", "replayssm-both", "ValueError",
	  "--enable-linear-replayssm-spec and --enable-linear-replayssm are mutually exclusive: they share the ring storage but drive it with incompatible cursor protocols (per-decode-forward vs per-verify-commit advance).", false },
	{ "--disaggregation-mode decode --disaggregation-decode-retraction-backup host_pool --enable-priority-scheduling", "retraction-host-pool-priority-preemption", "ValueError",
	  "--disaggregation-decode-retraction-backup=host_pool requires --disable-priority-preemption when priority scheduling is enabled.", true },
	{ "--disaggregation-mode decode --enable-hierarchical-cache", "hicache-vs-disabled-radix", "ValueError",
	  "The arguments enable-hierarchical-cache and disable-radix-cache are mutually exclusive and cannot be used at the same time. Please use only one of them.", true },
	{ "--disaggregation-mode decode --disaggregation-decode-enable-offload-kvcache", "offload-kvcache-needs-storage", "ValueError",
	  "The argument disaggregation-decode-enable-offload-kvcache is only supported when hicache-storage-backend is provided.", true },
	{ "--disaggregation-mode decode --disaggregation-decode-enable-offload-kvcache --hicache-storage-backend mooncake --disaggregation-decode-retraction-backup host_pool",
	  "offload-kvcache-vs-host-pool", "ValueError",
	  "The arguments disaggregation-decode-enable-offload-kvcache and disaggregation-decode-retraction-backup=host_pool are mutually exclusive: both build a decode host pool.", true },
	{ "--swa-full-tokens-ratio 1.5 model.is_hybrid_swa=true model.arch=GptOssForCausalLM", "swa-ratio-range", "ValueError", "--swa-full-tokens-ratio should be in range (0, 1.0].", false },
	{ "--disaggregation-mode decode --enable-unified-memory model.is_mla=false model.mamba_kind=gdn", "unified-memory-pd-needs-mla-mamba", "ValueError",
	  "--enable-unified-memory with PD disaggregation currently supports only MLA hybrid-Mamba models (e.g. kimi-linear); this model uses the MHA full-attention pool. Drop --enable-unified-memory or run without PD disaggregation.", false },
};

START_TEST(documented_texts)
{
	const struct documented *d = &documented[_i];
	pdcfg_report *rep = report_of(d->words, PDCFG_REFUSED);
	long i = example_find(rep, pdcfg_code_by_rule(d->rule));
	ck_assert_msg(i >= 0, "%s does not fire on %s; first is %s", d->rule, d->words, pdcfg_finding_rule(rep, (size_t)pdcfg_report_first_refusal(rep)));
	ck_assert_str_eq(pdcfg_finding_message(rep, (size_t)i), d->message);
	ck_assert_str_eq(pdcfg_finding_exception(rep, (size_t)i), d->exception);
	ck_assert_uint_eq(pdcfg_finding_severity(rep, (size_t)i), PDCFG_ERROR);
	if (d->first) ck_assert_msg(pdcfg_report_first_refusal(rep) == i, "%s: first is %s", d->words, pdcfg_finding_rule(rep, (size_t)pdcfg_report_first_refusal(rep)));
	pdcfg_report_free(rep);
}
END_TEST

START_TEST(the_mode_can_be_none)
{
	pdcfg_t *cfg;
	pdcfg_report *rep;
	ck_assert_int_eq(pdcfg_new(&cfg), 0);
	ck_assert_int_eq(pdcfg_set_disaggregation_mode(cfg, NULL), 0);
	ck_assert_int_eq(pdcfg_set_pd_required(cfg, 1), 0);
	ck_assert_int_eq(pdcfg_validate(cfg, &rep), PDCFG_REFUSED);
	long i = example_find(rep, pdcfg_code_by_rule("unsupported-disaggregation-mode"));
	ck_assert_int_ge(i, 0);
	ck_assert_str_eq(pdcfg_finding_message(rep, (size_t)i), "Unsupported DisaggregationMode: None");
	pdcfg_report_free(rep);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(a_cause_is_named)
{
	pdcfg_report *rep = report_of("--disaggregation-mode decode --enable-hierarchical-cache", PDCFG_REFUSED);
	size_t first = (size_t)pdcfg_report_first_refusal(rep);
	ck_assert_str_eq(pdcfg_finding_rule(rep, first), "hicache-vs-disabled-radix");
	uint32_t cause = pdcfg_finding_caused_by(rep, first);
	ck_assert_str_eq(pdcfg_rule_text(cause, PDCFG_TEXT_RULE), "pd-decode-forces-chunk-cache");
	pdcfg_report_free(rep);
	rep = report_of("--enable-hierarchical-cache --disable-radix-cache", PDCFG_REFUSED);
	ck_assert_uint_eq(pdcfg_finding_caused_by(rep, (size_t)pdcfg_report_first_refusal(rep)), 0);
	pdcfg_report_free(rep);
}
END_TEST

START_TEST(everything_wrong_in_one_pass)
{
	pdcfg_report *rep = report_of("--disaggregation-mode prefil --tp-size x --page-sice 4 --disaggregation-decode-enable-offload-kvcache --enable-hierarchical-cache --disable-radix-cache", PDCFG_REFUSED);
	static const char *const rules[] = { "choice-disaggregation-mode", "argparse-invalid-int", "argparse-unrecognized", "hicache-vs-disabled-radix" };
	long before = -1;
	for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
		long i = example_find(rep, pdcfg_code_by_rule(rules[r]));
		ck_assert_msg(i > before, "%s is at %ld, after %ld", rules[r], i, before);
		before = i;
	}
	ck_assert_int_eq(pdcfg_report_first_refusal(rep), 0);
	ck_assert_str_eq(pdcfg_finding_parse_nearest(rep, 0), "prefill");
	ck_assert_int_eq(pdcfg_finding_parse_index(rep, 0), 3); /* of the word that is wrong */
	ck_assert_str_eq(pdcfg_finding_parse_option(rep, 0), "--disaggregation-mode");
	ck_assert_str_eq(pdcfg_parse_class_name(pdcfg_finding_parse_class(rep, 0)), "invalid-choice");
	pdcfg_report_free(rep);
}
END_TEST

START_TEST(subjects_say_where)
{
	pdcfg_report *rep = report_of("--disaggregation-mode prefill --disaggregation-decode-enable-offload-kvcache", PDCFG_REFUSED);
	long i = example_find(rep, pdcfg_code_by_rule("offload-kvcache-decode-only"));
	ck_assert_int_ge(i, 0);
	bool found = false;
	for (size_t n = 0; n < pdcfg_finding_subjects(rep, (size_t)i); n++) {
		if (pdcfg_subject_key(rep, (size_t)i, n) != PDCFG_KEY_DISAGGREGATION_MODE) continue;
		found = true;
		ck_assert_str_eq(pdcfg_subject_value(rep, (size_t)i, n), "prefill");
		ck_assert_uint_eq(pdcfg_subject_origin(rep, (size_t)i, n), PDCFG_FROM_ARGUMENT);
		ck_assert_str_eq(pdcfg_subject_origin_text(rep, (size_t)i, n), "--disaggregation-mode");
		ck_assert_int_eq(pdcfg_subject_index(rep, (size_t)i, n), 2);
	}
	ck_assert(found);
	pdcfg_report_free(rep);
}
END_TEST

START_TEST(facts_that_nobody_gave_are_named)
{
	pdcfg_report *rep = report_of("--disaggregation-mode decode SGLANG_DISAGG_STAGING_BUFFER=1", PDCFG_UNDETERMINED);
	uint32_t code = pdcfg_code_by_rule("staging-mla-decode");
	bool found = false, needs_mla = false;
	for (size_t i = 0; i < pdcfg_report_unevaluated(rep); i++) {
		if (pdcfg_unevaluated_code(rep, i) != code) continue;
		found = true;
		for (size_t n = 0; n < pdcfg_unevaluated_needs(rep, i); n++) needs_mla |= pdcfg_unevaluated_need(rep, i, n) == PDCFG_KEY_MODEL_IS_MLA;
	}
	ck_assert(found && needs_mla);
	pdcfg_report_free(rep);
	rep = report_of("--disaggregation-mode decode SGLANG_DISAGG_STAGING_BUFFER=1 model.is_mla=false", NOT_REFUSED);
	ck_assert_int_eq(example_find(rep, code), -1);
	pdcfg_report_free(rep);
}
END_TEST

START_TEST(no_index_crashes)
{
	pdcfg_report *rep = report_of("--disaggregation-mode prefill --disaggregation-decode-enable-offload-kvcache", PDCFG_REFUSED);
	static const size_t beyond[] = { 1000, SIZE_MAX };
	for (size_t b = 0; b < 2; b++) {
		size_t i = beyond[b];
		const pdcfg_report *reps[] = { rep, NULL };
		for (size_t r = 0; r < 2; r++) {
			const pdcfg_report *p = reps[r];
			ck_assert_uint_eq(pdcfg_finding_code(p, i), 0);
			ck_assert_str_eq(pdcfg_finding_rule(p, i), "");
			ck_assert_str_eq(pdcfg_finding_message(p, i), "");
			ck_assert_str_eq(pdcfg_finding_summary(p, i), "");
			ck_assert_str_eq(pdcfg_finding_why(p, i), "");
			ck_assert_str_eq(pdcfg_finding_exception(p, i), "");
			ck_assert_uint_eq(pdcfg_finding_severity(p, i), 0);
			ck_assert_uint_eq(pdcfg_finding_phase(p, i), 0);
			ck_assert_uint_eq(pdcfg_finding_confidence(p, i), 0);
			ck_assert_uint_eq(pdcfg_finding_subjects(p, i), 0);
			ck_assert_uint_eq(pdcfg_subject_key(p, i, i), 0);
			ck_assert_str_eq(pdcfg_subject_value(p, 0, i), "");
			ck_assert_int_eq(pdcfg_subject_index(p, 0, i), -1);
			ck_assert_uint_eq(pdcfg_finding_fixes(p, i), 0);
			ck_assert_uint_eq(pdcfg_fix_edits(p, 0, i), 0);
			ck_assert_uint_eq(pdcfg_edit_op(p, 0, i, i), 0);
			ck_assert_str_eq(pdcfg_edit_value(p, 0, 0, i), "");
			ck_assert_uint_eq(pdcfg_unevaluated_code(p, i), 0);
			ck_assert_uint_eq(pdcfg_unevaluated_need(p, i, i), 0);
			ck_assert_int_eq(pdcfg_finding_parse_index(p, i), -1);
		}
	}
	ck_assert_str_eq(pdcfg_resolved_text(rep, 424242), "");
	ck_assert_str_eq(pdcfg_rule_text(1, PDCFG_TEXT_RULE), "");
	ck_assert_str_eq(pdcfg_rule_text(2417, 99), "");
	ck_assert_str_eq(pdcfg_phase_name(99), "");
	ck_assert_str_eq(pdcfg_parse_class_name(99), "");
	pdcfg_report_free(rep);
}
END_TEST

START_TEST(echoed_values_are_harmless)
{
	pdcfg_t *cfg;
	pdcfg_report *rep;
	static const char *const bad[] = { "a\033[31mb", "a\nb", "a\xff" "b", "a\xc2\x9b" "b", "a\xe2\x80\xae" "b", "a\xed\xa0\x80" "b", "a\xf8\x88\x80\x80\x80" "b", "\xc0\xaf" };
	for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
		ck_assert_int_eq(pdcfg_new(&cfg), 0);
		ck_assert_int_eq(pdcfg_set_disaggregation_transfer_backend(cfg, bad[b]), 0);
		ck_assert_int_eq(pdcfg_set_served_model_name(cfg, bad[b]), 0);
		ck_assert_int_ge(pdcfg_validate(cfg, &rep), 0);
		const char *shown = pdcfg_resolved_text(rep, PDCFG_KEY_SERVED_MODEL_NAME);
		for (const unsigned char *p = (const unsigned char *)shown; *p; p++) ck_assert_msg(*p >= 0x20 && *p < 0x7f, "case %zu: %s", b, shown);
		ck_assert_ptr_nonnull(strchr(shown, '\\'));
		for (size_t i = 0; i < pdcfg_report_count(rep); i++)
			for (const unsigned char *p = (const unsigned char *)pdcfg_finding_message(rep, i); *p; p++) ck_assert_uint_ge(*p, 0x20);
		pdcfg_report_free(rep);
		pdcfg_free(cfg);
	}
}
END_TEST

START_TEST(an_unknown_value_is_shown_as_written)
{
	pdcfg_t *cfg;
	pdcfg_report *rep;
	ck_assert_int_eq(pdcfg_new(&cfg), 0);
	ck_assert_int_eq(pdcfg_set_unknown(cfg, PDCFG_KEY_TP_SIZE, "${TP}"), 0);
	ck_assert_int_eq(pdcfg_set_origin(cfg, PDCFG_KEY_TP_SIZE, PDCFG_FROM_FILE, "a.yaml", 7, 3), 0);
	example_apply(cfg, "--dp-size eight");
	ck_assert_int_ge(pdcfg_validate(cfg, &rep), 0);
	ck_assert_str_eq(pdcfg_resolved_text(rep, PDCFG_KEY_TP_SIZE), "${TP}");
	ck_assert_str_eq(pdcfg_resolved_text(rep, PDCFG_KEY_DP_SIZE), "?");
	pdcfg_report_free(rep);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(secrets_are_not_shown)
{
	pdcfg_report *rep = report_of("--api-key hunter2", NOT_REFUSED);
	ck_assert_str_eq(pdcfg_resolved_text(rep, PDCFG_KEY_API_KEY), "***");
	pdcfg_report_free(rep);
	ck_assert_int_eq(pdcfg_key_is_secret(PDCFG_KEY_API_KEY), 1);
}
END_TEST

START_TEST(twice_says_the_same)
{
	pdcfg_t *cfg;
	pdcfg_report *a, *b;
	ck_assert_int_eq(pdcfg_new(&cfg), 0);
	example_apply(cfg, "--disaggregation-mode decode --enable-hierarchical-cache --disable-radix-cache --dcp-size 2 SGLANG_DISAGG_STAGING_BUFFER=1");
	ck_assert_int_eq(pdcfg_validate(cfg, &a), PDCFG_REFUSED);
	ck_assert_int_eq(pdcfg_validate(cfg, &b), PDCFG_REFUSED);
	ck_assert_uint_eq(pdcfg_report_count(a), pdcfg_report_count(b));
	for (size_t i = 0; i < pdcfg_report_count(a); i++) {
		ck_assert_uint_eq(pdcfg_finding_code(a, i), pdcfg_finding_code(b, i));
		ck_assert_str_eq(pdcfg_finding_message(a, i), pdcfg_finding_message(b, i));
	}
	pdcfg_report_free(a);
	pdcfg_report_free(b);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(the_locale_changes_nothing)
{
	static const char *const names[] = { "fr_FR.UTF-8", "de_DE.UTF-8", "fr_FR", "de_DE" };
	char before[64] = "";
	for (size_t n = 0; n <= sizeof names / sizeof *names; n++) {
		pdcfg_report *rep = report_of("--schedule-conservativeness 0.875", NOT_REFUSED);
		char now[64];
		strcpy(now, pdcfg_resolved_text(rep, PDCFG_KEY_SCHEDULE_CONSERVATIVENESS));
		ck_assert_str_eq(now, "0.875");
		ck_assert_msg(!n || !strcmp(before, now), "%s is not %s", now, before);
		strcpy(before, now);
		pdcfg_report_free(rep);
		if (n < sizeof names / sizeof *names) setlocale(LC_ALL, names[n]);
	}
	setlocale(LC_ALL, "C");
}
END_TEST

START_TEST(values_are_printed_as_python_prints_them)
{
	pdcfg_report *rep = report_of("--schedule-conservativeness 1e22 --lora-paths a \"b --cuda-graph-bs 1 2", NOT_REFUSED);
	ck_assert_str_eq(pdcfg_resolved_text(rep, PDCFG_KEY_SCHEDULE_CONSERVATIVENESS), "1e+22");
	ck_assert_str_eq(pdcfg_resolved_text(rep, PDCFG_KEY_LORA_PATHS), "['a', '\"b']");
	pdcfg_report_free(rep);
}
END_TEST

Suite *suite_report(void)
{
	Suite *s = suite_create("report");
	TCase *t = tcase_create("report");
	tcase_add_loop_test(t, documented_texts, 0, sizeof documented / sizeof *documented);
	tcase_add_test(t, the_mode_can_be_none);
	tcase_add_test(t, a_cause_is_named);
	tcase_add_test(t, everything_wrong_in_one_pass);
	tcase_add_test(t, subjects_say_where);
	tcase_add_test(t, facts_that_nobody_gave_are_named);
	tcase_add_test(t, no_index_crashes);
	tcase_add_test(t, echoed_values_are_harmless);
	tcase_add_test(t, an_unknown_value_is_shown_as_written);
	tcase_add_test(t, secrets_are_not_shown);
	tcase_add_test(t, twice_says_the_same);
	tcase_add_test(t, the_locale_changes_nothing);
	tcase_add_test(t, values_are_printed_as_python_prints_them);
	suite_add_tcase(s, t);
	return s;
}
