/* SPDX-License-Identifier: ISC */
/*
 * Writing Python's profiles.  Profiles read from this format are written back unchanged, or
 * summed if there are several parts.  For others, calls are those of the call graph, and
 * cumulative times are inclusive costs.
 */
#include "pstats.h"

#include <math.h>
#include <stdlib.h>

#include "codec/units.h"
#include "graph/apportion.h"
#include "graph/graph.h"
#include "stream/loss.h"
#include "stream/part.h"
#include "util/mem.h"
#include "util/printable.h"

enum { KEY_FILE, KEY_LINE, KEY_NAME, FUNCTION_KEYS };
enum { NO_FILE = NO_ID };

struct writer {
	struct part_sink parts;
	struct encode e;
	bool counted;		/* callers have counts, but no times */
	long column[PSTATS_EVENTS];	/* in the profile; -1: it has no such event */
	double second;		/* values of the time per second */
	struct sums function;	/* FUNCTION_KEYS: PSTATS_EVENTS */
	uint32_t *row;		/* by number of a function: its row + 1 */
	size_t caprow;
	bool *has;		/* by function's number: its row + 1 */
	size_t caphas;
	struct sums edge;	/* EDGE_KEYS: the count, PSTATS_EVENTS */
	num *val;		/* of the current record */
	size_t capval;
	struct buf out;
};

/* ---- the profile's events ---- */

/* Returns how many values of an event are a second; 0 if it is not a time. */
static double
second_of(const struct record *event)
{
	const uint64_t ns = unit_nanoseconds(event->col[EVENT_UNIT].t);

	return ns ? 1e9 / (double)ns * (double)event_scale(event) : 0;
}

/* Finds the time in a profile that is not Python's: the first event that is a time,
 * otherwise the first event.  -1: there is none. */
static long
find_time(const struct events *e)
{
	size_t i;

	for (i = 0; i < e->measured; i++)
		if (second_of(events_at(e, i)))
			return (long)i;
	return e->measured ? 0 : -1;
}

static void
look_at_events(struct writer *w, const struct events *e)
{
	const struct record *time;
	size_t i, k, used = 0;

	for (i = 0; i < PSTATS_EVENTS; i++)
		w->column[i] = events_find(e, text_of(pstats_event[i].name));
	/* Without the time the other events are useless. */
	if (w->column[PSTATS_TIME] < 0)
		for (i = 0; i < PSTATS_EVENTS; i++)
			w->column[i] = i == PSTATS_TIME ? find_time(e) : -1;
	if (w->column[PSTATS_TIME] < 0)
		return;
	for (i = 0; i < PSTATS_EVENTS; i++)
		used += w->column[i] >= 0;
	for (k = used; k < e->measured; k++)
		loss_add(w->e.loss, "further events");
	for (k = 0; k < e->n; k++)
		if (!e->v[k].measured)
			loss_add(w->e.loss, "derived events");
	time = events_at(e, (size_t)w->column[PSTATS_TIME]);
	w->counted |= event_calls(time, "propagated");
	w->second = second_of(time);
	if (!w->second) {
		w->second = PSTATS_SECOND * (double)event_scale(time);
		loss_add(w->e.loss, "units of events (1 is written as a nanosecond)");
	} else if (!text_is(time->col[EVENT_UNIT].t, "ns")) {
		loss_add(w->e.loss, "units of events (they become ns)");
	}
	if (!text_is(time->col[EVENT_NAME].t, "time"))
		loss_add(w->e.loss, "names of events");
}

/* ---- functions ---- */

static void
lose_function(struct writer *w, const uint32_t *def, struct text line)
{
	struct text attrs = dict_text(w->e.dict, def[FUNC_ATTRS]);
	struct text key = dict_text(w->e.dict, def[FUNC_KEY]);
	struct buf b = { 0 };

	if (def[FUNC_OBJECT] != NO_ID)
		loss_add(w->e.loss, "objects of functions");
	if (key.s && !text_eq(key, line))
		loss_add(w->e.loss, "keys of functions");
	if (attrs.s)
		attr_add_others(&b, attrs, "start");
	if (b.n)
		loss_add(w->e.loss, "attributes of functions");
	buf_free(&b);
}

