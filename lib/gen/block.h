/* Texts collected into one block of characters: each stands once, or at the end of a longer one, and is known by its offset. */
#ifndef GEN_BLOCK_H
#define GEN_BLOCK_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block {
	const char *type, *name; /* type: of the declaration, as "static const struct" */
	char **strings;
	unsigned *offsets, count, room, size;
};

/* the offset of s, in which every from is written to; NULL is "" */
static unsigned place(struct block *b, const char *s, char from, char to)
{
	char *copy = strdup(s ? s : "");
	if (!copy) exit(2);
	size_t n = strlen(copy);
	for (char *p = copy; *p; p++) *p = *p == from ? to : *p;
	for (unsigned i = 0; i < b->count; i++) {
		size_t all = strlen(b->strings[i]);
		if (all < n || strcmp(b->strings[i] + all - n, copy)) continue;
		free(copy);
		return b->offsets[i] + (unsigned)(all - n);
	}
	if (b->count == b->room) {
		b->room = b->room ? 2 * b->room : 1024;
		b->strings = realloc(b->strings, b->room * sizeof *b->strings);
		b->offsets = realloc(b->offsets, b->room * sizeof *b->offsets);
		if (!b->strings || !b->offsets) exit(2);
	}
	b->strings[b->count] = copy;
	b->offsets[b->count++] = b->size;
	b->size += (unsigned)n + 1;
	return b->offsets[b->count - 1];
}
static unsigned at(struct block *b, const char *s) { return place(b, s, 0, 0); }

static void print_block(const struct block *b)
{
	printf("%s {\n", b->type);
	for (unsigned i = 0; i < b->count; i++) printf("\tchar s%u[%zu];\n", i, strlen(b->strings[i]) + 1);
	printf("} %s = {\n", b->name);
	for (unsigned i = 0; i < b->count; i++) {
		printf("\t\"");
		for (const char *p = b->strings[i]; *p; p++) {
			if (*p == '\n' || *p == '\t') fputs(*p == '\n' ? "\\n" : "\\t", stdout);
			else {
				if (*p == '"' || *p == '\\') putchar('\\');
				putchar(*p);
			}
		}
		printf("\",\n");
	}
	puts("};");
}
#endif
