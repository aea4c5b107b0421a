# SPDX-License-Identifier: ISC
# of: prof-cat prof-merge stream
# The canonical stream, prof-stream(5).

load helper.bash

# A stream of two events, an object, a file and two functions, 8 lines, and
# then the given ones; `end` is not added.
open_stream() {
	{
		cat <<-'E'
		prof  1
		part  1  positions=addr,line
		event  0  Ir  -  -  -
		event  1  Dr  -  -  -
		object  0  /bin/a  -
		file  0  a.c
		func  0  main  0  0  -
		func  1  leaf  0  0  -
		E
		[ $# -eq 0 ] || printf '%s\n' "$@"
	} | tabs
}

with() {
	open_stream "$@" end
}

# kept LINE...: prof-cat copies a stream with these lines byte for byte.
kept() {
	with "$@" >x.prof
	silent prof-cat x.prof >y.prof
	same x.prof y.prof
}

# refused TEXT LINE...: the first of the lines is the one complained about.
refused() {
	local text=$1
	shift
	with "$@" >x.prof
	exits_with 2 "x.prof:9: $text" prof-cat x.prof
	lacks out '^end'
}

every_record() {
	tabs <<-'E'
	prof  1
	tag  frame  may  at:func:key  in:file:key  of:object:key  line:line:key  addr:addr:key  n:int:sum  name:str:note  v:values:sum  a:attrs:note
	part  1  positions=addr,line  addr=run
	meta  format  callgrind
	meta  cmd  ./a  -x  two words
	object  0  /bin/a  4f0c  arch=x86-64
	object  1  -  -
	file  0  a.c
	file  1  dir/a.h
	func  0  main  0  0  -
	func  1  in line  1  0  _Z2inv  weak=1  tls=
	func  2  -  -  1  0x10
	ctx  0  -  0  0  3  0x400
	ctx  1  0  1  -  -  -  thread=main
	event  0  Ir  instructions  -  Instruction Fetch
	event  1  Dr  -  -  -  merge=max
	event  -  Both  -  Ir + Dr  the two
	cost  0  0  3  0x400  10  2
	cost  0  1  7  0x404  5
	cost  2  -  -  -  -  4  where=nowhere
	cost  1  0  8  0x408
	call  0  0  3  0x400  1  1  0x500  12  50  20
	call  0  0  3  0x400  -  -  -  -  1  role=x
	jump  0  0  3  0x400  0  0  4  0x410  6  9
	jump  0  0  3  0x400  1  1  4  0x410  6  -
	sample  1  7  7  label=a
	point  0  -  16  2  10  30  40  1000  40  20  9  11  202  -  1  2  3  4  5  6
	point  0  1  16  -  -  -  -  -  -  -  -  -  -  -  -  -  -  -  -  -  n=1
	vprof  0  12  int  3  -7
	raw  0  bb=0x10 3
	frame  0  1  0  5:2  0x10#0x20  77  a name  1  2  k=v
	meta  note  comes late
	total  run  100  40
	total  sum  15  6
	part  1
	event  0  Ir  -  -  -
	cost  0  0  1  -  3
	part  2  addr=link
	end
	E
}

@test "every kind of record comes out as it went in" {
	every_record >x.prof
	silent prof-cat x.prof >y.prof
	same x.prof y.prof
	silent prof-to prof <x.prof >z.prof
	same x.prof z.prof
}

@test "there is a test of every record that the manual's table has" {
	every_record | cut -f 1 | sort -u >tested
	sed -n 's/.*ROW(REC_[A-Z]*, "\([a-z]*\)".*/\1/p' "$repo/lib/stream/record.c" | sort >known
	echo frame >>known
	sort -o known known
	[ "$(wc -l <known)" -eq 19 ]
	same known tested
}

@test "all escapes in strings survive, in columns, lists and attributes" {
	kept 'file  1  tab\tline\nreturn\rback\\nul\x00' 'file  2  \-' 'file  3  --' \
		'file  4  a-b' 'meta  key\t1  \-  \x00\x00  -  \\' \
		'func  2  \-  -  -  \-  k\=1=v=w  k\\=\\  a\t=\r\n  d=\-'
}

@test "an equals sign in an attribute's key differs from the one that ends it" {
	with 'part  2  positions\=x=1  positions=line' 'event  0  Ir  -  -  -' \
		'cost  0  0  5  -  1' >x.prof
	silent prof-to callgrind --quiet x.prof >x.cg
	# The second part has lines only.
	[ "$(grep '^positions' x.cg | tail -1)" = 'positions: line' ]
}

@test "bad escapes are rejected" {
	local bad

	for bad in '\q' 'a\' '\x01' '\x0' '\x' '\x0g' 'a\-' '\-a' '\"' '\0' '\T'; do
		refused 'file path: bad escape in' "file  1  $bad"
		refused 'meta: bad escape in' "meta  k  $bad"
		refused 'func: expected key=value, found' "func  2  f  -  -  -  k=$bad"
	done
	refused 'func: expected key=value, found' 'func  2  f  -  -  -  k\=v'
}

@test "absent and empty are two things" {
	with >x.prof
	printf 'func\t2\t\t-\t-\t\nfunc\t3\t-\t-\t-\t-\nmeta\te\t\nmeta\ta\t-\nmeta\tn\n' >lines
	sed '8r lines' x.prof >y.prof
	silent prof-cat y.prof >z.prof
	same y.prof z.prof
	# Two functions, not one.
	[ "$(grep -c '^func' z.prof)" -eq 4 ]
}

@test "integers of any length are copied" {
	local n=1234567890123456789012345678901234567890

	kept "cost  0  0  1  -  $n  -$n" \
		"call  0  0  1  -  1  2  -  $n  0  $n" \
		"jump  0  0  1  -  1  0  2  -  $n  $n" "vprof  0  a  int  -$n  x" \
		"point  0  -  $n  1  $n  $n  $n  $n$n  -  -  -  -  -  -  -  -  -  -  -  -" "total  run  $n"
}

@test "sums are exact beyond 64 bits" {
	with 'cost  0  0  1  -  18446744073709551615' 'cost  0  0  2  -  18446744073709551615' \
		'cost  0  0  3  -  3' >x.prof
	prof-top --tsv --events Ir x.prof >out
	[ "$(awk -F '\t' '$1 == "main" { print $5 }' out)" = 36893488147419103233 ]
}

@test "a sum beyond 128 bits is an error" {
	with 'cost  0  0  1  -  170141183460469231731687303715884105727' \
		'cost  0  0  2  -  1' >x.prof
	exits_with 2 '128 bits' prof-top --tsv x.prof
	[ ! -s out ]
}

@test "a number has one spelling" {
	local bad

	for bad in +1 01 -0 -01 00 1. 1e3 0x10 ' 1' '1 ' --1; do
		refused "cost: expected a number or key=value, found '$bad'" "cost	0	0	1	-	$bad"
		refused "cost: expected a number or key=value, found '$bad'" "cost	0	0	1	-	1	$bad"
		refused "call count: expected a number, found '$bad'" "call	0	0	1	-	1	2	-	$bad"
		refused "jump executed: expected a number, found '$bad'" "jump	0	0	1	-	1	0	2	-	1	$bad"
		refused "vprof count: expected a number, found '$bad'" "vprof	0	s	t	$bad	v"
	done
	kept 'cost  0  0  1  -  0  -1'
}

@test "references have one spelling, too" {
	local bad

	for bad in 00 01 +0 -0 -1 0x0 '' a; do
		refused "cost func: expected a number, found '$bad'" "cost	$bad	0	1	-	5"
		refused "call callee: expected a number, found '$bad'" "call	0	0	1	-	$bad	1	-	5"
		refused "func id: expected a number, found '$bad'" "func	$bad	f	-	-	-"
	done
}

@test "all forms of an address are copied" {
	local a

	for a in - 0x0 0x1f 0xffffffffffffffff '#0' '#7' '#18446744073709551615' '#0x0' \
		'#0xab' '0x10#0x20' '0x0#0x0'; do
		kept "cost  0  0  1  $a  5" "call  0  0  1  $a  1  2  $a  1  5" \
			"jump  0  0  1  $a  1  0  2  $a  3  4" "ctx  0  -  0  0  1  $a"
	done
}

@test "malformed addresses are rejected" {
	local bad

	for bad in 0x 0x01 0xAB 0X1 10 '#' '#01' '#0x' '#-1' 0x10#20 0x10# 0x1g '0x1 ' \
		0x10000000000000000 '#18446744073709551616' '0x1#0x1#0x1' ''; do
		refused "cost addr: expected an address, found '$bad'" "cost	0	0	1	$bad	5"
		refused "call taddr: expected an address, found '$bad'" "call	0	0	1	-	1	2	$bad	1"
	done
}

@test "a line may have a column" {
	kept 'cost  0  0  12:4  -  5' 'cost  0  0  0:0  -  5' \
		'cost  0  0  18446744073709551615:18446744073709551615  -  5' \
		'call  0  0  1:2  -  1  3:4  -  5' 'jump  0  0  1:2  -  1  0  3:4  -  5  6'
}

@test "malformed lines of source are rejected" {
	local bad

	for bad in 01 1: :1 1:01 1:2:3 -1 +1 x 1:x 18446744073709551616 ''; do
		refused "cost line: expected a line number, found '$bad'" "cost	0	0	$bad	-	5"
		refused "jump tline: expected a line number, found '$bad'" "jump	0	0	1	-	1	0	$bad	-	5	6"
	done
}

@test "the n-th definition has the number n" {
	refused 'func: expected the number 2, found 3' 'func  3  x  -  -  -'
	refused 'func: expected the number 2, found 1' 'func  1  x  -  -  -'
	refused 'file: expected the number 1, found 4294967295' 'file  4294967295  x'
	refused 'object: expected the number 1, found 2' 'object  2  x  -'
	refused 'ctx: expected the number 0, found 1' 'ctx  1  -  0  -  -  -'
	refused 'event: expected the number 2, found 3' 'event  3  x  -  -  -'
	refused 'event: expected the number 2, found 0' 'event  0  x  -  -  -'
	refused "file id: expected a number, found '99999999999999999999'" \
		'file  99999999999999999999  x'
	refused "file id: expected a number, found '-'" 'file  -  x'
}

@test "what is referred to has been defined before" {
	refused 'cost func: no func has the number 2' 'cost  2  0  1  -  5'
	refused 'cost file: no file has the number 1' 'cost  0  1  1  -  5'
	refused 'cost func: no func has the number 4294967295' 'cost  4294967295  0  1  -  5'
	refused "cost func: expected a number, found '18446744073709551616'" \
		'cost  18446744073709551616  0  1  -  5'
	refused 'call callee: no func has the number 7' 'call  0  0  1  -  7  1  -  5'
	refused 'jump tfunc: no func has the number 7' 'jump  0  0  1  -  7  0  1  -  5  -'
	refused 'jump tfile: no file has the number 7' 'jump  0  0  1  -  0  7  1  -  5  -'
	refused 'func file: no file has the number 1' 'func  2  x  1  -  -'
	refused 'func object: no object has the number 1' 'func  2  x  -  1  -'
	refused 'ctx parent: no ctx has the number 0' 'ctx  0  0  0  -  -  -'
	refused 'sample ctx: no ctx has the number 0' 'sample  0  5'
	refused 'point ctx: no ctx has the number 0' \
		'point  0  0  1  1  1  1  1  1  1  1  1  1  1  -  -  -  -  -  -  -'
	refused 'vprof func: no func has the number 2' 'vprof  2  s  t  1  v'
	refused 'raw func: no func has the number 2' 'raw  2  text'
}

@test "a reference does not reach into the stream before" {
	{ with; printf 'prof\t1\npart\t1\nevent\t0\tIr\t-\t-\t-\ncost\t0\t-\t1\t-\t5\nend\n'; } >x.prof
	exits_with 2 'x.prof:13: cost func: no func has the number 0' prof-cat x.prof
}

@test "there are no more values than events" {
	local line values

	for line in 'cost  0  0  1  -' 'call  0  0  1  -  1  1  -  5' 'total  run'; do
		for values in '' '  1' '  1  2' '  0  0'; do
			kept "$line$values"
		done
		refused "${line%% *}: more values than events (2)" "$line  1  2  3"
		refused "${line%% *}: more values than events (2)" "$line  1  2  -  3"
	done
	with 'ctx  0  -  0  0  1  -' 'sample  0  1  2  3' >x.prof
	exits_with 2 'x.prof:10: sample: more values than events (2)' prof-cat x.prof
}

@test "a derived event has no values" {
	refused 'cost: more values than events (2)' 'cost  0  0  1  -  1  2  3'
	with 'event  -  Sum  -  Ir + Dr  -' 'cost  0  0  1  -  1  2  3' >x.prof
	exits_with 2 'x.prof:10: cost: more values than events (2)' prof-cat x.prof
}

@test "absent values stand anywhere, also last" {
	kept 'cost  0  0  1  -  -  7' 'call  0  0  1  -  1  2  -  3  -  7' \
		'cost  0  0  1  -  -  7  k=v' 'cost  0  0  1  -  -  -' \
		'cost  0  0  1  -  5  -' 'call  0  0  1  -  1  2  -  3  5  -' \
		'total  run  -' 'cost  0  0  1  -  5  -  k=v' \
		'call  0  0  1  -  1  2  -  3  -  k=v'
}

@test "attributes come after values" {
	kept 'cost  0  0  1  -  5  k=v' 'cost  0  0  1  -  k=v  l=' 'cost  0  0  1  -  5  6  5=6'
	refused "cost: expected a number or key=value, found '6'" 'cost  0  0  1  -  5  k=v  6'
	refused "cost: expected a number or key=value, found 'k'" 'cost  0  0  1  -  5  k'
	refused "func: expected key=value, found '6'" 'func  2  x  -  -  -  6'
}

@test "a record has all its columns and no more than it may" {
	refused 'cost: expected 4 columns, found 3' 'cost  0  0  1'
	refused 'call: expected 8 columns, found 7' 'call  0  0  1  -  1  1  -'
	refused 'jump: expected 10 columns, found 9' 'jump  0  0  1  -  0  0  2  -  5'
	refused 'func: expected 5 columns, found 1' 'func  2'
	refused "jump: expected the end of the line, found '7'" \
		'jump  0  0  1  -  0  0  2  -  5  6  7'
	refused "file: expected the end of the line, found 'k=v'" 'file  1  x  k=v'
	refused "raw: expected the end of the line, found 'x'" 'raw  0  t  x'
	with >x.prof
	sed 's/^end/&\tx/' x.prof >y.prof
	exits_with 2 "y.prof:9: end: expected the end of the line, found 'x'" prof-cat y.prof
}

@test "an unknown record is rejected, a flipped bit in a tag noticed" {
	local tag

	for tag in bost Cost costs cos '' 'cost ' frame; do
		refused "unknown record '$tag'" "$tag	0	0	1	-	5"
	done
	refused "unknown record ''" ''
}

@test "a declared record is copied, its references renumbered by a filter" {
	{
		printf 'prof  1\ntag  frame  may  at:func:key  in:file:key  n:int:sum\n' | tabs
		with 'file  1  b.c' 'func  2  last  1  0  -' 'frame  2  1  5' 'frame  0  0  6' \
			'frame  -  -  -' | tail -n +2
	} >x.prof
	silent prof-cat x.prof >y.prof
	same x.prof y.prof
	silent prof-grep last x.prof >z.prof
	grep -P '^(tag|file|func|frame)\t' z.prof >got
	tabs >want <<-'E'
	tag  frame  may  at:func:key  in:file:key  n:int:sum
	file  0  b.c
	func  0  last  0  0  -
	frame  0  0  5
	E
	same want got
}

@test "a declared record is renumbered when streams are joined" {
	tabs >a.prof <<-'E'
	prof  1
	tag  frame  may  at:func:key  v:values:sum  a:attrs:note
	part  1
	event  0  Ir  -  -  -
	func  0  one  -  -  -
	func  1  two  -  -  -
	frame  1  5  k=v
	end
	E
	tabs >b.prof <<-'E'
	prof  1
	part  1
	tag  frame  may  at:func:key  v:values:sum  a:attrs:note
	event  0  Ir  -  -  -
	func  0  three  -  -  -
	func  1  two  -  -  -
	frame  0  7
	frame  1  8
	end
	E
	cat a.prof b.prof | silent prof-cat >got
	tabs >want <<-'E'
	prof  1
	tag  frame  may  at:func:key  v:values:sum  a:attrs:note
	part  1
	event  0  Ir  -  -  -
	func  0  one  -  -  -
	func  1  two  -  -  -
	frame  1  5  k=v
	part  2
	event  0  Ir  -  -  -
	func  2  three  -  -  -
	frame  2  7
	frame  1  8
	end
	E
	same want got
}

@test "a declared record is checked by its columns" {
	local decl='tag  frame  may  at:func:key  in:addr:key  n:int:sum  v:values:sum'
	local line

	while IFS='|' read -r line text; do
		with "$decl" "frame  $line" >x.prof
		exits_with 2 "x.prof:10: frame$text" prof-cat x.prof
	done <<-'E'
	9  -  1| at: no func has the number 9
	0  10  1| in: expected an address, found '10'
	0  -  01| n: expected a number, found '01'
	0  -|: expected 3 columns, found 2
	0  -  1  2  3  4|: more values than events (2)
	0  -  1  k=v|: expected the end of the line, found 'k=v'
	E
}

@test "a record that must be understood is rejected, before anything uses it" {
	refused "record 'frame' must be understood, but is unknown" \
		'tag  frame  must  at:func:key'
}

@test "a record cannot be declared twice in two ways" {
	with 'tag  frame  may  at:func:key' 'tag  frame  may  at:func:key' 'frame  0' >x.prof
	silent prof-cat x.prof >y.prof
	[ "$(grep -c '^tag' y.prof)" -eq 1 ]
	with 'tag  frame  may  at:func:key' 'tag  frame  may  at:file:key' >x.prof
	exits_with 2 "x.prof:10: record 'frame' is declared again, differently" \
		prof-cat x.prof
}

@test "malformed declarations are rejected" {
	refused "expected 'may' or 'must', found 'can'" 'tag  frame  can  at:func:key'
	refused "expected the name of a new record, found 'cost'" 'tag  cost  may  at:func:key'
	refused 'expected the name of a new record' 'tag  -  may  at:func:key'
	local bad

	for bad in at at:func at:func:king at:ref:key at:id:key :func:key at:func:key:x; do
		refused "expected column:type:role, found '$bad'" "tag  frame  may  $bad"
	done
	refused "expected column:type:role, found 'b:int:sum'" 'tag  frame  may  v:values:sum  b:int:sum'
	refused "expected column:type:role, found 'v:values:sum'" \
		'tag  frame  may  a:attrs:note  v:values:sum'
	refused "expected column:type:role, found 'u:int:key'" "tag  frame  may$(
		printf '  %s:int:key' a b c d e f g h i j k l m n o p q r s t u)"
}

