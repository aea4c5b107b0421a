#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: prof-diff sum
# shellcheck shell=bash
# What a difference says of inclusive costs that are bounds, and what gates do not check:
# nothing passes in silence.

load tools.bash

# cycle NAME MAIN G F MAIN-G G-F F-G: self costs, and those of the calls in a cycle of g and
# f that main enters, of which g makes two.
cycle() {
	local name=$1
	shift
	printf '%s\n' 'prof|1' 'part|1' 'event|0|A|-|-|-' 'func|0|main|-|-|-' \
		'func|1|g|-|-|-' 'func|2|f|-|-|-' "cost|0|-|1|-|$1" "cost|1|-|2|-|$2" \
		"cost|2|-|3|-|$3" "call|0|-|1|-|1|-|-|1|$4" "call|1|-|2|-|2|-|-|2|$5" \
		"call|2|-|3|-|1|-|-|1|$6" end | bars >"$name"
}

# flat NAME: main calls f, which costs 50.
flat() {
	bars >"$1" <<-'E'
	prof|1
	part|1
	event|0|A|-|-|-
	func|0|main|-|-|-
	func|1|f|-|-|-
	cost|0|-|1|-|10
	cost|1|-|3|-|50
	call|0|-|1|-|1|-|-|1|50
	end
	E
}

# gate STATUS TEXT ARGUMENT...: prof-diff exits with the status and says a line that matches
# TEXT, a regular expression, or nothing if it is empty.
gate() {
	local want=$1 text=$2 status=0
	shift 2
	prof-diff "$@" >gate.out 2>gate.err || status=$?
	if [ -n "$text" ] && ! grep -Eq -e "$text" gate.err; then
		status="$status, without: $text"
	elif [ -z "$text" ] && [ -s gate.err ]; then
		status="$status, with a message"
	fi
	if [ "$status" != "$want" ]; then
		echo "status $status: $*"
		cat gate.err
		return 1
	fi
}

@test "the change of an inclusive cost is marked unless both costs are exact" {
	# main>g>f>g>f: f costs 70 once, of which calls tell 35; then main>f, 50.
	cycle old 10 40 30 70 65 35
	flat new
	prof-diff -n 0 old new >got
	grep -q '  <+15  +42.86  f$' got
	grep -q '  <-70    gone  g$' got
	grep -q '   -20  -25.00  main$' got
	has '^< upper bound of the change: in a recursive cycle before$' <got
	prof-diff -n 0 new old | has '  ~-15  -30.00  f$'
	prof-diff -n 0 new old >got
	has '^~ lower bound: in a recursive cycle$' <got
	cycle more 10 40 36 76 71 35
	prof-diff -n 0 old more >got
	grep -q '  ?+1 .* f$' got
	has '^? may be more or less: in recursive cycles before and after' <got
	# The same for programs.
	want='f 15 most least exact'
	prof-diff --tsv old new >got
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$1 == "f" { print $1, $at["A.incl"], $at["A.incl.bound"], $at["A.old.incl.bound"],
		$at["A.new.incl.bound"] }' got | diff - <(echo "$want")
	prof-diff --json old new | jq -r 'select(.function == "f") | "\(.function) \(."A.incl") " +
		"\(."A.incl.bound") \(."A.old.incl.bound") \(."A.new.incl.bound")"' |
		diff - <(echo "$want")
	prof-diff --tsv old new | awk -F '\t' '$1 == "main" { print $(NF - 2) }' |
		diff - <(echo exact)
	prof-diff --tsv old more | awk -F '\t' '$1 == "f" { print $(NF - 2) }' |
		diff - <(echo neither)
	# From a stream, and in a picture, in which each of the costs has its mark.
	prof-diff old new | prof-top | has '  <+15  +42.86  f$'
	prof-diff old new | prof-to dot --quiet >got
	grep -Fq '~35 → 50\n<+15' got
	grep -Fq '\l~ lower bound: in a recursive cycle\l< upper bound of the change: in a recursive cycle before' got
	# A profile by itself has no such columns.
	prof-top --tsv old >got
	lacks got bound
	# Rows that have not changed, as far as that is known, are counted.
	cycle more 11 40 30 70 65 35
	prof-diff -n 0 old more >got
	lacks got ' [fg]$'
	has '^… 2 whose inclusive cost may have changed, which is not known$' <got
	prof-diff -n 0 old old >got
	lacks got '…'
}

