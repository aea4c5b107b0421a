/* SPDX-License-Identifier: ISC */
/* The sampling error of shares of few samples. */
#include "view/rank_page.h"

#include <math.h>

#define FEW_SAMPLES 10000
#define FEW_TO_COMPARE 100000	/* fewer samples than this get a note in a difference, as
				 * small changes matter there */

static const double shares[SAMPLING_SHARES] = { 0.1, 0.01 };

/* Returns the 95% range of a share, in percent, of n Poisson-distributed samples.  The root
 * of a count + 3/8 has the standard deviation 1/2 (Anscombe, Biometrika 35, 1948). */
static struct sampling_range
range(double n, double share)
{
	const double root = sqrt(n * share + 0.375), off = 1.96 / 2;
	const double low = root > off ? (root - off) * (root - off) - 0.375 : 0;
	const double high = (root + off) * (root + off) - 0.375;

	return (struct sampling_range){ 100 * share, low > 0 ? 100 * low / n : 0,
	    100 * high / n };
}

bool
sampling_ranges(num samples, struct sampling_range r[SAMPLING_SHARES])
{
	size_t i;

	if (samples < 10 || samples >= FEW_SAMPLES)
		return false;
	for (i = 0; i < SAMPLING_SHARES; i++)
		r[i] = range((double)samples, shares[i]);
	return true;
}

/* Returns how many samples a total of the first column is; 0: they are not samples. */
static num
count(const struct table *t, num total)
{
	const long column = t->v->nshow ? events_find(&t->r->events, t->metric[0].name) : -1;
	const uint64_t each = column < 0 ? 0 :
	    event_sample(events_at(&t->r->events, (size_t)column));

	return each ? total / (num)each : 0;
}

bool
sampling_error_add(struct buf *b, num samples)
{
	struct sampling_range r[SAMPLING_SHARES];
	size_t i;

	if (!sampling_ranges(samples, r))
		return false;
	buf_printf(b, "%d samples, 95 %% intervals: ", (int)samples);
	for (i = 0; i < SAMPLING_SHARES; i++)
		buf_printf(b, "%s%.0f %% may be %.1f to %.1f %%", i ? ", " : "", r[i].percent,
		    r[i].low, r[i].high);
	return true;
}

/* Percentages of few samples look more exact than they are. */
void
page_samples_line(struct page *p, const struct table *t)
{
	if (sampling_error_add(&p->line, count(t, t->metric[0].total)))
		page_flush(p);
}

/* Returns the 95% bound, in percent, of the change between two Poisson counts, for
 * functions with this share before and after: the variance of the difference is the sum of
 * both means. */
static double
change_by_chance(double old, double new, double share)
{
	return 100 * 1.96 * sqrt((old + new) * share) / (old * share);
}

bool
sampling_changes(const struct table *t, struct sampling_changes *c)
{
	const struct rank_delta *d = t->v->nshow ? t->metric[0].delta : NULL;
	const num old = d ? count(t, t->r->total[d->old]) : 0;
	const num new = d ? count(t, t->r->total[d->new]) : 0;
	size_t i;

	/* Scaled costs and means are not counts. */
	if (t->v->significance || t->h->estimate.n || old < 10 || new < 10 ||
	    (old < new ? old : new) >= FEW_TO_COMPARE)
		return false;
	*c = (struct sampling_changes){ .old = old, .new = new };
	for (i = 0; i < SAMPLING_SHARES; i++) {
		c->of[i].percent = 100 * shares[i];
		c->of[i].by = change_by_chance((double)old, (double)new, shares[i]);
	}
	return true;
}

void
sampling_changes_add(struct buf *b, const struct sampling_changes *c)
{
	buf_printf(b, "%.0f and %.0f samples: random variation may change %.0f %% by "
	    "%.0f %%, %.0f %% by %.0f %%", (double)c->old, (double)c->new, c->of[0].percent,
	    c->of[0].by, c->of[1].percent, c->of[1].by);
}

void
page_samples_change_line(struct page *p, const struct table *t)
{
	struct sampling_changes c;

	if (!sampling_changes(t, &c))
		return;
	sampling_changes_add(&p->line, &c);
	page_flush(p);
}
