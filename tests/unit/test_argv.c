/*
 * The command line. What is expected in the two tables was measured on CPython 3.11's argparse with SGLang's own parser; the rest says what we
 * promise beyond it.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pdcfg/files.h>
#include "reading.h"
#include "suites.h"

enum { TOKENS_MAX = 10 };

static pdcfg_t *fresh(void)
{
	pdcfg_t *cfg;
	ck_assert_int_eq(pdcfg_new(&cfg), PDCFG_OK);
	return cfg;
}

static int32_t count(const char *const *tokens)
{
	int32_t n = 0;
	while (n < TOKENS_MAX && tokens[n]) n++;
	return n;
}

/* the arguments behind --model-path m */
#define PARSED(...) parsed((const char *const[]){ "--model-path", "m", __VA_ARGS__, NULL })
static pdcfg_t *parsed(const char *const *tokens)
{
	pdcfg_t *cfg = fresh();
	int32_t n = 0;
	while (tokens[n]) n++;
	ck_assert_int_eq(pdcfg_parse_argv(cfg, n, tokens), PDCFG_OK);
	return cfg;
}

static bool is_utf8(const char *s, size_t n) { return pdcfg_utf8_valid(s, n) == n; }

static const char *text_at(const pdcfg_t *cfg, int64_t cell)
{
	size_t len;
	return pdcfg_pool_text(&cfg->pool, cell, &len);
}

/* the nth note of the row, NULL for none */
static const struct note *note_of(const pdcfg_t *cfg, unsigned code, unsigned n)
{
	for (uint32_t i = 0; i < cfg->note_count; i++)
		if (cfg->notes[i].code == code && !n--) return &cfg->notes[i];
	return NULL;
}

static unsigned errors_in(const pdcfg_t *cfg)
{
	unsigned n = 0;
	for (uint32_t i = 0; i < cfg->note_count; i++) n += !cfg->notes[i].warning;
	return n;
}

/* a value as Python prints it */
static const char *shown(const pdcfg_t *cfg, const char *name)
{
	static char out[256];
	const struct field *f = &pdcfg_fields[pdcfg_field_by_name(name, strlen(name))];
	int64_t v = cfg->v[f - pdcfg_fields];
	size_t len, used = 1;
	ck_assert_uint_ne(f->key, 0);
	if (v == UNKNOWN) return "?";
	if (v == NONE) return "None";
	const char *all = pdcfg_pool_text(&cfg->pool, v, &len);
	strcpy(out, "[");
	switch (f->type) {
	case PDCFG_TYPE_BOOL:  return v ? "True" : "False";
	case PDCFG_TYPE_INT:   snprintf(out, sizeof out, "%lld", (long long)v); return out;
	case PDCFG_TYPE_FLOAT: pdcfg_print_float(cell_real(v), out); return out;
	case PDCFG_TYPE_TEXT:  return all;
	default: break;
	}
	for (size_t at = 0; at < len; at += strlen(all + at) + 1)
		used += (size_t)snprintf(out + used, sizeof out - used, f->type == PDCFG_TYPE_TEXTS ? "%s'%s'" : "%s%s", at ? ", " : "", all + at);
	strcpy(out + used, "]");
	return out;
}

/* ---- argparse's errors ---- */

