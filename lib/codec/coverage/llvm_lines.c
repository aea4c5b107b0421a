/* SPDX-License-Identifier: ISC */
/*
 * Lines of llvm-cov's segments, each of which has the count from its place up to that of the
 * next one, by the rules of LLVM's LineCoverageStats (CoverageMapping.cpp): the count of a
 * line is the largest of the regions that begin in it and of the one that goes on from the
 * line before; gaps begin none.
 */
#include "coverage.h"

#include <stdlib.h>

/* Is the line of these segments, which follow `before`, one that can be executed?  Sets
 * *count to how often it was. */
static bool
count_line(const struct segment *before, const struct segment *s, const struct segment *end,
    uint64_t *count)
{
	const bool goes_on = before && before->has_count && (s->has_count || !s->is_entry);
	bool begins = false;

	*count = before && before->has_count ? before->count : 0;
	for (; s < end; s++) {
		if (!s->has_count || !s->is_entry || s->is_gap)
			continue;
		begins = true;
		if (s->count > *count)
			*count = s->count;
	}
	return begins || goes_on;
}

bool
llvm_add_lines(struct line_counts *to, const struct segment *s, const struct segment *end)
{
	const struct segment *before = NULL, *next;
	uint64_t line, count;

	to->n = 0;
	for (; s < end; s = next) {
		for (next = s; next < end && next->line == s->line; next++)
			;
		if (count_line(before, s, next, &count) && !line_counts_add(to, s->line, count))
			return false;
		before = next - 1;
		if (next == end || !before->has_count)
			continue;
		for (line = s->line + 1; line < next->line; line++)
			if (!line_counts_add(to, line, before->count))
				return false;
	}
	return true;
}

/* ---- functions ---- */

static int
compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Orders bodies so that those around others come first. */
static int
by_place(const void *a, const void *b)
{
	const struct body *x = a, *y = b;
	int r;

	if ((r = compare(x->file, y->file)) || (r = compare(x->line, y->line)) ||
	    (r = compare(x->column, y->column)) || (r = compare(y->last_line, x->last_line)) ||
	    (r = compare(y->last_column, x->last_column)))
		return r;
	return compare(x->order, y->order);
}

/* Have both the same code?  That of functions without regions is not known. */
static bool
is_same_place(const struct body *x, const struct body *y)
{
	return x->file != NO_ID && x->file == y->file && x->line == y->line &&
	    x->column == y->column && x->last_line == y->last_line &&
	    x->last_column == y->last_column;
}

int
llvm_join_bodies(struct body *b, size_t *n)
{
	size_t i, to = 0;

	if (*n)
		qsort(b, *n, sizeof *b, by_place);
	for (i = 0; i < *n; i++) {
		if (!to || !is_same_place(&b[to - 1], &b[i])) {
			b[to++] = b[i];
			continue;
		}
		b[to - 1].more++;
		if (num_add(&b[to - 1].entries, b[i].entries) < 0)
			return -1;
	}
	*n = to;
	return 0;
}

const struct body *
llvm_within(struct within *w, uint64_t line)
{
	for (; w->next < w->end && w->next->line < line; w->next++) {
		w->open = mem_grow(w->open, &w->cap, w->n + 1, sizeof *w->open);
		w->open[w->n++] = w->next;
	}
	while (w->n && w->open[w->n - 1]->last_line < line)
		w->n--;
	if (w->n)
		return w->open[w->n - 1];
	return w->next < w->end && w->next->line == line ? w->next : NULL;
}
