/* SPDX-License-Identifier: ISC */
/*
 * A gmon.out file in memory, and what its reader and writer share.  The format
 * is that of gprof/gmon_out.h and gmon.h of GNU binutils, which do not agree
 * with its manual everywhere: a histogram's size is the number of its bins.
 */
#ifndef PROF_CODEC_GMON_GMON_H
#define PROF_CODEC_GMON_GMON_H

#include "stream/codec.h"
#include "util/num.h"

enum gmon_flavour {
	GMON_MAGIC,		/* "gmon", version 1 (or 0) */
	GMON_BSD44,		/* 4.4BSD: no magic, a version and a rate */
	GMON_BSD,		/* before that: neither */
	GMON_LD,		/* LD_PROFILE's: "gmon", version 0x1ffff */
	GMON_FLAVOURS,
};

extern const char *const gmon_flavour_name[GMON_FLAVOURS];

#define GMON_BSD44_VERSION 0x51879
#define GMON_LD_VERSION 0x1ffff

struct gmon_hist {
	uint64_t low, high;	/* addresses [low, high) */
	uint64_t nbins;
	uint64_t rate;		/* per second; 0: not told */
	char dim[16], abbrev;	/* of what the rate is: "seconds", 's' */
	uint64_t *bin;		/* nbins of them */
};

struct gmon_arc {
	uint64_t from, self, count;
};

struct gmon_block {
	uint64_t addr, count;
};

struct gmon {
	enum gmon_flavour flavour;
	bool big;		/* byte order */
	unsigned word;		/* bytes of an address: 4 or 8 */
	uint32_t version;
	struct gmon_hist *hist;	/* of different ranges: equal ones are added up */
	struct gmon_arc *arc;
	struct gmon_block *block;
	size_t nhist, narc, nblock;
	size_t caphist, caparc, capblock;
	bool rates_differ;	/* the first one holds, as gprof has it */
	/* Of 4.4BSD's alone. */
	bool freebsd;		/* the spare words are as FreeBSD has them; */
	bool junk;		/* as nobody has them */
	bool narrow;		/* counts of arcs have 32 bits, though a word has 64 */
};

/*
 * Parses a whole file.  Byte order and word size are found by what makes sense
 * of all of it.  `flavour`: GMON_MAGIC, which may turn out to be GMON_LD, or that
 * of a file without magic.  0, or -1 with the diag set, whose place is a byte.
 */
int gmon_parse(struct gmon *g, const char *p, size_t n, enum gmon_flavour flavour,
    struct diag *d);
void gmon_free(struct gmon *g);

/* Do the first n bytes have 4.4BSD's version, in any layout? */
bool gmon_has_version(const char *p, size_t n);

/*
 * Nothing in a file before 4.4BSD says what it is.  Do its first n bytes, or all
 * of it, make sense as nothing else would?  Not all files of that flavour do:
 * those with wider bins are false, too.
 */
enum gmon_extent { GMON_HEAD, GMON_WHOLE };
bool gmon_may_be_bsd(const char *p, size_t n, enum gmon_extent extent);

/*
 * The addresses of a bin are [gmon_bin_addr(i), gmon_bin_addr(i + 1)): widths
 * are seldom whole numbers.  gmon_addr_bin() is the way back.
 */
static inline uint64_t
gmon_bin_addr(const struct gmon_hist *h, uint64_t i)
{
	unsigned __int128 range = h->high - h->low;

	return h->low + (uint64_t)((range * i + h->nbins - 1) / h->nbins);
}

static inline uint64_t
gmon_addr_bin(const struct gmon_hist *h, uint64_t addr)
{
	return (uint64_t)((unsigned __int128)(addr - h->low) * h->nbins /
	    (h->high - h->low));
}

int gmon_decode(struct decode *d);
int gmon_decode_bsd44(struct decode *d);
int gmon_decode_bsd(struct decode *d);

/* In a flavour, or in that of the profile (GMON_FLAVOURS). */
struct sink *gmon_encode(const struct encode *e, enum gmon_flavour flavour);

/* --layout, in the order of its words. */
extern enum gmon_layout {
	GMON_OWN_LAYOUT = -1,	/* not given: the profile's */
	GMON_LITTLE32, GMON_LITTLE64, GMON_BIG32, GMON_BIG64,
} gmon_asked_layout;

#endif
