/* SPDX-License-Identifier: ISC */
/* The sampling error of shares of few samples. */
#include "view/rank_page.h"

#include <math.h>

#define FEW_SAMPLES 10000
#define FEW_TO_COMPARE 100000	/* fewer samples than this get a note in a difference, as
				 * small changes matter there */

/* Adds the 95% range of a share, in percent, of n Poisson-distributed samples.  The root of
 * a count + 3/8 has the standard deviation 1/2 (Anscombe, Biometrika 35, 1948). */
static void
add_range(struct buf *b, double n, double share)
{
	const double root = sqrt(n * share + 0.375), off = 1.96 / 2;
	const double low = root > off ? (root - off) * (root - off) - 0.375 : 0;
	const double high = (root + off) * (root + off) - 0.375;

	buf_printf(b, "%.0f %% may be %.1f to %.1f %%", 100 * share, low > 0 ? 100 * low / n : 0,
	    100 * high / n);
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
	if (samples < 10 || samples >= FEW_SAMPLES)
		return false;
	buf_printf(b, "%d samples, 95 %% intervals: ", (int)samples);
	add_range(b, (double)samples, 0.1);
	buf_puts(b, ", ");
	add_range(b, (double)samples, 0.01);
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

void
page_samples_change_line(struct page *p, const struct table *t)
{
	const struct rank_delta *d = t->v->nshow ? t->metric[0].delta : NULL;
	const num old = d ? count(t, t->r->total[d->old]) : 0;
	const num new = d ? count(t, t->r->total[d->new]) : 0;

	/* Scaled costs and means are not counts. */
	if (t->v->significance || t->h->estimate.n || old < 10 || new < 10 ||
	    (old < new ? old : new) >= FEW_TO_COMPARE)
		return;
	buf_printf(&p->line, "%.0f and %.0f samples: random variation may change 10 %% "
	    "by %.0f %%, 1 %% by %.0f %%", (double)old, (double)new,
	    change_by_chance((double)old, (double)new, 0.1),
	    change_by_chance((double)old, (double)new, 0.01));
	page_flush(p);
}
