#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# Profiles of Python's cProfile and profile: what python3 says of them and of ours.

load tools.bash

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	cat >work.py <<-'E'
	import cProfile, profile, sys

	class A:
	    def __init__(self): self.v = [len(str(i)) for i in range(50)]
	class B:
	    def __init__(self): self.v = sorted(A().v)

	def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
	def even(n): return n == 0 or odd(n - 1)
	def odd(n): return n != 0 and even(n - 1)
	def caf\u00e9(n): return fib(n)
	def top():
	    for i in range(20): B(); A()
	    fib(12); even(20); caf\u00e9(5)
	    (lambda: fib(3))()

	p = (cProfile if sys.argv[1] == 'cProfile' else profile).Profile()
	p.runcall(top)
	p.dump_stats(sys.argv[2])
	E
	sed -i 's/\\u00e9/\xc3\xa9/' work.py
	for m in cProfile profile; do
		python3 work.py $m $m.pstats
		python3 work.py $m $m.2.pstats
	done
}

# numbers FILE...: what pstats has of them added up, in nanoseconds: functions and
# their callers.
numbers() {
	python3 - "$@" <<-'E'
	import pstats, sys
	s = pstats.Stats(*sys.argv[1:])
	def ns(x): return round(x * 1e9)
	def name(k): return '%s:%d:%s' % k
	for k, (cc, nc, tt, ct, callers) in s.stats.items():
	    print(name(k), cc, nc, ns(tt), ns(ct))
	    for c, v in callers.items():
	        print('', name(k), name(c), *((v[0], v[1], ns(v[2]), ns(v[3])) if isinstance(v, tuple) else (v,)))
	E
}

# printed FILE: all that pstats prints of it.
printed() {
	cp "$1" p
	touch -d 2001-02-03 p
	printf '%s\n' 'sort name line' stats callers callees | python3 -m pstats p
}

@test "what pstats prints of what we write is what it prints of the profile" {
	for m in cProfile profile; do
		f=$(cg $m.pstats)
		prof-to pstats --strict "$f" >direct
		prof-cat "$f" | prof-to pstats --strict >again
		cmp direct again
		numbers "$f" >want
		[ "$(wc -l <want)" -gt 20 ]
		numbers direct | same want -
		printed "$f" >want
		[ "$(wc -l <want)" -gt 40 ]
		printed direct | same want -
	done
}

@test "sums are those of pstats" {
	for m in cProfile profile; do
		prof-merge "$(cg $m.pstats)" "$(cg $m.2.pstats)" | prof-to pstats --quiet >sum
		numbers "$(cg $m.pstats)" "$(cg $m.2.pstats)" | sort >want
		numbers sum | sort | same want -
	done
}

@test "prof-top has the self time, calls by others and where each is" {
	prof-top --tsv -n 0 --events time "$(cg cProfile.pstats)" |
		awk -F '\t' 'NR > 1 { print $1, $5 }' | sort >got
	numbers "$(cg cProfile.pstats)" | awk '!/^ / { nc = NF; t = $(nc - 1)
		sub(/ [0-9]+ [0-9]+ [0-9]+ [0-9]+$/, ""); sub(/^[^:]*:[0-9]*:/, ""); print $0, t }' |
		sort | same - got
	# Two functions of one name and file have their lines for keys.
	prof-cat "$(cg cProfile.pstats)" | awk -F '\t' '$1 == "func" && $3 == "__init__" { print $6, $7 }' |
		sort >got
	printf '4 start=4\n6 start=6\n' | diff - got
	prof-top --quiet --by line --tsv --events time "$(cg cProfile.pstats)" | has 'work.py'
}

# inclusive FILE: "NAME NS" of what pstats has as the cumulative time of each function.
inclusive() {
	python3 - "$1" <<-'E'
	import pstats, sys
	for k, v in pstats.Stats(sys.argv[1]).stats.items(): print(k[2], k[1], round(v[3] * 1e9))
	E
}

