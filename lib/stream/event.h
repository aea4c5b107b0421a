/* SPDX-License-Identifier: ISC */
/*
 * The events of a part, and formulas over them.  A formula is a sum of events
 * with whole coefficients: "A + 2 B - C".  Where an event is asked for, the
 * name of a measured one, of one that the profile derives, a well-known one
 * (L1m, LLm, Bm, CEst; KCachegrind, globalconfig.cpp) and a formula will do.
 */
#ifndef PROF_STREAM_EVENT_H
#define PROF_STREAM_EVENT_H

#include "stream/lookup.h"
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
	/* By class, by name, in v: the first one; OTHER is derived without a formula. */
	struct lookup named[EVENT_CLASSES];
	size_t *at, capat;	/* by column: in v */
	size_t *column, capcolumn;	/* of the measured ones in v */
	struct formulas *formulas;	/* what is known of them, as long as n is the same */
};

void events_add(struct events *e, const struct record *event);
/* Makes it another record, a kept one, of the same name and as measured. */
void events_replace(struct events *e, struct event *event, struct record *r);
void events_clear(struct events *e);
void events_free(struct events *e);

/* The column of a measured event; -1. */
long events_find(const struct events *e, struct text name);
/* The measured event of a column; NULL. */
const struct record *events_at(const struct events *e, size_t column);
/* A derived event of the profile's own, by name; NULL. */
const struct record *events_derived(const struct events *e, struct text name);
/* The event of this name that is measured, or is not, as `as` is; NULL. */
struct event *events_same(const struct events *e, const struct event *as);

/* The attribute scale=1/N of an event, whose values are N-ths of its unit: N; 1
 * where it has none. */
uint64_t event_scale(const struct record *event);
/* Does it say calls=VALUE? */
bool event_calls(const struct record *event, const char *value);

/* Are costs of two events of one name in the same unit and scale?  Those in seconds
 * and those in milliseconds are no sum.  0, or -1 with the diag set. */
int event_check_units(const struct record *was, const struct record *event,
    struct diag *d);

/*
 * What `what` is in terms of the measured events: coef[column], e->measured of
 * them; NULL: whether there is such a thing is all that is asked.  1; 0 if it is not
 * there to be had; -1 if it is no formula.
 */
int events_resolve(const struct events *e, struct text what, num *coef);

/* ": did you mean WORD?" of one of them that `what` is nearly, else nothing.  As
 * suggest_say(). */
const char *events_suggest(const struct events *e, struct text what);

/* Splits "A / B" at its slash: true, with both sides trimmed, of parentheses
 * around them too: "(A + B) / (C + D)", where they may be left out. */
bool formula_ratio(struct text what, struct text *over, struct text *under);

#endif
