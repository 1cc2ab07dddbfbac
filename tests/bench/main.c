/*
 * Figures, printed and never asserted: bench PDCFG [CONFIG.JSON]. Linked from the core's objects, so that the walk can also be timed without its
 * gates, which is what every verdict would cost if it followed the rules known instead of the settings given.
 */
#define _POSIX_C_SOURCE 200809L
#include <pdcfg/files.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include "../../lib/core/engine.h"

extern char **environ;

/* a launch as it stands in public deployments: 25 settings, each with its words */
static const char *const launch[][3] = { { "--model-path", "deepseek-ai/DeepSeek-V3" }, { "--trust-remote-code" }, { "--host", "0.0.0.0" }, { "--port", "30000" },
	{ "--disaggregation-mode", "prefill" }, { "--disaggregation-transfer-backend", "mooncake" }, { "--disaggregation-bootstrap-port", "8998" },
	{ "--disaggregation-ib-device", "mlx5_0,mlx5_1" }, { "--tp-size", "16" }, { "--dp-size", "16" }, { "--enable-dp-attention" }, { "--nnodes", "2" }, { "--node-rank", "0" },
	{ "--dist-init-addr", "10.0.0.1:5000" }, { "--moe-a2a-backend", "deepep" }, { "--deepep-mode", "normal" }, { "--mem-fraction-static", "0.85" },
	{ "--chunked-prefill-size", "524288" }, { "--max-running-requests", "8192" }, { "--max-total-tokens", "131072" }, { "--context-length", "8192" }, { "--page-size", "64" },
	{ "--watchdog-timeout", "1000000" }, { "--disable-radix-cache" }, { "--moe-dense-tp-size", "1" } };
enum { SETTINGS = sizeof launch / sizeof *launch, WORDS = 2 * SETTINGS };

static int32_t words(const char **argv, unsigned settings)
{
	int32_t n = 0;
	for (unsigned i = 0; i < settings; i++)
		for (unsigned w = 0; w < 2 && launch[i][w]; w++) argv[n++] = launch[i][w];
	return n;
}

