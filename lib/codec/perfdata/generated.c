/* SPDX-License-Identifier: ISC */
/*
 * Code that processes have generated, in files that they have mapped to announce them
 * (symbol/jit_dump.h).  Each piece of code is mapped when its time has come: its offset in
 * the file is then what tells its function, however often the memory is used again.
 */
#include "perfdata.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/printable.h"

static void
note_clock(struct perfdata *pd, struct text path)
{
	struct buf b = { 0 };

	printable_add(&b, path);
	diag_say(pd->d->diag, DIAG_NOTE, "%s has times of another clock than the recording's: "
	    "where generated code was replaced, the last is taken (see 'perf record -k 1')",
	    buf_str(&b));
	buf_free(&b);
}

static void
put_due(struct perfdata *pd, size_t i)
{
	struct perf_generated *g = &pd->generated;
	const struct generator *of = &g->v[i];

	if (of->next < of->dump->n)
		pd_heap_put(&g->due, (struct time_entry){ of->dump->code[of->next].time, i,
		    (uint32_t)i });
}

static void
add_next(struct perfdata *pd, struct generator *g)
{
	const struct jit_code *code = &g->dump->code[g->next++];
	struct map map = { .start = code->start, .end = code->start + code->size,
	    .shift = code->offset - code->start, .place = g->place };

	if (map.end > map.start)
		maps_add_code(&pd->state.maps[g->process], &map);
}

/* Adds the code up to a time. */
static void
add_until(struct perfdata *pd, struct generator *g, uint64_t time)
{
	while (g->next < g->dump->n && g->dump->code[g->next].time <= time)
		add_next(pd, g);
	perf_renew_maps(&pd->state, &pd->state.maps[g->process]);
}

/* A file is that of the first process that maps it. */
void
pd_generated_add(struct perfdata *pd, size_t process, struct text path)
{
	struct perf_generated *g = &pd->generated;
	struct jit_dump *dump;
	const uint32_t place = pd_places_find_dump(pd, path, &dump);

	if (place == NO_ID)
		return;
	g->v = mem_grow(g->v, &g->cap, g->n + 1, sizeof *g->v);
	g->v[g->n] = (struct generator){ .dump = dump, .process = process, .place = place };
	if (dump->own_clock || !perf_events_are_monotonic(&pd->events)) {
		note_clock(pd, path);
		add_until(pd, &g->v[g->n], UINT64_MAX);
	}
	put_due(pd, g->n++);
}

void
pd_generated_advance(struct perfdata *pd, uint64_t time)
{
	struct perf_generated *g = &pd->generated;

	while (g->due.n && g->due.v[0].time <= time) {
		const uint32_t i = g->due.v[0].n;

		pd_heap_drop_first(&g->due);
		add_until(pd, &g->v[i], time);
		put_due(pd, i);
	}
}

void
pd_generated_free(struct perf_generated *g)
{
	free(g->v);
	free(g->due.v);
}