@test "a stream truncated anywhere is noticed by every tool" {
	tabs >x.prof <<-'E'
	prof  1
	part  1
	meta  cmd  ./a
	event  0  Ir  -  -  -
	func  0  main  -  -  -
	cost  0  -  5  -  25
	call  0  -  5  -  0  6  -  7  8
	total  run  25
	end
	E
	local size n tool failed=0

	size=$(wc -c <x.prof)
	for ((n = 0; n < size; n++)); do
		head -c "$n" x.prof >cut
		for tool in prof-cat 'prof-grep main' 'prof-to callgrind' prof-top 'prof-to prof'; do
			local got=0

			$tool cut >out 2>err || got=$?
			if [ $got -ne 2 ] || ! grep -q "^${tool%% *}: cut" err || has '^end' out ||
			    { [ "$tool" = prof-top ] && [ -s out ]; }; then
				echo "$tool, cut after $n bytes: status $got, $(cat err)"
				failed=1
			fi
		done
	done
	[ $failed -eq 0 ]
	for tool in prof-cat 'prof-grep main' 'prof-to callgrind' prof-top; do
		silent $tool x.prof >out
		[ -s out ]
	done
}

@test "truncation in a pipe is noticed by the next program" {
	with 'cost  0  0  1  -  5' >x.prof
	head -n 9 x.prof >cut
	exits_with 2 'the stream is truncated' bash -o pipefail -c 'prof-cat cut | prof-top'
	[ ! -s out ]
	[ "$(grep -c 'the stream is truncated' err)" -eq 2 ]
	grep -q '^prof-top: .*the stream is truncated' err
}

