/* SPDX-License-Identifier: ISC */
/*
 * Counts words as wordcount.c does, with a hash table in the place of its tree.
 * The profile beside this file was made from it, as README.md says.  It names its
 * lines: if one is added or taken away, it is to be made anew.
 *
 * wordcount-hash [FILE]
 *	FILE is standard input if it is not given.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
	char text[32];
	unsigned count;
	struct word *next;
};

static struct word *table[4096];

static unsigned
hash(const char *text)
{
	unsigned h = 5381;

	while (*text)
		h = h * 33 + (unsigned char)*text++;
	return h % (sizeof table / sizeof *table);
}

static void
insert(const char *text)
{
	struct word **w = &table[hash(text)];

	while (*w && strcmp((*w)->text, text) != 0)
		w = &(*w)->next;
	if (!*w) {
		*w = calloc(1, sizeof **w);
		if (!*w)
			exit(1);
		strcpy((*w)->text, text);
	}
	(*w)->count++;
}

/* The next word of the text, in lower case. */
static int
read_word(FILE *f, char text[32])
{
	int c, n = 0;

	while ((c = getc(f)) != EOF && !isalpha(c))
		;
	for (; c != EOF && isalpha(c) && n < 31; c = getc(f))
		text[n++] = (char)tolower(c);
	text[n] = '\0';
	return n;
}

/* The table's words as an array. */
static size_t
collect(struct word **out)
{
	size_t n = 0;

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		for (struct word *w = table[i]; w; w = w->next)
			out[n++] = w;
	return n;
}

static int
by_count(const void *a, const void *b)
{
	const struct word *x = *(struct word *const *)a;
	const struct word *y = *(struct word *const *)b;

	return (x->count < y->count) - (x->count > y->count);
}

int
main(int argc, char **argv)
{
	static struct word *words[8192];
	FILE *f = argc > 1 ? fopen(argv[1], "r") : stdin;
	char text[32];
	size_t i, n = 0;

	if (!f)
		return 1;
	while (read_word(f, text) && n++ < sizeof words / sizeof *words)
		insert(text);
	n = collect(words);
	qsort(words, n, sizeof *words, by_count);
	for (i = 0; i < n && i < 10; i++)
		printf("%7u %s\n", words[i]->count, words[i]->text);
	return 0;
}
