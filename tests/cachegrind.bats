# SPDX-License-Identifier: ISC
# of: codec prof-merge
# Cachegrind's format: what valgrind writes, what Cachegrind's own programs make
# of what we write, then each rule by hand.

load helper.bash

real=$BATS_TEST_DIRNAME/real

# NAME OPTION... COMMAND
runs() {
	cat <<-'E'
	default ./work
	instructions --cache-sim=no ./work
	both --branch-sim=yes ./work
	branches --cache-sim=no --branch-sim=yes ./work
	threads --branch-sim=yes ./threads
	names ./names
	ls --branch-sim=yes /bin/ls /
	E
}

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	local p name options

	for p in work threads; do
		"${CC:-cc}" -g -O0 -pthread -o "$p" "$repo/tests/programs/$p.c"
	done
	g++ -g -O1 -o names "$real/names.cc"
	while read -r name options; do
		cachegrind "$name" $options
	done < <(runs)
	valgrind_to arguments.odd cachegrind ./work 'a b' 'new
line' 'back\slash' 'last
'
	valgrind_to work.callgrind callgrind --dump-instr=yes --dump-line=yes \
		--collect-jumps=yes --cache-sim=yes ./work
}

# cachegrind NAME [OPTION...] COMMAND...: a profile in NAME.out.
cachegrind() {
	local out=$1
	shift
	valgrind_to "$out.out" cachegrind "$@"
}

# The profiles of setup_file: all, or that of a name.
real() {
	printf '%s\n' $made/${1:-*}.out
}

# profile EVENTS: a file from standard input, after a header.
profile() {
	{ printf '%s\n' 'desc: by hand' 'cmd: ./x' "events: $1"; cat; } >x.cg
}

# gives: the records of x.cg behind the events are those on standard input,
# where "@" is a blank; written and read again they are the same.
gives() {
	tabs | sed 's/-@$//; s/@/ /g' >want
	silent prof-cat x.cg >x.prof
	sed '1,/^event/d; /^event/d; $d' x.prof >got
	same want got
	both_ways x.prof
}

# both_ways STREAM: written and read again it is the same.
both_ways() {
	prof-to cachegrind --quiet "$1" >again.cg
	perl "$real/cg_strict.pl" again.cg
	prof-cat --quiet again.cg >again.prof
	same "$1" again.prof
}

# refused N TEXT: line N of x.cg is complained about so.
refused() {
	exits_with 2 "prof-cat: x.cg:$1: $2" prof-cat x.cg
	lacks out '^end'
}

# The table of cg_annotate: file, function, all events.
annotated() {
	cg_annotate --threshold=0 --auto=no "$1" 2>annotate.err |
		perl "$real/annotate.pl" cachegrind
	[ ! -s annotate.err ] || cat annotate.err >&2
}

# The same of prof-top.
topped() {
	prof-top --by file,function --tsv "$1" |
		perl "$real/table.pl" /dev/null $(events_of "$1")
}

events_of() {
	sed -n 's/^events: *//p' "$1"
}

# The table of a profile, each number times N.
times() {
	awk -F '\t' -v OFS='\t' -v n="$2" '
	NR > 1 { for (i = 4; i <= NF; i++) if ($i != "-") $i *= n } { print }' "$1"
}

# ---- what valgrind writes ----

@test "valgrind made the profiles, with the events that the options choose" {
	local caches='Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw'

	same <(echo $caches) <(echo $(events_of "$(real default)"))
	same <(echo Ir) <(events_of "$(real instructions)")
	same <(echo $caches Bc Bcm Bi Bim) <(events_of "$(real both)")
	same <(echo Ir Bc Bcm Bi Bim) <(events_of "$(real branches)")
	grep -q '^fl=.*/inline.h$' "$(real default)"
	grep -q '^fn=shared$' "$(real threads)"
	grep -q '^fn=.*std::.*<.*, .*>' "$(real names)"
	[ "$(wc -l <"$(real ls)")" -gt 3000 ]
}

@test "valgrind's profiles are recognised, read and written without a message" {
	local f

	for f in $(real); do
		[ "$(prof-cat --probe "$f")" = "$f: cachegrind" ]
		silent prof-cat "$f" >x.prof
		silent prof-to cachegrind --strict x.prof >y.cg
		silent prof-top --tsv "$f" >/dev/null
	done
}

@test "decode, encode, decode gives the same stream" {
	local f

	for f in $(real); do
		prof-cat "$f" >x.prof
		[ "$(grep -c '^cost' x.prof)" = "$(grep -c '^[0-9]' "$f")" ]
		both_ways x.prof
	done
}

@test "valgrind's file is written again byte for byte, except one blank" {
	local f

	for f in $(real); do
		sed -e '/^events:/s/ $//' -e '/^desc:/s/: */: /' "$f" >want
		prof-to cachegrind "$f" >got
		same want got
	done
}

@test "the lines add up to the summary that valgrind wrote" {
	local f want

	for f in $(real); do
		want=$(sed -n 's/^summary: *//p' "$f")
		[ "${want%% *}" -gt 10000 ]
		prof-cat "$f" >x.prof
		[ "$(self_sums x.prof)" = "$want" ]
		[ "$(awk -F '\t' '$1 == "total" { $1 = $2 = ""; print substr($0, 3) }' x.prof)" = "$want" ]
		[ "$(prof-to cachegrind x.prof | tail -n 1)" = "summary: $want" ]
	done
}

@test "the header's facts and events are those of the file" {
	silent prof-cat "$(real both)" | sed '/^file/,$d' >got
	local e
	{
		printf '%s\n' 'prof  1' 'part  1  positions=line' 'meta  format  cachegrind'
		sed -n 's/^desc: */meta  desc  /p' "$(real both)" | sed 's/\(meta  desc  .*cache:\) */\1@/'
		echo 'meta  cmd  ./work'
		local n=0
		for e in $(events_of "$(real both)"); do
			echo "event  $((n++))  $e  -  -  -  calls=absent"
		done
	} | tabs >want
	# The blanks in a description stay.
	sed -i -E 's/(cache:) +/\1@/' got
	same want got
	grep -q 'I1 cache:@' got
}

@test "inlined lines are costs of their file, in the function around them" {
	silent prof-cat "$(real instructions)" | spelt |
		awk -F '\t' '$3 ~ /inline.h$/ { sub(/ .*/, "", $2); print $2, $4 }' >got
	awk '/h \^=|h \*=|return h/ { print "loops", NR }' "$repo/tests/programs/inline.h" >want
	[ "$(wc -l <want)" -eq 3 ]
	same want got
}

