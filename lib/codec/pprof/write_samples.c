/* SPDX-License-Identifier: ISC */
/* Samples of a pprof profile, whose stacks are numbers of locations. */
#include "writer.h"

#include "util/mem.h"
#include "util/num.h"

/* ---- locations ---- */

static uint32_t
row_of(struct sums *t, const uint64_t *key)
{
	return (uint32_t)sums_row(t, key);
}

static bool
is_inlined(struct writer *w, uint32_t attrs)
{
	struct text v;

	w->scratch.n = 0;
	v = attr_get(dict_text(w->e.dict, attrs), "inlined", &w->scratch);
	return text_is(v, "1");
}

/* Finds the location that ends with this frame and begins with `prefix`. */
static void
locate(struct writer *w, uint32_t ctx, uint64_t prefix)
{
	const uint32_t *cols = dict_frame(w->e.dict, ctx);
	const uint32_t caller = dict_caller(w->e.dict, ctx);
	uint64_t key[LOC_KEYS] = { prefix };
	unsigned i;

	for (i = LOC_FUNC; i < LOC_KEYS; i++)
		key[i] = cols[CTX_FUNC + i - LOC_FUNC];
	w->of_ctx[ctx].location = row_of(&w->locations, key) + 1;
	w->of_ctx[ctx].caller = prefix == NO_ID ? caller :
	    w->of_ctx[caller].caller;
}

/* Returns the location whose innermost frame a context is.  Any number of frames may have
 * been inlined into the outer one; those that are not known yet are located from there
 * on. */
static uint32_t
location_of(struct writer *w, uint32_t ctx)
{
	uint32_t at;
	size_t n = 0;

	w->of_ctx = mem_reach(w->of_ctx, &w->capof_ctx, ctx, sizeof *w->of_ctx, 0);
	for (at = ctx; !w->of_ctx[at].location; n++) {
		const uint32_t *cols = dict_frame(w->e.dict, at);

		w->chain = mem_grow(w->chain, &w->capchain, n + 1, sizeof *w->chain);
		w->chain[n] = at;
		at = dict_caller(w->e.dict, at);
		if (at == NO_ID || !is_inlined(w, cols[CTX_ATTRS])) {
			locate(w, w->chain[n], NO_ID);
			at = w->chain[n];
			break;
		}
	}
	while (n-- > 0)
		if (w->chain[n] != at) {
			locate(w, w->chain[n], w->of_ctx[at].location - 1);
			at = w->chain[n];
		}
	return w->of_ctx[ctx].location - 1;
}

/* Returns a location's number in the file, from 1. */
static uint64_t
use_location(struct writer *w, uint32_t row)
{
	w->number = mem_reach(w->number, &w->capnumber, row, sizeof *w->number, 0);
	if (!w->number[row])
		w->number[row] = ++w->nlocation;
	return w->number[row];
}

/* Adds the numbers of a stack's locations, leaf first. */
static void
add_stack(struct writer *w, struct buf *b, uint32_t ctx)
{
	for (; ctx != NO_ID; ctx = w->of_ctx[ctx].caller)
		pb_put_varint(b, use_location(w, location_of(w, ctx)));
}

/* ---- samples ---- */

static int
add_values(struct writer *w, struct buf *b, struct text values)
{
	const struct events *e = &w->parts.part.events;
	struct text v;
	size_t i;
	num n;

	for (i = 0; i < e->measured && values_next(&values, &v); i++) {
		n = 0;
		if (text_is(v, "-"))
			loss_add(w->e.loss, "absent values (written as 0)");
		else if (num_get_num(v.s, v.n, &n) < 0)
			return encode_fail(&w->e, "%s does not fit 64 bits", QUOTE(v));
		if (n > INT64_MAX / (num)w->value[i].factor ||
		    n < INT64_MIN / (num)w->value[i].factor)
			return encode_fail(&w->e, "a value of event %s does not fit 64 "
			    "bits", QUOTE(events_at(e, i)->col[EVENT_NAME].t));
		w->value[i].sum += n;	/* 2^64 samples would be needed to overflow */
		pb_put_varint(b, (uint64_t)(int64_t)(n * (num)w->value[i].factor));
	}
	/* The others are 0: a byte each. */
	memset(buf_room(b, e->measured - i), 0, e->measured - i);
	b->n += e->measured - i;
	return 0;
}

static void
add_label(struct writer *w, struct text key, struct text value)
{
	uint64_t n;
	size_t at;

	w->part.n = 0;
	pb_put(&w->part, LABEL_KEY, pprof_string_of(w, key));
	if (w->nunit && name_index_find(&w->numlabels, key, &at) && pprof_get_int(value, &n)) {
		pb_put(&w->part, LABEL_NUM, n);
		pb_put(&w->part, LABEL_NUM_UNIT, w->unit[at]);
	} else {
		pb_put(&w->part, LABEL_STR, pprof_string_of(w, value));
	}
	pb_put_bytes(&w->message, SAMPLE_LABEL, buf_as_text(&w->part));
}

static int
finish_sample(struct writer *w, const struct record *r)
{
	struct text rest = r->attrs, key, value;
	struct buf scratch = { 0 };

	w->part.n = 0;
	if (add_values(w, &w->part, r->values) < 0)
		return -1;
	pb_put_bytes(&w->message, SAMPLE_VALUE, buf_as_text(&w->part));
	for (; rest.n && attr_next(&rest, &scratch, &key, &value); scratch.n = 0)
		add_label(w, key, value);
	buf_free(&scratch);
	pprof_put_message(w, PROFILE_SAMPLE, &w->message);
	return 0;
}

int
pprof_put_sample(struct writer *w, const struct record *r)
{
	w->message.n = w->part.n = 0;
	if (r->col[0].n != NO_ID)
		add_stack(w, &w->part, (uint32_t)r->col[0].n);
	if (w->part.n)
		pb_put_bytes(&w->message, SAMPLE_LOCATION, buf_as_text(&w->part));
	return finish_sample(w, r);
}

static uint64_t
str_of_field(struct writer *w, const struct field *f, bool addr)
{
	char tmp[FIELD_TEXT];

	if (!f->has)
		return NO_ID;
	return dict_str(w->e.dict, (struct text){ tmp, (size_t)((addr ?
	    field_put_addr(tmp, f) : field_put_line(tmp, f)) - tmp) });
}

/* A cost is a stack of one frame. */
int
pprof_put_cost(struct writer *w, const struct record *r)
{
	const uint64_t key[LOC_KEYS] = { NO_ID, r->col[PLACE_FUNC].n, r->col[PLACE_FILE].n,
	    str_of_field(w, &r->col[PLACE_LINE], false),
	    str_of_field(w, &r->col[PLACE_ADDR], true), NO_ID };

	loss_add(w->e.loss, "which costs are of no stack (written as stacks of one frame)");
	w->message.n = w->part.n = 0;
	if (r->col[PLACE_FUNC].n != NO_ID || r->col[PLACE_ADDR].has) {
		pb_put_varint(&w->part, use_location(w, row_of(&w->locations, key)));
		pb_put_bytes(&w->message, SAMPLE_LOCATION, buf_as_text(&w->part));
	}
	return finish_sample(w, r);
}
