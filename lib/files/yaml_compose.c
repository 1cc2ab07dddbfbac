/*
 * From the text of a YAML file to its nodes, as PyYAML composes them: libyaml reads, this file connects aliases and gives plain scalars the tags
 * of YAML 1.1 (PyYAML's resolver, whose rules differ from the standard's in places, such as a float that needs a dot).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include <pdcfg/files.h>
#include "yaml_value.h"

enum { CHUNK = 64 * 1024, BYTES_MAX = 1 << 29, REPAIRS_MAX = 16 };

/* ---- memory ---- */

struct yv_chunk {
	struct yv_chunk *next;
	size_t used, room;
	max_align_t bytes[];
};

void *yv_get(struct yv *y, size_t size)
{
	struct yv_chunk *c = y->chunks;
	const size_t unit = sizeof(max_align_t);

	size = (size + unit - 1) / unit * unit;
	if (!c || c->room - c->used < size) {
		size_t room = size > CHUNK ? size : CHUNK;

		y->full |= room > BYTES_MAX || y->bytes > BYTES_MAX - room;
		if (y->full || !(c = malloc(sizeof *c + room)))
			return NULL;
		y->bytes += room;
		*c = (struct yv_chunk){ y->chunks, 0, room };
		y->chunks = c;
	}
	c->used += size;
	return (char *)c->bytes + c->used - size;
}

int32_t yv_no_memory(const struct yv *y) { return y->full ? PDCFG_FILES_E_LIMIT : PDCFG_E_NOMEM; }

void yv_end(struct yv *y)
{
	while (y->chunks) {
		struct yv_chunk *next = y->chunks->next;

		free(y->chunks);
		y->chunks = next;
	}
}

int32_t yv_raise(struct yv *y, const struct yv_node *at, const char *what)
{
	if (*y->why)
		return YV_RAISES;
	snprintf(y->why, sizeof y->why, "%s", what);
	if (at) {
		y->line = at->line;
		y->column = at->column;
	}
	return YV_RAISES;
}

/* ---- a table of texts ---- */

static size_t hash(const char *s, size_t n)
{
	uint64_t h = UINT64_C(14695981039346656037);

	while (n--)
		h = (h ^ (unsigned char)*s++) * UINT64_C(1099511628211);
	return (size_t)(h ^ h >> 32);
}

static struct yv_slot *slot_of(const struct yv_table *t, const char *key, size_t len)
{
	size_t i = hash(key, len) & (t->room - 1);

	while (t->slots[i].key && (t->slots[i].len != len || memcmp(t->slots[i].key, key, len)))
		i = (i + 1) & (t->room - 1);
	return &t->slots[i];
}

static bool grow(struct yv_table *t)
{
	struct yv_table bigger = { .room = t->room ? 2 * t->room : 16, .count = t->count };

	bigger.slots = calloc(bigger.room, sizeof *bigger.slots);
	if (!bigger.slots)
		return false;
	for (size_t i = 0; i < t->room; i++) {
		if (t->slots[i].key)
			*slot_of(&bigger, t->slots[i].key, t->slots[i].len) = t->slots[i];
	}
	free(t->slots);
	*t = bigger;
	return true;
}

size_t *yv_find(struct yv_table *t, const char *key, size_t len, bool *is_new)
{
	struct yv_slot *slot;

	if (2 * t->count >= t->room && !grow(t))
		return NULL;
	slot = slot_of(t, key, len);
	*is_new = !slot->key;
	if (*is_new) {
		*slot = (struct yv_slot){ key, len, 0 };
		t->count++;
	}
	return &slot->value;
}

void yv_table_end(struct yv_table *t)
{
	free(t->slots);
	*t = (struct yv_table){ 0 };
}

/* ---- the tag of a plain scalar ---- */

static bool one_of(const char *words, const char *s, size_t n)
{
	for (const char *p = words; *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");

		if (len == n && !memcmp(p, s, n))
			return true;
		p += len;
	}
	return false;
}

struct at {
	const char *s, *end;
};

static char here(const struct at *p) { return (char)(p->s < p->end ? *p->s : 0); }
static bool digit_here(const struct at *p) { return here(p) >= '0' && here(p) <= '9'; }
static bool take(struct at *p, const char *any)
{
	if (!here(p) || !strchr(any, here(p)))
		return false;
	p->s++;
	return true;
}
static size_t take_many(struct at *p, const char *any)
{
	size_t n = 0;

	while (take(p, any))
		n++;
	return n;
}
#define DIGITS "0123456789"

