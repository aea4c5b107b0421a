#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: prof-annotate sum symbol view
# prof-annotate: against what other programs say of the lines of real programs, and
# prof-top; sources that are not where they were, or not as they were.

load tools.bash

# Real programs, with and without inlining, and what Valgrind says of them.
setup_file() {
	# Programs that a profile names are for all users to read.
	chmod o+x "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR/file" "$BATS_FILE_TMPDIR"
	cd "$BATS_FILE_TMPDIR" || return 1
	cp "$BATS_TEST_DIRNAME"/../share/examples/{wordcount,calc}.c .
	cp "$BATS_TEST_DIRNAME"/programs/{library.cc,work.c,inline.h} .
	"${CC:-cc}" -g -O1 -fno-inline -o wordcount wordcount.c
	"${CC:-cc}" -g -O1 -fno-inline -o calc calc.c
	"${CXX:-g++}" -g -O2 -o library library.cc
	for i in 1 2 3 4 5 6 7 8 9; do
		echo "v$i = ($i + 2) * 3"
	done >input.calc
	cat ./*.c >input.wordcount
	: >input.library
	local p
	for p in wordcount calc library; do
		valgrind_to $p.cg callgrind --separate-recs=1 ./$p <input.$p
		valgrind_to $p.ca cachegrind ./$p <input.$p
	done
	for p in wordcount library; do
		valgrind_to $p.instr callgrind --dump-instr=yes ./$p <input.$p
	done
	# The same program on less.
	sed -i '6,$d' input.calc
	valgrind_to calc2.cg callgrind --separate-recs=1 ./calc <input.calc
	bars >made.prof <<-'END'
	prof|1
	part|1
	event|0|Ir|-|-|-
	file|0|/old/src/a.c
	file|1|b.c
	func|0|main|0|-|-
	func|1|work|0|-|-
	cost|0|0|2|-|100
	cost|0|0|12|-|50
	call|0|0|3|-|1|5|-|7|800
	cost|1|0|5|-|700
	cost|1|1|9|-|100
	cost|1|0|-|-|30
	cost|1|-|-|-|20
	total|run|1000
	end
	END
	mkdir there
	printf 'line %s\n' 1 2 3 4 5 6 7 8 9 10 11 12 13 >there/a.c
	touch -d '2020-01-01' there/a.c
}

# quoted TEXT: as messages quote it, which is not all of a long one.
quoted() {
	local end=
	[ ${#1} -le 60 ] || end=...
	echo "'${1:0:60}$end'"
}

# theirs: what callgrind_annotate or cg_annotate print, as
#	FILE LINE COST			of lines with cost
#	FILE LINE => FUNCTION COUNT COST
theirs() {
	perl -ne '
	if (/^-- Auto-annotated source: (.*)/) { ($file, $line, $rule) = ($1, 0, 0); next }
	next unless defined $file;
	if (/^-{80}$/) { undef $file if ++$rule > 1; next }
	next unless my ($cost, $text) = /^ *([\d,]+|\.) {1,2}(?: )?(.*)$/;
	$cost =~ tr/,//d;
	if ($text =~ /^=> [^:]*:(.*) \(([\d,]+)x\)$/) {
		(my $count = $2) =~ tr/,//d;
		print "$file $line => $1 $count $cost\n";
		next;
	}
	$line++;
	print "$file $line $cost\n" if $cost ne "." && $cost' | sort
}

# ours FILE: the same, of the lines whose source there is.
ours() {
	prof-annotate --tsv --all --context 0 --events Ir "$@" | perl -F'\t' -lane '
	print "$F[1] $F[2] $F[5]" if $F[0] eq "line" && $F[7] ne "-" && $F[5];
	$there = $F[7] ne "-" if $F[0] eq "line";
	print "$F[1] $F[2] => @F[3, 4, 6]" if $F[0] eq "call" && $there' | sort
}

@test "lines and calls are those of callgrind_annotate" {
	local p
	for p in wordcount calc library; do
		echo $p
		callgrind_annotate --auto=yes --threshold=100 --context=1000000 \
			--show-percs=no --show=Ir "$BATS_FILE_TMPDIR/$p.cg" | theirs >want
		ours "$BATS_FILE_TMPDIR/$p.cg" >got
		# Of calls from a line that several functions have, as one that was inlined,
		# they show the last.
		if [ $p = library ]; then
			sed -i '/ => /d' want got
		else
			[ "$(grep -c ' => ' want)" -ge 5 ]
		fi
		[ "$(grep -vc ' => ' want)" -ge 30 ]
		diff -u want got
	done
	grep -q '/library.cc ' want
	grep -q '^/usr/include/c++/' want	# inlined lines are in their own file
}

@test "calls are those of the profile, levels of recursion and inlined lines being one" {
	local f
	for f in "$(cg library.cg)" "$repo/share/examples/wordcount.callgrind.zst"; do
		prof-cat --events Ir "$f" | awk -F '\t' '
			$1 == "file" { file[$2] = $3 }
			$1 == "func" { sub(/\047[0-9]+$/, "", $3); name[$2] = $3; object[$2] = $4 FS $5 }
			$1 == "call" && $3 != "-" && $4 > 0 {
				k = file[$3] FS $4 FS name[$6] FS object[$6]
				n[k] += $9; cost[k] += $10 }
			END { for (k in n) { split(k, p, FS)
				print p[1], p[2], p[3], n[k], cost[k] } }' | sort >want
		[ "$(wc -l <want)" -ge 30 ]
		prof-annotate --tsv --all --context 0 --events Ir "$f" |
			awk -F '\t' '$1 == "call" { print $2, $3, $4, $5, $7 }' | sort |
			diff -u want -
	done
}

@test "lines are those of cg_annotate" {
	local p
	for p in wordcount calc library; do
		echo $p
		cg_annotate --auto=yes --threshold=0 --context=1000000 --show-percs=no \
			--show=Ir "$BATS_FILE_TMPDIR/$p.ca" | theirs >want
		[ "$(wc -l <want)" -ge 30 ]
		ours --any-source "$BATS_FILE_TMPDIR/$p.ca" | diff -u want -
	done
}

@test "lines are those of prof-top, whatever the format" {
	local f e=$repo/share/examples
	for f in "$(cg wordcount.cg)" "$(cg library.cg)" "$(cg library.ca)" \
	    "$e/tasks.pprof.gz" "$e/wordcount.callgrind.zst"; do
		prof-top --tsv -b file,line "$f" | awk -F '\t' -v OFS='\t' 'NR > 1 && $1 != "-" &&
			$2 != "-" && $2 { $3 = ""; print }' | sort >want
		[ "$(wc -l <want)" -ge 20 ]
		prof-annotate --tsv --all --context 0 "$f" | awk -F '\t' -v OFS='\t' '
			$1 == "line" { NF -= 2; $4 = $5 = ""; print }' |
			cut -f 2,3,5- | sort | diff -u want -
	done
}

@test "the sums add up to the total, whatever is omitted" {
	local f o
	f=$(cg library.cg)
	for o in '' '--all' '--min 5%' '-n 2' '--file library' '--function main' '--whole' \
	    '-n 1 --context 0 --min 1 --function main'; do
		prof-annotate --tsv $o "$f" | awk -F '\t' '
			$1 == "line" { lines += $6 }
			$1 == "annotated" || $1 == "missing" { shown += $6 }
			NR > 1 && $1 !~ /^(line|call|total)$/ { sum += $6 }
			$1 == "total" { total = $6 }
			END { print (total > 0 && sum == total && shown == lines) }' >got
		[ "$(cat got)" = 1 ] || { echo "$o"; return 1; }
	done
	# As text, of another profile: each kind.
	cp -a "$BATS_FILE_TMPDIR/there" .
	prof-annotate --map /old/src=there --file a.c --context 0 --min 6% "$(cg made.prof)" |
		sed -n '/where$/,$p' | sed 's/^ *//' >got
	diff -u - got <<-'END'
	Ir       %  where
	800   80.00  annotated
	50    5.00  below the threshold
	30    3.00  line unknown
	120   12.00  in other files or functions
	1,000  100.00  total
	END
	prof-annotate --context 0 "$(cg made.prof)" | has ' 950   95.00  source missing$'
}

