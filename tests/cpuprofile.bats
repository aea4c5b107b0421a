#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# V8's CPU profiles: the tree, the samples and what they last.  Whether a viewer shows the
# same numbers as prof-top, of what is written and of what Node writes, is tested by
# tests/viewers.

load tools.bash

examples=$BATS_TEST_DIRNAME/../share/examples

# stacks FILE: a line for each sample: its stack by names, and the time until the next.
stacks() {
	jq -r '(.nodes | map({key: "\(.id)", value: .}) | from_entries) as $n |
		(reduce .nodes[] as $p ({}; reduce $p.children[] as $c (.; .["\($c)"] = $p.id))) as $up |
		def names: if . == null then [] else ($up["\(.)"] | names) +
			[$n["\(.)"].callFrame.functionName] end;
		[.samples[:-1], .timeDeltas[1:]] | transpose[] |
		"\(.[0] | names | join(";"))|\(.[1])"' "$1"
}

# sound FILE: every node but the root is a child of one that comes before it, hits and
# times add up, and the last sample is the root's.
sound() {
	jq -e '(.nodes | map(.id)) == [range(1; (.nodes | length) + 1)] and
		.nodes[0].callFrame.functionName == "(root)" and
		([.nodes[].children[]] | sort) == [range(2; (.nodes | length) + 1)] and
		([.nodes[] | .id as $id | .children[] > $id] | all) and
		.startTime == 0 and (.samples | length) == (.timeDeltas | length) and
		.samples[-1] == 1 and .timeDeltas[0] == 0 and
		((.timeDeltas | add) - .endTime | fabs) <= .endTime * 1e-9' "$1" >/dev/null
}

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	sed 's/^ /\t/' >threads.perf <<-'E'
	main   12/12    [001]    7.000300:        250 cpu-clock:u:
	             1031 work+0x11 (/bin/prog)
	             1008 main+0x8 (/bin/prog)

	pool   12/13    [000]    7.000150:        900 cpu-clock:u:
	             1031 work+0x11 (/bin/prog)

	main   12/12    [001]    7.000200:        50 cpu-clock:u:
	             1008 main+0x8 (/bin/prog)

	main   12/12    [001]    7.000100:        1750 cpu-clock:u:
	             1041 work+0x21 (/bin/prog)
	             1008 main+0x8 (/bin/prog)

	E
}

@test "one event is written, in microseconds, and threads are frames" {
	prof-to cpuprofile "$(cg threads.perf)" >got 2>note
	sound got
	stacks got | diff - <(cat <<-'E'
	(root);main 12/12;main;work|2
	(root);main 12/12;main|0.05
	(root);pool 12/13;work|0.9
	E
	)
	grep -qx '"timeDeltas":\[0,2,0.05,0.9\],' got
	# The event beside it is the hits.
	jq -c '[.endTime, [.nodes[].hitCount], .prof]' got | diff - <(
		echo '[2.95,[0,0,0,1,2,1],{"event":"period","unit":"ns","hits":"samples"}]')
	echo 'prof-to: cpuprofile cannot hold: labels of samples (4), threads and parts (written as frames) (2)' |
		diff - note
	# Of one event they are its values.
	prof-to cpuprofile --quiet --events period "$(cg threads.perf)" >got
	sound got
	jq -c '[[.nodes[].hitCount], .prof]' got | diff - <(
		echo '[[0,0,0,50,2000,900],{"event":"period","unit":"ns"}]')
	# One thread needs no frame.
	prof-to cpuprofile --quiet --where comm=pool "$(cg threads.perf)" >got
	stacks got | diff - <(echo '(root);work|0.9')
	# One by one, where samples have times.
	prof-to cpuprofile --quiet --times --where comm=main "$(cg threads.perf)" >got
	sound got
	stacks got | diff - <(printf '%s\n' '(root);main;work|1.75' '(root);main|0.05' \
		'(root);main;work|0.25')
}

