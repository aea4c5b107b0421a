/* SPDX-License-Identifier: ISC */
#include "writer.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/num.h"

/* A total is lost unless it is the sum of the samples. */
static void
check_total(struct writer *w)
{
	struct text rest = buf_as_text(&w->run), v;
	size_t i;
	num n;

	for (i = 0; i < w->events.measured && w->run.n; i++) {
		n = 0;
		if (values_next(&rest, &v) && num_get_num(v.s, v.n, &n) < 0)
			n = NUM_MIN;
		if (n == w->value[i].sum)
			continue;
		loss_add(w->e.loss, "the cost of the run, apart from that of the samples");
		break;
	}
}

static int
finish(struct writer *w)
{
	if (pprof_begin(w) < 0)
		return -1;
	check_total(w);
	pprof_put_tables(w);
	pprof_put_default(w);
	out_write(w->e.out, w->facts.s, w->facts.n);
	w->scratch.n = 0;
	pb_put_bytes(&w->scratch, PROFILE_STRING, TEXT(""));	/* the first one */
	out_write(w->e.out, w->scratch.s, w->scratch.n);
	out_write(w->e.out, w->strings.s, w->strings.n);
	return 0;
}

static int
put_record(struct writer *w, const struct record *r)
{
	switch (rec_kind(r)) {
	case REC_SAMPLE:
		return pprof_put_sample(w, r);
	case REC_COST:
		return pprof_put_cost(w, r);
	case REC_EVENT:
		pprof_put_event(w, r);
		return 0;
	case REC_META:
		pprof_put_meta(w, r);
		return 0;
	case REC_OBJECT:
		if (w->own)	/* all of them, in their order */
			pprof_mapping_of(w, (uint32_t)r->col[0].n);
		return 0;
	case REC_TOTAL:
		if (text_is(r->col[0].t, "run"))
			buf_text(&w->run, r->values);
		return 0;	/* that of the lines is the sum of the samples */
	case REC_END:
		return finish(w);
	default:
		return 0;
	}
}

static int
pprof_put(struct sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	if (w->e.out->error)	/* a terminal: known before anything is read */
		return out_check(w->e.out);
	return put_record(w, r);
}

static void
pprof_free(struct sink *s)
{
	struct writer *w = (struct writer *)s;
	struct buf *bufs[] = { &w->strings, &w->facts, &w->run, &w->message, &w->part,
	    &w->default_type, &w->scratch };
	size_t i;

	for (i = 0; i < sizeof bufs / sizeof *bufs; i++)
		buf_free(bufs[i]);
	events_free(&w->events);
	free(w->value);
	lookup_free(&w->numlabels);
	free(w->unit);
	sums_free(&w->locations);
	sums_free(&w->functions);
	free(w->number);
	free(w->of_ctx);
	free(w->chain);
	free(w->mapping);
	free(w->object);
	free(w->string);
	free(w);
}

struct sink *
pprof_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	w->sink = (struct sink){ .put = pprof_put, .free = pprof_free };
	w->e = *e;
	sums_init(&w->locations, LOC_KEYS, 0);
	sums_init(&w->functions, FN_KEYS, 0);
	out_holds(e->out, OUT_BINARY);
	return &w->sink;
}
