# SPDX-License-Identifier: ISC
# of: filter graph prof-to
# prof-to folded --estimate: stacks of a call graph, which does not tell them.

load helper.bash

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	"${CC:-cc}" -g -O0 -o work "$repo/tests/programs/work.c"
	valgrind_to work.out callgrind ./work
	valgrind_to callers.out callgrind --separate-callers=200 ./work
}

# What stands on standard input, without the mark, is the estimate of file g.
stacks_are() {
	sed 's/^/[estimate];/' >want
	prof-to folded --estimate --quiet g >got
	same want got
}

# Self and inclusive cost by the name of the function, of stacks.
costs_of_stacks() {
	perl -ne '/(.*) (\d+)$/ or die; my ($n, @f) = ($2, split /;/, $1);
		my %u = map { $_ => 1 } @f; $self{$f[-1]} += $n; $incl{$_} += $n for keys %u;
		END { delete $incl{"[estimate]"}; printf "%s\t%d\t%d\n", $_, $self{$_} // 0, $incl{$_}
			for sort keys %incl }' "$@"
}

# The same of prof-top, which sums what the profile has.
costs_of_graph() {
	prof-top --tsv "$@" | perl -F'\t' -lane 'next if $. == 1 || !$F[4] && !$F[5];
		$self{$F[0]} += $F[4]; $incl{$F[0]} += $F[5];
		END { print join "\t", $_, $self{$_}, $incl{$_} for sort keys %self }'
}

# ---- by hand ----

@test "a shared helper goes to its callers as their calls cost" {
	graph Ir >g <<-'E'
	main 10
	main > a 3 130
	main > b 1 42
	a 100
	a > h 7 30
	b 32
	b > h 70 10
	h 40
	E
	stacks_are <<-'E'
	main 10
	main;a 100
	main;b 32
	main;a;h 30
	main;b;h 10
	E
}

@test "shares are whole and add up: the largest remainder, of equal ones the first" {
	graph Ir >g <<-'E'
	main 1
	main > a 1 5
	main > b 1 5
	main > c 1 5
	a > h 1 5
	b > h 1 5
	c > h 1 5
	h 14
	h > k 1 1
	k 1
	E
	stacks_are <<-'E'
	main 1
	main;a;h 5
	main;b;h 5
	main;c;h 4
	main;a;h;k 1
	E
	# 10 in the ratio of 1 to 2 to 4 is 1.43, 2.86, 5.71.
	graph Ir >g <<-'E'
	a > h 1 1
	b > h 1 2
	c > h 1 4
	h 10
	E
	sed -i 's/^1 10$/1 7/' g
	printf 'fn=h\n1 3\nfn=r\ncfn=h\ncalls=1 1\n1 3\n' >>g
	stacks_are <<-'E'
	a;h 1
	b;h 2
	c;h 4
	r;h 3
	E
}

@test "a function calling itself is in the stack once" {
	graph Ir >g <<-'E'
	main 1
	main > f 1 30
	f 30
	f > f 9 200
	E
	stacks_are <<-'E'
	main 1
	main;f 30
	E
}

@test "functions calling each other: no way twice, and none but to a root" {
	graph Ir >g <<-'E'
	main 1
	main > even 1 30
	even 20
	even > odd 4 40
	odd 10
	odd > even 3 30
	E
	# Half of even's calls are odd's, and odd is called by even alone.
	stacks_are <<-'E'
	main 1
	main;even 10
	main;even;odd;even 10
	main;even;odd 10
	E
	# All that is left in the ring is in the stack: the widest way up goes on.
	graph Ir >g <<-'E'
	thin > a 1 3
	wide > c 1 60
	a > b 1 40
	b > c 1 40
	c > a 1 100
	a 63
	E
	stacks_are <<-'E'
	thin;a 2
	wide;c;a 37
	wide;c;a;b;c;a 24
	E
}

@test "a function that costs more than all calls into it is a root, too" {
	graph Ir >g <<-'E'
	main > work 1 30
	main 5
	work 100
	work > h 1 20
	h 20
	E
	stacks_are <<-'E'
	main 5
	work 75
	main;work 25
	work;h 15
	main;work;h 5
	E
}

@test "two roots; cycles that no root reaches; a function without a name" {
	graph Ir >g <<-'E'
	main 3
	start 4
	main > h 1 6
	start > h 1 2
	h 8
	ring1 > ring2 1 9
	ring2 > ring1 1 9
	ring1 0
	ring2 7
	lone 2
	??? 6
	E
	# ring2 costs 7 more than the calls into it: it is a root.
	stacks_are <<-'E'
	main 3
	start 4
	main;h 6
	start;h 2
	ring2 3
	ring2;ring1;ring2 4
	lone 2
	[unknown] 6
	E
	graph Ir >g <<-'E'
	ring1 > ring2 1 0
	ring2 > ring1 1 0
	ring2 7
	E
	stacks_are <<<'ring1;ring2 7'
}

