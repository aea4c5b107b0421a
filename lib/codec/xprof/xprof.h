/* SPDX-License-Identifier: ISC */
/*
 * Profile feedback of Sun's compilers as text, xprof_text(4): counters of procedures and
 * the values seen at sites.  Only the manual page is public; where it is unclear,
 * prof-stream(5) describes how the file is read.
 */
#ifndef PROF_CODEC_XPROF_XPROF_H
#define PROF_CODEC_XPROF_XPROF_H

#include "stream/codec.h"
#include "stream/defs.h"
#include "util/num.h"
#include "util/words.h"

#define XPROF_MAGIC "PROFILE-FEEDBACK-DATA:"
#define XPROF_VERSION "4.3"
#define XPROF_EVENT "executions"

/* ---- line_words.c ---- */

/* Is it a version with this grammar, "3.1" to "4.3"? */
bool xprof_knows(struct text version);

/* Lines of statistics about the counters of a procedure, an object file or a program. */
enum { XPROF_MAX, XPROF_SUM, XPROF_STATS };
extern const char *const xprof_stat_name[XPROF_STATS];

/* Adds statistics to those of the enclosing statement; for one counter, both are its
 * value. */
static inline void
xprof_add_stat(num stat[XPROF_STATS], num max, num sum)
{
	if (max > stat[XPROF_MAX])
		stat[XPROF_MAX] = max;
	stat[XPROF_SUM] += sum;	/* 2^63 lines would be needed to overflow */
}

/* Numbers in a PROC line that can also be computed from its other lines. */
enum { XPROF_SITES, XPROF_RECORDS, XPROF_COUNTS };

/*
 * The statements of a file about numbers that can also be computed: the statistics that it
 * has, in their order, and stated values that differ from the computed ones.
 */
struct xprof_stated {
	unsigned n;
	struct xprof_stat {
		unsigned what;
		bool stated;	/* the stated value differs from the computed one */
		uint64_t value;
	} stat[XPROF_STATS];
	struct { bool stated; uint64_t value; } count[XPROF_COUNTS];
};

/* xprof_stated_add() adds words separated by blanks: "max sum=1036 n_vp_sites=1", or nothing.
 * xprof_stated_get() parses them, an absent text as none; false for anything else. */
void xprof_stated_add(struct buf *b, const struct xprof_stated *s);
bool xprof_stated_get(struct text t, struct xprof_stated *s);

/* Returns the definition of an object file. */
struct object_def xprof_object(struct dict *d, struct text path, uint64_t signature,
    uint64_t sec, uint64_t usec);

/* Is this a value of the type ("INT", without its VP_)? */
bool xprof_is_value(struct text type, struct text value);

/* Parses a whole number, of digits only, at most `most`. */
bool xprof_number(struct text t, uint64_t most, uint64_t *out);
/* The same for a signature: hexadecimal, with or without 0x. */
bool xprof_signature(struct text t, uint64_t *out);

/* read.c */
int xprof_decode(struct decode *d);

/* write.c */
struct sink *xprof_encode(const struct encode *e);

#endif
