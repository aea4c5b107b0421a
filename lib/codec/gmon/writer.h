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
 * Functions that return an int return 0, or -1 with the diag set.
 */
#ifndef PROF_CODEC_GMON_WRITER_H
#define PROF_CODEC_GMON_WRITER_H

#include "gmon.h"
#include "stream/part.h"

struct writer {
	struct part_sink parts;
	struct encode e;
	enum gmon_flavour asked;	/* by the format's name */
	uint32_t object;	/* the one that addresses are in; NO_ID: not known */
	bool any;		/* there are costs or calls */
	bool laid_out;	/* metadata gave the layout */
	struct gmon g;
	size_t last;		/* the histogram that was used last */
	long time, blocks;	/* columns of values; -1: none */
	num per;		/* of a cost in the unit, or in seconds: ticks are
				 * value * rate / per */
	num sum, run, stated;	/* of the costs; the totals `run` and `sum` */
	bool propagated, have_run, have_stated;
	/* Costs at addresses, until the histograms are known. */
	struct at { uint64_t addr; num value; uint64_t func; } *at;
	size_t nat, capat;
	/* The bins that are not empty.  The number of all bins is stated by the profile,
	 * and may exceed memory. */
	struct ticks { size_t hist; uint64_t bin, n; } *ticks;
	size_t nticks;
};

/* ---- write_hists.c ---- */

/* Sets the error that a value of a function cannot be written: -1. */
int gmon_fail_value(struct writer *w, const struct record *r, const char *what);

/* Sets the unit of a histogram's ticks. */
void gmon_set_dimension(struct writer *w, struct gmon_hist *h, struct text name);

/* Returns how many of an event's costs are one of its unit, or a second if that is a time. */
num gmon_per_unit(const struct record *event);

/* Makes histograms for the costs if the profile states none. */
int gmon_make_hists(struct writer *w);
/* Counts as lost what the histograms do not say of the event. */
void gmon_lose_event(struct writer *w, const struct record *event);
/* Converts the costs to ticks. */
int gmon_fill_hists(struct writer *w);

/* ---- write_file.c ---- */

/* Checks the size of the result, since the profile's sizes and counts may be absurd. */
int gmon_check_size(struct writer *w);
int gmon_write_magic(struct writer *w);
int gmon_write_bsd(struct writer *w);

#endif
