/* SPDX-License-Identifier: ISC */
#include "filter/filter.h"

#include <stdlib.h>

#include "stream/part.h"
#include "util/mem.h"
#include "util/printable.h"

/* A column of the output, in a part: a column of the input, or a formula over some. */
struct choice {
	long from;		/* -1: a formula, or the sum of columns of one name */
	long total;		/* its total is that of this column */
	struct term { size_t from; num coef; } *term;
	size_t nterm, capterm;
};

struct choose {
	struct sink sink;
	struct diag *diag;
	char *what;		/* for messages: the option or file with the list */
	struct dict *want;	/* the events; their numbers are those of its strings */
	uint64_t *seen;		/* the number of parts that had it */
	bool *sums;		/* is it a formula, of several events? */
	size_t n;
	struct part part;
	struct choice *col;	/* of the part: the first ncol of n */
	size_t ncol;
	bool totals;		/* the part's total is put when all of it has come: */
	bool formulas;		/* columns are made of several, of which a total may lack one */
	bool run_put;		/* the cost of the run was put as it came */
	num *coef;		/* of a formula, by the input's columns */
	size_t capcoef;
	struct text *value;	/* of the current record */
	size_t nvalue, capvalue;
	size_t need;		/* the number of first columns that are needed */
	struct buf out;
};

static struct text
name_of(const struct choose *c, size_t i)
{
	return dict_text(c->want, (uint32_t)i);
}

static int
put_event(struct choose *c, size_t i, struct text name)
{
	struct record *sum = NULL, r;
	struct buf attrs = { 0 };
	int ret;

	if (c->col[i].from >= 0) {
		rec_copy(&r, events_at(&c->part.events, (size_t)c->col[i].from));
	} else {
		sum = events_sum(&c->part.events, name, c->coef);
		r = sum ? rec_copy_of(sum) : rec_make(REC_EVENT);
	}
	r.col[EVENT_ID].n = i;
	r.col[EVENT_NAME].t = name;
	/* The order of the list counts, not the profile's default. */
	attr_add_others(&attrs, r.attrs, "default");
	r.attrs = attrs.n ? buf_as_text(&attrs) : (struct text){ 0 };
	ret = sink_put(c->sink.next, &r);
	buf_free(&attrs);
	free(sum);
	return ret;
}

/* Puts the derived events of the part whose terms are all kept. */
static int
put_derived(struct choose *c)
{
	struct events kept = { 0 };
	size_t i;
	int r = 0;

	for (i = 0; i < c->ncol; i++)
		if (c->col[i].from >= 0)
			events_add(&kept, events_at(&c->part.events, (size_t)c->col[i].from));
	for (i = 0; i < c->part.events.n && r == 0; i++)
		if (!c->part.events.v[i].measured &&
		    dict_find_str(c->want, c->part.events.v[i].r->col[EVENT_NAME].t) == NO_ID &&
		    events_resolve(&kept, c->part.events.v[i].r->col[EVENT_FORMULA].t,
		    c->coef) == 1)
			r = sink_put(c->sink.next, c->part.events.v[i].r);
	events_free(&kept);
	return r;
}

static void
add_term(struct choose *c, struct choice *col, size_t from)
{
	col->term = mem_grow(col->term, &col->capterm, col->nterm + 1, sizeof *col->term);
	col->term[col->nterm++] = (struct term){ from, c->coef[from] };
}

/* Finds the column among the part's events: 1, 0 if the part lacks them, -1. */
static int
find_column(struct choose *c, struct choice *col, struct text name)
{
	size_t i, last = 0;
	int r = 1;

	col->nterm = 0;
	col->from = events_find(&c->part.events, name);
	if (col->from >= 0 && events_twin(&c->part.events, col->from) >= 0)
		col->from = -1;
	if (col->from >= 0)
		last = (size_t)col->from;
	else if ((r = events_resolve(&c->part.events, name, c->coef)) > 0)
		for (i = 0; i < c->part.events.measured; i++)
			if (c->coef[i])
				add_term(c, col, last = i);
	if (last >= c->need)
		c->need = last + 1;
	return r;
}

/* Percentages of inclusive costs are of the total of another event, which is stated where
 * that is left out. */
static void
find_total(struct choose *c, struct choice *col, struct text name)
{
	const struct events *e = &c->part.events;
	const long column = events_find(e, name);
	const struct record *of;

	col->total = col->from;
	if (column < 0)
		return;
	of = events_at(e, events_whole_of(e, (size_t)column));
	if (of == events_at(e, (size_t)column) ||
	    dict_find_str(c->want, of->col[EVENT_NAME].t) != NO_ID ||
	    event_scale(of) != event_scale(events_at(e, (size_t)column)))
		return;
	col->total = events_find(e, of->col[EVENT_NAME].t);
	c->totals = true;
}

