/* SPDX-License-Identifier: ISC */
/* Parts and records in. */
#include "state.h"

#include <stdlib.h>

#include "util/mem.h"

/* ---- parts ---- */

/* Maps the part's events to the group's. */
static int
map_events(struct merge *m, struct group *g, const struct events *e)
{
	size_t i;

	g->mixed |= g->any && !merge_same_order(&g->events, e);
	for (i = 0; i < e->n; i++)
		if (merge_add_event(m, g, &e->v[i]) < 0)
			return -1;
	if (merge_widen(m, g) < 0)
		return -1;
	m->column = mem_grow(m->column, &m->capcolumn, e->measured + 1, sizeof *m->column);
	m->mapped = m->shared = false;
	m->known = 0;
	for (i = 0; i < e->measured; i++) {
		const struct text name = events_at(e, i)->col[EVENT_NAME].t;

		m->column[i] = events_find(&g->events, name);
		m->mapped |= m->column[i] != (long)i;
		m->shared |= events_find(e, name) != (long)i;
		m->known |= (uint64_t)1 << m->column[i] % TABLE_WIDE;
		if (g->over)
			merge_measures(g, (uint32_t)m->column[i]);
	}
	g->totals = mem_reach(g->totals, &g->captotals, g->events.measured,
	    sizeof *g->totals, 0);
	return 0;
}

const char *const position_name[POSITIONS] = { "addr", "bb", "line" };

/* Returns the number of runs that the part is the sum of. */
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

/* Joins the attributes of `part`; positions: all that any part has.  0, or -1 with the diag
 * set. */
static int
join_part(struct merge *m, struct group *g, struct text list)
{
	struct text key, v;
	struct buf scratch = { 0 }, attrs = { 0 }, sorted = { 0 };
	enum position i;
	bool many;

	merge_attrs(&sorted, list, (struct text){ 0 });
	list = buf_as_text(&sorted);
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
	many = m->scratch.n > MOST_ATTRS && m->scratch.n > g->attrs.n;
	g->attrs.n = 0;
	buf_text(&g->attrs, buf_as_text(&m->scratch));
	buf_free(&sorted);
	buf_free(&scratch);
	buf_free(&attrs);
	return many ? diag_fail(m->how.diag, "the attributes of parts come to more than %d KiB: "
	    "too many differ", MOST_ATTRS >> 10) : 0;
}

