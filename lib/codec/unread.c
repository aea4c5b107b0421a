/* SPDX-License-Identifier: ISC */
#include "codec/unread.h"

#include <string.h>

#include "stream/codec.h"

#define ATTENDED 4096	/* the bytes in which lines are looked for */

/* Bytes with their number, zeros among them. */
#define BYTES(s) s, sizeof(s) - 1

/* The beginnings of a file, and of one of its first lines; an empty one always matches. */
static const struct {
	const char *start;
	size_t nstart;
	const char *line;
	size_t nline;
	const char *kind;
} known[] = {
	/* Files of profilers.  The magic numbers are those of their sources: dotnet/runtime's
	 * ds-file.c, bloomberg/memray's records.h, wolfpld/tracy's TracyFileHeader.hpp,
	 * golang/go's internal/trace, KDE/heaptrack's libheaptrack.cpp. */
	{ BYTES("Nettrace"), BYTES(""), "a trace of .NET: run 'dotnet-trace convert --format "
	    "Speedscope' on it" },
	{ BYTES("memray\0"), BYTES(""), "a capture of memray: run 'memray transform speedscope' "
	    "on it" },
	{ BYTES("v 1"), BYTES("x "), "data of heaptrack: run 'heaptrack_print -F stacks.folded' "
	    "on it" },
	{ BYTES("v 1"), BYTES("X "), "data of heaptrack: run 'heaptrack_print -F stacks.folded' "
	    "on it" },
	{ BYTES("go 1."), BYTES(""), "an execution trace of Go: run 'go tool trace "
	    "-pprof=sync' on it, or net, syscall or sched" },
	{ BYTES("tr\xfdP"), BYTES(""), "a trace of Tracy, of which nothing readable can be "
	    "exported" },
	{ BYTES("tlZ\x04"), BYTES(""), "a trace of Tracy, of which nothing readable can be "
	    "exported" },
	{ BYTES("tZst"), BYTES(""), "a trace of Tracy, of which nothing readable can be "
	    "exported" },
	{ BYTES("NVR\0"), BYTES(""), "a report of Nsight Compute, which has counters of "
	    "kernels, not stacks: run 'ncu --import' on it" },
	{ BYTES("SQLite format 3\0"), BYTES(""), "an SQLite database, as Nsight Systems "
	    "exports: query it with sqlite3, and print lines 'main;function 12'" },
	{ BYTES("SIMPLEPERF"), BYTES(""), "data of simpleperf: run its report_sample.py" },
	{ BYTES("MOJ"), BYTES(""), "Austin's binary format, perhaps: convert it with "
	    "mojo2austin" },
	/* What tools print for people. */
	{ BYTES("<!DOCTYPE html>"), BYTES("\t#hl {position: absolute"), "a page of "
	    "async-profiler: record with '-o collapsed', or to a file named .jfr" },
	{ BYTES("<"), BYTES("<!-- Flame graph stack visualization."), "a flame graph: use the "
	    "folded stacks that it was drawn from" },
	{ BYTES(""), BYTES("Profile data file '"), "the output of callgrind_annotate: use "
	    "callgrind.out itself" },
	{ BYTES(""), BYTES("Massif arguments: "), "the output of ms_print: use massif.out "
	    "itself" },
	{ BYTES(""), BYTES("Flat profile:"), "the output of gprof: use gmon.out itself, after "
	    "the program" },
	{ BYTES(""), BYTES("Showing nodes accounting for "), "the output of pprof: use the "
	    "profile itself" },
	{ BYTES(""), BYTES("jdk.ExecutionSample {"), "the output of 'jfr print': use the "
	    "recording itself" },
	/* Encodings. */
	{ BYTES("\x02\x21\x4c\x18"), BYTES(""), "lz4's old format: unpack it first" },
	{ BYTES("\x5d\x00\x00"), BYTES(""), "LZMA: unpack it first" },
	{ BYTES("\xff\xfe"), BYTES(""), "UTF-16 text" },
	{ BYTES("\xfe\xff"), BYTES(""), "UTF-16 text" },
	{ BYTES("\xef\xbb\xbf"), BYTES(""), "text with a UTF-8 byte order mark" },
	{ BYTES("\x7f" "ELF"), BYTES(""), "an executable" },
	{ BYTES("{"), BYTES(""), "JSON" },
};

/* Does one of the first lines begin with these bytes? */
static bool
has_line(const char *p, size_t n, const char *start, size_t nstart)
{
	const char *const end = p + (n < ATTENDED ? n : ATTENDED);

	for (; p && (size_t)(end - p) >= nstart; p = memchr(p, '\n', (size_t)(end - p)), p += !!p)
		if (memcmp(p, start, nstart) == 0)
			return true;
	return false;
}

/* Returns advice from a format that recognises these bytes, although it does not read them;
 * NULL: none does. */
static const char *
near_miss(const char *p, size_t n)
{
	const struct codec *const *c;
	const char *advice;

	for (c = codec_table; *c; c++)
		if ((*c)->near_miss && (advice = (*c)->near_miss(p, n)))
			return advice;
	return NULL;
}

const char *
unread_kind(const char *p, size_t n)
{
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (n >= known[i].nstart && memcmp(p, known[i].start, known[i].nstart) == 0 &&
		    has_line(p, n, known[i].line, known[i].nline))
			return known[i].kind;
	return near_miss(p, n);
}
