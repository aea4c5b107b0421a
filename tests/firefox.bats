#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# The Firefox Profiler's format: its tables, what is in them, and how they are read.  Whether the profiler
# shows the same numbers as prof-top is tested by tests/viewers.

load tools.bash

examples=$BATS_TEST_DIRNAME/../share/examples

# stacks FILE: a line for each sample: thread, its stack by names, its weight.
stacks() {
	jq -r '.shared as $s |
		def names: if . == null then [] else
			($s.stackTable.prefix[.] | names) +
			[$s.stringArray[$s.funcTable.name[$s.frameTable.func[$s.stackTable.frame[.]]]]] end;
		.threads[] | .name as $n | .samples | [.stack, .weight] | transpose[] |
		"\($n)|\(.[0] | names | join(";"))|\(.[1])"' "$1"
}

# sound FILE: each column is as long as its table, each number is that of a row, and
# callers come before callees.
sound() {
	jq -e '.shared as $s |
		([$s | to_entries[] | select(.key != "stringArray") | .value | .length as $n |
		    to_entries[] | select(.key != "length") | .value | length == $n] | all) and
		([.threads[].samples | .length as $n | [.stack, .time, .weight] | map(length == $n)[]] | all) and
		([$s.stackTable.prefix | to_entries[] | .value == null or .value < .key] | all) and
		([$s.stackTable.frame[] | . < $s.frameTable.length] | all) and
		([$s.frameTable.func[] | . < $s.funcTable.length] | all) and
		([($s.funcTable, $s.resourceTable).name[] | . < ($s.stringArray | length)] | all) and
		(.libs | length) == $s.resourceTable.length and
		([.threads[].samples.time | . == sort] | all) and
		([.threads[].samples.length > 0] | all) and (.threads | length > 0) and
		(.threads | group_by(.pid) | map(map(select(.isMainThread)) | length <= 1) | all) and
		(.threads as $t | [.meta.initialVisibleThreads[], .meta.initialSelectedThreads[] |
		    $t[.] != null] | all) and
		.meta.preprocessedProfileVersion == 61' "$1" >/dev/null
}

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	sed 's/^ /\t/' >threads.perf <<-'E'
	# cmdline : perf record -g ./prog
	main   12/12    [001]    7.000100:        250 cycles:u:
	             1031 work+0x11 (/bin/prog)
	             1008 main+0x8 (/bin/prog)

	pool   12/13    [000]    7.000150:        900 cycles:u:
	             1031 work+0x11 (/bin/prog)
	 ffffffff81000010 entry ([kernel.kallsyms])
	             1071 run+0x1 (/bin/prog)

	main   12/12    [001]    7.000200:        50 cycles:u:
	             1008 main+0x8 (/bin/prog)

	other   7/7    [001]    7.000300123:        30 cycles:u:
	             1041 work+0x21 (/bin/other)
	             1008 main+0x8 (/bin/other)

	E
}

@test "a thread for each event of each thread, in its process" {
	prof-to firefox --quiet "$(cg threads.perf)" >got
	sound got
	stacks got | diff - <(cat <<-'E'
	main 12/12: samples|main;work|1
	main 12/12: samples|main|1
	main 12/12: period|main;work|250
	main 12/12: period|main|50
	pool 12/13: samples|run;entry;work|1
	pool 12/13: period|run;entry;work|900
	other 7/7: samples|main;work|1
	other 7/7: period|main;work|30
	E
	)
	jq -c '.threads[] | [.pid, .tid, .processName, .isMainThread, .samples.weightType]' got |
		diff - <(cat <<-'E'
	["12","12","main",false,"samples"]
	["12","12","main",true,"samples"]
	["12","13","pool",false,"samples"]
	["12","13","pool",false,"samples"]
	["7","7","other",false,"samples"]
	["7","7","other",true,"samples"]
	E
	)
	# Periods are shown first, those of the busiest thread are selected.
	jq -e '.meta.initialVisibleThreads == [1, 3, 5] and
		.meta.initialSelectedThreads == [3]' got
	# Functions of two objects are two; the kernel has a color.
	jq -c '.libs as $l | .shared as $s | [$s.funcTable.name, $s.funcTable.resource] | transpose |
		map([$s.stringArray[.[0]], $l[$s.resourceTable.lib[.[1]]].path]) | sort[]' got |
		diff - <(cat <<-'E'
	["entry","[kernel.kallsyms]"]
	["main","/bin/other"]
	["main","/bin/prog"]
	["run","/bin/prog"]
	["work","/bin/other"]
	["work","/bin/prog"]
	E
	)
	jq -e '.shared as $s | .meta.categories[0].color == "grey" and
		.meta.categories[1].name == "Kernel" and
		([$s.frameTable.category | to_entries[] | select(.value == 1) |
		    $s.stringArray[$s.funcTable.name[$s.frameTable.func[.key]]]] == ["entry"])' got
}

