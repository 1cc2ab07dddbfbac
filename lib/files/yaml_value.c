/*
 * From nodes to values, as PyYAML's SafeConstructor makes them. A node becomes its own value; those that no value needs, such as the keys of a
 * merge, are never looked at, as there.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <pdcfg/files.h>
#include "text.h"
#include "yaml_value.h"

enum { INT_DIGITS_MAX = 4300 /* sys.get_int_max_str_digits() */ };

static int32_t construct(struct yv *y, struct yv_node *n, unsigned depth);

/* ---- whole numbers of any size ---- */

struct big { /* groups of nine decimal digits, the lowest first */
	uint32_t *groups;
	size_t count, room;
};

static bool multiply_add(struct big *b, uint32_t by, uint32_t more)
{
	uint64_t carry = more;

	for (size_t i = 0; i < b->count; i++) {
		carry += (uint64_t)b->groups[i] * by;
		b->groups[i] = (uint32_t)(carry % 1000000000);
		carry /= 1000000000;
	}
	if (!carry)
		return true;
	if (b->count == b->room)
		return false;
	b->groups[b->count++] = (uint32_t)carry;
	return true;
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* The digits of one part; false when there are none, others, or too many. */
static bool add_digits(struct big *b, const char *s, size_t n, uint32_t base)
{
	for (size_t i = 0; i < n; i++) {
		int digit = digit_value(s[i]);

		if (digit >= (int)base || !multiply_add(b, base, (uint32_t)digit))
			return false;
	}
	return n > 0;
}

static int32_t print_big(struct yv *y, struct yv_node *n, const struct big *b, bool minus)
{
	char *out = yv_get(y, 9 * b->count + 3), *p = out, group[16];

	if (!out)
		return yv_no_memory(y);
	if (minus && b->count)
		*p++ = '-';
	if (!b->count)
		*p++ = '0';
	for (size_t i = b->count; i--;) {
		snprintf(group, sizeof group, i + 1 == b->count ? "%u" : "%09u", (unsigned)b->groups[i]);
		memcpy(p, group, strlen(group));
		p += strlen(group);
	}
	*p = 0;
	n->text = out;
	n->len = (size_t)(p - out);
	n->type = YV_INT;
	return n->len - (minus && b->count) > INT_DIGITS_MAX ? yv_raise(y, n, "a whole number has more than 4300 digits") : 0;
}

/* 1:30 is 90 */
static bool add_sixties(struct big *b, const char *s, size_t n)
{
	const char *end = s + n, *colon = memchr(s, ':', n);

	if (!add_digits(b, s, colon ? (size_t)(colon - s) : n, 10))
		return false;
	while (colon) {
		struct big part = { (uint32_t[1]){ 0 }, 0, 1 };

		s = colon + 1;
		colon = memchr(s, ':', (size_t)(end - s));
		if (!add_digits(&part, s, (size_t)((colon ? colon : end) - s), 10) || !multiply_add(b, 60, part.count ? part.groups[0] : 0))
			return false;
	}
	return true;
}

/* A scalar without its underscores, and without blanks around it. */
static char *without_underscores(struct yv *y, const char *s, size_t n, size_t *len)
{
	char *out = yv_get(y, n + 1);

	for (*len = 0; out && n; n--, s++) {
		if (*s != '_')
			out[(*len)++] = *s;
	}
	while (out && *len && strchr(" \t\n\r", out[*len - 1]))
		--*len;
	if (out)
		out[*len] = 0;
	return out;
}

static int32_t construct_int(struct yv *y, struct yv_node *n, const char *text, size_t len)
{
	uint32_t groups[INT_DIGITS_MAX / 9 + 2];
	struct big b = { groups, 0, sizeof groups / sizeof *groups };
	size_t count;
	const char *s = without_underscores(y, text, len, &count);
	bool minus, good;

	if (!s)
		return yv_no_memory(y);
	if (!count)
		return yv_raise(y, n, "an empty text is no whole number");
	minus = *s == '-';
	if (*s == '-' || *s == '+') {
		s++;
		count--;
	}
	if (count > 1 && *s == '0' && (s[1] == 'b' || s[1] == 'x'))
		good = add_digits(&b, s + 2, count - 2, s[1] == 'b' ? 2 : 16);
	else if (count > 1 && *s == '0')
		good = add_digits(&b, s, count, 8);
	else
		good = add_sixties(&b, s, count);
	return good ? print_big(y, n, &b, minus) : yv_raise(y, n, "it is no whole number, or one that is too long");
}

/* ---- other scalars ---- */

/* 1:30.5 is 90.5 */
static bool read_sixties(const char *s, size_t n, double *out)
{
	const char *end = s + n;
	double base = 1, part;

	*out = 0;
	for (;;) {
		const char *start = end;

		while (start > s && start[-1] != ':')
			start--;
		if (!pdcfg_read_float(start, (size_t)(end - start), &part))
			return false;
		*out += part * base;
		base *= 60;
		if (start == s)
			return true;
		end = start - 1;
	}
}

static int32_t construct_float(struct yv *y, struct yv_node *n, const char *text, size_t len)
{
	size_t count;
	char *s = without_underscores(y, text, len, &count);
	bool minus, good = true;

	if (!s)
		return yv_no_memory(y);
	if (!count)
		return yv_raise(y, n, "an empty text is no number");
	for (size_t i = 0; i < count; i++)
		s[i] = lower(s[i]);
	minus = *s == '-';
	if (*s == '-' || *s == '+') {
		s++;
		count--;
	}
	if (count == 4 && !memcmp(s, ".inf", 4))
		n->u.real = HUGE_VAL;
	else if (count == 4 && !memcmp(s, ".nan", 4))
		n->u.real = (double)NAN;
	else if (memchr(s, ':', count))
		good = read_sixties(s, count, &n->u.real);
	else
		good = pdcfg_read_float(s, count, &n->u.real);
	if (!good)
		return yv_raise(y, n, "it is no number");
	if (minus)
		n->u.real = -n->u.real;
	n->type = YV_FLOAT;
	return 0;
}

static int32_t construct_bool(struct yv *y, struct yv_node *n, const char *s, size_t len)
{
	static const char *const words[] = { "yes", "true", "on", "no", "false", "off" };

	for (unsigned w = 0; w < 6; w++) {
		size_t i = 0;

		while (i < len && words[w][i] && (s[i] | 0x20) == words[w][i])
			i++;
		if (i < len || words[w][i])
			continue;
		n->type = YV_BOOL;
		n->u.on = w < 3;
		return 0;
	}
	return yv_raise(y, n, "it is no boolean");
}

static int base64_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* binascii.a2b_base64(): what is no digit is passed over */
static int32_t construct_bytes(struct yv *y, struct yv_node *n, const char *s, size_t len)
{
	char *out = yv_get(y, len + 1);
	unsigned held = 0, quad = 0, pads = 0;
	size_t used = 0;

	if (!out)
		return yv_no_memory(y);
	for (size_t i = 0; i < len; i++) {
		int v = base64_value(s[i]);

		if ((unsigned char)s[i] >= 0x80)
			return yv_raise(y, n, "!!binary holds a character that is not ASCII");
		if (s[i] == '=' && quad >= 2 && quad + ++pads >= 4) {
			quad = 0;
			break;
		}
		if (v < 0)
			continue;
		pads = 0;
		held = held << 6 | (unsigned)v;
		if (quad)
			out[used++] = (char)(held >> (6 - 2 * quad) & 0xff);
		quad = (quad + 1) % 4;
	}
	if (quad)
		return yv_raise(y, n, "!!binary holds no whole base64");
	n->text = out;
	n->len = used;
	n->type = YV_BYTES;
	return 0;
}

static int number_at(const char **s)
{
	int value = 0;

	while (**s >= '0' && **s <= '9')
		value = 10 * value + (*(*s)++ - '0');
	return value;
}

static bool is_day(const struct yv_time *t)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = t->year % 4 == 0 && (t->year % 100 != 0 || t->year % 400 == 0);

	return t->year > 0 && t->month > 0 && t->month <= 12 && t->day > 0 && t->day <= days[t->month - 1] + (leap && t->month == 2);
}

