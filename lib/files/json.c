/*
 * JSON as Python reads it.
 *
 * SGLang parses with two libraries: the standard json module (config files and most options) and orjson (options that hold a
 * list). json-c accepts more than either: comments, single quotes, control characters, "01". So a text is first walked by a
 * scanner that knows exactly what the two accept and where a text goes wrong, and only a good one is given to json-c, which
 * then only has to build the tree. The scanner keeps its own stack: no text can exhaust the caller's.
 */
#include "files.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

struct scan {
	const char *s, *end, *p;
	enum fl_dialect dialect;
	const char *what; /* set when something is wrong; p is where */
	bool unsure;
};

static bool wrong(struct scan *c, const char *what)
{
	if (c->what == NULL)
		c->what = what;
	return false;
}

static void skip_space(struct scan *c)
{
	while (c->p < c->end && (*c->p == ' ' || *c->p == '\t' || *c->p == '\n' || *c->p == '\r'))
		c->p++;
}

static uint32_t hex4(const char *p)
{
	uint32_t n = 0;

	for (int i = 0; i < 4; i++) {
		uint32_t ch = (uint8_t)p[i];

		n = n << 4 | (ch <= '9' ? ch - '0' : (ch | 32) - 'a' + 10);
	}
	return n;
}

static bool four_hex(const struct scan *c, const char *p)
{
	return c->end - p >= 4 && is_hex(p[0]) && is_hex(p[1]) && is_hex(p[2]) && is_hex(p[3]);
}

/* After "\u". orjson wants surrogates in pairs. */
static bool scan_unicode_escape(struct scan *c)
{
	uint32_t n;

	if (!four_hex(c, c->p))
		return wrong(c, "\\u is not followed by four hexadecimal digits");
	n = hex4(c->p);
	if (c->dialect == FL_ORJSON && n >= 0xd800 && n < 0xe000) {
		if (n >= 0xdc00 || c->end - c->p < 10 || c->p[4] != '\\' || c->p[5] != 'u' || !four_hex(c, c->p + 6) ||
		    hex4(c->p + 6) < 0xdc00 || hex4(c->p + 6) >= 0xe000)
			return wrong(c, "half a surrogate pair");
		c->p += 6;
	}
	c->p += 4;
	return true;
}

static bool scan_escape(struct scan *c)
{
	static const char known[] = "\"\\/bfnrt";

	if (c->p == c->end)
		return wrong(c, "a text without its closing quote");
	if (*c->p == 'u') {
		c->p++;
		return scan_unicode_escape(c);
	}
	if (*c->p == '\0' || strchr(known, *c->p) == NULL)
		return wrong(c, "an unknown escape");
	c->p++;
	return true;
}

/* At the opening quote. */
static bool scan_string(struct scan *c)
{
	for (c->p++; c->p < c->end;) {
		unsigned char ch = (unsigned char)*c->p;
		size_t n;

		if (ch == '"') {
			c->p++;
			return true;
		}
		if (ch == '\\') {
			c->p++;
			if (!scan_escape(c))
				return false;
		} else if (ch < 0x20) {
			return wrong(c, "a control character inside a text");
		} else if (ch < 0x80) {
			c->p++;
		} else {
			n = pdcfg_utf8_length(c->p, (size_t)(c->end - c->p));
			if (n == 0)
				return wrong(c, "bytes that are not UTF-8");
			c->p += n;
		}
	}
	return wrong(c, "a text without its closing quote");
}

/* orjson refuses what overflows a double. first: the power of ten of the first digit that is not 0. */
static void check_magnitude(struct scan *c, int64_t first, bool nonzero)
{
	if (c->dialect != FL_ORJSON || !nonzero || first < 308)
		return;
	if (first > 308)
		wrong(c, "a number that no double holds");
	else
		c->unsure = true; /* between 1e308 and 1.8e308 lies the edge */
}

struct digits {
	int64_t whole; /* digits before the point, from the first that is not 0 */
	int64_t zeros; /* zeros right after the point, when there are none before it */
	bool nonzero;
};

static void scan_fraction(struct scan *c, struct digits *d)
{
	for (c->p++; c->p < c->end && is_digit(*c->p); c->p++) {
		if (*c->p != '0')
			d->nonzero = true;
		else if (!d->nonzero)
			d->zeros++;
	}
}

static int64_t scan_exponent(struct scan *c)
{
	bool minus = c->p[1] == '-';
	int64_t e = 0;

	for (c->p += c->p[1] == '-' || c->p[1] == '+' ? 2 : 1; c->p < c->end && is_digit(*c->p); c->p++)
		if (e < 100000000)
			e = e * 10 + (*c->p - '0');
	return minus ? -e : e;
}

