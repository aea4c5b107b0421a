/* SPDX-License-Identifier: ISC */
/*
 * Writing folded stacks: each stack of a part once, with the sum of its samples, in the
 * order in which stacks first came.  Stacks are equal if they are written the same, so that
 * memory depends on the number of different stacks, not of samples.  A profile read from
 * this format gets its lines back unchanged.
 */
#include "folded.h"

#include <stdlib.h>

#include "filter/filter.h"
#include "graph/ctx_nodes.h"
#include "stack_texts.h"
#include "stream/loss.h"
#include "stream/thread_frame.h"
#include "util/mem.h"

struct writer {
	struct part_sink parts;
	struct encode e;
	bool counted;		/* the part's counts are chosen, since it had a sample */
	bool any, lacking;	/* a part with samples has counts, or has none */
	bool ours;		/* the part was read from this format */
	int dialect;		/* of its frames, as in folded.h */
	struct buf thread;	/* Austin's, of the current sample */
	struct thread_frame root;	/* the frame before its stack */
	uint32_t begin;		/* both, as a string of the dictionary; NO_ID: neither is
				 * there */
	size_t column[FOLDED_COUNTS], ncolumns;	/* the events that are counts */
	size_t decimals[FOLDED_COUNTS];	/* of counts that have fractions */
	struct record *first[FOLDED_COUNTS];	/* the events of the first part; copies */
	struct stack_texts stacks;	/* of the part */
	struct ctx_nodes contexts;	/* their nodes there */
	num (*sum)[FOLDED_COUNTS];	/* by row */
	size_t capsum;
	struct buf line;
	/* By frame: its text + 1 in this dialect, if nothing in it is replaced. */
	struct frame_text { uint32_t str1; int dialect; } *text;
	size_t captext;
	size_t lost_chars;	/* names in which something was replaced */
};

/* Data that frames cannot keep. */
enum { LOST_CHARS, LOST_PLACES, LOST_ATTRS, LOST_FUNCTIONS, LOSSES };

static const char *const lost_what[LOSSES] = {
	"';' and line breaks in names (written as ':')", "places of frames",
	"attributes of frames", "files, objects and keys of functions",
};

static void
lose(struct writer *w, int what)
{
	loss_add(w->e.loss, lost_what[what]);
}

static bool
is_plain(struct text t)
{
	return !t.n || (!memchr(t.s, ';', t.n) && !memchr(t.s, '\n', t.n) &&
	    !memchr(t.s, '\r', t.n));
}

/* The format has no escapes: characters that end a frame or the line are replaced, as in
 * the stackcollapse programs. */
static void
add_name(struct writer *w, struct text t)
{
	size_t i = w->line.n;

	buf_text(&w->line, t.s ? t : TEXT("[unknown]"));	/* perf's word for an
								 * unknown function */
	if (is_plain(t))
		return;
	for (; i < w->line.n; i++) {
		char *c = &w->line.s[i];

		if (*c != ';' && *c != '\n' && *c != '\r')
			continue;
		lose(w, LOST_CHARS);
		w->lost_chars++;
		*c = ':';
	}
}

static void
lose_frame(struct writer *w, const uint32_t *ctx, const uint32_t *func)
{
	const bool plain = w->dialect == FOLDED_PLAIN;

	if ((plain && (ctx[CTX_FILE] != NO_ID || ctx[CTX_LINE] != NO_ID)) ||
	    ctx[CTX_ADDR] != NO_ID)
		lose(w, LOST_PLACES);
	if (ctx[CTX_ATTRS] != NO_ID)
		lose(w, LOST_ATTRS);
	if ((plain && func[FUNC_FILE] != NO_ID) || func[FUNC_OBJECT] != NO_ID ||
	    func[FUNC_KEY] != NO_ID || func[FUNC_ATTRS] != NO_ID)
		lose(w, LOST_FUNCTIONS);
}