static int read_fraction(const char **s)
{
	int micro = 0, digits = 0;

	for (; **s >= '0' && **s <= '9'; ++*s) {
		if (digits++ < 6)
			micro = 10 * micro + (**s - '0');
	}
	for (; digits < 6; digits++)
		micro *= 10;
	return micro;
}

static bool read_zone(const char *s, struct yv_time *t)
{
	bool minus = *s == '-';

	t->has_zone = *s != 0;
	if (*s != '-' && *s != '+')
		return true;
	s++;
	t->offset = 60 * number_at(&s);
	if (*s == ':') {
		s++;
		t->offset += number_at(&s);
	}
	if (t->offset >= 24 * 60)
		return false;
	if (minus)
		t->offset = -t->offset;
	return true;
}

static int32_t construct_time(struct yv *y, struct yv_node *n, const char *s, size_t len)
{
	struct yv_time *t = &n->u.time;
	bool good = yv_is_timestamp(s, len);

	*t = (struct yv_time){ 0 };
	if (!good)
		return yv_raise(y, n, "it is no timestamp");
	t->year = number_at(&s);
	s++;
	t->month = number_at(&s);
	s++;
	t->day = number_at(&s);
	n->type = *s ? YV_DATETIME : YV_DATE;
	if (*s) {
		s += 1 + strspn(s + 1, " \t");
		t->hour = number_at(&s);
		s++;
		t->minute = number_at(&s);
		s++;
		t->second = number_at(&s);
		if (*s == '.') {
			s++;
			t->micro = read_fraction(&s);
		}
		s += strspn(s, " \t");
		good = t->hour < 24 && t->minute < 60 && t->second < 60 && read_zone(s, t);
	}
	return good && is_day(t) ? 0 : yv_raise(y, n, "there is no such day or time");
}

