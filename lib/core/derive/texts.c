/* Small texts, as Python and SGLang read them. */
#include "derive.h"

struct span stripped(const char *s, size_t n)
{
	pdcfg_strip(&s, &n);
	return (struct span){ s, n };
}

int64_t version_of(const char *text, unsigned parts)
{
	int64_t version = 0;
	while (parts--) {
		int64_t part = 0;
		for (; is_digit(*text); text++) part = part < 1000 ? part * 10 + (*text - '0') : part;
		version = version * 1000 + (part < 1000 ? part : 999);
		if (*text == '.') text++;
	}
	return version;
}

bool in_object_store(const char *path)
{
	return starts_lower(path, "s3://") || starts_lower(path, "gs://") || starts_lower(path, "az://");
}

/* ---- IP addresses ---- */

/* the groups of hexadecimal digits between colons; an IPv4 address may stand for the last two */
struct ipv6 {
	size_t groups, skip_at; /* place of the empty group inside, 0 if there is none */
	bool first_empty, last_empty, good;
};

static bool is_ipv4(const char *s, size_t n)
{
	size_t i = 0;
	for (int octet = 0; octet < 4; octet++) {
		size_t digits = 0;
		int value = 0;
		if (octet && (i == n || s[i++] != '.')) return false;
		while (i < n && is_digit(s[i]) && digits < 4) {
			value = value * 10 + (s[i++] - '0');
			digits++;
		}
		if (!digits || digits > 3 || value > 255 || (digits > 1 && s[i - digits] == '0')) return false;
	}
	return i == n;
}

/* one group of n digits; last tells whether an IPv4 address may stand here */
static void ipv6_group(struct ipv6 *a, const char *s, size_t n, bool last)
{
	if (last && n && memchr(s, '.', n)) {
		a->good = a->good && is_ipv4(s, n);
		a->groups += 2;
		return;
	}
	if (!n && !last && a->groups) {
		if (a->skip_at) a->good = false;
		a->skip_at = a->groups;
	}
	if (!n && !a->groups) a->first_empty = true;
	if (!n && last) a->last_empty = true;
	if (n > 4) a->good = false;
	for (size_t i = 0; i < n; i++)
		if (!is_hex(s[i])) a->good = false;
	a->groups++;
}

bool is_ipv6(const char *s, size_t n)
{
	struct ipv6 a = { .good = !memchr(s, '/', n) };
	const char *zone = memchr(s, '%', n);
	if (zone) {
		size_t left = n - (size_t)(zone - s) - 1;
		if (!left || memchr(zone + 1, '%', left)) return false;
		n = (size_t)(zone - s);
	}
	size_t parts = 1;
	for (size_t i = 0; i < n; i++) parts += s[i] == ':';
	if (parts < 3) return false;
	for (size_t at = 0; parts; parts--) {
		const char *colon = at < n ? memchr(s + at, ':', n - at) : NULL;
		size_t len = colon ? (size_t)(colon - s) - at : n - at;
		ipv6_group(&a, s + at, len, parts == 1);
		at += len + 1;
	}
	if (!a.good || a.groups > 9) return false;
	if (!a.skip_at) return a.groups == 8 && !a.first_empty && !a.last_empty;
	size_t before = a.skip_at, after = a.groups - a.skip_at - 1;
	if (a.first_empty && --before) return false;
	if (a.last_empty && --after) return false;
	return before + after < 8;
}
