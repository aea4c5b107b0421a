/* SPDX-License-Identifier: ISC */
/* Adds the rows of both sides to those of the difference. */
#include "diff_state.h"

static int
add_to(struct diff *d, num *sum, num v, num times)
{
	if (v == NUM_ABSENT)
		return 0;
	if (num_mul(v, times, &v) < 0 || sums_add(sum, v, NUM_ABSENT) < 0)
		return merge_overflow(d->to);
	return 0;
}

static bool
is_unknown(const struct side *s, enum rec_kind kind, size_t row, size_t event)
{
	return s->unknown[event] && (kind == REC_TOTAL ? s->total_unknown[event] :
	    merge_is_unknown(s->m, s->g, kind, row, event));
}

static int
add_row(struct diff *d, int side, struct rows *to, size_t row)
{
	struct side *s = &d->side[side];
	const enum rec_kind kind = to->def->kind;
	const struct rows *from = ROWS(s->g, kind);
	const num *v = sums_val(&from->t, row);
	uint64_t key[KEY_WORDS];
	const size_t columns = merge_columns(s->g), events = s->g->events.measured;
	size_t was = to->t.n, i;
	num *sum;

	diff_key(d, s, from->def, sums_key(&from->t, row), key);
	if (kind == REC_SAMPLE)
		key[from->nkey - 1] = diff_attrs(d, side, key[from->nkey - 1]);
	sum = sums_val(&to->t, sums_row(&to->t, key)) + to->nsum;
	d->sums += (to->t.n - was) * to->t.nval;
	/* An event of either side has its change, its old and its new cost. */
	if (to->t.nval > 3 * TABLE_WIDE && !sums_fits(d->sums,
	    d->side[SIDE_OLD].m->values + d->side[SIDE_NEW].m->values))
		return sums_refuse(d->to->how.diag, to->t.nval / 3);
	if (kind == REC_CALL && add_to(d, &sum[d->calls + (size_t)side], v[0],
	    s->calls_times) < 0)
		return -1;
	for (i = 0; i < events; i++)
		if (add_to(d, &sum[s->event[i] + 1 + (size_t)side], v[from->nsum + i],
		    s->times[i]) < 0 || (is_unknown(s, kind, row, i) &&
		    add_to(d, &sum[s->unknown[i]], 1, 1) < 0))
			return -1;
	for (i = events; i < columns; i++)
		if (add_to(d, &sum[s->extra + i - events], v[from->nsum + i], 1) < 0)
			return -1;
	return 0;
}

/* Adds a total that is not known.  A merge has none if the total is 0. */
static int
add_unknown_total(struct diff *d, struct side *s)
{
	const uint64_t key = dict_str(d->dict, TEXT("run"));
	struct rows *to = merge_make_rows(d->to, d->g, REC_TOTAL);
	size_t i;

	for (i = 0; i < s->g->events.measured && !ROWS(s->g, REC_TOTAL)->t.n; i++)
		if (s->total_unknown[i] && add_to(d, &sums_val(&to->t, sums_row(&to->t,
		    &key))[to->nsum + s->unknown[i]], 1, 1) < 0)
			return -1;
	return 0;
}

static int
add_rows(struct diff *d, int side)
{
	static const enum rec_kind kinds[] = { REC_COST, REC_CALL, REC_SAMPLE, REC_TOTAL };
	struct side *s = &d->side[side];
	size_t k, i;
	unsigned kind;

	if (!s->g)
		return 0;
	for (k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		struct rows *to = merge_make_rows(d->to, d->g, kinds[k]);

		for (i = 0; i < ROWS(s->g, kinds[k])->t.n; i++)
			if (add_row(d, side, to, i) < 0)
				return -1;
	}
	for (kind = REC_COST; kind <= REC_RAW; kind++)
		if (kind != REC_COST && kind != REC_CALL && kind != REC_SAMPLE)
			for (i = 0; i < ROWS(s->g, kind)->t.n; i++) {
				struct record r = rec_make(kind);

				loss_record(&d->loss, &r);
			}
	return add_unknown_total(d, s);
}

/* Adds the changes; a missing row or value of a side counts as 0. */
static int
add_changes(struct diff *d)
{
	unsigned k;
	size_t row, i;

	for (k = 0; k < ROW_KINDS; k++) {
		const struct rows *r = d->g->rows[k];

		for (row = 0; row < r->t.n && r->def->tail & REC_VALUES; row++)
			for (i = 0; i < d->calls; i += TRIPLE) {
				num *v = sums_val(&r->t, row) + r->nsum + i;
				num was = v[1 + SIDE_OLD] == NUM_ABSENT ? 0 : v[1 + SIDE_OLD];

				v[CHANGE] = v[1 + SIDE_NEW] == NUM_ABSENT ? 0 : v[1 + SIDE_NEW];
				if (num_sub(&v[CHANGE], was) < 0)
					return merge_overflow(d->to);
			}
	}
	return 0;
}

/* A total that is not unknown is known, whatever rows are not. */
static void
end_unknown_totals(struct diff *d)
{
	const struct rows *r = ROWS(d->g, REC_TOTAL);
	size_t i;
	int side;
	num *v;

	for (side = 0; side < 2 && r->t.n; side++)
		for (i = 0; d->side[side].g && i < d->side[side].g->events.measured; i++) {
			v = sums_val(&r->t, 0) + r->nsum + d->side[side].unknown[i];
			if (d->side[side].unknown[i] && *v == NUM_ABSENT)
				*v = 0;
		}
}

int
diff_add_rows(struct diff *d)
{
	if (add_rows(d, SIDE_OLD) < 0 || add_rows(d, SIDE_NEW) < 0)
		return -1;
	end_unknown_totals(d);
	return add_changes(d);
}