@test "annotated source of a difference marks inclusive costs" {
	cat >old <<-'E'
	events: A
	fl=a.c
	fn=main
	1 10
	cfn=g
	calls=1 2
	1 70
	fn=g
	2 40
	cfn=f
	calls=2 3
	2 65
	fn=f
	3 30
	cfn=g
	calls=1 2
	3 35
	E
	printf '%s\n' 'events: A' fl=a.c fn=main '1 10' cfn=f 'calls=1 3' '1 50' fn=f '3 50' >new
	prof-diff -b function,line old new >d
	prof-annotate --quiet --tsv d | awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$1 ~ /line|call|total/ { print $1, $3, $4, $at["A.incl"], $at["A.incl.bound"] }' >got
	diff got - <<-'E'
	line 1 - -20 exact
	call 1 g -70 exact
	call 1 f 50 exact
	line 2 - -70 exact
	call 2 f -65 exact
	line 3 - 15 most
	call 3 g -35 exact
	total - - - -
	E
	prof-annotate --quiet --json d | jq -r 'select(.row == "line") | ."A.incl.bound"' |
		diff - <(printf '%s\n' exact exact most)
}

# Call trees whose inclusive costs are known, with recursion, and what calls tell of them.
@test "what is not marked is true, marks are bounds, and gates pass nothing in silence" {
	cat >trees.py <<-'E'
	import csv, io, random, re, subprocess
	def tree(names, left, depth=0):
	    kids = []
	    while left[0] > 0 and depth < 8 and rng.random() < .75:
	        left[0] -= 1
	        kids.append(tree(names, left, depth + 1))
	    return rng.choice(names), rng.choice((0, 1, 5, 30, 100)), kids
	def change(t, names):
	    name, cost, kids = t
	    return (rng.choice(names) if rng.random() < .1 else name,
	        max(0, cost + rng.choice((0, 0, 0, -5, 10, 50))),
	        [change(k, names) for k in kids if rng.random() > .1])
	def measure(t):
	    cost, calls, incl = {}, {}, {}
	    def walk(t, above):
	        name, all_, kids = t
	        cost[name] = cost.get(name, 0) + all_
	        for k in kids:
	            c = walk(k, above | {name})
	            call = calls.setdefault((name, k[0]), [0, 0])
	            call[0] += 1
	            call[1] += c
	            all_ += c
	        if name not in above:	# recursion counts once
	            incl[name] = incl.get(name, 0) + all_
	        return all_
	    walk(t, frozenset())
	    return cost, calls, incl
	def write(path, cost, calls):
	    names = list(cost)
	    with open(path, 'w') as f:
	        print('prof\t1\npart\t1\nevent\t0\tA\t-\t-\t-', file=f)
	        for i, n in enumerate(names):
	            print('func', i, n, '-', '-', '-', sep='\t', file=f)
	        for n, c in cost.items():
	            print('cost', names.index(n), '-', '-', '-', c, sep='\t', file=f)
	        for (a, b), (n, c) in calls.items():
	            print('call', names.index(a), '-', '-', '-', names.index(b), '-', '-', n, c,
	                sep='\t', file=f)
	        print('end', file=f)
	def diff(*options):
	    p = subprocess.run(('prof-diff', '--tsv') + options + ('old', 'new'),
	        capture_output=True, text=True)
	    return p.returncode, list(csv.DictReader(io.StringIO(p.stdout), delimiter='\t')), p.stderr
	seen = {}
	for seed in range(80):
	    rng = random.Random(seed)
	    names = ['f%d' % i for i in range(rng.choice((2, 3, 5, 8)))]
	    trees = [('main', 10, [tree(names, [rng.choice((4, 10, 25))]) for i in range(2)])]
	    trees.append(('main',) + change(trees[0], names)[1:])
	    incl = []
	    for path, t in zip(('old', 'new'), trees[::rng.choice((1, -1))]):
	        cost, calls, true = measure(t)
	        write(path, cost, calls)
	        incl.append(true)
	    old, new = incl
	    growth = {n: new.get(n, 0) - old.get(n, 0) for n in {**old, **new}}
	    for row in diff()[1]:
	        bound, shown, true = row['A.incl.bound'], int(row['A.incl']), growth[row['function']]
	        assert {'exact': shown == true, 'least': shown <= true, 'most': shown >= true,
	            'neither': True}[bound], (seed, row, true)
	        seen[bound] = seen.get(bound, 0) + 1
	    limit = rng.choice((0, 10, 50))
	    status, rows, said = diff('--fail-over', str(limit), '--min-cost', '0', '--metric',
	        'inclusive', '--scope', 'function')
	    grown = {n for n, by in growth.items() if by > 0 and 100 * by > limit * old.get(n, 0)}
	    failed = {row['function'] for row in rows}
	    unsure = re.search(r'(\d+) rows? not checked', said)
	    unsure = int(unsure[1]) if unsure else 0
	    assert status in (0, 1) and status == bool(failed), (seed, status, said)
	    assert failed <= grown, (seed, failed, grown)
	    assert len(grown - failed) <= unsure, (seed, failed, grown, said)
	    seen[status] = seen.get(status, 0) + 1
	# All of it has occurred.
	assert min(seen[k] for k in ('exact', 'least', 'most', 'neither', 0, 1)) >= 10, seen
	E
	python3 trees.py
}

