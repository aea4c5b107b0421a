#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: prof-diff sum
# shellcheck shell=bash
# Several runs a side: means, noise, the gate; prof-merge --op mean and stats.

load tools.bash

# runs NAME SEED FUNCTION FACTOR: five runs NAME.1 ... of 200 functions with costs that
# fall as 1/i and noise of 2 %, of which one costs more by the factor.
runs() {
	perl -e '
		my ($name, $seed, $slow, $by) = @ARGV;
		srand $seed;
		sub normal { sqrt(-2 * log(1 - rand)) * cos(6.283185307 * rand) }
		for my $run (1 .. 5) {
			open my $f, ">", "$name.$run" or die;
			for my $i (1 .. 200) {
				my $cost = 1e8 / $i * (1 + 0.02 * normal()) * ($i == $slow ? $by : 1);
				printf $f "main;f%d %d\n", $i, $cost;
			}
		}' "$@"
}

# Costs of one function f, a run for each word, in files NAME.1 and so on.
costs() {
	local name=$1 i=0 cost
	shift
	for cost; do
		i=$((i + 1))
		printf 'main;f %s\n' "$cost" >"$name.$i"
	done
}

@test "the values of runs are means, spread and the significance of a change" {
	costs old 100 102
	costs new 110 113
	prof-diff --tsv old.? -- new.? >got.tsv
	# Two degrees of freedom: P(T > t) = 1/2 - t / (2 sqrt(2 + t^2)).
	python3 - <<-'E'
	import csv, math
	row = {r['function']: r for r in csv.DictReader(open('got.tsv'), delimiter='\t')}['f']
	old, new = [100, 102], [110, 113]
	mean = lambda v: sum(v) / len(v)
	var = sum(sum((x - mean(v)) ** 2 for x in v) for v in (old, new)) / 2
	t = (mean(new) - mean(old)) / math.sqrt(var)
	p = 2 * (0.5 - t / (2 * math.sqrt(2 + t * t)))
	# Means are sums, and how many of them are one.
	assert row['samples.unit'] == row['samples.old.unit'] == '1/2', row
	assert [int(row['samples' + e]) / 2 for e in ('.old', '.new', '')] == [101, 111.5, 10.5], row
	assert abs(float(row['samples.noise']) / 2 / math.sqrt(var) - 1) < 1e-5, row
	# The other row, main, has no cost of its own: it cannot have changed.
	assert abs(float(row['samples.q']) / p - 1) < 1e-5, (row, p)
	E
}

@test "rows that are not shown are counted as in other tables" {
	printf 'events: Ir\nfn=a\n1 %d\nfn=b\n1 %d\n' 1005 500 1006 530 9006 510 9005 545 |
		split -l 5 - run.
	prof-diff -n 0 run.aa run.ab -- run.ac run.ad | has -x '… 1 other changed no more than run-to-run noise'
	awk 'BEGIN { print "events: Ir"; for (i = 0; i < 3000; i++) printf "fn=f%d\n1 5\n", i }' >many.cg
	sed 's/^1 5/1 6/' many.cg >more.cg
	prof-diff -n 3 many.cg more.cg | has -x '… 2,997 more'
}

@test "a significant change is found, and the others are not shown" {
	runs old 1 0 1
	runs new 2 3 1.15
	prof-diff old.? -- new.? >stream
	prof-diff --tsv --fdr 1% old.? -- new.? >got.tsv
	TERM_IS=dumb on_terminal 100 40 'prof-diff old.? -- new.?' >got
	has ' f3$' <got
	[ "$(grep -c ' f[0-9]*$' got)" = 1 ]
	has 'samples between the means of 5 and 5 runs$' <got
	has '^old: old.1 and 4 more, new: new.1 and 4 more$' <got
	has ' 200 others changed no more than run-to-run noise$' <got
	# The rows that are shown are those whose q is small enough.
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["samples.q"] <= 0.01 { print $at["function"] }' got.tsv | diff - <(echo f3)
	# What it is in percent, and the noise.
	[[ "$(grep ' f3$' got)" =~ \+1[0-9]\.[0-9]+\ +[12]\.[0-9] ]]
	TERM_IS=dumb on_terminal 100 40 'prof-diff old.? -- old.?' >got
	has '^total, no change$' < <(sed 's/.*  total/total/' got)
}

@test "the gate fails on significant growth over the limit, on nothing else" {
	runs old 1 0 1
	runs new 2 3 1.15
	run -1 --separate-stderr prof-diff --fail-over 1% --tsv old.? -- new.?
	[ "$(cut -f 1 <<<"$output" | tail -n +2)" = f3 ]
	run -0 prof-diff --fail-over 25% old.? -- new.?
	run -0 prof-diff --fail-over 1% --min-cost 10% old.? -- new.?
	# Faster is no failure.
	run -0 prof-diff --fail-over 1% new.? -- old.?
	# One pair of the same runs has growth all over.
	run -1 prof-diff --fail-over 1% --tsv old.1 new.1
	[ "$(wc -l <<<"$output")" -gt 20 ]
	# No change: the same, in all its rows.
	runs again 3 0 1
	run -0 prof-diff --fail-over 0% --min-cost 0 old.? -- again.?
	# Inclusive cost, of the caller of them all.
	runs all 4 1 1.4
	run -1 --separate-stderr prof-diff --fail-over 1% --scope function --metric inclusive --tsv old.? -- all.?
	[ "$(cut -f 1 <<<"$output" | tail -n +2 | sort | tr '\n' ' ')" = 'f1 main ' ]
	run -1 prof-diff --fail-over 1% --scope total old.? -- all.?
	# What share of false ones is accepted is the caller's choice.
	run -1 prof-diff --fdr 100% --scope function --fail-over 0% --min-cost 0 old.? -- again.?
}

