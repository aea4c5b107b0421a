#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# speedscope's format: its structure, what is refused, and how it is read.  Whether
# speedscope shows the same numbers as prof-top is tested by tests/viewers.

load tools.bash

examples=$BATS_TEST_DIRNAME/../share/examples

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	sed 's/^ /\t/' >threads.perf <<-'E'
	# cmdline : perf record -g ./prog
	main   12/12    [001]    7.000100:        250 cycles:u:
	             1031 work+0x11 (/bin/prog)
	             1008 main+0x8 (/bin/prog)

	pool   12/13    [000]    7.000150:        100 cycles:u:
	             1031 work+0x11 (/bin/prog)
	             1071 run+0x1 (/bin/prog)

	main   12/12    [001]    7.000200:        50 cycles:u:
	             1008 main+0x8 (/bin/prog)

	main   12/12    [001]    7.000300:        30 cycles:u:
	             1041 work+0x21 (/bin/prog)
	             1008 main+0x8 (/bin/prog)

	E
}

# stacks FILE: a line for each sample: profile, its stack by names, its weight.
stacks() {
	jq -r '.shared.frames as $f | .profiles[] | .name as $n | [.samples, .weights] |
		transpose[] | "\($n)|\(.[0] | map($f[.].name) | join(";"))|\(.[1])"' "$1"
}

@test "a profile for each event of each thread, its samples added up" {
	prof-to speedscope --quiet "$(cg threads.perf)" >got
	stacks got | diff - <(cat <<-'E'
	main 12/12: samples|main;work|2
	main 12/12: samples|main|1
	main 12/12: period|main;work|280
	main 12/12: period|main|50
	pool 12/13: samples|run;work|1
	pool 12/13: period|run;work|100
	E
	)
	jq -e '."$schema" == "https://www.speedscope.app/file-format-schema.json" and
		.name == "perf record -g ./prog" and .activeProfileIndex == 1 and
		([.profiles[] | select(.type == "sampled" and .startValue == 0 and
		    .endValue == (.weights | add))] | length) == 4 and
		(.shared.frames | map(keys) | unique) == [["file", "name"]] and
		.shared.frames[0].file == "/bin/prog"' got
}

@test "a folded file comes through: each stack once, in its order" {
	prof-to speedscope --strict "$examples/calc.folded" >got
	stacks got | cut -d '|' -f 2,3 | tr '|' ' ' | diff - \
		<(grep -v ' 0$' "$examples/calc.folded")
}

@test "samples that have times come one by one, in the order of time" {
	# As perf script prints them from several processors.
	sed -n '1p; 13,16p' "$(cg threads.perf)" >late.perf
	sed -n '2,5p' "$(cg threads.perf)" >>late.perf
	prof-to speedscope --quiet --times --events period late.perf >got
	stacks got | diff - <(printf '%s\n' 'main 12/12: period|main;work|250' \
		'main 12/12: period|main;work|30')
	fails_with 'speedscope cannot hold: .*times of samples \(2\)' \
		prof-to speedscope --strict --times late.perf
}

@test "one function is one frame, whatever lines its calls are at; two of a name are two" {
	bars >x.prof <<-'E'
	prof|1
	part|1
	event|0|n|-|-|-
	object|0|/bin/x|-
	file|0|x.c
	file|1|y.c
	func|0|main|0|0|-|start=10
	func|1|f|0|0|-
	func|2|f|1|0|-
	func|3|-|-|0|-
	func|4|f|0|0|-|start=3
	ctx|0|-|0|0|12|-
	ctx|1|0|1|0|20|-
	ctx|2|0|1|0|21|-
	ctx|3|0|2|1|9|-
	ctx|4|0|3|-|-|0x10
	ctx|5|0|3|-|-|0x20
	ctx|6|0|3|-|-|-
	ctx|7|0|4|0|20|-
	sample|1|1
	sample|2|2
	sample|3|4
	sample|4|8
	sample|5|16
	sample|6|32
	sample|7|64
	end
	E
	prof-to speedscope x.prof >got 2>note
	jq -c '.shared.frames[]' got | sort | diff - <(cat <<-'E'
	{"name":"0x10","file":"/bin/x"}
	{"name":"0x20","file":"/bin/x"}
	{"name":"[unknown]","file":"/bin/x"}
	{"name":"f","file":"x.c"}
	{"name":"f","file":"y.c"}
	{"name":"main","file":"x.c","line":10}
	E
	)
	stacks got | cut -d '|' -f 2,3 | diff - <(printf '%s\n' 'main;f|1' 'main;f|2' \
		'main;f|4' 'main;0x10|8' 'main;0x20|16' 'main;[unknown]|32' 'main;f|64')
	echo 'prof-to: speedscope cannot hold: lines of frames (5), objects of functions (3)' |
		diff - note
}