@test "calls that cost nothing share by their counts; without counts it is a root" {
	graph Ir >g <<-'E'
	a > h 3 0
	b > h 1 0
	h 8
	E
	stacks_are <<-'E'
	a;h 6
	b;h 2
	E
	graph Ir >g <<-'E'
	a > h 0 0
	h 8
	E
	stacks_are <<<'h 8'
}

@test "two events each go their way, and have their stacks in common" {
	graph 'Dr Dw' >g <<-'E'
	main > h 1 6 0
	start > h 1 2 4
	h 8 4
	start 0 1
	E
	stacks_are <<-'E'
	main;h 6 0
	start;h 2 4
	start 0 1
	E
	graph 'Ir Dr Dw' >g <<<'main 1 2 3'
	prof-to folded --estimate --quiet g | diff - <(echo '[estimate];main 1')
	prof-to folded --estimate --quiet --events 'Dr + Dw' g | diff - <(echo '[estimate];main 5')
}

@test "parts are graphs of their own" {
	graph Ir >g <<-'E'
	main > h 1 6
	h 6
	E
	sed -i '1i version: 1\npid: 7\npart: 1' g
	{
		printf 'part: 2\n'
		graph Ir <<-'E'
		other > h 1 4
		h 4
		E
	} >>g
	stacks_are <<-'E'
	main;h 6
	other;h 4
	E
}

@test "no share is made smaller than a 100,000th of the cost" {
	# 10 is the limit: nothing is split to 9, and small ones are not split.
	graph Ir >g <<-'E'
	main 999940
	a > h 1 20
	b > h 1 10
	c > h 1 9
	d > h 1 10
	h 49
	a > k 1 5
	b > k 1 6
	k 11
	E
	stacks_are <<-'E'
	main 999940
	a;h 25
	b;h 12
	d;h 12
	b;k 11
	E
}

@test "samples are stacks: they pass as they are, beside costs" {
	tr '|' '\t' >x.prof <<-'E'
	prof|1
	part|1
	event|0|n|-|-|-
	func|0|main|-|-|-
	ctx|0|-|0|-|-|-
	sample|0|7
	end
	E
	silent prof-to folded --estimate x.prof | diff - <(echo 'main 7')
	sed -i 's/^end/cost\t0\t-\t-\t-\t3\nend/' x.prof
	prof-to folded --estimate x.prof 2>note >got
	printf '%s\n' 'main 7' '[estimate];main 3' | diff - got
	echo 'prof-to: stacks are estimated from calls; their root is [estimate]' | diff - note
}

@test "without the option it is rejected, and elsewhere the option is" {
	graph Ir >g <<<'main 1'
	exits_with 2 'use --estimate to estimate stacks' prof-to folded g
	exits_with 2 '--estimate is only for folded' prof-to tsv --estimate g
	graph Ir >g <<<'main -1'
	exits_with 2 "--estimate: the cost of 'main' is negative" prof-to folded --estimate g
	graph Ir >g <<<'main > f 1 -1'
	exits_with 2 "--estimate: a call of 'f' is negative" prof-to folded --estimate g
}

# ---- costs are kept ----

@test "costs up to the end of 128 bits, and beyond" {
	graph Ir >g <<-'E'
	main > h 1 18446744073709551615
	h 18446744073709551615
	E
	stacks_are <<<'main;h 18446744073709551615'
	printf '%s\n' 'other > h 1 18446744073709551615' >more
	graph Ir <more | sed 1,2d >>g
	exits_with 2 '--estimate: costs are too large to distribute in 128 bits' \
		prof-to folded --estimate g
}

@test "in any graph each function's self cost is kept to the last unit" {
	for seed in 1 2 3 4 5 6 7 8; do
		perl -e 'srand shift; my $n = 40; for (1 .. $n) { print "f$_ ", int rand 1e6, "\n" }
			printf "f%d > f%d %d %d\n", 1 + int rand $n, 1 + int rand $n,
			1 + int rand 9, int rand 1e6 for 1 .. 200' "$seed" | graph Ir >g
		prof-to folded --estimate --quiet g >stacks
		costs_of_stacks stacks | cut -f 1,2 | grep -v '\b0$' >got
		costs_of_graph g | cut -f 1,2 | grep -v '\b0$' | diff - got
		# Each stack is there once.
		sed 's/ [0-9]*$//' stacks | sort | uniq -d | diff /dev/null -
	done
}