@test "times are the samples', in milliseconds; without them a millisecond each" {
	prof-to firefox --quiet --times --events period "$(cg threads.perf)" >got
	sound got
	jq -c '.threads[].samples.time' got | diff - <(printf '%s\n' '[7000.1,7000.2]' \
		'[7000.15]' '[7000.300123]')
	prof-to firefox --quiet --events period "$(cg threads.perf)" >got
	jq -c '.threads[].samples.time' got | diff - <(printf '%s\n' '[0,1]' '[0]' '[0]')
	# Some samples of a thread have none: their time is lost, and said to be.
	{ printf '%b\n' 'prof\t1' 'part\t1' 'event\t0\te\t-\t-\t-' 'func\t0\tf\t-\t-\t-' \
		'ctx\t0\t-\t0\t-\t-\t-' 'sample\t0\t7\ttime=3.5' 'sample\t0\t5' \
		'sample\t0\t1\ttime=0.1' 'sample\t0\t1\ttime=now' end; } >x.prof
	prof-to firefox x.prof >got 2>note
	jq -c '.threads[].samples | [.time, .weight]' got | diff - <(echo '[[0,1,2],[1,7,6]]')
	echo 'prof-to: firefox cannot hold: labels of samples (1), times of samples (2)' |
		diff - note
}

@test "weights are milliseconds, bytes or counts, and exact" {
	weight() {
		{ printf '%b\n' 'prof\t1' 'part\t1'
			printf 'event\t0\te\t%s\t-\t-%b\n' "$1" "$2"
			printf '%b\n' 'func\t0\tf\t-\t-\t-' 'ctx\t0\t-\t0\t-\t-\t-' \
				"sample\t0\t$3" end; } | prof-to firefox 2>note |
			tr -d '\n' | sed 's/.*"weight":\[\([^]]*\)\],"weightType":"\([^"]*\)".*/\1 \2\n/'
	}
	[ "$(weight s '' 7)" = '7000 tracing-ms' ]
	[ "$(weight ms '' 7)" = '7 tracing-ms' ]
	[ "$(weight us '' 7)" = '0.007 tracing-ms' ]
	[ "$(weight ns '' 1234567)" = '1.234567 tracing-ms' ]
	[ "$(weight ns '' -20)" = '-0.00002 tracing-ms' ]
	[ "$(weight s '\tscale=1/100' 149)" = '1490 tracing-ms' ]
	[ "$(weight B '' 9007199254740991)" = '9007199254740991 bytes' ]
	[ "$(weight - '' 7)" = '7 samples' ]
	[ ! -s note ]
	[ "$(weight ticks '' 7)" = '7 samples' ]
	echo 'prof-to: firefox cannot hold: units of events (1)' | diff - note
	[ "$(weight B '\tscale=1/2' 7)" = '7 samples' ]
	echo 'prof-to: firefox cannot hold: scales of events (1), units of events (1)' | diff - note
	[ "$(weight - '' 9007199254740993)" = '9007199254740993 samples' ]
	echo 'prof-to: firefox cannot hold: exact numbers beyond 2^53 (viewers round them) (1)' |
		diff - note
}