/* Returns the row of a function: the name, the file and the line where it starts. */
static size_t
row_of(struct writer *w, uint64_t func)
{
	const uint32_t *def = dict_def(w->e.dict, REC_FUNC, (uint32_t)func);
	struct buf scratch = { 0 };
	struct text line = { 0 };
	uint64_t key[FUNCTION_KEYS], n = 0;
	struct field start = { 0 };
	size_t i = func == NO_ID ? 0 : (size_t)func + 1;

	w->row = mem_reach(w->row, &w->caprow, i, sizeof *w->row, 0);
	if (w->row[i])
		return w->row[i] - 1;
	if (def[FUNC_ATTRS] != NO_ID)
		line = attr_get(dict_text(w->e.dict, def[FUNC_ATTRS]), "start", &scratch);
	if (line.s && field_get_line(line, &start))
		n = start.n;
	key[KEY_FILE] = def[FUNC_FILE] == NO_ID ? NO_FILE :
	    dict_def(w->e.dict, REC_FILE, def[FUNC_FILE])[FILE_PATH];
	if (!n && text_is(dict_text(w->e.dict, (uint32_t)key[KEY_FILE]), PSTATS_BUILTIN))
		key[KEY_FILE] = NO_FILE;
	key[KEY_LINE] = n;
	key[KEY_NAME] = def[FUNC_NAME] != NO_ID ? def[FUNC_NAME] :
	    dict_str(w->e.dict, TEXT("[unknown]"));
	lose_function(w, def, line);
	buf_free(&scratch);
	w->row[i] = (uint32_t)sums_row(&w->function, key) + 1;
	return w->row[i] - 1;
}

/* ---- records ---- */

/* Sets w->val to the values of the record by event; those that the profile lacks are 0. */
static int
take_values(struct writer *w, const struct record *r)
{
	struct text rest = r->values, v;
	size_t i, k;

	w->val = mem_grow(w->val, &w->capval, PSTATS_EVENTS, sizeof *w->val);
	memset(w->val, 0, PSTATS_EVENTS * sizeof *w->val);
	for (i = 0; values_next(&rest, &v); i++)
		for (k = 0; k < PSTATS_EVENTS; k++)
			if (w->column[k] == (long)i && !text_is(v, "-") &&
			    num_get_num(v.s, v.n, &w->val[k]) < 0)
				return encode_too_large(&w->e, "a value");
	return 0;
}

static int
add_values(struct writer *w, num *sum)
{
	size_t k;

	for (k = 0; k < PSTATS_EVENTS; k++)
		if (num_add(&sum[k], w->val[k]) < 0)
			return encode_too_large(&w->e, "a sum");
	return 0;
}

/* Reports the place as dropped, unless it is the line where its function starts. */
static void
lose_place(struct writer *w, const struct record *r, size_t row)
{
	const uint64_t line = sums_key(&w->function, row)[KEY_LINE];

	if ((r->col[PLACE_LINE].has && (r->col[PLACE_LINE].n != line ||
	    r->col[PLACE_LINE].has != HAS_N)) || r->col[PLACE_ADDR].has)
		loss_add(w->e.loss, "lines, addresses and counters");
	if (r->attrs.s)
		loss_add(w->e.loss, "attributes of records");
}

static int
put_cost(struct writer *w, const struct record *r)
{
	const size_t row = row_of(w, r->col[PLACE_FUNC].n);

	if (take_values(w, r) < 0)
		return -1;
	lose_place(w, r, row);
	w->has = mem_reach(w->has, &w->caphas, row, sizeof *w->has, 0);
	w->has[row] = true;
	return add_values(w, sums_val(&w->function, row));
}

static int
put_call(struct writer *w, const struct record *r)
{
	const size_t from = row_of(w, r->col[PLACE_FUNC].n);
	const size_t to = row_of(w, r->col[CALL_CALLEE].n);
	const struct text t = r->col[CALL_COUNT].t;
	size_t row;
	num count = 0;

	if (take_values(w, r) < 0)
		return -1;
	lose_place(w, r, from);
	if (!t.s)
		loss_add(w->e.loss, "absent counts (written as 0)");
	else if (num_get_num(t.s, t.n, &count) < 0)
		return encode_too_large(&w->e, "a count");
	row = sums_row(&w->edge, (uint64_t[]){ from, from, to });
	if (num_add(sums_val(&w->edge, row), count) < 0)
		return encode_too_large(&w->e, "a sum");
	return add_values(w, sums_val(&w->edge, row) + 1);
}

