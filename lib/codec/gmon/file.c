/* SPDX-License-Identifier: ISC */
/* Parsing a gmon.out file. */
#include "gmon.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"

const char *const gmon_flavour_name[GMON_FLAVOURS] = {
	"gmon", "bsd44", "bsd", "ld",
};

enum { TAG_HIST, TAG_ARC, TAG_BLOCKS };

/* One way of reading the file, by its layout. */
struct scan {
	struct gmon g;
	const char *s;
	size_t n, at;
	bool wide_blocks;	/* the number of blocks has 8 bytes, as glibc writes it */
	size_t good;		/* bytes that made sense so far */
	struct diag diag;	/* the error of this layout, */
	size_t wrong_at;	/* and where */
};

void
gmon_free(struct gmon *g)
{
	size_t i;

	for (i = 0; i < g->nhist; i++)
		free(g->hist[i].bin);
	free(g->hist);
	free(g->arc);
	free(g->block);
	*g = (struct gmon){ 0 };
}

#define FAIL(sc, place, ...) \
	((sc)->wrong_at = (place), diag_fail(&(sc)->diag, __VA_ARGS__))

/* Takes an integer of `size` bytes, which must be available. */
static uint64_t
take(struct scan *sc, unsigned size)
{
	const unsigned char *p = (const unsigned char *)sc->s + sc->at;
	uint64_t v = 0;
	unsigned i;

	for (i = 0; i < size; i++)
		v = v << 8 | p[sc->g.big ? i : size - 1 - i];
	sc->at += size;
	return v;
}

static bool
have(const struct scan *sc, uint64_t n)
{
	return sc->n - sc->at >= n;
}

/* ---- histograms ---- */

/* A program has one, or one for each of its text segments; each is compared with all. */
#define MOST_HISTS 1000

static bool
overlap(const struct gmon_hist *a, const struct gmon_hist *b)
{
	return a->low < b->high && b->low < a->high;
}

/* Is the width of the bins equal within a millionth, as gprof requires? */
static bool
same_width(const struct gmon_hist *a, const struct gmon_hist *b)
{
	double wa = (double)((a->high - a->low) / 2) / (double)a->nbins;
	double wb = (double)((b->high - b->low) / 2) / (double)b->nbins;

	return wa - wb < 0.000001 && wb - wa < 0.000001;
}

/* Skips bins of eight zero bytes: nearly all are bins without a tick. */
static uint64_t
skip_zeros(struct scan *sc, uint64_t i, uint64_t n, unsigned size)
{
	uint64_t eight;

	for (; n - i >= 8 / size; i += 8 / size) {
		memcpy(&eight, sc->s + sc->at, sizeof eight);
		if (eight)
			break;
		sc->at += sizeof eight;
	}
	return i;
}

/* Adds the bins that follow to a histogram. */
enum bin_sign { BINS_UNSIGNED, BINS_SIGNED };

static int
add_bins(struct scan *sc, struct gmon_hist *h, unsigned size, enum bin_sign sign)
{
	uint64_t i, v;

	for (i = 0; (i = skip_zeros(sc, i, h->nbins, size)) < h->nbins; i++) {
		v = take(sc, size);
		if (sign == BINS_SIGNED && v >> (8 * size - 1))
			return FAIL(sc, sc->at - size, "bin %" PRIu64 " is negative", i);
		if (__builtin_add_overflow(h->bin[i], v, &h->bin[i]))
			return FAIL(sc, sc->at - size, "the sum of bin %" PRIu64
			    " does not fit 64 bits", i);
	}
	return 0;
}

/* Reads the bins of a histogram, after its header, which began at `place`. */
static int
put_hist(struct scan *sc, struct gmon_hist *h, size_t place, unsigned size,
    enum bin_sign sign)
{
	struct gmon *g = &sc->g;
	size_t i;