@test "by default, ten files, and lines of 1 % with three around each; --all has the rest" {
	mkdir -p src
	for i in {1..12}; do
		seq 20 | sed "s/^/file $i line /" >src/f$i.c
	done
	# f1.c has 12 of 100,104 on line 20, f2.c 1,100 on line 10, others more.
	{
		echo 'events: Ir'
		for i in {1..12}; do
			printf 'fl=src/f%d.c\nfn=f%d\n10 %d\n20 12\n' $i $i $((i == 1 ? 0 : i == 2 ? 1100 : 9886))
		done
	} >many.callgrind
	prof-annotate many.callgrind >got
	grep -c '^src/' got | diff - <(echo 10)
	lacks got 'src/f1\.c|src/f2\.c'
	[ "$(grep -c ' line ' got)" = 70 ]
	prof-annotate --tsv many.callgrind | awk -F '\t' '$1 == "annotated" || $1 == "below" || $1 == "other" || $1 == "total" {
		print $1, $6 }' | diff - <(printf '%s\n' 'annotated 98860' 'below 132' 'other 1112' 'total 100104')
	prof-annotate --all many.callgrind >got
	grep -c '^src/' got | diff - <(echo 12)
	[ "$(grep -c ' line 20$' got)" = 12 ]
	prof-annotate --min 0 -n 0 many.callgrind | diff got -
	lacks got 'other files|threshold'
}

@test "ranges: lines at least as expensive as the share, with context" {
	cp -a "$BATS_FILE_TMPDIR/there" .
	prof-annotate -I there --context 1 --min 5 --file a.c "$(cg made.prof)" >got
	sed -i '20,$d' got
	diff -u - got <<-'END'
	1,000 Ir in 1 profile, 1 part

	/old/src/a.c: 850 Ir, 85.00 %, source there/a.c
	 Ir      %  inclusive      %  line
	  .      .          .      .     1  line 1
	100  10.00        100  10.00     2  line 2
	  .      .        800  80.00     3  line 3
	                  800  80.00        => work (7 calls)
	  .      .          .      .     4  line 4
	700  70.00        700  70.00     5  line 5
	  .      .          .      .     6  line 6
	-- line 11 --
	  .      .          .      .    11  line 11
	 50   5.00         50   5.00    12  line 12
	  .      .          .      .    13  line 13

	   Ir       %  where
	  850   85.00  annotated
	   30    3.00  line unknown
	END
	prof-annotate -I there --whole --min 20 --tsv "$(cg made.prof)" |
		awk -F '\t' '$1 == "line" { print $3 }' >got
	diff <(seq 13) got
	prof-annotate -I there --min 5.1 --context 0 --tsv "$(cg made.prof)" |
		awk -F '\t' '$1 == "line" { print $2, $3 }' >got
	printf '%s\n' '/old/src/a.c 2' '/old/src/a.c 3' '/old/src/a.c 5' 'b.c 9' | diff - got
}

@test "--function and --file select lines, -n files" {
	annotated() {
		prof-annotate --tsv --min 0 --context 0 "$@" "$(cg made.prof)" |
			awk -F '\t' '$1 == "line" { print $2 ":" $3 }' | paste -sd ' '
	}
	[ "$(annotated --function '^work$')" = '/old/src/a.c:5 b.c:9' ]
	[ "$(annotated --function main)" = '/old/src/a.c:2 /old/src/a.c:3 /old/src/a.c:12' ]
	[ "$(annotated --function work --file b)" = 'b.c:9' ]
	[ "$(annotated -n 1)" = '/old/src/a.c:2 /old/src/a.c:3 /old/src/a.c:5 /old/src/a.c:12' ]
	fails_with "^prof-annotate: no function matches --function 'nosuch'\$" \
		prof-annotate --function nosuch "$(cg made.prof)"
	fails_with '^prof-annotate: no line is in a file that was asked for$' \
		prof-annotate --file nosuch "$(cg made.prof)"
	# Of samples, frames count.
	prof-annotate --tsv --all --context 0 --function '^main.isPrime$' \
		"$repo/share/examples/tasks.pprof.gz" |
		awk -F '\t' '$1 == "line" { print $2, $3 }' >got
	echo './tasks.go 19' | diff - got
}

@test "--function: a line has its cost in that function, not in all that have it" {
	# Costs and calls: an inlined line in two functions.
	printf '%s\n' 'events: Ir' 'fl=a.c' 'fn=f' '1 5' 'fi=b.h' '7 30' 'cfn=(1) leaf' 'calls=2 1' '7 4' \
		'fl=a.c' 'fn=g' '2 6' 'fi=b.h' '7 300' 'cfn=(1)' 'calls=3 1' '7 40' 'fl=b.h' 'fn=(1)' '9 44' \
		>x.callgrind
	# file:line self inclusive; OTHER self
	lines() {
		prof-annotate --all --context 0 --tsv --events "$1" "${@:2}" | awk -F '\t' '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
			$1 == "line" { print $2 ":" $3, $6, $7 }
			$1 == "other" || $1 == "total" { print $1, $6 }'
	}
	lines Ir --function '^f$' x.callgrind | diff - <(printf '%s\n' 'b.h:7 30 34' 'a.c:1 5 5' 'other 350' 'total 385')
	lines Ir --function '^g$' x.callgrind | diff - <(printf '%s\n' 'b.h:7 300 340' 'a.c:2 6 6' 'other 79' 'total 385')
	lines Ir --function '^leaf$' x.callgrind | diff - <(printf '%s\n' 'b.h:9 44 44' 'other 341' 'total 385')
	# Stacks: what prof-grep leaves of the leaves.
	cat >x.prof <<-E
	prof	1
	part	1
	event	0	Ir	-	-	-
	file	0	b.h
	func	0	f	-	-	-
	func	1	g	-	-	-
	ctx	0	-	0	0	7	-
	ctx	1	-	1	0	7	-
	ctx	2	0	1	0	7	-
	sample	0	5
	sample	1	40
	sample	2	300
	end
	E
	lines Ir x.prof | sed -n 1p | diff - <(echo 'b.h:7 345 345')
	lines Ir --function '^f$' x.prof | diff - <(printf '%s\n' 'b.h:7 5 305' 'other 340' 'total 345')
	lines Ir --function '^g$' x.prof | diff - <(printf '%s\n' 'b.h:7 340 340' 'other 5' 'total 345')
}

