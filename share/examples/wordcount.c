/* SPDX-License-Identifier: ISC */
/*
 * Counts the words of a text and prints the most frequent ones.  The profiles
 * beside this file were made from it, as README.md says.  They name its lines: if
 * one is added or taken away, they are to be made anew.
 *
 * wordcount [FILE]
 *	FILE is standard input if it is not given.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
	char text[32];
	unsigned count;
	struct word *left, *right;
};

/* A tree of words, by their text. */
static struct word *
insert(struct word *w, const char *text)
{
	int c;

	if (!w) {
		w = calloc(1, sizeof *w);
		if (!w)
			exit(1);
		strcpy(w->text, text);
		w->count = 1;
	} else if ((c = strcmp(text, w->text)) == 0) {
		w->count++;
	} else if (c < 0) {
		w->left = insert(w->left, text);
	} else {
		w->right = insert(w->right, text);
	}
	return w;
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

/* The tree's words as an array, in order. */
static size_t
collect(struct word *w, struct word **out)
{
	size_t n = 0;

	if (w) {
		n = collect(w->left, out);
		out[n++] = w;
		n += collect(w->right, out + n);
	}
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
	struct word *tree = NULL;
	FILE *f = argc > 1 ? fopen(argv[1], "r") : stdin;
	char text[32];
	size_t i, n = 0;

	if (!f)
		return 1;
	while (read_word(f, text) && n++ < sizeof words / sizeof *words)
		tree = insert(tree, text);
	n = collect(tree, words);
	qsort(words, n, sizeof *words, by_count);
	for (i = 0; i < n && i < 10; i++)
		printf("%7u %s\n", words[i]->count, words[i]->text);
	return 0;
}