/* (?::[0-5]?[0-9])+ */
static bool take_sixties(struct at *p)
{
	bool any = false;

	while (here(p) == ':') {
		struct at q = { p->s + 1, p->end };
		bool first = take(&q, "012345");

		if (!(first ? (take(&q, DIGITS), true) : take(&q, DIGITS)))
			break;
		*p = q;
		any = true;
	}
	return any;
}

static bool is_float(const char *s, size_t n)
{
	struct at p = { s, s + n }, q;
	bool sign = take(&p, "+-");

	q = p;
	if (here(&p) == '.') {
		p.s++;
		if (one_of("inf Inf INF", p.s, (size_t)(p.end - p.s)) || (!sign && one_of("nan NaN NAN", p.s, (size_t)(p.end - p.s))))
			return true;
		if (sign || !take(&p, DIGITS))
			return false;
		take_many(&p, DIGITS "_");
	} else {
		if (!take(&p, DIGITS))
			return false;
		take_many(&p, DIGITS "_");
		q = p;
		if (take_sixties(&q)) {
			if (!take(&q, "."))
				return false;
			take_many(&q, DIGITS "_");
			return q.s == q.end;
		}
		if (!take(&p, "."))
			return false;
		take_many(&p, DIGITS "_");
	}
	if (take(&p, "eE") && !(take(&p, "+-") && take_many(&p, DIGITS)))
		return false;
	return p.s == p.end;
}

static bool is_int(const char *s, size_t n)
{
	struct at p = { s, s + n };

	take(&p, "+-");
	if (!digit_here(&p))
		return false;
	if (take(&p, "0")) {
		if (p.s == p.end)
			return true;
		if (here(&p) == 'b' || here(&p) == 'x') {
			const char *digits = *p.s++ == 'b' ? "01_" : DIGITS "abcdefABCDEF_";

			return take_many(&p, digits) && p.s == p.end;
		}
		return take_many(&p, "01234567_") && p.s == p.end;
	}
	take_many(&p, DIGITS "_");
	take_sixties(&p);
	return p.s == p.end;
}

static bool take_digits(struct at *p, size_t least, size_t most)
{
	size_t n = 0;

	while (n < most && take(p, DIGITS))
		n++;
	return n >= least;
}

static bool is_date(const char *s, size_t n)
{
	struct at p = { s, s + n };

	return n == 10 && take_digits(&p, 4, 4) && take(&p, "-") && take_digits(&p, 2, 2) && take(&p, "-") && take_digits(&p, 2, 2);
}

static bool is_timestamp(const char *s, size_t n)
{
	struct at p = { s, s + n };

	if (is_date(s, n))
		return true;
	if (!(take_digits(&p, 4, 4) && take(&p, "-") && take_digits(&p, 1, 2) && take(&p, "-") && take_digits(&p, 1, 2)))
		return false;
	if (!take(&p, "Tt") && !take_many(&p, " \t"))
		return false;
	if (!(take_digits(&p, 1, 2) && take(&p, ":") && take_digits(&p, 2, 2) && take(&p, ":") && take_digits(&p, 2, 2)))
		return false;
	if (take(&p, "."))
		take_many(&p, DIGITS);
	if (p.s == p.end)
		return true;
	take_many(&p, " \t");
	if (take(&p, "Z"))
		return p.s == p.end;
	if (!(take(&p, "+-") && take_digits(&p, 1, 2)))
		return false;
	return p.s == p.end || (take(&p, ":") && take_digits(&p, 2, 2) && p.s == p.end);
}

bool yv_is_timestamp(const char *s, size_t n)
{
	struct at p = { s, s + n };

	if (is_timestamp(s, n))
		return true;
	return take_digits(&p, 4, 4) && take(&p, "-") && take_digits(&p, 1, 2) && take(&p, "-") && take_digits(&p, 1, 2) && p.s == p.end;
}

enum yv_tag yv_resolve(const char *s, size_t n)
{
	if (!n || one_of("~ null Null NULL", s, n))
		return YV_T_NULL;
	if (one_of("yes Yes YES no No NO true True TRUE false False FALSE on On ON off Off OFF", s, n))
		return YV_T_BOOL;
	if (n == 2 && !memcmp(s, "<<", 2))
		return YV_T_MERGE;
	if (n == 1 && *s == '=')
		return YV_T_VALUE;
	return is_float(s, n) ? YV_T_FLOAT : is_int(s, n) ? YV_T_INT : is_timestamp(s, n) ? YV_T_TIMESTAMP : YV_T_STR;
}