/* The text behind a tag that wants one: a mapping stands for the value of its key "=". */
static int32_t text_of(struct yv *y, const struct yv_node *n, unsigned depth, const char **s, size_t *len)
{
	if (depth > YV_DEPTH)
		return PDCFG_FILES_E_LIMIT;
	if (n->kind == YV_SCALAR) {
		*s = n->text;
		*len = n->len;
		return 0;
	}
	for (size_t i = 0; n->kind == YV_MAPPING && i < n->count; i += 2) {
		if (n->items[i]->tag == YV_T_VALUE)
			return text_of(y, n->items[i + 1], depth + 1, s, len);
	}
	return yv_raise(y, n, n->kind == YV_MAPPING ? "a mapping has the tag of a plain value" : "a list has the tag of a plain value");
}

static int32_t construct_scalar(struct yv *y, struct yv_node *n)
{
	const char *s = "";
	size_t len = 0;
	int32_t status = text_of(y, n, 0, &s, &len);

	if (status)
		return status;
	switch (n->tag) {
	case YV_T_NULL:
		n->type = YV_NONE;
		return 0;
	case YV_T_BOOL:
		return construct_bool(y, n, s, len);
	case YV_T_INT:
		return construct_int(y, n, s, len);
	case YV_T_FLOAT:
		return construct_float(y, n, s, len);
	case YV_T_BINARY:
		return construct_bytes(y, n, s, len);
	case YV_T_TIMESTAMP:
		return construct_time(y, n, s, len);
	default:
		n->type = YV_STR;
		n->text = s;
		n->len = len;
		return 0;
	}
}

/* ---- mappings ---- */

struct pairs {
	struct yv_node **items;
	size_t count, room;
};

