#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: filter prof-grep rules
# Rule files: what prof-rules(5) says, sentence by sentence.  What is expected is
# worked out by hand, or by awk and perl on what prof-to says without rules.

load helper.bash

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	wordcount=$repo/share/examples/wordcount.callgrind.zst
	export PROF_KEY=test XDG_CONFIG_HOME=$PWD/config HOME=$PWD
	bars >graph.prof <<-'END'
	prof|1
	part|1|positions=line
	meta|cmd|./app
	meta|thread|1
	event|0|Ir|-|-|-
	event|1|Dr|-|-|-
	object|0|/bin/app|-
	object|1|/lib/libc.so.6|-
	file|0|/src/main.c
	file|1|/src/util.c
	file|2|/usr/include/vec.h
	func|0|main|0|0|-
	func|1|parse|0|0|k1|sym=_Z5parse
	func|2|parse_word|1|0|-
	func|3|malloc|-|1|-
	func|4|sbrk|-|1|-
	cost|0|0|1|-|10|1
	cost|0|2|7|-|5
	cost|1|0|20|-|30|3
	cost|2|1|30|-|40|4
	cost|3|-|-|-|60|6
	cost|4|-|-|-|8
	call|0|0|2|-|1|20|-|2|138|13
	call|1|0|21|-|2|30|-|6|108|10
	call|2|1|31|-|3|-|-|6|68|6
	call|3|-|-|-|4|-|-|1|8
	jump|1|0|22|-|1|0|20|-|3|4
	jump|1|0|22|-|2|1|30|-|1|-
	total|run|153|14
	end
	END
}

# rules LINE...: the rule file r.yaml.
rules() {
	printf '%s\n' rules: "${@/#/  - }" >r.yaml
}

# stacks STACK...: what becomes of them.
stacks() {
	printf '%s\n' "$@" | prof-to folded --from folded --quiet --rules ./r.yaml | summed
}

# Those that have become the same are not summed by a filter.
summed() {
	awk '{ n = $NF; sub(/ [^ ]*$/, ""); sum[$0] += n }
		END { for (s in sum) print s, sum[s] }'
}

# is EXPECTED: standard input is that, whatever the order of its lines.
is() {
	diff -u <(printf '%s\n' "$1" | sort) <(sort)
}

# costs, calls [PROFILE]: its records with names: function, file of the line, line,
# costs; caller, callee, count, costs.
costs() {
	named cost "$@"
}

calls() {
	named call "$@"
}

named() {
	local kind=$1
	shift
	prof-cat --rules ./r.yaml "${@:-graph.prof}" 2>/dev/null | awk -F '\t' -v kind="$kind" '
	$1 == "part" { delete s }
	$1 == "file" { file[$2] = $3 }
	$1 == "func" { func_[$2] = $3 }
	$1 == kind {
		t = ($2 == "-" ? "-" : func_[$2])
		if (kind == "cost")
			t = t " " ($3 == "-" ? "-" : file[$3]) " " $4
		else
			t = t " " func_[$6]
		for (i = kind == "cost" ? 6 : 9; i <= NF; i++)
			t = t " " $i
		print t
	}'
}

# functions [PROFILE]: name (file, object) key attributes.
functions() {
	prof-cat --rules ./r.yaml "${@:-graph.prof}" 2>/dev/null | awk -F '\t' '
	$1 == "file" { file[$2] = $3 }
	$1 == "object" { object[$2] = $3 }
	$1 == "func" {
		printf "%s (%s, %s) %s", $3, ($4 == "-" ? "-" : file[$4]),
		    ($5 == "-" ? "-" : object[$5]), $6
		for (i = 7; i <= NF; i++) printf " %s", $i
		print ""
	}'
}

# wrong PLACE TEXT: r.yaml has a mistake there, and that is all that is said.
wrong() {
	local got=0
	prof-grep --check-rules ./r.yaml >out 2>err || got=$?
	printf 'prof-grep: ./r.yaml:%s: %s\n' "$1" "$2" >want
	[ "$got" -eq 2 ]
	diff -u want err
	[ ! -s out ]
}

# rules_wrong PLACE TEXT LINE...
bad() {
	local place=$1 text=$2
	shift 2
	printf '%s\n' "$@" >r.yaml
	wrong "$place" "$text"
}

# ---- order ----

@test "of fold, drop and keep the first that matches decides" {
	rules "drop: {function: '^b'}" "keep: {function: '^b1'}" "keep: {function: ''}"
	stacks 'a 1' 'a;b1 2' 'a;b2 4' | is 'a 1'
	rules "keep: {function: '^b1'}" "drop: {function: '^b'}" "keep: {function: ''}"
	stacks 'a 1' 'a;b1 2' 'a;b2 4' | is $'a 1\na;b1 2'
	rules "fold: {function: '^b'}" "drop: {function: '^b'}"
	stacks 'a 1' 'a;b1 2' 'a;b2 4' | is 'a 7'
	rules "drop: {function: '^b'}" "fold: {function: '^b'}"
	stacks 'a 1' 'a;b1 2' 'a;b2 4' | is 'a 1'
}

@test "rules that leave nothing report it" {
	echo 'rules: [ keep: { function: parsee } ]' >none.yaml
	echo 'rules: [ keep: { function: "^parse$" } ]' >one.yaml
	prof-top --tsv --rules ./none.yaml graph.prof 2>note | tail -n +2 >got
	[ ! -s got ]
	echo 'prof-top: --rules: no function of the profile is kept' | diff - note
	prof-top --tsv --rules ./one.yaml graph.prof 2>note | cut -f 1 | tail -n +2 >got
	[ "$(cat got)" = parse ]
	[ ! -s note ]
}

@test "rules see the names that rules before them have made" {
	rules "rename: {function: '^a$', to: b}" "rename: {function: '^b$', to: c}"
	stacks 'a 1' 'b 2' | is 'c 3'
	rules "rename: {function: '^b$', to: c}" "rename: {function: '^a$', to: b}"
	stacks 'a 1' 'b 2' | is $'b 1\nc 2'
	rules "rename: {function: '^a$', to: b}" "drop: {function: '^b$'}"
	stacks 'a 1' 'b 2' 'c 4' | is 'c 4'
	rules "group: {function: '^a', as: g}" "rename: {function: '^g$', to: h}"
	stacks 'x;a1;a2 1' | is 'x;h 1'
}

@test "names change after a decision, and what they were then is what counts" {
	rules "drop: {function: '^a$'}" "rename: {function: '^b$', to: a}"
	stacks 'a 1' 'b 2' 'c 4' | is $'a 2\nc 4'
	rules "keep: {function: '^a$'}" "rename: {function: '^a$', to: z}"
	stacks 'a 1' 'b 2' | is 'z 1'
}

# ---- conditions ----

@test "all conditions of a rule must hold, of a list of patterns any" {
	rules "drop: {function: '^parse', file: 'util'}"
	costs | is 'main /src/main.c 1 10 1
main /usr/include/vec.h 7 5
parse /src/main.c 20 30 3
malloc - - 60 6
sbrk - - 8'
	rules "drop: {function: [word, '^main$'], object: app}"
	costs | cut -d ' ' -f 1 | uniq | is $'parse\nmalloc\nsbrk'
}

@test "unless takes back what all of its conditions hold of" {
	rules "drop: {object: app, unless: {function: parse, file: util}}"
	costs | cut -d ' ' -f 1 | is $'parse_word\nmalloc\nsbrk'
	rules "drop: {object: app, unless: {function: [main, word]}}"
	costs | cut -d ' ' -f 1 | uniq | is $'main\nparse_word\nmalloc\nsbrk'
}

@test "unless may be all: what is not named" {
	rules "drop: {unless: {function: '^main$'}}"
	costs | cut -d ' ' -f 1 | uniq | is main
}

@test "a name that is unknown matches nothing, an empty pattern all that are known" {
	rules "drop: {file: ''}"
	costs | cut -d ' ' -f 1 | is $'malloc\nsbrk'
	printf 'prof\t1\npart\t1\nevent\t0\tIr\t-\t-\t-\ncost\t-\t-\t1\t-\t5\nend\n' >nameless
	rules "drop: {function: ''}"
	costs nameless | is '- - 1 5'
	rules "keep: {function: ''}"
	[ -z "$(costs nameless)" ]
	rules "drop: {unless: {function: ''}}"
	[ -z "$(costs nameless)" ]
}

@test "the file is that of the function, not that of an inlined line" {
	rules "drop: {file: 'vec.h'}"
	costs | grep -c . | is 6
	rules "drop: {file: '^/src/main\\.c$'}"
	costs | cut -d ' ' -f 1 | is $'parse_word\nmalloc\nsbrk'
}

@test "a pattern matches anywhere, unless it is anchored; cases are different" {
	rules "drop: {function: arse}"
	stacks 'parse 1' 'PARSE 2' 'Xarse2 4' 'x 8' | is $'PARSE 2\nx 8'
	rules "drop: {function: '^parse$'}"
	stacks 'parse 1' 'parses 2' 'xparse 4' | is $'parses 2\nxparse 4'
	rules "drop: {function: '^parse$', ignore-case: true}"
	stacks 'parse 1' 'PARSE 2' 'parses 4' | is 'parses 4'
	rules "drop: {function: '^p', unless: {function: E}, ignore-case: true}"
	stacks 'pa 1' 'Pe 2' 'q 4' | is $'Pe 2\nq 4'
	rules "rename: {function: 'A', to: x, ignore-case: true, all: true}"
	stacks 'aAb 1' | is 'xxb 1'
	rules "drop: {function: A, ignore-case: false}"
	stacks 'a 1' 'A 2' | is 'a 1'
}

@test "names are bytes to a pattern" {
	rules "rename: {function: '^.\$', to: one}" "rename: {function: '^..\$', to: two}"
	printf 'x 1\n\303\251 2\n\377 4\n' |
		prof-to folded --from folded --quiet --rules ./r.yaml | summed | is $'one 5\ntwo 2'
}

# Two runs, three parts.
parts() {
	bars <<-'END'
	prof|1
	part|1
	meta|cmd|./x
	meta|pid|10
	meta|thread|1
	meta|part|1
	meta|source|one.out
	event|0|Ir|-|-|-
	func|0|main|-|-|-
	func|1|f|-|-|-
	func|2|never|-|-|-
	cost|0|-|1|-|1
	cost|1|-|2|-|2
	part|1
	meta|cmd|./x
	meta|pid|10
	event|0|Ir|-|-|-
	meta|thread|2
	meta|part|2
	meta|source|two.out
	cost|0|-|1|-|4
	cost|1|-|2|-|8
	part|2
	event|0|Ir|-|-|-
	cost|0|-|1|-|16
	cost|1|-|2|-|32
	end
	END
}

@test "the metadata is that of the part, each time" {
	parts >parts.prof
	local i all='main - 1 1
f - 2 2
main - 1 4
f - 2 8
main - 1 16
f - 2 32'
	for i in "thread: '^2\$'" "part: 2" "source: two" "pid: ['10'], part: '2'" \
		"cmd: x, thread: '2'"; do
		rules "drop: {function: f, $i}"
		costs parts.prof | is "$(grep -v ' 8$' <<<"$all")"
	done
	rules "drop: {pid: '10', function: ''}"
	costs parts.prof | is "$(tail -2 <<<"$all")"
	rules "drop: {function: f, unless: {cmd: ''}}"	# a part without the fact
	costs parts.prof | is "$(grep -v ' 32$' <<<"$all")"
	rules "rename: {function: f, thread: '1', to: g}" "rename: {function: f, thread: '2', to: h}"
	costs parts.prof | is "$(sed 's/^f \(.*\) 2$/g \1 2/; s/^f \(.*\) 8$/h \1 8/' <<<"$all")"
}