@test "a command with newlines in its arguments survives" {
	local f=$BATS_FILE_TMPDIR/arguments.odd

	# Lines that cg_annotate stumbles over.
	[ "$(sed -n '/^cmd:/,/^events:/p' "$f" | wc -l)" -eq 4 ]
	prof-cat "$f" >x.prof 2>err
	grep -qF "arguments.odd:5: read as part of the command: 'line back" err
	[ "$(wc -l <err)" -eq 1 ]
	grep -P '^meta\tcmd\t' x.prof >got
	printf 'meta\tcmd\t%s\n' './work a b new\nline back\\slash last\n' >want
	same want got
	prof-cat --quiet "$f" 2>err >/dev/null
	[ ! -s err ]
	silent prof-to cachegrind --strict x.prof >y.cg
	grep -qx 'cmd: ./work a b new line back\\slash last ' y.cg
	silent prof-cat y.cg >y.prof
	same x.prof y.prof
	cg_annotate --auto=no y.cg >got 2>err
	[ ! -s err ]
	grep -q '^Command: *./work a b new line' got
}

# ---- Cachegrind's own programs ----

# agrees NAME ROWS: each function, each event.
agrees() {
	annotated "$(real "$1")" >want
	topped "$(real "$1")" >got
	[ "$(wc -l <want)" -ge "$2" ]
	same want got
}

@test "prof-top agrees with cg_annotate: a C program, 13 events" {
	agrees both 100
	grep -qP '/inline.h\tloops\t\d\d' got
}

@test "prof-top agrees with cg_annotate: a C++ program, 9 events" {
	agrees names 300
	grep -q 'std::.*<.*, .*>' got
}

@test "prof-top agrees with cg_annotate: ls, 13 events" {
	agrees ls 200
}

@test "prof-top agrees with cg_annotate: a program with threads" {
	agrees threads 100
	[ "$(awk -F '\t' '$2 == "shared" && $3 > 3000 && $12 > 0' got | wc -l)" = 1 ]
}

@test "calls and inclusive costs are absent" {
	silent prof-top --tsv -n 3 "$(real instructions)" >got
	[ "$(head -n 1 got)" = "$(echo 'function  file  object  calls  Ir  Ir.incl' | tabs)" ]
	[ "$(sed 1d got | cut -f 3,4,6 | sort -u)" = "$(echo '-  -  -' | tabs)" ]
}

@test "cg_annotate prints the same for what we write" {
	local f

	for f in $(real); do
		annotated "$f" >want
		prof-cat "$f" | prof-to cachegrind >x.cg
		annotated x.cg >got 2>err
		[ ! -s err ]
		same want got
		cg_annotate --auto=no "$f" | sed -n '/^Data file/d; 1,/PROGRAM TOTALS/p' >want
		cg_annotate --auto=no x.cg | sed -n '/^Data file/d; 1,/PROGRAM TOTALS/p' >got
		same want got
	done
}

@test "cg_merge takes what we write, and twice a profile is twice its numbers" {
	local name

	for name in both names instructions; do
		prof-to cachegrind "$(real $name)" >x.cg
		cg_merge -o merged x.cg x.cg 2>err
		lacks err '(?i)error|fail|abort'
		# What cg_merge writes has its own blanks.
		grep -qP '^\d+   \d' merged
		silent prof-cat merged >merged.prof
		silent prof-top --tsv -k file,function "$(real $name)" >once
		silent prof-top --tsv -k file,function merged >got
		times once 2 >want
		same want got
		both_ways merged.prof
	done
}

@test "cg_diff of what we write and the original is zero all over" {
	local name=both

	prof-to cachegrind "$(real $name)" >x.cg
	cg_diff "$(real $name)" x.cg >diff.cg
	grep -q '^events:  Ir' diff.cg
	silent prof-cat diff.cg >diff.prof
	grep '^cost' diff.prof | cut -f 6- | tr '\t' '\n' | sort -u >got
	same <(echo 0) got
	[ "$(grep -c '^func' diff.prof)" -eq "$(annotated "$(real $name)" | wc -l)" ]
	grep -q "^meta	desc	Files compared:   .*$name.out; x.cg" diff.prof
	both_ways diff.prof
}

@test "cg_diff's negative counts come through" {
	cg_diff "$(real both)" "$(real threads)" >diff.cg
	grep -qP '^0 -\d' diff.cg
	silent prof-cat diff.cg >diff.prof
	[ "$(self_sums diff.prof)" = "$(sed -n 's/^summary: //p' diff.cg)" ]
	annotated diff.cg >want
	topped diff.cg >got
	same want got
	both_ways diff.prof
	annotated again.cg >got
	same want got
}

@test "the checker for strict readers is strict" {
	local bad

	ok() {
		printf '%s\n' "$@" >s.cg
		perl "$real/cg_strict.pl" s.cg
	}
	ok 'desc: d' 'cmd: x' 'events: A B' 'fl=a' 'fn=f' '1 2 3' '' '# c' '2 0 -1' 'summary: 2 2'
	for bad in '1 2' '1 2 3 4' '1 2 .' '-1 2 3' ' 1 2 3' 'x' 'fl=b' 'fn' '1_0 2 3'; do
		run -255 ok 'desc: d' 'cmd: x' 'events: A B' 'fl=a' 'fn=f' "$bad" '1 0 0' 'summary: 2 3'
	done
	run -255 ok 'cmd: x' 'desc: d' 'events: A' 'summary: 0'
	run -255 ok 'cmd: x' 'events: A'
	run -255 ok 'cmd: x' 'events: A' 'fl=a' 'fn=f' '1 2' 'summary: 3'
	run -255 ok 'cmd: x' 'events: A' 'summary: 0' '# c'
}

# ---- the format, by hand ----

