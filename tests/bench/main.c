/* Figures, printed and never asserted: bench PDCFG */
#define _POSIX_C_SOURCE 200809L
#include <pdcfg/pdcfg.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

/* a launch as it stands in public deployments, 25 settings */
static const char *const launch[] = { "--model-path", "deepseek-ai/DeepSeek-V3", "--trust-remote-code", "--host", "0.0.0.0", "--port", "30000", "--disaggregation-mode", "prefill",
	"--disaggregation-transfer-backend", "mooncake", "--disaggregation-bootstrap-port", "8998", "--disaggregation-ib-device", "mlx5_0,mlx5_1", "--tp-size", "16", "--dp-size", "16",
	"--enable-dp-attention", "--nnodes", "2", "--node-rank", "0", "--dist-init-addr", "10.0.0.1:5000", "--moe-a2a-backend", "deepep", "--deepep-mode", "normal", "--mem-fraction-static",
	"0.85", "--chunked-prefill-size", "524288", "--max-running-requests", "8192", "--max-total-tokens", "131072", "--context-length", "8192", "--page-size", "64",
	"--watchdog-timeout", "1000000", "--disable-radix-cache", "--moe-dense-tp-size", "1", "--enable-dp-lm-head", "--decode-log-interval", "1" };
enum { ARGS = sizeof launch / sizeof *launch };

static size_t calls, live, most;
static void *counting(void *ctx, void *old, size_t old_size, size_t new_size)
{
	(void)ctx;
	live += new_size - old_size;
	if (live > most) most = live;
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

static void facts(pdcfg_t *cfg)
{
	pdcfg_use_platform(cfg, "h100");
	pdcfg_set_model_arch(cfg, "DeepseekV3ForCausalLM");
	pdcfg_set_model_is_mla(cfg, 1);
}

static double per_call(const pdcfg_t *cfg, int report, int rounds)
{
	double best = 1e9;
	for (int trial = 0; trial < 5; trial++) {
		double t = now();
		for (int i = 0; i < rounds; i++) {
			pdcfg_report *rep;
			if (!report) pdcfg_validate(cfg, NULL);
			else if (pdcfg_validate(cfg, &rep) >= 0) pdcfg_report_free(rep);
		}
		t = (now() - t) / rounds;
		if (t < best) best = t;
	}
	return best;
}

static double parse_and_validate(int rounds)
{
	double t = now();
	for (int i = 0; i < rounds; i++) {
		pdcfg_t *cfg;
		if (pdcfg_new(&cfg) < 0) exit(1);
		pdcfg_parse_argv(cfg, ARGS, launch);
		pdcfg_validate(cfg, NULL);
		pdcfg_free(cfg);
	}
	return (now() - t) / rounds;
}

static double process(const char *pdcfg)
{
	char *argv[ARGS + 9] = { (char *)pdcfg, "check", "-q", "--no-env", "--", "python3", "-m", "sglang.launch_server" };
	double best = 1e9;
	int status;
	memcpy(argv + 8, launch, sizeof launch);
	argv[ARGS + 8] = NULL;
	for (int i = 0; i < 200; i++) {
		pid_t pid;
		double t = now();
		if (posix_spawn(&pid, pdcfg, NULL, NULL, argv, environ)) return -1;
		waitpid(pid, &status, 0);
		t = now() - t;
		if (t < best) best = t;
	}
	return best;
}

int main(int argc, char **argv)
{
	pdcfg_t *cfg;
	pdcfg_report *rep;
	if (pdcfg_new_with(counting, NULL, &cfg) < 0) return 1;
	printf("handle, empty                          %8zu bytes\n", live);
	pdcfg_parse_argv(cfg, ARGS, launch);
	printf("handle with %d words of a launch       %8zu bytes\n", ARGS, live);
	facts(cfg);
	size_t before = calls;
	pdcfg_validate(cfg, NULL);
	printf("allocations of a verdict               %8zu\n", calls - before);
	before = calls;
	size_t held = live;
	if (pdcfg_validate(cfg, &rep) < 0) return 1;
	printf("allocations of a report                %8zu, %zu bytes, %zu findings, %zu rules not evaluated\n", calls - before, live - held, pdcfg_report_count(rep), pdcfg_report_unevaluated(rep));
	pdcfg_report_free(rep);
	printf("verdict                                %8.2f us\n", per_call(cfg, 0, 100000));
	printf("report                                 %8.2f us\n", per_call(cfg, 1, 20000));
	printf("argv to verdict, with a new handle     %8.2f us\n", parse_and_validate(20000));
	pdcfg_reset(cfg);
	for (int n = 0; n <= ARGS; n += 12) {
		pdcfg_reset(cfg);
		pdcfg_parse_argv(cfg, n, launch);
		printf("verdict, first %2d words given          %8.2f us\n", n, per_call(cfg, 0, 50000));
	}
	pdcfg_free(cfg);
	if (argc > 1) printf("pdcfg check, a whole process           %8.2f us\n", process(argv[1]));
	return 0;
}
