/*
 * Runs cases whose verdicts were measured on SGLang itself, and says where the library disagrees.
 *
 *	conformance [--known FILE] [--quiet] [--summary] [--less] FILE.jsonl…
 *
 * One case a line: the arguments (or keyword arguments), the environment, the model, the changes to the platform, and what is expected.
 * Models stand in models/NAME/config.json beside the file of cases; late_modelled.txt beside it names the rules of the later phases that
 * were really measured. --known lists ids, each with a reason, of cases that are expected to fail; one of them that passes fails the run.
 * --summary counts the failures by what was expected. --less tries each case again without the model, without the platform and without both:
 * what is an error then must be one with all facts too. Exit status 1 when anything failed, 2 when a file cannot be read.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>
#include <pdcfg/pdcfg.h>
#include <pdcfg/files.h>

enum { PATH_ROOM = 4096, GOT_ROOM = 1024, WORDS_MAX = 4096 };

struct names { /* a set of words, each with what stands behind it in its line */
	char **word, **rest;
	bool *used;
	size_t count;
};

struct tally {
	char *what;
	unsigned failures;
};

static struct {
	const char *known_file;
	bool quiet, summary, less;
	struct names known;
	struct tally *tallies;
	size_t tally_count;
	unsigned passed, failed, expected_failures;
} run;

struct cases { /* one file */
	const char *path;
	char folder[PATH_ROOM];
	struct names late; /* rules of the later phases that were measured */
};

static void die(const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	fputs("conformance: ", stderr);
	vfprintf(stderr, format, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(2);
}

static void *need(void *p)
{
	if (!p) die("out of memory");
	return p;
}

/* ---- files of names ---- */

static bool read_names(const char *path, struct names *names)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	if (!f) return false;
	while (getline(&line, &room, f) > 0) {
		line[strcspn(line, "\r\n")] = 0;
		char *word = line + strspn(line, " \t"), *rest = word + strcspn(word, " \t");
		if (!*word || *word == '#') continue;
		if (*rest) *rest++ = 0;
		rest += strspn(rest, " \t");
		names->word = need(realloc(names->word, (names->count + 1) * sizeof *names->word));
		names->rest = need(realloc(names->rest, (names->count + 1) * sizeof *names->rest));
		names->word[names->count] = need(strdup(word));
		names->rest[names->count++] = need(strdup(rest));
	}
	free(line);
	fclose(f);
	names->used = need(calloc(names->count + 1, sizeof *names->used));
	return true;
}

static size_t find_name(const struct names *names, const char *word)
{
	size_t i = 0;
	while (i < names->count && strcmp(names->word[i], word)) i++;
	return i;
}

static bool has_name(const struct names *names, const char *word) { return find_name(names, word) < names->count; }

static void free_names(struct names *names)
{
	for (size_t i = 0; i < names->count; i++) {
		free(names->word[i]);
		free(names->rest[i]);
	}
	free(names->word);
	free(names->rest);
	free(names->used);
	*names = (struct names){ 0 };
}

/* ---- reading a case ---- */

static struct json_object *member(struct json_object *o, const char *name)
{
	struct json_object *v = NULL;
	return o && json_object_is_type(o, json_type_object) && json_object_object_get_ex(o, name, &v) ? v : NULL;
}
static bool has_member(struct json_object *o, const char *name) { return o && json_object_object_get_ex(o, name, NULL); }
static const char *text_of(struct json_object *o, const char *name)
{
	struct json_object *v = member(o, name);
	return v && json_object_is_type(v, json_type_string) ? json_object_get_string(v) : "";
}

/* a handle being filled, and why it could not be */
struct server {
	pdcfg_t *cfg;
	const struct cases *cases;
	struct json_object *json; /* the case */
	char model[PATH_ROOM];    /* its folder, "" for none */
	bool no_traits, no_platform;
	char why[GOT_ROOM];
};

static bool fails(struct server *s, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	vsnprintf(s->why, sizeof s->why, format, ap);
	va_end(ap);
	return false;
}