static bool exponent_follows(const struct scan *c)
{
	const char *p = c->p;

	if (p == c->end || (*p != 'e' && *p != 'E'))
		return false;
	p++;
	if (p < c->end && (*p == '+' || *p == '-'))
		p++;
	return p < c->end && is_digit(*p);
}

static bool scan_number(struct scan *c)
{
	const char *start = c->p + (*c->p == '-');
	struct digits d = { 0, 0, false };
	bool whole = true;
	int64_t e = 0;

	c->p = start;
	if (c->p == c->end || !is_digit(*c->p))
		return wrong(c, "a sign without a number");
	if (*c->p == '0') {
		c->p++;
	} else {
		while (c->p < c->end && is_digit(*c->p))
			c->p++;
		d.whole = c->p - start;
		d.nonzero = true;
	}
	if (c->end - c->p >= 2 && *c->p == '.' && is_digit(c->p[1])) {
		whole = false;
		scan_fraction(c, &d);
	}
	if (exponent_follows(c)) {
		whole = false;
		e = scan_exponent(c);
	}
	if (whole && c->dialect == FL_PYTHON && d.whole > 4300)
		return wrong(c, "a whole number of more than 4300 digits");
	check_magnitude(c, (d.whole > 0 ? d.whole - 1 : -1 - d.zeros) + e, d.nonzero);
	return c->what == NULL;
}

static bool scan_word(struct scan *c, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(c->end - c->p) < n || memcmp(c->p, word, n) != 0)
		return false;
	c->p += n;
	return true;
}

/* Anything but a list or a dict. */
static bool scan_scalar(struct scan *c)
{
	bool python = c->dialect == FL_PYTHON;

	if (*c->p == '"')
		return scan_string(c);
	if (scan_word(c, "true") || scan_word(c, "false") || scan_word(c, "null"))
		return true;
	if (python && (scan_word(c, "NaN") || scan_word(c, "Infinity") || scan_word(c, "-Infinity")))
		return true;
	if (*c->p == '-' || is_digit(*c->p))
		return scan_number(c);
	return wrong(c, "something that is no value");
}

/* A key and its colon. */
static bool scan_key(struct scan *c)
{
	if (c->p == c->end || *c->p != '"')
		return wrong(c, "a key without quotes");
	if (!scan_string(c))
		return false;
	skip_space(c);
	if (c->p == c->end || *c->p != ':')
		return wrong(c, "a key without a colon");
	c->p++;
	skip_space(c);
	return true;
}

struct levels {
	char open[FL_DEPTH];
	uint32_t n;
};

/* At a '{' or '['. Sets *value when a value follows; otherwise the bracket was closed at once. */
static bool scan_open(struct scan *c, struct levels *l, bool *value)
{
	char open = *c->p++;

	if (l->n == FL_DEPTH) {
		c->unsure = true;
		return wrong(c, "more than 200 levels of nesting");
	}
	l->open[l->n++] = open;
	skip_space(c);
	*value = true;
	if (c->p < c->end && *c->p == (open == '{' ? '}' : ']')) {
		c->p++;
		l->n--;
		*value = false;
		return true;
	}
	return open == '{' ? scan_key(c) : true;
}

/* After a value inside a bracket: a comma, then *value is set, or the end of it. */
static bool scan_after(struct scan *c, struct levels *l, bool *value)
{
	char open = l->open[l->n - 1];

	*value = false;
	if (c->p == c->end)
		return wrong(c, open == '{' ? "an object that does not end" : "a list that does not end");
	if (*c->p == ',') {
		c->p++;
		skip_space(c);
		*value = true;
		return open == '{' ? scan_key(c) : true;
	}
	if (*c->p != (open == '{' ? '}' : ']'))
		return wrong(c, "a comma is missing");
	c->p++;
	l->n--;
	return true;
}

static bool scan_text(struct scan *c)
{
	struct levels l = { .n = 0 };
	bool value = true;

	if (c->end - c->p >= 3 && memcmp(c->p, "\xef\xbb\xbf", 3) == 0)
		return wrong(c, "a byte order mark");
	skip_space(c);
	do {
		if (c->p == c->end)
			return wrong(c, l.n == 0 ? "nothing" : "a value is missing");
		if (*c->p == '{' || *c->p == '[') {
			if (!scan_open(c, &l, &value))
				return false;
			if (value)
				continue;
		} else if (!scan_scalar(c)) {
			return false;
		}
		for (value = false, skip_space(c); l.n > 0 && !value; skip_space(c))
			if (!scan_after(c, &l, &value))
				return false;
	} while (value);
	return c->p == c->end ? true : wrong(c, "text after the end");
}

