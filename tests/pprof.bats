#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# pprof profiles: against `go tool pprof`, on what Go's runtime writes and on messages
# made by hand.

load tools.bash

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	export GOCACHE=$PWD/cache HOME=$PWD GOFLAGS=-trimpath
	cp "$TESTS/programs/profiles.go" .
	go build -o profiles profiles.go
	mkdir one two
	./profiles one
	./profiles two
	rm -r cache
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return 1
	export HOME=$PWD
}

# raw FILE: all of the profile, as pprof has it.
raw() {
	go tool pprof -raw "$1" 2>/dev/null
}

# go_top EVENT FILE [OPTION...]: function, self, inclusive in the event's unit, sorted.
go_top() {
	local unit=
	case $1 in
	cpu | delay) unit=ns ;;
	*space) unit=B ;;
	esac
	go tool pprof -top -nodecount=100000 -nodefraction=0 -edgefraction=0 ${unit:+-unit=$unit} \
		-sample_index="$1" "${@:3}" "$2" 2>/dev/null |
		sed -n '/ flat%/,$p' | sed 1d | sed 's/ (\(partial-\)\?inline)$//' |
		awk '{ flat = $1; cum = $4; sub(/[nB].*/, "", flat); sub(/[nB].*/, "", cum)
			name = $0; sub(/^ *[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +/, "", name)
			if (flat + 0 || cum + 0) print name "\t" flat "\t" cum }' | sort
}

# our_top EVENT FILE: the same of prof-top; functions of one name are one.
our_top() {
	prof-top --tsv -n 0 --events "$1" "$2" | awk -F '\t' 'NR > 1 {
		self[$1] += $5; incl[$1] += $6 }
		END { for (f in self) if (self[f] || incl[f])
			printf "%s\t%.0f\t%.0f\n", f, self[f], incl[f] }' | sort
}

@test "what Go's profiles hold comes back, directly and from the stream" {
	for p in cpu heap allocs mutex block goroutine threadcreate; do
		raw one/$p.pb.gz >want
		[ "$(wc -l <want)" -gt 5 ]
		prof-to pprof --strict one/$p.pb.gz >direct.pb.gz
		raw direct.pb.gz | diff want -
		prof-cat one/$p.pb.gz | prof-to pprof --strict | gzip -d >stream.pb
		raw stream.pb | diff want -
	done
}

@test "a line of -1 is not known, as one of 0: Julia's profiles" {
	for line in 0 -1; do
		"$TESTS/pprof.pl" >f.pb <<-E
		1 message
		  1 varint 1
		  2 varint 2
		2 message
		  1 packed 1
		  2 packed 5
		4 message
		  1 varint 1
		  3 varint 4660
		  4 message
		    1 varint 1
		    2 varint $line
		    3 varint $line
		5 message
		  1 varint 1
		  2 varint 3
		  4 varint 4
		  5 varint $line
		6 string
		6 string events
		6 string count
		6 string main
		6 string a.jl
		E
		prof-cat f.pb | grep '^func\|^ctx\|^sample' | diff - <(bars <<-'E'
		func|0|main|0|-|-|system=none
		ctx|0|-|0|0|-|0x1234
		sample|0|5
		E
		)
		prof-to pprof --strict f.pb | prof-cat | diff - <(prof-cat f.pb)
	done
}

@test "samples of deep stacks of few locations do not grow quadratically" {
	awk 'BEGIN { OFS = "\t"; print "prof", 1; print "part", 1, "positions=addr"
		print "event", 0, "n", "-", "-", "-"; print "func", 0, "f", "-", "-", "-"
		for (i = 0; i < 120000; i++)
			print "ctx", i, i ? i - 1 : "-", 0, "-", "-", sprintf("0x%x", 1 + int(i / 2000)),
				i % 2000 ? "inlined=1" : "x=" i
		for (i = 0; i < 4000; i++) print "sample", 119999, 1
		print "end" }' | sed 's/\tx=.*//' >p
	brief 5 prof-to pprof -o p.pb.gz p 2>/dev/null
	prof-cat p.pb.gz | awk -F '\t' '$1 == "ctx" { n++; inl += $8 == "inlined=1" }
		$1 == "sample" { s += $3 } END { print n, inl, s }' | diff - <(echo 120000 119940 4000)
}

@test "a function without a system name gets none" {
	"$TESTS/pprof.pl" >f.pb <<-'E'
	1 message
	  1 varint 1
	  2 varint 2
	2 message
	  1 packed 1 2
	  2 packed 3
	4 message
	  1 varint 1
	  4 message
	    1 varint 1
	4 message
	  1 varint 2
	  4 message
	    1 varint 2
	5 message
	  1 varint 1
	  2 varint 3
	5 message
	  1 varint 2
	  2 varint 4
	  4 varint 2
	  3 varint 4
	6 string
	6 string samples
	6 string count
	6 string none
	6 string same
	E
	prof-to pprof --strict f.pb >g.pb.gz
	raw f.pb >want
	has 'same' want
	raw g.pb.gz | diff want -
}

