#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec stream
# Records as tables, as JSON and as text: what stands in them, what other
# programs make of them, and tables read back.

load tools.bash

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	gcc -g -O0 -o calls "$BATS_TEST_DIRNAME/real/calls.c"
	callgrind a.cg --cache-sim=yes ./calls 100 &
	callgrind b.cg --cache-sim=yes ./calls 300
	wait $!
	bars >small.prof <<-'END'
	prof|1
	part|1|positions=line
	event|0|Ir|-|-|-
	event|1|Dr|-|-|-
	file|0|a.c
	object|0|/bin/a|-
	func|0|main|0|0|-
	func|1|leaf|0|0|-
	cost|0|0|1|-|10|1
	cost|1|0|2|-|20
	call|0|0|1|-|1|2|-|3|20|0
	end
	END
	prof-to tsv --quiet small.prof >small.tsv
	every_record >every.prof
}

# Every kind of record, with what may be absent absent once.
every_record() {
	bars <<-'E'
	prof|1
	tag|frame|may|at:func:key|in:file:key|of:object:key|line:line:key|addr:addr:key|n:int:sum|name:str:note|v:values:sum|a:attrs:note
	part|1|positions=addr,line|addr=run
	meta|format|callgrind
	meta|cmd|./a|-x|two words
	object|0|/bin/a|4f0c|arch=x86-64
	object|1|-|-
	file|0|a.c
	file|1|dir/a.h
	func|0|main|0|0|-
	func|1|in line|1|0|_Z2inv|weak=1|tls=
	func|2|-|-|1|0x10
	ctx|0|-|0|0|3|0x400
	ctx|1|0|1|-|-|-|thread=main
	event|0|Ir|instructions|-|Instruction Fetch
	event|1|Dr|-|-|-|merge=max
	event|-|Both|-|Ir + Dr|the two
	cost|0|0|3|0x400|10|2
	cost|0|1|7:4|0x404|5
	cost|2|-|-|-|-|4|where=nowhere
	cost|1|0|8|0x408
	call|0|0|3|0x400|1|1|0x500|12|50|20
	call|0|0|3|0x400|-|-|-|-|1|role=x
	jump|0|0|3|0x400|0|0|4|0x410|6|9
	jump|0|0|3|0x400|1|1|4|0x410|6|-
	sample|1|7|7|label=a
	point|0|-|16|2|10|30|40|1000|40|20|9|11|202|-|-|-|12|7|8|9
	point|0|1|16|-|-|-|-|-|-|-|-|-|-|3|4|5|6|-|-|-|n=1
	vprof|0|12|int|3|-7
	raw|0|bb=0x10 3
	frame|0|1|0|5:2|0x10#0x20|77|a name|1|2|k=v
	meta|note|comes late
	total|run|100|40
	total|sum|15|6
	part|1
	event|0|Ir|-|-|-
	cost|0|0|1|-|3
	end
	E
}

at() {
	echo $made/$1
}

# table_is KIND: the table of a kind of every.prof is standard input, and it is
# the same when it has been read and written again.
table_is() {
	bars >want
	prof-to tsv --quiet --records "$1" "$(at every.prof)" >got.tsv
	diff -u want got.tsv
	prof-cat got.tsv | prof-to tsv --quiet --records "$1" | diff -u got.tsv -
}

# A stream with an event and the given lines behind it; no `end`.
stream() {
	printf '%s\n' 'prof|1' 'part|1|positions=line' 'event|0|Ir|-|-|-' "$@" | bars
}

# absent GREP-ARGUMENT...: no line matches.  (Bats does not see "! command" fail.)
absent() {
	if grep -an "$@"; then
		return 1
	fi
}

# rows TABLE: the rows of a table, without its header line.
rows() {
	tail -n +2 "$1"
}

# ---- tables: what stands in them ----

@test "tsv: costs" {
	table_is cost <<-'E'
	function|function.file|object|file|line|addr|Ir|Dr
	main|a.c|/bin/a|a.c|3|0x400|10|2
	main|a.c|/bin/a|dir/a.h|7:4|0x404|5|0
	-|-|-|-|-|-|-|4
	in line|dir/a.h|/bin/a|a.c|8|0x408|0|0
	main|a.c|/bin/a|a.c|1|-|3|-
	E
	# It is what the profile is mainly of, too.
	prof-to tsv --quiet "$(at every.prof)" | cmp - got.tsv
}

@test "tsv: calls" {
	table_is call <<-'E'
	function|function.file|object|file|line|addr|callee|callee.file|callee.object|tline|taddr|count|Ir|Dr
	main|a.c|/bin/a|a.c|3|0x400|in line|dir/a.h|/bin/a|1|0x500|12|50|20
	main|a.c|/bin/a|a.c|3|0x400|-|-|-|-|-|-|1|0
	E
}

@test "tsv: jumps have no events" {
	table_is jump <<-'E'
	function|function.file|object|file|line|addr|tfunc|tfunc.file|tfunc.object|tfile|tline|taddr|followed|executed
	main|a.c|/bin/a|a.c|3|0x400|main|a.c|/bin/a|a.c|4|0x410|6|9
	main|a.c|/bin/a|a.c|3|0x400|in line|dir/a.h|/bin/a|dir/a.h|4|0x410|6|-
	E
}

@test "tsv: samples" {
	table_is sample <<-'E'
	stack|Ir|Dr
	main;in line|7|7
	E
}

@test "tsv: points" {
	table_is point <<-'E'
	function|function.file|object|stack|size|occ|min|max|sum|sqr|real|self|selfmin|selfmax|selfsqr|avg|rms|rmssqr|syscalls|threads|selfsyscalls|selfthreads
	main|a.c|/bin/a|-|16|2|10|30|40|1000|40|20|9|11|202|-|-|-|12|7|8|9
	main|a.c|/bin/a|main;in line|16|-|-|-|-|-|-|-|-|-|-|3|4|5|6|-|-|-
	E
}

@test "tsv: value profiles, lines of another format" {
	table_is vprof <<-'E'
	function|function.file|object|site|type|count|value
	main|a.c|/bin/a|12|int|3|-7
	E
	table_is raw <<-'E'
	function|function.file|object|text
	main|a.c|/bin/a|bb=0x10 3
	E
}

@test "tsv: totals" {
	table_is total <<-'E'
	of|Ir|Dr
	run|100|40
	sum|15|6
	E
}

@test "tsv: a profile of samples or points is a table of them" {
	stream 'func|0|f|-|-|-' 'ctx|0|-|0|-|-|-' 'sample|0|5' 'cost|0|-|1|-|6' end >x.prof
	printf 'stack\tIr\nf\t5\n' >want
	prof-to tsv --quiet x.prof | diff -u want -
	stream 'func|0|f|-|-|-' 'point|0|-|1|2|3|4|5|6|7|8|9|10|11|-|-|-|-|-|-|-' end >x.prof
	[ "$(prof-to tsv --quiet x.prof | cut -f 4-8 | tail -n 1)" = '-	1	2	3	4' ]
}

