#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: prof-annotate prof-diff prof-report prof-top prof-tree prof-view view
# What is on a screen fits it: no line is wider, and no number is truncated.

load tools.bash

@test "all tables of all examples fit all widths from 40 to 200, and have their numbers whole" {
	python3 "$BATS_TEST_DIRNAME/screen.py" "$BATS_TEST_DIRNAME/../share/examples" >got
	cat got
	has -Ex '[2-9][0-9] examples, [2-9][0-9][0-9] tables' got
	[ "$(wc -l <got)" = 1 ]
}

# widest: the most columns of a line of standard input, as Python has them.
widest() {
	python3 -c '
import sys, unicodedata as u
print(max(sum(0 if u.category(c) == "Mn" else 2 if u.east_asian_width(c) in "WF" else 1
	for c in line.rstrip("\n")) for line in sys.stdin))'
}

@test "wide and combining characters have the columns that a terminal gives them" {
	printf '%s 5\n' 'main;関数の名前はとても長いので端末の幅には収まらないかもしれない関数' \
		"main;e$(printf '\u0301%.0s' {1..60})" "main;x$(printf '\u0301x%.0s' {1..60})" >f
	local w
	for w in 40 41 60 61; do
		prof-top --quiet --width $w f >got
		[ "$(widest <got)" -le $w ]
		has '関数.*…' got
	done
	# Columns of names begin in the same place whatever is in them.
	prof-top --quiet --width 60 f | widest | has -x '60\|59'
	# What is made visible has the width of what is seen.
	printf 'main;%s 5\n' "$(printf '\001%.0s' {1..40})" >f
	[ "$(prof-top --quiet --from folded --width 60 f | widest)" -le 60 ]
}

@test "columns leave in the order that the manual states, those rows are sorted by last" {
	printf '%s\n' 'events: Ir Dr' 'fn=function_with_a_name' '1 1000000 5' 'cfn=g' 'calls=100 1' '1 2000000 7' 'fn=g' \
		'1 2000000 7' >f.cg
	# heads WIDTH [OPTION...]
	heads() {
		prof-top --quiet --width "$@" f.cg | sed -n '/function$/{s/^ *//; s/  */ /g; p; q}'
	}
	heads 120 | has -x 'self Ir % sum % inclusive % calls function'
	heads 80 | has -x 'self Ir % inclusive % calls function'
	heads 62 | has -x 'self Ir % inclusive % function'
	heads 50 | has -x 'self Ir % inclusive function'
	heads 45 | has -x 'self Ir % function'
	heads 32 | has -x 'self Ir function'
	heads 45 -k Ir.incl | has -x 'inclusive % function'
	heads 32 -k Ir.incl | has -x 'inclusive function'
	heads 38 -k calls | has -x 'self Ir calls function'
	heads 50 --events Ir,Dr | has -x 'self Ir % self Dr function'
	# With names that are shorter there is more room.
	sed 's/function_with_a_name/f/' f.cg >g.cg
	prof-top --quiet --width 55 g.cg | sed -n 3p | sed 's/^ *//; s/  */ /g' | has -x 'self Ir % inclusive % calls function'
	# Headings are truncated before a column leaves.
	printf '%s\n' 'events: an_event_with_a_long_name' 'fn=function_with_a_name' '1 10' >h.cg
	prof-top --quiet --width 45 h.cg | sed -n '/^self /p' | has '^self .*…[a-z_]*  *%.*  function$'
}

@test "lines around tables are wrapped, --help and --info on a terminal, too" {
	printf '%s\n' 'version: 1' 'creator: x' 'cmd: a command' 'events: Ir' 'fn=f' '1 5' >f.cg
	prof-top --width 30 f.cg | sed -n 1,2p | diff - <(printf '%s\n' '5 Ir in 1 profile, 1 part: a' '  command')
	on_terminal 40 24 'prof-cat --info f.cg' >got
	has -x 'command: a command' got
	on_terminal 30 24 'prof-top --help' >got
	[ "$(widest <got)" -le 30 ]
	on_terminal 30 24 'prof-top --help' | has '^ *--min COL>N,...$'
	prof-top --help | has -e '--min COL>N,... *hide rows below this'
}

@test "a table without rows has its headings" {
	echo 'm;f 5' >f
	prof-top --quiet --width 60 --callers '^m$' f | has -x 'samples  %  calls  caller'
	echo 'm;g 6' | prof-diff --quiet f - >diff
	prof-top --quiet --width 60 --callers '^m$' diff | has -x 'old samples  new  change  %  caller'
	prof-top --quiet --width 40 --callers '^m$' diff | has -x 'change  %  caller'
	printf 'prof|1\npart|1\nevent|0|an_event|ns|-|-\nend\n' | tr '|' '\t' | prof-top --width 60 | has -x 'self an_event/ns  %  calls  *'
}

