/* SPDX-License-Identifier: ISC */
/*
 * The difference of two merges is a third one: it has what either has, with events named by
 * their side, and matched functions joined.
 */
#include "diff_state.h"

#include <stdlib.h>

static int
add_facts(struct diff *d)
{
	struct record r = rec_make(REC_META);
	struct buf list = { 0 };
	int side, any = 0;

	for (side = SIDE_OLD; side <= SIDE_NEW; side++) {
		const struct group *g = d->side[side].g;

		if (!g)
			continue;
		facts_join(&d->g->facts, &g->facts, any++ == 0);
		if (num_add(&d->g->skipped, g->skipped) < 0)
			return merge_overflow(d->to);
	}
	field_escape(&list, text_of(d->side[SIDE_OLD].name));
	buf_putc(&list, '\t');
	field_escape(&list, text_of(d->side[SIDE_NEW].name));
	r.col[0].t = TEXT("diff");
	r.attrs = buf_as_text(&list);
	facts_add(&d->g->facts, &r);
	buf_free(&list);
	return 0;
}

static int
set_up(struct diff *d, struct merge *m, int side, const char *name)
{
	d->side[side].m = m;
	d->side[side].name = strcmp(name, "-") == 0 ? "standard input" : name;
	if (m->ngroup > 1)
		return diag_fail_plain(m->how.diag, "%s: parts that are kept separate "
		    "cannot be compared", diff_side_name(side));
	d->side[side].g = m->ngroup ? m->group[0] : NULL;
	if (!m->ngroup)
		return 0;
	facts_sort(&m->group[0]->facts);
	return merge_expand(m, m->group[0]) < 0 ||
	    merge_check_order(m, m->group[0]) < 0 || merge_end_runs(m) < 0 ? -1 : 0;
}

int
diff_write(struct merge *old, struct merge *new, const struct diff_how *how,
    struct sink *out)
{
	const struct merge_how sum = { .dict = how->dict, .diag = how->diag };
	struct diff d = { .how = how, .to = merge_new(&sum), .dict = how->dict };
	int ret, side;

	d.g = merge_one_group(d.to);
	ret = set_up(&d, old, SIDE_OLD, how->old_name) < 0 ||
	    set_up(&d, new, SIDE_NEW, how->new_name) < 0 ? -1 : 0;
	if (ret == 0) {
		diff_find_partners(&d);
		diff_find_comms(&d);
		ret = add_facts(&d) < 0 || diff_add_events(&d) < 0 || diff_scale(&d) < 0 ||
		    diff_add_rows(&d) < 0 ? -1 : 0;
	}
	if (ret == 0)
		ret = loss_tell(&d.loss, "a difference", false, how->diag);
	if (ret == 0 && how->extra)
		*how->extra = d.g->extra;
	if (ret == 0)
		ret = merge_write(d.to, out);
	if (how->extra)
		d.g->extra = (struct extra_columns){ 0 };	/* the caller owns it */
	for (side = SIDE_OLD; side <= SIDE_NEW; side++) {
		free(d.side[side].path[0]);
		free(d.side[side].path[1]);
		free(d.side[side].func);
		free(d.side[side].ctx);
		free(d.side[side].event);
		free(d.side[side].unknown);
		free(d.side[side].total_unknown);
		free(d.side[side].times);
	}
	sums_free(&d.attrs);
	loss_free(&d.loss);
	merge_free(d.to);
	return ret;
}
