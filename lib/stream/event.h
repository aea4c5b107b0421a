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
	bool measured;		/* it has a value column; otherwise it is derived */
};

enum event_class { EVENT_MEASURED, EVENT_DERIVED, EVENT_OTHER, EVENT_CLASSES };

struct events {
	struct event *v;	/* measured ones have columns 0, 1, ... in this order */
	size_t n, cap;
	size_t measured;
	/* By class and name: the index in v of the first one; events of EVENT_OTHER are
	 * derived without a formula. */
	struct name_index named[EVENT_CLASSES];
	size_t *at, capat;	/* by column: the index in v */
	size_t *column, capcolumn;	/* by index in v: the column, if measured */
	size_t *twin, captwin;	/* by column: another one of this name and unit + 1; 0:
				 * the last */
	struct formulas *formulas;	/* a cache, valid as long as n is the same */
};

void events_add(struct events *e, const struct record *event);
/* Replaces the event's record by r, which is kept and which e owns from now on.  Its name,
 * and whether it is measured, must be the same. */
void events_replace(struct events *e, struct event *event, struct record *r);
void events_clear(struct events *e);
void events_free(struct events *e);

/* Returns the column of a measured event, the first of that name; -1: there is none. */
long events_find(const struct events *e, struct text name);
/* Returns another column of the same name, unit and scale, after the one from events_find() or
 * from here; -1: there are no more.  The cost of an event is the sum of all of these. */
long events_twin(const struct events *e, long column);
/* Returns the measured event of a column; NULL: there is none. */
const struct record *events_at(const struct events *e, size_t column);
/* Is this the name of a well-known event, which any profile may have? */
bool events_is_known(struct text name);
/* Returns the event with the name of `as` that is measured if `as` is, and derived if not;
 * NULL: there is none. */
struct event *events_same(const struct events *e, const struct event *as);

/* Returns the column of the profile's or its format's own default event, the first one with
 * the attribute default=1; -1: there is none. */
long events_own_default(const struct events *e);

/*
 * Returns the column of the event that is shown by default; -1: there is none.  All tools
 * and encoders use this, most by filter_default_event() (filter.h):
 *	the profile's own default, or its format's; else
 *	the first that has a cost, as `costs` says by column, where a change has one if a
 *	side of it has; else
 *	the first.
 */
long events_default(const struct events *e, const bool *costs);

/* Returns the column to which costs in this one count, in the sense of `costs` above: the
 * column of the change if this is a side of one; -1 if the change is no event. */
long events_change_of(const struct events *e, size_t column);

/* Returns the column of the event whose inclusive cost this one states (inclusive=EVENT),
 * if that event does not state another's itself; otherwise this column. */
size_t events_measure_of(const struct events *e, size_t column);
/* The same, of a difference on the same side, if both have one unit: the column of the event
 * whose total percentages are of, as sums of inclusive costs count costs again and again. */
size_t events_whole_of(const struct events *e, size_t column);

/* Does it state inclusive costs of any event?  They hold those of others, and are more in all
 * than was spent. */
bool event_is_inclusive(const struct record *event);

/* Returns N of an event's attribute scale=1/N, which makes its values N-ths of its unit; 1
 * if it has none. */
uint64_t event_scale(const struct record *event);
/* The least scale that is a multiple of both: 0, or -1 if it does not fit 64 bits. */
int event_common_scale(uint64_t a, uint64_t b, uint64_t *out);
/* Converts a value from one scale to another: false if the other has no whole number for it,
 * or if it does not fit. */
bool event_convert(num *v, uint64_t from, uint64_t to);
/* Returns the scale in which values are whole numbers, except for means and the like: the
 * event's scale divided by N of its attribute parts=N. */
uint64_t event_whole(const struct record *event);
/* Returns the event whose values are `by` times those of this one, in parts of its unit,
 * `scale` to one, of which `whole` is a divisor.  It is kept; the caller frees it. by = 0:
 * values are not the same multiple of this one's. */
struct record *event_rescaled(const struct record *event, uint64_t scale, uint64_t whole,
    num by);
/* Returns N of its attribute sample=N, the amount that one sample adds to its values; for an
 * event "samples" that has none event_whole(); 0 for any other, whose samples are not alike. */
uint64_t event_sample(const struct record *event);
/* Does the event have the attribute calls=VALUE? */
bool event_calls(const struct record *event, const char *value);
/* May a profile of these events have calls?  calls=absent says that it has none. */
bool events_have_calls(const struct events *e);

/* For a difference: does the event have this role, "delta", "old" or "new"? */
bool event_has_role(const struct record *event, const char *role);

/* For a difference: returns the column of the event that has this role ("old", "new") in
 * the change of `name`; -1: there is none. */
long event_side(const struct events *e, struct text name, const char *role);

/* For a difference: is the event in this column a change?  Then sets *old and *new to the
 * columns of the costs between which it is. */
bool event_is_change(const struct events *e, size_t column, size_t *old, size_t *new);

/* Checks that two events of one name have the same unit, whatever their scales, and count
 * the same, unlike samples of cycles and of misses: 0, or -1 with the diag set. */
int event_check_unit(const struct record *was, const struct record *event,
    struct diag *d);
/* The same for unit and scale: seconds and milliseconds cannot be added. */
int event_check_units(const struct record *was, const struct record *event,
    struct diag *d);

/*
 * Resolves `what` to coefficients of the measured events: coef[column], e->measured of
 * them; coef may be NULL.  If scales differ, the sum is in their common one.  Returns 1; 0
 * if it is not available; -1 if it is not a formula, or its scale is too fine.
 */
int events_resolve(const struct events *e, struct text what, num *coef);

/* Returns the event that such a sum is, which the caller frees: with this name, the scale
 * and the attribute calls of the sum, and the unit that all terms share, if any; the rest,
 * or a unit of its own, is that of the event of that name.  NULL if the sum has no terms. */
struct record *events_sum(const struct events *e, struct text name, const num *coef);

/* Sets the coefficients of an event of this name, or of a formula, unless coef is NULL, and
 * the event that it is, which the caller frees; *event is NULL if the formula is none.
 * false: not available. */
bool events_make(const struct events *e, struct text what, num *coef, struct record **event);

/* Returns ": did you mean WORD?" for an event whose name is close to `what`, otherwise an
 * empty text.  Valid as from suggest_suffix(). */
const char *events_suggest(const struct events *e, struct text what);

/* Notes how many of all parts lack events, whose names are `names`, or NULL for some of the
 * formula's.  formula: their costs are not in that; absent: in none. */
void events_tell_lacking(struct diag *d, const char *names, struct text formula,
    uint64_t lacking, uint64_t parts);

/* Splits "A / B" at its slash: true, with both sides trimmed, also of the optional
 * parentheses of "(A + B) / (C + D)". */
bool formula_ratio(struct text what, struct text *over, struct text *under);

#endif
