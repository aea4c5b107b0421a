/* SPDX-License-Identifier: ISC */
/*
 * Reading Python's profiles.  Only the end shows which functions share a name and a file,
 * and whether callers have times: the whole file is read before anything is put.
 */
#include "pstats.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "codec/gmon/propagate.h"
#include "marshal.h"
#include "stream/sums.h"
#include "util/mem.h"

enum { KEY_FILE, KEY_LINE, KEY_NAME, FUNCTION_KEYS };	/* as the file has them */
enum { CC, NC, TT, CT, NUMBERS };			/* the numbers of a function, or a
							 * caller */

struct reader {
	struct decode *d;
	struct text file;
	struct marshal m;
	struct sums function;	/* FUNCTION_KEYS: NUMBERS */
	bool *has;		/* by function: is it more than a caller? */
	size_t caphas;
	size_t *order;		/* functions, in the order of the file */
	size_t norder, caporder;
	struct sums edge;	/* caller, callee: NUMBERS */
	num (*numbers)[NUMBERS];	/* of callers, for references to them: -1 - n */
	size_t nnumbers, capnumbers;
	struct sums twins;	/* file, name: functions */
	enum { CALLERS_NONE, CALLERS_TIMED, CALLERS_COUNTED } callers;
	uint32_t *func;		/* by function: the number that was put */
	struct buf text;
};

/* Fails with an error at a byte of the file: -1. */
#define FAIL(rd, at, ...) (place((rd), (at)), diag_fail((rd)->d->diag, __VA_ARGS__))

static void
place(struct reader *rd, const char *at)
{
	rd->d->at.line = (uint64_t)(at - rd->file.s);
	rd->d->at.bytes = true;
}

/* ---- values ---- */

/* Reads a value: 0, or -1 with the diag set; a truncated file is an error, unless that is
 * accepted. */
static int
next(struct reader *rd, struct marshal_value *v)
{
	if (marshal_next(&rd->m, v))
		return 0;
	if (!rd->m.cut)
		return FAIL(rd, rd->m.p, "%s", rd->m.wrong);
	place(rd, rd->m.p);
	decode_cut(rd->d, "the file is truncated: %s", rd->m.wrong);
	return -1;
}

static int
next_of(struct reader *rd, enum marshal_kind kind, const char *what,
    struct marshal_value *v)
{
	const char *at = rd->m.p;

	if (next(rd, v) < 0)
		return -1;
	return v->kind == kind ? 0 : FAIL(rd, at, "expected %s", what);
}

static int
next_count(struct reader *rd, num *n)
{
	const char *at = rd->m.p;
	struct marshal_value v;

	if (next_of(rd, MARSHAL_INT, "a number of calls", &v) < 0)
		return -1;
	if (v.n < 0)
		return FAIL(rd, at, "a negative number of calls");
	*n = v.n;
	return 0;
}

/* Reads seconds as nanoseconds. cProfile counts the latter, so that rounding restores them;
 * profile begins with the integer 0. */
static int
next_time(struct reader *rd, num *n)
{
	const char *at = rd->m.p;
	struct marshal_value v;

	if (next(rd, &v) < 0)
		return -1;
	if (v.kind == MARSHAL_INT)
		v.number = (double)v.n;
	else if (v.kind != MARSHAL_FLOAT)
		return FAIL(rd, at, "expected a time");
	v.number *= PSTATS_SECOND;
	if (!(fabs(v.number) < 0x1p63))
		return FAIL(rd, at, "a time that does not fit 64 bits of nanoseconds");
	*n = llrint(v.number);
	return 0;
}

/* Python writes a byte that is not UTF-8 as a lone surrogate, U+DC80 to U+DCFF. */
static uint32_t
string(struct reader *rd, struct text t)
{
	size_t i;

	if (!memchr(t.s, '\xed', t.n))
		return dict_str(rd->d->dict, t);
	rd->text.n = 0;
	for (i = 0; i < t.n; i++) {
		const unsigned char *p = (const unsigned char *)t.s + i;

		if (i + 2 < t.n && p[0] == 0xed && (p[1] == 0xb2 || p[1] == 0xb3) &&
		    (p[2] & 0xc0) == 0x80) {
			buf_putc(&rd->text, (char)((p[1] & 3) << 6 | (p[2] & 0x3f)));
			i += 2;
		} else
			buf_putc(&rd->text, t.s[i]);
	}
	return dict_str(rd->d->dict, buf_as_text(&rd->text));
}

/* ---- functions ---- */

/* Reads the name of a function.  The top level of profile is code, not a name: it gets
 * Python's name for it, without the address. */
