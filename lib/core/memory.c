/* The only place that asks for memory. */
#include <stdlib.h>
#include "private.h"

void *pdcfg_mem_grow(const struct memory *m, void *old, size_t old_size, size_t new_size)
{
	if (m->fn) return m->fn(m->ctx, old, old_size, new_size);
	if (new_size) return realloc(old, new_size);
	free(old);
	return NULL;
}

void *pdcfg_mem_get(const struct memory *m, size_t size)
{
	return pdcfg_mem_grow(m, NULL, 0, size);
}

void pdcfg_mem_put(const struct memory *m, void *old, size_t size)
{
	if (old) pdcfg_mem_grow(m, old, size, 0);
}
