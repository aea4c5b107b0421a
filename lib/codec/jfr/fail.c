/* SPDX-License-Identifier: ISC */
#include "jfr.h"

#include <stdarg.h>

__attribute__((format(printf, 3, 0)))
static void
fail(struct jfr *j, const char *at, const char *fmt, va_list ap)
{
	struct buf b = { 0 };

	buf_vprintf(&b, fmt, ap);
	j->d->at.line = j->source.at + (at ? (uint64_t)(at - j->source.buf.s) : 0);
	diag_fail(j->d->diag, "%s", buf_str(&b));
	buf_free(&b);
}

int
jfr_fail(struct jfr *j, const char *at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fail(j, at, fmt, ap);
	va_end(ap);
	return -1;
}

int
jfr_bad(struct jfr *j, const char *at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fail(j, at, fmt, ap);
	va_end(ap);
	return LINE_BAD;
}