@test "other units than time are written as microseconds, and reported" {
	prof-to cpuprofile "$examples/calc.folded" >got 2>note
	sound got
	stacks got | sed 's/^(root);//; s/|/ /' | diff - <(grep -v ' 0$' "$examples/calc.folded")
	echo 'prof-to: cpuprofile cannot hold: units of events (1 is written as a microsecond) (1)' |
		diff - note
	# A time comes before what is none, unless --events says otherwise.
	prof-to cpuprofile --quiet "$examples/tasks.pprof.gz" >got
	jq -e '.endTime == 540000' got
	prof-to cpuprofile --quiet --events samples "$examples/tasks.pprof.gz" >got
	jq -e '.endTime == 54' got
	lasts() {
		{ printf '%b\n' 'prof\t1' 'part\t1'
			printf 'event\t0\te\t%s\t-\t-%b\n' "$1" "$2"
			printf '%b\n' 'func\t0\tf\t-\t-\t-' 'ctx\t0\t-\t0\t-\t-\t-' \
				"sample\t0\t$3" end; } | prof-to cpuprofile 2>note |
			sed -n 's/.*"endTime":\(.*\),/\1/p'
	}
	[ "$(lasts s '' 7)" = 7000000 ]
	[ "$(lasts ms '' 7)" = 7000 ]
	[ "$(lasts us '' 7)" = 7 ]
	[ "$(lasts ns '' 1234567)" = 1234.567 ]
	[ "$(lasts s '\tscale=1/100' 149)" = 1490000 ]
	[ ! -s note ]
	[ "$(lasts s '\tscale=1/3' 7)" = 7 ]
	grep -q 'units of events' note
	# Fractions of a sample are whole there, which is another loss.
	printf '%s\n' 'a;b 12.5' 'a 1.25' >fractions.folded
	prof-to cpuprofile --losses fractions.folded | sort | diff - <(printf '%s\n' \
		'scales of events (1)' 'units of events (1 is written as a microsecond) (1)')
}

@test "a node for each function below a caller, the lines of samples are its ticks" {
	bars >x.prof <<-'E'
	prof|1
	part|1
	event|0|time|us|-|-
	object|0|/bin/x|-
	file|0|x.c
	file|1|y.h
	func|0|main|0|-|-|start=10
	func|1|f|0|-|-
	func|2|f|1|-|-
	func|3|g|-|0|-
	ctx|0|-|0|0|12|-
	ctx|1|0|1|0|20|-
	ctx|2|-|0|0|13|-
	ctx|3|2|1|0|21|-
	ctx|4|2|2|1|9|-
	ctx|5|2|1|1|7|-
	ctx|6|2|3|-|-|-
	sample|1|1
	sample|3|2
	sample|3|4
	sample|4|8
	sample|5|16
	sample|2|32
	sample|6|64
	sample|-|128
	end
	E
	prof-to cpuprofile --quiet x.prof >got
	sound got
	stacks got | diff - <(printf '%s\n' '(root);main;f|1' '(root);main;f|6' \
		'(root);main;f|8' '(root);main;f|16' '(root);main|32' '(root);main;g|64' '(root)|128')
	# Lines count from 0, ticks' from 1; a line in another file is none of the function's.
	jq -c '.nodes[] | [.callFrame.functionName, .callFrame.url, .callFrame.lineNumber,
		.hitCount, .positionTicks]' got | diff - <(cat <<-'E'
	["(root)","",-1,128,null]
	["main","x.c",9,32,[{"line":13,"ticks":32}]]
	["f","x.c",-1,23,[{"line":20,"ticks":1},{"line":21,"ticks":6}]]
	["f","y.h",-1,8,[{"line":9,"ticks":8}]]
	["g","/bin/x",-1,64,null]
	E
	)
	# Chrome tells functions apart by name and script.
	jq -e '[.nodes[] | .callFrame.scriptId] == ["0", "1", "1", "2", "3"]' got
}

