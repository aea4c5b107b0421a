/* SPDX-License-Identifier: ISC */
/* Numbers and names of a page, and its lines. */
#include "view/page.h"

#include "util/vis.h"

void
page_add_value(struct buf *b, struct value v, enum page_digits digits)
{
	char tmp[NUM_TEXT];

	if (v.kind == ABSENT)
		buf_putc(b, '-');
	else if (v.kind == RATIO)
		buf_printf(b, "%.6g", v.ratio);
	else
		buf_add(b, tmp, (size_t)((digits == DIGITS_GROUPED ?
		    num_put_grouped(tmp, v.n) : num_put_num(tmp, v.n)) - tmp));
}

/* Hundredths, as gprof has them, or millionths where there is little. */
void
page_add_shown(struct buf *b, const struct metric *m, struct value v)
{
	if (v.kind != WHOLE || m->per == 1)
		page_add_value(b, v, DIGITS_GROUPED);
	else
		num_add_parts(b, v.n, m->per, m->little ? 6 : 2);
}

void
page_add_name(struct buf *b, const struct metric *m)
{
	vis_add(b, m->name);
	if (m->unit.s) {
		buf_putc(b, '/');
		vis_add(b, m->unit);
	}
}

void
page_add_amount(struct buf *b, const struct metric *m, struct value v)
{
	page_add_shown(b, m, v);
	buf_putc(b, ' ');
	if (m->unit.s) {
		vis_add(b, m->unit);
		buf_puts(b, " of ");
	}
	vis_add(b, m->name);
}

void
page_flush(struct page *p)
{
	const size_t width = p->t->v->width;
	struct buf wrapped = { 0 };

	if (width && p->line.n > width) {
		vis_wrap(&wrapped, buf_as_text(&p->line), width);
		buf_free(&p->line);
		p->line = wrapped;
	}
	buf_putc(&p->line, '\n');
	out_write(p->out, p->line.s, p->line.n);
	p->line.n = 0;
}

size_t
page_room(const struct page *p, size_t least)
{
	const size_t width = p->t->v->width, n = vis_line_columns(buf_as_text(&p->line));

	return !width ? SIZE_MAX : width > n + least ? width - n : least;
}
