#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: graph prof-tree sum view
# The call tree: its numbers against prof-top's and arithmetic, what of a call graph is
# exact and what is marked, that what is left out is said, and what people see.

load tools.bash

examples=$(realpath "$BATS_TEST_DIRNAME/../share/examples")

# rows FILE [OPTION...]: "DEPTH FUNCTION SELF INCL ESTIMATED" of each row of --tsv.
rows() {
	prof-tree --quiet --tsv "$@" |
		awk -F '\t' 'NR > 1 { print $3, $5, $8, $9, $13 }'
}

# paths FILE: "COST INCL PATH" of each place in folded stacks, sorted.
paths() {
	perl -ne '
	my ($stack, $n) = /^(.*) (-?\d+)$/ or next;
	my @f = split /;/, $stack;
	$self{$stack} += $n;
	$incl{join ";", @f[0 .. $_]} += $n for 0 .. $#f;
	END { printf "%d %d %s\n", $self{$_} // 0, $incl{$_}, $_ for sort keys %incl }' "$@"
}

# The same of what prof-tree has.
tree_paths() {
	prof-tree --tsv --min 0 "$@" | awk -F '\t' 'NR > 1 {
		path[$1] = (($2 in path) ? path[$2] ";" : "") $5; print $8, $9, path[$1] }' |
		LC_ALL=C sort -k 3
}

@test "for stacks the tree is exact: every place, against arithmetic" {
	perl -e 'srand 7; for (1 .. 3000) {
		print join(";", map { "f" . int rand 4 } 0 .. int rand 7), " ", 1 + int rand 50, "\n"
	}' >stacks.folded
	paths stacks.folded | sort -k 3 >want
	[ "$(wc -l <want)" -gt 1000 ]
	tree_paths stacks.folded | diff want -
	paths "$examples/calc.folded" | sort -k 3 >want
	tree_paths "$examples/calc.folded" | diff want -
}

@test "the root of a function's tree is prof-top's inclusive cost, either way" {
	prof-top --tsv -n 0 --events cpu "$examples/tasks.pprof.gz" |
		awk -F '\t' 'NR > 1 { print $1, $6 }' | sort >want
	prof-tree --tsv --min 0 --events cpu --function . "$examples/tasks.pprof.gz" |
		awk -F '\t' '$3 == 1 { print $5, $9 }' | sort | diff want -
	prof-tree --tsv --min 0 --events cpu --callers --function . "$examples/tasks.pprof.gz" |
		awk -F '\t' '$3 == 1 { print $5, $9 }' | sort | diff want -
	# Trees of callers begin with self costs.
	prof-top --tsv -n 0 "$examples/wordcount.callgrind.zst" --events Ir |
		awk -F '\t' 'NR > 1 && $5 { print $1, $2, $3, $5 }' | sort >want
	prof-tree --tsv --callers --min 0 --depth 1 "$examples/wordcount.callgrind.zst" |
		awk -F '\t' 'NR > 1 { print $5, $6, $7, $9 }' | sort | diff want -
	# So do the roots of a call graph.
	prof-top --tsv -n 0 "$examples/wordcount.callgrind.zst" --events Ir |
		awk -F '\t' 'NR > 1 { print $1, $2, $3, $6 }' | sort >want
	prof-tree --tsv --function . --min 0 --depth 1 "$examples/wordcount.callgrind.zst" |
		awk -F '\t' 'NR > 1 { print $5, $6, $7, $9 }' | sort | diff want -
}

@test "self cost, callees and omitted callees add up, in every row" {
	local options
	for options in '--min 0' '--min 3%' '-n 7' '--depth 4' '--callers' \
		'--callers --function find' "--function ^insert"; do
		for f in calc.folded tasks.pprof.gz wordcount.callgrind.zst; do
			prof-tree --tsv $options "$examples/$f" >t || continue
			awk -F '\t' -v options="$options" -v file="$f" 'NR > 1 {
				self[$1] = $8; incl[$1] = $9; rest[$1] = $11 + $12; below[$2] += $9
				# Callgrind itself has a call that cost more than its callee.
				lost[$1] = $12 && $5 != "_Exit" && !(options ~ /depth/ && $3 == 4) }
				END { for (i in self)
					if (self[i] + rest[i] + below[i] != incl[i] || lost[i]) {
						print options, file, i, self[i], rest[i], below[i], incl[i]
						bad = 1 }
					exit bad }' t
		done
	done
}

