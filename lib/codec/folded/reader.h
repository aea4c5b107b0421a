/* SPDX-License-Identifier: ISC */
/* Reading folded stacks: the reader, and its stacks. */
#ifndef PROF_CODEC_FOLDED_READER_H
#define PROF_CODEC_FOLDED_READER_H

#include "folded.h"
#include "stream/stack.h"
#include "util/cache.h"

#define BATCH STACKS_MOST	/* lines */

/* A stack on its way to its context: its first frames are found in the cache; `from` is
 * where the first one begins that is not there, beyond the text if all are. */
struct folded_stack {
	struct text text;
	struct stack known;
	size_t from;
	uint32_t hash;		/* for the search among recent stacks */
	uint32_t ctx;		/* that of a recent stack, without frames; NO_ID: none */
};

/* Lines that are read together, so that the memory in which one is found is loaded while
 * others are parsed. */
struct batch {
	struct folded_line {
		struct folded_stack stack;
		struct text values;
		uint64_t number;	/* of the line */
	} line[BATCH];
	size_t n;
	const struct folded_stack *last;	/* the stack before, in the same block; or NULL */
};

struct reader {
	struct decode *d;
	int dialect;		/* of frames, as in --frames */
	unsigned counts;
	bool full;		/* Austin's metrics, in place of counts */
	size_t decimals;	/* digits of a fraction that a value has */
	struct cache frames;	/* the dictionary's, by their text */
	struct batch batch;
	struct folded_run *runs;
	struct recent_stacks *recent;
	struct buf values, attrs;
	const struct folded_unit *unit;	/* Austin's; NULL: unknown */
	size_t nname, nplace;	/* new names; those with lines in py-spy's dialect */
};

/* ---- recent.c ---- */

/* The hash of a stack for the two functions below. */
uint32_t folded_recent_hash(struct text t);

/* Is it a recent stack?  Then sets *ctx to its context. */
bool folded_recent_find(const struct recent_stacks *all, struct text t, uint32_t hash,
    uint32_t *ctx);

/* Keeps another stack if it may have come before. */
void folded_recent_keep(struct recent_stacks **all, struct text t, uint32_t hash,
    uint32_t ctx);

void folded_recent_free(struct recent_stacks *all);

/* ---- stacks.c ---- */

/* Reads a stack by itself; the batch is empty. */
int folded_stack_read(struct reader *rd, struct text text, uint64_t *ctx);

/* Adds a sample to the batch.  Its text stays valid until the batch is put. */
int folded_batch_add(struct reader *rd, struct text stack, struct text values);

/* Puts all samples of the batch. */
int folded_batch_put(struct reader *rd);

void folded_batch_free(struct batch *b);

#endif
