/* The reader of config.json: the traits of real files, and what happens with files that are none. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "suites.h"

#define CONFIGS "tests/files/configs/"

/* ---- real files ---------------------------------------------------------------------------------------------------- */

static struct json_object *traits_of(const char *path)
{
	struct fl_model m = { .root = NULL };
	struct json_object *out = NULL;
	struct fl_traits t;
	char why[256] = "";

	fl_settings_init(&m.settings);
	if (fl_model_read(&m, path, &t, why, sizeof why) >= 0)
		out = fl_model_json(&m, &t);
	else
		fprintf(stderr, "%s\n", why);
	fl_model_end(&m);
	return out;
}

static void compare(const char *file, struct json_object *expect)
{
	char path[512];
	struct json_object *got;

	snprintf(path, sizeof path, CONFIGS "%s", file);
	got = traits_of(path);
	ck_assert_msg(got != NULL, "%s is not read", file);
	json_object_object_foreach(expect, key, wanted) {
		struct json_object *v = NULL;

		ck_assert_msg(json_object_object_get_ex(got, key, &v), "%s: no %s", file, key);
		ck_assert_msg(json_object_equal(v, wanted), "%s: %s is %s, not %s", file, key, json_object_to_json_string(v),
			      json_object_to_json_string(wanted));
	}
	json_object_put(got);
}

START_TEST(real_files_have_the_traits_that_sglang_derives)
{
	FILE *f = fopen(CONFIGS "expect.jsonl", "r");
	char *line = NULL;
	size_t room = 0, files = 0;

	ck_assert(f != NULL);
	while (getline(&line, &room, f) > 0) {
		struct json_object *row = json_tokener_parse(line), *file, *expect;

		ck_assert(json_object_object_get_ex(row, "file", &file) && json_object_object_get_ex(row, "expect", &expect));
		compare(json_object_get_string(file), expect);
		json_object_put(row);
		files++;
	}
	free(line);
	fclose(f);
	ck_assert_uint_eq(files, 19);
}
END_TEST

/* ---- a handle ------------------------------------------------------------------------------------------------------- */

static pdcfg_t *handle(const char *const *args, int32_t n)
{
	pdcfg_t *cfg;

	ck_assert_int_eq(pdcfg_new(&cfg), 0);
	if (n > 0)
		ck_assert_int_eq(pdcfg_parse_argv(cfg, n, args), 0);
	return cfg;
}

#define HANDLE(...) handle((const char *const[]) { __VA_ARGS__ }, (int32_t)(sizeof((const char *const[]) { __VA_ARGS__ }) / sizeof(char *)))

static const char *text(const pdcfg_t *cfg, uint32_t key)
{
	return pdcfg_get_text(cfg, key);
}

/* -1: None or unknown */
static int64_t number(const pdcfg_t *cfg, uint32_t key)
{
	int64_t v = -1;

	return pdcfg_get_i64(cfg, key, &v) >= 0 ? v : -1;
}

static void read_text(pdcfg_t *cfg, const char *config)
{
	char why[256] = "";

	ck_assert_msg(pdcfg_files_read_model_bytes(cfg, config, strlen(config), why, sizeof why) == 0, "%s", why);
}

#define LLAMA "\"architectures\":[\"LlamaForCausalLM\"],\"model_type\":\"llama\",\"hidden_size\":1024,\"num_attention_heads\":16," \
	"\"num_hidden_layers\":4,\"num_key_value_heads\":2,\"vocab_size\":100,\"max_position_embeddings\":512"
#define DEEPSEEK "\"architectures\":[\"DeepseekV3ForCausalLM\"],\"model_type\":\"deepseek_v3\""

