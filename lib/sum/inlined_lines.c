/* SPDX-License-Identifier: ISC */
#include "sum/inlined_lines.h"

static void
add(struct inlined *l, const struct field *file, const struct field *line)
{
	const uint64_t key[2] = { file->n, line->n };

	if (file->n != NO_ID && line->has & HAS_N)
		sums_row(&l->lines, key);
}

/* Only two known files can differ. */
static void
add_place(struct inlined *l, const struct field *at)
{
	uint32_t own;

	if (at[PLACE_FUNC].n == NO_ID || at[PLACE_FILE].n == NO_ID)
		return;
	own = dict_def(l->dict, REC_FUNC, (uint32_t)at[PLACE_FUNC].n)[FUNC_FILE];
	if (own != NO_ID && own != at[PLACE_FILE].n && !text_is(dict_path(l->dict, own),
	    "???"))
		add(l, &at[PLACE_FILE], &at[PLACE_LINE]);
}

static void
add_frame(struct inlined *l, const struct record *r)
{
	if (attr_has(r->attrs, "inlined"))
		add(l, &r->col[1 + CTX_FILE], &r->col[1 + CTX_LINE]);
}

static int
inlined_put(struct sink *sink, const struct record *r)
{
	struct inlined *l = (struct inlined *)sink;

	if (rec_kind(r) == REC_CTX)
		add_frame(l, r);
	else if (rec_kind(r) == REC_COST || rec_kind(r) == REC_CALL)
		add_place(l, r->col);
	return sink_put(l->sink.next, r);
}

void
inlined_init(struct inlined *l, struct dict *dict)
{
	*l = (struct inlined){ .sink.put = inlined_put, .dict = dict };
	sums_init(&l->lines, 2, 0);
}

void
inlined_free(struct inlined *l)
{
	sums_free(&l->lines);
}
