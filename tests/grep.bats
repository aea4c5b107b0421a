#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: filter prof-grep
# prof-grep: which records it keeps, what it says about them, and at what cost.

load tools.bash
load small.bash

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	gcc -g -O0 -o calls "$BATS_TEST_DIRNAME/real/calls.c"
	callgrind calls.cg --collect-jumps=yes --cache-sim=yes ./calls
	bars >small.prof <<-'END'
	prof|1
	part|1|positions=line
	meta|format|callgrind
	meta|cmd|./a
	event|0|Ir|-|-|-
	event|1|Dr|-|-|-
	event|-|Sum|-|Ir + Dr|-
	object|0|/bin/app|-
	object|1|/lib/libc.so|-
	file|0|a.c
	file|1|libc.c
	file|2|inline.h
	func|0|main|0|0|-
	func|1|fib|0|0|-
	func|2|fib'2|0|0|-
	func|3|fibber|0|0|-
	func|4|printf|1|1|-
	func|5|idle|1|1|-
	func|6|ns::FIB(a.b)|0|0|-
	cost|0|0|1|-|10|1
	cost|1|0|2|-|20
	cost|2|0|2|-|30|3
	cost|3|2|3|-|4
	cost|4|1|9|-|36|6
	cost|6|0|5|-|7
	call|0|0|1|-|1|2|-|1|54|3
	call|1|0|2|-|2|2|-|4|30|3
	call|3|0|3|-|4|9|-|2|36|6
	jump|1|0|2|-|3|0|3|-|5|9
	total|sum|107|10
	end
	END
	# Two processes, three parts, other events in the last.
	bars >parts.prof <<-'END'
	prof|1
	part|1
	meta|pid|10
	meta|thread|1
	event|0|Ir|-|-|-
	total|run|5
	func|0|f|-|-|-
	cost|0|-|1|-|5
	part|1
	meta|pid|10
	meta|thread|2
	event|0|Ir|-|-|-
	total|run|6
	func|1|g|-|-|-
	cost|1|-|1|-|6
	part|2
	meta|pid|11
	meta|thread|2
	event|0|Dr|-|-|-
	event|1|Ir|-|-|-
	func|2|h|-|-|-
	cost|2|-|1|-|1|7
	total|sum|1|7
	end
	END
	# A call graph: see context().
	bars >graph.prof <<-'END'
	prof|1
	part|1
	event|0|Ir|-|-|-
	object|0|/bin/app|-
	object|1|/lib/d.so|-
	file|0|m.c
	file|1|inline.h
	func|0|main|0|0|-
	func|1|a|0|0|-
	func|2|b|0|0|-
	func|3|c|0|0|-
	func|4|d|0|1|-
	func|5|x|0|0|-
	func|6|y|0|0|-
	func|7|up|0|0|-
	cost|0|0|1|-|1
	call|0|0|1|-|1|2|-|1|9
	call|0|0|2|-|5|6|-|1|9
	cost|1|0|2|-|1
	call|1|0|2|-|2|3|-|1|9
	cost|2|0|3|-|1
	call|2|0|3|-|3|4|-|1|9
	jump|2|0|3|-|3|0|4|-|5|9
	raw|2|of b
	cost|3|0|4|-|1
	call|3|0|4|-|4|5|-|1|9
	cost|4|0|5|-|1
	call|4|0|5|-|2|3|-|1|9
	cost|5|0|6|-|1
	call|5|0|6|-|6|7|-|1|9
	cost|6|1|7|-|1
	call|6|0|7|-|2|3|-|1|9
	cost|7|0|8|-|1
	call|7|0|8|-|7|8|-|1|9
	call|7|0|8|-|5|6|-|1|9
	end
	END
	# Points of contexts: root, root;mid, root;mid;leaf.
	bars >points.prof <<-'END'
	prof|1
	part|1
	event|0|cost|-|-|-
	func|0|root|-|-|-
	func|1|mid|-|-|-
	func|2|leaf|-|-|-
	ctx|0|-|0|-|-|-
	ctx|1|0|1|-|-|-
	ctx|2|1|2|-|-|-
	point|0|0|10|1|5|5|5|25|-|5|-|-|-|-|-|-|-|-|-|-
	point|1|1|20|1|5|5|5|25|-|5|-|-|-|-|-|-|-|-|-|-
	point|2|2|30|1|5|5|5|25|-|5|-|-|-|-|-|-|-|-|-|-
	end
	END
	# Many records, few names.
	awk 'BEGIN { OFS = "\t"
		print "prof", 1; print "part", 1; print "event", 0, "Ir", "-", "-", "-"
		print "file", 0, "f.c"
		for (i = 0; i < 50; i++) print "func", i, "f" i, 0, "-", "-"
		for (i = 0; i < 1000000; i++)
			print "cost", i % 50, 0, i % 1000, "-", i
		print "total", "run", "499999500000"; print "end" }' >large.prof
}

# kept OPTION...: the records that prof-grep keeps of the small profile, with
# the functions' names for their numbers and without what follows them.
kept() {
	{ prof-grep "$@" "$(cg small.prof)" || [ $? = 1 ]; } | awk -F'\t' '
		$1 == "func" { name[$2] = $3 }
		$1 == "cost" { print $1, name[$2], $6 }
		$1 == "call" { print $1, name[$2], name[$6], $9 }
		$1 == "jump" { print $1, name[$2], name[$6], $10 }'
}

all='cost main 10
cost fib 20
cost fib'\''2 30
cost fibber 4
cost printf 36
cost ns::FIB(a.b) 7
call main fib 1
call fib fib'\''2 4
call fibber printf 2
jump fib fibber 5'

# keeps OPTION... -- NUMBER...: these of the ten records above, by number.
keeps() {
	local opt=()
	while [ "$1" != -- ]; do
		opt+=("$1")
		shift
	done
	shift
	echo "$all" | awk -v want=" $* " 'index(want, " " NR " ")' >want
	kept "${opt[@]}" >got
	diff -u want got
}

# ---- patterns ----

@test "a pattern is looked for in function names, at either end of a call" {
	keeps main -- 1 7
	keeps printf -- 5 9
	keeps fib -- 2 3 4 7 8 9 10
	keeps '^fib$' -- 2 7 8 10
	keeps 'ma.n|ri*ntf' -- 1 5 7 9
	keeps -E 'ma.n|printf' -- 1 5 7 9
	keeps . -- 1 2 3 4 5 6 7 8 9 10
}

@test "-e, several times, is any of the patterns; a newline divides them too" {
	keeps -e main -e printf -- 1 5 7 9
	keeps --regexp=main --regexp printf -- 1 5 7 9
	keeps 'main
printf' -- 1 5 7 9
	keeps -e main -e nosuch -- 1 7
}

@test "a pattern of one character that stands for several is not a name" {
	printf 'main;%s 1\n' f w 'f.' >x.folded
	prof-grep '^\w$' x.folded | prof-to folded | sort | diff - <(printf 'main;%s 1\n' f w)
	prof-grep '^f\.$' x.folded | prof-to folded | diff - <(echo 'main;f. 1')
}

@test "-f FILE has a pattern a line, and adds to -e" {
	printf 'main\n^printf$\n' >patterns
	keeps -f patterns -- 1 5 7 9
	printf 'main' >patterns
	keeps -f patterns -e printf -- 1 5 7 9
	: >empty
	keeps -f empty --
	keeps -v -f empty -- 1 2 3 4 5 6 7 8 9 10
	printf 'printf\n' | prof-grep -f - "$(cg small.prof)" >got
	[ "$(grep -c '^c' got)" = 2 ]
	fails_with '^prof-grep: nosuch: No such file' prof-grep -f nosuch "$(cg small.prof)"
}

@test "-F takes the pattern as plain text" {
	keeps 'FIB(a.b)' --
	keeps -F 'FIB(a.b)' -- 6
	keeps -F 'a.b|main' --
	keeps -F '^main' --
	keeps -F "fib'2" -- 3 8
	keeps -F -x 'ns::FIB(a.b)' -- 6
	fails_with 'cannot be combined' prof-grep -E -F x "$(cg small.prof)"
}

@test "many patterns without operators find what they find for grep" {
	awk 'BEGIN { srand(7)
		while (n++ < 3000) {
			s = ""
			for (i = int(rand() * 6); i >= 0; i--)
				s = s substr("aab\047^$.12", int(rand() * 9) + 1, 1)
			print s
		} }' | sort -u >names
	{ echo 'events: c'; sed 's/.*/fn=&\n1 1/' names; } >f
	local o
	for o in -F '-F -x' -E '-E -x'; do
		# Names are shorter than most patterns; some end, or begin, as others go on.
		awk -v seed=${#o} 'BEGIN { srand(seed) } length($0) > 2 && rand() < 0.1 {
			print substr($0, int(rand() * 3) + 1, 4) }' names >patterns
		if [[ $o = -E* ]]; then
			sed -i 's/[\^$.]/\\&/g' patterns
			[ "$o" != -E ] || sed -n '1~9{s/[\^$.]/\\&/g; s/.*/^&$/p}' names >>patterns
			[ "$(grep -c '\\' patterns)" -gt 20 ]
		fi
		grep $o -f patterns names >want
		# A level of recursion is no part of the whole name.
		if [[ $o = *-x ]]; then
			sed -nE "s/^(.+)'[0-9]+$/\1\t&/p" names | while IFS=$'\t' read -r name level; do
				if grep -q $o -f patterns <<<"$name"; then echo "$level"; fi
			done >>want
		fi
		[ "$(wc -l <want)" -gt 20 ]
		prof-grep $o -f patterns f | prof-top --tsv -n 0 | sed 1d | cut -f 1 | sort -u >got
		sort -u want | diff - got
	done
	# 400 million pairs would take more than a quarter of an hour.
	awk 'BEGIN { print "events: c"; for (i = 0; i < 20000; i++) printf "fn=name_%d\n1 1\n", i * 7 }' >f
	seq 0 3 60000 | sed 's/.*/name_&$/; s/^/^/' >patterns
	[ "$(timeout 60 prof-grep -c -f patterns f)" = 2858 ]
	sed 's/[$^]//g' patterns >plain
	[ "$(timeout 60 prof-grep -c -F -f plain f)" = "$(sed -n 's/^fn=//p' f | grep -cFf plain)" ]
}

