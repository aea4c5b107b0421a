/* SPDX-License-Identifier: ISC */
/*
 * Profile feedback of Sun's compilers as text, xprof_text(4): counters of procedures
 * and the values seen at sites.  Only the manual page is public; where it is unclear,
 * prof-stream(5) says how the file is read.
 */
#ifndef PROF_CODEC_XPROF_XPROF_H
#define PROF_CODEC_XPROF_XPROF_H

#include "stream/codec.h"
#include "stream/defs.h"
#include "util/num.h"

#define XPROF_MAGIC "PROFILE-FEEDBACK-DATA:"
#define XPROF_VERSION "4.3"
#define XPROF_EVENT "executions"

/* ---- line_words.c ---- */

/* Is it one of the versions that share the grammar, "3.1" to "4.3"? */
bool xprof_knows(struct text version);

/* Lines of statistics of the counters of a procedure, an object file or a program. */
enum { XPROF_MAX, XPROF_SUM, XPROF_STATS };
extern const char *const xprof_stat_name[XPROF_STATS];

/* Adds the statistics of something to those of what it is in; of one counter both are its
 * value. */
static inline void
xprof_add_stat(num stat[XPROF_STATS], num max, num sum)
{
	if (max > stat[XPROF_MAX])
		stat[XPROF_MAX] = max;
	stat[XPROF_SUM] += sum;	/* 2^63 lines would be needed to overflow */
}

/* Numbers of a PROC line that also follow from its other lines. */
enum { XPROF_SITES, XPROF_RECORDS, XPROF_COUNTS };

/*
 * What a file says besides what can be counted: which statistics it has, in their order,
 * and its value of a number where counting gives another.
 */
struct xprof_says {
	unsigned n;
	struct xprof_stat {
		unsigned what;
		bool stated;	/* the value differs from the counted one */
		uint64_t value;
	} stat[XPROF_STATS];
	struct { bool stated; uint64_t value; } count[XPROF_COUNTS];
};

/* Adds words separated by blanks: "max sum=1036 n_vp_sites=1"; nothing if there is
 * nothing to say.  xprof_says_get() parses them, and an absent text as nothing; false for
 * anything else. */
void xprof_says_add(struct buf *b, const struct xprof_says *s);
bool xprof_says_get(struct text t, struct xprof_says *s);

/* The definition of an object file. */
struct object_def xprof_object(struct dict *d, struct text path, uint64_t signature,
    uint64_t sec, uint64_t usec);

/* Is this a value of the type ("INT", without its VP_)? */
bool xprof_is_value(struct text type, struct text value);

/* A whole number, of digits only, at most `most`. */
bool xprof_number(struct text t, uint64_t most, uint64_t *out);
/* The same for a signature: hexadecimal, with or without 0x. */
bool xprof_signature(struct text t, uint64_t *out);

/* Is it a separator of words? */
static inline bool
xprof_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* read.c */
int xprof_decode(struct decode *d);

/* write.c */
struct sink *xprof_encode(const struct encode *e);

#endif
