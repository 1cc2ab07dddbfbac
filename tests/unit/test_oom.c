/*
 * Memory that runs out: every allocation of a call is failed in turn. What fails is the caller's allocator, for the core, and malloc() and its kin, for
 * the readers of files (the program is linked with --wrap). What json-c and libyaml allocate inside themselves does not pass here.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pdcfg/files.h>
#include "example.h"
#include "launch.h"
#include "private.h"
#include "suites.h"

/* ---- allocators ---- */

static struct {
	size_t calls, fail_at; /* fail_at 0: none fails */
	size_t live;           /* bytes of the caller's allocator */
	bool counts;           /* only inside the calls that are tested */
} memory;

/* as an assertion where Check must not be asked, since it allocates as well */
static void require(bool truth)
{
	if (!truth) abort();
}

static bool fails(void) { return memory.counts && ++memory.calls == memory.fail_at; }

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t n, size_t size) { return fails() ? NULL : __real_calloc(n, size); }
void *__wrap_realloc(void *old, size_t size) { return fails() ? NULL : __real_realloc(old, size); }

static void *allocate(void *ctx, void *old, size_t old_size, size_t new_size)
{
	(void)ctx;
	if (!new_size) {
		memory.live -= old_size;
		free(old);
		return NULL;
	}
	if (fails()) return NULL;
	void *p = __real_realloc(old, new_size);
	require(p != NULL);
	memory.live += new_size - old_size;
	return p;
}

static void begin(size_t fail_at)
{
	memory.calls = 0;
	memory.fail_at = fail_at;
	memory.counts = true;
}

/* has the allocation that was to fail been asked for? */
static bool end(void)
{
	memory.counts = false;
	return memory.fail_at && memory.calls >= memory.fail_at;
}

/* ---- the calls ---- */

static const char config_json[] =
	"{\"architectures\": [\"Qwen3NextForCausalLM\"], \"model_type\": \"qwen3_next\", \"hidden_size\": 2048, \"num_hidden_layers\": 8, \"num_attention_heads\": 16,"
	"\"num_key_value_heads\": 2, \"head_dim\": 256, \"max_position_embeddings\": 262144, \"torch_dtype\": \"bfloat16\", \"full_attention_interval\": 4, \"num_experts\": 512,"
	"\"quantization_config\": {\"quant_method\": \"fp8\", \"weight_block_size\": [128, 128], \"ignored_layers\": [\"a\", \"b\"]}, \"vocab_size\": 151936}";
static const char params_json[] =
	"{\"dim\": 4096, \"n_layers\": 8, \"n_heads\": 32, \"n_kv_heads\": 8, \"head_dim\": 128, \"hidden_dim\": 14336, \"vocab_size\": 32768, \"norm_eps\": 1e-5,"
	"\"max_position_embeddings\": 131072, \"yarn\": {\"factor\": 8, \"original_max_position_embeddings\": 8192}, \"moe\": {\"num_experts\": 8, \"num_experts_per_tok\": 2}}";
static const char yaml[] =
	"tp-size: 8\nserved-model-name: &n \"a name\"\nlora-paths: [one, two, *n]\njson-model-override-args: {a: 1, b: [x, 2.5, null], <<: {c: 2020-01-01}}\n"
	"enable-metrics: true\nextra: !!binary aGVsbG8=\nmodel-path: null\nodd: !!pairs [a: 1, b: 2]\n? [1]\n: 2\n";

