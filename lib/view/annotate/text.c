/* SPDX-License-Identifier: ISC */
/* Annotated source as text. */
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/printable.h"

/* ---- widths ---- */

/* Sets tmp to a line's number or address. */
static size_t
number_text(const struct annotate_text *b, char tmp[NUM_TEXT], uint64_t n)
{
	return (size_t)((b->l->code ? num_put_hex(tmp, n) : num_put_num(tmp, n)) - tmp);
}

static size_t
digits_of(const struct annotate_text *b, uint64_t n)
{
	char tmp[NUM_TEXT];

	return number_text(b, tmp, n);
}

/* Returns the heading of that column. */
static const char *
number_head(const struct annotate_text *b)
{
	return b->l->code ? "address" : "line";
}

static struct costs
of_line(const struct annotate_text *b, const struct listed_line *line)
{
	return line ? costs_of_row(b->l->t, line->row) : (struct costs){ b->l->t, NO_ROW, NULL };
}

static struct costs
of_call(const struct annotate_text *b, uint32_t call)
{
	return (struct costs){ b->l->t, NO_ROW, listing_cost_of(b->l, call) };
}

/* Widens columns to this line and its calls. */
static void
widen_line(struct annotate_text *b, const struct listed_line *line)
{
	const size_t digits = digits_of(b, line->line);
	struct costs costs;
	uint32_t *call;
	size_t i, n;

	if (digits > b->digits)
		b->digits = digits;
	costs = of_line(b, line);
	text_table_measure(&b->numbers, &costs);
	call = listing_calls(b->l, line->row, &n);
	for (i = 0; i < n; i++) {
		costs = of_call(b, call[i]);
		text_table_measure(&b->numbers, &costs);
	}
	free(call);
}

/* Is it an object without instructions?  Its addresses alone are of no use. */
static bool
is_only_title(const struct annotate_text *b, const struct listed_file *f)
{
	return b->l->code && !code_pages_can(b->l->code, f->file);
}

#define READABLE 32		/* the fewest columns of source */

/* Widens columns to their cells; the source gets the rest of the width. */
static void
set_widths(struct annotate_text *b)
{
	const size_t width = b->p->width;
	const struct listing *l = b->l;
	size_t i, k, used;

	b->digits = strlen(number_head(b));
	for (i = 0; i < l->nfile; i++)
		for (k = 0; k < l->file[i].n && !is_only_title(b, &l->file[i]); k++)
			widen_line(b, &l->file[i].line[k]);
	text_table_fit(&b->numbers, width, b->digits + 2 + READABLE);
	used = b->numbers.used + b->digits + 2;
	b->room = !width ? 0 : width > used ? width - used : 1;
}

/* Widens the numbers: the lines around hot ones may have longer ones. */
static void
widen_numbers(struct annotate_text *b)
{
	struct walk w = { .a = b->l->a, .f = b->f, .s = b->s };
	struct walk_line line;
	size_t digits = b->digits;

	while (walk_next(&w, &line))
		if (digits_of(b, line.number) > digits)
			digits = digits_of(b, line.number);
	if (b->room)
		b->room = b->room > digits - b->digits ? b->room - (digits - b->digits) : 1;
	b->digits = digits;
}

/* ---- source ---- */

/* In little room, indented lines get more of it. */
#define TAB_STOP 8
#define TAB_STOP_NARROW 4
#define NARROW 80

/* Adds text for a terminal: TABs as blanks, control characters visible, truncated to the
 * room that there is.  Some files have lines that are longer than anyone reads. */
static void
add_cut(struct buf *b, struct text t, size_t room)
{
	const unsigned char *p = (const unsigned char *)t.s;
	const size_t stop = room < NARROW ? TAB_STOP_NARROW : TAB_STOP;
	struct buf one = { 0 };
	size_t i, n, used = 0, last = b->n;

	for (i = 0; i < t.n && used <= room; i += n) {
		n = printable_utf8(p + i, t.n - i);
		n += !n;
		one.n = 0;
		if (p[i] == '\t')
			buf_pad(&one, stop - used % stop);
		else
			printable_add(&one, (struct text){ t.s + i, n });
		used += printable_columns(buf_as_text(&one));
		if (used < room)
			last = b->n + one.n;
		buf_text(b, buf_as_text(&one));
	}
	if (used > room) {
		b->n = last;
		buf_puts(b, "\xe2\x80\xa6");
	}
	buf_free(&one);
}

/* room: columns, if the page has a width. */
static void
add_source(const struct annotate_text *b, struct text t, size_t room)
{
	if (!b->p->width) {
		buf_text(&b->p->line, t);
		return;
	}
	if (t.n && t.s[t.n - 1] == '\r')
		t.n--;
	add_cut(&b->p->line, t, room);
}

/* ---- lines ---- */

static void
add_number(const struct annotate_text *b, const char *s, size_t n)
{
	buf_printf(&b->p->line, "%*s%.*s", (int)(b->digits - n), "", (int)n, s);
}

static void
trim(struct buf *b)
{
	while (b->n && b->s[b->n - 1] == ' ')
		b->n--;
}

