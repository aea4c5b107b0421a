#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# Stacks that tracers and debuggers print: sums of their values, and files of known ones.

load tools.bash

corpus=$BATS_TEST_DIRNAME/fuzz/corpus/stacks
example=$BATS_TEST_DIRNAME/../share/examples/calc.stacks.zst

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
}

# Lines "VALUES LABELS | STACK" of samples, root first, with "object!" before a function and
# "@file:line" after it.
samples() {
	prof-to json --quiet "$@" | jq -r 'select(.record == "sample") | [del(.stack, .record, .attrs)[] |
		tostring] + [.attrs // {} | to_entries[] | "\(.key)=\(.value)"] + ["|",
		([.stack // [] | .[] | (if .object then .object + "!" else "" end) + (.function // "?") +
		(if .file then "@" + .file else "" end) + (if .line then ":\(.line)" else "" end)] |
		join(";"))] | join(" ")'
}

# events FILE: their names, units and attributes.
events() {
	prof-cat --quiet "$1" | sed -n 's/^event	[0-9]*	//p'
}

@test "the example has the counts of each stack, and the functions of its frames" {
	zstdcat "$example" >maps
	awk '/^@\[/ { n = 0; next } /^    / { sub(/^ */, ""); sub(/\+[0-9]*$/, ""); f[n++] = $0; next }
		/\]: [0-9]+$/ { s = ""; for (i = n; i--; ) s = s (s == "" ? "" : ";") f[i]
			print $NF " key1=calc | " s }' maps | sort >want
	[ "$(wc -l <want)" -ge 30 ]
	samples "$example" | sort | diff want -
	prof-top --quiet --tsv -n 0 "$example" | awk -F '\t' 'NR > 1 { n += $5 } END { print n }' >got
	awk '/\]: [0-9]+$/ { n += $NF } END { print n }' maps | diff - got
	events "$example" | same - <(printf '@\t-\t-\t-\tcalls=absent\n')
}

@test "bpftrace: maps, keys, objects, lines, inlined frames" {
	samples "$corpus/keys" | diff - <(cat <<-'E'
	2 0 0 key1=bash key2=3034 | main;schedule
	5 0 0 key1=cc1 key2=31 | 
	0 14850 0 | 0x7f664b91c24a;/usr/src/prof/det!leaf
	0 0 -5 | spin(int (*)(char))@/usr/src/prof/det.c:12;deep@/usr/src/prof/det.c:7
	E
	)
	events "$corpus/keys" | cut -f 1 | diff - <(printf '%s\n' @n @u @)
	prof-cat "$corpus/keys" 2>err | has '	inlined=1$'
	same err - <<-E
	prof-cat: $corpus/keys: skipped values without a stack: 1 value
	prof-cat: warning: $corpus/keys: skipped distributions and other values that are not whole numbers: 2 values
	prof-cat: warning: $corpus/keys: the tracer lost data: 7 events
	E
}

@test "bpftrace: JSON has the same stacks as text" {
	zstdcat "$example" | sed 1d | awk '
		/^@\[/ { key = substr($0, 3); next }
		/^, .*\]: / || /^\]: / { v = $NF; sub(/\]: .*/, ""); sub(/^, /, ","); s = s (s == "" ? "" : ", ") \
			"\"" key (key ~ /, $/ ? "" : "") "\\n" body $0 "\": " v; body = ""; next }
		/^, $/ { body = body ",\\n"; next }
		/^ / { body = body $0 "\\n" }
		END { gsub(/, \\n/, ",\\n", s); print "{\"type\": \"map\", \"data\": {\"@\": {" s "}}}" }' >json
	jq -e '.data["@"] | length > 30' json >/dev/null
	samples json >got
	samples "$example" | diff - got
	samples "$corpus/json" | diff - <(cat <<-'E'
	100 key1=det | main;leaf
	7 key1=a key2= b | main
	18446744073709551615 | /x!leaf
	E
	)
	prof-cat "$corpus/json" 2>&1 >/dev/null | has 'lost data: 3 events'
	# Histograms and statistics are maps whose values are no numbers; other lines are text.
	sed '/"type": "hist"/d' "$corpus/json" >type
	for t in hist stats tseries other; do
		echo "{\"type\": \"$t\", \"data\": {\"@h\": {\"\\n leaf+8\\n\": [{\"min\": 3}]}}}"
	done >>type
	prof-cat type 2>&1 >/dev/null | grep -o 'skipped.*' | sort >got
	[ "$(sed -n '/part of a stack/s/.*: //p; /distributions/s/.*: //p' got | paste -sd ,)" = '3 values,2 lines' ]
	# A map before its type is not read, but reported.
	{ echo '{"data": {"@": {"\nf+1\n": 4}}, "type": "map"}'; cat "$corpus/json"; } >order
	prof-cat order 2>&1 >/dev/null | has '^prof-cat: order: skipped text that is not part of a stack: [1-9]'
	# As newer versions have it, without blanks in keys.
	echo '{"type": "map", "data": {"@": {"\nvoidf<int>(char)+12\nmain+8\n,a,7": 3}}}' >new
	samples new | same - <(echo '3 key1=a key2=7 | main;voidf<int>(char)')
}