static bool exists(const char *folder)
{
	char path[PATH_ROOM + 16];
	snprintf(path, sizeof path, "%s/config.json", folder);
	FILE *f = fopen(path, "r");
	if (f) fclose(f);
	return f;
}

static bool find_model(struct server *s, const char *name, char out[PATH_ROOM])
{
	static const char *const places[] = { "models", "../oracle/models" };
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		int n = snprintf(out, PATH_ROOM, "%s/%s/%s", s->cases->folder, places[i], name);
		if (n > 0 && n < PATH_ROOM && exists(out)) return true;
	}
	return fails(s, "there is no model %s", name);
}

/* ---- the platform ---- */

static const struct fact {
	const char *name, *text;
} default_platform[] = {
	{ "kind", "cuda" }, { "sm", "90" }, { "gpu_mem_mib", "81559" }, { "num_gpus", "8" }, { "sm_count", "132" },
	{ "device_name", "NVIDIA H100 80GB HBM3" }, { "cuda_version", "13.0" }, { "torch_version", "2.13.0+cu130" },
	{ "driver_version", "580.95.05" }, { "machine", "x86_64" }, { "cpu_cores", "2" }, { "gcn_arch", "" },
	{ "ib_devices", "mlx5_0,mlx5_1,mlx5_2,mlx5_3" }, { "nixl_plugins", "UCX,GDS,GDS_MT,POSIX,OBJ,LIBFABRIC,Mooncake,UCCL" },
};
enum { FACTS = sizeof default_platform / sizeof *default_platform };

/* what `import` finds after a normal installation */
static const char normal_packages[] =
	"torch torchvision torchaudio torchcodec transformers triton triton_kernels sgl_kernel flashinfer tvm_ffi cutlass quack deep_gemm "
	"deep_ep humming tilelang tokenspeed_mla flash_attn kernels zmq orjson pybase64 msgspec pydantic pydantic_core fastapi starlette "
	"uvicorn uvloop aiohttp requests httpx PIL einops huggingface_hub tokenizers safetensors sentencepiece tiktoken gguf "
	"compressed_tensors openai openai_harmony anthropic jinja2 partial_json_parser xgrammar outlines outlines_core llguidance "
	"interegular prometheus_client tqdm setproctitle regex IPython rich soundfile scipy numba xxhash zstandard watchfiles modelscope "
	"datasets blobfile distro py_spy pynvml cuda torch_memory_saver timm mistral_common decord jsonschema filelock urllib3 nvidia "
	"accelerate smg_grpc_proto smg_grpc_servicer grpc grpc_health grpc_reflection mooncake nixl cv2 dill netifaces lxml "
	"fast_hadamard_transform multipart python_multipart nvtx av ninja redis numpy yaml packaging psutil";

static bool set_fact(struct server *s, const char *name, const char *text)
{
	char full[128];
	snprintf(full, sizeof full, "platform.%s", name);
	int32_t status = pdcfg_set_arg(s->cfg, full, text);
	return status < 0 ? fails(s, "%s: %s", full, pdcfg_strerror(status)) : true;
}

/* a JSON value as pdcfg_set_arg() reads it: a list with commas, null as None */
static void fact_text(struct json_object *v, char out[PATH_ROOM])
{
	size_t used = 0;
	out[0] = 0;
	if (!json_object_is_type(v, json_type_array)) {
		snprintf(out, PATH_ROOM, "%s", v ? json_object_get_string(v) : "None");
		return;
	}
	for (size_t i = 0; i < json_object_array_length(v) && used < PATH_ROOM; i++)
		used += (size_t)snprintf(out + used, PATH_ROOM - used, "%s%s", i ? "," : "", json_object_get_string(json_object_array_get_idx(v, i)));
}

static bool in_list(struct json_object *list, const char *word, size_t len)
{
	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		const char *item = json_object_get_string(json_object_array_get_idx(list, i));
		if (strlen(item) == len && !memcmp(item, word, len)) return true;
	}
	return false;
}