@test "inclusive time is the measured one, also in cycles" {
	local f g m
	for m in cProfile profile; do
		f=$(cg $m.pstats) g=$(cg $m.2.pstats)
		# profile has 0 for itself.
		inclusive "$f" | awk '$1 != "profiler" { print $NF }' | sort -n >want
		prof-top -n 0 --tsv --events time "$f" |
			awk -F '\t' 'NR > 1 && $1 != "profiler" { print $6 }' | sort -n >got
		[ "$(wc -l <want)" -gt 9 ]
		same want got
		prof-top "$f" >got
		! grep '~' got || false
		# even() and odd() call each other: the graph alone has but a bound.
		inclusive "$f" | sed -n 's/^\(even\|odd\) .* //p' | sort >want
		prof-top --tsv --events time "$f" | awk -F '\t' '/^(even|odd)\t/ { print $6 }' |
			sort | same want -
		prof-grep -v nothing "$f" | prof-top | has '~.* even '
		prof-grep -v nothing "$f" | prof-top --tsv --events time |
			awk -F '\t' '/^(even|odd)\t/ { print $6 }' | sort >got
		! cmp -s want got || false
		# A file has no time of its own that was measured: the sum of those of its
		# functions would be more than all.
		prof-top --by file "$f" | lacks - '^!'
		prof-top --tsv --by file --events time "$f" | awk -F '\t' '
			NR > 1 { self += $3; if ($4 > most) most = $4 }
			END { exit !(self && most <= self) }'
		# As sums, means and differences.
		{ inclusive "$f" && inclusive "$g"; } | awk '/^even/ { n += $3 } END { print n }' >want
		prof-merge "$f" "$g" | prof-top --tsv --events time |
			awk -F '\t' '/^even\t/ { print $6 }' | same want -
		prof-merge --op stats "$f" "$f" "$f" | prof-top --tsv --events time |
			awk -F '\t' '/^even\t/ { print $6 }' >got
		# Means of three runs are in thirds.
		inclusive "$f" | awk '/^even / { print 3 * $3 }' | same - got
		{ inclusive "$f" && inclusive "$g"; } | awk '/^even/ { v[++n] = $3 }
			END { print v[2] - v[1], v[1], v[2] }' >want
		prof-diff --tsv "$f" "$g" | awk -F '\t' '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
			/^even\t/ { print $at["time.incl"], $at["time.old.incl"], $at["time.new.incl"] }' |
			same want -
	done
}

@test "callers without times get them by the number of their calls" {
	prof-cat "$(cg profile.pstats)" >got
	has -x 'meta	pstats.callers	counts' got
	has '^event	0	time	ns	.*calls=propagated$' got
	# fib: from itself nothing, from the others by their calls, all of its time and more.
	awk -F '\t' '$1 == "func" { name[$2] = $3 }
		$1 == "call" && name[$6] == "fib" { n++; if (name[$2] == "fib") { if ($10 != 0) print "bad" }
			else t[$9] = $10 } END { print n, length(t) }' got | diff - <(echo 4 1)
}

@test "a caller that is no function is none again, whatever comes first" {
	python3 - <<-'E'
	import marshal
	f, only = ('a.py', 1, 'f'), ('b.py', 2, 'only')
	open('p', 'wb').write(marshal.dumps({f: (1, 1, 2.0, 3.0, {only: (1, 1, 2.0, 3.0)})}))
	E
	prof-cat p | awk '/^cost/ { later = later $0 "\n"; next } /^end/ { printf "%s", later } 1' |
		prof-to pstats >q
	python3 -c 'import marshal; print(*(marshal.load(open(p, "rb")) for p in "pq"), sep="\n")' >got
	uniq got | same - <(echo "{('a.py', 1, 'f'): (1, 1, 2.0, 3.0, {('b.py', 2, 'only'): (1, 1, 2.0, 3.0)})}")
}

