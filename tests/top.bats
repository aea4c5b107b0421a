#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: prof-top sum view
# prof-top: its numbers against callgrind_annotate's and against known answers,
# its columns, its two tables for programs and the one for people.

load tools.bash

setup_file() {
	local real=$BATS_TEST_DIRNAME/real
	cd "$BATS_FILE_TMPDIR" || return 1
	gcc -g -O0 -o calls "$real/calls.c"
	g++ -g -O1 -o names "$real/names.cc"
	gcc -g -O0 -pthread -o threads "$real/threads.c"
	callgrind calls.cg --cache-sim=yes --branch-sim=yes ./calls
	callgrind names.cg ./names
	callgrind perl.cg --dump-instr=yes perl -e \
		'my %h; $h{"k" . $_ % 17} += $_ for 1 .. 300;
		print join ",", map { "$_=$h{$_}" } sort keys %h'
	callgrind one.cg ./calls 200
	callgrind parts.cg --combine-dumps=yes --dump-every-bb=1000 ./calls 200
	callgrind threads.cg --separate-threads=yes --combine-dumps=yes ./threads
	# Recursion with a known answer: fact calls itself, even and odd call
	# each other, odd calls leaf.
	cat >rec.cg <<-'END'
	# callgrind format
	version: 1
	creator: hand
	cmd: ./rec
	positions: line
	events: Ir

	fl=rec.c
	fn=main
	1 10
	cfn=even
	calls=1 10
	2 100
	cfn=fact
	calls=1 30
	3 60

	fn=even
	10 40
	cfn=odd
	calls=5 20
	11 80

	fn=odd
	20 50
	cfn=even
	calls=4 10
	21 70
	cfn=leaf
	calls=5 40
	22 10

	fn=fact
	30 60
	cfn=fact
	calls=5 30
	31 150

	fn=leaf
	40 10

	totals: 170
	END
	# Two events with large numbers, unknown names, bytes that are no UTF-8.
	printf '%s\n' 'prof|1' 'part|1|positions=line' 'meta|cmd|./odd' \
		'event|0|Big|-|-|-' 'event|1|Small|-|-|-' \
		'event|-|Twice|-|2 Small|-' \
		'file|0|a b.c' 'object|0|/bin/odd|-' \
		'func|0|caf\xe9 \t"x\\\\y"|0|0|-' 'func|1|-|-|0|-' \
		'func|2|gr\xc3\xbcn|0|-|-' \
		'cost|0|0|1|-|18446744073709551615|7' \
		'cost|0|0|2|-|18446744073709551615|7' \
		'cost|1|-|-|0x10|9007199254740993|1' \
		'cost|2|0|3|-|9007199254740992' 'end' |
		perl -pe 's/\\x(..)/chr hex $1/ge; s/\\\\/\\/g' | bars >odd.prof
}

events_of() {
	sed -n 's/^events: //p' "$(cg "$1.cg")"
}

# same_self NAME: every row, every event.
same_self() {
	callgrind_annotate --threshold=100 --auto=no "$(cg "$1.cg")" |
		perl "$TESTS/real/annotate.pl" >want
	prof-top --by file,function --tsv "$(cg "$1.cg")" |
		perl "$TESTS/real/table.pl" "$PWD" $(events_of "$1") >got
	[ "$(wc -l <want)" -gt "$2" ]
	diff -u want got
}

# same_incl NAME LEAST [first]: every function that is in no cycle, or of the first
# level, and more than LEAST; every event.
same_incl() {
	local e incl=
	for e in $(events_of "$1"); do incl="$incl $e.incl"; done
	callgrind_annotate --threshold=100 --auto=no --inclusive=yes "$(cg "$1.cg")" |
		perl "$TESTS/real/annotate.pl" >annotated
	prof-top --by function --tsv "$(cg "$1.cg")" |
		perl "$TESTS/real/table.pl" "$PWD" $incl >top
	prof-cat "$(cg "$1.cg")" | perl "$TESTS/real/acyclic.pl" ${3-} | sort >acyclic
	awk -F'\t' 'NR == FNR { k[$0]; next } ($1 FS $2) in k' acyclic annotated >want
	awk -F'\t' 'NR == FNR { k[$0]; next } ($1 FS $2) in k' acyclic top >got
	[ "$(wc -l <want)" -gt "$2" ]
	diff -u want got
}

# cell FILE ROW COLUMN: of a --tsv table, by the row's first field.
cell() {
	awk -F'\t' -v row="$2" -v col="$3" 'NR == 1 {
		for (i = 1; i <= NF; i++) if ($i == col) at = i; next }
		$1 == row { print $at }' "$1"
}

longest_line() {
	perl -CSD -ne 'chomp; s/\e\[[0-9;]*m//g; $n = length if length > $n;
		END { print $n + 0, "\n" }'
}

# ---- against callgrind_annotate ----

@test "self costs of a C program agree with callgrind_annotate, for 13 events" {
	[ "$(events_of calls | wc -w)" = 13 ]
	same_self calls 200
}

@test "self costs of a C++ program agree with callgrind_annotate" {
	same_self names 300
	grep -q 'std::map<.*std::pair<int, std::unique_ptr<int' got ||
		has 'std::_Rb_tree<.*std::pair<int, std::unique_ptr<int' got
}

@test "self costs of an interpreter agree with callgrind_annotate" {
	same_self perl 700
	grep -q Perl_ got
}

@test "inclusive costs of a C program agree with callgrind_annotate where nothing recurs" {
	same_incl calls 150
	grep -q 'calls.c.branchy' got
}

@test "inclusive costs of a C++ program agree with callgrind_annotate where nothing recurs" {
	same_incl names 200
}

@test "inclusive costs of an interpreter agree with callgrind_annotate where nothing recurs" {
	same_incl perl 400
}

@test "inclusive costs of first levels agree with callgrind_annotate, in cycles, too" {
	same_incl perl 600 first
	# That many of them are in cycles.
	prof-cat "$(cg perl.cg)" | perl "$TESTS/real/acyclic.pl" | sort | comm -13 - acyclic >cyclic
	[ "$(wc -l <cyclic)" -ge 20 ]
	prof-top --quiet --events Ir "$(cg perl.cg)" | grep ' ~' | grep -v "'2  " >first || :
	diff -u /dev/null first
}

@test "inclusive costs of a recursive-descent parser are those callgrind_annotate has" {
	gcc -g -o calc "$TESTS/../share/examples/calc.c"
	for i in $(seq 50); do echo "x = 1 + (2 * (3 + (4 + $i) * 5)) * ((6))"; done >sums
	callgrind calc.cg ./calc <sums
	callgrind_annotate --threshold=100 --auto=no --inclusive=yes calc.cg |
		perl "$TESTS/real/annotate.pl" | awk -F'\t' '
		$2 ~ /^(sum|product|atom|assign|main)$/ { print $2, $3 }' | sort >want
	[ "$(wc -l <want)" = 5 ]
	prof-top --tsv calc.cg | awk -F'\t' '$1 ~ /^(sum|product|atom|assign|main)$/ {
		print $1, $6 }' | sort >got
	diff -u want got
	# Its levels under one name: the cycle is back, and what is shown a bound.
	prof-top -n 0 --rules recursion calc.cg >text
	grep -q ' ~[0-9,]* .* atom ' text
	prof-top --tsv --rules recursion calc.cg | awk -F'\t' '
		NR == FNR { split($0, f, " "); top[f[1]] = f[2]; next }
		$1 in top { n++; if ($6 > top[$1]) print }
		END { if (n < 5) print "rows are missing" }' want - >off
	diff -u /dev/null off
}