static int
next_name(struct reader *rd, uint32_t *name)
{
	const char *at = rd->m.p;
	struct marshal_value v;
	struct buf b = { 0 };

	if (next(rd, &v) < 0)
		return -1;
	if (v.kind == MARSHAL_CODE) {
		buf_puts(&b, "<code object ");
		buf_text(&b, v.text);
		buf_puts(&b, ", file \"");
		buf_text(&b, v.file);
		buf_printf(&b, "\", line %" PRId64 ">", v.n);
		v.text = buf_as_text(&b);
	} else if (v.kind != MARSHAL_TEXT)
		return FAIL(rd, at, "expected a function's name");
	*name = string(rd, v.text);
	buf_free(&b);
	return 0;
}

/* Reads the function of a key, whose first value is v. */
static int
read_key(struct reader *rd, const char *at, const struct marshal_value *v, size_t *row)
{
	struct marshal_value file, line;
	uint64_t key[FUNCTION_KEYS], twins[2];
	size_t before = rd->function.n;
	uint32_t name = NO_ID;

	if (v->kind == MARSHAL_KEPT && v->n >= 0) {
		*row = (size_t)v->n;
		return 0;
	}
	if (v->kind != MARSHAL_TUPLE || v->n != 3)
		return FAIL(rd, at, "expected a function: a file, a line and a name");
	if (next_of(rd, MARSHAL_TEXT, "a file's name", &file) < 0 ||
	    next_of(rd, MARSHAL_INT, "a line", &line) < 0 ||
	    next_name(rd, &name) < 0)
		return -1;
	if (line.n < 0)
		return FAIL(rd, at, "a function at line %" PRId64, line.n);
	key[KEY_FILE] = twins[0] = string(rd, file.text);
	key[KEY_LINE] = (uint64_t)line.n;
	key[KEY_NAME] = twins[1] = name;
	*row = sums_row(&rd->function, key);
	if (*row == before)
		*sums_val(&rd->twins, sums_row(&rd->twins, twins)) += 1;
	rd->has = mem_reach(rd->has, &rd->caphas, *row, sizeof *rd->has, 0);
	marshal_keep(&rd->m, v, (int64_t)*row);
	return 0;
}

/* Reads the numbers of a caller: those of all its calls of the function, or the number of
 * calls alone. */
static int
read_caller(struct reader *rd, num *val)
{
	const char *at = rd->m.p;
	struct marshal_value v;
	bool timed;

	if (next(rd, &v) < 0)
		return -1;
	timed = v.kind != MARSHAL_INT;
	if (rd->callers == (timed ? CALLERS_COUNTED : CALLERS_TIMED))
		return FAIL(rd, at, "callers with times and callers without: profiles of "
		    "cProfile and profile were added up");
	rd->callers = timed ? CALLERS_TIMED : CALLERS_COUNTED;
	if (!timed) {
		val[NC] = v.n;
		return v.n >= 0 ? 0 : FAIL(rd, at, "a negative number of calls");
	}
	if (v.kind == MARSHAL_KEPT && v.n < 0) {
		memcpy(val, rd->numbers[-1 - v.n], sizeof rd->numbers[0]);
		return 0;
	}
	if (v.kind != MARSHAL_TUPLE || v.n != NUMBERS)
		return FAIL(rd, at, "expected the numbers of a caller");
	if (next_count(rd, &val[NC]) < 0 || next_count(rd, &val[CC]) < 0 ||
	    next_time(rd, &val[TT]) < 0 || next_time(rd, &val[CT]) < 0)
		return -1;
	rd->numbers = mem_grow(rd->numbers, &rd->capnumbers, rd->nnumbers + 1,
	    sizeof *rd->numbers);
	memcpy(rd->numbers[rd->nnumbers++], val, sizeof *rd->numbers);
	marshal_keep(&rd->m, &v, -(int64_t)rd->nnumbers);
	return 0;
}

static int
read_callers(struct reader *rd, size_t callee)
{
	struct marshal_value v;
	size_t caller, row;
	const char *at;

	if (next_of(rd, MARSHAL_DICT, "the callers of a function", &v) < 0)
		return -1;
	for (;;) {
		num val[NUMBERS] = { 0 };

		at = rd->m.p;
		if (next(rd, &v) < 0)
			return -1;
		if (v.kind == MARSHAL_END)
			return 0;
		if (read_key(rd, at, &v, &caller) < 0 || read_caller(rd, val) < 0)
			return -1;
		row = sums_row(&rd->edge, (uint64_t[]){ caller, callee });
		if (row + 1 < rd->edge.n)
			return FAIL(rd, at, "a caller that is already listed for the "
			    "function");
		memcpy(sums_val(&rd->edge, row), val, sizeof val);
	}
}

