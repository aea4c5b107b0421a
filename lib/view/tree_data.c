/* SPDX-License-Identifier: ISC */
/* A call tree for programs: TSV, JSON. */
#include "view/tree_page.h"

#include <stdlib.h>

#include "util/json.h"
#include "util/mem.h"

/* Rows are numbered in their order; a row's columns are put one after the other. */
struct data_page {
	struct tree_page *tp;
	uint32_t *number;	/* by node */
	bool head;		/* just the names of columns */
};

static bool
is_json(const struct data_page *x)
{
	return x->tp->v->form == VIEW_JSON;
}

/* Begins a column; suffix: of the event's, NULL for another. */
static void
begin(struct data_page *x, struct text name, const char *suffix)
{
	struct buf *b = &x->tp->p.line, whole = { 0 };

	buf_text(&whole, name);
	buf_puts(&whole, suffix ? suffix : "");
	if (is_json(x)) {
		page_json_member(b, buf_as_text(&whole), "");
	} else {
		buf_puts(b, b->n ? "\t" : "");
		if (x->head)
			field_escape(b, buf_as_text(&whole));
	}
	buf_free(&whole);
}

static void
put_value(struct data_page *x, struct text name, const char *suffix, struct value v)
{
	begin(x, name, suffix);
	if (x->head)
		return;
	if (is_json(x))
		page_json_value(&x->tp->p.line, v);
	else
		page_add_value(&x->tp->p.line, v, DIGITS_PLAIN);
}

static void
put_count(struct data_page *x, const char *name, num n)
{
	put_value(x, text_of(name), NULL, (struct value){ .kind = WHOLE, .n = n });
}

static void
put_text(struct data_page *x, const char *name, struct text t)
{
	begin(x, text_of(name), NULL);
	if (x->head)
		return;
	if (is_json(x))
		json_string(&x->tp->p.line, t);
	else
		field_escape(&x->tp->p.line, t);
}

/* A cost of the event, and of a difference that of its sides before it. */
static void
put_costs(struct data_page *x, const char *suffix, const num *cost, bool known)
{
	static const char *const side_name[] = { ".old", ".new" };
	const struct call_tree *t = x->tp->t;
	struct value v = { .kind = known ? WHOLE : ABSENT, .n = cost[0] };
	struct buf b = { 0 };
	size_t side;

	if (!t->name.s)		/* there is no event */
		return;
	for (side = 0; t->sides > 1 && side < SIDES; side++) {
		b.n = 0;
		buf_puts(&b, side_name[side]);
		buf_puts(&b, suffix);
		v.n = cost[side];
		put_value(x, t->name, buf_str(&b), v);
	}
	if (t->sides > 1)
		v.n = cost[SIDE_NEW] - cost[SIDE_OLD];
	put_value(x, t->name, suffix, v);
	buf_free(&b);
}

static void
put_place(struct data_page *x, size_t node)
{
	const struct dict *d = x->tp->q->dict;
	const struct tree_node *v = &x->tp->t->v[node];
	const uint32_t *f = dict_def(d, REC_FUNC, v->func);

	put_text(x, "thread", dict_text(d, v->thread));
	put_text(x, "function", dict_text(d, f[FUNC_NAME]));
	put_text(x, "file", dict_path(d, f[FUNC_FILE]));
	put_text(x, "object", dict_object_path(d, f[FUNC_OBJECT]));
}

/* "cost,self": which numbers are estimates. */
static struct text
guesses(const struct call_tree *t, size_t node)
{
	static const char *const says[] = { NULL, "cost", "self", "cost,self" };
	const char *s = says[tree_guesses(t, node, TREE_COST_ESTIMATED) +
	    2 * tree_guesses(t, node, TREE_SELF_ESTIMATED)];

	return s ? text_of(s) : (struct text){ 0 };
}

static void
put_row(struct data_page *x, size_t node)
{
	struct page *p = &x->tp->p;
	const struct call_tree *t = x->tp->t;
	const struct tree_node *v = &t->v[node];
	const struct tree_rest r = tree_rest_of(x->tp, node);
	const unsigned flags = v->flags;

	if (is_json(x))
		buf_putc(&p->line, '{');
	put_count(x, "id", x->number[node]);
	put_value(x, TEXT("parent"), NULL, (struct value){ .kind = v->depth > 1 ? WHOLE :
	    ABSENT, .n = x->number[v->depth ? v->parent : 0] });
	put_count(x, "depth", v->depth);
	put_place(x, node);
	put_costs(x, "", v->self, flags & TREE_SETTLED);
	put_costs(x, ".incl", v->cost, true);
	put_count(x, "more", (num)r.n);
	put_costs(x, ".more", r.cost, flags & TREE_SETTLED);
	put_costs(x, ".lost", r.lost, flags & TREE_SETTLED);
	put_text(x, "estimated", guesses(t, node));
	put_text(x, "recursion", flags & TREE_RECURSION ? TEXT("recursion") :
	    flags & TREE_CYCLE ? TEXT("cycle") : (struct text){ 0 });
	if (is_json(x)) {
		page_json_unit(p, 0);
		buf_putc(&p->line, '}');
	} else if (x->head) {
		page_tsv_unit_head(p, 0);
	} else {
		page_tsv_unit(p, 0);
	}
	page_flush(p);
}

void
tree_data(struct tree_page *tp)
{
	struct data_page x = { .tp = tp, .number = mem_alloc(tp->t->n, sizeof *x.number) };
	uint32_t n = 0;
	size_t node;

	if (!is_json(&x)) {
		x.head = true;
		put_row(&x, 0);
		x.head = false;
	}
	for (node = 0; tp->t->name.s && (node = tree_next(tp, node)); ) {
		x.number[node] = ++n;
		put_row(&x, node);
	}
	free(x.number);
}