@test "folding is also decided in each part" {
	bars >t.prof <<-'END'
	prof|1
	func|0|main|-|-|-
	func|1|f|-|-|-
	part|1
	func|2|g|-|-|-
	meta|thread|1
	event|0|Ir|-|-|-
	cost|0|-|1|-|1
	cost|1|-|1|-|10
	call|0|-|2|-|1|-|-|1|10
	part|1
	meta|thread|2
	event|0|Ir|-|-|-
	cost|0|-|1|-|1
	cost|1|-|1|-|10
	call|0|-|2|-|1|-|-|1|10
	part|1
	meta|thread|3
	event|0|Ir|-|-|-
	cost|0|-|1|-|1
	cost|1|-|1|-|10
	call|0|-|2|-|1|-|-|1|10
	end
	END
	rules "fold: {function: f, thread: '2'}"
	costs t.prof | is 'main - 1 1
f - 1 10
main - 1 1
main - 2 10
main - 1 1
f - 1 10'
	calls t.prof | is $'main f 1 10\nmain f 1 10'
}

@test "folding is not decided before the metadata is known" {
	bars >early.prof <<-'END'
	prof|1
	part|1
	func|0|main|-|-|-
	func|1|f|-|-|-
	event|0|Ir|-|-|-
	meta|thread|2
	cost|0|-|1|-|1
	cost|1|-|1|-|10
	call|0|-|2|-|1|-|-|1|10
	end
	END
	rules "fold: {function: f, thread: '2'}"
	costs early.prof | is $'main - 1 1\nmain - 2 10'
}

@test "metadata after a part's first record comes too late" {
	bars >late.prof <<-'END'
	prof|1
	part|1
	event|0|Ir|-|-|-
	func|0|f|-|-|-
	func|1|g|-|-|-
	cost|0|-|1|-|1
	meta|thread|1
	cost|1|-|1|-|2
	end
	END
	rules "drop: {function: '', thread: '1'}"
	costs late.prof | is $'f - 1 1\ng - 1 2'
}

@test "a definition reveals no name that a part's rule hides" {
	parts >parts.prof
	sed -i '1a func\t9\tsecret\t-\t-\t-' parts.prof
	sed -i 's/^func\t9/func\t0/; s/^func\t2/func\t3/; s/^func\t1/func\t2/
		s/^func\t0\tmain/func\t1\tmain/; s/^cost\t1/cost\t2/; s/^cost\t0/cost\t0/' parts.prof
	rules "hide: {function: '', pid: '10'}" "hide: {function: '', unless: {pid: ''}}"
	silent prof-cat --rules ./r.yaml parts.prof >out
	lacks out 'secret|main|never'
	grep -q 'function-' out
}

# ---- rename ----

@test "a rename replaces what its pattern finds, with what its groups found" {
	rules "rename: {function: '(.)(.)(.)(.)(.)(.)(.)(.)(.)', to: '<\\9\\8\\7\\6\\5\\4\\3\\2\\1|\\0>'}"
	stacks 'abcdefghijk 1' | is '<ihgfedcba|abcdefghi>jk 1'
	rules "rename: {function: 'b+', to: '[\\0]'}"
	stacks 'abbcb 1' | is 'a[bb]cb 1'
	rules "rename: {function: 'b+', to: '[\\0]', all: true}"
	stacks 'abbcb 1' | is 'a[bb]c[b] 1'
	rules "rename: {function: 'b+', to: '[\\0]', all: false}"
	stacks 'abbcb 1' | is 'a[bb]cb 1'
	# a backslash; a group that took no part, or is not there; others; one at the end
	rules "rename: {function: '(x)?b', to: '\\\\\\1\\7\\.\\'}"
	stacks 'ab 1' | is 'a\.\ 1'
}

@test "each time it is found is as in sed" {
	local i
	for i in 'x*|abxc' 'x*|xx' '^a|aaa' '$|abc' '\<a|aaa ab' 'b*|abbb' '(a|ab)(c|bcd)?|abcdab' \
		'a$|aaa' '[0-9]*|a12b3' "\\B|ab"; do
		rules "rename: {function: '${i%|*}', to: '-', all: true}"
		stacks "${i##*|} 1" | is "$(sed -E "s!${i%|*}!-!g" <<<"${i##*|}") 1"
	done
}

@test "of a list of patterns the first that finds something counts" {
	rules "rename: {function: ['z', 'b.', 'a'], to: '-'}"
	stacks 'abc 1' 'azb 2' 'a 4' | is $'a- 1\na-b 2\n- 4'
}

@test "a name of which nothing would be left stays" {
	rules "rename: {function: '^_+', to: ''}"
	stacks '__ 1' '_a 2' | is $'__ 1\na 2'
	rules "rename: {function: ['^ab\$', a], to: ''}"	# the first has found something
	stacks 'ab 1' 'ac 2' | is $'ab 1\nc 2'
}

@test "the name that changes is the function's, otherwise the file's, otherwise the object's" {
	rules "rename: {object: app, file: main, function: parse, to: X}"
	functions | is 'main (/src/main.c, /bin/app) -
X (/src/main.c, /bin/app) -
parse_word (/src/util.c, /bin/app) -
malloc (-, /lib/libc.so.6) -
sbrk (-, /lib/libc.so.6) -'
	rules "rename: {object: app, file: main, to: X}"
	functions | grep -c '(/src/X.c, /bin/app)' | is 2
	rules "rename: {object: '/bin/', to: '/opt/'}"
	functions | grep -c '(.*, /opt/app)' | is 3
}

@test "a name that changes loses its key and its attributes, another one keeps them" {
	rules "rename: {function: nothing, to: x}"
	functions | grep '^parse ' | is 'parse (/src/main.c, /bin/app) k1 sym=_Z5parse'
	rules "rename: {function: '^parse$', to: x}"
	functions | grep '^x ' | is 'x (/src/main.c, /bin/app) -'
	rules "rename: {file: main, to: x}"
	functions | grep '^parse ' | is 'parse (/src/x.c, /bin/app) k1 sym=_Z5parse'
	sed 's/^object\t0.*/object\t0\t\/bin\/app\tid\ta=b/' graph.prof >keyed
	rules "rename: {object: libc, to: x}"
	prof-cat --rules ./r.yaml keyed | grep -P '^object\t' | cut -f 3- |
		is $'/bin/app\tid\ta=b\n/lib/x.so.6\t-'
	rules "rename: {object: app, to: x}"
	prof-cat --rules ./r.yaml keyed | grep -P '^object\t' | cut -f 3- |
		is $'/bin/x\t-\n/lib/libc.so.6\t-'
}

@test "files of lines are renamed and hidden as if they were their function's" {
	rules "rename: {file: '^/usr/include', to: INC}"
	costs | grep '^main' | is $'main /src/main.c 1 10 1\nmain INC/vec.h 7 5'
	rules "rename: {file: '^/usr/include', function: parse, to: INC}"
	costs | grep '^main' | is $'main /src/main.c 1 10 1\nmain /usr/include/vec.h 7 5'
	rules "hide: {file: vec}"
	costs | grep -c 'main file-[0-9a-f]\{16\} 7 5$' | is 1
	functions | grep -c '^main (/src/main.c,' | is 1
}

@test "names that become the same are one function" {
	rules "rename: {function: '^(parse).*', to: '\\1'}" "rename: {file: '.*', to: f}"
	costs | grep '^parse' | is $'parse f 20 30 3\nparse f 30 40 4'
	prof-merge --rules ./r.yaml graph.prof | grep -c -P '^func\t.*\tparse\t' | is 2	# a key is told apart
	rules "rename: {function: '^parse.*', to: p}" "rename: {file: '.*', to: f}"
	prof-merge --rules ./r.yaml graph.prof | grep -c -P '^func\t.*\tp\t' | is 1
}

@test "renames that have names take off clones, hashes and recursion, again" {
	rules 'rename: clones, rust, recursion'
	stacks "f.constprop.0.isra.1 1" "g::h0123456789abcdef.cold 2" "r'2 4" \
		"s.part.3.cold'12 8" 'f.other 16' | is "f 1
g 2
r 4
s 8
f.other 16"
	# Of a row of them those of one kind, and the others stay.
	rules 'rename: clones'
	stacks "f.isra.0'2 1" "g.cold'3.part.1'4 2" 'h::h0123456789abcdef.llvm.12 4' \
		"i(int) [clone .isra.0] [clone .part.1]'2 8" 'j() (.llvm.5.cold) 16' 'k() (.resolver) 32' \
		'l [clone ._omp_fn.0] 64' 'operator () 128' '.cold 256' '[clone .x] 512' 'coldpart.1 1024' \
		'm.12 2048' "n'2.isra 4096" | sort | is "$(printf '%s\n' "f'2 1" "g'3'4 2" \
		'h::h0123456789abcdef 4' "i(int)'2 8" 'j() 16' 'k() (.resolver) 32' 'l 64' \
		'operator () 128' '.cold 256' '[clone .x] 512' 'coldpart.1 1024' 'm.12 2048' "n'2 4096" |
		sort)"
	rules 'rename: rust'
	stacks "h::h0123456789abcdef.llvm.12'2 1" 'g::h0123456789abcdef 2' 'g::h0123456789abcdeg 4' \
		'g::hh0123456789abcdef 8' '::h0123456789abcdef 16' | sort | is "$(printf '%s\n' \
		"h.llvm.12'2 1" 'g 2' 'g::h0123456789abcdeg 4' 'g::hh0123456789abcdef 8' \
		'::h0123456789abcdef 16' | sort)"
	rules 'rename: recursion'
	stacks "f'2.cold 1" "f''3 2" "f' 4" "f'x 8" "'2 16" "f'2'3 32" | sort | is "$(printf '%s\n' 'f.cold 1' \
		"f' 6" "f'x 8" "'2 16" 'f 32' | sort)"
	rules 'rename: recursion'
	stacks "f.cold'2 1" | is 'f.cold 1'
	printf '%s\n' "f.constprop.0'2 3" 'g::h0123456789abcdef 4' >s
	rules 'rename: clones, rust, recursion'
	prof-diff --from folded --match clones,rust,recursion s s | grep -P '^func' | cut -f 3 |
		is "$(stacks "$(cat s)" | sed 's/ .*//')"
}

# ---- group ----

@test "a group is a function of no file and no object, its lines stay" {
	rules "group: {object: app, as: '[app]'}"
	functions | is '[app] (-, -) -
malloc (-, /lib/libc.so.6) -
sbrk (-, /lib/libc.so.6) -'
	costs | is '[app] /src/main.c 1 10 1
[app] /usr/include/vec.h 7 5
[app] /src/main.c 20 30 3
[app] /src/util.c 30 40 4
malloc - - 60 6
sbrk - - 8'
}

@test "a group of the function's own name is another function; files of lines stay" {
	rules "group: {function: '^parse\$', as: parse}" "rename: {file: nothing, to: x}"
	functions | grep '^parse ' | is 'parse (-, -) -'
	costs | grep '^parse ' | is 'parse /src/main.c 20 30 3'
}

