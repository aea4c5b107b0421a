/* SPDX-License-Identifier: ISC */
/* Records in. */
#include "state.h"

#include <stdlib.h>

#include "util/mem.h"

static int
overflow(struct merge *m)
{
	return diag_fail(m->how.diag, "a sum does not fit 128 bits");
}

/* ---- groups ---- */

static unsigned
words(const struct column *c)
{
	if (c->role != ROLE_KEY)
		return c->role == ROLE_KIND;	/* is it there? */
	return c->type == COL_LINE || c->type == COL_ADDR ? 2 : 1;
}

static void
rows_init(struct rows *r, const struct rec_def *def)
{
	unsigned i;

	*r = (struct rows){ .def = def };
	for (i = 0; i < def->ncol; i++) {
		r->nkey += words(&def->col[i]);
		r->nsum += def->col[i].role != ROLE_KEY;
	}
	r->nkey += (def->tail & REC_ATTRS) != 0;
	sums_init(&r->t, r->nkey, r->nsum);
	r->t.init = ABSENT;
}

static void
group_init(struct group *g, const uint64_t *key)
{
	unsigned k;

	*g = (struct group){ 0 };
	memcpy(g->key, key, sizeof g->key);
	for (k = 0; k < ROW_KINDS; k++) {
		rows_init(&g->rows[k], &rec_table[REC_COST + k]);
		rows_init(&g->run[k], &rec_table[REC_COST + k]);
	}
	compact_init(&g->compact);
	spots_init(&g->spots);
}

struct group *
merge_one_group(struct merge *m)
{
	const uint64_t key[BY_KINDS] = { 0 };

	m->group = mem_grow(m->group, &m->capgroup, 1, sizeof *m->group);
	group_init(&m->group[0], key);
	m->ngroup = 1;
	return &m->group[0];
}

/* The rows to which a record of the current part is added. */
static struct rows *
rows_of(struct merge *m, enum rec_kind kind)
{
	struct group *g = &m->group[m->at];

	return &(m->how.op == MERGE_SUM ? g->rows : g->run)[kind - REC_COST];
}

/* Finds the group of the current part, by its facts. */
static void
find_group(struct merge *m)
{
	uint64_t key[BY_KINDS] = { 0 };
	const struct fact *f;
	size_t i;

	for (i = 0; i < m->how.ngroup_by; i++)
		if (group_by_is_fact(m->how.group_by[i]) &&
		    (f = facts_find(&m->facts, group_by_name[m->how.group_by[i]])))
			key[m->how.group_by[i]] = 1 + (uint64_t)dict_str(m->how.dict,
			    buf_as_text(&f->values));
	i = sums_row(&m->groups, key);
	if (i == m->ngroup) {
		m->group = mem_grow(m->group, &m->capgroup, m->ngroup + 1,
		    sizeof *m->group);
		group_init(&m->group[m->ngroup++], key);
	}
	m->at = i;
	if (!m->group[i].touched) {
		m->touched = mem_grow(m->touched, &m->captouched, m->ntouched + 1,
		    sizeof *m->touched);
		m->touched[m->ntouched++] = i;
		m->group[i].touched = true;
	}
}

/* ---- events ---- */

int
merge_check_room(const struct merge *m, const struct group *g)
{
	return g->events.measured <= TABLE_WIDE || sums_fits(m->sums, m->values) ? 0 :
	    sums_refuse(m->how.diag, g->events.measured);
}

/* Widens rows to all events of the group. */
static int
widen(struct merge *m, struct group *g)
{
	size_t nval;
	unsigned k;

	for (k = 0; k < ROW_KINDS; k++) {
		struct sums *t = &g->rows[k].t, *run = &g->run[k].t;

		if (!(g->rows[k].def->tail & REC_VALUES))
			continue;
		nval = g->rows[k].nsum + g->events.measured;
		m->sums += t->n * (nval - t->nval) + run->n * (nval - run->nval);
		if (merge_check_room(m, g) < 0)
			return -1;
		sums_widen(t, nval);
		sums_widen(run, nval);
	}
	return 0;
}