@test "columns of names without any have no heading" {
	printf '%s\n' 'events: Ir' 'ob=/x/an_object_of_a_program' 'fl=a_file_of_it.c' 'fn=function_with_a_long_name' '1 5' \
		'ob=/x/another_object_of_it' 'fn=function_with_another_name' '1 6' >f.cg
	prof-top --quiet --width 60 f.cg | sed -n 3p | has '  function$'
	prof-top --quiet --width 120 f.cg | sed -n 3p | has '  function  file  object$'
}

@test "a table of records loses what accompanies its names, then its last numbers, and cuts none" {
	printf '%s\n' 'events: Instructions_that_were_executed Dr Dw' 'ob=/usr/lib/an_object_of_it' 'fl=a_source_file_of_it.c' \
		'fn=a_function_with_a_long_name' '12345 123456789 123456789 123456789' 'fl=another_file_of_this_program.c' \
		'fn=another_function_of_it' '12346 1 2 123456789' >f.cg
	# heads WIDTH: the names of the columns, and the numbers of a row
	heads() {
		on_terminal "$1" 50 'prof-cat f.cg' | sed 's/\x1b[^m]*m//g' >got
		[ "$(widest <got)" -le "$1" ]
		sed -n '/^record  function/{N; s/\n/ /; s/   */ /g; p; q}' got
	}
	local n='123,456,789'
	heads 200 | has -x "record function object file line Instructions_that_were_executed Dr Dw cost a_function_with_a_long_name \
/usr/lib/an_object_of_it a_source_file_of_it.c 12345 $n $n $n"
	heads 80 | has -x "record function line Instr…ecuted Dr Dw cost a_fun…g_name 12345 $n $n $n"
	heads 60 | has -x "record function line Instr…ecuted Dr cost a_fun…g_name 12345 $n $n"
	heads 40 | has -x "record function Instr…ecuted cost a_fun…g_name $n"
}

@test "a bold row is bold to its end" {
	printf '%s\n' 'm;f 85' 'm;g 9' 'm;h 6' >old
	prof-top --color=always --quiet --callers '^f$' --callees '^f$' old >got
	has $'^\e\\[1m.*\e\\[38;5;208m85.00\e\\[0;1m .* f\e\\[0m$' got
}

# scale VALUE UNIT [SCALE [SAMPLE]]: the total of a profile and its column, in one line.
scale() {
	printf 'prof|1\npart|1\nevent|0|e|%s|-|-%s\nfunc|0|f|-|-|-\nfunc|1|g|-|-|-\ncost|0|-|1|-|%s\ncost|1|-|1|-|%s\nend\n' \
		"$2" "${3:+${4:+|sample=$4}|scale=1/$3}" "$(($1 - ${4-1}))" "${4-1}" | tr '|' '\t' >p
	prof-top p | sed -n 1p | sed 's/ in 1.*//'
	prof-top p | sed -n '3,5s/^ *\(self \S*\|\S*\) .*/\1/p'
}

@test "time and bytes are in a unit that suits the total, the same in all rows" {
	scale 916399643 ns | xargs | has -x '916.4 ms of e self e/ms 916.4 0.0'
	scale 54000000 ns | xargs | has -x '54.00 ms of e self e/ms 54.00 0.00'
	scale 1570000 us | xargs | has -x '1.570 s of e self e/s 1.570 0.000'
	scale 5400 s | xargs | has -x '5,400 s of e self e/s 5,399 1'
	scale 54 ns | xargs | has -x '54 ns of e self e/ns 53 1'
	scale 999999 ns | xargs | has -x '1000.0 us of e self e/us 1000.0 0.0\|1,000.0 us of e self e/us 1,000.0 0.0'
	scale 1024 B | xargs | has -x '1.000 KiB of e self e/KiB 0.999 0.001'
	scale 67361 B | xargs | has -x '65.78 KiB of e self e/KiB 65.78 0.00'
	scale 1023 B | xargs | has -x '1,023 B of e self e/B 1,022 1'
	scale 5000000000000 B | xargs | has -x '4.547 TiB of e self e/TiB 4.547 0.000'
	# Fractions of a unit have no more digits than they are of.
	scale 157 s 100 | xargs | has -x '1.57 s of e self e/s 1.56 0.01'
	scale 5 s 100 | xargs | has -x '50 ms of e self e/ms 40 10'
	# Nor than the samples that they are made of, as the ticks of gprof are.
	scale 157000000 s 100000000 1000000 | xargs | has -x '1.57 s of e self e/s 1.56 0.01'
	scale 5000000 s 100000000 1000000 | xargs | has -x '50 ms of e self e/ms 40 10'
	scale 157000000 s 100000000 999983 | xargs | has -x '1.570 s of e self e/s 1.560 0.010'
	scale 157 ticks | xargs | has -x '157 ticks of e self e/ticks 156 1'
	# All digits are there.
	scale 916399643 ns >/dev/null
	prof-top --exact p | sed -n 1p | has '^916,399,643 ns of e in'
	prof-top --exact p | has '^916,399,642  *100.00'
	[ "$(prof-top --tsv p | tail -n +2 | cut -f 5)" = $'916399642\n1' ]
	# Minima are in the unit of the profile.
	[ "$(prof-top --tsv --min 'e>1000' p | wc -l)" = 2 ]
	printf 'm;f 5\nm;g 6\n' >f
	prof-top f | has '^ *6  54.55'
}