static int
read_function(struct reader *rd, const char *at, const struct marshal_value *key)
{
	struct marshal_value v;
	num val[NUMBERS];
	size_t row;

	if (read_key(rd, at, key, &row) < 0)
		return -1;
	if (rd->has[row])
		return FAIL(rd, at, "a function that is already listed");
	at = rd->m.p;
	if (next(rd, &v) < 0)
		return -1;
	if (v.kind != MARSHAL_TUPLE || v.n != NUMBERS + 1)
		return FAIL(rd, at, "expected the numbers of a function");
	if (next_count(rd, &val[CC]) < 0 || next_count(rd, &val[NC]) < 0 ||
	    next_time(rd, &val[TT]) < 0 || next_time(rd, &val[CT]) < 0)
		return -1;
	rd->has[row] = true;
	rd->order = mem_grow(rd->order, &rd->caporder, rd->norder + 1, sizeof *rd->order);
	rd->order[rd->norder++] = row;
	memcpy(sums_val(&rd->function, row), val, sizeof val);
	return read_callers(rd, row);
}

static int
read_all(struct reader *rd)
{
	struct marshal_value v;
	const char *at;

	if (next_of(rd, MARSHAL_DICT, "a dict", &v) < 0)
		return -1;
	for (;;) {
		at = rd->m.p;
		if (next(rd, &v) < 0)
			return -1;
		if (v.kind == MARSHAL_END)
			break;
		if (read_function(rd, at, &v) < 0)
			return -1;
	}
	return rd->m.p == rd->m.end ? 0 : FAIL(rd, rd->m.p, "%zu bytes after the profile",
	    (size_t)(rd->m.end - rd->m.p));
}

/* ---- records ---- */

static int
put_header(struct reader *rd)
{
	int i;

	if (decode_part(rd->d, "pstats", TEXT("positions=line")) < 0 ||
	    (rd->callers == CALLERS_COUNTED &&
	    meta_put(rd->d->out, PSTATS_CALLERS, TEXT(PSTATS_COUNTS)) < 0))
		return -1;
	for (i = 0; i < PSTATS_EVENTS - (rd->callers == CALLERS_COUNTED); i++) {
		if (DECODE_EVENT(rd->d, (uint64_t)i, .calls = true,
		    .name = text_of(pstats_event[i].name), .unit = text_of(pstats_event[i].unit),
		    .description = text_of(pstats_event[i].description),
		    .attrs = i == PSTATS_TIME && rd->callers == CALLERS_COUNTED ?
		    TEXT("calls=propagated") : text_of(pstats_event[i].attrs)) < 0)
			return -1;
	}
	return 0;
}

/* Puts a function.  If several share a name and a file, the line is the key of each. */
static int
put_function(struct reader *rd, size_t row)
{
	const uint64_t *key = sums_key(&rd->function, row);
	const uint64_t twins[2] = { key[KEY_FILE], key[KEY_NAME] };
	const struct text path = dict_text(rd->d->dict, (uint32_t)key[KEY_FILE]);
	struct func_def f = NO_FUNC;
	char tmp[FIELD_TEXT];
	const struct text line = num_text_u64(tmp, key[KEY_LINE]);

	f.name = (uint32_t)key[KEY_NAME];
	if ((key[KEY_LINE] || !text_is(path, PSTATS_BUILTIN)) &&
	    decode_file(rd->d, path, &f.file) < 0)
		return -1;
	if (*sums_val(&rd->twins, sums_row(&rd->twins, twins)) > 1)
		f.key = dict_str(rd->d->dict, line);
	if (key[KEY_LINE]) {
		rd->text.n = 0;
		attr_add(&rd->text, "start", line);
		f.attrs = dict_str(rd->d->dict, buf_as_text(&rd->text));
	}
	return decode_func(rd->d, &f, &rd->func[row]);
}

static void
set_place(const struct reader *rd, struct record *r, size_t row)
{
	const uint64_t line = sums_key(&rd->function, row)[KEY_LINE];

	r->col[PLACE_FUNC].n = rd->func[row];
	r->col[PLACE_FILE].n = dict_def(rd->d->dict, REC_FUNC, rd->func[row])[FUNC_FILE];
	if (line) {
		r->col[PLACE_LINE].n = line;
		r->col[PLACE_LINE].has = HAS_N;
	}
}