static int32_t set_text(pdcfg_t *cfg) { return pdcfg_set_served_model_name(cfg, "a name that is not known"); }
static int32_t set_json(pdcfg_t *cfg) { return pdcfg_set_text(cfg, PDCFG_KEY_CUDA_GRAPH_CONFIG, "{\"decode\": {\"backend\": \"other\", \"bs\": [1, 2, 77]}}"); }
static int32_t set_list(pdcfg_t *cfg)
{
	static const char *const items[] = { "mlx5_0", "mlx5_1" };
	return pdcfg_set_platform_ib_devices(cfg, items, 2);
}
static int32_t set_unknown(pdcfg_t *cfg) { return pdcfg_set_unknown(cfg, PDCFG_KEY_DIST_INIT_ADDR, "${ADDR}"); }
static int32_t set_origin(pdcfg_t *cfg) { return pdcfg_set_origin(cfg, PDCFG_KEY_TP_SIZE, PDCFG_FROM_FILE, "launch-file.yaml", 7, 1); }
static int32_t set_wrong_option(pdcfg_t *cfg) { return pdcfg_set_arg(cfg, "--page-size", "sixty-four"); }
static int32_t set_variable(pdcfg_t *cfg) { return pdcfg_set_arg(cfg, "SGLANG_HOST_IP", "10.0.0.1"); }
static int32_t set_wrong_variable(pdcfg_t *cfg) { return pdcfg_set_arg(cfg, "SGLANG_DISAGG_STAGING_BUFFER", "maybe"); }
static int32_t set_platform(pdcfg_t *cfg) { return pdcfg_use_platform(cfg, "h100"); }
static int32_t lend_reader(pdcfg_t *cfg) { return pdcfg_set_json_reader(cfg, pdcfg_files_json_reader, NULL); }
static int32_t take_reader(pdcfg_t *cfg) { return pdcfg_set_json_reader(cfg, NULL, NULL); }
static int32_t add_finding(pdcfg_t *cfg) { return pdcfg_add_parse_finding(cfg, pdcfg_code_by_rule("argparse-stray-word"), 3, "a stray word", "its value"); }

static const char *const words[] = { "--model-path", "a/long/path/to/some/model", "--disaggregation-mode", "decode", "--enable-hierarchical-cache", "--served-model-name", "a name",
	"--lora-paths", "one", "two", "--tp", "x", "--cuda-graph-bs", "1", "2", "--nonsense", "--disaggregation-ib-device", "{\"0\": \"mlx5_0,mlx5_1\", \"1\": \"mlx5_2\"}",
	"--d", "stray", "--mm-process-config", "{\"image\": {\"max_pixels\": 3}, \"sound\": 1}" };
enum { WORDS = sizeof words / sizeof *words };
static int32_t parse_words(pdcfg_t *cfg) { return pdcfg_parse_argv(cfg, WORDS, words); }

static int32_t parse_merged(pdcfg_t *cfg)
{
	static int32_t indexes[WORDS];
	static uint32_t lines[WORDS];
	for (int32_t i = 0; i < WORDS; i++) indexes[i] = i % 5 < 3 ? -1 : i;
	return pdcfg_parse_merged(cfg, WORDS, words, indexes, "some/file.yaml", lines, lines);
}

static int32_t parse_environ(pdcfg_t *cfg)
{
	static const char *const envp[] = { "SGLANG_DISAGG_STAGING_BUFFER=maybe", "SGLANG_HOST_IP=10.0.0.1", "SGL_HOST_IP=10.0.0.2", "SGLANG_QUEUED_TIMEOUT_MS=x", NULL };
	return pdcfg_parse_environ(cfg, envp);
}

static int32_t parse_file(pdcfg_t *cfg)
{
	static const char *const argv[] = { "--config", "some/file.yaml", "--model-path", "a/long/path", "--page-size", "16" };
	char why[64];
	return pdcfg_files_parse_argv_bytes(cfg, sizeof argv / sizeof *argv, argv, yaml, sizeof yaml - 1, why, sizeof why);
}

static int32_t parse_bad_file(pdcfg_t *cfg)
{
	static const char *const argv[] = { "--config", "some/file.yaml", "--model-path", "a/long/path" };
	static const char text[] = "tp-size: [1, 2\n";
	return pdcfg_files_parse_argv_bytes(cfg, sizeof argv / sizeof *argv, argv, text, sizeof text - 1, NULL, 0);
}

static int32_t parse_file_by_name(pdcfg_t *cfg)
{
	static const char *const argv[] = { "--config", "tests/unit/no-such-file.yaml", "--model-path", "a/long/path" };
	return pdcfg_files_parse_argv(cfg, sizeof argv / sizeof *argv, argv, NULL, 0);
}

