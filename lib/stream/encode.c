/* SPDX-License-Identifier: ISC */
#include "stream/encode.h"

int
encode_fail(const struct encode *e, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	diag_fail_plain(e->diag, "%s: %s", e->format, buf_str(&b));
	buf_free(&b);
	return -1;
}

int
encode_too_large(const struct encode *e, const char *what)
{
	return encode_fail(e, "%s does not fit 128 bits", what);
}
