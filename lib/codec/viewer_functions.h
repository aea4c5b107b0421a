/* SPDX-License-Identifier: ISC */
/*
 * The functions of frames for viewers of stacks: one for each function of the stream,
 * whatever the line of a frame, since viewers add up frames by function.  A function
 * without a name is one for each of its addresses.
 */
#ifndef PROF_CODEC_VIEWER_FUNCTIONS_H
#define PROF_CODEC_VIEWER_FUNCTIONS_H

#include "stream/encode.h"
#include "stream/sums.h"

/* The properties of a frame that a format may support.  All have the line and column where its
 * function starts, and therefore also a key that consists of these. */
enum {
	FRAME_LINES = 1,	/* its line, in its function's file */
	FRAME_INLINED = 2,
	FRAME_OBJECTS = 4,	/* the function's object, with the object's key */
	FRAME_KERNEL = 8,
	FRAME_LEAF_LINES = 16,	/* the line of a sample, in its function's file; the writer
				 * reports which other lines are dropped */
};

struct functions {
	const struct encode *e;
	unsigned supports;		/* FRAME_*; other properties of a frame are a loss */
	struct sums keys;	/* by function without attributes, and address */
	size_t n;		/* functions, in the order in which their frames came */
	uint32_t *def;		/* of each function the first definition, with attributes */
	size_t capdef;
	uint32_t *of_ctx;	/* function + 1, 0: not known yet */
	size_t capof_ctx;
};

/* `e` must outlive it. */
void functions_init(struct functions *f, const struct encode *e, unsigned supports);
void functions_free(struct functions *f);

/* Returns the function of a context's frame. */
uint32_t functions_of(struct functions *f, uint32_t ctx);
/* Adds the functions of all frames of a stack; none for NO_ID. */
void functions_of_stack(struct functions *f, uint32_t ctx);

/* Return properties of a function.  Its name, otherwise its address, otherwise
 * "[unknown]"; */
struct text functions_name(const struct functions *f, size_t i);
/* its file, otherwise its object; absent: neither is known; */
struct text functions_place(const struct functions *f, size_t i);
/* numbers of its file and of its object, or NO_ID; */
uint32_t functions_file(const struct functions *f, size_t i);
uint32_t functions_object(const struct functions *f, size_t i);
/* the line and the column where it starts, 0 if not known; */
uint64_t functions_line(const struct functions *f, size_t i);
uint64_t functions_column(const struct functions *f, size_t i);
/* and whether it belongs to the kernel. */
bool functions_kernel(const struct functions *f, size_t i);

/* Is the frame's code inlined into the function of the frame around it? */
bool functions_inlined(const struct functions *f, uint32_t ctx);

#endif
