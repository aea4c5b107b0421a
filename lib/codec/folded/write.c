/* SPDX-License-Identifier: ISC */
/* Writing folded stacks: exactly, from samples of whole contexts. */
#include "folded.h"

#include <stdlib.h>

#include "filter/filter.h"
#include "stream/event.h"
#include "stream/loss.h"
#include "stream/root.h"
#include "util/mem.h"

#define LEVEL_HASHES 4096

struct writer {
	struct sink sink;
	struct encode e;
	struct events events;
	uint64_t parts;
	bool began;		/* a sample of this part was there */
	bool ours;		/* the part was read from this format */
	int dialect;		/* of its frames, as folded.h has them */
	struct buf thread;	/* Austin's, of the sample at hand */
	struct root root;	/* the frame before the stack in `line` */
	size_t column[FOLDED_COUNTS], ncolumns;	/* the events that are counts */
	size_t decimals[FOLDED_COUNTS];	/* of counts that were fractions */
	uint64_t ctx;		/* whose stack is in `line` */
	uint32_t *frames;	/* of it that are not yet in the line, the last one first */
	size_t nframes, capframes;
	struct buf line;
	size_t nstack;		/* bytes of the stack in it */
	/* What is in the line: what comes before the frames, then each of them. */
	struct level *level;
	size_t nlevel, caplevel;
	uint32_t level_of[LEVEL_HASHES];	/* by context, if it is there; one of each */
	bool *is_plain;		/* by function: its name is written as it is */
	size_t capis_plain;
	bool comment;		/* it looked like one */
	char blank;		/* one that was replaced, before what looked like a count; */
	size_t blank_at;	/* '\0': none */
};

/* What a frame cannot keep. */
enum { LOST_CHARS, LOST_PLACES, LOST_ATTRS, LOST_FUNCTIONS, LOSSES };

static const char *const lost_what[LOSSES] = {
	"';' and line breaks in names (written as ':')", "places of frames",
	"attributes of frames", "files, objects and keys of functions",
};

/* A frame in the line, and what was lost until there. */
struct level {
	uint32_t ctx;
	size_t end;
	uint64_t lost[LOSSES];
};

/* A stack mostly shares frames with the one before, which are lost again with it: what
 * is lost is added up once it is complete. */
static void
lose(struct writer *w, int what)
{
	if (!w->level[w->nlevel].lost[what]++)
		loss_many(w->e.loss, lost_what[what], 0);
}

static bool
is_plain(struct text t)
{
	return !t.n || (!memchr(t.s, ';', t.n) && !memchr(t.s, '\n', t.n) &&
	    !memchr(t.s, '\r', t.n));
}

/* The format has no escapes: what would end a frame or the line is replaced, as the
 * stackcollapse programs do. */
static void
add_name(struct writer *w, struct text t)
{
	size_t i = w->line.n;

	buf_text(&w->line, t.s ? t : TEXT("[unknown]"));	/* perf's word for it */
	if (is_plain(t))
		return;
	for (; i < w->line.n; i++) {
		char *c = &w->line.s[i];

		if (*c != ';' && *c != '\n' && *c != '\r')
			continue;
		lose(w, LOST_CHARS);
		*c = ':';
	}
}

