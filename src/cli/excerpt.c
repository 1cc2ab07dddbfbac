/* The part of the command line that a finding is about, with a marker under it. */
#include "cli.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define INDENT 4
#define MOST 64 /* words shown; more never fit */

struct piece {
	char *text;     /* as shown */
	unsigned width;
	char mark;      /* ^ under what the finding is about, - under what it also names, 0 */
};

static char *shown_word(const char *word)
{
	struct out o = { 0 };

	put_word(&o, word);
	return o.s;
}

/* The next option whose value must not be shown; 0 starts and ends. They are few, and asked about for every word. */
static uint32_t next_secret(uint32_t after)
{
	do
		after = pdcfg_key_next(after);
	while (after && pdcfg_key_is_secret(after) != 1);
	return after;
}

/* Is this one, perhaps shortened? */
static bool is_secret(const char *word)
{
	static uint32_t secrets[64];
	size_t n = strcspn(word, "="), i = 0;

	if (word[0] != '-' || word[1] != '-' || n < 4)
		return false;
	for (uint32_t key = secrets[0] ? 0 : next_secret(0); key && i < 63; key = next_secret(key))
		secrets[i++] = key;
	for (i = 0; secrets[i]; i++) {
		if (!strncmp(pdcfg_key_option(secrets[i]), word, n))
			return true;
	}
	return false;
}

static char *hidden_word(const char *word)
{
	size_t n = strcspn(word, "=");
	char *copy = malloc(n + 5);

	if (copy) {
		memcpy(copy, word, n);
		memcpy(copy + n, "=***", 5);
	}
	return copy;
}

/* May the value of this variable be shown? SGLang's own are known; of others the name tells. */
static bool is_secret_variable(const char *word)
{
	static const char *const marks[] = { "KEY", "TOKEN", "SECRET", "PASS", "CRED", "AUTH" };
	char name[128];
	size_t n = pdcfg_launch_assignment(word);
	uint32_t key;

	if (!n)
		return false;
	if (n >= sizeof name)
		return true;
	memcpy(name, word, n);
	name[n] = 0;
	key = pdcfg_key_by_name(name);
	if (key && pdcfg_key_kind(key) == PDCFG_KIND_ENVIRONMENT)
		return pdcfg_key_is_secret(key) == 1;
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		if (strstr(name, marks[i]))
			return true;
	}
	return false;
}

/* What the word of the command looks like when it is shown. */
static char *look_of(const struct server *s, int32_t word)
{
	const char *text = s->command[word];

	if (word > 0 && is_secret(s->command[word - 1]) && !strchr(s->command[word - 1], '='))
		return strdup("***");
	if (strchr(text, '=') && (is_secret(text) || is_secret_variable(text)))
		return hidden_word(text);
	return shown_word(text);
}

/* How many words an option takes up: itself and its values. */
static int32_t extent(const struct server *s, int32_t word, uint32_t key)
{
	int32_t n = 1, most;
	uint32_t type = pdcfg_key_type(key);

	if (s->command[word][0] != '-' || strchr(s->command[word], '=') || type == PDCFG_TYPE_BOOL)
		return 1;
	most = type >= PDCFG_TYPE_TEXTS ? MOST : 2;
	while (n < most && word + n < s->command_count) {
		const char *next = s->command[word + n];

		if (next[0] == '-' && !isdigit((unsigned char)next[1]))
			break;
		n++;
	}
	return n;
}

static void mark(const struct server *s, struct piece *pieces, int32_t word, int32_t n, char with)
{
	for (int32_t i = word; i < word + n && i < s->command_count; i++) {
		if (!pieces[i].mark)
			pieces[i].mark = with;
	}
}

/* The word of the command in which a subject was given, -1 when in none. */
static int32_t word_of_subject(const struct server *s, size_t f, size_t n)
{
	uint32_t origin = pdcfg_subject_origin(s->rep, f, n);
	const struct variable *v = NULL;

	if (origin == PDCFG_FROM_ARGUMENT)
		return word_of(s, pdcfg_subject_index(s->rep, f, n));
	if (origin == PDCFG_FROM_ENVIRONMENT)
		v = variable_of(s, pdcfg_key_option(pdcfg_subject_key(s->rep, f, n)));
	return v ? v->word : -1;
}

bool is_fixed(const struct server *s, size_t f, uint32_t key)
{
	for (size_t edit = 0; edit < pdcfg_fix_edits(s->rep, f, 0); edit++) {
		if (pdcfg_edit_key(s->rep, f, 0, edit) == key)
			return true;
	}
	return false;
}

bool was_given(const struct server *s, size_t f, size_t n)
{
	uint32_t origin = pdcfg_subject_origin(s->rep, f, n);

	return origin != PDCFG_FROM_NOTHING && origin != PDCFG_FROM_DEFAULT && origin != PDCFG_FROM_RULE;
}

/* The word to show, -1 when nothing stands on a command line. It is the one that the finding is foremost about, unless *apart. */
static int32_t main_word(const struct server *s, size_t f, size_t *subject, bool *apart)
{
	int32_t first = word_of_finding(s, f);
	size_t subjects = pdcfg_finding_subjects(s->rep, f);

	*subject = subjects;
	*apart = false;
	for (size_t n = 0; n < subjects && first < 0; n++) {
		if (!is_fixed(s, f, pdcfg_subject_key(s->rep, f, n)))
			continue;
		first = word_of_subject(s, f, *subject = n);
		*apart |= first < 0 && was_given(s, f, n);
	}
	for (size_t n = 0; n < subjects && first < 0; n++)
		first = word_of_subject(s, f, *subject = n);
	return first;
}