@test "self and inclusive of every sample type are those of go tool pprof" {
	for x in cpu:samples cpu:cpu heap:alloc_objects heap:alloc_space heap:inuse_objects \
		heap:inuse_space mutex:contentions mutex:delay block:contentions block:delay \
		goroutine:goroutine; do
		p=one/${x%:*}.pb.gz
		go_top ${x#*:} $p >want
		our_top ${x#*:} $p | diff want -
	done
	[ "$(go_top cpu one/cpu.pb.gz | wc -l)" -gt 5 ]
	[ "$(go_top alloc_space one/heap.pb.gz | wc -l)" -gt 5 ]
}

@test "the program is the first mapping, which go tool pprof names" {
	printf '%s\n' 'm 7 1.0: 5 cpu-clock: ' ' ffff0001 do_mmap+0x1 ([kernel.kallsyms])' \
		' 10 _dl_map+0x1 (/lib/ld-linux-x86-64.so.2)' ' 20 _start+0x1 (/lib/ld-linux-x86-64.so.2)' '' \
		'm 7 2.0: 5 cpu-clock: ' ' 30 memcpy+0x1 (/lib/libc.so.6)' ' 40 copy+0x1 (/opt/bin/work.er)' \
		' 50 main+0x1 (/opt/bin/work.er)' '' >x.perf
	prof-to pprof --quiet x.perf >x.pb.gz
	go tool pprof -top x.pb.gz 2>&1 | has -x 'File: work.er'
	# Those of pprof keep their order.
	prof-cat "$BATS_TEST_DIRNAME/../share/examples/tasks.pprof.gz" | sed -n 's/^object	[0-9]*	\([^	]*\).*/\1/p' >was
	prof-to pprof "$BATS_TEST_DIRNAME/../share/examples/tasks.pprof.gz" | prof-cat | sed -n 's/^object	[0-9]*	\([^	]*\).*/\1/p' | diff was -
}

@test "ten profiles merged are what go tool pprof merges" {
	files='one/cpu.pb.gz two/cpu.pb.gz'
	files="$files $files $files $files $files"
	# shellcheck disable=SC2086
	go tool pprof -proto -output theirs.pb.gz $files 2>/dev/null
	# shellcheck disable=SC2086
	prof-merge $files | prof-to pprof >ours.pb.gz
	go_top cpu theirs.pb.gz >want
	[ "$(wc -l <want)" -gt 5 ]
	go_top cpu ours.pb.gz | diff want -
	our_top cpu theirs.pb.gz | diff want -
	# Stacks and labels, too.
	for f in theirs ours; do
		prof-cat $f.pb.gz | prof-to json | jq -c 'select(.record == "sample") |
			[.stack, .attrs, .samples, .cpu]' | sort >$f
	done
	diff theirs ours
}

@test "a difference is what go tool pprof -base says" {
	go_top alloc_space two/heap.pb.gz -base=one/heap.pb.gz | cut -f 1,2 |
		awk -F '\t' '$2 != 0' >want
	prof-diff --tsv -n 0 --events alloc_space one/heap.pb.gz two/heap.pb.gz >table
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ d[$1] += $at["alloc_space"] }
		END { for (f in d) if (d[f]) printf "%s\t%.0f\n", f, d[f] }' table | sort |
		diff want -
}

# All fields of profile.proto, ids out of order and sparse, numbers packed and not.
everything() {
	"$TESTS/pprof.pl" <<-'E'
	1 message
	  1 varint 1
	  2 varint 2
	1 message
	  1 varint 3
	  2 varint 4
	# A sample of an inlined pair, and of what has no name.
	2 message
	  1 packed 70 5 9
	  2 packed 3 -4
	  3 message
	    1 varint 5
	    2 varint 6
	  3 message
	    1 varint 5
	    2 varint 7
	  3 message
	    1 varint 8
	    3 varint 512
	    4 varint 4
	  3 message
	    1 varint 9
	    3 varint -7
	2 message
	  1 varint 9
	  2 varint 1
	  2 varint 0
	2 message
	  2 packed 5 6
	3 message
	  1 varint 2
	  2 varint 4194304
	  3 varint 8388608
	  4 varint 4096
	  5 varint 10
	  6 varint 11
	  7 varint 1
	  9 varint 1
	  10 varint 1
	3 message
	  1 varint 1
	  5 varint 12
	4 message
	  1 varint 70
	  2 varint 2
	  3 varint 4194320
	  4 message
	    1 varint 4
	    2 varint 12
	    3 varint 5
	  4 message
	    1 varint 8
	    2 varint 30
	  5 varint 1
	4 message
	  1 varint 9
	  2 varint 1
	  3 varint 64
	4 message
	  1 varint 5
	  4 message
	    1 varint 8
	    2 varint 31
	5 message
	  1 varint 8
	  2 varint 13
	  3 varint 14
	  4 varint 15
	  5 varint 29
	5 message
	  1 varint 4
	  2 varint 16
	  3 varint 16
	# Unknown ones.
	99 string later
	98 fixed64 1
	97 fixed32 1
	6 string
	6 string samples
	6 string count
	6 string space
	6 string bytes
	6 string key
	6 string one
	6 string two
	6 string size
	6 string small
	6 string /bin/program
	6 string 0123abcd
	6 string /lib/libc.so
	6 string main.work(int)
	6 string _Z4worki
	6 string main.cc
	6 string inner
	6 string drop.*
	6 string keep.*
	6 string cpu
	6 string nanoseconds
	6 string a comment
	6 string https://example.org/doc
	7 varint 17
	8 varint 18
	9 varint 1600000000000000000
	10 varint 5000000000
	11 message
	  1 varint 19
	  2 varint 20
	12 varint 10000000
	13 packed 21
	13 varint 6
	14 varint 3
	15 varint 22
	E
}

@test "each field of a message is in the stream, and comes back" {
	everything >all.pb
	prof-cat all.pb >got
	diff - got <<-'E'
	prof	1
	part	1	positions=addr,line
	meta	format	pprof
	meta	pprof.time_nanos	1600000000000000000
	meta	pprof.duration_nanos	5000000000
	meta	pprof.default_sample_type	space
	meta	pprof.drop_frames	drop.*
	meta	pprof.keep_frames	keep.*
	meta	pprof.doc_url	https://example.org/doc
	meta	pprof.period	10000000	cpu	nanoseconds
	meta	comment	a comment
	meta	comment	one
	event	0	samples	-	-	-	calls=absent
	event	1	space	B	-	-	calls=absent	default=1
	object	0	/bin/program	0123abcd	start=0x400000	limit=0x800000	offset=0x1000	has=functions,lines,inlines
	object	1	/lib/libc.so	-
	file	0	main.cc
	func	0	main.work(int)	0	-	_Z4worki	start=29
	func	1	-	-	1	-
	func	2	inner	-	0	-
	func	3	main.work(int)	0	0	_Z4worki	start=29
	meta	pprof.numlabel	size	bytes
	meta	pprof.numlabel	small	-
	ctx	0	-	1	-	-	0x40
	ctx	1	0	0	0	31	-
	ctx	2	1	3	0	30	0x400010	folded=1
	ctx	3	2	2	-	12:5	0x400010	inlined=1
	sample	3	3	-4	key=one	key=two	size=512	small=-7
	sample	0	1
	sample	-	5	6
	end
	E
	raw all.pb >want
	grep -q 'main.work(int) main.cc:31' want
	prof-to pprof --strict all.pb >back.pb.gz
	raw back.pb.gz >back
	# Numbers are given anew: what they stand for is compared.
	prof-cat back.pb.gz >again
	grep -v '^\(object\|file\|func\|ctx\|sample\)' again | diff <(grep -v '^\(object\|file\|func\|ctx\|sample\)' got) -
	prof-to json again | sort | diff <(prof-to json got | sort) -
	for f in want back; do	# pprof's own words, but for numbers and order
		sed 's/^ *[0-9]*: 0x/0x/; s/: [0-9 ]*$/:/; s/ M=[0-9]*//' $f | sort >$f.sorted
	done
	diff want.sorted back.sorted
}

@test "a fact that the profile has twice comes back twice" {
	everything | prof-cat | sed '/^meta	pprof.\(time_nanos\|period\|default_sample_type\|doc_url\)	/ {
		p; s/1600000000000000000/7/; s/space/samples/; s/10000000	cpu/5	wall/; s/doc$/other/; }' >twice
	prof-to pprof --strict twice >twice.pb
	prof-cat twice.pb | grep '^meta' | sort >got
	grep '^meta' twice | sort | diff - got
	grep -c 'time_nanos\|period\|default_sample\|doc_url' got | has -x 8
	go tool pprof -raw twice.pb 2>&1 | has -x 'Period: 10000000'
}

