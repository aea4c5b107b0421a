/* SPDX-License-Identifier: ISC */
#include "view/page.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/suggest.h"
#include "util/vis.h"

/* ---- values ---- */

static int
combine(const struct terms *of, const num *sums, num *out)
{
	size_t i;
	num x;

	*out = 0;
	for (i = 0; i < of->n; i++)
		if (num_mul(of->v[i].coef, sums[of->v[i].slot], &x) < 0 ||
		    num_add(out, x) < 0)
			return -1;
	return 0;
}

struct value
page_value(const struct metric *m, const num *sums)
{
	const struct value absent = { .kind = ABSENT };
	num over, under;

	if (combine(m->over, sums, &over) < 0)
		return absent;
	if (!m->under)
		return (struct value){ .kind = WHOLE, .n = over };
	if (combine(m->under, sums, &under) < 0 || under == 0)
		return absent;
	return (struct value){ .kind = RATIO, .ratio = (double)over / (double)under };
}

struct value
page_self(const struct page *p, size_t row, size_t metric)
{
	return p->r->flags[row] & RANK_NO_SELF ? (struct value){ .kind = ABSENT } :
	    page_value(&p->metric[metric], sums_val(&p->r->rows, row));
}

/* No inclusive cost is over all cost, unless costs are negative. */
static bool
bounded(const struct page *p, const struct metric *m, num *most)
{
	size_t i;

	for (i = 0; i < m->over->n; i++)
		if (m->over->v[i].coef < 0 || p->r->most[m->over->v[i].slot] == NUM_MAX)
			return false;
	return !m->under && combine(m->over, p->r->most, most) == 0;
}

bool
page_is_over(const struct metric *m, struct value v)
{
	return m->bounded && v.kind == WHOLE && v.n > m->most;
}

struct value
page_incl(const struct page *p, size_t row, size_t metric)
{
	const struct metric *m = &p->metric[metric];
	struct value v = { .kind = ABSENT };

	if (p->r->incl_known && !(p->r->flags[row] & GRAPH_MIXED))
		v = page_value(m, p->r->incl + row * p->r->rows.nval);
	/* A filter has taken away what would show that calls were nested. */
	if (v.kind == WHOLE && (m->delta ? !rank_incl_sure(p->r, row, m->delta->change) :
	    p->r->filtered && page_is_over(m, v)))
		v.kind = ABSENT;
	return v;
}

const char *
page_mark(const struct page *p, size_t row, size_t metric)
{
	const struct value v = page_incl(p, row, metric);

	if (v.kind == ABSENT)
		return "";
	if (page_is_over(&p->metric[metric], v))
		return MARK_OVER;
	if (p->r->flags[row] & GRAPH_PARTIAL)	/* of self cost there is no less */
		return v.n == page_self(p, row, metric).n ? "" : MARK_PARTIAL;
	return p->r->flags[row] & GRAPH_CYCLE ? MARK_BOUND : "";
}

void
page_add_value(struct buf *b, struct value v, enum page_digits digits)
{
	char tmp[NUM_TEXT];

	if (v.kind == ABSENT)
		buf_putc(b, '-');
	else if (v.kind == RATIO)
		buf_printf(b, "%.6g", v.ratio);
	else
		buf_add(b, tmp, (size_t)((digits == DIGITS_GROUPED ?
		    num_put_grouped(tmp, v.n) : num_put_num(tmp, v.n)) - tmp));
}

/* Hundredths, as gprof has them, or millionths where there is little. */
void
page_add_shown(struct buf *b, const struct metric *m, struct value v)
{
	const num digits = m->little ? 1000000 : 100;
	char tmp[NUM_TEXT];
	num n;

	if (v.kind != WHOLE || m->per == 1 || v.n > NUM_MAX / digits / 2 ||
	    v.n < NUM_MIN / digits / 2) {
		page_add_value(b, v, DIGITS_GROUPED);
		return;
	}
	n = ((v.n < 0 ? -v.n : v.n) * digits + m->per / 2) / m->per;
	buf_puts(b, v.n < 0 && n ? "-" : "");
	buf_add(b, tmp, (size_t)(num_put_grouped(tmp, n / digits) - tmp));
	buf_printf(b, ".%0*d", m->little ? 6 : 2, (int)(n % digits));
}

