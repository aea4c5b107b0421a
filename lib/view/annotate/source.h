/* SPDX-License-Identifier: ISC */
/*
 * The source of a file that a profile names: its current place, and its lines.
 */
#ifndef PROF_VIEW_ANNOTATE_SOURCE_H
#define PROF_VIEW_ANNOTATE_SOURCE_H

#include <stdint.h>
#include <sys/stat.h>

#include "stream/field.h"

/* Where to look, and which files may be read: a profile may come from a stranger, and name
 * any file of the user's. */
struct source_search {
	const char *const *dir;
	size_t ndir;
	struct source_map {
		struct text old;	/* a prefix of paths */
		const char *new;	/* its replacement; may be empty */
	} *map;
	size_t nmap;
	bool any;		/* any file that the profile names may be read */
	/* May a file outside of these directories be read?  NULL: no. */
	bool (*vouched)(void *arg, const struct stat *file);
	void *arg;
	struct source *kept;	/* the file that was read last, for another spelling of its
				 * path; NULL: none */
};

struct source {
	struct buf path;	/* where it was found; empty: nowhere */
	const char *why;	/* the reason if it was not, static */
	int64_t changed;	/* time of the last change, in seconds */
	dev_t dev;
	ino_t ino;
	bool only_found;	/* do not read it */
	struct buf bytes;
	size_t *line;		/* the beginning of each line, and the end */
	size_t nline;
	/* For a disassembly, whose lines are instructions (code.h), otherwise NULL: */
	struct source_insn {
		uint64_t addr;
		uint32_t file;	/* the dictionary's number, or NO_ID */
		uint64_t line;
		struct text text;	/* of that line; absent: not known */
	} *insn;
};

/*
 * Looks for the file and reads it.  Tries the path with its first matching prefix replaced,
 * then unchanged, then below each of the directories: whole, and with ever fewer of its
 * first components.
 *
 * Only regular files are read.  After following links, they must be below the replacement,
 * the current directory (unless that is /) or that directory, with no hidden file or
 * directory between; or `vouched` or `any` must allow them.
 *
 * *s must be all zeros.  Call source_free() or source_keep(), even if nothing was found.
 */
bool source_find(struct source *s, struct text path, const struct source_search *where);
void source_free(struct source *s);
/* The same, but keeps the file in *kept. */
void source_keep(struct source *s, struct source *kept);

/* Would the file be found?  It is not read. */
bool source_exists(struct text path, const struct source_search *where);

/* Splits s->bytes into lines. */
void source_lines(struct source *s);

/* Returns a line's instruction; NULL: it is a line of text, or beyond the end. */
const struct source_insn *source_insn(const struct source *s, uint64_t line);

/* Returns the number that a line is shown with: its own, or the address of an
 * instruction. */
uint64_t source_number(const struct source *s, uint64_t line);

/* Returns the text of a line, from 1 on, without its newline; absent beyond the end. */
struct text source_line(const struct source *s, uint64_t line);

#endif
