/*
 * Models that are known by name. catalogue.def holds what their config.json says; the traits are derived from that as from a
 * file, so that the same settings count.
 */
#include "files.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

struct entry {
	const char *name;
	const char *config; /* with ' for "; NULL: the same as another model */
	const char *same;
};

static const struct entry entries[] = {
#define MODEL(name, config) { name, config, NULL },
#define SAME_AS(name, other) { name, NULL, other },
#include "catalogue.def"
#undef SAME_AS
#undef MODEL
};
#define ENTRIES (sizeof entries / sizeof entries[0])

static int compare(const void *name, const void *row)
{
	return strcmp(name, ((const struct entry *)row)->name);
}

static const struct entry *find(const char *name)
{
	return bsearch(name, entries, ENTRIES, sizeof entries[0], compare);
}

static const char *config_of(const struct entry *e)
{
	const struct entry *other = e->config == NULL ? find(e->same) : e;

	return other == NULL ? NULL : other->config;
}

/* A directory of the Hugging Face cache: …/models--owner--name/snapshots/REVISION. */
static const struct entry *find_in_cache(const char *path)
{
	const char *at = strstr(path, "models--"), *mark;
	char name[256];
	size_t n;

	if (at == NULL || (at > path && at[-1] != '/'))
		return NULL;
	at += strlen("models--");
	n = strcspn(at, "/");
	mark = strstr(at, "--");
	if (mark == NULL || mark >= at + n || n >= sizeof name)
		return NULL;
	memcpy(name, at, (size_t)(mark - at));
	name[mark - at] = '/';
	memcpy(name + (mark - at) + 1, mark + 2, n - (size_t)(mark - at) - 2);
	name[n - 1] = '\0';
	return find(name);
}

static bool last_part_is(const char *name, const char *part, size_t n)
{
	const char *slash = strchr(name, '/');

	if (slash == NULL || strlen(slash + 1) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (lower(slash[i + 1]) != lower(part[i]))
			return false;
	return true;
}

/* The model whose last part is that of the path; none when two such models differ. */
static const struct entry *find_last_part(const char *path)
{
	const struct entry *found = NULL;
	size_t end = strlen(path), begin;

	while (end > 0 && path[end - 1] == '/')
		end--;
	for (begin = end; begin > 0 && path[begin - 1] != '/'; begin--)
		;
	if (begin == end)
		return NULL;
	for (size_t i = 0; i < ENTRIES; i++) {
		if (!last_part_is(entries[i].name, path + begin, end - begin))
			continue;
		if (found != NULL && config_of(found) != config_of(&entries[i]))
			return NULL;
		found = &entries[i];
	}
	return found;
}

/* The tree of an entry's config. */
static struct json_object *tree_of(const char *config)
{
	size_t n = strlen(config);
	char *s = malloc(n + 1);
	struct json_object *j;

	if (s == NULL)
		return NULL;
	for (size_t i = 0; i <= n; i++)
		s[i] = (char)(config[i] == '\'' ? '"' : config[i]);
	j = fl_tree(s, n);
	free(s);
	return j;
}

int32_t pdcfg_files_known_model(pdcfg_t *cfg, const char *model_path)
{
	int32_t how = PDCFG_FILES_KNOWN_MODEL, r;
	const struct entry *e;
	const char *config;

	if (cfg == NULL || model_path == NULL)
		return PDCFG_E_INVALID;
	e = find(model_path);
	if (e == NULL)
		e = find_in_cache(model_path);
	if (e == NULL) {
		e = find_last_part(model_path);
		how = PDCFG_FILES_LIKELY_MODEL;
	}
	config = e == NULL ? NULL : config_of(e);
	if (config == NULL)
		return PDCFG_FILES_UNKNOWN_MODEL;
	r = fl_set_model(cfg, tree_of(config));
	return r < 0 ? r : how;
}

const char *pdcfg_files_known_model_next(const char *after)
{
	const struct entry *e;

	if (after == NULL)
		return "";
	if (after[0] == '\0')
		return entries[0].name;
	e = find(after);
	return e == NULL || e + 1 == entries + ENTRIES ? "" : e[1].name;
}