# trees SEED N LEVELS [PATTERN...]: what a row of each kind ("first" or "level" of
# recursion) shows, its mark, and how that is to the truth; how many there are.
trees() {
	perl "$TESTS/real/trees.pl" "$1" "$2" "$3" trees.cg truth
	shift 3
	if [ $# -gt 0 ]; then
		prof-grep --quiet "$@" trees.cg >trees.prof
	else
		cp trees.cg trees.prof
	fi
	prof-top -n 0 --quiet --by part,function trees.prof | awk '
		NR == FNR { true[$1 " " $2] = $3; next }
		NF == 8 && $7 + 0 > 0 {
			mark = $4 ~ /^[~?!]/ ? substr($4, 1, 1) : "";
			n = substr($4, length(mark) + 1); gsub(",", "", n)
			n += 0; t = true[$7 " " $8] + 0
			k = ($8 ~ /\047/ ? "level" : "first") mark " " \
			    (n == t ? "is" : n < t ? "below" : "above")
			count[k]++
		}
		END { for (k in count) print k, count[k] }' truth - | sort
}

@test "of 10,000 random trees of calls what is shown as exact is exact, a bound never above" {
	trees 1 4000 2 >levels
	grep -q '^first is ' levels
	grep -q '^level~ below ' levels
	trees 2 4000 1 >joined
	grep -q '^first~ below ' joined
	trees 3 2000 3 >three
	grep -q '^level is ' three
	# Not marked, and not true; marked, and above the truth.
	grep -hE '^[a-z]+ (above|below)|~ above' levels joined three >wrong || :
	diff -u /dev/null wrong
	# Where first levels have their own names, hardly one is in doubt.
	awk '/^first/ { n += $3 } /^first~/ { d += $3 } END { exit !(n > 10000 && d < n / 100) }' levels
	# A bound is worth its name: mostly it is the truth, or near it.
	awk '/^first~ is/ { is = $3 } /^first~ below/ { below = $3 } END { exit !(is > below / 2) }' joined
}

@test "of filtered random trees nothing that is not marked is above the truth" {
	for levels in 1 2; do
		for how in '-e a -e b' '-v a' '--role caller b' '--role callee a' \
			'-v --role callee b' '-A 1 a'; do
			trees 7 1000 $levels $how >got
			[ -s got ]
			grep -E '^[a-z]+~? above|^first[?] above' got >wrong || :
			[ $levels = 2 ] || sed -i '/^first[?]/d' wrong
			diff -u /dev/null wrong
		done
	done
	# They are there, what the marks are for.
	trees 7 1000 1 --role callee a >got
	grep -q '^first[?] above' got
}

@test "in a cycle that costs no more than its calls the mean cost of a call is the bound" {
	printf '%s\n' 'events: Ir' fn=main '1 10' cfn=loop 'calls=1 1' '1 990' \
		fn=loop '1 5' cfn=tramp 'calls=2 1' '1 985' fn=tramp '1 1' cfn=work \
		'calls=1 1' '1 984' fn=work '1 980' cfn=cb 'calls=1 1' '1 4' \
		fn=cb '1 4' cfn=loop 'calls=1 1' '1 0' >cycle.cg
	prof-top --quiet -k function cycle.cg | awk 'NR > 3 && $5 ~ /^[0-9]/ { print $NF, $3 }' >got
	printf '%s\n' 'cb ~4' 'loop ~990' 'main 1,000' 'tramp ~984' 'work ~984' |
		diff -u - got
	# What calls count is known of both ends: 985 / 2, rounded up, of loop to tramp.
	printf '%s\n' 'events: Ir' fn=a '1 0' cfn=b 'calls=2 1' '1 985' fn=b '1 981' \
		cfn=a 'calls=1 1' '1 3' >two.cg
	prof-top --quiet -k function two.cg | awk 'NR > 3 && $5 ~ /^[0-9]/ { print $NF, $3 }' >got
	printf '%s\n' 'a ~493' 'b 981' | diff -u - got
}

@test "rules that keep what costs enough see the cost of a cycle" {
	printf '%s\n' 'events: Ir' fn=main '1 0' cfn=loop 'calls=1 1' '1 990' fn=loop \
		'1 5' cfn=tramp 'calls=1 1' '1 985' fn=tramp '1 1' cfn=work 'calls=1 1' \
		'1 984' fn=work '1 984' cfn=loop 'calls=1 1' '1 0' >cycle.cg
	echo 'min-share: 50%' >half.yaml
	prof-top --quiet --tsv --rules half.yaml -k function cycle.cg | cut -f 1,6 >got
	printf '%s\n' 'function Ir.incl' 'loop 990' 'main 990' 'tramp 985' 'work 984' |
		tr ' ' '\t' | diff -u - got
}

@test "what is measured as more than the whole is shown, and marked" {
	printf '%s\n' 'events: T' fn=r cfn=f 'calls=1 1' '1 101' fn=f '1 100' >over.cg
	prof-top over.cg >text
	[ "$(awk '$NF == "r" { print $4, $5 }' text)" = '!101 101.00' ]
	[ "$(awk '$NF == "f" { print $4, $5 }' text)" = '!101 101.00' ]
	grep -q '^! more than the total' text
	[ "$(prof-top --tsv over.cg | awk -F'\t' '$1 == "r" { print $6 }')" = 101 ]
	# A filter may have made it so: nobody knows.
	prof-grep . over.cg | prof-top >text
	[ "$(awk '$NF == "r" { print $4 }' text)" = - ]
}

@test "the metadata field recursion is kept while it is true" {
	prof-cat --quiet "$(cg perl.cg)" >perl.prof
	[ "$(grep -c '^meta	recursion	levels$' perl.prof)" = 1 ]
	# Of profiles that all have it; not with one that has not.
	prof-merge perl.prof perl.prof >got
	grep -q '^meta	recursion	levels$' got
	prof-merge perl.prof "$(cg rec.cg)" >mixed.prof
	lacks mixed.prof '^meta\trecursion'
	# To callgrind and back, where names alone would say it.
	prof-to callgrind perl.prof >perl.cg
	lacks perl.cg 'prof (calls|recursion)'
	prof-cat perl.cg >got
	grep -q '^meta	recursion	levels$' got
	echo 'rules: [ rename: { function: "^Perl_", to: "" } ]' >short.yaml
	prof-cat --rules short.yaml perl.prof >short.prof
	lacks short.prof '^meta\trecursion'
	prof-to callgrind short.prof | prof-cat | grep '^meta	[rc][ea][cl]' >got
	printf 'meta\t%s\n' 'recursion	levels' 'calls	joined' | diff -u - got
	prof-to callgrind short.prof | prof-top --tsv >got
	prof-top --tsv short.prof >want
	diff -u want got
}

@test "where callgrind_annotate says more than 100 %, the inclusive cost is not over the total" {
	cat >fib.c <<-'END'
	static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
	int main(void) { return fib(15) != 610; }
	END
	gcc -O0 -o fib fib.c
	callgrind fib.cg --separate-recs=1 ./fib
	total=$(prof-top --by total --tsv fib.cg | awk -F'\t' 'NR == 2 { print $2 }')
	# How callgrind_annotate has it, so that the case is what it should be.
	annotated=$(callgrind_annotate --threshold=100 --auto=no --inclusive=yes fib.cg |
		perl "$TESTS/real/annotate.pl" | awk -F'\t' '$2 == "fib" { print $3 }')
	[ "$annotated" -gt "$total" ]
	prof-top --tsv fib.cg >table
	[ "$(cell table fib Ir.incl)" -le "$total" ]
	[ "$(cell table fib Ir.incl)" = "$(cell table fib Ir)" ]
	[ "$(cell table main Ir.incl)" -gt "$(cell table fib Ir.incl)" ]
	awk -F'\t' -v total="$total" 'NR > 1 && ($6 == "-" || $6 > total)' table >over
	diff -u /dev/null over
}

# ---- recursion, threads, parts ----

@test "inclusive costs of recursion and of a cycle are the known ones" {
	prof-top --tsv -k function "$(cg rec.cg)" | cut -f 1,4- >got
	diff -u - got <<-'END'
	function	calls	Ir	Ir.incl
	even	5	40	100
	fact	1	60	60
	leaf	5	10	10
	main	0	10	170
	odd	5	50	60
	END
}

@test "lines of recursive functions have a bound: what leaves the cycle, or a mean call" {
	prof-top --tsv --by line,function -k line "$(cg rec.cg)" | cut -f 2,3,5- >got
	diff -u - got <<-'END'
	line	function	calls	Ir	Ir.incl
	1	main	-	10	10
	2	main	-	0	100
	3	main	-	0	60
	10	even	-	40	40
	11	even	-	0	60
	20	odd	-	50	50
	21	odd	-	0	18
	22	odd	-	0	10
	30	fact	-	60	60
	31	fact	-	0	30
	40	leaf	-	10	10
	END
}

@test "a thread's root has the thread's whole cost as inclusive cost" {
	f=$(cg threads.cg)
	[ "$(grep -c '^thread:' "$f")" = 2 ]
	total=$(awk '/^thread: 2/ { on = 1 } on && /^totals:/ { print $2; exit }' "$f")
	prof-top --by thread,function --tsv "$f" >table
	awk -F'\t' '$1 == 2 && $5 == 0 { print $7 }' table >roots
	[ "$(cat roots)" = "$total" ]
	# worker: the same number on the side of its callee and its own.
	spin=$(awk -F'\t' '$1 == 2 && $2 == "spin" { print $6 }' table)
	worker=$(awk -F'\t' '$1 == 2 && $2 == "worker" { print $6, $7 }' table)
	[ "$spin" -gt 5000 ]
	[ "${worker#* }" = $((spin + ${worker% *})) ]
}

@test "threads are distinguished by --where and --by thread" {
	f=$(cg threads.cg)
	awk '/^totals:/ { print $2 }' "$f" >want
	prof-top --by thread --tsv -k thread "$f" >table
	cut -f 3 table | sed 1d >got
	diff -u want got
	[ "$(prof-top --where thread=2 --by total --tsv "$f" | cut -f 2 | sed 1d)" = \
		"$(sed -n 2p want)" ]
}

@test "the parts of a run add up to the run in one part" {
	[ "$(grep -c '^part:' "$(cg parts.cg)")" -ge 3 ]
	prof-top --tsv --by file,function -k file,function "$(cg one.cg)" |
		cut -f 1,2,3,5 | grep -v '	0$' >want
	prof-top --tsv --by file,function -k file,function "$(cg parts.cg)" |
		cut -f 1,2,3,5 | grep -v '	0$' >got
	diff -u want got
	prof-top "$(cg parts.cg)" | sed -n 1p >heading
	grep -q " Ir in 1 profile, $(grep -c '^part:' "$(cg parts.cg)") parts: ./calls 200$" heading
}

@test "several FILEs are summed, and the heading says how many" {
	prof-top --tsv "$(cg rec.cg)" >one
	prof-top --tsv "$(cg rec.cg)" "$(cg rec.cg)" - <"$(cg rec.cg)" >three
	awk -F'\t' -v OFS='\t' 'NR > 1 { for (i = 4; i <= 6; i++) $i *= 3 } { print }' one >want
	diff -u want three
	prof-top "$(cg rec.cg)" "$(cg rec.cg)" >text
	[ "$(head -n 1 text)" = '340 Ir in 2 profiles, 2 parts: ./rec' ]
	prof-top --events Ir "$(cg rec.cg)" "$(cg one.cg)" | sed -n 1p >text
	grep -q ' in 2 profiles, 2 parts: several commands$' text
}

# ---- filters ----

@test "after prof-grep, percentages are of the program and main's inclusive cost is true" {
	f=$(cg calls.cg)
	prof-top --events Ir --tsv "$f" >whole
	prof-grep -x main "$f" | prof-top --events Ir --tsv >part
	[ "$(cell part main Ir.incl)" = "$(cell whole main Ir.incl)" ]
	[ "$(cell part main Ir)" = "$(cell whole main Ir)" ]
	[ "$(cell part branchy Ir)" = 0 ]
	[ "$(cell part branchy Ir.incl)" = "$(cell whole branchy Ir.incl)" ]
	total=$(awk '/^summary:/ { print $2 }' "$f")
	percent=$(awk -v n="$(cell whole main Ir.incl)" -v t="$total" \
		'BEGIN { printf "%.2f", 100 * n / t }')
	prof-grep -x main "$f" | prof-top >text
	grep -q '^filter: -x main$' text
	[ "$(head -n 1 text | sed 's/,\([0-9]\)/\1/g')" = "$total Ir in 1 profile, 1 part: ./calls" ]
	[ "$(awk '$7 == "main" { print $5 }' text)" = "$percent" ]
}

@test "a filter does not change the inclusive cost of what it keeps" {
	prof-top --tsv "$(cg rec.cg)" >whole
	prof-grep -v leaf "$(cg rec.cg)" | prof-top --tsv >part
	[ "$(cell part main Ir.incl)" = 170 ]
	[ "$(cell part fact Ir.incl)" = 60 ]
	[ "$(cell part odd Ir.incl)" = 50 ]
	[ -z "$(cell part leaf Ir)" ]
}

@test "an inclusive cost that a filter has made larger than the total is absent" {
	bars >cycle.prof <<-'END'
	prof|1
	part|1
	event|0|Ir|-|-|-
	func|0|main|-|-|-
	func|1|a|-|-|-
	func|2|b|-|-|-
	cost|0|-|1|-|10
	cost|1|-|2|-|40
	cost|2|-|3|-|50
	call|0|-|1|-|1|2|-|1|90
	call|1|-|2|-|2|3|-|3|85
	call|2|-|3|-|1|2|-|2|60
	total|run|100
	end
	END
	prof-top --tsv -k function cycle.prof | cut -f 1,4- >got
	printf '%s\n' 'function|calls|Ir|Ir.incl' 'a|3|40|90' 'b|3|50|50' 'main|0|10|100' |
		bars | diff -u - got
	# Without a's calls there is no cycle to be seen.
	prof-grep --role callee a cycle.prof | prof-top --tsv -k function | cut -f 1,4- >got
	printf '%s\n' 'function|calls|Ir|Ir.incl' 'a|3|0|-' 'b|0|0|60' 'main|0|0|90' |
		bars | diff -u - got
}

@test "of a format without calls, calls and inclusive costs are absent" {
	sed 's/^event.*/&\tcalls=absent/; /^call/d' <(prof-cat "$(cg rec.cg)") >flat.prof
	prof-top --tsv -k function flat.prof | cut -f 1,4- >got
	printf '%s\n' 'function|calls|Ir|Ir.incl' 'even|-|40|-' 'fact|-|60|-' 'leaf|-|10|-' \
		'main|-|10|-' 'odd|-|50|-' | bars | diff -u - got
	# Beside one that has them they are known.
	prof-top --tsv -k function flat.prof "$(cg rec.cg)" | sed -n 2p | cut -f 4- >got
	printf '5\t80\t100\n' | diff -u - got
}

@test "the text table has no columns for calls if the format has none" {
	sed 's/^event.*/&\tcalls=absent/; /^call/d' <(prof-cat "$(cg rec.cg)") >flat.prof
	prof-top -n 2 flat.prof | sed 1,2d >got
	diff -u - got <<-'END'
	self Ir      %  sum %  function  file
	     60  35.29  35.29  fact  rec.c
	     50  29.41  64.71  odd  rec.c
	… 3 more, 35.29 %
	END
	prof-top --events Ir,Ir/Ir --by total flat.prof | sed 1,2d >got
	printf '%s\n' 'self Ir       %  self Ir/Ir  ' '    170  100.00           1  ' | diff -u - got
	# Beside one that has them they are known.
	prof-top -n 1 flat.prof "$(cg rec.cg)" | sed -n 3p >got
	echo 'self Ir      %  sum %  inclusive      %  calls  function  file' | diff -u - got
}

@test "the text table has a function's file and object if a row shown has one" {
	bars >some.prof <<-'END'
	prof|1
	part|1
	event|0|Ir|-|-|-
	object|0|/bin/x|-
	file|0|a.c
	func|0|plain|-|-|-
	func|1|filed|0|-|-
	func|2|all|0|0|-
	cost|0|-|1|-|3
	cost|1|0|1|-|2
	cost|2|0|1|-|1
	end
	END
	for n in 1 2 3; do
		prof-top -n $n some.prof | sed -n '3p; '$((n + 3))p
	done | sed 's/.*calls  //; s/.*0  //' >got
	diff -u - got <<-'END'
	function
	plain
	function  file
	filed  a.c
	function  file  object
	all  a.c  [/bin/x]
	END
	prof-top -n 3 some.prof | has ' plain  ???  \[???\]$'
	# Not those that were asked for, nor any for programs.
	prof-top -n 1 -b function,object some.prof | sed 1,2d >got
	grep -q ' plain  \[???\]$' got
	prof-top -n 1 --tsv some.prof | sed -n 1p | cut -f 1-3 >got
	printf 'function\tfile\tobject\n' | diff -u - got
}

# ---- keys ----

@test "--by has a row for each value of each key, and the rows add up" {
	f=$(cg calls.cg)
	total=$(awk '/^totals:/ { print $2 }' "$f")
	prof-cat "$f" >stream
	for key in function file object line addr part thread pid source total \
	    function,line file,line object,function part,function line,file,function; do
		prof-top --by "$key" --tsv --events Ir "$f" >table
		sum=$(awk -F'\t' 'NR > 1 { sum += $(NF - 1) } END { print sum }' table)
		echo "$key $sum"
		[ "$sum" = "$total" ]
	done
	# By object and by file, from the records.
	awk -F'\t' '$1 == "object" { o[$2] = $3 } $1 == "func" { f[$2] = $5 }
		$1 == "cost" { sum[o[f[$2]]] += $6 }
		$1 == "call" { sum[o[f[$2]]] += 0; sum[o[f[$6]]] += 0 }
		END { for (k in sum) print k "\t" sum[k] }' stream | sort >want
	prof-top --by object --tsv --events Ir "$f" | sed 1d | cut -f 1,3 |
		sed 's/^-	/	/' | sort >got
	diff -u want got
	awk -F'\t' '$1 == "file" { f[$2] = $3 }
		$1 == "cost" { sum[$3 == "-" ? "-" : f[$3]] += $6 }
		END { for (k in sum) if (sum[k]) print k "\t" sum[k] }' stream | sort >want
	prof-top --by file --tsv --events Ir "$f" | sed 1d | cut -f 1,3 |
		grep -v '	0$' | sort >got
	diff -u want got
	[ "$(wc -l <got)" -gt 20 ]
}

@test "--by line has the cost of each line" {
	prof-cat "$(cg calls.cg)" | awk -F'\t' 'BEGIN { f = -1 } $1 == "file" && /\/real\/calls\.c$/ { f = $2 }
		$1 == "cost" && $3 == f { sum[$4] += $6 }
		END { for (k in sum) print k "\t" sum[k] }' | sort -n >want
	[ "$(wc -l <want)" -gt 15 ]
	prof-top --by file,line --tsv --events Ir -k line "$(cg calls.cg)" |
		awk -F'\t' '$1 ~ /\/real\/calls\.c$/ && $4 { print $2 "\t" $4 }' >got
	diff -u want got
}

@test "a line is one of its own file, an address one of its object" {
	# Inlined code, the same line of two files, the same address in two objects.
	printf '%s\n' 'positions: instr line' 'events: Ir' 'ob=/bin/a' 'fl=a.c' 'fn=main' '0x10 7 1' \
		'fi=inl.h' '0x14 7 20' 'fe=a.c' '0x18 9 300' 'ob=/lib/b.so' 'fl=b.c' 'fn=f' \
		'0x10 7 4000' 'fi=inl.h' '0x14 7 50000' >two.cg
	prof-top --tsv -b function,line -k Ir two.cg | diff - <(bars <<-'E'
	function|object|file|line|calls|Ir|Ir.incl
	f|/lib/b.so|inl.h|7|-|50000|50000
	f|/lib/b.so|b.c|7|-|4000|4000
	main|/bin/a|a.c|9|-|300|300
	main|/bin/a|inl.h|7|-|20|20
	main|/bin/a|a.c|7|-|1|1
	E
	)
	prof-top --tsv -b line two.cg | diff - <(bars <<-'E'
	file|line|calls|Ir|Ir.incl
	inl.h|7|-|50020|50020
	b.c|7|-|4000|4000
	a.c|9|-|300|300
	a.c|7|-|1|1
	E
	)
	prof-top --tsv -b addr two.cg | cut -f 1,2,4 | diff - <(bars <<-'E'
	object|addr|Ir
	/lib/b.so|0x14|50000
	/lib/b.so|0x10|4000
	/bin/a|0x18|300
	/bin/a|0x14|20
	/bin/a|0x10|1
	E
	)
	# What is summed so is ranked so, and compared so.
	for by in line function,line addr; do
		prof-top --tsv -b $by two.cg >want
		prof-merge --by $by two.cg | prof-top --tsv -b $by | diff want -
		prof-diff -b $by --tsv two.cg two.cg | awk -F '\t' -v OFS='\t' \
			'NR > 1 { print $1, $2, $(NF - 3) }' | sort |
			diff <(awk -F '\t' -v OFS='\t' 'NR > 1 { print $1, $2, $(NF - 1) }' want | sort) -
	done
}

@test "--by addr has the cost of each instruction" {
	prof-cat "$(cg perl.cg)" | awk -F'\t' -v OFS='\t' '$1 == "object" { name[$2] = $3 }
		$1 == "func" { of[$2] = $5 == "-" ? "-" : name[$5] }
		$1 == "cost" { sum[of[$2] OFS $5] += $6 }
		END { for (k in sum) if (sum[k]) print k "\t" sum[k] }' | sort >want
	[ "$(wc -l <want)" -gt 5000 ]
	prof-top --by addr --tsv "$(cg perl.cg)" | sed 1d | cut -f 1,2,4 |
		awk -F'\t' '$3' | sort >got
	diff -u want got
}

@test "--by source has a row for each file" {
	cp "$(cg rec.cg)" a
	cp "$(cg rec.cg)" b
	prof-top --by source,function --tsv -k source,function a b | cut -f 1,2,5- >got
	[ "$(grep -c '^a	' got)" = 5 ]
	[ "$(sed -n 2p got)" = "$(printf 'a\teven\t5\t40\t100')" ]
	[ "$(sed -n 7p got)" = "$(printf 'b\teven\t5\t40\t100')" ]
}

@test "--by total is one row" {
	prof-top --by total --tsv "$(cg rec.cg)" >got
	printf 'calls\tIr\tIr.incl\n0\t170\t170\n' >want
	diff -u want got
}

@test "an unknown key and one given twice are misuse" {
	fails_with "--by: expected function, .* found 'nosuch'" prof-top --by nosuch "$(cg rec.cg)"
	fails_with '--by: line appears twice' prof-top --by line,file,line "$(cg rec.cg)"
}

# ---- order and number of rows ----

# order OPTION...: the functions of the recursion, in order.
order() {
	prof-top --tsv "$@" "$(cg rec.cg)" | sed 1d | cut -f 1 | tr '\n' ' '
}

@test "-k sorts by each kind of column, costs from the largest and names from the smallest" {
	[ "$(order)" = 'fact odd even leaf main ' ]
	[ "$(order -k Ir)" = 'fact odd even leaf main ' ]
	[ "$(order -k Ir.incl)" = 'main even fact odd leaf ' ]
	[ "$(order -k calls)" = 'even leaf odd fact main ' ]
	[ "$(order -k function)" = 'even fact leaf main odd ' ]
	[ "$(order -k file)" = 'even fact leaf main odd ' ]
	[ "$(order -k file,Ir.incl)" = 'main even fact odd leaf ' ]
	[ "$(order -k calls,Ir)" = 'odd even leaf fact main ' ]
	[ "$(order -r)" = 'leaf main even odd fact ' ]
	[ "$(order -r -k function)" = 'odd main leaf fact even ' ]
	# Nor need a formula be shown.
	f=$(cg calls.cg)
	prof-top --tsv --by function -k 'I1mr + D1mr + D1mw' "$f" |
		awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $at["I1mr"] + $at["D1mr"] + $at["D1mw"] }' >got
	sort -rn got >want
	diff -u want got
	[ "$(head -n 1 got)" -gt 100 ]
}

