/* SPDX-License-Identifier: ISC */
#include "svg.h"

#include <inttypes.h>

#include "stream/name_index.h"
#include "util/abbreviate.h"
#include "util/printable.h"

#define LEFT 10			/* pixels */
#define TITLE_Y 24
#define LINE 18
#define LINE_CHARS 106		/* in a window of 800 pixels */
#define GAP 10
#define CONTROLS 34		/* height of the line for search */
#define FONTS "DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace"
#define BACK "<rect class=\"back\" fill=\"#fff\" width=\"100%\""

static const char style[] =
#include "lib/codec/svg/flame.css.h"
;
static const char script[] =
#include "lib/codec/svg/flame.js.h"
;

/* The text above the frames.  It is written last, but its height is needed first. */
struct head {
	const struct picture *p;
	struct buf b;
	unsigned y;		/* position of the last line */
	size_t column;		/* of the legend */
};

static void
put_line(struct head *h, struct text t, const char *font)
{
	struct buf shown = { 0 };

	h->y += h->y ? LINE : TITLE_Y;
	printable_shortened(&shown, t, LINE_CHARS);
	buf_printf(&h->b, "<text x=\"%d\" y=\"%u\"%s>", LEFT, h->y, font);
	xml_text(&h->b, buf_as_text(&shown));
	buf_puts(&h->b, "</text>\n");
	buf_free(&shown);
}

static void
put_swatch(void *arg, const struct look *look, struct text meaning)
{
	struct head *h = arg;
	struct buf shown = { 0 };
	size_t n;
	int x;

	printable_shortened(&shown, meaning, 30);
	n = printable_columns(buf_as_text(&shown)) + 4;
	if (h->column + n > LINE_CHARS) {
		h->column = 0;
		h->y += LINE;
	}
	x = (int)(LEFT + (double)h->column * CHAR_WIDTH);
	buf_printf(&h->b, "<rect x=\"%d\" y=\"%u\" width=\"12\" height=\"15\"", x, h->y - 11);
	colour_add(&h->b, look);
	buf_printf(&h->b, "/><text x=\"%d\" y=\"%u\">", x + 17, h->y);
	xml_text(&h->b, buf_as_text(&shown));
	buf_puts(&h->b, "</text>\n");
	h->column += n;
	buf_free(&shown);
}

static void
add_total(const struct picture *p, struct buf *b, size_t side)
{
	const num cost = stacks_cost(p->s, 0)[side];

	metric_add_cost(b, &p->metric, cost);
	if (cost != p->total[side]) {
		buf_puts(b, " of ");
		metric_add_whole(b, &p->metric, p->total[side]);
	}
}

/* Puts the event, and how much of its cost is drawn. */
static void
put_event(struct head *h)
{
	const struct picture *p = h->p;
	const num *cost = stacks_cost(p->s, 0);
	struct buf b = { 0 };

	if (metric_unit(&p->metric).s) {
		buf_text(&b, p->metric.name);
		buf_puts(&b, ": ");
	}
	if (p->colour->difference) {
		buf_puts(&b, "old ");
		add_total(p, &b, SIDE_OLD);
		buf_puts(&b, ", new ");
		add_total(p, &b, SIDE_NEW);
		num_add_change_after(&b, cost[SIDE_OLD], cost[SIDE_NEW] - cost[SIDE_OLD]);
	} else {
		add_total(p, &b, 0);
		if (p->head->parts > 1)
			buf_printf(&b, " in %" PRIu64 " parts", p->head->parts);
	}
	if (p->without)
		buf_printf(&b, ", of which %" PRIu64 " lack%s it", p->without,
		    p->without == 1 ? "s" : "");
	put_line(h, buf_as_text(&b), "");
	buf_free(&b);
}

static void
put_fact(struct head *h, const char *what, struct text fact)
{
	struct buf b = { 0 };

	if (!fact.n)
		return;
	buf_puts(&b, what);
	buf_text(&b, fact);
	put_line(h, buf_as_text(&b), "");
	buf_free(&b);
}

