# SPDX-License-Identifier: ISC
# of: prof-merge stream sum
# prof-merge: sums against cg_merge, gprof -s and awk; the laws of sums on real
# profiles, in random order, grouping and format; then each rule by hand.

load helper.bash

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	local p

	for p in work threads; do
		"${CC:-cc}" -g -O0 -pthread -o "$p" "$repo/tests/programs/$p.c"
	done
	"${CC:-cc}" -g -O1 -pg -no-pie -o ticks "$repo/tests/programs/ticks.c" \
		"$repo/tests/programs/ticks2.c"
	for p in 1 2 3; do
		GMON_OUT_PREFIX=t ./ticks
		mv t.[0-9]* $p.gmon
	done
	valgrind_to 1.cachegrind cachegrind ./work
	valgrind_to 2.cachegrind cachegrind ./threads
	valgrind_to 3.cachegrind cachegrind /bin/echo x
	valgrind_to 1.callgrind callgrind --dump-instr=yes --dump-line=yes \
		--collect-jumps=yes --cache-sim=yes ./work
	valgrind_to 2.callgrind callgrind --dump-instr=yes --dump-line=yes \
		--collect-jumps=yes --cache-sim=yes ./threads
	valgrind_to lines.callgrind callgrind --collect-jumps=yes ./work
	valgrind_to 3.callgrind callgrind --combine-dumps=yes \
		--dump-every-bb=20000 /bin/ls /
	[ "$(grep -c '^part:' 3.callgrind)" -ge 3 ]
	# A thousand streams of a few records, the same ones every time.
	mkdir many
	perl -e 'srand(7); for my $i (1 .. 1000) {
		open my $f, ">", sprintf("many/%04d", $i);
		print $f "prof\t1\npart\t0\nevent\t0\tIr\t-\t-\t-\n";
		print $f "event\t1\tDr\t-\t-\t-\n", "file\t0\ta.c\n";
		my $n = 1 + int rand 5;
		print $f "func\t$_\tf", int rand 50, "\t0\t-\t-\n" for 0 .. $n - 1;
		print $f "cost\t", int rand $n, "\t0\t", int rand 9, "\t-\t",
		    int rand 99, "\t", int rand 99, "\n" for 1 .. 9;
		print $f "end\n" }'
}

# real NAME...: files of setup_file.
real() {
	printf "$made/%s\n" "$@"
}

# streams NAME: a stream from standard input, which has no `prof`, `end` and TABs.
stream() {
	{ echo 'prof  1'; cat; echo end; } | tabs >"$1"
}

# body FILE...: what is merged of them, less `prof` and `end`.
body() {
	silent prof-merge "$@" | sed '1d; $d'
}

# gives ARGUMENT...: that is what stands on standard input.
gives() {
	tabs >want
	body "$@" >got
	same want got
}

# tree SEED FILE...: merged two or three at a time at random, sometimes packed or
# read from a pipe, until one is left: file `tree`.
tree() {
	perl -e 'use strict; my $n = 0; srand shift;
		my @f = @ARGV;
		while (@f > 1 || !$n) {
			my @take = map { splice @f, int rand @f, 1 } 1 .. (@f < 3 ? @f : 2 + int rand 2);
			my $new = "step." . $n++ . ("", ".zst", ".gz")[int rand 3];
			my $pipe = int rand 2 ? "prof-cat " . shift(@take) . " |" : "";
			system("$pipe prof-merge --quiet -o $new " . ($pipe ? "- " : "") . "@take") == 0 or die;
			push @f, $new;
		}
		system("prof-cat $f[0] >tree; rm step.*") == 0 or die;' "$@"
}

# ---- other people's sums ----