@test "patterns with operators find what they find for grep, alone and together" {
	awk 'BEGIN { srand(11)
		while (n++ < 4000) {
			s = ""
			for (i = int(rand() * 7); i >= 0; i--)
				s = s substr("aabbABB12.\303\274", int(rand() * 11) + 1, 1)
			print s
		} }' | sort -u >names
	{ echo 'events: c'; sed 's/.*/fn=&\n1 1/' names; } >f
	awk 'BEGIN { srand(12)
		n = split("a b A B 12 ab ba aB a. . b* a? A+ b{2} b{0,1} a{1,} [ab1] [^b]2* " \
			"[]a]b (a|b)1 (ab)* (b|2)+ (a(b|1)?)2 (.)\\1 \\. \\.? \\+* ^a 2$ (^b|1) " \
			"1|Ab [|]|b2 ((b)|a)B a\\|*b b|a1{2}2 (|)aA " \
			"b+? a+* 1+{0,2} (ab)+? B{2}? a*+", piece, " ")
		while (k++ < 80) {
			s = piece[int(rand() * n) + 1]
			for (i = int(rand() * 3) + 1; i > 0; i--)
				s = s piece[int(rand() * n) + 1]
			print s
		} }' >patterns
	# found OPTION...: what both find, which must be the same.
	found() {
		LC_ALL=C grep -aE "$@" names >want || [ $? = 1 ]
		{ prof-grep "$@" f || true; } | found_names >got
		LC_ALL=C sort -u want | diff - got
	}
	found_names() {
		LC_ALL=C sed -n 's/^func\t[0-9]*\t\([^\t]*\).*/\1/p' | LC_ALL=C sort -u
	}
	local pattern option all=0
	while read -r pattern; do
		for option in -e -ie -we; do
			found $option "$pattern"
			all=$((all + $(wc -l <want)))
		done
	done <patterns
	[ $all -gt 25000 ]
	# Together, they find what each finds: grep -w -f does not.
	grep -vE '^.{1,6}$' patterns >long
	for option in '' -i -w -xi; do
		while read -r pattern; do
			LC_ALL=C grep -aE $option -e "$pattern" names || [ $? = 1 ]
		done <long >each
		[ -s each ]
		prof-grep $option -f long f | found_names | diff <(LC_ALL=C sort -u each) -
	done
	shape patterns:fields 1000 >many
	brief 20 prof-grep -v -f many f >/dev/null
	shape patterns:fields 1001 >many
	exits_with 2 'too many patterns without a fixed text: more than 1000' prof-grep -v -f many f
	awk 'BEGIN { for (i = 1; i < 1001; i++) printf "(m|M)ain[a-z]{%d}\n", i % 50 }' >many
	brief 20 prof-grep -v -f many f >/dev/null
	echo '(M|m)ain[0-9]' >>many
	exits_with 2 "too many patterns with no fixed text but 'ain': more than 1000" prof-grep -v -f many f
	seq 0 3 60000 | sed 's/.*/(N|n)ame_&/' >many
	exits_with 2 ": bad pattern '(N|n)ame_" prof-grep -w -f many f
	exits_with 2 "': too many patterns: together they may take more than 256 MB" prof-grep -w -f many f
	# 200 million pairs.
	awk 'BEGIN { print "events: c"; for (i = 0; i < 20000; i++) printf "fn=name_%d\n1 1\n", i * 7 }' >f
	seq 0 6 60000 | sed 's/.*/(N|n)ame_&/' >patterns
	[ "$(timeout 60 prof-grep -w -c -f patterns f)" = 1429 ]
	[ "$(timeout 60 prof-grep -w -c -i -f patterns f)" = 1429 ]
	sed 's/name_/é_N/' f >accented
	sed 's/.*_/(_|x)n/' patterns >many
	[ "$(timeout 60 prof-grep -w -c -i -f many accented)" = 1429 ]
}

@test "-i ignores case" {
	keeps FIB -- 6
	keeps -i FIB -- 2 3 4 6 7 8 9 10
	keeps -i -F MAIN -- 1 7
}

@test "-w matches whole words" {
	keeps -w fib -- 2 3 7 8 10
	keeps -w FIB -- 6
	keeps -w fi --
	keeps -w -F 'a.b' -- 6
}

@test "a group that a pattern repeats is the one that it is for grep" {
	local o pattern
	printf '%s\n' abab abcd abcdabcd 'x abab' xabab 'abab y' cdcd 'abab cdcd' f1 f2 f3 \
		'a\a' 'a\b' 'x]1' 'x]2' >names
	{ echo 'events: c'; sed 's/.*/fn=&\n1 1/' names; } >f
	for o in '' -x -w; do
		# In brackets, and after a backslash that is one, there is no group.
		for pattern in '(ab|cd)\1' '(ab)(cd)\1\2' '((a)b)\1' '(.)(b)\1\2' 'f[\1]' \
			'x[]\1][[:digit:]\1]' '(a|b)\\\1'; do
			grep -E $o -e "$pattern" names | sort >want
			[ -s want ]
			prof-grep $o -e "$pattern" f | prof-top --tsv -n 0 | sed 1d | cut -f 1 |
				sed 's/\\\\/\\/' | sort | diff want -
		done
	done
	# -w takes two groups, -x one, of the nine.
	fails_with "^prof-grep: bad pattern '.*': -w and -x take groups" prof-grep -w \
		'(a)(b)(c)(d)(e)(f)(g)(h)\8' f
	fails_with "^prof-grep: bad pattern '.*': -w and -x take groups" prof-grep -x \
		'(a)(b)(c)(d)(e)(f)(g)(h)(i)\9' f
}

@test "-x matches whole names, recursion levels being the same name" {
	keeps -x fib -- 2 3 7 8 10
	keeps -x 'fib|printf' -- 2 3 5 7 8 9 10
	keeps -x fi --
	keeps -x "fib'2" -- 3 8
	keeps -x -F fib -- 2 3 7 8 10
}

@test "-v keeps what does not match" {
	keeps -v main -- 2 3 4 5 6 8 9 10
	keeps -v fib -- 1 5 6
	keeps -v -i fib -- 1 5
	keeps -v -x fib -- 1 4 5 6 9
}

@test "--in says which names: function, file, object, any" {
	keeps --in function 'libc|inline' --
	keeps --in file '^a\.c$' -- 1 2 3 4 6 7 8 9 10
	# The file of the line is a name of the record, too.
	keeps --in file inline -- 4
	keeps --in file libc -- 5 9
	keeps --in object 'libc\.so' -- 5 9
	keeps --in object /bin/app -- 1 2 3 4 6 7 8 9 10
	keeps --in any 'main|inline|libc\.so' -- 1 4 5 7 9
	keeps -v --in any 'main|inline|libc\.so' -- 2 3 6 8 10
	fails_with '--in: expected one of function' prof-grep --in name x "$(cg small.prof)"
}

@test "--role says which end of a call" {
	keeps --role self -x fib -- 2 3 10
	keeps --role caller -x fib -- 8
	keeps --role callee -x fib -- 7 8
	keeps --role any -x fib -- 2 3 7 8 10
	keeps --role callee --in object libc -- 9
	keeps --role caller --in object libc --
	keeps --role self fibber -- 4 10
	keeps --role self -v fib -- 1 5 6 7 8 9
	fails_with '--role: expected one of self' prof-grep --role x x "$(cg small.prof)"
}

@test "a bad pattern is an error that shows it" {
	fails_with "^prof-grep: bad pattern '\(': Unmatched" prof-grep '(' "$(cg small.prof)"
	fails_with "^prof-grep: bad pattern 'a\[': " prof-grep -e main -e 'a[' "$(cg small.prof)"
	printf '%s\n' ok 'a\' >patterns
	fails_with "^prof-grep: bad pattern 'a.': Trailing" prof-grep -f patterns "$(cg small.prof)"
	printf 'ok\nma\0in\n' >patterns
	fails_with '^prof-grep: patterns:2: a NUL byte in a pattern$' prof-grep -f patterns "$(cg small.prof)"
	fails_with '^prof-grep: no pattern given' prof-grep
}

# ---- laws ----

# Records with names for numbers: these differ between streams.
spell() {
	awk -F'\t' -v OFS='\t' '$1 == "file" { file[$2] = $3 }
		$1 == "object" { object[$2] = $3 }
		$1 == "func" { func_[$2] = $3 "@" file[$4] "@" object[$5] }
		/^(cost|call|jump)/ {
			$2 = func_[$2]; $3 = $3 == "-" ? $3 : file[$3]
			if ($1 != "cost") $6 = func_[$6]
			if ($1 == "jump") $7 = $7 == "-" ? $7 : file[$7]
			print }' | sort
}

@test "what matches and what does not are, together, all records" {
	f=$(cg calls.cg)
	prof-cat "$f" | spell >want
	for tag in cost call jump; do
		[ "$(grep -c "^$tag" want)" -gt 100 ]
	done
	for opt in '^_dl' '--in file elf' '--in object libc' '--in any a' '-x main' \
	    '--role callee strcmp' '--role self ^[a-m]'; do
		prof-grep $opt "$f" | spell >yes
		prof-grep -v $opt "$f" | spell >no
		[ -s yes ]
		[ -s no ]
		sort yes no | diff -u want - >diff || { echo "$opt"; head -n 20 diff; return 1; }
	done
}

