# SPDX-License-Identifier: ISC
# of: codec graph
# Callgrind's format: what valgrind writes, then each rule by hand.

load helper.bash

# NAME PROGRAM OPTION...
runs() {
	cat <<-'E'
	default work
	plain work --compress-strings=no --compress-pos=no
	plain-names work --compress-strings=no
	plain-positions work --compress-pos=no
	instr-line-jumps work --dump-instr=yes --dump-line=yes --collect-jumps=yes
	instr-only work --dump-line=no --dump-instr=yes
	jumps work --collect-jumps=yes
	recursions work --separate-recs=3
	callers work --separate-callers=2
	callers-mangled work --separate-callers=2 --compress-mangled=yes
	not-mangled work --mangle-names=no
	not-mangled-callers work --mangle-names=no --separate-callers=2
	caches work --cache-sim=yes --branch-sim=yes --collect-systime=yes --collect-bus=yes
	blocks work --dump-bb=yes --dump-instr=yes
	block-list work --dump-bbs=yes --dump-instr=yes
	combined work --combine-dumps=yes --dump-every-bb=5000
	before work --combine-dumps=yes --dump-before=fib
	toggle work --toggle-collect=leaf
	toggle-plain work --toggle-collect=leaf --compress-pos=no
	toggle-instr work --toggle-collect=leaf --dump-instr=yes
	toggle-instr-plain work --toggle-collect=leaf --dump-instr=yes --compress-pos=no
	threads threads --separate-threads=yes
	threads-combined threads --separate-threads=yes --combine-dumps=yes --dump-every-bb=20000
	E
}

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	local p name program options

	for p in work threads; do
		"${CC:-cc}" -g -O0 -pthread -o "$p" "$repo/tests/programs/$p.c"
	done
	while read -r name program options; do
		callgrind "$name" $options "./$program"
	done < <(runs)
	callgrind arguments ./work 'a b' 'back\slash' 'new
line' 'last\n'
	rm -f threads.out work threads
}

# callgrind NAME [OPTION...] COMMAND...: a profile in NAME.out.
callgrind() {
	local out=$1
	shift
	valgrind_to "$out.out" callgrind "$@"
}

# The profiles of setup_file.
real() {
	printf '%s\n' $made/*.out* | grep -v -e "${1:-^$}"
}

# What the `totals:` lines of a Callgrind file add up to.
file_totals() {
	awk '/^totals:/ { for (i = 2; i <= NF; i++) s[i] += $i; if (NF > n) n = NF }
	END { for (i = 2; i <= n; i++) printf "%s%.0f", (i > 2 ? " " : ""), s[i]; print "" }' "$1"
}

# Self cost, straight from the lines of a Callgrind file.
file_sums() {
	awk '
	/^positions:/ { npos = NF - 1 }
	/^events:/ { n = NF - 1 }
	/^calls=/ { getline; next }
	/^[0-9+*-]/ { for (i = npos + 1; i <= NF; i++) s[i - npos] += $i }
	END { for (i = 1; i <= n; i++) printf "%s%.0f", (i > 1 ? " " : ""), s[i]; print "" }' "$1"
}

# A stream's own records, with names, in any order.
facts() {
	spelt "$1" | sort
}

# Costs and calls, with names, summed by place: valgrind may tell one line's cost
# in two pieces, and not the same ones in the next run.
sums() {
	spelt "$@" | awk -F '\t' -v OFS='\t' '
	$1 == "cost" { n[$1 OFS $2 OFS $3 OFS $4 OFS $5] += $6 }
	$1 == "call" { k = $1 OFS $2 OFS $3 OFS $4 OFS $5 OFS $6 OFS $7 OFS $8
		n[k] += $10; count[k] += $9 }
	END { for (k in n) print k, count[k], n[k] }' | sort
}

# profile EVENTS: a file from standard input, after a header of one line.
profile() {
	{ echo "events: $1"; cat; } >x.cg
}

# gives: the records of x.cg are those on standard input.
gives() {
	tabs >want
	silent prof-cat x.cg >x.prof
	spelt x.prof >got
	same want got
	both_ways x.prof
}

# both_ways STREAM: written as a Callgrind profile it is the same stream when
# read again, whichever way relative positions are taken.
both_ways() {
	prof-to callgrind --quiet "$1" >again.cg
	prof-cat again.cg >again.prof
	same "$1" again.prof
	facts "$1" >again.want
	sed '/^creator:/d' again.cg | prof-cat - >other.prof
	facts other.prof >other.got
	same again.want other.got
	# Callgrind's own without totals: would be a cut.
	sed -e '/^creator:/d' -e '1a creator: callgrind-3.19.0' again.cg |
		prof-cat --lenient - >other.prof 2>other.err
	lacks other.err "skipped: (?!.* a part has no 'totals:')"
	facts other.prof >other.got
	same again.want other.got
}

# refused N TEXT: line N of x.cg is complained about so.
refused() {
	exits_with 2 "prof-cat: x.cg:$1: $2" prof-cat x.cg
	lacks out '^end'
}

# ---- what valgrind writes ----

@test "valgrind made all the profiles, and they have what they should" {
	[ "$(real | wc -l)" -ge 25 ]
	cd "$BATS_FILE_TMPDIR"
	grep -q '^jcnd=' instr-line-jumps.out
	grep -q '^fi=' default.out
	grep -q '^fe=' default.out
	grep -q "fib'3" recursions.out
	grep -q "leaf'leaves'main" callers.out
	grep -q "^fn=([0-9]*) ([0-9]*)'" callers-mangled.out
	grep -q '^rec=' not-mangled.out
	grep -q '^frfn=' not-mangled-callers.out
	grep -q '^# callgrind format' threads-combined.out
	grep -q '^bb=' block-list.out
	grep -q '^positions: instr bb line' blocks.out
	grep -q '^positions: instr$' instr-only.out
	grep -q '^calls=0 ' before.out
	[ "$(grep -c '^part:' combined.out)" -ge 3 ]
	[ "$(grep -c '^thread:' threads-combined.out)" -ge 4 ]
	[ -s threads.out-01 ]
	[ -s threads.out-02 ]
	[ -s threads.out-03 ]
}

@test "well-formed profiles are read and written without a message" {
	local f

	for f in $(real not-mangled); do
		silent prof-cat "$f" >x.prof
		silent prof-to callgrind x.prof >/dev/null
		silent prof-to callgrind --strict "$f" >/dev/null
	done
}

@test "the lines of valgrind's profiles add up to their totals for prof-top, too" {
	local f

	for f in $(real not-mangled); do
		echo "$f"
		silent prof-top --tsv "$f" >/dev/null
	done
}

@test "names that valgrind never defined are warned of, and nothing else" {
	local f

	for f in "$BATS_FILE_TMPDIR"/not-mangled*.out; do
		prof-cat "$f" >x.prof 2>err
		lacks err '^(?!prof-cat: warning: .*: name \(\d+\) is used but never defined( \(more such names are not shown\))?$)'
		silent prof-to callgrind x.prof >y.cg
		silent prof-cat y.cg >y.prof
		same x.prof y.prof
	done
}

@test "decode, encode, decode gives the same stream, read either way" {
	local f

	for f in $(real); do
		prof-cat "$f" >x.prof 2>err
		both_ways x.prof
	done
}

@test "self costs add up to the totals that valgrind wrote" {
	local f want

	for f in $(real); do
		prof-cat "$f" >x.prof 2>err
		want=$(file_totals "$f")
		[ "${want%% *}" -gt 0 ]
		echo "$f: $want"
		[ "$(file_sums "$f")" = "$want" ]
		[ "$(self_sums x.prof)" = "$want" ]
		[ "$(prof-to callgrind --quiet x.prof | file_totals -)" = "$want" ]
	done
}

@test "every calls= and every jump of valgrind's is a record, with its count" {
	local f

	for f in $(real); do
		prof-cat "$f" >x.prof 2>err
		sed -n 's/^calls=\([0-9]*\) .*/\1/p' "$f" >want
		awk -F '\t' '$1 == "call" { print $9 }' x.prof >got
		same want got
		sed -n 's,^jump=\([0-9]*\) .*,\1 -,p; s,^jcnd=\([0-9]*\)/\([0-9]*\) .*,\1 \2,p' \
			"$f" >want
		awk -F '\t' '$1 == "jump" { print $10, $11 }' x.prof >got
		same want got
	done
}

@test "header lines come back as valgrind wrote them" {
	local f

	header() {
		grep -E '^(creator|pid|cmd|part|thread|desc|event|events|positions|summary|totals):' "$1" |
			sed -E 's/: +/: /; s/ +$//' | sort | uniq
	}
	for f in $(real); do
		header "$f" >want
		prof-cat "$f" 2>err | prof-to callgrind >y.cg
		header y.cg >got
		same want got
	done
}

@test "different spellings of names and positions make no difference" {
	local kind

	cd "$BATS_FILE_TMPDIR"
	for kind in default plain plain-names plain-positions; do
		silent prof-cat $kind.out >"$BATS_TEST_TMPDIR/$kind"
	done
	cd "$BATS_TEST_TMPDIR"
	sums default >want
	[ "$(wc -l <want)" -gt 1000 ]
	for kind in plain plain-names plain-positions; do
		sums $kind >got
		same want got
	done
}

@test "names may have any numbers, and are found again by them" {
	awk 'BEGIN {
		print "events: Ir"
		for (i = 1; i <= 300; i++) printf "fn=(%d) f%d\n1 %d\n", i * 1000003, i, i
		for (i = 1; i <= 300; i++) printf "fn=(%d)\n2 1000\n", i * 1000003
	}' >f
	silent prof-top --tsv -n 0 f >got
	sed 1d got | cut -f 1,5 | sort | diff <(seq 300 | awk -v OFS='\t' '{ print "f" $1, $1 + 1000 }' | sort) -
}

@test "compressed mangled names are the same as those written out" {
	cd "$BATS_FILE_TMPDIR"
	silent prof-cat callers.out | sums >"$BATS_TEST_TMPDIR/want"
	silent prof-cat callers-mangled.out | sums >"$BATS_TEST_TMPDIR/got"
	cd "$BATS_TEST_TMPDIR"
	same want got
	grep -q "^call.*leaf'leaves'main" want
}

@test "relative positions after a call without self cost are valgrind's" {
	local kind

	for kind in toggle toggle-instr; do
		silent prof-cat "$BATS_FILE_TMPDIR/$kind.out" | sums >got
		silent prof-cat "$BATS_FILE_TMPDIR/$kind-plain.out" | sums >want
		same want got
	done
	# The four lines of work.c with a call of leaf().
	silent prof-cat "$BATS_FILE_TMPDIR/toggle.out" | spelt |
		awk -F '\t' '$1 == "call" && $2 ~ /^leaves / && $6 ~ /^leaf / { n[$4] += $9 }
		END { for (i in n) print i, n[i] }' | sort >got
	awk '/leaf\(n/ { print NR, 2 * gsub(/leaf\(n/, "") }' \
		"$repo/tests/programs/work.c" >want
	[ "$(wc -l <want)" -eq 4 ]
	same want got
}

@test "calls and recursion of a known program are counted right" {
	silent prof-top --tsv "$BATS_FILE_TMPDIR/default.out" >top
	calls() {
		awk -F '\t' -v f="$1" '$1 == f { print $4 }' top
	}
	[ "$(calls leaf)" -eq 10 ]
	[ "$(calls leaves)" -eq 2 ]
	[ "$(calls fib)" -eq 1 ]
	# fib(10) makes 177 calls; valgrind skips direct recursion below level 2.
	silent prof-cat "$BATS_FILE_TMPDIR/default.out" | spelt |
		awk -F '\t' '$1 == "call" && $6 ~ /^fib\047?2? / { n += $9 } END { print n }' >n
	[ "$(cat n)" -eq 177 ]
	# One compare for each that qsort makes, wherever that is called from.
	[ "$(calls compare)" -gt 100 ]
	[ "$(calls "even")" -eq 1 ]
}