# What limma does, in Python: 14 functions that vary unlike each other, and one that rarely
# costs anything, which says nothing about the others.
@test "the noise of a row is drawn towards that of its neighbours, as Smyth has it" {
	cat >smyth.py <<-'E'
	import csv, fractions, math, random, sys
	random.seed(5)
	cost = {'f%d' % i: [max(1, round(random.gauss(1e6 / i, 1e4 / i * random.choice((1, 2, 9)))))
	    for run in range(6)] for i in range(1, 15)}
	cost['rare'] = [90000, 0, 0, 0, 85000, 99000]
	if sys.argv[1:] == ['write']:
	    for run in range(6):
	        with open('%s.%d' % ('on'[run > 2], run), 'w') as f:
	            for name, v in cost.items():
	                if v[run]:
	                    print('main;%s %d' % (name, v[run]), file=f)
	    sys.exit()
	def gammas(x):	# digamma, trigamma: recurrence, then the asymptotic series
	    di = tri = 0
	    while x < 30:
	        di, tri, x = di - 1 / x, tri + 1 / x ** 2, x + 1
	    return (di + math.log(x) - 1 / (2 * x) - 1 / (12 * x ** 2) + 1 / (120 * x ** 4),
	        tri + 1 / x + 1 / (2 * x ** 2) + 1 / (6 * x ** 3) - 1 / (30 * x ** 5))
	def inverse(y):
	    low, high = 1e-6, 1e9
	    for _ in range(200):
	        mid = math.sqrt(low * high)
	        low, high = (mid, high) if gammas(mid)[1] > y else (low, mid)
	    return low
	mean = lambda v: sum(v) / len(v)
	df = 4
	var = {n: (sum((x - mean(v[:3])) ** 2 for x in v[:3]) +
	    sum((x - mean(v[3:])) ** 2 for x in v[3:])) / df for n, v in cost.items()}
	x = {n: math.log(mean(v[:3]) + mean(v[3:]) + 1) for n, v in cost.items()}
	y = {n: math.log(var[n]) - gammas(df / 2)[0] + math.log(df / 2) for n in var}
	rows = [n for n in cost if n != 'rare']
	mx, my = mean([x[n] for n in rows]), mean([y[n] for n in rows])
	slope = sum((x[n] - mx) * (y[n] - my) for n in rows) / sum((x[n] - mx) ** 2 for n in rows)
	trend = {n: my + slope * (x[n] - mx) for n in rows}
	# A line has two coefficients.
	left = sum((y[n] - trend[n]) ** 2 for n in rows) / (len(rows) - 2)
	beyond = left - gammas(df / 2)[1]
	assert beyond > 0.1, beyond
	prior = 2 * inverse(beyond)
	scale = gammas(prior / 2)[0] - math.log(prior / 2)
	# Values are in the unit that the table says: a third, of means of three.
	got = {r['function']: float(r['samples.noise']) * float(fractions.Fraction(r['samples.unit']))
	    for r in csv.DictReader(open('got.tsv'), delimiter='\t') if r['samples.noise'] != '-'}
	for n in rows:
	    want = math.sqrt((prior * math.exp(trend[n] + scale) + df * var[n]) / (prior + df))
	    assert abs(got[n] / want - 1) < 1e-4, (n, got[n], want)
	# It varies by more than they do, and has a test of its own.
	assert abs(got['rare'] / math.sqrt(var['rare']) - 1) < 1e-4, got['rare']
	E
	python3 smyth.py write
	prof-diff --tsv o.? -- n.? >got.tsv
	python3 smyth.py
}

@test "an event is judged as if it were alone, whatever the noise of others" {
	# The noise of b is the same for all functions, that of a is not.
	of_event() {
		awk -F '\t' -v event="$1" 'NR == 1 { for (i = 2; i <= NF; i++) take[i] = $i ~ "^" event "([.]|$)" }
			{ for (i = 2; i <= NF; i++) if (take[i]) $1 = $1 " " $i; print $1 }' | sort
	}
	local seed events
	for seed in 1 2 3; do
		for events in 'a b' 'b a'; do
			perl -e 'srand shift;
			sub noise { my $v = -6; $v += rand for 1 .. 12; $v }
			my %out;
			for my $f (1 .. 30) {
				my $wild = (1, 2, 9, 30)[rand 4];
				for my $run (0 .. 5) {
					my %v = (a => 1e6 / $f * (1 + 0.01 * $wild * noise()), b => 1e6 + 1e4 * noise());
					$out{$run} .= sprintf "fn=f$f\n1 %.0f %.0f\n", @v{@ARGV};
				}
			}
			for my $run (0 .. 5) {
				open my $o, ">", ($run < 3 ? "o" : "n") . ".$run";
				print $o "events: @ARGV\n$out{$run}";
			}' $seed $events
			prof-diff --tsv --events a,b o.? -- n.? >both
			for event in a b; do
				prof-diff --tsv --events $event o.? -- n.? | of_event $event >alone
				[ "$(wc -l <alone)" = 31 ]
				of_event $event <both | diff alone -
			done
		done
	done
}

@test "few gates of equal runs fail, and few slow functions are missed" {
	needs tests/noise/simulate
	sim() { "$PROF_BUILD/tests/noise/simulate" "$@"; }
	# At most 1 of 100, of 1,000 functions, whatever the noise is like.
	for model in even uneven counted skewed outliers slow-runs; do
		for runs in 5 10; do
			n=$(sim $model $runs 400 0.01)
			echo "$model $runs $n"
			[ "$n" -le 8 ]
		done
		[ "$(sim $model 30 100 0.01)" -le 3 ]
	done
	[ "$(sim even 10 2000 0.01)" -le 20 ]
	# Most functions of a profile with calls have no cost of their own, or hardly any.
	for model in even uneven skewed; do
		[ "$(sim $model 3 60 0.05 6000)" -le 9 ]
	done
	# The simulation sees alarms where there are any.
	[ "$(sim even 10 200 0.5)" -gt 40 ]
	# 5 % slower with 2 % noise and 10 runs a side: functions of 13, 4.5 and 0.1 % of the cost.
	[ "$(sim even 10 200 0.01 0 1 1.05)" -ge 190 ]
	[ "$(sim even 10 200 0.01 0 3 1.05)" -ge 190 ]
	[ "$(sim even 10 200 0.01 0 100 1.05)" -ge 160 ]
	# Of samples: 5 % of 3,300 in each run; of few, as often as an exact test of two Poisson
	# sums would at the same rate of false alarms: 94, 35 and 97 of 100.
	[ "$(sim dense 10 100 0.01 0 30 1.05)" -ge 95 ]
	[ "$(sim counted 10 100 0.01 0 100 2)" -ge 93 ]
	[ "$(sim counted 10 100 0.01 0 200 2)" -ge 32 ]
	[ "$(sim counted 10 100 0.01 0 500 4)" -ge 93 ]
}

