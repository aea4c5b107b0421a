/* SPDX-License-Identifier: ISC */
/* The numbers and names of a table's cells. */
#include "view/rank_table.h"

/* ---- values ---- */

struct value
table_value(const struct metric *m, const num *sums)
{
	const struct value absent = { .kind = ABSENT };
	num over, under;

	if (terms_sum(&m->over, sums, &over) < 0)
		return absent;
	if (!m->ratio)
		return (struct value){ .kind = WHOLE, .n = over };
	if (terms_sum(&m->under, sums, &under) < 0 || under == 0)
		return absent;
	return (struct value){ .kind = RATIO, .ratio = (double)over / (double)under *
	    m->units };
}

struct value
table_self(const struct table *t, size_t row, size_t metric)
{
	return t->r->flags[row] & RANK_NO_SELF ? (struct value){ .kind = ABSENT } :
	    table_value(&t->metric[metric], sums_val(&t->r->rows, row));
}

num
table_whole(const struct table *t, const struct metric *m)
{
	const num *total = t->r->whole;

	return !m->delta ? m->total : total[m->delta->old] > total[m->delta->new] ?
	    total[m->delta->old] : total[m->delta->new];
}

bool
table_is_over(const struct metric *m, struct value v)
{
	return m->bounded && v.kind == WHOLE && v.n > m->most;
}

bool
table_has_bounds(const struct table *t, size_t metric)
{
	const struct terms *over = &t->metric[metric].over;
	size_t i;

	for (i = 0; i < over->n && t->r->incl_known; i++)
		if (rank_delta_of(t->r, (long)over->v[i].slot))
			return true;
	return false;
}

unsigned
table_bound(const struct table *t, size_t row, size_t metric)
{
	const struct metric *m = &t->metric[metric];
	const struct terms *const sums[] = { &m->over, &m->under };
	unsigned all = 0, one;
	size_t i, k;

	for (k = 0; k < 2; k++)
		for (i = 0; i < sums[k]->n; i++) {
			one = rank_incl_bound(t->r, row, sums[k]->v[i].slot);
			all |= sums[k]->v[i].coef < 0 ? rank_bound_minus(one) : one;
		}
	return m->ratio && all ? all | RANK_MAY_BE_MORE | RANK_MAY_BE_LESS : all;
}

struct text
table_bound_name(const struct table *t, size_t row, size_t metric)
{
	static const char *const name[] = { "exact", "least", "most", "neither" };
	const unsigned bound = table_bound(t, row, metric);

	return bound & RANK_UNKNOWN ? (struct text){ 0 } : text_of(name[bound]);
}

struct value
table_incl(const struct table *t, size_t row, size_t metric)
{
	const struct metric *m = &t->metric[metric];
	struct value v = { .kind = ABSENT };

	if (t->r->incl_known && !(t->r->flags[row] & GRAPH_MIXED))
		v = table_value(m, t->r->incl + row * t->r->rows.nval);
	/* A filter has dropped the calls that would show whether calls were nested. */
	if (v.kind != ABSENT && table_bound(t, row, metric) & RANK_UNKNOWN)
		v.kind = ABSENT;
	return v;
}

/* Is either side of a change above its total? */
static bool
side_is_over(const struct table *t, size_t row, const struct rank_delta *d)
{
	const num *incl = t->r->incl + row * t->r->rows.nval;

	return incl[d->old] > t->r->most[d->old] || incl[d->new] > t->r->most[d->new];
}

/* Marks in the order of the legends below; those of bounds by the numbers of RANK_*. */
enum { EXACT, LEAST, MOST, EITHER, OVER, LEFT };

static const char *const mark_text[] = { "", MARK_BOUND, "<", "?", "!", "?" };

static const struct table_legend of_costs[] = {
	{ MARK_BOUND, "lower bound: in a recursive cycle" },
	{ "<", "upper bound: less the cost of a recursive cycle" },
	{ "?", "may be more or less: in recursive cycles, or a filter has hidden calls" },
	{ "!", "more than the total, as the profiler measured it" },
	{ "?", "upper bound: the remaining calls may be nested" },
	{ NULL, NULL }
};

