#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# Recordings of Java Flight Recorder.  What `jfr print` shows of the example is in
# real/tasks.jfr-print.zst, by real/jfr_events.py; jfr.py writes recordings whose contents
# are known.

load tools.bash

example=$BATS_TEST_DIRNAME/../share/examples/tasks.jfr.zst

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
}

# recording LINES: writes `r.jfr`.
recording() {
	printf '%s\n' "$1" | python3 "$TESTS/jfr.py" >r.jfr
}

# One chunk with three samples of two stacks, and allocations.
two_stacks='standard
method 1 demo.Main work
method 2 demo.Main main
method 3 demo.Main idle
thread 1 pool-1 77
class 5 demo.Thing
stack 1 1:10:2 2:20:1
stack 2 3:30:4 2:21:3
event 100 5000 1 1 1
event 100 6000 1 1 1
event 100 7000 1 2 1
event 101 8000 1 1 5 64
event 101 9000 1 2 5 100'

@test "every event of the example is as jfr print shows it" {
	prof-cat --times "$example" | python3 "$TESTS/real/jfr_events.py" prof >got
	zstdcat "$TESTS/real/tasks.jfr-print.zst" >want
	[ "$(wc -l <want)" -gt 50 ]
	diff want got
	# Without times equal samples are added up, and the sums are the same.
	for by in function thread; do
		prof-cat --times "$example" | prof-top --tsv -b $by >want
		prof-top --tsv -b $by "$example" >got
		diff want got
	done
}

@test "samples, weights, lines, types of code and labels" {
	recording "chunk
$two_stacks"
	[ "$(prof-cat --info r.jfr | sed -n 's/^event: //p')" = "$(printf '%s\n' \
		'ExecutionSample, 3' 'ObjectAllocationSample, 2' \
		'ObjectAllocationSample.weight (B), 164')" ]
	prof-to folded r.jfr >got
	diff got - <<-'E'
	demo.Main.main;demo.Main.work 2
	demo.Main.main;demo.Main.idle 1
	E
	prof-to folded --events ObjectAllocationSample.weight r.jfr | diff - <(
		cat <<-'E'
		demo.Main.main;demo.Main.work 64
		demo.Main.main;demo.Main.idle 100
		E
	)
	prof-top --tsv -b function,line r.jfr | awk -F '\t' 'NR > 1 && $6 { print $1, $4, $6 }' |
		diff - <(printf '%s\n' 'demo.Main.work 10 2' 'demo.Main.idle 30 1')
	prof-cat r.jfr | grep -F 'jfr.type=Interpreted'
	prof-cat r.jfr | grep -F 'jfr.type=Native'
	prof-cat r.jfr | grep -F 'inlined=1'
	prof-cat r.jfr | grep -F 'comm=pool-1' | grep -F 'tid=77'
	prof-cat r.jfr | grep -F 'class=demo.Thing'
}

@test "chunks one after the other, with other types and numbers, compressed or not" {
	recording "chunk
$two_stacks
chunk version=1.0
$two_stacks
chunk flags=0
standard
method 1 demo.Main work
stack 9 1:10:2
event 100 1 0 9 0"
	prof-to folded --quiet r.jfr >got
	diff got - <<-'E'
	demo.Main.main;demo.Main.work 4
	demo.Main.main;demo.Main.idle 2
	demo.Main.work 1
	E
	gzip -k r.jfr
	prof-to folded --quiet r.jfr.gz | diff got -
}

@test "what a chunk does not have is named by its number and counted" {
	recording 'chunk
standard
method 1 demo.Main work
stack 1 1:10:2 8:1:1
event 100 1 0 1 0
event 100 2 0 44 0
event 101 3 0 1 7 64
event 101 4 0 1 8 64'
	prof-to folded r.jfr >got 2>err
	diff got - <<-'E'
	[method 8];demo.Main.work 1
	[stack 44] 1
	E
	grep -F '1 times a stack is not in its chunk' err
	grep -F '1 frames have a method that is not in its chunk' err
	grep -F '2 times a class is not in its chunk, and is named [class N]' err
	prof-cat --quiet r.jfr >got
	grep -F 'class=[class 7]' got
	grep -Fx "$(printf 'meta\tmissing classes\t2')" got
}

