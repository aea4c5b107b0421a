#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec stream
# Lines that are read together give what lines give one by one, with any instructions of the
# processor.

load helper.bash

# same N FILE COMMAND...
same() {
	perl "$BATS_TEST_DIRNAME/same.pl" "$1" "${SEED:-1}" "${@:2}"
}

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	zstd -qdf "$BATS_TEST_DIRNAME/../share/examples/wordcount.callgrind.zst" -o lines
	valgrind --tool=callgrind --callgrind-out-file=instr --dump-instr=yes \
		--collect-jumps=yes --cache-sim=yes --dump-every-bb=20000 --combine-dumps=yes \
		true 2>/dev/null
}

@test "damaged Callgrind files: the same output, messages and status" {
	run -0 same 40 "$made/lines" prof-top 'prof-top --lenient -n 0'
	run -0 same 40 "$made/instr" prof-top 'prof-top --lenient -k calls -n 0'
	run -0 same 20 "$made/instr" 'prof-to folded --estimate --events Ir' \
		'prof-to folded --estimate --events Ir --lenient'
}

@test "damaged Callgrind files as streams" {
	run -0 same 30 "$made/lines" prof-cat 'prof-grep -v a'
	run -0 same 30 "$made/instr" prof-cat 'prof-cat --lenient'
}

# The second file's parts have a source, which comes before the first cost.
@test "options and filters before a stream" {
	cp "$made/lines" lines
	run -0 same 2 "$made/instr" 'prof-cat lines' 'prof-cat --where part=2' \
		'prof-cat --where part=2,3' 'prof-cat --events Dr' 'prof-cat --rules libc' \
		'prof-grep -f /dev/null' 'prof-grep -C 1 exit' 'prof-grep --role caller .' \
		'prof-grep -c .' 'prof-to callgrind' 'prof-to text' 'prof-merge'
}

@test "options and filters that need more than sums" {
	run -0 same 2 "$made/instr" 'prof-top -b line' 'prof-top -b file,function' \
		'prof-top --tsv' 'prof-top --json' 'prof-top --events Dr' \
		'prof-top --events Ir+Dr' 'prof-top -k Ir.incl' 'prof-top --callers strlen' \
		'prof-top --where part=2' 'prof-grep dl_ -' 'prof-top --min 1%' \
		'prof-top --rules libc -n 0' 'prof-cat' 'prof-tree'
}

# callgrind LAYOUT N: functions with lines of unusual forms among N others.
callgrind() {
	perl -e '
	my ($layout, $n) = @ARGV;
	my $at = $layout =~ /instr/ ? "0x4000 " : "";
	my $on = $at ? "+2 " : "";
	print "# callgrind format\ncreator: callgrind-3\npositions: $layout\n",
	    "events: Ir Dr\n\nfl=(1) a.c\nfn=(1) main\n${at}5 1\n";
	for my $i (2 .. $n) {
		print "fn=($i) f$i\n${at}10 9999999\n${on}* 12345678\n${on}-9 1 2\n",
		    "${on}+70 123456789012\n${on}9999 7\n";
		print "${on}+1 18446744073709551616\n" if $i % 50 == 7;
		print "fi=(2) b.h\n${on}+1 3\nfe=(1)\n" if $i % 3 == 0;
		print "cfn=(1)\ncalls=0 ${at}5\n${on}+1 340282366920938463463\n" if $i % 4 == 0;
		print "\n" if $i % 5 == 0;
	}
	print "\ntotals: 0\n"' "$@"
}

@test "numbers of all lengths, by line and by instruction" {
	local layout
	for layout in line 'instr line'; do
		callgrind "$layout" 300 >in
		run -0 same 3 in prof-top 'prof-top --lenient -n 0' prof-cat
	done
	run -0 prof-top -n 0 --exact in
	grep -E '^ *123,479,134,697 .* f2 ' <<<"$output"
	callgrind 'instr line' 300 | sed '905,$s/^0x4000 10 9999999$/-99999 1 1/' >in
	exits_with 2 "in:911: expected 2 positions and costs, found '-99999 1 1'" prof-top in
}

# The sum of a function would not fit: the message has the line of the cost.
@test "a sum that does not fit has its line" {
	callgrind line 200 | awk -v max=170141183460469231731687303715884105727 '
		{ print } /^fn=\(150\)/ { print 3, max; for (i = 0; i < 40; i++) print "+1 1" }' >in
	exits_with 2 "in:1188: a sum does not fit 128 bits" prof-top in
	run -0 same 0 in prof-top 'prof-top --lenient'
}

@test "as many costs as there are events, and one more, in lines of 63 bytes" {
	local n costs
	for n in 29 30 31; do
		costs=$(printf ' 1%.0s' $(seq "$n"))
		{
			printf '# callgrind format\nevents:%s\n\nfl=(1) a\n' \
				"$(printf ' E%d' $(seq "$n"))"
			for ((i = 1; i < 40; i++)); do
				printf 'fn=(%d) f%d\n1%s\n+1%s\n' "$i" "$i" "$costs" "$costs"
			done
		} >in
		run -0 same 0 in prof-top
		prof-top in
		printf '+1%s 1\n1%s\n' "$costs" "$costs" >>in
		exits_with 2 "in:122: more costs than events ($n): '1'" prof-top in
		run -0 same 0 in prof-top 'prof-top --lenient'
	done
}

# Of several blocks that threads share, the last lines may be read before lines with errors
# are put.
@test "errors in late blocks, before and after other errors" {
	local i
	for ((i = 0; i < 8; i++)); do
		cat "$made/instr"
	done >in
	[ "$(wc -c <in)" -gt 1000000 ]
	run -0 same 6 in prof-top 'prof-top --lenient -n 0' prof-cat 'prof-cat --lenient'
	sed '$s/.*/0x1 7 x\n+1 +1 5/' in | head -c -1 >open
	run -0 same 0 open prof-top 'prof-top --lenient -n 0' 'prof-cat --lenient'
	exits_with 2 "open:$(wc -l <open): expected a cost, found 'x'" prof-top -j 2 open
	{ sed '$s/.*/+1 +1 y/' in; head -c 1100000 /dev/zero | tr '\0' 1; echo; } >long
	run -0 same 0 long 'prof-top --max-line 1' 'prof-cat --max-line 1 --lenient'
	exits_with 2 "long:$(wc -l <in): expected a cost, found 'y'" \
		prof-top --max-line 1 -j 2 long
	exits_with 2 "long:$(($(wc -l <in) + 1)): the line is longer than 1 MiB" \
		prof-top --max-line 1 -j 2 --lenient long
	zstd -q in && head -c -100 in.zst >cut.zst
	run -0 same 0 cut.zst prof-top 'prof-top --lenient -n 0' 'prof-cat --lenient'
}

@test "files, pipes and compressed files, with any number of threads" {
	local i
	for ((i = 0; i < 20; i++)); do
		cat "$made/instr"
	done >in
	zstd -q in
	PROF_BY_LINES=1 prof-top -n 0 in >want
	for i in 1 2 5; do
		prof-top -n 0 -j "$i" in | diff want -
		prof-top -n 0 -j "$i" in.zst | diff want -
		prof-top -n 0 -j "$i" <in | diff want -
		cat in | prof-top -n 0 -j "$i" | diff want -
	done
	PROF_BY_LINES=1 prof-cat in >want
	for i in 1 2 5; do
		prof-cat -j "$i" in | cmp want -
		prof-cat -j "$i" in.zst | cmp want -
		prof-cat -j "$i" <in | cmp want -
		cat in | prof-cat -j "$i" | cmp want -
	done
}
