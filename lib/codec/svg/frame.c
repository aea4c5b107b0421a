/* SPDX-License-Identifier: ISC */
#include "svg.h"

#include "util/abbreviate.h"
#include "util/printable.h"

static void
add_escaped(struct buf *b, char c)
{
	switch (c) {
	case '&':
		buf_puts(b, "&amp;");
		break;
	case '<':
		buf_puts(b, "&lt;");
		break;
	case '>':
		buf_puts(b, "&gt;");
		break;
	case '"':
		buf_puts(b, "&quot;");
		break;
	default:
		buf_putc(b, c);
	}
}

/* U+FFFE and U+FFFF are not characters in XML. */
static bool
is_noncharacter(const unsigned char *p, size_t n)
{
	return n == 3 && p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe;
}

/* Adds text with control characters visible, and bytes that are not UTF-8 as U+FFFD. */
static void
add_visible(struct buf *b, struct text t)
{
	const unsigned char *p = (const unsigned char *)t.s, *end = p + t.n;
	size_t n, i;

	for (; p < end; p += n) {
		n = printable_utf8(p, (size_t)(end - p));
		if (!n || is_noncharacter(p, n)) {
			n += !n;
			buf_puts(b, "\xef\xbf\xbd");
		} else if (printable_is_control(p, n)) {
			for (i = 0; i < n; i++)
				buf_printf(b, "\\x%02x", p[i]);
		} else {
			buf_add(b, p, n);
		}
	}
}

void
xml_text(struct buf *b, struct text t)
{
	struct buf seen = { 0 };
	size_t i;

	add_visible(&seen, t);
	for (i = 0; i < seen.n; i++)
		add_escaped(b, seen.s[i]);
	buf_free(&seen);
}

/* Returns where to truncate a text so that at most n characters remain. */
static size_t
cut_at(struct text t, size_t n)
{
	size_t i;

	for (i = 0; i < t.n; i++)
		if (((unsigned char)t.s[i] & 0xc0) != 0x80 && n-- == 0)
			break;
	return i;
}

/* Functions without a name are distinguished by their objects. */
void
frame_add_name(struct picture *p, struct buf *b, size_t node)
{
	struct text name = node ? stacks_name(p->s, node) : TEXT("all");

	if (!name.s) {
		buf_puts(b, "??? ");
		name = stacks_object(p->s, node);
		name = name.s ? text_base_name(name) : TEXT("");
	}
	if (name.n > NAME_LONG) {
		loss_add(p->loss, "the ends of very long names");
		name.n = cut_at(name, NAME_LONG / 4);
	}
	add_visible(b, name);
	b->n -= b->n && b->s[b->n - 1] == ' ';
}

/* Adds a cost in its unit, rounded if values are fractions of one. */
static void
add_amount(const struct picture *p, struct buf *b, num cost)
{
	const num total = p->total[0] < 0 ? -p->total[0] : p->total[0];

	if (p->metric.per == 1)
		num_add_grouped(b, cost);
	else
		num_add_parts(b, cost, p->metric.per, total < (num)(p->metric.per / 10) ? 6 : 2);
}

/* Adds ", 1.23 %", if there is a total. */
static void
add_percent(struct picture *p, num cost, size_t side)
{
	if (!p->total[side])
		return;
	buf_puts(&p->b, ", ");
	num_add_percent(&p->b, cost, p->total[side]);
	buf_puts(&p->b, " %");
}

/* Adds "12,345 ns, 1.23 %". */
static void
add_share(struct picture *p, num cost, size_t side)
{
	add_amount(p, &p->b, cost);
	buf_putc(&p->b, ' ');
	xml_text(&p->b, p->unit);
	add_percent(p, cost, side);
}

static void
add_difference(struct picture *p, const num *side)
{
	const num old = side[SIDE_OLD], new = side[SIDE_NEW];

	buf_puts(&p->b, new > old ? "+" : "");
	add_amount(p, &p->b, new - old);
	buf_putc(&p->b, ' ');
	xml_text(&p->b, p->unit);
	num_add_change_after(&p->b, old, new - old);
	buf_puts(&p->b, "; old ");
	add_share(p, old, SIDE_OLD);
	buf_puts(&p->b, "; new ");
	add_share(p, new, SIDE_NEW);
}

