/* The report: one block of memory, with everything found by its offset: of the tables from the block's beginning, of all else from its texts. */
#ifndef PDCFG_REPORT_H
#define PDCFG_REPORT_H
#include "private.h"

struct subject {
	uint32_t key, value, origin_text, line, column;
	int32_t index;
	uint16_t by; /* code of the row that derived it */
	uint8_t kind;
};
struct edit_out {
	uint32_t key, value;
	uint8_t op, joins;
};
struct finding {
	uint32_t message, subjects, edits; /* offsets */
	uint32_t token, nearest;
	int32_t index;
	uint16_t code, caused_by, option, subject_count, edit_count;
	uint8_t severity, confidence, parse_class;
};
struct skipped {
	uint32_t needs; /* offset of keys */
	uint16_t code, count;
};
struct resolved {
	uint32_t text;  /* 0: the default's */
	uint32_t given; /* 0: nothing was given, or what runs */
	uint16_t by;
	uint8_t kind;
};
struct pdcfg_report {
	struct memory mem;
	size_t size;
	int64_t first;
	int32_t verdict, maybe_earlier;
	uint32_t count, errors, warnings, skipped_count;
	uint32_t findings, skipped, resolved, texts;
};
#endif
