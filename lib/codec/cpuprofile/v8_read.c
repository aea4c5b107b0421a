/* SPDX-License-Identifier: ISC */
/* Reads the members of a CPU profile. */
#include "v8.h"

#include <stdlib.h>

#include "util/mem.h"

#define MOST_NODES (UINT32_MAX / 2)

void
v8_init(struct v8 *v, struct document *doc)
{
	*v = (struct v8){ .doc = doc };
	sums_init(&v->ids, 1, 0);
	js_functions_init(&v->starts);
}

void
v8_free(struct v8 *v)
{
	sums_free(&v->ids);
	js_functions_free(&v->starts);
	free(v->node);
	free(v->sample);
	free(v->delta);
	free(v->tick);
}

/* ---- nodes ---- */

/* Sets *node to the number of the node whose id is the next value. */
static int
read_id(struct v8 *v, uint32_t *node)
{
	const char *at = document_at(v->doc);
	uint64_t id;
	size_t row, was = v->ids.n;

	*node = 0;
	if (!json_read_u64(&v->doc->j, &id))
		return -1;
	row = sums_row(&v->ids, &id);
	if (row >= MOST_NODES)
		return DOCUMENT_FAIL(v->doc, at, "too many nodes");
	if (v->ids.n > was) {
		v->node = mem_grow(v->node, &v->cap, row + 1, sizeof *v->node);
		v->node[row] = (struct v8_node){ .at = document_offset(v->doc, at),
		    .parent = NO_ID, .ctx = NO_ID };
	}
	*node = (uint32_t)row;
	return 0;
}

/* Reads a line or column; none is -1 in V8, or 0 in the form that counts from 1. */
static void
read_place(struct v8 *v, unsigned from, uint64_t *n)
{
	bool exact = true;
	num value = 0;

	*n = 0;
	if (json_read_kind(&v->doc->j) != JSON_NUMBER)
		json_read_skip(&v->doc->j);	/* null */
	else if (json_read_fixed(&v->doc->j, 0, &value, &exact) && value >= 0 &&
	    value < UINT32_MAX)
		*n = (uint64_t)value + 1 - from;
}

/* Reads a member of a call frame; false: it is not one. */
static bool
read_frame_member(struct v8 *v, struct text key, unsigned from, struct js_function *f)
{
	if (text_is(key, "functionName"))
		f->name = document_text(v->doc);
	else if (text_is(key, "url"))
		f->file = document_text(v->doc);
	else if (text_is(key, "lineNumber"))
		read_place(v, from, &f->line);
	else if (text_is(key, "columnNumber"))
		read_place(v, from, &f->column);
	else
		return false;
	return true;
}

static void
read_frame(struct v8 *v, struct js_function *f)
{
	struct text key;

	for (json_read_object(&v->doc->j); json_read_key(&v->doc->j, &key); )
		if (!read_frame_member(v, key, 0, f))
			json_read_skip(&v->doc->j);
}

/* A node while its members are read, in any order. */
struct reading {
	uint32_t node;		/* NO_ID: its id has not come yet */
	uint32_t parent;
	uint32_t *child;	/* children that came before its id */
	size_t nchildren, cap;
	struct js_function frame;
	num hits;
	size_t tick;
	const char *at;
	bool in_children;
};

/* Sets a node's parent.  Both may name the other, and must agree. */
static int
set_parent(struct v8 *v, uint32_t child, uint32_t parent, const char *at)
{
	struct v8_node *n = &v->node[child];

	if (n->parent != NO_ID && n->parent != parent)
		return DOCUMENT_FAIL(v->doc, at, "a node that has two parents");
	n->parent = parent;
	return 0;
}

static int
add_child(struct v8 *v, struct reading *r)
{
	const char *at = document_at(v->doc);
	uint32_t child;

	if (read_id(v, &child) < 0)
		return -1;
	if (r->node != NO_ID)
		return set_parent(v, child, r->node, at);
	r->child = mem_grow(r->child, &r->cap, r->nchildren + 1, sizeof *r->child);
	r->child[r->nchildren++] = child;
	return 0;
}

static int
read_hits(struct v8 *v, num *hits)
{
	const char *at = document_at(v->doc);

	if (!json_read_int(&v->doc->j, hits))
		return -1;
	return *hits < 0 ? DOCUMENT_FAIL(v->doc, at, "a negative number of hits") : 0;
}

/* Reads a tick; without a line it does not count. */
static int
read_tick(struct v8 *v, struct v8_tick *t)
{
	struct text key;

	*t = (struct v8_tick){ 0 };
	for (json_read_object(&v->doc->j); json_read_key(&v->doc->j, &key); )
		if (text_is(key, "line"))
			read_place(v, 1, &t->line);
		else if (!text_is(key, "ticks"))
			json_read_skip(&v->doc->j);
		else if (!json_read_int(&v->doc->j, &t->n))
			return -1;
	return v->doc->j.why ? -1 : 0;
}

static int
read_ticks(struct v8 *v, size_t *first)
{
	size_t last = 0;
	struct v8_tick t;

	*first = 0;
	if (json_read_kind(&v->doc->j) != JSON_ARRAY) {
		json_read_skip(&v->doc->j);	/* null */
		return 0;
	}
	for (json_read_array(&v->doc->j); json_read_item(&v->doc->j); ) {
		if (json_read_kind(&v->doc->j) != JSON_OBJECT) {
			json_read_skip(&v->doc->j);
			continue;
		}
		if (read_tick(v, &t) < 0)
			return -1;
		if (!t.line || t.n <= 0)
			continue;
		v->tick = mem_grow(v->tick, &v->capticks, v->nticks + 1, sizeof *v->tick);
		v->tick[v->nticks++] = t;
		*(last ? &v->tick[last - 1].next : first) = v->nticks;
		last = v->nticks;
	}
	return v->doc->j.why ? -1 : 0;
}

