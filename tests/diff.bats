#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: prof-diff sum view
# prof-diff: two profiles against each other, and the gate.

load tools.bash

# A profile by hand, and one of another build where f is dearer, g is gone, h new.
two() {
	cat >a.cg <<-'END'
	version: 1
	creator: hand
	events: Ir Dr
	ob=/x/prog
	fl=/x/a.c
	fn=main
	1 10 1
	fi=/x/i.h
	3 5 0
	fe=/x/a.c
	cfn=f
	calls=2 5
	2 50 5
	fn=f
	5 50 5
	fn=g
	9 7 1
	END
	sed 's,/x/,/y/z/,; s/^5 50 5/5 70 4/; s/^2 50 5/2 70 4/; s/fn=g/fn=h/' a.cg >b.cg
}

# columns NAME...: these columns of a table on standard input, without its head.
columns() {
	awk -F '\t' -v want="$*" 'NR == 1 {
			for (i = 1; i <= NF; i++) col[$i] = i
			n = split(want, w, " ")
			next
		} {
			for (i = 1; i <= n; i++)
				printf "%s%s", $col[w[i]], i < n ? " " : "\n"
		}'
}

# A program in two directories, the second one slower, and their profiles
# a/NAME and b/NAME by a tool of valgrind.
build() {
	local d
	mkdir -p a b
	cp "$TESTS/../share/examples/calc.c" a/calc.c
	sed 's/^	for (v = variables; v; v = v->next) {/	for (volatile int w = 0; w < 20; w++)\n		;\n&/' \
		a/calc.c >b/calc.c
	run -1 cmp -s a/calc.c b/calc.c
	awk 'BEGIN { for (i = 1; i < 60; i++)
		print "v" i, "= (v" i - 1, "+ 2) * v" int(i / 2) }' >input
	for d in a b; do
		(cd $d && ${CC:-cc} -g -O1 -fno-inline -o calc calc.c)
	done
}

valgrinds() {
	local tool=$1 d
	for d in a b; do
		(cd $d && valgrind --tool=$tool --$tool-out-file=$tool.out \
			./calc <../input >/dev/null 2>log) || { cat $d/log; return 1; }
	done
}

@test "a difference has the change, the old and the new cost of each event" {
	two
	prof-diff a.cg b.cg >got
	bars >want <<-'END'
	prof|1
	part|1
	meta|creator|hand
	meta|diff|a.cg|b.cg
	meta|format|callgrind
	event|0|Ir|-|-|-|role=delta
	event|1|Ir.old|-|-|-|of=Ir|role=old
	event|2|Ir.new|-|-|-|of=Ir|role=new
	event|3|Dr|-|-|-|role=delta
	event|4|Dr.old|-|-|-|of=Dr|role=old
	event|5|Dr.new|-|-|-|of=Dr|role=new
	event|6|calls.old|-|-|-|of=calls|role=old
	event|7|calls.new|-|-|-|of=calls|role=new
	total|run|20|72|92|-1|7|6
	object|0|/y/z/prog|-
	file|0|/y/z/a.c
	func|0|f|0|0|-
	func|1|g|0|0|-
	func|2|h|0|0|-
	func|3|main|0|0|-
	cost|0|0|-|-|20|50|70|-1|5|4|-|-
	cost|1|0|-|-|-7|7|-|-1|1|-|-|-
	cost|2|0|-|-|7|-|7|1|-|1|-|-
	cost|3|0|-|-|0|15|15|0|1|1|-|-
	call|3|0|-|-|0|-|-|-|20|50|70|-1|5|4|2|2
	end
	END
	diff -u want got
}

@test "the table has old, new, change and percent, the largest change first, the total last" {
	two
	prof-diff a.cg b.cg | prof-top >got
	cat >want <<-'END'
	+20 Ir between two profiles
	old: a.cg, new: b.cg

	old self Ir  new  change       %  inclusive       %  function  file  object
	         50   70     +20  +40.00        +20  +40.00  f  /y/z/a.c  [/y/z/prog]
	          7    0      -7    gone         -7    gone  g  /y/z/a.c  [/y/z/prog]
	          0    7      +7     new         +7     new  h  /y/z/a.c  [/y/z/prog]
	         15   15       0    0.00        +20  +30.77  main  /y/z/a.c  [/y/z/prog]
	         72   92     +20  +27.78                     total
	END
	diff -u want got
	prof-diff a.cg b.cg | prof-top -n 1 | sed -n '5,$p' >got
	cat >want <<-'END'
	         50   70     +20  +40.00        +20  +40.00  f  /y/z/a.c  [/y/z/prog]
	… 3 more
	         72   92     +20  +27.78                     total
	END
	diff -u want got
	# On a terminal prof-diff shows the same, the first event alone, names whole if asked.
	TERM=dumb script -qec 'stty cols 200 rows 40; prof-diff --color=never --long a.cg b.cg' /dev/null </dev/null |
		tr -d '\r' >got
	prof-diff a.cg b.cg | prof-top | diff -u - got
	# In a pipe, too, if an option is about the table.
	prof-diff --long a.cg b.cg | diff -u got -
	prof-diff -n 0 a.cg b.cg | diff -u got -
	prof-diff --width 0 a.cg b.cg | diff -u got -
	prof-diff -n 1 a.cg b.cg | grep -c ' [fgh]  /y' | diff <(echo 1) -
	# The tables for programs have all, and are prof-top's.
	prof-diff --tsv a.cg b.cg >got
	prof-diff a.cg b.cg | prof-top --tsv | diff -u - got
	prof-diff --json a.cg b.cg >got.json
	prof-diff a.cg b.cg | prof-top --json | diff -u - got.json
	columns function Ir Ir.old Ir.new Ir.incl Ir.old.incl Ir.new.incl calls.old \
		calls.new <got >table
	cat >want <<-'END'
	f 20 50 70 20 50 70 2 2
	g -7 7 0 -7 7 0 0 0
	h 7 0 7 7 0 7 0 0
	main 0 15 15 20 65 85 0 0
	END
	diff -u want table
	jq -r '[.function, .Ir, ."Ir.old", ."Ir.new"] | join(" ")' got.json |
		diff -u <(cut -d ' ' -f 1-4 want) -
}