@test "functions of statistics that libm lacks are right" {
	needs tests/noise/special
	"$PROF_BUILD/tests/noise/special" >got
	python3 - <<-'E'
	import math
	near = lambda a, b: abs(a - b) <= 1e-9 * abs(b) + 1e-300
	# Derivatives of lgamma() as sums over the poles: the recurrence up to a large number.
	def digamma(x):
	    s = 0.0
	    while x < 1e4: s -= 1 / x; x += 1
	    return s + math.log(x) - 1 / (2 * x) - 1 / (12 * x * x)
	def trigamma(x):
	    s = 0.0
	    while x < 1e4: s += 1 / (x * x); x += 1
	    return s + 1 / x + 1 / (2 * x * x) + 1 / (6 * x ** 3)
	n = 0
	for line in open('got'):
	    kind, *v = line.split()
	    v = [float(x) for x in v]
	    n += 1
	    if kind == 'gamma':
	        x, di, tri, back = v
	        assert abs(di - digamma(x)) < 1e-9 and near(tri, trigamma(x)) and near(back, x), line
	        continue
	    # The closed forms of 1, 2 and 4 degrees of freedom, and the normal distribution.
	    t, one, two, four, normal = v
	    assert near(one, math.atan2(1, t) / math.pi), line
	    if t < 3:	# further out the closed form loses its digits
	        assert near(two, 0.5 - t / (2 * math.sqrt(2 + t * t))), line
	        s = t / math.sqrt(4 + t * t)
	        assert near(four, 0.5 - 0.75 * (s - s ** 3 / 3)), line
	    assert near(normal, math.erfc(t / math.sqrt(2)) / 2), line
	assert n > 40
	E
}

@test "the difference of several runs is that of their means, for all tools" {
	for i in 1 2 3; do
		printf 'events: Ir Dr\nfn=main\n1 %d 5\ncfn=f\ncalls=%d 1\n2 %d 9\nfn=f\n1 %d 9\n' \
			$((10 + i)) $((2 * i)) $((100 * i)) $((100 * i)) >old.$i
	done
	sed 's/^1 200 9/1 260 9/; s/^2 200 9/2 260 9/' old.2 >new.1
	cp new.1 new.2
	prof-diff old.? -- new.? >stream
	has '^meta	estimate	means of 3 old and 2 new runs$' <stream
	has '^meta	diff	old.1 and 2 more	new.1 and 1 more$' <stream
	grep '^event' stream | cut -f 3,6- | diff - <(tabs <<-'E'
	Ir          -  parts=6  role=delta  scale=1/6
	Ir.old      -  of=Ir  parts=6  role=old  scale=1/6
	Ir.new      -  of=Ir  parts=6  role=new  scale=1/6
	Dr          -  parts=6  role=delta  scale=1/6
	Dr.old      -  of=Dr  parts=6  role=old  scale=1/6
	Dr.new      -  of=Dr  parts=6  role=new  scale=1/6
	calls.old   -  of=calls  parts=6  role=old  scale=1/6
	calls.new   -  of=calls  parts=6  role=new  scale=1/6
	E
	)
	prof-top stream | sed -n 3p |
		diff - <(echo 'estimated: means of 3 old and 2 new runs')
	prof-top --tsv --events Ir.old,Ir.new,Ir,Dr,calls.old,calls.new stream |
		cut -f 1,5,6,8,9,11,14,17,20 | diff - <(tabs <<-'E'
	function  Ir.old  Ir.old.incl  Ir.new  Ir.new.incl  Ir  Dr  calls.old  calls.new
	f     1200  1200  1560  1560  360  0  24  24
	main  72    1272  72    1632  0    0  0   0
	E
	)
	# Nothing is rounded: 3/2 and 4/3 are 9/6 and 8/6.
	costs a 1 2
	costs b 1 1 2
	prof-diff a.? -- b.? | grep ^sample | cut -f 3- | diff - <(printf -- '-1\t9\t8\n')
	# A run that lacks a function has no cost of it; one that all lack is absent.
	printf 'main;g 8\n' >b.4
	prof-diff a.? -- b.? | grep ^sample | cut -f 3- | sort | diff - <(printf -- '-2\t6\t4\n8\t-\t8\n')
}

# sparse NAME SEED RUNS RATE: runs NAME.1 ... of 60 stacks with a few samples, or none, each
# below a function of its own; and what their means are.
sparse() {
	python3 - "$@" <<-'E'
	import json, math, random, sys
	from fractions import Fraction
	name, seed, runs, rate = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
	random.seed(seed)
	def poisson(mean):
	    least, n, p = math.exp(-mean), 0, 1.0
	    while (p := p * random.random()) >= least: n += 1
	    return n
	sums = {}
	for run in range(1, runs + 1):
	    with open(f'{name}.{run}', 'w') as f:
	        print('main;work', 40 + poisson(9), file=f)
	        for i in range(60):
	            if n := poisson(rate):
	                print(f'main;f{i};malloc', n, file=f)
	                sums['malloc'] = sums.get('malloc', 0) + n
	        f.flush()
	    for line in open(f'{name}.{run}'):
	        stack, n = line.split()
	        sums['total'] = sums.get('total', 0) + int(n)
	json.dump({f: str(Fraction(n, runs)) for f, n in sums.items()}, open(name + '.means', 'w'))
	E
}