@test "units are speedscope's words, and parts of a second are nanoseconds" {
	unit() {
		{ printf '%b\n' 'prof\t1' 'part\t1'
			printf 'event\t0\te\t%s\t-\t-%b\n' "$1" "$2"
			printf '%b\n' 'func\t0\tf\t-\t-\t-' 'ctx\t0\t-\t0\t-\t-\t-' \
				'sample\t0\t7' end; } | prof-to speedscope 2>note |
			jq -r '.profiles[0] | "\(.unit) \(.weights[0]) \(.endValue)"'
	}
	[ "$(unit s '')" = 'seconds 7 7' ]
	[ "$(unit ms '')" = 'milliseconds 7 7' ]
	[ "$(unit us '')" = 'microseconds 7 7' ]
	[ "$(unit ns '')" = 'nanoseconds 7 7' ]
	[ "$(unit B '')" = 'bytes 7 7' ]
	[ "$(unit - '')" = 'none 7 7' ]
	[ ! -s note ]
	[ "$(unit s '\tscale=1/100')" = 'nanoseconds 70000000 70000000' ]
	[ "$(unit ms '\tscale=1/1000')" = 'nanoseconds 7000 7000' ]
	[ ! -s note ]
	[ "$(unit s '\tscale=1/3')" = 'none 7 7' ]
	echo 'prof-to: speedscope cannot hold: scales of events (1), units of events (1)' |
		diff - note
	[ "$(unit cycles '')" = 'none 7 7' ]
	echo 'prof-to: speedscope cannot hold: units of events (1)' | diff - note
}

@test "names of any bytes make valid JSON, and none is lost" {
	{ printf '%b\n' 'a\001b;\377\376' '"q"\\x;caf\303\251'
		perl -e 'print "f" x 3_000_000, "\n"'; } | sed 's/$/ 1/' >f
	prof-to speedscope --strict --from folded f >got
	[ "$(jq -r '.shared.frames | map(.name | length) | max' got)" = 3000000 ]
	jq -e '[.shared.frames[].name] | contains(["a\u0001b", "\"q\"\\x", "café"])' got
	grep -qF '{"name":"\udcff\udcfe"}' got
}

@test "numbers are exact, and those that viewers round are reported" {
	printf '%s\n' 'a;b 9007199254740992' 'a;c 1' >f
	prof-to speedscope f >got 2>note
	grep -qx '"weights":\[9007199254740992,1\]}.*' got
	grep -q '"endValue":9007199254740993,' got
	echo 'prof-to: speedscope cannot hold: exact numbers beyond 2^53 (viewers round them) (1)' |
		diff - note
	fails_with 'beyond 2.53' prof-to speedscope --strict f
	printf 'a;b 170141183460469231731687303715884105727\na;c 1\n' >f
	fails_with '^prof-to: speedscope: a sum does not fit 128 bits' prof-to speedscope f
}

@test "a difference is rejected, but one of its sides is drawn" {
	printf '%s\n' 'a;b 5' 'a;c 3' >old
	printf '%s\n' 'a;b 4' 'a;d 9' >new
	prof-diff old new >diff.prof
	fails_with "^prof-to: speedscope: event 'samples' is a change, and has negative values, which the format does not allow: choose a side with --events samples.old or samples.new$" \
		prof-to speedscope diff.prof
	prof-to speedscope --quiet --events samples.new diff.prof >got
	stacks got | cut -d '|' -f 2,3 | sort | diff - <(printf '%s\n' 'a;b|4' 'a;d|9')
	printf '%s\n' 'a;b 5' 'a;c -3' >f
	fails_with "^prof-to: speedscope: event 'samples' has negative values, which the format does not allow$" \
		prof-to speedscope f
}

@test "a call graph needs stacks, which may be estimated, as the name says" {
	fails_with '^prof-to: speedscope needs stacks, but the profile has only costs of functions: use --estimate to estimate stacks$' \
		prof-to speedscope "$examples/wordcount.callgrind.zst"
	prof-to speedscope --quiet --estimate --events Ir "$examples/wordcount.callgrind.zst" >got
	jq -e '.profiles | length == 1 and (.[0].name | endswith(" (estimated): Ir")) and
		(.[0].endValue == 4890209)' got
}