/* ---- computed numbers ---- */

/* Counts calls by the callers; functions without callers have none. */
static int
count_calls(struct writer *w)
{
	size_t i;

	for (i = 0; i < w->edge.n && w->column[PSTATS_CALLS] < 0; i++) {
		num *to = sums_val(&w->function, (size_t)sums_key(&w->edge, i)[EDGE_TO]);
		num *val = sums_val(&w->edge, i);

		if (num_add(&to[PSTATS_CALLS], val[0]) < 0)
			return encode_too_large(&w->e, "a sum");
	}
	for (i = 0; i < w->function.n && w->column[PSTATS_PRIMITIVE] < 0; i++)
		sums_val(&w->function, i)[PSTATS_PRIMITIVE] =
		    sums_val(&w->function, i)[PSTATS_CALLS];
	for (i = 0; i < w->edge.n && w->column[PSTATS_PRIMITIVE] < 0; i++)
		sums_val(&w->edge, i)[1 + PSTATS_PRIMITIVE] = sums_val(&w->edge, i)[0];
	return 0;
}

/* Computes inclusive costs, as in all tools. */
static int
sum_calls(struct writer *w)
{
	const size_t n = w->function.n;
	const struct graph_calls calls = { .edges = &w->edge };
	bool propagated[PSTATS_EVENTS] = { [PSTATS_TIME] = w->counted };
	bool only[PSTATS_EVENTS] = { [PSTATS_TIME] = true };
	struct graph g = { .rows = &w->function, .calls = &calls, .ncalls = 1,
	    .averages = true, .propagated = propagated, .only = only };
	num *incl, *into;
	unsigned char *flags;
	size_t i;
	int ret;

	if (w->column[PSTATS_CUMULATIVE] >= 0)
		return 0;
	incl = mem_alloc(n * PSTATS_EVENTS + 1, sizeof *incl);
	into = mem_alloc(n + 1, sizeof *into);
	flags = mem_alloc(n + 1, 1);
	ret = graph_inclusive(&g, incl, into, flags);
	for (i = 0; i < n && ret == 0; i++) {
		sums_val(&w->function, i)[PSTATS_CUMULATIVE] = incl[i * PSTATS_EVENTS];
		if (flags[i] & GRAPH_CYCLE)
			loss_add(w->e.loss, "cumulative costs of recursive functions "
			    "(lower bounds)");
	}
	free(incl);
	free(into);
	free(flags);
	return ret == 0 ? 0 : encode_too_large(&w->e, "a sum");
}

/* Returns the edges grouped by callee. */
static size_t *
edges_by_callee(const struct writer *w, size_t **first)
{
	size_t *order = mem_alloc(w->edge.n + 1, sizeof *order), i;
	size_t *at = mem_alloc(w->function.n + 2, sizeof *at);

	for (i = 0; i < w->edge.n; i++)
		at[sums_key(&w->edge, i)[EDGE_TO] + 2]++;
	for (i = 2; i < w->function.n + 2; i++)
		at[i] += at[i - 1];
	for (i = 0; i < w->edge.n; i++)
		order[at[sums_key(&w->edge, i)[EDGE_TO] + 1]++] = i;
	*first = at;
	return order;
}

/* Sets the weights that divide a function's self cost: the calls by each caller or, if they
 * are not counted, as in stacks, their inclusive costs.  Returns their sum; 0: it cannot be
 * divided. */
static num
set_weights(const struct writer *w, const size_t *edge, size_t n, num *weight)
{
	size_t which, k;
	num sum = 0;

	for (which = 0; which <= 1 + PSTATS_TIME && !sum; which++)
		for (k = 0, sum = 0; k < n; k++) {
			weight[k] = sums_val(&w->edge, edge[k])[which];
			if (weight[k] < 0 || num_add(&sum, weight[k]) < 0)
				return 0;
		}
	return sum;
}