@test "bpftrace: what is printed again is added up, with a warning" {
	printf '@[\n    f+1\n]: 3\n@[\n    g+1\n]: 4\n\n@[\n    f+1\n]: 5\n' >again
	samples again | same - <(printf '3 | f\n4 | g\n5 | f\n')
	prof-cat again 2>&1 >/dev/null | same - <(cat <<-'E'
	prof-cat: warning: again: maps were printed several times and are summed, which is right only if the script clears them: 1 print
	E
	)
	# A map of distributions has empty lines in it, and is none of these.
	prof-cat "$corpus/keys" 2>&1 >/dev/null | lacks - again
}

@test "bpftrace: names and numbers are taken for nothing else" {
	cat >maps <<-'E'
	@[
	    operator++22
	    0x58003089
	    foo]: 5+1
	    a, b+0
	, evil]: 3, x]: 0007
	@s[
	    f+1
	]: text
	E
	samples maps | same - <(echo '7 key1=evil]: 3 key2=x | a, b;foo]: 5;0x58003089;operator+')
	printf '@[\n    f+1\n]: -0\n@[\n    g\n]: 99999999999999999999999999\n' >large
	samples large | same - <(printf '0 | f\n99999999999999999999999999 | g\n')
}

@test "bcc: profile, offcputime and stackcount" {
	samples "$corpus/profile" | diff - <(printf '%s\n' '1 comm=cp pid=9036 | ?' \
		'77 comm=det x pid=12 | det!main;kernel!copy_page')
	samples "$corpus/stackcount" | same - <(echo '9 comm=dd pid=1234 | read;ext4_readpage;submit_bio')
	samples "$corpus/offcputime" | same - <(echo '22 comm=rcuos/0 pid=0 | schedule;[Missed Kernel Stack]')
	events "$corpus/offcputime" | same - <(printf 'off-cpu\tus\t-\t-\tcalls=absent\n')
	sed '/^$/d' "$corpus/profile" | prof-to folded - | same - <(printf '[unknown] 1\nmain;copy_page 77\n')
}

@test "bcc: a stack without a number does not go on with the next" {
	printf '    f\n    -                a (1)\n        5\n\n    g\n    main\n' >cut
	{ cat cut; printf 'Sampling at 49 Hertz of all threads by user + kernel stack.\n'; } >header
	{ cat cut; printf '\n'; } >blank
	for f in header blank; do
		printf '    h\n    -                b (2)\n        7\n\n' >>"$f"
		fails_with "^prof-cat: $f:7: the stack before this line has no number" prof-cat "$f"
		samples --lenient "$f" 2>/dev/null | same - <(printf '5 comm=a pid=1 | f\n7 comm=b pid=2 | h\n')
	done
	printf '    f\n    -                a (1)\n    -                b (2)\n        7\n' >process
	fails_with '^prof-cat: process:3: expected the number of the stack, found .-                b' prof-cat process
}

