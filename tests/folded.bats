# SPDX-License-Identifier: ISC
# of: codec
# Folded stacks: there and back, and what prof-top makes of them.

load tools.bash

@test "stacks become contexts, each frame once" {
	printf '%s\n' 'main;a;b 5' 'main;a;c 3' 'main;a 2' 'x 1' >f
	prof-cat f >got
	bars >want <<-'E'
	prof|1
	part|1
	meta|format|folded
	event|0|samples|-|-|-|calls=absent
	func|0|main|-|-|-
	ctx|0|-|0|-|-|-
	func|1|a|-|-|-
	ctx|1|0|1|-|-|-
	func|2|b|-|-|-
	ctx|2|1|2|-|-|-
	sample|2|5
	func|3|c|-|-|-
	ctx|3|1|3|-|-|-
	sample|3|3
	sample|1|2
	func|4|x|-|-|-
	ctx|4|-|4|-|-|-
	sample|4|1
	end
	E
	diff want got
	[ "$(prof-cat --probe f)" = 'f: folded' ]
}

@test "there and back is the same file: blanks, numbers, annotations, empty frames" {
	printf '%s\n' 'java;a b;Foo::bar(int, char) const 12' 'java;a b;c 12 4' \
		'swapper;sys_read_[k];copy_[k] 3' 'a;;b 1' ';a 1' 'a; 2' 'a;b;a;b 7' \
		'one 1' $'caf\xc3\xa9;\xff\xfe 9' 'a;b -3' >f
	prof-cat f | prof-to folded --strict | diff f -
	printf '%s\n' 'a;b 5 6' 'a;c 0 3' 'a 007 1' >f
	prof-cat f | prof-to folded --strict >got
	printf '%s\n' 'a;b 5 6' 'a;c 0 3' 'a 7 1' | diff - got
	prof-cat f | grep '^event' >got
	bars >want <<-'E'
	event|0|samples.old|-|-|-|calls=absent|role=old|of=samples
	event|1|samples.new|-|-|-|calls=absent|role=new|of=samples
	E
	diff want got
}

@test "there and back: a frame that is a blank, and comments where they stand" {
	printf '%s\n' '# austin: 3.3.0' 'a; 3' 'a;  3' 'a;b  4' '# duration: 238' >f
	[ "$(prof-cat --probe f)" = 'f: folded' ]
	prof-cat f | prof-to folded --strict | diff f -
	prof-cat f | grep '^meta' | diff - <(bars <<-'E'
	meta|format|folded
	meta|comment|austin: 3.3.0
	meta|comment|duration: 238
	E
	)
	# So does a frame without a name, alone.
	printf '%s\n' 'a;b 5' ' 7' >f
	prof-cat f | prof-to folded --strict | diff f -
	prof-top --tsv f | tail -n +2 | cut -f 1,5,6 | sort | diff - <(printf '%s\n' '	7	7' 'a	0	5' 'b	5	5')
	# A comment of another format would be a line that readers complain of.
	printf '%s\n' '# hi' 'events: Ir' 'fn=f' '1 2' >cg
	prof-to folded --estimate --quiet cg | diff - <(echo '[estimate];f 2')
	printf '%b\n' 'prof\t1' 'part\t1' 'event\t0\tn\t-\t-\t-' 'func\t0\t# f\t-\t-\t-' \
		'ctx\t0\t-\t0\t-\t-\t-' 'sample\t0\t7' 'end' >x.prof
	prof-to folded --quiet x.prof | diff - <(echo ': f 7')
	fails_with 'stacks that look like a comment .*\(1\)$' prof-to folded --strict x.prof
	# So does a lone #, but not with a frame after it.
	printf '%s\n' '#	5' '#;a 6' '#	7' >f
	prof-to folded --from folded --quiet f | diff - <(printf '%s\n' ': 5' '#;a 6' ': 7')
	fails_with 'stacks that look like a comment .*\(2\)$' prof-to folded --from folded --strict f
	# A number at the end would make two counts, of that stack alone.
	printf '%b\n' 'prof\t1' 'part\t1' 'event\t0\tn\t-\t-\t-' 'func\t0\tCPU 3\t-\t-\t-' \
		'func\t1\tf\t-\t-\t-' 'ctx\t0\t-\t0\t-\t-\t-' 'ctx\t1\t0\t1\t-\t-\t-' \
		'sample\t0\t7' 'sample\t1\t8' 'sample\t0\t9' 'end' >x.prof
	prof-to folded --quiet x.prof | diff - <(printf '%s\n' 'CPU:3 16' 'CPU 3;f 8')
	fails_with 'stacks that end in a number .*\(1\)$' prof-to folded --strict x.prof
	sed 's/^event.*/&\nevent\t1\tm\t-\t-\t-/; s/^sample.*/&\t1/' x.prof | prof-to folded --strict |
		diff - <(printf '%s\n' 'CPU 3 16 2' 'CPU 3;f 8 1')
	printf '%s\r\n' '# hi' 'a;b 1' >f
	prof-cat f | prof-to folded | diff - <(printf '%s\n' '# hi' 'a;b 1')
}