static void
put_widths(struct head *h)
{
	const struct picture *p = h->p;
	struct buf b = { 0 };

	buf_puts(&b, p->colour->difference ? "width: the larger of old and new self "
	    "cost, with callees" : "width: inclusive cost");
	if (p->l->pruned) {
		buf_puts(&b, "; not drawn: ");
		num_add_grouped(&b, (num)p->l->pruned);
		buf_printf(&b, " frame%s narrower than %g %%", p->l->pruned == 1 ? "" : "s",
		    (double)p->options->min.n / 1e6);
	}
	if (p->l->negative) {
		buf_puts(&b, "; no width: costs below 0, ");
		num_add_grouped(&b, (num)p->l->negative);
	}
	put_line(h, buf_as_text(&b), "");
	buf_free(&b);
}

static void
put_head(struct head *h)
{
	const struct picture *p = h->p;
	const struct rank_heading *head = p->head;
	struct buf sides = { 0 };

	put_line(h, buf_as_text(&p->title),
	    " font-weight=\"bold\" font-size=\"16\"");
	heading_add_sides(&sides, head, SIZE_MAX);
	put_fact(h, "", buf_as_text(&sides));
	buf_free(&sides);
	put_event(h);
	if (head->cmds_differ)
		put_line(h, TEXT("several commands"), "");
	else
		put_fact(h, "command: ", head->cmd);
	put_fact(h, "filter: ", buf_as_text(&head->filter));
	put_fact(h, "lost: ", buf_as_text(&head->lost));
	put_fact(h, "ESTIMATED, not measured: ", buf_as_text(&head->estimate));
	put_widths(h);
	put_line(h, text_of(colour_heading(p->colour)), "");
	h->y += LINE;
	h->column = 0;
	colour_legend(p->colour, put_swatch, h);
	if (!h->column)
		h->y -= LINE;
}

/* Puts the pattern of shrunk frames, a bar along the lower edge, which looks the same at
 * any width and without colours. */
static void
put_patterns(struct output *out)
{
	static const char *const blue[] = { "#e1effa", "#bcdcf3", "#8cc3ec", "#58a5de" };
	size_t i;

	out_puts(out, "<defs>");
	for (i = 0; i < sizeof blue / sizeof *blue; i++)
		out_printf(out, "<pattern id=\"d%zu\" width=\"1\" height=\"1\">"
		    "<rect width=\"%d\" height=\"%d\" fill=\"%s\"/><rect y=\"%d\" "
		    "width=\"%d\" height=\"2\" fill=\"#0b4f83\"/></pattern>", i + 1,
		    LAYOUT_WIDTH, ROW, blue[i], ROW - 3, LAYOUT_WIDTH);
	out_puts(out, "</defs>\n");
}

/* Puts search, the frame under the pointer, and a way back, which need the script. */
static void
put_controls(struct head *h)
{
	if (h->p->options->fixed)
		return;
	buf_printf(&h->b, "<g id=\"controls\" display=\"none\">"
	    "<foreignObject x=\"%d\" y=\"%u\" width=\"320\" height=\"26\">"
	    "<input xmlns=\"http://www.w3.org/1999/xhtml\" id=\"search\" type=\"search\" "
	    "placeholder=\"search: regular expression (Ctrl-F)\"/></foreignObject>"
	    "<text id=\"matched\" x=\"%d\" y=\"%u\"/>"
	    "<text id=\"reset\" x=\"%d\" y=\"%u\" display=\"none\">show all (Escape)</text>"
	    "<text id=\"name\" x=\"%d\" y=\"%u\">click a frame to zoom into it</text>"
	    "<text id=\"cost\" x=\"%d\" y=\"%u\"/>"
	    "</g>\n", LEFT, h->y + 8, LEFT + 330, h->y + 25, LEFT + 560, h->y + 25,
	    LEFT, h->y + CONTROLS + LINE, LEFT, h->y + CONTROLS + 2 * LINE);
	h->y += CONTROLS + 2 * LINE;
}

/* Puts lines for the script, "NAME<TAB>SHORTER", with names that it cannot shorten as we
 * do. */