@test "inlined lines are costs of their file, in the function around them" {
	silent prof-cat "$BATS_FILE_TMPDIR/default.out" | spelt |
		awk -F '\t' '$1 == "cost" && $3 ~ /inline.h$/ { sub(/ .*/, "", $2); print $2, $4 }' |
		sort -u >got
	awk '/h \^=|h \*=|return h/ { print "loops", NR }' "$repo/tests/programs/inline.h" |
		sort -u >want
	[ "$(wc -l <want)" -eq 3 ]
	same want got
}

@test "parts and threads are kept separate, in one run" {
	local f=$BATS_FILE_TMPDIR/threads-combined.out

	silent prof-cat "$f" >x.prof
	sed -n 's/^\(part\|thread\): */\1 /p' "$f" >want
	awk -F '\t' '$1 == "meta" && ($2 == "part" || $2 == "thread") { print $2, $3 }' x.prof >got
	same want got
	[ "$(grep -c '^part' x.prof)" -eq "$(grep -c '^part:' "$f")" ]
	[ "$(grep '^part' x.prof | cut -f 2 | sort -u)" = 1 ]
	[ "$(silent prof-top --tsv --by thread "$f" | awk -F '\t' '{ print $1 }' | sort | tr '\n' ' ')" = \
		'1 2 3 thread ' ]
}

@test "metadata of the file is repeated in each part, and written once" {
	local f=$BATS_FILE_TMPDIR/combined.out n

	silent prof-cat "$f" >x.prof
	n=$(grep -c '^part:' "$f")
	for key in format creator pid cmd; do
		[ "$(grep -cP "^meta\t$key\t" x.prof)" -eq "$n" ]
	done
	silent prof-to callgrind x.prof >y.cg
	[ "$(grep -c '^creator:' y.cg)" -eq 1 ]
	[ "$(grep -c '^cmd:' y.cg)" -eq 1 ]
}

@test "arguments with blanks, newlines and backslashes survive" {
	local f=$BATS_FILE_TMPDIR/arguments.out

	grep '^cmd:' "$f" | sed 's/^cmd: *//' >want
	grep -qF 'back\\slash new\nline' want
	silent prof-cat "$f" >x.prof
	grep -P '^meta\tcmd\t' x.prof | cut -f 3 | sed 's/\\\\/\\/g' >got
	same want got
	silent prof-to callgrind x.prof | grep '^cmd:' | sed 's/^cmd: *//' >got
	same want got
}

@test "all the events of the simulators are there, described" {
	silent prof-cat "$BATS_FILE_TMPDIR/caches.out" >x.prof
	grep '^events:' "$BATS_FILE_TMPDIR/caches.out" | tr -s ' ' '\n' | tail -n +2 >want
	[ "$(wc -l <want)" -ge 14 ]
	awk -F '\t' '$1 == "event" && $2 == n + 0 { print $3; n++ }' x.prof >got
	same want got
	awk -F '\t' '$1 == "event" && $6 != "-" { print "event: " $3 " : " $6 }' x.prof >got
	grep '^event:' "$BATS_FILE_TMPDIR/caches.out" >want
	[ "$(wc -l <want)" -ge 1 ]
	same want got
}

@test "a profile that valgrind did not finish is truncated" {
	local f=$BATS_FILE_TMPDIR/default.out tool

	grep -v '^totals:' "$f" >cut.out
	head -c 30000 "$f" >cut2.out
	head -n 2000 "$f" >cut3.out
	head -c -2 "$f" >cut4.out
	for tool in prof-cat 'prof-grep main' 'prof-to callgrind' prof-top; do
		for f in cut.out cut2.out cut3.out cut4.out; do
			exits_with 2 "$f" $tool $f
			grep -q 'cut' err
			[ "$tool" != prof-top ] || [ ! -s out ]
			lacks out '^end'
		done
	done
	exits_with 2 "a part has no 'totals:'" prof-cat cut.out
}

# ---- the rules, one by one ----

@test "a call of count 0 has a cost line, too" {
	profile Ir <<-'E'
	fl=a.c
	fn=f
	5 10
	cfn=g
	calls=0 7
	6 20
	7 1
	E
	gives <<-'E'
	cost  f (a.c, -)  a.c  5  -  10
	call  f (a.c, -)  a.c  6  -  g (a.c, -)  7  -  0  20
	cost  f (a.c, -)  a.c  7  -  1
	E
}

@test "jcnd has followed/executed, or executed followed" {
	profile Ir <<-'E'
	fl=a.c
	fn=f
	5 10
	jcnd=3/9 20
	8
	jcnd=9 3 20
	8
	jump=4 21
	9
	10 1
	E
	gives <<-'E'
	cost  f (a.c, -)  a.c  5  -  10
	jump  f (a.c, -)  a.c  8  -  f (a.c, -)  a.c  20  -  3  9
	jump  f (a.c, -)  a.c  8  -  f (a.c, -)  a.c  20  -  3  9
	jump  f (a.c, -)  a.c  9  -  f (a.c, -)  a.c  21  -  4  -
	cost  f (a.c, -)  a.c  10  -  1
	E
}

@test "a jump without a source line starts where the last line was" {
	profile Ir <<-'E'
	fl=a.c
	fn=f
	5 10
	jump=1 20
	6 7
	jump=2 21
	fn=g
	7 8
	jump=3 22
	E
	gives <<-'E'
	cost  f (a.c, -)  a.c  5  -  10
	jump  f (a.c, -)  a.c  5  -  f (a.c, -)  a.c  20  -  1  -
	cost  f (a.c, -)  a.c  6  -  7
	jump  f (a.c, -)  a.c  6  -  f (a.c, -)  a.c  21  -  2  -
	cost  g (a.c, -)  a.c  7  -  8
	jump  g (a.c, -)  a.c  7  -  g (a.c, -)  a.c  22  -  3  -
	E
}

@test "jfi is the file of the target's line, jfn its function, for one jump" {
	profile Ir <<-'E'
	fl=(1) a.c
	fn=(2) g
	3 1
	fn=(1) f
	5 10
	jfi=(2) b.h
	jump=1 20
	6
	jfi=(2)
	jfn=(2)
	jcnd=1/2 21
	7
	jump=1 22
	8
	E
	gives <<-'E'
	cost  g (a.c, -)  a.c  3  -  1
	cost  f (a.c, -)  a.c  5  -  10
	jump  f (a.c, -)  a.c  6  -  f (a.c, -)  b.h  20  -  1  -
	jump  f (a.c, -)  a.c  7  -  g (a.c, -)  b.h  21  -  1  2
	jump  f (a.c, -)  a.c  8  -  f (a.c, -)  a.c  22  -  1  -
	E
}

@test "there are three spaces of numbers" {
	profile Ir <<-'E'
	ob=(1) /bin/o
	fl=(1) a.c
	fn=(1) f
	1 1
	fi=(2) b.h
	2 1
	fe=(1)
	3 1
	cob=(2) /lib/p
	cfi=(3) c.c
	cfn=(2) g
	calls=1 7
	4 9
	jfi=(2)
	jfn=(1)
	jump=1 2
	5
	ob=(2)
	fl=(3)
	fn=(2)
	7 9
	cob=(1)
	cfl=(1)
	cfn=(1)
	calls=1 1
	8 5
	E
	gives <<-'E'
	cost  f (a.c, /bin/o)  a.c  1  -  1
	cost  f (a.c, /bin/o)  b.h  2  -  1
	cost  f (a.c, /bin/o)  a.c  3  -  1
	call  f (a.c, /bin/o)  a.c  4  -  g (c.c, /lib/p)  7  -  1  9
	jump  f (a.c, /bin/o)  a.c  5  -  f (a.c, /bin/o)  b.h  2  -  1  -
	cost  g (c.c, /lib/p)  c.c  7  -  9
	call  g (c.c, /lib/p)  c.c  8  -  f (a.c, /bin/o)  1  -  1  5
	E
	[ "$(grep -c '^func' x.prof)" -eq 2 ]
	[ "$(grep -c '^file' x.prof)" -eq 3 ]
	[ "$(grep -c '^object' x.prof)" -eq 2 ]
}

@test "a name's number holds to the end of the file, whatever the part" {
	cat >x.cg <<-'E'
	version: 1
	part: 1
	events: Ir
	ob=(1) /bin/o
	fl=(1) a.c
	fn=(0) f
	5 10
	totals: 10

	part: 2
	events: Ir Dr
	fn=(0)
	6 20 1
	ob=(1)
	fl=(1) a.c
	fn=(0) f
	cfn=(99999) g
	calls=1 9
	7 3
	totals: 20 1
	part: 3
	events: Ir
	fn=(99999)
	8 1
	totals: 1
	E
	gives <<-'E'
	cost  f (a.c, /bin/o)  a.c  5  -  10
	cost  f (a.c, /bin/o)  a.c  6  -  20  1
	call  f (a.c, /bin/o)  a.c  7  -  g (a.c, /bin/o)  9  -  1  3
	cost  g (a.c, /bin/o)  a.c  8  -  1
	E
	[ "$(grep -c '^part' x.prof)" -eq 3 ]
}

@test "a number that is defined twice in two ways is warned of, the last one holds" {
	profile Ir <<-'E'
	fl=(1) a.c
	fn=(1) f
	5 1
	fn=(1) f
	6 1
	fn=(1) g
	7 1
	fl=(1) b.c
	fn=(1)
	8 1
	E
	prof-cat x.cg >x.prof 2>err
	cat >want <<-'E'
	prof-cat: warning: x.cg:7: (1) is defined again, differently: 'g'
	prof-cat: warning: x.cg:9: (1) is defined again, differently: 'b.c'
	E
	same want err
	spelt x.prof >got
	tabs >want <<-'E'
	cost  f (a.c, -)  a.c  5  -  1
	cost  f (a.c, -)  a.c  6  -  1
	cost  g (a.c, -)  a.c  7  -  1
	cost  g (b.c, -)  b.c  8  -  1
	E
	same want got
	both_ways x.prof
}

@test "a number that was never defined is a name of its own, and warned of once" {
	profile Ir <<-'E'
	ob=(8)
	fl=(1) a.c
	fn=(3)
	5 1
	cfn=(4)
	calls=1 2
	6 1
	fn=(3)
	7 1
	E
	prof-cat x.cg >x.prof 2>err
	cat >want <<-'E'
	prof-cat: warning: x.cg:2: name (8) is used but never defined
	prof-cat: warning: x.cg:4: name (3) is used but never defined
	prof-cat: warning: x.cg:6: name (4) is used but never defined
	E
	same want err
	spelt x.prof >got
	tabs >want <<-'E'
	cost  (3) (a.c, (8))  a.c  5  -  1
	call  (3) (a.c, (8))  a.c  6  -  (4) (a.c, (8))  2  -  1  1
	cost  (3) (a.c, (8))  a.c  7  -  1
	E
	same want got
	both_ways x.prof
}

