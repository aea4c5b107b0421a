/* SPDX-License-Identifier: ISC */
/* Histograms: costs as ticks. */
#include "writer.h"

#include <stdlib.h>

#include "codec/units.h"
#include "stream/loss.h"
#include "util/mem.h"

#define WIDTH 2			/* bytes of a bin in new histograms: gprof's unit */
#define GAP 64			/* addresses this far apart get two histograms; a
				 * smaller gap is not worth a header of 41 bytes */

int
gmon_fail_value(struct writer *w, const struct record *r, const char *what)
{
	struct text f = dict_func_name(w->e.dict, (uint32_t)r->col[PLACE_FUNC].n);

	return encode_fail(&w->e, "function %s: %s",
	    diag_quote(f.s ? f.s : "???", f.s ? f.n : 3), what);
}

/* Readers accept only ASCII text as a dimension. */
void
gmon_set_dimension(struct writer *w, struct gmon_hist *h, struct text name)
{
	const size_t room = sizeof h->dim - 1;
	bool whole = name.n <= room;
	size_t i;

	for (i = 0; i < name.n && i < room; i++) {
		bool good = name.s[i] >= ' ' && name.s[i] <= '~';

		h->dim[i] = good ? name.s[i] : '_';
		whole &= good;
	}
	if (!whole)
		loss_add(w->e.loss, "names of events");
}

/* ---- new histograms ---- */

static int
compare(const void *pa, const void *pb)
{
	const struct at *a = pa, *b = pb;

	return (a->addr > b->addr) - (a->addr < b->addr);
}

static void
add_hist(struct gmon *g, const struct gmon_hist *h)
{
	g->hist = mem_grow(g->hist, &g->caphist, g->nhist + 1, sizeof *g->hist);
	g->hist[g->nhist++] = *h;
}

/* Adds a histogram for [low, low + WIDTH), or extends the last one to hold it. */
static void
add_stretch(struct gmon *g, const struct gmon_hist *like, uint64_t low, bool longer)
{
	struct gmon_hist *h;

	if (!longer) {
		add_hist(g, like);
		g->hist[g->nhist - 1].low = low;
	}
	h = &g->hist[g->nhist - 1];
	h->high = low + WIDTH;
	h->nbins = (h->high - h->low) / WIDTH;
}

/*
 * Makes a histogram for each stretch of addresses, and one for each bin that exceeds 16
 * bits, so that only that bin is written several times.
 */
static void
find_stretches(struct writer *w, const struct gmon_hist *like)
{
	uint64_t bin, last = 0;
	bool hot, last_hot = true;
	size_t i, k;
	num sum;

	qsort(w->at, w->nat, sizeof *w->at, compare);
	for (i = 0; i < w->nat; i = k, last = bin, last_hot = hot) {
		bin = w->at[i].addr & ~(uint64_t)(WIDTH - 1);
		sum = 0;
		for (k = i; k < w->nat && w->at[k].addr - bin < WIDTH; k++)
			sum += w->at[k].value;	/* their sum was checked */
		hot = sum > UINT16_MAX;
		add_stretch(&w->g, like, bin, !hot && !last_hot && bin - last < GAP);
	}
}

static void
widen(struct gmon_hist *h, uint64_t addr)
{
	const uint64_t low = addr & ~(uint64_t)(WIDTH - 1);

	h->low = low < h->low ? low : h->low;
	h->high = low + WIDTH > h->high ? low + WIDTH : h->high;
}

/*
 * Makes one histogram for all costs.  It holds all callees too, since a call with no end in
 * it is not one of this flavour (gmon_bsd_has_arc()).
 */
static void
find_range(struct writer *w, const struct gmon_hist *like)
{
	const struct gmon *g = &w->g;
	struct gmon_hist h = *like;
	size_t i;

	h.low = UINT64_MAX;
	for (i = 0; i < w->nat; i++)
		widen(&h, w->at[i].addr);
	for (i = 0; i < g->narc; i++)
		widen(&h, g->arc[i].self);
	h.nbins = (h.high - h.low) / WIDTH;
	add_hist(&w->g, &h);
}

/* Returns the greatest number that divides all costs and `per`. */
static num
common_part(const struct writer *w)
{
	num a = w->per, b, rest;
	size_t i;

	for (i = 0; i < w->nat && a > 1; i++)
		for (b = w->at[i].value; b; b = rest) {
			rest = a % b;
			a = b;
		}
	return a;
}

#define RATE_USUAL 1000000	/* ticks of a second */

/* Finds how many ticks make the unit: no more than needed if there would be many. */
static int
find_rate(struct writer *w, const struct record *event, uint64_t *rate)
{
	num n = text_is(event->col[EVENT_UNIT].t, "ticks") ? 0 : w->per;	/* 0: not known */

	if (n > RATE_USUAL)
		n /= common_part(w);
	if (n > UINT32_MAX)
		return encode_fail(&w->e, "event %s divides a second, or its unit, into more "
		    "than 2^32 parts", QUOTE(event->col[EVENT_NAME].t));
	*rate = (uint64_t)n;
	return 0;
}

