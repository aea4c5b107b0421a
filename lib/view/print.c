/* SPDX-License-Identifier: ISC */
/* Prints a view by the page that it asks for. */
#include "view/rank_page.h"

static int
print_calls(struct page *p, const struct table *t)
{
	const struct view *v = t->v;
	const bool text = v->form == VIEW_TEXT;

	if (page_no_match(t, v->callers, "callers") || page_no_match(t, v->callees, "callees"))
		return -1;
	if (text)
		page_heading(p, t);
	if (v->callers && v->callees && text && !table_is_diff(t)) {
		page_both(p, t, v->callers, v->callees);
		return 0;
	}
	if (v->callers)
		page_blocks(p, t, v->callers, PAGE_CALLERS);
	if (v->callees)
		page_blocks(p, t, v->callees, PAGE_CALLEES);
	return 0;
}

static int
print_all(struct page *p, const struct table *t)
{
	const struct view *v = t->v;

	if (v->values && page_no_values(t))
		return -1;
	if (v->values)
		page_values(p, t);
	else if (v->callers || v->callees)
		return print_calls(p, t);
	else if (v->form != VIEW_TEXT)
		page_rows(p->out, t);
	else if (table_is_diff(t))
		page_diff(p, t);
	else
		page_text(p, t);
	return 0;
}

int
view_print(const struct view *v, const struct rank_request *q, const struct rank *r,
    const struct rank_heading *h, struct output *out)
{
	struct table t = { .v = v, .q = q, .r = r, .h = h };
	struct page p = { .out = out, .items = v->items, .width = v->width,
	    .color = v->color };
	int ret = table_choose(&t);

	if (v->form == VIEW_TEXT)
		out_set_content(out, OUT_TERMINAL);
	if (ret == 0)
		table_tell_absent(&t);
	if (ret == 0)
		ret = print_all(&p, &t);
	table_free(&t);
	buf_free(&p.line);
	return ret;
}
