/* Texts become values: of options as argparse converts, checks and stores them, of environment variables as SGLang's registry reads them,
 * and of facts as a person writes them. What SGLang would refuse becomes a note. */
#include <string.h>
#include "reading.h"

enum { QUOTED_MAX = 160 /* bytes of a value in a message */ };

/* ---- keeping texts ---- */

int32_t pdcfg_append(pdcfg_t *cfg, struct buffer *b, const char *s, size_t n)
{
	size_t room = b->room ? b->room : 64;
	while (room < b->used + n) room *= 2;
	if (room > b->room) {
		char *grown = pdcfg_mem_grow(&cfg->mem, b->s, b->room, room);
		if (!grown) return PDCFG_E_NOMEM;
		b->s = grown;
		b->room = room;
	}
	if (n) memcpy(b->s + b->used, s, n);
	b->used += n;
	return PDCFG_OK;
}

static int32_t append_utf8(pdcfg_t *cfg, struct buffer *b, const char *s, size_t n)
{
	int32_t status = PDCFG_OK;
	if (pdcfg_utf8_valid(s, n) == n) return pdcfg_append(cfg, b, s, n);
	for (size_t i = 0; i < n && status >= 0;) {
		size_t len = pdcfg_utf8_length(s + i, n - i);
		status = len ? pdcfg_append(cfg, b, s + i, len) : pdcfg_append(cfg, b, "\xef\xbf\xbd", 3);
		i += len ? len : 1;
	}
	return status;
}

int32_t pdcfg_intern_buffer(pdcfg_t *cfg, struct buffer *b, int32_t status, int64_t *cell)
{
	if (status >= 0) status = pdcfg_intern(cfg, b->s ? b->s : "", b->used, cell);
	pdcfg_mem_put(&cfg->mem, b->s, b->room);
	return status;
}

int32_t pdcfg_keep(pdcfg_t *cfg, const char *s, size_t n, int64_t *cell)
{
	struct buffer b = { 0 };
	if (pdcfg_utf8_valid(s, n) == n) return pdcfg_intern(cfg, s, n, cell);
	int32_t status = append_utf8(cfg, &b, s, n);
	return pdcfg_intern_buffer(cfg, &b, status, cell);
}

int32_t pdcfg_keep_quoted(pdcfg_t *cfg, const char *s, size_t n, int64_t *cell)
{
	char text[QUOTED_MAX + 16] = "'";
	size_t used = 1;
	for (size_t i = 0; i < n;) {
		size_t len = pdcfg_utf8_length(s + i, n - i);
		bool plain = len && (unsigned char)s[i] >= ' ' && s[i] != 0x7f;
		if (used + 4 > QUOTED_MAX) {
			memcpy(text + used, "…", 3);
			used += 3;
			break;
		}
		memcpy(text + used, plain ? s + i : "\xef\xbf\xbd", plain ? len : 3);
		used += plain ? len : 3;
		i += len ? len : 1;
	}
	text[used++] = '\'';
	return pdcfg_intern(cfg, text, used, cell);
}

/* ---- notes ---- */

unsigned pdcfg_number_of(const struct option *o) { return (unsigned)(o - pdcfg_options); }

int32_t pdcfg_note_option(pdcfg_t *cfg, const struct use *use, unsigned code, unsigned parse_class, const char *token, const char *value)
{
	struct note note = { .code = (uint16_t)code, .option = (uint16_t)pdcfg_number_of(use->option), .field = use->option->field,
	                     .parse_class = (uint8_t)parse_class, .index = use->index };
	int32_t status;
	if ((status = pdcfg_keep(cfg, token, strlen(token), &note.token)) < 0) return status;
	status = parse_class == PDCFG_PARSE_OTHER ? pdcfg_keep_quoted(cfg, value, strlen(value), &note.value) : pdcfg_keep(cfg, value, strlen(value), &note.value);
	return status < 0 ? status : pdcfg_add_note(cfg, &note);
}

/* a note about one value of an option */
struct complaint {
	unsigned code, parse_class;
	size_t at; /* which of the values */
};

