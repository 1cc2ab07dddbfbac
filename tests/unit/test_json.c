/* What texts of JSON hold: the reader of the files library, the cells that the core keeps its answers in, and when they change. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pdcfg/files.h>
#include "private.h"
#include "suites.h"

/* ---- the reader ---- */

START_TEST(the_reader_answers_paths)
{
	static const char text[] = "{\"a\": {\"b\": [10, \"x\", null, true, {\"c\": -1.50}]}, \"n\": NaN, \"s\": \"h\\u00e9\", \"e\": {}, \"k\": 1, \"k\": false, \"\": 7}";
	static const struct { const char *path; int32_t kind; const char *out; } asked[] = {
		{ "", PDCFG_JSON_OBJECT, "" }, { "a", PDCFG_JSON_OBJECT, "" }, { "a.b", PDCFG_JSON_LIST, "" }, { "a.b.#0", PDCFG_JSON_INT, "10" },
		{ "a.b.#1", PDCFG_JSON_STRING, "x" }, { "a.b.#2", PDCFG_JSON_NULL, "" }, { "a.b.#3", PDCFG_JSON_TRUE, "" },
		{ "a.b.#4.c", PDCFG_JSON_FLOAT, "-1.50" }, { "a.b.#5", PDCFG_JSON_ABSENT, "" }, { "a.b.#5.c", PDCFG_JSON_ABSENT, "" },
		{ "a.b:count", PDCFG_JSON_INT, "5" }, { ":count", PDCFG_JSON_INT, "6" }, { "s:count", PDCFG_JSON_INT, "3" }, { "e:count", PDCFG_JSON_INT, "0" },
		{ "n:count", PDCFG_JSON_ABSENT, "" }, { "n", PDCFG_JSON_FLOAT, "NaN" }, { "s", PDCFG_JSON_STRING, "h\xc3\xa9" },
		{ "k", PDCFG_JSON_FALSE, "" }, { "#0:key", PDCFG_JSON_STRING, "a" }, { "#4:key", PDCFG_JSON_STRING, "k" }, { "#4", PDCFG_JSON_FALSE, "" },
		{ "#6:key", PDCFG_JSON_ABSENT, "" }, { "a.b.#0:key", PDCFG_JSON_ABSENT, "" }, { "a.b.x", PDCFG_JSON_ABSENT, "" }, { "a.c.b", PDCFG_JSON_ABSENT, "" },
		{ "s.x", PDCFG_JSON_ABSENT, "" }, { "a.b.#4.#0:key", PDCFG_JSON_STRING, "c" }, { "!a", PDCFG_JSON_INVALID, "" },
		{ "a:size", PDCFG_E_INVALID, "" }, { "#", PDCFG_E_INVALID, "" }, { "#1x", PDCFG_E_INVALID, "" }, { "a..b", PDCFG_E_INVALID, "" } };
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		char out[16] = "rubbish";
		int32_t kind = pdcfg_files_json_reader(NULL, text, asked[i].path, out, sizeof out);
		ck_assert_msg(kind == asked[i].kind, "%s: %d", asked[i].path, kind);
		ck_assert_msg(!strcmp(out, asked[i].out), "%s: \"%s\"", asked[i].path, out);
	}
}
END_TEST

