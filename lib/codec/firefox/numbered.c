/* SPDX-License-Identifier: ISC */
/* Helpers of writing both tables and threads. */
#include <stdlib.h>

#include "util/mem.h"
#include "writer.h"

uint32_t
numbered_add(struct numbered *s, uint32_t id)
{
	s->at = mem_reach(s->at, &s->capat, id, sizeof *s->at, 0);
	if (!s->at[id]) {
		s->id = mem_grow(s->id, &s->capid, s->n + 1, sizeof *s->id);
		s->id[s->n++] = id;
		s->at[id] = (uint32_t)s->n;
	}
	return s->at[id] - 1;
}

void
numbered_free(struct numbered *s)
{
	free(s->at);
	free(s->id);
}

void
firefox_flush(struct writer *w)
{
	out_write(w->e.out, w->line.s, w->line.n);
	w->line.n = 0;
}
