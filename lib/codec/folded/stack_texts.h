/* SPDX-License-Identifier: ISC */
/*
 * The stacks of a part as they are written: each is a text before the frames, and frames,
 * which are a tree of their texts.  All texts are strings of the dictionary.  A stack has a
 * row, in the order in which stacks first came.
 */
#ifndef PROF_CODEC_FOLDED_STACK_TEXTS_H
#define PROF_CODEC_FOLDED_STACK_TEXTS_H

#include "stream/contexts.h"
#include "stream/dict.h"

struct stack_texts {
	const struct dict *dict;
	struct contexts tree;
	struct text_node {
		size_t end;	/* bytes of all texts from the root on, each with a ';' before
				 * it */
		uint32_t depth;	/* frames */
		uint32_t row1;	/* its first row + 1 */
	} *node;
	struct text_row { uint32_t begin, node; } *row;
	size_t n, caprow, capnode;
	/* The rows of nodes that have another one before, or of none. */
	uint32_t *other;
	size_t nother, capother;
	struct hash_index others;
	/* The last stack's line, the bytes before its frames in it, and its nodes. */
	struct buf line;
	uint32_t begin;
	size_t begin_end;
	uint32_t *shown;
	size_t nshown, capshown;
	/* The texts of its frames, the last one first, as far as they are known. */
	uint32_t *from_leaf;
	size_t nfrom_leaf, capfrom_leaf;
};

void stack_texts_init(struct stack_texts *s, const struct dict *dict);
void stack_texts_free(struct stack_texts *s);
void stack_texts_clear(struct stack_texts *s);		/* removes all stacks */

/* The node of a frame below another one, or NO_ID; str: its text. */
uint32_t stack_texts_node(struct stack_texts *s, uint32_t parent, uint32_t str);

/* The row of a stack; either may be NO_ID. */
size_t stack_texts_row(struct stack_texts *s, uint32_t begin, uint32_t node);

/* Returns the text of a stack, valid until the next one is made. */
struct text stack_texts_make(struct stack_texts *s, uint32_t begin, uint32_t node);

#endif
