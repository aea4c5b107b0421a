/* SPDX-License-Identifier: ISC */
#include "svg.h"

#include <stdlib.h>

#include "util/hash.h"
#include "util/mem.h"

/* Two shades of each, so that neighbours are told apart. */
static const char *const class_of_key[COLOUR_KEYS + 1][2] = {
	{ "a", "A" }, { "b", "B" }, { "c", "C" }, { "d", "D" },
	{ "e", "E" }, { "f", "F" }, { "g", "G" }, { "h", "H" },	/* all others */
};

/* From this share of the whole on, in hundredths of a percent. */
static const struct { unsigned share; const char *class, *says; } heat[] = {
	{ 1000, "t5", "10 % and more" }, { 500, "t4", "5 %" }, { 200, "t3", "2 %" },
	{ 100, "t2", "1 %" }, { 10, "t1", "0.1 %" }, { 0, "t0", "less" },
};

/* From this change on, in percent of the larger side. */
static const struct { unsigned change; const char *up, *down, *says; } growth[] = {
	{ 60, "u4", "d4", "60 % and more" }, { 30, "u3", "d3", "30 %" },
	{ 10, "u2", "d2", "10 %" }, { 0, "u1", "d1", "less" },
};

#define COUNT(a) (sizeof (a) / sizeof *(a))

/* What a node has of that by which it is coloured. */
static uint64_t
key_of(const struct colour *c, size_t node)
{
	return tree_func(c->t, node)[c->by == SVG_BY_FILE ? FUNC_FILE : FUNC_OBJECT];
}

static int
most_first(const void *a, const void *b, void *arg)
{
	const struct sums *s = arg;
	const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const num vi = *sums_val(s, i), vk = *sums_val(s, k);

	return vi != vk ? (vi > vk ? -1 : 1) : i < k ? -1 : i > k;
}

/* Those that cost most have colours of their own. */
static void
find_keys(struct colour *c)
{
	const struct tree *t = c->t;
	struct sums costs;
	uint32_t *order;
	size_t node, i;

	sums_init(&costs, 1, 1);
	for (node = 0; node < tree_size(t); node++) {
		const uint64_t key = key_of(c, node);

		/* The sum of all fits, so does this one. */
		if (key != NO_ID)
			num_add(sums_val(&costs, sums_row(&costs, &key)),
			    *sums_val(&t->stacks.nodes, node));
		else
			c->others |= tree_kind(t, node) == TREE_FUNC;
	}
	order = mem_alloc(costs.n, sizeof *order);
	for (i = 0; i < costs.n; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, costs.n, sizeof *order, most_first, &costs);
	for (i = 0; i < costs.n && i < COLOUR_KEYS; i++)
		c->key[c->nkey++] = *sums_key(&costs, order[i]);
	c->others |= costs.n > COLOUR_KEYS;
	free(order);
	sums_free(&costs);
}

void
colour_init(struct colour *c, const struct tree *t, num total)
{
	*c = (struct colour){ .t = t, .total = total, .difference = tree_sides(t) > 1 };
	for (c->by = svg_colours < 0 ? SVG_BY_OBJECT : (enum svg_colours)svg_colours; ;
	    c->by++) {
		c->nkey = 0;
		c->others = false;
		if (c->difference || c->by >= SVG_BY_NAME)
			return;
		find_keys(c);
		/* One colour says nothing. */
		if (svg_colours >= 0 || c->nkey > 1)
			return;
	}
}

static const char *
heat_of(const struct colour *c, size_t node)
{
	size_t i;

	for (i = 0; i + 1 < COUNT(heat); i++)
		if (threshold_cmp(*sums_val(&c->t->stacks.nodes, node), (struct threshold){
		    (num)heat[i].share * 10000, true }, c->total) >= 0)
			break;
	return heat[i].class;
}

static const char *
growth_of(const struct colour *c, size_t node)
{
	const num *side = c->t->incl + node * SIDES;
	num old = side[SIDE_OLD], new = side[SIDE_NEW], change = new - old;
	num most = old > new ? old : new;
	size_t i;

	if (change == 0)
		return "s";
	if (old == 0)
		return "n";
	if (new == 0)
		return "x";
	for (i = 0; i + 1 < COUNT(growth); i++)
		if (threshold_cmp(change < 0 ? -change : change, (struct threshold){
		    (num)growth[i].change * 1000000, true }, most) >= 0)
			break;
	return change < 0 ? growth[i].down : growth[i].up;
}

const char *
colour_of(const struct colour *c, size_t node)
{
	const struct text name = tree_name(c->t, node);
	const uint32_t hash = hash_bytes(name.s ? name.s : "", name.n);
	size_t i = COLOUR_KEYS;

	if (c->difference)
		return growth_of(c, node);
	if (c->by == SVG_BY_HEAT)
		return heat_of(c, node);
	if (tree_kind(c->t, node) != TREE_FUNC)
		return "o";
	if (c->by == SVG_BY_NAME)
		i = hash % COLOUR_KEYS;
	else
		for (i = 0; i < c->nkey && c->key[i] != key_of(c, node); i++)
			;
	return class_of_key[i < c->nkey || c->by == SVG_BY_NAME ? i : COLOUR_KEYS]
	    [hash >> 16 & 1];
}

const char *
colour_says(const struct colour *c)
{
	static const char *const says[] = {
		"colour: object", "colour: file", "colour: by the function's name",
		"colour: own cost",
	};

	return c->difference ? "colour: change of the cost with callees, of the larger "
	    "side; what shrunk has a bar" : says[c->by];
}

typedef void put_fn(void *arg, const char *class, struct text says);

/* "+10 %", "- less". */
static void
put_growth(put_fn *put, void *arg, const char *class, char sign, const char *says)
{
	struct buf b = { 0 };

	buf_putc(&b, sign);
	buf_puts(&b, *says >= '0' && *says <= '9' ? "" : " ");
	buf_puts(&b, says);
	put(arg, class, buf_as_text(&b));
	buf_free(&b);
}

/* From what came to what went. */
static void
growth_legend(put_fn *put, void *arg)
{
	size_t i;

	put(arg, "n", TEXT("new"));
	for (i = 0; i < COUNT(growth); i++)
		put_growth(put, arg, growth[i].up, '+', growth[i].says);
	put(arg, "s", TEXT("as before"));
	for (i = COUNT(growth); i-- > 0; )
		put_growth(put, arg, growth[i].down, '-', growth[i].says);
	put(arg, "x", TEXT("gone"));
}

void
colour_legend(const struct colour *c,
    void (*put)(void *arg, const char *class, struct text says), void *arg)
{
	size_t i;

	if (c->difference)
		growth_legend(put, arg);
	for (i = 0; !c->difference && c->by == SVG_BY_HEAT && i < COUNT(heat); i++)
		put(arg, heat[i].class, text_of(heat[i].says));
	for (i = 0; i < c->nkey; i++)
		put(arg, class_of_key[i][0], text_base_name(c->by == SVG_BY_FILE ?
		    dict_path(c->t->dict, (uint32_t)c->key[i]) :
		    dict_object_path(c->t->dict, (uint32_t)c->key[i])));
	if (c->nkey && c->others)
		put(arg, class_of_key[COLOUR_KEYS][0], TEXT("others"));
}
