/* SPDX-License-Identifier: ISC */
/* The columns of a table by their names: events, formulas, calls, keys of rows. */
#include "view/rank_table.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/printable.h"
#include "util/suggest.h"

/* ---- words ---- */

/* Columns by the words of --tsv and of headings; costs are the first event's. */
static const struct {
	const char *word;
	struct sort is;
	const char *role;	/* in a difference: the event's side */
} words[] = {
	{ "self", { .what = SORT_SELF }, NULL },
	{ "inclusive", { .what = SORT_INCL }, NULL },
	{ "calls", { .what = SORT_CALLS }, NULL },
	{ "sizes", { .what = SORT_SIZE, .i = SIZE_COUNT }, NULL },
	{ "size.min", { .what = SORT_SIZE, .i = SIZE_LEAST }, NULL },
	{ "smallest", { .what = SORT_SIZE, .i = SIZE_LEAST }, NULL },
	{ "size.max", { .what = SORT_SIZE, .i = SIZE_MOST }, NULL },
	{ "largest", { .what = SORT_SIZE, .i = SIZE_MOST }, NULL },
	{ "growth", { .what = SORT_GROWTH }, NULL },
	{ "change", { .what = SORT_CHANGE }, NULL },
	{ "old", { .what = SORT_SELF }, "old" },
	{ "new", { .what = SORT_SELF }, "new" },
};

#define WORDS (sizeof words / sizeof *words)

/* Returns WORDS for an unknown word. */
static size_t
find_word(struct text name)
{
	size_t i;

	for (i = 0; i < WORDS && !text_is(name, words[i].word); i++)
		;
	return i;
}

/* Does the table have such a column? */
static bool
has_word(const struct table *t, size_t word)
{
	switch (words[word].is.what) {
	case SORT_SIZE:
		return t->r->sizes;
	case SORT_GROWTH:
		return t->growth;
	case SORT_CALLS:
		return true;
	case SORT_CHANGE:
		return table_is_diff(t);
	default:
		return t->v->nshow && (!words[word].role || table_is_diff(t));
	}
}

/* ---- metrics ---- */

/* Is it in the list of -k? */
static bool
is_column(const struct table *t, struct text name)
{
	size_t i;

	for (i = 0; i < t->v->nsort && !text_eq(t->v->sort[i], name); i++)
		;
	return i < t->v->nsort;
}

static int
no_event(const struct table *t, struct text name)
{
	const struct rank *r = t->r;
	enum group_by keys[TABLE_KEYS];
	struct buf b = { 0 }, incl = { 0 }, known = { 0 };
	size_t i, n = table_keys(t->q, keys);
	const char *suggestion;

	for (i = 0; i < r->events.n; i++) {
		struct text e = r->events.v[i].r->col[EVENT_NAME].t;

		if (!r->events.v[i].measured && !rank_knows(r, e))
			continue;
		buf_puts(&b, b.n ? ", " : "");
		printable_add(&b, e);
		buf_puts(&incl, ", ");
		printable_add(&incl, e);
		buf_puts(&incl, ".incl");
	}
	if (!b.n)
		buf_puts(&b, "none");
	for (i = 0; i < WORDS; i++)
		if (has_word(t, i))
			buf_printf(&known, "%s%s", known.n ? ", " : "", words[i].word);
	for (i = 0; i < n; i++)
		buf_printf(&known, ", %s", group_by_name[keys[i]]);
	buf_puts(&incl, ", ");
	buf_text(&incl, buf_as_text(&known));
	suggestion = is_column(t, name) ? suggest_suffix(suggest_in(name, buf_str(&incl),
	    ", ")) : "";
	diag_fail_plain(t->q->diag, "no event %s%s; events: %s (E.incl is inclusive "
	    "cost; -k also takes %s)", QUOTE(name),
	    *suggestion ? suggestion : events_suggest(&r->events, name), buf_str(&b),
	    buf_str(&known));
	buf_free(&b);
	buf_free(&incl);
	buf_free(&known);
	return -1;
}

/* Finds the terms of an event or formula in the parts that have it and `with`, which may be
 * absent; multiplied by *per.  0, or -1 with the diag set. */
static int
find_terms(const struct table *t, struct text name, struct text with, struct terms *terms,
    uint64_t *per)
{
	const struct rank *r = t->r;
	struct record *event = rank_event(r, name);
	int ret = rank_resolve(r, name, with, terms);

	*per = event ? event_scale(event) : 1;
	free(event);
	if (ret == 1)
		return 0;
	if (ret < 0)
		return diag_fail_plain(t->q->diag, "%s is not a sum of events", QUOTE(name));
	if (with.s && rank_knows(r, name) && rank_knows(r, with))
		return diag_fail_plain(t->q->diag, "no part has both %s and %s", QUOTE(name),
		    QUOTE(with));
	return no_event(t, rank_knows(r, name) ? with : name);
}