@test "operations over runs match samples without what belongs to one" {
	for i in 1 2 3 4 5; do
		for t in 0 1 2 3; do
			printf 'app %d/%d [00%d] %d.5: %d cycles:\n\t10 f+0x1 (/bin/app)\n\n' \
				$((100 * i)) $((100 * i + t)) $t $i $((1000 + i))
		done >run.$i
	done
	for op in min:4004 median:4012 max:4020 mean:20060; do
		prof-merge --times --op ${op%:*} run.? 2>err | grep '^sample' | cut -f 4- |
			diff - <(printf '%s\tcomm=app\tevent=cycles\n' ${op#*:})
		has 'labels of one run (20)$' <err
	done
	prof-merge --quiet --op max --keep-labels cpu --times run.? | grep '^sample' | cut -f 3- | sort |
		diff - <(printf '1\t1005\tcomm=app\tcpu=%d\tevent=cycles\n' 0 1 2 3)
	# A sum keeps all of them.
	[ "$(prof-merge run.? | grep -c '^sample.*pid=')" = 20 ]
}

@test "attributes of parts are joined in any order, and addresses with any number of values" {
	bars >x <<-'E'
	prof|1
	part|1|z=1|positions=line|a=2
	event|0|A|-|-|-
	event|1|B|-|-|-
	func|0|f|-|-|-
	cost|0|-|1|-|10
	part|2|a=2|z=1
	event|0|A|-|-|-
	event|1|B|-|-|-
	cost|0|-|-|0x10|5
	cost|0|-|-|0x10|5|7
	cost|0|-|-|0x20|1|-
	cost|0|-|-|0x20|1|2
	cost|0|-|-|0x20|1
	end
	E
	prof-merge x | diff - <(bars <<-'E'
	prof|1
	part|1|a=2|z=1|positions=line
	meta|runs|2
	event|0|A|-|-|-
	event|1|B|-|-|-
	total|run|23|9
	func|0|f|-|-|-
	cost|0|-|-|0x10|10|7
	cost|0|-|-|0x20|3|2
	cost|0|-|1|-|10
	end
	E
	)
	sed -e '/^part	2/,/^event	1/d' x | prof-merge | grep '^cost' | diff - <(bars <<-'E'
	cost|0|-|-|0x10|10|7
	cost|0|-|-|0x20|3|2
	cost|0|-|1|-|10
	E
	)
}

@test "lines that come again and again are summed once" {
	awk 'BEGIN { print "events: Ir"
		for (k = 1; k <= 4; k++) {
			print "fn=f"
			for (i = 1; i <= 400000; i++) print i, i % 7 + 1
			print "fn=g\n1 1"
		} }' | prof-merge | awk -F '\t' '/^cost/ && $4 != 1 { n++; sum += $6; wrong += $6 != 4 * ($4 % 7 + 1) }
		END { print n, sum, wrong + 0 }' |
		diff - <(awk 'BEGIN { for (i = 2; i <= 400000; i++) sum += 4 * (i % 7 + 1); print 399999, sum, 0 }')
}

@test "of Cachegrind's files it is what cg_merge makes" {
	local f=($(real 1.cachegrind 2.cachegrind 3.cachegrind))
	cg_merge -o theirs.cg "${f[@]}" 2>err
	prof-merge "${f[@]}" | prof-cat - | spelt | sort >ours
	prof-cat theirs.cg | spelt | sort >theirs
	[ "$(wc -l <theirs)" -gt 1000 ]
	diff <(sed 's/\(\t0\)*$//' theirs) ours
	[ "$(prof-merge "${f[@]}" | grep '^total')" = "$(prof-cat theirs.cg |
		prof-merge | grep '^total')" ]
}

@test "of gmon.out files it is what gprof -s makes, self time and calls" {
	local f=($(real 1.gmon 2.gmon 3.gmon)) exe
	exe=$(real ticks)
	gprof -s "$exe" "${f[@]}" >/dev/null
	prof-top --tsv -n 0 --exe "$exe" gmon.sum | cut -f 1-5 | sort >theirs
	prof-merge --exe "$exe" "${f[@]}" | prof-top --tsv -n 0 | cut -f 1-5 | sort >ours
	[ "$(wc -l <ours)" -gt 5 ]
	same theirs ours
	# By addresses, too.
	prof-merge "${f[@]}" | grep -c '^call' >calls
	prof-cat gmon.sum | grep -c '^call' | same - calls
}

@test "of a file of several parts it is their sum" {
	local f
	f=$(real 3.callgrind)
	prof-merge "$f" >m
	[ "$(grep -c '^part' m)" = 1 ]
	lacks m '^meta\truns'
	# All costs, places and calls of all parts.
	prof-cat "$f" | spelt | awk -F '\t' -v OFS='\t' '
		$1 == "cost" { s[$2 OFS $3 OFS $4] += $6 }
		$1 == "call" { n[$2 OFS $3 OFS $4 OFS $6 OFS $7] += $9
			c[$2 OFS $3 OFS $4 OFS $6 OFS $7] += $10 }
		END { for (k in s) print "cost", k, s[k]
			for (k in n) print "call", k, n[k], c[k] }' | sort >want
	spelt m | awk -F '\t' -v OFS='\t' '
		$1 == "cost" { print $1, $2, $3, $4, $6 + 0 }
		$1 == "call" { print $1, $2, $3, $4, $6, $7, $9, $10 + 0 }' | sort >got
	[ "$(wc -l <want)" -gt 500 ]
	same want got
}

@test "a thousand files in one call are awk's sum of them" {
	cat "$BATS_FILE_TMPDIR"/many/* | spelt | awk -F '\t' -v OFS='\t' '
		{ ir[$2 OFS $4] += $6; dr[$2 OFS $4] += $7 }
		END { for (k in ir) print k, ir[k], dr[k] }' | sort >want
	prof-merge "$BATS_FILE_TMPDIR"/many/* >m
	spelt m | awk -F '\t' -v OFS='\t' '{ print $2, $4, $6 + 0, $7 + 0 }' | sort >got
	[ "$(wc -l <want)" -ge 400 ]
	same want got
	grep -qx 'meta	runs	1000' m
}

@test "costs are kept: a ranking of the sum is the sum of the rankings" {
	local f
	for f in $(real 1.callgrind 2.callgrind 3.callgrind 1.cachegrind); do
		prof-top --tsv -n 0 --events Ir -b function,line "$f" | sed 1d
	done | awk -F '\t' -v OFS='\t' '{ k = $1 OFS $2 OFS $3 OFS $4; s[k] += $6 }
		END { for (k in s) print k, s[k] }' | sort >want
	prof-merge $(real 1.callgrind 2.callgrind 3.callgrind 1.cachegrind) |
		prof-top --tsv -n 0 --events Ir -b function,line | sed 1d |
		cut -f 1-4,6 | sort >got
	[ "$(wc -l <want)" -gt 1000 ]
	same want got
}

# ---- laws ----

@test "order and grouping do not matter, of any formats" {
	local f seed
	f=($(real {1,2,3}.callgrind {1,2,3}.cachegrind {1,2,3}.gmon))
	prof-merge --quiet "${f[@]}" >all
	[ "$(grep -c '^part' all)" = 1 ]
	grep -qx 'meta	runs	9' all
	for seed in 1 2 3; do
		tree $seed "${f[@]}"
		cmp all tree
	done
	# And not how the files are truncated into streams, or what they are packed with.
	prof-cat "${f[@]}" | prof-merge | cmp all
	for i in "${f[@]}"; do prof-cat "$i"; done | zstd -q | prof-merge | cmp all
}

@test "what was merged once is merged" {
	prof-merge $(real 1.callgrind 3.callgrind) >m
	prof-merge m | cmp m
	[ "$(tail -n 1 m)" = end ]
	prof-merge --by thread,function $(real 2.callgrind) >m
	prof-merge --by thread,function m | cmp m
}

@test "the format does not matter where it holds the same" {
	local f
	f=$(real 1.callgrind)
	prof-merge "$f" >m
	prof-to callgrind "$f" | prof-merge | cmp m
	prof-to prof --zstd "$f" | prof-merge | cmp m
	prof-to callgrind m | prof-merge | cmp m
	prof-to cachegrind "$(real 1.cachegrind)" | prof-merge |
		cmp - <(prof-merge "$(real 1.cachegrind)")
}

@test "least and largest costs can be made in steps, in any order" {
	local op seed f=($(real {1,2,3}.callgrind 1.cachegrind 1.gmon))
	for op in min max; do
		prof-merge --op $op "${f[@]}" >all
		prof-merge --op $op "${f[4]}" "${f[3]}" "${f[1]}" "${f[2]}" "${f[0]}" | cmp all
		prof-merge --op $op "${f[1]}" "${f[4]}" >a
		prof-merge --op $op "${f[3]}" "${f[0]}" "${f[2]}" >b
		prof-merge --op $op b a | cmp all
	done
	prof-merge --op median "${f[@]}" >all
	prof-merge --op median "${f[4]}" "${f[3]}" "${f[1]}" "${f[2]}" "${f[0]}" | cmp all
}

# ---- --by ----

@test "--by gives the rows that prof-top has" {
	local by f
	f=($(real 1.callgrind 2.callgrind 1.cachegrind))
	for by in function file object line addr function,line object,addr file,line \
		total source function,source object,line,source; do
		echo "$by"
		prof-top --tsv -n 0 -b $by --events Ir,Dr "${f[@]}" >want
		prof-merge --by $by "${f[@]}" >m
		prof-top --tsv -n 0 -b $by --events Ir,Dr m >got
		# Self costs; that of calls depends on which calls are one.
		awk -F '\t' -v OFS='\t' 'NR == 1 { for (i = 1; i <= NF; i++)
			if ($i !~ /incl$|calls/) keep[i] }
			{ line = ""; for (i = 1; i <= NF; i++)
				if (i in keep) line = line OFS $i; print line }' want | sort >want.self
		awk -F '\t' -v OFS='\t' 'NR == 1 { for (i = 1; i <= NF; i++)
			if ($i !~ /incl$|calls/) keep[i] }
			{ line = ""; for (i = 1; i <= NF; i++)
				if (i in keep) line = line OFS $i; print line }' got | sort >got.self
		same want.self got.self
	done
}

@test "--by takes lines, addresses and names out, of calls and contexts, too" {
	stream x <<-'E'
	part  1  positions=addr,line
	event  0  Ir  -  -  -
	object  0  o  -
	file  0  a.c
	file  1  a.h
	func  0  main  0  0  -
	func  1  g  -  0  -
	ctx  0  -  0  0  1  0x10
	ctx  1  0  1  -  2  0x20
	ctx  2  0  1  1  3  0x30
	cost  0  0  1  0x10  1
	cost  0  1  2  0x20  2
	cost  1  -  2  -  4
	call  0  0  1  0x10  1  2  0x20  3  5
	call  0  1  1  0x11  1  2  0x20  4  6
	jump  0  0  1  0x10  0  0  2  0x12  1  2
	sample  1  7
	sample  2  8
	raw  0  text
	E
	gives --by function x <<-'E'
	part  1
	event  0  Ir  -  -  -
	total  run  22
	object  0  o  -
	file  0  a.c
	func  0  g  -  0  -
	func  1  main  0  0  -
	ctx  0  -  1  0  -  -
	ctx  1  0  0  -  -  -
	cost  0  -  -  -  4
	cost  1  0  -  -  3
	call  1  0  -  -  0  -  -  7  11
	jump  1  0  -  -  1  0  -  -  1  2
	sample  1  15
	E
	gives --by file,line x <<-'E'
	part  1  positions=line
	meta  calls  partial
	event  0  Ir  -  -  -
	total  run  22
	file  0  a.c
	file  1  a.h
	func  0  -  -  -  -
	func  1  -  0  -  -
	func  2  -  1  -  -
	ctx  0  -  1  0  1  -
	ctx  1  0  0  -  2  -
	ctx  2  0  2  1  3  -
	cost  0  -  2  -  4
	cost  1  0  1  -  1
	cost  2  1  2  -  2
	call  1  0  1  -  0  2  -  3  5
	call  2  1  1  -  0  2  -  4  6
	jump  1  0  1  -  1  0  2  -  1  2
	sample  1  7
	sample  2  8
	E
	gives --by total x <<-'E'
	part  1
	meta  calls  partial
	event  0  Ir  -  -  -
	total  run  22
	func  0  -  -  -  -
	ctx  0  -  0  -  -  -
	ctx  1  0  0  -  -  -
	cost  0  -  -  -  7
	call  0  -  -  -  0  -  -  7  11
	jump  0  -  -  -  0  -  -  -  1  2
	sample  1  15
	E
}

@test "--by metadata writes a part for each value, those of one run with its number" {
	stream x <<-'E'
	part  1
	meta  pid  7
	meta  thread  10
	event  0  Ir  -  -  -
	func  0  f  -  -  -
	cost  0  -  -  -  1
	part  1
	meta  pid  7
	meta  thread  9
	event  0  Ir  -  -  -
	cost  0  -  -  -  2
	part  2
	meta  pid  8
	meta  thread  9
	event  0  Ir  -  -  -
	cost  0  -  -  -  4
	E
	gives --by thread x <<-'E'
	part  1
	meta  thread  9
	meta  runs  2
	event  0  Ir  -  -  -
	total  run  6
	func  0  f  -  -  -
	cost  0  -  -  -  6
	part  1
	meta  pid  7
	meta  thread  10
	event  0  Ir  -  -  -
	total  run  1
	cost  0  -  -  -  1
	E
	# So runs are still counted, and told apart by --op.
	prof-merge --by thread x | prof-merge | has -x 'meta	runs	2'
	prof-merge --by thread,pid x | prof-merge --op max | has -x 'cost	0	-	-	-	4'
	prof-merge --by thread,pid x | grep '^part' | cut -f 2 | paste -sd ' ' |
		has -x '1 1 2'
	gives --by thread --op min x <<-'E'
	part  1
	meta  thread  9
	meta  runs  2
	event  0  Ir  -  -  -
	total  run  2
	func  0  f  -  -  -
	cost  0  -  -  -  2
	part  1
	meta  pid  7
	meta  thread  10
	event  0  Ir  -  -  -
	total  run  1
	cost  0  -  -  -  1
	E
}

@test "--by of what is not there or twice is misuse" {
	exits_with 2 "--by: expected function, file," prof-merge --by lines /dev/null
	exits_with 2 "--by: line appears twice" prof-merge --by line,line /dev/null
	exits_with 2 "--op: expected one of sum|min|max|median|mean|stats, found 'product'" \
		prof-merge --op product /dev/null
}

@test "ten thousand threads are ten thousand parts, at once" {
	perl -e 'print "prof\t1\nfunc\t0\tf\t-\t-\t-\n";
		print "part\t0\nmeta\tthread\t$_\nevent\t0\tIr\t-\t-\t-\ncost\t0\t-\t-\t-\t$_\n"
		for 1 .. 10000; print "end\n"' >x
	timeout 5 prof-merge --by thread x >m
	[ "$(grep -c '^part' m)" = 10000 ]
	grep '^cost' m | cut -f 6 | cmp - <(seq 10000)
	prof-merge m | has -x 'cost	0	-	-	-	50005000'
}

@test "a chain of a million contexts is summed" {
	perl -e 'print "prof\t1\npart\t0\nevent\t0\tIr\t-\t-\t-\nfunc\t0\tf\t-\t-\t-\n";
		print "ctx\t$_\t", $_ ? $_ - 1 : "-", "\t0\t-\t-\t-\n" for 0 .. 999999;
		print "sample\t999999\t5\nend\n"' >x
	(ulimit -s 1024; prof-merge x x) >m
	[ "$(grep -c '^ctx' m)" = 1000000 ]
	grep -qx 'sample	999999	10' m
}

# ---- --op ----

@test "least, largest and median costs of runs are awk's" {
	local op
	for op in min max median; do
		awk -F '\t' -v OFS='\t' -v op=$op '
		FNR == 1 { runs++ }
		$1 == "func" { f[$2] = $3 }
		$1 == "cost" { k = f[$2] OFS $4; keys[k]; v[k, runs] += $6 }
		END { for (k in keys) {
			for (i = 1; i <= runs; i++) s[i] = v[k, i] + 0
			for (i = 2; i <= runs; i++)
				for (j = i; j > 1 && s[j - 1] > s[j]; j--) {
					t = s[j]; s[j] = s[j - 1]; s[j - 1] = t }
			print k, s[op == "min" ? 1 : op == "max" ? runs : int((runs + 1) / 2)] }
		}' "$BATS_FILE_TMPDIR"/many/00[1-6][0-7] | sort >want
		prof-merge --op $op "$BATS_FILE_TMPDIR"/many/00[1-6][0-7] | awk -F '\t' \
			-v OFS='\t' '$1 == "func" { f[$2] = $3 }
			$1 == "cost" { print f[$2], $4, $6 + 0 }' | sort >got
		[ "$(wc -l <want)" -gt 100 ]
		same want got
	done
}

@test "--op compares runs, of which the parts are summed" {
	stream x <<-'E'
	part  1
	event  0  Ir  -  -  -
	event  1  Dr  -  -  -
	func  0  f  -  -  -
	func  1  g  -  -  -
	cost  0  -  -  -  3  1
	cost  0  -  -  -  3  1
	part  1
	event  0  Ir  -  -  -
	cost  0  -  -  -  4
	cost  1  -  -  -  9
	part  2
	event  0  Ir  -  -  -
	cost  0  -  -  -  8
	part  3
	event  0  Ir  -  -  -
	event  1  Dr  -  -  -
	cost  0  -  -  -  2  7
	E
	# f: Ir 10, 8, 2; Dr 2, not measured, 7.  g: Ir 9, 0, 0; Dr absent, -, 0.
	costs() { prof-merge --op $1 x | grep -E '^(cost|total)'; }
	[ "$(costs min)" = "$(tabs <<<'total  run  2  2
cost  0  -  -  -  2  2
cost  1  -  -  -')" ]
	[ "$(costs max)" = "$(tabs <<<'total  run  19  7
cost  0  -  -  -  10  7
cost  1  -  -  -  9')" ]
	[ "$(costs median)" = "$(tabs <<<'total  run  8  2
cost  0  -  -  -  8  2
cost  1  -  -  -')" ]
}

@test "what is not known of one run does not count, and bounds stay bounds" {
	local op f g
	stream a <<-'E'
	part  1
	event  0  Ir  -  -  -
	func  0  f  -  -  -
	call  0  -  1  -  0  -  -  5  1
	call  0  -  2  -  0  -  -  -  1
	jump  0  -  1  -  0  -  2  -  4  -
	jump  0  -  3  -  0  -  4  -  4  8
	point  0  -  10  2  3  9  12  90  12  1  -  9  -  6  -  -  -  -  -  -
	E
	stream b <<-'E'
	part  1
	event  0  Ir  -  -  -
	func  0  f  -  -  -
	call  0  -  2  -  0  -  -  6  1
	point  0  -  10  4  5  7  24  144  24  1  2  7  -  6  -  -  -  -  -  -
	E
	stream c <<<'part  1
event  0  Ir  -  -  -'
	for op in min max median; do
		prof-merge --op $op a b c >all
		prof-merge --op $op b c a | cmp all
		prof-merge --op $op c b a | cmp all
		# An unconditional jump has no number of executions in any run.
		grep '^jump' all | cut -f 10-11 | paste -sd ';' >jumps.$op
		grep '^call' all | cut -f 9 | paste -sd ' ' >calls.$op
		# Least and largest cost of all runs, the costs of the op.
		grep '^point' all | cut -f 4-7,12-13 | paste -sd ' ' >points.$op
	done
	tabs <<-'E' >want
	0  -;0  0
	4  -;4  8
	0  -;0  0
	0 0
	5 6
	0 0
	10  0  3  9  2  9
	10  4  3  9  2  9
	10  2  3  9  2  9
	E
	cat {jumps,calls,points}.{min,max,median} | sed 's/^10\t\([0-9]*\)\t/10\t\1\t/' >got
	same want got
}

@test "runs whose parts alternate are summed, but not combined as if they were more" {
	stream alternate <<-'E'
	part  1
	event  0  Ir  -  -  -
	func  0  f  -  -  -
	cost  0  -  -  -  10
	part  2
	event  0  Ir  -  -  -
	cost  0  -  -  -  20
	part  1
	event  0  Ir  -  -  -
	cost  0  -  -  -  5
	E
	prof-merge alternate | has -x 'cost	0	-	-	-	35'
	for op in min median mean stats; do
		exits_with 2 'a run goes on after another one' prof-merge --op $op alternate
	done
	exits_with 2 'a run goes on after another one' prof-diff alternate -- alternate alternate
}

@test "a column that a run has nowhere does not count for it" {
	local op
	stream a <<-'E'
	part  1
	event  0  Ir  -  -  -
	func  0  f  -  -  -
	call  0  -  1  -  0  -  -  -  1
	call  0  -  2  -  0  -  -  -  1
	E
	stream b <<-'E'
	part  1
	event  0  Ir  -  -  -
	func  0  f  -  -  -
	call  0  -  2  -  0  -  -  6  1
	call  0  -  3  -  0  -  -  -  1
	E
	for op in min max median; do
		prof-merge --op $op a b >all
		prof-merge --op $op b a | cmp all
		# Line 1 is not in the run that counts.
		[ "$(grep '^call' all | cut -f 9 | paste -sd ' ')" = '0 6 -' ]
		[ "$(prof-merge --op $op a a | grep '^call' | cut -f 9 | paste -sd ' ')" = '- -' ]
	done
	# In steps.
	prof-merge --op min a b >ab
	prof-merge --op min ab a >1
	prof-merge --op min a a b | grep -v '^meta' >2
	grep -v '^meta' 1 | diff - 2
}

# ---- records ----

@test "what is known is not lost by adding what is not" {
	stream a <<-'E'
	part  1
	event  0  Ir  -  -  -
	func  0  f  -  -  -
	call  0  -  1  -  0  -  -  5  4
	call  0  -  1  -  0  -  -  -  -
	jump  0  -  1  -  0  -  3  -  5  -
	jump  0  -  1  -  0  -  3  -  -  9
	jump  0  -  1  -  0  -  3  -  2  10
	jump  0  -  1  -  0  -  3  -  -  -
	point  0  -  8  2  5  9  14  106  14  -  -  -  -  -  -  -  -  3  -  -
	point  0  -  8  -  -  -  -  -  -  10  4  6  52  -  1  1  2  -  -  -
	point  0  -  9  2  -  -  -  -  -  -  -  -  -  7  -  -  -  -  -  -
	point  0  -  9  -  -  -  -  -  -  -  -  -  -  -  -  -  -  -  -  -
	point  0  -  9  1  -  -  -  -  -  -  -  -  -  8  -  -  -  -  -  -
	vprof  0  1  INT  10  7
	vprof  0  1  INT  -  7
	E
	tabs >want <<-'E'
	call  0  -  1  -  0  -  -  5  4
	jump  0  -  1  -  0  -  3  -  5  -
	jump  0  -  1  -  0  -  3  -  2  19
	point  0  -  8  2  5  9  14  106  14  10  4  6  52  -  1  1  2  3  -  -
	point  0  -  9  -  -  -  -  -  -  -  -  -  -  -  -  -  -  -  -  -
	point  0  -  9  2  -  -  -  -  -  -  -  -  -  7  -  -  -  -  -  -
	point  0  -  9  1  -  -  -  -  -  -  -  -  -  8  -  -  -  -  -  -
	vprof  0  1  INT  10  7
	E
	prof-merge a | grep -E '^(call|jump|point|vprof)' >got
	same want got
	# Averages are no sum: what two make of the same size costs as much as before.
	printf '%s\n' 'v 0' 'm Ir' 'r f 1 p 1' 'p 1 8 3 2' >1
	printf '%s\n' 'v 0' 'm Ir' 'r f 1 p 1' 'p 1 8 4 5' >2
	prof-top --tsv 1 2 >want
	prof-merge 1 2 | prof-top --tsv | diff - want
	grep -q '	26	' want
}

@test "jumps of one source and target keep their counts and their kind" {
	# jump=N, jcnd=N/M: what there is of each.
	counts() {
		awk '/^(jump|jcnd)=/ { split($1, k, "="); n = split(k[2], v, "/")
			s[k[1]] += v[1]; m += n > 1 ? v[2] : 0 }
			END { print s["jump"], s["jcnd"], m }' "$@"
	}
	# As it happens, at least two lines jump to another both ways.
	[ "$(awk '/^(jump|jcnd)=/ { split($1, k, "="); to = $2 " " $3; how = k[1]; getline
		n += (of[fn, $1, to] != "" && of[fn, $1, to] != how); of[fn, $1, to] = how }
		/^fn=/ { fn = $1 } END { print n }' "$(real lines.callgrind)")" -ge 2 ]
	[ "$(prof-merge "$(real lines.callgrind)" | prof-to callgrind | counts)" = \
		"$(counts "$(real lines.callgrind)")" ]
	[ "$(prof-merge --by function $(real {1,2,lines}.callgrind) | prof-to callgrind |
		counts)" = "$(counts $(real {1,2,lines}.callgrind))" ]
}

@test "records of every kind are summed by all of their keys" {
	stream a <<-'E'
	part  1  positions=line
	event  0  Ir  -  -  -
	func  0  f  -  -  -
	func  1  g  -  -  k
	ctx  0  -  0  -  -  -
	cost  0  -  12  -  1
	cost  0  -  12:3  -  2
	cost  0  -  -  -  3  t=1
	call  0  -  1  -  1  5  -  2  10
	jump  0  -  1  -  0  -  3  -  5  -
	jump  0  -  1  -  0  -  4  -  5  9
	sample  0  4  b=2  a=1
	point  0  -  8  1  5  5  5  25  5  -  -  -  -  -  -  -  -  -  -  -
	vprof  0  1  INT  10  -3
	vprof  0  1  INT  5  7
	raw  1  text
	E
	stream b <<-'E'
	part  1  positions=addr
	event  0  Ir  -  -  -
	func  0  g  -  -  k
	func  1  f  -  -  -
	ctx  0  -  1  -  -  -
	cost  1  -  12  -  10
	cost  1  -  -  0x10#0x2  20
	cost  1  -  -  -  30  t=2
	call  1  -  1  -  0  5  -  3  20
	jump  1  -  1  -  1  -  4  -  1  2
	sample  0  5  a=1  b=2
	point  1  -  8  3  2  9  11  110  11  -  -  -  -  -  -  -  -  -  -  -
	vprof  1  1  INT  20  7
	raw  0  text
	raw  0  more
	E
	tabs >want <<-'E'
	part  1  positions=addr,line
	meta  runs  2
	event  0  Ir  -  -  -
	total  run  75
	func  0  f  -  -  -
	func  1  g  -  -  k
	ctx  0  -  0  -  -  -
	cost  0  -  -  -  3  t=1
	cost  0  -  -  -  30  t=2
	cost  0  -  -  0x10#0x2  20
	cost  0  -  12  -  11
	cost  0  -  12:3  -  2
	call  0  -  1  -  1  5  -  5  30
	jump  0  -  1  -  0  -  3  -  5  -
	jump  0  -  1  -  0  -  4  -  6  11
	sample  0  9  a=1  b=2
	point  0  -  8  4  2  9  16  135  16  -  -  -  -  -  -  -  -  -  -  -
	vprof  0  1  INT  25  7
	vprof  0  1  INT  10  -3
	raw  1  more
	raw  1  text
	E
	body a b >got
	same want got
	body b a | same want -
}

@test "points of a part without events are summed with no others" {
	stream a <<-'E'
	part  1
	event  0  Ir  -  -  -
	E
	stream b <<-'E'
	part  1
	func  0  f  -  -  -
	point  0  -  5  1  1  1  1  1  1  1  1  1  1  -  -  -  -  -  -  -
	E
	run -2 prof-merge a b
	[ "${lines[-1]}" = "prof-merge: b:4: point: its part has no event for the cost" ]
}

@test "a total of zeros is none" {
	stream a <<-'E'
	part  1
	event  0  Ir  -  -  -
	part  1
	func  0  f  -  -  -
	cost  0  -  -  -
	E
	prof-merge a >b
	[ "$(grep -c '^cost\|^total' b)" = 1 ]
	prof-merge b | cmp - b
}

@test "an attribute of a part may have no name" {
	stream a <<-'E'
	part  1  =x  b=c
	E
	gives a <<-'E'
	part  1  =x  b=c
	E
}

@test "definitions are one by their names, with the attributes of all" {
	stream a <<-'E'
	part  1
	event  0  Ir  -  -  -
	object  0  o  -  build=2  x=1
	func  0  f  -  0  -  line=3
	func  1  f  -  0  -
	cost  0  -  -  -  1
	cost  1  -  -  -  2
	E
	stream b <<-'E'
	part  1
	event  0  Ir  -  -  -
	object  0  o  -  build=1
	object  1  o  k
	func  0  f  -  0  -
	cost  0  -  -  -  4
	E
	gives b a <<-'E'
	part  1
	meta  runs  2
	event  0  Ir  -  -  -
	total  run  7
	object  0  o  -  build=1  x=1
	object  1  o  k
	func  0  f  -  0  -  line=3
	cost  0  -  -  -  7
	E
}

@test "a sum is exact up to 128 bits, and beyond them an error" {
	stream a <<-'E'
	part  1
	event  0  Ir  -  -  -
	func  0  f  -  -  -
	cost  0  -  -  -  170141183460469231731687303715884105726
	E
	sed 's/\t1701.*/\t1/' a >b
	prof-merge a b | has -x 'cost	0	-	-	-	170141183460469231731687303715884105727'
	exits_with 2 'b:5: a sum does not fit 128 bits' prof-merge a b b
	[ "$(tail -n 1 out)" != end ]
	sed 's/\t1701/\t-1701/' a >c
	prof-merge c b | has 'cost	0	-	-	-	-170141183460469231731687303715884105725$'
	sed '/^cost/s/\t1$/\t-2/' b >d
	exits_with 2 'd:5: a sum does not fit 128 bits' prof-merge c d
}

@test "lines around 2^32 are distinguished, however they are kept" {
	local n lines='4294967294 4294967295 4294967296 18446744073709551615'
	{
		printf '%s\n' 'part  1' 'event  0  Ir  -  -  -' 'func  0  f  -  -  -'
		for n in $lines $lines; do echo "cost  0  -  $n  -  3"; done
	} | stream x
	printf '%s\n' $lines >want
	prof-merge x | awk -F '\t' '$1 == "cost" && $6 == 6 { print $4 }' | same want -
}

@test "whatever is summed has 128 bits: lines, counts, totals, points, runs" {
	local most=170141183460469231731687303715884105727
	local least=-${most%7}8 longer=${most}0 head='part  1
event  0  Ir  -  -  -
func  0  f  -  -  -'
	# over PLACE RECORD...: one of them is too much, in line 4 + PLACE; it shows at the
	# end of the file (-) or of all (--).
	over() {
		local place
		case $1 in
		--) place=prof-merge: ;;
		-) place='prof-merge: o:' ;;
		*) place="prof-merge: o:$((4 + $1)):" ;;
		esac
		shift
		{ echo "$head"; printf '%s\n' "$@"; } | stream o
		echo "$@"
		exits_with 2 "$place a sum does not fit 128 bits" prof-merge o
		[ "$(tail -n 1 out)" != end ]
	}
	for n in $longer $least; do
		over 1 "cost  0  -  1  -  $n"
		over 1 "call  0  -  1  -  0  -  -  $n  1"
		over 1 "call  0  -  1  -  0  -  -  1  $n"
		over 1 "jump  0  -  1  -  0  -  2  -  $n  1"
		over 1 "jump  0  -  1  -  0  -  2  -  1  $n"
		over 1 "sample  -  $n"
		over 1 "vprof  0  1  INT  $n  7"
		over 1 "point  0  -  5  1  1  1  $n  1  1  1  1  1  1  -  -  -  -  -  -  -"
		over 1 "point  0  -  5  1  1  1  1  1  1  $n  1  1  1  -  -  -  -  -  -  -"
	done
	over 1 "total  run  $longer"
	over 2 "call  0  -  1  -  0  -  -  $most  1" 'call  0  -  1  -  0  -  -  1  1'
	over 2 "call  0  -  1  -  0  -  -  1  $most" 'call  0  -  1  -  0  -  -  1  1'
	over 2 "jump  0  -  1  -  0  -  2  -  1  $most" 'jump  0  -  1  -  0  -  2  -  1  1'
	over 2 "vprof  0  1  INT  $most  7" 'vprof  0  1  INT  1  7'
	# Each for itself fits, the cost of the run does not: known where the part ends.
	over - 'cost  0  -  1  -  1' "cost  0  -  2  -  $most"
	over 2 "cost  0  -  1  -  $most" 'sample  -  1'
	over 5 "total  run  $most" 'part  1' 'event  0  Ir  -  -  -' 'total  run  1' 'part  1'
	# Short numbers are kept apart from long ones until then.
	over -- 'total  run  1' 'cost  0  -  1  -  1' "cost  0  -  1  -  $most"
	over 3 'part  2' "meta  runs  $most" 'part  3'
}