@test "references, Python 2's strings, long integers and bytes that are no UTF-8" {
	python3 - <<-'E'
	import marshal, os
	k = ('a.py', 1, 'f' + os.fsdecode(b'\xff\xed'))
	s = {k: (2**31, 2**62, 1.5, 2.5, {k: (2**40, 2**35, 1.0, 2.0)})}
	for v in 0, 2, 3, 4:
	    if v: open('v%d' % v, 'wb').write(marshal.dumps(s, v))
	# As Python 2 has it: a string that was interned is referred to.
	b = lambda t: b't' + len(t).to_bytes(4, 'little') + t
	i = lambda n: b'i' + n.to_bytes(4, 'little')
	g = lambda: marshal.dumps(0.5, 2)
	key = lambda f: b'(\3\0\0\0' + f + i(7) + b('f'.encode() if f[:1] == b't' else b'g')
	open('py2', 'wb').write(b'{' + key(b(b'x.py')) + b'(\5\0\0\0' + i(1) + i(1) + g() + g() + b'{' +
	    b'(\3\0\0\0R\0\0\0\0' + i(9) + b'R\1\0\0\0' + b'(\4\0\0\0' + i(1) + i(1) + g() + g() + b'00')
	E
	for v in v2 v3 v4; do
		prof-cat $v | grep -a '^func\|^cost\|^call' >got
		printf 'func\t0\tf\377\355\t0\t-\t-\tstart=1\ncost\t0\t0\t1\t-\t%s\ncall\t0\t0\t1\t-\t0\t1\t-\t%s\n' \
			'1500000000	2500000000	4611686018427387904	2147483648' \
			'1099511627776	2000000000	-	-	34359738368	1000000000' |
			diff - got
		prof-to pstats --strict $v >back
		python3 -c 'if True:
		    import marshal, sys
		    a, b = (marshal.load(open(f, "rb")) for f in sys.argv[1:])
		    assert a == b, (a, b)' $v back
	done
	[ "$(prof-cat --probe py2)" = 'py2: pstats' ]
	prof-cat py2 | has -x 'call	1	0	9	-	0	7	-	1	500000000	-	-	1	500000000'
}

@test "what profile was told to run is called as Python calls it" {
	cat >run.py <<-'E'
	def f(a, *b, c=1, **d):
	    def g(x, y=(1, 2.5, 3j, b"s", None, True, ..., 2 ** 80, "\u20ac", {1, 2})):
	        return x in {"a", "b"} or [i for i in y if i in (1, (2, frozenset({3})))]
	    return g(a) or (lambda: 2 ** 70)()
	class C:
	    def m(self): return f(1)
	C().m(); C().m()
	E
	python3 -m profile -o p run.py
	python3 -c 'if True:
	    import pstats, re
	    for k, (cc, nc, tt, ct, callers) in pstats.Stats("p").stats.items():
	        n = re.sub(r" at 0x\w+", "", str(k[2]))
	        print(n, cc, nc, round(tt * 1e9), round(ct * 1e9), sep="\t")' | sort >want
	has '^<code object <module>, file "run.py", line 1>	1	1	' want
	prof-cat p | awk -F '\t' '$1 == "func" { name[$2] = $3 }
		$1 == "cost" { print name[$2], $9, $8, $6, $7 }' OFS='\t' | sort | diff want -
	# Who calls it, and whom it calls.
	prof-cat p | awk -F '\t' '$1 == "func" { name[$2] = $3 }
		$1 == "call" && (name[$2] ~ /^<code/ || name[$6] ~ /^<code/) { print name[$2], $9, name[$6] }' |
		sort | diff - <(printf '%s\n' '<code object <module>, file "run.py", line 1> 1 exec' \
		    '<code object <module>, file "run.py", line 1> 1 setprofile' \
		    'profiler 1 <code object <module>, file "run.py", line 1>')
	prof-to pstats --strict p | prof-cat | diff - <(prof-cat p)
	# Code as other versions of Python have it.
	cat >code.py <<-'E'
	import marshal, sys
	def i(n): return n.to_bytes(4, "little")
	def s(b): return b"s" + i(len(b)) + b
	def u(b): return b"z" + bytes([len(b)]) + b
	def code(v, name, line, *consts):
	    # 115 is the type of a string: no number may be taken for one.
	    c = b"c" + i(115) * {2: 4, 3: 5, 8: 6, 11: 5}[v] + s(b"code")
	    c += b")" + bytes([len(consts)]) + b"".join(consts) + b")\1" + u(b"n")
	    c += b")\0" + s(b"") if v == 11 else b")\0)\0)\0"
	    c += u(b"x.py") + u(name) + (u(b"q") if v == 11 else b"") + i(line) + s(b"lines")
	    return c + (s(b"") if v == 11 else b"")
	v = int(sys.argv[1])
	d = lambda x: marshal.dumps(x, 2)
	inner = code(v, b"inner", 9)
	key = b")\3" + u(b"profile") + b"i" + i(0)
	key += code(v, b"outer", 5, b"N", inner, d((1, 2.5)), b"x\0011\0012", b"l" + i(6) + b"\1\0" * 6, b"[" + i(1) + b"T")
	sys.stdout.buffer.write(b"{" + key + b")\5i" + i(1) + b"i" + i(1) + d(0.5) + d(1.5) + b"{00")
	E
	for v in 2 3 8 11; do
		python3 code.py $v >p
		prof-cat p | has -x 'func	0	<code object outer, file "x.py", line 5>	0	-	-'
		for n in 40 120 150; do
			head -c $n p >cut
			fails_with '^prof-cat: cut: byte [0-9]+: the file is truncated: it ends inside a value$' prof-cat cut
		done
	done
	# Code in code, too deep, and code of no version.
	python3 - <<-'E'
	i = lambda n: n.to_bytes(4, "little")
	c = (b"c" + i(0) * 5 + b"s" + i(0) + b")\1") * 2000
	open("p", "wb").write(b"{)\3z\1ai" + i(0) + c)
	open("q", "wb").write(b"{)\3z\1ai" + i(0) + b"c" + i(0) * 40)
	E
	fails_with '^prof-cat: p: byte 11: ' prof-cat p
	fails_with '^prof-cat: q: byte 11: code of an unknown version$' prof-cat q
}

