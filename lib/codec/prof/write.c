/* SPDX-License-Identifier: ISC */
/*
 * Writes the canonical stream: by the table of records, with a fast path for records of a
 * place (`cost`, `call`, `jump`).
 */
#include "prof.h"

#include <stdlib.h>

#include "stream/copy_values.h"
#include "util/mem.h"
#include "util/num.h"
#include "util/scan.h"

struct writer {
	struct sink sink;
	struct encode e;
	struct numbers {
		uint32_t *to;	/* the dictionary's number -> this stream's + 1; NULL: they
				 * are the same for all that were written, 0 to n - 1 */
		size_t cap;
		uint32_t n;
	} ids[DEFS];
	struct dict *declared;	/* tags that have been written */
	uint64_t func, file;	/* those of `place` */
	size_t nplace;
	char place[32];		/* "func TAB file TAB" */
	uint64_t addr;		/* that of addr_text, which has at least three digits, */
	size_t naddr;		/* or 0 */
	char addr_text[24];
	struct buf text;	/* a line of the general path */
};

static int put_general(struct writer *w, const struct record *r);
static int put_plain(struct writer *w, const struct record *r);

static inline bool
has_number(const struct numbers *ids, uint64_t id)
{
	return ids->to ? id < ids->cap && ids->to[id] : id < ids->n;
}

static inline uint32_t
number_of(const struct numbers *ids, uint64_t id)
{
	return ids->to ? ids->to[id] - 1 : (uint32_t)id;
}

/* Gives the next number to a definition that has none. */
static uint32_t
add_number(struct numbers *ids, uint64_t id)
{
	uint32_t i;

	if (!ids->to && id == ids->n)
		return ids->n++;
	if (!ids->to) {
		ids->to = mem_reach(ids->to, &ids->cap, id > ids->n ? id : ids->n,
		    sizeof *ids->to, 0);
		for (i = 0; i < ids->n; i++)
			ids->to[i] = i + 1;
	}
	ids->to = mem_reach(ids->to, &ids->cap, id, sizeof *ids->to, 0);
	ids->to[id] = ++ids->n;
	return ids->n - 1;
}

/*
 * Returns this stream's number of a definition, which is written first if it is new, after
 * its own references: put_general() calls back for that.  A chain of contexts, as long as
 * the stack is deep, is written from its root instead, without recursion.
 */
static uint32_t
number_new(struct writer *w, enum rec_kind kind, uint64_t id)
{
	struct numbers *ids = &w->ids[kind - REC_OBJECT];
	uint64_t *chain = NULL, up = id;
	size_t n = 0, cap = 0;
	struct record r;

	while (up != NO_ID && !has_number(ids, up)) {
		chain = mem_grow(chain, &cap, n + 1, sizeof *chain);
		chain[n++] = up;
		up = kind == REC_CTX ? dict_caller(w->e.dict, (uint32_t)up) : NO_ID;
	}
	while (n) {
		dict_record(w->e.dict, kind, (uint32_t)chain[--n], &r);
		(void)(kind == REC_CTX ? put_plain : put_general)(w, &r);
	}
	free(chain);
	return number_of(ids, id);
}

static inline uint32_t
number(struct writer *w, enum rec_kind kind, uint64_t id)
{
	const struct numbers *ids = &w->ids[kind - REC_OBJECT];

	return __builtin_expect(has_number(ids, id), 1) ? number_of(ids, id) :
	    number_new(w, kind, id);
}

static char *
put_ref(struct writer *w, char *p, enum rec_kind kind, uint64_t id)
{
	if (id == NO_ID)
		*p++ = '-';
	else
		p = num_put_u64(p, number(w, kind, id));
	*p++ = '\t';
	return p;
}

/* Writes a column that is not a string, with its TAB; needs room for FIELD_TEXT or the
 * length of an integer. */
static inline char *
put_column(struct writer *w, char *p, const struct column *c,
    const struct field *f)
{
	*p++ = '\t';
	switch (c->type) {
	case COL_INT:
		if (!f->t.s)
			break;
		memcpy(p, f->t.s, f->t.n);
		return p + f->t.n;
	case COL_LINE:
		return field_put_line(p, f);
	case COL_ADDR:
		return field_put_addr(p, f);
	case COL_ID:
		if (f->n == NO_ID)
			break;
		return num_put_u64(p, f->n);
	default:
		if (f->n == NO_ID)
			break;
		return num_put_u64(p, number(w, col_def(c->type), f->n));
	}
	*p = '-';
	return p + 1;
}

