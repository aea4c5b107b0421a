/* SPDX-License-Identifier: ISC */
/* Edges: calls. */
#include "writer.h"

static bool
counts_known(const struct writer *w)
{
	return w->t->r->counts_known && !w->t->r->ndelta;
}

/* Is the cost of a call counted once for each level of recursion?  Stacks show which calls
 * are nested. */
static bool
counted_often(const struct writer *w, size_t edge)
{
	const uint64_t *key = sums_key(&w->t->r->edges, edge);

	return w->t->r->calls_known &&
	    w->d->cycle[key[EDGE_FROM]] == w->d->cycle[key[EDGE_TO]];
}

/* Adds blanks that keep text off the line of the edge, which may be wide. */
static void
pad_lines(struct buf *b)
{
	struct buf padded = { 0 };
	size_t i;

	for (i = 0; i < b->n; i++) {
		buf_puts(&padded, i && b->s[i - 1] != '\n' ? "" : "  ");
		buf_putc(&padded, b->s[i]);
	}
	buf_free(b);
	*b = padded;
}

static void
edge_label(struct writer *w, size_t edge)
{
	const num *sums = sums_val(&w->t->r->edges, edge);
	const struct value cost = drawing_cost(w->d, edge);

	if (table_is_diff(w->t)) {
		dot_add_sides(w, sums + 1, NULL);
		buf_putc(&w->text, '\n');
		dot_add_change(w, sums + 1);
	} else if (cost.kind == WHOLE && w->t->metric->total && !counted_often(w, edge) &&
	    !table_is_over(w->t->metric, cost)) {
		num_add_percent(&w->text, cost.n, w->t->metric->total);
		buf_puts(&w->text, " %");
	} else if (cost.kind == WHOLE) {
		dot_add_value(w, cost);
	}
	if (counts_known(w)) {
		buf_puts(&w->text, w->text.n ? "\n" : "");
		dot_add_calls(w, sums[0]);
	}
	pad_lines(&w->text);
}

static void
edge_tooltip(struct writer *w, size_t edge)
{
	const uint64_t *key = sums_key(&w->t->r->edges, edge);
	const num *sums = sums_val(&w->t->r->edges, edge);
	struct text name[TABLE_KEYS];
	char tmp[NUM_TEXT];
	int end;

	for (end = EDGE_FROM; end <= EDGE_TO; end++) {
		table_key_texts(w->t->q, sums_key(&w->t->r->rows, (size_t)key[end]), name,
		    tmp);
		buf_puts(&w->text, end == EDGE_TO ? " \xe2\x86\x92 " : "");
		dot_add_name(&w->text, name[0], DOT_LONGEST);
	}
	if (table_is_diff(w->t)) {
		buf_putc(&w->text, '\n');
		dot_add_sides(w, sums + 1, NULL);
	} else if (w->t->nmetric) {
		buf_putc(&w->text, '\n');
		if (counted_often(w, edge))
			dot_add_value(w, drawing_cost(w->d, edge));
		else
			dot_add_cost(w, drawing_cost(w->d, edge));
	}
	if (counts_known(w)) {
		buf_putc(&w->text, '\n');
		dot_add_calls(w, sums[0]);
	}
}

#define WIDEST 50		/* tenths of a point, beyond the width of the smallest share */

/* Returns the share for the width of an edge.  Levels of recursion do not make it wider: it
 * is at most the share of either end. */
static double
edge_share(const struct writer *w, size_t edge)
{
	const uint64_t *key = sums_key(&w->t->r->edges, edge);
	num weight = drawing_edge_weight(w->d, edge), most;
	int end;

	for (end = EDGE_FROM; end <= EDGE_TO && counted_often(w, edge); end++)
		if (weight > (most = drawing_weight(w->d, (size_t)key[end])))
			weight = most;
	return dot_share(w->d, weight);
}

static void
edge_style(struct writer *w, size_t edge)
{
	const double s = edge_share(w, edge);
	const int width = 8 + (int)(WIDEST * s);
	const num *sums = sums_val(&w->t->r->edges, edge) + 1;
	enum change change;

	buf_printf(&w->p.line, ", weight=%d, penwidth=%d.%d", 1 + (int)(100 * s),
	    width / 10, width % 10);
	if (!table_is_diff(w->t))
		return;
	change = dot_change_of(w->t->metric->delta, sums);
	if (change != CHANGE_NONE)
		dot_add_line_colour(w, sums[w->t->metric->delta->change] < 0 ?
		    DOT_SHRUNK : DOT_GROWN);
	if (change == CHANGE_NEW || change == CHANGE_GONE)
		dot_add_attr(w, "style", dot_change_line[change]);
}

void
dot_put_edge(struct writer *w, size_t edge)
{
	const uint64_t *key = sums_key(&w->t->r->edges, edge);

	buf_printf(&w->p.line, "\tn%zu -> n%zu [", w->d->number[key[EDGE_FROM]] - 1,
	    w->d->number[key[EDGE_TO]] - 1);
	edge_label(w, edge);
	dot_add_text_attr(w, "label", DOT_CENTERED);
	w->exact = true;
	edge_tooltip(w, edge);
	w->exact = false;
	dot_add_text_attr(w, ", tooltip", DOT_TOOLTIP);
	edge_style(w, edge);
	buf_puts(&w->p.line, "];");
	dot_flush(w);
}