static bool set_packages(struct server *s, struct json_object *platform)
{
	char list[PATH_ROOM], more[PATH_ROOM];
	size_t used = 0;
	struct json_object *missing = member(platform, "packages_missing"), *extra = member(platform, "packages_extra");
	for (const char *p = normal_packages; *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");
		if (!in_list(missing, p, n)) used += (size_t)snprintf(list + used, sizeof list - used, "%s%.*s", used ? "," : "", (int)n, p);
		p += n;
	}
	fact_text(extra, more);
	if (extra && *more) snprintf(list + used, sizeof list - used, ",%s", more);
	return set_fact(s, "packages", list);
}

/* what follows from the facts of a case without standing there */
static bool set_derived_facts(struct server *s, const char *kind, const char *cuda, const char *name)
{
	bool cuda_like = !strcmp(kind, "cuda") || !strcmp(kind, "hip"), has_gpu = cuda_like || !strcmp(kind, "xpu") || !strcmp(kind, "npu");
	bool superchip = cuda_like && (strstr(name, "GB200") || strstr(name, "GB300"));
	static const char *const never[] = { "is_musa", "is_out_of_tree", "use_mlx", "has_amx", "has_imex_channel" };
	static const char *const of_gpus[] = { "sm", "sm_count", "driver_version" };
	for (size_t i = 0; i < sizeof never / sizeof *never; i++)
		if (!set_fact(s, never[i], "false")) return false;
	for (size_t i = 0; i < sizeof of_gpus / sizeof *of_gpus; i++)
		if (!cuda_like && !set_fact(s, of_gpus[i], "None")) return false;
	if (!has_gpu && !set_fact(s, "gpu_mem_mib", "None")) return false;
	if (!set_fact(s, "has_xmx", !strcmp(kind, "xpu") ? "true" : "false") || !set_fact(s, "is_mnnvl", superchip ? "true" : "false")) return false;
	if (!set_fact(s, "host_mem_mib", "24105")) return false; /* the machine on which the cases were measured */
	bool has_cuda = !strcmp(kind, "cuda") && strcmp(cuda, "None");
	char major[16] = "None";
	if (has_cuda) snprintf(major, sizeof major, "%d", atoi(cuda));
	return set_fact(s, "has_flashinfer_mamba", "true") && set_fact(s, "has_aiter_preshuffle", !strcmp(kind, "hip") ? "true" : "false") && set_fact(s, "device", kind) && set_fact(s, "cuda_version", has_cuda ? cuda : "None") && set_fact(s, "cuda_major", major);
}

static bool set_platform(struct server *s)
{
	struct json_object *platform = member(s->json, "platform"), *version;
	char text[PATH_ROOM], kind[64] = "", cuda[64] = "", device[256] = "";
	for (size_t i = 0; i < FACTS; i++) {
		const struct fact *f = &default_platform[i];
		if (has_member(platform, f->name)) fact_text(member(platform, f->name), text);
		else snprintf(text, sizeof text, "%s", f->text);
		if (!strcmp(f->name, "kind")) snprintf(kind, sizeof kind, "%.60s", text);
		else if (!strcmp(f->name, "cuda_version")) snprintf(cuda, sizeof cuda, "%.60s", text);
		else if (!set_fact(s, f->name, text)) return false;
		if (!strcmp(f->name, "device_name")) snprintf(device, sizeof device, "%.250s", text);
	}
	version = member(member(platform, "versions"), "mooncake-transfer-engine");
	if (!set_fact(s, "mooncake_version", version ? json_object_get_string(version) : "0.3.12")) return false;
	return set_derived_facts(s, kind, cuda, device) && set_packages(s, platform);
}

/* ---- the environment ---- */

static bool set_environment(struct server *s)
{
	struct json_object *env = member(s->json, "env");
	size_t count = env ? (size_t)json_object_object_length(env) : 0, n = 0;
	char **entries = need(calloc(count + 1, sizeof *entries));
	if (env) {
		json_object_object_foreach(env, name, value) {
			if (!value) continue; /* taken away */
			const char *text = json_object_get_string(value);
			size_t room = strlen(name) + strlen(text) + 2;
			entries[n] = need(malloc(room));
			snprintf(entries[n++], room, "%s=%s", name, text);
		}
	}
	int32_t status = pdcfg_parse_environ(s->cfg, (const char *const *)entries);
	while (n) free(entries[--n]);
	free(entries);
	return status < 0 ? fails(s, "environment: %s", pdcfg_strerror(status)) : true;
}

