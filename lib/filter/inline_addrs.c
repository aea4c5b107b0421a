/* SPDX-License-Identifier: ISC */
/*
 * Frames that were inlined are at the address of the frame that they are in, which is
 * the only one of them that pprof gives one.
 */
#include "filter/filter.h"

#include <stdlib.h>

#include "filter/ctx_map.h"
#include "util/mem.h"

struct inline_addrs {
	struct sink sink;
	struct dict *dict;
	struct ctx_map map;
};

static bool
is_inlined(const struct record *ctx)
{
	struct buf scratch = { 0 };
	const bool yes = attr_get(ctx->attrs, "inlined", &scratch).s != NULL;

	buf_free(&scratch);
	return yes;
}

static int
inline_addrs_put(struct sink *sink, const struct record *r)
{
	struct inline_addrs *s = (struct inline_addrs *)sink;
	uint32_t cols[DEF_COLS];
	uint64_t outer;

	if (rec_kind(r) != REC_CTX)
		return ctx_map_record(&s->map, s->sink.next, r);
	memcpy(cols, dict_def(s->dict, REC_CTX, (uint32_t)r->col[0].n), sizeof cols);
	outer = cols[CTX_PARENT];
	if (cols[CTX_ADDR] == NO_ID && outer != NO_ID && is_inlined(r))
		cols[CTX_ADDR] = dict_def(s->dict, REC_CTX,
		    (uint32_t)ctx_map_get(&s->map, outer))[CTX_ADDR];
	return ctx_map_put(&s->map, s->dict, s->sink.next, r, cols);
}

static void
inline_addrs_free(struct sink *sink)
{
	struct inline_addrs *s = (struct inline_addrs *)sink;

	ctx_map_free(&s->map);
	free(s);
}

struct sink *
filter_inline_addrs(struct dict *dict)
{
	struct inline_addrs *s = mem_alloc(1, sizeof *s);

	s->sink = (struct sink){ .put = inline_addrs_put, .free = inline_addrs_free };
	s->dict = dict;
	return &s->sink;
}