@test "samples that are fractions are counted as what they are, and --exact shows all digits" {
	printf '%s\n' 'a;b 12.345' 'a 0.001' >f
	prof-top --exact --quiet f >got
	has '^12.346 samples' <got
	has '^ *12.345  99.99   99.99     12.345 ' <got
	has '^ *0.001   0.01  100.00     12.346 ' <got
	has '^12 samples, 95 % intervals' <got
	prof-tree --exact --quiet f | has '^ 12.346  100.00'
	printf '%s\n' 'a;b 0.000000078' 'a 0.000000012' >g
	prof-top --exact --quiet g >got
	has '^ 0.000000078  86.67 ' <got
	lacks got intervals
	printf '%s\n' 'a;b 13.345' 'a 0.001' >h
	prof-diff --exact --quiet f h | has '^12 and 13 samples: random variation'
	prof-diff --exact --quiet f h | has '12.345  *13.345  *+1.000'
}

@test "parts of different units or scales are not written behind each other" {
	# timed UNIT ATTR COST: a stream of it.
	timed() {
		printf '%s\n' 'prof 1' 'part 1' "event 0 time $1 - -$2" 'func 0 f - - -' \
			'ctx 0 - 0 - - -' "sample 0 $3" end | tr ' ' '\t'
	}
	timed ms '' 10 >ms
	timed s '' 2 >s
	timed s ' scale=1/1000' 1500 >scaled
	fails_with "s:6: event 'time' has a different unit than before: 1/1 's', not 1/1 'ms'" \
		prof-to folded ms s
	fails_with "s:6: event 'time' has a different unit than before: 1/1 's', not 1/1000 's'" \
		prof-to folded scaled s
	[ "$(prof-to folded --quiet s s)" = $'f 2\nf 2' ]
	[ "$(prof-to folded --losses scaled)" = 'scales of events (1)' ]
	printf 'f 1.5\n' >own
	prof-to folded --from folded --losses own own >got
	has '^which part' <got
	lacks got scales
}

@test "counts that are fractions are read, as whole numbers of a scale" {
	printf '%s\n' 'a;b 31.23' 'a;c 6.1' 'a;d -0.004' 'e 7' 'f 0.0' 'g 00012.50' 'h 3.' >f
	prof-cat f >got 2>note
	echo 'prof-cat: f: counts are fractions: values are multiples of 1/1000' | diff - note
	grep '^event\|^sample' got | diff - <(bars <<-'E'
	event|0|samples|-|-|-|calls=absent|scale=1/1000
	sample|1|31230
	sample|2|6100
	sample|3|-4
	sample|4|7000
	sample|5|0
	sample|6|12500
	sample|7|3000
	E
	)
	printf '%s\n' 'a;b 31.23' 'a;c 6.1' 'a;d -0.004' 'e 7' 'f 0' 'g 12.5' 'h 3' >want
	prof-to folded --strict --quiet f | diff want -
	prof-top --quiet f | sed -n 1p | diff - <(echo '59.83 samples in 1 profile, 1 part')
	# Another line end, and the lines of a pipe.
	printf '%s\r\n' 'a;b 31.23' 'a;c 6.1' 'a;d -0.004' 'e 7' 'f 0.0' 'g 00012.50' | cat - <(printf 'h 3.\r\n') >g
	prof-to folded --strict --quiet g | diff want -
	prof-to folded --strict --quiet <f | diff want -
	# Whole numbers, however they are spelt, have no scale.
	printf '%s\n' 'a;b 31.0' 'a 2' >f
	prof-cat f 2>note | has '^event	0	samples	-	-	-	calls=absent$'
	[ ! -s note ]
	# Two counts, with one scale; as many digits as there may be.
	printf '%s\n' 'a;b 0.123456789012345678 5' 'a 2 99999999999999999999.5' >f
	prof-cat --quiet f | grep '^event\|^sample' | diff - <(bars <<-'E'
	event|0|samples.old|-|-|-|calls=absent|scale=1/1000000000000000000|role=old|of=samples
	event|1|samples.new|-|-|-|calls=absent|scale=1/1000000000000000000|role=new|of=samples
	sample|1|123456789012345678|5000000000000000000
	sample|0|2000000000000000000|99999999999999999999500000000000000000
	E
	)
	prof-to folded --quiet f | diff f -
	# Sums are exact.
	for ((i = 0; i < 1000; i++)); do echo "a;b$i 0.001"; done >f
	prof-cat --quiet f | prof-top --tsv --callers b1 >/dev/null
	prof-top --quiet f | sed -n 1p | diff - <(echo '1.00 samples in 1 profile, 1 part')
	printf '%s\n' 'a;b 1.5' 'a 14.2343983248722834234' >f
	prof-cat --quiet f | grep -x "$(bars <<<'sample|0|142343983248722834234')"
	prof-to folded --quiet f | diff f -
	printf '%s\n' 'a;b 1.5' 'a 0.12345678901234567891' >f
	fails_with '^prof-cat: f:2: a count with more than 19 decimals: .0.12345678901234567891.' prof-cat f
	# The first one may be far down, where it is an error.
	{ seq 9000 | sed 's/.*/a;b 1.0/'; echo 'a;b 0.12345'; } >f
	fails_with 'standard input:9001: expected a whole number, like the counts in the first 65536 bytes, found .0.12345.' \
		prof-top <f
	# ... unless there is one in front.
	{ echo 'a;b 0.5'; seq 9000 | sed 's/.*/a;b 1/'; echo 'a;b 0.0005'; } | prof-top --quiet |
		sed -n 1p | diff - <(echo '9,000.50 samples in 1 profile, 1 part')
}

