/* SPDX-License-Identifier: ISC */
/* The stacks of samples.  A stack equal to a recent one is found by its bytes as a
 * whole. */
#include "reader.h"

#include <stdlib.h>

#include "util/mem.h"

#define BEGIN 64		/* bytes of a stack, about the length of a frame */
#define RECENT 4096		/* number of beginnings that are kept */
#define LONG 4096		/* bytes of a stack that is too long to be kept */

struct stack {
	struct buf text;
	uint64_t lines;
	uint32_t ctx;
};

void
perf_stacks_init(struct recent_stacks *s)
{
	s->recent = mem_alloc(RECENT, sizeof *s->recent);
}

/* Returns the entry for stacks that begin with these bytes. */
static struct stack *
recent(const struct recent_stacks *s, const char *p)
{
	return &s->recent[hash_bytes(p, BEGIN) % RECENT];
}

int
perf_stack_put_known(struct reader *rd, const char *p, const char *end, const char **after)
{
	const struct stack *s;
	size_t n;

	if (end - p <= BEGIN)
		return 0;
	s = recent(&rd->stacks, p);
	n = s->text.n;
	if (!n || (size_t)(end - p) <= n || perf_blank(p[n]) ||
	    memcmp(p, s->text.s, n) != 0)
		return 0;
	*after = p + n;
	rd->stacks.texts += rd->samples.inlined.n != 0;
	rd->d->at.line += s->lines;
	return perf_samples_put(rd, s->ctx) < 0 ? -1 : 1;
}

static void
remember(struct recent_stacks *stacks, struct text t, uint64_t lines, uint32_t ctx)
{
	struct stack *s;

	if (t.n < BEGIN || t.n > LONG || *t.s != '\t')
		return;
	s = recent(stacks, t.s);
	s->text.n = 0;
	buf_text(&s->text, t);
	s->lines = lines;
	s->ctx = ctx;
}

/* Do these lines begin with a frame, so that the text on the event's line is not one? */
static bool
begins_with_frame(const char *p, const char *end)
{
	const char *lf = memchr(p, '\n', (size_t)(end - p));
	struct perf_frame f;

	return *p == '\t' || perf_frame_line(p, lf ? lf : end, &f);
}

int
perf_stack_put(struct reader *rd, const char *p, const char *end, uint64_t lines)
{
	const bool text = rd->samples.inlined.n, alone = !text || begins_with_frame(p, end);
	uint32_t ctx = NO_ID;
	int ret = 0;

	rd->frames.n = 0;
	rd->frames.odd = false;
	/* A frame on the event's line comes before those below it. */
	if (!alone && (ret = perf_frames_add(rd, buf_as_text(&rd->samples.inlined))) < 0)
		return -1;
	rd->stacks.texts += text && (alone || !ret);
	if (perf_frames_read(rd, p, end) < 0 || perf_frames_put(rd, &ctx) < 0)
		return -1;
	if (alone && !rd->frames.odd)
		remember(&rd->stacks, (struct text){ p, (size_t)(end - p) }, lines, ctx);
	return perf_samples_put(rd, ctx);
}

int
perf_stack_put_none(struct reader *rd)
{
	uint32_t ctx = NO_ID;
	int ret;

	rd->frames.n = 0;
	if ((ret = perf_frames_add(rd, buf_as_text(&rd->samples.inlined))) < 0 ||
	    perf_frames_put(rd, &ctx) < 0)
		return -1;
	rd->stacks.texts += rd->samples.inlined.n && !ret;
	return perf_samples_put(rd, ctx);
}

void
perf_stacks_free(struct recent_stacks *s)
{
	size_t i;

	for (i = 0; i < RECENT; i++)
		buf_free(&s->recent[i].text);
	free(s->recent);
}
