/* What the files of the command share. It comes first in each of them. */
#ifndef PDCFG_CLI_H
#define PDCFG_CLI_H
#define _POSIX_C_SOURCE 200809L
#include <pdcfg/pdcfg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "launch.h"

#define STATUS_CLEAN 0    /* nothing at or above the fail level */
#define STATUS_FOUND 1
#define STATUS_UNABLE 2   /* could not check: usage, unreadable input, out of memory */

/* ---- output (out.c): text grows in memory and is written at once ---- */
struct out {
	char *s;
	size_t n, room;
	bool failed;    /* no memory: the status is 2 whatever was found */
	unsigned width; /* columns */
	bool color;
};
enum style { PLAIN, BOLD, RED, YELLOW, GREEN, CYAN, DIM };

void put(struct out *o, const char *text);              /* as it is: for our own words */
void put_bytes(struct out *o, const char *s, size_t n);
__attribute__((format(printf, 2, 3))) void put_f(struct out *o, const char *format, ...);
void put_safe(struct out *o, const char *text);         /* control characters escaped */
void put_word(struct out *o, const char *word);         /* the same as a word for a shell, in quotes where it needs them */
void put_many(struct out *o, char c, unsigned n);
void put_styled(struct out *o, enum style style, const char *text);
/* wrapped at words; the cursor is at column at, further lines are indented by indent. Ends the line. Escapes. */
void put_wrapped(struct out *o, const char *text, unsigned at, unsigned indent);
char *safe_text(const char *text);                      /* as put_safe; the caller frees it, NULL without memory */
unsigned columns_of(const char *text);                  /* code points */
bool write_out(struct out *o, int fd);                  /* false when it could not be written; empties it */
unsigned terminal_width(int fd);
void end_out(struct out *o);

/* nearest of words to a mistyped one, NULL when none is near (words.c) */
struct nearest {
	const char *word, *best;
	unsigned distance;
};
void nearest_try(struct nearest *n, const char *candidate);

/* ---- options (options.c) ---- */
enum format { FORMAT_TEXT, FORMAT_JSON };
#define NOTE 3 /* a severity of the command alone, beside PDCFG_ERROR and PDCFG_WARNING: read as it was meant */

enum fail_level { FAIL_ERROR, FAIL_WARNING, FAIL_NEVER };
enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
#define REQUIRE_MODEL 1
#define REQUIRE_PLATFORM 2
#define REQUIRE_PEER 4

struct texts { /* borrowed from argv */
	const char **v;
	size_t n, room;
};
struct codes {
	uint32_t *v;
	bool *used;
	size_t n, room;
};
struct options {
	enum format format;
	enum fail_level fail_level;
	enum color color;
	uint32_t require;
	bool no_env, pd_required, quiet, all, help, version;
	bool in_log; /* the summary stands alone among another program's lines */
	const char *model_config, *platform;
	struct texts traits, env; /* of env: "e" or "f" and the option's value in turn */
	struct codes only, ignore;
	const char *const *command; /* behind -- ; NULL without one */
	int command_count;
	struct texts operands;
};
struct command {
	const char *name, *usage, *summary, *about;
	uint32_t options;           /* OPT_… that it takes */
	int (*run)(struct options *);
};
#define OPT_COMMON 1    /* every command */
#define OPT_CHECK 2     /* those that look at a launch */
#define OPT_LISTING 4   /* output formats of explain and rules */
#define OPT_VERDICT 8   /* fail level and filters */
#define OPT_RESOLVE 16

extern const struct command commands[];
const struct command *find_command(const char *name);
/* returns 0, or STATUS_UNABLE after it has said what is wrong */
int read_options(const struct command *c, int argc, const char *const *argv, struct options *o);
void end_options(struct options *o);
void print_options(struct out *out, const struct command *c); /* for --help */
bool want_color(const struct options *o, int fd);
uint32_t code_by_text(const char *text);       /* PD2417, pd2417, 2417 or a rule's name; 0 */
const char *nearest_rule(const char *text);    /* "" when none is near */
const char *nearest_fact(const char *text);    /* a trait of the model or fact of the platform, without "model." */
/* ---- facts (facts.c) ---- */
void put_facts(struct out *out);                /* all of them, with type and example */
void put_fact(struct out *out, uint32_t key);   /* "platform.ib_devices=mlx5_0,mlx5_1" */
const char *fact_name(uint32_t key);            /* without "model." */
const char *fact_type(uint32_t key);            /* "a whole number" */

/* a sentence on standard error; returns STATUS_UNABLE */
__attribute__((format(printf, 1, 2))) int complain(const char *format, ...);
const char *first_complaint(void); /* "" when there was none */
bool has_written(int fd);          /* or tried to */
int show_usage(const char *command); /* and how a launch is given, in a line of its own */

