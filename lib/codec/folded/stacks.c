/* SPDX-License-Identifier: ISC */
/*
 * The stacks of folded lines.  Frames are found by their text, and contexts by their
 * frames; no text of a stack is kept.
 */
#include "reader.h"

#include "runs.h"

#define LONG_STACK 65536	/* bytes: it is read by itself, as frames take more room than
				 * text */

/* ---- frames ---- */

static int
find_func(struct reader *rd, struct text name, uint32_t *func)
{
	struct func_def f = NO_FUNC;

	f.name = dict_str(rd->d->dict, name);
	rd->nname++;
	rd->nplace += folded_split(FOLDED_PYSPY, name).line.s != NULL;
	return decode_func(rd->d, &f, func);
}

/* Finds a function with its file, and the line of the frame. */
static int
find_place(struct reader *rd, struct text frame, struct ctx_def *c)
{
	const struct folded_frame f = folded_split(rd->dialect, frame);
	struct func_def func = NO_FUNC;

	func.name = dict_str(rd->d->dict, f.name);
	if (decode_file(rd->d, f.file, &func.file) < 0)
		return -1;
	c->file = func.file;
	c->line = dict_str(rd->d->dict, f.line);
	return decode_func(rd->d, &func, &c->func);
}

/* Puts the definitions of a frame that is new to the cache. */
static int
find_frame(struct reader *rd, struct text text, uint32_t *frame)
{
	const uint64_t hash = cache_hash(text);
	struct ctx_def c = NO_CTX;

	if (cache_find(&rd->frames, text, hash, frame))
		return 0;
	if ((rd->dialect == FOLDED_PLAIN ? find_func(rd, text, &c.func) :
	    find_place(rd, text, &c)) < 0)
		return -1;
	*frame = dict_define_frame(rd->d->dict, (const uint32_t *)&c);
	cache_add(&rd->frames, text, hash, *frame);
	return 0;
}

/* ---- stacks ---- */

/* Returns the end of the frame that begins there. */
static inline size_t
frame_end(struct text t, size_t from)
{
	return (size_t)(scan_find(t.s + from, t.s + t.n, ';') - t.s);
}

/* Returns how many bytes two texts begin with that are the same. */
static size_t
count_same(struct text a, struct text b)
{
	const size_t most = a.n < b.n ? a.n : b.n;
	uint64_t x, y;
	size_t n = 0;

	for (; n + sizeof x <= most; n += sizeof x) {
		memcpy(&x, a.s + n, sizeof x);
		memcpy(&y, b.s + n, sizeof y);
		if (x != y)
			break;
	}
	while (n < most && a.s[n] == b.s[n])
		n++;
	return n;
}

static bool
ends_at(struct text t, size_t n)
{
	return n == t.n || t.s[n] == ';';
}

/* Takes over the known frames shared with the stack before. */
static void
begin_like_last(struct folded_stack *s, const struct folded_stack *last, struct text text)
{
	const size_t same = count_same(last->text, text);
	size_t n = 0, from = 0, at;
	uint64_t ends;

	for (at = 0; at < same; at += SCAN) {
		ends = scan_byte(text.s + at, ';');
		if (same - at < SCAN)
			ends &= ((uint64_t)1 << (same - at)) - 1;
		n += scan_count(ends);
		if (ends)
			from = at + 64 - (unsigned)__builtin_clzll(ends);
	}
	if (ends_at(text, same) && ends_at(last->text, same)) {
		n++;
		from = same + 1;
	}
	if (n >= last->known.n) {
		n = last->known.n;
		from = last->from;
	}
	stack_begin_like(&s->known, &last->known, n);
	s->from = from;
}

/* Adds the frame that ends there: false if it is not known. */
static inline bool
add_frame(const struct reader *rd, struct folded_stack *s, size_t end)
{
	const struct text frame = { s->text.s + s->from, end - s->from };
	uint32_t id;

	if (!cache_find(&rd->frames, frame, cache_hash(frame), &id))
		return false;
	stack_add(&s->known, dict_contexts(rd->d->dict), &id, 1);
	s->from = end + 1;
	return true;
}

