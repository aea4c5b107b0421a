#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# What pprof read before profile.proto: against `go tool pprof`, `google-pprof` and `jeprof`,
# on what gperftools, jemalloc and Go's runtime write, and on files of known values.

load tools.bash

corpus=$BATS_TEST_DIRNAME/fuzz/corpus/pprof-legacy

# many_callers FILE: adds samples of one leaf and 40 callers in its page.  Where nearly
# all samples have one caller, go tool pprof takes it for the signal handler, and drops it.
many_callers() {
	perl -0777 -i -pe 'my ($head, $leaf) = (substr($_, 0, 40), unpack "x56 Q<", $_);
		$_ = $head . join("", map { pack "Q<*", 1, 2, $leaf,
			($leaf & ~0xfff) + 16 * $_ + ($leaf + 8 & 15) } 1 .. 40) . substr $_, 40' "$1"
}

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	export GOCACHE=$PWD/cache HOME=$PWD GOFLAGS=-trimpath
	for lib in profiler tcmalloc; do
		"${CC:-cc}" -g -O1 -fno-optimize-sibling-calls -o $lib "$TESTS/programs/heap.c" \
			-Wl,--no-as-needed -l$lib
	done
	CPUPROFILE=cpu.prof ./profiler 40 >/dev/null 2>&1
	many_callers cpu.prof
	HEAPPROFILE=$PWD/heap ./tcmalloc >/dev/null 2>&1
	"${CC:-cc}" -g -O1 -fno-optimize-sibling-calls -o program "$TESTS/programs/heap.c"
	for conf in all:lg_prof_sample:0,prof_accum:true some:lg_prof_sample:12,prof_accum:true \
	    used:lg_prof_sample:12; do
		LD_PRELOAD=libjemalloc.so.2 \
			MALLOC_CONF=prof:true,prof_final:true,prof_prefix:${conf%%:*},${conf#*:} \
			./program >/dev/null
		mv ${conf%%:*}.*.heap ${conf%%:*}.jemalloc
	done
	cp "$TESTS/programs/profiles.go" .
	# The same profiles, as text.
	sed 's/WriteTo(\(.*\), 0)/WriteTo(\1, 1)/' profiles.go >text.go
	run -1 cmp -s profiles.go text.go
	go build -o text text.go
	mkdir go
	./text go
	rm -r cache
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return 1
	export HOME=$PWD
}

# raw FILE: all of it, as pprof has it, without numbers.
raw() {
	go tool pprof -raw "$1" 2>/dev/null | "$TESTS/pprof-raw.pl"
}

# as_pprof FILE [OPTION...]: it is the same for pprof, read by us or by itself.
as_pprof() {
	raw "$1" >want
	[ "$(grep -c ': 0x' want)" -gt 0 ] || { cat want; return 1; }
	prof-to pprof --strict --quiet "${@:2}" "$1" >ours.pb.gz
	raw ours.pb.gz | diff want -
	prof-cat --quiet "${@:2}" "$1" | prof-to pprof --strict --quiet >ours.pb.gz
	raw ours.pb.gz | diff want -
}

# words TEMPLATE < NUMBERS: as perl's pack() has them.
words() {
	perl -e 'my $t = shift; binmode STDOUT; print pack "$t*", map { s/^0x// ? hex : $_ } split " ", <STDIN>' "$1"
}

@test "a CPU profile of gperftools is what go tool pprof reads" {
	[ "$(prof-cat --probe cpu.prof)" = 'cpu.prof: pprof-legacy' ]
	as_pprof cpu.prof
	grep -q '^mapping: 0x.*/profiler' want
	grep -q '^mapping: 0x.*/libprofiler.so' want || has '^mapping: 0x.*/libc' want
}

