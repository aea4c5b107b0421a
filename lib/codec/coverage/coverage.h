/* SPDX-License-Identifier: ISC */
/*
 * How often each line of a test run was executed: gcov --json-format, llvm-cov export.
 *
 *	coverage.c	the format, documents one after the other
 *	gcov.c		documents of gcov
 *	llvm.c		documents of llvm-cov
 *	llvm_lines.c	lines by the segments of llvm-cov, and the functions they are in
 *	records.c	records
 *
 * A line that could be executed and was not is a known 0.
 */
#ifndef PROF_CODEC_COVERAGE_COVERAGE_H
#define PROF_CODEC_COVERAGE_COVERAGE_H

#include "codec/expansion_limit.h"
#include "stream/codec.h"
#include "util/json_read.h"
#include "util/mem.h"

struct coverage {
	struct decode *d;
	struct json_reader json;
	struct text file;	/* the whole input */
	uint32_t creator, dir;	/* strings of the dictionary: the facts put last */
	struct buf text;
};

/* How often a line was executed, and how often a function was entered there. */
struct counts {
	num executions, entries;
	bool has_executions;	/* otherwise they are not known */
};

/* Reads a string: its number in the dictionary, NO_ID after an error or for null. */
uint32_t coverage_str(struct coverage *c);

/* Defines a function; `linker` is NO_ID, or its name for the linker.  0 or -1. */
int coverage_func(struct coverage *c, uint32_t name, uint32_t linker, uint32_t file,
    uint64_t start, uint32_t *func);

/* Puts the cost of a line.  0 or -1. */
int coverage_cost(struct coverage *c, uint32_t func, uint32_t file, uint64_t line,
    const struct counts *n);

/* Puts a fact, unless *last is its value.  0 or -1. */
int coverage_fact(struct coverage *c, const char *key, struct text value, uint32_t *last);

/* Each reads the value of a key whose value is the list of files, or of exports, and puts
 * records.  0, or -1 if a sink failed; errors in the document are the reader's. */
int gcov_files(struct coverage *c);
int llvm_data(struct coverage *c);

/* ---- llvm_lines.c ---- */

struct segment {
	uint64_t line, count;
	bool has_count, is_entry, is_gap;
};

/* Lines of a file and their counts, in order. */
struct line_counts {
	struct line_count {
		uint64_t line, count;
	} *v;
	size_t n, cap;
	struct expansion_limit limit;	/* of all files: few segments may have many lines */
};

/* Sets *to to the lines that the segments of a file give counts to.  False: that exceeds the
 * limit. */
bool llvm_add_lines(struct line_counts *to, const struct segment *s, const struct segment *end);

static inline bool
line_counts_add(struct line_counts *to, uint64_t line, uint64_t count)
{
	if (!limit_add(&to->limit, 1))
		return false;
	to->v = mem_grow(to->v, &to->cap, to->n + 1, sizeof *to->v);
	to->v[to->n++] = (struct line_count){ line, count };
	return true;
}

/* The body of a function, or of several that share it, as instances of a template do. */
struct body {
	uint32_t file;		/* a string: its path */
	uint32_t name;		/* of the first of them */
	uint64_t line, column, last_line, last_column;
	size_t order;		/* in the document */
	size_t more;		/* functions that share it */
	num entries;		/* of all of them */
	uint32_t func;		/* the function, once it is defined */
	bool placed;		/* its entries were put */
};

/* Sorts bodies by file and place, and joins those at one place, *n of which remain.  0, or -1:
 * a sum does not fit. */
int llvm_join_bodies(struct body *b, size_t *n);

/* A pass over the lines of a file, in order, and the functions that they are in. */
struct within {
	const struct body *next, *end;	/* those of the file that begin later */
	const struct body **open;	/* those around the line, the innermost last; the
					 * caller frees it */
	size_t n, cap;
};

/* Returns the body that the line is in: the innermost that began on an earlier line, otherwise
 * the first that begins there; NULL: none. */
const struct body *llvm_within(struct within *w, uint64_t line);

#endif
