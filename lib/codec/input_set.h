/* SPDX-License-Identifier: ISC */
/* The inputs of a run, one after the other, into one sink. */
#ifndef PROF_CODEC_INPUT_SET_H
#define PROF_CODEC_INPUT_SET_H

#include "stream/codec.h"

struct symbols;

/* Takes these symbols over (NULL: reading them failed): they name the functions of
 * the files that follow.  0, or -1 for NULL.  The owner of the session frees the
 * last ones, s->names, with symbolize_free(). */
int input_set_symbols(struct input_set *s, struct symbols *symbols);

/*
 * Decodes one file into s->out: opens it, finds the format (`from` may name
 * it), and writes the meta that come with a file.  source: the name to give
 * the parts of it that have none, or NULL.  With one an empty file is skipped with a
 * warning, as valgrind leaves one beside those of the threads.  An executable is no
 * profile: its symbols are for the files after it.
 */
enum { FILE_DONE = 0, FILE_EMPTY = 1, FILE_EXE = 2 };	/* -1 with the diag set */

int input_set_read(struct input_set *s, const char *path, const struct codec *from,
    const char *source);

/* Ends it: what was found for its inputs is freed, and what was not is reported.  The
 * last symbols, s->names, stay. */
void input_set_end(struct input_set *s);

#endif