@test "a CPU profile has the samples of google-pprof, by address" {
	google-pprof --text --addresses ./profiler cpu.prof 2>/dev/null >theirs
	total=$(sed -n 's/^Total: \([0-9]*\) samples/\1/p' theirs)
	[ "$total" -gt 10 ]
	[ "$(prof-top --tsv -n 0 --events samples cpu.prof | awk -F '\t' '
		NR > 1 { n += $5 } END { print n }')" = "$total" ]
	# Self, of the addresses of the leaves.
	awk '$1 > 0 && $1 ~ /^[0-9]+$/ && $6 ~ /^[0-9a-f]+$/ { print "0x" $6, $1 }' theirs |
		sed 's/^0x0*/0x/' | sort >want
	[ -s want ]
	prof-cat cpu.prof | awk -F '\t' '$1 == "ctx" { addr[$2] = $7 }
		$1 == "sample" { n[addr[$2]] += $3 } END { for (a in n) print a, n[a] }' |
		sort | diff want -
}

@test "heap profiles of gperftools are what go tool pprof and google-pprof read" {
	last=$(printf '%s\n' heap.*.heap | tail -n 1)
	cp "$last" last.heap
	[ "$(prof-cat --probe last.heap)" = 'last.heap: pprof-legacy' ]
	as_pprof last.heap
	grep -q 'bytes:\[1000\]' want
	prof-cat last.heap >stream
	for e in inuse_objects:1500 inuse_space:1500000 alloc_objects:2000 alloc_space:2000000; do
		# Those of the program alone have 1000 bytes.
		prof-to json --events "${e%:*}" stream | jq -s "map(select(.record == \"sample\"
			and .attrs.bytes == \"1000\") | .${e%:*}) | add" | has -x "${e#*:}"
	done
	google-pprof --text --inuse_objects ./tcmalloc last.heap 2>/dev/null |
		sed -n 's/^Total: \([0-9]*\) objects/\1/p' >want
	[ -s want ]
	prof-top --tsv -n 0 --events inuse_objects last.heap | awk -F '\t' '
		NR > 1 { n += $5 } END { print n }' | diff want -
}

# stacks EVENT FILE: its value in each stack, as estimated.
stacks() {
	prof-cat --quiet --estimate-heap "$2" | awk -F '\t' -v event="$1" '
		$1 == "event" && $3 == event { col = $2 + 3 }
		$1 == "sample" && col && $col { print $col }' | sort -n
}

@test "heap profiles of jemalloc have the stacks of jeprof" {
	for p in all some used; do
		[ "$(prof-cat --probe $p.jemalloc)" = "$p.jemalloc: pprof-legacy" ]
		for e in inuse_objects inuse_space alloc_objects alloc_space; do
			echo $p $e
			jeprof --collapsed --$e ./program $p.jemalloc 2>/dev/null |
				sed -n 's/.* \([1-9][0-9]*\)$/\1/p' | sort -n >want
			[ $p/${e%_*} = used/alloc ] || [ -s want ]
			stacks $e $p.jemalloc | diff want -
		done
	done
	# With all allocations sampled it is what the program does: jemalloc makes 1024 of 1000.
	prof-top --quiet --tsv --exe program --events inuse_objects,inuse_space,alloc_objects,alloc_space \
		all.jemalloc | awk -F '\t' '$1 == "keep" { print $6, $8, $10, $12 }' >got
	diff - got <<<'1500 1536000 2000 2048000'
	silent prof-cat all.jemalloc >/dev/null
	prof-cat some.jemalloc 2>&1 >/dev/null | has 'one allocation in 4096 bytes: --estimate-heap scales it up'
	# The libraries are those of its map.
	prof-cat --quiet all.jemalloc | has "^object.*/program	"
	prof-cat --quiet all.jemalloc | has '^object.*libjemalloc.so.2	'
}

@test "jemalloc's lines are read as known" {
	prof-cat "$corpus/jemalloc" 2>err | diff - <(tabs <<-'E'
	prof  1
	part  1  positions=addr
	meta  format  pprof-legacy
	meta  pprof.period  524288  space  bytes
	event  0  alloc_objects  -  -  -  calls=absent
	event  1  alloc_space  B  -  -  calls=absent
	event  2  inuse_objects  -  -  -  calls=absent
	event  3  inuse_space  B  -  -  calls=absent  default=1
	object  0  /bin/prog  -  start=0x400000  limit=0x408000
	meta  pprof.numlabel  bytes  -
	func  0  -  -  0  -
	ctx  0  -  0  -  -  0x40201f
	ctx  1  0  0  -  -  0x40100f
	sample  1  2  64  1  32  bytes=32
	ctx  2  -  0  -  -  0x40303f
	ctx  3  2  0  -  -  0x40202f
	ctx  4  3  0  -  -  0x40100f
	sample  4  3  96  2  64  bytes=32
	end
	E
	)
	grep -q 'the numbers of 2 threads are summed$' err
	# gperftools writes the same heap in its own form, to the last digit.
	prof-cat --quiet --estimate-heap "$corpus/jemalloc" | grep '^sample' |
		diff <(prof-cat --quiet --estimate-heap "$corpus/heap" | grep '^sample') -
	# Without prof_accum there is nothing but what is in use; of one thread nothing is lost.
	sed 's/\[.*\]/[0: 0]/; /t7/d' "$corpus/jemalloc" >one
	prof-cat one 2>err | grep '^\(event\|sample\)' | diff - <(tabs <<-'E'
	event  0  inuse_objects  -  -  -  calls=absent
	event  1  inuse_space  B  -  -  calls=absent  default=1
	sample  1  1  32  bytes=32
	sample  4  2  64  bytes=32
	E
	)
	lacks err threads
	printf 'heap_v2/1\n  t*: 0: 0 [0: 0]\n\nMAPPED_LIBRARIES:\n400000-500000: x\n' | prof-cat | grep '^event	1' |
		diff - <(tabs <<<'event  1  inuse_space  B  -  -  calls=absent  default=1')
}

@test "Go's text is what go tool pprof reads, and its frames have names" {
	for p in heap allocs mutex block goroutine; do
		echo $p
		[ "$(head -c 2 go/$p.pb.gz | od -An -tx1)" != ' 1f 8b' ]
		as_pprof go/$p.pb.gz --estimate-heap
	done
	prof-cat go/goroutine.pb.gz >stream
	grep -q '^func.*	main.main	' stream
	# Each line that names an address is a frame of this name, in this file and line.
	awk -F '\t+' '$1 == "#" && NF >= 4 { sub(/\+0x[0-9a-f]*$/, "", $3); gsub(/ /, "", $4)
		print $2, $3, $4 }' go/goroutine.pb.gz | sort -u >want
	[ -s want ]
	awk -F '\t' '$1 == "file" { file[$2] = $3 } $1 == "func" { name[$2] = $3 }
		$1 == "ctx" && $4 != "-" && name[$4] != "-" { print $7, name[$4], file[$5] ":" $6 }' \
		stream | sort -u | diff want -
}