START_TEST(a_file_sets_the_model)
{
	pdcfg_t *cfg = handle(NULL, 0);

	ck_assert_int_eq(pdcfg_files_read_model(cfg, CONFIGS "moonshotai--Kimi-K3.json", NULL, 0), 0);
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_ARCH), "KimiK3ForConditionalGeneration");
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_IS_MLA), 1);
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_MAMBA_KIND), "kda");
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_QUANT_METHOD), "compressed-tensors");
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_IS_MXFP4_PACK_QUANTIZED), 1);
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_KV_LORA_RANK), 512);
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_CONFIG_ERROR), "");
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_INDEX_TOPK), -1);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(another_file_replaces_it)
{
	pdcfg_t *cfg = handle(NULL, 0);

	read_text(cfg, "{" DEEPSEEK ",\"index_topk\":2048,\"index_head_dim\":128}");
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_IS_DSA), 1);
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_INDEX_TOPK), 2048);
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_INDEX_HEAD_DIM), 128);
	read_text(cfg, "{" LLAMA "}");
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_IS_DSA), 0);
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_IS_MLA), 0);
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_INDEX_TOPK), -1);
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_TOTAL_NUM_KV_HEADS), 2);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(a_failure_changes_nothing)
{
	static const char bad[] = "{\"architectures\":[\"GptOssForCausalLM\"]";
	pdcfg_t *cfg = handle(NULL, 0);
	char why[256];

	read_text(cfg, "{" LLAMA "}");
	ck_assert_int_eq(pdcfg_files_read_model_bytes(cfg, bad, sizeof bad - 1, why, sizeof why), PDCFG_FILES_E_SYNTAX);
	ck_assert_str_eq(why, "config.json:1:39: an object that does not end");
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_ARCH), "LlamaForCausalLM");
	ck_assert_int_eq(pdcfg_files_read_model(cfg, CONFIGS "absent.json", why, sizeof why), PDCFG_FILES_E_READ);
	ck_assert_str_eq(why, CONFIGS "absent.json: No such file or directory");
	ck_assert_int_eq(pdcfg_files_read_model(cfg, CONFIGS, why, sizeof why), PDCFG_FILES_E_READ);
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_ARCH), "LlamaForCausalLM");
	pdcfg_free(cfg);
}
END_TEST

START_TEST(null_pointers_are_refused)
{
	pdcfg_t *cfg = handle(NULL, 0);

	ck_assert_int_eq(pdcfg_files_read_model(NULL, "x", NULL, 0), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_files_read_model(cfg, NULL, NULL, 0), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_files_read_model_bytes(cfg, NULL, 1, NULL, 0), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_files_read_draft_model(cfg, NULL, NULL, 0), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_files_read_draft_model_bytes(NULL, "{}", 2, NULL, 0), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_files_known_model(cfg, NULL), PDCFG_E_INVALID);
	ck_assert_str_eq(pdcfg_files_known_model_next(NULL), "");
	ck_assert_int_eq(pdcfg_files_json_reader(NULL, NULL, NULL, NULL, 0), PDCFG_E_INVALID);
	pdcfg_free(cfg);
}
END_TEST

/* ---- settings ------------------------------------------------------------------------------------------------------- */

START_TEST(override_arguments_change_the_config)
{
	pdcfg_t *cfg = HANDLE("--model-path", "m", "--json-model-override-args",
			      "{\"architectures\": [\"DeepseekV2ForCausalLM\"], \"num_hidden_layers\": 2, \"kv_lora_rank\": 7,"
			      " \"qk_nope_head_dim\": 8, \"qk_rope_head_dim\": 9, \"v_head_dim\": 10}");

	read_text(cfg, "{" LLAMA "}");
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_ARCH), "DeepseekV2ForCausalLM");
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_IS_MLA), 1);
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_KV_LORA_RANK), 7);
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_NUM_HIDDEN_LAYERS), 2);
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_HEAD_DIM), 256);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(unknown_override_arguments_leave_everything_unknown)
{
	pdcfg_t *cfg = handle(NULL, 0);

	ck_assert_int_eq(pdcfg_set_unknown(cfg, PDCFG_KEY_JSON_MODEL_OVERRIDE_ARGS, "${ARGS}"), 0);
	read_text(cfg, "{" LLAMA "}");
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_ARCH), "");
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_IS_MLA), -1);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(multimodal_is_off_by_default_for_some)
{
	static const char config[] = "{\"architectures\":[\"Llama4ForConditionalGeneration\"],\"model_type\":\"llama4\"}";
	pdcfg_t *off = HANDLE("--model-path", "m"), *on = HANDLE("--model-path", "m", "--enable-multimodal");

	read_text(off, config);
	read_text(on, config);
	ck_assert_int_eq(number(off, PDCFG_KEY_MODEL_IS_MULTIMODAL), 0);
	ck_assert_int_eq(number(on, PDCFG_KEY_MODEL_IS_MULTIMODAL), 1);
	ck_assert_int_eq(number(off, PDCFG_KEY_MODEL_IS_HYBRID_SWA), 1);
	pdcfg_free(off);
	pdcfg_free(on);
}
END_TEST

