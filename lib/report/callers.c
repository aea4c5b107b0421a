/* SPDX-License-Identifier: ISC */
/* The callers of expensive functions that no single path explains. */
#include "report/section.h"

#include <stdlib.h>

#include "util/mem.h"

#define MOST_FUNCTIONS 6	/* that are listed */
#define FIRST_ROWS 20		/* that are looked at */
#define SHOWN 3			/* callers of each */
#define ONE_PATH 80		/* percent of its calls' cost: one caller explains it */
#define LEAST 1			/* percent of the total: cheaper functions are left out */

struct callers {
	size_t n;
	struct caller {
		size_t row;	/* of `functions` */
		num cost;
	} v[SHOWN];
	num all;		/* the cost of all calls */
};

/* Keeps the most expensive callers in their order. */
static void
add_caller(struct callers *c, size_t row, num cost)
{
	struct caller new = { row, cost }, old;
	size_t i;

	c->n++;
	for (i = 0; i < SHOWN; i++)
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
find_callers(const struct page_data *d, size_t row, struct callers *c)
{
	const struct table *t = &d->functions;
	const struct sums *edges = &t->r->edges;
	size_t e;

	*c = (struct callers){ 0 };
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

static size_t
looked_at(const struct page_data *d)
{
	return d->functions.kept < FIRST_ROWS ? d->functions.kept : FIRST_ROWS;
}

size_t
rows_of_callers(const struct page_data *d)
{
	struct callers c;
	size_t i, n = 0;

	if (!has_calls(d))
		return 0;
	for (i = 0; i < looked_at(d) && n < MOST_FUNCTIONS; i++)
		n += find_callers(d, d->functions.order[i].of, &c);
	return n;
}

static struct text
name_of(const struct page_data *d, size_t row)
{
	return dict_func_name(d->r->dict, (uint32_t)*sums_key(&d->functions.r->rows, row));
}

static void
add_callers(const struct page_data *d, size_t row, const struct callers *c, struct buf *b)
{
	const struct table *t = &d->functions;
	num rest = c->all;
	size_t i;

	buf_puts(b, "- ");
	add_function(b, name_of(d, row));
	buf_puts(b, ", ");
	add_share(t, b, table_incl(t, row, 0));
	buf_puts(b, " % inclusive, is called by ");
	for (i = 0; i < SHOWN && i < c->n; i++) {
		buf_puts(b, i ? ", " : "");
		add_function(b, name_of(d, c->v[i].row));
		buf_putc(b, ' ');
		add_share(t, b, (struct value){ .kind = WHOLE, .n = c->v[i].cost });
		buf_puts(b, " %");
		rest -= c->v[i].cost;
	}
	if (c->n > SHOWN) {
		buf_printf(b, ", %zu more ", c->n - SHOWN);
		add_share(t, b, (struct value){ .kind = WHOLE, .n = rest });
		buf_puts(b, " %");
	}
	buf_putc(b, '\n');
}

void
section_callers(const struct page_data *d, size_t rows, struct buf *b)
{
	struct callers c;
	size_t i, n;

	buf_puts(b, "\n## Callers of functions that several paths reach\n\n");
	for (i = n = 0; n < rows && i < looked_at(d); i++)
		if (find_callers(d, d->functions.order[i].of, &c)) {
			add_callers(d, d->functions.order[i].of, &c, b);
			n++;
		}
	buf_puts(b, "\nCallers of any function: ");
	add_command(d, b, "prof-top", "--callers REGEX");
	buf_puts(b, ".\n");
}