@test "lines are of frames, what is inlined has a depth, functions have a file" {
	bars >x.prof <<-'E'
	prof|1
	part|1
	event|0|n|-|-|-
	object|0|/bin/x|abcd
	file|0|x.c
	file|1|y.h
	func|0|main|0|0|-|start=10
	func|1|f|0|0|-
	func|2|g|1|0|-
	ctx|0|-|0|0|12:3|-
	ctx|1|0|1|0|20|-|inlined=1
	ctx|2|1|2|1|9|-|inlined=1
	ctx|3|0|1|0|21|0x10
	ctx|4|3|2|0|9|-
	sample|2|1
	sample|3|2
	sample|4|4
	end
	E
	prof-to firefox x.prof >got 2>note
	sound got
	stacks got | cut -d '|' -f 2,3 | diff - <(printf '%s\n' 'main;f;g|1' 'main;f|2' 'main;f;g|4')
	jq -c '.shared as $s | $s.frameTable | [.func, .line, .column, .inlineDepth] | transpose |
		map([$s.stringArray[$s.funcTable.name[.[0]]]] + .[1:])[]' got | diff - <(cat <<-'E'
	["main",12,3,0]
	["f",20,null,1]
	["g",9,null,2]
	["f",21,null,0]
	["g",9,null,0]
	E
	)
	jq -c '.shared as $s | $s.funcTable | [.name, .source, .lineNumber] | transpose |
		map([$s.stringArray[.[0]], $s.stringArray[$s.sources.filename[.[1]]], .[2]])[]' got |
		sort | diff - <(printf '%s\n' '["f","x.c",null]' '["g","y.h",null]' '["main","x.c",10]')
	jq -e '.libs | length == 1 and .[0].codeId == "abcd" and .[0].name == "x" and
		.[0].path == "/bin/x"' got
	echo "prof-to: firefox cannot hold: addresses of frames (1), files of lines that are not their function's (1)" |
		diff - note
}

@test "a difference has negative weights, and its sides" {
	printf '%s\n' 'a;b 5' 'a;c 3' >old
	printf '%s\n' 'a;b 4' 'a;d 9' >new
	prof-diff old new | prof-to firefox --quiet >got
	sound got
	stacks got | sort | diff - <(cat <<-'E'
	profile: samples.new|a;b|4
	profile: samples.new|a;d|9
	profile: samples.old|a;b|5
	profile: samples.old|a;c|3
	profile: samples|a;b|-1
	profile: samples|a;c|-3
	profile: samples|a;d|9
	E
	)
	jq -e '.meta.initialVisibleThreads == [0] and .meta.initialSelectedThreads == [0]' got
	# Threads of two runs have one name, but not one number.
	sed 's,12/1,22/2,; s/ 250 / 251 /' "$(cg threads.perf)" >other.perf
	prof-diff --events period "$(cg threads.perf)" other.perf >diff.prof
	prof-to firefox diff.prof >got 2>note
	sound got
	stacks got | grep ': period|' | diff - <(echo 'main: period|main;work|1')
	grep -q ' labels of samples' note
}

@test "a value that has no weight is an error that says so" {
	bars >p <<-'E'
	prof|1
	part|1
	event|0|time|ns|-|-|calls=absent
	func|0|f|-|-|-
	ctx|0|-|0|-|-|-
	sample|0|-170141183460469231731687303715884105728
	end
	E
	fails_with '^prof-to: firefox: a value does not fit a weight of 128 bits$' prof-to firefox p
}

@test "whatever a profile has, there is a sample, or it is rejected" {
	printf '%s\n' 'a;b 0' | prof-to firefox >got
	sound got
	printf '%b\n' 'prof\t1' 'part\t1' end | prof-to firefox >got
	sound got
	# Without a stack there is none in the table.
	printf '%b\n' 'prof\t1' 'part\t1' 'event\t0\te\t-\t-\t-' 'sample\t-\t7' end |
		prof-to firefox --strict >got
	sound got
	jq -e '.threads[0].samples.stack == [null] and .shared.stackTable.length == 0' got
	fails_with '^prof-to: firefox needs stacks, .* use --estimate to estimate stacks$' \
		prof-to firefox "$examples/wordcount.callgrind.zst"
	prof-to firefox --quiet --estimate --events Ir "$examples/wordcount.callgrind.zst" >got
	sound got
	jq -e '.threads | length == 1 and (.[0].name | endswith(" (estimated): Ir")) and
		(.[0].samples.weight | add) == 4890209' got
}