@test "lines have the samples of positionTicks, and their share of the time" {
	local ticks
	profile() {
		printf '{"nodes":[{"id":1,"callFrame":{"functionName":"f","scriptId":"1","url":"file:///src/a.js",
			"lineNumber":0,"columnNumber":0},"hitCount":%s,"positionTicks":%s%s}],"startTime":0,
			"endTime":100,"samples":[1,1,1,1],"timeDeltas":[0,25,25,25]}\n' "$1" "$2" "${3-}" >t.cpuprofile
	}
	lines() {
		prof-cat --quiet t.cpuprofile | awk -F '\t' '$1 == "ctx" { line[$2] = $6 }
			$1 == "sample" { print line[$2], $3, $4 }'
	}
	for ticks in '[]' null '[{"line":0,"ticks":4}]' '[{"line":3}]' '[7]'; do
		profile 4 "$ticks"
		silent prof-cat t.cpuprofile >got
		lines | diff - <(echo '- 100 4')
	done
	profile 4 '[{"line":7,"ticks":1},{"line":3,"ticks":3}]'
	exits_with 0 'times of lines are estimated: the function'"'"'s time, distributed by the samples at each line (positionTicks)' \
		prof-cat t.cpuprofile
	lines | diff - <(printf '%s\n' '7 25 1' '3 75 3')
	# Samples of no line; more ticks than samples: they are shares, too.
	profile 4 '[{"line":3,"ticks":3}]'
	lines | diff - <(printf '%s\n' '3 75 3' '- 25 1')
	profile 4 '[{"line":3,"ticks":6},{"line":4,"ticks":2}]'
	lines | diff - <(printf '%s\n' '3 75 3' '4 25 1')
	profile 4 '[{"line":3,"ticks":170141183460469231731687303715884105727},{"line":4,"ticks":2}]'
	fails_with 'does not fit 128 bits' prof-cat t.cpuprofile
	profile 4 '[{"line":3,"ticks":2.5}]'
	fails_with 't.cpuprofile: byte 175: expected a whole number' prof-cat t.cpuprofile
	profile 4 '[{"line":3,"ticks":4}]'
	# The number of the node comes last.
	sed 's/"id":1,//; s/}\],"startTime"/,"id":1}],"startTime"/' t.cpuprofile |
		sed 's/"ticks":4/"ticks":2/; s/"ticks":2}/&,{"line":4,"ticks":2}/' >u.cpuprofile
	mv u.cpuprofile t.cpuprofile
	lines | diff - <(printf '%s\n' '3 50 2' '4 50 2')
	# The source of a URL is below the current directory.
	mkdir -p src
	seq 5 | sed 's/^/line /' >src/a.js
	profile 4 '[{"line":3,"ticks":4}]'
	prof-annotate --map "/src=$PWD/src" t.cpuprofile | has -xE ' *100 +100.00 +100 +100.00 +3  line 3'
	# Of Node's profile: each function's lines have what jq adds up.
	zstdcat "$examples/tasks.cpuprofile.zst" | jq -r '.nodes[] | (.positionTicks // [])[] | "\(.line) \(.ticks)"' |
		awk '{ n[$1] += $2 } END { for (l in n) print l, n[l] }' | sort >want
	[ "$(wc -l <want)" -ge 5 ]
	prof-top --quiet --tsv -n 0 -b line --events samples "$examples/tasks.cpuprofile.zst" |
		awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["line"] > 0 && $at["samples"] { n[$at["line"]] += $at["samples"] }
			END { for (l in n) print l, n[l] }' | sort | diff want -
}