@test "a line without a count is an error, not an unknown format" {
	printf '%s\n' 'a;b 3' 'a 1' 'THIS IS NONE' 'c 3' 'd 4' >f
	fails_with '^prof-cat: f:3: expected a stack and a count' prof-cat f
	printf '%s\n' 'a;b 3' 'a;b 2' 'b 1' 'a;c 1e3' 'b 4' >f
	fails_with '^prof-cat: f:4: expected a stack and a count' prof-cat f
	# In two of a few it is.
	printf '%s\n' 'a;b 3' 'THIS IS NONE' >f
	fails_with 'unknown format' prof-cat f
	fails_with '^prof-cat: f:2: expected a stack and a count' prof-cat --from folded f
	printf '%s\n' 'a b' >f
	fails_with 'unknown format' prof-cat f
	# A text, a comment and settings have numbers, too.
	printf '%s\n' 'A line; of text, which ends with 2' 'and another' 'one, 3' >f
	fails_with 'unknown format' prof-cat f
	printf '%s\n' '# a comment; with a semicolon' 'kernel.pid_max = 4194304' >f
	fails_with 'unknown format' prof-cat f
	printf 'a;b\0c 3\n' >f
	fails_with 'unknown format' prof-cat f
}

@test "a file whose last line has no newline is truncated, and read with --lenient" {
	local note='the last line has no newline: the file may be truncated there'

	printf '%s\n' 'a;b 5' 'a;c 17' >whole
	prof-cat whole >want
	head -c -1 whole >f
	fails_with '^prof-cat: f:2: the file is truncated: its last line has no newline$' \
		prof-cat f
	lacks fails.out '^end'
	prof-cat --lenient f 2>err | sed '/^meta.source/d' | diff want -
	echo "prof-cat: f:2: $note" | diff - err
	# Alone, it is known, too.
	printf 'a;b 5' >f
	[ "$(prof-cat --probe f)" = 'f: folded' ]
	prof-cat --lenient --quiet f | has -x "$(bars <<<'sample|1|5')"
	# After comments, it tells how many counts there are, as it does with a newline.
	printf '# x\na;b 3 5' >f
	[ "$(prof-cat --probe f)" = 'f: folded' ]
	prof-cat --lenient --quiet f >got
	has -x "$(bars <<<'sample|1|3|5')" <got
	echo >>f
	prof-cat --lenient f | diff got -
	head -c -1 whole >f
	fails_with '^prof-cat: standard input:2: the file is truncated: its last line has no newline$' \
		prof-cat < <(cat f)
	prof-cat --lenient < <(cat f) 2>err | sed '/^meta.source/d' | diff want -
	# Compressed data that is truncated ends in the middle of a line.
	for ((i = 0; i < 20000; i++)); do echo "a;f$((i * 7919 % 10007)) $i"; done | gzip -c >whole
	head -c 40000 whole >f
	fails_with 'the gzip data is truncated' prof-cat f
	prof-cat --lenient f 2>err | prof-to folded --quiet >got
	prof-cat --lenient f 2>err | tail -n 1 | has -x end
	grep -q 'skipped: f: the gzip data is truncated' err
	awk '{ n = substr($1, 4); if (n != (NR - 1) * 7919 % 10007 || $2 != NR - 1) exit 1 }' got
}

