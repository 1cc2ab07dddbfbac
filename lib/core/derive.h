/* For the helpers of conditions, in derive: reading facts without assuming that any of them is sane. */
#ifndef PDCFG_DERIVE_H
#define PDCFG_DERIVE_H
#include <string.h>
#include "private.h"

#define V(f) (k->v[F_##f])
#define REAL(f) cell_real(V(f))
#define IS_NONE(f) (V(f) == NONE)
#define WAS_GIVEN(f) bit_get(k->given, F_##f)
#define STR(f) pdcfg_str_of(k, V(f))
#define LEN(f) pdcfg_list_len(k, V(f))
#define ITEM(f, i) pdcfg_list_item(k, V(f), (i))

const char *pdcfg_str_of(const struct facts *k, int64_t cell);      /* "" for None and unknown */
size_t pdcfg_list_len(const struct facts *k, int64_t cell);         /* 0 for None */
const char *pdcfg_list_item(const struct facts *k, int64_t cell, size_t i);
/* The elements in turn: *item is NULL before the first one. False at the end. A list may be long, and asking for each element by its number slow. */
bool pdcfg_list_next(const struct facts *k, int64_t cell, const char **item);
int64_t pdcfg_list_number(const struct facts *k, int64_t cell, size_t i); /* the same as a whole number; NONE if it is none */
int64_t pdcfg_number_of_item(const char *item);
bool pdcfg_list_has(const struct facts *k, int64_t cell, const char *item);
int64_t word(const struct facts *k, const char *text);              /* the cell of a known word; UNKNOWN if no row names it */

/* arithmetic that cannot overflow: it stops at the ends of what a cell may hold */
int64_t add_(int64_t a, int64_t b);
int64_t mul_(int64_t a, int64_t b);
int64_t floordiv_(int64_t a, int64_t b); /* rounds down as Python's //; 0 for b == 0 */
int64_t mod_(int64_t a, int64_t b);      /* sign of b as Python's %; 0 for b == 0 */

/* small texts (derive/texts.c) */
struct span {
	const char *s;
	size_t n;
};
struct span stripped(const char *s, size_t n);            /* as Python's str.strip() */
int64_t version_of(const char *text, unsigned parts);     /* its first parts, a thousand apart: 12.8 is 12008; 0 for what does not begin with one */
bool in_object_store(const char *path);                   /* s3://, gs://, az:// */
bool is_ipv6(const char *s, size_t n);                    /* as Python's ipaddress sees it */

#define HELPER(name, ...) bool help_##name(const struct facts *k);
#define COMPUTE(name, ...) int64_t calc_##name(const struct facts *k);
#include "norows.h"
#include "steps.def"
#include "rows_end.h"
#endif