static const struct {
	const char *class, *option; /* as argparse says them */
	int index;                  /* of the word that is wrong */
	const char *tokens[TOKENS_MAX];
} errors[] = {
	{ "invalid-value", "--tp-size", 3, { "--model-path", "m", "--tp-size", "x" } },
	{ "invalid-value", "--tp-size", 3, { "--model-path", "m", "--tp-size", "2.0" } },
	{ "invalid-value", "--tp-size", 2, { "--model-path", "m", "--tp-size=" } },
	{ "invalid-value", "--tp-size", 2, { "--model-path", "m", "--tp-size=x" } },
	{ "invalid-value", "--mem-fraction-static", 3, { "--model-path", "m", "--mem-fraction-static", "85%" } },
	{ "type-error", "--context-length", 3, { "--model-path", "m", "--context-length", "8K" } },
	{ "type-error", "--context-length", 3, { "--model-path", "m", "--context-length", "1.5Ki" } },
	{ "invalid-choice", "--disaggregation-mode", 3, { "--model-path", "m", "--disaggregation-mode", "pefill" } },
	{ "invalid-choice", "--disaggregation-mode", 2, { "--model-path", "m", "--disaggregation-mode=Prefill" } },
	{ "invalid-choice", "--log-requests-level", 3, { "--model-path", "m", "--log-requests-level", "4" } },
	{ "invalid-value", "--log-requests-level", 3, { "--model-path", "m", "--log-requests-level", "x" } },
	{ "invalid-choice", "--lora-target-modules", 4, { "--model-path", "m", "--lora-target-modules", "q_proj", "nope", "x" } },
	{ "invalid-value", "--numa-node", 4, { "--model-path", "m", "--numa-node", "0", "x", "1" } },
	{ "expected-one-argument", "--tp-size", 2, { "--model-path", "m", "--tp-size" } },
	{ "expected-one-argument", "--tp-size", 2, { "--model-path", "m", "--tp-size", "--dp-size", "8" } },
	{ "expected-one-argument", "--tp-size", 2, { "--model-path", "m", "--tp-size", "--" } },
	{ "expected-one-argument", "--tp-size", 2, { "--model-path", "m", "--tp-size", "-x" } },
	{ "expected-one-argument", "--tp-size", 2, { "--model-path", "m", "--tp-size", "-1e-2" } },
	{ "expected-arguments", "--numa-node", 2, { "--model-path", "m", "--numa-node" } },
	{ "expected-arguments", "--numa-node", 2, { "--model-path", "m", "--numa-node", "--tp-size", "8" } },
	{ "explicit-argument", "--disable-radix-cache", 2, { "--model-path", "m", "--disable-radix-cache=true" } },
	{ "explicit-argument", "--disable-radix-cache", 2, { "--model-path", "m", "--disable-radix-cache=" } },
	{ "explicit-argument", "--dllm-fdfo", 2, { "--model-path", "m", "--no-dllm-fdfo=1" } },
	{ "explicit-argument", "--disable-cuda-graph", 2, { "--model-path", "m", "--disable-cuda-graph=1" } },
	{ "ambiguous", "", 2, { "--model-path", "m", "--pp", "2" } },
	{ "expected-one-argument", "--model-path", 2, { "--model-path", "m", "--model-path" } },
	{ "ambiguous", "", 2, { "--model-path", "m", "--mod", "x" } },
	{ "ambiguous", "", 2, { "--model-path", "m", "--=x" } },
	{ "ambiguous", "", 2, { "--model-path", "m", "--disagg", "decode" } },
	{ "unrecognized", "", 2, { "--model-path", "m", "--tp_size", "8" } },
	{ "unrecognized", "", 2, { "--model-path", "m", "-tp", "8" } },
	{ "unrecognized", "", 3, { "--model-path", "m", "--enable-metrics", "true" } },
	{ "unrecognized", "", 4, { "--model-path", "m", "--tp-size", "8", "9" } },
	{ "unrecognized", "", 2, { "--model-path", "m", "--no-enable-metrics" } },
	{ "unrecognized", "", 2, { "--model-path", "m", "stray" } },
	{ "unrecognized", "", 2, { "--model-path", "m", "-" } },
	{ "unrecognized", "", 2, { "--model-path", "m", "--" } },
	{ "unrecognized", "", 2, { "--model-path", "m", "--", "--tp-size", "8" } },
	{ "unrecognized", "", 2, { "--model-path", "m", "-5" } },
	{ "unrecognized", "", 2, { "--model-path", "m", "--x y" } },
	{ "unrecognized", "", 2, { "--model-path", "m", "-x" } },
	{ "explicit-argument", "-h", 2, { "--model-path", "m", "-hx" } },
	{ "explicit-argument", "-h", 2, { "--model-path", "m", "-h=" } },
	{ "explicit-argument", "-h", 2, { "--model-path", "m", "-h=x" } },
	{ "explicit-argument", "-h", 2, { "--model-path", "m", "--help=x" } },
	{ "required", "", -1, { "--tp-size", "8" } },
	{ "required", "", -1, { NULL } },
	{ "required", "", -1, { "--model_path", "m" } },
	{ "invalid-value", "--tp-size", 1, { "--tp-size", "x" } },
	{ "ambiguous", "", 4, { "--model-path", "m", "--tp-size", "x", "--pp", "2" } },
	{ "type-error", "", 2, { "--model-path", "m", "--enable-expert-distribution-metrics" } },
	{ "invalid-choice", "--nsa-prefill-backend", 3, { "--model-path", "m", "--nsa-prefill-backend", "x" } },
	{ "invalid-value", "--tp-size", 4, { "--model-path", "m", "--stray", "--tp-size", "x" } },
	{ "invalid-value", "--tp-size", 3, { "--model-path", "m", "--tp-size", "x", "-h" } },
	{ "ambiguous", "", 3, { "--model-path", "m", "-h", "--pp", "2" } },
	{ "invalid-value", "--cuda-graph-bs", 4, { "--model-path", "m", "--cuda-graph-bs", "1", "x" } },
	{ "invalid-choice", "--max-lora-chunk-size", 3, { "--model-path", "m", "--max-lora-chunk-size", "17" } },
	{ "invalid-value", "--fuseep-mode", 3, { "--model-path", "m", "--fuseep-mode", "1.0" } },
	{ "invalid-value", "--tp-size", 3, { "--model-path", "m", "--tp-size", "\xc2\xb2" } },
	{ "invalid-value", "--tp-size", 3, { "--model-path", "m", "--tp-size", " " } },
	{ "expected-one-argument", "--host", 2, { "--model-path", "m", "--host", "-x" } },
};

START_TEST(the_first_error_is_argparses)
{
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		pdcfg_t *cfg = fresh();
		pdcfg_report *rep;
		ck_assert_int_eq(pdcfg_parse_argv(cfg, count(errors[i].tokens), errors[i].tokens), PDCFG_OK);
		ck_assert_int_eq(pdcfg_validate(cfg, &rep), PDCFG_REFUSED);
		size_t first = (size_t)pdcfg_report_first_refusal(rep);
		ck_assert_msg(!strcmp(pdcfg_parse_class_name(pdcfg_finding_parse_class(rep, first)), errors[i].class), "case %zu: %s", i,
		              pdcfg_finding_message(rep, first));
		ck_assert_msg(!*errors[i].option || !strcmp(pdcfg_finding_parse_option(rep, first), errors[i].option), "case %zu: %s", i,
		              pdcfg_finding_message(rep, first));
		ck_assert_msg(pdcfg_finding_parse_index(rep, first) == errors[i].index, "case %zu: index %lld", i,
		              (long long)pdcfg_finding_parse_index(rep, first));
		ck_assert_str_eq(pdcfg_finding_exception(rep, first), "SystemExit");
		ck_assert_uint_eq(pdcfg_finding_phase(rep, first), PDCFG_PHASE_PARSE);
		if (errors[i].index >= 0) ck_assert_str_eq(pdcfg_finding_parse_token(rep, first), errors[i].tokens[errors[i].index]);
		pdcfg_report_free(rep);
		pdcfg_free(cfg);
	}
}
END_TEST

/* ---- values ---- */