static int32_t clone_and_replace(pdcfg_t *cfg)
{
	pdcfg_t *copy = (pdcfg_t *)(void *)&copy;
	int32_t status = pdcfg_clone(cfg, &copy);
	require((status == 0) == (copy != NULL));
	if (status >= 0) status = pdcfg_set_served_model_name(copy, "a copy's name");
	if (status >= 0) return pdcfg_replace(cfg, copy);
	pdcfg_free(copy);
	return status;
}

static int32_t read_model(pdcfg_t *cfg) { return pdcfg_files_read_model_bytes(cfg, config_json, sizeof config_json - 1, NULL, 0); }
static int32_t read_draft(pdcfg_t *cfg) { return pdcfg_files_read_draft_model_bytes(cfg, config_json, sizeof config_json - 1, NULL, 0); }
static int32_t read_params(pdcfg_t *cfg) { return pdcfg_files_read_model_bytes(cfg, params_json, sizeof params_json - 1, NULL, 0); }
static int32_t read_known(pdcfg_t *cfg) { return pdcfg_files_known_model(cfg, "deepseek-ai/DeepSeek-V3"); }

static int32_t read_model_by_name(pdcfg_t *cfg)
{
	char why[64];
	return pdcfg_files_read_model(cfg, "tests/conformance/models/deepseek-v3", why, sizeof why);
}

static const struct {
	const char *name;
	int32_t (*call)(pdcfg_t *cfg);
	bool may_change; /* when memory runs out in the middle */
} calls[] = {
	{ "set_text", set_text, false }, { "set_json", set_json, false }, { "set_list", set_list, false }, { "set_unknown", set_unknown, false },
	{ "set_origin", set_origin, false }, { "set_wrong_option", set_wrong_option, false }, { "set_variable", set_variable, false },
	{ "set_wrong_variable", set_wrong_variable, false }, { "set_platform", set_platform, false }, { "lend_reader", lend_reader, false },
	{ "take_reader", take_reader, false }, { "add_finding", add_finding, false }, { "parse_words", parse_words, false }, { "parse_merged", parse_merged, false },
	{ "parse_environ", parse_environ, false }, { "parse_file", parse_file, false }, { "parse_bad_file", parse_bad_file, false },
	{ "parse_file_by_name", parse_file_by_name, false }, { "clone_and_replace", clone_and_replace, false }, { "read_model", read_model, true },
	{ "read_draft", read_draft, true }, { "read_params", read_params, true }, { "read_known", read_known, true }, { "read_model_by_name", read_model_by_name, true },
};

/* ---- what a handle holds ---- */

static uint64_t mix(uint64_t sum, const char *s)
{
	do sum = (sum ^ (unsigned char)*s) * UINT64_C(1099511628211); while (*s++);
	return sum;
}

static uint64_t mix_number(uint64_t sum, int64_t n) { return (sum ^ (uint64_t)n) * UINT64_C(1099511628211); }

static uint64_t digest_finding(uint64_t sum, const pdcfg_report *rep, size_t i)
{
	sum = mix(mix(sum, pdcfg_finding_rule(rep, i)), pdcfg_finding_message(rep, i));
	for (size_t n = 0; n < pdcfg_finding_subjects(rep, i); n++) {
		sum = mix(mix(sum, pdcfg_subject_value(rep, i, n)), pdcfg_subject_origin_text(rep, i, n));
		sum = mix_number(mix_number(sum, pdcfg_subject_index(rep, i, n)), pdcfg_subject_line(rep, i, n));
	}
	return sum;
}

