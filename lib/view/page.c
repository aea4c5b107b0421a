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

/* In a unit for people, or in its own: hundredths, as gprof has them, or millionths where
 * there is little. */
void
page_add_shown(struct buf *b, const struct metric *m, struct value v)
{
	const struct scale *s = &m->shown;
	num n = 0;

	if (v.kind == WHOLE && s->times && num_mul(v.n, s->times, &n) == 0 && s->per > 1)
		num_add_parts(b, n, s->per, s->decimals);
	else if (v.kind == WHOLE && s->times && s->per == 1)
		num_add_grouped(b, n);
	else if (v.kind != WHOLE || m->per == 1)
		page_add_value(b, v, DIGITS_GROUPED);
	else
		num_add_parts(b, v.n, m->per, m->little ? 6 : 2);
}

/* "bytes" of "B" need none, but of "KiB" they do. */
struct text
metric_unit(const struct metric *m)
{
	const struct scale *s = &m->shown;

	return !s->times || (!m->unit.s && s->times == 1 && s->per == m->per) ? m->unit : s->unit;
}

void
metric_add_cost(struct buf *b, const struct metric *m, num v)
{
	const struct text unit = metric_unit(m);

	page_add_shown(b, m, (struct value){ .kind = WHOLE, .n = v });
	buf_putc(b, ' ');
	vis_add(b, unit.s ? unit : m->name);
}

void
page_add_name(struct buf *b, const struct metric *m)
{
	const struct text unit = metric_unit(m);

	vis_add(b, m->name);
	if (unit.s) {
		buf_putc(b, '/');
		vis_add(b, unit);
	}
}

void
page_add_amount(struct buf *b, const struct metric *m, struct value v)
{
	const struct text unit = metric_unit(m);

	page_add_shown(b, m, v);
	buf_putc(b, ' ');
	if (unit.s) {
		vis_add(b, unit);
		buf_puts(b, " of ");
	}
	vis_add(b, m->name);
}

void
page_paint(struct page *p, const char *code)
{
	if (p->t->v->color)
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
