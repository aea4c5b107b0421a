/* SPDX-License-Identifier: ISC */
/* Records as rows: their keys and sums. */
#include "state.h"

#include "util/mem.h"

/* ---- sums ---- */

int
merge_overflow(struct merge *m)
{
	return diag_too_large(m->how.diag, "a sum");
}

int
merge_add(struct merge *m, num *sum, num v)
{
	return sums_add(sum, v, NUM_ABSENT) < 0 ? merge_overflow(m) : 0;
}

struct rows *
merge_rows_of(struct merge *m, enum rec_kind kind)
{
	struct group *g = m->group[m->at];

	return g->over ? &g->over->now[kind - REC_COST] : merge_make_rows(m, g, kind);
}

/* Adds a number to a column, or combines the two according to its role; an absent number
 * changes nothing. */
static int
add_column(struct merge *m, enum col_role role, num *sum, num v)
{
	if (v == NUM_ABSENT)
		return 0;
	if (*sum == NUM_ABSENT || (role == ROLE_MIN && v < *sum) ||
	    (role == ROLE_MAX && v > *sum)) {
		*sum = v;
		return 0;
	}
	return role == ROLE_MIN || role == ROLE_MAX ? 0 : merge_add(m, sum, v);
}

/* Adds zeros for omitted values, from the i-th on. */
static void
add_zeros(const struct merge *m, size_t i, size_t end, num *sum)
{
	for (; i < end; i++)
		if (sum[m->column[i]] == NUM_ABSENT)
			sum[m->column[i]] = 0;
}

/* Returns up to which event the part has given all values of the row.  NULL if there are
 * few events: looking at all of them is then cheaper. */
static struct known *
known_of(const struct merge *m, struct rows *rows, size_t row)
{
	if (merge_events(m)->measured <= TABLE_WIDE)
		return NULL;
	rows->known = mem_reach(rows->known, &rows->capknown, row, sizeof *rows->known, 0);
	return &rows->known[row];
}

static int
add_values(struct merge *m, struct rows *rows, size_t row, struct text values, num *sum)
{
	struct known *known = known_of(m, rows, row);
	size_t n = merge_events(m)->measured, end = n;
	struct sums_run run = { .values = values, .n = n, .init = NUM_ABSENT,
	    .below = rows->below };

	if (sums_add_columns(&run, m->column, sum, NULL) < 0)
		return merge_overflow(m);
	m->values += sums_counted(&run);
	if (run.absent && (m->how.unknown || m->group[m->at]->over))
		merge_note_unknown(m, rows, row, values);
	if (known) {
		end = known->part == m->parts.part.number ? known->from : n;
		*known = (struct known){ m->parts.part.number, run.found < end ? run.found : end };
	}
	add_zeros(m, run.found, end, sum);
	return 0;
}

/* ---- keys ---- */

/* Returns the second word of a line or an address: the parts that are present, and its
 * second number as a text of the dictionary. */
static uint64_t
second_word(struct merge *m, const struct field *f)
{
	char tmp[24];

	if (!(f->has & (HAS_M | HAS_BB)))
		return f->has;
	return f->has | ((uint64_t)dict_str(m->how.dict, num_text_u64(tmp, f->m)) + 1) << 8;
}

/* Sets the words of a key column other than a function; columns that --by omits are
 * absent. */
static uint64_t *
key_of(struct merge *m, const struct column *c, const struct field *f, uint64_t *word)
{
	static const struct field absent;

	switch (c->type) {
	case COL_LINE: case COL_ADDR:
		if (!merge_keeps(m, c->type == COL_LINE ? BY_LINE : BY_ADDR))
			f = &absent;
		*word++ = f->has & HAS_N ? f->n : 0;
		*word++ = second_word(m, f);
		return word;
	case COL_INT: case COL_STR:
		*word++ = dict_str(m->how.dict, f->t);
		return word;
	case COL_CTX:
		*word++ = canonical_ctx(&m->canonical, f->n);
		return word;
	case COL_OBJECT:
		*word++ = canonical_object(&m->canonical, f->n);
		return word;
	default:
		*word++ = f->n;
		return word;
	}
}

unsigned
merge_key_of_func(struct merge *m, const struct record *r, unsigned col, uint64_t *word)
{
	const bool has_file = col + 1 < r->def->ncol &&
	    r->def->col[col + 1].type == COL_FILE;
	const uint64_t func = r->col[col].n;
	uint64_t file = has_file ? r->col[col + 1].n :
	    dict_def(m->how.dict, REC_FUNC, (uint32_t)func)[FUNC_FILE];

	word[0] = canonical_func(&m->canonical, func, &file);
	if (has_file)
		word[1] = file;
	return 1 + has_file;
}

/* ---- rows ---- */

int
merge_put_row(struct merge *m, const struct record *r)
{
	struct rows *rows = merge_rows_of(m, rec_kind(r));
	uint64_t key[KEY_WORDS], *word = key;
	num v, *sum;
	size_t was = rows->t.n, row;
	unsigned i;

	for (i = 0; i < r->def->ncol; i++) {
		const struct column *c = &r->def->col[i];

		if (c->type == COL_FUNC) {
			unsigned n = merge_key_of_func(m, r, i, word);

			word += n;
			i += n - 1;
		} else if (c->role == ROLE_KEY) {
			word = key_of(m, c, &r->col[i], word);
		} else if (c->role == ROLE_KIND) {
			*word++ = r->col[i].t.s != NULL;
		}
	}
	if (r->def->tail & REC_ATTRS)
		*word++ = dict_str(m->how.dict, sort_attrs(&m->scratch, r->attrs));
	row = sums_row(&rows->t, key);
	sum = sums_val(&rows->t, row);
	m->sums += (rows->t.n - was) * rows->t.nval;
	if (merge_check_room(m, m->group[m->at]) < 0)
		return -1;
	for (i = 0; i < r->def->ncol; i++) {
		struct text t = r->col[i].t;

		if (r->def->col[i].role == ROLE_KEY)
			continue;
		v = NUM_ABSENT;
		if (t.s && (num_get_num(t.s, t.n, &v) < 0 || v == NUM_ABSENT))
			return merge_overflow(m);
		if (add_column(m, r->def->col[i].role, sum++, v) < 0)
			return -1;
	}
	return r->def->tail & REC_VALUES ? add_values(m, rows, row, r->values, sum) : 0;
}
