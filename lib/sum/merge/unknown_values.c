/* SPDX-License-Identifier: ISC */
/*
 * Values of rows that are not known, or only partly.  In a sum `-` subtracts nothing, so
 * that the sum alone does not show it.
 */
#include "state.h"

void
merge_init_unknown(struct rows *r)
{
	sums_init(&r->unknown, UNKNOWN_KEYS, 0);
}

void
merge_add_unknown(struct rows *r, size_t row, size_t event)
{
	const uint64_t key[UNKNOWN_KEYS] = { row, event };

	sums_row(&r->unknown, key);
}

/* Is an event of this record's kind looked at?  Calls have no costs of an event without
 * calls. */
static bool
is_asked(enum rec_kind kind, const struct record *event)
{
	return kind != REC_CALL || !event_calls(event, "absent");
}

void
merge_note_unknown(struct merge *m, struct rows *rows, size_t row, struct text values)
{
	struct text v;
	size_t i;

	for (i = 0; values_next(&values, &v); i++)
		if (text_is(v, "-") && is_asked(rows->def->kind, events_at(merge_events(m), i)))
			merge_add_unknown(rows, row, (size_t)m->column[i]);
}

/* A run that knows nothing about a value does not count. */
void
merge_keep_unknown(struct group *g, unsigned kind)
{
	const struct rows *run = &g->over->now[kind];
	struct rows *all = g->rows[kind];
	size_t i;

	for (i = 0; i < run->unknown.n; i++) {
		const uint64_t *key = sums_key(&run->unknown, i);
		const size_t row = key[UNKNOWN_ROW], event = key[UNKNOWN_EVENT];

		if (sums_val(&run->t, row)[run->nsum + event] != NUM_ABSENT)
			merge_add_unknown(all, sums_row(&all->t, sums_key(&run->t, row)),
			    event);
	}
}

/* Is a mean absent?  It is where no run knows the value. */
static bool
is_absent(const struct merge *m, const struct group *g, const struct rows *r, size_t row,
    size_t event)
{
	return m->how.op != MERGE_SUM && sums_val(&r->t, row)[r->nsum + event] == NUM_ABSENT &&
	    is_asked(r->def->kind, events_at(&g->events, event));
}

bool
merge_is_unknown(const struct merge *m, const struct group *g, enum rec_kind kind, size_t row,
    size_t event)
{
	const uint64_t key[UNKNOWN_KEYS] = { row, event };
	size_t at;

	return sums_find(&ROWS(g, kind)->unknown, key, &at) ||
	    is_absent(m, g, ROWS(g, kind), row, event);
}

void
merge_find_unknown(const struct merge *m, const struct group *g, enum rec_kind kind,
    bool *unknown)
{
	const struct rows *r = ROWS(g, kind);
	size_t i, row;

	if (!m->how.unknown)
		return;
	for (i = 0; i < r->unknown.n; i++)
		unknown[sums_key(&r->unknown, i)[UNKNOWN_EVENT]] = true;
	for (row = 0; row < r->t.n; row++)
		for (i = 0; i < g->events.measured; i++)
			unknown[i] |= is_absent(m, g, r, row, i);
}
