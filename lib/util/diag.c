/* SPDX-License-Identifier: ISC */
#include "util/diag.h"

#include <inttypes.h>
#include <stdio.h>

static void
add_place(const struct diag *d, struct buf *b)
{
	const struct cursor *at = d->at;

	if (!at || !at->file)
		return;
	if (at->bytes)
		buf_printf(b, "%s: byte %" PRIu64 ": ", at->file, at->line);
	else if (at->line)
		buf_printf(b, "%s:%" PRIu64 ": ", at->file, at->line);
	else
		buf_printf(b, "%s: ", at->file);
}

int
diag_fail(struct diag *d, const char *fmt, ...)
{
	va_list ap;

	if (d->error.n)
		return -1;
	add_place(d, &d->error);
	va_start(ap, fmt);
	buf_vprintf(&d->error, fmt, ap);
	va_end(ap);
	return -1;
}

int
diag_fail_plain(struct diag *d, const char *fmt, ...)
{
	va_list ap;

	if (d->error.n)
		return -1;
	va_start(ap, fmt);
	buf_vprintf(&d->error, fmt, ap);
	va_end(ap);
	return -1;
}

int
diag_too_large(struct diag *d, const char *what)
{
	return diag_fail(d, "%s does not fit 128 bits", what);
}

int
diag_stop(struct diag *d)
{
	d->stopped = true;
	return -1;
}

void
diag_say(struct diag *d, enum diag_level level, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;

	if (!d->say)
		return;
	add_place(d, &b);
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	d->say(d->arg, level, buf_str(&b));
	buf_free(&b);
}

void
diag_demote(struct diag *d, enum diag_level level, const char *prefix)
{
	struct buf b = { 0 };

	buf_puts(&b, prefix);
	buf_text(&b, buf_as_text(&d->error));
	d->error.n = 0;
	d->hint = NULL;
	if (d->say)
		d->say(d->arg, level, buf_str(&b));
	buf_free(&b);
}

const char *
diag_quote(const char *s, size_t n)
{
	static char slot[4][256];	/* the most quotes that one message has */
	static unsigned turn;
	char *out = slot[turn++ % 4], *p = out;
	size_t i;

	*p++ = '\'';
	for (i = 0; i < n && i < 60; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c < 0x20 || c == 0x7f)
			p += snprintf(p, 5, "\\x%02x", c);
		else
			*p++ = (char)c;
	}
	if (i < n)
		p += snprintf(p, 4, "...");
	*p++ = '\'';
	*p = '\0';
	return out;
}
