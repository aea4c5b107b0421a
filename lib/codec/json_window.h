/* SPDX-License-Identifier: ISC */
/*
 * A JSON document that is read through a window, which holds what is being read and no
 * more: for documents that are larger than memory.
 *
 *	window_open(&w, d);
 *	window_read(&w, read_first, arg);	for each piece
 *	window_close(&w, ret);
 *
 * A piece is what one call of a function takes from w.doc.j: a value, or a key and its
 * value.  It may be as large as --max-whole.
 */
#ifndef PROF_CODEC_JSON_WINDOW_H
#define PROF_CODEC_JSON_WINDOW_H

#include "codec/json_document.h"

struct window {
	struct document doc;
	bool eof;		/* nothing follows the text of doc.j */
};

/* 0, or -1 with the diag set. */
int window_open(struct window *w, struct decode *d);

/*
 * Returns what read(arg) returns, or -1 with the diag set.  If the window ends inside the
 * piece, it is widened, and read() is called again from the beginning of the piece: what it
 * did the first time must not matter.  Texts of doc.j live until the next call.
 */
int window_read(struct window *w, int (*read)(void *), void *arg);

/* As document_close(). */
int window_close(struct window *w, int r);

#endif