/* ---- arguments ---- */

/* in place of @MODEL@ and @MODELS@ the folder of the model or of all models, of @CONFIG@ a file's name; malloc()ed */
static char *expand(struct server *s, const char *word)
{
	const char *at = strstr(word, "@MODELS@");
	char folder[PATH_ROOM];
	size_t room = strlen(word) + PATH_ROOM;
	char *out = need(malloc(room));
	snprintf(out, room, "%s", !strcmp(word, "@CONFIG@") ? "config.yaml" : strcmp(word, "@MODEL@") ? word : s->model);
	if (!at) return out;
	const char *name = at[8] == '/' ? at + 9 : "";
	if (find_model(s, name, folder)) snprintf(out, room, "%.*s%s", (int)(at - word), word, folder);
	s->why[0] = 0;
	return out;
}

static bool names_model(const char *word, const char *model)
{
	return !strcmp(word, model) || !strcmp(word, "--model") || !strcmp(word, "--model-path") || !strncmp(word, "--model-path=", 13) ||
	       !strncmp(word, "--model=", 8);
}

/* The text of a --config file goes in front of the arguments. */
static int32_t merge_config(struct server *s, int32_t n, const char *const *words)
{
	struct json_object *yaml = member(s->json, "config_yaml");
	if (!yaml) return pdcfg_files_parse_argv(s->cfg, n, words, NULL, 0);
	return pdcfg_files_parse_argv_bytes(s->cfg, n, words, json_object_get_string(yaml), (size_t)json_object_get_string_len(yaml), NULL, 0);
}

static bool set_arguments(struct server *s)
{
	struct json_object *argv = member(s->json, "argv");
	size_t given = argv ? json_object_array_length(argv) : 0, n = 0;
	char *words[WORDS_MAX];
	bool named = !*s->model;
	if (given + 2 > WORDS_MAX) return fails(s, "too many arguments");
	for (size_t i = 0; i < given; i++) {
		words[n + 2] = expand(s, json_object_get_string(json_object_array_get_idx(argv, i)));
		named |= names_model(words[2 + n++], s->model);
	}
	char option[] = "--model-path";
	words[0] = option;
	words[1] = s->model;
	int32_t status = merge_config(s, (int32_t)n + (named ? 0 : 2), (const char *const *)words + (named ? 2 : 0));
	while (n) free(words[1 + n--]);
	return status < 0 ? fails(s, "arguments: %s", pdcfg_strerror(status)) : true;
}

static bool set_keyword_list(struct server *s, uint32_t key, struct json_object *value)
{
	size_t n = json_object_array_length(value);
	const char **items = need(calloc(n + 1, sizeof *items));
	for (size_t i = 0; i < n; i++) items[i] = json_object_get_string(json_object_array_get_idx(value, i));
	int32_t status = pdcfg_set_list(s->cfg, key, items, n);
	free(items);
	return status < 0 ? fails(s, "%s: %s", pdcfg_key_name(key), pdcfg_strerror(status)) : true;
}

static bool set_keyword(struct server *s, const char *name, struct json_object *value)
{
	uint32_t key = pdcfg_key_by_name(name), type = pdcfg_key_type(key);
	int32_t status;
	if (!key) return fails(s, "there is no field %s", name);
	switch (json_object_get_type(value)) {
	case json_type_null:    status = pdcfg_set_none(s->cfg, key); break;
	case json_type_boolean: status = pdcfg_set_i64(s->cfg, key, json_object_get_boolean(value)); break;
	case json_type_array:   return set_keyword_list(s, key, value);
	case json_type_int: case json_type_double:
		status = type == PDCFG_TYPE_FLOAT ? pdcfg_set_f64(s->cfg, key, json_object_get_double(value)) :
		         pdcfg_set_i64(s->cfg, key, json_object_get_int64(value));
		break;
	default: status = pdcfg_set_text(s->cfg, key, json_object_get_string(value)); break;
	}
	return status < 0 ? fails(s, "%s: %s", name, pdcfg_strerror(status)) : true;
}

