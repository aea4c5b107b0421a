#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: prof-report report
# The page of prof-report: its numbers are those of the other tools, it keeps its budget, and
# each command that it names runs.

load tools.bash

examples=$TESTS/../share/examples

# profiles: the examples that are profiles.
profiles() {
	(cd "$examples" && prof-cat --probe -- * 2>/dev/null) | grep -v ': unknown$' | sed 's/: .*//'
}

# table SECTION: the rows of a section's table, cells separated by TABs, without backticks.
table() {
	awk -v section="## $1" '$0 == section { on = 1; next } /^## / { on = 0 }
		on && /^\| / { sub(/^\| */, ""); sub(/ *\|$/, ""); gsub(/ *\| */, "\t"); gsub(/`/, "")
			print }' | sed 1d
}

@test "functions have the numbers of prof-top, in its order" {
	for f in wordcount.callgrind.zst tasks.pprof.gz calc.macos-sample anagrams.pstats.zst \
		tasks.jfr.zst pages.dhat.zst; do
		prof-report "$examples/$f" | table Functions | awk -F '\t' -v OFS='\t' '
			{ gsub(/,/, ""); print $5, $1, $2, $3, $4 }' >got
		[ "$(wc -l <got)" -ge 1 ]
		prof-top --width 0 -n "$(wc -l <got)" "$examples/$f" >top
		awk -v OFS='\t' 'NR > 2 && $1 ~ /^[0-9,.]+$/ && NF > 5 { gsub(/,/, "")
			print $1, $2, $4, $5 }' top | head -n "$(wc -l <got)" | diff - <(cut -f 2-5 got)
		prof-top --tsv -n "$(wc -l <got)" "$examples/$f" | sed 1d | cut -f 1 |
			sed 's/^-$/???/' | diff - <(cut -f 1 got)
	done
}

@test "lines have the numbers of prof-top, and their source" {
	cd "$examples"
	prof-report --any-source wordcount.callgrind.zst | table 'Hottest lines' >"$BATS_TEST_TMPDIR/got"
	prof-top --tsv -b function,line -n 0 wordcount.callgrind.zst >"$BATS_TEST_TMPDIR/top"
	cd "$BATS_TEST_TMPDIR"
	[ "$(wc -l <got)" -ge 5 ]
	while IFS=$'\t' read -r self share place function source; do
		awk -F '\t' -v f="$function" -v p="${place%:*}" -v l="${place##*:}" '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
			$at["function"] == f && $at["file"] == p && $at["line"] == l { print $at["Ir"] }' top |
			diff - <(echo "${self//,/}")
	done <got
	# A source that is found is beside its line.
	mkdir -p "$BATS_TEST_TMPDIR/src"
	printf '%s\n' one '	two | `2`  ' three >src/a.c
	bars >x <<-E
	prof|1
	part|1
	event|0|A|-|-|-
	file|0|src/a.c
	func|0|f|0|-|-
	cost|0|0|2|-|7
	cost|0|0|9|-|1
	end
	E
	prof-report x | grep -F '| `src/a.c:2` | `f` | `` two \| `2` `` |'
	prof-report x | grep -F '| `src/a.c:9` | `f` | |'
}

@test "a page keeps its budget, and lists what it has no room for" {
	cd "$examples"
	n=0
	for f in $(profiles); do
		for budget in 1000 2000 6000 30000; do
			status=0
			prof-report --quiet --budget $budget "$f" >"$BATS_TEST_TMPDIR/page" 2>/dev/null ||
				status=$?
			if [ $status = 0 ]; then
				[ "$(wc -c <"$BATS_TEST_TMPDIR/page")" -le $budget ]
				[ -s "$BATS_TEST_TMPDIR/page" ]
				n=$((n + 1))
			else
				[ $budget = 1000 ] && [ ! -s "$BATS_TEST_TMPDIR/page" ] || return 1
			fi
		done
	done
	[ $n -ge 75 ]
	# More room is never less content.
	prev=0
	for budget in 1500 2500 4000 8000 16000; do
		now=$(prof-report --budget $budget tasks.pprof.gz | wc -l)
		[ "$now" -ge "$prev" ]
		prev=$now
	done
	[ "$prev" -gt "$(prof-report --budget 1500 tasks.pprof.gz | wc -l)" ]
	prof-report --budget 1100 wordcount.callgrind.zst |
		has '^Omitted to fit --budget: .*heaviest paths'
	run -1 grep 'No room' <<<"$(prof-report wordcount.callgrind.zst)"
	run -2 prof-report --budget 100 wordcount.callgrind.zst
	[ "$output" = 'prof-report: --budget: the metadata of the profile alone needs more than 100 bytes' ]
}

@test "equal input makes an equal page" {
	cd "$examples"
	for f in wordcount.callgrind.zst tasks.pprof.gz; do
		[ "$(prof-report $f | sha1sum)" = "$(prof-report $f | sha1sum)" ]
		# The order of records does not matter.
		prof-merge $f >"$BATS_TEST_TMPDIR/sorted"
		prof-report "$BATS_TEST_TMPDIR/sorted" | table Functions >"$BATS_TEST_TMPDIR/got"
		prof-report $f | table Functions >"$BATS_TEST_TMPDIR/want"
		# Their facts differ, so one of them has room for more rows.
		diff <(sed -n 1,8p "$BATS_TEST_TMPDIR/got") <(sed -n 1,8p "$BATS_TEST_TMPDIR/want")
	done
}

# commands: those that the page names, without those with a word to fill in.
commands() {
	grep -o '`[^`]*prof-[a-z]* [^`]*`' | tr -d '`' | grep -v REGEX
}

@test "each command of a page runs" {
	cd "$examples"
	for f in wordcount.callgrind.zst tasks.pprof.gz calc.folded tasks.jfr.zst calc.gmon.zst; do
		prof-report --rules libc --where format~. $f | commands >"$BATS_TEST_TMPDIR/commands"
		[ "$(wc -l <"$BATS_TEST_TMPDIR/commands")" -ge 3 ]
		grep -q -- '--rules=libc' "$BATS_TEST_TMPDIR/commands"
		while read -r command; do
			echo "$command"
			[ -n "$(sh -c "$command" 2>/dev/null)" ]
		done <"$BATS_TEST_TMPDIR/commands"
	done
	prof-report pages.massif.zst -- pages-leak.massif.zst | commands >"$BATS_TEST_TMPDIR/commands"
	while read -r command; do
		echo "$command"
		sh -c "$command" >"$BATS_TEST_TMPDIR/out" 2>/dev/null
	done <"$BATS_TEST_TMPDIR/commands"
	# Of a pipe the command before it is not known.
	zstdcat wordcount.callgrind.zst | prof-report | has '`\.\.\. | prof-top -n 0`'
	# A file whose name looks like an option is none.
	cp calc.folded "$BATS_TEST_TMPDIR/--quiet"
	cd "$BATS_TEST_TMPDIR"
	prof-report -- --quiet | commands >commands
	[ "$(wc -l <commands)" = 5 ]
	while read -r command; do
		sh -c "$command" >out
	done <commands
}

@test "files, a directory, standard input: the page differs by its commands alone" {
	mkdir dir
	cp "$examples/calc.folded" dir/a
	cp "$examples/calc.folded" dir/b
	numbers() { sed 's/`[^`]*prof-.*`/COMMAND/' | grep -v '^- .*COMMAND'; }
	prof-report dir/a dir/b | numbers >want
	[ "$(grep -c '^|' want)" -ge 5 ]
	prof-report dir | numbers | diff want -
	prof-report dir/a - <dir/b | numbers | diff want -
	prof-report dir/a | numbers >want
	prof-report <dir/a | numbers | diff want -
	prof-report - <dir/a | numbers | diff want -
	prof-report <dir/a | has '`\.\.\. | prof-top -n 0`'
	prof-report --budget=6000 dir/a --quiet | numbers | diff want -
}

@test "names of any bytes break no table" {
	printf '%s\n' 'a|b`c;<script>alert(1)</script>|*x*_y_ 5' $'main;\033[31mred\177 3' \
		"main;$(printf 'ns::t<%0200d>::f' 7) 2" >x.folded
	prof-report x.folded >page
	awk '/^\| / { n = gsub(/[^\\]\|/, "&"); if (!k[n]++) kinds++ } END { exit kinds != 1 }' page
	grep -qF '`` <script>alert(1)</script>\|*x*_y_ ``' page || grep -qF '`<script>alert(1)</script>\|*x*_y_`' page
	run -1 grep -q $'\033' page
	grep -q '`\\x1b\[31mred\\x7f`' page
	# Template arguments are left out of a long name, and nothing else.
	grep -qF '`ns::t<…>::f`' page
	# A fact is text, in which "&lt;" would be another character.
	printf '%s\n' '# callgrind format' 'cmd: ./a &lt;b & c&d_e &#42; *x*' 'events: Ir' 'fn=f' '1 5' >facts
	prof-report facts | has -F -x -e '- command: ./a \&lt;b & c\&d_e \&#42; \*x\*'
}

@test "a caller is listed where no single one explains a function" {
	printf '%s\n' 'main;a;leaf 40' 'main;b;leaf 30' 'main;c;leaf 20' 'main;d;leaf 7' \
		'main;e;leaf 3' 'main;a;only 90' 'main;b;only 10' >x.folded
	prof-report x.folded | grep '^- `' >got
	diff got - <<-'E'
	- `leaf`, 50.00 % inclusive, is called by `a` 20.00 %, `b` 15.00 %, `c` 10.00 %, 2 more 5.00 %
	E
}

@test "the page reports how certain it is" {
	echo 'main;f 100' >x.folded
	prof-report x.folded | has '^- 100 samples, 95 % intervals: 10 % may be '
	echo 'main;f 100000' >x.folded
	prof-report x.folded | has '^- 100,000 samples\.$'
	prof-report "$examples/wordcount.callgrind.zst" |
		has '^- Counted or measured by the profiler; it names no samples\.$'
	prof-report "$examples/tasks.pprof.gz" | has '^- 54 samples, 95 % intervals: '
}

@test "a difference lists what grew and what shrank, as prof-diff does" {
	cd "$examples"
	prof-report wordcount.callgrind.zst -- wordcount-hash.callgrind.zst >"$BATS_TEST_TMPDIR/page" 2>/dev/null
	prof-diff --tsv wordcount.callgrind.zst wordcount-hash.callgrind.zst 2>/dev/null |
		awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["Ir"] { print $1 "\t" $at["Ir.old"] "\t" $at["Ir.new"] "\t" $at["Ir"] }' \
			>"$BATS_TEST_TMPDIR/diff"
	cd "$BATS_TEST_TMPDIR"
	for section in Grew Shrank; do
		table $section <page | awk -F '\t' -v OFS='\t' '{ gsub(/,|\+/, ""); print $7, $1, $2, $3 }' >got
		[ "$(wc -l <got)" -ge 3 ]
		grep -vxFf diff got >unknown || true
		[ ! -s unknown ]
	done
	table Grew <page | awk -F '\t' '$3 !~ /^\+/ { exit 1 }'
	table Shrank <page | awk -F '\t' '$3 !~ /^-/ { exit 1 }'
	[ "$(head -1 page)" = '# -1,959,681 Ir between two profiles' ]
}

@test "the verdict of a gate is on the page, and its status" {
	cd "$examples"
	f='wordcount.callgrind.zst -- wordcount.callgrind.zst'
	prof-report --fail-over 1% $f | has '^- Gate on `Ir`: passed\.$'
	run -1 prof-report --quiet --fail-over eb=1% --events eb pages.dhat.zst -- pages-leak.dhat.zst
	has '^- Gate on `eb`: failed: [0-9]* functions\? and the total over the limit\.$' <<<"$output"
	run -1 --separate-stderr prof-report --baseline wordcount-hash.callgrind.zst --fail-over 50% wordcount.callgrind.zst
	has '^- Gate on `Ir`: failed' <<<"$output"
	run -2 prof-report --fail-over 1% calc.prof
	has 'needs two sides' <<<"$output"
}

@test "with several runs only significant changes are listed" {
	perl -e 'srand(7);
	for my $run (0 .. 15) {
		open my $f, ">", ($run < 8 ? "old." : "new.") . $run or die;
		print $f "main;f$_ ", int(1000 + 10 * $_ + rand(20) + ($run >= 8 && $_ == 3 ? 200 : 0)),
			"\n" for 0 .. 29;
	}'
	prof-report --quiet old.* -- new.* >page
	[ "$(table Grew <page | cut -f 8)" = f3 ]
	has 'functions changed no more than run-to-run noise' <page
	has '^# .* between the means of 8 and 8 runs$' <page
}

@test "JSON has the numbers of the page, keeps the budget, and counts what it leaves out" {
	local n=0 pages json
	cd "$examples"
	for f in $(profiles); do
		echo "$f"
		read -r pages json <<<"$(python3 "$TESTS/report.py" 300,900,1700,6000,30000 "$f")"
		[ "$pages" -ge 3 ]
		[ "$json" -ge 2 ]
		n=$((n + json))
	done
	[ $n -ge 130 ]
	for f in 'wordcount.callgrind.zst -- wordcount-hash.callgrind.zst' \
		'pages.massif.zst -- pages-leak.massif.zst' 'tasks.jfr.zst -- tasks.jfr.zst' \
		'calc.folded -- calc.macos-sample' \
		'wordcount.callgrind.zst wordcount.callgrind.zst -- wordcount-hash.callgrind.zst wordcount-hash.callgrind.zst'; do
		echo "$f"
		read -r pages json <<<"$(python3 "$TESTS/report.py" --commands 900,1700,3500,30000 $f)"
		[ "$pages" = 4 ]
		[ "$json" -ge 3 ]
	done
	python3 "$TESTS/report.py" --commands 3500,6000 wordcount.callgrind.zst
}

@test "JSON is data: facts, callers, lines, paths, commands, what is left out" {
	cd "$examples"
	prof-report --json --budget 20000 wordcount.callgrind.zst >"$BATS_TEST_TMPDIR/json"
	cd "$BATS_TEST_TMPDIR"
	diff - <(jq -c '[.event, .unit, .total, .percent_of], (.facts[] | select(.name == "event" and
		.values[0] == "Dw" or .name == "records" or .name == "command"))' json) <<-'E'
	["Ir",null,4890211,"total"]
	{"name":"command","values":["./wordcount /usr/share/common-licenses/GPL-3"]}
	{"name":"event","values":["Dw"],"total":580012}
	{"name":"records","values":[],"costs":6931,"calls":502}
	E
	diff - <(jq -c '.functions[1], (.lines[0] | del(.self_percent)), .paths[1], .certainty,
		.next[1]' json) <<-'E'
	{"function":"insert'2","file":"/usr/src/prof/wordcount.c","line":33,"object":"/usr/src/prof/wordcount","self":1035295,"self_percent":21.17,"inclusive":2434581,"inclusive_percent":49.78,"inclusive_bound":"exact"}
	{"file":"/usr/src/prof/wordcount.c","line":51,"function":"read_word","self":410948,"source":null}
	{"id":2,"parent":1,"frames":["(below main)","__libc_start_main@@GLIBC_2.34","(below main)","main"],"inclusive":4786885,"inclusive_percent":97.89,"self":62221,"self_percent":1.27,"estimated":false,"more_functions":11}
	{"kind":"counted","marks":[]}
	{"command":"prof-annotate --function '^__strcmp_avx2$' wordcount.callgrind.zst","shows":"its source"}
	E
	prof-report --json "$examples/calc.folded" | jq -c '.callers[0] | del(.inclusive_percent, .callers[].percent)' |
		diff - <(cat <<-'E'
	{"function":"find","inclusive":149000000,"callers":[{"function":"atom","cost":111750000},{"function":"assign","cost":37250000}],"more_callers":0,"more_cost":0}
	E
	)
	# What is left out: all functions are 286, of which 283 are not shown.
	cd "$examples"
	[ "$(prof-report --json --budget 3000 wordcount.callgrind.zst | jq -c '[(.functions | length),
		.left_out.functions]')" = \
		'[3,{"rows":283,"command":"prof-top -n 0 wordcount.callgrind.zst"}]' ]
	# Commands that are longer than the budget are left out of what is left out.
	ln -s "$examples/calc.folded" "$BATS_TEST_TMPDIR/$(printf 'x%.0s' {1..200})"
	cd "$BATS_TEST_TMPDIR"
	prof-report --json --budget 900 xxx* | jq -c '[.next, .left_out.next]' | diff - <(
		echo '[[],{"rows":1,"command":null}]')
}

@test "a difference says that nothing grew, what runs differ by, and where its lines are" {
	cd "$examples"
	prof-report tasks.jfr.zst -- tasks.jfr.zst >"$BATS_TEST_TMPDIR/page"
	[ "$(grep -A 2 -e '^## Grew' -e '^## Shrank' "$BATS_TEST_TMPDIR/page" | grep -c '^Nothing\.$')" = 2 ]
	# A title has the command as code.
	[ "$(head -1 "$BATS_TEST_TMPDIR/page")" = '# 0 ExecutionSample between two profiles: `Tasks`' ]
	prof-report calc.folded -- calc.macos-sample >"$BATS_TEST_TMPDIR/page"
	has '^Of 3 functions only the inclusive cost changed\. All functions: ' <"$BATS_TEST_TMPDIR/page"
	has '^| *+549 | new | `calc\.c:31` ' <"$BATS_TEST_TMPDIR/page"
	command=$(sed -n 's/^All lines: `\(.*\)`\.$/\1/p' "$BATS_TEST_TMPDIR/page")
	[ "$(sh -c "$command" | grep -c '+549')" = 1 ]
	# Formulas have no old cost.
	run -2 prof-report --events 'Ir + Dr' wordcount.callgrind.zst -- wordcount-hash.callgrind.zst
	has "'Ir + Dr': the report of a difference is about an event, not a formula" <<<"$output"
	cd "$BATS_TEST_TMPDIR"
	printf '%s\n' 'main;f 1000' 'main;g 2000' >1
	sed 's/1000/1001/' 1 >2
	prof-report --quiet 1 2 -- 2 1 1 | has '^2 functions changed no more than run-to-run noise\. '
	# Over several runs, lines are those of functions that have changed.
	for i in 1 2 3 4 5 6; do
		printf 'events: Ir\nfl=a.c\nfn=f\n1 %d\nfn=g\n5 %d\n' \
			$((i > 3 ? 2000 + i : 1000 + i)) $((100000 + 7919 * i % 5000)) >run$i
	done
	prof-report --quiet run1 run2 run3 -- run4 run5 run6 >page
	sed -n '/^## Changed lines/,/^All lines/p' page | grep -o '`a.c:[0-9]*`' | same - <(echo '`a.c:1`')
	prof-report --quiet --json run1 run2 run3 -- run4 run5 run6 | jq -c '[.lines[].line]' | same - <(echo '[1]')
}

@test "JSON has both sides of a path, and what they differ by" {
	printf '%s\n' 'a;b 10' 'a;c 5' >1.folded
	printf '%s\n' 'a;b 30' 'a;c 5' >2.folded
	prof-report --json 1.folded -- 2.folded |
		jq -c '.paths[] | [.frames[], .old, .new, .change, .change_percent, .self_change]' |
		same - <(printf '%s\n' '["a",15,35,20,133.33,0]' '["b",10,30,20,200,20]')
	printf '%s\n' 'a 10' 'a;b 10' >1.folded
	printf '%s\n' 'a 15' 'a;b 30' >2.folded
	prof-report --json 1.folded -- 2.folded | jq -c '.grew[] | [.function, .old, .new, .change,
		.change_percent, .inclusive_change, .inclusive_percent]' |
		same - <(printf '%s\n' '["b",10,30,20,200,20,200]' '["a",10,15,5,50,25,125]')
}

@test "profiles without costs, with huge and negative ones, and names of any bytes" {
	bars >none <<-E
	prof|1
	part|1
	end
	E
	bars >huge <<-E
	prof|1
	part|1
	event|0|A|-|-|-
	func|0|$(printf 'n%.0s' {1..5000})|-|-|-
	func|1|f|-|-|-
	cost|0|-|-|-|1329227995784915872903807060280344576
	cost|1|-|-|-|-7
	end
	E
	printf 'main;a\xff|b`"\\\x1b[3m 5\nmain;<b>*x* 7\n' >bytes
	for f in none huge bytes 'none -- huge' 'huge -- huge' 'bytes -- bytes'; do
		echo "$f"
		[ "$(python3 "$TESTS/report.py" --commands 800,1000,6000,20000 $f)" != '0 0' ]
	done
	prof-report none >got
	has '^- There are no costs\.$' <got
	has -x '# No event' <got
	prof-report --json --budget 20000 huge | jq -r '.total, .functions[1].self' |
		diff - <(printf '%s\n' 1329227995784915872903807060280344569 -7)
	prof-report --json bytes | python3 -c 'import json, sys; print(ascii([f["function"]
		for f in json.load(sys.stdin)["functions"]]))' |
		diff - <(cat <<-'E'
	['<b>*x*', 'a\udcff|b`"\\\x1b[3m']
	E
	)
}