/* Divides self costs among callers; only Python's profilers measure that. */
static void
share_self(struct writer *w, const size_t *order, const size_t *first)
{
	struct apportion a = { 0 };
	num *weight = mem_alloc(w->edge.n + 1, sizeof *weight);
	num *part = mem_alloc(w->edge.n + 1, sizeof *part);
	size_t i, k, n;

	for (i = 0; i < w->function.n; i++) {
		const num self = sums_val(&w->function, i)[PSTATS_TIME];
		const size_t *edge = order + first[i];
		num sum;

		n = first[i + 1] - first[i];
		if (!self || !(sum = set_weights(w, edge, n, weight)))
			continue;
		apportion(&a, self, weight, sum, n, part);
		for (k = 0; k < n; k++)
			sums_val(&w->edge, edge[k])[1 + PSTATS_CALLEE] = part[k];
		if (n > 1)
			loss_add(w->e.loss, "self costs by caller (distributed)");
	}
	apportion_free(&a);
	free(weight);
	free(part);
}

/* ---- marshal ---- */

static void
put_number(struct buf *b, uint64_t n, unsigned bytes)
{
	for (; bytes; bytes--, n >>= 8)
		buf_putc(b, (char)(n & 0xff));
}

/* Writes an integer as Python does: 32 bits, or digits of 15. */
static int
put_int(struct writer *w, num n)
{
	const size_t at = w->out.n + 1;
	unsigned digits = 0;
	uint64_t v;

	if (n < 0 || n > INT64_MAX)
		return encode_fail(&w->e, "a number of calls is negative or does not fit "
		    "63 bits");
	if (n <= INT32_MAX) {
		buf_putc(&w->out, 'i');
		put_number(&w->out, (uint64_t)n, 4);
		return 0;
	}
	buf_putc(&w->out, 'l');
	put_number(&w->out, 0, 4);
	for (v = (uint64_t)n; v; v >>= 15, digits++)
		put_number(&w->out, v & 0x7fff, 2);
	w->out.s[at] = (char)digits;
	return 0;
}

/* Writes a time, within the range that the reader accepts. */
static int
put_time(struct writer *w, num n)
{
	const double seconds = (double)n / w->second;
	uint64_t bits;

	if (!(fabs(seconds * PSTATS_SECOND) < 0x1p63))
		return encode_fail(&w->e, "a time does not fit 64 bits of nanoseconds");
	if (n > (num)1 << 53 || n < -((num)1 << 53))
		loss_add(w->e.loss, "costs beyond 2^53 (rounded)");
	memcpy(&bits, &seconds, sizeof bits);
	buf_putc(&w->out, 'g');
	put_number(&w->out, bits, 8);
	return 0;
}

/* Writes a string; bytes that are not UTF-8 become lone surrogates, as in Python's file
 * names. */
static void
put_string(struct writer *w, struct text t)
{
	const size_t at = w->out.n + 1;
	size_t i, n;

	buf_putc(&w->out, 'u');
	put_number(&w->out, 0, 4);
	for (i = 0; i < t.n; i += n) {
		const unsigned char *p = (const unsigned char *)t.s + i;

		if ((n = printable_utf8(p, t.n - i))) {
			buf_add(&w->out, p, n);
			continue;
		}
		n = 1;
		buf_putc(&w->out, (char)0xed);
		buf_putc(&w->out, (char)(0xb0 | *p >> 6));
		buf_putc(&w->out, (char)(0x80 | (*p & 0x3f)));
	}
	for (i = 0, n = w->out.n - at - 4; i < 4; i++, n >>= 8)
		w->out.s[at + i] = (char)(n & 0xff);
}

static int
put_key(struct writer *w, size_t row)
{
	const uint64_t *key = sums_key(&w->function, row);

	buf_add(&w->out, ")\3", 2);
	put_string(w, key[KEY_FILE] == NO_FILE ? TEXT(PSTATS_BUILTIN) :
	    dict_text(w->e.dict, (uint32_t)key[KEY_FILE]));
	if (key[KEY_LINE] > INT32_MAX)
		return encode_fail(&w->e, "a line does not fit 31 bits");
	put_int(w, (num)key[KEY_LINE]);
	put_string(w, dict_text(w->e.dict, (uint32_t)key[KEY_NAME]));
	return 0;
}

