/* SPDX-License-Identifier: ISC */
/* bzip2, by libbz2. */
#include "io/unpack.h"

#ifdef HAVE_LIBBZ2
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <bzlib.h>

#include "util/mem.h"

#define LIBBZ2(F) F(BZ2_bzDecompressInit) F(BZ2_bzDecompress) F(BZ2_bzDecompressEnd) \
	F(BZ2_bzlibVersion)

/* The name in Debian, and in other distributions. */
LIBRARY(libbz2, LIBBZ2, "libbz2.so.1.0", "libbz2.so.1");

static void *
bzip2_begin(void)
{
	bz_stream *z = mem_alloc(1, sizeof *z);

	if (libbz2.BZ2_bzDecompressInit(z, 0, 0) != BZ_OK)
		mem_fail(0);
	return z;
}

static void
bzip2_again(void *arg)
{
	bz_stream *z = arg;

	libbz2.BZ2_bzDecompressEnd(z);
	memset(z, 0, sizeof *z);
	if (libbz2.BZ2_bzDecompressInit(z, 0, 0) != BZ_OK)
		mem_fail(0);
}

static int
bzip2_step(void *arg, struct zip_span *s, const char **why)
{
	bz_stream *z = arg;
	int r;

	ZIP_LEND(z, s);
	r = libbz2.BZ2_bzDecompress(z);
	ZIP_TAKE_BACK(z, s);
	if (r == BZ_MEM_ERROR)
		mem_fail(0);
	if (r == BZ_OK || r == BZ_STREAM_END)
		return r == BZ_STREAM_END;
	*why = r == BZ_DATA_ERROR_MAGIC ? "incorrect header" : "incorrect data or checksum";
	return -1;
}

static void
bzip2_end(void *arg)
{
	libbz2.BZ2_bzDecompressEnd(arg);
	free(arg);
}

/* "1.0.8, 13-Jul-2019" */
static void
bzip2_version(struct buf *b)
{
	const char *v = libbz2.BZ2_bzlibVersion();

	buf_printf(b, "libbz2 %.*s", (int)strcspn(v, ","), v);
}

static const struct unpacker bzip2 = { &libbz2_library, "B", NULL, bzip2_begin, bzip2_again,
    bzip2_step, bzip2_end, bzip2_version };

const struct unpacker *const unpack_bzip2 = &bzip2;
#else
const struct unpacker *const unpack_bzip2 = NULL;
#endif
