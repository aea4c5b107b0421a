/* SPDX-License-Identifier: ISC */
#include "perfdata.h"

#include <stdarg.h>

static void
set_place(struct perfdata *pd)
{
	pd->d->at.file = pd->of ? pd->siblings.v[pd->of - 1].path : in_name(pd->d->in);
	pd->d->at.line = pd->at;
	pd->d->at.bytes = true;
}

int
perf_fail(struct perfdata *pd, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	set_place(pd);
	diag_fail(pd->d->diag, "%s", buf_str(&b));
	pd->d->at.file = in_name(pd->d->in);
	buf_free(&b);
	return -1;
}

int
perf_cut(struct perfdata *pd, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;
	int ret;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	set_place(pd);
	ret = decode_cut(pd->d, "%s", buf_str(&b));
	pd->d->at.file = in_name(pd->d->in);
	buf_free(&b);
	return ret;
}