@test "a stream before the end of another means truncation" {
	{ open_stream 'cost  0  0  1  -  5'; with 'cost  0  0  1  -  6'; } >x.prof
	exits_with 2 "x.prof:10: the stream is truncated: a new one begins before its 'end'" \
		prof-cat x.prof
	lacks out '^end'
	exits_with 2 'x.prof:10:' prof-top x.prof
	[ ! -s out ]
}

@test "empty input is truncated" {
	local tool

	: >x.prof
	for tool in prof-cat 'prof-grep main' 'prof-to callgrind' prof-top; do
		exits_with 2 'x.prof: empty' $tool x.prof
		lacks out '^end'
		exits_with 2 'empty' $tool <x.prof
		exits_with 2 'x.prof: empty' $tool --lenient x.prof
	done
	# With others it is passed over, though not without a word.
	with >y.prof
	prof-cat y.prof x.prof >got 2>err
	[ "$(cat err)" = 'prof-cat: warning: x.prof: empty, skipped' ]
	prof-cat y.prof y.prof x.prof 2>err | grep -c '^part' >got || true
	prof-cat y.prof y.prof | grep -c '^part' | same - got
	exits_with 2 'all files are empty' prof-cat x.prof x.prof
	exits_with 2 'standard input: empty' prof-cat y.prof - </dev/null
}

@test "lenient takes a truncated stream, counts it, and ends it" {
	open_stream 'cost  0  0  1  -  5' 'cost  0  0  2  -  7' | head -c -3 >x.prof
	prof-cat --lenient x.prof >y.prof 2>err
	grep -q 'the stream is truncated: its last line has no newline' err
	[ "$(tail -n 2 y.prof)" = "$(printf 'meta\tskipped\t1\nend')" ]
	[ "$(grep -c '^cost' y.prof)" -eq 1 ]
	silent prof-cat y.prof >/dev/null
}