@test "DTrace: modules, keys before and after stacks, stacks without frames" {
	samples "$corpus/dtrace" | diff - <(cat <<-'E'
	2 | unix!0xfffffffffb8001d6;unix!trap
	7 key1=java | 0x104d08831;libjvm.dylib!Node::replace_edge(Node*, Node*)
	1 key1=sshd key2=1234 | org/foo/Bar.run;libc.so.1!__pwrite
	5 | 
	E
	)
	# Two stacks in a row; another aggregation, without one; a distribution.
	{
		printf '\n              unix`a+0x1\n\n              x`b c (.llvm.12)+0x2\n                9\n'
		printf '\n  bash                                                  12\n'
		printf '  zsh                                                   13\n'
		printf '\n              x`f\n\n           value  ------------- Distribution ------------- count    \n'
		printf '               1 |                                         0        \n'
		printf '               2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 7        \n\n'
	} >more
	samples more | same - <(echo '9 | x!b c (.llvm.12);unix!a')
	# What printa("%Y %k %k %@u\n") prints is not indented, but for the blanks between.
	printf '2017 Jan  9 15:29:19\n\nunix`a+0x1\nunix`run\n \n0x11a34\nx`b c+0x2\n            3\n%s\n\nunix`a+0x1\n\n4\n' \
		1483993706 >printa
	samples printa | same - <(printf '%s\n' '3 | x!b c;0x11a34;unix!run;unix!a' '4 | unix!a')
	prof-cat printa 2>&1 >/dev/null | has 'printa: skipped text that is not part of a stack: 2 lines'
	# Keys that look like a probe, or like a row of a distribution.
	{
		printf '       12     3456  kworker/0:1                     \n              unix`a+0x1\n                9\n'
		printf '\n       12     3456  kworker/0:1                            6\n'
		printf '  a|b                                                   12\n\n'
	} >keys
	samples keys | same - <(echo '9 key1=12 key2=3456 key3=kworker/0:1 | unix!a')
	prof-cat keys 2>&1 >/dev/null | same - <(echo 'prof-cat: keys: skipped values without a stack: 2 values')
	{
		printf '\n              x`f\n\n           value  ------------- Distribution ------------- count    \n'
		printf '             < 0 |                                         0        \n'
		printf '               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 7        \n'
		printf '          >= 100 |                                         0        \n\n'
		printf '  0  64091                        :tick-60s \n\n              unix`a+0x1\n                9\n'
	} >rows
	samples rows 2>err | same - <(echo '9 | unix!a')
	same err - <<<'prof-to: warning: rows: skipped distributions and other values that are not whole numbers: 1 value'
	prof-cat more 2>&1 >/dev/null | diff - <(printf '%s\n' \
		'prof-cat: more: skipped values without a stack: 2 values' \
		'prof-cat: warning: more: skipped distributions and other values that are not whole numbers: 1 value')
}

@test "SystemTap: modules, lines, addresses without a name" {
	samples "$corpus/systemtap" | diff - <(printf '%s\n' \
		'2404 | kernel!default_idle@arch/x86/kernel/process.c:12;kernel!native_safe_halt' \
		'3 | 0x55c2;libc.so.6!0x7f28a30f2000')
	# A probe on a return: the function that returns, and where to.
	{
		printf 'Returning from:  0xffffffff81103a10 : widen+0x0/0x90 [grid]\n'
		printf 'Returning to  :  0xffffffff81104c3e : plan+0x2e/0x150 [grid]\n'
		printf ' 0xffffffff81104e01 : main+0x11/0x40 [grid]\n\t6\n'
		printf 'Returning from:  0xffffffff81103a10\n'
		printf 'Returning to  :  0xffffffff81104c3e : plan+0x2e/0x150 [grid]\n\t2\n'
	} >returns
	samples returns 2>err | same - <(printf '%s\n' '6 | grid!main;grid!plan;grid!widen' '2 | grid!plan;0xffffffff81103a10')
	same err - </dev/null
}

@test "pmcstat: samples of a function without its callers, objects, events" {
	samples "$corpus/pmcstat" | diff - <(cat <<-'E'
	5 0 | /boot/kernel/kernel!taskqueue_run;/boot/kernel/zfs.ko!zio_write;/boot/kernel/zfs.ko!compress
	1 0 | /boot/kernel/zfs.ko!compress
	4 0 | /usr/bin/sort!main;/usr/bin/sort!0xffff1234
	0 1 | /usr/bin/sort!main
	E
	)
	sed 's/\[10 samples/[11 samples/' "$corpus/pmcstat" >less
	fails_with "^prof-cat: less:10: the file is truncated: 1 samples of 'inst_retired.any' are missing" prof-cat less
	sed 's/\[5\]        taskqueue/[6]        taskqueue/' "$corpus/pmcstat" >more
	fails_with '^prof-cat: more:5: 6 samples, more than the line that it is below has left, 5$' prof-cat more
	sed 's/^  100/   100/' "$corpus/pmcstat" >deep
	fails_with '^prof-cat: deep:5: the line is too deep for the one above$' prof-cat deep
}

