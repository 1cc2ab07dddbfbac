/* The line of the --config file, or of a file of variables, that a finding points to. */
#include "cli.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define INDENT 6
#define BEFORE 16 /* characters kept in front of the place in a line that does not fit */

static const char *config_file(const struct server *s)
{
	for (size_t i = 0; i + 1 < s->args.n; i++) {
		if (!strcmp(s->args.v[i], "--config"))
			return s->args.v[i + 1];
	}
	return NULL;
}

/* A setting of the file that the finding is about: one that the first fix changes, if there is any. Returns the number of subjects for none. */
static size_t subject_in_file(const struct server *s, size_t f)
{
	size_t count = pdcfg_finding_subjects(s->rep, f), found = count;

	for (size_t n = 0; n < count; n++) {
		uint32_t key = pdcfg_subject_key(s->rep, f, n);

		if (pdcfg_subject_origin(s->rep, f, n) != PDCFG_FROM_FILE || pdcfg_key_kind(key) != PDCFG_KIND_ARGUMENT || !pdcfg_subject_line(s->rep, f, n))
			continue;
		if (is_fixed(s, f, key))
			return n;
		if (found == count)
			found = n;
	}
	return found;
}

static uint32_t number_behind(const char *text, const char *word)
{
	const char *at = strstr(text, word);
	unsigned long n = at ? strtoul(at + strlen(word), NULL, 10) : 0;

	return n <= UINT32_MAX ? (uint32_t)n : 0;
}

/* What is wrong with the file itself is no setting; its line stands in the message alone. */
static struct place place_in_message(const struct server *s, size_t f)
{
	struct place p = { config_file(s), 0, 0 };

	if (!p.file || pdcfg_finding_phase(s->rep, f) != PDCFG_PHASE_PARSE)
		return (struct place){ NULL, 0, 0 };
	if (pdcfg_finding_parse_index(s->rep, f) >= 0 && strncmp(pdcfg_finding_rule(s->rep, f), "config-", 7) != 0)
		return (struct place){ NULL, 0, 0 };
	p.line = number_behind(pdcfg_finding_message(s->rep, f), "line ");
	p.column = number_behind(pdcfg_finding_message(s->rep, f), ", column ");
	return p.line ? p : (struct place){ NULL, 0, 0 };
}

struct place place_of(const struct server *s, size_t f)
{
	size_t n = subject_in_file(s, f);
	uint32_t key;
	const struct variable *v = variable_of_finding(s, f, &key);

	if (v && v->line)
		return (struct place){ v->how, v->line, 0 };
	if (n == pdcfg_finding_subjects(s->rep, f))
		return place_in_message(s, f);
	return (struct place){ pdcfg_subject_origin_text(s->rep, f, n), pdcfg_subject_line(s->rep, f, n), pdcfg_subject_column(s->rep, f, n) };
}

/* ---- showing it --------------------------------------------------------------------------------------------------- */

/* Does this line hold a setting whose value must not be shown? */
static bool holds_secret(const char *line)
{
	for (uint32_t key = pdcfg_key_next(0); key; key = pdcfg_key_next(key)) {
		const char *option = pdcfg_key_option(key);

		if (pdcfg_key_is_secret(key) != 1)
			continue;
		if (pdcfg_key_kind(key) == PDCFG_KIND_ENVIRONMENT && strstr(line, option))
			return true;
		if (!strncmp(option, "--", 2) && (strstr(line, option + 2) || strstr(line, pdcfg_key_name(key))))
			return true;
	}
	return false;
}

/* The line, to be freed; NULL when it cannot be read or shown. A secret may also go on from the line before. */
static char *read_line(const struct place *p)
{
	struct stat st;
	FILE *f = !stat(p->file, &st) && S_ISREG(st.st_mode) ? fopen(p->file, "r") : NULL;
	char *line = NULL;
	size_t room = 0;
	bool secret = false, good = f != NULL;

	for (uint32_t i = 0; good && i < p->line; i++) {
		secret = line && holds_secret(line);
		good = getline(&line, &room, f) >= 0;
	}
	if (f)
		fclose(f);
	if (good && !secret && !holds_secret(line))
		return line;
	free(line);
	return NULL;
}

