#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# From each format to each: what prof-formats(7) says, against real runs.

load tools.bash

page=$BATS_TEST_DIRNAME/../man/prof-formats.7

# What stacks are written to.
stacks='folded speedscope firefox cpuprofile'

# profile ROW FILE [OPTIONS [TARGETS]]: for conversions.pl
profile() {
	printf '%s\t%s\t%s\t%s\n' "$1" "$2" "${3-}" "${4-}" >>profiles
}

# Profiles by who makes them, as people have them.
measured() {
	local p=$TESTS/programs

	"${CC:-cc}" -g -O1 -o work "$p/work.c"
	nm work >work.syms
	valgrind --tool=callgrind --callgrind-out-file=lines.callgrind \
		--dump-line=yes --cache-sim=yes ./work >/dev/null 2>&1
	valgrind --tool=callgrind --callgrind-out-file=jumps.callgrind \
		--dump-instr=yes --collect-jumps=yes ./work >/dev/null 2>&1
	valgrind --tool=cachegrind --cachegrind-out-file=work.cachegrind \
		--cache-sim=yes ./work >/dev/null 2>&1
	"${CC:-cc}" -g -O0 -o blocks "$p/blocks.c"
	valgrind --xtree-memory=allocs --xtree-memory-file=blocks.callgrind ./blocks >/dev/null 2>&1
	profile 'callgrind with stacks' blocks.callgrind
	profile callgrind lines.callgrind
	profile callgrind jumps.callgrind
	profile cachegrind work.cachegrind
	for f in lines.callgrind work.cachegrind; do
		profile "${f#*.} with --exe" $f '--syms work.syms' gmon
		profile "${f#*.} with --estimate" $f '--estimate --events Ir' "$stacks"
	done

	# Two functions of one name, and none.
	"${CC:-cc}" -g -O1 -pg -no-pie -o two "$p/ticks.c" "$p/ticks2.c"
	"${CC:-cc}" -g -O1 -pg -no-pie -Dsame=other -c -o one.o "$p/ticks2.c"
	"${CC:-cc}" -g -O1 -pg -no-pie -o one "$p/ticks.c" one.o
	for f in one two; do
		nm $f >$f.syms
		GMON_OUT_PREFIX=$f ./$f 100
		mv $f.[0-9]* $f.gmon
		prof-to gmon-bsd44 $f.gmon >$f.gmon-bsd44
		prof-to gmon-bsd --quiet $f.gmon >$f.gmon-bsd
		for g in gmon gmon-bsd44 gmon-bsd; do
			profile $g $f.$g
			profile "$g with --exe" $f.$g "--syms $f.syms" \
				'callgrind cachegrind xprof tsv'
			profile "$g with --estimate" $f.$g --estimate "$stacks"
		done
	done

	# Stacks as a sampler has them, and those of a call graph.
	perl -e 'srand 7; for (1 .. 300) {
		print join(";", "main", map { "f" . int rand 9 } 0 .. rand 6), " ",
		    1 + int rand 20, "\n" }' >sampled.folded
	# Addresses in other objects would be taken for those of the program.
	prof-to folded --quiet --estimate --events Ir lines.callgrind |
		sed -n 's/.*;main/[estimate];main/; /;main/p' | sed '/;0x/d' >estimated.folded
	profile folded sampled.folded
	profile folded estimated.folded
	profile 'folded with --exe' estimated.folded '--syms work.syms' \
		'gmon gmon-bsd44'
}

