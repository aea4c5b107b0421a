/* SPDX-License-Identifier: ISC */
/*
 * The command line of a tool as words of another tool's: for commands that a page or a screen
 * names, and for prof-diff, which prof-view runs.
 */
#ifndef PROF_TOOL_WORDS_H
#define PROF_TOOL_WORDS_H

#include "tool.h"

/* Adds the options that were given for the input, which all tools have, as words for a
 * shell; without --rules, if these are not wanted. */
void tool_input_words(const struct tool *t, bool rules, struct buf *b);

/* Adds the files as words for a shell, with "--" between two sides. */
void tool_operand_words(const struct tool *t, struct buf *b);

/* Returns the arguments of another tool: its name, the options for the input and the files,
 * and sets their number.  To be freed with tool_words_free(). */
char **tool_words(const struct tool *t, const char *name, int *n);
void tool_words_free(char **words);

#endif