static uint64_t digest(const pdcfg_t *cfg)
{
	pdcfg_report *rep;
	uint64_t sum = 0;
	ck_assert_int_ge(pdcfg_validate(cfg, &rep), 0);
	for (size_t i = 0; i < pdcfg_report_count(rep); i++) sum = digest_finding(sum, rep, i);
	for (uint32_t key = pdcfg_key_next(0); key; key = pdcfg_key_next(key)) {
		sum = mix(mix(mix(sum, pdcfg_resolved_text(rep, key)), pdcfg_overridden_text(rep, key)), pdcfg_get_text(cfg, key));
		sum = mix_number(mix_number(sum, pdcfg_is_set(cfg, key)), pdcfg_resolved_origin(rep, key));
	}
	pdcfg_report_free(rep);
	return sum;
}

/* the next text needs more room, of both kinds */
static void fill_pool(pdcfg_t *cfg)
{
	char text[16], *rest;
	int64_t cell;
	for (unsigned i = 0; cfg->pool.count + 1 < cfg->pool.places; i++) {
		snprintf(text, sizeof text, "filler %u", i);
		ck_assert_int_eq(pdcfg_intern(cfg, text, strlen(text), &cell), 0);
	}
	size_t left = cfg->pool.room - cfg->pool.used - 1;
	rest = malloc(left + 1);
	memset(rest, 'x', left);
	ck_assert_int_eq(pdcfg_intern(cfg, rest, left, &cell), 0);
	free(rest);
	ck_assert_uint_eq(cfg->pool.used, cfg->pool.room);
	ck_assert_uint_eq(cfg->pool.count, cfg->pool.places);
}

static pdcfg_t *prepared(void)
{
	pdcfg_t *cfg;
	ck_assert_int_eq(pdcfg_new_with(allocate, NULL, &cfg), 0);
	ck_assert_int_eq(pdcfg_set_json_reader(cfg, pdcfg_files_json_reader, NULL), 0);
	ck_assert_int_eq(pdcfg_set_tp_size(cfg, 2), 0);
	ck_assert_int_eq(pdcfg_set_served_model_name(cfg, "a first name"), 0);
	ck_assert_int_eq(pdcfg_set_json_model_override_args(cfg, "{\"hidden_size\": 4096, \"x\": [1]}"), 0);
	ck_assert_int_eq(pdcfg_set_text(cfg, PDCFG_KEY_CUDA_GRAPH_CONFIG, "{\"decode\": {\"bs\": [1, 2, 3]}}"), 0);
	fill_pool(cfg);
	return cfg;
}

START_TEST(a_failed_call_changes_nothing)
{
	size_t failed = 0;
	bool reached = true;
	pdcfg_t *cfg = prepared();
	uint64_t before = digest(cfg);
	int32_t expected = calls[_i].call(cfg);
	ck_assert_msg(expected >= 0, "%s: %d", calls[_i].name, expected);
	uint64_t after = digest(cfg);
	pdcfg_free(cfg);
	for (size_t n = 1; reached; n++) {
		cfg = prepared();
		begin(n);
		int32_t status = calls[_i].call(cfg);
		reached = end();
		failed += reached;
		ck_assert_msg(status == (reached ? PDCFG_E_NOMEM : expected), "%s: allocation %zu failed and the status is %d", calls[_i].name, n, status);
		if (!reached || !calls[_i].may_change) ck_assert_msg(digest(cfg) == (reached ? before : after), "%s: allocation %zu", calls[_i].name, n);
		if (reached) ck_assert_int_eq(calls[_i].call(cfg), expected); /* with memory again, it works */
		ck_assert_msg(digest(cfg) == after, "%s: after allocation %zu", calls[_i].name, n);
		pdcfg_free(cfg);
		ck_assert_uint_eq(memory.live, 0);
	}
	ck_assert_uint_gt(failed, 0);
}
END_TEST

/* ---- a whole session ---- */