	if (h->nbins && h->low >= h->high)
		return FAIL(sc, place, "a histogram without addresses: from 0x%" PRIx64
		    " to 0x%" PRIx64, h->low, h->high);
	if (h->nbins > (sc->n - sc->at) / size)
		return FAIL(sc, sc->n, "the file is truncated: a histogram has %" PRIu64
		    " bins, but only %zu are there", h->nbins,
		    (sc->n - sc->at) / size);
	if (h->nbins && h->nbins > h->high - h->low)
		return FAIL(sc, place, "a histogram with more bins (%" PRIu64 ") than "
		    "addresses: from 0x%" PRIx64 " to 0x%" PRIx64, h->nbins, h->low,
		    h->high);
	for (i = 0; i < g->nhist; i++) {
		struct gmon_hist *o = &g->hist[i];
		bool equal = o->low == h->low && o->high == h->high;

		if (o->dim[0] && (memcmp(o->dim, h->dim, sizeof o->dim) != 0 ||
		    o->abbrev != h->abbrev))
			return FAIL(sc, place, "a histogram of '%s' after one of '%s'",
			    h->dim, o->dim);
		if ((equal && o->nbins != h->nbins) || (!equal && overlap(o, h)))
			return FAIL(sc, place, "histograms overlap: 0x%" PRIx64 " to 0x%"
			    PRIx64 ", and 0x%" PRIx64 " to 0x%" PRIx64 ", of %" PRIu64
			    " and %" PRIu64 " bins", o->low, o->high, h->low, h->high,
			    o->nbins, h->nbins);
		if (o->nbins && h->nbins && !same_width(o, h))
			return FAIL(sc, place, "histograms with bins of different "
			    "widths: 0x%" PRIx64 " to 0x%" PRIx64 ", and 0x%" PRIx64
			    " to 0x%" PRIx64, o->low, o->high, h->low, h->high);
		g->rates_differ |= o->rate != h->rate;
		if (equal)
			return add_bins(sc, o, size, sign);
	}
	if (g->nhist == MOST_HISTS)
		return FAIL(sc, place, "more than %d histograms of different addresses",
		    MOST_HISTS);
	h->bin = mem_alloc(h->nbins + 1, sizeof *h->bin);
	g->hist = mem_grow(g->hist, &g->caphist, g->nhist + 1, sizeof *g->hist);
	g->hist[g->nhist++] = *h;
	return add_bins(sc, &g->hist[g->nhist - 1], size, sign);
}

static int
hist_record(struct scan *sc)
{
	struct gmon_hist h = { 0 };
	size_t place = sc->at - 1, i;

	if (!have(sc, 2 * sc->g.word + 8 + 16))
		return FAIL(sc, sc->n, "the file is truncated: in the header of a "
		    "histogram");
	h.low = take(sc, sc->g.word);
	h.high = take(sc, sc->g.word);
	h.nbins = take(sc, 4);
	h.rate = take(sc, 4);
	memcpy(h.dim, sc->s + sc->at, 15);
	h.abbrev = sc->s[sc->at + 15];
	sc->at += 16;
	for (i = 0; i < 15 && h.dim[i]; i++)
		if ((unsigned char)h.dim[i] < ' ' || (unsigned char)h.dim[i] > '~')
			return FAIL(sc, place, "a histogram whose dimension is not text");
	return put_hist(sc, &h, place, 2, BINS_UNSIGNED);
}

/* ---- arcs and blocks ---- */

static void
put_arc(struct scan *sc, unsigned count)
{
	struct gmon *g = &sc->g;
	struct gmon_arc a;

	a.from = take(sc, g->word);
	a.self = take(sc, g->word);
	a.count = take(sc, count);
	g->arc = mem_grow(g->arc, &g->caparc, g->narc + 1, sizeof *g->arc);
	g->arc[g->narc++] = a;
}

static int
arc_record(struct scan *sc)
{
	if (!have(sc, 2 * sc->g.word + 4))
		return FAIL(sc, sc->n, "the file is truncated: in an arc");
	put_arc(sc, 4);
	return 0;
}

/* Skips names: version 0 also has the names of a block's file and function, and its
 * line. */
static int
skip_names(struct scan *sc)
{
	const char *nul;
	int k;

	for (k = 0; k < 2; k++) {
		nul = memchr(sc->s + sc->at, '\0', sc->n - sc->at);
		if (!nul)
			return FAIL(sc, sc->n, "the file is truncated: in a name");
		sc->at = (size_t)(nul + 1 - sc->s);
	}
	if (!have(sc, 4))
		return FAIL(sc, sc->n, "the file is truncated: in a block");
	sc->at += 4;
	return 0;
}

