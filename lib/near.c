/* SPDX-License-Identifier: ISC */
#include "near.h"

#define LONGEST 40		/* longer words are not mistyped ones */

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Row by row of the table of distances: the last three are kept, for swaps. */
static size_t
distance(struct text a, const char *b, size_t nb)
{
	size_t row[3][LONGEST + 1], i, j;

	for (j = 0; j <= nb; j++)
		row[0][j] = j;
	for (i = 1; i <= a.n; i++) {
		size_t *now = row[i % 3];
		const size_t *up = row[(i + 2) % 3], *above = row[(i + 1) % 3];

		now[0] = i;
		for (j = 1; j <= nb; j++) {
			now[j] = least(up[j - 1] + (a.s[i - 1] != b[j - 1]),
			    1 + least(up[j], now[j - 1]));
			if (i > 1 && j > 1 && a.s[i - 1] == b[j - 2] &&
			    a.s[i - 2] == b[j - 1])
				now[j] = least(now[j], above[j - 2] + 1);
		}
	}
	return row[a.n % 3][nb];
}

static const char *
nearest(struct text t, const char *const *list, size_t n)
{
	const char *best = NULL;
	size_t i, least_so_far = 0, k;

	for (i = 0; i < n; i++) {
		size_t len = strlen(list[i]);

		if (t.n > LONGEST || len > LONGEST)
			continue;
		k = distance(t, list[i], len);
		if (k <= 1 + least(t.n, len) / 3 && k < len && (!best || k < least_so_far)) {
			best = list[i];
			least_so_far = k;
		}
	}
	return best;
}

void
near_add(struct buf *message, struct text t, const char *const *list, size_t n)
{
	const char *meant = nearest(t, list, n);
	size_t i;

	if (meant)
		buf_printf(message, ": did you mean %s?", meant);
	for (i = 0; i < n; i++)
		buf_printf(message, "%s%s", i ? ", " : "; known are ", list[i]);
}
