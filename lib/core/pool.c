/* Texts as numbers: known words first, then what the user brought, each text once. Comparing two values is comparing two integers. */
#include <string.h>
#include "private.h"

enum { FIRST_ROOM = 1024, FIRST_PLACES = 32 };
static const uint32_t POOL_LIMIT = UINT32_C(1) << 30; /* bytes; a text at a time is far below */

static uint32_t hash(const char *text, size_t len)
{
	uint32_t h = 2166136261u;
	for (size_t i = 0; i < len; i++) h = (h ^ (unsigned char)text[i]) * 16777619u;
	return h;
}

static uint32_t *slot_of(const struct pool *p, const char *text, size_t len)
{
	uint32_t mask = 2 * p->places - 1, i = hash(text, len) & mask;
	for (; p->slots[i]; i = (i + 1) & mask) {
		const struct pool_entry *e = &p->entries[p->slots[i] - 1];
		if (e->len == len && !memcmp(p->bytes + e->at, text, len)) break;
	}
	return &p->slots[i];
}

static int32_t more_bytes(struct pool *p, const struct memory *m, size_t len)
{
	size_t need = (size_t)p->used + len + 1, room = p->room ? p->room : FIRST_ROOM;
	if (need > POOL_LIMIT) return PDCFG_E_LIMIT;
	if (need <= p->room) return PDCFG_OK;
	while (room < need) room *= 2;
	char *bytes = pdcfg_mem_grow(m, p->bytes, p->room, room);
	if (!bytes) return PDCFG_E_NOMEM;
	p->bytes = bytes;
	p->room = (uint32_t)room;
	return PDCFG_OK;
}

static int32_t more_entries(struct pool *p, const struct memory *m)
{
	if (p->count < p->places) return PDCFG_OK;
	uint32_t places = p->places ? 2 * p->places : FIRST_PLACES;
	uint32_t *slots = pdcfg_mem_get(m, 2 * (size_t)places * sizeof *slots);
	if (!slots) return PDCFG_E_NOMEM;
	struct pool_entry *entries = pdcfg_mem_grow(m, p->entries, p->places * sizeof *entries, places * sizeof *entries);
	if (!entries) {
		pdcfg_mem_put(m, slots, 2 * (size_t)places * sizeof *slots);
		return PDCFG_E_NOMEM;
	}
	pdcfg_mem_put(m, p->slots, 2 * (size_t)p->places * sizeof *slots);
	memset(slots, 0, 2 * (size_t)places * sizeof *slots);
	p->entries = entries;
	p->slots = slots;
	p->places = places;
	for (uint32_t i = 0; i < p->count; i++) *slot_of(p, p->bytes + entries[i].at, entries[i].len) = i + 1;
	return PDCFG_OK;
}

int32_t pdcfg_pool_add(struct pool *p, const struct memory *m, const char *text, size_t len, int64_t *cell)
{
	int64_t known = pdcfg_word(text, len);
	int32_t status;
	if (known != UNKNOWN) {
		*cell = known;
		return PDCFG_OK;
	}
	if ((status = more_bytes(p, m, len)) < 0 || (status = more_entries(p, m)) < 0) return status;
	uint32_t *slot = slot_of(p, text, len);
	if (!*slot) {
		memcpy(p->bytes + p->used, text, len);
		p->bytes[p->used + len] = 0;
		p->entries[p->count] = (struct pool_entry){ p->used, (uint32_t)len };
		p->used += (uint32_t)len + 1;
		*slot = ++p->count;
	}
	*cell = WORD_COUNT + (int64_t)*slot - 1;
	return PDCFG_OK;
}

int32_t pdcfg_pool_copy(struct pool *to, const struct pool *from, const struct memory *m)
{
	*to = (struct pool){ 0 };
	if (!from->count) return PDCFG_OK;
	struct pool p = *from;
	p.room = from->used;
	p.bytes = pdcfg_mem_get(m, p.room);
	p.entries = pdcfg_mem_get(m, p.places * sizeof *p.entries);
	p.slots = pdcfg_mem_get(m, 2 * (size_t)p.places * sizeof *p.slots);
	if (!p.bytes || !p.entries || !p.slots) {
		pdcfg_pool_end(&p, m);
		return PDCFG_E_NOMEM;
	}
	memcpy(p.bytes, from->bytes, p.used);
	memcpy(p.entries, from->entries, p.count * sizeof *p.entries);
	memcpy(p.slots, from->slots, 2 * (size_t)p.places * sizeof *p.slots);
	*to = p;
	return PDCFG_OK;
}

void pdcfg_pool_end(struct pool *p, const struct memory *m)
{
	pdcfg_mem_put(m, p->bytes, p->room);
	pdcfg_mem_put(m, p->entries, p->places * sizeof *p->entries);
	pdcfg_mem_put(m, p->slots, 2 * (size_t)p->places * sizeof *p->slots);
	*p = (struct pool){ 0 };
}