@test "names are kept as they are" {
	profile Ir <<-'E'
	fl=(1) dir with blanks/a b.c
	fn=(1) (below main)
	1 1
	fn=(2) (anonymous namespace)::f(int, char const*)
	2 1
	fn=operator"" _x
	3 1
	fn=memcpy@@GLIBC_2.14
	4 1
	fn=(3)    blanks before and after  
	5 1
	fn=
	6 1
	fn=fib'2
	7 1
	fn=(4) back\slash=x
	8 1
	fn=???
	9 1
	fn=(12
	10 1
	fn=(5)glued
	11 1
	E
	silent prof-cat x.cg >x.prof
	awk -F '\t' '$1 == "func" { print "<" $3 ">" }' x.prof >got
	cat >want <<-'E'
	<(below main)>
	<(anonymous namespace)::f(int, char const*)>
	<operator"" _x>
	<memcpy@@GLIBC_2.14>
	<blanks before and after  >
	<>
	<fib'2>
	<back\\slash=x>
	<->
	<(12>
	<glued>
	E
	same want got
	both_ways x.prof
}

@test "cob and cfi are of the next call only" {
	profile Ir <<-'E'
	ob=/bin/o
	fl=a.c
	fn=f
	5 1
	cob=/lib/p
	cfi=b.c
	cfn=g
	calls=1 7
	5 9
	cfn=h
	calls=2 8
	5 9
	calls=3 9
	5 9
	E
	gives <<-'E'
	cost  f (a.c, /bin/o)  a.c  5  -  1
	call  f (a.c, /bin/o)  a.c  5  -  g (b.c, /lib/p)  7  -  1  9
	call  f (a.c, /bin/o)  a.c  5  -  h (a.c, /bin/o)  8  -  2  9
	call  f (a.c, /bin/o)  a.c  5  -  h (a.c, /bin/o)  9  -  3  9
	E
}

@test "cob and cfi may come after cfn, which may only define a name" {
	profile Ir <<-'E'
	ob=/bin/o
	fl=a.c
	fn=f
	5 1
	cfn=(7) unused
	cfn=(8) g
	cob=/lib/p
	cfi=b.c
	calls=1 7
	5 9
	E
	gives <<-'E'
	cost  f (a.c, /bin/o)  a.c  5  -  1
	call  f (a.c, /bin/o)  a.c  5  -  g (b.c, /lib/p)  7  -  1  9
	E
	lacks x.prof unused
}

@test "cfl and cfe are other names of cfi, rcalls of calls" {
	profile Ir <<-'E'
	fl=a.c
	fn=f
	5 1
	cfl=b.c
	cfn=g
	rcalls=2 7
	5 9
	cfe=c.c
	cfn=h
	calls=3 8
	5 9
	E
	gives <<-'E'
	cost  f (a.c, -)  a.c  5  -  1
	call  f (a.c, -)  a.c  5  -  g (b.c, -)  7  -  2  9
	call  f (a.c, -)  a.c  5  -  h (c.c, -)  8  -  3  9
	E
}

@test "without any fl= it is fi= that names a function's file" {
	profile Ir <<-'E'
	fi=a.py
	fn=f
	5 1
	fi=b.py
	fn=g
	6 1
	cfi=a.py
	cfn=f
	calls=1 5
	6 1
	E
	gives <<-'E'
	cost  f (a.py, -)  a.py  5  -  1
	cost  g (b.py, -)  b.py  6  -  1
	call  g (b.py, -)  b.py  6  -  f (a.py, -)  5  -  1  1
	E
}

@test "fn= goes back to the file of fl=, fi= and fe= are alike" {
	profile Ir <<-'E'
	fl=a.c
	fn=f
	1 1
	fi=b.h
	2 1
	fe=c.h
	3 1
	fn=g
	4 1
	fi=b.h
	5 1
	fl=d.c
	fn=h
	6 1
	E
	gives <<-'E'
	cost  f (a.c, -)  a.c  1  -  1
	cost  f (a.c, -)  b.h  2  -  1
	cost  f (a.c, -)  c.h  3  -  1
	cost  g (a.c, -)  a.c  4  -  1
	cost  g (a.c, -)  b.h  5  -  1
	cost  h (d.c, -)  d.c  6  -  1
	E
}

@test "positions are addresses, blocks, lines in any company" {
	positions() {
		printf 'positions: %s\nevents: Ir\nfl=a.c\nfn=f\n%s\n' "$1" "$2" >x.cg
	}
	positions line '5 10'
	gives <<<'cost  f (a.c, -)  a.c  5  -  10'
	positions instr '0x5f 10'
	gives <<<'cost  f (a.c, -)  a.c  -  0x5f  10'
	positions addr '0x5f 10'
	gives <<<'cost  f (a.c, -)  a.c  -  0x5f  10'
	positions 'instr line' '0x5F 7 10'
	gives <<<'cost  f (a.c, -)  a.c  7  0x5f  10'
	positions 'instr bb' '0x5f 0x50 10'
	gives <<<'cost  f (a.c, -)  a.c  -  0x5f#0x50  10'
	positions 'instr bb line' '0x5f 0x50 7 10'
	gives <<<'cost  f (a.c, -)  a.c  7  0x5f#0x50  10'
	positions 'bb line' '0x50 7 10'
	gives <<<'cost  f (a.c, -)  a.c  7  #0x50  10'
	positions 'instr line' '95 0x7 10'
	gives <<<'cost  f (a.c, -)  a.c  7  0x5f  10'
	positions 'instr line' '0xffffffffffffffff 18446744073709551615 10'
	gives <<<'cost  f (a.c, -)  a.c  18446744073709551615  0xffffffffffffffff  10'
	grep -qP '^part\t1\tpositions=addr,line$' x.prof
	positions 'instr instr' '1 2 3'
	refused 1 "positions: expected instr, bb or line, found 'instr'"
	positions 'words' '1 2 3'
	refused 1 "positions: expected instr, bb or line, found 'words'"
	positions '' '1 2 3'
	refused 1 'positions: expected instr, bb or line'
}

@test "a target that begins with * and has more is refused, among usual lines" {
	{
		printf 'positions: line\nevents: Ir\nfl=(1) a.c\nfn=(1) f\n1 10\ncfn=(2) g\n'
		for _ in {1..40}; do printf 'calls=1 2\n+1 3\ncfn=(2)\n'; done
		printf 'calls=1 *5\n+1 3\n'
	} >x.cg
	exits_with 2 "prof-top: x.cg:127: expected 1 position, found ' *5'" prof-top x.cg
}

@test "an address that is not there does not become 0" {
	cat >x.cg <<-'E'
	positions: instr line
	events: Ir
	fl=a.c
	fn=f
	0x10 5 1
	cfn=g
	calls=1
	0x11 6 2
	E
	gives <<-'E'
	cost  f (a.c, -)  a.c  5  0x10  1
	call  f (a.c, -)  a.c  6  0x11  g (a.c, -)  -  -  1  2
	E
}

@test "line 0 is no line" {
	profile Ir <<-'E'
	fl=a.c
	fn=f
	0 10
	cfn=g
	calls=1 0
	0 20
	E
	gives <<-'E'
	cost  f (a.c, -)  a.c  -  -  10
	call  f (a.c, -)  a.c  -  -  g (a.c, -)  -  -  1  20
	E
}

@test "costs are decimal, hexadecimal, with zeros before, negative" {
	profile 'A B C' <<-'E'
	fn=f
	1 0x1f 007 0
	2 0xFF 0x0 000
	3 -5 -0 -007
	4 -0x10 0X1a
	E
	gives <<-'E'
	cost  f (-, -)  -  1  -  31  7  0
	cost  f (-, -)  -  2  -  255  0  0
	cost  f (-, -)  -  3  -  -5  0  -7
	cost  f (-, -)  -  4  -  -16  26
	E
}

@test "costs beyond 64 bits are kept, and rejected where they must fit" {
	profile Ir <<-'E'
	fn=f
	1 18446744073709551615
	2 18446744073709551616
	3 123456789012345678901234567890123456789012345
	E
	silent prof-cat x.cg >x.prof
	awk -F '\t' '$1 == "cost" { print $6 }' x.prof >got
	sed -n 's/^[123] //p' x.cg >want
	same want got
	exits_with 2 "function 'f', event 'Ir': '18446744073709551616' does not fit 64 bits" \
		prof-to callgrind x.prof
	sed -i 4d x.cg
	exits_with 2 'does not fit' prof-to callgrind x.cg
	sed -i 4d x.cg
	[ "$(prof-to callgrind x.cg | grep '^1 ')" = '1 18446744073709551615' ]
}

@test "blanks, tabs and CRLF make no difference" {
	local tab=$'\t'

	profile 'Ir Dr' <<-E
	fl=a.c
	fn=f
	5 10 20
	6  11${tab}21
	7$tab 12 ${tab}22  
	+1 13$tab
	cfn=g
	calls=2  9  
	* 14 24
	calls=3${tab}10$tab
	9   15 25
	E
	tabs >expected <<-'E'
	cost  f (a.c, -)  a.c  5  -  10  20
	cost  f (a.c, -)  a.c  6  -  11  21
	cost  f (a.c, -)  a.c  7  -  12  22
	cost  f (a.c, -)  a.c  8  -  13
	call  f (a.c, -)  a.c  8  -  g (a.c, -)  9  -  2  14  24
	call  f (a.c, -)  a.c  9  -  g (a.c, -)  10  -  3  15  25
	E
	gives <expected
	sed -i 's/$/\r/' x.cg
	gives <expected
	lacks x.prof '\\r'
	sed -i 's/^events: .*/events: \tIr \t Dr \r/' x.cg
	gives <expected
}

@test "costs left out are omitted, and more than events are rejected" {
	profile 'A B C' <<-'E'
	fn=f
	1
	2 1
	3 0 0
	4 1 2 3
	5 0 0 0
	E
	gives <<-'E'
	cost  f (-, -)  -  1  -
	cost  f (-, -)  -  2  -  1
	cost  f (-, -)  -  3  -  0  0
	cost  f (-, -)  -  4  -  1  2  3
	cost  f (-, -)  -  5  -  0  0  0
	E
	profile 'A B' <<<$'fn=f\n1 1 2 3'
	refused 3 "more costs than events (2): '3'"
	profile 'A B' <<<$'fn=f\n1 1\ncfn=g\ncalls=1 1\n1 1 2 0'
	refused 6 "more costs than events (2): '0'"
}

@test "events have names of any bytes but blanks" {
	profile 'Time_(10ns) Memory_(bytes) I1mr sys/Cpu AcCost1' <<<$'fn=f\n1 1 2 3 4 5'
	silent prof-cat x.cg | awk -F '\t' '$1 == "event" { print $2, $3 }' >got
	cat >want <<-'E'
	0 Time_(10ns)
	1 Memory_(bytes)
	2 I1mr
	3 sys/Cpu
	4 AcCost1
	E
	same want got
}

@test "event: gives formulas and descriptions, before events: or after" {
	cat >x.cg <<-'E'
	event: Ir : Instruction Fetch: all
	event: Sum = Ir + 2 Dr : both
	events: Ir Dr Dw
	event: Dr
	event:Half=Ir-Dr
	event: Dw = Ir + Dr : measured and computed
	event: Two = Ir + Dr
	fn=f
	1 1 2 3
	E
	silent prof-cat x.cg >x.prof
	grep '^event' x.prof >got
	tabs >want <<-'E'
	event  0  Ir  -  -  Instruction Fetch: all
	event  1  Dr  -  -  -
	event  2  Dw  -  Ir + Dr  measured and computed
	event  -  Sum  -  Ir + 2 Dr  both
	event  -  Half  -  Ir-Dr  -
	event  -  Two  -  Ir + Dr  -
	E
	same want got
	both_ways x.prof
	[ "$(silent prof-top --tsv --events Sum,Half,Two x.prof | cut -f 5,7,9 | tail -n 1 | tr '\t' ' ')" = \
		'5 -1 3' ]
	cat >x.cg <<<$'events: Ir\nfn=f\n1 1\nevent: Dr : late'
	refused 4 'event: comes after the first cost line'
	cat >x.cg <<<$'event: = Ir\nevents: Ir\nfn=f\n1 1'
	refused 1 'event: expected a name'
	printf '%s\n' 'event: = Ir' 'event: : x' 'events: Ir' fn=f '1 1' >x.cg
	[ "$(prof-cat --lenient x.cg 2>err | grep '^event')" = $'event\t0\tIr\t-\t-\t-' ]
}

@test "a summary may be absent, zero, before the events, in the middle, after" {
	local s

	totals() {
		silent prof-cat x.cg >x.prof
		both_ways x.prof
		awk -F '\t' '$1 == "total" { $1 = ""; print }' x.prof | tr -d '\n'
	}
	printf 'events: Ir Dr\nfn=f\n1 5 6\n' >x.cg
	[ "$(silent prof-cat x.cg | grep -c '^total')" -eq 0 ]
	printf 'events: Ir Dr\nsummary: 0\nfn=f\n1 5 6\ntotals: 5 6\n' >x.cg
	[ "$(totals)" = ' run 0 sum 5 6' ]
	printf 'summary: 7 8\nevents: Ir Dr\nfn=f\n1 5 6\ntotals: 5 6\n' >x.cg
	[ "$(totals)" = ' run 7 8 sum 5 6' ]
	printf 'events: Ir Dr\nfn=f\n1 5 6\nsummary: 7 8\n2 1 1\ntotals: 6 7\n' >x.cg
	[ "$(totals)" = ' run 7 8 sum 6 7' ]
	printf 'events: Ir Dr\nfn=f\n1 5 6\ntotals: 5 6\nsummary: 0x7 08\n' >x.cg
	[ "$(silent prof-cat x.cg | grep -P '^total\trun')" = "$(printf 'total\trun\t7\t8')" ]
	printf 'events: Ir\nfn=f\n1 5\nsummary: 7\nsummary: 7\n' >x.cg
	[ "$(silent prof-cat x.cg | grep -c '^total')" -eq 1 ]
	printf 'events: Ir\nsummary: 6\nfn=f\n1 5\nsummary: 7\n' >x.cg
	refused 5 'summary: a second, different one in this part'
	printf 'events: Ir\nfn=f\n1 5\ntotals: 5\ntotals: 6\n' >x.cg
	refused 5 'totals: a second, different one in this part'
	printf 'events: Ir\nfn=f\n1 5\ntotals: 5 6\n' >x.cg
	refused 4 "more costs than events (1): '6'"
	printf 'events: Ir\nfn=f\n1 5\ntotals: many\n' >x.cg
	refused 4 "expected a cost, found 'many'"
}

@test "a missing totals: is a truncation only if the creator is callgrind" {
	printf 'creator: another 3.0\nevents: Ir\nfn=f\n1 5\n' >x.cg
	silent prof-cat x.cg >/dev/null
	printf 'creator: callgrind-3.19.0\nevents: Ir\nfn=f\n1 5\n' >x.cg
	exits_with 2 "the profile is truncated: a part has no 'totals:'" prof-cat x.cg
	lacks out '^end'
	exits_with 2 'the profile is truncated' prof-top x.cg
	[ ! -s out ]
	printf 'totals: 5\n' >>x.cg
	silent prof-cat x.cg >/dev/null
	# Each part needs its own.
	printf 'creator: callgrind-3.19.0\npart: 1\nevents: Ir\nfn=f\n1 5\npart: 2\nevents: Ir\n1 5\ntotals: 5\n' >x.cg
	exits_with 2 'x.cg:6: the profile is truncated' prof-cat x.cg
	prof-cat --lenient x.cg 2>err >x.prof
	[ "$(self_sums x.prof)" = 10 ]
	grep -qP '^meta\tskipped\t1$' x.prof
}

@test "unknown lines are kept, in their order, and warned of once" {
	cat >x.cg <<-'E'
	version: 1
	creator: someone
	arch: arm
	timeframe (BB): 1 - 2
	events: Ir
	fl=a.c
	fn=f
	1 5
	mp=0x10 map
	bb=0x10 3
	later: header line
	xyz=12
	2 6
	fn=g
	zz=g's
	3 7
	E
	prof-cat x.cg >x.prof 2>err
	cat >want <<-'E'
	prof-cat: warning: x.cg:3: unknown line 'arch: arm', kept as is (further ones are not shown)
	E
	same want err
	grep -qP '^meta\tcallgrind.arch\tarm$' x.prof
	grep -qP '^meta\tcallgrind.timeframe \(BB\)\t1 - 2$' x.prof
	grep -qP '^meta\tcallgrind.later\theader line$' x.prof
	spelt x.prof >got
	tabs >want <<-'E'
	cost  f (a.c, -)  a.c  1  -  5
	raw  f (a.c, -)  mp=0x10 map
	raw  f (a.c, -)  bb=0x10 3
	raw  f (a.c, -)  xyz=12
	cost  f (a.c, -)  a.c  2  -  6
	raw  g (a.c, -)  zz=g's
	cost  g (a.c, -)  a.c  3  -  7
	E
	same want got
	both_ways x.prof 2>/dev/null
	grep -Ex "arch: arm|timeframe \(BB\): 1 - 2|mp=0x10 map|bb=0x10 3|later: header line|xyz=12|zz=g's" \
		again.cg >got
	grep -Ex "arch: arm|timeframe \(BB\): 1 - 2|mp=0x10 map|bb=0x10 3|later: header line|xyz=12|zz=g's" \
		x.cg >want
	same want got
}

@test "comments are kept" {
	cat >x.cg <<-'E'
	# callgrind format
	# before
	events: Ir
	#
	fn=f
	1 5
	# within
	2 6
	#no blank
	3 7
	E
	silent prof-cat x.cg >x.prof
	grep -P '^meta\tcomment' x.prof | cut -f 3 >got
	printf '%s\n' ' before' '' ' within' 'no blank' >want
	same want got
	both_ways x.prof
	grep '^#' again.cg | grep -v '^# callgrind format$' >got
	printf '%s\n' '# before' '#' '# within' '#no blank' >want
	same want got
}

@test "a comment after fn= stays after the events" {
	profile Ir <<-'E'
	fl=a.c
	fn=f
	# comment
	1 5
	totals: 5
	E
	silent prof-cat x.cg >x.prof
	both_ways x.prof
}

relative_body() {
	cat <<-'E'
	fl=a.c
	fn=f
	20 1
	cfn=g
	calls=1 +5
	+2 7
	+1 3
	calls=2 *
	* 9
	jump=1 -1
	+4
	+1 1
	calls=3 -2
	-3 4
	calls=4 +1
	-3 4
	* 2
	E
}

@test "a callgrind profile counts positions from the last self cost" {
	{ printf 'creator: callgrind-3.19.0\nevents: Ir\n'; relative_body; echo 'totals: 7'; } >x.cg
	gives <<-'E'
	cost  f (a.c, -)  a.c  20  -  1
	call  f (a.c, -)  a.c  22  -  g (a.c, -)  25  -  1  7
	cost  f (a.c, -)  a.c  21  -  3
	call  f (a.c, -)  a.c  21  -  g (a.c, -)  21  -  2  9
	jump  f (a.c, -)  a.c  25  -  f (a.c, -)  a.c  20  -  1  -
	cost  f (a.c, -)  a.c  22  -  1
	call  f (a.c, -)  a.c  19  -  g (a.c, -)  20  -  3  4
	call  f (a.c, -)  a.c  19  -  g (a.c, -)  23  -  4  4
	cost  f (a.c, -)  a.c  22  -  2
	E
}

@test "any other profile counts positions from the last cost line" {
	{ printf 'creator: other\nevents: Ir\n'; relative_body; } >x.cg
	gives <<-'E'
	cost  f (a.c, -)  a.c  20  -  1
	call  f (a.c, -)  a.c  22  -  g (a.c, -)  25  -  1  7
	cost  f (a.c, -)  a.c  23  -  3
	call  f (a.c, -)  a.c  23  -  g (a.c, -)  23  -  2  9
	jump  f (a.c, -)  a.c  27  -  f (a.c, -)  a.c  22  -  1  -
	cost  f (a.c, -)  a.c  28  -  1
	call  f (a.c, -)  a.c  25  -  g (a.c, -)  26  -  3  4
	call  f (a.c, -)  a.c  22  -  g (a.c, -)  26  -  4  4
	cost  f (a.c, -)  a.c  22  -  2
	E
	cp want expected
	sed -i 1d x.cg
	gives <expected
}

@test "each kind of position has its own base" {
	cat >x.cg <<-'E'
	positions: instr line
	events: Ir
	fl=a.c
	fn=f
	0x100 20 1
	+16 * 2
	* +3 3
	-15 -1 4
	cfn=g
	calls=1 0x200 -2
	+1 * 5
	E
	gives <<-'E'
	cost  f (a.c, -)  a.c  20  0x100  1
	cost  f (a.c, -)  a.c  20  0x110  2
	cost  f (a.c, -)  a.c  23  0x110  3
	cost  f (a.c, -)  a.c  22  0x101  4
	call  f (a.c, -)  a.c  22  0x102  g (a.c, -)  20  0x200  1  5
	E
}

@test "a position below zero or beyond 64 bits is rejected" {
	profile Ir <<<$'fn=f\n20 1\n-21 1'
	refused 4 "expected 1 position and costs, found '-21 1'"
	profile Ir <<<$'fn=f\n18446744073709551615 1\n+1 1'
	refused 4 "expected 1 position and costs, found '+1 1'"
	profile Ir <<<$'fn=f\n18446744073709551616 1'
	refused 3 "expected 1 position and costs, found '18446744073709551616 1'"
	profile Ir <<<$'fn=f\n20 1\n-20 1'
	gives <<-'E'
	cost  f (-, -)  -  20  -  1
	cost  f (-, -)  -  -  -  1
	E
}

@test "a call alone in another file leaves callgrind in the file before" {
	cat >body <<-'E'
	fl=a.c
	fn=f
	10 1
	fi=b.h
	cfn=g
	calls=1 3
	11 5
	12 1
	fe=a.c
	13 1
	E
	{ printf 'creator: callgrind-3.19.0\nevents: Ir\n'; cat body; echo 'totals: 3'; } >x.cg
	gives <<-'E'
	cost  f (a.c, -)  a.c  10  -  1
	call  f (a.c, -)  b.h  11  -  g (a.c, -)  3  -  1  5
	cost  f (a.c, -)  a.c  12  -  1
	cost  f (a.c, -)  a.c  13  -  1
	E
	{ printf 'events: Ir\n'; cat body; } >x.cg
	gives <<-'E'
	cost  f (a.c, -)  a.c  10  -  1
	call  f (a.c, -)  b.h  11  -  g (b.h, -)  3  -  1  5
	cost  f (a.c, -)  b.h  12  -  1
	cost  f (a.c, -)  a.c  13  -  1
	E
}

@test "whatever is written means the same under both readings" {
	local seed

	for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
		awk -v seed=$seed -v positions=$((seed % 3)) 'BEGIN {
			OFS = "\t"; srand(seed)
			split("line addr addr,line", kind, " ")
			print "prof", 1
			print "part", 1, "positions=" kind[positions + 1]
			print "meta", "format", "callgrind"
			print "event", 0, "Ir", "-", "-", "-"
			for (i = 0; i < 4; i++) print "file", i, "f" i ".c"
			for (i = 0; i < 2; i++) print "object", i, "/o" i, "-"
			for (i = 0; i < 6; i++) print "func", i, "fn" i, i % 4, i % 2, "-"
			# Every function is met before a jump may go there.
			for (i = 0; i < 6; i++) print "cost", i, i % 4, place(), 1
			f = file = 0
			for (i = 0; i < 400; i++) {
				if (rand() < .2) f = int(rand() * 6)
				if (rand() < .4) file = int(rand() * 4)
				r = rand()
				if (r < .4) print "cost", f, file, place(), i
				else if (r < .8) print "call", f, file, place(), int(rand() * 6), place(), i, i
				else print "jump", f, file, place(), f, int(rand() * 4), place(), i, r < .9 ? i + 1 : "-"
			}
			print "end"
		}
		function place() {
			at += int(rand() * 60) - 25
			if (at < 1) at = 1000
			return (positions == 1 ? "-" : at) OFS (positions == 0 ? "-" : sprintf("0x%x", at * 3))
		}' >x.prof
		facts x.prof >want
		prof-to callgrind x.prof >x.cg
		prof-cat x.cg | facts - >got
		same want got
		# It lacks its totals then.
		sed '1a creator: callgrind-3.19.0' x.cg | { prof-cat || [ $? = 2 ]; } | facts - >got
		same want got
		# It does use short forms.
		[ "$(grep -c '^[+*-]' x.cg)" -gt 20 ]
	done
}

@test "usual lines and those with a blank more say the same" {
	local positions

	for positions in line 'instr line' instr; do
		awk -v positions="$positions" 'BEGIN {
			srand(11); n = split(positions, kind, " ")
			print "creator: test\npositions: " positions "\nevents: Ir Dr\nfl=a.c\nfn=f"
			# The first one is absolute, lest one become negative.
			for (i = 1; i <= n; i++) printf "10000 "
			print "1 1"
			for (j = 0; j < 4000; j++) {
				if (rand() < .1) print "fn=f" int(rand() * 5)
				if (rand() < .05) print "cfn=g\ncalls=" number() " " place()
				print place() cost() cost()
			}
		}
		function number(n, s) {
			if (rand() < .1) return 0
			s = 1 + int(rand() * 9)
			for (n = int(rand() * rand() * 18); n > 0; n--) s = s int(rand() * 10)
			return s
		}
		function cost() { return " " number() }
		function place(i, s) {
			s = ""
			for (i = 1; i <= n; i++) s = s (i > 1 ? " " : "") one(kind[i])
			return s
		}
		function one(k, r) {
			r = rand()
			if (r < .2) return "*"
			if (r < .5) return "+" int(rand() * 10 ^ int(rand() * 5))
			if (r < .6) return "-" int(rand() * 3)
			r = 10000 + int(rand() * 10 ^ int(rand() * 10))
			return k == "line" ? r : rand() < .5 ? sprintf("0x%x", r) : r
		}' >usual.cg
		sed 's/^[0-9*+-].*/& /' usual.cg >odd.cg
		silent prof-cat usual.cg >want
		[ "$(grep -c '^c[oa][sl][tl]' want)" -eq 4001 ]
		silent prof-cat odd.cg >got
		same want got
		both_ways want
	done
}