@test "calls within a group are omitted, into and out of it stay; jumps stay" {
	rules "group: {object: app, as: '[app]'}"
	calls | is $'[app] malloc 6 68 6\nmalloc sbrk 1 8'
	prof-cat --rules ./r.yaml graph.prof | grep -c '^jump' | is 2
	rules "group: {function: '^parse', as: p}"
	calls | is $'main p 2 138 13\np malloc 6 68 6\nmalloc sbrk 1 8'
	# two groups of one name
	rules "group: {function: '^main', as: p}" "group: {function: '^parse$', as: p}"
	calls | is $'p parse_word 6 108 10\nparse_word malloc 6 68 6\nmalloc sbrk 1 8'
	# two groups
	rules "group: {function: '^main', as: p}" "group: {function: '^parse$', as: q}"
	calls | is $'p q 2 138 13\nq parse_word 6 108 10\nparse_word malloc 6 68 6\nmalloc sbrk 1 8'
}

@test "frames of one group that follow each other are one" {
	rules "group: {function: '^g', as: G}"
	stacks 'a;g1;g2;b;g3;g1 1' 'g1;g2 2' 'a;g1;h 4' | is 'a;G;b;G 1
G 2
a;G;h 4'
	rules "group: {function: '^g', as: G}" "drop: {function: b}"
	stacks 'a;g1;b;g2 1' | is 'a;G 1'
	rules "group: {function: '^g', as: G}" "fold: {function: b}"
	stacks 'a;g1;b;g2;b 1' | is 'a;G 1'
	rules "group: {function: '^g', as: G}" "group: {function: '^h', as: H}"
	stacks 'g1;g2;h1;h2;g3 1' | is 'G;H;G 1'
}

@test "a group's name may have what the pattern found in the name" {
	rules "group: {object: '/([^/.]+)[^/]*\$', as: '[\\1]'}"
	functions | is $'[app] (-, -) -\n[libc] (-, -) -'
	rules "group: {object: '(app)', function: '^(...)', as: '\\1:\\0:\\2'}"
	functions | cut -d ' ' -f 1 | is $'mai:mai:\npar:par:\nmalloc\nsbrk'
	rules "group: {function: [zzz, 'a(.)'], as: 'G\\1'}"
	stacks 'ab 1' 'ac 2' 'xab 4' | is $'Gb 5\nGc 2'
}

@test "a group of which no name would be left keeps the function's" {
	rules "group: {function: 'f(o*)', as: '\\1'}"
	stacks 'f 1' 'foo 2' | is $'f 1\noo 2'
}

# ---- hide ----

# Pseudonyms, from what SipHash is: names on standard input, after their kind.
pseudonyms() {
	cat >siphash.pl <<-'END'
	use strict; use warnings;
	my @v;
	sub add { use integer; my $s = $_[0] + $_[1]; no integer; return $s & ~0 }
	sub rotl { return (($_[0] << $_[1]) | ($_[0] >> (64 - $_[1]))) & ~0 }
	sub sipround {
		$v[0] = add($v[0], $v[1]); $v[2] = add($v[2], $v[3]);
		$v[1] = rotl($v[1], 13); $v[3] = rotl($v[3], 16);
		$v[1] ^= $v[0]; $v[3] ^= $v[2]; $v[0] = rotl($v[0], 32);
		$v[2] = add($v[2], $v[1]); $v[0] = add($v[0], $v[3]);
		$v[1] = rotl($v[1], 17); $v[3] = rotl($v[3], 21);
		$v[1] ^= $v[2]; $v[3] ^= $v[0]; $v[2] = rotl($v[2], 32);
	}
	sub siphash {
		my ($k0, $k1, $m) = @_;
		@v = map { ($_->[0] & ~0) ^ hex($_->[1]) << 32 ^ hex($_->[2]) }
		    [$k0, "736f6d65", "70736575"], [$k1, "646f7261", "6e646f6d"],
		    [$k0, "6c796765", "6e657261"], [$k1, "74656462", "79746573"];
		my $n = length $m;
		$m .= "\0" x (7 - $n % 8) . chr($n & 255);
		for my $w (unpack "Q<*", $m) {
			$v[3] ^= $w; sipround() for 1, 2; $v[0] ^= $w;
		}
		$v[2] ^= 255;
		sipround() for 1 .. 4;
		return $v[0] ^ $v[1] ^ $v[2] ^ $v[3];
	}
	# The vector of the paper: the key 00 01 .. 0f, the message 00 01 .. 0e.
	my @k = unpack "Q<2", join "", map chr, 0 .. 15;
	sprintf("%016x", siphash(@k, join "", map chr, 0 .. 14)) eq "a129ca6149be45e5"
	    or die "siphash.pl is wrong\n";
	my @key = map { siphash($_, 0, $ENV{PROF_KEY}) } 0, 1;
	while (<STDIN>) {
		chomp;
		my ($kind, $name) = split / /, $_, 2;
		printf "%s-%016x\n", $kind, siphash(@key, $name);
	}
	END
	perl siphash.pl
}

@test "a pseudonym is SipHash-2-4 of the name under a key made of PROF_KEY" {
	local name long
	long=$(printf '%0300d' 7)
	rules "hide: {function: ''}"
	for name in a main 'std::vector<int>::push_back(int&&)' 12345678 "$long"; do
		stacks "$name 1" | is "$(echo "function $name" | pseudonyms) 1"
	done
	export PROF_KEY='another, and a long one, of more than eight bytes'
	stacks 'main 1' | is "$(echo 'function main' | pseudonyms) 1"
	rules "hide: {function: '', names: [function, file, object]}"
	functions | is "$(printf '%s\n' main:/src/main.c:/bin/app parse:/src/main.c:/bin/app:k1 \
		parse_word:/src/util.c:/bin/app malloc::/lib/libc.so.6 sbrk::/lib/libc.so.6 |
		while IFS=: read -r f p o k; do
			f=$(echo "function $f" | pseudonyms)
			[ -z "$p" ] && p=- || p=$(echo "file $p" | pseudonyms)
			o=$(echo "object $o" | pseudonyms)
			[ -z "$k" ] && k=- || k=$(echo "function $k" | pseudonyms)
			echo "$f ($p, $o) $k"
		done)"
}

@test "with the same key the same name is the same everywhere, with another another" {
	rules "hide: {function: ''}"
	stacks 'a;b;a 1' >one
	stacks 'b;c;a 1' >two
	[ "$(tr ' ;' '\n' <one | sed -n 1p)" = "$(tr ' ;' '\n' <one | sed -n 3p)" ]
	[ "$(tr ' ;' '\n' <one | sed -n 2p)" = "$(tr ' ;' '\n' <two | sed -n 1p)" ]
	[ "$(tr ' ;' '\n' <one | sed -n 1p)" = "$(tr ' ;' '\n' <two | sed -n 3p)" ]
	PROF_KEY=other stacks 'a;b;a 1' >three
	run -0 comm -12 <(tr ' ;' '\n' <one | sort -u) <(tr ' ;' '\n' <three | sort -u)
	[ "$output" = 1 ]
}

@test "names are those of the list, or those that there are conditions on" {
	rules "hide: {object: libc}"
	functions | grep -c '^\(malloc\|sbrk\) (-, object-' | is 2
	functions | grep -c '/bin/app' | is 3
	rules "hide: {object: libc, names: [function]}"
	functions | grep -c '^function-.*(-, /lib/libc' | is 2
	rules "hide: {object: app, function: parse, names: file}"
	functions | grep -c '^parse.* (file-[0-9a-f]*, /bin/app)' | is 2
	rules "hide: {object: app, file: main}"
	functions | grep -c '(file-[0-9a-f]*, object-[0-9a-f]*)' | is 2
	functions | grep -c '^parse (file' | is 1
}

@test "a pseudonym is a name: hidden again it becomes another" {
	rules "hide: {function: ''}" "hide: {function: '^function-'}"
	name=$(echo 'function main' | pseudonyms)
	stacks 'main 1' | is "$(echo "function $name" | pseudonyms) 1"
}

@test "without PROF_KEY a random key is made, one for all, and noted once" {
	unset PROF_KEY
	rules "hide: {function: ''}"
	for key in unset empty; do
		[ $key = unset ] || export PROF_KEY=
		prof-cat --rules ./r.yaml graph.prof >one 2>err
		echo 'prof-cat: PROF_KEY is not set: names get different pseudonyms each time' | diff - err
		prof-cat --rules ./r.yaml graph.prof >two 2>err
		run -1 cmp -s one two
		silent prof-cat --quiet --rules ./r.yaml graph.prof >one
	done
	# both sides of a difference
	prof-diff --rules ./r.yaml graph.prof graph.prof >out 2>err
	[ "$(grep -c PROF_KEY err)" -eq 1 ]
	awk -F '\t' '$1 == "cost" && ($6 != 0 || $7 != $8) { bad = 1 }
		$1 == "cost" { n++ } END { exit bad || n != 5 }' out
	# processes that share the work
	prof-merge -j 3 --rules ./r.yaml graph.prof graph.prof graph.prof >out 2>err
	[ "$(grep -c PROF_KEY err)" -eq 1 ]
	[ "$(grep -c '^func' out)" -eq 5 ]
	# several files of rules
	cp r.yaml s.yaml
	prof-cat --rules ./s.yaml --rules ./r.yaml graph.prof 2>&1 >/dev/null | wc -l | is 1
}

# ---- drop, keep ----

@test "drop leaves out costs, calls and jumps at either end" {
	rules "drop: {function: '^parse$'}"
	costs | is 'main /src/main.c 1 10 1
main /usr/include/vec.h 7 5
parse_word /src/util.c 30 40 4
malloc - - 60 6
sbrk - - 8'
	calls | is $'parse_word malloc 6 68 6\nmalloc sbrk 1 8'
	prof-cat --rules ./r.yaml graph.prof >out
	lacks out '^jump'
	lacks out 'parse\t'
	rules "drop: {function: '^parse_word$'}"
	calls | is $'main parse 2 138 13\nmalloc sbrk 1 8'
	prof-cat --rules ./r.yaml graph.prof | grep '^jump' | cut -f 10- | is $'3\t4'
}

@test "a frame that is dropped is taken out, a sample whose innermost frame is" {
	rules "drop: {function: '^d'}"
	stacks 'a;d;b 1' 'a;b;d 2' 'd 4' 'd;a 8' 'a;d;d2;b 16' | is $'a;b 17\na 8'
}

@test "percentages stay those of the program, in each part" {
	rules "drop: {function: '^parse'}"
	prof-cat --rules ./r.yaml graph.prof | grep -P '^total' | is $'total\trun\t153\t14'
	grep -v '^total' graph.prof >untold.prof
	prof-cat --rules ./r.yaml untold.prof | grep -P '^total' | is $'total\trun\t153\t14'
	sed 's/^total.*/total\tsum\t999\t99/' graph.prof >sum.prof
	prof-cat --rules ./r.yaml sum.prof | grep -P '^total' | is $'total\trun\t999\t99'
	prof-top --rules ./r.yaml untold.prof | awk '$NF ~ /libc/ { print $1, $2, $7 }' |
		is $'60 39.22 malloc\n8 5.23 sbrk'
	parts >parts.prof
	rules "drop: {function: '^f$', pid: '10'}"
	prof-cat --rules ./r.yaml parts.prof | grep -P '^total' | cut -f 3 | is $'3\n12\n48'
	rules "rename: {function: x, to: y}"	# nothing is dropped, nothing is told
	prof-cat --rules ./r.yaml untold.prof >out
	lacks out '^total'
}