void
page_add_name(struct buf *b, const struct metric *m)
{
	vis_add(b, m->name);
	if (m->unit.s) {
		buf_putc(b, '/');
		vis_add(b, m->unit);
	}
}

struct value
page_calls(const struct page *p, size_t row)
{
	return (struct value){ .n = p->r->calls[row],
	    .kind = p->r->calls_known && !p->r->fine && !p->r->ndelta ? WHOLE :
	    ABSENT };
}

const char *const page_size_name[SIZES] = { "sizes", "size.min", "size.max" };

struct value
page_size(const struct page *p, size_t row, size_t which)
{
	const struct rank_sizes *z = p->r->sizes ? &p->r->sizes[row] : NULL;

	if (!z || (!z->n && which != SIZE_COUNT))
		return (struct value){ .kind = ABSENT };
	return (struct value){ .kind = WHOLE, .n = which == SIZE_COUNT ? (num)z->n :
	    which == SIZE_LEAST ? z->least : z->most };
}

/* ---- keys ---- */

bool
page_by(const struct rank_request *q, enum group_by by)
{
	size_t i;

	for (i = 0; i < q->ngroup_by && q->group_by[i] != by; i++)
		;
	return i < q->ngroup_by;
}

size_t
page_keys(const struct rank_request *q, enum group_by keys[PAGE_KEYS])
{
	size_t i, n = 0;

	for (i = 0; i < q->ngroup_by; i++) {
		if (q->group_by[i] == BY_TOTAL)
			continue;
		keys[n++] = q->group_by[i];
		if (q->group_by[i] != BY_FUNCTION)
			continue;
		if (!page_by(q, BY_FILE))
			keys[n++] = BY_FILE;
		if (!page_by(q, BY_OBJECT))
			keys[n++] = BY_OBJECT;
	}
	return n;
}

static void
func_texts(const struct rank_request *q, uint64_t func, struct text t[3])
{
	const uint32_t *f = dict_def(q->dict, REC_FUNC, (uint32_t)func);

	t[0] = dict_text(q->dict, f[FUNC_NAME]);
	t[1] = dict_path(q->dict, f[FUNC_FILE]);
	t[2] = dict_object_path(q->dict, f[FUNC_OBJECT]);
}

/* Texts in the order of page_keys(); a line is a number in tmp. */
void
page_key_texts(const struct rank_request *q, const uint64_t *key, struct text *t,
    char *tmp)
{
	struct text f[3];
	size_t i, n = 0;

	for (i = 0; i < q->ngroup_by; i++) {
		uint64_t k = key[i];

		switch (q->group_by[i]) {
		case BY_FUNCTION:
			func_texts(q, k, f);
			t[n++] = f[0];
			if (!page_by(q, BY_FILE))
				t[n++] = f[1];
			if (!page_by(q, BY_OBJECT))
				t[n++] = f[2];
			break;
		case BY_FILE:
			t[n++] = dict_path(q->dict, (uint32_t)k);
			break;
		case BY_OBJECT:
			t[n++] = dict_object_path(q->dict, (uint32_t)k);
			break;
		case BY_LINE:
			t[n] = (struct text){ 0 };
			if (k != NO_LINE)
				t[n] = (struct text){ tmp,
				    (size_t)(num_put_u64(tmp, k) - tmp) };
			n++;
			break;
		case BY_TOTAL: case BY_KINDS:
			break;
		default:
			t[n++] = dict_text(q->dict, (uint32_t)k);
		}
	}
}

struct value
page_key(const struct page *p, size_t row, size_t column)
{
	struct text t[PAGE_KEYS];
	struct value v = { .kind = WHOLE };
	char tmp[NUM_TEXT];

	page_key_texts(p->q, sums_key(&p->r->rows, row), t, tmp);
	if (!t[column].s || !num_is_canonical(t[column]) ||
	    num_get_num(t[column].s, t[column].n, &v.n) < 0)
		v = (struct value){ .kind = NAME, .name = t[column] };
	return v;
}

static struct value
row_value(const void *arg, uint32_t row, const struct sort *s)
{
	const struct page *p = arg;

	switch (s->what) {
	case SORT_CALLS:
		return page_calls(p, row);
	case SORT_SIZE:
		return page_size(p, row, s->i);
	case SORT_GROWTH:
		return page_growth(p, row);
	case SORT_CHANGE:
		return page_change(p, row);
	case SORT_SELF:
		return page_self(p, row, s->i);
	case SORT_INCL:
		return page_incl(p, row, s->i);
	default:
		return page_key(p, row, s->i);
	}
}