@test "the gate checks what bounds allow, and reports the rest" {
	cycle old 10 40 30 70 65 35
	flat new
	# f cost 70 and costs 50, but of the 70 calls tell 35.
	gate 0 "warning: --fail-over: 'A': 1 row not checked, .*: f\$" \
		--quiet --fail-over 10% --metric inclusive old new
	# It is more than that, for sure: 90 was no more than all there was, 80.
	sed 's/50$/90/' new >slow
	gate 1 '' --fail-over 10% --scope function --metric inclusive --tsv old slow
	[ "$(cut -f 1 gate.out | sort | tr '\n' ' ')" = 'f function main ' ]
	# The new cost is a bound: it has grown by what the bound has.
	cycle other 10 60 30 90 85 55
	flat small
	gate 1 "1 row not checked, .*: f\$" --fail-over 12% --metric inclusive --tsv new other
	lacks gate.out '^f\t'
	gate 1 '' --fail-over 9% --metric inclusive --tsv new other
	has '^f' <gate.out
	# That costs less, whatever the bound hides: no row is unsure.
	cycle huge 10 400 300 700 650 350
	gate 0 '' --fail-over 10% --metric inclusive huge new
	# Of the cost that a filter leaves it is known that it is no less than self cost.
	kept() {
		printf '%s\n' 'events: Ir' fl=a.c fn=main "1 $1" cfn=f calls=1\ 1 "1 $((100 * $1))" \
			fn=f "1 $((50 * $1))" cfn=g calls=5\ 1 "1 $((40 * $1))" fn=g "1 $((30 * $1))" \
			cfn=f calls=5\ 1 "1 $((35 * $1))" | prof-grep -x f - >"$2"
	}
	kept 10 old.cg
	kept 100 new.cg
	prof-diff --tsv old.cg new.cg | awk -F '\t' '$1 == "f" { print $6 }' | diff - <(echo -)
	gate 1 '2 rows not checked' --fail-over 10% --scope function --metric inclusive old.cg new.cg
	gate 2 "nothing of event 'Ir' could be checked" \
		--fail-over 10% --scope function --metric inclusive old.cg old.cg
	gate 0 'warning: .*rows not checked' --fail-over 10% --metric inclusive old.cg old.cg
}

@test "a gate with nothing to check is trouble" {
	# There is no row, or a filter has left none.
	printf '%s\n' 'prof|1' 'part|1' 'event|0|A|-|-|-' end | bars >none
	gate 2 "nothing to check: neither profile has a row with event 'A'" --fail-over 1% none none
	gate 2 'nothing to check' --fail-over 1% --scope total none none
	counts a 100
	prof-grep -x nosuch a >none || [ $? = 1 ]
	gate 2 'nothing to check' --fail-over 1% none none
	gate 0 '' --fail-over 1% --scope total none none
	# But there may be rows that cost nothing, and never did: leaks are.
	printf '%s\n' 'prof|1' 'part|1' 'event|0|A|-|-|-' 'func|0|f|-|-|-' 'cost|0|-|-|-|0' end |
		bars >clean
	gate 0 '' --fail-over 1% clean clean
}

@test "a default that is 0 everywhere, as others are not, is no check" {
	# two NAME A B: f costs that, and A is the default.
	two() {
		printf '%s\n' 'prof|1' 'part|1' 'event|0|A|-|-|-|default=1' 'event|1|B|-|-|-' \
			'func|0|f|-|-|-' "cost|0|-|-|-|$2|$3" end | bars >"$1"
	}
	two old 0 3
	two new 0 3000
	for how in '' '--scope total' '--scope function'; do
		gate 2 "nothing to check: the default event, 'A', is 0 everywhere, .*: name one, as in --fail-over A=1%" \
			--fail-over 1% $how old new
		gate 0 '' --fail-over A=1% $how old new
		gate 1 '' --fail-over B=1% $how old new
	done
	gate 2 "the default event, 'A', is 0" --fail-over 1% old old -- new new
	# What costs nothing at all has been checked, and so has what costs something once.
	two clean 0 0
	gate 0 '' --fail-over 1% clean clean
	two once 3 0
	gate 0 '' --fail-over 1% once new
	gate 1 '' --fail-over 1% old once
}

