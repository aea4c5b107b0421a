#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: util
# The reader of JSON: against JSON::PP and jq, on generated texts, valid and damaged.

load helper.bash

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	needs tests/json
	ln -s "$PROF_BUILD/tests/json" .
	"$BATS_TEST_DIRNAME/json.pl" good 2000 >good
	"$BATS_TEST_DIRNAME/json.pl" bad 6000 >bad
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return 1
}

# read_as EXPECTED: what it makes of standard input, a text in each line.
read_as() {
	./json | same <(printf '%s\n' "$@") -
}

@test "valid texts are read, each value and each escape" {
	cut -f 1 good | ./json >got
	cut -f 2 good | same - got
	grep -q '{s.*:{' got
	grep -q '\[\[' got
	# jq finds the same of them to be valid, and the same strings.
	cut -f 1 good | grep -vi '\\ud[89a-f]' | jq -c . >/dev/null
}

@test "damaged texts are rejected if JSON::PP rejects them" {
	cut -f 1 bad | ./json | sed 's/.* wrong$/wrong/; t; s/.*/right/' >got
	cut -f 2 bad | paste - got bad | awk -F '\t' '$1 != $2' >differ
	cat differ
	[ ! -s differ ]
	[ "$(grep -c wrong got)" -gt 2000 ]
	[ "$(grep -c right got)" -gt 500 ]
}

@test "under Valgrind nothing is read that is not there" {
	local under='valgrind -q --error-exitcode=9'

	case ${PROF_BUILD-} in *-san*) under= ;; esac	# sanitizers see it, too
	head -n 300 bad | cut -f 1 | $under ./json >got
	[ "$(wc -l <got)" = 300 ]
}

@test "texts that are truncated at each byte are wrong, but for numbers" {
	text='{"a":[1,{"b\u00e9\ud83d\ude00":"x\n"},true,null],"c":-1.5e+3}'
	for i in $(seq 0 $((${#text} - 1))); do
		printf '%s\n' "${text:0:i}"
	done | ./json >got
	[ "$(grep -vc ' wrong$' got)" = 0 ]
	[ "$(wc -l <got)" = ${#text} ]
}

@test "depth is bounded" {
	nested() {
		perl -e 'print "[" x $ARGV[0], "]" x $ARGV[0], "\n"' "$1"
	}
	nested 20000 | ./json | lacks - wrong
	nested 20001 | ./json | has ' wrong$'
}

@test "texts that are not JSON, though some readers accept them" {
	read_as ' wrong' '[n1,, wrong' 'n0 wrong' ' wrong' ' wrong' ' wrong' '{s61:n1, wrong' \
		'{ wrong' <<-'E'
	NaN
	[1,]
	01
	+1
	.5
	'a'
	{"a":1,}
	{a:1}
	E
	printf '\xef\xbb\xbf[]\n' | read_as '[]'
}

# numbers_as KIND EXPECTED...: what it makes of numbers, one in each line.
numbers_as() {
	./json "$1" | same <(printf '%s\n' "${@:2}") -
}

@test "numbers are exact, or rounded to nearest, or too large" {
	numbers_as 0 1 30 wrong wrong 0 '~0' 100000000000000000000000000000000000000 <<-'E'
	1e0
	3e1
	1e300
	1e99999999999999999999
	0e300
	1e-300
	1e38
	E
	# Halves go away from 0.
	numbers_as 0 '~1' '~3' '~-3' '~2' '~3' '~0' <<-'E'
	0.5
	2.5
	-2.5
	2.4999999999
	2.5000000001
	0.4
	E
	numbers_as 3 1500 '~1' '~-2' 1 <<-'E'
	1.5
	0.0005
	-0.0015
	0.001
	E
	# As far as a power of ten fits, and one farther.
	numbers_as 0 '~1' '~0' <<-'E'
	0.99999999999999999999999999999999999999
	0.099999999999999999999999999999999999999
	E
}

@test "numbers of any length are exact where they fit, and rounded only after that" {
	local zeros nines
	zeros=$(printf '%0100d' 0)
	nines=${zeros//0/9}
	numbers_as 0 1 '~1' -1 10 0 0 '~0' 1 '~1' wrong wrong <<-E
	1.$zeros
	1.${zeros}1
	-1.$zeros
	0.${zeros}1e102
	0.$zeros
	0.${zeros}e200
	0.${zeros}1
	1${zeros}e-100
	0.$nines
	1$zeros
	1.${zeros}1e101
	E
	# The fraction nearest to 0.1 that a double has, and a half.
	numbers_as 3 '~100' '~101' '~-101' '~100' <<-E
	0.1000000000000000055511151231257827021181583404541015625
	0.1005$zeros
	-0.1005$zeros
	0.1004$nines
	E
	numbers_as 0 170141183460469231731687303715884105727 '~wrong' \
		-170141183460469231731687303715884105728 wrong <<-'E'
	170141183460469231731687303715884105727.0
	170141183460469231731687303715884105727.5
	-170141183460469231731687303715884105728.00
	-170141183460469231731687303715884105729
	E
}

@test "whole numbers, as such or as strings, and their limits" {
	numbers_as int 5 -5 5 -5 0 wrong wrong wrong wrong wrong <<-'E'
	5
	-5
	"5"
	"-5"
	"0"
	"-"
	""
	"5x"
	"--5"
	5.5
	E
	numbers_as u64 9223372036854775808 18446744073709551615 18446744073709551615 wrong wrong 0 <<-'E'
	9223372036854775808
	18446744073709551615
	"18446744073709551615"
	18446744073709551616
	-1
	0
	E
}

@test "half a pair of surrogates is no character, whatever follows it" {
	printf '%s\n' '"\ud800\udc00"' '"\ud800\ue000"' '"\ud800\ud800"' '"\ud83f\udfff"' |
		read_as sF0908080 sEFBFBDEE8080 sEFBFBDEFBFBD sF09FBFBF
}