@test "lenient skips bad lines, reports them, and counts them" {
	with 'cost  0  0  1  -  5' 'bost  0  0  1  -  5' 'cost  9  0  1  -  5' \
		'cost  0  0  2  -  7' >x.prof
	prof-cat --lenient x.prof >y.prof 2>err
	cat >want <<-'E'
	prof-cat: warning: skipped: x.prof:10: unknown record 'bost'
	prof-cat: warning: skipped: x.prof:11: cost func: no func has the number 9
	prof-cat: warning: x.prof: 2 malformed or truncated lines skipped
	E
	same want err
	[ "$(self_sums y.prof)" = '12 0' ]
	grep -qP '^meta\tskipped\t2$' y.prof
}

@test "joined streams are one to every tool" {
	with 'cost  0  0  1  -  5' 'call  0  0  1  -  1  2  -  1  3' >a.prof
	with 'func  2  other  -  -  -' 'cost  2  -  -  -  7' 'cost  1  0  1  -  1' |
		sed 's/main/start/' >b.prof
	cat a.prof b.prof >ab.prof
	silent prof-cat ab.prof >ab
	[ "$(grep -c '^prof' ab)" -eq 1 ]
	[ "$(grep -c '^end' ab)" -eq 1 ]
	[ "$(tail -n 1 ab)" = end ]
	silent prof-cat a.prof b.prof | grep -v -P '^meta\tsource\t' >files
	same ab files
	{ silent spelt a.prof; silent spelt b.prof; } >want
	spelt ab >got
	same want got
	silent prof-top --tsv ab.prof >one
	silent prof-top --tsv a.prof b.prof >two
	same one two
	[ "$(cut -f 1,5 one | tail -n +2 | sort | tr '\n\t' ' :')" = 'leaf:1 main:5 other:7 ' ]
}

@test "a file read twice counts twice" {
	with 'cost  0  0  1  -  5' >a.prof
	silent prof-cat a.prof a.prof >b.prof
	[ "$(self_sums b.prof)" = '10 0' ]
	[ "$(grep -c '^func' b.prof)" -eq 2 ]
	[ "$(cut -f 1,2 b.prof | grep '^part')" = "$(printf 'part\t1\npart\t2')" ]
}

@test "runs are numbered from 1 through all inputs" {
	local r

	for r in 7 7 3 7 0; do
		printf 'part\t%s\tk=%s\nevent\t0\tIr\t-\t-\t-\n' $r $r
	done >parts
	{ printf 'prof\t1\n'; cat parts; printf 'end\n'; } >x.prof
	silent prof-cat x.prof x.prof >y.prof
	[ "$(grep '^part' y.prof | cut -f 2,3 | tr '\t\n' ': ')" = \
		'1:k=7 1:k=7 2:k=3 1:k=7 3:k=0 4:k=7 4:k=7 5:k=3 4:k=7 6:k=0 ' ]
	with | sed 's/^part.*/part\t-/' >x.prof
	exits_with 2 "x.prof:2: part run: expected a number, found '-'" prof-cat x.prof
	with | sed 's/^part.*/part\t-1/' >x.prof
	exits_with 2 "x.prof:2: part run: expected a number, found '-1'" prof-cat x.prof
}

@test "the source is written with several files only, never over another" {
	with 'meta  cmd  x' >a.prof
	silent prof-cat a.prof >one
	lacks one source
	silent prof-cat <a.prof >one
	lacks one source
	silent prof-cat a.prof - <a.prof >two
	grep -P '^meta\tsource' two >got
	printf 'meta\tsource\ta.prof\nmeta\tsource\t\\-\n' >want
	same want got
	cp two b.prof
	silent prof-cat b.prof a.prof >three
	[ "$(grep -P '^meta\tsource' three | cut -f 3 | sed 1,2d)" = a.prof ]
	[ "$(grep -cP '^meta\tsource' three)" -eq 3 ]
}

@test "the source comes before the first record of its part" {
	with 'cost  0  0  1  -  5' >a.prof
	silent prof-cat a.prof a.prof >b.prof
	awk -F '\t' '$1 == "part" { n = 0 } $1 == "meta" { n = 1 } $1 == "cost" && !n { exit 1 }' b.prof
	silent prof-to callgrind --quiet b.prof >/dev/null
}

@test "a wrong version is rejected" {
	local v

	for v in 2 0 01 1.0 -; do
		with | sed "s/^prof.*/prof\t$v/" >x.prof
		exits_with 2 'x.prof:1: ' prof-cat x.prof
	done
	with | sed 's/^prof.*/prof\t2/' >x.prof
	exits_with 2 "x.prof:1: stream version '2' is not supported, only 1 is" prof-cat x.prof
	exits_with 2 'not supported' prof-cat --lenient x.prof
	{ with; with | sed 's/^prof.*/prof\t2/'; } >x.prof
	exits_with 2 "x.prof:10: stream version '2' is not supported, only 1 is" prof-top x.prof
}

@test "what follows the end is a stream or rejected" {
	{ with; echo trailing; } >x.prof
	exits_with 2 "x.prof:10: expected the first line of a stream ('prof', version), found 'trailing'" \
		prof-cat x.prof
	{ with; echo; } >x.prof
	exits_with 2 'x.prof:10: ' prof-cat x.prof
}

@test "events come before the records of their part" {
	local line

	for line in 'cost  0  0  1  -  5' 'call  0  0  1  -  1  2  -  1' \
		'jump  0  0  1  -  0  0  2  -  3  4' 'raw  0  text' 'vprof  0  s  t  1  v' \
		'cost  0  0  1  -  5  k=v' 'total  run  5'; do
		with "$line" 'event  2  Dw  -  -  -' >x.prof
		exits_with 2 'x.prof:10: event: must come before the other records of its part' prof-cat x.prof
	done
	kept 'meta  k  v' 'file  1  x' 'event  2  Dw  -  -  -' 'total  run  5' 'cost  0  0  1  -  5  6  7'
	refused 'event: has no name' 'event  2  -  -  -  -'
}

@test "each part numbers its own events" {
	kept 'cost  0  0  1  -  1  2' 'part  1' 'event  0  Bc  -  -  -' 'cost  0  0  1  -  3'
	with 'part  1' 'event  0  Bc  -  -  -' 'cost  0  0  1  -  3  4' >x.prof
	exits_with 2 'x.prof:11: cost: more values than events (1)' prof-cat x.prof
	with 'part  1' 'event  2  Bc  -  -  -' >x.prof
	exits_with 2 'x.prof:10: event: expected the number 0, found 2' prof-cat x.prof
}

@test "records before a part are rejected" {
	local line

	for line in 'meta  k  v' 'event  0  Ir  -  -  -' 'cost  -  -  1  -' 'total  run' \
		'call  -  -  1  -  -  -  -  5' 'raw  -  text' 'jump  -  -  1  -  -  -  2  -  3  4'; do
		printf 'prof  1\n%s\npart  1\nend\n' "$line" | tabs >x.prof
		exits_with 2 "x.prof:2: ${line%% *}: comes before any part" prof-cat x.prof
	done
	# Nor does the part of the stream before count.
	{ with; printf 'prof\t1\ncost\t-\t-\t1\t-\nend\n'; } >x.prof
	exits_with 2 'x.prof:11: cost: comes before any part' prof-cat x.prof
	printf 'prof  1\nfile  0  a\nobject  0  o  -\nfunc  0  f  0  0  -\npart  1\nend\n' |
		tabs >x.prof
	silent prof-cat x.prof >y.prof
	same x.prof y.prof
}