static const struct {
	const char *field, *value;
	const char *tokens[TOKENS_MAX];
} values[] = {
	{ "tp_size", "8", { "--model-path", "m", "--tp-size", "8" } },
	{ "tp_size", "8", { "--model-path", "m", "--tp", "8" } },
	{ "tp_size", "4", { "--model-path", "m", "--tensor-parallel-size=4" } },
	{ "tp_size", "8", { "--model-path", "m", "--tp=8" } },
	{ "tp_size", "8", { "--model-path", "m", "--tp-size", " 0_8\t" } },
	{ "tp_size", "-1", { "--model-path", "m", "--tp-size", "-1" } },
	{ "mamba_max_states_per_path", "-5", { "--model-path", "m", "--mamba-max-states-per-path", "-5" } },
	{ "mem_fraction_static", "-0.5", { "--model-path", "m", "--mem-fraction-static", "-.5" } },
	{ "host", "-1", { "--model-path", "m", "--host", "-1" } },
	{ "host", "- x", { "--model-path", "m", "--host", "- x" } },
	{ "host", "-", { "--model-path", "m", "--host", "-" } },
	{ "host", "", { "--model-path", "m", "--host=" } },
	{ "host", "a=b", { "--model-path", "m", "--host=a=b" } },
	{ "host", "--tp size", { "--model-path", "m", "--host", "--tp size" } },
	{ "host", "b", { "--model-path", "m", "--host", "a", "--host", "b" } },
	{ "disable_radix_cache", "True", { "--model-path", "m", "--disable-radix-cache" } },
	{ "dllm_fdfo", "False", { "--model-path", "m", "--no-dllm-fdfo" } },
	{ "dllm_fdfo", "False", { "--model-path", "m", "--no-dllm" } },
	{ "dllm_fdfo", "False", { "--model-path", "m", "--dllm-fdfo", "--no-dllm-fdfo" } },
	{ "context_length", "8000", { "--model-path", "m", "--context-length", "8k" } },
	{ "max_total_tokens", "2097152", { "--model-path", "m", "--max-total-tokens", "2Mi" } },
	{ "quantization_param_path", "None", { "--model-path", "m", "--quantization-param-path", "None" } },
	{ "quantization_param_path", "x", { "--model-path", "m", "--quantization-param-path", "x" } },
	{ "model_checksum", "", { "--model-path", "m", "--model-checksum" } },
	{ "model_checksum", "x", { "--model-path", "m", "--model-checksum", "x" } },
	{ "model_checksum", "", { "--model-path", "m", "--model-checksum", "--tp-size", "8" } },
	{ "numa_node", "[0, 1, -2]", { "--model-path", "m", "--numa-node", "0", "01", "-2" } },
	{ "numa_node", "[3]", { "--model-path", "m", "--numa-node=3" } },
	{ "numa_node", "[]", { "--model-path", "m", "--numa-node=--" } },
	{ "bucket_time_to_first_token", "[1.0, 0.1, 1e+16]", { "--model-path", "m", "--bucket-time-to-first-token", "1", "0.10", "1e16" } },
	{ "lora_target_modules", "[]", { "--model-path", "m", "--lora-target-modules" } },
	{ "lora_target_modules", "['q_proj', 'all']", { "--model-path", "m", "--lora-target-modules", "q_proj", "all" } },
	{ "lora_paths", "['a=b', 'c']", { "--model-path", "m", "--lora-paths", " a=b ", "c" } },
	{ "lora_paths", "[]", { "--model-path", "m", "--lora-paths" } },
	{ "custom_weight_loader", "['a', '', 'b']", { "--model-path", "m", "--custom-weight-loader", "a", "", "b" } },
	{ "log_requests_level", "2", { "--model-path", "m", "--log-requests-level", "02" } },
	{ "max_lora_chunk_size", "64", { "--model-path", "m", "--max-lora-chunk-size", "64" } },
	{ "cuda_graph_max_bs_decode", "7", { "--model-path", "m", "--cuda-graph-max-bs", "7" } },
	{ "cuda_graph_backend_prefill", "breakable", { "--model-path", "m", "--enable-breakable-cuda-graph" } },
	{ "dsa_decode_backend", "fa3", { "--model-path", "m", "--nsa-decode-backend", "fa3" } },
	{ "mamba_radix_cache_strategy", "nonsense", { "--model-path", "m", "--mamba-scheduler-strategy", "nonsense" } },
	{ "disable_cuda_graph", "True", { "--model-path", "m", "--disable-cuda-graph" } },
	{ "tp_size", "9223372036854775807", { "--model-path", "m", "--tp-size", "99999999999999999999" } },
	{ "tp_size", "3", { "--model-path", "m", "--tp-size", "\xd9\xa3" } },
	{ "tp_size", "-1", { "--model-path", "m", "--tp-size", "-1\n" } },
	{ "model_path", "n", { "--model-path", "m", "--model", "n" } },
	{ "model_path", "n", { "--model-path", "m", "--tp-size", "8", "--model-path", "n" } },
	{ "lora_strict_loading", "True", { "--model-path", "m", "--lora-strict" } },
};

START_TEST(values_are_argparses)
{
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		pdcfg_t *cfg = fresh();
		ck_assert_int_eq(pdcfg_parse_argv(cfg, count(values[i].tokens), values[i].tokens), PDCFG_OK);
		ck_assert_uint_eq(errors_in(cfg), 0);
		ck_assert_msg(!strcmp(shown(cfg, values[i].field), values[i].value), "case %zu: %s", i, shown(cfg, values[i].field));
		pdcfg_free(cfg);
	}
}
END_TEST

