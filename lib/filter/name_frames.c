/* SPDX-License-Identifier: ISC */
#include "filter/filter.h"

#include <stdlib.h>

#include "util/mem.h"

struct naming {
	struct sink sink;
	struct objects *objects;
	struct dict *dict;
	uint32_t *to;		/* contexts + 1; 0: not seen */
	size_t cap;
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
put_ctx(struct naming *n, const struct record *r)
{
	const uint32_t id = (uint32_t)r->col[0].n;
	uint32_t cols[DEF_COLS], was[DEF_COLS], to = id;

	memcpy(was, dict_def(n->dict, REC_CTX, id), sizeof was);
	memcpy(cols, was, sizeof cols);
	if (cols[CTX_PARENT] != NO_ID && cols[CTX_PARENT] < n->cap && n->to[cols[CTX_PARENT]])
		cols[CTX_PARENT] = n->to[cols[CTX_PARENT]] - 1;
	if (name_frame(n, cols) < 0)
		return -1;
	if (memcmp(cols, was, sizeof cols) == 0 ? sink_put(n->sink.next, r) < 0 :
	    dict_put(n->dict, n->sink.next, REC_CTX, cols, &to) < 0)
		return -1;
	n->to = mem_reach(n->to, &n->cap, id, sizeof *n->to, 0);
	n->to[id] = to + 1;
	return 0;
}

static int
naming_put(struct sink *s, const struct record *r)
{
	struct naming *n = (struct naming *)s;
	struct record out;
	unsigned col = rec_kind(r) == REC_POINT ? POINT_CTX : 0;

	if (rec_kind(r) == REC_CTX)
		return put_ctx(n, r);
	if ((rec_kind(r) != REC_SAMPLE && rec_kind(r) != REC_POINT) ||
	    r->col[col].n == NO_ID || r->col[col].n >= n->cap || !n->to[r->col[col].n])
		return sink_put(s->next, r);
	rec_copy(&out, r);
	out.col[col].n = n->to[r->col[col].n] - 1;
	return sink_put(s->next, &out);
}

static void
naming_free(struct sink *s)
{
	struct naming *n = (struct naming *)s;

	free(n->to);
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
