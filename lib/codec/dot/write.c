/* SPDX-License-Identifier: ISC */
/*
 * The graph as text.  Colors are told apart by those who do not see all of them, and
 * when printed in grey: shares go from light to dark, changes from light to dark orange
 * or blue, with signs and lines that say the same.
 */
#include "dot.h"

#include <inttypes.h>
#include <stdlib.h>

#include "stream/lookup.h"
#include "util/mem.h"

struct writer {
	const struct drawing *d;
	const struct table *t;
	struct page p;		/* its line: the statement that is being made */
	struct loss *loss;
	struct buf text;	/* a label or the like, before it is quoted */
	bool *namesake;		/* by node: another one has its name */
};

/* ---- attributes ---- */

enum { SHADES = 8 };
static const char *const heat[SHADES] = {	/* ColorBrewer's OrRd, */
	"#fff7ec", "#fee8c8", "#fdd49e", "#fdbb84", "#fc8d59", "#ef6548", "#d7301f",
	"#b30000"
};
static const char *const grown[SHADES] = {	/* and the two sides of PuOr and RdBu */
	"#fff5eb", "#fee6ce", "#fdd0a2", "#fdae6b", "#fd8d3c", "#f16913", "#d94801",
	"#a63603"
};
static const char *const shrunk[SHADES] = {
	"#f7fbff", "#deebf7", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5",
	"#084594"
};
#define FIRST_DARK 6		/* the first shade on which text is white */
#define UNKNOWN "#f0f0f0"

/* What a value is of the base: 0 to 1. */
static double
share(const struct drawing *d, num size)
{
	const double s = d->base ? (double)size / (double)d->base : 0;

	return s > 1 ? 1 : s;
}

/* Small shares are many, so the light half of the shades is theirs. */
static int
shade(double share)
{
	int i;

	for (i = 0; i < SHADES - 1 && share * SHADES * SHADES >= (i + 1) * (i + 1); i++)
		;
	return i;
}

/* name=value, of which the value is safe. */
static void
add_attr(struct writer *w, const char *name, const char *value)
{
	buf_printf(&w->p.line, ", %s=\"%s\"", name, value);
}

/* name="text", of what is in w->text. */
static void
add_text_attr(struct writer *w, const char *name, enum dot_text as)
{
	buf_printf(&w->p.line, "%s=", name);
	dot_quote(&w->p.line, buf_as_text(&w->text), as);
	w->text.n = 0;
}

static void
flush(struct writer *w)
{
	page_flush(&w->p);
}

/* ---- numbers ---- */

/* "1,669,305 (34.14 %)" */
static void
add_cost(struct writer *w, struct value v)
{
	const struct metric *m = w->t->metric;

	page_add_shown(&w->text, m, v);
	if (v.kind != WHOLE || !m->total || table_is_over(m, v))
		return;
	buf_puts(&w->text, " (");
	num_add_percent(&w->text, v.n, m->total);
	buf_puts(&w->text, " %)");
}

/* "4 -> 3" */
static void
add_sides(struct writer *w, const num *sums)
{
	const struct metric *m = w->t->metric;

	page_add_shown(&w->text, m, (struct value){ .kind = WHOLE,
	    .n = sums[m->delta->old] });
	buf_puts(&w->text, " \xe2\x86\x92 ");
	page_add_shown(&w->text, m, (struct value){ .kind = WHOLE,
	    .n = sums[m->delta->new] });
}

/* "-1 (-25.00 %)", "+3 (new)" */
static void
add_change(struct writer *w, const num *sums)
{
	const struct metric *m = w->t->metric;
	const num old = sums[m->delta->old], change = sums[m->delta->change];

	buf_puts(&w->text, change > 0 ? "+" : "");
	page_add_shown(&w->text, m, (struct value){ .kind = WHOLE, .n = change });
	if (!change)
		return;
	buf_puts(&w->text, " (");
	num_add_change(&w->text, old, change);
	buf_puts(&w->text, old && change != -old ? " %)" : ")");
}

static void
add_calls(struct writer *w, num n)
{
	char tmp[NUM_TEXT];

	buf_add(&w->text, tmp, (size_t)(num_put_grouped(tmp, n) - tmp));
	buf_puts(&w->text, n == 1 ? " call" : " calls");
}