@test "a profile by hand is this stream" {
	printf '%s\n' 'desc: I1 cache:         32768 B' 'desc:' 'cmd: ./a.out  b' \
		'events: Ir Dr ' 'fl=a.c' 'fn=main' '1 10 2' '2 5 0' 'fl=b.h' 'fn=main' \
		'7 1 1' 'fn=operator<<(x, char [2])' '0 3 0' 'summary: 19 3' >x.cg
	silent prof-cat x.cg >got
	tabs >want <<-'E'
	prof  1
	part  1  positions=line
	meta  format  cachegrind
	meta  desc  I1 cache:         32768 B
	meta  desc@
	meta  cmd  ./a.out  b
	event  0  Ir  -  -  -  calls=absent
	event  1  Dr  -  -  -  calls=absent
	file  0  a.c
	func  0  main  0  -  -
	cost  0  0  1  -  10  2
	cost  0  0  2  -  5  0
	file  1  b.h
	func  1  main  1  -  -
	cost  1  1  7  -  1  1
	func  2  operator<<(x, char [2])  1  -  -
	cost  2  1  -  -  3  0
	total  run  19  3
	end
	E
	# Fields with blanks in them are no work for tabs().
	sed -i -e 's/cache:\t32768/cache:         32768/' -e 's/a.out\tb/a.out  b/' \
		-e 's/@$/\t/' want
	same want got
	both_ways got
	sed 's/^events: Ir Dr $/events: Ir Dr/; s/^desc:$/desc: /; s/I1 cache: */I1 cache:         /' \
		x.cg >want
	same want again.cg
}

@test "a dot and a count that is omitted are 0, blanks are any" {
	profile 'A B C' <<-'E'
	fl=a.c
	fn=f
	1 5 . .
	2 . 7
	3
	4   1  2 3   
	5	6	7	8
	006 007 00 -0
	7 -5 -007 .
	summary: 14 9 11
	E
	gives <<-'E'
	file  0  a.c
	func  0  f  0  -  -
	cost  0  0  1  -  5  0  0
	cost  0  0  2  -  0  7  0
	cost  0  0  3  -  0  0  0
	cost  0  0  4  -  1  2  3
	cost  0  0  5  -  6  7  8
	cost  0  0  6  -  7  0  0
	cost  0  0  7  -  -5  -7  0
	total  run  14  9  11
	E
}

@test "comments are kept, empty lines are not" {
	profile A <<-'E'
	# one
	fl=a.c
	#two

	fn=f
	1 5
	#
	fn=g

	# three 
	2 5
	summary: 10
	E
	gives <<-'E'
	meta  comment  @one
	meta  comment  two
	file  0  a.c
	func  0  f  0  -  -
	cost  0  0  1  -  5
	meta  comment  -@
	func  1  g  0  -  -
	meta  comment  @three@
	cost  1  0  2  -  5
	total  run  10
	E
	# Behind the summary strict readers want nothing.
	echo '# four' >>x.cg
	silent prof-cat x.cg | sort >want
	silent prof-to cachegrind x.cg >y.cg
	printf '%s\n' '# four' 'summary: 10' >want.cg
	tail -n 2 y.cg >got.cg
	same want.cg got.cg
	silent prof-cat y.cg | sort >got
	same want got
}

@test "desc: lines may be missing, cmd: may be empty" {
	printf '%s\n' 'cmd:' 'events: A' 'fl=a' 'fn=f' '1 2' 'summary: 2' >x.cg
	[ "$(prof-cat --probe x.cg)" = 'x.cg: cachegrind' ]
	silent prof-cat x.cg >x.prof
	[ "$(grep -c '^meta' x.prof)" -eq 1 ]
	both_ways x.prof
	# cg_merge wants a description.
	head -n 2 again.cg >got
	printf '%s\n' 'desc: prof format: cachegrind' 'cmd: ' >want
	same want got
	cg_merge -o merged again.cg again.cg 2>err
	[ "$(tail -n 1 merged)" = 'summary: 4' ]
}

@test "counts after fl= without fn= have no known function, with one warning" {
	profile A <<-'E'
	fl=a.c
	fn=f
	1 5
	fl=b.c
	2 6
	3 7
	fl=c.c
	4 8
	fn=f
	5 9
	summary: 35
	E
	prof-cat x.cg >x.prof 2>err
	printf '%s\n' "prof-cat: warning: x.cg:8: counts before the first 'fn=' are charged to an unknown function" >want
	same want err
	spelt x.prof >got
	tabs >want <<-'E'
	cost  f (a.c, -)  a.c  1  -  5
	cost  - (b.c, -)  b.c  2  -  6
	cost  - (b.c, -)  b.c  3  -  7
	cost  - (c.c, -)  c.c  4  -  8
	cost  f (c.c, -)  c.c  5  -  9
	E
	same want got
	both_ways x.prof
}

@test "fi= and fe= change the file and not the function's name" {
	profile A <<-'E'
	fl=a.c
	fn=f
	1 5
	fi=b.h
	2 6
	fe=a.c
	3 7
	fn=g
	4 8
	summary: 26
	E
	gives <<-'E'
	file  0  a.c
	func  0  f  0  -  -
	cost  0  0  1  -  5
	file  1  b.h
	func  1  f  1  -  -
	cost  1  1  2  -  6
	cost  0  0  3  -  7
	func  2  g  0  -  -
	cost  2  0  4  -  8
	total  run  26
	E
}

@test "??? is an unknown name, line 0 an unknown line, other names are unchanged" {
	profile A <<-'E'
	fl=???
	fn=???
	0 1
	fn=f
	0 2
	fl=
	fn=
	1 3
	fl= a b 
	fn= (12) "q" '2
	2 4
	fn=-
	3 5
	fn=a\nb
	4 6
	fn=fl=x
	18446744073709551615 7
	summary: 28
	E
	printf 'fl=\xff\xfe\0\nfn=\xc3(\t|\n9 1\n' | sed -i '/^summary/{
		r /dev/stdin
		d
	}' x.cg
	echo 'summary: 29' >>x.cg
	silent prof-cat x.cg >x.prof
	sed -n '/^func\|^file\|^cost/p' x.prof >got
	printf '%s\n' 'func\t0\t-\t-\t-\t-' 'cost\t0\t-\t-\t-\t1' 'func\t1\tf\t-\t-\t-' \
		'cost\t1\t-\t-\t-\t2' 'file\t0\t' 'func\t2\t\t0\t-\t-' 'cost\t2\t0\t1\t-\t3' \
		'file\t1\t a b ' "func\t3\t (12) \"q\" '2\t1\t-\t-" 'cost\t3\t1\t2\t-\t4' \
		'func\t4\t\\-\t1\t-\t-' 'cost\t4\t1\t3\t-\t5' \
		'func\t5\ta\\\\nb\t1\t-\t-' 'cost\t5\t1\t4\t-\t6' \
		'func\t6\tfl=x\t1\t-\t-' 'cost\t6\t1\t18446744073709551615\t-\t7' \
		'file\t2\t\xff\xfe\\x00' 'func\t7\t\xc3(\\t|\t2\t-\t-' 'cost\t7\t2\t9\t-\t1' |
		while IFS= read -r l; do printf '%b\n' "$l"; done >want
	same want got
	both_ways x.prof
}

