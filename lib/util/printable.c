/* SPDX-License-Identifier: ISC */
#include "util/printable.h"

#include <stdint.h>
#include <string.h>

size_t
printable_utf8(const unsigned char *p, size_t n)
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

void
printable_add_code(struct buf *b, uint32_t c)
{
	if (c < 0x80) {
		buf_putc(b, (char)c);
	} else if (c < 0x800) {
		buf_putc(b, (char)(0xc0 | c >> 6));
		buf_putc(b, (char)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		buf_putc(b, (char)(0xe0 | c >> 12));
		buf_putc(b, (char)(0x80 | (c >> 6 & 0x3f)));
		buf_putc(b, (char)(0x80 | (c & 0x3f)));
	} else {
		buf_putc(b, (char)(0xf0 | c >> 18));
		buf_putc(b, (char)(0x80 | (c >> 12 & 0x3f)));
		buf_putc(b, (char)(0x80 | (c >> 6 & 0x3f)));
		buf_putc(b, (char)(0x80 | (c & 0x3f)));
	}
}

/* Controls, changes of direction, characters without width or ink, and code points without
 * a character.  The last two code points of each plane are also among the latter. */
static const struct { uint32_t from, to; } controls[] = {
	{ 0, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x34f, 0x34f }, { 0x61c, 0x61c },
	{ 0x115f, 0x1160 }, { 0x17b4, 0x17b5 }, { 0x180b, 0x180f }, { 0x200b, 0x200f },
	{ 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0x3164, 0x3164 }, { 0xfdd0, 0xfdef },
	{ 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb },
	{ 0xe0000, 0xe0fff },
};

/* Decodes a sequence that printable_utf8() finds valid. */
static uint32_t
code_point(const unsigned char *p, size_t n)
{
	static const unsigned char bits[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	uint32_t c = p[0] & bits[n];
	size_t i;

	for (i = 1; i < n; i++)
		c = c << 6 | (p[i] & 0x3f);
	return c;
}

bool
printable_is_control(const unsigned char *p, size_t n)
{
	uint32_t c;
	size_t i;

	if (n <= 1)		/* not UTF-8: may be a control of an 8-bit terminal */
		return p[0] < 0x20 || (p[0] >= 0x7f && p[0] < 0xa0);
	c = code_point(p, n);
	for (i = 0; i < sizeof controls / sizeof *controls && c > controls[i].to; i++)
		;
	return (c & 0xfffe) == 0xfffe ||
	    (i < sizeof controls / sizeof *controls && c >= controls[i].from);
}

/* Returns how many bytes at the beginning are visible ASCII: nearly all text is. */
static size_t
visible_ascii(struct text t)
{
	const uint64_t ones = 0x0101010101010101;
	uint64_t v;
	size_t n = 0;

	for (; t.n - n >= sizeof v; n += sizeof v) {
		memcpy(&v, t.s + n, sizeof v);
		/* The highest bit of a byte from 0x80, of 0x7f plus 1, of a byte below ' '. */
		if ((v | (v + ones) | (v - ' ' * ones)) & 0x80 * ones)
			break;
	}
	while (n < t.n && t.s[n] >= ' ' && t.s[n] < 0x7f)
		n++;
	return n;
}

#define SHOWN_BYTE 4		/* columns: "\\x1b" */

/* Returns the length of the character at the beginning of t, which is not empty, and sets
 * the width of what printable_add() makes of it. */
static size_t
next_char(struct text t, size_t *width)
{
	const unsigned char *p = (const unsigned char *)t.s;
	size_t n;

	if (*p >= ' ' && *p < 0x7f) {	/* nearly all */
		*width = 1;
		return 1;
	}
	n = printable_utf8(p, t.n);
	if (printable_is_control(p, n))
		*width = SHOWN_BYTE * (n + !n);
	else
		*width = n > 1 ? char_width(code_point(p, n)) : 1;
	return n + !n;
}

/* next_char(), or next_in_line(). */
typedef size_t next_fn(struct text t, size_t *width);

static size_t
columns_of(struct text t, next_fn *next)
{
	size_t n = 0, width, len;

	for (; t.n; t.s += len, t.n -= len) {
		len = width = visible_ascii(t);
		if (!len)
			len = next(t, &width);
		n += width;
	}
	return n;
}

/* Returns how many bytes from the beginning fit `width` columns. */
static size_t
bytes_within(struct text t, size_t width, next_fn *next)
{
	const size_t all = t.n;
	size_t wide, n;

	for (; t.n; t.s += n, t.n -= n, width -= wide) {
		n = next(t, &wide);
		if (wide > width)
			break;
	}
	return all - t.n;
}

size_t
printable_columns(struct text t)
{
	return columns_of(t, next_char);
}

/* Adds t in visible form; keep: control characters to leave alone. */
static void
add(struct buf *b, struct text t, const char *keep)
{
	const unsigned char *p = (const unsigned char *)t.s;
	size_t i, n, from = 0;

	for (i = 0; i < t.n; i += n) {
		size_t len;

		if ((n = visible_ascii((struct text){ t.s + i, t.n - i })))
			continue;
		len = printable_utf8(p + i, t.n - i);
		n = len ? len : 1;
		if (!printable_is_control(p + i, len) || (p[i] && strchr(keep, p[i])))
			continue;
		buf_add(b, t.s + from, i - from);
		for (from = i; from < i + n; from++)
			buf_printf(b, "\\x%02x", p[from]);
	}
	buf_add(b, t.s + from, t.n - from);
}

void
printable_add(struct buf *b, struct text t)
{
	add(b, t, "");
}

void
printable_lines(struct buf *b, struct text t)
{
	add(b, t, "\t\n");
}

/* Returns the byte after which at most `width` of all columns follow. */
static size_t
tail_from(struct text t, size_t all, size_t width)
{
	const char *begin = t.s;
	size_t wide, n;

	for (; t.n && all > width; t.s += n, t.n -= n) {
		n = next_char(t, &wide);
		all -= wide;
	}
	return (size_t)(t.s - begin);
}

void
printable_shortened(struct buf *b, struct text t, size_t width)
{
	const size_t all = printable_columns(t);
	size_t head, from;

	if (all <= width) {
		printable_add(b, t);
		return;
	}
	head = width ? (width - 1) / 2 : 0;
	from = tail_from(t, all, width ? width - 1 - head : 0);
	printable_add(b, (struct text){ t.s, bytes_within(t, head, next_char) });
	buf_puts(b, "\xe2\x80\xa6");
	printable_add(b, (struct text){ t.s + from, t.n - from });
}

void
printable_cut(struct buf *b, struct text t, size_t width)
{
	if (printable_columns(t) <= width) {
		printable_add(b, t);
		return;
	}
	printable_add(b, (struct text){ t.s, bytes_within(t, width ? width - 1 : 0, next_char) });
	buf_puts(b, "\xe2\x80\xa6");
}

/* ---- lines ---- */

/* Returns the length of "ESC [ ... m" at the beginning of n bytes; 0: they are something
 * else. */
static size_t
look_bytes(const unsigned char *p, size_t n)
{
	size_t i;

	if (n < 3 || p[0] != '\033' || p[1] != '[')
		return 0;
	for (i = 2; i < n && (p[i] == ';' || (p[i] >= '0' && p[i] <= '9')); i++)
		;
	return i < n && p[i] == 'm' ? i + 1 : 0;
}

/* The same as next_char() in a line that has such sequences. */
static size_t
next_in_line(struct text t, size_t *width)
{
	const size_t n = look_bytes((const unsigned char *)t.s, t.n);

	*width = 0;
	return n ? n : next_char(t, width);
}

size_t
printable_line_columns(struct text t)
{
	return columns_of(t, next_in_line);
}

/* Returns how many bytes from the beginning of a line fit `width` columns, but at least one
 * character. */
static size_t
line_bytes(struct text t, size_t width)
{
	const size_t n = bytes_within(t, width, next_in_line);
	size_t wide;

	return n || !t.n ? n : next_in_line(t, &wide);
}

/* Finds where to break t, which has more than `width` columns, and returns where the next
 * line begins; *end: the end of the first line without trailing blanks.  The break is at
 * the last blank after the first word that fits; if there is none, in the word. */
static size_t
break_at(struct text t, size_t width, size_t *end)
{
	size_t at = line_bytes(t, width), from = 0, i;

	while (from < at && t.s[from] == ' ')
		from++;
	for (i = at; i > from && t.s[i] != ' '; i--)
		;
	if (i <= from)
		i = at;
	for (*end = i; *end && t.s[*end - 1] == ' '; --*end)
		;
	while (i < t.n && t.s[i] == ' ')
		i++;
	return i;
}

#define HANG 2			/* indentation of a continuation */

static void
wrap_line(struct buf *b, struct text t, size_t width)
{
	size_t hang = 0, end, next;

	while (printable_line_columns(t) > width - hang) {
		next = break_at(t, width - hang, &end);
		buf_pad(b, hang);
		buf_add(b, t.s, end);
		hang = width > 2 * HANG ? HANG : 0;
		t.s += next;
		t.n -= next;
		if (!t.n)
			return;
		buf_putc(b, '\n');
	}
	buf_pad(b, hang);
	buf_text(b, t);
}

void
printable_wrap(struct buf *b, struct text t, size_t width)
{
	const char *newline;
	struct text line;

	while (width && (newline = memchr(t.s, '\n', t.n))) {
		line = (struct text){ t.s, (size_t)(newline - t.s) };
		wrap_line(b, line, width);
		buf_putc(b, '\n');
		t.s += line.n + 1;
		t.n -= line.n + 1;
	}
	if (width)
		wrap_line(b, t, width);
	else
		buf_text(b, t);
}
