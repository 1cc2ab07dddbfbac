/* UTF-8, one character at a time, and the name of a YAML file. */
#include <string.h>
#include "text.h"

size_t pdcfg_utf8_length(const char *s, size_t n)
{
	const unsigned char *u = (const unsigned char *)s;
	if (!n || *u < 0x80) return n != 0;
	size_t len = *u < 0xc2 ? 0 : *u < 0xe0 ? 2 : *u < 0xf0 ? 3 : *u < 0xf5 ? 4 : 0;
	if (!len || len > n) return 0;
	unsigned low = *u == 0xe0 ? 0xa0 : *u == 0xf0 ? 0x90 : 0x80, high = *u == 0xed ? 0x9f : *u == 0xf4 ? 0x8f : 0xbf;
	if (u[1] < low || u[1] > high) return 0;
	for (size_t i = 2; i < len; i++)
		if ((u[i] & 0xc0) != 0x80) return 0;
	return len;
}

uint32_t pdcfg_utf8_code(const char *s, size_t len)
{
	const unsigned char *u = (const unsigned char *)s;
	uint32_t code = len == 1 ? *u : *u & (0x7fu >> len);
	for (size_t i = 1; i < len; i++) code = code << 6 | (u[i] & 0x3fu);
	return code;
}

size_t pdcfg_utf8_valid(const char *s, size_t n)
{
	size_t i = 0;
	for (size_t len; i < n && (len = pdcfg_utf8_length(s + i, n - i)) != 0; i += len) {}
	return i;
}

static bool ends_with(const char *s, size_t len, const char *suffix)
{
	size_t n = strlen(suffix);
	if (len < n) return false;
	for (size_t i = 0; i < n; i++)
		if (lower(s[len - n + i]) != suffix[i]) return false;
	return true;
}

bool pdcfg_is_yaml_name(const char *path)
{
	size_t len = strlen(path), start;
	for (;;) { /* a/b.yaml/ and a/b.yaml/. are a/b.yaml */
		if (len && path[len - 1] == '/') len--;
		else if (len > 1 && path[len - 1] == '.' && path[len - 2] == '/') len--;
		else break;
	}
	for (start = len; start && path[start - 1] != '/'; start--) {}
	len -= start;
	return (ends_with(path + start, len, ".yaml") && len > 5) || (ends_with(path + start, len, ".yml") && len > 4);
}
