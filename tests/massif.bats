#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# Massif's snapshots: against ms_print, on what Valgrind writes, and on files of known
# values.

load tools.bash

real=$BATS_TEST_DIRNAME/real
corpus=$BATS_TEST_DIRNAME/fuzz/corpus/massif

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	local options

	"${CXX:-c++}" -g -O1 -std=c++17 -pthread -o library "$TESTS/programs/library.cc"
	"${CC:-cc}" -g -O1 -fno-optimize-sibling-calls -o heap "$TESTS/programs/heap.c"
	while IFS='|' read -r name options; do
		# shellcheck disable=SC2086
		valgrind_to $name.massif massif $options
	done <<-'E'
	library|./library
	heap|--detailed-freq=3 ./heap
	stacks|--stacks=yes --depth=4 --threshold=20 ./library
	pages|--pages-as-heap=yes ./heap
	E
	env -i PATH="$PATH" valgrind -q --xtree-memory=full --xtree-memory-file=x.ms \
		./library >/dev/null 2>&1
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return 1
}

@test "each snapshot, node and number is what ms_print shows" {
	for f in library heap stacks pages; do
		ms_print --threshold=0 $f.massif | "$real/ms_print.pl" | sort >want
		prof-cat --all-snapshots $f.massif | "$real/nodes.pl" | sort | same want -
		[ "$(grep -c '^snapshot' want)" = "$(grep -c '^snapshot=' $f.massif)" ]
		[ "$(grep -vc '^snapshot' want)" -gt 10 ]
	done
	# There is something to see.
	ms_print stacks.massif | has 'below massif'
	grep -q '^snapshot.* [1-9][0-9]*$' want || ms_print --threshold=0 stacks.massif |
		"$real/ms_print.pl" | has '^snapshot.* [1-9][0-9]*$'
	ms_print --threshold=0 library.massif | has 'std::'
}

@test "the peak is what is read of many" {
	for f in library heap stacks pages; do
		peak=$(awk -F = '/^snapshot=/ { n = $2 } /^heap_tree=peak/ { print n }' $f.massif)
		ms_print --threshold=0 $f.massif | "$real/ms_print.pl" |
			grep -E "^(snapshot )?$peak " | sort >want
		prof-cat $f.massif | "$real/nodes.pl" | sort | same want -
		prof-cat $f.massif | has -x "meta	massif.snapshots	$(grep -c '^snapshot=' $f.massif)"
	done
	# Without one it is the last tree; without a tree the first of the largest.
	sed 's/^heap_tree=peak/heap_tree=detailed/' heap.massif >x
	last=$(awk -F = '/^snapshot=/ { n = $2 } /^heap_tree=detailed/ { last = n } END { print last }' x)
	prof-cat x | has -x "meta	massif.snapshot	$last"
	sed '/^ *n[0-9]/d; s/^heap_tree=.*/heap_tree=empty/' heap.massif >x
	most=$(awk -F = '/^snapshot=/ { n = $2 } /^mem_heap_B/ && $2 > most { most = $2; at = n }
		END { print at "\t" most }' x)
	prof-cat x 2>err >got
	grep -qx "meta	massif.snapshot	${most%	*}" got
	grep -qx "total	run	${most#*	}" got
	grep -q 'warning: x: no snapshot has a tree, only a total' err
}

@test "each snapshot is a part, also those without a tree" {
	prof-to tsv --quiet --all-snapshots --records total heap.massif >got
	awk -F = '/^snapshot=/ { n = $2 } /^mem_heap_B/ { b = $2 } /^heap_tree=empty/ {
		print n "\trun\t" b }' heap.massif | same - <(tail -n +2 got)
	[ "$(wc -l <got)" -gt 5 ]
	# Of runs, not of one: snapshots do not add up.
	prof-cat --all-snapshots heap.massif | awk '$1 == "part" { print $2 }' | sort -u | wc -l >n
	[ "$(cat n)" = "$(grep -c '^snapshot=' heap.massif)" ]
}

