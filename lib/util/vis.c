/* SPDX-License-Identifier: ISC */
#include "util/vis.h"

#include <stdint.h>
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

/* Controls, changes of direction, what has no width or is blank, and no characters; of all
 * planes the last two are none, too. */
static const struct { uint32_t from, to; } controls[] = {
	{ 0, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x34f, 0x34f }, { 0x61c, 0x61c },
	{ 0x115f, 0x1160 }, { 0x17b4, 0x17b5 }, { 0x180b, 0x180f }, { 0x200b, 0x200f },
	{ 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0x3164, 0x3164 }, { 0xfdd0, 0xfdef },
	{ 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb },
	{ 0xe0000, 0xe0fff },
};

/* The character of a sequence of n bytes. */
static uint32_t
character(const unsigned char *p, size_t n)
{
	uint32_t c = n < 2 ? p[0] : p[0] & (0x7fu >> n);
	size_t i;

	for (i = 1; i < n; i++)
		c = c << 6 | (p[i] & 0x3f);
	return c;
}

bool
vis_is_control(const unsigned char *p, size_t n)
{
	uint32_t c;
	size_t i;

	if (n <= 1)		/* not UTF-8: may be a control of an 8-bit terminal */
		return p[0] < 0x20 || (p[0] >= 0x7f && p[0] < 0xa0);
	c = character(p, n);
	for (i = 0; i < sizeof controls / sizeof *controls && c > controls[i].to; i++)
		;
	return (c & 0xfffe) == 0xfffe ||
	    (i < sizeof controls / sizeof *controls && c >= controls[i].from);
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
