/* SPDX-License-Identifier: ISC */
/*
 * Converts samples to stacks.  Equal ones are added up until the recording ends, unless
 * their times are kept.
 */
#include "perfdata.h"

#include <inttypes.h>
#include <stdlib.h>

#include "codec/perf_event.h"
#include "codec/sample_options.h"
#include "util/mem.h"


void
pd_stacks_init(struct perf_stacks *s)
{
	sums_init(&s->nodes, NODE_KEYS, 0);
	sums_init(&s->rows, ROW_KEYS, ROW_VALUES);
}

void
pd_stacks_free(struct perf_stacks *s)
{
	sums_free(&s->nodes);
	sums_free(&s->rows);
	free(s->ctx);
	free(s->before);
	buf_free(&s->values);
	buf_free(&s->attrs);
}

/* ---- contexts ---- */

static int
put_context(struct perfdata *pd, uint32_t parent, const struct function *f, uint32_t *ctx)
{
	struct perf_stacks *st = &pd->stacks;
	const uint64_t key[NODE_KEYS] = { parent, f->func, f->addr };
	const size_t was = st->nodes.n, row = sums_row(&st->nodes, key);
	struct ctx_def def = NO_CTX;
	char tmp[FIELD_TEXT];

	if (row < was) {
		*ctx = st->ctx[row];
		return 0;
	}
	st->ctx = mem_reach(st->ctx, &st->capctx, row, sizeof *st->ctx, 0);
	def.parent = parent;
	def.func = f->func;
	if (pd->addrs && f->func != pd->unfinished.func)
		def.addr = dict_str(pd->d->dict, num_text_hex(tmp, f->addr));
	if (decode_ctx(pd->d, &def, &st->ctx[row]) < 0)
		return -1;
	*ctx = st->ctx[row];
	return 0;
}

/* Stacks usually begin like the previous one, whose contexts need not be looked up
 * again. */
static int
put_contexts(struct perfdata *pd, uint32_t *ctx)
{
	struct perf_stacks *st = &pd->stacks;
	const struct perf_frames *frames = &pd->frames;
	size_t i, depth;
	bool same = true;

	*ctx = NO_ID;
	st->before = mem_reach(st->before, &st->capbefore, frames->n, sizeof *st->before, 0);
	for (i = frames->n, depth = 0; i--; depth++) {
		struct frame *f = &st->before[depth];

		same = same && depth < st->nbefore && f->f.func == frames->v[i].func &&
		    f->f.addr == frames->v[i].addr;
		if (same) {
			*ctx = f->ctx;
			continue;
		}
		f->f = frames->v[i];
		if (put_context(pd, *ctx, &f->f, &f->ctx) < 0)
			return -1;
		*ctx = f->ctx;
	}
	st->nbefore = depth;
	return 0;
}

/* ---- samples ---- */

static uint32_t
labels_of(struct perfdata *pd, const struct perf_sample *s)
{
	struct thread *t = pd_state_thread(pd, s->tid);
	struct buf b = { 0 };
	char pid[NUM_TEXT + 1], tid[NUM_TEXT + 1];

	if (t->labels != NO_ID && t->pid == s->pid)
		return t->labels;
	t->pid = s->pid;
	perf_event_labels(&b, dict_text(pd->d->dict, t->comm), num_text(pid, (int32_t)s->pid),
	    num_text(tid, (int32_t)s->tid));
	t->labels = dict_str(pd->d->dict, buf_as_text(&b));
	buf_free(&b);
	return t->labels;
}

/* Puts the attributes and values of a sample. */
static int
put_sample(struct perfdata *pd, uint32_t ctx, const struct perf_attr *a, const num *sum)
{
	struct record r = rec_make(REC_SAMPLE);
	struct perf_stacks *st = &pd->stacks;
	char digits[NUM_TEXT];
	size_t i;

	st->values.n = 0;
	for (i = 0; i < 2 * a->column; i++)
		buf_puts(&st->values, "0\t");
	buf_text(&st->values, num_text(digits, sum[ROW_SAMPLES]));
	buf_putc(&st->values, '\t');
	buf_text(&st->values, num_text(digits, sum[ROW_PERIOD]));
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

/* Puts a sample with its time, at once. */
static int
put_timed(struct perfdata *pd, const struct perf_sample *s, const struct perf_attr *a,
    uint32_t ctx, uint32_t labels, uint64_t period)
{
	const num sum[ROW_VALUES] = { 1, period };
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
	ret = put_sample(pd, ctx, a, sum);
	buf_free(&time);
	return ret;
}

static int
add_sample(struct perfdata *pd, const struct perf_sample *s, size_t event, uint32_t ctx,
    uint32_t labels, uint64_t period)
{
	struct perf_stacks *st = &pd->stacks;
	const bool times = pd->options->times;
	const uint64_t key[ROW_KEYS] = { ctx, times ? NO_ID : labels, event };
	num *sum;

	pd->samples++;
	pd->events.v[event].samples++;
	if (times && put_timed(pd, s, &pd->events.v[event], ctx, labels, period) < 0)
		return -1;
	sum = sums_val(&st->rows, sums_row(&st->rows, key));
	sum[ROW_SAMPLES]++;
	return num_add(&sum[ROW_PERIOD], period) < 0 ?
	    perf_fail(pd, "a sum does not fit 128 bits") : 0;
}

/* Returns by how much a value of a group's member has grown since the last one; 0: not at
 * all, or it has fallen.  A counter that children inherit counts separately for each
 * thread. */
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

/* Adds a sample of a group.  The leader's sample has the values of all members: the growth
 * of each since the last one is a sample. */
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

/* Finds the context of a sample's stack. */
static int
find_context(struct perfdata *pd, struct perf_sample *s, uint32_t *ctx)
{
	bool known;
	struct chain_key key;
	struct known_chain *c = pd_chains_find(pd, s, &key, &known);
	int ret;

	if (known) {
		*ctx = c->ctx;
		return 0;
	}
	if ((ret = pd_frames_find(pd, s)) < 0 || put_contexts(pd, ctx) < 0)
		return -1;
	if (c && ret == 0)
		pd_chains_keep(pd, c, s, &key, *ctx);
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
	struct perf_stacks *st = &pd->stacks;
	size_t i;

	if (!pd->began && perf_events_put(pd) < 0)
		return -1;
	for (i = 0; i < st->rows.n && !pd->options->times; i++) {
		const uint64_t *key = sums_key(&st->rows, i);
		const struct perf_attr *a = &pd->events.v[key[ROW_EVENT]];

		set_attrs(pd, a, (uint32_t)key[ROW_LABELS]);
		if (put_sample(pd, (uint32_t)key[ROW_CTX], a, sums_val(&st->rows, i)) < 0)
			return -1;
	}
	return 0;
}
