/* The file of --config. What is expected of values was measured on PyYAML and SGLang's own merge. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <pdcfg/files.h>
#include "suites.h"
#include "yaml_value.h"

/* ---- values ---- */

/* str() of the only value of the list, or what was raised */
static void str_of(const char *yaml, char out[512])
{
	struct yv y = { 0 };
	struct yv_node *root = NULL;
	const char *text = "";
	int32_t status = yv_load(&y, yaml, strlen(yaml), &root);

	if (!status && root && root->type == YV_LIST && root->count)
		status = yv_str(&y, root->items[0], &text);
	snprintf(out, 512, "%s", status == YV_RAISES ? "raises" : status < 0 ? "fails" : text);
	yv_end(&y);
}

static void json_of(const char *yaml, char out[512])
{
	struct yv y = { 0 };
	struct yv_node *root = NULL;
	const char *text = "";
	int32_t status = yv_load(&y, yaml, strlen(yaml), &root);

	if (!status && root)
		status = yv_json(&y, root, &text);
	snprintf(out, 512, "%s", status == YV_RAISES ? "raises" : status < 0 ? "fails" : text);
	yv_end(&y);
}

static const struct {
	const char *yaml, *text;
} values[] = {
	{ "1", "1" }, { "+3", "3" }, { "-0", "0" }, { "0x1F", "31" }, { "0b1010", "10" }, { "010", "8" }, { "0o17", "0o17" }, { "09", "09" },
	{ "1_000", "1000" }, { "1:30", "90" }, { "190:20:30", "685230" }, { "1:60", "1:60" }, { "0b", "0b" }, { "0x_", "raises" },
	{ "123456789012345678901234567890", "123456789012345678901234567890" }, { "0xffffffffffffffffffff", "1208925819614629174706175" },
	{ "1.0", "1.0" }, { "1.", "1.0" }, { ".5", "0.5" }, { "-.5", "-.5" }, { "1e5", "1e5" }, { "1.0e5", "1.0e5" }, { "1.0e+5", "100000.0" },
	{ "1.5e-07", "1.5e-07" }, { "1.0e-5", "1e-05" }, { "1.0e+16", "1e+16" }, { "1:30.5", "90.5" }, { ".inf", "inf" }, { "-.INF", "-inf" },
	{ ".NaN", "nan" }, { "-.nan", "-.nan" }, { "1.0e+400", "inf" }, { "-0.0", "-0.0" },
	{ "~", "None" }, { "NULL", "None" }, { "", "" }, { "none", "none" }, { "nUll", "nUll" },
	{ "on", "True" }, { "No", "False" }, { "y", "y" }, { "tRue", "tRue" }, { "'on'", "on" }, { "! on", "True" },
	{ "2020-01-01", "2020-01-01" }, { "2020-1-1", "2020-1-1" }, { "2021-02-29", "raises" }, { "2020-01-01 10:00:00", "2020-01-01 10:00:00" },
	{ "2020-01-01T10:00:00.5Z", "2020-01-01 10:00:00.500000+00:00" }, { "2020-01-01 1:00:00 -5:30", "2020-01-01 01:00:00-05:30" },
	{ "2020-01-01 10:00:00 +24", "raises" }, { "!!timestamp 2020-1-2", "2020-01-02" },
	{ "!!str 5", "5" }, { "!!int '5'", "5" }, { "!!int x", "raises" }, { "!!float 5", "5.0" }, { "!!bool maybe", "raises" },
	{ "!!null x", "None" }, { "!!binary aGk=", "b'hi'" }, { "!!binary aGk", "raises" }, { "!foo x", "raises" }, { "!!python/name:os x", "raises" },
	{ "!!set {a}", "{'a'}" }, { "!!set {}", "set()" }, { "!!omap [a: 1, b: [2]]", "[('a', 1), ('b', [2])]" }, { "!!map [1]", "raises" },
	{ "{1: a, true: b, 1.0: c}", "{1: 'c'}" }, { "[a, \"it's\", null, 1.5, on]", "['a', \"it's\", None, 1.5, True]" },
	{ "[2020-01-01, 2020-01-01 10:00:05Z]", "[datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1, 10, 0, 5, tzinfo=datetime.timezone.utc)]" },
	{ "[2020-01-01 10:00:00-03:00]", "[datetime.datetime(2020, 1, 1, 10, 0, tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds=75600)))]" },
	{ "{<<: {a: 1}, b: 2}", "{'a': 1, 'b': 2}" }, { "{<<: [{a: 1}, {a: 2, c: 3}], a: 5}", "{'a': 5, 'c': 3}" }, { "{<<: 3}", "raises" },
	{ "=", "raises" }, { "<<", "raises" }, { "{=: 1}", "{'=': 1}" }, { "!!str {=: x}", "x" }, { "{? [a] : b}", "raises" },
	{ "&a [*a]", "[[...]]" }, { "&a {x: *a}", "{'x': {...}}" }, { "*nobody", "raises" }, { "[&a 1, *a]", "[1, 1]" }, { "[&a 1, &a 2]", "raises" },
	{ "\"\\u00e9\\n\\x00\"", "é\n\xef\xbf\xbd" }, { "[\"\\u00e9\\n\\x7f\"]", "['é\\n\\x7f']" }, { "a\tb", "raises" }, { "'a\tb'", "a\tb" },
	{ "[x:]", "[{'x': None}]" }, { "[x?]", "raises" }, { "\"\\ud83d\"", "\xef\xbf\xbd" }, { "a # c\t", "a" }, { "1\t", "raises" },
};

