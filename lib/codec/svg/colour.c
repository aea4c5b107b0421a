/* SPDX-License-Identifier: ISC */
#include "svg.h"

#include <stdlib.h>

#include "util/hash.h"
#include "util/mem.h"
#include "util/system.h"

/* Two shades for each, so that neighbours are distinguishable; the last ones are for all
 * others. */
static const struct look keys[COLOUR_KEYS + 1][2] = {
	{ { "a", "#edb95e", NULL }, { "A", "#f3cd8b", NULL } },
	{ { "b", "#8cc8e8", NULL }, { "B", "#aed9f0", NULL } },
	{ { "c", "#7fcbab", NULL }, { "C", "#a4dac4", NULL } },
	{ { "d", "#f0e27c", NULL }, { "D", "#f5ecad", NULL } },
	{ { "e", "#a3b4e6", NULL }, { "E", "#c0ccef", NULL } },
	{ { "f", "#e8a27c", NULL }, { "F", "#f0c0a6", NULL } },
	{ { "g", "#d9a9cb", NULL }, { "G", "#e6c8dd", NULL } },
	{ { "h", "#cbcbcb", NULL }, { "H", "#dddddd", NULL } },
};

static const struct look no_function = { "o", "#d9d9d9", NULL };

/* Colours from this share of the whole on, in hundredths of a percent. */
static const struct { unsigned share; struct look look; const char *meaning; } heat[] = {
	{ 1000, { "t5", "#e0632f", NULL }, "10 % and more" },
	{ 500, { "t4", "#f08a3c", NULL }, "5 %" },
	{ 200, { "t3", "#f8b14e", NULL }, "2 %" },
	{ 100, { "t2", "#fbd07c", NULL }, "1 %" },
	{ 10, { "t1", "#fbe6b8", NULL }, "0.1 %" },
	{ 0, { "t0", "#f3efe6", NULL }, "less" },
};

/* Colours from this change on, in percent of the old cost: doubled is as dark as halved. */
struct changed {
	unsigned change;
	struct look look;
	const char *meaning;
};

static const struct changed grown[] = {
	{ 100, { "u4", "#e67f2b", NULL }, "+100 % and more" },
	{ 40, { "u3", "#f3a45a", NULL }, "+40 %" },
	{ 10, { "u2", "#f9c796", NULL }, "+10 %" },
	{ 0, { "u1", "#fbe3cd", NULL }, "+ less" },
};

static const struct changed shrunk[] = {
	{ 50, { "d4", "url(#d4)", NULL }, "-50 % and more" },
	{ 30, { "d3", "url(#d3)", NULL }, "-30 %" },
	{ 10, { "d2", "url(#d2)", NULL }, "-10 %" },
	{ 0, { "d1", "url(#d1)", NULL }, "- less" },
};

static const struct look as_before = { "s", "#dddddd", NULL };
static const struct look is_new = { "n", "#d55e00", "#000" };
static const struct look is_gone = { "x", "#fff", "#0072b2" };

#define COUNT(a) (sizeof (a) / sizeof *(a))

/* Returns the object or file by which a node is coloured. */
static uint64_t
key_of(const struct colour *c, size_t node)
{
	const struct func_def f = stacks_func_def(c->s, node);

	return c->by == SVG_BY_FILE ? f.file : f.object;
}

static int
most_first(const void *a, const void *b, void *arg)
{
	const struct sums *s = arg;
	const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const num vi = *sums_val(s, i), vk = *sums_val(s, k);

	return vi != vk ? (vi > vk ? -1 : 1) : i < k ? -1 : i > k;
}

/* Finds those with the largest costs, which get colours of their own. */
static void
find_keys(struct colour *c)
{
	const struct stacks *s = c->s;
	struct sums costs;
	uint32_t *order;
	size_t node, i;

	sums_init(&costs, 1, 1);
	for (node = 0; node < stacks_size(s); node++) {
		const uint64_t key = key_of(c, node);

		/* The sum of all costs fits, so this one does. */
		if (key != NO_ID)
			num_add(sums_val(&costs, sums_row(&costs, &key)),
			    *stacks_self(s, node));
		else
			c->others |= stacks_is_func(s, node);
	}
	order = mem_alloc(costs.n, sizeof *order);
	for (i = 0; i < costs.n; i++)
		order[i] = (uint32_t)i;
	system_sort(order, costs.n, sizeof *order, most_first, &costs);
	for (i = 0; i < costs.n && i < COLOUR_KEYS; i++)
		c->key[c->nkey++] = *sums_key(&costs, order[i]);
	c->others |= costs.n > COLOUR_KEYS;
	free(order);
	sums_free(&costs);
}

