#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec io prof-cat prof-grep prof-top
# Threads, as the thread sanitizer sees them: those that digest Callgrind's lines, and the one
# that decompresses.

load helper.bash

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	needs watched/prof
	# Several blocks, of many pieces each.
	zstd -qdf "$repo/share/examples/wordcount.callgrind.zst" -o lines
	cat lines lines lines lines lines lines >good
	[ "$(wc -c <good)" -gt $((2 << 18)) ]
	sed '40000s/.*/+1 x/' good >bad
	for f in good bad; do
		zstd -qf $f
		gzip -nkf $f
	done
	head -c 20000 good.zst >cut.zst
	printf 'x\n' | cat - good | zstd -q >not.zst
}

# The sanitizer of some compilers needs addresses that are not random, and some systems do
# not allow that.
watched() {
	local fixed=
	! setarch -R true 2>/dev/null || fixed='setarch -R'
	TSAN_OPTIONS='halt_on_error=1 exitcode=66' $fixed "$PROF_BUILD/watched/prof" "$@"
}

# alike STATUS COMMAND...: a command of both programs has the same output, messages and status,
# with any number of threads.
alike() {
	local want=$1 jobs status=0
	shift
	"prof-$1" -j 1 "${@:2}" >want.out 2>want.err || status=$?
	[ $status -eq "$want" ]
	for jobs in 2 4; do
		status=0
		watched "$1" -j $jobs "${@:2}" >got.out 2>got.err || status=$?
		diff -u want.err got.err
		diff -q want.out got.out
		[ $status -eq "$want" ]
	done
}

@test "threads that digest lines do not race" {
	alike 0 top $made/good
	alike 0 cat $made/good
	alike 0 grep main $made/good
	alike 2 top $made/bad
	alike 0 cat --lenient $made/bad
	has 'bad:40000: ' <want.err
}

@test "the thread that decompresses does not race" {
	local zip
	for zip in zst gz; do
		alike 0 top $made/good.$zip
		alike 2 top $made/bad.$zip
	done
	alike 0 cat --lenient $made/bad.zst
	alike 2 top $made/cut.zst
	has 'is truncated' <want.err
	alike 2 top $made/not.zst
}

@test "a race is seen" {
	cat >race.c <<-'C'
	#include <pthread.h>
	static int n;
	static void *add(void *arg) { n++; return arg; }
	int main(void)
	{
		pthread_t t;
		pthread_create(&t, 0, add, 0);
		n++;
		pthread_join(t, 0);
		return 0;
	}
	C
	"${CC:-cc}" -O1 -fsanitize=thread -pthread -o race race.c
	PROF_BUILD=$PWD
	mkdir watched && mv race watched/prof
	run -66 watched
	has 'data race' <<<"$output"
}