/* Adds the frame in its dialect. */
static void
add_frame(struct writer *w, const uint32_t *ctx, const uint32_t *func)
{
	const struct text file = w->dialect == FOLDED_PLAIN ? (struct text){ 0 } :
	    dict_path(w->e.dict, ctx[CTX_FILE]);
	const struct text line = dict_text(w->e.dict, ctx[CTX_LINE]);
	const bool pyspy = w->dialect == FOLDED_PYSPY && file.s;
	const bool austin = w->dialect == FOLDED_AUSTIN && file.s;

	if (austin) {
		add_name(w, file);
		buf_putc(&w->line, ':');
	}
	add_name(w, dict_text(w->e.dict, func[FUNC_NAME]));
	if (pyspy) {
		buf_puts(&w->line, " (");
		add_name(w, file);
	}
	if ((pyspy && line.s) || austin) {
		buf_putc(&w->line, ':');
		buf_text(&w->line, line.s ? line : TEXT("0"));
	}
	if (pyspy)
		buf_putc(&w->line, ')');
}

/* Sets Austin's thread from the labels.  Is it another one than before? */
static bool
see_thread(struct writer *w, struct text attrs)
{
	struct buf scratch = { 0 }, b = { 0 };
	bool other;

	if (w->dialect == FOLDED_AUSTIN && attr_get(attrs, "pid", &scratch).s) {
		buf_putc(&b, 'P');
		buf_text(&b, attr_get(attrs, "pid", &scratch));
		buf_puts(&b, ";T");
		if (attr_get(attrs, "iid", &scratch).s) {
			buf_text(&b, attr_get(attrs, "iid", &scratch));
			buf_putc(&b, ':');
		}
		buf_text(&b, attr_get(attrs, "tid", &scratch));
	}
	other = !text_eq(buf_as_text(&b), buf_as_text(&w->thread));
	buf_free(&scratch);
	buf_free(&w->thread);
	w->thread = b;
	return other;
}

/* Returns the text of a frame, kept unless something in it is replaced, which counts each
 * time. */
static uint32_t
frame_text(struct writer *w, uint32_t frame, const uint32_t *ctx, const uint32_t *func)
{
	const size_t lost = w->lost_chars;
	struct frame_text *text;
	uint32_t str;

	w->text = mem_reach(w->text, &w->captext, frame, sizeof *w->text, 0);
	text = &w->text[frame];
	if (text->str1 && text->dialect == w->dialect)
		return text->str1 - 1;
	w->line.n = 0;
	add_frame(w, ctx, func);
	str = dict_str(w->e.dict, buf_as_text(&w->line));
	if (w->lost_chars == lost)
		*text = (struct frame_text){ str + 1, w->dialect };
	return str;
}

/* Adds the frame of a context; called once for each context of a part. */
static uint32_t
add_context(void *arg, uint32_t id, uint32_t parent)
{
	struct writer *w = arg;
	const uint32_t frame = dict_frame_id(w->e.dict, id), *ctx = dict_frame(w->e.dict, id);
	const uint32_t *func = dict_def(w->e.dict, REC_FUNC, ctx[CTX_FUNC]);
	const uint32_t str = frame_text(w, frame, ctx, func);

	lose_frame(w, ctx, func);
	return stack_texts_node(&w->stacks, parent, str);
}

/* Sets the text before the frames of the sample. */
static void
see_begin(struct writer *w, struct text attrs)
{
	bool other = thread_frame_see(&w->root, attrs);

	other |= see_thread(w, attrs);
	if (!other)
		return;
	w->line.n = 0;
	if (w->root.name.n)
		add_name(w, buf_as_text(&w->root.name));
	buf_text(&w->line, buf_as_text(&w->thread));
	w->begin = w->line.n ? dict_str(w->e.dict, buf_as_text(&w->line)) : NO_ID;
}

/* Marks a single count after a frame that ends in a number, which would be read as the
 * first of two.  A profile read from this format is written unchanged. */