@test "keep keeps whatever later rules say, and what nothing matches is dropped" {
	rules "keep: {function: '^a$'}" "drop: {function: ''}"
	stacks 'a 1' 'b 2' 'a;b 4' 'b;a 8' | is $'a 9'
	rules "keep: {function: '^a$'}" "fold: {function: '^f$'}"
	stacks 'a 1' 'a;f 2' 'a;b 4' 'b;f 8' 'a;b;f 16' | is 'a 3'
	rules "rename: {function: x, to: y}" "keep: {function: '^parse$'}"
	costs | is 'parse /src/main.c 20 30 3'
	[ -z "$(calls)" ]
	prof-cat --rules ./r.yaml graph.prof | grep '^jump' | cut -f 10- | is $'3\t4'
}

# ---- fold ----

@test "in stacks a folded frame's cost is its caller's, the outermost stays" {
	rules "fold: {function: '^f'}"
	stacks 'a;f 1' 'a;f;b 2' 'a;f1;f2 4' 'a;f;b;f 8' | is $'a 5\na;b 10'
	stacks 'f 1' 'f1;f2 2' 'f;b 4' 'f1;f2;b;f3 8' | is $'f 1\nf1 2\nf;b 4\nf1;b 8'
}

@test "if the caller is dropped, so is what was folded into it" {
	rules "fold: {function: '^f'}" "drop: {function: '^d'}"
	stacks 'a;d;f 1' 'a;d;f1;f2 2' 'd;f 4' 'a;d;f;b 8' 'a;f;d 16' 'a;f 32' | is $'a;b 8\na 32'
	# in a graph, too
	rules "fold: {function: '^parse_word$'}" "drop: {function: '^parse$'}"
	costs | is 'main /src/main.c 1 10 1
main /usr/include/vec.h 7 5
malloc - - 60 6
sbrk - - 8'
	prof-cat --rules ./r.yaml graph.prof | grep -P '^total' | is $'total\trun\t153\t14'
}

@test "in a graph self cost goes to the places of calls, and calls are from there" {
	rules "fold: {function: '^parse_word$'}"
	silent prof-cat --rules ./r.yaml graph.prof >out
	lacks out 'estimate'
	costs | is 'main /src/main.c 1 10 1
main /usr/include/vec.h 7 5
parse /src/main.c 20 30 3
parse /src/main.c 21 40 4
malloc - - 60 6
sbrk - - 8'
	calls | is $'main parse 2 138 13\nparse malloc 6 68 6\nmalloc sbrk 1 8'
	lacks out 'parse_word'
	rules "fold: {object: libc}"
	costs | is 'main /src/main.c 1 10 1
main /usr/include/vec.h 7 5
parse /src/main.c 20 30 3
parse_word /src/util.c 30 40 4
parse_word /src/util.c 31 68 6'
	calls | is $'main parse 2 138 13\nparse parse_word 6 108 10'
}

@test "a folded function's jumps are omitted" {
	rules "fold: {function: '^parse_word$'}"
	prof-cat --rules ./r.yaml graph.prof | grep '^jump' | cut -f 10- | is $'3\t4'
	rules "fold: {function: '^parse$'}"
	prof-cat --rules ./r.yaml graph.prof >out
	lacks out '^jump'
}

shared() {
	bars <<-'END'
	prof|1
	part|1
	event|0|Ir|-|-|-
	func|0|main|-|-|-
	func|1|a|-|-|-
	func|2|b|-|-|-
	func|3|f|-|-|-
	func|4|g|-|-|-
	cost|1|-|1|-|1
	cost|2|-|1|-|2
	cost|3|-|1|-|100
	cost|4|-|1|-|10
	call|0|-|1|-|1|-|-|1|34
	call|0|-|2|-|2|-|-|1|79
	call|1|-|5|-|3|-|-|4|33
	call|2|-|6|-|3|-|-|7|77
	call|3|-|7|-|4|-|-|2|10
	end
	END
}

@test "shared functions without a cost are not counted among those distributed" {
	local i
	for i in 2 3 4; do
		# One of the functions 2 to 4 has a cost.
		{
			printf '%s\n' 'prof|1' 'part|1' 'event|0|Ir|-|-|-' 'func|0|a|-|-|-' 'func|1|b|-|-|-' \
				'func|2|f2|-|-|-' 'func|3|f3|-|-|-' 'func|4|f4|-|-|-' "cost|$i|-|1|-|100"
			for f in 2 3 4; do
				printf "call|%d|-|1|-|$f|-|-|1|$((f == i ? 50 : 0))\n" 0 1
			done
			echo end
		} | bars >f
		prof-cat --rules <(echo "rules: [fold: {function: '^f'}]") f 2>err | grep -c '^cost' | is 2
		grep -q 'the cost of 1 folded function was distributed' err
	done
}

@test "shared functions are distributed by inclusive cost, and reported as estimated" {
	shared >shared.prof
	rules "fold: {function: '^f$'}"
	# of 100: 33 of 110, 77 of 110; of the calls of g, 2 by 4 and 7; of its 10, 3 and 7
	costs shared.prof | is $'a - 1 1\nb - 1 2\na - 5 30\nb - 6 70\ng - 1 10'
	calls shared.prof | is $'main a 1 34\nmain b 1 79\na g 1 3\nb g 1 7'
	prof-cat --rules ./r.yaml shared.prof 2>err | grep -c -P '^meta\testimate\t' | is 1
	grep -q 'folded function was distributed among several callers' err
	silent prof-cat --quiet --rules ./r.yaml shared.prof >/dev/null
}

@test "shares are whole and add up to the last unit" {
	awk 'BEGIN { OFS = "\t"
		print "prof", 1; print "part", 1; print "event", 0, "Ir", "-", "-", "-"
		print "func", 0, "f", "-", "-", "-"
		print "cost", 0, "-", 1, "-", 1000003
		for (i = 1; i <= 97; i++) {
			print "func", i, "c" i, "-", "-", "-"
			print "call", i, "-", i, "-", 0, "-", "-", i, i * i
		}
		print "end" }' >many.prof
	rules "fold: {function: '^f$'}"
	costs many.prof | awk '{ sum += $4; i = substr($1, 2); total = 97 * 98 * 195 / 6
		off = $4 - 1000003 * i * i / total
		if (off > 1 || off < -1 || $4 != int($4)) exit 1 }
		END { print sum }' | is 1000003
}

@test "a name may have any number of levels and of clones" {
	shape prof:name-mixed 50000 >x.prof
	printf %s "rules: [rename: 'clones, recursion']" >r.yaml
	brief 3 prof-top --tsv --rules ./r.yaml x.prof | cut -f 1 >got
	printf "%s\n" function f g | same - got
	shape prof:name-levels 50000 >x.prof
	brief 3 prof-top --tsv --rules recursion x.prof | cut -f 1 | same got -
}

@test "1000 events that no profile has are a mistake at once" {
	shape rules:events 1000 >r.yaml
	exits_with 2 "r.yaml: events: no event 'e0'; events: Ir" \
		brief 3 prof-cat --rules ./r.yaml "$wordcount"
}

@test "rules, their patterns, events, and the names that they make are bounded" {
	shape prof:functions 20000 >many.prof
	shape rules:rename 500 >r.yaml
	brief 20 prof-cat --rules ./r.yaml many.prof >got
	cmp got <(prof-cat many.prof | sed '2a\meta	filter	--rules r')
	shape rules:rename 501 >r.yaml
	exits_with 2 'r.yaml:502:5: more than 500 rules in a file' prof-cat --rules ./r.yaml graph.prof
	shape rules:patterns 1000 >r.yaml
	prof-cat --rules ./r.yaml graph.prof >got
	shape rules:patterns 1001 >r.yaml
	exits_with 2 'r.yaml:4:7: more than 1000 patterns in a file' \
		prof-cat --rules ./r.yaml graph.prof
	shape rules:events-sums 1000 >r.yaml
	brief 20 prof-cat --rules ./r.yaml many.prof | awk -F '\t' '/^event/ { n++ } /^cost/ { s += $NF } END { print n, s }' >got
	# The last of the columns, of "Ir + 999 Ir", for each function.
	echo 1000 $((20000 * 1000)) | same - got
	shape rules:events-sums 1001 >r.yaml
	exits_with 2 'r.yaml:1002:5: more than 1000 events in a file' prof-cat --rules ./r.yaml graph.prof
	perl -e 'print "events: ", join(",", map { "Ir+${_}Ir" } 1 .. 1001), "\n"' >r.yaml
	exits_with 2 'r.yaml:1:9: more than 1000 events in a file' prof-cat --rules ./r.yaml graph.prof
	for name in rules:name rules:rename-groups; do
		shape $name 4097 >r.yaml
		exits_with 2 ' has more than 4096 bytes' prof-cat --rules ./r.yaml graph.prof
	done
	# Doubled again and again: 2 to the 500th.
	shape rules:rename-grow 500 >r.yaml
	exits_with 2 'r.yaml: a name would have more than 65536 bytes' \
		brief 10 limited 131072 prof-cat --rules ./r.yaml graph.prof
	lacks out '^end'
	shape prof:name-long 70000 >long.prof
	echo "rules: [rename: {function: aaa, to: b, all: true}]" >r.yaml
	prof-top --tsv --rules ./r.yaml long.prof | awk -F '\t' 'NR == 2 { print length($1) }' >got
	echo $((1 + 70000 / 3 + 1)) | same - got
}

@test "recursion of what is folded vanishes in it, what no other function calls stays" {
	bars >rec.prof <<-'END'
	prof|1
	part|1
	event|0|Ir|-|-|-
	func|0|main|-|-|-
	func|1|f|-|-|-
	func|2|f2|-|-|-
	func|3|fstart|-|-|-
	cost|0|-|1|-|1
	cost|1|-|1|-|20
	cost|2|-|1|-|300
	cost|3|-|1|-|4000
	call|0|-|9|-|1|-|-|1|320
	call|1|-|2|-|1|-|-|5|100
	call|1|-|3|-|2|-|-|6|300
	call|2|-|4|-|1|-|-|7|50
	call|3|-|5|-|0|-|-|1|321
	end
	END
	rules "fold: {function: '^f'}"
	costs rec.prof | is $'main - 1 1\nmain - 9 320\nfstart - - 4000'
	calls rec.prof | is 'fstart main 1 321'
}

@test "points, values and raw lines of a folded function stay" {
	bars >points.prof <<-'END'
	prof|1
	part|1
	event|0|cost|-|-|-
	func|0|f|-|-|-
	func|1|g|-|-|-
	ctx|0|-|0|-|-|-
	ctx|1|0|1|-|-|-
	ctx|2|1|0|-|-|-
	point|0|0|5|1|1|1|1|1|1|1|1|1|1|-|-|-|-|-|-|-
	point|1|1|6|1|1|1|1|1|1|1|1|1|1|-|-|-|-|-|-|-
	point|0|2|7|1|1|1|1|1|1|1|1|1|1|-|-|-|-|-|-|-
	point|0|-|8|1|1|1|1|1|1|1|1|1|1|-|-|-|-|-|-|-
	vprof|0|1|INT|3|42
	raw|0|bb=1
	end
	END
	rules "fold: {function: '^f\$'}"
	# contexts: f stays outermost; g under it; the second f under g, as it was
	prof-cat --rules ./r.yaml points.prof >got
	awk -F '\t' '
		$1 == "func" { name[$2] = $3 }
		$1 == "ctx" { path[$2] = ($3 == "-" ? "" : path[$3] ";") name[$4] }
		$1 == "point" { print name[$2], ($3 == "-" ? "-" : path[$3]), $4 }
		$1 == "vprof" || $1 == "raw" { print $1, name[$2], $NF }' got |
		is $'f f 5\ng f;g 6\nf f;g;f 7\nf - 8\nvprof f 42\nraw f bb=1'
	rules "drop: {function: '^f\$'}"
	prof-cat --rules ./r.yaml points.prof >got
	grep -P '^(point|vprof|raw|func)\t' got | cut -f 1,3,4 |
		is $'func\tg\t-\npoint\t0\t6'
}