static bool set_keywords(struct server *s)
{
	struct json_object *kwargs = member(s->json, "kwargs");
	if (*s->model && !has_member(kwargs, "model_path") && pdcfg_set_model_path(s->cfg, s->model) < 0) return fails(s, "model_path");
	json_object_object_foreach(kwargs, name, value)
		if (!set_keyword(s, name, value)) return false;
	return true;
}

/* ---- models ---- */

static bool read_traits(struct server *s, struct json_object *model)
{
	char why[256] = "";
	const char *path = pdcfg_get_text(s->cfg, PDCFG_KEY_MODEL_PATH), *draft = pdcfg_get_text(s->cfg, PDCFG_KEY_SPECULATIVE_DRAFT_MODEL_PATH);
	int32_t status = 0;
	if (json_object_is_type(model, json_type_object) && !strcmp(path, s->model)) {
		const char *bytes = json_object_to_json_string(model);
		status = pdcfg_files_read_model_bytes(s->cfg, bytes, strlen(bytes), why, sizeof why);
	} else if (exists(path)) status = pdcfg_files_read_model(s->cfg, path, why, sizeof why);
	if (status < 0) return fails(s, "model: %s", *why ? why : pdcfg_strerror(status));
	draft = pdcfg_get_text(s->cfg, PDCFG_KEY_SPECULATIVE_DRAFT_MODEL_PATH);
	if (exists(draft)) status = pdcfg_files_read_draft_model(s->cfg, draft, why, sizeof why);
	return status < 0 ? fails(s, "draft model: %s", *why ? why : pdcfg_strerror(status)) : true;
}

static bool fill(struct server *s)
{
	struct json_object *model = member(s->json, "model");
	if (json_object_is_type(model, json_type_object)) snprintf(s->model, sizeof s->model, "/tmp/model");
	else if (model && !find_model(s, json_object_get_string(model), s->model)) return false;
	pdcfg_set_json_reader(s->cfg, pdcfg_files_json_reader, NULL);
	if ((!s->no_platform && !set_platform(s)) || !set_environment(s)) return false;
	if (has_member(s->json, "kwargs") ? !set_keywords(s) : !set_arguments(s)) return false;
	return s->no_traits || read_traits(s, model);
}

/* ---- judging ---- */

struct judged {
	bool passed;
	char expected[GOT_ROOM], got[GOT_ROOM], what[GOT_ROOM]; /* what: for the summary */
};

static void describe(const pdcfg_report *rep, int64_t i, char out[GOT_ROOM])
{
	if (i < 0) {
		snprintf(out, GOT_ROOM, "%s", pdcfg_report_verdict(rep) == PDCFG_ACCEPTED ? "accepted" : "undetermined");
		return;
	}
	size_t n = (size_t)i;
	const char *class = pdcfg_parse_class_name(pdcfg_finding_parse_class(rep, n)), *option = pdcfg_finding_parse_option(rep, n);
	snprintf(out, GOT_ROOM, "refused %s %s %s%s%s%s%s", pdcfg_phase_name(pdcfg_finding_phase(rep, n)), pdcfg_finding_exception(rep, n),
	         pdcfg_finding_rule(rep, n), *class ? " " : "", class, *option ? " " : "", option);
}

static const char *other_name(const pdcfg_report *rep, size_t i) { return pdcfg_rule_text(pdcfg_finding_code(rep, i), PDCFG_TEXT_SAME_AS); }

static bool same_class(const char *got, const char *expected)
{
	static const char *const yaml[] = { "ParserError", "ScannerError", "ComposerError", "ConstructorError", "ReaderError" };
	if (!strcmp(got, expected)) return true;
	for (size_t i = 0; i < sizeof yaml / sizeof *yaml; i++)
		if (!strcmp(expected, yaml[i])) return !strcmp(got, "YAMLError"); /* the class that all of them are */
	return false;
}

