/* One const configuration, validated by many threads at once; meant for ThreadSanitizer. Prints one line, and fails if any thread saw another verdict. */
#include <pdcfg/pdcfg.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 8, ROUNDS = 400 };
static const pdcfg_t *shared;

static void *work(void *arg)
{
	long *wrong = arg;
	for (int i = 0; i < ROUNDS; i++) {
		pdcfg_report *rep;
		pdcfg_t *copy;
		*wrong += pdcfg_validate(shared, NULL) != PDCFG_REFUSED;
		if (pdcfg_validate(shared, &rep) < 0) {
			++*wrong;
			continue;
		}
		*wrong += strcmp(pdcfg_finding_rule(rep, (size_t)pdcfg_report_first_refusal(rep)), "hicache-vs-disabled-radix") != 0;
		pdcfg_report_free(rep);
		if (pdcfg_clone(shared, &copy) == PDCFG_OK) {
			pdcfg_set_tp_size(copy, i);
			pdcfg_free(copy);
		}
	}
	return NULL;
}

int main(void)
{
	static const char *const argv[] = { "--model-path", "some/model", "--disaggregation-mode", "decode", "--enable-hierarchical-cache", "--served-model-name", "name" };
	pthread_t threads[THREADS];
	long wrong[THREADS] = { 0 }, sum = 0;
	pdcfg_t *cfg;
	if (pdcfg_new(&cfg) < 0 || pdcfg_parse_argv(cfg, 7, argv) < 0) return 2;
	shared = cfg;
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, &wrong[i])) return 2;
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		sum += wrong[i];
	}
	pdcfg_free(cfg);
	printf("%d threads, %d validations each: %ld wrong\n", THREADS, 2 * ROUNDS, sum);
	return sum != 0;
}
