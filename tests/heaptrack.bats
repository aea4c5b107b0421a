#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# heaptrack's recordings: against heaptrack_print, on what heaptrack records here, against
# DHAT, and on files of known values.

load tools.bash

corpus=$BATS_TEST_DIRNAME/fuzz/corpus/heaptrack

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	"${CXX:-c++}" -g -O2 -o blocks "$TESTS/programs/blocks.cc" -pthread
	heaptrack -o blocks ./blocks >log 2>&1 </dev/null || { cat log; return 1; }
	heaptrack -r -o data ./blocks >>log 2>&1 </dev/null
	zstdcat "$TESTS/../share/examples/pages.heaptrack.zst" >pages
	cp "$corpus/all" known
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return 1
}

# printed EVENT FILE: the stacks of heaptrack_print, whole names, nothing suppressed.
printed() {
	heaptrack_print -t 0 --disable-builtin-suppressions --disable-embedded-suppressions \
		-F stacks --flamegraph-cost-type "$1" "$2" >report
	sort stacks
}

# ours EVENT FILE: the same of ours.
ours() {
	prof-cat --quiet "$2" | "$TESTS/heaptrack.py" "$1" | sort
}

@test "every stack has the numbers of heaptrack_print" {
	for f in blocks.zst pages known "$corpus/version2"; do
		[ "$(prof-cat --probe $f | sed 's/.*: //; s/, zstd//')" = heaptrack ]
		for e in allocations leaked peak; do
			echo $f $e
			printed $e $f >want
			[ -s want ]
			ours $e $f | diff want -
		done
		# The bytes of all: sizes, and how often there were such.
		heaptrack_print -H sizes $f >/dev/null
		prof-cat --quiet $f | awk -F '\t' '$1 == "sample" { n += $4 } END { print n }' |
			diff <(awk '{ n += $1 * $2 } END { print n }' sizes) -
	done
}

