/* SPDX-License-Identifier: ISC */
/* Costs and calls of a profile without stacks. */
#include "reader.h"

#define FAIL(s, at, ...) DOCUMENT_FAIL(&(s)->doc, at, __VA_ARGS__)

/* What a part of a frame is read with. */
struct part_of {
	struct stackprof *s;
	struct frame *f;
	num lines;		/* samples in its lines */
};

static int
put_cost(struct stackprof *s, const struct frame *f, num line, num samples, num total)
{
	struct record r = rec_make(REC_COST);

	if (!samples && !total)
		return 0;
	r.col[PLACE_FUNC].n = f->func;
	r.col[PLACE_FILE].n = f->place;
	if (line) {
		r.col[PLACE_LINE].n = (uint64_t)line;
		r.col[PLACE_LINE].has = HAS_N;
	}
	s->values.n = 0;
	values_add(&s->values, samples);
	if (total)
		values_add(&s->values, total);
	r.values = buf_as_text(&s->values);
	return sink_put(s->d->out, &r);
}

static int
put_call(struct stackprof *s, const struct frame *f, const struct frame *callee, num samples)
{
	struct record r = rec_make(REC_CALL);

	r.col[PLACE_FUNC].n = f->func;
	r.col[PLACE_FILE].n = f->place;
	r.col[CALL_CALLEE].n = callee->func;
	s->values.n = 0;
	values_add(&s->values, samples);
	r.values = buf_as_text(&s->values);
	return sink_put(s->d->out, &r);
}

/* Reads {"160":2}: the samples in the frames that it calls. */
static int
read_edges(void *arg)
{
	struct part_of *p = arg;
	struct stackprof *s = p->s;
	struct text id;
	num n;

	for (json_read_object(&s->doc.j); json_read_key(&s->doc.j, &id); ) {
		const struct frame *callee = stackprof_frame(s, id);

		if (!callee)
			return FAIL(s, s->doc.j.at, "a call of a frame that is not in frames: %s",
			    QUOTE(id));
		if (stackprof_count(s, &n) < 0 || put_call(s, p->f, callee, n) < 0)
			return -1;
	}
	return 0;
}

/* Reads the samples of a line, [7,5]: with calls, and its own; or its own alone, which
 * versions before 1.1 had. */
static int
read_own(struct stackprof *s, num *own)
{
	const char *at = document_at(&s->doc);
	int items = 0;

	if (json_read_kind(&s->doc.j) != JSON_ARRAY)
		return stackprof_count(s, own);
	for (json_read_array(&s->doc.j); json_read_item(&s->doc.j); items++)
		if (stackprof_count(s, own) < 0)
			return -1;
	return items == 2 || s->doc.j.why ? 0 : FAIL(s, at, "expected two numbers of samples");
}

static int
read_lines(void *arg)
{
	struct part_of *p = arg;
	struct stackprof *s = p->s;
	struct text key;
	uint64_t line;
	const char *q;
	num own;

	for (json_read_object(&s->doc.j); json_read_key(&s->doc.j, &key); ) {
		/* A quote follows the digits. */
		if (!key.n || !(q = num_get_u64(key.s, &line)) || q != key.s + key.n)
			return FAIL(s, s->doc.j.at, "expected a line, found %s", QUOTE(key));
		own = 0;
		if (read_own(s, &own) < 0 || put_cost(s, p->f, line, own, 0) < 0)
			return -1;
		p->lines += own;
	}
	return 0;
}

static int
put_frame(struct stackprof *s, struct frame *f)
{
	struct part_of p = { .s = s, .f = f };

	if ((f->lines && document_reread(&s->doc, f->lines, read_lines, &p) < 0) ||
	    put_cost(s, f, 0, f->samples - p.lines, f->total) < 0)
		return -1;
	return f->edges ? document_reread(&s->doc, f->edges, read_edges, &p) : 0;
}

int
stackprof_put_graph(struct stackprof *s)
{
	const struct frame none = { .func = NO_ID, .place = NO_ID };
	num sum = 0;		/* samples in frames, then the others */
	size_t i;

	for (i = 0; i < s->nframe; i++) {
		sum += s->frame[i].samples;	/* no file has enough frames to overflow */
		if (put_frame(s, &s->frame[i]) < 0)
			return -1;
	}
	sum = stackprof_rest(s, "frames", sum);
	return put_cost(s, &none, 0, sum, sum);
}
