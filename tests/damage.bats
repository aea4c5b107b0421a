#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec io stream
# Files that are truncated or altered, at each byte and bit: what is taken for a whole
# one must be what prof-formats(7) says cannot be noticed.

load tools.bash
load small.bash

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	needs tests/damage
	ln -s "$PROF_BUILD/tests/damage" .
	small_profiles
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return 1
}

# cuts_of FILE [LENGTH...]: at these and no others it may be truncated.
cuts_of() {
	./damage cut "$1" >got
	printf '%s\n' "${@:2}" | sed '/^$/d' | diff -u - got
}

# Where lines end that the file goes on behind, from line N on.
ends_of_lines() {
	awk -v from="$2" '{ if (n && NR > from) print n; n += length($0) + 1 }' "$1"
}

# All but the last byte, a newline.
but_one() {
	echo $(($(wc -c <"$1") - 1))
}

# Where the small profile of a format may be truncated, as prof-formats(7) says.
cuts() {
	local f=$1 at

	case $f in
	callgrind | pstats | stackprof | xprof | prof) ;;
	# The dictionary comes last.
	otlp) ;;
	# A memory map, here of one line, or the first line says whether all is there.
	pprof-legacy) ;;
	# The summary is what its lines add up to.
	cachegrind) but_one $f ;;
	# Of JSON all but the newline behind it, or behind its last brace.
	cpuprofile | firefox | speedscope | trace | dhat | heapprofile | coverage) but_one $f ;;
	folded | tsv | rprof) ends_of_lines $f 1 ;;
	instruments) ends_of_lines $f 2 ;;
	# Ticks and bytes add up to their totals; the size is at the end.
	ghc | tachyon) ;;
	# Between two events.
	perf) echo 170 ;;
	# Between two stacks.
	stacks) ends_of_lines $f 6 | sed -n 1p ;;
	# Between two snapshots, before or behind the line of marks.
	massif) printf '%s\n' 163 176 ;;
	# What follows the call graph is about objects alone.
	macos-sample)
		at=$(grep -n '^Total number in stack' $f | cut -d : -f 1)
		ends_of_lines $f "$at" ;;
	# Records: 20 bytes of header, a histogram of 16 bins, calls.
	gmon) printf '%s\n' 20 93 114 ;;
	gmon-bsd44) printf '%s\n' 72 96 ;;
	gmon-bsd) printf '%s\n' 52 76 ;;
	# Contexts come last, and points want them.
	aprof) ends_of_lines aprof 2 | sed -n 1,4p ;;
	*) return 1 ;;
	esac
}

# bats test_tags=format
@test "truncation at any byte is noticed, except those that prof-formats(7) lists" {
	for f in $formats; do
		echo "$f"
		if cuts $f >known; then
			cuts_of $f $(cat known)
		elif [ $f != pprof ]; then
			# Of another format at most all lines before some end of a line.
			./damage cut $f >got
			{ ends_of_lines $f 0; but_one $f; } | sort >known
			sort got | comm -23 - known | diff - /dev/null
		fi
	done
}

@test "truncation is noticed in files with more in them than small ones" {
	local corpus=$BATS_TEST_DIRNAME/fuzz/corpus

	for f in xprof/all prof/all prof/calls prof/points; do
		cuts_of "$corpus/$f"
	done
	# The summary is what its lines, or the totals behind them, add up to.
	for f in "$corpus/cachegrind/all" "$corpus/callgrind/all"; do
		cuts_of $f "$(but_one $f)"
	done
	sed 's/^q \([0-9]* \)/p 0 /; /^x/d' aprof >points.aprof
	cuts_of points.aprof $(ends_of_lines points.aprof 2)
	for f in contention threads goroutine cpu64 cpu32big; do
		cuts_of "$corpus/pprof-legacy/$f"
	done
	# By nobody: callgrind says what it is, and `totals:` ends what it writes.
	sed '/^creator/d; 1d' calls.cg >other.callgrind
	cuts_of other.callgrind $(ends_of_lines other.callgrind 3 |
		grep -vx "$(sed '/^calls=/q' other.callgrind | wc -c)")
	# Of two behind each other the first may be all.
	for f in callgrind cachegrind xprof; do
		{ cat $f; sed '/^# /d; /^version/d; /^creator/d' $f; } >two
		cuts_of two $([ $f != cachegrind ] || but_one $f) $(wc -c <$f) \
			$([ $f != cachegrind ] || but_one two)
	done
}

# bats test_tags=format
@test "truncation at any byte of a compressed file is noticed, whatever it contains" {
	for f in $formats; do
		cuts_of $f.gz
		cuts_of $f.zst
	done
}

# bats test_tags=format
@test "truncated input, compressed or not, is reported as truncated" {
	local f n part
	for f in "$TESTS"/../share/examples/*; do
		case $f in
		*.md | *.R | *.c | *.go | *.hs | *.java | *.js | *.py | *.rb | *.sh | *.syms) continue ;;
		*.zst) zstdcat "$f" >plain ;;
		*.gz) zcat "$f" >plain ;;
		*) cat "$f" >plain ;;
		esac
		[ -z "${FORMAT-}" ] || prof-cat --probe plain | has ": $FORMAT$" || continue
		gzip -nc plain >plain.gz
		xz -0c plain >plain.xz
		for n in plain plain.gz plain.xz; do
			# Of old BSD's gmon.out all that tells it is its size.
			[ "$n" != plain ] || [ "${f##*.}" != gmon-bsd ] || continue
			for part in 4 8 13; do
				head -c $(($(wc -c <$n) * part / 16)) $n >cut
				run -2 prof-cat -o /dev/null cut
				grep -q '^prof-cat: cut:.*\(is truncated\|is missing\|are missing\)' <<<"$output" ||
					{ echo "$f $n $part: $output"; return 1; }
			done
		done
	done
}

# bats test_tags=format
@test "a bit that flips in a compressed file is noticed, or of no importance" {
	for f in $formats; do
		for z in gz zst; do
			./damage flip $f.$z >got
			[ "$(cat got)" = "$((8 * $(wc -c <$f.$z))) flips" ]
		done
	done
}

@test "truncation and damage of xz, bzip2 and lz4 files is noticed in the same way" {
	for z in xz bzip2 lz4; do
		$z -qc folded >folded.$z
		cuts_of folded.$z
		./damage flip folded.$z >got
		[ "$(cat got)" = "$((8 * $(wc -c <folded.$z))) flips" ]
	done
}

# bats test_tags=format
@test "a flipped bit in any format causes no crash, hang or large memory" {
	for f in $formats; do
		./damage flip $f >got
		[ "$(tail -n 1 got)" = "$((8 * $(wc -c <$f))) flips" ]
	done
}
