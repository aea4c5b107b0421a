/* SPDX-License-Identifier: ISC */
#include "writer.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/num.h"

/* Reports a total as dropped, unless it is the sum of the samples. */
static void
check_total(struct writer *w, const struct buf *total, const char *what)
{
	struct text rest = buf_as_text(total), v;
	size_t i;
	num n;

	for (i = 0; i < w->parts.part.events.measured && total->n; i++) {
		n = 0;
		if (values_next(&rest, &v) && num_get_num(v.s, v.n, &n) < 0)
			n = NUM_MIN;
		if (n == w->value[i].sum)
			continue;
		loss_add(w->e.loss, what);
		break;
	}
}

static int
put_record(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	return rec_kind(r) == REC_SAMPLE ? pprof_put_sample(w, r) :
	    rec_kind(r) == REC_COST ? pprof_put_cost(w, r) : 0;
}

/* For profiles in pprof's own format all objects are written, in their order. */
static int
put_definition(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	if (rec_kind(r) == REC_OBJECT && pprof_is_own(w))
		pprof_mapping_of(w, (uint32_t)r->col[0].n);
	return 0;
}

static int
put_total(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	buf_text(text_is(r->col[0].t, "run") ? &w->run : &w->sum, r->values);
	return 0;
}

static int
finish(struct part_sink *s)
{
	struct writer *w = (struct writer *)s;

	check_total(w, &w->run, "the cost of the run outside its samples");
	check_total(w, &w->sum, "totals");
	pprof_put_tables(w);
	pprof_put_default(w);
	out_write(w->e.out, w->facts.s, w->facts.n);
	w->scratch.n = 0;
	pb_put_bytes(&w->scratch, PROFILE_STRING, TEXT(""));	/* index 0 */
	out_write(w->e.out, w->scratch.s, w->scratch.n);
	out_write(w->e.out, w->strings.s, w->strings.n);
	return 0;
}

static void
free_writer(struct part_sink *s)
{
	struct writer *w = (struct writer *)s;
	struct buf *bufs[] = { &w->strings, &w->facts, &w->run, &w->sum, &w->message,
	    &w->part, &w->default_type, &w->scratch };
	size_t i;

	for (i = 0; i < sizeof bufs / sizeof *bufs; i++)
		buf_free(bufs[i]);
	free(w->value);
	name_index_free(&w->numlabels);
	free(w->unit);
	sums_free(&w->locations);
	sums_free(&w->functions);
	free(w->number);
	free(w->of_ctx);
	free(w->chain);
	free(w->mapping);
	free(w->object);
	free(w->string);
}

static const struct part_methods methods = {
	.meta = pprof_put_meta, .event = pprof_put_event, .total = put_total,
	.body = pprof_begin_body, .put = put_record, .define = put_definition,
	.finish = finish, .free = free_writer,
};

struct sink *
pprof_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	part_sink_init(&w->parts, &methods, e->diag, e->out);
	w->e = *e;
	sums_init(&w->locations, LOC_KEYS, 0);
	sums_init(&w->functions, FN_KEYS, 0);
	out_set_content(e->out, OUT_BINARY);
	return &w->parts.sink;
}