@test "temporary is what is freed at once, and not what heaptrack_print counts besides" {
	# It takes the first kind of allocation for the last one, once a block was freed.
	for f in blocks.zst pages known; do
		zstd -dcqf $f >lines
		besides=$(awk '$1 == "-" && $2 == 0 && last != "+ 0" { n++ }
			/^[-+]/ { last = $0 } END { print n + 0 }' lines)
		printed temporary $f | awk '{ n += $NF } END { print n }' >want
		ours temporary $f | awk -v n="$besides" '{ n += $NF } END { print n }' | diff want -
		# Of any other stack it is the same.
		[ "$(printed temporary $f | diff - <(ours temporary $f) | grep -c '^<')" -le 1 ]
	done
	[ "$(ours temporary blocks.zst | awk '/churn/ { n += $NF } END { print n }')" = 1077 ]
}

@test "what a program does is what its recording has" {
	prof-top --quiet --tsv -n 0 --events allocations,bytes,leaked,temporary,peak blocks.zst >top
	row() { awk -F '\t' -v name="$1" '$1 == name { print $6, $8, $10, $12, $14 }' top; }
	# The first block that is freed looks like the last one that was allocated.
	[ "$(row peak)" = '50 150150 0 1 150150' ]
	[ "$(row churn)" = '1077 123106 0 1077 0' ]
	# Inlined functions have the lines of their calls: 6 * 3 bytes, and those of peak.
	[ "$(row more_zeros)" = '51 150168 18 1 150150' ]
	prof-top --quiet --tsv -n 0 --by function,line --events bytes blocks.zst |
		awk -F '\t' '$1 ~ /zeros$/ { print $1, $4, $6, $7 }' | diff - <(printf '%s\n' \
		"zeros $(grep -n 'return calloc' "$TESTS/programs/blocks.cc" | cut -d : -f 1) 150168 150168" \
		"more_zeros $(grep -n 'return zeros' "$TESTS/programs/blocks.cc" | cut -d : -f 1) 0 150168")
}

@test "the example agrees with DHAT on the same program" {
	columns() { awk -F '\t' '$1 == "render_text" { print $6, $8, $10 }'; }
	prof-top --quiet --tsv -n 0 --events bytes,allocations,leaked pages | columns >got
	prof-top --quiet --tsv -n 0 --rules allocators --events tb,tbk,eb \
		"$TESTS/../share/examples/pages.dhat.zst" | columns | diff - got
	[ "$(cut -d ' ' -f 2 got)" = 400 ]
}

@test "each line is read as known" {
	prof-cat known 2>err | diff - <(tabs <<-'E'
	prof  1
	part  1  positions=addr,line
	meta  format  heaptrack
	meta  creator  heaptrack 1.4.0
	meta  cmd  ./prog 12
	meta  memory  256 kB
	meta  duration  10000 ms
	meta  heaptrack.peak_rss  192 kB
	event  0  allocations  -  -  -  calls=absent  default=1
	event  1  bytes  B  -  bytes allocated  calls=absent
	event  2  leaked  B  -  bytes not freed at the end  calls=absent
	event  3  peak  B  -  bytes in use at the peak  calls=absent
	event  4  temporary  -  -  freed before anything else was allocated or freed  calls=absent
	sample  -  1  16  16  0  0
	object  0  /bin/prog  -
	file  0  prog.c
	func  0  main  0  0  -
	ctx  0  -  0  0  31  0x401020
	func  1  inner  0  0  -
	func  2  work  0  0  -
	ctx  1  0  2  0  12  0x401080
	ctx  2  1  1  0  7  0x401080  inlined=1
	sample  2  4  128  64  64  2
	sample  0  1  64  0  64  0
	func  3  work  -  0  -
	ctx  3  -  3  -  -  0x402000
	ctx  4  3  -  -  -  -
	sample  4  1  8  8  0  0
	end
	E
	)
	grep -q "the program's suppressions of leaks are not applied: 1$" err
	# Version 2 has strings without their length, with blanks; attached to a program.
	prof-cat "$corpus/version2" | has -x 'object	0	/bin/my prog	-'
	# Before 1.0.0 the only version was that of heaptrack.
	sed 's/^v.*/v 10200/' "$corpus/version2" | prof-cat | has -x 'meta	creator	heaptrack 1.2.0'
	# The command may have newlines.
	printf 'v 10400 3\nX sh -c echo\n- 7\n\nI 1000 0\n# strings: 0\n# ips: 0\n' | prof-cat |
		has -xF 'meta	cmd	sh -c echo\n- 7\n'
	gzip -c known >known.gz
	prof-cat --quiet known.gz | same <(prof-cat --quiet known) -
}

@test "pages whose memory does not fit 128 bits are warned of, and have none" {
	sed 's/^I .*/I ffffffffffffffff ffffffffffffffff/' known >bad
	prof-cat bad >got 2>err
	lacks got '^meta	memory'
	has '18446744073709551615 pages of 18446744073709551615 bytes do not fit 128 bits' err
}

@test "the peak is that of the first moment with most bytes, whatever comes after" {
	{ printf 'v 10400 3\nX x\nI 1000 0\ni 1 0\ni 2 0\nt 1 0\nt 2 0\na 10 1\na 10 2\na 4 2\n'
	# 32 bytes twice: first 16 and 16, then 32 of the second alone.
	printf '%s\n' '+ 0' '+ 1' '- 0' '+ 1' '- 1' '- 1' '+ 2' '# strings: 0' '# ips: 2'; } >twice
	prof-cat twice | grep '^sample' | diff - <(tabs <<-'E'
	sample  0  1  16  0  16  0
	sample  1  3  36  4  16  1
	E
	)
	ours peak twice | diff <(printed peak twice) -
}

# bad CHANGE TEXT: the known file, changed by sed, is an error.
bad() {
	sed "$1" known >bad
	run -1 cmp -s known bad
	exits_with 2 "$2" prof-cat --from heaptrack --quiet bad
}

@test "every error has a place, and --lenient goes on behind it" {
	bad 's/^v .*/v x/' "bad:1: expected one version, as in 'v 10400 3', found 'v x'"
	bad 's/^v .*/&\n&/' 'bad:2: expected one version'
	bad 's/^v .*/v 10500 4/' "bad:1: version 4 of heaptrack's format is not supported, only 1 to 3 are: run 'heaptrack_print -F stacks.folded' on it"
	bad 's/^v .*/v 10000/' "bad:1: version 0 of heaptrack's format is not supported, only 1 to"
	bad 's/^I .*/&\nX b/' "bad:4: a second command: 'X b'"
	bad 's/^I .*/I 1000/' 'bad:3: expected the size of a page and the number of them'
	bad 's/^s 4 main/s 5 main/' "bad:6: expected a string and before it its length in hex, as in 's 4 main', found 's 5 main'"
	bad 's/^s 4 main/s/' 'bad:6: expected a string'
	bad 's/^i 401020.*/i 401020 6/' 'bad:10: expected an address, its object'
	bad 's/^i 401020.*/i 401020 1 2 3/' 'bad:10: expected an address'
	bad 's/^i 401020.*/i 401020 1 2 3 1f 4/' 'bad:10: expected an address'
	bad 's/^i 401020.*/i 10000000000000000 1/' 'bad:10: expected an address'
	bad 's/^t 2 1/t 3 1/' "bad:13: expected an address, 0 to 2, and a stack, 0 to 1, found 't 3 1'"
	bad 's/^t 2 1/t 2 2/' "bad:13: expected an address, 0 to 2, and a stack, 0 to 1, found 't 2 2'"
	bad 's/^t 2 1/t 2 1 1/' 'bad:13: expected an address, 0 to 2'
	bad 's/^a 20 2/a 20 3/' "bad:14: expected a size and a stack, 0 to 2, found 'a 20 3'"
	bad '15s/+ 0/+ 1/' "bad:15: expected the number of an 'a' line before, of which there are 1, found '+ 1'"
	bad '15s/+ 0/+ 0 0/' "bad:15: expected the number of an 'a' line"
	bad '15d' "bad:15: a block is freed that was not allocated: '- 0'"
	bad 's/^c 1f4/c 1g4/' "bad:17: expected a number in hex, found 'c 1g4'"
	bad 's/^R 30/Q 30/' "bad:18: expected a letter that heaptrack uses, such as + or -, found 'Q 30'"
	bad 's/^R 30/R30/' "bad:18: expected a letter and a blank, found 'R30'"
	bad 's/^# ips: 4/# ips: x/' 'expected a number, found'
	bad 's/^# ips: 4/# ips: 5/' 'the file is damaged: it has 5 strings and 4 addresses, but its end states 5 and 5'
	# A line that is skipped has its number: those after it mean what they did.
	sed 's/^s 5 inner/s 6 inner/; s/^a 40 1/a 40 x/' known >bad
	prof-cat --lenient bad 2>err >got
	grep '^\(func\|sample\)' got | diff - <(tabs <<-'E'
	sample  -  1  16  16  16  0
	func  0  main  0  0  -
	func  1  -  0  0  -
	func  2  work  0  0  -
	sample  2  4  128  64  64  2
	func  3  work  -  0  -
	sample  4  1  8  8  8  0
	E
	)
	sed -n 's/.*warning: skipped: bad:\([0-9]*\):.*/\1/p' err | diff - <(printf '%s\n' 9 19 20 24)
}

@test "truncation is noticed wherever it is" {
	for n in $(seq 5 $(($(wc -l <known) - 1))); do
		head -n "$n" known >cut
		exits_with 2 "cut: the file is truncated: '# strings:' and '# ips:', which heaptrack writes last, are missing" prof-cat --quiet cut
	done
	head -c -1 known >cut
	exits_with 2 'the file is truncated: its last line has no newline' prof-cat --quiet cut
	head -n 2 known >cut
	exits_with 2 "the file is truncated: no line such as 'I 1000 3e44e5' comes after the command" prof-cat cut
	head -n 25 known >cut
	prof-cat --lenient cut 2>/dev/null | has -x 'sample	2	3	96	32	64	2'
	head -c 900 blocks.zst >cut.zst
	exits_with 2 'cut.zst: the zstd data is truncated' prof-cat --quiet cut.zst
}

@test "raw data names heaptrack_interpret" {
	exits_with 2 "unknown format (raw data of heaptrack: run 'heaptrack --interpret' on them, or pipe them through heaptrack_interpret" \
		prof-top data.raw.zst
}

@test "deep stacks, many strings, and many peaks cost little" {
	for s in strings deep peaks blocks; do
		shape heaptrack:$s 50000 >x
		brief 5 prof-cat --quiet x >out
		grep -q '^sample' out
	done
	shape heaptrack:inlined 3000 >x
	exits_with 2 'more than 1000000 inlined frames in stacks, too many for a file of this size' \
		brief 10 prof-cat --quiet x
	shape heaptrack:command 300000 >x
	exits_with 2 "no line such as 'I 1000 3e44e5' comes after the command" limited 400000 prof-cat x
}
