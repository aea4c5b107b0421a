#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: filter stream sum
# Which event is shown where none is asked for, and what formulas are of.

load tools.bash

# shown FILE...: the heading of the default table, which has its event.
shown() {
	prof-top "$@" 2>/dev/null | sed 1q
}

# A heap as Go writes it, with the last of its types as the default, f and g.
setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	bars >heap.prof <<-'E'
	prof|1
	part|1
	event|0|objects|-|-|-|calls=absent
	event|1|space|B|-|-|calls=absent|default=1
	func|0|f|-|-|-
	func|1|g|-|-|-
	ctx|0|-|0|-|-|-
	ctx|1|0|1|-|-|-
	sample|0|7|100
	sample|1|1|300
	end
	E
	# The first event costs nothing.
	printf '%s\n' 'events: RB PB DB' 'fn=g' '1 0 0 10' 'cfn=f' 'calls=1 1' '1 0 0 30' 'fn=f' '1 0 0 30' >leak.cg
}

@test "memcheck's leaks: the first event that has a cost, in all tools" {
	printf '%s\n' '#include <stdlib.h>' 'static void lose(int n) { volatile void *p = malloc(n); p = 0; (void)p; }' \
		'int main(void) { for (int i = 0; i < 9; i++) lose(100); return 0; }' >leak.c
	cc -g -O0 -o leak leak.c
	valgrind -q --leak-check=full --xtree-leak=yes --xtree-leak-file=leak.kcg ./leak 2>err
	# RB and what follows it are 0: the totals say so.
	sed -n 's/^totals: //p' leak.kcg | tr ' ' '\n' | sed -n 1,4p | diff - <(printf '%s\n' 0 0 0 900)
	[ "$(shown leak.kcg)" = '900 B of DB in 1 profile, 1 part: ./leak' ]
	prof-tree leak.kcg | sed 1q | has '^900 B of DB'
	prof-grep -x lose leak.kcg | shown | has '^900 B of DB'
	prof-merge leak.kcg leak.kcg | shown | has '^1.758 KiB of DB'
	prof-to dot --quiet leak.kcg | has '900 B of DB'
	prof-annotate leak.kcg | sed 1q | has '^900 B of DB'
	prof-to pprof --quiet leak.kcg >leak.pb.gz
	go tool pprof -top leak.pb.gz 2>/dev/null | has -x 'Type: DB'
	[ "$(shown leak.pb.gz)" = '900 B of DB in 1 profile, 1 part: ./leak' ]
}

@test "the profile's default, in all tools and pictures" {
	[ "$(shown heap.prof)" = '400 B of space in 1 profile, 1 part' ]
	prof-tree heap.prof | sed 1q | has '^400 B of space'
	prof-to folded --quiet heap.prof | diff - <(printf '%s\n' 'f 100' 'f;g 300')
	fails_with 'folded cannot hold: .*further events \(1\)' prof-to folded --strict heap.prof
	prof-to svg --quiet heap.prof | has '400 B'
	prof-to dot --quiet heap.prof | has '400 B of space'
	prof-to cpuprofile --quiet heap.prof | jq -r .prof.event | diff - <(echo space)
	prof-to speedscope --quiet heap.prof >s
	jq -r '.profiles[.activeProfileIndex].prof.event' s | diff - <(echo space)
	[ "$(shown s)" = '400 B of space in 1 profile, 1 part' ]
	prof-to firefox --quiet heap.prof >x
	jq -r '.threads[.meta.initialSelectedThreads[0]].prof.event' x | diff - <(echo space)
	[ "$(shown x)" = '400 B of space in 1 profile, 1 part' ]
	prof-to callgrind --quiet heap.prof | shown | has '^400 B of space'
	# The line below the table says which it is, and which it is not.
	prof-top --width 80 heap.prof | tail -n 1 | diff - <(echo 'space only; --events shows others: objects')
	# A rule's least cost is of it, too: f has 1/4 of space, but most objects.
	printf 'min-share: { self: 50 }\n' >r.yaml
	prof-top --tsv --quiet --rules r.yaml heap.prof | cut -f 1 | diff - <(printf '%s\n' function g)
}

