/* SPDX-License-Identifier: ISC */
/* Hints for getting names, where a table would show only ???. */
#include "view/rank_page.h"

#include "stream/recursion_suffix.h"
#include "util/printable.h"

/* Functions without names. */
struct unnamed {
	struct sums cost;	/* by object */
	bool all;		/* no function has a name */
};

static bool
has_name(const struct dict *d, uint32_t func)
{
	const struct text name = dict_func_name(d, func);
	uint64_t addr;

	return name.s && !num_is_address(name.s, recursion_base(name), &addr);
}

static void
sum_unnamed(const struct table *t, struct unnamed *u)
{
	const struct rank_request *q = t->q;
	const struct sums *rows = &t->r->rows;
	uint64_t object;
	size_t row;

	sums_init(&u->cost, 1, 1);
	u->all = true;
	for (row = 0; row < rows->n; row++) {
		const uint64_t func = *sums_key(rows, row);
		const struct value self = table_self(t, row, 0);

		if (func != NO_ID && has_name(q->dict, (uint32_t)func)) {
			u->all = false;
			continue;
		}
		object = func == NO_ID ? NO_ID :
		    dict_def(q->dict, REC_FUNC, (uint32_t)func)[FUNC_OBJECT];
		if (object != NO_ID && self.kind == WHOLE)
			(void)num_add(sums_val(&u->cost, sums_row(&u->cost, &object)), self.n);
	}
}

/* Hints at the object whose functions without names have the largest cost, if that is at
 * least a hundredth of the total. */
static void
hint_object(const struct table *t, const struct unnamed *u)
{
	const struct metric *m = &t->metric[0];
	size_t i, most = 0;
	struct buf b = { 0 };

	for (i = 1; i < u->cost.n; i++)
		if (*sums_val(&u->cost, i) > *sums_val(&u->cost, most))
			most = i;
	if (!u->cost.n || *sums_val(&u->cost, most) < m->total / 100 || m->total <= 0 ||
	    *sums_val(&u->cost, most) <= 0)
		return;
	num_add_percent(&b, *sums_val(&u->cost, most), m->total);
	buf_puts(&b, " % of ");
	printable_add(&b, m->name);
	buf_puts(&b, " in ");
	printable_add(&b, text_base_name(dict_object_path(t->q->dict,
	    (uint32_t)*sums_key(&u->cost, most))));
	diag_say(t->q->diag, DIAG_NOTE, "%s has no names: keep its symbols, or see --exe",
	    buf_str(&b));
	buf_free(&b);
}

void
page_hint_names(const struct table *t)
{
	struct unnamed u = { 0 };

	if (!t->r->rows.n || t->q->ngroup_by != 1 || t->q->group_by[0] != BY_FUNCTION ||
	    !t->v->nshow || t->metric[0].ratio)
		return;
	sum_unnamed(t, &u);
	if (u.all)
		diag_say(t->q->diag, DIAG_NOTE, "no function has a name: give the "
		    "executable with --exe");
	else
		hint_object(t, &u);
	sums_free(&u.cost);
}
