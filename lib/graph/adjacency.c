/* SPDX-License-Identifier: ISC */
#include "graph/adjacency.h"

#include <stdlib.h>

#include "util/mem.h"

struct adjacency
adjacency_make(const struct sums *edges, size_t column, size_t nodes,
    bool (*has)(const void *arg, size_t row), const void *arg)
{
	struct adjacency a = { mem_alloc(nodes + 2, sizeof *a.first),
	    mem_alloc(edges->n + 1, sizeof *a.edge) };
	uint32_t *at = a.first + 1;
	size_t i;

	for (i = 0; i < edges->n; i++)
		if (!has || has(arg, i))
			at[sums_key(edges, i)[column] + 1]++;
	for (i = 1; i <= nodes; i++)
		at[i] += at[i - 1];
	/* at[n] is where n's edges begin and, once they are filled in, where they end,
	 * which makes first[n] their beginning. */
	for (i = 0; i < edges->n; i++)
		if (!has || has(arg, i))
			a.edge[at[sums_key(edges, i)[column]]++] = (uint32_t)i;
	return a;
}

void
adjacency_free(struct adjacency *a)
{
	free(a->first);
	free(a->edge);
}
