/* SPDX-License-Identifier: ISC */
/* Sums that do not depend on the order in which profiles come. */
#include "state.h"

/* Operations over runs do not add them up. */
int
merge_check_order(struct merge *m, struct group *g)
{
	size_t i;
	unsigned k;

	for (k = 0; k < ROW_KINDS && m->how.op == MERGE_SUM; k++) {
		const struct rows *r = g->rows[k];

		for (i = 0; i < g->events.measured && r->below; i++) {
			struct num_extent rows = { 0 };

			if (!r->below[i])
				continue;
			if (k == REC_COST - REC_COST && merge_expand(m, g) < 0)
				return -1;
			sums_see(&r->t, r->nsum + i, &rows);
			if (!sums_fit_in_any_order(rows, r->below[i]))
				return merge_overflow(m);
		}
	}
	return 0;
}