void
colour_init(struct colour *c, enum svg_colours by, const struct stacks *s, num total)
{
	*c = (struct colour){ .by = by, .s = s, .total = total,
	    .difference = stacks_sides(s) > 1 };
	if (!c->difference && c->by < SVG_BY_NAME)
		find_keys(c);
}

static bool
reaches(num v, num hundredths, num whole)
{
	return threshold_cmp(v, (struct threshold){ hundredths * 10000, true }, whole) >= 0;
}

static const struct look *
heat_of(const struct colour *c, size_t node)
{
	const num self = *stacks_self(c->s, node);
	size_t i;

	for (i = 0; i + 1 < COUNT(heat) && !reaches(self, heat[i].share, c->total); i++)
		;
	return &heat[i].look;
}

static const struct look *
growth_of(const struct colour *c, size_t node)
{
	const num *side = stacks_cost(c->s, node);
	const num old = side[SIDE_OLD], new = side[SIDE_NEW], change = new - old;
	const num size = change < 0 ? -change : change, whole = old < 0 ? -old : old;
	const struct changed *g = change < 0 ? shrunk : grown;

	if (change == 0)
		return &as_before;
	if (old == 0)
		return &is_new;
	if (new == 0)
		return &is_gone;
	while (g->change && !reaches(size, (num)g->change * 100, whole))
		g++;
	return &g->look;
}

const struct look *
colour_of(const struct colour *c, size_t node)
{
	const struct text name = stacks_name(c->s, node);
	const uint32_t hash = hash_upper(hash_bytes(name.s ? name.s : "", name.n));
	size_t i = COLOUR_KEYS;

	if (c->difference)
		return growth_of(c, node);
	if (c->by == SVG_BY_HEAT)
		return heat_of(c, node);
	if (!stacks_is_func(c->s, node))
		return &no_function;
	if (c->by == SVG_BY_NAME)
		i = hash % COLOUR_KEYS;
	else
		for (i = 0; i < c->nkey && c->key[i] != key_of(c, node); i++)
			;
	return &keys[i < c->nkey || c->by == SVG_BY_NAME ? i : COLOUR_KEYS][hash >> 16 & 1];
}

const char *
colour_heading(const struct colour *c)
{
	static const char *const meaning[] = {
		"colour: object", "colour: file", "colour: by the function's name",
		"colour: self cost",
	};

	return c->difference ? "colour: change of inclusive cost, relative to the old "
	    "cost; a bar marks frames that shrank" : meaning[c->by];
}

void
colour_add(struct buf *b, const struct look *look)
{
	buf_printf(b, " class=\"%s\" fill=\"%s\"", look->class, look->fill);
	if (look->stroke)
		buf_printf(b, " stroke=\"%s\"", look->stroke);
}

/* Calls put() from new to gone. */
static void
growth_legend(look_fn *put, void *arg)
{
	size_t i;

	put(arg, &is_new, TEXT("new"));
	for (i = 0; i < COUNT(grown); i++)
		put(arg, &grown[i].look, text_of(grown[i].meaning));
	put(arg, &as_before, TEXT("as before"));
	for (i = COUNT(shrunk); i-- > 0; )
		put(arg, &shrunk[i].look, text_of(shrunk[i].meaning));
	put(arg, &is_gone, TEXT("gone"));
}

static void
heat_legend(look_fn *put, void *arg)
{
	size_t i;

	for (i = 0; i < COUNT(heat); i++)
		put(arg, &heat[i].look, text_of(heat[i].meaning));
}

void
colour_legend(const struct colour *c, look_fn *put, void *arg)
{
	size_t i;

	if (c->difference)
		growth_legend(put, arg);
	else if (c->by == SVG_BY_HEAT)
		heat_legend(put, arg);
	for (i = 0; i < c->nkey; i++)
		put(arg, &keys[i][0], text_base_name(c->by == SVG_BY_FILE ?
		    dict_path(c->s->dict, (uint32_t)c->key[i]) :
		    dict_object_path(c->s->dict, (uint32_t)c->key[i])));
	if (c->nkey && c->others)
		put(arg, &keys[COLOUR_KEYS][0], TEXT("others"));
}

void
colour_looks(look_fn *put, void *arg)
{
	size_t i;

	growth_legend(put, arg);
	heat_legend(put, arg);
	for (i = 0; i < 2 * COUNT(keys); i++)
		put(arg, &keys[i / 2][i % 2], TEXT(""));
	put(arg, &no_function, TEXT(""));
}