@test "a profile has not changed from itself" {
	f=$TESTS/../share/examples/wordcount.callgrind.zst
	prof-diff "$f" "$f" | prof-top >got
	[ "$(tail -n 1 got)" = '  4,890,211  4,890,211       0  0.00                total, no change' ]
	[ "$(wc -l <got)" = 5 ]
	prof-diff --tsv "$f" "$f" | columns Ir Dr DLmw Ir.incl | sort -u >got
	[ "$(cat got)" = '0 0 0 0' ]
	prof-diff --fail-over 0 --min-cost 0 "$f" "$f" >got
	[ ! -s got ]
}

@test "each side has the costs of prof-top, and old plus change is new" {
	cat >random.awk <<-'END'
	BEGIN {
		srand(seed)
		print "version: 1\nevents: Ir Dr"
		nf = 3 + int(rand() * 5)
		n = 2 + int(rand() * 12)
		for (k = 0; k < n; k++) {
			f = int(rand() * nf)
			print "ob=" at "/prog\nfl=" at "/s" f % 2 ".c\nfn=f" f
			print int(rand() * 9), int(rand() * 50), int(rand() * 3)
			for (c = int(rand() * 3); c > 0; c--) {
				g = int(rand() * nf)
				print "cfi=" at "/s" g % 2 ".c\ncfn=f" g
				print "calls=" int(rand() * 3), 1
				print int(rand() * 9), int(rand() * 30) * int(rand() * 2), int(rand() * 2)
			}
		}
	}
	END
	some() {
		sed 's,/[xy]/,/,g' | grep -Ev '( 0){5}$' | sort
	}
	for seed in $(seq 60); do
		echo "seed $seed"
		awk -v seed=$seed -v at=/x -f random.awk >a
		awk -v seed=$((seed + 1000)) -v at=/y -f random.awk >b
		prof-diff --tsv a b >d
		for side in old new; do
			[ $side = old ] && f=a || f=b
			prof-top --tsv $f |
				columns function file object Ir Ir.incl Dr Dr.incl calls |
				some >want
			columns function file object Ir.$side Ir.$side.incl Dr.$side \
				Dr.$side.incl calls.$side <d | some | diff -u want -
		done
		columns Ir Ir.old Ir.new Ir.incl Ir.old.incl Ir.new.incl Dr Dr.old Dr.new <d >law
		awk '$1 + $2 != $3 || $7 + $8 != $9 ||
			($4 == "-") != ($5 == "-" || $6 == "-") ||
			($4 != "-" && $4 + $5 != $6) { print; bad = 1 } END { exit bad }' law
		# The other way round it is the negative.
		columns function file object Ir Ir.incl Dr calls.old calls.new <d |
			sed 's,/[xy]/,/,g' | sort >want
		prof-diff --tsv b a | columns function file object Ir Ir.incl Dr calls.new calls.old |
			awk '{ for (i = 4; i < 7; i++) if ($i != "-") $i = -$i; print }' |
			sed 's,/[xy]/,/,g' | sort | diff -u want -
	done
}

@test "calls of a difference are shown old and new, the largest change first" {
	two
	sed -i 's/^fn=g$/cfn=k\ncalls=1 9\n6 3 0\nfn=g/' b.cg
	sed -i 's/^\(2 70 4\)$/\1\ncfn=k\ncalls=1 9\n7 2 0/' b.cg
	sed -i 's/^2 50 5$/2 50 5\ncfn=k\ncalls=1 9\n7 90 0/' a.cg
	prof-diff a.cg b.cg | prof-top --callees '^main$' >got
	sed -n '/^callees/,$p' got | tr -s ' ' | cut -d ' ' -f 1-6 >rows
	diff rows - <<-'END'
	callees of main /y/z/a.c [/y/z/prog]
	old Ir new change % callee
	 90 2 -88 -97.78 k
	 50 70 +20 +40.00 f

	END
	# Two profiles have two counts of calls.
	[ "$(prof-diff a.cg b.cg | prof-top --tsv --callees '^main$' --events Ir | cut -f 4,7,8)" = \
		"$(printf 'callee.function\tcalls\tIr.incl\nk\t-\t-88\nf\t-\t20')" ]
}

@test "the largest number is the largest change, though it is negative" {
	local min=-170141183460469231731687303715884105728
	bars >least.prof <<-END
	prof|1
	part|1
	event|0|E|-|-|-|role=delta
	event|1|E.old|-|-|-|of=E|role=old
	event|2|E.new|-|-|-|of=E|role=new
	func|0|f|-|-|-
	func|1|g|-|-|-
	func|2|h|-|-|-
	cost|1|-|-|-|$min|0|0
	cost|2|-|-|-|5|0|5
	call|0|-|-|-|2|-|-|1|5|0|5
	call|0|-|-|-|1|-|-|1|$min|0|0
	end
	END
	prof-top --tsv least.prof | cut -f 1 | paste -sd ' ' | has -x 'function g h f'
	prof-top --tsv --callees f least.prof | cut -f 4 | paste -sd ' ' |
		has -x 'callee.function g h'
}

@test "two builds in different directories match, under Callgrind" {
	build
	valgrinds callgrind
	prof-diff --tsv a/callgrind.out b/callgrind.out >d
	for side in a b; do
		[ $side = a ] && n=old || n=new
		prof-top --tsv $side/callgrind.out | columns function Ir Ir.incl calls |
			grep -E '^(main|find|assign|read_name|sum|product|atom) ' | sort >want
		[ "$(wc -l <want)" = 7 ]
		columns function Ir.$n Ir.$n.incl calls.$n <d |
			grep -E '^(main|find|assign|read_name|sum|product|atom) ' | sort |
			diff -u want -
	done
	# find is dearer by itself, main with what it calls; nothing is new or gone.
	prof-diff a/callgrind.out b/callgrind.out | prof-top | sed -n 5p | has ' find .*/b/calc\.c'
	prof-diff a/callgrind.out b/callgrind.out | prof-top | grep '/calc\.c' >rows
	run -1 grep -E 'new|gone' rows
	# By file, line and object, too.
	prof-diff -b file --tsv --events Ir a/callgrind.out b/callgrind.out |
		columns file Ir.old Ir.new | grep calc.c >got
	[ "$(wc -l <got)" = 1 ]
	awk '{ exit !($2 > 0 && $3 > $2) }' got
	prof-diff -b object --tsv a/callgrind.out b/callgrind.out | columns object Ir.old Ir.new |
		grep '/calc ' >got
	awk '{ exit !(NR == 1 && $2 > 0 && $3 > $2) }' got
	prof-diff -b file,line --tsv a/callgrind.out b/callgrind.out |
		columns file line Ir.old Ir.new | grep '/a/calc\.c' >got || true
	[ ! -s got ]
}