static int32_t note_value(pdcfg_t *cfg, const struct use *use, const struct complaint *c, const char *text)
{
	struct note note = { .code = (uint16_t)c->code, .option = (uint16_t)pdcfg_number_of(use->option), .field = use->option->field,
	                     .parse_class = (uint8_t)c->parse_class, .index = use->value_index };
	size_t at, len;
	int32_t status;
	if (note.index >= 0) note.index += (int32_t)c->at;
	const char *choices = pdcfg_str(use->option->choices);
	if (c->parse_class == PDCFG_PARSE_INVALID_CHOICE && pdcfg_nearest_choice(choices, text, &at, &len) &&
	    (status = pdcfg_intern(cfg, choices + at, len, &note.nearest)) < 0)
		return status;
	const char *token = use->index >= 0 && use->index == use->value_index ? use->name : text; /* --option=value is one token */
	if ((status = pdcfg_keep(cfg, token, strlen(token), &note.token)) < 0) return status;
	if (c->parse_class != PDCFG_PARSE_INVALID_CHOICE) status = pdcfg_keep_quoted(cfg, text, strlen(text), &note.value);
	else status = pdcfg_keep(cfg, text, strlen(text), &note.value); /* the message about choices has its own quotes */
	if (status < 0) return status;
	return pdcfg_add_note(cfg, &note);
}

int32_t pdcfg_warn_option(pdcfg_t *cfg, const struct use *use, unsigned code, const char *nearest, size_t len, const char *value)
{
	struct note note = { .code = (uint16_t)code, .option = (uint16_t)pdcfg_number_of(use->option), .field = use->option->field,
	                     .warning = true, .index = use->index };
	int32_t status;
	if ((status = pdcfg_keep(cfg, use->name, use->name_len, &note.token)) < 0) return status;
	if ((status = pdcfg_intern(cfg, nearest, len, &note.nearest)) < 0) return status;
	if (value && (status = pdcfg_keep_quoted(cfg, value, strlen(value), &note.value)) < 0) return status;
	return pdcfg_add_note(cfg, &note);
}

void pdcfg_forget(pdcfg_t *cfg, unsigned field, const struct origin *from)
{
	bool was_given = bit_get(cfg->given, field);
	pdcfg_put(cfg, field, UNKNOWN, from); /* cannot fail: there is no text to ask about */
	if (was_given) return;
	bit_put(cfg->given, field, false);
	bit_put(cfg->given, pdcfg_fields[field].view, false);
}

int32_t pdcfg_origin_of(pdcfg_t *cfg, const struct use *use, struct origin *from)
{
	int64_t text;
	int32_t status = pdcfg_keep(cfg, use->name, use->name_len, &text);
	if (status < 0) return status;
	*from = (struct origin){ .text = (uint32_t)text, .index = use->index, .kind = use->kind };
	return PDCFG_OK;
}

/* ---- one value ---- */

/* What JSON holds is a matter of the caller's reader: without an answer the text is unknown. What the text holds is looked at later in
 * SGLang, and has rows of its own. */
static int32_t read_json(pdcfg_t *cfg, const struct option *o, const char *text, int64_t *cell, struct complaint *c)
{
	int32_t status = pdcfg_check_json(cfg, o, text, &c->code);
	if (status < 0) return status == PDCFG_E_NOMEM ? status : PDCFG_OK;
	if (!c->code) return pdcfg_keep(cfg, text, strlen(text), cell);
	c->parse_class = o->reading == READ_JSON ? PDCFG_PARSE_INVALID_VALUE : PDCFG_PARSE_TYPE_ERROR;
	return PDCFG_OK;
}

static void read_size(const char *text, int64_t *cell, struct complaint *c)
{
	enum human_int answer = pdcfg_read_human_int(text, strlen(text), cell);
	if (answer == HUMAN_OK) return;
	c->parse_class = PDCFG_PARSE_TYPE_ERROR;
	c->code = answer == HUMAN_BAD ? CODE_argparse_human_int_invalid : CODE_argparse_human_int_iec_decimal;
}