@test "hprof: tables, threads, percentages" {
	samples "$corpus/hprof" | diff - <(cat <<-'E'
	7 0 0 0 0 0 0 tid=200001 comm=main | Sort.main@Sort.java:68;java.io.RandomAccessFile.close0@RandomAccessFile.java
	1 0 0 0 0 0 0 | 
	0 18010000 31 0 0 0 0 tid=200001 comm=main | Sort.main@Sort.java:68;java.io.RandomAccessFile.close0@RandomAccessFile.java
	0 0 0 64 2 640 20 tid=200001 comm=main class=byte[] | Sort.main@Sort.java:68;java.io.RandomAccessFile.close0@RandomAccessFile.java
	E
	)
	events "$corpus/hprof" | cut -f 1,2,6 | diff - <(printf '%s\t%s\n' samples - time "ms	scale=1/10000" calls - \
		inuse_bytes B inuse_objects - alloc_bytes B alloc_objects -)
	# 90.05 % of 2000 ms.
	prof-top --quiet --events time "$corpus/hprof" | sed -n 1p | has '^1.801 s of time '
	sed 's/ 300001 java/ 300009 java/; /^SITES/,$d' "$corpus/hprof" >lost
	prof-cat lost 2>&1 >/dev/null | same - <(echo 'prof-cat: warning: lost: values have no stack, as the file does not contain it: 2 values')
	sed '/SAMPLES END/,$d' "$corpus/hprof" >cut
	fails_with "^prof-cat: cut:16: the file is truncated: it has no line 'CPU SAMPLES END'" prof-cat cut
	# Stacks have numbers of their own in each file.
	cat "$corpus/hprof" "$corpus/hprof" >two
	fails_with "^prof-cat: two:$(($(wc -l <"$corpus/hprof") + 1)): another profile begins here" prof-cat two
	# Each dump of a program begins CPU samples anew, and has the sums of SITES.
	{ cat "$corpus/hprof"; sed -n '/^CPU SAMPLES/,$p' "$corpus/hprof" | sed 's/ 64 / 74 /'; } >dumps
	prof-cat dumps 2>err | prof-top --quiet --tsv -n 0 --events samples,inuse_bytes,alloc_bytes |
		awk -F '\t' 'NR > 1 { s += $5; i += $7; a += $9 } END { print s, i, a }' | same - <(echo 16 74 640)
	has '^prof-cat: dumps: skipped tables of SITES that the last one repeats: 1 table$' <err
	sed 's/^CPU TIME (ms) BEGIN (total = 2000)/CPU TIME (ms) BEGIN (total = -5)/' "$corpus/hprof" >total
	fails_with '^prof-cat: total:20: expected a number' prof-cat total
	printf 'JAVA PROFILE 1.0.2\0\0\0\0\4' >heap.hprof
	fails_with 'heap.hprof: unknown format \(a heap dump of Java' prof-cat heap.hprof
}

@test "jstack: each thread with a stack is a sample" {
	samples "$corpus/jstack" | same - <(echo '1 comm=wor"ker;1 tid=18166 state=TIMED_WAITING |' \
		'T.main@T.java:2;T$$Lambda$1/0x00007f9e20000a08.run;java.base@17.0.15!java.lang.Thread.sleep')
	cat "$corpus/jstack" "$corpus/jstack" >two
	samples two | wc -l | same - <(echo 2)
	# A deadlock has the stacks of its threads again.
	{
		cat "$corpus/jstack"
		printf '%s\n' '' '' 'Found one Java-level deadlock:' ============================= '"a "b"":' \
			'  waiting to lock monitor 0x00007f30400667f0 (object 0x000000069ec193a0, a java.lang.Object),' \
			'  which is held by ""' '' '"":' '  waiting to lock monitor 0x00007f304c0015a0' '' \
			'Java stack information for the threads listed above:' \
			=================================================== '"a "b"":' '	at D.lock(D.java:2)' \
			'	- locked <0x000000069ec19390> (a java.lang.Object)' '"":' '	at D.lock(D.java:2)' '' \
			'Found 1 deadlock.' ''
		cat "$corpus/jstack"
	} >deadlock
	samples deadlock | diff <(samples two) -
	prof-cat deadlock 2>&1 >/dev/null | lacks - 'not a line of a stack'
	{ sed '/^JNI/d' "$corpus/jstack"; cat "$corpus/jstack"; } >incomplete
	fails_with "the dump before this line has no line 'JNI global refs'" prof-cat incomplete
	sed '/^JNI/,$d' "$corpus/jstack" >cut
	fails_with "the file is truncated: no line 'JNI global refs' comes after the threads" prof-cat cut
	prof-cat --lenient --quiet cut 2>/dev/null | has '^sample'
	# Its last line proves the end without a newline, too.
	printf %s "$(sed '/^JNI/q' "$corpus/jstack")" >unended
	samples unended | diff <(samples "$corpus/jstack") -
	{ cat unended; printf '\n202'; } >again
	fails_with 'the file is truncated: its last line has no newline' prof-cat again
}

