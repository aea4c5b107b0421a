/* SPDX-License-Identifier: ISC */
/*
 * The output of sample(1) of macOS, and of Activity Monitor's "Sample Process":
 *
 *	Analysis of sampling calc (pid 77) every 1 millisecond
 *	Process:         calc [77]
 *	...
 *	Call graph:
 *	    825 Thread_1001   DispatchQueue_1: com.apple.main-thread  (serial)
 *	    + 825 start  (in libdyld.dylib) + 1  [0x7fff737cf3d5]
 *	    +   825 main  (in calc) + 41  [0x10384b549]  calc.c:12
 *	    +     618 find  (in calc) + 10,20  [0x10384b440,0x10384b44a]
 *	    +     207 ???  (in calc)  load address 0x103746000 + 0x12ab  [0x1037472ab]
 *
 *	Total number in stack (recursive counted multiple, when >=5):
 *	...
 *	Binary Images:
 *	       0x103746000 -        0x103a3efff +calc (0) <67C9...> /usr/local/bin/calc
 *
 * Two columns of blanks and marks are a level, and samples are inclusive: a line's self
 * cost is the rest after the lines below it.  Images come last, so the file is held whole.
 * Another report may follow.
 */
#ifndef PROF_CODEC_MACOS_SAMPLE_READER_H
#define PROF_CODEC_MACOS_SAMPLE_READER_H

#include "stream/codec.h"
#include "util/words.h"

/* The line that a report begins with. */
#define SAMPLE_FIRST "Analysis of sampling "

/* A line of the call graph; texts may be absent. */
struct sample_line {
	size_t indent;
	uint64_t samples;
	struct text what;	/* the rest */
};

struct sample_frame {
	struct text name, object, addrs, file, line;
};

/* The lines from the root to the current one. */
struct node {
	uint64_t left;		/* its samples, less those of lines below it so far */
	uint32_t ctx;
};

struct image {
	struct text name, uuid, path;
	uint64_t start, end;
};

struct reader {
	struct decode *d;
	struct text report;		/* the current one of several in a row */
	const char *graph, *graph_end;	/* its lines */
	bool ended;			/* a line follows the graph, */
	const char *tail;		/* and the lines after that */
	uint64_t unknown;		/* number of unknown lines there */
	bool addrs, lines;		/* frames have some */
	struct image *image;
	size_t nimage, capimage;
	struct node *open;
	size_t nopen, capopen;
	size_t base;			/* blanks before threads */
	struct buf labels, text;
};

/* ---- line.c ---- */

/* Takes a line off [*p, end), without its newline; false at the end. */
bool sample_next_line(const char **p, const char *end, struct text *line);

/* Is it a line of the call graph? */
bool sample_is_line(struct text line, struct sample_line *l);
struct sample_frame sample_split(struct text what);

/* ---- images.c ---- */

/* Finds the images in the lines [p, end).  Returns where another report begins, or end. */
const char *sample_find_images(struct reader *rd, const char *p, const char *end);

/* May this line come after the call graph? */
bool sample_is_tail(struct text line);

/* Sets *object to the object with this name in frames, as its image describes it.  0 or
 * -1. */
int sample_object(struct reader *rd, struct text name, uint32_t *object);

int sample_decode(struct decode *d);

#endif
