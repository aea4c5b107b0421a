/* SPDX-License-Identifier: ISC */
/* Reads a table by its header line. */
#include "tsv.h"

#include <stdlib.h>

#include "stream/sums.h"
#include "util/mem.h"
#include "util/num.h"
#include "util/printable.h"

enum holds { HOLDS_FACT, HOLDS_CELL, HOLDS_EVENT };

struct tsv_col {
	enum holds holds;
	unsigned i;		/* number of the metadata, of cols.col, or of the event */
	struct text name;	/* in the dictionary */
};

struct reader {
	struct decode *d;
	struct columns cols;	/* cols.def: NULL until the header is read */
	struct tsv_col *col;	/* of the table */
	size_t ncol;
	struct text *cell;	/* the cells of the line, as they are */
	struct text *of;	/* the cell of each of cols.col */
	struct text fact[FACTS];
	struct buf facts;	/* metadata of the current part, verbatim */
	bool in_part;
	struct buf values, scratch, own;
};

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)

/* ---- the header line ---- */

/* Returns how many of a kind's columns the table has. */
static unsigned
matches(const struct reader *rd, const struct columns *cols)
{
	unsigned i, n = 0;
	size_t k;

	for (i = 0; i < cols->n; i++)
		for (k = 0; tsv_has(&cols->col[i]) && k < rd->ncol; k++)
			n += text_is(rd->col[k].name, cols->col[i].name);
	return n;
}

static unsigned
width(const struct columns *cols)
{
	unsigned i, n = 0;

	for (i = 0; i < cols->n; i++)
		n += tsv_has(&cols->col[i]);
	return n;
}

/* Returns where the first of a kind's columns is. */
static size_t
first(const struct reader *rd, const struct columns *cols)
{
	size_t k;

	for (k = 0; k < rd->ncol && !text_is(rd->col[k].name, cols->col[0].name); k++)
		;
	return k;
}

/* Returns how well a kind fits the table: best if the table has all its columns, the more
 * the better; otherwise by how many it has, and how few it lacks. */
static int
fits(const struct reader *rd, const struct columns *cols)
{
	int n = (int)matches(rd, cols), of = (int)width(cols);

	return n == of ? COLUMNS_MOST * COLUMNS_MOST + of : n * COLUMNS_MOST - of;
}

/* Finds the kind of record in the table.  Events come last, even one called "stack". */
static void
find_kind(struct reader *rd)
{
	int fit, best = -COLUMNS_MOST;
	unsigned kind;
	size_t at = 0;
	struct columns cols;

	for (kind = 0; kind < REC_KINDS; kind++) {
		if (!tsv_supports(kind))
			continue;
		columns_init(&cols, &rec_table[kind]);
		fit = fits(rd, &cols);
		if (fit > best || (fit == best && first(rd, &cols) < at)) {
			best = fit;
			at = first(rd, &cols);
			rd->cols.def = cols.def;
		}
		columns_free(&cols);
	}
	columns_init(&rd->cols, rd->cols.def);
}

static int
lacking(struct reader *rd, const char *name)
{
	struct buf b = { 0 };
	unsigned i;
	int ret;

	for (i = 0; i < rd->cols.n; i++)
		if (tsv_has(&rd->cols.col[i]))
			buf_printf(&b, " %s", rd->cols.col[i].name);
	ret = BAD("no column '%s'; a table of %s records has:%s", name,
	    rd->cols.def->tag, buf_str(&b));
	buf_free(&b);
	return ret;
}

/* Finds what each column of the table contains. */
static int
assign(struct reader *rd)
{
	bool *seen = mem_alloc(rd->cols.n + 1, sizeof *seen);
	const char *lacks = NULL;
	unsigned events = 0, f;
	size_t i;
	int k;

	for (i = 0; i < rd->ncol; i++) {
		struct tsv_col *c = &rd->col[i];

		for (f = 0; f < FACTS && !text_is(c->name, fact_name[f]); f++)
			;
		k = columns_find(&rd->cols, c->name);
		if (f < FACTS) {
			*c = (struct tsv_col){ HOLDS_FACT, f, c->name };
		} else if (k >= 0 && tsv_has(&rd->cols.col[k])) {
			*c = (struct tsv_col){ HOLDS_CELL, (unsigned)k, c->name };
			seen[k] = true;
		} else {
			*c = (struct tsv_col){ HOLDS_EVENT, events++, c->name };
		}
	}
	for (f = 0; f < rd->cols.n && !lacks; f++)
		if (tsv_has(&rd->cols.col[f]) && !seen[f])
			lacks = rd->cols.col[f].name;
	free(seen);
	if (lacks)
		return lacking(rd, lacks);
	for (i = 0; i < rd->ncol && !(rd->cols.def->tail & REC_VALUES); i++)
		if (rd->col[i].holds == HOLDS_EVENT)
			return BAD("unknown column %s in a table of %s records",
			    QUOTE(rd->col[i].name),
			    rd->cols.def->tag);
	return LINE_OK;
}