/* The part's events are known: maps each to the group's. */
static int
settle(struct merge *m)
{
	struct group *g;
	size_t i;

	m->in_header = false;
	m->nparts++;
	find_group(m);
	g = &m->group[m->at];
	g->mixed |= g->any && !m->how.apart && !merge_same_order(&g->events, &m->events);
	for (i = 0; i < m->events.n; i++)
		if (merge_add_event(m, g, &m->events.v[i]) < 0)
			return -1;
	if (widen(m, g) < 0)
		return -1;
	m->column = mem_grow(m->column, &m->capcolumn, m->events.measured + 1,
	    sizeof *m->column);
	m->mapped = m->shared = false;
	for (i = 0; i < m->events.measured; i++) {
		const struct text name = events_at(&m->events, i)->col[EVENT_NAME].t;

		m->column[i] = events_find(&g->events, name);
		m->mapped |= m->column[i] != (long)i;
		m->shared |= events_find(&m->events, name) != (long)i;
	}
	i = m->events.measured + 1;
	m->self = mem_grow(m->self, &m->capself, i, sizeof *m->self);
	memset(m->self, 0, i * sizeof *m->self);
	m->plain = mem_grow(m->plain, &m->capplain, i, sizeof *m->plain);
	m->last_func = m->last_file = UINT64_MAX;
	g->has = mem_reach(g->has, &g->caphas, g->events.measured, sizeof *g->has, 0);
	for (i = 0; i < m->events.measured && m->how.op != MERGE_SUM; i++)
		merge_measures(g, (uint32_t)m->column[i]);
	return 0;
}

/* ---- sums and keys ---- */

static int
add(struct merge *m, num *sum, num v)
{
	return sums_add(sum, v, ABSENT) < 0 ? overflow(m) : 0;
}

/* Adds a number to a column, or combines the two as its role says; an absent number
 * changes nothing. */
static int
add_column(struct merge *m, enum col_role role, num *sum, num v)
{
	if (v == ABSENT)
		return 0;
	if (*sum == ABSENT || (role == ROLE_MIN && v < *sum) ||
	    (role == ROLE_MAX && v > *sum)) {
		*sum = v;
		return 0;
	}
	return role == ROLE_MIN || role == ROLE_MAX ? 0 : add(m, sum, v);
}

/* Omitted values, from the i-th on, are 0. */
static void
add_zeros(const struct merge *m, size_t i, size_t end, num *sum)
{
	for (; i < end; i++)
		if (sum[m->column[i]] == ABSENT)
			sum[m->column[i]] = 0;
}

/* known: NULL, or the row's, which says up to which event the part has given all. */
static int
add_values(struct merge *m, struct text values, num *sum, struct known *known)
{
	size_t n = m->events.measured, end = n;
	struct sums_run run = { .values = values, .n = n, .init = ABSENT };

	if (sums_add_columns(&run, m->column, sum, NULL) < 0)
		return overflow(m);
	m->values += run.found;
	if (known) {
		end = known->part == m->nparts ? known->from : n;
		*known = (struct known){ m->nparts, run.found < end ? run.found : end };
	}
	add_zeros(m, run.found, end, sum);
	return 0;
}

/* The second word of a line or an address: the parts that are present, and its second
 * number as a text of the dictionary. */
static uint64_t
second_word(struct merge *m, const struct field *f)
{
	char tmp[24];

	if (!(f->has & (HAS_M | HAS_BB)))
		return f->has;
	return f->has | ((uint64_t)dict_str(m->how.dict, (struct text){ tmp,
	    (size_t)(num_put_u64(tmp, f->m) - tmp) }) + 1) << 8;
}

static bool
keeps(const struct merge *m, enum group_by by)
{
	return m->canon.all || m->canon.keeps[by];
}

