# SPDX-License-Identifier: ISC
# of: codec io rules stream symbol util
# What fuzzing begins with and what it found, through the same code: `replay` aborts
# where the same records do not come back, where totals change, and where a kilobyte
# takes a second.

load tools.bash

setup_file() {
	needs tests/fuzz/replay
}

# Of each file of a directory what came of it; 64 MB for its data, and as much for
# the program, its libraries and the threads.
replay() {
	limited 262144 "$PROF_BUILD/tests/fuzz/replay" "$1" "$2"/* >came
	sed "s,^,$1/," came
}

@test "the corpus has its expected results" {
	for target in "$TESTS"/fuzz/corpus/*; do
		replay "${target##*/}" "$target"
	done >got
	diff "$TESTS/fuzz/expected" got
}

@test "seeds that are no text go through" {
	for target in gmon gmon-bsd44 gmon-bsd zstd gzip xz bzip2 lz4 exe tools any tree annotate \
	    svg dot speedscope firefox cpuprofile; do
		mkdir "$target"
		"$TESTS/fuzz/seeds" "$PROF_BIN" "$target" "$target" 2>seeds.err
		replay "$target" "$target"
		[ "$(wc -l <came)" = "$(ls "$target" | wc -l)" ]
	done >got
	totals='cost time 8000000, call count 4294967310'
	[ "$(grep -c "^gmon/[a-z0-9]*: decoded, counted, back the same, $totals\$" got)" -eq 4 ]
	[ "$(grep -c "^gmon-bsd[^/]*/[a-z0-9]*: decoded, back the same, $totals\$" got)" -eq 8 ]
	grep '^zstd\|^gzip\|^xz\|^bzip2\|^lz4\|^exe' got | diff - <(
		cat <<-'E'
		zstd/cut: 0 bytes, cut
		zstd/one: 545 bytes
		zstd/two: 1090 bytes
		gzip/cut: 63 bytes, cut
		gzip/one: 545 bytes
		gzip/two: 1090 bytes
		xz/cut: 77 bytes, cut
		xz/one: 545 bytes
		xz/two: 1090 bytes
		bzip2/cut: 0 bytes, cut
		bzip2/one: 545 bytes
		bzip2/two: 1090 bytes
		lz4/cut: 0 bytes, cut
		lz4/one: 545 bytes
		lz4/two: 1090 bytes
		exe/small: 532 bytes
		E
	)
	# None of a tool's ways has ended early, no other format was taken for its own.
	[ "$(grep -c '^tools/.*: went through all$' got)" -eq "$(grep -c '^tools' got)" ]
	for target in tree annotate; do
		[ "$(grep -c "^$target/.*: went through all\$" got)" -eq "$(grep -c "^$target" got)" ]
	done
	# Stacks are written for viewers, and so is their difference.
	for target in svg speedscope firefox cpuprofile; do
		grep -q "^$target/folded-all: [0-9]* bytes, [0-9]* bytes\$" got
	done
	[ "$(grep -c '^dot/prof-calls: [0-9]* bytes, [0-9]* bytes$' got)" -eq 1 ]
	[ "$(grep -c '^any/.*: decoded\(, .*\|\)$' got)" -eq "$(grep -c '^any' got)" ]
}

@test "recordings in all forms, their maps, and stacks go through" {
	for target in perfdata jfr maps unwind cfi; do
		mkdir "$target"
		"$TESTS/fuzz/seeds" "$PROF_BIN" "$target" "$target"
		replay "$target" "$target"
		[ "$(wc -l <came)" = "$(ls "$target" | wc -l)" ]
	done >got
	events='sample cycles.samples 2, sample cycles 257, sample [a-z-]*.samples 1'
	[ "$(grep -c "^perfdata/all-.*: decoded, counted, $events\$" got)" -eq 7 ]
	# What is packed is not counted.
	[ "$(grep -c "^perfdata/all-.*: decoded, $events\$" got)" -eq 4 ]
	[ "$(grep -c '^perfdata/.*: decoded, ' got)" -eq 14 ]
	events='sample ExecutionSample 1, sample WallClockSample 7, sample ObjectAllocationSample 2'
	[ "$(grep -c "^jfr/all-.*: decoded, $events, .*duration 500\$" got)" -eq 2 ]
	[ "$(grep -c '^jfr/two-.*: decoded, .*duration 1000$' got)" -eq 2 ]
	[ "$(grep -c '^maps/.*: .*sample samples [1-9]' got)" -eq 7 ]
	[ "$(grep -c '^unwind/.*: [1-9][0-9]* steps$' got)" -eq 7 ]
	[ "$(grep -c '^cfi/.*: [1-9][0-9][0-9]* steps$' got)" -eq 2 ]
}

@test "what is nested deeply is read, or rejected, with little stack" {
	for target in coverage cpuprofile dhat firefox folded ghc heapprofile heaptrack instruments \
	    macos-sample massif nm otlp pattern perf perfdata pprof pprof-legacy prof pstats rprof \
	    rules speedscope stackprof stacks tachyon trace tsv; do
		mkdir "$target"
		"$TESTS/fuzz/seeds" --deep "$target" "$target"
		(ulimit -s 1024 && replay "$target" "$target")
		[ "$(wc -l <came)" -ge 1 ]
		[ "$(wc -l <came)" = "$(ls "$target" | wc -l)" ]
	done >got
	for target in coverage cpuprofile dhat firefox ghc heapprofile speedscope stackprof trace; do
		[ "$(grep -c "^$target/nested-.*objects and arrays are nested too deeply" got)" -eq 2 ]
	done
	grep -q '^otlp/nested: .*: a value in more than 16 lists' got
	grep -q '^pattern/nested: .*groups nested more than 100 deep' got
	[ "$(grep -c '/[a-z-]*deep[a-z-]*: decoded' got)" = "$(ls -d ./*/*deep* | wc -l)" ]
}
