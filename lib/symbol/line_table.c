/* SPDX-License-Identifier: ISC */
#include "symbol/line_table.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/search.h"

void
line_table_add_file(struct line_table *l, struct line_file file)
{
	l->file = mem_grow(l->file, &l->capfile, l->nfile + 1, sizeof *l->file);
	l->file[l->nfile++] = file;
}

void
line_table_free(struct line_table *l)
{
	free(l->row);
	free(l->file);
	*l = (struct line_table){ 0 };
}

/* ---- order ---- */

static bool
is_before(const struct line_row *a, const struct line_row *b)
{
	return a->addr != b->addr ? a->addr < b->addr : a->end > b->end;
}

/* Returns the end of the run of rows in order from `from` on. */
static size_t
run_end(const struct line_row *row, size_t from, size_t n)
{
	while (++from < n && !is_before(&row[from], &row[from - 1]))
		;
	return from < n ? from : n;
}

/* Merges [0, mid) and [mid, n); equal rows keep their order. */
static void
merge(struct line_row *out, const struct line_row *in, size_t mid, size_t n)
{
	const struct line_row *a = in, *b = in + mid;

	while (a < in + mid && b < in + n)
		*out++ = is_before(b, a) ? *b++ : *a++;
	memcpy(out, a, (size_t)(in + mid - a) * sizeof *out);
	out += in + mid - a;
	memcpy(out, b, (size_t)(in + n - b) * sizeof *out);
}

/*
 * Sorts rows.  Sequences are usually in order, and often among each other: pairs of runs
 * are merged until one is left.
 */
void
line_table_sort(struct line_table *l)
{
	struct line_row *in = l->row, *out = NULL, *was;
	size_t at, mid, end;

	while (l->n && run_end(in, 0, l->n) < l->n) {
		if (!out)
			out = mem_resize(NULL, l->n, sizeof *out);
		for (at = 0; at < l->n; at = end) {
			mid = run_end(in, at, l->n);
			end = mid < l->n ? run_end(in, mid, l->n) : mid;
			merge(out + at, in + at, mid - at, end - at);
		}
		was = in;
		in = out;
		out = was;
	}
	free(out);
	l->row = in;
	if (l->n)
		l->row[l->n - 1].end = true;
}

/* ---- search ---- */

/* Returns, of the rows found recently, the last that does not begin after an address; the
 * first one if all do. */
static size_t *
near(struct line_table *l, uint64_t addr)
{
	const bool may[] = { l->row[l->found[0]].addr <= addr,
	    l->row[l->found[1]].addr <= addr };

	return &l->found[may[1] && (!may[0] || l->found[1] > l->found[0])];
}

const struct line_row *
line_table_find(struct line_table *l, uint64_t addr)
{
	size_t *found, n, from, to;

	if (!l->n)
		return NULL;
	found = near(l, addr);
	from = *found;
	if (l->row[from].addr <= addr) {
		for (to = from + 1; to < l->n && l->row[to].addr <= addr; to += to - from)
			;
		from += (to - from) / 2;
		to = to < l->n ? to : l->n;
	} else {
		to = from;
		from = 0;
	}
	n = PARTITION_POINT(i, from, to, l->row[i].addr <= addr);
	if (!n || l->row[n - 1].end)
		return NULL;
	*found = n - 1;
	return &l->row[n - 1];
}

const struct line_row *
line_table_first(const struct line_table *l, const struct line_row *found)
{
	const size_t n = (size_t)(found - l->row);

	return n && is_before(found - 1, found) ? found :
	    &l->row[PARTITION_POINT(i, 0, n, is_before(&l->row[i], found))];
}

/* An empty directory is one whose whole name was removed, as by -fdebug-prefix-map=$PWD=: with
 * a slash it would be the root. */
static void
add_dir(struct buf *path, const char *dir)
{
	if (dir && *dir) {
		buf_puts(path, dir);
		buf_puts(path, "/");
	}
}

void
line_file_path(const struct line_file *file, const char *comp_dir, struct buf *path)
{
	if (*file->name != '/') {
		if (!file->where_run && (!file->dir || *file->dir != '/'))
			add_dir(path, comp_dir);
		add_dir(path, file->dir);
	}
	buf_puts(path, file->name);
}
