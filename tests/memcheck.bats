#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec stream sum view
# Nothing depends on memory that was never set, which sanitizers do not notice.

load tools.bash

# checked COMMAND...: under Valgrind, which finds nothing; its output in `got`.
checked() {
	valgrind -q --error-exitcode=99 --leak-check=no "$@" >got 2>err || {
		printf 'command: %s\nstatus %s: %s\n' "$*" "$?" "$(cat err)" >&2
		return 1
	}
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	examples=$TESTS/../share/examples
}

# bats test_tags=format
@test "reading each format" {
	local files=()
	for f in "$examples"/*; do
		prof-cat --probe "$f" >probe || continue
		grep -q ': gmon' probe && continue
		grep -q ": ${FORMAT-}" probe || continue
		files+=("$f")
	done
	[ ${#files[@]} -ge 30 ] || [ -n "${FORMAT-}" ]
	[ ${#files[@]} -gt 0 ] || return 0
	# In one process, since Valgrind takes longer to begin than to read.
	checked prof-cat --quiet "${files[@]}"
	[ "$(grep -c '^part' got)" -ge ${#files[@]} ]
	[ "$(tail -n 1 got)" = end ]
	for f in "$examples"/{wordcount.callgrind.zst,tasks.pprof.gz,calc.perf.zst}; do
		checked prof-top --quiet "$f"
		[ "$(wc -l <got)" -gt 3 ]
	done
}

@test "reading gmon.out, with symbols" {
	for f in calc.gmon.zst calc.gmon-bsd44 calc.gmon-bsd; do
		checked prof-top --quiet --syms "$examples/calc.syms" "$examples/$f"
		grep -q ' find ' got
	done
	gcc -g -pg -o calc "$examples/calc.c"
	echo 'x = 1 + (2 * 3)' | ./calc
	checked prof-cat ./calc
	[ "$(tail -n 1 got)" = end ]
}

@test "writing each format, and a filter of each kind" {
	f=$examples/wordcount.callgrind.zst
	for format in callgrind cachegrind json 'folded --estimate --events Ir' \
	    'speedscope --estimate' 'firefox --estimate' 'cpuprofile --estimate --events Ir' 'tsv --records call'; do
		checked prof-to $format --quiet "$f"
		[ -s got ]
	done
	checked prof-to gmon --quiet --syms "$examples/calc.syms" "$examples/calc.gmon.zst"
	checked prof-grep -A 1 -v insert "$f"
	checked prof-cat --quiet --rules no-runtime "$f"
	checked prof-merge --quiet "$f" "$f"
	checked prof-diff --tsv --quiet "$f" "$examples/wordcount-hash.callgrind.zst"
	[ -s got ]
}

@test "trees and annotations" {
	f=$examples/wordcount.callgrind.zst
	checked prof-tree --quiet --width 60 "$f"
	grep -q 'insert' got
	checked prof-tree --quiet --tsv --callers --function . "$f"
	[ "$(wc -l <got)" -gt 20 ]
	checked prof-tree --quiet --markdown --min 0 "$examples/calc.perf.zst"
	grep -q 'sum; product  (rec)' got
	prof-diff --quiet "$f" "$examples/wordcount-hash.callgrind.zst" >diff
	checked prof-tree --quiet diff
	grep -q 'new  ' got
	checked prof-annotate --quiet -I "$examples" "$f"
	grep -q 'tolower(c)' got
	checked prof-annotate --quiet --tsv "$f"
	[ "$(wc -l <got)" -gt 10 ]
}