START_TEST(a_value_is_written_as_python_writes_it)
{
	char yaml[512], got[512];
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		snprintf(yaml, sizeof yaml, "- %s\n", values[i].yaml);
		str_of(yaml, got);
		if (!*values[i].yaml) continue;
		ck_assert_msg(!strcmp(got, values[i].text), "%s: %s, expected %s", values[i].yaml, got, values[i].text);
	}
	str_of("-\n", got);
	ck_assert_str_eq(got, "None");
}
END_TEST

START_TEST(a_mapping_is_written_as_json)
{
	static const struct {
		const char *yaml, *json;
	} all[] = {
		{ "{a: 1, b: [1.5, null, yes, 'x\"']}", "{\"a\": 1, \"b\": [1.5, null, true, \"x\\\"\"]}" },
		{ "{1: a, on: b, null: c, 2.5: d}", "{\"1\": \"b\", \"null\": \"c\", \"2.5\": \"d\"}" },
		{ "{a: .nan, b: -.inf}", "{\"a\": NaN, \"b\": -Infinity}" },
		{ "{é: \"\\U0001F600\\x7f\\t\"}", "{\"\\u00e9\": \"\\ud83d\\ude00\\u007f\\t\"}" },
		{ "{a: 2020-01-01}", "raises" }, { "{2020-01-01: a}", "raises" }, { "{a: !!binary aGk=}", "raises" }, { "&a {x: *a}", "raises" },
		{ "{a: !!pairs [x: 1]}", "{\"a\": [[\"x\", 1]]}" }, { "{}", "{}" },
	};
	char got[512];
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		json_of(all[i].yaml, got);
		ck_assert_str_eq(got, all[i].json);
	}
}
END_TEST

/* ---- the merge ---- */

static pdcfg_t *fresh(void)
{
	pdcfg_t *cfg;
	ck_assert_int_eq(pdcfg_new(&cfg), PDCFG_OK);
	return cfg;
}

/* the arguments behind --model-path m --config c.yaml, whose text is given */
static int32_t parse(pdcfg_t *cfg, const char *yaml, const char *const *more)
{
	const char *argv[16] = { "--model-path", "m", "--config", "c.yaml" };
	int32_t n = 4;
	while (*more) argv[n++] = *more++;
	return pdcfg_files_parse_argv_bytes(cfg, n, argv, yaml, strlen(yaml), NULL, 0);
}
#define MERGED(yaml, ...) merged(yaml, (const char *const[]){ __VA_ARGS__ __VA_OPT__(,) NULL })
static pdcfg_t *merged(const char *yaml, const char *const *more)
{
	pdcfg_t *cfg = fresh();
	ck_assert_int_eq(parse(cfg, yaml, more), 0);
	return cfg;
}

static int64_t whole(const pdcfg_t *cfg, uint32_t key)
{
	int64_t v = -77;
	pdcfg_get_i64(cfg, key, &v);
	return v;
}

struct seen {
	uint32_t code, severity, parse_class;
	int64_t index, subject_index;
	uint32_t kind, line, column;
	char option[64], message[512], where[64];
};