@test "errors in a message are reported with the byte" {
	everything >all.pb
	n=$(wc -c <all.pb)
	for i in $(seq 0 $((n - 1))); do	# any prefix
		head -c $i all.pb >cut.pb
		if prof-cat --from pprof --quiet cut.pb >out 2>err; then
			echo "cut at $i of $n"
			# Facts come last, and strings that nothing needs.
			[ $i -gt $((n - 120)) ]
		else
			grep -q "^prof-cat: cut.pb: " err
		fi
	done
	says() {
		"$TESTS/pprof.pl" >bad.pb
		fails_with "$1" prof-cat --from pprof bad.pb
	}
	says 'bad.pb: byte 0: samples without a sample type' <<<$'2 message\n\t2 varint 1\n6 string'
	says 'byte [0-9]*: location 7 is not defined' <<<$'1 message\n2 message\n\t1 varint 7\n\t2 varint 1\n6 string'
	says 'byte [0-9]*: function 3 is not defined' <<<$'1 message\n4 message\n\t1 varint 1\n\t4 message\n\t\t1 varint 3\n6 string'
	says 'byte [0-9]*: mapping 3 is not defined' <<<$'1 message\n4 message\n\t1 varint 1\n\t2 varint 3\n6 string'
	says 'byte [0-9]*: a location with the id 0' <<<$'1 message\n4 message\n6 string'
	says 'byte [0-9]*: a second function with the id 2' <<<$'1 message\n5 message\n\t1 varint 2\n5 message\n\t1 varint 2\n6 string'
	says 'byte [0-9]*: string 9 of a table of 1' <<<$'1 message\n\t1 varint 9\n6 string'
	says 'byte [0-9]*: the first string is not empty' <<<$'1 message\n6 string x'
	says 'a sample with 2 values, but 1 sample types' <<<$'1 message\n2 message\n\t2 packed 1 2\n6 string'
	says 'byte [0-9]*: a second time: several profiles were put together' \
		<<<$'1 message\n6 string\n9 varint 1\n9 varint 2'
	# Another message: texts where a truncated profile has samples.
	printf '\012\002\020\004\022\0200ba4067c95d8d927\032\003abc' >bad.pb
	run -1 prof-cat --probe bad.pb
	[ "$output" = 'bad.pb: unknown' ]
	printf '\012\002\010\001\062\000\033' >bad.pb	# a group, of proto2
	fails_with 'byte 6: a field of an unknown type' prof-cat --from pprof bad.pb
	printf '\012\002\010\001\062\200\200\200\200\200\040' >bad.pb
	fails_with 'byte 4: the profile is truncated: a field that is longer than the message' prof-cat --from pprof bad.pb
	printf '\110\377\377\377\377\377\377\377\377\377\177' >bad.pb
	fails_with 'byte 0: a number that does not end, or is longer than 64 bits' \
		prof-cat --from pprof bad.pb
}