# ---- headers ----

@test "metadata that all inputs have stays, line by line; runs are counted" {
	part() { printf 'prof\t1\npart\t0\n%b\nevent\t0\tIr\t-\t-\t-\nend\n' "$2" >"$1"; }
	part a 'meta\tcmd\t./x\nmeta\tpid\t1\nmeta\tdesc\tI1\nmeta\tdesc\tD1\nmeta\tdesc\tt 1\nmeta\tfilter\tz'
	part b 'meta\tdesc\tI1\nmeta\tdesc\tD1\nmeta\tdesc\tt 2\nmeta\tcmd\t./x\nmeta\tpid\t2\nmeta\tfilter\ta'
	part c 'meta\tcmd\t./x\nmeta\tdesc\tD1\nmeta\tdesc\tt 1\nmeta\tskipped\t3\nmeta\truns\t5'
	gives a b <<-'E'
	part  1
	meta  cmd  ./x
	meta  desc  D1
	meta  desc  I1
	meta  filter  a
	meta  filter  z
	meta  runs  2
	event  0  Ir  -  -  -
	E
	gives c b a <<-'E'
	part  1
	meta  cmd  ./x
	meta  desc  D1
	meta  filter  a
	meta  filter  z
	meta  runs  7
	meta  skipped  3
	event  0  Ir  -  -  -
	E
	for f in 'a b c' 'c a b' 'b c a'; do body $f | same got -; done
	prof-merge b a | prof-merge - c | sed '1d; $d' | same got -
	body a b >ab.body
	prof-merge a b >ab
	body ab c | same got -
	# Alike in all, they stay in their order.
	body a a | grep '^meta	desc' | cut -f 3 | paste -sd , | has -x 'I1,D1,t 1'
	# The file's name only where that is what parts are by.
	lacks got source
	body --by source a b | grep '^meta	source' | cut -f 3 | paste -sd , | has -x a,b
}

