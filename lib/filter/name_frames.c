/* SPDX-License-Identifier: ISC */
#include "filter/filter.h"

#include <stdlib.h>

#include "filter/ctx_map.h"
#include "util/mem.h"

struct naming {
	struct sink sink;
	struct objects *objects;
	struct dict *dict;
	struct ctx_map map;
};

/* The address of a frame whose function has no name, in its object. */
static bool
needs_name(struct naming *n, const uint32_t cols[DEF_COLS], uint32_t *object,
    struct field *addr)
{
	const uint32_t *func;

	if (cols[CTX_FUNC] == NO_ID || cols[CTX_ADDR] == NO_ID)
		return false;
	func = dict_def(n->dict, REC_FUNC, cols[CTX_FUNC]);
	*object = func[FUNC_OBJECT];
	return func[FUNC_NAME] == NO_ID && *object != NO_ID &&
	    field_get_addr(dict_text(n->dict, cols[CTX_ADDR]), addr) && addr->has & HAS_N;
}

/* Its function, file and line, if there are symbols: 0, or -1 where the sink fails. */
static int
name_frame(struct naming *n, uint32_t cols[DEF_COLS])
{
	struct field addr, file = { 0 }, line = { 0 };
	char tmp[FIELD_TEXT];
	struct symbolizer *s;
	uint32_t object;
	uint64_t at, func;
	int r;

	if (!needs_name(n, cols, &object, &addr) ||
	    !(s = objects_find(n->objects, object)) ||
	    !objects_addr(n->objects, object, addr.n, &at))
		return 0;
	if ((r = symbolize_func(s, n->sink.next, at, &func)) <= 0)
		return r;
	cols[CTX_FUNC] = (uint32_t)func;
	symbolize_source(s, at, &file, &line);
	if (cols[CTX_LINE] == NO_ID && line.has) {
		cols[CTX_FILE] = (uint32_t)file.n;
		cols[CTX_LINE] = dict_str(n->dict, (struct text){ tmp,
		    (size_t)(field_put_line(tmp, &line) - tmp) });
	}
	return 0;
}

static int
naming_put(struct sink *s, const struct record *r)
{
	struct naming *n = (struct naming *)s;
	uint32_t cols[DEF_COLS];

	if (rec_kind(r) != REC_CTX)
		return ctx_map_record(&n->map, s->next, r);
	memcpy(cols, dict_def(n->dict, REC_CTX, (uint32_t)r->col[0].n), sizeof cols);
	return name_frame(n, cols) < 0 ? -1 :
	    ctx_map_put(&n->map, n->dict, s->next, r, cols);
}

static void
naming_free(struct sink *s)
{
	struct naming *n = (struct naming *)s;

	ctx_map_free(&n->map);
	free(n);
}

struct sink *
filter_name_frames(struct objects *objects, struct dict *dict)
{
	struct naming *n = mem_alloc(1, sizeof *n);

	n->sink = (struct sink){ .put = naming_put, .free = naming_free };
	n->objects = objects;
	n->dict = dict;
	return &n->sink;
}
