/* Facts of well-known machines by name. */
#include <string.h>
#include "private.h"

struct platform {
	const char *name, *device;
	int64_t sm, gpu_mem_mib, sm_count;
	const char *device_name, *cuda;
};
static const struct platform platforms[] = {
#define PLATFORM(name, device, sm, mem, count, gpu, cuda) { #name, device, sm, mem, count, gpu, cuda },
#include "platform.def"
#undef PLATFORM
};
enum { PLATFORMS = sizeof platforms / sizeof *platforms };

static unsigned find(const char *name)
{
	unsigned i = 0;
	while (i < PLATFORMS && strcmp(platforms[i].name, name)) i++;
	return i;
}

const char *pdcfg_platform_next(const char *after)
{
	unsigned i = after && *after ? find(after) + 1 : 0;
	return i < PLATFORMS ? platforms[i].name : "";
}

/* whether GPUs of several hosts share one NVLink fabric; SGLang too goes by the GPU's name */
static bool has_nvlink_fabric(const struct platform *p) { return strstr(p->device_name, "GB200") || strstr(p->device_name, "GB300"); }

int32_t pdcfg_use_platform(pdcfg_t *cfg, const char *name)
{
	int64_t device, gpu, text, cuda = NONE;
	int32_t status;
	if (!cfg || !name) return PDCFG_E_INVALID;
	unsigned i = find(name);
	if (i == PLATFORMS) return PDCFG_E_KEY;
	const struct platform *p = &platforms[i];
	if ((status = pdcfg_intern(cfg, p->device, strlen(p->device), &device)) < 0) return status;
	if ((status = pdcfg_intern(cfg, p->device_name, strlen(p->device_name), &gpu)) < 0) return status;
	if ((status = pdcfg_intern(cfg, name, strlen(name), &text)) < 0) return status;
	if (p->cuda && (status = pdcfg_intern(cfg, p->cuda, strlen(p->cuda), &cuda)) < 0) return status;
	const struct origin from = { .text = (uint32_t)text, .index = -1, .kind = PDCFG_FROM_PLATFORM };
	pdcfg_put(cfg, F_platform_device, device, &from);
	pdcfg_put(cfg, F_platform_device_name, gpu, &from);
	pdcfg_put(cfg, F_platform_sm, p->sm, &from);
	pdcfg_put(cfg, F_platform_gpu_mem_mib, p->gpu_mem_mib, &from);
	pdcfg_put(cfg, F_platform_sm_count, p->sm_count, &from);
	pdcfg_put(cfg, F_platform_is_mnnvl, has_nvlink_fabric(p), &from);
	pdcfg_put(cfg, F_platform_cuda_version, cuda, &from);
	if (!p->cuda) pdcfg_put(cfg, F_platform_cuda_major, NONE, &from);
	return PDCFG_OK;
}
