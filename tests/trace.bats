#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# CPU profiles in traces: what belongs to which of them, and in which order; and whether
# each function of a trace of Node has what jq makes of it.  Durations of events: how they
# nest, against random programs whose truth is known, and a trace of clang.

load tools.bash

examples=$BATS_TEST_DIRNAME/../share/examples

# frame NAME LINE: a call frame.
frame() {
	printf '"callFrame": {"functionName": "%s", "scriptId": 7, "url": "a.js", "lineNumber": %s, "columnNumber": 0}' "$@"
}

# event NAME PID TID ID TS DATA
event() {
	printf '{"ph": "P", "cat": "x", "name": "%s", "pid": %s, "tid": %s, "id": "%s", "ts": %s, "args": {"data": %s}}' "$@"
}

# Two threads of one process and one of another, whose profiles share an id; the chunks of
# the first are not in order.
events() {
	cat <<-E
	{"ph": "M", "name": "thread_name", "pid": 1, "tid": 10, "ts": 0, "args": {"name": "Main"}},
	{"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "ts": 0, "args": {"name": "Renderer"}},
	$(event ProfileChunk 1 99 0x1 30 '{"cpuProfile": {"samples": [3, 2]}, "timeDeltas": [5, 7], "endTime": 150}'),
	$(event ProfileChunk 1 99 0x1 20 '{"cpuProfile": {"nodes": [{"id": 1, '"$(frame '(root)' -1)"'},
	{"id": 2, "parent": 1, '"$(frame f 4)"'}, {"id": 3, "parent": 2, '"$(frame g 8)"'}], "samples": [2, 2]},
	"timeDeltas": [10, 20]}'),
	$(event Profile 1 10 0x1 10 '{"startTime": 100}'),
	$(event Profile 1 11 0x2 11 '{"startTime": 100}'),
	$(event Profile 2 10 0x1 11 '{"startTime": 0}'),
	$(event ProfileChunk 2 9 0x1 12 '{"cpuProfile": {"nodes": [{"id": 1, '"$(frame h 1)"'}], "samples": [1, 1],
	"timeDeltas": [1, 3]}, "timeDeltas": [1, 3]}'),
	$(event ProfileChunk 1 99 0x2 21 '{"cpuProfile": {"nodes": [{"id": 1, '"$(frame w 2)"'}], "samples": [1, 1, 1]},
	"timeDeltas": [1, 2.5, 4]}'),
	{"ph": "X", "name": "RunTask", "pid": 1, "tid": 10, "ts": 5, "dur": 100},
	$(event ProfileChunk 1 99 0x1 40 '{"endTime": 150}')
	E
}

want() {
	bars <<-'E'
	prof|1
	part|1
	meta|format|trace
	meta|cmd|Renderer
	meta|pid|1
	meta|thread|Main 10
	event|0|time|us|-|-|calls=absent
	event|1|samples|-|-|-|calls=absent
	file|0|a.js
	func|0|f|0|-|-|start=5|column=1
	ctx|0|-|0|-|-|-
	sample|0|33|3
	func|1|g|0|-|-|start=9|column=1
	ctx|1|0|1|-|-|-
	sample|1|7|1
	part|2
	meta|format|trace
	meta|cmd|Renderer
	meta|pid|1
	meta|thread|11
	event|0|time|ns|-|-|calls=absent
	event|1|samples|-|-|-|calls=absent
	func|2|w|0|-|-|start=3|column=1
	ctx|2|-|2|-|-|-
	sample|2|6500|3
	part|3
	meta|format|trace
	meta|pid|2
	meta|thread|10
	event|0|time|us|-|-|calls=absent
	event|1|samples|-|-|-|calls=absent
	func|3|h|0|-|-|start=2|column=1
	ctx|3|-|3|-|-|-
	sample|3|3|2
	end
	E
}

