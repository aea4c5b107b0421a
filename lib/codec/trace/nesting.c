/* SPDX-License-Identifier: ISC */
/*
 * Slices to samples.  Of each thread they come in the order of their beginnings, the outer
 * before the inner: the open ones are a stack.  Slices that overlap, so that neither is
 * inside the other, are side by side.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "trace.h"
#include "util/mem.h"

struct frame {
	int64_t end, self;
	int64_t covered;	/* the latest end of those in it */
	uint32_t ctx, category;
};

struct nesting {
	struct trace *t;
	struct frame *open;
	size_t nopen, capopen;
	struct slice *same;	/* slices of the same times, which wait for their order */
	size_t nsame, capsame;
	struct sums nodes;	/* by caller and name: the context */
	struct sums rows;	/* by context and category: time and number, of a thread */
	uint64_t overlaps;
	struct buf values, labels;
};

/* ---- samples ---- */

static void
add_label(struct nesting *n, const char *key, uint32_t value)
{
	if (value != NO_ID)
		attr_add(&n->labels, key, dict_text(n->t->w.doc.d->dict, value));
}

static void
set_labels(struct nesting *n, const struct thread *th, uint32_t category)
{
	n->labels.n = 0;
	if (n->t->w.doc.d->session->no_labels)
		return;
	add_label(n, "comm", trace_name(n->t, th->pid, th->tid));
	add_label(n, "pid", th->pid);
	add_label(n, "tid", th->tid);
	add_label(n, "process", trace_name(n->t, th->pid, NO_ID));
	add_label(n, "category", category);
}

static int
put_row(struct nesting *n, const struct thread *th, size_t row)
{
	const uint64_t *key = sums_key(&n->rows, row);
	const num *v = sums_val(&n->rows, row);
	struct record r = rec_make(REC_SAMPLE);
	char tmp[NUM_TEXT];

	set_labels(n, th, (uint32_t)key[1]);
	n->values.n = 0;
	buf_text(&n->values, num_text(tmp, n->t->slices.parts ? v[0] : v[0] / 1000));
	buf_putc(&n->values, '\t');
	buf_text(&n->values, num_text(tmp, v[1]));
	r.col[0].n = key[0];
	r.values = buf_as_text(&n->values);
	if (n->labels.n)
		r.attrs = buf_as_text(&n->labels);
	return sink_put(n->t->w.doc.d->out, &r);
}

static void
close_slice(struct nesting *n)
{
	const struct frame *f = &n->open[--n->nopen];
	const uint64_t key[] = { f->ctx, f->category };
	num *v = sums_val(&n->rows, sums_row(&n->rows, key));

	v[0] += f->self;
	v[1]++;
}

/* ---- the stack ---- */

static int
context_of(struct nesting *n, uint32_t parent, uint32_t name, uint32_t *ctx)
{
	struct decode *d = n->t->w.doc.d;
	const uint64_t key[] = { parent, name };
	const size_t was = n->nodes.n, row = sums_row(&n->nodes, key);
	struct func_def f = NO_FUNC;
	struct ctx_def c = NO_CTX;

	if (row == was) {
		f.name = name;
		c.parent = parent;
		if (decode_func(d, &f, &c.func) < 0 || decode_ctx(d, &c, ctx) < 0)
			return -1;
		*sums_val(&n->nodes, row) = *ctx;
	}
	*ctx = (uint32_t)*sums_val(&n->nodes, row);
	return 0;
}

/* Returns by how much an inner slice may end after the outer one, as both were rounded. */
static int64_t
tolerance(int64_t a, int64_t b)
{
	return a % 1000 || b % 1000 ? 1 : 1000;
}

/* Takes time from a slice for one in it, which may overlap with those before it there. */
static void
cover(struct frame *f, int64_t begin, int64_t end)
{
	const int64_t from = begin > f->covered ? begin : f->covered;

	if (end > from) {
		f->self -= end - from;
		f->covered = end;
	}
}

