/* SPDX-License-Identifier: ISC */
#include "view/page.h"

#include "util/mem.h"
#include "util/printable.h"

void
page_paint(struct page *p, const char *code)
{
	if (p->color)
		buf_printf(&p->line, "\033[%s%sm", code,
		    p->bold && strcmp(code, PAINT_PLAIN) == 0 ? ";1" : "");
}

void
page_bold(struct page *p, bool bold)
{
	p->bold = bold;
	page_paint(p, bold ? "1" : PAINT_PLAIN);
}

void
page_item(struct page *p, size_t of)
{
	struct page_items *l = p->items;

	if (!l)
		return;
	l->v = mem_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = (struct page_item){ p->out->n, (uint32_t)of };
}

void
page_body(struct page *p)
{
	if (p->items && !p->items->body)
		p->items->body = p->out->n;
}

void
page_flush(struct page *p)
{
	struct buf wrapped = { 0 };

	if (p->width && p->line.n > p->width) {
		printable_wrap(&wrapped, buf_as_text(&p->line), p->width);
		buf_free(&p->line);
		p->line = wrapped;
	}
	buf_putc(&p->line, '\n');
	out_write(p->out, p->line.s, p->line.n);
	p->line.n = 0;
}

void
page_flush_trimmed(struct page *p)
{
	while (p->line.n && p->line.s[p->line.n - 1] == ' ')
		p->line.n--;
	page_flush(p);
}

void
page_put_line(struct page *p, const char *text)
{
	buf_puts(&p->line, text);
	page_flush(p);
}

size_t
page_room(const struct page *p, size_t least)
{
	const size_t n = printable_line_columns(buf_as_text(&p->line));

	return !p->width ? SIZE_MAX : p->width > n + least ? p->width - n : least;
}
