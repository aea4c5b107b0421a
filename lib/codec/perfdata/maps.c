/* SPDX-License-Identifier: ISC */
/*
 * The mappings of a process, by address: a balanced tree (AVL), in which a change copies
 * only the nodes on its path that other processes share.  All changes are made by split()
 * and join(), as in Blelloch, Ferizovic, Sun: Just Join for Parallel Ordered Sets (2016).
 */
#include "perfdata.h"

#include <stdlib.h>

#include "util/mem.h"

struct map_node {
	struct map map;
	uint32_t users;		/* number of trees and nodes that refer to it */
	uint32_t height;
	struct map_node *left, *right;
};

/* ---- nodes ---- */

static struct map_node *
node_new(const struct map *map)
{
	struct map_node *n = mem_resize(NULL, 1, sizeof *n);

	*n = (struct map_node){ .map = *map, .users = 1 };
	return n;
}

static struct map_node *
node_hold(struct map_node *n)
{
	if (n)
		n->users++;
	return n;
}

static void
node_drop(struct map_node *n)
{
	while (n && !--n->users) {
		struct map_node *right = n->right;

		node_drop(n->left);
		free(n);
		n = right;
	}
}

/* Returns the same node, or a copy that may be changed. */
static struct map_node *
node_own(struct map_node *n)
{
	struct map_node *own;

	if (n->users == 1)
		return n;
	own = node_new(&n->map);
	own->height = n->height;
	own->left = node_hold(n->left);
	own->right = node_hold(n->right);
	n->users--;
	return own;
}

/* ---- trees ---- */

static uint32_t
height(const struct map_node *n)
{
	return n ? n->height : 0;
}

static struct map_node *
set_children(struct map_node *n, struct map_node *left, struct map_node *right)
{
	n->left = left;
	n->right = right;
	n->height = 1 + (height(left) > height(right) ? height(left) : height(right));
	return n;
}

static struct map_node *
rotate_left(struct map_node *n)
{
	struct map_node *top = node_own(n->right);

	return set_children(top, set_children(n, n->left, top->left), top->right);
}

static struct map_node *
rotate_right(struct map_node *n)
{
	struct map_node *top = node_own(n->left);

	return set_children(top, top->left, set_children(n, top->right, n->right));
}

/* Balances a node, whose children's heights differ by at most two, to a difference of
 * one. */
static struct map_node *
balance(struct map_node *n)
{
	if (height(n->left) > height(n->right) + 1) {
		if (height(n->left->right) > height(n->left->left))
			n->left = rotate_left(node_own(n->left));
		return rotate_right(n);
	}
	if (height(n->right) > height(n->left) + 1) {
		if (height(n->right->left) > height(n->right->right))
			n->right = rotate_right(node_own(n->right));
		return rotate_left(n);
	}
	return n;
}

/* Joins two trees with a node between them. */
static struct map_node *
join(struct map_node *left, struct map_node *middle, struct map_node *right)
{
	if (height(left) > height(right) + 1) {
		left = node_own(left);
		return balance(set_children(left, left->left,
		    join(left->right, middle, right)));
	}
	if (height(right) > height(left) + 1) {
		right = node_own(right);
		return balance(set_children(right, join(left, middle, right->left),
		    right->right));
	}
	return set_children(middle, left, right);
}

/* Splits a tree: maps that begin before an address, and the others. */
static void
split(struct map_node *n, uint64_t addr, struct map_node **before, struct map_node **others)
{
	struct map_node *middle;

	if (!n) {
		*before = *others = NULL;
		return;
	}
	n = node_own(n);
	if (n->map.start < addr) {
		split(n->right, addr, &middle, others);
		*before = join(n->left, n, middle);
	} else {
		split(n->left, addr, before, &middle);
		*others = join(middle, n, n->right);
	}
}

/* Returns the rest of a map from an address on. */
static struct map
part_from(struct map map, uint64_t addr)
{
	map.start = addr;
	return map;
}

/* Truncates the last map of a tree at an address, and sets *rest: false if nothing is left
 * after it. */
static bool
cut_last(struct map_node **tree, uint64_t addr, struct map *rest)
{
	struct map_node **n = tree, *last = *tree;

	while (last && last->right)
		last = last->right;
	if (!last || last->map.end <= addr)
		return false;
	*rest = part_from(last->map, addr);
	while ((*n = node_own(*n))->right)
		n = &(*n)->right;
	(*n)->map.end = addr;
	return true;
}

/* ---- maps ---- */

/* Adds a map, which replaces others in its range; one in the middle of another splits
 * it. */
static void
add(struct map_node **tree, const struct map *map)
{
	struct map_node *before, *covered, *after;
	struct map rest;

	split(*tree, map->start, &before, &covered);
	split(covered, map->end, &covered, &after);
	if ((cut_last(&before, map->start, &rest) && rest.end > map->end) ||
	    cut_last(&covered, map->end, &rest)) {
		rest = part_from(rest, map->end);
		after = join(NULL, node_new(&rest), after);
	}
	node_drop(covered);
	*tree = join(before, node_new(map), after);
}

void
maps_add(struct maps *m, const struct map *map)
{
	add(&m->now.mapped, map);
	m->last = NULL;
}

void
maps_add_code(struct maps *m, const struct map *map)
{
	add(&m->now.code, map);
	m->last = NULL;
}

static struct map_trees
trees_hold(const struct map_trees *t)
{
	return (struct map_trees){ node_hold(t->mapped), node_hold(t->code) };
}

static void
trees_drop(struct map_trees *t)
{
	node_drop(t->mapped);
	node_drop(t->code);
	*t = (struct map_trees){ 0 };
}

void
maps_copy(struct maps *to, const struct maps *from)
{
	struct maps was = *to;

	*to = (struct maps){ .now = trees_hold(&from->now), .before = trees_hold(&from->before),
	    .version = from->version };
	maps_clear(&was);
}

void
maps_exec(struct maps *m)
{
	if (!m->now.mapped)
		return;
	trees_drop(&m->before);
	*m = (struct maps){ .before = m->now };
}

void
maps_clear(struct maps *m)
{
	trees_drop(&m->now);
	trees_drop(&m->before);
	*m = (struct maps){ 0 };
}

static const struct map *
find(const struct map_node *n, uint64_t addr)
{
	while (n && (addr < n->map.start || addr >= n->map.end))
		n = addr < n->map.start ? n->left : n->right;
	return n ? &n->map : NULL;
}

static const struct map *
find_in(const struct map_trees *t, uint64_t addr)
{
	const struct map *mapped = find(t->mapped, addr), *code = NULL;

	if (t->code && (!mapped || mapped->anonymous))
		code = find(t->code, addr);
	return code ? code : mapped;
}

const struct map *
maps_search(struct maps *m, uint64_t addr)
{
	const struct map *found = find_in(&m->now, addr);

	/* There may be code at other addresses of memory without a file. */
	m->last = found && found->anonymous && m->now.code ? NULL : found;
	if (!found)
		return find_in(&m->before, addr);
	if (m->before.mapped) {		/* exec has ended */
		trees_drop(&m->before);
		m->version++;		/* it was even */
	}
	return found;
}