@test "tsv: a profile without records is a header line, and comes back" {
	stream 'event|1|Dr|-|-|-' end >x.prof
	prof-to tsv x.prof >x.tsv 2>err
	[ ! -s err ]
	[ "$(cat x.tsv)" = 'function	function.file	object	file	line	addr	Ir	Dr' ]
	prof-cat x.tsv >y.prof
	[ "$(grep '^event' y.prof | cut -f 2,3)" = '0	Ir
1	Dr' ]
	prof-to tsv y.prof 2>err | cmp - x.tsv
	prof-top --tsv y.prof >out
	[ "$(wc -l <out)" = 1 ]
}

@test "tsv: strings are escaped as in the stream, other bytes stay" {
	stream 'func|0|t\tn\nr\rb\\0\x00|-|-|-' 'func|1|\-|-|-|-' 'func|2||-|-|-' \
		'func|3|"q" '\''s'\'', ;#|-|-|-' 'cost|0|-|1|-|1' 'cost|1|-|1|-|1' \
		'cost|2|-|1|-|1' 'cost|3|-|1|-|1' >x.prof
	printf 'func\t4\tcaf\xe9 \xff\x01\x7f\t-\t-\t-\ncost\t4\t-\t1\t-\t1\nend\n' >>x.prof
	prof-to tsv x.prof >x.tsv
	printf '%s\n' 't\tn\nr\rb\\0\x00' '\-' '' '"q" '\''s'\'', ;#' >want
	printf 'caf\xe9 \xff\x01\x7f\n' >>want
	rows x.tsv | cut -f 1 | diff -u want -
	prof-cat x.tsv | prof-to tsv | cmp - x.tsv
	prof-cat x.tsv | awk -F'\t' '$1 == "func" { print $3 }' | diff -u want -
}

@test "tsv: semicolons and backslashes in a stack's names are escaped" {
	stream 'func|0|a;b|-|-|-' 'func|1|c\\d|-|-|-' 'func|2|e\tf|-|-|-' \
		'func|3|-|-|-|-' 'func|4||-|-|-' 'ctx|0|-|0|-|-|-' 'ctx|1|0|1|-|-|-' \
		'ctx|2|1|2|-|-|-' 'ctx|3|2|3|-|-|-' 'ctx|4|3|4|-|-|-' 'ctx|5|4|0|-|-|-' \
		'sample|0|1' 'sample|1|2' 'sample|4|3' 'sample|5|4' 'sample|-|5' end >x.prof
	prof-to tsv x.prof >x.tsv
	# In the stack ; is \; and \ is \\; in the table each \ is \\ again.
	cat >want <<-'E'
	a\\;b
	a\\;b;c\\\\d
	a\\;b;c\\\\d;e\tf;???;
	a\\;b;c\\\\d;e\tf;???;;a\\;b
	-
	E
	rows x.tsv | cut -f 1 | diff -u want -
	prof-cat x.tsv | prof-to tsv | cmp - x.tsv
	# The same functions, the same tree.
	grep -E '^(func|ctx|sample)' x.prof | sort >want
	prof-cat x.tsv | grep -E '^(func|ctx|sample)' | sort | diff -u want -
	# A name that is not known, one that is ???, an empty one.
	stream 'func|0|-|-|-|-' 'func|1|???|-|-|-' 'func|2||-|-|-' 'ctx|0|-|0|-|-|-' \
		'ctx|1|-|1|-|-|-' 'ctx|2|-|2|-|-|-' 'sample|0|1' 'sample|1|2' 'sample|2|3' \
		'sample|-|4' end >x.prof
	prof-to tsv x.prof >x.tsv
	printf '%s\t%s\n' '???' 1 '\\???' 2 '' 3 - 4 >want
	rows x.tsv | diff -u want -
	grep -E '^(func|ctx|sample)' x.prof | sort >want
	prof-cat x.tsv | grep -E '^(func|ctx|sample)' | sort | diff -u want -
}

@test "tsv: names of events are escaped, too, and come back" {
	stream 'event|1|a\tb\\|-|-|-' 'event|2| |-|-|-' 'cost|-|-|1|-|5|6|7' end >x.prof
	prof-to tsv --strict x.prof >x.tsv
	[ "$(head -n 1 x.tsv | cut -f 7-)" = 'Ir	a\tb\\	 ' ]
	prof-cat x.tsv | prof-to tsv --strict | cmp - x.tsv
	prof-cat x.tsv | awk -F'\t' '$1 == "event" { print $3 }' >got
	printf '%s\n' Ir 'a\tb\\' ' ' | diff -u - got
}

@test "tsv: numbers of any size are copied" {
	local n=123456789012345678901234567890123456789012345678901234567890

	stream 'func|0|f|-|-|-' "cost|0|-|18446744073709551615|0xffffffffffffffff|$n" \
		"cost|0|-|1:18446744073709551615|#18446744073709551615|-$n" end >x.prof
	prof-to tsv x.prof >x.tsv
	rows x.tsv | cut -f 5- >got
	printf '%s\t%s\t%s\n' 18446744073709551615 0xffffffffffffffff "$n" \
		1:18446744073709551615 '#18446744073709551615' "-$n" | diff -u - got
	prof-cat x.tsv | prof-to tsv | cmp - x.tsv
}

# ---- tables: parts, events, losses ----

@test "tsv: files, parts and threads are columns where the profile has them" {
	printf 'version: 1\ncreator: x\npart: %s\nthread: %s\nevents: Ir\nfn=f\n1 %s\n' \
		1 1 10 1 2 20 2 1 30 >x.cg
	prof-to tsv --quiet x.cg >x.tsv
	bars >want <<-'E'
	part|thread|function|function.file|object|file|line|addr|Ir
	1|1|f|-|-|-|1|-|10
	1|2|f|-|-|-|1|-|20
	2|1|f|-|-|-|1|-|30
	E
	diff -u want x.tsv
	prof-cat x.tsv | prof-to tsv | cmp - x.tsv
	cp "$(at small.prof)" 'two words.prof'
	prof-to tsv --quiet x.cg x.cg >x2.tsv
	[ "$(cut -f 1-3 x2.tsv | uniq -c | awk '{ print $1, $2, $3, $4 }')" = '1 source part thread
1 x.cg 1 1
1 x.cg 1 2
1 x.cg 2 1
1 x.cg 1 1
1 x.cg 1 2
1 x.cg 2 1' ]
	prof-to tsv --quiet --events Ir 'two words.prof' x.cg >x3.tsv
	[ "$(head -n 2 x3.tsv | cut -f 1-2 | tail -n 1)" = 'two words.prof	main' ]
	# The facts come back as facts.
	prof-cat x2.tsv | prof-top --tsv -b thread | awk 'NR > 1 { print $1, $3 }' >got
	printf '1 80\n2 40\n' | diff -u - got
	[ "$(prof-cat x2.tsv | grep -c '^meta.source.x.cg$')" = 6 ]
	prof-to tsv --where thread=2 x2.tsv 2>/dev/null | rows - | cut -f 2,3,10 >got
	printf '1\t2\t20\n1\t2\t20\n' | diff -u - got
}

@test "tsv: rows that cannot be distinguished are reported as dropped data" {
	{
		stream 'cost|-|-|1|-|5'
		printf 'part\t1\nevent\t0\tIr\t-\t-\t-\ncost\t-\t-\t1\t-\t6\nend\n'
	} >x.prof
	prof-to tsv x.prof >out 2>err
	grep -qx 'prof-to: tsv cannot hold: which part a row belongs to (1)' err
	[ "$(rows out | cut -f 7 | tr '\n' ' ')" = '5 6 ' ]
	fails_with 'tsv cannot hold: which part a row belongs to \(1\)' prof-to tsv --strict x.prof
}

@test "tsv: events of another part are absent, or rejected by name" {
	{
		stream 'event|1|Dr|-|-|-' 'cost|-|-|1|-|5|6'
		bars <<-'E'
		part|2
		meta|part|2
		event|0|Dr|-|-|-
		cost|-|-|2|-|7
		E
	} >x.prof
	{ cat x.prof; echo end; } | prof-to tsv --quiet | rows - | cut -f 5,7,8 >got
	printf '1\t5\t6\n2\t-\t7\n' | diff -u - got
	{ sed '$d' x.prof; printf 'event\t1\tBc\t-\t-\t-\ncost\t-\t-\t2\t-\t7\t8\nend\n'; } >y.prof
	fails_with "^prof-to: tsv: part 2 has event 'Bc', which the first part lacks" \
		prof-to tsv y.prof
	# As the message says: choose.
	prof-to tsv --quiet --events Dr y.prof | rows - | cut -f 7 >got
	printf '6\n7\n' | diff -u - got
	# Tables of what has no events do not mind.
	prof-to tsv --quiet --records jump y.prof
}

@test "tsv, json: an event with the name of a column is rejected" {
	local name

	for name in function file line source thread Ir; do
		stream "event|1|$name|-|-|-" 'cost|-|-|1|-|5|6' end >x.prof
		fails_with "^prof-to: tsv: event '$name': the table already has a column of this name" \
			prof-to tsv x.prof
		fails_with "^prof-to: json: event '$name': the objects already have a member" prof-to json x.prof
	done
	stream 'event|1|callee|-|-|-' 'cost|-|-|1|-|5|6' end >x.prof
	[ "$(prof-to tsv --quiet x.prof | sed -n 1p | cut -f 7-)" = 'Ir	callee' ]
	fails_with "json: event 'callee'" prof-to json x.prof
	fails_with "tsv: event 'callee'" prof-to tsv --records call x.prof
	stream 'event|1|attrs|-|-|-' end >x.prof
	fails_with "json: event 'attrs'" prof-to json x.prof
}

@test "tsv: dropped data is reported, word for word, and --strict rejects it" {
	prof-to tsv "$(at small.prof)" 2>err >x.tsv
	[ "$(cat err)" = 'prof-to: tsv cannot hold: calls (1)' ]
	cmp x.tsv "$(at small.tsv)"
	prof-to tsv --quiet "$(at small.prof)" 2>err >/dev/null
	[ ! -s err ]
	fails_with '^prof-to: tsv cannot hold: calls \(1\)$' prof-to tsv --strict "$(at small.prof)"
	prof-to tsv --strict "$(at small.tsv)" >x.tsv 2>err
	[ ! -s err ]
	cmp x.tsv "$(at small.tsv)"
	fails_with 'costs \(2\)' prof-to tsv --strict --records call "$(at small.prof)"
	prof-to tsv --records cost "$(at every.prof)" 2>err >/dev/null
	for what in 'metadata (2)' 'attributes of parts (1)' \
		'keys and attributes of objects (1)' 'attributes of functions (1)' \
		'keys of functions (2)' 'units and descriptions of events (2)' \
		'derived events (1)' 'calls (2)' 'jumps (2)' 'samples (1)' 'points (2)' \
		'value profiles (1)' 'lines of another format (1)' 'declared records (1)' \
		'totals (2)' 'attributes of records (1)' 'which part a row belongs to (1)'; do
		grep -qF "$what" err || { echo "not said: $what"; cat err; return 1; }
	done
	stream 'func|0|f|-|-|-' end >x.prof
	prof-to tsv x.prof 2>&1 >/dev/null | has -x 'prof-to: tsv cannot hold: functions without rows (1)'
}

# loses WORDS: standard input is a stream of which a table loses just this.
loses() {
	cat >x.prof
	fails_with "^prof-to: tsv cannot hold: $1\$" prof-to tsv --strict x.prof
}

@test "tsv: of a stack's frames the names are kept, and no more" {
	local more

	# A function of a frame is one of a row; the caller too.
	stream 'func|0|f|-|-|-' 'func|1|g|-|-|-' 'ctx|0|-|0|-|-|-' 'ctx|1|0|1|-|-|-' \
		'sample|1|5' end >x.prof
	prof-to tsv --strict x.prof
	prof-to text x.prof >out
	absent '^func' out
	for more in 'ctx|0|-|0|0|-|-' 'ctx|0|-|0|-|3|-' 'ctx|0|-|0|-|-|0x1' \
		'ctx|0|-|0|-|-|-|k=v' 'ctx|0|-|1|-|-|-' 'ctx|0|-|2|-|-|-'; do
		stream 'file|0|a.c' 'object|0|/bin/a|-' 'func|0|f|-|-|-' 'func|1|g|0|-|-' \
			'func|2|h|-|0|-' "$more" 'ctx|1|0|0|-|-|-' 'sample|1|5' 'sample|1|6' \
			'cost|0|-|1|-|1' 'cost|1|-|1|-|1' 'cost|2|-|1|-|1' end >y.prof
		loses 'places of frames \(2\), costs \(3\).*' <y.prof
	done
}

@test "json: records have all values of the metadata of their part" {
	sed $'2a\\\nmeta\tthread\tt 1\tt 2' "$(at small.prof)" | prof-to json |
		jq -c 'select(.record == "call") | .thread' | has -x '"t 1, t 2"'
}

@test "tsv: metadata, parts and runs that no row shows are dropped data" {
	local part='part|1
event|0|Ir|-|-|-
cost|-|-|1|-|5' second='part|1
meta|part|2
event|0|Ir|-|-|-
cost|-|-|2|-|7'
	# A column is there if the first part with rows has the fact.
	printf '%s\n' 'prof|1' "$part" "$second" end | bars |
		loses 'metadata \(1\), which part a row belongs to \(1\)'
	printf '%s\n' 'prof|1' 'part|1' 'meta|thread|1' 'event|0|Ir|-|-|-' "$second" end |
		bars | loses 'metadata \(1\), parts without rows \(1\)'
	printf '%s\n' 'prof|1' "$second" 'part|1' 'meta|part|1' end | bars |
		loses 'metadata \(1\), parts without rows \(1\)'
	printf '%s\n' 'prof|1' "${second/|1/|4}" 'part|5' "${part#*
}" end | bars | loses 'which run a part belongs to \(1\)'
	printf '%s\n' 'prof|1' 'part|1|positions=line|k=v' "${part#*
}" end | bars | loses 'attributes of parts \(1\)'
	printf '%s\n' 'prof|1' 'part|1' 'meta|part|1|2' 'meta|thread' 'meta|source|-' "${part#*
}" end | bars | loses 'metadata \(1\)'
	# As many as there are.
	printf '%s\n' 'prof|1' "$part" "${second/meta/meta|thread|1