static bool right_rule(const pdcfg_report *rep, size_t i, struct json_object *rules)
{
	size_t n = rules ? json_object_array_length(rules) : 0;
	for (size_t r = 0; r < n; r++) {
		const char *name = json_object_get_string(json_object_array_get_idx(rules, r));
		if (!strcmp(name, pdcfg_finding_rule(rep, i)) || !strcmp(name, other_name(rep, i))) return true;
	}
	return !n;
}

static bool judge_refused(const pdcfg_report *rep, struct json_object *expect, struct judged *j)
{
	int64_t first = pdcfg_report_first_refusal(rep);
	const char *class = text_of(expect, "argparse"), *option = text_of(expect, "option");
	struct json_object *rules = member(expect, "rules");
	bool named = rules && json_object_array_length(rules);
	snprintf(j->what, sizeof j->what, "%s", named ? json_object_get_string(json_object_array_get_idx(rules, 0)) : *class ? class : text_of(expect, "upstream"));
	snprintf(j->expected, sizeof j->expected, "refused %s %s %s%s%s", text_of(expect, "phase"), text_of(expect, "exception"),
	         named ? json_object_get_string(rules) : class, *option ? " " : "", option);
	describe(rep, first, j->got);
	if (first < 0 || pdcfg_report_verdict(rep) != PDCFG_REFUSED) return false;
	size_t i = (size_t)first;
	if (!same_class(pdcfg_finding_exception(rep, i), text_of(expect, "exception"))) return false;
	if (!*class) return right_rule(rep, i, rules);
	return !strcmp(class, pdcfg_parse_class_name(pdcfg_finding_parse_class(rep, i))) &&
	       (!*option || !strcmp(option, pdcfg_finding_parse_option(rep, i)));
}

/* a certain error of a kind that was measured */
static bool counts(const struct cases *cases, const pdcfg_report *rep, size_t i)
{
	uint32_t phase = pdcfg_finding_phase(rep, i);
	if (pdcfg_finding_severity(rep, i) != PDCFG_ERROR || pdcfg_finding_confidence(rep, i) != PDCFG_CERTAIN) return false;
	return phase <= PDCFG_PHASE_RESOLVE || has_name(&cases->late, pdcfg_finding_rule(rep, i)) ||
	       (*other_name(rep, i) && has_name(&cases->late, other_name(rep, i)));
}

static void python_text(struct json_object *v, bool quoted, char *out, size_t room)
{
	size_t used = 0;
	switch (json_object_get_type(v)) {
	case json_type_null:    snprintf(out, room, "None"); return;
	case json_type_boolean: snprintf(out, room, "%s", json_object_get_boolean(v) ? "True" : "False"); return;
	case json_type_string:  snprintf(out, room, quoted ? "'%s'" : "%s", json_object_get_string(v)); return;
	case json_type_array:
		used = (size_t)snprintf(out, room, "[");
		for (size_t i = 0; i < json_object_array_length(v) && used + 8 < room; i++) {
			if (i) used += (size_t)snprintf(out + used, room - used, ", ");
			python_text(json_object_array_get_idx(v, i), true, out + used, room - used - 4);
			used += strlen(out + used);
		}
		snprintf(out + used, room - used, "]");
		return;
	default: snprintf(out, room, "%s", json_object_get_string(v)); return;
	}
}

static bool same_value(struct json_object *expected, const char *got, char *text)
{
	char *end;
	python_text(expected, false, text, 256);
	if (!strcmp(got, text)) return true;
	if (!json_object_is_type(expected, json_type_double) && !json_object_is_type(expected, json_type_int)) return false;
	double d = strtod(got, &end);
	return *got && !*end && !(d < json_object_get_double(expected)) && !(d > json_object_get_double(expected));
}