/* Reads the names of the columns, which must differ. */
static int
read_columns(struct reader *rd, struct text line)
{
	struct sums seen;	/* names, by their strings */
	struct text f, name;
	size_t cap = 0;
	uint64_t str;
	int ret = LINE_OK;

	sums_init(&seen, 1, 0);
	while (!ret && fields_next(&line, &f)) {
		rd->scratch.n = 0;
		if (!field_unescape(f, &rd->scratch, &name) || !name.s || !name.n) {
			ret = BAD("expected a column name, found %s", QUOTE(f));
			break;
		}
		str = dict_str(rd->d->dict, name);
		name = dict_text(rd->d->dict, (uint32_t)str);
		if (sums_row(&seen, &str) < rd->ncol)
			ret = BAD("column %s appears twice", QUOTE(name));
		rd->col = mem_grow(rd->col, &cap, rd->ncol + 1, sizeof *rd->col);
		rd->col[rd->ncol++].name = name;
	}
	sums_free(&seen);
	return ret;
}

static int
read_header(struct reader *rd, struct text line)
{
	if (read_columns(rd, line))
		return LINE_BAD;
	find_kind(rd);
	rd->cell = mem_alloc(rd->ncol + 1, sizeof *rd->cell);
	rd->of = mem_alloc(rd->cols.n + 1, sizeof *rd->of);
	return assign(rd);
}

/* ---- parts ---- */

static int
put_events(struct reader *rd)
{
	struct record r = rec_make(REC_EVENT);
	size_t i;

	for (i = 0; i < rd->ncol; i++) {
		if (rd->col[i].holds != HOLDS_EVENT)
			continue;
		r.col[EVENT_ID].n = rd->col[i].i;
		r.col[EVENT_NAME].t = rd->col[i].name;
		if (rd->cols.def->kind != REC_CALL)
			r.attrs = TEXT("calls=absent");
		if (decode_put_event(rd->d, &r) < 0)
			return LINE_FATAL;
	}
	/* Puts the event of points, which no column of a table names. */
	if (rd->cols.def->kind == REC_POINT) {
		r.col[EVENT_ID].n = 0;
		r.col[EVENT_NAME].t = TEXT(TSV_POINT_EVENT);
		if (decode_put_event(rd->d, &r) < 0)
			return LINE_FATAL;
	}
	return LINE_OK;
}

/* Returns the positions of the first row, as a table does not state them. */
static struct text
positions(const struct reader *rd)
{
	int addr = columns_find(&rd->cols, TEXT("addr"));
	int line = columns_find(&rd->cols, TEXT("line"));

	if (addr < 0 || line < 0 || text_is(rd->of[addr], "-") || !rd->of[addr].s)
		return TEXT("positions=line");
	return memchr(rd->of[addr].s, '#', rd->of[addr].n) ?
	    TEXT("positions=addr,bb,line") : TEXT("positions=addr,line");
}

static int
begin_part(struct reader *rd)
{
	struct record r = rec_make(REC_PART);
	char run[24];
	struct text v;
	int i;

	if (!rd->in_part)
		rd->d->session->runs++;
	rd->in_part = true;
	r.col[0].t = num_text_u64(run, rd->d->session->runs);
	r.attrs = positions(rd);
	if (decode_put_part(rd->d, &r) < 0 ||
	    meta_put(rd->d->out, "format", TEXT("tsv")) < 0)
		return LINE_FATAL;
	for (i = 0; i < FACTS; i++) {
		rd->own.n = 0;
		if (!rd->fact[i].s)
			continue;
		if (field_unescape(rd->fact[i], &rd->own, &v) && v.s &&
		    meta_put(rd->d->out, fact_name[i], v) < 0)
			return LINE_FATAL;
	}
	return put_events(rd);
}

/* Begins a part if the metadata of a row differ from the previous row's. */
static int
need_part(struct reader *rd)
{
	struct buf b = { 0 };
	bool same;
	int i;

	for (i = 0; i < FACTS; i++) {
		if (rd->fact[i].s)
			buf_text(&b, rd->fact[i]);
		buf_putc(&b, '\t');
	}
	same = rd->in_part && text_eq(buf_as_text(&b), buf_as_text(&rd->facts));
	buf_free(&rd->facts);
	rd->facts = b;
	return same ? LINE_OK : begin_part(rd);
}