START_TEST(embedding_and_dtype_come_from_the_arguments)
{
	pdcfg_t *cfg = HANDLE("--model-path", "m", "--is-embedding", "--dtype", "half");

	read_text(cfg, "{" LLAMA ",\"torch_dtype\":\"bfloat16\"}");
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_IS_GENERATION), 0);
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_DTYPE), "float16");
	pdcfg_free(cfg);
}
END_TEST

/* ---- a draft model --------------------------------------------------------------------------------------------------- */

START_TEST(a_draft_has_another_architecture)
{
	pdcfg_t *cfg = handle(NULL, 0);
	static const char nemotron[] = "{\"architectures\":[\"NemotronHForCausalLM\"],\"model_type\":\"nemotron_h\","
		"\"mtp_hybrid_override_pattern\":\"*E\",\"vocab_size\":9}";

	read_text(cfg, "{" LLAMA "}");
	ck_assert_int_eq(pdcfg_files_read_draft_model_bytes(cfg, "{" DEEPSEEK "}", strlen("{" DEEPSEEK "}"), NULL, 0), 0);
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_DRAFT_ARCH), "DeepseekV3ForCausalLMNextN");
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_DRAFT_IS_MLA), 1);
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_ARCH), "LlamaForCausalLM");
	ck_assert_int_eq(pdcfg_files_read_draft_model_bytes(cfg, nemotron, sizeof nemotron - 1, NULL, 0), 0);
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_DRAFT_ARCH), "NemotronHForCausalLMMTP");
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_DRAFT_MAMBA_KIND), "none");
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_DRAFT_NUM_NEXTN_PREDICT_LAYERS), 1);
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_DRAFT_VOCAB_SIZE), 9);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(the_block_size_of_a_draft)
{
	static const char config[] = "{\"architectures\":[\"DFlashDraftModel\"],\"model_type\":\"qwen3\",\"dflash_config\":{\"block_size\":8},"
		"\"num_hidden_layers\":2,\"layer_types\":[\"sliding_attention\",\"sliding_attention\"],\"is_causal\":true}";
	pdcfg_t *cfg = handle(NULL, 0);

	ck_assert_int_eq(pdcfg_files_read_draft_model_bytes(cfg, config, sizeof config - 1, NULL, 0), 0);
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_DRAFT_BLOCK_SIZE), 8);
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_DRAFT_ALL_SLIDING), 1);
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_DRAFT_IS_CAUSAL), 1);
	pdcfg_free(cfg);
}
END_TEST

/* ---- what SGLang raises ----------------------------------------------------------------------------------------------- */

