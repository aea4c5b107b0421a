/* SPDX-License-Identifier: ISC */
/* The inputs of a run, one after the other, into one sink. */
#ifndef PROF_CODEC_INPUT_SET_H
#define PROF_CODEC_INPUT_SET_H

#include "stream/codec.h"

struct symbols;

/* Takes these symbols over (NULL: reading them failed): they name the functions of the
 * files that follow.  0, or -1 for NULL.  The owner of the input set frees the last ones,
 * s->names, with symbolize_free(). */
int input_set_symbols(struct input_set *s, struct symbols *symbols);

/*
 * Decodes one file into s->out: opens it, finds the format (`from` may name it), and puts
 * the metadata of the file. source: the name for its parts that have none, or NULL.  With a
 * name an empty file is skipped with a warning, as valgrind leaves one next to those of the
 * threads.  An executable is not a profile: its symbols are used for the files after it.
 */
enum { FILE_DONE = 0, FILE_EMPTY = 1, FILE_EXE = 2 };	/* -1 with the diag set */

int input_set_read(struct input_set *s, const char *path, const struct codec *from,
    const char *source);

/* Ends the inputs: frees what was found for them, and reports what was not found.  The last
 * symbols, s->names, stay. */
void input_set_end(struct input_set *s);

#endif
