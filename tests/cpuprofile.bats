#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# V8's CPU profiles: the tree, the samples and what they last.  Whether a viewer shows the
# same numbers as prof-top is tested by tests/viewers.

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
	grep -qx '"timeDeltas":\[0,2,0.05,0.9\]}' got
	jq -c '[.endTime, [.nodes[].hitCount]]' got | diff - <(echo '[2.95,[0,0,0,50,2000,900]]')
	echo 'prof-to: cpuprofile cannot hold: labels of samples (4), further events (1), threads and parts (written as frames) (2)' |
		diff - note
	# One thread needs no frame.
	prof-to cpuprofile --quiet --where comm=pool "$(cg threads.perf)" >got
	stacks got | diff - <(echo '(root);work|0.9')
	# One by one, where samples have times.
	prof-to cpuprofile --quiet --times --where comm=main "$(cg threads.perf)" >got
	sound got
	stacks got | diff - <(printf '%s\n' '(root);main;work|1.75' '(root);main|0.05' \
		'(root);main;work|0.25')
}

@test "what is no time is written as microseconds, and said" {
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

@test "a difference, parts of other events and a call graph are refused" {
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
	sound got
	printf '%b\n' 'a\001b;\377\376' '"q"\\x;caf\303\251' | sed 's/$/ 9007199254740993/' >f
	prof-to cpuprofile --from folded f >got 2>note
	sound got
	jq -e '[.nodes[].callFrame.functionName] | contains(["a\u0001b", "\"q\"\\x", "café"])' got
	grep -q 'exact numbers beyond 2^53 (viewers round them) (5)$' note
}

@test "a viewer's name is not a format, but the message says which is" {
	for pair in gecko:firefox chrome:cpuprofile devtools:cpuprofile v8:cpuprofile; do
		fails_with "unknown format '${pair%:*}': did you mean ${pair#*:}\?" prof-to "${pair%:*}" x
	done
}
