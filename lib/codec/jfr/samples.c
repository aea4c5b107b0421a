/* SPDX-License-Identifier: ISC */
/* Events that have a stack, as samples.  Equal ones are added up until the recording ends. */
#include "jfr.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"

#define BILLION 1000000000

/* ---- labels ---- */

static int
add_label(struct jfr *j, const char *key, uint32_t value)
{
	const struct text t = dict_text(j->d->dict, value);

	if (t.n)
		attr_add(&j->samples.labels, key, t);
	return jfr_count_text(j, t.n);
}

/* Reads a thread: sets *labels to its labels as one string. */
static int
read_thread(struct jfr *j, const struct jfr_type *type, struct bytes b, uint32_t *labels)
{
	uint32_t i, name = NO_ID, os_name = NO_ID;
	int64_t tid = 0;
	struct buf *to = &j->scratch;
	char tmp[NUM_TEXT];
	int ret = 0;

	for (i = 0; i < type->n && !b.ended && ret == 0; i++) {
		const struct jfr_field *f = &j->types.field[type->first + i];

		if (f->role == JFR_JAVA_NAME)
			ret = jfr_field_text(j, f, &b, &name);
		else if (f->role == JFR_OS_NAME)
			ret = jfr_field_text(j, f, &b, &os_name);
		else if (f->role == JFR_OS_ID)
			jfr_read_number(&j->types, f, &b, &tid);
		else
			jfr_skip_field(&j->types, f, &b);
	}
	to->n = 0;
	if (!dict_text(j->d->dict, name).n)
		name = os_name;
	if (dict_text(j->d->dict, name).n)
		attr_add(to, "comm", dict_text(j->d->dict, name));
	if (tid)
		attr_add(to, "tid", num_text(tmp, tid));
	*labels = dict_str(j->d->dict, buf_as_text(to));
	return ret;
}

static int
add_thread(struct jfr *j, const struct jfr_field *f, struct bytes *b)
{
	struct buf *to = &j->samples.labels;
	struct jfr_constant *c;
	uint64_t key;
	uint32_t labels;

	if (!jfr_read_reference(&j->types, f, b, &key) || !key)
		return 0;
	if (f->type == NO_TYPE || !(c = jfr_constant_find(j, f->type, key))) {
		j->count[COUNT_THREADS]++;
		return 0;
	}
	if (c->use != USE_THREAD) {
		if (read_thread(j, &j->types.v[f->type], jfr_constant_bytes(j, c), &labels) < 0)
			return -1;
		c->use = USE_THREAD;
		c->id = labels;
	}
	if (to->n && dict_text(j->d->dict, c->id).n)
		buf_putc(to, '\t');
	buf_text(to, dict_text(j->d->dict, c->id));
	return jfr_count_text(j, dict_text(j->d->dict, c->id).n);
}

/* ---- amounts ---- */

/* Converts ticks to nanoseconds. */
static num
from_ticks(const struct jfr *j, num ticks)
{
	return ticks * BILLION / j->chunk.per_second;
}

/* Converts a weight to the unit of the stream: B or ns. */
static num
convert(const struct jfr *j, uint8_t unit, int64_t v)
{
	static const uint32_t ns[] = { [UNIT_US] = 1000, [UNIT_MS] = 1000000, [UNIT_S] = BILLION };

	return unit == UNIT_TICKS ? from_ticks(j, v) :
	    unit >= UNIT_US && unit <= UNIT_S ? (num)v * ns[unit] : v;
}

/* ---- events ---- */

struct sample {
	uint32_t ctx;
	uint64_t time;		/* in ns since 1970 */
	num value[ROW_VALUES];
};

static int
read_label(struct jfr *j, const struct jfr_field *f, struct bytes *b)
{
	static const char *const keys[] = { [JFR_STATE] = "state", [JFR_CLASS] = "class",
	    [JFR_PATH] = "path", [JFR_HOST] = "host" };
	uint32_t str;

	if (j->no_labels) {
		jfr_skip_field(&j->types, f, b);
		return 0;
	}
	if (f->role == JFR_THREAD)
		return add_thread(j, f, b);
	return (f->role == JFR_CLASS ? jfr_class_text : jfr_field_text)(j, f, b, &str) < 0 ? -1 :
	    add_label(j, keys[f->role], str);
}

/* Reads a number of an event.  The least one of 64 bits stands for none. */
static void
read_amount(struct jfr *j, const struct jfr_field *f, struct bytes *b,
    const struct jfr_event *e, struct sample *s)
{
	int64_t v;
	int at;

	if (!jfr_read_number(&j->types, f, b, &v) || v == INT64_MIN)
		return;
	if (f->role == JFR_START)
		s->time = (uint64_t)((num)j->chunk.start_ns + from_ticks(j,
		    (num)v - j->chunk.start_ticks));
	else if (f->role == JFR_SAMPLES)
		s->value[ROW_SAMPLES] = v;
	else if ((at = jfr_event_weight(e, f->role)) >= 0)
		s->value[ROW_WEIGHT + at] = convert(j, f->unit, v);
}