static int
open_slice(struct nesting *n, const struct slice *s)
{
	struct frame f = { .end = s->end, .category = s->category, .covered = s->begin }, *outer;

	while (n->nopen && n->open[n->nopen - 1].end <= s->begin)
		close_slice(n);
	outer = n->nopen ? &n->open[n->nopen - 1] : NULL;
	if (outer && f.end > outer->end && f.end - outer->end <= tolerance(f.end, outer->end))
		f.end = outer->end;
	n->overlaps += outer && f.end > outer->end;
	while (n->nopen && f.end > n->open[n->nopen - 1].end)
		close_slice(n);
	f.self = f.end - s->begin;
	if (n->nopen)
		cover(&n->open[n->nopen - 1], s->begin, f.end);
	n->open = mem_grow(n->open, &n->capopen, n->nopen + 1, sizeof *n->open);
	n->open[n->nopen++] = f;
	return context_of(n, n->nopen > 1 ? n->open[n->nopen - 2].ctx : NO_ID, s->name,
	    &n->open[n->nopen - 1].ctx);
}

/* Opens those that wait, the outer one first. */
static int
open_same(struct nesting *n)
{
	const size_t m = n->nsame;
	size_t i;

	n->nsame = 0;
	for (i = 0; i < m; i++) {
		const struct thread *th = &n->t->slices.thread[n->same->thread];

		if (open_slice(n, &n->same[th->outer_last > th->inner_last ? m - 1 - i : i]) < 0)
			return -1;
	}
	return 0;
}

/* ---- threads ---- */

static int
end_thread(struct nesting *n, const struct thread *th)
{
	size_t i;

	if (open_same(n) < 0)
		return -1;
	while (n->nopen)
		close_slice(n);
	for (i = 0; i < n->rows.n; i++)
		if (put_row(n, th, i) < 0)
			return -1;
	sums_clear(&n->rows);
	return 0;
}

static int
take_slice(struct nesting *n, struct slice *s)
{
	const struct thread *th = &n->t->slices.thread[s->thread];

	if (s->end == NO_END)
		s->end = th->latest;
	if (n->t->w.doc.d->session->no_labels)
		s->category = NO_ID;
	if ((n->nsame && (s->begin != n->same->begin || s->end != n->same->end ||
	    s->begin == s->end)) && open_same(n) < 0)
		return -1;
	n->same = mem_grow(n->same, &n->capsame, n->nsame + 1, sizeof *n->same);
	n->same[n->nsame++] = *s;
	return 0;
}

static int
take_all(struct nesting *n)
{
	struct thread *thread = n->t->slices.thread;
	uint32_t last = 0;
	struct slice s;
	int ret;

	while ((ret = sorter_next(&n->t->slices.sorter, &s)) > 0) {
		if (s.thread != last && end_thread(n, &thread[last]) < 0)
			return -1;
		last = s.thread;
		if (take_slice(n, &s) < 0)
			return -1;
	}
	return ret < 0 ? -1 : end_thread(n, &thread[last]);
}

int
trace_put_nested(struct trace *t)
{
	struct nesting n = { .t = t };
	int ret;

	sums_init(&n.nodes, 2, 1);
	sums_init(&n.rows, 2, 2);
	ret = take_all(&n);
	if (ret == 0 && n.overlaps)
		diag_say(t->w.doc.d->diag, DIAG_WARN, "%" PRIu64 " event%s in another "
		    "one and end%s after it: they are counted next to each other, and "
		    "their common time twice", n.overlaps,
		    n.overlaps == 1 ? " begins" : "s begin", n.overlaps == 1 ? "s" : "");
	free(n.open);
	free(n.same);
	sums_free(&n.nodes);
	sums_free(&n.rows);
	buf_free(&n.values);
	buf_free(&n.labels);
	return ret;
}
