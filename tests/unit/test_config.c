/* The handle: setters, names, limits, and what bad input gets. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <pdcfg/pdcfg.h>
#include "suites.h"

static pdcfg_t *fresh(void)
{
	pdcfg_t *cfg = (pdcfg_t *)(void *)&cfg; /* rubbish that pdcfg_new must replace */
	ck_assert_int_eq(pdcfg_new(&cfg), PDCFG_OK);
	return cfg;
}

START_TEST(null_handles_are_refused)
{
	pdcfg_t *out = (pdcfg_t *)(void *)&out;
	pdcfg_report *rep = (pdcfg_report *)(void *)&rep;
	int64_t n;
	ck_assert_int_eq(pdcfg_new(NULL), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_clone(NULL, &out), PDCFG_E_INVALID);
	ck_assert_ptr_null(out);
	ck_assert_int_eq(pdcfg_reset(NULL), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_set_tp_size(NULL, 8), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_set_disaggregation_mode(NULL, "prefill"), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_set_arg(NULL, "--tp", "8"), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_set_pd_required(NULL, 1), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_parse_argv(NULL, 0, NULL), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_parse_environ(NULL, NULL), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_use_platform(NULL, "h100"), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_is_set(NULL, PDCFG_KEY_TP_SIZE), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_get_i64(NULL, PDCFG_KEY_TP_SIZE, &n), PDCFG_E_INVALID);
	ck_assert_str_eq(pdcfg_get_text(NULL, PDCFG_KEY_MODEL_PATH), "");
	ck_assert_int_eq(pdcfg_validate(NULL, &rep), PDCFG_E_INVALID);
	ck_assert_ptr_null(rep);
	ck_assert_int_eq(pdcfg_validate(NULL, NULL), PDCFG_E_INVALID);
	pdcfg_free(NULL);
	pdcfg_report_free(NULL);
}
END_TEST