static int
add_sample(struct jfr *j, uint32_t event, const struct sample *s)
{
	const uint64_t key[ROW_KEYS] = { s->ctx, j->samples.labels.n ? dict_str(j->d->dict,
	    buf_as_text(&j->samples.labels)) : NO_ID, event, j->times ? s->time : 0 };
	num *sum = sums_val(&j->samples.rows, sums_row(&j->samples.rows, key));
	struct jfr_event *e = &j->events.v[event];
	size_t i;

	e->samples++;
	e->stacks += s->ctx != j->stacks.none;
	for (i = 0; i < e->nweight; i++)
		e->weight[i].used |= s->value[ROW_WEIGHT + i] != 0;
	for (i = 0; i < ROW_VALUES; i++)
		if (num_add(&sum[i], s->value[i]) < 0)
			return jfr_fail(j, NULL, "a sum does not fit 128 bits");
	return 0;
}

int
jfr_sample_read(struct jfr *j, struct jfr_type *type, struct bytes b)
{
	const char *at = b.p;
	struct sample s = { .ctx = NO_ID, .value = { 1 } };
	uint32_t i;
	int ret = 0;

	if (type->broken)
		return jfr_bad(j, at, "an event of type %s, whose fields the metadata do not "
		    "describe", QUOTE(type->name));
	if (type->event == NO_ID && jfr_event_of(j, type) < 0)
		return -1;
	j->samples.labels.n = 0;
	for (i = 0; i < type->n && !b.ended && ret == 0; i++) {
		const struct jfr_field *f = &j->types.field[type->first + i];

		if (f->role == JFR_STACK)
			ret = jfr_stack_find(j, f, &b, &s.ctx);
		else if (f->role >= JFR_THREAD && f->role <= JFR_HOST)
			ret = read_label(j, f, &b);
		else if (f->role == JFR_START || f->role == JFR_SAMPLES || f->role >= JFR_WEIGHT)
			read_amount(j, f, &b, &j->events.v[type->event], &s);
		else
			jfr_skip_field(&j->types, f, &b);
	}
	if (ret == 0 && b.ended)
		return jfr_bad(j, at, "an event of type %s ends too early", QUOTE(type->name));
	return ret < 0 ? -1 : add_sample(j, type->event, &s);
}

/* ---- the sums ---- */

static int
put_row(struct jfr *j, size_t row)
{
	struct jfr_samples *s = &j->samples;
	const uint64_t *key = sums_key(&s->rows, row);
	const num *sum = sums_val(&s->rows, row);
	const struct jfr_event *e = &j->events.v[key[ROW_EVENT]];
	struct record r = rec_make(REC_SAMPLE);
	char digits[NUM_TEXT];
	size_t i;

	s->values.n = s->attrs.n = 0;
	for (i = 0; i < e->column; i++)
		buf_puts(&s->values, "0\t");
	buf_text(&s->values, num_text(digits, sum[ROW_SAMPLES]));
	for (i = 0; i < e->nweight; i++) {
		if (!e->weight[i].used)
			continue;
		buf_putc(&s->values, '\t');
		buf_text(&s->values, num_text(digits, sum[ROW_WEIGHT + i]));
	}
	attr_add(&s->attrs, "event", buf_as_text(&e->name));
	if (key[ROW_LABELS] != NO_ID) {
		buf_putc(&s->attrs, '\t');
		buf_text(&s->attrs, dict_text(j->d->dict, (uint32_t)key[ROW_LABELS]));
	}
	if (j->times) {
		buf_puts(&s->attrs, "\ttime=");
		buf_printf(&s->attrs, "%" PRIu64 ".%09" PRIu64, key[ROW_TIME] / BILLION,
		    key[ROW_TIME] % BILLION);
	}
	r.col[0].n = key[ROW_CTX];
	r.values = buf_as_text(&s->values);
	r.attrs = buf_as_text(&s->attrs);
	return sink_put(j->d->out, &r);
}

struct timed { uint64_t time; size_t row; };

static int
by_time(const void *pa, const void *pb)
{
	const struct timed *a = pa, *b = pb;

	return a->time != b->time ? (a->time > b->time) - (a->time < b->time) :
	    (a->row > b->row) - (a->row < b->row);
}

int
jfr_samples_put(struct jfr *j)
{
	const struct sums *rows = &j->samples.rows;
	struct timed *order = mem_alloc(rows->n + 1, sizeof *order);
	size_t i;
	int ret = 0;

	for (i = 0; i < rows->n; i++)
		order[i] = (struct timed){ sums_key(rows, i)[ROW_TIME], i };
	if (j->times)
		qsort(order, rows->n, sizeof *order, by_time);
	for (i = 0; i < rows->n && ret == 0; i++)
		if (j->events.v[sums_key(rows, order[i].row)[ROW_EVENT]].column != NO_COLUMN)
			ret = put_row(j, order[i].row);
	free(order);
	return ret;
}

void
jfr_samples_free(struct jfr_samples *s)
{
	sums_free(&s->rows);
	buf_free(&s->labels);
	buf_free(&s->values);
	buf_free(&s->attrs);
}
