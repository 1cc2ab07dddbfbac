/* What helpers of conditions share. */
#include "derive.h"

const char *pdcfg_str_of(const struct facts *k, int64_t cell)
{
	size_t len;
	return pdcfg_pool_text(k->pool, cell, &len);
}

const char *pdcfg_list_item(const struct facts *k, int64_t cell, size_t i)
{
	size_t len, at = 0;
	const char *all = pdcfg_pool_text(k->pool, cell, &len);
	for (; at < len; at += strlen(all + at) + 1)
		if (!i--) return all + at;
	return "";
}

size_t pdcfg_list_len(const struct facts *k, int64_t cell)
{
	size_t len, at = 0, n = 0;
	const char *all = pdcfg_pool_text(k->pool, cell, &len);
	for (; at < len; at += strlen(all + at) + 1) n++;
	return n;
}

bool pdcfg_list_next(const struct facts *k, int64_t cell, const char **item)
{
	size_t len;
	const char *all = pdcfg_pool_text(k->pool, cell, &len);
	*item = *item ? *item + strlen(*item) + 1 : all;
	return *item < all + len;
}

int64_t pdcfg_number_of_item(const char *item)
{
	int64_t n;
	return pdcfg_read_int(item, strlen(item), &n) ? n : NONE;
}

int64_t pdcfg_list_number(const struct facts *k, int64_t cell, size_t i) { return pdcfg_number_of_item(pdcfg_list_item(k, cell, i)); }

bool pdcfg_list_has(const struct facts *k, int64_t cell, const char *item)
{
	size_t len, at = 0;
	const char *all = pdcfg_pool_text(k->pool, cell, &len);
	for (; at < len; at += strlen(all + at) + 1)
		if (!strcmp(all + at, item)) return true;
	return false;
}

int64_t word(const struct facts *k, const char *text)
{
	(void)k;
	return pdcfg_word(text, strlen(text));
}

/* a result that a cell may hold */
static int64_t clamp(int64_t x) { return x <= NONE ? NONE + 1 : x; }

int64_t add_(int64_t a, int64_t b)
{
	int64_t r;
	if (__builtin_add_overflow(a, b, &r)) return b > 0 ? INT64_MAX : NONE + 1;
	return clamp(r);
}

int64_t mul_(int64_t a, int64_t b)
{
	int64_t r;
	if (__builtin_mul_overflow(a, b, &r)) return (a > 0) == (b > 0) ? INT64_MAX : NONE + 1;
	return clamp(r);
}

int64_t floordiv_(int64_t a, int64_t b)
{
	if (!b) return 0;
	if (b == -1) return a == INT64_MIN ? INT64_MAX : clamp(-a);
	return clamp(a / b - (a % b != 0 && (a < 0) != (b < 0)));
}

int64_t mod_(int64_t a, int64_t b)
{
	if (!b || b == -1) return 0;
	int64_t r = a % b;
	return r && (r < 0) != (b < 0) ? r + b : r;
}
