/* Internal to libpdcfg-files: YAML as Python's yaml.safe_load() sees it, and what Python's str(), repr() and json.dumps() make of it. */
#ifndef PDCFG_YAML_VALUE_H
#define PDCFG_YAML_VALUE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { YV_DEPTH = 200, YV_NODES = 1000000, YV_WHY = 256 };

/* Beside the negative status codes of <pdcfg/files.h>: Python would raise an exception, and why says why. */
enum { YV_RAISES = 1 };

enum yv_tag {
	YV_T_NULL, YV_T_BOOL, YV_T_INT, YV_T_FLOAT, YV_T_BINARY, YV_T_TIMESTAMP, YV_T_OMAP, YV_T_PAIRS, YV_T_SET, YV_T_STR, YV_T_SEQ, YV_T_MAP,
	YV_T_MERGE, YV_T_VALUE, YV_T_OTHER
};

enum yv_type {
	YV_NOT_YET, YV_NONE, YV_BOOL, YV_INT, YV_FLOAT, YV_STR, YV_BYTES, YV_DATE, YV_DATETIME, YV_LIST, YV_DICT, YV_SET,
	YV_TUPLES /* a list of tuples of two */
};

enum yv_kind { YV_SCALAR, YV_SEQUENCE, YV_MAPPING };

struct yv_time {
	int year, month, day, hour, minute, second, micro, offset; /* offset: minutes east of UTC */
	bool has_zone;
};

struct yv_node {
	uint8_t kind, type, tag;
	bool busy;               /* being written: a list may hold itself */
	uint32_t line, column;   /* from 1 */
	const char *text;        /* of a scalar; of an int its digits in decimal */
	size_t len;
	struct yv_node **items;  /* of a mapping key and value in turn; after construction every key once */
	size_t count;            /* of items */
	union {
		bool on;
		double real;
		struct yv_time time;
	} u;
};

struct yv_chunk;
struct yv {
	struct yv_chunk *chunks;
	size_t nodes, bytes;
	bool full;               /* a limit was hit, not the machine's */
	char why[YV_WHY];
	uint32_t line, column;   /* where, 0 for nowhere */
	size_t index;            /* the same in characters from the beginning, if libyaml says it */
};

/* Memory that lives until yv_end(); NULL when there is none left. */
void *yv_get(struct yv *y, size_t size);
int32_t yv_no_memory(const struct yv *y); /* the status when it is NULL */
void yv_end(struct yv *y);
/* Remembers why, if nothing is remembered yet; at may be NULL. Returns YV_RAISES. */
int32_t yv_raise(struct yv *y, const struct yv_node *at, const char *what);

/* Reads the one document of a text; *root is NULL when there is none. Returns 0, YV_RAISES or a negative status. */
int32_t yv_load(struct yv *y, const char *text, size_t len, struct yv_node **root);
/* The nodes, not yet constructed. */
int32_t yv_compose(struct yv *y, const char *text, size_t len, struct yv_node **root);
/* The tag that a plain scalar gets. */
enum yv_tag yv_resolve(const char *s, size_t n);
bool yv_is_timestamp(const char *s, size_t n); /* with the tag: 2026-1-2 is one, too */

/* str(value), or json.dumps(value); the text lives until yv_end(). A NUL becomes U+FFFD. */
int32_t yv_str(struct yv *y, struct yv_node *n, const char **out);
int32_t yv_json(struct yv *y, struct yv_node *n, const char **out);
const char *yv_type_name(const struct yv_node *n); /* "a number" */

/* ---- a table of texts ---- */
struct yv_slot {
	const char *key;
	size_t len, value;
};
struct yv_table {
	struct yv_slot *slots;
	size_t count, room; /* room is a power of two */
};
/* The place of the key's value; *is_new when it was not there. NULL without memory. The key is not copied. */
size_t *yv_find(struct yv_table *t, const char *key, size_t len, bool *is_new);
void yv_table_end(struct yv_table *t);

#endif