/* The part's header is complete: its columns are known. */
static int
settle(struct choose *c)
{
	size_t i;
	int r;

	c->ncol = 0;
	c->need = 0;
	c->totals = c->formulas = c->run_put = false;
	c->coef = mem_grow(c->coef, &c->capcoef, c->part.events.measured + 1, sizeof *c->coef);
	c->value = mem_grow(c->value, &c->capvalue, c->part.events.measured + 1,
	    sizeof *c->value);
	for (i = 0; i < c->n; i++) {
		struct text name = name_of(c, i);

		r = find_column(c, &c->col[c->ncol], name);
		if (r < 0)
			return diag_fail_plain(c->diag, "%s: %s is not a sum of "
			    "events", c->what, QUOTE(name));
		if (r == 0)
			continue;
		find_total(c, &c->col[c->ncol], name);
		c->formulas |= c->col[c->ncol].nterm > 1;
		c->seen[i]++;
		c->sums[i] |= c->col[c->ncol].nterm > 1 &&
		    events_find(&c->part.events, name) < 0;
		if (put_event(c, c->ncol++, name) < 0)
			return -1;
	}
	return put_derived(c);
}

/* Adds a formula.  An absent term subtracts nothing from the sum, which is absent if all
 * terms are. */
static int
add_formula(struct choose *c, const struct choice *col)
{
	bool known = !col->nterm;
	num sum = 0, x;
	size_t i;

	for (i = 0; i < col->nterm; i++) {
		const bool omitted = col->term[i].from >= c->nvalue;
		struct text v = omitted ? TEXT("0") : c->value[col->term[i].from];

		if (text_is(v, "-"))
			continue;
		known = true;
		if (num_get_num(v.s, v.n, &x) < 0 ||
		    num_mul(x, col->term[i].coef, &x) < 0 || num_add(&sum, x) < 0)
			return diag_too_large(c->diag, "a cost");
	}
	if (known)
		num_add_whole(&c->out, sum);
	else
		buf_putc(&c->out, '-');
	return 0;
}

static int
add_value(struct choose *c, const struct choice *col, long from)
{
	if (from < 0)
		return add_formula(c, col);
	buf_text(&c->out, (size_t)from < c->nvalue ? c->value[from] : TEXT("0"));
	return 0;
}

static int
choose_values(struct choose *c, struct text values, bool totals)
{
	const size_t need = totals ? c->part.events.measured : c->need;
	struct text rest = values;
	size_t i, end = 0;

	c->out.n = 0;
	if (!values.n)
		return 0;
	if (need == 1 && c->ncol == 1 && c->col[0].from == 0 && !totals) {	/* often */
		values_next(&rest, &c->value[0]);
		if (!text_is(c->value[0], "0"))
			buf_text(&c->out, c->value[0]);
		return 0;
	}
	for (c->nvalue = 0; c->nvalue < need &&
	    values_next(&rest, &c->value[c->nvalue]); c->nvalue++)
		;
	for (i = 0; i < c->ncol; i++) {
		size_t from;

		if (i)
			buf_putc(&c->out, '\t');
		from = c->out.n;
		if (add_value(c, &c->col[i], totals ? c->col[i].total :
		    c->col[i].from) < 0)
			return -1;
		/* Trailing zeros are omitted. */
		if (c->out.n - from != 1 || c->out.s[from] != '0')
			end = c->out.n;
	}
	c->out.n = end;
	return 0;
}

/* Only an event that all parts lack is an error. */
static int
check_seen(const struct choose *c)
{
	size_t i, j;
	struct buf b = { 0 };
	struct text wanted;

	for (i = 0; i < c->n && (c->seen[i] || !c->part.number); i++)
		;
	if (i == c->n) {
		for (i = 0; i < c->n; i++)
			if (c->sums[i])
				events_tell_lacking(c->diag, NULL, name_of(c, i),
				    c->part.number - c->seen[i], c->part.number);
		return 0;
	}
	for (j = 0; j < c->part.events.n; j++) {
		const struct event *e = &c->part.events.v[j];
		struct text name = e->r->col[EVENT_NAME].t;

		if (events_same(&c->part.events, e) != e ||	/* named before */
		    events_resolve(&c->part.events, name, NULL) != 1)
			continue;
		buf_puts(&b, b.n ? ", " : "; events: ");
		printable_add(&b, name);
	}
	wanted = name_of(c, i);
	diag_fail_plain(c->diag, "%s: no event %s%s%s", c->what,
	    QUOTE(wanted), events_suggest(&c->part.events, wanted), buf_str(&b));
	buf_free(&b);
	return -1;
}

