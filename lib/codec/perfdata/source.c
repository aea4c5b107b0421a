/* SPDX-License-Identifier: ISC */
/* The bytes of a recording: a file is read at any offset; a pipe, or compressed input, is
 * read as a whole, unless it has the form for pipes. */
#include "perfdata.h"

int
pd_source_open(struct source *s, struct input *in, bool pipe_form)
{
	const char *p;
	size_t n;

	s->in = in;
	if (in_seekable(in, &s->size) || pipe_form)
		return 0;
	if (in_all(in, &p, &n) < 0)
		return -1;
	s->all = p;
	s->size = s->n = n;
	return 0;
}

long
pd_source_read(struct source *s, char *to, size_t n, uint64_t at)
{
	if (!s->all)
		return in_read_at(s->in, to, n, at);
	if (at >= s->n)
		return 0;
	n = n < s->n - at ? n : s->n - (size_t)at;
	memcpy(to, s->all + at, n);
	return (long)n;
}
