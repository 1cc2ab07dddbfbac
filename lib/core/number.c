/*
 * Numbers as Python reads and prints them: int(), float(), repr(), and SGLang's sizes such as 8k. strtod() and snprintf() follow the locale,
 * so strtod() gets whole numbers with an exponent only, and what "%.*e" prints is read digit by digit.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "text.h"

static const int64_t WHOLE_MAX = INT64_MAX, WHOLE_MIN = INT64_MIN + 2; /* below are UNKNOWN and NONE */
enum {
	INT_DIGITS_MAX = 4300, /* sys.get_int_max_str_digits() */
	DIGITS_KEPT = 800,     /* 767 decide any double; what follows counts only as not zero */
	DECIMAL_DIGITS = 28    /* precision of Python's decimal */
};

/* ---- texts, one character at a time, as Python's number parsers see them ---- */

/* the zeros of Unicode's decimal digits; the nine others follow each */
static const uint32_t zeros[] = {
	0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0,
	0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
	0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50,
	0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0
};

static char unicode_as_ascii(uint32_t u)
{
	if (u == 0x85 || u == 0xa0 || u == 0x1680 || (u >= 0x2000 && u <= 0x200a) || u == 0x2028 || u == 0x2029 || u == 0x202f || u == 0x205f ||
	    u == 0x3000)
		return ' ';
	for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
		if (u - zeros[i] < 10) return (char)('0' + (u - zeros[i]));
	return '?';
}

/* the character at s as ASCII, '?' for one that no number has; *len is how many bytes it takes */
static char next_ascii(const char *s, size_t n, size_t *len)
{
	size_t whole = pdcfg_utf8_length(s, n);
	*len = whole ? whole : 1;
	if (is_ascii(*s)) return *s ? *s : '?';
	return whole ? unicode_as_ascii(pdcfg_utf8_code(s, whole)) : '?';
}

struct cursor {
	const char *s, *end;
	char c; /* 0 at the end */
	size_t len;
};

static void look(struct cursor *p)
{
	p->len = 0;
	p->c = p->s < p->end ? next_ascii(p->s, (size_t)(p->end - p->s), &p->len) : 0;
}
static void step(struct cursor *p)
{
	p->s += p->len;
	look(p);
}
static struct cursor cursor_at(const char *s, size_t n)
{
	struct cursor p = { s, s + n, 0, 0 };
	look(&p);
	return p;
}
static void skip_space(struct cursor *p)
{
	while (is_space(p->c)) step(p);
}
/* a sign, and whether it is a minus */
static bool take_sign(struct cursor *p)
{
	bool minus = p->c == '-';
	if (minus || p->c == '+') step(p);
	return minus;
}
/* only blanks are left */
static bool ends(struct cursor *p)
{
	skip_space(p);
	return !p->c;
}
/* to the next digit of a number, over a single underscore between two of them; false when there is none, *bad when the underscore hangs */
static bool to_next_digit(struct cursor *p, bool *bad)
{
	step(p);
	if (p->c != '_') return is_digit(p->c);
	step(p);
	*bad = !is_digit(p->c);
	return !*bad;
}

/* ---- whole numbers ---- */

static int64_t more_digit(int64_t value, int digit, bool minus)
{
	if (minus) return value < (WHOLE_MIN + digit) / 10 ? WHOLE_MIN : value * 10 - digit;
	return value > (WHOLE_MAX - digit) / 10 ? WHOLE_MAX : value * 10 + digit;
}

bool pdcfg_read_int(const char *s, size_t n, int64_t *out)
{
	struct cursor p = cursor_at(s, n);
	int64_t value = 0;
	unsigned digits = 0;
	bool bad = false, full = false;

	skip_space(&p);
	bool minus = take_sign(&p);
	if (!is_digit(p.c)) return false;
	do {
		if (++digits > INT_DIGITS_MAX) return false;
		value = full ? value : more_digit(value, p.c - '0', minus);
		full = value == WHOLE_MAX || value == WHOLE_MIN;
	} while (to_next_digit(&p, &bad));
	if (bad || !ends(&p)) return false;
	*out = value;
	return true;
}