@test "a part counts as at least one run, whatever it says" {
	for n in 0 -3 x ''; do
		printf 'prof\t1\npart\t0\nmeta\truns\t%s\nend\n' "$n" >a
		prof-merge a a | grep -x 'meta	runs	2'
	done
}

@test "events in one order keep it, otherwise Valgrind's, then by name" {
	part() {
		local f=$1 i=0 e
		shift
		{ printf 'prof\t1\npart\t0\n'
		for e; do printf 'event\t%d\t%s\t-\t-\t-\n' $((i++)) "$e"; done
		printf 'func\t0\tf\t-\t-\t-\ncost\t0\t-\t-\t-'
		for e; do printf '\t%d' "${#e}"; done
		printf '\nend\n'; } >"$f"
	}
	events() { grep '^event' | cut -f 3 | paste -sd ' '; }
	part a zz Dr Ir
	part b Ir Bc
	part c aaa
	[ "$(prof-merge a a | events)" = 'zz Dr Ir' ]
	prof-merge a b c >m
	[ "$(events <m)" = 'Ir Dr Bc aaa zz' ]
	grep -qx 'cost	0	-	-	-	4	2	2	3	2' m
	prof-merge c b | prof-merge - a | cmp m
	# What no part with the record has measured is absent, not 0.
	sed 's/\tf\t/\tg\t/' c >d
	prof-merge a d | has -x 'cost	0	-	-	-	2	2	-	2'
	prof-merge a d | has -x 'cost	1	-	-	-	-	-	3	-'
	# A derived event that is there twice is no other order.
	sed '/^event	2/i event	-	s	-	Ir	-' a | sed '/^event	1/i event	-	s	-	Ir	-' >e
	[ "$(prof-merge e e | events)" = 'zz s Dr Ir' ]
}

@test "the cost of calls is measured, absent or distributed, as all or any inputs have it" {
	event() { printf 'prof\t1\npart\t0\nevent\t0\tIr\t-\t-\t-%s\nend\n' "${2:+	$2}" >"$1"; }
	calls() { prof-merge "$@" | sed -n 's/^event.*calls=//p'; }
	event none
	event absent calls=absent
	event shared calls=propagated
	[ "$(calls absent absent)" = absent ]
	[ "$(calls absent none absent)" = '' ]
	[ "$(calls shared shared)" = propagated ]
	for f in 'shared none absent' 'none absent shared' 'absent shared'; do
		[ "$(calls $f)" = propagated ]
	done
}

