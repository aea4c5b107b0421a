/* SPDX-License-Identifier: ISC */
/*
 * The frames of places, including inlined ones.  In some formats a place of the program, an
 * address, stands for a function and those inlined into it, and a stack is a list of
 * places.  This keeps the frames of each place once.
 */
#ifndef PROF_CODEC_INLINED_FRAMES_H
#define PROF_CODEC_INLINED_FRAMES_H

#include "codec/expansion_limit.h"
#include "stream/decode.h"
#include "stream/dict.h"
#include "util/protobuf.h"

struct frame {
	struct ctx_def def;	/* without the parent */
	uint32_t id;		/* the dictionary's number of it; NO_ID until it is put */
	bool last;		/* of its place */
};

struct frames {
	struct frame *v;	/* of each place, the outermost first */
	size_t n, cap;
	struct expansion_limit inlined;	/* counts the contexts of inlined frames */
};

/* For an input of this size: the places in its stacks may have at most 4 inlined frames per
 * byte, or a million. */
void frames_init(struct frames *f, size_t bytes);

/* Appends a frame with all columns absent; valid until the next one is added. */
struct frame *frames_add(struct frames *f);

/* The frames from `first` on are those of a place, innermost first: reverses them, marks
 * the inlined ones, and gives each the address (0: none).  If there are no frames, adds
 * one with the object alone, which may be NO_ID.  0, or -1 with the diag set. */
int frames_finish(struct frames *f, struct decode *d, size_t first, uint32_t object,
    uint64_t addr);

/* Defines contexts for the place whose frames begin at `first`, below *ctx, which becomes
 * the innermost.  0, or -1 with the diag set, also if there were too many. */
int frames_put(struct frames *f, struct decode *d, size_t first, uint32_t *ctx);

void frames_free(struct frames *f);

/* ---- places in tables ---- */

/* A function of a table, without the object, which is that of the place. */
struct frames_func {
	struct func_def def;
	uint32_t object, id;	/* the last object that it was in, and its number there */
	bool known;
};

/* A function as a table describes it.  Texts may be absent, and a linker's name equal to
 * the name is ignored.  -1 with the diag set. */
struct frames_entry {
	struct text name, linker, path, attrs;
};
int frames_func_make(struct frames_func *f, struct decode *d, const struct frames_entry *entry);

/* Defines the function in this object (NO_ID: none): f->id.  0, or -1 with the diag set. */
int frames_func_in(struct frames_func *f, struct decode *d, uint32_t object);

/* Returns a line or a column of a file; 0 for -1, which Julia writes for an unknown one. */
uint64_t frames_number(uint64_t n);

/* The message Line of pprof, which OTLP has with the same numbers: the function's id or
 * index, and the line and column, which are signed. m->wrong is set if it is malformed. */
enum { LINE_FUNCTION = 1, LINE_LINE, LINE_COLUMN };
struct frames_place {
	uint64_t func, line, column;
};
void frames_place_read(struct frames_place *out, struct pb *m);

/* Notes whether a message Location, which has its address and its lines in these fields, has
 * an address and lines.  If it or a line is malformed, m->wrong is set, and m->p is where. */
void frames_location_see(struct pb *m, uint64_t address, uint64_t line, bool *addrs, bool *lines);

#endif
