/* SPDX-License-Identifier: ISC */
/*
 * The source of a file that a profile names: where it is now, and its lines.
 */
#ifndef PROF_VIEW_ANNOTATE_SOURCE_H
#define PROF_VIEW_ANNOTATE_SOURCE_H

#include <stdint.h>

#include "stream/field.h"

/* Where to look. */
struct source_search {
	const char *const *dir;
	size_t ndir;
	struct source_map {
		struct text old, new;	/* prefixes of paths */
	} *map;
	size_t nmap;
};

struct source {
	struct buf path;	/* where it was found; empty: nowhere */
	const char *why;	/* what is wrong where it was not; static */
	int64_t changed;	/* when, in seconds */
	struct buf bytes;
	size_t *line;		/* where each begins, and the end */
	size_t nline;
	/* Of a disassembly, whose lines are instructions (code.h), else NULL: */
	struct source_insn {
		uint64_t addr;
		uint32_t file;	/* the dictionary's number, or NO_ID */
		uint64_t line;
		struct text text;	/* of that line; absent: it is not known */
	} *insn;
};

/*
 * Looks for the file and reads it.  The path is tried with the first prefix replaced
 * that it begins with, then as it is, then below each of the directories: whole, and
 * with ever fewer of its first components.  Only regular files are read.  All zeros
 * before; source_free() also where nothing was found.
 */
bool source_find(struct source *s, struct text path, const struct source_search *where);
void source_free(struct source *s);

/* Makes lines of s->bytes. */
void source_lines(struct source *s);

/* What a line is known by: its number, or the address of an instruction. */
uint64_t source_number(const struct source *s, uint64_t line);

/* The text of a line, from 1 on, without its newline; absent beyond the end. */
struct text source_line(const struct source *s, uint64_t line);

#endif
