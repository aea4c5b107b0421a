/* SPDX-License-Identifier: ISC */
/* The input and output bytes that compression and decompression advance over. */
#ifndef PROF_IO_ZIP_SPAN_H
#define PROF_IO_ZIP_SPAN_H

#include <stddef.h>

struct zip_span {
	const char *in;
	size_t nin;		/* input left */
	char *out;
	size_t nout;		/* output left */
};

/* Advances by the bytes that were read and written. */
static inline void
zip_advance(struct zip_span *s, size_t in, size_t out)
{
	s->in += in;
	s->nin -= in;
	s->out += out;
	s->nout -= out;
}

#endif