@test "after --events it is the first one asked for, that has a cost" {
	prof-cat --events objects,space heap.prof | tee s | shown | diff - <(echo '8 objects in 1 profile, 1 part')
	lacks s default=1
	prof-cat --events space,objects heap.prof | shown | has '^400 B of space'
	prof-cat --events RB,DB,PB leak.cg | shown | diff - <(echo '40 DB in 1 profile, 1 part')
	prof-tree --events objects heap.prof | sed 1q | has '^8 objects'
}

@test "of several parts: the first that has a default; else the first event with a cost in any" {
	printf '%s\n' 'events: RB' 'fn=f' '1 5' >more.cg
	[ "$(shown leak.cg more.cg)" = '5 RB in 2 profiles, 2 parts' ]
	[ "$(shown more.cg leak.cg)" = '5 RB in 2 profiles, 2 parts' ]
	[ "$(shown leak.cg heap.prof)" = '400 B of space in 2 profiles, 2 parts' ]
	[ "$(shown leak.cg leak.cg)" = '80 DB in 2 profiles, 2 parts' ]
	# Where none has a cost, the first; a part without costs or events is no obstacle.
	printf '%s\n' 'events: A B' 'fn=f' '1 0 0' >zero.cg
	[ "$(shown zero.cg)" = '0 A in 1 profile, 1 part' ]
	[ "$(shown zero.cg leak.cg)" = '40 DB in 2 profiles, 2 parts' ]
	printf '%s\n' 'events: A B' 'fn=f' >none.cg
	[ "$(shown none.cg zero.cg)" = '0 A in 2 profiles, 2 parts' ]
	# A stated default that has no cost is it all the same, and be it the first event.
	sed 's/default=1/x=1/; s/objects.*/&\tdefault=1/; s/^\(sample\t.\)\t./\1\t0/' heap.prof >costless.prof
	[ "$(shown costless.prof)" = '0 objects in 1 profile, 1 part' ]
	[ "$(shown costless.prof heap.prof)" = '8 objects in 2 profiles, 2 parts' ]
	# A total is a cost, wherever it stands: a filter leaves it.
	printf '%s\n' 'events: A B' 'fn=f' '1 5 0' 'fn=g' '1 0 3' >ab.cg
	prof-grep -x g ab.cg | shown | diff - <(echo '5 A in 1 profile, 1 part')
	# What is held back keeps its order.
	prof-cat leak.cg >s
	prof-top --tsv --quiet s | diff - <(prof-top --tsv --quiet leak.cg)
}

@test "of a difference: the default of the old profile, and a note of another" {
	sed 's/\tdefault=1//; s/\(objects.*\)$/\1\tdefault=1/' heap.prof >objects.prof
	silent prof-diff heap.prof heap.prof | grep '^event' | cut -f 3,7- | sed -n 1,6p | diff - <(bars <<-'E'
	objects|calls=absent|role=delta
	objects.old|calls=absent|of=objects|role=old
	objects.new|calls=absent|of=objects|role=new
	space|calls=absent|default=1|role=delta
	space.old|calls=absent|of=space|role=old
	space.new|calls=absent|of=space|role=new
	E
	)
	prof-diff heap.prof objects.prof 2>err | prof-top | sed 1q | has '^.*0 B of space between two profiles'
	has "the profiles show different events, the old one 'space', the new one 'objects': this compares 'space'" err
	prof-diff -n 0 objects.prof heap.prof 2>/dev/null | sed 1q | has '0 objects between two profiles'
	# Of events without a mark: what has a cost in the old one, though it did not change.
	printf '%s\n' 'events: RB PB DB' 'fn=f' '1 3 0 30' >new.cg
	prof-diff leak.cg leak.cg | prof-top | sed 1q | has '^0 DB between'
	prof-diff -n 0 leak.cg new.cg 2>err | sed 1q | has '^-10 DB between'
	has "old one 'DB', the new one 'RB'" err
	# The gate is on it, and refuses to compare what one side lacks.
	sed 's/^sample\t1\t1\t300/sample\t1\t1\t400/' heap.prof >grown.prof
	run -1 prof-diff --fail-over 5% heap.prof grown.prof
	run -0 prof-diff --fail-over objects=5% heap.prof grown.prof
	sed 's/^sample\t0\t7/sample\t0\t70/' heap.prof >many.prof
	run -0 prof-diff --fail-over 5% heap.prof many.prof
	fails_with "only the old profile has event 'space': nothing to compare" \
		prof-diff --fail-over 5% heap.prof leak.cg
	# Of several runs, too.
	prof-diff heap.prof heap.prof -- grown.prof grown.prof | prof-top | sed 1q | has '^+100.0 B of space'
}

