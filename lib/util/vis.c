/* SPDX-License-Identifier: ISC */
#include "util/vis.h"

#include <string.h>

size_t
vis_utf8(const unsigned char *p, size_t n)
{
	size_t len, i;

	if (p[0] < 0x80)
		return 1;
	len = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
	if (p[0] < 0xc2 || p[0] > 0xf4 || n < len)
		return 0;
	for (i = 1; i < len; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return len;
}

size_t
vis_columns(struct text t)
{
	size_t i, n = 0;

	for (i = 0; i < t.n; i++)
		n += ((unsigned char)t.s[i] & 0xc0) != 0x80;
	return n;
}

bool
vis_is_control(const unsigned char *p, size_t n)
{
	if (n <= 1)		/* not UTF-8: may be a control of an 8-bit terminal */
		return p[0] < 0x20 || (p[0] >= 0x7f && p[0] < 0xa0);
	if (n == 2)		/* U+0080 to U+009F, U+061C */
		return (p[0] == 0xc2 && p[1] < 0xa0) || (p[0] == 0xd8 && p[1] == 0x9c);
	/* U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069 */
	return n == 3 && p[0] == 0xe2 && ((p[1] == 0x80 &&
	    (p[2] == 0x8e || p[2] == 0x8f || (p[2] >= 0xa8 && p[2] <= 0xae))) ||
	    (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9));
}

/* keep: control characters to leave as they are. */
static void
add(struct buf *b, struct text t, const char *keep)
{
	const unsigned char *p = (const unsigned char *)t.s;
	size_t i, n, from = 0;

	for (i = 0; i < t.n; i += n) {
		const size_t len = vis_utf8(p + i, t.n - i);

		n = len ? len : 1;
		if (!vis_is_control(p + i, len) || (p[i] && strchr(keep, p[i])))
			continue;
		buf_add(b, t.s + from, i - from);
		for (from = i; from < i + n; from++)
			buf_printf(b, "\\x%02x", p[from]);
	}
	buf_add(b, t.s + from, t.n - from);
}

void
vis_add(struct buf *b, struct text t)
{
	add(b, t, "");
}

void
vis_lines(struct buf *b, struct text t)
{
	add(b, t, "\t\n");
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
vis_shortened(struct buf *b, struct text t, size_t width)
{
	size_t n = vis_columns(t), head, tail, from;

	if (n <= width || width < 4) {
		vis_add(b, t);
		return;
	}
	head = (width - 1) / 2;
	tail = width - 1 - head;
	vis_add(b, (struct text){ t.s, byte_of(t, head) });
	buf_puts(b, "\xe2\x80\xa6");
	from = byte_of(t, n - tail);
	vis_add(b, (struct text){ t.s + from, t.n - from });
}