@test "CRLF makes no difference" {
	profile 'A B' <<-'E'
	fl=a.c
	fn=f
	1 5 6
	2 7
	# c

	summary: 12 6
	E
	silent prof-cat x.cg >want
	sed 's/$/\r/' x.cg >y.cg
	[ "$(prof-cat --probe y.cg)" = 'y.cg: cachegrind' ]
	silent prof-cat y.cg >got
	same want got
}

@test "usual lines and those with a blank more say the same" {
	local f
	f=$(real both)

	silent prof-cat "$f" >want
	sed 's/^\([0-9]*\) /\1  /' "$f" >x.cg
	silent prof-cat x.cg >got
	same want got
	# Long numbers and lines, at the limits of the fast way.
	profile 'A B' <<-'E'
	fl=a
	fn=f
	1 9999999 99999999
	12345678 1 123456789
	1234567 0 18446744073709551615
	1 00000000000000000000000000000000000000000000000000000000000000000000001 2
	1 18446744073709551615 18446744073709551615
	summary: 18446744073719551616 36893488147642560020
	E
	silent prof-cat x.cg >x.prof
	sed 's/^\([0-9]*\) /\1	/' x.cg >y.cg
	silent prof-cat y.cg >y.prof
	same x.prof y.prof
}

@test "a profile without a function or cost is known" {
	profile A <<-'E'
	fl=a
	fn=f
	fn=g
	1 2
	fl=b
	fn=h
	summary: 2
	E
	gives <<-'E'
	file  0  a
	func  0  f  0  -  -
	func  1  g  0  -  -
	cost  1  0  1  -  2
	file  1  b
	func  2  h  1  -  -
	total  run  2
	E
	profile A <<<'summary: 0'
	gives <<-'E'
	total  run  0
	E
}

@test "two profiles joined by cat are two runs, and one file cannot hold them" {
	profile A <<<$'fl=a\nfn=f\n1 2\nsummary: 2'
	profile_2() { sed 's/events: A/events: B A/; s/cmd: .*/cmd: .\/y/; s/^1 .*/1 3 4/; s/summary.*/summary: 3 4/' x.cg; }
	profile_2 >y.cg
	cat x.cg y.cg >xy.cg
	silent prof-cat xy.cg >got
	tabs >want <<-'E'
	prof  1
	part  1  positions=line
	meta  format  cachegrind
	meta  desc  by hand
	meta  cmd  ./x
	event  0  A  -  -  -  calls=absent
	file  0  a
	func  0  f  0  -  -
	cost  0  0  1  -  2
	total  run  2
	part  2  positions=line
	meta  format  cachegrind
	meta  desc  by hand
	meta  cmd  ./y
	event  0  B  -  -  -  calls=absent
	event  1  A  -  -  -  calls=absent
	cost  0  0  1  -  3  4
	total  run  3  4
	end
	E
	same want got
	exits_with 2 'cachegrind holds one profile, but there are several parts: choose one with --where, or sum them with prof-merge' \
		prof-to cachegrind xy.cg
	exits_with 2 'several parts' prof-to cachegrind x.cg y.cg
	exits_with 2 'several parts' prof-to cachegrind -o z.cg x.cg y.cg
	[ ! -e z.cg ]
	silent prof-to cachegrind --where cmd=./y xy.cg >got
	same y.cg got
	# The second of them is truncated.
	head -c -2 xy.cg >cut.cg
	exits_with 2 'cut.cg:14: the profile is truncated: its last line has no newline' prof-cat cut.cg
	head -n 13 xy.cg >cut.cg
	exits_with 2 "cut.cg:13: the profile is truncated: no 'summary:'" prof-cat cut.cg
	head -n 8 xy.cg >cut.cg
	exits_with 2 "cut.cg:8: no 'events:' line" prof-cat cut.cg
}

@test "a summary that the lines do not add up to is warned of, and kept" {
	profile 'A B' <<-'E'
	fl=a
	fn=f
	1 5 1
	summary: 7 1
	E
	prof-cat x.cg >x.prof 2>err
	echo 'prof-cat: warning: x.cg:7: summary: the lines add up to 5 of event 1, not to 7' >want
	same want err
	[ "$(grep '^total' x.prof)" = "$(echo 'total  run  7  1' | tabs)" ]
	silent prof-to cachegrind x.prof >y.cg
	printf '%s\n' '1 5 1' '# prof total: run	7	1' 'summary: 5 1' >want
	tail -n 3 y.cg >got
	same want got
	both_ways x.prof
	silent prof-cat y.cg | cmp - x.prof
	# Of each part the program said its own.
	cat y.cg y.cg | silent prof-cat | grep '^total' >got
	printf 'total\trun\t7\t1\n%.0s' 1 2 | same - got
	# Percentages are of what the program said.
	[ "$(prof-top y.cg | awk '/ f /{ print $1, $2 }')" = '5 71.43' ]
}

# ---- facts and events that the format has no line for ----

@test "the filter of prof-grep is kept, there and back" {
	prof-grep -x loops "$(real default)" >x.prof
	prof-to cachegrind x.prof >x.cg 2>err
	echo "prof-to: cachegrind cannot hold: the cost of the run outside its lines (1)" >want
	same want err
	grep -qx 'desc: prof filter: -x loops' x.cg
	perl "$real/cg_strict.pl" x.cg
	silent prof-cat x.cg >y.prof
	# The order of facts means nothing.
	same <(grep -v '^total' x.prof | sort) <(grep -v '^total' y.prof | sort)
	exits_with 2 'cachegrind cannot hold: the cost of the run' prof-to cachegrind --strict x.prof
	annotated x.cg >got
	[ "$(cut -f 2 got | sort -u)" = loops ]
	[ "$(wc -l <got)" -eq 2 ]
	topped x.cg >want
	same want got
}

@test "any metadata is stored in a description, and comes back unchanged" {
	tabs >x.prof <<-'E'
	prof  1
	part  1  positions=line
	meta  format  cachegrind
	meta  desc  a
	meta  pid  17
	meta  none
	meta  absent  -
	meta  several  a\tb  \\  -
	meta  name:with:  colon: and more
	meta  desc  b  c
	meta  desc  d\ne
	meta  desc   blanks
	meta  desc  prof pid: 18
	meta  desc  prof event: no
	meta  comment  early
	meta  cmd  ./x
	event  0  A  -  -  -  calls=absent
	meta  late  x
	meta  desc  late
	meta  comment  prof pid: 19
	meta  comment   prof pid: 20
	meta  comment  c\n1
	file  0  a
	func  0  f  0  -  -
	meta  pid  21
	cost  0  0  1  -  2
	total  run  2
	end
	E
	silent prof-to cachegrind --strict x.prof >x.cg
	both_ways x.prof
	grep -qx 'desc: prof pid: 17' x.cg
	grep -qx '# prof pid: 21' x.cg
	sed '/^# /d' x.cg | prof-top --tsv - >want
	prof-top --tsv x.prof | same - want
}

