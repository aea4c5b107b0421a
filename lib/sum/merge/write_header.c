/* SPDX-License-Identifier: ISC */
/* Writes a part, its metadata and its events. */
#include "writer.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/mem.h"

/* ---- events ---- */

/* Writes events, and sets w->event to the order of their columns. */
static int
write_events(struct writer *w)
{
	struct group *g = w->g;
	size_t *order = merge_event_order(g), i, n = 0;
	int ret = 0;

	free(w->event);
	free(w->val);
	w->val = mem_alloc(merge_columns(g) + 1, sizeof *w->val);
	w->mixed = false;
	w->event = mem_alloc(merge_columns(g) + 1, sizeof *w->event);
	for (i = 0; i < g->events.n && ret == 0; i++) {
		const struct event *e = &g->events.v[order[i]];
		struct record r;

		rec_copy(&r, e->r);
		if (e->measured) {
			w->event[n] = (size_t)events_find(&g->events,
			    r.col[EVENT_NAME].t);
			w->mixed |= w->event[n] != n;
			r.col[EVENT_ID].n = n++;
		}
		ret = sink_put(w->out, &r);
	}
	for (; n < merge_columns(g); n++)
		w->event[n] = n;
	free(order);
	return ret;
}

/* ---- metadata ---- */

static int
by_fact(const void *pa, const void *pb)
{
	const struct fact *a = pa, *b = pb;

	return text_cmp(buf_as_text(&a->key), buf_as_text(&b->key));
}

static int
put_lines(struct writer *w, struct text key, struct text lines)
{
	struct record r;
	const char *p = lines.s, *end = lines.s + lines.n, *lf;

	rec_init(&r, REC_META);
	for (; p < end; p = lf + 1) {
		lf = memchr(p, '\n', (size_t)(end - p));
		r.col[0].t = key;
		r.attrs = (struct text){ p, (size_t)(lf - p) };
		if (sink_put(w->out, &r) < 0)
			return -1;
	}
	return 0;
}

/* Is a count of some record not a whole number, because it is a mean of runs? */
static bool
has_parts(const struct group *g)
{
	size_t row, i;
	unsigned k;

	for (k = 0; k < ROW_KINDS; k++) {
		const struct rows *r = g->rows[k];

		for (row = 0; row < r->t.n && r->per; row++)
			for (i = 0; i < r->nsum && r->per[i] > 1; i++) {
				const num v = sums_val(&r->t, row)[i];

				if (v != NUM_ABSENT && v % r->per[i])
					return true;
			}
	}
	return false;
}

/* Notes the number of runs of the means, if it is more than one. */
static void
add_runs(struct group *g)
{
	struct record r = rec_make(REC_META);
	char text[96];

	snprintf(text, sizeof text, "means of %ju runs%s", (uintmax_t)g->over->n,
	    has_parts(g) ? ", whose counts are rounded" : "");
	r.col[0].t = TEXT("estimate");
	r.attrs = text_of(text);
	facts_add(&g->facts, &r);
}

static int
write_facts(struct writer *w)
{
	struct facts *f = &w->g->facts;
	uint64_t source = w->g->key[BY_SOURCE];
	size_t i;

	if (merge_op_is_mean(w->m->how.op) && w->g->over->n > 1)
		add_runs(w->g);
	facts_sort(f);
	if (f->n)
		qsort(f->v, f->n, sizeof *f->v, by_fact);
	for (i = 0; i < f->n; i++)
		if (put_lines(w, buf_as_text(&f->v[i].key),
		    buf_as_text(&f->v[i].values)) < 0)
			return -1;
	if ((w->g->runs > 1 && meta_put_num(w->out, "runs", w->g->runs) < 0) ||
	    (w->g->skipped && meta_put_num(w->out, "skipped", w->g->skipped) < 0))
		return -1;
	return source ? put_lines(w, TEXT("source"),
	    dict_text(w->dict, (uint32_t)(source - 1))) : 0;
}

/* ---- the part ---- */

static int
write_part(struct writer *w, uint64_t run)
{
	struct record r;
	struct buf attrs = { 0 }, positions = { 0 };
	char tmp[24];
	enum position i;
	int ret;

	rec_init(&r, REC_PART);
	for (i = 0; i < POSITIONS; i++) {
		bool keep = w->m->canonical.all || (i == POSITION_LINE ?
		    w->m->canonical.keeps[BY_LINE] : w->m->canonical.keeps[BY_ADDR]);

		if (w->g->position[i] && keep)
			buf_printf(&positions, "%s%s", positions.n ? "," : "",
			    position_name[i]);
	}
	buf_text(&attrs, buf_as_text(&w->g->attrs));
	if (positions.n)
		attr_add(&attrs, "positions", buf_as_text(&positions));
	r.col[0].t = num_text_u64(tmp, run);
	r.attrs = attrs.n ? buf_as_text(&attrs) : (struct text){ 0 };
	ret = sink_put(w->out, &r);
	buf_free(&attrs);
	buf_free(&positions);
	return ret;
}

int
merge_write_header(struct writer *w, uint64_t run)
{
	return write_part(w, run) < 0 || write_facts(w) < 0 || write_events(w) < 0 ? -1 : 0;
}
