# SPDX-License-Identifier: ISC
# of: filter graph prof-grep rules
# prof-grep --rules with `fold`: functions folded into their callers.

load helper.bash

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	cat >a.cpp <<-'E'
	#include <algorithm>
	#include <map>
	#include <string>
	#include <vector>
	#include <cstdio>
	using namespace std;
	static bool by_length(const string &a, const string &b) {
		return a.size() != b.size() ? a.size() < b.size() : a < b; }
	__attribute__((noinline)) map<string, int> count(const vector<string> &v) {
		map<string, int> m;
		for (auto &s : v) m[s.substr(0, 3)]++;
		return m; }
	__attribute__((noinline)) void sort_some(vector<string> &v) {
		sort(v.begin(), v.end(), by_length); }
	int main() {
		vector<string> v;
		for (unsigned i = 0, x = 1; i < 500; i++)
			v.push_back(to_string(x = x * 1103515245 + 12345));
		sort_some(v);
		printf("%zu\n", count(v).size()); }
	E
	"${CXX:-c++}" -g -O0 -o a a.cpp
	valgrind_to real.out callgrind ./a
}

# fold REGEX [FILE...]: functions of this name.
fold() {
	local re=$1
	shift
	printf "rules: [ {fold: {function: '%s'}} ]\n" "$re" >r.yaml
	prof-grep --rules r.yaml --quiet "$@"
}

# What a stream says, a line each, sorted: NAME:LINE COST..., and
# NAME:LINE > CALLEE COUNT COST...
told() {
	awk -F '\t' '
	$1 == "event" && $2 != "-" { nev = $2 + 1 }
	$1 == "func" { fn[$2] = $3 }
	$1 == "cost" || $1 == "call" {
		printf "%s:%s", ($2 in fn ? fn[$2] : "???"), $4
		if ($1 == "call") printf " > %s %s", fn[$6], $9
		i = $1 == "cost" ? 6 : 10
		for (n = 0; n < nev; n++) printf " %s", i + n <= NF ? $(i + n) : 0
		print "" }' | LC_ALL=C sort
}

# Standard input is what g is, folded by the regex.
folds_to() {
	LC_ALL=C sort >want
	fold "$1" g | told >got
	same want got
}

# ---- by hand ----

@test "the cost of a folded function and its calls go to the place that calls it" {
	graph Ir >g <<-'E'
	main 10
	main : 7 > s 3 130
	s 100
	s > k 4 30
	k 30
	E
	folds_to '^s' <<-'E'
	k:1 30
	main:1 10
	main:7 100
	main:7 > k 4 30
	E
	# One caller: nothing is estimated, and nobody says so.
	printf "rules: [ {fold: {function: '^s'}} ]\n" >r.yaml
	silent prof-grep --rules r.yaml g >out
	lacks out estimate
}

@test "several callers have shares, by the inclusive cost of their calls" {
	graph Ir >g <<-'E'
	a > s 3 90
	b > s 1 40
	s 100
	s > k 7 30
	E
	# 100 * 9 / 13 is 69.2, 30 * 9 / 13 is 20.8; 7 calls are split as 3 to 1.
	folds_to '^s' <<-'E'
	a:5 69
	a:5 > k 5 21
	b:5 31
	b:5 > k 2 9
	E
	prof-grep --rules r.yaml g 2>note >out
	grep -q '^meta	estimate	fold, by the inclusive cost of calls$' out
	echo 'prof-grep: the cost of 1 folded function was distributed among several' \
		'callers, by the inclusive cost of their calls' | diff - note
}

@test "equal remainders: the first by name, file and line gets more" {
	graph Ir >g <<-'E'
	b > s 1 5
	a : 8 > s 1 5
	a : 7 > s 1 5
	s 14
	E
	folds_to '^s' <<-'E'
	a:7 5
	a:8 5
	b:5 4
	E
}

@test "places of one function share, and that is no estimate of the function" {
	graph Ir >g <<-'E'
	a : 7 > s 1 30
	a : 8 > s 1 10
	s 20
	E
	folds_to '^s' <<-'E'
	a:7 15
	a:8 5
	E
	fold '^s' g >out
	lacks out estimate
}

