# SPDX-License-Identifier: ISC
# of: codec symbol
# Recordings of perf: written line by line, in all forms that perf has for them, and one that
# a program makes of itself, whose stacks glibc tells, too.

load tools.bash

setup_file() {
	chmod o+x "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR/file" "$BATS_FILE_TMPDIR"
	cd "$BATS_FILE_TMPDIR" || return 1
	cat >prog.c <<-'E'
	__attribute__((noinline)) int leaf(int n) { return n * 3; }
	__attribute__((noinline)) int middle(int n) { return leaf(n) + 1; }
	int main(void) { return middle(4); }
	E
	cc -g -O1 -fno-omit-frame-pointer -o prog prog.c
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
}

# recording [OPTION...]: f, of the lines on standard input, in which PROG is the program and
# @NAME an address in a function of it, where it lies at 0x10000.
recording() {
	nm "$BATS_FILE_TMPDIR/prog" | awk '$2 ~ /[tT]/ { print $3, $1 }' >symbols
	perl -pe 'BEGIN { open my $f, "<", "symbols"; %at = map { split } <$f> }
		s,\bPROG\b,$ENV{BATS_FILE_TMPDIR}/prog,g;
		s/\@(\w+)(\+\d+)?/sprintf "0x%x", hex($at{$1}) + 0x10000 + ($2 || 0)/ge' |
		python3 "$TESTS/perfdata.py" "$@" >f
}

# The program's code: the file begins at 0x10000, whatever its segments.
maps() {
	readelf -lW "$BATS_FILE_TMPDIR/prog" | perl -ne '
		/LOAD +(\w+) +(\w+) +\w+ +\w+ +(\w+) R E/ and
		printf "mmap 7 0x%x %s %s PROG prot=5 1\n", 0x10000 + hex $2, $3, $1'
}

# stacks [OPTION...]: those of f: labels, values, functions from the root on.
stacks() {
	stacks_of f "$@"
}

# stacks_of FILE [OPTION...]
stacks_of() {
	prof-cat "${@:2}" "$1" | awk -F '\t' '
		$1 == "func" { name[$2] = $3 == "-" ? "?" : $3 }
		$1 == "ctx" { stack[$2] = ($3 == "-" ? "" : stack[$3] ";") name[$4] }
		$1 == "sample" { line = stack[$2]
			for (i = 3; i <= NF; i++)
				line = line " " $i
			print line }'
}

usual() {
	echo 'event cpu-clock 1 0 1000 ip tid time chain'
	echo 'feature 3 host'
	maps
}

@test "a sample's chain are functions, from the root on" {
	{
		usual
		echo 'comm 7 7 prog 1'
		echo 'sample 0 ip=@leaf+2 tid=7 time=10 chain=-512,@leaf+2,@middle+9,@main+9'
		echo 'sample 0 ip=@leaf+3 tid=7 time=11 chain=-512,@leaf+3,@middle+9,@main+9'
	} | recording
	[ "$(stacks)" = 'main;middle;leaf 2 2000 event=cpu-clock comm=prog pid=7 tid=7' ]
}

@test "all forms of a recording give the same result" {
	for how in '' big pipe 'big pipe' zstd zstd2 'zstd cut=13' 'zstd2 cut=40' \
		'pipe zstd cut=100' 'attr=64' 'attr=136' 'pipe attr=200' killed 'big zstd'; do
		{
			usual
			echo 'comm 7 7 prog 1'
			for i in $(seq 50); do
				echo "sample 0 ip=@leaf+2 tid=7 time=$((i + 10)) chain=-512,@leaf+2,@main+9"
				[ $((i % 10)) != 0 ] || echo round
			done
		} | recording $how
		stacks --quiet >got
		echo 'main;leaf 50 50000 event=cpu-clock comm=prog pid=7 tid=7' | diff - got || {
			echo "form: $how"
			return 1
		}
		# Also through a pipe, and packed by somebody else.
		cat f | prof-cat --quiet | grep -c ^sample | has -x 1
		zstd -qc f | prof-cat --quiet | grep -c ^sample | has -x 1
	done
}

@test "many small packed pieces take no more room than they hold" {
	{
		usual
		for i in $(seq 5000); do
			echo "sample 0 ip=@leaf tid=7 time=$((i + 10)) chain=@leaf,0x$i"
		done
	} | recording zstd frame=512
	# Some thousand pieces wait for the end, as there is no round.
	limited 300000 prof-cat --quiet f >got
	tail -n 1 got | has -x end
}

@test "a caller is where its call is, not where that returns to" {
	# The call ends middle(): the next byte is of another function.
	{
		usual
		echo 'sample 0 ip=@leaf+2 tid=7 time=10 chain=@leaf+2,@middle,@main'
	} | recording
	before() {
		nm -n "$BATS_FILE_TMPDIR/prog" | awk -v name="$1" '$3 == name { print last } $2 ~ /[tT]/ { last = $3 }'
	}
	stacks >got
	grep -q "^$(before main);$(before middle);leaf 1 " got
}

@test "what the kernel has interrupted is where it was, not before it" {
	{
		usual
		echo 'sample 0 ip=0xffffffff81000000 tid=7 kernel time=10 chain=-128,0xffffffff81000000,0xffffffff81000100,-512,@leaf,@main+9'
	} | recording
	stacks --quiet | has '^main;leaf;?;? 1 1000 '
}

@test "a sample of no known event, or without a period, is reported" {
	{
		echo 'event cycles 0 0 0 identifier ip tid time period chain'
		echo 'event faults 1 2 5 identifier ip tid time period chain'
		printf '%s\n' 'id 0 11' 'id 1 21' 'feature 3 host'
		maps
		echo 'sample 0 identifier=11 ip=@leaf tid=7 time=10 period=18446744073709551615 chain=@leaf'
		echo 'sample 0 identifier=77 ip=@leaf tid=7 time=11 period=9999 chain=@leaf'
	} | recording
	stacks >got 2>err
	echo 'leaf 1 18446744073709551615 event=cycles pid=7 tid=7' | diff - got
	grep -q '^prof-cat: warning: f: 1 samples of events that the recording does not list are skipped' err
	{
		echo 'event cycles 0 0 0 ip tid time chain'
		echo 'feature 3 host'
		maps
		echo 'sample 0 ip=@leaf tid=7 time=10 chain=@leaf'
	} | recording
	stacks >got 2>err
	echo 'leaf 1 0 event=cycles pid=7 tid=7' | diff - got
	grep -q '^prof-cat: warning: f: 1 samples have no period' err
}

@test "records have their turn in the order of time, by rounds" {
	{
		usual
		echo 'comm 7 7 first 1'
		# Another processor's records come later, though they are earlier.
		echo 'sample 0 ip=@leaf tid=7 time=30 chain=@leaf'
		echo 'sample 0 ip=@leaf tid=7 time=50 chain=@leaf'
		echo 'comm 7 7 second 40'
		echo 'sample 0 ip=@leaf tid=7 time=35 chain=@leaf'
		echo round
		echo 'sample 0 ip=@leaf tid=7 time=45 chain=@leaf'
		echo 'comm 7 7 third 60'
		echo 'sample 0 ip=@leaf tid=7 time=70 chain=@leaf'
		echo round
		echo 'sample 0 ip=@leaf tid=7 time=65 chain=@leaf'
		echo round
	} | recording
	stacks | sed 's/ event.*comm=/ /; s/ pid.*//' >got
	printf '%s\n' 'leaf 2 2000 first' 'leaf 2 2000 second' 'leaf 2 2000 third' | diff - got
	# With their times they are in that order, too.
	stacks --times | sed 's/.*time=0.0000000//' | tr '\n' ' ' | has -x '30 35 45 50 65 70 '
}