@test "totals are summed, computed where there is none, and never absent" {
	stream a <<-'E'
	part  1
	event  0  Ir  -  -  -
	total  run  100
	total  sum  50
	func  0  f  -  -  -
	cost  0  -  -  -  10
	E
	stream b <<-'E'
	part  1
	event  0  Ir  -  -  -
	func  0  f  -  -  -
	cost  0  -  -  -  7
	E
	stream c <<-'E'
	part  1
	event  0  Bc  -  -  -
	event  1  aa  -  -  -
	E
	[ "$(prof-merge a b | grep '^total')" = "$(printf 'total\trun\t107')" ]
	prof-merge a c b >m
	[ "$(grep '^total' m)" = "$(printf 'total\trun\t107')" ]
	prof-merge m | cmp m
	# The sum where the run is zero.
	sed 's/\t100$/\t0/' a | prof-merge - b | has -x 'total	run	57'
	# One of zeros does not count, whatever they are the sum of.
	sed 's/\t7$/\t-7/' b | prof-merge - b >zero
	if grep '^total' zero; then return 1; fi
	prof-merge zero | cmp zero
}

@test "events in other units or scales are rejected, with both and the file" {
	for u in '-  -  -' 's  -  -  scale=1/100' 's  -  -  scale=1/1000' 'B  -  -'; do
		stream "$(wc -c <<<"$u")" <<<"part  1
event  0  time  $u"
	done
	exits_with 2 "22: event 'time' has a different unit than before: 1/1000 's', not 1/100 's'" \
		prof-merge 21 22
	exits_with 2 "8: event 'time' has a different unit than before: 1/1 'B', not 1/100 's'" prof-merge 21 8 21
	[ "$(tail -n 1 out)" != end ]
	# One that has no records, and is not the last file, is named itself.
	stream other <<<'part  1
event  0  other  -  -  -'
	exits_with 2 "22: event 'time'" prof-merge 21 22 other
	# In parts that do not meet they are well apart.
	prof-merge --by source 21 22 >m
	[ "$(grep -c '^event' m)" = 2 ]
}

@test "records that were declared are omitted with a note" {
	stream x <<-'E'
	part  1
	tag  heap  may  func:func:key  v:values:sum
	event  0  Ir  -  -  -
	func  0  f  -  -  -
	heap  0  5
	cost  0  -  -  -  1
	E
	prof-merge x >m 2>err
	grep -q 'unknown records are left out: heap' err
	lacks m heap
	silent prof-merge --quiet x | cmp m
}

# ---- options ----

@test "--where and --events select before it is summed" {
	stream x <<-'E'
	part  1
	meta  thread  1
	event  0  Ir  -  -  -
	event  1  Dr  -  -  -
	func  0  f  -  -  -
	cost  0  -  -  -  1  10
	part  1
	meta  thread  2
	event  0  Ir  -  -  -
	event  1  Dr  -  -  -
	cost  0  -  -  -  2  20
	E
	[ "$(prof-merge --where thread=2 x | grep '^cost' | cut -f 6-)" = '2	20' ]
	[ "$(prof-merge --events Dr x | grep '^cost' | cut -f 6-)" = 30 ]
	[ "$(prof-merge --events 'Ir + Dr' x | grep '^cost' | cut -f 6-)" = 33 ]
}

@test "a run without a sample that --where keeps is 0, one without such a part is none" {
	printf 'part  1\nevent  0  A  -  -  -\nfunc  0  a  -  -  -\nctx  0  -  0  -  -  -\n' >head
	{ cat head; printf 'sample  0  %s\n' '10  comm=w' '5  comm=v'; } | stream w1
	{ cat head; echo 'total  run  7'; echo 'sample  0  5  comm=v'; } | stream w2
	head -n 2 head | stream w0
	of() {
		prof-merge "$@" | prof-top | awk '$NF == "a" { print $1 }'
	}
	[ "$(of --op mean --where comm=w w1 w2 w2 w2)" = 2.50 ]
	[ "$(prof-merge --op mean w1 w2 w2 w2 | prof-top --where comm=w |
		awk '$NF == "a" { print $1 }')" = 2.50 ]
	[ "$(of --op mean --where comm=w w0 w1)" = 5.00 ]
	[ "$(of --op max --where comm=w w2 w1)" = 10 ]
	prof-merge --op min --where comm=w w1 w2 >m
	grep '^sample\|^total\|^meta' m | diff - <(printf '%b\n' 'meta\truns\t2' 'sample\t0\tcomm=w')
	# Nothing at all is none.
	exits_with 1 "comm can be 'w', 'v'" prof-merge --op mean --where comm=x w1 w2
	exits_with 1 "no part has metadata 'x'" prof-merge --op mean --where x=1 w1 w2
	# Growth is seen against runs that had none, as many as there were.
	run -1 prof-diff --fail-over 1% --where comm=w \
		w1 w1 w2 w2 w2 w2 w2 w2 -- w1 w1 w1 w1 w1 w1 w1 w1
	[ "${lines[0]}" = '+7.50 A between the means of 8 and 8 runs' ]
	exits_with 2 'the old profile has nothing to compare' prof-diff \
		--where comm=w w2 w2 -- w1 w1
	# Facts choose parts, and a cost has no labels.
	for t in 1 2; do
		{ sed "1a meta  thread  $t" head; echo "cost  0  -  -  -  $t"; } | stream t$t
	done
	{ cat head; echo 'cost  0  -  -  -  9'; } | stream t
	[ "$(of --op mean --where thread=2 t1 t2 t)" = 2 ]
	{ cat head; echo 'sample  0  9  thread=1'; } | stream s
	[ "$(of --op mean --where thread=2 t1 t2 s)" = 1.00 ]
}

@test "a sum of events is absent where all its terms are" {
	printf 'part  1\nevent  0  A  -  -  -\nevent  1  B  -  -  -\nfunc  0  a  -  -  -\n' >head
	for values in '-  -' '4  6' '4  -' '-' '0  -'; do
		{ cat head; echo "cost  0  -  -  -  $values"; } | stream "r $values"
	done
	sum() {
		silent prof-merge --events 'A + 2 B' "$1" | grep '^cost' | cut -f 6-
	}
	[ "$(sum 'r -  -')" = - ]
	[ "$(sum 'r 4  6')" = 16 ]
	[ "$(sum 'r 4  -')" = 4 ]
	# What is omitted is 0.
	[ "$(sum 'r -')" = '' ]
	[ "$(sum 'r 0  -')" = '' ]
	# So a run that has none does not count.
	[ "$(prof-merge --op mean --events A+B 'r -  -' 'r 4  6' |
		prof-top | awk '$NF == "a" { print $1 }')" = 10.00 ]
	[ "$(prof-merge --op min --events A+B 'r -  -' 'r 4  6' |
		grep '^cost' | cut -f 6-)" = 10 ]
}

@test "-o, --zstd and --gzip give the same" {
	local f
	f=$(real 1.cachegrind)
	prof-merge "$f" >m
	prof-merge -o x.zst "$f" && zstd -qdc x.zst | cmp m
	prof-merge -o x.gz "$f" && gzip -dc x.gz | cmp m
	prof-merge --zstd "$f" | zstd -qdc | cmp m
	prof-merge --gzip "$f" | gzip -dc | cmp m
}

# ---- what goes wrong ----

@test "a broken file is named, and nothing that looks whole is left" {
	prof-cat "$(real 1.cachegrind)" >whole
	head -n 300 whole >cut
	rm whole
	echo old >o
	exits_with 2 "cut:300: the stream is truncated" prof-merge -o o "$(real 2.cachegrind)" cut
	[ "$(cat o)" = old ]
	[ "$(ls)" = "$(printf 'cut\nerr\no\nout')" ]
	exits_with 2 "cut:300: the stream is truncated" prof-merge "$(real 2.cachegrind)" cut
	[ "$(cat out)" = 'prof	1' ]
	exits_with 2 "nosuch: No such file" prof-merge "$(real 2.cachegrind)" nosuch
	[ "$(cat out)" = 'prof	1' ]
}

@test "a worker that died is noticed by who merges what the workers wrote" {
	local z
	prof-cat "$(real 1.cachegrind)" >whole
	head -n 300 whole >cut
	rm whole
	prof-merge "$(real 2.cachegrind)" >good
	for z in --quiet --zstd --gzip; do
		prof-merge $z cut >died 2>err || true
		prof-merge $z good >lived
		cat died lived >both
		exits_with 2 "both" prof-merge both
		cat lived died >both
		exits_with 2 "both" prof-merge both
		# Killed while it reads.
		mkfifo pipe
		prof-merge $z pipe >died &
		exec 9>pipe
		head -n 300 good >&9
		for i in $(seq 100); do [ -s died ] && break; sleep 0.05; done
		kill -9 $!
		wait $! || true
		exec 9>&-
		rm pipe
		cat lived died >both
		exits_with 2 "both" prof-merge both
	done
}

