/* SPDX-License-Identifier: ISC */
/*
 * Declarations that the files of filter_fold() share.  Each calls only those after it:
 *
 *	fold.c		records in; sums of folded functions
 *	fold_end.[ch]	the result at the end of a part, with fold_graph.c, fold_put.c
 *	fold_verdict.c	the functions that are folded
 */
#ifndef PROF_FILTER_FOLD_STATE_H
#define PROF_FILTER_FOLD_STATE_H

#include "filter/filter.h"
#include "graph/contract.h"
#include "stream/part.h"

/* Keys: a place, and where in the callee a call arrives; HAS is the `has` of both
 * fields. */
enum { KEY_FUNC, KEY_FILE, KEY_LINE, KEY_COLUMN, KEY_ADDR, KEY_BLOCK, KEY_HAS,
	PLACE_KEYS };
enum { AT_LINE, AT_COLUMN, AT_ADDR, AT_BLOCK, AT_HAS, AT_ATTRS, AT_KEYS };
/* A call: rows of a place and of an arrival, and the callee. */
enum { CALL_FROM, CALL_TO, CALL_AT, CALL_KEYS };

/* HAS has the bits of the line below those of the address. */
#define HAS_BITS 8
#define HAS_MASK ((1u << HAS_BITS) - 1)

struct fold {
	struct sink sink;
	bool (*folds)(void *arg, uint32_t func);
	void *arg;
	struct dict *dict;
	struct diag *diag;
	unsigned char *verdict;	/* by function */
	size_t capverdict;
	uint64_t func_before;	/* function of the last cost */
	bool folds_before;
	size_t row_before;

	struct part part;
	bool lacks_calls;	/* its events state that it has no calls: nothing is folded */
	bool any;		/* the part has records of folded functions */
	struct sums self;	/* by function */
	struct sums places, arrivals, calls;
	uint64_t nvalues;	/* values read for the sums */

	/* Numbers of functions, in all parts, whose cost was shared, and that cost more
	 * than the calls into them. */
	uint64_t nshared, nrooted;
	bool has_costs, has_calls;	/* there are costs of folded functions; there are
					 * calls */
	struct buf text, values;
};

/* How many values the records of the part have. */
static inline size_t
fold_events(const struct fold *fd)
{
	return fd->part.events.measured;
}

/* ---- fold_end.c ---- */

/* Puts the result of the part, which has records of folded functions.  0, or -1 with the
 * diag set. */
int fold_end(struct fold *fd);

/* ---- fold_verdict.c ---- */

/* Bits about a function: it was decided; it is folded; its cost was shared among several;
 * it costs more than all calls into it. */
enum { FOLD_ASKED = 1, FOLD_FOLDS = 2, FOLD_SHARED = 4, FOLD_ROOTED = 8 };

/* Asks of the function without attributes, which make no other one of it. */
bool fold_ask(struct fold *fd, uint64_t func);

/* Is this function folded?  NO_ID is not. */
static inline bool
fold_folds(struct fold *fd, uint64_t func)
{
	if (func < fd->capverdict && fd->verdict[func] & FOLD_ASKED)
		return fd->verdict[func] & FOLD_FOLDS;
	return func != NO_ID && fold_ask(fd, func);
}

/* Forgets the decisions, as another part has other metadata. */
void fold_forget(struct fold *fd);

/* Counts a function, without attributes, that is FOLD_SHARED or FOLD_ROOTED; once,
 * even if it is in many parts. */
void fold_count(struct fold *fd, uint32_t bare, unsigned what);

/* Sets the error of a sum that is too large: -1. */
int fold_overflow(struct fold *fd);

#endif
