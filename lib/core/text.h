/* Characters and numbers as Python reads and prints them, whatever the locale (text.c, number.c). The readers of files compile these two sources
 * as well: the core exports nothing of them. */
#ifndef PDCFG_CORE_TEXT_H
#define PDCFG_CORE_TEXT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
static inline char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c; }
static inline bool is_hex(char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f'); }
static inline bool is_ascii(char c) { return (unsigned char)c < 0x80; }
static inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }          /* what int() and float() pass over */
static inline bool is_blank(char c) { return is_space(c) || (c >= '\x1c' && c <= '\x1f'); }   /* what str.strip() takes away; of ASCII */

/* does the text equal this word, or begin with it, whatever the case? The word is in lower case. */
static inline bool starts_lower(const char *text, const char *word)
{
	while (*word && lower(*text) == *word) text++, word++;
	return !*word;
}
static inline bool same_lower(const char *text, const char *word)
{
	while (*word && lower(*text) == *word) text++, word++;
	return !*text && !*word;
}

/* .yaml or .yml, as pathlib sees the suffix: .yaml alone is a name without one */
bool pdcfg_is_yaml_name(const char *path);

/* how many bytes at s are one character of UTF-8, 0 when they are none: no overlong form, no surrogate, nothing above U+10FFFF */
size_t pdcfg_utf8_length(const char *s, size_t n);
uint32_t pdcfg_utf8_code(const char *s, size_t len); /* the character that these len bytes are */
size_t pdcfg_utf8_valid(const char *s, size_t n);    /* how many bytes from the beginning are UTF-8 */

void pdcfg_strip(const char **s, size_t *n); /* str.strip(), which knows more blanks than those of ASCII */
bool pdcfg_read_int(const char *s, size_t n, int64_t *out);   /* beyond int64_t it saturates, clear of UNKNOWN and NONE */
bool pdcfg_read_float(const char *s, size_t n, double *out);
enum human_int { HUMAN_OK, HUMAN_BAD, HUMAN_FRACTION };       /* HUMAN_FRACTION: "1.5Ki", which SGLang refuses in other words */
enum human_int pdcfg_read_human_int(const char *s, size_t n, int64_t *out);
/* -5, -.5, -0.5: what argparse takes for a value although it begins with a dash */
bool pdcfg_is_negative_number(const char *s, size_t n);
size_t pdcfg_print_float(double d, char out[40]);             /* repr(d); returns the length */
size_t pdcfg_print_whole(int64_t value, char out[24]);        /* in decimal; returns the length */
int64_t real_cell(double d);                                  /* order-preserving; NaN is above everything */
double cell_real(int64_t cell);

#endif