@test "sources are found by --map and -I, the first that fits" {
	local f
	f=$(cg made.prof)
	found() {
		prof-annotate --file a.c "$@" "$f" | sed -n 's/^.old.*, source //p'
	}
	mkdir -p new/src i/src j
	for d in new/src i/src j; do
		echo $d >$d/a.c
	done
	[ "$(found | cut -d , -f 1)" = 'not found: use -I DIR or --map OLD=NEW' ]
	[ "$(found -I j | cut -d , -f 1)" = j/a.c ]
	[ "$(found -I i | cut -d , -f 1)" = i/src/a.c ]
	[ "$(found -I nosuch -I i -I j | cut -d , -f 1)" = i/src/a.c ]
	[ "$(found --map /old=new -I j | cut -d , -f 1)" = new/src/a.c ]
	[ "$(found --map /ol=new --map /old/src/a.c=j/a.c | cut -d , -f 1)" = j/a.c ]
	[ "$(found --map /old/=new/ | cut -d , -f 1)" = new/src/a.c ]
	# Neither a folder nor a pipe is a source, and nothing waits.
	mkdir -p d/a.c e
	mkfifo e/a.c
	[ "$(found -I d)" = 'is not a file' ]
	[ "$(timeout 10 prof-annotate -I e "$f" | grep -c 'source is not a file')" = 1 ]
	[ "$(found -I d -I j | cut -d , -f 1)" = j/a.c ]
	fails_with "^prof-annotate: --map: expected OLD=NEW, found 'old'\$" \
		prof-annotate --map old "$f"
	fails_with "^prof-annotate: --map: expected OLD=NEW, found '=new'\$" \
		prof-annotate --map =new "$f"
}

# names PATH...: a profile whose functions are in these files.
names() {
	printf '# callgrind format\nevents: Ir\n'
	printf 'fl=%s\nfn=f\n1 10\n' "$@"
}

@test "a profile does not choose what is read: sources are where the user is, or points" {
	mkdir -p secret here/.git here/sub here/-I
	echo 'the secret' | tee secret/a.c secret/b.c here/.git/config here/sub/.env >secret/own
	echo 'a source' | tee here/a.c here/sub/b.c >here/sub/c.c
	ln -s ../secret/a.c here/link.c
	ln -s sub here/way
	cd here
	names "$PWD/../secret/a.c" ../secret/b.c "$PWD/../secret/own" .git/config sub/.env \
		link.c sub/../../secret/a.c /etc/passwd /proc/self/environ >bad.cg
	prof-annotate bad.cg >out
	lacks out secret$
	[ "$(grep -c 'source is not below this directory: use -I DIR, --map OLD=NEW or --any-source' out)" = 9 ]
	lacks out root:
	# No option that names another directory opens more.
	prof-annotate -I sub --map /nowhere=../secret --all bad.cg | lacks - secret$
	(cd / && prof-annotate "$OLDPWD/bad.cg" --quiet) | lacks - root:
	prof-annotate --map "$PWD/..=." bad.cg | lacks - secret$
	# What is meant to be read is.
	names a.c "$PWD/sub/b.c" way/c.c "$PWD/a.c" >good.cg
	[ "$(prof-annotate good.cg | grep -c ' a source$')" = 4 ]
	[ "$(prof-annotate -I ../secret bad.cg | grep -c ' the secret$')" = 4 ]
	[ "$(prof-annotate --map "$PWD/../secret=../secret" bad.cg | grep -c ' the secret$')" = 2 ]
	prof-annotate --any-source bad.cg >out
	[ "$(grep -c ' the secret$' out)" -ge 6 ]
	has root: out
}

@test "a source elsewhere is read if the program's debugging information lists it" {
	mkdir -p src run
	printf 'int main(void)\n{\n\treturn 0;\n}\n' | tee src/main.c >src/other.c
	(cd src && gcc -g -o main main.c)
	cd run
	names "$PWD/../src/main.c" "$PWD/../src/other.c" >p.cg
	prof-annotate p.cg >out
	[ "$(grep -c 'is not below this directory' out)" = 2 ]
	prof-annotate --exe ../src/main p.cg >out
	[ "$(grep -c 'is not below this directory' out)" = 1 ]
	[ "$(grep -c ' int main' out)" = 1 ]
	printf '# callgrind format\nevents: Ir\nob=%s\nfl=%s\nfn=main\n1 5\n' \
		"$PWD/../src/main" "$PWD/../src/main.c" >ob.cg
	prof-annotate ob.cg | has ' int main'
	printf '# callgrind format\ncmd: ../src/main 1 2\nevents: Ir\nfl=%s\nfn=main\n1 5\n' \
		"$PWD/../src/main.c" >cmd.cg
	prof-annotate cmd.cg | has ' int main'
	# A program of somebody else's vouches for nothing that the user has not named.
	if [ "$(id -u)" = 0 ]; then
		chown 65534 ../src/main
		prof-annotate ob.cg | has 'is not below this directory'
		prof-annotate --exe ../src/main ob.cg | has ' int main'
	fi
}

@test "a source that is newer, or shorter, is reported" {
	cp "$(cg made.prof)" p
	cp -a "$BATS_FILE_TMPDIR/there" .
	prof-annotate -I there p >got
	lacks got newer
	lacks got 'only'
	touch -d '2040-01-01' there/a.c
	prof-annotate -I there p | has 'source there/a.c, newer than the profile$'
	prof-annotate -I there - <p >got	# nobody knows
	lacks got newer
	prof-annotate -I there --tsv p 2>err >/dev/null
	has "^prof-annotate: warning: 'there/a.c' is newer than the profile\$" err
	head -n 4 there/a.c >short && mv short there/a.c
	touch -d '2020-01-01' there/a.c
	prof-annotate -I there --context 2 p | sed -n '/a\.c/,/^$/p' >got
	diff -u - got <<-'END'
	/old/src/a.c: 850 Ir, 85.00 %, source there/a.c, only 4 of 12 lines
	 Ir      %  inclusive      %  line
	  .      .          .      .     1  line 1
	100  10.00        100  10.00     2  line 2
	  .      .        800  80.00     3  line 3
	                  800  80.00        => work (7 calls)
	  .      .          .      .     4  line 4
	700  70.00        700  70.00     5  (beyond the end of the source)
	 50   5.00         50   5.00    12  (beyond the end of the source)

	END
	: >there/a.c
	prof-annotate -I there --tsv p | awk -F '\t' '$1 == "missing" { print $6 }' >got
	echo 950 | diff - got
}

@test "files with a source come before those that have none, whatever they cost" {
	printf '%s\n' 'events: Ir' fl=gone.c fn=f '1 900' fl=here.c fn=g '2 60' fl=there.c '1 70' \
		fl=lost.c fn=h '1 30' >x.cg
	printf 'a\nb\n' | tee here.c >there.c
	prof-annotate x.cg | sed -n 's/^\([a-z.]*\): .* Ir, .*/\1/p' | xargs |
		diff - <(echo there.c here.c gone.c lost.c)
	prof-annotate -n 1 --tsv x.cg | awk -F '\t' '$1 == "line" { print $2 }' | sort -u |
		diff - <(echo there.c)
}

