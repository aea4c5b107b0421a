/* SPDX-License-Identifier: ISC */
#include "view/metric_list.h"

#include <stdlib.h>

#include "util/mem.h"

void
metric_list_add(struct metric_list *s, struct text name)
{
	if (name_index_add(&s->known, name, s->n) != s->n)
		return;
	s->v = mem_resize(s->v, s->n + 1, sizeof *s->v);
	s->v[s->n++] = name;
}

bool
metric_list_add_words(struct metric_list *s, const char *list)
{
	struct text word;

	while (list_next(&list, &word)) {
		if (!word.n)
			return false;
		metric_list_add(s, word);
	}
	return true;
}

void
metric_list_all(struct metric_list *s, const struct rank *r)
{
	size_t i;

	for (i = 0; i < r->events.n; i++) {
		const struct text name = r->events.v[i].r->col[EVENT_NAME].t;

		if (r->events.v[i].measured || rank_knows(r, name))
			metric_list_add(s, name);
	}
}

void
metric_list_default(struct metric_list *s, const struct rank_request *q, const struct rank *r)
{
	if (!s->n && r->events.measured)
		metric_list_add(s, rank_default(q, r));
}

void
metric_list_free(struct metric_list *s)
{
	free(s->v);
	name_index_free(&s->known);
}
