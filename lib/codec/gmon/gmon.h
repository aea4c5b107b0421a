/* SPDX-License-Identifier: ISC */
/*
 * A gmon.out file in memory, and the declarations that its reader and writer share.  The
 * format is that of gprof/gmon_out.h and gmon.h in GNU binutils, which contradict its
 * manual in places: a histogram's size is its number of bins.
 */
#ifndef PROF_CODEC_GMON_GMON_H
#define PROF_CODEC_GMON_GMON_H

#include "stream/codec.h"
#include "util/num.h"

enum gmon_flavour {
	GMON_MAGIC,		/* "gmon", version 1 (or 0) */
	GMON_BSD44,		/* 4.4BSD: no magic, a version and a rate */
	GMON_BSD,		/* before that: without either */
	GMON_LD,		/* LD_PROFILE's: "gmon", version 0x1ffff */
	GMON_FLAVOURS,
};

extern const char *const gmon_flavour_name[GMON_FLAVOURS];

#define GMON_BSD44_VERSION 0x51879
#define GMON_LD_VERSION 0x1ffff

struct gmon_hist {
	uint64_t low, high;	/* addresses [low, high) */
	uint64_t nbins;
	uint64_t rate;		/* per second; 0: unknown */
	char dim[16], abbrev;	/* the unit of ticks: "seconds", 's' */
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
	struct gmon_hist *hist;	/* with different ranges: those with equal ranges are
				 * summed */
	struct gmon_arc *arc;
	struct gmon_block *block;
	size_t nhist, narc, nblock;
	size_t caphist, caparc, capblock;
	bool rates_differ;	/* the first one is used, as in gprof */
	/* For 4.4BSD's only. */
	bool freebsd;		/* spare words have FreeBSD's contents; */
	bool junk;		/* or those of no known system */
	bool narrow;		/* counts of arcs have 32 bits although a word has 64 */
};

/*
 * Parses a whole file.  Byte order and word size are those for which all of it makes sense.
 * `flavour`: GMON_MAGIC, which may turn out to be GMON_LD, or the flavour of a file without
 * magic.  0, or -1 with the diag set, whose place is a byte offset.
 */
int gmon_parse(struct gmon *g, const char *p, size_t n, enum gmon_flavour flavour,
    struct diag *d);
void gmon_free(struct gmon *g);

/* Do the first n bytes have 4.4BSD's version number, in any layout? */
bool gmon_has_version(const char *p, size_t n);

/*
 * A file of the format before 4.4BSD does not identify itself.  Do its first n bytes,
 * or all of it, make sense only as such a file?  Also false for some files of that
 * flavour: those with wider bins.
 */
enum gmon_extent { GMON_HEAD, GMON_WHOLE };
bool gmon_may_be_bsd(const char *p, size_t n, enum gmon_extent extent);

/*
 * The addresses of a bin are [gmon_bin_addr(i), gmon_bin_addr(i + 1)): widths are
 * rarely whole numbers.  gmon_addr_bin() is the inverse.
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

/*
 * Can a file of BSD with this histogram, which is not empty, hold the arc?  Only arcs with
 * an end in the histogram are recorded.  The histogram's limits are not an arc, as its end
 * is not code, but the header of another file of the same program.
 */
bool gmon_bsd_has_arc(const struct gmon_hist *h, const struct gmon_arc *a);

int gmon_decode(struct decode *d);
int gmon_decode_bsd44(struct decode *d);
int gmon_decode_bsd(struct decode *d);

/* Encodes this flavour, or that of the profile (GMON_FLAVOURS). */
struct sink *gmon_encode(const struct encode *e, enum gmon_flavour flavour);

/* --layout, in the order of its words. */
enum gmon_layout {
	GMON_OWN_LAYOUT = -1,	/* not given: the profile's is used */
	GMON_LITTLE32, GMON_LITTLE64, GMON_BIG32, GMON_BIG64,
};

struct gmon_options {
	enum gmon_layout layout;
};

#endif
