/* SPDX-License-Identifier: ISC */
/*
 * The tree of a snapshot.  A node's bytes in excess of its children's are those of a stack,
 * which goes from the root's child, the leaf, to the node.
 */
#include "reader.h"

#include <inttypes.h>

#include "util/mem.h"

struct walk {
	struct massif *rd;
	const struct snapshot *snap;
	int event;
	const char *p, *end;
	bool bad;		/* a line was skipped, so children may be missing */
};

static int
bad(struct walk *w, int ret)
{
	w->bad = true;
	return decode_line_done(w->rd->d, ret);
}

#define BAD(w, ...) bad((w), (diag_fail((w)->rd->d->diag, __VA_ARGS__), LINE_BAD))

/* ---- samples ---- */

/* Finds the node's stack: the nodes between it and the root. */
static int
find_stack(struct massif *rd, uint32_t *ctx)
{
	size_t i;

	rd->stack = mem_grow(rd->stack, &rd->capstack, rd->nopen, sizeof *rd->stack);
	for (i = 1; i < rd->nopen; i++)
		rd->stack[i - 1] = rd->open[i].frame;
	return valgrind_frames_put(&rd->frames, rd->d, rd->stack, rd->nopen - 1, ctx);
}

static int
put_sample(struct walk *w, uint64_t bytes)
{
	struct massif *rd = w->rd;
	struct record r = rec_make(REC_SAMPLE);
	uint32_t ctx = NO_ID;
	int i;

	if (find_stack(rd, &ctx) < 0)
		return -1;
	rd->values.n = 0;
	for (i = 0; i < w->event; i++)
		buf_puts(&rd->values, "0\t");
	num_add_whole(&rd->values, bytes);
	r.col[0].n = ctx;
	r.values = buf_as_text(&rd->values);
	return sink_put(rd->d->out, &r);
}

/* ---- nodes ---- */

static int
close_node(struct walk *w)
{
	struct massif *rd = w->rd;
	const struct node *n = &rd->open[rd->nopen - 1];

	if (n->children && !w->bad && (w->p < w->end ?
	    BAD(w, "%" PRIu64 " children of a node above are missing", n->children) :
	    bad(w, decode_cut(rd->d, "the tree of snapshot %" PRIu64 " is truncated: %" PRIu64
	    " children of its last lines are missing", w->snap->number, n->children))) < 0)
		return -1;
	if (w->event >= 0 && (n->left || (n->leaf && rd->nopen > 1)) &&
	    put_sample(w, n->left) < 0)
		return -1;
	rd->nopen--;
	return 0;
}

/* Is it "in 3 places, all below massif's threshold (1.00%)"? */
static bool
is_group(struct text what)
{
	static const char below[] = "below massif's threshold";

	return what.n > 4 && memcmp(what.s, "in ", 3) == 0 && what.s[3] >= '0' &&
	    what.s[3] <= '9' && memmem(what.s, what.n, below, sizeof below - 1);
}

static int
open_node(struct walk *w, const struct massif_line *l)
{
	struct massif *rd = w->rd;
	struct node made = { l->bytes, l->children, !l->children, 0 };

	if (w->event >= 0 && l->depth && valgrind_frames_find(&rd->frames, rd->d,
	    is_group(l->what) ? TEXT("(below threshold)") : l->what, &made.frame) < 0)
		return -1;
	rd->open = mem_grow(rd->open, &rd->capopen, rd->nopen + 1, sizeof *rd->open);
	rd->open[rd->nopen++] = made;
	return 0;
}

/* Adds the node to its parent, if the stack has the same node and enough bytes are left. */
static int
join_parent(struct walk *w, const struct massif_line *l, bool *joined)
{
	struct massif *rd = w->rd;
	struct node *parent;

	*joined = false;
	if (l->depth != rd->nopen || (!l->depth && w->snap->tree.s != w->p))
		return BAD(w, "the line is too deep or not deep enough for the tree");
	*joined = !l->depth;
	if (!l->depth)
		return 0;
	parent = &rd->open[rd->nopen - 1];
	if (!parent->children)
		return BAD(w, "more lines than the node above has children");
	if (parent->left < l->bytes)
		return BAD(w, "more bytes than the node above has left, %" PRIu64,
		    parent->left);
	parent->children--;
	parent->left -= l->bytes;
	*joined = true;
	return 0;
}

static int
read_line(struct walk *w, struct text line)
{
	struct massif *rd = w->rd;
	struct massif_line l;
	bool joined;

	if (!massif_tree_line(line, &l))
		return BAD(w, "expected a line of a tree, found %s", QUOTE(line));
	while (rd->nopen && l.depth && rd->nopen > l.depth)
		if (close_node(w) < 0)
			return -1;
	if (join_parent(w, &l, &joined) < 0)
		return -1;
	return joined ? open_node(w, &l) : 0;
}

int
massif_read_tree(struct massif *rd, const struct snapshot *s, int event)
{
	struct walk w = { rd, s, event, s->tree.s, s->tree.s + s->tree.n, false };
	const char *lf;

	rd->nopen = 0;
	rd->d->at.line = s->line;
	for (; w.p < w.end; w.p = lf + 1) {
		rd->d->at.line++;
		lf = memchr(w.p, '\n', (size_t)(w.end - w.p));
		if (read_line(&w, (struct text){ w.p, (size_t)(lf - w.p) }) < 0)
			return -1;
	}
	if (s->kind != MASSIF_EMPTY && !s->tree.n &&
	    decode_cut(rd->d, "snapshot %" PRIu64 " has no tree", s->number) < 0)
		return -1;
	while (rd->nopen)
		if (close_node(&w) < 0)
			return -1;
	return 0;
}