@test "workers of xargs and GNU parallel give the bytes of one process" {
	local many=$BATS_FILE_TMPDIR/many
	prof-merge "$many"/* >all
	mkdir w
	printf '%s\0' "$many"/* | xargs -0 -n 150 -P 4 sh -c \
		'prof-merge -o "w/$$.prof" "$@"' sh
	[ "$(ls w | wc -l)" = 7 ]
	prof-merge w/* | cmp all
	# A tree of three levels.
	printf '%s\n' "$many"/* | parallel -n 50 -j 4 prof-merge | prof-merge | cmp all
	mkdir a b
	printf '%s\n' "$many"/* | parallel -n 100 -j 4 prof-merge -o a/{#} {}
	printf '%s\n' a/* | parallel -n 4 -j 4 prof-merge -o b/{#} {}
	[ "$(ls b | wc -l)" = 3 ]
	prof-merge b/* | cmp all
	# One that fails is noticed by both.
	head -n 9 all >"a/cut"
	exits_with 1 'the stream is truncated' parallel -n 4 -j 4 prof-merge -o b/{#} {} ::: a/*
	parallel -n 4 -j 4 prof-merge ::: a/* 2>err >streams || true
	exits_with 2 'the stream is truncated' prof-merge streams
}

@test "a sum is of what is known; points make a total" {
	printf '%s\n' 'v 1' 'm Ir' 'r "f" "p" 1' 'p 1 8 10 20 30 500 2' >v1
	printf '%s\n' 'v 4' 'm Ir' 'r "f" "p" 1' 'p 1 8 10 20 30 500 2 30 12 5 7 74' >v4
	prof-merge v1 v4 | grep '^point' >got
	printf 'point\t0\t-\t8\t4\t10\t20\t60\t1000\t30\t12\t5\t7\t74%s\n' \
		"$(printf '\t-%.0s' {1..7})" | diff - got
	prof-merge v4 v1 | grep '^point' | diff - got
	prof-merge v4 v4 | grep '^point' >got
	printf 'point\t0\t-\t8\t4\t10\t20\t60\t1000\t60\t24\t5\t7\t148%s\n' \
		"$(printf '\t-%.0s' {1..7})" | diff - got
	# The total of a report that does not tell it is the self cost of its points.
	[ "$(prof-merge v4 v4 | grep '^total')" = $'total\trun\t24' ]
	prof-merge v1 v1 >got
	lacks got '^total'
}

@test "how far reading has come is shown on a terminal after a second, and taken off" {
	seq -f 'main;f %g' 40 >x.folded
	echo '{ head -c 60 x.folded; sleep 1.2; tail -c +61 x.folded; } |
		prof-merge --from folded $1 >/dev/null' >cmd.sh
	show() { TERM=$1 script -qec "sh cmd.sh $2" /dev/null </dev/null; }
	show xterm | tr '\r' '\n' >shown
	grep '^prof-merge: 0 MB of standard input' shown
	[ "$(tail -n 1 shown)" = "$(printf '\033[K')" ]	# the line is gone
	[ -z "$(show xterm --quiet)" ]
	[ -z "$(show dumb)" ]
}

@test "of several processes the first shows how far reading has come" {
	seq -f 'main;f %g' 40 >x.folded
	mkfifo slow
	echo '{ head -c 60 x.folded; sleep 1.2; tail -c +61 x.folded; } >slow &
		prof-merge -j 2 --from folded "$@" >/dev/null; wait' >cmd.sh
	show() { TERM=xterm script -qec "sh cmd.sh $*" /dev/null </dev/null; }
	show slow x.folded | tr '\r' '\n' | has '^prof-merge: file [12] of 2, 0 MB of slow'
	[ -z "$(show x.folded slow)" ]
}

@test "--keep-going omits files that cannot be read, whole, and reports them by name" {
	local j
	prof-cat "$(real 1.cachegrind)" >whole
	head -n 300 whole >cut
	zstd -q "$(real 2.cachegrind)" -o packed
	head -c 2000 packed >packed.cut
	echo 'what is this?' >note
	: >empty
	prof-merge "$(real 1.cachegrind)" "$(real 2.cachegrind)" >want
	for j in 1 2 3 9; do
		run -1 --separate-stderr prof-merge -j $j --keep-going -o got empty cut \
			"$(real 1.cachegrind)" packed.cut nosuch note "$(real 2.cachegrind)"
		cmp got want
		diff <(sort <<<"$stderr" | sed 's/^prof-merge: warning: //; s/; .prof-cat.*//') - <<-'END'
			empty: empty, skipped
			left out: cut:300: the stream is truncated: no 'end'
			left out: nosuch: No such file or directory
			left out: note: unknown format
			left out: packed.cut: the zstd data is truncated: it ends inside a frame
		END
	done
	silent prof-merge -k "$(real 1.cachegrind)" "$(real 2.cachegrind)" | cmp - want
}

