/* SPDX-License-Identifier: ISC */
/* A view, written: which of the pages it is. */
#include "view/page.h"

static int
print_values(struct page *p)
{
	if (page_no_values(p))
		return -1;
	if (p->t->v->form == VIEW_TEXT)
		page_heading(p);
	page_values(p);
	return 0;
}

static int
print_calls(struct page *p)
{
	const struct view *v = p->t->v;
	const bool text = v->form == VIEW_TEXT;

	if (page_no_match(p, v->callers, "callers") || page_no_match(p, v->callees, "callees"))
		return -1;
	if (text)
		page_heading(p);
	if (v->callers && v->callees && text && !table_is_diff(p->t)) {
		page_both(p, v->callers, v->callees);
		return 0;
	}
	if (v->callers)
		page_blocks(p, v->callers, PAGE_CALLERS);
	if (v->callees)
		page_blocks(p, v->callees, PAGE_CALLEES);
	return 0;
}

static int
print_all(struct page *p)
{
	const struct view *v = p->t->v;

	if (v->values)
		return print_values(p);
	if (v->callers || v->callees)
		return print_calls(p);
	if (v->form != VIEW_TEXT)
		page_rows(p);
	else if (table_is_diff(p->t))
		page_diff(p);
	else
		page_text(p);
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