@test "cg_diff has the same difference of two builds under Cachegrind" {
	build
	valgrinds cachegrind
	cg_diff --mod-filename='s,.*/,,' a/cachegrind.out b/cachegrind.out >cg
	# "file function Ir ..." of what has changed.
	names='{ n = split(file, p, "/"); sub(/^(\?\?\?|-)$/, "-", p[n])
		for (i = 1; i <= 9; i++) sum[p[n] " " fn, i] += v[i]; key[p[n] " " fn] }
		END { for (k in key) { s = ""; any = 0
			for (i = 1; i <= 9; i++) { s = s " " sum[k, i] + 0; any = any || sum[k, i] }
			if (any) print k s } }'
	awk '/^fl=/ { file = substr($0, 4) } /^fn=/ { fn = substr($0, 4) }
		!/^[0-9-]+ / { next } { for (i = 1; i <= 9; i++) v[i] = $(i + 1) }
		'"$names" cg | sort >want
	events=$(sed -n 's/^events: //p' cg)
	prof-diff --tsv a/cachegrind.out b/cachegrind.out >d
	awk -F '\t' -v events="$events" 'NR == 1 {
			for (i = 1; i <= NF; i++) col[$i] = i
			ne = split(events, e, " ")
			next
		} { file = $col["file"]; fn = $col["function"]; sub(/^-$/, "???", fn)
			for (i = 1; i <= ne; i++) v[i] = $col[e[i]] }
		'"$names" d | sort >got
	grep -q '^calc.c find ' want
	diff -u want got
	# And the whole.
	[ "$(prof-diff a/cachegrind.out b/cachegrind.out | sed -n 's/^total	run	//p' |
		cut -f 1)" = "$(sed -n 's/^summary: //p' cg | cut -d ' ' -f 1)" ]
}

@test "functions are joined by less where that is one on either side" {
	make() {
		printf 'version: 1\nevents: Ir\n'
		while read -r ob fl fn cost; do
			printf 'ob=%s\nfl=%s\nfn=%s\n1 %s\n' $ob $fl $fn $cost
		done
	}
	make >a <<-'END'
	/x/libm.so.6.1 /x/src/m.c cos 10
	/x/prog /x/src/a/util.c init 20
	/x/prog /x/src/b/util.c init 30
	/x/prog /x/src/old.c moved 40
	/x/prog /x/src/a.c twice 50
	/x/prog /x/src/b.c twice 60
	END
	make >b <<-'END'
	/y/lib/libm.so.7 /y/m.c cos 11
	/y/prog /y/src/a/util.c init 22
	/y/prog /y/src/b/util.c init 33
	/y/prog2 /y/src/new.c moved 44
	/y/prog /y/src/c.c twice 55
	/y/prog /y/src/d.c twice 66
	END
	prof-diff --tsv a b | columns function file Ir.old Ir.new | sort >got
	cat >want <<-'END'
	cos /y/m.c 10 11
	init /y/src/a/util.c 20 22
	init /y/src/b/util.c 30 33
	moved /y/src/new.c 40 44
	twice /x/src/a.c 50 0
	twice /x/src/b.c 60 0
	twice /y/src/c.c 0 55
	twice /y/src/d.c 0 66
	END
	diff -u want got
	prof-diff --tsv -b object a b | columns object Ir.old Ir.new | sort >got
	cat >want <<-'END'
	/y/lib/libm.so.7 10 11
	/y/prog 200 176
	/y/prog2 0 44
	END
	diff -u want got
}

@test "lines of other files stay with them" {
	two
	prof-diff --tsv -b function,file --events Ir a.cg b.cg |
		columns function file Ir.old Ir.new | sort >got
	cat >want <<-'END'
	f /y/z/a.c 50 70
	g /y/z/a.c 7 0
	h /y/z/a.c 0 7
	main /y/z/a.c 10 10
	main /y/z/i.h 5 5
	END
	diff -u want got
}

@test "parts are summed on each side" {
	two
	prof-cat a.cg a.cg a.cg >a3.prof
	prof-diff --tsv a3.prof b.cg | columns function Ir.old Ir.new calls.old | sort >got
	printf '%s\n' 'f 150 70 6' 'g 21 0 0' 'h 0 7 0' 'main 45 15 0' | diff -u - got
	for by in part thread pid cmd source; do
		fails_with "cannot compare by $by: the parts of each profile are summed" prof-diff --by $by a.cg b.cg
	done
}

@test "gmon.out: cycles, seconds, functions that have no names" {
	c=$TESTS/../share/examples/calc
	prof-top --tsv --syms $c.syms $c.gmon.zst | columns function time time.incl calls |
		sort >want
	prof-diff --tsv --syms $c.syms $c.gmon.zst $c.gmon.zst >d
	columns function time.old time.old.incl calls.old <d | sort | diff -u want -
	columns function time.new time.new.incl calls.new <d | sort | diff -u want -
	prof-diff --syms $c.syms $c.gmon.zst $c.gmon.zst | prof-top | tail -n 1 >got
	grep -Eq '^ +1\.57 +1\.57 +0\.00 +0\.00 ' got
	# Ranking a single event sees the same cycles.
	prof-diff --syms $c.syms $c.gmon.zst $c.gmon.zst |
		prof-top --tsv --events time.old | columns function time.old time.old.incl |
		sort | diff -u <(cut -d ' ' -f 1-3 want) -
	prof-diff $c.gmon.zst $c.gmon.zst | awk -F '\t' '$1 == "func" { print $6 }' >got
	[ "$(sort -u got | wc -l)" = 6 ]
}