@test "-k takes the words of headings: of the first event that is shown" {
	[ "$(order -k self)" = "$(order -k Ir)" ]
	[ "$(order -k inclusive)" = "$(order -k Ir.incl)" ]
	[ "$(order -k inclusive,function)" = 'main even fact odd leaf ' ]
	[ "$(order --min 'inclusive>60' -k function)" = 'even main ' ]
	printf 'events: Ir Dr\nfn=f\n1 9 1\nfn=g\n2 5 4\nfn=h\n3 1 3\n' >old
	printf 'events: Ir Dr\nfn=f\n1 9 2\nfn=g\n2 6 9\nfn=h\n3 8 3\n' >new
	prof-top --tsv --events Dr -k self old | cut -f 1,5 | diff - <(printf '%s\n' 'function	Dr' g'	'4 h'	'3 f'	'1)
	prof-diff old new >d
	[ "$(prof-top --tsv -k old d | cut -f 1 | tr '\n' ' ')" = 'function f g h ' ]
	[ "$(prof-top --tsv -k new d | cut -f 1 | tr '\n' ' ')" = 'function f h g ' ]
	[ "$(prof-top --tsv -k change d | cut -f 1 | tr '\n' ' ')" = 'function h g f ' ]
	[ "$(prof-top --tsv --min 'change>=7' d | cut -f 1 | tr '\n' ' ')" = 'function h ' ]
	[ "$(prof-top --tsv --events Dr -k change d | cut -f 1 | tr '\n' ' ')" = 'function g f h ' ]
	# There is no old cost of one profile.
	fails_with "no event 'old'; events: Ir, Dr " prof-top -k old old
	fails_with "no event 'inclusiv': did you mean inclusive\\?;" prof-top -k inclusiv old
}

@test "--by takes the words that producers and labels use" {
	# As perf script prints it, two threads of a name in one process and one in another.
	sample() {
		printf '%s %s/%s 1.0: 10 cycles:\n\t1 %s (/bin/x)\n\n' "$@"
	}
	{ sample web 7 8 f; sample web 7 9 f; sample db 6 6 g; sample web 7 9 h; } >p
	by() {
		prof-top --tsv --events period -k "$2" -b "$1" p | sed 1d | cut -f "1,$3"
	}
	by comm comm 3 | diff - <(printf 'db\t10\nweb\t30\n')
	by thread thread 3 | diff - <(printf 'db 6\t10\nweb 8\t10\nweb 9\t20\n')
	by comm,pid comm 2,4 | diff - <(printf 'db\t6\t10\nweb\t7\t30\n')
	diff <(prof-top --tsv -b tid p) <(prof-top --tsv -b thread p)
	diff <(prof-top --tsv -b process p) <(prof-top --tsv -b pid p)
	diff <(prof-top --tsv -b dso p) <(prof-top --tsv -b object p)
	diff <(prof-top --tsv -b sym,dso p) <(prof-top --tsv -b function,object p)
	diff <(prof-top --tsv -b func,comm p) <(prof-top --tsv -b function,comm p)
	diff <(prof-top --tsv -b command "$(cg rec.cg)") <(prof-top --tsv -b cmd "$(cg rec.cg)")
	diff <(prof-top --tsv -b address p) <(prof-top --tsv -b addr p)
	prof-merge -b dso p | diff - <(prof-merge -b object p)
	# Where there are no labels, it is the fact.
	prof-top --tsv -b comm "$(cg threads.cg)" | sed 1d |
		diff - <(prof-top --tsv -b thread "$(cg threads.cg)" | sed 1d)
	fails_with '^prof-top: --by: object appears twice' prof-top -b dso,object p
	fails_with '^prof-merge: --by: cannot group by comm: a sum keeps the labels of samples' prof-merge -b comm p
}

@test "lines sort as numbers, not as text" {
	prof-top --tsv --by line -k line "$(cg rec.cg)" | sed 1d | cut -f 2 >got
	sort -n got >want
	diff -u want got
	[ "$(sed -n 2p got)" = 2 ]
}

@test "-n N is that many rows and -n 0 all of them" {
	[ "$(order -n 2)" = 'fact odd ' ]
	[ "$(order -n 0)" = 'fact odd even leaf main ' ]
	[ "$(order -n 99)" = 'fact odd even leaf main ' ]
	prof-top -n 2 "$(cg rec.cg)" >text
	[ "$(tail -n 2 text | sed -n 1p)" = '… 3 more, 35.29 %' ]
	fails_with "--rows: expected a number, found 'x'" prof-top -n x "$(cg rec.cg)"
}

@test "-n N is the first N of all rows, whatever they are sorted by" {
	f=$(cg perl.cg)
	for sort in Ir Ir.incl calls function object,Ir object,calls,file; do
		for r in '' -r; do
			prof-top --tsv --events Ir -k "$sort" $r "$f" >all
			for n in 1 2 9 100 700; do
				prof-top --tsv --events Ir -k "$sort" $r -n $n "$f" >got
				head -n $((n + 1)) all | diff -u - got
			done
		done
	done
	[ "$(wc -l <all)" -gt 702 ]
}

# ---- events ----

@test "L1m, LLm, Bm and CEst are sums of their events" {
	f=$(cg calls.cg)
	prof-cat "$f" | awk -F'\t' '$1 == "event" { at[$3] = $2 + 6 }
		$1 == "cost" { for (e in at) sum[e] += $at[e] }
		END { l1 = sum["I1mr"] + sum["D1mr"] + sum["D1mw"]
			ll = sum["ILmr"] + sum["DLmr"] + sum["DLmw"]
			b = sum["Bcm"] + sum["Bim"]
			printf "%d\t%d\t%d\t%d\n", l1, ll, b,
			    sum["Ir"] + 10 * b + 10 * l1 + 100 * ll }' >want
	prof-top --by total --tsv --events L1m,LLm,Bm,CEst "$f" >table
	[ "$(head -n 1 table)" = "$(printf 'calls\tL1m\tL1m.incl\tLLm\tLLm.incl\tBm\tBm.incl\tCEst\tCEst.incl')" ]
	sed 1d table | cut -f 2,4,6,8 >got
	diff -u want got
}

@test "a formula is computed for each row, self and inclusive" {
	f=$(cg calls.cg)
	prof-top --tsv -k function,file,object "$f" | awk -F'\t' 'NR == 1 {
		for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $1 "\t" $2 "\t" $at["Ir"] + 2 * $at["Bc"] - $at["Dr"] "\t" \
			$at["Ir.incl"] + 2 * $at["Bc.incl"] - $at["Dr.incl"] }' >want
	prof-top --tsv -k function,file,object --events 'Ir + 2 Bc - Dr' "$f" >table
	[ "$(head -n 1 table | cut -f 5,6)" = "$(printf 'Ir + 2 Bc - Dr\tIr + 2 Bc - Dr.incl')" ]
	sed 1d table | cut -f 1,2,5,6 >got
	diff -u want got
}

@test "A / B is computed after summing, and absent where B is 0" {
	prof-top --by total --tsv --events 'Small / Big' "$(cg odd.prof)" >table
	printf 'prof\t1\npart\t1\nevent\t0\tA\t-\t-\t-\nevent\t1\tB\t-\t-\t-\n%b%b%b%b%b' \
		'func\t0\tf\t-\t-\t-\n' 'func\t1\tg\t-\t-\t-\n' \
		'cost\t0\t-\t-\t-\t1\t4\ncost\t0\t-\t-\t-\t8\t8\n' \
		'cost\t1\t-\t-\t-\t5\n' 'end\n' >ratio.prof
	prof-top --tsv --events 'A / B, A' ratio.prof | cut -f 1,5,7 >got
	diff -u - got <<-'END'
	function	A / B	A
	f	0.75	9
	g	-	5
	END
}

@test "derived events of the file are known by their names" {
	prof-top --tsv --events Twice -k function "$(cg odd.prof)" | cut -f 5 >got
	printf 'Twice\n28\n2\n0\n' | sort >want
	sort got | diff -u want -
	prof-top --by total --tsv "$(cg odd.prof)" | sed -n 1p >got
	printf 'calls\tBig\tBig.incl\tSmall\tSmall.incl\tTwice\tTwice.incl\n' | diff -u - got
}

