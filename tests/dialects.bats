#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# Callgrind's format as other programs than Callgrind write it: by themselves where Debian
# has them, by hand elsewhere.

load helper.bash

# xdebug NAME [OPTION...] SCRIPT: Xdebug's profile in xdebug/NAME.
xdebug() {
	local name=$1 options=() o
	shift
	for o in "${@:1:$#-1}"; do
		options+=(-d "xdebug.$o")
	done
	php -d xdebug.mode=profile \
		-d xdebug.output_dir="$PWD/xdebug" -d xdebug.profiler_output_name="$name" \
		"${options[@]}" "${!#}" >"xdebug/$name.said" 2>/dev/null
}

xtree() {
	local out=$1 tool=$2
	shift 2
	valgrind --tool="$tool" "$@=$out" ./blocks >/dev/null 2>"$out.said"
}

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	cp "$repo"/tests/programs/calls.* "$repo"/tests/programs/samples.rb .
	printf '<?php\nfunction more() { return array_sum(range(1, 1000)); }\nmore();\n' \
		>'more calls.php'
	mkdir xdebug ruby
	xdebug plain use_compression=0 calls.php
	xdebug appended use_compression=0 calls.php
	xdebug appended use_compression=0 profiler_append=1 'more calls.php'
	ruby-prof --printer=call_tree --file=ruby calls.rb >/dev/null
	ruby samples.rb samples.dump
	stackprof --callgrind samples.dump >stackprof.out
	perl -d:NYTProf calls.pl >/dev/null
	nytprofcg --file nytprof.out --out nytprof.callgrind >/dev/null
	python3 -m cProfile -o calls.pstats calls.py
	pyprof2calltree -i calls.pstats -o pyprof.out >/dev/null
	"${CC:-cc}" -g -O0 -o blocks "$repo/tests/programs/blocks.c"
	xtree memory.kcg memcheck --xtree-memory=full --xtree-memory-file
	xtree allocs.kcg memcheck --xtree-memory=allocs --xtree-memory-file
	xtree threads.kcg helgrind --xtree-memory=full --xtree-memory-file
	xtree leaks.kcg memcheck --leak-check=full --xtree-leak=yes --xtree-leak-file
	rm -f ./*.out.[0-9]*
}

# All that was made.
made() {
	printf '%s\n' $made/xdebug/{plain,appended} $made/ruby/* $made/*.out \
		$made/nytprof.callgrind $made/*.kcg | grep -v nytprof.out
}

# back FILE...: each is read without a word but a note, and the same when it was written back.
back() {
	local f
	for f; do
		silent prof-cat --quiet --from callgrind "$f" >want.prof
		prof-to callgrind --from callgrind --strict --quiet "$f" >back.out
		silent prof-cat --quiet back.out >back.prof
		same want.prof back.prof || { echo "$f"; return 1; }
	done
}

# field FILE FUNCTION COLUMN: of prof-top's table.
field() {
	prof-top --quiet --tsv -n 0 "$1" | NAME=$2 awk -F '\t' -v c="$3" '
	NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } next }
	$at["function"] == ENVIRON["NAME"] { print $at[c] }'
}

# calls FILE FUNCTION: how often it was called, by itself, too.
calls() {
	prof-cat --quiet "$1" | NAME=$2 awk -F '\t' '
	$1 == "func" && $3 == ENVIRON["NAME"] { f[$2] = 1 }
	$1 == "call" && f[$6] { n += $9 }
	END { print n + 0 }'
}

# events FILE: name, unit and attributes of each.
events() {
	prof-cat "$1" | awk -F '\t' '$1 == "event" { print $3, $4, $7 }'
}

# Self costs in a file of one position, a word for each event.
sums() {
	awk '
	/^events:/ { n = NF - 1 }
	/^calls=/ { getline; next }
	/^[0-9]/ { for (i = 2; i <= NF; i++) s[i - 1] += $i }
	END { for (i = 1; i <= n; i++) printf "%s%.0f", (i > 1 ? " " : ""), s[i]; print "" }' "$1"
}

xdebug_head() {
	printf 'version: 1\ncreator: xdebug %s\ncmd: /t.php\npart: 1\npositions: line\n\nevents: %s\n\n' \
		"$1" "$2"
}

# ---- all of them ----

@test "each profiler's files are read without a message, and written back" {
	[ "$(made | wc -l)" -ge 11 ]
	back $(made)
}

@test "self costs add up to those of the lines" {
	for f in $(made | grep -v kcg); do
		[[ $f == *appended ]] || [ "$(prof-cat "$f" | self_sums)" = "$(sums "$f")" ]
	done
}

@test "callgrind_annotate has the same costs of Xdebug's and NYTProf's functions" {
	for f in xdebug/plain nytprof.callgrind; do
		# These are no paths, and have colons.
		sed 's/php:internal/php-internal/; s/\(eval.*\):/\1-/' "$made/$f" >file.out
		callgrind_annotate --threshold=100 --auto=no file.out |
			perl "$repo/tests/real/annotate.pl" >want
		# shellcheck disable=SC2046
		prof-top --by file,function --tsv file.out | perl "$repo/tests/real/table.pl" "$PWD" \
			$(sed -n 's/^events: *//p' file.out) | sed 's/\\\\/\\/g' >got
		# It leaves out what costs nothing.
		awk -F '\t' 'NR == FNR { w[$1 FS $2] = 1; next } w[$1 FS $2]' want got >known
		[ "$(wc -l <want)" -ge 8 ]
		same want known
	done
}

