/* SPDX-License-Identifier: ISC */
/*
 * Samples: thread (64 bits), interpreter (32 bits), how the stack is written, then
 *
 *	0	N, N times time and state: the stack of the sample before
 *	1	time, state, N, N frames
 *	2	time, state, how many outer frames stay, N, N frames
 *	3	time, state, how many inner frames go, N, N frames
 *
 * Frames are innermost first.  What is before is of the same thread.  Samples that follow
 * each other with the same stack and state are put as one.
 */
#include "tachyon.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/zip.h"
#include "stream/sums.h"
#include "util/mem.h"
#include "util/protobuf.h"

enum { REPEAT, FULL, SUFFIX, POP_PUSH };

struct thread {
	uint32_t *ctx;		/* of each frame, outermost first */
	size_t n, cap;
};

struct reader {
	struct tachyon *t;
	struct buf unpacked;
	const char *p, *end;
	struct sums threads;	/* rows of `thread`, by thread and interpreter */
	struct thread *thread;
	size_t capthread;
	uint32_t *frame;	/* the new frames of a sample */
	size_t capframe;
	uint64_t samples, empty;
	const uint64_t *id;	/* of the current thread: thread, interpreter */
	struct buf labels;
};

#define FAIL(rd, ...) ((rd)->unpacked.n ? diag_fail((rd)->t->d->diag, __VA_ARGS__) : \
	TACHYON_FAIL((rd)->t, (rd)->p, __VA_ARGS__))

/* ---- compressed samples ---- */

static int
unpack(struct reader *rd, const char *p, size_t n)
{
	const size_t most = rd->t->d->session->max_whole;
	struct unzip *u = unzip_new(ZIP_ZSTD);
	const char *why = NULL;
	int ret = 0;

	while (ret == 0 && n) {
		struct zip_span s = { p, n, buf_room(&rd->unpacked, 1 << 16), 1 << 16 };

		if (unzip_step(u, &s, &why) < 0)
			ret = TACHYON_FAIL(rd->t, p, "the samples are damaged: %s", why);
		rd->unpacked.n += (1 << 16) - s.nout;
		if (ret == 0 && s.nin == n && s.nout == 1 << 16)
			break;
		p = s.in;
		n = s.nin;
		if (most && rd->unpacked.n > most)
			ret = diag_fail(rd->t->d->diag, "the samples have more than %zu MiB: see "
			    "--max-whole", most >> 20);
	}
	if (ret == 0 && (n || !unzip_between(u)))
		ret = decode_cut(rd->t->d, "the file is truncated: the compressed "
		    "samples end early");
	unzip_free(u);
	return ret;
}

static int
open_samples(struct reader *rd)
{
	struct tachyon *t = rd->t;

	rd->p = t->file.s + TACHYON_HEADER;
	rd->end = t->file.s + t->strings_at;
	if (!t->compression)
		return 0;
	if (unpack(rd, rd->p, (size_t)(rd->end - rd->p)) < 0)
		return -1;
	rd->p = buf_str(&rd->unpacked);
	rd->end = rd->p + rd->unpacked.n;
	return 0;
}

/* ---- records ---- */

/* Adds the label of a state, such as "gil,cpu". */
static void
add_state(struct buf *b, unsigned char state)
{
	static const char *const bits[] = { "gil", "cpu", "unknown", "wait-gil", "exception",
	    "main" };
	char text[64] = "";
	size_t i;

	for (i = 0; i < sizeof bits / sizeof *bits; i++)
		if (state & 1u << i) {
			strcat(text, *text ? "," : "");
			strcat(text, bits[i]);
		}
	if (*text)
		attr_add(b, "state", text_of(text));
}

/* Puts n samples of the current stack. */
static int
put_samples(struct reader *rd, const struct thread *th, unsigned char state, uint64_t n)
{
	struct record r = rec_make(REC_SAMPLE);
	char tmp[2 * NUM_TEXT], *p;

	rd->samples += n;
	if (!th->n) {
		rd->empty += n;
		return 0;
	}
	rd->labels.n = 0;
	attr_add(&rd->labels, "tid", num_text_u64(tmp, rd->id[0]));
	if (rd->id[1])
		attr_add(&rd->labels, "interpreter", num_text_u64(tmp, rd->id[1]));
	add_state(&rd->labels, state);
	r.col[0].n = th->ctx[th->n - 1];
	p = num_put_u64(tmp, n);
	*p++ = '\t';
	p = num_put_num(p, (num)n * rd->t->interval);
	r.values = (struct text){ tmp, (size_t)(p - tmp) };
	r.attrs = buf_as_text(&rd->labels);
	return sink_put(rd->t->d->out, &r);
}

/* ---- stacks ---- */

static bool
take_number(struct reader *rd, uint64_t *n)
{
	return pb_varint(&rd->p, rd->end, n);
}

