/* Loads the plugin beside another library that defines the same names: the plugin must use its own copy. */
#include <stdint.h>
#include <stdio.h>
int plugin_verdict(void);
int32_t pdcfg_validate(const void *cfg, void **out);
int32_t pdcfg_validate(const void *cfg, void **out)
{
	(void)cfg;
	(void)out;
	return 77;
}
int main(void)
{
	printf("%d\n", plugin_verdict());
	return plugin_verdict() == 1 ? 0 : 1;
}
