/* SPDX-License-Identifier: ISC */
#include "sum/function_lines.h"

#include <stdlib.h>

#include "sum/rank.h"
#include "util/mem.h"

enum { UNKNOWN, MATCHES, DIFFERS };	/* states of a function */
enum { NEW, SEEN };			/* states of a context */

bool
lines_of_matches(void *arg, uint64_t func)
{
	struct lines_of *l = arg;

	if (func == NO_ID)
		return false;
	l->func = mem_reach(l->func, &l->capfunc, func, 1, UNKNOWN);
	if (l->func[func] == UNKNOWN)
		l->func[func] = match_text(l->match, dict_func_name(l->dict,
		    (uint32_t)func)) ? MATCHES : DIFFERS;
	return l->func[func] == MATCHES;
}

static void
set_key(struct lines_of *l, const struct field *at, uint64_t key[2])
{
	char tmp[FIELD_TEXT];

	if (l->addrs) {
		key[0] = dict_def(l->dict, REC_FUNC,
		    (uint32_t)at[PLACE_FUNC].n)[FUNC_OBJECT];
		key[1] = !at[PLACE_ADDR].has ? NO_ID : dict_str(l->dict, (struct text){
		    tmp, (size_t)(field_put_addr(tmp, &at[PLACE_ADDR]) - tmp) });
	} else {
		key[0] = at[PLACE_FILE].n;
		key[1] = at[PLACE_LINE].has & HAS_N ? at[PLACE_LINE].n : NO_LINE;
	}
}

/* Notes a place whose columns begin at `at`. */
static void
add_place(struct lines_of *l, const struct field *at)
{
	uint64_t key[2];

	l->places |= at[l->addrs ? PLACE_ADDR : PLACE_LINE].has != 0;
	if (!lines_of_matches(l, at[PLACE_FUNC].n))
		return;
	set_key(l, at, key);
	l->any = true;
	sums_row(&l->lines, key);
}

/* Notes the frames of a context that have not been seen yet. */
static void
add_frames(struct lines_of *l, uint64_t ctx)
{
	struct record r;

	for (; ctx != NO_ID; ctx = r.col[1 + CTX_PARENT].n) {
		l->ctx = mem_reach(l->ctx, &l->capctx, ctx, 1, NEW);
		if (l->ctx[ctx] == SEEN)
			return;
		l->ctx[ctx] = SEEN;
		dict_record(l->dict, REC_CTX, (uint32_t)ctx, &r);
		add_place(l, &r.col[1 + CTX_FUNC]);
	}
}

static int
lines_put(struct sink *sink, const struct record *r)
{
	struct lines_of *l = (struct lines_of *)sink;

	switch (rec_kind(r)) {
	case REC_COST: case REC_CALL:
		add_place(l, r->col);
		break;
	case REC_SAMPLE:
		add_frames(l, r->col[0].n);
		break;
	case REC_POINT:
		add_frames(l, r->col[POINT_CTX].n);
		break;
	default:
		break;
	}
	return sink_put(l->sink.next, r);
}

void
lines_of_init(struct lines_of *l, const struct match *match, struct dict *dict,
    bool addrs)
{
	*l = (struct lines_of){ .sink.put = lines_put, .match = match, .dict = dict,
	    .addrs = addrs };
	sums_init(&l->lines, 2, 0);
}

void
lines_of_free(struct lines_of *l)
{
	sums_free(&l->lines);
	free(l->func);
	free(l->ctx);
}