@test "lines that are nearly usual are rejected like any other" {
	local bad

	for bad in '5 :' '5 /' '5 1:' '5 1/ 2' '+ 5' '- 5' '+x 5' '+1x 5' '5: 1' '1/ 5' \
		'*1 5' '** 5' '+-1 5' '5 1 2 3' '-99999 1' '5 1,2'; do
		profile 'Ir Dr' <<<$'fn=f\n1 1\n2 2\n'"$bad"
		refused 5 ''
	done
}

@test "malformed lines are rejected with what was expected and what found" {
	body() {
		printf 'events: Ir\nfl=a.c\nfn=f\n%s\n' "$1" >x.cg
	}
	body ' 5 10'
	refused 4 "expected a cost line, 'key=value' or 'key: value', found ' 5 10'"
	body 'hello world'
	refused 4 "expected a cost line, 'key=value' or 'key: value', found 'hello world'"
	body '5 ten'
	refused 4 "expected a cost, found 'ten'"
	body '5 1.5'
	refused 4 "expected a cost, found '1.5'"
	body '5 +1'
	refused 4 "expected a cost, found '+1'"
	body '5 0x'
	refused 4 "expected a cost, found '0x'"
	body '5 0xg'
	refused 4 "expected a cost, found '0xg'"
	body '5 -'
	refused 4 "expected a cost, found '-'"
	body '5x 10'
	refused 4 "expected 1 position and costs, found '5x 10'"
	body '16:20 10'
	refused 4 "expected 1 position and costs, found '16:20 10'"
	body '0x10-0x20 10'
	refused 4 "expected 1 position and costs, found '0x10-0x20 10'"
	body '+ 10'
	refused 4 "expected 1 position and costs, found '+ 10'"
	body '0x 10'
	refused 4 "expected 1 position and costs, found '0x 10'"
	body $'cfn=g\ncalls=x 5\n1 2'
	refused 5 "calls: expected a count, found 'x 5'"
	body $'cfn=g\ncalls=\n1 2'
	refused 5 "calls: expected a count, found ''"
	body $'cfn=g\ncalls=-1 5\n1 2'
	refused 5 "calls: expected a count, found '-1 5'"
	body $'cfn=g\ncalls=1 5 6\n1 2'
	refused 5 "expected the end of the line, found '6'"
	body $'calls=1 5\n1 2'
	refused 4 "calls: no 'cfn=' before it"
	body $'cfn=g\ncalls=1 5\nfn=h\n1 2'
	refused 6 "expected the cost line of 'calls='"
	body $'cfn=g\ncalls=1 5'
	refused 5 "the profile is truncated: it ends between 'calls=' and the cost line"
	body 'jump=x 5'
	refused 4 "jump: expected a count, found 'x 5'"
	body 'jcnd=3'
	refused 4 "jcnd: expected two counts, found '3'"
	body 'jcnd=3/x 5'
	refused 4 "jcnd: expected two counts, found '3/x 5'"
	printf 'version: 1\nfn=f\n5 10\n' >x.cg
	refused 3 "expected 'events:' before the first cost line"
	printf 'version: 1\ncreator: x\n' >x.cg
	exits_with 2 "x.cg:2: no 'events:' line" prof-cat x.cg
	printf 'version: 2\nevents: Ir\n' >x.cg
	refused 1 "format version '2' is not supported, only 0 and 1 are"
}

