/* SPDX-License-Identifier: ISC */
/*
 * Blocks of lines for sinks that take sums or lines.  A digest takes the place of the lines
 * where its assumptions hold: lines that are not usual are read one by one, and so are all
 * lines after them up to the next such ones if the part then has another layout or the sink
 * needs more.  So messages, their places and what is put do not depend on digests.
 */
#include "digest_threads.h"
#include "positions.h"
#include "usual_text.h"

#include <stdlib.h>
#include <unistd.h>

#include "util/mem.h"

/* Bytes that are read as lines before a digest is tried, then twice as many each time. */
#define PIECE 256
/* Lines that are digested at once: few enough for the digest to stay in the first cache. */
#define DIGESTED 16384

#define LARGE (8u << 20)	/* bytes of a file that is worth a second thread */
/* Threads for such a file, at most: digests are put by one of them, which takes three tenths
 * of all instructions, and more than three would wait for it. */
#define JOBS 3

/* Is the part of a layout that has digests, and does the sink take them? */
static bool
get_layout(const struct reader *rd, struct digest_layout *l)
{
	const unsigned takes = rd->measured ? sink_takes(rd->d->out) : 0;

	l->instr = rd->npos == 2;
	l->self_base = rd->self_base;
	l->nevents = rd->nevents;
	l->lines = !(takes & TAKES_SUMS);
	l->jumps = takes & TAKES_JUMPS;
	return takes & (TAKES_SUMS | TAKES_LINES) && rd->started && !rd->stack.are &&
	    !rd->swapped && !rd->no_counts &&
	    ((rd->npos == 1 && rd->pos[0] == POS_LINE) ||
	    (rd->npos == 2 && rd->pos[0] == POS_ADDR && rd->pos[1] == POS_LINE));
}

static struct base
get_base(const struct reader *rd)
{
	return (struct base){ rd->base.v[POS_ADDR], rd->base.v[POS_LINE] };
}

static void
set_base(struct reader *rd, const struct base *base)
{
	rd->base = (struct pos){ { [POS_ADDR] = base->addr, [POS_LINE] = base->line } };
	rd->at_base = true;
}

/* Can a digest of this layout stand for the lines that come? */
static bool
can_use(const struct reader *rd, const struct digest_layout *l)
{
	struct digest_layout now;

	return get_layout(rd, &now) && now.instr == l->instr && now.self_base == l->self_base &&
	    now.lines == l->lines && now.jumps == l->jumps && now.nevents == l->nevents &&
	    rd->pending == PENDING_NONE && rd->have_fn && rd->have_func;
}

static int
put_costs(struct reader *rd, const struct digest_token *t)
{
	struct record *r = &rd->cost;
	char text[NUM_TEXT];
	int ret;

	if ((ret = cg_need_func(rd)))
		return ret;
	if (!t->n)
		return LINE_OK;
	r->col[PLACE_FUNC].n = rd->func;
	r->col[PLACE_FILE].n = NO_ID;
	r->col[PLACE_LINE].has = r->col[PLACE_ADDR].has = 0;
	r->values = num_text_u64(text, t->sum);
	return sink_put(rd->d->out, r) < 0 ? LINE_FATAL : LINE_OK;
}

/* Puts a call with its positions. */
static int
put_whole_call(struct reader *rd, const struct digest_call *c)
{
	const struct pos at = { { [POS_ADDR] = c->from.addr, [POS_LINE] = c->from.line } };
	const struct pos to = { { [POS_ADDR] = c->to.addr, [POS_LINE] = c->to.line } };
	struct record *r = &rd->call;
	int ret;

	if ((ret = cg_bind_call(rd)))
		return ret;
	cg_set_place(rd, &at, &r->col[PLACE_LINE], &r->col[PLACE_ADDR]);
	cg_set_place(rd, &to, &r->col[CALL_TLINE], &r->col[CALL_TADDR]);
	r->col[CALL_COUNT].t = c->count;
	r->values = c->values;
	rd->at = at;
	rd->at_base = false;
	return sink_put(rd->d->out, r) < 0 ? LINE_FATAL : LINE_OK;
}

