/* SPDX-License-Identifier: ISC */
/*
 * Inclusive time by gprof's rule: the inclusive cost of a function is divided among
 * its callers in proportion to their calls.  Functions that call each other in a cycle
 * count as one, and calls among them get nothing (gprof/cg_arcs.c, propagate_time and
 * cycle_time).
 */
#ifndef PROF_CODEC_GMON_PROPAGATE_H
#define PROF_CODEC_GMON_PROPAGATE_H

#include "util/num.h"

struct node_arc {
	uint32_t from, to;	/* nodes */
	uint64_t count;
	num cost;		/* set: the cost of the calls */
};

/*
 * self[node]: its self cost, not negative.  Shares are whole numbers that add up to
 * the cost, by largest remainder, ties to the first arc.  0, or -1 if a number does not
 * fit 128 bits.
 */
int propagate(const num *self, size_t nnodes, struct node_arc *arc, size_t narc);

#endif