@test "an event without values on a side is not compared" {
	# two NAME B [TOTAL]: f costs 100 A, and twice so much B, in two records.
	two() {
		printf '%s\n' 'prof|1' 'part|1' 'event|0|A|-|-|-' 'event|1|B|-|-|-' "${3-}" 'func|0|f|-|-|-' \
			'ctx|0|-|0|-|-|-' "cost|0|-|-|-|60|$2" "sample|0|40|$2" end | sed '/^$/d' | bars >"$1"
	}
	two none -
	two some 100
	two zero 0
	for how in '' '--metric inclusive' '--scope total' '--scope function'; do
		gate 2 "the old profile has no value of event 'B': nothing to compare" \
			--fail-over B=2% $how none none
		gate 2 "the old profile has no value of event 'B'" --fail-over B=2% $how none some
		gate 2 "the new profile has no value of event 'B'" --fail-over A=2%,B=2% $how some none
		gate 0 '' --fail-over A=2% $how some none
		# 0 is a value.
		gate 0 '' --fail-over B=2% $how zero zero
		gate 0 '' --fail-over B=2% $how some zero
		gate 1 '' --fail-over B=2% $how zero some
	done
	gate 2 "the new profile has no value of event 'B'" --fail-over B=2% some some -- none none
	gate 2 "the old profile has no value of event 'B'" --fail-over B=2% none none -- some some
	gate 0 '' --fail-over B=2% some some -- some none
	# So is a total.
	two told - 'total|run|100|50'
	gate 0 '' --fail-over B=2% --scope total told told
}

@test "a cost that is not known in all records is not checked" {
	# some NAME F G [TOTAL]: f costs so much at two lines, as F has it, g at one, h 1000.
	some() {
		printf '%s\n' 'prof|1' 'part|1' 'event|0|A|-|-|-' "${4-}" 'func|0|f|-|-|-' \
			'func|1|g|-|-|-' 'func|2|h|-|-|-' "cost|0|-|1|-|${2%,*}" \
			"cost|0|-|2|-|${2#*,}" "cost|1|-|1|-|$3" 'cost|2|-|1|-|1000' end |
			sed '/^$/d' | bars >"$1"
	}
	local lacks="warning: --fail-over: 'A': "
	some known 50,50 100
	some half 50,- 100
	some more 500,- 100
	some none -,- 100
	some low -,- 90
	some stated 50,- 100 'total|run|1200'

	# What is known is the least that it costs.
	gate 0 "${lacks}1 row and the total not checked, as not all of the cost is known: f" \
		--fail-over 1% known half
	gate 1 '' --fail-over 1% --scope function known more
	gate 1 "${lacks}the total not checked" --fail-over 40% known more
	gate 0 "${lacks}1 row and the total" --fail-over 1% half known
	gate 0 "${lacks}1 row and the total" --fail-over 1% half half
	gate 0 "${lacks}1 row and the total" --fail-over 1% none known
	gate 0 "${lacks}1 row and the total" --fail-over 1% known none
	gate 1 "${lacks}1 row and the total" --fail-over 1% low none
	[ "$(run -1 prof-diff --tsv --fail-over 1% low none 2>/dev/null; echo "$output" | cut -f 1 | tail -1)" = g ]

	# Where nothing else is asked, nothing was checked.
	gate 2 "nothing of event 'A' could be checked" --fail-over 1% --scope total known half
	gate 0 '' --fail-over 1% --scope total stated stated
	gate 0 "${lacks}1 row not checked" --fail-over 1% stated stated
	gate 2 'could be checked' --fail-over 1% -b total known half

	# Whose total is not known is not known to be cheaper.
	some new 20,20 0
	sed 's/h/i/; s/1000/800/' new >cheap
	gate 0 '1 row new, but the program costs no more' --fail-over 1% new cheap
	sed 's/h/i/; s/1000/800/; s/20$/-/' new >unsure
	gate 1 "${lacks}" --fail-over 1% new unsure

	# Nothing but 0 is known of the old one.
	some known 0,5 0
	some zero 0,- 0
	sed -i '/1000$/d' known zero
	gate 2 'could be checked' --fail-over 1% --scope total zero known
	gate 2 'could be checked' --fail-over 1% --scope total zero zero
	gate 0 '' --fail-over 1% --scope total known known

	# Of several runs, one that knows nothing of a row does not count.
	some known 50,50 100
	gate 0 '' --fail-over 1% known known -- known none
	gate 0 "${lacks}1 row and the total not checked" --fail-over 1% known known -- known half
	gate 0 "${lacks}1 row and the total not checked" --fail-over 1% known known -- none none
	gate 2 'could be checked' --fail-over 1% --scope total half half -- known known
}

