#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# The tests themselves: that they can fail, wherever they run, and what they add up to.

load helper.bash

# unheeded FILE...: assertions of which bash does not heed the status, as far as a line
# shows.
unheeded() {
	perl -ne '
	# What follows "!" never ends a test, what follows "||" then does ("! -name" is of
	# find).
	my $bad = /^\s*! (?!-)/ && !/ \|\| /;
	# Nor does what stands before "&&".
	(my $bare = $_) =~ s/\x27[^\x27]*\x27|"[^"]*"//g;
	$bad ||= $bare =~ /^\s*(\[|\[\[|test|grep|cmp|diff|same|lacks|silent|fails_with|exits_with) [^|]*&&/ &&
	    $bare !~ /\|\||&& (continue|break|return)\b/;
	# `run` takes any status; `run !` that of a program that crashed or is not there.
	$bad ||= /^\s*(\w+=\S* )*run (?!-\d)[^-\s]/ || /^\s*run --\S+ (?!-\d)/;
	# `local` has a status of its own.
	$bad ||= /\b(local|declare|export|readonly) .*\w="?\$\(/;
	# With pipefail what is written to one who stops reading fails now and then.
	$pipefail{$ARGV} ||= /^load (helper|tools)|^(set|:) .*pipefail/;
	$bad ||= $pipefail{$ARGV} && $bare =~ /[^|]\| (grep -\w*q|head -[nc]? *\d)/;
	print "$ARGV:$.: $_" if $bad;
	close ARGV if eof' "$@"
}

@test "no assertion is one that bash does not heed" {
	unheeded "$repo"/tests/*.bash $(cd "$repo" && printf "$repo/%s\n" tests/*.bats tests/*/*.bats |
		grep -v '/tests\.bats$') >got
	cat got
	[ ! -s got ]
}

@test "assertions that are not heeded are seen" {
	cat >bad <<-'E'
	! grep x file
	    ! prof-cat x | grep y
	[ -s yes ] && [ -s no ]
	[[ $x = y ]] && cmp a b
	cmp a b && cmp b c
	run prof-cat x
	run ! grep x file
	A=b run prof-cat x
	: pipefail
	prof-cat x | grep -qx end
	prof-cat x | head -n 3 >got
	run --separate-stderr prof-cat x
	local f=$(real both) x
	local a f="$(real both)"
	E
	grep -v pipefail bad >want
	unheeded bad | sed 's/^bad:[0-9]*: //' | same want -
	cat >good <<-'E'
	! -name '*.zst' | sort
	if ! grep x file; then return 1; fi
	! grep x file || false
	[ -s yes ] || [ -s no ]
	[ $f = empty ] && a=1 || a=2
	cmp a b && continue
	grep -q x file || head -n 3 file | has x
	run -1 --separate-stderr prof-cat x
	run --separate-stderr -1 prof-cat x
	TMPDIR=x run -2 prof-cat x
	local f=$BATS_FILE_TMPDIR/x
	E
	unheeded good >got
	[ ! -s got ]
}

# apart COMMAND...: it knows of no bats and no make that run this.
apart() {
	env -u MAKEFLAGS -u MAKELEVEL $(compgen -e | sed -n 's/^BATS_/-u &/p') \
		PATH="${PATH//"$BATS_LIBEXEC:"/}" "$@"
}

# check ARGUMENT...: `make check` of files in tests/; what it says in `out`, how it
# ends in `status`.
check() {
	rm -f status
	{ apart make BINS= TEST_PROGRAMS= B=b TESTS="$(echo tests/*.bats)" "$@" check 2>err || echo $? >status; } >out
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
	# A program that does not compile ends it before any test.
	echo '#error' >tests/bad.c
	check -k TEST_PROGRAMS=b/tests/bad.o
	[ -s status ]
	has 'tests/bad.c:1' err
	! grep -E '^ok |have run|passed' out
}

# elsewhere FILE REGEX: its tests that match, where signals are ignored and TMPDIR is
# odd.
elsewhere() {
	local tmp="$PWD/a rather/long path/to 'odd' *words* & more"
	mkdir -p "$tmp"
	TMPDIR=$tmp apart timeout -s KILL 400 perl -e '
		$SIG{$_} = "IGNORE" for qw(HUP INT QUIT PIPE TERM XCPU XFSZ);
		exec @ARGV or die' bats --tap -f "$2" "$repo/tests/$1.bats" >out 2>&1 || { cat out; return 1; }
	grep -q '^ok ' out
}

@test "make check OF=x runs the tests of a room or a tool, and each has some" {
	local of

	cd "$repo"
	find lib -mindepth 1 -maxdepth 1 -type d -printf '%f\n' >"$BATS_TEST_TMPDIR/parts"
	find cmd -name 'prof-*.c' -printf '%f\n' | sed 's/\.c$//' >>"$BATS_TEST_TMPDIR/parts"
	sed -n 's/^# of: //p' tests/*.bats | tr ' ' '\n' | sort -u >"$BATS_TEST_TMPDIR/named"
	sort "$BATS_TEST_TMPDIR/parts" | same "$BATS_TEST_TMPDIR/named" -
	for of in symbol prof-view; do
		apart make -n OF=$of check >"$BATS_TEST_TMPDIR/out"
		grep -oE 'check-[a-z_]+' "$BATS_TEST_TMPDIR/out" | sed 's/^check-//' | sort -u >"$BATS_TEST_TMPDIR/got"
		grep -lE "^# of: (.* )?$of( |\$)" tests/*.bats | sed 's/.*\///; s/\.bats$//' |
			grep -v '^multilib$' | sort | same - "$BATS_TEST_TMPDIR/got"
	done
	! apart make OF=nonsense check >"$BATS_TEST_TMPDIR/out" 2>&1
	grep 'OF=nonsense: expected a room of lib/ or a tool' "$BATS_TEST_TMPDIR/out"
}

@test "where tests run and which signals are ignored there does not matter" {
	needs tests/fuzz/replay
	elsewhere killed '^-o leaves'
	elsewhere contract 'SIGPIPE|interrupted'
	elsewhere fuzz ''
	elsewhere zip ISA-L
}

# What the search sees in place of prof-cat: it takes what its input says.
@test "inputs that cost too much are found, and others are not" {
	needs tests/cost/measure
	mkdir bin keep
	cat >bin/prof-cat <<-'E'
	#!/usr/bin/perl
	local $/; open my $f, '<', $ARGV[-1]; $_ = <$f>;
	kill SEGV => $$ if $ENV{CRASH};
	my $x = "x" x ($ENV{GREEDY} // 0);
	# The cube stands out also where processor time is measured badly.
	if ($ENV{CUBE}) { my $n = (() = /\n/g) / 64; for my $i (0 .. $n * $n) { $x += $_ for 0 .. $n } }
	print;
	E
	chmod +x bin/prof-cat
	search() {
		env "$@" "$repo/tests/cost/search" -b "$bytes" -k keep bin \
			"$PROF_BUILD/tests/cost/measure" '^prof:functions$' '^cat IN$'
	}
	bytes=50000
	search A=b >got
	echo '0 findings' | same - got
	run -1 search CRASH=1
	[[ "$output" = 'signal '*'prof:functions: prof-cat IN'*'1 findings' ]]
	run -1 search GREEDY=600000000
	[[ "$output" = 'memory '* ]]
	[ -s keep/prof:functions.cat_IN ]
	bytes=250000
	run -1 search CUBE=1
	[[ "$output" = 'growth '* ]]
}

@test "inputs are made up of small ones, the same for the same seed" {
	made() {
		perl -e 'my $at = shift; require "$at/shapes.pl"; require "$at/mutants.pl";
			srand shift; print mutant(text_of("prof:calls-chain", 3))->(9) for 1 .. 20' \
			"$repo/tests/cost" "$1"
	}
	made 1 >one
	made 1 | same one -
	made 2 >two
	[ "$(cmp one two | wc -l)" -eq 1 ]
	# Most of them are streams, and longer than what they are of.
	made 3 | csplit -s -z - '/^prof	1/' '{*}'
	for f in xx*; do
		if prof-cat "$f" >/dev/null 2>&1; then echo "$f"; fi
	done >taken
	[ "$(wc -l <taken)" -gt 5 ]
}