/* The name of a function, which is looked at once if nothing in it is replaced. */
static void
add_function(struct writer *w, uint32_t func, struct text name)
{
	if (func == NO_ID) {
		add_name(w, name);
		return;
	}
	w->is_plain = mem_reach(w->is_plain, &w->capis_plain, func, sizeof *w->is_plain, 0);
	if (w->is_plain[func]) {
		buf_text(&w->line, name);
		return;
	}
	add_name(w, name);
	w->is_plain[func] = name.s && is_plain(name);
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

/* The frame as its dialect spells it. */
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
	add_function(w, ctx[CTX_FUNC], dict_text(w->e.dict, func[FUNC_NAME]));
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

/* Sets Austin's thread from the labels: is it another one than before? */
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

/* The next level, with what the one before it has lost. */
static struct level *
begin_level(struct writer *w, uint32_t ctx)
{
	struct level *at;

	w->level = mem_grow(w->level, &w->caplevel, w->nlevel + 1, sizeof *w->level);
	at = &w->level[w->nlevel];
	*at = w->nlevel ? at[-1] : (struct level){ 0 };
	at->ctx = ctx;
	return at;
}

static void
end_level(struct writer *w)
{
	w->level[w->nlevel++].end = w->line.n;
}

/* Finds the frames that are not in the line; *same of them are.  Some of those may be
 * taken for new ones, where others have their place in level_of. */
static void
find_frames(struct writer *w, uint64_t ctx, size_t *same)
{
	w->nframes = 0;
	for (; ctx != NO_ID; ctx = dict_def(w->e.dict, REC_CTX, (uint32_t)ctx)[CTX_PARENT]) {
		*same = w->level_of[ctx % LEVEL_HASHES];
		if (*same < w->nlevel && w->level[*same].ctx == ctx)
			return;
		w->frames = mem_grow(w->frames, &w->capframes, w->nframes + 1,
		    sizeof *w->frames);
		w->frames[w->nframes++] = (uint32_t)ctx;
	}
	*same = 0;
}

static void
begin_line(struct writer *w)
{
	w->line.n = w->nlevel = 0;
	begin_level(w, NO_ID);
	if (w->root.name.n)
		add_name(w, buf_as_text(&w->root.name));
	buf_text(&w->line, buf_as_text(&w->thread));
	end_level(w);
}

static void
put_frame(struct writer *w, uint32_t id)
{
	const uint32_t *ctx = dict_def(w->e.dict, REC_CTX, id);
	const uint32_t *func = dict_def(w->e.dict, REC_FUNC, ctx[CTX_FUNC]);

	begin_level(w, id);
	w->level_of[id % LEVEL_HASHES] = (uint32_t)w->nlevel;
	if (w->nlevel > 1 || w->root.name.n || w->thread.n)
		buf_putc(&w->line, ';');
	add_frame(w, ctx, func);
	lose_frame(w, ctx, func);
	end_level(w);
}

/* A single count after a frame that ends in a number would be the second of two.  A file
 * of this format has its own ways: it is written as it was. */
static void
hide_number(struct writer *w)
{
	const char *end = w->ours || w->ncolumns > 1 ? NULL :
	    folded_stack_end(w->line.s, w->line.s + w->line.n, 1);

	w->blank = '\0';
	if (!end)
		return;
	loss_add(w->e.loss, "stacks that end in a number (the blank before it written as ':')");
	w->blank = *end;
	w->blank_at = (size_t)(end - w->line.s);
	w->line.s[w->blank_at] = ':';
}

/* A line is a comment if a blank is after its '#': that before the count, too. */
static void
hide_comment(struct writer *w)
{
	const bool bare = w->line.n == 1 && *w->line.s == '#';

	w->comment = bare || folded_is_comment(w->line.s, w->line.s + w->line.n);
	if (!w->comment)
		return;
	loss_add(w->e.loss, "stacks that look like a comment ('#' written as ':')");
	w->line.s[0] = ':';
}

/* The line as it is, for the stacks that begin as it does. */
static void
unhide(struct writer *w)
{
	if (w->blank)
		w->line.s[w->blank_at] = w->blank;
	if (w->comment)
		w->line.s[0] = '#';
}

static void
put_stack(struct writer *w, uint64_t ctx)
{
	const struct level *top;
	size_t same, i;

	unhide(w);
	find_frames(w, ctx, &same);
	if (same) {
		w->nlevel = same + 1;
		w->line.n = w->level[same].end;
	} else {
		begin_line(w);
	}
	while (w->nframes)
		put_frame(w, w->frames[--w->nframes]);
	top = &w->level[w->nlevel - 1];
	for (i = 0; i < LOSSES; i++)
		if (top->lost[i])
			loss_many(w->e.loss, lost_what[i], top->lost[i]);
	hide_comment(w);
	hide_number(w);
	w->ctx = ctx;
	w->nstack = w->line.n;
}

/* Writes back a comment from a file of this format, but no other facts: flamegraph.pl
 * reports lines that it ignores. */
static void
put_fact(struct writer *w, const struct record *r)
{
	struct buf scratch = { 0 };
	struct text v = meta_value(r, &scratch);

	if (meta_is(r, "format")) {
		w->ours = text_is(v, "folded");
		root_meta(&w->root, r);
	} else if (w->ours && meta_is(r, FOLDED_FRAMES)) {
		w->dialect = text_is(v, "py-spy") ? FOLDED_PYSPY :
		    text_is(v, "austin") ? FOLDED_AUSTIN : FOLDED_PLAIN;
	} else if (w->ours && meta_is(r, "comment") && v.s &&
	    !memchr(v.s, '\n', v.n)) {
		out_write(w->e.out, "# ", 2);
		out_write(w->e.out, v.s, v.n);
		out_write(w->e.out, "\n", 1);
	} else
		loss_record(w->e.loss, r);
	buf_free(&scratch);
}

/* The decimals of a count that this format's reader has scaled. */
static size_t
decimals(const struct record *event)
{
	uint64_t scale = event_scale(event);
	size_t n = 0;

	for (; scale % 10 == 0; scale /= 10)
		n++;
	return scale == 1 ? n : 0;
}

/* Two counts are those of two profiles, unless the profile says which event is meant; of
 * more events the default is written, of a change its two sides. */
static void
choose_columns(struct writer *w)
{
	const struct events *e = &w->events;
	const long column = events_find(e, *w->e.event);
	const bool change = column >= 0 && event_is_change(e, (size_t)column, &w->column[0],
	    &w->column[1]);

	w->ncolumns = change ? 2 : column >= 0;
	if (change)
		return;
	w->column[0] = (size_t)column;
	if (e->measured > FOLDED_COUNTS || events_own_default(e) >= 0) {
		loss_add(w->e.loss, column < 0 ? "parts without the event" : "further events");
		return;
	}
	for (w->ncolumns = 0; w->ncolumns < e->measured; w->ncolumns++)
		w->column[w->ncolumns] = w->ncolumns;
}

static int
check_events(struct writer *w)
{
	size_t i;

	w->began = true;
	if (w->events.measured == 0)
		return diag_fail_plain(w->e.diag, "folded stacks have a count, but the "
		    "profile has no event, or none of --events");
	for (i = 0; i < w->events.n; i++)
		if (!w->events.v[i].measured)
			loss_add(w->e.loss, "derived events");
	choose_columns(w);
	for (i = 0; i < w->ncolumns; i++)
		w->decimals[i] = w->ours ? decimals(events_at(&w->events, w->column[i])) : 0;
	return 0;
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
put_sample(struct writer *w, const struct record *r)
{
	struct text v;
	bool other;
	size_t i;

	if (!w->began && check_events(w) < 0)
		return -1;
	if (!w->ncolumns)
		return 0;
	other = (w->root.perf || root_choice >= 0) && root_see(&w->root, r->attrs);
	other |= see_thread(w, r->attrs);
	if (r->col[0].n == NO_ID && !w->root.name.n && !w->thread.n) {
		loss_add(w->e.loss, "samples without a stack");
		return 0;
	}
	if (other)
		w->nlevel = 0;
	if (r->col[0].n != w->ctx || r->col[0].n == NO_ID || other)
		put_stack(w, r->col[0].n);
	w->line.n = w->nstack;
	for (i = 0; i < w->ncolumns; i++) {
		v = value_of(r->values, w->column[i]);
		if (text_is(v, "-")) {
			loss_add(w->e.loss, "absent values (written as 0)");
			v = TEXT("0");
		}
		buf_putc(&w->line, ' ');
		if (w->decimals[i])
			add_fraction(&w->line, v, w->decimals[i]);
		else
			buf_text(&w->line, v);
	}
	buf_putc(&w->line, '\n');
	out_write(w->e.out, w->line.s, w->line.n);
	if (r->attrs.s && !w->thread.n)
		loss_add(w->e.loss, "labels of samples");
	return 0;
}

static int
put_record(struct writer *w, const struct record *r)
{
	switch (rec_kind(r)) {
	case REC_SAMPLE:
		return put_sample(w, r);
	case REC_PART:
		if (w->parts++)
			loss_add(w->e.loss, "which part a stack belongs to");
		events_clear(&w->events);
		w->began = w->ours = false;
		w->dialect = FOLDED_PLAIN;
		w->ctx = NO_ID;
		w->nlevel = 0;
		root_begin(&w->root);
		return 0;
	case REC_EVENT:
		events_add(&w->events, r);
		return 0;
	case REC_META:
		/* The root frame of the stacks also says that they are estimated. */
		if (meta_is(r, "estimate"))
			return w->began || !w->events.measured ? 0 : check_events(w);
		put_fact(w, r);
		return 0;
	case REC_TOTAL:
		loss_record(w->e.loss, r);
		return 0;
	default:
		return 0;
	}
}

static int
folded_put(struct sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	if (put_record(w, r) < 0)
		return -1;
	return w->e.out->error ? out_check(w->e.out) : 0;
}

static void
folded_free(struct sink *s)
{
	struct writer *w = (struct writer *)s;

	events_free(&w->events);
	free(w->frames);
	free(w->level);
	free(w->is_plain);
	buf_free(&w->line);
	buf_free(&w->thread);
	root_free(&w->root);
	free(w);
}

struct sink *
folded_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	w->sink = (struct sink){ .put = folded_put, .free = folded_free };
	w->e = *e;
	w->ctx = NO_ID;
	return &w->sink;
}
