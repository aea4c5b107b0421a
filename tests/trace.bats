#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# CPU profiles in traces: what belongs to which of them, and in which order; and whether
# each function of a trace of Node has what jq makes of it.

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
	echo '{"traceEvents": [{"ph": "X", "name": "RunTask", "pid": 1, "tid": 1, "ts": 5, "dur": 9}]}' >p
	fails_with "^prof-cat: p: the trace has no CPU profile: record it in DevTools' Performance panel, or with the category disabled-by-default-v8.cpu_profiler\$" prof-cat p
	# A profile that began, and has nothing, is none.
	printf '[%s]\n' "$(event Profile 1 10 0x1 10 '{"startTime": 100}')" >p
	fails_with 'the trace has no CPU profile' prof-cat p
	printf '[%s\n' "$(events)" >p
	fails_with '^prof-cat: p: byte [0-9]*: the file is cut: the text ends early$' prof-cat p
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
	grep -q '^prof-cat: warning: p: 1 malformed or cut line skipped$' err
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

@test "with --lenient a profile that is wrong is left out, and the others are read" {
	# The second of three.
	for change in 's/"samples": \[1, 1\]/"samples": [1]/' 's/"timeDeltas": \[1, 2.5, 4\]/"timeDeltas": ["x"]/' \
	    's/"samples": \[1, 1\]/"nodes": [{"id": 1, "callFrame": {}}], &/'; do
		events >all
		n=$(sed "$change" all | diff - all | grep -c '^<') || :
		[ "$n" = 1 ] || { echo "$change"; cat all; return 1; }
		printf '[%s]\n' "$(sed "$change" all)" >p
		run -2 prof-cat p
		has ' (--lenient reads the rest)$' <<<"$output"
		prof-cat --lenient p >got 2>err
		[ "$(grep -c '^part' got)" = 2 ]
		[ "$(tail -n 1 got)" = end ]
		has '^prof-cat: warning: skipped: p: ' err
		has -x 'prof-cat: warning: p: 1 malformed or cut line skipped' err
	done
}

@test "nothing else is taken for one" {
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
	has "^prof-top: warning: p: a profile has an 'endTime', but no 'startTime': how long its last sample lasted is not known, and not counted\$" <err
	# With it the last sample lasts until then.
	jq -c '[{ph: "P", name: "Profile", pid: 1, tid: 2, id: "0x1", ts: 400000000,
		args: {data: {startTime: 400000000}}}] + .' p >q
	silent prof-top --tsv --quiet -n 0 q | awk -F '\t' 'NR > 1 { print $1, $5 }' |
		diff - <(printf '%s\n' 'f 460' 'g 30')
}
