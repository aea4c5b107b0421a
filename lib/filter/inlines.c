/* SPDX-License-Identifier: ISC */
/*
 * Inlined frames are at the address of the frame that they are in; pprof gives an address
 * to that frame only.  At the level of instructions they are not calls.
 */
#include "filter/filter.h"

#include <stdlib.h>

#include "filter/ctx_map.h"
#include "util/mem.h"

struct inlines {
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
addrs_put(struct sink *sink, const struct record *r)
{
	struct inlines *s = (struct inlines *)sink;
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

static int
without_put(struct sink *sink, const struct record *r)
{
	struct inlines *s = (struct inlines *)sink;
	uint32_t cols[DEF_COLS];

	if (rec_kind(r) != REC_CTX)
		return ctx_map_record(&s->map, s->sink.next, r);
	memcpy(cols, dict_def(s->dict, REC_CTX, (uint32_t)r->col[0].n), sizeof cols);
	if (cols[CTX_PARENT] == NO_ID || !is_inlined(r))
		return ctx_map_put(&s->map, s->dict, s->sink.next, r, cols);
	ctx_map_drop(&s->map, r->col[0].n, cols[CTX_PARENT]);
	return 0;
}

static void
inlines_free(struct sink *sink)
{
	struct inlines *s = (struct inlines *)sink;

	ctx_map_free(&s->map);
	free(s);
}

static struct sink *
new_filter(struct dict *dict, int (*put)(struct sink *, const struct record *))
{
	struct inlines *s = mem_alloc(1, sizeof *s);

	s->sink = (struct sink){ .put = put, .free = inlines_free };
	s->dict = dict;
	return &s->sink;
}

struct sink *
filter_inline_addrs(struct dict *dict)
{
	return new_filter(dict, addrs_put);
}

struct sink *
filter_without_inlined(struct dict *dict)
{
	return new_filter(dict, without_put);
}
