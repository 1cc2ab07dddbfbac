/* The environment: as Python and SGLang's import see it, and facts given as texts. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "private.h"
#include "suites.h"

static pdcfg_t *fresh(void)
{
	pdcfg_t *cfg;
	ck_assert_int_eq(pdcfg_new(&cfg), PDCFG_OK);
	return cfg;
}

#define ENVIRONMENT(...) environment((const char *const[]){ __VA_ARGS__, NULL })
static pdcfg_t *environment(const char *const *entries)
{
	pdcfg_t *cfg = fresh();
	ck_assert_int_eq(pdcfg_parse_environ(cfg, entries), PDCFG_OK);
	return cfg;
}

static const char *text_at(const pdcfg_t *cfg, int64_t cell)
{
	size_t len;
	return pdcfg_pool_text(&cfg->pool, cell, &len);
}

START_TEST(registered_variables_are_read_as_the_registry_does)
{
	/* measured on sglang.srt.environ */
	static const struct { const char *entry; unsigned field; double value; bool read; } cases[] = {
		{ "SGLANG_DISAGG_STAGING_BUFFER=1", F_env_disagg_staging_buffer, 1, true }, { "SGLANG_DISAGG_STAGING_BUFFER=YES", F_env_disagg_staging_buffer, 1, true },
		{ "SGLANG_DISAGG_STAGING_BUFFER=True", F_env_disagg_staging_buffer, 1, true }, { "SGLANG_DISAGG_STAGING_BUFFER=y", F_env_disagg_staging_buffer, 1, true },
		{ "SGLANG_HICACHE_MOONCAKE_REUSE_TE=0", F_env_hicache_mooncake_reuse_te, 0, true }, { "SGLANG_HICACHE_MOONCAKE_REUSE_TE=No", F_env_hicache_mooncake_reuse_te, 0, true },
		{ "SGLANG_HICACHE_MOONCAKE_REUSE_TE=off", F_env_hicache_mooncake_reuse_te, 1, false }, { "SGLANG_HICACHE_MOONCAKE_REUSE_TE=", F_env_hicache_mooncake_reuse_te, 1, false },
		{ "SGLANG_HICACHE_MOONCAKE_REUSE_TE= 0", F_env_hicache_mooncake_reuse_te, 1, false }, { "SGLANG_DISAGG_STAGING_BUFFER=on", F_env_disagg_staging_buffer, 0, false },
		{ "SGLANG_DISAGGREGATION_QUEUE_SIZE= 1_6 ", F_env_disaggregation_queue_size, 16, true }, { "SGLANG_DISAGGREGATION_QUEUE_SIZE=-3", F_env_disaggregation_queue_size, -3, true },
		{ "SGLANG_DISAGGREGATION_QUEUE_SIZE=4.0", F_env_disaggregation_queue_size, 4, false }, { "SGLANG_DISAGGREGATION_QUEUE_SIZE=", F_env_disaggregation_queue_size, 4, false },
		{ "SGLANG_DISAGGREGATION_HEARTBEAT_INTERVAL=1e1", F_env_disaggregation_heartbeat_interval, 10, true },
		{ "SGLANG_DISAGGREGATION_HEARTBEAT_INTERVAL=5s", F_env_disaggregation_heartbeat_interval, 5, false },
		{ "FLEXKV_ENABLE_LAYERWISE_TRANSFER=2", F_env_flexkv_enable_layerwise_transfer, 1, true }, { "FLEXKV_ENABLE_LAYERWISE_TRANSFER=0", F_env_flexkv_enable_layerwise_transfer, 0, true },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		pdcfg_t *cfg = ENVIRONMENT(cases[i].entry);
		int64_t v = cfg->v[cases[i].field];
		double got = pdcfg_fields[cases[i].field].type == PDCFG_TYPE_FLOAT ? cell_real(v) : (double)v;
		ck_assert_msg(!(got < cases[i].value) && !(got > cases[i].value), "%s", cases[i].entry);
		ck_assert_msg(cfg->note_count == !cases[i].read, "%s", cases[i].entry);
		if (!cases[i].read) ck_assert_uint_eq(cfg->notes[0].code, CODE_env_bool_invalid_falls_back);
		if (!cases[i].read) ck_assert(cfg->notes[0].warning);
		pdcfg_free(cfg);
	}
}
END_TEST