@test "lenient skips malformed lines, counts them, and takes the rest" {
	profile Ir <<-'E'
	fl=a.c
	fn=f
	1 5
	2 ten
	3 6
	5x 7
	nonsense
	4 8 9
	+1 7
	E
	prof-cat --lenient x.cg >x.prof 2>err
	spelt x.prof >got
	# A line that was skipped does not move the base.
	tabs >want <<-'E'
	cost  f (a.c, -)  a.c  1  -  5
	cost  f (a.c, -)  a.c  3  -  6
	cost  f (a.c, -)  a.c  4  -  7
	E
	same want got
	grep -qP '^meta\tskipped\t4$' x.prof
	[ "$(tail -n 1 x.prof)" = end ]
	grep -q "skipped: x.cg:5: expected a cost, found 'ten'$" err
	grep -q "skipped: x.cg:7: expected 1 position and costs, found '5x 7'$" err
	grep -q "skipped: x.cg:8: expected a cost line" err
	grep -q "skipped: x.cg:9: more costs than events (1): '9'$" err
	grep -q '^prof-cat: warning: x.cg: 4 malformed or truncated lines skipped$' err
}

@test "lenient never takes a call's cost for self cost" {
	local bad

	for bad in 'calls=x 5' 'calls=1 5 6' 'calls=1 x' 'calls=' 'rcalls=y 1'; do
		profile Ir <<-E
		fl=a.c
		fn=f
		1 5
		cfn=g
		$bad
		2 1000
		3 6
		E
		prof-cat --lenient x.cg >x.prof 2>err
		[ "$(self_sums x.prof)" = 11 ]
		lacks x.prof '^call\t'
	done
	# And no cfn= at all.
	profile Ir <<<$'fn=f\n1 5\ncalls=1 5\n2 1000\n3 6'
	prof-cat --lenient x.cg >x.prof 2>err
	[ "$(self_sums x.prof)" = 11 ]
	grep -qP '^meta\tskipped\t2$' x.prof
}

@test "lenient takes a profile that ends early" {
	printf 'creator: callgrind-3.19.0\nevents: Ir\nfn=f\n1 5\n2 6\n3 70' >x.cg
	exits_with 2 "x.cg:6: the profile is truncated: a part has no 'totals:'" prof-cat x.cg
	prof-cat --lenient x.cg >x.prof 2>err
	[ "$(self_sums x.prof)" = 81 ]
	[ "$(tail -n 1 x.prof)" = end ]
	grep -q '^meta	skipped	' x.prof
	prof-top --lenient --tsv x.cg 2>err | cut -f 1,5 >got
	printf 'function\tIr\nf\t81\n' >want
	same want got
}

@test "a last line without a newline is a truncation, unless it is yappi's, or an end is stated" {
	local note='the last line has no newline: the profile may be truncated there'
	local f=$BATS_FILE_TMPDIR/default.out

	# As yappi writes its files.
	printf '%s\n' 'version: 1' 'creator: yappi' 'pid: 7' 'cmd:  t.py' 'part: 1' '' \
		'events: Ticks' 'fl=(1) t.py' 'fl=(3) t.py' 'fn=(1) main t.py:9' 'fn=(3) g t.py:1' \
		'' 'fl=(1)' 'fn=(1)' '9 100' 'cfl=(3)' 'cfn=(3)' 'calls=2 0' '0 50' \
		'' 'fl=(3)' 'fn=(3)' '1 50' >whole
	silent prof-cat whole >want
	head -c -1 whole >x.cg
	prof-cat x.cg >got 2>err
	same want got
	[ "$(cat err)" = "prof-cat: x.cg:23: $note" ]
	prof-cat --lenient x.cg 2>err | grep -v '^meta	source	' >got
	same want got
	[ "$(cat err)" = "prof-cat: x.cg:23: $note" ]
	exits_with 2 'standard input:23: the profile is truncated: its last line has no newline (accepted in a file)' \
		prof-cat < <(cat x.cg)
	# Of others: what is left of the number could be all of it.
	sed 's/yappi/mine/' x.cg >y.cg
	exits_with 2 'y.cg:23: the profile is truncated: its last line has no newline' \
		prof-cat y.cg
	# What it lacks is said first.
	head -n 18 whole | head -c -1 >x.cg
	exits_with 2 "x.cg:18: the profile is truncated: it ends between 'calls=' and the cost line" \
		prof-cat x.cg
	# Valgrind's own ends with what it began with: nothing can be missing.
	grep -q '^summary:' "$f"
	[ "$(tail -n 1 "$f" | cut -d ' ' -f 2-)" = "$(grep '^summary:' "$f" | cut -d ' ' -f 2-)" ]
	head -c -1 "$f" >x.cg
	silent prof-cat x.cg >got
	silent prof-cat "$f" | same - got
	# But this may be 60.
	printf '%s\n' 'creator: callgrind-3.19.0' 'events: Ir' 'fn=f' '1 5' 'totals: 5' |
		head -c -1 >x.cg
	exits_with 2 'x.cg:5: the profile is truncated: its last line has no newline' prof-cat x.cg
	# What others say of the end counts, too.
	printf '%s\n' 'events: A' 'summary: 5' 'fn=f' '1 5' 'totals: 5' | head -c -1 >x.cg
	silent prof-cat x.cg >got
	printf '%s\n' 'events: A' 'fn=f' '1 5' 'totals: 5' 'summary: 5' | head -c -1 >x.cg
	silent prof-cat x.cg >got
	printf '%s\n' 'events: A' 'summary: 50' 'fn=f' '1 50' 'totals: 5' | head -c -1 >x.cg
	exits_with 2 'x.cg:5: the profile is truncated: its last line has no newline' \
		prof-cat x.cg
	printf '%s\n' 'events: A' 'summary: 5' 'totals: 5' 'fn=f' '1 5' | head -c -1 >x.cg
	exits_with 2 'x.cg:5: the profile is truncated: its last line has no newline' \
		prof-cat x.cg
}

@test "major versions 0 and 1 are compatible, whatever follows the point" {
	local v

	for v in 1 0 1.0 0.9.6 '1 ' 1.17-x; do
		printf '%s\n' "version: $v" 'events: A' 'fl=a.c' 'fn=f' '1 5' >x.cg
		[ "$(prof-cat --probe x.cg)" = 'x.cg: callgrind' ]
		silent prof-cat x.cg | has -x 'cost	0	0	1	-	5'
	done
	for v in 2 10 01 1a '' x -1 2.0; do
		printf '%s\n' "version: $v" 'events: A' 'fl=a.c' 'fn=f' '1 5' >x.cg
		exits_with 2 "x.cg:1: format version '$v' is not supported, only 0 and 1 are" \
			prof-cat x.cg
	done
}