@test "an xtree is one part, and its metrics are the events" {
	prof-cat x.ms >got
	[ "$(grep -c '^part' got)" = 1 ]
	sed -n 's/^n[0-9]*: [0-9]* \(.*\) : \(.*\)/\1	\2/p' x.ms >want
	[ "$(wc -l <want)" = 6 ]
	awk -F '\t' -v OFS='\t' '$1 == "event" { print $3, $6 }' got | same want -
	awk -F '\t' '$1 == "event" { print $3, $4 }' got | has -x 'totBk blocks'
	awk -F '\t' '$1 == "event" { print $3, $4 }' got | has -x 'totB B'
	# Sums, and each tree, of which ms_print knows nothing but that it is one.
	sed -n 's/^n[0-9]*: \([0-9]*\) .* : .*/\1/p' x.ms >want
	awk -F '\t' '$1 == "sample" { for (i = 3; i <= NF; i++) s[i - 2] += $i }
		END { for (i = 1; i <= 6; i++) print s[i] + 0 }' got | same want -
	ms_print --threshold=0 x.ms | "$real/ms_print.pl" | sed -n 's/^3 //p' | sort >want
	prof-to prof --events totBk got | "$real/nodes.pl" | sed -n 's/^0 //p' | sort >ours
	# Zeros are said by neither alike.
	grep -v '^0 ' want | same - <(grep -v '^0 ' ours)
	[ "$(wc -l <ours)" -gt 10 ]
}

@test "frames: addresses, inlined ones, recursion, objects, names with parentheses" {
	prof-cat "$corpus/all" >got
	prof-to folded --quiet got | diff - <(cat <<-'E'
	[unknown];h;h;g<x, y>;f(int (*)(char)) 70
	(below threshold);h;h;g<x, y>;f(int (*)(char)) 0
	h;h;g<x, y>;f(int (*)(char)) 10
	h;g<x, y>;f(int (*)(char)) 10
	f(int (*)(char)) 10
	(below main) 18446744073709551500
	(below threshold) 10
	[unknown] 5
	E
	)
	# f was inlined into g, and h calls itself from one place.
	[ "$(grep -c '	inlined=1$' got)" = 4 ]
	grep '	inlined=1$' got | cut -f 5,6,7 | sort -u | diff - <(tabs <<-'E'
	0  12  0x10
	E
	)
	[ "$(grep -c '^ctx.*	0x20$' got)" = 6 ]
	grep -qx 'file	0	a b.cc' got
	grep -qx 'object	0	/lib/x (y).so	-' got
	grep -qx 'meta	desc	(none)' got
	grep -qx 'meta	massif.time	5	ms' got
}

@test "line 0 of a frame is none, and column 0 is none of a line" {
	printf '%s\n' 'desc: (none)' 'cmd: a' 'time_unit: B' 'snapshot=0' 'time=1' 'mem_heap_B=9' \
		'mem_heap_extra_B=0' 'mem_stacks_B=0' 'heap_tree=peak' 'n1: 9 (heap)' \
		' n1: 9 0x10: f (a.c:0)' '  n1: 9 0x20: g (b.rs:0:5)' '   n1: 9 0x30: h (c.rs:7:0)' \
		'    n0: 9 0x40: i (d.rs:8:2)' >zero
	prof-cat --quiet zero >got
	grep '^file' got | cut -f 3 | same - <(printf '%s\n' a.c b.rs c.rs d.rs)
	grep '^ctx' got | cut -f 5- | sort | diff - <(tabs <<-'E'
	0  -  0x10
	1  -  0x20
	2  7  0x30
	3  8:2  0x40
	E
	)
}

@test "malformed input is an error with its line, and --lenient reads the intact part" {
	while IFS='|' read -r change says; do
		echo "$change"
		sed "$change" "$corpus/all" >bad
		run -1 cmp -s bad "$corpus/all"
		exits_with 2 "prof-cat: bad:$says" prof-cat --from massif --all-snapshots bad
		[ "$(tail -n 1 out)" != end ]
		prof-cat --from massif --lenient --quiet --all-snapshots bad 2>/dev/null | has -x end
	done <<-'E'
	s/^snapshot=3/snapshot=x/|6: expected the number of a snapshot
	s/^mem_heap_B=18.*/mem_heap_B=18446744073709551616/|9: expected a number of 64 bits
	/^mem_heap_B=18/d|11: snapshot 3 lacks its time or its bytes
	s/^heap_tree=detailed/heap_tree=some/|12: expected heap_tree=empty, detailed or peak
	s/^time=5/tim=5/|8: expected a value of snapshot 3, found 'tim=5'
	/^heap_tree=detailed/,/^#-/d|12: snapshot 3 has no heap_tree=
	s/^ n1: 100/ n2: 100/|20: 1 children of a node above are missing
	s/^ n1: 100/ n0: 100/|15: more lines than the node above has children
	s/^  n1: 90/  n1: 190/|15: more bytes than the node above has left, 100
	s/^  n1: 90/   n1: 90/|15: the line is too deep
	s/^ n0: 10 in/n0: 10 in/|21: the line is too deep or not deep enough
	s/^ n0: 5/ x0: 5/|22: expected a line of a tree
	s/^time_unit: .*/&\nwhat: x/|5: expected desc:, cmd:, time_unit: or snapshot=
	E
	# An xtree has few metrics.
	{ head -n 3 "$corpus/xtree"
	for i in $(seq 65); do
		printf '#\nsnapshot=%d\n#\ntime=1\nmem_heap_B=1\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=empty\n' $i
	done; } >bad
	exits_with 2 'an xtree of more than 64 metrics' prof-cat bad
	# A tree that has not what mem_heap_B says.
	sed 's/^mem_heap_B=18.*/mem_heap_B=7/' "$corpus/all" >odd
	prof-cat odd >got 2>err
	grep -q 'its tree has 18446744073709551615 bytes, and mem_heap_B is 7' err
	grep -qx 'total	run	7' got
}

