#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: graph prof-top prof-tree sum
# What is said of functions that call each other, whole and filtered: a number without a mark
# is true.

load helper.bash
load tools.bash

# marked ARGUMENT...: "FUNCTION INCLUSIVE", with its mark.
marked() {
	prof-top --quiet -n 0 "$@" |
		awk '/^ *self/ { on = 1; next } !NF || /^[~?!]/ { on = 0 } on { print $7, $4 }'
}

# places ARGUMENT...: "DEPTH FUNCTION OWN INCLUSIVE ESTIMATED" of a tree.
places() {
	prof-tree --quiet --tsv --min 0 "$@" | awk -F '\t' 'NR > 1 { print $3, $5, $8, $9, $13 }'
}

by_levels() {
	cat >lines
	echo 'creator: callgrind-3.19.0'
	graph Ir <lines
	awk 'NF == 2 { n += $2 } END { print "totals: " n }' lines
}

# main calls g (which costs all but main's own), g calls f twice, f calls g once: f costs 75,
# as its second activation is within the first.
cycle() {
	graph Ir <<-'E'
	main 10
	main > g 1 95
	g 40
	g > f 2 90
	f 55
	f > g 1 35
	E
}

@test "after a filter, too, the rest of a cycle has lower bounds" {
	cycle >c.cg
	prof-grep -A all -x f c.cg | marked | same - <(printf '%s\n' 'f ~55' 'g ~45')
	# Nothing was dropped that says more than this.
	prof-grep -A all -x f c.cg >left
	lacks left '^meta\tcalls\tpartial'
	has -P '^meta\tcalls\tcallers' <left
}

@test "what is left of a function is the calls into it or what it did, whichever is more" {
	graph Ir >a.cg <<-'E'
	main 0
	main > p 1 30
	main > q 1 20
	p 0
	p > f 1 30
	q 0
	q > f 1 20
	f 10
	f > a 1 25
	f > b 1 15
	a 25
	b 15
	E
	# f costs 25 in a, called by p; with the call by q that is 45, which no one can know.
	prof-grep -x 'q|a' a.cg | marked | same - <(printf '%s\n' 'a 25' 'f 25' 'main 20' 'q 20')
	prof-grep -x 'p|b' a.cg | marked | same - <(printf '%s\n' 'b 15' 'f 30' 'main 30' 'p 30')
	prof-grep -x -A 1 q a.cg | marked | same - <(printf '%s\n' 'f 20' 'main 20' 'q 20')
}

@test "where a filter has hidden a cycle, sums are upper bounds" {
	# f > g > h > f > g: f costs 60, g 56.
	graph Ir >c.cg <<-'E'
	main 100
	main > f 1 60
	f 10
	f > g 2 68
	g 20
	g > h 1 48
	h 30
	h > f 1 18
	E
	prof-grep -v -x h c.cg >left
	has -P '^meta\tcalls\tpartial' <left
	marked left | same - <(printf '%s\n' 'main ?160' 'g ?68' 'f ?78')
	echo "rules: [drop: {function: '^h$'}]" >r.yaml
	prof-cat --rules r.yaml c.cg | marked | same - <(printf '%s\n' 'main ?160' 'g ?68' 'f ?78')
	# In a tree all of that is an estimate.
	[ "$(places left | grep -vc cost)" = 0 ]
	# What calls itself may do so where its caller was dropped.
	graph Ir >r.cg <<-'E'
	main 1
	main > f 1 40
	main > x 1 60
	x 5
	x > f 1 55
	f 15
	f > f 2 70
	f > g 4 80
	g 80
	E
	prof-grep -v -x 'x|g' r.cg | marked | same - <(printf '%s\n' 'f ~40' 'main ?41')
	prof-grep -x 'f' r.cg | marked | has '^f 95$'
	# Nor has that names for levels where other functions have.
	{
		echo 'creator: callgrind-3.19.0'
		cat r.cg
		printf '%s\n' fn=k '1 0' "cfn=k'2" 'calls=1 9' '5 0' 'totals: 101'
	} >levels.cg
	prof-grep -v -x 'x|g' levels.cg >left
	has -P '^meta\trecursion\tlevels' <left
	marked left | has '^f ~40$'
}

@test "a filter that hides no cycle leaves sums that need no mark" {
	graph Ir >c.cg <<-'E'
	main 1
	main > f 1 60
	main > k 1 9
	k 4
	k > l 1 5
	l 3
	l > k 1 2
	f 10
	f > g 5 50
	g 50
	E
	prof-grep -x f c.cg >left
	lacks left '^meta\tcalls'
	marked left | sort | same - <(printf '%s\n' 'f 60' 'g 50' 'main 60')
	# Of the cycle just the way in is left: that is one call of k.
	prof-grep -x main c.cg >left
	lacks left '^meta\tcalls'
	marked left | grep k | same - <(echo 'k 9')
}

