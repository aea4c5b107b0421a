/* SPDX-License-Identifier: ISC */
/* LZ4's frames (lz4_Frame_format.md 1.6.3), by liblz4. */
#include "io/unpack.h"

#ifdef HAVE_LIBLZ4

#include <lz4.h>
#include <lz4frame.h>

#include "util/mem.h"

#define LIBLZ4(F) F(LZ4F_isError) F(LZ4F_createDecompressionContext) F(LZ4F_decompress) \
	F(LZ4F_getErrorName) F(LZ4F_freeDecompressionContext) F(LZ4_versionString)

LIBRARY(liblz4, LIBLZ4, "liblz4.so.1");

static void *
lz4_begin(void)
{
	LZ4F_dctx *z;

	if (liblz4.LZ4F_isError(liblz4.LZ4F_createDecompressionContext(&z, LZ4F_VERSION)))
		mem_fail(0);
	return z;
}

/* Frames, and frames to skip, begin with a number of 4 bytes.  The end of one leaves the
 * library ready for the next. */
static void
lz4_again(void *arg)
{
	(void)arg;
}

static int
lz4_step(void *arg, struct zip_span *s, const char **why)
{
	size_t nin = s->nin, nout = s->nout;
	size_t r = liblz4.LZ4F_decompress(arg, s->out, &nout, s->in, &nin, NULL);

	if (liblz4.LZ4F_isError(r)) {
		*why = liblz4.LZ4F_getErrorName(r);
		return -1;
	}
	zip_advance(s, nin, nout);
	return r == 0;
}

static void
lz4_end(void *arg)
{
	liblz4.LZ4F_freeDecompressionContext(arg);
}

static void
lz4_version(struct buf *b)
{
	buf_printf(b, "liblz4 %s", liblz4.LZ4_versionString());
}

static const struct unpacker lz4 = { &liblz4_library, "\x04PQRSTUVWXYZ[\\]^_", NULL,
    lz4_begin, lz4_again, lz4_step, lz4_end, lz4_version };

const struct unpacker *const unpack_lz4 = &lz4;
#else
const struct unpacker *const unpack_lz4 = NULL;
#endif
