/* SPDX-License-Identifier: ISC */
/*
 * Samples to stacks.  Equal ones are added up until the recording ends, unless their times
 * are asked for.
 */
#include "perfdata.h"

#include <inttypes.h>
#include <stdlib.h>

#include "codec/sample_options.h"
#include "util/hash.h"
#include "util/mem.h"

enum { TAG_LABELS, TAG_EVENT, TAG_KEYS };

void
pd_stacks_init(struct perf_stacks *s)
{
	sums_init(&s->tags, TAG_KEYS, 0);
	s->known = mem_alloc(KNOWN_CONTEXTS, sizeof *s->known);
}

void
pd_stacks_free(struct perf_stacks *s)
{
	sums_free(&s->tags);
	index_free(&s->index);
	free(s->row);
	free(s->known);
	buf_free(&s->values);
	buf_free(&s->attrs);
}

/* ---- contexts ---- */

static int
define_context(struct perfdata *pd, uint32_t parent, const struct function *f, uint32_t *ctx)
{
	struct ctx_def def = NO_CTX;
	char tmp[FIELD_TEXT];

	def.parent = parent;
	def.func = f->func;
	if (pd->addrs && f->func != pd->unfinished.func)
		def.addr = dict_str(pd->d->dict, num_text_hex(tmp, f->addr));
	return decode_ctx(pd->d, &def, ctx);
}

/* The stack of these functions.  Those that come again and again are remembered, as the
 * dictionary takes ten times as long. */
static int
put_contexts(struct perfdata *pd, uint32_t *ctx)
{
	const struct perf_frames *frames = &pd->frames;
	size_t i;

	*ctx = NO_ID;
	for (i = frames->n; i--; ) {
		const struct function *f = &frames->v[i];
		const uint64_t h = hash_number(hash_number(*ctx, f->func), f->addr);
		struct known_context *k = &pd->stacks.known[hash_upper(h) % KNOWN_CONTEXTS];

		if (!k->ctx1 || k->parent != *ctx || k->func != f->func || k->addr != f->addr) {
			const uint32_t parent = *ctx;

			if (define_context(pd, parent, f, ctx) < 0)
				return -1;
			*k = (struct known_context){ f->addr, f->func, parent, *ctx + 1 };
		}
		*ctx = k->ctx1 - 1;
	}
	return 0;
}

/* ---- sums ---- */

static inline uint32_t
hash_row(uint32_t ctx, uint32_t tag)
{
	return hash_upper(hash_number(0, (uint64_t)ctx << 32 | tag));
}

static struct stack_row *
add_row(struct perf_stacks *st, uint32_t ctx, uint32_t tag)
{
	uint32_t i;

	if (st->n >= UINT32_MAX - 1)
		mem_fail(0);
	if (index_grows(&st->index))
		for (i = 0; i < st->n; i++)
			index_put(&st->index, hash_row(st->row[i].ctx, st->row[i].tag), i);
	st->row = mem_grow(st->row, &st->cap, st->n + 1, sizeof *st->row);
	st->row[st->n] = (struct stack_row){ .ctx = ctx, .tag = tag };
	index_put(&st->index, hash_row(ctx, tag), (uint32_t)st->n);
	return &st->row[st->n++];
}

/* The sums of a stack with a tag: struct sums has rows of twice the size. */
static struct stack_row *
find_row(struct perf_stacks *st, uint32_t ctx, uint32_t tag)
{
	const uint32_t h = hash_row(ctx, tag);
	uint32_t row1;
	size_t i = h;

	while ((row1 = index_next(&st->index, h, &i))) {
		struct stack_row *row = &st->row[row1 - 1];

		if (row->ctx == ctx && row->tag == tag)
			return row;
	}
	return add_row(st, ctx, tag);
}

/* ---- samples ---- */

static uint32_t
labels_of(struct perfdata *pd, const struct perf_sample *s)
{
	struct thread *t = pd_state_thread(pd, s->tid);
	struct buf b = { 0 };
	char tmp[NUM_TEXT + 1];

	if (t->labels != NO_ID && t->pid == s->pid)
		return t->labels;
	t->pid = s->pid;
	if (t->comm != NO_ID)
		attr_add(&b, "comm", dict_text(pd->d->dict, t->comm));
	attr_add(&b, "pid", num_text(tmp, (int32_t)s->pid));
	attr_add(&b, "tid", num_text(tmp, (int32_t)s->tid));
	t->labels = dict_str(pd->d->dict, buf_as_text(&b));
	buf_free(&b);
	return t->labels;
}

/* Puts the attributes and values of a sample. */
static int
put_sample(struct perfdata *pd, uint32_t ctx, const struct perf_attr *a, num samples, num period)
{
	struct record r = rec_make(REC_SAMPLE);
	struct perf_stacks *st = &pd->stacks;
	char digits[NUM_TEXT];
	size_t i;

	st->values.n = 0;
	for (i = 0; i < 2 * a->column; i++)
		buf_puts(&st->values, "0\t");
	buf_text(&st->values, num_text(digits, samples));
	buf_putc(&st->values, '\t');
	buf_text(&st->values, num_text(digits, period));
	r.col[0].n = ctx;
	r.values = buf_as_text(&st->values);
	r.attrs = buf_as_text(&st->attrs);
	return sink_put(pd->d->out, &r);
}