@test "of a difference: the default that the old profile has only by its costs" {
	# two NAME MARK A B: f costs so much.
	two() {
		bars >"$1" <<-E
		prof|1
		part|1
		event|0|A|-|-|-
		event|1|B|-|-|-$2
		func|0|f|-|-|-
		cost|0|-|-|-|$3|$4
		end
		E
	}
	two cost '' 0 9
	two both '|default=1' 5 6
	two zero '|default=1' 5 0
	two first '' 5 6
	for new in both zero first; do
		shown "$new" | has " $([ $new = first ] && echo A || echo B) in"
		prof-diff cost $new 2>err | shown | tee out | has ' B between'
		prof-diff -n 0 cost $new 2>err | sed 1q | diff - out
	done
	has "old one 'B', the new one 'A'" err
	run -1 prof-diff --fail-over 1% zero both
	run -0 prof-diff --fail-over 1% cost both
	# The same events in another order.
	printf '%s\n' 'events: B A' 'fn=f' '1 6 3' >turned.cg
	prof-diff cost turned.cg | shown | has '^-3 B between'
	# Where costs alone say the same, there is no mark.
	prof-diff first both 2>err >out
	lacks out default=1
	shown out | has '^0 A between'
}

@test "samples selected by their event show it, in all tools" {
	# two NAME N: a program that runs f, and g with N instructions.
	two() {
		printf 'w 1/1 1.%d: %d %s:\n\t1 %s (x)\n\n' 0 10 cycles:u f 1 "$2" instructions:u g >"$1"
	}
	two old 3
	two new 3000
	[ "$(shown old)" = '10 cycles of cycles:u in 1 profile, 1 part' ]
	only='--where event=instructions:u'
	[ "$(shown $only old)" = '3 instructions:u in 1 profile, 1 part' ]
	[ "$(shown --where event~^instr old)" = '3 instructions:u in 1 profile, 1 part' ]
	prof-tree $only old | sed 1q | has '^3 instructions:u'
	prof-to folded --quiet $only old | diff - <(echo 'w;g 3')
	prof-cat $only old | shown | has '^3 instructions:u'
	prof-cat $only old new | prof-merge | shown | has '^3,003 instructions:u'
	prof-diff -n 0 $only old new | sed 1q | has '^+2,997 instructions:u'
	run -1 prof-diff --fail-over 1% $only old new
	run -0 prof-diff --fail-over 1% $only old old
	run -0 prof-diff --fail-over 1% old new
	# Where the default is one of them, it remains so.
	[ "$(shown --where event~u old)" = '10 cycles of cycles:u in 1 profile, 1 part' ]
	[ "$(shown --where comm=w old)" = '10 cycles of cycles:u in 1 profile, 1 part' ]
	prof-cat --where event=cycles:u new | grep default=1 | cut -f 3 | diff - <(echo cycles:u)
	# A label of that name that is no event of the profile moves nothing.
	bars >go.prof <<-'E'
	prof|1
	part|1
	event|0|a|-|-|-|calls=absent
	event|1|b|-|-|-|calls=absent|default=1
	func|0|f|-|-|-
	ctx|0|-|0|-|-|-
	sample|0|1|2|event=load
	sample|0|3|4|event=save
	end
	E
	[ "$(shown --where event=save go.prof)" = '4 b in 1 profile, 1 part' ]
}