@test "numbers of callers that are the same object are read" {
	python3 -c 'if True:
	    import marshal
	    t = (3, 2, 1e-6, 2e-6)
	    k = ("a.py", 1, "f"), ("a.py", 2, "g")
	    open("same", "wb").write(marshal.dumps({k[0]: (1, 1, 0.5, 0.5, {k[0]: t, k[1]: t}),
	        k[1]: (1, 1, 0.5, 0.5, {k[1]: t})}))'
	[ "$(prof-cat same | grep -c '^call.*	3	2000	-	-	2	1000$')" = 3 ]
}

@test "truncated or malformed input is reported with its place" {
	f=$(cg cProfile.pstats)
	for n in 30 200 $(($(wc -c <"$f") - 1)); do
		head -c $n "$f" >cut
		fails_with '^prof-cat: cut: byte [0-9]+: the file is truncated: it ends inside a value$' prof-cat cut
	done
	prof-cat --lenient cut 2>/dev/null | grep -v '^meta	skipped' | cmp - <(prof-cat "$f")
	# says TEXT EXPRESSION: of a dict that is made by Python.
	says() {
		python3 -c 'if True:
		    import marshal, sys
		    k = ("a.py", 1, "f")
		    nan = float("nan")
		    x = eval(sys.argv[1])
		    open("bad", "wb").write(x if isinstance(x, bytes) else marshal.dumps(x))' "$2"
		fails_with "^prof-cat: bad: byte [0-9]+: $1" prof-cat --from pstats bad
	}
	says 'expected a dict$' '(1,)'
	says 'a value of a type that profiles do not have$' '[1]'
	says 'expected the numbers of a function$' '{k: (1, 1, 0.0)}'
	says 'expected a function: a file, a line and a name$' '{("a.py", 1): (1, 1, 0.0, 0.0, {})}'
	says 'a negative number of calls$' '{k: (1, -1, 0.0, 0.0, {})}'
	says 'a function at line -5$' '{("a.py", -5, "f"): (1, 1, 0.0, 0.0, {})}'
	says 'a time that does not fit 64 bits of nanoseconds$' '{k: (1, 1, nan, 0.0, {})}'
	says 'a time that does not fit 64 bits of nanoseconds$' '{k: (1, 1, 1e10, 0.0, {})}'
	says 'an integer of more than 63 bits$' '{k: (1, 2**63, 0.0, 0.0, {})}'
	says 'expected a time$' '{k: (1, 1, "x", 0.0, {})}'
	says 'callers with times and callers without' \
		'{k: (1, 1, 0.0, 0.0, {k: (1, 1, 0.0, 0.0), ("b", 1, "g"): 3})}'
	says '3 bytes after the profile$' 'marshal.dumps({}) + b"abc"'
	says 'a reference to a value that comes later$' 'b"{r\5\0\0\0"'
	# The same dict for many functions would be as many callers.
	says 'a reference to a tuple or dict, which profiles do not have twice$' \
		'b"{)\3z\1ai\1\0\0\0z\1b)\5i\1\0\0\0i\1\0\0\0i\0\0\0\0i\0\0\0\0\xfb0)\3z\1ai\2\0\0\0z\1b)\5i\1\0\0\0i\1\0\0\0i\0\0\0\0i\0\0\0\0r\0\0\0\0"'
	says 'a function that is already listed$' '(lambda b: b + b[1:])(marshal.dumps({k: (1, 1, 0, 0, {})}, 2)[:-1])'
}

