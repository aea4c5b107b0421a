/* SPDX-License-Identifier: ISC */
/* Parts and records in. */
#include "state.h"

#include <stdlib.h>

#include "util/mem.h"

/* ---- parts ---- */

/* The part's events are known: maps each to the group's. */
static int
settle(struct merge *m)
{
	struct group *g;
	size_t i;

	m->in_header = false;
	m->nparts++;
	merge_find_group(m);
	g = m->group[m->at];
	g->mixed |= g->any && !merge_same_order(&g->events, &m->events);
	for (i = 0; i < m->events.n; i++)
		if (merge_add_event(m, g, &m->events.v[i]) < 0)
			return -1;
	if (merge_widen(m, g) < 0)
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
	g->totals = mem_reach(g->totals, &g->captotals, g->events.measured,
	    sizeof *g->totals, 0);
	for (i = 0; i < m->events.measured && g->over; i++)
		merge_measures(g, (uint32_t)m->column[i]);
	return 0;
}

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
	struct group *g = m->group[m->at];
	struct rows *rows;
	num total;
	size_t i;

	for (i = 0; i < m->events.measured; i++) {
		const bool stated = total_stated(&m->total, i, &total);

		g->totals[m->column[i]] |= stated ? TOTAL_STATED : TOTAL_ADDED_UP;
		if (!stated) {
			if (!m->has_costs)
				continue;
			total = total_of(&m->total, i);
			if (num_add(&total, m->self[i]) < 0)
				return merge_overflow(m);
		}
		if (total == 0)	/* a total of zeros does not count */
			continue;
		rows = merge_rows_of(m, REC_TOTAL);
		if (rows->below)
			sums_see_below(&rows->below[m->column[i]], total);
		if (merge_add(m, &sums_val(&rows->t, sums_row(&rows->t, &key))[m->column[i]],
		    total) < 0)
			return -1;
	}
	return 0;
}

/* Before the parts of the next run, and after the last. */
static int
end_run(struct merge *m)
{
	while (m->ntouched) {
		struct group *g = m->group[m->touched[--m->ntouched]];

		if (num_add(&g->runs, g->now) < 0)
			return merge_overflow(m);
		g->now = 0;
		g->touched = false;
		if (g->over)
			merge_end_run(m, g);
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
	g = m->group[m->at];
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
	m->calls_joined = false;
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

/* ---- records ---- */

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

/* Where functions are one, some of their calls close cycles that were none. */
static void
see_call(struct merge *m)
{
	struct record r = rec_make(REC_META);

	if (m->canon.all || m->canon.keeps[BY_FUNCTION] || m->calls_joined)
		return;
	m->calls_joined = true;
	r.col[0].t = TEXT("calls");
	r.attrs = TEXT("partial");
	facts_add(&m->facts, &r);
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
		if (kind == REC_CALL)
			see_call(m);
		if (kind == REC_COST || kind == REC_SAMPLE) {
			m->has_costs = true;
			if (kind == REC_COST && merge_put_plain(m, r))
				return 0;
			if (total_add(&m->total, r) < 0)
				return merge_overflow(m);
		}
		if (kind == REC_POINT && r->col[POINT_SELF].t.s) {
			struct record self = *r;

			if (!m->events.measured)
				return diag_fail(m->how.diag, "point: its part has no "
				    "event for the cost");
			m->has_costs = true;
			self.values = r->col[POINT_SELF].t;
			if (total_add(&m->total, &self) < 0)
				return merge_overflow(m);
		}
		return merge_put_row(m, r);
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
		return total_put(&m->total, r) < 0 ? merge_overflow(m) : 0;
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

/* ---- the whole ---- */

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
	for (i = 0; i < ROW_KINDS; i++)
		merge_init_rows(&m->none[i], REC_COST + (enum rec_kind)i);
	for (i = 0; i < how->ngroup_by; i++) {
		m->canon.keeps[how->group_by[i]] = true;
		m->canon.all &= group_by_is_fact(how->group_by[i]);
	}
	m->grouped = m->canon.all || m->canon.keeps[BY_FUNCTION];
	m->canon.keeps[BY_FUNCTION] |= how->functions;
	return m;
}

void
merge_free(struct merge *m)
{
	size_t i;

	for (i = 0; i < m->ngroup; i++)
		merge_free_group(m, m->group[i]);
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