@test "the rows of means add up to the total, for all that show them" {
	sparse old 1 7 0.08
	sparse new 2 5 0.15
	prof-diff old.? -- new.? >stream
	prof-diff --tsv old.? -- new.? >tsv
	prof-diff --json old.? -- new.? >json
	prof-diff -n 0 --fdr 100% old.? -- new.? >text
	prof-to svg --static stream >svg
	prof-to folded --events samples.old stream >folded
	prof-to callgrind --events samples.old,samples.new,samples stream >callgrind 2>err
	has 'callgrind cannot hold: .*fractions (rounded; sums are kept)' <err
	python3 - <<-'E'
	import csv, json, re
	from fractions import Fraction as F
	old, new = ({f: F(n) for f, n in json.load(open(side + '.means')).items()} for side in ('old', 'new'))
	def check(rows, where):
	    by = {r['function']: r for r in rows}
	    value = lambda r, e: F(int(r[e])) / int(r[e + '.unit'].split()[0][2:])
	    for e, want in (('samples.old', old), ('samples.new', new)):
	        assert value(by['malloc'], e) == want['malloc'], where
	        assert sum(value(r, e) for r in rows) == want['total'], where
	    assert sum(value(r, 'samples') for r in rows) == new['total'] - old['total'], where
	check(list(csv.DictReader(open('tsv'), delimiter='\t')), 'tsv')
	check([json.loads(l) for l in open('json')], 'json')
	# Shown to hundredths.
	rows = [l.split() for l in open('text') if re.match(r' *[\d.]+ +[\d.]+ +[-+\d.]+ ', l)]
	cell = lambda side, r: F(r[side])
	total = rows.pop()
	assert total[-1] == 'total'
	for side, means in enumerate((old, new)):
	    assert abs(cell(side, total) - means['total']) <= F(1, 200)
	    assert abs(sum(cell(side, r) for r in rows) - means['total']) <= F(len(rows) + 1, 200)
	# A picture: what is at the top is all, and the stacks that end add up to it.
	said = re.findall(r'<title>(\S+)\n\S+ samples \([^)]*\); old ([\d.]+) samples, [^;]*; new ([\d.]+)', open('svg').read())
	assert [abs(F(v) - m['total']) <= F(1, 200) for v, m in zip(said[0][1:], (old, new))] == [True] * 2, said[0]
	for side, means in enumerate((old, new)):
	    got = [F(s[1 + side]) for s in said if s[0] == 'malloc']
	    assert len(got) > 20 and abs(sum(got) - means['malloc']) <= F(len(got), 200), (got, means)
	# Whole numbers add up to the whole number of the total.
	whole = lambda x: int(x + F(1, 2))
	assert sum(int(l.split()[-1]) for l in open('folded')) == whole(old['total'])
	E
	awk '/^summary/ { for (i = 2; i <= 4; i++) want[i] = $i } /^calls=/ { getline; next }
		/^[0-9+*-]/ { for (i = 2; i <= NF; i++) sum[i] += $i }
		END { for (i = 2; i <= 4; i++) if (sum[i] + 0 != want[i]) exit 1
			if (want[4] != want[3] - want[2]) exit 1 }' callgrind
	# A tree: main has all of the total, and its callees have all of main.
	prof-tree -n 0 --min 0 stream >tree
	python3 - <<-'E'
	import json, re
	from fractions import Fraction as F
	total = [F(json.load(open(side + '.means'))['total']) for side in ('old', 'new')]
	rows = [l.split() for l in open('tree') if re.match(r' *[\d.]+ +[\d.]+ +[-+\d.]+ ', l)]
	top = [r for r in rows if r[-1] == 'main']
	below = [r for r in rows if re.match(r'[|`]-', r[-2] if r[-1] == 'malloc' else r[-1])]
	assert len(top) == 1 and len(below) > 30, (top, len(below))
	for side in (0, 1):
	    assert abs(F(top[0][side]) - total[side]) <= F(1, 200)
	    assert abs(sum(F(r[side]) for r in below) - total[side]) <= F(len(below), 200)
	E
}

@test "a gate sees what many stacks have little of" {
	sparse old 1 12 0.08
	sparse new 2 12 0.3
	run -1 prof-diff --fail-over 2% --scope function --tsv old.? old.?? -- new.? new.??
	[ "$(cut -f 1 <<<"$output" | tail -n +2)" = malloc ]
	# Costs are in the unit, whatever the means are parts of: malloc costs 13 more.
	run -0 prof-diff --fail-over 2% --min-cost 30 --scope function old.? old.?? -- new.? new.??
	run -1 prof-diff --fail-over 2% --min-cost 10 --scope function old.? old.?? -- new.? new.??
}

