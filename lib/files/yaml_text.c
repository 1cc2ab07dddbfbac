/* Values as Python writes them: str() and repr() for the words of a command line, json.dumps() for a mapping. */
#include <stdio.h>
#include <string.h>

#include <pdcfg/files.h>
#include "text.h"
#include "yaml_value.h"

struct text {
	struct yv *y;
	char *s;
	size_t used, room;
	int32_t status; /* the first thing that went wrong; nothing is written after it */
};

static void put(struct text *t, const char *s, size_t n)
{
	if (t->status)
		return;
	if (t->used + n > PDCFG_TEXT_MAX) {
		t->status = PDCFG_FILES_E_LIMIT;
		return;
	}
	if (t->used + n >= t->room) {
		size_t room = 2 * (t->used + n) + 32;
		char *more = yv_get(t->y, room);

		if (!more) {
			t->status = yv_no_memory(t->y);
			return;
		}
		if (t->used)
			memcpy(more, t->s, t->used);
		t->s = more;
		t->room = room;
	}
	if (n)
		memcpy(t->s + t->used, s, n);
	t->used += n;
}

static void puts_(struct text *t, const char *s) { put(t, s, strlen(s)); }

static void put_hex(struct text *t, const char *before, unsigned value, unsigned digits)
{
	puts_(t, before);
	while (digits--)
		put(t, &"0123456789abcdef"[value >> 4 * digits & 15], 1);
}

/* The text is valid UTF-8: libyaml has seen to that. */
static uint32_t character(const char *s, size_t n, size_t *len)
{
	*len = pdcfg_utf8_length(s, n);
	if (*len == 0)
		*len = 1;
	return pdcfg_utf8_code(s, *len);
}

/* What repr() writes as an escape: the blanks and formats beyond ASCII that are in use; unassigned characters are not known here. */
static bool is_printable(uint32_t c)
{
	if (c < 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0xad)
		return false;
	if (c == 0x1680 || c == 0x180e || (c >= 0x2000 && c <= 0x200f) || (c >= 0x2028 && c <= 0x202f) || (c >= 0x205f && c <= 0x206f))
		return false;
	return c != 0x3000 && c != 0x61c && (c < 0xd800 || c > 0xf8ff) && c != 0xfeff && (c < 0xfff0 || c > 0xfffb) && c != 0xfffe && c != 0xffff &&
	       c < 0xe0000;
}

static void put_escape(struct text *t, uint32_t c)
{
	if (c == '\n')
		puts_(t, "\\n");
	else if (c == '\r')
		puts_(t, "\\r");
	else if (c == '\t')
		puts_(t, "\\t");
	else
		put_hex(t, c < 0x100 ? "\\x" : c < 0x10000 ? "\\u" : "\\U", c, c < 0x100 ? 2 : c < 0x10000 ? 4 : 8);
}

/* repr() of a text, or of bytes */
static void put_quoted(struct text *t, const struct yv_node *n)
{
	const char *s = n->text, *end = s + n->len;
	char quote = memchr(s, '\'', n->len) && !memchr(s, '"', n->len) ? '"' : '\'';
	size_t len;

	if (n->type == YV_BYTES)
		puts_(t, "b");
	put(t, &quote, 1);
	for (; s < end; s += len) {
		uint32_t c = (unsigned char)*s;

		len = 1;
		if (n->type == YV_STR)
			c = character(s, (size_t)(end - s), &len);
		if (c == '\\' || c == (unsigned char)quote) {
			puts_(t, "\\");
			put(t, s, 1);
		} else if (c < 0x20 || c == 0x7f || (n->type == YV_BYTES && c > 0x7f) || !is_printable(c))
			put_escape(t, c);
		else
			put(t, s, len);
	}
	put(t, &quote, 1);
}

/* str() of a text: a word of a command line cannot hold a NUL */
static void put_plain(struct text *t, const struct yv_node *n)
{
	const char *s = n->text, *end = s + n->len;

	while (s < end) {
		const char *nul = memchr(s, 0, (size_t)(end - s));

		put(t, s, (size_t)((nul ? nul : end) - s));
		if (nul)
			puts_(t, "\xef\xbf\xbd");
		s = nul ? nul + 1 : end;
	}
}

static void put_float(struct text *t, double d)
{
	char b[40];

	put(t, b, pdcfg_print_float(d, b));
}

