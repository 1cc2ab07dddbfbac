/*
 * Any bytes as a command line, an environment and facts. The first line's bytes choose facts; each further line is a word of the arguments, or,
 * when it begins with '$', a NAME=VALUE of the environment. Built with libFuzzer, or with replay.c to run a corpus.
 */
#include <pdcfg/files.h>
#include <pdcfg/pdcfg.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
	if (!truth) abort();
}

static void facts(pdcfg_t *cfg, const char *line)
{
	if (strchr(line, 'h')) pdcfg_use_platform(cfg, "h100");
	if (strchr(line, 'b')) pdcfg_use_platform(cfg, "b200");
	if (strchr(line, 'x')) pdcfg_use_platform(cfg, "mi300x");
	if (strchr(line, 'm')) pdcfg_set_model_is_mla(cfg, 1);
	if (strchr(line, 's')) pdcfg_set_model_is_hybrid_swa(cfg, 1);
	if (strchr(line, 'g')) pdcfg_set_model_mamba_kind(cfg, "gdn");
	if (strchr(line, 'p')) pdcfg_set_pd_required(cfg, 1);
	if (strchr(line, 'j')) pdcfg_set_json_reader(cfg, pdcfg_files_json_reader, NULL);
}

/* what holds of every report */
static void check(const pdcfg_t *cfg)
{
	pdcfg_report *rep;
	int32_t verdict = pdcfg_validate(cfg, &rep);
	require(verdict >= 0 && verdict == pdcfg_validate(cfg, NULL));
	size_t errors = 0;
	for (size_t i = 0; i < pdcfg_report_count(rep); i++) {
		for (const unsigned char *p = (const unsigned char *)pdcfg_finding_message(rep, i); *p; p++) require(*p >= 0x20 && *p != 0x7f);
		errors += pdcfg_finding_severity(rep, i) == PDCFG_ERROR;
		for (size_t u = 0; u < pdcfg_report_unevaluated(rep); u++) require(pdcfg_unevaluated_code(rep, u) != pdcfg_finding_code(rep, i));
	}
	require(errors == pdcfg_report_errors(rep));
	require((verdict == PDCFG_REFUSED) == (errors > 0) && (errors > 0) == (pdcfg_report_first_refusal(rep) >= 0));
	for (uint32_t key = pdcfg_key_next(0); key; key = pdcfg_key_next(key)) require(pdcfg_resolved_text(rep, key) != NULL);
	pdcfg_report_free(rep);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { WORDS = 128 };
	const char *argv[WORDS], *envp[WORDS + 1];
	int32_t argc = 0;
	size_t env = 0;
	pdcfg_t *cfg;
	if (size > 65536) return 0;
	char *text = malloc(size + 1);
	if (!text || pdcfg_new(&cfg) < 0) return 0;
	memcpy(text, data, size);
	text[size] = 0;
	char *end = strchr(text, '\n');
	if (end) *end = 0;
	facts(cfg, text);
	for (char *p = end; p; p = end) {
		*p++ = 0;
		if ((end = strchr(p, '\n'))) *end = 0;
		if (*p == '$' && env < WORDS) envp[env++] = p + 1;
		else if (argc < WORDS) argv[argc++] = p;
	}
	envp[env] = NULL;
	require(pdcfg_parse_argv(cfg, argc, argv) >= 0);
	require(pdcfg_parse_environ(cfg, envp) >= 0);
	check(cfg);
	for (int32_t i = 0; i + 1 < argc; i += 2) pdcfg_set_arg(cfg, argv[i], argv[i + 1]);
	check(cfg);
	pdcfg_free(cfg);
	free(text);
	return 0;
}
