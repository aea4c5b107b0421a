/* SPDX-License-Identifier: ISC */
/* The events of a difference, three for each event of a side, and its extra columns. */
#include "diff_state.h"

#include <stdlib.h>

#include "util/mem.h"

static struct record *
triple(const struct record *event, const char *suffix, const char *role,
    const char *only, bool is_default)
{
	struct record r = rec_copy_of(event), *kept;
	struct buf name = { 0 }, attrs = { 0 }, own = { 0 }, left = { 0 };

	buf_text(&name, event->col[EVENT_NAME].t);
	if (is_default)
		attr_add(&own, "default", TEXT("1"));
	if (*suffix) {
		buf_puts(&name, ".");
		buf_puts(&name, suffix);
		attr_add(&own, "of", event->col[EVENT_NAME].t);
	}
	attr_add(&own, "role", text_of(role));
	if (only)
		attr_add(&own, "only", text_of(only));
	attr_add_others(&left, event->attrs, "default");
	merge_attrs(&attrs, left.n ? buf_as_text(&left) : (struct text){ 0 },
	    buf_as_text(&own));
	r.col[EVENT_NAME].t = buf_as_text(&name);
	r.attrs = buf_as_text(&attrs);
	kept = rec_keep(&r);
	buf_free(&name);
	buf_free(&attrs);
	buf_free(&own);
	buf_free(&left);
	return kept;
}

static int
name_twice(struct diff *d, struct text name)
{
	return diag_fail_plain(d->to->how.diag, "the difference would have event %s "
	    "twice", QUOTE(name));
}

static int
add_event(struct diff *d, const struct record *event, const char *suffix,
    const char *role, const char *only)
{
	struct record *r = triple(event, suffix, role, only, !*suffix &&
	    d->shown.s && text_eq(event->col[EVENT_NAME].t, d->shown));
	struct text name = r->col[EVENT_NAME].t;
	int ret = events_find(&d->g->events, name) < 0 ? 0 : name_twice(d, name);

	events_add(&d->g->events, r);
	free(r);
	return ret;
}

static int
check_diff(struct diff *d, const struct record *event)
{
	return !attr_has(event->attrs, "role") ? 0 : diag_fail(d->to->how.diag,
	    "the profile is already a difference, of event %s",
	    QUOTE(event->col[EVENT_NAME].t));
}

/* Returns the name of the only side that has the event, whose growth is then unknown; NULL:
 * both have it. */
static const char *
only_in(const struct diff *d, const struct side *s, const struct record *event)
{
	int side = s == &d->side[SIDE_NEW];
	const struct group *other = d->side[!side].g;

	return other && events_find(&other->events, event->col[EVENT_NAME].t) >= 0 ?
	    NULL : diff_side_name(side);
}

static int
add_side_events(struct diff *d, struct side *s)
{
	size_t i, n = s->g ? s->g->events.measured : 0;

	s->event = mem_alloc(n + 1, sizeof *s->event);
	for (i = 0; i < n; i++) {
		const struct record *e = events_at(&s->g->events, i);
		long at = events_find(&d->g->events, e->col[EVENT_NAME].t);

		if (check_diff(d, e) < 0)
			return -1;
		if (at >= 0 && event_check_unit(events_at(&d->g->events,
		    (size_t)at), e, d->to->how.diag) < 0)
			return -1;
		if (at < 0) {
			at = (long)d->g->events.measured;
			if (add_event(d, e, "", "delta", only_in(d, s, e)) < 0 ||
			    add_event(d, e, "old", "old", NULL) < 0 ||
			    add_event(d, e, "new", "new", NULL) < 0)
				return -1;
		} else if (at % TRIPLE != CHANGE) {
			return name_twice(d, e->col[EVENT_NAME].t);
		}
		s->event[i] = (size_t)at;
	}
	return 0;
}

/* Warns if the profiles measured different things, so that everything is new or gone.
 * Returns whether they did. */
static bool
warn_of_events(const struct diff *d)
{
	const struct group *old = d->side[SIDE_OLD].g, *new = d->side[SIDE_NEW].g;
	struct text a, b;
	size_t i;

	if (!old || !new || !old->events.measured || !new->events.measured)
		return false;
	for (i = 0; i < new->events.measured; i++)
		if (events_find(&old->events, events_at(&new->events,
		    i)->col[EVENT_NAME].t) >= 0)
			return false;
	a = events_at(&old->events, 0)->col[EVENT_NAME].t;
	b = events_at(&new->events, 0)->col[EVENT_NAME].t;
	diag_say(d->to->how.diag, DIAG_WARN, "the profiles have no event in common: "
	    "the old one has %s, the new one %s", QUOTE(a), QUOTE(b));
	return true;
}