# parts: two profiles, of which one lacks an event.
parts() {
	printf '%s\n' 'events: Ir Dr' 'fn=f' '1 100 50' >a.cg
	printf '%s\n' 'events: Ir' 'fn=f' '1 900' >b.cg
}

# costs EVENTS: those of f.
costs() {
	prof-top --tsv --quiet --events "$1" a.cg b.cg | sed 1d | cut -f 5-
}

@test "a formula is of the parts that have all of it, whatever else is shown" {
	parts
	[ "$(costs 'Dr / Ir')" = $'0.5\t0.5' ]
	[ "$(costs 'Ir + Dr')" = $'150\t150' ]
	[ "$(costs 'Ir + Dr,Dr / Ir')" = $'150\t150\t0.5\t0.5' ]
	[ "$(costs 'Ir,Ir + Dr')" = $'1000\t1000\t150\t150' ]
	[ "$(costs 'Ir + Dr,Ir')" = $'150\t150\t1000\t1000' ]
	[ "$(costs 'Ir,Dr')" = $'1000\t1000\t50\t50' ]
	[ "$(costs '2 Ir')" = $'2000\t2000' ]
	prof-top --events 'Ir + Dr' a.cg b.cg 2>err | sed 1q | diff - <(echo '150 Ir + Dr in 2 profiles, 2 parts')
	echo "prof-top: 1 of 2 parts has no Dr, and is not in 'Ir + Dr'" | diff - err
	prof-top --events 'Ir,Dr,Ir + Dr' a.cg b.cg 2>err >out
	echo "prof-top: 1 of 2 parts has no Dr, and is not in 'Ir + Dr'" | diff - err
	prof-top --events 'Dr / Ir' b.cg b.cg a.cg 2>err >out
	echo "prof-top: 2 of 3 parts have no Dr, and are not in 'Dr / Ir'" | diff - err
	for tool in prof-cat prof-merge prof-tree; do
		$tool --events 'Ir + Dr' a.cg b.cg 2>err >out
		echo "$tool: 1 of 2 parts lacks an event of 'Ir + Dr', and is not in it" | diff - err
		silent $tool --events '2 Ir' a.cg b.cg >out
		silent $tool --events 'Ir + Dr' a.cg a.cg >out
	done
	prof-report --events 'Ir + Dr' a.cg b.cg 2>err >out
	echo "prof-report: 1 of 2 parts has no Dr, and is not in 'Ir + Dr'" | diff - err
	prof-report --quiet --events 'Ir + Dr' a.cg b.cg | sed 1q | diff - <(echo '# 150 Ir + Dr')
	# As in the stream, and in a tree.
	prof-cat --events 'Ir + Dr' a.cg b.cg | prof-top --tsv --quiet | cut -f 5 | tail -n 1 | diff - <(echo 150)
	# An event of the profile's own that it derives.
	sed -i 's/^fn=/event: both = Ir + Dr : both\n&/' a.cg
	prof-top --tsv --quiet a.cg b.cg | diff - <(bars <<-'E'
	function|file|object|calls|Ir|Ir.incl|Dr|Dr.incl|both|both.incl
	f|-|-|0|1000|1000|50|50|150|150
	E
	)
	# No part has both.
	printf '%s\n' 'events: Dr' 'fn=f' '1 5' >c.cg
	fails_with "no part has both 'Dr' and 'Ir'" prof-top --events 'Dr / Ir' b.cg c.cg
	for shown in 'Ir + Dr' 'Ir,Ir + Dr,Dr'; do
		fails_with "no event 'Ir [+] Dr'; events: Ir, Dr" prof-top --events "$shown" b.cg c.cg
	done
	fails_with "no event 'Xr'" prof-top --events 'Dr / Xr' a.cg b.cg
}