/* the first finding of phase parse with this code, or the first that refuses for 0 */
static struct seen see(const pdcfg_t *cfg, uint32_t code)
{
	pdcfg_report *rep;
	struct seen s = { 0 };
	ck_assert_int_ge(pdcfg_validate(cfg, &rep), 0);
	for (size_t i = 0; i < pdcfg_report_count(rep); i++) {
		if (pdcfg_finding_phase(rep, i) != PDCFG_PHASE_PARSE) continue;
		if (code ? pdcfg_finding_code(rep, i) != code : (int64_t)i != pdcfg_report_first_refusal(rep)) continue;
		s = (struct seen){ .code = pdcfg_finding_code(rep, i), .severity = pdcfg_finding_severity(rep, i),
			.parse_class = pdcfg_finding_parse_class(rep, i), .index = pdcfg_finding_parse_index(rep, i),
			.kind = pdcfg_subject_origin(rep, i, 0), .line = pdcfg_subject_line(rep, i, 0), .column = pdcfg_subject_column(rep, i, 0),
			.subject_index = pdcfg_subject_index(rep, i, 0) };
		snprintf(s.option, sizeof s.option, "%s", pdcfg_finding_parse_option(rep, i));
		snprintf(s.message, sizeof s.message, "%s", pdcfg_finding_message(rep, i));
		snprintf(s.where, sizeof s.where, "%s", pdcfg_subject_origin_text(rep, i, 0));
		break;
	}
	pdcfg_report_free(rep);
	return s;
}

