/* SPDX-License-Identifier: ISC */
/*
 * The gate of a comparison (sum/gate.h): the options of the tools that have one.
 */
#ifndef PROF_TOOL_GATE_H
#define PROF_TOOL_GATE_H

#include "sum/gate.h"
#include "tool_sides.h"

extern struct gate_opts {
	const char *fail_over, *limits, *min_cost;	/* NULL: not given */
} gate_opts;

#define GATE_OPTS \
	{ "fail-over", 0, OPT_TEXT, "LIST", &gate_opts.fail_over, \
	    "exit 1 if a cost increased more: 1%, Ir=1%,Dr=5%", NULL }, \
	{ "limits", 0, OPT_TEXT, "FILE", &gate_opts.limits, \
	    "exceptions to --fail-over, in YAML", NULL }, \
	{ "min-cost", 0, OPT_TEXT, "N", &gate_opts.min_cost, \
	    "ignore increases up to N, or N% of the old total", NULL }

/* Sets the gate's limits and their exceptions; without --fail-over, which the other options
 * need, there are none.  Exits if they are malformed. */
void tool_read_gate(struct tool *t, struct gate *g);

/* Gives the gate the sums of the sides, whose default events limits without a name are for. */
void tool_set_gate_sides(struct gate *g, const struct sides *s);

void tool_free_gate(struct gate *g);

#endif