#define CATALOGUE "catalogue" /* origin of what the catalogue of models says */

/* ---- one launch that is checked (server.c) ---- */
struct variable {
	char *text;       /* NAME=VALUE */
	const char *how;  /* "environment", "--env", "in front of the command", or the name of a file */
	uint32_t line;    /* of the file, else 0 */
	int32_t word;     /* of the command, -1 */
};
struct server {
	struct pdcfg_launch launch;
	struct variable *env;
	size_t env_count, env_room;
	pdcfg_t *cfg;
	pdcfg_report *rep;
	bool exits;       /* SGLang would print its help and exit */
	char *model_from; /* path or name of the model whose traits are known, NULL when none are */
	bool model_in_file, model_known; /* read from its file, or known by its name */
	bool guessed;     /* by the last part of its name only: what follows from them is likely, not certain */
	uint32_t *sure;   /* of a guessed model: codes of the errors that hold without it, ended by 0 */
	struct launch_words args; /* what was given to pdcfg_files_parse_argv(); from: word of the command */
	struct launch_words extra; /* arguments that belong to a program around SGLang */
	const char *const *command;
	int command_count;
	const char *role;
	/* the findings shown, as indices of the report's, and what follows from them */
	size_t *shown;
	size_t shown_count, errors, warnings, hidden; /* notes are counted in none of them */
	size_t lacking;   /* what --require asks for and nobody gave */
	int64_t first;    /* index in the report of the first refusal, shown or not, -1 */
	int32_t verdict;
};
/* Reads the launch behind --, its environment, model and facts, and validates. 0, or STATUS_UNABLE after complaining. */
int check_server(const struct options *o, struct server *s);
void end_server(struct server *s);
int status_of(const struct options *o, const struct server *s);
/* with a guess about the model taken into account: what rests on it is likely, and no error */
uint32_t confidence_of(const struct server *s, size_t finding);
uint32_t severity_of(const struct server *s, size_t finding);
/* a warning or note about how something is written */
bool is_minor(const struct server *s, size_t finding);
/* the word of the command that an argument stands in, -1 */
int32_t word_of(const struct server *s, int64_t index);
int32_t word_of_finding(const struct server *s, size_t finding);
const struct variable *variable_of(const struct server *s, const char *name);
/* rules not evaluated that need a fact of this PDCFG_KIND_… */
size_t needs_of_kind(const struct server *s, uint32_t kind);
bool lacks_required(const struct options *o, const struct server *s, uint32_t what);
bool is_shown(const struct server *s, size_t finding);
const char *verdict_name(int32_t verdict);
uint32_t first_code(const struct server *s); /* of the rule that SGLang stops at, 0 */
uint32_t rule_count(void);

void report_text(struct out *out, const struct options *o, struct server *s);  /* text.c */
void put_unevaluated(struct out *out, const struct options *o, const struct server *s); /* and which facts would help */
void report_json(struct out *out, const struct options *o, struct server *s);  /* json.c */
void failure_json(struct out *out, const char *why);
bool put_excerpt(struct out *out, const struct server *s, size_t finding);     /* excerpt.c; false when there is nothing to show */
/* Where a finding points into the file of --config (place.c) */
struct place {
	const char *file;      /* NULL for nowhere */
	uint32_t line, column; /* column 0: unknown */
};
struct place place_of(const struct server *s, size_t finding);
bool put_place(struct out *out, const struct server *s, size_t finding); /* with that line, where it can be read */
/* does the first fix speak of this setting? Then the finding is foremost about it */
bool is_fixed(const struct server *s, size_t finding, uint32_t key);
bool was_given(const struct server *s, size_t finding, size_t subject);
/* the value of a subject, or the text that was written where it did not parse */
const char *written_value(const struct server *s, size_t finding, size_t subject);
/* how a fix is written on a command line, in words: "drop --x", "use --x decode instead of prefill" (fix.c) */
void put_fix(struct out *out, const struct server *s, size_t finding, size_t fix);
/* would it change what is given? Where no edit of a fix would, all count */
bool changes_anything(const struct server *s, size_t finding, size_t fix, size_t edit);
const char *nearest_of(const struct server *s, size_t finding); /* what its word may be meant to be, "" */
/* the variable that a finding of phase parse is about, NULL when it is about none */
const struct variable *variable_of_finding(const struct server *s, size_t finding, uint32_t *key);

/* 0 when there is a launch behind --, else STATUS_UNABLE after complaining */
int need_command(const struct options *o, const char *name);
int run_check(struct options *o);
int run_exec(struct options *o);
int run_resolve(struct options *o);
int run_explain(struct options *o);
int run_rules(struct options *o);
int run_help(struct options *o);
int run_version(struct options *o);

#endif
