/* The launches that rows give as .bad and .good, applied to a handle. */
#ifndef TESTS_EXAMPLE_H
#define TESTS_EXAMPLE_H
#include <pdcfg/pdcfg.h>

/* words split at blanks, '…' keeps them together; NAME=VALUE, model.x=…, platform.x=… and pd_required=… are set by name, the rest is argv, with
 * --model-path m in front unless it is there. Aborts the test on a negative status. */
void example_apply(pdcfg_t *cfg, const char *words);
/* index of the finding with this code, -1 */
long example_find(const pdcfg_report *rep, uint32_t code);
/* how many errors, and of which codes */
size_t example_errors(const pdcfg_report *rep, uint32_t *codes, size_t max);
/* one fix of finding i, applied; 0, or a negative status */
int32_t example_fix(pdcfg_t *cfg, const pdcfg_report *rep, size_t i, size_t fix);
#endif