/* ---- nodes ---- */

#define BOX 30			/* characters of a line: a box is not wider */

static const num *
incl_sums(const struct writer *w, size_t row)
{
	const struct rank *r = w->t->r;

	return r->incl + row * r->rows.nval;
}

/* What a change says of what it is of. */
enum change { CHANGE_NONE, CHANGE_GROWN, CHANGE_SHRUNK, CHANGE_NEW, CHANGE_GONE };

static enum change
change_of(const struct rank_delta *d, const num *sums)
{
	if (!sums[d->change])
		return CHANGE_NONE;
	if (!sums[d->old])
		return CHANGE_NEW;
	if (!sums[d->new])
		return CHANGE_GONE;
	return sums[d->change] > 0 ? CHANGE_GROWN : CHANGE_SHRUNK;
}

static const char *const change_sign[] = { "", "+ ", "- ", "new: ", "gone: " };
static const char *const change_line[] = { "solid", "solid", "solid", "bold", "dashed" };

/* The sums by which a row of a difference has changed: self costs, where inclusive ones
 * are not known. */
static const num *
changed_sums(const struct writer *w, size_t row)
{
	return drawing_incl(w->d, row).kind == WHOLE ? incl_sums(w, row) :
	    sums_val(&w->t->r->rows, row);
}

/* Costs on lines of their own: inclusive and self, or just one of them if there is no
 * other, or it says the same. */
static void
add_costs(struct writer *w, size_t row)
{
	const struct value self = drawing_self(w->d, row), incl = drawing_incl(w->d, row);
	const bool same = incl.kind == WHOLE && self.kind == WHOLE && self.n == incl.n &&
	    !*table_mark(w->t, row, 0);

	if (incl.kind == WHOLE && !same) {
		buf_putc(&w->text, '\n');
		buf_puts(&w->text, table_mark(w->t, row, 0));
		add_cost(w, incl);
	}
	if (self.kind == WHOLE && (self.n || incl.kind != WHOLE || same)) {
		buf_puts(&w->text, "\nself ");
		add_cost(w, self);
	}
}

static void
add_changes(struct writer *w, size_t row)
{
	const struct rank_delta *d = w->t->metric->delta;
	const num *self = sums_val(&w->t->r->rows, row), *incl = incl_sums(w, row);
	const bool known = drawing_incl(w->d, row).kind == WHOLE;
	const bool same = known && self[d->old] == incl[d->old] &&
	    self[d->new] == incl[d->new] && !*table_mark(w->t, row, 0);

	if (known && !same) {
		buf_putc(&w->text, '\n');
		buf_puts(&w->text, table_mark(w->t, row, 0));
		add_sides(w, incl);
		buf_putc(&w->text, '\n');
		add_change(w, incl);
	}
	if (self[d->change] || !known) {
		buf_puts(&w->text, "\nself ");
		add_sides(w, self);
		buf_puts(&w->text, known && !same ? ", " : "\n");
		add_change(w, self);
	}
}

/* The file, or else the object, of one of several functions of a name. */
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
		buf_puts(&w->text, change_sign[change_of(w->t->metric->delta,
		    changed_sums(w, row))]);
	dot_add_lines(&w->text, name[0], BOX);
	if (w->namesake[node] || !name[0].s)
		add_place(w, name);
	if (table_is_diff(w->t))
		add_changes(w, row);
	else
		add_costs(w, row);
}

/* All that there is to be said, each on a line: names, self, inclusive, calls. */
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
		add_sides(w, sums_val(&w->t->r->rows, row));
		if (drawing_incl(w->d, row).kind == WHOLE) {
			buf_puts(&w->text, "\ninclusive ");
			buf_puts(&w->text, table_mark(w->t, row, 0));
			add_sides(w, incl_sums(w, row));
		}
	} else if (w->t->nmetric) {
		buf_puts(&w->text, "\nself ");
		add_cost(w, drawing_self(w->d, row));
		buf_puts(&w->text, "\ninclusive ");
		buf_puts(&w->text, table_mark(w->t, row, 0));
		add_cost(w, drawing_incl(w->d, row));
	}
	if (calls.kind == WHOLE) {
		buf_putc(&w->text, '\n');
		add_calls(w, calls.n);
	}
}