static enum yv_tag tag_called(const char *tag)
{
	static const char prefix[] = "tag:yaml.org,2002:";
	static const char *const names[] = { "null", "bool", "int", "float", "binary", "timestamp", "omap", "pairs", "set", "str", "seq", "map",
		"merge", "value" };

	if (strncmp(tag, prefix, sizeof prefix - 1) != 0)
		return YV_T_OTHER;
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
		if (!strcmp(tag + sizeof prefix - 1, names[i]))
			return (enum yv_tag)i;
	}
	return YV_T_OTHER;
}

/* ---- nodes ---- */

struct composer {
	struct yv *y;
	const char *text, *at, *end; /* at: up to where what stands between the scalars has been looked at */
	size_t index;                /* of at, in characters */
	unsigned flow;               /* how many [ and { are open */
	bool in_comment;
	yaml_parser_t parser;
	yaml_event_t event;
	struct yv_table anchors; /* value: the place of the node in nodes */
	struct yv_node **nodes;
	size_t node_room;
};

static int32_t next_event(struct composer *c)
{
	const yaml_parser_t *p = &c->parser;
	struct yv_node at = { 0 };

	yaml_event_delete(&c->event);
	if (yaml_parser_parse(&c->parser, &c->event))
		return 0;
	memset(&c->event, 0, sizeof c->event);
	if (p->error == YAML_MEMORY_ERROR)
		return PDCFG_E_NOMEM;
	at.line = (uint32_t)p->problem_mark.line + 1;
	at.column = (uint32_t)p->problem_mark.column + 1;
	c->y->index = p->problem_mark.index;
	return yv_raise(c->y, p->error == YAML_READER_ERROR ? NULL : &at, p->problem ? p->problem : "it is no YAML");
}

/* ---- what PyYAML refuses and libyaml does not ---- */

static bool is_break(const char *s) { return *s == '\n' || *s == '\r'; }
static bool begins_comment(const struct composer *c)
{
	return *c->at == '#' && (c->at == c->text || is_break(c->at - 1) || c->at[-1] == ' ' || c->at[-1] == '\t');
}

/* Goes on to the character with this index. A tab is looked for only where look is set: PyYAML has none outside of quotes and comments. */
static int32_t go_to(struct composer *c, size_t index, bool look, const yaml_mark_t *where)
{
	const struct yv_node at = { .line = (uint32_t)where->line + 1, .column = (uint32_t)where->column + 1 };
	bool tab = false;

	for (; c->at < c->end && c->index < index; c->index++) {
		if (look && begins_comment(c))
			c->in_comment = true;
		if (is_break(c->at))
			c->in_comment = false;
		tab |= look && *c->at == '\t' && !c->in_comment;
		for (c->at++; c->at < c->end && (*c->at & 0xc0) == 0x80; c->at++) {}
	}
	return tab ? yv_raise(c->y, &at, "a tab cannot stand here, or right before here") : 0;
}

/* Up to the scalar of this event, and through it. A plain one in brackets ends for PyYAML at a question mark, which is then an error. */
static int32_t look_around(struct composer *c)
{
	const yaml_event_t *e = &c->event;
	bool plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	const struct yv_node at = { .line = (uint32_t)e->start_mark.line + 1, .column = (uint32_t)e->start_mark.column + 1 };
	int32_t status = go_to(c, e->start_mark.index, true, &e->start_mark);

	if (status)
		return status;
	if (plain && c->flow && memchr(e->data.scalar.value, '?', e->data.scalar.length))
		return yv_raise(c->y, &at, "a question mark cannot stand in a plain text in brackets");
	c->in_comment = false;
	return go_to(c, e->end_mark.index, plain, &e->end_mark);
}

static int32_t new_node(struct composer *c, enum yv_kind kind, const char *tag, struct yv_node **out)
{
	struct yv_node *n;

	if (c->y->nodes == YV_NODES)
		return PDCFG_FILES_E_LIMIT;
	n = yv_get(c->y, sizeof *n);
	if (!n)
		return yv_no_memory(c->y);
	memset(n, 0, sizeof *n);
	n->kind = (uint8_t)kind;
	n->tag = (uint8_t)(tag && strcmp(tag, "!") ? tag_called(tag) : kind == YV_SEQUENCE ? YV_T_SEQ : kind == YV_MAPPING ? YV_T_MAP : YV_T_STR);
	n->line = (uint32_t)c->event.start_mark.line + 1;
	n->column = (uint32_t)c->event.start_mark.column + 1;
	if (c->y->nodes == c->node_room) {
		size_t room = c->node_room ? 2 * c->node_room : 64;
		struct yv_node **nodes = realloc(c->nodes, room * sizeof(struct yv_node *));

		if (!nodes)
			return PDCFG_E_NOMEM;
		c->nodes = nodes;
		c->node_room = room;
	}
	c->nodes[c->y->nodes++] = *out = n;
	return 0;
}

