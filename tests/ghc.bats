#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# GHC's profiles: the tree against the ranking that GHC has put above it, text against JSON,
# and what is wrong.

load tools.bash

example=$BATS_TEST_DIRNAME/../share/examples/tasks.ghc

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	cat >json <<-'E'
	{"program": "t", "arguments": ["./t", "x"], "rts_arguments": ["-pj"], "end_time": "Sat Nov 28 08:51 2026",
	"initial_capabilities": 0, "total_time": 0.04, "total_ticks": 40, "tick_interval": 1000, "total_alloc":4096,
	"profile": {"id": 3, "entries": 0, "alloc": 48, "ticks": 0, "children": [
	{"id": 1, "entries": 1, "alloc": 1000, "ticks": 10, "children": [
	{"id": 2, "entries": 3, "alloc": 3000, "ticks": 30, "children": []},
	{"id": 4, "entries": 7, "alloc": 48, "ticks": 0, "children": []}]}]},
	"cost_centres": [{"id": 1, "label": "main", "module": "Main", "src_loc": "a.hs:(1,1)-(2,9)", "is_caf": false},
	{"id": 2, "label": "go", "module": "Main", "src_loc": "a.hs:5:3-7", "is_caf": false},
	{"id": 3, "label": "MAIN", "module": "MAIN", "src_loc": "<built-in>", "is_caf": false},
	{"id": 4, "label": "go", "module": "Main", "src_loc": "dir/a b.hs:7:1", "is_caf": false}]}
	E
}

# The ranking: "NAME TICKS BYTES".
ranking() {
	awk '/^COST CENTRE/ { on++; next } on == 1 && NF >= 7 { print $2 "." $1, $(NF - 1), $NF }' "$1" | sort
}

@test "ticks and bytes are those of GHC's ranking, the sum those of its head" {
	ranking "$example" >want
	[ "$(wc -l <want)" -ge 3 ]
	prof-top --quiet --tsv -n 0 --by function --events time,alloc "$example" | awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $1, $at["time"] / 1000, $at["alloc"] }' | sort >got
	comm -12 want got | same want -
	# GHC leaves out what has less than 1 %.
	[ "$(comm -13 want got | awk '$2 > 0' | wc -l)" = 0 ]
	prof-cat "$example" | grep '^total' | cut -f 3-4 |
		same - <(perl -0777 -ne '/\((\d+) ticks/ and print $1 * 1000; /alloc = +([\d,]+)/ and print "\t", $1 =~ tr/,//dr, "\n"' "$example")
	prof-cat "$example" | grep '^event' | cut -f 2-4,7- | same - <(tabs <<-'E'
	0  time  us  calls=absent  sample=1000
	1  alloc  B  calls=absent
	2  entries  -  calls=absent
	E
	)
}

@test "the tree is that of the indentation, entries are those of its lines" {
	awk '/ no\. / { on = 1; next } on && NF { match($0, /^ */); d = RLENGTH; s[d] = (d ? s[d - 1] ";" : "") $2 "." $1
		n[s[d]] += $(NF - 6) } END { for (k in n) if (n[k]) print n[k] " " k }' "$example" | sort >want
	[ "$(wc -l <want)" -ge 4 ]
	prof-cat "$example" | awk -F '\t' '$1 == "func" { name[$2] = $3 }
		$1 == "ctx" { s[$2] = ($3 == "-" ? "" : s[$3] ";") name[$4] }
		$1 == "sample" { n[s[$2]] += $5 } END { for (k in n) if (n[k]) print n[k] " " k }' | sort | same want -
	prof-tree --quiet "$example" | has 'Main.isPrime'
}

@test "JSON has the same, functions of one name have where they begin" {
	prof-cat json | diff - <(tabs <<-'E'
	prof  1
	part  1
	meta  format  ghc
	meta  cmd  ./t x
	meta  ghc.date  Sat Nov 28 08:51 2026
	event  0  time  us  -  -  calls=absent  sample=1000
	event  1  alloc  B  -  -  calls=absent
	event  2  entries  -  -  -  calls=absent
	func  0  MAIN.MAIN  -  -  -
	ctx  0  -  0  -  -  -
	sample  0  0  48  0
	file  0  a.hs
	func  1  Main.main  0  -  -  start=1  column=1
	ctx  1  0  1  -  -  -
	sample  1  10000  1000  1
	func  2  Main.go  0  -  -  start=5  column=3
	ctx  2  1  2  -  -  -
	sample  2  30000  3000  3
	file  1  dir/a b.hs
	func  3  Main.go  1  -  -  start=7  column=1
	ctx  3  1  3  -  -  -
	sample  3  0  48  7
	total  run  40000  4096  11
	end
	E
	)
	sed 's,dir/a b,a,' json >one
	prof-cat one | grep '^func.*go' | cut -f 3-6 | same - <(printf 'Main.go\t0\t-\t5:3\nMain.go\t0\t-\t7:1\n')
	jq -S . json >sorted
	prof-cat sorted | same <(prof-cat json) -
}