/* n characters on */
static char *advance(char *s, size_t n)
{
	while (n && *s) {
		s++;
		n -= ((unsigned char)*s & 0xc0) != 0x80;
	}
	return s;
}

/* Puts a part of the line, and returns its columns. */
static unsigned put_part(struct out *o, const char *from, const char *to)
{
	char *part = strndup(from, (size_t)(to - from));
	size_t at = o->n;

	if (part)
		put_safe(o, part);
	else
		o->failed = true;
	free(part);
	return o->failed || o->n == at ? 0 : columns_of(o->s + at);
}

struct cut { /* a line: what of it is shown, and what of that is marked */
	const char *from, *place, *end, *last;
	bool begun, goes_on; /* there is more of the line on this side */
};

/* Where the setting that begins at place ends: at a comment, and inside { } at the next one. */
static const char *end_of_setting(const char *line, const char *place, const char *last)
{
	const char *comment = strstr(place, " #"), *next = place + strcspn(place, ",}");
	bool flow = memchr(line, '{', (size_t)(place - line)) != NULL;

	if (comment && comment < last)
		last = comment;
	return flow && next < last ? next : last;
}

static struct cut cut_line(char *line, uint32_t column, bool whole, size_t room)
{
	struct cut c;
	char *place, *last, *from = line;

	line[strcspn(line, "\r\n")] = 0;
	place = advance(line, column ? column - 1 : 0);
	if (columns_of(line) > room) {
		room -= 8; /* ... at both ends */
		from = column > BEFORE ? advance(line, column - BEFORE) : line;
	}
	last = advance(from, room);
	c = (struct cut){ from, place, whole ? end_of_setting(line, place, last) : advance(place, 1), last, from > line, *last };
	while (c.end > place + 1 && c.end[-1] == ' ')
		c.end--;
	return c;
}

/* The line, and a marker under it: under one character, or to the end of the setting. */
static void put_marked(struct out *out, char *line, uint32_t column, bool whole, char mark)
{
	struct cut c = cut_line(line, column, whole, out->width - INDENT);
	struct out marks = { .color = out->color };
	unsigned before, n;

	put_many(out, ' ', INDENT);
	put(out, c.begun ? "... " : "");
	before = put_part(out, c.from, c.place);
	n = put_part(out, c.place, c.end);
	put_part(out, c.end, c.last);
	put(out, c.goes_on ? " ...\n" : "\n");
	put_many(out, ' ', INDENT + (c.begun ? 4u : 0u) + before);
	put_many(&marks, mark, n ? n : 1);
	put_styled(out, RED, marks.s ? marks.s : "");
	put(out, "\n");
	out->failed |= marks.failed;
	end_out(&marks);
}

/* Is the setting that the finding is foremost about somewhere else? */
static bool is_aside(const struct server *s, size_t f, size_t in_file)
{
	for (size_t n = 0; n < pdcfg_finding_subjects(s->rep, f); n++) {
		if (n != in_file && is_fixed(s, f, pdcfg_subject_key(s->rep, f, n)) && was_given(s, f, n))
			return in_file == pdcfg_finding_subjects(s->rep, f) || !is_fixed(s, f, pdcfg_subject_key(s->rep, f, in_file));
	}
	return false;
}

bool put_place(struct out *out, const struct server *s, size_t f)
{
	struct place p = place_of(s, f);
	size_t n = subject_in_file(s, f);
	bool setting = n < pdcfg_finding_subjects(s->rep, f);
	char *line;

	if (!p.file)
		return false;
	put(out, "\n    ");
	put_safe(out, p.file);
	put_f(out, ":%u", (unsigned)p.line);
	if (p.column)
		put_f(out, ":%u", (unsigned)p.column);
	put(out, "\n");
	line = read_line(&p);
	if (line)
		put_marked(out, line, p.column, setting || !p.column, is_aside(s, f, n) ? '-' : '^');
	free(line);
	return true;
}