START_TEST(a_value_that_does_not_parse_is_unknown_and_the_rest_is_read)
{
	pdcfg_t *cfg = PARSED("--tp-size", "x", "--dp-size", "4", "--disaggregation-mode", "pefill", "--page-size");
	ck_assert_str_eq(shown(cfg, "tp_size"), "?");
	ck_assert_str_eq(shown(cfg, "disaggregation_mode"), "?");
	ck_assert_str_eq(shown(cfg, "page_size"), "?");
	ck_assert_str_eq(shown(cfg, "dp_size"), "4");
	ck_assert_uint_eq(errors_in(cfg), 3);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(all_errors_are_noted_in_argparses_order)
{
	static const unsigned order[] = { CODE_argparse_ambiguous_abbreviation, CODE_argparse_ambiguous_abbreviation, CODE_argparse_invalid_int,
		CODE_argparse_flag_takes_no_value, CODE_argparse_model_path_required, CODE_argparse_unrecognized, CODE_argparse_stray_word,
		CODE_argparse_bad_log_level };
	const char *const tokens[] = { "--unknown", "--tp-size", "x", "word", "--pp", "2", "--disable-radix-cache=1", "--log-level", "loud", "--mod", "y" };
	pdcfg_t *cfg = fresh();
	ck_assert_int_eq(pdcfg_parse_argv(cfg, 11, tokens), PDCFG_OK);
	ck_assert_uint_eq(cfg->note_count, sizeof order / sizeof *order);
	for (size_t i = 0; i < cfg->note_count; i++) ck_assert_uint_eq(cfg->notes[i].code, order[i]);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(a_value_remembers_its_option_and_position)
{
	pdcfg_t *cfg = PARSED("--tp=8", "--dp", "2", "--page-size", "x", "--no-dllm-fdfo");
	static const struct { unsigned field; const char *text; int index; } origins[] = {
		{ F_model_path, "--model-path", 0 }, { F_tp_size, "--tp", 2 }, { F_dp_size, "--dp", 3 }, { F_page_size, "--page-size", 5 },
		{ F_dllm_fdfo, "--no-dllm-fdfo", 7 } };
	for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
		const struct origin *o = &cfg->origin[origins[i].field];
		ck_assert_uint_eq(o->kind, PDCFG_FROM_ARGUMENT);
		ck_assert_int_eq(o->index, origins[i].index);
		ck_assert_str_eq(text_at(cfg, o->text), origins[i].text);
	}
	pdcfg_free(cfg);
}
END_TEST

/* ---- hints ---- */

START_TEST(what_was_meant_is_named)
{
	static const struct { const char *token, *nearest; } hints[] = {
		{ "--tp_size=8", "--tp-size" }, { "-tp", "--tp-size" }, { "--disagregation-mode", "--disaggregation-mode" }, { "--TP-SIZE", "--tp-size" },
		{ "--no-enable-metrics", "--enable-metrics" }, { "--enable-nan-detection", "" }, { "--zzz", "" } };
	for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
		pdcfg_t *cfg = PARSED(hints[i].token);
		const struct note *note = note_of(cfg, CODE_argparse_unrecognized, 0);
		ck_assert_ptr_nonnull(note);
		ck_assert_str_eq(text_at(cfg, note->nearest), hints[i].nearest);
		pdcfg_free(cfg);
	}
	pdcfg_t *cfg = PARSED("--disaggregation-mode", "prefil");
	ck_assert_str_eq(text_at(cfg, cfg->notes[0].nearest), "prefill");
	pdcfg_free(cfg);
}
END_TEST

START_TEST(a_misspelt_setting_is_unknown_unless_it_is_given_elsewhere)
{
	pdcfg_t *cfg = PARSED("--tp_size", "8", "--pp", "2");
	ck_assert_str_eq(shown(cfg, "tp_size"), "?");
	ck_assert_str_eq(shown(cfg, "pp_size"), "?");
	ck_assert_str_eq(shown(cfg, "dp_size"), "1");
	ck_assert_uint_eq(cfg->note_count, 2); /* 8 and 2 belong to options that nobody knows */
	pdcfg_free(cfg);
	cfg = PARSED("--tp_size", "8", "--tp-size", "4");
	ck_assert_str_eq(shown(cfg, "tp_size"), "4");
	pdcfg_free(cfg);
}
END_TEST