@test "a filter twice is a filter once, and two filters commute" {
	f=$(cg calls.cg)
	prof-grep _dl "$f" | grep -v '^meta	filter' >once
	prof-grep _dl "$f" | prof-grep _dl | grep -v '^meta	filter' >twice
	diff -u once twice
	prof-grep _dl "$f" | prof-grep -v strcmp | prof-top --tsv >a
	prof-grep -v strcmp "$f" | prof-grep _dl | prof-top --tsv >b
	[ "$(wc -l <a)" -gt 20 ]
	diff -u a b
}

# ---- -A, -B, -C ----

# context OPTION...: the functions whose self cost is kept of a call graph, and the
# calls ("ab" is one from a to b), jumps ("b>c") and a raw record ("b!"), sorted.
#
#	main - a - b - c - d - b (a cycle), main - x - y - b, up - up - x
context() {
	prof-grep "$@" "$(cg graph.prof)" | awk -F'\t' '
		$1 == "func" { name[$2] = substr($3, 1, 1) }
		$1 == "cost" { print name[$2] }
		$1 == "raw" { print name[$2] "!" }
		$1 == "call" { print name[$2] name[$6] }
		$1 == "jump" { print name[$2] ">" name[$6] }' | LC_ALL=C sort | tr '\n' ' '
}

@test "-A N keeps what is called, N levels down, and the calls on the way" {
	[ "$(context -x a)" = 'a ab ma ' ]
	[ "$(context -A 0 -x a)" = 'a ab ma ' ]
	[ "$(context -A 1 -x a)" = 'a ab b b! ma ' ]
	[ "$(context -A 2 -x a)" = 'a ab b b! b>c bc c ma ' ]
	[ "$(context -A 3 -x a)" = 'a ab b b! b>c bc c cd d db ma ' ]
	[ "$(context -A all -x a)" = "$(context -A 3 -x a)" ]
	[ "$(context -A 18446744073709551615 -x a)" = "$(context -A 3 -x a)" ]
	[ "$(context --after-context=1 -x a)" = "$(context -A 1 -x a)" ]
	# The shortest way counts; b and y are as far away.
	[ "$(context -A 2 -x main)" = 'a ab b b! m ma mx x xy y yb ' ]
}

@test "-B N keeps what calls it, N levels up" {
	[ "$(context -B 1 -x b)" = 'a ab b b! b>c bc d db y yb ' ]
	[ "$(context -B 2 -x b)" = 'a ab b b! b>c bc c cd d db m ma mx x xy y yb ' ]
	[ "$(context -B all -x d)" = 'a ab b b! b>c bc c cd d db m ma mx u uu ux x xy y yb ' ]
	[ "$(context --before-context 1 -x y)" = 'x xy y yb ' ]
}

@test "-C N is both sides, and -A and -B come before it" {
	[ "$(context -C 1 -x y)" = 'b b! x xy y yb ' ]
	[ "$(context --context 1 -A 0 -x y)" = "$(context -B 1 -x y)" ]
	[ "$(context -B 0 -C 1 -x y)" = 'b b! xy y yb ' ]
	[ "$(context -C all -x y)" = 'b b! b>c bc c cd d db m mx u uu ux x xy y yb ' ]
	# A call from one side to the other, past y, is on none: of main to b.
	sed 's/^\(call	0	0	1	-	\)1/\12/' "$(cg graph.prof)" >short.prof
	[ "$(grep -c '^call' short.prof)" = 10 ]
	prof-grep -C all -x y short.prof >got
	[ "$(grep -c '^call' got)" = 8 ]	# a's, too
}

@test "a context starts from what does not match with -v" {
	[ "$(context -v -x 'b|c')" = 'a d m ma mx u uu ux x xy y ' ]
	[ "$(context -v -A 1 -x 'b|c')" = 'a ab b b! d db m ma mx u uu ux x xy y yb ' ]
	[ "$(context -v -B 1 -x 'b|c')" = 'a c cd d m ma mx u uu ux x xy y ' ]
}

@test "--role says what is kept of a start, not of its context" {
	[ "$(context --role self -x a)" = 'a ' ]
	[ "$(context --role self -A 0 -x a)" = 'a ' ]
	[ "$(context --role self -A 1 -x a)" = 'a ab b b! ' ]
	[ "$(context --role self -C 1 -x up)" = 'u uu ux x ' ]
	[ "$(context --role callee -x a)" = 'ma ' ]
	[ "$(context --role callee -A 1 -x a)" = 'ab b b! ma ' ]
}

@test "--in says what a start is; a line of a file makes one of its function" {
	[ "$(context --in object d.so)" = 'cd d db ' ]
	[ "$(context --in object -B 1 d.so)" = 'c cd d db ' ]
	[ "$(context --in file inline.h)" = 'y ' ]
	[ "$(context --in file -C 1 inline.h)" = 'b b! x xy y yb ' ]
	[ "$(context --in any --role callee -C 1 inline.h)" = 'b b! x xy yb ' ]
	[ "$(context -C 1 inline.h)" = '' ]
}

@test "the call graph is that of all parts and files" {
	printf '%b\n' 'prof\t1' 'part\t1' 'event\t0\tE\t-\t-\t-' 'func\t0\tone\t-\t-\t-' \
		'func\t1\ttwo\t-\t-\t-' 'cost\t1\t-\t1\t-\t2' \
		'call\t0\t-\t1\t-\t1\t-\t-\t1\t5' 'end' >1.prof
	printf '%b\n' 'prof\t1' 'part\t1' 'event\t0\tE\t-\t-\t-' 'func\t0\ttwo\t-\t-\t-' \
		'func\t1\tthree\t-\t-\t-' 'cost\t1\t-\t1\t-\t3' \
		'call\t0\t-\t1\t-\t1\t-\t-\t1\t3' 'part\t1' 'event\t0\tE\t-\t-\t-' \
		'func\t2\tfour\t-\t-\t-' 'cost\t2\t-\t1\t-\t7' 'end' >2.prof
	[ "$(prof-grep -A 2 -x one 1.prof 2.prof | grep -c '^cost')" = 2 ]
	[ "$(prof-grep -A 1 -x one 1.prof 2.prof | grep '^cost' | cut -f 6)" = 2 ]
	[ "$(prof-grep -A 2 -x one 2.prof 1.prof | grep '^cost' | cut -f 6 | tr '\n' ' ')" = '3 2 ' ]
	# Runs have the numbers that they have without it, also where --where is before.
	for o in --quiet --where=source=2.prof; do
		prof-grep $o -x -e three 1.prof 2.prof | grep -E '^(part|total)' >want
		prof-grep $o -A 1 -x -e three 1.prof 2.prof | grep -E '^(part|total)' | diff want -
	done
	[ "$(head -n 1 want)" = "part	2" ]
	[ "$(prof-grep --where source=2.prof -A 9 -x -e one 1.prof 2.prof | grep -c '^cost')" = 0 ]
}

# oracle REGEX AFTER BEFORE TABLE: how many calls a context has, and its functions, by a
# search of its own in a table of calls.
oracle() {
	perl -e '
		my ($re, $after, $before) = splice @ARGV, 0, 3;
		my (%next, %all, @calls, %col, %in);
		$_ = <>; chomp; my $i = 0; $col{$_} = $i++ for split /\t/;
		while (<>) {
			my @f = split /\t/;
			my $a = join "\t", @f[@col{qw(function function.file object)}];
			my $b = join "\t", @f[@col{qw(callee callee.file callee.object)}];
			push @calls, [$a, $b];
			$next{down}{$a}{$b} = $next{up}{$b}{$a} = $all{$a} = $all{$b} = 1;
		}
		my @start = grep { (split /\t/)[0] =~ /^(?:$re)(?:\x27[0-9]+)?$/ } keys %all;
		for (["down", $after], ["up", $before]) {
			my ($side, $most) = @$_;
			my @now = @start;
			$in{$side}{$_} = 1 for @now;
			while ($most-- && @now) {
				@now = grep { !$in{$side}{$_}++ }
				    map { keys %{$next{$side}{$_}} } @now;
			}
		}
		my %start = map { $_ => 1 } @start;
		print scalar(grep { my ($a, $b) = @$_; $start{$a} || $start{$b} ||
			($in{down}{$a} && $in{down}{$b}) ||
			($in{up}{$a} && $in{up}{$b}) } @calls), "\n";
		my %kept = map { %$_ } values %in;
		print map { "$_\n" } sort keys %kept;
	' "$@"
}

# The functions that have self cost in a profile.
costly() {
	prof-to tsv --records cost "$1" 2>/dev/null | awk -F '\t' -v OFS='\t' '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ print $c["function"], $c["function.file"], $c["object"] }' | sort -u
}

@test "a context is what a search through the table of calls finds" {
	for f in "$(cg calls.cg)" "$TESTS/../share/examples/wordcount.callgrind.zst"; do
		prof-to tsv --records call "$f" 2>/dev/null >calls.tsv
		[ "$(wc -l <calls.tsv)" -gt 200 ]
		costly "$f" >costly
		found=0
		for o in '1 0 main' '0 1 strcmp' '2 2 _dl_.*' '3 1 m.*' '0 2 calloc' \
		    '1000000 0 main' '0 1000000 malloc' '1 1 .*' '4 4 nosuch'; do
			set -f
			set -- $o
			set +f
			echo "$f -A $1 -B $2 -x $3"
			oracle "$3" "$1" "$2" calls.tsv >want
			prof-grep -A "$1" -B "$2" -x "$3" "$f" >got.prof || [ "$(wc -l <want)" = 1 ]
			# But for its first line a table of no call is empty.
			[ "$(head -n 1 want)" = $(($(prof-to tsv --records call got.prof 2>/dev/null | wc -l) - 1)) ]
			costly got.prof >got
			sed 1d want | comm -12 - costly | diff - got
			found=$((found + $(wc -l <got)))
		done
		[ $found -gt 400 ]
	done
	# So all that main reaches is there, and nothing else.
	oracle main 1000000 0 calls.tsv | sed 1d >all
	[ "$(wc -l <all)" -gt 30 ]
	[ "$(sort -u all costly | wc -l)" -gt "$(wc -l <all)" ]
}