@test "gdb: threads, names with arguments in them, frames without a name" {
	samples "$corpus/gdb" | diff - <(cat <<-'E'
	1 tid=21629 comm=so rt | [truncated];/lib/libstdc++.so.6!0x00007fe40d0d44a3;/lib/x.so!(anonymous namespace)::run;operator<< <int>@th.h:3;std::__invoke<main()::<lambda()> >@/usr/include/c++/12/bits/invoke.h:96;W<int (char)>::operator()@th.cpp:7
	1 pid=21626 | main@th.cpp:8;<signal handler called>
	E
	)
	samples "$corpus/eu-stack" | diff - <(printf '%s\n' '1 pid=21626 tid=21626 | main;pause' \
		'1 pid=21626 tid=21629 | 0x00007fe40cef1df2')
	sed 's|pause$|&\n    /usr/src/pause.c:29:1|' "$corpus/eu-stack" >source
	samples source | diff <(samples "$corpus/eu-stack") -
	sed '/^#1/d' "$corpus/gdb" >gap
	fails_with '^prof-cat: gap:8: expected frame 1, found 2$' prof-cat gap
	# Several programs, a thread of which no frame is known, and what `bt full` prints.
	{
		printf '%s\n' 'Thread 2.1 (LWP 9):' '' 'Thread 1.2 (Thread 0x7f (LWP 5) "a"):' 'warning: a library' \
			'#0  0x0001 in f () at a.c:1' '        i = 3' '#1  g () at a.c:2' 'No locals.' \
			'#2  0x0002 in ?? () from /lib/x.so' 'No symbol table info available.' '#3  main () at a.c:3' \
			'No locals.'
	} >full
	samples full | same - <(echo '1 tid=5 comm=a | main@a.c:3;/lib/x.so!0x0002;g@a.c:2;f@a.c:1')
	# Line 0 is none.
	sed 's/a.c:3/a.c:0/' full >zero
	prof-cat zero | grep '^file' | cut -f 3 | same - <(echo a.c)
	samples zero | same - <(echo '1 tid=5 comm=a | main@a.c;/lib/x.so!0x0002;g@a.c:2;f@a.c:1')
	prof-cat full 2>&1 >/dev/null | same - <(echo 'prof-cat: full: skipped values without a stack: 1 value')
	# One stack alone.
	sed -n 's/^#\([01]\)  0/#\1  0/p' "$corpus/eu-stack" | sed 's/  0x\([0-9a-f]*\) \(.*\)/  0x\1 in \2 ()/' |
		sed -n 1,2p >bt
	samples bt | same - <(echo '1 | main;pause')
}

