/* SPDX-License-Identifier: ISC */
/* Writes the bytes of the file. */
#include "writer.h"

#include <inttypes.h>

#include "stream/loss.h"
#include "util/search.h"

#define LARGEST ((num)1 << 30)	/* bytes of a file; most of these are zeros */

static void
put(struct writer *w, uint64_t v, unsigned size)
{
	char *p = out_room(w->e.out, 8);
	unsigned i;

	for (i = 0; i < size; i++)
		p[w->g.big ? size - 1 - i : i] = (char)(v >> 8 * i);
	out_upto(w->e.out, p + size);
}

/* Writes a record's tag byte together with the record, as a file that ends before a tag
 * looks complete. */
static void
put_tag(struct writer *w, char tag)
{
	*out_room(w->e.out, 1) = tag;
	w->e.out->n++;
}

static int
check_word(struct writer *w, uint64_t v)
{
	return w->g.word == 8 || v <= UINT32_MAX ? 0 : encode_fail(&w->e,
	    "0x%" PRIx64 " does not fit the 32-bit words of the file", v);
}

/* ---- histograms ---- */

/* Returns the first bin of a histogram that is not empty. */
static const struct ticks *
first_ticks(const struct writer *w, const struct gmon_hist *h)
{
	const size_t hist = (size_t)(h - w->g.hist);

	return w->ticks + PARTITION_POINT(i, 0, w->nticks, w->ticks[i].hist < hist);
}

/* Returns the ticks of the fullest bin of a histogram. */
static const struct ticks *
most_ticks(const struct writer *w, const struct gmon_hist *h)
{
	const struct ticks *t = first_ticks(w, h), *most = NULL;

	for (; t < w->ticks + w->nticks && t->hist == (size_t)(h - w->g.hist); t++)
		if (!most || t->n > most->n)
			most = t;
	return most;
}

/* Writes a record with at most 65,535 of each bin; the rest goes into the next record. */
static bool
put_bins(struct writer *w, const struct gmon_hist *h, unsigned round)
{
	const struct ticks *t = first_ticks(w, h), *end = w->ticks + w->nticks;
	uint64_t i, skip = (uint64_t)round * UINT16_MAX, left;
	bool more = false;

	if (t < end && t->hist != (size_t)(h - w->g.hist))
		t = end;
	for (i = 0; i < h->nbins; i++) {
		left = 0;
		if (t < end && t->bin == i) {
			left = t->n > skip ? t->n - skip : 0;
			t = t + 1 < end && t[1].hist == t->hist ? t + 1 : end;
		}
		more |= left > UINT16_MAX;
		put(w, left > UINT16_MAX ? UINT16_MAX : left, 2);
	}
	return more;
}

static int
put_hist(struct writer *w, const struct gmon_hist *h)
{
	unsigned round = 0;
	bool more;

	if (check_word(w, h->low) < 0 || check_word(w, h->high) < 0)
		return -1;
	do {
		put_tag(w, 0);
		put(w, h->low, w->g.word);
		put(w, h->high, w->g.word);
		put(w, h->nbins, 4);
		put(w, h->rate, 4);
		out_write(w->e.out, h->dim, 15);
		out_write(w->e.out, &h->abbrev, 1);
		more = put_bins(w, h, round++);
		if (w->e.out->error)
			return out_check(w->e.out);
	} while (more);
	return 0;
}

/* ---- arcs and blocks ---- */

enum arc_form { ARC_BARE, ARC_TAGGED };

/* Writes an arc's count in words of `size` bytes. */
static int
put_arc(struct writer *w, const struct gmon_arc *a, unsigned size, enum arc_form form)
{
	uint64_t left = a->count, most = size == 8 ? UINT64_MAX : UINT32_MAX;

	if (check_word(w, a->from) < 0 || check_word(w, a->self) < 0)
		return -1;
	do {
		uint64_t n = left < most ? left : most;

		if (form == ARC_TAGGED)
			put_tag(w, 1);
		put(w, a->from, w->g.word);
		put(w, a->self, w->g.word);
		put(w, n, size);
		left -= n;
		if (w->e.out->error)
			return out_check(w->e.out);
	} while (left);
	return 0;
}

