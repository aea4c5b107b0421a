/* SPDX-License-Identifier: ISC */
#include "stream/pipeline.h"

void
pipeline_add(struct pipeline *p, struct sink *stage)
{
	if (p->last)
		p->last->next = stage;
	else
		p->first = stage;
	p->last = stage;
}

struct sink *
pipeline_into(struct pipeline *p, struct sink *end)
{
	if (!p->last)
		return end;
	p->last->next = end;
	return p->first;
}

void
pipeline_free(struct pipeline *p)
{
	struct sink *s, *next;

	for (s = p->first; s; s = next) {
		next = s == p->last ? NULL : s->next;
		if (s->free)
			s->free(s);
	}
	*p = (struct pipeline){ 0 };
}