@test "a value that a run does not know is no 0" {
	measured() {
		printf 'prof\t1\npart\t1\nevent\t0\tA\t-\t-\t-\nevent\t1\tB\t-\t-\t-\n'
		printf 'func\t0\tf\t-\t-\t-\nfunc\t1\tg\t-\t-\t-\n'
		printf 'cost\t0\t-\t-\t-\t%s\t%s\ncost\t1\t-\t-\t-\t10\t1\nend\n' "$@"
	}
	measured 12 6 >a
	measured - 12 >b
	measured 13 0 >c
	# f is 12 and 13 where it is known, and B (6 + 12 + 0) / 3: A in sixths, as g is of 3.
	prof-merge --op mean a b c | grep -E '^(event|total|cost)' | diff - <(tabs <<-'E'
	event  0  A  -  -  -  parts=6  scale=1/6
	event  1  B  -  -  -  parts=3  scale=1/3
	total  run  135  21
	cost  0  -  -  -  75  18
	cost  1  -  -  -  60  3
	E
	)
	prof-merge --op stats --events A a b c | grep ^cost | cut -f 6- | diff - <(tabs <<-'E'
	75  2  12  13  4
	60  3  10  10
	E
	)
	for op in min max median; do prof-merge --op $op --events A a b c | grep '^cost	0' | cut -f 6; done |
		paste -sd ' ' | diff - <(echo '12 13 12')
	# The old side's mean is the same, and the values that are left out at the end are 0.
	prof-diff a b c -- a a | grep '^cost	0' | cut -f 6- | diff - <(printf -- '-3\t75\t72\t0\t36\t36\n')
	# In noise, a run that does not know its own has the mean of the others, not 0.
	prof-diff --tsv --events A a b c -- a a | awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == "f" { exit !($at["A.noise"] / 6 < 1) }'
	# Means of numbers below 0.
	measured -5 0 >d
	measured -2 0 >e
	prof-merge --op mean --events A d e | has '^cost	0	-	-	-	-7$'
	prof-merge --op mean --events A d e | prof-top --tsv | cut -f 1,5,7 | has -x 'f	-7	1/2'
	prof-merge --op mean --events A d e | prof-top | has '^ *-3.50 .* f$'
	prof-merge --op mean --events A d e | prof-to callgrind 2>err >negative
	grep -A 1 -x 'fn=(1)' negative | has -x -- '0 -3'
	# -3.5 and 10 are 6.5: whole numbers that add up to 7.
	grep -A 1 -x 'fn=(2)' negative | has -x '\* 10'
	has -x 'summary: 7' <negative
	# One that is known in a part only leaves nothing behind in the stream of a difference.
	{ measured 12 6 | sed '/^end/d'; printf 'cost\t0\t-\t-\t-\t-\t3\nend\n'; } >both
	for old in a b both; do
		prof-diff $old a -- both c >d
		prof-cat d | cmp d
	done
	# 12 and 12 against 12 and 13; 6 and 6 against 6 + 3 and 0; in halves.
	prof-diff a a -- both c | prof-top --tsv | cut -f 1,8,11,17,20 | diff - <(tabs <<-'E'
	function  A.old  A.new  B.old  B.new
	f  24  25  12  9
	g  20  20  2  2
	E
	)
}

@test "counts of calls are means that add up to those of the function that is called" {
	calls() {
		printf 'events: Ir\n'
		for i in 1 2 3 4 5; do
			printf 'fn=f%s\n1 1\n' $i
			[ "$i" != "$1" ] || printf 'cfn=g\ncalls=1 1\n1 1\n'
		done
		printf 'fn=g\n1 1\n'
	}
	for i in 1 2 3 4 5; do calls $i >run.$i; done
	prof-merge --op mean run.? >mean
	# A fifth of a call each, one together.
	grep ^call mean | cut -f 9 | sort | uniq -c | awk '{ print $1, $2 }' | diff - <(printf '4 0\n1 1\n')
	prof-top --tsv mean | awk '$1 == "g" { print $4 }' | diff - <(echo 1)
	# A difference has them as events, exactly.
	calls 1 >new.1
	calls 1 >new.2
	prof-diff run.? -- new.? | prof-top --tsv --events Ir,calls.old,calls.new | grep ^g | cut -f 8,10,11,13 |
		diff - <(printf '10\t1/10\t10\t1/10\n')
	# A sum of events has the scale of its terms.
	printf 'events: Ir Dr\nfn=f\n1 3 4\n' >a
	printf 'events: Ir Dr\nfn=f\n1 4 4\n' >b
	prof-merge --op mean a b >ab
	prof-top --tsv --events 'Ir + Dr,Dr / Ir' ab | cut -f 5,7,8 | diff - <(printf 'Ir + Dr\tIr + Dr.unit\tDr / Ir\n15\t1/2\t1.14286\n')
	prof-grep --events 'Ir + Dr' -e f ab | grep -E '^(event|cost)' | diff - <(tabs <<-'E'
	event  0  Ir + Dr  -  -  -  scale=1/2  parts=2
	cost  0  -  1  -  15
	E
	)
	prof-top --min 'Ir>3' ab | has ' f$'
	run -1 grep ' f$' <(prof-top --min 'Ir>4' ab)
	# Means of different numbers of runs can be compared.
	prof-merge --op mean a b b >abb
	prof-diff ab abb | has '^cost	.*	1	21	22	0	24	24$'
}

@test "rounded means leave whole ones unchanged: what costs nothing, and is not called" {
	for n in 4 5; do
		tabs >run.$n <<-E
		prof  1
		part  1
		event  0  Ir  -  -  -
		func  0  f  -  -  -
		func  1  g  -  -  -
		cost  0  -  1  -  $n
		cost  0  -  2  -  0
		cost  0  -  3  -  7
		call  0  -  1  -  1  -  -  $n  0
		call  0  -  2  -  1  -  -  0  0
		call  0  -  3  -  1  -  -  2  0
		end
		E
	done
	prof-merge --op mean run.? >mean
	# After 4.5, which is 5.
	grep ^call mean | cut -f 9 | same - <(printf '%s\n' 5 0 2)
	prof-to callgrind --quiet mean | prof-cat >whole
	grep ^cost whole | cut -f 4,6 | same - <(printf '1\t5\n2\n3\t7\n')
	has -x 'total	run	12' <whole
}

@test "a file may hold several runs, and a run several threads" {
	costs old 100 102
	costs new 110 113
	prof-diff --tsv old.? -- new.? >want
	prof-cat old.? >olds
	prof-diff --tsv olds -- new.? | diff - want
	# And a folder the runs of a side.
	mkdir olddir newdir
	cp old.? olddir
	cp new.? newdir
	prof-diff --tsv olddir newdir | diff - want
	# Each run of two threads, in two parts.
	threads() {
		printf 'part: 1\nthread: 1\nevents: Ir\nfn=f\n1 %d\n\n' "$1"
		printf 'part: 1\nthread: 2\nevents: Ir\nfn=f\n1 %d\n' "$2"
	}
	one() { printf 'events: Ir\nfn=f\n1 %d\n' "$1"; }
	threads 100 1 >two.1
	threads 100 4 >two.2
	one 101 >one.1
	one 104 >one.2
	one 110 >new.1
	one 113 >new.2
	[ "$(prof-cat two.1 | grep -c ^part)" = 2 ]
	prof-diff --tsv one.? -- new.? >want
	prof-diff --tsv two.? -- new.? | diff - want
}