START_TEST(what_sglang_is_certain_to_raise)
{
	static const struct {
		const char *config, *error;
	} cases[] = {
		{ "{\"model_type\":\"llama\"}", "TypeError" },
		{ "{\"model_type\":\"llama\",\"architectures\":null}", "TypeError" },
		{ "{\"model_type\":\"llama\",\"architectures\":[]}", "IndexError" },
		{ "{\"model_type\":\"deepseek_v4\",\"architectures\":[\"DeepseekV4ForCausalLM\"],\"sliding_window\":1,\"index_head_dim\":1}",
		  "AttributeError" },
		{ "{\"model_type\":\"llama\",\"architectures\":[\"DeepseekV2ForCausalLM\"]}", "AttributeError" },
		{ "{" LLAMA ",\"quantization_config\":{\"quant_method\":\"fp8\",\"quant_algo\":null}}", "AttributeError" },
		{ "{\"model_type\":\"step3p5\",\"architectures\":[\"Step3p5ForCausalLM\"]}", "TypeError" },
		{ "{\"model_type\":\"deepseek_v2\",\"architectures\":[\"DeepseekV2ForCausalLM\"]}", "" },
		{ "{" LLAMA "}", "" },
		/* a class that nobody here knows may have the attribute */
		{ "{\"model_type\":\"somebody_s\",\"architectures\":[\"DeepseekV2ForCausalLM\"]}", "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		pdcfg_t *cfg = handle(NULL, 0);

		read_text(cfg, cases[i].config);
		ck_assert_msg(strcmp(text(cfg, PDCFG_KEY_MODEL_CONFIG_ERROR), cases[i].error) == 0, "%s: '%s', not '%s'", cases[i].config,
			      text(cfg, PDCFG_KEY_MODEL_CONFIG_ERROR), cases[i].error);
		pdcfg_free(cfg);
	}
}
END_TEST

START_TEST(values_of_the_wrong_kind_stay_unknown)
{
	static const char *const values[] = { "\"12\"", "[1]", "{}", "1e30", "123456789012345678901234567890", "NaN", "1.5", "true" };

	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		pdcfg_t *cfg = handle(NULL, 0);
		char config[512];

		snprintf(config, sizeof config,
			 "{\"architectures\":[\"QWenLMHeadModel\"],\"model_type\":\"qwen\",\"hidden_size\":%s,\"num_hidden_layers\":3}", values[i]);
		read_text(cfg, config);
		ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_NUM_HIDDEN_LAYERS), 3);
		ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_HEAD_DIM), -1);
		ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_HIDDEN_SIZE), i + 1 == sizeof values / sizeof values[0] ? 1 : -1);
		ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_CONFIG_ERROR), "");
		pdcfg_free(cfg);
	}
}
END_TEST

START_TEST(the_last_of_equal_keys_counts)
{
	pdcfg_t *cfg = handle(NULL, 0);

	read_text(cfg, "{" LLAMA ",\"num_hidden_layers\":5,\"num_hidden_layers\":6}");
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_NUM_HIDDEN_LAYERS), 6);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(infinity_and_nan_are_numbers)
{
	pdcfg_t *cfg = handle(NULL, 0);

	read_text(cfg, "{" LLAMA ",\"time_step_limit\":[0.0,Infinity],\"a\":-Infinity,\"b\":NaN}");
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_NUM_HIDDEN_LAYERS), 4);
	pdcfg_free(cfg);
}
END_TEST

/* ---- quantization ----------------------------------------------------------------------------------------------------- */

START_TEST(the_method_of_a_checkpoint)
{
	static const struct {
		const char *config, *method, *raw, *kv;
	} cases[] = {
		{ "{\"quant_method\":\"fp8\",\"weight_block_size\":[128,128]}", "fp8", "fp8", "" },
		{ "{\"quant_method\":\"FP8\"}", "fp8", "FP8", "" },
		{ "{\"quant_algo\":\"FP8\"}", "modelopt_fp8", "modelopt_fp8", "" },
		{ "{\"quant_algo\":\"NVFP4\",\"quant_method\":\"modelopt\",\"kv_cache_scheme\":{\"type\":\"float\",\"num_bits\":8}}", "modelopt_fp4",
		  "modelopt_fp4", "FP8" },
		{ "{\"quant_algo\":\"MIXED_PRECISION\",\"quantized_layers\":{\"a\":{\"quant_algo\":\"NVFP4\"}}}", "modelopt_mixed", "modelopt_mixed", "" },
		{ "{\"quant_algo\":\"MIXED_PRECISION\"}", "w4afp8", "w4afp8", "" },
		{ "{\"quant_algo\":\"MXFP8\"}", "mxfp8", "mxfp8", "" },
		{ "{\"quant_algo\":\"W8A8\",\"quant_method\":\"modelopt\"}", "modelopt", "modelopt", "" },
		{ "{\"bits\":4,\"group_size\":64}", "", "", "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		pdcfg_t *cfg = handle(NULL, 0);
		char config[1024];

		snprintf(config, sizeof config, "{" LLAMA ",\"quantization_config\":%s}", cases[i].config);
		read_text(cfg, config);
		ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_QUANT_METHOD), cases[i].method);
		ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_HF_QUANT_METHOD), cases[i].raw);
		ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_KV_CACHE_QUANT_ALGO), cases[i].kv);
		pdcfg_free(cfg);
	}
}
END_TEST

