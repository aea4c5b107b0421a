# SPDX-License-Identifier: ISC
# of: codec
# Sun's profile feedback, xprof_text: there and back, what is refused, and the
# values of prof-top.

load tools.bash

# A profile of all that the format has.
profile() {
	cat <<-'E'
	PROFILE-FEEDBACK-DATA: 4.3 2 1 2
	OBJFILE: /home/u/a.o 2 1240000000 123456 2 0xdeadbeefcafef00d
	sum 1035
	PROC: main 0x1122334455667788 3 2 3 0
	max 1000
	sum 1035
	0 1
	1 1000
	2 34
	VP_INT 0 900 42
	VP_INT 0 100 -7
	VP_PROC 1 5 foo:/home/u/b.o
	VP_PROC 1 0
	VP_PROC 1 3
	VP_PROC 1 1 bar:/home/u/b c:d.o
	PROC: unused 0x99 0 0 0 1
	OBJFILE: /home/u/b.o 1 1240000001 0 1 0x0
	PROC: foo 0xabc 2 4 4 7
	max 18446744073709551615
	4294967295 18446744073709551615
	3 0
	VP_DOUBLE 0 3 1.5
	VP_LLONG 1 2 -9223372036854775808
	VP_FLOAT 2 1 1e+10
	VP_DATE 4294967295 1 27 April
	PROGRAM: /home/u/prog 2
	max 18446744073709551615
	OBJREF: /home/u/a.o
	OBJREF: /home/u/b.o
	E
}

# refuses PLACE TEXT: the profile on standard input, an error there.
refuses() {
	cat >bad
	fails_with "^prof-cat: bad:$1: $2" prof-cat bad
}