static int
put_call(struct reader *rd, const struct digest_token *t)
{
	struct record *r = &rd->call;
	int ret;

	if ((ret = cg_bind_call(rd)))
		return ret;
	r->col[PLACE_LINE].has = r->col[PLACE_ADDR].has = 0;
	r->col[CALL_TLINE].has = r->col[CALL_TADDR].has = 0;
	r->col[CALL_COUNT].t = (struct text){ t->p, t->n };
	r->values = t->n_values ? (struct text){ t->p + t->values, t->n_values } :
	    (struct text){ 0 };
	return sink_put(rd->d->out, r) < 0 ? LINE_FATAL : LINE_OK;
}

/* Puts a jump if they are counted. */
static int
put_jump(struct reader *rd, const struct digest_layout *l)
{
	struct record *r = &rd->jump;
	int ret;

	if ((ret = cg_bind_jump(rd)) || !l->jumps)
		return ret;
	r->col[PLACE_LINE].has = r->col[PLACE_ADDR].has = 0;
	r->col[JUMP_TLINE].has = r->col[JUMP_TADDR].has = 0;
	r->col[JUMP_FOLLOWED].t = r->col[JUMP_EXECUTED].t = (struct text){ 0 };
	return sink_put(rd->d->out, r) < 0 ? LINE_FATAL : LINE_OK;
}

/* Reads the lines of a run. */
static int
read_run(struct reader *rd, const struct digest_run *run)
{
	const char *end = rd->end;
	const bool at_base = rd->at_base;

	set_base(rd, &run->base);
	rd->at_base = at_base || run->at_base;
	if (cg_lines(rd, run->p, run->end) < 0)
		return LINE_FATAL;
	rd->end = end;
	/* The line after a jump is a usual one, which does not belong to it. */
	return rd->pending == PENDING_JUMP ? cg_settle(rd) : LINE_OK;
}

/* Puts a run as lines.  Reads it if it remains to be read, if the sink no longer takes lines,
 * or if a jump in it may leave the place. */
static int
put_run(struct reader *rd, const struct digest *digest, const struct digest_run *run)
{
	struct record *r = &rd->cost;
	const struct place_lines lines = { .place = r, .n = run->lines,
	    .text = { digest->text.s + run->text, run->n_text },
	    .as_read = TEXT(USUAL_PLACE) };
	int ret;

	if (!run->n_text || rd->have_jfi || rd->have_jfn || !rd->measured ||
	    !(sink_takes(rd->d->out) & TAKES_LINES))
		return read_run(rd, run);
	if ((ret = cg_need_func(rd)))
		return ret;
	cg_take_file(rd);
	r->col[PLACE_FUNC].n = rd->func;
	r->col[PLACE_FILE].n = rd->here;
	r->col[PLACE_LINE].has = r->col[PLACE_ADDR].has = 0;
	r->values = (struct text){ 0 };
	rd->d->at.line += run->lines;
	return sink_put_lines(rd->d->out, &lines) < 0 ? LINE_FATAL : LINE_OK;
}

static int
put_token(struct reader *rd, const struct digest *digest, const struct digest_layout *l,
    const struct digest_token *t)
{
	switch ((enum digest_kind)t->kind) {
	case DIGEST_NAME:
		return t->n ? cg_number_line(rd, (enum cg_key)t->key, t->p, t->number) :
		    cg_name_line(rd, (enum cg_key)t->key, t->p);
	case DIGEST_COSTS:
		return put_costs(rd, t);
	case DIGEST_COSTS_GO_ON:
		cg_take_file(rd);
		return LINE_OK;
	case DIGEST_CALL:
		return l->lines ? put_whole_call(rd, &digest->call[t->number]) : put_call(rd, t);
	case DIGEST_JUMP:
		return put_jump(rd, l);
	case DIGEST_RUN:
		return put_run(rd, digest, &digest->run[t->number]);
	case DIGEST_LINES: case DIGEST_ON:
		break;
	}
	return LINE_OK;
}

/* Puts the digest of lines, or the lines themselves where it cannot be
 * used.  sum: can it be used at first? */
static int
put_digest(struct reader *rd, const struct digest *digest, const struct digest_layout *l,
    const char *p, const char *end, bool sum)
{
	const struct digest_token *t, *last = digest->v + digest->n;
	uint64_t before = rd->d->at.line;
	struct base base;
	int ret;

	rd->end = end;
	for (t = digest->v; t < last; t++) {
		if (t->kind == DIGEST_LINES) {
			if (sum && t->n)
				set_base(rd, &t->base);
			if (sum) {
				rd->d->at.line = before + t->line;
				p = t->p;
			}
			t++;
			if (cg_lines(rd, p, t->p) < 0)
				return -1;
			rd->end = end;
			p = t->p;
			before = rd->d->at.line;
			base = get_base(rd);
			sum = p < end && can_use(rd, l) && base.addr == t->base.addr &&
			    base.line == t->base.line;
		} else if (sum) {
			rd->d->at.line = before + t->line;
			if ((ret = put_token(rd, digest, l, t)) && decode_line_done(rd->d, ret) < 0)
				return -1;
		}
	}
	return 0;
}

