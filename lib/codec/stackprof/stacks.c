/* SPDX-License-Identifier: ISC */
/* Samples, from the lists `raw`, `raw_lines` and `raw_timestamp_deltas`. */
#include "reader.h"

#include "stream/stack.h"
#include "util/mem.h"

/* The lists, which are read side by side. */
struct lists {
	struct stackprof *s;
	struct json_reader j[LISTS];
	bool put;		/* otherwise samples are counted only */
};

#define FAIL(l, list, ...) \
	DOCUMENT_FAIL(&(l)->s->doc, (l)->j[list].at, __VA_ARGS__)

static void
open_lists(struct lists *l)
{
	const struct json_reader *j = &l->s->doc.j;
	int i;

	for (i = 0; i < LISTS; i++) {
		const char *at = l->s->list[i] ? l->s->list[i] : j->end;

		json_read_begin(&l->j[i], at, (size_t)(j->end - at));
		if (l->s->list[i])
			json_read_array(&l->j[i]);
	}
}

/* Takes the next item of a list, which must have one: 0, or -1 with the diag set. */
static int
next_item(struct lists *l, enum list i)
{
	return json_read_item(&l->j[i]) ? 0 : FAIL(l, i, "the list ends inside a stack");
}

static int
take_number(struct lists *l, enum list i, num least, num most, num *n)
{
	if (!json_read_int(&l->j[i], n))
		return FAIL(l, i, "%s", l->j[i].why);
	return *n >= least && *n <= most ? 0 : FAIL(l, i, "a number out of range");
}

/* Takes how many frames or samples there are, which raw_lines repeats. */
static int
take_length(struct lists *l, num *n)
{
	num again;

	if (take_number(l, RAW, 0, UINT32_MAX, n) < 0)
		return -1;
	if (!l->put || !l->s->list[RAW_LINES])
		return 0;
	if (next_item(l, RAW_LINES) < 0 ||
	    take_number(l, RAW_LINES, 0, UINT32_MAX, &again) < 0)
		return -1;
	return again == *n ? 0 : FAIL(l, RAW_LINES, "raw_lines has another number here than "
	    "raw");
}

/* Takes a frame and its line, 0 if that is not known. */
static int
take_frame(struct lists *l, struct frame **f, num *line)
{
	struct text id;

	if (next_item(l, RAW) < 0)
		return -1;
	if (!json_read_number(&l->j[RAW], &id))
		return FAIL(l, RAW, "%s", l->j[RAW].why);
	*line = 0;
	if (!l->put)
		return 0;
	if (!(*f = stackprof_frame(l->s, id)))
		return FAIL(l, RAW, "a frame that is not in frames: %s", QUOTE(id));
	return !l->s->list[RAW_LINES] ? 0 : next_item(l, RAW_LINES) < 0 ? -1 :
	    take_number(l, RAW_LINES, 0, INT64_MAX, line);
}

/* Adds up the times of the next samples. */
static int
take_times(struct lists *l, num samples, num *time)
{
	num n;

	for (*time = 0; samples; samples--) {
		if (next_item(l, DELTAS) < 0 ||
		    take_number(l, DELTAS, INT64_MIN, INT64_MAX, &n) < 0)
			return -1;
		*time += n;	/* no list is long enough to overflow */
	}
	return 0;
}

/* ---- samples ---- */

/* Returns the dictionary's number of a frame in a line. */
static uint32_t
find_place(struct stackprof *s, const struct frame *f, num line)
{
	const uint64_t key[2] = { (uint64_t)(f - s->frame), (uint64_t)line };
	const size_t was = s->places.n, row = sums_row(&s->places, key);
	struct ctx_def c = NO_CTX;

	if (row < was)
		return s->place[row];
	c.func = f->func;
	c.file = f->place;
	c.line = dict_line(s->d->dict, (uint64_t)line, 0);
	s->place = mem_grow(s->place, &s->capplace, row + 1, sizeof *s->place);
	return s->place[row] = dict_define_frame(s->d->dict, (const uint32_t *)&c);
}

static int
put_sample(struct stackprof *s, uint32_t ctx, num samples, num time)
{
	struct record r = rec_make(REC_SAMPLE);

	s->values.n = 0;
	values_add(&s->values, samples);
	if (s->has_times)
		values_add(&s->values, time);
	r.col[0].n = ctx;
	r.values = buf_as_text(&s->values);
	return sink_put(s->d->out, &r);
}

/* Reads a stack, the first item of which is to be taken. */
static int
read_stack(struct lists *l)
{
	struct stackprof *s = l->s;
	num depth, samples, line, time = 0;
	struct frame *f = NULL;
	uint32_t ctx = NO_ID;

	if (take_length(l, &depth) < 0)
		return -1;
	for (; depth; depth--)
		if (take_frame(l, &f, &line) < 0 || (l->put && stack_put_frame(s->d->dict,
		    s->d->out, find_place(s, f, line), &ctx) < 0))
			return -1;
	if (next_item(l, RAW) < 0 || take_length(l, &samples) < 0)
		return -1;
	s->stacked += l->put ? 0 : samples;
	if (!l->put)
		return 0;
	return s->has_times && take_times(l, samples, &time) < 0 ? -1 :
	    put_sample(s, ctx, samples, time);
}

static int
read_stacks(struct lists *l)
{
	int ret = 0, i;

	open_lists(l);
	while (ret == 0 && json_read_item(&l->j[RAW]))
		ret = read_stack(l);
	if (ret == 0 && l->put && l->s->list[RAW_LINES] && json_read_item(&l->j[RAW_LINES]))
		ret = FAIL(l, RAW_LINES, "raw_lines goes on after the end of raw");
	for (i = 0; i < LISTS; i++)
		buf_free(&l->j[i].text);
	return ret;
}

int
stackprof_count_stacks(struct stackprof *s)
{
	struct lists l = { .s = s };

	return read_stacks(&l);
}

static int
put_rest(struct stackprof *s)
{
	const num rest = stackprof_rest(s, "stacks", s->stacked);

	return rest ? put_sample(s, NO_ID, rest, 0) : 0;
}

int
stackprof_put_stacks(struct stackprof *s)
{
	struct lists l = { .s = s, .put = true };

	return read_stacks(&l) < 0 ? -1 : put_rest(s);
}
