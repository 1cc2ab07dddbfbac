/*
 * Any bytes as the file of --config. The first line has the words of the command line, between blanks; a 'j' as its first byte lends a reader of
 * JSON. What follows is the file.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { WORDS = 32 };
	const char *argv[WORDS + 2] = { "--config", "dir/c.yaml" };
	char why[64] = "";
	int32_t argc = 2;
	pdcfg_t *cfg;
	if (size > 65536 || pdcfg_new(&cfg) < 0) return 0;
	const uint8_t *end = memchr(data, '\n', size);
	size_t first = end ? (size_t)(end - data) : size, rest = end ? size - first - 1 : 0;
	char *line = text_of(data, first), *yaml = block_of(data + size - rest, rest);
	if (*line == 'j') require(pdcfg_set_json_reader(cfg, pdcfg_files_json_reader, NULL) == 0);
	for (char *word = strtok(line + (*line == 'j'), " "); word && argc < WORDS + 2; word = strtok(NULL, " ")) argv[argc++] = word;
	int32_t status = pdcfg_files_parse_argv_bytes(cfg, argc, argv, yaml, rest, why, sizeof why);
	require(status >= 0 || status == PDCFG_E_LIMIT || status == PDCFG_FILES_E_LIMIT);
	require((status < 0) == (*why != 0) && memchr(why, 0, sizeof why));
	check_report(cfg);
	pdcfg_free(cfg);
	free(yaml);
	free(line);
	return 0;
}
