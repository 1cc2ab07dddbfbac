/* An agent that is itself a shared object, with the library inside. */
#include <pdcfg/pdcfg.h>
int plugin_verdict(void);
int plugin_verdict(void)
{
	pdcfg_t *cfg;
	int verdict;
	if (pdcfg_new(&cfg) < 0) return -1;
	pdcfg_set_disaggregation_mode(cfg, "prefill");
	pdcfg_set_disaggregation_decode_enable_offload_kvcache(cfg, 1);
	verdict = pdcfg_validate(cfg, NULL);
	pdcfg_free(cfg);
	return verdict;
}