@test "a difference, parts of other events and a call graph are rejected" {
	printf '%s\n' 'a;b 5' 'a;c 3' >old
	printf '%s\n' 'a;b 4' 'a;d 9' >new
	prof-diff old new >diff.prof
	fails_with "^prof-to: cpuprofile: event 'samples' is a change, .* choose a side with --events samples.old or samples.new$" \
		prof-to cpuprofile diff.prof
	prof-to cpuprofile --quiet --events samples.new diff.prof >got
	stacks got | sort | diff - <(printf '%s\n' '(root);a;b|4' '(root);a;d|9')
	part() {
		printf '%b\n' 'prof\t1' 'part\t1' "event\t0\t$1\t$2\t-\t-" 'func\t0\tf\t-\t-\t-' \
			'ctx\t0\t-\t0\t-\t-\t-' 'sample\t0\t1' end
	}
	{ part a -; part b -; } >x.prof
	fails_with "^prof-to: cpuprofile: parts have different events, 'a' and 'b': choose one with --events$" \
		prof-to cpuprofile x.prof
	{ part a us; part a ms; } >x.prof
	fails_with "event 'a' has a different unit than before" prof-to cpuprofile x.prof
	prof-to cpuprofile --quiet old new >got
	sound got
	stacks got | diff - <(printf '%s\n' '(root);old;a;b|5' '(root);old;a;c|3' \
		'(root);new;a;b|4' '(root);new;a;d|9')
	fails_with '^prof-to: cpuprofile needs stacks, .* use --estimate to estimate stacks$' \
		prof-to cpuprofile "$examples/wordcount.callgrind.zst"
	prof-to cpuprofile --quiet --estimate --events Ir "$examples/wordcount.callgrind.zst" >got
	sound got
	stacks got | lacks /dev/stdin '^\(root\);(?!\[estimate\])'
}

@test "real profiles, none, and names of any bytes" {
	for f in calc.perf.zst tasks.pprof.gz calc.pprof-legacy.zst; do
		prof-to cpuprofile --quiet "$examples/$f" >got
		sound got
	done
	printf '%b\n' 'prof\t1' 'part\t1' end | prof-to cpuprofile >got
	jq -e '.samples == [] and .timeDeltas == [] and (.nodes | length) == 1' got
	printf '%b\n' 'a\001b;\377\376' '"q"\\x;caf\303\251' | sed 's/$/ 9007199254740993/' >f
	prof-to cpuprofile --from folded f >got 2>note
	sound got
	jq -e '[.nodes[].callFrame.functionName] | contains(["a\u0001b", "\"q\"\\x", "café"])' got
	grep -q 'exact numbers beyond 2^53 (viewers round them) (5)$' note
}

@test "a viewer's name is not a format, but the message says which is" {
	for pair in samply:firefox chrome:cpuprofile devtools:cpuprofile v8:cpuprofile; do
		fails_with "unknown format '${pair%:*}': did you mean ${pair#*:}\?" prof-to "${pair%:*}" x
	done
}

# ---- reading ----

# nodes: a profile of a few nodes, with these members behind it.
nodes() {
	cat <<-E
	{"nodes": [
	{"id": 1, "callFrame": {"functionName": "(root)", "scriptId": "0", "url": "", "lineNumber": -1, "columnNumber": -1}, "hitCount": 0, "children": [2, 5]},
	{"id": 2, "callFrame": {"functionName": "f", "scriptId": "7", "url": "a.js", "lineNumber": 0, "columnNumber": 4}, "hitCount": 2, "children": [3]},
	{"id": 3, "callFrame": {"functionName": "", "scriptId": "7", "url": "a.js", "lineNumber": 8, "columnNumber": 0}, "hitCount": 1},
	{"id": 5, "callFrame": {"functionName": "(idle)", "scriptId": "0", "url": "", "lineNumber": -1, "columnNumber": -1}, "hitCount": 1}]
	$1}
	E
}

@test "a sample lasts until the next one, the root is no frame" {
	nodes ', "startTime": 1000, "endTime": 1100, "samples": [2, 3, 2, 5], "timeDeltas": [7, 10, 20, 30]' >p
	[ "$(prof-cat --probe p)" = 'p: cpuprofile' ]
	prof-cat p | sed -n '/^event/,$p' | diff - <(bars <<-'E'
	event|0|time|us|-|-|calls=absent
	event|1|samples|-|-|-|calls=absent
	file|0|a.js
	func|0|f|0|-|-|start=1|column=5
	ctx|0|-|0|-|-|-
	sample|0|40|2
	func|1|(anonymous)|0|-|-|start=9|column=1
	ctx|1|0|1|-|-|-
	sample|1|20|1
	func|2|(idle)|-|-|-
	ctx|2|-|2|-|-|-
	sample|2|33|1
	end
	E
	)
	# Members in another order, parents for children.
	jq -c 'def up: . as $p | .nodes | map(.id as $id | (first($p.nodes[] |
		select(.children // [] | index($id)) | .id) // null) as $up |
		if $up then .parent = $up else . end | del(.children));
		{timeDeltas, samples, endTime, startTime, nodes: up}' p >q
	prof-cat q | diff - <(prof-cat p)
}