static void locate(const struct scan *c, struct fl_fault *fault)
{
	const char *line = c->s;

	fault->what = c->what;
	fault->line = 1;
	for (const char *p = c->s; p < c->p; p++) {
		if (*p == '\n') {
			fault->line++;
			line = p + 1;
		}
	}
	fault->column = (uint32_t)(c->p - line) + 1;
}

enum fl_scan fl_scan(const char *s, size_t len, enum fl_dialect dialect, struct fl_fault *fault)
{
	struct scan c = { .s = s, .end = s + len, .p = s, .dialect = dialect };

	if (scan_text(&c))
		return c.unsure ? FL_UNSURE : FL_GOOD;
	if (fault != NULL)
		locate(&c, fault);
	return c.unsure ? FL_UNSURE : FL_BAD;
}

/* ---- the tree ------------------------------------------------------------------------------------------------------- */

/* The end of the list or dict at p, in a text known to be good. */
static const char *skip_bracket(const char *p)
{
	size_t depth = 0;

	do {
		if (*p == '"')
			for (p++; *p != '"'; p++)
				p += *p == '\\';
		else if (*p == '{' || *p == '[')
			depth++;
		else if (*p == '}' || *p == ']')
			depth--;
		p++;
	} while (depth > 0);
	return p;
}

/* Keys whose lists nobody asks for. They make up most of a quantized model's config. */
static bool is_idle_key(const char *p, size_t n)
{
	static const char *const keys[] = { "ignore", "modules_to_not_convert", "exclude_modules", "ignored_layers", "id2label",
		"label2id" };

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (strlen(keys[i]) == n && memcmp(keys[i], p, n) == 0)
			return true;
	return false;
}

/* Copies a good text without the lists and dicts under such keys; in their place stands a 0. */
static size_t copy_busy(const char *s, size_t len, char *out)
{
	const char *end = s + len, *from = s;
	char *o = out;

	while (s < end) {
		const char *key = s, *after;

		if (*s++ != '"')
			continue;
		while (*s != '"')
			s += *s == '\\' ? 2 : 1;
		after = ++s;
		while (after < end && (*after == ' ' || *after == '\t' || *after == '\n' || *after == '\r' || *after == ':'))
			after++;
		if (after == end || (*after != '[' && *after != '{') || !is_idle_key(key + 1, (size_t)(s - key - 2)))
			continue;
		memcpy(o, from, (size_t)(after - from));
		o += after - from;
		*o++ = '0';
		s = from = skip_bracket(after);
	}
	memcpy(o, from, (size_t)(end - from));
	return (size_t)(o - out) + (size_t)(end - from);
}

struct json_object *fl_config_tree(const char *s, size_t len)
{
	char *busy = malloc(len + 1);
	struct json_object *j;

	if (busy == NULL)
		return NULL;
	j = fl_tree(busy, copy_busy(s, len, busy));
	free(busy);
	return j;
}

struct json_object *fl_tree(const char *s, size_t len)
{
	struct json_tokener *tok = json_tokener_new_ex(FL_DEPTH + 2);
	struct json_object *j;

	if (tok == NULL)
		return NULL;
	j = json_tokener_parse_ex(tok, s, (int)len);
	/* A number at the very end is only complete when something follows it. */
	if (j == NULL && json_tokener_get_error(tok) == json_tokener_continue)
		j = json_tokener_parse_ex(tok, " ", 1);
	json_tokener_free(tok);
	return j;
}

/* ---- the reader that the core asks ---------------------------------------------------------------------------------- */

/* A string with a NUL in it looks like a shorter one. */
static int32_t give(int32_t kind, const char *s, size_t n, char *out, size_t size)
{
	if (n >= size || memchr(s, '\0', n) != NULL)
		return PDCFG_E_LIMIT;
	memcpy(out, s, n);
	out[n] = '\0';
	return kind;
}

static int32_t give_text(int32_t kind, const char *s, char *out, size_t size)
{
	return s == NULL ? PDCFG_E_NOMEM : give(kind, s, strlen(s), out, size); /* json-c had no memory to write it */
}

/* json-c's null is NULL. */
static int32_t give_value(struct json_object *j, char *out, size_t size)
{
	switch (json_object_get_type(j)) {
	case json_type_null:
		return PDCFG_JSON_NULL;
	case json_type_boolean:
		return json_object_get_boolean(j) ? PDCFG_JSON_TRUE : PDCFG_JSON_FALSE;
	case json_type_int:
		return give_text(PDCFG_JSON_INT, json_object_to_json_string(j), out, size);
	case json_type_double:
		return give_text(PDCFG_JSON_FLOAT, json_object_to_json_string(j), out, size);
	case json_type_string:
		return give(PDCFG_JSON_STRING, json_object_get_string(j), (size_t)json_object_get_string_len(j), out, size);
	case json_type_array:
		return PDCFG_JSON_LIST;
	default:
		return PDCFG_JSON_OBJECT;
	}
}