/* Adds the frames of the run that is next; false: one of them is not known. */
static inline bool
add_run(struct reader *rd, struct folded_stack *s)
{
	const size_t at = s->from, before = s->known.n;
	const struct text rest = { s->text.s + at, s->text.n - at };
	uint64_t ends = folded_run_ends(rest);
	const struct folded_run *run;
	struct text text;

	if (!ends)	/* it is longer than a run */
		return add_frame(rd, s, frame_end(s->text, at));
	text = folded_run_text(rest, ends);
	if ((run = folded_run_find(rd->runs, text))) {
		stack_add(&s->known, dict_contexts(rd->d->dict), run->frame, run->n);
		s->from = at + text.n + 1;
		return true;
	}
	for (; ends; ends &= ends - 1)
		if (!add_frame(rd, s, at + (unsigned)__builtin_ctzll(ends)))
			return false;
	folded_run_keep(&rd->runs, text, s->known.v + before, s->known.n - before);
	return true;
}

/* Finds its context or its known frames. */
static void
cut(struct reader *rd, struct folded_stack *s, struct text text)
{
	const struct folded_stack *last = rd->batch.last;

	s->hash = folded_recent_hash(text);
	if (folded_recent_find(rd->recent, text, s->hash, &s->ctx)) {
		s->known.n = s->from = 0;
		return;
	}
	s->ctx = NO_ID;
	if (last)
		begin_like_last(s, last, text);
	else
		s->known.n = s->from = 0;
	s->text = text;
	while (s->from <= text.n && add_run(rd, s))
		;
	rd->batch.last = s;
	contexts_prefetch(dict_contexts(rd->d->dict), s->known.v, s->known.n);
}

/* Puts its contexts and sets *ctx to that of its leaf. */
static int
put_stack(struct reader *rd, const struct folded_stack *s, const struct stack_search *found,
    uint64_t *ctx)
{
	uint32_t frame, id;
	size_t from, end;

	if (s->ctx != NO_ID) {
		*ctx = s->ctx;
		return LINE_OK;
	}
	if (stack_put_found(found, rd->d->dict, rd->d->out, &id) < 0)
		return LINE_FATAL;
	for (from = s->from; from <= s->text.n; from = end + 1) {
		end = frame_end(s->text, from);
		if (find_frame(rd, (struct text){ s->text.s + from, end - from }, &frame) < 0 ||
		    stack_put_frame(rd->d->dict, rd->d->out, frame, &id) < 0)
			return LINE_FATAL;
	}
	folded_recent_keep(&rd->recent, s->text, s->hash, id);
	*ctx = id;
	return LINE_OK;
}

static struct stack_search
search_of(const struct folded_stack *s)
{
	return (struct stack_search){ .v = s->known.v, .n = s->known.n };
}

int
folded_stack_read(struct reader *rd, struct text text, uint64_t *ctx)
{
	struct folded_stack *s = &rd->batch.line[0].stack;
	struct stack_search found;

	cut(rd, s, text);
	found = search_of(s);
	contexts_find(dict_contexts(rd->d->dict), &found, 1);
	return put_stack(rd, s, &found, ctx);
}

/* ---- batches ---- */

static int
put_line(struct reader *rd, const struct folded_line *l, const struct stack_search *found)
{
	struct record r;

	rec_init(&r, REC_SAMPLE);
	r.values = l->values;
	return put_stack(rd, &l->stack, found, &r.col[0].n) < 0 ||
	    sink_put(rd->d->out, &r) < 0 ? LINE_FATAL : LINE_OK;
}

int
folded_batch_put(struct reader *rd)
{
	struct batch *b = &rd->batch;
	const uint64_t number = rd->d->at.line;
	struct stack_search found[BATCH];
	size_t i;

	for (i = 0; i < b->n; i++)
		found[i] = search_of(&b->line[i].stack);
	contexts_find(dict_contexts(rd->d->dict), found, b->n);
	for (i = 0; i < b->n; i++) {
		rd->d->at.line = b->line[i].number;
		if (put_line(rd, &b->line[i], &found[i]) < 0)
			return LINE_FATAL;
	}
	rd->d->at.line = number;
	b->n = 0;
	return LINE_OK;
}

int
folded_batch_add(struct reader *rd, struct text stack, struct text values)
{
	struct batch *b = &rd->batch;
	struct folded_line *l = &b->line[b->n++];

	l->values = values;
	l->number = rd->d->at.line;
	cut(rd, &l->stack, stack);
	return b->n == BATCH || stack.n > LONG_STACK ? folded_batch_put(rd) : LINE_OK;
}

void
folded_batch_free(struct batch *b)
{
	size_t i;

	for (i = 0; i < BATCH; i++)
		stack_free(&b->line[i].stack.known);
}