@test "options that need several runs report it" {
	costs old 100 102 103
	costs new 110 113
	fails_with 'expected two files, found 3; for several runs: OLD... -- NEW...' prof-diff old.?
	fails_with 'new.1: comparing runs needs at least two new profiles, found 1' \
		prof-diff old.? -- new.1
	fails_with 'old.1: comparing runs needs at least two old profiles, found 1' \
		prof-diff old.1 -- new.?
	fails_with "--fail-over: options go before '--'; a file of that name is ./--fail-over" \
		prof-diff old.? -- new.? --fail-over 1%
	fails_with '--fdr needs several runs' prof-diff --fdr 5% old.1 new.1
	fails_with '--normalize compares two profiles, not several runs' \
		prof-diff --normalize old.? -- new.?
	for wrong in 0 101% -1% x ''; do
		fails_with "--fdr: expected a percentage above 0 and up to 100, found '$wrong'" \
			prof-diff --fdr "$wrong" old.? -- new.?
	done
	# One of each, and names that begin with a dash, are what they were.
	prof-diff old.1 -- new.1 | cmp - <(prof-diff old.1 new.1)
	cp old.1 ./-old
	prof-diff -- -old new.1 | grep -v ^meta | cmp - <(prof-diff old.1 new.1 | grep -v ^meta)
	# An event that some runs lack.
	printf 'events: Ir\nfn=f\n1 5\n' >one
	printf 'events: Ir Dr\nfn=f\n1 5 6\n' >both
	fails_with "event 'Dr': noise needs two runs or more of each side, found 1 old and 2 new" \
		prof-diff --tsv one both -- both both
	prof-diff one both -- both both | grep ^cost | cut -f 6- | diff - <(printf '0\t10\t10\t0\t12\t12\n')
}

@test "prof-merge --op mean and stats keep the runs' statistics as events" {
	printf 'events: Ir\nfn=main\n1 10\ncfn=f\ncalls=2 1\n2 30\nfn=f\n1 30\n' >a
	printf 'events: Ir\nfn=main\n1 13\ncfn=f\ncalls=5 1\n2 50\nfn=f\n1 50\n' >b
	printf 'events: Ir\nfn=main\n1 13\nfn=g\n1 7\n' >c
	prof-merge --op stats a b c >got
	has '^meta	runs	3$' <got
	has '^meta	estimate	means of 3 runs, whose counts are rounded$' <got
	grep '^event' got | cut -f 3 | tr '\n' ' ' | diff - <(printf 'Ir Ir.runs Ir.min Ir.max Ir.sd ')
	prof-top --tsv --events Ir,Ir.runs,Ir.min,Ir.max,Ir.sd got | cut -f 1,5,8,10,12,14 |
		diff - <(python3 - <<-'E'
	import statistics
	print('function\tIr\tIr.runs\tIr.min\tIr.max\tIr.sd')
	for f, v, n in ('f', [30, 50, 0], 2), ('main', [10, 13, 13], 3), ('g', [0, 0, 7], 1):
	    print(f, sum(v), n, min(v), max(v), round(3 * statistics.stdev(v)), sep='\t')
	E
	)
	# A deviation is as fine as its mean, which is of thirds: one of less than 1/2 is not 0.
	prof-top --json --events Ir.sd got | jq -r '."Ir.sd.unit"' | sort -u | diff - <(echo 1/3)
	printf 'events: Ir\nfn=main\n1 1\n' >one
	printf 'events: Ir\nfn=main\n1 2\n' >two
	prof-merge --op stats one one one one two >got
	# 0.447, of fifths.
	prof-top --tsv --events Ir.sd got | cut -f 5,7 | diff - <(printf 'Ir.sd\tIr.sd.unit\n2\t1/5\n')
	prof-merge --op stats a b c >got
	# Counts of calls are means, too, of 7/3 calls, and mean alone leaves the others out.
	has '^call	.*	2	80	2	0	50	75$' <got
	prof-merge --op mean a b c >mean
	prof-to prof --events Ir got | diff - <(sed 's/^\(cost\|call\|total\)/&/' mean)
	# One run has no deviation.
	prof-merge --op stats a | grep '^cost	0' | cut -f 6- | diff - <(printf '30\t1\t30\t30\t-\n')
	# A number of runs is not in the unit of the costs.
	tabs >scaled <<-'E'
	prof  1
	part  1
	event  0  time  s  -  -  scale=1/100
	func  0  f  -  -  -
	cost  0  -  -  -  150
	end
	E
	prof-merge --op stats scaled scaled | grep -E '^event	[012]' | diff - <(tabs <<-'E'
	event  0  time  s  -  -  parts=2  scale=1/200
	event  1  time.runs  -  -  -
	event  2  time.min  s  -  -  scale=1/100
	E
	)
	# Events stay in the order of their runs, whatever their names.
	printf 'events: Zz Aa Ir\nfn=f\n1 1 2 3\n' >z
	prof-merge --op mean z z | grep ^event | cut -f 3 | tr '\n' ' ' | diff - <(printf 'Zz Aa Ir ')
	# What points have besides costs is not kept, which is said.
	prof-merge --op mean "$TESTS/../share/examples/sort.aprof" 2>err >got
	has 'statistics of runs cannot hold: sizes of inputs' <err
	has ^cost <got
}