@test "a stack of 100,000 frames, and a million empty messages" {
	{ echo '1 message'; echo '2 message'
	printf '\t1 packed'; for i in $(seq 1000); do printf ' 1 2 3 4 5 6 7 8 9 10'; done
	for i in $(seq 9000); do printf ' 1 2 3 4 5 6 7 8 9 10'; done
	printf '\n\t2 varint 1\n'
	for i in $(seq 10); do printf '4 message\n\t1 varint %d\n\t3 varint %d\n' $i $i; done
	echo '6 string'; } | "$TESTS/pprof.pl" >deep.pb
	[ "$(prof-cat --from pprof deep.pb | grep -c '^ctx')" = 100000 ]
	prof-to pprof --from pprof deep.pb | gzip -d | prof-cat --from pprof |
		has -x 'sample	99999	1'
	{ printf '\012\000\062\000'; head -c 2000000 /dev/zero | tr '\0' '\022' | sed 's/\x12\x12/\x12\x00/g'; } >many.pb
	fails_with 'a sample with 0 values, but 1 sample types' prof-cat --from pprof many.pb
}

# inlined STACK: a sample of places, 1 with 1000 inlined functions, 2 with one.
inlined() {
	{
		printf '1 message\n2 message\n\t1 packed%s\n\t2 varint 1\n4 message\n\t1 varint 1\n' "$1"
		perl -e 'print "\t4 message\n\t\t1 varint 1\n" x 1001'
		printf '4 message\n\t1 varint 2\n'
		perl -e 'print "\t4 message\n\t\t1 varint 1\n" x 2'
		printf '5 message\n\t1 varint 1\n\t2 varint 1\n6 string\n6 string f\n'
	} | "$TESTS/pprof.pl"
}

@test "a million inlined frames are read, and one more is not" {
	local many

	many=$(printf ' 1%.0s' {1..1000})
	inlined "$many" >x.pb
	[ "$(wc -c <x.pb)" -lt 250000 ]
	silent prof-cat --from pprof x.pb | grep -c '^ctx.*inlined=1' >got
	[ "$(cat got)" = 1000000 ]
	inlined "$many 2" >x.pb
	exits_with 2 'x.pb: more than 1000000 inlined frames in stacks' prof-cat --from pprof x.pb
}

