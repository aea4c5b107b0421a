/* SPDX-License-Identifier: ISC */
/*
 * Formats of compression that are read by a library that a build may lack, or the machine:
 * unpack_NAME.c is the one file that includes it.  Only zip.c, which tells them apart,
 * calls them.
 */
#ifndef PROF_IO_UNPACK_H
#define PROF_IO_UNPACK_H

#include "io/zip_span.h"
#include "util/buf.h"
#include "util/library.h"

/* One unpacks a single stream or frame after the other, as zip.c has it. */
struct unpacker {
	struct library *library;	/* to load before all else; NULL: it is linked */
	const char *first;	/* what the first byte of a stream may be, */
	const char *second;	/* and the second; NULL: any */
	/* Ready for the first stream; freed by end().  Does not return without memory. */
	void *(*begin)(void);
	/* Another stream begins; the one before has ended. */
	void (*again)(void *);
	/* Advances s.  1 at the end of a stream, whose checksums are right, 0 if there
	 * is more to come; -1 with *why set to a static text. */
	int (*step)(void *, struct zip_span *s, const char **why);
	void (*end)(void *);
	void (*version)(struct buf *b);	/* adds "liblzma 5.4.1" */
};

/* NULL where the program was built without the library.  ISA-L inflates gzip. */
extern const struct unpacker *const unpack_isal, *const unpack_xz, *const unpack_bzip2,
    *const unpack_lz4;

#endif