@test "--keep-going sums nothing where nothing is left, and fails if no file is to blame" {
	local j two=(a.prof b.prof)
	echo x >x
	for j in 1 2; do
		exits_with 1 'left out: x: unknown format' prof-merge -k -j $j x x
		[ "$(cat out)" = 'prof	1
end' ]
	done
	printf 'prof\t1\npart\t1\nevent\t0\tt\ts\t-\t-\nend\n' >a.prof
	sed 's/\ts\t/\tB\t/' a.prof >b.prof
	exits_with 2 "b.prof: event 't' has a different unit" prof-merge -k "${two[@]}"
	# A pipe cannot be read again.
	exits_with 2 "'-' is not a regular file, and cannot be read again" prof-merge -k x - <a.prof
	exits_with 2 "x: unknown format" prof-merge -k x - <a.prof
	prof-merge -k a.prof - <a.prof | cmp - <(prof-merge a.prof a.prof)
}

@test "a worker all of whose files are empty has nothing to add" {
	: >empty
	exits_with 0 'empty: empty, skipped' prof-merge -j 2 empty empty "$(real 1.cachegrind)" "$(real 2.cachegrind)"
	prof-merge "$(real 1.cachegrind)" "$(real 2.cachegrind)" | cmp - out
	exits_with 2 'all files are empty' prof-merge -j 2 empty empty
}

@test "several processes give the bytes of one, and are missed where they fail" {
	local j many=$BATS_FILE_TMPDIR/many

	prof-merge -j 1 "$many"/* >all
	for j in 2 3 7; do
		prof-merge -j $j "$many"/* | cmp all
	done
	prof-merge "$many"/* | cmp all	# as many as there are processors
	for b in source function,source; do
		prof-merge -j 1 -b $b "$BATS_FILE_TMPDIR"/[123].callgrind >one
		prof-merge -j 3 -b $b "$BATS_FILE_TMPDIR"/[123].callgrind | cmp one
	done
	cd "$BATS_FILE_TMPDIR"
	prof-merge -j 1 --op max [123].callgrind >"$BATS_TEST_TMPDIR"/one
	prof-merge -j 3 --op max [123].callgrind |
		cmp "$BATS_TEST_TMPDIR"/one
	cd "$BATS_TEST_TMPDIR"
	# Of runs, also where the least total is 0.
	printf 'part  1\nevent  0  A  -  -  -\n' | stream e0
	printf 'part  1\nevent  0  A  -  -  -\nfunc  %s  -  -  -\nfunc  %s  -  -  -\n' \
		'0  a' '1  b' >head
	{ cat head; printf 'cost  %s\n' '0  -  -  -  -1' '1  -  -  -  5'; } | stream e1
	{ cat head; echo 'cost  0  -  -  -  1'; } | stream e2
	for op in min max; do
		for b in 'e0 e1 e1 e1' 'e0 e2 e0 e2' 'e2 e0 e0 e1'; do
			prof-merge -j 1 --op $op $b >one
			prof-merge -j 2 --op $op $b | cmp one
		done
	done
	prof-merge -j 2 --op min e0 e1 e1 e1 >zero
	if grep '^total' zero; then return 1; fi
	sed '$d' "$BATS_FILE_TMPDIR"/2.callgrind >cut
	echo old >sum
	run -2 --separate-stderr prof-merge --quiet -j 3 -o sum "$BATS_FILE_TMPDIR"/1.callgrind cut \
		"$BATS_FILE_TMPDIR"/3.callgrind
	[[ $stderr == 'prof-merge: cut:'*'is truncated'* ]]
	[ "$(wc -l <<<"$stderr")" = 1 ]
	[ "$(cat sum)" = old ]
	# A note that options of input are for the files, not for the streams between.
	prof-merge -j 2 --lenient --from callgrind cut "$BATS_FILE_TMPDIR"/1.callgrind >b 2>err
	grep -q skipped err
	prof-merge -j 1 --lenient --from callgrind cut "$BATS_FILE_TMPDIR"/1.callgrind 2>err | cmp b
}

@test "an attribute's key that contains a NUL is the same after a merge" {
	printf 'prof\t1\npart\t1\tpositions\0x=line\tpositions=addr\nend\n' >x.prof
	[ "$(prof-merge x.prof | grep '^part')" = 'part	1	positions\x00x=line	positions=addr' ]
}

# ---- much of one thing ----

@test "events, metadata, parts and runs are found at once, whatever their number" {
	shape prof:events-cost 20000 >x
	brief 6 prof-merge x | grep -c '^event' >got
	shape prof:facts 70000 >x
	brief 4 prof-merge x | grep -c '^meta' >>got
	shape prof:facts-filter 70000 >x
	brief 4 prof-merge x x | grep -c '^meta	filter' >>got
	shape prof:part-events 25000 >x
	brief 4 prof-merge x | grep -c '^event' >>got
	printf '%s\n' 20000 70000 70000 25000 | diff - got
	# An event that has other attributes each time would be as long as all of them.
	{ printf 'prof\t1\npart\t0\n'; seq 0 19999 | sed $'s/.*/event\t&\tIr\t-\t-\t-\ta&=1/'; echo end; } >x
	exits_with 2 "the attributes of event 'Ir' come to more than 16 KiB" brief 5 prof-merge x
	{ printf 'prof\t1\n'; seq 0 19999 | sed $'s/.*/part\t&\ta&=1/'; echo end; } >x
	exits_with 2 'the attributes of parts come to more than 16 KiB' brief 5 prof-merge x
	# A run a record: the others have 0 there.
	shape prof:runs-costs 15000 >x
	for op in min median max; do
		brief 5 prof-merge --op $op x >m
		grep '^cost' m | cut -f 6 | sort | uniq -c | tr -s ' '
	done >got
	printf '%s\n' ' 15000 ' ' 15000 ' ' 15000 1' | diff - got
}

@test "a total that lacks a value has that of the next: the sum, or self cost" {
	# total RECORD... < VALUES OF g: two functions, of which f has 10 and 20.
	total() {
		printf '%b\n' 'prof\t1' 'part\t1' 'event\t0\ta\t-\t-\t-' 'event\t1\tb\t-\t-\t-' "$@" \
			'func\t0\tf\t-\t-\t-' 'func\t1\tg\t-\t-\t-' 'cost\t0\t-\t1\t-\t10\t20'
		printf 'cost\t1\t-\t1\t-\t%s\nend\n' "$(cat)"
	}
	total 'total\trun\t100\t-' <<<$'70\t60' >self
	total 'total\trun\t-\t400' 'total\tsum\t90\t50' <<<$'80\t30' >sum
	total 'total\trun\t100\t200' <<<$'70\t60' >known
	totals() { sed -n 's/^total\trun\t//p' | diff - <(printf '%b\n' "$1"); }
	for tool in prof-merge 'prof-grep f' 'prof-grep -v f' 'prof-cat --quiet --rules no-runtime'; do
		$tool self | totals '100\t80'
		$tool sum | totals '90\t400'
		$tool known | totals '100\t200'
	done
	prof-merge self sum known | totals '290\t680'
	prof-merge --op mean self known | totals '200\t280'
	prof-top --tsv --events b self | awk -F '\t' '{ print $1, $5 }' | diff - <(printf '%s\n' 'function b' 'g 60' 'f 20')
	[ "$(prof-top --events a,b self | head -n 1)" = '100 a, 80 b in 1 profile, 1 part' ]
	prof-cat --info self | has -x 'event: b, 80'
	# Where no value is known, the total is not.
	total 'total\trun\t100\t-' <<<$'70\t-' | sed 's/\t20$/\t-/' >none
	prof-grep g none | totals '100\t-'
	prof-cat --events b none | lacks - '^total.*[0-9]'
	prof-merge none known | totals '200\t200'
}

# Runs of one or two parts, in which functions have two lines.  The total of B is stated, `-` or
# left out; a cost of B may be `-`, also beside a known one of the same function.  A run knows
# its total if each part states it, or the run knows each function.
@test "totals over runs are those of the runs that know them" {
	perl -e 'srand 5; use List::Util qw(sum min max); for my $t (1 .. 40) {
		my (@known, $stated, @of, $lacks);
		for my $r (1 .. 3) {
			my ($total, $unstated, @f) = (0, 0);
			open my $o, ">", "t$t.$r";
			print $o "prof\t1\n";
			for my $part (1 .. 1 + rand 2) {
				my @c = map { rand() < 0.5 ? "-" : 1 + int rand 50 } 0 .. 3;
				my $all = rand() < 0.25 ? 100 + int rand 100 : rand() < 0.5 ? "-" : "";
				print $o map("$_\n", "part\t$r", map({ "event\t$_\t" . qw(A B)[$_] . "\t-\t-\t-" } 0, 1),
				    ($all eq "" ? () : "total\trun\t9\t$all"),
				    $part > 1 ? () : map({ "func\t$_\tf$_\t-\t-\t-" } 0, 1),
				    map({ "cost\t" . ($_ >> 1) . "\t-\t$_\t-\t4\t$c[$_]" } 0 .. 3));
				$c[$_] eq "-" or push @{$f[$_ >> 1]}, $c[$_] for 0 .. 3;
				$stated ||= $all =~ /\d/;
				$unstated ||= $all !~ /\d/;
				$total += $all =~ /\d/ ? $all : sum(0, grep { $_ ne "-" } @c);
			}
			print $o "end\n";
			my $absent = grep { !$f[$_] } 0, 1;
			$lacks ||= $absent;
			$f[$_] and push @{$of[$_]}, sum(@{$f[$_]}) for 0, 1;
			push @known, $total unless $unstated && $absent;
		}
		@known = sort { $a <=> $b } @known;
		my $mean = sub { @_ ? sum(@_) / @_ : 0 };
		my @result = ($mean->($stated || !$lacks ? @known : sum(0, map { $mean->(@{$of[$_] // []}) } 0, 1)),
		    @known ? (min(@known), max(@known), $known[$#known / 2]) : (0, 0, 0));
		printf "%.6f\n", $_ for @result;
	}' >want
	[ "$(sort -u want | wc -l)" -gt 100 ]
	for ((t = 1; t <= 40; t++)); do
		for op in mean min max median; do
			prof-merge --by function --op $op t$t.1 t$t.2 t$t.3 | awk -F '\t' '
				$1 == "event" && $3 == "B" { n = $0; n = n ~ /scale=1\// ? n : n "\tscale=1/1"; sub(/.*scale=1\//, "", n); sub(/\t.*/, "", n) }
				$1 == "total" { v = $4 }
				END { printf "%.6f\n", v / n }'
		done
	done | diff want -
	# What no run knows has no total.
	sed 's/\(cost.*\t\).*/\1-/; /^total/d' t1.1 >none
	for op in mean min max median; do
		prof-merge --by function --op $op none none | grep -cP '^total\trun\t[0-9]+\t-$'
	done | same - <(printf '%s\n' 1 1 1 1)
	# What it knows to be nothing counts as 0, also where nothing else has a total.
	of() {
		bars <<-E
		prof|1
		part|1
		event|0|A|-|-|-
		event|1|B|-|-|-
		func|0|f|-|-|-
		cost|0|-|-|-|$1
		end
		E
	}
	of '0|-' >nothing
	of '10|5' >some
	prof-merge --op mean nothing some | grep '^total' | same - <(printf 'total\trun\t10\t10\n')
	prof-merge --op min nothing some | grep '^total' | same - <(printf 'total\trun\t0\t5\n')
}

@test "many events of which records have few take the room of what they have" {
	shape prof:wide-costs 15000 >x
	limited 400000 prof-merge x >m
	[ "$(grep -c '^event' m)" = 15000 ]
	[ "$(grep '^cost' m | cut -f 6- | sort | uniq -c | tr -s ' ')" = ' 15000 1' ]
	limited 400000 prof-merge m | cmp m
	limited 400000 prof-merge --by function x x | tabs | has -xP 'cost\t0\t-\t-\t-\t30000'
	limited 400000 prof-diff x m | grep '^cost' >got
	printf 'cost\t0\t-\t-\t-\t0\t15000\t15000\n' | diff - got
	local few='15000 events with few values: their sums need too much memory: choose events with --events'
	exits_with 2 "$few" limited 600000 prof-merge --op median x x
	exits_with 2 "$few" limited 600000 prof-merge --op min x x
	exits_with 2 "$few" limited 600000 prof-diff -b line x x
	[ "$(prof-merge --op median --events e0,e7 x | grep -c '^cost.*1$')" = 15000 ]
	# Rows have the events of both sides, also where one side has few.
	shape callgrind:events 20000 >many
	shape callgrind:calls 100 >one
	exits_with 2 '20001 events with few values: ' limited 400000 prof-diff many one
	exits_with 2 '20001 events with few values: ' limited 400000 prof-diff one many
	local shape
	for shape in costs-attrs calls functions samples order; do
		shape prof:wide-$shape 15000 >x
		exits_with 2 'events with few values: ' limited 600000 prof-merge x
	done
	# All may have 3,145,728 sums, of which each event takes 64, and 64 for each value before that
	# is not 0; calls have a count, too.
	wide() {
		awk -v n="$1" -v v="$2" 'BEGIN { OFS = "\t"; print "prof", 1; print "part", 1
			for (i = 0; i < 130; i++) print "event", i, "e" i, "-", "-", "-"
			print "func", 0, "f", "-", "-", "-"
			for (i = 0; i < n; i++) print "call", 0, "-", i, "-", 0, "-", "-", 1, v
			print "end" }' >x
	}
	for v in 0 1; do
		n=$(((3145728 - 64 * 130 - 64 * v) / (131 - 64 * v)))
		wide $n $v
		[ "$(prof-merge x | grep -c '^call')" = $n ]
		wide $((n + 1)) $v
		exits_with 2 '130 events with few values: ' prof-merge x
	done
	# The rows of runs are counted once.
	wide 20000 1
	[ "$(prof-merge --op max x x x | grep -c '^call')" = 20000 ]
	shape stacks:maps 10000 | prof-cat --quiet >x
	exits_with 2 'events with few values: ' limited 400000 prof-report x -- many
	exits_with 2 'events with few values: ' limited 400000 prof-diff x x x -- many x
	# What has its values is not refused.
	awk 'BEGIN { OFS = "\t"; print "prof", 1; print "part", 1
		for (i = 0; i < 400; i++) print "event", i, "e" i, "-", "-", "-"
		print "func", 0, "f", "-", "-", "-"; for (i = 0; i < 400; i++) v = v OFS i % 10
		for (i = 0; i < 11000; i++) print "cost", 0, "-", i, "-" v
		print "end" }' >x
	prof-merge --op max x x | grep '^cost' >got
	grep '^cost' x | sed 's/\t0*$//' | sort | cmp - <(sort got)
}

@test "many events are summed as few are, whatever is known of them" {
	# Two files of 70 events, and one of the first 60: what is left out is 0, `-` is
	# not known, what nobody has is absent.
	perl -e 'srand(11); for my $f (1 .. 3) { open my $o, ">", $f;
		my $n = $f == 3 ? 60 : 70;
		print $o "prof\t1\nfunc\t0\tf\t-\t-\t-\nfunc\t1\tg\t-\t-\t-\npart\t1\n";
		printf $o "event\t$_\te%02d\t-\t-\t-\n", $_ for 0 .. $n - 1;
		for (1 .. 60) { my $k = int rand $n + 1;
			print $o join("\t", "cost", int rand 2, "-", 1 + int rand 20, "-",
			    map { int rand 300 } 1 .. $k), "\n" }
		print $o "end\n" }'
	oracle() {
		perl -F'\t' -lane 'if ($F[0] eq "part") { $n = 0 } elsif ($F[0] eq "event") { $n++ }
			elsif ($F[0] eq "cost") { my $key = join "\t", @F[0 .. 4]; splice @F, 0, 5;
				for (0 .. $n - 1) { my $v = $F[$_] // 0;
					$s{$key}[$_] = ($s{$key}[$_] // 0) + $v if $v ne "-" } }
			END { for my $key (keys %s) { my @all = map { $s{$key}[$_] // "-" } 0 .. 69;
				pop @all while @all && $all[-1] eq "0";
				print join "\t", $key, @all } }' "$@" | sort
	}
	prof-merge 1 2 3 | grep '^cost' | sort >got
	oracle 1 2 3 | cmp - got
	prof-merge 3 1 2 | grep '^cost' | sort | cmp - got
	# With an attribute, costs are kept otherwise, and the rest is the same.
	printf '%b\n' 'prof\t1' 'part\t1' 'event\t0\te00\t-\t-\t-' 'func\t0\th\t-\t-\t-' \
		'cost\t0\t-\t1\t-\t1\ta=1' end >4
	prof-merge 1 2 3 4 | grep '^cost.[01]' | sort | cmp - got
	prof-merge 4 3 1 2 | grep '^cost.[01]' | sort | cmp - got
	# Some are not known.
	perl -pi -e 's/\t[37](?=\t|$)/\t-/g if /^cost/' 1 2 3
	prof-merge 1 2 3 | grep '^cost' | sort >got
	oracle 1 2 3 | cmp - got
	grep -q '	-	' got
}

@test "costs at addresses are summed whatever their size, their events and their places" {
	cd "$BATS_TEST_TMPDIR"
	# large FILE EVENTS LINE...
	large() {
		local file=$1 events=$2

		shift 2
		printf '%s\n' 'version: 1' 'positions: instr line' "events: $events" '' \
			fl=f.c fn=g "$@" >"$file"
	}
	large 1 'Ir Dr' '0x10 5 900000000000000000 2' '0x12 5 3' '0x10 6 1'
	large 2 'Dr Ir Bc' '0x10 5 9 2' '0xffffffffffffffff 7 1' '0x12 5 3 4 5'
	large 3 'Ir Dr' '0x12 5 99999999999999999999 1'
	printf '%s\n' 'version: 1' 'events: Ir' fl=f.c fn=g '5 9' >4
	# What 63 bits cannot hold.
	run -0 --separate-stderr prof-merge 1 1 1 1 1 1 1 1 1 1 1
	grep '^cost' <<<"$output" >got
	printf '%b\n' 'cost\t0\t0\t5\t0x10\t9900000000000000000\t22' \
		'cost\t0\t0\t5\t0x12\t33' 'cost\t0\t0\t6\t0x10\t11' | cmp - got
	# Bc is not known of what 1 alone has.
	prof-merge 1 2 | grep '^cost' | cut -f 4- >got
	printf '%b\n' '5\t0x10\t900000000000000002\t11' '5\t0x12\t7\t3\t5' '6\t0x10\t1\t0\t-' \
		'7\t0xffffffffffffffff\t0\t1' | cmp - got
	prof-merge 2 1 | grep '^cost' | cut -f 4- | cmp - got
	# One that is too large, and a file without addresses.
	prof-merge 1 3 4 | grep '^cost' | cut -f 4- >got
	printf '%b\n' '5\t-\t9\t-' '5\t0x10\t900000000000000000\t2' \
		'5\t0x12\t100000000000000000002\t1' '6\t0x10\t1' | cmp - got
	prof-merge 4 3 1 | grep '^cost' | cut -f 4- | cmp - got
}

@test "many definitions of a function have the attributes of all" {
	shape prof:function-attrs 20000 >x
	brief 5 limited 100000 prof-merge x x >got
	grep '^func' got | tr '\t' '\n' | sed 1,6d | cmp - <(seq 0 19999 | LC_ALL=C sort | sed 's/.*/a&=1/')
	has '^cost	0	-	1	-	40000$' got
	# Of two values the smaller one, in any order.
	bars >x <<-'E'
	prof|1
	part|1
	event|0|A|-|-|-
	func|0|f|-|-|-|b=2|c=1
	func|1|f|-|-|-|a=1|b=1
	func|2|f|-|-|-|b=3
	func|3|f|-|-|-
	cost|0|-|1|-|1
	cost|1|-|1|-|1
	cost|2|-|1|-|1
	cost|3|-|1|-|1
	end
	E
	prof-merge x | grep -A 1 '^func' | diff - <(bars <<-'E'
	func|0|f|-|-|-|a=1|b=1|c=1
	cost|0|-|1|-|4
	E
	)
}

@test "many groups take little memory each" {
	awk 'BEGIN { OFS = "\t"; print "prof", 1
		for (i = 0; i < 40000; i++) {
			print "part", 1; print "meta", "thread", i; print "event", 0, "n", "-", "-", "-"
			if (!i) print "func", 0, "f", "-", "-", "-"
			print "cost", 0, "-", "-", "-", 5
		}
		print "end" }' >p
	limited 320000 prof-merge -j 1 --by thread p | awk -F '\t' '
		$1 == "part" { n++ } $1 == "cost" { s += $6 } END { print n, s }' | diff - <(echo 40000 200000)
}

@test "where descriptors are few, fewer processes read" {
	local i
	for i in $(seq 20); do
		printf 'prof\t1\npart\t1\nevent\t0\tn\t-\t-\t-\nfunc\t0\tf\t-\t-\t-\ncost\t0\t-\t-\t-\t%s\nend\n' "$i" >f$i
	done
	prof-merge -j 1 f* >want
	for i in 10 24 64; do
		(ulimit -n $i; prof-merge -j 20 f*) | diff want -
	done
}

@test "names are sorted by all of their bytes, however many they share" {
	awk 'BEGIN { OFS = "\t"; srand(3); print "prof", 1; print "part", 1; print "event", 0, "n", "-", "-", "-"
		while (length(same) < 700) same = same "std::vector<"
		for (i = 0; i < 900; i++) {
			name = substr(same, 1, int(rand() * 90) * (i % 7 ? 1 : 8)) sprintf("%c", 33 + int(rand() * 90)) i
			if (i % 9 == 0) name = substr(same, 1, int(i / 9))
			if (name == "") name = "z"
			gsub(/\\/, "/", name)
			print "func", i, name, "-", "-", "-"
			print "cost", i, "-", "-", "-", 1
		}
		print "end" }' >p
	prof-merge p | awk -F '\t' '$1 == "func" { print $3 }' >got
	[ "$(wc -l <got)" -eq 900 ]
	cut -f 3 <(grep ^func p) | LC_ALL=C sort | same - got
}

@test "lines of parts that are sorted, or not, or many, are one sum" {
	awk 'BEGIN { OFS = "\t"; srand(5); print "prof", 1
		for (p = 0; p < 12; p++) {
			print "part", 1
			for (e = 0; e < 3; e++)
				print "event", e, substr("ABCABD", p % 4 + e + 1, 1), "-", "-", "-"
			if (!p) { print "file", 0, "f.c"; print "func", 0, "f", 0, "-", "-" }
			for (i = 0; i < 9; i++)
				print "cost", 0, 0, p % 3 ? i * (1 + p % 2) + 1 : 1 + int(rand() * 2000000000), "-", i, 0, p
		}
		print "end" }' >p
	for n in 2 12; do
		awk -v n=$n '/^part/ && n-- == 0 { print "end"; exit } { print }' p >x
		prof-merge x | grep '^cost' >got
		# Each event by line, without the merge.
		awk -F '\t' -v OFS='\t' '/^part/ { delete name } /^event/ { name[$2] = $3 }
			/^cost/ { for (e = 0; e < 3; e++) sum[$4, name[e]] += $(6 + e)
				for (e = 0; e < 3; e++) known[$4, name[e]] = 1; line[$4] = 1 }
			END { for (l in line) { out = ""
				for (e = 1; e <= (n > 3 ? 4 : 3); e++) { k = l SUBSEP substr("ABCD", e, 1)
					out = out OFS (k in known ? sprintf("%.0f", sum[k]) : "-") }
				sub(/(\t0)+$/, "", out)
				print "cost", 0, 0, l, "-" out } }' n=$n x | sort -t "$(printf '\t')" -k 4,4n | same - got
	done
}

@test "values that are absent stay so in sums of very many lines" {
	local e
	for e in A:1 B:2; do	# B is of the odd lines alone
		printf 'prof\t1\npart\t0\tpositions=line\nevent\t0\t%s\t-\t-\t-\n' "${e%:*}"
		printf 'file\t0\tx.c\nfunc\t0\tf\t0\t-\t-\n'
		seq -f $'cost\t0\t0\t%.0f\t-\t1' 1 "${e#*:}" 200000
		echo end
	done >both
	split -l 200006 both x.
	prof-merge x.ab x.aa x.aa x.aa x.aa x.aa x.aa x.aa | grep '^cost' | cut -f 4,6- >got
	seq 200000 | awk '{ print $1 "\t7\t" ($1 % 2 ? 1 : "-") }' | cmp - got
}

@test "lines that were skipped, and what a profiler lost, stay known" {
	callgrind() { printf 'events: Ir\nfn=f\n1 %s\n%snonsense\nfn=g\n2 1\n' "$1" "${2-}"; }
	callgrind 10 >old
	callgrind 20 $'rubbish\n' >new
	prof-cat --quiet --lenient old >old.prof
	prof-cat --quiet --lenient new >new.prof
	for how in 'old.prof new.prof' '--lenient --quiet old new' '--lenient --quiet -j 2 old new' \
	    '--op max old.prof new.prof'; do
		# shellcheck disable=SC2086
		prof-merge $how | has -x 'meta	skipped	3'
	done
	prof-merge old.prof new.prof new.prof | prof-merge - old.prof | has -x 'meta	skipped	6'
	prof-diff old.prof new.prof >stream
	has -x 'meta	skipped	3' <stream
	prof-merge old.prof new.prof | prof-top | has '3 malformed or truncated lines'
	for n in 1 2; do
		printf 'prof\t1\npart\t0\nmeta\tlost\t%s events\nevent\t0\tIr\t-\t-\t-\nend\n' $n >lost.$n
	done
	prof-merge lost.1 lost.2 lost.1 | grep '^meta	lost' | same - <(printf 'meta\tlost\t%s events\n' 1 2)
}

@test "a later run may have more events at an address" {
	printf 'positions: instr line\nevents: A\nfn=f\n0x10 1 5\n0x20 1 7\n' >one
	printf 'positions: instr line\nevents: A B\nfn=f\n0x10 1 5 3\n0x20 1 7 4\n' >two
	for runs in 'one two' 'two one' 'one two one two' 'two two one one'; do
		# shellcheck disable=SC2086
		set -- $runs
		prof-merge "$@" | awk -F '\t' '$1 == "cost" { print $5, $6, $7 }' |
			same - <(echo "0x10 $((5 * $#)) $((3 * $# / 2))"; echo "0x20 $((7 * $#)) $((4 * $# / 2))")
	done
}

@test "each group has the filters of its own parts" {
	part() {
		printf 'part\t%s\nmeta\tthread\t%s\n' "$1" "$1"
		printf 'meta\tfilter\t%s\n' "${@:2}"
		printf 'event\t0\tIr\t-\t-\t-\ncost\t-\t-\t-\t-\t%s\n' "$1"
	}
	{ printf 'prof\t1\n'; part 1 x y; part 2 x; part 3 y; part 2 z; echo end; } >x
	prof-merge -b thread,function x | grep -P '^meta\t(thread|filter)' | cut -f 2- | tr '\t\n' '= ' |
		same - <(printf '%s ' filter={x,y} thread=1 filter={x,z} thread=2 filter=y thread=3)
}