static int32_t add_pairs(struct yv *y, struct pairs *p, struct yv_node *const *items, size_t count)
{
	if (!count)
		return 0;
	if (p->count + count > 2 * (size_t)YV_NODES)
		return PDCFG_FILES_E_LIMIT;
	if (p->count + count > p->room) {
		size_t room = 2 * (p->count + count);
		struct yv_node **more = yv_get(y, room * sizeof(struct yv_node *));

		if (!more)
			return yv_no_memory(y);
		if (p->count)
			memcpy(more, p->items, p->count * sizeof(struct yv_node *));
		p->items = more;
		p->room = room;
	}
	memcpy(p->items + p->count, items, count * sizeof(struct yv_node *));
	p->count += count;
	return 0;
}

static int32_t flatten(struct yv *y, struct yv_node *n, unsigned depth);

/* The pairs that << brings: of a list the last mapping first, so that the first one wins. */
static int32_t merge(struct yv *y, struct yv_node *from, struct pairs *merged, unsigned depth)
{
	int32_t status = 0;

	if (from->kind == YV_MAPPING) {
		status = flatten(y, from, depth + 1);
		return status ? status : add_pairs(y, merged, from->items, from->count);
	}
	if (from->kind == YV_SCALAR)
		return yv_raise(y, from, "<< wants a mapping or a list of mappings");
	for (size_t i = 0; i < from->count && !status; i++)
		status = from->items[i]->kind == YV_MAPPING ? flatten(y, from->items[i], depth + 1) :
							      yv_raise(y, from->items[i], "<< wants mappings in its list");
	for (size_t i = from->count; i-- && !status;)
		status = add_pairs(y, merged, from->items[i]->items, from->items[i]->count);
	return status;
}

/* What << brings goes in front. A mapping may merge itself: its << is gone by then. */
static int32_t flatten(struct yv *y, struct yv_node *n, unsigned depth)
{
	struct pairs merged = { 0 };
	size_t i = 0;
	int32_t status = 0;

	if (depth > YV_DEPTH)
		return PDCFG_FILES_E_LIMIT;
	while (i < n->count && !status) {
		struct yv_node *key = n->items[i], *value = n->items[i + 1];

		if (key->tag != YV_T_MERGE) {
			if (key->tag == YV_T_VALUE)
				key->tag = YV_T_STR;
			i += 2;
			continue;
		}
		n->count -= 2;
		memmove(n->items + i, n->items + i + 2, (n->count - i) * sizeof(struct yv_node *));
		status = merge(y, value, &merged, depth);
	}
	if (status || !merged.count)
		return status;
	status = add_pairs(y, &merged, n->items, n->count);
	n->items = merged.items;
	n->count = merged.count;
	return status;
}

/* A text that is the same for keys that are equal in Python: 1, 1.0 and True are. NULL without memory. */
static const char *key_text(struct yv *y, const struct yv_node *n, size_t *len)
{
	char *out = yv_get(y, n->len + 64);

	if (!out)
		return NULL;
	if (n->type == YV_FLOAT) {
		*len = 1 + pdcfg_print_float(n->u.real, out + 1);
		*out = '#';
		if (*len > 3 && !memcmp(out + *len - 2, ".0", 2))
			*len -= 2;
		if (*len == 3 && !memcmp(out, "#-0", 3))
			memcpy(out, "#0", *len = 2);
	} else if (n->type == YV_BOOL)
		memcpy(out, n->u.on ? "#1" : "#0", *len = 2);
	else if (n->type == YV_NONE)
		memcpy(out, "N", *len = 1);
	else if (n->type == YV_DATE || n->type == YV_DATETIME) {
		const struct yv_time *t = &n->u.time;

		*len = (size_t)snprintf(out, 64, "%c%d %d %d %d %d %d %d %d %d", n->type == YV_DATE ? 'd' : 't', t->year, t->month, t->day, t->hour,
					t->minute, t->second, t->micro, t->offset, t->has_zone);
	} else {
		*out = n->type == YV_INT ? '#' : n->type == YV_BYTES ? 'b' : 's';
		memcpy(out + 1, n->text, n->len);
		*len = n->len + 1;
	}
	return out;
}