@test "what is estimated comes back as it was" {
	printf '%s\n' 'a;b 5' >f1
	printf '%s\n' 'a;b 7' >f2
	local format
	for format in speedscope firefox; do
		prof-merge --op mean f1 f2 | prof-to $format --quiet >got
		prof-cat got | grep '^meta.estimate' | diff - \
			<(printf 'meta\testimate\tmeans of 2 runs\n')
		# Of several facts each one, and none of what is measured.
		printf '%b\n' 'prof\t1' 'part\t1' 'meta\testimate\ta "b"' 'meta\testimate\tc' \
			'event\t0\tA\t-\t-\t-' 'func\t0\tf\t-\t-\t-' 'ctx\t0\t-\t0\t-\t-\t-' \
			'sample\t0\t5' end | prof-to $format --quiet | prof-cat | grep '^meta.estimate' |
			diff - <(printf 'meta\testimate\t%s\n' 'a "b"' c)
		prof-to $format --quiet f1 | prof-cat >got
		[ "$(grep -c '^meta.estimate' got)" = 0 ]
		prof-to $format --quiet --estimate --events Ir "$examples/wordcount.callgrind.zst" >got
		prof-cat got | grep '^meta.estimate' | diff - \
			<(printf 'meta\testimate\tstacks, from costs and calls\n')
		# As versions before 3.0 wrote it.
		sed 's/"estimate":"[^"]*"/"estimated":true/' got >old
		run -1 cmp -s got old
		cmp <(prof-cat got) <(prof-cat old)
	done
}

@test "parts are profiles of their own; one without samples is none" {
	printf '%s\n' 'a;b 5' >one
	printf '%s\n' 'a;b 4' 'c 1' >two
	prof-to speedscope --strict one two >got
	stacks got | diff - <(printf '%s\n' 'one: samples|a;b|5' 'two: samples|a;b|4' 'two: samples|c|1')
	# What has no sample at all is a profile without one: readers refuse none.
	printf '%s\n' 'a;b 0' | prof-to speedscope | jq -e '.profiles | length == 1'
	printf '%b\n' 'prof\t1' 'part\t1' end | prof-to speedscope |
		jq -e '.profiles | length == 1 and .[0].samples == []'
	fails_with 'samples need an event, but the profile has none' prof-to speedscope <(printf '%b\n' 'prof\t1' \
		'part\t1' 'func\t0\tf\t-\t-\t-' 'ctx\t0\t-\t0\t-\t-\t-' 'sample\t0' end)
}

# ---- reading ----

# of FRAMES UNIT MEMBERS: a file with a profile.
of() {
	printf '{"$schema": "https://www.speedscope.app/file-format-schema.json", "profiles": [
	{"name": "t", "unit": "%s", %s}], "name": "x", "shared": {"frames": [%s]}}\n' "$2" "$3" "$1"
}

frames='{"name": "main", "file": "a.py", "line": 1}, {"name": "f", "file": "a.py", "line": 5, "col": 3}, {"name": "f", "file": "a.py", "line": 9}'

@test "a sampled profile: frames may come last, two of a name are two" {
	of "$frames" seconds '"samples": [[0, 1], [0], [0, 1], [0, 2], []], "weights": [0.01, 0.015, 0.005, 2, 0],
		"type": "sampled"' >p
	[ "$(prof-cat --probe p)" = 'p: speedscope' ]
	prof-cat p | diff - <(bars <<-'E'
	prof|1
	part|1
	meta|format|speedscope
	meta|cmd|x
	meta|thread|t
	event|0|time|ns|-|-|calls=absent
	file|0|a.py
	func|0|main|0|-|-|start=1
	ctx|0|-|0|-|-|-
	func|1|f|0|-|5:3|start=5|column=3
	ctx|1|0|1|-|-|-
	sample|1|15000000
	sample|0|15000000
	func|2|f|0|-|9|start=9
	ctx|2|0|2|-|-|-
	sample|2|2000000000
	end
	E
	)
	# What is whole stays in its unit.
	of "$frames" milliseconds '"type": "sampled", "samples": [[0], [1]], "weights": [2, 3.0]' >p
	prof-cat p | grep '^event\|^sample' | diff - <(bars <<-'E'
	event|0|time|ms|-|-|calls=absent
	sample|0|2
	sample|1|3
	E
	)
	of "$frames" bytes '"type": "sampled", "samples": [[0]], "weights": [2]' >p
	prof-cat p | has -x $'event\t0\tbytes\tB\t-\t-\tcalls=absent'
}