@test "the first event brings its inclusive cost, where another is the default" {
	bars >x.prof <<-'E'
	prof|1
	part|1
	event|0|A|-|-|-
	event|1|I|-|-|-|inclusive=A
	event|2|B|-|-|-|default=1
	func|0|f|-|-|-
	cost|0|-|-|-|1|7|1
	end
	E
	prof-top --tsv --events A x.prof | cut -f 1,5,6 | diff - <(printf 'function\tA\tA.incl\nf\t1\t7\n')
}

@test "a sum of events has their unit, and the least scale that both have" {
	bars >x.prof <<-'E'
	prof|1
	part|1
	event|0|A|s|-|-|scale=1/4
	event|1|B|s|-|-|scale=1/6
	event|2|C|B|-|-
	func|0|f|-|-|-
	cost|0|-|-|-|2|3|1
	end
	E
	# 2/4 + 3/6 = 12/12
	prof-cat --events 'A + B' x.prof | grep -E '^(event|cost)' | diff - \
		<(printf 'event\t0\tA + B\ts\t-\t-\tscale=1/12\ncost\t0\t-\t-\t-\t12\n')
	prof-cat --events 'A + C' x.prof | grep '^event' | diff - \
		<(printf 'event\t0\tA + C\t-\t-\t-\tscale=1/4\n')
}

@test "a derived event that is chosen has a unit, in all tools the same" {
	bars >x.prof <<-'E'
	prof|1
	part|1
	event|0|A|s|-|-|scale=1/4
	event|-|mine|-|2 A|of A
	event|-|other|m|2 A|of A
	func|0|f|-|-|-
	cost|0|-|-|-|2
	end
	E
	prof-cat --events mine,other x.prof | grep '^event' >got
	printf 'event\t%s\t-\tof A\tscale=1/4\n' $'0\tmine\ts' $'1\tother\tm' | diff - got
	for e in mine other; do
		prof-cat --events $e x.prof | prof-top >got
		prof-top --events $e x.prof | diff - got
	done
	[ "$(head -n 1 got)" = '1.00 m of other in 1 profile, 1 part' ]
}

@test "a sum of events has no calls if its terms have none, and estimates if they have such" {
	bars >x.prof <<-'E'
	prof|1
	part|1
	event|0|A|-|-|-|calls=absent
	event|1|B|-|-|-|calls=absent
	event|-|D|-|A + B|-
	func|0|f|-|-|-
	cost|0|-|-|-|2|3
	end
	E
	for e in A+B D; do
		prof-cat --events $e x.prof | grep '^event' >got
		printf 'event\t0\t%s\t-\t-\t-\tcalls=absent\n' $e | diff - got
		prof-cat --events $e x.prof | prof-top >got
		prof-top --events $e x.prof | diff - got
		lacks got inclusive
	done
	# A cycle of g and h: their costs are not those of the calls between them.
	bars >x.prof <<-'E'
	prof|1
	part|1
	event|0|t|-|-|-|calls=propagated
	func|0|main|-|-|-
	func|1|g|-|-|-
	func|2|h|-|-|-
	cost|0|-|-|-|7
	cost|1|-|-|-|70
	cost|2|-|-|-|90
	call|0|-|-|-|1|-|-|1|160
	call|1|-|-|-|2|-|-|3|0
	call|2|-|-|-|1|-|-|3|0
	end
	E
	prof-cat --events '2 t' x.prof >twice.prof
	for f in x.prof twice.prof; do
		prof-top --tsv --events '2 t' $f | sed 1d | cut -f 1,5,6 | diff - \
			<(printf '%s\t%s\t%s\n' h 180 180 g 140 140 main 14 334)
		prof-tree --tsv --events '2 t' $f | sed 1d | cut -f 5,8,9 | diff - \
			<(printf '%s\t%s\t%s\n' main 14 334 g 140 320 h 180 180)
	done
}