@test "without --events the first event is shown, and all in tables for programs" {
	prof-top --tsv "$(cg calls.cg)" | sed -n 1p | cut -f 4- | tr '\t' '\n' |
		grep -v '\.incl$' | sed 1d | tr '\n' ' ' >got
	[ "$(cat got)" = "$(events_of calls) " ]
	prof-top "$(cg calls.cg)" | sed -n 3p | awk '{ print $1, $2, $9, $10, $11 }' >got
	[ "$(cat got)" = 'self Ir function file object' ]
}

@test "an unknown event is an error that lists the events" {
	fails_with "no event 'nosuch'; events: Ir \(" prof-top --events nosuch "$(cg rec.cg)"
	fails_with "no event 'nosuch'; events: Ir \(" prof-top -k nosuch "$(cg rec.cg)"
	fails_with "no event 'nosuch'; events: Big, Small, Twice \(" \
		prof-top -k nosuch.incl "$(cg odd.prof)"
	fails_with "no event" prof-top --events 'Ir + nosuch' "$(cg rec.cg)"
	fails_with "'Ir \+' is not a sum of events" prof-top --events 'Ir +' "$(cg rec.cg)"
	fails_with "no event 'L1m'" prof-top --events L1m "$(cg rec.cg)"
}

# ---- callers and callees ----

@test "--callers and --callees are the sums of the call records" {
	f=$(cg calls.cg)
	prof-cat "$f" >stream
	for which in callers callees; do
		awk -F'\t' -v which=$which '
			BEGIN { of = which == "callers" ? 6 : 2; other = 8 - of }
			$1 == "func" { name[$2] = $3 }
			$1 == "call" && name[$of] ~ /^(_dl_|leaf$|main$)/ {
				k = $of "\t" $other; n[k] += $9; cost[k] += $10 }
			END { for (k in n) { split(k, p, "\t")
				print name[p[1]] "\t" name[p[2]] "\t" n[k] "\t" cost[k] } }' \
			stream | sort >want
		[ "$(wc -l <want)" -gt 30 ]
		prof-top --$which '^(_dl_|leaf$|main$)' --tsv --events Ir "$f" >table
		head -n 1 table >head
		printf 'function\tfile\tobject\t%s.function\t%s.file\t%s.object\tcalls\tIr.incl\n' \
			${which%s} ${which%s} ${which%s} | diff -u - head
		sed 1d table | cut -f 1,4,7,8 | sort | diff -u want -
	done
}

@test "--callers and --callees are one block, with the function between them" {
	printf '%s\n' 'a;m;x 5' 'b;m;x 7' 'b;m;y 1' 'b;m 2' >f
	prof-top --callers '^m$' --callees '^m$' f | diff - <(cat <<-'E'
		15 samples in 1 profile, 1 part

		samples       %  calls  caller, function, callee
		      5   33.33      -      a
		     10   66.67      -      b
		     15  100.00      -  m
		     12   80.00      -      x
		      1    6.67      -      y

	E
	)
	# One of them for some, and gprof's own order.
	prof-top --callers '^x$' --callees '^b$' f | sed -n '3,$p' | diff - <(cat <<-'E'
		samples      %  calls  caller, function, callee
		     12  80.00      -      m
		     12  80.00      -  x

		samples      %  calls  caller, function, callee
		     10  66.67      -  b
		     10  66.67      -      m

	E
	)
	# For programs they are two tables, as one at a time.
	prof-top --tsv --callers '^m$' --callees '^m$' f |
		diff - <(prof-top --tsv --callers '^m$' f; prof-top --tsv --callees '^m$' f)
}

@test "--callers is a block for each match, the dearest call first" {
	prof-top --callers '^(even|leaf)$' "$(cg rec.cg)" >got
	diff -u - got <<-'END'
	170 Ir in 1 profile, 1 part: ./rec

	callers of even  rec.c
	 Ir      %  calls  caller
	100  58.82      1  main  rec.c
	 70  41.18      4  odd  rec.c

	callers of leaf  rec.c
	Ir     %  calls  caller
	10  5.88      5  odd  rec.c

	END
}

@test "the mark before a cost between callers and callees is explained below them" {
	printf '%s\n' 'events: Ir' fn=main '1 10' cfn=f 'calls=1 2' '1 50' fn=f '2 20' cfn=g \
		'calls=3 3' '2 60' fn=g '3 30' cfn=f 'calls=2 2' '3 40' >cyc.cg
	prof-top --callers '^[fm]' --callees '^[fm]' cyc.cg >got
	has '^ *~50  *83.33 .* f$' <got
	tail -n 2 got | diff - <(printf '\n~ lower bound: in a recursive cycle\n')
	prof-top --callers '^m' --callees '^m' cyc.cg | lacks - lower
}

@test "--callees has calls of itself" {
	prof-top --callees fact --json "$(cg rec.cg)" >got
	diff -u - got <<-'END'
	{"function":"fact","file":"rec.c","object":null,"callee.function":"fact","callee.file":"rec.c","callee.object":null,"calls":5,"Ir.incl":150}
	END
	fails_with "no function matches --callees 'nosuch'" prof-top --callees nosuch "$(cg rec.cg)"
	fails_with 'by function' prof-top --callees fact --by line "$(cg rec.cg)"
	fails_with 'bad pattern' prof-top --callers '(' "$(cg rec.cg)"
}

# ---- tables for programs ----

# head_of LIST: the columns of --by LIST.
head_of() {
	prof-top --tsv --by "$1" --events Ir "$(cg rec.cg)" | sed -n 1p | tr '\t' ' '
}

@test "--tsv has the columns of --by in order, then calls, then each event twice" {
	[ "$(head_of function)" = 'function file object calls Ir Ir.incl' ]
	[ "$(head_of file,function)" = 'file function object calls Ir Ir.incl' ]
	[ "$(head_of object,function,line)" = 'object function file line calls Ir Ir.incl' ]
	[ "$(head_of file,line)" = 'file line calls Ir Ir.incl' ]
	[ "$(head_of total)" = 'calls Ir Ir.incl' ]
	[ "$(head_of line)" = 'file line calls Ir Ir.incl' ]
	[ "$(head_of function,line)" = 'function object file line calls Ir Ir.incl' ]
	[ "$(head_of line,part,file)" = 'line part file calls Ir Ir.incl' ]
	[ "$(head_of function,addr)" = 'function file object addr calls Ir Ir.incl' ]
	[ "$(head_of thread,part,pid,source,addr)" = 'thread part pid source object addr calls Ir Ir.incl' ]
}

@test "--tsv has - for unknown names and escapes as the stream has" {
	prof-top --tsv --events Small -k Small "$(cg odd.prof)" >got
	printf '%b' 'function\tfile\tobject\tcalls\tSmall\tSmall.incl\n' \
		'caf\xe9 \\t"x\\\\y"\ta b.c\t/bin/odd\t0\t14\t14\n' \
		'-\t-\t/bin/odd\t0\t1\t1\n' 'gr\xc3\xbcn\ta b.c\t-\t0\t0\t0\n' >want
	diff -u want got
}

@test "sums beyond 64 bits are exact" {
	prof-top --tsv --events 'Big,Big + Small' --by total "$(cg odd.prof)" | sed 1d >got
	# 2 * (2^64 - 1) + 2^53 + 1 + 2^53
	printf '0\t%s\t%s\t%s\t%s\n' 36911502545928585215 36911502545928585215 \
		36911502545928585230 36911502545928585230 | diff -u - got
}

@test "costs outside any function are a row, whatever record comes before them" {
	printf '%s\n' 'prof|1' 'part|1' 'event|0|Ir|-|-|-' 'total|run|18' \
		'cost|-|-|1|-|5' 'cost|-|-|2|-|6' 'func|0|f|-|-|-' 'cost|0|-|3|-|7' end |
		bars >x.prof
	prof-top --tsv x.prof | cut -f 1,5 >got
	printf '%s\t%s\n' function Ir - 11 f 7 >want
	diff -u want got
}

@test "a sum that does not fit 128 bits is an error" {
	{
		printf 'prof|1\npart|1\nevent|0|E|-|-|-\nfunc|0|f|-|-|-\n'
		printf 'cost|0|-|1|-|170141183460469231731687303715884105727\n'
		printf 'cost|0|-|1|-|%s\nend\n' 1
	} | bars >over.prof
	fails_with '^prof-top: over.prof:6: a sum does not fit 128 bits$' prof-top over.prof
	[ ! -s fails.out ]
	sed '/|1$/d; 6d' over.prof >fits.prof
	[ "$(prof-top --by total --tsv fits.prof | sed 1d | cut -f 2)" = \
		170141183460469231731687303715884105727 ]
}

@test "the order of profiles does not decide whether a sum fits 128 bits" {
	local most=170141183460469231731687303715884105727 kind order tool
	# as KIND COST: f, alone or called by main, costs so much; part 1 has the total.
	as() {
		printf '%s\n' 'prof|1' 'part|1' 'event|0|E|-|-|-' 'func|0|f|-|-|-' \
			'ctx|0|-|0|-|-|-' 'func|1|main|-|-|-'
		case $1 in
		cost) printf '%s\n' "cost|0|-|3|-|$2" ;;
		sample) printf '%s\n' "sample|0|$2" ;;
		call) printf '%s\n' "call|1|-|3|-|0|-|-|1|$2" ;;
		total) printf '%s\n' 'cost|0|-|3|-|1' "total|run|$2" ;;
		esac
		echo end
	}
	for kind in cost sample call total; do
		as $kind $most | bars >0
		as $kind 1 | bars >1
		as $kind -1 | bars >2
		for order in '0 1 2' '0 2 1' '1 0 2' '1 2 0' '2 0 1' '2 1 0'; do
			for tool in prof-top prof-tree prof-merge 'prof-cat --info' 'prof-to svg'; do
				case $kind-$tool in
				call-*info | *call-*svg | cost-*svg | total-*svg) continue ;;
				esac
				fails_with 'a sum does not fit 128 bits' $tool $order
			done
			fails_with 'a sum does not fit 128 bits' \
				prof-diff <(prof-cat $order) <(prof-cat 1)
		done
		# What is positive fits, and what is negative.
		for order in '0 2' '2 0' '2 0 2'; do
			prof-top --tsv $order >/dev/null
			prof-tree --tsv $order >/dev/null
			prof-cat --info $order >/dev/null
		done
	done
	as cost $most | bars >0
	as cost -1 | bars >2
	[ "$(prof-merge 0 2 2 | sed -n 's/^cost.*	//p')" = "${most%7}5" ]
	[ "$(prof-merge 2 0 2 | sed -n 's/^cost.*	//p')" = "${most%7}5" ]
	# Points and other costs make up one sum.
	as cost -1 | sed '$d' >points
	printf '%s\n' 'point|0|-|1|1|-|-|-5|-|-5|-5|-|-|-|-|-|-|-|-|-|-' end >>points
	bars <points | prof-top --tsv | cut -f 1,5 | sed -n 2p | has -x 'f	-6'
	bars <points | fails_with 'a sum does not fit 128 bits' prof-top 0 - 1
	bars <points | fails_with 'a sum does not fit 128 bits' prof-top - 0 1
}

@test "--json is one valid object a row, large integers as strings, any bytes" {
	prof-top --json --events Big,Small "$(cg odd.prof)" >got
	printf '%s\n' \
		'{"function":"caf\udce9 \u0009\"x\\y\"","file":"a b.c","object":"/bin/odd","calls":0,"Big":"36893488147419103230","Big.incl":"36893488147419103230","Small":14,"Small.incl":14}' \
		'{"function":null,"file":null,"object":"/bin/odd","calls":0,"Big":"9007199254740993","Big.incl":"9007199254740993","Small":1,"Small.incl":1}' \
		'{"function":"grün","file":"a b.c","object":null,"calls":0,"Big":9007199254740992,"Big.incl":9007199254740992,"Small":0,"Small.incl":0}' \
		>want
	diff -u want got
	prof-top --json --by line,function "$(cg names.cg)" >real
	perl -MJSON::PP -ne 'my $o = decode_json $_; $sum += $o->{Ir};
		$str++ if !defined $o->{line} || $o->{line} !~ /^\d+$/;
		END { print "$sum\n" }' real >sum
	awk '/^totals:/ { print $2 }' "$(cg names.cg)" | diff -u - sum
	grep -q '"line":[1-9][0-9]*,' real
}

@test "--tsv escapes the names of events, too" {
	printf '%s\n' 'prof|1' 'part|1' 'event|0|a\tb\\|-|-|-' 'event|1|-c|-|-|-' \
		'func|0|f|-|-|-' 'cost|0|-|1|-|5|6' 'call|0|-|1|-|0|-|-|1|5|6' end |
		bars >x.prof
	prof-top --tsv x.prof >out
	printf '%s\t' function file object calls 'a\tb\\' 'a\tb\\.incl' '-c' >want
	printf '%s\n' '-c.incl' >>want
	head -n 1 out | diff -u want -
	prof-top --tsv --callers f x.prof | sed -n 1p | tr '\t' '\n' | tail -n 2 >got
	printf '%s\n' 'a\tb\\.incl' '-c.incl' | diff -u - got
}

@test "--tsv and --json exclude each other" {
	fails_with '--tsv and --json cannot be combined' prof-top --tsv --json "$(cg rec.cg)"
}

# ---- the table for people ----

