/* SPDX-License-Identifier: ISC */
#include "view/metric.h"

#include <inttypes.h>

#include "util/printable.h"

/* Does the name include the unit?  "samples" in "count", and "bytes" in "B", do. */
static bool
is_named_so(struct text name, struct text unit)
{
	return text_is(unit, "count") || text_is(unit, "1") || text_eq(unit, name) ||
	    (text_is(unit, "B") && text_is(name, "bytes"));
}

void
metric_set_unit(struct metric *m, const struct record *event)
{
	m->per = event ? event_scale(event) : 1;
	m->grain = event && event_sample(event) ? event_sample(event) : 1;
	m->decimals = 2;
	if (event && event->col[EVENT_UNIT].t.n &&
	    (m->per != 1 || !is_named_so(m->name, event->col[EVENT_UNIT].t)))
		m->unit = event->col[EVENT_UNIT].t;
}

/* "bytes" in "B" need no unit, but in "KiB" they do. */
struct text
metric_unit(const struct metric *m)
{
	const struct scale *s = &m->shown;

	return !s->times || (!m->unit.s && s->times == 1 && s->per == m->per) ? m->unit : s->unit;
}

void
value_add(struct buf *b, struct value v, enum value_digits digits)
{
	if (v.kind == WHOLE)
		(digits == DIGITS_GROUPED ? num_add_grouped : num_add_whole)(b, v.n);
	else if (v.kind == RATIO)
		buf_printf(b, "%.6g", v.ratio);
	else
		buf_putc(b, '-');
}

/* Rounds to hundredths of a percent, exactly except for huge numbers. */
void
value_add_share(struct buf *b, struct value v, num total)
{
	if (v.kind == WHOLE)
		num_add_percent(b, v.n, total);
	else
		buf_putc(b, '-');
}

/* Returns the decimals of all multiples of 1/per; 0 if some have more than 18. */
static unsigned
all_decimals(uint64_t per)
{
	uint64_t power = 1;
	unsigned n;

	for (n = 0; n < 18 && power % per; n++)
		power *= 10;
	return power % per ? 0 : n;
}

/* At least hundredths, as in gprof, or millionths if values are small. */
void
metric_set_decimals(struct metric *m, num most, bool exact)
{
	const unsigned few = most < m->per / 10 ? 6 : 2, all = all_decimals(m->per);

	m->decimals = !exact || !all ? few : all > 2 ? all : 2;
}

/* In a readable unit, or in its own. */
void
metric_add_value(struct buf *b, const struct metric *m, struct value v)
{
	const struct scale *s = &m->shown;
	num n = 0;

	if (v.kind == WHOLE && s->times && num_mul(v.n, s->times, &n) == 0 && s->per > 1)
		num_add_parts(b, n, s->per, s->decimals);
	else if (v.kind == WHOLE && s->times && s->per == 1)
		num_add_grouped(b, n);
	else if (v.kind != WHOLE || m->per == 1)
		value_add(b, v, DIGITS_GROUPED);
	else
		num_add_parts(b, v.n, m->per, m->decimals);
}

void
metric_add_whole(struct buf *b, const struct metric *m, num v)
{
	metric_add_value(b, m, (struct value){ .kind = WHOLE, .n = v });
}

void
metric_add_change(struct buf *b, const struct metric *m, num change)
{
	buf_puts(b, change > 0 ? "+" : "");
	metric_add_whole(b, m, change);
}

void
metric_add_cost(struct buf *b, const struct metric *m, num v)
{
	const struct text unit = metric_unit(m);

	metric_add_whole(b, m, v);
	buf_putc(b, ' ');
	printable_add(b, unit.s ? unit : m->name);
}

void
metric_add_amount(struct buf *b, const struct metric *m, num v)
{
	const struct text unit = metric_unit(m);

	metric_add_whole(b, m, v);
	buf_putc(b, ' ');
	if (unit.s) {
		printable_add(b, unit);
		buf_puts(b, " of ");
	}
	printable_add(b, m->name);
}

void
metric_add_unit(struct buf *b, const struct metric *m)
{
	if (m->per != 1)
		buf_printf(b, "1/%" PRIu64 "%s", m->per, m->unit.s ? " " : "");
	buf_text(b, m->unit);
}

void
metric_add_name(struct buf *b, const struct metric *m)
{
	const struct text unit = metric_unit(m);

	printable_add(b, m->name);
	if (unit.s) {
		buf_putc(b, '/');
		printable_add(b, unit);
	}
}