@test "bytes of sources are copied, but for a terminal" {
	cp "$(cg made.prof)" p
	mkdir src
	printf 'x\ncaf\xe9\t|\r\n\e[31m%s\n\n\xe2\x82\xac' >src/a.c ''
	printf '%s' "$(head -c 2000000 /dev/zero | tr '\0' y)" >>src/a.c
	prof-annotate -I src --whole --file a.c p >got
	grep -qaxP '100  10.00        100  10.00     2  caf\xe9\t\|\r' got
	grep -qaxP ' +\. +\. +800  80.00     3  \e\[31m' got
	tail -n +5 src/a.c | sed '$s/$/\n/' | cmp - <(sed -n 's/^700  70.00        700  70.00     5  //p' got)
	on_terminal 80 24 'prof-annotate --color=never -I src --whole --file a.c p' >got
	[ "$(wc -c <got)" -lt 2000 ]
	lacks got '\e'
	grep -qaxP '100  10.00        100  10.00     2  caf\xe9    \|' got
	grep -qaF '\x1b[31m' got
	grep -qaxP '700  70.00        700  70.00     5  \xe2\x82\xacy{19,}\xe2\x80\xa6' got
	# Cut lines fill the width.
	[ "$(sed -n 's/\xe2../x/g; /  5  /p' got | tr -d '\n' | wc -c)" = 80 ]
	# JSON says everything.
	prof-annotate -I src --json --whole --file a.c p | jq -r 'select(.line == 2).text' |
		cmp - <(printf 'caf\xef\xbf\xbd\t|\r\n')
}

@test "a profile without lines: what to record, exit status 1" {
	local e=$repo/share/examples
	says() {
		exits_with 1 "prof-annotate: the profile has no lines: $1" "${@:2}"
		[ ! -s out ]
		[ "$(wc -l <err)" = 1 ]
	}
	says 'compile the program with -g, and give it with --exe' prof-annotate \
		--syms "$e/calc.syms" "$e/calc.gmon.zst"
	# The C library may have lines here.
	zstdcat "$e/calc.perf.zst" | sed 's,(/,(/nowhere/,' >p.perf
	says 'compile the program with -g, and give it with --exe, or use perf script -F +srcline --full-source-path' \
		prof-annotate --quiet p.perf
	says 'folded stacks have none' prof-annotate --quiet "$e/calc.folded"
	prof-diff "$(cg wordcount.cg)" "$(cg wordcount.cg)" >d
	says 'compare with prof-diff --by function,line' prof-annotate d
}

# costs FILE: "FILE LINE COST" of all lines, by prof-top.
costs() {
	prof-top --tsv -b file,line --events Ir "$1" | awk -F '\t' '
		NR > 1 && $1 != "-" && $2 > 0 && $4 { print $1, $2, $4 }'
}

@test "a difference: old, new and change of each line and call" {
	prof-diff -b function,line --events Ir "$(cg calc.cg)" "$(cg calc2.cg)" >d
	prof-annotate --tsv --all --context 0 d | awk -F '\t' 'NR == 1 {
			for (i = 1; i <= NF; i++) c[$i] = i; next }
		$1 == "line" { if ($c["Ir"] != $c["Ir.new"] - $c["Ir.old"]) print "wrong", $0
			if ($c["Ir.old"]) print $2, $3, $c["Ir.old"] >"old"
			if ($c["Ir.new"]) print $2, $3, $c["Ir.new"] >"new" }' >got
	[ ! -s got ]
	[ "$(wc -l <old)" -ge 100 ]
	diff -u <(costs "$(cg calc.cg)" | sort) <(sort old)
	diff -u <(costs "$(cg calc2.cg)" | sort) <(sort new)
	run -1 cmp -s old new
	# People see the columns of prof-top, and the calls below their lines.
	prof-annotate --min 0.5 --context 0 --file calc.c d >got
	has -E '^ *old Ir +new +change +% +line$' got
	has -E '^ *[0-9,]+ +[0-9,]+ +-[0-9,]+ +-[0-9.]+        => assign$' got
	has -E '^ *[0-9,]+ +[0-9,]+ +-[0-9,]+ +-[0-9.]+  total$' got
	# Nothing has changed in what is the same.
	prof-diff -b function,line "$(cg calc.cg)" "$(cg calc.cg)" | prof-annotate >same
	lacks same 'line$'
	has 'below the threshold$' same
}

@test "samples with lines of perf script, and a gmon.out with its executable" {
	cat >p.perf <<-'END'
	calc   896  4376.179099:   20408163 cpu-clock:
	            1255 find+0x32 (/usr/src/prof/calc)
	  calc.c:49
	            1493 assign+0x37 (/usr/src/prof/calc)
	  calc.c:113

	calc   896  4376.247506:   20408163 cpu-clock:
	            1255 find+0x32 (/usr/src/prof/calc)
	  calc.c:49

	END
	prof-annotate -I "$repo/share/examples" --context 0 p.perf | sed -n '4,/^$/p' >got
	diff -u - got <<-'END'
	period/ms       %  inclusive       %  line
	    40.82  100.00      40.82  100.00    49  	for (; isalnum((unsigned char)*at) && n < 15; at++)
	-- line 113 --
	        .       .      20.41   50.00   113  	return v->value = sum();
	                       20.41   50.00        => find

	END
	reads_executables
	cp "$repo/share/examples/calc.c" .
	"${CC:-cc}" -g -O1 -fno-inline -pg -o calc calc.c
	perl -e 'print "v1 = (1 + 2) * 3\n" x 300000' | ./calc >/dev/null
	prof-annotate --tsv --all --context 0 --quiet ./calc | awk -F '\t' '
		$1 == "line" && $8 != "-" { print $3, $6 }' | sort >got
	[ -s got ]
	prof-top --tsv -b file,line --quiet ./calc | awk -F '\t' '
		$1 ~ /calc.c$/ && $2 > 0 { print $2, $4 }' | sort | diff -u - got
	prof-annotate --tsv --all --quiet ./calc | has -P '^call\t.*calc.c\t\d+\tassign\t300000\t'
}

@test "events, formulas, ratios; marks and what they mean" {
	local f=$repo/share/examples/wordcount.callgrind.zst
	prof-annotate --events 'Dr + Dw,D1mr / Dr' --file wordcount --min 4% --context 0 "$f" >got
	has -E '^ *Dr \+ Dw +% +inclusive +% +D1mr / Dr +% +inclusive +% +line$' got
	[ "$(prof-annotate --json --all "$f" | jq -r 'select(.row == "total") | .Ir, .Bc')" = \
		"$(printf '4890211\nnull')" ]
	exits_with 2 "prof-annotate: no event 'Irr': did you mean Ir?" prof-annotate --events Irr "$f"
	prof-annotate --file wordcount "$f" >got
	has -E '^122,065 +2.50 +~838,503 +17.15 +36( |$)' got
	tail -n 1 got | has -x '~ lower bound: in a recursive cycle'
	prof-annotate --file wordcount --function main "$f" >got
	lacks got '~'
	prof-annotate --syms "$repo/share/examples/calc.syms" --rules recursion --quiet "$f" >got
	has -E '=> insert \(24,413 calls\)' got
}

@test "filters, conditions, compressed and damaged input are as in all tools" {
	local f=$repo/share/examples/wordcount.callgrind.zst
	prof-grep -x read_word "$f" | prof-annotate --file wordcount --all --context 0 --tsv |
		awk -F '\t' '{ v[$1] += $6 } END { print v["line"], v["annotated"] + v["missing"], v["total"] }' >got
	echo 759095 759095 4890211 | diff - got
	exits_with 1 'prof-annotate: --where keeps nothing' prof-annotate --where part=7 "$f"
	zstdcat "$f" | sed -n '1,9000p' >cut
	exits_with 2 'the profile is truncated' prof-annotate cut
	[ ! -s out ]
	prof-annotate --lenient --quiet cut 2>err | has '^skipped: 1 malformed'
	exits_with 2 '--tsv and --json cannot be combined' prof-annotate --tsv --json "$f"
	exits_with 2 "--min: expected a share, such as 0.5%, found 'x'" prof-annotate --min x "$f"
	exits_with 2 "bad pattern '('" prof-annotate --file '(' "$f"
}

