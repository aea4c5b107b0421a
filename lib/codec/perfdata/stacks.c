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
#include "util/hash.h"
#include "util/mem.h"

void
pd_stacks_init(struct perf_stacks *s)
{
	sums_init(&s->tags, TAG_KEYS, 0);
}

void
pd_stacks_free(struct perf_stacks *s)
{
	sums_free(&s->tags);
	index_free(&s->index);
	free(s->v);
	buf_free(&s->values);
	buf_free(&s->attrs);
}

/* ---- sums ---- */

static uint32_t
hash_of(uint32_t context, uint32_t tag)
{
	return hash_upper(hash_number(0, (uint64_t)context << 32 | tag));
}

static void
grow(struct perf_stacks *st)
{
	uint32_t i;

	if (st->n >= NO_ID - 1)
		mem_fail(0);
	if (index_grows(&st->index))
		for (i = 0; i < st->n; i++)
			index_put(&st->index, hash_of(st->v[i].context, st->v[i].tag), i);
	st->v = mem_grow(st->v, &st->cap, st->n + 1, sizeof *st->v);
}

/* Returns the sum of a context with a tag, which is added if it is new. */
static struct stack_sum *
sum_of(struct perf_stacks *st, uint32_t context, uint32_t tag)
{
	const uint32_t h = hash_of(context, tag);
	uint32_t at1;
	size_t i = h;

	while ((at1 = index_next(&st->index, h, &i)))
		if (st->v[at1 - 1].context == context && st->v[at1 - 1].tag == tag)
			return &st->v[at1 - 1];
	grow(st);
	st->v[st->n] = (struct stack_sum){ .context = context, .tag = tag };
	index_put(&st->index, h, (uint32_t)st->n);
	return &st->v[st->n++];
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
put_sample(struct perfdata *pd, const struct stack_sum *sum, const struct perf_attr *a)
{
	struct record r = rec_make(REC_SAMPLE);
	struct perf_stacks *st = &pd->stacks;
	char digits[NUM_TEXT];
	size_t i;

	st->values.n = 0;
	for (i = 0; i < 2 * a->column; i++)
		buf_puts(&st->values, "0\t");
	buf_text(&st->values, num_text(digits, (num)sum->samples));
	buf_putc(&st->values, '\t');
	buf_text(&st->values, num_text(digits, sum->period));
	r.col[0].n = pd->contexts.v[sum->context].ctx;
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
    uint32_t context, uint32_t labels, uint64_t period)
{
	const struct stack_sum sum = { .samples = 1, .period = period, .context = context };
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
	ret = put_sample(pd, &sum, a);
	buf_free(&time);
	return ret;
}

static int
add_sample(struct perfdata *pd, const struct perf_sample *s, size_t event, uint32_t context,
    uint32_t labels, uint64_t period)
{
	struct perf_stacks *st = &pd->stacks;
	const bool times = pd->options->times;
	const uint64_t tag[TAG_KEYS] = { times ? NO_ID : labels, event };
	struct stack_sum *sum;

	pd->samples++;
	pd->events.v[event].samples++;
	if (times && put_timed(pd, s, &pd->events.v[event], context, labels, period) < 0)
		return -1;
	if (!st->tags.n || st->labels != tag[TAG_LABELS] || st->event != event) {
		st->tag = (uint32_t)sums_row(&st->tags, tag);
		st->labels = (uint32_t)tag[TAG_LABELS];
		st->event = event;
	}
	sum = sum_of(st, context, st->tag);
	sum->samples++;
	return num_add(&sum->period, period) < 0 ?
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
add_group(struct perfdata *pd, const struct perf_sample *s, uint32_t context, uint32_t labels)
{
	struct bytes b = s->group;

	while (bytes_left(&b)) {
		const uint64_t value = bytes_u64(&b), id = bytes_u64(&b);
		uint64_t period;
		size_t event;

		bytes_skip(&b, 8 * (uint64_t)(s->group_step - 2));
		if (perf_events_find(&pd->events, id, &event) &&
		    (period = growth(pd, s, id, value)) &&
		    add_sample(pd, s, event, context, labels, period) < 0)
			return -1;
	}
	return 0;
}

/* Finds the context of a sample's stack. */
static int
find_context(struct perfdata *pd, struct perf_sample *s, uint32_t *context)
{
	bool known;
	struct chain_key key;
	struct known_chain *c;
	int ret;

	perf_generated_until(pd, &pd->generated, s->time);
	if (perf_is_guest(s->misc & MISC_MODE)) {
		s->maps = s->kernel = &pd->state.none;
	} else {
		s->maps = pd_state_maps(pd, s->pid);
		s->kernel = &pd->state.kernel;
	}
	c = pd_chains_find(pd, s, &key, &known);
	if (known) {
		*context = c->context;
		return 0;
	}
	if ((ret = pd_frames_find(pd, s)) < 0 || pd_contexts_find(pd, context) < 0)
		return -1;
	if (c && ret == 0)
		pd_chains_keep(c, s, &key, *context);
	return 0;
}

int
pd_stacks_put_sample(struct perfdata *pd, struct perf_sample *s)
{
	uint32_t context, labels;

	if (find_context(pd, s, &context) < 0)
		return -1;
	labels = pd->no_labels ? NO_ID : labels_of(pd, s);
	return s->group_step && bytes_left(&s->group) ? add_group(pd, s, context, labels) :
	    add_sample(pd, s, s->event, context, labels, s->period);
}

int
pd_stacks_end(struct perfdata *pd)
{
	struct perf_stacks *st = &pd->stacks;
	size_t i;

	if (!pd->began && perf_events_put(pd) < 0)
		return -1;
	for (i = 0; i < st->n && !pd->options->times; i++) {
		const uint64_t *tag = sums_key(&st->tags, st->v[i].tag);
		const struct perf_attr *a = &pd->events.v[tag[TAG_EVENT]];

		set_attrs(pd, a, (uint32_t)tag[TAG_LABELS]);
		if (put_sample(pd, &st->v[i], a) < 0)
			return -1;
	}
	return 0;
}
