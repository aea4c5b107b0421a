#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Viewers open what prof-to writes, and show the numbers that prof-top prints: speedscope
# in headless Chromium, and the Firefox Profiler by its command line.  `make check-viewers`
# installs both from npm.

bats_require_minimum_version 1.5.0
set -o pipefail
export LC_ALL=C

here=$BATS_TEST_DIRNAME
examples=$here/../../share/examples
modules=${PROF_BUILD:-$(cd "$here/../.." && pwd)/build}/viewers/node_modules
PATH=${PROF_BIN:-$(cd "$here/../.." && pwd)/build/bin}:$PATH

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	export PROFILER_CLI_SESSION_DIR=$BATS_TEST_TMPDIR/sessions
	mkdir sessions
}

teardown() {
	[ ! -e loaded ] || profiler stop >/dev/null
}

# ---- what prof-top prints ----

# ranked EVENT PROFILE [OPTION...]: name|file|object|self|inclusive of each function
# that has any, "[unknown]" without a name.
ranked() {
	prof-top --tsv --quiet --events "$1" "${@:2}" | awk -F '\t' -v OFS='|' '
		NR > 1 && ($5 || $6) { print $1 == "-" ? "[unknown]" : $1, $2, $3, $5, $6 }'
}

# by_place: of these, name|file or else object|self|inclusive.
by_place() {
	awk -F '|' -v OFS='|' '{ print $1, $2 == "-" ? $3 : $2, $4, $5 }' | sort
}

# by_library: name|object without its folders|self|inclusive, if that is not 0: the
# profiler lists no others.
by_library() {
	awk -F '|' -v OFS='|' '{ sub(/.*\//, "", $3) } $5 { print $1, $3, $4, $5 }' | sort
}

# ---- speedscope ----

speedscope() {
	node "$here/speedscope.mjs" "$modules/speedscope" "$1"
}

# in_speedscope NAME [FACTOR]: of what it says on standard input the functions of a
# profile, with weights multiplied.
in_speedscope() {
	jq -r --arg name "$1" --argjson factor "${2-1}" '.[] | select(.name == $name).functions[] |
		select(.[2] != 0 or .[3] != 0) |
		"\(.[0])|\(if (.[1] // "") == "" then "-" else .[1] end)|\(.[2] * $factor | round)|\(.[3] * $factor | round)"' | sort
}

@test "speedscope shows each event of a profile of perf, with the total" {
	prof-to speedscope --quiet "$examples/calc.perf.zst" >x.speedscope.json
	speedscope x.speedscope.json >shown
	for event in samples period; do
		in_speedscope "calc 896: $event" <shown >got
		[ "$(wc -l <got)" -eq 10 ]
		ranked $event "$examples/calc.perf.zst" | by_place | diff - got
	done
	[ "$(jq -c 'map([.unit, .total])' shown)" = '[["none",64],["nanoseconds",1306122432]]' ]
}

@test "speedscope shows Go's profile, and folded stacks" {
	prof-to speedscope --quiet "$examples/tasks.pprof.gz" >x.speedscope.json
	speedscope x.speedscope.json >shown
	for event in samples cpu; do
		in_speedscope "profile: $event" <shown >got
		[ "$(wc -l <got)" -ge 40 ]
		ranked $event "$examples/tasks.pprof.gz" | by_place | diff - got
	done
	prof-to speedscope "$examples/calc.folded" >x.speedscope.json
	speedscope x.speedscope.json | in_speedscope 'profile: samples' >got
	ranked samples "$examples/calc.folded" | by_place | diff - got
	[ "$(wc -l <got)" -eq 8 ]
}

# threads [SEED]: two processes with two threads each, recursion, functions of one name in two objects
# and none.  Another SEED gives another profile.
threads() {
	perl -e 'srand $ARGV[0]; my $time = 7_000_000_000; for (1 .. 300) {
		my ($comm, $pid, $tid) = @{(["a b", 12, 12], ["a b", 12, 13], ["c", 7, 7], ["c", 7, 8])[rand 4]};
		printf "%s  %d/%d  [001]  %d.%09d:  %d cpu-clock:u:\n", $comm, $pid, $tid,
		    $time / 1e9, $time % 1e9, 1 + rand 5_000_000;
		$time += 1 + int rand 3_000_000;
		printf "\t%x %s (%s)\n", 4096 + rand 4096, (qw(f g h [unknown]), "x::y<z, \"w\">")[rand 5],
		    ("/bin/prog", "/lib/libm.so.6")[rand 2] for 1 .. 1 + rand 6;
		print "\t1000 main+0x0 (/bin/prog)\n\n" }' "${1-7}"
}

