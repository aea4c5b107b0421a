# SPDX-License-Identifier: ISC
# of: codec prof-top sum
# Points, costs against the size of the input, ranked: by function, by context,
# and what becomes of them as a call graph.  Samples go the same way.

load tools.bash

# A random tree of contexts whose numbers agree: tree SEED NODES ROUTINES OPTION...
# writes the report, and what the generator knows of it: functions (name, calls,
# self, inclusive), the same with calls of callers alone, and edges (callee, caller,
# calls, inclusive).
#	recursive	a routine may be above itself
#	nested0		of an activation inside another one, real is 0
#	folded		writes samples instead
tree() {
	perl -e '
	my ($seed, $n, $routines, %o) = (@ARGV[0 .. 2], map { $_ => 1 } @ARGV[3 .. $#ARGV]);
	my (@up, @f, @self, @calls, @incl, @above, %func, %edge, %points, $total);
	srand $seed;
	for my $i (0 .. $n - 1) {
		$up[$i] = $i ? int rand $i : -1;
		my %on = $i ? (%{$above[$up[$i]]}, $f[$up[$i]] => 1) : ();
		do {
			$f[$i] = $o{recursive} || !$i ? int rand $routines :
			    $f[$up[$i]] + 1 + int rand 3;
		} while !$o{recursive} && $on{$f[$i]};
		$above[$i] = \%on;
		# Callees of one context are different routines.
		my $key = "$up[$i] $f[$i]";
		$seen{$key}++ and redo;
		$self[$i] = 1 + int rand 1000;
		$calls[$i] = 1 + int rand 50;
		$incl[$i] = $self[$i];
		$total += $self[$i];
	}
	for (my $i = $n - 1; $i > 0; $i--) { $incl[$up[$i]] += $incl[$i] }
	for my $i (0 .. $n - 1) {
		my ($name, $p) = ("f$f[$i]", $up[$i]);
		my $nested = $above[$i]{$f[$i]};
		$func{$name} ||= [0, 0, 0];
		$func{$name}[1] += $self[$i];
		$func{$name}[2] += $incl[$i] unless $nested;
		$func{$name}[0] += $calls[$i] if $p < 0 || $f[$p] != $f[$i];
		next if $p < 0;
		my $e = $edge{"$name f$f[$p]"} ||= [0, 0];
		$e->[0] += $calls[$i];
		my $again = 0;
		for (my $k = $p; $k >= 0 && $up[$k] >= 0; $k = $up[$k]) {
			$again ||= $f[$k] == $f[$i] && $f[$up[$k]] == $f[$p];
		}
		$e->[1] += $incl[$i] unless $again;
	}
	open my $r, ">", "report";
	if ($o{folded}) {
		for my $i (0 .. $n - 1) {
			my ($k, @s) = $i;
			for (; $k >= 0; $k = $up[$k]) { unshift @s, "f$f[$k]" }
			print $r join(";", @s), " $self[$i]\n";
		}
	} else {
		print $r "v 4\nk $total\ne 0\nm cost\na x\nf x\n";
		for my $f (sort { $a <=> $b } keys %{{ map { $_ => 1 } @f }}) {
			print $r qq(r "f$f" "/bin/x" $f\n);
			for my $i (grep { $f[$_] == $f } 0 .. $n - 1) {
				my ($cost, $self, $occ) = ($incl[$i], $self[$i], $calls[$i]);
				my $parts = 1 + int rand($occ < 3 ? $occ : 3);
				for my $k (1 .. $parts) {	# sizes
					my $last = $k == $parts;
					my $c = $last ? $cost : int $cost / 2;
					my $s = $last ? $self : int $self / 2;
					my $m = $last ? $occ : 1;
					$cost -= $c; $self -= $s; $occ -= $m;
					my $real = $o{nested0} && $above[$i]{$f} ? 0 : $c;
					print $r "q $i ", 10 * $k, " 0 $c $c 1 $m $real $s 0 $s 1\n";
				}
			}
		}
		print $r "x $f[$_] $_ $up[$_]\n" for 0 .. $n - 1;
	}
	open my $w, ">", "functions";
	print $w join("\t", $_, @{$func{$_}}), "\n" for sort keys %func;
	open $w, ">", "edges";
	print $w join("\t", split(/ /), @{$edge{$_}}), "\n" for sort keys %edge;
	# Nobody calls the root: a graph does not tell how often it ran.
	$func{"f$f[0]"}[0] -= $calls[0];
	open $w, ">", "called";
	print $w join("\t", $_, @{$func{$_}}), "\n" for sort keys %func;
	' "$@"
}

# Functions and edges as the program has them.
functions() {
	prof-top --tsv "$@" | sed 1d | awk -F '\t' -v OFS='\t' '{ print $1, $4, $5, $6 }' | sort
}

edges() {
	prof-top --tsv --callers . "$@" | sed 1d |
		awk -F '\t' -v OFS='\t' '{ print $1, $4, $7, $8 }' | sort
}

@test "random trees of contexts: self, inclusive, calls, callers as their maker knows them" {
	for t in '1 40 12' '2 400 30' '3 60 6 recursive' '4 500 9 recursive' \
		'5 300 40 recursive' '6 500 9 recursive nested0'; do
		echo "tree $t"
		tree $t
		functions report 2>err >got
		[ ! -s err ]
		diff functions got
		edges report >got
		sort edges | diff - got
		prof-top --tsv --callees . report | sed 1d |
			awk -F '\t' -v OFS='\t' '{ print $4, $1, $7, $8 }' | sort >got
		sort edges | diff - got
	done
}

@test "random stacks, the same" {
	for t in '11 40 12 folded' '12 400 30 folded' '13 500 9 recursive folded'; do
		tree $t
		awk -F '\t' -v OFS='\t' '{ print $1, "-", $3, $4 }' functions >want
		functions report | diff want -
		sort edges | awk -F '\t' -v OFS='\t' '{ print $1, $2, "-", $4 }' >want
		edges report | diff want -
	done
}

@test "a tree as a call graph has the numbers of the tree" {
	for t in '1 40 30' '2 400 90' '7 400 300'; do
		echo "tree $t"
		tree $t
		prof-to callgrind --quiet report >cg
		functions cg | diff called -
		sort edges >want
		edges cg | diff want -
		callgrind_annotate --threshold=100 --inclusive=yes cg >annotated
		perl -ne 'print "$2\t$1\n" if /^\s*([\d,]+) \([ \d.]+%\)\s+(?:\S*):(\S+)/' annotated |
			tr -d , | sort >got
		cut -f 1,4 functions | diff - got
		callgrind_annotate --threshold=100 cg >annotated
		perl -ne 'print "$2\t$1\n" if /^\s*([\d,]+) \([ \d.]+%\)\s+(?:\S*):(\S+)/' annotated |
			tr -d , | sort >got
		cut -f 1,3 functions | diff - got
		prof-to cachegrind --quiet report | functions - |
			cut -f 1,3 | diff <(cut -f 1,3 functions) -
	done
	# With recursion self costs, calls and callers are the same; inclusive cost is
	# a lower bound in cycles.
	tree 4 500 9 recursive
	prof-to callgrind --quiet report >cg
	functions cg | cut -f 1-3 | diff <(cut -f 1-3 called) -
	edges cg | diff <(sort edges) -
}

@test "activations that were not counted are no calls counted 0" {
	printf '%b\n' 'prof\t1' 'part\t1' 'event\t0\tIr\t-\t-\t-' 'func\t0\tf\t-\t-\t-' \
		'func\t1\tg\t-\t-\t-' 'ctx\t0\t-\t0\t-\t-\t-' 'ctx\t1\t0\t1\t-\t-\t-' \
		"point\\t1\\t1\\t8\\t-\\t-\\t-\\t5\\t-\\t5\\t5$(
		printf '\\t-%.0s' {1..10})" end >x
	prof-to callgrind x >cg 2>err
	grep -q 'absent counts (written as 1) (1)' err
	grep -q '^calls=1 ' cg
}

@test "stacks as a call graph, likewise" {
	tree 12 400 90 folded
	prof-to callgrind --quiet report >cg
	functions cg | cut -f 1,3,4 | diff <(cut -f 1,3,4 functions) -
	edges cg | cut -f 1,2,4 | diff <(sort edges | cut -f 1,2,4) -
	callgrind_annotate --threshold=100 --inclusive=yes cg |
		perl -ne 'print "$2\t$1\n" if /^\s*([\d,]+) \([ \d.]+%\)\s+(?:\S*):(\S+)/' |
		tr -d , | sort >got
	cut -f 1,4 functions | diff - got
	prof-to cachegrind --quiet report | functions - | cut -f 1,3 |
		diff <(cut -f 1,3 functions) -
	tree 13 500 9 recursive folded
	prof-to callgrind --quiet report >cg
	functions cg | cut -f 1,3 | diff <(cut -f 1,3 functions) -
	edges cg | cut -f 1,2,4 | diff <(sort edges | cut -f 1,2,4) -
	prof-to cachegrind --quiet report | functions - | cut -f 1,3 |
		diff <(cut -f 1,3 functions) -
}

@test "points of functions: sums, real is the inclusive cost, calls are all" {
	printf '%s\n' 'v 4' 'k 1000' 'm c' 'a x' 'f x' 'r "f" "/bin/x" 0' \
		'p 0 7 1 9 90 1 10 60 30 1 9 1' 'p 0 3 1 9 20 1 5 15 12 1 9 1' \
		'p 0 7 1 9 5 1 1 5 5 1 5 1' 'r "g" "/bin/y" 1' \
		'p 1 100 1 700 700 1 1 700 653 1 653 1' >r
	prof-top --tsv r 2>err >got
	bars >want <<-'E'
	function|file|object|calls|c|c.incl|sizes|size.min|size.max
	g|-|/bin/y|1|653|700|1|100|100
	f|-|/bin/x|16|47|80|2|3|7
	E
	diff want got
	prof-top r 2>/dev/null >got
	cat >want <<-'E'
	1,000 c in 1 profile, 1 part: x

	self c      %  sum %  inclusive      %  calls  sizes  smallest  largest  function  object
	   653  65.30  65.30        700  70.00      1      1       100      100  g  [/bin/y]
	    47   4.70  70.00         80   8.00     16      2         3        7  f  [/bin/x]
	30.00 % of the total is in no row
	E
	diff want got
	# Several reports are summed, their sizes are one set; by object; in total.
	sed 's/ 7 1 9 90/ 8 1 9 90/' r >r2
	prof-top --tsv r r2 2>/dev/null | sed 1d >got
	bars >want <<-'E'
	g|-|/bin/y|2|1306|1400|1|100|100
	f|-|/bin/x|32|94|160|3|3|8
	E
	diff want got
	prof-top --tsv -b object r 2>/dev/null | sed 1d >got
	printf '/bin/y\t1\t653\t700\t1\t100\t100\n/bin/x\t16\t47\t80\t2\t3\t7\n' | diff - got
	prof-top --tsv -b total r 2>/dev/null | sed 1d >got
	# Not the sum of both, as one may be inside the other.
	printf '17\t700\t700\t3\t3\t100\n' | diff - got
	prof-top --tsv -b source,function r r2 2>/dev/null | cut -f 1,2,5- | sed 1d | sort >got
	bars >want <<-'E'
	r2|f|16|47|80|3|3|8
	r2|g|1|653|700|1|100|100
	r|f|16|47|80|2|3|7
	r|g|1|653|700|1|100|100
	E
	sort want | diff - got
	# Lines are not known, nor are calls of them.
	prof-top --tsv -b line r 2>/dev/null | sed 1d >got
	printf -- '-\t-\t-\t700\t700\t3\t3\t100\n' | diff - got
}

@test "early versions: averages are an estimate, recursion is unknown" {
	printf '%s\n' 'v 0' 'm c' 'r main 4195712 /bin/x 0' 'p 0 1 37 2' \
		'r f(int) 4195800 /bin/x 1' 'p 1 4 12 3' 'p 1 9 20 2' >v0
	printf '%s\n' 'v 1' 'k 100' 'm c' 'r "f(int)" "/bin/x" 0' \
		'p 0 23 15 37 270 7420 10' >v1
	prof-top --tsv v0 2>err | sed 1d >got
	bars >want <<-'E'
	f(int)|-|/bin/x|5|-|76|2|4|9
	main|-|/bin/x|2|-|74|1|1|1
	E
	diff want got
	[ "$(wc -l <err)" = 1 ]
	grep -q 'the profile has only averages: costs are estimated as average times calls$' err
	prof-top --tsv v1 2>err | sed 1d >got
	bars <<<'f(int)|-|/bin/x|10|-|270|1|23|23' | diff - got
	[ "$(wc -l <err)" = 1 ]
	grep -q 'the profile does not mark recursion: inclusive cost counts it more than once$' err
	# Both notes, once each, in any order.
	for files in 'v0 v1' 'v1 v0' 'v1 v0 v1 v0'; do
		prof-top --tsv $files 2>err >/dev/null
		[ "$(wc -l <err)" = 2 ]
	done
	prof-top --quiet v0 v1 2>err >/dev/null
	[ ! -s err ]
	# What has no self cost is said to be lost.
	prof-to callgrind v1 2>err >/dev/null
	grep -q 'costs of points without self cost (1)' err
}

@test "numbers of any size; what does not fit 128 bits is an error" {
	n=100000000000000000000000000000	# about 2^97
	printf '%s\n' 'v 4' 'm c' 'r "f" "/bin/x" 0' \
		"p 0 $n 1 $n $n 1 1 $n $n 1 $n 1" "p 0 18446744073709551616 1 $n $n 1 1 $n $n 1 $n 1" >r
	prof-top --tsv r 2>/dev/null | sed 1d | cut -f 4- >got
	bars <<<"2|2${n#1}|2${n#1}|2|18446744073709551616|$n" | diff - got
	prof-top --growth r >/dev/null 2>&1
	m=170141183460469231731687303715884105727	# 2^127 - 1
	for p in "1 1 $m $m 1 1 1 $m 1 1 1" "1 1 1 $m 1 1 $m 1 1 1 1" \
		"1 1 1 $m 1 $m 1 1 1 1 1" "1 1 1 $m 1 1 1 1 1 1 1" \
		"${m}0 1 1 1 1 1 1 1 1 1 1" "1 1 1 ${m}0 1 1 1 1 1 1 1"; do
		printf '%s\n' 'v 4' 'm c' 'r "f" "/bin/x" 0' "p 0 $p" "p 0 $p" >r
		fails_with 'a sum does not fit 128 bits' prof-top r
		[ ! -s fails.out ]
		sed 's/^p 0/q 5/; $a x 0 5 -1' r >q
		fails_with 'a sum does not fit 128 bits' prof-top q
	done
	# The averages times the calls.
	printf '%s\n' 'v 0' 'm c' 'r f 1 /bin/x 0' "p 0 1 $m 2" >r
	fails_with 'a sum does not fit 128 bits' prof-top r
}

# A stream: records, "|" between fields, of a part with the events x and y.
stream() {
	{
		printf '%s\n' 'prof|1' 'part|1' 'event|0|x|-|-|-' 'event|1|y|-|-|-' "$@" end
	} | bars
}

@test "the least number there is does not overflow" {
	n=-170141183460469231731687303715884105728
	stream 'func|0|f|-|-|-' 'ctx|0|-|0|-|-|-' "sample|0|$n|1" >s
	prof-top --tsv s | sed 1d >got
	bars <<<"f|-|-|0|$n|$n|1|1" | diff - got
	stream 'func|0|f|-|-|-' "point|0|-|1|1|-|-|-|-|-|$n|-|-|-|-|-|-|-|-|-|-" >s
	prof-top --tsv --events x s | sed 1d | cut -f 4-6 >got
	bars <<<"1|$n|$n" | diff - got
}

@test "costs that are negative in some stacks bound no others" {
	printf '%s\n' 'a;f 5' 'b;f -3' 'c;g 4' 'd;g -4' >f
	prof-top --tsv f | sed 1d | cut -f 1,5,6 >got
	bars >want <<-'E'
	f|2|2
	a|0|5
	b|0|-3
	c|0|4
	d|0|-4
	g|0|0
	E
	diff want got
	printf '%s\n' 'a;f 0 5' 'b;f 3 0' >f
	prof-top --tsv --events 'samples.new - samples.old' f | sed 1d | cut -f 1,5,6 | sort >got
	bars <<-'E' | diff - got
	a|0|5
	b|0|-3
	f|2|2
	E
}

@test "inclusive costs of points are as measured, whatever a filter has left" {
	tree 2 400 30
	grep -P '^f40\t' functions >want
	prof-grep -x f40 report 2>/dev/null | functions - | grep -P '^f40\t' | diff want -
	# Of functions, too: main is most of it, what it calls is filtered.
	printf '%s\n' 'v 4' 'm c' 'r "main" "/bin/x" 0' 'p 0 1 900 900 900 1 1 900 10 10 10 100' \
		'r "f" "/bin/y" 1' 'p 1 1 890 890 890 1 1 890 890 890 890 100' >r
	prof-grep --in object x r | prof-top --tsv | sed 1d | cut -f 1,5,6 >got
	bars <<<'main|10|900' | diff - got
}

@test "costs, calls, samples and points in one part add up" {
	stream 'func|0|f|-|-|-' 'func|1|g|-|-|-' 'ctx|0|-|0|-|-|-' 'ctx|1|0|1|-|-|-' \
		'cost|0|-|-|-|10|1' 'call|0|-|-|-|1|-|-|3|90|9' 'cost|1|-|-|-|90|9' \
		'sample|1|5|50' 'sample|-|2|20' 'cost|1|-|-|-|1|1' \
		'point|1|1|8|4|-|-|7|-|7|7|-|-|-|-|-|-|-|-|-|-' \
		'point|0|-|8|2|-|-|30|-|30|3|-|-|-|-|-|-|-|-|-|-' >s
	prof-top --tsv s | sed 1d | cut -f 1,4- >got
	# g: 90 + 1 + 5 + 7; f: the larger of 10 + 90, and of samples and points 12 + 30
	bars >want <<-'E'
	g|7|103|103|60|60|1|8|8
	f|2|13|142|1|60|1|8|8
	-|0|2|2|20|20|0|-|-
	E
	diff want got
	# The call graph below g was dropped: what the call cost is not lost in samples.
	stream 'total|run|200|60' 'func|0|f|-|-|-' 'func|1|g|-|-|-' 'ctx|0|-|1|-|-|-' \
		'cost|0|-|-|-|10|1' 'call|0|-|-|-|1|-|-|3|90|9' 'cost|1|-|-|-|20|9' \
		'sample|0|5|50' >s
	prof-top --tsv --events x s | sed 1d | cut -f 1,5,6 >got
	bars <<-'E' | diff - got
	g|25|95
	f|10|100
	E
}

@test "a part's events are its own; rows by part, thread, file, line, object" {
	printf '%s\n' 'prof|1' 'part|1' 'meta|part|1' 'meta|thread|7' 'event|0|x|-|-|-' \
		'event|1|y|-|-|-' 'object|0|/bin/o|-' 'file|0|a.c' 'file|1|b.c' \
		'func|0|f|0|0|-' 'func|1|g|0|-|-' 'ctx|0|-|0|0|10|-' 'ctx|1|0|1|1|20|-' \
		'ctx|2|1|0|-|-|0x40' 'sample|1|1|100' 'sample|2|2' \
		'part|1' 'meta|part|2' 'meta|thread|8' 'event|0|y|-|-|-' 'event|1|x|-|-|-' \
		'sample|1|1000|4' 'sample|0|2000' end | bars >s
	prof-top --tsv s | sed 1d | cut -f 1,3- >got
	bars <<-'E' | diff - got
	g|-|0|5|7|1100|1100
	f|/bin/o|0|2|7|2000|3100
	E
	prof-top --tsv -b part,thread,function s | sed 1d | cut -f 1-3,7- | sort >got
	bars <<-'E' | diff - got
	1|7|f|2|3|0|100
	1|7|g|1|3|100|100
	2|8|f|0|4|2000|3000
	2|8|g|4|4|1000|1000
	E
	prof-top --tsv -b file,line,addr --events x s | sed 1d | cut -f 1-4,6,7 | sort >got
	bars <<-'E' | diff - got
	-|-|/bin/o|0x40|2|2
	a.c|10|/bin/o|-|0|7
	b.c|20|-|-|5|7
	E
	prof-top --tsv -b object --events x s | sed 1d | cut -f 1,3,4 | sort >got
	bars <<-'E' | diff - got
	-|5|7
	/bin/o|2|7
	E
	prof-top --tsv -b total --events y,x s | sed 1d >got
	printf -- '-\t3100\t3100\t7\t7\n' | cut -f 2- | diff - <(cut -f 2- got)
	# As call graphs, columns in the order of each part: f and g are a cycle there.
	prof-to callgrind --quiet s >cg
	grep -A 99 '^part: 2' cg | has '^events: y x'
	prof-top --tsv --events x,y cg | sed 1d | cut -f 1,5,7 >got
	bars <<-'E' | diff - got
	g|5|1100
	f|2|2000
	E
}

@test "deep trees, wide ones, many parts" {
	perl -e 'print join(";", map { "f" . $_ % 1000 } 1 .. 300000), " 3\n"' >deep
	prof-top --tsv --from folded deep | awk -F '\t' 'NR > 1 { n++; s += $5; if ($6 != 3) exit 1 }
		END { print n, s }' >got
	echo '1000 3' | diff - got
	prof-to callgrind --quiet --from folded deep | prof-top --tsv | awk -F '\t' 'NR > 1 { s += $5 }
		END { print NR, s }' >got
	echo '1001 3' | diff - got
	perl -e 'print "main;f$_ 1\n" for 1 .. 100000' >wide
	prof-top --tsv wide | awk -F '\t' '$1 == "main" { print $6, NR }' >got
	echo '100000 100002' | diff - got
	for i in {1..300}; do
		printf '%s\n' prof part | sed 's/$/\t1/'
		printf 'event\t0\tn\t-\t-\t-\nfunc\t0\tf\t-\t-\t-\nctx\t0\t-\t0\t-\t-\t-\n'
		printf 'sample\t0\t%s\nend\n' "$i"
	done >parts
	prof-top --tsv parts | sed 1d >got
	printf 'f\t-\t-\t0\t45150\t45150\n' | diff - got
}

@test "a table of points is ranked as its report is" {
	printf '%s\n' 'v 4' 'm Ir' 'r "f" "/bin/x" 0' 'p 0 7 1 9 90 1 10 60 30 1 9 1' \
		'p 0 3 1 9 20 1 5 15 12 1 9 1' 'r "g" "/bin/y" 1' \
		'p 1 100 1 700 700 1 1 700 653 1 653 1' >r
	prof-to tsv --quiet --records point r >t
	prof-top --tsv r 2>/dev/null | sed 's/Ir/cost/g' >want
	prof-top --tsv t | diff want -
	# The metric's name is the one that a report without m has.
	prof-cat t | grep '^event' >got
	bars <<<'event|0|cost|-|-|-' | diff - got
	prof-to aprof --quiet t >back
	lacks back '^m'
	functions back >got
	functions t | diff - got
}

@test "attributes of an event stay as they are when stacks become calls" {
	printf 'prof\t1\npart\t1\nevent\t0\tn\t-\t-\t-\tcalls=absent\ta\\=b=c\\td\tx=y\\\\z\nfunc\t0\tf\t-\t-\t-\nctx\t0\t-\t0\t-\t-\t-\nsample\t0\t5\nend\n' >s
	prof-to callgrind --quiet s | prof-cat | grep '^event' >got
	printf 'event\t0\tn\t-\t-\t-\ta\\=b=c\\td\tx=y\\\\z\n' | diff - got
}

@test "stacks of many events with few values are rejected, by themselves and as calls" {
	shape prof:wide-samples 12000 >x
	fails_with '12000 events with few values' limited 600000 prof-to callgrind x
	shape prof:wide-stack 12000 >x
	fails_with '12000 events with few values' limited 600000 prof-to cachegrind x
	fails_with '12000 events with few values' limited 600000 prof-top --tsv x
	limited 300000 prof-to callgrind --quiet --events e0,e1 x | grep -c '^cfn=' >got
	echo 11999 | diff - got
}