/* The newest node gets this name. */
static int32_t set_anchor(struct composer *c, const yaml_char_t *anchor)
{
	size_t len = anchor ? strlen((const char *)anchor) : 0, *place;
	char *name;
	bool is_new;

	if (!anchor)
		return 0;
	name = yv_get(c->y, len + 1);
	if (!name)
		return yv_no_memory(c->y);
	memcpy(name, anchor, len + 1);
	place = yv_find(&c->anchors, name, len, &is_new);
	if (!place)
		return PDCFG_E_NOMEM;
	if (!is_new)
		return yv_raise(c->y, c->nodes[c->y->nodes - 1], "an anchor is given twice");
	*place = c->y->nodes - 1;
	return 0;
}

static int32_t find_alias(struct composer *c, struct yv_node **out)
{
	const char *name = (const char *)c->event.data.alias.anchor;
	const struct yv_node at = { .line = (uint32_t)c->event.start_mark.line + 1, .column = (uint32_t)c->event.start_mark.column + 1 };
	struct yv_table *t = &c->anchors;
	const struct yv_slot *slot = t->room ? slot_of(t, name, strlen(name)) : NULL;

	if (!slot || !slot->key)
		return yv_raise(c->y, &at, "an alias has no anchor");
	*out = c->nodes[slot->value];
	return 0;
}

/* a ! with nothing behind it */
static bool is_bare(const yaml_char_t *tag) { return tag && !strcmp((const char *)tag, "!"); }

static int32_t compose_scalar(struct composer *c, struct yv_node **out)
{
	const char *text = (const char *)c->event.data.scalar.value;
	size_t len = c->event.data.scalar.length;
	int32_t status = new_node(c, YV_SCALAR, (const char *)c->event.data.scalar.tag, out);
	char *copy = status ? NULL : yv_get(c->y, len + 1);

	if (!copy)
		return status ? status : yv_no_memory(c->y);
	memcpy(copy, text, len);
	copy[len] = 0;
	(*out)->text = copy;
	(*out)->len = len;
	if (c->event.data.scalar.plain_implicit || is_bare(c->event.data.scalar.tag))
		(*out)->tag = (uint8_t)yv_resolve(copy, len);
	return set_anchor(c, c->event.data.scalar.anchor);
}

static int32_t add_item(struct composer *c, struct yv_node *n, size_t *room, struct yv_node *item)
{
	if (n->count == *room) {
		size_t more = *room ? 2 * *room : 4;
		struct yv_node **items = yv_get(c->y, more * sizeof(struct yv_node *));

		if (!items)
			return yv_no_memory(c->y);
		if (n->count)
			memcpy(items, n->items, n->count * sizeof(struct yv_node *));
		n->items = items;
		*room = more;
	}
	n->items[n->count++] = item;
	return 0;
}

static int32_t compose_node(struct composer *c, unsigned depth, struct yv_node **out);

static int32_t compose_items(struct composer *c, unsigned depth, struct yv_node *n, bool flow)
{
	size_t room = 0;

	for (c->flow += flow;;) {
		struct yv_node *item;
		int32_t status = next_event(c);

		if (status || c->event.type == YAML_SEQUENCE_END_EVENT || c->event.type == YAML_MAPPING_END_EVENT) {
			c->flow -= flow;
			return status;
		}
		status = compose_node(c, depth + 1, &item);
		if (!status)
			status = add_item(c, n, &room, item);
		if (status)
			return status;
	}
}

/* The event that begins the node has been read. */
static int32_t compose_node(struct composer *c, unsigned depth, struct yv_node **out)
{
	const yaml_event_t *e = &c->event;
	int32_t status;
	bool flow;

	if (depth > YV_DEPTH)
		return PDCFG_FILES_E_LIMIT;
	if (e->type == YAML_ALIAS_EVENT)
		return find_alias(c, out);
	if (e->type == YAML_SCALAR_EVENT) {
		status = look_around(c);
		return status ? status : compose_scalar(c, out);
	}
	flow = e->type == YAML_SEQUENCE_START_EVENT ? e->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE :
						      e->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
	if (e->type == YAML_SEQUENCE_START_EVENT) {
		status = new_node(c, YV_SEQUENCE, (const char *)e->data.sequence_start.tag, out);
		if (!status)
			status = set_anchor(c, e->data.sequence_start.anchor);
	} else {
		status = new_node(c, YV_MAPPING, (const char *)e->data.mapping_start.tag, out);
		if (!status)
			status = set_anchor(c, e->data.mapping_start.anchor);
	}
	return status ? status : compose_items(c, depth, *out, flow);
}