@test "callers that are all folded into one function are no estimate" {
	graph Ir >g <<-'E'
	main > s1 1 60
	s1 > s2 1 20
	s1 > s3 1 40
	s2 > s4 1 20
	s3 > s4 1 40
	s4 60
	E
	folds_to '^s' <<<'main:5 60'
	fold '^s' g >out
	lacks out estimate
}

@test "a chain, a function called by itself, and functions calling each other" {
	graph Ir >g <<-'E'
	main > s1 1 60
	s1 10
	s1 > s1 9 500
	s1 > s2 2 50
	s2 20
	s2 > s3 4 30
	s3 30
	s3 > s2 3 15
	s3 > k 8 5
	k 5
	E
	folds_to '^s' <<-'E'
	k:1 5
	main:5 60
	main:5 > k 8 5
	E
}

@test "who calls a folded function that calls it back calls itself" {
	graph Ir >g <<-'E'
	main > c 1 100
	c 60
	c > s 4 70
	s 40
	s > c 2 50
	E
	folds_to '^s' <<-'E'
	c:1 60
	c:5 40
	c:5 > c 2 50
	main:5 > c 1 100
	E
}

@test "what no other function calls stays; of a cycle, the first" {
	graph Ir >g <<-'E'
	sroot 5
	sroot > s 1 20
	sroot > k 0 3
	s 20
	sb > sa 1 9
	sa > sb 1 9
	sa 2
	sb 7
	slone 1
	slone > slone 3 4
	E
	# Its cost has no lines any more.
	folds_to '^s' <<-'E'
	sa:- 2
	sa:5 7
	sa:5 > sa 1 9
	slone:- 1
	slone:5 > slone 3 4
	sroot:- 5
	sroot:5 20
	sroot:5 > k 0 3
	E
}

@test "calls that cost nothing share by their counts, those without by all alike" {
	graph Ir >g <<-'E'
	a > s 3 0
	b > s 1 0
	s 8
	s > k 0 4
	E
	folds_to '^s' <<-'E'
	a:5 6
	a:5 > k - 3
	b:5 2
	b:5 > k - 1
	E
	graph Ir >g <<-'E'
	a > s 0 0
	b > s 0 0
	s 9
	E
	folds_to '^s' <<-'E'
	a:5 5
	b:5 4
	E
}

@test "each event goes its way; a call without a cost or a count is none" {
	graph 'Dr Dw' >g <<-'E'
	a > s 1 6 0
	b > s 1 0 4
	s 8 4
	s > k 1 3 0
	E
	folds_to '^s' <<-'E'
	a:5 8 0
	a:5 > k 1 3 0
	b:5 0 4
	E
	# Where the cost is and the count is not, the count is not known.
	graph Ir >g <<-'E'
	a > s 9 1
	b > s 1 9
	s > k 1 10
	E
	folds_to '^s' <<-'E'
	a:5 > k 1 1
	b:5 > k - 9
	E
	fold '^s' g | prof-to callgrind --quiet | grep -A 9 '^fn=.*b$' | has '^calls=1 9$'
}

@test "absent is not zero, and stays so" {
	tabs >g <<-'E'
	prof  1
	part  1
	event  0  A  -  -  -
	event  1  B  -  -  -
	func  0  main  -  -  -
	func  1  s  -  -  -
	func  2  k  -  -  -
	cost  1  -  1  -  -  4
	call  0  -  5  -  1  -  -  2  -  4
	call  1  -  6  -  2  -  -  -  7  -
	end
	E
	folds_to '^s$' <<-'E'
	main:5 - 4
	main:5 > k - 7 -
	E
}