@test "records of several processors, by rounds, have the name of their time" {
	# Each round has what came up to some time, another one for each of four processors.
	{
		usual
		python3 - <<-'E'
		import random
		random.seed(3)
		kept = [[] for cpu in range(4)]
		for t in range(10, 3000):
		    line = 'comm 7 7 n%d %d' % (t // 10, t) if t % 10 == 0 else \
		        'sample 0 ip=0x%x tid=7 time=%d chain=@leaf' % (t, t)
		    kept[random.randrange(4)].append((t, line))
		for end in range(0, 3100, 100):
		    for cpu in range(4):
		        until = end + random.randrange(100)
		        while kept[cpu] and kept[cpu][0][0] <= until:
		            print(kept[cpu].pop(0)[1])
		    print('round')
		E
	} >lines
	recording <lines
	stacks --times 2>err | perl -ne '/comm=n(\d+) .*time=0\.0*(\d+)$/ and print "$1 $2\n"' >got
	[ ! -s err ]
	[ "$(wc -l <got)" = 2691 ]
	awk '$1 != int($2 / 10) || $2 <= last { exit 1 } { last = $2 }' got
	# Without rounds, with one after each, and in any order, all come, and it is said if
	# their names may be wrong.
	grep -v round lines | recording
	stacks --times 2>err | perl -ne '/comm=n(\d+) .*time=0\.0*(\d+)$/ and print "$1 $2\n"' |
		diff - got
	[ ! -s err ]
	sed '/^comm\|^sample/a round' lines | recording
	stacks 2>err | awk '{ n += $2 } END { print n }' | has -x 2691
	grep -q '^prof-cat: warning: f: [0-9]* records came late: ' err
	sort -R --random-source=<(yes) lines | recording
	prof-cat f 2>err | grep -P '^meta\tlate records\t[1-9]'
	stacks 2>err | awk '{ n += $2 } END { print n }' | has -x 2691
}

@test "what waits for its turn is in proportion to the file" {
	# A record of 16 bytes, ten million times; and as many that are in no order.
	for times in '<Q", 5)' '<Q", 9000 - i % 8000)'; do
		python3 - "$times" <<-'E' | zstd -qc >packed
		import os, struct, sys
		some = b''.join(struct.pack('<IHH', 9, 2, 16) + eval('struct.pack("' + sys.argv[1])
		                for i in range(8000))
		for i in range(1250):
		    sys.stdout.buffer.write(some + struct.pack('<IHH', 74, 0, 88) + os.urandom(80))
		E
		{
			echo 'event cpu-clock 1 0 1000 time'
			split -b 60000 --filter='echo "raw 81 0 $(od -An -v -tx1 | tr -d " \n")"' packed
		} | recording
		[ "$(stat -c %s f)" -lt 250000 ]
		fails_with 'more than 32[01] MiB of records are not in the order of time, and have no rounds' \
			limited 500000 prof-cat f
	done
}

# packed_chains SAMPLES PLACES: f, of packed samples of 4,000 frames, in places that repeat.
packed_chains() {
	python3 - "$@" <<-'E' | zstd -qc >packed
	import random, struct, sys
	random.seed(1)
	samples, places = map(int, sys.argv[1:])
	chain = [0x10000 + 16 * i for i in range(places)] * (4000 // places + 2)
	words = struct.pack('<%dQ' % len(chain), *chain)
	for i in range(samples):
	    k = random.randrange(places)
	    body = struct.pack('<QiiQ', chain[k], 7, 7, 4000) + words[8 * k:8 * k + 32000]
	    sys.stdout.buffer.write(struct.pack('<IHH', 9, 2, 8 + len(body)) + body)
	E
	{
		echo 'event cpu-clock 1 0 1000 ip tid chain'
		split -b 60000 --filter='echo "raw 81 0 $(od -An -v -tx1 | tr -d " \n")"' packed
	} | recording
}

@test "stacks and records are in proportion to the file, however it is packed" {
	packed_chains 90 8000
	[ "$(stat -c %s f)" -lt 40000 ]
	fails_with "the stacks of [0-9]* compressed bytes are 2[0-9]* different ones, too many: use the output of perf script" \
		limited 700000 prof-cat --addr f
	packed_chains 60 8000
	limited 700000 prof-cat --quiet --addr f | grep -c ^ctx | has -E '^2[0-9]{5}$'
	packed_chains 8000 1
	[ "$(stat -c %s f)" -lt 150000 ]
	fails_with "[0-9]* bytes of compressed records expand to more than [0-9]* bytes, which perf does not" \
		prof-top f
}

@test "the events of a file cannot all have the same large list of ids" {
	{
		for i in $(seq 300); do
			echo "event e$i 1 $i 1000 identifier ip tid time"
		done
		for i in $(seq 3000); do
			echo "id 0 $i"
		done
		echo 'sample 0 identifier=5 ip=@leaf tid=7 time=11'
	} | recording
	# Each is told that its ids are those of the first one.
	python3 - <<-'E'
	import struct
	d = bytearray(open('f', 'rb').read())
	size, at, n = struct.unpack_from('<QQQ', d, 16)
	for entry in range(at, at + n, size):
	    struct.pack_into('<QQ', d, entry + size - 16, 104, 24000)
	open('f', 'wb').write(d)
	E
	fails_with 'f: byte 104: the ids of events have more bytes than the file' prof-cat f
}

@test "a sample of an event that only tracks is omitted with --times, and counted" {
	{
		echo 'event cpu-clock 1 0 1000 identifier ip tid time'
		echo 'event dummy:HG 1 9 1000 identifier ip tid time'
		printf '%s\n' 'id 0 11' 'id 1 21' 'feature 3 host'
		maps
		echo 'sample 0 identifier=11 ip=@leaf tid=7 time=10'
		echo 'sample 1 identifier=21 ip=@leaf tid=7 time=11'
		echo 'sample 0 identifier=11 ip=@leaf tid=7 time=12'
	} | recording
	stacks --times 2>err >got
	diff - got <<-'E'
	leaf 1 1000 event=cpu-clock pid=7 tid=7 time=0.000000010
	leaf 1 1000 event=cpu-clock pid=7 tid=7 time=0.000000012
	E
	grep -q '^prof-cat: warning: f: 1 samples of events that take none, or that came late' err
	prof-cat --times --quiet f | has -x 'meta	samples of late events	1'
	# Else their events are known when the part begins.
	stacks 2>err >got
	diff - got <<-'E'
	leaf 2 2000 event=cpu-clock pid=7 tid=7
	leaf 0 0 1 1000 event=dummy:HG pid=7 tid=7
	E
	[ ! -s err ]
}

@test "children have the maps and the name of their parent until they change them" {
	{
		usual
		echo 'comm 7 7 shell 2'
		echo 'fork 8 7 8 7 3'
		echo 'fork 7 7 9 7 3'
		echo 'sample 0 ip=@leaf tid=8/8 time=4 chain=@leaf'
		echo 'sample 0 ip=@leaf tid=7/9 time=4 chain=@leaf'
		echo 'comm 8 8 other exec 5'
		# Within exec, addresses are still the old program's.
		echo 'sample 0 ip=@leaf tid=8/8 time=6 chain=@leaf'
		echo 'mmap 8 0x10000 0x100000 0 /bin/none prot=5 7'
		echo 'sample 0 ip=@leaf tid=8/8 time=8 chain=@leaf'
		# From then on nothing is.
		echo 'mmap 8 0x10000 0x10 0 /bin/less prot=5 8'
		echo 'sample 0 ip=@leaf tid=7/7 time=8 chain=@leaf'
		echo 'fork 8 7 8 7 9'
		echo 'sample 0 ip=@leaf tid=8/8 time=10 chain=@leaf'
	} | recording
	stacks --quiet | sed 's/ event=cpu-clock//' >got
	diff - got <<-'E'
	leaf 2 2000 comm=shell pid=8 tid=8
	leaf 1 1000 comm=shell pid=7 tid=9
	leaf 1 1000 comm=other pid=8 tid=8
	? 1 1000 comm=other pid=8 tid=8
	leaf 1 1000 comm=shell pid=7 tid=7
	E
}

@test "children share the maps that they and their parent have not changed" {
	{
		echo 'event cpu-clock 1 0 1000 ip tid time chain'
		seq 4500 | awk '{ printf "mmap 1 0x%x000 0x1000 0 /a prot=5 1\n", $1 }'
		seq 2 5000 | awk '{ printf "fork %d 1 %d 1 2\n", $1, $1
			printf "mmap %d 0x%x800 0x1000 0 /b prot=5 3\n", $1, $1 % 4500 }'
		echo 'sample 0 ip=0 tid=4000 time=4 chain=0xfa0100,0xfa0801,0xfa1801,0x2000'
		echo 'sample 0 ip=0 tid=1 time=5 chain=0xfa0100,0xfa0801,0xfa1801,0x2000'
	} | recording
	limited 150000 prof-cat --quiet f >got
	awk -F '\t' '$1 == "object" { path[$2] = $3 } $1 == "func" { of[$2] = path[$5] }
		$1 == "ctx" { up[$2] = $3; at[$2] = of[$4] }
		$1 == "sample" { for (c = $2; c != "-"; c = up[c]) printf "%s ", at[c]; print "" }' got |
		diff - <(printf '%s\n' '/a /b /a /a ' '/a /a /a /a ')
}

@test "a process has the maps that were made last, wherever they lie" {
	# The model: what each of so many pages is of.
	python3 - >lines 2>model <<-'E'
	import random, sys
	random.seed(8)
	page, of, t = 0x1000, {}, 10
	print('event cpu-clock 1 0 1000 ip tid time chain')
	for i in range(3000):
	    pid = random.randrange(1, 6)
	    maps = of.setdefault(pid, {})
	    what = random.random()
	    t += 1
	    if what < 0.6:
	        start, n = random.randrange(200), random.choice((1, 2, 5, 100))
	        for p in range(start, start + n):
	            maps[p] = i
	        print('mmap %d %d %d 0 /m%d prot=5 %d' % (pid, start * page, n * page, i, t))
	    elif what < 0.7:
	        child = random.randrange(1, 6)
	        if child != pid:
	            of[child] = dict(maps)
	            print('fork %d %d %d %d %d' % (child, pid, child, pid, t))
	    else:
	        at = [random.randrange(300) for k in range(20)]
	        print('sample 0 ip=0 tid=%d time=%d chain=%s' % (pid, t,
	            ','.join(str(p * page + (k > 0)) for k, p in enumerate(at))))
	        print(*('/m%d' % maps[p] if p in maps else '-' for p in at), file=sys.stderr)
	E
	recording <lines
	prof-cat --quiet --times f | awk -F '\t' '
		$1 == "object" { path[$2] = $3 } $1 == "func" { of[$2] = $5 == "-" ? "-" : path[$5] }
		$1 == "ctx" { up[$2] = $3; at[$2] = of[$4] }
		$1 == "sample" { line = ""; for (c = $2; c != "-"; c = up[c]) line = line " " at[c]
			print substr(line, 2) }' >got
	[ "$(wc -l <got)" -gt 500 ]
	diff model got
}

@test "several events, distinguished by their ids, and the members of a group" {
	{
		echo 'event cycles 0 0 0 identifier ip tid time period chain'
		echo 'event faults 1 2 5 identifier ip tid time period chain'
		printf '%s\n' 'id 0 11' 'id 0 12' 'id 1 21' 'feature 3 host'
		maps
		echo 'sample 0 identifier=12 ip=@leaf tid=7 time=10 period=250 chain=@leaf'
		echo 'sample 1 identifier=21 ip=@leaf tid=7 time=11 period=5 chain=@leaf'
		echo 'sample 0 identifier=11 ip=@leaf tid=7 time=12 period=350 chain=@leaf'
	} | recording
	prof-cat --quiet f | sed -n 's/^event	[0-9]*	\([^	]*\)	\([^	]*\)	.*/\1 \2/p' >events
	printf '%s\n' 'cycles.samples -' 'cycles cycles' 'faults.samples -' 'faults -' | diff - events
	stacks --quiet >got
	diff - got <<-'E'
	leaf 2 600 event=cycles pid=7 tid=7
	leaf 0 0 1 5 event=faults pid=7 tid=7
	E
	{
		echo 'event cpu-clock 1 0 1000 identifier ip tid time read chain'
		echo 'event faults 1 2 0 identifier ip tid time read chain'
		printf '%s\n' 'id 0 11' 'id 1 21' 'group 0 12' 'group 1 12' 'feature 3 host'
		maps
		echo 'sample 0 identifier=11 ip=@leaf tid=7 time=10 read=1000:11,3:21 chain=@leaf'
		echo 'sample 0 identifier=11 ip=@leaf tid=7 time=11 read=2000:11,3:21 chain=@leaf'
		echo 'sample 0 identifier=11 ip=@leaf tid=7 time=12 read=3500:11,10:21 chain=@leaf'
	} | recording
	stacks --quiet >got
	diff - got <<-'E'
	leaf 3 3500 event=cpu-clock pid=7 tid=7
	leaf 0 0 2 10 event=faults pid=7 tid=7
	E
}

@test "members of a group that children inherit count for each thread" {
	{
		echo 'event cpu-clock 1 0 1000 identifier ip tid time read chain'
		echo 'event faults 1 2 0 identifier ip tid time read chain'
		printf '%s\n' 'id 0 11' 'id 1 21' 'group 0 12' 'group 1 12' 'feature 3 host'
		maps
		echo 'sample 0 identifier=11 ip=@leaf tid=7 time=10 read=1000:11,9:21 chain=@leaf'
		echo 'sample 0 identifier=11 ip=@leaf tid=7/8 time=11 read=1500:11,4:21 chain=@leaf'
		echo 'sample 0 identifier=11 ip=@leaf tid=7 time=12 read=3500:11,10:21 chain=@leaf'
	} >lines
	{ cat lines; printf '%s\n' 'inherit 0' 'inherit 1'; } | recording
	stacks --quiet >got
	diff - got <<-'E'
	leaf 2 3500 event=cpu-clock pid=7 tid=7
	leaf 0 0 2 10 event=faults pid=7 tid=7
	leaf 1 1500 event=cpu-clock pid=7 tid=8
	leaf 0 0 1 4 event=faults pid=7 tid=8
	E
	# A counter of all threads does not fall.
	recording <lines
	prof-cat f >got 2>err
	grep -q '^prof-cat: warning: f: 1 values of a group.s members are less than ' err
	has -x 'meta	fallen values	1' <got
	stacks --quiet | has -x 'leaf 0 0 2 15 event=faults pid=7 tid=7'
}

@test "a virtual machine's addresses are not those of the process that it is" {
	{
		usual
		echo 'sample 0 ip=@leaf tid=7 time=10 chain=@leaf,@middle+9 guest'
		echo 'sample 0 ip=@leaf tid=7 time=11 guest'
	} | recording
	stacks --quiet >got
	diff - got <<-'E'
	?;? 1 1000 event=cpu-clock pid=7 tid=7
	? 1 1000 event=cpu-clock pid=7 tid=7
	E
}

@test "samples of an event that is not listed are omitted, and counted" {
	{
		echo 'event cycles 0 0 0 identifier ip tid time period chain'
		echo 'event faults 1 2 5 identifier ip tid time period chain'
		printf '%s\n' 'id 0 11' 'id 1 21' 'feature 3 host'
		maps
		echo 'sample 0 identifier=11 ip=@leaf tid=7 time=10 period=250 chain=@leaf'
		echo 'sample 0 identifier=99 ip=@leaf tid=7 time=11 period=999 chain=@leaf'
	} | recording
	stacks 2>err >got
	echo 'leaf 1 250 event=cycles pid=7 tid=7' | diff - got
	grep -q '^prof-cat: warning: f: 1 samples of events that the recording does not ' err
	prof-cat --quiet f | has -x 'meta	samples of unknown events	1'
}

@test "the machine, the command and the kind of sampling are metadata, and in --info" {
	{
		echo 'event cpu-clock 1 0 4000 identifier ip tid time period chain'
		echo 'frequency 0'
		echo 'event faults 1 2 5 identifier ip tid time period chain'
		echo 'event unused 1 3 7 identifier ip tid time period chain'
		echo 'event offcpu-time 1 10 1 identifier ip tid time period chain'
		printf '%s\n' 'id 0 11' 'id 1 21' 'id 2 31' 'id 3 41'
		printf 'feature %s\n' '3 host' '4 6.1.0-x' '5 6.1.192' '6 x86_64' '7 8 4' '8 Some CPU 9' \
			'10 24682416' '11 /usr/bin/perf record ./a b'
		maps
		# The latest sample comes first; one of a thread that waited has no real time.
		echo 'sample 0 identifier=11 ip=@leaf tid=7 time=2003000045 period=250 chain=@leaf'
		echo 'sample 1 identifier=21 ip=@leaf tid=7 time=1000000000 period=5 chain=@leaf'
		echo 'sample 0 identifier=11 ip=@leaf tid=7 time=1500000000 period=250 chain=@leaf'
		echo 'sample 3 identifier=41 ip=@leaf tid=7 time=9500000000 period=250 chain=@leaf'
	} >lines
	cat >want <<-'E'
	arch	x86_64
	cmd	/usr/bin/perf record ./a b
	cpu model	Some CPU 9
	cpus	4
	creator	perf 6.1.192
	duration	1003.000045 ms
	format	perf
	hostname	host
	memory	24682416 kB
	os release	6.1.0-x
	sampling	cpu-clock: 4000 samples per second
	sampling	faults: every 5
	sampling	offcpu-time: every 1
	E
	for how in '' big pipe; do
		# shellcheck disable=SC2086
		recording $how <lines
		for times in '' --times; do
			prof-cat --quiet $times f | sed -n 's/^meta	//p' | LC_ALL=C sort | diff want -
		done
	done
	prof-cat --quiet --info f >got
	for line in 'creator: perf 6.1.192' 'command: /usr/bin/perf record ./a b' 'host: host' \
	    'system: 6.1.0-x' 'architecture: x86_64' 'processors: 4' 'processor: Some CPU 9' \
	    'memory: 24682416 kB' 'duration: 1003.000045 ms' \
	    'sampling: cpu-clock: 4000 samples per second, faults: every 5, offcpu-time: every 1'; do
		has -Fx "$line" got
	done
	# A recording without times or such sections has none.
	{
		echo 'event cpu-clock 1 0 1000 ip tid chain'
		echo 'feature 3 host'
		maps
		echo 'sample 0 ip=@leaf tid=7 chain=@leaf'
	} | recording
	prof-cat --quiet --info f >got
	has -Fx 'sampling: cpu-clock: every 1000' got
	lacks got '^(duration|memory|processor)'
}

@test "lost data is counted, warned of, and recorded as metadata" {
	{
		usual
		printf '%s\n' 'lost 40' 'lost 2' 'lostsamples 7' throttle
		echo 'sample 0 ip=@leaf tid=7 time=10 chain=@leaf'
		echo 'raw 200 0 0000000000000000'
	} | recording
	prof-cat f >got 2>err
	grep -q '^prof-cat: warning: f: 42 records were lost: ' err
	grep -qx 'prof-cat: warning: f: 7 samples of 8 (87.50 %) were lost' err
	grep -q '^prof-cat: f: 1 records of an unknown type' err
	has -x 'meta	lost	42 records' <got
	has -x 'meta	lost	7 samples of 8 (87.50 %)' <got
	has -x 'meta	throttled	1' <got
	# They are seen in a profile that was made of it, too.
	for profile in f got; do
		prof-cat --quiet --info "$profile" >info 2>/dev/null
		has -x 'lost: 42 records, 7 samples of 8 (87.50 %)' info
		has -x 'throttled: 1' info
		for view in prof-top prof-tree; do
			$view --quiet "$profile" 2>/dev/null | has -x 'lost: 42 records; 7 samples of 8 (87.50 %)'
		done
		prof-to svg --static --quiet "$profile" 2>/dev/null | has -F 'lost: 42 records; 7 samples of 8 (87.50 %)'
	done
	# Each sample counts, of a group as well; large numbers are grouped.
	{
		echo 'event cpu-clock 1 0 1000 identifier ip tid time read'
		echo 'event faults 1 2 0 identifier ip tid time read'
		printf '%s\n' 'id 0 11' 'id 1 21' 'group 0 12' 'group 1 12' 'feature 3 host'
		maps
		echo 'sample 0 identifier=11 ip=@leaf tid=7 time=10 read=1000:11,3:21'
		echo 'sample 0 identifier=11 ip=@leaf tid=7 time=11 read=2000:11,5:21'
		echo 'lostsamples 1234'
	} | recording
	prof-cat --quiet f 2>/dev/null | has -x 'meta	lost	1,234 samples of 1,236 (99.84 %)'
	{
		usual
		printf '%s\n' 'lost 0xffffffffffffffff' 'lost 1'
	} | recording
	fails_with 'f: byte [0-9]+: the number of lost records does not fit 64 bits' prof-cat f
}

@test "many small packed records need little memory, and none is in another" {
	usual >lines
	for i in $(seq 600); do
		echo "sample 0 ip=@leaf tid=7 time=$((i + 10)) chain=@leaf"
	done >>lines
	recording flush <lines
	stacks --quiet >got
	echo 'leaf 600 600000 event=cpu-clock pid=7 tid=7' | diff - got
	{
		usual
		echo 'raw 81 0 28b52ffd'
	} | recording flush
	fails_with 'f: byte [0-9]+: a compressed record is inside a compressed one' prof-cat f
}

@test "an address that nothing is mapped at, and a program that is not there, have no names" {
	{
		usual
		echo 'mmap 7 0x900000 0x1000 0x3000 /no/such/program prot=5 id=0102030405060708090a0b0c0d0e0f1011121314 2'
		echo 'sample 0 ip=0x900100 tid=7 time=10 chain=0x900100,@main+9'
		echo 'sample 0 ip=0xabc000 tid=7 time=11 chain=0xabc000'
		echo 'sample 0 ip=0xffffffff81000000 tid=7 kernel time=12 chain=-128,0xffffffff81000000'
	} | recording
	stacks >got 2>err
	diff - got <<-'E'
	main;? 1 1000 event=cpu-clock pid=7 tid=7
	? 2 2000 event=cpu-clock pid=7 tid=7
	E
	# It is named in one note, not in two.
	[ "$(grep -c /no/such/program err)" = 1 ]
	prof-cat --quiet f | has -x 'object	[0-9]	/no/such/program	0102030405060708090a0b0c0d0e0f1011121314'
}

@test "in the kernel's mode an address of the lower half is none of the kernel's" {
	{
		usual
		echo 'mmap -1 0xffffffff81000000 0x1000000 0xffffffff81000000 [kernel.kallsyms]_text kernel 1'
		echo 'sample 0 ip=0x7f0000000000 tid=7 kernel time=10'
		echo 'sample 0 ip=0xffffffffc0000000 tid=7 kernel time=11'
	} | recording
	prof-cat --quiet f | grep -E '^(object|func|sample)' | same - <(tabs <<-'E'
	func  0  -  -  -  -
	object  0  [kernel.kallsyms]  -
	func  1  -  -  0  -
	sample  0  1  1000  event=cpu-clock  pid=7  tid=7
	sample  1  1  1000  event=cpu-clock  pid=7  tid=7
	E
	)
}

@test "a file that a mapping names may be no program, or one that does not end" {
	for text in BZh61 '\037\213' '#!/bin/sh\n' ''; do
		printf "$text" >program
		{
			echo 'event cpu-clock 1 0 1000 ip tid time chain'
			echo "mmap 7 0x10000 0x1000 0 $PWD/program prot=5 1"
			echo 'sample 0 ip=0x10010 tid=7 time=10 chain=0x10010'
		} | recording
		brief 2 stacks --quiet | diff - <(echo '? 1 1000 event=cpu-clock pid=7 tid=7')
	done
}

@test "a program of another build is not used, and reported" {
	{
		echo 'event cpu-clock 1 0 1000 ip tid time chain'
		maps | sed 's/prot=5/prot=5 id=00112233445566778899aabbccddeeff00112233/'
		echo 'sample 0 ip=@leaf tid=7 time=10 chain=@leaf'
	} | recording
	stacks >got 2>err
	echo '? 1 1000 event=cpu-clock pid=7 tid=7' | diff - got
	grep -q "prog: its build ID is .*, but the profile's is 00112233" err
	# So it is where a section says it, as perf before 5.12 has it.
	{
		echo 'event cpu-clock 1 0 1000 ip tid time chain'
		echo 'build PROG 00112233445566778899aabbccddeeff00112233'
		maps
		echo 'sample 0 ip=@leaf tid=7 time=10 chain=@leaf'
	} | recording
	stacks 2>/dev/null >got
	echo '? 1 1000 event=cpu-clock pid=7 tid=7' | diff - got
}

@test "the executable that is given is used for its build, under any name, and no other is" {
	cc -g -O1 -DX -x c -o other - <<<'int middle(void) { return 1; } int main(void) { return middle(); }'
	cp "$BATS_FILE_TMPDIR/prog" renamed
	mkdir same
	cp other same/prog
	id=$(readelf -n renamed | sed -n 's/.*Build ID: //p')
	{
		echo 'event cpu-clock 1 0 1000 ip tid time chain'
		maps | sed "s,PROG,/nowhere/prog,; s/prot=5/prot=5 id=$id/"
		echo 'sample 0 ip=@leaf tid=7 time=10 chain=@leaf'
	} | recording
	stacks --exe renamed >got
	echo 'leaf 1 1000 event=cpu-clock pid=7 tid=7' | diff - got
	for exe in same/prog other; do
		stacks --exe "$exe" >got 2>err
		echo '? 1 1000 event=cpu-clock pid=7 tid=7' | diff - got
		prof-annotate --asm --exe "$exe" f >got 2>&1
		lacks got 'middle|leaf'
		sed 2q err >err.$(basename "$exe")
	done
	given=$(readelf -n other | sed -n 's/.*Build ID: //p')
	has -F "prof-cat: warning: f: same/prog is not used for /nowhere/prog: its build ID is $given, but the profile's is $id: give that build, or a copy without a build ID (objcopy -R .note.gnu.build-id), which is used for any" err.prog
	has -x "prof-cat: no object of the profile has the name or the build ID of 'other': its symbols are not used" err.other
}

@test "a file that thousands of builds have been at is opened once" {
	perl -e 'print ".globl f$_\nf$_: ret\n" for 1 .. 20000' >many.s
	cc -shared -nostdlib -Wl,--build-id -o many.so many.s
	{
		echo 'event cpu-clock 1 0 1000 ip tid time chain'
		for i in $(seq 3000); do
			printf 'mmap 7 0x%x 0x1000 0x1000 %s prot=5 id=%040x 1\n' $((i << 16)) \
				"$PWD/many.so" "$i"
			echo "sample 0 ip=$((i << 16)) tid=7 time=10 chain=$((i << 16))"
		done
	} | recording
	brief 3 stacks >got 2>err
	[ "$(wc -l <got)" = 3000 ]
	grep -c 'its build ID is' err | has -x 3000
}

# found OPTION...: the functions of main;middle;leaf have their names, and nothing is said.
found() {
	stacks "$@" >got 2>err
	echo 'main;middle;leaf 1 1000 event=cpu-clock pid=7 tid=7' | diff - got
	diff /dev/null err
}

@test "a program that is gone, or replaced, is found by its build ID" {
	cp "$BATS_FILE_TMPDIR/prog" kept
	id=$(readelf -n kept | sed -n 's/.*Build ID: //p')
	xx=${id:0:2} yy=${id:2}
	export HOME=$PWD/home
	unset XDG_CACHE_HOME DEBUGINFOD_CACHE_PATH
	mkdir home
	chain='ip=@leaf tid=7 time=10 chain=@leaf,@middle+9,@main+9'
	{
		usual
		echo "sample 0 $chain"
	} | sed "s,PROG,/nowhere/prog," | sed "s,prot=5,prot=5 id=$id," | recording
	stacks --quiet | has '^?;?;? 1 1000 '
	# put PATH OPTION...: it is there, and nowhere else.
	put() {
		mkdir -p "${1%/*}"
		cp kept "$1"
		found "${@:2}" || {
			echo "not found: $1"
			return 1
		}
		rm "$1"
		stacks --quiet "${@:2}" >got
		grep -q '^?;?;? 1 1000 ' got
	}
	put "home/.debug/.build-id/$xx/$yy/elf"
	rm -r home/.debug
	put "home/.debug/.build-id/$xx/$yy"
	put "home/.cache/debuginfod_client/$id/executable"
	XDG_CACHE_HOME=$PWD/cache put "cache/debuginfod_client/$id/executable"
	DEBUGINFOD_CACHE_PATH=$PWD/cache put "cache/$id/executable"
	put root/nowhere/prog --sysroot root
	put "root/.build-id/$xx/$yy/elf" --sysroot "$PWD/root"
	put "root/usr/lib/.build-id/$xx/$yy" --sysroot root/
	# What is there is another build.
	cc -g -O0 -Wl,--build-id=sha1 -o other -x c - <<<'int main(void) { return 0; }'
	mkdir -p root/nowhere "home/.debug/.build-id/$xx/$yy"
	cp other root/nowhere/prog
	cp other "home/.debug/.build-id/$xx/$yy/elf"
	stacks --sysroot root >got 2>err
	grep -q '^?;?;? 1 1000 ' got
	grep -q "/root/nowhere/prog: its build ID is .*, but the profile's is $id: its symbols " err
	# A kept one is found behind it.
	put "root/.build-id/$xx/$yy/elf" --sysroot root
	# Other formats find it, too.
	cp kept "home/.debug/.build-id/$xx/$yy/elf"
	leaf=$((0x$(nm kept | sed -n 's/ T leaf//p')))
	"$TESTS/pprof.pl" >p.pprof <<-E
	1 message
	  1 varint 1
	2 message
	  1 varint 1
	  2 varint 5
	3 message
	  1 varint 1
	  2 varint 0
	  3 varint 1000000
	  5 varint 2
	  6 varint 3
	4 message
	  1 varint 1
	  2 varint 1
	  3 varint $leaf
	6 string
	6 string samples
	6 string /nowhere/prog
	6 string $id
	E
	prof-cat p.pprof >got
	grep -q '	leaf	' got
}

@test "a stripped program gets names from debug information by its build ID" {
	cp "$BATS_FILE_TMPDIR/prog" whole
	id=$(readelf -n whole | sed -n 's/.*Build ID: //p')
	export HOME=$PWD/home
	unset XDG_CACHE_HOME DEBUGINFOD_CACHE_PATH
	mkdir -p home bin
	objcopy --only-keep-debug whole debug
	objcopy --strip-all whole bin/prog
	chmod 755 . bin bin/prog
	{
		usual
		echo 'sample 0 ip=@leaf tid=7 time=10 chain=@leaf,@middle+9,@main+9'
	} | sed "s,PROG,$PWD/bin/prog," | recording
	for at in "home/.debug/.build-id/${id:0:2}/${id:2}/debug" \
		"home/.cache/debuginfod_client/$id/debuginfo" \
		"root/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" \
		"root/.build-id/${id:0:2}/${id:2}.debug"; do
		mkdir -p "${at%/*}"
		# Another build's says nothing.
		cc -g -O1 -Wl,--build-id=sha1 -o "$at" -x c - <<<'int other(void) { return 1; } int main(void) { return 0; }'
		cp -r bin root/
		mkdir -p "root$PWD"
		cp -r bin "root$PWD"
		stacks --quiet --sysroot root | has '^?;?;? 1 1000 '
		cp debug "$at"
		found --sysroot root || {
			echo "not found: $at"
			return 1
		}
		[ "${at%%/*}" = root ] || found
		rm "$at"
	done
}

@test "a system's root is not left by a path or a link, and hides what is here" {
	export HOME=$PWD/home
	mkdir -p home root/nowhere secret
	chmod 755 . secret
	cp "$BATS_FILE_TMPDIR/prog" secret/prog
	ln -s "$PWD/secret/prog" root/nowhere/link
	for path in /nowhere/link /nowhere/../../secret/prog "$PWD/secret/prog"; do
		{
			usual
			echo 'sample 0 ip=@leaf tid=7 time=10 chain=@leaf,@middle+9,@main+9'
		} | sed "s,PROG,$path," | recording
		stacks --quiet --sysroot root | has '^?;?;? 1 1000 '
	done
	# What is at its path here, and nowhere below the root, is it if it has the build ID.
	found
	id=$(readelf -n secret/prog | sed -n 's/.*Build ID: //p')
	{
		usual
		echo 'sample 0 ip=@leaf tid=7 time=10 chain=@leaf,@middle+9,@main+9'
	} | sed "s,PROG,$PWD/secret/prog,; s,prot=5,prot=5 id=$id," | recording
	found --sysroot root
	# The root of this machine is one, too.
	usual >lines
	echo 'sample 0 ip=@leaf tid=7 time=10 chain=@leaf,@middle+9,@main+9' >>lines
	sed "s,PROG,$PWD/secret/prog," lines | recording
	found --sysroot /
	exits_with 2 '--sysroot: not a directory: nowhere' prof-cat --sysroot nowhere f
}

@test "kernels are named by a list that is given, or that perf has kept" {
	export HOME=$PWD/home
	id=00112233445566778899aabbccddeeff00112233
	list() {
		printf '%s\n' 'ffffffff82000000 T _text' 'ffffffff82000100 T do_sys' \
			'ffffffff82000200 t __ia32_sys_read' 'ffffffff82000200 T __x64_sys_read' \
			'ffffffffc0000000 t ext_read	[ext]'
	}
	# The kernel was elsewhere then.
	{
		usual
		echo 'mmap -1 0xffffffff81000000 0x1000000 0xffffffff81000000 [kernel.kallsyms]_text kernel 1'
		echo 'mmap -1 0xffffffffc0000000 0x1000 0 [ext] kernel 1'
		echo "build [kernel.kallsyms] $id"
		echo 'sample 0 ip=0xffffffff81000210 tid=7 kernel time=10 chain=-128,0xffffffff81000210,0xffffffff81000110,-512,@leaf'
		echo 'sample 0 ip=0xffffffffc0000010 tid=7 kernel time=11 chain=-128,0xffffffffc0000010'
	} | recording
	stacks --quiet | has '^leaf;?;? 1 1000 '
	list >list
	stacks --quiet --kallsyms list >got
	diff - got <<-'E'
	leaf;do_sys;__x64_sys_read 1 1000 event=cpu-clock pid=7 tid=7
	? 1 1000 event=cpu-clock pid=7 tid=7
	E
	exits_with 2 '--kallsyms: nowhere: No such file or directory' prof-cat --kallsyms nowhere f
	mkdir root
	for at in home/.debug root; do
		mkdir -p "$at/.build-id/00/${id:2}"
		list >"$at/.build-id/00/${id:2}/kallsyms"
		stacks --quiet --sysroot root | has ';do_sys;__x64_sys_read '
		rm "$at/.build-id/00/${id:2}/kallsyms"
	done
	# Of the same start modules are where they were.
	list | sed 's/ffffffff82/ffffffff81/' >list
	stacks --quiet --kallsyms list | has '^ext_read 1 1000 '
	# Marks for disassemblers and linkers are no functions.
	printf '%s\n' 'ffffffff81000208 t $d' 'ffffffffc0000000 t $x	[ext]' \
		'ffffffffc0000008 t .L0 	[ext]' 'ffffffffc000000c t $d	[ext]' >>list
	stacks --quiet --kallsyms list >got
	diff - got <<-'E'
	leaf;do_sys;__x64_sys_read 1 1000 event=cpu-clock pid=7 tid=7
	ext_read 1 1000 event=cpu-clock pid=7 tid=7
	E
}

@test "a kernel's own file is found by its build ID, wherever it was loaded" {
	cat >vmlinux.c <<-'E'
	__attribute__((section(".text.a"), naked)) void _text(void) { }
	void do_sys(void) { for (;;) ; }
	E
	gcc -O1 -g -nostdlib -static -Wl,-e,do_sys -Wl,-Ttext=0x82000000 -Wl,--build-id=sha1 -o vmlinux vmlinux.c
	id=$(readelf -n vmlinux | sed -n 's/.*Build ID: //p')
	at=$(printf '0x%x' $(($(nm vmlinux | awk '$3 == "do_sys" { print "0x" $1 }') -
		$(nm vmlinux | awk '$3 == "_text" { print "0x" $1 }') + 0x91000000)))
	{
		usual
		echo 'mmap -1 0x91000000 0x1000000 0x91000000 [kernel.kallsyms]_text kernel 1'
		echo "build [kernel.kallsyms] $id"
		echo "sample 0 ip=$at tid=7 kernel time=10 chain=-128,$at"
	} | recording
	HOME=$PWD stacks --quiet | has '^? 1 1000 '
	mkdir -p "root/.build-id/${id:0:2}/${id:2}"
	cp vmlinux "root/.build-id/${id:0:2}/${id:2}/elf"
	HOME=$PWD stacks --sysroot root >got 2>err
	has '^do_sys 1 1000 ' <got
	silent cat err
	objcopy --only-keep-debug vmlinux "root/.build-id/${id:0:2}/${id:2}/debug"
	rm "root/.build-id/${id:0:2}/${id:2}/elf"
	HOME=$PWD stacks --quiet --sysroot root | has '^do_sys 1 1000 '
	# Another kernel's is none.
	sed -i 's/do_sys/do_oth/' vmlinux.c
	gcc -O1 -nostdlib -static -Wl,-e,do_oth -Wl,-Ttext=0x82000000 -Wl,--build-id=sha1 \
		-o "root/.build-id/${id:0:2}/${id:2}/debug" vmlinux.c
	HOME=$PWD stacks --quiet --sysroot root | has '^? 1 1000 '
}

@test "perf's copy of the running kernel's symbols is used if it is of this start" {
	export HOME=$PWD/home
	id=$(perl -0777 -ne '/\x14\0\0\0\x03\0\0\0GNU\0(.{20})/s and print unpack "H*", $1' \
		/sys/kernel/notes)
	[ "${#id}" = 40 ]
	copy=$HOME/.debug/.build-id/${id:0:2}/${id:2}
	mkdir -p "$copy"
	printf '%s\n' 'ffffffff97000000 T _text' 'ffffffff97000100 T of_the_copy' >"$copy/kallsyms"
	kernel() {
		{
			usual
			echo "mmap -1 $1 0x1000000 $1 [kernel.kallsyms]_text kernel 1"
			echo "build [kernel.kallsyms] $id"
			echo "sample 0 ip=$2 tid=7 kernel time=10 chain=-128,$2"
		} | recording
		stacks --quiet
	}
	kernel 0xffffffff97000000 0xffffffff97000110 | has '^of_the_copy 1 1000 '
	kernel 0xffffffff98000000 0xffffffff98000110 >got
	lacks got of_the_copy
}

@test "a list of the kernel's symbols in the recording's directory is the kernel's then" {
	mkdir -p rec/kcore_dir
	{
		usual
		echo 'feature 24 0'
		echo 'mmap -1 0xffffffff81000000 0x1000000 0xffffffff81000000 [kernel.kallsyms]_text kernel 1'
		echo 'mmap -1 0xffffffffc0000000 0x1000 0 [ext] kernel 1'
		echo 'sample 0 ip=0xffffffff81000110 tid=7 kernel time=10 chain=-128,0xffffffff81000110'
		echo 'sample 0 ip=0xffffffffc0000010 tid=7 kernel time=11 chain=-128,0xffffffffc0000010'
	} | recording
	mv f rec/data
	printf '%s\n' 'ffffffff81000000 T _text' 'ffffffff81000100 T do_sys' \
		'ffffffffc0000000 t ext_read	[ext]' >rec/kcore_dir/kallsyms
	for f in rec rec/data; do
		stacks_of "$f" --quiet >got
		diff - got <<-'E'
		do_sys 1 1000 event=cpu-clock pid=7 tid=7
		ext_read 1 1000 event=cpu-clock pid=7 tid=7
		E
	done
	(cd rec && prof-cat --quiet data) | has '	ext_read	'
	# A list that is given is taken instead.
	sed s/do_sys/given/ rec/kcore_dir/kallsyms >given
	prof-cat --quiet --kallsyms given rec | has '	given	'
	# A link is not read, nor what is beside a file of another name.
	mv rec/data rec/other
	prof-cat --quiet rec/other >got
	lacks got do_sys
	mv rec/other rec/data
	mv rec/kcore_dir/kallsyms list
	ln -s ../../list rec/kcore_dir/kallsyms
	prof-cat --quiet rec >got
	lacks got do_sys
}

# threads_recording: rec/, of two threads of perf's.  What one has read is between what the
# other has.
threads_recording() {
	mkdir -p rec
	{
		usual
		echo 'feature 24 1'
		echo 'comm 7 7 first 1'
	} >head
	recording <head
	mv f rec/data
	{
		head -1 head
		for i in 10 20 30 40; do
			echo "sample 0 ip=@leaf+2 tid=7 time=$i chain=-512,@leaf+2,@main+9"
			echo round
		done
	} >0
	{
		head -1 head
		echo 'comm 7 7 second 25'
		echo 'sample 0 ip=@middle+2 tid=7 time=15 chain=-512,@middle+2,@main+9'
		echo 'comm 7 7 third 35'
	} >1
	recording records "$@" <0
	mv f rec/data.0
	recording records "$@" <1
	mv f rec/data.1
}

@test "a directory of perf record --threads is one recording, in the order of time" {
	for how in '' zstd 'zstd2 cut=40'; do
		# shellcheck disable=SC2086
		threads_recording $how
		for f in rec rec/ rec/data "$PWD/rec"; do
			silent stacks_of "$f" | sort >got
			diff - got <<-'E'
			main;leaf 1 1000 event=cpu-clock comm=second pid=7 tid=7
			main;leaf 1 1000 event=cpu-clock comm=third pid=7 tid=7
			main;leaf 2 2000 event=cpu-clock comm=first pid=7 tid=7
			main;middle 1 1000 event=cpu-clock comm=first pid=7 tid=7
			E
		done
	done
	# Files of no thread's are not read, nor is a thread that has read nothing missed.
	: >rec/data.2
	echo x >rec/data.old
	echo x >rec/data.03
	stacks_of rec | sort | diff got -
	# It is one profile among others, wherever a folder is read.
	mkdir -p runs
	cp -r rec runs/a
	cp -r rec runs/b
	prof-cat runs | grep '^meta	source' | diff - <(printf 'meta	source	runs/%s/data\n' a b)
	prof-diff --quiet rec rec/data >got
	# A killed perf has not told that there are others.
	recording killed <head
	mv f rec/data
	[ "$(stacks_of rec --quiet | wc -l)" = 4 ]
	cp -r rec killed
	mv killed/data killed/x
	cp killed/data.0 killed/x.0
	[ "$(stacks_of killed/x --quiet | wc -l)" = 0 ]
}

@test "the files of a directory are merged by time, without keeping them" {
	threads_recording
	# Of 300,000 records each, one has the names, and one ends early; some neighbours are
	# not in order.
	python3 - <<-'E'
	import struct
	def record(kind, misc, body):
	    return struct.pack('<IHH', kind, misc, 8 + len(body)) + body
	def sample(t):
	    return record(9, 2, struct.pack('<QiiQQQ', 0x11000, 7, 7, t, 1, 0x11000))
	def comm(t):
	    return record(3, 0, struct.pack('<II8siiQ', 7, 7, b'n%06d\0' % (t // 60), 7, 7, t))
	for file, most in enumerate((900000, 900000, 50000)):
	    times = list(range(120 + file, most, 3))
	    for i in range(5, len(times), 1000):
	        times[i], times[i + 1] = times[i + 1], times[i]
	    with open('rec/data.%d' % file, 'wb') as f:
	        f.write(b''.join((comm if file == 0 and t % 60 == 0 else sample)(t) for t in times))
	E
	limited 45000 prof-cat --times rec >got 2>err
	diff - err <<-'E'
	E
	perl -ne '/^sample.*comm=n(\d+).*time=0\.0*(\d+)$/ or next; $n++;
		$1 == int($2 / 60) && $2 >= $last or die "$_ after $last"; $last = $2;
		END { print "$n\n" }' got | has -x 601548
}

@test "files of a directory that are missing, or not its own, are no part of a recording" {
	threads_recording
	exits_with 2 'the records are in other files of its directory' prof-cat - <rec/data
	cp rec/data alone
	exits_with 2 'name the whole directory' prof-cat alone
	[ "$(prof-cat --lenient --quiet alone | grep -c ^sample)" = 0 ]
	cp rec/data.1 keep
	head -c 50 keep >rec/data.1
	exits_with 2 'the recording is truncated in a record' prof-cat rec
	printf '\1\0\0\0\2\0\3\0' >rec/data.1
	exits_with 2 'rec/data.1: byte 0: a record of 3 bytes' prof-cat rec
	# Malformed, but of a size: it is found when it has its turn.
	mv rec/data.0 first
	exits_with 2 'rec/data.0: byte 0: the file is missing' prof-cat rec
	ln -s ../first rec/data.0
	exits_with 2 'rec/data.0: Too many levels of symbolic links' prof-cat rec
	rm rec/data.0
	mkfifo rec/data.0
	exits_with 2 'rec/data.0: byte 0: not a regular file of the owner' prof-cat rec
	rm rec/data.0
	cp first rec/data.0
	cp keep rec/data.1
	prof-cat --quiet rec >got
	[ "$(id -u)" != 0 ] || {
		chown 1 rec/data.0
		exits_with 2 'rec/data.0: byte 0: not a regular file of the owner' prof-cat rec
	}
}

@test "a directory that cannot be listed may have other records of a recording" {
	threads_recording
	mkdir killed
	recording killed <head
	mv f killed/data
	# Root reads everything, unless it may not.
	may=
	[ "$(id -u)" != 0 ] || may='setpriv --bounding-set=-dac_override,-dac_read_search'
	chmod 111 rec killed
	for d in rec killed; do
		# shellcheck disable=SC2086
		fails_with "$d/data: byte [0-9]+: the directory, in which other files may have records, cannot be listed: Permission denied" \
			$may prof-cat $d/data
	done
	# shellcheck disable=SC2086
	$may prof-cat --lenient --quiet killed/data | has -x end
	chmod 755 rec killed
}

@test "programs that the kernel has made of BPF have the names that they came with" {
	export HOME=$PWD
	for at in 0xffffffffc0000010 0xffffffffc0000110 0xffffffff81000110; do
		for t in 10 30; do
			echo "sample 0 ip=$at tid=7 kernel time=$t chain=-128,$at"
		done
	done >samples
	{
		usual
		echo 'mmap -1 0xffffffff81000000 0x1000000 0xffffffff81000000 [kernel.kallsyms]_text kernel 1'
		echo 'ksymbol 0xffffffffc0000000 0x100 bpf_prog_01_one 0'
		echo 'ksymbol 0xffffffffc0000100 0x100 bpf_prog_02_two 20'
		echo 'ksymbol 0xffffffffc0000000 0x100 bpf_prog_01_one gone 20'
		cat samples
	} | recording
	stacks --quiet --times | sed 's/ 1 1000 .*time=0.0000000/ /' | sort >got
	printf '%s\n' '? 10' '? 10' '? 30' '? 30' 'bpf_prog_01_one 10' 'bpf_prog_02_two 30' |
		diff - got
	# What the kernel's own list has of that memory is not asked for.
	printf '%s\n' 'ffffffff81000000 T _text' 'ffffffff81000100 T do_sys' \
		'ffffffff81000200 T last' 'ffffffffc0000000 t other	[bpf]' >list
	stacks --quiet --times --kallsyms list | sed 's/ 1 1000 .*time=0.0000000/ /' | sort >got
	# Nor does the last symbol of the kernel reach there.
	printf '%s\n' '? 10' '? 30' 'bpf_prog_01_one 10' 'bpf_prog_02_two 30' 'do_sys 10' 'do_sys 30' |
		diff - got
	prof-cat --quiet f | has -P '^func\t\d+\tbpf_prog_01_one\t-\t\d\t-\tkernel=1$'
	{
		usual
		echo 'raw 17 0 000000c0ffffffff00010000'
	} | recording
	fails_with 'f: byte [0-9]+: a record of type 17 ends too early' prof-cat f
}

@test "a virtual machine's kernel is not the machine's own" {
	printf '%s\n' 'ffffffff81000000 T _text' 'ffffffff81000100 T do_sys' >list
	{
		usual
		echo 'mmap -1 0xffffffff81000000 0x1000000 0xffffffff81000100 [guest.kernel.kallsyms]_text guest 1'
		echo 'mmap -1 0xffffffff81000000 0x1000000 0xffffffff81000000 [kernel.kallsyms]_text kernel 1'
		echo 'mmap 7 0x10000 0x100000 0 /bin/guest guest 1'
		echo 'sample 0 ip=0xffffffff81000110 tid=7 kernel time=10 chain=-128,0xffffffff81000110,-512,@leaf'
		echo 'sample 0 ip=0xffffffff81000110 tid=7 guest time=11 chain=0xffffffff81000110'
	} | recording
	stacks --quiet --kallsyms list >got
	printf '%s 1 1000 event=cpu-clock pid=7 tid=7\n' 'leaf;do_sys' '?' | diff - got
}

@test "objects whose functions have no names are listed, with their share and why" {
	export HOME=$PWD/home
	mkdir home
	# 400 of 10000 have the first of them twice; a gap between symbols is below a hundredth.
	{
		echo 'event cpu-clock 1 0 0 ip tid time period chain'
		echo 'event faults 1 2 0 ip tid time period chain'
		echo 'feature 3 host'
		maps
		echo 'mmap 7 0x900000 0x1000 0 /nowhere/one prot=5 id=0102030405060708090a 2'
		echo 'mmap 7 0xa00000 0x1000 0 /nowhere/two prot=5 2'
		echo 'mmap 7 0xb00000 0x1000 0 //anon prot=5 2'
		echo 'mmap 7 0xc00000 0x1000 0 /nowhere/three prot=5 2'
		echo 'mmap 7 0xd00000 0x1000 0 /nowhere/four prot=5 2'
		echo 'mmap -1 0xffffffff81000000 0x1000000 0 [kernel.kallsyms]_text kernel 1'
		echo 'sample 0 ip=0x900000 tid=7 time=10 period=300 chain=0x900000,0xa00010,0x900100,@main+9'
		echo 'sample 0 ip=0x900000 tid=7 time=11 period=100 chain=0x900000,@main+9'
		echo 'sample 0 ip=0xb00000 tid=7 time=12 period=2000 chain=0xb00000,@main+9'
		echo 'sample 0 ip=0xc00000 tid=7 time=13 period=9 chain=0xc00000'
		echo 'sample 0 ip=0xd00000 tid=7 time=13 period=1 chain=0xd00000'
		echo 'sample 0 ip=0xf000000000 tid=7 time=14 period=90 chain=0xf000000000'
		echo 'sample 0 ip=@leaf tid=7 time=15 period=7500 chain=@leaf,@main+9'
	} | recording
	cat >want <<-'E'
	prof-cat: f: functions of /tmp/perf-7.map, in stacks of 20.00 % of cpu-clock, have no names: the code was generated at run time, and the list of its symbols is missing or the recording is of another machine
	prof-cat: f: functions of /nowhere/one, in stacks of 4.00 % of cpu-clock, have no names: no file has its build ID, 0102030405060708090a: see --sysroot
	prof-cat: f: functions of /nowhere/two, in stacks of 3.00 % of cpu-clock, have no names: the file does not exist: see --sysroot
	prof-cat: f: functions of /nowhere/three, /nowhere/four have no names, in stacks of less cost
	E
	prof-cat f 2>err >got
	diff want err
	prof-cat --times f 2>err >got
	diff want err
	# The shares are those that the tables have.
	prof-top --quiet --tsv --by object f | has -P '^/nowhere/one\t.*\t400\t'
	# What the kernel maps is no file.
	{
		echo 'event cpu-clock 1 0 1000 ip tid time chain'
		echo 'feature 3 host'
		echo 'mmap 7 0x900000 0x1000 0 [vdso] prot=5 id=0102030405060708090a 2'
		echo 'mmap 7 0xa00000 0x1000 0 [vsyscall] prot=5 2'
		echo 'sample 0 ip=0x900000 tid=7 time=10 chain=0x900000'
		echo 'sample 0 ip=0xa00000 tid=7 time=11 chain=0xa00000'
	} | recording
	prof-cat f 2>err >got
	diff - err <<-'E'
	prof-cat: f: functions of [vdso], in stacks of 50.00 % of cpu-clock, have no names: no file has its build ID, 0102030405060708090a: see --sysroot
	prof-cat: f: functions of [vsyscall], in stacks of 50.00 % of cpu-clock, have no names: the file does not exist: see --sysroot
	E
	# The kernel's, a stripped program's, and one that another build has replaced.
	cc -O1 -g -Wl,--build-id=sha1 -o stripped -x c - <<<'int main(void) { return 0; }'
	strip stripped
	chmod 755 . stripped
	{
		echo 'event cpu-clock 1 0 1000 ip tid time chain'
		echo 'feature 3 host'
		maps | sed 's/prot=5/prot=5 id=00112233445566778899aabbccddeeff00112233/'
		echo "mmap 7 0x900000 0x2000 0 $PWD/stripped prot=5 2"
		echo 'mmap -1 0xffffffff81000000 0x1000000 0 [kernel.kallsyms]_text kernel 1'
		echo 'sample 0 ip=@leaf tid=7 time=10 chain=@leaf'
		echo 'sample 0 ip=0x901040 tid=7 time=11 chain=0x901040,@leaf'
		echo 'sample 0 ip=0xffffffff81000010 tid=7 kernel time=12 chain=-128,0xffffffff81000010,-512,0x901040,@leaf'
	} | recording
	prof-cat f 2>err >got
	grep -v warning: err | sed "s,$BATS_FILE_TMPDIR/,,; s,$PWD/,," | diff - <(cat <<-'E'
	prof-cat: f: functions of prog, in stacks of 100.00 % of cpu-clock, have no names: another build is there: see --sysroot
	prof-cat: f: functions of stripped, in stacks of 66.67 % of cpu-clock, have no names: it is stripped: install its debug symbols, or keep it unstripped
	prof-cat: f: functions of [kernel.kallsyms], in stacks of 33.33 % of cpu-clock, have no names: the list of its symbols is missing or not readable: see --kallsyms
	E
	)
}

@test "callers that are missing are a frame, counted by reason and object" {
	{
		usual
		echo "sample 0 ip=@leaf tid=7 time=10 chain=$(seq -s, 127 | sed 's/[0-9][0-9]*/@leaf+3/g')"
	} | recording
	stacks >got 2>err
	grep -q '^\[truncated\];leaf;leaf;' got
	grep -q '^prof-cat: f: 1 stacks have as many frames as the kernel keeps: ' err
	prof-cat --quiet f | has -x 'meta	full stacks	1'
	{
		echo 'event cpu-clock 1 0 1000 ip tid time regs stack'
		echo 'feature 3 host'
		echo 'feature 6 x86_64'
		maps
		echo 'mmap 7 0x900000 0x1000 0 //anon prot=5 2'
		# Nothing was copied: the leaf is known.
		echo 'sample 0 ip=@leaf tid=7 time=10 regs=0x1000:@leaf stack='
		# The caller is code that has no table, and no frame pointer.
		echo 'sample 0 ip=@leaf tid=7 time=11 regs=0x1000:@leaf stack=0x900010,1,2'
		# It is no code at all.
		echo 'sample 0 ip=@leaf tid=7 time=12 regs=0x1000:@leaf stack=0x777,1,2'
	} | recording
	stacks >got 2>err
	diff - got <<-'E'
	[truncated];leaf 2 2000 event=cpu-clock pid=7 tid=7
	?;leaf 1 1000 event=cpu-clock pid=7 tid=7
	E
	grep -q '^prof-cat: f: 1 stacks are larger than their copy' err
}

@test "calls that the processor has kept are the user's stack" {
	{
		echo 'event cycles 0 0 1000 ip tid time chain branch'
		echo 'branches 0 0x808'
		echo 'feature 3 host'
		maps
		# The newest call first; frame pointers knew no more than the leaf.
		echo 'sample 0 ip=@leaf+2 tid=7 time=10 chain=-512,@leaf+2 branch=@middle+4:@leaf,@main+4:@middle'
		# The kernel's part is its own.
		echo 'sample 0 ip=0xffffffff81000000 tid=7 kernel time=11 chain=-128,0xffffffff81000000,-512,@leaf+2,0x99 branch=@middle+4:@leaf,@main+4:@middle'
		# Without the user's mark, or without calls, the chain is what there is.
		echo 'sample 0 ip=@leaf+2 tid=7 time=12 chain=@leaf+2,@main+9 branch=@middle+4:@leaf'
	} >lines
	recording <lines
	stacks 2>err >got
	diff - got <<-'E'
	main;middle;leaf 1 1000 event=cycles pid=7 tid=7
	main;middle;leaf;? 1 1000 event=cycles pid=7 tid=7
	main;leaf 1 1000 event=cycles pid=7 tid=7
	E
	lacks err branches
	# The leaf is where it was, not where it begins.
	prof-cat --quiet --addr f | grep -c "^ctx.*$(printf '0x%x' $((0x$(nm "$BATS_FILE_TMPDIR/prog" | awk '$3 == "leaf" { print $1 }') + 2)))$" | has -x 2
	# A processor that keeps two calls may have had more.
	{ cat lines; echo 'feature 28 branches 2'; } | recording
	stacks 2>err >got
	has '^\[truncated\];main;middle;leaf 1 1000' <got
	grep -q '^prof-cat: f: 2 stacks have as many calls as the processor keeps' err
	# Other branches are not calls.
	sed 's/^branches.*/branches 0 8/' lines | recording
	stacks 2>err >got
	has '^leaf 1 1000' <got
	grep -q '^prof-cat: f: 3 samples have branches, which are skipped' err
}

@test "the user's part of a stack that comes later is joined by thread and cookie" {
	{
		usual
		echo 'sample 0 ip=0xffffffff81000000 tid=7 kernel time=10 chain=-128,0xffffffff81000000,-640,0x55'
		echo 'sample 0 ip=0xffffffff81000000 tid=7 kernel time=11 chain=-128,0xffffffff81000000,-640,0x55'
		echo 'sample 0 ip=0xffffffff81000000 tid=7/8 kernel time=12 chain=-128,0xffffffff81000000,-640,0x55'
		echo 'sample 0 ip=@leaf tid=7 time=13 chain=-512,@leaf'
		echo 'deferred 7 0x55 -512,@middle,@main+9 14'
		echo 'sample 0 ip=0xffffffff81000000 tid=7 kernel time=15 chain=-128,0xffffffff81000000,-640,0x56'
		echo 'deferred 7 0x57 -512,@middle,@main+9 16'
	} | recording
	stacks 2>err | sort >got
	diff - got <<-'E'
	[truncated];? 1 1000 event=cpu-clock pid=7 tid=7
	[truncated];? 1 1000 event=cpu-clock pid=7 tid=8
	leaf 1 1000 event=cpu-clock pid=7 tid=7
	main;middle;? 2 2000 event=cpu-clock pid=7 tid=7
	E
	grep -q '^prof-cat: f: 2 stacks lack callers that the kernel deferred' err
	prof-cat --quiet f | has -x 'meta	undelivered stacks	2'
	{
		usual
		echo 'raw 22 2 5500000000000000ffffffffffffffff'
	} | recording
	fails_with 'f: byte [0-9]+: a deferred stack ends too early' prof-cat f
}

@test "an event of a stream may come while a stack is waited for" {
	{
		usual
		echo 'sample 0 ip=0xffffffff81000000 tid=7 kernel time=10 chain=-128,0xffffffff81000000,-640,0x55'
		printf '%s\n' round round	# it is put
		# Attributes of 64 bytes: its type, size and number; so many that their table moves.
		for config in 01 02 03 04 05 06 07; do
			echo "raw 64 0 0100000040000000${config}00000000000000$(printf '%0.s00' {1..48})"
		done
		echo 'deferred 7 0x55 -512,@middle,@main+9 14'
	} | recording pipe
	valgrind -q --error-exitcode=99 --leak-check=no prof-cat --quiet f >got
	stacks --quiet | has -x 'main;middle;? 1 1000 event=cpu-clock pid=7 tid=7'
}

@test "threads that wait have the stack that a program in the kernel has written" {
	{
		echo 'event cpu-clock 1 0 1000 identifier ip tid time period chain'
		echo 'event offcpu-time 1 10 1 identifier ip tid time period chain raw'
		printf '%s\n' 'id 0 11' 'id 1 21' 'feature 3 host'
		maps
		echo 'sample 0 identifier=11 ip=@leaf tid=7 time=10 period=1000 chain=-512,@leaf'
		echo 'sample 1 identifier=21 tid=1 time=11 period=1 chain=0 raw=7:123456:-512,@middle,@main+9'
		# Older ones have the stack as others do.
		echo 'sample 1 identifier=21 tid=7 time=12 period=44 chain=-512,@leaf,@main+9'
	} | recording
	stacks --quiet >got
	diff - got <<-'E'
	leaf 1 1000 event=cpu-clock pid=7 tid=7
	main;middle 0 0 1 123456 event=offcpu-time pid=7 tid=7
	main;leaf 0 0 1 44 event=offcpu-time pid=7 tid=7
	E
	prof-cat --quiet f | has '^event	3	offcpu-time	ns	'
}

@test "a recording that ends too early is truncated, wherever" {
	{
		usual
		for i in $(seq 20); do
			echo "sample 0 ip=@leaf+2 tid=7 time=$((i + 10)) chain=@leaf+2,@main+9"
		done
	} >lines
	for how in '' pipe 'pipe zstd'; do
		# shellcheck disable=SC2086
		recording $how <lines
		mv f whole
		size=$(stat -c %s whole)
		for n in 1 9 17 60 103 105 200 $((size / 2)) $((size - 9)) $((size - 1)); do
			head -c "$n" whole >f
			status=0
			prof-cat f >got 2>err || status=$?
			[ "$status" = 2 ] || {
				# Of a pipe's form records alone may be missing.
				[ "$how" != '' ] && [ "$status" = 0 ] && continue
				echo "form '$how', $n of $size bytes: status $status"
				return 1
			}
		done
	done
}

@test "a section that is missing is passed over, and nothing is in its place" {
	{
		usual
		echo 'feature 4 6.1'
		echo 'sample 0 ip=@leaf tid=7 time=11 chain=@leaf'
	} | recording
	# The table of sections: those of the features 3, 4 and 12.
	python3 - <<-'E'
	import struct
	d = bytearray(open('f', 'rb').read())
	at, n = struct.unpack_from('<QQ', d, 40)
	d[at + n + 16:at + n + 24] = b'\xff' * 8
	open('f', 'wb').write(d)
	E
	fails_with 'a section of 68 bytes at byte 18446744073709551615 is missing' prof-cat f
	prof-cat --lenient --quiet f >got || true
	grep -P '^meta\t(host|os)' got | diff - <(printf 'meta\thostname\thost\n')
}

@test "malformed sizes and counts are rejected with their place" {
	{
		usual
		echo 'sample 0 ip=@leaf+2 tid=7 time=11 chain=@leaf+2,@main+9'
	} | recording
	cp f whole
	data=$(python3 -c 'import struct; print(struct.unpack("<Q", open("f", "rb").read()[40:48])[0])')
	# The size of the first record.
	printf '\0\0' | dd of=f bs=1 seek=$((data + 6)) conv=notrunc status=none
	fails_with "^prof-cat: f: byte $data: a record of 0 bytes" prof-cat f
	{
		usual
		echo 'raw 9 2 0000000000000000070000000700000011000000000000000000000000000001'
	} | recording
	fails_with 'f: byte [0-9]+: a sample ends too early' prof-cat f
	# Attributes that are larger than their room.
	{
		usual
		echo 'sample 0 ip=@leaf tid=7 time=11 chain=@leaf'
	} | recording
	printf '\377\377\0\0' | dd of=f bs=1 seek=108 conv=notrunc status=none
	fails_with "f: byte [0-9]+: an event's attributes have 65535 bytes" prof-cat f
	# The events of a file are elsewhere, and that is passed over.
	printf '\377\377\377' | dd of=f bs=1 seek=24 conv=notrunc status=none
	fails_with 'f: byte [0-9]+: a sample comes before the attributes' prof-cat --lenient f
	# perf stat's.
	{
		usual
		echo 'raw 76 0 0000000000000000'
	} | recording
	fails_with "counts of 'perf stat record', which have no samples" prof-cat f
}

@test "names of events, threads and the kernel's symbols, which samples have, are not long" {
	name=$(head -c 1001 /dev/zero | tr '\0' n)
	{
		usual
		echo "comm 7 7 $name 1"
		echo 'sample 0 ip=@leaf tid=7 time=11 chain=@leaf'
	} >lines
	recording <lines
	fails_with "f: byte [0-9]+: a thread's name of 1001 bytes" prof-cat f
	sed "s/nn/n/" lines | recording
	[ "$(stacks)" = "leaf 1 1000 event=cpu-clock comm=${name#n} pid=7 tid=7" ]
	sed "s/cpu-clock/$name/" lines | recording
	fails_with "f: byte [0-9]+: an event's name of 1001 bytes" prof-cat f
	sed "s/nnn*/n/; s/cpu-clock/${name#n}/" lines | recording
	[ "$(stacks)" = "leaf 1 1000 event=${name#n} comm=n pid=7 tid=7" ]
	export HOME=$PWD
	{
		usual
		echo "ksymbol 0xffffffffc0000000 0x100 $name 0"
		echo 'sample 0 ip=0xffffffffc0000010 tid=7 kernel time=10 chain=-128,0xffffffffc0000010'
	} >lines
	recording <lines
	fails_with "f: byte [0-9]+: a symbol's name of 1001 bytes" prof-cat f
	sed "s/nn/n/" lines | recording
	[ "$(stacks --quiet)" = "${name#n} 1 1000 event=cpu-clock pid=7 tid=7" ]
}

@test "a list of code that was made is read if it is the user's, and a file" {
	list=/tmp/perf-999999937.map
	rm -f "$list"
	{
		echo 'event cpu-clock 1 0 1000 ip tid time chain'
		echo "feature 3 $(uname -n)"
		echo "feature 4 $(uname -r)"
		echo 'mmap 999999937 0x500000 0x1000 0 //anon prot=5 1'
		echo 'sample 0 ip=0x500010 tid=999999937 time=2 chain=0x500010'
	} | recording
	function_of() { stacks --quiet | cut -d ' ' -f 1; }
	printf '%s\n' '500000 20 made here' >"$BATS_TEST_TMPDIR/list"
	cp "$BATS_TEST_TMPDIR/list" "$list"
	[ "$(function_of)" = made ]
	echo '0x500000 0x20 by_dotnet' >"$list"
	[ "$(function_of)" = by_dotnet ]
	cp "$BATS_TEST_TMPDIR/list" "$list"
	# Another user's, who may have made it to be read in this one's name.
	if [ "$(id -u)" = 0 ]; then
		chown 65534 "$list"
		[ "$(function_of)" = '?' ]
	fi
	rm "$list"
	mkfifo "$list"
	[ "$(function_of)" = '?' ]
	rm "$list"
	mkdir "$list"
	[ "$(function_of)" = '?' ]
	rmdir "$list"
	# One that leads to a file of the user's, as who may read it but did not make it.
	ln -s "$BATS_TEST_TMPDIR/list" "$list"
	link=$(function_of)
	rm "$list"
	[ "$link" = '?' ]
	# One that is too large to be such a list.
	truncate -s 257M "$list"
	cat "$BATS_TEST_TMPDIR/list" >>"$list"
	large=$(function_of)
	rm "$list"
	[ "$large" = '?' ]
}

# jitdump FILE [OPTION...]: one of the lines on standard input.
jitdump() {
	python3 "$TESTS/jitdump.py" "${@:2}" >"$1"
}

# What is recorded of a program that generates code, on this machine: each sample at one
# address, at these times.
generated() {
	echo 'event cpu-clock 1 0 1000 ip tid time chain'
	echo 'monotonic 0'
	echo "feature 3 $(uname -n)"
	echo "feature 4 $(uname -r)"
	echo "mmap 7 0x900000 0x1000 0 ${dump:-$PWD/jit-7.dump} prot=5 2"
	echo 'mmap 7 0x500000 0x10000 0 //anon prot=7 3'
	for time; do
		echo "sample 0 ip=0x500010 tid=7 time=$time chain=0x500010"
	done
}

@test "generated code has the name of its time, however often memory is used again" {
	jitdump jit-7.dump <<-'E'
	lines 10 0x500000 3 a.js
	load 10 1 0x500000 0x20 first of all
	load 20 2 0x500000 0x40 second
	load 25 8 0x500000 0x40 another_process pid=8
	load 30 3 0x500008 0x10 third
	load 31 4 0x500010 0 nothing
	move 40 2 0x500004 0x40
	load 50 5 0x500010 0x10 second
	close 60
	E
	for order in little big; do
		[ $order = little ] || jitdump jit-7.dump big <<-'E'
		load 10 1 0x500000 0x20 first of all
		load 20 2 0x500000 0x40 second
		load 30 3 0x500008 0x10 third
		move 40 2 0x500004 0x40
		load 50 5 0x500010 0x10 second
		E
		{
			generated 5 15 25 35 45 55
			# Memory that is protected anew is a record, and has the same code still.
			echo 'mmap 7 0x500000 0x1000 0 //anon prot=5 56'
			echo 'sample 0 ip=0x500010 tid=7 time=57 chain=0x500010'
			# A file is not.
			echo 'mmap 7 0x500000 0x1000 0 /no/such prot=5 58'
			echo 'sample 0 ip=0x500010 tid=7 time=59 chain=0x500010'
		} | recording
		stacks --quiet --times | sed 's/ [0-9].*time=0[.]0*/ /' >got
		same got - <<-'E'
		? 5
		first of all 15
		second 25
		third 35
		second 45
		second 55
		second 57
		? 59
		E
	done
	# They are functions of the file, at offsets in it; those of one name are one.
	stacks --quiet | grep -c second | has -x 1
	prof-top --tsv --quiet -b object f | has "^$PWD/jit-7.dump"
}

@test "children have the code that their parent has generated, and no other program has it" {
	jitdump jit-7.dump <<<'load 10 1 0x500000 0x20 made'
	{
		generated 15
		echo 'fork 9 7 9 7 20'
		echo 'sample 0 ip=0x500010 tid=9 time=21 chain=0x500010'
		echo 'comm 7 7 other exec 30'
		echo 'sample 0 ip=0x500010 tid=7 time=31 chain=0x500010'
		echo 'mmap 7 0x10000 0x1000 0 /no/such prot=5 32'
		echo 'sample 0 ip=0x10010 tid=7 time=33 chain=0x10010'
		echo 'mmap 7 0x500000 0x10000 0 //anon prot=7 34'
		echo 'sample 0 ip=0x500010 tid=7 time=35 chain=0x500010'
	} | recording
	stacks --quiet --times | sed 's/ [0-9].*time=0[.]0*/ /' >got
	printf '%s\n' 'made 15' 'made 21' 'made 31' '? 33' '? 35' | same got -
}

@test "where times of generated code are of another clock, the last is taken, with a note" {
	jitdump jit-7.dump <<-'E'
	load 10 1 0x500000 0x20 first
	load 20 2 0x500000 0x20 second
	E
	generated 15 | recording
	stacks --times 2>err | has '^first'
	silent cat err
	generated 15 | grep -v monotonic | recording
	stacks --times 2>err | has '^second'
	has "jit-7.dump has times of another clock than the recording's" <err
	jitdump jit-7.dump flags=1 <<<'load 99 1 0x500000 0x20 first'
	generated 15 | recording
	stacks --times 2>err | has '^first'
	has 'another clock' <err
}

@test "a file of generated code is read by the rules for files that a profile names" {
	code='load 10 1 0x500000 0x20 made'
	function_of() { generated 15 | recording && stacks 2>err | cut -d ' ' -f 1; }
	jitdump jit-7.dump <<<"$code"
	[ "$(function_of)" = made ]
	[ "$(generated 15 | sed 's/^feature 4 /&x/' | recording && stacks --quiet |
		cut -d ' ' -f 1)" = '?' ]
	# What is in another directory is for all to read, or where programs write it.
	mkdir -p other home/.debug/jit/java-x here root/opt
	jitdump other/jit-7.dump <<<"$code"
	cd here
	dump=$BATS_TEST_TMPDIR/other/jit-7.dump
	[ "$(function_of)" = made ]
	chmod 600 "$dump"
	[ "$(function_of)" = '?' ]
	has 'other/jit-7.dump: generated code has no names' <err
	cp -p "$dump" ../home/.debug/jit/java-x/jit-7.dump
	dump=$BATS_TEST_TMPDIR/home/.debug/jit/java-x/jit-7.dump
	[ "$(function_of)" = '?' ]
	HOME=$BATS_TEST_TMPDIR/home
	[ "$(function_of)" = made ]
	dump=/tmp/jit-999999937.dump
	cp -p ../other/jit-7.dump $dump
	own=$(function_of)
	rm $dump
	[ "$own" = made ]
	# Neither a link, nor what is no file, nor another's.
	ln -s ../jit-7.dump jit-8.dump
	dump=$PWD/jit-8.dump
	[ "$(function_of)" = '?' ]
	mkfifo jit-9.dump
	dump=$PWD/jit-9.dump
	[ "$(function_of)" = '?' ]
	if [ "$(id -u)" = 0 ]; then
		jitdump jit-10.dump <<<"$code"
		chown 65534 jit-10.dump
		dump=$PWD/jit-10.dump
		[ "$(function_of)" = '?' ]
	fi
	# Another machine's are below --sysroot.
	jitdump ../root/opt/jit-7.dump <<<"$code"
	dump=/opt/jit-7.dump
	[ "$(function_of)" = '?' ]
	stacks --sysroot ../root | has '^made'
	mkfifo ../root/opt/jit-11.dump
	dump=/opt/jit-11.dump
	generated 15 | recording
	stacks --quiet --sysroot ../root | has '^?'
}

@test "a malformed file of generated code is read up to there, with its place" {
	reads() { generated 15 25 | recording && stacks --times 2>err | cut -d ' ' -f 1; }
	{
		echo 'load 10 1 0x500000 0x20 first'
		echo 'raw 0000000008000000'
		echo 'raw 1400000000000000'
		echo 'load 20 2 0x500000 0x20 second'
	} | jitdump jit-7.dump
	reads | same - <(printf '%s\n' first first)
	has 'jit-7.dump: byte 134: a malformed or truncated record' <err
	# The last byte of its code is missing.
	printf '%s\n' 'load 10 1 0x500000 0x20 first' 'load 20 2 0x500000 0x20 second' |
		jitdump cut.dump
	head -c -1 cut.dump >jit-7.dump
	reads | same - <(printf '%s\n' first first)
	has 'jit-7.dump: byte 134: a malformed or truncated record' <err
	# Less than a head, a name without an end, more code than the record has, no more bytes
	# than its head.
	for record in '00000000 3b000000 14000000' \
	    '00000000 3b000000 1400000000000000 07000000 07000000
	    0000500000000000 0000500000000000 0000000000000000 0200000000000000 616161' \
	    '00000000 3c000000 1400000000000000 07000000 07000000
	    0000500000000000 0000500000000000 2000000000000000 0200000000000000 61000000' \
	    '00000000 3c000000 1400000000000000 07000000' \
	    '01000000 20000000 1400000000000000 07000000 00000000 0000000000000000'; do
		{
			echo 'load 10 1 0x500000 0x20 first'
			echo "raw $(tr -d ' \n\t' <<<"$record")"
		} | jitdump jit-7.dump
		reads | same - <(printf '%s\n' first first)
		has 'jit-7.dump: byte 134: a malformed or truncated record' <err
	done
	# An unknown record is passed over.
	{
		echo 'raw 63000000180000001400000000000000ffffffffffffffff'
		echo 'load 10 1 0x500000 0x20 first'
	} | jitdump jit-7.dump
	reads | same - <(printf '%s\n' first first)
	jitdump jit-7.dump version=2 <<<'load 10 1 0x500000 0x20 first'
	reads | has -x '?'
	has 'generated code has no names: .*jit-7.dump: jitdump version 2 is not supported, only 1' <err
	echo nothing >jit-7.dump
	reads | has -x '?'
	has 'generated code has no names: .*jit-7.dump: it is not a jitdump' <err
	jitdump jit-7.dump </dev/null
	reads | has -x '?'
	has 'jit-7.dump: no symbols' <err
}

@test "a file of generated code that cannot be read is not one that ends" {
	cat >eio.c <<-'E'
	#define _GNU_SOURCE
	#include <dlfcn.h>
	#include <errno.h>
	#include <stdlib.h>
	#include <unistd.h>

	/* From byte FROM of a file on, reads fail. */
	ssize_t pread(int fd, void *to, size_t n, off_t at)
	{
		ssize_t (*real)(int, void *, size_t, off_t) = dlsym(RTLD_NEXT, "pread");
		const off_t from = atol(getenv("FROM"));

		if (at < from)
			return real(fd, to, n < (size_t)(from - at) ? n : (size_t)(from - at), at);
		errno = EIO;
		return -1;
	}
	E
	cc -shared -fPIC -o eio.so eio.c
	# Records of 94 bytes begin at 40 and 134.
	printf '%s\n' 'load 10 1 0x500000 0x20 first' 'load 20 2 0x500000 0x20 second' |
		jitdump jit-7.dump
	generated 15 25 | recording
	for from in 0 134 140 999; do
		cat f | env ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD="$PWD/eio.so" FROM=$from \
			prof-top --tsv - 2>err$from >got$from
	done
	has 'generated code has no names: .*/jit-7.dump: Input/output error' <err0
	lacks got0 first
	has '/jit-7.dump: byte 134: Input/output error: code from there on has no names' <err134
	has '/jit-7.dump: byte 134: Input/output error: code from there on has no names' <err140
	has first <got140
	lacks got140 second
	has second <got999
	lacks err999 error
}

@test "stacks that differ in their thread alone are one row, unless threads are asked for" {
	{
		usual
		echo 'comm 7 7 one 1'
		echo 'comm 7 8 two 1'
		echo 'sample 0 ip=@leaf tid=7/7 time=10 chain=@leaf,@main+9'
		echo 'sample 0 ip=@leaf tid=7/8 time=11 chain=@leaf,@main+9'
		echo 'sample 0 ip=@leaf tid=7/8 time=12 chain=@leaf,@main+9'
	} | recording
	prof-top --tsv f | diff - <(prof-cat f | prof-top --tsv)
	prof-top --tsv --by comm f | cut -f 3 | tail -n +2 | tr '\n' ' ' | has -x '2 1 '
	prof-top --tsv --where comm=two f | cut -f 5 | sed -n 2p | has -x 2
	prof-top --tsv --by thread f | grep -c two | has -x 1
}

@test "code of a segment that begins within a page has the names that its process has" {
	cat >own.c <<-'C'
	#include <stdio.h>
	__attribute__((noinline)) int leaf(int n) { __asm__(""); return n + 1; }
	int main(void)
	{
		FILE *maps = fopen("/proc/self/maps", "r");
		unsigned long from, to, offset;
		char perm[5], path[4096], line[8192];

		while (fgets(line, sizeof line, maps))
			if (sscanf(line, "%lx-%lx %4s %lx %*s %*s %4095s", &from, &to, perm,
			    &offset, path) == 5 && perm[2] == 'x' && *path == '/')
				printf("mmap 7 %#lx %#lx %#lx %s prot=5 1\n", from, to - from,
				    offset, path);
		printf("sample 0 ip=%p tid=7 time=10 chain=%p,%p\n", (void *)leaf,
		    (void *)leaf, (void *)((char *)main + 9));
		return leaf(-1);
	}
	C
	# lld makes such segments of all programs.
	gcc -O1 -Wl,--section-start=.text=0x51234 -o own own.c
	readelf -lW own | has 'LOAD  *0x[0-9a-f]*234 .* R E'
	{
		echo 'event cpu-clock 1 0 1000 ip tid time chain'
		./own
	} | recording
	stacks --quiet | has '^main;leaf 1 1000 '
}

@test "code that was made where other code had been is not taken for that" {
	{
		usual
		echo 'sample 0 ip=@leaf tid=7 time=10 chain=@leaf,@main+9'
		echo 'mmap 7 0x10000 0x100000 0 /no/such prot=5 11'
		echo 'sample 0 ip=@leaf tid=7 time=12 chain=@leaf,@main+9'
		maps | sed 's/1$/13/'
		echo 'sample 0 ip=@leaf tid=7 time=14 chain=@leaf,@main+9'
	} | recording
	stacks --quiet >got
	diff - got <<-'E'
	main;leaf 2 2000 event=cpu-clock pid=7 tid=7
	?;? 1 1000 event=cpu-clock pid=7 tid=7
	E
}

@test "a profile made of a recording has its names where the program is not" {
	cp "$BATS_FILE_TMPDIR/prog" moved
	{
		usual
		echo 'sample 0 ip=@leaf+2 tid=7 time=10 chain=@leaf+2,@main+9'
	} | sed "s,PROG,$PWD/moved,g" | recording
	prof-top --tsv f >want
	prof-cat f >app.prof
	rm moved
	prof-top --tsv app.prof | diff want -
	has -P '^leaf\t' <want
	prof-top --quiet --tsv f >got
	lacks got leaf
}

@test "two events of one name have two names, and the unit of both" {
	{
		echo 'event cpu-clock 1 0 1000 identifier ip tid time chain'
		echo 'event cpu-clock 1 0 1000 identifier ip tid time chain'
		printf '%s\n' 'id 0 11' 'id 1 21' 'feature 3 host'
		maps
		echo 'sample 0 identifier=11 ip=@leaf tid=7 time=11 chain=@leaf'
		echo 'sample 1 identifier=21 ip=@leaf tid=7 time=12 chain=@leaf'
		echo 'sample 1 identifier=21 ip=@leaf tid=7 time=13 chain=@leaf'
	} | recording
	prof-cat --quiet f | grep '^event' | cut -f 3,4 >got
	printf '%s\t%s\n' cpu-clock.samples - cpu-clock ns cpu-clock.2.samples - cpu-clock.2 ns |
		same got -
	prof-top --tsv --quiet --events cpu-clock,cpu-clock.2 f | cut -f 5,7 | sed -n 2p >got
	printf '1000\t2000\n' | same got -
}

@test "a static program without symbols is called stripped, not unreadable" {
	printf '%s\n' 'void leaf(void) { }' 'void _start(void) { for (;;) leaf(); }' >bare.c
	gcc -O1 -g -static -nostdlib -fno-inline -o bare bare.c
	strip bare
	fails_with 'bare: no symbols of functions \(stripped\?\)' prof-cat --exe bare /dev/null
	{
		echo 'event cpu-clock 1 0 1000 ip tid time chain'
		echo 'feature 3 host'
		echo "mmap 7 0x400000 0x10000 0 $PWD/bare prot=5 1"
		echo 'sample 0 ip=0x401000 tid=7 time=11 chain=0x401000'
	} | recording
	prof-cat f 2>err >got
	has 'it is stripped' <err
}
