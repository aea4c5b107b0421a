/* SPDX-License-Identifier: ISC */
/* The lines that are shown, and those that are not. */
#include "listing.h"

#include <stdlib.h>

#include "util/mem.h"

/* Adds all sums of a row. */
static int
add_sums(const struct listing *l, num *to, const num *from)
{
	size_t k;

	for (k = 0; k < l->t->r->rows.nval; k++)
		if (num_add(&to[k], from[k]) < 0)
			return listing_overflow(l);
	return 0;
}

static int
count_row(const struct listing *l, enum listed kind, size_t row)
{
	return add_sums(l, l->sum[kind], sums_val(&l->t->r->rows, row));
}

const struct listed_name listed_name[LISTED_KINDS + 1] = {
	[LISTED_ANNOTATED] = { "annotated", "annotated", "in instructions shown" },
	[LISTED_MISSING] = { "missing", "source missing", "instruction missing" },
	[LISTED_BELOW] = { "below", "below the threshold", "below the threshold" },
	[LISTED_NO_LINE] = { "unknown", "line unknown", "address unknown" },
	[LISTED_OTHER] = { "other", "in other files or functions", "in other functions" },
	[LISTED_REST] = { "rest", "in no line, but in the total",
	    "at no address, but in the total" },
	[LISTED_KINDS] = { "total", "total", "total" },
};

/* ---- hot lines ---- */

bool
listing_is_hot(const struct listing *l, const num *sums)
{
	const struct table *t = l->t;
	struct value v;
	size_t i;

	for (i = 0; i < t->v->nshow; i++) {
		const struct metric *m = &t->metric[i];

		v = table_value(m, sums);
		if (v.kind == WHOLE && threshold_cmp(table_magnitude(v.n), l->a->min,
		    table_whole(t, m)) >= 0)
			return true;
	}
	return false;
}

static bool
row_is_hot(const struct listing *l, size_t row)
{
	const struct rank *r = l->t->r;

	return listing_is_hot(l, sums_val(&r->rows, row)) || (r->incl_known &&
	    !(r->flags[row] & GRAPH_MIXED) &&
	    listing_is_hot(l, r->incl + row * r->rows.nval));
}

/* ---- lines ---- */

static bool
is_wanted(const struct listing *l, const uint64_t *key)
{
	const struct annotate *a = l->a;
	size_t row;

	return (!a->file || match_text(a->file, dict_path(l->t->q->dict,
	    (uint32_t)key[LISTED_FILE]))) &&
	    (!a->lines || sums_find(a->lines, key, &row));
}

static bool
has_addr(const uint64_t *key)
{
	return key[LISTED_ADDR] != NO_ID;
}

static bool
has_line(const uint64_t *key)
{
	return key[LISTED_FILE] != NO_ID && key[LISTED_LINE] != NO_LINE &&
	    key[LISTED_LINE] != 0;
}

bool
annotate_has_lines(const struct rank *r)
{
	size_t row;

	for (row = 0; row < r->rows.n; row++)
		if (has_line(sums_key(&r->rows, row)))
			return true;
	return false;
}

bool
annotate_has_addrs(const struct rank *r)
{
	size_t row;

	for (row = 0; row < r->rows.n; row++)
		if (has_addr(sums_key(&r->rows, row)))
			return true;
	return false;
}

static int
by_place(const void *a, const void *b)
{
	const struct listed_line *x = a, *y = b;

	return x->file != y->file ? (x->file < y->file ? -1 : 1) :
	    x->line < y->line ? -1 : x->line > y->line;
}

static bool
is_inlined(const struct listing *l, const uint64_t *key)
{
	size_t row;

	return l->a->inlined && sums_find(l->a->inlined, key, &row);
}

static void
add_line(struct listing *l, size_t row, const uint64_t *key)
{
	struct listed_line *to = &l->line[l->nline++];

	*to = (struct listed_line){ .row = (uint32_t)row, .hot = row_is_hot(l, row) };
	if (l->code) {
		code_pages_place(l->code, (uint32_t)key[LISTED_OBJECT],
		    (uint32_t)key[LISTED_ADDR], &to->file, &to->line);
		to->hot |= !code_pages_can(l->code, to->file);
		return;
	}
	to->file = (uint32_t)key[LISTED_FILE];
	to->line = key[LISTED_LINE];
	to->inlined = is_inlined(l, key);
}