@test "statistics of what costs nothing do not become the event that is shown" {
	tabs >a <<-'E'
	prof  1
	part  1
	event  0  A  -  -  -
	event  1  B  -  -  -
	func  0  f  -  -  -
	cost  0  -  -  -  0  7
	end
	E
	# In two runs f has a cost of 0, which counts: A.runs is 2.
	prof-merge --op stats a a >got
	grep '^cost' got | cut -f 6- | same - <(tabs <<<'0  2  0  0  0  14  2  7  7')
	prof-top got | has '^7.00 B in 2 profiles'
	grep 'default=1' got | cut -f 3 | diff - <(echo B)
	# No mark where it is not needed.
	sed 's/\t0\t7$/\t1\t7/' a >b
	prof-merge --op stats b b | run -1 grep default=
	sed 's/\t0\t7$/\t0\t0/' a >b
	prof-merge --op stats b b | prof-top | has '^0.00 A in 2 profiles'
}

@test "an event's name and description are not taken for the number of a run" {
	# The description follows the name.
	printf 'event: Ir : 64 bits\nevents: Ir\nfn=main\n1 10\ncfn=f\ncalls=2 1\n2 30\nfn=f\n1 30\n' >a
	prof-merge --op stats a a >got
	has '^meta	estimate	means of 2 runs$' <got
	has '^call	.*	2	60	2	30	30$' <got
	# Names that look like those that runs have.
	tabs >b <<-'E'
	prof  1
	part  1
	event  0  E  -  -  -
	event  1  @  -  -  -
	func  0  f  -  -  -
	cost  0  -  -  -  10  5
	end
	E
	sed -i $'s/@/E\x012/' b
	prof-diff --tsv b b | cut -f 7,13 | diff - <(printf 'E.old\tE\0012.old\n10\t5\n')
	sed $'s/\t5$/\t9/' b >c
	# Means of two runs are in halves.
	prof-diff --tsv b b -- c c | cut -f 5,18 | diff - <(printf 'E\tE\0012\n0\t8\n')
	# Nor is a name that looks like that of what is not known.
	sed $'s/E\x012/E\x01unknown.old/' b | sed $'s/\t10\t5$/\t10\t-\\\ncost\t0\t-\t-\t-\t0\t5/' >u
	exits_with 2 "nothing of event 'E\x01unknown.old' could be checked" \
	    prof-diff --fail-over $'E\x01unknown.old=1%' u u -- u u
	run -0 --separate-stderr prof-diff --fail-over E=1% u u -- u u
	[ -z "$output$stderr" ]
	# Nothing is told apart by names where runs are not shown.
	prof-merge --op mean b b | has '^cost	.*	20	10$'
	prof-diff b b -- b b | has '^cost	.*	0	20	20	0	10	10$'
}

@test "values that a run does not know are those of its event, whatever the order of events" {
	tabs >a <<-'E'
	prof  1
	part  1
	event  0  B  -  -  -
	event  1  A  -  -  -
	func  0  f  -  -  -
	func  1  g  -  -  -
	cost  0  -  -  -  5  -
	cost  0  -  -  -  5  1
	cost  1  -  -  -  5  5
	end
	E
	tabs >b <<-'E'
	prof  1
	part  1
	event  0  A  -  -  -
	event  1  B  -  -  -
	func  0  f  -  -  -
	func  1  g  -  -  -
	cost  0  -  -  -  1  10
	cost  1  -  -  -  5  5
	end
	E
	exits_with 0 "'A': 1 row and the total not checked" prof-diff --fail-over A=1% a b -- a b
	run -0 --separate-stderr prof-diff --fail-over B=1% a b -- a b
	[ -z "$output$stderr" ]
}

@test "rules that drop what costs little keep the runs of the rest" {
	local i
	for i in 1 2 3 4; do
		printf 'events: Ir\nfn=f\n1 10%s\nfn=g\n1 2\n' $i >r$i
	done
	echo 'min-cost: 10' >rules.yaml
	# What is sure of a row depends on the others.
	prof-diff --tsv --rules rules.yaml r1 r2 -- r3 r4 | cut -f 1,5-7,11 | diff - <(tabs <<-'E'
	function  Ir  Ir.incl  Ir.noise  Ir.unit
	f  4  4  1.41421  1/2
	E
	)
}

@test "events of one name are one, whose costs are added" {
	printf 'events: Ir Ir Dr\nfn=f\n1 5 7 1\n' >a
	prof-merge a a | grep -E '^(total|cost)' | diff - <(tabs <<-'E'
	total  run  24  2
	cost  0  -  1  -  24  2
	E
	)
	prof-diff a a -- a a | grep ^cost | diff - <(tabs <<-'E'
	cost  0  -  -  -  0  24  24  0  2  2
	E
	)
	run -0 --separate-stderr prof-top --tsv a
	[ -z "$stderr" ]
}

@test "runs that do not differ at all may by what rounding hides" {
	# A number that is rounded to a whole one is off by anything up to a half, with a
	# variance of 1/12; the mean of two runs is in halves.
	printf 'main;f 100\nmain;g 7\n' >x
	prof-diff --tsv x x -- x x | awk -F '\t' -v OFS='\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $1, $at["samples.noise"], $at["samples.unit"] }' | sort >got
	noise=$(awk 'BEGIN { printf "%.6g", 2 * sqrt(1 / 12) }')
	printf '%s\t'"$noise"'\t1/2\n' f g main | diff - got
}

@test "sums that are too large are rejected" {
	n=$(printf '1%.0s' {1..38})
	printf 'main;f %s\n' "$n" >big
	files=()
	for i in {1..20}; do files+=(big); done
	fails_with 'does not fit 128 bits' prof-merge --op mean "${files[@]}"
	fails_with 'does not fit 128 bits' prof-diff "${files[@]}" -- "${files[@]}"
	# A deviation may be larger than the costs that it is of.
	extreme() {
		printf 'prof\t1\npart\t1\nevent\t0\tE\t-\t-\t-\nfunc\t0\tf\t-\t-\t-\n'
		printf 'cost\t0\t-\t-\t-\t%s\nend\n' "$1"
	}
	extreme 170141183460469231731687303715884105727 >most
	extreme -170141183460469231731687303715884105727 >least
	fails_with 'does not fit 128 bits' prof-merge --op stats most least
	prof-merge --op mean most least | has '^cost	0	-	-	-$'
}