/* convert one text as the option's type would; a refusal is a complaint, and *cell stays UNKNOWN */
static int32_t convert(pdcfg_t *cfg, const struct option *o, const char *text, int64_t *cell, struct complaint *c)
{
	size_t n = strlen(text);
	double real;
	*cell = UNKNOWN;
	switch (o->reading) {
	case READ_INT:
		if (pdcfg_read_int(text, n, cell)) return PDCFG_OK;
		*c = (struct complaint){ CODE_argparse_invalid_int, PDCFG_PARSE_INVALID_VALUE, c->at };
		return PDCFG_OK;
	case READ_FLOAT:
		if (pdcfg_read_float(text, n, &real)) *cell = real_cell(real);
		else *c = (struct complaint){ CODE_argparse_invalid_float, PDCFG_PARSE_INVALID_VALUE, c->at };
		return PDCFG_OK;
	case READ_HUMAN_INT:
		read_size(text, cell, c);
		return PDCFG_OK;
	case READ_JSON: case READ_JSON_LIST: case READ_CUDA_GRAPH_CONFIG:
		return read_json(cfg, o, text, cell, c);
	case READ_NULLABLE:
		*cell = NONE;
		return n && strcmp(text, "None") ? pdcfg_keep(cfg, text, n, cell) : PDCFG_OK;
	default:
		return pdcfg_keep(cfg, text, n, cell);
	}
}

static bool is_choice(const struct option *o, const char *text, int64_t cell)
{
	const char *p = pdcfg_str(o->choices);
	int64_t number;
	if (!*p || o->reading != READ_INT) return !*p || pdcfg_is_choice(p, text, strlen(text));
	for (size_t n; *p; p += n + (p[n] == '|')) {
		n = strcspn(p, "|");
		if (pdcfg_read_int(p, n, &number) && number == cell) return true;
	}
	return false;
}

/* what only the deprecated name of the strategy lets through */
static int32_t check_mamba_strategy(pdcfg_t *cfg, const struct use *use, const char *text)
{
	const struct option *real = &pdcfg_options[pdcfg_fields[F_mamba_radix_cache_strategy].option];
	if (use->option == real || use->option->field != F_mamba_radix_cache_strategy || is_choice(real, text, 0)) return PDCFG_OK;
	return pdcfg_warn_option(cfg, use, CODE_argparse_mamba_scheduler_strategy_unchecked, "", 0, text);
}

static int32_t store_one(pdcfg_t *cfg, const struct use *use, const char *text, const struct origin *from)
{
	const struct option *o = use->option;
	struct complaint c = { 0 };
	int64_t cell;
	int32_t status = convert(cfg, o, text, &cell, &c);
	if (status < 0) return status;
	if (!c.code && !is_choice(o, text, cell)) c = (struct complaint){ o->code, PDCFG_PARSE_INVALID_CHOICE, 0 };
	if (c.code) status = note_value(cfg, use, &c, text);
	else status = check_mamba_strategy(cfg, use, text);
	if (status < 0) return status;
	if (c.code) cell = UNKNOWN;
	return pdcfg_put(cfg, o->field, cell, from);
}

/* ---- lists ---- */

/* an element as Python would print it, with its final NUL */
static int32_t append_element(pdcfg_t *cfg, struct buffer *b, const struct option *o, const char *text, int64_t cell)
{
	char printed[40];
	size_t n = 0;
	if (o->reading == READ_INT) n = pdcfg_print_whole(cell, printed);
	if (o->reading == READ_FLOAT) n = pdcfg_print_float(cell_real(cell), printed);
	int32_t status = n ? pdcfg_append(cfg, b, printed, n) : append_utf8(cfg, b, text, strlen(text));
	return status < 0 ? status : pdcfg_append(cfg, b, "", 1);
}

/* convert all, then check all: argparse does, so the first text that is no number comes before a choice that is none */
static int32_t read_elements(pdcfg_t *cfg, const struct option *o, const char *const *values, size_t count, struct buffer *b, struct complaint *c)
{
	for (size_t i = 0; i < count; i++) {
		int64_t cell = 0;
		int32_t status = PDCFG_OK;
		c->at = i;
		if (o->reading != READ_STR) status = convert(cfg, o, values[i], &cell, c);
		if (status < 0 || c->code) return status;
		if ((status = append_element(cfg, b, o, values[i], cell)) < 0) return status;
	}
	for (size_t i = 0; i < count; i++) {
		if (is_choice(o, values[i], UNKNOWN)) continue;
		*c = (struct complaint){ o->code, PDCFG_PARSE_INVALID_CHOICE, i };
		return PDCFG_OK;
	}
	return PDCFG_OK;
}

