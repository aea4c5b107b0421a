#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# The output of macOS's sample: its own sums, and files of known values.

load tools.bash

example=$BATS_TEST_DIRNAME/../share/examples/calc.macos-sample

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
}

# sample [LINE...]: a file with these lines in the call graph.
sample() {
	printf '%s\n' 'Analysis of sampling prog (pid 7) every 10 milliseconds' 'Path:   /bin/prog' '' \
		'Call graph:' "$@" '' 'Total number in stack (recursive counted multiple, when >=5):'
}

@test "self is what the file says is on top of stacks, and all of it that of the threads" {
	sed -n '/^Sort by top/,/^$/s/^        \(.*\)  (in \([^)]*\)).*  \([0-9]*\)$/\1 \2 \3/p' "$example" |
		sed 's/^???/-/' | sort >want
	[ "$(wc -l <want)" = 8 ]
	prof-top --quiet --tsv -n 0 "$example" | awk -F '\t' 'NR > 1 && $5 >= 5 {
		sub(/.*\//, "", $3); print $1, $3, $5 }' | sort | diff want -
	prof-cat "$example" | awk -F '\t' '$1 == "sample" { n += $3 } END { print n }' >got
	awk '$2 ~ /^Thread_/ { n += $1 } END { print n }' "$example" | diff - got
}

@test "threads, places, objects and metadata are in the stream" {
	prof-cat "$example" | sed '/^meta	macos-sample.header	\(Load\|Ident\|Ver\|Code\|Par\|Date\|La\|Phy\|Report\)/d' |
		head -n 32 | diff - <(bars <<-'E'
	prof|1
	part|1|positions=addr,line
	meta|format|macos-sample
	meta|pid|4711
	meta|desc|Analysis of sampling calc (pid 4711) every 1 millisecond
	meta|macos-sample.header|Process|calc [4711]
	meta|cmd|/usr/src/prof/calc
	meta|macos-sample.header|OS Version|macOS 14.6.1 (23G93)
	meta|creator|/usr/bin/sample
	meta|macos-sample.header|Idle exit|untracked
	event|0|samples|-|-|-|calls=absent
	object|0|/usr/lib/dyld|4FD2E2C6-6B08-3D5F-8C46-7A0E0D1B9A37|start=0x18f2dd000|limit=0x18f36a20f
	func|0|start|-|0|-
	ctx|0|-|0|-|-|0x18f2e3154
	object|1|/usr/src/prof/calc|1C0E5B52-7A61-3F0B-9D1E-54B0A3F4C211|start=0x100a3c000|limit=0x100a3ffff
	file|0|calc.c
	func|1|main|0|1|-
	ctx|1|0|1|0|124|0x100a3ca90
	func|2|assign|0|1|-
	ctx|2|1|2|0|113|-|addrs=0x100a3c94c,0x100a3c970
	func|3|sum|0|1|-
	ctx|3|2|3|0|97|0x100a3c85c
	func|4|product|0|1|-
	ctx|4|3|4|0|85|0x100a3c7e4
	func|5|atom|0|1|-
	ctx|5|4|5|0|72|0x100a3c760
	func|6|find|0|1|-
	ctx|6|5|6|0|31|0x100a3c6a8
	sample|6|371|tid=190213|comm=DispatchQueue_1: com.apple.main-thread  (serial)
	sample|5|31|tid=190213|comm=DispatchQueue_1: com.apple.main-thread  (serial)
	ctx|7|4|5|0|74|0x100a3c728
	object|2|/usr/lib/system/libsystem_c.dylib|0F1B2A4D-3C55-39E8-A6F0-2D1C5E7B8A90|start=0x18f511000|limit=0x18f58fff3
	E
	)
	prof-cat "$example" | has '^sample	[0-9]*	842	tid=190240	comm=writer$'
}

@test "names, objects and sources may look like one another" {
	sample '    9 Thread_1' '      9 f(int) (.llvm.7)  (in a b) + 1  [0x10]  dir name/x.c:0' \
		'        8 -[A b:(in c)]  (in lib (x).dylib) + 4,8,...  [0x20,0x24,...]  x:y.m:12' \
		'        : 3 ???  (in <unknown binary>)  [0x30]' '        : 2 plain' \
		'        1 ???  (in lib)  load address 0x5 + 0x6  [0xb]' '    4 main thread' >x
	prof-cat x | sed '/^prof/d; /^part/d; /^meta/d; /^event/d' | diff - <(bars <<-'E'
	object|0|a b|-
	file|0|dir name/x.c
	func|0|f(int) (.llvm.7)|0|0|-
	ctx|0|-|0|0|-|0x10
	object|1|lib (x).dylib|-
	file|1|x:y.m
	func|1|-[A b:(in c)]|1|1|-
	ctx|1|0|1|1|12|-|addrs=0x20,0x24,...
	ctx|2|1|-|-|-|0x30
	sample|2|3|tid=1
	func|2|plain|-|-|-
	ctx|3|1|2|-|-|-
	sample|3|2|tid=1
	sample|1|3|tid=1
	object|2|lib|-
	func|3|-|-|2|-
	ctx|4|0|3|-|-|0xb
	sample|4|1|tid=1
	sample|-|4|comm=main thread
	end
	E
	)
	# Two images of a name: neither is taken.
	{
		sample '    1 Thread_1' '      1 f  (in a)' '      0 g  (in b)'
		printf '%s\n' '' 'Binary Images:' ' 0x1 -  0x2 +a (0) <U1> /x/a' ' 0x3 - 0x4 a (0) <U2> /y/a' \
			' 0x5 - 0x6 b (1.0 - 7) <U3> /z/b'
	} >x
	prof-cat x | grep '^object' | diff - <(bars <<-'E'
	object|0|a|-
	object|1|/z/b|U3|start=0x5|limit=0x6
	E
	)
}

@test "what is in an address's place and is none is kept as it is" {
	sample '    4 Thread_1' '      1 f  (in a) + 1  [0x12zz]  a.c:3' '      1 g  (in a) + 1  [0x10000000000000000]' \
		'      1 h  (in a) + 1  [0x]' '      1 i  (in a) + 1  [0x12' >x
	prof-cat --quiet x | grep '^func\|^ctx' | diff - <(bars <<-'E'
	func|0|f|0|0|-
	ctx|0|-|0|0|3|-|addrs=0x12zz
	func|1|g|-|0|-
	ctx|1|-|1|-|-|-|addrs=0x10000000000000000
	func|2|h|-|0|-
	ctx|2|-|2|-|-|-|addrs=0x
	func|3|i  (in a) + 1  [0x12|-|-|-
	ctx|3|-|3|-|-|-
	E
	)
}

@test "what the terminal showed may come first, and \`sample' is another name" {
	{ printf '%s\n' 'Sampling process 7 for 1 second' 'Sampling completed, processing symbols...'
		sample '    1 Thread_1'; } >x
	[ "$(prof-cat --probe x)" = 'x: macos-sample' ]
	# Also in the same line, but not in a word.
	sed 's/^Analysis/done. &/' x >same
	[ "$(prof-cat --probe same)" = 'same: macos-sample' ]
	sed 's/^Analysis/x&/' x >word
	[ "$(prof-cat --probe word)" = 'word: unknown' ]
	prof-cat --from sample x | has '^sample	-	1	tid=1$'
	run -1 grep Sampling <<<"$(prof-cat x)"
}

@test "malformed input is an error with its line" {
	while IFS='|' read -r says lines; do
		echo "$says"
		# shellcheck disable=SC2086
		IFS='|' eval 'sample $lines' >bad
		exits_with 2 "prof-cat: bad:$says" prof-cat bad
	done <<-'E'
	6: expected a line of the call graph, found 'x'|    1 Thread_1|x
	6: expected a line of the call graph, found '    7'|    1 Thread_1|    7
	5: expected a line of the call graph, found '    18446744073709551616 Thread_1'|    18446744073709551616 Thread_1
	6: the line is too deep for the one above, or not deep enough|    1 Thread_1|        1 f
	6: the line is too deep for the one above, or not deep enough|    1 Thread_1|     1 f
	6: the line is too deep for the one above, or not deep enough|    1 Thread_1|  1 f
	6: 2 samples, more than the line that it is below has left, 1|    1 Thread_1|      2 f
	7: 3 samples, more than the line that it is below has left, 2|    5 Thread_1|      3 f|      3 g
	E
	# The others are read.
	exits_with 0 'skipped: bad:7: 3 samples' prof-cat --lenient bad
	has -x 'sample	-	2	tid=1' out
	sample '    1 Thread_1' | sed '/^Total/d' >cut
	exits_with 2 'cut:6: the file is truncated: the call graph has no end' prof-cat cut
	sample | sed '/^Call/,$d' >cut
	exits_with 2 "expected a line 'Call graph:', found none" prof-cat --from macos-sample cut
}

# report PID ADDRESS: one of f in prog, which lies there.
report() {
	sample "    $1 Thread_1" "      $1 f  (in prog) + 4  [0x$2004]" | sed "s/pid 7/pid $1/"
	printf '%s\n' "        $1       f  (in prog) + 0  [0x$2004]" '' 'Binary Images:' \
		"       0x$2000 -        0x$2fff +prog (0) <A-$1> /bin/prog" \
		"Sample analysis of process $1 written to file /dev/stdout"
}

@test "several reports in a file are a part each, with images of their own" {
	{ report 3 7; echo 'Sampling process 5 for 1 second'; report 5 9; } >two
	silent prof-cat two | grep '^\(part\|meta	pid\|object\|sample\)' | cut -f -6 | diff - <(bars <<-'E'
	part|1|positions=addr
	meta|pid|3
	object|0|/bin/prog|A-3|start=0x7000|limit=0x7fff
	sample|0|3|tid=1
	part|2|positions=addr
	meta|pid|5
	object|1|/bin/prog|A-5|start=0x9000|limit=0x9fff
	sample|1|5|tid=1
	E
	)
	prof-top two 2>/dev/null | has '^8 samples in 2 profiles, 2 parts'
	# Errors have lines of the file.
	{ report 3 7; report 5 9 | sed 's/      5 f/      6 f/'; } >bad
	exits_with 2 'prof-cat: bad:19: 6 samples, more than the line that it is below has left, 5' \
		prof-cat bad
	{ report 3 7; report 5 9 | sed '/^Call/,$d'; } >bad
	exits_with 2 "bad:16: expected a line 'Call graph:', found none" prof-cat bad
	{ report 3 7; echo more; echo 'and more'; } >bad
	exits_with 0 "prof-cat: warning: bad:14: unknown line after the call graph: 'more' (further ones are not shown)" \
		prof-cat bad
	report 3 7 | head -c -1 >bad
	exits_with 2 'bad:13: the file is truncated: its last line has no newline' prof-cat bad
}
