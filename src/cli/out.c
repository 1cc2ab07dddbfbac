/* Text that goes to a terminal or a log: it grows in memory, wraps at words, and never lets a control character through. */
#include "cli.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void put_bytes(struct out *o, const char *s, size_t n)
{
	size_t room = o->room ? o->room : 4096;
	char *bigger;

	if (o->failed)
		return;
	while (room - o->n < n + 1)
		room *= 2;
	if (room != o->room) {
		bigger = realloc(o->s, room);
		if (!bigger) {
			o->failed = true;
			return;
		}
		o->s = bigger;
		o->room = room;
	}
	memcpy(o->s + o->n, s, n);
	o->n += n;
	o->s[o->n] = 0;
}

void put(struct out *o, const char *text) { put_bytes(o, text, strlen(text)); }

void put_f(struct out *o, const char *format, ...)
{
	char small[256], *text = small;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(small, sizeof small, format, args);
	va_end(args);
	if (n >= (int)sizeof small) {
		text = malloc((size_t)n + 1);
		if (!text) {
			o->failed = true;
			return;
		}
		va_start(args, format);
		vsnprintf(text, (size_t)n + 1, format, args);
		va_end(args);
	}
	if (n > 0)
		put_bytes(o, text, (size_t)n);
	if (text != small)
		free(text);
}

/* The length of the UTF-8 character at s, 0 when it is none; *c is the character. */
static size_t character(const char *s, uint32_t *c)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char b = (unsigned char)*s;
	size_t n = b < 0x80 ? 1 : b >= 0xf0 && b < 0xf8 ? 4 : b >= 0xe0 && b < 0xf0 ? 3 : b >= 0xc0 && b < 0xe0 ? 2 : 0;

	if (!n)
		return 0;
	*c = n == 1 ? b : b & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | ((unsigned char)s[i] & 0x3f);
	}
	return n > 1 && (*c < least[n] || *c > 0x10ffff || (*c >= 0xd800 && *c < 0xe000)) ? 0 : n;
}

/* C0, C1, DEL and what turns the direction of writing, with which a text could show as another one. */
static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static void put_escape(struct out *o, uint32_t c, bool byte)
{
	if (c == '\n' || c == '\t' || c == '\r')
		put(o, c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r");
	else if (c < 0x100)
		put_f(o, "\\x%02x", (unsigned)c);
	else
		put_f(o, byte ? "\\x%02x" : "\\u%04x", (unsigned)c);
}

void put_safe(struct out *o, const char *text)
{
	while (*text) {
		uint32_t c = 0;
		size_t n = character(text, &c);

		if (!n)
			put_escape(o, (unsigned char)*text, true);
		else if (is_control(c))
			put_escape(o, c, false);
		else
			put_bytes(o, text, n);
		text += n ? n : 1;
	}
}

char *safe_text(const char *text)
{
	struct out o = { 0 };

	put_safe(&o, text);
	put(&o, "");
	if (o.failed) {
		free(o.s);
		return NULL;
	}
	return o.s;
}

unsigned columns_of(const char *text)
{
	unsigned n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

void put_many(struct out *o, char c, unsigned n)
{
	while (n--)
		put_bytes(o, &c, 1);
}

/* A word; or, of a variable and its {value} in a template that do not fit into a line, what stands before the brace. */
static size_t length_of_piece(const char *s, unsigned room)
{
	size_t n = strcspn(s, " ");
	const char *brace = n > room ? strstr(s, "={") : NULL;

	return brace && brace < s + n ? (size_t)(brace - s) + 1 : n;
}

void put_wrapped(struct out *o, const char *raw, unsigned at, unsigned indent)
{
	char *text = safe_text(raw), *p = text;
	bool first = true;

	if (!text) {
		o->failed = true;
		return;
	}
	while (*p) {
		size_t n = length_of_piece(p, o->width - indent);
		char kept = p[n];

		p[n] = 0;
		if (!first && at + 1 + columns_of(p) > o->width) {
			put(o, "\n");
			put_many(o, ' ', indent);
			at = indent;
		} else if (!first) {
			put(o, " ");
			at++;
		}
		put(o, p);
		at += columns_of(p);
		first = false;
		p[n] = kept;
		p += n;
		p += strspn(p, " ");
	}
	put(o, "\n");
	free(text);
}

void put_word(struct out *o, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-{}[]";
	const char *p;

	if (*word && !word[strspn(word, plain)]) {
		put(o, word);
		return;
	}
	put(o, "'");
	for (p = word; *p; p += strcspn(p, "'")) {
		if (*p == '\'') {
			put(o, "'\\''");
			p++;
			continue;
		}
		char *part = strndup(p, strcspn(p, "'"));

		if (part)
			put_safe(o, part);
		else
			o->failed = true;
		free(part);
	}
	put(o, "'");
}

void put_styled(struct out *o, enum style style, const char *text)
{
	static const char *const codes[] = {
		[PLAIN] = "", [BOLD] = "1", [RED] = "1;31", [YELLOW] = "1;33", [GREEN] = "1;32", [CYAN] = "36", [DIM] = "2"
	};

	if (o->color && style != PLAIN) {
		put_f(o, "\033[%sm", codes[style]);
		put_safe(o, text);
		put(o, "\033[0m");
	} else {
		put_safe(o, text);
	}
}

unsigned terminal_width(int fd)
{
	struct winsize size;

	if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) < 0 || size.ws_col < 40)
		return 80;
	return size.ws_col > 100 ? 100 : size.ws_col;
}

static bool written;

bool has_written(int fd) { return fd == 1 && written; }

bool write_out(struct out *o, int fd)
{
	const char *p = o->s;
	size_t left = o->n;
	bool good = !o->failed;

	written |= fd == 1;
	while (good && left) {
		ssize_t n = write(fd, p, left);

		if (n < 0 && errno == EINTR)
			continue;
		good = n >= 0;
		p += good ? n : 0;
		left -= good ? (size_t)n : 0;
	}
	if (o->failed)
		complain("out of memory");
	else if (!good)
		complain("cannot write the report: %s", strerror(errno));
	end_out(o);
	return good;
}

void end_out(struct out *o)
{
	free(o->s);
	o->s = NULL;
	o->n = o->room = 0;
}

static void write_error(struct out *o)
{
	for (size_t at = 0; at < o->n;) { /* when this fails nobody is left to be told */
		ssize_t n = write(2, o->s + at, o->n - at);

		if (n < 0)
			break;
		at += (size_t)n;
	}
	end_out(o);
}

static char first[1024];

const char *first_complaint(void) { return first; }

int complain(const char *format, ...)
{
	char text[1024];
	struct out o = { .width = terminal_width(2) };
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (!*first)
		memcpy(first, text, sizeof first);
	put(&o, "pdcfg: ");
	put_wrapped(&o, text, 7, 2);
	write_error(&o);
	return STATUS_UNABLE;
}

int show_usage(const char *command)
{
	struct out o = { 0 };

	put_f(&o, "  pdcfg %s -- python3 -m sglang.launch_server ...\n", command);
	write_error(&o);
	return STATUS_UNABLE;
}
