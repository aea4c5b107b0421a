/* SPDX-License-Identifier: ISC */
#include "tool_gate.h"

#include "rules/limits.h"

struct gate_opts gate_opts;

static struct limits *limits;	/* of --limits, which the gate refers to */

void
tool_read_gate(struct tool *t, struct gate *g)
{
	const struct gate_opts *o = &gate_opts;

	if (!o->fail_over && (o->min_cost || o->limits))
		tool_misuse(t, "--%s needs --fail-over", o->min_cost ? "min-cost" : "limits");
	if (!o->fail_over)
		return;
	if (gate_limits(g, o->fail_over, &t->diag) < 0 ||
	    gate_min_cost(g, o->min_cost ? o->min_cost : "0.01%", &t->diag) < 0 ||
	    (o->limits && !(limits = limits_read(o->limits, gate_today(), &t->diag))))
		tool_misuse(t, "%s", buf_str(&t->diag.error));
	if (limits)
		limits_set(limits, g);
}

void
tool_set_gate_sides(struct gate *g, const struct sides *s)
{
	struct dict *dict = s->tool->dict;
	struct text event;
	size_t i;

	for (i = 0; i < SIDES; i++) {
		g->side[i].merge = s->side[i].merge;
		event = merge_default(s->side[i].merge);
		g->side[i].usual = dict_text(dict, dict_str(dict, event));
	}
}

void
tool_free_gate(struct gate *g)
{
	gate_free(g);
	limits_free(limits);
}