meta|pid|9
meta|cmd|x
meta}" end | bars | loses 'metadata \(4\), which part a row belongs to \(1\)'
	printf '%s\n' 'prof|1' 'part|1' 'meta|thread|1' 'meta|pid|9' 'event|0|Ir|-|-|-' \
		"$second" end | bars | loses 'metadata \(2\), parts without rows \(1\)'
}

@test "tsv: what points are of is lost, unless it is what a table takes them for" {
	for e in cost Ir; do
		printf '%s\n' 'prof|1' 'part|1' "event|0|$e|-|-|-" 'func|0|f|-|-|-' \
			'point|0|-|5|1|1|1|1|1|1|1|1|1|1|-|-|-|-|-|-|-' end | bars >$e.prof
	done
	prof-to tsv --strict cost.prof | prof-cat | grep '^event\|^point' >got
	grep '^event\|^point' cost.prof | diff - got
	loses 'names of metrics \(1\)' <Ir.prof
}

@test "tsv: an event that a later part has twice is rejected" {
	{
		stream 'meta|part|1' 'cost|-|-|1|-|5'
		printf 'part\t1\nevent\t0\tIr\t-\t-\t-\nevent\t1\tIr\t-\t-\t-\ncost\t-\t-\t1\t-\t6\t7\nend\n'
	} >x.prof
	fails_with "^prof-to: tsv: event 'Ir': the table already has a column of this name" prof-to tsv x.prof
}

@test "--records is of tables, and of kinds that there are" {
	fails_with '^prof-to: --records is only for tsv$' prof-to json --records cost "$(at small.prof)"
	fails_with "expected cost, call, jump|--records" prof-to tsv --records func "$(at small.prof)"
}

# ---- tables read back ----

@test "a real profile's tables come back the same, each kind" {
	local kind

	for kind in cost call total; do
		prof-to tsv --quiet --records $kind "$(at a.cg)" >x.tsv
		[ "$(wc -l <x.tsv)" -gt 1 ]
		prof-cat x.tsv | prof-to tsv --quiet --records $kind | cmp - x.tsv
		prof-to tsv --quiet --records $kind x.tsv | cmp - x.tsv
		prof-cat x.tsv | prof-cat | prof-to tsv --quiet --records $kind | cmp - x.tsv
		[ "$(prof-cat --probe x.tsv)" = 'x.tsv: tsv' ]
	done
	gzip -k x.tsv
	prof-to tsv --quiet --records total x.tsv.gz | cmp - x.tsv
}