/* ---- set-up ---- */

size_t
page_limit(const struct page *p)
{
	return p->v->most && p->v->most < p->r->rows.n ? (size_t)p->v->most :
	    p->r->rows.n;
}

/* Is it one of -k? */
static bool
is_column(const struct page *p, struct text t)
{
	size_t i;

	for (i = 0; i < p->v->nsort && !text_eq(p->v->sort[i], t); i++)
		;
	return i < p->v->nsort;
}

static int
no_event(const struct page *p, struct text t)
{
	const struct rank *r = p->r;
	enum group_by keys[PAGE_KEYS];
	struct buf b = { 0 }, incl = { 0 }, known = { 0 };
	size_t i, n = page_keys(p->q, keys);
	const char *meant;

	for (i = 0; i < r->events.n; i++) {
		struct text e = r->events.v[i].r->col[EVENT_NAME].t;

		if (!r->events.v[i].measured && !rank_knows(r, e))
			continue;
		buf_puts(&b, b.n ? ", " : "");
		vis_add(&b, e);
		buf_puts(&incl, ", ");
		vis_add(&incl, e);
		buf_puts(&incl, ".incl");
	}
	if (!b.n)
		buf_puts(&b, "none");
	buf_puts(&known, "calls");
	for (i = 0; i < n; i++)
		buf_printf(&known, ", %s", group_by_name[keys[i]]);
	for (i = 0; i < SIZES && r->sizes; i++)
		buf_printf(&known, ", %s", page_size_name[i]);
	buf_puts(&incl, ", ");
	buf_text(&incl, buf_as_text(&known));
	meant = is_column(p, t) ? suggest_say(suggest_in(t, buf_str(&incl), ", ")) : "";
	diag_fail_plain(p->q->diag, "no event %s%s; events: %s (E.incl is inclusive "
	    "cost; -k also takes %s)", diag_quote(t.s, t.n),
	    *meant ? meant : events_suggest(&r->events, t), buf_str(&b), buf_str(&known));
	buf_free(&b);
	buf_free(&incl);
	buf_free(&known);
	return -1;
}

/* Those that are not 0. */
static struct terms *
make_terms(const num *coef, size_t first, size_t n)
{
	struct terms *t;
	size_t i, count = 0;

	for (i = 0; i < n; i++)
		count += coef[i] != 0;
	t = mem_alloc(1, sizeof *t + count * sizeof *t->v);
	for (i = 0; i < n; i++)
		if (coef[i])
			t->v[t->n++] = (struct term){ first + i, coef[i] };
	return t;
}

static struct terms *
find_terms(const struct page *p, struct text t)
{
	const struct rank *r = p->r;
	long column = events_find(&r->events, t);
	const num one = 1;
	struct terms *terms = NULL;
	num *coef;
	int ret;

	if (column >= 0 && r->slot[column] >= 0)
		return make_terms(&one, (size_t)r->slot[column], 1);
	coef = mem_alloc(r->nslots + 1, sizeof *coef);
	ret = rank_resolve(r, t, coef);
	if (ret == 1)
		terms = make_terms(coef, 0, r->nslots);
	else if (ret < 0)
		diag_fail_plain(p->q->diag, "%s is not a sum of events",
		    diag_quote(t.s, t.n));
	else
		no_event(p, t);
	free(coef);
	return terms;
}

/* Of an event itself: a formula may be of several. */
static void
find_unit(struct page *p, struct metric *m)
{
	long column = events_find(&p->r->events, m->name);
	const struct record *event;

	m->per = 1;
	if (column < 0)
		return;
	event = events_at(&p->r->events, (size_t)column);
	m->per = event_scale(event);
	if (m->per != 1)
		m->unit = event->col[EVENT_UNIT].t;
}

static void
find_delta(struct page *p, struct metric *m)
{
	long column = events_find(&p->r->events, m->name);

	m->delta = column < 0 ? NULL : rank_delta_of(p->r, p->r->slot[column]);
	if (m->delta && p->r->slot[column] != (long)m->delta->change)
		m->delta = NULL;	/* it is a side of it */
}