@test "profiles of others become Python's: gprof's, Callgrind's, stacks" {
	e=$TESTS/../share/examples
	# gprof's are of the form that has no times of callers.
	prof-to pstats --quiet --syms $e/calc.syms $e/calc.gmon.zst >calc.pstats
	printf 'callers find\n' | python3 -m pstats calc.pstats >got
	has 'find  <- assign(900000)  ' got
	has '^         atom(2700000)  ' got
	numbers calc.pstats | has -x '~:0:find 3600000 3600000 1490000000 [0-9]*'
	# Inclusive costs are those of prof-top.
	prof-to pstats --quiet --events Ir $e/wordcount.callgrind.zst >words.pstats
	numbers words.pstats | awk '!/^ / { print $NF, $(NF - 1) }' | sort >got
	prof-top --quiet --tsv -n 0 --events Ir $e/wordcount.callgrind.zst >top
	[ "$(awk -F '\t' 'NR > 1 { s += $5 } END { print s }' top)" = \
		"$(awk '{ s += $2 } END { print s }' got)" ]
	numbers words.pstats | has -F ':read_word 5642 5642 759095 1669305'
	# The time of several events is taken, and stacks have no counts of calls.
	prof-to pstats --quiet $e/tasks.pprof.gz >tasks.pstats
	numbers tasks.pstats | awk '!/^ / { s += $(NF - 1) } END { printf "%.0f\n", s }' >got
	prof-top --tsv -n 0 --events cpu $e/tasks.pprof.gz |
		awk -F '\t' 'NR > 1 { s += $5 } END { printf "%.0f\n", s }' | diff - got
}

@test "measured inclusive time is scaled as the time is" {
	python3 - <<-'E'
	import marshal
	def put(m, f, g, path):
	    marshal.dump({('x.py', 9, 'm'): (1, 1, m, m + f + g, {}),
	        ('x.py', 1, 'f'): (1, 1, f, f + g, {('x.py', 9, 'm'): (1, 1, f, f + g)}),
	        ('x.py', 5, 'g'): (1, 1, g, g, {('x.py', 1, 'f'): (1, 1, g, g)})}, open(path, 'wb'))
	put(1, 3, 1, 'a')
	put(2, 6, 12, 'b')
	E
	# Of 20 s, scaled to 5: m has 5, f 4.5 and g 3.
	prof-diff --normalize --tsv a b | awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$1 ~ /^[mfg]$/ { n = substr($at["time.unit"], 3) * 1e9
			print $1, $at["time.old.incl"] / n, $at["time.new.incl"] / n, $at["time.incl"] / n }' |
		sort | diff - <(printf '%s\n' 'f 4 4.5 0.5' 'g 1 3 2' 'm 5 5 0')
}

