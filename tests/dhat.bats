#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# DHAT's profiles: against the totals that Valgrind prints, against jq, and on files of
# known values.

load tools.bash

corpus=$BATS_TEST_DIRNAME/fuzz/corpus/dhat

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	"${CXX:-c++}" -g -O1 -std=c++17 -pthread -o library "$TESTS/programs/library.cc"
	"${CC:-cc}" -g -O1 -fno-optimize-sibling-calls -o heap "$TESTS/programs/heap.c"
	for p in library heap; do
		env -i PATH="$PATH" valgrind --tool=dhat --dhat-out-file=$p.dhat ./$p \
			>/dev/null 2>$p.log
	done
	env -i PATH="$PATH" valgrind --tool=dhat --mode=copy --dhat-out-file=copy.dhat \
		./library >/dev/null 2>copy.log
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return 1
}

# sums FILE: of each event its name and what its samples add up to.
sums() {
	prof-cat --quiet "$1" | awk -F '\t' '$1 == "event" { name[n++] = $3 }
		$1 == "sample" { for (i = 0; i < n; i++) if ($(i + 3) !~ /=/) s[i] += $(i + 3) }
		END { for (i = 0; i < n; i++) printf "%s %.0f\n", name[i], s[i] }'
}

@test "the totals are those that Valgrind prints" {
	for p in library heap; do
		sed 's/^==[0-9]*== //; s/,//g' $p.log | awk '
			/^Total:/ { print "tb", $2; print "tbk", $5 }
			/^At t-gmax:/ { print "gb", $3; print "gbk", $6 }
			/^At t-end:/ { print "eb", $3; print "ebk", $6 }
			/^Reads:/ { print "rb", $2 }
			/^Writes:/ { print "wb", $2 }' >want
		[ "$(wc -l <want)" = 8 ]
		sums $p.dhat | grep -v '^tl' | same want -
	done
	sed 's/^==[0-9]*== //; s/,//g' copy.log | awk '/^Total:/ { print "tb", $2; print "tbk", $5 }' |
		same - <(sums copy.dhat)
}

@test "each point has its numbers and its stack, the leaf first" {
	for p in library heap copy; do
		jq -r '.ftbl as $f | .pps[] | [([.tb, .tbk, .gb, .gbk, .eb, .ebk, .rb, .wb, .tl] |
			map(values) | join(" ")), (if has("mb") then "\(.mb) \(.mbk)" else "" end),
			([.fs[] | $f[.]] | map(sub("^0x[0-9A-F]+: "; "") | sub("^\\?\\?\\?"; "")) |
			join(";"))] | join("|")' $p.dhat | sort >want
		[ "$(wc -l <want)" -gt 2 ]
		prof-cat --quiet $p.dhat | awk -F '\t' '
			$1 == "file" { file[$2] = $3 }
			$1 == "object" { object[$2] = $3 }
			$1 == "func" { name[$2] = $3 == "-" ? "" : $3; in_object[$2] = $5 }
			$1 == "ctx" { up[$2] = $3
				f = $4 == "-" ? "" : name[$4]
				if ($5 != "-") f = f " (" file[$5] ":" $6 ")"
				else if ($4 != "-" && in_object[$4] != "-")
					f = f " (in " object[in_object[$4]] ")"
				frame[$2] = f }
			$1 == "sample" { v = m = s = ""
				for (i = 3; i <= NF; i++)
					if ($i !~ /=/) v = v (v == "" ? "" : " ") $i
					else { sub(/.*=/, "", $i); m = m (m == "" ? "" : " ") $i }
				for (c = $2; c != "-"; c = up[c]) s = s (c == $2 ? "" : ";") frame[c]
				print v "|" m "|" s }' | sort | same want -
	done
}

@test "every frame of a point has its address" {
	jq -r '.ftbl as $f | [.pps[].fs[] | $f[.] | sub(":.*"; "") | ascii_downcase] | unique[]' \
		library.dhat | sort >want
	prof-cat --quiet library.dhat >got
	awk -F '\t' '$1 == "ctx" && $7 != "-" { print $7 }' got | sort -u | same want -
	awk -F '\t' '$1 == "ctx" && $7 == "-"' got >odd
	[ ! -s odd ]
	grep -q '	inlined=1$' got
}

