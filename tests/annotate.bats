#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# prof-annotate: against what other programs say of the lines of real programs, and
# prof-top; sources that are not where they were, or not as they were.

load tools.bash

# Real programs, with and without inlining, and what Valgrind says of them.
setup_file() {
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
	prof-annotate --tsv --min 0 --context 0 --events Ir "$1" | perl -F'\t' -lane '
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
		prof-annotate --tsv --min 0 --context 0 --events Ir "$f" |
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
		ours "$BATS_FILE_TMPDIR/$p.ca" | diff -u want -
	done
}

@test "lines are those of prof-top, whatever the format" {
	local f e=$repo/share/examples
	for f in "$(cg wordcount.cg)" "$(cg library.cg)" "$(cg library.ca)" \
	    "$e/tasks.pprof.gz" "$e/wordcount.callgrind.zst"; do
		prof-top --tsv -b file,line "$f" | awk -F '\t' -v OFS='\t' 'NR > 1 && $1 != "-" &&
			$2 != "-" && $2 { $3 = ""; print }' | sort >want
		[ "$(wc -l <want)" -ge 20 ]
		prof-annotate --tsv --min 0 --context 0 "$f" | awk -F '\t' -v OFS='\t' '
			$1 == "line" { NF -= 2; $4 = $5 = ""; print }' |
			cut -f 2,3,5- | sort | diff -u want -
	done
}

@test "the sums add up to the total, whatever is left out" {
	local f o
	f=$(cg library.cg)
	for o in '' '--min 0' '--min 5%' '-n 2' '--file library' '--function main' '--whole' \
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
	120   12.00  not asked for
	1,000  100.00  total
	END
	prof-annotate --context 0 "$(cg made.prof)" | has ' 950   95.00  source missing$'
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
	prof-annotate --tsv --min 0 --context 0 --function '^main.isPrime$' \
		"$repo/share/examples/tasks.pprof.gz" |
		awk -F '\t' '$1 == "line" { print $2, $3 }' >got
	echo './tasks.go 19' | diff - got
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
	[ "$(found | cut -d , -f 1)" = 'not found' ]
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

@test "a source that is newer, or shorter, is said to be" {
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
	says 'compile the program with -g, and use perf script -F +srcline' \
		prof-annotate "$e/calc.perf.zst"
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
	prof-annotate --tsv --min 0 --context 0 d | awk -F '\t' 'NR == 1 {
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
	samples       %  inclusive       %  line
	      2  100.00          2  100.00    49  	for (; isalnum((unsigned char)*at) && n < 15; at++)
	-- line 113 --
	      .       .          1   50.00   113  	return v->value = sum();
	                         1   50.00        => find

	END
	reads_executables
	cp "$repo/share/examples/calc.c" .
	"${CC:-cc}" -g -O1 -fno-inline -pg -o calc calc.c
	perl -e 'print "v1 = (1 + 2) * 3\n" x 300000' | ./calc >/dev/null
	prof-annotate --tsv --min 0 --context 0 --quiet ./calc | awk -F '\t' '
		$1 == "line" && $8 != "-" { print $3, $6 }' | sort >got
	[ -s got ]
	prof-top --tsv -b file,line --quiet ./calc | awk -F '\t' '
		$1 ~ /calc.c$/ && $2 > 0 { print $2, $4 }' | sort | diff -u - got
	prof-annotate --tsv --min 0 --quiet ./calc | has -P '^call\t.*calc.c\t\d+\tassign\t300000\t'
}

@test "events, formulas, ratios; marks and what they mean" {
	local f=$repo/share/examples/wordcount.callgrind.zst
	prof-annotate --events 'Dr + Dw,D1mr / Dr' --file wordcount --min 4% --context 0 "$f" >got
	has -E '^ *Dr \+ Dw +% +inclusive +% +D1mr / Dr +% +inclusive +% +line$' got
	[ "$(prof-annotate --json --min 0 "$f" | jq -r 'select(.row == "total") | .Ir, .Bc')" = \
		"$(printf '4890211\nnull')" ]
	exits_with 2 "prof-annotate: no event 'Irr': did you mean Ir?" prof-annotate --events Irr "$f"
	prof-annotate --file wordcount "$f" >got
	has -E '^122,065 +2.50 +~122,065 +2.50 +36$' got
	tail -n 1 got | has -x '~ in a cycle of calls: at least this'
	prof-annotate --file wordcount --function main "$f" >got
	lacks got '~'
	prof-annotate --syms "$repo/share/examples/calc.syms" --rules recursion --quiet "$f" >got
	has -E '=> insert \(24,413 calls\)' got
}

@test "filters, conditions, compressed and damaged input are as in all tools" {
	local f=$repo/share/examples/wordcount.callgrind.zst
	prof-grep -x read_word "$f" | prof-annotate --file wordcount --min 0 --context 0 --tsv |
		awk -F '\t' '{ v[$1] += $6 } END { print v["line"], v["annotated"] + v["missing"], v["total"] }' >got
	echo 759095 759095 4890211 | diff - got
	exits_with 1 'prof-annotate: --where keeps nothing' prof-annotate --where part=7 "$f"
	zstdcat "$f" | sed 9000q >cut
	exits_with 2 'the profile is cut' prof-annotate cut
	[ ! -s out ]
	prof-annotate --lenient --quiet cut 2>err | has '^skipped: 1 malformed'
	exits_with 2 '--tsv and --json cannot be combined' prof-annotate --tsv --json "$f"
	exits_with 2 "--min: expected a share, such as 0.5%, found 'x'" prof-annotate --min x "$f"
	exits_with 2 "bad pattern '('" prof-annotate --file '(' "$f"
}

@test "names from the profile do nothing to a terminal" {
	sed $'s/main/ma\e[31min/; s,work,w\aork,; s,/old/src,/o\x9bld,' "$(cg made.prof)" >p
	on_terminal 100 24 'prof-annotate --color=never --min 0 p' >got
	lacks got '[^\n -~]'
	has -F '=> w\x07ork (7 calls)' got
	has -F '/o\x9bld/a.c: 850 Ir' got
	on_terminal 100 24 'prof-annotate --tsv --min 0 p' >got
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
		--events Ir,D1mr '$f'" >got
	has -Ex ' +Ir  inclusive   D1mr  inclusive  line' got
	has -E '^ +28,192 +\.        => __strcpy_avx2 \(999 calls\)$' got
	[ "$(grep '^ *[0-9.]' got | grep -v ' lines\?$' | sed 's/\xe2\x80\xa6/x/g' | wc -L)" -le 80 ]
	has -E '^[0-9,]+ +42.[0-9]+ .* annotated$' got	# the sums have both
	# Of a long name the middle is cut, not the count.
	on_terminal 80 24 "prof-annotate --color=never --min 2% '$(cg library.cg)'" >got
	has -aP '=> .{3,}\xe2\x80\xa6.{3,} \(200 calls\)$' got
}