/* ---- rows ---- */

static int
bad_escape(struct reader *rd, const char *name, struct text cell)
{
	return BAD("%s: bad escape in %s", name, QUOTE(cell));
}

static int
check_stack(struct reader *rd, unsigned i, struct text stack)
{
	struct text name;
	int r;

	rd->own.n = 0;
	while ((r = columns_next_frame(&stack, &rd->own, &name)) > 0)
		rd->own.n = 0;
	return r < 0 ? bad_escape(rd, rd->cols.col[i].name, rd->of[i]) : LINE_OK;
}

/* Checks a row with backslashes before anything is defined by it, as a skipped row must
 * leave no trace. */
static int
check_strings(struct reader *rd)
{
	struct text t;
	unsigned i;
	int ret = LINE_OK;

	for (i = 0; i < FACTS; i++)
		if (rd->fact[i].s && !field_unescape(rd->fact[i], &rd->own, &t))
			return bad_escape(rd, fact_name[i], rd->fact[i]);
	for (i = 0; i < rd->cols.n && !ret; i++) {
		if (!rd->of[i].s || (rd->cols.col[i].part == COLUMN_PLAIN &&
		    rd->cols.col[i].type != COL_STR))
			continue;
		rd->scratch.n = 0;
		if (!field_unescape(rd->of[i], &rd->scratch, &t))
			ret = bad_escape(rd, rd->cols.col[i].name, rd->of[i]);
		else if (rd->cols.col[i].part == COLUMN_STACK)
			ret = check_stack(rd, i, t);
	}
	return ret;
}

static uint32_t
read_string(struct reader *rd, unsigned i)
{
	struct text t = { 0 };

	if (rd->of[i].s && !field_unescape(rd->of[i], &rd->scratch, &t))
		return NO_ID;	/* check_strings() has rejected that */
	return dict_str(rd->d->dict, t);
}

/* Reads three cells from i on.  If all are unknown, there is no function. */
static int
read_func(struct reader *rd, unsigned i, struct field *f)
{
	struct func_def func = NO_FUNC;
	uint32_t str[3], id;
	unsigned k;

	for (k = 0; k < 3; k++)
		str[k] = read_string(rd, i + k);
	f->n = NO_ID;
	if (str[0] == NO_ID && str[1] == NO_ID && str[2] == NO_ID)
		return LINE_OK;
	func.name = str[0];
	func.file = dict_define_path(rd->d->dict, REC_FILE, str[1]);
	func.object = dict_define_path(rd->d->dict, REC_OBJECT, str[2]);
	if (decode_func(rd->d, &func, &id) < 0)
		return LINE_FATAL;
	f->n = id;
	return LINE_OK;
}

static int
read_stack(struct reader *rd, unsigned i, struct field *f)
{
	struct text rest, name;
	uint32_t ctx = NO_ID;

	f->n = NO_ID;
	for (rest = dict_text(rd->d->dict, read_string(rd, i)); ; f->n = ctx) {
		struct func_def func = NO_FUNC;
		struct ctx_def frame = NO_CTX;

		rd->own.n = 0;
		if (columns_next_frame(&rest, &rd->own, &name) <= 0)
			return LINE_OK;	/* check_strings() has rejected that */
		func.name = dict_str(rd->d->dict, name);
		frame.parent = ctx;
		if (decode_func(rd->d, &func, &frame.func) < 0 ||
		    decode_ctx(rd->d, &frame, &ctx) < 0)
			return LINE_FATAL;
	}
}

static int
read_plain(struct reader *rd, unsigned i, struct field *f)
{
	const struct spelt_column *c = &rd->cols.col[i];
	struct text t = rd->of[i];
	bool good = true;

	if (text_is(t, "-"))
		t = (struct text){ 0 };
	*f = (struct field){ .has = 0 };
	switch (c->type) {
	case COL_LINE:
		good = !t.s || field_get_line(t, f);
		break;
	case COL_ADDR:
		good = !t.s || field_get_addr(t, f);
		break;
	case COL_INT:
		good = !t.s || num_is_canonical(t);
		f->t = t;
		break;
	default:
		good = field_unescape(rd->of[i], &rd->scratch, &f->t);
		break;
	}
	return good ? LINE_OK : BAD("%s: expected %s, found %s", c->name,
	    c->type == COL_LINE ? "a line number" : c->type == COL_ADDR ?
	    "an address" : c->type == COL_INT ? "a whole number" : "a string",
	    QUOTE(rd->of[i]));
}