START_TEST(the_reader_keeps_to_the_room_it_has)
{
	char out[4];
	ck_assert_int_eq(pdcfg_files_json_reader(NULL, "\"abc\"", "", out, 4), PDCFG_JSON_STRING);
	ck_assert_str_eq(out, "abc");
	ck_assert_int_eq(pdcfg_files_json_reader(NULL, "\"abcd\"", "", out, 4), PDCFG_E_LIMIT);
	ck_assert_int_eq(pdcfg_files_json_reader(NULL, "1234", "", out, 4), PDCFG_E_LIMIT);
	ck_assert_int_eq(pdcfg_files_json_reader(NULL, "[1234]", "", out, 4), PDCFG_JSON_LIST);
	ck_assert_int_eq(pdcfg_files_json_reader(NULL, "\"a\\u0000\"", "", out, 4), PDCFG_E_LIMIT);
	ck_assert_int_eq(pdcfg_files_json_reader(NULL, "{\"a\\u0000\": 1}", "a", out, 4), PDCFG_E_LIMIT);
	ck_assert_int_eq(pdcfg_files_json_reader(NULL, "null", "", out, 4), PDCFG_JSON_NULL);
	ck_assert_int_eq(pdcfg_files_json_reader(NULL, " null ", "a", out, 4), PDCFG_JSON_ABSENT);
	ck_assert_int_eq(pdcfg_files_json_reader(NULL, "{", "a", out, 4), PDCFG_JSON_INVALID);
	ck_assert_int_eq(pdcfg_files_json_reader(NULL, "1", "", out, 0), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_files_json_reader(NULL, "1", NULL, out, 4), PDCFG_E_INVALID);
}
END_TEST

/* ---- the cells ---- */

static pdcfg_t *lent(void)
{
	pdcfg_t *cfg;
	ck_assert_int_eq(pdcfg_new(&cfg), PDCFG_OK);
	ck_assert_int_eq(pdcfg_set_json_reader(cfg, pdcfg_files_json_reader, NULL), PDCFG_OK);
	return cfg;
}

/* the elements of a list with blanks between them, "None", "?" */
static const char *shown(const pdcfg_t *cfg, unsigned field)
{
	static char out[512];
	size_t len;
	int64_t cell = cfg->v[field];
	const char *text = pdcfg_pool_text(&cfg->pool, cell, &len);
	if (cell == UNKNOWN || cell == NONE) return cell == NONE ? "None" : "?";
	switch (pdcfg_fields[field].type) {
	case PDCFG_TYPE_BOOL: return cell ? "True" : "False";
	case PDCFG_TYPE_INT:
		snprintf(out, sizeof out, "%lld", (long long)cell);
		return out;
	case PDCFG_TYPE_FLOAT:
		snprintf(out, sizeof out, "%g", cell_real(cell));
		return out;
	case PDCFG_TYPE_TEXT: return text;
	default:
		ck_assert_uint_lt(len, sizeof out);
		memcpy(out, text, len);
		for (size_t i = 0; i < len; i++) out[i] = out[i] ? out[i] : ' ';
		out[len ? len - 1 : 0] = 0;
		return out;
	}
}

struct expected {
	uint32_t key;
	const char *text;
	unsigned fact;
	const char *value;
};

static void check_all(const struct expected *all, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		pdcfg_t *cfg = lent();
		ck_assert_int_eq(pdcfg_set_text(cfg, all[i].key, all[i].text), PDCFG_OK);
		ck_assert_msg(!strcmp(shown(cfg, all[i].fact), all[i].value), "%s: %s is %s, not %s", all[i].text, pdcfg_str(pdcfg_fields[all[i].fact].name),
			      shown(cfg, all[i].fact), all[i].value);
		pdcfg_free(cfg);
	}
}
#define CHECK_ALL(...) check_all((const struct expected[]){ __VA_ARGS__ }, sizeof((const struct expected[]){ __VA_ARGS__ }) / sizeof(struct expected))