@test "a frame without a name stays around what is inlined into it" {
	bars >x.prof <<-'E'
	prof|1
	part|1
	event|0|n|count|-|-
	object|0|/lib/x|-
	func|0|-|-|0|-
	func|1|in|-|0|-
	func|2|-|-|-|-
	ctx|0|-|0|-|-|0x7f10
	ctx|1|0|1|-|-|-|inlined=1
	ctx|2|1|0|-|-|0x7f20
	ctx|3|2|-|-|-|0x99
	ctx|4|3|1|-|-|-|inlined=1
	sample|2|3
	sample|4|1
	end
	E
	# One of the inlined frames is of an object, and the frame around it is of none.
	[ "$(prof-to pprof --losses x.prof)" = 'objects of inlined functions (1)' ]
	prof-to pprof --quiet x.prof >x.pb
	silent prof-cat --quiet x.pb | grep '^ctx\|^sample' | cut -f 2,3,7- >got
	bars >want <<-'E'
	0|-|0x7f10
	1|0|0x7f10|inlined=1
	2|1|0x7f20
	2|3
	3|2|0x99
	4|3|0x99|inlined=1
	4|1
	E
	same want got
	# Another address than that of the place is lost.
	sed '/^ctx\t1/s/-\t-\t-/-\t-\t0x7f11/' x.prof >y.prof
	prof-to pprof --losses y.prof | has -x 'addresses of inlined functions (1)'
	# Costs of what is inlined are at the address.
	prof-top --tsv --quiet -b addr x.pb | cut -f 2,4 | tail -n +2 | sort |
		diff - <(printf '%s\t%s\n' 0x7f10 0 0x7f20 3 0x99 1)
	# Its function has no attributes that were not there.
	silent prof-cat --quiet x.pb >got
	lacks got system
	go tool pprof -raw x.pb >got 2>&1
	[ "$(grep -c '0x7f10 .*in\b' got)" -eq 1 ]
}

@test "values of 0 are there, and as many as 64 bits hold" {
	bars >x.prof <<-'E'
	prof|1
	part|1
	event|0|n|count|-|-
	event|1|m|count|-|-
	func|0|f|-|-|-
	ctx|0|-|0|-|-|-
	sample|0|0|0
	sample|0|9223372036854775807|0
	sample|0|-9223372036854775808|1
	end
	E
	prof-to pprof x.prof | prof-cat | grep ^sample | diff - <(grep ^sample x.prof | sed 's/\t0$//')
	sed 's/5807/5808/' x.prof >more.prof
	exits_with 2 "a value of event 'n' does not fit 64 bits" prof-to pprof -o x.pb more.prof
}

@test "stacks of places with many inlined functions do not grow quadratically" {
	shape pprof:inlined-often 1000 >x.pb
	[ "$(limited 200000 prof-cat x.pb | grep -c '^ctx.*inlined=1')" = 999000 ]
	for s in inlined-often inlined-roots; do
		shape pprof:$s 5000 >x.pb
		exits_with 2 'x.pb: more than 1000000 inlined frames in stacks, too many for a file of this size' \
			limited 300000 prof-cat x.pb
	done
	# A larger file has more: four for each of its bytes.
	shape pprof:inlined-often 70000 >x.pb
	[ "$(wc -c <x.pb)" -gt 300000 ]
	exits_with 2 "x.pb: more than $((4 * $(wc -c <x.pb))) inlined frames in stacks" \
		brief 5 limited 500000 prof-cat x.pb
}

@test "one long string that is many comments, labels or names is rejected" {
	local s
	for s in comments-long long-label long-name long-type long-build-id; do
		shape pprof:$s 1000 >x.pb
		prof-cat x.pb >all
		[ $(wc -c <all) -gt 1000000 ]
		shape pprof:$s 30000 >x.pb
		exits_with 2 ' bytes, too much for a file of this size: one string is used for many of them' \
			brief 5 limited 500000 prof-merge x.pb
	done
}

@test "costs have their lines and addresses as stacks of one frame" {
	bars >s <<-'E'
	prof|1
	part|1|positions=addr,line
	event|0|A|-|-|-|calls=absent
	func|0|f|-|-|-
	cost|0|-|15|0x4010|7
	end
	E
	prof-to --quiet pprof s | prof-cat | grep -P '^(ctx|sample)' |
		diff - <(printf 'ctx\t0\t-\t0\t-\t15\t0x4010\nsample\t0\t7\n')
}

@test "go tool pprof reads costs as stacks of one frame, and estimated stacks" {
	zstdcat "$TESTS/../share/examples/wordcount.callgrind.zst" >callgrind
	prof-to pprof --quiet callgrind >flat.pb.gz
	go_top Ir flat.pb.gz | cut -f 1,2 | awk '$2 != 0' >want
	our_top Ir callgrind | cut -f 1,2 | awk -F '\t' '$2 != 0' | diff want -
	prof-to pprof --quiet --estimate --events Ir callgrind >stacks.pb.gz
	go_top Ir stacks.pb.gz | awk -F '\t' '$2 != 0 { print $1 "\t" $2 }' | diff want -
	# Its root has what all of it costs.
	[ "$(go_top Ir stacks.pb.gz | awk -F '\t' '$1 == "[estimate]" { print $3 }')" = \
		"$(awk -F '\t' '{ n += $2 } END { print n }' want)" ]
}

@test "gzip is the default, options have another" {
	prof-to pprof one/cpu.pb.gz >x
	[ "$(prof-cat --probe x)" = 'x: pprof, gzip' ]
	prof-to pprof --zstd one/cpu.pb.gz >x
	[ "$(prof-cat --probe x)" = 'x: pprof, zstd' ]
	gzip -dc one/cpu.pb.gz >x
	[ "$(prof-cat --probe x)" = 'x: pprof' ]
}

