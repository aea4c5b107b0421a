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

#endif