/* Writes the definitions that a record refers to before the record itself. */
static void
define_refs(struct writer *w, const struct record *r)
{
	unsigned i;

	for (i = 0; i < r->def->ncol; i++)
		if (col_is_ref(r->def->col[i].type) && r->col[i].n != NO_ID)
			number(w, col_def(r->def->col[i].type), r->col[i].n);
}

static int
put_general(struct writer *w, const struct record *r)
{
	const struct rec_def *def = r->def;
	struct record numbered;
	struct text rest = r->values, v;
	unsigned i;

	define_refs(w, r);
	if (rec_is_def(def->kind)) {
		struct numbers *ids = &w->ids[def->kind - REC_OBJECT];

		if (has_number(ids, r->col[0].n))
			return 0;
		rec_copy(&numbered, r);
		numbered.col[0].n = add_number(ids, r->col[0].n);
		r = &numbered;
	}
	w->text.n = 0;
	buf_puts(&w->text, def->tag);
	for (i = 0; i < def->ncol; i++) {
		const struct field *f = &r->col[i];
		enum col_type t = def->col[i].type;

		if (t == COL_STR) {
			buf_putc(&w->text, '\t');
			field_escape(&w->text, f->t);
			continue;
		}
		buf_room(&w->text, FIELD_TEXT + (t == COL_INT ? f->t.n : 0));
		w->text.n = (size_t)(put_column(w, w->text.s + w->text.n,
		    &def->col[i], f) - w->text.s);
	}
	while (values_next(&rest, &v)) {
		buf_putc(&w->text, '\t');
		buf_text(&w->text, v);
	}
	if (r->attrs.s) {
		buf_putc(&w->text, '\t');
		buf_text(&w->text, r->attrs);
	}
	buf_putc(&w->text, '\n');
	out_write(w->e.out, w->text.s, w->text.n);
	return w->e.out->error ? out_check(w->e.out) : 0;
}

/* Sets "func TAB file TAB", which stays the same for many lines. */
static void
set_place(struct writer *w, const struct record *r)
{
	char *p = w->place;

	p = put_ref(w, p, REC_FUNC, w->func = r->col[PLACE_FUNC].n);
	p = put_ref(w, p, REC_FILE, w->file = r->col[PLACE_FILE].n);
	w->nplace = (size_t)(p - w->place);
}

static inline void
use_place(struct writer *w, const struct record *r)
{
	if (r->col[PLACE_FUNC].n != w->func || r->col[PLACE_FILE].n != w->file)
		set_place(w, r);
}

static __attribute__((noinline)) char *
put_new_addr(struct writer *w, char *p, const struct field *f)
{
	char *end = field_put_addr(p, f);

	if (f->has == HAS_N && f->n >= 0x100) {
		w->addr = f->n;
		w->naddr = (size_t)(end - p);
		memcpy(w->addr_text, p, w->naddr);
	}
	return end;
}

/* Writes the address of a cost, which often differs from the one before in its last two
 * digits only. */
static inline __attribute__((always_inline)) char *
put_addr(struct writer *w, char *p, const struct field *f)
{
	if (f->has != HAS_N || (f->n ^ w->addr) >= 0x100 || !w->naddr)
		return put_new_addr(w, p, f);
	memcpy(p, w->addr_text, sizeof w->addr_text);
	p += w->naddr;
	p[-2] = "0123456789abcdef"[f->n >> 4 & 15];
	p[-1] = "0123456789abcdef"[f->n & 15];
	return p;
}

static inline __attribute__((always_inline)) char *
put_tail(char *p, const struct record *r)
{
	if (r->values.n) {
		*p++ = '\t';
		p = values_put(p, r->values.s, r->values.n, '\t');
	}
	if (__builtin_expect(r->attrs.s != NULL, 0)) {
		*p++ = '\t';
		memcpy(p, r->attrs.s, r->attrs.n);
		p += r->attrs.n;
	}
	*p++ = '\n';
	return p;
}

/* Begins the line of a record of a place.  Returns where the column `line` goes, with room
 * for n bytes from there on. */
static inline char *
begin_line(struct writer *w, const struct record *r, const char *tag, size_t n)
{
	char *p;

	use_place(w, r);
	p = out_room(w->e.out, 5 + sizeof w->place + n);
	memcpy(p, tag, 5);
	memcpy(p + 5, w->place, sizeof w->place);
	return p + 5 + w->nplace;
}

