/*
 * Any bytes as a command line, an environment and facts. The first line's bytes choose facts; each further line is a word of the arguments, or,
 * when it begins with '$', a NAME=VALUE of the environment. Built with libFuzzer, or with replay.c to run a corpus.
 */
#include "fuzz.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { WORDS = 128 };
	const char *lines[2 * WORDS], *argv[WORDS], *envp[WORDS + 1];
	int32_t argc = 0;
	size_t env = 0;
	pdcfg_t *cfg;
	if (size > 65536 || pdcfg_new(&cfg) < 0) return 0;
	char *text = text_of(data, size);
	int32_t n = lines_of(text, lines, 2 * WORDS);
	facts(cfg, lines[0]);
	for (int32_t i = 1; i < n; i++) {
		if (*lines[i] == '$' && env < WORDS) envp[env++] = lines[i] + 1;
		else if (argc < WORDS) argv[argc++] = lines[i];
	}
	envp[env] = NULL;
	require(pdcfg_parse_argv(cfg, argc, argv) >= 0);
	require(pdcfg_parse_environ(cfg, envp) >= 0);
	check_report(cfg);
	for (int32_t i = 0; i + 1 < argc; i += 2) pdcfg_set_arg(cfg, argv[i], argv[i + 1]);
	check_report(cfg);
	pdcfg_free(cfg);
	free(text);
	return 0;
}
