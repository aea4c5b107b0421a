/* SPDX-License-Identifier: ISC */
/* Nodes; those of a cycle are in a frame. */
#include "writer.h"

#include <inttypes.h>
#include <stdlib.h>

#include "stream/name_index.h"
#include "util/mem.h"

#define BOX 30			/* characters of a line, which limit the width of a box */

static const num *
incl_sums(const struct writer *w, size_t row)
{
	const struct rank *r = w->t->r;

	return r->incl + row * r->rows.nval;
}

static const char *const change_sign[] = { "", "+ ", "- ", "new: ", "gone: " };

/* Returns the sums by which a row of a difference has changed: self costs, if inclusive
 * ones are not known. */
static const num *
changed_sums(const struct writer *w, size_t row)
{
	return drawing_incl(w->d, row).kind == WHOLE ? incl_sums(w, row) :
	    sums_val(&w->t->r->rows, row);
}

/* Adds costs on separate lines: inclusive and self, or only one of them if there is no
 * other, or both are equal. */
static void
add_costs(struct writer *w, size_t row)
{
	const struct value self = drawing_self(w->d, row), incl = drawing_incl(w->d, row);
	const bool same = incl.kind == WHOLE && self.kind == WHOLE && self.n == incl.n &&
	    !table_mark(w->t, row, 0);

	if (incl.kind == WHOLE && !same) {
		buf_putc(&w->text, '\n');
		buf_puts(&w->text, table_mark_text(table_mark(w->t, row, 0)));
		dot_add_cost(w, incl);
	}
	if (self.kind == WHOLE && (self.n || incl.kind != WHOLE || same)) {
		buf_puts(&w->text, "\nself ");
		dot_add_cost(w, self);
	}
}

/* Adds the inclusive costs of both sides, each with its mark. */
static void
add_incl_sides(struct writer *w, size_t row)
{
	const struct rank_delta *d = w->t->metric->delta;
	const char *const mark[] = {
		table_mark_text(table_bound_mark(rank_incl_bound(w->t->r, row, d->old))),
		table_mark_text(table_bound_mark(rank_incl_bound(w->t->r, row, d->new))),
	};

	dot_add_sides(w, incl_sums(w, row), mark);
}

static void
add_changes(struct writer *w, size_t row)
{
	const struct rank_delta *d = w->t->metric->delta;
	const num *self = sums_val(&w->t->r->rows, row), *incl = incl_sums(w, row);
	const bool known = drawing_incl(w->d, row).kind == WHOLE;
	const bool same = known && self[d->old] == incl[d->old] &&
	    self[d->new] == incl[d->new] && !table_mark(w->t, row, 0);

	if (known && !same) {
		buf_putc(&w->text, '\n');
		add_incl_sides(w, row);
		buf_putc(&w->text, '\n');
		buf_puts(&w->text, table_mark_text(table_mark(w->t, row, 0)));
		dot_add_change(w, incl);
	}
	if (self[d->change] || !known) {
		buf_puts(&w->text, "\nself ");
		dot_add_sides(w, self, NULL);
		buf_puts(&w->text, known && !same ? ", " : "\n");
		dot_add_change(w, self);
	}
}

/* Adds the file, otherwise the object, of one of several functions with the same name. */
static void
add_place(struct writer *w, const struct text *name)
{
	const bool file = name[1].s != NULL;
	struct buf place = { 0 };

	if (!name[1].s && !name[2].s)
		return;
	buf_puts(&place, file ? "" : "[");
	buf_text(&place, text_base_name(name[file ? 1 : 2]));
	buf_puts(&place, file ? "" : "]");
	buf_putc(&w->text, '\n');
	dot_add_lines(&w->text, buf_as_text(&place), BOX);
	buf_free(&place);
}

static void
node_label(struct writer *w, size_t node, const struct text *name)
{
	const size_t row = w->d->node[node];

	if (table_is_diff(w->t))
		buf_puts(&w->text, change_sign[dot_change_of(w->t->metric->delta,
		    changed_sums(w, row))]);
	dot_add_lines(&w->text, name[0], BOX);
	if (w->namesake[node] || !name[0].s)
		add_place(w, name);
	if (table_is_diff(w->t))
		add_changes(w, row);
	else
		add_costs(w, row);
}

/* Writes all data, each on a line: names, self, inclusive, calls. */
static void
node_tooltip(struct writer *w, size_t row, const struct text *name)
{
	const struct value calls = table_calls(w->t, row);
	size_t i;

	for (i = 0; i < 3; i++) {
		if (i && !name[i].s)
			continue;
		buf_puts(&w->text, i == 0 ? "" : i == 1 ? "\nin " : "\nof ");
		if (!dot_add_name(&w->text, name[i], DOT_LONGEST))
			loss_add(w->loss, "ends of long names");
	}
	if (table_is_diff(w->t)) {
		buf_puts(&w->text, "\nself ");
		dot_add_sides(w, sums_val(&w->t->r->rows, row), NULL);
		if (drawing_incl(w->d, row).kind == WHOLE) {
			buf_puts(&w->text, "\ninclusive ");
			add_incl_sides(w, row);
		}
	} else if (w->t->nmetric) {
		buf_puts(&w->text, "\nself ");
		dot_add_cost(w, drawing_self(w->d, row));
		buf_puts(&w->text, "\ninclusive ");
		buf_puts(&w->text, table_mark_text(table_mark(w->t, row, 0)));
		dot_add_cost(w, drawing_incl(w->d, row));
	}
	if (calls.kind == WHOLE) {
		buf_putc(&w->text, '\n');
		dot_add_calls(w, calls.n);
	}
}