@test "times that go backwards keep their sum, and are reported" {
	nodes ', "startTime": 0, "endTime": 100, "samples": [2, 3, 2, 5], "timeDeltas": [10, 40, -30, 50]' >p
	# At 10, 50, 20 and 70.
	prof-cat p 2>note | grep '^sample' | diff - <(printf 'sample\t%s\n' $'0\t60\t2' $'1\t0\t1' $'2\t30\t1')
	grep -q '1 sample is earlier than the one before: no time is counted there' note
}

@test "parts of a microsecond are nanoseconds" {
	nodes ', "startTime": 0.5, "endTime": 10.5, "samples": [2, 3], "timeDeltas": [0, 2.125]' >p
	prof-cat p | grep '^event\|^sample' | diff - <(bars <<-'E'
	event|0|time|ns|-|-|calls=absent
	event|1|samples|-|-|-|calls=absent
	sample|0|2125|1
	sample|1|7875|1
	E
	)
	nodes ', "startTime": 0, "endTime": 1.00049, "samples": [2], "timeDeltas": [0]' >p
	prof-cat p 2>note | has -x $'sample\t0\t1\t1'
	grep -q 'fractions of nanoseconds are rounded$' note
}

@test "without samples, or without their times, hits are all there is" {
	nodes ', "startTime": 0, "endTime": 9' >p
	prof-cat p | grep '^event\|^sample' | diff - <(bars <<-'E'
	event|0|samples|-|-|-|calls=absent
	sample|0|2
	sample|1|1
	sample|2|1
	E
	)
	nodes ', "startTime": 0, "endTime": 9, "samples": [2, 2, 5]' >p
	prof-cat p | grep '^sample' | diff - <(printf 'sample\t0\t2\nsample\t1\t1\n')
}

@test "the old form: a nested tree, lines from 1, ends in seconds" {
	cat >p <<-'E'
	{"typeId": "CPU", "uid": "1", "title": "x", "head": {"functionName": "(root)", "url": "",
	"lineNumber": 0, "children": [{"functionName": "f", "url": "a.js", "lineNumber": 3,
	"hitCount": 1, "id": 2, "children": [{"functionName": "g", "url": "b.js", "lineNumber": 4,
	"id": 3, "hitCount": 1, "children": []}]}], "id": 1, "hitCount": 0},
	"startTime": 7, "endTime": 7.5, "samples": [3, 2], "timestamps": [7100000, 7300000]}
	E
	[ "$(prof-cat --probe p)" = 'p: cpuprofile' ]
	prof-to folded --quiet --events time p | diff - <(printf '%s\n' 'f;g 200000' 'f 200000')
	prof-cat p | has -x $'func\t0\tf\t0\t-\t-\tstart=3'
	sed 's/"children": \[\]/"children": null/' p >null
	[ "$(grep -c null null)" = 1 ]
	prof-cat null | diff <(prof-cat p) -
	# One time more than samples is the end.
	sed 's/"timestamps": .*/"timestamps": [7100000, 7300000, 7350000]}/' p >q
	prof-to folded --quiet --events time q | diff - <(printf '%s\n' 'f;g 200000' 'f 50000')
}

