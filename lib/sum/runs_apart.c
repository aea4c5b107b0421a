/* SPDX-License-Identifier: ISC */
/* Names of their own for the events of each run. */
#include "sum/runs.h"

#include <stdlib.h>

#include "util/mem.h"

#define MARK '\1'

struct apart {
	struct sink sink;
	struct diag *diag;
	uint64_t *runs;
	struct buf part, name;
};

static int
apart_put(struct sink *s, const struct record *r)
{
	struct apart *a = (struct apart *)s;
	struct record event;
	struct text name;

	if (rec_kind(r) == REC_PART && (!*a->runs || !text_eq(r->col[0].t,
	    buf_as_text(&a->part)))) {
		++*a->runs;
		a->part.n = 0;
		buf_text(&a->part, r->col[0].t);
	}
	if (rec_kind(r) != REC_EVENT)
		return sink_put(s->next, r);
	if (r->col[EVENT_ID].n == NO_ID)
		return 0;
	name = r->col[EVENT_NAME].t;
	if (last_byte(name.s, MARK, name.n))
		return diag_fail_plain(a->diag, "event %s: several runs cannot be told apart "
		    "by an event with the byte 0x01 in its name: leave it out with --events",
		    QUOTE(name));
	rec_copy(&event, r);
	a->name.n = 0;
	buf_text(&a->name, name);
	buf_printf(&a->name, "%c%ju", MARK, (uintmax_t)*a->runs);
	event.col[EVENT_NAME].t = buf_as_text(&a->name);
	return sink_put(s->next, &event);
}

static void
apart_free(struct sink *s)
{
	struct apart *a = (struct apart *)s;

	buf_free(&a->part);
	buf_free(&a->name);
	free(a);
}

struct sink *
runs_apart(uint64_t *runs, struct diag *d)
{
	struct apart *a = mem_alloc(1, sizeof *a);

	a->sink = (struct sink){ .put = apart_put, .free = apart_free };
	a->diag = d;
	a->runs = runs;
	*runs = 0;
	return &a->sink;
}

/* After the run there may be the suffix of a side, ".old". */
bool
runs_name(struct text name, struct text *event, uint64_t *run)
{
	const char *mark = last_byte(name.s, MARK, name.n), *end = name.s + name.n, *p;

	if (!mark)
		return false;
	*event = (struct text){ name.s, (size_t)(mark - name.s) };
	*run = 0;
	for (p = mark + 1; p < end && *p >= '0' && *p <= '9'; p++)
		*run = *run * 10 + (uint64_t)(*p - '0');
	return p > mark + 1;
}