START_TEST(values_and_kinds)
{
	enum { GRAPHS = PDCFG_KEY_CUDA_GRAPH_CONFIG, EXTRA = PDCFG_KEY_HICACHE_STORAGE_BACKEND_EXTRA_CONFIG, SAMPLING = PDCFG_KEY_PREFERRED_SAMPLING_PARAMS };
	CHECK_ALL(
		{ PDCFG_KEY_JSON_MODEL_OVERRIDE_ARGS, "{}", F_json_model_override_args_kind, "object" },
		{ PDCFG_KEY_JSON_MODEL_OVERRIDE_ARGS, "[1", F_json_model_override_args_kind, "invalid" },
		{ PDCFG_KEY_JSON_MODEL_OVERRIDE_ARGS, " null", F_json_model_override_args_kind, "null" },
		{ PDCFG_KEY_JSON_MODEL_OVERRIDE_ARGS, "-Infinity", F_json_model_override_args_kind, "float" },
		{ PDCFG_KEY_JSON_MODEL_OVERRIDE_ARGS, "\"x\"", F_json_model_override_args_kind, "text" },
		{ GRAPHS, "{\"decode\": {\"backend\": \"full\"}}", F_cuda_graph_config_decode_backend, "full" },
		{ GRAPHS, "{\"decode\": {\"backend\": null}}", F_cuda_graph_config_decode_backend, "None" },
		{ GRAPHS, "{\"decode\": {\"backend\": null}}", F_cuda_graph_config_decode_backend_kind, "null" },
		{ GRAPHS, "{\"decode\": {\"backend\": 3}}", F_cuda_graph_config_decode_backend, "?" },
		{ GRAPHS, "{\"decode\": {\"backend\": 3}}", F_cuda_graph_config_decode_backend_kind, "int" },
		{ GRAPHS, "{\"decode\": {}}", F_cuda_graph_config_decode_backend_kind, "None" },
		{ GRAPHS, "{", F_cuda_graph_config_decode_backend_kind, "None" },
		{ GRAPHS, "{\"prefill\": {\"max_bs\": 1e3}}", F_cuda_graph_config_prefill_max_bs, "?" },
		{ GRAPHS, "{\"prefill\": {\"max_bs\": true}}", F_cuda_graph_config_prefill_max_bs, "1" },
		{ GRAPHS, "{\"prefill\": {\"max_bs\": 5}, \"prefill\": {\"max_bs\": 6}}", F_cuda_graph_config_prefill_max_bs, "6" },
		{ GRAPHS, "{\"prefill\": {\"bs\": [1, true, 32]}}", F_cuda_graph_config_prefill_bs, "1 1 32" },
		{ GRAPHS, "{\"prefill\": {\"bs\": [1, \"2\"]}}", F_cuda_graph_config_prefill_bs, "?" },
		{ GRAPHS, "{\"prefill\": {\"bs\": []}}", F_cuda_graph_config_prefill_bs, "" },
		{ GRAPHS, "{\"prefill\": {\"bs\": {\"1\": 2}}}", F_cuda_graph_config_prefill_bs, "?" },
		{ GRAPHS, "{\"decode\": {\"bs\": {}}}", F_cuda_graph_config_decode_bs_count, "0" },
		{ GRAPHS, "{\"decode\": {\"bs\": \"\"}}", F_cuda_graph_config_decode_bs_count, "0" },
		{ GRAPHS, "{\"decode\": {\"bs\": 4}}", F_cuda_graph_config_decode_bs_count, "None" },
		{ EXTRA, "{\"l3_cleaner_low_watermark\": 70.5}", F_hicache_extra_l3_cleaner_low_watermark, "70.5" },
		{ EXTRA, "{\"l3_cleaner_low_watermark\": 70}", F_hicache_extra_l3_cleaner_low_watermark, "70" },
		{ EXTRA, "@file.json", F_hicache_extra_kind, "invalid" },
		{ SAMPLING, "{\"stop\": []}", F_preferred_sampling_params_stop, "False" },
		{ SAMPLING, "{\"stop\": [0]}", F_preferred_sampling_params_stop, "True" },
		{ SAMPLING, "{\"stop\": \"\"}", F_preferred_sampling_params_stop, "False" },
		{ SAMPLING, "{\"stop\": -0.0}", F_preferred_sampling_params_stop, "False" },
		{ SAMPLING, "{\"stop\": NaN}", F_preferred_sampling_params_stop, "True" },
		{ SAMPLING, "{\"temperature\": 1}", F_preferred_sampling_params_stop, "None" },
		{ SAMPLING, "{\"min_new_tokens\": 4}", F_preferred_sampling_params_min_new_tokens, "4" });
}
END_TEST