@test "relative positions may be hexadecimal" {
	printf '%s\n' 'positions: instr line' 'events: A' 'fl=a.c' 'fn=f' '0x1000 16 1' \
		'+0x10 +0x10 2' '-0x8 -0xa 3' '+8 -1 4' 'cfn=g' 'calls=1 +0x20 +0x3' '* * 5' \
		'+0xfFf +0xF 6' >x.cg
	silent prof-cat x.cg | grep '^cost\|^call' | cut -f 1,4,5,7,8 >got
	bars >want <<-'E'
	cost|16|0x1000
	cost|32|0x1010
	cost|22|0x1008
	cost|21|0x1010
	call|21|0x1010|24|0x1030
	cost|36|0x200f
	E
	same want <(sed 's/\t*$//' got)
	for p in '+0x' '-0x9999' '+0xg' '+ 0x1' '+0x10000000000000000'; do
		printf '%s\n' 'positions: instr line' 'events: A' 'fn=f' '0x1000 1 1' "$p 1 2" >x.cg
		exits_with 2 'x.cg:5: expected 2 positions and costs' prof-cat x.cg
	done
}

@test "a function before an appended profile does not belong to it" {
	printf '%s\n' fn=f '==== NEW PROFILING FILE ====' 'events: T' '1 5' >x.cg
	prof-cat --from callgrind x.cg >x.prof
	grep '^func\|^cost' x.prof | diff - <(bars <<<'cost|-|-|1|-|5')
}

@test "profiles that Xdebug has appended are parts of their own, numbers too" {
	local line='==== NEW PROFILING FILE =============================================='

	dump() {
		printf '%s\n' '' "$line" 'version: 1' 'creator: xdebug 3.1.0 (PHP 8.1.2)' \
			"cmd: $1" 'part: 1' 'positions: line' '' 'events: Time Memory' '' \
			"fl=(1) php:internal" "fn=(1) $2" '5 10 0' '' "fl=(2) $1" 'fn=(2) {main}' \
			'1 4 2' 'cfl=(1)' 'cfn=(1)' 'calls=1 0 0' '7 10 0' '' "summary: 14 $3" ''
	}
	{ dump /a.php php::strlen 100; dump /b.php php::sleep 200; } >x.cg
	[ "$(prof-cat --probe x.cg)" = 'x.cg: callgrind' ]
	silent prof-cat x.cg >x.prof
	grep '^part\|^meta	cmd\|^total' x.prof >got
	bars >want <<-'E'
	part|1|positions=line
	meta|cmd|/a.php
	total|run|14|100
	part|2|positions=line
	meta|cmd|/b.php
	total|run|14|200
	E
	same want got
	spelt x.prof >got
	tabs >want <<-'E'
	cost  php::strlen (php:internal, -)  php:internal  5  -  10  0
	cost  {main} (/a.php, -)  /a.php  1  -  4  2
	call  {main} (/a.php, -)  /a.php  7  -  php::strlen (php:internal, -)  -  -  1  10  0
	cost  php::sleep (php:internal, -)  php:internal  5  -  10  0
	cost  {main} (/b.php, -)  /b.php  1  -  4  2
	call  {main} (/b.php, -)  /b.php  7  -  php::sleep (php:internal, -)  -  -  1  10  0
	E
	same want got
	# Nothing else than the separator tells the runs.
	silent prof-to callgrind --strict x.cg >y.cg
	[ "$(grep -cFx "$line" y.cg)" -eq 1 ]
	silent prof-cat y.cg | same x.prof -
	# A number of the first is none of the second, and so are its places.
	{ dump /a.php php::strlen 100; printf '%s\n' "$line" 'events: A' 'fn=(2)' '1 5'; } >x.cg
	prof-cat x.cg 2>err | spelt | tail -n 1 >got
	tabs <<<'cost  (2) (-, -)  -  1  -  5' | same - got
	grep -q 'name (2) is used but never defined' err
	prof-cat x.cg 2>err | grep -c '^meta	cmd' | has -x 1
	# Before 2011, and the separator alone.
	printf '%s\n' '' "$line" 'version: 0.9.6' 'cmd: /x.php' 'part: 1' '' 'events: Time' '' \
		'fl=/x.php' 'fn=php::strlen' '4 12' '' 'fl=/x.php' 'fn={main}' '' 'summary: 20' '' \
		'0 8' 'cfn=php::strlen' 'calls=1 0 0' '4 12' '' >x.cg
	silent prof-cat x.cg >x.prof
	[ "$(self_sums x.prof)" = 20 ]
	{ cat x.cg; echo "$line"; } >y.cg
	silent prof-cat y.cg | same x.prof -
	# A call is not finished by the next file.
	printf '%s\n' 'events: A' 'fn=f' '1 5' 'cfn=g' 'calls=1 0' "$line" 'events: A' 'fn=h' '1 5' >x.cg
	exits_with 2 "expected the cost line of 'calls='" prof-cat x.cg
}

@test "a summary before the body and one after it may be equal" {
	printf '%s\n' 'events: A' 'summary: 5' 'fn=f' '1 5' 'summary: 5' >x.cg
	silent prof-cat x.cg | grep '^total' >got
	bars <<<'total|run|5' | same - got
	printf '%s\n' 'events: A' 'summary: 5' 'fn=f' '1 5' 'summary: 6' >x.cg
	exits_with 2 'x.cg:5: summary: a second, different one in this part' prof-cat x.cg
}

@test "a function without costs is known" {
	profile Ir <<-'E'
	fl=a.c
	fn=never
	fn=f
	1 5

	fn=last
	E
	silent prof-cat x.cg >x.prof
	silent prof-grep f x.cg >/dev/null
	awk -F '\t' '$1 == "func" { print $3 }' x.prof | sort >got
	printf 'f\nlast\n' >want
	same want got
}

@test "costs outside any function belong to an unknown one" {
	profile Ir <<-'E'
	1 5
	fl=a.c
	2 6
	E
	gives <<-'E'
	cost  -  -  1  -  5
	cost  -  a.c  2  -  6
	E
}

@test "a file header in the middle of a file belongs to the part after it" {
	local f=$BATS_FILE_TMPDIR/threads-combined.out

	# valgrind writes one for each thread.
	[ "$(grep -c '^creator:' "$f")" -eq 3 ]
	silent prof-cat "$f" >x.prof
	[ "$(grep -cP '^meta\tcreator\t' x.prof)" -eq "$(grep -c '^part' x.prof)" ]
	both_ways x.prof
}

@test "lenient loses no line but those that are bad" {
	# The calls= line without its cost is bad, the fn= after it is not.
	profile Ir <<-'E'
	fl=a.c
	fn=f
	1 5
	cfn=g
	calls=1 5
	fn=h
	2 6
	E
	prof-cat --lenient x.cg 2>err | spelt >got
	tabs >want <<-'E'
	cost  f (a.c, -)  a.c  1  -  5
	cost  h (a.c, -)  a.c  2  -  6
	E
	same want got
	profile Ir <<-'E'
	fl=a.c
	fn=f
	1 5
	cfn=g
	calls=1 5
	calls=2 6
	3 7
	4 8
	E
	prof-cat --lenient x.cg 2>err | spelt >got
	tabs >want <<-'E'
	cost  f (a.c, -)  a.c  1  -  5
	call  f (a.c, -)  a.c  3  -  g (a.c, -)  6  -  2  7
	cost  f (a.c, -)  a.c  4  -  8
	E
	same want got
}

@test "names that look like compressed ones survive" {
	tabs >x.prof <<-'E'
	prof  1
	part  1  positions=line
	meta  format  callgrind
	event  0  Ir  -  -  -
	file  0  (1)
	func  0  main  0  -  -
	cost  0  0  1  -  5
	func  1  (1)'2  0  -  -
	cost  1  0  2  -  6
	func  2  (1)  0  -  -
	cost  2  0  2  -  6
	func  3  (2) x  0  -  -
	cost  3  0  2  -  6
	total  sum  23
	end
	E
	prof-to callgrind --strict x.prof | prof-cat >y.prof
	same x.prof y.prof
	# callgrind itself means another name by it: that is said.
	sed -i '3a meta	creator	callgrind-3' x.prof
	exits_with 2 'names that look compressed' prof-to callgrind --strict x.prof
}

@test "the target function of a jump keeps its file and object, or the loss is reported" {
	tabs >x.prof <<-'E'
	prof  1
	part  1  positions=line
	meta  format  callgrind
	event  0  Ir  -  -  -
	object  0  /bin/a  -
	object  1  /lib/b  -
	file  0  a.c
	func  0  f  0  0  -
	cost  0  0  1  -  5
	file  1  b.c
	func  1  g  1  0  -
	jump  0  0  1  -  1  1  7  -  3  -
	func  2  h  1  1  -
	jump  0  0  1  -  2  1  8  -  3  -
	total  sum  5
	end
	E
	prof-to callgrind x.prof >y.cg 2>err
	spelt x.prof >want
	prof-cat y.cg | spelt >got
	[ -s err ] || same want got
}

@test "positions may stand in any order" {
	cat >x.cg <<-'E'
	positions: line instr
	events: Ir
	fl=a.c
	fn=f
	5 0x10 7
	6 32 8
	+1 +4 9
	E
	silent prof-cat x.cg | spelt >got
	tabs >want <<-'E'
	cost  f (a.c, -)  a.c  5  0x10  7
	cost  f (a.c, -)  a.c  6  0x20  8
	cost  f (a.c, -)  a.c  7  0x24  9
	E
	same want got
}

# through_callgrind STREAM-LINES: the stream of format callgrind with these
# lines in its header comes back from a Callgrind file.
with_header() {
	{
		printf 'prof\t1\npart\t1\tpositions=line\nmeta\tformat\tcallgrind\n'
		printf '%b' "$1"
		printf 'file\t0\ta.c\nfunc\t0\tf\t0\t-\t-\ncost\t0\t0\t1\t-\t5\ntotal\tsum\t5\nend\n'
	} >x.prof
	silent prof-cat x.prof >/dev/null
}

through_callgrind() {
	with_header "$1"
	both_ways x.prof
}

@test "all values of a metadata field come back" {
	through_callgrind 'meta\tk\ta\tb\nevent\t0\tIr\t-\t-\t-\n'
}

@test "metadata without a value, or with an absent one, is not empty" {
	through_callgrind 'meta\tk\t-\nmeta\tl\t\nmeta\tm\nevent\t0\tIr\t-\t-\t-\n'
}

@test "all values of the command come back, or the loss is reported" {
	with_header 'meta\tcmd\t./a\t-x\nevent\t0\tIr\t-\t-\t-\n'
	prof-to callgrind x.prof >y.cg 2>err
	prof-cat y.cg >y.prof
	[ -s err ] || same x.prof y.prof
}

@test "a metadata key may contain a colon" {
	through_callgrind 'meta\tx.a:b\tv\nevent\t0\tIr\t-\t-\t-\n'
}

@test "a line end in an event's description or formula makes no line of the file" {
	with_header 'event\t0\tIr\t-\t-\ttwo\\nfn=evil\nevent\t-\tX\t-\tIr\\nfn=evil\t-\n'
	prof-to callgrind --quiet x.prof >y.cg
	lacks y.cg '^fn=evil'
	prof-cat y.cg >y.prof
	[ "$(self_sums y.prof)" = 5 ]
}

@test "an event without characters in its name, or with a colon, can be read back" {
	local name

	for name in '' A:B A=B; do
		with_header "event\t0\t$name\t-\t-\tx\n"
		prof-to callgrind --quiet x.prof >y.cg
		prof-cat y.cg >y.prof
		[ "$(self_sums y.prof)" = 5 ]
		[ "$(grep -c '^event' y.prof)" -eq 1 ]
	done
}

