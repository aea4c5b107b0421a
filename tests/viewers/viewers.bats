#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Viewers open what prof-to writes, and show the numbers that prof-top prints: speedscope
# in headless Chromium, and the Firefox Profiler by its command line.  `make check-viewers`
# installs both from npm.  Chromium also shows what the script of flame graphs does.

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

# ---- Node ----

@test "what Node writes of its heap is read: each node, and the sum" {
	cp "$examples/pages.js" .
	node --heap-prof --heap-prof-interval=4096 --heap-prof-name=x.heapprofile pages.js
	[ "$(prof-cat --probe x.heapprofile)" = 'x.heapprofile: heapprofile' ]
	jq -r 'def walk($up): ($up + [.callFrame | if .functionName == "" then "(anonymous)" else
		.functionName end]) as $path | (select(.selfSize != 0) |
		"\($path | join("|")) \(.selfSize)"), (.children[] | walk($path)); .head | walk([])' \
		x.heapprofile | sort >want
	[ "$(wc -l <want)" -gt 20 ]
	prof-cat --quiet x.heapprofile | awk -F '\t' '
		$1 == "func" { name[$2] = $3 }
		$1 == "ctx" { stack[$2] = ($3 == "-" ? "" : stack[$3] "|") name[$4] }
		$1 == "sample" { print stack[$2], $3 }' | sort >got
	diff want got
	prof-top --quiet --tsv -n 0 x.heapprofile | awk -F '\t' 'NR > 1 { n += $5 } END { print n }' >got
	jq '[.head | recurse(.children[]) | .selfSize] | add' x.heapprofile | diff - got
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