START_TEST(raw_variables_are_taken_as_they_are)
{
	pdcfg_t *cfg = ENVIRONMENT("SGLANG_MOONCAKE_CUSTOM_MEM_POOL= NVLINK ", "MOONCAKE_DEVICE=", "SGLANG_HOST_IP=a=b");
	ck_assert_str_eq(text_at(cfg, cfg->v[F_env_mooncake_custom_mem_pool]), " NVLINK ");
	ck_assert_str_eq(text_at(cfg, cfg->v[F_env_mooncake_device]), "");
	ck_assert_str_eq(text_at(cfg, cfg->v[F_env_host_ip]), "a=b");
	ck_assert_uint_eq(cfg->note_count, 0);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(a_number_that_raises_when_read_is_unknown)
{
	pdcfg_t *cfg = ENVIRONMENT("SGLANG_LAZY_COMPACTION_MAX_MOVES_PER_CALL=many", "FLEXKV_ENABLE_LAYERWISE_TRANSFER=yes");
	ck_assert(cfg->v[F_env_lazy_compaction_max_moves_per_call] == UNKNOWN);
	ck_assert(cfg->v[F_env_flexkv_enable_layerwise_transfer] == UNKNOWN);
	ck_assert_uint_eq(cfg->note_count, 2);
	for (unsigned i = 0; i < 2; i++) ck_assert(cfg->notes[i].warning && cfg->notes[i].code == CODE_env_number_raises_when_read);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(the_first_definition_counts)
{
	pdcfg_t *cfg = ENVIRONMENT("SGLANG_DISAGGREGATION_QUEUE_SIZE=8", "SGLANG_DISAGGREGATION_QUEUE_SIZE=9", "SGLANG_DISAGGREGATION_QUEUE_SIZE");
	ck_assert(cfg->v[F_env_disaggregation_queue_size] == 8);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(the_old_prefix_is_copied_over_the_new_name)
{
	pdcfg_t *cfg = ENVIRONMENT("SGLANG_DISAGGREGATION_QUEUE_SIZE=8", "SGL_DISAGGREGATION_QUEUE_SIZE=9", "SGL_DISAGGREGATION_QUEUE_SIZE=10", "SGL_NOTHING=1", "SGL_=1");
	ck_assert(cfg->v[F_env_disaggregation_queue_size] == 9);
	ck_assert_uint_eq(cfg->note_count, 1);
	ck_assert_uint_eq(cfg->notes[0].code, CODE_env_old_prefix);
	ck_assert_str_eq(text_at(cfg, cfg->notes[0].token), "SGL_DISAGGREGATION_QUEUE_SIZE");
	ck_assert_str_eq(text_at(cfg, cfg->notes[0].nearest), "SGLANG_DISAGGREGATION_QUEUE_SIZE");
	ck_assert_str_eq(text_at(cfg, cfg->origin[F_env_disaggregation_queue_size].text), "SGL_DISAGGREGATION_QUEUE_SIZE");
	pdcfg_free(cfg);
	cfg = ENVIRONMENT("SGL_MOONCAKE_MASTER=x", "MOONCAKE_MASTER=y"); /* not SGLANG_MOONCAKE_MASTER */
	ck_assert_str_eq(text_at(cfg, cfg->v[F_env_mooncake_master]), "y");
	pdcfg_free(cfg);
}
END_TEST

START_TEST(a_renamed_variable_is_copied_over_the_new_name_and_the_old_prefix_over_both)
{
	pdcfg_t *cfg = ENVIRONMENT("SGLANG_CUTEDSL_MOE_NVFP4_DISPATCH=1", "SGLANG_MOE_NVFP4_DISPATCH=0");
	ck_assert(cfg->v[F_env_moe_nvfp4_dispatch] == 1);
	ck_assert_uint_eq(cfg->notes[0].code, CODE_env_renamed);
	pdcfg_free(cfg);
	cfg = ENVIRONMENT("SGL_MOE_NVFP4_DISPATCH=0", "SGLANG_CUTEDSL_MOE_NVFP4_DISPATCH=1");
	ck_assert(cfg->v[F_env_moe_nvfp4_dispatch] == 0);
	pdcfg_free(cfg);
	cfg = ENVIRONMENT("SGL_CUTEDSL_MOE_NVFP4_DISPATCH=1"); /* the prefix is looked at last */
	ck_assert_int_eq(pdcfg_is_set(cfg, pdcfg_fields[F_env_moe_nvfp4_dispatch].key), 0);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(bad_milliseconds_stop_the_import_before_the_arguments)
{
	const char *const tokens[] = { "--tp-size", "x" };
	const char *const entries[] = { "SGLANG_FORWARD_TIMEOUT_MS=30s", "SGLANG_QUEUED_TIMEOUT_MS=1e3", NULL };
	pdcfg_t *cfg = fresh();
	pdcfg_report *rep;
	ck_assert_int_eq(pdcfg_parse_argv(cfg, 2, tokens), PDCFG_OK);
	ck_assert_int_eq(pdcfg_parse_environ(cfg, entries), PDCFG_OK);
	ck_assert_int_eq(pdcfg_validate(cfg, &rep), PDCFG_REFUSED);
	size_t first = (size_t)pdcfg_report_first_refusal(rep);
	ck_assert_str_eq(pdcfg_finding_rule(rep, first), "env-milliseconds-unreadable");
	ck_assert_str_eq(pdcfg_finding_exception(rep, first), "ValueError");
	pdcfg_report_free(rep);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(values_remember_their_variable)
{
	pdcfg_t *cfg = ENVIRONMENT("PATH=/bin", "nonsense", "=x", "SGLANG_DISAGG_STAGING_BUFFER=1");
	const struct origin *o = &cfg->origin[F_env_disagg_staging_buffer];
	ck_assert_uint_eq(o->kind, PDCFG_FROM_ENVIRONMENT);
	ck_assert_int_eq(o->index, -1);
	ck_assert_str_eq(text_at(cfg, o->text), "SGLANG_DISAGG_STAGING_BUFFER");
	ck_assert_uint_eq(cfg->note_count, 0);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(facts_are_read_as_a_person_writes_them)
{
	static const struct { const char *name, *text; unsigned field; int64_t value; } facts[] = {
		{ "model.is_mla", "true", F_model_is_mla, 1 }, { "model.is_mla", "No", F_model_is_mla, 0 }, { "platform.sm", " 90 ", F_platform_sm, 90 },
		{ "platform.sm", "None", F_platform_sm, NONE }, { "platform.packages", "", F_platform_packages, 0 }, { "pd_required", "1", F_pd_required, 1 } };
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
		pdcfg_t *cfg = fresh();
		ck_assert_int_eq(pdcfg_set_arg(cfg, facts[i].name, facts[i].text), PDCFG_OK);
		ck_assert_msg(cfg->v[facts[i].field] == facts[i].value, "case %zu", i);
		ck_assert_uint_eq(cfg->note_count, 0);
		pdcfg_free(cfg);
	}
	pdcfg_t *cfg = fresh(), *list = fresh();
	const char *const items[] = { "mooncake", "nixl" };
	ck_assert_int_eq(pdcfg_set_arg(cfg, "platform.packages", " mooncake ,nixl"), PDCFG_OK);
	ck_assert_int_eq(pdcfg_set_list(list, PDCFG_KEY_PLATFORM_PACKAGES, items, 2), PDCFG_OK);
	size_t a, b;
	const char *got = pdcfg_pool_text(&cfg->pool, cfg->v[F_platform_packages], &a), *want = pdcfg_pool_text(&list->pool, list->v[F_platform_packages], &b);
	ck_assert_uint_eq(a, b);
	ck_assert(!memcmp(got, want, a));
	pdcfg_free(list);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(a_fact_that_cannot_be_read_stays_unknown_until_it_can)
{
	pdcfg_t *cfg = fresh();
	ck_assert_int_eq(pdcfg_set_arg(cfg, "platform.sm", "hopper"), PDCFG_OK);
	ck_assert(cfg->v[F_platform_sm] == UNKNOWN);
	ck_assert_uint_eq(cfg->note_count, 1);
	ck_assert_uint_eq(cfg->notes[0].code, CODE_fact_not_readable);
	ck_assert(cfg->notes[0].warning);
	ck_assert_int_eq(pdcfg_set_arg(cfg, "platform.sm", "90"), PDCFG_OK);
	ck_assert(cfg->v[F_platform_sm] == 90);
	ck_assert_uint_eq(cfg->note_count, 0);
	pdcfg_free(cfg);
}
END_TEST

static void *failing(void *ctx, void *old, size_t old_size, size_t new_size)
{
	long *left = ctx;
	(void)old_size;
	if (!new_size) {
		free(old);
		return NULL;
	}
	return (*left)-- ? realloc(old, new_size) : NULL;
}

START_TEST(without_memory_nothing_changes)
{
	const char *const entries[] = { "SGLANG_DISAGGREGATION_QUEUE_SIZE=x", "SGL_MOONCAKE_CUSTOM_MEM_POOL=some pool", "SGLANG_QUEUED_TIMEOUT_MS=x", NULL };
	int32_t status = PDCFG_E_NOMEM;
	long failures = 0;
	while (status == PDCFG_E_NOMEM) {
		long left = -1;
		pdcfg_t *cfg;
		ck_assert_int_eq(pdcfg_new_with(failing, &left, &cfg), PDCFG_OK);
		left = failures++;
		status = pdcfg_parse_environ(cfg, entries);
		ck_assert_int_eq(pdcfg_is_set(cfg, pdcfg_fields[F_env_mooncake_custom_mem_pool].key), status >= 0);
		ck_assert_uint_eq(cfg->note_count, status < 0 ? 0 : 3);
		left = -1;
		pdcfg_free(cfg);
	}
	ck_assert_int_eq(status, PDCFG_OK);
	ck_assert_int_gt(failures, 3);
}
END_TEST

START_TEST(bad_calls_are_refused)
{
	pdcfg_t *cfg = fresh();
	char *huge = malloc(PDCFG_TEXT_MAX + 64);
	strcpy(huge, "MOONCAKE_MASTER=");
	memset(huge + 16, 'x', PDCFG_TEXT_MAX + 1);
	huge[16 + PDCFG_TEXT_MAX + 1] = 0;
	ck_assert_int_eq(pdcfg_parse_environ(NULL, (const char *const[]){ NULL }), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_parse_environ(cfg, NULL), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_parse_environ(cfg, (const char *const[]){ NULL }), PDCFG_OK);
	ck_assert_int_eq(pdcfg_parse_environ(cfg, (const char *const[]){ huge, NULL }), PDCFG_E_LIMIT);
	huge[0] = 'x'; /* nobody reads it now */
	ck_assert_int_eq(pdcfg_parse_environ(cfg, (const char *const[]){ huge, NULL }), PDCFG_OK);
	free(huge);
	pdcfg_free(cfg);
}
END_TEST

Suite *suite_environ(void)
{
	Suite *s = suite_create("environ");
	TCase *t = tcase_create("environ");
	tcase_add_test(t, registered_variables_are_read_as_the_registry_does);
	tcase_add_test(t, raw_variables_are_taken_as_they_are);
	tcase_add_test(t, a_number_that_raises_when_read_is_unknown);
	tcase_add_test(t, the_first_definition_counts);
	tcase_add_test(t, the_old_prefix_is_copied_over_the_new_name);
	tcase_add_test(t, a_renamed_variable_is_copied_over_the_new_name_and_the_old_prefix_over_both);
	tcase_add_test(t, bad_milliseconds_stop_the_import_before_the_arguments);
	tcase_add_test(t, values_remember_their_variable);
	tcase_add_test(t, facts_are_read_as_a_person_writes_them);
	tcase_add_test(t, a_fact_that_cannot_be_read_stays_unknown_until_it_can);
	tcase_add_test(t, without_memory_nothing_changes);
	tcase_add_test(t, bad_calls_are_refused);
	suite_add_tcase(s, t);
	return s;
}
