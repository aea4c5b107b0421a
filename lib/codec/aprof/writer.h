/* SPDX-License-Identifier: ISC */
/*
 * Writing a report, in aprof's order: the header, each routine and its points, then
 * the contexts.
 *
 *	write.c		records in
 *	write_version.c	the version, and the numbers of a point
 *	write_report.c	the report out
 */
#ifndef PROF_CODEC_APROF_WRITER_H
#define PROF_CODEC_APROF_WRITER_H

#include "aprof.h"
#include "stream/part.h"

struct owned {			/* a line of a routine, without tag and id */
	uint32_t func, ctx;	/* ctx NO_ID: a p line or, if raw, a g line */
	bool raw;
	size_t at, n;		/* in writer.text */
};

/* The definitions of a kind to write, and the numbers they get. */
struct numbered {
	uint32_t *def;		/* in the order of writing */
	size_t n, capdef;
	bool *has;		/* is a definition one of them? */
	size_t caphas;
	uint64_t *id;		/* by definition */
	size_t capid;
	uint64_t next;		/* larger than all ids so far */
	bool has_zero;		/* some id is 0 */
};

struct writer {
	struct part_sink parts;
	struct encode e;
	bool any_point, converted;
	/* Version of the report; set by the profile or by --aprof-version, which also
	 * determines the numbers of a point. */
	unsigned version;
	bool settled, stated, chosen;
	struct buf fact[APROF_FACTS], comments, metric, total;
	struct numbered funcs, ctxs;
	bool own;		/* it was read from a report */
	bool nameless;		/* there are points without function: definition NO_ID */
	struct owned *line;
	size_t nline, capline;
	struct buf text, tail, scratch;
};

/* ---- write_version.c ---- */

/*
 * Chooses the version: the requested one, or that of the input; an input without one is
 * version 0, whose writer did not state it.  Otherwise the version is raised as far as the
 * data requires.
 */
void aprof_settle(struct writer *w);
void aprof_raise_version(struct writer *w, unsigned from);

/* Returns the largest layout that the point can fill, since a report may have others than
 * its version's.  If a version was requested, returns its own layout, which must be filled.
 * NULL with the diag set if no layout fits. */
const struct aprof_layout *aprof_choose_layout(struct writer *w, const struct record *r);

/* Makes the average of a point for version 0: a whole number, rounded down as its writer
 * does; tmp: room for its text. */
void aprof_make_average(struct writer *w, struct record *r, char *tmp);

/* Reports the columns of a point that the layout lacks as dropped. */
void aprof_lose_columns(struct writer *w, const struct aprof_layout *l,
    const struct record *r);

/* ---- write_report.c ---- */

/*
 * Numbers definitions.  They keep their numbers; if two have the same number, only the
 * first keeps it.  Those without a number get one after all others.
 */
void aprof_number(struct writer *w, struct numbered *d, enum rec_kind kind, int attrs);

void aprof_write_header(struct writer *w);
void aprof_write_routines(struct writer *w);
void aprof_write_contexts(struct writer *w);

#endif