START_TEST(setters_check_type_and_never_meaning)
{
	pdcfg_t *cfg = fresh();
	int64_t n = 77;
	ck_assert_int_eq(pdcfg_set_port(cfg, 70000), PDCFG_OK);
	ck_assert_int_eq(pdcfg_get_i64(cfg, PDCFG_KEY_PORT, &n), PDCFG_OK);
	ck_assert_int_eq(n, 70000);
	ck_assert_int_eq(pdcfg_set_i64(cfg, PDCFG_KEY_MODEL_PATH, 1), PDCFG_E_TYPE);
	ck_assert_int_eq(pdcfg_set_text(cfg, PDCFG_KEY_PORT, "1"), PDCFG_E_TYPE);
	ck_assert_int_eq(pdcfg_set_f64(cfg, PDCFG_KEY_PORT, 1.0), PDCFG_E_TYPE);
	ck_assert_int_eq(pdcfg_set_list(cfg, PDCFG_KEY_PORT, NULL, 0), PDCFG_E_TYPE);
	ck_assert_int_eq(pdcfg_set_i64(cfg, PDCFG_KEY_MEM_FRACTION_STATIC, 1), PDCFG_E_TYPE);
	ck_assert_int_eq(pdcfg_set_f64(cfg, PDCFG_KEY_MEM_FRACTION_STATIC, 0.5), PDCFG_OK);
	ck_assert_int_eq(pdcfg_set_i64(cfg, 999999, 1), PDCFG_E_KEY);
	ck_assert_int_eq(pdcfg_set_i64(cfg, 0, 1), PDCFG_E_KEY);
	ck_assert_int_eq(pdcfg_unset(cfg, 0), PDCFG_E_KEY);
	ck_assert_int_eq(pdcfg_set_none(cfg, 4), PDCFG_E_KEY);
	ck_assert_int_eq(pdcfg_set_arg(cfg, "--no-such-option", "1"), PDCFG_E_KEY);
	ck_assert_int_eq(pdcfg_set_arg(cfg, "NO_SUCH_VARIABLE", "1"), PDCFG_E_KEY);
	ck_assert_int_eq(pdcfg_get_i64(cfg, PDCFG_KEY_PORT, &n), PDCFG_OK);
	ck_assert_int_eq(n, 70000);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(unset_none_unknown_and_default_are_four_things)
{
	pdcfg_t *cfg = fresh();
	int64_t n = 77;
	ck_assert_int_eq(pdcfg_is_set(cfg, PDCFG_KEY_PAGE_SIZE), 0);
	ck_assert_int_eq(pdcfg_get_i64(cfg, PDCFG_KEY_PAGE_SIZE, &n), PDCFG_E_INVALID);
	ck_assert_int_eq(n, 77);
	ck_assert_int_eq(pdcfg_set_page_size(cfg, 64), PDCFG_OK);
	ck_assert_int_eq(pdcfg_is_set(cfg, PDCFG_KEY_PAGE_SIZE), 1);
	ck_assert_int_eq(pdcfg_set_none(cfg, PDCFG_KEY_PAGE_SIZE), PDCFG_OK);
	ck_assert_int_eq(pdcfg_is_set(cfg, PDCFG_KEY_PAGE_SIZE), 1);
	ck_assert_int_eq(pdcfg_get_i64(cfg, PDCFG_KEY_PAGE_SIZE, &n), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_set_unknown(cfg, PDCFG_KEY_PAGE_SIZE, "${PAGE}"), PDCFG_OK);
	ck_assert_int_eq(pdcfg_is_set(cfg, PDCFG_KEY_PAGE_SIZE), 1);
	ck_assert_int_eq(pdcfg_unset(cfg, PDCFG_KEY_PAGE_SIZE), PDCFG_OK);
	ck_assert_int_eq(pdcfg_is_set(cfg, PDCFG_KEY_PAGE_SIZE), 0);
	ck_assert_int_eq(pdcfg_set_port(cfg, 30000), PDCFG_OK);
	ck_assert_int_eq(pdcfg_is_set(cfg, PDCFG_KEY_PORT), 1);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(limits_hold_and_change_nothing)
{
	pdcfg_t *cfg = fresh();
	size_t size = PDCFG_TEXT_MAX + 2;
	char *text = malloc(size);
	ck_assert_ptr_nonnull(text);
	memset(text, 'x', size);
	text[size - 1] = 0;
	ck_assert_int_eq(pdcfg_set_model_path(cfg, "before"), PDCFG_OK);
	ck_assert_int_eq(pdcfg_set_model_path(cfg, text), PDCFG_E_LIMIT);
	ck_assert_str_eq(pdcfg_get_text(cfg, PDCFG_KEY_MODEL_PATH), "before");
	text[PDCFG_TEXT_MAX] = 0;
	ck_assert_int_eq(pdcfg_set_model_path(cfg, text), PDCFG_OK);
	ck_assert_str_eq(pdcfg_get_text(cfg, PDCFG_KEY_MODEL_PATH), text);
	const char *const one[] = { "a" };
	ck_assert_int_eq(pdcfg_parse_argv(cfg, PDCFG_ARGS_MAX + 1, one), PDCFG_E_LIMIT);
	ck_assert_int_eq(pdcfg_parse_argv(cfg, -1, one), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_set_list(cfg, PDCFG_KEY_LORA_PATHS, one, (size_t)PDCFG_ARGS_MAX + 1), PDCFG_E_LIMIT);
	ck_assert_int_eq(pdcfg_set_list(cfg, PDCFG_KEY_LORA_PATHS, NULL, 1), PDCFG_E_INVALID);
	const char *const bad[] = { "12", "x" };
	ck_assert_int_eq(pdcfg_set_cuda_graph_bs_decode(cfg, bad, 2), PDCFG_E_TYPE);
	ck_assert_int_eq(pdcfg_set_cuda_graph_bs_decode(cfg, bad, 1), PDCFG_OK);
	free(text);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(copies_are_independent)
{
	pdcfg_t *cfg = fresh(), *copy;
	char text[] = "model-a";
	ck_assert_int_eq(pdcfg_set_model_path(cfg, text), PDCFG_OK);
	text[6] = 'z';
	ck_assert_str_eq(pdcfg_get_text(cfg, PDCFG_KEY_MODEL_PATH), "model-a");
	ck_assert_int_eq(pdcfg_clone(cfg, &copy), PDCFG_OK);
	ck_assert_int_eq(pdcfg_set_model_path(cfg, "model-b"), PDCFG_OK);
	ck_assert_str_eq(pdcfg_get_text(copy, PDCFG_KEY_MODEL_PATH), "model-a");
	ck_assert_int_eq(pdcfg_reset(cfg), PDCFG_OK);
	ck_assert_str_eq(pdcfg_get_text(cfg, PDCFG_KEY_MODEL_PATH), "");
	ck_assert_int_eq(pdcfg_is_set(cfg, PDCFG_KEY_MODEL_PATH), 0);
	pdcfg_free(cfg);
	ck_assert_str_eq(pdcfg_get_text(copy, PDCFG_KEY_MODEL_PATH), "model-a");
	pdcfg_free(copy);
}
END_TEST

START_TEST(one_known_trait_makes_the_others_ordinary)
{
	pdcfg_t *cfg = fresh();
	pdcfg_report *rep;
	ck_assert_int_eq(pdcfg_set_model_is_mla(cfg, 1), PDCFG_OK);
	ck_assert_int_eq(pdcfg_set_model_path(cfg, "m"), PDCFG_OK);
	ck_assert_int_ge(pdcfg_validate(cfg, &rep), 0);
	ck_assert_str_eq(pdcfg_resolved_text(rep, PDCFG_KEY_MODEL_MAMBA_KIND), "none");
	ck_assert_uint_eq(pdcfg_resolved_origin(rep, PDCFG_KEY_MODEL_MAMBA_KIND), PDCFG_FROM_ASSUMPTION);
	ck_assert_str_eq(pdcfg_resolved_text(rep, PDCFG_KEY_MODEL_NUM_HIDDEN_LAYERS), "?");
	pdcfg_report_free(rep);
	ck_assert_int_eq(pdcfg_set_unknown(cfg, PDCFG_KEY_MODEL_MAMBA_KIND, NULL), PDCFG_OK);
	ck_assert_int_ge(pdcfg_validate(cfg, &rep), 0);
	ck_assert_str_eq(pdcfg_resolved_text(rep, PDCFG_KEY_MODEL_MAMBA_KIND), "?");
	pdcfg_report_free(rep);
	ck_assert_int_eq(pdcfg_unset(cfg, PDCFG_KEY_MODEL_MAMBA_KIND), PDCFG_OK);
	ck_assert_int_eq(pdcfg_unset(cfg, PDCFG_KEY_MODEL_IS_MLA), PDCFG_OK);
	ck_assert_int_ge(pdcfg_validate(cfg, &rep), 0);
	ck_assert_str_eq(pdcfg_resolved_text(rep, PDCFG_KEY_MODEL_MAMBA_KIND), "?");
	pdcfg_report_free(rep);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(every_key_has_a_name_a_type_and_a_way_back)
{
	size_t n = 0;
	for (uint32_t key = pdcfg_key_next(0); key; key = pdcfg_key_next(key), n++) {
		const char *name = pdcfg_key_name(key);
		ck_assert_msg(*name, "key %u", key);
		ck_assert_msg(pdcfg_key_by_name(name) == key, "%s", name);
		ck_assert_uint_ge(pdcfg_key_type(key), PDCFG_TYPE_BOOL);
		ck_assert_uint_le(pdcfg_key_type(key), PDCFG_TYPE_FLOATS);
		ck_assert_uint_ge(pdcfg_key_kind(key), PDCFG_KIND_ARGUMENT);
		if (*pdcfg_key_option(key)) ck_assert_msg(pdcfg_key_by_name(pdcfg_key_option(key)) == key, "%s", pdcfg_key_option(key));
		for (size_t c = 0; c < pdcfg_key_choices(key); c++) ck_assert_msg(*pdcfg_key_choice(key, c), "choice %zu of %s", c, name);
		ck_assert_str_eq(pdcfg_key_choice(key, pdcfg_key_choices(key)), "");
	}
	ck_assert_uint_gt(n, 700);
	ck_assert_uint_eq(pdcfg_key_next(123456789), 0);
	ck_assert_uint_eq(pdcfg_key_by_name("tp_sizes"), 0);
	ck_assert_uint_eq(pdcfg_key_by_name(NULL), 0);
	ck_assert_uint_eq(pdcfg_key_by_name("--tp"), 0); /* an abbreviation is for command lines */
	ck_assert_uint_eq(pdcfg_key_by_name("--tensor-parallel-size"), PDCFG_KEY_TP_SIZE);
	ck_assert_uint_eq(pdcfg_key_by_name("SGLANG_DISAGG_STAGING_BUFFER"), PDCFG_KEY_ENV_DISAGG_STAGING_BUFFER);
	ck_assert_uint_eq(pdcfg_key_by_name("model.is_mla"), PDCFG_KEY_MODEL_IS_MLA);
	ck_assert_uint_eq(pdcfg_key_by_name("is_mla"), PDCFG_KEY_MODEL_IS_MLA);
	ck_assert_str_eq(pdcfg_key_default(PDCFG_KEY_DISAGGREGATION_BOOTSTRAP_PORT), "8998");
	ck_assert_str_eq(pdcfg_key_default(PDCFG_KEY_MODEL_IS_MLA), "?");
}
END_TEST

START_TEST(platforms_bring_their_facts)
{
	pdcfg_t *cfg = fresh();
	size_t n = 0;
	for (const char *p = pdcfg_platform_next(""); *p; p = pdcfg_platform_next(p), n++) {
		int64_t sm = 0;
		ck_assert_int_eq(pdcfg_use_platform(cfg, p), PDCFG_OK);
		ck_assert_int_eq(pdcfg_get_i64(cfg, PDCFG_KEY_PLATFORM_SM, &sm), PDCFG_OK);
		ck_assert_int_ge(sm, 80);
	}
	ck_assert_uint_ge(n, 10);
	ck_assert_int_eq(pdcfg_use_platform(cfg, "h100"), PDCFG_OK);
	ck_assert_int_eq(pdcfg_use_platform(cfg, "h1000"), PDCFG_E_KEY);
	ck_assert_str_eq(pdcfg_get_text(cfg, PDCFG_KEY_PLATFORM_DEVICE), "cuda");
	pdcfg_free(cfg);
}
END_TEST

START_TEST(origins_can_be_given)
{
	pdcfg_t *cfg = fresh();
	ck_assert_int_eq(pdcfg_set_origin(cfg, PDCFG_KEY_TP_SIZE, PDCFG_FROM_FILE, "a.yaml", 3, 5), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_set_tp_size(cfg, 8), PDCFG_OK);
	ck_assert_int_eq(pdcfg_set_origin(cfg, PDCFG_KEY_TP_SIZE, PDCFG_FROM_FILE, "a.yaml", 3, 5), PDCFG_OK);
	ck_assert_int_eq(pdcfg_set_origin(cfg, PDCFG_KEY_TP_SIZE, 99, "a.yaml", 3, 5), PDCFG_E_INVALID);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(states_cannot_be_set)
{
	pdcfg_t *cfg = fresh();
	for (uint32_t key = pdcfg_key_next(0); key; key = pdcfg_key_next(key)) {
		if (pdcfg_key_kind(key) != PDCFG_KIND_STATE) continue;
		ck_assert_int_eq(pdcfg_set_i64(cfg, key, 1), PDCFG_E_KEY);
		ck_assert_int_eq(pdcfg_set_text(cfg, key, "x"), PDCFG_E_KEY);
		ck_assert_int_eq(pdcfg_set_none(cfg, key), PDCFG_E_KEY);
		ck_assert_int_eq(pdcfg_set_arg(cfg, pdcfg_key_name(key), "1"), PDCFG_E_KEY);
	}
	pdcfg_free(cfg);
}
END_TEST

START_TEST(the_last_word_on_a_field_replaces_what_was_wrong_before)
{
	pdcfg_t *cfg;
	ck_assert_int_eq(pdcfg_new(&cfg), PDCFG_OK);
	pdcfg_set_arg(cfg, "--tp-size", "x");
	ck_assert_int_eq(pdcfg_validate(cfg, NULL), PDCFG_REFUSED);
	pdcfg_set_tp_size(cfg, 2);
	ck_assert_int_ne(pdcfg_validate(cfg, NULL), PDCFG_REFUSED);
	pdcfg_set_arg(cfg, "--tp-size", "x");
	pdcfg_unset(cfg, PDCFG_KEY_TP_SIZE);
	ck_assert_int_ne(pdcfg_validate(cfg, NULL), PDCFG_REFUSED);
	/* an argument vector is refused as a whole, whatever is said later */
	pdcfg_parse_argv(cfg, 4, (const char *const[]){ "--model-path", "m", "--tp-size", "x" });
	pdcfg_set_tp_size(cfg, 2);
	ck_assert_int_eq(pdcfg_validate(cfg, NULL), PDCFG_REFUSED);
	pdcfg_free(cfg);
}
END_TEST

Suite *suite_config(void)
{
	Suite *s = suite_create("config");
	TCase *t = tcase_create("config");
	tcase_add_test(t, null_handles_are_refused);
	tcase_add_test(t, setters_check_type_and_never_meaning);
	tcase_add_test(t, unset_none_unknown_and_default_are_four_things);
	tcase_add_test(t, limits_hold_and_change_nothing);
	tcase_add_test(t, copies_are_independent);
	tcase_add_test(t, one_known_trait_makes_the_others_ordinary);
	tcase_add_test(t, every_key_has_a_name_a_type_and_a_way_back);
	tcase_add_test(t, platforms_bring_their_facts);
	tcase_add_test(t, origins_can_be_given);
	tcase_add_test(t, states_cannot_be_set);
	tcase_add_test(t, the_last_word_on_a_field_replaces_what_was_wrong_before);
	suite_add_tcase(s, t);
	return s;
}