# Of what no Debian package produces.
by_hand() {
	cat >routines.aprof <<-'E'
	c a sort
	v 4
	k 730
	m blocks
	a ./sort
	f ./sort input
	r "sort(int*)" "/usr/bin/sort" 0
	u 0 "_Z4sortPi"
	p 0 10 40 60 100 5200 2 100 30 10 20 500
	p 0 100 700 700 700 490000 1 700 200 200 200 40000
	r "compare" "/usr/bin/sort" 1
	p 1 2 3 7 500 2600 99 500 500 3 7 2600
	E
	cat >contexts.aprof <<-'E'
	c a sort
	v 4
	k 800
	m blocks
	a ./sort
	f ./sort input
	r "main" "/usr/bin/sort" 0
	q 0 1 800 800 800 640000 1 800 70 70 70 4900
	r "sort" "/usr/bin/sort" 1
	q 1 100 730 730 730 532900 1 730 230 230 230 52900
	r "compare" "/usr/bin/sort" 2
	q 2 2 3 7 500 2600 99 500 500 3 7 2600
	x 0 0 -1
	x 1 1 0
	x 2 2 1
	E
	cat >a.xprof <<-'E'
	PROFILE-FEEDBACK-DATA: 4.3 1 1 1
	OBJFILE: /src/a.o 2 955555555 120 4 0x1234abcd
	PROC: main 0x1 3 1 1 0
	max 99
	sum 103
	0 1
	1 99
	2 3
	VP_INT 0 60 7
	VP_INT 0 30 8
	VP_INT 0 9 -1
	VP_INT 0 0
	PROC: work 0x2 1 1 1 1
	0 99
	VP_PROC 0 99 leaf
	VP_PROC 0 0
	VP_PROC 0 0
	VP_PROC 0 0
	PROGRAM: /src/a.out 1
	OBJREF: /src/a.o
	E
	# Some of every kind of record, and what only a stream has.
	bars >all.prof <<-'E'
	prof|1
	tag|note|may|func:func:key|text:str:key
	part|1|positions=line
	meta|creator|by hand
	event|0|cost|-|-|-
	event|-|double|-|2 cost|-
	total|run|100
	object|0|/bin/all|k|a=b
	file|0|all.c
	file|1|all.h
	func|0|main|0|0|-
	func|1|leaf|0|0|k|a=b
	ctx|0|-|0|0|1|-
	ctx|1|0|1|0|2|-
	cost|0|1|7:3|0x10|30|a=b
	cost|0|0|8|-|-
	call|0|0|9|-|1|2|-|5|40|a=b
	jump|0|0|9|-|0|0|7|-|3|4
	sample|1|20|label=x
	point|1|-|8|1|10|10|10|100|10|10|10|10|100|-|-|-|-|-|-|-
	vprof|0|1|INT|3|7
	raw|0|a line
	note|0|a note
	end
	E
	cat >growth <<-'E'
	heap profile: 3: 96 [3: 96] @ growthz
	1: 32 [1: 32] @ 0x401010 0x402020
	2: 64 [2: 64] @ 0x503030 0x402020

	MAPPED_LIBRARIES:
	00400000-00408000 r-xp 00000000 08:01 77   /bin/prog
	00500000-00508000 r-xp 00000000 08:01 78   /lib/libprog.so
	E
	# With libraries that are not there: those that are would name its functions.
	zstdcat "$TESTS/../share/examples/calc.pprof-legacy.zst" |
		LC_ALL=C sed 's|/usr/lib/|/nowhere/|' >calc.pprof-legacy
	# Without the list that is not kept, which a note says.
	zstdcat "$TESTS/../share/examples/pages.heapprofile.zst" |
		jq -c 'del(.samples)' >pages.heapprofile
	profile heapprofile pages.heapprofile
	profile pprof-legacy calc.pprof-legacy
	profile pprof-legacy growth
	profile aprof routines.aprof
	profile 'aprof with contexts' contexts.aprof
	profile xprof a.xprof
	profile 'xprof with --estimate' a.xprof --estimate "$stacks"
	profile prof all.prof
}

# Tables of each kind.
tables() {
	local kind from

	while read -r kind from; do
		prof-to tsv --quiet --records "$kind" "$from" >"$kind.tsv"
		profile "tsv $kind" "$kind.tsv"
	done <<-'E'
	cost lines.callgrind
	call lines.callgrind
	jump jumps.callgrind
	sample sampled.folded
	point routines.aprof
	vprof a.xprof
	raw a.xprof
	total lines.callgrind
	E
	prof-to tsv --quiet contexts.aprof >contexts.tsv
	profile 'tsv point with contexts' contexts.tsv
}

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	: >profiles
	measured
	by_hand
	tables
	# Of other formats, those of share/examples.
	for f in "$TESTS"/../share/examples/*; do
		name=$(prof-cat --probe "$f" | sed 's/.*: //; s/,.*//') || continue
		grep -q "^$name[[:blank:]]" profiles || profile "$name" "$f"
	done
	"$TESTS/conversions.pl" run profiles >results
}

@test "what each format keeps of each is what the page says" {
	cd "$BATS_FILE_TMPDIR"
	"$TESTS/conversions.pl" compare "$page" results
}

# But for CHANGE (sed's) in FILE nothing is changed, and it says TEXT.
says() {
	local text=$1 file=$2 change=$3

	cp "$page" page.7
	cp "$BATS_FILE_TMPDIR/results" results
	sed -i "$change" "$file"
	run -1 "$TESTS/conversions.pl" compare page.7 results
	echo "$output"
	grep -qxF -- "$text" <<<"$output"
}

