/* SPDX-License-Identifier: ISC */
/*
 * Writing a report, in aprof's order: the header, each routine and its points, then
 * the contexts.
 *
 *	write.c		records in
 *	write_version.c	which version it is, and which numbers a point has
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
	uint32_t *def;		/* in their order */
	size_t n, capdef;
	bool *has;		/* is a definition one of them? */
	size_t caphas;
	uint64_t *id;		/* by definition */
	size_t capid;
	uint64_t next;		/* more than all that were given */
	bool has_zero;		/* one has the number 0 */
};

struct writer {
	struct part_sink parts;
	struct encode e;
	bool any_point, converted;
	/* Of the report; set by the profile or by --aprof-version, which also determines
	 * the numbers of a point. */
	unsigned version;
	bool settled, stated, chosen;
	struct buf fact[APROF_FACTS], comments, metric, total;
	struct numbered funcs, ctxs;
	bool own;		/* it was read from a report */
	bool nameless;		/* points of no function: definition NO_ID */
	struct owned *line;
	size_t nline, capline;
	struct buf text, tail, scratch;
};

/* ---- write_version.c ---- */

/*
 * Chooses the version: the one asked for, or that of the input; an input without one is
 * version 0, whose writer did not state it.  Otherwise it is raised to what must be
 * written.
 */
void aprof_settle(struct writer *w);
void aprof_raise_version(struct writer *w, unsigned from);

/* The largest layout that the point can fill: a report may have others than its
 * version's.  If a version was asked for, its own layout, which must be filled.  NULL
 * with the diag set. */
const struct aprof_layout *aprof_choose_layout(struct writer *w, const struct record *r);

/* Version 0 has averages as whole numbers, which its writer rounded down; tmp: for its
 * text. */
void aprof_make_average(struct writer *w, struct record *r, char *tmp);

/* Counts as lost what the layout lacks of a point. */
void aprof_lose_columns(struct writer *w, const struct aprof_layout *l,
    const struct record *r);

/* ---- write_report.c ---- */

/*
 * Definitions keep their numbers; of two with the same number only the first does.  Those
 * without a number get one after all others.
 */
void aprof_number(struct writer *w, struct numbered *d, enum rec_kind kind, int attrs);

void aprof_write_header(struct writer *w);
void aprof_write_routines(struct writer *w);
void aprof_write_contexts(struct writer *w);

#endif