/* The total, of a change the larger one of those that it is between. */
static num
most_total(const struct page *p, const struct metric *m)
{
	const num *total = p->r->total;

	return !m->delta ? m->total : total[m->delta->old] > total[m->delta->new] ?
	    total[m->delta->old] : total[m->delta->new];
}

static int
add_metric(struct page *p, struct text name)
{
	struct metric *m = &p->metric[p->nmetric];
	struct text side[2] = { name, { 0 } };
	bool ratio = events_find(&p->r->events, name) < 0 &&
	    formula_ratio(name, &side[0], &side[1]);

	m->name = name;
	find_unit(p, m);
	find_delta(p, m);
	if (!(m->over = find_terms(p, side[0])))
		return -1;
	p->nmetric++;
	if (ratio && !(m->under = find_terms(p, side[1])))
		return -1;
	if (combine(m->over, p->r->total, &m->total) < 0)
		m->total = 0;
	m->little = most_total(p, m) < m->per / 10;
	m->bounded = bounded(p, m, &m->most);
	return 0;
}

/* The metric of this name, a new one if need be; -1. */
static long
find_metric(struct page *p, struct text name)
{
	size_t i;

	for (i = 0; i < p->nmetric; i++)
		if (text_eq(p->metric[i].name, name))
			return (long)i;
	return add_metric(p, name) < 0 ? -1 : (long)i;
}

/* Takes what says so off a column that is an inclusive cost. */
static bool
take_incl(struct text *column)
{
	static const struct text incl = { ".incl", 5 };

	if (column->n <= incl.n ||
	    memcmp(column->s + column->n - incl.n, incl.s, incl.n) != 0)
		return false;
	column->n -= incl.n;
	return true;
}

struct text
view_event_of(struct text column)
{
	static const struct text none = { NULL, 0 };
	enum group_by b;
	size_t i;

	for (b = 0; b < BY_KINDS; b++)
		if (text_is(column, group_by_name[b]))
			return none;
	for (i = 0; i < SIZES; i++)
		if (text_is(column, page_size_name[i]))
			return none;
	if (text_is(column, "calls") || text_is(column, "growth"))
		return none;
	take_incl(&column);
	return column;
}

static int
add_sort(struct page *p, struct text t)
{
	enum group_by keys[PAGE_KEYS];
	size_t i, n = page_keys(p->q, keys);
	struct sort *s = &p->sort[p->nsort++];
	const bool reverse = p->v->reverse;
	long m;

	if (text_is(t, "calls")) {
		*s = (struct sort){ .what = SORT_CALLS, .down = !reverse };
		return 0;
	}
	if (p->growth && text_is(t, "growth")) {
		*s = (struct sort){ .what = SORT_GROWTH, .down = !reverse };
		return 0;
	}
	for (i = 0; i < SIZES && p->r->sizes; i++)
		if (text_is(t, page_size_name[i])) {
			*s = (struct sort){ .what = SORT_SIZE, .i = i, .down = !reverse };
			return 0;
		}
	for (i = 0; i < n; i++)
		if (text_is(t, group_by_name[keys[i]])) {
			*s = (struct sort){ .what = SORT_KEY, .i = i, .down = reverse };
			return 0;
		}
	s->what = take_incl(&t) ? SORT_INCL : SORT_SELF;
	if ((m = find_metric(p, t)) < 0)
		return -1;
	s->i = (size_t)m;
	s->down = !reverse;
	return 0;
}

/* Names from the smallest up, whatever the direction of the rest, tell apart
 * what is equal. */
static void
set_order(struct page *p)
{
	const struct rank *r = p->r;
	enum group_by keys[PAGE_KEYS];
	const struct order order = { p->sort, p->nsort + page_keys(p->q, keys),
	    row_value, p };
	size_t i;

	for (i = 0; i + p->nsort < order.nsort; i++)
		p->sort[p->nsort + i] = (struct sort){ .what = SORT_KEY, .i = i };
	p->order = mem_alloc(r->rows.n + 1, sizeof *p->order);
	for (i = 0; i < r->rows.n; i++)
		p->order[i].of = (uint32_t)i;
	order_sort(&order, p->order, r->rows.n,
	    p->v->callers || p->v->callees || p->v->values ? r->rows.n :
	    page_limit(p));
}

static bool
self_known(const struct rank *r)
{
	size_t i;

	for (i = 0; i < r->rows.n && r->flags[i] & RANK_NO_SELF; i++)
		;
	return i < r->rows.n || !r->rows.n;
}