/* Adds all lines that have a place and are not excluded. */
static int
add_lines(struct listing *l)
{
	const struct sums *rows = &l->t->r->rows;
	size_t row;

	l->line = mem_alloc(rows->n + 1, sizeof *l->line);
	for (row = 0; row < rows->n; row++) {
		const uint64_t *key = sums_key(rows, row);
		const bool wanted = is_wanted(l, key);

		if (wanted && (l->code ? has_addr(key) : has_line(key)))
			add_line(l, row, key);
		else if (count_row(l, wanted ? LISTED_NO_LINE : LISTED_OTHER, row) < 0)
			return -1;
	}
	qsort(l->line, l->nline, sizeof *l->line, by_place);
	return 0;
}

/* ---- files ---- */

static int
add_files(struct listing *l)
{
	struct listed_file *f = NULL;
	size_t i, cap = 0;

	for (i = 0; i < l->nline; i++) {
		const struct listed_line *line = &l->line[i];

		if (!f || f->file != line->file) {
			l->file = mem_grow(l->file, &cap, l->nfile + 1, sizeof *l->file);
			f = &l->file[l->nfile++];
			*f = (struct listed_file){ .file = line->file, .line = line,
			    .cost = mem_alloc(l->t->r->rows.nval + 1, sizeof *f->cost) };
		}
		f->n++;
		f->hot += line->hot;
		if (add_sums(l, f->cost, sums_val(&l->t->r->rows, line->row)) < 0)
			return -1;
	}
	return 0;
}

/* Orders files from the hottest down, by the first metric. */
struct rated {
	struct listed_file f;
	struct value cost;
	struct text path;
};

static int
by_cost(const void *a, const void *b)
{
	const struct rated *x = a, *y = b;

	if (x->cost.kind == WHOLE && y->cost.kind == WHOLE && x->cost.n != y->cost.n)
		return x->cost.n > y->cost.n ? -1 : 1;
	return text_cmp(x->path, y->path);
}

static void
sort_files(struct listing *l)
{
	const struct table *t = l->t;
	struct rated *v = mem_alloc(l->nfile + 1, sizeof *v);
	size_t i;

	for (i = 0; i < l->nfile; i++) {
		v[i].f = l->file[i];
		v[i].path = listing_name(l, l->file[i].file);
		v[i].cost = t->nmetric ? table_value(&t->metric[0], l->file[i].cost) :
		    (struct value){ .kind = ABSENT };
		if (v[i].cost.kind == WHOLE)
			v[i].cost.n = table_magnitude(v[i].cost.n);
	}
	qsort(v, l->nfile, sizeof *v, by_cost);
	for (i = 0; i < l->nfile; i++)
		l->file[i] = v[i].f;
	free(v);
}

static bool
has_source(const struct listing *l, const struct listed_file *f)
{
	return source_exists(dict_path(l->t->q->dict, f->file), &l->a->search);
}

/* Moves files without source after those with, in the same order. */
static void
move_missing(struct listing *l)
{
	struct listed_file *missing = mem_alloc(l->nfile + 1, sizeof *missing);
	size_t i, n = 0, nmissing = 0;

	for (i = 0; i < l->nfile; i++) {
		if (l->file[i].hot && !has_source(l, &l->file[i]))
			missing[nmissing++] = l->file[i];
		else
			l->file[n++] = l->file[i];
	}
	memcpy(l->file + n, missing, nmissing * sizeof *missing);
	free(missing);
}

/* A file whose lines are hot only by their calls is shown only if there is source to
 * read. */
static bool
is_shown(const struct listing *l, const struct listed_file *f)
{
	if (!f->hot || listing_is_hot(l, f->cost))
		return f->hot != 0;
	if (l->code)	/* otherwise all callers of expensive functions would be shown */
		return l->a->lines != NULL;
	return has_source(l, f);
}

