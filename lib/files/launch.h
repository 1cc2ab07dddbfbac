/*
 * What a command line starts, as far as SGLang is concerned. Internal to libpdcfg-files and the command; no I/O, no environment.
 *
 *	env -u NCCL_DEBUG SGLANG_X=1 numactl --membind 0 python3 -m sglang.launch_server --tp 8
 *	    ~~~~~~~~~~~~~ ~~~~~~~~~~ ~~~~~~~             ~~~~~~~                         ~~~~~~
 *	    settings                 wrappers            program                         args
 */
#ifndef PDCFG_LAUNCH_H
#define PDCFG_LAUNCH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum launch_kind {
	LAUNCH_NOTHING, /* not recognised; why says it */
	LAUNCH_SERVER,  /* prefill, decode or neither: its arguments tell */
	LAUNCH_ENCODER,
	LAUNCH_ROUTER
};

/* Words, each with the number of the word of the command that it stands in; -1 for one that stands in none. v[n] is NULL. */
struct launch_words {
	char **v;
	int32_t *from;
	size_t n, room;
};

enum launch_change { LAUNCH_SET, LAUNCH_UNSET, LAUNCH_CLEAR };

struct launch_setting { /* a change to the environment, in order */
	char *text;     /* NAME=VALUE, NAME, or "" */
	int32_t from;
	uint8_t change;
	bool in_front;  /* before any program, as a shell writes it: whoever runs the command has to make it */
};

/* What `sglang serve` refuses before it looks at the server's options; rule is the name of SGLang's check, NULL for none. */
struct launch_refusal {
	const char *rule;
	int32_t from;
};

struct pdcfg_launch {
	enum launch_kind kind;
	const char *entry;         /* "sglang.launch_server", "sglang serve", "sglang_router.launch_router" …; "" when unknown */
	bool serve;                /* `sglang serve`: args were rewritten as it does */
	bool mixed;                /* the program has options of its own among SGLang's */
	int32_t run;               /* first word to execute: what stands before is the shell's */
	int32_t program;           /* python3, sglang …; -1 when not recognised */
	int32_t first;             /* where SGLang's arguments begin; the number of words when there are none */
	struct launch_words args;  /* SGLang's arguments */
	struct launch_words wrappers;
	struct launch_words notes; /* what a reader should know: programs passed over that may change things */
	struct launch_setting *settings;
	size_t setting_count, setting_room;
	struct launch_refusal refusal;
	char *why;                 /* of LAUNCH_NOTHING, in words */
};

/* Reads a command of argc words. Fills *out, which pdcfg_launch_end() empties, whatever this returned.
 * PDCFG_OK also when nothing was recognised; PDCFG_E_INVALID, PDCFG_E_NOMEM, PDCFG_E_LIMIT. */
int32_t pdcfg_launch_read(int32_t argc, const char *const *argv, struct pdcfg_launch *out);
void pdcfg_launch_end(struct pdcfg_launch *launch);

/* The modules that start SGLang in turn, "" behind the last. */
const char *pdcfg_launch_entry(size_t n);

/* Is this NAME=VALUE with a name that a shell takes as a variable's? Its length, 0 if not. */
size_t pdcfg_launch_assignment(const char *word);

#endif