@test "speedscope shows each thread, in the order of time" {
	threads >threads.perf
	for times in '' --times; do
		prof-to speedscope $times --quiet threads.perf >x.speedscope.json
		speedscope x.speedscope.json >shown
		for thread in 'a b:12:12' 'a b:12:13' c:7:7 c:7:8; do
			IFS=: read -r comm pid tid <<<"$thread"
			in_speedscope "$comm $pid/$tid: period" <shown >got
			[ "$(wc -l <got)" -ge 8 ]
			ranked period threads.perf --where "comm=$comm" --where "tid=$tid" |
				by_place | diff - got
		done
		[ "$(jq length shown)" = 8 ]
	done
}

@test "speedscope opens what has no stack, no sample, and names of any bytes" {
	printf '%b\n' 'prof\t1' 'part\t1' 'event\t0\te\t-\t-\t-' 'func\t0\tf\t-\t-\t-' \
		'ctx\t0\t-\t0\t-\t-\t-' 'sample\t-\t7' 'sample\t0\t5' end |
		prof-to speedscope >x.speedscope.json
	speedscope x.speedscope.json | jq -e '.[0].total == 12 and
		.[0].functions == [["f", null, 5, 5]]'
	printf '%b\n' 'prof\t1' 'part\t1' end | prof-to speedscope >x.speedscope.json
	speedscope x.speedscope.json | jq -e 'length == 1 and .[0].functions == []'
	printf '%b\n' 'a\001b;\377\376' '"q"\\x;caf\303\251' "$(printf 'm%.0s' {1..100000});n" |
		sed 's/$/ 1/' >f
	prof-to speedscope --strict --from folded f >x.speedscope.json
	speedscope x.speedscope.json | jq -e '[.[0].functions[][0]] | length == 6 and
		contains(["a\u0001b", "\"q\"\\x", "café"]) and any(length == 100000)'
}

@test "speedscope opens V8's CPU profiles" {
	prof-to cpuprofile --quiet "$examples/tasks.pprof.gz" >x.cpuprofile
	speedscope x.cpuprofile | in_speedscope x.cpuprofile 1000 >got
	ranked cpu "$examples/tasks.pprof.gz" | by_place | diff - got
	[ "$(wc -l <got)" -ge 40 ]
	prof-to cpuprofile --quiet "$examples/calc.perf.zst" >x.cpuprofile
	speedscope x.cpuprofile | in_speedscope x.cpuprofile 1000 >got
	ranked period "$examples/calc.perf.zst" | by_place | diff - got
	prof-to cpuprofile --quiet "$examples/calc.folded" >x.cpuprofile
	speedscope x.cpuprofile | in_speedscope x.cpuprofile >got
	ranked samples "$examples/calc.folded" | by_place | diff - got
	# Several threads are frames of their own.
	threads >threads.perf
	prof-to cpuprofile --quiet threads.perf >x.cpuprofile
	speedscope x.cpuprofile | in_speedscope x.cpuprofile 1000 >got
	ranked period threads.perf | by_place >want
	grep -v '/[0-9]*|-|0|' got | diff want -
	[ "$(grep -c '^[a-c ]* [0-9]*/[0-9]*|-|0|' got)" = 4 ]
}

# ---- the Firefox Profiler ----

profiler() {
	"$modules/node/bin/node" "$modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js" "$@"
}

open_in_profiler() {
	[ ! -e loaded ] || profiler stop >/dev/null
	: >loaded
	profiler load "$1" >/dev/null
}

# in_profiler NUMBER [FACTOR]: name|library|self|inclusive of the functions of a thread,
# with weights multiplied.
in_profiler() {
	profiler thread functions --json --limit 0 --include-idle --thread "t-$1" |
		jq -r --argjson factor "${2-1}" '.functions[] |
		"\(.name)|\(.library // "-")|\(.selfSamples * $factor | round)|\(.totalSamples * $factor | round)"' |
		sort
}

