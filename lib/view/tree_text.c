/* SPDX-License-Identifier: ISC */
/* A call tree as text. */
#include "view/tree_text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/printable.h"
#include "view/heading_text.h"

#define LEVELS 32		/* the levels of a deep tree that are drawn */
#define NAME 16			/* the fewest columns of names */
#define ENOUGH 30		/* columns that suffice for names */

/* The meanings of marks. */
static const char *const mark_meaning[MARKS] = {
	"(rec) recursion: below itself, or calls itself",
	"(cyc) enters a recursive cycle, which is not followed",
	"above: in calls of functions already shown above",
	"a; b: all of a's cost is in b",
	"a; b: nearly all of a's cost is in b",
};

/* ---- lines ---- */

/* Returns the node that begins the line above this one's. */
static size_t
line_above(const struct text_page *x, size_t node)
{
	node = x->tp->t->v[node].parent;
	while (node && !tree_begins_line(x->tp, node))
		node = x->tp->t->v[node].parent;
	return node;
}

/* How a level is drawn: below the last line; next to a line that has further siblings; at
 * the line itself, with and without siblings below it. */
enum branch { BRANCH_NONE, BRANCH_PAST, BRANCH_MORE, BRANCH_LAST, BRANCHES };

static const char *const branch_ascii[BRANCHES] = { "  ", "| ", "|-", "`-" };
static const char *const branch_utf8[BRANCHES] = {
	"  ", "\xe2\x94\x82 ", "\xe2\x94\x9c\xe2\x94\x80", "\xe2\x94\x94\xe2\x94\x80",
};

/* Adds "| | |-", as a tree is drawn; for a very deep one only the last levels. */
static void
add_branches(struct text_page *x, struct buf *b, size_t node)
{
	const char *const *drawn = x->tp->v->utf8 ? branch_utf8 : branch_ascii;
	const size_t level = x->level[node], width = x->tp->v->width;
	const size_t left = width > x->numbers.used ? width - x->numbers.used : 1;
	size_t most = width && left / 4 < LEVELS ? left / 4 : LEVELS, n, i, at = node;
	enum branch branch[LEVELS];

	if (level <= 1)
		return;
	n = level - 1 < most ? level - 1 : most;
	if (n < level - 1)
		buf_printf(b, "%zu: ", level);
	for (i = n; i-- > 0; at = line_above(x, at)) {
		const bool more = tree_sibling(x->tp, at) != 0;

		branch[i] = at != node ? (more ? BRANCH_PAST : BRANCH_NONE) :
		    more ? BRANCH_MORE : BRANCH_LAST;
	}
	for (i = 0; i < n; i++)
		buf_puts(b, drawn[branch[i]]);
}

/* Adds the text after the names, and returns the columns left for them; the text is shorter
 * if they would get too few. */
static size_t
add_after(struct text_page *x, struct buf *b, size_t node, size_t taken)
{
	const size_t width = x->tp->v->width;
	size_t n;
	enum tree_rest_words words;

	for (words = REST_ALL; words <= REST_DOTS; words++) {
		b->n = 0;
		tree_line_marks(x, b, node);
		tree_line_rest(x, b, node, words);
		n = taken + printable_columns(buf_as_text(b));
		if (width == 0)
			return SIZE_MAX;
		if (width >= n + (words == REST_ALL ? ENOUGH : NAME))
			break;
	}
	return width > n + NAME ? width - n : NAME;
}

/* Does the last function of a line have all of the cost of the first one, or nearly all? */
static void
mark_chain(struct text_page *x, size_t node)
{
	const struct tree_node *first = &x->tp->t->v[node];
	const struct tree_node *last = &x->tp->t->v[tree_line_last(x->tp, node)];
	size_t side;

	x->mark[MARK_CHAIN] |= first != last;
	for (side = 0; side < x->tp->t->sides; side++)
		x->mark[MARK_LOSSY] |= first->cost[side] != last->cost[side];
}

static void
put_line(struct text_page *x, size_t node)
{
	struct page *p = &x->tp->p;
	struct buf branches = { 0 }, names = { 0 }, after = { 0 };
	size_t room;

	text_table_row(&x->numbers, p, &(struct tree_line){ x, node, &(bool){ false } });
	add_branches(x, &branches, node);
	room = add_after(x, &after, node,
	    x->numbers.used + printable_columns(buf_as_text(&branches)));
	tree_names_add(&x->names, &names, node, room);
	mark_chain(x, node);
	x->guessed += tree_line_guesses_any(x, node);
	page_paint(p, PAINT_DIM);
	buf_text(&p->line, buf_as_text(&branches));
	page_paint(p, PAINT_PLAIN);
	buf_text(&p->line, buf_as_text(&names));
	page_paint(p, PAINT_DIM);
	buf_text(&p->line, buf_as_text(&after));
	page_paint(p, PAINT_PLAIN);
	buf_free(&branches);
	buf_free(&names);
	buf_free(&after);
}