@test "paths that are all estimated are called so" {
	bars >x <<-E
	prof|1
	part|1
	event|0|A|-|-|-
	func|0|a|-|-|-
	func|1|b|-|-|-
	call|0|-|-|-|1|-|-|5|60
	call|1|-|-|-|0|-|-|5|70
	cost|0|-|-|-|50
	cost|1|-|-|-|50
	end
	E
	prof-report x | awk '/^```/ { n++ } n == 1' | sed -n 2p |
		diff - <(echo 'all of it is estimated from the cost of calls')
	prof-report --json x | jq -c '[.paths[].estimated], .certainty.marks' | diff - <(cat <<-'E'
	[true,true]
	[{"mark":"~","meaning":"lower bound: in a recursive cycle"}]
	E
	)
}

@test "lines that --lenient skipped are a fact of the page, and of prof-cat --info" {
	printf 'main;a 10\nmain;b x\nmain;c 5\n' >bad.folded
	prof-report --from folded --lenient bad.folded 2>err >got
	has -x -e '- skipped: 1 malformed or truncated line' <got
	prof-report --from folded --lenient --json bad.folded 2>err |
		jq -c '.facts[] | select(.name == "skipped")' | has -x '{"name":"skipped","values":\[1\]}'
	prof-cat --info --lenient --from folded bad.folded 2>err | has -x 'skipped: 1 malformed or truncated line'
	sed 2d bad.folded >good.folded
	prof-report --from folded good.folded >got
	lacks got skipped
	# They are added, also beyond 32 bits; what is no number of lines is none.
	printf '%b' 'prof\t1\npart\t0\nmeta\tskipped\t4294967301\nmeta\tskipped\t2\n' \
		'meta\tskipped\t-3\nmeta\tskipped\tx\nevent\t0\tIr\t-\t-\t-\nend\n' >several.prof
	prof-report several.prof | has -x -e '- skipped: 4,294,967,303 malformed or truncated lines'
	prof-top several.prof | has -x 'skipped: 4294967303 malformed or truncated lines'
}