/* Adds the name, and its cost after a mark by which the script splits them. */
static void
add_title(struct picture *p, size_t node, char mark)
{
	const num *incl = stacks_cost(p->s, node), *self = stacks_self(p->s, node);
	const struct text object = stacks_object(p->s, node);

	p->scratch.n = 0;
	frame_add_name(p, &p->scratch, node);
	xml_text(&p->b, buf_as_text(&p->scratch));
	buf_putc(&p->b, mark);
	if (stacks_sides(p->s) > 1) {
		add_difference(p, incl);
	} else {
		add_share(p, *incl, 0);
		if (*self && *self != *incl) {
			buf_puts(&p->b, "; own ");
			add_amount(p, &p->b, *self);
			add_percent(p, *self, 0);
		}
	}
	if (object.n) {
		buf_puts(&p->b, "; ");
		xml_text(&p->b, text_base_name(object));
	}
}

bool
frame_is_narrow(const struct picture *p, size_t i)
{
	return !p->options->fixed && p->l->v[i].w < LAYOUT_WIDTH / 1000;
}

void
frame_put_narrow(struct picture *p, size_t i)
{
	const struct box *f = &p->l->v[i];

	p->b.n = 0;
	buf_printf(&p->b, "%zu %u %u %u %s ", i, f->x, frame_y(p, f), f->w,
	    colour_of(p->colour, f->node)->class);
	add_title(p, f->node, '\t');
	buf_putc(&p->b, '\n');
	out_write(p->out, p->b.s, p->b.n);
}

/* Exact, as units have only so many decimals. */
static double
percent(uint32_t units)
{
	return units / (LAYOUT_WIDTH / 100.0);
}

void
frame_put(struct picture *p, size_t i)
{
	const struct box *f = &p->l->v[i];

	p->b.n = 0;
	buf_printf(&p->b, "<rect x=\"%g%%\" y=\"%u\" width=\"%g%%\" height=\"%d\"",
	    percent(f->x), frame_y(p, f), percent(f->w), ROW - 1);
	colour_add(&p->b, colour_of(p->colour, f->node));
	buf_puts(&p->b, "><title>");
	add_title(p, f->node, '\n');
	buf_puts(&p->b, "</title></rect>\n");
	out_write(p->out, p->b.s, p->b.n);
}

#define LEAST_ROOM 4		/* characters; a shorter label is useless */

/* Adds the text in a frame: in a difference its change first, or just a sign if there is no
 * room.  A name is shortened as in tables. */
static void
add_label(struct picture *p, struct buf *b, size_t node, size_t room)
{
	const num *side = stacks_cost(p->s, node);
	const size_t from = b->n;

	p->scratch.n = 0;
	frame_add_name(p, &p->scratch, node);
	if (p->colour->difference && side[SIDE_OLD] != side[SIDE_NEW]) {
		num_add_change_percent(b, side[SIDE_OLD], side[SIDE_NEW] - side[SIDE_OLD]);
		if (b->n - from + 1 + printable_columns(buf_as_text(&p->scratch)) <= room) {
			buf_putc(b, ' ');
		} else {
			b->n = from;
			buf_putc(b, side[SIDE_NEW] > side[SIDE_OLD] ? '+' : '-');
			if (--room < LEAST_ROOM)
				return;
		}
	}
	abbreviate(b, buf_as_text(&p->scratch), room);
}

void
frame_put_label(struct picture *p, size_t i)
{
	const struct box *f = &p->l->v[i];
	const double width = (double)f->w * PAGE_WIDTH / LAYOUT_WIDTH;
	const size_t room = width < 8 ? 0 : (size_t)((width - 6) / CHAR_WIDTH);
	struct buf label = { 0 };

	if (room < LEAST_ROOM)
		return;
	add_label(p, &label, f->node, room);
	p->b.n = 0;
	/* A nested picture clips text that is too wide in a narrower window. */
	buf_printf(&p->b, "<svg x=\"%.4g%%\" y=\"%u\" width=\"%.4g%%\" height=\"%d\">"
	    "<text x=\"3\" y=\"" BASELINE "\">", percent(f->x), frame_y(p, f),
	    percent(f->w), ROW);
	xml_text(&p->b, buf_as_text(&label));
	buf_puts(&p->b, "</text></svg>\n");
	out_write(p->out, p->b.s, p->b.n);
	buf_free(&label);
}