START_TEST(a_secret_behind_a_misspelt_option_is_not_repeated)
{
	pdcfg_t *cfg = PARSED("--api_key=hunter2", "--admin_api_key", "hunter3", "--ssl-keyfile-passwort=hunter4");
	pdcfg_report *rep;
	ck_assert_int_eq(pdcfg_validate(cfg, &rep), PDCFG_REFUSED);
	ck_assert_uint_eq(pdcfg_report_errors(rep), 3);
	for (size_t i = 0; i < pdcfg_report_count(rep); i++) {
		ck_assert_ptr_null(strstr(pdcfg_finding_message(rep, i), "hunter"));
		ck_assert_ptr_null(strstr(pdcfg_finding_parse_token(rep, i), "hunter"));
	}
	pdcfg_report_free(rep);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(nearest_names_are_within_a_third_and_the_first_of_equals)
{
	size_t at, len;
	ck_assert_str_eq(pdcfg_nearest_option("--disaggregation-ib-devise", 26), "--disaggregation-ib-device");
	ck_assert_str_eq(pdcfg_nearest_option("--opp-size", 10), "--pp-size");
	ck_assert_str_eq(pdcfg_nearest_option("--xx", 4), "");
	ck_assert_str_eq(pdcfg_nearest_option("", 0), "");
	ck_assert_str_eq(pdcfg_nearest_name("tp_sise"), "tp_size");
	ck_assert_str_eq(pdcfg_nearest_name("--tp-sise"), "--tp-size");
	ck_assert_str_eq(pdcfg_nearest_name("SGLANG_DISAGG_STAGING_BUFER"), "SGLANG_DISAGG_STAGING_BUFFER");
	ck_assert_str_eq(pdcfg_nearest_name("env.SGLANG_DISAGG_STAGING_BUFER"), "env.SGLANG_DISAGG_STAGING_BUFFER");
	ck_assert_str_eq(pdcfg_nearest_name("model.is_mal"), "model.is_mla");
	ck_assert_str_eq(pdcfg_nearest_name("qqqqqq"), "");
	ck_assert_str_eq(pdcfg_nearest_name(NULL), "");
	ck_assert(pdcfg_nearest_choice("null|prefill|decode", "Decode", &at, &len));
	ck_assert_uint_eq(at, 13);
	ck_assert_uint_eq(len, 6);
	ck_assert(pdcfg_nearest_choice("abcx|abcy", "abcz", &at, &len));
	ck_assert_uint_eq(at, 0);
	ck_assert(pdcfg_nearest_choice("prefill", "perfill", &at, &len)); /* two letters exchanged are one slip */
	ck_assert(!pdcfg_nearest_choice("prefill", "decode", &at, &len));
	ck_assert(!pdcfg_nearest_choice("ab", "ba", &at, &len)); /* one slip in two letters is more than a third */
	ck_assert(!pdcfg_nearest_choice(NULL, "x", &at, &len));
}
END_TEST

/* ---- warnings ---- */

START_TEST(accepted_oddities_are_warnings)
{
	static const struct { unsigned code; const char *tokens[4]; } warned[] = {
		{ CODE_argparse_abbreviation_accepted, { "--tp", "8" } }, { CODE_argparse_repeated_option_last_wins, { "--tp-size=2", "--tensor-parallel-size=4" } },
		{ CODE_argparse_repeated_option_last_wins, { "--cuda-graph-max-bs=2", "--cuda-graph-max-bs-decode=4" } },
		{ CODE_argparse_repeated_option_last_wins, { "--dllm-fdfo", "--no-dllm-fdfo" } },
		{ CODE_argparse_deprecated_noop_flags, { "--prefill-round-robin-balance" } }, { CODE_argparse_deprecated_noop_flags, { "--collect-tokens-histogram" } },
		{ CODE_argparse_deprecated_option, { "--cuda-graph-max-bs", "2" } }, { CODE_argparse_deprecated_option, { "--disable-cuda-graph" } },
		{ CODE_argparse_mamba_scheduler_strategy_unchecked, { "--mamba-scheduler-strategy", "nonsense" } },
		{ CODE_config_equals_form_ignored, { "--config=a.yaml" } }, { CODE_config_equals_form_ignored, { "--confi", "a.yaml" } } };
	for (size_t i = 0; i < sizeof warned / sizeof *warned; i++) {
		const char *const *t = warned[i].tokens;
		pdcfg_t *cfg = t[1] ? PARSED(t[0], t[1]) : PARSED(t[0]);
		const struct note *note = note_of(cfg, warned[i].code, 0);
		ck_assert_msg(note && note->warning, "case %zu", i);
		ck_assert_uint_eq(errors_in(cfg), 0);
		pdcfg_free(cfg);
	}
}
END_TEST

START_TEST(an_ordinary_command_line_says_nothing)
{
	pdcfg_t *cfg = PARSED("--tp-size", "8", "--disaggregation-mode", "prefill", "--numa-node", "0", "1", "--mamba-radix-cache-strategy", "auto",
	                      "--enable-metrics", "--log-level", "Warning", "--dllm-fdfo");
	ck_assert_uint_eq(cfg->note_count, 0);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(deprecated_options_name_their_successors)
{
	static const struct { const char *old, *now; } pairs[] = {
		{ "--stream-output", "--incremental-streaming-output" }, { "--disable-piecewise-cuda-graph", "--cuda-graph-backend-prefill disabled" },
		{ "--enable-prefill-context-parallel", "--enable-prefill-cp" }, { "--prefill-cp-mode=in-seq-split", "--cp-strategy" } };
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		pdcfg_t *cfg = PARSED(pairs[i].old);
		ck_assert_str_eq(text_at(cfg, note_of(cfg, CODE_argparse_deprecated_option, 0)->nearest), pairs[i].now);
		pdcfg_free(cfg);
	}
}
END_TEST

/* ---- --help ---- */

START_TEST(help_exits_only_when_argparse_comes_to_it)
{
	static const struct { const char *tokens[TOKENS_MAX]; int exits; } helps[] = {
		{ { "-h" }, 1 }, { { "--help" }, 1 }, { { "--hel" }, 1 }, { { "-hh" }, 1 }, { { "-h=h" }, 1 }, { { "--tp-size", "8", "-h", "--tp-size", "x" }, 1 },
		{ { "--unknown", "-h" }, 1 }, { { "--tp-size", "x", "-h" }, 0 }, { { "-h", "--pp", "2" }, 0 }, { { "-hx" }, 0 }, { { "--", "-h" }, 0 },
		{ { "--host=-h" }, 0 }, { { "--help=1" }, 0 }, { { "--config", "a.json", "-h" }, 0 }, { { "--config", "a.yaml", "-h" }, 1 } };
	for (size_t i = 0; i < sizeof helps / sizeof *helps; i++) {
		pdcfg_t *cfg = fresh();
		ck_assert_int_eq(pdcfg_set_dp_size(cfg, 3), PDCFG_OK);
		ck_assert_msg(pdcfg_parse_argv(cfg, count(helps[i].tokens), helps[i].tokens) == helps[i].exits, "case %zu", i);
		if (helps[i].exits) ck_assert_uint_eq(cfg->note_count, 0);
		if (helps[i].exits) ck_assert_str_eq(shown(cfg, "tp_size"), "1");
		ck_assert_str_eq(shown(cfg, "dp_size"), "3");
		pdcfg_free(cfg);
	}
}
END_TEST

/* ---- --config ---- */

START_TEST(an_unread_config_file_leaves_the_rest_unknown)
{
	const char *const tokens[] = { "--tp-size", "8", "--config", "a.yaml", "--host", "h" };
	pdcfg_t *cfg = fresh();
	ck_assert_int_eq(pdcfg_parse_argv(cfg, 6, tokens), PDCFG_OK);
	ck_assert_uint_eq(errors_in(cfg), 0); /* the model may be in the file */
	ck_assert_ptr_nonnull(note_of(cfg, CODE_config_file_not_read, 0));
	ck_assert_str_eq(shown(cfg, "tp_size"), "8");
	ck_assert_str_eq(shown(cfg, "host"), "h");
	ck_assert_str_eq(shown(cfg, "config"), "a.yaml");
	ck_assert_str_eq(shown(cfg, "disaggregation_mode"), "?");
	ck_assert_str_eq(shown(cfg, "model_path"), "?");
	ck_assert_int_eq(pdcfg_is_set(cfg, PDCFG_KEY_MODEL_PATH), 0);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(config_is_looked_at_before_argparse)
{
	static const struct { unsigned code; const char *tokens[4]; } wrong[] = {
		{ CODE_config_more_than_one, { "--config", "a.yaml", "--config", "b.yaml" } }, { CODE_config_flag_without_file, { "--tp", "x", "--config" } },
		{ CODE_config_not_yaml_suffix, { "--pp", "--config", "a.json" } }, { CODE_config_not_yaml_suffix, { "--config", ".yaml", "--pp" } },
		{ CODE_config_not_yaml_suffix, { "--config", "yaml/x", "--pp" } } };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		pdcfg_t *cfg = fresh();
		pdcfg_report *rep;
		int32_t n = 0;
		while (n < 4 && wrong[i].tokens[n]) n++;
		ck_assert_int_eq(pdcfg_parse_argv(cfg, n, wrong[i].tokens), PDCFG_OK);
		ck_assert_int_eq(pdcfg_validate(cfg, &rep), PDCFG_REFUSED);
		ck_assert_msg(pdcfg_finding_code(rep, (size_t)pdcfg_report_first_refusal(rep)) == wrong[i].code, "case %zu", i);
		ck_assert_str_eq(pdcfg_finding_exception(rep, (size_t)pdcfg_report_first_refusal(rep)), "ValueError");
		pdcfg_report_free(rep);
		pdcfg_free(cfg);
	}
	static const char *const good[] = { "a.yaml", "a.YML", "d.x/a.yaml/", "a.yaml/.", "-.yml" };
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		pdcfg_t *cfg = PARSED("--config", good[i]);
		ck_assert_msg(!errors_in(cfg), "%s", good[i]);
		pdcfg_free(cfg);
	}
}
END_TEST

