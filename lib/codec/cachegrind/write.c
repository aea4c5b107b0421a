/* SPDX-License-Identifier: ISC */
/*
 * Writing Cachegrind's output so that the strictest of its readers accept it: all
 * counts on each line, fn= after every fl=, and a summary that is the sum of the lines.
 */
#include "cachegrind.h"

#include <stdlib.h>

#include "codec/comments.h"
#include "codec/cost64.h"
#include "filter/filter.h"
#include "stream/part.h"
#include "util/mem.h"

struct writer {
	struct part_sink parts;
	struct encode e;
	bool header;	/* the last event has not come; later lines are comments */
	size_t nevents;	/* so far */
	bool any_desc;
	bool converted;	/* it comes from another format */
	struct buf cmd, events;
	bool have_cmd;
	struct cost64 costs;
	struct buf run, sum;	/* `total` records, values */
	bool have_run, have_sum;
	uint64_t func, file;	/* those of the last line; NOT_YET */
	uint32_t name;		/* fn= */
	struct pending_funcs fresh;
	struct buf text;
};


static void
put_line(struct writer *w, const char *key, struct text value)
{
	w->text.n = 0;
	buf_puts(&w->text, key);
	comment_line(&w->text, value, w->e.loss);
	buf_putc(&w->text, '\n');
	out_write(w->e.out, w->text.s, w->text.n);
}

/* ---- header ---- */

static void
put_desc(struct writer *w, struct text v)
{
	put_line(w, "desc: ", v);
	w->any_desc = true;
}

/* Writes a comment.  In the body it is one that cg_merge before Valgrind 3.21 rejects. */
static void
put_own(struct writer *w, const struct record *r)
{
	struct buf b = { 0 };

	if (!comment_fact(&b, r, w->e.loss))
		;
	else if (w->header)
		put_desc(w, buf_as_text(&b));
	else
		put_line(w, "# ", buf_as_text(&b));
	buf_free(&b);
}

/* Writes a command that cmd: cannot hold in full as a comment. */
static void
put_cmd(struct writer *w, const struct record *r, struct text v)
{
	size_t i;

	if (!v.n || v.s[0] == ' ' || v.s[0] == '\t' || memchr(v.s, '\r', v.n) ||
	    memchr(v.s, '\n', v.n))
		put_own(w, r);
	w->have_cmd = true;
	for (i = 0; i < v.n; i++)
		buf_putc(&w->cmd, v.s[i] == '\n' || (v.s[i] == '\r' && i == v.n - 1) ?
		    ' ' : v.s[i]);
}

static int
end_header(struct writer *w)
{
	if (!w->costs.n)
		return diag_fail_plain(w->e.diag, "%s needs an event, but the profile has "
		    "none", w->e.format);
	if (!w->any_desc)	/* cg_merge needs one */
		put_desc(w, TEXT("prof format: cachegrind"));
	w->header = false;
	put_line(w, "cmd: ", buf_as_text(&w->cmd));
	put_line(w, "events:", buf_as_text(&w->events));
	cost64_begin(&w->costs);
	return 0;
}

static void put_fresh(struct writer *w, const struct record *r);

static int
put_meta(struct part_sink *s, const struct part *p, const struct record *r)
{
	struct writer *w = (struct writer *)s;
	struct buf scratch = { 0 };
	struct text v;

	(void)p;
	if (!w->header)
		put_fresh(w, NULL);
	v = meta_only(r, &scratch);
	if (!v.s) {
		put_own(w, r);	/* no value, or several */
	} else if (meta_is(r, "format")) {
		w->converted = !text_is(v, "cachegrind");
	} else if (w->header && meta_is(r, "cmd")) {
		if (w->have_cmd)
			loss_add(w->e.loss, "further commands");
		else
			put_cmd(w, r, v);
	} else if (w->header && meta_is(r, "desc") && comment_is_plain(v) &&
	    !(v.n && strchr(" \t\r", v.s[0]))) {
		put_desc(w, v);
	} else if (!w->header && meta_is(r, "comment") && comment_is_plain(v)) {
		put_line(w, "#", v);
	} else {
		put_own(w, r);
	}
	buf_free(&scratch);
	return 0;
}