@test "real profiles are sound, names of any bytes among them" {
	for f in calc.folded calc.perf.zst tasks.pprof.gz calc.pprof-legacy.zst; do
		prof-to firefox --quiet "$examples/$f" >got
		sound got
		prof-to firefox --quiet "$examples/$f" | cmp got -
	done
	printf '%b\n' 'a\001b;\377\376' '"q"\\x;caf\303\251' | sed 's/$/ 1/' >f
	prof-to firefox --strict --from folded f >got
	sound got
	jq -e '.shared.stringArray | contains(["a\u0001b", "\"q\"\\x", "café"])' got
}

# ---- reading ----

# version N: a profile of that version, of two threads: native code with an inlined frame,
# a script, and code without symbols.
version() {
	local shared='' tables strings sources='' libs thread_tables='' thread_strings='' v=$1
	strings='"stringArray": ["main", "inl", "js", "0x30", "libx.so", "x.c", "y.js", "kern"]'
	libs='"libs": [{"name": "libx.so", "path": "/nowhere/libx.so", "codeId": "c0de", "breakpadId": "B0"}]'
	local prefix='"prefix": [null, 0, null, null, 1]' lib='' file='"fileName": [5, 5, 6, null, null]'
	[ "$v" -lt 66 ] || prefix='"prefixOffset": [0, 1, 0, 0, 3]'
	[ "$v" -lt 70 ] || lib=', "lib": [0, 0, -1, 0, 0]'
	[ "$v" -lt 58 ] || file='"source": [0, 0, 1, null, null]'
	local resource_lib='"lib": [0],'
	[ "$v" -lt 70 ] || resource_lib=
	tables='"stackTable": {"length": 5, '$prefix', "frame": [0, 1, 2, 3, 4]},
	"frameTable": {"length": 5, "func": [0, 1, 2, 3, 4], "address": [16, 16, -1, 48, 64],
	"inlineDepth": [0, 1, 0, 0, 0], "category": [1, null, 2, null, 3], "line": [7, 8, 3, null, null],
	"column": [null, null, 9, null, null]'$lib'},
	"funcTable": {"length": 5, "name": [0, 1, 2, 3, 7], "resource": [0, 0, -1, 0, 0], '$file',
	"lineNumber": [null, null, 2, null, null], "columnNumber": [null, null, 5, null, null],
	"isJS": [false, false, true, false, false]},
	"resourceTable": {"length": 1, '$resource_lib' "name": [4], "host": [null], "type": [1]},
	"nativeSymbols": {"length": 0}'
	sources='"sources": {"length": 2, "filename": [5, 6]}'
	if [ "$v" -ge 60 ]; then
		shared="$tables, $sources, $strings"
	elif [ "$v" -ge 58 ]; then
		shared="$sources, $strings" thread_tables=", $tables"
	elif [ "$v" -ge 56 ]; then
		shared=$strings thread_tables=", $tables"
	else
		thread_tables=", $tables" thread_strings=", $strings"
	fi
	[ "$v" -ge 41 ] || thread_strings+=", $libs"
	printf '{"meta": {"preprocessedProfileVersion": %s, "product": "prog", "categories": [
	{"name": "Other", "color": "grey"}, {"name": "User", "color": "yellow"}, {"name": "JavaScript",
	"color": "yellow"}, {"name": "Kernel", "color": "orange"}], "sampleUnits": {"time": "ms",
	"threadCPUDelta": "\\u00b5s"}}, %s "threads": [
	{"name": "t", "pid": "12", "tid": 13, "processName": "prog"%s%s, "samples": {"length": 4,
	"weightType": "samples", "weight": null, "stack": [1, 1, null, 3], "time": [1, 2.5, 3, 4],
	"threadCPUDelta": [100, 20, null, 4]}, "markers": {"length": 2}},
	{"samples": {"weightType": "tracing-ms", "stack": [2, 4], "timeDeltas": [1, 0.5],
	"weight": [0.25, 2], "length": 2}, "name": "u", "pid": 12, "tid": "14"%s%s}]%s}\n' \
		"$v" "$([ "$v" -lt 41 ] || echo "$libs,")" "$thread_tables" "$thread_strings" \
		"$thread_tables" "$thread_strings" "${shared:+, \"shared\": {$shared\}}"
}

