/* SPDX-License-Identifier: ISC */
/* The program points of a dhat.out: stacks, and their allocations. */
#include "reader.h"

#include <inttypes.h>

#include "codec/json_error.h"
#include "util/mem.h"

/* The data of one point. */
struct point {
	num number[DHAT_NUMBERS];
	bool has[DHAT_NUMBERS];
	bool stack;		/* it has one */
};

static void
read_stack(struct dhat *rd, struct json_reader *j)
{
	uint64_t i;

	rd->nstack = 0;
	for (json_read_array(j); json_read_item(j); ) {
		if (!json_read_u64(j, &i))
			return;
		if (i >= rd->nframe) {
			json_read_fail(j, "a frame that is not in ftbl");
			return;
		}
		rd->stack = mem_grow(rd->stack, &rd->capstack, rd->nstack + 1,
		    sizeof *rd->stack);
		rd->stack[rd->nstack++] = (uint32_t)i;
	}
}

static void
read_number(struct json_reader *j, struct text key, struct point *p)
{
	int i;

	for (i = 0; i < DHAT_NUMBERS && !text_is(key, dhat_field[i].key); i++)
		;
	if (i < DHAT_NUMBERS)
		p->has[i] = json_read_int(j, &p->number[i]);
	else
		json_read_skip(j);
}

static void
read_point(struct dhat *rd, struct json_reader *j, struct point *p)
{
	struct text key;

	*p = (struct point){ .stack = false };
	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, "fs")) {
			read_stack(rd, j);
			p->stack = true;
		} else if (text_is(key, "acc")) {
			json_read_skip(j);
			rd->accesses++;
		} else {
			read_number(j, key, p);
		}
	if (!j->why && !p->stack)
		json_read_fail(j, "a program point without a stack, fs");
}

/* Checks that a point has all numbers that the header announces, and drops others, as
 * dh_view.js does. */
static bool
settle_point(struct dhat *rd, struct json_reader *j, struct point *p)
{
	bool dropped = false;
	int i;

	for (i = 0; i < DHAT_NUMBERS; i++)
		if (i < DHAT_EVENTS && !p->has[i] && dhat_has(rd, (enum dhat_number)i)) {
			json_read_fail(j, "program point: missing field: expected tb, "
			    "tbk; with bklt tl, gb, gbk, eb, ebk; with bkacc rb, wb");
		} else if (p->has[i] && !dhat_has(rd, (enum dhat_number)i)) {
			p->has[i] = false;
			dropped = true;
		}
	rd->unannounced += dropped;
	return !j->why;
}

/* Converts the stack to frames, which were read before. */
static int
find_frames(struct dhat *rd)
{
	size_t i;

	for (i = 0; i < rd->nstack; i++) {
		struct dhat_frame *f = &rd->frame[rd->stack[i]];

		if (f->frame == NO_ID && valgrind_frames_find(&rd->frames, rd->d,
		    dict_text(rd->d->dict, f->text), &f->frame) < 0)
			return -1;
		rd->stack[i] = f->frame;
	}
	return 0;
}

static int
find_ctx(struct dhat *rd, uint32_t *ctx)
{
	const struct text key = { (const char *)rd->stack, rd->nstack * sizeof *rd->stack };
	const uint64_t hash = rd->nstack ? cache_hash(key) : 0;

	*ctx = NO_ID;
	if (!rd->nstack || cache_find(&rd->stacks, key, hash, ctx))
		return 0;
	if (valgrind_frames_put(&rd->frames, rd->d, rd->stack, rd->nstack, ctx) < 0)
		return -1;
	cache_add(&rd->stacks, key, hash, *ctx);
	return 0;
}

static int
put_point(struct dhat *rd, const struct point *p)
{
	struct record r = rec_make(REC_SAMPLE);
	uint32_t ctx;
	int i;

	rd->values.n = rd->attrs.n = 0;
	for (i = 0; i < DHAT_EVENTS; i++)
		if (p->has[i])
			values_add(&rd->values, p->number[i]);
	for (; i < DHAT_NUMBERS; i++)
		if (p->has[i]) {
			char tmp[NUM_TEXT];

			attr_add(&rd->attrs, dhat_field[i].description,
			    num_text(tmp, p->number[i]));
		}
	if (find_frames(rd) < 0 || find_ctx(rd, &ctx) < 0)
		return -1;
	r.col[0].n = ctx;
	r.values = buf_as_text(&rd->values);
	if (rd->attrs.n)
		r.attrs = buf_as_text(&rd->attrs);
	return sink_put(rd->d->out, &r);
}

static void
say_dropped(struct dhat *rd, const char *what, uint64_t points)
{
	if (points)
		diag_say(rd->d->diag, DIAG_NOTE, "%s are dropped, of %" PRIu64
		    " program point%s", what, points, points == 1 ? "" : "s");
}

int
dhat_put_points(struct dhat *rd)
{
	struct json_reader j;
	struct point p;
	int ret = 0;

	json_read_begin(&j, rd->points, (size_t)(rd->points_end - rd->points));
	for (json_read_array(&j); ret == 0 && json_read_item(&j); ) {
		read_point(rd, &j, &p);
		if (!settle_point(rd, &j, &p))
			break;
		ret = put_point(rd, &p);
	}
	if (ret == 0 && j.why)
		ret = json_error(rd->d, rd->file, &j);
	buf_free(&j.text);
	if (ret < 0)
		return -1;
	rd->d->at.line = 0;
	say_dropped(rd, "counts of accesses by byte", rd->accesses);
	say_dropped(rd, "numbers that bklt and bkacc do not announce", rd->unannounced);
	return 0;
}