@test "gdb: what a terminal shows has wrapped frames, questions and remarks within stacks" {
	cat >log <<-'E'
	$ gdb -p 7
	GNU gdb (Debian 13.1-3) 13.1
	Copyright (C) 2023 Free Software Foundation, Inc.
	License GPLv3+: GNU GPL version 3 or later
	For help, type "help".
	Attaching to process 7
	(gdb) thread apply all bt

	Thread 2 (Thread 0x7f (LWP 8) "a"):
	#0  0x0001 in f (a=1,
	    b=2) at a.c:1
	---Type <return> to continue, or q <return> to quit---
	#1  g (v=
	  {x = 1}, s=
	warning: RTTI symbol not found for class 'S'
	std::shared_ptr (use count 1) = {...}) at a.c:2
	#2  long_name<int>
	--Type <RET> for more, q to quit, c to continue without paging--c
	    (c=3)
	    from /lib/x.so
	        local = 1
	    (d=4)

	Thread 1 (process 7):
	#0  h () at a.c:4
	(gdb) #0  h () at a.c:4
	#1  0x0002 in main () at a.c:5
	(gdb) (gdb) detach
	E
	samples log | same - <(printf '%s\n' '1 tid=8 comm=a | /lib/x.so!long_name<int>;g;f@a.c:1' '1 pid=7 | h@a.c:4' \
		'1 | main@a.c:5;h@a.c:4')
	prof-cat log 2>&1 >/dev/null | has 'log: skipped text that is not part of a stack: 7 lines'
	printf '(gdb) frame 1\n#1  0x0002 in main () at a.c:5\n' >frame
	fails_with '^prof-cat: frame:2: expected frame 0, found 1$' prof-cat frame
}

@test "what is malformed has its place, and --lenient reads the intact part" {
	printf '@[\n    f+1\n]: 3\n@[\n    g+1\n@[\n    h+1\n]: 4\n' >value
	fails_with "^prof-cat: value:6: expected a frame, or the rest of a key, found '@\['$" prof-cat value
	prof-cat --lenient --quiet value 2>/dev/null | prof-to folded --quiet | same - <(echo 'f 3')
	printf '@[\n    f+1\n\n]: 3\n' >empty
	fails_with '^prof-cat: empty:3: .*found an empty line$' prof-cat empty
	printf '@[\n    f+1\n, x\n]: 3\n' >key
	fails_with "^prof-cat: key:3: expected the rest of a key, a ',' or '\]:', found 'x'$" prof-cat key
	printf '{"type": "map", "data": {"@": {"\\n f\\n": 3}}\n' >json
	fails_with '^prof-cat: json:1: ' prof-cat --from stacks json
	printf '@[\n    f+1\n' >cut
	fails_with '^prof-cat: cut:2: the file is truncated: the last stack has no value$' prof-cat cut
	printf '@h[\n    f+1\n]: \n[2, 4)   1 |@|\n' >none
	fails_with "^prof-cat: none:.*bpftrace's output has no stack with a number$" prof-cat none
	for i in $(seq 101); do printf '@m%d[\n    f+1\n]: 3\n' $i; done >maps
	fails_with '^prof-cat: maps:303: more than 100 events$' prof-cat maps
	echo 'a;b 1' >folded
	fails_with '^prof-cat: folded: expected stacks of bpftrace, bcc, DTrace, ' prof-cat --from stacks folded
}

@test "lines of others are reported, and only files that begin with stacks are taken" {
	printf 'what is this?\n@[\n    f+1\n]: 3\nand this?\n' >others
	samples others | same - <(echo '3 | f')
	prof-cat others 2>&1 >/dev/null | same - <(cat <<-'E'
	prof-cat: warning: others:1: not a line of a stack: 'what is this?' (further ones are counted)
	prof-cat: others: skipped text that is not part of a stack: 2 lines
	E
	)
	{ seq 4 | sed 's/^/A sentence of a manual /'; cat "$corpus/profile"; } >manual
	[ "$(prof-cat --probe manual)" = 'manual: unknown' ]
	for f in "$corpus"/*; do
		[ "$(prof-cat --probe "$f")" = "$f: stacks" ]
		sed 's/$/\r/' "$f" >crlf
		samples "$f" >want
		samples crlf | diff want -
	done
}

# What follows the end of a file is no digit of it, which the address sanitizer sees.
@test "numbers at the end of a file end there" {
	for text in 'x\n#0' '@ event [23' 'x\n"main" nid=0x1f' 'CPU SAMPLES BEGIN (total = 7' \
		'Lost 1'; do
		printf "$text" >end
		fails_with '^prof-cat: end: expected stacks of bpftrace, ' prof-cat --from stacks end
	done
}

@test "much of anything takes little time and memory" {
	for s in deep keys maps prints json-deep json-lines dtrace-keys pmcstat-deep hprof-deep gdb-arguments; do
		shape "stacks:$s" 20000 >big
		brief 2 prof-top --quiet big >/dev/null
		limited 300000 prof-top --quiet big >/dev/null
	done
}