static int
read_plain_cells(struct reader *rd, struct record *r)
{
	unsigned i;
	int ret = LINE_OK;

	for (i = 0; i < rd->cols.n && !ret; i++)
		if (rd->cols.col[i].part == COLUMN_PLAIN)
			ret = read_plain(rd, i, &r->col[rd->cols.col[i].col]);
	if (!ret && rec_kind(r) == REC_TOTAL && !text_is(r->col[0].t, "run") &&
	    !text_is(r->col[0].t, "sum"))
		ret = BAD("of: expected 'run' or 'sum', found %s", QUOTE(rd->of[0]));
	return ret;
}

/* Reads the cells with names, which are defined. */
static int
read_names(struct reader *rd, struct record *r)
{
	unsigned i;
	int ret = LINE_OK;

	for (i = 0; i < rd->cols.n && !ret; i++) {
		const struct spelt_column *c = &rd->cols.col[i];
		struct field *f = &r->col[c->col];

		if (c->part == COLUMN_NAME)	/* with its file and object */
			ret = read_func(rd, i, f);
		else if (c->part == COLUMN_STACK)
			ret = read_stack(rd, i, f);
		else if (c->part == COLUMN_PATH)
			f->n = dict_define_path(rd->d->dict, col_def(c->type),
			    read_string(rd, i));
	}
	return ret;
}

static int
read_values(struct reader *rd, struct record *r)
{
	size_t i;

	rd->values.n = 0;
	for (i = 0; i < rd->ncol; i++) {
		const struct text t = rd->cell[i];

		if (rd->col[i].holds != HOLDS_EVENT)
			continue;
		if (!text_is(t, "-") && !num_is_canonical(t)) {
			rd->own.n = 0;
			printable_add(&rd->own, rd->col[i].name);
			return BAD("%s: expected a whole number or '-', found %s",
			    buf_str(&rd->own), QUOTE(t));
		}
		if (rd->values.n)
			buf_putc(&rd->values, '\t');
		buf_text(&rd->values, t);
	}
	if (rd->values.n)
		r->values = buf_as_text(&rd->values);
	return LINE_OK;
}

static int
read_row(struct reader *rd, struct text line)
{
	struct record r = rec_make(rd->cols.def->kind);
	bool backslash = line.n && memchr(line.s, '\\', line.n);
	size_t i = 0, n = line.n + 16;
	const struct text whole = line;
	struct text f;
	int ret;

	for (; fields_next(&line, &f); i++) {
		const struct tsv_col *c = &rd->col[i];

		if (i == rd->ncol)
			return BAD("more fields than columns (%zu)", rd->ncol);
		rd->cell[i] = f;
		if (c->holds == HOLDS_FACT)
			rd->fact[c->i] = f;
		else if (c->holds == HOLDS_CELL)
			rd->of[c->i] = f;
	}
	if (i < rd->ncol)
		return BAD("expected %zu fields, found %zu: %s", rd->ncol, i, QUOTE(whole));
	/* Unescaped text must not move. */
	buf_room(&rd->own, n);
	buf_room(&rd->scratch, 2 * n);
	rd->own.n = rd->scratch.n = 0;
	if (backslash && (ret = check_strings(rd)))
		return ret;
	rd->scratch.n = 0;
	if ((ret = read_plain_cells(rd, &r)) || (ret = read_values(rd, &r)) ||
	    (ret = need_part(rd)) || (ret = read_names(rd, &r)))
		return ret;
	return sink_put(rd->d->out, &r);
}

static int
block(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;
	const char *q, *last;
	int ret;

	for (; p < end; p = q + 1) {
		rd->d->at.line++;
		q = memchr(p, '\n', (size_t)(end - p));
		last = q > p && q[-1] == '\r' ? q - 1 : q;
		if (rd->cols.def) {
			ret = read_row(rd, (struct text){ p, (size_t)(last - p) });
			if (ret && decode_line_done(rd->d, ret) < 0)
				return -1;
		} else if (read_header(rd, (struct text){ p, (size_t)(last - p) })) {
			return -1;
		}
	}
	return 0;
}

int
tsv_decode(struct decode *d)
{
	struct reader rd = { .d = d };
	int r = decode_lines(d, "table", LAST_ENDS, block, &rd);

	/* A table without rows is an empty profile, without the metadata of a skipped
	 * row. */
	memset(rd.fact, 0, sizeof rd.fact);
	if (r == 0 && rd.cols.def && !rd.in_part) {
		memset(rd.of, 0, rd.cols.n * sizeof *rd.of);
		r = begin_part(&rd) ? -1 : 0;
	}
	columns_free(&rd.cols);
	free(rd.col);
	free(rd.cell);
	free(rd.of);
	buf_free(&rd.facts);
	buf_free(&rd.values);
	buf_free(&rd.scratch);
	buf_free(&rd.own);
	return r;
}
