/* SPDX-License-Identifier: ISC */
/* The callers of expensive functions that no single path explains. */
#include "report/section.h"

#include <stdlib.h>

#include "util/mem.h"

#define MOST_FUNCTIONS 6	/* that are listed */
#define FIRST_ROWS 20		/* that are looked at */
#define ONE_PATH 80		/* percent of its calls' cost: one caller explains it */
#define LEAST 1			/* percent of the total: cheaper functions are left out */

/* ---- the data ---- */

/* Keeps the most expensive callers in their order. */
static void
add_caller(struct function_callers *c, size_t row, num cost)
{
	struct caller new = { row, cost }, old;
	size_t i;

	c->n++;
	for (i = 0; i < CALLERS_SHOWN; i++)
		if (!c->v[i].cost || new.cost > c->v[i].cost) {
			old = c->v[i];
			c->v[i] = new;
			new = old;
			if (!new.cost)
				break;
		}
}

/* Finds the callers of a function, but for itself: false if one caller has nearly all, or
 * costs are not known. */
static bool
find_callers_of(const struct page_data *d, size_t row, struct function_callers *c)
{
	const struct table *t = &d->functions;
	const struct sums *edges = &t->r->edges;
	size_t e;

	*c = (struct function_callers){ .row = row };
	for (e = 0; e < edges->n; e++) {
		const uint64_t *key = sums_key(edges, e);
		struct value v;

		if (key[EDGE_TO] != row || key[EDGE_FROM] == row || key[EDGE_FROM] >= t->r->rows.n)
			continue;
		v = table_value(&t->metric[0], sums_val(edges, e) + 1);
		if (v.kind != WHOLE || v.n < 0 || num_add(&c->all, v.n) < 0)
			return false;
		if (v.n)
			add_caller(c, key[EDGE_FROM], v.n);
	}
	return c->n > 1 && (double)c->all * 100 >= (double)t->metric[0].total * LEAST &&
	    (double)c->v[0].cost * 100 < (double)c->all * ONE_PATH;
}

/* The rows of functions are the ends of calls. */
static bool
has_calls(const struct page_data *d)
{
	const struct rank *r = d->functions.r;

	return d->functions.nmetric && !d->changed && r->incl_known && !r->fine && !r->placed &&
	    r->edges.n;
}

static void
find_callers(struct page_data *d)
{
	const struct table *t = &d->functions;
	size_t i;

	if (!has_calls(d))
		return;
	d->callers = mem_alloc(MOST_FUNCTIONS, sizeof *d->callers);
	for (i = 0; i < t->kept && i < FIRST_ROWS && d->ncallers < MOST_FUNCTIONS; i++)
		d->ncallers += find_callers_of(d, t->order[i].of, &d->callers[d->ncallers]);
}

static size_t
count_rows(const struct page_data *d)
{
	return d->ncallers;
}

static size_t
shown(const struct function_callers *c)
{
	return c->n < CALLERS_SHOWN ? c->n : CALLERS_SHOWN;
}

/* Returns the cost of the callers that are not shown. */
static num
rest_of(const struct function_callers *c)
{
	num rest = c->all;
	size_t i;

	for (i = 0; i < shown(c); i++)
		rest -= c->v[i].cost;
	return rest;
}

static struct text
name_of(const struct page_data *d, size_t row)
{
	return dict_func_name(d->r->dict, (uint32_t)*sums_key(&d->functions.r->rows, row));
}

/* ---- Markdown ---- */

static void
add_callers(const struct page_data *d, const struct function_callers *c, struct buf *b)
{
	const struct table *t = &d->functions;
	const num total = t->metric[0].total;
	size_t i;

	buf_puts(b, "- ");
	add_function(b, name_of(d, c->row));
	buf_puts(b, ", ");
	value_add_share(b, table_incl(t, c->row, 0), total);
	buf_puts(b, " % inclusive, is called by ");
	for (i = 0; i < shown(c); i++) {
		buf_puts(b, i ? ", " : "");
		add_function(b, name_of(d, c->v[i].row));
		buf_putc(b, ' ');
		num_add_percent(b, c->v[i].cost, total);
		buf_puts(b, " %");
	}
	if (c->n > CALLERS_SHOWN) {
		buf_printf(b, ", %zu more ", c->n - CALLERS_SHOWN);
		num_add_percent(b, rest_of(c), total);
		buf_puts(b, " %");
	}
	buf_putc(b, '\n');
}

static void
add_markdown(const struct page_data *d, size_t rows, struct buf *b)
{
	const struct command any = { .tool = "prof-top", .arguments = "--callers REGEX" };
	size_t i;

	buf_puts(b, "\n## Callers of functions that several paths reach\n\n");
	for (i = 0; i < rows; i++)
		add_callers(d, &d->callers[i], b);
	buf_puts(b, "\nCallers of any function: ");
	add_command_code(d->r, b, any);
	buf_puts(b, ".\n");
}

/* ---- JSON ---- */

static void
json_caller(const struct page_data *d, struct buf *b, const struct caller *c)
{
	json_object(b);
	json_function(b, name_of(d, c->row));
	json_num_member(b, "cost", c->cost);
	json_share_member(b, "percent", (struct value){ .kind = WHOLE, .n = c->cost },
	    d->functions.metric[0].total);
	buf_putc(b, '}');
}

static void
json_callers(const struct page_data *d, size_t row, struct buf *b)
{
	const struct function_callers *c = &d->callers[row];
	const struct table *t = &d->functions;
	const struct value incl = table_incl(t, c->row, 0);
	size_t i;

	json_row(b);
	json_function(b, name_of(d, c->row));
	json_value_member(b, "inclusive", incl);
	json_share_member(b, "inclusive_percent", incl, t->metric[0].total);
	json_array(b, "callers");
	for (i = 0; i < shown(c); i++)
		json_caller(d, b, &c->v[i]);
	buf_putc(b, ']');
	json_num_member(b, "more_callers", (num)(c->n - shown(c)));
	json_num_member(b, "more_cost", rest_of(c));
	buf_putc(b, '}');
}

const struct section section_callers = {
	.name = "callers", .key = "callers", .least = 1, .good = 3,
	.all = { .tool = "prof-top", .arguments = "-n 0 --callers ." }, .find = find_callers,
	.rows = count_rows, .of = count_rows, .markdown = add_markdown, .json_row = json_callers,
};