/* Returns the end of lines of about n bytes. */
static const char *
piece_end(const char *p, const char *end, size_t n)
{
	return (size_t)(end - p) <= n ? end : (const char *)memchr(p + n, '\n',
	    (size_t)(end - p) - n) + 1;
}

/* ---- blocks ---- */

struct cg_blocks {
	size_t jobs;
	struct digest digest;
	struct digest_threads *threads;	/* NULL: not needed yet, or one job */
	size_t late;		/* pieces that remain to be put */
};

static long
processors(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}

/* Returns the number of threads for an input, of which the caller is one. */
static size_t
count_jobs(struct decode *d)
{
	const long n = processors();
	uint64_t size;

	if (d->session->jobs || !in_seekable(d->in, &size) || size < LARGE || n < 2)
		return d->session->jobs ? d->session->jobs : 1;
	return n < JOBS ? (size_t)n : JOBS;
}

struct cg_blocks *
cg_blocks_new(struct decode *d)
{
	struct cg_blocks *s = mem_alloc(1, sizeof *s);

	s->jobs = count_jobs(d);
	if (s->jobs > 1)
		in_alternate(d->in);
	return s;
}

void
cg_blocks_free(struct cg_blocks *s)
{
	digest_threads_stop(s->threads);
	digest_free(&s->digest);
	free(s);
}

/* Digests lines, and puts the digest. */
static int
sum_lines(struct reader *rd, struct digest *digest, const struct digest_layout *l,
    const char *p, const char *end)
{
	const struct base base = get_base(rd);

	digest_lines(digest, l, rd->wide, p, end, &base);
	return put_digest(rd, digest, l, p, end, true);
}

/* Puts the digests of threads but for the last ones. */
static int
put_pieces(struct reader *rd, struct cg_blocks *s, size_t remain)
{
	const struct digest_piece *piece;

	while ((piece = digest_threads_take(s->threads, remain)))
		if (put_digest(rd, &piece->digest, &piece->layout, piece->p, piece->end,
		    piece->has_base) < 0)
			return -1;
	s->late = remain;
	return 0;
}

int
cg_finish_blocks(struct reader *rd, struct cg_blocks *s)
{
	return s->late ? put_pieces(rd, s, 0) : 0;
}

/* Gives lines to threads, to be put later. */
static void
give_lines(struct reader *rd, struct cg_blocks *s, const struct digest_layout *l,
    const char *p, const char *end)
{
	const struct base base = get_base(rd);

	if (!s->threads)
		s->threads = digest_threads_start(s->jobs - 1, rd->wide);
	s->late = digest_threads_give(s->threads, l, p, end, &base);
}

/* Reads lines of which none before are late. */
static int
read_lines(struct reader *rd, struct cg_blocks *s, const char *p, const char *end)
{
	struct digest_layout l;
	size_t n = PIECE;
	const char *q;
	int ret;

	for (; p < end; p = q) {
		if (!get_layout(rd, &l) || !can_use(rd, &l)) {
			q = piece_end(p, end, n);
			n *= 2;
			ret = cg_lines(rd, p, q);
		} else if (s->jobs > 1) {
			q = end;
			give_lines(rd, s, &l, p, q);
			ret = 0;
		} else {
			q = piece_end(p, end, DIGESTED);
			ret = sum_lines(rd, &s->digest, &l, p, q);
		}
		if (ret < 0)
			return -1;
	}
	return 0;
}

int
cg_block(struct reader *rd, struct cg_blocks *s, const char *p, const char *end)
{
	struct digest_layout l;

	if (rd->d->session->by_lines)
		return cg_lines(rd, p, end);
	/* While the lines before are put, threads digest these, as if they go on like them. */
	if (s->late && get_layout(rd, &l))
		return put_pieces(rd, s, digest_threads_give(s->threads, &l, p, end, NULL));
	return cg_finish_blocks(rd, s) < 0 ? -1 : read_lines(rd, s, p, end);
}
