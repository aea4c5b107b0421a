/* SPDX-License-Identifier: ISC */
/*
 * Reports of aprof, an input-sensitive profiler: the cost of a routine as a function
 * of the size of its input.  The wiki of the project documents version 4 of the format
 * ("Report file format"); the rest is what the writers (Valgrind tool, versions
 * 0 to 6) and readers (aprofplot, merge.c) do.
 *
 * A line is a tag of one letter, a blank and the value.  Names are not escaped.
 */
#ifndef PROF_CODEC_APROF_APROF_H
#define PROF_CODEC_APROF_APROF_H

#include "stream/codec.h"

/* ---- syntax.c ---- */

#define APROF_VERSION 6		/* the last version */

/*
 * The fields of a p or q line after the routine or context, as columns of a point.
 * The number of fields determines the layout, whatever version the report states.
 */
struct aprof_layout {
	unsigned from;		/* the version that introduced it */
	unsigned n;
	unsigned zero;		/* two fields from here on are 0 if unknown, as the
				 * latest writers no longer set them; 0: none */
	unsigned char col[17];	/* POINT_* */
};

#define APROF_LAYOUTS 8

extern const struct aprof_layout aprof_layout[APROF_LAYOUTS];	/* ascending */

/* Header lines, each of which becomes a record of metadata. */
struct aprof_fact {
	char tag;
	unsigned from;		/* the version that introduced it */
	const char *key;	/* of the record */
	bool number;
};

#define APROF_FACTS 7

extern const struct aprof_fact aprof_fact[APROF_FACTS];	/* in the writers' order */

/* The name of the event if a report has no m line, its metric. */
#define APROF_METRIC "cost"

/* The key of an undeclared routine: this and its number. */
#define APROF_NUMBER "routine "

bool aprof_is_number(struct text key);

/* Is the text an address?  Early writers have one in the line of a routine: decimal, in the
 * very first versions as printed by %p. */
bool aprof_is_address(struct text t);

/* Returns where a quoted name ends if the quote s[i] begins the path after it, in '" "' or
 * '" ADDRESS "', and 0 if it does not. *addr is absent in the former. */
size_t aprof_name_end(const char *s, size_t i, struct text *addr);

/* read.c */
int aprof_decode(struct decode *d);

/* write.c */
struct sink *aprof_encode(const struct encode *e);

struct aprof_options {
	int version;		/* of the report; -1: the profile's */
};

#endif
