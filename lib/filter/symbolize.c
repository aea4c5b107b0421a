/* SPDX-License-Identifier: ISC */
#include "filter/filter.h"

#include <stdlib.h>

#include "filter/reframe.h"
#include "stream/recursion_suffix.h"
#include "util/mem.h"

/* ---- by an executable ---- */

struct namer {
	struct reframe frames;	/* the filter */
	struct symbolizer *symbolizer;
	struct dict *dict;
	struct diag *diag;
	uint32_t *to;		/* by function: the named one; NO_ID: not converted yet */
	size_t cap;
	uint64_t others;	/* functions without a name in other objects */
	bool ours;		/* some are in the executable */
	uint32_t other_build;	/* an object that is another build of it; NO_ID: none */
};

/* Is a function in the executable, as far as that is known? */
static bool
is_ours(struct namer *n, uint64_t func)
{
	uint32_t object = dict_def(n->dict, REC_FUNC, (uint32_t)func)[FUNC_OBJECT];

	if (object == NO_ID)
		return true;
	if (!symbolize_is_object(n->symbolizer, object)) {
		n->others++;
		if (n->other_build == NO_ID && symbolize_is_other_build(n->symbolizer, object))
			n->other_build = object;
		return false;
	}
	n->ours = true;
	symbolize_set_object(n->symbolizer, object);
	return true;
}

/* Appends the rest of a name to a function's. */
static int
with_rest(struct namer *n, uint64_t *func, struct text rest)
{
	struct func_def f = dict_func_def(n->dict, (uint32_t)*func);
	struct buf b = { 0 };
	uint32_t id;
	int ret;

	buf_text(&b, dict_text(n->dict, f.name));
	buf_text(&b, rest);
	f.name = dict_str(n->dict, buf_as_text(&b));
	f.key = NO_ID;
	ret = dict_put_func(n->dict, n->frames.sink.next, &f, &id);
	buf_free(&b);
	*func = id;
	return ret;
}

/* Names a function whose name is an address in the executable. */
static int
name_func(struct namer *n, uint64_t *func)
{
	struct text name, rest;
	uint64_t addr, to = *func;
	int r;

	if (*func == NO_ID)
		return 0;
	n->to = mem_reach(n->to, &n->cap, *func, sizeof *n->to, 0xff);
	if (n->to[*func] == NO_ID) {
		name = rest = dict_func_name(n->dict, (uint32_t)*func);
		name.n = recursion_base(name);
		rest.s += name.n;
		rest.n -= name.n;
		r = num_is_address(name.s, name.n, &addr) && is_ours(n, *func) ?
		    symbolize_func(n->symbolizer, n->frames.sink.next, addr, &to) : 0;
		if (r < 0 || (r > 0 && rest.n && with_rest(n, &to, rest) < 0))
			return -1;
		n->to[*func] = (uint32_t)to;
	}
	*func = n->to[*func];
	return 0;
}

/* Names a function without a name, at an address, and sets its file and line. */
static int
name_place(struct namer *n, struct field *func, struct field *file,
    struct field *line, const struct field *addr)
{
	struct field at, number;
	int r;

	if (!(addr->has & HAS_N) || dict_func_name(n->dict, (uint32_t)func->n).s ||
	    !is_ours(n, func->n))
		return 0;
	r = symbolize_func(n->symbolizer, n->frames.sink.next, addr->n, &func->n);
	if (r < 0 || line->has)
		return r;
	symbolize_source(n->symbolizer, addr->n, &at, &number);
	*line = number;
	if (file)
		*file = at;
	return r;
}

/* Puts a definition; that of a function which was renamed is not put. */
static int
put_func(struct namer *n, const struct record *r)
{
	uint64_t func = r->col[0].n;

	return name_func(n, &func) < 0 ? -1 :
	    func == r->col[0].n ? sink_put(n->frames.sink.next, r) : 0;
}

static int
rename_frame(void *arg, struct dict *dict, struct sink *next, struct ctx_def *frame)
{
	uint64_t func = frame->func;

	(void)dict;
	(void)next;
	if (name_func(arg, &func) < 0)
		return -1;
	frame->func = (uint32_t)func;
	return 1;
}