@test "of a thread that was started anew the first counts, as in jfr print" {
	recording 'chunk
standard
method 1 demo.Main work
stack 1 1:10:2
thread 5 pool 77
event 100 1 5 1 0
pools
thread 5 pool 78
event 100 2 5 1 0'
	prof-cat r.jfr | grep '^sample' | cut -f 1-5 | same - <(tabs <<-'E'
	sample  0  2  event=ExecutionSample  comm=pool
	E
	)
	[ "$(prof-cat r.jfr | grep -o 'tid=[0-9]*')" = tid=77 ]
}

@test "a chunk that is not finished is read and reported" {
	recording "chunk state=1 size=0
$two_stacks"
	prof-to folded r.jfr >got 2>err
	grep -x 'demo.Main.main;demo.Main.work 2' got
	grep -F '1 chunk is not finished' err
}

@test "a truncated recording is an error, and its whole chunks are read leniently" {
	recording "chunk
$two_stacks
chunk
$two_stacks"
	size=$(wc -c <r.jfr)
	for at in $((size - 1)) $((size * 3 / 4)) $((size / 2 + 20)); do
		head -c $at r.jfr >cut.jfr
		fails_with 'cut.jfr:.*recording is truncated' prof-cat cut.jfr
		prof-to folded --lenient cut.jfr >got 2>err
		grep -qx 'demo.Main.main;demo.Main.work [24]' got
		grep -qF skipped err
	done
}

@test "other versions are rejected by number" {
	recording 'chunk version=0.9
standard'
	fails_with 'version 0.9.*OpenJDK 8u262' prof-cat r.jfr
	recording 'chunk version=3.1
standard'
	fails_with 'version 3.1 is not supported' prof-cat r.jfr
}

@test "malformed metadata, sizes and clocks are errors with a place" {
	recording "chunk ticks=0
$two_stacks"
	fails_with 'r.jfr:.*clock has 0 ticks' prof-cat r.jfr
	recording "chunk metadata=9999999
$two_stacks"
	fails_with 'r.jfr:.*without metadata' prof-cat r.jfr
	recording "chunk size=30
$two_stacks"
	fails_with 'r.jfr:.*a chunk of 30 bytes' prof-cat r.jfr
	recording "chunk
$two_stacks
ending 41424344454647"
	fails_with 'the next bytes are not a chunk' prof-cat r.jfr
}

@test "a type that contains itself is no endless loop" {
	recording 'chunk
standard
type 90 demo.Loop
field again 90
type 91 demo.Event
field stackTrace 25 pool
field loop 90
method 1 demo.Main work
stack 1 1:10:2
event 91 1 0
event 100 2 0 1 0'
	run -0 prof-to folded --lenient --quiet r.jfr
	recording "chunk
standard
type 90 demo.A
$(for ((i = 100; i < 400; i++)); do echo "field f$i $((i + 100))"; echo "type $((i + 100)) demo.T$i"; done)"
	run -0 prof-cat --quiet r.jfr
}

@test "a field of a type that is not described ends its event" {
	recording 'chunk
standard
type 95 jdk.JVMInformation
field jvmVersion 999
field jvmName 4
method 1 demo.Main work
stack 1 1:10:2
event 95 7 s:name
event 100 2 0 1 0'
	prof-to folded --quiet r.jfr | diff - <(echo 'demo.Main.work 1')
}