@test "an evented profile: a stack lasts until the next event" {
	of "$frames" none '"type": "evented", "startValue": 0, "endValue": 20, "events": [
		{"type": "O", "frame": 0, "at": 1}, {"type": "O", "frame": 1, "at": 3},
		{"type": "C", "frame": 1, "at": 7}, {"type": "C", "frame": 0, "at": 8},
		{"type": "O", "frame": 0, "at": 15}, {"at": 15.0, "type": "C", "frame": 0}]' >p
	prof-to folded --quiet p | diff - <(printf '%s\n' 'main 3' 'main;f 4')
}

@test "what is written is read back: parts, events, threads" {
	for f in "$examples"/{calc.folded,calc.perf.zst,tasks.cpuprofile.zst} "$(cg threads.perf)"; do
		# Stacks that differ in lines alone are one when they are read.
		prof-to speedscope --quiet "$f" | prof-to speedscope --quiet >p
		prof-to speedscope --strict p | cmp - p
		for event in $(prof-cat p | awk '$1 == "event" { print $3 }' | sort -u); do
			prof-top --tsv --quiet -n 0 --events "$event" p | cut -f 1,5- | sort >got
			prof-top --tsv --quiet -n 0 --events "$event" "$f" | cut -f 1,5- | sort |
				diff got -
		done
	done
	prof-to speedscope --quiet "$(cg threads.perf)" | prof-top --tsv --quiet --events period \
		--where comm=pool | sed 1d | cut -f 1,5 | sort | diff - <(printf 'run\t0\nwork\t100\n')
	printf '%s\n' 'a;b 5' >one
	printf '%s\n' 'a;b 4' 'c 1' >two
	prof-to speedscope one two | prof-to speedscope --strict | prof-cat | grep '^meta\|^sample' |
		diff - <(printf '%b\n' 'meta\tformat\tspeedscope' 'meta\tsource\tone' 'sample\t1\t5' \
			'meta\tformat\tspeedscope' 'meta\tsource\ttwo' 'sample\t1\t4' 'sample\t2\t1')
}

@test "malformed input is an error with its place" {
	wrong() {
		of "$frames" "$2" "$3" >p
		fails_with "^prof-cat: p: byte [0-9]*: $1\$" prof-cat p
	}
	wrong 'frame 3 of a table of 3' none '"type": "sampled", "samples": [[3]], "weights": [1]'
	wrong '2 samples, but 1 weights' none '"type": "sampled", "samples": [[0], [1]], "weights": [1]'
	wrong '1 samples, but 2 weights' none '"type": "sampled", "samples": [[0]], "weights": [1, 2]'
	wrong 'a negative weight' none '"type": "sampled", "samples": [[0]], "weights": [-1]'
	wrong 'a fraction of a value that has no unit' none '"type": "sampled", "samples": [[0]], "weights": [1.5]'
	wrong 'a sampled profile without weights' none '"type": "sampled", "samples": [[0]]'
	wrong 'an evented profile without events' none '"type": "evented"'
	event() {
		printf '{"type": "%s", "frame": %s, "at": %s}' "$@"
	}
	events() {
		wrong "$1" none "\"type\": \"evented\", \"events\": [$(IFS=,; echo "${*:2}")]"
	}
	events 'a frame is not closed at the end' "$(event O 0 1)"
	events 'a frame is closed, but none is open' "$(event C 0 1)"
	events 'a frame is closed that is not the innermost one' "$(event O 0 1)" "$(event O 1 1)" "$(event C 0 2)"
	events 'an event that is earlier than the one before' "$(event O 0 5)" "$(event C 0 4)"
	events 'an event without a type O or C, a time and a frame' '{"type": "O", "frame": 0}'
	[ "$(grep -ob '{"type": "O"' p | cut -d : -f 1)" = "$(sed 's/.*byte \([0-9]*\):.*/\1/' fails.err)" ]
	of "$frames" none '"type": "sampled", "samples": [[0]], "weights": [1]' | head -c -3 >p
	fails_with '^prof-cat: p: byte [0-9]*: the file is truncated: the text ends early$' prof-cat p
}

@test "no other format is taken for it" {
	echo '{"$schema": "https://json-schema.org/schema", "profiles": []}' >a.json
	echo '["https://www.speedscope.app/file-format-schema.json"]' >b.json
	prof-to json --quiet "$examples/calc.speedscope" >c.json
	for f in *.json; do
		[ "$(prof-cat --probe $f)" = "$f: unknown" ]
	done
}
