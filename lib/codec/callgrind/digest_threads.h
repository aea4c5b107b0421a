/* SPDX-License-Identifier: ISC */
/* Digests of the pieces of blocks of lines, which several threads make. */
#ifndef PROF_CODEC_CALLGRIND_DIGEST_THREADS_H
#define PROF_CODEC_CALLGRIND_DIGEST_THREADS_H

#include "digest.h"

struct digest_threads;

struct digest_piece {		/* of a block */
	const char *p, *end;
	struct digest_layout layout;
	bool has_base;		/* is it known, as that of the first piece of a block may be? */
	struct base base;
	struct digest digest;
	enum { PIECE_WAITS, PIECE_TAKEN, PIECE_DONE } state;
};

/* Starts n threads, or as many as there can be; the caller is one more. */
struct digest_threads *digest_threads_start(size_t n, bool wide);

/* Gives a block of lines as digest_lines() takes them, when the pieces of one other at most
 * remain to be taken.  It must stay until all of its pieces were taken, or the threads are
 * stopped.  Returns the number of its pieces. */
size_t digest_threads_give(struct digest_threads *t, const struct digest_layout *layout,
    const char *p, const char *end, const struct base *base);

/* Returns the next piece, in their order, when its digest is made; NULL: no more than
 * `remain` are to be taken.  Valid until the next block is given. */
const struct digest_piece *digest_threads_take(struct digest_threads *t, size_t remain);

/* Ends the threads, and frees t; NULL does nothing. */
void digest_threads_stop(struct digest_threads *t);

#endif