START_TEST(shapes)
{
	enum { GRAPHS = PDCFG_KEY_CUDA_GRAPH_CONFIG, PARAMS = PDCFG_KEY_ENV_DISAGGREGATION_NIXL_BACKEND_PARAMS };
	CHECK_ALL(
		{ PDCFG_KEY_SIDECAR_ARGS, "[\"a\", \"b\"]", F_sidecar_args_no_texts, "False" },
		{ PDCFG_KEY_SIDECAR_ARGS, "[\"a\", 1]", F_sidecar_args_no_texts, "True" },
		{ PDCFG_KEY_SIDECAR_ARGS, "null", F_sidecar_args_no_texts, "False" },
		{ PDCFG_KEY_SIDECAR_ARGS, "{}", F_sidecar_args_no_texts, "True" },
		{ PDCFG_KEY_SIDECAR_ARGS, "[NaN]", F_sidecar_args_no_texts, "False" }, /* orjson refuses it */
		{ PDCFG_KEY_LIMIT_MM_DATA_PER_REQUEST, "{\"image\": 1, \"im\\u0061ge\": 2}", F_limit_mm_data_per_request_unknown_key, "False" },
		{ PDCFG_KEY_LIMIT_MM_DATA_PER_REQUEST, "{\"image\": 1, \"images\": 2}", F_limit_mm_data_per_request_unknown_key, "True" },
		{ PDCFG_KEY_PREFERRED_SAMPLING_PARAMS, "{\"top_p\": 1, \"n\": 2}", F_preferred_sampling_params_unknown_key, "False" },
		{ PDCFG_KEY_PREFERRED_SAMPLING_PARAMS, "{\"top_p\": 1, \"\": 2}", F_preferred_sampling_params_unknown_key, "True" },
		{ GRAPHS, "{\"decode\": {\"bs\": [1, 2.5, true]}}", F_cuda_graph_config_decode_bs_unordered, "False" },
		{ GRAPHS, "{\"decode\": {\"bs\": [1, \"2\"]}}", F_cuda_graph_config_decode_bs_unordered, "True" },
		{ GRAPHS, "{\"decode\": {\"bs\": [null]}}", F_cuda_graph_config_decode_bs_unordered, "False" },
		{ GRAPHS, "{\"decode\": {\"bs\": [null, null]}}", F_cuda_graph_config_decode_bs_unordered, "True" },
		{ GRAPHS, "{\"decode\": {\"bs\": 7}}", F_cuda_graph_config_decode_bs_unordered, "True" },
		{ GRAPHS, "{\"decode\": {\"bs\": \"7\"}}", F_cuda_graph_config_decode_bs_unordered, "False" },
		{ PARAMS, "{\"a\": \"1\"}", F_nixl_backend_params_other_than_texts, "False" }, { PARAMS, "{\"a\": 1}", F_nixl_backend_params_other_than_texts, "True" },
		{ PARAMS, "{\"a\": 1, \"a\": \"1\"}", F_nixl_backend_params_other_than_texts, "False" },
		{ PARAMS, "null", F_nixl_backend_params_other_than_texts, "True" }, { PARAMS, "{a}", F_nixl_backend_params_other_than_texts, "False" },
		{ PARAMS, "{a}", F_nixl_backend_params_kind, "invalid" });
}
END_TEST

