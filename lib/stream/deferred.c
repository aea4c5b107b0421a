/* SPDX-License-Identifier: ISC */
#include "stream/deferred.h"

#include <stdlib.h>

#include "util/mem.h"

#define DROPPED UINT64_MAX

void
pending_funcs_add(struct pending_funcs *f, uint64_t func)
{
	f->func = mem_grow(f->func, &f->cap, f->n + 1, sizeof *f->func);
	f->func[f->n++] = func;
	f->place = mem_reach(f->place, &f->capplace, func, sizeof *f->place, 0);
	f->place[func] = (uint32_t)f->n;
}

static bool
is_func(const struct record *r, unsigned c)
{
	return r->def->col[c].type == COL_FUNC && r->col[c].n != NO_ID;
}

void
pending_funcs_drop(struct pending_funcs *f, const struct record *r)
{
	unsigned c;

	for (c = 0; c < r->def->ncol && f->n; c++) {
		uint64_t func = r->col[c].n;

		if (!is_func(r, c) || func >= f->capplace || !f->place[func])
			continue;
		f->func[f->place[func] - 1] = DROPPED;
		f->place[func] = 0;
	}
}

static bool
is_of(const uint64_t *func, size_t nfunc, const struct record *r)
{
	size_t n = 0;
	unsigned c;

	for (c = 0; c < r->def->ncol && n < nfunc; c++)
		n += is_func(r, c) && r->col[c].n == func[n];
	return n == nfunc;
}

size_t
pending_funcs_take(struct pending_funcs *f, const struct record *r)
{
	size_t i, n = 0;

	for (i = 0; i < f->n; i++) {
		uint64_t func = f->func[i];

		if (func == DROPPED)
			continue;
		f->place[func] = 0;
		f->func[n++] = func;
	}
	f->n = 0;
	return r && is_of(f->func, n, r) ? 0 : n;
}

void
pending_funcs_free(struct pending_funcs *f)
{
	free(f->func);
	free(f->place);
	*f = (struct pending_funcs){ 0 };
}

void
late_records_keep(struct late_records *l, const struct record *r)
{
	l->v = mem_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = rec_keep(r);
}

struct late_records
late_records_take(struct late_records *l)
{
	struct late_records taken = *l;

	*l = (struct late_records){ 0 };
	return taken;
}

void
late_records_free(struct late_records *l)
{
	while (l->n)
		free(l->v[--l->n]);
	free(l->v);
	*l = (struct late_records){ 0 };
}