/* The words of a key column other than a function; those that --by omits are absent. */
static uint64_t *
key_of(struct merge *m, const struct column *c, const struct field *f, uint64_t *word)
{
	static const struct field absent;

	switch (c->type) {
	case COL_LINE: case COL_ADDR:
		if (!keeps(m, c->type == COL_LINE ? BY_LINE : BY_ADDR))
			f = &absent;
		*word++ = f->has & HAS_N ? f->n : 0;
		*word++ = second_word(m, f);
		return word;
	case COL_INT: case COL_STR:
		*word++ = dict_str(m->how.dict, f->t);
		return word;
	case COL_CTX:
		*word++ = canon_ctx(&m->canon, f->n);
		return word;
	case COL_OBJECT:
		*word++ = canon_object(&m->canon, f->n);
		return word;
	default:
		*word++ = f->n;
		return word;
	}
}

/*
 * The words of a function and of the file of its line, which depend on each other if
 * --by lacks one of them.  The file is the column `file` after the function's, or else
 * the function's own, which has no word.  Returns how many columns and words it used.
 */
static unsigned
key_of_func(struct merge *m, const struct record *r, unsigned col, uint64_t *word)
{
	const bool has_file = col + 1 < r->def->ncol &&
	    r->def->col[col + 1].type == COL_FILE;
	const uint64_t func = r->col[col].n;
	uint64_t file = has_file ? r->col[col + 1].n :
	    dict_def(m->how.dict, REC_FUNC, (uint32_t)func)[FUNC_FILE];

	word[0] = canon_func(&m->canon, func, &file);
	if (has_file)
		word[1] = file;
	return 1 + has_file;
}

/* ---- plain costs ---- */

/* A plain cost becomes a row of the table. */
static int
expand(struct merge *m, struct group *g, const uint64_t block[2], const struct spot *at,
    const num *val)
{
	struct rows *rows = ROWS(g, REC_COST);
	const uint64_t key[] = { block[0], block[1], at->line ? at->line - 1 : 0,
	    at->line ? HAS_N : 0, at->addr, at->at_addr ? HAS_N : 0, NO_ID };
	size_t was = rows->t.n, i;
	num *sum = sums_val(&rows->t, sums_row(&rows->t, key));

	for (i = 0; i < g->events.measured; i++)
		if (val[i] != ABSENT && add(m, &sum[i], val[i]) < 0)
			return -1;
	m->sums += (rows->t.n - was) * rows->t.nval;
	return merge_check_room(m, g);
}

static int
expand_block(struct merge *m, struct group *g, struct compact_reader *r, size_t block,
    num *val)
{
	struct spot at = { 0 };

	compact_open(r, block);
	while (compact_next(r, &at.line, val, g->events.measured))
		if (expand(m, g, sums_key(&g->compact.block, block), &at, val) < 0)
			return -1;
	return 0;
}

static int
expand_compact(struct merge *m, struct group *g, num *val)
{
	struct compact *c = &g->compact;
	struct compact_reader r;
	size_t i;
	int ret = 0;

	m->values += c->nvalue;
	compact_read(&r, c);
	for (i = 0; i < c->block.n && ret == 0; i++)
		ret = expand_block(m, g, &r, i, val);
	compact_read_end(&r);
	compact_free(c);
	compact_init(c);
	return ret;
}

static int
expand_spots(struct merge *m, struct group *g, num *val)
{
	struct spots *s = &g->spots;
	size_t i;
	int ret = 0;

	m->values += s->nvalue;
	for (i = 0; i < s->n && ret == 0; i++) {
		const struct spot *at = spots_at(s, i);

		spots_get(s, at, val, g->events.measured);
		ret = expand(m, g, sums_key(&s->block, at->block), at, val);
	}
	spots_free(s);
	spots_init(s);
	return ret;
}

int
merge_expand(struct merge *m, struct group *g)
{
	num *val = mem_alloc(g->events.measured + 1, sizeof *val);
	int ret = expand_compact(m, g, val);

	if (ret == 0)
		ret = expand_spots(m, g, val);
	free(val);
	return ret;
}

/* The plain costs that follow are of this record's block, and have addresses or not. */
static void
begin_block(struct merge *m, const struct record *r, bool in_spots)
{
	struct group *g = &m->group[m->at];
	uint64_t id[2];

	key_of_func(m, r, PLACE_FUNC, id);
	if (in_spots)
		spots_begin(&g->spots, id[0], id[1], g->events.measured);
	else
		compact_begin(&g->compact, id[0], id[1], g->events.measured);
	m->last_func = r->col[PLACE_FUNC].n;
	m->last_file = r->col[PLACE_FILE].n;
	m->in_spots = in_spots;
}