static int32_t session(char *said, size_t size)
{
	pdcfg_t *cfg = NULL, *copy = NULL;
	pdcfg_report *rep = NULL;
	int32_t status = pdcfg_new_with(allocate, NULL, &cfg);
	require((status == 0) == (cfg != NULL));
	if (status >= 0) status = pdcfg_set_tp_size(cfg, 2);
	for (size_t i = 0; i < sizeof calls / sizeof *calls && status >= 0; i++) status = calls[i].call(cfg);
	if (status >= 0) status = pdcfg_clone(cfg, &copy);
	if (status >= 0) status = pdcfg_validate(copy, &rep);
	if (status >= 0)
		for (size_t i = 0; i < pdcfg_report_count(rep); i++) strncat(said, pdcfg_finding_message(rep, i), size - strlen(said) - 1);
	else require(rep == NULL);
	pdcfg_report_free(rep);
	pdcfg_free(copy);
	pdcfg_free(cfg);
	return status;
}

START_TEST(every_failed_allocation_is_reported)
{
	static char expected[65536], said[65536];
	bool reached = true;
	expected[0] = 0;
	ck_assert_int_eq(session(expected, sizeof expected), PDCFG_REFUSED);
	ck_assert_uint_eq(memory.live, 0);
	for (size_t n = 1; reached; n += n < 50 ? 1 : 7) { /* the calls by themselves are tested one by one */
		said[0] = 0;
		begin(n);
		int32_t status = session(said, sizeof said);
		reached = end();
		ck_assert_msg(status == (reached ? PDCFG_E_NOMEM : PDCFG_REFUSED), "allocation %zu failed and the status is %d", n, status);
		if (!reached) ck_assert_str_eq(said, expected);
		ck_assert_uint_eq(memory.live, 0);
	}
}
END_TEST

START_TEST(a_report_is_one_allocation_and_a_verdict_none)
{
	pdcfg_t *cfg;
	pdcfg_report *rep;
	ck_assert_int_eq(pdcfg_new_with(allocate, NULL, &cfg), 0);
	example_apply(cfg, "--disaggregation-mode decode --enable-hierarchical-cache --tp 8 --page-size 64 --served-model-name x");
	begin(0);
	int32_t verdict = pdcfg_validate(cfg, NULL);
	size_t without = memory.calls;
	int32_t same = pdcfg_validate(cfg, &rep);
	end();
	ck_assert_int_eq(verdict, PDCFG_REFUSED);
	ck_assert_int_eq(same, PDCFG_REFUSED);
	ck_assert_uint_eq(without, 0);
	ck_assert_uint_eq(memory.calls, 1);
	pdcfg_report_free(rep);
	pdcfg_free(cfg);
	ck_assert_uint_eq(memory.live, 0);
}
END_TEST

/* ---- readers without a handle ---- */

START_TEST(a_command_is_read_or_memory_is_short)
{
	static const char *const commands[][16] = {
		{ "A=1", "sudo", "-u", "x", "env", "-S", "-i B=2 'C=x y' some wrapper python3 -um sglang.launch_server", "--tp", "8" },
		{ "mpirun", "-x", "D=1", "-genv", "E", "2", "torchrun", "-m", "sglang.launch_server", "--tp", "8" },
		{ "srun", "--export=ALL,A=1,B", "sglang", "serve", "--model-type", "llm", "/m", "--tp", "8" },
		{ "kubectl", "exec", "x" }, { "no", "launch" } };
	for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
		int32_t argc = 0;
		bool reached = true;
		while (commands[c][argc]) argc++;
		for (size_t n = 1; reached; n++) {
			struct pdcfg_launch launch;
			begin(n);
			int32_t status = pdcfg_launch_read(argc, commands[c], &launch);
			reached = end();
			ck_assert_msg(status == (reached ? PDCFG_E_NOMEM : PDCFG_OK), "command %zu, allocation %zu: %d", c, n, status);
			pdcfg_launch_end(&launch);
		}
	}
}
END_TEST

Suite *suite_oom(void)
{
	Suite *s = suite_create("oom");
	TCase *t = tcase_create("oom");
	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, a_failed_call_changes_nothing, 0, sizeof calls / sizeof *calls);
	tcase_add_test(t, every_failed_allocation_is_reported);
	tcase_add_test(t, a_report_is_one_allocation_and_a_verdict_none);
	tcase_add_test(t, a_command_is_read_or_memory_is_short);
	suite_add_tcase(s, t);
	return s;
}
