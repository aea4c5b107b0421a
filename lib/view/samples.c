/* SPDX-License-Identifier: ISC */
/* What chance does to shares of few samples. */
#include "view/page.h"

#include <math.h>

#define FEW_SAMPLES 10000

/* The ends of the shares, in percent, that n samples of a share may be: where 95 of 100
 * Poisson counts are.  The root of a count + 3/8 has the standard deviation 1/2 (Anscombe,
 * Biometrika 35, 1948). */
static void
add_range(struct buf *b, double n, double share)
{
	const double root = sqrt(n * share + 0.375), off = 1.96 / 2;
	const double low = root > off ? (root - off) * (root - off) - 0.375 : 0;
	const double high = (root + off) * (root + off) - 0.375;

	buf_printf(b, "%.0f %% may be %.1f to %.1f %%", 100 * share, low > 0 ? 100 * low / n : 0,
	    100 * high / n);
}

/* How many there are, if the first column counts samples. */
static num
count(const struct table *t)
{
	const struct metric *m = &t->metric[0];
	const long column = t->v->nshow ? events_find(&t->r->events, m->name) : -1;
	const uint64_t each = column < 0 ? 0 :
	    event_sample(events_at(&t->r->events, (size_t)column));

	return each ? m->total / (num)each : 0;
}

/* Percentages of few samples say more than is known. */
void
page_samples_line(struct page *p)
{
	const num n = count(p->t);

	if (n < 10 || n >= FEW_SAMPLES)
		return;
	buf_printf(&p->line, "%d samples: by chance ", (int)n);
	add_range(&p->line, (double)n, 0.1);
	buf_puts(&p->line, ", ");
	add_range(&p->line, (double)n, 0.01);
	page_flush(p);
}