static int32_t store_list(pdcfg_t *cfg, const struct use *use, const char *const *values, size_t count, const struct origin *from)
{
	struct complaint c = { 0 };
	struct buffer b = { 0 };
	int64_t cell = UNKNOWN;
	int32_t status = read_elements(cfg, use->option, values, count, &b, &c);
	status = pdcfg_intern_buffer(cfg, &b, status, &cell);
	if (status < 0) return status;
	if (c.code && (status = note_value(cfg, use, &c, values[c.at])) < 0) return status;
	return pdcfg_put(cfg, use->option->field, c.code ? UNKNOWN : cell, from);
}

/* a LoRA in braces is JSON with two keys; *sure stays true when the reader could tell */
static int32_t check_lora(pdcfg_t *cfg, const char *text, size_t n, struct complaint *c, bool *sure)
{
	struct buffer b = { 0 };
	int32_t status = append_utf8(cfg, &b, text, n);
	if (status >= 0) status = pdcfg_append(cfg, &b, "", 1);
	if (status >= 0) {
		int32_t answer = pdcfg_check_lora(cfg, b.s, &c->code);
		if (answer == PDCFG_E_NOMEM) status = answer;
		*sure &= answer >= 0;
	}
	if (c->code) c->parse_class = PDCFG_PARSE_OTHER;
	pdcfg_mem_put(&cfg->mem, b.s, b.room);
	return status;
}

static int32_t store_loras(pdcfg_t *cfg, const struct use *use, const char *const *values, size_t count, const struct origin *from)
{
	struct complaint c = { 0 };
	struct buffer b = { 0 };
	int64_t cell = UNKNOWN;
	int32_t status = PDCFG_OK;
	bool sure = true;

	for (size_t i = 0; i < count && status >= 0 && !c.code; i++) {
		const char *text = values[i];
		size_t n = strlen(text);
		pdcfg_strip(&text, &n);
		c.at = i;
		if (n > 1 && *text == '{' && text[n - 1] == '}') status = check_lora(cfg, text, n, &c, &sure);
		if (status >= 0) status = append_utf8(cfg, &b, text, n);
		if (status >= 0) status = pdcfg_append(cfg, &b, "", 1);
	}
	status = pdcfg_intern_buffer(cfg, &b, status, &cell);
	if (status < 0) return status;
	if (c.code && (status = note_value(cfg, use, &c, values[c.at])) < 0) return status;
	return pdcfg_put(cfg, use->option->field, c.code || !sure ? UNKNOWN : cell, from);
}

/* ---- options ---- */

static const struct successor {
	const char *old, *now;
} successors[] = {
	{ "--disable-cuda-graph", "--cuda-graph-backend-decode disabled --cuda-graph-backend-prefill disabled" },
	{ "--enable-dsa-prefill-context-parallel", "--enable-prefill-cp" },
	{ "--enable-nsa-prefill-context-parallel", "--enable-prefill-cp" },
	{ "--enable-prefill-context-parallel", "--enable-prefill-cp" },
	{ "--dsa-prefill-cp-mode", "--cp-strategy" },
	{ "--nsa-prefill-cp-mode", "--cp-strategy" },
	{ "--prefill-cp-mode", "--cp-strategy" },
};