@test "unsorted lines and long common beginnings share their contexts" {
	perl -e 'my @s; srand 7; for (1 .. 3000) { my @f = map { "function_" . int rand 4 }
		1 .. 1 + rand 12; print join(";", @f), " ", 1 + int rand 99, "\n" }' >f
	prof-cat f | prof-to folded | diff f -
	# A context for each distinct beginning of a stack.
	perl -ne 's/ \d+$//; chomp; my @f = split /;/; $s{join ";", @f[0 .. $_]}++ for 0 .. $#f;
		END { print scalar(keys %s), "\n" }' f >want
	prof-cat f | grep -c '^ctx' >got
	diff want got
	# Self and inclusive, recursion counted once, by another way.
	perl -ne '/(.*) (\d+)$/; my @f = split /;/, $1; $self{$f[-1]} += $2; my %u;
		$u{$_}++ or $incl{$_} += $2 for @f;
		END { print "$_\t", $self{$_} // 0, "\t$incl{$_}\n" for sort keys %incl }' f >want
	prof-top --tsv f | awk -F '\t' 'NR > 1 { print $1 "\t" $5 "\t" $6 }' | sort >got
	diff want got
}

@test "prof-top ranks stacks: self, inclusive once for recursion, no calls" {
	printf '%s\n' 'main;f;f;g 4' 'main;f 1' 'main;h;f 2' >f
	prof-top --tsv f >got
	bars >want <<-'E'
	function|file|object|calls|samples|samples.incl
	g|-|-|-|4|4
	f|-|-|-|3|7
	h|-|-|-|0|2
	main|-|-|-|0|7
	E
	diff want got
	prof-top --callers '^f$' --tsv f >got
	grep -q "$(bars <<<'f|-|-|main|-|-|-|5')" got
	grep -q "$(bars <<<'f|-|-|h|-|-|-|2')" got
	prof-top f | sed -n 3,4p >got
	printf '%s\n' 'self samples      %   sum %  inclusive       %  function' \
		'           4  57.14   57.14          4   57.14  g' | diff - got
}

@test "recursion of millions of frames costs what other stacks as deep cost" {
	# With hashes that come back in recursion it was three times as much.
	seconds() {
		{ TIMEFORMAT=%U; time prof-cat --from folded "$1" | grep -c '^ctx' >"$1.n"; } 2>&1
	}
	perl -e 'print "f;" x 7999999, "f 1\n"' >same
	perl -e 'my $x = 1; print join(";", map { $x = ($x * 1103515245 + 12345) % 2147483648;
		chr(97 + ($x >> 16) % 26) . chr(97 + ($x >> 21) % 26) } 1 .. 8000000), " 1\n"' >other
	awk -v same="$(seconds same)" -v other="$(seconds other)" 'BEGIN { exit !(same < 2.5 * other) }'
	[ "$(cat same.n other.n | sort -u)" = 8000000 ]
}

@test "callers and callees of mutual and direct recursion, once a stack" {
	printf '%s\n' 'a;b;a;b;c 4' 'a;f;f;f 2' >f
	prof-top --callers '^(b|f)$' --tsv f | sed 1d | cut -f 1,4,8 | sort >got
	bars <<-'E' | diff - got
	b|a|4
	f|a|2
	f|f|2
	E
	prof-top --callees '^(a|b)$' --tsv f | sed 1d | cut -f 1,4,8 | sort >got
	bars <<-'E' | diff - got
	a|b|4
	a|f|2
	b|a|4
	b|c|4
	E
	prof-top --tsv f | cut -f 1,5,6 | sed 1d | sort >got
	bars <<-'E' | diff - got
	a|0|6
	b|0|4
	c|4|4
	f|2|2
	E
}

@test "prof-grep keeps the stacks that a name is in" {
	printf '%s\n' 'main;a;b 5' 'main;a;c 3' 'main;d 2' >f
	prof-grep -x a f | prof-to folded --quiet >got
	printf '%s\n' 'main;a;b 5' 'main;a;c 3' | diff - got
	prof-grep -v -x a f | prof-to folded --quiet | diff - <(echo 'main;d 2')
	prof-grep -x a f | prof-top | sed -n 1p >got
	echo '10 samples in 1 profile, 1 part' | diff - got
}

