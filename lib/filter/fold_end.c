/* SPDX-License-Identifier: ISC */
/*
 * The end of a part: its functions, places and calls as nodes and sources of a
 * struct contraction, and what that leaves as records.
 */
#include "filter/folder.h"

#include <stdlib.h>

#include "util/mem.h"

/* Everything in the part is numbered in an order that does not depend on the input's. */
struct node {
	struct text name, file, object, object_key, object_attrs, key;
	uint32_t bare;		/* the function without its attributes */
	uint32_t func;		/* one that exists: of several, by attributes */
};

struct source {
	uint32_t node;
	bool whole;		/* all of the node; else: */
	struct text file, attrs;	/* of the place; of its function */
	uint64_t place[PLACE_KEYS];
	uint32_t row;
};

struct arrival {
	uint64_t key[AT_KEYS];
	struct text attrs;
};

struct ending {
	struct folder *fd;
	struct contraction fold;
	struct node *node;
	uint32_t *node_of;	/* by function + 1: its node + 1 */
	size_t capnode, capnode_of;
	struct source *source;
	uint32_t *source_of;	/* by row of a place */
	struct arrival *arrival;
	uint32_t *arrival_of;	/* by row */
};

/* ---- order ---- */

static int
compare_numbers(const uint64_t *a, const uint64_t *b, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static int
compare_nodes(const void *pa, const void *pb)
{
	const struct node *a = pa, *b = pb;
	int c;

	if ((c = text_cmp(a->name, b->name)) || (c = text_cmp(a->file, b->file)) ||
	    (c = text_cmp(a->object, b->object)) ||
	    (c = text_cmp(a->object_key, b->object_key)) ||
	    (c = text_cmp(a->object_attrs, b->object_attrs)))
		return c;
	return text_cmp(a->key, b->key);
}

static int
compare_sources(const void *pa, const void *pb)
{
	const struct source *a = pa, *b = pb;
	int c;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if ((c = text_cmp(a->file, b->file)) ||
	    (c = compare_numbers(&a->place[KEY_LINE], &b->place[KEY_LINE],
	    PLACE_KEYS - KEY_LINE)))
		return c;
	return text_cmp(a->attrs, b->attrs);
}

static int
compare_arrivals(const void *pa, const void *pb)
{
	const struct arrival *a = pa, *b = pb;
	int c = compare_numbers(a->key, b->key, AT_ATTRS);

	return c ? c : text_cmp(a->attrs, b->attrs);
}

static struct text
func_attrs(const struct dict *d, uint64_t func)
{
	return dict_text(d, dict_def(d, REC_FUNC, (uint32_t)func)[FUNC_ATTRS]);
}

/* ---- nodes ---- */

static size_t
func_at(uint64_t func)
{
	return func == NO_ID ? 0 : func + 1;
}

static struct node
make_node(const struct dict *d, uint32_t bare, uint32_t func)
{
	const uint32_t *f = dict_def(d, REC_FUNC, bare);
	const uint32_t *object = dict_def(d, REC_OBJECT, f[FUNC_OBJECT]);

	return (struct node){ .bare = bare, .func = func,
		.name = dict_text(d, f[FUNC_NAME]), .file = dict_path(d, f[FUNC_FILE]),
		.object = dict_text(d, object[OBJECT_PATH]),
		.object_key = dict_text(d, object[OBJECT_KEY]),
		.object_attrs = dict_text(d, object[OBJECT_ATTRS]),
		.key = dict_text(d, f[FUNC_KEY]) };
}

/* Adds a function of a record; those that differ only in attributes are one. */
static void
add_node(struct ending *e, uint64_t func)
{
	struct dict *dict = e->fd->dict;
	uint64_t bare;
	uint32_t id;
	bool fresh;

	e->node_of = mem_reach(e->node_of, &e->capnode_of, func_at(func),
	    sizeof *e->node_of, 0);
	if (e->node_of[func_at(func)])
		return;
	bare = func == NO_ID ? NO_ID : dict_func_bare(dict, func, &fresh);
	e->node_of = mem_reach(e->node_of, &e->capnode_of, func_at(bare),
	    sizeof *e->node_of, 0);
	id = e->node_of[func_at(bare)];
	if (!id) {
		e->node = mem_grow(e->node, &e->capnode, e->fold.nnodes + 1,
		    sizeof *e->node);
		e->node[e->fold.nnodes] = make_node(dict, (uint32_t)bare, (uint32_t)func);
		id = (uint32_t)++e->fold.nnodes;
	} else if (text_cmp(func_attrs(dict, func),
	    func_attrs(dict, e->node[id - 1].func)) < 0)
		e->node[id - 1].func = (uint32_t)func;
	e->node_of[func_at(func)] = e->node_of[func_at(bare)] = id;
}

static uint32_t
node_of(const struct ending *e, uint64_t func)
{
	return e->node_of[func_at(func)] - 1;
}

/* The node of a call's caller. */
static uint32_t
caller_of(const struct ending *e, size_t call)
{
	const struct folder *fd = e->fd;

	return node_of(e, sums_key(&fd->places,
	    sums_key(&fd->calls, call)[CALL_FROM])[KEY_FUNC]);
}

static void
find_nodes(struct ending *e)
{
	struct folder *fd = e->fd;
	uint32_t *sorted;
	size_t i;

	for (i = 0; i < fd->self.n; i++)
		add_node(e, *sums_key(&fd->self, i));
	for (i = 0; i < fd->places.n; i++)
		add_node(e, sums_key(&fd->places, i)[KEY_FUNC]);
	for (i = 0; i < fd->calls.n; i++)
		add_node(e, sums_key(&fd->calls, i)[CALL_TO]);
	qsort(e->node, e->fold.nnodes, sizeof *e->node, compare_nodes);
	sorted = mem_alloc(e->fold.nnodes + 1, sizeof *sorted);
	for (i = 0; i < e->fold.nnodes; i++)
		sorted[node_of(e, e->node[i].bare)] = (uint32_t)i;
	for (i = 0; i < e->capnode_of; i++)
		if (e->node_of[i])
			e->node_of[i] = sorted[e->node_of[i] - 1] + 1;
	free(sorted);
}

static void
plan(struct ending *e)
{
	struct folder *fd = e->fd;
	size_t i;

	find_nodes(e);
	e->fold.folded = mem_alloc(e->fold.nnodes + 1, sizeof *e->fold.folded);
	for (i = 0; i < e->fold.nnodes; i++)
		e->fold.folded[i] = folder_folds(fd, e->node[i].bare);
	sums_init(&e->fold.links, 2, 0);
	for (i = 0; i < fd->calls.n; i++) {
		const uint64_t key[2] = { caller_of(e, i),
		    node_of(e, sums_key(&fd->calls, i)[CALL_TO]) };

		sums_row(&e->fold.links, key);
	}
	contract_plan(&e->fold);
}

/* ---- sources and arrivals ---- */

static struct source
make_source(const struct ending *e, size_t row)
{
	const struct dict *dict = e->fd->dict;
	const uint64_t *key = sums_key(&e->fd->places, row);
	struct source s = { .node = node_of(e, key[KEY_FUNC]), .row = (uint32_t)row };

	memcpy(s.place, key, sizeof s.place);
	s.file = dict_path(dict, (uint32_t)key[KEY_FILE]);
	s.attrs = func_attrs(dict, key[KEY_FUNC]);
	return s;
}

/* Places in functions to eliminate are not distinguished. */
static void
find_sources(struct ending *e)
{
	struct folder *fd = e->fd;
	struct contraction *f = &e->fold;
	size_t i, n = 0;

	e->source = mem_alloc(fd->places.n + f->nnodes + 1, sizeof *e->source);
	e->source_of = mem_alloc(fd->places.n + 1, sizeof *e->source_of);
	for (i = 0; i < f->nnodes; i++)
		if (f->folded[i])
			e->source[n++] = (struct source){ .node = (uint32_t)i,
			    .whole = true };
	for (i = 0; i < fd->places.n; i++) {
		e->source[n] = make_source(e, i);
		n += !f->folded[e->source[n].node];
	}
	if (n)
		qsort(e->source, n, sizeof *e->source, compare_sources);
	f->nsources = n;
	f->node = mem_alloc(n + 1, sizeof *f->node);
	f->whole = mem_resize(NULL, f->nnodes + 1, sizeof *f->whole);
	memset(f->whole, 0xff, f->nnodes * sizeof *f->whole);
	for (i = 0; i < n; i++) {
		f->node[i] = e->source[i].node;
		if (e->source[i].whole)
			f->whole[f->node[i]] = (uint32_t)i;
		else
			e->source_of[e->source[i].row] = (uint32_t)i;
	}
}

static void
find_arrivals(struct ending *e)
{
	const struct sums *t = &e->fd->arrivals;
	size_t i;

	e->arrival = mem_alloc(t->n + 1, sizeof *e->arrival);
	e->arrival_of = mem_alloc(t->n + 1, sizeof *e->arrival_of);
	for (i = 0; i < t->n; i++) {
		memcpy(e->arrival[i].key, sums_key(t, i), sizeof e->arrival[i].key);
		e->arrival[i].attrs = dict_text(e->fd->dict,
		    (uint32_t)e->arrival[i].key[AT_ATTRS]);
	}
	if (t->n)
		qsort(e->arrival, t->n, sizeof *e->arrival, compare_arrivals);
	for (i = 0; i < t->n; i++) {
		size_t at = 0;

		if (sums_find(t, e->arrival[i].key, &at))
			e->arrival_of[at] = (uint32_t)i;
	}
}

/* ---- sums ---- */

/* The change of an event: the new cost less the old. */
static void
find_changes(struct ending *e)
{
	struct folder *fd = e->fd;
	const uint32_t delta = dict_str(fd->dict, TEXT("delta"));
	const uint32_t old = dict_str(fd->dict, TEXT("old"));
	const uint32_t new = dict_str(fd->dict, TEXT("new"));
	size_t i, k;

	e->fold.derived = mem_alloc(fd->nevents + 1, sizeof *e->fold.derived);
	for (i = 0; i < fd->nevents; i++) {
		struct role *r = &fd->roles[i];

		r->old = r->new = fd->nevents;
		for (k = 0; k < fd->nevents && r->role == delta; k++)
			if (fd->roles[k].of == r->name && fd->roles[k].role == old)
				r->old = k;
			else if (fd->roles[k].of == r->name && fd->roles[k].role == new)
				r->new = k;
		e->fold.derived[i] = r->old < fd->nevents && r->new < fd->nevents;
	}
}

/* Is neither the caller nor the callee folded in the end?  Then the call passes
 * unchanged. */
static bool
call_stays(const struct ending *e, size_t call)
{
	return e->fold.whole[caller_of(e, call)] == FOLD_NONE &&
	    !e->fold.folded[node_of(e, sums_key(&e->fd->calls, call)[CALL_TO])];
}

static int
fill_calls(struct ending *e)
{
	struct folder *fd = e->fd;
	size_t i;

	for (i = 0; i < fd->calls.n; i++) {
		const uint64_t *key = sums_key(&fd->calls, i);
		uint32_t from = e->fold.whole[caller_of(e, i)];

		if (call_stays(e, i))
			continue;
		if (from == FOLD_NONE)
			from = e->source_of[key[CALL_FROM]];
		if (contract_call(&e->fold, from, node_of(e, key[CALL_TO]),
		    e->arrival_of[key[CALL_AT]], sums_val(&fd->calls, i)) < 0)
			return -1;
	}
	return 0;
}

static int
fill(struct ending *e)
{
	struct folder *fd = e->fd;
	struct contraction *f = &e->fold;
	size_t i;

	f->nval = fd->nevents;
	find_changes(e);
	contract_begin(f);
	for (i = 0; i < fd->self.n; i++) {
		uint32_t whole = f->whole[node_of(e, *sums_key(&fd->self, i))];

		if (whole != FOLD_NONE &&
		    contract_self(f, whole, sums_val(&fd->self, i)) < 0)
			return -1;
	}
	return fill_calls(e);
}

/* ---- records out ---- */

static int
set_changes(struct ending *e, num *v)
{
	const struct role *roles = e->fd->roles;
	size_t i;
	num old, new;

	for (i = 0; i < e->fold.nval; i++) {
		if (!e->fold.derived[i])
			continue;
		old = v[roles[i].old] == FOLD_ABSENT ? 0 : v[roles[i].old];
		new = v[roles[i].new] == FOLD_ABSENT ? 0 : v[roles[i].new];
		if (num_sub(&new, old) < 0)
			return folder_overflow(e->fd);
		v[i] = new;
	}
	return 0;
}

static bool
is_nothing(const num *v, size_t n)
{
	while (n && (!v[n - 1] || v[n - 1] == FOLD_ABSENT))
		n--;
	return n == 0;
}

static void
put_number(struct buf *b, num v)
{
	char tmp[NUM_TEXT];

	if (v == FOLD_ABSENT)
		buf_putc(b, '-');
	else
		buf_add(b, tmp, (size_t)(num_put_num(tmp, v) - tmp));
}

/* Without trailing zeros, but at least one value. */
static void
set_values(struct folder *fd, struct record *r, const num *v)
{
	size_t n = fd->nevents, i;

	while (n > 1 && !v[n - 1])
		n--;
	fd->values.n = 0;
	for (i = 0; i < n; i++) {
		if (i)
			buf_putc(&fd->values, '\t');
		put_number(&fd->values, v[i]);
	}
	r->values = buf_as_text(&fd->values);
}

static struct field
get_field(const uint64_t *key, uint64_t has)
{
	return (struct field){ .n = key[0], .m = key[1], .has = (unsigned)has };
}

static void
set_place(struct record *r, const uint64_t *key)
{
	r->col[PLACE_FUNC].n = key[KEY_FUNC];
	r->col[PLACE_FILE].n = key[KEY_FILE];
	r->col[PLACE_LINE] = get_field(&key[KEY_LINE], key[KEY_HAS] & HAS_MASK);
	r->col[PLACE_ADDR] = get_field(&key[KEY_ADDR], key[KEY_HAS] >> HAS_BITS);
}

/* The cost of a function that stays remains that of its own file. */
static int
put_staying(struct ending *e)
{
	struct folder *fd = e->fd;
	struct record r;
	size_t i;

	for (i = 0; i < fd->self.n; i++) {
		uint64_t func = *sums_key(&fd->self, i);

		if (e->fold.folded[node_of(e, func)])
			continue;
		r = rec_make(REC_COST);
		r.col[PLACE_FUNC].n = func;
		r.col[PLACE_FILE].n = dict_def(fd->dict, REC_FUNC,
		    (uint32_t)func)[FUNC_FILE];
		set_values(fd, &r, sums_val(&fd->self, i));
		if (sink_put(fd->sink.next, &r) < 0)
			return -1;
	}
	return 0;
}

static int
put_self(struct ending *e, size_t source)
{
	struct record r;
	num *v = e->fold.self + source * e->fold.nval;

	rec_init(&r, REC_COST);
	if (set_changes(e, v) < 0)
		return -1;
	if (is_nothing(v, e->fold.nval))
		return 0;
	set_place(&r, e->source[source].place);
	set_values(e->fd, &r, v);
	return sink_put(e->fd->sink.next, &r);
}

/* Puts a call from a place, given as a key; attributes are of the call. */
static int
put_one_call(struct ending *e, const uint64_t *place, uint32_t callee,
    const struct arrival *at, const num *v)
{
	struct folder *fd = e->fd;
	struct record r;

	rec_init(&r, REC_CALL);
	set_place(&r, place);
	r.col[CALL_CALLEE].n = callee;
	r.col[CALL_TLINE] = get_field(&at->key[AT_LINE], at->key[AT_HAS] & HAS_MASK);
	r.col[CALL_TADDR] = get_field(&at->key[AT_ADDR], at->key[AT_HAS] >> HAS_BITS);
	r.attrs = at->attrs;
	if (v[0] != FOLD_ABSENT) {
		fd->text.n = 0;
		put_number(&fd->text, v[0]);
		r.col[CALL_COUNT].t = buf_as_text(&fd->text);
	}
	set_values(fd, &r, v + 1);
	return sink_put(fd->sink.next, &r);
}

/* Puts a share of a call. */
static int
put_share(struct ending *e, size_t source, size_t i)
{
	const struct contract_calls *c = &e->fold.calls[source];
	num *v = c->val + i * (1 + e->fold.nval);
	bool nothing;

	if (set_changes(e, v + 1) < 0)
		return -1;
	nothing = is_nothing(v + 1, e->fold.nval);
	if (nothing && is_nothing(v, 1))
		return 0;
	/* Readers take calls with count 0 for ones that cost nothing. */
	if (!v[0] && !nothing)
		v[0] = FOLD_ABSENT;
	return put_one_call(e, e->source[source].place,
	    e->node[FOLD_KEY_TO(c->key[i])].func,
	    &e->arrival[FOLD_KEY_AT(c->key[i])], v);
}

static int
put_calls_that_stay(struct ending *e)
{
	struct folder *fd = e->fd;
	size_t i;

	for (i = 0; i < fd->calls.n; i++) {
		const uint64_t *key = sums_key(&fd->calls, i);

		if (call_stays(e, i) && put_one_call(e,
		    sums_key(&fd->places, key[CALL_FROM]), (uint32_t)key[CALL_TO],
		    &e->arrival[e->arrival_of[key[CALL_AT]]],
		    sums_val(&fd->calls, i)) < 0)
			return -1;
	}
	return 0;
}

/* Puts a place's cost, then its calls. */
static int
put_result(struct ending *e)
{
	const struct contraction *f = &e->fold;
	size_t i, k;

	if (put_staying(e) < 0 || put_calls_that_stay(e) < 0)
		return -1;
	for (i = 0; i < f->nsources; i++) {
		if (f->folded[f->node[i]])
			continue;
		if (put_self(e, i) < 0)
			return -1;
		for (k = 0; k < f->calls[i].n; k++)
			if (put_share(e, i, k) < 0)
				return -1;
	}
	return 0;
}

/* ---- the end of a part ---- */

/* Records and counts the functions of this part whose cost was shared among several. */
static int
tell_shared(struct ending *e)
{
	bool any = false;
	size_t i;

	for (i = 0; i < e->fold.nnodes; i++)
		if (e->fold.shared[i]) {
			folder_count_shared(e->fd, e->node[i].bare);
			any = true;
		}
	return any ? meta_put(e->fd->sink.next, "estimate",
	    TEXT("fold, by the inclusive cost of calls")) : 0;
}

static int
fold_part(struct ending *e)
{
	plan(e);
	find_sources(e);
	find_arrivals(e);
	if (fill(e) < 0 || contract_run(&e->fold) < 0)
		return e->fold.refused ? diag_fail_plain(e->fd->diag, "folding would "
		    "create many times more calls than were read: fold less") :
		    folder_overflow(e->fd);
	return tell_shared(e) < 0 ? -1 : put_result(e);
}

static void
ending_free(struct ending *e)
{
	contract_free(&e->fold);
	free(e->node);
	free(e->node_of);
	free(e->source);
	free(e->source_of);
	free(e->arrival);
	free(e->arrival_of);
}

int
folder_end(struct folder *fd)
{
	struct ending e = { .fd = fd };
	int ret = fold_part(&e);

	ending_free(&e);
	return ret;
}