thread_names() {
	profiler profile info --all --json | jq -c '[.processes[].threads[]] | sort_by(.threadIndex) |
		map(.name)'
}

@test "the Firefox Profiler shows each event of a profile of perf" {
	prof-to firefox --quiet "$examples/calc.perf.zst" >x.json
	open_in_profiler x.json
	[ "$(thread_names)" = '["calc 896: samples","calc 896: period"]' ]
	in_profiler 0 >got
	[ "$(wc -l <got)" -eq 10 ]
	ranked samples "$examples/calc.perf.zst" | by_library | diff - got
	in_profiler 1 1000000 >got
	ranked period "$examples/calc.perf.zst" | by_library | diff - got
	# The period is what it selects.
	profiler status >status
	grep -q 'Selected thread: t-1 (calc 896: period' status
}

@test "the Firefox Profiler shows Go's profile, and folded stacks" {
	prof-to firefox --quiet "$examples/tasks.pprof.gz" >x.json
	open_in_profiler x.json
	in_profiler 0 >got
	[ "$(wc -l <got)" -ge 40 ]
	ranked samples "$examples/tasks.pprof.gz" | by_library | diff - got
	in_profiler 1 1000000 >got
	ranked cpu "$examples/tasks.pprof.gz" | by_library | diff - got
	prof-to firefox "$examples/calc.folded" >x.json
	open_in_profiler x.json
	in_profiler 0 >got
	ranked samples "$examples/calc.folded" | by_library | diff - got
}

@test "the Firefox Profiler shows each thread, with times and without" {
	threads >threads.perf
	for times in '' --times; do
		prof-to firefox $times --events period --quiet threads.perf >x.json
		open_in_profiler x.json
		thread_names | jq -r '.[]' >names
		[ "$(wc -l <names)" = 4 ]
		i=0
		while read -r name; do
			tid=${name%:*}
			in_profiler $i 1000000 >got
			[ "$(wc -l <got)" -ge 8 ]
			ranked period threads.perf --where "tid=${tid##*/}" | by_library | diff - got
			i=$((i + 1))
		done <names
	done
}

@test "the Firefox Profiler shows differences, and their sides" {
	threads 1 >old.perf
	threads 2 >new.perf
	prof-diff --events samples old.perf new.perf >diff.prof
	prof-to firefox --quiet diff.prof >x.json
	open_in_profiler x.json
	i=0
	for comm in 'a b' c; do
		for event in samples samples.old samples.new; do
			[ "$(thread_names | jq -r ".[$i]")" = "$comm: $event" ]
			in_profiler $i >got
			ranked $event diff.prof --where "comm=$comm" | by_library >want
			[ "$(wc -l <want)" -ge 5 ]
			diff want got
			i=$((i + 1))
		done
	done
	in_profiler 0 >got
	grep -q '|-[0-9]*|' got
}

@test "the Firefox Profiler opens what has no stack, no sample, and names of any bytes" {
	printf '%b\n' 'prof\t1' 'part\t1' end | prof-to firefox >x.json
	open_in_profiler x.json
	[ "$(thread_names)" = '["no samples"]' ]
	printf '%b\n' 'prof\t1' 'part\t1' 'event\t0\te\t-\t-\t-' 'func\t0\tf\t-\t-\t-' \
		'ctx\t0\t-\t0\t-\t-\t-' 'sample\t-\t7' 'sample\t0\t5' end | prof-to firefox >x.json
	open_in_profiler x.json
	[ "$(in_profiler 0)" = 'f|-|5|5' ]
	printf '%b\n' 'a\001b;\377\376' '"q"\\x;caf\303\251' "$(printf 'm%.0s' {1..100000});n" |
		sed 's/$/ 1/' >f
	prof-to firefox --strict --from folded f >x.json
	open_in_profiler x.json
	profiler thread functions --json --limit 0 --thread t-0 | jq -e '[.functions[].name] |
		length == 6 and contains(["a\u0001b", "\"q\"\\x", "café"]) and any(length == 100000)'
}