/* Is it at a line, an address or no place, and no more than that?  Then *at is set. */
static bool
is_plain_place(const struct merge *m, const struct record *r, struct spot *at)
{
	const struct field *line = &r->col[PLACE_LINE], *addr = &r->col[PLACE_ADDR];
	bool at_line = line->has && keeps(m, BY_LINE);
	bool at_addr = addr->has && keeps(m, BY_ADDR);

	at->line = at_line ? (uint32_t)line->n + 1 : COMPACT_NO_LINE;
	at->addr = at_addr ? addr->n : 0;
	at->at_addr = at_addr;
	return !r->attrs.s && (!at_addr || addr->has == HAS_N) &&
	    (!at_line || (line->has == HAS_N && line->n < UINT32_MAX));
}

/* Adds a plain cost; false if it is not, or if one before was not. */
static bool
put_plain(struct merge *m, const struct record *r)
{
	struct group *g = &m->group[m->at];
	struct plain v = { .val = m->plain, .n = m->events.measured,
	    .column = m->mapped ? m->column : NULL };
	struct spot at;
	bool in_spots;

	if (m->how.op != MERGE_SUM || m->shared || ROWS(g, REC_COST)->t.n ||
	    !is_plain_place(m, r, &at) || !plain_read(&v, r->values))
		return false;
	in_spots = at.at_addr || g->spots.n;
	if (in_spots && (g->spots.full || g->events.measured > TABLE_WIDE))
		return false;
	if (r->col[PLACE_FUNC].n != m->last_func || r->col[PLACE_FILE].n != m->last_file ||
	    in_spots != m->in_spots)
		begin_block(m, r, in_spots);
	if (in_spots)
		spots_add(&g->spots, &at, &v);
	else if (!compact_add(&g->compact, at.line, &v))
		return false;
	plain_add(&v, m->self);
	return true;
}

/* ---- rows ---- */

/* NULL if events are few: then it is cheaper to look at all of them. */
static struct known *
known_of(const struct merge *m, struct rows *rows, size_t row)
{
	if (m->events.measured <= TABLE_WIDE)
		return NULL;
	rows->known = mem_reach(rows->known, &rows->capknown, row, sizeof *rows->known, 0);
	return &rows->known[row];
}