@test "a sample without a weight is one of the unit" {
	for weight in 'del(.weight)' '.weight = null'; do
		version 70 | jq ".threads[1].samples |= ($weight)" >p
		prof-cat --quiet p | grep -P '^event\t2|comm=u' | cut -f 2-6 | diff - <(
			printf '%b\n' '2\ttime\tms\t-\t-' '3\t0\t0\t1\tcomm=u' '4\t0\t0\t1\tcomm=u')
	done
}

@test "data of frames that is dropped is reported, with counts" {
	# Not the column's first subcategory, Other; nor a resource that is the library.
	version 70 | jq -c '.shared.frameTable += {subcategory: [0, 2, null, 1, 0], nativeSymbol: [0, 0, null, 1, null],
		originalLocation: [null, null, 0, null, null]} |
		.shared.funcTable.originalLocation = [null, 1, null, 0, null] |
		.shared.resourceTable |= {length: 2, name: [4, 6], host: [null, 6], type: [1, 3]} |
		.shared.funcTable.resource = [0, 1, 1, 0, 0]' >p
	prof-cat p 2>&1 >got | grep 'dropped: ' | diff - <(echo "prof-cat: p: dropped: markers (2), original locations of" \
		"frames (1), original locations of functions (2), subcategories of frames (2), hosts and add-ons of frames in libraries (1)," \
		"native symbols of frames (3)")
}

@test "all versions of the tables give the same result" {
	for v in 18 24 40 41 47 55 56 57 58 59 60 61 65 66 69 70; do
		echo "version $v"
		version $v >p
		jq -e . p >/dev/null
		[ "$(prof-cat --probe p)" = 'p: firefox' ]
		prof-cat p >got 2>note
		grep -qx 'prof-cat: p: dropped: markers (2)' note
		bars >want <<-'E'
		prof|1
		part|1
		meta|format|firefox
		meta|cmd|prog
		event|0|samples|-|-|-|calls=absent
		event|1|cpu|us|-|-|calls=absent
		event|2|time|ns|-|-|calls=absent
		file|0|x.c
		object|0|/nowhere/libx.so|c0de
		func|0|main|0|0|-
		ctx|0|-|0|0|7|0x10
		func|1|inl|0|0|-
		ctx|1|0|1|0|8|0x10|inlined=1
		sample|1|2|20|0|comm=t|pid=12|tid=13|process=prog|category=User
		sample|-|1|0|0|comm=t|pid=12|tid=13|process=prog
		func|2|-|-|0|-
		ctx|2|-|2|-|-|0x30
		sample|2|1|4|0|comm=t|pid=12|tid=13|process=prog
		file|1|y.js
		func|3|js|1|-|-|start=2|column=5
		ctx|3|-|3|1|3:9|-
		sample|3|0|0|250000|comm=u|pid=12|tid=14|category=JavaScript
		func|4|kern|-|0|-|kernel=1
		ctx|4|1|4|-|-|0x40
		sample|4|0|0|2000000|comm=u|pid=12|tid=14|category=Kernel
		end
		E
		# Nothing was inlined before there were depths.
		[ $v -ge 40 ] || sed -i 's/\tinlined=1$//' want
		diff want got
	done
	# One by one, with times.
	prof-cat --times --quiet p | awk -F '\t' '$1 == "sample" { sub(/.*time=/, ""); print $1 }' |
		diff - <(printf '%s\n' 0.001000000 0.002500000 0.003000000 0.004000000 0.001000000 0.001500000)
}