static int
blocks_record(struct scan *sc)
{
	struct gmon *g = &sc->g;
	unsigned size = sc->wide_blocks ? 8 : 4;
	uint64_t n, i;

	if (!have(sc, size))
		return FAIL(sc, sc->n, "the file is truncated: in the number of blocks");
	n = take(sc, size);
	if (n > (sc->n - sc->at) / (2 * g->word))
		return FAIL(sc, sc->n, "the file is truncated: expected %" PRIu64 " blocks, "
		    "found %zu", n, (sc->n - sc->at) / (2 * g->word));
	for (i = 0; i < n; i++) {
		struct gmon_block b;

		if (!have(sc, 2 * g->word))
			return FAIL(sc, sc->n, "the file is truncated: in a block");
		b.addr = take(sc, g->word);
		b.count = take(sc, g->word);
		if (g->version == 0 && skip_names(sc) < 0)
			return -1;
		g->block = mem_grow(g->block, &g->capblock, g->nblock + 1,
		    sizeof *g->block);
		g->block[g->nblock++] = b;
	}
	return 0;
}

/* ---- files ---- */

static int
scan_records(struct scan *sc)
{
	unsigned tag;
	int r = 0;

	while (r == 0 && sc->at < sc->n) {
		sc->good = sc->at;
		tag = (unsigned)take(sc, 1);
		r = tag == TAG_HIST ? hist_record(sc) : tag == TAG_ARC ?
		    arc_record(sc) : tag == TAG_BLOCKS ? blocks_record(sc) :
		    FAIL(sc, sc->at - 1, "expected the tag of a record (0, 1 or 2), "
		    "found %u", tag);
	}
	return r;
}

/* Reads the format of LD_PROFILE (glibc, elf/dl-profile.c): tags of four bytes, one
 * histogram, then the number of arcs, the arcs, and zeros.  Addresses of arcs are relative
 * to the histogram's beginning; a caller elsewhere is 0. */
static int
scan_ld(struct scan *sc)
{
	struct gmon_arc *a;
	uint64_t n, low;

	if (!have(sc, 4) || take(sc, 4) != TAG_HIST)
		return FAIL(sc, sc->at, "expected a histogram");
	if (hist_record(sc) < 0)
		return -1;
	if (!have(sc, 8) || take(sc, 4) != TAG_ARC)
		return FAIL(sc, sc->at, "expected arcs after the histogram");
	n = take(sc, 4);
	if (n > (sc->n - sc->at) / (2 * sc->g.word + 4))
		return FAIL(sc, sc->n, "the file is truncated: expected %" PRIu64 " arcs, "
		    "found %zu", n, (sc->n - sc->at) / (2 * sc->g.word + 4));
	low = sc->g.hist[0].low;
	while (n--) {
		put_arc(sc, 4);
		a = &sc->g.arc[sc->g.narc - 1];
		if (__builtin_add_overflow(a->self, low, &a->self) ||
		    (a->from && __builtin_add_overflow(a->from, low, &a->from)))
			return FAIL(sc, sc->at - 2 * sc->g.word - 4,
			    "an arc beyond the address space");
	}
	while (sc->at < sc->n)
		if (take(sc, 1))
			return FAIL(sc, sc->at - 1, "expected zeros after the arcs: if "
			    "several files were put together with cat, merge them with "
			    "prof-merge");
	return 0;
}

static int
scan_magic(struct scan *sc)
{
	if (sc->n < 4 || memcmp(sc->s, "gmon", 4) != 0)
		return FAIL(sc, 0, "expected 'gmon'");
	sc->at = 4;
	if (!have(sc, 16))
		return FAIL(sc, sc->n, "the file is truncated: in its header");
	sc->g.version = (uint32_t)take(sc, 4);
	sc->at = 20;		/* the rest is unused: gprof -s writes junk there */
	sc->good = sc->g.version > 1 && sc->g.version != GMON_LD_VERSION ? 0 : 20;
	if (sc->g.version == GMON_LD_VERSION) {
		sc->g.flavour = GMON_LD;
		return scan_ld(sc);
	}
	if (sc->g.version > 1)
		return FAIL(sc, 4, "format version %" PRIu32 " is not supported, only "
		    "0 and 1 are", sc->g.version);
	return scan_records(sc);
}

/*
 * Reads 4.4BSD's three spare words, and returns the bytes of a bin.  FreeBSD writes its
 * bits into the first one, negative if bins are signed, and zeros after it; MinGW's C
 * library writes what happened to be on the stack.
 */
