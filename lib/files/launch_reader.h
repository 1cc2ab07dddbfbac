/*
 * Internal to the reader of launches (launch.h), which is in three parts:
 *
 * launch.c          which programs start SGLang, and with what arguments; reads the command
 * launch_wrappers.c the programs in front, which only run another one
 * launch_words.c    lists of words, and what is written down on the way
 *
 * launch.def has the rows of the first two.
 */
#ifndef PDCFG_LAUNCH_READER_H
#define PDCFG_LAUNCH_READER_H
#include "launch.h"
#include <string.h>

struct fl_reader {
	struct pdcfg_launch *out;
	struct launch_words w; /* the command, with what env -S splits put in */
	size_t at;
	bool started;          /* a program has been passed over: assignments are no longer the shell's */
	bool behind;           /* at stands on a launch behind a program that is not known */
	size_t unknown;        /* that program */
	int32_t status;
};

/* ---- launch_words.c ----------------------------------------------------------------------------------------------- */

/* These return PDCFG_OK or PDCFG_E_NOMEM. */
int32_t fl_reserve_words(struct launch_words *w, size_t more);
int32_t fl_add_word(struct launch_words *w, const char *s, size_t n, int32_t from);
/* Puts the words of by in place of the first n of w, and leaves by empty. There may be many words, and many such calls: they are moved, not copied. */
int32_t fl_replace_words(struct launch_words *w, size_t n, struct launch_words *by);
void fl_end_words(struct launch_words *w);

void fl_remember(struct fl_reader *r, int32_t status); /* the first status that is an error stays */
/* There is no launch here, and this is why. */
__attribute__((format(printf, 2, 3)))
void fl_fail(struct fl_reader *r, const char *format, ...);
__attribute__((format(printf, 2, 3)))
void fl_note(struct fl_reader *r, const char *format, ...);
/* A change to the environment: NAME=VALUE, NAME or nothing. */
void fl_set(struct fl_reader *r, enum launch_change change, const char *text, size_t n, int32_t from);

/* A word of the command, NULL behind the last, and the number of the word that it was given in, -1 there. */
static inline const char *fl_word_at(const struct fl_reader *r, size_t i) { return i < r->w.n ? r->w.v[i] : NULL; }
static inline int32_t fl_place_at(const struct fl_reader *r, size_t i) { return i < r->w.n ? r->w.from[i] : -1; }
/* The value of a short option: the rest of its word, or the next one. */
const char *fl_option_value(const struct fl_reader *r, const char *rest, size_t *at);

static inline bool fl_same(const char *a, const char *b) { return !strcmp(a, b); }
static inline bool fl_begins(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }
const char *fl_base_name(const char *path);
/* Is s[0..n) one of the words of a list separated by blanks? */
bool fl_listed(const char *list, const char *s, size_t n);

/* ---- launch_wrappers.c -------------------------------------------------------------------------------------------- */

struct fl_wrapper; /* a WRAPPER of launch.def */
const struct fl_wrapper *fl_wrapper_by_name(const char *name);
bool fl_is_builtin(const struct fl_wrapper *p); /* of the shell: nothing to execute */
const char *fl_why_elsewhere(const char *name); /* NULL for a program that is no ELSEWHERE of launch.def */
void fl_pass_assignments(struct fl_reader *r);
/* Passes over a program that only runs another. Returns true when that was the end of it. */
bool fl_pass_wrapper(struct fl_reader *r, const struct fl_wrapper *p);

/* ---- launch.c ----------------------------------------------------------------------------------------------------- */

/* Is the word there Python, or a program or script that starts SGLang? */
bool fl_starts_launch(const struct fl_reader *r, size_t at);
void fl_run_module(struct fl_reader *r, size_t program, size_t at, const char *name); /* at: the last word that names the module */
void fl_run_script(struct fl_reader *r, size_t program, size_t at);

#endif