START_TEST(rdma_devices)
{
	enum { IB = PDCFG_KEY_DISAGGREGATION_IB_DEVICE, OTHER = PDCFG_KEY_MOONCAKE_IB_DEVICE };
	CHECK_ALL(
		{ IB, " \t", F_disaggregation_ib_device_form, "blank" }, { IB, "a.json ", F_disaggregation_ib_device_form, "file" },
		{ IB, "a.json ", F_disaggregation_ib_device_normal, "?" }, { IB, " b , a,b,", F_disaggregation_ib_device_form, "names" },
		{ IB, " b , a,b,", F_disaggregation_ib_device_names, "b a" }, { IB, " b , a,b,", F_disaggregation_ib_device_normal, "b,a" },
		{ IB, " b , a,b,", F_disaggregation_ib_device_repeats, "True" }, { IB, " b , a,b,", F_disaggregation_ib_device_gpus, "None" },
		{ IB, "\v{\"0\": \"a\"}\x1f", F_disaggregation_ib_device_normal, "{\"0\":\"a\"}" }, { IB, "a,\xc2\xa0" "b", F_disaggregation_ib_device_names, "?" },
		{ IB, "\xc2\xa0", F_disaggregation_ib_device_form, "?" }, /* blank, and only Python knows it */
		{ IB, ", ,", F_disaggregation_ib_device_lacks_name, "True" }, { IB, "{x", F_disaggregation_ib_device_form, "invalid" },
		{ IB, "{x", F_disaggregation_ib_device_normal, "{x" }, { IB, "{}", F_disaggregation_ib_device_form, "empty" },
		{ IB, "{\"0\": 1}", F_disaggregation_ib_device_form, "wrong" }, { IB, "{\"-1\": \"a\"}", F_disaggregation_ib_device_form, "wrong" },
		{ IB, "{\"\xd9\xa1\": \"a\"}", F_disaggregation_ib_device_form, "?" }, /* an Arabic 1 */
		{ IB, "{\"0\": \"a, b\", \"007\": \" c,c\"}", F_disaggregation_ib_device_form, "mapping" },
		{ IB, "{\"0\": \"a, b\", \"007\": \" c,c\"}", F_disaggregation_ib_device_names, "a b c" },
		{ IB, "{\"0\": \"a, b\", \"007\": \" c,c\"}", F_disaggregation_ib_device_gpus, "0 7" },
		{ IB, "{\"0\": \"a, b\", \"007\": \" c,c\"}", F_disaggregation_ib_device_normal, "{\"0\":\"a,b\",\"7\":\"c\"}" },
		{ IB, "{\"0\": \"a, b\", \"007\": \" c,c\"}", F_disaggregation_ib_device_repeats, "True" },
		{ IB, "{\"0\": \"a\", \"1\": \"a\"}", F_disaggregation_ib_device_repeats, "False" },
		{ IB, "{\"0\": \"a\", \"1\": \"\"}", F_disaggregation_ib_device_lacks_name, "True" },
		{ IB, "{\"0\": \"a\\\"\"}", F_disaggregation_ib_device_normal, "?" }, { IB, "{\"1\": \"a\", \"01\": \"b\"}", F_disaggregation_ib_device_normal, "?" },
		{ OTHER, "{\"0\": \"a , b\"}", F_mooncake_ib_device_normal, "{\"0\":\"a,b\"}" }, { OTHER, "a,a", F_mooncake_ib_device_normal, "a" });
}
END_TEST

/* ---- when they change ---- */