@test "a profile without stacks is rejected, dropped data is reported" {
	bars >x.prof <<-'E'
	prof|1
	part|1
	event|0|n|-|-|-
	func|0|a;b|a.c|-|-
	E
	sed -i 's/a\.c/-/' x.prof
	bars >>x.prof <<-'E'
	ctx|0|-|0|-|12|-
	ctx|1|0|-|-|-|-
	sample|1|7
	end
	E
	prof-to folded x.prof >got 2>note
	echo 'a:b;[unknown] 7' | diff - got
	echo "prof-to: folded cannot hold: ';' and line breaks in names (written as ':') (1), places of frames (1)" |
		diff - note
	fails_with 'folded cannot hold' prof-to folded --strict x.prof
	# Each by itself; with --frames files are kept.
	local func
	for func in '0|-|-' '-|0|-' '-|-|k' '-|-|-|a=1'; do
		bars <<-E >one.prof
		prof|1
		part|1
		event|0|n|-|-|-
		object|0|o|-
		file|0|x.c
		func|0|f|$func
		ctx|0|-|0|-|-|-
		sample|0|3
		end
		E
		prof-to folded one.prof 2>&1 >/dev/null | has '^prof-to: folded cannot hold: .*functions (1)$'
	done
	fails_with 'folded needs stacks' prof-to folded \
		"$BATS_TEST_DIRNAME/../share/examples/wordcount.callgrind.zst"
}

@test "bad lines are errors with their place" {
	printf '%s\n' 'a;b 5' 'a;c' >f
	fails_with '^prof-cat: f:2: expected a stack and a count, found .a;c.' \
		prof-cat --from folded f
	printf '%s\n' 'a;b 5' 'a;c 1.5.2' >f
	fails_with '^prof-cat: f:2: ' prof-cat --from folded f
	printf '%s\n' 'a;b 5 6' >f
	seq 12000 | sed 's/.*/a;b 5 6/' >>f
	echo 'a;c 1' >>f
	fails_with '^prof-cat: f:12002: expected a stack and 2 counts' prof-cat f
	printf 'a;b 5\na;c' >f
	fails_with "^prof-cat: f:2: expected a stack and a count, found 'a;c': the file is truncated, its last line has no newline" \
		prof-cat --from folded f
	printf '%s\n' 'a;b 5' 'a;c' 'd 2' >f
	prof-cat --from folded --lenient f 2>note | prof-to folded --quiet >got
	printf '%s\n' 'a;b 5' 'd 2' | diff - got
	grep -q '1 malformed or truncated line skipped' note
}

@test "py-spy's frames have files and lines, and come back unchanged" {
	cat >f <<-'E'
	<module> (app.py:12);main (app.py:8);work (lib/w.py:3) 5
	<module> (app.py:12);main (app.py:9);work (lib/w.py) 2
	g ();h (k:012);native (libc.so.6);process 12:"py thing.py" 1
	E
	prof-cat --frames py-spy f >got
	has -x 'meta	folded.frames	py-spy' got
	awk -F '\t' '$1 == "file" { file[$2] = $3 } $1 == "func" { name[$2] = $3; of[$2] = $4 }
		$1 == "ctx" { print name[$4], file[of[$4]], file[$5], $6 }' got | diff - <(
		cat <<-'E'
		<module> app.py app.py 12
		main app.py app.py 8
		work lib/w.py lib/w.py 3
		main app.py app.py 9
		work lib/w.py lib/w.py -
		g ()   -
		h k:012 k:012 -
		native libc.so.6 libc.so.6 -
		process 12:"py thing.py"   -
		E
	)
	prof-to folded --strict <got | diff f -
	prof-to folded --strict --frames py-spy f | diff f -
	prof-top --tsv --by file --frames py-spy f | has -P '^lib/w.py\t.*\b7\b'
	# Without the option nothing is guessed, but it is said where most frames look like that.
	head -n 2 f >two
	prof-cat two 2>&1 >/dev/null | has -x "prof-cat: two: most frames are 'name (file:line)', and each line counts as a function: see --frames py-spy"
	prof-cat --frames py-spy two 2>got >/dev/null
	printf '%s\n' 'main;f (a.c:1);g;h 1' | prof-cat --from folded 2>>got >/dev/null
	[ ! -s got ]
	prof-cat f | has -x 'func	2	work (lib/w.py:3)	-	-	-'
	prof-cat f | prof-to folded --strict | diff f -
}