/* Returns the first event, of the old side if it has one; NULL: there is none. */
static const struct record *
first_event(const struct diff *d)
{
	const struct group *old = d->side[SIDE_OLD].g;
	const struct group *first = old && old->events.measured ? old : d->side[SIDE_NEW].g;

	return first && first->events.measured ? events_at(&first->events, 0) : NULL;
}

/* Would the difference choose this event without a mark, whatever its costs are?  Without a
 * mark the default is an event with a cost. */
static bool
needs_no_mark(const struct diff *d, const struct group *of, const struct record *event)
{
	return events_own_default(&of->events) < 0 &&
	    text_eq(event->col[EVENT_NAME].t, first_event(d)->col[EVENT_NAME].t);
}

/* Finds the default of the difference: that of the old profile, if it has one. */
static void
find_default(struct diff *d)
{
	const struct record *old = merge_default_of(d->side[SIDE_OLD].g);
	const struct record *new = merge_default_of(d->side[SIDE_NEW].g);
	const struct record *event = old ? old : new;
	struct text a, b;

	if (!event) {
		warn_of_events(d);
		return;
	}
	a = event->col[EVENT_NAME].t;
	b = new ? new->col[EVENT_NAME].t : a;
	if (!warn_of_events(d) && !text_eq(a, b) && !d->how->named)
		diag_say(d->to->how.diag, DIAG_NOTE, "the profiles show different "
		    "events, the old one %s, the new one %s: this compares %s", QUOTE(a),
		    QUOTE(b), QUOTE(a));
	if (!needs_no_mark(d, old ? d->side[SIDE_OLD].g : d->side[SIDE_NEW].g, event))
		d->shown = a;
}

static bool
has_calls(const struct side *s)
{
	return s->g && ROWS(s->g, REC_CALL)->t.n;
}

/* ---- extra columns ---- */

static size_t
add_extra(struct diff *d, const struct extra_column *column)
{
	const size_t at = merge_columns(d->g);

	extra_columns_add(&d->g->extra, column);
	return at;
}

/* Adds a column for each run of a side. */
static void
add_runs(struct diff *d, int side)
{
	struct side *s = &d->side[side];
	size_t i;

	s->extra = merge_columns(d->g);
	for (i = 0; s->g && i < s->g->extra.n; i++) {
		struct extra_column c = s->g->extra.v[i];

		c.event = s->event[c.event];
		c.side = side;
		add_extra(d, &c);
	}
}

/* Adds columns for the values of a side that are not known, if these are wanted.  A total
 * that is not stated is the sum of self costs. */
static void
add_unknown(struct diff *d, int side)
{
	struct side *s = &d->side[side];
	const size_t n = s->g ? s->g->events.measured : 0;
	bool *any = mem_alloc(n + 1, sizeof *any);
	size_t i;

	s->unknown = mem_alloc(n + 1, sizeof *s->unknown);
	s->total_unknown = mem_alloc(n + 1, sizeof *s->total_unknown);
	if (n) {
		merge_find_unknown(s->m, s->g, REC_COST, any);
		merge_find_unknown(s->m, s->g, REC_SAMPLE, any);
		for (i = 0; i < n; i++)
			s->total_unknown[i] = any[i] && s->g->totals[i] & TOTAL_ADDED_UP;
		merge_find_unknown(s->m, s->g, REC_CALL, any);
	}
	for (i = 0; i < n; i++)
		if (any[i])
			s->unknown[i] = add_extra(d, &(struct extra_column){
			    .event = s->event[i], .side = side });
	free(any);
}

/* ---- the whole ---- */

static int
add_calls(struct diff *d)
{
	struct record calls = rec_make(REC_EVENT);

	d->has_calls = has_calls(&d->side[SIDE_OLD]) || has_calls(&d->side[SIDE_NEW]);
	d->calls = d->g->events.measured;
	calls.col[EVENT_ID].n = 0;
	calls.col[EVENT_NAME].t = TEXT("calls");
	return d->has_calls && (add_event(d, &calls, "old", "old", NULL) < 0 ||
	    add_event(d, &calls, "new", "new", NULL) < 0) ? -1 : 0;
}

int
diff_add_events(struct diff *d)
{
	int side, ret = 0;

	find_default(d);
	for (side = SIDE_OLD; side <= SIDE_NEW && ret == 0; side++) {
		struct cursor at = { .file = d->side[side].name };

		d->to->how.diag->at = &at;
		ret = add_side_events(d, &d->side[side]);
		d->to->how.diag->at = NULL;
	}
	if (ret < 0 || add_calls(d) < 0)
		return -1;
	for (side = SIDE_OLD; side <= SIDE_NEW; side++) {
		add_runs(d, side);
		add_unknown(d, side);
	}
	return 0;
}