static int32_t give_count(struct json_object *j, char *out, size_t size)
{
	struct json_object *count;
	uint64_t n;
	int32_t kind;

	switch (json_object_get_type(j)) {
	case json_type_array:
		n = json_object_array_length(j);
		break;
	case json_type_object:
		n = (uint64_t)json_object_object_length(j);
		break;
	case json_type_string:
		n = (uint64_t)json_object_get_string_len(j);
		break;
	default:
		return PDCFG_JSON_ABSENT;
	}
	count = json_object_new_int64((int64_t)n);
	if (count == NULL)
		return PDCFG_E_NOMEM;
	kind = give_value(count, out, size);
	json_object_put(count);
	return kind;
}

/* A place in a tree: a value, and the name that it has if it is a member. */
struct place {
	struct json_object *j;
	const char *name;
};

static bool go_to_member(struct place *at, const char *name, size_t n)
{
	if (!json_object_is_type(at->j, json_type_object))
		return false;
	json_object_object_foreach(at->j, key, value) {
		if (strlen(key) == n && memcmp(key, name, n) == 0) {
			*at = (struct place){ value, key };
			return true;
		}
	}
	return false;
}

static bool go_to_number(struct place *at, size_t n)
{
	if (json_object_is_type(at->j, json_type_array)) {
		if (n >= json_object_array_length(at->j))
			return false;
		*at = (struct place){ json_object_array_get_idx(at->j, n), NULL };
		return true;
	}
	if (!json_object_is_type(at->j, json_type_object))
		return false;
	json_object_object_foreach(at->j, key, value) {
		if (n-- == 0) {
			*at = (struct place){ value, key };
			return true;
		}
	}
	return false;
}

/* One step of n bytes: a name, or # and a number. Returns a PDCFG_JSON_… for "there is something" and "there is nothing". */
static int32_t go(struct place *at, const char *step, size_t n)
{
	size_t number = 0;

	if (n == 0)
		return PDCFG_E_INVALID;
	if (*step != '#')
		return go_to_member(at, step, n) ? PDCFG_JSON_OBJECT : PDCFG_JSON_ABSENT;
	for (size_t i = 1; i < n; i++) {
		if (!is_digit(step[i]) || number > SIZE_MAX / 16)
			return PDCFG_E_INVALID;
		number = number * 10 + (size_t)(step[i] - '0');
	}
	if (n == 1)
		return PDCFG_E_INVALID;
	return go_to_number(at, number) ? PDCFG_JSON_OBJECT : PDCFG_JSON_ABSENT;
}

static int32_t answer(struct json_object *root, const char *path, char *out, size_t size)
{
	struct place at = { root, NULL };
	size_t n;
	int32_t there = PDCFG_JSON_OBJECT;

	for (; *path != '\0' && *path != ':' && there == PDCFG_JSON_OBJECT; path += n + (path[n] == '.')) {
		n = strcspn(path, ".:");
		there = go(&at, path, n);
	}
	if (there != PDCFG_JSON_OBJECT)
		return there;
	if (*path == '\0')
		return give_value(at.j, out, size);
	if (strcmp(path, ":count") == 0)
		return give_count(at.j, out, size);
	if (strcmp(path, ":key") == 0)
		return at.name == NULL ? PDCFG_JSON_ABSENT : give_text(PDCFG_JSON_STRING, at.name, out, size);
	return PDCFG_E_INVALID;
}

/* A name with a NUL in it would look like another one to json-c. */
static bool has_nul_escape(const char *s)
{
	return strstr(s, "\\u0000") != NULL;
}

int32_t pdcfg_files_json_reader(void *ctx, const char *text, const char *path, char *out, size_t size)
{
	enum fl_scan r;
	struct json_object *j;
	int32_t kind;
	size_t len;

	(void)ctx;
	if (text == NULL || path == NULL || out == NULL || size == 0)
		return PDCFG_E_INVALID;
	*out = '\0';
	len = strlen(text);
	r = fl_scan(text, len, *path == '!' ? FL_ORJSON : FL_PYTHON, NULL);
	if (r == FL_BAD)
		return PDCFG_JSON_INVALID;
	path += *path == '!';
	if (r == FL_UNSURE || len > FL_FILE_MAX || (*path != '\0' && has_nul_escape(text)))
		return PDCFG_E_LIMIT;
	j = fl_tree(text, len);
	if (j == NULL && strncmp(text + strspn(text, " \t\r\n"), "null", 4) != 0)
		return PDCFG_E_NOMEM;
	kind = answer(j, path, out, size);
	json_object_put(j);
	return kind;
}