@test "jumps go, other records pass; parts are folded each by itself" {
	tabs >g <<-'E'
	prof  1
	part  1
	event  0  A  -  -  -
	func  0  main  -  -  -
	func  1  s  -  -  -
	ctx  0  -  1  -  -  -
	jump  0  -  1  -  1  -  2  -  5  -
	jump  0  -  1  -  0  -  2  -  5  -
	vprof  1  1  x  5  7
	raw  1  text
	sample  0  3
	call  0  -  5  -  1  -  -  2  4
	cost  1  -  1  -  4
	total  run  4
	part  1
	event  0  B  -  -  -
	event  1  C  -  -  -
	cost  1  -  1  -  1  2
	end
	E
	fold '^s$' g | cut -f 1-6 >got
	tabs >want <<-'E'
	prof  1
	part  1
	meta  filter  --rules r
	event  0  A  -  -  -
	func  0  main  -  -  -
	jump  0  -  1  -  0
	func  1  s  -  -  -
	vprof  1  1  x  5  7
	raw  1  text
	ctx  0  -  1  -  -
	sample  0  3
	total  run  4
	cost  0  -  5  -  4
	part  1
	meta  filter  --rules r
	event  0  B  -  -  -
	event  1  C  -  -  -
	cost  1  -  -  -  1
	end
	E
	same want got
}

@test "attributes of calls stay with them, also where costs are distributed" {
	tabs >g <<-'E'
	prof  1
	part  1
	event  0  Ir  -  -  -
	func  0  main  -  -  -
	func  1  lib  -  -  -
	func  2  work  -  -  -
	call  0  -  5  -  2  -  -  1  4  stays=yes
	call  0  -  6  -  1  -  -  1  30  into=lib
	call  1  -  7  -  2  -  -  2  10  a=b  c=d
	call  1  -  8  -  2  -  -  3  20  a=e
	call  1  -  9  -  2  -  -  4  0
	end
	E
	tabs >want <<-'E'
	call  0  -  5  -  1  -  -  1  4  stays=yes
	call  0  -  6  -  1  -  -  4  0
	call  0  -  6  -  1  -  -  2  10  a=b  c=d
	call  0  -  6  -  1  -  -  3  20  a=e
	E
	fold '^lib$' g | grep '^call' | LC_ALL=C sort >got
	LC_ALL=C sort want | same - got
}

@test "in a difference old and new are distributed, and the change is between them" {
	graph Ir >old <<-'E'
	a > s 1 10
	b > s 1 30
	s 40
	E
	graph Ir >new <<-'E'
	a > s 1 30
	b > s 1 30
	s 60
	E
	prof-diff old new >g
	folds_to '^s' <<-'E'
	a:- 20 10 30 - -
	b:- 0 30 30 - -
	E
	# What one side has not is 0 in the change; a change has 128 bits, too.
	sed 's/^\(cost\t.*\)\t20\t40\t60\t/\1\t60\t-\t60\t/' g >h
	[ "$(diff g h | grep -c '^>')" = 1 ]
	cp g both && mv h g
	folds_to '^s' <<-'E'
	a:- 30 - 30 - -
	b:- 30 - 30 - -
	E
	most=170141183460469231731687303715884105726
	sed "s/^\\(cost\\t.*\\)\\t20\\t40\\t60\\t/\\1\\t0\\t-$most\\t$most\\t/" both >h
	exits_with 2 'a sum of folded costs does not fit 128 bits' fold '^s' h
	# Costs below 0 without their parts weigh as much as those above.
	graph Ir >g <<-'E'
	a > s 1 -10
	b > s 1 30
	s -20
	s > k 4 8
	E
	folds_to '^s' <<-'E'
	a:5 -5
	a:5 > k 2 2
	b:5 -15
	b:5 > k 2 6
	E
}