static void
add_fill(struct writer *w, const char *const *shades, double share)
{
	const int i = shade(share);

	add_attr(w, "fillcolor", shades[i]);
	if (i >= FIRST_DARK)
		add_attr(w, "fontcolor", "white");
}

/* Colors are those of what is on the label first. */
static void
node_style(struct writer *w, size_t row)
{
	const struct value incl = drawing_incl(w->d, row), self = drawing_self(w->d, row);
	const struct value v = incl.kind == WHOLE ? incl : self;
	enum change change;

	if (v.kind != WHOLE) {
		add_attr(w, "fillcolor", UNKNOWN);
	} else if (table_is_diff(w->t)) {
		change = change_of(w->t->metric->delta, changed_sums(w, row));
		add_fill(w, v.n < 0 ? shrunk : grown, share(w->d, table_magnitude(v.n)));
		if (change == CHANGE_NEW || change == CHANGE_GONE)
			buf_printf(&w->p.line, ", style=\"filled,rounded,%s\"",
			    change_line[change]);
	} else {
		add_fill(w, v.n < 0 ? shrunk : heat, share(w->d, table_magnitude(v.n)));
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
	add_text_attr(w, "label", DOT_CENTERED);
	node_tooltip(w, row, name);
	add_text_attr(w, ", tooltip", DOT_TOOLTIP);
	node_style(w, row);
	buf_puts(&w->p.line, "];");
	flush(w);
}

/* Which nodes need more than their name to tell them apart? */
static void
find_namesakes(struct writer *w)
{
	struct lookup known = { 0 };
	size_t i, first;

	w->namesake = mem_alloc(w->d->nnodes + 1, sizeof *w->namesake);
	for (i = 0; i < w->d->nnodes; i++) {
		first = lookup_add(&known, dict_func_name(w->t->q->dict,
		    (uint32_t)*sums_key(&w->t->r->rows, w->d->node[i])), i);
		if (first != i)
			w->namesake[i] = w->namesake[first] = true;
	}
	lookup_free(&known);
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
	flush(w);
	buf_printf(&w->text, "cycle of %" PRIu32 " functions", w->d->members[cycle]);
	if (n < w->d->members[cycle])
		buf_printf(&w->text, ", %zu of them here", n);
	add_text_attr(w, "\t\tlabel", DOT_CENTERED);
	buf_puts(&w->p.line, ";");
	flush(w);
	for (i = node + 1; i; i = next[i - 1])
		put_node(w, i - 1, "\t\t");
	buf_puts(&w->p.line, "\t}");
	flush(w);
}

/* Those of a cycle where its first one is. */
static void
put_nodes(struct writer *w)
{
	const struct drawing *d = w->d;
	size_t *next = mem_alloc(d->nnodes + 1, sizeof *next);	/* of its cycle + 1 */
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

/* ---- edges ---- */

static bool
counts_known(const struct writer *w)
{
	return w->t->r->counts_known && !w->t->r->ndelta;
}

/* Is the cost of a call counted once for each level of recursion?  Stacks tell which are
 * nested in each other. */
static bool
counted_often(const struct writer *w, size_t edge)
{
	const uint64_t *key = sums_key(&w->t->r->edges, edge);

	return w->t->r->calls_known &&
	    w->d->cycle[key[EDGE_FROM]] == w->d->cycle[key[EDGE_TO]];
}

/* Blanks keep it off the line of the edge, which may be wide. */
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
		add_sides(w, sums + 1);
		buf_putc(&w->text, '\n');
		add_change(w, sums + 1);
	} else if (cost.kind == WHOLE && w->t->metric->total && !counted_often(w, edge) &&
	    !table_is_over(w->t->metric, cost)) {
		num_add_percent(&w->text, cost.n, w->t->metric->total);
		buf_puts(&w->text, " %");
	} else if (cost.kind == WHOLE) {
		page_add_shown(&w->text, w->t->metric, cost);
	}
	if (counts_known(w)) {
		buf_puts(&w->text, w->text.n ? "\n" : "");
		add_calls(w, sums[0]);
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
		add_sides(w, sums + 1);
	} else if (w->t->nmetric) {
		buf_putc(&w->text, '\n');
		if (counted_often(w, edge))
			page_add_shown(&w->text, w->t->metric, drawing_cost(w->d, edge));
		else
			add_cost(w, drawing_cost(w->d, edge));
	}
	if (counts_known(w)) {
		buf_putc(&w->text, '\n');
		add_calls(w, sums[0]);
	}
}