@test "percentages are not turned into ticks, and are reported as rounded" {
	# What +RTS -p writes of it.
	sed 's/ *ticks *bytes$//; / no\. /,$s/ *[0-9]* *[0-9]*$//' "$example" | sed '/^COST.*%alloc *$/,/^$/s/ *[0-9]* *[0-9]*$//' >percent
	prof-cat percent 2>err >out
	has 'the percentages are rounded to 0.1 %: run the program with +RTS -P' <err
	grep '^event' out | same - <(tabs <<-'E'
	event  0  time  %  -  rounded to 0.1 %  calls=absent  scale=1/10
	event  1  alloc  %  -  rounded to 0.1 %  calls=absent  scale=1/10
	event  2  entries  -  -  -  calls=absent
	E
	)
	grep '^total' out | cut -f 3,4 | same - <(printf '1000\t1000\n')
	awk '/ no\. / { on = 1; next } on && NF && $(NF - 3) > 0 { print $2 "." $1, $(NF - 3) * 10 }' percent | sort >want
	[ "$(wc -l <want)" -ge 2 ]
	awk -F '\t' '$1 == "func" { name[$2] = $3 } $1 == "ctx" { f[$2] = name[$4] }
		$1 == "sample" && $3 { print f[$2], $3 }' out | sort | same want -
}

@test "GHC before 7.2 has milliseconds, and callees of what it leaves out below MAIN" {
	sed '1s/^/\t/' >old <<-'E'
		Mon Aug 31 00:53 2009 Time and Allocation Profiling Report  (Final)

		   t +RTS -P -RTS

		total time  =        0.80 secs   (40 ticks @ 20 ms)
		total alloc =       4,096 bytes  (excludes profiling overheads)

	COST CENTRE  MODULE     no.    entries  %time %alloc   %time %alloc  ticks     bytes

	MAIN         MAIN         1          0   0.0    1.2   100.0  100.0      0        48
	  main       Main       216          2  25.0   24.4   100.0   98.8     10      1000
	  go         Main       217          1   0.0    0.0     0.0    0.0      0         0
	 CAF         Main       200          3  75.0   74.4    75.0   74.4     30      3048
	E
	prof-cat old | grep -E '^(func|ctx|sample|total)' | same - <(tabs <<-'E'
	func  0  MAIN.MAIN  -  -  -
	ctx  0  -  0  -  -  -
	sample  0  0  48  0
	func  1  Main.main  -  -  -
	ctx  1  0  1  -  -  -
	sample  1  200000  1000  2
	func  2  Main.go  -  -  -
	ctx  2  0  2  -  -  -
	sample  2  0  0  1
	func  3  Main.CAF  -  -  -
	ctx  3  0  3  -  -  -
	sample  3  600000  3048  3
	total  run  800000  4096  6
	E
	)
	sed 's/@ 20 ms/@ 4294967296 ms/' old >bad
	exits_with 2 'bad:5: a tick of more than 4294967295 ms' prof-cat bad
	sed 's/@ 20 ms/@ 0 ms/' old >bad
	exits_with 2 "bad:5: expected 'total time = ... (N ticks @ N us'" prof-cat bad
}

@test "malformed input is an error with its line" {
	while IFS='|' read -r change says; do
		echo "$change"
		sed "$change" "$example" >bad
		run -1 cmp -s bad "$example"
		exits_with 2 "$says" prof-cat --from ghc bad
	done <<-'E'
	1s/Time and/Time or/|bad:1: expected 'Time and Allocation Profiling Report'
	/total time/s/us/seconds/|bad:5: expected 'total time = ... (N ticks @ N us'
	/total time/d|expected 'total time' before the costs
	/total alloc/s/bytes/words/|bad:6: expected 'total alloc = N bytes'
	/^ CAF  *Main/s/^ /   /|the line is more than one level deeper than the one above
	/^MAIN/s/<built-in>.*/<built-in>/|expected a line of the tree, which ends with 8 numbers
	/^    isPrime/d|the profile is truncated: its cost centres have
	/ no\. /,$d|it has no tree of cost centres
	E
	while IFS='|' read -r change says; do
		sed "$change" json >bad
		run -1 cmp -s bad json
		exits_with 2 "$says" prof-cat --from ghc bad
	done <<-'E'
	s/{"id": 3, "entries"/{"id": 9, "entries"/|bad: a node of cost centre 9, which is not defined
	s/"ticks": 30, //|bad:5: a node without id or ticks
	s/"ticks": 30/"ticks": 29/|the profile is truncated: its cost centres have 39 of 40 ticks and 4,096 of 4,096 bytes
	s/"ticks": 30/"ticks": 2.5/|bad:5: expected a whole number
	s/"tick_interval": 1000/"tick_interval": 99999999999/|a tick of 99999999999 microseconds
	s/"tick_interval": 1000/"x": 1000/|expected profile, total_ticks, total_alloc and tick_interval: one is missing
	s/"label": "go"/"lable": "go"/|a cost centre without id, label or module
	$d|the file is truncated: the text ends early
	E
}

@test "a truncated JSON has what was read with --lenient, also where no names were" {
	local n size
	size=$(wc -c <json)
	for ((n = 60; n < size - 1; n += 7)); do
		head -c $n json >cut
		exits_with 0 'the file is truncated' limited 300000 prof-cat --lenient --from ghc cut
	done
	# The names come last.
	python3 -c 'import json, sys; j = json.load(open("json")); c = j.pop("cost_centres"); j["cost_centres"] = c
json.dump(j, sys.stdout)' >last
	prof-top --tsv --from ghc json >want
	prof-top --tsv --from ghc last | diff want -
	sed 's/"cost_centres".*/"cost_/' last >cut
	prof-top --lenient --quiet --tsv --from ghc cut | cut -f 1,2 >got
	total=$(awk -F '\t' 'NR > 1 { n += $1 } END { print n }' want)
	[ "$(awk -F '\t' 'NR > 1 { n += $1 } END { print n, NR }' got)" = "$total 2" ]
}
