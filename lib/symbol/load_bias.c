/* SPDX-License-Identifier: ISC */
#include "symbol/load_bias.h"

#include <stdlib.h>

#include "util/mem.h"

/* The page from which on a function fits (by 1) or no longer fits (-1). */
struct step {
	int64_t page;
	int by;
};

/* Sets the first and the last distance at which a function fits.  A call at the end of a
 * function returns to its end, which still counts as its own. */
static void
distances(const struct load_span *f, int64_t *first, int64_t *last)
{
	*first = (int64_t)(f->most - f->end);
	*last = (int64_t)(f->least - f->addr);
}

static int64_t
page_down(int64_t n)
{
	return n / LOAD_PAGE - (n % LOAD_PAGE < 0);
}

static int64_t
page_up(int64_t n)
{
	return n / LOAD_PAGE + (n % LOAD_PAGE > 0);
}

/* Beginnings come before ends, so that pages where two ranges meet count for both. */
static int
by_page(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	return x->page != y->page ? (x->page < y->page ? -1 : 1) : y->by - x->by;
}

static size_t
make_steps(const struct load_span *v, size_t n, struct step *step)
{
	size_t i, k = 0;
	int64_t first, last;

	for (i = 0; i < n; i++) {
		distances(&v[i], &first, &last);
		if (first > last)
			continue;
		first = page_up(first);
		last = page_down(last);
		if (first > last)
			continue;
		step[k++] = (struct step){ first, 1 };
		step[k++] = (struct step){ last, -1 };
	}
	qsort(step, k, sizeof *step, by_page);
	return k;
}

size_t
load_bias_count(const struct load_span *v, size_t n, uint64_t bias)
{
	size_t i, fits = 0;
	int64_t first, last;

	for (i = 0; i < n; i++) {
		distances(&v[i], &first, &last);
		fits += first <= (int64_t)bias && (int64_t)bias <= last;
	}
	return fits;
}

struct load_bias
load_bias_find(const struct load_span *v, size_t n)
{
	struct step *step = mem_alloc(2 * n + 1, sizeof *step);
	const size_t none = load_bias_count(v, n, 0), steps = make_steps(v, n, step);
	struct load_bias best = { 0 };
	size_t i, now = 0;

	for (i = 0; i < steps; i++) {
		if (step[i].by < 0) {
			now--;
			continue;
		}
		if (++now < best.n)
			continue;
		/* The next step is where this many end, or more begin. */
		best.one = now > best.n && step[i + 1].page == step[i].page;
		best.n = now;
		best.bias = (uint64_t)step[i].page * LOAD_PAGE;
	}
	free(step);
	return none >= best.n ? (struct load_bias){ .n = none, .one = none != 0 } : best;
}