static void
set_attrs(struct perfdata *pd, const struct perf_attr *a, uint32_t labels)
{
	struct buf *b = &pd->stacks.attrs;

	b->n = 0;
	attr_add(b, "event", buf_as_text(&a->name));
	if (labels != NO_ID) {
		buf_putc(b, '\t');
		buf_text(b, dict_text(pd->d->dict, labels));
	}
}

/* A sample with its time, as it comes. */
static int
put_timed(struct perfdata *pd, const struct perf_sample *s, const struct perf_attr *a,
    uint32_t ctx, uint32_t labels, uint64_t period)
{
	char tmp[NUM_TEXT];
	struct buf time = { 0 };
	int ret;

	if (!pd->began && perf_events_put(pd) < 0)
		return -1;
	pd->began = true;
	if (a->column == NO_COLUMN) {
		pd->count[LATE_EVENTS]++;
		return 0;
	}
	set_attrs(pd, a, labels);
	if (s->has_cpu)
		attr_add(&pd->stacks.attrs, "cpu", num_text(tmp, s->cpu));
	buf_printf(&time, "%" PRIu64 ".%09" PRIu64, s->time / 1000000000, s->time % 1000000000);
	if (s->has_time)
		attr_add(&pd->stacks.attrs, "time", buf_as_text(&time));
	ret = put_sample(pd, ctx, a, 1, period);
	buf_free(&time);
	return ret;
}

static int
add_sample(struct perfdata *pd, const struct perf_sample *s, size_t event, uint32_t ctx,
    uint32_t labels, uint64_t period)
{
	struct perf_stacks *st = &pd->stacks;
	const uint64_t tag[TAG_KEYS] = { labels, event };
	struct stack_row *row;

	pd->samples++;
	pd->events.v[event].samples++;
	if (pd->options->times)
		return put_timed(pd, s, &pd->events.v[event], ctx, labels, period);
	row = find_row(st, ctx, (uint32_t)sums_row(&st->tags, tag));
	row->samples++;
	return num_add(&row->period, period) < 0 ?
	    perf_fail(pd, "a sum does not fit 128 bits") : 0;
}

/* How much a value of a group's member has grown since the last one; 0: not at all, or it
 * has fallen.  A counter that children inherit counts for each thread on its own. */
static uint64_t
growth(struct perfdata *pd, const struct perf_sample *s, uint64_t id, uint64_t value)
{
	struct sums *told = &pd->events.told;
	const uint64_t key[] = { id, s->attr->flags & ATTR_INHERIT ? s->tid : 0 };
	num *last = sums_val(told, sums_row(told, key));
	const uint64_t was = (uint64_t)*last;

	*last = value;
	pd->count[FALLEN_VALUES] += value < was;
	return value > was ? value - was : 0;
}

/* A sample of the leader has the values of all of its group: each is a sample of what has
 * come since the last one. */
static int
add_group(struct perfdata *pd, const struct perf_sample *s, uint32_t ctx, uint32_t labels)
{
	struct bytes b = s->group;

	while (bytes_left(&b)) {
		const uint64_t value = bytes_u64(&b), id = bytes_u64(&b);
		uint64_t period;
		size_t event;

		bytes_skip(&b, 8 * (uint64_t)(s->group_step - 2));
		if (perf_events_find(&pd->events, id, &event) &&
		    (period = growth(pd, s, id, value)) &&
		    add_sample(pd, s, event, ctx, labels, period) < 0)
			return -1;
	}
	return 0;
}

/* The context of a sample's stack. */
static int
find_context(struct perfdata *pd, struct perf_sample *s, uint32_t *ctx)
{
	bool known;
	struct chain_key key;
	struct chain *c = pd_chain_find(pd, s, &key, &known);
	int unfinished;

	if (known) {
		*ctx = c->ctx;
		if (c->full)
			pd_unfinished_add(pd, UNFINISHED_CHAIN, NULL);
		return 0;
	}
	if ((unfinished = pd_frames_find(pd, s)) < 0 || put_contexts(pd, ctx) < 0)
		return -1;
	if (c)
		pd_chain_set(pd, c, s, &key, *ctx, unfinished);
	return 0;
}

int
pd_stacks_put_sample(struct perfdata *pd, struct perf_sample *s)
{
	uint32_t ctx, labels;

	if (find_context(pd, s, &ctx) < 0)
		return -1;
	labels = pd->no_labels ? NO_ID : labels_of(pd, s);
	return s->group_step && bytes_left(&s->group) ? add_group(pd, s, ctx, labels) :
	    add_sample(pd, s, s->event, ctx, labels, s->period);
}

int
pd_stacks_end(struct perfdata *pd)
{
	const struct perf_stacks *st = &pd->stacks;
	uint32_t tag = NO_ID;
	size_t i;

	if (!pd->began && perf_events_put(pd) < 0)
		return -1;
	for (i = 0; i < st->n; i++) {
		const struct stack_row *row = &st->row[i];
		const uint64_t *key = sums_key(&st->tags, row->tag);
		const struct perf_attr *a = &pd->events.v[key[TAG_EVENT]];

		if (row->tag != tag)
			set_attrs(pd, a, (uint32_t)key[TAG_LABELS]);
		tag = row->tag;
		if (put_sample(pd, row->ctx, a, row->samples, row->period) < 0)
			return -1;
	}
	return 0;
}
