/* The walk through the table: from what was given to what SGLang would run with. */
#ifndef PDCFG_ENGINE_H
#define PDCFG_ENGINE_H
#include "private.h"

struct run {
	const pdcfg_t *cfg;
	struct facts k;
	unsigned resume;                        /* rows before this one are skipped */
	bool settled;                           /* the verdict is open already: what lies behind unknowns matters no more */
	int64_t v[CELL_COUNT];
	uint16_t by[CELL_COUNT];                /* the row that wrote the cell, plus 1 */
	uint8_t declared[CELL_COUNT];           /* how surely the field has been declared */
	uint8_t lacks[CELL_COUNT];              /* of an unknown cell that a row wrote: which kinds of facts are behind it */
	uint64_t written[BIT_WORDS(CELL_COUNT)]; /* cells that some row wrote */
	uint64_t open[BIT_WORDS(ROW_COUNT)];
	uint64_t moot[BIT_WORDS(ROW_COUNT)];    /* errors that cannot be true for want of a fact */
};

/* Told of each row whose condition is not false, before it acts; new_value is what an assigning row is about to write. Returns false to
 * end the walk. */
typedef bool (*pdcfg_row_fn)(void *ctx, struct run *r, unsigned row, tri t, int64_t new_value);

enum walk { WALK_ALL, WALK_GATED, WALK_JUDGING }; /* every row; those whose gates are in play; of these, those on which the verdict can depend */
void pdcfg_walk(const pdcfg_t *cfg, struct run *r, enum walk walk, pdcfg_row_fn told, void *ctx);
/* the fields that nobody gave and that keep the row from being decided, behind all the cells that rows derived from them */
unsigned pdcfg_missing(const struct run *r, unsigned row, uint16_t *fields, unsigned max);
/* an error row is undecided: does it keep the verdict open, or does it only lack facts about the machine? */
bool pdcfg_keeps_open(const struct run *r, unsigned row);
/* does the row write something else than what the user gave? */
bool pdcfg_overrides(const struct run *r, unsigned row, int64_t new_value);

static inline bool pdcfg_is_certain(unsigned row) { return pdcfg_texts[row].confidence == PDCFG_CERTAIN; }
static inline const struct tok *pdcfg_tokens_of(unsigned row) { return &pdcfg_tokens[pdcfg_rows[row].tokens]; }
#endif