/* Drops files that are not shown, and those after the limit. */
static int
drop_files(struct listing *l)
{
	size_t i, n = 0;
	int r = 0;

	for (i = 0; i < l->nfile; i++) {
		const struct listed_file f = l->file[i];
		const bool shown = is_shown(l, &f);

		if (shown && (!l->a->most || n < l->a->most)) {
			l->file[n++] = f;
			continue;
		}
		r |= add_sums(l, l->sum[shown ? LISTED_OTHER : LISTED_BELOW], f.cost);
		free(f.cost);
	}
	l->nfile = n;
	return r;
}

/* ---- the whole ---- */

int
listing_make(struct listing *l, const struct annotate *a, const struct table *t)
{
	int kind;

	*l = (struct listing){ .a = a, .t = t };
	if (a->code)
		l->code = code_pages_new(t->q->dict, a->code, &a->search);
	for (kind = 0; kind < LISTED_KINDS; kind++)
		l->sum[kind] = mem_alloc(t->r->rows.nval + 1, sizeof *l->sum[kind]);
	if (add_lines(l) < 0 || add_files(l) < 0)
		return -1;
	if (!l->nline && (a->file || a->lines))
		return diag_fail_plain(t->q->diag, "no line is in a %s that was asked for",
		    a->file && a->lines ? "file and function" :
		    a->file ? "file" : "function");
	sort_files(l);
	if (!l->code)
		move_missing(l);
	return drop_files(l);
}

struct text
listing_name(const struct listing *l, uint32_t file)
{
	return l->code ? code_pages_name(l->code, file) :
	    dict_path(l->t->q->dict, file);
}

/* Converts addresses to the numbers of instructions. */
static void
number_lines(struct listing *l, const struct listed_file *f, const struct source *s)
{
	struct listed_line *line = l->line + (f->line - l->line);
	size_t i, k = 0;

	for (i = 0; i < f->n; i++) {
		while (k < s->nline && s->insn[k].addr < line[i].line)
			k++;
		if (k < s->nline && s->insn[k].addr == line[i].line)
			line[i].line = k + 1;
	}
}

int
listing_source(struct listing *l, const struct listed_file *f, struct source *s)
{
	uint64_t *addr;
	size_t i;
	int r;

	if (!l->code) {
		source_find(s, dict_path(l->t->q->dict, f->file), &l->a->search);
		return 0;
	}
	addr = mem_alloc(f->n + 1, sizeof *addr);
	for (i = 0; i < f->n; i++)
		addr[i] = f->line[i].line;
	r = code_pages_find(l->code, f->file, addr, f->n, s, l->t->q->diag);
	number_lines(l, f, s);
	free(addr);
	return r;
}

int
listing_count(struct listing *l, const struct listed_file *f, const struct source *s)
{
	struct walk w = { .a = l->a, .f = f, .s = s };
	struct walk_line line;
	size_t i = 0;
	int r = 0;

	while (walk_next(&w, &line)) {
		for (; i < f->n && f->line[i].line < line.line; i++)
			r |= count_row(l, LISTED_BELOW, f->line[i].row);
		if (line.of)
			r |= count_row(l, line.text.s ? LISTED_ANNOTATED :
			    LISTED_MISSING, f->line[i++].row);
	}
	for (; i < f->n; i++)
		r |= count_row(l, LISTED_BELOW, f->line[i].row);
	return r;
}

int
listing_end(struct listing *l)
{
	const struct rank *r = l->t->r;
	num *rest = l->sum[LISTED_REST];
	size_t k;
	int kind;

	for (k = 0; k < r->rows.nval; k++) {
		rest[k] = r->total[k];
		for (kind = 0; kind < LISTED_REST; kind++)
			if (num_sub(&rest[k], l->sum[kind][k]) < 0)
				return listing_overflow(l);
	}
	return 0;
}

void
listing_free(struct listing *l)
{
	size_t i;
	int kind;

	for (i = 0; i < l->nfile; i++)
		free(l->file[i].cost);
	for (kind = 0; kind < LISTED_KINDS; kind++)
		free(l->sum[kind]);
	free(l->line);
	free(l->file);
	code_pages_free(l->code);
	sums_free(&l->calls);
	free(l->call);
	free(l->next_call);
}