/* Writes an event, which in Cachegrind is a name; its other columns go into a comment. */
static int
put_event(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;
	const bool measured = r->col[EVENT_ID].n != NO_ID;
	struct buf word = { 0 };

	if (!comment_word(&word, r->col[EVENT_NAME].t, "") || !measured ||
	    r->col[EVENT_UNIT].t.s || r->col[EVENT_FORMULA].t.s ||
	    r->col[EVENT_DESCRIPTION].t.s ||
	    (r->attrs.s && !text_is(r->attrs, "calls=absent")))
		put_own(w, r);
	if (measured) {
		buf_putc(&w->events, ' ');
		buf_text(&w->events, buf_as_text(&word));
		cost64_event(&w->costs, &word);
	}
	buf_free(&word);
	return ++w->nevents == s->part.events.n ? end_header(w) : 0;
}

/* ---- body ---- */

/* Reports data of a function other than its name and the file of the lines as dropped. */
static void
lose_func(struct writer *w, const uint32_t *f, uint64_t func, uint64_t file)
{
	if (f[FUNC_FILE] != file)
		loss_add(w->e.loss, "files of functions whose lines are in another file");
	if (func == w->func)
		return;
	if (f[FUNC_OBJECT] != NO_ID)
		loss_add(w->e.loss, "objects of functions");
	if (f[FUNC_KEY] != NO_ID)
		loss_add(w->e.loss, "keys of functions");
	if (f[FUNC_ATTRS] != NO_ID)
		loss_add(w->e.loss, "attributes of functions");
}

static void
put_name(struct writer *w, const char *key, struct text t)
{
	put_line(w, key, t.s ? t : TEXT("???"));
}

static void
go_to(struct writer *w, uint64_t func, uint64_t file)
{
	const uint32_t *f = dict_def(w->e.dict, REC_FUNC, (uint32_t)func);
	bool moved = file != w->file;

	lose_func(w, f, func, file);
	if (moved)
		put_name(w, "fl=", dict_path(w->e.dict, (uint32_t)file));
	if (moved || w->func == NOT_YET || f[FUNC_NAME] != w->name)
		put_name(w, "fn=", dict_text(w->e.dict, f[FUNC_NAME]));
	w->func = func;
	w->file = file;
	w->name = f[FUNC_NAME];
}

static void
put_fresh(struct writer *w, const struct record *r)
{
	size_t i, n = pending_funcs_take(&w->fresh, r);

	for (i = 0; i < n; i++) {
		uint64_t func = w->fresh.func[i];

		go_to(w, func, dict_def(w->e.dict, REC_FUNC, (uint32_t)func)[FUNC_FILE]);
	}
}

static int
put_cost(struct writer *w, const struct record *r)
{
	const struct field *line = &r->col[PLACE_LINE];
	long n;
	char *p;

	if (w->fresh.n)
		put_fresh(w, r);
	if (r->col[PLACE_FUNC].n != w->func || r->col[PLACE_FILE].n != w->file)
		go_to(w, r->col[PLACE_FUNC].n, r->col[PLACE_FILE].n);
	if (r->col[PLACE_ADDR].has)
		loss_add(w->e.loss, r->col[PLACE_ADDR].has & HAS_M ?
		    "numbers of counters" : "addresses");
	if (line->has & HAS_M)
		loss_add(w->e.loss, "columns of lines");
	if (r->attrs.s)
		loss_add(w->e.loss, "attributes of costs");
	p = out_room(w->e.out, FIELD_TEXT + r->values.n + 2 * w->costs.n + 2);
	p = num_put_u64(p, line->has & HAS_N ? line->n : 0);
	if ((n = cost64_put(&w->costs, r, COST64_SELF, &p)) < 0)
		return -1;
	for (; (size_t)n < w->costs.n; n++) {
		*p++ = ' ';
		*p++ = '0';
	}
	*p++ = '\n';
	out_upto(w->e.out, p);
	return 0;
}