@test "a sum of a formula that does not fit is an error, in each row" {
	printf '%s\n' 'events: A' 'fn=f' '1 100000000000000000000000000000000000000' 'fn=g' '1 5' >big.cg
	for f in 2A '2A / A' 'A / 2A'; do
		fails_with "'$f': a sum does not fit 128 bits" prof-top --events "$f" big.cg
	done
	prof-top --tsv --quiet --events 1A big.cg | cut -f 5 | sed 1d | diff - \
		<(printf '%s\n' 100000000000000000000000000000000000000 5)
	# In the whole it fits, in a row it does not.
	printf '%s\n' 'events: A' 'fn=f' '1 100000000000000000000000000000000000000' 'fn=g' \
		'1 -100000000000000000000000000000000000000' >both.cg
	fails_with "'2A': a sum does not fit 128 bits" prof-top --events 2A both.cg
	# A percentage of next to nothing has no sign.
	printf '%s\n' 'events: A' 'fn=f' '1 100000000000000000000000000000000000000' 'fn=g' '1 -5' >little.cg
	prof-top little.cg | awk '$NF == "g" { print $1, $2 }' | diff - <(echo '-5 0.00')
}

@test "the rows that are omitted have a share of the event that sorts" {
	printf '%s\n' 'events: A B' 'fn=f' '1 90 10' 'fn=g' '1 5 30' 'fn=h' '1 5 60' >f.cg
	rest() {
		prof-top -n 1 "$@" f.cg | grep '^…'
	}
	[ "$(rest --events A,B)" = '… 2 more, 10.00 %' ]
	[ "$(rest --events A,B -k B)" = '… 2 more, 40.00 % B' ]
	[ "$(rest --events A,B -k B.incl)" = '… 2 more, 40.00 % self B' ]
	[ "$(rest --events A,B -k A.incl)" = '… 2 more, 10.00 % self' ]
	[ "$(rest --events A,B -k calls)" = '… 2 more, 10.00 % self' ]
	[ "$(rest --events B,A -k B)" = '… 2 more, 40.00 %' ]
}

@test "a default is decided by the first records, in little memory, and not by a part without events" {
	{ echo 'events: A B'; for ((i = 0; i < 60000; i++)); do printf 'fn=f%d\n1 0 3\n' $i; done; } >many.cg
	limited 60000 prof-top -n 1 many.cg | sed 1q | diff - <(echo '180,000 B in 1 profile, 1 part')
	# What comes later is too late.
	{ cat many.cg; printf 'fn=g\n1 5 0\n'; } >late.cg
	prof-top -n 1 late.cg | sed 1q | diff - <(echo '180,000 B in 1 profile, 1 part')
	bars >none.prof <<-'E'
	prof|1
	part|1
	end
	E
	printf '%s\n' 'events: A B' fn=f '1 0 3' >b.cg
	for files in 'none.prof b.cg' 'b.cg none.prof'; do
		# shellcheck disable=SC2086
		prof-top $files | sed 1q | has '^3 B in 2 profiles'
	done
}

@test "a part has no more than 20000 events, in any format that lists them" {
	local shape lines
	for shape in prof:events cachegrind:events callgrind:events tsv:columns pprof:types; do
		shape $shape 20000 >x
		[ "$(prof-cat --quiet x | grep -c '^event')" = 20000 ]
		shape $shape 20001 >x
		exits_with 2 'a part with more than 20000 events' prof-cat --lenient x
	done
	# Derived ones count, and those of each part alone.
	shape prof:events-derived 20000 >x.prof
	exits_with 2 'x.prof:20003: a part with more than 20000 events' prof-cat x.prof
	shape cachegrind:events 20000 >x
	[ "$(prof-cat x x | grep -c '^event')" = 40000 ]
}