@test "lines after the version: of a second file are not at a place of the first" {
	printf '%s\n' 'version: 1' 'events: A' ob=lib fl=a.c fn=f '5 1' >x.cg
	printf '%s\n' 'version: 1' 'events: A' '+3 2' fn=g '7 3' cfn=h 'calls=1 9' '7 1' >y.cg
	cat x.cg y.cg | silent prof-cat >x.prof
	grep -E '^(object|file|func|cost|call)' x.prof >got
	printf '%b\n' 'file\t0\ta.c' 'object\t0\tlib\t-' 'func\t0\tf\t0\t0\t-' \
		'cost\t0\t0\t5\t-\t1' 'cost\t-\t-\t3\t-\t2' 'func\t1\tg\t-\t-\t-' \
		'cost\t1\t-\t7\t-\t3' 'func\t2\th\t-\t-\t-' 'call\t1\t-\t7\t-\t2\t9\t-\t1\t1' >want
	same want got
}

@test "header lines may stand in any order" {
	profile Ir <<-'E'
	positions: instr line
	fl=a.c
	fn=f
	0x10 1 5
	E
	gives <<-'E'
	cost  f (a.c, -)  a.c  1  0x10  5
	E
	printf '%s\n' 'creator: x' 'events: Ir' 'cmd: y' 'version: 1' 'part: 1' 'thread: 2' \
		'pid: 3' fl=a.c fn=f '1 5' >x.cg
	silent prof-cat x.cg | grep -E '^(part|meta)' >got
	printf '%b\n' 'part\t1\tpositions=line' 'meta\tformat\tcallgrind' 'meta\tcreator\tx' \
		'meta\tpid\t3' 'meta\tcmd\ty' 'meta\tpart\t1' 'meta\tthread\t2' >want
	same want got
}

@test "a new part begins after a body, or where a header has a line twice" {
	profile A <<-'E'
	fl=a.c
	fn=f
	1 5

	version: 1
	events: B
	fl=a.c
	fn=f
	2 6
	events: C
	events: D
	fn=f
	3 7
	part: 5
	positions: instr line
	part: 6
	events: E
	fn=f
	0x1 4 8
	E
	silent prof-cat x.cg | grep -E '^(part|meta	part|event|cost)' | cut -f 1-3,6 >got
	printf '%b\n' 'part\t1\tpositions=line' 'event\t0\tA\t-' 'cost\t0\t0\t5' \
		'part\t1\tpositions=line' 'event\t0\tB\t-' 'cost\t0\t0\t6' \
		'part\t1\tpositions=line' 'event\t0\tC\t-' \
		'part\t1\tpositions=line' 'event\t0\tD\t-' 'cost\t0\t0\t7' \
		'part\t1\tpositions=addr,line' 'meta\tpart\t5' 'meta\tpart\t6' \
		'event\t0\tE\t-' 'cost\t0\t0\t8' >want
	same want got
}

@test "two profiles joined by cat are two runs, without a message" {
	local a=$BATS_FILE_TMPDIR/default.out b=$BATS_FILE_TMPDIR/recursions.out

	cat "$a" "$b" >x.cg
	silent prof-cat x.cg >x.prof
	grep '^part' x.prof | cut -f 2 >got
	printf '1\n2\n' >want
	same want got
	# As two files they are the same, but for the names of the files.
	silent prof-cat "$a" "$b" | grep -v '^meta	source' | spelt >want
	spelt x.prof >got
	same want got
	silent prof-top --tsv x.cg >got
	prof-top --tsv "$a" "$b" >want
	same want got
	prof-top x.cg >got
	head -n 1 got >heading
	grep -q ' in 2 profiles, 2 parts' heading
	cat x.cg "$a" | prof-cat - | grep '^part' | cut -f 2 | tr '\n' ' ' >got
	[ "$(cat got)" = '1 2 3 ' ]
}

@test "blanks may follow '=', and counts may be hexadecimal" {
	printf 'events: Ir\nob=  o\nfl= x.c\nfn=\tf\n1 5\ncob= p\ncfi= (1) y.c\ncfn= (1)  g\ncalls= 0x10 5\n2 20\ncfi= (1)\ncfn= (1)\ncalls=\t0X0a 6\n3 7\njump= 0x3 1\n4\njcnd= 0x1/ 0x2 1\n5\n' >x.cg
	gives <<-'E'
	cost  f (x.c, o)  x.c  1  -  5
	call  f (x.c, o)  x.c  2  -  g (y.c, p)  5  -  16  20
	call  f (x.c, o)  x.c  3  -  g (y.c, o)  6  -  10  7
	jump  f (x.c, o)  x.c  4  -  f (x.c, o)  x.c  1  -  3  -
	jump  f (x.c, o)  x.c  5  -  f (x.c, o)  x.c  1  -  1  2
	E
}

@test "no more than 12 names are warned of, and the last warning says so" {
	{
		echo 'events: Ir'
		for i in $(seq 12); do printf 'fn=(%d)\n1 1\n' "$i"; done
	} >x.cg
	prof-cat x.cg 2>err >x.prof
	[ "$(grep -c 'is used but never defined' err)" -eq 12 ]
	for i in $(seq 13 40); do printf 'fn=(%d)\n1 1\n' "$i"; done >>x.cg
	prof-cat x.cg 2>more >x.prof
	same err more
	[ "$(grep -c 'more such names are not shown' err)" -eq 1 ]
	tail -n 1 err | has '(more such names are not shown)$'
	# They are all there.
	[ "$(grep -c '^cost' x.prof)" -eq 40 ]
}

@test "a bad summary is reported at its own line" {
	printf 'version: 1\nevents: Ir\nsummary: x\nfl=a.c\nfn=f\n1 5\n' >x.cg
	refused 3 "expected a cost, found 'x'"
	printf 'version: 1\nevents: Ir\nsummary: 1 2\nfl=a.c\nfn=f\n1 5\n' >x.cg
	refused 3 "more costs than events (1): '2'"
	printf 'version: 1\nevents: Ir\nfl=a.c\nfn=f\n1 5\nsummary: x\n' >x.cg
	refused 6 "expected a cost, found 'x'"
	prof-cat --lenient x.cg 2>err | grep '^cost' >got
	printf 'cost\t0\t0\t1\t-\t5\n' >want
	same want got
}

@test "lenient drops a bad calls= line with its file, object and function" {
	profile Ir <<-'E'
	fl=a.c
	fn=f
	1 5
	cob=o
	cfi=other.c
	cfn=g
	calls=x 5
	2 50
	cfn=h
	calls=1 5
	3 20
	E
	prof-cat --lenient x.cg 2>err | spelt >got
	tabs >want <<-'E'
	cost  f (a.c, -)  a.c  1  -  5
	call  f (a.c, -)  a.c  3  -  h (a.c, -)  5  -  1  20
	E
	same want got
}

@test "totals beyond 64 bits are rejected, and costs that only add up to more are not" {
	part() {
		printf 'prof\t1\npart\t1\n%sevent\t0\tE\t-\t-\t-\nfunc\t0\tf\t-\t-\t-\n' "$2"
		printf 'cost\t0\t-\t1\t-\t18446744073709551615\n%send\n' "$1"
	}
	part $'total\trun\t18446744073709551616\n' >x.prof
	exits_with 2 "summary: '18446744073709551616' does not fit 64 bits" prof-to callgrind x.prof
	part $'total\tsum\t18446744073709551616\n' >x.prof
	exits_with 2 "totals: '18446744073709551616' does not fit 64 bits" prof-to callgrind x.prof
	part $'total\trun\t18446744073709551615\n' >x.prof
	silent prof-to callgrind x.prof >got
	grep -qx 'summary: 18446744073709551615' got
	part $'cost\t0\t-\t2\t-\t1\n' >x.prof
	silent prof-to callgrind x.prof >got
	lacks got '^totals'
	# Of another format they are written, and so must fit.
	part $'cost\t0\t-\t2\t-\t1\n' $'meta\tformat\tgprof\n' >x.prof
	exits_with 2 "totals: '18446744073709551616' does not fit 64 bits" prof-to callgrind x.prof
}

@test "negative costs and functions without cost are written, blanks before names are not" {
	printf '%b\n' 'prof\t1' 'part\t1' 'event\t0\tE\t-\t-\t-' 'func\t0\t f\t-\t-\t-' \
		'cost\t0\t-\t1\t-\t-3' 'func\t1\tnever\t-\t-\t-' end >x.prof
	prof-to callgrind x.prof >x.cg 2>err
	printf '%s\n' 'prof-to: callgrind: some readers treat negative costs as 0' \
		'prof-to: callgrind cannot hold: blanks before names (1)' >want
	same want err
	grep -qx '1 -3' x.cg
	[ "$(grep '^fn=' x.cg | tail -n 1)" = 'fn=(2) never' ]
	exits_with 2 'blanks before names' prof-to callgrind --strict x.prof
	sed 's/\t f/\tf/' x.prof | prof-to callgrind --strict 2>err >got
	[ "$(cat err)" = 'prof-to: callgrind: some readers treat negative costs as 0' ]
	prof-cat got | grep '^func' | cut -f 3 >names
	printf 'f\nnever\n' | same - names
}

@test "a name with blanks before it is not taken for the number of another" {
	printf '%b\n' 'prof\t1' 'part\t1' 'event\t0\tE\t-\t-\t-' 'func\t0\tf\t-\t-\t-' \
		'func\t1\t (1)\t-\t-\t-' 'func\t2\t (1) g\t-\t-\t-' 'func\t3\t  \t-\t-\t-' \
		'cost\t0\t-\t1\t-\t5' 'cost\t1\t-\t1\t-\t7' 'cost\t2\t-\t1\t-\t9' \
		'cost\t3\t-\t1\t-\t11' 'cost\t0\t-\t2\t-\t100' end >x.prof
	prof-to callgrind --quiet x.prof >x.cg
	silent prof-cat x.cg >y.prof
	printf '%s\n' '105 f' '11 ' '7 (1)' '9 (1) g' >want
	awk -F '\t' '$1 == "func" { name[$2] = $3 } $1 == "cost" { n[$2] += $6 }
		END { for (f in n) print n[f], name[f] }' y.prof | LC_ALL=C sort | same want -
}

@test "metadata that no line of the header can hold, or that come twice, are read back" {
	with_header "$(printf 'meta\t%s\\n' $'creator\t c' $'pid\t 7' $'cmd\tx' $'cmd\ty' \
		$'part\t 1' $'thread\ta\\\\nb')"'event\t0\tE\t-\t-\t-\n'
	silent prof-to callgrind --strict x.prof >y.cg
	silent prof-cat y.cg | grep '^meta' | sort >got
	grep '^meta' x.prof | sort | same - got
}

@test "parts of one run that have different pids are reported, as readers take them for two" {
	printf '%b\n' 'prof\t1' 'part\t0' 'meta\tpid\t1' 'event\t0\tE\t-\t-\t-' \
		'func\t0\tf\t-\t-\t-' 'cost\t0\t-\t1\t-\t5' 'part\t0' 'meta\tpid\t2' 'event\t0\tE\t-\t-\t-' \
		'cost\t0\t-\t1\t-\t5' end >x.prof
	exits_with 2 'which run a part belongs to' prof-to callgrind --strict x.prof
	sed 's/pid.2/pid\t1/' x.prof | silent prof-to callgrind --strict >x.cg
	[ "$(silent prof-cat x.cg | grep '^part' | cut -f 2 | tr '\n' ' ')" = '1 1 ' ]
	sed $'7s/0/1/' x.prof | silent prof-to callgrind --strict >x.cg
	[ "$(silent prof-cat x.cg | grep '^part' | cut -f 2 | tr '\n' ' ')" = '1 2 ' ]
}

