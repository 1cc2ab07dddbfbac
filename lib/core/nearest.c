/* What somebody may have meant: the known name that takes the fewest changed, missing, additional or exchanged letters. */
#include <string.h>
#include "private.h"

enum {
	LENGTH_MAX = 128, /* no name is longer, and nothing longer is near one */
	SLIPS_MAX = 4     /* a third of a long name leaves room for another name altogether */
};

/* upper case and underscores are the usual slips, and count as none */
static char fold(char c)
{
	return c == '_' ? '-' : lower(c);
}

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* one row of the table of distances between the beginnings of a and b, from the two rows above it; returns the least of the row */
static unsigned next_row(const char *a, size_t i, const char *b, size_t nb, const unsigned char *above2, const unsigned char *above, unsigned char *row)
{
	unsigned low = row[0] = (unsigned char)i;
	for (size_t j = 1; j <= nb; j++) {
		unsigned other = fold(a[i - 1]) != fold(b[j - 1]);
		unsigned d = least(above[j - 1] + other, least(above[j], row[j - 1]) + 1u);
		if (other && i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1])) d = least(d, above2[j - 2] + 1u);
		row[j] = (unsigned char)d;
		low = least(low, d);
	}
	return low;
}

/* restricted Damerau-Levenshtein distance; more than limit is limit + 1 */
static unsigned distance(const char *a, size_t na, const char *b, size_t nb, unsigned limit)
{
	unsigned char rows[3][LENGTH_MAX + 1];
	if (na > LENGTH_MAX || nb > LENGTH_MAX || na > nb + limit || nb > na + limit) return limit + 1;
	for (size_t j = 0; j <= nb; j++) rows[0][j] = (unsigned char)j;
	unsigned before = 0;
	for (size_t i = 1; i <= na; i++) {
		unsigned low = next_row(a, i, b, nb, rows[(i + 1) % 3], rows[(i + 2) % 3], rows[i % 3]);
		if (low > limit && before > limit) return limit + 1;
		before = low;
	}
	return least(rows[na % 3][nb], limit + 1);
}

struct search {
	const char *name;
	size_t len;
	unsigned limit; /* what is nearer than this wins */
	const char *best;
	size_t best_len;
};

static struct search search_for(const char *name, size_t len, size_t counted)
{
	return (struct search){ name, len, len > LENGTH_MAX ? 0 : least((unsigned)(counted / 3), SLIPS_MAX) + 1, NULL, 0 };
}
static void consider(struct search *s, const char *candidate, size_t len)
{
	unsigned d = s->limit ? distance(s->name, s->len, candidate, len, s->limit - 1) : 0;
	if (d >= s->limit) return;
	s->limit = d;
	s->best = candidate;
	s->best_len = len;
}

static size_t dashes(const char *s, size_t len)
{
	size_t n = 0;
	while (n < 2 && n < len && s[n] == '-') n++;
	return n;
}

/* in the order of the options: of two that are as near, the one that comes first */
static void search_options(struct search *s)
{
	for (unsigned i = 0; i < OPTION_COUNT; i++) {
		const char *p = pdcfg_str(pdcfg_options[i].names);
		for (size_t n; *p; p += n + (p[n] == ' ')) {
			n = strcspn(p, " ");
			consider(s, p, n);
		}
	}
}

const char *pdcfg_nearest_option(const char *name, size_t len)
{
	struct search s = search_for(name, len, len - dashes(name, len));
	search_options(&s);
	return s.best ? pdcfg_str(pdcfg_option_name(s.best, s.best_len)->name) : "";
}

bool pdcfg_nearest_choice(const char *choices, const char *text, size_t *at, size_t *len)
{
	struct search s = search_for(text, strlen(text), strlen(text));
	if (!choices) return false;
	for (const char *p = choices; *p;) {
		size_t n = strcspn(p, "|");
		consider(&s, p, n);
		p += n + (p[n] == '|');
	}
	if (!s.best) return false;
	*at = (size_t)(s.best - choices);
	*len = s.best_len;
	return true;
}

const char *pdcfg_nearest_name(const char *name)
{
	if (!name) return "";
	size_t len = strlen(name);
	if (*name == '-') return pdcfg_nearest_option(name, len);
	struct search s = search_for(name, len, len);
	for (unsigned f = 1; f < FIELD_COUNT; f++) {
		const struct field *known = &pdcfg_fields[f];
		if (known->kind == PDCFG_KIND_STATE) continue;
		const char *full = pdcfg_str(known->name);
		consider(&s, full, strlen(full));
		if (known->kind == PDCFG_KIND_ENVIRONMENT) consider(&s, full + 4, strlen(full + 4));
	}
	return s.best ? s.best : "";
}
