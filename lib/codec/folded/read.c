/* SPDX-License-Identifier: ISC */
/*
 * Reading folded stacks.  Lines are mostly sorted, so that a new stack shares
 * its first frames with the new one before: these are not looked up again.  A
 * stack that was there already is found by its text as a whole.
 */
#include "folded.h"

#include <stdio.h>
#include <stdlib.h>

#include "mem.h"
#include "num.h"

#define KEPT_MOST (64 << 20)	/* bytes of text that is kept */

/* What is known by its text, and the number of its definition. */
struct kept {
	uint64_t hash;
	size_t at;		/* its text in known.text */
	uint32_t n, id;		/* n 0: a free slot */
};

struct known {
	struct kept *v;		/* open-addressed, half full at most */
	size_t n, size;
	struct buf text;
};

struct reader {
	struct decode *d;
	unsigned counts;
	struct known stacks, names;	/* contexts, functions */
	struct buf last;	/* the new stack before, */
	struct frame { size_t end; uint32_t ctx; } *frame;	/* and its frames */
	size_t nframe, capframe;
	struct buf values;
};

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)
#define QUOTE(p, end) diag_quote((p), (size_t)((end) - (p)))

static int
put_event(struct reader *rd, unsigned i)
{
	static const char *const role[] = { "role=old\tof=samples", "role=new\tof=samples" };
	struct record r = rec_make(REC_EVENT);
	char name[32] = "samples";
	struct buf b = { 0 };
	int ret;

	if (rd->counts > 1)
		snprintf(name, sizeof name, "samples.%s", i == 0 ? "old" : "new");
	r.col[EVENT_ID].n = i;
	r.col[EVENT_NAME].t = text_of(name);
	buf_puts(&b, "calls=absent");
	if (rd->counts == 2) {
		buf_putc(&b, '\t');
		buf_puts(&b, role[i]);
	}
	r.attrs = buf_as_text(&b);
	ret = sink_put(rd->d->out, &r);
	buf_free(&b);
	return ret;
}

static int
begin_part(struct reader *rd)
{
	unsigned i;

	if (decode_part(rd->d, "folded", (struct text){ 0 }) < 0)
		return -1;
	for (i = 0; i < rd->counts; i++)
		if (put_event(rd, i) < 0)
			return -1;
	return 0;
}

/* ---- what was there ---- */

static uint64_t
hash_text(const char *p, size_t n)
{
	uint64_t h[2] = { n, ~n }, w[2];

	for (; n >= sizeof w; p += sizeof w, n -= sizeof w) {
		memcpy(w, p, sizeof w);
		h[0] = (h[0] ^ w[0]) * 0x9e3779b97f4a7c15;
		h[1] = (h[1] ^ w[1]) * 0xc2b2ae3d27d4eb4f;
		h[0] ^= h[0] >> 32;
		h[1] ^= h[1] >> 29;
	}
	memset(w, 0, sizeof w);
	memcpy(w, p, n);
	h[0] = (h[0] ^ w[0]) * 0x9e3779b97f4a7c15;
	h[0] = (h[0] ^ h[0] >> 32 ^ h[1] ^ w[1]) * 0xc2b2ae3d27d4eb4f;
	return h[0] ^ h[0] >> 32;
}

/* NULL: it is new. */
static const struct kept *
find_known(const struct known *t, uint64_t hash, const char *p, size_t n)
{
	const struct kept *k;
	size_t i;

	for (i = hash; t->size; i++) {
		k = &t->v[i & (t->size - 1)];
		if (!k->n)
			break;
		if (k->hash == hash && k->n == n &&
		    memcmp(t->text.s + k->at, p, n) == 0)
			return k;
	}
	return NULL;
}

static void
add_slot(struct known *t, struct kept k)
{
	size_t i = k.hash;

	while (t->v[i & (t->size - 1)].n)
		i++;
	t->v[i & (t->size - 1)] = k;
}

static void
grow_known(struct known *t)
{
	struct kept *old = t->v;
	size_t size = t->size, i;

	t->size = size ? size * 2 : 1024;
	t->v = mem_alloc(t->size, sizeof *t->v);
	for (i = 0; i < size; i++)
		if (old[i].n)
			add_slot(t, old[i]);
	free(old);
}

static void
keep(struct known *t, uint64_t hash, const char *p, size_t n, uint32_t id)
{
	if (!n || n > KEPT_MOST || t->text.n > KEPT_MOST - n)
		return;
	if (t->n * 2 >= t->size)
		grow_known(t);
	add_slot(t, (struct kept){ hash, t->text.n, (uint32_t)n, id });
	t->n++;
	buf_add(&t->text, p, n);
}

static void
known_free(struct known *t)
{
	free(t->v);
	buf_free(&t->text);
}

/* ---- new stacks ---- */

/* How many frames of the line before begin this stack. */
static size_t
shared_frames(const struct reader *rd, const char *p, size_t n)
{
	const char *last = rd->last.s;
	size_t same = 0, most = rd->last.n < n ? rd->last.n : n, k;

	uint64_t a, b;

	for (; same + sizeof a <= most; same += sizeof a) {
		memcpy(&a, p + same, sizeof a);
		memcpy(&b, last + same, sizeof b);
		if (a != b)
			break;
	}
	while (same < most && p[same] == last[same])
		same++;
	for (k = rd->nframe; k; k--) {
		size_t end = rd->frame[k - 1].end;

		if (end <= same && (end == n || p[end] == ';') &&
		    (end == rd->last.n || last[end] == ';'))
			break;
	}
	return k;
}

