/* SPDX-License-Identifier: ISC */
/*
 * Attributes of nodes and edges.  Colours are told apart by those who do not see all of
 * them, and when printed in grey: shares go from light to dark, changes from light to
 * dark orange or blue, with signs and lines that say the same.
 */
#include "writer.h"

#include <inttypes.h>

#define SHADES 8

static const char *const colours[][SHADES] = {	/* of ColorBrewer: */
	[DOT_HEAT] = {	/* OrRd */
		"#fff7ec", "#fee8c8", "#fdd49e", "#fdbb84", "#fc8d59", "#ef6548",
		"#d7301f", "#b30000"
	},
	[DOT_GROWN] = {	/* Oranges */
		"#fff5eb", "#fee6ce", "#fdd0a2", "#fdae6b", "#fd8d3c", "#f16913",
		"#d94801", "#a63603"
	},
	[DOT_SHRUNK] = {	/* Blues */
		"#f7fbff", "#deebf7", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6",
		"#2171b5", "#084594"
	},
};
#define FIRST_DARK 6		/* the first shade on which text is white */

/* What a value is of the base: 0 to 1. */
double
dot_share(const struct drawing *d, num size)
{
	const double s = d->base ? (double)size / (double)d->base : 0;

	return s > 1 ? 1 : s;
}

/* Small shares are many, so the light half of the shades is theirs. */
static int
shade(double share)
{
	int i;

	for (i = 0; i < SHADES - 1 && share * SHADES * SHADES >= (i + 1) * (i + 1); i++)
		;
	return i;
}

/* name=value, of which the value is safe. */
void
dot_add_attr(struct writer *w, const char *name, const char *value)
{
	buf_printf(&w->p.line, ", %s=\"%s\"", name, value);
}

/* name="text", of what is in w->text. */
void
dot_add_text_attr(struct writer *w, const char *name, enum dot_text as)
{
	buf_printf(&w->p.line, "%s=", name);
	dot_quote(&w->p.line, buf_as_text(&w->text), as);
	w->text.n = 0;
}

void
dot_flush(struct writer *w)
{
	page_flush(&w->p);
}

void
dot_add_fill(struct writer *w, enum dot_shades shades, double share)
{
	const int i = shade(share);

	dot_add_attr(w, "fillcolor", colours[shades][i]);
	if (i >= FIRST_DARK)
		dot_add_attr(w, "fontcolor", "white");
}

#define FONT 12			/* of no self cost, and how much each shade adds */
#define FONT_STEP 2

void
dot_add_font(struct writer *w, double share)
{
	const int i = shade(share);

	if (i)
		buf_printf(&w->p.line, ", fontsize=%d", FONT + FONT_STEP * i);
}

void
dot_add_line_colour(struct writer *w, enum dot_shades shades)
{
	dot_add_attr(w, "color", colours[shades][FIRST_DARK]);
}

const char *const dot_change_line[] = { "solid", "solid", "solid", "bold", "dashed" };

enum change
dot_change_of(const struct rank_delta *d, const num *sums)
{
	if (!sums[d->change])
		return CHANGE_NONE;
	if (!sums[d->old])
		return CHANGE_NEW;
	if (!sums[d->new])
		return CHANGE_GONE;
	return sums[d->change] > 0 ? CHANGE_GROWN : CHANGE_SHRUNK;
}

/* ---- numbers ---- */

void
dot_add_value(struct writer *w, struct value v)
{
	struct metric m = *w->t->metric;

	if (w->exact)
		m.shown = (struct scale){ 0 };
	metric_add_value(&w->text, &m, v);
	if (v.kind == WHOLE && m.shown.times && metric_unit(&m).s) {
		buf_putc(&w->text, ' ');
		buf_text(&w->text, metric_unit(&m));
	}
}

/* "1,669,305 (34.14 %)" */
void
dot_add_cost(struct writer *w, struct value v)
{
	const struct metric *m = w->t->metric;

	dot_add_value(w, v);
	if (v.kind != WHOLE || !m->total || table_is_over(m, v))
		return;
	buf_puts(&w->text, " (");
	num_add_percent(&w->text, v.n, m->total);
	buf_puts(&w->text, " %)");
}

/* "4 -> 3" */
void
dot_add_sides(struct writer *w, const num *sums, const char *const mark[2])
{
	const struct metric *m = w->t->metric;

	buf_puts(&w->text, mark ? mark[0] : "");
	dot_add_value(w, (struct value){ .kind = WHOLE, .n = sums[m->delta->old] });
	buf_puts(&w->text, " \xe2\x86\x92 ");
	buf_puts(&w->text, mark ? mark[1] : "");
	dot_add_value(w, (struct value){ .kind = WHOLE, .n = sums[m->delta->new] });
}

/* "-1 (-25.00 %)", "+3 (new)" */
void
dot_add_change(struct writer *w, const num *sums)
{
	const struct metric *m = w->t->metric;
	const num old = sums[m->delta->old], change = sums[m->delta->change];

	buf_puts(&w->text, change > 0 ? "+" : "");
	dot_add_value(w, (struct value){ .kind = WHOLE, .n = change });
	if (change)
		num_add_change_after(&w->text, old, change);
}

void
dot_add_calls(struct writer *w, num n)
{
	num_add_grouped(&w->text, n);
	buf_puts(&w->text, n == 1 ? " call" : " calls");
}
