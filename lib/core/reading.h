/* What argv.c, environ.c and values.c share: how the words of a command line or an environment become values and notes. */
#ifndef PDCFG_READING_H
#define PDCFG_READING_H
#include "private.h"

/* one use of an option */
struct use {
	const struct option *option;
	const char *name;    /* as the user wrote it, without =value */
	size_t name_len;
	const char *matched; /* the option's name that it stands for */
	int32_t index;       /* of its token, -1 outside an argument vector */
	int32_t value_index; /* of its first value */
	uint8_t kind;        /* where it comes from: PDCFG_FROM_… */
};

/* Converts, checks and stores the values of an option whose number of values is right. What SGLang would refuse becomes a note, and the
 * field is then unknown. Only memory can fail. */
int32_t pdcfg_take_option(pdcfg_t *cfg, const struct use *use, const char *const *values, size_t count);
/* A note about the use of an option: an error, with the word that is wrong and what the message calls {value} (in quotes when it is none of
 * argparse's own errors); or a warning, with what is nearest and a value to be quoted, NULL for none. The texts must not be those of the
 * handle's pool, which may move. */
int32_t pdcfg_note_option(pdcfg_t *cfg, const struct use *use, unsigned code, unsigned parse_class, const char *token, const char *value);
int32_t pdcfg_warn_option(pdcfg_t *cfg, const struct use *use, unsigned code, const char *nearest, size_t len, const char *value);
/* the value of the field is there and unknown; it does not count as given */
void pdcfg_forget(pdcfg_t *cfg, unsigned field, const struct origin *from);
/* where a value comes from, with its text interned */
int32_t pdcfg_origin_of(pdcfg_t *cfg, const struct use *use, struct origin *from);

/* intern a text from outside: bytes that are no UTF-8 become U+FFFD */
int32_t pdcfg_keep(pdcfg_t *cfg, const char *s, size_t n, int64_t *cell);
/* the same in quotes for a message, without control characters and cut where it is long */
int32_t pdcfg_keep_quoted(pdcfg_t *cfg, const char *s, size_t n, int64_t *cell);

/* a growing text */
struct buffer {
	char *s;
	size_t used, room;
};
int32_t pdcfg_append(pdcfg_t *cfg, struct buffer *b, const char *s, size_t n);
/* intern the buffer, unless status is an error already, and end it */
int32_t pdcfg_intern_buffer(pdcfg_t *cfg, struct buffer *b, int32_t status, int64_t *cell);

/* Would SGLang take this text of a JSON option, this LoRA in braces? *code is the row that says why not, or 0. Negative when nobody can
 * tell; only NOMEM is an error. */
int32_t pdcfg_check_json(pdcfg_t *cfg, const struct option *o, const char *text, unsigned *code);
int32_t pdcfg_check_lora(pdcfg_t *cfg, const char *text, unsigned *code);

unsigned pdcfg_number_of(const struct option *o);

#endif
