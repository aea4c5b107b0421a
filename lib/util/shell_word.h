/* SPDX-License-Identifier: ISC */
/*
 * Words of shell commands, and patterns in them.
 */
#ifndef PROF_UTIL_SHELL_WORD_H
#define PROF_UTIL_SHELL_WORD_H

#include "util/buf.h"

/* Adds a word so that a shell takes it as one. */
void shell_word_add(struct buf *b, struct text word);

/* Adds an extended regular expression that matches this name alone. */
void shell_pattern_of(struct buf *b, struct text name);

#endif
