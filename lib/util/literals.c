/* SPDX-License-Identifier: ISC */
#include "util/literals.h"

#include <stdint.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/search.h"

/* A beginning that some texts of the set share; node 0 is the empty one. */
struct literal_node {
	uint32_t from, to;	/* in v: the texts that begin so */
	uint32_t child;		/* the first of those that are a byte longer, in order of
				 * that byte */
	uint32_t fail;		/* the longest other beginning that this one ends with */
	uint16_t children;
	uint8_t byte;		/* its last one */
	bool whole;		/* it is a text of the set */
	bool ends;		/* it ends with one */
};

#define NO_HIT UINT32_MAX	/* all texts that the text so far ends with were found */

size_t
literals_size(size_t n)
{
	/* An array that grows has at most half of its elements to spare; malloc(3) takes up to
	 * 32 bytes more. */
	return sizeof(struct text) * 3 / 2 + n + 1 + 32 +
	    (n + 1) * sizeof(struct literal_node) * 3 / 2;
}

void
literals_add(struct literals *l, struct text t)
{
	l->v = mem_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = (struct text){ mem_copy(t.s, t.n), t.n };
}

/* Returns the node of a beginning that is longer by a byte; 0: there is none. */
static uint32_t
child_of(const struct literals *l, uint32_t of, uint8_t byte)
{
	const struct literal_node *n = &l->node[of];
	const size_t end = n->child + n->children,
	    at = PARTITION_POINT(i, n->child, end, l->node[i].byte < byte);

	return at < end && l->node[at].byte == byte ? (uint32_t)at : 0;
}

/* Returns the node of the longest beginning that a node's text ends with after one byte
 * more, but for `more` itself. */
static uint32_t
failure(const struct literals *l, uint32_t node, uint8_t byte)
{
	uint32_t more = 0;

	while (node && !more) {
		node = l->node[node].fail;
		more = child_of(l, node, byte);
	}
	return more;
}

/* Adds the children of a node, whose texts have `depth` bytes in common.  All nodes with
 * fewer bytes have theirs. */
static void
add_children(struct literals *l, uint32_t node, size_t depth)
{
	const size_t to = l->node[node].to;
	size_t from = l->node[node].from, first = l->nodes, end;

	/* They come first. */
	while (from < to && l->v[from].n == depth)
		from++;
	for (; from < to; from = end) {
		const uint8_t byte = (uint8_t)l->v[from].s[depth];
		const uint32_t fail = failure(l, node, byte);
		const bool whole = l->v[from].n == depth + 1;

		end = PARTITION_POINT(i, from, to, (uint8_t)l->v[i].s[depth] <= byte);
		l->node = mem_grow(l->node, &l->capnodes, l->nodes + 1, sizeof *l->node);
		l->node[l->nodes++] = (struct literal_node){ .from = (uint32_t)from,
			.to = (uint32_t)end, .fail = fail, .byte = byte, .whole = whole,
			.ends = whole || l->node[fail].ends };
	}
	l->node[node].child = (uint32_t)first;
	l->node[node].children = (uint16_t)(l->nodes - first);
}

static int
by_bytes(const void *a, const void *b)
{
	return text_cmp(*(const struct text *)a, *(const struct text *)b);
}

void
literals_ready(struct literals *l)
{
	size_t depth, end;
	uint32_t node = 0;

	if (!l->n)
		return;
	qsort(l->v, l->n, sizeof *l->v, by_bytes);
	l->node = mem_grow(l->node, &l->capnodes, 1, sizeof *l->node);
	l->node[l->nodes++] = (struct literal_node){ .to = (uint32_t)l->n,
		.whole = !l->v[0].n, .ends = !l->v[0].n };
	for (depth = 0; node < l->nodes; depth++)
		for (end = l->nodes; node < end; node++)
			add_children(l, node, depth);
}

void
literals_free(struct literals *l)
{
	while (l->n)
		free((char *)l->v[--l->n].s);
	free(l->v);
	free(l->node);
	*l = (struct literals){ 0 };
}

bool
literals_have(const struct literals *l, struct text t)
{
	uint32_t node = 0;
	size_t i;

	if (!l->n)
		return false;
	for (i = 0; i < t.n; i++)
		if (!(node = child_of(l, node, (uint8_t)t.s[i])))
			return false;
	return l->node[node].whole;
}

/* Goes on to the node of the longest beginning that the text up to its next byte ends with. */
static void
step(const struct literals *l, struct literals_walk *w)
{
	const char c = w->t.s[w->at++];
	const uint8_t byte = (uint8_t)(w->nocase && c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
	uint32_t next;

	while (!(next = child_of(l, w->node, byte)) && w->node)
		w->node = l->node[w->node].fail;
	w->node = next;
}

bool
literals_next(const struct literals *l, struct literals_walk *w, size_t *from, size_t *to)
{
	while (l->n) {
		while (w->hit != NO_HIT && l->node[w->hit].ends) {
			const struct literal_node *n = &l->node[w->hit];

			w->hit = w->hit ? n->fail : NO_HIT;
			if (n->whole) {
				*from = n->from;
				*to = PARTITION_POINT(i, n->from, n->to,
				    l->v[i].n == l->v[n->from].n);
				return true;
			}
		}
		if (w->at == w->t.n)
			break;
		step(l, w);
		w->hit = w->node;
	}
	return false;
}

bool
literals_in(const struct literals *l, struct text t)
{
	struct literals_walk w = { .t = t };
	size_t from, to;

	return literals_next(l, &w, &from, &to);
}