@test "a call graph: what one caller has is exact, what several share is marked" {
	graph Ir >g.cg <<-'END'
	main 10
	main > a 1 60
	main > b 1 40
	a 20
	a > s 1 30
	a > only 1 10
	b 10
	b > s 3 30
	s 40
	s > t 4 20
	only 10
	t 20
	END
	rows --min 0 g.cg | diff - <(cat <<-'END'
	1 main 10 110 -
	2 a 20 60 -
	3 s 20 30 self
	4 t 10 10 cost,self
	3 only 10 10 -
	2 b 10 40 -
	3 s 20 30 self
	4 t 10 10 cost,self
	END
	)
	# What follows an estimate in its line is one, and marked but once.
	prof-tree --min 0 g.cg | sed 1,3d | diff - <(cat <<-'END'
	110  100.00    9.09  main
	 60   54.55   18.18  |-a
	 30   27.27  ~18.18  | |-s
	~10    9.09    9.09  | | `-t
	 10    9.09    9.09  | `-only
	 40   36.36    9.09  `-b
	 30   27.27  ~18.18    `-s
	~10    9.09    9.09      `-t
	~ the rest of the line is estimated from the cost of calls: 4 of 8 lines
	END
	)
	# The calls into a function are exact, what is above that is shared.
	rows --min 0 --callers --function '^t$' g.cg | diff - <(cat <<-'END'
	1 t 0 20 -
	2 s 0 20 -
	3 a 0 10 cost
	4 main 10 10 cost,self
	3 b 0 10 cost
	4 main 10 10 cost,self
	END
	)
	rows --min 0 --callers --function '^s$' g.cg | sed -n 1,3p | diff - <(cat <<-'END'
	1 s 0 60 -
	2 a 0 30 -
	3 main 30 30 -
	END
	)
}

@test "no number of Callgrind's that is not marked differs from stacks that were counted" {
	local marked
	# The same program as stacks, and as the calls that these make.
	perl -e 'srand 3; for (1 .. 400) {
		my @f = ("main"); my $at = 0;
		push @f, "f" . ($at += 1 + int rand 4) while $at < 14 && rand() < .85;
		print join(";", @f), " ", 1 + int rand 9, "\n" }' >s.folded
	prof-to --quiet callgrind s.folded >s.cg
	tree_paths s.folded | awk '{ print $3, $1, $2 }' | sort >want
	prof-tree --tsv --min 0 s.cg | awk -F '\t' 'NR > 1 {
		path[$1] = (($2 in path) ? path[$2] ";" : "") $5
		print path[$1], ($13 ~ /self/ ? "~" : $8), ($13 ~ /cost/ ? "~" : $9) }' | sort >got
	# What is exact is what the stacks have.
	join want got | awk '{ if ($4 != "~" && $4 != $2 || $5 != "~" && $5 != $3) { print; bad = 1 }
		exact += ($4 != "~") + ($5 != "~") } END { exit bad || exact < 10 }'
	marked=$(grep -c '~' got)
	[ "$marked" -gt 100 ]
}

@test "recursion is truncated and marked, cycles are estimates, their sums stay" {
	graph Ir >r.cg <<-'END'
	main 1
	main > f 1 99
	main > even 1 100
	f 50
	f > f 5 200
	f > g 9 49
	g 49
	even 40
	even > odd 5 80
	odd 50
	odd > even 4 70
	odd > leaf 5 10
	leaf 10
	END
	rows --min 0 r.cg | diff - <(cat <<-'END'
	1 main 1 200 -
	2 even 40 100 -
	3 odd 50 60 -
	4 leaf 10 10 -
	2 f 50 99 -
	3 g 49 49 -
	END
	)
	prof-tree --min 0 r.cg | has 'f  (rec)$'
	prof-tree --min 0 r.cg | has 'even  (cyc)$'
	# Of a member of a cycle there are the calls into it, which are not the whole cycle.
	rows --min 0 --function '^odd$' r.cg | sed -n 1p | diff - <(echo '1 odd 31 80 cost,self')
	# A cycle that no one calls begins where the calls leave a cost, and that is all of it.
	graph Ir >c.cg <<-'END'
	a 5
	a > b 1 5
	b 2
	b > a 1 3
	END
	rows --min 0 c.cg | diff - <(printf '%s\n' '1 a 5 7 -' '2 b 2 2 -')
	# In stacks a function below itself is where it is.
	echo 'a;a;b;a 5' >s
	prof-tree s | has ' a ×2; b; a  (rec)$'
}

# recursive LEVELS: of s.folded what Callgrind records of them, with a name for the
# first level of recursion and one for the others, or without.
recursive() {
	perl -e 'my $levels = shift; my (%self, %call, %count);
	while (<STDIN>) {
		my ($stack, $n) = /^(.*) (\d+)$/; my %depth;
		my @f = map { $depth{$_}++ && $levels ? "$_\x272" : $_ } split /;/, $stack;
		$self{$f[-1]} += $n;
		# Nested calls count each.
		$call{"$f[$_ - 1] > $f[$_]"} += $n for 1 .. $#f }
	print "$_ $self{$_}\n" for sort keys %self;
	print "$_ 1 $call{$_}\n" for sort keys %call' "$1" <s.folded |
		{ [ -z "$1" ] || printf '# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\n'
		graph Ir; [ -z "$1" ] || awk '{ n += $NF } END { print "totals:", n }' s.folded; }
}

# truncated: "PATH SELF COST" of each place, where a function that is above is gone back to.
truncated() {
	perl -ne 'my ($stack, $n) = /^(.*) (\d+)$/; my @at;
		for my $f (split /;/, $stack) {
			my ($k) = grep { $at[$_] eq $f } 0 .. $#at;
			@at = defined $k ? @at[0 .. $k] : (@at, $f) }
		$self{join ";", @at} += $n; $cost{join ";", @at[0 .. $_]} += $n for 0 .. $#at;
		END { printf "%s %d %d\n", $_, $self{$_} // 0, $cost{$_} for sort keys %cost }'
}

@test "no number in cycles that is not marked differs from stacks that were counted" {
	local seed
	for seed in {1..30}; do
		# In at e, which is in a cycle with others; x and y are in none.
		perl -e 'srand shift; my %to = (e => ["h", "x"], h => ["a", "b", "y", "e"],
				a => ["h", "x", "c"], b => ["h", "y"], c => ["a", "e"]);
			$to{b} = ["y"] if rand() < .5; $to{a} = ["x", "h"] if rand() < .5;
			for (1 .. 60) { my @f = ("main", "e");
				push @f, $to{$f[-1]}[rand @{$to{$f[-1]}}] while $to{$f[-1]} && rand() < .9;
				print join(";", @f), " ", 1 + int rand 9, "\n" }' $seed >s.folded
		truncated <s.folded | sort >want
		recursive '' | prof-tree --tsv --min 0 | awk -F '\t' 'NR > 1 {
			path[$1] = (($2 in path) ? path[$2] ";" : "") $5
			print path[$1], ($13 ~ /self/ ? "~" : $8), ($13 ~ /cost/ ? "~" : $9) }' | sort >got
		join want got | awk '$4 != "~" && $4 != $2 || $5 != "~" && $5 != $3 { print; bad = 1 }
			$1 == "main;e;h" && $4 != "~" { exact = 1 } END { exit bad || !exact }'
	done
}

@test "the first level of a function in a cycle is exact where a tree begins with it" {
	local f
	perl -e 'srand 3; for (1 .. 300) { my @f = ("main");
		push @f, ("a" .. "e")[rand 5] while rand() < .85 && @f < 15;
		print join(";", @f), " ", 1 + int rand 9, "\n" }' >s.folded
	recursive 1 >s.cg
	for f in a b c d e; do
		prof-tree --tsv --min 0 --depth 2 --function "^$f\$" s.cg |
			awk -F '\t' 'NR > 1 && $13 !~ /cost/ { print $3, $5, $9, ($3 == 1 ? $8 $13 : "") }' | sort >got
		# What its outermost activation costs, alone, and with each function that it calls.
		F=$f perl -ne 'my ($stack, $n) = /^(.*) (\d+)$/; my (%depth, $from);
			my @f = map { $depth{$_}++ ? "$_\x272" : $_ } split /;/, $stack;
			for (0 .. $#f) {
				next if $f[$_] ne $ENV{F};
				$all += $n; $own += $n if $_ == $#f; $call{$f[$_ + 1]} += $n if $_ < $#f }
			END { printf "1 %s %d %s\n", $ENV{F}, $all, ($own // 0) . "-";
				printf "2 %s %d \n", $_, $call{$_} for keys %call }' s.folded | sort | diff - got
	done
	# No place has more cost of its own than the function has in all: what goes back to
	# functions above is said, and is no one's own.
	prof-tree --tsv --min 0 s.cg | awk -F '\t' 'NR > 1 { print $5, $8 }' | sort -u >got
	perl -ne 'my ($stack, $n) = /^(.*) (\d+)$/; my %depth;
		$self{(map { $depth{$_}++ ? "$_\x272" : $_ } split /;/, $stack)[-1]} += $n;
		END { print "$_ $self{$_}\n" for sort keys %self }' s.folded | sort >want
	[ "$(join want got | wc -l)" -gt 50 ]
	join want got | awk '$3 > $2 { print; bad = 1 } END { exit bad }'
	prof-tree --min 0 s.cg | has ' above [0-9.]* %'
	# prof-top says the same.
	[ "$(prof-tree --tsv --min 0 --function '^c$' s.cg | sed -n 2p | cut -f 9)" = \
		"$(prof-top --tsv -n 0 s.cg | awk -F '\t' '$1 == "c" { print $6 }')" ]
	# Without levels it may be nested in itself.
	recursive '' | prof-tree --tsv --function '^c$' | sed -n 2p | cut -f 13 | has -x 'cost,self'
}

@test "where all of a function's cost goes to one place, so does what is exact" {
	graph Ir >g.cg <<-'END'
	main 1
	main > a 1 30
	main > b 1 50
	a > s 1 30
	b > s 1 50
	s > t 2 80
	t > u 2 60
	t 20
	u 60
	END
	rows --min 0 g.cg | sed -n 2,5p | diff - <(printf '%s\n' '2 b 0 50 -' '3 s 0 50 -' \
		'4 t 13 50 self' '5 u 37 37 cost,self')
	# Nor need a cycle with several ways in be shared out: f2 calls f1, which calls it
	# back at no cost.
	graph Ir >c.cg <<-'END'
	main 0
	main > f1 1 36
	main > f2 1 27
	f1 63
	f1 > f2 1 0
	f2 0
	f2 > f1 3 27
	END
	rows --min 0 c.cg | diff - <(printf '%s\n' '1 main 0 63 -' '2 f1 36 36 -' \
		'2 f2 0 27 -' '3 f1 27 27 -')
	# What a filter has left out of the callees does not make the rest less known.
	prof-grep -v '^[cd]$' <(graph Ir <<-'END'
	main 1
	main > a 1 30
	a 10
	a > b 1 20
	b 5
	b > c 1 15
	c 15
	END
	) >part.cg
	prof-tree part.cg | has '`-b .*not in the profile'
	lacks <(prof-tree part.cg) '~'
}

@test "gmon's costs of calls are distributed: exact with a single caller" {
	prof-tree --tsv --min 0 --syms "$examples/calc.syms" "$examples/calc.gmon.zst" |
		awk -F '\t' 'NR > 1 { print $5, $9, $13 }' >got
	diff <(head -n 3 got) - <<-'END'
	main 157000000 -
	assign 157000000 -
	sum 119000000 -
	END
	[ "$(grep -c '^find .* cost,self$' got)" = 2 ]
}

@test "a difference: old, new and change, the largest first, nothing that is the same" {
	printf '%s\n' 'm;a 10' 'm;b 20' 'm;c 30' 'm;d;x 40' >old
	printf '%s\n' 'm;a 15' 'm;b 5' 'm;d;x 40' 'm;e 7' >new
	prof-diff old new | prof-tree --min 0 | sed 1,3d | diff - <(cat <<-'END'
	old samples  new  change       %  self  function
	        100   67     -33  -33.00     0  m  … 1 more, 0
	         30    0     -30    gone   -30  |-c
	         20    5     -15  -75.00   -15  |-b
	          0    7      +7     new    +7  |-e
	         10   15      +5  +50.00    +5  `-a
	END
	)
	prof-diff old new | prof-tree --tsv -n 2 | cut -f 1,2,5,8-17 | diff - <(tabs <<-'END'
	id  parent  function  samples.old  samples.new  samples  samples.old.incl  samples.new.incl  samples.incl  more  samples.old.more  samples.new.more  samples.more
	1  -  m  0  0  0  100  67  -33  4  70  67  -3
	2  1  c  30  0  -30  30  0  -30  0  0  0  0
	END
	)
	# Names are worth more room than the change of own costs.
	prof-diff old new | prof-tree --min 0 --width 70 | sed -n 4p | has 'self  function$'
	prof-diff old new | prof-tree --min 0 --width 69 | sed -n 4p | has '%  function$'
	# Changes that cancel out are seen where they are.
	printf '%s\n' 'm;k;a 10' 'm;k;b 20' >old
	printf '%s\n' 'm;k;a 20' 'm;k;b 10' >new
	[ "$(prof-diff old new | prof-tree | grep -c -- '-[ab]$')" = 2 ]
	prof-diff old old | prof-tree | tail -n 1 | has 'more, 0$'
}

@test "in a cycle a negative cost cannot be distributed, and its callers are unknown" {
	tabs >f <<-'E'
	prof  1
	part  1
	event  0  n  -  -  -
	func  0  main  -  -  -
	func  1  a  -  -  -
	func  2  b  -  -  -
	func  3  c  -  -  -
	cost  0  -  -  -  1
	cost  1  -  -  -  5
	cost  2  -  -  -  3
	cost  3  -  -  -  4
	call  0  -  -  -  1  -  -  1  12
	call  1  -  -  -  2  -  -  2  9
	call  2  -  -  -  1  -  -  1  -2
	call  2  -  -  -  3  -  -  1  4
	call  1  -  -  -  3  -  -  1  -1
	end
	E
	prof-tree --tsv f | cut -f 1,5,8-13 | sed 1d | same - <(tabs <<-'E'
	1  main  1  13  0  0  0  -
	2  a  5  12  0  0  0  -
	3  b  -  8  0  -  -  cost
	4  c  -1  -1  0  0  0  -
	5  c  1  1  0  0  0  cost,self
	E
	)
}

@test "threads of perf are first, as --root says" {
	prof-tree --events samples "$examples/calc.perf.zst" | has -x '     64  100.00    0.00  calc'
	prof-tree --tsv "$examples/calc.perf.zst" | sed -n 2p | cut -f 3-5 | diff - <(printf '1\tcalc\t-\n')
	prof-tree --root pid "$examples/calc.perf.zst" | has ' calc-?$'
	run -1 grep -w calc <(prof-tree --root none "$examples/calc.perf.zst" | sed 1d)
}

@test "branches are drawn with the characters of the locale" {
	printf '%s\n' 'm;a;b;x 5' 'm;a;b;y 5' 'm;a 3' 'm;c 2' >f
	tree() {
		env -u LC_ALL -u LC_CTYPE -u LANG "$@" prof-tree f | sed -n '5,9s/.*[0-9]  //p'
	}
	printf '%s\n' '|-a' '| `-b' '|   |-x' '|   `-y' '`-c' >ascii
	printf '%s\n' '├─a' '│ └─b' '│   ├─x' '│   └─y' '└─c' >utf8
	tree LC_ALL=C LANG=de_DE.UTF-8 | diff ascii -
	tree A=b | diff ascii -
	tree LC_ALL= LC_CTYPE=C.UTF-8 LANG=C | diff utf8 -
	tree LANG=de_DE.utf8 | diff utf8 -
}

@test "omissions are reported; a chain is one line" {
	for i in {1..200}; do echo "main;run;f$i $i"; done >f
	prof-tree --min 0.9% f >got
	[ "$(sed -n 4p got)" = ' 20,100  100.00    0.00  main; run  … 180 more, 81.04 %' ]
	[ "$(wc -l <got)" = 25 ]
	prof-tree --min 0 -n 3 f | sed -n 4,6p | cut -c 26- | diff - <(cat <<-'END'
	main; run  … 198 more, 98.01 %
	|-f200
	`-f199
	END
	)
	# A line is one level, however many functions it has; for programs a function is.
	prof-tree --depth 1 --min 0 f | has ' main; run  … 200 more, 100.00 %$'
	prof-tree --depth 2 --min 0.9% f | diff got -
	printf '%s\n' 'm;a;b;c 6' 'm;x;y 4' >g
	prof-tree --depth 2 g | sed -n 4,6p | cut -c 26- | diff - <(printf '%s\n' m '|-a; b; c' '`-x; y')
	[ "$(prof-tree --tsv --depth 2 g | tail -n +2 | cut -f 3 | sort | uniq -c | xargs)" = '1 1 2 2' ]
	# By default there are 40 rows.
	[ "$(prof-tree --min 0 f | grep -c -- '-f')" = 39 ]
	[ "$(prof-tree --min 0 -n 0 f | grep -c -- '-f')" = 200 ]
	# Percentages are of the program; what is small of what is left is left out.
	prof-cat f | prof-grep -x f3 | prof-tree | has ' 3  0.01    0.01  main; run; f3$'
}

@test "names of several functions have their objects, those without a name, too" {
	printf '%s\n' 'prof|1' 'part|1' 'event|0|n|-|-|-' 'object|0|/lib/a.so|-' 'object|1|/lib/b.so|-' \
		'func|0|x|-|0|-' 'func|1|x|-|1|-' 'func|2|y|-|1|-' 'func|3|-|-|1|-' \
		'ctx|0|-|0|-|-|-' 'ctx|1|-|1|-|-|-' 'ctx|2|-|2|-|-|-' 'ctx|3|-|3|-|-|-' \
		'sample|0|4' 'sample|1|3' 'sample|2|2' 'sample|3|1' end | bars >p
	prof-tree p | sed 1,3d | cut -c 19- | diff - <(cat <<-'END'
	x  [a.so]
	x  [b.so]
	y
	???  [b.so]
	END
	)
}

@test "it fits the window, whatever the names are" {
	perl -e 'print join(";", map { "a_rather_long_name_of_number_$_" } 1 .. 30), " 5\n";
		print join(";", map { "n" x $_ } 1 .. 70), ";x 7\n";
		for my $d (1 .. 60) { print join(";", map { "d$_" } 1 .. $d), " 9\n" }
		print "e\x1b[31m;`evil`\x07|\$(x)<b> 30\n"' >f
	local w
	for w in 80 120 200; do
		on_terminal $w 50 "prof-tree --from folded --color=never --min 0 f" >got
		perl -CSD -ne 'chomp; $n = length if length > $n; END { exit($n > '$w') }' got
		[ "$(wc -l <got)" -le 50 ]
		on_terminal $w 50 "prof-tree --from folded --color=never --callers --min 0 f" >got
		perl -CSD -ne 'chomp; $n = length if length > $n; END { exit($n > '$w') }' got
	done
	prof-tree --from folded --min 0 -n 0 f >got
	lacks got '[\x00-\x08\x0b-\x1f\x7f]'
	has -F 'e\x1b[31m; `evil`\x07|$(x)<b>' got
	prof-tree --from folded --json --min 0 -n 0 f | jq -es 'length > 100' >out
}

@test "a change that does not fit 128 bits is an error" {
	large_change >big.prof
	fails_with ': a sum does not fit 128 bits' prof-tree big.prof
	fails_with ': a sum does not fit 128 bits' prof-tree --tsv big.prof
}

@test "calls that together do not fit 128 bits are an error" {
	local big=100000000000000000000000000000000000000
	# Both are within a cycle: only a tree of a needs their sum.
	printf '%s\n' 'prof|1' 'part|1' 'meta|recursion|levels' 'event|0|n|-|-|-' \
		'func|0|main|-|-|-' 'func|1|a|-|-|-' 'func|2|b|-|-|-' 'func|3|c|-|-|-' \
		'call|0|-|-|-|1|1|-|-|5' 'call|1|-|-|-|2|1|-|-|5' 'call|1|-|-|-|3|1|-|-|5' \
		"call|2|-|-|-|1|1|-|-|$big" "call|3|-|-|-|1|1|-|-|$big" end | bars >p
	fails_with ': a sum does not fit 128 bits' prof-tree --function a p
	grep -v recursion p >q
	fails_with ': a sum does not fit 128 bits' prof-tree --function a q
	fails_with ': a sum does not fit 128 bits' prof-tree --callers --function a q
	prof-tree --min 0 p | has -F '5  -       -  main; a  (cyc)'
	# The difference between what a call cost and what is in it.
	printf '%s\n' 'prof|1' 'part|1' 'event|0|n|-|-|-' 'func|0|main|-|-|-' 'func|1|a|-|-|-' \
		"cost|1|-|-|-|-$big" "call|0|-|-|-|1|1|-|-|$big" end | bars >p
	fails_with ': a sum does not fit 128 bits' prof-tree p
}

@test "Markdown is a block that nothing in it ends" {
	echo 'a;b```` 5' >f
	prof-tree --markdown f >got
	[ "$(head -n 1 got)" = '`````' ]
	[ "$(tail -n 1 got)" = '`````' ]
	prof-tree --markdown "$examples/calc.folded" | sed '1d;$d' |
		diff - <(prof-tree "$examples/calc.folded")
}

@test "JSON has what TSV has" {
	prof-tree --json "$examples/wordcount.callgrind.zst" |
		jq -r '[.id, .parent, .depth, .function, .Ir, ."Ir.incl", .more, .estimated] |
			map(. // "-") | @tsv' | sed 's/\\\\/\\/g' >got
	prof-tree --tsv "$examples/wordcount.callgrind.zst" | sed 1d |
		cut -f 1-3,5,8-10,13 | diff - got
	prof-tree --json --syms "$examples/calc.syms" "$examples/calc.gmon.zst" | sed -n 1p |
		jq -e '."time.unit" == "1/100000000 s"' >out
	prof-tree --tsv --min 0 --syms "$examples/calc.syms" "$examples/calc.gmon.zst" |
		awk -F '\t' '{ print NF, $NF }' | uniq | diff - \
		<(printf '%s\n' '15 time.unit' '15 1/100000000 s')
}

@test "a profile without calls has no tree, and the message states what to do" {
	fails_with 'neither calls nor stacks, and so no tree: prof-top ranks' \
		prof-tree "$examples/wordcount.cachegrind.zst"
	fails_with "no function matches --function 'nosuch'\$" prof-tree --function nosuch "$examples/calc.folded"
	fails_with "no event 'Irr': did you mean Ir" prof-tree --events Irr "$examples/wordcount.callgrind.zst"
	fails_with 'expected one event, found several: a tree shows one' prof-tree --events Ir,Dr "$examples/wordcount.callgrind.zst"
	fails_with 'cannot be combined' prof-tree --tsv --json "$examples/calc.folded"
	exits_with 1 '--where keeps nothing' prof-tree --where cmd=x "$examples/calc.folded"
	# Formulas are sums.
	[ "$(prof-tree --tsv --events 'Dr + Dw' "$examples/wordcount.callgrind.zst" | sed -n 2p | cut -f 9)" = \
		"$(prof-top --tsv -n 0 -k 'Dr + Dw.incl' --events 'Dr + Dw' "$examples/wordcount.callgrind.zst" | sed -n 2p | cut -f 6)" ]
}

@test "a chain in one line says whether its end has all of the cost" {
	echo 'a;b 5' | prof-tree --from folded | tail -n 1 | same - <(echo "a; b: all of a's cost is in b")
	printf '%s\n' 'a;b 995' 'a;c 5' | prof-tree --min 1% --from folded | tail -n 1 |
		same - <(echo "a; b: nearly all of a's cost is in b")
	printf '%s\n' 'a;b 6' 'a;c 5' | prof-tree --from folded >got
	lacks got "cost is in"
}

@test "deep and wide profiles take their time, and no more" {
	perl -e 'print join(";", map { "f$_" } 1 .. 100000), " 1\n"' >deep
	brief 5 prof-tree --from folded deep | has 'f1; f2; .*f100000$'
	brief 5 prof-tree --from folded --callers deep | has 'f100000; .*f1$'
	brief 10 prof-tree --from folded --function . --min 0 deep >out
	perl -e 'print "f;" x 50000, "f 1\n" for 1; print "f;" x $_, "f 1\n" for map { $_ * 500 } 1 .. 99' >rec
	brief 10 prof-tree --callers --from folded --min 0 rec >out
	brief 10 prof-tree --function f --from folded --min 0 rec >out
	for part in '<' '(' 'a::' 'a<b::' '(abcdef)'; do
		perl -e 'my $name = shift() x 60000; print "main;$name 1\n"' "$part" >long
		brief 3 prof-tree --markdown --depth 2 --from folded long | has 'main; .....'
	done
	perl -e 'print "main;f$_ 1\n" for 1 .. 200000' >wide
	brief 10 prof-tree wide | has '200,000 more, 100.00 %$'
	# All ways through a graph are too many.
	perl -e 'for (1 .. 60) { my ($n, $p) = ($_, $_ - 1);
		print "n$p > $_$n 1 ", 1 << 61, "\n$_$n > n$n 1 ", 1 << 61, "\n" for "a", "b" }
		print "n60 ", 1 << 62, "\n"' |
		graph Ir >ways.cg
	brief 20 limited 1500000 prof-tree --min 0 -n 2000 ways.cg | tail -n 1 | has 'too large'
	# Of those in no row that is shown little is followed.
	brief 5 limited 65536 prof-tree --min 0 ways.cg >got
	[ "$(grep -c -- '-[abn][0-9]' got)" -ge 30 ]
	lacks got 'too large'
	perl -e 'srand 5; for (1 .. 1000) {
		print join(";", map { "f" . int rand 200 } 0 .. 40), " ", 1 + int rand 50, "\n" }' >many
	brief 5 limited 65536 prof-tree --from folded --function . --min 0 many >got
	# The rows are those that cost most of all rows.
	costs() { awk 'NR > 3 && $1 ~ /^[0-9,]+$/ { gsub(",", "", $1); print $1 }' | sort -rn | sed -n 1,40p; }
	prof-tree --from folded --function . --min 0 -n 2000 many | costs >want
	[ "$(wc -l <want)" = 40 ]
	costs <got | diff want -
	# A function with so many callers, or so many callees in other files.
	perl -e 'print "events: Ir\n"; print "fn=h$_\n1 1\ncfn=f\ncalls=1 1\n1 1\n" for 1 .. 60000;
		print "fn=f\n1 60000\n"' >callers.cg
	brief 2 prof-tree --callers --tsv callers.cg | has '	60000	'
	shape callgrind:calls-files 60000 >callees.cg
	brief 2 prof-tree --tsv callees.cg | has '	60000	'
}

@test "large costs of a tree are in a larger unit, unless exact ones are asked for" {
	bars >x.prof <<-'E'
	prof|1
	part|1
	event|0|A|ns|-|-
	func|0|f|-|-|-
	cost|0|-|-|-|1500000000
	end
	E
	prof-tree x.prof >got
	has -x '1\.500 s of A in 1 profile, 1 part' got
	has -xE '1\.500  100\.00  100\.00  f' got
	prof-tree --exact x.prof | has -E '^1,?500,?000,?000 ns of A'
}
