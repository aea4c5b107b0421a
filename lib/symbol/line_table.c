/* SPDX-License-Identifier: ISC */
#include "symbol/line_table.h"

#include <stdlib.h>

#include "util/mem.h"

void
line_table_add_file(struct line_table *l, const char *dir, const char *name)
{
	l->file = mem_grow(l->file, &l->capfile, l->nfile + 1, sizeof *l->file);
	l->file[l->nfile++] = (struct line_file){ dir, name };
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

/* Where the rows end that are in order from one on. */
static size_t
run_end(const struct line_row *row, size_t from, size_t n)
{
	while (++from < n && !is_before(&row[from], &row[from - 1]))
		;
	return from < n ? from : n;
}

/* Merges [0, mid) and [mid, n); of equal rows those of the first come first. */
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
 * Sequences are mostly in order in themselves, and often among each other: pairs of runs
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

const struct line_row *
line_table_find(const struct line_table *l, uint64_t addr)
{
	size_t low = 0, high = l->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (l->row[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && !l->row[low - 1].end ? &l->row[low - 1] : NULL;
}

const struct line_row *
line_table_first(const struct line_table *l, const struct line_row *row)
{
	size_t low = 0, high = (size_t)(row - l->row);

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (is_before(&l->row[mid], row))
			low = mid + 1;
		else
			high = mid;
	}
	return &l->row[low];
}

bool
line_table_path(const struct line_table *l, const struct line_row *row, const char *comp_dir,
    struct buf *path)
{
	const struct line_file *f;
	const char *dir;
	bool relative;

	if (row->file >= l->nfile)
		return false;
	f = &l->file[row->file];
	dir = f->name[0] == '/' ? NULL : f->dir;
	relative = dir ? *dir && *dir != '/' : *f->name != '/';
	if (comp_dir && relative) {
		buf_puts(path, comp_dir);
		buf_puts(path, "/");
	}
	if (dir) {
		buf_puts(path, dir);
		buf_puts(path, "/");
	}
	buf_puts(path, f->name);
	return true;
}
