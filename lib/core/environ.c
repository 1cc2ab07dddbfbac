/*
 * The environment, as Python and SGLang's import see it. Of several definitions of a name the first counts (os.environ is made that way).
 * Then SGLang copies renamed variables over their new names, and after that every SGL_ variable over the one with SGLANG_.
 */
#include <string.h>
#include "reading.h"

/* who defines a variable; a later one beats an earlier one */
enum rank { NOBODY, ITSELF, RENAMED, OLD_PREFIX };

struct definition {
	const char *entry; /* NAME=value */
	uint8_t rank;
};

/* what was renamed, of those whose new name some row looks at */
static const struct renamed {
	const char *old, *now;
} renamed[] = { { "SGLANG_CUTEDSL_MOE_NVFP4_DISPATCH", "SGLANG_MOE_NVFP4_DISPATCH" } };

/* converted by float() during the import */
static const struct renamed milliseconds[] = {
	{ "SGLANG_QUEUED_TIMEOUT_MS", "SGLANG_REQ_WAITING_TIMEOUT" },
	{ "SGLANG_FORWARD_TIMEOUT_MS", "SGLANG_REQ_RUNNING_TIMEOUT" },
};
enum { MILLISECONDS = sizeof milliseconds / sizeof *milliseconds };

struct environment {
	struct definition of[FIELD_COUNT];
	const char *milliseconds[MILLISECONDS];
};

static bool is_name(const char *known, const char *name, size_t len) { return !strncmp(known, name, len) && !known[len]; }

static unsigned field_of_variable(const char *name, size_t len)
{
	for (unsigned f = 1; f < FIELD_COUNT; f++)
		if (pdcfg_fields[f].kind == PDCFG_KIND_ENVIRONMENT && is_name(pdcfg_str(pdcfg_fields[f].name) + 4, name, len)) return f;
	return 0;
}

static void define(struct environment *e, unsigned field, const char *entry, enum rank rank)
{
	if (field && rank > e->of[field].rank) e->of[field] = (struct definition){ entry, (uint8_t)rank };
}

static void look_at(struct environment *e, const char *entry, const char *equals)
{
	size_t len = (size_t)(equals - entry);
	define(e, field_of_variable(entry, len), entry, ITSELF);
	for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
		if (is_name(renamed[i].old, entry, len)) define(e, field_of_variable(renamed[i].now, strlen(renamed[i].now)), entry, RENAMED);
	for (size_t i = 0; i < MILLISECONDS; i++)
		if (is_name(milliseconds[i].old, entry, len) && !e->milliseconds[i]) e->milliseconds[i] = entry;
	if (len < 4 || memcmp(entry, "SGL_", 4)) return;
	for (unsigned f = 1; f < FIELD_COUNT; f++) {
		const char *name = pdcfg_str(pdcfg_fields[f].name) + 4;
		if (pdcfg_fields[f].kind == PDCFG_KIND_ENVIRONMENT && !strncmp(name, "SGLANG_", 7) && is_name(name + 7, entry + 4, len - 4))
			define(e, f, entry, OLD_PREFIX);
	}
}

static int32_t warn_old_name(pdcfg_t *cfg, unsigned field, enum rank rank, const struct origin *from)
{
	struct note note = { .code = rank == RENAMED ? CODE_env_renamed : CODE_env_old_prefix, .option = OPTION_COUNT, .field = (uint16_t)field,
	                     .warning = true, .index = -1, .token = from->text };
	const char *now = pdcfg_str(pdcfg_fields[field].name) + 4;
	int32_t status = pdcfg_intern(cfg, now, strlen(now), &note.nearest);
	return status < 0 ? status : pdcfg_add_note(cfg, &note);
}

static int32_t set_variable(pdcfg_t *cfg, unsigned field, const struct definition *d)
{
	size_t len = strcspn(d->entry, "=");
	const char *value = d->entry + len + 1;
	int64_t name;
	int32_t status;
	if (!memchr(value, 0, PDCFG_TEXT_MAX + 1)) return PDCFG_E_LIMIT;
	if ((status = pdcfg_keep(cfg, d->entry, len, &name)) < 0) return status;
	struct origin from = { .text = (uint32_t)name, .index = -1, .kind = PDCFG_FROM_ENVIRONMENT };
	if ((status = pdcfg_read_variable(cfg, field, value, &from)) < 0) return status;
	return d->rank > ITSELF ? warn_old_name(cfg, field, d->rank, &from) : PDCFG_OK;
}

/* The import comes before the arguments are read, so its error goes before all other notes. */
static int32_t check_milliseconds(pdcfg_t *cfg, const struct renamed *r, const char *entry)
{
	size_t len = strlen(r->old);
	const char *value = entry + len + 1;
	struct note note = { .code = CODE_env_milliseconds_unreadable, .option = OPTION_COUNT, .parse_class = PDCFG_PARSE_OTHER, .index = -1 };
	double seconds;
	int32_t status;
	if (!memchr(value, 0, PDCFG_TEXT_MAX + 1)) return PDCFG_E_LIMIT;
	if (pdcfg_read_float(value, strlen(value), &seconds)) return PDCFG_OK;
	if ((status = pdcfg_intern(cfg, r->old, len, &note.token)) < 0) return status;
	if ((status = pdcfg_intern(cfg, r->now, strlen(r->now), &note.nearest)) < 0) return status;
	if ((status = pdcfg_keep_quoted(cfg, value, strlen(value), &note.value)) < 0) return status;
	if ((status = pdcfg_add_note(cfg, &note)) < 0) return status;
	memmove(cfg->notes + 1, cfg->notes, (cfg->note_count - 1) * sizeof *cfg->notes);
	cfg->notes[0] = note;
	return PDCFG_OK;
}

static int32_t set_all(pdcfg_t *cfg, const struct environment *e)
{
	int32_t status = PDCFG_OK;
	for (unsigned f = 1; f < FIELD_COUNT && status >= 0; f++)
		if (e->of[f].rank) status = set_variable(cfg, f, &e->of[f]);
	for (size_t i = MILLISECONDS; i-- && status >= 0;)
		if (e->milliseconds[i]) status = check_milliseconds(cfg, &milliseconds[i], e->milliseconds[i]);
	return status;
}

int32_t pdcfg_parse_environ(pdcfg_t *cfg, const char *const *envp)
{
	struct environment e = { .milliseconds = { NULL } };
	pdcfg_t *copy;
	int32_t status;
	if (!cfg || !envp) return PDCFG_E_INVALID;
	for (; *envp; envp++) {
		const char *equals = strchr(*envp, '=');
		if (equals) look_at(&e, *envp, equals);
	}
	if ((status = pdcfg_clone(cfg, &copy)) < 0) return status;
	status = set_all(copy, &e);
	if (status >= 0) pdcfg_swap(cfg, copy);
	pdcfg_free(copy);
	return status;
}