/* Parts are counted in the heading, also those without the first event that is shown. */
static void
tell_absent(const struct page *p)
{
	const struct terms *first = p->v->nshow ? p->metric[0].over : NULL;
	struct buf name = { 0 };
	uint64_t lack;

	if (!first || first->n != 1)	/* a formula may be of any */
		return;
	lack = p->h->parts - p->r->in_parts[first->v[0].slot];
	if (!lack)
		return;
	vis_add(&name, p->metric[0].name);
	diag_say(p->q->diag, DIAG_NOTE, "%" PRIu64 " of %" PRIu64 " parts %s no %s",
	    lack, p->h->parts, lack == 1 ? "has" : "have", buf_str(&name));
	buf_free(&name);
}

static int
set_up(struct page *p)
{
	size_t i;

	if (p->v->growth && !p->r->sizes)
		return diag_fail_plain(p->q->diag, "--growth: the profile has no "
		    "points (cost against input size), as aprof writes them");
	if (p->v->growth)
		p->growth = growth_of_rows(p->r);
	p->metric = mem_alloc(p->v->nshow + p->v->nsort + 1, sizeof *p->metric);
	p->sort = mem_alloc(p->v->nsort + 1 + PAGE_KEYS, sizeof *p->sort);
	for (i = 0; i < p->v->nshow; i++)
		if (add_metric(p, p->v->show[i]) < 0)
			return -1;
	for (i = 0; i < p->v->nsort; i++)
		if (add_sort(p, p->v->sort[i]) < 0)
			return -1;
	if (!p->nsort && page_is_diff(p))
		p->sort[p->nsort++] = (struct sort){ .what = SORT_CHANGE,
		    .down = !p->v->reverse };
	if (!p->nsort && p->nmetric)
		p->sort[p->nsort++] = (struct sort){ .what = p->growth ||
		    !self_known(p->r) ? SORT_INCL : SORT_SELF,
		    .down = !p->v->reverse };
	set_order(p);
	tell_absent(p);
	return 0;
}

void
page_flush(struct page *p)
{
	buf_putc(&p->line, '\n');
	out_write(p->out, p->line.s, p->line.n);
	p->line.n = 0;
}

static int
print_all(struct page *p)
{
	size_t i, n;

	if (p->v->values) {
		if (page_no_values(p))
			return -1;
		if (p->v->form == VIEW_TEXT)
			page_heading(p);
		page_values(p);
		return 0;
	}
	if (p->v->callers || p->v->callees) {
		if (page_no_match(p, p->v->callers, "callers") ||
		    page_no_match(p, p->v->callees, "callees"))
			return -1;
		if (p->v->form == VIEW_TEXT)
			page_heading(p);
		if (p->v->callers)
			page_blocks(p, p->v->callers, PAGE_CALLERS);
		if (p->v->callees)
			page_blocks(p, p->v->callees, PAGE_CALLEES);
		return 0;
	}
	if (p->v->form == VIEW_TEXT) {
		if (page_is_diff(p))
			page_diff(p);
		else
			page_text(p);
		return 0;
	}
	if (p->v->form == VIEW_TSV) {
		enum group_by keys[PAGE_KEYS];

		page_tsv_head(p, keys, page_keys(p->q, keys));
	}
	for (i = n = 0; i < p->r->rows.n && n < page_limit(p); i++) {
		if (p->v->only && !p->v->only[p->order[i].of])
			continue;
		n++;
		if (p->v->form == VIEW_TSV)
			page_tsv_row(p, p->order[i].of);
		else
			page_json_row(p, p->order[i].of);
	}
	return 0;
}

int
view_print(const struct view *v, const struct rank_request *q, const struct rank *r,
    const struct rank_heading *h, struct output *out)
{
	struct page p = { .v = v, .q = q, .r = r, .h = h, .out = out };
	int ret = set_up(&p);
	size_t i;

	if (v->form == VIEW_TEXT)
		out_holds(out, OUT_PEOPLE);
	if (ret == 0)
		ret = print_all(&p);
	for (i = 0; i < p.nmetric; i++) {
		free(p.metric[i].over);
		free(p.metric[i].under);
	}
	free(p.metric);
	free(p.sort);
	free(p.order);
	free(p.growth);
	buf_free(&p.line);
	return ret;
}