@test "a description of an event can begin with a blank" {
	with_header 'event\t0\tA\t-\t-\t b\nevent\t-\tsum\t-\t2 A\t c\n'
	silent prof-to callgrind --strict x.prof >y.cg
	[ "$(silent prof-cat y.cg | grep '^event')" = "$(grep '^event' x.prof)" ]
}

@test "the formula of an event whose name has a colon can be read back" {
	local measured='event\t0\tA:u\tB\t-\t-\nevent\t1\tx=y\t-\t-\t-\n'

	with_header "$measured"'event\t-\tsum\t-\tA:u + 2 x=y\ta: b\n'
	prof-to callgrind --quiet x.prof >y.cg
	grep -qx 'event: sum = A_u + 2 x_y : a: b' y.cg
	grep -qx 'events: A_u x_y' y.cg
	[ "$(silent prof-cat y.cg | grep '^event')" = "$(grep '^event' x.prof)" ]
}

@test "names of events that become equal are reported if readers take them for one" {
	# alike EVENT EVENT: a profile with two events, measured or not.
	alike() {
		printf '%b\n' 'prof\t1' 'part\t1' "event\t$1" "event\t$2" \
			'func\t0\tf\t-\t-\t-' 'cost\t0\t-\t1\t-\t3' end
	}
	# Of two measured ones the place tells them apart.
	alike '0\ta b\t-\t-\t-' '1\ta=b\t-\t-\t-' | prof-to callgrind --strict >x.cg
	grep -qx 'events: a_b a_b' x.cg
	prof-cat x.cg | grep '^event' | cut -f 3 | tr '\n' ' ' >got
	[ "$(cat got)" = 'a b a=b ' ]
	# A description would be of both, in either order, and what is derived of neither.
	for other in '1\ta=b\t-\t-\tsaid' '-\ta=b\t-\t0 \t-' '-\ta=b\t-\t-\tsaid'; do
		alike '0\ta_b\t-\t-\t-' "$other" >x.prof
		exits_with 2 'event names that become the same (1)' prof-to callgrind --strict x.prof
	done
	alike '0\ta=b\t-\t-\tsaid' '1\ta_b\t-\t-\t-' >x.prof
	exits_with 2 'event names that become the same (1)' prof-to callgrind --strict x.prof
	alike '0\ta_b\t-\t-\t-' '-\tc\t-\ta_b + a_b\t-' | prof-to callgrind --strict >x.cg
	grep -qx 'event: c = a_b + a_b' x.cg
}

@test "a bad summary before events: is reported at its own line" {
	printf 'version: 1\nsummary: 1 2\nevents: A\nfl=m.c\nfn=a\n1 10\n2 20\n' >x.cg
	exits_with 2 'prof-cat: x.cg:2: ' prof-cat x.cg
}

@test "lenient loses no cost after a bad summary before events:" {
	printf 'version: 1\nsummary: 1 2\nevents: A\nfl=m.c\nfn=a\n1 10\n2 20\n' >x.cg
	prof-cat --lenient x.cg 2>err | grep '^cost' | cut -f 6 >got
	printf '10\n20\n' | diff -u - got
}

@test "lenient drops cfi and cob with a call whose cost line is bad" {
	printf 'events: A\nfl=m.c\nfn=a\n1 10\ncob=o\ncfi=other.c\ncfn=b\ncalls=1 0\n7 q\ncfn=c\ncalls=1 0\n8 20\n' >x.cg
	prof-cat --lenient x.cg 2>err | grep '^func' | cut -f 3-5 >got
	printf 'a\t0\t-\nc\t0\t-\n' | diff -u - got
}

@test "lenient drops cfi and cob with a call that has no cost line" {
	printf 'events: A\nfl=m.c\nfn=a\n1 10\ncob=o\ncfi=other.c\ncfn=b\ncalls=1 0\ncfn=c\ncalls=1 0\n8 20\n' >x.cg
	prof-cat --lenient x.cg 2>err | grep '^func' | cut -f 3-5 >got
	printf 'a\t0\t-\nc\t0\t-\n' | diff -u - got
}

@test "a jump may be the first line of a body, without a place of its own" {
	profile Ir <<-'E'
	jump=3 7
	fl=a.c
	fn=f
	1 5
	E
	gives <<-'E'
	jump  -  -  -  -  -  -  7  -  3  -
	cost  f (a.c, -)  a.c  1  -  5
	E
}

@test "a raw line that would be read as something else is not written" {
	for raw in '-|fav main ' '-|fn=(1) other' '0|fn=other' '-|bb=1' '0|rec=1' \
		'0|4 70' '0|-' '0|=x'; do
		printf '%s\n' 'prof|1' 'part|1' 'event|0|Ir|-|-|-' 'func|0|main|-|-|-' \
			"raw|$raw" 'cost|0|-|3|-|5' end | tr '|' '\t' >x.prof
		prof-to callgrind x.prof >got 2>err
		grep -qx 'prof-to: callgrind cannot hold: lines of another format (1)' err
		[ "$(prof-cat got | grep -c '^cost\|^raw\|^func')" -eq 2 ]
	done
	sed 's/^raw.*/raw\t0\tbb=1/' x.prof >y.prof
	silent prof-to callgrind --strict y.prof | grep -x bb=1
}

@test "it does not matter where a read ends" {
	printf 'events: A B\npositions: instr line\nfn=(1) f\n0x10 1 5\n' >head
	{
		printf 'cfn=(2) g\ncalls=0x7 0x20 1\n+4 * 12 3\n'
		printf 'jcnd=0x5 9 -4 +2\n* *\njump=8 +0 *\njcnd=3/4 * *\n* *\n'
		printf '+0 -1 2\nfn=(2)\n0x20 3 1 2\ntotals: 20 5\n'
	} >body
	cat head body >lines
	prof-cat lines >want
	[ "$(grep -c '^jump.*	9	5$\|^jump.*	8	-$\|^jump.*	3	4$' want)" = 3 ]
	[ "$(grep -c '^call.*	7	12	3$' want)" = 1 ]
	# a file is read in pieces of 256 KiB: one ends in each place
	room=$((262144 - $(stat -c %s head)))
	for ((i = 0; i <= $(stat -c %s body); i++)); do
		head -c $((room - i)) /dev/zero | tr '\0' '\n' | cat head - body |
			prof-cat | cmp - want
		head -c $((room - i)) /dev/zero | tr '\0' '\n' | cat head - body >padded
		prof-cat padded | cmp - want
	done
}

@test "positions at both ends of 64 bits are not near each other" {
	printf 'positions: instr line\nevents: Ir\nfl=a.c\nfn=f\n' >x.cg
	printf '%s\n' '0xfffffffffffffff8 18446744073709551610 1' '0x4 3 2' \
		'0xffffffffffffffff 18446744073709551615 4' '0 1 8' >>x.cg
	gives <<-'E'
	cost  f (a.c, -)  a.c  18446744073709551610  0xfffffffffffffff8  1
	cost  f (a.c, -)  a.c  3  0x4  2
	cost  f (a.c, -)  a.c  18446744073709551615  0xffffffffffffffff  4
	cost  f (a.c, -)  a.c  1  0x0  8
	E
}

@test "addresses and blocks count from 0 after lines without them, in any spelling" {
	local blanks

	for blanks in ' ' '  '; do
		printf '%s\n' 'positions: instr line' 'events: Ir' fn=f '0x10 1 1' \
			'positions: line' 'events: Ir' 'totals: 5' "2${blanks}5" \
			'positions: instr line' 'events: Ir' 'totals: 4' '+4 +1 4' >x.cg
		prof-cat x.cg | grep '^cost' | cut -f 4- >got
		tabs >want <<-'E'
		1  0x10  1
		2  -  5
		3  0x4  4
		E
		same want got
		printf '%s\n' 'positions: bb line' 'events: Ir' fn=f '0x10 1 1' \
			'positions: line' 'events: Ir' 'totals: 5' "2${blanks}5" \
			'positions: bb line' 'events: Ir' 'totals: 4' '+4 +1 4' >x.cg
		prof-cat x.cg | grep '^cost' | cut -f 5 >got
		printf '%s\n' '#0x10' - '#0x4' >want
		same want got
	done
}

@test "a line that ends a function before events: is omitted, and says nothing more" {
	printf '%s\n' '# callgrind format' fn=f 'fl=(5)' >x.cg
	refused 3 "expected 'events:' before the first cost line"
	[ "$(wc -l <err)" -eq 1 ]
	printf '%s\n' '# callgrind format' fn=f 'ob=(5) skipped' 'fl=(6) a.c' \
		'events: Ir' fn=h '1 5' >x.cg
	exits_with 0 'warning: x.cg: 1 malformed or truncated line skipped' \
		prof-cat --lenient x.cg
	spelt out >got
	tabs >want <<<'cost  h (a.c, -)  a.c  1  -  5'
	same want got
}

@test "a key followed by a NUL is another key" {
	printf 'events: A\nfl=a.c\nfn\0=(1) f\n1 5\n' >nul.cg
	exits_with 2 "nul.cg:3: expected a cost line, 'key=value' or 'key: value', found 'fn\\x00=(1) f'" \
		prof-cat nul.cg
}

@test "metadata that would be another line is written as the stream's own" {
	bars >facts.prof <<-'END'
	prof|1
	part|1|positions=line
	meta|format|callgrind
	meta|callgrind.arch|arm
	meta|callgrind.events|X Y
	meta|callgrind.a=b|c
	meta|callgrind.a\x00b|c
	meta|callgrind.1a|c
	meta|callgrind.blank| c
	meta|cmd|
	event|0|Ir|-|-|-
	func|0|f|-|-|-
	cost|0|-|1|-|5
	end
	END
	prof-to callgrind facts.prof >facts.cg 2>err
	grep -q "metadata whose key is empty or contains ': ' or NUL" err
	[ "$(grep -c '^events:' facts.cg)" = 1 ]
	grep -qx 'arch: arm' facts.cg
	prof-cat facts.cg 2>/dev/null | sort | diff -u <(grep -v x00 facts.prof | sort) -
}

@test "19999 derived events are written, each with its line" {
	shape prof:events-derived 19999 >x.prof
	brief 3 prof-to callgrind --strict x.prof >got
	[ "$(grep -c '^event: d[0-9]* = Ir$' got)" -eq 19999 ]
}

@test "20000 events are found that each have a line, or are written as metadata" {
	shape callgrind:events-declared 20000 >x.cg
	brief 3 prof-cat x.cg >got
	[ "$(grep -c "^event	\([0-9]*\)	e\1	-	-	n\1$" got)" -eq 20000 ]
	shape prof:events 20000 | sed '/^event/s/-	-	-$/unit	-	-/' >x.prof
	brief 3 prof-to callgrind x.prof >x.cg
	brief 3 prof-cat x.cg | grep '^event' | cmp - <(grep '^event' x.prof)
}

@test "a total that lacks values is written with those of the next, one of zeros does not count" {
	local totals head a b
	head='prof\t1\npart\t0\nevent\t0\tA\t-\t-\t-\nevent\t1\tB\t-\t-\t-\nfunc\t0\tf\t-\t-\t-\n'
	while IFS='|' read -r totals a b; do
		printf "${head}${totals}cost\t0\t-\t-\t-\t70\t30\nend\n" >x
		prof-to callgrind --quiet x >x.cg
		for f in x x.cg; do
			prof-top --quiet --events A,B $f | sed -n 1p | same - <(echo "$a A, $b B in 1 profile, 1 part")
		done
	done <<-'E'
	total\trun\t100\t-\n|100|30
	total\trun\t-\t50\n|70|50
	total\trun\t0\t-\n|70|30
	total\tsum\t0\t-\n|70|30
	total\trun\t0\t-\ntotal\tsum\t70\t30\n|70|30
	total\trun\t100\t-\ntotal\tsum\t70\t30\n|100|30
	total\trun\t100\t-\ntotal\tsum\t70\t-\n|100|30
	total\tsum\t70\t-\n|70|30
	E
}