static void
hide_number(struct writer *w, char *stack, size_t n)
{
	const char *end = w->ours || w->ncolumns > 1 ? NULL :
	    folded_stack_end(stack, stack + n, 1);

	if (!end)
		return;
	loss_add(w->e.loss, "stacks that end in a number (the blank before it written as ':')");
	stack[end - stack] = ':';
}

/* A '#' with a blank after it, even the one before the count, would begin a comment: hides
 * it. */
static void
hide_comment(struct writer *w, char *stack, size_t n)
{
	const bool bare = n == 1 && *stack == '#';

	if (!bare && !folded_is_comment(stack, stack + n))
		return;
	loss_add(w->e.loss, "stacks that look like a comment ('#' written as ':')");
	*stack = ':';
}

/* Returns the decimals of a count that this format's reader has scaled. */
static size_t
decimals(const struct record *event)
{
	uint64_t scale = event_scale(event);
	size_t n = 0;

	for (; scale % 10 == 0; scale /= 10)
		n++;
	return scale == 1 ? n : 0;
}

/* Chooses the columns.  Two counts are those of two profiles, unless the profile marks one
 * event; of more events the default is written, of a change its two sides. */
static void
choose_columns(struct writer *w)
{
	const struct events *e = &w->parts.part.events;
	const long column = events_find(e, *w->e.event);
	const bool change = column >= 0 && event_is_change(e, (size_t)column, &w->column[0],
	    &w->column[1]);

	if (column < 0) {
		w->ncolumns = 0;
		loss_add(w->e.loss, "parts without the event");
		return;
	}
	w->ncolumns = change ? 2 : 1;
	if (!change)
		w->column[0] = (size_t)column;
	if (!change && e->measured <= FOLDED_COUNTS && events_own_default(e) < 0)
		for (w->ncolumns = 0; w->ncolumns < e->measured; w->ncolumns++)
			w->column[w->ncolumns] = w->ncolumns;
	loss_many(w->e.loss, "further events", e->measured - w->ncolumns - change);
}

/* Counts of an event in all parts must have one unit and scale, which are not written. */
static int
check_units(struct writer *w, size_t i, const struct record *event)
{
	const struct record *first = w->first[i];

	if (w->decimals[i])
		return 0;
	if (event_scale(event) > 1)
		loss_add(w->e.loss, "scales of events");
	if (!first)
		w->first[i] = rec_keep(event);
	else if (text_eq(first->col[EVENT_NAME].t, event->col[EVENT_NAME].t))
		return event_check_units(first, event, w->e.diag);
	return 0;
}

static int
begin_counts(struct writer *w)
{
	const struct events *e = &w->parts.part.events;
	size_t i;
	int ret = 0;

	w->counted = true;
	for (i = 0; i < e->n; i++)
		if (!e->v[i].measured)
			loss_add(w->e.loss, "derived events");
	choose_columns(w);
	for (i = 0; i < w->ncolumns && ret == 0; i++) {
		w->decimals[i] = w->ours ? decimals(events_at(e, w->column[i])) : 0;
		ret = check_units(w, i, events_at(e, w->column[i]));
	}
	w->any = w->any || w->ncolumns;
	w->lacking = w->lacking || !w->ncolumns;
	return ret;
}

/* Adds v * 10^-n as a decimal fraction without trailing zeros. */
static void
add_fraction(struct buf *b, struct text v, size_t n)
{
	size_t digits, zeros;

	if (text_is(v, "0")) {
		buf_putc(b, '0');
		return;
	}
	buf_add(b, "-", *v.s == '-');
	if (*v.s == '-')
		v.s++, v.n--;
	while (n && v.s[v.n - 1] == '0')
		n--, v.n--;
	digits = v.n > n ? v.n - n : 0;
	buf_text(b, digits ? (struct text){ v.s, digits } : TEXT("0"));
	if (!n)
		return;
	buf_putc(b, '.');
	for (zeros = v.n < n ? n - v.n : 0; zeros; zeros--)
		buf_putc(b, '0');
	buf_add(b, v.s + digits, v.n - digits);
}

