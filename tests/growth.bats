# SPDX-License-Identifier: ISC
# of: prof-top sum view
# How cost grows with the size of the input: points of known laws, and those of
# a program whose laws are in textbooks.

load tools.bash

# laws SEED NOISE SIZES CALLS LARGEST: a report, version 4, of a routine for each
# law, its name, with normally distributed noise.
laws() {
	perl -e '
	my ($seed, $noise, $n, $calls, $largest) = @ARGV;
	my $lg = sub { log($_[0] + 1) / log 2 };
	my @law = (
		["1", sub { 100 }], ["log n", $lg], ["n", sub { $_[0] }],
		["n log n", sub { $_[0] * $lg->(@_) }],
		["n^1.5", sub { $_[0] ** 1.5 }], ["n^2", sub { $_[0] ** 2 }],
		["n^2 log n", sub { $_[0] ** 2 * $lg->(@_) }],
		["n^3", sub { $_[0] ** 3 }]);
	srand $seed;
	print "v 4\nm instructions\na x\nf x\n";
	for my $i (0 .. $#law) {
		print qq(r "$law[$i][0]" "/bin/x" $i\n);
		for my $k (0 .. $n - 1) {
			my $size = int 8 * ($largest / 8) ** ($k / ($n - 1));
			my $off = -6;
			$off += rand for 1 .. 12;
			my $cost = sprintf "%.0f", $calls * (1 + $noise * $off) *
			    (20 + 10 * $law[$i][1]($size));
			print "p $i $size 1 $cost $cost 1 $calls $cost $cost 1 1 1\n";
		}
	}' "$@"
}

# points SIZE COST CALLS...: a report, version 2, of one routine.
points() {
	printf '%s\n' 'v 2' 'm c' 'r "f" "/bin/x" 0'
	while [ $# -gt 0 ]; do
		echo "p 0 $1 $2 $2 $(($2 * $3)) $3 $(($2 * $3)) $(($2 * $3))"
		shift 3
	done
}

# column NAME: of a table on standard input.
column() {
	awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i }
		NR > 1 { print $k }'
}

@test "each law is found, with 5 % noise on 36 sizes" {
	for seed in 1 2 3; do
		laws $seed 0.05 36 1 20000 >r
		prof-top --growth --tsv r >t
		column growth <t >got
		column function <t | diff - got
		[ "$(column growth.verdict <t | sort -u)" = clear ]
		column growth.error <t | awk '$1 < 0.03 || $1 > 0.07 { bad = 1 } END { exit bad }'
		[ "$(column growth.r2 <t | awk '$1 > 0.9' | wc -l)" = 7 ]	# "1" has none
	done
	# The numbers of the law: 20 + 10 f(n).
	laws 1 0 36 1 20000 >r
	prof-top --growth --tsv -k function r | awk -F '\t' 'NR > 2 {
		printf "%s a %.0f b %.1f\n", $1, $16, $17 }' >got
	for l in 'log n' n 'n log n' 'n^1.5' 'n^2' 'n^2 log n' 'n^3'; do
		echo "$l a 20 b 10.0"
	done | diff - got
}

@test "calls that cost less than 1 on average" {
	laws 1 0.05 36 1 20000 | awk '$1 == "p" { $4 = 0; $8 = 1e8 } 1' >r
	prof-top --growth --tsv r >t
	column growth <t >got
	column function <t | diff - got
	# 20 + 10 f(n), for 100,000,000 calls; f is 100 in the first.
	paste <(column function <t) <(column growth.a <t) <(column growth.b <t) >got
	awk -F '\t' '$1 == "1" && $2 > 1e-5 && $2 < 1.04e-5 { n++ }
		$1 == "n" && $2 > 1e-7 && $2 < 3e-7 && $3 > 9.5e-8 && $3 < 1.05e-7 { n++ }
		END { exit n != 2 }' got
}