/* Takes time and state. */
static bool
take_moment(struct reader *rd, unsigned char *state)
{
	uint64_t elapsed;

	if (!take_number(rd, &elapsed) || rd->p == rd->end)
		return false;
	*state = (unsigned char)*rd->p++;
	return true;
}

static int
push_frame(struct reader *rd, struct thread *th, uint32_t frame)
{
	const struct tachyon_frame *f = &rd->t->frame[frame];
	struct ctx_def c = NO_CTX;

	if (th->n)
		c.parent = th->ctx[th->n - 1];
	c.func = f->func;
	c.file = f->file;
	c.line = f->line;
	th->ctx = mem_grow(th->ctx, &th->cap, th->n + 1, sizeof *th->ctx);
	return decode_ctx(rd->t->d, &c, &th->ctx[th->n++]);
}

/* Reads the new frames of a stack, of which the outermost `keep` stay. */
static int
read_frames(struct reader *rd, struct thread *th, uint64_t keep)
{
	uint64_t n, frame, i;

	if (!take_number(rd, &n) || n > (size_t)(rd->end - rd->p))
		return FAIL(rd, "a stack goes on after the samples");
	rd->frame = mem_grow(rd->frame, &rd->capframe, n, sizeof *rd->frame);
	for (i = 0; i < n; i++) {
		if (!take_number(rd, &frame))
			return FAIL(rd, "a stack goes on after the samples");
		if (frame >= rd->t->nframe)
			return FAIL(rd, "a stack refers to frame %" PRIu64 " of %" PRIu32, frame,
			    rd->t->nframe);
		rd->frame[i] = (uint32_t)frame;
	}
	th->n = keep;
	while (n--)
		if (push_frame(rd, th, rd->frame[n]) < 0)
			return -1;
	return 0;
}

static int
read_stack(struct reader *rd, struct thread *th, int kind)
{
	uint64_t n = 0;
	unsigned char state;

	if (!take_moment(rd, &state) || (kind != FULL && !take_number(rd, &n)))
		return FAIL(rd, "a sample goes on after the samples");
	if (n > th->n)
		return FAIL(rd, "a sample refers to more frames than the one before has, %zu",
		    th->n);
	if (read_frames(rd, th, kind == FULL ? 0 : kind == SUFFIX ? n : th->n - n) < 0)
		return -1;
	return put_samples(rd, th, state, 1);
}

static int
read_repeat(struct reader *rd, struct thread *th)
{
	unsigned char state, before = 0;
	uint64_t n, same = 0;

	if (!take_number(rd, &n))
		return FAIL(rd, "a sample goes on after the samples");
	for (; n; n--) {
		if (!take_moment(rd, &state))
			return FAIL(rd, "a sample goes on after the samples");
		if (same && state != before) {
			if (put_samples(rd, th, before, same) < 0)
				return -1;
			same = 0;
		}
		before = state;
		same++;
	}
	return same ? put_samples(rd, th, before, same) : 0;
}

static int
read_sample(struct reader *rd)
{
	uint64_t id[2];
	size_t row;
	int kind;

	if (rd->end - rd->p < 13)
		return FAIL(rd, "a sample goes on after the samples");
	id[0] = tachyon_u64(rd->t, rd->p);
	id[1] = tachyon_u32(rd->t, rd->p + 8);
	kind = (unsigned char)rd->p[12];
	rd->p += 13;
	row = sums_row(&rd->threads, id);
	rd->id = sums_key(&rd->threads, row);
	rd->thread = mem_reach(rd->thread, &rd->capthread, row, sizeof *rd->thread, 0);
	if (kind == REPEAT)
		return read_repeat(rd, &rd->thread[row]);
	if (kind <= POP_PUSH)
		return read_stack(rd, &rd->thread[row], kind);
	return FAIL(rd, "unknown encoding of a stack: %d", kind);
}

/* ---- the whole ---- */

static int
read_all(struct reader *rd)
{
	struct decode *d = rd->t->d;

	if (open_samples(rd) < 0)
		return -1;
	while (rd->p < rd->end)
		if (read_sample(rd) < 0)
			return -1;
	d->at.line = 0;
	if (rd->samples != rd->t->samples)
		return diag_fail(d->diag, "there are %" PRIu64 " samples, but the header has %"
		    PRIu64, rd->samples, rd->t->samples);
	if (rd->empty)
		diag_say(d->diag, DIAG_NOTE, "samples of threads without frames are not counted: %"
		    PRIu64, rd->empty);
	return 0;
}

int
tachyon_put_samples(struct tachyon *t)
{
	struct reader rd = { .t = t };
	size_t i;
	int ret;

	sums_init(&rd.threads, 2, 0);
	ret = read_all(&rd);
	for (i = 0; i < rd.threads.n && i < rd.capthread; i++)
		free(rd.thread[i].ctx);
	sums_free(&rd.threads);
	free(rd.thread);
	free(rd.frame);
	buf_free(&rd.labels);
	buf_free(&rd.unpacked);
	return ret;
}