@test "modes, units and versions" {
	prof-cat --quiet copy.dhat | grep '^event' | cut -f 3,4 | same - <(printf 'tb\tB\ntbk\tblocks\n')
	prof-cat "$corpus/adhoc" | grep '^event\|^sample\|^meta' | diff - <(tabs <<-'E'
	meta  format  dhat
	meta  cmd  \-
	meta  pid  1
	meta  dhat.mode  ad-hoc
	meta  dhat.verb  Occurred
	meta  dhat.tu  µs
	meta  dhat.bu  unit
	meta  dhat.te  9
	event  0  tb  units  -  -  calls=absent
	event  1  tbk  events  -  -  calls=absent
	sample  1  100  3
	sample  -  1267650600228229401496703205376  0
	sample  4  5  1
	E
	)
	prof-cat "$corpus/adhoc" | has -x 'ctx	1	0	0	0	3:14	0x1'
	sed 's/µs/instrs/; s/"bklt":false/"bklt":true/; s/"fs"/"tl":1,"gb":1,"gbk":1,"eb":1,"ebk":1,"fs"/g' \
		"$corpus/adhoc" >all
	prof-cat all | has -x 'event	6	tl	instrs	-	-	calls=absent'
	sed 's/instrs/µs/' all | prof-cat | has -x 'event	6	tl	us	-	-	calls=absent'
	# Numbers that the header does not announce, as some writers write them.
	sed 's/"fs"/"rb":7,"mb":9,"fs"/g' "$corpus/adhoc" >more
	prof-cat more 2>err | diff <(prof-cat "$corpus/adhoc") -
	has -x 'prof-cat: more: numbers that bklt and bkacc do not announce are dropped, of 3 program points' err
	sed 's/"dhatFileVersion":2/"dhatFileVersion":3/' "$corpus/heap" >other
	exits_with 2 'other: expected dhatFileVersion 2' prof-cat other
}

@test "sums that do not add up are labels, and dropped data is reported" {
	prof-cat "$corpus/accesses" 2>err | has 'max_bytes=8	max_blocks=1$'
	grep -qx 'prof-cat: .*: counts of accesses by byte are dropped, of 1 program point' err
	[ "$(prof-cat library.dhat 2>&1 >/dev/null | sed 's/.*of \([0-9]*\) program.*/\1/')" = \
		"$(jq '[.pps[] | select(.acc)] | length' library.dhat)" ]
}

@test "allocators charges malloc to its callers" {
	prof-top --quiet --tsv -n 0 --events tb library.dhat |
		awk -F '\t' '$3 ~ /vgpreload/ { n += $5 } END { print n }' >n
	[ "$(cat n)" = "$(sums library.dhat | sed -n 's/^tb //p')" ]
	prof-top --quiet --tsv -n 0 --events tb --rules allocators library.dhat >got
	lacks got 'vgpreload'
	awk -F '\t' 'NR > 1 { n += $5 } END { print n }' got | same n -
}

@test "malformed input is an error with its line" {
	while IFS='|' read -r change says; do
		echo "$change"
		sed "$change" "$corpus/heap" >bad
		run -1 cmp -s bad "$corpus/heap"
		exits_with 2 "prof-cat: bad:$says" prof-cat bad
		[ "$(tail -n 1 out)" != end ]
	done <<-'E'
	s/"fs":\[1,2\]/"fs":[1,3]/|7: a frame that is not in ftbl
	s/"fs":\[1,2\]/"fs":[1,-2]/|7: expected a number from 0 to 2^64 - 1
	s/,"fs":\[1,2\]//|7: a program point without a stack
	s/"tb":64,//|7: program point: missing field
	s/"tb":64/"tb":6.4/|7: expected a whole number
	s/"tb":64/"tb":1e99/|7: the number is too large
	s/"bklt":true/"bklt":1/|3: expected true or false
	s/"pid":12/"pid":x/|5: expected a number
	s/,"ftbl".*//| 'ftbl' is missing
	s/^,"pps":/,"pp":/| 'pps' is missing
	s/^,"ftbl"/,"ftbl":[]&/|8: a second ftbl
	s/^}$/}}/|9: there is more after the end
	s/^}$//|10: the file is truncated: the text ends early
	E
}

@test "many points, frames and deep stacks are no trouble" {
	perl -e 'my $n = 20000; print "{\"dhatFileVersion\":2,\"mode\":\"heap\",\"verb\":\"A\",\"bklt\":false,\"bkacc\":false,\"cmd\":\"x\",\"pps\":[",
		join(",", map { "{\"tb\":1,\"tbk\":1,\"fs\":[$_]}" } 0 .. $n - 1),
		",{\"tb\":1,\"tbk\":1,\"fs\":[", join(",", 0 .. $n - 1), "]}],\"ftbl\":[",
		join(",", map { "\"0x$_: f$_ (a.c:$_)\"" } 0 .. $n - 1), "]}"' >large
	brief 10 prof-cat large >got
	[ "$(grep -c '^sample' got)" = 20001 ]
}

@test "names of C++ read well in flame graphs and stacks" {
	prof-to folded --quiet --events tb library.dhat | has 'std::.*;'
	prof-to svg --quiet --events eb library.dhat | xmllint --noout -
	prof-tree --quiet --width 100 --rules allocators library.dhat | has main
}