@test "a range where several laws would do, near where none does" {
	local args n order low
	laws 1 0.05 12 1 100 >r
	prof-top --growth --tsv r >t
	awk -F '\t' '$13 == "range"' t | has .
	# The law stands in its range, which both forms show.
	order='1,log n,n,n log n,n^1.5,n^2,n^2 log n,n^3'
	awk -F '\t' -v order="$order" 'BEGIN { n = split(order, v, ","); for (i in v) at[v[i]] = i + 0 }
		NR > 1 && (at[$11] > at[$10] || at[$10] > at[$12] ||
		($13 == "range") != ($11 != $12)) { print; bad = 1 } END { exit bad }' t
	low=$(awk -F '\t' '$13 == "range" { print $11 " to " $12; exit }' t)
	prof-top --growth r >text
	grep -qF " $low " text
	# A step is no law.
	args=()
	for ((n = 8; n < 60000; n += n / 4)); do
		args+=("$n" "$((n < 2000 ? 100 + n % 7 : 90000 + n % 7))" 1)
	done
	points "${args[@]}" >r
	[ "$(prof-top --growth --tsv r | column growth.verdict)" = near ]
	prof-top --growth r >text
	grep -q '  near ' text
	[ "$(tail -n 1 text)" = 'near: no law fits; this one is the closest' ]
}

@test "a step that goes too far is halved" {
	# Costs far from any law, where the whole step is no better than none.
	points 5 22 3 16 5 227 52 3721 162 167 9888 6 535 4 103 1711 5089717 54 5472 605756 174 \
		17499 175262366 2 55960 3146023854 7 178953 18629625811 102 \
		572268 40758366366 2 1830037 1435014727209774 5 5852214 4083275002823246 268 \
		18714598 13252912811720180 2 >r
	prof-top --from aprof --growth --tsv r >t
	[ "$(column growth <t) $(column growth.verdict <t)" = 'n^3 near' ]
	[ "$(column growth.error <t | awk '{ printf "%.1f", $1 }')" = 21.9 ]
}

@test "a size that cost nothing is one of the law's" {
	points 0 0 9 10 100 9 20 200 9 40 400 9 80 800 9 160 1600 9 320 3200 9 >r
	prof-top --from aprof --growth --tsv r | cut -f 10-18 | sed 1d >got
	printf 'n\tn\tn\tclear\t1\t0\t0\t10\t0\n' | diff - got
}

@test "too few sizes: less than five, too near each other, no points" {
	points 10 100 1 100 1000 1 1000 10000 1 10000 100000 1 >few
	points 100 100 1 120 120 1 140 140 1 160 160 1 180 180 1 200 200 1 300 300 1 >near
	for f in few near; do
		prof-top --growth --tsv $f | sed -n 2p | cut -f 10- >got
		bars <<<'-|-|-|few|-|-|-|-|-' | diff - got
		prof-top --growth $f | has -E ' too few sizes   - +-  f  \[/bin/x\]$'
		prof-top --growth --json $f | jq -c '[.growth, ."growth.low", ."growth.verdict",
			."growth.r2", ."growth.a"]' >got
		echo '[null,null,"few",null,null]' | diff - got
	done
	# Neighbours are put together: these are fewer than five sizes, too.
	points 1000 1 1 1001 1 1 1002 1 1 1003 1 1 8000 1 1 8001 1 1 8002 1 1 >f
	[ "$(prof-top --growth --tsv f | column growth.verdict)" = few ]
	# A row without points, beside one that has them.
	laws 1 0.05 36 1 20000 >r
	printf '%s\n' 'a;b 5' >s
	prof-top --growth --tsv --events instructions s r | column growth.verdict |
		sort | uniq -c | awk '{ print $2, $1 }' >got
	printf '%s\n' 'clear 8' 'few 2' | diff - got
}

@test "calls weigh: a crowd at one size does not drown the few that tell" {
	args=(2 40 1000000000)
	for n in 4 8 16 32 64 128 256 512 1024 2048; do
		args+=("$n" "$((n * n * 3 + 30))" 1)
	done
	points "${args[@]}" >r
	prof-top --growth --tsv r >t
	[ "$(column growth <t)" = 'n^2' ]
	[ "$(column growth.verdict <t)" = clear ]
	# And one call that is far off does not choose the law; if there are many, it
	# does: they are no accident.
	args=()
	for n in 4 6 8 11 16 23 32 45 64 91 128 181 256 362 512 724 1024; do
		args+=("$n" "$((n * n * 3 + 30))" 100)
	done
	points "${args[@]}" 1448 500 1 >r
	[ "$(prof-top --growth --tsv r | column growth)" = 'n^2' ]
	# A size that occurs again is the mean of its calls.
	points 4 100 1 4 300 3 8 500 1 16 1000 1 32 2000 1 64 4000 1 >r
	points 4 250 4 8 500 1 16 1000 1 32 2000 1 64 4000 1 >one
	prof-top --growth --tsv r | cut -f 7- >got
	prof-top --growth --tsv one | cut -f 7- | diff - got
}

