/* SPDX-License-Identifier: ISC */
/* The headings of files and functions. */
#include "pages.h"

#include <inttypes.h>

#include "util/abbreviate.h"
#include "util/printable.h"

#define LEAST 8		/* the fewest columns of a path */
#define INDENT "  "		/* of a second line, if one does not suffice */

/* "NAME: COST, source PATH, newer than the profile". */
struct title {
	struct buf cost;	/* ": 1,234 Ir, 12.34 %" */
	const char *where;	/* ", source "; NULL: not shown */
	struct text path;
	struct buf state;	/* ", newer than the profile" */
};

/* ---- its parts ---- */

static void
add_cost(struct buf *out, const struct table *t, const struct listed_file *f)
{
	const struct metric *m = &t->metric[0];
	struct value cost = { .kind = ABSENT };

	if (t->nmetric)
		cost = table_value(m, f->cost);
	if (cost.kind == WHOLE) {
		buf_puts(out, m->change && cost.n > 0 ? ": +" : ": ");
		metric_add_amount(out, m, cost.n);
	}
	if (cost.kind == WHOLE && !m->change && m->total) {
		buf_puts(out, ", ");
		value_add_share(out, cost, m->total);
		buf_puts(out, " %");
	}
}

static void
add_newer(struct buf *out, const struct listing *l, const struct source *s)
{
	if (l->a->recorded && s->changed > l->a->recorded)
		buf_puts(out, ", newer than the profile");
}

/* Sets where the source is, and any problem with it. */
static void
say_source(struct title *t, const struct listing *l, const struct listed_file *f,
    const struct source *s)
{
	const uint64_t last = f->line[f->n - 1].line;

	if (!s->path.n) {
		buf_printf(&t->state, ", source %s", s->why);
		return;
	}
	if (!text_eq(listing_name(l, f->file), buf_as_text(&s->path))) {
		t->where = ", source ";
		t->path = buf_as_text(&s->path);
	}
	add_newer(&t->state, l, s);
	if (last > s->nline)
		buf_printf(&t->state, ", only %zu of %" PRIu64 " lines", s->nline, last);
}

/* The same for an executable. */
static void
say_code(struct title *t, const struct listing *l, const struct listed_file *f,
    const struct source *s)
{
	const struct code_object *o = code_pages_of(l->code, f->file);

	if (!s->path.n) {
		buf_printf(&t->state, ", executable %s", s->why);
		return;
	}
	t->where = ", in ";
	t->path = buf_as_text(&s->path);
	if (!code_pages_has_name(l->code, f->file))	/* there may be several */
		buf_printf(&t->state, ", from 0x%" PRIx64 " on",
		    source_number(s, f->line[0].line));
	if (!s->nline)
		buf_puts(&t->state, ", no instructions found");
	if ((int64_t)o->bias > 0)
		buf_printf(&t->state, ", was loaded at 0x%" PRIx64, o->bias);
	if (code_pages_is_odd(l->code, f->file))
		buf_puts(&t->state, ", another function in the profile");
	add_newer(&t->state, l, s);
}

/* ---- in the available room ---- */

/* Adds the end of a path, its most useful part: whole components, if one of them fits. */
static void
add_end(struct buf *out, struct text path, size_t room)
{
	struct text rest = path;
	const char *slash;

	if (printable_columns(path) <= room) {
		printable_add(out, path);
		return;
	}
	while ((slash = memchr(rest.s + 1, '/', rest.n ? rest.n - 1 : 0))) {
		rest.n -= (size_t)(slash - rest.s);
		rest.s = slash;
		if (printable_columns(rest) < room)
			break;
	}
	if (slash) {
		buf_puts(out, "\xe2\x80\xa6");
		printable_add(out, rest);
	} else {
		printable_shortened(out, path, room);
	}
}

/* Adds the name: for an object without instructions that of the object. */
static void
add_name(struct buf *out, const struct listing *l, const struct listed_file *f,
    size_t room)
{
	const struct dict *d = l->t->q->dict;
	struct text object;

	if (l->code && code_pages_can(l->code, f->file)) {
		abbreviate(out, code_pages_name(l->code, f->file), room);
		return;
	}
	object = l->code ? dict_object_path(d, code_pages_object(l->code, f->file)) :
	    listing_name(l, f->file);
	add_end(out, object.s ? object : TEXT("???"), room);
}

/* Returns the width of the name if it is not shortened. */
static size_t
name_columns(const struct listing *l, const struct listed_file *f)
{
	struct buf b = { 0 };
	size_t n;

	add_name(&b, l, f, SIZE_MAX);
	n = printable_columns(buf_as_text(&b));
	buf_free(&b);
	return n;
}

static size_t
at_least(size_t room, size_t used)
{
	return room > used + LEAST ? room - used : LEAST;
}

/* Prints where the file is and any problem: on a second line if the first one, with `used`
 * columns, has no room for it. */
static void
put_where(struct page *p, struct title *t, size_t used)
{
	const size_t width = p->width;
	const size_t path = t->where ? printable_columns(t->path) : 0;
	const size_t fixed = (t->where ? strlen(t->where) : 0) + t->state.n;
	size_t room = SIZE_MAX;

	if (width && used + fixed + (path < LEAST ? path : LEAST) > width) {
		page_flush(p);
		buf_puts(&p->line, INDENT);
		used = strlen(INDENT);
		if (t->where)
			t->where += strlen(", ");
		else if (t->state.n)
			memset(t->state.s, ' ', strlen(", "));
	}
	if (width)
		room = at_least(width, used + fixed);
	if (t->where) {
		buf_puts(&p->line, t->where);
		add_end(&p->line, t->path, room);
	}
	buf_text(&p->line, buf_as_text(&t->state));
}

static void
put_title(struct page *p, const struct listing *l, const struct listed_file *f,
    struct title *t)
{
	const size_t width = p->width, name = name_columns(l, f);
	const size_t rest = t->cost.n + t->state.n + (t->where ? strlen(t->where) + LEAST :
	    0);
	size_t room = !width ? SIZE_MAX : at_least(width, t->cost.n), used;

	/* The rest gets some of the line, if that leaves enough for the name. */
	if (width > rest && name > width - rest && width - rest >= 2 * LEAST)
		room = width - rest;
	used = (name < room ? name : room) + t->cost.n;
	page_bold(p, true);
	add_name(&p->line, l, f, room);
	page_bold(p, false);
	buf_text(&p->line, buf_as_text(&t->cost));
	put_where(p, t, used);
	page_flush(p);
}

void
annotate_title(struct page *p, const struct listing *l, const struct listed_file *f,
    const struct source *s)
{
	struct title t = { 0 };

	add_cost(&t.cost, l->t, f);
	if (l->code)
		say_code(&t, l, f, s);
	else
		say_source(&t, l, f, s);
	put_title(p, l, f, &t);
	buf_free(&t.cost);
	buf_free(&t.state);
}