/* ---- days and times ---- */

static void put_zone(struct text *t, int minutes)
{
	char b[24];
	int size = minutes < 0 ? -minutes : minutes;

	snprintf(b, sizeof b, "%c%02d:%02d", minutes < 0 ? '-' : '+', size / 60, size % 60);
	puts_(t, b);
}

static void put_time(struct text *t, const struct yv_node *n)
{
	const struct yv_time *x = &n->u.time;
	char b[96];

	snprintf(b, sizeof b, "%04d-%02d-%02d", x->year, x->month, x->day);
	puts_(t, b);
	if (n->type == YV_DATE)
		return;
	snprintf(b, sizeof b, " %02d:%02d:%02d", x->hour, x->minute, x->second);
	puts_(t, b);
	if (x->micro) {
		snprintf(b, sizeof b, ".%06d", x->micro);
		puts_(t, b);
	}
	if (x->has_zone)
		put_zone(t, x->offset);
}

static void put_time_repr(struct text *t, const struct yv_node *n)
{
	const struct yv_time *x = &n->u.time;
	char b[96];

	snprintf(b, sizeof b, "datetime.%s(%d, %d, %d", n->type == YV_DATE ? "date" : "datetime", x->year, x->month, x->day);
	puts_(t, b);
	if (n->type == YV_DATETIME) {
		snprintf(b, sizeof b, ", %d, %d", x->hour, x->minute);
		puts_(t, b);
		snprintf(b, sizeof b, x->micro ? ", %d, %d" : ", %d", x->second, x->micro);
		if (x->second || x->micro)
			puts_(t, b);
	}
	if (x->has_zone && x->offset) {
		snprintf(b, sizeof b, ", tzinfo=datetime.timezone(datetime.timedelta(%sseconds=%d))", x->offset < 0 ? "days=-1, " : "",
			 60 * (x->offset < 0 ? x->offset + 24 * 60 : x->offset));
		puts_(t, b);
	} else if (x->has_zone)
		puts_(t, ", tzinfo=datetime.timezone.utc");
	puts_(t, ")");
}

/* ---- str() and repr() ---- */

static void put_repr(struct text *t, struct yv_node *n, unsigned depth);

static void put_items(struct text *t, struct yv_node *n, unsigned depth)
{
	for (size_t i = 0; i < n->count && !t->status; i++) {
		bool value = i % 2;

		if (n->type == YV_SET && value)
			continue;
		if (i)
			puts_(t, n->type == YV_DICT && value ? ": " : ", ");
		if (n->type == YV_TUPLES && !value)
			puts_(t, "(");
		put_repr(t, n->items[i], depth + 1);
		if (n->type == YV_TUPLES && value)
			puts_(t, ")");
	}
}

static void put_container(struct text *t, struct yv_node *n, unsigned depth)
{
	bool list = n->type == YV_LIST || n->type == YV_TUPLES;

	if (n->busy || depth > YV_DEPTH) {
		if (!n->busy)
			t->status = PDCFG_FILES_E_LIMIT;
		puts_(t, list ? "[...]" : n->type == YV_DICT ? "{...}" : "set(...)");
		return;
	}
	if (n->type == YV_SET && !n->count) {
		puts_(t, "set()");
		return;
	}
	n->busy = true;
	puts_(t, list ? "[" : "{");
	put_items(t, n, depth);
	puts_(t, list ? "]" : "}");
	n->busy = false;
}

static void put_repr(struct text *t, struct yv_node *n, unsigned depth)
{
	switch (n->type) {
	case YV_NONE:
		puts_(t, "None");
		break;
	case YV_BOOL:
		puts_(t, n->u.on ? "True" : "False");
		break;
	case YV_INT:
		put(t, n->text, n->len);
		break;
	case YV_FLOAT:
		put_float(t, n->u.real);
		break;
	case YV_STR:
	case YV_BYTES:
		put_quoted(t, n);
		break;
	case YV_DATE:
	case YV_DATETIME:
		put_time_repr(t, n);
		break;
	default:
		put_container(t, n, depth);
		break;
	}
}

static int32_t finish(struct text *t, const char **out)
{
	put(t, "", 1);
	*out = t->status ? "" : t->s;
	return t->status;
}

