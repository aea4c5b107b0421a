#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec prof-to
# From each format to each: what is lost is told, by --losses, by a note and by --strict,
# and what is not told comes back.

load tools.bash

# profile FILE [OPTIONS [TARGETS]]: for conversions.pl
profile() {
	printf '%s\t%s\t%s\n' "$1" "${2-}" "${3-}" >>profiles
}

# The examples, unpacked; those that are profiles.
examples() {
	local f name

	for f in "$TESTS"/../share/examples/*; do
		name=${f##*/}
		name=${name%.zst}
		zstdcat -f "$f" >"$name"
		# With libraries that are not there: those that are would name functions.
		case $name in
		*.md | *.c | *.go | *.java | *.js | *.py | *.rb | *.sh | *.syms) ;;
		*.pprof-legacy) LC_ALL=C sed -i 's|/usr/lib/|/nowhere/|' "$name"; profile "$name" ;;
		*) profile "$name" ;;
		esac
	done
}

# What has more in it than the examples.
by_hand() {
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
	profile contexts.aprof
	profile all.prof
	profile growth
	prof-to tsv --quiet contexts.aprof >contexts.tsv
	profile contexts.tsv
}

# With names from the executable, and with estimated stacks.
with_options() {
	local stacks

	stacks=$(prof-cat --list-formats | cut -f 1 | while read -r f; do
		if prof-to "$f" --help | has '^needs: *stacks'; then echo "$f"; fi; done)
	profile calc.gmon '--syms calc.syms'
	profile calc.gmon '--syms calc.syms --estimate' "${stacks//$'\n'/ }"
	profile wordcount.callgrind '--estimate --events Ir' "${stacks//$'\n'/ }"
	profile wordcount.xprof --estimate "${stacks//$'\n'/ }"
	valgrind --xtree-memory=allocs --xtree-memory-file=stacks.callgrind true >/dev/null 2>&1
	profile stacks.callgrind
}

# Tables of each kind.
tables() {
	local kind from

	while read -r kind from; do
		prof-to tsv --quiet --records "$kind" "$from" >"$kind.tsv"
		profile "$kind.tsv"
	done <<-'E'
	cost wordcount.callgrind
	call wordcount.callgrind
	jump all.prof
	sample calc.folded
	point sort.aprof
	vprof all.prof
	raw all.prof
	total wordcount.callgrind
	E
}

# bats test_tags=format
@test "dropped data is reported, and data that is not reported comes back" {
	examples
	by_hand
	with_options
	tables
	"$TESTS/conversions.pl" profiles >got || { cat got; return 1; }
	# It has seen each kind of end.
	cat got
	[ -n "${FORMAT-}" ] || [ "$(grep -c '=.*<.*no ' got)" -ge 20 ]
}

@test "dropped data that is not reported is noticed, and so is a false report" {
	mkdir bin
	cat >bin/prof-to <<-E
	#!/bin/sh
	case "\$*" in
	*--help* | json* | text*) ;;
	tsv*) echo oops >&2; exit 2 ;;
	aprof*) exit 2 ;;
	folded*--losses*) echo 'a (n) (1)'; exit ;;
	folded*) echo 'prof-to: folded cannot hold: a (n) (2)' >&2; exit ;;
	cachegrind*) exit ;;
	gmon*--losses*) exit ;;
	gmon*) exit 1 ;;
	esac
	exec $(command -v prof-to) "\$@"
	E
	chmod +x bin/prof-to
	printf 'main;a 1\n' >x.folded
	printf 'x.folded\t\t%s\n' 'tsv aprof folded cachegrind gmon prof' >profiles
	PATH=$PWD/bin:$PATH run -1 "$TESTS/conversions.pl" profiles
	echo "$output"
	sed -n 's/.*folded  to //p' <<<"$output" | sed '/^$/d; s/: cannot be read: .*//' >got
	diff got - <<-'E'
	tsv: says 'oops
	aprof: says ''
	folded: says 'a (n) (2)', and 'a (n) (1)' with --losses
	cachegrind: nothing is said, and comes back otherwise
	gmon: status 1, and 0 with --losses
	E
	has '^x.folded	= prof$' <<<"$output"
}

@test "a feature that --help wrongly denies is noticed" {
	mkdir bin
	cat >bin/prof-to <<-E
	#!/bin/sh
	$(command -v prof-to) "\$@" | sed 's/^  no  /&samples,/'
	E
	chmod +x bin/prof-to
	printf 'main;a 1\n' >x.folded
	printf 'x.folded\t\tprof\n' >profiles
	PATH=$PWD/bin:$PATH run -1 "$TESTS/conversions.pl" profiles
	has '^x.folded: folded does not hold samples, --help says$' <<<"$output"
}

@test "--losses prints the data that would be dropped, and writes nothing" {
	folded=$TESTS/../share/examples/calc.folded
	prof-to prof --losses $folded >got
	[ ! -s got ]
	prof-to pprof --losses --quiet -o got "$TESTS/../share/examples/calc.gmon.zst"
	diff got - <<-'E'
	which costs are of no stack (written as stacks of one frame) (22)
	calls (12)
	E
}

@test "metadata of several values comes back whole, or is reported as dropped" {
	local to

	tabs >m <<-'E'
	prof  1
	part  1
	meta  cmd  a  b
	meta  comment  e  f
	meta  thread  t  u
	meta  estimate  v  w
	meta  pprof.doc_url  g  h
	meta  pprof.period  1  cpu  ns  x
	event  0  samples  -  -  -
	func  0  f  -  -  -
	ctx  0  -  0  -  -  -
	sample  0  7
	end
	E
	grep '^meta' m >want
	for to in pprof callgrind cachegrind; do
		prof-to $to --quiet m | prof-cat --quiet | grep '^meta' | grep -v '	format	\|sample_type' | sort |
			diff - <(sort want)
	done
	for to in firefox speedscope cpuprofile svg dot tsv; do
		prof-to $to --losses m | has -x 'metadata (6)'
	done
	# Its frames show that stacks are estimated.
	prof-to folded --losses m | has -x 'metadata (5)'
	sed '/pprof/d; s/^meta	comment.*/meta	pprof.numlabel	k	bytes	x/' m >n
	prof-to pprof --losses n | diff - <(echo 'further values of pprof.numlabel (1)')
}

@test "the alternatives that the page names exist" {
	"${CC:-cc}" -g -O1 -o work "$TESTS/programs/work.c"
	valgrind --tool=callgrind --callgrind-out-file=jumps.callgrind --dump-instr=yes ./work >/dev/null 2>&1
	# Other objects left out.
	prof-grep -v --in object /lib jumps.callgrind | prof-to gmon --quiet >o.gmon
	prof-cat o.gmon | has '^cost'
	# By way of Callgrind's format a gmon.out is the same again.
	zstdcat "$TESTS/../share/examples/calc.gmon.zst" >calc.gmon
	prof-to callgrind --quiet calc.gmon | prof-to gmon | cmp - calc.gmon
	# Tables of addresses, of counters, of totals.
	prof-to tsv --quiet calc.gmon | prof-to gmon --strict | prof-cat | grep '^total' >got
	prof-cat calc.gmon | sed -n 's/^total.*/&000000/p' | diff - got
	cp "$TESTS/../share/examples/wordcount.xprof" a.xprof
	prof-to tsv --quiet a.xprof | prof-to xprof --quiet | prof-cat | grep '^cost' >got
	prof-cat a.xprof | grep '^cost' | diff - got
	printf 'of\tIr\nrun\t100\n' >total.tsv
	prof-to tsv --records total total.tsv | diff total.tsv -
}