@test "an inclusive cost with something below that is not known is not checked" {
	# main calls f, and f calls g and h; what F calls and what costs itself as in $2.
	calls() {
		printf '%s\n' 'prof|1' 'part|1' 'event|0|A|-|-|-' 'func|0|main|-|-|-' \
			'func|1|f|-|-|-' 'func|2|g|-|-|-' 'func|3|h|-|-|-' 'cost|0|-|-|-|10' \
			'cost|1|-|-|-|10' "cost|2|-|-|-|$2" 'cost|3|-|-|-|10' \
			'call|0|-|-|-|1|-|-|1|40' "call|1|-|-|-|2|-|-|1|$3" \
			'call|1|-|-|-|3|-|-|1|10' end | bars >"$1"
	}
	local m='--metric inclusive --scope function'
	calls known 10 10
	calls self - 10
	calls call 10 -
	gate 0 '' --fail-over 1% $m known known
	gate 0 ": 'A': 1 row not checked, as not all of the cost is known: g" \
		--fail-over 1% $m known self
	gate 0 ": 'A': 2 rows not checked, as not all of the cost is known; the largest: f" \
		--fail-over 1% $m known call

	# All that call what is not known, in stacks.
	stacks() {
		printf '%s\n' 'prof|1' 'part|1' 'event|0|A|-|-|-' 'func|0|main|-|-|-' \
			'func|1|f|-|-|-' 'func|2|g|-|-|-' 'ctx|0|-|0|-|-|-' 'ctx|1|0|1|-|-|-' \
			'ctx|2|0|2|-|-|-' "sample|1|$2" 'sample|2|50' end | bars >"$1"
	}
	stacks known 50
	stacks none -
	gate 0 ": 'A': 2 rows not checked, .*; the largest: main" --fail-over 1% $m known none
	gate 0 ": 'A': 1 row not checked, .*: f" --fail-over 1% --scope function known none
}

@test "the largest and the smallest numbers are known as well" {
	local most=170141183460469231731687303715884105727 how
	# costs NAME COST
	costs() {
		printf '%s\n' 'prof|1' 'part|1' 'event|0|A|-|-|-' 'func|0|f|-|-|-' 'ctx|0|-|0|-|-|-' \
			"sample|0|$2" end | bars >"$1"
	}
	costs most $most
	costs less "${most%7}0"
	costs few 5
	costs least "-$most"
	for how in '' '--metric inclusive' '--scope total' '--scope function'; do
		gate 0 '' --fail-over 1% $how most most
		gate 0 '' --fail-over 1% $how most few
		gate 1 '' --fail-over 1% $how few most
		gate 1 '' --fail-over 0 --min-cost 0 $how less most
		gate 0 '' --fail-over 1% $how least least
	done
}

@test "a total that its rows contradict hides nothing" {
	printf '%s\n' 'events: Ir' fn=f '1 300' '' 'totals: 300' >old
	sed 's/1 300/1 3000/' old >new
	gate 1 'the total of the new profile, 300 Ir, is less than what its rows cost, 3,000 Ir: both' \
		--fail-over 5% --scope total old new
	# With more in the total than in the rows there is nothing wrong.
	sed 's/totals: 300/totals: 900/' old >more
	gate 0 '' --fail-over 5% --scope total more more
	gate 0 '' --fail-over 5% old old
	# The old one may be the one that is wrong.
	sed 's/totals: 300/totals: 30/' old >low
	gate 1 'the total of the old profile, 30 Ir, is less' --fail-over 5% --scope total low old
	gate 0 'the total of the old profile, 30 Ir, is less' --fail-over 5% --scope total low low
}

@test "the first event is meant only where it is the same one" {
	printf '%s\n' 'events: Dr Ir' fn=f '1 10 20' >old
	printf '%s\n' 'events: Ir Dr' fn=f '1 40 10' >new
	gate 2 "default event of the old profile is 'Dr', but of the new one 'Ir': name one" \
		--fail-over 1% old new
	gate 0 '' --fail-over Dr=1% old new
	gate 1 '' --fail-over Ir=1% old new
	gate 1 '' --fail-over 1% --events Ir,Dr old new
	gate 2 "is 'Dr', but of the new one 'Ir'" --fail-over 1% old old -- new new
}