@test "the commands of the page for language models run" {
	local n=0
	cp "$examples"/wordcount.callgrind.zst FILE
	cp FILE OLD
	cp "$examples"/wordcount-hash.callgrind.zst NEW
	awk '/^\| question/ { on = 1 } /^$/ { on = 0 } on' "$TESTS/../share/agents/SKILL.md" |
		sed 's/\\|/\x01/g' | cut -d '|' -f 3 | grep -o '`prof-[^`]*`' | tr -d '`' | tr '\001' '|' |
		sed 's/\^f\$/^insert$/; s/OLD\.\.\./OLD/; s/NEW\.\.\./NEW/; s/NAME/Dr/' >commands
	while read -r command; do
		echo "$command"
		status=0
		sh -c "$command" >out 2>err || status=$?
		[ $status -le 1 ]
		[ -s out ] || [ -s flame.svg ]
		n=$((n + 1))
	done <commands
	[ $n -ge 18 ]
	# It is one page.
	[ "$(wc -w <"$TESTS/../share/agents/SKILL.md")" -le 700 ]
}

# A context for each byte: the trees of the rankings are gone before that of the page is made.
@test "a report of a difference of many contexts takes no more memory than it needs" {
	printf 'a;b 5\n' >old
	perl -e 'print "a", ";" x 950000, " 1\n"' >new
	limited 480000 prof-report --from folded old -- new | has '^ *0 *1 *+1 *new *+1 .*×950000  (rec)$'
}

@test "a page leaves no room for another row of its longest table" {
	local budget page row
	perl -e 'print "events: Ir\n"; print "fn=name_$_\n1 ", 1000 - $_, "\n" for 1 .. 300' >many
	row=$(prof-report many | grep 'line 1' | awk '{ print length + 1 }' | sort -n | tail -n 1)
	for budget in $(seq 700 73 9000); do
		page=$(prof-report --budget "$budget" many | wc -c)
		echo "$budget: $page, a row has $row" >&2
		((page <= budget && page > budget - row))
	done
}

# Events with their names take memory in each sum that a report has, and parts may have others each.
@test "a report of tens of thousands of events is refused" {
	perl -e 'print "prof\t1\n"; print "part\t1\nevent\t0\te$_\t-\t-\t-\n" for 1 .. 36000; print "end\n"' >many
	sed '1,7000!{$!d}' many >some
	printf 'events: Ir\nfn=f\n1 1\n' >other
	fails_with 'events with few values: their sums need too much memory' \
		limited 500000 prof-report --quiet many -- other
	limited 500000 prof-report --quiet some -- other | has '3499 more\|Ir'
}
