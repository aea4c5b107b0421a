/* SPDX-License-Identifier: ISC */
/*
 * Compression formats that need a library which a build or a machine may lack.
 * unpack_NAME.c is the only file that includes that library's header.  Only zip.c, which
 * recognises the formats, calls these.
 */
#ifndef PROF_IO_UNPACK_H
#define PROF_IO_UNPACK_H

#include "io/zip_span.h"
#include "util/buf.h"
#include "util/library.h"

/* Decompresses one stream or frame after the other, as zip.c has it. */
struct unpacker {
	struct library *library;	/* to load before all else; NULL: it is linked */
	const char *first;	/* the first byte that a stream may have, */
	const char *second;	/* and the second; NULL: any */
	/* Returns a decompressor that is ready for the first stream; end() frees it.  Fails
	 * only without memory, and does not return then. */
	void *(*begin)(void);
	/* Begins another stream; the one before has ended. */
	void (*again)(void *);
	/* Advances s.  Returns 1 at the end of a stream whose checksums are right, 0 if
	 * there is more to come, -1 with *why set to a static text. */
	int (*step)(void *, struct zip_span *s, const char **why);
	void (*end)(void *);
	void (*version)(struct buf *b);	/* adds "liblzma 5.4.1" */
};

/* NULL where the program was built without the library.  ISA-L inflates gzip. */
extern const struct unpacker *const unpack_isal, *const unpack_xz, *const unpack_bzip2,
    *const unpack_lz4;

#endif