@test "plain and unusual lines give the same sums" {
	local i

	# The right column has on each line something that is rare.
	tabs >pairs <<-'E'
	cost  0  0  5  -  10  20|cost  0  0  5  -  10  20  k=v
	cost  0  0  5  0x10  1|cost  0  0  5  #0x10  1
	cost  0  0  5  0x10  1  2|cost  0  0  5  0x10#0x8  1  2
	cost  1  0  5  -  12|cost  1  0  5:7  -  12  0
	cost  1  0  5  -  0  20|cost  1  0  5  #3  -  20
	cost  0  -  -  -  7  8|cost  0  -  -  -  7  8  k=
	cost  0  0  1  -|cost  0  0  1  -  a=b
	cost  0  0  5  -  -3  -4|cost  0  0  5:1  -  -3  -4
	call  0  0  5  -  1  6  -  9  10  20|call  0  0  5  -  1  6  -  9  10  20  k=v
	call  0  0  5  0x1  1  6  0x2  1  1|call  0  0  5  #1  1  6:2  #0x2  1  1  0
	call  0  0  5  -  1  6  -  1  1|call  0  0  5:1  -  1  6  -  1  1  0  k=v
	E
	cut -d '|' -f 1 pairs >plain
	cut -d '|' -f 2 pairs >odd
	for i in plain odd; do
		with >$i.prof
		sed -i "8r $i" $i.prof
		silent prof-top --tsv $i.prof >$i.tsv
	done
	same plain.tsv odd.tsv
	tabs >want <<-'E'
	function  file  object  calls  Ir  Ir.incl  Dr  Dr.incl
	main  a.c  /bin/a  0  16  28  26  46
	leaf  a.c  /bin/a  11  12  12  20  20
	E
	same want plain.tsv
	# And counts that do not fit 64 bits.
	with 'call  0  0  5  -  1  6  -  18446744073709551616  1' \
		'call  0  0  5  -  1  6  -  18446744073709551615  1' >x.prof
	[ "$(prof-top --tsv x.prof | awk -F '\t' '$1 == "leaf" { print $4 }')" = \
		36893488147419103231 ]
}

@test "numbers of every length are copied" {
	awk 'BEGIN {
		OFS = "\t"
		for (n = 1; n <= 19; n++) {
			low = "1"; high = "9"; hex = "f"; bit = "1"
			for (i = 1; i < n; i++) { low = low "0"; high = high "9" }
			for (i = 1; i < n && i < 16; i++) { hex = hex "f"; bit = bit "0" }
			print "cost", 0, 0, low, "-", high, low
			print "cost", 0, 0, high, "0x" hex, low, high
			print "cost", 0, 0, high, "0x" bit, low
			print "cost", 0, 0, "-", "#" high, high
			print "cost", 1, 0, low ":" high, "#0x" hex
			print "cost", 1, 0, low, "0x" bit "#0x" hex, "-" high, "-" low
			print "call", 0, 0, low, "0x" hex, 1, high, "0x" bit, low, high, low
			print "jump", 0, 0, high, "0x" hex, 1, 0, low, "0x" bit, low, high
		}
		print "cost", 0, 0, "18446744073709551615", "0xffffffffffffffff", "18446744073709551616"
		print "cost", 0, 0, "18446744073709551614", "0xfedcba9876543210", "18446744073709551615"
		for (i = 0; i < 20000; i += 37) print "cost", 0, 0, i, sprintf("0x%x", i * 7919), i
	}' >lines
	with >x.prof
	sed -i '8r lines' x.prof
	silent prof-cat x.prof >y.prof
	same x.prof y.prof
}

# Lines of all lengths with numbers of all lengths, 1 MB of them.
random_lines() {
	awk 'BEGIN {
		OFS = "\t"; srand(7)
		for (i = 0; i < 20000; i++) {
			r = int(rand() * 8)
			if (r < 6) print "cost", int(rand() * 2), (rand() < .9 ? 0 : "-"), place() values()
			else if (r < 7) print "call", 0, 0, place(), int(rand() * 2), place(), number() values()
			else print "call", 1, "-", place(), "-", "-", "-", "-" values()
		}
	}
	function number(n, s) {
		if (rand() < .1) return 0
		s = 1 + int(rand() * 9)
		for (n = int(rand() * rand() * 22); n > 0; n--) s = s int(rand() * 10)
		return s
	}
	function line() {
		return rand() < .1 ? "-" : int(rand() * 10 ^ int(1 + rand() * 9))
	}
	function place() {
		return line() OFS (rand() < .3 ? "-" : sprintf("0x%x", int(rand() * 10 ^ int(1 + rand() * 9))))
	}
	function values() {
		return (rand() < .1 ? "" : OFS number())
	}'
}

@test "what is read at once and what field by field is the same" {
	random_lines >lines
	with | sed '4d' >plain.prof
	cp plain.prof odd.prof
	sed -i '7r lines' plain.prof
	# An attribute is nothing for a fast way.
	sed 's/$/\tx=/' lines >odd
	sed -i '7r odd' odd.prof
	[ "$(wc -c <plain.prof)" -gt 500000 ]
	silent prof-cat plain.prof >got
	same plain.prof got
	silent narrow prof-cat plain.prof >got
	same plain.prof got
	silent prof-cat odd.prof | sed 's/\tx=$//' >got
	same plain.prof got
	silent prof-top --tsv plain.prof >want
	silent prof-top --tsv odd.prof >got
	same want got
	silent narrow prof-top --tsv plain.prof >got
	same want got
	silent prof-top --tsv --by function,file,line,addr plain.prof >want
	silent prof-top --tsv --by function,file,line,addr odd.prof >got
	same want got
}

@test "lines that are nearly plain are rejected like any other" {
	local bad

	for bad in '0 0 1 - 5 ' '0 0 1 - 5  6' '0 0 1 - 05' '0 0 1 - 5 06' '0 0 1 -  5' \
		'0 0 1 - 5 6 7' '0 0 1  5' '0 0 1 0x 5' '0 0 1 0x0g 5' '0 0 1 0xG 5' \
		'0 0 1 0x00 5' '0 0 1 0x: 5' '0 0 1 0x@ 5' '0 0 1 0x` 5' '0 0 1 0x/ 5' \
		'0 0 1: - 5' '0 0 / - 5' '0 0 01 - 5' '0 0  - 5' '0 0 00 - 5' '0 0 1 -- 5' \
		'0 0 1 - 5:' '0 0 1 - /' '00 0 1 - 5' '0 00 1 - 5' '0 1 1 - 5' '2 0 1 - 5' \
		'0 0 -- - 5' '0 0 - 0x1- 5' '0 0 1a - 5' '0 0 1 1 5'; do
		with "cost	0	0	1	-	5" "cost	${bad// /	}" >x.prof
		exits_with 2 'x.prof:10: cost' prof-cat x.prof
	done
}

# Costs, jumps and calls of three functions and two files, many of each place in a row.
place_lines() {
	awk 'BEGIN {
		OFS = "\t"; srand(11); func_ = file = 0
		for (i = 0; i < 6000; i++) {
			if (rand() < .2) { func_ = int(rand() * 3); file = rand() < .9 ? int(rand() * 2) : "-" }
			r = rand(); at = func_ OFS file
			if (r < .6) print "cost", at, place() values()
			else if (r < .8) print "jump", at, place(), at, place(), count(), count()
			else if (r < .9) print "jump", at, place(), int(rand() * 3), int(rand() * 2), place(), count(), count()
			else print "call", at, place(), int(rand() * 3), place(), count() values()
		}
	}
	function count() { return rand() < .3 ? "-" : int(rand() * 1000) }
	function place() {
		return (rand() < .1 ? "-" : int(rand() * 10 ^ int(1 + rand() * 9))) OFS \
			(rand() < .2 ? "-" : sprintf("0x%x", int(rand() * 10 ^ int(1 + rand() * 9))))
	}
	function values(s) {
		if (rand() < .8) s = OFS int(rand() * 20)
		if (s && rand() < .3) s = s OFS (rand() < .9 ? int(rand() * 20) : -1 - int(rand() * 9))
		return s
	}'
}