# A profile of addresses alone, in a program that was loaded somewhere: those of main and
# work, and one of no function.  $1: the path, $2: the build ID, "-" for none.
addresses() {
	local start=93824992231424 limit=93824993280000 base main work
	base=$(readelf -lW prog | awk '$1 == "LOAD" && $7 == "R" && $8 == "E" {
		print $2, $3; exit }')
	main=$(nm prog | awk '$3 == "main" { print "0x" $1 }')
	work=$(nm prog | awk '$3 == "work" { print "0x" $1 }')
	set -- "$1" "$2" $base
	"$TESTS/pprof.pl" <<-END
	1 message
	  1 varint 1
	2 message
	  1 packed 1 2
	  2 varint 5
	2 message
	  1 packed 2
	  2 varint 3
	2 message
	  1 packed 3 2
	  2 varint 1
	3 message
	  1 varint 1
	  2 varint $start
	  3 varint $limit
	  4 varint $(($3))
	  5 varint 2
	$([ "$2" = - ] || echo '  6 varint 3')
	4 message
	  1 varint 1
	  2 varint 1
	  3 varint $((start + work - $4 + 4))
	4 message
	  1 varint 2
	  2 varint 1
	  3 varint $((start + main - $4 + 8))
	4 message
	  1 varint 3
	  2 varint 1
	  3 varint $((limit - 1))
	6 string
	6 string samples
	6 string $1
	6 string $2
	END
}

@test "addresses get names, files and lines from the objects that the profile names" {
	cat >prog.c <<-'E'
	int sum;
	__attribute__((noinline)) void work(int n) {
		while (n--)
			sum += n;
	}
	int main(void) {
		work(100);
		return sum == 0;
	}
	E
	cc -g -O1 -pie -fPIE -Wl,--build-id -o prog prog.c
	id=$(readelf -n prog | sed -n 's/.*Build ID: //p')
	addresses "$PWD/prog" "$id" >addr.pb
	prof-cat addr.pb >got 2>err
	[ ! -s err ]
	[ "$(awk -F '\t' '$1 == "func" && $3 != "-" { print $3 }' got | sort | paste -sd ' ')" = \
		'main work' ]
	our_top samples addr.pb | grep . >top
	grep -qx "work	5	5" top
	grep -qx "main	3	9" top
	# As go tool pprof names them, by binutils.
	go_top samples addr.pb | grep -E '^(main|work)' >want
	grep -E '^(main|work)' top | diff want -
	prof-top -b line --tsv addr.pb | cut -f 1,2 | has -E 'prog.c	[2-4]$'
	# From the stream, too; where the object is another build it is not used,
	prof-cat addr.pb | prof-top --tsv | has -E '^work	'
	addresses "$PWD/prog" 0123456789abcdef0123 >addr.pb
	prof-cat addr.pb >got 2>err
	grep -q "^prof-cat: warning: .*/prog: its build ID is $id, but the profile's is 0123456789abcdef0123: its symbols are not used$" err
	run -1 grep -q '	main	' got
	prof-cat --exe prog addr.pb >got 2>err
	grep -q "^prof-cat: warning: addr.pb: prog is not used for .*/prog: its build ID is $id, but the profile's is 0123456789abcdef0123: " err
	lacks got '	main	'
	# but for an executable without a build ID, which the user says that it is.
	mkdir any
	objcopy -R .note.gnu.build-id prog any/prog
	prof-cat --exe any/prog addr.pb 2>/dev/null | has '	main	'
	# Without a build ID the path does; without a file there is a note.
	addresses "$PWD/prog" - >addr.pb
	prof-top --tsv addr.pb | has -E '^work	'
	addresses /nowhere/prog - >addr.pb
	prof-cat addr.pb >got 2>err
	grep -qx 'prof-cat: no symbols for /nowhere/prog: functions there have no names' err
	# By the build ID alone, where distributions have it.
	if mkdir -p "/usr/lib/debug/.build-id/${id:0:2}" 2>/dev/null; then
		cp prog "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
		addresses /nowhere/prog "$id" >addr.pb
		prof-top --tsv addr.pb | has -E '^work	'
		rm "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
	fi
}