@test "metadata called event and total is dropped, and reported" {
	printf '%s\n' 'prof  1' 'part  1  positions=line' 'meta  format  cachegrind' \
		'meta  event  x' 'meta  total  run  7' 'event  0  A  -  -  -  calls=absent' \
		'total  run  0' end | tabs >x.prof
	local f

	for f in cachegrind callgrind; do
		prof-to $f x.prof >x.cg 2>err
		echo "prof-to: $f cannot hold: metadata named 'event' or 'total' (2)" >want
		same want err
		silent prof-cat x.cg >y.prof
		lacks y.prof '^meta\t(event|total)'
		grep -q '^end' y.prof
	done
}

@test "metadata whose key would be read as another is dropped, and reported" {
	printf '%s\n' 'prof  1' 'part  1  positions=line' 'meta  format  cachegrind' \
		'meta  a: b  x' 'meta    y' 'meta  a:b  z' 'event  0  A  -  -  -  calls=absent' \
		'total  run  0' end | sed 's/^meta    y/meta@@y/' | tabs | tr @ '\t' >x.prof
	prof-to cachegrind x.prof >x.cg 2>err
	echo "prof-to: cachegrind cannot hold: metadata whose key is empty or contains ': ' or NUL (2)" >want
	same want err
	silent prof-cat x.cg >y.prof
	same <(sed '4,5d' x.prof) y.prof
}

@test "a command's blanks and line ends survive, and a second command is reported as dropped" {
	local cmd

	for cmd in ' ./x' '' './x\r' './x\ry' '\r' 'a\nb' '\n' '-' '\-' './x\tb' 'a\n'; do
		printf '%s\n' 'prof|1' 'part|1|positions=line' 'meta|format|cachegrind' \
			"meta|cmd|$cmd" 'event|0|A|-|-|-|calls=absent' 'total|run|0' end |
			tr '|' '\t' >x.prof
		silent prof-to cachegrind --strict x.prof >/dev/null
		both_ways x.prof
	done
	sed -i 's/^meta\tcmd.*/meta\tcmd\ta\nmeta\tcmd\tb\nmeta\tcmd\tc/' x.prof
	exits_with 2 'cachegrind cannot hold: further commands (2)' \
		prof-to cachegrind --strict x.prof
	prof-to cachegrind --quiet x.prof | prof-cat >y.prof
	same <(grep -vP '^meta\tcmd\t[bc]' x.prof) y.prof
}

@test "unit, formula, description and attributes of events come back, through callgrind, too" {
	tabs >x.prof <<-'E'
	prof  1
	part  1  positions=line
	meta  format  cachegrind
	event  0  wall time  ns  -  by the clock  calls=absent  x=y
	event  1  A  -  -  -  calls=absent
	event  2  B  bytes  -  -  calls=absent
	event  -  Sum  -  A + 2 B  both
	file  0  a.c
	func  0  f  0  -  -
	cost  0  0  1  -  1  2  3
	total  run  1  2  3
	end
	E
	both_ways x.prof
	grep -qx 'events: wall_time A B' again.cg
	grep -qxF "$(echo 'desc: prof event: 2@B@bytes@-@-@calls=absent' | tr @ '\t')" again.cg
	[ "$(grep -c '^desc: prof event:' again.cg)" = 3 ]
	annotated again.cg | cut -f 2- >got
	same <(printf 'f\t1\t2\t3\n') got
	silent prof-to callgrind x.prof >x.callgrind
	silent prof-cat x.callgrind | prof-to cachegrind | prof-cat >y.prof
	same x.prof y.prof
}

@test "metadata may come between events" {
	local f

	tabs >x.prof <<-'E'
	prof  1
	part  1  positions=line
	meta  format  cachegrind
	meta  cmd  ./x
	event  0  A  -  -  -  calls=absent
	meta  desc  between
	meta  pid  1
	event  1  B  -  -  -  calls=absent
	meta  pid  2
	file  0  a
	func  0  f  0  -  -
	cost  0  0  1  -  5  6
	total  run  5  6
	end
	E
	for f in cachegrind callgrind; do
		silent prof-to $f x.prof >x.cg
		[ "$(events_of x.cg)" = 'A B' ]
		silent prof-cat x.cg >y.prof
		same <(grep -v '^meta	format' x.prof | sort) \
			<(sed '/^total	sum/d; /^object/d; s/\t0\t0\t-$/\t0\t-\t-/' y.prof |
				grep -v '^meta	format' | sort)
	done
}

@test "events of a file without calls have none, whatever its comments contain" {
	tabs >x.prof <<-'E'
	prof  1
	part  1
	event  0  A  ns  -  -
	file  0  a
	func  0  f  0  -  -
	cost  0  0  1  -  5
	end
	E
	prof-to cachegrind x.prof | prof-top --tsv >got
	same <(printf '%s\n' 'function  file  object  calls  A  A.incl' 'f  a  -  -  5  -' | tabs) got
}

@test "a total in a comment has no more values than the part has events" {
	local bad

	for bad in '7	8	9' '7	08' 'x'; do
		profile 'A B' <<-E
		fl=a
		fn=f
		1 5 1
		# prof total: run	$bad
		summary: 5 1
		E
		refused 7 'expected a total, found '
	done
	profile 'A B' <<-'E'
	fl=a
	fn=f
	1 5 1
	# prof total: run	-	-
	summary: 5 1
	E
	silent prof-cat x.cg >x.prof
	grep -qx 'total	run	-	-' x.prof
	both_ways x.prof
}

# ---- what it cannot hold ----