/* Sets colours by the first cost on the label, and the size of letters by the self cost. */
static void
node_style(struct writer *w, size_t row)
{
	const struct value incl = drawing_incl(w->d, row), self = drawing_self(w->d, row);
	const struct value v = incl.kind == WHOLE ? incl : self;
	enum change change;

	if (self.kind == WHOLE)
		dot_add_font(w, dot_share(w->d, table_magnitude(self.n)));
	if (v.kind != WHOLE) {
		dot_add_attr(w, "fillcolor", DOT_UNKNOWN);
	} else if (table_is_diff(w->t)) {
		change = dot_change_of(w->t->metric->delta, changed_sums(w, row));
		dot_add_fill(w, v.n < 0 ? DOT_SHRUNK : DOT_GROWN,
		    dot_share(w->d, table_magnitude(v.n)));
		if (change == CHANGE_NEW || change == CHANGE_GONE)
			buf_printf(&w->p.line, ", style=\"filled,rounded,%s\"",
			    dot_change_line[change]);
	} else {
		dot_add_fill(w, v.n < 0 ? DOT_SHRUNK : DOT_HEAT,
		    dot_share(w->d, table_magnitude(v.n)));
	}
}

static void
put_node(struct writer *w, size_t node, const char *indent)
{
	const size_t row = w->d->node[node];
	struct text name[TABLE_KEYS];
	char tmp[NUM_TEXT];

	table_key_texts(w->t->q, sums_key(&w->t->r->rows, row), name, tmp);
	buf_printf(&w->p.line, "%sn%zu [", indent, node);
	node_label(w, node, name);
	dot_add_text_attr(w, "label", DOT_CENTERED);
	w->exact = true;
	node_tooltip(w, row, name);
	w->exact = false;
	dot_add_text_attr(w, ", tooltip", DOT_TOOLTIP);
	node_style(w, row);
	buf_puts(&w->p.line, "];");
	dot_flush(w);
}

/* Finds the nodes whose name is not unique. */
void
dot_find_namesakes(struct writer *w)
{
	struct name_index known = { 0 };
	size_t i, first;

	w->namesake = mem_alloc(w->d->nnodes + 1, sizeof *w->namesake);
	for (i = 0; i < w->d->nnodes; i++) {
		first = name_index_add(&known, dict_func_name(w->t->q->dict,
		    (uint32_t)*sums_key(&w->t->r->rows, w->d->node[i])), i);
		if (first != i)
			w->namesake[i] = w->namesake[first] = true;
	}
	name_index_free(&known);
}

/* ---- cycles ---- */

static void
put_cycle(struct writer *w, size_t node, const size_t *next)
{
	const uint32_t cycle = w->d->cycle[w->d->node[node]];
	size_t n = 0, i;

	for (i = node + 1; i; i = next[i - 1])
		n++;
	buf_printf(&w->p.line, "\tsubgraph cluster_%zu {", node);
	dot_flush(w);
	buf_printf(&w->text, "cycle of %" PRIu32 " functions", w->d->members[cycle]);
	if (n < w->d->members[cycle])
		buf_printf(&w->text, ", %zu of them here", n);
	dot_add_text_attr(w, "\t\tlabel", DOT_CENTERED);
	buf_puts(&w->p.line, ";");
	dot_flush(w);
	for (i = node + 1; i; i = next[i - 1])
		put_node(w, i - 1, "\t\t");
	buf_puts(&w->p.line, "\t}");
	dot_flush(w);
}

/* Puts all nodes; those of a cycle where its first one is. */
void
dot_put_nodes(struct writer *w)
{
	const struct drawing *d = w->d;
	size_t *next = mem_alloc(d->nnodes + 1, sizeof *next);	/* of the same cycle, + 1 */
	size_t *head = mem_alloc(d->t->r->rows.n + 1, sizeof *head), i;

	for (i = d->nnodes; i > 0; i--) {
		const uint32_t cycle = d->cycle[d->node[i - 1]];

		next[i - 1] = head[cycle];
		head[cycle] = i;
	}
	for (i = 0; i < d->nnodes; i++) {
		const uint32_t cycle = d->cycle[d->node[i]];

		if (d->members[cycle] == 1)
			put_node(w, i, "\t");
		else if (head[cycle] == i + 1)
			put_cycle(w, i, next);
	}
	free(next);
	free(head);
}