@test "a floating-point number has as many digits as printf writes" {
	for n in 63 64 65; do
		long=1.$(printf '%0*d' $((n - 2)) 5)
		[ ${#long} = $n ]
		profile | sed "22s/1.5/$long/" >f
		prof-cat --quiet f | has -F "DOUBLE	3	$long"
		prof-cat --quiet f | prof-to xprof --quiet | has -x "VP_DOUBLE 0 3 $long"
	done
	# The largest and the least one.
	for long in "$(printf %f -0x1.fffffffffffffp1023)" "$(printf %.1074f 0x1p-1074)"; do
		[ ${#long} -gt 300 ]
		prof-cat --quiet <(profile | sed "22s/1.5/$long/") | has -F "DOUBLE	3	$long"
		profile | sed "22s/1.5/${long}x/" | refuses 22 "'.*' is not a value of type VP_DOUBLE"
	done
}

@test "counters become costs, values vprof records, and nothing is said twice" {
	profile >f
	prof-cat f >got 2>note
	bars >want <<-'E'
	prof|1
	part|1
	meta|format|xprof
	meta|xprof.version|4.3
	event|0|executions|-|-|-|calls=absent
	object|0|/home/u/a.o|0xdeadbeefcafef00d|xprof.sec=1240000000|xprof.usec=123456
	func|0|main|-|0|0x1122334455667788|xprof.id=0
	cost|0|-|-|#0|1
	cost|0|-|-|#1|1000
	cost|0|-|-|#2|34
	vprof|0|0|INT|900|42
	vprof|0|0|INT|100|-7
	vprof|0|1|PROC|5|foo:/home/u/b.o
	vprof|0|1|PROC|0|-
	vprof|0|1|PROC|3|-
	vprof|0|1|PROC|1|bar:/home/u/b c:d.o
	raw|0|max sum
	func|1|unused|-|0|0x99|xprof.id=1
	cost|1|-|-|-
	meta|xprof.objfile|/home/u/a.o|0xdeadbeefcafef00d|1240000000|123456|2|sum
	object|1|/home/u/b.o|0x0|xprof.sec=1240000001|xprof.usec=0
	func|2|foo|-|1|0xabc|xprof.id=7
	cost|2|-|-|#4294967295|18446744073709551615
	cost|2|-|-|#3|0
	vprof|2|0|DOUBLE|3|1.5
	vprof|2|1|LLONG|2|-9223372036854775808
	vprof|2|2|FLOAT|1|1e+10
	vprof|2|4294967295|DATE|1|27 April
	raw|2|max
	meta|xprof.objfile|/home/u/b.o|0x0|1240000001|0|1|-
	meta|xprof.program|/home/u/prog|max|/home/u/a.o|/home/u/b.o
	end
	E
	diff want got
	[ ! -s note ]
	[ "$(prof-cat --probe f)" = 'f: xprof' ]
	prof-cat --from xprof_text f | diff want -
}

@test "there and back is the same file" {
	profile >f
	prof-to xprof --strict f | cmp - f
	prof-cat f | prof-to xprof_text --strict | cmp - f
	sed 's/4\.3/3.1/' f >g
	prof-to xprof --strict g | cmp - g
	echo 'PROFILE-FEEDBACK-DATA: 4.3 0 0 0' >g
	prof-to xprof --strict g | cmp - g
	# Object files without procedures, programs without object files, names
	# with blanks; records of no values.
	cat >g <<-'E'
	PROFILE-FEEDBACK-DATA: 4.0 2 2 0
	OBJFILE: /my files/a 1 2.o 0 1 2 3 0x4
	max 0
	OBJFILE: b \ 1 1 2 0 0x4
	PROC: operator new(unsigned int) 0x5 1 0 3 4294967295
	0 1
	PROGRAM: /my prog 0
	sum 0
	PROGRAM: /my prog 2 1
	OBJREF: /my files/a 1 2.o
	E
	prof-to xprof --strict g | cmp - g
}

@test "lines may be wrapped, with a backslash and without, and end in CR LF" {
	profile >f
	sed -E 's/^(PROF|OBJF|PROC:|PROGRAM)(.*) /\1\2 \\\n    /' f >g
	[ "$(grep -c '\\$' g)" = 7 ]
	prof-to xprof --strict g | cmp - f
	sed -E 's/^(PROF|OBJF|PROC:|PROGRAM)(.*) /\1\2\n\t/' f >g
	prof-to xprof --strict g | cmp - f
	# After one that was put together, a name with blanks on a line of its own.
	sed -E '1s/ ([^ ]*)$/\n\1/; s/^PROC: [^ ]*/PROC: operator new(int)/' f >g
	prof-to xprof --strict g | tail -n +2 | cmp - <(tail -n +3 g)
	# A word a line, but for a value behind its count.
	sed -E '/^VP/!s/ /\r\n\r\n/g; s/^(VP_[A-Z]+) /\1\n/; s/$/\r/' f >g
	prof-to xprof --strict g | cmp - f
	sed -E 's/^(VP_[A-Z]+ [0-9]+ [0-9]+) /\1 \\\n/; s/^(OBJ[A-Z]+|PROC): */\1:/' f >g
	grep -q '^OBJREF:/home' g
	prof-to xprof --strict g | cmp - f
}

@test "a truncated profile is an error that states what is missing" {
	profile >f
	sed 6,99d f >c
	fails_with "^prof-cat: c:5: the profile is truncated: 'main' has 0 of 3 counters" prof-cat c
	sed 13,99d f >c
	fails_with "'main' has 3 of 6 lines of values" prof-cat c
	sed 16,99d f >c
	fails_with "'/home/u/a.o' has 1 of 2 procedures" prof-cat c
	sed 17,99d f >c
	fails_with 'the file has 1 of 2 object files' prof-cat c
	sed 26,99d f >c
	fails_with 'the file has 0 of 1 programs' prof-cat c
	sed 28,99d f >c
	fails_with "'/home/u/prog' has 0 of 2 object files" prof-cat c
	sed '28s/ .*//' f | sed 29,99d >c
	fails_with "the profile is truncated" prof-cat c
	# What is there, on demand.
	sed 6,99d f >c
	prof-cat --lenient c 2>note | prof-to xprof >got
	grep -q 'main. has 0 of 3 counters' note
	printf '%s\n' 'PROFILE-FEEDBACK-DATA: 4.3 1 0 0' \
		'OBJFILE: /home/u/a.o 1 1240000000 123456 2 0xdeadbeefcafef00d' \
		'sum 0' 'PROC: main 0x1122334455667788 0 2 0 0' 'max 0' | diff - got
}

@test "other versions are rejected by name" {
	for v in 4.4 3.0 5.0 4 x.y 4.3.1; do
		echo "PROFILE-FEEDBACK-DATA: $v 0 0 0 0" | refuses 1 \
			"xprof_text version '$v' is not supported, only 3.1 to 4.3 are"
	done
	for v in 3.1 3.9 4.0 4.3; do
		echo "PROFILE-FEEDBACK-DATA: $v 0 0 0" | prof-to xprof |
			has -x "PROFILE-FEEDBACK-DATA: $v 0 0 0"
	done
}

@test "what does not agree with the counts is an error with its place" {
	profile | sed 2s/2/1/ | refuses 16 "'/home/u/a.o' has more than the 1 procedures it"
	profile | sed 2s/2/3/ | refuses 17 "'/home/u/a.o' has 2 of 3 procedures before this"
	profile | sed '4s/ 3 / 2 /' | refuses 9 "'main' has more than the 2 counters it declares"
	profile | sed '4s/ 3 / 4 /' | refuses 10 "'main' has 3 of 4 counters before this"
	profile | sed '4s/3 0$/2 0/' | refuses 14 \
		"'main' has more lines of values than its 2 records of 2"
	profile | sed '4s/3 0$/4 0/' | refuses 16 "'main' has 6 of 8 lines of values"
	profile | sed '1s/2 1 2/1 1 2/' | refuses 17 'the file has more than the 1 object files'
	profile | sed '1s/2 1 2/3 1 2/' | refuses 26 'the file has 2 of 3 object files'
	profile | sed '1s/2 1 2/2 0 2/' | refuses 26 'the file has more than the 0 programs'
	profile | sed '26s/2/1/' | refuses 29 "'/home/u/prog' has more than the 1 object files"
}

@test "malformed lines are errors with their place" {
	profile | sed '7s/$/x/' | refuses 7 "counter 0: expected a number, found '1x'"
	profile | sed '7s/0 1/0 -1/' | refuses 7 "counter 0: expected a number, found '-1'"
	profile | sed '20s/$/0/' | refuses 20 \
		"counter 4294967295: '184467440737095516150' does not fit 64 bits"
	profile | sed '20s/ / /; 20s/^/4/' | refuses 20 \
		"counter: '44294967295' does not fit 32 bits"
	profile | sed '2s/123456/4294967296/' | refuses 2 \
		"tv_usec: '4294967296' does not fit 32 bits"
	profile | sed '2s/0xd/0xg/' | refuses 2 \
		"signature: expected a hexadecimal number, found '0xgeadbeefcafef00d'"
	profile | sed '2s/0xd/0xdd/' | refuses 2 "signature: expected a hexadecimal"
	profile | sed '10s/42/2147483648/' | refuses 10 \
		"'2147483648' is not a value of type VP_INT"
	profile | sed '10s/42/4 2/' | refuses 10 "'4 2' is not a value of type VP_INT"
	profile | sed '23s/-9/-1/; 23s/$/0/' | refuses 23 \
		"'-12233720368547758080' is not a value of type VP_LLONG"
	profile | sed '22s/1.5/1.5x/' | refuses 22 "'1.5x' is not a value of type VP_DOUBLE"
	profile | sed '22s/1.5/\f1.5/' | refuses 22 "'.x0c1.5' is not a value of type VP_DOUBLE"
	profile | sed '10s/_INT/_/' | refuses 10 "expected a type after 'VP_'"
	profile | sed '5s/max/mux/' | refuses 5 "expected a counter, 'PROC:', 'OBJFILE:' or"
	profile | sed '6s/sum/max/' | refuses 6 "'max' appears twice"
	profile | sed '7s/^/sum 1\n/; 6d' | sed '7s/^\(.*\)$/\1\nsum 1/' | refuses 8 \
		"'sum' must follow the first line of a procedure"
	profile | sed 2,3d | refuses 2 'a procedure outside an object file'
	profile | sed 4,6d | refuses 4 'a counter outside a procedure'
	profile | sed 4,9d | refuses 4 'a value outside a procedure'
	profile | sed 26,27d | refuses 26 'a reference to an object file outside'
	profile | sed 1d >bad
	fails_with "^prof-cat: bad:1: expected 'PROFILE-FEEDBACK-DATA:', found 'OBJFILE" \
		prof-cat --from xprof bad
	(profile; echo 'OBJFILE: c.o 0 0 0 0 0x0') | refuses 30 'an object file after a prog'
	# A line that lacks a word takes none of the next one.
	profile | sed '4s/ 0$//' | refuses 4 'expected 6 words'
	profile | sed '16s/ 1$//' | refuses 16 "expected 6 words after 'PROC:', found 5"
	echo >bad
	fails_with "^prof-cat: bad:1: no 'PROFILE-FEEDBACK-DATA:'" prof-cat --from xprof bad
}

@test "with --lenient what is malformed is skipped, and nothing goes to another" {
	profile | sed '8s/1000/x/; 18s/0xabc/x/' >f
	prof-cat --lenient f 2>note >s
	cat >want <<-'E'
	prof-cat: warning: skipped: f:8: counter 1: expected a number, found 'x'
	prof-cat: warning: skipped: f:18: signature: expected a hexadecimal number, found 'x'
	prof-cat: warning: skipped: f:19: 'max' must follow the first line of a procedure, an object file or a program
	prof-cat: warning: skipped: f:20: a counter outside a procedure
	E
	head -n 4 note | diff want -
	awk -F '\t' '$1 == "cost" { print $2, $5, $6 }' s >got
	printf '%s\n' '0 #0 1' '0 #2 34' '1 - ' | diff - got
	[ "$(grep -c '^vprof' s)" = 6 ]
	# Whatever is wrong with the first line of something.
	for bad in 18s/PROC:/PRC:/ '18s/ 7//' 17s/OBJFILE:/x/ '17s/ 0x0//' 17s/1240000001/x/; do
		profile | sed "$bad" >f
		prof-cat --lenient f 2>/dev/null | cut -f 1,2,6 >s
		[ "$(grep -c '^cost' s)" = 4 ]
		[ "$(grep -c '^vprof' s)" = 6 ]
	done
	profile | sed '26s/ 2//' | prof-cat --lenient 2>/dev/null >s
	[ "$(grep -c xprof.program s)" = 0 ]
	# A count that is wrong, but not the line.
	profile | sed '4s/ 3 / 4 /' >f
	prof-cat --lenient f 2>note | prof-to xprof --quiet >got
	grep -q "skipped: f:10: 'main' has 3 of 4 counters before this" note
	profile | diff - got
}

@test "a profiler's statistics are kept where its counters contradict them" {
	profile | sed '5s/1000/1001/; 3s/1035/7/; 27s/5$/4/; 1s/2$/9/; 4s/2 3 0$/8 3 0/' >f
	prof-cat f >s 2>note
	cat >want <<-'E'
	prof-cat: warning: f:16: procedure 'main': the max of the counters is 1000, but the file says 1001
	prof-cat: warning: f:17: object file '/home/u/a.o': the sum of the counters is 1035, but the file says 7
	prof-cat: warning: f:29: program '/home/u/prog': the max of the counters is 18446744073709551615, but the file says 18446744073709551614
	prof-cat: warning: f:29: the values have 2 names of procedures, but the file says 9
	E
	diff want note
	bars >want <<-'E'
	raw|0|max=1001 sum n_vp_sites=8
	meta|xprof.objfile|/home/u/a.o|0xdeadbeefcafef00d|1240000000|123456|2|sum=7
	raw|2|max
	meta|xprof.objfile|/home/u/b.o|0x0|1240000001|0|1|-
	meta|xprof.program|/home/u/prog|max=18446744073709551614|/home/u/a.o|/home/u/b.o
	meta|xprof.n_proc_names|9
	E
	grep -E '^(raw|meta	xprof\.[^v])' s | diff want -
	prof-to xprof --strict s | cmp - f
	# A filter makes it stale but for a procedure.
	prof-grep -x main s | prof-to xprof >got 2>note
	grep -q "statistics that differ from the profiler's (3)" note
	sed -n '1p; 3p; 5p; 18,19p' got >some
	printf '%s\n' 'PROFILE-FEEDBACK-DATA: 4.3 2 1 2' 'sum 1035' 'max 1001' \
		'max 1000' 'OBJREF: /home/u/a.o' | diff some -
	# Counters whose sum does not fit: nobody has to say it.
	profile | sed '19s/max.*/sum 5/' >f
	prof-cat f 2>note | prof-to xprof --strict | cmp - f
	grep -q 'counters is 18446744073709551615, but the file says 5' note
	prof-cat f 2>/dev/null | sed 's/#3	0/#3	1/; s/sum=5/sum/' >s
	prof-to xprof s 2>note >got
	grep -q 'sums beyond 64 bits (left out) (1)' note
	[ "$(grep -c ^sum got)" = 2 ]
}

@test "duplicates are read as one, with a warning" {
	cat >f <<-'E'
	PROFILE-FEEDBACK-DATA: 4.3 2 1 0
	OBJFILE: a 2 1 2 0 0x4
	PROC: f 0x1 2 0 0 0
	5 1
	5 2
	PROC: f 0x1 1 0 0 0
	6 1
	OBJFILE: a 0 1 2 0 0x4
	PROGRAM: p 1
	OBJREF: b
	E
	prof-to xprof f >got 2>note
	cat >want <<-'E'
	prof-to: warning: f:5: procedure 'f' has counter 5 twice: the counts are added
	prof-to: warning: f:6: procedure 'f' appears twice: read as one
	prof-to: warning: f:8: object file 'a' appears twice: read as one
	prof-to: warning: f:10: the file has no object file 'b'
	E
	diff want note
	[ "$(prof-top --tsv -b function,addr f 2>/dev/null | grep -c '#5.*	3	')" = 1 ]
	cat >want <<-'E'
	PROFILE-FEEDBACK-DATA: 4.3 1 1 0
	OBJFILE: a 1 1 2 0 0x4
	PROC: f 0x1 3 0 0 0
	5 1
	5 2
	6 1
	PROGRAM: p 1
	OBJREF: b
	E
	diff want got
	# The same name in another compilation is another one.
	printf '%s\n' 'PROFILE-FEEDBACK-DATA: 4.3 3 0 0' 'OBJFILE: a 0 1 2 0 0x4' \
		'OBJFILE: a 0 1 3 0 0x4' 'OBJFILE: a 0 1 2 0 0x5' >f
	prof-to xprof --strict f | cmp - f
}

@test "concatenated profiles are parts, of which one can be written" {
	profile | cat - <(echo 'PROFILE-FEEDBACK-DATA: 3.1 0 0 0') >f
	[ "$(prof-cat f | cut -f 1,2 | grep -c '^part')" = 2 ]
	fails_with '^prof-to: xprof holds one profile, but there are several parts: choose one with --where, or sum them with prof-merge' \
		prof-to xprof f
	prof-to xprof --where xprof.version=3.1 f | diff - <(tail -n 1 f)
	prof-to xprof --where xprof.version=4.3 f | diff - <(profile)
	# Definitions are of all parts: those of others are not written.
	profile >a
	sed 's/main/start/' a >b
	prof-cat a b >s
	prof-to xprof --quiet --where source=a s | diff - a
	prof-to xprof --quiet --where source=b s | diff - b
}

@test "the counters of what prof-grep keeps are written" {
	profile | prof-grep -x foo | prof-to xprof >got 2>note
	cat >want <<-'E'
	PROFILE-FEEDBACK-DATA: 4.3 2 1 0
	OBJFILE: /home/u/b.o 1 1240000001 0 1 0x0
	PROC: foo 0xabc 2 4 4 7
	max 18446744073709551615
	4294967295 18446744073709551615
	3 0
	VP_DOUBLE 0 3 1.5
	VP_LLONG 1 2 -9223372036854775808
	VP_FLOAT 2 1 1e+10
	VP_DATE 4294967295 1 27 April
	OBJFILE: /home/u/a.o 0 1240000000 123456 2 0xdeadbeefcafef00d
	sum 0
	PROGRAM: /home/u/prog 2
	max 18446744073709551615
	OBJREF: /home/u/a.o
	OBJREF: /home/u/b.o
	E
	sort want | diff - <(sort got)
	echo 'prof-to: xprof cannot hold: metadata (1), totals (1)' | diff - note
	prof-cat got >/dev/null
	# Records that lack values are filled up.
	profile | prof-cat | grep -v '	100	-7$' | prof-to xprof --strict >got
	profile | sed 's/^VP_INT 0 100 -7/VP_INT 0 0/' | diff - got
}

@test "costs without a counter are rejected, dropped data is reported" {
	cg=$BATS_TEST_DIRNAME/../share/examples/wordcount.callgrind.zst
	fails_with '^prof-to: xprof needs counters of procedures, but the costs of function .* have no counter' \
		prof-to xprof "$cg"
	echo 'a;b 1' >f
	fails_with 'counters of procedures, but the profile has samples' \
		prof-to xprof --from folded f
	bars >s <<-'E'
	prof|1
	part|1
	event|0|n|-|-|-
	event|-|m|-|2 n|-
	meta|comment|x
	func|0|-|-|-|-
	cost|0|-|12|#3|5|why=so
	cost|-|-|-|#3|5
	cost|0|-|-|#4|-
	vprof|0|1|INT|-|-
	vprof|0|2|PROC|7| a\nb
	vprof|0|2|PROC|7|a \\
	vprof|0|2|PROC|7|
	raw|0|max
	end
	E
	prof-to xprof s >got 2>note
	cat >want <<-'E'
	PROFILE-FEEDBACK-DATA: 4.3 1 0 3
	OBJFILE: ??? 1 0 0 3 0x0
	PROC: ??? 0x0 2 2 2 0
	max 5
	3 5
	4 0
	VP_INT 1 0
	VP_INT 1 0
	VP_INT 1 0
	VP_PROC 2 7 _a_b
	VP_PROC 2 7 a _
	VP_PROC 2 7 _
	E
	diff want got
	echo "prof-to: xprof cannot hold: names and units of events (1), derived events (1), metadata (1), files and lines of counters (1), attributes of costs (1), costs outside any function (1), absent counts (written as 0) (2), unknown names (2), unknown times (written as 0) (2), unknown signatures (written as 0) (2), unknown numbers of procedures (written as 0) (1), names that could not be read back (written with '_') (3)" |
		diff - note
	grep -v INT s | prof-to xprof --quiet | has -x 'PROFILE-FEEDBACK-DATA: 4.3 1 0 3'
	fails_with 'xprof cannot hold' prof-to xprof --strict s
	echo 'prof	1' >s
	echo end >>s
	fails_with 'xprof needs a profile, but the input has none' prof-to xprof s
}

@test "numbers that do not fit are errors that name the function" {
	stream() {
		bars <<-'E'
		prof|1
		part|1
		event|0|n|-|-|-
		func|0|f|-|-|-
		E
		bars
		echo end
	}
	while IFS='	' read -r want record; do
		stream <<<"$record" >s
		fails_with "^prof-to: xprof: function 'f', $want" prof-to xprof s
	done <<-'E'
	'18446744073709551616': does not fit 64 bits	cost|0|-|-|#1|18446744073709551616
	'-1': a count must not be negative	cost|0|-|-|#1|-1
	'x': a site must be a 32-bit number	vprof|0|x|INT|1|2
	'4294967296': a site must be a 32-bit number	vprof|0|4294967296|INT|1|2
	'A B': a type must be a word	vprof|0|1|A B|1|2
	'2.5': not a value of its type	vprof|0|1|INT|1|2.5
	'-3': a count must not be negative	vprof|0|1|INT|-3|2
	'max max': expected statistics	raw|0|max max
	E
	stream <<<'cost|0|-|-|0x12|1' >s
	fails_with "the costs of function 'f' have no counter" prof-to xprof s
	stream <<<'cost|0|-|-|#4294967296|1' >s
	fails_with "the costs of function 'f' have no counter" prof-to xprof s
	stream <<<'meta|xprof.objfile|a|b' >s
	fails_with 'xprof: malformed metadata xprof.objfile' prof-to xprof s
	printf '%s\n' 'PROFILE-FEEDBACK-DATA: 4.3 1 0 0' \
		'OBJFILE: a 1 0 0 18446744073709551615 0' 'PROC: f 0 0 0 0 0' | prof-cat |
		sed 's/^meta	xprof.objfile/vprof	0	1	INT	1	2\n&/' >s
	fails_with "function 'f', '18446744073709551615': too few values for a record" \
		prof-to xprof s
}

@test "to other formats: counters are lines without a number, and reported" {
	profile | sed 20s/18446744073709551615/5/ >f
	for t in callgrind cachegrind; do
		prof-to $t f 2>note >g
		prof-top --tsv g | cut -f 1,5 >got
		bars <<-'E' | diff - got
		function|executions
		main|1035
		foo|5
		unused|0
		E
	done
	grep -q 'numbers of counters (5), value profiles (10), lines of another format (2)' note
	prof-to callgrind f 2>&1 >/dev/null | has 'numbers of counters (5)'
	fails_with 'addresses are needed: give the executable' prof-to gmon f
	fails_with 'folded needs stacks' prof-to folded f
	prof-to json f | jq -r 'select(.record == "vprof" and .site == "1") | .value' >got
	printf '%s\n' foo:/home/u/b.o null null 'bar:/home/u/b c:d.o' -9223372036854775808 |
		diff - got
	# A table has the counters, and what else it has not is said.
	prof-to tsv --quiet f >t.tsv
	prof-to xprof t.tsv 2>note >got
	grep -q 'unknown numbers of procedures (written as 0) (3)' note
	sed -n '2,8p' got >some
	printf '%s\n' 'OBJFILE: /home/u/a.o 2 0 0 0 0x0' 'PROC: main 0x0 3 0 0 0' '0 1' \
		'1 1000' '2 34' 'PROC: unused 0x0 0 0 0 0' 'OBJFILE: /home/u/b.o 1 0 0 0 0x0' |
		diff - some
}

@test "prof-top ranks procedures, by counter and by object, over several runs" {
	profile >a
	prof-top --tsv a a | cut -f 1,3,5 >got
	bars <<-'E' | diff - got
	function|object|executions
	foo|/home/u/b.o|36893488147419103230
	main|/home/u/a.o|2070
	unused|/home/u/a.o|0
	E
	prof-top --tsv -b object,addr a | grep a.o >got
	bars <<-'E' | diff - got
	/home/u/a.o|#1|-|1000|-
	/home/u/a.o|#2|-|34|-
	/home/u/a.o|#0|-|1|-
	/home/u/a.o|-|-|0|-
	E
}

@test "a site tells how many of its values -n leaves out, and their share" {
	cat >f <<-'E'
	PROFILE-FEEDBACK-DATA: 4.3 1 0 1
	OBJFILE: a.o 1 1 1 3 0x1
	PROC: main 0x1 1 2 2 0
	0 5
	VP_INT 0 900 42
	VP_INT 0 75 -7
	VP_INT 0 25 -8
	VP_INT 7 1 1
	VP_INT 7 1 2
	VP_PROC 7 2
	E
	prof-top --values -n 1 f 2>/dev/null | tail -n +4 | diff - <(cat <<-'E'
	count       %  site  type  value
	  900   90.00     0   INT  42
	… 2 more, 10.00 %
	    1   50.00     7   INT  1
	… 1 more, 50.00 %
	    2  100.00     7  PROC  ???

	E
	)
	prof-top --values -n 3 f 2>/dev/null >got
	lacks got more
	prof-top --values --tsv -n 1 f 2>/dev/null | wc -l | has -x 4
}

@test "the most frequent values of a site come first, by the sums of all files" {
	bars >f <<-'E'
	prof|1
	part|1
	event|0|n|-|-|-|calls=absent
	func|0|main|-|-|-
	cost|0|-|-|-|1
	vprof|0|0|INT|5|five
	vprof|0|0|INT|3|three
	end
	E
	sed 's/5	five/7	three/; s/3	three/100	hundred/' f >g
	prof-top --values f g | tail -n 5 >got
	diff - got <<-'E'
	count      %  site  type  value
	  100  86.96     0   INT  hundred
	   10   8.70     0   INT  three
	    5   4.35     0   INT  five

	E
	prof-top --values --tsv -n 1 f g | cut -f 6,7 | tail -n 1 | has -x $'100\thundred'
}

@test "prof-top --values shows what was seen at the sites of functions" {
	profile >a
	prof-top --values a >got
	cat >want <<-'E'
	18,446,744,073,709,552,650 executions in 1 profile, 1 part

	values of foo  [/home/u/b.o]
	count       %        site    type  value
	    3  100.00           0  DOUBLE  1.5
	    2  100.00           1   LLONG  -9223372036854775808
	    1  100.00           2   FLOAT  1e+10
	    1  100.00  4294967295    DATE  27 April

	values of main  [/home/u/a.o]
	count      %  site  type  value
	  900  90.00     0   INT  42
	  100  10.00     0   INT  -7
	    5  55.56     1  PROC  foo:/home/u/b.o
	    3  33.33     1  PROC  ???
	    1  11.11     1  PROC  bar:/home/u/b c:d.o

	E
	diff want got
	prof-top --values --tsv -n 1 -r a a >got
	bars <<-'E' | diff - got
	function|file|object|site|type|count|value
	main|-|/home/u/a.o|0|INT|1800|42
	main|-|/home/u/a.o|1|PROC|10|foo:/home/u/b.o
	foo|-|/home/u/b.o|0|DOUBLE|6|1.5
	foo|-|/home/u/b.o|1|LLONG|4|-9223372036854775808
	foo|-|/home/u/b.o|2|FLOAT|2|1e+10
	foo|-|/home/u/b.o|4294967295|DATE|2|27 April
	E
	prof-grep -x main a | prof-top --values --json | tail -n 2 >got
	cat >want <<-'E'
	{"function":"main","file":null,"object":"/home/u/a.o","site":"1","type":"PROC","count":3,"value":null}
	{"function":"main","file":null,"object":"/home/u/a.o","site":"1","type":"PROC","count":1,"value":"bar:/home/u/b c:d.o"}
	E
	diff want got
	# Of functions that were not counted.
	bars >s <<-'E'
	prof|1
	part|1
	event|0|n|-|-|-|calls=absent
	func|0|f|-|-|-
	func|1|g|-|-|-
	vprof|0|a|T|2|x
	cost|1|-|-|-|1
	vprof|1|b|T|170141183460469231731687303715884105727|y
	end
	E
	prof-top --values --tsv s | cut -f 1,6 | sed 1d >got
	bars <<-'E' | diff - got
	g|170141183460469231731687303715884105727
	f|2
	E
	sed 's/^vprof	0.*/vprof	0		-	1	/' s | prof-top --values | tail -n 3 >got
	printf '%s\n' 'count       %  site  type  value' '    1  100.00         ???  ' '' |
		diff - got
	sed 's/^cost.*/&\nvprof	1	b	T	1	y/' s >t
	fails_with 'a sum does not fit 128 bits' prof-top --values t
	fails_with 'the profile has no value profiles' prof-top --values \
		"$BATS_TEST_DIRNAME/../share/examples/wordcount.callgrind.zst"
	fails_with 'cannot be combined' prof-top --values --callers f s
	fails_with 'by function' prof-top --values -b object s
}
