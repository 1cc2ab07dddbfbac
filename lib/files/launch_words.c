/*
 * Of launch.h: the words of a command, and what is written down while they are read: notes, reasons, changes to the environment.
 */
#include "launch_reader.h"
#include "text.h"
#include <pdcfg/pdcfg.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists of words ----------------------------------------------------------------------------------------------- */

static char *copy_text(const char *s, size_t n)
{
	char *t = malloc(n + 1);

	if (t) {
		memcpy(t, s, n);
		t[n] = 0;
	}
	return t;
}

int32_t fl_reserve_words(struct launch_words *w, size_t more)
{
	size_t room = w->room ? w->room : 16;
	char **v;
	int32_t *from;

	while (room < w->n + more + 1)
		room *= 2;
	if (room == w->room)
		return PDCFG_OK;
	v = realloc(w->v, room * sizeof *v);
	if (!v)
		return PDCFG_E_NOMEM;
	w->v = v;
	from = realloc(w->from, room * sizeof *from);
	if (!from)
		return PDCFG_E_NOMEM;
	w->from = from;
	w->room = room;
	w->v[w->n] = NULL;
	return PDCFG_OK;
}

int32_t fl_add_word(struct launch_words *w, const char *s, size_t n, int32_t from)
{
	char *t;

	if (fl_reserve_words(w, 1) < 0)
		return PDCFG_E_NOMEM;
	t = copy_text(s, n);
	if (!t)
		return PDCFG_E_NOMEM;
	w->v[w->n] = t;
	w->from[w->n++] = from;
	w->v[w->n] = NULL;
	return PDCFG_OK;
}

void fl_end_words(struct launch_words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->v[i]);
	free(w->v);
	free(w->from);
	memset(w, 0, sizeof *w);
}

int32_t fl_replace_words(struct launch_words *w, size_t n, struct launch_words *by)
{
	size_t rest = w->n - n;

	if (by->n > n && fl_reserve_words(w, by->n - n) < 0)
		return PDCFG_E_NOMEM;
	for (size_t i = 0; i < n; i++)
		free(w->v[i]);
	memmove(w->v + by->n, w->v + n, (rest + 1) * sizeof *w->v);
	memmove(w->from + by->n, w->from + n, rest * sizeof *w->from);
	if (by->n) {
		memcpy(w->v, by->v, by->n * sizeof *w->v);
		memcpy(w->from, by->from, by->n * sizeof *w->from);
		by->v[0] = NULL;
	}
	w->n = rest + by->n;
	by->n = 0;
	return PDCFG_OK;
}

/* ---- what is written down ----------------------------------------------------------------------------------------- */

void fl_remember(struct fl_reader *r, int32_t status)
{
	if (status < 0 && r->status == PDCFG_OK)
		r->status = status;
}

static char *print_text(const char *format, va_list args)
{
	va_list again;
	char *text = NULL;
	int n;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (n >= 0)
		text = malloc((size_t)n + 1);
	if (text)
		vsnprintf(text, (size_t)n + 1, format, args);
	return text;
}

void fl_fail(struct fl_reader *r, const char *format, ...)
{
	va_list args;

	free(r->out->why);
	va_start(args, format);
	r->out->why = print_text(format, args);
	va_end(args);
	r->out->kind = LAUNCH_NOTHING;
	if (!r->out->why)
		fl_remember(r, PDCFG_E_NOMEM);
}

void fl_note(struct fl_reader *r, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = print_text(format, args);
	va_end(args);
	fl_remember(r, text ? fl_add_word(&r->out->notes, text, strlen(text), -1) : PDCFG_E_NOMEM);
	free(text);
}

void fl_set(struct fl_reader *r, enum launch_change change, const char *text, size_t n, int32_t from)
{
	struct pdcfg_launch *l = r->out;
	struct launch_setting *s = l->settings;

	if (l->setting_count == l->setting_room) {
		l->setting_room = l->setting_room ? 2 * l->setting_room : 8;
		s = realloc(s, l->setting_room * sizeof *s);
		if (!s) {
			l->setting_room = l->setting_count;
			fl_remember(r, PDCFG_E_NOMEM);
			return;
		}
		l->settings = s;
	}
	s += l->setting_count;
	*s = (struct launch_setting){ .text = copy_text(text, n), .from = from, .change = (uint8_t)change, .in_front = !r->started };
	if (s->text)
		l->setting_count++;
	else
		fl_remember(r, PDCFG_E_NOMEM);
}

/* ---- texts -------------------------------------------------------------------------------------------------------- */

const char *fl_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool fl_listed(const char *list, const char *s, size_t n)
{
	if (!n)
		return false;
	for (const char *p = list; p && *p; p += strcspn(p, " "), p += *p == ' ') {
		if (strcspn(p, " ") == n && !memcmp(p, s, n))
			return true;
	}
	return false;
}

const char *fl_option_value(const struct fl_reader *r, const char *rest, size_t *at)
{
	return *rest ? rest : fl_word_at(r, ++*at);
}

size_t pdcfg_launch_assignment(const char *w)
{
	size_t n = 0;

	if (is_digit(*w))
		return 0;
	while (w[n] == '_' || (lower(w[n]) >= 'a' && lower(w[n]) <= 'z') || is_digit(w[n]))
		n++;
	return w[n] == '=' ? n : 0;
}