static struct text
value_of(struct text values, size_t column)
{
	struct text v;

	while (values_next(&values, &v))
		if (!column--)
			return v;
	return TEXT("0");
}

static int
too_large(struct writer *w)
{
	return encode_too_large(&w->e, "the sum of a stack's samples");
}

/* Sets w->line to the counts after a stack. */
static void
make_counts(struct writer *w, const num *sums)
{
	char digits[NUM_TEXT];
	size_t i;

	w->line.n = 0;
	for (i = 0; i < w->ncolumns; i++) {
		const struct text v = { digits, (size_t)(num_put_num(digits, sums[i]) - digits) };

		buf_putc(&w->line, ' ');
		if (w->decimals[i])
			add_fraction(&w->line, v, w->decimals[i]);
		else
			buf_text(&w->line, v);
	}
	buf_putc(&w->line, '\n');
}

static void
write_stack(struct writer *w, uint32_t begin, uint32_t node, const num *sums)
{
	const struct text stack = stack_texts_make(&w->stacks, begin, node);
	char *p;

	make_counts(w, sums);
	p = out_room(w->e.out, stack.n + w->line.n);
	if (stack.n)
		memcpy(p, stack.s, stack.n);
	hide_comment(w, p, stack.n);
	hide_number(w, p, stack.n);
	memcpy(p + stack.n, w->line.s, w->line.n);
	out_upto(w->e.out, p + stack.n + w->line.n);
}

/* Finds the frames of the sample's stack and sets w->begin; false if it has neither. */
static bool
find_stack(struct writer *w, const struct record *r, uint32_t *node)
{
	const uint64_t ctx = r->col[0].n;

	see_begin(w, r->attrs);
	*node = ctx == NO_ID ? NO_ID :
	    ctx_nodes_get(&w->contexts, w->e.dict, (uint32_t)ctx, add_context, w);
	return ctx != NO_ID || w->begin != NO_ID;
}

/* Returns the sums of a stack. */
static num *
sums_of(struct writer *w, uint32_t node)
{
	const size_t n = w->stacks.n, row = stack_texts_row(&w->stacks, w->begin, node);

	w->sum = mem_grow(w->sum, &w->capsum, w->stacks.n, sizeof *w->sum);
	if (row == n)
		memset(w->sum[row], 0, sizeof w->sum[row]);
	return w->sum[row];
}

/* Adds the sample's counts to sums. */
static int
add_counts(struct writer *w, const struct record *r, num *sums)
{
	struct text v;
	size_t i;
	num n;

	for (i = 0; i < w->ncolumns; i++) {
		v = value_of(r->values, w->column[i]);
		if (text_is(v, "-"))
			loss_add(w->e.loss, "absent values (written as 0)");
		else if (num_get_num(v.s, v.n, &n) < 0 || num_add(&sums[i], n) < 0)
			return too_large(w);
	}
	return 0;
}

/* Puts a sample; one from a file of this format is written unchanged. */
static int
put_sample(struct writer *w, const struct record *r)
{
	num own[FOLDED_COUNTS] = { 0 };
	uint32_t node;

	if (!w->counted && begin_counts(w) < 0)
		return -1;
	if (!w->ncolumns)
		return 0;
	if (!find_stack(w, r, &node)) {
		loss_add(w->e.loss, "samples without a stack");
		return 0;
	}
	if (add_counts(w, r, w->ours ? own : sums_of(w, node)) < 0)
		return -1;
	if (w->ours)
		write_stack(w, w->begin, node, own);
	if (r->attrs.s && !w->thread.n)
		loss_add(w->e.loss, "labels of samples");
	return 0;
}

/* ---- the sink ---- */