static int
find_func(struct reader *rd, struct text name, uint32_t *func)
{
	uint32_t cols[DEF_COLS] = { NO_ID, NO_ID, NO_ID, NO_ID, NO_ID, NO_ID };
	uint64_t hash = hash_text(name.s, name.n);
	const struct kept *k = find_known(&rd->names, hash, name.s, name.n);

	if (k) {
		*func = k->id;
		return LINE_OK;
	}
	cols[FUNC_NAME] = dict_str(rd->d->dict, name);
	if (dict_put(rd->d->dict, rd->d->out, REC_FUNC, cols, func) < 0)
		return LINE_FATAL;
	keep(&rd->names, hash, name.s, name.n, *func);
	return LINE_OK;
}

static int
add_frame(struct reader *rd, const char *p, size_t from, size_t end)
{
	uint32_t cols[DEF_COLS] = { NO_ID, NO_ID, NO_ID, NO_ID, NO_ID, NO_ID };
	uint32_t func, ctx, parent = rd->nframe ? rd->frame[rd->nframe - 1].ctx : NO_ID;

	if (find_func(rd, (struct text){ p + from, end - from }, &func) < 0)
		return LINE_FATAL;
	cols[CTX_PARENT] = parent;
	cols[CTX_FUNC] = func;
	if (dict_put(rd->d->dict, rd->d->out, REC_CTX, cols, &ctx) < 0)
		return LINE_FATAL;
	rd->frame = mem_grow(rd->frame, &rd->capframe, rd->nframe + 1, sizeof *rd->frame);
	rd->frame[rd->nframe++] = (struct frame){ end, ctx };
	return LINE_OK;
}

/* The frames of a stack, in rd->frame. */
static int
read_frames(struct reader *rd, const char *p, size_t n)
{
	size_t from, end;
	const char *semi;
	int ret;

	rd->nframe = shared_frames(rd, p, n);
	from = rd->nframe ? rd->frame[rd->nframe - 1].end + 1 : 0;
	for (; from <= n; from = end + 1) {
		semi = from < n ? memchr(p + from, ';', n - from) : NULL;
		end = semi ? (size_t)(semi - p) : n;
		if ((ret = add_frame(rd, p, from, end)))
			return ret;
	}
	rd->last.n = 0;
	buf_add(&rd->last, p, n);
	return LINE_OK;
}

static int
read_stack(struct reader *rd, const char *p, size_t n, uint64_t *ctx)
{
	uint64_t hash = hash_text(p, n);
	const struct kept *k = find_known(&rd->stacks, hash, p, n);
	int ret;

	if (k) {
		*ctx = k->id;
		return LINE_OK;
	}
	if ((ret = read_frames(rd, p, n)))
		return ret;
	*ctx = rd->frame[rd->nframe - 1].ctx;
	keep(&rd->stacks, hash, p, n, (uint32_t)*ctx);
	return LINE_OK;
}

/* ---- lines ---- */

static int
read_counts(struct reader *rd, const char *p, const char *end)
{
	const char *q;
	bool minus;

	rd->values.n = 0;
	for (;;) {
		while (p < end && (*p < '0' || *p > '9') && *p != '-')
			p++;
		if (p == end)
			return LINE_OK;
		minus = *p == '-';
		p += minus;
		for (q = p; q < end && *q >= '0' && *q <= '9'; q++)
			;
		while (p < q - 1 && *p == '0')
			p++;
		if (rd->values.n)
			buf_putc(&rd->values, '\t');
		buf_add(&rd->values, "-", minus && *p != '0');
		buf_add(&rd->values, p, (size_t)(q - p));
		p = q;
	}
}

static int
read_comment(struct reader *rd, const char *p, const char *end)
{
	while (end > p && end[-1] == '\r')
		end--;
	return meta_put(rd->d->out, "comment", (struct text){ p + 2,
	    (size_t)(end - p - 2) });
}

static int
read_line(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;
	const char *stack = folded_stack_end(p, end, rd->counts), *q = p;
	struct record r = rec_make(REC_SAMPLE);
	int ret;

	while (q < end && (*q == ' ' || *q == '\t' || *q == '\r'))
		q++;
	if (q == end)
		return LINE_OK;
	if (folded_is_comment(p, end))
		return read_comment(rd, p, end);
	if (!stack)
		return rd->counts == 1 ? BAD("expected a stack and a count, a whole "
		    "number, found %s", QUOTE(p, end)) : BAD("expected a stack and %u "
		    "counts, as the lines before have, found %s", rd->counts,
		    QUOTE(p, end));
	if ((ret = read_stack(rd, p, (size_t)(stack - p), &r.col[0].n)) ||
	    (ret = read_counts(rd, stack, end)))
		return ret;
	r.values = buf_as_text(&rd->values);
	return sink_put(rd->d->out, &r);
}

static int
block(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;

	return decode_each_line(rd->d, p, end, read_line, rd);
}

int
folded_decode(struct decode *d)
{
	struct reader rd = { .d = d };
	const char *p;
	long n = in_peek(d->in, &p);
	int r = -1;

	n = n > FOLDED_PEEK ? FOLDED_PEEK : n;

	/* What the first bytes say, however they come in. */
	if (n >= 0 && !(rd.counts = folded_counts(p, (size_t)n)))
		rd.counts = 1;	/* the line without one says so itself */
	if (n >= 0 && begin_part(&rd) == 0)
		r = decode_lines(d, "file", block, &rd);
	known_free(&rd.stacks);
	known_free(&rd.names);
	buf_free(&rd.last);
	buf_free(&rd.values);
	free(rd.frame);
	return r;
}