/* Every key once: at the place of the first, with the value of the last. */
static int32_t unite(struct yv *y, struct yv_node *n, struct yv_table *seen)
{
	struct yv_node **items = yv_get(y, (n->count + 1) * sizeof(struct yv_node *));
	size_t used = 0;

	if (!items)
		return yv_no_memory(y);
	for (size_t i = 0; i < n->count; i += 2) {
		size_t len, *place;
		bool is_new;
		const char *key = key_text(y, n->items[i], &len);

		place = key ? yv_find(seen, key, len, &is_new) : NULL;
		if (!place)
			return yv_no_memory(y);
		if (is_new) {
			*place = used;
			used += 2;
			items[*place] = n->items[i];
		} else if (n->items[i]->type == YV_STR)
			items[*place] = n->items[i]; /* the same text, but where it counts */
		items[*place + 1] = n->items[i + 1];
	}
	n->items = items;
	n->count = used;
	return 0;
}

static bool is_hashable(const struct yv_node *n) { return n->type != YV_LIST && n->type != YV_DICT && n->type != YV_SET && n->type != YV_TUPLES; }

static int32_t construct_mapping(struct yv *y, struct yv_node *n, unsigned depth)
{
	struct yv_table seen = { 0 };
	int32_t status;

	n->type = n->tag == YV_T_SET ? YV_SET : YV_DICT;
	if (n->kind != YV_MAPPING)
		return yv_raise(y, n, "the tag wants a mapping");
	status = flatten(y, n, depth);
	for (size_t i = 0; i < n->count && !status; i += 2) {
		status = construct(y, n->items[i], depth + 1);
		if (!status && !is_hashable(n->items[i]))
			status = yv_raise(y, n->items[i], "a list or a mapping cannot be a key");
		if (!status)
			status = construct(y, n->items[i + 1], depth + 1);
	}
	if (!status)
		status = unite(y, n, &seen);
	yv_table_end(&seen);
	return status;
}

static int32_t construct_list(struct yv *y, struct yv_node *n, unsigned depth)
{
	int32_t status = n->kind == YV_SEQUENCE ? 0 : yv_raise(y, n, "the tag wants a list");

	n->type = YV_LIST;
	for (size_t i = 0; i < n->count && !status; i++)
		status = construct(y, n->items[i], depth + 1);
	return status;
}

/* !!omap and !!pairs: a list of mappings of one pair */
static int32_t construct_tuples(struct yv *y, struct yv_node *n, unsigned depth)
{
	struct pairs all = { 0 };
	int32_t status = n->kind == YV_SEQUENCE ? 0 : yv_raise(y, n, "the tag wants a list");

	n->type = YV_TUPLES;
	for (size_t i = 0; i < n->count && !status; i++) {
		struct yv_node *pair = n->items[i];

		if (pair->kind != YV_MAPPING || pair->count != 2)
			return yv_raise(y, pair, "the tag wants mappings of one key");
		status = construct(y, pair->items[0], depth + 1);
		if (!status)
			status = construct(y, pair->items[1], depth + 1);
		if (!status)
			status = add_pairs(y, &all, pair->items, 2);
	}
	n->items = all.items;
	n->count = all.count;
	return status;
}

static int32_t construct(struct yv *y, struct yv_node *n, unsigned depth)
{
	if (n->type != YV_NOT_YET)
		return 0;
	if (depth > YV_DEPTH)
		return PDCFG_FILES_E_LIMIT;
	switch (n->tag) {
	case YV_T_SEQ:
		return construct_list(y, n, depth);
	case YV_T_MAP:
	case YV_T_SET:
		return construct_mapping(y, n, depth);
	case YV_T_OMAP:
	case YV_T_PAIRS:
		return construct_tuples(y, n, depth);
	case YV_T_MERGE:
	case YV_T_VALUE:
		return yv_raise(y, n, "<< and = mean something only as keys");
	case YV_T_OTHER:
		return yv_raise(y, n, "a tag is not known");
	default:
		return construct_scalar(y, n);
	}
}

int32_t yv_load(struct yv *y, const char *text, size_t len, struct yv_node **root)
{
	int32_t status = yv_compose(y, text, len, root);

	return !status && *root ? construct(y, *root, 0) : status;
}