# ---- events, facts, residue ----

@test "events are none but these, formulas too, and --events chooses of them" {
	printf 'events: [Dr, Ir + 10 Dr]\n' >r.yaml
	prof-cat --rules ./r.yaml graph.prof | grep -P '^(event|total)' | cut -f 2-4 |
		is $'0\tDr\t-\n1\tIr + 10 Dr\t-\nrun\t14\t293'
	costs | grep '^parse ' | is 'parse /src/main.c 20 3 60'
	prof-to tsv --rules ./r.yaml --events Dr graph.prof 2>/dev/null | sed -n 1p |
		tr '\t' '\n' | tail -1 | is Dr
	exits_with 2 "prof-cat: --events: no event 'Ir'; events: Dr" \
		prof-cat --rules ./r.yaml --events Ir graph.prof
	printf 'events: Ir\n' >r.yaml
	costs | grep '^parse ' | is 'parse /src/main.c 20 30'
	printf 'events: [Ir, I1mr]\n' >r.yaml
	exits_with 2 "prof-cat: ./r.yaml: events: no event 'I1mr'; events: Ir, Dr" \
		prof-cat --rules ./r.yaml graph.prof
	printf "events: ['Ir +']\n" >r.yaml
	exits_with 2 "prof-cat: ./r.yaml: events: 'Ir +' is not a sum of events" \
		prof-cat --rules ./r.yaml graph.prof
}

@test "facts: keeps only the listed metadata, the view's own included" {
	printf 'facts: [thread]\n' >r.yaml
	prof-cat --rules ./r.yaml graph.prof | grep -P '^meta' | is $'meta\tthread\t1'
	printf 'facts: [filter, cmd]\n' >r.yaml
	prof-cat --rules ./r.yaml graph.prof | grep -P '^meta' |
		is $'meta\tcmd\t./app\nmeta\tfilter\t--rules r'
	printf 'facts: []\n' >r.yaml
	prof-cat --rules ./r.yaml graph.prof >out
	lacks out '^meta'
	# a rule may still ask for them
	printf 'facts: []\nrules: [drop: {thread: "1", object: libc}]\n' >r.yaml
	costs | wc -l | is 4
	shared >shared.prof
	printf "facts: [cmd]\nrules: [fold: {function: '^f\$'}]\n" >r.yaml
	prof-cat --quiet --rules ./r.yaml shared.prof >out
	lacks out '^meta'
}

@test "residue: false leaves out raw and declared records, and attributes" {
	bars >residue.prof <<-'END'
	prof|1
	tag|x|may|f:func:key|n:int:sum
	part|1|positions=line
	event|0|Ir|-|-|-|scale=1/10
	object|0|/bin/app|id|a=1
	func|0|f|-|0|key|b=2
	func|1|g|-|0|-
	ctx|0|-|0|-|-|-|c=3
	cost|0|-|1|-|5|d=4
	call|0|-|1|-|1|-|-|1|7|e=5
	sample|0|9|label=6
	point|0|0|5|1|1|1|1|1|1|1|1|1|1|-|-|-|-|-|-|-|h=7
	raw|0|bb=1
	x|0|3
	end
	END
	printf 'residue: false\n' >r.yaml
	prof-cat --rules ./r.yaml residue.prof >got
	bars >want <<-'END'
	prof|1
	part|1|positions=line
	meta|filter|--rules r
	event|0|Ir|-|-|-|scale=1/10
	object|0|/bin/app|id
	func|0|f|-|0|key
	func|1|g|-|0|-
	cost|0|-|1|-|5
	call|0|-|1|-|1|-|-|1|7
	ctx|0|-|0|-|-|-
	sample|0|9
	point|0|0|5|1|1|1|1|1|1|1|1|1|1|-|-|-|-|-|-|-
	end
	END
	same want got
	printf 'residue: true\n' >r.yaml
	prof-cat --rules ./r.yaml residue.prof | grep -v '^meta' >got
	same <(prof-cat residue.prof | sort) <(sort got)
}

@test "residue: false keeps events separate that count different things" {
	for e in cycles instructions; do
		printf '%b\n' 'prof\t1' 'part\t0' "event\t0\tsamples\t-\t-\t-\tcounts=$e" \
			'func\t0\tf\t-\t-\t-' 'cost\t0\t-\t-\t-\t5' end >$e.prof
	done
	printf 'residue: false\n' >r.yaml
	run -2 prof-merge --rules ./r.yaml cycles.prof instructions.prof
	[[ $output == *"counts 'instructions', and counted 'cycles' before"* ]]
}

@test "residue: false leaves a gate what it must know of a difference" {
	for e in Ir Dr; do
		printf 'events: %s\nfn=f\n1 5\ntotals: 5\n' $e >$e.cg
	done
	printf 'residue: false\n' >r.yaml
	prof-diff -o d.prof Ir.cg Dr.cg 2>/dev/null
	prof-cat --rules ./r.yaml d.prof | grep '^event' | cut -f 3,7- >got
	printf '%s\n' 'Ir	only=old	role=delta' 'Ir.old	of=Ir	role=old' 'Ir.new	of=Ir	role=new' \
		'Dr	only=new	role=delta' 'Dr.old	of=Dr	role=old' 'Dr.new	of=Dr	role=new' |
		sort | diff -u - <(sort got)
}

@test "what declared records refer to is renamed, hidden and dropped" {
	bars >declared.prof <<-'END'
	prof|1
	tag|x|may|f:func:key|l:file:key|c:ctx:key|m:file:key|o:object:key|n:int:sum
	part|1
	event|0|Ir|-|-|-
	object|0|/bin/secret|-
	file|0|secret.c
	func|0|secret|0|0|-
	func|1|main|0|0|-
	ctx|0|-|1|0|-|-
	ctx|1|0|0|0|-|-
	x|0|0|1|0|0|1
	x|1|-|-|-|-|2
	x|1|-|0|-|-|3
	x|1|-|1|-|-|4
	end
	END
	rules "hide: {function: secret, names: [function, file, object]}" \
		"hide: {file: '', names: file}" "hide: {object: '', names: object}"
	PROF_KEY=k prof-cat --rules ./r.yaml declared.prof >out
	lacks out secret
	grep '^x' out | cut -f 7 | paste -sd ' ' | is '1 2 3 4'
	rules "rename: {object: secret, to: known}"
	prof-cat --rules ./r.yaml declared.prof | grep -c /bin/known | is 1
	rules "drop: {function: secret}"
	prof-cat --rules ./r.yaml declared.prof | grep '^x' | cut -f 7 | paste -sd ' ' | is '2 3'
	printf 'min-share: {self: 1}\n' >r.yaml	# main costs something, secret nothing
	sed '/^x/{s/^/cost\t1\t-\t-\t-\t5\n/;:a;n;ba}' declared.prof >costs.prof
	prof-cat --rules ./r.yaml costs.prof | grep '^x' | cut -f 7 | paste -sd ' ' | is '2 3'
}

@test "the metadata field filter has --rules and the file's name, one for each, in each part" {
	parts >parts.prof
	bars >>parts.prof <<-'END'
	prof|1
	part|7
	meta|cmd|facts alone
	part|8
	end
	END
	mkdir d
	echo 'rules: []' | tee a.yaml b.yaml d/c.yml >/dev/null
	prof-cat --rules a.yaml --rules ./b.yaml --rules d/c.yml parts.prof |
		awk -F '\t' '$1 == "part" { print "" } $1 == "meta" && $2 == "filter" { printf "%s ", $3 }' |
		sort | uniq -c | sed 's/^ *//; s/ *$//' | is $'1\n5 --rules a --rules b --rules c.yml'
}

@test "several files of rules are applied in their order" {
	rules "rename: {function: '^a\$', to: b}"
	cp r.yaml one.yaml
	rules "rename: {function: '^b\$', to: c}"
	cp r.yaml two.yaml
	printf 'x;a 1\nx;b 2\n' >s
	prof-to folded --quiet --rules one.yaml --rules two.yaml s | summed | is 'x;c 3'
	prof-to folded --quiet --rules two.yaml --rules one.yaml s | is $'x;b 1\nx;c 2'
	rules "keep: {function: ''}"	# decisions are of one file
	cp r.yaml keep.yaml
	rules "drop: {function: '^a'}"
	prof-to folded --quiet --rules keep.yaml --rules r.yaml s | is 'x;b 2'
}

@test "--where chooses parts before the rules, --events events after them" {
	parts >parts.prof
	printf '%s\n' 'facts: []' 'rules:' "- drop: {function: f, thread: '2'}" >r.yaml
	prof-cat --where thread=2 --rules ./r.yaml parts.prof >out
	grep -P '^(meta|cost|total)' out | is $'total\trun\t12\ncost\t0\t-\t1\t-\t4'
	printf 'events: [Dr]\n' >r.yaml
	exits_with 2 "no event 'Ir'" prof-cat --rules ./r.yaml --events Ir graph.prof
	sed '/^event\t1/d; s/^\(cost\|total\|call\)\(.*\)\t[0-9]*$/\1\2/' graph.prof >ir.prof
	exits_with 2 "prof-diff: ./r.yaml: events: no event 'Dr'" \
		prof-diff --rules ./r.yaml ir.prof graph.prof
	prof-merge --quiet --rules ./r.yaml ir.prof graph.prof | grep -c '^event' | is 1
}

@test "functions that never ran stay if they are kept, and no rule tests metadata" {
	parts >parts.prof
	never() {
		prof-cat --rules ./r.yaml parts.prof | grep '^func' | grep -vP '\t(main|f)\t' |
			cut -f 3
	}
	rules "rename: {function: never, to: ever}"
	never | is ever
	for rule in "drop: {function: never}" "fold: {function: never}" "keep: {function: main}" \
		"rename: {function: never, to: ever, thread: '1'}"; do
		rules "$rule"
		[ -z "$(never)" ]
	done
}

@test "a frame whose function or caller becomes another loses its attributes" {
	bars >frames.prof <<-'END'
	prof|1
	part|1
	event|0|Ir|-|-|-
	func|0|a|-|-|-
	func|1|b|-|-|-
	func|2|c|-|-|-
	ctx|0|-|0|-|1|-|x=1
	ctx|1|0|1|-|2|0x20|x=2
	ctx|2|1|2|-|3|-|x=3
	sample|2|5|label=1
	end
	END
	rules "rename: {function: b, to: z}"
	prof-cat --rules ./r.yaml frames.prof | grep -P '^(ctx|sample)' |
		is $'ctx\t0\t-\t0\t-\t1\t-\tx=1\nctx\t1\t0\t1\t-\t2\t0x20\nctx\t2\t1\t2\t-\t3\t-\nsample\t2\t5\tlabel=1'
	rules "group: {function: b, as: g}"
	prof-cat --rules ./r.yaml frames.prof | grep -P '^ctx\t1' | cut -f 3- |
		is $'0\t1\t-\t-\t-'
}