@test "the table has self and inclusive cost, their percentages, calls and names" {
	prof-top -k Ir.incl "$(cg rec.cg)" >got
	diff -u - got <<-'END'
	170 Ir in 1 profile, 1 part: ./rec

	self Ir      %  inclusive       %  calls  function  file
	     10   5.88        170  100.00      0  main  rec.c
	     40  23.53       ~100   58.82      5  even  rec.c
	     60  35.29         60   35.29      1  fact  rec.c
	     50  29.41        ~60   35.29      5  odd  rec.c
	     10   5.88         10    5.88      5  leaf  rec.c
	~ lower bound: in a recursive cycle
	END
}

@test "a pipe gets every row and every name whole" {
	LINES=10 COLUMNS=60 prof-top "$(cg names.cg)" >got
	[ "$(sed 1,3d got | wc -l)" = "$(prof-top --tsv "$(cg names.cg)" | sed 1d | wc -l)" ]
	run -1 grep -q … got
	[ "$(longest_line <got)" -gt 300 ]
	run -1 grep -q "$(printf '\033')" got
}

@test "a terminal's width is kept, long names shortened in the middle" {
	on_terminal 100 50 "prof-top $(cg names.cg)" >got
	[ "$(sed 1,3d got | wc -l)" -gt 40 ]
	[ "$(longest_line <got)" -le 100 ]
	on_terminal 100 50 "COLUMNS=130 prof-top -n 0 $(cg names.cg)" >got
	[ "$(longest_line <got)" -le 130 ]
	[ "$(longest_line <got)" -gt 100 ]
	grep -q 'std::.*….*>' got
	[ "$(sed 1,3d got | wc -l)" = "$(prof-top --tsv "$(cg names.cg)" | sed 1d | wc -l)" ]
}

@test "a terminal gets as many rows as it has lines, and how many more there are" {
	f=$(cg names.cg)
	rows=$(prof-top --tsv "$f" | sed 1d | wc -l)
	on_terminal 100 20 "prof-top $f" >got
	[ "$(wc -l <got)" -le 19 ]
	[ "$(wc -l <got)" -ge 15 ]
	shown=$(($(wc -l <got) - 4))
	tail -n 1 got | has "^… $((rows - shown)) more, [0-9.]* %"
	on_terminal 100 50 "LINES=12 prof-top $f" >got
	[ "$(wc -l <got)" -le 11 ]
	on_terminal 100 20 "prof-top -n 3 $f" >got
	[ "$(wc -l <got)" = 7 ]
	on_terminal 100 20 "prof-top -n 0 $f" >got
	[ "$(wc -l <got)" = $((rows + 3)) ]
}

@test "the runs of a sum are counted once, however many parts it has" {
	printf '%s\n' '# callgrind format' 'part: 1' 'thread: 1' 'events: Ir' fn=f '1 3' 'totals: 3' \
		'part: 1' 'thread: 2' 'events: Ir' fn=f '1 4' 'totals: 4' >t.cg
	prof-top t.cg t.cg t.cg | has -x '21 Ir in 3 profiles, 6 parts'
	prof-merge -b thread t.cg t.cg t.cg >sum
	prof-top sum | has -x '21 Ir in 3 profiles, 2 parts'
	prof-top sum t.cg sum | has -x '49 Ir in 7 profiles, 6 parts'
}

@test "two members of one name in JSON are a warning" {
	bars >f <<<'prof|1
	part|1
	event|0|calls|-|-|-
	event|1|Ir|-|-|-
	func|0|f|-|-|-
	cost|0|-|-|-|3|4
	end'
	sed -i 's/^\t*//' f
	local tool
	for tool in prof-top 'prof-top -b total'; do
		$tool --json f 2>err | grep -o '"calls":[0-9]*' | paste -sd ' ' | has -x '"calls":0 "calls":3'
		diff err - <<<'prof-top: warning: each object has two members "calls": choose events with --events, or use --tsv'
		$tool --json --events Ir f 2>err
		[ ! -s err ]
		$tool --tsv f 2>err
		[ ! -s err ]
	done
}

@test "all values of metadata are in the heading and in the names of rows" {
	bars >f <<-'E'
	prof|1
	part|1
	meta|cmd|one|two
	meta|thread|t 1|t 2
	meta|filter|x\ty|z
	meta|lost|7 records|-
	event|0|Ir|-|-|-
	func|0|main|-|-|-
	cost|0|-|-|-|10
	end
	E
	prof-top f | sed -n 1,3p | diff - <(cat <<-'E'
	10 Ir in 1 profile, 1 part: one, two
	filter: x\x09y, z
	lost: 7 records, -
	E
	)
	prof-top --tsv -b cmd,thread f | cut -f 1,2 | tail -n 1 | has -x $'one, two\tt 1, t 2'
	# Parts that share the first value only have rows of their own.
	{ sed '$d' f; sed '1d; /^func/d; s/t 2/t 3/; s/\t10$/\t5/' f; } >g
	prof-top --tsv -b thread g | cut -f 1,3 | sed 1d | diff - <(printf 't 1, t 2\t10\nt 1, t 3\t5\n')
}

@test "rows by comm have that metadata, before the name of the thread" {
	bars >f <<-'E'
	prof|1
	part|1
	meta|comm|web
	meta|thread|web 5
	event|0|Ir|-|-|-
	func|0|main|-|-|-
	cost|0|-|-|-|10
	part|1
	meta|thread|db 6
	meta|comm|db
	event|0|Ir|-|-|-
	cost|0|-|-|-|4
	part|1
	meta|thread|7
	event|0|Ir|-|-|-
	cost|0|-|-|-|2
	end
	E
	prof-top --tsv -b comm,thread f | cut -f 1,2,4 | sed 1d |
		diff - <(printf 'web\tweb 5\t10\ndb\tdb 6\t4\n7\t7\t2\n')
	prof-grep --where comm=db -x -e main f | prof-top --tsv -b comm | cut -f 1,3 | tail -n 1 | has -x $'db\t4'
}

@test "the heading keeps a terminal's width too" {
	on_terminal 80 24 "prof-top $(cg perl.cg)" >got
	grep -q 'perl -e' got
	[ "$(longest_line <got)" -le 80 ]
}

@test "the heading has every filter" {
	prof-grep -v nosuch "$(cg calls.cg)" | prof-grep _dl | prof-top >got
	grep -q 'filter: .*-v nosuch' got
	grep -q 'filter: .*_dl' got
}

@test "a block of callers keeps a terminal's width" {
	on_terminal 100 24 "prof-top --callers 'std::' $(cg names.cg)" >got
	grep -q 'callers of' got
	[ "$(longest_line <got)" -le 100 ]
}

@test "colour is for terminals that have it and for users who want it" {
	f=$(cg rec.cg) esc=$(printf '\033')
	on_terminal 80 24 "prof-top $f" >got
	grep -q "$esc\[1m" got
	on_terminal 80 24 "NO_COLOR=1 prof-top $f" >got
	run -1 grep -q "$esc" got
	grep -q fact got
	TERM_IS=dumb on_terminal 80 24 "prof-top $f" >got
	run -1 grep -q "$esc" got
	grep -q fact got
	on_terminal 80 24 "prof-top --color=never $f" >got
	run -1 grep -q "$esc" got
	prof-top --color=always "$f" >got
	grep -q "$esc\[1m" got
	prof-top --color=always "$f" | sed "s/$esc\[[0-9;]*m//g" >plain
	prof-top "$f" | diff -u - plain
	prof-top --tsv --color=always "$f" >got
	run -1 grep -q "$esc" got
	fails_with '--color: expected one of' prof-top --color=blue "$f"
}

@test "control characters in names do not reach the terminal" {
	prof-top "$(cg odd.prof)" >got
	grep -aqF '\x09"x' got
}

@test "control characters in names of events do not reach the terminal" {
	local esc=$'\e'

	printf 'function\tA%s[7m\nm\t1\n' "$esc" | sed 's/function/&\tfunction.file\tobject\tfile\tline\taddr/
		s/^m/&\t-\t-\t-\t-\t-/' >x.tsv
	prof-cat x.tsv | sed 's/^end/total\tsum\t2\n&/; /^event/s/\(event\t0\t[^\t]*\)\t-/\1\ts\a/
		/^event/s/$/\tscale=1\/10/' >x.prof
	prof-top x.prof >got 2>err
	head -n 1 got | has -F '0.20 s\x07 of A\x1b[7m in 1 profile'
	grep -qF 'A\x1b[7m/s\x07' got
	grep -qF "1 A\x1b[7m, but the profiler's total is 2" err
	cat err >>got
	fails_with 'A.x1b.7m' prof-top --events B x.prof
	cat fails.err >>got
	fails_with 'A.x1b.7m' prof-cat --events B x.prof
	cat fails.err >>got
	sed '2s/1$/x/' x.tsv >y.tsv
	fails_with 'A.x1b.7m: expected a whole number' prof-cat y.tsv
	cat fails.err >>got
	run -1 grep -q "[$esc$(printf '\a')]" got
}

@test "a column sums the shares of rows that are sorted by the self cost of one event" {
	f=$(cg calls.cg)
	prof-top -n 0 --events Ir "$f" | sed -n '4,$p' | awk '{ sum += $2; d = $3 - sum
		if (d > 0.5 || d < -0.5) print NR, $3, sum }
		END { if ($3 != "100.00") print "the last one has", $3 }' | diff /dev/null -
	prof-top --events Ir "$f" | has 'sum %'
	for other in '-k Ir.incl' '-k function' '--events Ir,Dr' '--width 80' '--events Ir/Dr'; do
		prof-top $other "$f" | grep 'sum %' && return 1
	done
	prof-top --width 100 "$f" | has 'sum %'
}

@test "a note says where names are to be had for functions that are addresses" {
	printf '%s\n' 'events: Ir' 'ob=/y/prog' 'fn=0x0000000000001139' '0 60' "fn=0x1200'2" '0 3' \
		'fn=main' '0 30' 'ob=/y/lib' 'fn=0x10' '0 5' 'fn=0xyz' '0 2' >s.cg
	prof-top s.cg 2>&1 >/dev/null | diff - <(echo 'prof-top: 63.00 % of Ir in prog has no names: keep its symbols, or see --exe')
	silent prof-top --quiet s.cg >/dev/null
	silent prof-top -b object s.cg >/dev/null
	# Little of all is no matter.
	sed 's/^0 \(60\|3\|5\)$/0 0/' s.cg >t.cg
	silent prof-top t.cg >/dev/null
	# It works.
	cat >s.c <<-'E'
	__attribute__((noinline)) static int work(int n) { int s = 0; while (n) s += n-- % 7; return s; }
	int main(void) { return work(100000) == 3; }
	E
	gcc -g -O1 -o whole s.c
	mkdir bin
	strip -o bin/prog whole
	mv whole prog
	valgrind -q --tool=callgrind --callgrind-out-file=v.cg bin/prog
	prof-top -n 1 v.cg 2>err | has -E ' 0x[0-9a-f]+ .*/bin/prog\]$'
	has 'in prog has no names' <err
	silent prof-top -n 1 --exe prog v.cg | has -E ' work  .*/bin/prog\]$'
}

@test "--min leaves out the rows that have too little" {
	f=$(cg calls.cg)
	prof-top --tsv --events Ir,Dr "$f" >all
	# Column of TSV, condition of awk, option.
	while IFS='|' read -r column condition min; do
		prof-top --tsv --events Ir,Dr --min "$min" "$f" >got
		at=$(head -n 1 all | tr '\t' '\n' | grep -nxF "$column" | cut -d : -f 1)
		awk -F '\t' -v at="$at" "NR == 1 || \$at $condition" all >want
		[ "$(wc -l <want)" -gt 2 ]
		[ "$(wc -l <want)" -lt "$(wc -l <all)" ]
		diff want got
	done <<-'E'
	Ir|> 100|Ir>100
	Ir|>= 100|Ir >= 100
	Dr.incl|> 1000|Dr.incl>1000
	calls|>= 2|calls>=2
	E
	total=$(awk '/^summary:/ { print $2 }' "$f")
	awk -F '\t' -v t="$total" 'NR == 1 || $5 >= t / 100' all >want
	prof-top --tsv --events Ir,Dr --min 1% "$f" | diff want -
	# Both, and a quotient, of events that are not shown.
	awk -F '\t' 'NR > 1 && $5 > 100 && $7 > 0 && $5 / $7 > 2.5 { print $1 }' all | sort >want
	[ -s want ]
	prof-top --tsv --events Dw --min 'Ir>100,Ir/Dr>2.5' "$f" | sed 1d | cut -f 1 | sort | diff want -
	# What is shown is as without it, and the rest is counted.
	prof-top --events Ir "$f" >whole
	prof-top --min 'Dr>1000' "$f" >some
	grep -vxFf whole some >other || :
	[ "$(sed 's/,//g; s/[^ ]* [^ ]* *//' other | wc -l)" -ge 1 ]
	[ "$(($(sed -n '4,$p' some | grep -cv more) + $(sed -n 's/^… \([0-9]*\) more.*/\1/p' some)))" \
		= "$(sed -n '4,$p' whole | wc -l)" ]
	fails_with "no event 'nosuch'" prof-top --min 'nosuch>1' "$f"
	fails_with 'only costs have a share' prof-top --min 'calls>1%' "$f"
	fails_with 'expected a column of numbers' prof-top --min 'function>1' "$f"
	for wrong in '>5' Ir Ir= 'Ir>' 'Ir>x' '' '5,,6'; do
		fails_with '--min: expected a share such as 1% or COLUMN>NUMBER' prof-top --min "$wrong" "$f"
	done
	fails_with '--min cannot be combined' prof-top --min 5 --callers main "$f"
}