@test "stacks: two columns as difffolded writes them" {
	printf 'main;f;g 5\nmain;f 2\nmain;old 1\n' >a
	printf 'main;f;g 8\nmain;f 2\nmain;h 4\n' >b
	prof-diff a b | prof-to folded --events samples.old,samples.new | sort >got
	printf '%s\n' 'main;f 2 2' 'main;f;g 5 8' 'main;h 0 4' 'main;old 1 0' |
		diff -u - got
	prof-diff --tsv a b | columns function samples samples.incl | sort >got
	printf '%s\n' 'f 0 3' 'g 3 3' 'h 4 4' 'main 0 6' 'old -1 -1' | diff -u - got
	# Contexts with files of two builds are the same ones.
	for d in x y; do
		bars >$d.prof <<-END
		prof|1
		part|1
		event|0|n|-|-|-
		file|0|/$d/a.c
		func|0|main|0|-|-
		func|1|f|0|-|-
		ctx|0|-|0|0|3|-
		ctx|1|0|1|0|7|-
		sample|1|5
		end
		END
	done
	prof-diff x.prof y.prof | grep -E '^(ctx|sample)' >got
	printf 'ctx|0|-|1|0|-|-\nctx|1|0|0|0|-|-\nsample|1|0|5|5\n' | bars | diff -u - got
}

@test "points are what they cost" {
	points() {
		bars >"$1" <<-END
		prof|1
		part|1
		event|0|ms|-|-|-
		func|0|f|-|-|-
		point|0|-|10|2|$2|$2|$3|-|-|$3|-|-|-|-|-|-|-|-|-|-
		end
		END
	}
	points a 5 10
	points b 7 14
	prof-diff --quiet --tsv a b | columns function ms ms.old ms.new >got
	[ "$(cat got)" = 'f 4 10 14' ]
}

@test "the formats that can hold a difference have its numbers" {
	two
	prof-diff a.cg b.cg >d
	prof-to callgrind --quiet d | prof-top --tsv --events Ir.new |
		columns function Ir.new | sort >got
	prof-top --tsv b.cg | columns function Ir | sort >want
	echo 'g 0' >>want
	sort want | diff -u - got
	prof-to cachegrind --quiet d | has -x '0 20 50 70 -1 5 4 0 0'
	prof-to tsv --quiet d | columns function Ir Ir.old Ir.new | has -x 'f 20 50 70'
	prof-to json --quiet d >got
	grep -q '"Ir.old"' got
	prof-to callgrind --quiet d | prof-to prof >back
	prof-top --tsv --events Ir back | diff -u <(prof-top --tsv --events Ir d) -
}

# ---- the gate ----

