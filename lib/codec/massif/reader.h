/* SPDX-License-Identifier: ISC */
/*
 * Massif's snapshots of a heap, massif.out (massif/ms_main.c and coregrind/m_xtree.c of
 * Valgrind):
 *
 *	desc: --massif-out-file=massif.out
 *	cmd: ./heap
 *	time_unit: i
 *	#-----------
 *	snapshot=3
 *	#-----------
 *	time=1816283
 *	mem_heap_B=75136
 *	mem_heap_extra_B=584
 *	mem_stacks_B=0
 *	heap_tree=peak
 *	n2: 75136 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 *	 n1: 72704 0x109BD5: fill(int) (heap.cc:9)
 *	  n0: 72704 0x109682: main (heap.cc:10)
 *	 n0: 2432 in 3 places, all below massif's threshold (1.00%)
 *
 * A line of a tree has as many blanks as its depth, the number of its children, and its
 * bytes including theirs; the children of a function are its callers.
 *
 * The output of --xtree-memory-file=FILE.ms looks the same, but its "snapshots" are metrics
 * of one moment.
 *
 * The snapshot to read is only known when all were seen: the file is held whole, one pass
 * finds snapshots, another one reads their trees.
 */
#ifndef PROF_CODEC_MASSIF_READER_H
#define PROF_CODEC_MASSIF_READER_H

#include "codec/valgrind_frames.h"
#include "stream/codec.h"

enum massif_value { MASSIF_TIME, MASSIF_HEAP, MASSIF_EXTRA, MASSIF_STACKS, MASSIF_VALUES };
enum massif_tree { MASSIF_EMPTY, MASSIF_DETAILED, MASSIF_PEAK };

struct snapshot {
	uint64_t number, value[MASSIF_VALUES];
	enum massif_tree kind;
	struct text tree;	/* its lines */
	uint64_t line;		/* the number of the line before them */
	struct text root;	/* the name of the root in its first line; absent: no
				 * line */
};

/* A node on the path from the root to the current line. */
struct node {
	uint64_t left;		/* bytes, less those of children so far */
	uint64_t children;	/* number of children to come */
	bool leaf;		/* it has none */
	uint32_t frame;		/* in `frames`; not set for the root */
};

struct massif_options {
	bool all;		/* each snapshot is a part; otherwise only the peak */
};

struct massif {
	struct decode *d;
	const struct massif_options *options;
	struct text file;
	struct text head;	/* the lines before the first snapshot */
	struct text command;
	bool in_command;	/* cmd: came, time_unit: must come */
	struct text time_unit;
	bool metrics;		/* snapshots are those of an xtree */
	struct snapshot *v;
	size_t n, cap;
	struct valgrind_frames frames;
	struct node *open;
	size_t nopen, capopen;
	uint32_t *stack;	/* frames, leaf first */
	size_t capstack;
	struct buf values;
};

#define MASSIF_METRICS 64	/* an xtree has six, or a few more */

/* ---- lines.c ---- */

/* Is it "KEY" followed by text, *rest? */
bool massif_key(struct text line, const char *key, struct text *rest);

/* Is it a whole number of 64 bits, and nothing else? */
bool massif_number(struct text t, uint64_t *n);

/* Reads a line of a tree: false if it is not one. */
struct massif_line {
	uint64_t depth, children, bytes;
	struct text what;
};

bool massif_tree_line(struct text line, struct massif_line *l);

/* ---- snapshots.c ---- */

/* Finds the head and the snapshots of rd->file.  0, or -1 with the diag set. */
int massif_find_snapshots(struct massif *rd);

/* ---- tree.c ---- */

/* Reads the tree of a snapshot, whose samples have event number `event`; if that is
 * negative, they are not put.  0, or -1 with the diag set. */
int massif_read_tree(struct massif *rd, const struct snapshot *s, int event);

int massif_decode(struct decode *d);

#endif