@test "a stack of 100,000 frames is as good as one of three" {
	perl -e 'print join(";", map "f$_", 1 .. 100000), " 7\n"' >deep
	rules "group: {function: '^f.*[05]\$', as: 'G\\0'}" "fold: {function: '^f.*[1-4]\$'}" \
		"drop: {function: '^f.*[67]\$'}"
	perl -e 'print join(";", map { /[05]$/ ? "G$_" : $_ } grep { $_ eq "f1" || !/[1-467]$/ }
		map "f$_", 1 .. 100000), " 7\n"' >want
	prof-to folded --quiet --from folded --rules ./r.yaml deep | cmp want -
	rules "group: {function: '', as: G}"
	prof-to folded --quiet --from folded --rules ./r.yaml deep | is 'G 7'
}

# ---- value profiles ----

@test "a value that is no number is the name of a function of no file" {
	bars >values.prof <<-'END'
	prof|1
	part|1
	event|0|executions|-|-|-|calls=absent
	file|0|f.c
	func|0|main|0|-|-
	func|1|foo|0|-|-
	vprof|0|0|INT|9|42
	vprof|0|1|PROC|5|foo
	vprof|0|1|PROC|4|-
	vprof|0|1|PROC|3|bar
	vprof|0|2|DOUBLE|2|1.5
	vprof|0|3|FLOAT|2|1e+10
	vprof|0|4|LLONG|2|-9223372036854775808
	vprof|1|0|INT|1|7
	end
	END
	values() {
		prof-cat --rules ./r.yaml values.prof | awk -F '\t' '
		$1 == "func" { name[$2] = $3 } $1 == "vprof" { print name[$2], $3, $6 }'
	}
	rules "rename: {function: '^(foo|main)\$', to: 'x\\1'}"
	values | is $'xmain 0 42\nxmain 1 xfoo\nxmain 1 -\nxmain 1 bar\nxmain 2 1.5\nxmain 3 1e+10
xmain 4 -9223372036854775808\nxfoo 0 7'
	rules "group: {function: '^(foo|4)', as: G}" "rename: {function: '.', to: x, file: ''}"
	values | is $'xain 0 42\nxain 1 G\nxain 1 -\nxain 1 bar\nxain 2 1.5\nxain 3 1e+10
xain 4 -9223372036854775808\nG 0 7'
	rules "hide: {function: ''}"
	m=$(echo function main | pseudonyms) f=$(echo function foo | pseudonyms)
	b=$(echo function bar | pseudonyms)
	values | is "$m 0 42
$m 1 $f
$m 1 -
$m 1 $b
$m 2 1.5
$m 3 1e+10
$m 4 -9223372036854775808
$f 0 7"
	rules "drop: {function: '^(foo|bar)\$'}"
	values | is $'main 0 42\nmain 1 foo\nmain 1 -\nmain 1 bar\nmain 2 1.5\nmain 3 1e+10
main 4 -9223372036854775808'
	rules "keep: {function: main}" "fold: {function: ''}"
	[ "$(values | wc -l)" -eq 8 ]
}

@test "values stay in their order" {
	printf 'prof\t1\npart\t1\nevent\t0\tx\t-\t-\t-\nfunc\t0\tf\t-\t-\t-\n' >o.prof
	for v in z 1 a z 0; do
		printf 'vprof\t0\t0\tPROC\t1\t%s\n' $v >>o.prof
	done
	echo end >>o.prof
	rules "rename: {function: z, to: b}"
	[ "$(prof-cat --rules ./r.yaml o.prof | awk '$1 == "vprof" { printf "%s ", $6 }')" = 'b 1 a b 0 ' ]
}

# ---- tools ----

@test "all six tools have --rules" {
	rules "rename: {function: '^parse', to: read}" "drop: {function: malloc}"
	prof-cat --rules ./r.yaml graph.prof | grep -P '^func' | cut -f 3 |
		is $'main\nread\nread_word\nsbrk'
	prof-grep --rules ./r.yaml -e read graph.prof | grep -P '^cost' | cut -f 6- |
		is $'30\t3\n40\t4'
	prof-merge --rules ./r.yaml graph.prof graph.prof | grep -P '^cost' | cut -f 6- | sort |
		is $'20\t2\n10\n60\t6\n80\t8\n16'
	prof-top --rules ./r.yaml graph.prof | awk '$1 ~ /^[0-9]+$/ && $7 ~ /^[a-z_]+$/ { print $1, $7 }' |
		is $'40 read_word\n30 read\n15 main\n8 sbrk'
	prof-to tsv --rules ./r.yaml graph.prof 2>/dev/null | cut -f 2 | sort -u |
		is $'function\nmain\nread\nread_word\nsbrk'
	prof-diff --rules ./r.yaml graph.prof graph.prof | grep -P '^func' | cut -f 3 | sort |
		is $'main\nread\nread_word\nsbrk'
	# prof-grep needs no pattern then
	prof-grep --rules ./r.yaml graph.prof | grep -v '^meta' | sort |
		diff - <(prof-cat --rules ./r.yaml graph.prof | grep -v '^meta' | sort)
}

@test "of a difference min-share asks both sides of a change, otherwise the event alone" {
	printf 'x;a 100\nx;b 1\nx;d 40\n' >old
	printf 'x;a 100\nx;b 2\nx;c 50\n' >new
	prof-diff --from folded old new >diff.prof
	left() {
		printf 'min-share: {self: 10, event: %s}\n' "$1" >r.yaml
		prof-cat --rules ./r.yaml diff.prof | grep '^func' | cut -f 3
	}
	left samples | is $'a\nc\nd'
	left samples.old | is $'a\nd'
	left samples.new | is $'a\nc'
}

@test "prof-diff compares what the rules make of each side" {
	sed 's/\tparse_word\t/\tparse_name\t/; s/^cost\t2\t1\t30\t-\t40/cost\t2\t1\t30\t-\t45/' \
		graph.prof >new.prof
	rules "rename: {function: '^parse_(word|name)\$', to: parse_x}"
	prof-diff --rules ./r.yaml graph.prof new.prof | awk -F '\t' '
		$1 == "func" { name[$2] = $3 } $1 == "cost" && $6 { print name[$2], $6, $7, $8 }' |
		is 'parse_x 5 40 45'
}

@test "prof-merge makes the same of many files by one process or several" {
	rules "rename: {function: '^parse', to: read}" "group: {object: libc, as: '[libc]'}" \
		"hide: {file: ''}" "drop: {source: 'p[12]', function: main}"
	for i in 0 1 2 3 4 5; do
		cp graph.prof p$i.prof
	done
	prof-merge -j 1 --rules ./r.yaml p?.prof >one
	for j in 2 3 6; do
		prof-merge -j $j --rules ./r.yaml p?.prof >many
		same one many
	done
	# main in four of six: 10 and 5 each
	awk -F '\t' '$1 == "func" { name[$2] = $3 } $1 == "cost" && name[$2] == "main" { print $6 }' one |
		is $'40\n20'
	# events are known only when all has been read
	{ cat r.yaml; echo 'events: [Dr]'; } >s.yaml
	prof-merge -j 1 --rules ./s.yaml p?.prof >one
	prof-merge -j 3 --rules ./s.yaml p?.prof >many
	same one many
}

# ---- laws on real profiles ----

# sums OPTION...: of each event, by awk on what prof-to tsv says.
sums() {
	prof-to tsv --quiet "$@" | awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "addr") first = i + 1; last = NF
			for (i = first; i <= last; i++) printf "%s ", $i; next }
		{ for (i = first; i <= last; i++) sum[i] += $i }
		END { for (i = first; i <= last; i++) printf "%.0f ", sum[i]; print "" }'
}

@test "rename, group, hide and fold keep the sum of each event" {
	want=$(sums "$wordcount")
	[[ $want = 'Ir Dr '*' DLmw 4890209 1295116 580012 '* ]]
	for rule in "rename: {function: '^(.).*', to: '\\1'}" "rename: {file: '.*/', to: ''}" \
		'rename: clones, recursion' "group: {object: libc, as: '[libc]'}" \
		"group: {file: '(.*)', as: '\\1'}" "hide: {function: '', names: [function, file, object]}" \
		"fold: {object: 'libc|ld-linux'}" "fold: {function: '^(insert|read_word)'}" \
		"fold: {file: ''}"; do
		rules "$rule"
		echo "$rule"
		[ "$(sums --rules ./r.yaml "$wordcount")" = "$want" ]
	done
}

@test "callgrind_annotate has the same totals, and rows that awk works out" {
	rules "group: {object: '/libc', as: '[libc]'}" "rename: recursion" \
		"rename: {file: '/usr/src/prof/', to: 'src:'}"
	prof-to callgrind --quiet --rules ./r.yaml "$wordcount" >view.cg
	prof-to callgrind --quiet "$wordcount" >all.cg
	for f in all view; do
		callgrind_annotate --threshold=100 --auto=no --show=Ir $f.cg >$f.txt
		grep 'PROGRAM TOTALS' $f.txt | sed 's/ .*//' >$f.total
	done
	same all.total view.total
	is 4,890,211 <view.total
	# Functions by what they cost, from the table without rules.
	prof-to tsv --quiet "$wordcount" | awk -F '\t' 'NR > 1 {
		f = $2
		if ($4 ~ /\/libc/) f = "[libc]"
		sub(/\x27[0-9]+$/, "", f)
		s[f] += $8 } END { for (f in s) if (s[f]) print s[f], f }' | sort >want
	grep -E '^ *[0-9,]+ \([ 0-9.]+%\) +[^ ]+:' view.txt | awk '{
		n = $1; gsub(/,/, "", n); $1 = ""; sub(/^ *\( *[0-9.]+%\) +/, "")
		sub(/ \[[^][]*(\/|\?)[^][]*\]$/, ""); sub(/^(\?\?\?|[^:]*[^:]|src:[^:]*):/, "")
		s[$0] += n } END { for (f in s) print s[f], f }' | sort >got
	grep -E '^[0-9]+ (insert|read_word|main|\[libc\])$' want | sort >want.some
	grep -E '^[0-9]+ (insert|read_word|main|\[libc\])$' got | sort >got.some
	[ "$(wc -l <want.some)" -eq 4 ]
	same want.some got.some
}

@test "what is dropped and what is kept are all that there is" {
	rules "drop: {object: libc}"
	sums --rules ./r.yaml "$wordcount" >a
	rules "keep: {object: libc}"
	sums --rules ./r.yaml "$wordcount" >b
	sums "$wordcount" >all
	paste -d ' ' a b all | awk '{ n = NF / 3
		for (i = n / 2 + 1; i <= n; i++) if ($i + $(i + n) != $(i + 2 * n)) exit 1
		if ($(n / 2 + 1) == 0 || $(n + n / 2 + 1) == 0) exit 1 }'
	prof-to tsv --quiet "$wordcount" | awk -F '\t' '$4 ~ /libc/ { s += $8 } END { print s }' |
		is "$(awk '{ print $(NF / 2 + 1) }' b)"
}

