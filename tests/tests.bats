#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# The tests themselves: what they add up to.

load helper.bash

# apart COMMAND...: it knows of no bats and no make that run this.
apart() {
	env -u MAKEFLAGS -u MAKELEVEL $(compgen -e | sed -n 's/^BATS_/-u &/p') \
		PATH="${PATH//"$BATS_LIBEXEC:"/}" "$@"
}

# check ARGUMENT...: `make check` of files in tests/; what it says in `out`, how it
# ends in `status`.
check() {
	rm -f status
	{ apart make CMDS= B=b TESTS="$(echo tests/*.bats)" "$@" check 2>err || echo $? >status; } >out
}

@test "make check ends with the sum of its files" {
	local j

	cp "$repo/Makefile" "$repo/VERSION" .
	mkdir tests
	cp "$repo/tests/sum" tests
	printf '@test "%s" { true; }\n' a b c >tests/one.bats
	printf '@test "%s" { true; }\n' d e >tests/two.bats
	for j in -j1 -j2 -k; do
		check $j
		cat out err
		[ ! -e status ]
		[ "$(tail -n 1 out)" = '5 passed, 0 failed' ]
		[ "$(grep -c '^ok ' out)" = 5 ]
	done
	# One that fails ends it, unless -k says to go on.
	printf '@test "%s" { %s; }\n' f true g false h skip >tests/fails.bats
	for j in -k -kj2; do
		check $j
		[ -s status ]
		grep '^ok .*# skip' out
		printf '1 skipped\n6 passed, 1 failed\n' >want
		tail -n 2 out | same want -
	done
	check -j1
	[ -s status ]
	printf '%s: 0 of its tests have run\n' one two >want
	printf '1 skipped\n1 passed, 1 failed\n' >>want
	tail -n 4 out | same want -
	# So does one that has nothing, or not all that it said.
	: >tests/fails.bats
	check -k
	[ -s status ]
	printf 'fails: 0 of its tests have run\n5 passed, 0 failed\n' >want
	tail -n 2 out | same want -
	printf '@test "%s" { %s; }\n' f true g 'kill -9 $PPID $$' h true >tests/fails.bats
	check -k
	[ -s status ]
	grep -x 'fails: 1 of 3 tests have run' out
	# The status of bats counts, too, whatever it has printed.
	rm tests/fails.bats
	printf '#!/bin/sh\necho 1..1; echo ok 1; exit 1\n' >bats
	chmod +x bats
	check -k BATS=./bats
	[ -s status ]
	[ "$(tail -n 1 out)" = '2 passed, 0 failed' ]
}
