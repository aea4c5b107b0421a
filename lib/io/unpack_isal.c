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

/* ISA-L counts in unsigned int. */
#define CHUNK ((size_t)1 << 30)

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
	size_t nin = s->nin < CHUNK ? s->nin : CHUNK;
	size_t nout = s->nout < CHUNK ? s->nout : CHUNK;
	int r;

	z->next_in = (uint8_t *)(uintptr_t)s->in;
	z->avail_in = (uint32_t)nin;
	z->next_out = (uint8_t *)s->out;
	z->avail_out = (uint32_t)nout;
	if ((r = libisal.isal_inflate(z)) < 0) {
		*why = isal_wrong(r);
		return -1;
	}
	zip_advance(s, nin - z->avail_in, nout - z->avail_out);
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
