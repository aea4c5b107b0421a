#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# V8's heap profiles: against jq, on a file that Node has written, and on files of known
# values.  tests/viewers/viewers.bats has Node write others.

load tools.bash

corpus=$BATS_TEST_DIRNAME/fuzz/corpus/heapprofile

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	zstdcat "$TESTS/../share/examples/pages.heapprofile.zst" >pages
	jq -c 'del(.samples)' pages >bare
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return 1
}

@test "each node with bytes is a sample of its stack" {
	jq -r 'def walk($up): ($up + [.callFrame | (if .functionName == "" then "(anonymous)" else
		.functionName end) + "|" + .url + "|" + (if .lineNumber < 0 then "" else
		"\(.lineNumber + 1):\(.columnNumber + 1)" end)]) as $path |
		(select(.selfSize != 0) | "\(.selfSize) \($path | join(";"))"),
		(.children[] | walk($path)); .head | walk([])' pages | sort >want
	[ "$(wc -l <want)" -gt 10 ]
	prof-cat bare | awk -F '\t' '
		$1 == "file" { file[$2] = $3 }
		$1 == "func" { name[$2] = $3 }
		$1 == "ctx" { f = name[$4] "|" ($5 == "-" ? "" : file[$5]) "|" ($6 == "-" ? "" : $6)
			stack[$2] = $3 == "-" ? f : stack[$3] ";" f }
		$1 == "sample" { print $3 " " stack[$2] }' | sort | same want -
}

@test "the sum is that of all nodes" {
	prof-top --quiet --tsv -n 0 pages | awk -F '\t' 'NR > 1 { n += $5 } END { print n }' >got
	jq '[.head | recurse(.children[]) | .selfSize] | add' pages | same - got
	prof-top --quiet --tsv -n 1 pages | has '^Page	'
}

@test "the list of samples is dropped, which is reported" {
	prof-cat pages 2>err >/dev/null
	[ "$(sed 's/.*list of \([0-9]*\) samples is dropped.*/\1/' err)" = "$(jq '.samples | length' pages)" ]
	silent prof-cat bare >/dev/null
}

@test "keys may come in any order, and functions without a name" {
	prof-cat --quiet "$corpus/order" | diff - <(tabs <<-'E'
	prof  1
	part  1  positions=line
	meta  format  heapprofile
	event  0  bytes  B  -  -  calls=absent
	func  0  (root)  -  -  -
	ctx  0  -  0  -  -  -
	func  1  a;b  -  -  -
	ctx  1  0  1  -  -  -
	sample  1  12
	file  0  node:internal/x
	func  2  (anonymous)  0  -  -
	ctx  2  1  2  0  1:1  -
	sample  2  -5
	end
	E
	)
	jq -S . pages >sorted
	[ "$(prof-cat --probe sorted)" = 'sorted: heapprofile' ]
	prof-cat --quiet sorted | same <(prof-cat --quiet pages) -
}

@test "malformed input is an error with its line" {
	jq . "$corpus/one" >good
	silent prof-cat good >/dev/null
	while IFS='|' read -r change says; do
		echo "$change"
		sed "$change" good >bad
		run -1 cmp -s bad good
		exits_with 2 "prof-cat: bad:$says" prof-cat --from heapprofile bad
		[ "$(tail -n 1 out)" != end ]
	done <<-'E'
	s/"selfSize": 64/"size": 64/|25: a node without callFrame or selfSize
	s/"selfSize": 64/"selfSize": 6.4/|21: expected a whole number
	s/"selfSize": 64/"selfSize": "x"/|21: expected a number
	s/"head"/"heads"/| 'head' is missing
	s/"children": \[\]/"children": {}/|23: expected an array
	s/"url": ""/"url": 7/|6: expected a string
	$d|27: the file is truncated: the text ends early
	E
	jq -c '{head, samples: 5}' good | sed 's/"samples"/"head"/' >bad
	exits_with 2 'a second head' prof-cat bad
}

@test "a deep tree is no trouble, and one that is too deep is an error" {
	deep() {
		perl -e 'my $n = shift; my $f = q({"callFrame":{"functionName":"f","url":"","lineNumber":1,"columnNumber":1},"selfSize":1,"children":[);
			print "{\"head\":", $f x $n, "]}" x $n, "}"' "$1"
	}
	deep 9000 >x
	[ "$(brief 10 prof-cat x | grep -c '^sample')" = 9000 ]
	deep 20000 >x
	exits_with 2 'x:1: objects and arrays are nested too deeply' prof-cat x
}

@test "it reads well in flame graphs and stacks" {
	prof-to folded --quiet pages | has '^(root);.*;load;nested;nested;.*;Page [0-9]*$'
	prof-to svg --quiet pages | xmllint --noout -
	prof-to speedscope --quiet pages | jq -e '.profiles[0].unit == "bytes"'
}
