/* SPDX-License-Identifier: ISC */
/* xz (xz-file-format.txt 1.2.1 of XZ Utils), by liblzma. */
#include "io/unpack.h"

#ifdef HAVE_LIBLZMA
#include <stdlib.h>

#include <lzma.h>

#include "util/mem.h"

#define LIBLZMA(F) F(lzma_stream_decoder) F(lzma_code) F(lzma_end) F(lzma_version_string)

LIBRARY(liblzma, LIBLZMA, "liblzma.so.5");

/* A header may ask for a dictionary of 4 GiB; `xz -9` asks for 64 MiB. */
#define MOST_MEMORY ((uint64_t)128 << 20)

/* Fails for checksums of kinds that this liblzma does not support, as it would not check
 * them. */
static void
xz_again(void *arg)
{
	if (liblzma.lzma_stream_decoder(arg, MOST_MEMORY, LZMA_TELL_UNSUPPORTED_CHECK) != LZMA_OK)
		mem_fail(0);
}

static void *
xz_begin(void)
{
	lzma_stream *z = mem_alloc(1, sizeof *z);

	*z = (lzma_stream)LZMA_STREAM_INIT;
	xz_again(z);
	return z;
}

static const char *
xz_wrong(lzma_ret r)
{
	switch (r) {
	case LZMA_MEMLIMIT_ERROR: return "it needs more than 128 MiB of memory";
	case LZMA_FORMAT_ERROR: return "incorrect header";
	case LZMA_OPTIONS_ERROR: return "an unknown filter or option";
	case LZMA_UNSUPPORTED_CHECK: return "an unknown kind of checksum";
	default: return "incorrect data or checksum";
	}
}

static int
xz_step(void *arg, struct zip_span *s, const char **why)
{
	lzma_stream *z = arg;
	lzma_ret r;

	ZIP_LEND(z, s);
	r = liblzma.lzma_code(z, LZMA_RUN);
	ZIP_TAKE_BACK(z, s);
	if (r == LZMA_MEM_ERROR)
		mem_fail(0);
	/* LZMA_BUF_ERROR: there was nothing to do. */
	if (r == LZMA_OK || r == LZMA_STREAM_END || r == LZMA_BUF_ERROR)
		return r == LZMA_STREAM_END;
	*why = xz_wrong(r);
	return -1;
}

static void
xz_end(void *arg)
{
	liblzma.lzma_end(arg);
	free(arg);
}

static void
xz_version(struct buf *b)
{
	buf_printf(b, "liblzma %s", liblzma.lzma_version_string());
}

static const struct unpacker xz = { &liblzma_library, "\xfd", NULL, xz_begin, xz_again,
    xz_step, xz_end, xz_version };

const struct unpacker *const unpack_xz = &xz;
#else
const struct unpacker *const unpack_xz = NULL;
#endif