static void
put_line(struct annotate_text *b, const struct walk_line *line)
{
	const struct costs costs = of_line(b, line->of);
	struct buf *out = &b->p->line;
	char tmp[NUM_TEXT];

	b->some_inlined |= line->of && line->of->inlined;
	text_table_row(&b->numbers, b->p, &costs);
	add_number(b, tmp, number_text(b, tmp, line->number));
	buf_puts(out, line->of && line->of->inlined ? INLINED_MARK " " : "  ");
	if (line->text.n) {
		add_source(b, line->text, b->room);
	} else if (!line->text.s && b->s->nline) {
		add_source(b, TEXT("(beyond the end of the source)"), b->room);
	} else {
		trim(out);
	}
	if (line->of)
		page_item(b->p, line->of->row);
	page_flush(b->p);
}

/* Adds " (12 calls)" if calls are counted. */
static void
add_count(struct buf *b, const num *count)
{
	if (!count)
		return;
	buf_puts(b, " (");
	num_add_grouped(b, *count);
	buf_puts(b, *count == 1 ? " call)" : " calls)");
}

#define CALLEE 12		/* the fewest columns of a name before the count */

/* Prints "=> name (12 calls)"; the name is truncated if need be. */
static void
put_call(struct annotate_text *b, uint32_t call)
{
	const struct text name = listing_callee(b->l, call);
	const struct costs costs = of_call(b, call);
	struct page *p = b->p;
	struct buf count = { 0 };
	size_t room;

	text_table_row(&b->numbers, p, &costs);
	add_number(b, "", 0);
	add_count(&count, listing_count_of(b->l, call));
	page_paint(p, PAINT_DIM);
	buf_puts(&p->line, "  => ");
	room = page_room(p, 1);
	if (room < count.n + CALLEE)	/* the name is more important */
		count.n = 0;
	printable_shortened(&p->line, name.s ? name : TEXT("???"), room - count.n);
	buf_text(&p->line, buf_as_text(&count));
	page_paint(p, PAINT_PLAIN);
	page_flush(p);
	buf_free(&count);
}

static void
put_calls(struct annotate_text *b, const struct listed_line *of)
{
	size_t i, n;
	uint32_t *call = listing_calls(b->l, of->row, &n);

	for (i = 0; i < n; i++)
		put_call(b, call[i]);
	free(call);
}

static void
put_gap(struct annotate_text *b, uint64_t line)
{
	page_paint(b->p, PAINT_DIM);
	buf_printf(&b->p->line, b->l->code ? "-- address 0x%" PRIx64 " --" :
	    "-- line %" PRIu64 " --", line);
	page_paint(b->p, PAINT_PLAIN);
	page_flush(b->p);
}

/* Prints the source line of an instruction as a heading, as wide as the page and without
 * indentation, unless the instruction before has the same line. */
static void
put_place(struct annotate_text *b, const struct source_insn *insn, bool gap)
{
	const uint64_t line = insn->file == NO_ID ? 0 : insn->line;
	struct text path = text_base_name(dict_path(b->l->t->q->dict, insn->file));
	const size_t width = b->p->width;
	struct text t = insn->text;
	struct buf place = { 0 };

	if (!gap && b->place == line && b->file == insn->file)
		return;
	b->place = line;
	b->file = insn->file;
	if (!line)
		return;
	while (t.n && (*t.s == ' ' || *t.s == '\t')) {
		t.s++;
		t.n--;
	}
	printable_add(&place, path);
	buf_printf(&place, ":%" PRIu64 "%s", line, t.n ? "  " : "");
	buf_text(&place, t);
	buf_puts(&b->p->line, "  ");
	page_paint(b->p, PAINT_DIM);
	add_source(b, buf_as_text(&place), width ? width - 2 : 0);
	page_paint(b->p, PAINT_PLAIN);
	page_flush(b->p);
	buf_free(&place);
}

static void
put_lines(struct annotate_text *b)
{
	struct walk w = { .a = b->l->a, .f = b->f, .s = b->s };
	const struct source_insn *insn;
	struct walk_line line;

	while (walk_next(&w, &line)) {
		if (line.gap && line.text.s)
			put_gap(b, line.number);
		if ((insn = source_insn(b->s, line.line)))
			put_place(b, insn, line.gap);
		put_line(b, &line);
		if (line.of)
			put_calls(b, line.of);
	}
}

/* ---- the whole ---- */

static void
put_heads(struct annotate_text *b)
{
	page_bold(b->p, true);
	text_table_heads(&b->numbers, b->p);
	add_number(b, number_head(b), strlen(number_head(b)));
	page_bold(b->p, false);
	page_flush(b->p);
}

struct annotate_text *
annotate_text_begin(struct page *p, const struct listing *l)
{
	struct annotate_text *b = mem_alloc(1, sizeof *b);

	b->p = p;
	b->l = l;
	annotate_line_columns(&b->numbers, l->t);
	set_widths(b);
	page_heading(p, l->t);
	return b;
}

void
annotate_text_file(struct annotate_text *b, const struct listed_file *f,
    const struct source *s)
{
	b->f = f;
	b->s = s;
	b->place = 0;
	b->file = NO_ID;
	if (!is_only_title(b, f))
		widen_numbers(b);
	annotate_title(b->p, b->l, f, s);
	if (!is_only_title(b, f) && (f == b->l->file || s->nline))
		put_heads(b);
	page_body(b->p);
	if (!is_only_title(b, f))
		put_lines(b);
	page_flush(b->p);
}

void
annotate_text_free(struct annotate_text *b)
{
	if (!b)
		return;
	text_table_free(&b->numbers);
	free(b);
}