/* The part is over: what its columns come to, by which percentages are known. */
static int
put_totals(struct choose *c)
{
	struct record r = rec_make(REC_TOTAL);
	struct buf values = { 0 };
	int ret;

	total_write(&values, &c->part.total, c->part.events.measured);
	ret = choose_values(c, buf_as_text(&values), true);
	r.col[0].t = TEXT("run");
	r.values = buf_as_text(&c->out);
	ret = ret < 0 ? ret : sink_put(c->sink.next, &r);
	buf_free(&values);
	return ret;
}

/* Does a total lack a term of a formula?  That is then the next one's. */
static bool
lacks_terms(struct choose *c, const struct record *total)
{
	struct text rest = total->values;
	size_t i, k;

	for (c->nvalue = 0; c->nvalue < c->need &&
	    values_next(&rest, &c->value[c->nvalue]); c->nvalue++)
		;
	for (i = 0; i < c->ncol && c->formulas; i++)
		for (k = 0; k < c->col[i].nterm && c->col[i].nterm > 1; k++)
			if (c->col[i].term[k].from < c->nvalue &&
			    text_is(c->value[c->col[i].term[k].from], "-"))
				return true;
	return false;
}

/* Is a total left out, as that of the part is put when it ends? */
static bool
waits(struct choose *c, const struct record *total)
{
	const bool run = text_is(total->col[0].t, "run");

	if (lacks_terms(c, total)) {
		c->totals = true;
		return true;
	}
	if (!run)
		return false;
	/* A cost of the run that is zero does not count: what a sum lacks may have to. */
	c->run_put = !c->totals && (!c->formulas || c->part.total.has_run);
	return !c->run_put;
}

/* Counts self costs where totals may be put. */
static int
count(struct choose *c, const struct record *r)
{
	const enum rec_kind kind = rec_kind(r);

	return (kind == REC_COST || kind == REC_SAMPLE) && (c->totals || c->formulas) &&
	    total_add(&c->part.total, r) < 0 ?
	    diag_fail(c->diag, "the sum of costs does not fit 128 bits") : 0;
}

static int
choose_put(struct sink *s, const struct record *r)
{
	struct choose *c = (struct choose *)s;
	enum rec_kind kind = rec_kind(r);
	struct record out;

	if (!part_goes_on(&c->part, kind)) {
		if (part_ends_events(&c->part, kind) && settle(c) < 0)
			return -1;
		if (part_ends(&c->part, kind) && c->totals && !c->run_put && put_totals(c) < 0)
			return -1;
		part_take(&c->part, r);
		if (kind == REC_EVENT && !c->part.events_known)
			return 0;
	}
	/* A point has costs of the first event. */
	if (kind == REC_POINT && (!c->ncol || c->col[0].from != 0))
		return diag_fail(c->diag, "%s: points have the cost of only one event, "
		    "the first", c->what);
	if (kind == REC_END && check_seen(c) < 0)
		return -1;
	if (!(r->def->tail & REC_VALUES))
		return sink_put(s->next, r);
	if (kind == REC_TOTAL && waits(c, r))
		return 0;
	if (count(c, r) < 0 || choose_values(c, r->values, false) < 0)
		return -1;
	rec_copy(&out, r);
	out.values = c->out.n ? buf_as_text(&c->out) : (struct text){ 0 };
	return sink_put(s->next, &out);
}

/* The part's first event alone is chosen, and its total remains.  `settle` was called. */
static unsigned
choose_takes(const struct sink *s)
{
	const struct choose *c = (const struct choose *)s;

	return c->part.place == PART_BODY && c->ncol == 1 && c->col[0].from == 0 && !c->totals ?
	    sink_takes(s->next) & (TAKES_SUMS | TAKES_JUMPS) : 0;
}

static void
choose_free(struct sink *s)
{
	struct choose *c = (struct choose *)s;
	size_t i;

	for (i = 0; i < c->n && c->col; i++)
		free(c->col[i].term);
	free(c->col);
	dict_free(c->want);
	free(c->seen);
	free(c->sums);
	free(c->coef);
	free(c->value);
	free(c->what);
	part_free(&c->part);
	buf_free(&c->out);
	free(c);
}

struct text
filter_events_wrong(const char *list)
{
	struct text word;

	while (list_next(&list, &word))
		if (!word.n || memchr(word.s, '/', word.n))
			return word;
	return (struct text){ 0 };
}

struct sink *
filter_events(const char *list, const char *what, struct diag *d)
{
	struct choose *c = mem_alloc(1, sizeof *c);
	struct text word;

	c->sink = (struct sink){ .put = choose_put, .free = choose_free,
	    .takes = choose_takes };
	c->diag = d;
	c->what = mem_copy(what, strlen(what));
	c->want = dict_new();
	while (list_next(&list, &word))
		if (dict_str(c->want, word) == c->n)
			c->n++;
	c->col = mem_alloc(c->n, sizeof *c->col);
	c->seen = mem_alloc(c->n, sizeof *c->seen);
	c->sums = mem_alloc(c->n, sizeof *c->sums);
	return &c->sink;
}
