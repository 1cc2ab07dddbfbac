/* The nearest of a set of words to a mistyped one. */
#include "cli.h"
#include <string.h>

#define LONGEST 64

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* Damerau-Levenshtein, neighbours swapped at most once; letters of either case are the same. */
static unsigned distance(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	unsigned rows[3][LONGEST + 1], *two = rows[0], *one = rows[1], *now = rows[2];

	if (n > LONGEST || m > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= m; j++)
		one[j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *old = two;

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			now[j] = least(least(one[j], now[j - 1]) + 1, one[j - 1] + ((a[i - 1] | 0x20) != (b[j - 1] | 0x20)));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = least(now[j], two[j - 2] + 1);
		}
		two = one;
		one = now;
		now = old;
	}
	return one[m];
}

void nearest_try(struct nearest *n, const char *candidate)
{
	unsigned d = distance(n->word, candidate), limit = (unsigned)strlen(n->word) / 3;

	if (limit < 1)
		limit = 1;
	if (d > limit || (n->best && d >= n->distance))
		return;
	n->best = candidate;
	n->distance = d;
}
