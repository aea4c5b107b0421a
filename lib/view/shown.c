/* SPDX-License-Identifier: ISC */
#include "view/shown.h"

#include <stdlib.h>

#include "util/mem.h"

void
shown_add(struct shown *s, struct text name)
{
	if (lookup_add(&s->known, name, s->n) != s->n)
		return;
	s->v = mem_resize(s->v, s->n + 1, sizeof *s->v);
	s->v[s->n++] = name;
}

bool
shown_list(struct shown *s, const char *list)
{
	struct text word;

	while (list_next(&list, &word)) {
		if (!word.n)
			return false;
		shown_add(s, word);
	}
	return true;
}

void
shown_all(struct shown *s, const struct rank *r)
{
	size_t i;

	for (i = 0; i < r->events.n; i++) {
		const struct text name = r->events.v[i].r->col[EVENT_NAME].t;

		if (r->events.v[i].measured || rank_knows(r, name))
			shown_add(s, name);
	}
}

void
shown_default(struct shown *s, const struct rank_request *q, const struct rank *r)
{
	if (!s->n && r->events.measured)
		shown_add(s, rank_default(q, r));
}

void
shown_free(struct shown *s)
{
	free(s->v);
	lookup_free(&s->known);
}
