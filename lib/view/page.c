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
	const num digits = m->little ? 1000000 : 100;
	unsigned part, unit;
	num n;

	if (v.kind != WHOLE || m->per == 1 || v.n > NUM_MAX / digits / 2 ||
	    v.n < NUM_MIN / digits / 2) {
		page_add_value(b, v, DIGITS_GROUPED);
		return;
	}
	n = ((v.n < 0 ? -v.n : v.n) * digits + m->per / 2) / m->per;
	buf_puts(b, v.n < 0 && n ? "-" : "");
	num_add_grouped(b, n / digits);
	buf_putc(b, '.');
	part = (unsigned)(n % digits);
	for (unit = (unsigned)digits / 10; unit; unit /= 10)
		buf_putc(b, (char)('0' + part / unit % 10));
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
	buf_putc(&p->line, '\n');
	out_write(p->out, p->line.s, p->line.n);
	p->line.n = 0;
}
