/* SPDX-License-Identifier: ISC */
/* Declarations that Callgrind's reader, writer and probe share. */
#ifndef PROF_CODEC_CALLGRIND_CALLGRIND_H
#define PROF_CODEC_CALLGRIND_CALLGRIND_H

#include "stream/codec.h"

int callgrind_decode(struct decode *d);
struct sink *callgrind_encode(const struct encode *e);

/* Does the reader keep this line verbatim, in a function or outside? */
bool callgrind_is_raw(struct text line, bool of_func);

/* Does the reader keep lines "KEY: value" with this key as metadata? */
bool callgrind_is_fact(struct text key);

/* The kinds of positions, in the order of their columns. */
enum { POS_ADDR, POS_BB, POS_LINE, POS_KINDS };

struct pos {
	uint64_t v[POS_KINDS];
};

/* Words in the file, and in the `positions` attribute of a part. */
static const struct { const char *word, *attr; } pos_names[POS_KINDS] = {
	[POS_ADDR] = { "instr", "addr" },
	[POS_BB] = { "bb", "bb" },
	[POS_LINE] = { "line", "line" },
};

/* Does a `creator:` show that Callgrind itself wrote the file? */
static inline bool
callgrind_wrote(struct text creator)
{
	return creator.n >= 10 && memcmp(creator.s, "callgrind-", 10) == 0;
}

/* "==== NEW PROFILING FILE ====", which Xdebug writes before each profile that it
 * appends to a file. */
#define SEPARATOR "==== NEW PROFILING FILE =============================================="

static inline bool
callgrind_is_separator(const char *p, const char *end)
{
	return end - p > 4 && memcmp(p, "====", 4) == 0;
}

static inline bool
blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool
cg_is_letter(char c)
{
	return (c | 32) >= 'a' && (c | 32) <= 'z';
}

/* May the key of a "key: value" line have this character, according to its writers? */
static inline bool
cg_in_key(char c)
{
	return cg_is_letter(c) || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80 ||
	    (c && strchr(" _-()", c));
}

/* The characters that the name of an event cannot have, besides blanks. */
#define EVENT_BAD ":="

#endif