@test "the coefficients of a law, and of the lower term that comes with it" {
	# law LAW A B C EXPRESSION: of the size n, and of lg, log2(n + 1).
	law() {
		local n args=()
		for n in 1 2 4 8 16 32 64 128 256 512 1024; do
			args+=("$n" "$(awk -v n=$n "BEGIN { lg = log(n + 1) / log(2)
				printf \"%.0f\", $2 + $3 * ($5) + $4 * ${6:-0} }")" 2)
		done
		points "${args[@]}" | prof-top --growth --tsv -n 1 | awk -F '\t' -v law="$1" -v a="$2" \
			-v b="$3" -v c="$4" '
			function near(x, y) { return x > 0.99 * y - 0.01 && x < 1.01 * y + 0.01 }
			NR == 2 { print; good = $10 == law && near($16, a) && near($17, b) && near($18, c) }
			END { exit !good }'
	}
	law n 700 50 0 n
	law 'n log n' 900 100 400 'n * lg' n
	law 'n^1.5' 900 100 400 'n ^ 1.5' n
	law 'n^2' 700 50 4000 'n ^ 2' n
	law 'n^2 log n' 700 50 200 'n ^ 2 * lg' 'n ^ 2'
	law 'n^3' 700 50 4000 'n ^ 3' 'n ^ 2'
}

@test "the columns: in text, in TSV, in JSON" {
	args=()
	for n in 1 2 4 8 16 32 64 128 256 512 1024; do
		args+=("$n" "$((5 * n + 7))" 2)
	done
	points "${args[@]}" >r
	echo 'k 100000' >>r
	prof-top --growth r >got
	cat >want <<-'E'
	100,000 c in 1 profile, 1 part

	inclusive      %  calls  sizes  smallest  largest  growth     R2  deviation  function  object
	   20,624  20.62     22     11         1    1,024       n  1.000      0.0 %  f  [/bin/x]
	E
	diff want got
	prof-top --growth --tsv r >got
	bars >want <<-'E'
	function|file|object|calls|c|c.incl|sizes|size.min|size.max|growth|growth.low|growth.high|growth.verdict|growth.r2|growth.error|growth.a|growth.b|growth.c
	f|-|/bin/x|22|20624|20624|11|1|1024|n|n|n|clear|1|0|7|5|0
	E
	diff want got
	prof-top --growth --json r >got
	cat >want <<-'E'
	{"function":"f","file":null,"object":"/bin/x","calls":22,"c":20624,"c.incl":20624,"sizes":11,"size.min":1,"size.max":1024,"growth":"n","growth.low":"n","growth.high":"n","growth.verdict":"clear","growth.r2":1,"growth.error":0,"growth.a":7,"growth.b":5,"growth.c":0}
	E
	diff want got
	# By object, the same points; without --growth, no such columns.
	prof-top --growth --tsv -b object r | column growth | diff - <(echo n)
	prof-top --tsv r | sed -n 1p >got
	bars <<<'function|file|object|calls|c|c.incl|sizes|size.min|size.max' | diff - got
}

@test "a function grows by its own sizes, whatever others there are" {
	local flat=() steep=() n
	for n in 1 2 4 8 16 32 64 128 256 512 1024; do
		flat+=("$n" "$((5 * n + 7))" 2)
		steep+=("$n" "$((n * n + 3))" 2)
	done
	points "${flat[@]}" >flat
	points "${steep[@]}" 2048 4194307 2 | sed 's/"f"/"steep"/' >both
	sed -n '3,$s/^\([rp]\) \("f" "[^"]*" \)\{0,1\}0/\1 \21/p' flat >>both
	prof-top --growth --tsv flat | grep '^f' | cut -f 7- >want
	prof-top --growth --tsv both | grep '^f' | cut -f 7- | diff want -
	prof-top --growth --tsv both | column growth | sort | diff - <(printf '%s\n' n 'n^2')
}

@test "-k growth: the steepest first, what is not known last" {
	laws 1 0.05 36 1 20000 >r
	printf '%s\n' 'r "few" "/bin/x" 99' 'p 99 8 1 1 1 1 1 1 1 1 1 1' >>r
	prof-top --growth --tsv -k growth r | column function >got
	printf '%s\n' 'n^3' 'n^2 log n' 'n^2' 'n^1.5' 'n log n' n 'log n' 1 few | diff - got
	prof-top --growth --tsv -rk growth r | column function >got
	printf '%s\n' few 1 'log n' n 'n log n' 'n^1.5' 'n^2' 'n^2 log n' 'n^3' | diff - got
	# Without -k it is inclusive cost.
	prof-top --growth --tsv r | column instructions.incl >got
	sort -rn got | diff - got
	prof-top --growth --tsv -k size.max,function -n 1 r | column function | diff - <(echo 1)
	prof-top --tsv -rk sizes -n 1 r | column function | diff - <(echo few)
}

@test "--growth is of points, and of rows" {
	printf '%s\n' 'a;b 5' >s
	fails_with '^prof-top: --growth: the profile has no points' prof-top --growth s
	laws 1 0 36 1 20000 >r
	fails_with '^prof-top: --growth cannot be combined' prof-top --growth --callers n r
	fails_with '^prof-top: --growth cannot be combined' prof-top --growth --callees n r
	# Columns that are not there are no columns.
	fails_with "no event 'sizes'; events: samples" prof-top -k sizes s
	fails_with "no event 'growth'; .* sizes, size.min, smallest, size.max, largest, function, file, object\)" prof-top -k growth r
}

@test "a sort, a search: what a program's costs grow like, by Callgrind and awk" {
	# The recipe is the manual's, word for word.
	sed -n '/^\.Ss How cost grows/,/^\.Ed/p' "$TESTS/../man/prof.7" |
		sed '1,/^\.Bd/d; $d; s/\\e/\\/g; s/^\\&//' >recipe
	grep -q 'prof-top --growth' recipe
	${CC:-cc} -O1 -g -o sort "$TESTS/../share/examples/sort.c"
	sh -e recipe >got 2>err
	[ ! -s err ]
	prof-top --growth --tsv sort.aprof >t
	awk -F '\t' '$1 ~ /^[a-z_]+$/ && $1 != "main" { print $1 ": " $10 " " $13 }' t |
		sed 1d | sort >laws
	cat >want <<-'E'
	binary_search: log n clear
	constant: 1 clear
	insertion_sort: n^2 clear
	linear_search: n clear
	merge: log n clear
	merge_sort: n log n clear
	multiply: n^3 clear
	E
	diff want laws
	grep -q ' n^3 .* multiply  ' got
	# The example that is shipped is such a one: sizes and calls are the same.
	for f in sort.aprof "$TESTS/../share/examples/sort.aprof"; do
		awk '$1 == "r" { split($0, r, "\""); name[$NF] = r[2] }
			$1 == "p" { print name[$2], $3, $7 }' "$f" | grep -v ^0x | sort >points
		[ "$(wc -l <points)" -gt 70 ]
		[ -e ours ] || cp points ours
	done
	diff ours points
	# Nothing is lost on the way: the sums are those of the profiles.
	prof-top --tsv --events Ir ./*.out | awk -F '\t' '$3 ~ /\/sort$/ && $4 > 0 {
		print $1, $4, $5 }' | sort >want
	awk -F '\t' 'NR > 1 { print $1, $4, $5 }' t | sort | diff want -
}

@test "log n is not clear where the cost hardly grows over all sizes" {
	local args=() n
	for ((n = 2; n < 2000000; n *= 2)); do
		args+=("$n" "$(awk "BEGIN { printf \"%d\", 100000 + 500 * log($n) / log(2) }")" 1)
	done
	points "${args[@]}" >f
	prof-top --growth --tsv f | cut -f 10-13 | sed 1d | diff - <(printf 'log n\t1\tlog n\trange\n')
	# Where it grows by more than a quarter it is.
	args=()
	for ((n = 2; n < 2000000; n *= 2)); do
		args+=("$n" "$(awk "BEGIN { printf \"%d\", 100000 + 3000 * log($n) / log(2) }")" 1)
	done
	points "${args[@]}" >f
	prof-top --growth --tsv f | cut -f 10-13 | sed 1d | diff - <(printf 'log n\tlog n\tlog n\tclear\n')
}