START_TEST(cells_follow_their_text)
{
	pdcfg_t *cfg = lent(), *copy;
	const char *const tokens[] = { "--model-path", "m", "--cuda-graph-config", "{\"decode\": {\"max_bs\": 3}}" };
	ck_assert_str_eq(shown(cfg, F_cuda_graph_config_decode_max_bs), "None");
	ck_assert_int_eq(pdcfg_parse_argv(cfg, 4, tokens), PDCFG_OK);
	ck_assert_str_eq(shown(cfg, F_cuda_graph_config_decode_max_bs), "3");
	ck_assert_int_eq(pdcfg_set_arg(cfg, "--cuda-graph-config", "{\"decode\": {\"max_bs\": 4}}"), PDCFG_OK);
	ck_assert_str_eq(shown(cfg, F_cuda_graph_config_decode_max_bs), "4");
	ck_assert_int_eq(pdcfg_clone(cfg, &copy), PDCFG_OK);
	ck_assert_int_eq(pdcfg_set_cuda_graph_config(cfg, "{\"decode\": {\"max_bs\": 5}}"), PDCFG_OK);
	ck_assert_str_eq(shown(cfg, F_cuda_graph_config_decode_max_bs), "5");
	ck_assert_str_eq(shown(copy, F_cuda_graph_config_decode_max_bs), "4");
	ck_assert_int_eq(pdcfg_replace(cfg, copy), PDCFG_OK);
	ck_assert_str_eq(shown(cfg, F_cuda_graph_config_decode_max_bs), "4");
	ck_assert_int_eq(pdcfg_set_none(cfg, PDCFG_KEY_CUDA_GRAPH_CONFIG), PDCFG_OK);
	ck_assert_str_eq(shown(cfg, F_cuda_graph_config_decode_max_bs), "None");
	ck_assert_int_eq(pdcfg_set_unknown(cfg, PDCFG_KEY_CUDA_GRAPH_CONFIG, "${X}"), PDCFG_OK);
	ck_assert_str_eq(shown(cfg, F_cuda_graph_config_decode_max_bs), "?");
	ck_assert_int_eq(pdcfg_unset(cfg, PDCFG_KEY_CUDA_GRAPH_CONFIG), PDCFG_OK);
	ck_assert_str_eq(shown(cfg, F_cuda_graph_config_decode_max_bs), "None");
	ck_assert_int_eq(pdcfg_set_cuda_graph_config(cfg, "{\"decode\": {\"max_bs\": 5}}"), PDCFG_OK);
	ck_assert_int_eq(pdcfg_reset(cfg), PDCFG_OK);
	ck_assert_str_eq(shown(cfg, F_cuda_graph_config_decode_max_bs), "None");
	pdcfg_free(cfg);
}
END_TEST

START_TEST(without_a_reader_they_are_unknown)
{
	pdcfg_t *cfg;
	ck_assert_int_eq(pdcfg_new(&cfg), PDCFG_OK);
	ck_assert_int_eq(pdcfg_set_kv_events_config(cfg, "{\"publisher\": \"zmq\"}"), PDCFG_OK);
	ck_assert_int_eq(pdcfg_set_disaggregation_ib_device(cfg, "a, a"), PDCFG_OK);
	ck_assert_str_eq(shown(cfg, F_kv_events_config_publisher), "?");
	ck_assert_str_eq(shown(cfg, F_disaggregation_ib_device_normal), "a"); /* a list with commas is no JSON */
	ck_assert_int_eq(pdcfg_set_disaggregation_ib_device(cfg, "{}"), PDCFG_OK);
	ck_assert_str_eq(shown(cfg, F_disaggregation_ib_device_form), "?");
	ck_assert_int_eq(pdcfg_set_json_reader(cfg, pdcfg_files_json_reader, NULL), PDCFG_OK);
	ck_assert_str_eq(shown(cfg, F_kv_events_config_publisher), "zmq");
	ck_assert_str_eq(shown(cfg, F_disaggregation_ib_device_form), "empty");
	ck_assert_int_eq(pdcfg_set_json_reader(cfg, NULL, NULL), PDCFG_OK);
	ck_assert_str_eq(shown(cfg, F_kv_events_config_publisher), "?");
	pdcfg_free(cfg);
}
END_TEST

START_TEST(nobody_can_set_them)
{
	pdcfg_t *cfg = lent();
	uint32_t key = pdcfg_key_by_name("kv_events_config_publisher");
	ck_assert_uint_eq(key, PDCFG_KEY_KV_EVENTS_CONFIG_PUBLISHER);
	ck_assert_uint_eq(pdcfg_key_kind(key), PDCFG_KIND_JSON);
	ck_assert_str_eq(pdcfg_key_default(key), "None");
	ck_assert_int_eq(pdcfg_set_text(cfg, key, "zmq"), PDCFG_E_KEY);
	ck_assert_int_eq(pdcfg_unset(cfg, key), PDCFG_E_KEY);
	ck_assert_int_eq(pdcfg_set_none(cfg, key), PDCFG_E_KEY);
	ck_assert_int_eq(pdcfg_set_arg(cfg, "kv_events_config_publisher", "zmq"), PDCFG_E_KEY);
	pdcfg_free(cfg);
}
END_TEST