@test "from callgrind, self cost by file, function and line stays, and the rest is reported" {
	local f=$BATS_FILE_TMPDIR/work.callgrind

	by_line() {
		spelt "$1" | awk -F '\t' '
		$1 == "cost" { sub(/ \([^()]*, [^()]*\)$/, "", $2)
			k = $2 "\t" $3 "\t" $4
			for (i = 6; i <= 14; i++) n[k, i] += $i; seen[k] }
		END { for (k in seen) { printf "%s", k
			for (i = 6; i <= 14; i++) printf "\t%d", n[k, i]; print "" } }' | sort
	}
	prof-to cachegrind "$f" >x.cg 2>err
	sed -i 's/ ([0-9]*)//g' err
	echo 'prof-to: cachegrind cannot hold: objects of functions, addresses, calls, jumps, files of functions whose lines are in another file, the cost of the run outside its lines' >want
	same <(tr ',' '\n' <want | sed 's/.*hold://; s/^ *//' | sort) \
		<(tr ',' '\n' <err | sed 's/.*hold://; s/^ *//' | sort)
	perl "$real/cg_strict.pl" x.cg
	prof-cat "$f" >want.prof
	silent prof-cat x.cg >got.prof
	by_line want.prof >want
	by_line got.prof >got
	[ "$(wc -l <want)" -gt 800 ]
	same want got
	[ "$(self_sums got.prof)" = "$(sed -n 's/^totals: //p' "$f")" ]
	[ "$(tail -n 1 x.cg)" = "$(sed -n 's/^totals:/summary:/p' "$f")" ]
	# As cg_annotate has it.
	annotated x.cg >want
	topped x.cg >got
	same want got
	exits_with 2 'cachegrind cannot hold: ' prof-to cachegrind --strict "$f"
}

@test "from cachegrind to callgrind the totals and each function's are the same" {
	local name

	for name in both names ls; do
		annotated "$(real $name)" >want
		silent prof-to callgrind "$(real $name)" >x.cg
		callgrind_annotate --threshold=100 --auto=no x.cg >table
		perl "$real/annotate.pl" <table >got
		same want got
		awk '/PROGRAM TOTALS/ { print $1 }' table | tr -d , >got
		sed -n 's/^summary: \([0-9]*\).*/\1/p' "$(real $name)" >want
		same want got
		silent prof-cat x.cg | prof-to cachegrind --quiet | grep -v '^desc' >got
		prof-to cachegrind "$(real $name)" | grep -v '^desc' >want
		same want got
	done
}

@test "an inlined function's own file is lost where the lines are of another" {
	tabs >x.prof <<-'E'
	prof  1
	part  1
	event  0  A  -  -  -
	file  0  a.c
	file  1  b.h
	func  0  f  0  -  -
	cost  0  0  1  -  5
	cost  0  1  2  -  6
	end
	E
	exits_with 2 'cachegrind cannot hold: files of functions whose lines are in another file (1)' \
		prof-to cachegrind --strict x.prof
}

@test "each kind of dropped data has its name" {
	tabs >x.prof <<-'E'
	prof  1
	tag  new  may  n:int:sum
	part  1
	event  0  A  -  -  -
	event  1  B  -  -  -
	object  0  /bin/x  -
	object  1  /bin/y  -
	file  0  a.c
	file  1  b.h
	func  0  f  0  0  k  x=y
	cost  0  0  1:7  -  5
	func  1  g  -  -  -
	cost  1  -  1  0x10  6  x=y
	func  2  line\nend\r  -  -  -
	cost  2  -  1  -  -  4  x=y
	cost  -  -  1  -  1
	call  0  0  1  -  1  1  -  3  5
	jump  0  0  1  -  0  0  2  -  3  -
	ctx  0  -  0  0  1  -
	sample  0  7
	point  0  -  1  1  1  1  1  1  1  1  1  1  1  -  -  -  -  -  -  -
	vprof  0  s  t  1  v
	raw  0  text
	new  7
	total  run  99
	end
	E
	prof-to cachegrind x.prof >x.cg 2>err
	sed -e 's/^prof-to: cachegrind cannot hold: //' -e 's/), /)\n/g' err | sort >got
	sort >want <<-'E'
	objects of functions (2)
	files of functions whose lines are in another file (1)
	keys of functions (2)
	attributes of functions (2)
	columns of lines (1)
	addresses (1)
	attributes of costs (2)
	absent values (written as 0) (1)
	line breaks in names (2)
	calls (1)
	jumps (1)
	stacks of samples (1)
	sizes of inputs, and what points count (1)
	value profiles (1)
	lines of another format (1)
	declared records (1)
	E
	same want got
	perl "$real/cg_strict.pl" x.cg
	[ "$(tail -n 1 x.cg)" = 'summary: 20 4' ]
	grep -qx 'fn=line\\nend\\r' x.cg
	# The last cost has no function; the point and the sample follow.
	tail -n 10 x.cg | sed -n 1,8p >got
	printf '%s\n' '1 0 4' 'fn=???' '1 1 0' 'fn=f' '0 1 0' 'fl=a.c' 'fn=f' '1 7 0' >want
	same want got
}

@test "a profile without parts or events is rejected" {
	printf 'prof\t1\nend\n' >x.prof
	exits_with 2 'prof-to: cachegrind needs a profile, but the input has none' \
		prof-to cachegrind x.prof
	printf 'prof\t1\npart\t1\nend\n' >x.prof
	exits_with 2 'prof-to: cachegrind needs an event, but the profile has none' \
		prof-to cachegrind x.prof
}

@test "values beyond 64 bits are kept, and rejected where they must fit" {
	profile 'Ir Dr' <<-'E'
	fl=a
	fn=f
	1 18446744073709551615 -9223372036854775808
	fn=big one
	2 1 18446744073709551616
	summary: 18446744073709551616 9223372036854775808
	E
	silent prof-cat x.cg >x.prof
	grep -q '^cost.*18446744073709551616$' x.prof
	exits_with 2 "prof-to: cachegrind: function 'big one', event 'Dr': '18446744073709551616' does not fit 64 bits" \
		prof-to cachegrind x.prof
	exits_with 2 "event 'Dr'" prof-to cachegrind -o y.cg x.prof
	[ ! -e y.cg ]
	# A sum of what fits.
	exits_with 2 "cachegrind: summary: '18446744073709551616' does not fit 64 bits" \
		prof-to cachegrind --events Ir x.cg
	profile 'Ir' <<-'E'
	fl=a
	fn=f
	1 170141183460469231731687303715884105728
	summary: 1
	E
	refused 6 "'170141183460469231731687303715884105728' does not fit 128 bits"
	sed -i 's/^1 .*/1 80000000000000000000000000000000000000\n2 70000000000000000000000000000000000000/' x.cg
	refused 7 'a sum does not fit 128 bits'
}

# ---- recognition ----