@test "a group's calls are those over its edge, by awk on a table of calls" {
	rules "group: {object: '/libc', as: '[libc]'}"
	prof-to tsv --records call --quiet --rules ./r.yaml "$wordcount" >got.tsv
	prof-to tsv --records call --quiet "$wordcount" >all.tsv
	head -1 all.tsv | tr '\t' '\n' | grep -n . >columns
	local f o c co n
	f=$(grep -m 1 ':function$' columns | cut -d : -f 1)
	o=$(grep -m 1 ':object$' columns | cut -d : -f 1)
	c=$(grep -m 1 ':callee$' columns | cut -d : -f 1)
	co=$(grep -m 1 ':callee.object$' columns | cut -d : -f 1)
	n=$(grep -m 1 ':count$' columns | cut -d : -f 1)
	awk -F '\t' -v f=$f -v o=$o -v c=$c -v co=$co -v n=$n 'NR > 1 {
		a = $o ~ /\/libc/ ? "[libc]" : $f; b = $co ~ /\/libc/ ? "[libc]" : $c
		if (a != b || a != "[libc]") s[a " " b] += $n }
		END { for (k in s) print k, s[k] }' all.tsv >want
	awk -F '\t' -v f=$f -v c=$c -v n=$n 'NR > 1 { s[$f " " $c] += $n }
		END { for (k in s) print k, s[k] }' got.tsv | is "$(cat want)"
}

# ---- mistakes ----

@test "an unknown key is reported with the known ones, and what was meant" {
	local rule='rename, group, hide, fold, drop, keep'
	bad 1:1 "unknown key 'rule': did you mean rules?; known: description, rules, events, min-share, min-cost, facts, residue" 'rule: []'
	bad 3:5 "unknown key 'foldd': did you mean fold?; known: $rule" \
		'rules:' '  - drop: {function: a}' '  - foldd: {function: a}'
	bad 2:12 "unknown key 'functoin': did you mean function?; known: function, file, object, part, thread, pid, cmd, source, unless, ignore-case" \
		'rules:' '  - drop: {functoin: a}'
	bad 1:37 "unknown key 'to'; known: function, file, object, part, thread, pid, cmd, source, unless, ignore-case, as" \
		'rules: [group: {function: a, as: g, to: h}]'
	bad 1:16 "unknown key 'qqqqq'; known: function, file, object, part, thread, pid, cmd, source, unless, ignore-case" \
		'rules: [drop: {qqqqq: a}]'
	bad 1:38 "unknown key 'unless'; known: function, file, object, part, thread, pid, cmd, source" \
		'rules: [drop: {unless: {function: a, unless: {function: b}}}]'
}

@test "a wrong type is reported with what was expected and what was found" {
	bad 1:1 "expected a mapping of description, rules, events, min-share, min-cost, facts, residue, found a list" '- rules'
	bad 1:1 "expected a mapping of description, rules, events, min-share, min-cost, facts, residue, found 'rules'" rules
	bad 1:8 "expected a list of rules, found a mapping" 'rules: {drop: {function: a}}'
	bad 1:8 "expected a list of rules, found 'x'" 'rules: x'
	bad 2:3 "expected a rule: rename, group, hide, fold, drop or keep, found 'drop'" 'rules:' '- drop'
	bad 2:9 "expected a mapping of conditions, found 'a'" 'rules:' '- drop: a'
	bad 2:9 "expected a mapping of conditions, found a list" 'rules:' '- drop: [a]'
	bad 2:20 "expected a pattern or a list of patterns, found a mapping" 'rules:' '- drop: {function: {a: b}}'
	bad 2:24 "expected a pattern or a list of patterns, found a list" 'rules:' '- drop: {function: [a, [b]]}'
	bad 1:10 "expected true or false, found 'no'" 'residue: no'
	bad 1:10 "expected true or false, found a list" 'residue: [true]'
	bad 1:10 'expected true or false, found '"'true\\x00'" 'residue: "true\0"'
	bad 1:14 "expected a description, found a list" 'description: [a]'
	bad 1:9 "expected an event or a list of events, found a mapping" 'events: {a: b}'
	bad 1:8 "expected the name of a metadata field or a list of names, found a mapping" 'facts: {}'
	bad 1:3 "expected a key, found a list" '? [a]' ': b'
	bad 2:29 "expected what the name becomes, found a list" 'rules:' '- rename: {function: a, to: [b]}'
	bad 1:12 "expected a percentage, found 'x%'" 'min-share: x%'
	bad 1:11 "expected a number, found '1.5x'" 'min-cost: 1.5x'
	bad 1:11 "expected a number, found '1%'" 'min-cost: 1%'
	bad 1:1 "expected self or inclusive, found neither" 'min-share: {event: Ir}'
	bad 2:1 "min-share and min-cost cannot be combined" 'min-share: 1' 'min-cost: 1'
}

@test "a missing value is not an empty text" {
	bad 2:20 "expected a pattern or a list of patterns, found nothing" 'rules:' '- drop: {function: }'
	bad 3:14 "expected a pattern or a list of patterns, found nothing" 'rules:' '- drop:' '    function:'
	bad 1:7 "expected a list of rules, found nothing" 'rules:'
	bad 2:8 "expected a mapping of conditions, found nothing" 'rules:' '- drop:'
	bad 1:13 "expected a description, found nothing" 'description:'
	bad 2:29 "expected what the name becomes, found nothing" 'rules:' '- rename: {function: a, to: }'
	rules "rename: {function: a, to: ''}"
	silent prof-grep --check-rules ./r.yaml
}

@test "a bad pattern is reported at its place, with what regcomp says" {
	bad 3:29 "bad pattern '(': Unmatched ( or \\(" 'rules:' '- keep: {function: a}' \
		"- drop: {function: [a, 'b', '(']}"
	bad 4:7 "bad pattern '[z-a]': Invalid range end" rules: '- rename:' '   function:' "    - '[z-a]'" '   to: x'
	bad 2:33 "bad pattern '*{': Invalid preceding regular expression" 'rules:' \
		"- drop: {unless: {function: [a, '*{']}}"
	bad 2:28 "line breaks are not allowed in a pattern" 'rules:' '- drop: {unless: {thread: ["a\nb"]}}'
	bad 3:15 "line breaks are not allowed in a pattern" 'rules:' '- drop:' '    function: |' '      ^foo$'
	printf '%s\n' rules: '- drop:' '    function: |-' '      ^foo$' >r.yaml
	stacks 'foo 1' 'foo2 2' | is 'foo2 2'
}

@test "aliases, tags, several documents, nothing" {
	bad 3:20 "aliases are not allowed" 'rules:' '- drop: {function: &x a}' '- keep: {function: *x}'
	printf '%s\n' 'rules: &all' '- drop: {function: &x a}' >r.yaml
	silent prof-grep --check-rules ./r.yaml
	bad 2:20 "tags are not allowed" 'rules:' '- drop: {function: !!binary YQ==}'
	bad 1:1 "tags are not allowed" '!!map {rules: []}'
	bad 2:1 "more than one document" 'rules: []' '---' 'rules: []'
	bad 2:1 "expected a mapping of description, rules, events, min-share, min-cost, facts, residue, found nothing" '# nothing'
	: >r.yaml
	wrong 1:1 "expected a mapping of description, rules, events, min-share, min-cost, facts, residue, found nothing"
	printf '%s\n' '---' '{"rules": [{"drop": {"function": "a"}}]}' '...' >r.yaml	# JSON is YAML
	stacks 'a 1' 'b 2' | is 'b 2'
}

@test "what is not UTF-8 is reported by its byte" {
	printf 'description: a\377\n' >r.yaml
	exits_with 2 'prof-grep: ./r.yaml: byte 14: not UTF-8: invalid leading UTF-8 octet' \
		prof-grep --check-rules ./r.yaml
	printf 'rules: []\n' | iconv -t UTF-16 >r.yaml
	exits_with 2 'prof-grep: ./r.yaml: byte 0: not UTF-8' prof-grep --check-rules ./r.yaml
	printf 'rules: []\n' | iconv -t UTF-16LE >r.yaml
	exits_with 2 'prof-grep: ./r.yaml: byte 1: not UTF-8' prof-grep --check-rules ./r.yaml
	printf 'description: a\0b\n' >r.yaml
	exits_with 2 'prof-grep: ./r.yaml: byte 14: not UTF-8: control characters are not allowed' \
		prof-grep --check-rules ./r.yaml
	printf '\357\273\277description: \303\251\n' >r.yaml	# a byte order mark
	silent prof-grep --check-rules ./r.yaml
	bad 1:14 "NUL is not allowed" 'description: "a\0b"'
	bad 2:20 "NUL is not allowed" 'rules:' '- drop: {function: "a\0b"}'
	# columns are of characters
	bad 2:11 "unknown key 'x'; known: function, file, object, part, thread, pid, cmd, source, unless, ignore-case" \
		'rules:' '- drop: { x: é}'
	bad 1:30 "expected a pattern or a list of patterns, found a list" "rules: [drop: {function: [é, []]}]"
}

@test "what is not YAML is reported with its place" {
	bad 3:1 "not YAML: could not find expected ':', while scanning a simple key" 'rules: []' 'x'
	bad 2:1 "not YAML: found character that cannot start any token, while scanning for the next token" \
		'rules:' '	- drop'
	printf 'rules: [drop: {function: "a' >r.yaml
	exits_with 2 'prof-grep: ./r.yaml:1:28: not YAML: found unexpected end of stream, while scanning a quoted scalar' \
		prof-grep --check-rules ./r.yaml
	# Directives are compared with each other.
	{ seq -f '%%TAG !a%.0f! x' 100; printf -- '---\nmatch: []\n'; } >many
	{ seq -f '%%TAG !a%.0f! x' 101; printf -- '---\nmatch: []\n'; } >more
	run -2 prof-grep --check-rules many
	lacks <(printf '%s\n' "$output") 'begin with'
	exits_with 2 "more: more than 100 lines that begin with '%'" prof-grep --check-rules more
	for end in '\r' '\302\205' '\342\200\250' '\342\200\251'; do
		perl -pe "s/\n/$end/" <more >other
		exits_with 2 "other: more than 100 lines that begin with '%'" prof-grep --check-rules other
	done
}

@test "bombs of brackets are no matter" {
	local open
	for open in '[' '{' '- ' '? ' '{a: ' '[{' '&a [' '"' '!a '; do
		for key in 'rules: ' 'rules: [drop: {function: ' 'description: ' ''; do
			perl -e 'print $ARGV[0], $ARGV[1] x 100000' "$key" "$open" >r.yaml
			exits_with 2 'prof-grep: ./r.yaml:' timeout 20 prof-grep --check-rules ./r.yaml
		done
	done
}

@test "a key is there once, a rule is of one kind, lists are not empty" {
	bad 2:1 "rules appears twice" 'rules: []' 'rules: []'
	bad 1:29 "function appears twice" 'rules: [drop: {function: a, function: b}]'
	bad 3:3 "a rule is one of rename, group, hide, fold, drop, keep: this one is already drop" \
		'rules:' '- drop: {function: a}' '  keep: {function: b}'
	bad 3:3 "drop appears twice" 'rules:' '- drop: {function: a}' '  drop: {function: b}'
	bad 2:3 "an empty rule" 'rules:' '- {}'
	bad 2:20 "an empty list of patterns" 'rules:' '- drop: {function: []}'
	bad 1:9 "an empty list of events" 'events: []'
	bad 2:34 "an empty list of names" 'rules:' "- hide: {function: 'abc', names: []}"
	bad 1:10 "expected an event or a sum of events, found ''" "events: ['']"
	bad 1:14 "expected an event or a sum of events, found 'a,'" "events: [Ir, 'a,']"
	printf 'facts: []\nrules: []\n' >r.yaml
	silent prof-grep --check-rules ./r.yaml
	echo '{}' >r.yaml
	silent prof-grep --check-rules ./r.yaml
	prof-cat --rules ./r.yaml graph.prof | grep -v $'^meta\tfilter' | sort |
		diff <(prof-cat graph.prof | sort) -
}

