/* SPDX-License-Identifier: ISC */
/*
 * Writing xprof_text(4).  Its lines begin with the counts of later lines, so everything is
 * kept until the end.
 *
 *	write.c		records in
 *	write_lines.c	lines out
 *
 * Functions that return an int return 0, or -1 with the diag set.
 */
#ifndef PROF_CODEC_XPROF_WRITER_H
#define PROF_CODEC_XPROF_WRITER_H

#include "stream/part.h"
#include "stream/sums.h"
#include "xprof.h"

/* Elements of an array in the order in which they came, as indices + 1. */
struct list { size_t first, last, n; };

struct object {
	uint32_t id;
	uint64_t values;	/* in a value profile record */
	struct xprof_stated stated;
	struct list procs;
	num stat[XPROF_STATS];
};

struct proc {
	uint32_t func;
	struct xprof_stated stated;
	struct list counters, values;
	num stat[XPROF_STATS];
	size_t next;
};

struct counter {
	uint32_t id;
	uint64_t value;
	size_t next;
};

struct value {
	uint32_t site, type, value;	/* type, value: strings */
	uint64_t count;
	size_t next;
};

struct writer {
	struct part_sink parts;
	struct encode e;
	bool converted;		/* from another format */
	struct buf version;
	bool stated_names;	/* metadata has their number */
	uint64_t names;

	struct object *object;
	size_t nobject, capobject;
	struct proc *proc;
	size_t nproc, capproc;
	struct counter *counter;
	size_t ncounter, capcounter;
	struct value *value;
	size_t nvalue, capvalue;
	struct sums objects, procs;	/* by number of the dictionary */
	struct sums paths;	/* of objects, for their statistics */
	struct late_records programs;

	struct buf text;
	char number[NUM_TEXT];
};

/* Was it filtered by prof-grep?  Then the profiler's counts cover more. */
static inline bool
xprof_is_filtered(const struct writer *w)
{
	return metadata_find(&w->parts.part.metadata, "filter", 0) >= 0;
}

/* ---- write_lines.c ---- */

/* Report an error in a value of a function; in metadata: -1. */
int xprof_fail_func(struct writer *w, uint64_t func, const char *what, struct text value);
int xprof_malformed(struct writer *w, struct text key);

/* Computes statistics and, if metadata does not state how many values a record has, uses
 * the largest number of a site. */
void xprof_count_object(struct writer *w, struct object *o);

int xprof_write_object(struct writer *w, const struct object *o);
int xprof_write_program(struct writer *w, const struct record *r);

/* Ends the line in w->text, and writes it. */
void xprof_end_line(struct writer *w);

#endif