@test "what is below one caller is not known where another one was dropped" {
	graph Ir >c.cg <<-'E'
	main 1
	main > a 1 30
	main > c 1 50
	a 5
	a > b 1 25
	c 10
	c > b 1 40
	b 35
	b > f 2 30
	f 30
	E
	# Of the calls into b those by c are left: 20 of f may be there, or 30.
	prof-grep -x 'c|f' c.cg >left
	has -P '^meta\tcalls\tcallers' <left
	places left | grep ' f ' | same - <(echo '4 f 30 30 cost,self')
	prof-grep -x 'f' c.cg >left
	lacks left '^meta\tcalls'
	places left | same - <(printf '%s\n' '1 b 0 30 -' '2 f 30 30 -')
}

@test "a function without names of levels among others with them may be within itself" {
	command -v valgrind >/dev/null || skip 'no valgrind'
	cat >p.c <<-'E'
	volatile long x;
	static void spin(int n) { while (n--) x += n; }
	void h(int n);
	void f(int n) { spin(20); if (n > 0) h(n - 1); spin(3); }
	void h(int n) { spin(30); if (n > 0) f(n - 1); if (n == 4) f(1); }
	int main(void) { f(6); h(3); f(2); return 0; }
	E
	gcc -O0 -g -o p p.c
	valgrind_to all callgrind ./p
	valgrind_to one callgrind --separate-recs=10 --separate-recs1=f ./p
	f=$(prof-top --tsv --events Ir all | awk -F '\t' '$1 == "f" { print $6 }')
	h=$(prof-top --tsv --events Ir all | awk -F '\t' '$1 == "h" { print $6 }')
	# With all levels named the first ones are exact,
	prof-top -n 0 all | tr -d , | has -E " $f +[0-9.]+ +[0-9]+  f  "
	# that of a function whose levels have one name is an upper bound, h still is.
	prof-top -n 0 one | tr -d , | awk -v f="$f" '
	/ f  / { n = $4; ok = sub("[?]", "", n) && n + 0 >= f + 0 } END { exit !ok }'
	prof-top -n 0 one | tr -d , | has -E " $h +[0-9.]+ +[0-9]+  h  "
	places --function '^f$' one | sed -n 1p | has 'cost,self$'
	places --function '^h$' one | sed -n 1p | has " $h -\$"
}

@test "levels are named or not in each run on its own" {
	by_levels >one <<-'E'
	main 100
	main > f 1 60
	f 20
	f > g 2 70
	g 40
	g > f 1 30
	k 5
	k > k'2 1 3
	k'2 3
	E
	by_levels >two <<-'E'
	main 1
	main > f 1 30
	f 20
	f > f'2 1 10
	f'2 10
	E
	marked one | grep '^f ' | same - <(echo 'f ?90')
	marked two | grep '^f ' | same - <(echo 'f 30')
	marked one two | grep '^f ' | same - <(echo 'f ?120')
	# Names of callers come after the level.
	sed "s/f'2/f'2'main/; s/fn=f\$/fn=f'main/" two >callers
	marked callers | grep "^f'main " | same - <(echo "f'main 30")
}

@test "a first level has all its cost where a cycle is entered, and not below" {
	# f'2 calls itself through f2 and f1, below it is what is not its own.
	by_levels >t.cg <<-'E'
	f 25
	f > f'2 1 311
	f'2 220
	f'2 > f'2 3 220
	f'2 > f2 1 242
	f1 91
	f1 > f'2 1 151
	f2 0
	f2 > f1 1 242
	E
	places t.cg | same - <(cat <<-'E'
	1 f 25 336 -
	2 f'2 220 311 -
	3 f2 0 91 -
	4 f1 91 91 -
	E
	)
	# It is the root of the tree of its own.  The larger of what goes in and what goes out,
	# where another thread begins with it.
	by_levels >first.cg <<-'E'
	f 10
	f > g 1 20
	f > f'2 1 3
	f'2 3
	g 20
	g > f 1 5
	E
	places --function '^f$' first.cg | sed -n 1p | same - <(echo '1 f 10 33 -')
}

@test "the root of a cycle is who costs more than the calls of it, otherwise a guess" {
	# f0 > f2 > f1 > f2, f2 > f0 > f2: all but the first call of f0 is in the file.
	graph Ir >c.cg <<-'E'
	f0 20
	f0 > f2 2 255
	f1 0
	f1 > f2 1 78
	f2 139
	f2 > f1 1 78
	f2 > f0 1 116
	E
	places c.cg | sed -n 1p | same - <(echo '1 f0 20 159 -')
	# Here both cost more than that.
	graph Ir >c.cg <<-'E'
	a 50
	a > b 1 30
	b 20
	b > a 1 20
	E
	places c.cg | sed -n 1p | same - <(echo '1 a 44 70 cost,self')
}