@test "a stranger's profile opens no private program, no pipe, and nothing of the kernel's" {
	printf '%s\n' 'int work(int n) { return n * 3; }' \
		'int main(void) { return work(1) == 0; }' >prog.c
	cc -g -O0 -pie -fPIE -Wl,--build-id -o prog prog.c
	id=$(readelf -n prog | sed -n 's/.*Build ID: //p')
	secret=$(realpath "$BATS_TEST_TMPDIR")/secret
	mkdir -m 700 "$secret" && cp prog "$secret"
	addresses "$secret/prog" - >addr.pb
	prof-cat addr.pb >got 2>err
	lacks got '\twork\t'
	[ "$(cat err)" = "prof-cat: $secret/prog: not all users may read this, and the profile has no build ID of it: give it with --exe" ]
	prof-annotate --asm addr.pb >got 2>&1
	grep -q 'is private: give it with --exe' got
	lacks got 'work|%[er]'
	# The user says that it is theirs, or it is where they are, or who knows it has its ID.
	prof-cat --exe "$secret/prog" addr.pb | has '	work	'
	(cd "$secret" && prof-cat "$OLDPWD/addr.pb") | has '	work	'
	addresses "$secret/prog" "$id" >addr.pb
	prof-cat addr.pb | has '	work	'
	# Through a link, too; a hidden directory is not where they are.
	ln -s "$secret/prog" link
	addresses "$PWD/link" - >addr.pb
	prof-cat --quiet addr.pb >got
	lacks got '\twork\t'
	mkdir .hidden && chmod 700 . && cp prog .hidden
	addresses "$PWD/.hidden/prog" - >addr.pb
	prof-cat --quiet addr.pb >got
	lacks got '\twork\t'
	# What is below /proc has no symbols, and a pipe is not waited for.
	cp prog "$secret/run" && mkfifo pipe
	for f in /proc/self/exe "$PWD/pipe" /dev/stdin; do
		addresses "$f" - >addr.pb
		brief 5 timeout 5 prof-cat --quiet addr.pb >got </dev/null
		lacks got '\tmain\t'
	done
	addresses /proc/version - >addr.pb
	prof-annotate --asm addr.pb 2>&1 | has 'is not yours: give it with --exe'
	# Nor is a program of another user's.
	if chown 12345 prog 2>/dev/null; then
		addresses "$PWD/prog" - >addr.pb
		prof-cat --quiet addr.pb >got
		lacks got '\twork\t'
		chown "$(id -u)" prog
	fi
	addresses "$PWD/prog" - >addr.pb
	prof-cat addr.pb | has '	work	'
}

@test "a Callgrind file that pprof wrote does not count calls, but has their cost" {
	go tool pprof -callgrind -output=cpu.cg one/cpu.pb.gz 2>/dev/null
	[ "$(grep -c '^calls=0 ' cpu.cg)" -gt 5 ]
	[ "$(prof-cat cpu.cg | awk -F '\t' '$1 == "call" { print $9 }' | sort -u)" = - ]
	prof-top cpu.cg >text
	head -3 text | tail -1 | has 'inclusive  *%  function'
	prof-cat cpu.cg | prof-top | diff text -
	[ "$(prof-top --tsv cpu.cg | cut -f 4 | sed 1d | sort -u)" = - ]
	# Where others say 0 it is a count, as is what is not 0.
	{ echo 'creator: me'; cat cpu.cg; } >other.cg
	[ "$(prof-cat other.cg | awk -F '\t' '$1 == "call" { print $9 }' | sort -u)" = 0 ]
	sed 's/^calls=0 /calls=2 /' cpu.cg >two.cg
	[ "$(prof-cat two.cg | awk -F '\t' '$1 == "call" { print $9 }' | sort -u)" = 2 ]
	prof-top two.cg | has ' calls  function'
}

@test "a total that is not the sum of the samples is dropped, and reported" {
	bars >p <<-'E'
	prof|1
	part|1
	event|0|cpu|ns|-|-|calls=absent
	event|1|alloc|B|-|-|calls=absent
	func|0|main|-|-|-
	ctx|0|-|0|-|-|-
	sample|0|3|40
	sample|0|4|2
	total|run|7|42
	end
	E
	silent prof-to pprof --strict p >got
	go tool pprof -top -sample_index=alloc got 2>/dev/null | has '42B, 100% of 42B total'
	for total in '7|43' '8|42' '8|43' -1; do
		sed "s/^total.*/total|run|$total/" p | bars >other
		prof-to pprof other 2>err >got
		echo 'prof-to: pprof cannot hold: the cost of the run outside its samples (1)' |
			same - err
	done
	# The profiler's sum of its lines, too.
	sed 's/run/sum/' p >other
	silent prof-to pprof --strict other >got
	sed 's/^total.*/total|sum|8|42/' p | bars >other
	prof-to pprof other 2>err >got
	echo 'prof-to: pprof cannot hold: totals (1)' | same - err
}

@test "a label that is no number is kept as it is, though others of its key are numbers" {
	bars >labels.prof <<-'E'
	prof|1
	part|1
	event|0|samples|-|-|-|calls=absent
	meta|pprof.numlabel|size|bytes
	func|0|main|-|-|-
	ctx|0|-|0|-|-|-
	sample|0|1|size=512
	sample|0|1|size=one|size=-7
	sample|0|1|size=007
	sample|0|1|size=9223372036854775808
	end
	E
	prof-to pprof labels.prof >labels.pb.gz
	prof-cat labels.pb.gz | grep '^sample' | cut -f 4- | paste -sd ' ' >got
	[ "$(cat got)" = $'size=512 size=one\tsize=-7 size=007 size=9223372036854775808' ]
	raw labels.pb.gz | has 'size:\[512 bytes\]'
}