static int
read_number(struct v8 *v, struct reading *r)
{
	size_t i;

	if (read_id(v, &r->node) < 0)
		return -1;
	for (i = 0; i < r->nchildren; i++)
		if (set_parent(v, r->child[i], r->node, r->at) < 0)
			return -1;
	return 0;
}

/* Reads a member of a node, except its children: 0 or -1. */
static int
read_member(struct v8 *v, struct reading *r, struct text key)
{
	if (text_is(key, "id"))
		return read_number(v, r);
	if (text_is(key, "parent"))
		return read_id(v, &r->parent);
	if (text_is(key, "callFrame"))
		read_frame(v, &r->frame);
	else if (text_is(key, "hitCount"))
		return read_hits(v, &r->hits);
	else if (text_is(key, "positionTicks"))
		return read_ticks(v, &r->tick);
	/* The old form, whose lines and columns count from 1, has these members in the
	 * node. */
	else if (!read_frame_member(v, key, 1, &r->frame))
		json_read_skip(&v->doc->j);
	return 0;
}

/* Defines a node, all of whose members were read. */
static int
define(struct v8 *v, struct reading *r)
{
	struct v8_node *n;

	if (v->doc->j.why)
		return -1;
	if (r->node == NO_ID)
		return DOCUMENT_FAIL(v->doc, r->at, "a node without an id");
	n = &v->node[r->node];
	if (n->defined)
		return DOCUMENT_FAIL(v->doc, r->at, "a node that is defined twice");
	n->defined = true;
	n->hits = r->hits;
	n->tick = r->tick;
	n->start = js_functions_add(&v->starts, v->doc->d->dict, &r->frame);
	n->named_root = text_is(r->frame.name, "(root)");
	return r->parent == NO_ID ? 0 : set_parent(v, r->node, r->parent, r->at);
}

/* ---- trees: a nested tree is as deep as its stacks, so the open nodes are a list ---- */

struct open_nodes {
	struct reading *v;
	size_t n, cap;
};

static void
open_node(struct v8 *v, struct open_nodes *open)
{
	open->v = mem_grow(open->v, &open->cap, open->n + 1, sizeof *open->v);
	open->v[open->n++] = (struct reading){ .node = NO_ID, .parent = NO_ID,
	    .at = document_at(v->doc) };
	json_read_object(&v->doc->j);
}

static int
close_node(struct v8 *v, struct open_nodes *open)
{
	struct reading *r = &open->v[open->n - 1];
	int ret = define(v, r);

	if (ret == 0 && open->n > 1) {		/* it is nested in its parent */
		struct reading *parent = r - 1;

		if (parent->node != NO_ID) {
			ret = set_parent(v, r->node, parent->node, r->at);
		} else {
			parent->child = mem_grow(parent->child, &parent->cap,
			    parent->nchildren + 1, sizeof *parent->child);
			parent->child[parent->nchildren++] = r->node;
		}
	}
	free(r->child);
	open->n--;
	return ret;
}

/* Reads the next item of the innermost node's children. */
static int
read_child(struct v8 *v, struct open_nodes *open)
{
	struct reading *r = &open->v[open->n - 1];

	if (!json_read_item(&v->doc->j))
		r->in_children = false;
	else if (json_read_kind(&v->doc->j) == JSON_OBJECT)
		open_node(v, open);
	else
		return add_child(v, r);
	return 0;
}

/* Reads the next member of the innermost node, or its end. */
static int
read_next(struct v8 *v, struct open_nodes *open)
{
	struct reading *r = &open->v[open->n - 1];
	struct text key;

	if (!json_read_key(&v->doc->j, &key))
		return close_node(v, open);
	if (!text_is(key, "children"))
		return read_member(v, r, key);
	if (json_read_kind(&v->doc->j) != JSON_ARRAY) {
		json_read_skip(&v->doc->j);	/* null */
		return 0;
	}
	json_read_array(&v->doc->j);
	r->in_children = true;
	return 0;
}

int
v8_read_head(struct v8 *v)
{
	struct open_nodes open = { 0 };
	int ret = 0;

	open_node(v, &open);
	while (open.n && ret == 0 && !v->doc->j.why)
		ret = open.v[open.n - 1].in_children ? read_child(v, &open) :
		    read_next(v, &open);
	while (open.n)
		free(open.v[--open.n].child);
	free(open.v);
	return v->doc->j.why ? -1 : ret;
}

int
v8_read_nodes(struct v8 *v)
{
	for (json_read_array(&v->doc->j); json_read_item(&v->doc->j); )
		if (v8_read_head(v) < 0)
			return -1;
	return v->doc->j.why ? -1 : 0;
}

/* ---- samples ---- */

int
v8_read_samples(struct v8 *v)
{
	for (json_read_array(&v->doc->j); json_read_item(&v->doc->j); ) {
		v->sample = mem_grow(v->sample, &v->capsamples, v->nsamples + 1,
		    sizeof *v->sample);
		if (read_id(v, &v->sample[v->nsamples]) < 0)
			return -1;
		v->nsamples++;
	}
	return v->doc->j.why ? -1 : 0;
}

int
v8_read_times(struct v8 *v)
{
	bool exact = true;

	for (json_read_array(&v->doc->j); json_read_item(&v->doc->j); ) {
		v->delta = mem_grow(v->delta, &v->capdeltas, v->ndeltas + 1,
		    sizeof *v->delta);
		if (!json_read_fixed(&v->doc->j, 3, &v->delta[v->ndeltas], &exact))
			return -1;
		v->ndeltas++;
	}
	v->inexact |= !exact;
	return v->doc->j.why ? -1 : 0;
}
