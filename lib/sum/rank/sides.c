/* SPDX-License-Identifier: ISC */
/* The ranking of a difference: its old and its new side. */
#include "state.h"

#include <stdlib.h>

#include "util/mem.h"

/* Returns the sum of the event that has this role in the change of `name`; -1: none. */
static long
side_of(const struct rank *r, struct text name, const char *role)
{
	const long column = event_side(&r->events, name, role);

	return column < 0 ? -1 : r->slot[column];
}

enum { DELTA, OLD, NEW, ROLES };

/* Finds the events of each role, by the name of the event that they belong to. */
static void
find_roles(const struct rank *r, struct name_index role[ROLES])
{
	static const char *const names[ROLES] = { "delta", "old", "new" };
	struct buf scratch = { 0 };
	size_t i;
	int k;

	for (i = 0; i < r->events.measured; i++) {
		const struct record *e = events_at(&r->events, i);
		struct text is = attr_get(e->attrs, "role", &scratch);

		for (k = DELTA; k < ROLES && !text_is(is, names[k]); k++)
			;
		scratch.n = 0;
		if (k < ROLES)
			name_index_add(&role[k], k == DELTA ? e->col[EVENT_NAME].t :
			    attr_get(e->attrs, "of", &scratch), i);
		scratch.n = 0;
	}
	buf_free(&scratch);
}

static void
find_unknown(struct rank *r)
{
	size_t i;

	r->unknown = mem_alloc(r->nslots + 1, sizeof *r->unknown);
	for (i = 0; i < r->nslots; i++)
		r->unknown[i] = -1;
	for (i = 0; r->extra && i < r->extra->n; i++) {
		const struct extra_column *c = &r->extra->v[i];
		const struct rank_delta *d = rank_delta_of(r, r->slot[c->event]);

		if (d && !c->run)
			r->unknown[c->side ? d->new : d->old] = (long)(r->first_extra + i);
	}
}

void
rank_find_deltas(struct rank *r)
{
	struct name_index role[ROLES] = { { 0 } };
	size_t i, cap = 0, of[ROLES];
	int k;

	r->delta_at = mem_alloc(r->nslots + 1, sizeof *r->delta_at);
	find_roles(r, role);
	for (i = 0; i < r->events.measured && role[DELTA].n; i++) {
		bool all = true;

		for (k = DELTA; k < ROLES; k++)
			all &= name_index_find(&role[k], events_at(&r->events,
			    i)->col[EVENT_NAME].t, &of[k]) && r->slot[of[k]] >= 0;
		if (!all || of[DELTA] != i)
			continue;
		r->delta = mem_grow(r->delta, &cap, r->ndelta + 1, sizeof *r->delta);
		r->delta[r->ndelta++] = (struct rank_delta){ (size_t)r->slot[i],
		    (size_t)r->slot[of[OLD]], (size_t)r->slot[of[NEW]] };
		for (k = DELTA; k < ROLES; k++)
			r->delta_at[r->slot[of[k]]] = (uint32_t)r->ndelta;
	}
	for (k = DELTA; k < ROLES; k++)
		name_index_free(&role[k]);
	find_unknown(r);
}

static int
count_calls(struct rank *r, const char *role)
{
	long slot = side_of(r, TEXT("calls"), role);
	size_t i;

	for (i = 0; i < r->edges.n && slot >= 0 && !r->fine; i++) {
		const uint64_t *key = sums_key(&r->edges, i);
		const size_t to = r->placed ? r->callee_row[key[EDGE_TO]] : key[EDGE_TO];

		if (key[EDGE_ROW] != to && num_add(&sums_val(&r->rows, to)[slot],
		    sums_val(&r->edges, i)[1 + slot]) < 0)
			return -1;
	}
	for (i = 0; i < r->rows.n && slot >= 0; i++)
		r->incl[i * r->rows.nval + (size_t)slot] = sums_val(&r->rows, i)[slot];
	return 0;
}

int
rank_graph_sides(struct rank *r, int (*make)(void *arg, const bool *only,
    size_t count, unsigned char *flags), void *arg)
{
	bool *only = mem_alloc(r->rows.nval + 1, sizeof *only);
	size_t i, row, nval = r->rows.nval;
	long calls;
	int side, ret = 0;

	for (side = 0; side < 2 && ret == 0; side++) {
		memset(only, 0, nval * sizeof *only);
		for (i = 0; i < r->ndelta; i++)
			only[side ? r->delta[i].new : r->delta[i].old] = true;
		for (i = 0; r->extra && i < r->extra->n; i++)
			only[r->first_extra + i] = r->extra->v[i].side == side;
		if ((calls = side_of(r, TEXT("calls"), side ? "new" : "old")) >= 0)
			only[calls] = true;	/* a call that costs nothing still counts */
		r->side_flags[side] = mem_alloc(r->rows.n + 1, 1);
		ret = make(arg, only, calls < 0 ? 0 : 1 + (size_t)calls, r->side_flags[side]);
		for (row = 0; row < r->rows.n; row++)
			r->flags[row] |= r->side_flags[side][row];
	}
	free(only);
	return ret;
}

int
rank_find_changes(struct rank *r)
{
	size_t row, i;

	for (row = 0; row < r->rows.n; row++)
		for (i = 0; i < r->ndelta; i++) {
			num *v = r->incl + row * r->rows.nval, *to = &v[r->delta[i].change];

			*to = v[r->delta[i].new];
			if (num_sub(to, v[r->delta[i].old]) < 0)
				return -1;
		}
	return 0;
}

int
rank_count_sides(struct rank *r)
{
	return count_calls(r, "old") < 0 || count_calls(r, "new") < 0 ? -1 : 0;
}