@test "names from the profile do nothing to a terminal" {
	sed $'s/main/ma\e[31min/; s,work,w\aork,; s,/old/src,/o\x9bld,' "$(cg made.prof)" >p
	on_terminal 100 24 'prof-annotate --color=never --all p' >got
	lacks got '[^\n -~]'
	has -F '=> w\x07ork (7 calls)' got
	has -F '/o\x9bld/a.c: 850 Ir' got
	on_terminal 100 24 'prof-annotate --tsv --all p' >got
	lacks got '[^\n\t -~]'
	# Colours only there.
	prof-annotate p >got
	lacks got '\e'
	on_terminal 100 24 'prof-annotate p' | has $'\e\\[1m'
	prof-annotate --color p | has $'\e\\[1m'
}

@test "where a terminal is narrow, source has the room that percentages had" {
	local f=$repo/share/examples/wordcount.callgrind.zst
	on_terminal 80 24 "prof-annotate --color=never -I '$repo/share/examples' -n 1 \
		--min 0.1% --events Ir,D1mr '$f'" >got
	has -Ex ' +Ir   inclusive   D1mr  inclusive  line' got
	has -E '^ +28,192 +\.        => __strcpy_avx2 \(999 calls\)$' got
	[ "$(grep '^ *[0-9.]' got | grep -v ' lines\?$' | sed 's/\xe2\x80\xa6/x/g' | wc -L)" -le 80 ]
	has -E '^[0-9,]+ +42.[0-9]+ .* annotated$' got	# the sums have both
	# Of a long name the middle is truncated, not the count.
	on_terminal 80 24 "prof-annotate --color=never --min 2% '$(cg library.cg)'" >got
	has -aP '=> .{3,}\xe2\x80\xa6.{3,} \(200 calls\)$' got
}

@test "line numbers of the context that are longer than those of costs are aligned" {
	seq -f 'the text of line %.0f, which goes on' 1 10020 >big.c
	printf 'events: Ir\nfl=big.c\nfn=f\n9998 10\n' >x.cg
	prof-annotate --context 2 x.cg | sed -n '4,9p' | cut -c -41 | diff -u <(
		cat <<-'E'
		Ir       %  inclusive       %   line
		 .       .          .       .   9996  the
		 .       .          .       .   9997  the
		10  100.00         10  100.00   9998  the
		 .       .          .       .   9999  the
		 .       .          .       .  10000  the
		E
	) -
	[ "$(prof-annotate --width 45 x.cg | sed 's/\xe2\x80\xa6/x/g' | wc -L)" = 45 ]
	prof-annotate --whole x.cg | has -x ' \.  *\.  *\.  *\.  10020  the text of line 10020, which goes on'
}

@test "inlined lines are marked if the profile has them" {
	local f
	# Of Callgrind: what is in another file than its function.
	prof-cat "$(cg library.cg)" | awk -F '\t' '
		$1 == "file" { path[$2] = $3 }
		$1 == "func" { file[$2] = $4 }
		($1 == "cost" || $1 == "call") && $2 != "-" && $3 != "-" && $4 > 0 &&
			file[$2] != "-" && path[file[$2]] != "???" && file[$2] != $3 {
			print path[$3], $4 }' | sort -u >want
	prof-cat "$repo/share/examples/tasks.pprof.gz" | awk -F '\t' '
		$1 == "file" { path[$2] = $3 }
		$1 == "ctx" && /\tinlined=1/ && $5 != "-" && $6 > 0 { print path[$5], $6 }' |
		sort -u >want.pprof
	[ "$(wc -l <want)" -ge 30 ]
	[ "$(wc -l <want.pprof)" -ge 3 ]
	cat want.pprof
	prof-annotate --tsv --all --context 0 "$(cg library.cg)" | awk -F '\t' '
		$1 == "line" && $NF == 1 { print $2, $3 }' | sort | diff -u want -
	prof-annotate --tsv --all --context 0 "$repo/share/examples/tasks.pprof.gz" |
		awk -F '\t' '$1 == "line" && $NF == 1 { print $2, $3 }' | sort | diff -u want.pprof -
	# To people it is a mark, which is explained if there is one.
	cp -a "$BATS_FILE_TMPDIR/there" .
	printf 'line %s\n' 1 2 3 4 5 6 7 8 9 10 >there/b.c
	prof-annotate -I there --context 1 --file b.c "$(cg made.prof)" >got
	has -x '  .      .          .      .     8  line 8' got
	has -x '100  10.00        100  10.00     9\* line 9' got
	tail -n 1 got | has -x '\* some of this is in functions that the line was inlined into'
	prof-annotate -I there --file a.c "$(cg made.prof)" >got
	lacks got '\*'
	prof-annotate --json --all --file b.c "$(cg made.prof)" |
		jq 'select(.row == "line").inlined' | diff <(echo 1) -
	f=$(cg made.prof)
	sed 's/^cost\t1\t1/cost\t-\t1/' "$f" | prof-annotate --tsv |	# whose is it?
		awk -F '\t' '$2 == "b.c" { print $NF }' >got
	echo 0 | diff - got
}

@test "headings fit the width, and say everything elsewhere" {
	local long=/a/long/path/to/a/build/of/something/that/is/very/deep/below/its/root
	local f w
	sed "s,/old/src,$long,; s,b.c,$long/$(printf 'n%.0s' {1..90}).c," "$(cg made.prof)" >p
	mkdir -p "i$long"
	printf 'line %s\n' 1 2 3 >"i$long/a.c"
	touch -d '2040-01-01' "i$long/a.c"
	prof-annotate -I "$PWD/i" p >got
	has -Fx "$long/a.c: 850 Ir, 85.00 %, source $PWD/i$long/a.c, newer than the profile, only 3 of 12 lines" got
	prof-annotate --width 0 -I "$PWD/i" p | cmp - got
	# A name gives room to what is behind it, while enough of it is left.
	printf '%s\n' 'events: Ir' fl=/very/long/folder/of/sources/that/are/not/here/name.c fn=f '3 100' >name.cg
	prof-annotate --width 84 name.cg | has -Fx '…/not/here/name.c: 100 Ir, 100.00 %, source not found: use -I DIR or --map OLD=NEW'
	prof-annotate --width 80 name.cg | has -Fx '/very/long/folder/of/sources/that/are/not/here/name.c: 100 Ir, 100.00 %'
	for w in 80 120; do
		prof-annotate --width $w -I "$PWD/i" p >got.$w
		[ "$(sed 's/\xe2\x80\xa6/x/g' got.$w | wc -L)" -le $w ]
		on_terminal $w 24 "prof-annotate --color=never -I '$PWD/i' p" | cmp - got.$w
		has -E '/a\.c: 850 Ir, 85\.00 %' got.$w	# the name is at the end
		has 'newer than the profile, only 3 of 12 lines$' got.$w
	done
	has -E '^  source .*/a\.c, newer' got.80
	f=$(cg library.instr)
	for w in 80 120 200; do
		prof-annotate --asm --width $w "$f" >got.$w
		[ "$(sed 's/\xe2\x80\xa6/x/g' got.$w | wc -L)" -le $w ]
	done
}

# ---- instructions ----