@test "the gate: 0, 1 with a table, 2 for trouble" {
	two
	run -0 prof-diff --fail-over 40% a.cg b.cg --scope function --min-cost 7
	[ -z "$output" ]
	run -1 prof-diff --fail-over 39.999999 --scope function --min-cost 7 a.cg b.cg
	[ "$(tail -n 2 <<<"$output")" = \
'         50   70     +20  +40.00        +20  +40.00  f  /y/z/a.c  [/y/z/prog]
         72   92     +20  +27.78                     total' ]
	run -1 grep -E 'Dr|main' <<<"$output"
	# The stream is not written, nor `end`.
	run -1 grep -E '^(prof|end)' <<<"$output"
	for bad in x 1,,2 Ir= =1 1%% -1 1.2345678 '' Ir; do
		fails_with '^prof-diff: --fail-over: expected' prof-diff --fail-over "$bad" a.cg b.cg
	done
	for bad in x 1.5x 1.1234567 -1 % ''; do
		fails_with '^prof-diff: --min-cost: expected' \
			prof-diff --fail-over 1 --min-cost "$bad" a.cg b.cg
	done
	fails_with "the profiles have no event 'Xr'" prof-diff --fail-over Ir=1,Xr=1 a.cg b.cg
	fails_with '^prof-diff: nosuch: No such file' prof-diff --fail-over 1 a.cg nosuch
	[ ! -s fails.out ]
	for o in '--min-cost 1' '--scope total' '--metric self'; do
		fails_with "${o% *} needs --fail-over" prof-diff $o a.cg b.cg
	done
	printf 'events: Ir\nfl=a.c\nfn=f\n1 x\n' >bad
	fails_with '^prof-diff: bad:4: ' prof-diff --fail-over 1 a.cg bad
}

@test "the gate: a cost at a limit is not over it" {
	counts a 1000
	counts b 1010
	run -0 prof-diff --fail-over 1 a b
	run -0 prof-diff --fail-over 1% a b
	run -0 prof-diff --fail-over 1.000000% a b
	run -1 prof-diff --fail-over 0.999999% a b
	run -0 prof-diff --fail-over 0 --min-cost 10 a b
	run -1 prof-diff --fail-over 0 --min-cost 9 a b
	run -0 prof-diff --fail-over 0 --min-cost 1% a b
	run -1 prof-diff --fail-over 0 --min-cost 0.999999% a b
	run -0 prof-diff --fail-over 0 --min-cost 0 b a	# cheaper
	# The default is a ten-thousandth of the old total.
	counts a 10000
	counts b 10001
	run -0 prof-diff --fail-over 0 a b
	counts b 10002
	run -1 prof-diff --fail-over 0 a b
	# Beyond 64 bits.
	counts a 100000000000000000000000000000000000
	counts b 101000000000000000000000000000000000
	run -0 prof-diff --fail-over 1 a b
	run -1 prof-diff --fail-over 0.9 a b
}

@test "the gate: new rows, single events, scopes, inclusive costs" {
	counts a 1000 500 0
	counts b 1000 200 20
	run -1 prof-diff --fail-over 50 --scope function a b
	grep -q '^ *0  *20  *+20  *new .* f3' <<<"$output"
	run -0 prof-diff --fail-over 50 --min-cost 20 --scope function a b
	counts c 1000 500 20
	run -1 prof-diff --fail-over 50 a c
	run -0 prof-diff --fail-over 50 --min-cost 20 a c
	run -0 prof-diff --fail-over 0 --min-cost 0 --scope total a b	# it is cheaper
	run -1 prof-diff --fail-over 0 --scope function a b
	# The total alone: many small ones.
	counts a 100 100 100
	counts b 101 101 101
	run -0 prof-diff --fail-over 0 --min-cost 1 --scope function a b
	run -1 prof-diff --fail-over 0 --min-cost 1 --scope total a b
	[ "$(tail -n 1 <<<"$output" | tr -s ' ')" = ' 300 303 +3 +1.00 total' ]
	run -1 prof-diff --fail-over 0 --min-cost 1 a b
	# Events, each by itself.
	counts a '100 10' '100 10'
	counts b '104 10' '100 11'
	run -0 prof-diff --fail-over Ir=5,Dr=10 a b
	run -1 prof-diff --fail-over Ir=5,Dr=9 --tsv a b
	[ "$(columns function Dr Dr.old Dr.new Ir.old <<<"$output" | cut -d ' ' -f 1-2)" = 'f2 1' ]
	run -1 prof-diff --fail-over Ir=3,Dr=10 --json --scope function a b
	[ "$(jq -r .function <<<"$output")" = f1 ]
	# main costs no more itself, but with what it calls.
	two
	run -0 prof-diff --fail-over 0 --scope function --min-cost 20 a.cg b.cg
	run -1 prof-diff --fail-over 30 --scope function --metric inclusive --tsv a.cg b.cg
	[ "$(columns function <<<"$output" | sort | tr '\n' ' ')" = 'f h main ' ]
	prof-to cachegrind --quiet a.cg >a.out
	fails_with 'inclusive: the profiles have neither calls nor stacks' \
		prof-diff --fail-over 1 --metric inclusive a.out a.out
}

# The example for CI, by sh.
gate() {
	PATH=$PROF_BIN:$PATH sh "$TESTS/../share/examples/ci-gate.sh" "$@" <input
}

@test "the example for CI tells slower, the same and faster" {
	build
	mkdir tmp
	export TMPDIR=$PWD/tmp
	run -0 --separate-stderr gate a/calc.c a/calc.c
	[ -z "$output" ]
	[ "$stderr" = 'ci-gate: pass: no cost grew' ]
	run -0 gate b/calc.c a/calc.c
	[ "$output" = 'ci-gate: pass: no cost grew' ]
	run -1 --separate-stderr gate a/calc.c b/calc.c
	grep -q '^ .* find ' <<<"$output"
	[ "$stderr" = 'ci-gate: fail: a cost grew from a/calc.c to b/calc.c' ]
	# Options are added to the limits, and change them.
	run -1 --separate-stderr gate a/calc.c b/calc.c --events Ir --tsv
	[ "$(cut -f 1 <<<"$output" | sed -n 2p)" = find ]
	run -0 gate a/calc.c b/calc.c --fail-over 100000%
	# Files that options name are the user's, in the user's folder.
	echo 'rules: [ rename: { function: find, to: seek } ]' >own.yaml
	run -1 gate a/calc.c b/calc.c --rules own.yaml --tsv -o table.tsv
	[ "$(cut -f 1 table.tsv | sed -n 2p)" = seek ]
	[ -z "$(ls -A tmp)" ]
}

@test "the example for CI tells what is broken from what is slower" {
	echo 1 >input
	echo 'int main(void) { return 0; }' >good.c
	echo 'int main(void) { return' >broken.c
	echo 'int main(void) { return 1; }' >failing.c
	while IFS='|' read -r says args; do
		echo "$args"
		# shellcheck disable=SC2086
		run -2 --separate-stderr gate $args
		[ -z "$output" ]
		[ "${stderr_lines[-1]}" = "ci-gate: broken: $says" ]
	done <<-'E'
	usage: ci-gate.sh OLD.c NEW.c [option ...] <input|good.c
	broken.c does not compile|good.c broken.c
	failing.c does not run: status 1|failing.c good.c
	failing.c does not run: status 1|good.c failing.c
	nosuch.c cannot be read|good.c nosuch.c
	the comparison failed|good.c good.c --fail-over x
	the comparison failed|good.c good.c --no-such-option
	E
	# Other programs that fail, or are not there.
	mkdir bin
	for p in prof-diff:'the comparison failed' valgrind:'good.c does not run: status 127'; do
		printf '#!/bin/sh\nexit 127\n' >"bin/${p%%:*}"
		chmod +x "bin/${p%%:*}"
		PROF_BIN=$PWD/bin:$PROF_BIN run -2 gate good.c good.c
		[ "${lines[-1]}" = "ci-gate: broken: ${p#*:}" ]
	done
}

@test "the example for CI finds headers, and passes arguments, flags and input" {
	mkdir old new
	echo '#define TIMES 1000' >old/times.h
	echo '#define TIMES 2000' >new/times.h
	cat >old/p.c <<-'E'
	#include "times.h"
	#include <stdio.h>
	int main(int argc, char **argv)
	{
		volatile int i;
		if (argc != ARGC || getchar() != 'x')
			return 9;
		for (i = 0; i < TIMES * 100; i++)
			;
		return 0;
	}
	E
	cp old/p.c new
	echo x >input
	CFLAGS='-O1 -DARGC=3' ARGS='a b' run -1 gate old/p.c new/p.c
	grep -q ' main ' <<<"$output"
	CFLAGS='-O1 -DARGC=3' ARGS='a b' run -0 gate new/p.c old/p.c
	CFLAGS='-O1 -DARGC=3' ARGS='a' run -2 gate new/p.c old/p.c
}

@test "the example for CI tells whether more memory is needed" {
	local e=$TESTS/../share/examples

	: >input
	cp "$e"/pages.c "$e"/pages-leak.c .
	for tool in dhat massif; do
		echo $tool
		export TOOL=$tool
		run -0 gate pages.c pages.c
		[ "$output" = 'ci-gate: pass: no cost grew' ]
		run -0 gate pages-leak.c pages.c
		run -1 --separate-stderr gate pages.c pages-leak.c
		grep -q ' render_text ' <<<"$output"
		run -1 grep ' load ' <<<"$output"
		[ "$stderr" = 'ci-gate: fail: a cost grew from pages.c to pages-leak.c' ]
	done
	# 384 pages are forgotten while it runs, 16 at the end.
	TOOL=dhat run -1 --separate-stderr gate pages.c pages-leak.c --fail-over ebk=0 --tsv
	[ "$(columns function ebk <<<"$output" | sed -n 1p)" = 'render_text 400' ]
	TOOL=lackey run -2 gate pages.c pages.c
	[ "$output" = 'ci-gate: broken: TOOL is none of callgrind, dhat and massif: lackey' ]
	# The recordings beside it say the same.
	run -1 prof-diff --rules allocators --events eb --fail-over eb=1% "$e/pages.dhat.zst" \
		"$e/pages-leak.dhat.zst"
	run -0 prof-diff --rules allocators --events tb --fail-over tb=1% "$e/pages.dhat.zst" \
		"$e/pages-leak.dhat.zst"
	run -1 prof-diff --fail-over 10% "$e/pages.massif.zst" "$e/pages-leak.massif.zst"
	run -0 prof-diff --fail-over 10% "$e/pages-leak.massif.zst" "$e/pages.massif.zst"
}

# ---- trouble ----

@test "a difference has no difference" {
	two
	prof-diff a.cg b.cg >d
	for args in 'd a.cg' 'a.cg d' 'd d'; do
		fails_with "^prof-diff: d: the profile is already a difference, of event 'Ir'" \
			prof-diff $args
		[ ! -s fails.out ] || run -1 grep '^end' fails.out
	done
}

@test "other units are rejected, with both and the file" {
	for u in 's|1/100' 's|1/1000' 'ms|1/100'; do
		printf 'prof|1\npart|1\nevent|0|t|%s|-|-|scale=%s\nfunc|0|f|-|-|-\ncost|0|-|-|-|5\nend\n' \
			"${u%|*}" "${u#*|}" | bars >"${u%|*}${u#*/}"
	done
	# Parts of the same unit can be compared, in parts that both are made of.
	prof-diff s100 s1000 | grep -E '^(event|cost)' | cut -f 1,3,4,5,7- | diff - <(bars <<-'E'
	event|t|s|-|role=delta|scale=1/1000
	event|t.old|s|-|of=t|role=old|scale=1/1000
	event|t.new|s|-|of=t|role=new|scale=1/1000
	cost|-|-|-|50|5
	E
	)
	fails_with "^prof-diff: ms100: .* 1/100 'ms', not 1/100 's'" prof-diff s100 ms100
	run -1 grep '^end' fails.out
}

@test "events whose names would be there twice are rejected" {
	bars >a <<-'END'
	prof|1
	part|1
	event|0|Ir|-|-|-
	event|1|Ir.old|-|-|-
	event|2|calls|-|-|-
	func|0|f|-|-|-
	cost|0|-|-|-|5|6|7
	call|0|-|-|-|0|-|-|1|5|6|7
	end
	END
	fails_with "the difference would have event 'Ir.old' twice" prof-diff a a
	fails_with "the difference would have event 'calls.old' twice" prof-diff --events Ir,calls a a
	prof-diff --events Ir a a | has '^end'
}

@test "two files, each named where it is broken" {
	two
	for args in '' a.cg 'a.cg b.cg a.cg'; do
		fails_with '^prof-diff: expected two files, found ' prof-diff $args
	done
	fails_with '^prof-diff: --tsv and --json cannot be combined$' prof-diff --tsv --json a.cg b.cg
	: >empty
	fails_with '^prof-diff: empty: empty' prof-diff empty a.cg
	fails_with '^prof-diff: nosuch: No such file' prof-diff nosuch a.cg
	fails_with '^prof-diff: standard input: empty' prof-diff - - <a.cg
	prof-cat a.cg | head -n -1 >cut
	fails_with '^prof-diff: cut:17: ' prof-diff a.cg cut
	run -1 grep '^end' fails.out
	fails_with '^prof-diff: cut:17: ' prof-diff -o out cut a.cg
	[ ! -e out ]
	# Standard input is called so; what it is compared with may come second.
	prof-diff a.cg - <b.cg | has '^meta	diff	a.cg	standard input$'
	prof-diff - b.cg <a.cg | prof-top | sed -n 2p >got
	[ "$(cat got)" = 'old: standard input, new: b.cg' ]
	fails_with 'the input file is the output file' bash -c 'prof-diff a.cg b.cg >>b.cg'
	prof-diff -o out.zst a.cg b.cg
	zstdcat out.zst | cmp - <(prof-diff a.cg b.cg)
}

@test "a cost of 19 digits and more stays what it is in sums" {
	for n in 999999999999999999 1000000000000000000 18446744073709551616 \
		100000000000000000000000000000000000; do
		counts a $n
		sed -i 's/ Dr//' a
		[ "$(prof-merge a | grep '^cost' | cut -f 6)" = $n ]
		counts b "3 $n"
		prof-merge b b | awk -F '\t' -v n=$n '$1 == "cost" { print $6, $7 }' >got
		[ "$(cat got)" = "6 $(perl -Mbigint -e "print $n * 2")" ]
		prof-diff a a | has "^cost	0	-	-	-	0	$n	$n\$"
	done
}

@test "a gate on an event of one profile alone is an error, not a pass" {
	counts a.cg '10 1' '20 2'
	sed 's/Ir Dr/Ir/; s/^1 \([0-9]*\) .*/1 \1/' a.cg >b.cg
	fails_with "only the old profile has event 'Dr': nothing to compare" \
		prof-diff --fail-over Dr=1% a.cg b.cg
	fails_with "only the new profile has event 'Dr': nothing to compare" \
		prof-diff --fail-over Dr=1% b.cg a.cg
	prof-diff --fail-over Ir=1% a.cg b.cg
	[ "$(prof-diff b.cg a.cg | grep -c 'only=new')" = 1 ]
}

@test "profiles that measured different things are warned of" {
	counts a.cg '10 1' '20 2'
	sed 's/Ir Dr/Bc Bi/' a.cg >b.cg
	prof-diff --tsv a.cg b.cg 2>err >/dev/null
	[ "$(cat err)" = "prof-diff: warning: the profiles have no event in common: \
the old one has 'Ir', the new one 'Bc'" ]
	sed 's/Ir Dr/Bc Dr/' a.cg >b.cg
	prof-diff a.cg b.cg 2>err >/dev/null
	[ "$(cat err)" = "prof-diff: the profiles show different events, the old one 'Ir', \
the new one 'Bc': this compares 'Ir'" ]
}

@test "--match joins clones, Rust's instances and levels of recursion, and reports collisions" {
	printf 'version: 1\nevents: Ir\nfl=/o/a.c\nfn=foo\n1 10\nfn=foo.constprop.0.isra.1\n1 5\nfn=bar::h0123456789abcdef\n1 7\nfn=fib'"'"'2\n1 3\n' >a.cg
	printf 'version: 1\nevents: Ir\nfl=/n/a.c\nfn=foo\n1 12\nfn=bar::hfedcba9876543210\n1 9\nfn=fib\n1 4\n' >b.cg
	prof-diff --match clones,rust,recursion --tsv a.cg b.cg 2>note |
		cut -f 1,2,5,7,9 | sort >got
	bars <<-'E' | sort | diff - got
	function|file|Ir|Ir.old|Ir.new
	bar|/n/a.c|2|7|9
	fib|/n/a.c|1|3|4
	foo|/n/a.c|-3|15|12
	E
	grep -q 'in the old profile 1 function gets the name of another, and is added to it' note
	printf 'version: 1\nevents: Ir\nfn=f.isra.0'"'"'2\n1 5\n' >c.cg
	printf 'version: 1\nevents: Ir\nfn=f'"'"'2\n1 6\n' >d.cg
	prof-diff --match clones --tsv c.cg d.cg | cut -f 1,5,7,9 | diff - <(bars <<-'E'
	function|Ir|Ir.old|Ir.new
	f'2|1|5|6
	E
	)
	# Without it they are others.
	[ "$(prof-diff --tsv a.cg b.cg | wc -l)" = 7 ]
	fails_with "expected clones, rust, recursion, found 'x'" prof-diff --match x a.cg b.cg
}

@test "--normalize scales the new costs to the old total" {
	counts a.cg '30 3' '70 7'
	counts b.cg '90 3' '110 17'
	prof-diff --normalize --tsv a.cg b.cg | cut -f 1,5,7,8,11 >got
	bars <<-'E' | diff - got
	function|Ir|Ir.unit|Ir.old|Ir.new
	f1|30|1/2|60|90
	f2|-30|1/2|140|110
	E
	prof-diff --normalize a.cg b.cg | grep '^meta	estimate' |
		diff - <(bars <<<'meta|estimate|new costs are scaled to the old total')
	# Nothing is rounded: 1/3 of 100 is 100 thirds.
	counts c.cg '1 1' '2 1'
	prof-diff --normalize --tsv a.cg c.cg | cut -f 1,11,13 |
		diff - <(printf '%s\t%s\t%s\n' function Ir.new Ir.new.unit f1 100 1/3 f2 200 1/3)
}

@test "--normalize reports what it could not scale" {
	printf 'f;a 1\nf;b 1\n' >one
	printf 'f;a 2\nf;b -5\n' >less
	normalized() { run -0 --separate-stderr prof-diff --normalize "$@"; }
	normalized one less
	[[ "$stderr" = *"warning: event 'samples': --normalize cannot scale it, as the new total is not above 0"* ]]
	[[ "$output" != *estimate* ]]
	[[ "$output" = *$'total\trun\t-5\t2\t-3'* ]]
	normalized less one
	[[ "$stderr" = *"as the old total is not above 0"* ]]
	# Of several events some can be.
	printf 'version: 1\nevents: A B\nfn=f\n1 2 3\n' >old.cg
	printf 'version: 1\nevents: A B\nfn=f\n1 4 0\n' >new.cg
	normalized old.cg new.cg
	[[ "$stderr" = *"event 'B': --normalize cannot"* ]]
	[[ "$stderr" != *"'A'"* ]]
	grep '^meta	estimate' <<<"$output" |
		diff - <(bars <<<'meta|estimate|new costs are scaled to the old total except those of B')
	# What costs nothing on both sides needs no scaling.
	sed 's/ 3$/ 0/' old.cg >none.cg
	normalized none.cg new.cg
	[ -z "$stderr" ]
	[ "$(grep -c 'estimate	new costs are scaled to the old total$' <<<"$output")" = 1 ]
}

@test "--normalize does not round small costs: stacks, rows and gates" {
	# f is all of both, in one stack of 100, or in 300 of 1.
	echo 'main;f 100' >one
	for i in {1..300}; do echo "main;g$i;f 1"; done >many
	prof-diff --normalize one many | prof-top --tsv --events samples.old,samples.new | awk -F '\t' '
		$1 == "main" { print $6 / substr($7, 3), $9 / substr($10, 3) }' | diff - <(echo 100 100)
	prof-diff --normalize --tsv one many | awk -F '\t' '$1 == "f" { print $5, $8 / substr($10, 3), $11 / substr($13, 3) }' |
		diff - <(echo 0 100 100)
	# The same shares, of a run three times as long.
	for i in {1..40}; do echo "main;a$i;b $((i % 3 + 1))"; done >old
	for i in {1..40}; do echo "main;a$i;b $((3 * (i % 3 + 1)))"; done >same
	run -0 prof-diff --normalize --fail-over 0% --min-cost 0 old same
	# And one of which a new function takes two thirds.
	{ cat old; for i in {1..160}; do echo "main;hot$i;hot 1"; done } >hot
	run -1 prof-diff --normalize --fail-over 10% --tsv old hot
	[ "$(cut -f 1 <<<"$output")" = $'function\nhot' ]
	# What does not fit is an error.
	printf 'main;f 18446744073709551617\nmain;g 1\n' >large
	printf 'main;f 147573952589676412929\n' >larger
	fails_with "event 'samples': --normalize needs a scale of more than 64 bits" prof-diff --normalize large larger
}

@test "labels of a single run do not keep samples of two runs separate" {
	# perf NAME PID...: samples of a program of that name.
	script() {
		local name=$1 pid
		shift
		for pid; do
			printf '%s %d/%d [00%d] %d.5: 1000 cycles:\n\t10 f+0x1 (/bin/%s)\n\t20 main+0x1 (/bin/%s)\n\n' \
				"$name" "$pid" $((pid + 1)) $((pid % 4)) "$pid" "$name" "$name"
		done
	}
	script app-old 10 11 12 >old
	script app-new 20 21 22 23 >new
	prof-diff --times old new 2>err >stream
	has "^prof-diff: threads called 'app-old' in the old profile are compared with those called 'app-new' in the new one$" <err
	has 'a difference cannot hold: labels of one run (3)$' <err
	grep ^sample stream | diff - <(bars <<-'E'
	sample|1|1|3|4|1000|3000|4000|comm=app-new|event=cycles
	E
	)
	prof-to svg --static stream | grep -A 1 '<title>f$' | has '^+1,000 cycles (+33.33 %); old 3,000 cycles'
	# Those of two names each are told apart by them.
	{ cat old; script other 10; } >old2
	{ cat new; script another 10 10; script other 10; } >new2
	[ "$(prof-diff --quiet old2 new2 | grep -c ^sample)" = 4 ]
	# Unless they are asked for.
	[ "$(prof-diff --keep-labels tid,pid --quiet old new | grep -c ^sample)" = 7 ]
	prof-diff --keep-labels tid --quiet old new | grep ^sample | has 'comm=app-new	event=cycles	tid=11$'
	fails_with "expected some of pid,tid,time,cpu,trace_id,span_id, found 'x'" prof-diff --keep-labels tid,x old new
	# Folded stacks begin with the name.
	printf 'app-old;main;f 5\napp-old;main 3\n' >old.folded
	printf 'app-new;main;f 7\napp-new;main 3\n' >new.folded
	prof-diff old.folded new.folded 2>err | grep ^sample | cut -f 3- | diff - <(printf '0\t3\t3\n2\t5\t7\n')
	has "stacks that begin with 'app-old' in the old profile are compared with those that begin with 'app-new'" <err
	printf 'other;x 5\n' >other.folded
	prof-diff old.folded other.folded 2>err | grep -c ^sample | diff - <(echo 3)
	[ ! -s err ]
}

@test "the percentage of a negative cost has the sign of the change" {
	counts a.cg '-10 1'
	counts b.cg '-5 1'
	prof-diff a.cg b.cg | prof-top | has '^ *-10  *-5  *+5  *+50.00 '
}

@test "--match joins levels of recursion of builds in different places" {
	prof-cat "$BATS_TEST_DIRNAME/../share/examples/wordcount.callgrind.zst" >old.prof
	sed 's#/usr/src/prof#/another/place#' old.prof >new.prof
	prof-diff --quiet --match recursion old.prof new.prof | prof-top >got
	run -1 grep insert got
	grep -q ' total, no change$' got
}

@test "-n shows the first rows of all, whatever has not changed" {
	awk 'BEGIN { print "events: Ir"; for (i = 1; i <= 300; i++) print "fn=f" i "\n1 " 1000 + i }' >a
	awk 'BEGIN { print "events: Ir"; for (i = 1; i <= 300; i++)
		print "fn=f" i "\n1 " 1000 + i + (i % 7 ? 0 : (i * 37) % 101) }' >b
	prof-diff a b | prof-top -n 1000 | grep -E ' f[0-9]+$' >all
	[ "$(wc -l <all)" -gt 30 ]
	for n in 1 3 10 25; do
		prof-diff a b | prof-top -n $n | grep -E ' f[0-9]+$' | diff <(head -n $n all) -
	done
}