@test "--min of a difference leaves out small changes, up or down" {
	printf 'grew 10\nsame 50\nfell 30\nnew 0\n' >old
	printf 'grew 22\nsame 51\nfell 10\nnew 3\n' >new
	prof-diff --from folded old new >d
	for min in 12 10% 'samples>=12' 'samples>10.5%'; do
		[ "$(prof-top --tsv --min "$min" d | cut -f 1)" = $'function\nfell\ngrew' ]
	done
	[ "$(prof-top --tsv --min 20% d | cut -f 1)" = $'function\nfell' ]
	prof-top --min 12 d | diff -u - <(
		cat <<-'E'
		-4 samples between two profiles
		old: old, new: new

		old self samples  new  change        %  inclusive        %  function
		              30   10     -20   -66.67        -20   -66.67  fell
		              10   22     +12  +120.00        +12  +120.00  grew
		… 2 more
		              90   86      -4    -4.44                      total
		90 and 86 samples: random variation may change 10 % by 91 %, 1 % by 289 %
		E
	)
	prof-top --min 12 -n 1 d | has -x '… 3 more'
}

@test "--min takes the last > for its own: names may have others" {
	printf 'events: a->b\nfn=f\n1 5\nfn=g\n1 6\n' >x.cg
	[ "$(prof-top --tsv --min 'a->b>5' x.cg | cut -f 1)" = $'function\ng' ]
}

@test "a name of an event is aligned by its characters, and not cut within one" {
	printf 'prof\t1\npart\t1\nevent\t0\t\303\251t\303\251\t-\t-\t-\tcalls=absent\nfunc\t0\tm\t-\t-\t-\ncost\t0\t-\t-\t-\t5\nend\n' >x.prof
	prof-top x.prof | tail -n 2 >got
	printf 'self \303\251t\303\251       %%   sum %%  function\n       5  100.00  100.00  m\n' >want
	diff -u want got
	sed "s/^event\t0\t[^\t]*/event\t0\tx$(printf '\303\251%.0s' {1..40})/" x.prof >y.prof
	prof-top y.prof | iconv -f utf-8 -t utf-16 >/dev/null
	prof-top y.prof | tail -n 1 | has ' 100.00  m$'
}

@test "the rows leave room for the heading of a filtered profile" {
	on_terminal 100 20 "prof-grep -v nosuch $(cg names.cg) | prof-top" >got
	grep -q 'filter: -v nosuch' got
	[ "$(wc -l <got)" -le 19 ]
}

# ---- negative events, cycles, lines of several functions ----

@test "an event with negative costs has inclusive costs, though they are over the total" {
	printf 'events: A\nfl=m.c\nfn=root\n1 -700\nfn=other\n2 1000\n' >neg.cg
	prof-top --tsv neg.cg | cut -f 1,4- >got
	printf 'function\tcalls\tA\tA.incl\nother\t0\t1000\t1000\nroot\t0\t-700\t-700\n' |
		diff -u - got
	prof-top neg.cg >got
	diff -u - got <<-'END'
	300 A in 1 profile, 1 part

	self A        %   sum %  inclusive        %  calls  function  file
	 1,000   333.33  333.33      1,000   333.33      0  other  m.c
	  -700  -233.33  100.00       -700  -233.33      0  root  m.c
	END
	# A negative call into a function is its cost; none at all is not 0.
	printf 'events: A\nfl=m.c\nfn=root\n1 10\ncfn=free\ncalls=2 0\n2 -50\nfn=free\n3 -50\n' >neg.cg
	prof-top --tsv -k function neg.cg | cut -f 1,4- >got
	printf 'function\tcalls\tA\tA.incl\nfree\t2\t-50\t-50\nroot\t0\t10\t-40\n' | diff -u - got
}

@test "inclusive costs in a cycle are marked, and a last line says what the mark means" {
	printf 'events: Ir\nfl=m.c\nfn=main\n1 5\ncfn=a\ncalls=1 0\n2 60\nfn=a\n1 10\ncfn=b\ncalls=1 0\n2 50\nfn=b\n2 50\ncfn=a\ncalls=1 0\n7 30\n' >cycle.cg
	prof-top cycle.cg >got
	diff -u - got <<-'END'
	65 Ir in 1 profile, 1 part

	self Ir      %   sum %  inclusive       %  calls  function  file
	     50  76.92   76.92        ~50   76.92      1  b  m.c
	     10  15.38   92.31        ~60   92.31      2  a  m.c
	      5   7.69  100.00         65  100.00      0  main  m.c
	~ lower bound: in a recursive cycle
	END
	prof-top -k Ir.incl -n 1 cycle.cg >got
	[ "$(tail -n 1 got)" = '… 2 more, 92.31 % self' ]
	run -1 grep -q '~' got
	prof-top -n 1 cycle.cg | tail -n 2 >got
	printf '%s\n' '… 2 more, 23.08 %' '~ lower bound: in a recursive cycle' | diff -u - got
	# A function that calls itself is no such cycle; programs get no mark.
	printf 'events: Ir\nfl=m.c\nfn=a\n1 10\ncfn=a\ncalls=5 0\n2 50\n' | prof-top >got
	run -1 grep -q '~' got
	for form in --tsv --json; do
		prof-top $form cycle.cg >got
		run -1 grep -q '~' got
		grep -q '^{\?"\?b\|"function":"b"' got
	done
}

@test "nested calls of several functions from one line count once" {
	printf 'events: Ir\nfl=m.c\nfn=a\n1 10\ncfn=b\ncalls=1 0\n7 50\nfn=b\n2 20\ncfn=c\ncalls=1 0\n7 30\nfn=c\n3 30\nfn=d\n4 100\n' >mixed.cg
	prof-top --by line --tsv -k line mixed.cg >got
	bars >want <<-'END'
	file|line|calls|Ir|Ir.incl
	m.c|1|-|10|10
	m.c|2|-|20|20
	m.c|3|-|30|30
	m.c|4|-|100|100
	m.c|7|-|0|50
	END
	diff -u want got
	prof-top --by line --json mixed.cg | grep '"line":7' >got
	[ "$(cat got)" = '{"file":"m.c","line":7,"calls":null,"Ir":0,"Ir.incl":50}' ]
	prof-top --by line,function --tsv mixed.cg | grep '^m.c	7	' | cut -f 3,7 | sort >got
	printf 'a\t50\nb\t30\n' | diff -u - got
}

# Code inlined into two functions of which one calls the other from it, as a compiler
# makes it: a stream with the calls in `more`.
inlined() {
	printf '%b\n' 'prof\t1' 'part\t1' "meta\tthread\t${thread:-1}" 'event\t0\tIr\t-\t-\t-' \
		'object\t0\tapp\t-' 'object\t1\tlib\t-' 'file\t0\ta.c' 'file\t1\tin.h' \
		'func\t0\tmain\t0\t0\t-' 'func\t1\tf\t0\t0\t-' 'func\t2\tg\t0\t1\t-' \
		'cost\t0\t0\t7\t-\t10' 'cost\t1\t0\t4\t-\t5' 'cost\t1\t1\t3\t-\t500' \
		'call\t0\t0\t7\t-\t1\t-\t-\t1\t1010' 'call\t1\t1\t3\t-\t2\t-\t-\t1\t505' \
		"$@" 'end'
}

@test "inclusive costs of files and lines count code inlined into callers and callees once" {
	inlined 'cost\t2\t0\t3\t-\t5' 'cost\t2\t1\t3\t-\t500' >nested
	# By hand: main and all it calls is 1020; f, without its line 4, calls g.
	prof-top -b file nested >got
	diff -u - got <<-'END'
	1,020 Ir in 1 profile, 1 part

	self Ir      %   sum %  inclusive       %  calls  file
	  1,000  98.04   98.04      1,005   98.53      0  in.h
	     20   1.96  100.00      1,020  100.00      1  a.c
	END
	prof-top -b file,line --tsv nested | cut -f 1,2,5 | sort >got
	printf '%s\t%s\t%s\n' a.c 3 5 a.c 4 5 a.c 7 1020 file line Ir.incl in.h 3 1005 | diff -u - got
	prof-top -b object --json nested | jq -r '[.object, .calls, ."Ir.incl"] | @tsv' | sort >got
	printf '%s\t%s\t%s\n' app 0 1020 lib 1 505 | diff -u - got
	prof-top -b function,file --json nested | jq -r '[.function, .file, .Ir, ."Ir.incl"] | @tsv' |
		sort >got
	printf '%s\t%s\t%s\t%s\n' f a.c 5 5 f in.h 500 1005 g a.c 5 5 g in.h 500 500 \
		main a.c 10 1020 | diff -u - got
	prof-annotate --tsv --all nested | awk -F '\t' '$1 == "line" && $7 != 0 { print $2, $3, $6, $7 }' |
		sort >got
	printf '%s\n' 'a.c 3 5 5' 'a.c 4 5 5' 'a.c 7 10 1020' 'in.h 3 1000 1005' | diff -u - got
	# Threads do not call each other.
	thread=2 inlined 'cost\t2\t0\t3\t-\t5' 'cost\t2\t1\t3\t-\t500' >second
	prof-top -b thread,file --tsv nested second | cut -f 1,2,5 | sort >got
	printf '%s\t%s\t%s\n' 1 a.c 1020 1 in.h 1005 2 a.c 1020 2 in.h 1005 thread file Ir.incl |
		diff -u - got
	prof-top -b file --tsv nested second | grep -Px 'in.h\t0\t2000\t2010'
}

@test "inclusive costs of places that are partly nested are bounds, and marked" {
	# main calls g as well: of g, 500 of 1000 in in.h are not below f.
	inlined 'cost\t2\t0\t3\t-\t10' 'cost\t2\t1\t3\t-\t1000' \
		'call\t0\t0\t7\t-\t2\t-\t-\t1\t505' >twice
	prof-top -b file twice >got
	# It is 1505; from main into g come 505, of which at most 10 are elsewhere.
	has -Ex ' +1,500 +98.36 +98.36 +~1,500 +98.36 +0  in.h' got
	has -Ex ' +25 +1.64 +100.00 +1,525 +100.00 +1  a.c' got
	has -x '~ lower bound: in a recursive cycle' got
	# A filter keeps a bound, here of 1005; a merge hides what is nested.
	inlined 'cost\t2\t0\t3\t-\t5' 'cost\t2\t1\t3\t-\t500' >nested
	prof-grep -x g twice | prof-top -b file >got
	has -Ex ' +1,000 +65.57 +65.57 +~1,000 +65.57 +0  in.h' got
	prof-merge -b file nested | prof-top -b file >got
	has -Ex ' +1,000 +98.04 +98.04 +- +- +0  in.h' got
	# Both sides of a difference on their own.
	prof-diff --tsv -b file nested twice | cut -f 1,6,8,4 | sort >got
	printf '%s\t%s\t%s\t%s\n' a.c 505 1020 1525 file Ir.incl Ir.old.incl Ir.new.incl \
		in.h 495 1005 1500 | diff -u - got
	# Points of a function count recursion once, but not those of several.
	printf '%s\n' 'v 2' 'm Ir' 'r "main" "/bin/x" 0' 'r "sub" "/bin/x" 1' \
		'p 0 10 100 100 100 1 100 40' 'p 1 10 30 30 60 2 60 30' >x.aprof
	prof-top -b object x.aprof | has -E '^ +70 +100.00 +100.00 +!100 '
}

@test "an inclusive cost of more than the whole is marked, wherever it was measured" {
	printf '%s\n' 'v 2' 'm Ir' 'r "main" "/bin/x" 0' 'r "sub" "/bin/x" 1' \
		'p 0 10 100 100 100 1 100 40' 'p 1 10 30 30 60 2 60 30' >x.aprof
	prof-top x.aprof >got
	has -E '^ +40 +57.14 +57.14 +!100 +142.86 .* main ' got
	has -E '^ +30 +42.86 +100.00 +60 +85.71 .* sub ' got
	has -x '! more than the total, as the profiler measured it' got
	# That of points was measured, whatever a filter leaves.
	prof-grep -x main x.aprof | prof-top | has -E '^ +40 +57.14 +57.14 +!100 +142.86 '
	prof-top "$TESTS/../share/examples/sort.aprof" | has -E ' +!3,801,417 +103.99 '
}

@test "a formula of bounds has the mark that follows from its terms" {
	# Of the calls of f and g, which call each other, some are nested.
	graph 'Ir Dr' >c.cg <<-'E'
	main 10 5
	main > f 1 95 40
	f 40 20
	f > g 2 90 31
	g 55 20
	g > f 1 35 11
	E
	marked() {
		prof-top -n 0 --events "$1" c.cg | awk -v at="$2" 'NF > 4 && $(NF - 1) ~ /^[fg]$/ { print $(NF - 1), $at }' |
			LC_ALL=C sort
	}
	marked 'Ir + 2 Dr' 4 | same - <(printf '%s\n' 'f ~175' 'g ~95')
	marked 'Ir - Dr' 4 | same - <(printf '%s\n' 'f ?55' 'g ?35')
	marked 'Ir / Dr' 2 | same - <(printf '%s\n' 'f ?2.375' 'g ?2.75')
	prof-top --events 'Ir - Dr' c.cg >got
	has -x '? may be more or less: in recursive cycles, or a filter has hidden calls' got
	# A filter that hides a cycle leaves sums that are too large.
	graph 'Ir Dr' >h.cg <<-'E'
	main 100 50
	main > f 1 60 30
	f 10 5
	f > g 2 68 30
	g 20 9
	g > h 1 48 20
	h 30 16
	h > f 1 18 4
	E
	prof-grep -v -x h h.cg >left
	prof-top --events 'Ir + Dr' left >got
	has -E ' +\?113 .* f  f.c$' got
	has -x '? upper bound: the remaining calls may be nested' got
	prof-top --events 'Ir - Dr' left >got
	has -E ' +\?43 .* f  f.c$' got
	has -x '? may be more or less: in recursive cycles, or a filter has hidden calls' got
}

