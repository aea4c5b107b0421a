/* SPDX-License-Identifier: ISC */
/*
 * Profiles of the runtime of GHC, Haskell's compiler: a tree of calls of cost centres.
 *
 *	ghc.c	the format, and the records of the tree
 *	text.c	+RTS -p, -P: human-readable text
 *	json.c	+RTS -pj: JSON
 *	tree.c	the tree, while it is read
 *
 * Both are read whole, then put.
 */
#ifndef PROF_CODEC_GHC_GHC_H
#define PROF_CODEC_GHC_GHC_H

#include "codec/js_functions.h"
#include "stream/codec.h"

enum { GHC_TIME, GHC_ALLOC, GHC_ENTRIES, GHC_VALUES };

struct ghc_node {
	uint32_t parent;	/* an earlier node; NO_ID: none */
	uint32_t func;		/* of ghc.functions */
	uint32_t ctx;
	num value[GHC_VALUES];	/* ticks or tenths of a percent; bytes or tenths */
};

struct ghc {
	struct decode *d;
	uint32_t cmd, date;	/* strings of the dictionary; NO_ID: not known */
	bool percent;		/* the values are percentages */
	uint64_t interval;	/* microseconds of a tick */
	num total[GHC_VALUES];	/* as the profile states them */
	struct js_functions functions;
	struct ghc_node *node;	/* parents before children */
	size_t nnode, capnode;
	struct buf text;
};

/* Returns the number of a cost centre; `source` is "T.hs:(5,1)-(6,65)", or "<built-in>". */
uint32_t ghc_function(struct ghc *g, struct text module, struct text label,
    struct text source);

/* Adds a node, and returns it: valid until the next one.  If its function is not known yet,
 * NO_ID, the caller must set it and mark it as used. */
struct ghc_node *ghc_add(struct ghc *g, uint32_t parent, uint32_t func);

/* Each reads the input: 0, or -1 with the diag set. */
int ghc_read_text(struct ghc *g);
int ghc_read_json(struct ghc *g);

#endif