@test "profiles in chunks are parts: by process and id, in the order of time" {
	want >want
	printf '[%s]\n' "$(events)" >p
	[ "$(prof-cat --probe p)" = 'p: trace' ]
	prof-cat p | diff want -
	# As an object, the events last.
	printf '{"metadata": {"a": [1]}, "traceEvents": [%s]}\n' "$(events)" >p
	[ "$(prof-cat --probe p)" = 'p: trace' ]
	prof-cat p | diff want -
}

@test "an old profile is one event" {
	profile='{"nodes": [{"id": 1, '"$(frame '(root)' -1)"', "children": [2]}, {"id": 2, '"$(frame f 4)"'}],
		"startTime": 100, "endTime": 150, "samples": [1, 2, 2], "timeDeltas": [5, 10, 4]}'
	printf '[%s]\n' "$(event CpuProfile 1 10 0x1 5 "{\"cpuProfile\": $profile}")" >p
	prof-cat p | grep '^meta\|^sample' | diff - <(bars <<-'E'
	meta|format|trace
	meta|pid|1
	meta|thread|10
	sample|-|10|1
	sample|0|35|2
	E
	)
	# It is what the profile alone is.
	echo "$profile" >p.cpuprofile
	prof-top --tsv p.cpuprofile | diff - <(prof-top --tsv p)
}