bool pdcfg_is_negative_number(const char *s, size_t n)
{
	struct cursor p = cursor_at(s, n);
	if (p.c != '-') return false;
	step(&p);
	bool digits = is_digit(p.c);
	while (is_digit(p.c)) step(&p);
	if (p.c == '.') {
		step(&p);
		digits = is_digit(p.c);
		while (is_digit(p.c)) step(&p);
	}
	if (p.c == '\n') step(&p); /* Python's $ matches before a last line feed too */
	return digits && p.s == p.end;
}

/* ---- floats ---- */

struct decimal { /* 0.digits × 10^point */
	char digits[DIGITS_KEPT + 1];
	unsigned count;
	int64_t point;
	bool rest; /* digits that were not kept are not all zero */
};

static void add_digit(struct decimal *d, char c, bool after_point)
{
	if (!d->count && c == '0') { /* leading zeros only move the point */
		d->point -= after_point;
		return;
	}
	d->point += !after_point;
	if (d->count < DIGITS_KEPT) d->digits[d->count++] = c;
	else d->rest |= c != '0';
}

/* digits with single underscores between them; how many there are, or -1 for a hanging underscore */
static int64_t take_digits(struct cursor *p, struct decimal *d, bool after_point)
{
	int64_t count = 0;
	bool bad = false;
	if (!is_digit(p->c)) return p->c == '_' ? -1 : 0;
	do {
		add_digit(d, p->c, after_point);
		count++;
	} while (to_next_digit(p, &bad));
	return bad ? -1 : count;
}

static bool take_exponent(struct cursor *p, int64_t *exponent)
{
	const int64_t enough = 1 << 24; /* any number of digits that fits in a text is less */
	bool bad = false;
	step(p);
	bool minus = take_sign(p);
	if (!is_digit(p->c)) return false;
	do {
		if (*exponent < enough) *exponent = *exponent * 10 + (p->c - '0');
	} while (to_next_digit(p, &bad));
	if (minus) *exponent = -*exponent;
	return !bad;
}

static bool take_word(struct cursor *p, const char *word)
{
	struct cursor q = *p;
	for (; *word; word++, step(&q))
		if (lower(q.c) != *word) return false;
	*p = q;
	return true;
}

/* mantissa and exponent; false when this is no number */
static bool take_decimal(struct cursor *p, struct decimal *d)
{
	int64_t whole = take_digits(p, d, false), part = 0, exponent = 0;
	if (whole < 0) return false;
	if (p->c == '.') {
		step(p);
		part = take_digits(p, d, true);
	}
	if (part < 0 || !(whole + part)) return false;
	if (lower(p->c) == 'e' && !take_exponent(p, &exponent)) return false;
	d->point += exponent;
	return true;
}

static double decimal_value(struct decimal *d)
{
	char text[DIGITS_KEPT + 32];
	size_t n = d->count;
	int64_t exponent = d->point - (int64_t)d->count;

	if (!n) return 0;
	memcpy(text, d->digits, n);
	if (d->rest) {
		text[n++] = '1';
		exponent--;
	}
	if (exponent > 99999) exponent = 99999;
	if (exponent < -99999) exponent = -99999;
	snprintf(text + n, sizeof text - n, "e%ld", (long)exponent);
	return strtod(text, NULL);
}

bool pdcfg_read_float(const char *s, size_t n, double *out)
{
	struct cursor p = cursor_at(s, n);
	struct decimal d = { .count = 0 };
	double value;

	skip_space(&p);
	bool minus = take_sign(&p);
	if (take_word(&p, "inf")) {
		take_word(&p, "inity");
		value = HUGE_VAL;
	} else if (take_word(&p, "nan")) {
		value = (double)NAN;
	} else {
		if (!take_decimal(&p, &d)) return false;
		value = decimal_value(&d);
	}
	if (!ends(&p)) return false;
	*out = minus ? -value : value;
	return true;
}

/* ---- sizes: 8k is 8000, 8Ki is 8192 ---- */

static const struct unit {
	const char *suffix;
	unsigned thousands; /* power of 1000, 0 for a binary unit */
	unsigned shift;
} units[] = { { "Ki", 0, 10 }, { "Mi", 0, 20 }, { "Gi", 0, 30 }, { "Ti", 0, 40 }, { "k", 1, 0 }, { "M", 2, 0 }, { "G", 3, 0 }, { "T", 4, 0 } };