@test "functions of one name in a file are kept separate; a comparison joins others" {
	jq -n 'def f($id; $n; $l): {id: $id, callFrame: {functionName: $n, scriptId: "1", url: "a.js",
		lineNumber: $l, columnNumber: 0}};
		{nodes: [f(1; "get"; 1), f(2; "get"; 5), f(3; "set"; 9), f(4; "unused"; 20),
		f(5; "unused"; 30)], startTime: 0, endTime: 70, samples: [1, 2, 3],
		timeDeltas: [0, 10, 20]}' >p
	prof-top --tsv --quiet --events time -n 0 p | sed 1d | cut -f 1,5 | sort | diff - <(
		printf 'get\t10\nget\t20\nset\t40\n')
	prof-cat p | grep '^func' | cut -f 3,6 | diff - <(printf '%s\t%s\n' get 2:1 get 6:1 set -)
	prof-to cpuprofile --strict p | prof-cat | diff - <(prof-cat p)
}

@test "what is written is read back: events, units, hits" {
	for f in "$examples"/{calc.folded,tasks.pprof.gz,calc.perf.zst}; do
		prof-to cpuprofile --quiet "$f" | sed 's/,"positionTicks":[^]]*]//' >p
		prof-to cpuprofile --quiet p >q
		prof-to cpuprofile --quiet q | cmp - q
	done
	prof-to cpuprofile --quiet "$examples/tasks.pprof.gz" | prof-top --tsv --quiet --events cpu,samples |
		cut -f 1,5,7 | sort >got
	prof-top --tsv --quiet --events cpu,samples "$examples/tasks.pprof.gz" | cut -f 1,5,7 | sort | diff got -
	prof-to cpuprofile --quiet "$examples/calc.folded" | prof-to folded --strict |
		diff - <(grep -v ' 0$' "$examples/calc.folded")
	prof-to cpuprofile --strict "$examples/tasks.cpuprofile.zst" 2>/dev/null | prof-cat |
		diff - <(prof-cat --quiet "$examples/tasks.cpuprofile.zst")
}

@test "the sums of Node's profile are those of its samples" {
	zstdcat "$examples/tasks.cpuprofile.zst" >p
	jq -r '(.nodes | map({key: "\(.id)", value: .callFrame}) | from_entries) as $f |
		(.timeDeltas | .[1:] + [0]) as $t | (.endTime - .startTime - (.timeDeltas | add)) as $last |
		(.samples | length - 1) as $most | [range($most + 1) as $i |
		    {f: $f["\(.samples[$i])"], t: ($t[$i] + if $i == $most then $last else 0 end)}] |
		group_by(.f)[] | (.[0].f | if .functionName == "" then "(anonymous)" else .functionName end) as $n |
		"\($n)|\(map(.t) | add)|\(length)"' p | sort >want
	[ "$(wc -l <want)" -ge 6 ]
	prof-top --tsv --quiet --events time,samples -n 0 p |
		awk -F '\t' 'NR > 1 && $5 { print $1 "|" $5 "|" $7 }' | sort | diff want -
}

@test "malformed input is an error with its place" {
	nodes ', "startTime": 0, "endTime": 9, "samples": [2, 77], "timeDeltas": [0, 1]' >p
	fails_with "^prof-cat: p: byte $(grep -ob 77 p | cut -d : -f 1): node 77 is not defined: a part of the profile is missing$" prof-cat p
	nodes ', "startTime": 0, "endTime": 9, "samples": [2, 2], "timeDeltas": [0]' >p
	fails_with '^prof-cat: p: 2 samples, but 1 times of samples$' prof-cat p
	nodes ', "startTime": 0, "endTime": "x"' >p
	fails_with "^prof-cat: p: byte [0-9]*: expected a number$" prof-cat p
	nodes ', "startTime": 0, "endTime": 1, "samples": [2], "timeDeltas": [0' >p
	head -c -2 p >q
	fails_with '^prof-cat: q: byte [0-9]*: the file is truncated: the text ends early$' prof-cat --from cpuprofile q
	node() {
		printf '{"id": %s, "callFrame": {"functionName": "f"}, "hitCount": 1, %s}' "$@"
	}
	of() {
		printf '{"startTime": 0, "nodes": [%s]}' "$(IFS=,; echo "$*")" >p
	}
	of "$(node 1 '"children": [2]')" "$(node 2 '"children": [1]')"
	fails_with 'a node that is below itself$' prof-cat p
	of "$(node 1 '"children": [3]')" "$(node 2 '"children": [3]')" "$(node 3 '"x": 1')"
	fails_with 'a node that has two parents$' prof-cat p
	of "$(node 1 '"x": 1')" "$(node 1 '"x": 1')"
	fails_with 'a node that is defined twice$' prof-cat p
	echo '{"startTime": 0, "nodes": [{"callFrame": {"functionName": "f"}}]}' >p
	fails_with 'a node without an id$' prof-cat p
}