@test "costs up to the end of 128 bits, and beyond" {
	tabs >g <<-'E'
	prof  1
	part  1
	event  0  A  -  -  -
	func  0  a  -  -  -
	func  1  s  -  -  -
	func  2  b  -  -  -
	cost  1  -  1  -  170141183460469231731687303715884105727
	call  0  -  5  -  1  -  -  2  85070591730234615865843651857942052863
	call  2  -  5  -  1  -  -  2  85070591730234615865843651857942052863
	end
	E
	folds_to '^s$' <<-'E'
	a:5 85070591730234615865843651857942052864
	b:5 85070591730234615865843651857942052863
	E
	# Halves, where no remainder is left at any of the steps of a long division.
	sed 's/\t170141[0-9]*$/\t1267650600228229401496703205376/
		s/\t850705[0-9]*$/\t1152921504606846976/' g >halves
	fold '^s$' halves | told >got
	printf '%s:5 633825300114114700748351602688\n' a b | same - got
	# Calls of what is folded, which are added up before they are shared.
	sed 's/^cost/call/; s/^call	1	-	1	-	/call	1	-	1	-	3	-	-	1	/
		/^func	2/a func\t3\tt\t-\t-\t-' g >calls
	fold '^s$' calls | told | same - <(printf '%s\n' 'a:5 > t 1 85070591730234615865843651857942052864' \
		'b:5 > t - 85070591730234615865843651857942052863')
	sed -i 's/^call	1.*/&\n&/' calls
	exits_with 2 'a sum of folded costs does not fit 128 bits' fold '^s$' calls
	sed -i 's/^cost.*/&\n&/' g
	exits_with 2 'a sum of folded costs does not fit 128 bits' fold '^s$' g
}

@test "a cost of 65 bits is distributed exactly" {
	tabs >g <<-'E'
	prof  1
	part  1
	event  0  A  -  -  -
	func  0  a  -  -  -
	func  1  s  -  -  -
	func  2  b  -  -  -
	cost  1  -  1  -  18446744073709551624
	call  0  -  5  -  1  -  -  1  1
	call  2  -  5  -  1  -  -  1  3
	end
	E
	folds_to '^s$' <<-'E'
	a:5 4611686018427387906
	b:5 13835058055282163718
	E
	# As much in all that it is shared out by.
	sed -i 's/^cost.*/cost\t1\t-\t1\t-\t12/; /^call/{s/\t1$/\t6148914691236517206/
		s/\t3$/\t12297829382473034412/}' g
	folds_to '^s$' <<-'E'
	a:5 4
	b:5 8
	E
}

@test "a negative cost is distributed like a positive one, and stays negative" {
	graph Ir >g <<-'E'
	a > s 1 5
	b > s 1 5
	c > s 1 5
	s -14
	E
	folds_to '^s' <<-'E'
	a:5 -5
	b:5 -5
	c:5 -4
	E
}

@test "of many callers those with the largest remainders get one more" {
	perl -e 'srand 5; print "prof\t1\n";
	for my $part (1 .. 150) {
		my $n = 17 + int rand 60;
		my @w = map { 1 + int rand($part % 3 ? 9 : 1000) } 1 .. $n;
		my ($all, $cost, %share) = (0, int rand 100000);
		$all += $_ for @w;
		print "part\t1\nevent\t0\tIr\t-\t-\t-\n";
		if ($part == 1) {
			print "func\t0\ts\t-\t-\t-\n";
			printf "func\t%d\tf%03d\t-\t-\t-\n", $_, $_ for 1 .. 80;
		}
		print "cost\t0\t-\t1\t-\t$cost\n";
		print "call\t$_\t-\t5\t-\t0\t-\t-\t1\t", $w[$_ - 1], "\n" for 1 .. $n;
		$share{$_} = int($cost * $w[$_ - 1] / $all) for 1 .. $n;
		my @order = sort { ($cost * $w[$b - 1]) % $all <=> ($cost * $w[$a - 1]) % $all ||
			$a <=> $b } 1 .. $n;
		my $left = $cost;
		$left -= $_ for values %share;
		$share{$order[$_]}++ for 0 .. $left - 1;
		printf STDERR "f%03d:5 %d\n", $_, $share{$_} for grep $share{$_}, 1 .. $n;
	}
	print "end\n"' >g 2>want
	LC_ALL=C sort -o want want
	fold '^s$' g | told >got
	[ "$(wc -l <want)" -gt 5000 ]
	same want got
}

# ---- laws ----

# random SEED: a graph of 30 functions, of which 15 are folded and called by k1.
random() {
	perl -e 'srand shift; my @f = (map("k$_", 1 .. 15), map("s$_", 1 .. 15));
		my @l = map { "$_ " . int(rand 1e6) . " " . int(rand 9) } @f;
		push @l, sprintf "%s : %d > %s %d %d %d", $f[rand 30], 5 + rand 3, $f[rand 30],
			rand 9, rand 1e6, rand 9 for 1 .. 120;
		push @l, "k1 > s$_ 1 $_" for 1 .. 15; print "$_\n" for @l' "$1"
}