@test "a command with newlines in its arguments, as Massif writes it" {
	printf 'cmd: sh -c echo\ndesc: no\n\ny' >with
	awk 'NR == FNR { with = with $0 "\n"; next } /^cmd: / { $0 = substr(with, 1, length(with) - 1) } 1' \
		with "$corpus/all" >lines
	[ "$(prof-cat --probe lines)" = 'lines: massif' ]
	prof-cat lines >got 2>err
	[ "$(cat err)" = "prof-cat: lines:4: read as part of the command: 'desc: no' (a newline in an argument)" ]
	[ "$(grep '^meta	cmd' got)" = 'meta	cmd	sh -c echo\ndesc: no\n\ny' ]
	diff <(prof-cat "$corpus/all" | grep -v '^meta	cmd') <(grep -v '^meta	cmd' got)
}

@test "a file that is truncated" {
	exits_with 2 'the file has no snapshot' prof-cat <(head -n 5 "$corpus/all" |
		sed '$d') --from massif
	head -n 10 "$corpus/all" >cut
	exits_with 2 'cut:10: the file is truncated in snapshot 3' prof-cat cut
	head -n 16 "$corpus/all" >cut
	exits_with 2 'cut:16: the tree of snapshot 3 is truncated: 1 children of its last lines are missing' \
		prof-cat cut
	head -n 12 "$corpus/all" >cut
	exits_with 2 'cut:12: snapshot 3 has no tree' prof-cat cut
	# Also in a snapshot that is not read.
	{ sed 's/detailed/peak/' "$corpus/all"; sed -n '5,16p' "$corpus/all"; } >cut
	exits_with 2 'is truncated' prof-cat cut
	head -c 400 "$corpus/all" >cut
	exits_with 2 'its last line has no newline' prof-cat cut
}

@test "deep trees, wide ones and long heads are no trouble" {
	perl -e 'my $n = 2000; print "desc: x\ncmd: y\ntime_unit: i\nsnapshot=0\ntime=1\nmem_heap_B=1\n",
		"mem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=peak\n";
		printf "%sn%d: 1 0x%x: f%d (a.c:1)\n", " " x $_, $_ < $n, $_, $_ for 0 .. $n' >deep
	[ "$(brief 10 prof-cat deep | grep -c '^ctx')" = 2000 ]
	perl -e 'my $n = 50000; print "desc: x\ncmd: y\ntime_unit: i\nsnapshot=0\ntime=1\nmem_heap_B=$n\n",
		"mem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=peak\nn$n: $n (heap)\n";
		printf " n0: 1 0x%x: f%d (a.c:1)\n", $_, $_ for 1 .. $n' >wide
	[ "$(brief 10 prof-cat wide | grep -c '^sample')" = 50000 ]
	{ printf 'desc: %0100000d\ncmd: y\ntime_unit: i\n' 0
	for i in $(seq 1000); do
		printf 'snapshot=%d\ntime=1\nmem_heap_B=1\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=empty\n' $i
	done; } >long
	[ "$(brief 10 prof-cat --all-snapshots long | wc -c)" -lt 1000000 ]
}

@test "names of C++ read well in flame graphs and stacks" {
	prof-to folded --quiet library.massif | has 'std::.*;'
	prof-to svg --quiet library.massif | xmllint --noout -
	prof-tree --width 100 library.massif | has main
}