@test "prof-top has the same costs for a table as for its profile, except calls" {
	local by

	prof-to tsv --quiet "$(at a.cg)" >x.tsv
	for by in function file object file,line; do
		# Self costs only; rows without are those that only make calls.
		self='NR == 1 { for (i = 1; i <= NF; i++) keep[i] = $i !~ /incl$|^calls$/ }
			{ s = ""; n = 0; for (i = 1; i <= NF; i++) if (keep[i]) {
				s = s "\t" $i; n += $i ~ /^[0-9]+$/ && $i > 0 }
			if (n) print s }'
		prof-top --tsv -b $by "$(at a.cg)" | awk -F'\t' "$self" | sort >want
		prof-top --tsv -b $by x.tsv | awk -F'\t' "$self" | sort >got
		[ "$(wc -l <want)" -ge 3 ]
		diff -u want got
	done
	# A table has no calls: how many there were is not known.
	[ "$(prof-top --tsv x.tsv | awk -F'\t' 'NR > 1 { print $4 }' | sort -u)" = - ]
}

@test "columns may stand in any order" {
	prof-to tsv --quiet "$(at a.cg)" >x.tsv
	mlr --tsv reorder -e -f function,object,line x.tsv >y.tsv
	[ "$(head -n 1 y.tsv | cut -f 2,5)" = 'function.file	Ir' ]
	mlr --tsv reorder -f DLmw,addr,file y.tsv >z.tsv
	prof-cat y.tsv | prof-to tsv | cmp - x.tsv
	# Events are numbered as they stand.
	prof-cat z.tsv | awk -F'\t' '$1 == "event" { print $3 }' | sed -n 1,2p >got
	printf 'DLmw\nIr\n' | diff -u - got
	prof-top --tsv --events Ir,D1mr z.tsv >got
	prof-top --tsv --events Ir,D1mr x.tsv | diff -u - got
}

@test "a table lands in the stream as prof-stream(5) says" {
	printf '%s\n' 'source|function|function.file|object|file|line|addr|my event' \
		'x|f|a.c|/bin/x|b.c|7|0x10|5' 'y|-|-|-|-|-|-|-' 'y|f|a.c|/bin/x|a.c|1|-|2' |
		bars >x.tsv
	bars >want <<-'E'
	prof|1
	part|1|positions=addr,line
	meta|format|tsv
	meta|source|x
	event|0|my event|-|-|-|calls=absent
	file|0|a.c
	object|0|/bin/x|-
	func|0|f|0|0|-
	file|1|b.c
	cost|0|1|7|0x10|5
	part|1|positions=line
	meta|format|tsv
	meta|source|y
	event|0|my event|-|-|-|calls=absent
	cost|-|-|-|-|-
	cost|0|0|1|-|2
	end
	E
	prof-cat x.tsv | sort >got
	sort want | diff -u - got
	# Line ends of other systems are line ends.
	sed 's/$/\r/' x.tsv >y.tsv
	prof-cat y.tsv | sort | diff -u got -
}

# ---- other programs ----

# A profile whose names would trouble a reader that thinks of CSV.
quoted() {
	stream 'file|0|"a" b.c' 'func|0|operator""_s|0|-|-' 'func|1|"|0|-|-' \
		'func|2|"x", "y"|0|-|-' 'func|3|'\''z'\''|0|-|-' 'func|4|\\"|0|-|-' \
		'cost|0|0|1|-|1' 'cost|1|0|2|-|20' 'cost|2|0|3|-|300' 'cost|3|0|4|-|4000' \
		'cost|4|0|5|-|50000' 'cost|1|0|6|-|600000' end
}

# sqlite TABLE FILE... -- SQL: the files imported as tables a, b, ...
sqlite() {
	local letter=a cmd=()
	while [ "$1" != -- ]; do
		cmd+=(-cmd ".import $1 $letter")
		letter=$(tr a-y b-z <<<$letter)
		shift
	done
	sqlite3 -batch -cmd '.mode ascii' -cmd '.separator "\t" "\n"' "${cmd[@]}" \
		-cmd '.mode list' -cmd '.separator "\t" "\n"' :memory: "$2"
}

@test "sqlite3 reads names with quotes in them as they are" {
	quoted >x.prof
	prof-to tsv --quiet x.prof >x.tsv
	sqlite x.tsv -- 'select function, sum(Ir) from a group by 1 order by 2' >got
	printf '%s\n' 'operator""_s|1' '"x", "y"|300' "'z'|4000" '\\"|50000' '"|600020' |
		bars | diff -u - got
	prof-top --tsv x.prof | rows - | cut -f 1,5 | sort >want
	sort got | diff -u want -
	[ "$(sqlite x.tsv -- 'select distinct "function.file" from a')" = '"a" b.c' ]
}

