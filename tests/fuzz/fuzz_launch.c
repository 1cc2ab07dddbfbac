/* Any lines as the words of a command, read for the launch of a server in it. */
#include "fuzz.h"
#include "launch.h"

static void check_words(const struct launch_words *w, int32_t argc)
{
	for (size_t i = 0; i < w->n; i++) require(w->v[i] && w->from[i] >= -1 && w->from[i] < argc);
	require(!w->v || !w->v[w->n]);
}

static void check_launch(const struct pdcfg_launch *l, int32_t argc)
{
	check_words(&l->args, argc);
	check_words(&l->wrappers, argc);
	check_words(&l->notes, argc);
	require(l->entry != NULL && l->run >= 0 && l->run <= argc && l->program >= -1 && l->program < argc && l->first >= 0 && l->first <= argc);
	require((l->kind == LAUNCH_NOTHING) == (l->why != NULL));
	require(!l->refusal.rule || (pdcfg_code_by_rule(l->refusal.rule) && l->refusal.from >= -1 && l->refusal.from < argc));
	for (size_t i = 0; i < l->setting_count; i++) {
		const struct launch_setting *s = &l->settings[i];
		require(s->text && s->from >= 0 && s->from < argc && s->change <= LAUNCH_CLEAR);
		if (s->change == LAUNCH_SET) require(strchr(s->text, '=') != NULL);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { WORDS = 256 };
	const char *argv[WORDS];
	struct pdcfg_launch launch;
	pdcfg_t *cfg;
	if (size > 65536 || pdcfg_new(&cfg) < 0) return 0;
	char *text = text_of(data, size);
	int32_t argc = lines_of(text, argv, WORDS);
	require(pdcfg_launch_read(argc, argv, &launch) == PDCFG_OK);
	check_launch(&launch, argc);
	require(pdcfg_parse_argv(cfg, (int32_t)launch.args.n, (const char *const *)launch.args.v) >= 0);
	pdcfg_launch_end(&launch);
	for (int32_t i = 0; i < argc; i++) {
		size_t n = pdcfg_launch_assignment(argv[i]);
		require(!n || argv[i][n] == '=');
	}
	pdcfg_free(cfg);
	free(text);
	return 0;
}