# A filter has kept the call from a, and not what would show that it is nested.
@test "an inclusive cost above that of the run, as a filter may leave, is neither shown nor checked" {
	kept() {
		bars <<-E
		prof|1
		part|1
		meta|filter|-x a
		event|0|c|-|-|-
		func|0|a|-|-|-
		func|1|b|-|-|-
		cost|0|-|1|-|50
		call|0|-|1|-|1|-|-|1|$1
		total|run|100
		end
		E
	}
	kept 45 >small
	kept 90 >old
	kept 95 >new
	incl() {
		prof-diff --tsv "$@" | sed 1d | cut -f 1,6
	}
	incl old new | diff - <(printf 'a\t-\nb\t5\n')
	incl small old | diff - <(printf 'a\t-\nb\t45\n')
	incl small small | diff - <(printf 'a\t0\nb\t0\n')
	run -1 --separate-stderr prof-diff --quiet --metric inclusive --fail-over 1% --tsv old new
	[ "$(cut -f 1 <<<"$output")" = $'function\nb' ]
	run -1 --separate-stderr prof-diff --quiet --metric inclusive --fail-over 1% --tsv small old
	[ "$(cut -f 1 <<<"$output")" = $'function\nb' ]
}

@test "between two runs of few samples the range of random variation is printed" {
	printf 'main;f 110\nmain;g 1890\n' >old
	printf 'main;f 160\nmain;g 1940\n' >new
	prof-diff -n 9 old new | tail -1 >got
	# As often as it says, two counts of one function differ by more.
	python3 - <<-'E'
	import random, re
	m = re.fullmatch(r'2000 and 2100 samples: random variation may change 10 % by (\d+) %, 1 % by (\d+) %\n', open('got').read())
	random.seed(1)
	def count(n, share): return random.binomialvariate(n, share) if hasattr(random, 'binomialvariate') else sum(random.random() < share for _ in range(n))
	for share, most in ((0.1, int(m[1])), (0.01, int(m[2]))):
	    turns = 1500
	    more = 0
	    for _ in range(turns):
	        old = count(2000, share)
	        new = count(2100, share) * 2000 / 2100
	        more += abs(new - old) > most / 100 * 2000 * share
	    assert 0.025 < more / turns < 0.075, (share, most, more / turns)
	E
	# What is exact, hardly sampled, of many samples, of several runs or scaled says none of it.
	printf 'events: Ir\nfn=f\n1 2000\n' >old.ir
	printf 'events: Ir\nfn=f\n1 2100\n' >new.ir
	prof-diff -n 9 old.ir new.ir >other
	printf 'main;f 9\n' >few
	prof-diff -n 9 few new >>other
	printf 'main;f 100000\n' >many
	printf 'main;f 100100\n' >more
	prof-diff -n 9 many more >>other
	prof-diff -n 9 old old -- new new >>other
	prof-diff -n 9 old old >>other
	prof-diff -n 9 --normalize old new >>other
	run -1 grep 'random variation' other
}