static size_t calls, live;
static void *counting(void *ctx, void *old, size_t old_size, size_t new_size)
{
	(void)ctx;
	live += new_size - old_size;
	if (!new_size) {
		free(old);
		return NULL;
	}
	calls++;
	return realloc(old, new_size);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* the best of some trials, in microseconds a call */
static double best_of(void (*call)(void *), void *arg, int rounds)
{
	double best = 1e9;
	for (int trial = 0; trial < 9; trial++) {
		double t = now();
		for (int i = 0; i < rounds; i++) call(arg);
		t = (now() - t) / rounds;
		if (t < best) best = t;
	}
	return best;
}

static void verdict(void *cfg) { pdcfg_validate(cfg, NULL); }
static void report(void *cfg)
{
	pdcfg_report *rep;
	if (pdcfg_validate(cfg, &rep) >= 0) pdcfg_report_free(rep);
}

static bool count_row(void *ctx, struct run *r, unsigned row, tri t, int64_t value)
{
	(void)ctx;
	(void)r;
	(void)row;
	(void)t;
	(void)value;
	return true;
}
static struct run run;
static void ungated(void *cfg) { pdcfg_walk(cfg, &run, WALK_ALL, count_row, NULL); }
static unsigned rows_open(const pdcfg_t *cfg)
{
	unsigned n = 0;
	pdcfg_walk(cfg, &run, WALK_GATED, count_row, NULL);
	for (unsigned r = 0; r < ROW_COUNT; r++) n += bit_get(run.open, r);
	return n;
}

static void argv_to_verdict(void *arg)
{
	const char *argv[WORDS];
	int32_t n = words(argv, SETTINGS);
	pdcfg_t *cfg;
	(void)arg;
	if (pdcfg_new(&cfg) < 0) exit(1);
	pdcfg_parse_argv(cfg, n, argv);
	pdcfg_use_platform(cfg, "h100");
	pdcfg_set_model_is_mla(cfg, 1);
	pdcfg_validate(cfg, NULL);
	pdcfg_free(cfg);
}

struct model {
	pdcfg_t *cfg;
	char *bytes;
	size_t size;
};
static void read_model(void *arg)
{
	struct model *m = arg;
	char why[200];
	pdcfg_files_read_model_bytes(m->cfg, m->bytes, m->size, why, sizeof why);
}

static void model_line(const char *path)
{
	struct model m = { .bytes = malloc(1 << 20) };
	FILE *f = path ? fopen(path, "rb") : NULL;
	if (!f || !m.bytes || pdcfg_new(&m.cfg) < 0) return;
	m.size = fread(m.bytes, 1, 1 << 20, f);
	fclose(f);
	printf("config.json of %5zu bytes to traits     %8.2f us\n", m.size, best_of(read_model, &m, 200));
	pdcfg_free(m.cfg);
	free(m.bytes);
}

static void process_line(const char *pdcfg)
{
	const char *argv[WORDS + 9] = { pdcfg, "check", "-q", "--no-env", "--", "python3", "-m", "sglang.launch_server" };
	double best = 1e9;
	int status;
	argv[8 + words(argv + 8, SETTINGS)] = NULL;
	fflush(stdout);
	for (int i = 0; i < 200; i++) {
		pid_t pid;
		posix_spawn_file_actions_t quiet;
		posix_spawn_file_actions_init(&quiet);
		posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", 1 /* O_WRONLY */, 0);
		double t = now();
		if (posix_spawn(&pid, pdcfg, &quiet, NULL, (char *const *)argv, environ)) return;
		waitpid(pid, &status, 0);
		t = now() - t;
		if (t < best) best = t;
		posix_spawn_file_actions_destroy(&quiet);
	}
	printf("pdcfg check, a whole process            %8.2f us\n", best);
}

static void facts(pdcfg_t *cfg)
{
	pdcfg_use_platform(cfg, "h100");
	pdcfg_set_model_arch(cfg, "DeepseekV3ForCausalLM");
	pdcfg_set_model_is_mla(cfg, 1);
}

int main(int argc, char **argv)
{
	const char *given[WORDS];
	pdcfg_t *cfg;
	if (pdcfg_new_with(counting, NULL, &cfg) < 0) return 1;
	printf("handle, empty                           %8zu bytes\n", live);
	pdcfg_parse_argv(cfg, words(given, SETTINGS), given);
	printf("handle with the %d settings of a launch %8zu bytes\n", SETTINGS, live);
	printf("verdict, neither model nor machine known%8.2f us\n", best_of(verdict, cfg, 20000));
	facts(cfg);
	size_t before = calls;
	verdict(cfg);
	printf("verdict, both known                     %8.2f us, %zu allocations\n", best_of(verdict, cfg, 20000), calls - before);
	before = calls;
	report(cfg);
	printf("report                                  %8.2f us, %zu allocation\n", best_of(report, cfg, 20000), calls - before);
	printf("argv to verdict, with a new handle      %8.2f us\n", best_of(argv_to_verdict, NULL, 5000));
	model_line(argc > 2 ? argv[2] : NULL);
	if (argc > 1) process_line(argv[1]);
	puts("\nsettings   rows looked at   verdict      if every row were looked at");
	for (unsigned n = 0; n <= SETTINGS; n += 5) {
		pdcfg_reset(cfg);
		pdcfg_parse_argv(cfg, words(given, n ? n : 1), given);
		facts(cfg);
		printf("%8u   %4u of %4u     %8.2f us   %8.2f us\n", n ? n : 1, rows_open(cfg), (unsigned)ROW_COUNT, best_of(verdict, cfg, 20000), best_of(ungated, cfg, 5000));
	}
	pdcfg_free(cfg);
	return 0;
}