static int
put_total(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;
	bool run = text_is(r->col[0].t, "run");
	struct buf *b = run ? &w->run : &w->sum;

	b->n = 0;
	buf_text(b, r->values);
	*(run ? &w->have_run : &w->have_sum) = true;
	return 0;
}

/* Are the values equal?  Trailing zeros may be left out. */
static bool
same_values(struct text a, struct text b)
{
	struct text v[2];
	bool more[2];

	for (;;) {
		more[0] = values_next(&a, &v[0]);
		more[1] = values_next(&b, &v[1]);
		if (!more[0] && !more[1])
			return true;
		if (!text_eq(more[0] ? v[0] : TEXT("0"), more[1] ? v[1] : TEXT("0")))
			return false;
	}
}

/*
 * Writes the summary, which is the sum of the lines.  If the cost of the run differs, it is
 * dropped, except from a profiler that contradicts itself: then it is written as a comment.
 */
static void
put_run(struct writer *w)
{
	struct record r = rec_make(REC_TOTAL);

	if (w->converted || metadata_find(&w->parts.part.metadata, "filter", 0) >= 0) {
		loss_add(w->e.loss, "the cost of the run outside its lines");
		return;
	}
	r.col[0].t = TEXT("run");
	r.values = buf_as_text(&w->run);
	put_own(w, &r);
}

static int
finish(struct part_sink *s)
{
	struct writer *w = (struct writer *)s;
	struct buf b = { 0 };
	struct text sums;
	int ret;

	put_fresh(w, NULL);
	sums = cost64_sums(&w->costs, &b);
	if (w->have_sum)
		cost64_check(&w->costs, buf_as_text(&w->sum));
	if (w->have_run && !same_values(buf_as_text(&w->run), sums))
		put_run(w);
	ret = cost64_totals(&w->costs, "summary:", sums, w->costs.n);
	buf_free(&b);
	return ret;
}

/* Begins the body; a profile without events ends before that. */
static int
begin_body(struct part_sink *s, const struct part *p)
{
	struct writer *w = (struct writer *)s;

	(void)p;
	return w->header ? end_header(w) : 0;
}

static int
put_record(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	if (rec_kind(r) == REC_COST)
		return put_cost(w, r);
	pending_funcs_drop(&w->fresh, r);	/* dropped, with a function that only it names */
	return 0;
}

static int
put_definition(struct part_sink *s, const struct record *r)
{
	if (rec_kind(r) == REC_FUNC)
		pending_funcs_add(&((struct writer *)s)->fresh, r->col[0].n);
	return 0;
}

static void
free_writer(struct part_sink *s)
{
	struct writer *w = (struct writer *)s;
	struct buf *bufs[] = { &w->cmd, &w->events, &w->run, &w->sum, &w->text };
	size_t i;

	for (i = 0; i < sizeof bufs / sizeof *bufs; i++)
		buf_free(bufs[i]);
	cost64_free(&w->costs);
	pending_funcs_free(&w->fresh);
}

static const struct part_methods methods = {
	.meta = put_meta, .event = put_event, .total = put_total, .body = begin_body,
	.put = put_record, .define = put_definition, .finish = finish, .free = free_writer,
};

struct sink *
cachegrind_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	part_sink_init(&w->parts, &methods, e->diag, e->out);
	w->parts.dict = e->dict;
	w->header = true;
	w->e = *e;
	w->costs = (struct cost64){ .e = &w->e };
	w->func = w->file = NOT_YET;
	return &w->parts.sink;
}