@test "a column that is null is as one that is not there: Ruby's vernier" {
	cat >p <<-'E'
	{"meta": {"interval": 1, "startTime": 1.5, "processType": 0, "product": "Ruby/Vernier", "stackwalk": 1,
	  "version": 28, "preprocessedProfileVersion": 47, "symbolicated": true, "markerSchema": [],
	  "sampleUnits": {"time": "ms", "eventDelay": "ms", "threadCPUDelta": "\u00b5s"},
	  "categories": [{"name": "Default", "color": "grey", "subcategories": []}]},
	 "libs": [],
	 "threads": [{"name": "main", "isMainThread": true, "processShutdownTime": null, "pid": 7, "tid": 8,
	  "frameTable": {"address": [-1, -1], "inlineDepth": [0, 0], "category": [0, 0], "subcategory": null,
	    "func": [0, 1], "nativeSymbol": [null, null], "innerWindowID": [null, null],
	    "implementation": [null, 3], "line": [4, -1], "column": null, "length": 2},
	  "funcTable": {"name": [0, 1], "isJS": [true, false], "relevantForJS": [true, false],
	    "resource": [-1, -1], "fileName": [2, 3], "lineNumber": [3, null], "columnNumber": null, "length": 2},
	  "nativeSymbols": {},
	  "samples": {"stack": [0, 1, 1], "time": [1.0, 2.0, 3.0], "weight": [1, 2, 3], "weightType": "samples",
	    "threadCPUDelta": null, "length": 3},
	  "jsAllocations": null,
	  "stackTable": {"frame": [0, 1], "category": null, "subcategory": [0, 0], "prefix": [null, 0], "length": 2},
	  "resourceTable": {"length": 0, "lib": null, "name": [], "host": [], "type": null},
	  "markers": {"data": [], "name": [], "startTime": [], "endTime": [], "phase": [], "category": [], "length": 0},
	  "stringArray": ["work", "each", "a.rb", "<cfunc>"]}]}
	E
	silent prof-cat p >got
	diff - got <<-'E'
	prof	1
	part	1
	meta	format	firefox
	meta	cmd	Ruby/Vernier
	event	0	samples	-	-	-	calls=absent
	file	0	a.rb
	func	0	work	0	-	-	start=3
	ctx	0	-	0	0	4	-
	sample	0	1	comm=main	pid=7	tid=8
	file	1	<cfunc>
	func	1	each	1	-	-
	ctx	1	0	1	-	-	-
	sample	1	5	comm=main	pid=7	tid=8
	end
	E
	sed 's/"func": \[0, 1\]/"func": null/' p >q
	fails_with '^prof-cat: q: byte [0-9]*: frameTable has no column func$' prof-cat q
}

@test "what is written is read back: parts, events, threads, times" {
	for f in "$examples"/{calc.folded,calc.perf.zst,tasks.cpuprofile.zst,calc.speedscope} "$(cg threads.perf)"; do
		prof-to firefox --quiet "$f" >p
		prof-to firefox --strict p | cmp - p
		for event in $(prof-cat p | awk '$1 == "event" { print $3 }' | sort -u); do
			prof-top --tsv --quiet -n 0 --events "$event" "$f" >want
			prof-top --tsv --quiet -n 0 --events "$event" p | diff want -
		done
	done
	prof-to firefox --times --quiet "$(cg threads.perf)" >p
	prof-to firefox --times --strict p | cmp - p
	prof-cat --times p | grep -c 'time=7.000' | diff - <(echo 4)
	# Of one stack at two addresses one is left, with the sum of both.
	prof-to firefox --quiet "$examples/tasks.pprof.gz" >p
	prof-cat p | grep '^event' | cut -f 3,4 | diff - <(printf 'samples\t-\ncpu\tns\n')
	prof-merge "$examples/tasks.pprof.gz" | prof-top --tsv --quiet -n 0 --by function --events cpu,samples >want
	prof-top --tsv --quiet -n 0 --by function --events cpu,samples p | diff want -
	printf '%s\n' 'a;b 5' >one
	printf '%s\n' 'a;b 4' 'c 1' >two
	prof-to firefox one two | prof-to firefox --strict | prof-cat | grep '^meta\|^sample' |
		diff - <(printf '%b\n' 'meta\tformat\tfirefox' 'meta\tsource\tone' 'sample\t1\t5' \
			'meta\tformat\tfirefox' 'meta\tsource\ttwo' 'sample\t1\t4' 'sample\t2\t1')
}