static unsigned
spare_words(struct scan *sc, enum bin_sign *sign)
{
	int64_t bits = (int32_t)take(sc, 4);
	bool zeros = (take(sc, 4) | take(sc, 4)) == 0;

	*sign = bits < 0 ? BINS_SIGNED : BINS_UNSIGNED;
	bits = bits < 0 ? -bits : bits;
	sc->g.freebsd = zeros && (bits == 8 || bits == 16 || bits == 32 || bits == 64);
	sc->g.junk = !sc->g.freebsd && (bits || !zeros);
	if (sc->g.freebsd)
		return (unsigned)bits / 8;
	*sign = BINS_UNSIGNED;
	return 2;
}

/*
 * Drops the padding of arcs.  MinGW's long has 32 bits and an arc is padded to 24 bytes:
 * after its count come bytes of the stack, the same in all arcs.  In no other file does
 * every arc count more than 2^32.
 */
static void
drop_padding(struct gmon *g)
{
	bool same = g->narc > 1;
	uint64_t some = 0;
	size_t i;

	for (i = 0; i < g->narc; i++) {
		some |= g->arc[i].count >> 32;
		same &= g->arc[i].count >> 32 == g->arc[0].count >> 32;
	}
	g->narrow = some && !g->big && !g->freebsd && (g->junk || same);
	for (i = 0; g->narrow && i < g->narc; i++)
		g->arc[i].count &= UINT32_MAX;
}

/* Is an end of the arc in the histogram's range?  Other arcs are not recorded. */
static bool
touches(const struct gmon_hist *h, uint64_t from, uint64_t self)
{
	const uint64_t range = h->high - h->low;

	return from - h->low < range || self - h->low < range;
}

bool
gmon_bsd_has_arc(const struct gmon_hist *h, const struct gmon_arc *a)
{
	return touches(h, a->from, a->self) && (a->from != h->low || a->self != h->high);
}

/* Reads everything after the histogram. */
static int
bsd_arcs(struct scan *sc, const struct gmon_hist *h)
{
	struct gmon *g = &sc->g;
	const struct gmon_arc *a;
	size_t place;

	while (have(sc, 3 * g->word)) {
		sc->good = place = sc->at;
		put_arc(sc, g->word);
		a = &g->arc[g->narc - 1];
		if (h->low < h->high && !gmon_bsd_has_arc(h, a))
			return FAIL(sc, place, "an arc from 0x%" PRIx64 " to 0x%" PRIx64
			    ", neither of which is in the histogram: if several files "
			    "were put together with cat, merge them with prof-merge",
			    a->from, a->self);
	}
	return sc->at == sc->n ? 0 : FAIL(sc, sc->n, "the file is truncated: in an arc");
}

/* Reads the header, and 4.4BSD's additional words. */
static int
scan_bsd(struct scan *sc)
{
	struct gmon *g = &sc->g;
	struct gmon_hist h = { .dim = "seconds", .abbrev = 's' };
	bool new = g->flavour == GMON_BSD44;
	size_t header = 2 * g->word + (new ? 24 : 4);
	unsigned size = 2;
	enum bin_sign sign = BINS_UNSIGNED;
	uint64_t ncnt;

	if (!have(sc, header))
		return FAIL(sc, sc->n, "the file is truncated: in its header");
	h.low = take(sc, g->word);
	h.high = take(sc, g->word);
	ncnt = take(sc, 4);
	if (new) {
		g->version = (uint32_t)take(sc, 4);
		h.rate = take(sc, 4);
		size = spare_words(sc, &sign);
		if (g->version != GMON_BSD44_VERSION)
			return FAIL(sc, 2 * g->word + 4, "expected 4.4BSD's version "
			    "0x%x, found 0x%" PRIx32, GMON_BSD44_VERSION, g->version);
	}
	if (ncnt < header || (ncnt - header) % size)
		return FAIL(sc, 2 * g->word, "expected the size of a histogram and its "
		    "header, found %" PRIu64, ncnt);
	h.nbins = (ncnt - header) / size;
	sc->good = header;
	if (put_hist(sc, &h, 0, size, sign) < 0)
		return -1;
	if (bsd_arcs(sc, &h) < 0)
		return -1;
	if (new && g->word == 8)
		drop_padding(g);
	return 0;
}

