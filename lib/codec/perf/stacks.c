/* SPDX-License-Identifier: ISC */
/* The stacks of samples.  A stack equal to a recent one is found by its bytes as a
 * whole. */
#include "reader.h"

#include <stdlib.h>

#include "util/mem.h"

#define BEGIN 64		/* bytes of a stack, about the length of a frame */
#define END 32			/* and bytes of its end */
#define RECENT 4096		/* number of beginnings that are kept */
#define LONG 4096		/* bytes of a stack that is too long to be kept */

/* Each is at the hash of its beginning.  Only one that comes again is kept, as many never
 * do; their hashes show that without the memory that texts take. */
struct recent {
	uint32_t came[RECENT];	/* the hash of the last one here, */
	uint32_t begin[RECENT];	/* and of the beginning of the one that is kept */
	struct {
		struct buf text;
		uint64_t lines;
		uint32_t ctx;
	} v[RECENT];
};

void
perf_stacks_init(struct recent_stacks *s)
{
	s->recent = mem_alloc(1, sizeof *s->recent);
}

static uint32_t
hash_begin(const char *p)
{
	return hash_upper(hash_bytes(p, BEGIN));
}

int
perf_stack_put_known(struct reader *rd, const char *p, const char *end, const char **after)
{
	const struct recent *r = rd->stacks.recent;
	uint32_t h, at;
	size_t n;

	if (end - p <= BEGIN)
		return 0;
	h = hash_begin(p);
	at = h % RECENT;
	if (r->begin[at] != h)
		return 0;
	n = r->v[at].text.n;
	if (!n || (size_t)(end - p) <= n || perf_blank(p[n]) ||
	    memcmp(p, r->v[at].text.s, n) != 0)
		return 0;
	*after = p + n;
	rd->stacks.texts += rd->samples.inlined.n != 0;
	rd->d->at.line += r->v[at].lines;
	return perf_samples_put(rd, r->v[at].ctx) < 0 ? -1 : 1;
}

static void
remember(struct recent *r, struct text t, uint64_t lines, uint32_t ctx)
{
	uint32_t h, at, hash;

	if (t.n < BEGIN || t.n > LONG || *t.s != '\t')
		return;
	h = hash_begin(t.s);
	at = h % RECENT;
	hash = hash_upper(hash_number(h, hash_bytes(t.s + t.n - END, END)) + t.n);
	if (r->came[at] == hash) {
		r->begin[at] = h;
		r->v[at].text.n = 0;
		buf_text(&r->v[at].text, t);
		r->v[at].lines = lines;
		r->v[at].ctx = ctx;
	}
	r->came[at] = hash;
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
		remember(rd->stacks.recent, (struct text){ p, (size_t)(end - p) }, lines, ctx);
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
		buf_free(&s->recent->v[i].text);
	free(s->recent);
}
