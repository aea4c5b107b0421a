/* SPDX-License-Identifier: ISC */
/* The bytes of a chunk, which is read as a whole: its metadata and constants are behind its
 * events. */
#include "jfr.h"

#include "util/fence.h"

int
jfr_source_fill(struct jfr *j, uint64_t n)
{
	struct jfr_source *s = &j->source;
	const size_t most = j->d->session->max_whole;
	const char *p;
	size_t got;
	int r;

	fence_lift(s->buf.s, s->buf.cap);
	while (s->buf.n < n && !s->ended) {
		if ((r = in_block(j->d->in, &p, &got)) < 0)
			return -1;
		s->ended = r == 0;
		if (r > 0)
			buf_add(&s->buf, p, got);
		if (most && s->buf.n > most)
			return jfr_fail(j, NULL, "a chunk of more than %zu MiB, which is read "
			    "whole: see --max-whole", most >> 20);
	}
	fence_put(s->buf.s + s->buf.n, s->buf.cap - s->buf.n);
	return 0;
}

void
jfr_source_next(struct jfr *j, size_t n)
{
	struct jfr_source *s = &j->source;

	memmove(s->buf.s, s->buf.s + n, s->buf.n - n);
	s->buf.n -= n;
	s->at += n;
}
