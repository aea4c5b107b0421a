/* SPDX-License-Identifier: ISC */
#include "dot.h"

#include "util/printable.h"

/* Adds bytes that are not UTF-8, and control characters other than newlines, as \xHH: with
 * such bytes Graphviz would take the whole text for another encoding, or end. */
static void
add_clean(struct buf *b, struct text t)
{
	const unsigned char *p = (const unsigned char *)t.s;
	size_t i, n, from = 0;

	for (i = 0; i < t.n; i += n) {
		const size_t len = printable_utf8(p + i, t.n - i);

		n = len ? len : 1;
		if (len && (p[i] == '\n' || !printable_is_control(p + i, len)))
			continue;
		buf_add(b, t.s + from, i - from);
		for (from = i; from < i + n; from++)
			buf_printf(b, "\\x%02x", p[from]);
	}
	buf_add(b, t.s + from, t.n - from);
}

void
dot_quote(struct buf *b, struct text t, enum dot_text as)
{
	static const struct { const char *eol, *backslash; } escape[] = {
		[DOT_CENTERED] = { "\\n", "\\\\" }, [DOT_LEFT] = { "\\l", "\\\\" },
		[DOT_TOOLTIP] = { "\\n", "\\\\\\\\" },
	};
	struct buf clean = { 0 };
	size_t i;

	add_clean(&clean, t);
	buf_putc(b, '"');
	for (i = 0; i < clean.n; i++) {
		const char c = clean.s[i];

		if (c == '\n')
			buf_puts(b, escape[as].eol);
		else if (c == '&')
			buf_puts(b, "&amp;");
		else if (c == '\\')
			buf_puts(b, escape[as].backslash);
		else if (c == '"')
			buf_puts(b, "\\\"");
		else
			buf_putc(b, c);
	}
	buf_putc(b, '"');
	buf_free(&clean);
}

/* ---- names ---- */

bool
dot_add_name(struct buf *b, struct text name, size_t width)
{
	struct buf clean = { 0 };
	bool whole;

	add_clean(&clean, name.s ? name : TEXT("???"));
	whole = printable_columns(buf_as_text(&clean)) <= width;
	printable_shortened(b, buf_as_text(&clean), width);
	buf_free(&clean);
	return whole;
}

#define LINES 3

/* May a line end after this character? */
static bool
ends_part(char c)
{
	return strchr(" ,;:>)/._-", c) != NULL;
}

/* Returns how much of t, which is longer, goes on a line: up to a good place in its second
 * half, or all that fits. */
static size_t
line_length(struct text t, size_t width)
{
	size_t i, n = 0, best = 0;

	for (i = 0; i < t.n; i++) {
		if (((unsigned char)t.s[i] & 0xc0) != 0x80 && n++ == width)
			break;
		if (n > width / 2 && ends_part(t.s[i]) &&
		    !(i + 1 < t.n && ends_part(t.s[i + 1])))
			best = i + 1;
	}
	return best ? best : i;
}

void
dot_add_lines(struct buf *b, struct text t, size_t width)
{
	struct buf line = { 0 };
	struct text rest;
	size_t n;

	dot_add_name(&line, t, LINES * width);
	/* A slightly longer line is better than a few letters on a line of their own. */
	for (rest = buf_as_text(&line); printable_columns(rest) > width + width / 4; rest.n -= n) {
		n = line_length(rest, width);
		buf_add(b, rest.s, n);
		buf_putc(b, '\n');
		rest.s += n;
	}
	buf_text(b, rest);
	buf_free(&line);
}