@test "self costs that a filter leaves in one place are known there" {
	graph Ir >c.cg <<-'E'
	main 10
	main > f 1 100
	f 40
	f > g 2 110
	g 60
	g > f 1 50
	E
	prof-grep -x f c.cg | places | same - <(cat <<-'E'
	1 main 0 100 -
	2 f 40 100 -
	3 g 0 60 cost,self
	E
	)
	# g has no more than what is called there.
	graph Ir >c.cg <<-'E'
	main 10
	main > f 1 100
	f 20
	f > g 1 30
	f > h 1 60
	h 60
	g 20
	g > f 1 10
	E
	prof-grep -v -x h c.cg | places | same - <(cat <<-'E'
	1 main 10 110 -
	2 f 20 100 -
	3 g 20 30 cost,self
	E
	)
}

@test "what a filter leaves in one place may be of a thread that begins there" {
	# A thread begins with f, too, and spends 17 in g and 4 in f.
	graph Ir >c.cg <<-'E'
	main 10
	main > f 1 30
	f 12
	f > g 2 39
	g 39
	E
	places c.cg | grep '^1 ' | same - <(printf '%s\n' '1 main 10 40 -' '1 f 5 21 cost,self')
	prof-grep -v -x g c.cg | places | same - <(printf '%s\n' '1 main 10 40 -' '2 f 12 30 self')
	# What is left of f is more than main called it for.
	graph Ir >d.cg <<-'E'
	main 10
	main > f 1 30
	f 42
	f > g 2 9
	g 9
	E
	prof-grep -v -x g d.cg | places | grep '^2' | same - <(echo '2 f 30 30 self')
	# In a cycle it is f alone that tells: it costs 40 more than the calls of it.
	graph Ir >e.cg <<-'E'
	main 38
	main > f 2 226
	f 151
	f > g 8 306
	g 115
	g > f 3 191
	E
	prof-grep -x f e.cg | places | grep '^2' | same - <(echo '2 f 151 226 self')
	# Where one function costs all there is, no thread begins elsewhere.
	graph Ir >g.cg <<-'E'
	main 10
	main > f 1 51
	f 12
	f > g 2 39
	g 39
	E
	prof-grep -v -x g g.cg | places | same - <(printf '%s\n' '1 main 10 61 -' '2 f 12 51 -')
}

@test "a member of a cycle that has lost its self cost is distributed" {
	graph Ir >c.cg <<-'E'
	x 1
	x > a 1 50
	y 2
	y > a 1 40
	a 30
	a > b 3 75
	b 60
	b > a 1 15
	E
	prof-grep -x 'b|x|y' c.cg | places | sed -n 3p | same - <(echo '3 b 40 50 cost,self')
}

@test "callers are not below what they call, not at the root either" {
	graph Ir >c.cg <<-'E'
	main 10
	main > f 1 1000
	f 500
	f > g 5 400
	g 300
	g > f 5 350
	E
	places --callers c.cg | same - <(cat <<-'E'
	1 f 0 500 self
	2 main 370 370 cost,self
	2 g 130 130 cost,self
	1 g 0 300 self
	2 f 0 300 cost,self
	3 main 300 300 cost,self
	1 main 10 10 -
	E
	)
	# What a function cost that no one called is its own line's.
	graph Ir >c.cg <<-'E'
	main 5
	main > f 1 30
	f 40
	E
	places --callers --function '^f$' c.cg | same - <(printf '%s\n' '1 f 10 40 -' '2 main 30 30 -')
}

@test "folding a function that also runs without a caller is an estimate" {
	graph Ir >c.cg <<-'E'
	main 25
	main > f 2 43
	f 20
	f > main 1 23
	E
	echo "rules: [fold: {function: '^main$'}]" >r.yaml
	prof-cat --rules r.yaml c.cg >left 2>err
	has -P '^meta\testimate\tfold' <left
	has '1 folded function costs more than all calls to it' <err
	echo "rules: [fold: {function: '^g$'}]" >r.yaml
	graph Ir >c.cg <<-'E'
	main 25
	main > f 2 43
	f 20
	f > g 1 23
	g 23
	E
	silent prof-cat --rules r.yaml c.cg >left
	lacks left '^meta\testimate'
}

@test "min-share leaves out nothing that may have as much" {
	# f costs 70, and its lower bound is 55.
	graph Ir >c.cg <<-'E'
	main 10
	main > g 1 90
	g 60
	g > f 2 85
	f 30
	f > g 1 55
	E
	echo 'min-share: 60%' >r.yaml
	prof-cat --rules r.yaml c.cg 2>err | awk '$1 == "func" { print $3 }' | sort |
		same - <(printf '%s\n' f g main)
	has 'r.yaml: 1 function in recursive cycles stays' <err
	# It cannot be more than 85, which is what it and all that it calls do.
	echo 'min-share: 86%' >r.yaml
	prof-cat --rules r.yaml c.cg 2>err | awk '$1 == "func" { print $3 }' | sort |
		same - <(printf '%s\n' g main)
}