@test "of any graph all cost is kept, and that of the calls into what is left" {
	for seed in 1 2 3 4 5 6 7 8; do
		random "$seed" | graph 'Ir Dr' >g
		fold '^s' g >out
		prof-cat g >in
		[ "$(self_sums in)" = "$(self_sums out)" ]
		for f in in out; do
			told <$f | perl -lane 'next if $F[1] ne ">" || $F[2] =~ /^s/;
				$n{$F[2]} += $F[3] if $F[3] ne "-"; $i{$F[2]} += $F[4]; $d{$F[2]} += $F[5];
				END { print "$_ $n{$_} $i{$_} $d{$_}" for sort keys %n }' >$f.calls
		done
		[ "$(wc -l <in.calls)" -gt 10 ]
		diff in.calls out.calls
		told <out | lacks /dev/stdin '(^| )s\d'
	done
}

@test "the order of records is nothing" {
	for seed in 1 2 3; do
		random "$seed" >l
		graph 'Ir Dr' <l >g
		fold '^s' g | prof-merge >a
		perl -e 'srand 5; my @l = <>; while (@l) { print splice @l, rand @l, 1 }' l |
			graph 'Ir Dr' >g
		fold '^s' g | prof-merge | diff a -
	done
}

@test "functions that differ in attributes, and calls: by these, in any order" {
	tabs >g <<-'E'
	prof  1
	part  1
	event  0  Ir  -  -  -
	func  0  a  -  -  -  x=2
	func  1  a  -  -  -  x=1
	func  2  s  -  -  -
	func  3  k  -  -  -  z=2
	func  4  k  -  -  -  z=1
	cost  2  -  1  -  3
	call  0  -  5  -  2  -  -  1  8
	call  1  -  5  -  2  -  -  1  8
	call  2  -  6  -  3  -  -  2  5  p=2
	call  2  -  6  -  4  -  -  2  5  p=1
	end
	E
	named() {
		awk -F '\t' '$1 == "func" { fn[$2] = $3 " " $7 }
			$1 == "cost" { print fn[$2], $6 }
			$1 == "call" { print fn[$2], ">", fn[$6], $9, $10, $11 }' | LC_ALL=C sort
	}
	# The one that comes first has more of an odd number; of callees it has all.
	cat >want <<-'E'
	a x=1 2
	a x=1 > k z=1 1 3 p=1
	a x=1 > k z=1 1 3 p=2
	a x=2 1
	a x=2 > k z=1 1 2 p=1
	a x=2 > k z=1 1 2 p=2
	E
	fold '^s$' g | named | same want -
	# The other way round.
	{ head -n 8 g; sed -n '9,13p' g | tac; echo end; } >h
	fold '^s$' h | named | same want -
}

@test "addresses and files stay, and files tell functions apart" {
	tabs >g <<-'E'
	prof  1
	part  1  positions=addr,line
	event  0  Ir  -  -  -
	file  0  b.c
	file  1  a.c
	func  0  f  0  -  -
	func  1  f  1  -  -
	func  2  s  0  -  -
	func  3  k  1  -  -
	func  4  s2  0  -  -
	cost  2  0  1  0x30  3
	cost  4  0  9  0x90  7
	call  0  0  5  0x50  2  1  0x30  1  8
	call  1  1  5  0x58  2  1  0x30  1  8
	call  2  0  6  0x60  3  7  0x70  2  5
	end
	E
	# Of equal remainders that of the first file is more.  Nobody calls s2.
	tabs >want <<-'E'
	cost  f (a.c, -)  a.c  5  0x58  2
	call  f (a.c, -)  a.c  5  0x58  k (a.c, -)  7  0x70  1  3
	cost  f (b.c, -)  b.c  5  0x50  1
	call  f (b.c, -)  b.c  5  0x50  k (a.c, -)  7  0x70  1  2
	cost  s2 (b.c, -)  b.c  -  -  7
	E
	fold '^s' g | spelt | LC_ALL=C sort >got
	LC_ALL=C sort want | same - got
}

