/* A C agent: sets what it would launch, and prints what SGLang would stop at. */
#include <pdcfg/pdcfg.h>
#include <stdio.h>

/* names that the library uses inside: neither side may notice the other */
int derive(void);
int derive(void) { return 1; }
void *word(void);
void *word(void) { return NULL; }

static void print_first(const char *name, const pdcfg_t *cfg)
{
	pdcfg_report *rep;
	int64_t first;
	if (pdcfg_validate(cfg, &rep) < 0) {
		printf("%s\tfailed\n", name);
		return;
	}
	first = pdcfg_report_first_refusal(rep);
	if (first < 0) printf("%s\tnothing\n", name);
	else printf("%s\tPD%u\t%s\t%s\n", name, (unsigned)pdcfg_finding_code(rep, (size_t)first), pdcfg_finding_exception(rep, (size_t)first), pdcfg_finding_message(rep, (size_t)first));
	pdcfg_report_free(rep);
}

int main(void)
{
	pdcfg_t *cfg;
#define CASE(name, settings) \
	if (pdcfg_new(&cfg) < 0) return 1; \
	settings; \
	print_first(#name, cfg); \
	pdcfg_free(cfg);
#include "cases.inc"
	return 0;
}