@test "a self cost is new or gone only if the function is; what is new has no noise in percent" {
	printf '%s\n' 'main;f 8' 'main;f;g 4' 'main;h 3' >old
	printf '%s\n' 'main;f;g 5' 'main 7' 'main;k 2' >new
	prof-diff -n 0 old new | sed '1,3d; s/  */ /g; s/^ //' >got
	diff - got <<-'END'
	old self samples new change % inclusive % function
	8 0 -8 to 0 -7 -58.33 f
	0 7 +7 from 0 -1 -6.67 main
	3 0 -3 gone -3 gone h
	0 2 +2 new +2 new k
	4 5 +1 +25.00 +1 +25.00 g
	15 14 -1 -6.67 total
	15 and 14 samples: random variation may change 10 % by 223 %, 1 % by 704 %
	END
	# For programs and between several runs it is the same.
	prof-diff --fdr 100% -n 0 old old -- new new | sed '1,3d; s/  */ /g; s/^ //' >got
	has '^0.00 7.00 +7.00 from 0 - -1.00 -6.67 [0-9.]* main$' got
	has '^0.00 2.00 +2.00 new - +2.00 new - k$' got
	has '^8.00 0.00 -8.00 to 0 [0-9.]* -7.00 -58.33 [0-9.]* f$' got
}

@test "runs of many events cost little" {
	shape tsv:columns 6000 >x
	limited 400000 prof-diff --tsv x x -- x x x >got
	[ "$(wc -l <got)" -gt 1 ]
}
