/* SPDX-License-Identifier: ISC */
/* A view, written: which of the pages it is. */
#include "view/page.h"

static int
print_all(struct page *p)
{
	const struct table *t = p->t;
	const struct view *v = t->v;
	size_t i, n;

	if (v->values) {
		if (page_no_values(p))
			return -1;
		if (v->form == VIEW_TEXT)
			page_heading(p);
		page_values(p);
		return 0;
	}
	if (v->callers || v->callees) {
		if (page_no_match(p, v->callers, "callers") ||
		    page_no_match(p, v->callees, "callees"))
			return -1;
		if (v->form == VIEW_TEXT)
			page_heading(p);
		if (v->callers && v->callees && v->form == VIEW_TEXT && !table_is_diff(t)) {
			page_both(p, v->callers, v->callees);
			return 0;
		}
		if (v->callers)
			page_blocks(p, v->callers, PAGE_CALLERS);
		if (v->callees)
			page_blocks(p, v->callees, PAGE_CALLEES);
		return 0;
	}
	if (v->form == VIEW_TEXT) {
		if (table_is_diff(t))
			page_diff(p);
		else
			page_text(p);
		return 0;
	}
	if (v->form == VIEW_TSV) {
		enum group_by keys[TABLE_KEYS];

		page_tsv_head(p, keys, table_keys(t->q, keys));
	}
	for (i = n = 0; i < t->kept && n < table_limit(t); i++) {
		if (v->only && !v->only[t->order[i].of])
			continue;
		n++;
		if (v->form == VIEW_TSV)
			page_tsv_row(p, t->order[i].of);
		else
			page_json_row(p, t->order[i].of);
	}
	return 0;
}

int
view_print(const struct view *v, const struct rank_request *q, const struct rank *r,
    const struct rank_heading *h, struct output *out)
{
	struct table t = { .v = v, .q = q, .r = r, .h = h };
	struct page p = { .t = &t, .out = out };
	int ret = table_choose(&t);

	if (v->form == VIEW_TEXT)
		out_holds(out, OUT_PEOPLE);
	if (ret == 0)
		ret = print_all(&p);
	table_free(&t);
	buf_free(&p.line);
	return ret;
}