# A program whose function `third` takes as long as is said, by samples of gprof's.
program() {
	cat >"$1" <<-E
	static volatile unsigned sink;
	static __attribute__((noinline)) void
	churn(unsigned n)
	{
		unsigned x = 1;
		while (n--)
			x = x / 3 + 12345;
		sink += x;
	}
	static __attribute__((noinline)) void first(void) { unsigned x = 1, n = 40000000; while (n--) x = x / 3 + 12345; sink += x; }
	static __attribute__((noinline)) void second(void) { unsigned x = 1, n = 20000000; while (n--) x = x / 5 + 12345; sink += x; }
	static __attribute__((noinline)) void third(void) { unsigned x = 1, n = $2; while (n--) x = x / 7 + 12345; sink += x; }
	int main(void) { first(); second(); third(); churn(1); return 0; }
	E
}

@test "the example for CI by samples tells a program that is slower from one that is not" {
	program a.c 20000000
	program b.c 60000000
	gate() { RUNS=5 sh "$TESTS/../share/examples/ci-gate-sampled.sh" "$@" <input; }
	echo >input
	mkdir tmp
	export TMPDIR=$PWD/tmp
	run -1 --separate-stderr gate a.c b.c --tsv --scope function --fail-over 80%
	[ "$stderr" = 'ci-gate: fail: a cost grew from a.c to b.c' ]
	[ "$(cut -f 1 <<<"$output" | tail -n +2)" = third ]
	run -1 gate a.c b.c --tsv --scope function --fail-over 80% -o table.tsv
	[ "$(cut -f 1 table.tsv | tail -n +2)" = third ]
	run -0 gate b.c a.c --fail-over 300%
	[ "$output" = 'ci-gate: pass: no cost grew' ]
	[ -z "$(ls -A tmp)" ]
	echo 'int main(void) { return' >broken.c
	echo 'int main(void) { return 1; }' >failing.c
	while IFS='|' read -r says args; do
		echo "$args"
		# shellcheck disable=SC2086
		run -2 --separate-stderr gate $args
		[ -z "$output" ]
		[ "${stderr_lines[-1]}" = "ci-gate: broken: $says" ]
	done <<-'E'
	usage: ci-gate-sampled.sh OLD.c NEW.c [option ...] <input|a.c
	broken.c does not compile|a.c broken.c
	the new version does not run: status 1|a.c failing.c
	the comparison failed|a.c a.c --fail-over x
	E
	[ -z "$(ls -A tmp)" ]
}

# stated NUMBER: a run in which f costs 20, and the producer knows NUMBER for what is in it.
stated() {
	bars <<-E
	prof|1
	part|1
	event|0|time|ns|-|-
	event|1|cum|ns|-|-|calls=absent|inclusive=time
	func|0|m|-|-|-
	func|1|f|-|-|-
	cost|0|-|-|-|10|30
	cost|1|-|-|-|20|$1
	call|0|-|-|-|1|-|-|1|20
	end
	E
}

@test "means of inclusive costs that were measured are in the scale of the cost" {
	stated 20 >a
	stated - >b
	prof-merge --op mean a b a >mean
	grep -o 'scale=.*' mean | diff - <(printf 'scale=1/6\nscale=1/6\n')
	prof-top --tsv --events time mean | cut -f 1,5-7 |
		diff - <(bars <<<$'function|time|time.incl|time.unit\nf|120|120|1/6 ns\nm|60|180|1/6 ns')
	# Where a stream has two scales, what is stated is converted.
	sed 's/inclusive=time/&|scale=1\/4/; s/|30$/|120/; s/|20|20$/|20|80/' <(stated 20 | tr '\t' '|') |
		bars >finer
	prof-top --tsv --events time finer | cut -f 1,5,6 |
		diff - <(bars <<<$'function|time|time.incl\nf|20|20\nm|10|30')
}

@test "means of parts that are kept separate have one scale" {
	# E of threads: the second is in one run alone.
	printf 'prof|1\npart|1\nmeta|thread|1\nevent|0|E|-|-|-\nfunc|0|a|-|-|-\ncost|0|-|-|-|1\npart|1\nmeta|thread|2\nevent|0|E|-|-|-\ncost|0|-|-|-|2\nend\n' |
		bars >one
	printf 'prof|1\npart|1\nmeta|thread|1\nevent|0|E|-|-|-\nfunc|0|a|-|-|-\ncost|0|-|-|-|4\nend\n' |
		bars >two
	prof-merge --op mean --by thread one two >mean
	grep -E '^(event|total)' mean | diff - <(bars <<-'E'
	event|0|E|-|-|-|parts=2|scale=1/2
	total|run|5
	event|0|E|-|-|-|parts=2|scale=1/2
	total|run|4
	E
	)
	# 5/2 and 2.
	prof-top --tsv mean | cut -f 1,5,7 | has -x 'a	9	1/2'
}

@test "what single runs cost does not choose the event, whose name is no message's" {
	# The mean of Ir is 0, and no run costs that.
	printf 'prof|1\npart|1\nevent|0|Ir|-|-|-\nevent|1|Dr|-|-|-\nfunc|0|f|-|-|-\ncost|0|-|-|-|5|0\nend\n' |
		bars >a
	sed $'s/\t5\t/\t-5\t/' a >b
	prof-diff --width 80 a b -- a a >got 2>err
	[ ! -s err ]
	has '^+5.00 Ir between the means of 2 and 2 runs' <got
	has '^ *0.00 *5.00 *+5.00 *new ' <got
	prof-diff --width 80 a b -- a b >got 2>err
	[ ! -s err ]
	has '^0.00 Ir between the means of 2 and 2 runs' <got
	has 'total, no change$' <got
}