/* what is unknown is the text, for whoever could give it */
START_TEST(reports_speak_of_the_text)
{
	pdcfg_t *cfg;
	pdcfg_report *rep;
	bool found = false;
	ck_assert_int_eq(pdcfg_new(&cfg), PDCFG_OK);
	ck_assert_int_eq(pdcfg_set_model_path(cfg, "m"), PDCFG_OK);
	ck_assert_int_eq(pdcfg_set_json_model_override_args(cfg, "{"), PDCFG_OK);
	ck_assert_int_eq(pdcfg_validate(cfg, &rep), PDCFG_UNDETERMINED);
	for (size_t i = 0; i < pdcfg_report_unevaluated(rep); i++) {
		if (pdcfg_unevaluated_code(rep, i) != CODE_json_model_override_args_invalid) continue;
		found = true;
		ck_assert_uint_eq(pdcfg_unevaluated_needs(rep, i), 1);
		ck_assert_uint_eq(pdcfg_unevaluated_need(rep, i, 0), PDCFG_KEY_JSON_MODEL_OVERRIDE_ARGS);
	}
	ck_assert(found);
	pdcfg_report_free(rep);
	ck_assert_int_eq(pdcfg_set_json_reader(cfg, pdcfg_files_json_reader, NULL), PDCFG_OK);
	ck_assert_int_eq(pdcfg_validate(cfg, &rep), PDCFG_REFUSED);
	size_t first = (size_t)pdcfg_report_first_refusal(rep);
	ck_assert_uint_eq(pdcfg_finding_code(rep, first), CODE_json_model_override_args_invalid);
	ck_assert_uint_eq(pdcfg_finding_subjects(rep, first), 1);
	ck_assert_uint_eq(pdcfg_subject_key(rep, first, 0), PDCFG_KEY_JSON_MODEL_OVERRIDE_ARGS);
	ck_assert_str_eq(pdcfg_subject_value(rep, first, 0), "{");
	ck_assert_uint_eq(pdcfg_rule_read(CODE_json_model_override_args_invalid, 0), PDCFG_KEY_JSON_MODEL_OVERRIDE_ARGS);
	pdcfg_report_free(rep);
	pdcfg_free(cfg);
}
END_TEST

/* ---- when things go wrong ---- */

static int left; /* allocations that still work; negative: all of them */
static void *scarce(void *ctx, void *old, size_t old_size, size_t new_size)
{
	(void)ctx;
	(void)old_size;
	if (!new_size) {
		free(old);
		return NULL;
	}
	if (!left) return NULL;
	left -= left > 0;
	return realloc(old, new_size);
}

START_TEST(without_memory_nothing_changes)
{
	static const char text[] = "{\"0\": \"device_0, device_1\", \"1\": \"device_2\"}";
	for (int allowed = 0;; allowed++) {
		pdcfg_t *cfg;
		left = -1;
		ck_assert_int_eq(pdcfg_new_with(scarce, NULL, &cfg), PDCFG_OK);
		ck_assert_int_eq(pdcfg_set_json_reader(cfg, pdcfg_files_json_reader, NULL), PDCFG_OK);
		ck_assert_int_eq(pdcfg_set_disaggregation_ib_device(cfg, "old"), PDCFG_OK);
		left = allowed;
		int32_t status = pdcfg_set_disaggregation_ib_device(cfg, text);
		left = -1;
		ck_assert_str_eq(pdcfg_get_text(cfg, PDCFG_KEY_DISAGGREGATION_IB_DEVICE), status ? "old" : text);
		ck_assert_str_eq(shown(cfg, F_disaggregation_ib_device_form), status ? "names" : "mapping");
		ck_assert_str_eq(shown(cfg, F_disaggregation_ib_device_normal), status ? "old" : "{\"0\":\"device_0,device_1\",\"1\":\"device_2\"}");
		pdcfg_free(cfg);
		if (!status) break;
		ck_assert_int_eq(status, PDCFG_E_NOMEM);
		ck_assert_int_lt(allowed, 200);
	}
}
END_TEST