static int
put_cost(struct reader *rd, size_t row)
{
	const num *val = sums_val(&rd->function, row);
	struct record r;

	rec_init(&r, REC_COST);
	set_place(rd, &r, row);
	rd->text.n = 0;
	values_add(&rd->text, val[TT]);
	values_add(&rd->text, val[CT]);
	values_add(&rd->text, val[NC]);
	values_add(&rd->text, val[CC]);
	r.values = buf_as_text(&rd->text);
	return sink_put(rd->d->out, &r);
}

static int
put_call(struct reader *rd, size_t edge)
{
	const uint64_t *key = sums_key(&rd->edge, edge);
	const uint64_t line = sums_key(&rd->function, key[1])[KEY_LINE];
	const num *val = sums_val(&rd->edge, edge);
	char tmp[NUM_TEXT];
	struct record r;

	rec_init(&r, REC_CALL);
	set_place(rd, &r, key[0]);
	r.col[CALL_CALLEE].n = rd->func[key[1]];
	if (line) {
		r.col[CALL_TLINE].n = line;
		r.col[CALL_TLINE].has = HAS_N;
	}
	r.col[CALL_COUNT].t = num_text(tmp, val[NC]);
	rd->text.n = 0;
	values_add(&rd->text, val[CT]);
	if (rd->callers == CALLERS_TIMED) {
		buf_puts(&rd->text, "\t-\t-");
		values_add(&rd->text, val[CC]);
		values_add(&rd->text, val[TT]);
	}
	r.values = buf_as_text(&rd->text);
	return sink_put(rd->d->out, &r);
}

/* Estimates times of callers that have none, as gprof does: by the number of calls. */
static int
estimate_times(struct reader *rd)
{
	const size_t n = rd->edge.n;
	struct node_arc *arc = mem_alloc(n + 1, sizeof *arc);
	num *self = mem_alloc(rd->function.n + 1, sizeof *self);
	bool negative = false;
	size_t i;
	int ret;

	for (i = 0; i < rd->function.n; i++) {
		self[i] = sums_val(&rd->function, i)[TT];
		negative |= self[i] < 0;
		self[i] = self[i] < 0 ? 0 : self[i];
	}
	if (negative)	/* profile subtracts its own estimated cost */
		diag_say(rd->d->diag, DIAG_WARN, "negative times count as 0 in the times "
		    "of callers");
	for (i = 0; i < n; i++) {
		arc[i].from = (uint32_t)sums_key(&rd->edge, i)[0];
		arc[i].to = (uint32_t)sums_key(&rd->edge, i)[1];
		arc[i].count = (uint64_t)sums_val(&rd->edge, i)[NC];
	}
	ret = propagate(self, rd->function.n, arc, n);
	for (i = 0; i < n; i++)
		sums_val(&rd->edge, i)[CT] = arc[i].cost;
	free(arc);
	free(self);
	return ret == 0 ? 0 : diag_too_large(rd->d->diag, "a time");
}

static int
put_all(struct reader *rd)
{
	size_t i;

	if ((rd->callers == CALLERS_COUNTED && estimate_times(rd) < 0) ||
	    put_header(rd) < 0)
		return -1;
	rd->func = mem_alloc(rd->function.n + 1, sizeof *rd->func);
	for (i = 0; i < rd->norder; i++)
		if (put_function(rd, rd->order[i]) < 0)
			return -1;
	for (i = 0; i < rd->function.n; i++)
		if (!rd->has[i] && put_function(rd, i) < 0)
			return -1;
	for (i = 0; i < rd->norder; i++)
		if (put_cost(rd, rd->order[i]) < 0)
			return -1;
	for (i = 0; i < rd->edge.n; i++)
		if (put_call(rd, i) < 0)
			return -1;
	return 0;
}

int
pstats_decode(struct decode *d)
{
	struct reader rd = { .d = d };
	int ret = -1;

	sums_init(&rd.function, FUNCTION_KEYS, NUMBERS);
	sums_init(&rd.edge, 2, NUMBERS);
	sums_init(&rd.twins, 2, 1);
	if (in_all(d->in, &rd.file.s, &rd.file.n) == 0) {
		rd.m = (struct marshal){ .p = rd.file.s, .end = rd.file.s + rd.file.n };
		if (read_all(&rd) == 0 || (d->cut && d->lenient))
			ret = put_all(&rd);
	}
	marshal_free(&rd.m);
	sums_free(&rd.function);
	sums_free(&rd.edge);
	sums_free(&rd.twins);
	free(rd.has);
	free(rd.func);
	free(rd.order);
	free(rd.numbers);
	buf_free(&rd.text);
	return ret;
}