@test "objects of functions whose calls another object makes on their behalf are exact" {
	# As qsort() with a callback: main calls sort in lib, which calls less in app.
	printf '%b\n' 'prof\t1' 'part\t1' 'event\t0\tIr\t-\t-\t-' 'object\t0\tapp\t-' \
		'object\t1\tlib\t-' 'func\t0\tmain\t-\t0\t-' 'func\t1\tsort\t-\t1\t-' \
		'func\t2\tless\t-\t0\t-' 'func\t3\tcopy\t-\t1\t-' 'cost\t0\t-\t1\t-\t10' \
		'cost\t1\t-\t1\t-\t20' 'cost\t2\t-\t1\t-\t30' 'cost\t3\t-\t1\t-\t40' \
		'call\t0\t-\t1\t-\t1\t-\t-\t1\t90' 'call\t1\t-\t1\t-\t2\t-\t-\t6\t70' \
		'call\t2\t-\t1\t-\t3\t-\t-\t6\t40' 'end' >sort
	prof-top -b object sort >got
	diff -u - got <<-'END'
	100 Ir in 1 profile, 1 part

	self Ir      %   sum %  inclusive       %  calls  object
	     60  60.00   60.00         90   90.00      7  [lib]
	     40  40.00  100.00        100  100.00      6  [app]
	END
}

@test "no number of rows is none, not 0" {
	for tool in prof-top prof-tree; do
		fails_with "--rows: expected a number, found ''" $tool -n '' "$(cg rec.cg)"
	done
}

# ---- totals ----

@test "a producer's total that its lines do not add up to is warned of, for each event and part" {
	printf 'events: Ir Dr\nfl=m.c\nfn=a\n1 10 5\ntotals: 12 5\n' >bad.cg
	prof-top --events Ir,Dr bad.cg >got 2>err
	[ "$(cat err)" = "prof-top: warning: the lines of a part add up to 10 Ir, but the profiler's total is 12" ]
	[ "$(head -n 1 got)" = '12 Ir, 5 Dr in 1 profile, 1 part' ]
	prof-top --events Ir bad.cg bad.cg 2>err >got
	[ "$(wc -l <err)" = 2 ]
	# An event that is not asked for, a total that is right, one of a filter.
	prof-top --events Dr bad.cg 2>err >got
	[ ! -s err ]
	prof-top "$(cg calls.cg)" 2>err >got
	[ ! -s err ]
	prof-grep a bad.cg | prof-top 2>err >got
	[ ! -s err ]
	[ "$(head -n 1 got)" = '12 Ir in 1 profile, 1 part' ]
}

@test "percentages are of the run, unless it is absent or all zero, otherwise the sum, otherwise self cost" {
	# base RECORD...: what a part with these totals is said to cost.
	base() {
		{
			printf '%s\n' 'prof|1' 'part|1' 'event|0|A|-|-|-' 'event|1|B|-|-|-' \
				'func|0|f|-|-|-' 'cost|0|-|1|-|3|4' "$@" end
		} | bars | prof-top --events A,B 2>/dev/null | sed -n 1p
	}
	[ "$(base)" = '3 A, 4 B in 1 profile, 1 part' ]
	[ "$(base 'total|sum|30|40')" = '30 A, 40 B in 1 profile, 1 part' ]
	[ "$(base 'total|sum|30|40' 'total|run|300|400')" = '300 A, 400 B in 1 profile, 1 part' ]
	[ "$(base 'total|run|300|400' 'total|sum|30|40')" = '300 A, 400 B in 1 profile, 1 part' ]
	[ "$(base 'total|run' 'total|sum|30|40')" = '30 A, 40 B in 1 profile, 1 part' ]
	[ "$(base 'total|run' 'total|sum')" = '3 A, 4 B in 1 profile, 1 part' ]
	# It is the record that counts, not each of its values.
	[ "$(base 'total|run|300' 'total|sum|30|40')" = '300 A, 0 B in 1 profile, 1 part' ]
}

@test "the largest and the smallest number have a place in the table" {
	local max=170141183460469231731687303715884105727 min=-170141183460469231731687303715884105728
	printf '%s\n' 'prof|1' 'part|1' 'event|0|E|-|-|-' 'func|0|f|-|-|-' 'func|1|g|-|-|-' \
		"cost|0|-|1|-|$max" "cost|1|-|1|-|$min" end | bars >extreme.prof
	prof-top --tsv extreme.prof | cut -f 1,5,6 >got
	printf 'function\tE\tE.incl\nf\t%s\t%s\ng\t%s\t%s\n' $max $max $min $min | diff -u - got
	prof-top extreme.prof | sed 's/^ *//' | awk 'NR > 3 { print $1, $3, $6 }' >got
	printf '%s %s %s\n' 170,141,183,460,469,231,731,687,303,715,884,105,727 \
		170,141,183,460,469,231,731,687,303,715,884,105,727 f \
		-170,141,183,460,469,231,731,687,303,715,884,105,728 \
		-170,141,183,460,469,231,731,687,303,715,884,105,728 g | diff -u - got
	[ "$(prof-top extreme.prof | sed -n 1p)" = '-1 E in 1 profile, 1 part' ]
	prof-top --json extreme.prof | has -F "\"E\":\"$min\",\"E.incl\":\"$min\"}"
	# One by one, too, with the largest total there can be.
	sed 7d extreme.prof | prof-top >got
	[ "$(awk '$7 == "f" { print $2 }' got)" = 100.00 ]
	sed 6d extreme.prof | prof-top >got
	[ "$(awk '$6 == "g" { print $2 }' got)" = 100.00 ]
}

# ---- more keys and columns ----

@test "--by cmd has a row for each command" {
	printf 'version: 1\ncmd: ./x y\nevents: Ir\nfl=m.c\nfn=a\n1 10\n' >x.cg
	sed 's/x y/z/' x.cg >z.cg
	prof-top --by cmd --tsv x.cg z.cg z.cg >got
	printf 'cmd\tcalls\tIr\tIr.incl\n./z\t0\t20\t20\n./x y\t0\t10\t10\n' | diff -u - got
	prof-top -b cmd x.cg | tail -n 1 >got
	[ "$(cat got)" = '     10  100.00  100.00         10  100.00      0  ./x y' ]
}

@test "numbers sort before names, which is an order whatever comes first" {
	for parts in '10 1a 9' '1a 9 10' '9 10 1a' '1a 10 9' 'x 2 1a 10 9 -'; do
		for p in $parts; do
			printf 'part: %s\nevents: Ir\nfl=m.c\nfn=a\n1 1\n' "$p"
		done >parts.cg
		prof-top --by part -k part --tsv parts.cg | sed 1d | cut -f 1 | tr '\n' ' ' >got
		case $parts in
		x*) [ "$(cat got)" = '2 9 10 \- 1a x ' ] ;;
		*) [ "$(cat got)" = '9 10 1a ' ] ;;
		esac
	done
}

@test "a ratio of sums may have parentheses around its sides" {
	printf 'events: A B\nfl=m.c\nfn=a\n1 10 3\n' >two.cg
	for f in 'A + B / A - B' '(A + B) / (A - B)' '(A+B)/(A-B)' '(A + B) / A - B' \
	    'A + B / (A - B)'; do
		[ "$(prof-top --tsv --events "$f" two.cg | sed 1d | cut -f 5)" = 1.85714 ]
	done
	fails_with "no event '\\(A \\+ B'" prof-top --events '(A + B / A' two.cg
}

@test "a derived event of the file with an unknown term is not known" {
	printf 'events: A B\nevent: S = A + 2 Zz : sum\nfl=m.c\nfn=a\n1 10 3\n' >unknown.cg
	prof-top --tsv unknown.cg | sed -n 1p | cut -f 4- >got
	printf 'calls\tA\tA.incl\tB\tB.incl\n' | diff -u - got
	fails_with "no event 'S'; events: A, B" prof-top --events S unknown.cg
}

# ---- more of the blocks ----

@test "a call that recursion has counted more than once has no percentage" {
	printf 'events: A\nfl=m.c\nfn=a\n1 10\ncfn=a\ncalls=5 0\n2 50\n' >again.cg
	prof-top --callers a again.cg | sed -n 5p >got
	[ "$(cat got)" = '50  -      5  a  m.c' ]
	prof-top --callees a --tsv again.cg | sed 1d | cut -f 7,8 >got
	printf '5\t50\n' | diff -u - got
}

@test "-n limits the rows of each block, whose order -k and -r leave alone" {
	prof-top --callers '^(even|leaf)$' -n 1 "$(cg rec.cg)" >got
	[ "$(grep -c '^callers of' got)" = 2 ]
	grep -q '  main  rec.c' got
	run -1 grep -q '  70 *41.18' got
	prof-top --callers '^even$' --tsv "$(cg rec.cg)" >want
	for o in -r '-k calls' '-k function' '-k Ir.incl -r'; do
		prof-top $o --callers '^even$' --tsv "$(cg rec.cg)" | diff -u want -
	done
}

@test "a block tells how many calls -n leaves out, and their share" {
	{ printf 'events: A\nfl=m.c\nfn=top\n1 10\n'
		printf 'cfn=%s\ncalls=1 0\n2 %s\n' a 50 b 30 c 20
		printf 'fn=a\n5 40\ncfn=c\ncalls=1 0\n6 10\nfn=b\n7 30\nfn=c\n8 30\n'; } >k.cg
	# Of 110: b and c have 50; c has 10 from a.
	prof-top -n 1 --callees top k.cg | tail -n +4 | diff - <(cat <<-'E'
	 A      %  calls  callee
	50  45.45      1  a  m.c
	… 2 more, 45.45 %

	E
	)
	prof-top -n 1 --callers '^c$' --callees '^top$' k.cg | tail -n +3 | diff - <(cat <<-'E'
	 A      %  calls  caller, function, callee
	… 1 more, 9.09 %
	20  18.18      1      top  m.c
	30  27.27      2  c  m.c

	  A       %  calls  caller, function, callee
	110  100.00      0  top  m.c
	 50   45.45      1      a  m.c
	… 2 more, 45.45 %

	E
	)
	prof-top -n 3 --callees top k.cg >got
	lacks got more
	# A difference has changes, which are no share; data has the rows alone.
	prof-diff --quiet k.cg k.cg | prof-top -n 1 --callees top - | has -x '… 2 more'
	prof-top -n 1 --callees top --tsv k.cg | wc -l | has -x 2
}

@test "30,000 blocks of callers are printed" {
	awk 'BEGIN { print "events: A\nfl=m.c"
		for (i = 0; i < 30000; i++)
			printf "fn=f%d\n1 1\ncfn=f%d\ncalls=1 0\n2 1\n", i, i + 1 }' >many.cg
	prof-top --callers . many.cg >got
	[ "$(grep -c '^callers of f' got)" = 30001 ]
	[ "$(grep -c ' 1  f[0-9]*  m.c$' got)" = 30000 ]
	prof-top --callers . --tsv many.cg | sed 1d | wc -l >got
	[ "$(cat got)" = 30000 ]
}

@test "an event that cannot be had is not listed among those that there are" {
	printf 'events: A B\nevent: S = A + 2 Zz\nfl=m.c\nfn=a\n1 10 3\n' >x.cg
	fails_with "no event 'S'; events: A, B( \(|$)" prof-top --events S x.cg
	fails_with "no event 'S'; events: A, B( \(|$)" prof-cat --events S x.cg
}

@test "the inclusive cost of a cycle with negative costs is not less than at least" {
	printf 'events: A\nfl=m.c\nfn=main\n1 5\ncfn=a\ncalls=1 0\n2 -60\nfn=a\n1 -10\ncfn=b\ncalls=1 0\n2 -50\nfn=b\n2 -50\ncfn=a\ncalls=1 0\n7 -30\n' >x.cg
	# Measured from outside: -60, less than the "at least -10" that is said.
	prof-top x.cg >got
	run -1 grep '~-10' got
}

@test "the heading names each filter, though one is part of another" {
	f=$TESTS/../share/examples/wordcount.callgrind.zst
	prof-grep -x main "$f" >a
	prof-grep -x 'main|insert' "$f" >b
	for order in 'a b' 'b a'; do
		prof-top $order | grep '^filter: ' >got
		[ "$(tr ';' '\n' <got | wc -l)" = 2 ]
	done
}

@test "events in other units are no sum, and both are named" {
	printf 'prof\t1\npart\t1\nevent\t0\tt\ts\t-\t-\tscale=1/100\nfunc\t0\tf\t-\t-\t-\ncost\t0\t-\t-\t-\t5\nend\n' >a
	sed 's,1/100,1/1000,' a >b
	prof-top --tsv a a | cut -f 5 | tail -n 1 | diff - <(echo 10)
	fails_with "event 't' has a different unit than before: 1/1000 's', not 1/100 's'" prof-top a b
}

