/* SPDX-License-Identifier: ISC */
#include "codec/unread.h"

#include <string.h>

#include "stream/codec.h"

#define ATTENDED 4096	/* the bytes in which lines are looked for */

#define UTF16 "UTF-16 text, as PowerShell writes: run 'iconv -f UTF-16 -t UTF-8' on it"
#define LCOV "a tracefile of lcov: use the coverage data that it comes from, by " \
	"'gcov --json-format' or 'llvm-cov export'"
#define WINDOWS "an event trace of Windows: run 'samply import --save-only' on it, on Windows"

/* Bytes with their number, zeros among them. */
#define BYTES(s) s, sizeof(s) - 1
#define FIRST(s) 0, BYTES(s)

/* What a file has at its beginning, or at `at`, and what one of its first lines begins with;
 * an empty one always matches. */
static const struct {
	size_t at;
	const char *start;
	size_t nstart;
	const char *line;
	size_t nline;
	const char *kind;
} known[] = {
	/* Files of profilers.  The magic numbers are those of their sources: dotnet/runtime's
	 * ds-file.c, bloomberg/memray's records.h, wolfpld/tracy's TracyFileHeader.hpp,
	 * golang/go's internal/trace, gcc's gcov-io.h, LLVM's InstrProfData.inc, GHC's
	 * EventLogFormat.h; of Windows' traces the first event, behind the header of a buffer, is
	 * one of a system trace, 64 or 32 bits. */
	{ FIRST("Nettrace"), BYTES(""), "a trace of .NET: run 'dotnet-trace convert --format "
	    "Speedscope' on it" },
	{ FIRST("memray\0"), BYTES(""), "a capture of memray: run 'memray transform speedscope' "
	    "on it" },
	{ FIRST("go 1."), BYTES(""), "an execution trace of Go: run 'go tool trace "
	    "-pprof=sync' on it, or net, syscall or sched" },
	{ FIRST("tr\xfdP"), BYTES(""), "a trace of Tracy, which exports no format that "
	    "prof reads" },
	{ FIRST("tlZ\x04"), BYTES(""), "a trace of Tracy, which exports no format that "
	    "prof reads" },
	{ FIRST("tZst"), BYTES(""), "a trace of Tracy, which exports no format that prof "
	    "reads" },
	{ FIRST("NVR\0"), BYTES(""), "a report of Nsight Compute, which has counters of "
	    "kernels, not stacks: run 'ncu --import' on it" },
	{ FIRST("SQLite format 3\0"), BYTES(""), "an SQLite database, as Nsight Systems "
	    "exports: query it with sqlite3, and print lines 'main;function 12'" },
	{ FIRST("JAVA PROFILE 1.0"), BYTES(""), "a heap dump of Java, which has objects, not "
	    "stacks: record allocations with Java Flight Recorder" },
	{ FIRST("SIMPLEPERF"), BYTES(""), "data of simpleperf: run its report_sample.py" },
	{ 0x48, BYTES("\x02\0\x02\xc0"), BYTES(""), WINDOWS },
	{ 0x48, BYTES("\x02\0\x01\xc0"), BYTES(""), WINDOWS },
	{ FIRST("Function Stack,"), BYTES(""), "a report of VTune: run 'inferno-collapse-vtune' on "
	    "it" },
	{ FIRST("<?xml"), BYTES("<trace-query-result>"), "an export of Instruments: run "
	    "'inferno-collapse-xctrace' on it" },
	{ FIRST("hdrb"), BYTES(""), "an event log of GHC: run the program with +RTS -P" },
	{ FIRST("adcg"), BYTES(""), "counts of gcov: run 'gcov --json-format' on it" },
	{ FIRST("gcda"), BYTES(""), "counts of gcov: run 'gcov --json-format' on it" },
	{ FIRST("\x81rforpl\xff"), BYTES(""), "a raw profile of LLVM: run 'llvm-profdata merge' on "
	    "it, then llvm-cov export" },
	{ FIRST("\xfflprofi\x81"), BYTES(""), "a profile of LLVM: run 'llvm-cov export' on the "
	    "program with -instr-profile" },
	{ FIRST("TN:"), BYTES("SF:"), LCOV },
	{ FIRST("SF:"), BYTES("FN:"), LCOV },
	{ FIRST("SF:"), BYTES("DA:"), LCOV },
	{ FIRST("MOJ"), BYTES(""), "Austin's binary format, perhaps: convert it with "
	    "mojo2austin" },
	/* What tools print for people. */
	{ FIRST("<!DOCTYPE html>"), BYTES("\t#hl {position: absolute"), "a page of "
	    "async-profiler: record with '-o collapsed', or to a file named .jfr" },
	{ FIRST("<"), BYTES("<!-- Flame graph stack visualization."), "a flame graph: use the "
	    "folded stacks that it was drawn from" },
	{ FIRST(""), BYTES("Profile data file '"), "the output of callgrind_annotate: use "
	    "callgrind.out itself" },
	{ FIRST(""), BYTES("Massif arguments: "), "the output of ms_print: use massif.out "
	    "itself" },
	{ FIRST(""), BYTES("Flat profile:"), "the output of gprof: use gmon.out itself, after "
	    "the program" },
	{ FIRST(""), BYTES("Showing nodes accounting for "), "the output of pprof: use the "
	    "profile itself" },
	{ FIRST(""), BYTES("jdk.ExecutionSample {"), "the output of 'jfr print': use the "
	    "recording itself" },
	/* Encodings. */
	{ FIRST("\x02\x21\x4c\x18"), BYTES(""), "lz4's old format: decompress it first" },
	{ FIRST("\x5d\x00\x00"), BYTES(""), "LZMA: decompress it first" },
	{ FIRST("\xff\xfe"), BYTES(""), UTF16 },
	{ FIRST("\xfe\xff"), BYTES(""), UTF16 },
	{ FIRST("\xef\xbb\xbf"), BYTES(""), "text with a UTF-8 byte order mark" },
	{ FIRST("\x7f" "ELF"), BYTES(""), "an executable" },
	{ FIRST("{"), BYTES(""), "JSON" },
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
		if (n >= known[i].at + known[i].nstart &&
		    memcmp(p + known[i].at, known[i].start, known[i].nstart) == 0 &&
		    has_line(p, n, known[i].line, known[i].nline))
			return known[i].kind;
	return near_miss(p, n);
}