@test "Node's trace: each function has what its samples last" {
	zstdcat "$examples/tasks.trace.zst" >p
	# Samples and times by jq: the time of a sample is that to the next one.
	jq -r '[.traceEvents[] | select(.name | test("^Profile"))] | sort_by(.ts) as $e |
		($e | map(.args.data.cpuProfile.nodes // []) | add | map({key: "\(.id)",
		    value: .callFrame.functionName}) | from_entries) as $name |
		($e | map(.args.data.cpuProfile.samples // []) | add) as $s |
		($e | map(.args.data.timeDeltas // []) | add) as $d |
		($e | map(.args.data.startTime // empty) | add) as $begin |
		($e | map(.args.data.endTime // empty) | last) as $stop |
		(reduce $d[] as $x ([$begin]; . + [.[-1] + $x]) | .[1:] + [$stop // .[-1]]) as $t |
		# None passes where a sample is earlier than the latest one.
		reduce range(0; $s | length) as $i ({latest: $t[0], sum: {}};
		    ($name["\($s[$i])"] | if . == "" then "(anonymous)" else . end) as $n |
		    ([$t[$i + 1] - .latest, 0] | max) as $lasts |
		    .latest += $lasts | .sum[$n].time += $lasts | .sum[$n].n += 1) |
		.sum | to_entries[] | select(.key != "(root)") | "\(.key)\t\(.value.time)\t\(.value.n)"' p |
		LC_ALL=C sort >want
	[ "$(wc -l <want)" -gt 15 ]
	prof-top --tsv --quiet -n 0 --by function --events time,samples p | awk -F '\t' '
		NR > 1 { t[$1] += $5; n[$1] += $7 }
		END { for (f in t) if (n[f]) print f "\t" t[f] "\t" n[f] }' | grep -v '^-' | LC_ALL=C sort |
		diff want -
}

@test "a trace without profiles, and what is wrong, are errors" {
	echo '{"traceEvents": [{"ph": "C", "name": "heap", "pid": 1, "tid": 1, "ts": 5, "args": {"n": 9}}]}' >p
	fails_with "^prof-cat: p: the trace has no events with a duration, and no CPU profile: record one in DevTools' Performance panel, or with the category disabled-by-default-v8.cpu_profiler\$" prof-cat p
	# Samples beside the events are not read, and not forgotten.
	samples='"samples": [{"ts": "5", "sf": 1}, {"ts": "6", "sf": 2}], "stackFrames": {}'
	echo "{\"traceEvents\": [], $samples}" >p
	fails_with "^prof-cat: p: the trace has only 2 samples with 'stackFrames', which are not read: open it in speedscope, and export it there\$" prof-cat p
	echo "{$samples, \"traceEvents\": [{\"ph\": \"X\", \"name\": \"f\", \"pid\": 1, \"tid\": 1, \"ts\": 5, \"dur\": 2}]}" >p
	prof-cat p 2>err | has '^sample	0	2	1	'
	has -x "prof-cat: p: the trace also has 2 samples with 'stackFrames', which are not read: open it in speedscope, and export it there" err
	# A profile that began, and has nothing, is none.
	printf '[%s]\n' "$(event Profile 1 10 0x1 10 '{"startTime": 100}')" >p
	fails_with 'no events with a duration, and no CPU profile' prof-cat p
	printf '{"traceEvents": [%s\n' "$(events)" >p
	fails_with '^prof-cat: p: byte [0-9]*: the file is truncated: the text ends early$' prof-cat p
	events | sed 's/"samples": \[3, 2\]/"samples": [3, 4]/; 1s/^/[/; $s/$/]/' >p
	fails_with '^prof-cat: p: byte [0-9]*: node 4 is not defined: a part of the profile is missing$' prof-cat p
	[ "$(grep -ob '3, 4\]' p | cut -d : -f 1)" = $(($(sed 's/.*byte \([0-9]*\):.*/\1/; 1q' fails.err) - 3)) ]
	events | sed 's/"timeDeltas": \[5, 7\]/"timeDeltas": [5]/; 1s/^/[/; $s/$/]/' >p
	fails_with '^prof-cat: p: 4 samples, but 3 times of samples$' prof-cat p
}

@test "with --lenient the nodes of a chunk that is missing have no name, and keep their time" {
	printf '[%s]\n' "$(events | sed 's/{"id": 2, "parent": 1, "callFrame": {[^}]*}}, //')" >p
	fails_with '^prof-cat: p: byte [0-9]*: node 2 is not defined: a part of the profile is missing$' prof-cat p
	prof-cat --lenient p >got 2>err
	# What it calls stays below it.
	want | sed '/^file	0/d; s/^func	0	f	.*/func	0	-	-	-	-/
		s/^\(func	1	g\)/file	0	a.js\n\1/; /^end/i meta	skipped	1' | diff - got
	grep -q '^prof-cat: warning: p: 1 malformed or truncated line skipped$' err
	events | sed 's/"samples": \[3, 2\]/"samples": [7, 4]/; 1s/^/[/; $s/$/]/' >p
	fails_with '^prof-cat: p: byte [0-9]*: node 7 is not defined, nor is 1 other: a part of the profile is missing$' prof-cat p
}

@test "a child that is nowhere defined does not matter where nothing was in it" {
	want >want
	printf '[%s]\n' "$(events | sed 's/{"id": 2, "parent": 1, /&"children": [99, 100], /')" >p
	grep -q 99 p
	prof-cat p | diff want -
	# Nor in a profile alone.
	printf '{"nodes": [{"id": 1, %s, "children": [2, 9]}, {"id": 2, %s, "children": [8]}],
		"startTime": 0, "endTime": 5, "samples": [2], "timeDeltas": [1]}' \
		"$(frame '(root)' -1)" "$(frame f 4)" >p.cpuprofile
	prof-cat p.cpuprofile | has -x 'sample	0	4	1'
}

@test "with --lenient a profile that is wrong is omitted, and the others are read" {
	# The second of three.
	for change in 's/"samples": \[1, 1\]/"samples": [1]/' 's/"timeDeltas": \[1, 2.5, 4\]/"timeDeltas": ["x"]/' \
	    's/"samples": \[1, 1\]/"nodes": [{"id": 1, "callFrame": {}}], &/'; do
		events >all
		n=$(sed "$change" all | diff - all | grep -c '^<') || :
		[ "$n" = 1 ] || { echo "$change"; cat all; return 1; }
		printf '[%s]\n' "$(sed "$change" all)" >p
		run -2 prof-cat p
		has ' (--lenient reads the intact part)$' <<<"$output"
		prof-cat --lenient p >got 2>err
		[ "$(grep -c '^part' got)" = 2 ]
		[ "$(tail -n 1 got)" = end ]
		has '^prof-cat: warning: skipped: p: ' err
		has -x 'prof-cat: warning: p: 1 malformed or truncated line skipped' err
	done
}

@test "no other format is taken for it" {
	echo '[{"ph": 7, "name": "x"}]' >a.json
	echo '[[{"ph": "X", "pid": 1}]]' >b.json
	echo '{"a": {"traceEvents": []}}' >c.json
	for f in *.json; do
		[ "$(prof-cat --probe $f)" = "$f: unknown" ]
	done
}

@test "an end without a beginning is no time since the machine was started" {
	printf '[%s, %s]\n' "$(event ProfileChunk 1 2 0x1 400000500 '{"cpuProfile": {"nodes": [
		{"id": 1, "callFrame": {"functionName": "(root)"}},
		{"id": 2, "parent": 1, "callFrame": {"functionName": "f"}},
		{"id": 3, "parent": 2, "callFrame": {"functionName": "g"}}],
		"samples": [2, 3, 2]}, "timeDeltas": [100, 70, 30]}')" \
		"$(event ProfileChunk 1 2 0x1 400000600 '{"endTime": 400000590}')" >p
	prof-top --tsv --quiet -n 0 p 2>err | awk -F '\t' 'NR > 1 { print $1, $5 }' | diff - <(printf '%s\n' 'f 70' 'g 30')
	has "^prof-top: warning: p: a profile has 'endTime' but no 'startTime': the duration of its last sample is unknown, and not counted\$" <err
	# With it the last sample lasts until then.
	jq -c '[{ph: "P", name: "Profile", pid: 1, tid: 2, id: "0x1", ts: 400000000,
		args: {data: {startTime: 400000000}}}] + .' p >q
	silent prof-top --tsv --quiet -n 0 q | awk -F '\t' 'NR > 1 { print $1, $5 }' |
		diff - <(printf '%s\n' 'f 460' 'g 30')
}

# ---- durations of events ----

# slice PHASE NAME TID TS [DUR [MORE]]
slice() {
	printf '{"ph": "%s", "name": "%s", "pid": 7, "tid": %s, "ts": %s%s%s},\n' "$1" "$2" "$3" "$4" \
		"${5:+, \"dur\": $5}" "$6"
}

# stacks FILE: stack, time, number, thread.
stacks() {
	prof-cat "$@" 2>err | awk -F '\t' '$1 == "func" { name[$2] = $3 }
		$1 == "ctx" { st[$2] = ($3 == "-" ? "" : st[$3] ";") name[$4] }
		$1 == "sample" { match($0, /tid=[^\t]*/); print st[$2], $3, $4, substr($0, RSTART + 4, RLENGTH - 4) }'
}

@test "events nest in each thread by their times, in whatever order they are written" {
	# Three levels: written when they begin, when they end, and with B and E.
	{
		slice X a 1 0 100; slice X b 1 10 50; slice X c 1 20 10; slice X b 1 70 30
		slice X c 2 20 10; slice X b 2 10 50; slice X b 2 70 30; slice X a 2 0 100
		slice B a 3 0; slice B b 3 10; slice B c 3 20; slice E c 3 30; slice E c 3 60 '' ', "x": 1' |
			sed 's/"name": "c", //'; slice B b 3 70; slice E b 3 100; slice E a 3 100
	} >events
	{ echo [; sed '$s/,$/]/' events; } >p
	printf '%s\n' 'a 20 1' 'a;b 70 2' 'a;b;c 10 1' >one
	for tid in 1 2 3; do sed "s/\$/ $tid/" one; done >want
	stacks p | sort -k 4,4 -k 1,1 | diff want -
	lacks err .
	# As a part, with the labels of samples.
	{ echo '{"traceEvents": ['; slice X f 5 1.5 2.25 ', "cat": "x,y"'
		echo '{"ph": "M", "name": "process_name", "pid": 7, "args": {"name": "cmd"}},'
		echo '{"ph": "M", "name": "thread_name", "pid": 7, "tid": 5, "args": {"name": "main"}}], "k": 1}'; } >p
	silent prof-cat p | diff - <(bars <<-'E'
	prof|1
	part|1
	meta|format|trace
	meta|cmd|cmd
	event|0|time|ns|-|-|calls=absent|default=1
	event|1|slices|-|-|-|calls=absent
	func|0|f|-|-|-
	ctx|0|-|0|-|-|-
	sample|0|2250|1|comm=main|pid=7|tid=5|process=cmd|category=x,y
	end
	E
	)
	# Of several processes none is the command.
	{ sed 's/}], "k": 1}/},/' p; slice X g 9 1 1 | sed 's/"pid": 7/"pid": 8/; s/,$/]}/'; } >q
	prof-cat q >got
	lacks got '^meta	cmd'
	has -x 'sample	1	1000	1	pid=8	tid=9' got
}

@test "random programs as traces: each stack has its time" {
	for seed in {1..25}; do
		python3 "$BATS_TEST_DIRNAME/slices.py" $seed | LC_ALL=C sort >want
		[ -s want ] || continue
		silent prof-cat random.trace | awk 'BEGIN { FS = OFS = "\t" }
			$1 == "event" && $2 == 0 { unit = $4 == "us" ? 1000 : 1 }
			$1 == "func" { name[$2] = $3 }
			$1 == "ctx" { st[$2] = ($3 == "-" ? "" : st[$3] ";") name[$4] }
			$1 == "sample" {
				l["category"] = "-"
				for (i = 5; i <= NF; i++) { split($i, kv, "="); l[kv[1]] = kv[2] }
				print l["pid"], l["tid"], l["category"], st[$2], $3 * unit, $4
			}' | LC_ALL=C sort >got
		diff want got || { echo "seed $seed"; return 1; }
	done
}

@test "of two events of the same times the outer one is that which the others say" {
	# An event of another pair tells: the inner one comes first, or last.
	{ slice X i 1 0 5; slice X o 1 0 9; slice X in 1 20 30; slice X out 1 20 30; sed 's/"tid": 1/"tid": 2/' <(
		slice X o 1 0 9; slice X i 1 0 5; slice X out 1 20 30; slice X in 1 20 30); } >events
	{ echo [; sed '$s/,$/]/' events; } >p
	stacks p | grep out | sort | diff - <(printf '%s\n' 'out 0 1 1' 'out 0 1 2' 'out;in 30 1 1' 'out;in 30 1 2')
}

@test "events of no process, thread and category are samples without labels" {
	printf '%s\n' '[{"ph": "X", "name": "f", "ts": 1, "dur": 9},' \
		'{"ph": "X", "name": "g", "ts": 2, "dur": 3}]' >p
	prof-cat --from trace p >stream
	grep '^sample' stream | diff - <(tabs <<<$'sample  1  3  1\nsample  0  6  1')
	prof-cat stream | same stream -
}

@test "clang's trace: each name has what containment gives it, and totals do not count" {
	zstdcat "$examples/wordcount.trace.zst" >w.trace
	[ "$(grep -o 'avg ms' w.trace | wc -l)" -gt 50 ]
	# Clang writes an event at its end: the outer one is the first later one around it.  Both
	# times are truncated to microseconds.
	python3 - >want <<-'E'
	import json, collections
	events = [e for e in json.load(open('w.trace'))['traceEvents'] if e['ph'] == 'X' and 'avg ms' not in e.get('args', {})]
	own, number = collections.Counter(), collections.Counter()
	for i, e in enumerate(events):
	    end = e['ts'] + e['dur']
	    for o in events[i + 1:]:
	        last = o['ts'] + o['dur']
	        if o['tid'] == e['tid'] and o['ts'] <= e['ts'] and end <= last + 1:
	            end = min(end, last)
	            own[o['name']] -= end - e['ts']
	            break
	    own[e['name']] += end - e['ts']
	    number[e['name']] += 1
	for name in sorted(number): print(name, own[name], number[name], sep='\t')
	E
	[ "$(wc -l <want)" -gt 25 ]
	silent prof-top --tsv -n 0 --events time,slices w.trace |
		awk -F '\t' 'NR > 1 { print $1 "\t" $5 "\t" $7 }' | LC_ALL=C sort | diff want -
	# A trace in which a program calls something so is not clang's.
	{ echo [; slice X 'Total recall' 1 0 5 ', "args": {"x": 1}' | sed 's/,$/]/'; } >p
	stacks p | diff - <(echo 'Total recall 5 1 1')
	# The detail of an event is a part of the name on request.
	prof-top --tsv --quiet -n 0 --details w.trace | has '^Source /usr/include/[^	]*ctype.h	'
	prof-top --tsv --quiet -n 0 w.trace >names
	lacks names /usr/include
	# The row of Kineto that is as long as the trace.
	{ echo '{"traceEvents": ['; slice X step 1 0 9 ', "cat": "user_annotation"'
		echo '{"ph": "X", "cat": "Trace", "ts": 0, "dur": 99, "pid": "Spans", "tid": "PyTorch Profiler", "name": "PyTorch Profiler (0)", "args": {"Op count": 0}}]}'; } >p
	stacks p | diff - <(echo 'step 9 1 1')
}

@test "arguments count alike for events with a duration and for those that begin and end" {
	of() { printf ', "args": {"detail": "%s"}' "$1"; }
	# b twice with one detail, once with none; of B and E, E's where B has none.
	{ echo [; slice X a 1 0 20 "$(of f.h)"; slice X b 1 1 5 "$(of 'x y')"; slice X b 1 7 3
		slice X b 1 12 4 "$(of 'x y')"
		slice X 'Total b' 1 0 12 ', "args": {"count": 3, "avg ms": 0}' | sed 's/,$/]/'; } >x
	{ echo [; slice B 'Total b' 1 0 '' ', "args": {"count": 3, "avg ms": 0}'
		slice B a 1 0 '' "$(of f.h)"; slice B b 1 1 '' "$(of 'x y')"
		slice E b 1 6; slice B b 1 7; slice E b 1 10; slice B b 1 12
		slice E b 1 16 '' "$(of 'x y')"
		slice E a 1 20 '' "$(of other)"; slice E 'Total b' 1 20 | sed 's/,$/]/'; } >be
	for f in x be; do
		stacks --details $f | sort >got
		printf '%s\n' 'a f.h 8 1 1' 'a f.h;b 3 1 1' 'a f.h;b x y 9 2 1' | diff - got
		lacks err .
		stacks $f | sort >got
		printf '%s\n' 'a 8 1 1' 'a;b 12 3 1' | diff - got
	done
	# One that has no end keeps its detail, and a total stays none.
	{ echo [; slice B a 1 0 '' "$(of f.h)"; slice B 'Total b' 1 1 '' ', "args": {"avg ms": 0}'
		slice X b 1 2 5 | sed 's/,$/]/'; } >open
	stacks --details open | sort | diff - <(printf '%s\n' 'a f.h 2 1 1' 'a f.h;b 5 1 1')
}

@test "events that do not nest, begin or end are reported" {
	{ echo [; slice X a 1 0 10; slice X b 1 5 10; slice X c 1 7 2 | sed 's/,$/]/'; } >p
	stacks p | sort | diff - <(printf '%s\n' 'a 10 1 1' 'b 8 1 1' 'b;c 2 1 1')
	has -x 'prof-cat: warning: p: 1 event begins in another one and ends after it: they are counted next to each other, and their common time twice' err
	# The one around them has what neither takes, also where a third one is in both.
	{ echo [; slice X o 1 0 20; slice X a 1 1 10; slice X b 1 6 10; slice X c 1 8 8 | sed 's/,$/]/'; } >p
	stacks p | sort | diff - <(printf '%s\n' 'o 5 1 1' 'o;a 10 1 1' 'o;b 2 1 1' 'o;b;c 8 1 1')
	{ echo [; slice X o 1 0 20; slice X a 1 1 10; slice X b 1 6 10; slice X c 1 12 7 | sed 's/,$/]/'; } >p
	stacks p | sort | diff - <(printf '%s\n' 'o 2 1 1' 'o;a 10 1 1' 'o;b 10 1 1' 'o;c 7 1 1')
	# A microsecond, or a nanosecond, is due to rounding, and a part of no other's time.
	{ echo [; slice X a 1 0 10; slice X b 1 5 6; slice X a 2 0.5 10; slice X b 2 5 5.501 | sed 's/,$/]/'; } >p
	stacks p | sort | diff - <(printf '%s\n' 'a 4500 1 2' 'a 5000 1 1' 'a;b 5000 1 1' 'a;b 5500 1 2')
	lacks err .
	# Without an end: that of the one around it which is named, or of the thread.
	{ echo [; slice B a 1 0; slice B b 1 2; slice E a 1 10; slice B c 1 12; slice X x 1 12 8; slice X y 2 3
		slice X z 2 4 4; slice E q 3 1; slice E a 1 19 | sed 's/,$/]/'; } >p
	stacks p | sort | diff - <(printf '%s\n' 'a 2 1 1' 'a;b 8 1 1' 'c 0 1 1' 'c;x 8 1 1' 'y 1 1 2' 'y;z 4 1 2')
	has -x 'prof-cat: warning: p: 3 events have no end of their own, and end with the one around them, or with the last one of the thread' err
	has -x 'prof-cat: warning: p: 2 ends have no beginning, and do not count' err
	# Moments, counters and arrows take no time; asynchronous events are in no thread.
	{ echo [; slice X a 1 0 10; slice i i 1 1; slice C c 1 2; slice s s 1 3; slice f s 1 4; slice b b 1 1
		slice e b 1 9; slice n b 1 9 | sed 's/,$/]/'; } >p
	stacks p | diff - <(echo 'a 10 1 1')
	[ "$(cat err)" = 'prof-cat: p: 1 asynchronous event not read: they are not in a thread' ]
	{ echo [; slice X a 1 0.0001 10.00049 | sed 's/,$/]/'; } >p
	stacks p | diff - <(echo 'a 10 1 1')
	has -x 'prof-cat: warning: p: fractions of nanoseconds are rounded' err
}

@test "times and durations that are none are errors, and skipped with --lenient" {
	for bad in 'X b 1 1 -5|a negative duration' 'X b 1 "x"|expected a time, a number' \
	    'X b 1 1 null|expected a time, a number' 'X b 1 1e30|a time of more than 73 years' \
	    'X b 1 1 1e300|a time of more than 73 years' 'E a 2 3|an end before the beginning'; do
		{ echo [; slice X a 1 0 10; slice B a 2 5; slice ${bad%|*}; slice X c 1 3 4 | sed 's/,$/]/'; } >p
		fails_with "^prof-cat: p: byte [0-9]*: ${bad#*|}\$" prof-cat p
		stacks --lenient p | grep -v ^a' 0' | sort | diff - <(printf '%s\n' 'a 6 1 1' 'a;c 4 1 1')
		has 'p: 1 malformed or truncated line skipped$' err
	done
	echo '[{"ph": "X", "name": "a", "pid": 1, "tid": 1, "dur": 5}]' >p
	fails_with '^prof-cat: p: byte 1: an event without a time$' prof-cat p
	# Times are exact: no fraction is one of a double.
	{ echo [; slice X a 1 1700000000000000.001 0.001; slice X b 1 2251799813685249.5 1 | sed 's/,$/]/'; } >p
	stacks p | diff - <(printf '%s\n' 'a 1 1 1' 'b 1000 1 1')
}

@test "a list may lack its end in a file, and a file that is truncated is an error" {
	{ echo [; slice X a 1 0 10; slice X b 1 20 5; } >p
	stacks p | diff - <(printf '%s\n' 'a 10 1 1' 'b 5 1 1')
	[ "$(cat err)" = 'prof-cat: p: the list of events has no end: the file may be truncated there' ]
	sed '$s/,$//' p >q
	stacks q | diff - <(printf '%s\n' 'a 10 1 1' 'b 5 1 1')
	# The writer may have been killed.
	run -2 bash -c 'cat p | prof-cat'
	has 'the file is truncated: the list of events has no end (accepted in a file)' <<<"$output"
	# Within an event, or in an object, it is truncated.
	head -c -10 p >q
	fails_with '^prof-cat: q: byte [0-9]*: the file is truncated: the text ends early$' prof-cat q
	stacks --lenient q | diff - <(echo 'a 10 1 1')
	{ printf '{"traceEvents": '; sed '$s/,$/]/' p; } >q
	fails_with '^prof-cat: q: byte [0-9]*: the file is truncated: the text ends early$' prof-cat q
	stacks --lenient q | diff - <(printf '%s\n' 'a 10 1 1' 'b 5 1 1')
	{ cat p; echo ','; } >q
	fails_with 'byte [0-9]*: expected' prof-cat q
	{ sed '$s/,$/]/' p; echo x; } >q
	fails_with 'there is more after the end' prof-cat q
}

@test "a trace with a CPU profile is that, or with --slices the durations" {
	printf '[%s]\n' "$(events)" >p
	prof-cat p | grep -c '^part' | grep -x 3
	stacks --slices p | diff - <(echo 'RunTask 100 1 10')
	prof-cat p 2>&1 >/dev/null | same - <(echo 'prof-cat: p: the durations of 1 event are not read, as there is a CPU profile: --slices reads them')
	silent prof-cat --slices p >/dev/null
	# What is wrong with the profile does not matter then.
	events | sed 's/"samples": \[3, 2\]/"samples": [3, 4]/; 1s/^/[/; $s/$/]/' >p
	stacks --slices p | diff - <(echo 'RunTask 100 1 10')
}

# big N: so many events in two threads, inner ones first, with what each is worth.
big() {
	awk -v n="$1" 'BEGIN { printf "["; for (i = 0; i < n; i += 2)
		printf "{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"name\":\"i\",\"ts\":%d.25,\"dur\":3},\n{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"name\":\"o%d\",\"ts\":%d,\"dur\":9}%s\n",
		i / 2 % 2, 10 * i + 1, i / 2 % 2, i % 3, 10 * i, i + 2 < n ? "," : "]" }'
}

@test "more events than memory should hold are sorted in a file" {
	big 900000 >p
	stacks p | sort -k 4,4 -k 1,1 | diff - <(for tid in 0 1; do for o in 0 1 2; do
		echo "o$o 450000000 75000 $tid"; echo "o$o;i 225000000 75000 $tid"; done; done)
	TMPDIR=/nowhere fails_with '^prof-cat: temporary file in /nowhere: No such file or directory$' prof-cat p
	# From the beginning of each read, whatever comes at a time.
	big 3000 >p
	stacks p >want
	perl -e '$| = 1; undef $/; $_ = <>; print substr($_, 0, 4093, "") while length' p |
		prof-cat 2>/dev/null | diff - <(prof-cat p)
}

@test "an event that is larger than what is read at a time is read" {
	{ echo '{"traceEvents": ['; slice X a 1 0 10
		slice X b 1 2 3 ", \"args\": [$(seq -s , 200000)]"; slice X c 1 20 5 | sed 's/,$/], "z": [/'
		seq -s , 300000; echo ']}'; } | tr -d '\n' >p
	stacks p | sort | diff - <(printf '%s\n' 'a 7 1 1' 'a;b 3 1 1' 'c 5 1 1')
	cat p | prof-cat 2>&1 | diff - <(prof-cat p)
	fails_with 'larger than 1 MiB, in a format that is read whole: see --max-whole' prof-cat --max-whole 1 p
}