/* Sets the unit; a ratio has none. */
static void
find_unit(struct table *t, struct metric *m, struct text *exact)
{
	struct record *event = m->ratio ? NULL : rank_event(t->r, m->name);
	struct text unit;

	metric_set_unit(m, event);
	m->cumulative = event && event_is_inclusive(event);
	*exact = event ? dict_text(t->q->dict, dict_str(t->q->dict,
	    event->col[EVENT_UNIT].t)) : (struct text){ 0 };
	unit = m->unit;
	m->unit = unit.s ? dict_text(t->q->dict, dict_str(t->q->dict, unit)) : unit;
	free(event);
}

static void
find_delta(struct table *t, struct metric *m)
{
	long column = events_find(&t->r->events, m->name);

	m->delta = column < 0 ? NULL : rank_delta_of(t->r, t->r->slot[column]);
	if (m->delta && t->r->slot[column] != (long)m->delta->change)
		m->delta = NULL;	/* it is a side of it */
	m->change = m->delta != NULL;
}

/* Has the metric an upper bound of inclusive costs?  The total is one, unless costs are
 * negative. */
static bool
bounded(const struct table *t, const struct metric *m, num *most)
{
	size_t i;

	for (i = 0; i < m->over.n; i++)
		if (m->over.v[i].coef < 0 || t->r->most[m->over.v[i].slot] == NUM_MAX)
			return false;
	return !m->ratio && terms_sum(&m->over, t->r->most, most) == 0;
}

int
table_add_metric(struct table *t, struct text name)
{
	struct metric *m = &t->metric[t->nmetric];
	struct text side[2] = { name, { 0 } };
	const bool is_event = events_find(&t->r->events, name) >= 0;
	uint64_t over, under = 1;
	struct text exact;

	m->name = name;
	m->ratio = !is_event && formula_ratio(name, &side[0], &side[1]);
	find_unit(t, m, &exact);
	find_delta(t, m);
	t->nmetric++;
	if (find_terms(t, side[0], side[1], &m->over, &over) < 0 ||
	    (m->ratio && find_terms(t, side[1], side[0], &m->under, &under) < 0))
		return -1;
	m->units = (double)under / (double)over;
	if (terms_sum(&m->over, is_event ? t->r->whole : t->r->total, &m->total) < 0)
		m->total = 0;
	metric_set_decimals(m, table_whole(t, m), !t->v->scaled);
	m->shown.per = m->per;
	if (t->v->scaled)
		metric_scale(m, exact, table_whole(t, m));
	m->bounded = bounded(t, m, &m->most);
	return 0;
}

/* Returns the metric of this name, which is added if it is new; -1: there is none. */
static long
find_metric(struct table *t, struct text name)
{
	size_t i;

	for (i = 0; i < t->nmetric; i++)
		if (text_eq(t->metric[i].name, name))
			return (long)i;
	return table_add_metric(t, name) < 0 ? -1 : (long)i;
}

/* ---- columns ---- */

/* Takes the mark of an inclusive cost off a column's name: true if it has one. */
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

static int
find_side(struct table *t, const char *role, struct sort *s)
{
	const struct events *e = &t->r->events;
	const long side = event_side(e, t->metric[0].name, role);
	const long m = side < 0 ? -1 :
	    find_metric(t, events_at(e, (size_t)side)->col[EVENT_NAME].t);

	s->i = (size_t)m;
	return m < 0 ? -1 : 0;
}

struct text
view_event_of(struct text column)
{
	static const struct text none = { NULL, 0 };
	enum group_by b;

	for (b = 0; b < BY_KINDS; b++)
		if (text_is(column, group_by_name[b]))
			return none;
	if (find_word(column) < WORDS)
		return none;
	take_incl(&column);
	return column;
}

int
table_find_column(struct table *t, struct text name, struct sort *s)
{
	enum group_by keys[TABLE_KEYS];
	size_t i, n = table_keys(t->q, keys);
	const size_t word = find_word(name);
	const bool reverse = t->v->reverse;
	long m;

	if (word < WORDS && has_word(t, word)) {
		*s = words[word].is;
		s->down = !reverse;
		return words[word].role ? find_side(t, words[word].role, s) : 0;
	}
	for (i = 0; i < n; i++)
		if (text_is(name, group_by_name[keys[i]])) {
			*s = (struct sort){ .what = SORT_KEY, .i = i, .down = reverse };
			return 0;
		}
	s->what = take_incl(&name) ? SORT_INCL : SORT_SELF;
	if ((m = find_metric(t, name)) < 0)
		return -1;
	s->i = (size_t)m;
	s->down = !reverse;
	return 0;
}

struct value
table_column(const void *arg, uint32_t row, const struct sort *s)
{
	const struct table *t = arg;

	switch (s->what) {
	case SORT_CALLS:
		return table_calls(t, row);
	case SORT_SIZE:
		return table_size(t, row, s->i);
	case SORT_GROWTH:
		return table_growth(t, row);
	case SORT_CHANGE:
		return table_change(t, row);
	case SORT_SELF:
		return table_self(t, row, s->i);
	case SORT_INCL:
		return table_incl(t, row, s->i);
	default:
		return table_key(t, row, s->i);
	}
}