@test "a new function of a program that costs no more is no growth of it" {
	counts old 1000 800 0
	counts new 1000 0 100
	gate 0 "'Ir': 1 row new, but the program costs no more than before: f3\$" \
		--fail-over 1% old new
	gate 0 '' --quiet --fail-over 1% old new
	# Each row by itself.
	gate 1 '' --fail-over 1% --scope function old new
	# A little more is more.
	counts same 1000 0 800
	gate 0 '1 row new' --fail-over 1% old same
	counts more 1000 0 801
	gate 1 '' --fail-over 1% old more
	# What was there has grown by itself, whatever others save.
	counts grown 1020 0 100
	gate 1 '1 row new' --fail-over 1% --tsv old grown
	[ "$(cut -f 1 gate.out | tail -n +2)" = f1 ]
	# Of a part of the program it is not known who saves what: the total is that of all.
	prof-grep -x f3 old >part.old || [ $? = 1 ]
	prof-grep -x f3 new >part.new
	gate 1 '' --fail-over 1% part.old part.new
	# A wrapper around all there is costs nothing, by inclusive cost.
	printf 'main;f 100\n' >plain
	printf 'main;wrap;f 100\n' >wrapped
	gate 0 '1 row new' --fail-over 1% --metric inclusive plain wrapped
	# Of several runs, the total must be less than runs differ.
	for i in 1 2 3 4; do
		counts old.$i $((100000 + 3 * i)) 80000 0
		counts new.$i $((100000 + 4 * i)) 0 10000
		counts even.$i $((100000 + 4 * i)) 0 79999
	done
	gate 0 '1 row new' --fail-over 1% old.? -- new.?
	gate 1 '' --fail-over 1% old.? -- even.?
}

@test "an outlier among the runs hides no growth" {
	for i in 1 2 3 4 5; do
		counts a$i 10000 20000 30000
		counts b$i 100000 200000 300000
	done
	counts b5 100000000 200000000 3000000000
	gate 2 'new run 5 is an outlier, with 5.5e\+03 times .* leave it out' \
		--fail-over 5% a? -- b?
	grep -q "'Ir': 3 rows and the total over the limits, but within run-to-run noise; the largest: f3" \
		gate.err
	gate 1 '' --fail-over 5% a? -- b[1234]
	# An old one, so that the mean has become less.
	cp b5 a3
	gate 2 'old run 3 is an outlier' --fail-over 5% a? -- b[1234]
	gate 2 'old run 3 is an outlier' --fail-over 5% --scope total a? -- b[1234]
	gate 0 '' --fail-over 5% --scope function a? -- a?
	# One that was cut short.
	counts a3 1000 2000 3000
	gate 1 '' --fail-over 5% a? -- b[1234]
	# What is not twice the median is noise, and said to be.
	counts a3 10000 20000 30000
	counts b1 15000 30000 45000
	for i in 2 3 4; do
		counts b$i 10600 21200 31800
	done
	gate 0 "'Ir': 3 rows and the total over the limits, but within run-to-run noise; the largest: f3" \
		--fail-over 5% a[123] -- b[1234]
}

@test "more questions to the same runs need more significant answers" {
	runs() {
		local name=$1 i=0 cost
		shift
		for cost; do
			i=$((i + 1))
			printf 'events: A B\nfn=f\n1 %s %s\n' "$cost" "$cost" >$name.$i
		done
	}
	# Two degrees of freedom: P(T > t) = 1/2 - t / (2 sqrt(2 + t^2)); t is 7.99, P 0.0076.
	runs old 1000 1020
	runs new 1113 1133
	gate 1 '' --fail-over 1% --scope function old.? -- new.?
	gate 1 '' --fail-over 1% --scope total old.? -- new.?
	gate 0 '1 row and the total over the limits, but' --fail-over 1% --scope both old.? -- new.?
	gate 0 '1 row over the limits, but' --fail-over A=1%,B=1% --scope function old.? -- new.?
	gate 1 '' --fdr 1.6% --fail-over 1% --scope both old.? -- new.?
	gate 0 'over the limits, but' --fdr 1.6% --fail-over A=1%,B=1% --scope both old.? -- new.?
}

@test "runs of several scales are compared in one, whichever side has more of them" {
	run_of() {
		bars <<-END
		prof|1
		part|1
		event|0|t|s|-|-|scale=1/$1
		func|0|f|-|-|-
		func|1|g|-|-|-
		cost|0|-|1|-|$2
		cost|1|-|1|-|$3
		end
		END
	}
	run_of 1000 1000 500 >o1
	run_of 1000 1010 505 >o2
	run_of 1000 990 495 >o3
	run_of 1000 1500 500 >n1
	run_of 1000 1510 504 >n2
	run_of 1000000 1500000 500000 >m1
	run_of 1000000 1510000 504000 >m2
	run -1 prof-diff --fail-over 2% o1 o2 o3 -- n1 n2
	want=$(tail -n +3 <<<"$output")
	run -1 prof-diff --fail-over 2% o1 o2 o3 -- m1 m2
	[ "$(tail -n +3 <<<"$output")" = "$want" ]
	grep -q ' f$' <<<"$want"
	# The least cost is in seconds.
	run -1 prof-diff --fail-over 2% --min-cost 0.5 o1 o2 o3 -- m1 m2
	run -0 prof-diff --fail-over 2% --min-cost 0.51 o1 o2 o3 -- m1 m2
}

