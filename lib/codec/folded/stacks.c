/* SPDX-License-Identifier: ISC */
/*
 * The stacks of folded lines.  Frames are found by their text, and contexts by their
 * frames; no text of a stack is kept.
 */
#include "reader.h"

#include <stdlib.h>

#include "util/scan.h"

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

/* Returns how many of the other stack's known frames this one begins with. */
static size_t
count_shared(const struct folded_stack *other, struct text t)
{
	const struct text o = other->text;
	const size_t most = o.n < t.n ? o.n : t.n;
	size_t same = 0, k = 0;
	uint64_t a, b;

	for (; same + sizeof a <= most; same += sizeof a) {
		memcpy(&a, t.s + same, sizeof a);
		memcpy(&b, o.s + same, sizeof b);
		if (a != b)
			break;
	}
	while (same < most && t.s[same] == o.s[same])
		same++;
	while (k < other->known.n && other->end[k] < same)
		k++;
	return k + (k < other->known.n && other->end[k] == same &&
	    (same == t.n || t.s[same] == ';') && (same == o.n || o.s[same] == ';'));
}

/* Takes over the frames shared with the stack before; returns where the others begin. */
static size_t
begin_like_last(const struct reader *rd, struct folded_stack *s, struct text text)
{
	const struct folded_stack *last = rd->batch.last;
	const size_t n = last ? count_shared(last, text) : 0;

	s->known.n = 0;
	if (!n)
		return 0;
	stack_begin_like(&s->known, &last->known, n);
	s->end = mem_grow(s->end, &s->capend, n, sizeof *s->end);
	if (last != s)
		memcpy(s->end, last->end, n * sizeof *s->end);
	return s->end[n - 1] + 1;
}

/* Finds its context or its known frames. */
static void
cut(struct reader *rd, struct folded_stack *s, struct text text)
{
	const struct contexts *contexts = dict_contexts(rd->d->dict);
	struct text frame;
	size_t from, end;
	uint32_t id;

	if (folded_recent_find(rd->recent, text, &s->ctx)) {
		s->known.n = 0;
		return;
	}
	s->ctx = NO_ID;
	from = begin_like_last(rd, s, text);
	s->text = text;
	for (; from <= text.n; from = end + 1) {
		end = frame_end(text, from);
		frame = (struct text){ text.s + from, end - from };
		if (!cache_find(&rd->frames, frame, cache_hash(frame), &id))
			break;
		stack_add(&s->known, contexts, id);
		s->end = mem_grow(s->end, &s->capend, s->known.n, sizeof *s->end);
		s->end[s->known.n - 1] = end;
	}
	s->from = from;
	rd->batch.last = s;
	contexts_prefetch(contexts, s->known.v, s->known.n);
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
	folded_recent_keep(&rd->recent, s->text, id);
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

	for (i = 0; i < BATCH; i++) {
		stack_free(&b->line[i].stack.known);
		free(b->line[i].stack.end);
	}
}
