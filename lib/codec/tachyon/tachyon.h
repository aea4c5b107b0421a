/* SPDX-License-Identifier: ISC */
/*
 * Binary files of CPython's sampling profiler, "python -m profiling.sampling --binary", as
 * InternalDocs/profiling_binary_format.md of CPython describes them: a header, samples, the
 * strings and frames that they refer to, and a footer.
 *
 *	tachyon.c	the format: header and footer
 *	tables.c	strings and frames
 *	samples.c	samples
 */
#ifndef PROF_CODEC_TACHYON_TACHYON_H
#define PROF_CODEC_TACHYON_TACHYON_H

#include <string.h>

#include "stream/codec.h"

#define TACHYON_HEADER 64
#define TACHYON_FOOTER 32

struct tachyon_frame {
	uint32_t func, file, line;	/* definitions, and a string; NO_ID: none */
};

struct tachyon {
	struct decode *d;
	struct text file;	/* the whole input */
	bool swapped;		/* its fixed numbers are in the other byte order */
	uint64_t interval, samples, strings_at, frames_at;
	uint32_t nstring, nframe, threads, compression, mode;
	uint32_t *string;	/* strings of the dictionary */
	struct tachyon_frame *frame;
};

/* Fixed numbers, of the byte order of the file. */
static inline uint32_t
tachyon_u32(const struct tachyon *t, const char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return t->swapped ? __builtin_bswap32(v) : v;
}

static inline uint64_t
tachyon_u64(const struct tachyon *t, const char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return t->swapped ? __builtin_bswap64(v) : v;
}

/* Fails with an error at this byte of the file: -1. */
#define TACHYON_FAIL(t, p, ...) ((t)->d->at.bytes = true, \
	(t)->d->at.line = (uint64_t)((p) - (t)->file.s), diag_fail((t)->d->diag, __VA_ARGS__))

/* Reads strings and frames, and defines files and functions.  0, or -1 with the diag set. */
int tachyon_read_tables(struct tachyon *t);

/* Reads and puts the samples.  0, or -1 with the diag set. */
int tachyon_put_samples(struct tachyon *t);

#endif