/* what stands instead of a deprecated option; by default the option that its field begins with */
static int32_t warn_deprecated(pdcfg_t *cfg, const struct use *use)
{
	const struct option *o = use->option;
	const char *now = pdcfg_option_first_name(pdcfg_fields[o->field].option);
	const char *konst = pdcfg_str(o->konst);
	char with_value[128];
	for (size_t i = 0; i < sizeof successors / sizeof *successors; i++)
		if (!strcmp(successors[i].old, pdcfg_str(o->names))) now = successors[i].now;
	if (o->action == ACT_OLD_STORE_CONST && strlen(now) + strlen(konst) + 2 <= sizeof with_value) {
		size_t n = strlen(now);
		memcpy(with_value, now, n);
		with_value[n] = ' ';
		memcpy(with_value + n + 1, konst, strlen(konst) + 1);
		now = with_value;
	}
	return pdcfg_warn_option(cfg, use, CODE_argparse_deprecated_option, now, strlen(now), NULL);
}

static int32_t note_old_nothing(pdcfg_t *cfg, const struct use *use)
{
	if (use->option->field != F_enable_expert_distribution_metrics) return pdcfg_warn_option(cfg, use, CODE_argparse_deprecated_noop_flags, "", 0, NULL);
	return pdcfg_note_option(cfg, use, CODE_argparse_removed_expert_distribution_metrics, PDCFG_PARSE_TYPE_ERROR, use->matched, "");
}

static int32_t store_const(pdcfg_t *cfg, const struct use *use, const struct origin *from)
{
	const char *text = pdcfg_str(use->option->konst);
	int64_t cell;
	int32_t status = pdcfg_intern(cfg, text, strlen(text), &cell);
	return status < 0 ? status : pdcfg_put(cfg, use->option->field, cell, from);
}

static int32_t store(pdcfg_t *cfg, const struct use *use, const char *const *values, size_t count, const struct origin *from)
{
	const struct option *o = use->option;
	switch (o->action) {
	case ACT_STORE_TRUE: case ACT_OLD_STORE_TRUE:
		return pdcfg_put(cfg, o->field, 1, from);
	case ACT_STORE_BOOL:
		return pdcfg_put(cfg, o->field, strncmp(use->matched, "--no-", 5) != 0, from);
	case ACT_OLD_STORE_CONST:
		return store_const(cfg, use, from);
	case ACT_STORE_LORA:
		return store_loras(cfg, use, values, count, from);
	case ACT_STORE: case ACT_OLD_STORE:
		if (o->nargs == NARGS_SOME || o->nargs == NARGS_ANY_NUMBER) return store_list(cfg, use, values, count, from);
		if (count) return store_one(cfg, use, values[0], from);
		if (o->nargs == NARGS_MAYBE) return store_const(cfg, use, from);
		return pdcfg_put(cfg, o->field, UNKNOWN, from); /* --tp-size=-- stores an empty list, which is no value of any of these */
	default:
		return PDCFG_OK;
	}
}

int32_t pdcfg_take_option(pdcfg_t *cfg, const struct use *use, const char *const *values, size_t count)
{
	struct origin from;
	int32_t status = pdcfg_origin_of(cfg, use, &from);
	if (status >= 0 && use->option->action == ACT_OLD_NOTHING) status = note_old_nothing(cfg, use);
	else if (status >= 0 && use->option->action >= ACT_OLD_STORE) status = warn_deprecated(cfg, use);
	return status < 0 ? status : store(cfg, use, values, count, &from);
}

/* ---- an option outside a command line ---- */

/* "" and true turn a switch on, false off; anything else is the value that it does not take */
static int32_t read_switch(pdcfg_t *cfg, const struct use *use, const char *text)
{
	struct origin from;
	int32_t status;
	bool off = !strcmp(text, "false") || !strcmp(text, "False");
	if (*text && !off && strcmp(text, "true") && strcmp(text, "True"))
		return pdcfg_note_option(cfg, use, CODE_argparse_flag_takes_no_value, PDCFG_PARSE_EXPLICIT_ARGUMENT, text, text);
	if (!off) return pdcfg_take_option(cfg, use, NULL, 0);
	if (use->option->action == ACT_OLD_STORE_CONST || use->option->action == ACT_OLD_NOTHING) return PDCFG_OK;
	if ((status = pdcfg_origin_of(cfg, use, &from)) < 0) return status;
	return pdcfg_put(cfg, use->option->field, use->option->action == ACT_STORE_BOOL && !strncmp(use->matched, "--no-", 5), &from);
}