@test "an event costs what all columns of its name cost, in all tools" {
	local wide one
	printf '%s\n' 'events: Ir Dr Ir' fn=f '1 3 5 4' fn=g '2 1 3 2' cfn=f calls=1\ 1 '2 3 5 4' \
		'totals: 4 8 6' >two.cg
	# The truth: the same profile with one column.
	printf '%s\n' 'events: Ir Dr' fn=f '1 7 5' fn=g '2 3 3' cfn=f calls=1\ 1 '2 7 5' \
		'totals: 10 8' >one.cg
	for how in 'top' 'top --tsv' 'top --events Ir' 'top --events Ir+Dr' 'top --events Ir/Dr' \
		'top -b file,line' 'tree' 'tree --tsv' 'tree --events 2Ir' 'tree --callers' merge \
		'merge --events Ir' 'cat --events Ir,Dr' 'cat --events Ir+Dr' 'to dot' 'report'; do
		echo "$how"
		# shellcheck disable=SC2086
		silent prof-$how two.cg >two
		# shellcheck disable=SC2086
		silent prof-$how one.cg >one
		sed -i 's/two\.cg/one.cg/g' two
		diff one two
	done
	silent prof-diff one.cg two.cg | prof-top --tsv >got
	awk -F '\t' 'NR > 1 && ($5 != 0 || $6 != 0 || $7 != $9) { exit 1 }' got
	[ "$(wc -l <got)" = 3 ]
	fails_with "--events: no event 'X'; events: Ir, Dr$" prof-cat --events X two.cg
	shape cachegrind:events 20000 >many
	brief 3 prof-cat --events X many >out 2>err || has "no event .X.; events: e0, e1, .*, e19999$" <err
}

@test "columns of one name with other units or scales are not added to each other" {
	local other
	for other in 'B|-|-' '-|-|-|scale=1/10'; do
		bars >x.prof <<-E
		prof|1
		part|1
		event|0|c|-|-|-
		event|1|c|$other
		func|0|f|-|-|-
		cost|0|-|-|-|3|4
		end
		E
		prof-tree --tsv x.prof | awk -F '\t' 'NR == 2 { print $8 }' | diff - <(echo 3)
		prof-cat --events c x.prof | has -x "$(printf 'cost\t0\t-\t-\t-\t3')"
		prof-top x.prof | has '^3 c in 1 profile'
		run -2 prof-top --tsv x.prof
	done
}

@test "an event of inclusive costs in several columns keeps its base of percentages" {
	bars >x <<-'E'
	prof|1
	part|0
	event|0|time|-|-|-
	event|1|cum|-|-|-|inclusive=time
	event|2|cum|-|-|-|inclusive=time
	func|0|f|-|-|-
	func|1|g|-|-|-
	cost|0|-|-|-|60|80|20
	cost|1|-|-|-|40|10|30
	end
	E
	prof-top --events cum x >want
	has '^100 cum ' <want
	prof-cat --events cum x | prof-top | sed 1q | same - <(sed 1q want)
}

@test "the totals of --info have the costs of points" {
	cp "$repo/share/examples/wordcount.callgrind.zst" "$repo/share/examples/sort.aprof" .
	prof-cat --info wordcount.callgrind.zst sort.aprof | sed -n 's/^event: Ir, //p' |
		same - <(prof-top wordcount.callgrind.zst sort.aprof --events Ir | sed -n '1s/ .*//p')
	prof-cat --info sort.aprof | sed -n 's/^event: Ir, //p' |
		same - <(prof-top sort.aprof | sed -n '1s/ .*//p')
}
