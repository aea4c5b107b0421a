/* SPDX-License-Identifier: ISC */
#include "view/tree.h"

#include "view/tree_page.h"

void
tree_print(const struct tree_view *v, const struct tree_request *q, const struct call_tree *t,
    const struct rank_heading *h, struct output *out)
{
	struct tree_page tp = { .v = v, .q = q, .t = t };

	tree_page_init(&tp);
	tp.table.h = h;
	tp.p.out = out;
	if (v->form == VIEW_TEXT) {
		out_holds(out, OUT_PEOPLE);
		tree_text(&tp);
	} else {
		tree_data(&tp);
	}
	tree_page_free(&tp);
}