static int
put_caller(struct writer *w, size_t edge)
{
	const num *val = sums_val(&w->edge, edge);

	if (put_key(w, (size_t)sums_key(&w->edge, edge)[EDGE_FROM]) < 0)
		return -1;
	if (w->counted)
		return put_int(w, val[0]);
	buf_add(&w->out, ")\4", 2);
	return put_int(w, val[0]) < 0 || put_int(w, val[1 + PSTATS_PRIMITIVE]) < 0 ||
	    put_time(w, val[1 + PSTATS_CALLEE]) < 0 ||
	    put_time(w, val[1 + PSTATS_TIME]) < 0 ? -1 : 0;
}

static int
put_function(struct writer *w, size_t row, const size_t *edge, size_t n)
{
	const num *val = sums_val(&w->function, row);
	size_t i;

	if (put_key(w, row) < 0)
		return -1;
	buf_add(&w->out, ")\5", 2);
	if (put_int(w, val[PSTATS_PRIMITIVE]) < 0 || put_int(w, val[PSTATS_CALLS]) < 0 ||
	    put_time(w, val[PSTATS_TIME]) < 0 || put_time(w, val[PSTATS_CUMULATIVE]) < 0)
		return -1;
	buf_putc(&w->out, '{');
	for (i = 0; i < n; i++)
		if (put_caller(w, edge[i]) < 0)
			return -1;
	buf_putc(&w->out, '0');
	out_write(w->e.out, w->out.s, w->out.n);
	w->out.n = 0;
	return 0;
}

/* In Python's own profiles, callers need not be functions. */
static bool
is_caller_only(const struct writer *w, size_t row, size_t callers)
{
	return w->column[PSTATS_CUMULATIVE] >= 0 && !callers &&
	    (row >= w->caphas || !w->has[row]);
}

static int
put_all(struct part_sink *s)
{
	struct writer *w = (struct writer *)s;
	size_t *first, *order, i, n;
	int ret = 0;

	if (count_calls(w) < 0 || sum_calls(w) < 0)
		return -1;
	order = edges_by_callee(w, &first);
	if (!w->counted && w->column[PSTATS_CALLEE] < 0)
		share_self(w, order, first);
	out_write(w->e.out, "{", 1);
	for (i = 0; i < w->function.n && ret == 0; i++) {
		n = first[i + 1] - first[i];
		if (!is_caller_only(w, i, n))
			ret = put_function(w, i, order + first[i], n);
	}
	out_write(w->e.out, "0", 1);
	free(order);
	free(first);
	return ret;
}

/* ---- the sink ---- */

static int
begin_body(struct part_sink *s, const struct part *p)
{
	struct writer *w = (struct writer *)s;
	struct buf scratch = { 0 };

	w->counted = text_is(metadata_value(&p->metadata, PSTATS_CALLERS, &scratch),
	    PSTATS_COUNTS);
	buf_free(&scratch);
	look_at_events(w, &p->events);
	return 0;
}

static int
put_meta(struct part_sink *s, const struct part *p, const struct record *r)
{
	(void)p;
	if (!meta_is(r, "format") && !meta_is(r, PSTATS_CALLERS))
		loss_record(((struct writer *)s)->e.loss, r);
	return 0;
}

static int
put_total(struct part_sink *s, const struct record *r)
{
	loss_record(((struct writer *)s)->e.loss, r);
	return 0;
}

static int
put_record(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	return rec_kind(r) == REC_COST ? put_cost(w, r) :
	    rec_kind(r) == REC_CALL ? put_call(w, r) : 0;
}

static void
free_writer(struct part_sink *s)
{
	struct writer *w = (struct writer *)s;

	sums_free(&w->function);
	sums_free(&w->edge);
	free(w->row);
	free(w->has);
	free(w->val);
	buf_free(&w->out);
}

static const struct part_methods methods = {
	.meta = put_meta, .total = put_total, .body = begin_body, .put = put_record,
	.finish = put_all, .free = free_writer,
};

struct sink *
pstats_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);
	size_t i;

	part_sink_init(&w->parts, &methods, e->diag, e->out);
	w->e = *e;
	w->second = 1;
	for (i = 0; i < PSTATS_EVENTS; i++)
		w->column[i] = -1;
	sums_init(&w->function, FUNCTION_KEYS, PSTATS_EVENTS);
	sums_init(&w->edge, EDGE_KEYS, 1 + PSTATS_EVENTS);
	out_set_content(e->out, OUT_BINARY);
	return &w->parts.sink;
}