@test "options only add, -C 0 adds nothing, and -C with everything is everything" {
	f=$(cg calls.cg)
	for p in strcmp _dl main; do
		prof-grep $p "$f" | spell >plain
		prof-grep -C 1 $p "$f" | spell >more
		[ -z "$(comm -23 plain more)" ]
		[ "$(wc -l <plain)" -lt "$(wc -l <more)" ]
		prof-grep -C 0 $p "$f" | cmp - <(prof-grep $p "$f")
	done
	# What is held comes out as it went in: definitions, facts, parts, order.
	printf '%b\n' 'prof\t1' 'tag\tx\tmay\tat:func:key\tv:values:sum\ta:attrs:note' \
		'part\t7\tpositions=line' 'meta\tk\ta\\tb\tc' \
		'event\t0\tE\ts\t-\tq\tscale=1/100' 'func\t0\tf\t-\t-\t-\tat=1' \
		'func\t1\tunused\t-\t-\tkey' 'x\t0\t3\ta=b' 'cost\t0\t-\t3:4\t#4\t-5\tz=1' \
		'raw\t0\t' 'vprof\t0\ts\tt\t3\t-' 'meta\tlate\t1' 'total\tsum\t9' 'part\t3' \
		'event\t0\tF\t-\t-\t-' 'part\t7' 'end' >odd.prof
	for f in "$f" "$(cg small.prof)" "$(cg parts.prof)" "$(cg points.prof)" odd.prof \
	    "$TESTS/../share/examples/calc.gmon.zst"; do
		prof-grep -v -x nosuch "$f" | grep -v '^meta	filter' >plain
		prof-grep -v -C all -x nosuch "$f" | grep -v '^meta	filter' | diff plain -
	done
}

@test "of stacks -B keeps those that end above a match, N levels up" {
	printf '%s\n' 'main 1' 'main;a 2' 'main;a;b 3' 'main;a;b;c 4' 'main;a;b;c;d 5' \
		'main;x 6' 'main;x;c 7' 'main;x;y 8' 'other;a 9' >s.folded
	# stacks OPTION...: the counts of the stacks that are kept.
	stacks() {
		prof-grep "$@" s.folded | awk -F '\t' '$1 == "sample" { print $3 }' |
			sort -n | tr '\n' ' '
	}
	[ "$(stacks -x c)" = '4 5 7 ' ]
	[ "$(stacks -A 3 -x c)" = '4 5 7 ' ]
	[ "$(stacks -B 1 -x c)" = '3 4 5 6 7 ' ]
	[ "$(stacks -B 2 -x c)" = '1 2 3 4 5 6 7 ' ]
	[ "$(stacks -C all -x c)" = '1 2 3 4 5 6 7 ' ]
	[ "$(stacks -B 1 -x d)" = '4 5 ' ]
	[ "$(stacks -B 1 -x 'a|y')" = '1 2 3 4 5 6 8 9 ' ]
	# With -v the other way round.
	[ "$(stacks -v -x 'b|x')" = '1 2 9 ' ]
	[ "$(stacks -v -B 2 -x 'b|x')" = '1 2 9 ' ]
	[ "$(stacks -v -A 1 -x 'b|x')" = '1 2 3 6 9 ' ]
	[ "$(stacks -v -A 2 -x 'b|x')" = '1 2 3 4 6 7 8 9 ' ]
	# Points, too.
	[ "$(prof-grep -x leaf "$(cg points.prof)" | grep '^point' | cut -f 4 | tr '\n' ' ')" = '30 ' ]
	[ "$(prof-grep -B 1 -x leaf "$(cg points.prof)" | grep '^point' | cut -f 4 | tr '\n' ' ')" = '20 30 ' ]
	[ "$(prof-grep -B 2 -x leaf "$(cg points.prof)" | grep '^point' | cut -f 4 | tr '\n' ' ')" = '10 20 30 ' ]
}

@test "a stack and a chain of calls may be deep" {
	awk 'BEGIN { OFS = "\t"
		print "prof", 1; print "part", 1; print "event", 0, "E", "-", "-", "-"
		for (i = 0; i < 200000; i++) print "func", i, "f" i, "-", "-", "-"
		for (i = 0; i < 200000; i++) print "ctx", i, i ? i - 1 : "-", i, "-", "-", "-"
		for (i = 0; i < 199999; i++) print "call", i, "-", 1, "-", i + 1, "-", "-", 1, 1
		for (i = 0; i < 200000; i++) print "sample", i, 1
		print "end" }' >deep.prof
	[ "$(prof-grep -B 100000 -x f150000 deep.prof | grep -c '^sample')" = 150000 ]
	[ "$(prof-grep -A 100000 -x f50000 deep.prof | grep -c '^call')" = 100001 ]
	[ "$(prof-grep -A all -x f0 deep.prof | grep -c '^call')" = 199999 ]
}

@test "the filter's metadata has the levels" {
	said() {
		prof-grep "$@" "$(cg graph.prof)" | sed -n 's/^meta	filter	//p'
	}
	[ "$(said -A 2 main)" = '-A 2 main' ]
	[ "$(said -A 2 -B all -v nosuch)" = '-v -A 2 -B all nosuch' ]
	[ "$(said -C all --role self main)" = '--role self -C all main' ]
	[ "$(said -C 3 -B 0 main)" = '-A 3 main' ]
	[ "$(said -C 0 main)" = main ]
	fails_with "--after-context: expected a number or all, found '99999999999999999999'" \
		prof-grep -A 99999999999999999999 main
	fails_with "--context: expected a number or all, found 'x'" prof-grep -C x -A 1 -B 1 main
	fails_with "--after-context: expected a number or all, found '-1'" prof-grep -A -1 main
	fails_with "--before-context: expected a number or all, found ''" prof-grep -B '' main
	fails_with '-A, -B and -C need a pattern' prof-grep --where a=b -A 1
}

@test "what is held is in a temporary file, not in memory" {
	mkdir tmp
	export TMPDIR=$PWD/tmp
	limited 20480 prof-grep -A 1 -x 'f7|f49' "$(cg large.prof)" >got
	[ "$(grep -c '^cost' got)" = 40000 ]
	prof-grep -x 'f7|f49' "$(cg large.prof)" | grep -v '^meta' | cmp - <(grep -v '^meta' got)
	# Without a name: nobody has to remove it.
	mkfifo in
	prof-grep -A 1 main in >out &
	exec 9>in
	head -n 500000 "$(cg large.prof)" >&9
	[ -z "$(ls -A tmp)" ]
	kill -9 $!
	wait $! || :
	exec 9>&-
	[ -z "$(ls -A tmp)" ]
	[ ! -s out ]
}

@test "a temporary file that cannot be made or written is an error" {
	for t in "$PWD/nosuch" "$(cg small.prof)"; do
		TMPDIR=$t fails_with '^prof-grep: temporary file in .*: N' \
			prof-grep -A 1 main "$(cg small.prof)"
		grep -qF "file in $t: N" fails.err
		[ "$(tail -n 1 fails.out)" != end ]
		TMPDIR=$t prof-grep -x main "$(cg small.prof)" >/dev/null
	done
	# A file may have no more than so many blocks: no disk has to be filled.
	for f in large graph; do
		n=1024
		[ $f = large ] || n=0
		(
			trap '' XFSZ
			ulimit -f $n
			got=0
			err=$(TMPDIR=$PWD prof-grep -A 1 main "$(cg $f.prof)" 2>&1 >/dev/null) || got=$?
			[ $got = 2 ]
			[ "$err" = "prof-grep: temporary file in $PWD: File too large" ]
		)
	done
}

# ---- -c, -l, -L, -q ----

# gives STATUS TEXT COMMAND...: exactly that, and nothing on standard error.
gives() {
	local status=$1 text=$2 got=0
	shift 2
	"$@" >gives.out 2>gives.err || got=$?
	printf '%b' "$text" | diff -u - gives.out
	[ ! -s gives.err ]
	[ "$got" = "$status" ] || { echo "exit status $got, not $status: $*"; return 1; }
}

