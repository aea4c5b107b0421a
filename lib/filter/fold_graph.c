/* SPDX-License-Identifier: ISC */
#include "filter/fold_end.h"

#include <stdlib.h>

#include "util/mem.h"

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

/* ---- nodes ---- */

static struct text
func_attrs(const struct dict *d, uint64_t func)
{
	return dict_text(d, dict_def(d, REC_FUNC, (uint32_t)func)[FUNC_ATTRS]);
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

/* Adds a function of a record; functions that differ only in attributes are one. */
static void
add_node(struct ending *e, uint64_t func)
{
	struct dict *dict = e->fd->dict;
	uint64_t bare;
	uint32_t id;
	bool fresh;

	e->node_of = mem_reach(e->node_of, &e->capnode_of, fold_func_at(func),
	    sizeof *e->node_of, 0);
	if (e->node_of[fold_func_at(func)])
		return;
	bare = func == NO_ID ? NO_ID : dict_func_bare(dict, func, &fresh);
	e->node_of = mem_reach(e->node_of, &e->capnode_of, fold_func_at(bare),
	    sizeof *e->node_of, 0);
	id = e->node_of[fold_func_at(bare)];
	if (!id) {
		e->node = mem_grow(e->node, &e->capnode, e->fold.nnodes + 1,
		    sizeof *e->node);
		e->node[e->fold.nnodes] = make_node(dict, (uint32_t)bare, (uint32_t)func);
		id = (uint32_t)++e->fold.nnodes;
	} else if (text_cmp(func_attrs(dict, func),
	    func_attrs(dict, e->node[id - 1].func)) < 0)
		e->node[id - 1].func = (uint32_t)func;
	e->node_of[fold_func_at(func)] = e->node_of[fold_func_at(bare)] = id;
}

static void
find_nodes(struct ending *e)
{
	struct fold *fd = e->fd;
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
		sorted[fold_node_of(e, e->node[i].bare)] = (uint32_t)i;
	for (i = 0; i < e->capnode_of; i++)
		if (e->node_of[i])
			e->node_of[i] = sorted[e->node_of[i] - 1] + 1;
	free(sorted);
}

void
fold_plan(struct ending *e)
{
	struct fold *fd = e->fd;
	size_t i;

	find_nodes(e);
	e->fold.folded = mem_alloc(e->fold.nnodes + 1, sizeof *e->fold.folded);
	for (i = 0; i < e->fold.nnodes; i++)
		e->fold.folded[i] = fold_folds(fd, e->node[i].bare);
	sums_init(&e->fold.links, 2, 0);
	for (i = 0; i < fd->calls.n; i++) {
		const uint64_t key[2] = { fold_caller_of(e, i),
		    fold_node_of(e, sums_key(&fd->calls, i)[CALL_TO]) };

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
	struct source s = { .node = fold_node_of(e, key[KEY_FUNC]), .row = (uint32_t)row };

	memcpy(s.place, key, sizeof s.place);
	s.file = dict_path(dict, (uint32_t)key[KEY_FILE]);
	s.attrs = func_attrs(dict, key[KEY_FUNC]);
	return s;
}

/* Places in functions to eliminate are not distinguished. */
void
fold_find_sources(struct ending *e)
{
	struct fold *fd = e->fd;
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

void
fold_find_arrivals(struct ending *e)
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