@test "the page's words and marks are compared, and so is what the programs say" {
	# A word too many, too few, another error, another mark.
	says 'callgrind to cachegrind: not listed: calls' page.7 \
		'/^\.Ss To cachegrind/,/^\.It From Cm gmon/s/^\.Ql calls ,/.Ql jumps ,/'
	says 'callgrind to cachegrind: listed, and not lost: calls' results \
		's/^\(callgrind	cachegrind	.*\)	calls\>/\1/'
	says 'tsv call to cachegrind: another error: cachegrind: no' results \
		's/^\(tsv call	cachegrind	no	\).*/\1cachegrind: no/'
	says "folded to tsv: the table says <, the words below it =" page.7 \
		'/^\.It from Ta prof/,/^\.El/s/^\(\.It "folded" Ta =\) Ta =/\1 Ta </'
	says "folded to folded: '<', not '=': facts" results \
		's/^\(folded	folded	\)=/\1<	facts/'
	says "cachegrind to callgrind: 'nothing is said, and records are missing', not '=': " \
		results 's/^\(cachegrind	callgrind	\)=/\1nothing is said, and records are missing/'
	# What was not run, and what is not there.
	says 'xprof to gmon: no run' results '/^xprof	gmon	/d'
	says 'callgrind with --estimate to folded: no run' results '/^callgrind with --estimate/d'
	says 'tsv point to xprof: the table says nothing, the words below it no' page.7 \
		'/^\.It "tsv point" Ta/d'
}

@test "a new format needs a row, a column and a profile" {
	mkdir bin
	cat >bin/prof-cat <<-E
	#!/bin/sh
	$(command -v prof-cat) "\$@" && printf 'new\tread,write\ta new one\n'
	E
	chmod +x bin/prof-cat
	PATH=$PWD/bin:$PATH run -1 "$TESTS/conversions.pl" compare "$page" \
		"$BATS_FILE_TMPDIR/results"
	echo "$output"
	[ "$output" = $'no row is from new\nno column is to new' ]
	# Its row and its column alone do not do.
	sed 's/^\(\.It from Ta prof\)/\1 Ta new/; s/^\.It "folded" Ta = Ta = Ta = Ta =/&\
.It "new" Ta = Ta = Ta = Ta = Ta =/' "$page" >page.7
	PATH=$PWD/bin:$PATH run -1 "$TESTS/conversions.pl" compare page.7 \
		"$BATS_FILE_TMPDIR/results"
	echo "$output"
	grep -qx 'new to new: no run' <<<"$output"
	grep -qx 'folded to new: no run' <<<"$output"
}

@test "what a run says is heard: an error, a loss, a crash, a cell without a note" {
	mkdir bin
	cat >bin/prof-to <<-E
	#!/bin/sh
	case \$1 in
	json) exec $(command -v prof-to) "\$@" ;;
	tsv) echo oops >&2; exit 2 ;;
	aprof) exit 2 ;;
	folded) echo 'prof-to: folded cannot hold: a (n) (1), b, c (written as 0) (22)' >&2 ;;
	cachegrind) echo 'fl=x' ;;
	gmon) exit 1 ;;
	esac
	E
	chmod +x bin/prof-to
	printf 'main;a 1\n' >x.folded
	printf 'folded\tx.folded\t\t%s\n' 'tsv aprof folded cachegrind gmon' >profiles
	PATH=$PWD/bin:$PATH "$TESTS/conversions.pl" run profiles >got
	cat got
	cut -f 3 got >marks
	printf '%s\n' "says 'oops'" 'says nothing or too much' '--strict: status 0' \
		"nothing is said, and comes back otherwise: cannot be read: prof-to: walk.back: unknown format; known formats: $(
			prof-cat --list-formats | grep 'read' | cut -f 1 | paste -sd , | sed 's/,/, /g')" \
		'status 1: ' >want
	diff want marks
}

@test "the ways out that the page names are there" {
	cd "$BATS_FILE_TMPDIR"
	# Other objects left out.
	prof-grep -v --in object /lib jumps.callgrind | prof-to gmon --quiet >o.gmon
	prof-cat o.gmon | has '^cost'
	# By way of Callgrind's format a gmon.out is the same again.
	for f in one two; do
		prof-to callgrind --quiet --syms $f.syms $f.gmon | prof-to gmon | cmp - $f.gmon
		prof-to callgrind --quiet $f.gmon | prof-to gmon | cmp - $f.gmon
	done
	# Tables of addresses, of counters, of totals.
	prof-to tsv --quiet one.gmon | prof-to gmon --strict | prof-cat |
		grep '^total' >got
	prof-cat one.gmon | sed -n 's/^total.*/&000000/p' | diff - got
	prof-to tsv --quiet a.xprof | prof-to xprof --quiet | prof-cat |
		grep '^cost' >got
	prof-cat a.xprof | grep '^cost' | diff - got
	prof-to tsv --records total total.tsv | diff total.tsv -
}