/* ---- JSON and LoRAs ---- */

/* an empty object, unless the text says otherwise */
static int32_t json_reader(void *ctx, const char *text, const char *path, char *out, size_t size)
{
	++*(int *)ctx;
	if (strstr(text, "bad") || strstr(text, "unsure")) return strstr(text, "bad") ? PDCFG_JSON_INVALID : PDCFG_E_LIMIT;
	snprintf(out, size, "0");
	return strstr(path, ":count") ? PDCFG_JSON_INT : !strcmp(path, "") || !strcmp(path, "!") ? PDCFG_JSON_OBJECT : PDCFG_JSON_ABSENT;
}

static pdcfg_t *with_reader(int *calls, const char *option, const char *text)
{
	const char *const tokens[] = { "--model-path", "m", option, text };
	pdcfg_t *cfg = fresh();
	*calls = 0;
	ck_assert_int_eq(pdcfg_set_json_reader(cfg, json_reader, calls), PDCFG_OK);
	ck_assert_int_eq(pdcfg_parse_argv(cfg, 4, tokens), PDCFG_OK);
	return cfg;
}

START_TEST(json_is_asked_of_the_reader)
{
	static const struct { const char *option; unsigned code, parse_class; } options[] = {
		{ "--mm-process-config", CODE_argparse_json_value_invalid, PDCFG_PARSE_INVALID_VALUE },
		{ "--forward-hooks", CODE_argparse_json_list_invalid, PDCFG_PARSE_TYPE_ERROR },
		{ "--cuda-graph-config", CODE_cuda_graph_config_not_json, PDCFG_PARSE_TYPE_ERROR } };
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		int calls;
		char name[64];
		snprintf(name, sizeof name, "%s", options[i].option + 2);
		for (char *p = name; *p; p++) *p = *p == '-' ? '_' : *p;
		pdcfg_t *cfg = with_reader(&calls, options[i].option, "good");
		ck_assert_str_eq(shown(cfg, name), "good");
		pdcfg_free(cfg);
		cfg = with_reader(&calls, options[i].option, "unsure");
		ck_assert_str_eq(shown(cfg, name), "?");
		ck_assert_uint_eq(cfg->note_count, 0);
		pdcfg_free(cfg);
		cfg = with_reader(&calls, options[i].option, "bad");
		ck_assert_int_gt(calls, 0);
		ck_assert_str_eq(shown(cfg, name), "?");
		ck_assert_uint_eq(cfg->notes[0].code, options[i].code);
		ck_assert_uint_eq(cfg->notes[0].parse_class, options[i].parse_class);
		pdcfg_free(cfg);
	}
	pdcfg_t *cfg = PARSED("--mm-process-config", "bad"); /* nobody can tell */
	ck_assert_uint_eq(cfg->note_count, 0);
	ck_assert_str_eq(shown(cfg, "mm_process_config"), "?");
	pdcfg_free(cfg);
}
END_TEST

START_TEST(a_refused_graph_config_says_why)
{
	static const struct { unsigned code; const char *text; } refused[] = {
		{ CODE_cuda_graph_config_not_object, "[1]" }, { CODE_cuda_graph_config_not_object, "null" },
		{ CODE_cuda_graph_config_unknown_phase, "{\"decode\": {\"bs\": [1, {\"}\": 2}]}, \"verify\": {}}" },
		{ CODE_cuda_graph_config_phase_not_object, " {\"prefill\" : \"full\"}" },
		{ CODE_cuda_graph_config_unknown_key, "{\"decode\": {\"full_prefill_max_req\": 1}}" },
		{ CODE_cuda_graph_config_unknown_key, "{\"prefill\": {\"full_prefill_max_req\": 1, \"a\\\"b\": 2}}" } };
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		const char *const tokens[] = { "--cuda-graph-config", refused[i].text };
		pdcfg_t *cfg = fresh();
		ck_assert_int_eq(pdcfg_set_json_reader(cfg, pdcfg_files_json_reader, NULL), PDCFG_OK);
		ck_assert_int_eq(pdcfg_parse_argv(cfg, 2, tokens), PDCFG_OK);
		ck_assert_msg(cfg->notes[0].code == refused[i].code, "case %zu: %u", i, cfg->notes[0].code);
		pdcfg_free(cfg);
	}
}
END_TEST