@test "malformed input is an error with its place, other versions are rejected by number" {
	wrong() {
		local text=$1 version=$2
		shift 2
		version "$version" | jq -c "$@" >p
		fails_with "^prof-cat: p: byte [0-9]*: $text\$" prof-cat p
	}
	wrong 'version 17 of the processed format is older than 18, .*: open it on profiler.firefox.com, and save it there' \
		18 '.meta.preprocessedProfileVersion = 17'
	wrong 'version 71 of the processed format is newer than 70, the latest supported' \
		70 '.meta.preprocessedProfileVersion = 71'
	wrong "a raw profile of Firefox, version 36 of Gecko's format, cannot be read: .*" \
		61 'del(.meta.preprocessedProfileVersion) | .meta.version = 36 | .meta.stackwalk = 1'
	wrong "'threads' is missing" 61 'del(.threads)'
	wrong "'shared' is missing" 61 'del(.shared)'
	wrong "'funcTable' is missing" 61 'del(.shared.funcTable)'
	wrong 'stackTable has no column prefix' 61 'del(.shared.stackTable.prefix)'
	wrong 'frameTable has no column lib' 70 'del(.shared.frameTable.lib)'
	wrong 'column line has 2 rows, but frameTable has 5' 61 '.shared.frameTable.line = [1, 2]'
	wrong 'column func: row 1 is no row of a table of 5' 61 '.shared.frameTable.func[1] = 5'
	wrong 'column frame: row 0 is no row of a table of 5' 61 '.shared.stackTable.frame[0] = null'
	wrong 'column name: row 2 is no row of a table of 8' 61 '.shared.funcTable.name[2] = 8'
	wrong 'stack 1 comes before its caller' 61 '.shared.stackTable.prefix[1] = 1'
	wrong 'stack 1 has no such prefixOffset' 66 '.shared.stackTable.prefixOffset[1] = 2'
	wrong 'sample 1 has stack 5 of a table of 5' 61 '.threads[0].samples.stack[1] = 5'
	wrong '4 stacks for 5 samples' 61 '.threads[0].samples.length = 5'
	wrong '1 numbers for 2 samples' 61 '.threads[1].samples.weight = [1]'
	wrong 'a thread without samples or their stacks' 61 'del(.threads[0].samples)'
	wrong 'a fraction of a value that has no unit' 61 '.threads[0].samples.weight = [1, 1, 1, 1.5]'
	# What each thread has of its own is not the next one's.
	wrong 'column name: row 0 is no row of a table of 0' 40 'del(.threads[1].stringArray)'
	wrong 'column lib: row 0 is no row of a table of 0' 40 'del(.threads[1].libs)'
	wrong "'funcTable' is missing" 40 'del(.threads[1].funcTable)'
	version 61 | head -c -3 >p
	fails_with '^prof-cat: p: byte [0-9]*: the file is truncated: the text ends early$' prof-cat p
	# Other JSON is none.
	echo '{"threads": [], "meta": {"version": 1}, "libs": []}' >p
	[ "$(prof-cat --probe p)" = 'p: unknown' ]
}

@test "attributes and keys of objects that the format has no place for are reported" {
	local object
	for object in '/lib/x|-|a=1' '/lib/x|k'; do
		bars >x.prof <<-E
		prof|1
		part|1
		event|0|ns|ns|-|-
		object|0|$object
		func|0|f|-|0|-
		ctx|0|-|0|-|-|-
		sample|0|5
		end
		E
		prof-to firefox --losses x.prof >firefox
		prof-to speedscope --losses x.prof >speedscope
		if [[ $object == *a=1 ]]; then
			has -x 'keys and attributes of objects (1)' <firefox
		else
			lacks firefox objects
		fi
		has 'objects' <speedscope
	done
}