@test "of a real profile: total, rows and inclusive cost as callgrind_annotate has them" {
	cp "$BATS_FILE_TMPDIR/real.out" .
	annotated() {
		callgrind_annotate --auto=no --threshold=100 --show-percs=no "$@" |
			perl -lne 'if (/^\s*([\d,]+).*PROGRAM TOTALS/) { ($t = $1) =~ tr/,//d }
				elsif (/^\s*([\d,]+)\s+(\S.*)/) { my ($n, $w) = ($1, $2); $n =~ tr/,//d;
				$s += $n; $m = $n if $w =~ /:(main|sort_some\S*|count\S*)( |$|\()/ && $n > $m }
				END { print "$t $s $m" }'
	}
	printf "rules: [ {fold: {file: '/include/c\\+\\+/'}} ]\n" >r.yaml
	prof-grep --rules r.yaml --quiet real.out >folded.prof
	prof-to callgrind --quiet folded.prof >folded.out
	annotated real.out | cut -d ' ' -f 1,2 >want
	annotated folded.out | cut -d ' ' -f 1,2 | diff want -
	annotated --inclusive=yes real.out | cut -d ' ' -f 1,3 >want
	annotated --inclusive=yes folded.out | cut -d ' ' -f 1,3 | diff want -
	# Every function that is left has the inclusive cost that it had, to the units by
	# which whole shares of what several have called, self cost and calls, are rounded.
	prof-top --tsv real.out | cut -f 1,2,3,6 | sort >all
	prof-top --tsv folded.prof | cut -f 1,2,3,6 | sort >left
	[ "$(wc -l <left)" -gt 100 ]
	[ "$(wc -l <left)" -lt "$(wc -l <all)" ]
	awk -F '\t' '{ k = $1 FS $2 FS $3 }
		NR == FNR { cost[k] = $4; next }
		!(k in cost) || $4 - cost[k] > 5 || cost[k] - $4 > 5' all left | diff /dev/null -
	grep -q '/include/c++/' all
	lacks left '/include/c\+\+/'
}

@test "without calls nothing is folded, and a note reports it" {
	printf 'events: A\nfl=f.c\nfn=main\n1 5\nfn=s\n2 3\nsummary: 8\n' >x.cachegrind
	echo "rules: [ {fold: {function: '^s$'}} ]" >r.yaml
	prof-cat --from cachegrind --rules r.yaml x.cachegrind >got 2>err
	[ "$(cat err)" = 'prof-cat: nothing folded: the profile has no call records' ]
	# Lines stay as well.
	prof-cat --from cachegrind x.cachegrind | diff - <(grep -v $'^meta\tfilter' got)
	# none of a function that is folded, or calls: no such note
	echo "rules: [ {fold: {function: '^nosuch$'}} ]" >r.yaml
	prof-cat --from cachegrind --rules r.yaml x.cachegrind >got 2>err
	[ ! -s err ]
	printf 'events: A\nfn=main\n1 5\ncfn=s\ncalls=1 0\n1 3\nfn=s\n2 3\n' >x.cg
	echo "rules: [ {fold: {function: '^s$'}} ]" >r.yaml
	prof-cat --rules r.yaml x.cg >got 2>err
	[ ! -s err ]
}

@test "shares that are many times what was read are rejected" {
	# Each of 300 callers gets a share of each of 300 calls: 90,000 of them.
	star() {
		awk -v n="$1" 'BEGIN { OFS = "\t"; print "prof", 1; print "part", 1
			print "event", 0, "Ir", "-", "-", "-"; print "func", 0, "x", "-", "-", "-"
			for (i = 1; i <= 2 * n; i++) print "func", i, "f" i, "-", "-", "-"
			for (i = 1; i <= n; i++) {
				print "call", i, "-", 1, "-", 0, "-", "-", 1, n
				print "call", 0, "-", 1, "-", n + i, "-", "-", n, n }
			print "end" }'
	}
	star 300 | fold '^x$' | awk '$1 == "call" { n++; s += $10 } END { print n, s }' >got
	echo 90000 90000 | diff - got
	star 9000 >x
	exits_with 2 'many times more calls than were read: fold less' \
		brief 10 limited 500000 prof-cat --rules r.yaml x
	# In a cycle each of them would be called by each other one.
	awk -v n=9000 'BEGIN { OFS = "\t"; print "prof", 1; print "part", 1
		print "event", 0, "Ir", "-", "-", "-"; print "func", 0, "main", "-", "-", "-"
		print "func", 1, "f", "-", "-", "-"; print "call", 0, "-", 1, "-", 1, "-", "-", 1, n
		for (i = 2; i <= n; i++) { print "func", i, "f" i, "-", "-", "-"
			print "call", 1, "-", 1, "-", i, "-", "-", 1, 1
			print "call", i, "-", 1, "-", 1, "-", "-", 1, 1 }
		print "end" }' >x
	echo "rules: [fold: {function: '^f'}]" >r.yaml
	exits_with 2 'fold less' brief 10 limited 500000 prof-cat --rules r.yaml x
	shape prof:wide-functions 9000 >x
	exits_with 2 '9000 events with few values' limited 600000 prof-cat --rules r.yaml x
}