num
gmon_per_unit(const struct record *event)
{
	const uint64_t ns = unit_nanoseconds(event->col[EVENT_UNIT].t);

	return (num)event_scale(event) * (ns ? 1000000000 / ns : 1);
}

int
gmon_make_hists(struct writer *w)
{
	const struct record *event = events_at(&w->parts.part.events, (size_t)w->time);
	const struct text unit = event->col[EVENT_UNIT].t;
	struct gmon_hist h = { 0 };

	if (find_rate(w, event, &h.rate) < 0)
		return -1;
	gmon_set_dimension(w, &h, unit_nanoseconds(unit) || text_is(unit, "ticks") ?
	    TEXT("seconds") : event->col[EVENT_NAME].t);
	h.abbrev = h.dim[0];
	if (w->g.flavour == GMON_MAGIC)
		find_stretches(w, &h);
	else
		find_range(w, &h);
	return 0;
}

void
gmon_lose_event(struct writer *w, const struct record *event)
{
	const struct text unit = event->col[EVENT_UNIT].t;
	const bool ticks = text_is(unit, "ticks");
	const char *dim = w->g.hist[0].dim;

	if (w->g.flavour == GMON_MAGIC && dim[0] && strcmp(dim, "seconds") != 0) {
		if (unit.s)
			loss_add(w->e.loss, "units of events");
	} else if (!unit_nanoseconds(unit) && !ticks) {
		loss_add(w->e.loss, w->g.flavour == GMON_BSD ?
		    "events that are no time (1 is written as a tick)" :
		    "events that are no time (1 is written as a second)");
	} else {
		if (!text_is(event->col[EVENT_NAME].t, "time"))
			loss_add(w->e.loss, "names of events");
		if (w->g.flavour != GMON_BSD && ticks != !w->g.hist[0].rate)
			loss_add(w->e.loss, "units of events");
	}
}

/* ---- ticks ---- */

static struct gmon_hist *
hist_of(struct writer *w, uint64_t addr)
{
	size_t i, n = w->g.nhist;

	/* Usually it is the histogram of the previous cost. */
	for (i = 0; i < n; i++, w->last = w->last + 1 < n ? w->last + 1 : 0) {
		struct gmon_hist *h = &w->g.hist[w->last];

		if (addr >= h->low && addr < h->high && h->nbins)
			return h;
	}
	return NULL;
}

static int
by_bin(const void *pa, const void *pb)
{
	const struct ticks *a = pa, *b = pb;

	return a->hist != b->hist ? (a->hist > b->hist) - (a->hist < b->hist) :
	    (a->bin > b->bin) - (a->bin < b->bin);
}

/* Sums the ticks of equal bins. */
static int
sum_bins(struct writer *w)
{
	struct record r = rec_make(REC_COST);
	struct ticks *t = w->ticks;
	size_t i, n = 0;

	qsort(t, w->nat, sizeof *t, by_bin);
	for (i = 0; i < w->nat; i++) {
		if (!n || by_bin(&t[n - 1], &t[i]) != 0)
			t[n++] = t[i];
		else if (__builtin_add_overflow(t[n - 1].n, t[i].n, &t[n - 1].n))
			return gmon_fail_value(w, &r, "a cost does not fit 64 bits");
	}
	w->nticks = n;
	return 0;
}

/* Converts costs to ticks; gmon has no fractions of a tick. */
int
gmon_fill_hists(struct writer *w)
{
	struct record r = rec_make(REC_COST);
	struct gmon_hist *h;
	uint64_t rate = w->g.nhist ? w->g.hist[0].rate : 0;	/* the same for all */
	num ticks;
	size_t i;

	w->ticks = mem_alloc(w->nat, sizeof *w->ticks);
	for (i = 0; i < w->nat; i++) {
		r.col[PLACE_FUNC].n = w->at[i].func;
		if (!(h = hist_of(w, w->at[i].addr)))
			return gmon_fail_value(w, &r, "a cost is outside the profile's "
			    "histograms");
		if (num_mul(w->at[i].value, rate ? rate : 1, &ticks) < 0 ||
		    ticks / w->per > UINT64_MAX)
			return gmon_fail_value(w, &r, "a cost does not fit 64 bits");
		if (ticks % w->per)
			return gmon_fail_value(w, &r, "a cost is not a whole number of ticks");
		w->ticks[i] = (struct ticks){ (size_t)(h - w->g.hist),
		    gmon_addr_bin(h, w->at[i].addr), (uint64_t)(ticks / w->per) };
	}
	return sum_bins(w);
}