static void write_file(const char *dir, const char *name, const char *s)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	f = fopen(path, "w");
	ck_assert(f != NULL);
	ck_assert_int_ge(fputs(s, f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

static void remove_file(const char *dir, const char *name)
{
	char path[512];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	unlink(path);
}

START_TEST(the_file_beside_tells_the_quantization)
{
	char dir[] = "/tmp/pdcfg-model-XXXXXX", path[512], why[256];
	pdcfg_t *cfg = handle(NULL, 0);

	ck_assert(mkdtemp(dir) != NULL);
	write_file(dir, "config.json", "{" LLAMA "}");
	ck_assert_int_eq(pdcfg_files_read_model(cfg, dir, NULL, 0), 0);
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_QUANT_METHOD), "");
	write_file(dir, "hf_quant_config.json", "{\"quantization\":{\"quant_algo\":\"NVFP4\",\"kv_cache_quant_algo\":\"FP8\"}}");
	snprintf(path, sizeof path, "%s/config.json", dir);
	ck_assert_int_eq(pdcfg_files_read_model(cfg, path, NULL, 0), 0);
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_QUANT_METHOD), "modelopt_fp4");
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_KV_CACHE_QUANT_ALGO), "FP8");
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_HF_QUANT_METHOD), "");
	write_file(dir, "hf_quant_config.json", "{");
	ck_assert_int_eq(pdcfg_files_read_model(cfg, dir, why, sizeof why), PDCFG_FILES_E_SYNTAX);
	write_file(dir, "hf_quant_config.json", "{\"quantization\":{}}");
	write_file(dir, "quant_model_description.json", "{}");
	ck_assert_int_eq(pdcfg_files_read_model(cfg, dir, NULL, 0), 0);
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_QUANT_METHOD), "modelslim");
	remove_file(dir, "config.json");
	remove_file(dir, "hf_quant_config.json");
	remove_file(dir, "quant_model_description.json");
	rmdir(dir);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(mistral_s_own_format)
{
	static const char params[] = "{\"dim\":4096,\"n_layers\":36,\"n_heads\":32,\"n_kv_heads\":8,\"head_dim\":128,\"vocab_size\":131072,"
		"\"kv_lora_rank\":null,\"moe\":null}";
	static const char large[] = "{\"dim\":7168,\"n_layers\":61,\"n_heads\":128,\"kv_lora_rank\":512,\"qk_nope_head_dim\":128,"
		"\"qk_rope_head_dim\":64,\"v_head_dim\":128,\"vocab_size\":131072,\"moe\":{\"num_experts\":128,\"num_shared_experts\":1,"
		"\"expert_hidden_dim\":2048},\"llama_4_scaling\":{\"original_max_position_embeddings\":8192,\"beta\":0.1},"
		"\"vision_encoder\":{\"hidden_size\":1664}}";
	pdcfg_t *cfg = handle(NULL, 0);

	read_text(cfg, params);
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_ARCH), "MistralForCausalLM");
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_TOTAL_NUM_KV_HEADS), 8);
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_CONTEXT_LEN), 128000);
	read_text(cfg, large);
	ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_ARCH), "PixtralForConditionalGeneration");
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_IS_MLA), 1);
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_IS_MULTIMODAL), 1);
	ck_assert_int_eq(number(cfg, PDCFG_KEY_MODEL_N_ROUTED_EXPERTS), 128);
	pdcfg_free(cfg);
}
END_TEST

/* ---- texts that are no config ------------------------------------------------------------------------------------------ */

static int32_t status_of(const char *s, size_t len, char *why, size_t size)
{
	pdcfg_t *cfg = handle(NULL, 0);
	int32_t r = pdcfg_files_read_model_bytes(cfg, s, len, why, size);

	pdcfg_free(cfg);
	return r;
}