@test "speedscope shows the same of what is read from it and written again" {
	cat >x.speedscope.json <<-'E'
	{"$schema": "https://www.speedscope.app/file-format-schema.json", "name": "x",
	"shared": {"frames": [{"name": "a", "file": "x.c", "line": 3}, {"name": "b"}, {"name": "c"}]},
	"profiles": [{"type": "evented", "name": "t", "unit": "milliseconds", "startValue": 0, "endValue": 9,
	"events": [{"type": "O", "frame": 0, "at": 0}, {"type": "O", "frame": 1, "at": 2},
	{"type": "O", "frame": 0, "at": 3}, {"type": "C", "frame": 0, "at": 5.5},
	{"type": "C", "frame": 1, "at": 6}, {"type": "C", "frame": 0, "at": 9}]},
	{"type": "sampled", "name": "u", "unit": "none", "startValue": 0, "endValue": 8,
	"samples": [[0, 1], [2], [0, 1], [0, 1, 0]], "weights": [1, 2, 4, 1]}]}
	E
	speedscope x.speedscope.json >shown
	mkdir ours
	prof-to speedscope --strict x.speedscope.json >ours/x.speedscope.json
	speedscope ours/x.speedscope.json >again
	in_speedscope t 1000000 <shown >want
	in_speedscope 'thread t: time' 1 <again | diff want -
	[ "$(wc -l <want)" -eq 2 ]
	in_speedscope u <shown >want
	in_speedscope 'thread u: samples' <again | diff want -
	[ "$(wc -l <want)" -eq 3 ]
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

# What a V8 profile has of each function: name|self, without the pseudo functions, which
# speedscope leaves out or puts on the stack before.
scripted() {
	grep -v '^(\(root\|program\|idle\|garbage collector\))' | awk -F '|' -v OFS='|' '
		{ n[$1] += $3 } END { for (f in n) if (n[f]) print f, n[f] }' | sort
}

@test "Node's profile: the sums are Node's, and speedscope shows the same of ours" {
	cp "$examples/tasks.js" .
	node --cpu-prof --cpu-prof-name x.cpuprofile tasks.js
	node -e 'const p = JSON.parse(require("fs").readFileSync("x.cpuprofile")), sum = {};
		const f = new Map(p.nodes.map((n) => [n.id, n.callFrame.functionName || "(anonymous)"]));
		let at = p.startTime + p.timeDeltas[0], end = at;
		p.samples.forEach((id, i) => {
			const next = i + 1 < p.samples.length ? at + p.timeDeltas[i + 1] : p.endTime;
			const t = Math.max(0, next - end);
			end = Math.max(end, next);
			at = next;
			sum[f.get(id)] = (sum[f.get(id)] || 0) + t;
		});
		for (const [name, t] of Object.entries(sum)) if (t) console.log(`${name}|${t}`);' |
		sort >want
	prof-top --tsv --quiet --events time -n 0 x.cpuprofile | awk -F '\t' -v OFS='|' '
		NR > 1 { n[$1] += $5 } END { for (f in n) if (n[f]) print f, n[f] }' | sort | diff want -
	[ "$(wc -l <want)" -ge 6 ]
	# speedscope ends where the last sample begins.
	jq -c '.endTime = .startTime + (.timeDeltas | add)' x.cpuprofile >y && mv y x.cpuprofile
	speedscope x.cpuprofile | in_speedscope x.cpuprofile 1000 | scripted >want
	mkdir ours
	prof-to cpuprofile --quiet x.cpuprofile >ours/x.cpuprofile
	speedscope ours/x.cpuprofile | in_speedscope x.cpuprofile 1000 | scripted | diff want -
	[ "$(wc -l <want)" -ge 4 ]
}

# self_by_place: name|file|self, added up: speedscope's names of functions without one say
# where they are, and it puts the garbage collector on the stack before.
self_by_place() {
	sed 's/^(anonymous [^|]*)|/(anonymous)|/' | awk -F '|' -v OFS='|' '
		{ n[$1 OFS $2] += $3 } END { for (f in n) if (n[f]) print f, n[f] }' | sort
}

@test "speedscope reads from Node's trace the time of each function that prof-top prints" {
	zstdcat "$examples/tasks.trace.zst" >x.json
	speedscope x.json >shown
	[ "$(jq -c 'map([.unit, .total])' shown)" = '[["microseconds",398623]]' ]
	in_speedscope x.json <shown | self_by_place >want
	[ "$(wc -l <want)" -ge 20 ]
	ranked time -n 0 x.json | by_place | self_by_place | diff want -
}

# ---- flame graphs ----

# drive FILE WIDTH FRAGMENT SCRIPT: what the script returns, after any error.
drive() {
	node "$here/svg.mjs" "$@" >driven
	[ "$(jq -c .errors driven)" = '[]' ] || { cat driven; return 1; }
}

@test "a click on a frame of a flame graph zooms, and there is a way back" {
	prof-to svg --quiet --events cpu "$examples/tasks.pprof.gz" >f.svg
	drive f.svg 800 '' '
		const width = rect => Math.round(rect.getBoundingClientRect().width);
		const seen = () => ({ hash: location.hash, sort: width(frame("sort.Strings")),
		    callers: all("#frames .p").length, rects: all("#frames rect").length });
		const first = seen();
		frame("sort.Strings").dispatchEvent(new MouseEvent("click", { bubbles: true }));
		await wait();
		const zoomed = seen(), gone = !frame("main.isPrime"), main = width(frame("main.main"));
		history.back();
		await wait();
		const back = seen();
		frame("sort.Strings").dispatchEvent(new MouseEvent("click", { bubbles: true }));
		await wait();
		press("Escape");
		await wait();
		return { first, zoomed, gone, main, back, escaped: seen() };'
	# 25.93 % of the width
	jq -e '.first.sort == 207 and .first.callers == 0 and .first.hash == "" and
		.zoomed.sort == 800 and .zoomed.callers == 7 and .gone and .main == 800 and
		(.zoomed.hash | test("^#zoom=[0-9]+$")) and .back == .first and .escaped == .first' driven
}

@test "search in a flame graph counts no match twice, and fades the rest" {
	printf '%s\n' 'main;alpha;beta;alpha 30' 'main;gamma 50' 'Alpha 20' >f
	prof-to svg f >f.svg
	drive f.svg 800 '' '
		const seen = () => [at("matched").textContent, all("#frames .m").length,
		    document.documentElement.classList.contains("found")];
		press("f", { ctrlKey: true });
		const focus = document.activeElement === at("search");
		type("alpha|beta");
		const any = seen(), hash = location.hash;
		type("Alpha");
		const capital = seen();
		type("(");
		const wrong = at("matched").textContent;
		type("^gamma$");
		frame("main").dispatchEvent(new MouseEvent("click", { bubbles: true }));
		await wait();
		const zoomed = seen();
		press("Escape");
		await wait();
		const cleared = seen();
		press("Escape");
		await wait();
		return { focus, any, hash, capital, wrong, zoomed, cleared, end: location.hash };'
	jq -e '.focus and .any == ["matched 50.00 %, 4 frames", 4, true] and
		.hash == "#search=alpha%7Cbeta" and
		.capital == ["matched 20.00 %, 1 frame", 1, true] and
		.wrong == "not a regular expression" and
		.zoomed == ["matched 50.00 %, 1 frame", 1, true] and
		.cleared == ["", 0, false] and .end == ""' driven
	# A URL opens as it was.
	drive f.svg 800 'zoom=1&search=gam' 'return { zoom: at("reset").getAttribute("display"),
		matched: at("matched").textContent, field: at("search").value };'
	jq -e '.zoom == "inline" and .matched == "matched 50.00 %, 1 frame" and .field == "gam"' driven
	drive f.svg 800 'zoom=99999&search=%' 'return { zoom: at("reset").getAttribute("display") };'
	jq -e '.zoom == "none"' driven
}