# three NAME A B C [META...]: a profile of three functions in files of their own.
three() {
	local name=$1 a=$2 b=$3 c=$4
	shift 4
	{
		printf '%s\n' 'prof|1' 'part|1' "${@/#/meta|}" 'event|0|Ir|-|-|-' \
			'event|1|Dr|-|-|-' 'object|0|/bin/app|-' 'file|0|src/a.c' 'file|1|src/b.c' \
			'func|0|alpha|0|0|-' 'func|1|beta|1|0|-' 'func|2|gamma|-|-|-' \
			"cost|0|0|1|-|$a|$a" "cost|1|1|1|-|$b|$b" "cost|2|-|1|-|$c|10"
		echo end
	} | bars >"$name"
}

# limits LINE...: the file of limits with these entries, one a line.
limits() {
	{ echo limits:; printf -- '- {why: because, %s}\n' "$@"; } >limits.yaml
}

@test "an exception gives rows, or the total, a limit of their own" {
	# alpha grows by 30 %, beta by 3 %, the total by 11 %.
	three old 100 100 100
	three new 130 103 100
	grew() { prof-diff --fail-over Ir=5% --tsv "$@" old new 2>err | cut -f 1 |
		sed 1d | paste -sd ' '; }
	[ "$(grew --scope function)" = alpha ]
	limits 'function: ^al, limit: 30%'
	gate 0 '1 row over the limits, but not over its exception: alpha' --scope function \
		--fail-over Ir=5% --limits limits.yaml old new
	gate 1 '' --quiet --fail-over Ir=5% --limits limits.yaml old new	# the total
	limits 'function: ^al, limit: 29.999999%' 'function: alpha, limit: none'
	[ "$(grew --scope function --limits limits.yaml)" = alpha ]
	limits 'file: /b.c$, limit: 2.9%' 'function: [x, pha], limit: none'
	[ "$(grew --scope function --limits limits.yaml)" = beta ]
	limits 'object: /app$, limit: 3%'
	[ "$(grew --scope function --limits limits.yaml)" = alpha ]
	limits 'object: /app$, function: alp, limit: 30' 'object: lib, function: beta, limit: 1'
	gate 0 ':3: the exception matches nothing: because' --scope function --fail-over Ir=5% \
		--limits limits.yaml old new
	limits 'total: true, limit: 12%'
	gate 0 'the total over the limits, but not over its exception' --scope total \
		--fail-over Ir=5% --limits limits.yaml old new
	limits 'total: true, limit: 10.999%'
	gate 1 '' --scope total --fail-over Ir=5% --limits limits.yaml old new
	# An event has its own.
	limits 'function: alpha, event: Ir, limit: none' 'total: true, limit: none'
	gate 0 alpha --fail-over Ir=5% --limits limits.yaml old new
	gate 1 alpha --fail-over Ir=5%,Dr=5% --limits limits.yaml old new
	# Rows are what is compared.
	limits 'file: a.c, limit: none' 'total: true, limit: none'
	gate 0 'src/a.c' -b file --fail-over Ir=5% --limits limits.yaml old new
	limits 'function: alpha, limit: none' 'total: true, limit: none'
	gate 1 'matches nothing' -b file --fail-over Ir=5% --limits limits.yaml old new
}

@test "an exception holds up to its last day" {
	three old 100 100 100
	three new 130 103 100
	limits 'function: alpha, limit: none, until: 2028-02-29' 'total: true, limit: none'
	for day in '2028-02-29 23:59:59:0' '2028-03-01 00:00:00:1' '2027-12-31 12:00:00:0'; do
		SOURCE_DATE_EPOCH=$(date -u -d "${day%:*}" +%s) \
			gate "${day##*:}" . --fail-over Ir=5% --limits limits.yaml old new
	done
	SOURCE_DATE_EPOCH=$(date -u -d 2028-03-01 +%s) gate 1 \
		'warning: limits.yaml:2: expired on 2028-02-29: because$' --fail-over Ir=5% \
		--limits limits.yaml old new
}