START_TEST(keys_become_options)
{
	pdcfg_t *cfg = MERGED("tp: 0x8\ndisaggregation-mode: decode\nenable-dp-attention: on\ntrust-remote-code: off\nhost: 1.50\n");
	ck_assert_int_eq(whole(cfg, PDCFG_KEY_TP_SIZE), 8);
	ck_assert_str_eq(pdcfg_get_text(cfg, PDCFG_KEY_DISAGGREGATION_MODE), "decode");
	ck_assert_int_eq(whole(cfg, PDCFG_KEY_ENABLE_DP_ATTENTION), 1);
	ck_assert_int_eq(whole(cfg, PDCFG_KEY_TRUST_REMOTE_CODE), 0);
	ck_assert_int_eq(pdcfg_is_set(cfg, PDCFG_KEY_TRUST_REMOTE_CODE), 0);
	ck_assert_str_eq(pdcfg_get_text(cfg, PDCFG_KEY_HOST), "1.5");
	ck_assert_int_eq(pdcfg_is_set(cfg, pdcfg_key_by_name("config")), 0);
	ck_assert_uint_eq(see(cfg, 0).code, 0);
	ck_assert_uint_eq(see(cfg, 6387).severity, PDCFG_WARNING);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(the_command_line_wins_wherever_it_stands)
{
	const char *const before[] = { "--tp", "2", "--model-path", "m", "--config", "c.yaml", "--port", "1" };
	const char yaml[] = "tp-size: 8\nport: 2\ndp: 4\n";
	pdcfg_t *cfg = fresh();
	ck_assert_int_eq(pdcfg_files_parse_argv_bytes(cfg, 8, before, yaml, sizeof yaml - 1, NULL, 0), 0);
	ck_assert_int_eq(whole(cfg, PDCFG_KEY_TP_SIZE), 2);
	ck_assert_int_eq(whole(cfg, PDCFG_KEY_PORT), 1);
	ck_assert_int_eq(whole(cfg, PDCFG_KEY_DP_SIZE), 4);
	struct seen s = see(cfg, 8019);
	ck_assert_uint_eq(s.severity, PDCFG_WARNING);
	ck_assert_int_eq(s.index, 0);
	ck_assert_str_eq(s.option, "--tp-size");
	pdcfg_free(cfg);
}
END_TEST

START_TEST(values_say_where_they_stand)
{
	pdcfg_t *cfg = MERGED("# c\ntp: 8\nkey: x\n  \nport: nine\n", "--disaggregation-mode", "prefil");
	struct seen s = see(cfg, 0);
	ck_assert_str_eq(s.option, "--port");
	ck_assert_uint_eq(s.parse_class, PDCFG_PARSE_INVALID_VALUE);
	ck_assert_int_eq(s.index, -1);
	ck_assert_uint_eq(s.kind, PDCFG_FROM_FILE);
	ck_assert_str_eq(s.where, "c.yaml");
	ck_assert_uint_eq(s.line, 5);
	ck_assert_uint_eq(s.column, 1);
	s = see(cfg, 8858);
	ck_assert_uint_eq(s.parse_class, PDCFG_PARSE_UNRECOGNIZED);
	ck_assert_ptr_nonnull(strstr(s.message, "--key"));
	pdcfg_free(cfg);
	cfg = MERGED("tp: 8\n", "--disaggregation-mode", "prefil");
	s = see(cfg, 0);
	ck_assert_int_eq(s.index, 5);
	ck_assert_int_eq(s.subject_index, 4);
	ck_assert_uint_eq(s.kind, PDCFG_FROM_ARGUMENT);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(what_the_merge_refuses_comes_first)
{
	static const struct {
		const char *yaml;
		uint32_t code;
	} all[] = {
		{ "a: [\n", 7787 }, { "a: 1\n---\nb: 1\n", 7787 }, { "a: \xff\n", 7787 }, { "tp:\t8\n\tdp: 1", 7787 }, { "kv-events-config: {a: 2020-01-01}", 7787 },
		{ "- a\n", 4172 }, { "abc", 4172 }, { "on: 1\n", 7383 }, { "1: 2", 7383 }, { "2020-01-01: x", 7383 }, { "~: x", 7383 },
		{ "lora-paths: []", 6464 }, { "lora_paths: x", 6464 }, { "dsa-decode-backend: fa3", 6464 }, { "prefill-round-robin-balance: true", 6464 },
		{ "bogus: 1\nlora-paths: x", 6464 }, { "disaggregation-mode: no\non: 1", 7383 },
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		pdcfg_t *cfg = MERGED(all[i].yaml, "--disaggregation-mode", "bogus", "--help");
		ck_assert_msg(see(cfg, 0).code == all[i].code, "%s: %u", all[i].yaml, see(cfg, 0).code);
		pdcfg_free(cfg);
	}
}
END_TEST

START_TEST(the_rest_is_argparse)
{
	static const struct {
		const char *yaml;
		uint32_t parse_class;
		const char *option;
	} all[] = {
		{ "disaggregation-mode: null", PDCFG_PARSE_INVALID_CHOICE, "--disaggregation-mode" },
		{ "disaggregation-mode: off", PDCFG_PARSE_INVALID_CHOICE, "--disaggregation-mode" },
		{ "tp: true", PDCFG_PARSE_INVALID_VALUE, "--tensor-parallel-size" }, { "tp: 8.0", PDCFG_PARSE_INVALID_VALUE, "--tensor-parallel-size" },
		{ "tp_size: 8", PDCFG_PARSE_UNRECOGNIZED, "" }, { "tp: [1, 2]", PDCFG_PARSE_UNRECOGNIZED, "" },
		{ "trust-remote-code: 1", PDCFG_PARSE_UNRECOGNIZED, "" }, { "trust_remote_code: true", PDCFG_PARSE_UNRECOGNIZED, "" },
		{ "host: -a", PDCFG_PARSE_ONE_ARGUMENT, "--host" }, { "pp: 1", PDCFG_PARSE_AMBIGUOUS, "" }, { "tp-size=: 1", PDCFG_PARSE_INVALID_VALUE, "" },
		{ "config: [a, b]", PDCFG_PARSE_UNRECOGNIZED, "" }, { "config: -x", PDCFG_PARSE_ONE_ARGUMENT, "--config" },
		{ "tokenizer-path: --config", PDCFG_PARSE_ONE_ARGUMENT, "--tokenizer-path" },
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		pdcfg_t *cfg = MERGED(all[i].yaml);
		struct seen s = see(cfg, 0);
		ck_assert_msg(s.parse_class == all[i].parse_class, "%s: %u %s", all[i].yaml, s.parse_class, s.message);
		if (*all[i].option && s.option[2] != 't') ck_assert_str_eq(s.option, all[i].option);
		pdcfg_free(cfg);
	}
}
END_TEST

START_TEST(what_is_harmless_is_a_warning)
{
	static const struct {
		const char *yaml;
		uint32_t code;
	} all[] = {
		{ "revision: ~", 2135 }, { "trust-remote-code: false", 6387 }, { "lora-target-modules: []", 8073 }, { "nobody: []", 8073 },
		{ "config: b.yaml", 1736 },
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		pdcfg_t *cfg = MERGED(all[i].yaml);
		ck_assert_msg(see(cfg, 0).code == 0, "%s: %u", all[i].yaml, see(cfg, 0).code);
		ck_assert_msg(see(cfg, all[i].code).severity == PDCFG_WARNING, "%s", all[i].yaml);
		pdcfg_free(cfg);
	}
	pdcfg_t *cfg = MERGED("revision: ~", "--revision", "main");
	ck_assert_uint_eq(see(cfg, 2135).code, 0);
	pdcfg_free(cfg);
	cfg = MERGED("");
	ck_assert_uint_eq(see(cfg, 0).code, 0);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(help_in_the_file_is_no_help)
{
	pdcfg_t *cfg = MERGED("tp: 8\nhelp: true\n");
	ck_assert_uint_eq(see(cfg, 0).code, 6102);
	ck_assert_int_eq(whole(cfg, PDCFG_KEY_TP_SIZE), 8);
	pdcfg_free(cfg);
	cfg = fresh();
	ck_assert_int_eq(parse(cfg, "tp: 8\n", (const char *const[]){ "--help", NULL }), 1);
	ck_assert_int_eq(pdcfg_is_set(cfg, PDCFG_KEY_TP_SIZE), 0);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(mistakes_around_config_are_the_core_s)
{
	static const struct {
		const char *argv[5];
		uint32_t code;
	} all[] = {
		{ { "--model", "m", "--config" }, 7345 }, { { "--model", "m", "--config", "a.json" }, 9653 }, { { "--model", "m", "--config", ".yaml" }, 9653 },
		{ { "--config", "a.yaml", "--config", "b.yaml" }, 8524 }, { { "--model", "m", "--config", "/no/such/file.YML" }, 2182 },
		{ { "--model", "m", "--config", "/etc/passwd/x.yaml" }, 2182 }, { { "--model", "m", "--config", "" }, 0 }, { { "--model", "m", "--config=x.yaml" }, 0 },
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		pdcfg_t *cfg = fresh();
		int32_t n = 0;
		while (n < 5 && all[i].argv[n]) n++;
		ck_assert_int_eq(pdcfg_files_parse_argv(cfg, n, all[i].argv, NULL, 0), 0);
		ck_assert_msg(see(cfg, 0).code == all[i].code, "%zu: %u", i, see(cfg, 0).code);
		pdcfg_free(cfg);
	}
}
END_TEST

START_TEST(a_file_is_read)
{
	char name[] = "pdcfg-test-XXXXXX.yaml", why[128] = "x";
	const char *argv[] = { "--config", name, "--model", "m" };
	int fd = mkstemps(name, 5);
	pdcfg_t *cfg = fresh();
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "\xef\xbb\xbftp: 4\r\ndp: 2\r\n", 17), 17);
	close(fd);
	ck_assert_int_eq(pdcfg_files_parse_argv(cfg, 4, argv, why, sizeof why), 0);
	ck_assert_str_eq(why, "");
	ck_assert_int_eq(whole(cfg, PDCFG_KEY_TP_SIZE), 4);
	ck_assert_int_eq(whole(cfg, PDCFG_KEY_DP_SIZE), 2);
	unlink(name);
	pdcfg_free(cfg);
}
END_TEST

/* ---- bounds and bad calls ---- */

START_TEST(limits_are_errors_of_the_call)
{
	size_t size = 3u << 20;
	char *text = malloc(size), why[128];
	const char *const argv[] = { "--model", "m", "--config", "c.yaml" };
	pdcfg_t *cfg = fresh();
	ck_assert_int_eq(pdcfg_set_tp_size(cfg, 3), 0);
	memset(text, '[', 400);
	memcpy(text, "a: ", 3);
	ck_assert_int_eq(pdcfg_files_parse_argv_bytes(cfg, 4, argv, text, 400, why, sizeof why), PDCFG_FILES_E_LIMIT);
	ck_assert_ptr_nonnull(strstr(why, "200"));
	for (size_t i = 0; i + 2 <= size; i += 2) memcpy(text + i, "~,", 2);
	memcpy(text, "a: [", 4);
	ck_assert_int_eq(pdcfg_files_parse_argv_bytes(cfg, 4, argv, text, size, why, sizeof why), PDCFG_FILES_E_LIMIT);
	/* aliases that double */
	size_t n = (size_t)sprintf(text, "l0: &l0 [x, x]\n");
	for (int i = 1; i < 60; i++) n += (size_t)sprintf(text + n, "l%d: &l%d [*l%d, *l%d]\n", i, i, i - 1, i - 1);
	ck_assert_int_eq(pdcfg_files_parse_argv_bytes(cfg, 4, argv, text, n, why, sizeof why), PDCFG_FILES_E_LIMIT);
	n = (size_t)sprintf(text, "l0: &l0 {x: 1}\n");
	for (int i = 1; i < 60; i++) n += (size_t)sprintf(text + n, "l%d: &l%d {<<: [*l%d, *l%d]}\n", i, i, i - 1, i - 1);
	ck_assert_int_le(pdcfg_files_parse_argv_bytes(cfg, 4, argv, text, n, why, sizeof why), 0);
	memset(text, 'x', size);
	memcpy(text, "host: ", 6);
	ck_assert_int_eq(pdcfg_files_parse_argv_bytes(cfg, 4, argv, text, size, why, sizeof why), PDCFG_FILES_E_LIMIT);
	pdcfg_reset(cfg);
	free(text);
	pdcfg_free(cfg);
}
END_TEST

START_TEST(bad_calls_are_refused)
{
	pdcfg_t *cfg = fresh();
	const char *const argv[] = { "--config", "c.yaml", NULL };
	ck_assert_int_eq(pdcfg_files_parse_argv(NULL, 0, NULL, NULL, 0), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_files_parse_argv(cfg, 1, NULL, NULL, 0), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_files_parse_argv(cfg, -1, argv, NULL, 0), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_files_parse_argv(cfg, 3, argv, NULL, 0), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_files_parse_argv_bytes(cfg, 2, argv, NULL, 1, NULL, 0), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_files_parse_argv_bytes(cfg, 2, argv, NULL, 0, NULL, 0), 0);
	ck_assert_int_eq(pdcfg_parse_merged(cfg, 1, argv, NULL, "x", NULL, NULL), PDCFG_E_INVALID);
	ck_assert_int_eq(pdcfg_replace(cfg, NULL), PDCFG_E_INVALID);
	pdcfg_free(cfg);
}
END_TEST

struct ration {
	long left;
};

static void *rationed(void *ctx, void *old, size_t old_size, size_t new_size)
{
	struct ration *r = ctx;
	(void)old_size;
	if (!new_size) {
		free(old);
		return NULL;
	}
	return r->left-- > 0 ? realloc(old, new_size) : NULL;
}

START_TEST(without_memory_nothing_changes)
{
	const char yaml[] = "tp: 8\nbogus: 1\nrevision: null\ndisaggregation-mode: x\nenable-metrics: no\n";
	int32_t status = PDCFG_E_NOMEM;
	for (long n = 0; status == PDCFG_E_NOMEM; n++) {
		struct ration ration = { 1000000 };
		pdcfg_t *cfg;
		ck_assert_int_eq(pdcfg_new_with(rationed, &ration, &cfg), 0);
		ck_assert_int_eq(pdcfg_set_revision(cfg, "before"), 0);
		ration.left = n;
		status = parse(cfg, yaml, (const char *const[]){ "--host", "h", NULL });
		ration.left = 1000000;
		ck_assert_str_eq(pdcfg_get_text(cfg, PDCFG_KEY_REVISION), status < 0 ? "before" : "None");
		ck_assert_int_eq(pdcfg_is_set(cfg, PDCFG_KEY_TP_SIZE), status >= 0);
		if (status < 0) ck_assert_uint_eq(see(cfg, 0).code, 0);
		ck_assert(status == 0 || status == PDCFG_E_NOMEM);
		pdcfg_free(cfg);
	}
}
END_TEST

Suite *suite_config_yaml(void)
{
	Suite *s = suite_create("config-yaml");
	TCase *t = tcase_create("values");
	tcase_add_test(t, a_value_is_written_as_python_writes_it);
	tcase_add_test(t, a_mapping_is_written_as_json);
	suite_add_tcase(s, t);
	t = tcase_create("merge");
	tcase_add_test(t, keys_become_options);
	tcase_add_test(t, the_command_line_wins_wherever_it_stands);
	tcase_add_test(t, values_say_where_they_stand);
	tcase_add_test(t, what_the_merge_refuses_comes_first);
	tcase_add_test(t, the_rest_is_argparse);
	tcase_add_test(t, what_is_harmless_is_a_warning);
	tcase_add_test(t, help_in_the_file_is_no_help);
	tcase_add_test(t, mistakes_around_config_are_the_core_s);
	tcase_add_test(t, a_file_is_read);
	suite_add_tcase(s, t);
	t = tcase_create("oom");
	tcase_set_timeout(t, 60);
	tcase_add_test(t, limits_are_errors_of_the_call);
	tcase_add_test(t, bad_calls_are_refused);
	tcase_add_test(t, without_memory_nothing_changes);
	suite_add_tcase(s, t);
	return s;
}