START_TEST(loras_in_braces_are_json_with_both_keys)
{
	static const struct { const char *text; unsigned code; } loras[] = {
		{ "{\"lora_name\": \"a\", \"lora_path\": \"b\"}", 0 }, { " {\"lora_path\": {\"x\": 1}, \"lora_name\": \"a\"} ", 0 }, { "{x", 0 }, { "a=b", 0 },
		{ "{\"lora\\u005fname\": 1, \"lora_path\": 2}", 0 },
		{ "{\"lora_name\": \"lora_path\"}", CODE_argparse_lora_paths_json_keys }, { "{\"a\": {\"lora_name\": 1, \"lora_path\": 2}}", CODE_argparse_lora_paths_json_keys },
		{ "{}", CODE_argparse_lora_paths_json_keys }, { "{bad}", CODE_argparse_lora_paths_bad_json } };
	for (size_t i = 0; i < sizeof loras / sizeof *loras; i++) {
		const char *const tokens[] = { "--model-path", "m", "--lora-paths", loras[i].text };
		pdcfg_t *cfg = fresh();
		ck_assert_int_eq(pdcfg_set_json_reader(cfg, pdcfg_files_json_reader, NULL), PDCFG_OK);
		ck_assert_int_eq(pdcfg_parse_argv(cfg, 4, tokens), PDCFG_OK);
		ck_assert_msg(cfg->note_count == (loras[i].code != 0), "case %zu", i);
		if (loras[i].code) ck_assert_uint_eq(cfg->notes[0].code, loras[i].code);
		if (loras[i].code) ck_assert_str_eq(shown(cfg, "lora_paths"), "?");
		pdcfg_free(cfg);
	}
	int calls;
	pdcfg_t *cfg = with_reader(&calls, "--lora-paths", "{unsure}");
	ck_assert_uint_eq(cfg->note_count, 0);
	ck_assert_str_eq(shown(cfg, "lora_paths"), "?");
	pdcfg_free(cfg);
}
END_TEST

/* ---- the log level, after argparse ---- */

START_TEST(the_log_level_is_one_of_pythons)
{
	static const struct { const char *text; unsigned code; } levels[] = { { "DEBUG", 0 }, { "fatal", 0 }, { "notset", 0 }, { "Warn", 0 },
		{ "trace", CODE_argparse_bad_log_level }, { "", CODE_argparse_bad_log_level }, { " info", CODE_argparse_bad_log_level },
		{ "basic_format", CODE_argparse_log_level_not_a_level } };
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
		pdcfg_t *cfg = PARSED("--log-level", levels[i].text);
		ck_assert_msg(cfg->note_count == (levels[i].code != 0), "%s", levels[i].text);
		if (levels[i].code) ck_assert_uint_eq(cfg->notes[0].code, levels[i].code);
		if (levels[i].code) ck_assert_int_eq(cfg->notes[0].index, 3);
		pdcfg_free(cfg);
	}
}
END_TEST

/* ---- one option at a time ---- */

START_TEST(an_option_outside_a_command_line_is_read_the_same)
{
	static const struct { const char *name, *text, *field, *value; } sets[] = {
		{ "--tp-size", "8", "tp_size", "8" }, { "--disable-radix-cache", "", "disable_radix_cache", "True" },
		{ "--disable-radix-cache", "true", "disable_radix_cache", "True" }, { "--disable-radix-cache", "false", "disable_radix_cache", "False" },
		{ "--dllm-fdfo", "false", "dllm_fdfo", "False" }, { "--no-dllm-fdfo", "", "dllm_fdfo", "False" }, { "--no-dllm-fdfo", "false", "dllm_fdfo", "True" },
		{ "--numa-node", "0 1", "numa_node", "[0, 1]" }, { "--lora-target-modules", "", "lora_target_modules", "[]" },
		{ "--host", "-x", "host", "-x" }, { "--host", "", "host", "" }, { "--model-checksum", "", "model_checksum", "" },
		{ "--context-length", "8k", "context_length", "8000" }, { "--tp-size", "x", "tp_size", "?" },
		{ "--enable-breakable-cuda-graph", "", "cuda_graph_backend_prefill", "breakable" } };
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
		pdcfg_t *cfg = fresh();
		ck_assert_int_eq(pdcfg_set_arg(cfg, sets[i].name, sets[i].text), PDCFG_OK);
		ck_assert_msg(!strcmp(shown(cfg, sets[i].field), sets[i].value), "case %zu: %s", i, shown(cfg, sets[i].field));
		pdcfg_free(cfg);
	}
}
END_TEST

START_TEST(what_is_set_again_is_no_longer_complained_about)
{
	pdcfg_t *cfg = fresh();
	ck_assert_int_eq(pdcfg_set_arg(cfg, "--tp-size", "x"), PDCFG_OK);
	ck_assert_int_eq(pdcfg_set_arg(cfg, "--disable-radix-cache", "maybe"), PDCFG_OK);
	ck_assert_int_eq(pdcfg_set_arg(cfg, "--numa-node", ""), PDCFG_OK);
	ck_assert_uint_eq(errors_in(cfg), 3);
	ck_assert_uint_eq(cfg->notes[1].parse_class, PDCFG_PARSE_EXPLICIT_ARGUMENT);
	ck_assert_uint_eq(cfg->notes[2].parse_class, PDCFG_PARSE_ARGUMENTS);
	ck_assert_int_eq(pdcfg_set_arg(cfg, "--tp-size", "8"), PDCFG_OK);
	ck_assert_int_eq(pdcfg_set_arg(cfg, "--disable-radix-cache", "true"), PDCFG_OK);
	ck_assert_int_eq(pdcfg_set_arg(cfg, "--numa-node", "1"), PDCFG_OK);
	ck_assert_uint_eq(cfg->note_count, 0);
	pdcfg_free(cfg);
}
END_TEST

/* ---- bad callers, hostile input, and no memory ---- */

