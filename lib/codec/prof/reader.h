/* SPDX-License-Identifier: ISC */
/*
 * Reading the canonical stream, prof-stream(5).  `cost`, `call` and `jump`, which are
 * nearly all lines, have fast paths, which leave anything unusual to the general one.
 *
 *	read.c		the fast paths
 *	read_places.c	lines that need not become records
 *	read_general.c	any line, by the table of records
 */
#ifndef PROF_CODEC_PROF_READER_H
#define PROF_CODEC_PROF_READER_H

#include "prof.h"
#include "stream/sums.h"
#include "util/num.h"
#include "util/scan.h"

struct idmap {
	uint32_t *to;		/* this stream's number -> the dictionary's */
	size_t n, cap;
};

/* When is the sink asked what it takes?  After the next record, as that may end a header;
 * the answer changes only at other records than cost, call and jump. */
enum ask { ASK_NOT, ASK_NOW, ASK_LATER };

struct reader {
	struct decode *d;
	struct idmap ids[DEFS];
	struct sums runs;	/* by their number in this stream: the number put */
	bool open;		/* between prof and end */
	bool in_part, body;	/* a part has begun; its first record came */
	bool has_run, has_sum;	/* the part has these totals */
	uint64_t nevents;	/* of this part */
	uint64_t stream;	/* its number, under which the schema has its
				 * declarations */
	uint64_t place[2], mask[2];	/* "func TAB file TAB" of the last line: */
	size_t nplace;		/* the number of bytes that the mask covers; 0: not known */
	struct record at;	/* a cost at this place */
	enum ask ask;
	unsigned takes;		/* the answer */
	bool wide;		/* wide_has() */
	struct scan_near line, addr;	/* of the last cost that has them */
	struct buf scratch;
};

static inline struct idmap *
ids_of(struct reader *rd, enum col_type t)
{
	return &rd->ids[t - COL_OBJECT];
}

/* Reads the line [p, end), which is counted.  Returns a result for decode_line_done(). */
int prof_read_line(struct reader *rd, const char *p, const char *end);

/* Puts lines from p on in the form that the sink takes, and returns their end: p if there are
 * none, NULL with the diag set if that fails. */
const char *prof_put_places(struct reader *rd, const char *p, const char *end);

/* ---- the place of a record ---- */

/* Lines end with a newline, and there is room after the last one (scan.h), so the
 * comparison stays within the buffer. */
static inline bool
is_tag(const char *p, const char *tag)
{
	return memcmp(p, tag, 5) == 0;
}

/* Reads a reference with a TAB after it. */
static inline const char *
fast_ref(const char *p, const struct idmap *m, uint64_t *id)
{
	uint64_t v;
	const char *q;

	if (*p == '-') {
		*id = NO_ID;
		return p[1] == '\t' ? p + 2 : NULL;
	}
	q = num_get_u64(p, &v);
	if (!q || q == p || *q != '\t' || (*p == '0' && q - p > 1) || v >= m->n)
		return NULL;
	*id = m->to[v];
	return q + 1;
}

/* Is "FUNC TAB FILE TAB" at p the same as in the previous line? */
static inline bool
is_place(const struct reader *rd, const char *p)
{
	uint64_t low, high;

	memcpy(&low, p, 8);
	memcpy(&high, p + 8, 8);
	return rd->nplace && (((low ^ rd->place[0]) & rd->mask[0]) |
	    ((high ^ rd->place[1]) & rd->mask[1])) == 0;
}

/* Nearly always it is the same. */
static inline const char *
fast_place(struct reader *rd, const char *p, struct record *r)
{
	const char *q = p;

	if (__builtin_expect(is_place(rd, p), 1)) {
		r->col[PLACE_FUNC].n = rd->at.col[PLACE_FUNC].n;
		r->col[PLACE_FILE].n = rd->at.col[PLACE_FILE].n;
		return p + rd->nplace;
	}
	rd->nplace = 0;
	if (!(q = fast_ref(q, ids_of(rd, COL_FUNC), &r->col[PLACE_FUNC].n)) ||
	    !(q = fast_ref(q, ids_of(rd, COL_FILE), &r->col[PLACE_FILE].n)))
		return NULL;
	if ((size_t)(q - p) > sizeof rd->place)
		return q;
	rd->nplace = (size_t)(q - p);
	memset(rd->mask, 0, sizeof rd->mask);
	memset(rd->mask, 0xff, rd->nplace);
	memcpy(rd->place, p, sizeof rd->place);
	rd->at.col[PLACE_FUNC].n = r->col[PLACE_FUNC].n;
	rd->at.col[PLACE_FILE].n = r->col[PLACE_FILE].n;
	return q;
}

#endif
