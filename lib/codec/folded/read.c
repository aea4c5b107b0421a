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

#define KEPT_MOST (64 << 20)	/* bytes of stacks that are known by their text */

struct kept {
	uint64_t hash;
	size_t at;		/* its text in rd->text */
	uint32_t n, ctx;	/* n 0: a free slot */
};

struct reader {
	struct decode *d;
	unsigned counts;
	struct kept *kept;	/* open-addressed, half full at most */
	size_t nkept, size;
	struct buf text;
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
	struct record r = rec_make(REC_PART);
	char run[24];
	unsigned i;

	r.col[0].t = (struct text){ run,
	    (size_t)(num_put_u64(run, ++rd->d->runs) - run) };
	if (sink_put(rd->d->out, &r) < 0 ||
	    meta_put(rd->d->out, "format", TEXT("folded")) < 0)
		return -1;
	for (i = 0; i < rd->counts; i++)
		if (put_event(rd, i) < 0)
			return -1;
	return 0;
}

/* ---- stacks that were there ---- */

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

/* Its slot, or the free one where it would be. */
static struct kept *
find_kept(const struct reader *rd, uint64_t hash, const char *p, size_t n)
{
	size_t i = hash & (rd->size - 1);
	struct kept *k;

	for (;; i = (i + 1) & (rd->size - 1)) {
		k = &rd->kept[i];
		if (!k->n || (k->hash == hash && k->n == n &&
		    memcmp(rd->text.s + k->at, p, n) == 0))
			return k;
	}
}

static void
grow_kept(struct reader *rd)
{
	struct kept *old = rd->kept;
	size_t size = rd->size, i, at;

	rd->size = size ? size * 2 : 1024;
	rd->kept = mem_alloc(rd->size, sizeof *rd->kept);
	for (i = 0; i < size; i++) {
		if (!old[i].n)
			continue;
		for (at = old[i].hash & (rd->size - 1); rd->kept[at].n;
		    at = (at + 1) & (rd->size - 1))
			;
		rd->kept[at] = old[i];
	}
	free(old);
}

static void
keep(struct reader *rd, uint64_t hash, const char *p, size_t n, uint32_t ctx)
{
	if (!n || n > KEPT_MOST || rd->text.n > KEPT_MOST - n)
		return;
	if (rd->nkept * 2 >= rd->size)
		grow_kept(rd);
	*find_kept(rd, hash, p, n) = (struct kept){ hash, rd->text.n, (uint32_t)n, ctx };
	rd->nkept++;
	buf_add(&rd->text, p, n);
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
add_frame(struct reader *rd, const char *p, size_t from, size_t end)
{
	uint32_t cols[DEF_COLS] = { NO_ID, NO_ID, NO_ID, NO_ID, NO_ID, NO_ID };
	uint32_t func, ctx, parent = rd->nframe ? rd->frame[rd->nframe - 1].ctx : NO_ID;

	cols[FUNC_NAME] = dict_str(rd->d->dict, (struct text){ p + from, end - from });
	if (dict_put(rd->d->dict, rd->d->out, REC_FUNC, cols, &func) < 0)
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
	const struct kept *k = rd->size ? find_kept(rd, hash, p, n) : NULL;
	int ret;

	if (k && k->n) {
		*ctx = k->ctx;
		return LINE_OK;
	}
	if ((ret = read_frames(rd, p, n)))
		return ret;
	*ctx = rd->frame[rd->nframe - 1].ctx;
	keep(rd, hash, p, n, (uint32_t)*ctx);
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
read_line(struct reader *rd, const char *p, const char *end)
{
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
	const char *q;
	int ret;

	for (; p < end; p = q + 1) {
		rd->d->diag->line++;
		q = memchr(p, '\n', (size_t)(end - p));
		ret = read_line(rd, p, q);
		if (ret && decode_line_done(rd->d, ret) < 0)
			return -1;
	}
	return 0;
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
	buf_free(&rd.text);
	buf_free(&rd.last);
	buf_free(&rd.values);
	free(rd.frame);
	free(rd.kept);
	return r;
}