static bool judge_resolved(const pdcfg_report *rep, struct json_object *resolved, struct judged *j)
{
	bool good = true;
	size_t e = strlen(j->expected), g = strlen(j->got);
	if (!resolved) return true;
	json_object_object_foreach(resolved, name, value) {
		char text[256];
		uint32_t key = pdcfg_key_by_name(name);
		const char *got = key ? pdcfg_resolved_text(rep, key) : "no such field";
		if (same_value(value, got, text)) continue;
		if (good) snprintf(j->what, sizeof j->what, "accepted, with %s", name);
		good = false;
		if (e < GOT_ROOM) e += (size_t)snprintf(j->expected + e, GOT_ROOM - e, ", %s=%.200s", name, text);
		if (g < GOT_ROOM) g += (size_t)snprintf(j->got + g, GOT_ROOM - g, ", %s=%.200s", name, got);
	}
	return good;
}

static bool judge_accepted(const struct cases *cases, const pdcfg_report *rep, struct json_object *expect, struct judged *j)
{
	snprintf(j->expected, sizeof j->expected, "accepted");
	snprintf(j->got, sizeof j->got, "accepted");
	for (size_t i = 0; i < pdcfg_report_count(rep); i++) {
		if (!counts(cases, rep, i)) continue;
		describe(rep, (int64_t)i, j->got);
		snprintf(j->what, sizeof j->what, "accepted, but %s", pdcfg_finding_rule(rep, i));
		return false;
	}
	return judge_resolved(rep, member(expect, "resolved"), j);
}

static bool is_certain_error(const pdcfg_report *rep, size_t i)
{
	return pdcfg_finding_severity(rep, i) == PDCFG_ERROR && pdcfg_finding_confidence(rep, i) == PDCFG_CERTAIN;
}

static bool has_error(const pdcfg_report *rep, uint32_t code)
{
	size_t i = 0, n = pdcfg_report_count(rep);
	while (i < n && !(pdcfg_finding_code(rep, i) == code && is_certain_error(rep, i))) i++;
	return i < n;
}

/* Whoever knows less must not find more. */
static bool judge_less(const struct cases *cases, struct json_object *json, const pdcfg_report *all, bool model, bool platform, struct judged *j)
{
	struct server s = { .cases = cases, .json = json, .no_traits = !model, .no_platform = !platform };
	pdcfg_report *rep = NULL;
	bool good = true;

	if (pdcfg_new(&s.cfg) < 0) die("out of memory");
	if (!fill(&s) || pdcfg_validate(s.cfg, &rep) < 0) good = false;
	for (size_t i = 0; good && i < pdcfg_report_count(rep); i++) {
		if (!is_certain_error(rep, i) || has_error(all, pdcfg_finding_code(rep, i))) continue;
		good = false;
		snprintf(j->expected, sizeof j->expected, "no more errors %s", model ? "without the platform" : platform ? "without the model" : "without both");
		describe(rep, (int64_t)i, j->got);
		snprintf(j->what, sizeof j->what, "only with less known: %s", pdcfg_finding_rule(rep, i));
	}
	pdcfg_report_free(rep);
	pdcfg_free(s.cfg);
	return good;
}

static void judge(const struct cases *cases, struct json_object *json, struct judged *j)
{
	struct server s = { .cases = cases, .json = json };
	struct json_object *expect = member(json, "expect");
	pdcfg_report *rep = NULL;
	bool refused = !strcmp(text_of(expect, "verdict"), "refused");
	int32_t status;

	if (pdcfg_new(&s.cfg) < 0) die("out of memory");
	snprintf(j->expected, sizeof j->expected, "%s", text_of(expect, "verdict"));
	if (!fill(&s)) {
		snprintf(j->got, sizeof j->got, "%s", s.why);
		snprintf(j->what, sizeof j->what, "not tried: %.200s", s.why);
	} else if ((status = pdcfg_validate(s.cfg, &rep)) < 0) {
		snprintf(j->got, sizeof j->got, "%s", pdcfg_strerror(status));
		snprintf(j->what, sizeof j->what, "pdcfg_validate() failed");
	} else if (run.less) {
		j->passed = judge_less(cases, json, rep, false, true, j) && judge_less(cases, json, rep, true, false, j) && judge_less(cases, json, rep, false, false, j);
	} else j->passed = refused ? judge_refused(rep, expect, j) : judge_accepted(cases, rep, expect, j);
	pdcfg_report_free(rep);
	pdcfg_free(s.cfg);
}

