/* SPDX-License-Identifier: ISC */
/*
 * heaptrack's recordings, as its heaptrack_interpret writes them (KDE/heaptrack,
 * src/analyze/accumulatedtracedata.cpp reads them).  Each line is a letter and numbers in hex:
 *
 *	v 10400 3		versions of heaptrack, 1.4.0, and of the format
 *	X ./prog 12		the command
 *	I 1000 5e298f		size of a page; pages of the machine
 *	s 4 main		a string, with its length since version 3; counted from 1
 *	i 4011a3 1 2 3 1f	an address: its object, and for it and each function into
 *				which it was inlined the name, the file and the line
 *	t 1 0			a stack: its leaf, an address, and the stack of its caller; 0: none
 *	a 20 1			a kind of allocation: its size and its stack; counted from 0
 *	+ 0			such an allocation
 *	- 0			such an allocation is freed
 *	c 1f4			milliseconds since the start
 *	R 446			resident pages
 *	# strings: 1		the number of `s` lines, and then of `i` lines, at the end
 *
 * All but the tables is added up as it comes, so that a recording may have any length.
 *
 *	line.c		numbers and texts in a line
 *	tables.c	s, i, t, a
 *	blocks.c	+ and -
 *	read.c		the other lines, and the file
 *	put.c		the part and its samples
 */
#ifndef PROF_CODEC_HEAPTRACK_READER_H
#define PROF_CODEC_HEAPTRACK_READER_H

#include "codec/inlined_frames.h"
#include "stream/codec.h"

#define HEAPTRACK_VERSION 3	/* the last version of the format that is read */

/* A function in an address, from a line `i`: numbers of strings, 0 for none. */
struct place {
	uint32_t func, file;
	uint64_t line;
};

struct address {
	uint64_t addr;
	uint32_t module;
	size_t place, nplace;	/* innermost first */
	size_t frame;		/* in `frames`; NO_FRAMES */
};

#define NO_FRAMES SIZE_MAX

struct stack_node {
	uint32_t address, caller;	/* counted from 1; 0: none */
	uint32_t ctx;		/* NO_ID: not yet */
	uint32_t site;		/* counted from 1; 0: nothing is allocated there */
};

/* A stack that allocates: what it adds up to. */
struct site {
	uint32_t stack;
	uint64_t peaks;		/* how many peaks there had been when `peak` was set */
	num allocations, bytes, leaked, temporary;
	num peak;		/* bytes in use at that peak */
};

struct kind {
	uint64_t size;
	uint32_t site;		/* counted from 1; 0: the line could not be read */
	uint64_t in_use;	/* how many are not freed yet */
};

struct heaptrack {
	struct decode *d;
	uint64_t read;		/* bytes */
	/* The tables. */
	uint32_t *string;	/* of the dictionary */
	size_t nstring, capstring;
	struct place *place;
	size_t nplace, capplace;
	struct address *address;
	size_t naddress, capaddress;
	struct stack_node *stack;
	size_t nstack, capstack;
	struct kind *kind;
	size_t nkind, capkind;
	struct site *site;
	size_t nsite, capsite;
	/* The blocks. */
	uint64_t last;		/* the kind of the block that the last line allocated;
				 * NO_KIND */
	num in_use, most;	/* bytes now, and at the peak */
	uint64_t peaks;		/* how often `most` was reached for the first time */
	/* Facts. */
	uint64_t version, format;
	struct buf command;
	bool has_version, has_command, in_command;
	uint64_t page_size, pages, resident, time;
	uint64_t suppressions;	/* how many of leaks */
	uint64_t strings, addresses;	/* as the end states them */
	bool has_strings, has_addresses;
	/* For put.c. */
	struct frames frames;
	uint32_t *path;
	size_t cappath;
	struct buf values;
};

#define NO_KIND UINT64_MAX

#define BAD(h, ...) (diag_fail((h)->d->diag, __VA_ARGS__), LINE_BAD)

/* A line without its letter and the blank: from p to end, where a newline follows. */
struct fields {
	const char *p, *end;
	const char *line;	/* all of it, for messages */
};

/* ---- line.c ---- */

/* Takes a number and the blank after it: false, with nothing taken, if there is none, or
 * it does not fit. */
bool heaptrack_number(struct fields *f, uint64_t *n);
/* The same for the number of something counted from 1, of which there are `most`; 0 is
 * allowed. */
bool heaptrack_index(struct fields *f, size_t most, uint32_t *n);
bool heaptrack_ended(const struct fields *f);

/* ---- tables.c, blocks.c: each reads a line.  LINE_* ---- */

int heaptrack_string(struct heaptrack *h, struct fields f);
int heaptrack_address(struct heaptrack *h, struct fields f);
int heaptrack_stack(struct heaptrack *h, struct fields f);
int heaptrack_kind(struct heaptrack *h, struct fields f);
int heaptrack_allocate(struct heaptrack *h, struct fields f);
int heaptrack_free(struct heaptrack *h, struct fields f);

/* ---- put.c ---- */

int heaptrack_put(struct heaptrack *h);

int heaptrack_decode(struct decode *d);

#endif