@test "a malformed file of limits is rejected at its place" {
	three old 100 100 100
	wrong() {
		printf '%s\n' "${@:2}" >limits.yaml
		gate 2 "^prof-diff: limits.yaml:$1" --fail-over 1% --limits limits.yaml old old
	}
	wrong '1:10: a limit needs `limit`: a percentage, or none' 'limits: [{function: a, why: b}]'
	wrong '1:10: a limit needs a reason: `why`' 'limits: [{function: a, limit: 1}]'
	wrong "1:31: expected a percentage, or none, found '3x'" 'limits: [{function: a, limit: 3x}]'
	wrong '1:10: a limit needs function, file or object, or `total: true`' \
		'limits: [{limit: 2, why: c}]'
	wrong '1:10: a limit is for rows or for the total, not for both' \
		'limits: [{total: true, file: b, limit: 2, why: c}]'
	for day in 2027-02-29 2027-13-01 2027-00-10 2027-1-1 0000-01-01 2100-02-29 tomorrow; do
		wrong "2:42: expected a day such as 2027-01-31, found '$day'" limits: \
			"- {function: a, limit: 3, why: b, until: $day}"
	done
	wrong '2:42: expected a day such as 2027-01-31, found a list' limits: \
		'- {function: a, limit: 3, why: b, until: []}'
	wrong '1:21: bad pattern' 'limits: [{function: "(", limit: 2, why: c}]'
	wrong "1:1: unknown key 'zzz'; known: description, limits" 'zzz: []'
	wrong '2:1: expected a mapping of description, limits, found nothing' '# none'
	gate 2 'none.yaml: No such file' --fail-over 1% --limits none.yaml old old
	gate 2 '[-]-limits needs --fail-over' --limits limits.yaml old old
}

@test "sides that were measured differently are reported, or with --strict rejected" {
	three old 1 2 3 'cmd|./old/app  -o out.1 x/in.txt' 'creator|callgrind-3.19.0' 'hostname|a' \
		'desc|I1 cache: 32768 B, 64 B, 8-way associative' 'desc|Trigger: end'
	three same 1 2 3 'cmd|/new/app --output=o in.txt' 'creator|callgrind-3.19.0' 'hostname|b' \
		'desc|I1 cache:         32768 B, 64 B, 8-way associative' 'desc|Trigger: dump' \
		'cpus|4'
	gate 0 '' --strict --tsv old same
	three new 1 2 3 'cmd|app in.txt more' 'creator|callgrind-3.22.0' \
		'desc|I1 cache: 65536 B, 64 B, 8-way associative'
	want="command '... in.txt' and '... in.txt more'; producer 'callgrind-3.19.0' and \
'callgrind-3.22.0'; cache 'I1 cache: 32768 B, 64 B, 8-way associative' and \
'I1 cache: 65536 B, 64 B, 8-way associative'"
	gate 0 "^prof-diff: warning: the sides were measured differently: $want\$" --tsv old new
	gate 2 "^prof-diff: --strict: the sides were measured differently: $want\$" --strict \
		--fail-over 1% old new
	[ ! -s gate.out ]
	# Each other fact, and the order of several does not matter.
	for fact in 'arch|x86_64|aarch64' 'cpu model|A|B' 'cpus|4|8' 'os release|6.1|6.2' \
		'sampling|cycles: every 100|cycles: every 200' 'pprof.period|1|2'; do
		IFS='|' read -r key a b <<<"$fact"
		three old 1 2 3 "$key|$a" "$key|c"
		three same 1 2 3 "$key|c" "$key|$a"
		three new 1 2 3 "$key|c" "$key|$b"
		gate 0 '' --strict --tsv old same
		gate 2 " '$a' and 1 more and '$b' and 1 more\$" --strict --tsv old new
	done
	# Producers' own: two rates of perf, two versions.
	e=$TESTS/../share/examples
	gate 0 "command '... record .*; producer 'perf 6" --quiet --tsv \
		"$e/calc.perf.zst" "$e/calc.perfdata.zst"
}

@test "a baseline is the old side, with its runs" {
	three old.1 100 100 100
	three old.2 102 100 101
	three new.1 130 101 100
	three new.2 131 100 99
	prof-diff --tsv old.1 new.1 | sed 's/old\.1/BASE/' >want
	prof-cat -o base.prof.zst old.1
	prof-diff --tsv --baseline base.prof.zst new.1 >got
	diff <(cut -f 1-5 want) <(cut -f 1-5 got)
	[ "$(wc -l <got)" = 4 ]
	prof-cat -o base.prof.zst old.1 old.2
	prof-diff --tsv old.1 old.2 -- new.1 new.2 >want
	prof-diff --tsv --baseline base.prof.zst new.1 new.2 | diff want -
	gate 2 'none.prof: No such file or directory: keep one with prof-cat -o none.prof OLD' \
		--baseline none.prof new.1
	gate 2 'expected the new files, found none' --baseline old.1
	gate 2 "all files are new: '--' cannot separate them" --baseline old.1 new.1 -- new.2
}