# raw FILE OBJECT: "ADDRESS COST" of what Callgrind wrote of one object.
raw() {
	perl -e '
	my ($file, $object) = @ARGV;
	open my $f, "<", $file or die;
	my (%name, $ob, $addr, $call, %cost);
	while (<$f>) {
		if (/^ob=\((\d+)\)(?: (.*))?/) { $name{$1} = $2 if defined $2; $ob = $name{$1}; next }
		if (/^cob=\((\d+)\) (.*)/) { $name{$1} = $2; next }
		if (/^calls=/) { $call = 1; next }
		my ($at, $line, $n) = /^(0x[0-9a-f]+|[-+]\d+|\*) (\S+) (\d+)/ or next;
		$addr = $at eq "*" ? $addr : $at =~ /^0x/ ? hex $at : $addr + $at;
		$cost{$addr} += $n if !$call && $ob eq $object;
		$call = 0;
	}
	printf "0x%x %s\n", $_, $cost{$_} for grep $cost{$_}, sort { $a <=> $b } keys %cost' \
		"$1" "$2" | sort
}

# insns FILE [OPTION...]: "OBJECT ADDRESS COST" of all instructions that have a cost.
insns() {
	prof-annotate --quiet --asm --tsv --all --context 0 --events Ir "${@:2}" "$1" |
		awk -F '\t' '$1 == "insn" && $8 { print $2, $3, $8 }'
}