@test "a rule says what it needs" {
	bad 2:3 "no condition: to drop everything, write \"function: ''\"" 'rules:' '- drop: {}'
	bad 2:3 "no condition: to keep everything, write \"function: ''\"" 'rules:' '- keep: {ignore-case: true}'
	bad 2:18 "no condition" 'rules:' '- drop: {unless: {}}'
	bad 2:3 "a rename needs function, file or object" 'rules:' "- rename: {thread: '1', to: x}"
	bad 2:3 "a rename needs function, file or object" 'rules:' "- rename: {unless: {function: a}, to: x}"
	bad 2:3 "a rename needs \`to\`" 'rules:' '- rename: {function: a}'
	bad 2:3 "a group needs a name: \`as\`" 'rules:' '- group: {function: a}'
	bad 2:3 "a group needs a name: \`as\`" 'rules:' "- group: {function: a, as: ''}"
	bad 2:3 "nothing to hide: no names, and no condition on a name" 'rules:' "- hide: {thread: '1'}"
	bad 2:37 "expected function, file or object, found 'line'" 'rules:' '- hide: {function: a, names: [file, line]}'
	bad 2:11 "rename: expected clones, rust, recursion, found 'clone': did you mean clones?" 'rules:' '- rename: clones, clone'
}

@test "a file that is too large, a directory, not there, not to be read" {
	{ echo 'rules: []'; head -c 1048566 /dev/zero | tr '\0' '#'; } >r.yaml
	[ "$(wc -c <r.yaml)" -eq 1048576 ]
	silent prof-grep --check-rules ./r.yaml
	printf '#' >>r.yaml
	exits_with 2 'prof-grep: ./r.yaml: more than 1048576 bytes' prof-grep --check-rules ./r.yaml
	mkdir -p d
	exits_with 2 'prof-cat: ./d: Is a directory' prof-cat --rules ./d graph.prof
	exits_with 2 'prof-cat: ./none.yaml: No such file or directory' \
		prof-cat --rules ./none.yaml graph.prof
	exits_with 2 'prof-cat: ./r.yaml/x: Not a directory' prof-cat --rules ./r.yaml/x graph.prof
	[ ! -s out ]
}

@test "a mistake in rules is reported before a profile is read" {
	echo 'rules: x' >r.yaml
	for t in prof-cat 'prof-grep x' prof-merge prof-top 'prof-to tsv' 'prof-diff old'; do
		exits_with 2 "${t%% *}: ./r.yaml:1:8: expected a list of rules, found 'x'" \
			$t --rules ./r.yaml nowhere.prof
		[ ! -s out ]
	done
}

# ---- names of rules ----

@test "rules are a file, or a name in the user's directory or the installed one" {
	rules "drop: {function: '^a$'}"
	mkdir -p config/prof/rules .config/prof/rules d
	cp r.yaml config/prof/rules/mine.yaml
	printf 'b;a 1\nb 2\n' >s
	prof-to folded --from folded --quiet --rules mine s | is 'b 2'
	cp r.yaml .config/prof/rules/home.yaml
	env -u XDG_CONFIG_HOME prof-to folded --from folded --quiet --rules home s | is 'b 2'
	XDG_CONFIG_HOME=relative prof-to folded --from folded --quiet --rules home s | is 'b 2'
	# one in this directory is before them, a directory is not
	rules "drop: {function: '^b$'}"
	mv r.yaml mine
	prof-to folded --from folded --quiet --rules mine s | is 'a 1'
	rm mine
	mkdir mine
	prof-to folded --from folded --quiet --rules mine s | is 'b 2'
	# the user's is before the one that is installed
	prof-grep --check-rules recursion
	echo 'rules: x' >config/prof/rules/recursion.yaml
	exits_with 2 "prof-grep: $PWD/config/prof/rules/recursion.yaml:1:8: expected a list of rules" \
		prof-grep --check-rules recursion
	exits_with 2 "prof-grep: no rule file 'recursoin': did you mean recursion?; known: " \
		prof-grep --check-rules recursoin
	exits_with 2 "prof-grep: no rule file 'zzzzzzzzz'; known: " prof-grep --check-rules zzzzzzzzz
	lacks err mean
}

@test "--list-rules has name, directory and description, or what is wrong" {
	mkdir -p config/prof/rules
	printf 'description: mine, of\n  two lines\n' >config/prof/rules/mine.yaml
	printf 'description: "a\\tb\\nc"\n' >config/prof/rules/odd.yaml
	echo 'rules: x' >config/prof/rules/bad.yaml
	printf 'description: my own\n' >config/prof/rules/recursion.yaml
	touch config/prof/rules/.hidden.yaml config/prof/rules/other.txt config/prof/rules/.yaml
	silent prof-grep --list-rules >list
	d=$PWD/config/prof/rules
	grep -F "	$d	" list | is "bad	$d	$d/bad.yaml:1:8: expected a list of rules, found 'x'
mine	$d	mine, of two lines
odd	$d	a b c
recursion	$d	my own"
	[ "$(grep -c '^recursion	' list)" -eq 1 ]
	LC_ALL=C sort -c <(cut -f 1 list)
	awk -F '\t' 'NF != 3 { exit 1 }' list
	exits_with 2 'prof-grep: --list-rules takes no files' prof-grep --list-rules graph.prof
	exits_with 2 'prof-grep: --check-rules takes no files' prof-grep --check-rules ./r.yaml graph.prof
}

@test "--check-rules says nothing of what is right, and reads no profile" {
	rules "hide: {function: ''}"
	unset PROF_KEY
	silent prof-grep --check-rules ./r.yaml >out </dev/full
	[ ! -s out ]
}

# ---- together with other tools ----

# pair MAIN F: two functions in Callgrind's format.
pair() {
	printf 'events: A\nsummary: %d\nfn=main\n1 %d\nfn=f\n1 %d\n' $(($1 + $2)) "$1" "$2"
}

@test "costs are omitted of a difference, not of its sides" {
	echo 'min-cost: 20' >r.yaml
	pair 979 21 >old.cg
	pair 981 19 >new.cg
	# the larger of the old and the new: 21
	prof-diff --rules ./r.yaml old.cg new.cg | awk -F '\t' '$1 == "func" { name[$2] = $3 }
		$1 == "cost" { print name[$2], $6, $7, $8 }' | is $'f -2 21 19\nmain 2 979 981'
	# no function is new, so none has got dearer by half
	prof-diff --fail-over 50% --rules ./r.yaml new.cg old.cg
	echo 'min-cost: 22' >r.yaml
	prof-diff --rules ./r.yaml --tsv old.cg new.cg | cut -f 1 | is $'function\nmain'
}

@test "a cost that does not fit is an error, not little" {
	echo 'min-cost: {event: C, self: 20}' >r.yaml
	bars >x.prof <<-'E'
	prof|1
	part|1
	event|0|A|-|-|-
	event|1|B|-|-|-
	event|-|C|-|2 A + 2 B|-
	func|0|f|-|-|-
	cost|0|-|-|-|1|170141183460469231731687303715884105727
	end
	E
	exits_with 2 'a cost does not fit 128 bits' prof-cat --rules ./r.yaml x.prof
}

@test "a difference by rules without the fact diff does not name its files" {
	pair 1 2 >secret.cg
	prof-diff --rules anonymous secret.cg secret.cg 2>/dev/null >got
	grep -q 'role=delta' got
	run -1 grep secret got
}

@test "functions that differ in keys stay separate under pseudonyms" {
	bars >k.prof <<-'END'
	prof|1
	part|1
	event|0|A|-|-|-
	func|0|f|-|-|0x10
	func|1|f|-|-|0x20
	func|2|-|-|-|routine 7
	cost|0|-|-|-|1
	cost|1|-|-|-|2
	cost|2|-|-|-|3
	end
	END
	prof-cat --rules anonymous k.prof 2>/dev/null >got
	[ "$(grep -c '^func' got)" -eq 3 ]
	[ "$(grep '^func' got | cut -f 3,6 | sort -u | wc -l)" -eq 3 ]
	run -1 grep -E '0x[12]0|routine' got
}

@test "a point within its own group is a recursion" {
	bars >p.prof <<-'END'
	prof|1
	part|1
	event|0|A|-|-|-
	func|0|main|-|-|-
	func|1|foo|-|-|-
	ctx|0|-|0|-|-|-
	ctx|1|0|1|-|-|-
	point|0|0|5|1|300|300|300|90000|300|100|100|100|10000|-|-|-|-|-|-|-
	point|1|1|5|1|200|200|200|40000|200|200|200|200|40000|-|-|-|-|-|-|-
	end
	END
	rules "group: {function: ., as: all}"
	prof-top --tsv --rules ./r.yaml p.prof | awk -F '\t' 'NR == 1 {
		for (i = 1; i <= NF; i++) col[$i] = i; next } { print $col["A"], $col["A.incl"] }' |
		is '300 300'
}

@test "what has records, though none is kept, is no function that never ran" {
	printf 'a;b 1\n' >ab.folded
	run -1 prof-grep -c -v a ab.folded
	[ "$output" = 0 ]
	run -1 prof-grep -q -v a ab.folded
}

@test "--check-rules looks at each file" {
	echo 'rules: [dorp: {}]' >bad.yaml
	rules "drop: {function: a}"
	run -2 prof-grep --check-rules bad.yaml --check-rules ./r.yaml
	prof-grep --check-rules r.yaml --check-rules ./r.yaml
}

@test "a threshold of 0 drops nothing, not even a function without records" {
	printf '%b\n' 'prof\t1' 'part\t0' 'event\t0\tns\t-\t-\t-' 'func\t0\tf\t-\t-\t-' \
		'func\t1\tunused\t-\t-\t-' 'cost\t0\t-\t-\t-\t5' end >unused.prof
	for t in 'min-share: 0' 'min-cost: 0' 'min-cost: {self: 0}'; do
		echo "$t" >r.yaml
		prof-cat --rules ./r.yaml unused.prof | grep '^func' | cut -f 3 | is $'f\nunused'
	done
	echo 'min-cost: 1' >r.yaml
	prof-cat --rules ./r.yaml unused.prof | grep '^func' | cut -f 3 | is f
}

@test "costs that min-cost cannot add up are an error" {
	local most=170141183460469231731687303715884105727	# 2^127 - 1
	printf '%s\n' 'prof|1' 'part|1' 'event|0|t|s|-|-' 'func|0|f|-|-|-' "cost|0|-|1|-|$most" \
		'cost|0|-|2|-|1' end | bars >p
	echo 'min-cost: {self: 1}' >m.yaml
	exits_with 2 'prof-cat: p:6: a sum does not fit 128 bits' prof-cat --rules ./m.yaml p
	lacks out '^(total|end)'
}