@test "words of each size and order are the same profile" {
	map='00400000-00408000 r-xp 00000000 08:01 77   /bin/prog'
	for t in 'L<' 'L>' 'Q<' 'Q>'; do
		{ echo '0 3 0 10000 0 2 2 0x401010 0x402020 1 3 0x403030 0x403030 0x402020 0 1 0' |
			words "$t"; echo "$map"; } >cpu
		[ "$(prof-cat --probe cpu)" = 'cpu: pprof-legacy' ]
		prof-cat cpu | diff - <(tabs <<-'E'
		prof  1
		part  1  positions=addr
		meta  format  pprof-legacy
		meta  pprof.period  10000000  cpu  nanoseconds
		event  0  samples  -  -  -  calls=absent
		event  1  cpu  ns  -  -  calls=absent  default=1
		object  0  /bin/prog  -  start=0x400000  limit=0x408000
		func  0  -  -  0  -
		ctx  0  -  0  -  -  0x40201f
		ctx  1  0  0  -  -  0x401010
		sample  1  2  20000000
		ctx  2  0  0  -  -  0x403030
		sample  2  1  10000000
		end
		E
		)
	done
	# With a heading before the map, as Go once wrote it; another heading is none.
	prof-cat cpu >want
	printf '\nMAPPED_LIBRARIES:\n%s\nMAPPED_LIBRARIES:\n' "$map" |
		cat <(head -c -$((${#map} + 1)) cpu) - >headed
	prof-cat headed 2>err | diff want -
	has "not a line of a memory map: 'MAPPED_LIBRARIES:'" err
	sed -i '$d' headed
	prof-cat headed 2>err | diff want -
	lacks err 'not a line of a memory map'
	# What does not fit 64 bits, and what does not fit 128.
	{ echo '0 3 0 0xffffffffffffffff 0 0xffffffffffffffff 1 0x401010 0 1 0' | words 'Q<'
	echo "$map"; } >cpu
	exits_with 2 'the time of 18446744073709551615 samples does not fit 128 bits' prof-cat cpu
	{ echo '0 3 0 0xffffffffffffffff 0 2 1 0x401010 0 1 0' | words 'Q<'; echo "$map"; } >cpu
	prof-cat cpu | has -x 'sample	0	2	36893488147419103230000'
}

@test "each kind of text is read as known" {
	prof-cat "$corpus/contention" | grep '^\(meta\|event\|sample\)' | diff - <(tabs <<-'E'
	meta  format  pprof-legacy
	meta  pprof.period  100  contentions  count
	meta  pprof.duration_nanos  5000000000
	event  0  contentions  -  -  -  calls=absent
	event  1  delay  ns  -  -  calls=absent  default=1
	sample  1  2700  974515200
	sample  2  100  38400
	E
	)
	sed '/^cycles/d' "$corpus/contention" | prof-cat | grep '^event	1\|^sample' | diff - <(tabs <<-'E'
	event  1  delay  cycles  -  -  calls=absent  default=1
	sample  1  2700  19490304
	sample  2  100  768
	E
	)
	prof-to json "$corpus/threads" | jq -c 'select(.record == "sample") |
		[[.stack[].function], .threads]' |
		diff - <(cat <<-'E'
		[["main","helper(arg *)"],2]
		[[null,null,null],1]
		E
		)
	for f in contention threads cpu64; do
		as_pprof "$corpus/$f"
	done
	# A count may be called as what begins a memory map.
	printf 'MAPPED_LIBRARIES:x profile: total 1\n1 @ 0x2\n' | prof-cat | has '^sample	0	1$'
	# Two lines of one address are inlined functions; lines again are recursion.
	prof-cat "$corpus/goroutine" | grep '^\(func\|ctx\|sample\)' | diff - <(tabs <<-'E'
	func  0  main.rec  0  -  -
	ctx  0  -  0  0  20  0x4614c0
	ctx  1  0  0  0  20  0x4614c0
	func  1  main.inner  0  -  -
	func  2  main.outer  0  -  -
	ctx  2  1  2  0  12  0x43a0d5
	ctx  3  2  1  0  7  0x43a0d5  inlined=1
	sample  3  2
	sample  -  1
	E
	)
}

@test "sampled heaps are as they are, or estimated" {
	prof-cat "$corpus/heap" 2>err | grep '^\(event\|sample\)' | diff - <(tabs <<-'E'
	event  0  alloc_objects  -  -  -  calls=absent
	event  1  alloc_space  B  -  -  calls=absent
	event  2  inuse_objects  -  -  -  calls=absent
	event  3  inuse_space  B  -  -  calls=absent  default=1
	sample  1  2  64  1  32  bytes=32
	sample  4  3  96  2  64  bytes=32
	E
	)
	grep -q 'one allocation in 524288 bytes: --estimate-heap scales it up' err
	# 1 / (1 - exp(-32 / 524288)) is 16384.5.
	prof-cat --quiet --estimate-heap "$corpus/heap" | grep '^sample' | diff - <(tabs <<-'E'
	sample  1  32769  1048608  16384  524304  bytes=32
	sample  4  49153  1572912  32769  1048608  bytes=32
	E
	)
	as_pprof "$corpus/heap" --estimate-heap
	# Go's rate is twice what it says.
	sed 's/heap_v2/heap/' "$corpus/heap" >go.heap
	prof-cat --estimate-heap go.heap | has '^sample	1	16385	'
	# Not of growth, nor of heapprofile.
	for kind in growthz fragmentationz heapprofile; do
		sed "1s/@.*/@ $kind/" "$corpus/heap" >raw.heap
		prof-cat --quiet --estimate-heap raw.heap >got
		grep -q '^sample	1	.*1	32	bytes=32$' got
		as_pprof raw.heap
	done
}

@test "a heap without a rate is not scaled up" {
	printf '%s\n' 'heap profile: 1: 1 [1: 1] @ heap_v2' '1: 1 [1: 1] @ 0x401010' \
		'MAPPED_LIBRARIES:' '400000-500000 r-xp 0 0:0 0 x' >none.heap
	prof-cat --estimate-heap none.heap >got
	has -x 'meta	pprof.period	0	space	bytes' <got
	has -x 'sample	0	1	1	bytes=1' <got
}

# objects < MAP: the objects of a profile with this memory map.
objects() {
	{ printf 'heap profile: 1: 1 [1: 1] @ growthz\n1: 1 [1: 1] @ 0x401010\nMAPPED_LIBRARIES:\n'
	cat; } >map.heap
	prof-cat map.heap | sed -n 's/^object	[0-9]*	//p'
	as_pprof map.heap >&2
}

@test "memory maps are what pprof makes of them" {
	# Not executable; split in two; a library before the program; blanks, a deleted file.
	objects <<-'E' >got
	7f0000000000-7f0000001000 r--p 00000000 08:01 78   /lib/libc.so.6
	7f0000001000-7f0000002000 r-xp 00001000 08:01 78   /lib/libc.so.6
	7f0000002000-7f0000003000 r-xp 00002000 08:01 78   /lib/libc.so.6
	00401000-00408000 r-xp 00001000 08:01 77   /bin/prog (deleted)
	7ffd00000000-7ffd00001000 r-xp 00000000 00:00 0   [vdso]
	E
	diff - got <<<"/bin/prog	-	start=0x400000	limit=0x408000
/lib/libc.so.6	-	start=0x7f0000001000	limit=0x7f0000003000	offset=0x1000
[vdso]	-	start=0x7ffd00000000	limit=0x7ffd00001000"
	# Brief lines, with variables, an offset, a build ID, and a prefix of a log.
	objects <<-'E' >got
	source=/home/me
	build = $source
	0x400000-0x408000: $source/prog (@ff00) 0123abcd
	I0101 main.cc:12] 500000-508000 /lib/liba.so
	600000-608000: $unknown/libb.so
	E
	diff - got <<<"/home/me/prog	0123abcd	start=0x400000	limit=0x408000	offset=0xff00
/lib/liba.so	-	start=0x500000	limit=0x508000
\$unknown/libb.so	-	start=0x600000	limit=0x608000"
	# What is none is not one.
	objects <<-'E' >got
	no mapping
	10000000000000000-20000000000000000 r-xp 00000000 08:01 77   /bin/large
	00400000-00408000 r-xp 00000000 08:01 77   /bin/prog
	E
	[ "$(cat got)" = '/bin/prog	-	start=0x400000	limit=0x408000' ]
}

# bad TEXT COMMAND... < FILE
bad() {
	cat >bad
	exits_with 2 "$1" prof-cat --from pprof-legacy --quiet bad
}

@test "every error has a place, and --lenient goes on behind it" {
	local head='heap profile: 1: 1 [1: 1] @ growthz'
	map=$'MAPPED_LIBRARIES:\n400000-500000: x\n'
	bad "bad:1: expected totals, as in" <<<"heap profile: 1"
	bad "bad:1: an unknown kind of heap: 'heapy'" <<<"heap profile: 1: 1 [1: 1] @ heapy"
	bad "bad:1: expected a rate after the kind of heap" <<<"heap profile: 1: 1 [1: 1] @ heap/x"
	bad "bad:2: expected counts and bytes, as in '1: 16 [2: 32] @ 0x401000', found '1: 1'" <<<"$head"$'\n1: 1\n'"$map"
	bad "bad:2: expected counts and bytes" <<<"$head"$'\n9223372036854775808: 1 [1: 1] @ 0x1\n'"$map"
	bad "bad:2: expected an address, such as 0x401000, found '0x1g'" <<<"$head"$'\n1: 1 [1: 1] @ 0x1g\n'"$map"
	bad "bad:2: expected an address" <<<"$head"$'\n1: 1 [1: 1] @ 0x10000000000000000\n'"$map"
	bad "bad:2: bytes without objects: '0: 5 [1: 1] @ 0x1'" <<<"$head"$'\n0: 5 [1: 1] @ 0x1\n'"$map"
	local jemalloc=$'heap_v2/512\n  t*: 1: 8 [0: 0]\n@ 0x401010\n  t*: 1: 8 [0: 0]\n'
	bad "bad:1: expected the average number of bytes from sample to sample, as in 'heap_v2/524288', found 'heap_v2/5x'" <<<"${jemalloc/12/x}$map"
	bad "bad:2: expected totals, as in 't*: 1: 16 [2: 32]', found 't0: 1: 8 [0: 0]'" <<<"${jemalloc/t\*:/t0:}$map"
	bad "bad:1: expected totals" <<<"heap_v2/512"
	bad "bad:3: numbers without a stack" <<<"${jemalloc/@/  t*: 1: 8 [0: 0]$'\n'@}$map"
	bad "bad:4: expected a stack, as in '@ 0x401000', or its numbers, as in 't*: 1: 16 [2: 32]', found 't*: 1: 8'" <<<"${jemalloc%[*}"$'\n'"$map"
	bad "bad:4: expected a stack, as in '@ 0x401000', or its numbers, as in 't*: 1: 16 [2: 32]', found 'tx: 1'" <<<"${jemalloc/@ 0x401010/@ 0x401010$'\n'tx: 1}$map"
	bad "bad:3: expected an address, such as 0x401000, found '401010'" <<<"${jemalloc/@ 0x/@ }$map"
	bad "bad:4: before this line, a stack without numbers" <<<"${jemalloc/@/@ 0x1$'\n'@}$map"
	bad "bad:5: numbers without a stack: 't*: 1: 8 [0: 0]'" <<<"$jemalloc  t*: 1: 8 [0: 0]"$'\n'"$map"
	bad "bad:2: expected a count, as in '1 @ 0x401000', found '-1 @ 0x1'" <<<$'goroutine profile: total 1\n-1 @ 0x1'
	bad "bad:1: a total that does not fit 63 bits" <<<'goroutine profile: total 99999999999999999999'
	bad "bad:2: expected a number after '=', found 'cycles/second = x'" <<<$'--- mutex:\ncycles/second = x'
	bad "bad:2: an unknown field: 'color = 1'" <<<$'--- mutex:\ncolor = 1'
	bad "bad:3: expected cycles and a count, as in '1000 1 @ 0x401000', found '1 @ 0x1'" <<<$'--- mutex:\ncycles/second=1\n1 @ 0x1'
	bad "bad:4: a time that does not fit 128 bits" <<<$'--- mutex:\ncycles/second=1\nsampling period=9223372036854775807\n9223372036854775807 1 @ 0x1'
	bad "bad:3: expected addresses, such as 0x401000, found 'what'" <<<$'--- threadz 1 ---\n--- Thread 1 (name: a/1) stack: ---\nwhat\n'"$map"
	bad 'neither a CPU profile nor the first line of another kind' <<<'what'
	bad "Java's profiles in this format are not supported" <<<'--- heapz 1 ---'
	bad "bad:2: Java's profiles in this format are not supported" <<<$'--- contentionz 1 ---\nformat = java'
	echo '0 3 1 10000 0' | words 'L<' >bad
	exits_with 2 "Java's profiles" prof-cat bad
	# What is right is read.
	printf '%s\n1: 1\n2: 20 [2: 20] @ 0x401010\n%s' "$head" "$map" >bad
	prof-cat --lenient bad 2>err | grep '^sample' | diff - <(printf 'sample\t0\t2\t20\tbytes=10\n')
	grep -q 'warning: skipped: bad:2: ' err
}

@test "truncation is noticed: no end, no memory map, less than the first line states" {
	end='0 1 0'
	{ echo '0 3 0 10000 0 2 1 0x401010' | words 'Q<'; } >cut
	exits_with 2 'cut: byte 64: the file is truncated: the words 0 1 0 after the last sample are missing' prof-cat cut
	prof-cat --lenient cut 2>/dev/null | has -x 'sample	0	2	20000000'
	{ echo '0 3 0 10000 0 2 3 0x401010' | words 'Q<'; } >cut
	exits_with 2 'cut: byte 40: the file is truncated: a sample of 3 addresses, but only 1 more words' prof-cat cut
	{ echo "0 3 0 10000 0 2 1 0x401010 $end" | words 'Q<'; } >cut
	prof-cat cut 2>err | has -x 'sample	0	2	20000000'
	grep -q 'no memory map after the samples' err
	{ cat cut; printf '400000-500000: x'; } >cut2
	exits_with 2 'the memory map is truncated: its last line has no newline' prof-cat cut2
	printf 'goroutine profile: total 5\n3 @ 0x1\n' >cut
	exits_with 2 'prof-cat: cut: the file is truncated: the first line states 5, the others 3' prof-cat cut
	printf 'heap profile: 5: 5 [5: 5] @ heap/2\n3: 3 [3: 3] @ 0x1\n' >cut
	exits_with 2 'prof-cat: cut: the file is truncated: the first line states 5 objects, the others 3' prof-cat --quiet cut
	printf 'heap profile: 3: 3 [3: 3] @ heap_v2/1\n3: 3 [3: 3] @ 0x1\n' >cut
	exits_with 2 'prof-cat: cut: the file is truncated: no memory map comes after the samples' prof-cat cut
	prof-cat --lenient cut 2>/dev/null | has '^sample'
	printf 'heap_v2/1\n  t*: 1: 8 [0: 0]\n@ 0x1\n' >cut
	exits_with 2 'prof-cat: cut: the file is truncated: it ends with a stack without numbers' prof-cat cut
	printf '  t*: 1: 8 [0: 0]\n' >>cut
	exits_with 2 'prof-cat: cut: the file is truncated: no memory map comes after the samples' prof-cat cut
	prof-cat --lenient cut 2>/dev/null | has -x 'sample	0	1	8	bytes=8'
	printf 'goroutine profile: total 3\n3 @ 0x1' >cut
	exits_with 2 'cut:2: the file is truncated: its last line has no newline' prof-cat cut
	# Go ends the names of each stack with an empty line.
	printf 'goroutine profile: total 3\n3 @ 0x2\n#\t0x1\tf+0x1\tf.go:1\n' >cut
	exits_with 2 'cut:3: the file is truncated: no empty line comes after the last stack' prof-cat cut
	prof-cat --lenient cut 2>/dev/null | has '^func	0	f	'
	printf 'goroutine profile: total 3' >cut
	exits_with 2 'cut:1: the file is truncated' prof-cat cut
	exits_with 2 'neither a CPU profile nor the first line' prof-cat --lenient cut
}

@test "deep stacks, many mappings and many names cost little" {
	{ echo 'goroutine profile: total 1'; printf '1 @'; seq -f ' 0x%.0f' 100000 299999 | tr -d '\n'; echo; } >deep
	[ "$(brief 10 prof-cat deep | grep -c '^ctx')" = 200000 ]
	# Of variables that name each other the memory map would be without bounds.
	{ printf 'heap profile: 1: 1 [1: 1] @ growthz\n1: 1 [1: 1] @ 0x401010\nMAPPED_LIBRARIES:\n'
	perl -e 'print "a=", "x" x 100000, "\n"; print "400000-500000: \$a\$a\$a\$a\n" x 20000'; } >grow
	exits_with 2 'with its variables the memory map is larger than 16 MiB' limited 400000 prof-cat grow
	for s in maps variables stacks deep names inlined threads cpu jemalloc; do
		shape pprof_legacy:$s 50000 >x
		brief 5 prof-cat --quiet x >out
		[ "$(wc -l <out)" -gt 8 ]
	done
}
