/* SPDX-License-Identifier: ISC */
/*
 * The events of a part, and formulas over them.  A formula is a sum of events
 * with whole coefficients: "A + 2 B - C".  An event is given as the name of a
 * measured one, of one that the profile derives, or of a well-known one (L1m, LLm,
 * Bm, CEst; KCachegrind, globalconfig.cpp), or as a formula.
 */
#ifndef PROF_STREAM_EVENT_H
#define PROF_STREAM_EVENT_H

#include "stream/name_index.h"
#include "stream/record.h"
#include "util/diag.h"
#include "util/num.h"

struct event {
	struct record *r;	/* its record, kept */
	bool measured;		/* it has a value column; else it is derived */
};

enum event_class { EVENT_MEASURED, EVENT_DERIVED, EVENT_OTHER, EVENT_CLASSES };

struct events {
	struct event *v;	/* measured ones have columns 0, 1, ... in this order */
	size_t n, cap;
	size_t measured;
	/* By class and name: the index in v of the first one; EVENT_OTHER is derived
	 * without a formula. */
	struct name_index named[EVENT_CLASSES];
	size_t *at, capat;	/* by column: the index in v */
	size_t *column, capcolumn;	/* by index in v: the column, if measured */
	struct formulas *formulas;	/* a cache, valid as long as n is the same */
};

void events_add(struct events *e, const struct record *event);
/* Replaces its record by r, which is kept and owned by e from now on; its name, and
 * whether it is measured, are the same. */
void events_replace(struct events *e, struct event *event, struct record *r);
void events_clear(struct events *e);
void events_free(struct events *e);

/* The column of a measured event; -1. */
long events_find(const struct events *e, struct text name);
/* The measured event of a column; NULL. */
const struct record *events_at(const struct events *e, size_t column);
/* Is it a name of the well-known ones, which whatever has others may have, too? */
bool events_is_known(struct text name);
/* A derived event of the profile's own, by name; NULL. */
const struct record *events_derived(const struct events *e, struct text name);
/* The event of the same name as `as` that is measured if `as` is, and derived if not;
 * NULL. */
struct event *events_same(const struct events *e, const struct event *as);

/* The column of the event that the profile itself, or its format, has for its default: the
 * first one with the attribute default=1; -1. */
long events_own_default(const struct events *e);

/*
 * The column of the event that is shown where none is asked for; -1: there is none.  All
 * tools and encoders have it from here, most by filter_default_event() (filter.h):
 *	the profile's own default, or its format's; else
 *	the first that has a cost, as `costs` says by column, where a change has one if a
 *	side of it has; else
 *	the first.
 */
long events_default(const struct events *e, const bool *costs);

/* The column that costs in this one are costs of, as `costs` above counts them: that of
 * the change if it is a side of one; -1 if the change is no event. */
long events_change_of(const struct events *e, size_t column);

/* The column of the event whose inclusive cost this one states (inclusive=EVENT), if that
 * does not state another's itself; else its own column. */
size_t events_measure_of(const struct events *e, size_t column);

/* N of an event's attribute scale=1/N, which makes its values N-ths of its unit; 1 if
 * there is none. */
uint64_t event_scale(const struct record *event);
/* The least scale that is a multiple of both: 0, or -1 if it does not fit 64 bits. */
int event_common_scale(uint64_t a, uint64_t b, uint64_t *out);
/* The scale in which values are whole numbers but for a mean and the like: that of the event
 * divided by N of its attribute parts=N. */
uint64_t event_whole(const struct record *event);
/* The event whose values are `by` times those of this one, in parts of its unit, `scale` to
 * one, of which `whole` is a divisor; kept, to be freed.  by = 0: values are not the same
 * number of times this one's. */
struct record *event_rescaled(const struct record *event, uint64_t scale, uint64_t whole,
    num by);
/* N of its attribute sample=N: what one sample adds to its values; 1 for an event
 * "samples" that has none, 0 for any other: it is not of samples that are alike. */
uint64_t event_sample(const struct record *event);
/* Does the event have the attribute calls=VALUE? */
bool event_calls(const struct record *event, const char *value);
/* May a profile of these events have calls?  calls=absent says that it has none. */
bool events_have_calls(const struct events *e);

/* Of a difference: does the event have this role, "delta", "old" or "new"? */
bool event_has_role(const struct record *event, const char *role);

/* Of a difference: the column of the event that has this role ("old", "new") in the change
 * of `name`; -1. */
long event_side(const struct events *e, struct text name, const char *role);

/* Of a difference: is the event in this column a change?  Then *old and *new are the
 * columns of the costs that it is between. */
bool event_is_change(const struct events *e, size_t column, size_t *old, size_t *new);

/* Checks that two events of one name have the same unit, of which the scale is aside, and
 * count the same, as samples of cycles and of misses do not: 0, or -1 with the diag set. */
int event_check_unit(const struct record *was, const struct record *event,
    struct diag *d);
/* The same for unit and scale: seconds and milliseconds cannot be added. */
int event_check_units(const struct record *was, const struct record *event,
    struct diag *d);

/*
 * Resolves `what` to coefficients of the measured events: coef[column], e->measured
 * of them; coef may be NULL.  If scales differ, the sum is in their common one.  1; 0 if it
 * is not available; -1 if it is not a formula, or too fine.
 */
int events_resolve(const struct events *e, struct text what, num *coef);

/* The event that such a sum is, to be freed: its name, its scale, and its unit if that is
 * one.  NULL if the sum is of nothing. */
struct record *events_sum(const struct events *e, struct text name, const num *coef);

/* ": did you mean WORD?" for an event whose name is close to `what`, else empty.  As
 * suggest_say(). */
const char *events_suggest(const struct events *e, struct text what);

/* Splits "A / B" at its slash: true, with both sides trimmed, also of the optional
 * parentheses of "(A + B) / (C + D)". */
bool formula_ratio(struct text what, struct text *over, struct text *under);

#endif