@test "the default is what go tool pprof shows, and stays so" {
	local kind type

	for kind in heap allocs block mutex cpu goroutine; do
		type=$(go tool pprof -top one/$kind.pb.gz 2>/dev/null | sed -n 's/^Type: //p')
		[ -n "$type" ]
		prof-top --quiet one/$kind.pb.gz | sed -n '1s/ in 1 profile.*//; 1s/.* //p' | diff - <(echo "$type")
		echo "$kind $type"
		# As written again, from the stream and with other events first.
		prof-cat one/$kind.pb.gz | prof-to pprof --quiet >again.pb.gz
		go tool pprof -top again.pb.gz 2>/dev/null | has -x "Type: $type"
	done >types
	diff - types <<-'E'
	heap inuse_space
	allocs alloc_space
	block delay
	mutex delay
	cpu cpu
	goroutine goroutine
	E
	prof-to pprof --events alloc_objects,inuse_space --quiet one/heap.pb.gz >other.pb.gz
	go tool pprof -top other.pb.gz 2>/dev/null | has -x 'Type: alloc_objects'
	prof-top --quiet other.pb.gz | sed 1q | has ' alloc_objects in 1 profile'
	# The rows are those of that event.
	prof-top --tsv --quiet -n 0 --events inuse_space one/heap.pb.gz | cut -f 1,5 | sed 1d | awk '$2' | sort >want
	prof-top --quiet --exact -n 0 one/heap.pb.gz | awk 'NR == 1 || /%/ || NF < 6 { next } { gsub(",", "", $1); print $6 "\t" $1 }' |
		awk '$2' | sort | diff want -
}

@test "a field without a number is no field" {
	gzip -dc one/heap.pb.gz >heap.raw
	prof-cat --quiet --from pprof heap.raw >/dev/null
	for key in '\x01' '\x02' '\x05' '\x00'; do
		{ cat heap.raw; printf "$key"'\x01xxxxxxxx'; } >bad.pb
		fails_with 'expected the key of a field' prof-cat --from pprof bad.pb
	done
}

@test "descriptions of an event match the unit in which it is written" {
	# in_parts SCALE COST DESCRIPTION
	in_parts() {
		printf '%s\n' 'prof|1' 'part|1' "event|0|A|s|-|$3|scale=1/$1" 'func|0|f|-|-|-' \
			'ctx|0|-|0|-|-|-' "sample|0|$2" end | bars
	}
	# A difference remains one, and no more seconds than before.
	in_parts 1000 1500 - >old
	in_parts 1000 1700 - >new
	prof-diff old new | prof-to pprof --strict >diff.pb.gz
	prof-cat diff.pb.gz | grep -E '^(event|sample)' >got
	bars <<-'E' | diff - got
	event|0|A|ns|-|-|role=delta
	event|1|A.old|ns|-|-|of=A|role=old
	event|2|A.new|ns|-|-|of=A|role=new
	sample|0|200000000|1500000000|1700000000
	E
	prof-top --tsv diff.pb.gz | cut -f 5,7,9 | sed 1d >got
	printf '200000000\t1500000000\t1700000000\n' | diff - got
	# 1.5 seconds are not 1,500,000.
	in_parts 1000 1500 'Wall time' | prof-to pprof --strict >described.pb.gz
	prof-cat described.pb.gz | grep -E '^(event|sample)' >got
	bars <<-'E' | diff - got
	event|0|A|ns|-|Wall time
	sample|0|1500000000
	E
	# Sevenths are no number of nanoseconds; others see seconds, and a note says so.
	in_parts 7 15 'Wall time' >sevenths
	fails_with 'scales of events' prof-to pprof --strict sevenths
	prof-to pprof --quiet sevenths | prof-cat | grep -E '^(event|sample)' >got
	bars <<-'E' | diff - got
	event|0|A|s|-|Wall time|scale=1/7
	sample|0|15
	E
	in_parts 7 15 - | prof-to pprof --quiet | prof-cat | has '	scale=1/7$'
}

@test "objects of inlined functions, for which pprof has no place, are reported" {
	printf '%s\n' 'prof 1' 'part 1' 'event 0 E - - -' 'object 0 /bin/app -' 'object 1 /lib/l.so -' \
		'func 0 main - 0 -' 'func 1 fi - 1 -' 'func 2 fo - 0 -' 'ctx 0 - 0 - - -' \
		'ctx 1 0 1 - - - inlined=1' 'ctx 2 0 2 - - - inlined=1' 'sample 2 5' end | tr ' ' '\t' >s
	[ -z "$(prof-to pprof --losses s)" ]
	sed 's/^sample.*/sample\t1\t10/' s >other
	[ "$(prof-to pprof --losses other)" = 'objects of inlined functions (1)' ]
}