@test "Austin's stacks have threads, units, files and lines, and come back unchanged" {
	cat >f <<-'E'
	# austin: 3.6.0
	# mode: wall
	P12;T0:34;/usr/lib/a.py:<module>:12;C:\x\b.py:run:3 150
	P12;T0:34;/usr/lib/a.py:<module>:12;<GC> 50
	P12;T0:35 100
	P12;T0x7f:36;a.py:f:0 7
	P13;T99;a.py:g:1;a.py:g:1 8
	a.py:f:5 3
	P12;Tx;a.py:f:5 2
	# duration: 400
	E
	prof-cat --frames austin f >got
	prof-to folded --strict <got | diff f -
	prof-to folded --strict --frames austin f | diff f -
	has -x 'event	0	time	us	-	-	calls=absent' got
	has -x 'file	1	C:\\\\x\\\\b.py' got
	has -x 'sample	-	100	pid=12	tid=35	iid=0' got
	has -P '^sample\t[0-9]+\t8\tpid=13\ttid=99$' got
	prof-cat --where tid=34 --frames austin f | prof-to folded --quiet | diff <(sed -n 3,4p f) <(grep ^P -)
	# Memory is in bytes, and is given back, too.
	printf '# mode: memory\nP1;T2;a.py:f:1 4096\nP1;T2;a.py:f:1 -1024\n' >m
	prof-cat --frames austin m | has -x 'event	0	memory	B	-	-	calls=absent'
	prof-to folded --strict --frames austin m | diff m -
	# Labels are lost where frames are plain.
	prof-cat --frames austin f | grep -v folded.frames | prof-to folded 2>&1 >/dev/null |
		has 'labels of samples'
}

@test "derived events do not count as events that the format holds" {
	printf '%b\n' 'prof\t1' 'part\t1' 'event\t0\ta\t-\t-\t-' 'event\t1\tb\t-\t-\t-' \
		'event\t-\tboth\t-\ta + b\t-' 'func\t0\tf\t-\t-\t-' 'ctx\t0\t-\t0\t-\t-\t-' \
		'sample\t0\t3\t4' end >two.prof
	prof-to folded --quiet two.prof | diff - <(echo 'f 3 4')
	# Lines that only another encoder understands are no costs.
	printf '%b\n' 'prof\t1' 'part\t1' 'event\t0\ta\t-\t-\t-' 'func\t0\tf\t-\t-\t-' \
		'raw\t0\ta line' 'vprof\t0\t1\tINT\t4\t7' end >raw.prof
	fails_with 'callgrind needs costs, calls or jumps, but the profile has none' \
		prof-to callgrind raw.prof
}

@test "Austin's full mode has three events, of which two can be written" {
	cat >f <<-'E'
	# mode: full
	P12;T0:34;a.py:f:1;a.py:g:2 150,0,4096
	P12;T0:34;a.py:f:1;a.py:g:2 50,1,-1024
	P12;T0:34;a.py:f:1 007,1,0
	P12;T0:35 18446744073709551616,0,-0
	E
	[ "$(prof-cat --probe f)" = 'f: folded' ]
	prof-cat --frames austin f | grep '^event\|^sample\|^ctx' | diff - <(tabs <<-'E'
	event  0  time  us  -  -  calls=absent
	event  1  cpu  us  -  -  calls=absent
	event  2  memory  B  -  -  calls=absent
	ctx  0  -  0  0  1  -
	ctx  1  0  1  0  2  -
	sample  1  150  150  4096  pid=12  tid=34  iid=0
	sample  1  50  0  -1024  pid=12  tid=34  iid=0
	sample  0  7  0  0  pid=12  tid=34  iid=0
	sample  -  18446744073709551616  18446744073709551616  0  pid=12  tid=35  iid=0
	E
	)
	# Sums by other means: all, those not idle, and the memory.
	grep -o '[0-9]*,[01],[-0-9]*$' f | jq -Rsr 'split("\n")[:3] | map(split(",") | map(tonumber)) |
		[(map(.[0]) | add), (map(select(.[1] == 0)[0]) | add), (map(.[2]) | add)] | @tsv' >want
	sed '$d' f | prof-top --tsv -n 0 --frames austin | awk -F '\t' 'NR > 1 { for (i = 0; i < 3; i++) s[i] += $(5 + 2 * i) }
		END { print s[0] "\t" s[1] "\t" s[2] }' | diff want -
	# As names, too; a line of another kind is refused.
	prof-cat f | has -x 'func	3	a.py:g:2	-	-	-'
	fails_with 'folded cannot hold: further events' prof-to folded --strict f
	prof-to folded --quiet f | diff - <(prof-to folded --quiet --events time f)
	prof-to folded --quiet --events memory f | has -x 'P12;T0:34;a.py:f:1;a.py:g:2 4096'
	sed '3s/,-1024//' f >bad
	fails_with 'bad:2: expected a stack and a count, found' prof-cat --from folded bad
	{ perl -e 'print "a;b 1,0,2\n" x 8000'; echo 'a;b 3'; } >bad
	fails_with "bad:8001: expected a stack and TIME,IDLE,MEMORY, like the lines before, found 'a;b 3'" prof-cat bad
	for t in 1,2,3 1,0, 1,0,2, ,0,2 1,00,2 -1,0,2 1,0,--2 x1,0,2; do
		printf 'a;b %s\n' "$t" >bad
		run -2 prof-cat bad
	done
	# Its binary format is another.
	printf 'MOJ\003x' >bad
	fails_with "unknown format .Austin's binary format, perhaps: convert it with mojo2austin." prof-cat bad
}