START_TEST(bad_calls_change_nothing)
{
	const char *const tokens[] = { "--tp-size", "8", NULL };
	pdcfg_t *cfg = fresh();
	char *huge = malloc(PDCFG_TEXT_MAX + 2);
	memset(huge, 'x', PDCFG_TEXT_MAX + 1);
	huge[PDCFG_TEXT_MAX + 1] = 0;
	ck_assert_int_eq(pdcfg_parse_argv(cfg, -1, tokens), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_parse_argv(cfg, 1, NULL), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_parse_argv(cfg, 3, tokens), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_parse_argv(cfg, PDCFG_ARGS_MAX + 1, tokens), PDCFG_E_LIMIT);
	ck_assert_int_eq(pdcfg_parse_argv(cfg, 2, (const char *const[]){ "--model-path", huge }), PDCFG_E_LIMIT);
	ck_assert_uint_eq(cfg->note_count, 0);
	ck_assert_str_eq(shown(cfg, "tp_size"), "1");
	huge[PDCFG_TEXT_MAX] = 0;
	ck_assert_int_eq(pdcfg_parse_argv(cfg, 2, (const char *const[]){ "--model-path", huge }), PDCFG_OK);
	ck_assert_str_eq(shown(cfg, "model_path"), huge);
	free(huge);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(bytes_that_are_no_utf8_become_replacement_characters)
{
	pdcfg_t *cfg = PARSED("--host", "a\xff\xe2\x82z", "--tp-size", "\xc0\x80", "--\xed\xa0\x80");
	ck_assert_str_eq(shown(cfg, "host"), "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz");
	ck_assert_uint_eq(errors_in(cfg), 2);
	for (uint32_t i = 0; i < cfg->note_count; i++) ck_assert(is_utf8(text_at(cfg, cfg->notes[i].token), strlen(text_at(cfg, cfg->notes[i].token))));
	pdcfg_free(cfg);
	ck_assert(is_utf8("\xf0\x9f\x98\x80\xc3\xa9", 6));
	ck_assert(!is_utf8("\xf5\x80\x80\x80", 4) && !is_utf8("\xe0\x80\x80", 3) && !is_utf8("\xf4\x90\x80\x80", 4) && !is_utf8("\xc3", 1));
}
END_TEST

START_TEST(the_longest_argument_vector_of_nonsense_is_read)
{
	const char **tokens = malloc(PDCFG_ARGS_MAX * sizeof *tokens);
	pdcfg_t *cfg = fresh();
	for (int32_t i = 0; i < PDCFG_ARGS_MAX; i++) tokens[i] = i % 2 ? "--disagregation-mode" : "--d";
	ck_assert_int_eq(pdcfg_parse_argv(cfg, PDCFG_ARGS_MAX, tokens), PDCFG_OK);
	ck_assert_uint_eq(errors_in(cfg), PDCFG_ARGS_MAX + 1); /* and no --model-path */
	pdcfg_free(cfg);
	free(tokens);
}
END_TEST

struct failing { /* the allocator fails once, after so many requests */
	long left;
};
static void *failing(void *ctx, void *old, size_t old_size, size_t new_size)
{
	struct failing *f = ctx;
	(void)old_size;
	if (!new_size) {
		free(old);
		return NULL;
	}
	return f->left-- ? realloc(old, new_size) : NULL;
}

START_TEST(without_memory_nothing_changes)
{
	const char *const tokens[] = { "--model-path", "some/model", "--tp", "8", "--served-model-name", "n", "--lora-paths", "a=b", "c", "--api_key=x", "stray",
		"--disaggregation-mode", "prefil", "--pp", "1", "--numa-node", "0", "1", "--host", "\xff", "--log-level", "loud", "--tp-size", "9" };
	int32_t status = PDCFG_E_NOMEM;
	long failures = 0;
	while (status == PDCFG_E_NOMEM) {
		struct failing f = { -1 };
		pdcfg_t *cfg;
		ck_assert_int_eq(pdcfg_new_with(failing, &f, &cfg), PDCFG_OK);
		ck_assert_int_eq(pdcfg_set_host(cfg, "a host of our own"), PDCFG_OK);
		f.left = failures;
		status = pdcfg_parse_argv(cfg, sizeof tokens / sizeof *tokens, tokens);
		ck_assert_str_eq(shown(cfg, "tp_size"), status < 0 ? "1" : "9");
		ck_assert_str_eq(shown(cfg, "host"), status < 0 ? "a host of our own" : "\xef\xbf\xbd");
		ck_assert_uint_eq(cfg->note_count != 0, status >= 0);
		f.left = -1;
		pdcfg_free(cfg);
		failures++;
	}
	ck_assert_int_eq(status, PDCFG_OK);
	ck_assert_int_gt(failures, 5);
}
END_TEST

Suite *suite_argv(void)
{
	Suite *s = suite_create("argv");
	TCase *t = tcase_create("argv");
	tcase_set_timeout(t, 60);
	tcase_add_test(t, the_first_error_is_argparses);
	tcase_add_test(t, values_are_argparses);
	tcase_add_test(t, a_value_that_does_not_parse_is_unknown_and_the_rest_is_read);
	tcase_add_test(t, all_errors_are_noted_in_argparses_order);
	tcase_add_test(t, a_value_remembers_its_option_and_position);
	tcase_add_test(t, what_was_meant_is_named);
	tcase_add_test(t, a_misspelt_setting_is_unknown_unless_it_is_given_elsewhere);
	tcase_add_test(t, a_secret_behind_a_misspelt_option_is_not_repeated);
	tcase_add_test(t, nearest_names_are_within_a_third_and_the_first_of_equals);
	tcase_add_test(t, accepted_oddities_are_warnings);
	tcase_add_test(t, an_ordinary_command_line_says_nothing);
	tcase_add_test(t, deprecated_options_name_their_successors);
	tcase_add_test(t, help_exits_only_when_argparse_comes_to_it);
	tcase_add_test(t, an_unread_config_file_leaves_the_rest_unknown);
	tcase_add_test(t, config_is_looked_at_before_argparse);
	tcase_add_test(t, json_is_asked_of_the_reader);
	tcase_add_test(t, a_refused_graph_config_says_why);
	tcase_add_test(t, loras_in_braces_are_json_with_both_keys);
	tcase_add_test(t, the_log_level_is_one_of_pythons);
	tcase_add_test(t, an_option_outside_a_command_line_is_read_the_same);
	tcase_add_test(t, what_is_set_again_is_no_longer_complained_about);
	tcase_add_test(t, bad_calls_change_nothing);
	tcase_add_test(t, bytes_that_are_no_utf8_become_replacement_characters);
	tcase_add_test(t, the_longest_argument_vector_of_nonsense_is_read);
	tcase_add_test(t, without_memory_nothing_changes);
	suite_add_tcase(s, t);
	return s;
}