@test "the inclusive cost of a tree is that of the graph" {
	perl -e 'srand 3; my (@up, @incl); for my $i (0 .. 499) {
			$self[$i] = 1 + int rand 1e5; $up[$i] = $i < 3 ? -1 : int rand $i }
		for my $i (reverse 0 .. 499) { $incl[$i] += $self[$i];
			$incl[$up[$i]] += $incl[$i] if $up[$i] >= 0 }
		for my $i (0 .. 499) { print "f$i $self[$i]\n";
			print "f$up[$i] > f$i 1 $incl[$i]\n" if $up[$i] >= 0 }' | graph Ir >g
	prof-to folded --estimate --quiet g >stacks
	[ "$(wc -l <stacks)" = 500 ]
	costs_of_stacks stacks >got
	costs_of_graph g | diff - got
}

@test "in real profiles each function's self cost is kept" {
	for f in "$BATS_FILE_TMPDIR/work.out" "$repo/share/examples/wordcount.callgrind.zst"; do
		prof-to folded --estimate --quiet --events Ir "$f" >stacks
		costs_of_stacks stacks | cut -f 1,2 | grep -v '\b0$' >got
		costs_of_graph --events Ir "$f" | cut -f 1,2 | grep -v '\b0$' >want
		[ "$(wc -l <want)" -gt 50 ]
		diff want got
	done
	prof-to folded --estimate --quiet --events time --syms "$repo/share/examples/calc.syms" \
		"$repo/share/examples/calc.gmon.zst" >stacks
	costs_of_stacks stacks | cut -f 1,2 | grep -v '\b0$' >got
	prof-top --tsv --syms "$repo/share/examples/calc.syms" \
		"$repo/share/examples/calc.gmon.zst" | awk -F '\t' 'NR > 1 && $5 { print $1 "\t" $5 }' |
		sort | diff - got
}

