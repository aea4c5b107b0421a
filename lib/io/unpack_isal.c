/* SPDX-License-Identifier: ISC */
/* gzip, by ISA-L. */
#include "io/unpack.h"

#ifdef HAVE_ISAL
#include <stdint.h>
#include <stdlib.h>

#include <isa-l/igzip_lib.h>

#include "util/mem.h"

#define LIBISAL(F) F(isal_inflate_init) F(isal_inflate_reset) F(isal_inflate)

LIBRARY(libisal, LIBISAL, "libisal.so.2");

static void *
isal_begin(void)
{
	struct inflate_state *z = mem_alloc(1, sizeof *z);

	libisal.isal_inflate_init(z);
	z->crc_flag = ISAL_GZIP;
	return z;
}

static void
isal_again(void *arg)
{
	struct inflate_state *z = arg;

	libisal.isal_inflate_reset(z);
	z->crc_flag = ISAL_GZIP;
}

static const char *
isal_wrong(int r)
{
	switch (r) {
	case ISAL_INCORRECT_CHECKSUM: return "incorrect data check";
	case ISAL_INVALID_LOOKBACK: return "invalid distance too far back";
	case ISAL_INVALID_WRAPPER: return "incorrect header check";
	case ISAL_UNSUPPORTED_METHOD: return "unknown compression method";
	default: return "corrupt data";
	}
}

static int
isal_step(void *arg, struct zip_span *s, const char **why)
{
	struct inflate_state *z = arg;
	int r;

	ZIP_LEND(z, s);
	if ((r = libisal.isal_inflate(z)) < 0) {
		*why = isal_wrong(r);
		return -1;
	}
	ZIP_TAKE_BACK(z, s);
	return z->block_state == ISAL_BLOCK_FINISH;
}

static void
isal_version(struct buf *b)
{
	buf_puts(b, "ISA-L");
}

static const struct unpacker isal = { &libisal_library, "\x1f", "\x8b", isal_begin, isal_again,
    isal_step, free, isal_version };

const struct unpacker *const unpack_isal = &isal;
#else
const struct unpacker *const unpack_isal = NULL;
#endif