/* Marks what the finding is about, and returns the word to show, or -1. */
static int32_t mark_all(const struct server *s, size_t f, struct piece *pieces)
{
	const char *token = pdcfg_finding_parse_token(s->rep, f);
	size_t subject;
	bool apart;
	int32_t first = main_word(s, f, &subject, &apart), words = 1;

	if (first >= 0 && subject < pdcfg_finding_subjects(s->rep, f))
		words = extent(s, first, pdcfg_subject_key(s->rep, f, subject));
	else if (first >= 0 && first + 1 < s->command_count && *token && !strcmp(token, s->command[first + 1]))
		words = 2;
	if (first >= 0)
		mark(s, pieces, first, words, apart ? '-' : '^');
	for (size_t n = 0; n < pdcfg_finding_subjects(s->rep, f); n++) {
		int32_t word = word_of_subject(s, f, n);

		if (word >= 0)
			mark(s, pieces, word, extent(s, word, pdcfg_subject_key(s->rep, f, n)), '-');
	}
	return first;
}

/* Where the excerpt may begin at the earliest: at the program, or at a variable in front of it. */
static int32_t beginning(const struct server *s, const struct piece *pieces)
{
	for (int32_t i = 0; i < s->launch.program; i++) {
		if (pieces[i].mark)
			return i;
	}
	return s->launch.program;
}

/* The width of the option that ends before word i, with its values; *from is where it begins. What is wider than room counts as wider, no more. */
static unsigned unit_before(const struct server *s, const struct piece *pieces, int32_t i, unsigned room, int32_t *from)
{
	unsigned width = 0;

	do {
		width += pieces[--i].width + 1;
	} while (i > s->launch.first && s->command[i][0] != '-' && width <= room);
	*from = i;
	return width;
}

/* Widens [*from, *to) around the word as long as it fits: two options to the left first, then to the right, then left again. */
static bool choose_window(const struct server *s, const struct piece *pieces, int32_t word, unsigned room, int32_t *from, int32_t *to)
{
	unsigned width = 0, more;
	int32_t left = 0, next, least = beginning(s, pieces);

	*from = *to = word;
	while (*to < s->command_count && pieces[*to].mark == pieces[word].mark && *to - word < MOST)
		width += pieces[(*to)++].width + 1;
	if (width > room)
		return false;
	for (; *from > least && left < 2; left++) {
		more = unit_before(s, pieces, *from, room, &next);
		if (width + more > room)
			break;
		width += more;
		*from = next;
	}
	while (*to < s->command_count && width + pieces[*to].width + 1 <= room)
		width += pieces[(*to)++].width + 1;
	while (*from > least && width + (more = unit_before(s, pieces, *from, room, &next)) <= room) {
		width += more;
		*from = next;
	}
	return true;
}

static void put_lines(struct out *o, const struct server *s, const struct piece *pieces, int32_t from, int32_t to)
{
	bool cut = from > beginning(s, pieces);
	struct out marks = { .color = o->color };

	put(o, "\n");
	put_many(o, ' ', INDENT);
	put_many(&marks, ' ', INDENT);
	if (cut) {
		put(o, "... ");
		put(&marks, "    ");
	}
	for (int32_t i = from; i < to; i++) {
		char with = pieces[i].mark ? pieces[i].mark : ' ';

		put(o, pieces[i].text);
		put_many(&marks, with, pieces[i].width);
		if (i + 1 < to) {
			put(o, " ");
			put_many(&marks, pieces[i].mark && pieces[i].mark == pieces[i + 1].mark && pieces[i + 1].text[0] != '-' ? with : ' ', 1);
		}
	}
	put(o, to < s->command_count ? " ...\n" : "\n");
	while (marks.n && marks.s[marks.n - 1] == ' ')
		marks.s[--marks.n] = 0;
	put_styled(o, RED, marks.s ? marks.s : "");
	put(o, "\n");
	o->failed |= marks.failed;
	end_out(&marks);
}

bool put_excerpt(struct out *out, const struct server *s, size_t finding)
{
	struct piece *pieces = calloc((size_t)s->command_count + 1, sizeof *pieces);
	int32_t word = pieces ? mark_all(s, finding, pieces) : -1, from, to;
	int32_t most = (int32_t)out->width, least = word > most ? word - most : 0; /* of words that take up two columns at least */
	int32_t end = s->command_count - word > most ? word + most : s->command_count;
	bool complete = word >= 0;

	for (int32_t i = least; complete && i < end; i++) {
		pieces[i].text = look_of(s, i);
		complete = pieces[i].text != NULL;
		pieces[i].width = complete ? columns_of(pieces[i].text) : 0;
	}
	complete = complete && choose_window(s, pieces, word, out->width - INDENT - 8, &from, &to);
	if (complete)
		put_lines(out, s, pieces, from, to);
	for (int32_t i = least; pieces && i < end; i++)
		free(pieces[i].text);
	free(pieces);
	return complete;
}