@test "a flame graph fits its window, light and dark" {
	prof-to svg --quiet --events cpu "$examples/tasks.pprof.gz" >f.svg
	prof-diff --events cpu "$examples/tasks.pprof.gz" "$examples/tasks-sieve.pprof.gz" |
		prof-to svg --quiet >d.svg
	for f in f d; do
		for width in 500 800 1600; do
			drive $f.svg $width '' '
				const box = e => e.getBoundingClientRect();
				const rects = all("#frames rect").map(box);
				const outside = all("#labels text").map(box).filter(t => !rects.some(r =>
				    t.left >= r.left && t.right <= r.right + 1 && t.top >= r.top - 3 && t.bottom <= r.bottom + 3));
				return { scroll: document.documentElement.scrollWidth, width: innerWidth,
				    right: Math.max(...rects.map(r => r.right)), outside: outside.length,
				    labels: all("#labels text").length,
				    head: box(at("head")).bottom <= Math.min(...rects.map(r => r.top)) };'
			jq -e ".scroll == $width and .width == $width and .outside == 0 and .labels > 9 and .head and
				.right <= $width + 1 and .right > $width - 2" driven
		done
	done
	for mode in 800:255 800dark:27; do
		drive f.svg ${mode%:*} '' 'return { back: getComputedStyle(document.querySelector(".back")).fill };'
		jq -e ".back | startswith(\"rgb(${mode#*:},\")" driven
	done
	# The pointer tells the numbers.
	drive d.svg 800 '' 'frame("main.countPrimes"); return { name: at("name").textContent, cost: at("cost").textContent };'
	jq -e '.name == "main.countPrimes" and (.cost | startswith("-320,000,000 ns (-96.97 %); old 330,000,000 ns, 61.11 %; new 10,000,000 ns, 3.13 %"))' driven
}

@test "script labels frames as the picture without it does, in any width" {
	printf '%s\n' 'void ns::store<std::string, int>::insert_or_sum(std::string const&, int) 30' \
		'std::vector<std::string, std::allocator<std::string> >::_M_realloc_insert<int>(int) 14' \
		'a_function_with_a_long_name_and_without_scopes 10' 'main 46' >f
	prof-to svg --quiet --from folded f >f.svg
	perl -ne 'print "$1\n" if /<text x="3"[^>]*>(.*?)<\/text>/' f.svg >labels
	[ "$(wc -l <labels)" = 5 ]
	drive f.svg 1200 '' 'return { labels: all("#labels text").map(t => t.textContent) };'
	jq -r '.labels[]' driven | sed 's/</\&lt;/g; s/>/\&gt;/g' | diff labels -
	drive f.svg 500 '' 'return { labels: all("#labels text").map(t => t.textContent),
		fill: getComputedStyle(frame("main")).fill };'
	jq -e '.labels == ["all", "a_…pes", "main", "_M_…int)", "…::insert_or_sum(…)"] and .fill == "rgb(224, 99, 47)"' driven
}