/* Split at blanks, as a shell would without quotes; a LoRA in braces stays whole. Returns the number of words, which stand in words one
 * after the other, each with its NUL. */
static size_t split(const char *text, char *words, const char **at, size_t max)
{
	size_t count = 0;
	for (const char *s = text + strspn(text, " \t\n"); *s && count < max; s += strspn(s, " \t\n")) {
		size_t n = *s == '{' ? strlen(s) : strcspn(s, " \t\n");
		memcpy(words, s, n);
		words[n] = 0;
		at[count++] = words;
		words += n + 1;
		s += n;
	}
	return count;
}

static int32_t read_list(pdcfg_t *cfg, const struct use *use, const char *text)
{
	size_t n = strlen(text) + 1, places = n / 2 + 1, count;
	const char **at = pdcfg_mem_get(&cfg->mem, places * sizeof *at);
	char *words = pdcfg_mem_get(&cfg->mem, n);
	int32_t status = PDCFG_E_NOMEM;
	if (at && words) {
		count = split(text, words, at, places);
		if (!count && use->option->nargs == NARGS_SOME)
			status = pdcfg_note_option(cfg, use, CODE_argparse_expected_at_least_one, PDCFG_PARSE_ARGUMENTS, use->matched, "");
		else status = pdcfg_take_option(cfg, use, at, count);
	}
	pdcfg_mem_put(&cfg->mem, at, places * sizeof *at);
	pdcfg_mem_put(&cfg->mem, words, n);
	return status;
}

int32_t pdcfg_read_option(pdcfg_t *cfg, const struct option *o, const char *name, const char *text)
{
	struct use use = { .option = o, .name = name, .name_len = strlen(name), .matched = name, .index = -1, .value_index = -1,
	                   .kind = PDCFG_FROM_CALLER };
	uint32_t before = cfg->note_count;
	int32_t status;
	if (o->action == ACT_HELP) return PDCFG_OK; /* no setting */
	if (o->nargs == NARGS_NO_VALUE) status = read_switch(cfg, &use, text);
	else if (o->nargs == NARGS_SOME || o->nargs == NARGS_ANY_NUMBER) status = read_list(cfg, &use, text);
	else status = pdcfg_take_option(cfg, &use, &text, o->nargs == NARGS_ONE || *text);
	if (status < 0) cfg->note_count = before;
	else pdcfg_drop_notes(cfg, o->field, before);
	return status;
}

/* ---- variables and facts ---- */

static int32_t note_text(pdcfg_t *cfg, unsigned field, unsigned code, const char *text, const struct origin *from)
{
	struct note note = { .code = (uint16_t)code, .option = OPTION_COUNT, .field = (uint16_t)field, .warning = true, .index = -1,
	                     .token = from->text };
	const char *name = pdcfg_str(pdcfg_fields[field].name);
	int32_t status;
	if (pdcfg_fields[field].kind == PDCFG_KIND_ENVIRONMENT) name += 4;
	if (!from->text && (status = pdcfg_intern(cfg, name, strlen(name), &note.token)) < 0) return status;
	if ((status = pdcfg_keep_quoted(cfg, text, strlen(text), &note.value)) < 0) return status;
	return pdcfg_add_note(cfg, &note);
}

static bool one_of(const char *text, const char *words)
{
	for (size_t n; *words; words += n + (words[n] == ' ')) {
		size_t i = 0;
		n = strcspn(words, " ");
		while (i < n && lower(text[i]) == words[i]) i++;
		if (i == n && !text[i]) return true;
	}
	return false;
}

static bool read_bool(const char *text, int64_t *cell)
{
	*cell = one_of(text, "true 1 yes y");
	return *cell || one_of(text, "false 0 no n");
}
static bool read_real(const char *text, int64_t *cell)
{
	double d;
	if (!pdcfg_read_float(text, strlen(text), &d)) return false;
	*cell = real_cell(d);
	return true;
}

