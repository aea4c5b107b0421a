/* SPDX-License-Identifier: ISC */
/* Digests of the pieces of a block of lines, which several threads make. */
#ifndef PROF_CODEC_CALLGRIND_DIGEST_THREADS_H
#define PROF_CODEC_CALLGRIND_DIGEST_THREADS_H

#include "digest.h"

struct digest_threads;

struct digest_piece {		/* of a block */
	const char *p, *end;
	struct digest digest;
	enum { PIECE_WAITS, PIECE_TAKEN, PIECE_DONE } state;
};

/* Starts n threads, or as many as there can be; the caller is one more. */
struct digest_threads *digest_threads_start(size_t n, bool wide);

/* Gives lines as digest_lines() takes them, which must stay until all pieces were taken, or
 * the threads are stopped. */
void digest_threads_give(struct digest_threads *t, const struct digest_layout *layout,
    const char *p, const char *end, const struct base *base);

/* Returns the next piece, in their order, when its digest is made; NULL: there are no more.
 * The base of the first alone is known.  Valid until the next block is given. */
const struct digest_piece *digest_threads_take(struct digest_threads *t);

/* Ends the threads, and frees t; NULL does nothing. */
void digest_threads_stop(struct digest_threads *t);

#endif