/* ---- counting ---- */

static void count_failure(const char *what)
{
	size_t i = 0;
	while (i < run.tally_count && strcmp(run.tallies[i].what, what)) i++;
	if (i == run.tally_count) {
		run.tallies = need(realloc(run.tallies, (i + 1) * sizeof *run.tallies));
		run.tallies[run.tally_count++] = (struct tally){ need(strdup(what)), 0 };
	}
	run.tallies[i].failures++;
}

static int by_failures(const void *a, const void *b)
{
	const struct tally *x = a, *y = b;
	return x->failures != y->failures ? x->failures < y->failures ? 1 : -1 : strcmp(x->what, y->what);
}

static void print_summary(void)
{
	if (run.tally_count) qsort(run.tallies, run.tally_count, sizeof *run.tallies, by_failures);
	for (size_t i = 0; i < run.tally_count; i++) printf("%6u  %s\n", run.tallies[i].failures, run.tallies[i].what);
}

static void settle(const char *id, const struct judged *j)
{
	size_t known = find_name(&run.known, id);
	bool is_known = known < run.known.count;
	if (is_known) run.known.used[known] = true;
	if (j->passed && !is_known) {
		run.passed++;
		return;
	}
	if (!j->passed && is_known) {
		run.expected_failures++;
		return;
	}
	run.failed++;
	count_failure(j->passed ? "listed as known, but passes" : j->what);
	if (run.quiet) return;
	if (j->passed) printf("%s: listed as known (%s), but passes\n", id, run.known.rest[known]);
	else printf("%s: expected %s; got %s\n", id, j->expected, j->got);
}

static void run_file(const char *path)
{
	struct cases cases = { .path = path };
	const char *slash = strrchr(path, '/');
	char late[PATH_ROOM + 32], *line = NULL;
	size_t room = 0, number = 0;
	FILE *f = fopen(path, "r");

	if (!f) die("%s cannot be opened", path);
	snprintf(cases.folder, sizeof cases.folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
	snprintf(late, sizeof late, "%s/late_modelled.txt", cases.folder);
	read_names(late, &cases.late);
	for (ssize_t len; (len = getline(&line, &room, f)) > 0;) {
		number++;
		if (line[strspn(line, " \t\r\n")] == 0) continue;
		struct json_object *json = json_tokener_parse(line);
		if (!json) die("%s:%zu is no JSON", path, number);
		struct judged j = { 0 };
		judge(&cases, json, &j);
		settle(text_of(json, "id"), &j);
		json_object_put(json);
	}
	free(line);
	fclose(f);
	free_names(&cases.late);
}

int main(int argc, char **argv)
{
	int i = 1;
	for (; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "--quiet")) run.quiet = true;
		else if (!strcmp(argv[i], "--summary")) run.summary = true;
		else if (!strcmp(argv[i], "--less")) run.less = true;
		else if (!strcmp(argv[i], "--known") && i + 1 < argc) run.known_file = argv[++i];
		else die("usage: conformance [--known FILE] [--quiet] [--summary] [--less] FILE.jsonl…");
	}
	if (i == argc) die("usage: conformance [--known FILE] [--quiet] [--summary] [--less] FILE.jsonl…");
	if (run.known_file && !read_names(run.known_file, &run.known)) die("%s cannot be read", run.known_file);
	for (; i < argc; i++) run_file(argv[i]);
	if (run.summary) print_summary();
	if (run.expected_failures) printf("%u failed as known\n", run.expected_failures);
	printf("%u passed, %u failed\n", run.passed, run.failed);
	for (size_t t = 0; t < run.tally_count; t++) free(run.tallies[t].what);
	free(run.tallies);
	free_names(&run.known);
	return run.failed ? 1 : 0;
}