/* a list as a person writes it: elements with commas between them */
static int32_t read_commas(pdcfg_t *cfg, unsigned type, const char *text, int64_t *cell, bool *good)
{
	struct option as = { .reading = type == PDCFG_TYPE_INTS ? READ_INT : type == PDCFG_TYPE_FLOATS ? READ_FLOAT : READ_STR };
	struct buffer b = { 0 }, word = { 0 };
	int32_t status = PDCFG_OK;
	for (const char *s = text + strspn(text, " "); *s && status >= 0 && *good; s += strspn(s, " ")) {
		size_t n = strcspn(s, ","), len = n;
		struct complaint c = { 0 };
		int64_t value = 0;
		while (len && s[len - 1] == ' ') len--;
		word.used = 0;
		status = pdcfg_append(cfg, &word, s, len);
		if (status >= 0) status = pdcfg_append(cfg, &word, "", 1);
		if (status >= 0 && as.reading != READ_STR) status = convert(cfg, &as, word.s, &value, &c);
		*good = !c.code;
		if (status >= 0 && *good) status = append_element(cfg, &b, &as, word.s, value);
		s += n + (s[n] == ',');
	}
	pdcfg_mem_put(&cfg->mem, word.s, word.room);
	return pdcfg_intern_buffer(cfg, &b, status, cell);
}

static int32_t read_fact(pdcfg_t *cfg, unsigned field, const char *text, int64_t *cell, bool *good)
{
	unsigned type = pdcfg_fields[field].type;
	*cell = NONE;
	*good = true;
	if (!strcmp(text, "None")) return PDCFG_OK;
	switch (type) {
	case PDCFG_TYPE_BOOL:  *good = read_bool(text, cell); return PDCFG_OK;
	case PDCFG_TYPE_INT:   *good = pdcfg_read_int(text, strlen(text), cell); return PDCFG_OK;
	case PDCFG_TYPE_FLOAT: *good = read_real(text, cell); return PDCFG_OK;
	case PDCFG_TYPE_TEXT:  return pdcfg_keep(cfg, text, strlen(text), cell);
	default:               return read_commas(cfg, type, text, cell, good);
	}
}

static int32_t read_registered(pdcfg_t *cfg, unsigned field, const char *text, int64_t *cell, bool *good)
{
	switch (pdcfg_fields[field].reading) {
	case READ_BOOL:                        *good = read_bool(text, cell); return PDCFG_OK;
	case READ_INT: case READ_STRICT_INT:   *good = pdcfg_read_int(text, strlen(text), cell); return PDCFG_OK;
	case READ_FLOAT: case READ_STRICT_FLOAT: *good = read_real(text, cell); return PDCFG_OK;
	case READ_TRUTH: /* utils/common.py:get_bool_env_var: anything but these is false, without a word */
		*good = true;
		*cell = one_of(text, "true 1");
		return PDCFG_OK;
	case READ_INT_BOOL:
		*good = pdcfg_read_int(text, strlen(text), cell);
		*cell = *good && *cell;
		return PDCFG_OK;
	default:
		*good = true;
		return pdcfg_keep(cfg, text, strlen(text), cell);
	}
}

static bool is_strict(unsigned reading) { return reading == READ_INT_BOOL || reading == READ_STRICT_INT || reading == READ_STRICT_FLOAT; }

int32_t pdcfg_read_variable(pdcfg_t *cfg, unsigned field, const char *text, const struct origin *from)
{
	const struct field *f = &pdcfg_fields[field];
	bool variable = f->kind == PDCFG_KIND_ENVIRONMENT, good;
	uint32_t before = cfg->note_count;
	int64_t cell = UNKNOWN;
	int32_t status = variable ? read_registered(cfg, field, text, &cell, &good) : read_fact(cfg, field, text, &cell, &good);
	if (status < 0) return status;
	unsigned code = !variable ? CODE_fact_not_readable : is_strict(f->reading) ? CODE_env_number_raises_when_read : CODE_env_bool_invalid_falls_back;
	if (!good && (status = note_text(cfg, field, code, text, from)) < 0) return status;
	if (!good) cell = variable && !is_strict(f->reading) ? pdcfg_defaults[field] : UNKNOWN;
	status = pdcfg_put(cfg, field, cell, from);
	if (status < 0) cfg->note_count = before;
	else pdcfg_drop_notes(cfg, field, before);
	return status;
}
