/* SPDX-License-Identifier: ISC */
#include "view/tree_names.h"

#include <stdlib.h>

#include "util/abbreviate.h"
#include "util/mem.h"
#include "util/printable.h"

#define CHAIN 12		/* names of a line in unlimited width */
#define NAME 8			/* the fewest columns of a name */
#define SIBLINGS 100		/* at most so many are compared with a shortened name */
#define PERIOD 8		/* the most functions that are repeated together */

/* ---- functions of the same name ---- */

void
tree_names_init(struct tree_names *x, const struct tree_page *tp)
{
	const struct dict *d = tp->q->dict;
	const struct call_tree *t = tp->t;
	size_t node;

	*x = (struct tree_names){ .tp = tp };
	for (node = 0; (node = tree_next(tp, node)); ) {
		const uint32_t func = t->v[node].func;
		const uint32_t *f = dict_def(d, REC_FUNC, func), *was;
		struct tree_name *name;

		if (f[FUNC_NAME] == NO_ID)
			continue;
		x->name = mem_reach(x->name, &x->cap, f[FUNC_NAME], sizeof *x->name, 0);
		name = &x->name[f[FUNC_NAME]];
		if (!name->func1)
			name->func1 = func + 1;
		was = dict_def(d, REC_FUNC, name->func1 - 1);
		name->objects |= was[FUNC_OBJECT] != f[FUNC_OBJECT];
		name->files |= was[FUNC_FILE] != f[FUNC_FILE];
	}
}

void
tree_names_free(struct tree_names *x)
{
	free(x->name);
}

/* Returns its object, otherwise its file; absent: neither is known. */
static struct text
place_of(const struct tree_names *x, uint32_t func)
{
	const struct dict *d = x->tp->q->dict;
	const uint32_t *f = dict_def(d, REC_FUNC, func);
	const struct tree_name *name = f[FUNC_NAME] == NO_ID ? NULL :
	    &x->name[f[FUNC_NAME]];
	struct text t = { 0 };

	if (func == NO_ID)
		return t;
	if (!name || name->objects)
		t = dict_object_path(d, f[FUNC_OBJECT]);
	if (!t.s && (!name || name->files))
		t = dict_path(d, f[FUNC_FILE]);
	return t.s ? text_base_name(t) : t;
}

/* ---- a name ---- */

static struct text
name_of(const struct tree_names *x, size_t node)
{
	const struct text name = tree_node_name(x->tp->t, x->tp->q->dict, node);

	return name.s ? name : TEXT("???");
}

/* Does a sibling with another name look the same in this room? */
static bool
is_ambiguous(const struct tree_names *x, size_t node, struct text look, size_t room)
{
	const struct tree_node *up = &x->tp->t->v[x->tp->t->v[node].parent];
	struct buf b = { 0 };
	bool same = false;
	size_t i;

	for (i = up->first; i < up->first + up->n && i < up->first + SIBLINGS; i++) {
		if (i == node || !x->tp->shown[i] ||
		    text_eq(name_of(x, i), name_of(x, node)))
			continue;
		b.n = 0;
		abbreviate(&b, name_of(x, i), room);
		same |= text_eq(buf_as_text(&b), look);
	}
	buf_free(&b);
	return same;
}

static void
shorten(const struct tree_names *x, struct buf *b, size_t node, size_t room)
{
	const struct text name = name_of(x, node);
	const size_t from = b->n;

	if (room == SIZE_MAX) {
		printable_add(b, name);
		return;
	}
	abbreviate(b, name, room);
	if (printable_columns(name) <= room || !is_ambiguous(x, node,
	    (struct text){ buf_str(b) + from, b->n - from }, room))
		return;
	b->n = from;
	printable_shortened(b, name, room);
}

/* Adds "name [place]" in at most `room` columns. */
static void
add_name(const struct tree_names *x, struct buf *b, size_t node, size_t room)
{
	const struct text place = place_of(x, x->tp->t->v[node].func);
	const size_t wide = place.s ? printable_columns(place) + 4 : 0;

	shorten(x, b, node, room == SIZE_MAX ? room :
	    room > wide + NAME ? room - wide : room > NAME ? room : NAME);
	if (!place.s || (room != SIZE_MAX && room <= wide + NAME))
		return;
	buf_puts(b, "  [");
	printable_add(b, place);
	buf_putc(b, ']');
}

/* ---- the functions of a line ---- */

/* The n nodes from v[at] on, whose functions occur `times` times in a row. */
struct group {
	size_t at, n, times;
};

struct chain {
	uint32_t *v;		/* nodes */
	size_t n, cap;
	struct group *group;
	size_t ngroup, capgroup;
};

static bool
is_same(const struct tree_names *x, const struct chain *c, size_t i, size_t k)
{
	const struct tree_node *v = x->tp->t->v;

	return v[c->v[i]].func == v[c->v[k]].func && v[c->v[i]].thread == v[c->v[k]].thread;
}

/* Returns how often the n functions at `at` are repeated in a row. */
static size_t
times(const struct tree_names *x, const struct chain *c, size_t at, size_t n)
{
	size_t i = at + n;

	while (i < c->n && is_same(x, c, i, i - n))
		i++;
	return (i - at) / n;
}