@test "an event with several amounts has each under its own name" {
	recording 'chunk
standard
type 104 jdk.FileRead
field startTime 1
field duration 1 40=TICKS
field stackTrace 25 pool
field bytesRead 1 41=BYTES
type 105 jdk.FileWrite
field startTime 1
field bytesWritten 1 41=BYTES
field stackTrace 25 pool
field duration 1 40=TICKS
method 1 demo.Main work
stack 1 1:10:2
event 104 1 300 1 7
event 104 2 50 1 11
event 105 3 13 1 700'
	prof-top --tsv -b function --events FileRead.duration,FileRead.bytesRead r.jfr | diff - <(tabs <<-'E'
	function  file  object  calls  FileRead.duration  FileRead.duration.incl  FileRead.bytesRead  FileRead.bytesRead.incl
	demo.Main.work  -  -  -  350  350  18  18
	E
	)
	prof-top --tsv --events FileWrite.duration,FileWrite.bytesWritten r.jfr | tail -n 1 |
		cut -f 6,8 | same - <(tabs <<<'700  13')
}

@test "an event that lacks its last byte is malformed, and takes none of the next" {
	recording 'chunk
standard
method 1 demo.Main work
stack 1 1:10:2
event 100 1 0 1 0
event 100 2 0 1
event 100 3 0 1 0'
	exits_with 2 "an event of type 'jdk.ExecutionSample' ends too early" prof-cat r.jfr
	# So it is where numbers have all their bytes.
	recording 'chunk flags=0
standard
method 1 demo.Main work
stack 1 1:10:2
event 100 1 0 1 0
event 100 2 0 1 0/7
event 100 3 0 1 0'
	exits_with 2 "an event of type 'jdk.ExecutionSample' ends too early" prof-cat r.jfr
	prof-to folded --lenient --quiet r.jfr | diff - <(echo 'demo.Main.work 2')
}

@test "--rules java joins what each run numbers anew" {
	recording 'chunk
standard
method 1 demo.Main$$Lambda$14/0x0000000800c03000 run
method 2 demo.Main$$Lambda$84+0x00007f8898007a08/351028485 run
method 3 jdk.internal.reflect.GeneratedMethodAccessor12 invoke
stack 1 1:1:1
stack 2 2:1:1
stack 3 3:1:1
event 100 1 0 1 0
event 100 2 0 2 0
event 100 3 0 3 0'
	prof-to folded --rules java r.jfr | diff - <(printf '%s\n' \
		'demo.Main$$Lambda.run 2' 'jdk.internal.reflect.GeneratedMethodAccessor.invoke 1')
}

@test "bytes that the recorder lost are added up and reported" {
	recording "chunk
standard
type 106 jdk.DataLoss
field startTime 1
field amount 1 41=BYTES
field total 1 41=BYTES
${two_stacks#standard?}
event 106 9000 1000 1000
event 106 9500 234 1234"
	prof-cat r.jfr 2>err | has -x 'meta	lost	1,234 bytes of events'
	has "^prof-cat: warning: r.jfr: 1,234 bytes of events were lost: the recorder's buffers were too small" <err
}

@test "samples of many threads are ranked at once" {
	shape jfr:threads 60000 >x
	brief 3 prof-top -n 1 -b thread x | has -x '… 59,999 more, 100.00 %'
}

@test "changed bytes crash nothing" {
	recording "chunk
$two_stacks
chunk flags=0
$two_stacks"
	python3 - <<-'E'
	import random
	whole = open('r.jfr', 'rb').read()
	for i in range(150):
	    random.seed(i)
	    b = bytearray(whole)
	    for _ in range(random.randint(1, 4)):
	        b[random.randrange(len(b))] = random.choice([0, 1, 127, 128, 255, random.randrange(256)])
	    open('changed%d.jfr' % i, 'wb').write(b)
	E
	for f in changed*.jfr; do
		limited 400000 prof-top --from jfr --lenient --quiet "$f" >got 2>err || [ $? -le 2 ]
		limited 400000 prof-cat --from jfr "$f" >got 2>err || [ $? -le 2 ]
	done
}