# Valgrind knows the callers that each cost was for: names are whole stacks then.
@test "where a function has one caller, and that one, too, stacks are the true ones" {
	prof-top --tsv "$BATS_FILE_TMPDIR/callers.out" | perl -F'\t' -lane '
		next if $. == 1;
		my ($name) = $F[0] =~ /^([^\x27]+)/;
		$ways{"$name\t$F[1]\t$F[2]"}++, next if $F[0] =~ /\x27\d+(\x27|$)/;	# recursion
		$id{$F[0]} = "$name\t$F[1]\t$F[2]"; $ways{$id{$F[0]}}++; $cost{$F[0]} = $F[4];
		sub alone { my $c = shift; ($ways{$id{$c}} // 0) == 1 &&
			($c !~ /\x27(.*)/ || alone($1)) }
		END { for (keys %id) { next unless $cost{$_} && alone($_);
			print join(";", "[estimate]", reverse split /\x27/), " $cost{$_}" } }' | sort >want
	grep -q ';main;leaves;leaf [0-9]' want
	grep -q ';main;loops [0-9]' want
	[ "$(wc -l <want)" -gt 20 ]
	prof-to folded --estimate --quiet "$BATS_FILE_TMPDIR/work.out" | sort >got
	comm -23 want got | diff /dev/null -
}

@test "the stream of an estimate is marked as one" {
	graph Ir >g <<<'main 1'
	prof-to folded --estimate --strict g 2>err || true
	lacks err 'metadata \(2\)'
	prof-cat g | prof-to folded --estimate --quiet | prof-top --tsv | cut -f 1,5,6 >got
	tr '|' '\t' >want <<-'E'
	function|samples|samples.incl
	main|1|1
	[estimate]|0|1
	E
	diff want got
}

@test "each of several parts has the stacks that it has alone, and no other's" {
	local i set

	# Of other functions, and of the same ones called in other ways; costs tell them apart.
	for i in 1 2 3; do
		awk -v i=$i 'BEGIN {
			print "events: Ir"
			for (f = 1; f <= 40 * i; f++) {
				printf "fn=f%d\n1 %d\n", f, 1000 * i + f
				if (f + i <= 40 * i)
					printf "cfn=f%d\ncalls=1 1\n1 %d\n", f + i, 1000 * i
			}
		}' >p$i
		prof-to folded --estimate --quiet p$i >p$i.folded
		awk '{ sum += $NF } END { print sum }' p$i.folded | same - <(prof-cat p$i | awk -F '\t' '
			$1 == "cost" { sum += $6 } END { print sum }')
	done
	for set in '1 2 3' '3 1' '2 2' '3 3 1 2'; do
		cat $(printf 'p%s.folded ' $set) >want
		prof-to folded --estimate --quiet $(printf 'p%s ' $set) | same want -
		prof-cat $(printf 'p%s ' $set) | prof-to folded --estimate --quiet | same want -
	done
}

# Each function of a ring has all others in its stack: 81 million frames.
@test "no more frames are made than there may be" {
	shape prof:calls-cycle 9000 >g
	exits_with 2 'the stacks of a part would have more than 10000000 frames' \
		brief 10 limited 131072 prof-to folded --estimate g
	[ ! -s out ]
	# Each stack of a smaller ring begins elsewhere, so that no frame has a context already.
	shape prof:calls-cycle-rest 3000 >g
	exits_with 2 'or 4000000 with new callers: omit functions of little cost' \
		brief 10 limited 131072 prof-to svg --estimate g
	shape prof:calls-cycle-rest 1900 >g
	limited 512000 prof-to svg --estimate --quiet g | xmllint --noout -
	shape prof:calls-chain-rest 3000 >g
	prof-to folded --estimate --quiet g >got
	[ "$(tail -n 1 got)" = "[estimate]$(printf ';f%d' {0..2999}) 1" ]
	[ "$(tr -cd ';' <got | wc -c)" -eq $((3000 * 3001 / 2)) ]
}

@test "of many callers those get shares whose part is not too small, as of few" {
	# f is called by hub, which N functions call; those with less than a 100,000th get nothing.
	local n
	for n in 20 63 64 65 66 300; do
		perl -e 'my $n = shift; srand $n; my ($all, $kept, $left) = (0, 0, 0);
			my @w = map { $_ % 3 ? 1e6 + int rand 1e6 : 1 + int rand 3000 } 1 .. $n;
			$all += $_ for @w;
			my $least = int(($all + 99999) / 100000);
			$kept += $_ for grep { $_ >= $least } @w;
			my (%part, %rest);
			for my $i (grep { $w[$_] >= $least } 0 .. $#w) {
				$part{$i} = int($w[$i] * $all / $kept);
				$rest{$i} = $w[$i] * $all % $kept;
				$left += $part{$i};
			}
			$part{$_}++ for (sort { $rest{$b} <=> $rest{$a} || $a <=> $b } keys %rest)[0 .. $all - $left - 1];
			print STDERR "[estimate];m$_;hub;f $part{$_}\n" for keys %part;
			print "events: Ir\nfn=f\n1 $all\nfn=hub\n1 0\ncfn=f\ncalls=1 1\n1 $all\n";
			print "fn=m$_\n1 0\ncfn=hub\ncalls=1 1\n1 $w[$_]\n" for 0 .. $#w;
			' "$n" 2>want >x.cg
		[ "$(wc -l <want)" -gt $((n / 2)) ]
		prof-to folded --estimate --quiet x.cg | sort | diff <(sort want) -
	done
	shape prof:calls-hub-large 20000 >x
	brief 3 prof-to folded --estimate --quiet x | awk '{ sum += $NF } END { printf "%.0f\n", sum }' |
		same - <(echo $((20000 * 1000000007)))
}

@test "many events with few values are rejected, for functions and for stacks; one of them is not" {
	# Six layers of ten functions, each of which calls all of the next.
	layers() {
		perl -e 'my $n = shift;
			print "events: @{[map { qq(e$_) } 1 .. $n]}\nfn=f\n1 ", "0 " x ($n - 1), "1000000\n";
			for my $l (1 .. 6) { for my $from (0 .. 9) {
				print "fn=$l$from\n1\n";
				print "cfn=$_\ncalls=1 1\n1\n" for $l < 6 ? map { $l + 1 . $_ } 0 .. 9 : "f";
			} }' "$1"
	}
	layers 1 >one
	prof-to folded --estimate --quiet one >want
	[ "$(wc -l <want)" = 100000 ]
	layers 65 >x
	prof-to folded --estimate --quiet x | cmp - want
	layers 1000 >x
	exits_with 2 '1000 events with few values: their sums need too much memory: choose events with --events' prof-to folded --estimate x
	prof-to folded --estimate --quiet --events e1000 x | cmp - want
	shape prof:wide-functions 4000 >x
	exits_with 2 '4000 events with few values' limited 200000 prof-to folded --estimate x
	[ "$(prof-to folded --estimate --quiet --events e0 x | wc -l)" = 3999 ]
}

@test "the stacks of several events are those of each alone" {
	local seed event
	for seed in 1 2 3 4; do
		perl -e 'srand shift; my $n = 12;
			print "events: a b c d\n";
			for my $f (0 .. $n - 1) {
				print "fn=f$f\n1 ", join(" ", map { rand() < 0.5 ? 0 : int rand 1000 } 1 .. 4), "\n";
				for my $to ($f + 1 .. $n - 1) {
					next if rand() < 0.5;
					print "cfn=f$to\ncalls=1 1\n1 ", join(" ", map { rand() < 0.4 ? 0 : int rand 5000 } 1 .. 4), "\n";
				}
			}' $seed >g
		prof-to pprof --estimate --quiet g >all.pb.gz
		for event in a b c d; do
			prof-to folded --estimate --quiet --events $event g | sort >want
			[ -s want ]
			prof-to folded --quiet --events $event all.pb.gz | grep -v ' 0$' | sort | same want -
		done
	done
}