static const struct table_legend of_changes[] = {
	{ MARK_BOUND, "lower bound: in a recursive cycle" },
	{ "<", "upper bound of the change: in a recursive cycle before" },
	{ "?", "may be more or less: in recursive cycles before and after, or a filter "
	    "has hidden calls" },
	{ "!", "between costs of more than the total, as the profiler measured them" },
	{ NULL, NULL }
};

const struct table_legend *
table_legend(const struct table *t)
{
	return table_is_diff(t) ? of_changes : of_costs;
}

const char *
table_mark_text(unsigned mark)
{
	return mark_text[mark];
}

unsigned
table_bound_mark(unsigned bound)
{
	return bound & (RANK_MAY_BE_MORE | RANK_MAY_BE_LESS);
}

/* Is it a sum of costs that nested calls can only make too large? */
static bool
is_most_of_left(const struct table *t, size_t row, const struct metric *m)
{
	return (t->r->flags[row] & (GRAPH_PARTIAL | GRAPH_CYCLE)) == GRAPH_PARTIAL &&
	    m->bounded;
}

unsigned
table_mark(const struct table *t, size_t row, size_t metric)
{
	const struct metric *m = &t->metric[metric];
	const struct value v = table_incl(t, row, metric);
	const unsigned bound = table_bound(t, row, metric);

	if (v.kind == ABSENT)
		return EXACT;
	if (m->delta)
		return !bound && side_is_over(t, row, m->delta) ? OVER : bound;
	return table_is_over(m, v) ? OVER :
	    bound == EITHER && is_most_of_left(t, row, m) ? LEFT : bound;
}

unsigned
table_mark_bit(unsigned mark)
{
	return mark ? 1U << (mark - 1) : 0;
}

unsigned
table_row_marks(const struct table *t, size_t row)
{
	unsigned marks = 0;
	size_t i;

	for (i = 0; i < t->v->nshow; i++)
		marks |= table_mark_bit(table_mark(t, row, i));
	return marks;
}

struct value
table_calls(const struct table *t, size_t row)
{
	return (struct value){ .n = t->r->calls[row],
	    .kind = t->r->counts_known && !t->r->fine && !t->r->ndelta ? WHOLE :
	    ABSENT };
}

const char *const table_size_name[SIZES] = { "sizes", "size.min", "size.max" };

struct value
table_size(const struct table *t, size_t row, size_t which)
{
	const struct rank_sizes *z = t->r->sizes ? &t->r->sizes[row] : NULL;

	if (!z || (!z->n && which != SIZE_COUNT))
		return (struct value){ .kind = ABSENT };
	return (struct value){ .kind = WHOLE, .n = which == SIZE_COUNT ? (num)z->n :
	    which == SIZE_LEAST ? z->least : z->most };
}

/* ---- keys ---- */

bool
table_by(const struct rank_request *q, enum group_by by)
{
	size_t i;

	for (i = 0; i < q->ngroup_by && q->group_by[i] != by; i++)
		;
	return i < q->ngroup_by;
}

size_t
table_keys(const struct rank_request *q, enum group_by keys[TABLE_KEYS])
{
	size_t i, n = 0;

	for (i = 0; i < q->ngroup_by; i++) {
		if (q->group_by[i] == BY_TOTAL)
			continue;
		keys[n++] = q->group_by[i];
		if (q->group_by[i] != BY_FUNCTION)
			continue;
		if (!table_by(q, BY_FILE))
			keys[n++] = BY_FILE;
		if (!table_by(q, BY_OBJECT))
			keys[n++] = BY_OBJECT;
	}
	return n;
}

/* Returns where the row has a function in its key; NULL: it has none. */
static const uint64_t *
row_func(const struct table *t, size_t row)
{
	const struct rank_request *q = t->q;
	const uint64_t *key = sums_key(&t->r->rows, row);
	size_t i;

	for (i = 0; i < q->ngroup_by && q->group_by[i] != BY_FUNCTION; i++)
		;
	return i < q->ngroup_by ? key + i : NULL;
}

void
table_prefetch_costs(const struct table *t, size_t i, size_t limit)
{
	const size_t row = i < limit ? t->order[i].of : 0;

	if (i >= limit)
		return;
	__builtin_prefetch(row_func(t, row));
	__builtin_prefetch(sums_val(&t->r->rows, row));
	__builtin_prefetch(t->r->flags + row);
}

