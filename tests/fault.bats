#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec io prof-annotate prof-cat prof-diff prof-grep prof-merge prof-report prof-to prof-top prof-tree util
# Calls that fail: each of them once, in runs of all tools over all formats.

load tools.bash
load small.bash

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	"${CC:-cc}" -O1 -Wall -Wextra -Werror -fno-builtin -D_GNU_SOURCE -shared \
		-fPIC -pthread -o fault.so "$BATS_TEST_DIRNAME/fault.c" -ldl
	small_profiles
	printf 'main\nwork\n' >patterns
	cat >rules.yaml <<-'E'
	rules:
	- fold: { function: work }
	- rename: { function: 'm(.*)n', to: '\1' }
	min-share: 1%
	E
	gcc -g -O1 -pg -no-pie -o ticks "$BATS_TEST_DIRNAME"/programs/ticks.c \
		"$BATS_TEST_DIRNAME"/programs/ticks2.c
	./ticks 2
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return 1
}

# withstands FAULTS LEAST COMMAND...: it does, each of these faults in each call
# that may have it (tests/fault.c), LEAST of them at least in all.  With `-o out`
# that file is watched.
withstands() {
	local faults=$1 least=$2 f out= sum=0 calls runs
	shift 2
	case " $* " in *' -o out '*) out=out ;; esac
	for f in $faults; do
		env ${out:+FAULT_OUT=out} FAULT=$f LD_PRELOAD=./fault.so \
			TMPDIR="$PWD" "$@" >done 2>said || {
			echo "command: $*"
			cat said
			return 1
		}
		IFS=$'\t' read -r f calls runs <done
		[ -n "$runs" ]
		sum=$((sum + calls))
	done
	[ $sum -ge $least ] || { echo "only $sum calls: $*"; return 1; }
}

# What all programs here do, in each of the ways in which the system says no.
calls='open read write full close seek stat rename pipe fork thread wait dup poll mmap short eintr errno'

# bats test_tags=format
@test "any failing call while a file of any format is read is an error" {
	for f in $formats; do
		withstands "$calls" 8 prof-cat -o out $f
		withstands memory 25 prof-cat $f
	done
}

@test "whatever fails while a compressed file is read is an error" {
	for z in gz zst; do
		withstands "$calls memory" 60 prof-cat -o out callgrind.$z
		withstands "$calls" 12 prof-grep -c main prof.$z gmon.$z
	done
}

# bats test_tags=format
@test "whatever fails while a file of its format is written is an error" {
	for to in $formats; do	# those that can be written from what they are
		prof-to $to --quiet $to >again || continue
		withstands 'write full close rename' 4 prof-to $to --quiet -o out $to
		withstands 'write full short eintr memory' 40 prof-to $to --quiet $to
	done
}

@test "whatever fails while a file of another format is written is an error" {
	for to in callgrind cachegrind prof tsv json text 'folded --estimate' \
	    'speedscope --estimate' 'firefox --estimate' 'cpuprofile --estimate --events Ir'; do
		withstands 'write full close rename' 4 prof-to $to -o out callgrind
		withstands 'write full short eintr memory' 40 prof-to $to callgrind
	done
	for z in zstd gzip; do
		withstands 'write full short eintr memory' 50 prof-cat --$z callgrind
		withstands 'write full close rename memory' 50 prof-cat --$z -o out callgrind
	done
}

@test "whatever fails in a tool is an error" {
	withstands "$calls memory" 100 prof-grep -f patterns callgrind
	withstands "$calls memory" 100 prof-grep -A 1 -w main callgrind
	withstands "$calls memory" 100 prof-merge -o out callgrind prof
	withstands "$calls memory" 100 prof-merge --op median callgrind prof
	withstands "$calls" 20 prof-merge -j 2 callgrind prof
	withstands "$calls memory" 100 prof-diff -o out callgrind prof
	withstands "$calls memory" 100 prof-diff --fail-over 1% callgrind prof
	withstands "$calls memory" 100 prof-top callgrind
	withstands "$calls memory" 100 prof-top --json --callers work callgrind
	withstands "$calls memory" 100 prof-top --tsv --rules ./rules.yaml callgrind
	withstands "$calls memory" 100 prof-tree callgrind
	withstands "$calls memory" 100 prof-tree --callers --function work --json callgrind
	withstands 'write full short eintr memory' 100 prof-tree --markdown --min 0 folded
	# A source that cannot be read is not an error: the page says so.
	withstands 'write full close short eintr memory' 100 prof-annotate --function main callgrind
	FAULT_STRIDE=5 withstands memory 200 prof-merge -j 2 -o out callgrind prof
}

@test "whatever fails while names are read is an error" {
	withstands "$calls memory" 50 prof-cat --syms prog.syms -o out gmon
	withstands "$calls" 10 prof-top -b function,file,line ./ticks
	# libdw (0.188) does not look whether it was given memory, everywhere, and the loader
	# ends the program if it gets none for the variables of a thread in libdw.
	FAULT_CRASH='libdw ld-linux' withstands memory 100 prof-top -b function,file,line ./ticks
	# And regcomp() (glibc 2.36) then frees some of its own twice.
	FAULT_CRASH=libc FAULT_STRIDE=499 withstands memory 10000 prof-grep --list-rules
	mkdir -p config/prof
	ln -s rules config/prof/rules
	XDG_CONFIG_HOME=$PWD/config fails_with \
		'^prof-grep: .*config/prof/rules: Too many levels of symbolic links$' \
		prof-grep --list-rules
}
