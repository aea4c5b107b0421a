/* SPDX-License-Identifier: ISC */
/*
 * A second count of what an input has: how many records, and what their values add up
 * to, with no code of the decoders.  A counter of a format need not understand all of
 * it: of what is not plain it says that it cannot tell.
 */
#ifndef PROF_FUZZ_COUNT_H
#define PROF_FUZZ_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"

/* Sums are modulo 2^128: they can be added and multiplied, and do not overflow. */
typedef unsigned __int128 wide;

enum { COUNT_COST, COUNT_CALL, COUNT_JUMP, COUNT_SAMPLE, COUNT_POINT, COUNT_VPROF,
	COUNT_KINDS };
enum { COUNT_SUMS = 8 };

struct count {
	bool known;
	bool added_up;		/* records of one place may be one: only sums count */
	uint64_t records;
	bool calls_known;
	wide calls;		/* the numbers that are columns */
	unsigned sums;		/* bits: of which events these are known */
	wide sum[COUNT_SUMS];	/* by the number of the event */
	bool labels_known;
	uint64_t labels;	/* attributes of the records */
};

struct counts {
	struct count kind[COUNT_KINDS];
};

extern const char *const count_tags[COUNT_KINDS];

/* Adds a decimal integer to a sum; false: it is none. */
bool count_add(wide *sum, struct text number);

/* Takes what is before the first such byte off a text; it is NULL after the last. */
struct text count_word(struct text *t, char end);

/* What a format's own counter says of an input; false: it cannot tell. */
bool count_input(const char *format, struct text input, struct counts *);

/* ---- count_lines.c ---- */

bool count_folded(struct text input, struct counts *);
bool count_callgrind(struct text input, struct counts *);
bool count_cachegrind(struct text input, struct counts *);
bool count_perf(struct text input, struct counts *);
bool count_aprof(struct text input, struct counts *);
bool count_macos_sample(struct text input, struct counts *);
bool count_stacks(struct text input, struct counts *);
bool count_tsv(struct text input, struct counts *);
bool count_massif(struct text input, struct counts *);
bool count_xprof(struct text input, struct counts *);
bool count_rprof(struct text input, struct counts *);
bool count_heaptrack(struct text input, struct counts *);

/* ---- count_protobuf.c ---- */

bool count_pprof(struct text input, struct counts *);
bool count_otlp(struct text input, struct counts *);

/* ---- count_json.c ---- */

bool count_cpuprofile(struct text input, struct counts *);
bool count_trace(struct text input, struct counts *);
bool count_heapprofile(struct text input, struct counts *);
bool count_speedscope(struct text input, struct counts *);
bool count_dhat(struct text input, struct counts *);
bool count_coverage(struct text input, struct counts *);
bool count_stackprof(struct text input, struct counts *);
bool count_firefox(struct text input, struct counts *);

/* ---- count_marshal.c ---- */

bool count_pstats(struct text input, struct counts *);

/* ---- count_legacy.c ---- */

bool count_gmon(struct text input, struct counts *);
bool count_pprof_legacy(struct text input, struct counts *);

/* ---- count_perfdata.c ---- */

bool count_perfdata(struct text input, struct counts *);

/* ---- count_stream.c ---- */

/* Of a stream: the same, and a print.  That is the sum over all records of every value
 * times a hash of what it is of: its event, its place with all names spelt out, its labels.
 * Equal records may be one without changing it, and no others.  False: cannot tell. */
bool count_stream(struct text stream, struct counts *, uint64_t *print);

#endif