#define ROWS_APART 3		/* of those for which a step is taken at once */

void
table_prefetch(const struct table *t, size_t i, size_t limit)
{
	const uint64_t *func;
	unsigned step;

	table_prefetch_costs(t, i + ROWS_APART * (DICT_LOADS + 1), limit);
	for (step = 0; step < DICT_LOADS; step++) {
		const size_t at = i + ROWS_APART * (DICT_LOADS - step);

		if (at < limit && (func = row_func(t, t->order[at].of)) && *func != NO_ID)
			dict_prefetch_func(t->q->dict, (uint32_t)*func, step);
	}
}

static void
func_texts(const struct rank_request *q, uint64_t func, struct text t[3])
{
	const uint32_t *f = dict_def(q->dict, REC_FUNC, (uint32_t)func);

	t[0] = dict_text(q->dict, f[FUNC_NAME]);
	t[1] = dict_path(q->dict, f[FUNC_FILE]);
	t[2] = dict_object_path(q->dict, f[FUNC_OBJECT]);
}

/* Sets texts in the order of table_keys(); a line is a number in tmp. */
void
table_key_texts(const struct rank_request *q, const uint64_t *key, struct text *t,
    char *tmp)
{
	struct text f[3];
	size_t i, n = 0;

	for (i = 0; i < q->ngroup_by; i++) {
		uint64_t k = key[i];

		switch (q->group_by[i]) {
		case BY_FUNCTION:
			func_texts(q, k, f);
			t[n++] = f[0];
			if (!table_by(q, BY_FILE))
				t[n++] = f[1];
			if (!table_by(q, BY_OBJECT))
				t[n++] = f[2];
			break;
		case BY_FILE:
			t[n++] = dict_path(q->dict, (uint32_t)k);
			break;
		case BY_OBJECT:
			t[n++] = dict_object_path(q->dict, (uint32_t)k);
			break;
		case BY_LINE:
			t[n] = (struct text){ 0 };
			if (k != NO_LINE)
				t[n] = num_text_u64(tmp, k);
			n++;
			break;
		case BY_TOTAL: case BY_KINDS:
			break;
		default:
			t[n++] = dict_text(q->dict, (uint32_t)k);
		}
	}
}

static struct text
key_text(const struct table *t, size_t row, size_t column, char *tmp)
{
	struct text text[TABLE_KEYS];

	/* The usual case, without the texts that are not asked for. */
	if (t->q->ngroup_by == 1 && t->q->group_by[0] == BY_FUNCTION && column == 0)
		return dict_func_name(t->q->dict, (uint32_t)*sums_key(&t->r->rows, row));
	table_key_texts(t->q, sums_key(&t->r->rows, row), text, tmp);
	return text[column];
}

struct value
table_key(const struct table *t, size_t row, size_t column)
{
	struct value v = { .kind = WHOLE };
	char tmp[NUM_TEXT];
	const struct text text = key_text(t, row, column, tmp);

	if (!text.s || !num_is_canonical(text) || num_get_num(text.s, text.n, &v.n) < 0)
		v = (struct value){ .kind = NAME, .name = text };
	return v;
}

/* ---- the whole ---- */

bool
table_is_diff(const struct table *t)
{
	return t->nmetric && t->metric[0].delta;
}

num
table_magnitude(num change)
{
	if (change == NUM_MIN)		/* its negative does not fit */
		return NUM_MAX;
	return change < 0 ? -change : change;
}

struct value
table_change(const struct table *t, size_t row)
{
	return (struct value){ .kind = WHOLE, .n = table_magnitude(
	    sums_val(&t->r->rows, row)[t->metric[0].delta->change]) };
}

struct value
table_growth(const struct table *t, size_t row)
{
	const struct growth *g = &t->growth[row];

	if (g->verdict == GROWTH_FEW)
		return (struct value){ .kind = ABSENT };
	return (struct value){ .kind = WHOLE, .n = g->law };
}

size_t
table_first(const struct table *t)
{
	return t->v->skip < t->kept ? t->v->skip : t->kept;
}

size_t
table_limit(const struct table *t)
{
	const size_t left = t->kept - table_first(t);

	return t->v->most && t->v->most < left ? table_first(t) + (size_t)t->v->most : t->kept;
}