/* Ends it at p. */
static inline int
end_line(struct writer *w, char *p)
{
	out_upto(w->e.out, p);
	return w->e.out->error ? out_check(w->e.out) : 0;
}

/* Copies the rest of a line as it was read. */
static inline char *
copy_tail(char *p, struct text tail)
{
	memcpy(p, tail.s, tail.n);
	p[tail.n] = '\n';
	return p + tail.n + 1;
}

static inline char *
put_line_and_addr(struct writer *w, char *p, const struct record *r)
{
	p = field_put_line(p, &r->col[PLACE_LINE]);
	*p++ = '\t';
	return put_addr(w, p, &r->col[PLACE_ADDR]);
}

static inline __attribute__((always_inline)) int
put_cost(struct writer *w, const struct record *r)
{
	char *p = begin_line(w, r, "cost\t", 2 * FIELD_TEXT + r->values.n + r->attrs.n +
	    r->tail.n);

	return end_line(w, r->tail.s ? copy_tail(p, r->tail) :
	    put_tail(put_line_and_addr(w, p, r), r));
}

static int
put_call(struct writer *w, const struct record *r)
{
	const uint64_t callee = r->col[CALL_CALLEE].n;
	const struct text count = r->col[CALL_COUNT].t;
	char *p;

	use_place(w, r);
	if (callee != NO_ID)	/* may write its definition, before the line */
		number(w, REC_FUNC, callee);
	p = begin_line(w, r, "call\t", 5 * FIELD_TEXT + count.n + r->values.n +
	    r->attrs.n + r->tail.n);
	p = put_line_and_addr(w, p, r);
	*p++ = '\t';
	p = put_ref(w, p, REC_FUNC, callee);
	if (r->tail.s)
		return end_line(w, copy_tail(p, r->tail));
	p = field_put_line(p, &r->col[CALL_TLINE]);
	*p++ = '\t';
	p = field_put_addr(p, &r->col[CALL_TADDR]);
	p = put_column(w, p, &r->def->col[CALL_COUNT], &r->col[CALL_COUNT]);
	return end_line(w, put_tail(p, r));
}

static int
put_jump(struct writer *w, const struct record *r)
{
	const struct rec_def *def = r->def;
	unsigned i;
	char *p;

	use_place(w, r);
	define_refs(w, r);
	p = begin_line(w, r, "jump\t", def->ncol * FIELD_TEXT +
	    r->col[JUMP_FOLLOWED].t.n + r->col[JUMP_EXECUTED].t.n);
	p = put_line_and_addr(w, p, r);
	for (i = PLACE_ADDR + 1; i < def->ncol; i++)
		p = put_column(w, p, &def->col[i], &r->col[i]);
	return end_line(w, put_tail(p, r));
}

/* Writes contexts and samples, the only records of a profile of stacks, without strings. */
static int
put_plain(struct writer *w, const struct record *r)
{
	const struct rec_def *def = r->def;
	struct field id = r->col[0];
	struct numbers *ids = &w->ids[REC_CTX - REC_OBJECT];
	unsigned i;
	char *p;

	define_refs(w, r);
	if (def->kind == REC_CTX) {
		if (has_number(ids, id.n))
			return 0;
		id.n = add_number(ids, id.n);
	}
	p = out_room(w->e.out, (def->ncol + 1) * FIELD_TEXT + r->values.n + r->attrs.n);
	p = stpcpy(p, def->tag);
	p = put_column(w, p, &def->col[0], &id);
	for (i = 1; i < def->ncol; i++)
		p = put_column(w, p, &def->col[i], &r->col[i]);
	return end_line(w, put_tail(p, r));
}

static int
put_tag(struct writer *w, const struct record *r)
{
	/* Every input that uses it declares it; write it once. */
	if (dict_find_str(w->declared, r->col[0].t) != NO_ID)
		return 0;
	dict_str(w->declared, r->col[0].t);
	return put_general(w, r);
}

static __attribute__((noinline)) int
put_record(struct writer *w, const struct record *r)
{
	switch (rec_kind(r)) {
	case REC_CALL:
		return put_call(w, r);
	case REC_JUMP:
		return put_jump(w, r);
	case REC_CTX: case REC_SAMPLE:
		return put_plain(w, r);
	case REC_TAG:
		return put_tag(w, r);
	default:
		return put_general(w, r);
	}
}

