/*
 * Traits and names: the small functions that everything which fills in traits shares.
 */
#include "files.h"

#include <string.h>

struct fl_trait fl_unknown(void)
{
	return (struct fl_trait) { .state = FL_T_UNKNOWN };
}

struct fl_trait fl_list(const char *const *list, size_t count)
{
	return (struct fl_trait) { .state = FL_T_LIST, .list = list, .count = count };
}

struct fl_trait fl_none(void)
{
	return (struct fl_trait) { .state = FL_T_NONE };
}

struct fl_trait fl_number(int64_t i)
{
	return (struct fl_trait) { .state = FL_T_INT, .i = i };
}

struct fl_trait fl_text(const char *s)
{
	return (struct fl_trait) { .state = FL_T_TEXT, .s = s };
}

/* A whole number or nothing; anything else is unknown. */
struct fl_trait fl_whole(struct fl_value v)
{
	if (v.kind <= FL_NONE)
		return fl_none();
	if (v.kind == FL_INT || v.kind == FL_BOOL)
		return fl_number(v.i);
	return fl_unknown();
}

struct fl_trait fl_words(struct fl_value v)
{
	if (v.kind <= FL_NONE)
		return fl_none();
	return v.kind == FL_TEXT ? fl_text(v.s) : fl_unknown();
}

/* Every class has one, whether or not the file mentions it. */
struct fl_value fl_model_type(const struct fl_conf *c)
{
	struct fl_value v = fl_get(c, K_model_type);

	return v.kind == FL_ABSENT && c->cls != NULL ? (struct fl_value) { .kind = FL_TEXT, .s = c->cls->name } : v;
}

void fl_raises(struct fl_model *m, const char *exception)
{
	if (m->error == NULL)
		m->error = exception;
}

/* An attribute that SGLang reads without a default. */
struct fl_value fl_need(struct fl_model *m, const struct fl_conf *c, enum fl_key key)
{
	struct fl_value v = fl_get(c, key);

	if (v.kind == FL_ABSENT && c->cls != NULL)
		fl_raises(m, "AttributeError");
	return v;
}

uint32_t fl_any_flag(const struct fl_model *m)
{
	uint32_t flags = 0;

	for (size_t i = 0; i < m->name_count; i++) {
		const struct fl_arch *a = fl_arch_by_name(m->names[i]);

		if (a != NULL)
			flags |= a->flags;
	}
	return flags;
}

const struct fl_arch *fl_first_arch(const struct fl_model *m)
{
	return m->name_count > 0 ? fl_arch_by_name(m->names[0]) : NULL;
}

uint32_t fl_first_flags(const struct fl_model *m)
{
	const struct fl_arch *a = fl_first_arch(m);

	return a == NULL ? 0 : a->flags;
}
