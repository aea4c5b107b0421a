/* SPDX-License-Identifier: ISC */
/*
 * Writing a gmon.out.  Its counts come first, so everything is kept until the end.  A
 * bin holds 16 bits and an arc 32; the excess goes into further records of the same
 * range or arc, which gprof adds up.
 *
 *	write.c		records in
 *	write_hists.c	costs as ticks in the bins of histograms
 *	write_file.c	the file out
 *
 * What returns an int returns 0, or -1 with the diag set.
 */
#ifndef PROF_CODEC_GMON_WRITER_H
#define PROF_CODEC_GMON_WRITER_H

#include "gmon.h"
#include "stream/part.h"

struct writer {
	struct part_sink parts;
	struct encode e;
	enum gmon_flavour asked;	/* by the format's name */
	uint32_t object;	/* that addresses are of; NO_ID: not known */
	bool any;		/* costs or calls */
	bool laid_out;	/* a fact gave the layout */
	struct gmon g;
	size_t last;		/* a histogram that was used last */
	long time, blocks;	/* columns of values; -1 */
	num per;		/* ticks are value * rate / per */
	num sum, run;		/* of the costs; the stated cost of the run */
	bool propagated, have_run;
	/* Costs at addresses, until the histograms are known. */
	struct at { uint64_t addr; num value; uint64_t func; } *at;
	size_t nat, capat;
	/* The bins that are not empty: the profile states how many bins there are, which
	 * may be more than fit in memory. */
	struct ticks { size_t hist; uint64_t bin, n; } *ticks;
	size_t nticks;
};

/* ---- write_hists.c ---- */

/* Says what cannot be written of a function: -1. */
int gmon_fail_value(struct writer *w, const struct record *r, const char *what);

/* Names what the ticks of a histogram are of. */
void gmon_set_dimension(struct writer *w, struct gmon_hist *h, struct text name);

/* Makes histograms for the costs, of a profile that states none. */
int gmon_make_hists(struct writer *w);
/* Makes the costs ticks. */
int gmon_fill_hists(struct writer *w);

/* ---- write_file.c ---- */

/* Checks the size of the result, since the profile's sizes and counts may be absurd. */
int gmon_check_size(struct writer *w);
int gmon_write_magic(struct writer *w);
int gmon_write_bsd(struct writer *w);

#endif