static int
begin_part(struct part_sink *s, const struct part *p)
{
	struct writer *w = (struct writer *)s;
	struct buf scratch = { 0 };
	struct text frames;

	if (p->number > 1)
		loss_add(w->e.loss, "which part a stack belongs to");
	w->counted = false;
	w->ours = text_is(metadata_value(&p->metadata, "format", &scratch), "folded");
	frames = w->ours ? metadata_value(&p->metadata, FOLDED_FRAMES, &scratch) : TEXT("");
	w->dialect = text_is(frames, "py-spy") ? FOLDED_PYSPY :
	    text_is(frames, "austin") ? FOLDED_AUSTIN : FOLDED_PLAIN;
	buf_free(&scratch);
	w->thread.n = 0;
	thread_frame_part(&w->root, p);
	return 0;
}

/* Writes back a comment from a file of this format, but no other metadata, as flamegraph.pl
 * reports lines that it ignores.  Estimated stacks are marked by their root frame. */
static int
put_meta(struct part_sink *s, const struct part *p, const struct record *r)
{
	struct writer *w = (struct writer *)s;
	struct buf scratch = { 0 };
	const struct text v = meta_only(r, &scratch);
	int ret = 0;

	if (meta_is(r, "estimate")) {
		if (!w->counted && p->events.measured)
			ret = begin_counts(w);
	} else if (w->ours && meta_is(r, "comment") && v.s && !memchr(v.s, '\n', v.n)) {
		out_write(w->e.out, "# ", 2);
		out_write(w->e.out, v.s, v.n);
		out_write(w->e.out, "\n", 1);
	} else if (!meta_is(r, "format") && !(w->ours && meta_is(r, FOLDED_FRAMES))) {
		loss_record(w->e.loss, r);
	}
	buf_free(&scratch);
	return ret;
}

static int
put_record(struct part_sink *s, const struct record *r)
{
	return rec_kind(r) == REC_SAMPLE ? put_sample((struct writer *)s, r) : 0;
}

static int
put_total(struct part_sink *s, const struct record *r)
{
	loss_record(((struct writer *)s)->e.loss, r);
	return 0;
}

static int
end_part(struct part_sink *s, const struct part *p)
{
	struct writer *w = (struct writer *)s;
	size_t row;

	(void)p;
	for (row = 0; row < w->stacks.n; row++)
		write_stack(w, w->stacks.row[row].begin, w->stacks.row[row].node, w->sum[row]);
	stack_texts_clear(&w->stacks);
	ctx_nodes_clear(&w->contexts, NO_ID);
	w->begin = NO_ID;
	return 0;
}

static int
finish(struct part_sink *s)
{
	struct writer *w = (struct writer *)s;

	return w->any || !w->lacking ? 0 : diag_fail_plain(w->e.diag, "folded stacks need a count, "
	    "but the profile has no event, or none that --events names");
}

static void
free_writer(struct part_sink *s)
{
	struct writer *w = (struct writer *)s;
	size_t i;

	for (i = 0; i < FOLDED_COUNTS; i++)
		free(w->first[i]);
	stack_texts_free(&w->stacks);
	ctx_nodes_free(&w->contexts);
	free(w->sum);
	free(w->text);
	buf_free(&w->line);
	buf_free(&w->thread);
	thread_frame_free(&w->root);
}

/* Stacks are kept as their texts. */
static unsigned
takes(const struct sink *s)
{
	(void)s;
	return FORGETS_CONTEXTS;
}

static const struct part_methods methods = {
	.begin = begin_part, .put = put_record, .meta = put_meta, .total = put_total,
	.end = end_part, .finish = finish, .free = free_writer,
};

struct sink *
folded_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	part_sink_init(&w->parts, &methods, e->diag, e->out);
	w->parts.sink.takes = takes;
	w->e = *e;
	w->root.label = ((const struct folded_options *)e->options)->root;
	w->begin = NO_ID;
	stack_texts_init(&w->stacks, e->dict);
	ctx_nodes_clear(&w->contexts, NO_ID);
	return &w->parts.sink;
}
