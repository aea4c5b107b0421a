#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# What is on a screen fits it: no line is wider, and no number is cut.

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
	# Headings are cut before a column leaves.
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
	prof-top --help | has -e '--min COL>N,... *leave out rows with less'
}

@test "columns of names without any have no heading" {
	printf '%s\n' 'events: Ir' 'ob=/x/an_object_of_a_program' 'fl=a_file_of_it.c' 'fn=function_with_a_long_name' '1 5' \
		'ob=/x/another_object_of_it' 'fn=function_with_another_name' '1 6' >f.cg
	prof-top --quiet --width 60 f.cg | sed -n 3p | has '  function$'
	prof-top --quiet --width 120 f.cg | sed -n 3p | has '  function  file  object$'
}
