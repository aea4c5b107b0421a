/* SPDX-License-Identifier: ISC */
/*
 * The functions of frames as viewers of stacks know them: one for each function of the
 * stream, whatever line of it a frame is at, since viewers add up what is one function.
 * A function without a name is one for each of its addresses.
 */
#ifndef PROF_CODEC_VIEWER_FUNCTIONS_H
#define PROF_CODEC_VIEWER_FUNCTIONS_H

#include "stream/encode.h"
#include "stream/sums.h"

/* What of a frame a format holds. */
enum {
	FRAME_LINES = 1,	/* the line that it is at, in its function's file */
	FRAME_INLINED = 2,
	FRAME_OBJECTS = 4,	/* the function's object, with its key */
	FRAME_KERNEL = 8,
	FRAME_COLUMNS = 16,	/* the column where its function starts, and so a key
				 * that is where it starts */
	FRAME_LEAF_LINES = 32,	/* the line of a sample, in its function's file: the writer
				 * says which others are lost */
};

struct functions {
	const struct encode *e;
	unsigned holds;		/* FRAME_*; what else a frame has is a loss */
	struct sums keys;	/* by function without attributes, and address */
	size_t n;		/* functions, in the order in which their frames came */
	uint32_t *def;		/* of each the first definition, with attributes */
	size_t capdef;
	uint32_t *of_ctx;	/* function + 1, 0: not known yet */
	size_t capof_ctx;
};

/* `e` must outlive it. */
void functions_init(struct functions *f, const struct encode *e, unsigned holds);
void functions_free(struct functions *f);

/* The function of a context's frame. */
uint32_t functions_of(struct functions *f, uint32_t ctx);
/* Makes known those of all frames of a stack; none for NO_ID. */
void functions_of_stack(struct functions *f, uint32_t ctx);

/* What is known of a function.  Its name, else its address, else "[unknown]"; */
struct text functions_name(const struct functions *f, size_t i);
/* its file, else the object that it is in; absent; */
struct text functions_place(const struct functions *f, size_t i);
/* numbers of its file and of its object, or NO_ID; */
uint32_t functions_file(const struct functions *f, size_t i);
uint32_t functions_object(const struct functions *f, size_t i);
/* the line where it starts, and the column there, 0 if that is not known; */
uint64_t functions_line(const struct functions *f, size_t i);
uint64_t functions_column(const struct functions *f, size_t i);
/* and whether it is the kernel's. */
bool functions_kernel(const struct functions *f, size_t i);

/* Is the frame's code inlined into the function of the frame around it? */
bool functions_inlined(const struct functions *f, uint32_t ctx);

#endif