static int
put_blocks(struct writer *w)
{
	const struct gmon *g = &w->g;
	size_t i;

	if (!g->nblock)
		return 0;
	put_tag(w, 2);
	put(w, g->nblock, 4);
	for (i = 0; i < g->nblock; i++) {
		if (check_word(w, g->block[i].addr) < 0 ||
		    check_word(w, g->block[i].count) < 0)
			return -1;
		put(w, g->block[i].addr, g->word);
		put(w, g->block[i].count, g->word);
	}
	return 0;
}

/* ---- the size ---- */

/* Returns the number of records with at most `most` each; at least one, even for 0. */
static num
records(uint64_t n, uint64_t most)
{
	return n ? ((num)n + most - 1) / most : 1;
}

int
gmon_check_size(struct writer *w)
{
	const struct gmon *g = &w->g;
	num bytes = 0;
	size_t i;

	for (i = 0; i < g->nhist; i++) {
		const struct ticks *most = most_ticks(w, &g->hist[i]);

		bytes += (2 * (num)g->hist[i].nbins + 2 * g->word + 25) *
		    records(most ? most->n : 0, UINT16_MAX);
	}
	for (i = 0; i < g->narc; i++)
		bytes += (2 * g->word + 5) * records(g->arc[i].count,
		    g->flavour == GMON_MAGIC ? UINT32_MAX : UINT64_MAX);
	return bytes <= LARGEST ? 0 : encode_fail(&w->e, "the file would "
	    "exceed a gigabyte");
}

/* ---- the whole ---- */

int
gmon_write_magic(struct writer *w)
{
	const struct gmon *g = &w->g;
	size_t i;

	out_write(w->e.out, "gmon", 4);
	put(w, 1, 4);
	put(w, 0, 8);
	put(w, 0, 4);
	for (i = 0; i < g->nhist; i++)
		if (put_hist(w, &g->hist[i]) < 0)
			return -1;
	for (i = 0; i < g->narc; i++)
		if (put_arc(w, &g->arc[i], 4, ARC_TAGGED) < 0)
			return -1;
	return put_blocks(w);
}

/* Returns the number of bits for FreeBSD's header, which keeps readers from taking the
 * upper halves of large counts for MinGW's padding; otherwise it is left out. */
static unsigned
stated_bits(const struct gmon *g)
{
	size_t i;

	for (i = 0; i < g->narc; i++)
		if (g->arc[i].count > UINT32_MAX)
			return 16;
	return 0;
}

/* Writes the file: one histogram, which cannot be split. */
int
gmon_write_bsd(struct writer *w)
{
	const struct gmon *g = &w->g;
	const struct gmon_hist *h = g->hist;
	const struct ticks *most;
	bool new = g->flavour == GMON_BSD44;
	unsigned header = 2 * g->word + (new ? 24 : 4);
	size_t i;

	if (g->nhist != 1)
		return encode_fail(&w->e, "this flavour holds one "
		    "histogram, but there are %zu: use prof-to gmon", g->nhist);
	most = most_ticks(w, h);
	if (most && most->n > UINT16_MAX)
		return encode_fail(&w->e, "the bin at 0x%" PRIx64 " has "
		    "%" PRIu64 " ticks, but this flavour holds at most 65535: use "
		    "prof-to gmon", gmon_bin_addr(h, most->bin), most->n);
	if (check_word(w, h->low) < 0 || check_word(w, h->high) < 0)
		return -1;
	for (i = 0; i < g->narc; i++)
		if (h->low < h->high && !gmon_bsd_has_arc(h, &g->arc[i]))
			return encode_fail(&w->e, "the call from 0x%" PRIx64 " to 0x%"
			    PRIx64 " is outside the histogram, and this flavour holds no "
			    "such calls: use prof-to gmon", g->arc[i].from, g->arc[i].self);
	if (h->nbins > (INT32_MAX - header) / 2)
		return encode_fail(&w->e, "too many bins for this flavour");
	put(w, h->low, g->word);
	put(w, h->high, g->word);
	put(w, header + 2 * h->nbins, 4);
	if (new) {
		put(w, GMON_BSD44_VERSION, 4);
		put(w, h->rate, 4);
		put(w, stated_bits(g), 4);
		put(w, 0, 8);
	}
	put_bins(w, h, 0);
	for (i = 0; i < g->narc; i++)
		if (put_arc(w, &g->arc[i], g->word, ARC_BARE) < 0)
			return -1;
	for (i = 0; i < g->nblock; i++)
		loss_add(w->e.loss, "counts of blocks");
	return 0;
}