static const struct unit *unit_at(const struct cursor *p)
{
	size_t left = (size_t)(p->end - p->s);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strlen(units[i].suffix) == left && !memcmp(p->s, units[i].suffix, left)) return &units[i];
	return NULL;
}

static size_t last_char(const char *s, size_t n)
{
	size_t len = 1;
	while (len < 4 && len < n && ((unsigned char)s[n - len] & 0xc0) == 0x80) len++;
	return len;
}
void pdcfg_strip(const char **s, size_t *n)
{
	size_t len;
	while (*n && is_blank(next_ascii(*s, *n, &len))) {
		*s += len;
		*n -= len;
	}
	while (*n) {
		size_t tail = last_char(*s, *n);
		if (!is_blank(next_ascii(*s + *n - tail, tail, &len)) || len != tail) break;
		*n -= tail;
	}
}

/* decimal rounds the product to its precision, half to even, and int() then cuts the fraction off */
static void round_decimal(struct decimal *d)
{
	if (d->count <= DECIMAL_DIGITS) return;
	char half = d->digits[DECIMAL_DIGITS];
	bool more = d->rest;
	for (unsigned i = DECIMAL_DIGITS + 1; i < d->count; i++) more |= d->digits[i] != '0';
	d->count = DECIMAL_DIGITS;
	if (half < '5' || (half == '5' && !more && !((d->digits[DECIMAL_DIGITS - 1] - '0') & 1))) return;
	for (unsigned i = DECIMAL_DIGITS; i-- && d->digits[i]++ == '9';) {
		d->digits[i] = '0';
		if (!i) { /* 99… became 100… */
			d->digits[0] = '1';
			d->point++;
		}
	}
}

static int64_t decimal_whole(struct decimal *d, unsigned thousands)
{
	round_decimal(d);
	int64_t value = 0, places = d->point + 3 * (int64_t)thousands;
	for (int64_t i = 0; i < places && value < WHOLE_MAX; i++)
		value = more_digit(value, i < (int64_t)d->count ? d->digits[i] - '0' : 0, false);
	return value;
}

/* a plain number of digits with at most one point inside; false when there is something else before the end or the suffix */
static bool take_plain(struct cursor *p, struct decimal *d, bool *fraction)
{
	if (!is_digit(p->c)) return false;
	for (; is_digit(p->c); step(p)) add_digit(d, p->c, false);
	*fraction = p->c == '.';
	if (!*fraction) return true;
	step(p);
	if (!is_digit(p->c)) return false;
	for (; is_digit(p->c); step(p)) add_digit(d, p->c, true);
	return true;
}

enum human_int pdcfg_read_human_int(const char *s, size_t n, int64_t *out)
{
	struct decimal d = { .count = 0 };
	const struct unit *unit;
	bool fraction = false;
	int64_t value;

	pdcfg_strip(&s, &n);
	struct cursor p = cursor_at(s, n);
	if (!take_plain(&p, &d, &fraction) || !(unit = unit_at(&p))) return pdcfg_read_int(s, n, out) ? HUMAN_OK : HUMAN_BAD;
	if (unit->shift && fraction) return HUMAN_FRACTION;
	if (unit->shift) {
		if (!pdcfg_read_int(s, n - strlen(unit->suffix), &value)) return HUMAN_BAD;
		*out = value > WHOLE_MAX >> unit->shift ? WHOLE_MAX : value << unit->shift;
		return HUMAN_OK;
	}
	*out = decimal_whole(&d, unit->thousands);
	return HUMAN_OK;
}

/* ---- printing ---- */

struct shortest {
	char digits[20];
	int count, exponent; /* d.ddd × 10^exponent */
};

static void print_digits(double d, int count, struct shortest *out)
{
	char text[64];
	const char *p = text;
	snprintf(text, sizeof text, "%.*e", count - 1, d);
	out->count = 0;
	for (; *p && *p != 'e'; p++) /* what stands between the digits is the locale's point */
		if (is_digit(*p) && out->count < count) out->digits[out->count++] = *p;
	bool minus = *p && p[1] == '-';
	for (out->exponent = 0; *p; p++)
		if (is_digit(*p)) out->exponent = out->exponent * 10 + (*p - '0');
	if (minus) out->exponent = -out->exponent;
}

