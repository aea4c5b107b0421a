/* SPDX-License-Identifier: ISC */
/*
 * What the parts of filter_fold() share.  Each calls only those after it:
 *
 *	fold.c		records in: what is folded, summed by its keys
 *	fold_end.[ch]	what comes of it at the end of a part, with fold_graph.c, fold_put.c
 *	fold_verdict.c	which functions are folded
 */
#ifndef PROF_FILTER_FOLD_STATE_H
#define PROF_FILTER_FOLD_STATE_H

#include "filter/filter.h"
#include "graph/contract.h"

/* Keys: a place, and where in the callee a call arrives; HAS is the `has` of both
 * fields. */
enum { KEY_FUNC, KEY_FILE, KEY_LINE, KEY_COLUMN, KEY_ADDR, KEY_BLOCK, KEY_HAS,
	PLACE_KEYS };
enum { AT_LINE, AT_COLUMN, AT_ADDR, AT_BLOCK, AT_HAS, AT_ATTRS, AT_KEYS };
/* A call: rows of a place and of an arrival, and the callee. */
enum { CALL_FROM, CALL_TO, CALL_AT, CALL_KEYS };

/* The bits of the line are below those of the address. */
#define HAS_BITS 8
#define HAS_MASK ((1u << HAS_BITS) - 1)

/* The role of an event in a difference: attributes as strings of the dictionary. */
struct role {
	uint32_t name, of, role;
	size_t old, new;	/* of a change: the columns of both sides */
};

struct fold {
	struct sink sink;
	bool (*folds)(void *arg, uint32_t func);
	void *arg;
	struct dict *dict;
	struct diag *diag;
	unsigned char *verdict;	/* by function */
	size_t capverdict;
	uint64_t func_before;	/* of the last cost */
	bool folds_before;
	size_t row_before;

	/* The part. */
	bool any;		/* it has records of folded functions */
	struct role *roles;	/* by event */
	size_t nevents, caproles;
	struct sums self;	/* by function */
	struct sums places, arrivals, calls;
	uint64_t nvalues;	/* read for the sums */

	/* Functions whose cost was shared, and which cost more than the calls into them, in
	 * all parts. */
	uint64_t nshared, nrooted;
	bool has_costs, has_calls;	/* costs of folded functions; any calls */
	struct buf text, values;
};

/* ---- fold_end.c ---- */

/* Puts what comes of the part, of which there is something.  0, or -1 with the diag
 * set. */
int fold_end(struct fold *fd);

/* ---- fold_verdict.c ---- */

/* Of a function: it was asked about, it is folded, its cost was shared among several, it
 * costs more than all calls into it. */
enum { FOLD_ASKED = 1, FOLD_FOLDS = 2, FOLD_SHARED = 4, FOLD_ROOTED = 8 };

/* Asks of the function without attributes, which make no other one of it. */
bool fold_ask(struct fold *fd, uint64_t func);

/* Is this function to be folded?  NO_ID is not. */
static inline bool
fold_folds(struct fold *fd, uint64_t func)
{
	if (func < fd->capverdict && fd->verdict[func] & FOLD_ASKED)
		return fd->verdict[func] & FOLD_FOLDS;
	return func != NO_ID && fold_ask(fd, func);
}

/* Another part has other facts: what is folded is asked anew. */
void fold_forget(struct fold *fd);

/* Counts a function, without attributes, that is FOLD_SHARED or FOLD_ROOTED; once,
 * even if it is in many parts. */
void fold_count(struct fold *fd, uint32_t bare, unsigned what);

/* The error of a sum that is too large: -1. */
int fold_overflow(struct fold *fd);

#endif
