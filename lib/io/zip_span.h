/* SPDX-License-Identifier: ISC */
/* What compression and decompression go along: bytes in, bytes out. */
#ifndef PROF_IO_ZIP_SPAN_H
#define PROF_IO_ZIP_SPAN_H

#include <stddef.h>

struct zip_span {
	const char *in;
	size_t nin;		/* what is left of the input */
	char *out;
	size_t nout;		/* what is left of the output */
};

/* Goes past what was read and written. */
static inline void
zip_advance(struct zip_span *s, size_t in, size_t out)
{
	s->in += in;
	s->nin -= in;
	s->out += out;
	s->nout -= out;
}

#endif
