/* SPDX-License-Identifier: ISC */
/* The input and output bytes that compression and decompression advance over. */
#ifndef PROF_IO_ZIP_SPAN_H
#define PROF_IO_ZIP_SPAN_H

#include <stddef.h>
#include <stdint.h>

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

/*
 * The streams of zlib, libbz2, ISA-L and liblzma have the same four members, and most count
 * in unsigned int.  Lends such a stream the span, or as much as it can count; then advances
 * by what it has used.
 */
#define ZIP_MOST ((size_t)1 << 30)

#define ZIP_LEND(z, s) do { \
	(z)->next_in = (void *)(uintptr_t)(s)->in; \
	(z)->avail_in = (unsigned)((s)->nin < ZIP_MOST ? (s)->nin : ZIP_MOST); \
	(z)->next_out = (void *)(s)->out; \
	(z)->avail_out = (unsigned)((s)->nout < ZIP_MOST ? (s)->nout : ZIP_MOST); \
} while (0)

#define ZIP_TAKE_BACK(z, s) zip_advance(s, (size_t)((const char *)(z)->next_in - (s)->in), \
    (size_t)((const char *)(z)->next_out - (s)->out))

#endif