@test "a difference, a tree and annotated source have the same units" {
	local a=$TESTS/../share/examples/tasks.pprof.gz b=$TESTS/../share/examples/tasks-sieve.pprof.gz
	prof-diff -n 1 $a $b >got
	has '^-220.0 ms of cpu' got
	has '^ *220.0 *0.0 *-220.0 *gone' got
	prof-diff -n 1 --exact $a $b | has '^ *220,000,000 *0 *-220,000,000 *gone'
	prof-tree -n 1 $a | has '^ *540.0  100.00'
	prof-tree --exact -n 1 $a | has '^540,000,000  100.00'
	prof-annotate $a 2>/dev/null | has ': [0-9.]* ms of cpu'
	prof-annotate --exact $a 2>/dev/null | has ': [0-9,]* ns of cpu'
}

@test "pictures and messages of gates have the same units in their headings" {
	local a=$TESTS/../share/examples/tasks.pprof.gz b=$TESTS/../share/examples/tasks-sieve.pprof.gz
	prof-diff --quiet $a $b >diff
	prof-to dot --quiet $a | has 'label="540.0 ms of cpu in 1 profile, 1 part'
	prof-to dot --quiet diff | has 'label="-220.0 ms of cpu between two profiles'
	prof-to svg --quiet --static $a | has '>cpu: 540.0 ms<'
	prof-to svg --quiet --static diff | has '>cpu: old 540.0 ms, new 320.0 ms (-40.74 %)<'
	# The frames have all digits.
	prof-to svg --quiet --static $a | has 'all$'
	prof-to svg --quiet --static $a | has '^540,000,000 ns, 100.00 %'
	# What has no unit is a number of its name.
	echo 'm;f 12' >x.folded
	prof-to svg --quiet --static x.folded | has '>12 samples<'
	contradicts() {
		printf 'prof|1\npart|1\nevent|0|e|ns|-|-\nfunc|0|f|-|-|-\ncost|0|-|1|-|%s\ntotal|sum|%s\nend\n' "$1" "$2" |
			tr '|' '\t'
	}
	contradicts 3000000 3000000 >old
	contradicts 3000000 2500000 >new
	prof-diff --fail-over 5% old new 2>&1 | has "new profile, 2.500 ms, is less than what its rows cost, 3.000 ms: both"
	prof-diff --exact --fail-over 5% old new 2>&1 | has "profile, 2,500,000 ns, is less than .* cost, 3,000,000 ns: both"
	# Where they look the same, all digits are needed.
	contradicts 3000000 2999600 >new
	prof-diff --fail-over 5% old new 2>&1 | has "profile, 2,999,600 ns, is less than .* cost, 3,000,000 ns: both"
}

@test "colours: what costs much, and what has changed, orange and blue" {
	printf '%s\n' 'm;f 85' 'm;g 9' 'm;h 6' >old
	printf '%s\n' 'm;f 70' 'm;g 19' 'm;k 6' >new
	prof-top --color=always old | has $'  \e\\[38;5;208m85.00\e\\[0m  '
	prof-top --color=always old | has '   9.00  '
	prof-diff --color=always -n 0 old new >got
	has $'\e\\[38;5;39m-15\e\\[0m .*\e\\[38;5;39m-17.65\e\\[0m' got
	has $'\e\\[38;5;208m+10\e\\[0m' got
	has $'\e\\[38;5;208mnew\e\\[0m' got
	has $'\e\\[38;5;39mgone\e\\[0m' got
	prof-diff -n 0 old new | diff - <(sed 's/\x1b\[[0-9;]*m//g' got)
	NO_COLOR=1 on_terminal 80 24 'prof-diff old new' | lacks /dev/stdin '38;5'
	on_terminal 80 24 'prof-diff old new' | has '38;5;39m'
}
