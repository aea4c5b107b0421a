#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# Counts by line: of gcov, against its own text, of a program that is run here; of llvm-cov,
# against its lcov, of real/instances.llvm.json, which LLVM 14 wrote of the same program.

load tools.bash

program=$BATS_TEST_DIRNAME/programs/instances.cc
llvm=$BATS_TEST_DIRNAME/real/instances.llvm.json

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	cp "$TESTS"/programs/instances.cc .
	g++ --coverage -O0 -c instances.cc
	g++ --coverage -o instances instances.o
	./instances >/dev/null
	gcov --json-format --stdout instances.gcda >few
	gcov --json-format instances.gcda >/dev/null
	gcov -t instances.gcda >text
	./instances 1 2 3 >/dev/null
	gcov --json-format --stdout instances.gcda >more
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return 1
}

# The executions of each line, "LINE COUNT", of a file of the profile.
lines_of() {
	prof-cat --quiet "${@:2}" | awk -F '\t' -v path="$1" '$1 == "file" { file[$2] = $3 }
		$1 == "cost" && file[$3] == path && $6 != "-" { n[$4] += $6 }
		END { for (l in n) print l, n[l] }' | sort -n
}

# The same by gcov's text: instances follow the lines that they are of.
gcov_lines() {
	awk -F : '/:Source:/ { on = $4 == "instances.cc"; last = 0 }
		on && $2 + 0 > last { last = $2 + 0; n = $1; gsub(/[ *]/, "", n)
			if (n != "-") print last, n ~ /[#=]/ ? 0 : n }' text
}

@test "gcov: each line has the count that gcov prints, those not executed have 0" {
	gcov_lines >want
	[ "$(grep -c ' 0$' want)" -ge 5 ]
	[ "$(grep -c ' [1-9]' want)" -ge 15 ]
	lines_of instances.cc few | same want -
	# The same from a file, compressed, and twice that from both.
	lines_of instances.cc instances.gcov.json.gz | same want -
	[ "$(prof-cat --probe instances.gcov.json.gz)" = 'instances.gcov.json.gz: coverage, gzip' ]
	cat few few >both
	lines_of instances.cc both | same <(awk '{ print $1, 2 * $2 }' want) -
}

@test "gcov: each function has its entries, each instance of a template is one" {
	jq -r '.files[].functions[] | "\(.execution_count)\t\(.demangled_name)"' few | sort >want
	[ "$(grep -c 'larger<' want)" = 2 ]
	prof-cat few | awk -F '\t' '$1 == "func" { name[$2] = $3 } $1 == "cost" { n[$2] += $7 }
		END { for (f in n) print n[f] "\t" name[f] }' | sort | same want -
	prof-top --tsv --quiet -n 0 --by function --events entries few | has '^int larger<int>(int, int)	.*	10'
}

@test "llvm-cov: each line has the count that lcov has, each function its entries" {
	sed -n 's/^DA:\([0-9]*\),\(.*\)/\1 \2/p' "$TESTS/real/instances.lcov" >want
	[ "$(wc -l <want)" = 30 ]
	lines_of /usr/src/prof/instances.cc "$llvm" | same want -
	# By where they start: instances and what shares a line together.
	awk -F '[:,]' '/^FN:/ { line[substr($0, index($0, ",") + 1)] = $2 }
		/^FNDA:/ { n[line[substr($0, index($0, ",") + 1)]] += $2 }
		END { for (l in n) print l, n[l] }' "$TESTS/real/instances.lcov" | sort -n >want
	prof-cat "$llvm" | awk -F '\t' '$1 == "cost" && $7 { n[$4] += $7 } $1 == "cost" { n[$4] += 0 }
		$1 == "func" && match($0, /start=[0-9]*/) { start[substr($0, RSTART + 6, RLENGTH - 6)] = 1 }
		END { for (l in n) if (l in start) print l, n[l] }' | sort -n | same want -
}

@test "llvm-cov: a line is in the innermost function around its beginning" {
	prof-cat "$llvm" | awk -F '\t' '$1 == "func" { name[$2] = $3 }
		$1 == "cost" && $6 != "-" { print $4 "\t" name[$2] }' >got
	while IFS='|' read -r line name; do
		has "^$line	$name\$" <got
	done <<-'E'
	15|int larger<int>(int, int) and 1 more
	20|int larger<int>(int, int) and 1 more
	22|shape::shape(int)
	28|never(int)
	34|main
	42|main
	E
	has '^7	-$' <got		# a macro is in no function
	prof-cat --no-demangle "$llvm" | has '^func	[0-9]*	_ZL5neveri	'
	# What LLVM 17 puts before the name of a local function, and what Objective-C has.
	sed 's/instances.cc:_ZL5neveri/instances.cc;_ZL5neveri/; s/"main"/"-[Shape moveTo:by:]"/' "$llvm" >other
	prof-cat other >got
	has '^func	[0-9]*	never(int)	0	-	_ZL5neveri	start=26$' <got
	has '^func	[0-9]*	-\[Shape moveTo:by:\]	' <got
}

@test "llvm-cov: functions without regions are not one" {
	jq -c '.data[0].functions = [{ name: "f", count: 2 }, { name: "g", count: 3, regions: [], filenames: [] }]' \
		"$llvm" | prof-cat | awk -F '\t' '$1 == "func" { name[$2] = $3 } $1 == "cost" && $7 { print name[$2], $7 }' |
		diff - <(printf '%s\n' 'f 2' 'g 3')
}

@test "prof-annotate shows 0 for a line that was not executed, and . for one without code" {
	prof-annotate --whole --file instances.cc few | grep -E '^ +[0-9.,]+ +[0-9.]+ +[0-9]+(  |$)' |
		awk '{ print $3, $1 }' >got
	[ "$(wc -l <got)" = "$(wc -l <instances.cc)" ]
	gcov_lines | awk 'FNR == NR { n[$1] = $2; next } { print $1, $1 in n ? n[$1] : "." }' - \
		<(seq "$(wc -l <instances.cc)") | same - got
	has -x '27 0' <got
	has -x '26 \.' <got
}

@test "prof-diff compares two runs by line" {
	prof-diff --by file,line --events executions few more | awk -F '\t' '
		$1 == "file" { file[$2] = $3 }
		$1 == "cost" && file[$3] == "instances.cc" { print $4, $7, $8 }' | sort -n >got
	# What the second run has executed for the first time.
	has -x '27 0 4' <got
	has -x '28 0 3' <got
	has -x '45 0 1' <got
	has -x '35 1 2' <got
	prof-top --quiet --tsv -n 0 --by line <(prof-diff --by file,line few more) | sed -n 1p | has executions
}

@test "malformed input is an error with its line" {
	jq . few >good
	while IFS='|' read -r change says; do
		echo "$change"
		sed "$change" good >bad
		run -1 cmp -s bad good
		exits_with 2 "$says" prof-cat --from coverage bad
		has '^prof-cat: bad:[0-9]*: ' <err
	done <<-'E'
	0,/"count": /s/"count": /"counts": /|a line without line_number or count
	0,/"line_number": /s/"line_number": /"x": /|a line without line_number or count
	0,/"line_number": /s/"line_number": [0-9]*/"line_number": -1/|expected a number from 0 to 2^64 - 1
	0,/"execution_count"/s/"execution_count"/"x"/|a function without name or execution_count
	0,/"file": /s/"file": "[^"]*"/"file": null/|lines without the name of their file
	s/"files"/"fils"/|expected 'files' (gcov) or 'data' (llvm-cov), found neither
	$d|the file is truncated: the text ends early
	E
	sed 's/"segments"/"x"/' "$llvm" >bad
	exits_with 2 'a file without segments: run llvm-cov export without -summary-only' prof-cat bad
	sed 's/"segments":\[\[[0-9]*,/"segments":[[70,/' "$llvm" >bad
	exits_with 2 'the segments are not in the order of lines' prof-cat bad
	echo '{"data":[{"files":[{"filename":"a","segments":[[1,1,2,true]]}]}]}' >bad
	exits_with 2 'expected a segment, which has at least five members' prof-cat bad
	sed 's/"regions":\[\[\([0-9]*\),[0-9]*,/"regions":[[\1,/' "$llvm" >bad
	exits_with 2 'expected a region, which has eight members' prof-cat bad
}

@test "few regions of very many lines are an error, not memory" {
	echo '{"data":[{"files":[{"filename":"a","segments":[[1,1,2,true,true,false],[4000000000,1,0,false,false,false]]}]}]}' >huge
	exits_with 2 'lines come to more than 1048576, too many for a file of this size' \
		limited 262144 prof-cat huge
	shape coverage:around 3000 >deep
	brief 5 prof-cat --quiet deep | awk -F '\t' '$1 == "func" { name[$2] = $3 } $1 == "cost" { print $4, name[$2], $6, $7 }' >got
	has -x '2500 f2499 1 0' <got
	has -x '2500 f2500 - 1' <got
}