static int32_t compose_stream(struct composer *c, struct yv_node **root)
{
	int32_t status = next_event(c); /* the stream starts */

	if (!status)
		status = next_event(c);
	if (status || c->event.type == YAML_STREAM_END_EVENT)
		return status;
	status = next_event(c); /* the document starts */
	if (!status)
		status = compose_node(c, 0, root);
	if (!status)
		status = next_event(c); /* it ends */
	if (!status)
		status = next_event(c);
	if (!status && c->event.type != YAML_STREAM_END_EVENT) {
		const struct yv_node at = { .line = (uint32_t)c->event.start_mark.line + 1, .column = (uint32_t)c->event.start_mark.column + 1 };

		status = yv_raise(c->y, &at, "it holds more than one document");
	}
	return status ? status : go_to(c, SIZE_MAX, true, &c->event.end_mark);
}

static int32_t compose_text(struct yv *y, const char *text, size_t len, struct yv_node **root)
{
	struct composer c = { .y = y, .text = text, .at = text, .end = text + len };
	int32_t status;

	*root = NULL;
	if (!yaml_parser_initialize(&c.parser))
		return PDCFG_E_NOMEM;
	yaml_parser_set_encoding(&c.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&c.parser, (const unsigned char *)text, len);
	status = compose_stream(&c, root);
	yaml_event_delete(&c.event);
	yaml_parser_delete(&c.parser);
	yv_table_end(&c.anchors);
	free(c.nodes);
	return status;
}

/* ---- what libyaml refuses and PyYAML does not ---- */

/* JSON's pairs of surrogates, which Python takes for two characters and libyaml for none: U+FFFD stands for each. */
static bool replace_surrogates(char *text, size_t len)
{
	bool any = false;

	for (size_t i = 0; i + 6 <= len; i++) {
		if (memcmp(text + i, "\\u", 2) != 0 || (text[i + 2] | 0x20) != 'd' || !text[i + 3] || !strchr("89abcdefABCDEF", text[i + 3]))
			continue;
		memcpy(text + i + 2, "fffd", 4);
		any = true;
	}
	return any;
}

/* the byte of a character */
static size_t byte_of(const char *text, size_t len, size_t index)
{
	size_t i = 0;

	while (i < len && index) {
		for (i++; i < len && (text[i] & 0xc0) == 0x80; i++) {}
		index--;
	}
	return i;
}

/* nothing but directives and comments, and a document after them? */
static bool is_head(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if ((!i || is_break(text + i - 1)) && text[i] != '%' && text[i] != '#' && !is_break(text + i))
			return false;
	}
	return true;
}
static bool has_start(const char *text, size_t len)
{
	for (size_t i = 1; i + 3 <= len; i++) {
		if (is_break(text + i - 1) && !memcmp(text + i, "---", 3))
			return true;
	}
	return false;
}

/* Rewrites text, which has room for a byte more, so that libyaml takes it as PyYAML would. */
static bool repair(const struct yv *y, char *text, size_t *len)
{
	size_t at = byte_of(text, *len, y->index);

	if (!strcmp(y->why, "found invalid Unicode character escape code"))
		return replace_surrogates(text, *len);
	if (!strcmp(y->why, "found unexpected ':'") && at < *len && text[at] == ':') { /* [key:] */
		at++;
		memmove(text + at + 1, text + at, *len - at);
		text[at] = ' ';
		++*len;
		return true;
	}
	if (!strcmp(y->why, "found unknown directive name")) {
		while (at && !is_break(text + at - 1))
			at--;
		if (!is_head(text, at) || !has_start(text + at, *len - at))
			return false;
		text[at] = '#';
		return true;
	}
	return false;
}

int32_t yv_compose(struct yv *y, const char *text, size_t len, struct yv_node **root)
{
	char *copy = NULL;
	int32_t status;

	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
		text += 3;
		len -= 3;
	}
	status = compose_text(y, text, len, root);
	for (unsigned n = 0; status == YV_RAISES && n < REPAIRS_MAX; n++) {
		if (!copy && !(copy = yv_get(y, len + REPAIRS_MAX)))
			return yv_no_memory(y);
		if (!n)
			memcpy(copy, text, len);
		if (!repair(y, copy, &len))
			break;
		*y->why = 0;
		y->nodes = 0;
		status = compose_text(y, copy, len, root);
	}
	return status;
}
