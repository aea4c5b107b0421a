/* SPDX-License-Identifier: ISC */
/* Writes the whole graph, and its label. */
#include "writer.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- the label of the graph ---- */

#define HEADING 110		/* characters of a line */

/* Adds "0.5 %", as in the option. */
static void
add_least(struct buf *b, struct threshold least)
{
	const int million = 1000000;

	num_add_whole(b, least.n / million);
	if (least.n % million) {
		buf_printf(b, ".%06d", (int)(least.n % million));
		while (b->s[b->n - 1] == '0')
			b->n--;
	}
	buf_puts(b, " %");
}

static void
add_reason(struct buf *b, size_t n, bool *any)
{
	buf_printf(b, "%s%zu ", *any ? ", " : "; left out: ", n);
	*any = true;
}

/* Adds "12 of 40 functions; left out: 28 below 0.5 %". */
static void
add_pruned(struct writer *w)
{
	const struct drawing *d = w->d;
	const char *of = table_is_diff(w->t) || (w->t->nmetric && !w->t->metric->total) ?
	    " of the largest" : "";
	struct buf *b = &w->text;
	bool any = false;

	buf_printf(b, "%zu of %zu functions", d->nnodes, d->t->r->rows.n);
	if (d->small_nodes) {
		add_reason(b, d->small_nodes, &any);
		buf_puts(b, "below ");
		add_least(b, d->limits.node);
		buf_puts(b, of);
	}
	if (d->further_nodes) {
		add_reason(b, d->further_nodes, &any);
		buf_printf(b, "over --nodes %" PRIu64, d->limits.nodes);
	}
	any = false;
	buf_printf(b, "\n%zu of %zu edges", d->nedges, d->t->r->edges.n);
	if (d->small_edges) {
		add_reason(b, d->small_edges, &any);
		buf_puts(b, "below ");
		add_least(b, d->limits.edge);
		buf_puts(b, of);
	}
	if (d->loose_edges) {
		add_reason(b, d->loose_edges, &any);
		buf_puts(b, "of functions left out");
	}
	buf_putc(b, '\n');
}

/* Returns the marks of a row: for a change, also those of its sides. */
static unsigned
row_marks(const struct writer *w, size_t row)
{
	const struct rank_delta *d = w->t->metric->delta;
	const bool bound = d && (rank_incl_bound(w->t->r, row, d->old) == RANK_MAY_BE_MORE ||
	    rank_incl_bound(w->t->r, row, d->new) == RANK_MAY_BE_MORE);

	return table_row_marks(w->t, row) | bound;	/* MARK_BOUND is the first */
}

static void
add_legend(struct writer *w)
{
	const struct table_legend *l = table_legend(w->t);
	unsigned marks = 0;
	size_t i;

	if (w->t->nmetric)
		buf_puts(&w->text, "larger letters: self cost; darker box: inclusive cost\n");
	if (table_is_diff(w->t))
		buf_puts(&w->text, "orange, +: grown; blue, -: shrunk; bold: new; "
		    "dashed: gone\n");
	for (i = 0; i < w->d->nnodes && w->t->nmetric; i++)
		marks |= row_marks(w, w->d->node[i]);
	for (; l->mark; l++, marks >>= 1)
		if (marks & 1)
			buf_printf(&w->text, "%s %s\n", l->mark, l->meaning);
}

/* Puts the heading of a table, then lines that only a graph has. */
static void
put_label(struct writer *w)
{
	const char *line, *end;

	page_add_heading(&w->p, w->t);
	for (line = buf_str(&w->p.line); *line; line = end + 1) {
		end = line + strcspn(line, "\n");
		dot_add_lines(&w->text, (struct text){ line, (size_t)(end - line) }, HEADING);
		buf_putc(&w->text, '\n');
	}
	w->p.line.n = 0;
	add_pruned(w);
	add_legend(w);
	dot_add_text_attr(w, "\tlabel", DOT_LEFT);
	buf_putc(&w->p.line, ';');
	dot_flush(w);
}

/* ---- the whole ---- */

static const char head[] =
	"digraph profile {\n"
	"\tgraph [charset=\"UTF-8\", bgcolor=\"white\", fontname=\"Helvetica\", "
	"fontsize=13,\n"
	"\t\tlabelloc=t, labeljust=l, nodesep=0.25, ranksep=0.35, tooltip=\" \",\n"
	"\t\tstyle=\"filled,rounded,dashed\", color=\"#555555\", fillcolor=\"#f4f4f4\"];\n"
	"\tnode [shape=box, style=\"filled,rounded\", fontname=\"Helvetica\", fontsize=12,\n"
	"\t\tmargin=\"0.12,0.06\", color=\"#555555\", fontcolor=\"black\"];\n"
	"\tedge [fontname=\"Helvetica\", fontsize=11, color=\"#555555\", arrowsize=0.8];\n";

void
dot_write(const struct drawing *d, struct output *out, struct loss *loss)
{
	struct writer w = { .d = d, .t = d->t, .p.out = out,
	    .loss = loss };
	size_t i;

	dot_find_namesakes(&w);
	out_puts(out, head);
	/* Arranges nodes in rows instead of on one line.  Graphviz fails on edges between
	 * clusters if it packs. */
	out_puts(out, d->nedges ? "" : "\tpack=16; packmode=\"array\";\n");
	put_label(&w);
	dot_put_nodes(&w);
	for (i = 0; i < d->nedges; i++)
		dot_put_edge(&w, d->edge[i]);
	out_puts(out, "}\n");
	free(w.namesake);
	buf_free(&w.text);
	buf_free(&w.p.line);
}
