/* The typed setters: a real function for each field, so that any language can call it by name. */
#include "private.h"

#define SETTER_BOOL(name) int32_t pdcfg_set_##name(pdcfg_t *cfg, int32_t on) { return pdcfg_set_whole(cfg, F_##name, on != 0); }
#define SETTER_INT(name) int32_t pdcfg_set_##name(pdcfg_t *cfg, int64_t value) { return pdcfg_set_whole(cfg, F_##name, value); }
#define SETTER_FLOAT(name) int32_t pdcfg_set_##name(pdcfg_t *cfg, double value) { return pdcfg_set_real(cfg, F_##name, value); }
#define SETTER_TEXT(name) int32_t pdcfg_set_##name(pdcfg_t *cfg, const char *value) { return pdcfg_set_string(cfg, F_##name, value); }
#define SETTER_LIST(name) int32_t pdcfg_set_##name(pdcfg_t *cfg, const char *const *items, size_t count) { return pdcfg_set_items(cfg, F_##name, items, count); }
#include "generated/setters.inc"