# What such lines share with any before is found by another way than in sorted ones.
@test "stacks in any order come back unchanged, with no more contexts than needed" {
	awk 'BEGIN { srand(7); for (i = 0; i < 3000; i++) {
		s = "f" int(4 * rand())
		for (k = int(8 * rand()); k; k--) s = s ";f" int(4 * rand())
		print s, 1 + int(9 * rand()) } }' >g.folded
	prof-to folded --quiet g.folded >got
	same g.folded got
	perl -lne 's/ \d+$// or die; my $p; for (split /;/) { $p .= ";$_"; $n += !$u{$p}++ }
		END { print $n }' g.folded >want
	prof-cat g.folded | grep -c '^ctx' >got
	same want got
}

@test "the thread before a stack is of perf alone, though a part of perf came before" {
	bars >p <<-'E'
	prof|1
	part|1
	meta|format|perf
	event|0|cycles|-|-|-|calls=absent
	func|0|main|-|-|-
	ctx|0|-|0|-|-|-
	sample|0|5|comm=x
	part|1
	meta|format|firefox
	event|0|cycles|-|-|-|calls=absent
	sample|0|7|comm=y
	end
	E
	prof-to folded --quiet p | diff - <(printf '%s\n' 'x;main 5' 'main 7')
}

@test "samples of a stack are added up, as stackcollapse-perf.pl does, in the order they came" {
	# Two threads that alternate, of frames at many addresses.
	perl -e 'srand 3; for my $i (1 .. 2000) {
		printf "%s %d 1.0: 7 cycles:\n", $i % 3 ? "web" : "db", 1 + $i % 2;
		printf "\t%x f%d+0x%x (/bin/x)\n", 1000 * $_ + rand 99, $_, rand 99
			for map { int rand 4 } 1 .. 3;
		print "\n" }' >p
	awk '/^[a-z]/ { comm = $1; stack = "" }
		/^\t/ { sub(/\+.*/, "", $2); stack = ";" $2 stack }
		/^$/ { k = comm stack; if (!(k in n)) order[++count] = k; n[k] += 7 }
		END { for (i = 1; i <= count; i++) print order[i], n[order[i]] }' p >want
	[ "$(wc -l <want)" = 128 ]
	prof-to folded --quiet --events period p | same want -
	prof-to folded --quiet --events period --addr p | same want -
	prof-to folded --quiet --root none --events period p |
		same <(sed 's/^[^;]*;//' want | awk '{ if (!($1 in n)) order[++count] = $1; n[$1] += $2 }
			END { for (i = 1; i <= count; i++) print order[i], n[order[i]] }') -
	# Stacks with one text before them, then another, again and again.
	perl -e 'for my $pid (1, 2, 1, 2, 1, 2) {
		printf "x %d/%d 1.0: 7 cycles:\n\t1 f%d (/bin/x)\n\t2 main (/bin/x)\n\n", $pid, $pid, $_ for 1 .. 100 }' >p
	prof-to folded --quiet --root pid --events period p |
		same <(for i in 1 2; do seq -f "x-$i;main;f%g 21" 100; done) -
	# What only one of them loses is said, wherever it comes.
	printf '%s\n' 'prof|1' 'part|1' 'event|0|n|-|-|-' 'func|0|f|-|-|-' 'ctx|0|-|0|-|-|-' \
		'ctx|1|-|0|-|9|-' 'sample|0|7' 'sample|1|8' 'part|1' 'event|0|n|-|-|-' 'sample|0|1' end |
		bars >x.prof
	prof-to folded x.prof >got 2>err
	printf '%s\n' 'f 15' 'f 1' | same - got	# a part is for itself
	grep -q 'places of frames (1)' err
	# No sum wraps.
	big=170141183460469231731687303715884105727
	sed "s/7$/$big/" x.prof >big.prof
	fails_with '^prof-to: folded: the sum of a stack.s samples does not fit 128 bits' \
		prof-to folded big.prof
	# Memory is of stacks: 40 MB of samples of two.
	perl -e 'for my $i (1 .. 400000) { printf "a 1 1.0: 7 cycles:\n\t10 f (/bin/x)\n\t%x g (/bin/x)\n\n", 32 + $i % 2 * 16 }' |
		limited 60000 prof-to folded --quiet --events period | same <(echo 'a;g;f 2800000') -
}