@test "Callgrind's files are Callgrind's, with and without their first lines" {
	local f=$BATS_FILE_TMPDIR/work.callgrind

	is() {
		printf '%s\n' "${@:2}" >probe.x
		echo "$1: $(cat probe.x)"
		[ "$(prof-cat --probe probe.x)" = "probe.x: $1" ]
	}
	[ "$(prof-cat --probe "$f")" = "$f: callgrind" ]
	sed '1,/^creator:/d' "$f" >x.cg
	[ "$(prof-cat --probe x.cg)" = 'x.cg: callgrind' ]
	sed '/^\(version\|creator\|pid\|part\|positions\|desc\|event\|#.*\):/d; /^#/d; /^$/d' "$f" >x.cg
	[ "$(head -n 2 x.cg | sed 's/:.*//' | tr '\n' ' ')" = 'cmd events ' ]
	[ "$(prof-cat --probe x.cg)" = 'x.cg: callgrind' ]
	is callgrind 'cmd: x' 'events: A' 'fl=a' 'fn=f' '1 2' 'cfn=g' 'calls=1 3' '4 5'
	is callgrind 'desc: x' 'cmd: x' 'events: A' 'fl=a' 'fn=f' '1 2' 'calls=1 3' '4 5'
	is callgrind 'cmd: x' 'events: A' 'fl=(1) a' 'fn=(1) f' '1 2'
	is callgrind 'cmd: x' 'events: A' 'ob=b' 'fl=a' 'fn=f' '1 2'
	is callgrind 'cmd: x' 'events: A' 'fl=a' 'fn=f' '1 2' 'totals: 2'
	is callgrind 'events: A' 'fl=a' 'fn=f' '1 2'
	is callgrind 'events: A' 'cmd: x' 'fl=a' 'fn=f' '1 2'
	is callgrind 'positions: line' 'cmd: x' 'events: A' 'fl=a' 'fn=f' '1 2'
	is callgrind 'cmd: x' 'positions: line' 'events: A' 'fl=a' 'fn=f' '1 2'
	is cachegrind 'cmd: x' 'events: A' 'fl=a' 'fn=f' '1 2'
	is cachegrind 'cmd: x' 'events: A' 'fl=a' 'fn=(below main)' '1 2' 'fn=(a)::f' '1 2'
	is cachegrind 'cmd: x' 'y: z' 'a=b' 'events: A' 'fl=a' 'fn=f' '1 2'
	is cachegrind 'desc: calls=1' 'cmd: calls=1 2' 'events: A' 'fl=a' 'fn=f' '1 2'
	is cachegrind 'cmd: x' 'events: A' 'summary: 0'
	is cachegrind 'cmd: x' 'events: A' 'fl=a' 'fn=(1) f' '1 2'
	is cachegrind 'cmd: x' 'events: A' 'fl=???' 'fn=(1)' '1 2'
	is callgrind 'cmd: x' 'events: A' 'fl=(1) a' 'fn=(1) f' '1 2' 'fn=(2) g' '1 2' 'fl=(1)' 'fn=(1)' '2 3'
	is callgrind 'version: 0.9.6' 'cmd: x' 'part: 1' '' 'events: Time' '' 'fl=a' 'fn=f' '1 2'
	is callgrind '' '==== NEW PROFILING FILE ====' 'version: 1' 'cmd: x' 'part: 1' 'events: A'
	is callgrind 'version: 1' 'creator: x' 'pid: 5'
	is callgrind 'arch: arm' 'timeframe (BB): 0-5' 'events: A' 'fl=a' 'fn=f' '1 2'
	is unknown 'version: 2' 'updates:' '  - package-ecosystem: pip'
	is unknown 'version: 1' 'on: push' 'events: none'
	is unknown 'version: 1'
	is unknown 'name: x' 'events: none'
	is unknown 'desc: x' 'hello'
	is unknown 'fl=a' 'fn=f' '1 2'
}

@test "a function whose name begins with a number in parentheses comes back" {
	bars >x.prof <<-'E'
	prof|1
	part|1|positions=line
	event|0|A|-|-|-|calls=absent
	file|0|a.c
	func|0|(1) f|0|-|-
	cost|0|0|1|-|5
	func|1|(12)|0|-|-
	cost|1|0|2|-|6
	total|run|11
	end
	E
	prof-to cachegrind --quiet x.prof >x.cg
	[ "$(prof-cat --probe x.cg)" = 'x.cg: cachegrind' ]
	silent prof-cat x.cg | spelt >got
	tabs >want <<-'E'
	cost  (1) f (a.c, -)  a.c  1  -  5
	cost  (12) (a.c, -)  a.c  2  -  6
	E
	same want got
}

@test "a last line without a newline is whole where the summary is right" {
	printf '%s\n' 'cmd: x' 'events: A B' 'fl=a' 'fn=f' '1 20 3' 'summary: 20 3' >whole
	silent prof-cat whole >want
	head -c -1 whole >x.cg
	silent prof-cat x.cg | same want -
	silent prof-cat < <(cat x.cg) | same want -
	for n in 2 3 4 5; do
		head -c -$n whole >x.cg
		exits_with 2 'x.cg:6: the profile is truncated: its last line has no newline' prof-cat x.cg
		lacks out '^end'
	done
	head -n 5 whole | head -c -1 >x.cg
	exits_with 2 "x.cg:5: the profile is truncated: no 'summary:'" prof-cat x.cg
	prof-cat --lenient x.cg 2>err | self_sums | has -x '20 3'
	{ cat whole; printf '# by hand'; } >x.cg
	exits_with 2 'x.cg:7: the profile is truncated: its last line has no newline' \
		prof-cat x.cg
}

@test "--from cachegrind reads a file without a cmd: line" {
	printf '%s\n' 'events: A' 'fl=a' 'fn=f' '1 2' 'summary: 2' >x.cg
	[ "$(prof-cat --probe x.cg)" = 'x.cg: callgrind' ]
	silent prof-cat --from cachegrind x.cg >x.prof
	both_ways x.prof
	prof-cat --list-formats | has '^cachegrind	read,write	Cachegrind'
}

# ---- bad input ----

@test "a real profile that valgrind did not finish is truncated for all tools" {
	local f tool

	f=$(real both)
	grep -v '^summary:' "$f" >cut.cg
	for tool in prof-cat 'prof-grep main' 'prof-to cachegrind' prof-top; do
		exits_with 2 "cut.cg:$(wc -l <cut.cg): the profile is truncated: no 'summary:', which cachegrind writes last" \
			$tool cut.cg
		[ "$tool" != prof-top ] || [ ! -s out ]
		lacks out '^(end|summary)'
	done
}