static int
namer_put(struct sink *s, const struct record *r)
{
	struct namer *n = (struct namer *)s;
	enum rec_kind kind = rec_kind(r);
	struct record out;
	struct field *c = out.col;
	unsigned i;

	if (kind == REC_FUNC)
		return put_func(n, r);
	if (kind == REC_CTX)
		return reframe_put(s, r);
	rec_copy(&out, r);
	if (kind == REC_COST || kind == REC_CALL || kind == REC_JUMP) {
		if (name_place(n, &c[PLACE_FUNC], &c[PLACE_FILE], &c[PLACE_LINE],
		    &c[PLACE_ADDR]) < 0 || (kind == REC_CALL &&
		    name_place(n, &c[CALL_CALLEE], NULL, &c[CALL_TLINE],
		    &c[CALL_TADDR]) < 0) || (kind == REC_JUMP &&
		    name_place(n, &c[JUMP_TFUNC], &c[JUMP_TFILE], &c[JUMP_TLINE],
		    &c[JUMP_TADDR]) < 0))
			return -1;
	}
	for (i = 0; i < r->def->ncol; i++)
		if (r->def->col[i].type == COL_FUNC && name_func(n, &c[i].n) < 0)
			return -1;
	return reframe_put(s, &out);
}

/* Has the profile an object that could be the executable? */
static bool
has_object(const struct namer *n)
{
	uint32_t i, object;

	for (i = 0; i < dict_count(n->dict, REC_FUNC); i++) {
		object = dict_def(n->dict, REC_FUNC, i)[FUNC_OBJECT];
		if (object != NO_ID && symbolize_is_object(n->symbolizer, object))
			return true;
	}
	return false;
}

static void
namer_free(struct sink *s)
{
	struct namer *n = (struct namer *)s;

	if (n->other_build != NO_ID)
		symbolize_report_other_build(n->symbolizer, n->other_build, n->diag);
	else if (n->others && !n->ours && !has_object(n))
		diag_say(n->diag, DIAG_NOTE, "no function is in an object named '%s': "
		    "its symbols are not used",
		    symbols_path(symbolize_symbols(n->symbolizer)));
	free(n->to);
	reframe_clear(&n->frames);
	free(n);
}

struct sink *
filter_symbolize(struct symbolizer *symbolizer, struct dict *dict, struct diag *diag)
{
	struct namer *n = mem_alloc(1, sizeof *n);

	reframe_init(&n->frames, dict, rename_frame, n);
	n->frames.sink.put = namer_put;
	n->frames.sink.free = namer_free;
	n->symbolizer = symbolizer;
	n->dict = dict;
	n->diag = diag;
	n->other_build = NO_ID;
	return &n->frames.sink;
}

/* ---- by the objects of frames ---- */

/* Does a frame's function lack a name?  Then sets its object and address. */
static bool
needs_name(const struct dict *dict, const struct ctx_def *frame, uint32_t *object,
    struct field *addr)
{
	const uint32_t *func;

	if (frame->func == NO_ID || frame->addr == NO_ID)
		return false;
	func = dict_def(dict, REC_FUNC, frame->func);
	*object = func[FUNC_OBJECT];
	return func[FUNC_NAME] == NO_ID && *object != NO_ID &&
	    field_get_addr(dict_text(dict, frame->addr), addr) && addr->has & HAS_N;
}

/* Sets its function, file and line, if there are symbols. */
static int
name_frame(void *arg, struct dict *dict, struct sink *next, struct ctx_def *frame)
{
	struct objects *objects = arg;
	struct field addr, file = { 0 }, line = { 0 };
	struct symbolizer *s;
	uint32_t object;
	uint64_t at, func;
	int r;

	if (!needs_name(dict, frame, &object, &addr) ||
	    !(s = objects_find(objects, object)) ||
	    !objects_addr(objects, object, addr.n, &at))
		return 1;
	if ((r = symbolize_func(s, next, at, &func)) <= 0)
		return r < 0 ? -1 : 1;
	frame->func = (uint32_t)func;
	symbolize_source(s, at, &file, &line);
	if (frame->line == NO_ID && line.has) {
		frame->file = (uint32_t)file.n;
		frame->line = dict_line(dict, line.n, 0);
	}
	return 1;
}

struct sink *
filter_name_frames(struct objects *objects, struct dict *dict)
{
	return reframe_new(dict, name_frame, objects);
}
