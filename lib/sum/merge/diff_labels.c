/* SPDX-License-Identifier: ISC */
/*
 * The labels of samples.  Threads are named after the program, whose other build often has
 * another name: then no two stacks would be the same.
 */
#include "diff_state.h"

/* Returns the name of the thread, in the dictionary. */
static uint64_t
comm_of(struct diff *d, uint64_t attrs)
{
	struct buf scratch = { 0 };
	const struct text comm = attrs == NO_ID ? (struct text){ 0 } :
	    attr_get(dict_text(d->dict, (uint32_t)attrs), "comm", &scratch);
	const uint64_t id = comm.s ? dict_str(d->dict, comm) : NO_ID;

	buf_free(&scratch);
	return id;
}

/* Notes which sides have each name. */
static void
add_comms(struct diff *d, int side, struct sums *comms)
{
	const struct rows *r = d->side[side].g ? ROWS(d->side[side].g, REC_SAMPLE) : NULL;
	uint64_t attrs, last = NO_ID, comm;
	size_t i;

	for (i = 0; r && i < r->t.n; i++) {
		attrs = sums_key(&r->t, i)[r->nkey - 1];
		if (attrs == last)
			continue;
		last = attrs;
		if ((comm = comm_of(d, attrs)) != NO_ID)
			sums_val(comms, sums_row(comms, &comm))[side] = 1;
	}
}

void
diff_find_comms(struct diff *d)
{
	const struct merge_how *how = &d->to->how;
	size_t i, n[SIDES] = { 0, 0 };
	struct text only[SIDES];
	struct sums comms;
	int side;

	sums_init(&d->attrs, 1, 1);
	sums_init(&comms, 1, SIDES);
	add_comms(d, SIDE_OLD, &comms);
	add_comms(d, SIDE_NEW, &comms);
	for (i = 0; i < comms.n; i++)
		for (side = SIDE_OLD; side <= SIDE_NEW; side++)
			if (!sums_val(&comms, i)[!side]) {
				n[side]++;
				only[side] = dict_text(d->dict,
				    (uint32_t)*sums_key(&comms, i));
			}
	sums_free(&comms);
	if (n[SIDE_OLD] != 1 || n[SIDE_NEW] != 1)
		return;
	memcpy(d->comm, only, sizeof only);
	diag_say(how->diag, DIAG_NOTE, "threads called %s in the old profile are compared "
	    "with those called %s in the new one", QUOTE(only[SIDE_OLD]), QUOTE(only[SIDE_NEW]));
}

static uint64_t
with_new_comm(struct diff *d, uint64_t attrs)
{
	struct buf all = { 0 }, scratch = { 0 };
	const struct text was = dict_text(d->dict, (uint32_t)attrs);
	uint64_t id = attrs;

	if (text_eq(attr_get(was, "comm", &scratch), d->comm[SIDE_OLD])) {
		attr_add_others(&all, was, "comm");
		attr_add(&all, "comm", d->comm[SIDE_NEW]);
		id = dict_str(d->dict, sort_attrs(&scratch, buf_as_text(&all)));
	}
	buf_free(&all);
	buf_free(&scratch);
	return id;
}

uint64_t
diff_attrs(struct diff *d, int side, uint64_t attrs)
{
	const size_t was = d->attrs.n;
	size_t row;

	if (side == SIDE_NEW || !d->comm[SIDE_OLD].s || attrs == NO_ID)
		return attrs;
	row = sums_row(&d->attrs, &attrs);
	if (d->attrs.n > was)
		*sums_val(&d->attrs, row) = with_new_comm(d, attrs);
	return (uint64_t)*sums_val(&d->attrs, row);
}
