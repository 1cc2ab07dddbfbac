/* The settings and facts there are, by number, key and name. */
#include <string.h>
#include "private.h"

#define TABLES_OF_FIELDS
#include "generated/tables.inc"

int64_t pdcfg_word(const char *text, size_t len)
{
	unsigned low = 0, high = WORD_COUNT;
	if (len && memchr(text, 0, len)) return UNKNOWN; /* a list */
	while (low < high) {
		unsigned mid = low + (high - low) / 2;
		const char *word = pdcfg_str(words[mid]);
		int d = strncmp(text, word, len);
		if (!d && word[len]) d = -1;
		if (!d) return mid;
		if (d < 0) high = mid; else low = mid + 1;
	}
	return UNKNOWN;
}

const char *pdcfg_pool_text(const struct pool *p, int64_t cell, size_t *len)
{
	if (cell >= 0 && cell < WORD_COUNT) {
		const char *word = pdcfg_str(words[cell]);
		*len = strlen(word);
		return word;
	}
	if (cell >= WORD_COUNT && (uint64_t)(cell - WORD_COUNT) < p->count) {
		const struct pool_entry *e = &p->entries[cell - WORD_COUNT];
		*len = e->len;
		return p->bytes + e->at;
	}
	*len = 0;
	return "";
}

unsigned pdcfg_field_of_key(uint32_t key)
{
	unsigned low = 0, high = FIELD_COUNT;
	while (low < high) {
		unsigned mid = low + (high - low) / 2;
		uint32_t k = pdcfg_fields[pdcfg_by_key[mid]].key;
		if (k == key) return pdcfg_by_key[mid];
		if (k < key) low = mid + 1; else high = mid;
	}
	return 0;
}

/* does name, of len bytes, spell this field? By its full name or by the part after the first point. */
static bool spells(const struct field *f, const char *name, size_t len)
{
	const char *full = pdcfg_str(f->name), *ident = pdcfg_str(f->ident), *point = f->kind == PDCFG_KIND_ARGUMENT ? NULL : strchr(full, '.');
	return (!strncmp(full, name, len) && !full[len]) || (!strncmp(ident, name, len) && !ident[len]) ||
	       (point && !strncmp(point + 1, name, len) && !point[1 + len]);
}

unsigned pdcfg_field_by_name(const char *name, size_t len)
{
	for (unsigned i = 1; i < FIELD_COUNT; i++)
		if (spells(&pdcfg_fields[i], name, len)) return i;
	return 0;
}

unsigned pdcfg_first_name_from(const char *prefix, size_t len)
{
	unsigned low = 0, high = OPTION_NAME_COUNT;
	while (low < high) {
		unsigned mid = low + (high - low) / 2;
		if (strncmp(pdcfg_str(pdcfg_option_names[mid].name), prefix, len) < 0) low = mid + 1; else high = mid;
	}
	return low;
}

const struct option_name *pdcfg_option_name(const char *name, size_t len)
{
	unsigned i = pdcfg_first_name_from(name, len);
	const char *found = i < OPTION_NAME_COUNT ? pdcfg_str(pdcfg_option_names[i].name) : NULL;
	return found && !strncmp(found, name, len) && !found[len] ? &pdcfg_option_names[i] : NULL;
}

const struct option *pdcfg_option_by_name(const char *name, size_t len)
{
	const struct option_name *known = pdcfg_option_name(name, len);
	return known ? &pdcfg_options[known->option] : NULL;
}

uint32_t pdcfg_key_by_name(const char *name)
{
	if (!name) return 0;
	size_t len = strlen(name);
	const struct option *o = *name == '-' ? pdcfg_option_by_name(name, len) : NULL;
	return o ? pdcfg_fields[o->field].key : pdcfg_fields[pdcfg_field_by_name(name, len)].key;
}

uint32_t pdcfg_key_next(uint32_t after)
{
	unsigned f = after ? pdcfg_field_of_key(after) : 0;
	return (after && !f) || f + 1 >= FIELD_COUNT ? 0 : pdcfg_fields[f + 1].key;
}

const char *pdcfg_key_name(uint32_t key) { return pdcfg_str(pdcfg_fields[pdcfg_field_of_key(key)].name); }
uint32_t pdcfg_key_type(uint32_t key) { return pdcfg_fields[pdcfg_field_of_key(key)].type; }
uint32_t pdcfg_key_kind(uint32_t key) { return pdcfg_fields[pdcfg_field_of_key(key)].kind; }
int32_t pdcfg_key_is_secret(uint32_t key) { return pdcfg_fields[pdcfg_field_of_key(key)].secret; }

const char *pdcfg_key_default(uint32_t key)
{
	unsigned f = pdcfg_field_of_key(key);
	return f ? pdcfg_str(pdcfg_fields[f].text) : "";
}

/* in the table it ends at a blank; the sorted names have it alone */
const char *pdcfg_option_first_name(unsigned option)
{
	const char *names = option < OPTION_COUNT ? pdcfg_str(pdcfg_options[option].names) : "";
	const struct option_name *known = *names ? pdcfg_option_name(names, strcspn(names, " ")) : NULL;
	return known ? pdcfg_str(known->name) : "";
}

const char *pdcfg_key_option(uint32_t key)
{
	const struct field *f = &pdcfg_fields[pdcfg_field_of_key(key)];
	if (f->kind == PDCFG_KIND_ENVIRONMENT) return pdcfg_str(f->name) + 4;
	return f->options ? pdcfg_option_first_name(f->option) : "";
}

bool pdcfg_is_choice(const char *choices, const char *text, size_t len)
{
	for (size_t n; *choices; choices += n + (choices[n] == '|')) {
		n = strcspn(choices, "|");
		if (n == len && !memcmp(choices, text, n)) return true;
	}
	return false;
}

/* the option of a field that limits its values, OPTION_COUNT when none does */
static unsigned choosing_option(unsigned field)
{
	const struct field *f = &pdcfg_fields[field];
	for (unsigned i = 0; i < f->options; i++)
		if (pdcfg_options[f->option + i].choices) return f->option + i;
	return OPTION_COUNT;
}

size_t pdcfg_key_choices(uint32_t key)
{
	unsigned o = choosing_option(pdcfg_field_of_key(key));
	size_t n = 0;
	for (const char *s = o < OPTION_COUNT ? pdcfg_str(pdcfg_options[o].choices) : ""; *s; s += strcspn(s, "|"), s += *s == '|') n++;
	return n;
}

const char *pdcfg_key_choice(uint32_t key, size_t n)
{
	unsigned o = choosing_option(pdcfg_field_of_key(key));
	const char *s = o < OPTION_COUNT ? pdcfg_str(pdcfg_options[o].choices) : "";
	for (; *s && n; n--) { s += strcspn(s, "|"); s += *s == '|'; }
	int64_t known = pdcfg_word(s, strcspn(s, "|"));
	return known == UNKNOWN ? "" : pdcfg_str(words[known]);
}