@test "nothing of a name runs in a flame graph" {
	printf '%s\n' '<script>hacked=1</script>;<img src=x onerror=hacked=1> 3' \
		']]></style></title><script>hacked=1</script>;"onload="hacked=1 4' >f
	prof-to svg --quiet --from folded --min-width 0 f >f.svg
	drive f.svg 800 '' '
		const found = ["<script>hacked=1</script>", "\"onload=\"hacked=1"].map(n => Boolean(frame(n)));
		all("#frames rect").forEach(name);
		await wait();
		return { found, hacked: window.hacked ?? 0, images: all("img, #frames *:not(rect):not(title)").length };'
	jq -e '.found == [true, true] and .hacked == 0 and .images == 0' driven
	# Of all names that the other tests have, those that are read as they are.
	mkdir names
	"$here/../hostile.pl" make names
	prof-to svg --quiet --min-width 0 names/all.prof >f.svg
	drive f.svg 800 '' '
		window.alert = () => { window.hacked = 1; };
		const names = all("#frames rect").map(name);
		const found = ["<script>alert(1)</script><img src=x onerror=alert(1)>",
		    "]]" + "></style></title></svg>--><!--", "&lt;&#60;&quot;\u0027\"&", "--output=X", "???"]
		    .map(n => names.includes(n));
		type("<script>alert(1)</script>");
		await wait();
		return { found, hacked: window.hacked ?? 0, scripts: all("#frames script, #labels script, img").length,
		    frames: names.length };'
	jq -e 'all(.found[]; .) and .hacked == 0 and .scripts == 0 and .frames > 80 and .errors == []' driven
}

@test "100,000 frames are few elements, and all of them are found" {
	perl -e 'for $i (1 .. 95000) { print "main;m", $i % 50, ";c", $i % 1000, ";f", $i % 5000, ";leaf$i 1\n" }' >f
	prof-to svg --min-width 0 f >f.svg
	drive f.svg 800 '' '
		const first = all("*").length;
		type("^leaf");
		const leaves = at("matched").textContent;
		type("^leaf777$");
		const one = at("matched").textContent;
		frame("m7").dispatchEvent(new MouseEvent("click", { bubbles: true }));
		await wait();
		return { first, leaves, one, zoomed: all("*").length };'
	jq -e '.first < 8000 and .zoomed < 8000 and .leaves == "matched 100.00 %, 95000 frames" and
		.one == "matched 0.00 %, 1 frame"' driven
}

# ---- the Firefox Profiler ----

profiler() {
	"$modules/node/bin/node" "$modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js" "$@"
}

open_in_profiler() {
	[ ! -e loaded ] || profiler stop >/dev/null
	: >loaded
	# It waits a few seconds for its daemon, which a busy machine may not have started.
	local try
	for try in 1 2 3; do
		profiler load "$1" >/dev/null && return
		profiler stop >/dev/null 2>&1 || :
	done
	return 1
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

@test "the Firefox Profiler shows the same of what is read from it and written again" {
	threads >threads.perf
	for of in "$examples/tasks.pprof.gz" "$examples/calc.perf.zst" threads.perf; do
		prof-to firefox --quiet "$of" >x.json
		prof-cat --quiet x.json >x.prof
		[ "$(sed -n 's/^meta\tformat\t//p' x.prof | sort -u)" = firefox ]
		prof-to firefox --strict --quiet x.prof >y.json
		open_in_profiler x.json
		thread_names >names
		for i in $(jq -r 'keys[]' names); do
			in_profiler "$i" >"want.$i"
			[ "$(wc -l <"want.$i")" -ge 8 ]
		done
		open_in_profiler y.json
		thread_names | diff names -
		for i in $(jq -r 'keys[]' names); do
			in_profiler "$i" | diff "want.$i" -
		done
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

@test "the pages of the manual fit a phone" {
	"$here/../../share/html/site.sh" site
	local page
	for page in index prof-top.1 prof-formats.7 prof-stream.5 prof-guide.7; do
		{
			sed '/<\/body>/,$d' "site/$page.html"
			# What is beyond the window's edge, but not in a box that scrolls.
			cat <<-'E'
			<script>
			const wide = [...document.querySelectorAll("body *")].filter(e =>
				e.getBoundingClientRect().right > innerWidth + 1 && !e.closest("pre, table"));
			document.title = "wide:" + wide.map(e => e.className || e.tagName).join("|") +
				":" + document.querySelectorAll("a").length + ":" + innerWidth + ";";
			</script></body></html>
			E
		} >site/page.html
		chromium --headless --no-sandbox --disable-gpu --disable-background-networking \
			--user-data-dir="$PWD/browser" --window-size=500,900 --dump-dom \
			"file://$PWD/site/page.html" 2>/dev/null >dom
		grep -o '<title>[^<]*' dom
		grep -qE '<title>wide::[0-9]{2,}:[45][0-9][0-9];' dom
	done
}
