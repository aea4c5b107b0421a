/* SPDX-License-Identifier: ISC */
#include "stack_texts.h"

#include <stdlib.h>

#include "util/mem.h"

void
stack_texts_init(struct stack_texts *s, const struct dict *dict)
{
	*s = (struct stack_texts){ .dict = dict, .begin = NO_ID };
	contexts_init(&s->tree);
}

void
stack_texts_free(struct stack_texts *s)
{
	contexts_free(&s->tree);
	free(s->node);
	free(s->row);
	index_free(&s->others);
	free(s->other);
	buf_free(&s->line);
	free(s->shown);
	free(s->from_leaf);
}

void
stack_texts_clear(struct stack_texts *s)
{
	contexts_clear(&s->tree);
	index_clear(&s->others);
	s->n = s->nother = s->nshown = s->nfrom_leaf = 0;
}

uint32_t
stack_texts_node(struct stack_texts *s, uint32_t parent, uint32_t str)
{
	struct text_node above = { 0 };
	bool fresh;
	const uint32_t id = contexts_define(&s->tree, parent, str, &fresh);

	if (!fresh)
		return id;
	if (parent != NO_ID)
		above = s->node[parent];
	s->node = mem_grow(s->node, &s->capnode, id + (size_t)1, sizeof *s->node);
	s->node[id] = (struct text_node){ above.end + 1 + dict_text(s->dict, str).n,
	    above.depth + 1, 0 };
	return id;
}

/* ---- rows ---- */

static bool
is_row(const struct stack_texts *s, size_t row, uint32_t begin, uint32_t node)
{
	return s->row[row].begin == begin && s->row[row].node == node;
}

static uint32_t
hash_row(uint32_t begin, uint32_t node)
{
	return hash_upper(hash_number(begin, node));
}

static size_t
add_row(struct stack_texts *s, uint32_t begin, uint32_t node)
{
	if (s->n >= NO_ID - 1)
		mem_fail(0);
	s->row = mem_grow(s->row, &s->caprow, s->n + 1, sizeof *s->row);
	s->row[s->n] = (struct text_row){ begin, node };
	return s->n++;
}

/* Finds the row of a node that has another one, or of none. */
static __attribute__((noinline)) size_t
other_row(struct stack_texts *s, uint32_t begin, uint32_t node)
{
	const uint32_t h = hash_row(begin, node);
	uint32_t id1, id;
	size_t i;

	for (i = h; (id1 = index_next(&s->others, h, &i)); )
		if (is_row(s, s->other[id1 - 1], begin, node))
			return s->other[id1 - 1];
	if (index_grows(&s->others))
		for (id = 0; id < s->nother; id++) {
			const struct text_row *r = &s->row[s->other[id]];

			index_put(&s->others, hash_row(r->begin, r->node), id);
		}
	index_put(&s->others, h, (uint32_t)s->nother);
	s->other = mem_grow(s->other, &s->capother, s->nother + 1, sizeof *s->other);
	return s->other[s->nother++] = (uint32_t)add_row(s, begin, node);
}

size_t
stack_texts_row(struct stack_texts *s, uint32_t begin, uint32_t node)
{
	uint32_t *first = node == NO_ID ? NULL : &s->node[node].row1;

	if (!first || (*first && s->row[*first - 1].begin != begin))
		return other_row(s, begin, node);
	if (!*first)
		*first = (uint32_t)add_row(s, begin, node) + 1;
	return *first - 1;
}

/* ---- text ---- */

/* Replaces the shown nodes by those above this one, up to the first that is there already;
 * returns that.  *tail: how many frames at the end have the texts of the line's. */
static uint32_t
show_nodes(struct stack_texts *s, uint32_t node, size_t *tail)
{
	const size_t depth = node == NO_ID ? 0 : s->node[node].depth;
	size_t at, i;
	bool same = true;

	s->shown = mem_grow(s->shown, &s->capshown, depth + 1, sizeof *s->shown);
	s->from_leaf = mem_grow(s->from_leaf, &s->capfrom_leaf, depth + 1, sizeof *s->from_leaf);
	*tail = 0;
	for (at = depth, i = 0; at && (at > s->nshown || s->shown[at - 1] != node); at--, i++) {
		const struct context *c = contexts_get(&s->tree, node);

		same = same && i < s->nfrom_leaf && s->from_leaf[i] == c->frame;
		*tail += same;
		s->from_leaf[i] = c->frame;
		s->shown[at - 1] = node;
		node = c->caller - 1;
	}
	s->nfrom_leaf = i;
	s->nshown = depth;
	return node;
}

static size_t
end_of(const struct stack_texts *s, uint32_t node)
{
	return s->begin_end + (node == NO_ID ? 0 : s->node[node].end);
}

static void
set_begin(struct stack_texts *s, uint32_t begin)
{
	s->begin = begin;
	s->nshown = s->nfrom_leaf = s->line.n = 0;
	buf_text(&s->line, dict_text(s->dict, begin));
	s->begin_end = s->line.n;
}

/* The line keeps the frames at its beginning that the stack has, too; those at its end
 * move. */
struct text
stack_texts_make(struct stack_texts *s, uint32_t begin, uint32_t node)
{
	size_t tail, at, kept, end, moved;
	uint32_t above;

	if (begin != s->begin || !s->nshown)
		set_begin(s, begin);
	above = show_nodes(s, node, &tail);
	at = above == NO_ID ? 0 : s->node[above].depth;
	kept = end_of(s, above);
	end = end_of(s, node);
	moved = end - end_of(s, tail < s->nshown ? s->shown[s->nshown - tail - 1] : NO_ID);
	if (end > s->line.n)
		buf_room(&s->line, end - s->line.n);
	memmove(s->line.s + end - moved, s->line.s + s->line.n - moved, moved);
	for (s->line.n = kept; at < s->nshown - tail; at++) {
		buf_putc(&s->line, ';');
		buf_text(&s->line, dict_text(s->dict,
		    contexts_get(&s->tree, s->shown[at])->frame));
	}
	s->line.n = end;
	/* A stack with nothing before it has no ';' there. */
	at = !s->begin_end && end;
	return (struct text){ s->line.s + at, end - at };
}