static bool reads_back(const struct shortest *s, double d)
{
	char text[40];
	memcpy(text, s->digits, (size_t)s->count);
	snprintf(text + s->count, sizeof text - (size_t)s->count, "e%d", s->exponent - s->count + 1);
	return !(strtod(text, NULL) < d) && !(strtod(text, NULL) > d);
}

/* the next number of as many digits */
static void count_up(struct shortest *s)
{
	int i = s->count - 1;
	while (i >= 0 && s->digits[i] == '9') s->digits[i--] = '0';
	if (i >= 0) {
		s->digits[i]++;
		return;
	}
	s->digits[0] = '1';
	s->exponent++;
}

/* The fewest digits that read back as d. Above a power of two the doubles are twice as far apart as below it, so there the number
 * above the nearest one may do when the nearest does not. */
static void find_shortest(double d, struct shortest *out)
{
	for (int count = 1; count <= 17; count++) {
		print_digits(d, count, out);
		if (reads_back(out, d)) break;
		struct shortest above = *out;
		count_up(&above);
		if (reads_back(&above, d)) {
			*out = above;
			break;
		}
	}
	while (out->count > 1 && out->digits[out->count - 1] == '0') out->count--;
}

static size_t put_fixed(char *out, const struct shortest *s)
{
	int point = s->exponent + 1; /* digits before the point */
	size_t n = 0;
	if (point <= 0) {
		out[n++] = '0';
		out[n++] = '.';
		for (int i = point; i < 0; i++) out[n++] = '0';
	}
	for (int i = 0; i < s->count || i < point; i++) {
		if (i == point && i) out[n++] = '.';
		out[n++] = i < s->count ? s->digits[i] : '0';
	}
	if (point >= s->count) {
		out[n++] = '.';
		out[n++] = '0';
	}
	return n;
}

static size_t put_exponent(char *out, const struct shortest *s)
{
	size_t n = 0;
	int e = s->exponent < 0 ? -s->exponent : s->exponent;
	out[n++] = s->digits[0];
	if (s->count > 1) {
		out[n++] = '.';
		memcpy(out + n, s->digits + 1, (size_t)s->count - 1);
		n += (size_t)s->count - 1;
	}
	out[n++] = 'e';
	out[n++] = s->exponent < 0 ? '-' : '+';
	if (e >= 100) out[n++] = (char)('0' + e / 100);
	out[n++] = (char)('0' + e / 10 % 10);
	out[n++] = (char)('0' + e % 10);
	return n;
}

size_t pdcfg_print_whole(int64_t value, char out[24])
{
	char digits[24];
	size_t n = 0, used = 0;
	uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	do digits[n++] = (char)('0' + size % 10); while (size /= 10);
	if (value < 0) out[used++] = '-';
	while (n) out[used++] = digits[--n];
	out[used] = 0;
	return used;
}

size_t pdcfg_print_float(double d, char out[40])
{
	struct shortest s = { .digits = "0", .count = 1 };
	size_t n = 0;

	if (isnan(d)) {
		memcpy(out, "nan", 4);
		return 3;
	}
	if (signbit(d)) out[n++] = '-';
	d = fabs(d);
	if (isinf(d)) {
		memcpy(out + n, "inf", 4);
		return n + 3;
	}
	if (d > 0) find_shortest(d, &s);
	n += s.exponent < -4 || s.exponent >= 16 ? put_exponent(out + n, &s) : put_fixed(out + n, &s);
	out[n] = 0;
	return n;
}

/* ---- doubles as cells ---- */

int64_t real_cell(double d)
{
	uint64_t bits;
	if (isnan(d)) return INT64_C(0x7ff8) << 48;
	memcpy(&bits, &d, sizeof bits);
	int64_t size = (int64_t)(bits & (uint64_t)INT64_MAX);
	return bits >> 63 ? -size : size;
}

double cell_real(int64_t cell)
{
	const int64_t infinity = INT64_C(0x7ff0) << 48;
	uint64_t bits;
	double d;
	if (cell < -infinity || cell > infinity) return (double)NAN;
	bits = cell < 0 ? (uint64_t)-cell | UINT64_C(1) << 63 : (uint64_t)cell;
	memcpy(&d, &bits, sizeof d);
	return d;
}