# shuffled N: N stacks of 40 frames each, no two the same, in no order.
shuffled() {
	awk -v n="$1" 'BEGIN {
		for (i = 0; i < n; i++) {
			x = (x * 69069 + 12345) % 4294967296
			line = "thread-" int(x / 65536) % 100
			for (k = 0; k < 38; k++)
				line = line ";frame_with_a_long_name_" (i % (k + 2))
			print line ";leaf-" i, i + 1
		}
	}'
}

@test "stacks in no order: each context once, after its caller, and in little memory" {
	shuffled 40000 >f
	prof-cat f | prof-to folded --strict | diff -q f -
	# Their text has 42 MB.
	limited 90000 prof-cat f >p
	awk -F '\t' '/^ctx/ { if ($2 != n++ || ($3 != "-" && $3 >= $2) || seen[$3, $4]++) exit 1 }
		END { exit n < 40000 }' p
	prof-top --tsv f | awk -F '\t' '$1 == "leaf-39999"' | cut -f 1,5,6 |
		diff - <(printf 'leaf-39999\t40000\t40000\n')
	# The same from other inputs, whose contexts are known.
	prof-merge f f | prof-to folded --quiet | awk '{ n += $NF } END { printf "%d\n", n }' |
		diff - <(echo 1600040000)
}

@test "lines that are read together have their own numbers, and end where one is damaged" {
	for ((i = 1; i <= 40; i++)); do echo "a;b;c$i $i"; done >f
	sed '21s/ 21//' f >g
	fails_with '^prof-cat: g:21: expected a stack and a count' prof-cat g
	{ prof-cat g 2>/dev/null || true; } | grep -c '^sample' | diff - <(echo 20)
	prof-cat --lenient g 2>err | grep -c '^sample' | diff - <(echo 39)
	has 'skipped: g:21: expected' <err
	# A comment, another count, a stack of one frame, and an empty one stay where they are.
	sed '3s/^/# /; 5s/ 5/ 005/; 7s/.*/one 7/; 9s/.*/ 9/; 11s/;b//; 13s/;b;/;;/' f >g
	prof-cat g | prof-to folded | diff - <(sed 's/ 005/ 5/' g)
	# A long stack among short ones.
	{ head -n 5 f; seq 20000 | paste -s -d ';' | sed 's/$/ 7/'; tail -n 5 f; } >g
	prof-cat g | prof-to folded --strict | diff -q g -
}

@test "all further events are counted; a part without the event is not written" {
	tabs >one <<-'E'
	prof  1
	part  1
	event  0  a  -  -  -
	event  1  b  -  -  -
	event  2  c  -  -  -
	event  3  d  -  -  -
	func  0  f  -  -  -
	ctx  0  -  0  -  -  -
	sample  0  7  8  9  10
	end
	E
	{ sed '$d' one; printf '%b\n' 'part\t2' 'event\t0\tb\t-\t-\t-' 'sample\t0\t5' end; } >p
	prof-to folded --losses p | diff - <(printf '%s\n' 'further events (3)' \
		'which part a stack belongs to (1)' 'parts without the event (1)')
	prof-to folded --quiet p | diff - <(echo 'f 7')
	prof-to svg --losses p | has -x 'further events (3)'
	# Of the difference of four events one change is written, and its two sides.
	sed 's/\t7\t/\t17\t/' one >two
	for to in folded svg; do
		prof-diff one two | prof-to $to --losses | has -x 'further events (9)'
	done
	prof-diff one two | prof-to folded --quiet | diff - <(echo 'f 7 17')
}
