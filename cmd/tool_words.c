/* SPDX-License-Identifier: ISC */
#include "tool_words.h"

#include <stdlib.h>
#include <string.h>

#include "tool_sides.h"
#include "util/mem.h"
#include "util/shell_word.h"

/* Is it an option for the input?  Those stand behind the tool's own, those for encoders and
 * for the output, and before the general ones. */
static bool
is_input(const struct tool *t, const struct opt_given *g)
{
	return g->table >= t->ninput && g->table + 1 < t->options.n;
}

void
tool_input_words(const struct tool *t, bool rules, struct buf *b)
{
	const struct opts *o = &t->options;
	const struct opt_given *g;

	for (g = o->given; g < o->given + o->ngiven; g++)
		if (is_input(t, g) && (rules || strcmp(g->opt->name, "rules") != 0))
			opts_add_words(g, b);
}

/* Adds a file, which may have a name like an option's. */
static void
add_operand(const char *file, struct buf *b)
{
	struct buf path = { 0 };

	if (file[0] == '-' && file[1])
		buf_puts(&path, "./");
	buf_puts(&path, file);
	buf_puts(b, b->n ? " " : "");
	shell_word_add(b, buf_as_text(&path));
	buf_free(&path);
}

void
tool_operand_words(const struct tool *t, struct buf *b)
{
	const bool sides = sides_are_given(t);
	int i;

	for (i = 0; i < t->nfiles; i++) {
		if (sides && i == t->nfirst)
			buf_puts(b, " --");
		add_operand(t->files[i], b);
	}
}

char **
tool_words(const struct tool *t, const char *name, int *n)
{
	const struct opts *o = &t->options;
	char **words = mem_alloc(o->ngiven + (size_t)t->nfiles + 3, sizeof *words);
	const struct opt_given *g;
	struct buf word = { 0 };
	int i;

	*n = 0;
	words[(*n)++] = mem_copy(name, strlen(name));
	for (g = o->given; g < o->given + o->ngiven; g++) {
		if (!is_input(t, g))
			continue;
		word.n = 0;
		buf_printf(&word, "--%s%s%s", g->opt->name, g->argument ? "=" : "",
		    g->argument ? g->argument : "");
		words[(*n)++] = mem_copy(buf_str(&word), word.n);
	}
	for (i = 0; i < t->nfiles; i++) {
		if (i == t->nfirst)
			words[(*n)++] = mem_copy("--", 2);
		words[(*n)++] = mem_copy(t->files[i], strlen(t->files[i]));
	}
	buf_free(&word);
	return words;
}

void
tool_words_free(char **words)
{
	char **w;

	for (w = words; w && *w; w++)
		free(*w);
	free(words);
}