START_TEST(where_a_text_goes_wrong)
{
	static const struct {
		const char *s, *why;
	} cases[] = {
		{ "", "config.json:1:1: nothing" },
		{ " \n ", "config.json:2:2: nothing" },
		{ "\xef\xbb\xbf{}", "config.json:1:1: a byte order mark" },
		{ "[]", "config.json: not an object" },
		{ "null", "config.json: not an object" },
		{ "{\"a\":1,}", "config.json:1:8: a key without quotes" },
		{ "{\"a\" 1}", "config.json:1:6: a key without a colon" },
		{ "{'a':1}", "config.json:1:2: a key without quotes" },
		{ "{\"a\":01}", "config.json:1:7: a comma is missing" },
		{ "{\"a\":1.}", "config.json:1:7: a comma is missing" },
		{ "{\"a\":-}", "config.json:1:7: a sign without a number" },
		{ "{\"a\":nan}", "config.json:1:6: something that is no value" },
		{ "{\n\"a\":\n \"b\tc\"}", "config.json:3:4: a control character inside a text" },
		{ "{\"a\":\"\\x\"}", "config.json:1:8: an unknown escape" },
		{ "{\"a\":\"\\u12g4\"}", "config.json:1:9: \\u is not followed by four hexadecimal digits" },
		{ "{\"a\":\"\xc0\x80\"}", "config.json:1:7: bytes that are not UTF-8" },
		{ "{\"a\":\"\xed\xa0\x80\"}", "config.json:1:7: bytes that are not UTF-8" },
		{ "{} // x", "config.json:1:4: text after the end" },
		{ "{/**/}", "config.json:1:2: a key without quotes" },
		{ "{\"a\":[1 2]}", "config.json:1:9: a comma is missing" },
		{ "{\"a", "config.json:1:4: a text without its closing quote" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char why[256] = "";

		ck_assert_int_eq(status_of(cases[i].s, strlen(cases[i].s), why, sizeof why), PDCFG_FILES_E_SYNTAX);
		ck_assert_str_eq(why, cases[i].why);
	}
}
END_TEST

START_TEST(every_beginning_of_a_file_is_refused)
{
	FILE *f = fopen(CONFIGS "moonshotai--Kimi-K2.5.json", "rb");
	char s[8192];
	size_t n;

	ck_assert(f != NULL);
	n = fread(s, 1, sizeof s, f);
	fclose(f);
	while (n > 0 && s[n - 1] != '}')
		n--;
	ck_assert_int_eq(status_of(s, n, NULL, 0), 0);
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(status_of(s, i, NULL, 0), PDCFG_FILES_E_SYNTAX);
}
END_TEST

START_TEST(no_changed_byte_does_harm)
{
	static const char change[] = "\"{}[],:0x-n\xff";
	FILE *f = fopen(CONFIGS "nvidia--DeepSeek-V3.2-NVFP4.json", "rb");
	char s[8192];
	size_t n;

	ck_assert(f != NULL);
	n = fread(s, 1, sizeof s, f);
	fclose(f);
	for (size_t i = 0; i < n; i++) {
		char old = s[i];

		for (size_t k = 0; k < sizeof change; k += 1 + i % 3) {
			int32_t r;

			s[i] = change[k];
			r = status_of(s, n, NULL, 0);
			ck_assert(r == 0 || r == PDCFG_FILES_E_SYNTAX);
		}
		s[i] = old;
	}
}
END_TEST

static char *nested(size_t depth, size_t *len)
{
	char *s = malloc(2 * depth + 16);
	size_t n = 0;

	ck_assert(s != NULL);
	memcpy(s, "{\"a\":", 5);
	n = 5;
	memset(s + n, '[', depth);
	memset(s + n + depth, ']', depth);
	n += 2 * depth;
	s[n++] = '}';
	s[n] = '\0';
	*len = n;
	return s;
}

START_TEST(depth_and_size_have_limits)
{
	size_t len;
	char why[128], *s = nested(199, &len);

	ck_assert_int_eq(status_of(s, len, why, sizeof why), 0);
	free(s);
	s = nested(200, &len);
	ck_assert_int_eq(status_of(s, len, why, sizeof why), PDCFG_FILES_E_LIMIT);
	ck_assert_str_eq(why, "config.json:1:206: more than 200 levels of nesting");
	free(s);
	s = nested(1000000, &len);
	ck_assert_int_eq(status_of(s, len, why, sizeof why), PDCFG_FILES_E_LIMIT);
	free(s);
	s = malloc((64u << 20) + 2);
	ck_assert(s != NULL);
	memset(s, ' ', (64u << 20) + 2);
	memcpy(s, "{}", 2);
	ck_assert_int_eq(status_of(s, (64u << 20) + 1, why, sizeof why), PDCFG_FILES_E_LIMIT);
	ck_assert_str_eq(why, "config.json: more than 64 MiB");
	ck_assert_int_eq(status_of(s, 64u << 20, why, sizeof why), 0);
	free(s);
}
END_TEST

/* ---- JSON options ------------------------------------------------------------------------------------------------------- */

/* what the reader takes a text for: 1 JSON, 0 none, 2 when it cannot tell */
static int verdict_on(const char *path, const char *text)
{
	char out[8192];
	int32_t kind = pdcfg_files_json_reader(NULL, text, path, out, sizeof out);

	return kind == PDCFG_E_LIMIT ? 2 : kind != PDCFG_JSON_INVALID;
}

START_TEST(json_as_python_reads_it)
{
	static const char *const good[] = { "1", " 1 ", "-0", "1.5e-3", "1E400", "NaN", "-Infinity", "\"\\ud800\"", "{\"a\":1,\"a\":2}", "[]", "{}",
		"null", "[\"\\u0000\"]", "\"\x7f\"", "\"\xf0\x9f\x98\x80\"", "\t[\r\n1,2]" };
	static const char *const bad[] = { "", " ", "01", "1.", ".5", "+1", "-", "1e", "nan", "inf", "'a'", "[1,]", "{\"a\"}", "{a:1}", "\"\x01\"",
		"\"\\x41\"", "\"\\u12\"", "\"\xff\"", "[1]]", "1 2", "\v1", "tru", ("\xef\xbb\xbf" "1"), "//x\n1" };

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		ck_assert_msg(verdict_on("", good[i]) == 1, "%s", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		ck_assert_msg(verdict_on("", bad[i]) == 0, "%s", bad[i]);
}
END_TEST

START_TEST(json_as_orjson_reads_it)
{
	static const char *const good[] = { "[\"a\"]", "{}", "1", "\"\\ud83d\\ude00\"", "123456789012345678901234567890", "1e-999999", "1e307" };
	static const char *const bad[] = { "NaN", "[Infinity]", "\"\\ud800\"", "\"\\udc00x\"", "\"\\ud800\\u0041\"", "1e999", "-1e309", "" };

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		ck_assert_msg(verdict_on("!", good[i]) == 1, "%s", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		ck_assert_msg(verdict_on("!", bad[i]) == 0, "%s", bad[i]);
	ck_assert_int_eq(verdict_on("!", "1.7e308"), 2);
}
END_TEST

START_TEST(numbers_of_many_digits)
{
	char s[4400];

	memset(s, '9', 4301);
	s[4300] = '\0';
	ck_assert_int_eq(verdict_on("", s), 1);
	s[4300] = '9';
	s[4301] = '\0';
	ck_assert_int_eq(verdict_on("", s), 0);
	ck_assert_int_eq(verdict_on("!", s), 0);
	s[4301] = '.';
	s[4302] = '5';
	s[4303] = '\0';
	ck_assert_int_eq(verdict_on("", s), 1);
}
END_TEST

START_TEST(deep_json_is_not_decided)
{
	size_t len;
	char *s = nested(5000, &len);

	ck_assert_int_eq(verdict_on("", s), 2);
	free(s);
}
END_TEST

/* ---- the catalogue -------------------------------------------------------------------------------------------------------- */

START_TEST(models_known_by_name)
{
	static const struct {
		const char *path;
		int32_t how;
		const char *arch;
	} cases[] = {
		{ "deepseek-ai/DeepSeek-R1", 1, "DeepseekV3ForCausalLM" },
		{ "deepseek-ai/DeepSeek-R1-0528", 1, "DeepseekV3ForCausalLM" },
		{ "/models/DeepSeek-R1-0528/", 2, "DeepseekV3ForCausalLM" },
		{ "/models/llama-4-maverick-17b-128e-instruct-fp8", 2, "Llama4ForConditionalGeneration" },
		{ "/hub/models--Qwen--Qwen3-8B/snapshots/0123456789abcdef", 1, "Qwen3ForCausalLM" },
		{ "Qwen3-Next-80B-A3B-Instruct", 2, "Qwen3NextForCausalLM" },
		{ "somebody/gpt-oss-120b", 2, "GptOssForCausalLM" },
		{ "/models/current", 0, "" },
		{ "", 0, "" },
		{ "/", 0, "" },
		{ "deepseek-ai/", 0, "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		pdcfg_t *cfg = handle(NULL, 0);

		ck_assert_msg(pdcfg_files_known_model(cfg, cases[i].path) == cases[i].how, "%s", cases[i].path);
		ck_assert_str_eq(text(cfg, PDCFG_KEY_MODEL_ARCH), cases[i].arch);
		pdcfg_free(cfg);
	}
}
END_TEST

START_TEST(the_catalogue_is_sound)
{
	size_t n = 0;
	const char *last = "";

	for (const char *name = pdcfg_files_known_model_next(""); *name != '\0'; name = pdcfg_files_known_model_next(name)) {
		pdcfg_t *cfg = handle(NULL, 0);

		ck_assert_msg(strcmp(last, name) < 0, "%s is out of order", name);
		ck_assert_msg(pdcfg_files_known_model(cfg, name) == 1, "%s", name);
		ck_assert_msg(text(cfg, PDCFG_KEY_MODEL_ARCH)[0] != '\0', "%s", name);
		ck_assert_msg(strcmp(text(cfg, PDCFG_KEY_MODEL_CONFIG_ERROR), "") == 0, "%s", name);
		ck_assert_msg(number(cfg, PDCFG_KEY_MODEL_NUM_HIDDEN_LAYERS) > 0, "%s", name);
		pdcfg_free(cfg);
		last = name;
		n++;
	}
	ck_assert_uint_ge(n, 120);
}
END_TEST

Suite *suite_model(void)
{
	Suite *s = suite_create("model");
	TCase *t = tcase_create("model");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, real_files_have_the_traits_that_sglang_derives);
	tcase_add_test(t, a_file_sets_the_model);
	tcase_add_test(t, another_file_replaces_it);
	tcase_add_test(t, a_failure_changes_nothing);
	tcase_add_test(t, null_pointers_are_refused);
	tcase_add_test(t, override_arguments_change_the_config);
	tcase_add_test(t, unknown_override_arguments_leave_everything_unknown);
	tcase_add_test(t, multimodal_is_off_by_default_for_some);
	tcase_add_test(t, embedding_and_dtype_come_from_the_arguments);
	tcase_add_test(t, a_draft_has_another_architecture);
	tcase_add_test(t, the_block_size_of_a_draft);
	tcase_add_test(t, what_sglang_is_certain_to_raise);
	tcase_add_test(t, values_of_the_wrong_kind_stay_unknown);
	tcase_add_test(t, the_last_of_equal_keys_counts);
	tcase_add_test(t, infinity_and_nan_are_numbers);
	tcase_add_test(t, the_method_of_a_checkpoint);
	tcase_add_test(t, the_file_beside_tells_the_quantization);
	tcase_add_test(t, mistral_s_own_format);
	tcase_add_test(t, where_a_text_goes_wrong);
	tcase_add_test(t, every_beginning_of_a_file_is_refused);
	tcase_add_test(t, no_changed_byte_does_harm);
	tcase_add_test(t, depth_and_size_have_limits);
	tcase_add_test(t, json_as_python_reads_it);
	tcase_add_test(t, json_as_orjson_reads_it);
	tcase_add_test(t, numbers_of_many_digits);
	tcase_add_test(t, deep_json_is_not_decided);
	tcase_add_test(t, models_known_by_name);
	tcase_add_test(t, the_catalogue_is_sound);
	suite_add_tcase(s, t);
	return s;
}
