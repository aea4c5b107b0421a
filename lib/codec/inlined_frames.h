/* SPDX-License-Identifier: ISC */
/*
 * The frames of places.  A format in which a place of the program, an address, stands
 * for a function and those inlined into it has their frames here once, and a stack is
 * a list of places.
 */
#ifndef PROF_CODEC_INLINED_FRAMES_H
#define PROF_CODEC_INLINED_FRAMES_H

#include "codec/expansion_limit.h"
#include "stream/decode.h"
#include "stream/dict.h"
#include "util/protobuf.h"

struct frame {
	struct ctx_def def;	/* without the parent */
	bool last;		/* of its place */
};

struct frames {
	struct frame *v;	/* of each place the outer one first */
	size_t n, cap;
	struct expansion_limit inlined;	/* contexts of inlined frames that were put */
};

/* For an input of so many bytes: at most 4 inlined frames for each of them, or a million,
 * come of the places in its stacks. */
void frames_init(struct frames *f, size_t bytes);

/* Another frame, all of it absent; valid until the next one is added. */
struct frame *frames_add(struct frames *f);

/* The frames from `first` on are a place's, innermost first: turns them round, and says
 * which are inlined and that the outer one has the address (0: none).  Where there are
 * none, adds one that only has the object, which may be NO_ID.  -1 with the diag set. */
int frames_finish(struct frames *f, struct decode *d, size_t first, uint32_t object,
    uint64_t addr);

/* Defines contexts for the place whose frames begin at `first`, below *ctx, which
 * becomes the innermost.  -1 with the diag set, also if there have been too many. */
int frames_put(struct frames *f, struct decode *d, size_t first, uint32_t *ctx);

void frames_free(struct frames *f);

/* ---- what places have in tables ---- */

/* A function of a table, but for its object, which is that of the place. */
struct frames_func {
	struct func_def def;
	uint32_t object, id;	/* the last object that it was in; its number there */
	bool known;
};

/* What a table says of one; texts may be absent, and a linker's name that is the name
 * says nothing.  -1 with the diag set. */
struct frames_said {
	struct text name, linker, path, attrs;
};
int frames_func_make(struct frames_func *f, struct decode *d, const struct frames_said *said);

/* Defines it in this object (NO_ID: none): f->id.  -1 with the diag set. */
int frames_func_in(struct frames_func *f, struct decode *d, uint32_t object);

/* A line or a column of a file: 0 for -1, as Julia writes one that is not known. */
uint64_t frames_number(uint64_t n);

/* "12:3" as a string of the dictionary, 0 is none: NO_ID where there is no line. */
uint32_t frames_line(struct dict *dict, uint64_t line, uint64_t column);

/* The message Line of pprof, which OTLP has with the same numbers: the function's id or
 * index, and the line and column, which are signed.  m->wrong is set if it is damaged. */
enum { LINE_FUNCTION = 1, LINE_LINE, LINE_COLUMN };
struct frames_place {
	uint64_t func, line, column;
};
void frames_place_read(struct frames_place *out, struct pb *m);

#endif