# Costs, jumps and calls with names instead of the numbers of functions and files.
spelled() {
	awk -F '\t' -v OFS='\t' '
	$1 == "func" { func_[$2] = $3 }
	$1 == "file" { file[$2] = $3 }
	$1 == "cost" || $1 == "call" || $1 == "jump" {
		$2 = func_[$2]; $3 = $3 == "-" ? $3 : file[$3]
		if ($1 != "cost") $6 = func_[$6]
		if ($1 == "jump") $7 = $7 == "-" ? $7 : file[$7]
		print
	}' "$@"
}

@test "lines that a filter keeps are the same, whatever their numbers become" {
	local name

	place_lines >lines
	{
		open_stream 'file  1  b.h' 'func  2  mid  1  0  -' 'total  run  9  9'
		cat lines
		echo end
	} >x.prof
	spelled x.prof >all
	[ "$(wc -l <all)" -eq 6000 ]
	silent prof-cat x.prof >y.prof
	same x.prof y.prof
	silent prof-grep . x.prof | spelled >got
	same all got
	silent narrow prof-grep . x.prof | spelled >got
	same all got
	for name in main leaf mid; do
		silent prof-grep -v "$name" x.prof >y.prof
		awk -F '\t' -v name=$name '$2 != name && ($1 == "cost" || $6 != name)' all >want
		[ "$(wc -l <want)" -gt 2000 ]
		spelled y.prof >got
		same want got
	done
	silent prof-grep --role callee main x.prof | spelled >got
	awk -F '\t' '$1 == "call" && $6 == "main"' all >want
	same want got
	silent prof-grep --in file b.h x.prof | spelled >got
	awk -F '\t' '$2 == "mid" || $3 == "b.h" || ($1 != "cost" && $6 == "mid") ||
		($1 == "jump" && $7 == "b.h")' all >want
	same want got
	tabs >r.yaml <<-'E'
	rules:
	- rename: { function: main, to: MAIN }
	- drop: { function: leaf }
	E
	silent prof-grep --rules r.yaml x.prof | spelled >got
	awk -F '\t' -v OFS='\t' '$2 != "leaf" && ($1 == "cost" || $6 != "leaf") {
		if ($2 == "main") $2 = "MAIN"
		if ($1 != "cost" && $6 == "main") $6 = "MAIN"
		print
	}' all >want
	same want got
}

@test "a definition between lines of one place renumbers those behind it, too" {
	with 'total  run  9' 'cost  1  0  1  -  1' 'cost  1  0  2  -  2' 'func  2  new  0  0  -' \
		'cost  1  0  3  -  3' 'cost  2  0  4  -  4' 'cost  2  0  5  -  5' \
		'jump  2  0  6  -  2  0  7  -  1  -' >x.prof
	silent prof-grep -v main x.prof | grep '^[cfj][aou]' >got
	tabs >want <<-'E'
	func  0  leaf  0  0  -
	cost  0  0  1  -  1
	cost  0  0  2  -  2
	cost  0  0  3  -  3
	func  1  new  0  0  -
	cost  1  0  4  -  4
	cost  1  0  5  -  5
	jump  1  0  6  -  1  0  7  -  1  -
	E
	same want got
}

@test "numbers of a stream end with it, also between lines of one place" {
	{
		with 'total  run  9' 'cost  1  0  1  -  1' 'cost  1  0  2  -  2'
		tabs <<-'E'
		prof  1
		part  1
		event  0  Ir  -  -  -
		total  run  9
		file  0  z.c
		func  0  a  0  -  -
		func  1  b  0  -  -
		cost  1  0  3  -  3
		cost  1  0  4  -  4
		end
		E
	} >x.prof
	silent prof-grep . x.prof | spelled >got
	printf 'cost\t%s\t%s\t-\t%s\n' leaf 'a.c	1' 1 leaf 'a.c	2' 2 b 'z.c	3' 3 b 'z.c	4' 4 >want
	same want got
}

@test "a part has one total of each kind" {
	kept 'total  run  9' 'total  sum  9'
	with 'total  run  9' 'cost  0  0  1  -  5' 'total  run  9' >x.prof
	exits_with 2 'x.prof:11: total run: a second one in this part' prof-cat x.prof
	with 'total  sum  9' 'total  run  5' 'total  sum' >x.prof
	exits_with 2 'x.prof:11: total sum: a second one in this part' prof-cat x.prof
	with 'total  run  9' 'part  2' 'event  0  Ir  -  -  -' 'total  run  9' >x.prof
	silent prof-cat x.prof >/dev/null
}

@test "a total is counted where it comes too late" {
	with 'cost  0  0  1  -  1' 'cost  1  0  1  -  10' 'cost  1  0  2  -  20' \
		'cost  1  0  3  -  30' 'total  run  100' 'cost  1  0  4  -  40' \
		'cost  1  0  5  -  50' 'part  2' 'event  0  Ir  -  -  -' 'cost  1  0  1  -  1' \
		'cost  1  0  2  -  2' 'cost  1  0  3  -  4' >x.prof
	silent prof-grep main x.prof | grep '^total' >got
	printf 'total\trun\t%s\n' 100 7 >want
	same want got
}

