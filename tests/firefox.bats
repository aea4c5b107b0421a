#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# The Firefox Profiler's format: its tables, and what is in them.  Whether the profiler
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

@test "whatever a profile has, there is a sample, or it is refused" {
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