static int32_t answers_rubbish(void *ctx, const char *text, const char *path, char *out, size_t size)
{
	unsigned *state = ctx;
	(void)text;
	(void)path;
	*state = *state * 1103515245u + 12345u;
	memset(out, *state >> 20 & 1 ? '9' : 'x', size); /* without a NUL */
	return (int32_t)(*state >> 16) % 16 - 3;
}

START_TEST(a_reader_that_lies_harms_nobody)
{
	unsigned state = 7;
	for (unsigned i = 0; i < 30; i++) {
		pdcfg_t *cfg;
		ck_assert_int_eq(pdcfg_new(&cfg), PDCFG_OK);
		ck_assert_int_eq(pdcfg_set_json_reader(cfg, answers_rubbish, &state), PDCFG_OK);
		for (unsigned f = 1; f < FIELD_COUNT; f++)
			if (pdcfg_fields[f].facts) pdcfg_set_text(cfg, pdcfg_fields[f].key, "{}");
		ck_assert_int_ge(pdcfg_validate(cfg, NULL), 0);
		pdcfg_free(cfg);
	}
}
END_TEST

/* a text that is long, or asks for many questions, is unknown rather than slow */
START_TEST(long_texts_are_not_read_for_ever)
{
	enum { SIZE = 1000000 };
	char *text = malloc(SIZE + 1);
	pdcfg_t *cfg = lent();
	size_t n = 0;
	ck_assert_ptr_nonnull(text);
	memcpy(text, "[", 1);
	for (n = 1; n + 8 < SIZE; n += 4) memcpy(text + n, "\"a\",", 4);
	memcpy(text + n, "\"a\"]", 5);
	ck_assert_int_eq(pdcfg_set_sidecar_args(cfg, text), PDCFG_OK);
	ck_assert_str_eq(shown(cfg, F_sidecar_args_no_texts), "?");
	memset(text, ',', SIZE);
	text[SIZE] = 0;
	ck_assert_int_eq(pdcfg_set_disaggregation_ib_device(cfg, text), PDCFG_OK);
	ck_assert_str_eq(shown(cfg, F_disaggregation_ib_device_form), "?");
	pdcfg_free(cfg);
	free(text);
}
END_TEST

Suite *suite_json(void)
{
	Suite *s = suite_create("json");
	TCase *t = tcase_create("reader");
	tcase_add_test(t, the_reader_answers_paths);
	tcase_add_test(t, the_reader_keeps_to_the_room_it_has);
	suite_add_tcase(s, t);
	t = tcase_create("cells");
	tcase_add_test(t, values_and_kinds);
	tcase_add_test(t, shapes);
	tcase_add_test(t, rdma_devices);
	tcase_add_test(t, cells_follow_their_text);
	tcase_add_test(t, without_a_reader_they_are_unknown);
	tcase_add_test(t, nobody_can_set_them);
	tcase_add_test(t, reports_speak_of_the_text);
	suite_add_tcase(s, t);
	t = tcase_create("trouble");
	tcase_set_timeout(t, 60);
	tcase_add_test(t, without_memory_nothing_changes);
	tcase_add_test(t, a_reader_that_lies_harms_nobody);
	tcase_add_test(t, long_texts_are_not_read_for_ever);
	suite_add_tcase(s, t);
	return s;
}