@test "the files with the most misses: awk, sqlite3, Miller and jq agree with prof-top" {
	prof-top --tsv -b file --events D1mr "$(at a.cg)" | rows - |
		awk -F'\t' '$3 > 0 { print $1 "\t" $3 }' | sort >want
	[ "$(wc -l <want)" -ge 5 ]
	prof-to tsv --quiet "$(at a.cg)" >x.tsv
	awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
		{ n[$col["file"]] += $col["D1mr"] }
		END { for (f in n) if (n[f]) print f "\t" n[f] }' x.tsv | sort | diff -u want -
	sqlite x.tsv -- 'select file, sum(D1mr) s from a group by 1 having s' |
		sort | diff -u want -
	mlr --tsv --headerless-csv-output stats1 -a sum -f D1mr -g file \
		then filter '$D1mr_sum > 0' x.tsv | sort | diff -u want -
	prof-to json "$(at a.cg)" | jq -rs '[.[] | select(.record == "cost")]
		| group_by(.file)[] | [.[0].file // "-", (map(.D1mr) | add)]
		| select(.[1] > 0) | @tsv' | sort | diff -u want -
}

@test "two runs joined: sqlite3, join, Miller and jq agree with prof-top" {
	local f

	for f in a b; do
		prof-top --tsv --events Ir "$(at $f.cg)" | rows - |
			awk -F'\t' '$5 > 0 { print $1 "#" $2 "#" $3 "\t" $5 }' |
			LC_ALL=C sort -t '	' -k 1,1 >top.$f
		prof-to tsv --quiet --events Ir "$(at $f.cg)" >$f.tsv
	done
	# Functions that got slower, by how much.
	join -t '	' top.a top.b | awk -F'\t' '$3 > $2 { print $1 "\t" $3 - $2 }' |
		sort >want
	[ "$(wc -l <want)" -ge 2 ]
	sqlite a.tsv b.tsv -- '
		with x as (select function||"#"||"function.file"||"#"||object f,
			sum(Ir) n from a group by 1),
		y as (select function||"#"||"function.file"||"#"||object f,
			sum(Ir) n from b group by 1)
		select f, y.n - x.n from x join y using (f) where y.n > x.n' | sort >got
	diff -u want got
	mlr --tsv stats1 -a sum -f Ir -g function,function.file,object \
		then rename Ir_sum,before a.tsv >sum.tsv
	mlr --tsv --headerless-csv-output stats1 -a sum -f Ir -g function,function.file,object \
		then join -j function,function.file,object -f sum.tsv \
		then put '$f = $function . "#" . ${function.file} . "#" . $object;
			$d = $Ir_sum - $before' then filter '$d > 0' then cut -o -f f,d b.tsv |
		sort | diff -u want -
	prof-to json --events Ir "$(at a.cg)" "$(at b.cg)" | jq -rs '
		[.[] | select(.record == "cost")
		| {f: ([.function, .["function.file"], .object] | map(. // "-") | join("#")),
			n: (if .source | endswith("b.cg") then .Ir else -.Ir end)}]
		| group_by(.f)[] | select((map(.n < 0) | any) and (map(.n > 0) | any))
		| [.[0].f, (map(.n) | add)] | select(.[1] > 0) | @tsv' | sort | diff -u want -
}

# ---- JSON ----

@test "json: every member of every kind of record" {
	prof-to json "$(at every.prof)" >x.json
	cat >want <<-'E'
	{"record":"prof","version":1}
	{"record":"tag","name":"frame","mode":"may","values":["at:func:key","in:file:key","of:object:key","line:line:key","addr:addr:key","n:int:sum","name:str:note","v:values:sum","a:attrs:note"]}
	{"record":"part","run":1,"attrs":{"positions":"addr,line","addr":"run"}}
	{"record":"meta","key":"format","values":["callgrind"]}
	{"record":"meta","key":"cmd","values":["./a","-x","two words"]}
	{"record":"object","path":"/bin/a","key":"4f0c","attrs":{"arch":"x86-64"}}
	{"record":"object","path":null,"key":null}
	{"record":"func","name":"main","file":"a.c","object":"/bin/a","key":null}
	{"record":"func","name":"in line","file":"dir/a.h","object":"/bin/a","key":"_Z2inv","attrs":{"weak":"1","tls":""}}
	{"record":"func","name":null,"file":null,"object":null,"key":"0x10"}
	{"record":"event","id":0,"name":"Ir","unit":"instructions","formula":null,"description":"Instruction Fetch"}
	{"record":"event","id":1,"name":"Dr","unit":null,"formula":null,"description":null,"attrs":{"merge":"max"}}
	{"record":"event","id":null,"name":"Both","unit":null,"formula":"Ir + Dr","description":"the two"}
	{"record":"cost","function":"main","function.file":"a.c","object":"/bin/a","file":"a.c","line":3,"addr":"0x400","Ir":10,"Dr":2}
	{"record":"cost","function":"main","function.file":"a.c","object":"/bin/a","file":"dir/a.h","line":"7:4","addr":"0x404","Ir":5,"Dr":0}
	{"record":"cost","function":null,"function.file":null,"object":null,"function.key":"0x10","file":null,"line":null,"addr":null,"Ir":null,"Dr":4,"attrs":{"where":"nowhere"}}
	{"record":"cost","function":"in line","function.file":"dir/a.h","object":"/bin/a","function.key":"_Z2inv","file":"a.c","line":8,"addr":"0x408","Ir":0,"Dr":0}
	{"record":"call","function":"main","function.file":"a.c","object":"/bin/a","file":"a.c","line":3,"addr":"0x400","callee":"in line","callee.file":"dir/a.h","callee.object":"/bin/a","callee.key":"_Z2inv","tline":1,"taddr":"0x500","count":12,"Ir":50,"Dr":20}
	{"record":"call","function":"main","function.file":"a.c","object":"/bin/a","file":"a.c","line":3,"addr":"0x400","callee":null,"callee.file":null,"callee.object":null,"tline":null,"taddr":null,"count":null,"Ir":1,"Dr":0,"attrs":{"role":"x"}}
	{"record":"jump","function":"main","function.file":"a.c","object":"/bin/a","file":"a.c","line":3,"addr":"0x400","tfunc":"main","tfunc.file":"a.c","tfunc.object":"/bin/a","tfile":"a.c","tline":4,"taddr":"0x410","followed":6,"executed":9}
	{"record":"jump","function":"main","function.file":"a.c","object":"/bin/a","file":"a.c","line":3,"addr":"0x400","tfunc":"in line","tfunc.file":"dir/a.h","tfunc.object":"/bin/a","tfunc.key":"_Z2inv","tfile":"dir/a.h","tline":4,"taddr":"0x410","followed":6,"executed":null}
	{"record":"sample","stack":[{"function":"main","function.file":"a.c","object":"/bin/a","file":"a.c","line":3,"addr":"0x400"},{"function":"in line","function.file":"dir/a.h","object":"/bin/a","function.key":"_Z2inv","attrs":{"thread":"main"}}],"Ir":7,"Dr":7,"attrs":{"label":"a"}}
	{"record":"point","function":"main","function.file":"a.c","object":"/bin/a","stack":null,"size":16,"occ":2,"min":10,"max":30,"sum":40,"sqr":1000,"real":40,"self":20,"selfmin":9,"selfmax":11,"selfsqr":202,"avg":null,"rms":null,"rmssqr":null,"syscalls":12,"threads":7,"selfsyscalls":8,"selfthreads":9}
	{"record":"point","function":"main","function.file":"a.c","object":"/bin/a","stack":[{"function":"main","function.file":"a.c","object":"/bin/a","file":"a.c","line":3,"addr":"0x400"},{"function":"in line","function.file":"dir/a.h","object":"/bin/a","function.key":"_Z2inv","attrs":{"thread":"main"}}],"size":16,"occ":null,"min":null,"max":null,"sum":null,"sqr":null,"real":null,"self":null,"selfmin":null,"selfmax":null,"selfsqr":null,"avg":3,"rms":4,"rmssqr":5,"syscalls":6,"threads":null,"selfsyscalls":null,"selfthreads":null,"attrs":{"n":"1"}}
	{"record":"vprof","function":"main","function.file":"a.c","object":"/bin/a","site":"12","type":"int","count":3,"value":"-7"}
	{"record":"raw","function":"main","function.file":"a.c","object":"/bin/a","text":"bb=0x10 3"}
	{"record":"frame","at":"main","at.file":"a.c","at.object":"/bin/a","in":"dir/a.h","of":"/bin/a","line":"5:2","addr":"0x10#0x20","n":77,"name":"a name","Ir":1,"Dr":2,"attrs":{"k":"v"}}
	{"record":"meta","key":"note","values":["comes late"]}
	{"record":"total","of":"run","Ir":100,"Dr":40}
	{"record":"total","of":"sum","Ir":15,"Dr":6}
	{"record":"part","run":1}
	{"record":"event","id":0,"name":"Ir","unit":null,"formula":null,"description":null}
	{"record":"cost","function":"main","function.file":"a.c","object":"/bin/a","file":"a.c","line":1,"addr":null,"Ir":3}
	{"record":"end"}
	E
	diff -u want x.json
	# And jq takes it for the same.
	jq -c . x.json | diff -u want -
}

@test "json: the same of a file and of its stream" {
	prof-to json "$(at a.cg)" >x.json
	prof-cat "$(at a.cg)" | prof-to json | cmp - x.json
	[ "$(tail -n 1 x.json)" = '{"record":"end"}' ]
	[ "$(grep -c '"record":"end"' x.json)" = 1 ]
	prof-to json "$(at a.cg)" "$(at b.cg)" >x.json
	prof-cat "$(at a.cg)" "$(at b.cg)" | prof-to json | cmp - x.json
	[ "$(jq -r 'select(.record == "cost") | .source' x.json | uniq)" = "$(at a.cg)
$(at b.cg)" ]
	prof-to json "$(at every.prof)" >x.json
	prof-cat "$(at every.prof)" | prof-to json | cmp - x.json
}

@test "json: a file that is truncated has no end" {
	head -n 9 "$(at small.prof)" >x.prof
	fails_with 'x.prof:.*' prof-to json x.prof
	[ "$(head -n -1 fails.out | tail -n 1 | jq -r .record)" = cost ]
	# Whoever looks for no end sees it, too.
	if jq . fails.out; then return 1; fi
}

@test "json: integers beyond 2^53 are strings" {
	stream 'cost|-|-|9007199254740992|-|9007199254740992' \
		'cost|-|-|9007199254740993|-|9007199254740993' \
		'cost|-|-|1|-|-9007199254740992' 'cost|-|-|1|-|-9007199254740993' \
		'cost|-|-|1|-|123456789012345678901234567890123456789012345678901' end >x.prof
	prof-to json x.prof >x.json
	jq -c 'select(.record == "cost") | [.line, .Ir, (.Ir | type)]' x.json >got
	cat >want <<-'E'
	[9007199254740992,9007199254740992,"number"]
	["9007199254740993","9007199254740993","string"]
	[1,-9007199254740992,"number"]
	[1,"-9007199254740993","string"]
	[1,"123456789012345678901234567890123456789012345678901","string"]
	E
	diff -u want got
}

@test "json: any bytes are valid JSON, and no two names give the same" {
	# All names of one and two bytes, some longer ones.
	perl -e '
		my %e = ("\t", "\\t", "\n", "\\n", "\r", "\\r", "\\", "\\\\", "\0", "\\x00");
		my @n = (map(chr, 0 .. 255), map { my $a = $_; map(chr($a) . chr, 0 .. 255) } 0 .. 255);
		push @n, map("\xe0$_\x80", "\x9f", "\xa0"), map("\xed$_\x80", "\x9f", "\xa0"),
		    map("\xf0$_\x80\x80", "\x8f", "\x90"), map("\xf4$_\x80\x80", "\x8f", "\x90"),
		    "\xe2\x82\xac", "\xe2\x82", "\xed\xb2\x80", "\\udc80", "\xf8\x88\x80\x80\x80";
		my %seen;
		@n = grep { !$seen{$_}++ } @n;
		print "prof\t1\npart\t1\n";
		for my $i (0 .. $#n) {
			my $s = join "", map { $e{$_} // $_ } split //, $n[$i];
			$s = "\\-" if $s eq "-";
			print "func\t$i\t$s\t-\t-\t-\n";
		}
		print "end\n"' >x.prof
	prof-to json x.prof >x.json
	grep -a '"func"' x.json >funcs
	n=$(grep -ac '^func' x.prof)
	[ "$n" -gt 65800 ]
	[ "$(wc -l <funcs)" = "$n" ]
	[ "$(LC_ALL=C sort -u funcs | wc -l)" = "$n" ]
	jq -r .record funcs | uniq -c >got
	[ "$(awk '{ print $1, $2 }' got)" = "$n func" ]
	# The text is UTF-8, and without control characters.
	iconv -f UTF-8 -t UTF-8 x.json >/dev/null
	absent '[[:cntrl:]]' x.json
	# Text that is UTF-8 is what jq gives back.
	grep -a '^func' x.prof | cut -f 3 | LC_ALL=C.UTF-8 grep -ax '.*' |
		sed 's,^\\-$,-,' | grep -av $'[\x01-\x1f\x7f"\\\\]' |
		grep -avP '^(\xc2[\x80-\x9f\xad]|\xcd\x8f|\xd8\x9c)$' >want	# controls, no width
	[ "$(wc -l <want)" -gt 10000 ]
	grep -av '\\' funcs | jq -r .name | diff -u want -
	grep -aqF '"name":"\udce9"' funcs
	grep -aqF '"name":"\udced\udcb2\udc80"' funcs
	grep -aqF '"name":"\\udc80"' funcs
	grep -aqF '"name":"€"' funcs
	grep -aqF '"name":"\u0000"' funcs
	grep -aqF '"name":"\u009b"' funcs
	grep -aqF '"name":"\u061c"' funcs
	grep -aqF '"name":"\""' funcs
}

@test "json: names of events, keys and attributes are escaped, too" {
	stream 'event|1|a "q"\t\\|-|-|-' 'meta|k"\n|v"|-|' 'func|0|f|-|-|-|a\=b"=c"\t=d|e=' \
		'cost|0|-|1|-|1|2' end >x.prof
	prof-to json x.prof >x.json
	[ "$(jq -c 'select(.record == "cost") | to_entries[-1] | [.key, .value]' x.json)" = \
		'["a \"q\"\t\\",2]' ]
	[ "$(jq -c 'select(.record == "meta") | [.key, .values]' x.json)" = \
		'["k\"\n",["v\"",null,""]]' ]
	[ "$(jq -c 'select(.record == "func") | .attrs' x.json)" = '{"a=b\"":"c\"\t=d","e":""}' ]
}

@test "json: values of an attribute that comes again are an array, in their order" {
	stream 'event|1|x|-|-|-' 'sample|-|5|7|a=1|b=x|a=2|a="' 'sample|-|5|7|a=3' end >x.prof
	prof-to json x.prof | jq -c 'select(.record == "sample").attrs' | diff - <(printf '%s\n' \
		'{"a":["1","2","\""],"b":"x"}' '{"a":"3"}')
}

@test "json: a declared record has no member twice" {
	local cols

	declared() {
		printf 'prof|1|\ntag|x|may|%s\n' "$1" | sed 's/|$//' | bars
		stream 'meta|thread|1' 'x|1|2' end | tail -n +2
	}
	for cols in 'a:int:sum|a:int:sum' 'record:int:sum|b:int:sum' 'b:int:sum|attrs:int:sum' \
		'thread:int:sum|b:int:sum' 'Ir:int:sum|v:values:sum' 'f:func:key|f.file:int:sum'; do
		declared "$cols" | sed 's/^\(x	\)1	2/\1-	2/' >x.prof
		prof-cat x.prof >/dev/null
		fails_with "^prof-to: json: record 'x': column '[a-zI.]*': the object already has a member of" \
			prof-to json x.prof
	done
	declared 'Ir:int:sum|b:int:sum' >x.prof
	prof-to json x.prof | has -xF '{"record":"x","thread":"1","Ir":1,"b":2}'
}

# ---- bad tables ----

# bad TEXT SED: the small table, edited, is refused with TEXT.
bad() {
	sed "$2" "$(at small.tsv)" >x.tsv
	fails_with "^prof-cat: x.tsv:$1" prof-cat x.tsv
	[ "$(tail -n 1 fails.out)" != end ]
}

@test "tables that are not tables are rejected, with the place" {
	local has="a table of cost records has: function function.file object file line addr"

	bad "1: no column 'line'; $has\$" '1s/line/zeile/'
	bad "1: no column 'object'; $has\$" '1s/object/Object/'
	bad "1: no column 'function.file'" '1s/function.file/function_file/'
	cut -f 1-4,6- "$(at small.tsv)" >x.tsv
	fails_with "^prof-cat: x.tsv:1: no column 'line'; $has\$" prof-cat x.tsv
	bad "1: column 'Ir' appears twice" '1s/Dr/Ir/'
	bad "1: column 'file' appears twice" '1s/addr/file/'
	bad "1: expected a column name, found ''" '1s/Dr//'
	bad "1: expected a column name, found '-'" '1s/Dr/-/'
	bad "1: expected a column name, found 'a.q'" '1s/Dr/a\\q/'
	bad '2: expected 8 fields, found 7' '2s/	1$//'
	bad '3: more fields than columns \(8\)' '3s/$/	0/'
	bad '3: expected 8 fields, found 1' '3s/.*//'
	bad "2: Dr: expected a whole number or '-', found '1.5'" '2s/1$/1.5/'
	bad "2: Dr: expected a whole number or '-', found ''" '2s/1$//'
	bad "2: Dr: expected a whole number or '-', found '01'" '2s/1$/01/'
	bad "2: Ir: expected a whole number or '-', found '10 '" '2s/10	/10 	/'
	bad "2: line: expected a line number, found '-1'" '2s/c	1	/c	-1	/'
	bad "2: line: expected a line number, found '18446744073709551616'" \
		'2s/c	1	/c	18446744073709551616	/'
	bad "2: addr: expected an address, found '10'" '2s/c	1	-/c	1	10/'
	bad "2: function: bad escape in 'm.q'" '2s/main/m\\q/'
	bad "2: file: bad escape in 'a.'" '2s/a.c	1/a\\	1/'
	bad '4: ' '$a\
function	function.file	object	file	line	addr	Ir	Dr'
	sed '1s/$/	source/; 2s/$/	\\q/; 3s/$/	x/' "$(at small.tsv)" >x.tsv
	fails_with "^prof-cat: x.tsv:2: source: bad escape in '.q'" prof-cat x.tsv
	prof-to tsv --records call --quiet "$(at small.prof)" | sed '2s/	3	20	0/	x	20	0/' >x.tsv
	fails_with "^prof-cat: x.tsv:2: count: expected a whole number, found 'x'" prof-cat x.tsv
	prof-to tsv --records jump --quiet "$(at every.prof)" | sed '1s/$/	Ir/; 2,$s/$/	1/' >x.tsv
	fails_with "^prof-cat: x.tsv:1: unknown column 'Ir' in a table of jump records" prof-cat x.tsv
	for f in 'a\\' 'a\\b' 'a;\\' 'a\\?' 'a\x' 'a;b\'; do
		printf 'stack\tIr\n%s\t5\n' "$f" >x.tsv
		fails_with '^prof-cat: x.tsv:2: stack: bad escape in .a' prof-cat x.tsv
	done
	printf 'of\tIr\nsum\t5\nrin\t5\n' >x.tsv
	fails_with "^prof-cat: x.tsv:3: of: expected 'run' or 'sum', found 'rin'" prof-cat x.tsv
	# A table of prof-top's is none of records.
	prof-top --tsv "$(at small.prof)" >x.tsv
	fails_with "^prof-cat: x.tsv:1: no column 'function.file'; a table of cost" prof-cat x.tsv
	: >x.tsv
	fails_with '^prof-cat: x.tsv: empty' prof-cat --from tsv x.tsv
	printf 'a\tb\n1\t2\n' >x.tsv
	fails_with '^prof-cat: x.tsv: unknown format' prof-cat x.tsv
	fails_with '^prof-cat: x.tsv:1: no column' prof-cat --from tsv x.tsv
}

@test "--lenient leaves bad rows out and counts them" {
	{
		cat "$(at small.tsv)"
		bars <<-'E'
		bad|a.c|/bin/a|a.c|x|-|100|0
		good|a.c|/bin/a|a.c|3|-|1000|0
		short|a.c
		worse|a.c|/bin/a|a.c|4|-|10000|y
		E
		printf 'cut\ta.c'
	} >x.tsv
	prof-cat --lenient x.tsv >x.prof 2>err
	grep -q "skipped: x.tsv:4: line: expected a line number, found 'x'" err
	grep -q 'skipped: x.tsv:6: expected 8 fields, found 2' err
	grep -q "skipped: x.tsv:7: Dr: expected a whole number or '-', found 'y'" err
	grep -q 'skipped: x.tsv:8: the table is truncated: its last line has no newline' err
	grep -q '4 malformed or truncated lines skipped' err
	grep -qx 'meta	skipped	4' x.prof
	prof-top --tsv --events Ir x.prof | rows - | cut -f 1,5 | awk '$2' >got
	printf 'good\t1000\nleaf\t20\nmain\t10\n' | diff -u - got
	# Nothing of what is left out stays.
	bars >x.tsv <<-'E'
	source|function|function.file|object|file|line|addr|Ir
	a|f|-|-|-|x|-|1
	b\q|g|-|-|-|1|-|1
	c|h|i\q|-|-|1|-|1
	d|j|k|l|m|1|-|x
	E
	prof-cat --lenient x.tsv 2>err >x.prof
	bars >want <<-'E'
	prof|1
	part|1|positions=line
	meta|format|tsv
	event|0|Ir|-|-|-|calls=absent
	meta|skipped|4
	end
	E
	diff -u want x.prof
	printf 'e\tf\t-\t-\t-\t1\t-\t1\n' >>x.tsv
	prof-cat --lenient --quiet x.tsv 2>err | grep -E '^(part|meta.source|func|cost)' >got
	printf 'part\t1\tpositions=line\nmeta\tsource\te\nfunc\t0\tf\t-\t-\t-\ncost\t0\t-\t1\t-\t1\n' |
		diff -u - got
	# A header line is not skipped.
	sed '1s/line/zeile/' "$(at small.tsv)" >x.tsv
	fails_with "x.tsv:1: no column 'line'" prof-cat --lenient x.tsv
}

@test "a table that is truncated is an error, but at the end of a line" {
	local f n i

	f=$(at small.tsv)
	n=$(wc -c <"$f")
	for ((i = 1; i < n; i++)); do
		head -c $i "$f" >x.tsv
		if [ "$(tail -c 1 x.tsv | od -An -c | tr -d ' ')" = '\n' ]; then
			prof-cat x.tsv >x.prof
			[ "$(grep -c '^cost' x.prof)" = $(($(wc -l <x.tsv) - 1)) ]
		else
			fails_with 'x.tsv(:[0-9]+)?: (the table is truncated|unknown format)' prof-cat x.tsv
			[ "$(tail -n 1 fails.out)" != end ]
			fails_with '^prof-cat: x.tsv:[0-9]+: the table is truncated: its last line has no newline' \
				prof-cat --from tsv x.tsv
		fi
	done
}

# ---- text, and terminals ----

@test "text: names written out, columns aligned, numbers grouped" {
	stream 'event|1|Dr|-|-|-' 'meta|cmd|./a|b c' 'file|0|a.c' 'file|1|b.h' \
		'func|0|main|0|-|-' 'func|1|a_long_name|0|-|-' 'func|2|idle|1|-|-' \
		'cost|0|0|7|-|1234567|-' 'cost|1|0|12|-|5|60' 'call|0|0|7|-|1|9|-|1000|5|60' \
		'total|run|1234572|60' end >x.prof
	prof-to text x.prof >got
	cat >want <<-'E'
	record  run  attributes
	part      1  positions=line

	record  key  values
	meta    cmd  ./a  b c

	record  id  name
	event    0  Ir
	event    1  Dr

	record  name  file
	func    idle  b.h

	record  function     file  line         Ir  Dr
	cost    main         a.c      7  1,234,567   -
	cost    a_long_name  a.c     12          5  60

	record  function  file  line  callee       callee.file  tline  count  Ir  Dr
	call    main      a.c      7  a_long_name  a.c              9  1,000   5  60

	record  of          Ir  Dr
	total   run  1,234,572  60
	E
	diff -u want got
	prof-cat x.prof | prof-to text | diff -u want -
}

@test "on a terminal prof-cat and prof-grep write text, as wide as it is" {
	local cmd

	prof-cat "$(at a.cg)" >x.prof
	for cmd in 'prof-cat x.prof' "prof-cat $(at a.cg)" 'prof-grep . x.prof' \
		'prof-to text x.prof'; do
		on_terminal 100 24 "$cmd" | perl -pe 's/\e\[[0-9;]*m//g' >out
		grep -q '^record  function ' out
		grep -Eq '^cost +leaf ' out
		absent -E '^(cost|call|func|part)	' out
		absent '^end' out
		[ "$(grep -c '^cost ' out)" = "$(grep -c '^cost' x.prof)" ]
		# Columns end where their headings do.
		perl -Ci -ne 'chomp; $end = index($_, " Ir ") + 3 if /^record/;
			if (/^cost/) { $n++; substr($_, $end - 2, 3) =~ /^.[-0-9] $/ or die "$_\n" }
			END { $n or die "no costs\n" }' out
	done
	prof-cat --events Ir "$(at a.cg)" >y.prof
	for n in 80 100 132; do
		on_terminal $n 24 'prof-cat y.prof' | perl -pe 's/\e\[[0-9;]*m//g' >out
		perl -Ci -ne 'chomp; if (length > '$n' && /^cost/) { print length, ": $_\n"; $b = 1 }
			END { exit $b }' out
	done
	[ "$(on_terminal 60 24 'prof-cat y.prof' | grep -c '^cost')" = "$(grep -c '^cost' y.prof)" ]
	on_terminal 60 24 'prof-cat y.prof' >got
	grep -q '^cost.*…' got
	on_terminal 60 24 'COLUMNS=400 prof-to text y.prof' >got
	absent '^cost.*…' got
}

@test "on a terminal the widest names are shortened, alike if they are as wide" {
	local n func file
	stream 'file|0|file_of_thirty_characters_here' \
		'func|0|func_of_thirty_characters_here|-|-|-' 'cost|0|0|7|-|123' end >x.prof
	while read -r n func file; do
		on_terminal $n 24 'prof-to text x.prof' | grep '^cost' >got
		echo "cost    $func  $file     7  123" | same - got
	done <<-'E'
	81 func_of_thirty_characters_here file_of_thirty_characters_here
	80 func_of_thirty_characters_here file_of_thirty…haracters_here
	79 func_of_thirty…haracters_here file_of_thirty…haracters_here
	78 func_of_thirty…haracters_here file_of_thirt…haracters_here
	60 func_of_t…cters_here file_of_t…ters_here
	45 func_…s_here file_…s_here
	E
	# The shorter one stays until the other is as short.
	sed -i 's/file_of_thirty_characters_here/file_of_twenty_chars/' x.prof
	on_terminal 65 24 'prof-to text x.prof' | grep -c ' file_of_twenty_chars ' >got
	on_terminal 61 24 'prof-to text x.prof' | grep '^cost' >>got
	printf '%s\n' 1 'cost    func_of_t…cters_here  file_of_twenty_chars     7  123' | same - got
}

@test "on a terminal control characters are seen, not obeyed" {
	stream 'func|0|evil\x00\t\n|-|-|-' >x.prof
	printf 'file\t0\t\033[31mred\007\nfunc\t1\t\033]0;title\007x\t0\t-\t-\ncost\t0\t0\t1\t-\t5\ncost\t1\t0\t1\t-\t5\nend\n' >>x.prof
	on_terminal 120 24 'TERM=dumb prof-cat x.prof' >out
	absent $'\033' out
	absent $'\007' out
	grep -qF '\x1b[31mred\x07' out
	grep -qF '\x1b]0;title\x07x' out
	grep -qF 'evil\x00\x09\x0a' out
	# Those beyond ASCII, in UTF-8 and without; letters stay.
	stream 'event|1|E\t\n|-|-|-' >x.prof
	printf 'func\t0\t\302\2332J\302\240\303\251\t-\t-\t-\nfunc\t1\t\2332J\351\t-\t-\t-\n' >>x.prof
	printf 'cost\t0\t-\t1\t-\t5\t6\ncost\t1\t-\t1\t-\t5\t6\nend\n' >>x.prof
	on_terminal 120 24 'TERM=dumb prof-cat x.prof' >out
	grep -aqF '\xc2\x9b2J'$'\302\240\303\251' out
	grep -aqF '\x9b2J'$'\351' out
	grep -aq '^record  function .*  Ir  E.x09.x0a$' out
	grep -aq '^cost .* 5  *6$' out
	prof-top x.prof >out
	absent $'\233' out
}

@test "colour is for headings, on terminals that have it" {
	cp "$(at small.prof)" x.prof
	on_terminal 80 24 'TERM=xterm prof-cat x.prof' >out
	[ "$(grep -c $'^\033\\[1mrecord .*\033\\[0m$' out)" = 4 ]
	[ "$(grep -c $'\033' out)" = 4 ]
	for env in TERM=dumb 'TERM=xterm NO_COLOR=1' TERM=; do
		on_terminal 80 24 "env $env prof-cat x.prof" >out
		absent $'\033' out
		[ "$(grep -c '^record ' out)" = 4 ]
	done
	on_terminal 80 24 'env TERM=xterm NO_COLOR= prof-cat x.prof' | has $'\033'
}

@test "elsewhere the stream is written: pipe, file, -o, prof-to prof" {
	cp "$(at small.prof)" x.prof
	on_terminal 80 24 'prof-cat x.prof | cat' | diff -u x.prof -
	on_terminal 80 24 'prof-grep . x.prof >y.prof; prof-cat x.prof >z.prof'
	cmp x.prof z.prof
	[ "$(tail -n 1 y.prof)" = end ]
	on_terminal 80 24 'prof-cat -o o.prof x.prof'
	cmp x.prof o.prof
	on_terminal 80 24 'prof-to prof x.prof' | diff -u x.prof -
	on_terminal 80 24 'prof-to tsv --quiet x.prof' | diff -u "$(at small.tsv)" -
}

@test "on a terminal the exit status is the same" {
	cp "$(at small.prof)" x.prof
	head -n 9 x.prof >cut.prof
	on_terminal 80 24 'prof-grep nosuch x.prof; echo "status $?"' | has -x 'status 1'
	on_terminal 80 24 'prof-cat cut.prof; echo "status $?"' >out
	grep -qx 'status 2' out
	grep -q '^prof-cat: cut.prof' out
}

@test "tables of many records begin anew, each with its heading" {
	{
		stream 'func|0|f|-|-|-'
		seq 2500 | sed 's/.*/cost	0	-	&	-	&/'
		printf 'func\t1\tnever\t-\t-\t-\nend\n'
	} >x.prof
	prof-to text x.prof >out
	[ "$(grep -c '^cost' out)" = 2500 ]
	[ "$(grep -c '^record  function  line' out)" = 3 ]
	[ "$(grep -c '^func    never$' out)" = 1 ]
	absent '^func    f$' out
	[ "$(awk '$1 == "cost" { gsub(",", "", $4); s += $4 } END { print s }' out)" = 3126250 ]
}

@test "text: each part has tables of its own events, and zeros that were left out" {
	{
		stream 'func|0|f|-|-|-' 'cost|0|-|1|-|5'
		printf '%s\n' 'part|1' 'event|0|Dr|-|-|-' 'event|1|Bc|-|-|-' 'cost|0|-|2|-|7' \
			'cost|0|-|3|-|-|8' end | bars
	} | prof-to text | grep '^record  func\|^cost' >got
	same - got <<-'E'
	record  function  line  Ir
	cost    f            1   5
	record  function  line  Dr  Bc
	cost    f            2   7   0
	cost    f            3   -   8
	E
}

@test "tsv: an event whose name is empty is rejected" {
	stream 'event|1||-|-|-' 'cost|-|-|1|-|5|6' end >x.prof
	fails_with '^prof-to: tsv: event 1 has no name, but a column needs one$' \
		prof-to tsv x.prof
	[ ! -s fails.out ]
}

@test "a table of 150000 columns is rejected at once" {
	shape tsv:columns-unknown 150000 >x.tsv
	fails_with "no column 'function.file'" brief 3 prof-cat x.tsv
	shape tsv:columns-unknown 150000 | sed -n 1p | sed 's/$/	e7/' >x.tsv
	fails_with "column 'e7' appears twice" brief 3 prof-cat x.tsv
}

@test "prof-to text has the file of a function, too, where a line is in another one" {
	printf '%s\n' 'events: Ir' 'fl=a.c' 'fn=f' '1 5' 'fi=b.h' '7 3' >f.cg
	prof-to text f.cg | tail -n 3 | tr -s ' ' | diff - <(printf '%s\n' \
		'record function function.file file line Ir' 'cost f a.c a.c 1 5' 'cost f a.c b.h 7 3')
	sed 's/^fi=.*/fi=a.c/' f.cg | prof-to text | tail -n 3 | tr -s ' ' | diff - <(printf '%s\n' \
		'record function file line Ir' 'cost f a.c 1 5' 'cost f a.c 7 3')
}

@test "Miller keeps E and E.incl if it is told that '.' nests nothing" {
	printf 'events: Ir\nfn=f\n1 10\ncfn=g\ncalls=1 1\n2 30\nfn=g\n1 30\n' >p
	grep -q 'no-auto-unflatten' "$TESTS/../man/prof-top.1"
	prof-top --tsv p | mlr --itsv --ojson --no-auto-unflatten cat |
		jq -c 'map([.function, .Ir, ."Ir.incl"])' | diff - <(echo '[["g",30,30],["f",10,40]]')
	# The same as of prof-top itself.
	prof-top --json p | jq -sc 'map([.function, .Ir, ."Ir.incl"])' |
		diff - <(echo '[["g",30,30],["f",10,40]]')
}