static void
put_short_names(struct picture *p)
{
	struct name_index known = { 0 };
	struct buf name = { 0 }, shorter = { 0 };
	size_t i;

	out_puts(p->out, "<metadata id=\"short\">");
	for (i = 0; i < p->l->n; i++) {
		name.n = shorter.n = p->b.n = 0;
		frame_add_name(p, &name, p->l->v[i].node);
		if (name_index_add(&known, buf_as_text(&name), i) != i)
			continue;
		abbreviate_most(&shorter, buf_as_text(&name));
		if (text_eq(buf_as_text(&name), buf_as_text(&shorter)))
			continue;
		xml_text(&p->b, buf_as_text(&name));
		buf_putc(&p->b, '\t');
		xml_text(&p->b, buf_as_text(&shorter));
		buf_putc(&p->b, '\n');
		out_text(p->out, buf_as_text(&p->b));
	}
	out_puts(p->out, "</metadata>\n");
	name_index_free(&known);
	buf_free(&name);
	buf_free(&shorter);
}

static void
put_frames(struct picture *p, unsigned top, unsigned height)
{
	size_t i;

	out_printf(p->out, "<svg id=\"frames\" y=\"%u\" width=\"100%%\" height=\"%u\" "
	    "stroke=\"#fff\" stroke-width=\".7\">\n", top, height);
	for (i = 0; i < p->l->n; i++)
		if (!frame_is_narrow(p, i))
			frame_put(p, i);
	out_printf(p->out, "</svg>\n<svg id=\"labels\" y=\"%u\" width=\"100%%\" "
	    "height=\"%u\" fill=\"#111\">\n", top, height);
	for (i = 0; i < p->l->n; i++)
		frame_put_label(p, i);
	out_puts(p->out, "</svg>\n<metadata id=\"narrow\">");
	for (i = 0; i < p->l->n; i++)
		if (frame_is_narrow(p, i))
			frame_put_narrow(p, i);
	out_puts(p->out, "</metadata>\n");
	if (!p->options->fixed)
		put_short_names(p);
}

static void
put_rule(void *arg, const struct look *look, struct text meaning)
{
	(void)meaning;
	out_printf(arg, ".%s { fill: %s; ", look->class, look->fill);
	if (look->stroke)
		out_printf(arg, "stroke: %s; ", look->stroke);
	out_puts(arg, "}\n");
}

/* Puts styles.  Viewers may ignore them: attributes alone give the same picture.  Only
 * frames that the script makes have nothing but classes. */
static void
put_style(struct picture *p)
{
	out_puts(p->out, "<style>\n");
	out_puts(p->out, style);
	if (!p->options->fixed)
		colour_looks(put_rule, p->out);
	out_puts(p->out, "</style>\n");
}

/* Begins the picture.  A static one has a size; any other fills its window. */
static void
put_begin(struct picture *p, unsigned height)
{
	out_printf(p->out, "<svg xmlns=\"http://www.w3.org/2000/svg\" height=\"%u\"", height);
	if (p->options->fixed)
		out_printf(p->out, " width=\"%d\" viewBox=\"0 0 %d %u\"", PAGE_WIDTH,
		    PAGE_WIDTH, height);
	else
		out_puts(p->out, " width=\"100%\"");
	out_puts(p->out, " fill=\"#222\" font-size=\"12\" font-family=\"" FONTS "\">\n<title>");
	p->b.n = 0;
	xml_text(&p->b, buf_as_text(&p->title));
	out_text(p->out, buf_as_text(&p->b));
	out_puts(p->out, "</title>\n");
	put_style(p);
	if (p->colour->difference)
		put_patterns(p->out);
	out_puts(p->out, BACK " height=\"100%\"/>\n");
}

void
page_put(struct picture *p)
{
	const unsigned height = (p->l->deepest + 1) * ROW;
	struct head h = { .p = p };
	unsigned top;

	put_head(&h);
	put_controls(&h);
	top = h.y + GAP;
	put_begin(p, top + height + GAP);
	put_frames(p, top, height);
	out_printf(p->out, "<g id=\"head\">%s height=\"%u\"/>\n", BACK, top - 2);
	out_text(p->out, buf_as_text(&h.b));
	out_puts(p->out, "</g>\n");
	if (!p->options->fixed) {
		out_puts(p->out, "<script><![CDATA[\n");
		out_puts(p->out, script);
		out_puts(p->out, "]]></script>\n");
	}
	out_puts(p->out, "</svg>\n");
	buf_free(&h.b);
}