static int
put_row(struct merge *m, const struct record *r)
{
	struct rows *rows = rows_of(m, rec_kind(r));
	uint64_t key[KEY_WORDS], *word = key;
	num v, *sum;
	size_t was = rows->t.n, row;
	unsigned i;

	for (i = 0; i < r->def->ncol; i++) {
		const struct column *c = &r->def->col[i];

		if (c->type == COL_FUNC) {
			unsigned n = key_of_func(m, r, i, word);

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
	if (merge_check_room(m, &m->group[m->at]) < 0)
		return -1;
	for (i = 0; i < r->def->ncol; i++) {
		struct text t = r->col[i].t;

		if (r->def->col[i].role == ROLE_KEY)
			continue;
		v = ABSENT;
		if (t.s && (num_get_num(t.s, t.n, &v) < 0 || v == ABSENT))
			return overflow(m);
		if (add_column(m, r->def->col[i].role, sum++, v) < 0)
			return -1;
	}
	return r->def->tail & REC_VALUES ? add_values(m, r->values, sum,
	    known_of(m, rows, row)) : 0;
}

/* ---- parts ---- */

const char *const position_name[POSITIONS] = { "addr", "bb", "line" };

/* How many runs the part is the sum of. */
static num
runs_of(struct merge *m)
{
	const struct fact *f = facts_find(&m->facts, "runs");
	struct text t = { 0 };
	num n;

	if (f && f->values.n)
		t = (struct text){ f->values.s, f->values.n - 1 };	/* one value */
	return t.n && num_is_canonical(t) && num_get_num(t.s, t.n, &n) == 0 && n > 1 ?
	    n : 1;
}

/* The attributes of `part`; of positions, all that any part has. */
static void
join_part(struct merge *m, struct group *g)
{
	struct text list = buf_as_text(&m->part_attrs), key, v;
	struct buf scratch = { 0 }, attrs = { 0 };
	enum position i;

	while (attr_next(&list, &scratch, &key, &v)) {
		const char *words;
		struct text word;

		if (!text_is(key, "positions")) {
			attr_add_text(&attrs, key, v);
			continue;
		}
		words = dict_text(m->how.dict, dict_str(m->how.dict, v)).s;
		while (list_next(&words, &word))
			for (i = 0; i < POSITIONS; i++)
				g->position[i] |= text_is(word, position_name[i]);
	}
	m->scratch.n = 0;
	merge_attrs(&m->scratch, buf_as_text(&g->attrs), buf_as_text(&attrs));
	g->attrs.n = 0;
	buf_text(&g->attrs, buf_as_text(&m->scratch));
	buf_free(&scratch);
	buf_free(&attrs);
}

/* Adds what percentages are of, if that is known. */
static int
put_total(struct merge *m)
{
	uint64_t key = dict_str(m->how.dict, TEXT("run"));
	struct rows *rows = rows_of(m, REC_TOTAL);
	size_t i;
	num total, *sum = NULL;

	for (i = 0; i < m->events.measured; i++) {
		if (!total_stated(&m->total, i, &total)) {
			if (!m->has_costs)
				continue;
			total = total_of(&m->total, i);
			if (num_add(&total, m->self[i]) < 0)
				return overflow(m);
		}
		if (total == 0)	/* a total of zeros does not count */
			continue;
		if (!sum)
			sum = sums_val(&rows->t, sums_row(&rows->t, &key));
		if (add(m, &sum[m->column[i]], total) < 0)
			return -1;
	}
	return 0;
}

/* Before the parts of the next run, and after the last. */
static int
end_run(struct merge *m)
{
	while (m->ntouched) {
		struct group *g = &m->group[m->touched[--m->ntouched]];

		if (num_add(&g->runs, g->now) < 0)
			return overflow(m);
		g->now = 0;
		g->touched = false;
		if (m->how.op != MERGE_SUM && merge_fold(m, g) < 0)
			return -1;
	}
	return 0;
}

static int
finish_part(struct merge *m)
{
	struct group *g;
	num runs;

	if (m->in_header && settle(m) < 0)
		return -1;
	m->in_part = false;
	g = &m->group[m->at];
	if (put_total(m) < 0)
		return -1;
	/* Parts of one run count once. */
	if ((runs = runs_of(m)) > g->now)
		g->now = runs;
	m->last_run.n = 0;
	buf_text(&m->last_run, buf_as_text(&m->run));
	facts_join(&g->facts, &m->facts, !g->any);
	join_part(m, g);
	g->any = true;
	return 0;
}

/* Errors name the part's own file, although the next one may have begun. */
static int
end_part(struct merge *m)
{
	struct diag *d = m->how.diag;
	struct cursor own = { .file = buf_str(&m->file) }, *at = d->at;
	int r;

	if (!m->in_part)
		return 0;
	if (!at || !at->file || strcmp(own.file, at->file) != 0)
		d->at = m->file.n ? &own : NULL;
	r = finish_part(m);
	d->at = at;
	return r;
}

static int
begin_part(struct merge *m, const struct record *r)
{
	if (end_part(m) < 0)
		return -1;
	m->in_part = m->in_header = true;
	m->has_costs = false;
	facts_clear(&m->facts);
	events_clear(&m->events);
	total_clear(&m->total);
	m->part_attrs.n = m->run.n = m->file.n = 0;
	if (m->how.diag->at && m->how.diag->at->file)
		buf_puts(&m->file, m->how.diag->at->file);
	merge_attrs(&m->part_attrs, r->attrs, (struct text){ 0 });
	buf_text(&m->run, r->col[0].t);
	return text_eq(buf_as_text(&m->run), buf_as_text(&m->last_run)) ||
	    !m->last_run.n ? 0 : end_run(m);
}

/* A definition that no record names is information, too. */
static void
see(struct merge *m, const struct record *r)
{
	uint64_t file;

	switch (rec_kind(r)) {
	case REC_OBJECT:
		canon_object(&m->canon, r->col[0].n);
		break;
	case REC_FUNC:
		file = dict_def(m->how.dict, REC_FUNC, (uint32_t)r->col[0].n)[FUNC_FILE];
		canon_func(&m->canon, r->col[0].n, &file);
		break;
	case REC_CTX:
		canon_ctx(&m->canon, r->col[0].n);
		break;
	default:
		break;
	}
}

static int
put_record(struct merge *m, const struct record *r)
{
	enum rec_kind kind = rec_kind(r);

	if (rec_is_measured(kind)) {
		if (m->in_header && settle(m) < 0)
			return -1;
		if (kind == REC_RAW && !m->canon.all)
			return 0;
		if (kind == REC_COST || kind == REC_SAMPLE) {
			m->has_costs = true;
			if (kind == REC_COST && put_plain(m, r))
				return 0;
			if (total_add(&m->total, r) < 0)
				return overflow(m);
		}
		if (kind == REC_POINT && r->col[POINT_SELF].t.s) {
			struct record self = *r;

			if (!m->events.measured)
				return diag_fail(m->how.diag, "point: its part has no "
				    "event for the cost");
			m->has_costs = true;
			self.values = r->col[POINT_SELF].t;
			if (total_add(&m->total, &self) < 0)
				return overflow(m);
		}
		return put_row(m, r);
	}
	switch (kind) {
	case REC_PART:
		return begin_part(m, r);
	case REC_META:
		facts_add(&m->facts, r);
		return 0;
	case REC_EVENT:
		events_add(&m->events, r);
		return 0;
	case REC_TOTAL:
		return total_put(&m->total, r) < 0 ? overflow(m) : 0;
	case REC_END:
		return end_part(m) < 0 ? -1 : end_run(m);
	case REC_DECLARED:
		if (!m->reported_declared)
			diag_say(m->how.diag, DIAG_NOTE, "unknown records are left "
			    "out: %s", r->def->tag);
		m->reported_declared = true;
		return 0;
	default:
		see(m, r);
		return 0;
	}
}

static int
merge_put(struct sink *s, const struct record *r)
{
	return put_record((struct merge *)((char *)s - offsetof(struct merge, sink)), r);
}

struct merge *
merge_again(struct merge *m)
{
	struct merge *again = merge_new(&m->how);

	again->begun = m->begun;
	merge_free(m);
	return again;
}

struct sink *
merge_sink(struct merge *m)
{
	return &m->sink;
}

struct merge *
merge_new(const struct merge_how *how)
{
	struct merge *m = mem_alloc(1, sizeof *m);
	size_t i;

	m->how = *how;
	m->sink = (struct sink){ .put = merge_put };
	m->canon.dict = how->dict;
	m->canon.all = true;
	sums_init(&m->groups, BY_KINDS, 0);
	for (i = 0; i < how->ngroup_by; i++) {
		m->canon.keeps[how->group_by[i]] = true;
		m->canon.all &= group_by_is_fact(how->group_by[i]);
	}
	return m;
}

static void
rows_free(struct rows *r)
{
	sums_free(&r->t);
	free(r->known);
}

static void
group_free(struct group *g)
{
	unsigned k;

	for (k = 0; k < ROW_KINDS; k++)
		rows_free(&g->rows[k]);
	merge_free_runs(g);
	compact_free(&g->compact);
	spots_free(&g->spots);
	facts_free(&g->facts);
	events_free(&g->events);
	buf_free(&g->attrs);
}

void
merge_free(struct merge *m)
{
	size_t i;

	for (i = 0; i < m->ngroup; i++)
		group_free(&m->group[i]);
	free(m->group);
	free(m->touched);
	sums_free(&m->groups);
	buf_free(&m->file);
	canon_free(&m->canon);
	facts_free(&m->facts);
	events_free(&m->events);
	total_free(&m->total);
	buf_free(&m->part_attrs);
	buf_free(&m->run);
	buf_free(&m->last_run);
	buf_free(&m->scratch);
	free(m->column);
	free(m->self);
	free(m->plain);
	free(m);
}