@test "an event whose name is empty has a column, too" {
	printf 'prof\t1\npart\t1\nevent\t0\t\t-\t-\t-\nfunc\t0\tmain\t-\t-\t-\ncost\t0\t-\t3\t-\t5\nend\n' >x.prof
	prof-top x.prof | sed '1,2d' | diff - <(
		cat <<-'E'
		self        %   sum %  inclusive       %  calls  function
		    5  100.00  100.00          5  100.00      0  main
		E
	)
}

@test "parts without the event that is shown are reported" {
	printf 'version: 1\nevents: Ir Dr\nfl=a\nfn=f\n1 5 2\n' >a.cg
	printf 'version: 1\nevents: Dr Dw\nfl=a\nfn=f\n1 3 1\n' >b.cg
	prof-top --tsv a.cg b.cg b.cg 2>note | cut -f 1,5,7 | tail -n 1 >got
	printf 'f\t5\t8\n' | diff - got	# Ir, Dr of all
	echo 'prof-top: 2 of 3 parts have no Ir' | diff - note
	prof-top a.cg b.cg b.cg 2>note | has '^5 Ir in 3 profiles, 3 parts'
	echo 'prof-top: 2 of 3 parts have no Ir' | diff - note
	prof-top --events Dr a.cg b.cg 2>note | has '^5 Dr in 2 profiles'
	[ ! -s note ]
	prof-top --events Ir --quiet a.cg b.cg 2>note
	[ ! -s note ]
}

@test "derived events may use each other, however often, and 20 deep" {
	{
		printf '%s\n' 'prof	1' 'part	1' 'event	0	e0	-	-	-'
		awk 'BEGIN { for (k = 1; k <= 21; k++) { f = "e" k - 1
			for (i = 1; i < 10; i++) f = f " + e" k - 1
			print "event\t-\te" k "\t-\t" f "\t-" } }'
		printf '%s\n' 'func	0	f	-	-	-' 'cost	0	-	1	-	3' end
	} >x
	brief 5 prof-top --tsv --events 'e1,e20,e20 - 10 e19,e20 + e0' x >got
	[ "$(awk -F '\t' 'NR == 2 { print $5, $7, $9, $11 }' got)" = \
		'30 300000000000000000000 0 300000000000000000003' ]
	fails_with "'e21' is not a sum of events" brief 5 prof-top --events e21 x
	fails_with "no event 'nope'" brief 5 prof-top --events nope x
}

@test "many events: those that are asked for are ranked, or all if they have values" {
	shape prof:wide-functions 12000 >x
	limited 300000 prof-top -n 1 x | tail -n 1 | has -x '… 11,999 more, 99.99 %'
	[ "$(limited 300000 prof-top --tsv --events e0,e11999 -n 1 x | cut -f 5- | tail -n 1)" = \
		"$(printf '1\t2\t0\t0')" ]
	fails_with '12000 events with few values' limited 600000 prof-top --tsv x
	echo 'min-cost: {inclusive: 2}' >least.yaml
	limited 300000 prof-cat --quiet --rules least.yaml x | grep -c '^func' >got
	shape prof:events-cost 20000 >x
	brief 5 limited 600000 prof-top --json x | grep -o '"e[0-9]*":1[,}]' | wc -l >>got
	printf '%s\n' 11999 1 | diff - got
	shape prof:part-events 25000 >x
	brief 5 prof-top --quiet --tsv x >/dev/null
	shape prof:facts-thread 120000 >x
	brief 5 prof-top --quiet --tsv x >/dev/null
}

@test "with few samples the confidence intervals of shares are printed" {
	for n in 9 10 157 2000 9999 10000; do
		printf 'main;f %d\n' "$n" >"$n.folded"
		prof-top "$n.folded" >"$n.out"
	done
	run -1 grep 'may be' 9.out 10000.out
	# The ends are those of exact Poisson counts, to a count.
	python3 - <<-'E'
	import math, re
	def cdf(k, mean): return sum(math.exp(-mean + i * math.log(mean) - math.lgamma(i + 1)) for i in range(k + 1))
	for n in (10, 157, 2000, 9999):
	    line = open('%d.out' % n).read().splitlines()[-1]
	    m = re.fullmatch(r'%d samples, 95 %% intervals: 10 %% may be ([\d.]+) to ([\d.]+) %%, 1 %% may be ([\d.]+) to ([\d.]+) %%' % n, line)
	    for share, low, high in ((0.1, m[1], m[2]), (0.01, m[3], m[4])):
	        mean = n * share
	        first = next(k for k in range(n + 1) if cdf(k, mean) > 0.025)
	        last = next(k for k in range(n + 1) if cdf(k, mean) >= 0.975)
	        assert abs(float(low) * n / 100 - first) <= 1.5 + n / 2000 and abs(float(high) * n / 100 - last) <= 1.5 + n / 2000, (line, first, last)
	E
	# Ticks are samples, too; instructions are none, nor what a formula makes, and programs
	# that read tables have no use for it.
	prof-top "$TESTS/../share/examples/calc.gmon.zst" | has '^157 samples, 95 % intervals: 10 % may be '
	printf 'events: Ir\nfn=f\n1 157\n' >ir
	prof-top ir >got
	prof-top --events samples+samples 157.folded >>got
	prof-top --tsv 157.folded >>got
	run -1 grep 'may be' got
}

@test "a profile without events has rows of functions all the same" {
	printf 'prof\t1\npart\t1\nfunc\t0\tf\t-\t-\t-\nctx\t0\t-\t0\t-\t-\t-\nsample\t0\nend\n' >p
	for by in function line file; do
		run -0 prof-top --by "$by" p
		[ "${lines[0]}" = '1 profile, 1 part' ]
	done
	run -0 prof-top p
	[[ ${lines[-1]} = *' f' ]]
}

@test "the share of the total that is in no row is reported" {
	printf '%s\n' 'events: Ir' 'fn=f' '1 9000' 'fn=g' '1 900' 'summary: 10000' >more
	prof-top more | has -x '1\.00 % of the total is in no row'
	prof-top -b line -n 1 more | has -x '1\.00 % of the total is in no row'
	# A filter takes rows away; programs count for themselves.
	prof-grep f more | prof-top >got
	prof-top --tsv more >>got
	sed 's/10000/9900/' more | prof-top >>got
	run -1 grep 'in no row' got
}

@test "on a terminal other events are named" {
	printf '%s\n' 'events: Ir Dr Dw' 'fn=f' '1 3 2 1' >three
	on_terminal() {
		TERM=dumb script -qec "stty cols 80 rows 24; prof-top $1" /dev/null </dev/null | tr -d '\r'
	}
	on_terminal three | has -x 'Ir only; --events shows others: Dr, Dw'
	on_terminal '--events Ir three' >got
	run -1 grep 'other events' got
	prof-top three >got
	run -1 grep 'other events' got
}

@test "a unit follows the name of its event, unless the name says it" {
	local name unit head amount
	while read -r name unit head amount; do
		printf 'prof\t1\npart\t1\nevent\t0\t%s\t%s\t-\t-\nfunc\t0\tf\t-\t-\t-\n' "$name" "$unit" >u
		printf 'ctx\t0\t-\t0\t-\t-\t-\nsample\t0\t7\nend\n' >>u
		prof-top u | has -x "$amount in 1 profile, 1 part"
		prof-top u | has "^self $head  "
		prof-tree u | has "^$head  "
		[ "$(prof-top --tsv u | head -1 | cut -f 5)" = "$name" ]
	done <<-E
		cpu ns cpu/ns 7 ns of cpu
		bytes B bytes 7 bytes
		space B space/B 7 B of space
		objects count objects 7 objects
		ns ns ns 7 ns
		Ir - Ir 7 Ir
	E
}

@test "parts that all derive other events take no quadratic time" {
	awk 'BEGIN {
		OFS = "\t"
		print "prof", 1
		for (i = 0; i < 4000; i++) {
			print "part", 1
			print "event", 0, "E" i, "-", "-", "-"
			print "event", "-", "D" i, "-", "2 E" i, "-"
			if (!i) print "func", 0, "f", "-", "-", "-"
			print "cost", 0, "-", "-", "-", i
		}
		print "end"
	}' >x
	brief 6 prof-top --tsv --quiet x >got
	[ "$(sed -n 2p got | tr '\t' '\n' | awk '{ sum += $1 } END { print sum }')" = \
		$((2 * (1 + 2) * 3999 * 4000 / 2)) ]
	fails_with "no event 'E1 . E2'" brief 2 prof-top --events 'E1 + E2' x
	# A formula counts in the parts that have all of it, and a name in those that derive it.
	prof-top --events 'D7 + E7,D9 / E9' --tsv x 2>err | sed -n 2p | cut -f 5,7 | has -x '21	2'
	has "3999 of 4000 parts have no E7, and are not in 'D7 + E7'" <err
	has -F "3999 of 4000 parts have no E9" <err
}
# The total of a formula, and of columns of one name, is that of all its columns: each is of
# the run, otherwise of the profiler's sum, otherwise of the lines.
@test "totals that lack values, in formulas and columns of one name, by every tool" {
	local t list
	perl -e 'srand 9; use List::Util "sum"; for my $t (1 .. 4) {
		my @name = $t % 2 ? qw(a a b) : qw(a b c);
		my @total = map { my $lacks = $_; [map { rand() < 0.4 ? "-" : 1000 * $lacks + int rand 900 } 0 .. 2] } 2, 1;
		my @sample = map { [map { 1 + int rand 50 } 0 .. 2] } 0 .. 1;
		my @of = map { my $i = $_; (grep({ $_ ne "-" } map { $$_[$i] } @total), sum(map { $$_[$i] } @sample))[0] } 0 .. 2;
		@of = map { my $i = $_; $total[0][$i] ne "-" ? $total[0][$i] : $total[1][$i] ne "-" ? $total[1][$i] :
		    sum(map { $$_[$i] } @sample) } 0 .. 2;
		open my $o, ">", "t$t";
		print $o map { join("\t", @$_) . "\n" } ["prof", 1], ["part", 0], map({ ["event", $_, $name[$_], "-", "-", "-"] } 0 .. 2),
		    ["total", "run", @{$total[0]}], ["total", "sum", @{$total[1]}], ["file", 0, "x.c"], ["func", 0, "f", 0, "-", "-"],
		    ["func", 1, "g", 0, "-", "-"], ["ctx", 0, "-", 0, 0, 3, "-"], ["ctx", 1, 0, 1, 0, 7, "-"],
		    ["sample", 0, @{$sample[0]}], ["sample", 1, @{$sample[1]}], ["end"];
		my %of;
		$of{$name[$_]} += $of[$_] for 0 .. 2;
		print "$t a $of{a}\n$t b $of{b}\n$t a+b ", $of{a} + $of{b}, "\n";
	}' >want
	heading() { head -n 1 | sed 's/,//g; s/ .*//'; }
	while read -r t list total; do
		echo "t$t: $list of $total" >&2
		for tool in prof-top 'prof-top -b line' prof-tree prof-annotate 'prof-tree --callers'; do
			[ "$($tool --quiet --events "$list" "t$t" | heading)" = "$total" ]
		done
		prof-cat --quiet --events "$list" "t$t" >chosen
		[ "$(prof-top --quiet chosen | heading)" = "$total" ]
		[ "$(prof-tree --quiet chosen | heading)" = "$total" ]
		[ "$(prof-merge --quiet --events "$list" "t$t" | prof-top | heading)" = "$total" ]
		[ "$(prof-grep --quiet f "t$t" | prof-top --quiet --events "$list" | heading)" = "$total" ]
		[ "$(prof-merge --op mean --events "$list" "t$t" "t$t" | prof-top | heading)" = "$total.00" ]
		prof-cat --info --quiet --events "$list" "t$t" | tr -d , | has "^event: .* $total\$"
		prof-to svg --quiet --events "$list" "t$t" | tr -d , | has "[>f ]$total\( $list.*\)\?<"
		[ "$list" = 'a+b' ] || [ $((t % 2)) = 1 ] ||
			[ "$(prof-to callgrind --quiet "t$t" | prof-top --quiet --events "$list" | heading)" = "$total" ]
	done <want
}

@test "no attribute of a part in the input hides it from the heading" {
	tabs >x <<-'E'
	prof  1
	part  0  taken-off=1
	meta  cmd  ./a
	event  0  A  -  -  -
	func  0  f  -  -  -
	cost  0  -  -  -  5
	end
	E
	for tool in prof-top prof-tree; do
		$tool x | sed -n 1p | same - <(echo '5 A in 1 profile, 1 part: ./a')
	done
}

@test "a time in parts of its unit is in the largest unit of which there is one" {
	local unit scale value want
	while read -r unit scale value want; do
		bars <<-E | prof-top | sed -n 1p | diff - <(echo "$want of time in 1 profile, 1 part")
		prof|1
		part|1
		event|0|time|$unit|-|-|scale=1/$scale
		func|0|f|-|-|-
		cost|0|-|-|-|$value
		end
		E
	done <<-'E'
	s 1000 5 5 ms
	s 1000 999 999 ms
	s 1000000 5 5 us
	s 1000000000 1234 1.234 us
	ms 1000 5 5 us
	ms 1000000 5 5 ns
	E
}