int32_t yv_str(struct yv *y, struct yv_node *n, const char **out)
{
	struct text t = { .y = y };

	if (n->type == YV_STR)
		put_plain(&t, n);
	else if (n->type == YV_DATE || n->type == YV_DATETIME)
		put_time(&t, n);
	else
		put_repr(&t, n, 0);
	return finish(&t, out);
}

/* ---- json.dumps() ---- */

static void put_json_text(struct text *t, const struct yv_node *n)
{
	static const char plain[] = "\"\\\n\r\t\f\b", letters[] = "\"\\nrtfb";
	const char *s = n->text, *end = s + n->len;
	size_t len;

	puts_(t, "\"");
	for (; s < end; s += len) {
		uint32_t c = character(s, (size_t)(end - s), &len);
		const char *p = c && c < 0x80 ? strchr(plain, (int)c) : NULL;

		if (p) {
			puts_(t, "\\");
			put(t, &letters[p - plain], 1);
		} else if (c >= 0x20 && c < 0x7f)
			put(t, s, 1);
		else if (c < 0x10000)
			put_hex(t, "\\u", c, 4);
		else {
			put_hex(t, "\\u", 0xd800 + ((c - 0x10000) >> 10), 4);
			put_hex(t, "\\u", 0xdc00 + ((c - 0x10000) & 0x3ff), 4);
		}
	}
	puts_(t, "\"");
}

static void put_json_plain(struct text *t, const struct yv_node *n)
{
	char what[80];

	switch (n->type) {
	case YV_NONE:
		puts_(t, "null");
		return;
	case YV_BOOL:
		puts_(t, n->u.on ? "true" : "false");
		return;
	case YV_INT:
		put(t, n->text, n->len);
		return;
	case YV_FLOAT:
		if (n->u.real < 0 || n->u.real >= 0) {
			char b[40];
			size_t len = pdcfg_print_float(n->u.real, b);

			if (b[len - 1] == 'f') /* inf, -inf */
				puts_(t, n->u.real < 0 ? "-Infinity" : "Infinity");
			else
				put(t, b, len);
		} else
			puts_(t, "NaN");
		return;
	default:
		snprintf(what, sizeof what, "%s cannot be written as JSON", yv_type_name(n));
		if (!t->status)
			t->status = yv_raise(t->y, n, what);
	}
}

static void put_json(struct text *t, struct yv_node *n, unsigned depth);

static void put_json_key(struct text *t, const struct yv_node *n)
{
	if (n->type == YV_STR) {
		put_json_text(t, n);
		return;
	}
	puts_(t, "\"");
	put_json_plain(t, n);
	puts_(t, "\"");
}

static void put_json_items(struct text *t, struct yv_node *n, unsigned depth)
{
	for (size_t i = 0; i < n->count && !t->status; i++) {
		bool second = i % 2;

		if (i)
			puts_(t, n->type == YV_DICT && second ? ": " : ", ");
		if (n->type == YV_TUPLES && !second)
			puts_(t, "[");
		if (n->type == YV_DICT && !second)
			put_json_key(t, n->items[i]);
		else
			put_json(t, n->items[i], depth + 1);
		if (n->type == YV_TUPLES && second)
			puts_(t, "]");
	}
}

static void put_json(struct text *t, struct yv_node *n, unsigned depth)
{
	if (n->type == YV_STR) {
		put_json_text(t, n);
		return;
	}
	if (n->type != YV_LIST && n->type != YV_DICT && n->type != YV_TUPLES) {
		put_json_plain(t, n);
		return;
	}
	if (n->busy || depth > YV_DEPTH) {
		if (!t->status)
			t->status = n->busy ? yv_raise(t->y, n, "a value that holds itself cannot be written as JSON") : PDCFG_FILES_E_LIMIT;
		return;
	}
	n->busy = true;
	puts_(t, n->type == YV_DICT ? "{" : "[");
	put_json_items(t, n, depth);
	puts_(t, n->type == YV_DICT ? "}" : "]");
	n->busy = false;
}

int32_t yv_json(struct yv *y, struct yv_node *n, const char **out)
{
	struct text t = { .y = y };

	put_json(&t, n, 0);
	return finish(&t, out);
}

const char *yv_type_name(const struct yv_node *n)
{
	static const char *const names[] = { "nothing", "null", "a boolean", "a whole number", "a number", "a text", "bytes", "a date", "a time", "a list",
		"a mapping", "a set", "a list of pairs" };

	return names[n->type];
}