@test "a bad line among good ones of its place is rejected, and no other is lost" {
	local bad row tool
	local -a good=('total  run  9' 'cost  1  0  1  -  5' 'cost  1  0  2  0x10  5'
		'jump  1  0  2  0x10  1  0  3  -  7  -' 'cost  1  0  3  0x14  5')

	while IFS= read -r bad; do
		row=${bad// /	}
		with "${good[@]}" "$row" "${good[@]:1}" >x.prof
		for tool in 'prof-cat' 'prof-grep .' 'prof-grep -v main' 'narrow prof-grep .'; do
			exits_with 2 "x.prof:14: ${bad%% *}" $tool x.prof
			[ "$(grep -c '^cost\|^jump' out)" -eq 4 ]
			run -0 $tool --lenient x.prof
			printf '%s\n' "${lines[@]}" | grep '^cost\|^jump' >got
			with "${good[@]}" "${good[@]:1}" >y.prof
			$tool y.prof | grep '^cost\|^jump' >want
			same want got
		done
		prof-top --tsv y.prof >want
		for tool in 'prof-top' 'narrow prof-top'; do
			exits_with 2 "x.prof:14: ${bad%% *}" $tool x.prof
			$tool --tsv --lenient x.prof 2>err >got
			same want got
			grep -qF "x.prof:14: ${bad%% *}" err
		done
	done <<-'E'
	cost 1 0 1 - 5 
	cost 1 0 1 - 5  6
	cost 1 0 1 - 05
	cost 1 0 1 - 5 6 7
	cost 1 0 1 - 5a
	cost 1 0 1 5
	cost 1 0 1 5 6
	cost 1 0 1
	cost 1 0 
	cost 1 0  - 5
	cost 1 0 01 - 5
	cost 1 0 1a - 5
	cost 1 0 0x1 - 5
	cost 1 0 1 0x 5
	cost 1 0 1 0x01 5
	cost 1 0 1 0xG 5
	cost 1 0 1 0xA 5
	cost 1 0 1 0x1x 5
	cost 1 0 1 0x11111111111111111 5
	cost 1 0 1 f 5
	cost 1 0 99999999999999999999 - 5
	cost 2 0 1 - 5
	cost 1 1 1 - 5
	jump 1 0 2 0x10 1 0 3 - 7
	jump 1 0 2 0x10 1 0 3 - 7 - 1
	jump 1 0 2 0x10 1 0 3 - 7 
	jump 1 0 2 0x10 1 0 3 - 07 -
	jump 1 0 2 0x10 1 0 3 - a -
	jump 1 0 2 0x10 1 0 3 - 7 --
	jump 1 0 2 0x10 1 0 3 5 7 -
	jump 1 0 2 0x10 1 0 03 - 7 -
	jump 1 0 2 0x10 1 0 3 0x00 7 -
	jump 1 0 2 0x10 1 0  - 7 -
	jump 1 0 2 0x10 1 1 3 - 7 -
	jump 1 0 2 0x10 2 0 3 - 7 -
	jump 1 0 2 0x10 1 00 3 - 7 -
	jump 1 0 2 1 0 3 - 7 -
	E
}

@test "lines with many values, and longer than is read at once, are the same" {
	local i tool

	{
		printf '%s\n' 'prof  1' 'part  1' | tabs
		for i in {0..39}; do printf 'event\t%d\tE%d\t-\t-\t-\n' "$i" "$i"; done
		printf '%s\n' 'total  run  9' 'file  0  a.c' | tabs
		for i in {0..1200}; do printf 'func\t%d\tf%d\t0\t-\t-\n' "$i" "$i"; done
		# From one value to one for each event, and places of all lengths.
		awk -v OFS='\t' 'BEGIN {
			for (f = 1; f <= 1200; f *= 34) for (v = 0; v <= 40; v++) for (k = 1; k < 1e9; k *= 999) {
				printf "cost\t%d\t0\t%d\t0x%x", f, k, k
				for (i = 0; i < v; i++) printf "\t%d", i % 5 ? 0 : k
				print ""
			}
		}' | tee all
		echo end
	} >x.prof
	[ "$(wc -l <all)" -eq 492 ]
	for tool in prof-cat 'narrow prof-cat'; do
		silent $tool x.prof | grep '^cost' >got
		same all got
	done
	sed '1406s/$/\t1/' x.prof >y.prof
	[ "$(sed -n '1406p' y.prof | cut -f 5-7,44-)" = "$(printf '0x1\t1\t0\t0\t0\t1')" ]
	for tool in prof-cat 'narrow prof-cat'; do
		exits_with 2 'y.prof:1406: cost: more values than events (40)' $tool y.prof
	done
}