@test "malformed lines are rejected with what was expected and what found" {
	# bad N TEXT LINE...: in a body of one event; the third line is bad.
	bad() {
		profile A <<-E
		fl=a
		fn=f
		$1
		summary: 0
		E
		refused 6 "$2"
	}
	bad '1 x' "expected a count, found 'x'"
	bad '1 0x10' "expected a count, found '0x10'"
	bad '1 1.5' "expected a count, found '1.5'"
	bad '1 ..' "expected a count, found '..'"
	bad '1 -' "expected a count, found '-'"
	bad '1 +1' "expected a count, found '+1'"
	bad '1 1,000' "expected a count, found '1,000'"
	bad '1 1_000' "expected a count, found '1_000'"
	bad '1 2 3' "more counts than events (1): '3'"
	bad '1x 2' "expected a line number and counts, found '1x 2'"
	bad '0x1 2' "expected a line number and counts, found '0x1 2'"
	bad '18446744073709551616 2' "expected a line number and counts, found '18446744073709551616 2'"
	bad '-1 2' "expected counts, 'fl=', 'fn=' or 'summary:', found '-1 2'"
	bad '+1 2' "expected counts, 'fl=', 'fn=' or 'summary:', found '+1 2'"
	bad '* 2' "expected counts, 'fl=', 'fn=' or 'summary:', found '* 2'"
	bad ' 1 2' "expected counts, 'fl=', 'fn=' or 'summary:', found ' 1 2'"
	bad 'hello' "expected counts, 'fl=', 'fn=' or 'summary:', found 'hello'"
	bad 'fn f' "expected counts, 'fl=', 'fn=' or 'summary:', found 'fn f'"
	bad 'desc: late' "expected counts, 'fl=', 'fn=' or 'summary:', found 'desc: late'"
	bad 'events: A' "expected counts, 'fl=', 'fn=' or 'summary:', found 'events: A'"
	bad 'summary: x' "expected a count, found 'x'"
	bad 'summary: 1 2' "more counts than events (1): '2'"
	bad '# prof event: 0' "expected an event, found '0'"
	printf '%s\n' 'desc: a' 'cmd: x' 'events:' 'summary:' >x.cg
	refused 3 'events: expected the names of events'
	printf '%s\n' 'desc: a' '# c' 'cmd: x' 'events: A' 'summary: 0' >x.cg
	exits_with 2 "x.cg:2: expected 'desc:', 'cmd:' or 'events:', found '# c'" \
		prof-cat --from cachegrind x.cg
	printf '%s\n' 'desc: a' 'cmd: x' 'fl=a' 'fn=f' '1 2' 'summary: 2' >x.cg
	exits_with 2 "x.cg:3: expected 'events:', found 'fl=a'" prof-cat x.cg
	printf '%s\n' 'desc: prof event: 0' 'cmd: x' 'events: A' 'summary: 0' >x.cg
	refused 1 "expected an event, found '0'"
}

@test "anything after the summary is rejected, unless it begins a profile" {
	local junk

	for junk in 1 '1 2' 'fl=a' 'fn=f' junk 'summary: 2' ' desc: x'; do
		profile A <<-E
		fl=a
		fn=f
		1 2
		summary: 2
		$junk
		E
		refused 8 "expected 'desc:', 'cmd:' or 'events:', found '$junk'"
		# It makes no part of its own.
		prof-cat --lenient x.cg 2>err >got
		[ "$(grep -c '^part' got)" -eq 1 ]
		grep -qx 'meta	skipped	1' got
		[ "$(tail -n 1 err)" = 'prof-cat: warning: x.cg: 1 malformed or truncated line skipped' ]
	done
}

@test "lenient skips malformed lines, counts them, and takes the rest" {
	profile 'A B' <<-'E'
	fl=a
	fn=f
	1 2 3
	2 x 3
	hello
	3 4 5 6
	4 5 6
	summary: 9 12
	E
	prof-cat --lenient x.cg >x.prof 2>err
	tabs >want <<-'E'
	cost  0  0  1  -  2  3
	cost  0  0  4  -  5  6
	total  run  9  12
	meta  skipped  3
	E
	grep -P '^(cost|total|meta\tskipped)' x.prof >got
	same want got
	# No word about a summary that cannot be right.
	cat >want <<-'E'
	prof-cat: warning: skipped: x.cg:7: expected a count, found 'x'
	prof-cat: warning: skipped: x.cg:8: expected counts, 'fl=', 'fn=' or 'summary:', found 'hello'
	prof-cat: warning: skipped: x.cg:9: more counts than events (2): '6'
	prof-cat: warning: x.cg: 3 malformed or truncated lines skipped
	E
	same want err
	prof-to cachegrind x.prof | prof-cat | sort >got
	same <(sort x.prof) got
	head -n 6 x.cg >cut.cg
	prof-cat --lenient cut.cg 2>err >got
	grep -q "skipped: cut.cg:6: the profile is truncated: no 'summary:'" err
	grep -qP '^cost\t0\t0\t1\t-\t2\t3$' got
	[ "$(tail -n 1 got)" = end ]
	lacks got '^total'
}

@test "functions that only dropped lines name are dropped at once" {
	shape aprof:favourites 80000 >x.aprof
	brief 3 prof-to cachegrind --quiet x.aprof >got
	[ "$(grep -c '^fn=f' got)" -eq 80000 ]
}

@test "lines of cost are read the same with the instructions that any processor has" {
	awk 'BEGIN { srand(7); n = split("0 0 0 0 3 12 345 6789 1234567 12345678 00 . -4 99999999999999999999", v)
		print "cmd: x\nevents: A B C D E F G H I J K L M\nfl=f.c\nfn=f"
		for (i = 0; i < 3000; i++) {
			line = int(rand() * 40)
			for (k = 0; k < (rand() < .9 ? 13 : 5); k++)
				line = line (rand() < .01 ? "  " : " ") v[1 + int(rand() * (rand() < .95 ? 9 : n))]
			print line
		} }' >x.cg
	for tool in prof-cat 'prof-merge --by function,file,line' prof-merge 'prof-top --by line --tsv'; do
		$tool --lenient x.cg >want 2>want.err
		narrow $tool --lenient x.cg >got 2>err
		same want got
		same want.err err
		# As in the stream, whose values are text.
		prof-cat --lenient x.cg 2>err >x.prof
		$tool --lenient x.prof 2>err | grep -v '^meta' >got
		grep -v '^meta' want | same - got
	done
	[ "$(grep -c '^cost' x.prof)" -eq 3000 ]
}
