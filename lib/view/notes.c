/* SPDX-License-Identifier: ISC */
/* The lines below a text table: its omissions, and the meanings of marks. */
#include "view/rank_page.h"

#include "util/printable.h"

/* Returns the metric that rows are sorted by, otherwise the first one. */
static size_t
sorted_metric(const struct table *t)
{
	return t->nsort && (t->sort[0].what == SORT_SELF || t->sort[0].what == SORT_INCL) ?
	    t->sort[0].i : 0;
}

/* Prints "... 812 more, 3.10 %": the self cost of the rest, in the metric that rows are
 * sorted by, or otherwise in the first metric. */
static void
remainder_line(struct page *p, const struct table *t, size_t from)
{
	const size_t m = sorted_metric(t);
	struct value sum = { .kind = WHOLE };
	size_t i;

	for (i = from; i < t->r->rows.n && t->nmetric; i++) {
		struct value v = table_self(t, t->order[i].of, m);

		if (v.kind != WHOLE || num_add(&sum.n, v.n) < 0)
			sum.kind = ABSENT;
	}
	buf_puts(&p->line, "\xe2\x80\xa6 ");
	num_add_grouped(&p->line, (num)(t->r->rows.n - from));
	buf_puts(&p->line, " more");
	if (t->nmetric && sum.kind == WHOLE && t->metric[m].total != 0 &&
	    !t->metric[m].cumulative) {
		buf_puts(&p->line, ", ");
		value_add_share(&p->line, sum, t->metric[m].total);
		buf_puts(&p->line, t->sort[0].what == SORT_SELF ? " %" : " % self");
		if (m) {
			buf_puts(&p->line, " ");
			printable_add(&p->line, t->metric[m].name);
		}
	}
	page_flush(p);
}

/* Prints by how much the total exceeds all rows that were read: Xdebug's total includes the
 * time of the profiler itself. */
static void
unlisted_line(struct page *p, const struct table *t)
{
	const size_t m = sorted_metric(t);
	struct value rest = { .kind = WHOLE };
	num listed = 0;
	size_t row;

	if (!t->nmetric || t->growth || t->r->filtered || t->r->ndelta || t->metric[m].ratio ||
	    t->metric[m].cumulative)
		return;
	for (row = 0; row < t->r->rows.n; row++) {
		const struct value v = table_self(t, row, m);

		if (v.kind != WHOLE || num_add(&listed, v.n) < 0)
			return;
	}
	rest.n = t->metric[m].total;
	if (listed < 0 || rest.n <= listed || rest.n - listed < rest.n / 10000)
		return;
	rest.n -= listed;
	value_add_share(&p->line, rest, t->metric[m].total);
	buf_puts(&p->line, " % of the total is in no row");
	page_flush(p);
}

void
page_mark_lines(struct page *p, const struct table *t, unsigned marks)
{
	const struct table_legend *l;

	for (l = table_legend(t); l->mark; l++, marks >>= 1)
		if (marks & 1) {
			buf_printf(&p->line, "%s %s", l->mark, l->meaning);
			page_flush(p);
		}
}

/* Prints the columns that were left out. */
static void
omission_lines(struct page *p, const struct notes *n)
{
	if (n->object.s) {
		buf_puts(&p->line, "object: ");
		printable_add(&p->line, n->object);
		buf_puts(&p->line, ", everywhere");
		page_flush(p);
	}
	if (n->no_incl)
		page_put_line(p, "inclusive cost: self cost, everywhere");
}

/* Prints the events that are not shown. */
static void
event_line(struct page *p, const struct table *t)
{
	const struct events *events = &t->r->events;
	struct buf names = { 0 };
	size_t i;

	if (!p->width || t->q->nwant || t->v->nshow != 1)
		return;
	for (i = 0; i < events->measured; i++) {
		const struct text name = events_at(events, i)->col[EVENT_NAME].t;

		if (text_eq(name, t->metric[0].name))
			continue;
		buf_puts(&names, names.n ? ", " : "");
		buf_text(&names, name);
	}
	if (names.n) {
		printable_add(&p->line, t->metric[0].name);
		buf_puts(&p->line, " only; --events shows others: ");
		printable_shortened(&p->line, buf_as_text(&names), page_room(p, 20));
		page_flush(p);
	}
	buf_free(&names);
}

void
page_notes(struct page *p, const struct table *t, const struct notes *n)
{
	if (n->limit < t->r->rows.n)
		remainder_line(p, t, n->limit);
	unlisted_line(p, t);
	page_mark_lines(p, t, n->marks);
	omission_lines(p, n);
	event_line(p, t);
	page_samples_line(p, t);
	if (t->growth)
		growth_line(p, t, n->limit);
}