@test "costs of a function that come in runs are added up exactly" {
	local tool

	# Numbers of up to 20 digits, of which few fit 64 bits together; zeros, lines without
	# values, and jumps between; three functions.
	perl -e '
		$, = "\t"; $\ = "\n"; srand 5;
		for (1 .. 5000) {
			$func = int rand 3 if $_ % 7 == 0;
			my $n = rand() < .2 ? 19 : 1 + int rand(rand() < .1 ? 20 : 8);
			my $v = ($n == 19 ? 9 : 1 + int rand 9) . join "", map int rand 10, 2 .. $n;
			$v = 0 if rand() < .2;
			print "jump", $func // 0, 0, 1, "-", $func // 0, 0, 2, "-", 5, "-" if rand() < .1;
			print "cost", $func // 0, 0, 1, "-", (rand() < .05 ? () : ($v, rand() < .5 ? 3 : ()));
		}' >all
	{
		open_stream 'func  2  mid  0  0  -'
		cat all
		echo end
	} >x.prof
	perl -MMath::BigInt -F'\t' -lane '
		$sum[$F[1]] += Math::BigInt->new($F[5] // 0) if $F[0] eq "cost";
		END { print "$sum[$_]\t", (qw(main leaf mid))[$_] for 0 .. 2 }' all | sort >want
	[ "$(wc -l <want)" -eq 3 ]
	perl -F'\t' -lane '
		$sum[$F[1]] += $F[6] // 0 if $F[0] eq "cost";
		END { print "$sum[$_]\t", (qw(main leaf mid))[$_] for 0 .. 2 }' all | sort >want2
	for tool in '' narrow; do
		silent $tool prof-top --tsv --events Ir x.prof | awk -F '\t' 'NR > 1 { print $5 "\t" $1 }' |
			sort >got
		same want got
		silent $tool prof-top --tsv --events Dr x.prof | awk -F '\t' 'NR > 1 { print $5 "\t" $1 }' |
			sort >got
		same want2 got
	done
	# A sum that does not fit 128 bits.
	{
		open_stream
		for tool in {1..9}; do
			echo 'cost  0  0  1  -  99999999999999999999999999999999999999' | tabs
		done
		echo end
	} >y.prof
	exits_with 2 'a sum does not fit 128 bits' prof-top y.prof
}

@test "a filter notices truncation in any byte of lines of one place" {
	local n size

	with 'total  run  9' 'cost  1  0  1  -  5' 'cost  1  0  2  0x10  5' \
		'jump  1  0  2  0x10  1  0  3  -  7  -' 'cost  1  0  3  0x14  5' >x.prof
	size=$(wc -c <x.prof)
	for n in $(seq 1 90); do
		head -c $((size - n)) x.prof >cut.prof
		exits_with 2 'the stream is truncated' prof-grep leaf cut.prof
		exits_with 2 'the stream is truncated' narrow prof-grep leaf cut.prof
	done
}

@test "a line of any length passes" {
	local name attr

	name=$(head -c 700000 /dev/zero | tr '\0' n)
	attr=$(head -c 300000 /dev/zero | tr '\0' a)
	with >x.prof
	printf 'func\t2\t%s\t0\t0\t-\ncost\t2\t0\t1\t-\t5\tk=%s\nmeta\tk\t%s\n' \
		"$name" "$attr" "$name" >long
	sed -i '8r long' x.prof
	silent prof-cat x.prof >y.prof
	cmp x.prof y.prof
	prof-cat x.prof | prof-grep nnn | prof-cat >z.prof
	[ "$(self_sums z.prof)" = '5 0' ]
}

@test "a definition that comes twice is one" {
	with 'func  2  leaf  0  0  -' 'cost  1  0  1  -  3' 'cost  2  0  1  -  4' >x.prof
	silent prof-cat x.prof >y.prof
	[ "$(grep -c '^func' y.prof)" -eq 2 ]
	[ "$(silent prof-top --tsv y.prof | awk -F '\t' '$1 == "leaf" { print $5 }')" -eq 7 ]
	[ "$(silent prof-top --tsv x.prof | awk -F '\t' '$1 == "leaf" { print $5 }')" -eq 7 ]
}

@test "a definition has the number of its place in the stream that is written" {
	stream_of() { { echo 'prof  1'; cat; echo end; } | tabs; }
	stream_of >x.prof <<-'E'
	part  1
	event  0  Ir  -  -  -
	object  0  o  -
	object  1  p  -
	file  0  a.c
	file  1  b.c
	func  0  f  0  0  -
	func  1  g  1  1  -
	ctx  0  -  0  -  -  -
	ctx  1  -  1  -  -  -
	ctx  2  1  1  -  -  -
	sample  0  5
	sample  2  7
	cost  0  0  1  -  1
	cost  1  1  2  -  2
	E
	stream_of >want <<-'E'
	part  1
	event  0  Ir  -  -  -
	file  0  b.c
	object  0  p  -
	func  0  g  0  0  -
	ctx  0  -  0  -  -  -
	ctx  1  0  0  -  -  -
	sample  1  7
	cost  0  0  2  -  2
	E
	prof-grep -x g x.prof | grep -v '^meta\|^total' | diff want -
}

@test "functions with another file, object, key or attribute are others" {
	with 'func  2  leaf  -  0  -' 'func  3  leaf  0  -  -' 'func  4  leaf  0  0  k' \
		'func  5  leaf  0  0  -  a=b' 'cost  5  0  1  -  3' >x.prof
	silent prof-cat x.prof >y.prof
	same x.prof y.prof
}

@test "a record after the end is rejected" {
	local line

	for line in 'cost\t0\t0\t1\t-\t5' 'call\t0\t0\t1\t-\t1\t2\t-\t1' \
		'jump\t0\t0\t1\t-\t0\t0\t2\t-\t3\t4'; do
		{ with; printf "$line\n"; } >x.prof
		exits_with 2 'x.prof:10: ' prof-cat x.prof
	done
}

@test "a declaration holds to the end of its stream" {
	with 'tag  frame  may  at:func:key' >a.prof
	with 'frame  0' >b.prof
	cat a.prof b.prof >ab.prof
	exits_with 2 "ab.prof:19: unknown record 'frame'" prof-cat ab.prof
	exits_with 2 "b.prof:9: unknown record 'frame'" prof-cat a.prof b.prof
}

@test "a total is of the run or the sum" {
	refused 'total' 'total  all  5'
	refused 'total' 'total  -  5'
}

@test "lenient counts no event that it skips, and writes a stream that can be read" {
	printf 'prof\t1\npart\t1\nevent\t0\tIr\t-\t-\t-\nevent\t1\t-\t-\t-\t-\ncost\t-\t-\t1\t-\t5\ncost\t-\t-\t2\t-\t6\t7\ntotal\trun\t5\t7\nend\n' >x.prof
	prof-cat --lenient x.prof >y.prof 2>err
	grep -q 'skipped: x.prof:4: event: has no name$' err
	grep -q 'x.prof:6: cost: more values than events (1)$' err
	grep -q 'x.prof: 3 malformed or truncated lines skipped$' err
	[ "$(grep -c '^event\|^cost\|^total' y.prof)" -eq 2 ]
	prof-cat y.prof | same y.prof -
}

@test "50000 records are declared, and used" {
	shape prof:tags-used 50000 >x.prof
	brief 5 prof-cat x.prof >got
	cmp x.prof got
}

@test "250000 runs are distinguished, and numbered" {
	shape prof:runs 250000 | sed 's/^part	/&1/' >x.prof
	brief 3 prof-cat x.prof | sed -n '2p; 250001p' >got
	printf 'part\t%s\n' 1 250000 | same - got
}

@test "the decoder that CONTRIBUTING shows is one" {
	local page=$BATS_TEST_DIRNAME/../CONTRIBUTING.md
	sed -n '/^```awk/,/^```$/p' "$page" | sed '1d;$d' >readprofile.awk
	printf '%s\n' 'ffffffff81000040 default_idle 31 0.2500' 'ffffffff81000100 copy_user 9 0.1' \
		'     2 *unknown*' '0000000000000000 total 40 0.0001' >text
	awk -f readprofile.awk text >stream
	prof-top stream >table
	has '^42 ticks in 1 profile, 1 part' table
	has '^ *31 +73.81 +73.81 +default_idle$' -E table
	# Other programs read what becomes of it.
	prof-to callgrind -o cg stream
	callgrind_annotate cg | has -E '^31 \(73.81%\)  .*default_idle'
	# The total is compared, and a cut is one.
	sed 's/ 9 / 8 /' text | awk -f readprofile.awk >less
	prof-top less 2>&1 >/dev/null | has 'add up to 41 ticks, but the profiler.s total is 42$'
	head -n -1 stream >cut
	run -2 prof-top cut
	has "cut:.*'end'" <<<"$output"
}

# shown_in FROM TO: the displays of prof-stream(5) between two headings.
shown_in() {
	awk -v from="$1" -v to="$2" '$0 == from { here = 1 } $0 == to { here = 0 } !here { next }
		/^\.Ed/ { shown = 0 } shown { gsub(/\\e/, "\\"); print } /^\.Bd/ { shown = 1 }' \
		"$BATS_TEST_DIRNAME/../man/prof-stream.5"
}

@test "the writer that prof-stream(5) shows has twenty lines, and writes stacks" {
	shown_in '.Ss Writing it from a script' '.Ss Reading it' >writer.py
	[ "$(wc -l <writer.py)" -le 20 ]
	printf '%s\n' 'main parse lex 12' 'main parse 3' 'main p\x lex 4' 'main lex lex 1' |
		python3 writer.py >got
	prof-to folded got | LC_ALL=C sort >stacks
	printf '%s\n' 'main;lex;lex 1' 'main;p\x;lex 4' 'main;parse 3' 'main;parse;lex 12' |
		same stacks -
	prof-top --tsv got | cut -f 1,5,6 | has -P '^lex\t17\t17$'
	prof-cat got | has -P '^func\t[0-9]+\tp\\\\x\t'
}

@test "the reader that prof-stream(5) shows finds the inclusive costs of prof-top" {
	local f=$BATS_TEST_DIRNAME/../share/examples/tasks.pprof.gz
	shown_in '.Ss Reading it' '.Sh RULES' | sed '1,/^#!/{/^#!/!d}' >reader.py
	prof-cat "$f" | sed -n '1,/^event\t1/p' | has -P '^event\t0\tsamples'
	prof-cat "$f" | python3 reader.py >got
	prof-top --tsv --events samples -k samples.incl,function -n 10 "$f" | sed 1d |
		awk -F '\t' -v OFS='\t' '{ print $6, $1 }' | LC_ALL=C sort >want
	[ "$(wc -l <want)" = 10 ]
	# Equal costs at the end may be of other functions.
	cut -f 1 got | sort -n | diff - <(cut -f 1 want | sort -n)
	[ "$(LC_ALL=C sort got | LC_ALL=C comm -12 - want | wc -l)" -ge 8 ]
	prof-cat "$f" | head -n -1 | { ! python3 reader.py >/dev/null 2>err; }
	has truncated err
}

@test "a malformed place is an error also within a run of costs of one function" {
	local place
	costs() {
		printf 'prof\t1\npart\t0\tpositions=addr,line\nevent\t0\tA\t-\t-\t-\nfunc\t0\tf\t-\t-\t-\n'
		printf 'cost\t0\t-\t%s\t0x100\t5\n' {1..8}
		printf 'cost\t0\t-\t%b\t5\n' "$1"
		printf 'cost\t0\t-\t%s\t0x100\t5\n' {1..8}
		echo end
	}
	costs '9\t0xffffffffffffffff' >x
	[ "$(prof-top --quiet x | head -n 1)" = '85 A in 1 profile, 1 part' ]
	prof-to callgrind --quiet x | has '0xffffffffffffffff'
	for place in '9\t0x10000000000000000' '18446744073709551616\t0x1' '9\t0x' '9\t0x0g' '09\t0x1' '9\t1'; do
		costs "$place" >x
		for tool in prof-top 'prof-top -b line' 'prof-to callgrind' prof-merge prof-cat; do
			run -2 $tool x
			[[ "$output" = *': x:13: cost '*': expected'* ]]
		done
	done
}