static void
scan_end(struct scan *sc)
{
	gmon_free(&sc->g);
	buf_free(&sc->diag.error);
}

static struct scan
scan_way(const char *p, size_t n, enum gmon_flavour flavour, unsigned way)
{
	return (struct scan){ .s = p, .n = n, .g = { .flavour = flavour,
	    .word = way & 1 ? 4 : 8, .big = way & 2 }, .wide_blocks = way & 4 };
}

/* Reads the file in one layout: 0 or -1. */
static int
scan_as(struct scan *sc, const char *p, size_t n, enum gmon_flavour flavour,
    unsigned way)
{
	*sc = scan_way(p, n, flavour, way);
	return flavour == GMON_MAGIC ? scan_magic(sc) : scan_bsd(sc);
}

#define WAYS 8

/* Uses the layout that reaches the end.  If none does, the error is that of the layout that
 * made sense of most. */
int
gmon_parse(struct gmon *g, const char *p, size_t n, enum gmon_flavour flavour,
    struct diag *d)
{
	struct cursor *at = d->at;
	struct scan sc, best = { 0 };
	bool any = false;
	unsigned way;

	for (way = 0; way < WAYS; way++) {
		if (way & 4 && flavour != GMON_MAGIC)
			break;
		if (scan_as(&sc, p, n, flavour, way) == 0) {
			*g = sc.g;
			if (any)
				scan_end(&best);
			return 0;
		}
		if (any && (sc.good < best.good || (sc.good == best.good &&
		    sc.wrong_at <= best.wrong_at))) {
			scan_end(&sc);
			continue;
		}
		if (any)
			scan_end(&best);
		best = sc;
		any = true;
	}
	at->line = best.wrong_at;
	at->bytes = true;
	diag_fail(d, "%s", buf_str(&best.diag.error));
	at->bytes = false;
	scan_end(&best);
	return -1;
}

bool
gmon_has_version(const char *p, size_t n)
{
	struct scan sc;
	unsigned way;

	for (way = 0; way < 4; way++) {
		sc = scan_way(p, n, GMON_BSD44, way);
		sc.at = 2 * sc.g.word + 4;
		if (n >= sc.at + 4 && take(&sc, 4) == GMON_BSD44_VERSION)
			return true;
	}
	return false;
}

/*
 * Reads the header of a file before 4.4BSD: two bytes for every four of the program, whose
 * limits are rounded to that (HISTFRACTION in all gmon.h; glibc rounds the bins up to eight
 * bytes).  Returns where the arcs begin; 0 if it is not such a header.
 */
static size_t
bsd_header(struct scan *sc, struct gmon_hist *h)
{
	unsigned header = 2 * sc->g.word + 4;
	uint64_t ncnt, bins;

	if (sc->n < header)
		return 0;
	h->low = take(sc, sc->g.word);
	h->high = take(sc, sc->g.word);
	ncnt = take(sc, 4);
	if (ncnt < header + 2 || ncnt > INT32_MAX || h->low >= h->high ||
	    (h->low | h->high) % 4)
		return 0;
	bins = ncnt - header;
	return bins % 2 == 0 && 2 * bins >= h->high - h->low &&
	    2 * bins - (h->high - h->low) <= 16 ? (size_t)ncnt : 0;
}

/* Is one end of each arc in the histogram's range, and is the last arc complete? */
static bool
may_be_arcs(struct scan *sc, const struct gmon_hist *h)
{
	const unsigned word = sc->g.word;
	uint64_t from;

	for (; have(sc, 3 * word); sc->at += word) {
		from = take(sc, word);
		if (!touches(h, from, take(sc, word)))
			return false;
	}
	return sc->at == sc->n;
}

bool
gmon_may_be_bsd(const char *p, size_t n, enum gmon_extent extent)
{
	struct gmon_hist h;
	struct scan sc;
	size_t arcs;
	unsigned way;

	for (way = 0; way < 4; way++) {
		sc = scan_way(p, n, GMON_BSD, way);
		if (!(arcs = bsd_header(&sc, &h)))
			continue;
		if (extent == GMON_HEAD)
			return true;
		sc.at = arcs;
		if (arcs <= n && may_be_arcs(&sc, &h))
			return true;
	}
	return false;
}