#define WIDEST 50		/* tenths of a point, beyond the width of the smallest share */

/* Levels of recursion make no wide lines: such an edge has no more than both its ends. */
static double
edge_share(const struct writer *w, size_t edge)
{
	const uint64_t *key = sums_key(&w->t->r->edges, edge);
	num weight = drawing_edge_weight(w->d, edge), most;
	int end;

	for (end = EDGE_FROM; end <= EDGE_TO && counted_often(w, edge); end++)
		if (weight > (most = drawing_weight(w->d, (size_t)key[end])))
			weight = most;
	return share(w->d, weight);
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
	change = change_of(w->t->metric->delta, sums);
	if (change != CHANGE_NONE)
		add_attr(w, "color", sums[w->t->metric->delta->change] < 0 ?
		    shrunk[FIRST_DARK] : grown[FIRST_DARK]);
	if (change == CHANGE_NEW || change == CHANGE_GONE)
		add_attr(w, "style", change_line[change]);
}

static void
put_edge(struct writer *w, size_t edge)
{
	const uint64_t *key = sums_key(&w->t->r->edges, edge);

	buf_printf(&w->p.line, "\tn%zu -> n%zu [", w->d->number[key[EDGE_FROM]] - 1,
	    w->d->number[key[EDGE_TO]] - 1);
	edge_label(w, edge);
	add_text_attr(w, "label", DOT_CENTERED);
	edge_tooltip(w, edge);
	add_text_attr(w, ", tooltip", DOT_TOOLTIP);
	edge_style(w, edge);
	buf_puts(&w->p.line, "];");
	flush(w);
}

/* ---- the label of the graph ---- */

#define HEADING 110		/* characters of a line */

/* "0.5 %", as the option has it. */
static void
add_least(struct buf *b, struct threshold least)
{
	const int million = 1000000;
	char tmp[NUM_TEXT];

	buf_add(b, tmp, (size_t)(num_put_num(tmp, least.n / million) - tmp));
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

/* "12 of 40 functions; left out: 28 below 0.5 %" */
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

static void
add_legend(struct writer *w)
{
	const struct table_legend *l;
	size_t i;

	if (table_is_diff(w->t))
		buf_puts(&w->text, "orange, +: grown; blue, -: shrunk; bold: new; "
		    "dashed: gone\n");
	for (l = table_legend; l->mark && w->t->nmetric; l++) {
		for (i = 0; i < w->d->nnodes && strcmp(table_mark(w->t, w->d->node[i], 0),
		    l->mark) != 0; i++)
			;
		if (i < w->d->nnodes)
			buf_printf(&w->text, "%s %s\n", l->mark, l->says);
	}
}

/* The heading of a table, then what only a graph says. */
static void
put_label(struct writer *w)
{
	const char *line, *end;

	page_add_heading(&w->p);
	for (line = buf_str(&w->p.line); *line; line = end + 1) {
		end = line + strcspn(line, "\n");
		dot_add_lines(&w->text, (struct text){ line, (size_t)(end - line) }, HEADING);
		buf_putc(&w->text, '\n');
	}
	w->p.line.n = 0;
	add_pruned(w);
	add_legend(w);
	add_text_attr(w, "\tlabel", DOT_LEFT);
	buf_putc(&w->p.line, ';');
	flush(w);
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
	struct writer w = { .d = d, .t = d->t, .p = { .t = d->t, .out = out },
	    .loss = loss };
	size_t i;

	find_namesakes(&w);
	out_puts(out, head);
	/* In rows, instead of on one line.  Of edges between clusters Graphviz fails if
	 * it packs. */
	out_puts(out, d->nedges ? "" : "\tpack=16; packmode=\"array\";\n");
	put_label(&w);
	put_nodes(&w);
	for (i = 0; i < d->nedges; i++)
		put_edge(&w, d->edge[i]);
	out_puts(out, "}\n");
	free(w.namesake);
	buf_free(&w.text);
	buf_free(&w.p.line);
}