@test "a profile without samples has none" {
	printf 'prof\t1\npart\t1\nevent\t0\tsamples\t-\t-\t-\tsample=1\nend\n' >none.prof
	prof-to cpuprofile none.prof >none.cpuprofile
	[ "$(prof-cat --probe none.cpuprofile)" = 'none.cpuprofile: cpuprofile' ]
	prof-cat none.cpuprofile >got
	if grep '^sample' got; then return 1; fi
}

@test "no other format is taken for it" {
	printf '{"nodes": [{"id": 1, "functionName": "x"}]}' >graph.json
	printf '{"nodes": [], "startTime": 1}' >empty.json
	printf '{"head": {"callFrame": {"functionName": "(root)"}, "selfSize": 1, "id": 1, "children": []}, "samples": []}' >x.heapprofile
	printf '{"name": "x", "version": "1", "dependencies": {"functionName": "1"}}' >package.json
	printf '[{"directory": "/", "command": "cc", "file": "x.c"}]' >compile_commands.json
	prof-to json --quiet "$examples/tasks.cpuprofile.zst" >records
	prof-top --json --quiet "$examples/tasks.cpuprofile.zst" >top
	for f in *.json records top; do
		[ "$(prof-cat --probe $f)" = "$f: unknown" ]
	done
	[ "$(prof-cat --probe x.heapprofile)" = 'x.heapprofile: heapprofile' ]
	# Nodes that fill what is looked at first.
	nodes ', "startTime": 0, "endTime": 9, "samples": [2], "timeDeltas": [0]' |
		jq -c '.nodes += [range(100; 2000) as $i | .nodes[3] | .id = $i]' >p
	[ "$(wc -c <p)" -gt 200000 ]
	[ "$(prof-cat --probe p)" = 'p: cpuprofile' ]
}

@test "a deep tree takes no more than its size" {
	perl -e 'my $n = 19000 / 2; print qq({"startTime":0,"head":); print qq({"id":$_,"functionName":"f","hitCount":1,"children":[) for 1 .. $n;
		print "]}" x $n, "}"' >p
	brief 2 prof-cat p >out
	[ "$(grep -c '^sample' out)" = 9500 ]
	perl -e 'print qq({"startTime":0,"head":); print qq({"id":$_,"functionName":"f","children":[) for 1 .. 30000' >p
	fails_with 'nested too deeply' prof-cat --from cpuprofile p
}

@test "times of whole seconds and their parts come back in nanoseconds" {
	bars >p <<-'E'
	prof|1
	part|1
	event|0|t|s|-|-|calls=absent|scale=1/1000
	func|0|main|-|-|-
	ctx|0|-|0|-|-|-
	sample|0|12
	end
	E
	prof-to cpuprofile p | prof-cat --events t >got
	grep -x $'event\t0\tt\tns\t-\t-\tcalls=absent' got
	grep -x $'sample\t0\t12000000' got
}

@test "the line of a sample in another file than its function's is lost as a line" {
	tabs >x.prof <<-'E'
	prof  1
	part  1
	event  0  time  us  -  -
	file  0  a.js
	file  1  b.js
	func  0  main  0  -  -
	ctx  0  -  0  1  5  -
	sample  0  7
	end
	E
	prof-to cpuprofile x.prof 2>note >/dev/null
	echo 'prof-to: cpuprofile cannot hold: lines of frames (1)' | same - note
}
