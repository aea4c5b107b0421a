/* SPDX-License-Identifier: ISC */
#include "view/tree.h"

#include "view/tree_page.h"

void
tree_print(const struct tree_view *v, const struct tree_request *q, const struct call_tree *t,
    const struct rank_heading *h, struct output *out)
{
	struct tree_page tp = { .v = v, .q = q, .t = t,
	    .p = { .out = out, .items = v->items, .width = v->width, .color = v->color } };

	tree_page_init(&tp);
	if (v->form == VIEW_TEXT) {
		out_set_content(out, OUT_TERMINAL);
		tree_text(&tp, h);
	} else {
		tree_data(&tp);
	}
	tree_page_free(&tp);
}