/* Costs are handled first, without the setup that others need. */
static int
prof_put(struct sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	return rec_kind(r) == REC_COST ? put_cost(w, r) : put_record(w, r);
}

static unsigned
prof_takes(const struct sink *s)
{
	(void)s;
	return TAKES_LINES;
}

#define TAG 5		/* bytes of "cost TAB" and "jump TAB" */
#define SLICE 4096	/* bytes of lines that are written at once */
/* A line has 14 bytes or more, and gets at most two places of 32; the last one is followed by
 * what copy_some() adds. */
#define GROWS 6
#define ROOM 128

/* The newlines of some text, found in steps of SCAN bytes, so that finding one need not wait
 * for the one before. */
struct newlines {
	const char *p;
	uint64_t left;		/* of the bytes from p on */
};

static inline const char *
next_newline(struct newlines *l)
{
	const char *lf;

	while (__builtin_expect(!l->left, 0))
		l->left = scan_byte(l->p += SCAN, '\n');
	lf = l->p + __builtin_ctzll(l->left);
	l->left &= l->left - 1;
	return lf;
}

/* Copies n bytes in steps of 32, of which most lines take one, and up to 31 bytes more. */
static inline char *
copy_some(char *to, const char *p, size_t n)
{
	size_t i = 0;

	do {
		memcpy(to + i, p + i, 32);
		i += 32;
	} while (__builtin_expect(i < n, 0));
	return to + n;
}

/* Copies the source of a jump, whose place has `n` bytes, and writes the place before its
 * target; returns the end, with the target at *p. */
static char *
copy_source(char *to, const char **p, const char *place, size_t nplace, size_t n)
{
	const char *target = strchr(strchr(*p, '\t') + 1, '\t') + 1;

	memcpy(to, *p, (size_t)(target - *p));
	to += target - *p;
	memcpy(to, place, nplace);
	*p = target + n;
	return to + nplace;
}

/* Writes lines whose place has `n` bytes with that of this stream, where there is room. */
static char *
put_renumbered(const struct writer *w, char *to, const char *p, const char *end, size_t n)
{
	const size_t nplace = w->nplace;
	struct newlines lines = { p, scan_byte(p, '\n') };
	char place[sizeof w->place];
	const char *lf;
	bool jump;

	memcpy(place, w->place, sizeof place);
	while (p < end) {
		jump = *p == 'j';
		memcpy(to, p, 8);
		memcpy(to + TAG, place, sizeof place);
		to += TAG + nplace;
		p += TAG + n;
		if (__builtin_expect(jump, 0))
			to = copy_source(to, &p, place, nplace, n);
		lf = next_newline(&lines);
		to = copy_some(to, p, (size_t)(lf + 1 - p));
		p = lf + 1;
	}
	return to;
}

/* Returns the end of some of these lines. */
static const char *
slice_end(const char *p, const char *end)
{
	const char *lf;

	if ((size_t)(end - p) <= SLICE)
		return end;
	lf = last_byte(p, '\n', SLICE);
	return (lf ? lf : scan_newline(p + SLICE, end)) + 1;
}

static int
prof_put_lines(struct sink *s, const struct place_lines *l)
{
	struct writer *w = (struct writer *)s;
	const char *p = l->text.s, *end = p + l->text.n, *next;
	char *to;

	use_place(w, l->place);
	if (text_eq(l->as_read, (struct text){ w->place, w->nplace }))
		out_text(w->e.out, l->text);
	else
		for (; p < end; p = next) {
			next = slice_end(p, end);
			to = out_room(w->e.out, (size_t)(next - p) * GROWS + ROOM);
			out_upto(w->e.out, put_renumbered(w, to, p, next, l->as_read.n));
		}
	return w->e.out->error ? out_check(w->e.out) : 0;
}

static void
prof_free(struct sink *s)
{
	struct writer *w = (struct writer *)s;
	size_t i;

	for (i = 0; i < DEFS; i++)
		free(w->ids[i].to);
	dict_free(w->declared);
	buf_free(&w->text);
	free(w);
}

struct sink *
prof_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	w->sink = (struct sink){ .put = prof_put, .free = prof_free,
	    .takes = prof_takes, .put_lines = prof_put_lines };
	w->e = *e;
	w->declared = dict_new();
	w->func = w->file = UINT64_MAX;
	out_set_content(e->out, OUT_ENDS);
	return &w->sink;
}