/* Returns the longest repetition from `at` on. */
static struct group
find_group(const struct tree_names *x, const struct chain *c, size_t at)
{
	struct group best = { at, 1, 1 };
	size_t n;

	for (n = 1; n <= PERIOD && at + n <= c->n; n++) {
		const size_t k = times(x, c, at, n);

		if (k > 1 && k * n > best.n * best.times)
			best = (struct group){ at, n, k };
	}
	return best;
}

static struct chain
make_chain(const struct tree_names *x, size_t node)
{
	struct chain c = { 0 };
	size_t at;

	for (; node; node = x->tp->next[node]) {
		c.v = mem_grow(c.v, &c.cap, c.n + 1, sizeof *c.v);
		c.v[c.n++] = (uint32_t)node;
	}
	for (at = 0; at < c.n; at += c.group[c.ngroup - 1].n * c.group[c.ngroup - 1].times) {
		c.group = mem_grow(c.group, &c.capgroup, c.ngroup + 1, sizeof *c.group);
		c.group[c.ngroup++] = find_group(x, &c, at);
	}
	return c;
}

/* Adds "f", "f ×5", "(f; g) ×5", each name in at most `room` columns. */
static void
add_group(const struct tree_names *x, struct buf *b, const struct chain *c,
    const struct group *g, size_t room)
{
	size_t i;

	buf_puts(b, g->n > 1 ? "(" : "");
	for (i = 0; i < g->n; i++) {
		buf_puts(b, i ? "; " : "");
		add_name(x, b, c->v[g->at + i], room);
	}
	buf_puts(b, g->n > 1 ? ")" : "");
	if (g->times > 1)
		buf_printf(b, " \xc3\x97%zu", g->times);
}

/* Adds the first and the last groups, at most `most` in all. */
static void
add_ends(const struct tree_names *x, struct buf *b, const struct chain *c, size_t most,
    size_t room)
{
	const size_t head = c->ngroup > most ? most / 2 : c->ngroup;
	const size_t tail = c->ngroup > most ? c->ngroup - (most - head) : c->ngroup;
	size_t i, without = 0;

	for (i = head; i < tail; i++)
		without += c->group[i].n * c->group[i].times;
	for (i = 0; i < c->ngroup; i++) {
		if (i >= head && i < tail)
			continue;
		if (i == tail && without)
			buf_printf(b, "\xe2\x80\xa6 %zu \xe2\x80\xa6; ", without);
		add_group(x, b, c, &c->group[i], room);
		buf_puts(b, i + 1 < c->ngroup ? "; " : "");
	}
}

/* The widths of a name that are tried. */
static const size_t widths[] = { SIZE_MAX, 48, 24 };
#define WIDTHS (sizeof widths / sizeof *widths)

static bool
fits(const struct tree_names *x, struct buf *b, const struct chain *c, size_t most,
    size_t width, size_t room)
{
	b->n = 0;
	add_ends(x, b, c, most, width);
	return printable_columns(buf_as_text(b)) <= room;
}

/* Adds the last function alone, after the number of those before it, in the rest of the
 * room. */
static void
add_last(const struct tree_names *x, struct buf *b, const struct chain *c, size_t room)
{
	const size_t from = b->n;
	size_t taken;

	buf_printf(b, "\xe2\x80\xa6 %zu \xe2\x80\xa6; ", c->n - 1);
	taken = printable_columns((struct text){ b->s + from, b->n - from });
	add_name(x, b, c->v[c->n - 1], room > taken + NAME ? room - taken : NAME);
}

/* Adds as many as fit: first, names are abbreviated, then those in the middle are left out;
 * remaining room is used for longer names. */
static void
add_fitting(const struct tree_names *x, struct buf *b, const struct chain *c, size_t room)
{
	size_t most = c->ngroup, i = 0;
	struct buf names = { 0 };
	bool done;

	if (most > room / 3)	/* each takes at least "f; " */
		most = room / 3 > 2 ? room / 3 : 2;
	while (!(done = fits(x, &names, c, most, widths[i], room)) && i + 1 < WIDTHS)
		i++;
	while (!done && most > 2)
		done = fits(x, &names, c, --most, widths[i], room);
	for (i = 0; done && i < WIDTHS; i++)
		if (fits(x, &names, c, most, widths[i], room))
			break;
	if (done)
		buf_text(b, buf_as_text(&names));
	else
		add_last(x, b, c, room);
	buf_free(&names);
}

void
tree_names_add(const struct tree_names *x, struct buf *b, size_t node, size_t room)
{
	struct chain c;

	if (!x->tp->next[node]) {
		add_name(x, b, node, room);
		return;
	}
	c = make_chain(x, node);
	if (room != SIZE_MAX)
		add_fitting(x, b, &c, room);
	else
		add_ends(x, b, &c, c.ngroup > CHAIN && !x->tp->v->whole ? CHAIN : c.ngroup,
		    room);
	free(c.v);
	free(c.group);
}