/* Adds the base of percentages, if it is known. */
static int
put_total(struct merge *m, const struct part *p)
{
	uint64_t key = dict_str(m->how.dict, TEXT("run"));
	struct group *g = m->group[m->at];
	struct rows *rows;
	num total;
	size_t i;

	for (i = 0; i < p->events.measured; i++) {
		const bool stated = total_stated(&p->total, i, &total);

		g->totals[m->column[i]] |= stated ? TOTAL_STATED : TOTAL_ADDED_UP;
		if (!stated && g->over)
			g->over->had[m->column[i]] |= RUN_ADDED_UP;
		if (!stated) {
			if (!m->has_costs)
				continue;
			total_known(&p->total, i, &total);
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

/* Ends a run: before the parts of the next one, and after the last. */
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
start(struct merge *m, const struct part *p)
{
	const size_t n = p->events.measured + 1;
	size_t i;

	facts_clear(&m->facts);
	for (i = 0; i < p->metadata.n; i++) {
		const struct record r = metadata_at(&p->metadata, i);

		facts_add(&m->facts, &r);
	}
	m->has_costs = m->calls_joined = false;
	m->last_func = m->last_file = UINT64_MAX;
	m->self = mem_grow(m->self, &m->capself, n, sizeof *m->self);
	memset(m->self, 0, n * sizeof *m->self);
	m->plain = mem_grow(m->plain, &m->capplain, n, sizeof *m->plain);
	merge_find_group(m);
	return map_events(m, m->group[m->at], &p->events);
}

/* Adds the lines that were skipped, of which a stream's last metadata tell. */
static int
add_skipped(struct merge *m, struct group *g, const struct metadata *all)
{
	uint64_t n;
	long i;

	for (i = metadata_find(all, "skipped", 0); i >= 0;
	    i = metadata_find(all, "skipped", (size_t)i + 1)) {
		const struct record r = metadata_at(all, (size_t)i);

		if (meta_count(&r, &n) && num_add(&g->skipped, n) < 0)
			return merge_overflow(m);
	}
	return 0;
}

static int
finish(struct merge *m, const struct part *p)
{
	struct group *g = m->group[m->at];
	num runs;

	if (put_total(m, p) < 0 || add_skipped(m, g, &p->metadata) < 0)
		return -1;
	/* Parts of one run count once. */
	if ((runs = runs_of(m)) > g->now)
		g->now = runs;
	m->last_run.n = 0;
	buf_text(&m->last_run, p->head->col[0].t);
	facts_join(&g->facts, &m->facts, !g->any);
	g->any = true;
	return join_part(m, g, p->head->attrs);
}

/* Runs a step with the part's own file as the place of errors, although the next file may
 * have begun. */
static int
in_own_file(struct merge *m, int (*step)(struct merge *, const struct part *))
{
	struct diag *d = m->how.diag;
	struct cursor own = { .file = buf_str(&m->file) }, *at = d->at;
	int r;

	if (!at || !at->file || strcmp(own.file, at->file) != 0)
		d->at = m->file.n ? &own : NULL;
	r = step(m, &m->parts.part);
	d->at = at;
	return r;
}

static int
begin_part(struct part_sink *s, const struct part *p)
{
	(void)p;
	return in_own_file((struct merge *)s, start);
}

static int
end_part(struct part_sink *s, const struct part *p)
{
	(void)p;
	return in_own_file((struct merge *)s, finish);
}

/* ---- records ---- */

/* Keeps a definition that no record names: it is information as well. */
static int
define(struct part_sink *s, const struct record *r)
{
	struct merge *m = (struct merge *)s;
	uint64_t file;

	switch (rec_kind(r)) {
	case REC_OBJECT:
		canonical_object(&m->canonical, r->col[0].n);
		break;
	case REC_FUNC:
		file = dict_def(m->how.dict, REC_FUNC, (uint32_t)r->col[0].n)[FUNC_FILE];
		canonical_func(&m->canonical, r->col[0].n, &file);
		break;
	case REC_CTX:
		canonical_ctx(&m->canonical, r->col[0].n);
		break;
	default:
		break;
	}
	return 0;
}

/* If functions are merged, some calls between them close new cycles. */
static void
see_call(struct merge *m)
{
	struct record r = rec_make(REC_META);

	if (m->canonical.all || m->canonical.keeps[BY_FUNCTION] || m->calls_joined)
		return;
	m->calls_joined = true;
	r.col[0].t = TEXT("calls");
	r.attrs = TEXT("partial");
	facts_add(&m->facts, &r);
}

/* Adds self cost, whose sum is the total if none is stated. */
static int
add_self(struct merge *m, const struct record *r)
{
	m->has_costs = true;
	return total_add(&m->parts.part.total, r) < 0 ? merge_overflow(m) : 0;
}

static int
put_point(struct merge *m, const struct record *r)
{
	struct record self = rec_copy_of(r);

	if (!r->col[POINT_SELF].t.s)
		return merge_put_row(m, r);
	if (!merge_events(m)->measured)
		return diag_fail(m->how.diag, "point: its part has no event for the cost");
	self.values = r->col[POINT_SELF].t;
	return add_self(m, &self) < 0 ? -1 : merge_put_row(m, r);
}

static int
put_declared(struct merge *m, const struct record *r)
{
	if (!m->reported_declared)
		diag_say(m->how.diag, DIAG_NOTE, "unknown records are left out: %s", r->def->tag);
	m->reported_declared = true;
	return 0;
}

static int
put_record(struct part_sink *s, const struct record *r)
{
	struct merge *m = (struct merge *)s;

	switch (rec_kind(r)) {
	case REC_COST:
		if (merge_put_plain(m, r))
			return 0;
		/* fallthrough */
	case REC_SAMPLE:
		return add_self(m, r) < 0 ? -1 : merge_put_row(m, r);
	case REC_POINT:
		return put_point(m, r);
	case REC_CALL:
		see_call(m);
		return merge_put_row(m, r);
	case REC_RAW:
		return m->canonical.all ? merge_put_row(m, r) : 0;
	case REC_DECLARED:
		return put_declared(m, r);
	default:
		return merge_put_row(m, r);
	}
}

/* Metadata of the header are used when the part begins. */
static int
put_meta(struct part_sink *s, const struct part *p, const struct record *r)
{
	if (p->place == PART_BODY)
		facts_add(&((struct merge *)s)->facts, r);
	return 0;
}

static int
end_all(struct part_sink *s)
{
	return end_run((struct merge *)s);
}

static const struct part_methods methods = {
	.begin = begin_part, .put = put_record, .define = define, .meta = put_meta,
	.end = end_part, .finish = end_all,
};

/* Begins a run.  Only a sum can go on with one that has ended. */
static int
begin_run(struct merge *m, struct text number)
{
	num run = 0;

	if (num_get_num(number.s, number.n, &run) < 0 || !m->last_run.n || run > m->most_run)
		m->most_run = run;
	else if (m->how.op != MERGE_SUM)
		return diag_fail(m->how.diag, "a run goes on after another one: the parts of "
		    "each must follow each other, unless they are summed");
	return 0;
}

/* Notes the file in which a part begins, which may end the previous run. */
static int
put_part(struct merge *m, const struct record *r)
{
	if (part_sink_put(&m->parts.sink, r) < 0)
		return -1;
	m->file.n = 0;
	if (m->how.diag->at && m->how.diag->at->file)
		buf_puts(&m->file, m->how.diag->at->file);
	if (m->last_run.n && text_eq(r->col[0].t, buf_as_text(&m->last_run)))
		return 0;
	return begin_run(m, r->col[0].t) < 0 ? -1 : end_run(m);
}

static int
merge_put(struct sink *s, const struct record *r)
{
	struct merge *m = (struct merge *)s;

	if (part_goes_on(&m->parts.part, rec_kind(r)))
		return rec_kind(r) == REC_COST && merge_put_plain(m, r) ? 0 :
		    put_record(&m->parts, r);
	return rec_kind(r) == REC_PART ? put_part(m, r) : part_sink_put(s, r);
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
	return &m->parts.sink;
}

struct merge *
merge_new(const struct merge_how *how)
{
	struct merge *m = mem_alloc(1, sizeof *m);
	size_t i;

	m->how = *how;
	part_sink_init(&m->parts, &methods, how->diag, NULL);
	m->parts.sink = (struct sink){ .put = merge_put };	/* merge_free() frees it */
	m->canonical.dict = how->dict;
	m->canonical.all = true;
	sums_init(&m->groups, BY_KINDS, 0);
	for (i = 0; i < ROW_KINDS; i++)
		merge_init_rows(&m->none[i], REC_COST + (enum rec_kind)i);
	for (i = 0; i < how->ngroup_by; i++) {
		m->canonical.keeps[how->group_by[i]] = true;
		m->canonical.all &= group_by_is_fact(how->group_by[i]);
	}
	m->grouped = m->canonical.all || m->canonical.keeps[BY_FUNCTION];
	m->canonical.keeps[BY_FUNCTION] |= how->functions;
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
	canonical_free(&m->canonical);
	facts_free(&m->facts);
	part_sink_clear(&m->parts);
	buf_free(&m->last_run);
	buf_free(&m->scratch);
	free(m->column);
	free(m->self);
	free(m->plain);
	free(m);
}
