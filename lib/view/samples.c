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

	buf_printf(b, "%.0f %% may be %.1f to %.1f", 100 * share, low > 0 ? 100 * low / n : 0,
	    100 * high / n);
}

/* Percentages of few samples say more than is known. */
void
page_samples_line(struct page *p)
{
	const struct metric *m = &p->t->metric[0];

	if (!p->t->v->nshow || !text_is(m->name, "samples") || m->under || m->per != 1 ||
	    m->total < 10 || m->total >= FEW_SAMPLES)
		return;
	buf_puts(&p->line, "few samples: ");
	add_range(&p->line, (double)m->total, 0.1);
	buf_puts(&p->line, ", ");
	add_range(&p->line, (double)m->total, 0.01);
	page_flush(p);
}