@test "a table reports that its costs are estimated by a fold" {
	graph Ir >d.cg <<-'E'
	main 10
	main > f 1 30
	main > g 1 20
	f 10
	f > k 1 20
	g 5
	g > k 1 15
	k 20
	k > m 2 15
	m 15
	E
	# One caller has all of it: nothing is estimated.
	echo "rules: [fold: {function: '^f$'}]" >exact.yaml
	prof-top --quiet --rules exact.yaml d.cg >got
	lacks got '^estimated:'
	echo "rules: [fold: {function: '^k$'}]" >r.yaml
	for tool in prof-top prof-tree 'prof-top --callers m'; do
		$tool --quiet --rules r.yaml d.cg >got
		has -x 'estimated: fold, by the inclusive cost of calls' got
	done
	prof-to dot --quiet --rules r.yaml d.cg | has -F 'lestimated: fold, by the inclusive'
	sed 's/^1 10$/1 12/' d.cg >e.cg
	prof-diff --quiet --rules r.yaml d.cg e.cg | prof-top |
		has -x 'estimated: fold, by the inclusive cost of calls'
	# Of means of runs, the first line says that.
	prof-diff --quiet --rules r.yaml d.cg d.cg -- e.cg e.cg | prof-top >got
	has 'estimated: fold, by the inclusive cost of calls; means of 2 old and 2 new runs' got
}

@test "whether a part has calls is looked up once, not for each cost" {
	perl -e 'print "prof\t1\npart\t0\n"; print "event\t$_\te$_\t-\t-\t-\tcalls=absent\n" for 0 .. 5999;
		print "func\t0\ta\t-\t-\t-\nfunc\t1\tb\t-\t-\t-\n";
		print "cost\t", $_ % 2, "\t-\t$_\t-\t1\n" for 1 .. 12000; print "end\n"' >x
	echo 'rules: [fold: {function: ^a$}]' >r.yaml
	brief 3 prof-grep --quiet --rules r.yaml x | grep -c '^cost' | same - <(echo 12000)
}

@test "values that lines leave out are zeros of what is folded" {
	bars >x <<-'E'
	prof|1
	part|1
	event|0|a|-|-|-
	event|1|b|-|-|-
	event|2|c|-|-|-
	func|0|f|-|-|-
	func|1|g|-|-|-
	func|2|h|-|-|-
	cost|0|-|1|-|5
	call|0|-|1|-|1|-|-|1|4
	cost|1|-|2|-|4
	cost|2|-|3|-|0|0|7
	end
	E
	printf 'rules: [fold: {function: "^g$"}]\n' >r.yaml
	prof-cat --quiet --rules r.yaml x | prof-top --tsv | cut -f 1,5,7,9 |
		diff - <(printf '%s\t%s\t%s\t%s\n' function a b c f 9 0 0 h 0 0 7)
	prof-cat --quiet --rules r.yaml x | awk -F '\t' '$1 == "cost" && /-$/ { bad = 1 } END { exit bad }'
}
