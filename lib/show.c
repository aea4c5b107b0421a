/* SPDX-License-Identifier: ISC */
#include "show.h"

size_t
show_columns(struct text t)
{
	size_t i, n = 0;

	for (i = 0; i < t.n; i++)
		n += ((unsigned char)t.s[i] & 0xc0) != 0x80;
	return n;
}

void
show_add(struct buf *b, struct text t)
{
	size_t i, from = 0;

	for (i = 0; i < t.n; i++) {
		unsigned char c = (unsigned char)t.s[i];

		if (c >= 0x20 && c != 0x7f)
			continue;
		buf_add(b, t.s + from, i - from);
		buf_printf(b, "\\x%02x", c);
		from = i + 1;
	}
	buf_add(b, t.s + from, t.n - from);
}

/* The byte at which character k begins. */
static size_t
byte_of(struct text t, size_t k)
{
	size_t i;

	for (i = 0; i < t.n; i++)
		if (((unsigned char)t.s[i] & 0xc0) != 0x80 && k-- == 0)
			break;
	return i;
}

void
show_shortened(struct buf *b, struct text t, size_t width)
{
	size_t n = show_columns(t), head, tail, from;

	if (n <= width || width < 4) {
		show_add(b, t);
		return;
	}
	head = (width - 1) / 2;
	tail = width - 1 - head;
	show_add(b, (struct text){ t.s, byte_of(t, head) });
	buf_puts(b, "\xe2\x80\xa6");
	from = byte_of(t, n - tail);
	show_add(b, (struct text){ t.s + from, t.n - from });
}