@test "-c prints how many records are kept, of each file" {
	f=$(cg small.prof)
	gives 0 '2\n' prof-grep -c main "$f"
	gives 0 '7\n' prof-grep --count fib "$f"
	gives 1 '0\n' prof-grep -c nosuch "$f"
	gives 0 '2\n' prof-grep -c main <"$f"
	# One that has no records is kept, and counts.
	gives 0 '1\n' prof-grep -c idle "$f"
	gives 1 '0\n' prof-grep -c --role callee idle "$f"
	# As many as there are without -c, in parts and with a context, too.
	for o in "main $f" ". $(cg calls.cg)" "-v _dl $(cg calls.cg)" "g $(cg parts.prof)" \
	    "-C 2 strcmp $(cg calls.cg)" "-B 1 leaf $(cg points.prof)"; do
		n=$(prof-grep $o | grep -Ec '^(cost|call|jump|point)')
		n=$((n + $(prof-grep $o | awk -F '\t' '
			$1 == "func" { f[$2] } $1 == "ctx" { delete f[$4] } $1 ~ /^(cost|call|jump|point)$/ {
				delete f[$2]; if ($1 ~ /call|jump/) delete f[$6] }
			END { print length(f) }')))
		gives 0 "$n\n" prof-grep -c $o
	done
	[ "$(prof-grep -c _dl "$(cg calls.cg)")" -gt 100 ]
	fails_with '/dev/full|standard output: No space' sh -c 'prof-grep -c main "$1" >/dev/full' - "$f"
}

@test "-c counts in each file what is in it, and says whose it is" {
	ln -s "$(cg small.prof)" a
	ln -s "$(cg parts.prof)" b
	gives 0 'a:2\nb:0\n' prof-grep -c main a b
	gives 0 'b:0\na:2\nb:0\n' prof-grep -c main b a b
	gives 0 'a:2\nstandard input:1\n' prof-grep -c 'main|^h$' a - <b
	gives 1 'a:0\nb:0\n' prof-grep -c nosuch a b
	# idle has no records in a, and g none here: each counts where it is defined.
	printf 'prof\t1\npart\t1\nfunc\t0\tg\t-\t-\t-\nfunc\t1\tidle\t-\t-\t-\nend\n' >c
	gives 0 'a:1\nb:0\nc:1\n' prof-grep -c idle a b c
	gives 0 'c:2\na:1\nc:2\nb:1\n' prof-grep -c '^(g|idle)$' c a c b
	# A graph is that of its file.
	printf '%b\n' 'prof\t1' 'part\t1' 'event\t0\tE\t-\t-\t-' 'func\t0\tfib\t-\t-\t-' \
		'func\t1\tother\t-\t-\t-' 'cost\t1\t-\t1\t-\t2' 'end' >d
	gives 0 'd:1\n' sh -c 'prof-grep -c -A all -x fib a d | grep ^d'
	# Options that choose parts and events work on each.
	gives 0 'b:1\nb:1\n' prof-grep -c --where thread=1 b b
	gives 0 'b:2\nb:2\n' prof-grep -c --events Ir --where pid=10 b b
}

@test "-l and -L print the names of files, the exit status is about what is kept" {
	ln -s "$(cg small.prof)" a
	ln -s "$(cg parts.prof)" b
	gives 0 'a\n' prof-grep -l main a b
	gives 0 'b\na\n' prof-grep --files-with-matches '^h$|main' b a
	gives 1 '' prof-grep -l nosuch a b
	gives 0 'b\n' prof-grep -L main a b
	gives 0 '' prof-grep -L main a
	gives 1 'a\nb\n' prof-grep --files-without-match nosuch a b
	gives 0 'standard input\n' prof-grep -l main <a
	gives 0 'standard input\n' prof-grep -L main - a <b
	# -l and -L before -c, -q before all.
	gives 0 'a\n' prof-grep -c -l main a b
	gives 0 'b\n' prof-grep -cL main a b
	gives 0 '' prof-grep -cql main a b
	gives 0 '' prof-grep -q -L main a b
	gives 1 '' prof-grep -q -c nosuch a b
	fails_with '-l and -L cannot be combined' prof-grep -l -L main a
	# The same that grep says of the same.
	for o in '-l main' '-L main' '-c main' '-q main' '-l nosuch' '-L nosuch' '-cl main' \
	    '-c nosuch' '-q nosuch' '-L -v nosuch' '-ql main'; do
		printf 'main\n' >x
		printf 'other\n' >y
		printf 'main 1\n' >x.folded
		printf 'other 1\n' >y.folded
		want=0 got=0
		grep $o x y >want || want=$?
		prof-grep --from folded $o x.folded y.folded >got || got=$?
		echo "$o: $want $got"
		sed 's/.folded//' got | diff want -
		[ $want = $got ]
	done
}

@test "-q, -l and -L stop at the first record that is kept" {
	for o in -q -l -L '-q -A 1'; do
		# What comes behind it is late.
		mkfifo fifo
		(exec 3>fifo; head -n 20000 "$(cg large.prof)" >&3; exec sleep 100 3>&3) &
		sleeper=$!
		run -0 timeout 20 prof-grep $o f7 fifo
		kill $sleeper || :	# it may have had no reader
		rm fifo
	done
	run -0 timeout 20 prof-grep -q main "$(cg small.prof)" nosuch
	[ "$output" = '' ]
	# Also at a function that no record is about: of it is known at the end.
	{ bars <<<'prof|1
part|1
func|0|never|-|-|-'; echo end; } >never.prof
	run -0 prof-grep -q never never.prof nosuch
	run -2 prof-grep -q nosuch never.prof nosuch
	# And whatever the format is: of a call, too, if it has any.
	mkdir formats
	cd formats
	small_profiles
	for f in $formats; do
		syms=
		[[ $f != gmon* ]] || syms='--syms prog.syms'
		echo "$f"
		[ "$f" != perfdata ] || continue	# names are in the program, which is elsewhere
		run -0 prof-grep $syms -q . $f nosuch
		[ "$output" = '' ]
		prof-cat $f >got
		grep -q '^call' got || continue
		run -0 prof-grep $syms -q --role callee . $f nosuch
		[ "$output" = '' ]
	done
	cd ..
	sed '$d' "$(cg small.prof)" >cut.prof
	gives 0 'cut.prof\n' prof-grep -l main cut.prof
	fails_with 'the stream is truncated' prof-grep -l nosuch cut.prof
	fails_with 'the stream is truncated' prof-grep -c main cut.prof
	# A temporary file that is full is none of its business any more.
	(
		trap '' XFSZ
		ulimit -f 0
		TMPDIR=$PWD prof-grep -q -A 1 main "$(cg small.prof)"
	)
}

@test "a bad file is reported, the others are read, the exit status is 2" {
	ln -s "$(cg small.prof)" a
	sed '$d' a >cut.prof
	printf 'what\n' >junk
	fails_with "^prof-grep: nosuch: No such file" prof-grep -c main nosuch cut.prof a junk a
	printf 'a:2\na:2\n' | diff - fails.out
	[ "$(wc -l <fails.err)" = 3 ]
	grep -q '^prof-grep: cut.prof:.*the stream is truncated' fails.err
	grep -q '^prof-grep: junk: unknown format' fails.err
	fails_with 'junk: unknown format' prof-grep -l main a junk a
	printf 'a\na\n' | diff - fails.out
	fails_with 'junk: unknown format' prof-grep -L main a junk
	[ ! -s fails.out ]
	fails_with 'junk: unknown format' prof-grep -q nosuch a junk
	run -0 prof-grep -q main junk a
	# What one file declares is nothing to another one.
	printf 'prof\t1\ntag\tx\tmay\tfunc:func:key\npart\t1\nfunc\t0\tf\t-\t-\t-\nx\t0\nend\n' >1
	printf 'prof\t1\ntag\tx\tmay\tfunc:func:key\tn:int:sum\npart\t1\nfunc\t0\tf\t-\t-\t-\nx\t0\t5\nx\t0\t6\nend\n' >2
	gives 0 '1:1\n2:2\n' prof-grep -c f 1 2
	fails_with "bad pattern '\('" prof-grep -c '(' a a
	[ "$(wc -l <fails.err)" = 2 ]	# once, and the usage
}

@test "an empty file of several is passed over, and keeps nothing" {
	ln -s "$(cg small.prof)" a
	: >empty
	run -0 --separate-stderr prof-grep -c main a empty
	[ "$output" = 'a:2
empty:0' ]
	[ "$stderr" = 'prof-grep: warning: empty: empty, skipped' ]
	run -1 --separate-stderr prof-grep -l nosuch empty a
	run -0 --separate-stderr prof-grep -L main empty a
	[ "$output" = empty ]
	fails_with '^prof-grep: empty: empty' prof-grep -c main empty
}

@test "an executable names the functions of the files after it, or is its gmon.out" {
	cp "$TESTS/../share/examples/calc.c" .
	gcc -pg -O1 -fno-inline -no-pie -o calc calc.c
	printf 'a = 2\nb = (a + 3) * 4\n' | ./calc >/dev/null
	cp gmon.out other.out
	n=$(prof-cat ./calc gmon.out 2>/dev/null | grep -Ec '^call')
	[ "$n" -gt 3 ]
	# As many as the profile has when it is read with its executable.
	want=$(prof-grep -x sum ./calc gmon.out 2>/dev/null | grep -Ec '^(cost|call)')
	[ "$want" -ge 2 ]
	gives 0 "$want\n" prof-grep -c -x sum ./calc gmon.out
	gives 0 "gmon.out:$want\nother.out:$want\n" prof-grep -c -x sum ./calc gmon.out other.out
	gives 0 "other.out:0\ngmon.out:$want\n" prof-grep -c -x sum other.out ./calc gmon.out
	gives 0 "$want\n" prof-grep --quiet -c -x sum ./calc
	gives 0 "./calc:$want\nother.out:$want\n" prof-grep --quiet -c -x sum ./calc ./calc other.out
	gives 0 "other.out:$want\n./calc:$want\n" prof-grep --quiet -c -x sum ./calc other.out ./calc
	gives 0 './calc\n' prof-grep --quiet -l -x sum other.out ./calc
	gives 0 "gmon.out:$want\nother.out:$want\n" prof-grep --exe ./calc -c -x sum gmon.out other.out
	mkdir sub
	cp calc sub
	rm gmon.out
	fails_with 'no gmon.out is in this directory' prof-grep -c -x sum sub/calc "$(cg small.prof)" sub/calc
	grep -q small.prof:0 fails.out
}

# ---- exit status ----

@test "exit status is 1 when nothing is kept, 2 on trouble" {
	run -0 prof-grep main "$(cg small.prof)"
	run -1 prof-grep nosuch "$(cg small.prof)"
	# The profile is a valid one all the same.
	[ "${lines[-1]}" = end ]
	run -1 prof-grep -v . "$(cg small.prof)"
	run -2 prof-grep main nosuch.prof
	sed '$d' "$(cg small.prof)" >cut.prof
	fails_with 'the stream is truncated' prof-grep main cut.prof
	[ "$(tail -n 1 fails.out)" != end ]
	fails_with 'the stream is truncated' prof-grep nosuch cut.prof
}

@test "a function that matches but has no records is kept, its definition too" {
	run -0 prof-grep idle "$(cg small.prof)"
	printf '%s\n' "${lines[@]}" | has '^func	0	idle	0	0	-$'
	[ "$(printf '%s\n' "${lines[@]}" | grep -Ec '^(cost|call|jump)')" = 0 ]
	# As a callee it is none of those asked for.
	run -1 prof-grep --role callee idle "$(cg small.prof)"
}

# ---- the whole output ----

@test "definitions are dense and only those needed, the filter is recorded, the total is the program's" {
	prof-grep -x printf "$(cg small.prof)" >got
	bars >want <<-'END'
	prof|1
	part|1|positions=line
	meta|format|callgrind
	meta|cmd|./a
	meta|filter|-x printf
	event|0|Ir|-|-|-
	event|1|Dr|-|-|-
	event|-|Sum|-|Ir + Dr|-
	file|0|libc.c
	object|0|/lib/libc.so|-
	func|0|printf|0|0|-
	cost|0|0|9|-|36|6
	file|1|a.c
	object|1|/bin/app|-
	func|1|fibber|1|1|-
	call|1|1|3|-|0|9|-|2|36|6
	total|run|107|10
	end
	END
	diff -u want got
}

@test "total run is kept, total sum is dropped" {
	sed 's/^total	sum.*/total	run	500	50\n&/' "$(cg small.prof)" >both.prof
	prof-grep main both.prof | grep '^total' >got
	printf 'total\trun\t500\t50\n' | diff -u - got
}

@test "a missing total run is the sum read, or otherwise the self cost of all records" {
	prof-grep main "$(cg small.prof)" | grep '^total' >got
	printf 'total\trun\t107\t10\n' | diff -u - got
	# A total of nothing is none.
	sed '/^total/s/.*/total	run	0/' "$(cg small.prof)" >zero.prof
	prof-grep main zero.prof | grep '^total' | diff -u got -
	sed '/^total/d' "$(cg small.prof)" >none.prof
	prof-grep main none.prof | grep '^total' | diff -u got -
	prof-grep nosuch none.prof >none.out || [ $? = 1 ]
	grep '^total' none.out | diff -u got -
	# Of its own part only.
	sed '/^total/d' "$(cg parts.prof)" | prof-grep -v nosuch | grep '^total' >got
	printf 'total\trun\t5\ntotal\trun\t6\ntotal\trun\t1\t7\n' | diff -u - got
}

@test "a function that is the target of a jump or below others in a stack has a record" {
	bars >x <<-'E'
	prof|1
	part|1
	event|0|Ir|-|-|-
	func|0|f|-|-|-
	func|1|g|-|-|-
	func|2|never|-|-|-
	func|3|main|-|-|-
	ctx|0|-|3|-|-|-
	ctx|1|0|0|-|-|-
	cost|0|-|1|-|5
	jump|0|-|1|-|1|-|2|-|3|-
	sample|1|5
	end
	E
	# What is kept of each: a jump, the function itself, a sample, all three of f.
	for f in g:1 never:1 main:1 f:3; do
		echo "$f"
		[ "$(prof-grep -c -x ${f%:*} x)" = ${f#*:} ]
	done
}

@test "a total beyond 128 bits is an error" {
	local most=170141183460469231731687303715884105727
	for f in "cost|0|-|1|-|$most
cost|1|-|1|-|1" "sample|-|$most
sample|-|1"; do
		printf '%s\n' 'prof|1' 'part|1' 'event|0|Ir|-|-|-' 'func|0|f|-|-|-' \
			'func|1|g|-|-|-' "$f" end | bars >x
		fails_with '^prof-grep: x:7: the sum of costs does not fit 128 bits$' \
			prof-grep -v nosuch x
		fails_with '^prof-grep: x:7: the sum of costs' prof-grep nosuch x
		# Where it is said, nobody has to sum it.
		bars <<<'total|run|1' | sed -i '3r /dev/stdin' x
		silent prof-grep -v nosuch x | grep -x "end"
	done
	printf '%s\n' 'prof|1' 'part|1' 'event|0|Ir|-|-|-' "total|run|${most}0" end | bars >x
	fails_with '^prof-grep: x:4: a total does not fit 128 bits$' prof-grep nosuch x
}

@test "each part has its own total, and keeps it when a filter emptied it" {
	prof-grep -x g "$(cg parts.prof)" | grep -E '^(part|total|cost)' >got
	bars >want <<-'END'
	part|1
	total|run|5
	part|1
	total|run|6
	cost|0|-|1|-|6
	part|2
	total|run|1|7
	END
	diff -u want got
}

@test "meta filter has the options that select" {
	said() {
		prof-grep "$@" "$(cg small.prof)" | sed -n 's/^meta	filter	//p'
	}
	[ "$(said main)" = main ]
	[ "$(said -v -i -F -w main)" = '-v -i -F -w main' ]
	[ "$(said -x --in any --role self main)" = '-x --in any --role self main' ]
	[ "$(said -e main -e fib)" = 'main | fib' ]
	[ "$(said 'x	y|main')" = 'x\ty|main' ]
	[ "$(prof-grep main "$(cg small.prof)" | prof-grep -v x | grep -c '^meta	filter')" = 2 ]
}

@test "each part has it, also one of metadata alone" {
	bars >facts.prof <<-'END'
	prof|1
	part|1
	meta|cmd|a
	part|1
	meta|cmd|b
	func|0|f|-|-|-
	event|0|Ir|-|-|-
	cost|0|-|1|-|5
	part|1
	end
	END
	prof-grep f facts.prof | cut -f 1-3 | grep -E '^(part|meta)' >got
	bars >want <<-'END'
	part|1
	meta|cmd|a
	meta|filter|f
	part|1
	meta|cmd|b
	meta|filter|f
	part|1
	meta|filter|f
	END
	diff -u want got
}

# ---- --where ----

# parts_of OPTION...: thread and cost of the parts that are kept.
parts_of() {
	prof-cat "$@" "$(cg parts.prof)" | awk -F'\t' '$1 == "cost" { print $NF }' |
		tr '\n' ' '
}

@test "--where keeps the parts that have a metadata value" {
	[ "$(parts_of)" = '5 6 7 ' ]
	[ "$(parts_of --where thread=2)" = '6 7 ' ]
	[ "$(parts_of --where pid=10)" = '5 6 ' ]
	[ "$(parts_of --where thread=3)" = '' ]
	[ "$(parts_of --where nosuch=1)" = '' ]
	prof-grep --where thread=2,pid=10 "$(cg parts.prof)" | grep -E '^(part|total|meta)' >got
	printf 'part\t1\nmeta\tpid\t10\nmeta\tthread\t2\ntotal\trun\t6\n' | diff -u - got
}

@test "conditions on one key are any of them, on several keys all of them" {
	[ "$(parts_of --where thread=1,thread=2)" = '5 6 7 ' ]
	[ "$(parts_of --where thread=2,pid=11)" = '7 ' ]
	[ "$(parts_of --where thread=2 --where pid=10)" = '6 ' ]
	[ "$(parts_of --where thread=1,pid=11)" = '' ]
}

@test "--where KEY~REGEX matches the metadata" {
	[ "$(parts_of --where 'pid~^1[1-9]$')" = '7 ' ]
	[ "$(parts_of --where 'pid~1')" = '5 6 7 ' ]
	[ "$(parts_of --where 'pid~0,thread~[2-9]')" = '6 ' ]
	# A fact may be a list, in one line or in several.
	sed '4s/$/\t7/; 4a meta\tthread\t8' "$(cg parts.prof)" >list.prof
	for t in 1 7 8; do
		[ "$(prof-cat --where thread=$t list.prof | grep -c '^cost')" = 1 ]
	done
	fails_with "bad pattern '\['" prof-cat --where 'pid~[' "$(cg parts.prof)"
	fails_with "expected KEY=VALUE or KEY~REGEX, found 'pid'" prof-cat --where pid "$(cg parts.prof)"
}

@test "--where alone needs no pattern" {
	run -0 prof-grep --where thread=1 "$(cg parts.prof)"
	run -1 prof-grep --where thread=3 "$(cg parts.prof)"
}

# none STATUS WHY TOOL...: with a --where of which nothing is kept.
none() {
	local status=$1 why=$2 got=0
	shift 2
	"$@" >out 2>err || got=$?
	diff <(echo "$1: --where keeps nothing: $why") <(head -n 1 err)
	[ "$got" = "$status" ]
	[ "$got" = 2 ] || [ "$(wc -l <err)" = 1 ]
}

@test "--where that keeps nothing exits 1, and lists the available values" {
	local p tool
	p=$(cg parts.prof)
	none 1 "thread can be '1', '2'" prof-cat --where thread=3 "$p"
	tail -n 1 out | has -x end
	none 1 "thread can be '1', '2'; pid can be '10', '11'" prof-cat --where thread=1 --where pid=11 "$p"
	none 1 "thread can be '1', '2'" prof-cat --where 'thread~^[3-9]' "$p"
	none 1 "no part has metadata 'thred': did you mean thread?; metadata: 'pid', 'thread'" \
		prof-cat --where thred=1 "$p"
	for tool in 'prof-merge -b function' 'prof-to callgrind' 'prof-to json' 'prof-grep -x -e f' \
		'prof-grep -c -e f' 'prof-grep -q -e f' 'prof-grep -L -e f' prof-top 'prof-top --tsv' \
		'prof-top -k Ir' 'prof-top --callers f' 'prof-cat --events Ir'; do
		none 1 "thread can be '1', '2'" $tool --where thread=3 "$p"
	done
	none 1 "thread can be '1', '2'" prof-top --where thread=3 "$p"
	[ ! -s out ]
	# Of a target that holds one part there would be nothing to read.
	none 2 "thread can be '1', '2'" prof-to cachegrind --where thread=3 "$p"
	# A side that is empty would be a difference that nobody asked for.
	none 2 "pid can be '10', '11'" prof-diff --where pid=12 "$p" "$p"
	grep -q 'parts.prof: the old profile has nothing to compare$' err
	grep -v 'thread' "$p" >new
	fails_with 'new: the new profile has nothing to compare' prof-diff --fail-over 1% \
		--where thread=1 "$p" new
	run -0 prof-diff --where thread=1 "$p" "$p"
	# One of several files will do, and of a list each has its own answer.
	silent prof-merge --where thread=1 "$p" "$p" new
	[ "$(prof-grep -c --where thread=1 -e f "$p" new 2>err | wc -l)" = 2 ]
	[ ! -s err ]
	# Ten values are shown, and none that is not text.
	seq 15 | sed 's/.*/part\t1\nmeta\tx\t&\nmeta\ty\ta\x1bb/' | { printf 'prof\t1\n'; cat; echo end; } >many
	none 1 "x can be '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', ...; y can be 'a\\x1bb'" \
		prof-cat --where x=0,y=1 many
}

# ---- --events ----

# events_of LIST: events, main's cost and the total.
events_of() {
	prof-grep -x --events "$1" -e main "$(cg small.prof)" |
		awk -F'\t' '$1 == "event" { print $1, $2, $3, $5 }
		$1 == "cost" || $1 == "total" || $1 == "call" {
			for (i = $1 == "cost" ? 6 : $1 == "call" ? 10 : 3; i <= NF; i++)
				printf "%s%s", $i, i == NF ? "\n" : " " }'
}

@test "--events selects and renumbers events, in records and totals" {
	events_of Dr >got
	printf 'event 0 Dr -\n1\n3\n10\n' | diff -u - got
	events_of Dr,Ir >got
	printf 'event 0 Dr -\nevent 1 Ir -\nevent - Sum Ir + Dr\n1 10\n3 54\n10 107\n' |
		diff -u - got
	prof-cat --events Dr "$(cg small.prof)" | grep '^cost	1' >got
	# Trailing zeros are left out.
	printf 'cost\t1\t0\t2\t-\n' | diff -u - got
}

@test "--events computes formulas and derived events, and keeps derived ones it can" {
	events_of 'Ir + Dr' >got
	printf 'event 0 Ir + Dr -\n11\n57\n117\n' | diff -u - got
	events_of Sum >got
	printf 'event 0 Sum -\n11\n57\n117\n' | diff -u - got
	events_of '3 Ir - 2 Dr, Ir' >got
	printf 'event 0 3 Ir - 2 Dr -\nevent 1 Ir -\n28 10\n156 54\n301 107\n' | diff -u - got
	# L1m is known where its events are.
	prof-cat --events L1m,Ir "$(cg calls.cg)" | grep '^total	run' | cut -f 3 >got
	awk '/^events:/ { for (i = 2; i <= NF; i++) at[$i] = i }
		/^summary:/ { print $at["I1mr"] + $at["D1mr"] + $at["D1mw"] }' \
		"$(cg calls.cg)" | diff -u - got
}

@test "--events is by name in each part, and only what no part has is a mistake" {
	prof-cat --events Dr,Ir "$(cg parts.prof)" | grep -E '^(event|cost)' >got
	bars >want <<-'END'
	event|0|Ir|-|-|-
	cost|0|-|1|-|5
	event|0|Ir|-|-|-
	cost|1|-|1|-|6
	event|0|Dr|-|-|-
	event|1|Ir|-|-|-
	cost|2|-|1|-|1|7
	END
	diff -u want got
	fails_with "--events: no event 'nosuch'; events: Ir, Dr, Sum" \
		prof-cat --events Ir,nosuch "$(cg small.prof)"
	fails_with "expected an event or a sum of events, found 'Ir / Dr'" \
		prof-cat --events 'Ir / Dr' "$(cg small.prof)"
	fails_with "expected an event" prof-cat --events 'Ir,,Dr' "$(cg small.prof)"
}

# ---- size ----

@test "a million records pass in constant memory" {
	local limit=20480	# less than the profile has
	limited $limit prof-grep -x 'f7|f49' "$(cg large.prof)" >got
	[ "$(grep -c '^cost' got)" = 40000 ]
	[ "$(awk -F'\t' '$1 == "cost" { s += $6 } END { printf "%.0f", s }' got)" = \
		"$(awk 'BEGIN { for (i = 0; i < 1000000; i++)
			if (i % 50 == 7 || i % 50 == 49) s += i; printf "%.0f", s }')" ]
	# Functions are numbered anew, in the order of their use.
	limited $limit prof-cat "$(cg large.prof)" | limited $limit prof-grep -v nosuch |
		grep '^cost' | cut -f 4- >got
	grep '^cost' "$(cg large.prof)" | cut -f 4- | cmp - got
}

@test "--events takes an event that is named twice once" {
	prof-cat --events L1m,L1m "$(cg calls.cg)" | grep '^event' >got
	printf 'event\t0\tL1m\t-\t-\t-\n' | diff -u - got
	prof-cat --events Dr,Ir,Dr "$(cg small.prof)" | grep '^event	[01]' >got
	printf 'event\t0\tDr\t-\t-\t-\nevent\t1\tIr\t-\t-\t-\n' | diff -u - got
	prof-cat --events Dr,Ir,Dr "$(cg small.prof)" >got
	prof-cat --events Dr,Ir "$(cg small.prof)" | diff -u - got
}

@test "a derived event that is chosen by name keeps its description" {
	printf 'events: A B\nevent: S = A + 2 B : sum of both\nfl=m.c\nfn=a\n1 10 3\n' >d.cg
	prof-cat --events S,A d.cg | grep -E '^(event|cost)' >got
	printf '%b\n' 'event\t0\tS\t-\t-\tsum of both' 'event\t1\tA\t-\t-\t-' \
		'cost\t0\t0\t1\t-\t16\t10' | diff -u - got
}

@test "a derived event with an unknown term is not known, and goes with a choice" {
	printf 'events: A B\nevent: S = A + 2 Zz\nfl=m.c\nfn=a\n1 10 3\n' >u.cg
	fails_with "no event 'S'" prof-cat --events S u.cg
	prof-cat --events A u.cg | grep '^event' >got
	printf 'event\t0\tA\t-\t-\t-\n' | diff -u - got
	prof-cat u.cg | has '^event	-	S	-	A + 2 Zz	-$'
}

@test "names are bytes to a pattern" {
	printf '%b' 'prof\t1\npart\t1\nevent\t0\tE\t-\t-\t-\nfunc\t0\ta\\x00b\t-\t-\t-\n' \
		'func\t1\tgr\xc3\xbcn\t-\t-\t-\nfunc\t2\tb\xffd\t-\t-\t-\n' \
		'cost\t0\t-\t1\t-\t1\ncost\t1\t-\t1\t-\t1\ncost\t2\t-\t1\t-\t1\nend\n' |
		sed 's/a\x00b/a\\x00b/' >bytes.prof
	# kept OPTION...: the numbers of the functions that are, as they were.
	kept() {
		prof-grep "$@" bytes.prof | grep -a '^func' | cut -f 3 | LC_ALL=C sed \
			's/^a.*/0/; s/^g.*/1/; s/^b.*/2/' | tr -d '\n'
	}
	for LC_ALL in C C.UTF-8; do
		[ "$(kept -x 'gr..n')" = 1 ]
		[ "$(kept -x 'gr.n')" = '' ]
		[ "$(kept -x 'b.d')" = 2 ]
		[ "$(kept -x "gr$(printf '\303\274')n")" = 1 ]
		[ "$(kept -i -x "GR$(printf '\303\274')N")" = 1 ]
		[ "$(kept -i -x "GR$(printf '\303\234')N")" = '' ]
		[ "$(kept -x 'a.b')" = '' ]
		[ "$(kept 'b+$')" = 0 ]
		[ "$(kept '^a')" = 0 ]
	done
}

# repeated N TEXT: so many times.
repeated() {
	printf "%0$1d" 0 | sed "s/0/$2/g"
}

@test "a pattern that would take the stack or gigabytes is rejected, not worked on" {
	local some deep
	printf 'events: Ir\nfn=f\n1 5\n' >a.cg
	deep="$(repeated 13000 '(')a$(repeated 13000 ')')"
	for some in "$deep" "$(repeated 56000 'a?')" "$(seq -s'|' 120000)" \
		'a{255}{255}{255}' '(((a{1,200}){1,200}){1,200})' "$(repeated 40 '(')a$(repeated 40 ')+')" \
		"$(repeated 30 '(^')a$(repeated 30 ')*')" "$(repeated 2000 '(^|a?)')" \
		"(b|$(repeated 100 "a??"))*" "f$(repeated 400 '$')" "$(repeated 300 '\\b\\B')" \
		'(a?(a?((a?)?(a?)?)*)?){0,40}' '[[:alpha:]]{2,30000}{2,30000}' \
		'((\b){2}x*|(\`)*$|a?(ba?{2})|a??)*'; do
		printf '%s\n' x "$some" >p
		run -2 limited 262144 prof-grep -f p a.cg
		[[ ${lines[0]} = *"prof-grep: bad pattern '"*"': "@(groups nested more than 100 deep|may take more than 128 MB*) ]]
		printf "rules:\n- drop:\n   function: '%s'\n" "$some" >r.yaml
		run -2 limited 262144 prof-cat --rules ./r.yaml a.cg
		[[ $output = *"r.yaml:3:14: bad pattern '"* ]]
		[ ${#some} -gt 100000 ] && continue
		run -2 limited 262144 prof-cat --where "cmd~$some" a.cg
		[[ $output = *"bad pattern '"* ]]
		run -2 limited 262144 prof-top --callers "$some" a.cg
		[[ $output = *"bad pattern '"* ]]
	done
	seq 500000 | sed 's/.*/x./' >p
	run -2 limited 600000 prof-grep -f p a.cg
	[[ ${lines[0]} = *"too many patterns with no fixed text but 'x': more than 1000" ]]
}

@test "a pattern reads a name once, and forgets what it has read" {
	printf 'version: 1\nevents: c\nfn=%s\n1 1\n' "$(head -c 300000 /dev/zero | tr '\0' a)" >long
	local some
	for some in 'a.*[cd]' '(a|b)*(c|d)' 'b|a+[cd]' '[a-z]+\(' 'a[^c]*d|^x' '^x|a[^c]*d'; do
		[ "$(brief 10 prof-grep -c -e "$some" long || true)" = 0 ]
		[ "$(brief 10 prof-grep -c -i -e "$some" long || true)" = 0 ]
		printf "rules:\n- rename: {function: '%s', to: x}\n" "$some" >r.yaml
		brief 10 prof-cat --rules ./r.yaml long | has '^func	0	aaa'
	done
	[ "$(brief 10 prof-grep -c -w 'a+b?' long)" = 1 ]
	# The states that it can be in are as many as the bytes.
	awk 'BEGIN { srand(3); for (n = 0; n < 2000; n++) {
		s = n ? "" : sprintf("%05000d", 0)
		gsub(/0/, "a", s)
		while (length(s) < 95) s = s substr("ab", int(rand() * 2) + 1, 1)
		print "main;" s " 1"
	} }' >random.folded
	sed 's/main;//; s/ 1$//' random.folded | grep -cE 'a.{50}(b|a[ab])$' >want
	limited 100000 prof-grep --from folded -c 'a.{50}(b|a[ab])$' random.folded | diff want -
	limited 100000 prof-grep --from folded -c -w 'a.{50}(b|a[ab])$' random.folded >got || true
	[ "$(cat got)" = 0 ]
}

@test "a name with a newline has one beginning and one end" {
	printf 'prof\t1\npart\t1\nevent\t0\tE\t-\t-\t-\nfunc\t0\ta\\nb\t-\t-\t-\ncost\t0\t-\t1\t-\t1\nend\n' >n.prof
	local some
	for some in '(^b+)' 'x|^b+' '(^|.)^b' 'a$.b' '(a$|x)+(.|y)b' 'a+$' '^b$'; do
		run -1 prof-grep -c -e "$some" n.prof
		run -1 prof-grep -c -w -e "$some" n.prof
		run -1 prof-grep -c -e zz -e "^x+" -e "$some" n.prof
	done
	run -1 prof-grep -c -x -i -e b -e zz n.prof
	for some in 'b+$' '^a+' 'a.b' '(^|x)a' '[$^]|b'; do
		[ "$(prof-grep -c -e "$some" n.prof)" = 1 ]
		[ "$(prof-grep -c -w -e "$some" n.prof)" = 1 ]
	done
	# A parenthesis that closes nothing is a plain one, also beside the groups of -x and -w.
	printf 'main;%s 1\n' 'a)b' 'ab)' >x.folded
	for some in -x -w; do
		prof-grep $some 'a)b' x.folded | prof-to folded | diff - <(echo 'main;a)b 1')
	done
}

@test "many patterns are tried on a name at once, and each counts" {
	awk 'BEGIN { for (i = 0; i < 10000; i++) printf "f(x|y)*z%05d\n", i }' >patterns
	awk 'BEGIN { print "events: c"; for (k = 0; k < 10; k++) {
		printf "fn=fn%d_", k
		for (i = 0; i < 10000; i++) printf "fwz%05d", i
		print "\n1 1"
	} }' >f
	[ "$(brief 20 prof-grep -c -f patterns f || true)" = 0 ]
	awk 'BEGIN { print "events: c"; for (i = 0; i < 10000; i += 7) printf "fn=a_fxyz%05db\n1 1\n", i }' >f
	[ "$(prof-grep -c -f patterns f)" = 1429 ]
	# A parenthesis in brackets closes none.
	echo 'main;(xx)y 1' >x.folded
	printf "rules:\n- rename: {function: '[(]x*)y', to: z}\n" >r.yaml
	prof-cat --rules ./r.yaml x.folded | prof-to folded | diff - <(echo 'main;z 1')
	# One that cannot be beside others does not hide them, nor they it.
	printf '%s\n' '(f)\1x' 'a)b' 'c)d' '[(]x*)y' "$(repeated 99 '(')g$(repeated 99 ')')h" 'i.k' >patterns
	printf 'main;%s 1\n' ffx a\)b 'c)d' gh i_k fx ab 'f\1x' >x.folded
	prof-grep -f patterns x.folded | prof-to folded | sort | diff - <(printf 'main;%s 1\n' a\)b 'c)d' ffx gh i_k | sort)
}

@test "patterns that people write are far from what is rejected" {
	local some
	printf 'events: Ir\nfn=f700\n1 5\n' >a.cg
	seq -f 'f%g' 5000 >names
	for some in "$(repeated 99 '(')f700$(repeated 99 ')')" "$(paste -sd'|' <(head -n 1000 names))" \
		"$(sed 's/.*/^&$/' names | sed -n 1,700p | paste -sd'|')" \
		'(\bf[0-9]+\b\W*){1,10}' '^(([a-z]+_)*[a-z]+[0-9]*|[A-Z]+)+$' \
		'(([^<>]|<([^<>]|<[^<>]*>)*>)*)7' '^( *[a-z]*[0-9]? *)*$' '((^|,) *(a|f)* *)+' \
		"f$(repeated 12 '(70)?(0?)*')\$" 'f[0-9]{3,1000}|x{1000}' "$(repeated 4 '\\b')f"; do
		[ "$(prof-grep -c -e "$some" a.cg)" = 1 ]
		[ "$(prof-grep -c -x -e "$some" -e f700 a.cg)" = 1 ]
		[ "$(prof-grep -c -i -w -e "$some" -e f700 a.cg)" = 1 ]
	done
	[ "$(prof-grep -c -f names a.cg)" = 1 ]
	[ "$(prof-grep -c -F -x -f names a.cg)" = 1 ]
}

@test "lack of memory for a pattern names no size that was not requested" {
	seq -s'|' 2000 >p
	run -2 limited 30000 prof-grep -f p /dev/null
	# Sanitizers have no bound: it is the empty profile then.
	[[ $output = "prof-grep: out of memory" || $PROF_BIN = *build-san* ]]
}

@test "a file without the part that --where asks for is no trouble for one with it" {
	printf 'events: Ir\nthread: 1\nfn=main\n1 5\n' >a
	printf 'events: Ir\nthread: 2\nfn=main\n1 5\n' >b
	gives 0 'a:1\nb:0\n' prof-grep -c --where thread=1 -e main a b
	gives 0 'a:0\nb:1\n' prof-grep -c --where thread=2 -e main a b
	gives 1 'a:0\nb:0\n' prof-grep -c --where thread=3 -e main a b
}

@test "--where selects samples by their labels if a part has no such metadata" {
	cat >x.prof <<-'E'
	prof	1
	part	1
	meta	thread	7
	event	0	n	-	-	-
	func	0	main	-	-	-
	func	1	work	-	-	-
	ctx	0	-	0	-	-	-
	ctx	1	0	1	-	-	-
	total	run	9
	sample	0	1	comm=a	pid=1
	cost	0	-	-	-	3
	sample	1	2	comm=b	pid=1
	sample	1	3	pid=2	comm=a
	end
	E
	prof-cat --where comm=a x.prof | grep -E '^(sample|cost|total|meta)' >got
	diff - got <<-'E'
	meta	thread	7
	sample	0	1	comm=a	pid=1
	sample	1	3	pid=2	comm=a
	E
	# Both, and with a fact; any of several values.
	[ "$(prof-cat --where comm=a,pid=2,thread=7 x.prof | grep -c ^sample)" = 1 ]
	[ "$(prof-cat --where 'comm~[ab]' x.prof | grep -c ^sample)" = 3 ]
	run -1 prof-cat -o out --where comm=c x.prof
	[[ $output = *"--where keeps nothing: comm can be 'a', 'b'" ]]
	run -1 grep '^part' out
	run -1 prof-cat -o out --where thread=8,comm=a x.prof
	[[ $output = *"thread can be '7'; comm can be 'a', 'b'" ]]
}

@test "a pattern that is one whole name matches that name alone" {
	printf '%s\n' 'a.b 1' 'axb 2' 'a*b(int) const 4' 'a\b 8' 'ab 16' 'a.b.c 32' '$a 64' >names.folded
	kept() {
		prof-grep --from folded "$@" names.folded | prof-top --tsv -b total | awk -F '\t' 'NR > 1 { print $2 }'
	}
	[ "$(kept '^a\.b$')" = 1 ]
	[ "$(kept '^a.b$')" = 11 ]	# an expression: any character
	[ "$(kept '^a\*b\(int\) const$')" = 4 ]
	[ "$(kept '^a\\b$')" = 8 ]
	[ "$(kept '^ab$')" = 16 ]
	[ "$(kept '^\$a$')" = 64 ]
	[ "$(kept -i '^AB$')" = 16 ]
	[ "$(kept '^ab|c$')" = 48 ]
	[ "$(kept -v '^ab$')" = 111 ]
}

@test "--where sees the words of a fact behind one that is absent" {
	printf '%b\n' 'prof\t1' 'part\t1' 'meta\tk\t-\tx' 'event\t0\tns\t-\t-\t-' 'func\t0\tf\t-\t-\t-' \
		'cost\t0\t-\t-\t-\t5' end >f
	prof-cat --where k=x f | grep -c '^cost' | diff - <(echo 1)
	exits_with 1 "--where keeps nothing: k can be 'x'" prof-cat --where k=y f
}