@test "instructions: those of objdump, with the costs that Callgrind wrote" {
	local p libc
	reads_executables
	for p in wordcount library; do
		raw "$(cg $p.instr)" "$BATS_FILE_TMPDIR/$p" >want
		[ "$(wc -l <want)" -ge 150 ]
		insns "$(cg $p.instr)" >all
		sed -n "s,^$BATS_FILE_TMPDIR/$p ,,p" all | sort | diff -u want -
		# The text is objdump's, but for what it says of targets.
		objdump -d -w -C --no-show-raw-insn "$BATS_FILE_TMPDIR/$p" | perl -ne '
			print "0x$1 $2\n" if /^ *([0-9a-f]+):\t(.*?) *$/' | sed 's/ <.*>$//' | sort >want
		prof-annotate --quiet --asm --tsv --all --context 0 "$(cg $p.instr)" |
			awk -F '\t' -v o="$BATS_FILE_TMPDIR/$p" '$1 == "insn" && $2 == o { print $3, $NF }' |
			sed 's/ <.*>$//' | sort >got
		[ "$(wc -l <got)" -ge 150 ]
		[ "$(comm -13 want got)" = '' ]
	done
	libc=$(awk '/libc\.so/ && !n++ { print $1 }' all)
	raw "$(cg library.instr)" "$libc" >want
	[ "$(wc -l <want)" -ge 100 ]
	grep "^$libc " all | cut -d ' ' -f 2- | sort | diff -u want -
	# The functions are those that nm says, the lines those of addr2line.
	prof-annotate --quiet --asm --tsv --all --context 0 --function '^insert$' \
		"$(cg wordcount.instr)" >got
	awk -F '\t' '$1 == "insn" { print $4 }' got | sort -u | diff <(echo insert) -
	awk -F '\t' '$1 == "insn" { print $3 }' got |
		addr2line -e "$BATS_FILE_TMPDIR/wordcount" | sed 's/ (discr.*//' >want
	awk -F '\t' '$1 == "insn" { print $6 ":" $7 }' got | diff -u want -
	read -r from size <<<"$(nm -S "$BATS_FILE_TMPDIR/wordcount" | awk '$4 == "insert" { print $1, $2 }')"
	awk -F '\t' '$1 == "insn" { print $3 }' got | while read -r a; do
		((a >= 16#$from && a < 16#$from + 16#$size))
	done
}

@test "instructions: what is shown of them, and sums that add up" {
	local f o
	reads_executables
	f=$(cg wordcount.instr)
	prof-annotate --asm --function '^read_word$' --context 1 --min 1 "$f" >got
	has -E "^read_word: [0-9,]+ Ir, [0-9.]+ %, in $BATS_FILE_TMPDIR/wordcount\$" got
	has -Ex ' +Ir +% +inclusive +% +address' got
	has -Fx '  wordcount.c:51  for (; c != EOF && isalpha(c) && n < 31; c = getc(f))' got
	has -E '^ *[0-9,]+ +[0-9.]+ +[0-9,]+ +[0-9.]+ +0x[0-9a-f]+  call +[0-9a-f]+ <getc@plt>$' got
	has -E '^ +[0-9,]+ +[0-9.]+ +=> getc \([0-9,]+ calls\)$' got
	has -Ex -e '-- address 0x[0-9a-f]+ --' got
	lacks got '^main: '
	has -E ' in instructions shown$' got
	has -E ' in other functions$' got
	# All calls of a function are those of the lines.
	for o in getc tolower; do
		prof-annotate --asm --tsv --all --events Ir "$f" | awk -F '\t' -v o=$o '
			$1 == "call" && $4 == o { n += $5; c += $9 } END { print n, c }' >got
		prof-annotate --tsv --all --events Ir "$f" | awk -F '\t' -v o=$o '
			$1 == "call" && $4 == o { n += $5; c += $7 } END { print n, c }' | diff - got
	done
	for o in '' '--all' '--min 5%' '-n 2' '--function main' '--whole' \
	    '-n 1 --context 0 --min 1 --function main'; do
		prof-annotate --quiet --asm --tsv $o "$f" | awk -F '\t' '
			$1 == "insn" { lines += $8 }
			$1 == "annotated" || $1 == "missing" { shown += $8 }
			NR > 1 && $1 !~ /^(insn|call|total)$/ { sum += $8 }
			$1 == "total" { total = $8 }
			END { print (total > 0 && sum == total && shown == lines) }' >got
		[ "$(cat got)" = 1 ] || { echo "$o"; return 1; }
	done
	# A whole function is what objdump has of it.
	prof-annotate --asm --whole --function '^insert$' --tsv "$f" |
		awk -F '\t' '$1 == "insn" { print $3 }' >got
	objdump -d --no-show-raw-insn --disassemble=insert "$BATS_FILE_TMPDIR/wordcount" |
		sed -n 's/^ *\([0-9a-f]*\):\t.*/0x\1/p' >want
	diff want <(head -n "$(wc -l <want)" got)
	prof-annotate --asm --json --all "$f" | jq -se --arg o "$BATS_FILE_TMPDIR/wordcount" '
		map(select(.object == $o and .line)) | length > 50 and
		all(.addr | startswith("0x"))'
	exits_with 2 '--asm and --file cannot be combined' prof-annotate --asm --file x "$f"
	exits_with 1 'the profile has no addresses: record it with valgrind --tool=callgrind --dump-instr=yes' \
		prof-annotate --asm "$(cg wordcount.cg)"
}

# shifted FILE BY [FUNCTIONS]: the addresses of our program as if it had been loaded there,
# or those of matching functions.
shifted() {
	prof-cat "$1" | perl -F'\t' -lane '
	BEGIN { ($by, $re) = (hex shift, shift // "."); }
	$ours{$F[1]} = 1 if $F[0] eq "object" && $F[2] =~ m,/(wordcount|library)$,;
	$func{$F[1]} = $F[2] =~ /$re/ if $F[0] eq "func" && $ours{$F[4]};
	if ($F[0] =~ /^(cost|call)$/) {
		$F[4] = sprintf "0x%x", $by + hex $F[4] if $func{$F[1]};
		$F[7] = sprintf "0x%x", $by + hex $F[7] if $F[0] eq "call" && $func{$F[5]};
	}
	print join "\t", @F' "$2" "${3-.}"
}

@test "instructions are found wherever the program was loaded, or not at all" {
	local f
	reads_executables
	f=$(cg wordcount.instr)
	insns "$f" >want
	for by in 0x555555554000 0x1000 0xfffff000; do
		shifted "$f" $by >p
		prof-cat p | has -P '^cost\t.*\t0x'
		insns p | diff -u want -
		prof-annotate --asm p | has -E "^main: .*, was loaded at $by(,|\$)"
	done
	# A C++ program, whose functions are known by their linkage names.
	f=$(cg library.instr)
	insns "$f" >want.library
	[ "$(wc -l <want.library)" -gt 100 ]
	shifted "$f" 0x555555554000 >p
	insns p | diff -u want.library -
	f=$(cg wordcount.instr)
	prof-annotate --asm "$f" >got
	lacks got 'was loaded'
	# Not by whole pages, or each function elsewhere: nothing fits.
	total=$(prof-annotate --asm --tsv --all "$f" | awk -F '\t' '$1 == "total" { print $8 }')
	shifted "$f" 0x555555554123 >p
	prof-annotate --asm p >got
	has -E "^$BATS_FILE_TMPDIR/wordcount: [0-9,]+ Ir, .*, executable is another build: only 0 of [0-9]+ functions fit\$" got
	lacks got '^main'
	shifted "$f" 0x555555554000 '^(main|insert|read_word)$' >p
	prof-annotate --asm p | has -E "^$BATS_FILE_TMPDIR/wordcount: .* is another build: only [0-9]+ of [0-9]+ functions fit\$"
	prof-annotate --asm --tsv p 2>err >got
	has -E "^prof-annotate: warning: $(quoted "$BATS_FILE_TMPDIR/wordcount") is another build: only .*: its instructions are missing\$" err
	# What is missing is all that the object costs, and the sums still add up.
	awk -F '\t' -v t="$total" '$1 == "insn" && $10 == "-" { missing += $8 }
		$1 == "missing" { said = $8 } NR > 1 && $1 !~ /^(insn|call|total)$/ { sum += $8 }
		END { exit !(said > 0 && missing == said && sum == t) }' got
	raw "$f" "$BATS_FILE_TMPDIR/wordcount" | awk '{ n += $2 } END { print n }' >want
	awk -F '\t' '$1 == "missing" { print $8 }' got | diff want -
	# No function in common.
	prof-cat "$f" | perl -F'\t' -lane '$ours = $F[1] if $F[0] eq "object" && $F[2] =~ /wordcount$/;
		$F[2] = "no_$F[2]" if $F[0] eq "func" && $F[4] eq $ours; print join "\t", @F' >p
	prof-annotate --asm p | has "^$BATS_FILE_TMPDIR/wordcount: .* executable has no function that the profile names: where it was loaded is not known\$"
}

@test "instructions: a function at another address than in the profile is reported" {
	local a b
	reads_executables
	# Two functions in the order of their addresses: the first one where the second is.
	nm -C "$BATS_FILE_TMPDIR/library" | sed -nE 's/^0*([0-9a-f]+) . (text::make|text::word::operator<)\([^[]*$/\1 \2/p' |
		sort >two
	[ "$(wc -l <two)" = 2 ]
	read -r a first <two
	read -r b second < <(tail -n 1 two)
	shifted "$(cg library.instr)" "$(printf '0x%x' $((16#$b - 16#$a)))" "^$first\\(" >p
	prof-annotate --asm --function 'text::' --all p | grep ' in .*/library' >got
	has -F ', another function in the profile' got
	grep -F ', another function in the profile' got | grep -vF "$second(" >wrong || :
	[ ! -s wrong ]
	prof-annotate --asm --all "$(cg library.instr)" >got
	lacks got 'another function'
}

@test "instructions of an executable that is not the one of the profile" {
	local f
	reads_executables
	f=$(cg wordcount.instr)
	mkdir new
	sed 's/^read_word/fresh(void) { puts("a"); puts("b"); return 1; }\nint read_word/; s/^static int$/&/' \
		"$BATS_FILE_TMPDIR/wordcount.c" >new/wordcount.c
	"${CC:-cc}" -g -O0 -w -o new/wordcount new/wordcount.c
	prof-annotate --asm --exe new/wordcount "$f" >got
	has -E "^$BATS_FILE_TMPDIR/wordcount: .*, executable is another build: only [0-9]+ of [0-9]+ functions fit\$" got
	# The same one elsewhere, and newer.
	cp "$BATS_FILE_TMPDIR/wordcount" new/wordcount
	touch -d '2040-01-01' new/wordcount
	prof-annotate --asm --exe new/wordcount "$f" >got
	has -E '^main: .*, in new/wordcount, newer than the profile$' got
	diff <(insns "$f") <(insns "$f" --exe new/wordcount)
	# No more there.
	sed "s,$BATS_FILE_TMPDIR/wordcount\$,/nowhere/wordcount," "$f" >p
	prof-annotate --asm p | has -E '^/nowhere/wordcount: [0-9,]+ Ir, [0-9.]+ %, executable is not found$'
	prof-annotate --asm --exe new/wordcount p | has -E '^main: .*, in new/wordcount'
	nm new/wordcount >syms
	sed 's,/nowhere/wordcount,/nowhere/syms,' p >q
	prof-annotate --asm --syms syms q | has -E '^/nowhere/syms: .* executable is only a list of symbols$'
	cp new/wordcount stripped && strip stripped
	sed 's,/nowhere/wordcount,/nowhere/stripped,' p >q
	prof-annotate --asm q | has -E '^/nowhere/stripped: .* executable is not found$'
	# Nor is objdump.
	mkdir bin
	ln -s "$(command -v prof-annotate)" bin
	exits_with 2 'prof-annotate: objdump is not found: it is part of GNU binutils' \
		env PATH="$PWD/bin" prof-annotate --asm "$f"
	printf '#!/bin/sh\nexit 3\n' >bin/objdump
	chmod +x bin/objdump
	exits_with 2 "prof-annotate: objdump cannot disassemble $(quoted "$BATS_FILE_TMPDIR/wordcount")" \
		env PATH="$PWD/bin:$PATH" prof-annotate --asm --function main "$f"
}

@test "instructions of samples: perf, inlined frames, a gmon.out, a difference" {
	local at main f=$BATS_FILE_TMPDIR/wordcount
	reads_executables
	at=$(nm "$f" | awk '$3 == "read_word" { sub(/^0*/, "", $1); print $1 }')
	main=$(nm "$f" | awk '$3 == "main" { sub(/^0*/, "", $1); print $1 }')
	perl -e '
	my ($at, $main, $f) = @ARGV;
	my $sample = sub { printf "w   896  %d.1:   1 cpu-clock:\n", $_[0];
		printf "\t%16x read_word+0x%x (%s)\n\t%16x main+0x5 (%s)\n\n",
			0x5577aa000000 + $_[1] + hex $at, $_[1], $f, 0x5577aa000005 + hex $main, $f };
	$sample->(1, 0); $sample->(2, 0); $sample->(3, 1)' "$at" "$main" "$f" >p.perf
	prof-annotate --asm --all --context 0 --tsv p.perf |
		awk -F '\t' '$1 == "insn" { print $3, $4, $8, $9 }' >got
	diff -u - got <<-END
	$(printf '0x%x' $((16#$at))) read_word 2 2
	$(printf '0x%x' $((16#$at + 1))) read_word 1 1
	$(printf '0x%x' $((16#$main + 4))) main 0 3
	END
	prof-annotate --asm --quiet p.perf | has ', was loaded at 0x5577aa000000$'
	# An inlined frame is at the address of the one that it is in, and no call.
	printf '%s\n' 'prof|1' 'part|1' 'event|0|n|-|-|-' "object|0|$f|-" 'file|0|a.c' \
		'func|0|read_word|0|0|-' 'func|1|inner|0|0|-' 'func|2|main|0|0|-' \
		"ctx|0|-|2|0|9|0x$main" "ctx|1|0|0|0|5|0x$at" 'ctx|2|1|1|0|6|-|inlined=1' \
		'sample|2|40' 'sample|1|2' 'end' | bars >p
	for o in '' '--function inner'; do
		prof-annotate --asm --all --context 0 --tsv $o p | awk -F '\t' '
			$1 == "insn" && $4 != "main" { print $4, $8, $9 }
			$1 == "call" && $4 == "inner"' >got
		diff -u <(echo read_word 42 42) got
	done
	# Bins of gmon.out may begin anywhere: nothing is lost.
	cp "$repo/share/examples/calc.c" .
	"${CC:-cc}" -g -O1 -fno-inline -pg -o calc calc.c
	perl -e 'print "v1 = (1 + 2) * 3\n" x 3000000' | ./calc >/dev/null
	prof-top --tsv -b addr --quiet ./calc | awk -F '\t' '
		NR > 1 && $2 != "-" && $4 > 0 { print $2, $4 }' | sort >want
	[ -s want ]
	prof-annotate --asm --tsv --all --context 0 --quiet ./calc | awk -F '\t' '
		$1 == "insn" && $8 { print $3, $8 }' | sort | diff -u want -
	# Old, new and change of each instruction.
	prof-diff -b function,addr "$(cg wordcount.instr)" <(prof-grep -v -x insert "$(cg wordcount.instr)") >d
	prof-annotate --quiet --asm --tsv --all --context 0 d | awk -F '\t' 'NR == 1 {
			for (i = 1; i <= NF; i++) c[$i] = i; next }
		$1 == "insn" && $c["Ir.old"] { print $2, $3, $c["Ir.old"] }' | sort >got
	insns "$(cg wordcount.instr)" | sort | diff -u - got
	prof-diff "$(cg wordcount.instr)" "$(cg wordcount.instr)" >d
	exits_with 1 'the profile has no addresses: compare with prof-diff --by function,addr' \
		prof-annotate --asm d
}

@test "an address between two sections is no instruction" {
	local pie end main plt
	reads_executables
	printf '%s\n' '#include <stdio.h>' 'int main(void) { return printf("") < 0; }' >g.c
	for pie in -no-pie -pie; do
		"${CC:-cc}" -g -O0 -f${pie#-} $pie -o g g.c
		# .init ends a few bytes before .plt begins.
		read -r end plt < <(objdump -h g | awk '$2 == ".init" { a = $4; n = $3 }
			$2 == ".plt" { print a, n, $4 }' |
			perl -ane 'printf "%d %d\n", hex($F[0]) + hex($F[1]), hex $F[2]')
		((end < plt))
		main=$(nm g | awk '$3 == "main" { print "0x" $1 }')
		printf '%s\n' 'prof|1' 'part|1' 'event|0|n|-|-|-' 'func|0|main|-|-|-' \
			"cost|0|-|-|$(printf '0x%x' "$main")|3" \
			"cost|-|-|-|$(printf '0x%x' $end)|4" \
			"cost|-|-|-|$(printf '0x%x' $plt)|6" 'end' | bars >p
		prof-annotate --asm --min 0 --context 0 --tsv --quiet --exe g p |
			awk -F '\t' '$1 ~ /^(insn|missing|total)$/ && $8 { print $1, $3, $4, $8, $10 != "-" }' >got
		diff -u - got <<-END
			insn $(printf '0x%x' $plt) ??? 6 1
			insn $(printf '0x%x' $end) - 4 0
			insn $(printf '0x%x' "$main") main 3 1
			missing - - 4 0
			total - - 13 0
		END
		prof-annotate --asm --min 0 --context 0 --exe g p |
			has -E '^\?\?\?: 4 n, 30.77 %, executable has no such addresses$'
	done
}

@test "a source under many spellings is read once" {
	local i
	mkdir src
	awk 'BEGIN { for (i = 0; i < 2000000; i++) print "line " i }' >src/big.c
	{
		printf '# callgrind format\nevents: Ir\n'
		for i in $(seq 60); do
			printf 'fl=src/%sbig.c\nfn=f%s\n%s 100\n' "$(printf './%.0s' $(seq "$i"))" "$i" "$i"
		done
		echo 'totals: 6000'
	} >p.cg
	brief 2 prof-annotate --all --context 0 p.cg >got
	[ "$(grep -c '^ *100 .*line [0-9]*$' got)" = 60 ]
	has -E '^ *100 .* 7 +line 6$' got
}

@test "an object under many spellings is read once" {
	local i lib
	reads_executables
	awk 'BEGIN { print ".text"; for (i = 0; i < 60000; i++)
		printf ".globl f%d\n.type f%d, @function\nf%d: nop\n.size f%d, 1\n", i, i, i, i }' >f.s
	"${CC:-cc}" -shared -nostdlib -o lib.so f.s
	lib=$(realpath lib.so)
	{
		printf 'prof\t1\npart\t1\tpositions=addr\nmeta\tformat\tpprof\nevent\t0\tn\t-\t-\t-\n'
		for i in $(seq 0 149); do
			printf 'object\t%s\t/%s%s\t-\nfunc\t%s\t-\t-\t%s\t-\ncost\t%s\t-\t-\t0x%x\t1\n' \
				"$i" "$(printf './%.0s' $(seq "$i"))" "${lib#/}" "$i" "$i" "$i" $((16#2000 + i))
		done
		echo end
	} >p
	prof-to pprof -o p.pb.gz p 2>/dev/null
	limited 300000 prof-top --quiet --tsv p.pb.gz >got
	[ "$(sed 1d got | awk -F '\t' '{ n += $5 } END { print n }')" = 150 ]
	limited 300000 prof-annotate --asm --quiet --tsv p.pb.gz | has '^total'
}

@test "JSON has the costs that TSV has" {
	local f=$TESTS/../share/examples/wordcount.callgrind.zst
	prof-annotate --quiet --tsv --all --events Ir "$f" | sed 1d | cut -f 1,2,3,6,7 >want
	awk -F '\t' '$4 != $5' want | has wordcount
	prof-annotate --quiet --json --all --events Ir "$f" |
		jq -r '[.row, .file, .line, .Ir, ."Ir.incl"] | map(. // "-") | @tsv' | diff want -
}

@test "where a source is has the room of a line of its own" {
	cd "$BATS_TEST_TMPDIR" || return 1
	d=a/quite/long/path/of/a/source/tree
	mkdir -p $d
	printf 'one\n' >$d/hot.c
	printf '%s\n' 'events: Ir' fl=hot.c fn=f '1 5' >a.cg
	touch -d 2020-01-01 a.cg
	prof-annotate --width 60 -I $d a.cg | sed -n 3,4p | diff - <(cat <<-'E'
	hot.c: 5 Ir, 100.00 %
	  source …/of/a/source/tree/hot.c, newer than the profile
	E
	)
}