# ---- Xdebug ----

@test "Xdebug's time is in seconds, its memory in bytes" {
	[ "$(events $made/xdebug/plain)" = 'Time_(10ns) s scale=1/100000000
Memory_(bytes) B ' ]
	# usleep(20000), whatever else the machine does.
	prof-top -n 0 $made/xdebug/plain >out
	has ' m\?s of Time_(10ns) in 1 profile' out
	t=$(field $made/xdebug/plain php::usleep 'Time_(10ns)')
	[ "$t" -ge 2000000 ]
	[ "$t" -lt 200000000 ]
	prof-to speedscope --estimate --events 'Time_(10ns)' --quiet $made/xdebug/plain |
		has '"unit": *"nanoseconds"'
}

@test "Xdebug's calls are those of the program" {
	f=$made/xdebug/plain
	[ "$(calls $f 'App\\Tree->__construct')" = 63 ]
	[ "$(calls $f 'App\\Tree->count')" = 63 ]
	[ "$(calls $f 'App\\Tree::plant')" = 1 ]
	[ "$(calls $f php::str_repeat)" = 3 ]
	[ "$(calls $f php::range)" = 1 ]
	prof-cat $made/xdebug/plain >out
	[ "$(grep -c ^call out)" -eq "$(grep -c ^calls= $made/xdebug/plain)" ]
	has '{main}' out
	has 'require_once::.*more calls.php' out
	has -F 'App\\{closure:' out
}

@test "Xdebug's summary is the time and the peak of memory, and no sum" {
	read -r _ time peak < <(grep ^summary: $made/xdebug/plain)
	prof-cat $made/xdebug/plain | has "^total	run	$time	$peak$"
	run -1 grep '^total	sum' <(prof-cat $made/xdebug/plain)
	[ "$(prof-cat $made/xdebug/plain | self_sums)" != "$time $peak" ]
	silent prof-to callgrind $made/xdebug/plain | has "^summary: $time $peak$"
	silent prof-merge $made/xdebug/plain $made/xdebug/plain | has "^total	run	$((2 * time))"
}

@test "Xdebug 2 counts microseconds, 3 tens of nanoseconds, and they are never summed" {
	for v in 2.2.7 2.9.8; do
		{ xdebug_head $v 'Time Memory' && printf 'fl=a\nfn={main}\n1 70 80\n\nsummary: 70 80\n'; } >two
		[ "$(events two)" = 'Time us 
Memory B ' ]
	done
	{ xdebug_head 3.5.1 'Time_(10ns) Memory_(bytes)' && printf 'fl=a\nfn={main}\n1 7000 80\nsummary: 7000 80\n'; } >three
	{ xdebug_head 3.0.0alpha1 $'Time_(\xc2\xb5s) Memory_(bytes)' && printf 'fl=a\nfn={main}\n1 70 80\nsummary: 70 80\n'; } >alpha
	[ "$(events alpha)" = $'Time_(\xc2\xb5s) us \nMemory_(bytes) B ' ]
	back two three alpha
	prof-merge two three >both
	[ "$(grep -c ^event both)" -eq 4 ]
	[ "$(self_sums both | tr ' ' '\n' | sort -n | paste -sd ' ')" = '70 80 80 7000' ]
	prof-top three | has '^70.00 us of Time_(10ns) in 1 profile'
	# The time of another program, of which the unit is not known.
	sed '/^creator/d' two >none
	[ "$(events none)" = 'Time  
Memory  ' ] || [ "$(events none)" = 'Time - 
Memory - ' ]
	exits_with 2 "event 'Time' has a different unit than before: 1/1 without a unit, not 1/1 'us'" prof-merge two none
	exits_with 2 "event 'Time' has a different unit than before: 1/1 without a unit, not 1/1 'us'" prof-top two none
	back none
}

@test "Xdebug's memory may be negative" {
	{ xdebug_head 2.9.8 'Time Memory' && tabs <<-'E'; } >negative
	fl=(1) php:internal
	fn=(1) php::gc
	3 10 -4096

	fl=(2) /t.php
	fn=(2) {main}

	summary: 15 9000

	1 5 100
	cfl=(1)
	cfn=(1)
	calls=1 0 0
	3 10 -4096

	E
	prof-cat negative >out
	[ "$(self_sums out)" = '15 -3996' ]
	has '^call	1	1	3	-	0	-	-	1	10	-4096$' out
	has '^total	run	15	9000$' out
	back negative
	[ "$(field negative php::gc Time.incl)" = 10 ]
}

@test "a summary between a function and its costs changes nothing" {
	{ xdebug_head 2.6.0 'Time Memory' && printf 'fl=a\nfn={main}\n\nsummary: 9 8\n\n1 9 3\n'; } >inside
	{ xdebug_head 2.6.0 'Time Memory' && printf 'fl=a\nfn={main}\n1 9 3\n\nsummary: 9 8\n\n'; } >after
	same <(prof-cat inside | sort) <(prof-cat after | sort)
	[ "$(field inside '{main}' Time)" = 9 ]
}

@test "what Xdebug has appended is another run with names and numbers of its own" {
	prof-cat $made/xdebug/appended >out
	[ "$(grep -c '^part	' out)" -eq 2 ]
	[ "$(grep '^part	' out | cut -f 2 | sort -u | wc -l)" -eq 2 ]
	grep '^meta	cmd' out | has calls.php
	grep '^meta	cmd' out | has 'more calls.php'
	# Each part for itself is what Xdebug writes for itself.
	awk 'BEGIN { n = 1 } /^====/ { n++; next } { print > ("part" n) }' $made/xdebug/appended
	silent prof-merge part1 part2 | grep -v '^meta' >want
	silent prof-merge $made/xdebug/appended | grep -v '^meta' >got
	same want got
	prof-to callgrind --strict --quiet $made/xdebug/appended >back.out
	[ "$(grep -c '^==== NEW PROFILING FILE ===' back.out)" -eq 1 ]
	[ "$(grep -c '^fn=(1) ' back.out)" -eq 2 ]
	# One of which nothing can be read takes no number.
	sed '0,/^events:/s/^events:/no&/' $made/xdebug/appended >cut
	exits_with 0 "expected 'events:' before the first cost line" prof-cat --lenient cut
	grep '^part	' out | has -x 'part	1	positions=line'
	[ "$(grep -c '^part	' out)" -eq 1 ]
	prof-cat <out | grep '^part	' | diff - <(grep '^part	' out)
}

@test "Xdebug's profile of a killed PHP is truncated, and kept with --lenient" {
	# It writes *.gz where it was built with zlib, which Debian 12's is not.
	gzip -c $made/xdebug/plain >packed
	head -c $(($(wc -c <packed) * 2 / 3)) packed >cut
	gzip -dc <cut 2>/dev/null >whole || :
	exits_with 2 'cut' prof-cat cut
	[ "$(tail -n 1 out)" != end ]
	exits_with 2 'cut' prof-top cut
	exits_with 0 'cut' prof-cat --lenient cut
	[ "$(tail -n 1 out)" = end ]
	[ "$(grep -c '^cost' out)" -ge $(($(grep -c '^fn=' whole) - 1)) ]
	# Without its last line each line of it is whole.
	sed '/^summary:/,$d' $made/xdebug/plain >cut
	exits_with 2 "truncated: a part has no 'summary:', which Xdebug writes last" prof-top cut
	exits_with 0 "'summary:'" prof-cat --lenient cut
	same <(grep -v '^meta	skipped' out) <(prof-cat $made/xdebug/plain | grep -v '^total')
}

@test "a part of Xdebug without events comes back" {
	printf '%s\n' 'prof	1' 'part	1	positions=line' 'meta	format	callgrind' \
		'meta	creator	xdebug 3.1.0' end >none.prof
	prof-to callgrind --strict none.prof >none.out
	prof-cat --from callgrind none.out | grep -v '^total' | diff none.prof -
}

@test "other Xdebugs: uncompressed names, four events, a clone" {
	printf '\n==== NEW PROFILING FILE ====\nversion: 0.9.6\ncmd: /e.php\npart: 1\n\n%s\n\n%s\n' \
		'events: Time Memory Cycles Peakmemory' \
		'fl=/e.php
fn=test3
11 16 40 0 0

fl=/e.php
fn=test2
7 141 120 0 0
cfn=test3
calls=1 0 0
11 16 40 0 0

' >patched
	back patched
	[ "$(events patched | cut -d ' ' -f 1 | paste -sd ' ')" = 'Time Memory Cycles Peakmemory' ]
	[ "$(calls patched test3)" = 1 ]
	{ xdebug_head 3.0 'Time_(10ns) Memory_(bytes)' | sed 's/xdebug 3.0/fast-xdebug 0.1/' &&
		printf 'fl=/e.php\nfn=main\n1 700 8\n'; } >clone
	back clone
	[ "$(events clone)" = 'Time_(10ns) s scale=1/100000000
Memory_(bytes) B ' ]
}

@test "an Xdebug profile with a block per call takes memory by functions" {
	"$repo/tests/bench/xdebug" 4 >four
	"$repo/tests/bench/xdebug" 1 >one
	for p in prof-cat prof-top 'prof-to callgrind --quiet' prof-merge; do
		limited 60000 $p four >/dev/null
	done
	[ "$(prof-merge four | grep -c '^func')" -le 5000 ]
	[ "$(prof-cat four | self_sums)" = "$(sums four)" ]
	back one
}

@test "paths of Windows are bytes" {
	{ xdebug_head 3.5.1 'Time_(10ns) Memory_(bytes)' &&
		printf 'fl=(1) C:\\new app\\t.php\nfn=(1) App\\Tool->run\n5 1 2\ncfl=C:/x=y/#1.php\ncfn=require::C:/x\ncalls=1 0 0\n5 3 4\nsummary: 4 6\n'; } >windows
	prof-cat windows >out
	has -F 'C:\\new app\\t.php' out
	has -F 'App\\Tool->run' out
	has -F 'C:/x=y/#1.php' out
	back windows
	prof-to callgrind --quiet windows | has -F 'fl=(1) C:\new app\t.php'
}

# ---- Python, Ruby, Perl ----

@test "pyprof2calltree's calls and times are those of the profile" {
	python3 - $made/calls.pstats >want <<-'E'
	import pstats, sys
	for (f, l, n), (cc, nc, tt, ct, callers) in pstats.Stats(sys.argv[1]).stats.items():
	    if n in ("fib", "of", "dumps"):
	        print(n, sum(c[0] for c in callers.values()), int(tt * 1000000000 + .5))
	E
	for n in fib of dumps; do
		echo "$n $(calls $made/pyprof.out $n) $(field $made/pyprof.out $n ns)"
	done | sort >got
	# It rounds in its own way.
	paste -d ' ' <(sort want) got | awk '$1 != $4 || $2 != $5 || ($3 - $6) ^ 2 > 4 { exit 1 }'
	prof-cat $made/pyprof.out | has '^event	0	ns	-	-	Nanoseconds'
	prof-cat $made/pyprof.out | has '^file	[0-9]*	~$'
}

@test "ruby-prof's files have empty paths, and one a thread" {
	[ "$(printf '%s\n' $made/ruby/* | wc -l)" -eq 2 ]
	cat $made/ruby/* | has '^fl=$'
	# fib(8) and fib(5).
	for f in $made/ruby/*; do
		calls $f Calls::fib
	done | sort -n | paste -sd ' ' >got
	[ "$(cat got)" = '15 67' ]
	prof-merge $made/ruby/* >merged
	[ "$(calls merged Calls::fib)" = 82 ]
	prof-to callgrind --quiet $made/ruby/* | has '^fl=$'
}

@test "NYTProf's blocks of calls belong to the functions of its blocks of costs" {
	[ "$(calls $made/nytprof.callgrind Count::Down::plus)" = 210 ]
	[ "$(calls $made/nytprof.callgrind Count::Down::new)" = 20 ]
	[ "$(calls $made/nytprof.callgrind main::made)" = 3 ]
	[ "$(prof-cat $made/nytprof.callgrind | grep -c '^func.*	Count::Down::total	')" -eq 1 ]
	prof-cat $made/nytprof.callgrind | has '^file	[0-9]*	(eval 1)\['
}

@test "stackprof's calls are on the caller's line, which it has swapped" {
	prof-cat $made/stackprof.out >out
	at() {
		awk -F '\t' -v caller="$1" -v callee="$2" '$1 == "func" { f[$2] = $3 }
		$1 == "call" && f[$2] == caller && f[$6] == callee { print $4, $7 }' out
	}
	leaf=$(grep -n 'def leaf' $made/samples.rb | cut -d : -f 1)
	middle=$(grep -n 'def middle' $made/samples.rb | cut -d : -f 1)
	[ "$(at Object#middle Object#leaf)" = "$middle $leaf" ]
	# And so they are written, as who does not know it sees.
	prof-to callgrind --quiet $made/stackprof.out | sed 's/^creator: .*/creator: another/' |
		prof-cat >out
	[ "$(at Object#middle Object#leaf)" = "$leaf $middle" ]
}

@test "stackprof's totals are samples, which its lines need not add up to" {
	printf '%s\n' 'version: 1' 'creator: stackprof' 'desc: missed: 0)' 'positions: line' \
		'events: Instructions' 'summary: 9' 'fl=a.rb' 'fn=a' '2 4' '' 'totals: 9' >few
	back few
	silent prof-to callgrind --quiet few | has '^totals: 9$'
}

@test "a reader of stackprof's calls is pointed to its stacks, which are exact" {
	prof-top $made/stackprof.out >out 2>err
	[ "$(grep -c "use that of 'stackprof --json'" err)" = 1 ]
	stackprof --json $made/samples.dump >stacks
	prof-top --quiet stacks >exact
	# Of the calls, stacks are estimates.
	exits_with 2 'use --estimate' prof-to folded $made/stackprof.out
	lacks exact '[~?]'
	# Of another program nothing is said.
	silent prof-top $made/pyprof.out >out
}

@test "yappi's names come first, files under the numbers of functions" {
	printf '%s' 'version: 1
creator: yappi
pid: 7
cmd:  a.py
part: 1

events: Ticks

fl=(0) /a.py
fl=(1) /a.py
fl=(2) /b.py

fn=(0) main /a.py:1
fn=(1) f /a.py:9
fn=(2) g /b.py:3

fl=(0)
fn=(0)
1 100
cfl=(1)
cfn=(1)
calls=2 0
0 50
cfl=(2)
cfn=(2)
calls=3 0
0 30

fl=(1)
fn=(1)
9 50

fl=(2)
fn=(2)
3 30' >yappi
	prof-cat yappi >out 2>err
	[ "$(grep -c '^file' out)" -eq 2 ]
	[ "$(events yappi)" = 'Ticks us ' ]
	[ "$(calls yappi 'g /b.py:3')" = 3 ]
	[ "$(field yappi 'main /a.py:1' Ticks.incl)" = 180 ]
	[ "$(grep -c '^func' out)" -eq 3 ]
	# It ends no last line, and nothing says that this is all.
	has 'no newline' err
	{ cat yappi && echo; } >ended
	back ended
}

# ---- by hand ----

@test "rbspy, JRuby, reli and lsprof have a few lines each" {
	printf '%s\n' '# callgrind format' 'version: 1' 'creator: rbspy' 'events: Samples' '' \
		'fl=(1) a.rb' 'fn=(1) main' '3 5' 'cfn=(2) f' 'calls=7 0' '3 20' '' 'fn=(2)' '9 20' >rbspy
	printf '%s\n' 'events: process_time' '' 'fl=(jruby_runtime)' 'fn=Fixnum#<=>' '0 3' '' \
		'fl=/a.rb' 'fn=Object#main' '0 4' 'cfl=(jruby_runtime)' 'cfn=Fixnum#<=>' 'calls=2 0' '0 3' >jruby
	printf '%s\n' 'events: Ticks' 'summary: 9' 'fi=a.py' 'fn=f' '3 4' 'cfi=~' 'cfn=len' 'calls=1 0' '3 5' \
		'fi=~' 'fn=len' '0 5' >lsprof
	back rbspy jruby lsprof
	[ "$(calls rbspy f)" = 7 ]
	[ "$(calls jruby 'Fixnum#<=>')" = 2 ]
	[ "$(calls lsprof len)" = 1 ]
	prof-cat jruby | has '^file	[0-9]*	(jruby_runtime)$'
}

@test "chrome2calltree's calls of count 0 have costs; its fractions are rejected in their place" {
	printf '%s\n' 'events: ms hits' 'summary: 30 3' 'fl=a.js' 'fn=f' '3 10 1' 'cfi=b.js' 'cfn=g' 'calls=0 0' \
		'9 20 2' '' 'fl=b.js' 'fn=g' '9 20 2' >chrome
	back chrome
	[ "$(field chrome f ms.incl)" = 30 ]
	sed 's/^3 10/3 10.25/' chrome >fractions
	exits_with 2 "fractions:5: expected a cost, found '10.25'" prof-cat fractions
}

@test "erlgrind's processes are objects, and its self costs another sum" {
	printf '%s\n' 'events: Time' 'summary: 90' 'ob=<0.2.0>' 'fl=escript' 'fn={escript,run,2}' '0 40' \
		'cob=<0.2.0>' 'cfi=erl_eval' 'cfn={erl_eval,expr,5}' 'calls=0 0' '0 60' '' \
		'ob=<0.2.0>' 'fl=erl_eval' 'fn={erl_eval,expr,5}' '0 60' '' >erlgrind
	back erlgrind
	prof-cat erlgrind >out
	has '^object	0	<0.2.0>' out
	has '^total	run	90$' out
	[ "$(self_sums out)" = 100 ]
}

@test "perfgrind and pprof have addresses, decimal steps and targets of their own" {
	printf '%s\n' 'positions: instr line' 'events: Cycles' '' 'ob=/bin/a' 'fl=a.c' 'fn=main' '0x1000 3 10' \
		'cob=/lib/b' 'cfi=b.c' 'cfn=f' 'calls=1 0x2000 9' '0x1004 4 30' '' 'ob=/lib/b' 'fl=b.c' \
		'fn=f' '0x2000 9 30' >perfgrind
	printf '%s\n' 'positions: instr line' 'events: cpu(ms)' '' 'ob=(1) /bin/a' 'fl=(1) a.go' 'fn=(1) main' \
		'0x1000 3 10' '+4096 4 20' '* 5 1' 'cfl=(2) b.go' 'cfn=(2) f' 'calls=0 * 1' '-96 6 30' '' \
		'ob=(1)' 'fl=(2)' 'fn=(2)' '+96 9 30' >go
	printf '%s\n' 'events: Hits' '' 'fl=(1) a.cc' 'fn=(1) main' '9 4' 'cfl=(2) b.cc' 'cfn=(2) f' \
		'calls=30 12' '9 30' '' 'fl=(2)' 'fn=(2)' '12 30' '' >perl
	back perfgrind go perl
	prof-cat go >out
	has '^cost	0	0	4	0x2000	20$' out
	has '^call	0	0	6	0x1fa0	1	1	0x2000	-	30$' out
	[ "$(calls perl f)" = 30 ]
	[ "$(field perl f Hits.incl)" = 30 ]
	prof-cat perfgrind | has '^call	0	0	4	0x1004	1	9	0x2000	1	30$'
}

# ---- the rules ----

@test "a target has fewer numbers than positions, or more of zeros" {
	printf '%s\n' 'positions: instr line' 'events: E' 'fn=a' 'cfn=b' 'calls=1 0x10' '0x20 2 5' \
		'cfn=b' 'calls=2' '0x20 3 5' 'cfn=b' 'calls=3 0x10 7 0 0' '0x20 4 5' >targets
	back targets
	prof-cat targets | grep ^call | cut -f 4,7- >got
	bars >want <<-'E'
	2|-|0x10|1|5
	3|-|-|2|5
	4|7|0x10|3|5
	E
	same want got
	sed 's/7 0 0/7 0 8/' targets >more
	exits_with 2 "more:11: expected the end of the line, found '8'" prof-cat more
	printf '%s\n' 'events: E' 'fn=a' 'cfn=b' 'calls=1 x' '2 5' >bad
	exits_with 2 "bad:4: expected 1 position, found ' x'" prof-cat --from callgrind bad
}

@test "events: alone is a header, and what belongs to it comes anywhere in it" {
	printf '%s\n' 'events: E' 'fl=' 'fn=f' '1 2' >short
	back short
	[ "$(prof-cat --probe short)" = 'short: callgrind' ]
	printf '%s\n' '# made by hand' 'event: E : what it is' 'desc: one' 'events: E F' 'desc: two' \
		'event: F : the other' 'summary: 3 4' 'creator: me' 'positions: line' '' 'fl=a' 'fn=f' '1 3 4' >long
	back long
	prof-cat long >out
	has '^event	1	F	-	-	the other$' out
	has '^meta	comment	 made by hand$' out
	[ "$(grep -c '^meta	desc' out)" -eq 2 ]
}

@test "a name that is defined twice in the same way is no error" {
	printf '%s\n' 'events: E' '' 'fl=(1) a' 'fn=(1) f' '1 2' '' 'fl=(1) a' 'fn=(1) f' '2 2' >twice
	back twice
	[ "$(field twice f E)" = 4 ]
}

@test "events may have names of any kind" {
	printf 'creator: me\nevents: a(b) \xc2\xb5s c_d 100%%\nfl=a\nfn=f\n1 2 3 4 5\n' >names
	back names
	prof-cat names | grep ^event | cut -f 3 | paste -sd ' ' >got
	[ "$(cat got)" = $'a(b) \xc2\xb5s c_d 100%' ]
}

@test "a unit that an event has otherwise is kept" {
	tabs >other.prof <<-'E'
	prof  1
	part  1  positions=line
	meta  format  callgrind
	meta  creator  xdebug 3.2.0
	event  0  Time_(10ns)  -  -  -
	event  1  Memory_(bytes)  kB  -  -
	total  run  5  6
	func  0  f  -  -  -
	cost  0  -  1  -  5  6
	end
	E
	prof-to callgrind --strict --quiet other.prof >other
	same other.prof <(prof-cat other)
	# And that of the creator is, when the creator comes after it.
	awk -F '\t' '$2 == "creator" { c = $0; next } { print } $3 == "Time_(10ns)" { print c }' \
		other.prof >late.prof
	prof-to callgrind --strict --quiet late.prof >late
	events late >got
	same got <(events other.prof)
}

# ---- Valgrind's xtree ----

# stacks FILE EVENT: "frame;frame COST" straight from the lines of the file.
stacks() {
	awk -v event="$2" '
	function name(s) {
		sub(/^[a-z]*=/, "", s)
		if (match(s, /^\([0-9]+\) /)) {
			n[substr(s, 1, RLENGTH - 1)] = substr(s, RLENGTH + 1)
			s = substr(s, 1, RLENGTH - 1)
		}
		return s in n ? n[s] : s
	}
	/^events:/ { for (i = 2; i <= NF; i++) if ($i == event) at = i }
	/^cfn=/ { name($0) }
	/^fn=/ { stack = stack (stack == "" ? "" : ";") name($0) }
	/^calls=/ { getline; next }
	/^[0-9]+ [-0-9]/ { s[stack] += $at }
	/^$/ { stack = "" }
	END { for (k in s) print k, s[k] }' "$1" | sort
}

@test "an xtree has stacks, those of its blocks of lines" {
	for f in memory:totB allocs:curB threads:totFdBk leaks:DB; do
		stacks $made/${f%:*}.kcg ${f#*:} >want
		prof-to folded --quiet --events ${f#*:} $made/${f%:*}.kcg |
			awk '{ n = $NF; sub(/ [^ ]*$/, ""); s[$0] += n } END { for (k in s) print k, s[k] }' |
			sort >got
		same want got
	done
	stacks $made/memory.kcg totBk | has '^main;middle;leaf 15$'
	prof-to svg --quiet --events totB $made/memory.kcg | has '<svg'
}

@test "an xtree's costs are those that valgrind prints" {
	awk '{ gsub(",", "") } /total heap usage:/ { print $9, $5, $7 }' $made/memory.kcg.said >want
	[ "$(cat want)" = '862 33 11' ]
	sum() {
		prof-cat $1 | awk -F '\t' -v event="$2" '$1 == "event" && $3 == event { at = $2 + 3 }
		$1 == "sample" { n += $at } END { print n }'
	}
	f=$made/memory.kcg
	[ "$(sum $f totB) $(sum $f totBk) $(sum $f totFdBk)" = "$(cat want)" ]
	read -r bytes blocks < <(awk '{ gsub(",", "") } /definitely lost:/ { print $4, $7; exit }' \
		$made/leaks.kcg.said)
	[ "$(sum $made/leaks.kcg DB) $(sum $made/leaks.kcg DBk)" = "$bytes $blocks" ]
	for f in $made/*.kcg; do
		prof-to callgrind --quiet $f >back.out
		[ "$(grep ^totals: back.out)" = "$(grep ^totals: $f)" ]
		[ "$(prof-cat $f | awk -F '\t' '$1 == "sample" { for (i = 3; i <= NF; i++) s[i] += $i; if (NF > n) n = NF }
			END { for (i = 3; i <= n; i++) printf " %d", s[i]; print "" }')" = \
			"$(sed -n 's/^totals://p' $f)" ]
	done
	prof-top --events totB $made/memory.kcg | has '^862 B of totB in 1 profile'
	events $made/memory.kcg | has '^curB B calls=absent$'
	events $made/leaks.kcg | has '^iDIB B calls=absent$'
	events $made/leaks.kcg | has '^iDBk - calls=absent$'
}

@test "an xtree comes back as valgrind wrote it, to the line" {
	for f in $made/*.kcg; do
		prof-to callgrind --strict --quiet $f >back.out
		same <(sed 's/  */ /g; s/ $//' $f | grep -v '^$' | sort) <(grep -v '^$' back.out | sort)
	done
}

# A stack of three frames, of which the lines are those of `sed`.
xtree_of() {
	printf '%s\n' '# callgrind format' 'version: 1' 'creator: xtree-1' 'positions: line' \
		'event: curB : bytes' 'events: curB ' 'fl=(1) a.c' 'fn=(1) main' 6 'cfi=(1)' 'cfn=(2) f' \
		'calls=0 4' '6 20' 'fl=(1)' 'fn=(2)' '4 20' '' 'fl=(1)' 'fn=(1)' '9 5' '' 'totals: 25' |
		sed "$@"
}

@test "a stack with a line too few or another cost is rejected in its place" {
	xtree_of '' >good
	back good
	[ "$(prof-to folded --quiet good | paste -sd ,)" = 'main;f 20,main 5' ]
	xtree_of 's/^6 20/6 21/' >bad
	exits_with 2 "bad:16: expected the costs of the caller in this stack, '21'" prof-cat bad
	xtree_of '9d' >bad
	exits_with 2 "bad:12: expected the line of the call before 'calls='" prof-cat bad
	xtree_of '10,13d' >bad
	exits_with 2 "bad:12: expected 'cfn=' and 'calls=' after the line of a call" prof-cat bad
	xtree_of '15s/2/1/' >bad
	exits_with 2 "bad:16: expected the function that is called in this stack" prof-cat bad
	xtree_of '14,21d' >bad
	exits_with 2 'expected the rest of a stack' prof-cat bad
	xtree_of '$d' >bad
	exits_with 2 "the profile is truncated: a part has no 'totals:', which valgrind writes last" prof-cat bad
}

@test "a stack whose cost does not fit names its innermost function" {
	xtree_of 's/20$/18446744073709551616/' >large
	exits_with 2 "callgrind: function 'f', event 'curB': '18446744073709551616' does not fit 64 bits" \
		prof-to callgrind large
	# Stacks and functions have numbers of their own.
	{
		printf 'prof\t1\npart\t1\nmeta\tformat\tcallgrind\nmeta\tcreator\txtree-1\n'
		printf 'event\t0\tcurB\tB\t-\t-\nfunc\t0\tother\t-\t-\t-\nfunc\t1\tleaf\t-\t-\t-\n'
		printf 'ctx\t0\t-\t1\t-\t-\t-\nsample\t0\t18446744073709551616\nend\n'
	} >large.prof
	exits_with 2 "callgrind: function 'leaf', event 'curB': " prof-to callgrind large.prof
}

@test "lenient drops a stack that is malformed, and nothing else" {
	for bad in 's/^6 20/6 21/' '9d' '15s/2/1/' 's/^4 20/4 x/' 's/^calls=0/calls=x/'; do
		xtree_of "$bad" >bad
		prof-to folded --lenient --quiet bad >got 2>err
		[ "$(cat got)" = 'main 5' ]
	done
}

@test "costs and calls with the creator of an xtree are no stacks" {
	tabs >flat.prof <<-'E'
	prof  1
	part  1  positions=line
	meta  format  callgrind
	meta  creator  xtree-1
	event  0  curB  B  -  bytes  calls=absent
	func  0  main  -  -  -
	func  1  f  -  -  -
	cost  0  -  6  -  5
	call  0  -  6  -  1  4  -  1  20
	cost  1  -  4  -  20
	end
	E
	prof-to callgrind --strict --quiet flat.prof >flat
	same <(grep -v '^total' flat.prof) <(prof-cat flat | grep -v '^total')
	back flat
}

@test "unknown lines of an xtree, and stacks among costs, are dropped and reported" {
	xtree_of '6a other=1' >other
	prof-cat --quiet other >x.prof
	[ "$(grep -c '^raw	' x.prof)" -eq 1 ]
	exits_with 2 'callgrind cannot hold: lines of another format (1)' prof-to callgrind --strict x.prof
	prof-to callgrind --quiet x.prof >back.out
	same <(xtree_of '' | prof-cat | grep '^sample') <(prof-cat back.out | grep '^sample')
	sed '/^raw/d; 0,/^sample/s//cost	0	-	6	-	5\n&/' x.prof >mixed.prof
	exits_with 2 'callgrind cannot hold: samples (2)' prof-to callgrind --strict mixed.prof
}

@test "frames with objects, other files and no names are also stacks" {
	tabs >frames.prof <<-'E'
	prof  1
	part  1  positions=line
	meta  format  callgrind
	meta  creator  xtree-1
	event  0  curB  B  -  bytes  calls=absent
	object  0  /bin/a  -
	file  0  a.c
	file  1  a.h
	func  0  main  0  0  -
	ctx  0  -  0  0  6  -
	func  1  -  -  -  -
	ctx  1  0  1  -  -  -
	func  2  f  0  0  -
	ctx  2  1  2  1  4  -
	sample  2  20
	sample  0
	total  sum  20
	end
	E
	prof-to callgrind --strict --quiet frames.prof >frames
	same <(sed 's/^sample	0$/&	0/' frames.prof | sort) <(prof-cat frames | sort)
}

@test "stacks whose part has addresses, and functions without costs, are written to be read" {
	stream() {
		printf 'prof|1\npart|1|positions=addr,line\nmeta|creator|xtree-1\nevent|0|Ir|-|-|-|calls=absent\nfunc|0|f|-|-|-\n'
		printf 'func|1|g|-|-|-\nfunc|2|unused|-|-|-\nctx|0|-|0|-|7|-\nctx|1|0|1|-|9|-\nsample|1|5\nsample|0|3\nend\n'
	}
	stream | bars >s.prof
	prof-to callgrind s.prof >s.cg 2>err
	has '^prof-to: callgrind cannot hold: functions without costs (1)$' <err
	silent prof-cat s.cg | grep '^sample\|^ctx' | diff - <(printf '%s\n' 'ctx|0|-|0|-|7|-' 'ctx|1|0|1|-|9|-' \
		'sample|1|5' 'sample|0|3' | bars)
}