/* ---- the page ---- */

static void
end_line(struct text_page *x)
{
	struct page *p = &x->tp->p;

	if (x->tp->v->markdown)
		buf_putc(&p->line, '\n');
	else
		page_flush(p);
}

static void
find_levels(struct text_page *x)
{
	const struct call_tree *t = x->tp->t;
	size_t node;

	x->level = mem_alloc(t->n, sizeof *x->level);
	for (node = 0; (node = tree_next(x->tp, node)); ) {
		x->level[node] = x->level[t->v[node].parent];
		if (!tree_begins_line(x->tp, node))
			continue;
		x->level[node]++;
		x->lines++;
		x->guesses &= tree_line_guesses(x, node);
	}
}

/* Measures twice: if a column is dropped, the next one gets the mark of an estimate. */
static void
measure_columns(struct text_page *x)
{
	size_t node, i;

	tree_line_columns(x);
	for (i = 0; i < 2; i++) {
		text_table_clear(&x->numbers);
		for (node = 0; (node = tree_next(x->tp, node)); )
			if (tree_begins_line(x->tp, node))
				text_table_measure(&x->numbers, &(struct tree_line){ x, node,
				    &(bool){ false } });
		text_table_fit(&x->numbers, x->tp->v->width, ENOUGH);
	}
}

/* Prints the heading, with an empty line after it. */
static void
put_heading(struct text_page *x, const struct rank_heading *h)
{
	const struct tree_page *tp = x->tp;
	struct buf *b = &x->tp->p.line;

	if (!tp->v->bare)
		heading_add(&x->tp->p, &(struct heading){ .of = h, .metric = &tp->metric,
		    .n = tp->t->name.s != NULL,
		    .difference = tp->metric.change && tp->t->name.s });
	if (x->guesses)
		buf_puts(b, "all of it is estimated from the cost of calls\n");
	if (!tp->v->bare || x->guesses)
		end_line(x);
}

static void
put_heads(struct text_page *x)
{
	struct page *p = &x->tp->p;

	page_bold(p, true);
	text_table_heads(&x->numbers, p);
	buf_puts(&p->line, x->tp->q->callers ? "function, callers below" : "function");
	page_bold(p, false);
	end_line(x);
}

/* Prints the roots that are left out, and the meanings of marks. */
static void
put_end(struct text_page *x)
{
	struct page *p = &x->tp->p;
	struct buf rest = { 0 };
	int i;

	tree_line_rest(x, &rest, 0, REST_ALL);
	if (rest.n) {
		buf_puts(&p->line, buf_str(&rest) + 2);
		end_line(x);
	}
	buf_free(&rest);
	if (x->guessed && !x->guesses) {
		buf_printf(&p->line, "~ the rest of the line is estimated from the cost "
		    "of calls: %zu of %zu lines", x->guessed, x->lines);
		end_line(x);
	}
	x->mark[MARK_CHAIN] &= !x->mark[MARK_LOSSY];
	for (i = 0; i < MARKS; i++)
		if (x->mark[i]) {
			buf_puts(&p->line, mark_meaning[i]);
			end_line(x);
		}
	if (x->tp->t->bounded) {
		buf_puts(&p->line, "truncated: the tree is too large to be followed "
		    "everywhere");
		end_line(x);
	}
}

/* Markdown's fence is longer than any in the text. */
static void
fence(struct page *p)
{
	struct buf text = p->line, *b = &p->line;
	size_t longest = 2, run = 0, i;

	for (i = 0; i < text.n; i++) {
		run = text.s[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	*b = (struct buf){ 0 };
	for (i = 0; i <= longest; i++)
		buf_putc(b, '`');
	buf_putc(b, '\n');
	buf_text(b, buf_as_text(&text));
	for (i = 0; i <= longest; i++)
		buf_putc(b, '`');
	buf_free(&text);
	page_flush(p);
}

void
tree_text(struct tree_page *tp, const struct rank_heading *h)
{
	struct text_page x = { .tp = tp, .guesses = tp->nshown > 0 };
	size_t node;

	tree_names_init(&x.names, tp);
	find_levels(&x);
	measure_columns(&x);
	put_heading(&x, h);
	if (tp->nshown)
		put_heads(&x);
	for (node = 0; (node = tree_next(tp, node)); )
		if (tree_begins_line(tp, node)) {
			put_line(&x, node);
			page_item(&tp->p, node);
			end_line(&x);
		}
	put_end(&x);
	if (tp->v->markdown)
		fence(&tp->p);
	text_table_free(&x.numbers);
	free(x.level);
	tree_names_free(&x.names);
}