@test "percentages of the cumulative time are of the time, which is all there is" {
	# What pstats itself says is the total.
	real=$TESTS/../share/examples/anagrams.pstats.zst
	total=$(prof-top --tsv --events time -b total "$real" | sed 1d | cut -f 2)
	prof-top --exact --events cumtime "$real" >got
	head -n 1 got | tr -d , | has "^$total ns of cumtime in"
	lacks got 'sum %'
	[ "$(grep -c 100.00 got)" -ge 1 ]
	awk '/^ *[0-9,]+ +[0-9.]+ / && $2 > 100 { bad = 1 } END { exit bad }' got
	# sort: its own and that of those that it calls, in either column.
	prof-top --exact --events time,cumtime "$real" | tr -d , | awk '/ sort / { print $3, $4, $5, $6 }' >got
	awk -v t="$total" '{ printf "%s %.2f %s %.2f\n", $1, 100 * $1 / t, $3, 100 * $3 / t }' got |
		diff - got
	# A remainder of shares that count costs several times is none.
	prof-top --events cumtime -n 1 "$real" | tail -n 1 | has -x '… [0-9]* more'
	# No line of a source is more than all.
	prof-annotate --events cumtime -n 1 -I "$TESTS/../share/examples" "$real" >got
	lacks got ' [0-9]{3}\.[0-9]{2}  (annotated|total)'
}

@test "percentages of the cumulative time are of the time in trees and differences, too" {
	real=$TESTS/../share/examples/anagrams.pstats.zst
	total=$(prof-top --tsv --events time -b total "$real" | sed 1d | cut -f 2)
	# share FILE: of the function sort, as prof-top has it.
	share() {
		prof-top --exact --events cumtime "$1" | awk '/ sort / { print $2 }'
	}
	prof-tree --exact --events cumtime "$real" >got
	head -n 1 got | tr -d , | has "^$total ns of cumtime in"
	awk '/ sort / { print $2 }' got | diff - <(share "$real")
	tail -n +4 got | has '^… [0-9]* more$'
	# Where the time itself is left out.
	prof-cat --events cumtime "$real" >alone
	has -x "total	run	$total" <alone
	[ "$(grep -c ^total alone)" = 1 ]
	prof-top --exact alone >table
	head -n 1 table | tr -d , | has "^$total ns of cumtime in"
	prof-top -n 1 alone | tail -n 1 | has -x '… [0-9]* more'
	diff <(share alone) <(share "$real")
	prof-cat --events time,cumtime "$real" | lacks /dev/stdin '^total'
	# Stated totals are those of what is left out, too.
	prof-grep -x sort "$real" | prof-cat --events cumtime | has -x "total	run	$total"
	# The double of it, of one run and of several.
	prof-merge "$real" "$real" >double
	# total COMMAND...: the last line's old, new and change.
	total() {
		"$@" --exact | tr -d , | awk '/ total/ { print $1, $2, $3, $4 }'
	}
	want="$total $((2 * total)) +$total +100.00"
	[ "$(total prof-diff --events cumtime "$real" double)" = "$want" ]
	prof-diff "$real" double >difference
	[ "$(total prof-top --events cumtime difference)" = "$want" ]
	prof-tree --exact --events cumtime difference >table
	head -n 1 table | tr -d , | has "^+$total ns of cumtime"
	prof-diff --exact --events cumtime "$real" "$real" -- double double | tr -d , | grep ' total' |
		has "^ *$total.00  *$((2 * total)).00  *+$total.00 "
	# A gate goes by the same total.
	local got=0
	prof-diff --fail-over cumtime=99% --scope total "$real" double >out 2>err || got=$?
	[ "$got" = 1 ]
	lacks err warning
	prof-diff --fail-over cumtime=101% --scope total "$real" double 2>err
	lacks err warning
}

@test "what calls have no share of has no inclusive cost" {
	f=$TESTS/../share/examples/anagrams.pstats.zst
	prof-top --tsv -n 0 "$f" >got
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["ncalls.incl"] != "-" || $at["pcalls.incl"] != "-" || $at["time.incl"] == "-" { exit 1 }
		{ n++ } END { exit n < 50 }' got
	prof-top --json -n 1 "$f" | jq -e '.["ncalls.incl"] == null and .["time.incl"] > 0'
	prof-report --events ncalls "$f" | has '^| *195,101 | 57.47 | *- | *- | `<built-in'
}

@test "an event that is not called time is called so, and reported" {
	local name
	for name in time cpu; do
		bars >x.prof <<-E
		prof|1
		part|1
		event|0|$name|ns|-|-
		func|0|f|-|-|-
		cost|0|-|-|-|5
		end
		E
		prof-to pstats --losses x.prof >$name
	done
	[ ! -s time ]
	echo 'names of events (1)' | diff - cpu
}
