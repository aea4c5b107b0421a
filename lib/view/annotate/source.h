/* SPDX-License-Identifier: ISC */
/*
 * The source of a file that a profile names: where it is now, and its lines.
 */
#ifndef PROF_VIEW_ANNOTATE_SOURCE_H
#define PROF_VIEW_ANNOTATE_SOURCE_H

#include <stdint.h>
#include <sys/stat.h>

#include "stream/field.h"

/* Where to look, and what may be read: a profile may come from a stranger, and name any
 * file of the user's. */
struct source_search {
	const char *const *dir;
	size_t ndir;
	struct source_map {
		struct text old;	/* a prefix of paths */
		const char *new;	/* what takes its place; may be empty */
	} *map;
	size_t nmap;
	bool any;		/* whatever the profile names */
	/* May a file be read that is nowhere there?  NULL: no. */
	bool (*vouched)(void *arg, const struct stat *file);
	void *arg;
};

struct source {
	struct buf path;	/* where it was found; empty: nowhere */
	const char *why;	/* what is wrong where it was not; static */
	int64_t changed;	/* when, in seconds */
	dev_t dev;
	ino_t ino;
	bool only_found;	/* it is not read */
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
 * with ever fewer of its first components.
 *
 * Only regular files are read, and only those that are, links and all, below the
 * replacement, the current directory (which / is not) or that directory, without a hidden
 * file or directory between; or are vouched for; or any.
 *
 * All zeros before; source_free() also where nothing was found.
 */
bool source_find(struct source *s, struct text path, const struct source_search *where);
void source_free(struct source *s);

/* Would it be found?  It is not read. */
bool source_exists(struct text path, const struct source_search *where);

/* Makes lines of s->bytes. */
void source_lines(struct source *s);

/* The instruction that a line is; NULL: it is a line of text, or beyond the end. */
const struct source_insn *source_insn(const struct source *s, uint64_t line);

/* What a line is known by: its number, or the address of an instruction. */
uint64_t source_number(const struct source *s, uint64_t line);

/* The text of a line, from 1 on, without its newline; absent beyond the end. */
struct text source_line(const struct source *s, uint64_t line);

#endif
