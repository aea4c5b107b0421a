# SPDX-License-Identifier: ISC
# of: codec
# The output of perf script: each shape that its lines have, written by hand, and a real
# recording, with what a few lines of awk count in it.

load tools.bash

# Lines of a file, with ">" for the TAB before a frame.
frames() {
	sed 's/^>/\t/'
}

# stacks FILE [OPTION...]: its samples with the names of their frames.
stacks() {
	prof-to json "$@" | jq -r 'select(.record == "sample") |
		[(.stack // [] | map(.function // "???") | join(";")), .samples, .period,
		(.attrs | to_entries | map("\(.key)=\(.value)") | join(" "))] | @tsv'
}

# labels LINE: what the line of an event comes to, with a frame below it.
labels() {
	printf '%s\n\t  1f main+0x1 (/bin/x)\n\n' "$1" >line
	prof-cat --from perf --times line | sed -n 's/^sample	0	//p'
}

@test "events, frames and objects become samples, contexts and objects" {
	frames >f <<-'E'
	# ========
	# captured on    : Sun Nov 22 10:10:55 2026
	# hostname : host
	# perf version : 6.1.187
	# nrcpus online : 2
	# total memory : 24682416 kB
	# cmdline : /usr/bin/perf record -g ./x y
	# event : name = cycles:u, , id = { 1 }, type = 1
	# CACHE info available, use -I to display
	# ========
	#
	x 12/13 [001] 7.000100: 250000 cycles:u: 
	>            1031 leaf+0x11 (/bin/x)
	>            1008 main+0x8 (/bin/x)

	x 12/13 [001] 7.000200: 250001 cycles:u: 
	>ffffffff81000010 sys_read+0x10 ([kernel.kallsyms])
	>            1008 main+0x8 (/bin/x)

	E
	prof-cat f >got 2>err
	[ ! -s err ]
	bars >want <<-'E'
	prof|1
	part|1
	meta|format|perf
	meta|perf.captured on|Sun Nov 22 10:10:55 2026
	meta|hostname|host
	meta|creator|perf 6.1.187
	meta|cpus|2
	meta|memory|24682416 kB
	meta|cmd|/usr/bin/perf record -g ./x y
	meta|perf.event|name = cycles:u, , id = { 1 }, type = 1
	meta|comment|CACHE info available, use -I to display
	event|0|samples|-|-|-|calls=absent|counts=cycles
	event|1|period|cycles|-|-|calls=absent|counts=cycles|default=1
	object|0|/bin/x|-
	func|0|leaf|-|0|-
	func|1|main|-|0|-
	ctx|0|-|1|-|-|-
	ctx|1|0|0|-|-|-
	sample|1|1|250000|event=cycles:u|comm=x|pid=12|tid=13
	object|1|[kernel.kallsyms]|-
	func|2|sys_read|-|1|-|kernel=1
	ctx|2|0|2|-|-|-
	sample|2|1|250001|event=cycles:u|comm=x|pid=12|tid=13
	end
	E
	diff want got
	[ "$(prof-cat --probe f)" = 'f: perf' ]
	# From older versions of perf, and of one frame: no blank before the colon.
	sed -i 's/^# captured on *:/# captured on:/; /ffff/,$d' f
	echo >>f
	prof-cat --quiet f | has -Px 'meta\tperf.captured on\tSun Nov 22 10:10:55 2026'
}

@test "the line of an event, whichever fields it has" {
	while IFS='|' read -r line want; do
		echo "$line"
		[ "$(labels "$line")" = "$(tr ' ~' '\t ' <<<"$want")" ]
	done <<-'E'
	java 11008 [001] 30143.481555: cpu-clock: |1 event=cpu-clock comm=java tid=11008 cpu=1 time=30143.481555
	node-v011 31912 cpu-clock: |1 event=cpu-clock comm=node-v011 tid=31912
	main  2761  2708.396948:   20000000 cpu-clock:pppH: |1 20000000 event=cpu-clock:pppH comm=main tid=2761 time=2708.396948
	perf-exec 1504493 3069933.740994:          1 cycles: |1 1 event=cycles comm=perf-exec tid=1504493 time=3069933.740994
	V8 WorkerThread 24636/25607 [000] 94564.109216: 100 cycles:P: |1 100 event=cycles:P comm=V8~WorkerThread pid=24636 tid=25607 cpu=0 time=94564.109216
	DOM Worker 12   345/678   [003]  9.123456789:        7 cycles: |1 7 event=cycles comm=DOM~Worker~12 pid=345 tid=678 cpu=3 time=9.123456789
	kworker/1:2-eve    77 [001]     1.000000:          1 cycles: |1 1 event=cycles comm=kworker/1:2-eve tid=77 cpu=1 time=1.000000
	a (b) c) 5/6 1.5: 1 cpu_core/cycles/: |1 1 event=cpu_core/cycles/ comm=a~(b)~c) pid=5 tid=6 time=1.5
	swapper     0 [127]  3.000000:  4000 sched:sched_switch: |1 4000 event=sched:sched_switch comm=swapper tid=0 cpu=127 time=3.000000
	:-1    -1/-1    [000]     1.000000:          1 cycles: |1 1 event=cycles comm=:-1 pid=-1 tid=-1 cpu=0 time=1.000000
	   12/13    [000]     1.000000:          1 cycles: |1 1 event=cycles pid=12 tid=13 cpu=0 time=1.000000
	  padded    12/13    [000]     1.000000:          1 cycles: |1 1 event=cycles comm=padded pid=12 tid=13 cpu=0 time=1.000000
	misc     9 [000] KUH   1.000000:          1 cycles: |1 1 event=cycles comm=misc tid=9 cpu=0 time=1.000000
	raw     9  1.000000:          1 raw 0x1a8: |1 1 event=raw~0x1a8 comm=raw tid=9 time=1.000000
	late     9  1.000000:          1 DEFERRED CALLCHAIN [cookie: 1f] |1 1 event=DEFERRED~CALLCHAIN comm=late tid=9 time=1.000000
	w 12    1234     250000 cycles:ppp: |1 250000 event=cycles:ppp comm=w~12 tid=1234
	w 12 345 cycles: |1 345 event=cycles comm=w tid=12
	w 12    34/56   [001] cycles: |1 event=cycles comm=w~12 pid=34 tid=56 cpu=1
	zero 0012 [007] 1.0: 0007 cycles: |1 7 event=cycles comm=zero tid=0012 cpu=7 time=1.0
	nobody [001] 5.500000: 3 cycles: |1 3 event=cycles comm=nobody cpu=1 time=5.500000
	5.500000: 3 cycles: |1 3 event=cycles time=5.500000
	 2718     250000 cpu-clock: |1 250000 event=cpu-clock tid=2718
	 2718 [001]     250000 cpu-clock: |1 250000 event=cpu-clock tid=2718 cpu=1
	            2718     2719     250000 cpu-clock: |1 250000 event=cpu-clock comm=2718 tid=2719
	w [001] cpu-clock: |1 event=cpu-clock comm=w cpu=1
	#x 1/2 1.5: 7 cpu-clock: |1 7 event=cpu-clock comm=#x pid=1 tid=2 time=1.5
	no-event 7 5.5: 3 |1 3 comm=no-event tid=7 time=5.5
	no thread cycles: |1 event=cycles comm=no~thread
	cycles:u: |1 event=cycles:u
	cycles:u:|1 event=cycles:u
	E
	printf '   x  1.000000:   561281709965 f+0x1 (/bin/x)\n' >f
	[ "$(stacks f)" = "$(printf 'f\t1\t\tcomm=x')" ]
	for line in 'Warning:' 'what is this:' 'what: is this'; do
		echo "$line" >f
		prof-cat --quiet --from perf --lenient f >got 2>err
		lacks got '^sample'
	done
	# simpleperf's report_sample.py has TABs.
	printf 'app\t8123 [002] 5.100000: 31 cpu-cycles:u:\n\t       7f00 f (/system/lib64/libc.so)\n\n' >f
	stacks --times f >got
	printf 'f\t1\t31\tevent=cpu-cycles:u comm=app tid=8123 cpu=2 time=5.100000\n' | diff - got
	prof-cat f | has -Px 'event\t1\tperiod\tcycles\t-\t-\tcalls=absent\tcounts=cpu-cycles\tdefault=1'
}

@test "a frame's name and object, whatever is in them" {
	local line want

	while IFS='|' read -r line want; do
		echo "$line"
		printf 'x 1 1.0: 1 cycles: \n\t%s\n\n' "$line" >f
		[ "$(prof-to json --quiet f | jq -r 'select(.record == "func") |
			[.name, .object, .attrs.kernel] | map(. // "-") | join("|")')" = "$want" ]
	done <<-'E'
	1f main+0x1 (/bin/x)|main|/bin/x|-
	1f main (/bin/x)|main|/bin/x|-
	1f main|main|-|-
	1f [unknown] (/bin/x)|-|/bin/x|-
	1f [unknown] ([unknown])|-|-|-
	1f  (/bin/x)|-|/bin/x|-
	1f main+0x1 ([unknown])|main|-|-
	1f f+0x1+0x2 (/bin/x)|f+0x1|/bin/x|-
	1f operator()(int) const+0x3 (/bin/x)|operator()(int) const|/bin/x|-
	1f <A as B<C>>::f(void (*)(int))+0x3 (/bin/x)|<A as B<C>>::f(void (*)(int))|/bin/x|-
	1f net/http.(*Client).Do+0x3 (/bin/x)|net/http.(*Client).Do|/bin/x|-
	1f RegExp:[)(] (/tmp/perf-7.map)|RegExp:[)(]|/tmp/perf-7.map|-
	1f f+0x3 (/a b/c (x86)/d)|f|/a b/c (x86)/d|-
	1f f+0x3 (/a/b)c)|f|/a/b)c|-
	1f f+0x3 (/a/b(c)|f|/a/b(c|-
	1f f+0x3 (/bin/x (deleted))|f|/bin/x (deleted)|-
	1f f+0x3 (/bin/x+0x1234)|f|/bin/x|-
	1f f+0x3 (//anon)|f|//anon|-
	1f f+0x3 ([vdso])|f|[vdso]|-
	1f f+0x3 ([heap])|f|[heap]|-
	1f f+0x3 ([ext4])|f|[ext4]|1
	1f f+0x3 ([guest.kernel.kallsyms])|f|[guest.kernel.kallsyms]|1
	1f f+0x3 (/lib/modules/6.1/kernel/fs/ext4/ext4.ko)|f|/lib/modules/6.1/kernel/fs/ext4/ext4.ko|1
	1f f+0x3 (/lib/modules/6.1/kernel/fs/ext4.ko.xz)|f|/lib/modules/6.1/kernel/fs/ext4.ko.xz|1
	1f f+0x3 (/boot/vmlinux-6.1)|f|/boot/vmlinux-6.1|1
	1f f+0x3 (/bin/x.ko.d/y)|f|/bin/x.ko.d/y|-
	1f f;g+0x3 (/bin/x)|f;g|/bin/x|-
	E
	# Bytes that the stream escapes, and none that it does not.
	printf 'x 1 1.0: 1 cycles: \n\t1f a\tb\\c\xff=+0x1 (/bin/x)\n\n' >f
	prof-cat f | has -axF "$(printf 'func\t0\ta\\tb\\\\c\xff=\t-\t0\t-')"
}

@test "stacks on the event's line, without stacks, without empty lines, without blanks" {
	frames >f <<-'E'
	           false 39654 19115.489713:          1 cycles:  ffffffff9b201293 [unknown] ([unknown])
	            cafe 39654 19115.489719:          2 cycles:      7fa68b1f2d84 _dl_start+0x4 (/usr/lib/ld-2.31.so)
	           false 39654 19115.489719:          4 cycles:      7fa68b1f2d84 _dl_start+0x4 (/usr/lib/ld-2.31.so)
	E
	stacks f >got
	tabs >want <<-'E'
	???  1  1  event=cycles comm=false tid=39654
	_dl_start  1  2  event=cycles comm=cafe tid=39654
	_dl_start  1  4  event=cycles comm=false tid=39654
	E
	diff want got
	[ "$(prof-cat --probe f)" = 'f: perf' ]
	# -F comm,tid,time,event,period; a line that has only blanks.
	printf '%s\n' '            true  12  1.000000:   5 cycles: ' \
		'            cafe  12  2.000000:   6 cycles: ' '  ' \
		'            true  12  3.000000:   7 cycles: ' >f
	prof-cat f | sed -n 's/^sample	//p' >got
	bars >want <<-'E'
	-|1|5|event=cycles|comm=true|tid=12
	-|1|6|event=cycles|comm=cafe|tid=12
	-|1|7|event=cycles|comm=true|tid=12
	E
	diff want got
	[ "$(prof-cat --probe f)" = 'f: perf' ]
	# An event without a stack between others, and stacks without an end.
	frames >f <<-'E'
	x 1 1.0: 1 cycles: 
	>1f a+0x1 (/bin/x)
	y 1 2.0: 2 cycles: 
	z 1 3.0: 4 cycles: 
	>2f b+0x1 (/bin/x)
	>1f a+0x1 (/bin/x)
	E
	silent stacks f >got
	diff - got < <(bars <<-'E'
	a|1|1|event=cycles comm=x tid=1
	|1|2|event=cycles comm=y tid=1
	a;b|1|4|event=cycles comm=z tid=1
	E
	)
	# Blanks that were lost in a mail; TABs that became blanks; CRLF.
	sed 's/^[ \t]*//' f >g
	stacks --quiet g | diff got -
	sed 's/^\t/        /' f >g
	stacks --quiet g | diff got -
	sed 's/$/\r/' f >g
	stacks --quiet g | diff got -
}

@test "an empty line ends a stack, with CRLF, too" {
	printf '%s\r\n' 'x 1 1.0: 1 cycles: ' "	1f a+0x1 (/bin/x)" '' \
		'x 1 2.0: 2 cycles:' "	2f b+0x1 (/bin/x)" "	1f a+0x1 (/bin/x)" '' >f
	silent stacks f >got
	printf '%s\n' 'a	1	1	event=cycles comm=x tid=1' \
		'a;b	1	2	event=cycles comm=x tid=1' | diff - got
}

@test "many inlined frames of a stack have one callee, which is looked for once" {
	shape perf:inlined 160000 >f
	[ "$(brief 8 prof-cat --quiet --addr f | grep -c "^ctx")" = 160000 ]
}

@test "inlined functions are in the object of the next frame that is real" {
	frames >f <<-'E'
	x 1 1.0: 1 cycles: 
	>1f in+0x1 (inlined)
	>1f middle+0x1 (inlined)
	>1f outer+0x1 (/lib/y)
	>08 call+0x1 (inlined)
	>08 main+0x8 (/bin/x)

	x 1 2.0: 1 cycles: 
	>0f outer+0x0 (/lib/y)
	>08 call+0x1 (inlined)
	>08 main+0x8 (/bin/x)

	E
	prof-to json --quiet f | jq -r 'select(.record == "func") | "\(.name) \(.object)"' |
		sort | diff - <(printf '%s\n' 'call /bin/x' 'in /lib/y' 'main /bin/x' 'middle /lib/y' 'outer /lib/y')
	prof-cat f | grep '^ctx' | cut -f 1-3,5- | diff - <(bars <<-'E'
	ctx|0|-|-|-|-
	ctx|1|0|-|-|-|inlined=1
	ctx|2|1|-|-|-
	ctx|3|2|-|-|-|inlined=1
	ctx|4|3|-|-|-|inlined=1
	E
	)
	stacks f | cut -f 1 | diff - <(printf '%s\n' 'main;call;outer;middle;in' 'main;call;outer')
	# Also in that of the kernel.
	printf 'x 1 1.0: 1 cycles: \n\t1f in+0x1 (inlined)\n\t1f f+0x1 ([kernel.kallsyms])\n\t8 main+0x1 (/bin/x)\n\n' |
		prof-cat | grep '^func' | diff - <(bars <<-'E'
	func|0|f|-|0|-|kernel=1
	func|1|main|-|1|-
	func|2|in|-|0|-|kernel=1
	E
	)
	prof-cat f >got
	sed 's/$/\r/' f | prof-cat | diff got -
}

@test "what perf calls inlined, but at another address, is a frame of its own" {
	frames >f <<-'E'
	x 1 1.0: 5 cycles: 
	>96135 _int_free+0x15 (/lib/c)
	>98f5e deep+0x6e (inlined)
	>98f5e __GI___libc_free+0x6e (inlined)
	>10dc main+0x7c (/bin/x)
	>27304 __libc_start_main_impl+0x84 (inlined)
	>1120 _start+0x20 (/bin/x)

	x 1 2.0: 2 cycles: 
	>98ef0 __GI___libc_free+0x0 (inlined)
	>10dc main+0x7c (/bin/x)

	x 1 3.0: 1 cycles: 
	>7 last+0x0 (inlined)

	E
	prof-cat f >got 2>notes
	has "functions marked (inlined) have no object: 'perf script --no-inline' prints it" notes
	grep '^ctx' got | cut -f 2,3,8 | diff - <(bars <<-'E'
	0|-
	1|0
	2|1
	3|2
	4|3|inlined=1
	5|4
	6|-
	7|6
	8|-
	E
	)
	prof-top --quiet --tsv --by object f | cut -f 1,3,4 | sort | diff - <(bars <<-'E'
	-|2|3
	/bin/x|0|2
	/lib/c|1|1
	object|samples|samples.incl
	E
	)
	stacks --quiet f | cut -f 1 | diff - <(printf '%s\n' \
		'_start;__libc_start_main_impl;main;__GI___libc_free;deep;_int_free' \
		'main;__GI___libc_free' last)
	# A line of source may say it, too: the frame has its own object then.
	frames >f <<-'E'
	x 1 1.0: 5 cycles: 
	>98f5e free+0x6e (/lib/c)
	  free.c:7 (inlined)
	>10dc main+0x7c (/bin/x)

	E
	silent prof-cat f >got
	lacks got inlined
	silent prof-top --tsv --by object f | has -Px '/lib/c\t.*\t5\t5'
}

@test "lines of source belong to the frame above, --addr and --times keep more" {
	frames >f <<-'E'
	x 1/1 [002] 1.0: 1 cycles: 
	>            401f leaf+0x1f (/bin/x)
	  /src/x.c:12
	>            4008 in+0x8 (inlined)
	  x.h:007 (inlined)
	>            4008 main+0x8 (/bin/x)
	  x.c:31 (discriminator 2)
	>              10 _start+0x10 (/bin/x)
	  ??:0
	>              14 _start+0x14 (/bin/x)
	  :0
	>              20 other+0x10 (/lib/y)
	  y[20]
	>              30 last+0x10 (/lib/y)
	  last+10

	E
	silent prof-cat f >got
	grep '^file\|^ctx' got | cut -f 1-3,5- | diff - <(bars <<-'E'
	file|0|/src/x.c
	file|1|x.h
	file|2|x.c
	ctx|0|-|-|-|-
	ctx|1|0|-|-|-
	ctx|2|1|-|-|-
	ctx|3|2|-|-|-
	ctx|4|3|2|31|-
	ctx|5|4|1|7|-|inlined=1
	ctx|6|5|0|12|-
	E
	)
	prof-cat --addr f | grep '^part\|^ctx' | cut -f 1-3,5- | diff - <(bars <<-'E'
	part|1|positions=addr
	ctx|0|-|-|-|0x2f
	ctx|1|0|-|-|0x1f
	ctx|2|1|-|-|0x13
	ctx|3|2|-|-|0xf
	ctx|4|3|2|31|0x4007
	ctx|5|4|1|7|0x4007|inlined=1
	ctx|6|5|0|12|0x401f
	E
	)
	# What is no line, as it has more than 64 bits, stays.
	printf 'x 1 1.0: 1 cycles: \n\t10 f+0x8 (/bin/x)\n  x.c:%s\n\n' 18446744073709551616 \
		000000000000000000000012 >h
	prof-cat h | grep '^file\|^ctx' | diff - <(bars <<-'E'
	file|0|x.c:18446744073709551616
	ctx|0|-|0|0|-|-
	file|1|x.c
	ctx|1|-|0|1|12|-
	E
	)
	# Of a caller it is in the call; not of what the kernel has interrupted, and what was
	# inlined into that.
	printf 'x 1 1.0: 1 cycles: \n\t%s\n\t%s\n\t%s\n\t%s\n\t%s\n\t%s\n\n' \
		'ffff22 irq+0x2 ([kernel.kallsyms])' 'ffff11 asm_irq+0x1 ([kernel.kallsyms])' \
		'40 in+0x8 (inlined)' '40 f+0x8 (/bin/x)' '30 main+0x1 (/bin/x)' \
		'0 [unknown] ([unknown])' >g
	prof-cat --addr g | grep '^ctx' | cut -f 7- | diff - <(bars <<-'E'
	0x0
	0x2f
	0x40
	0x40|inlined=1
	0xffff10
	0xffff22
	E
	)
	prof-cat --times f | has -Px 'sample\t6\t1\t1\tevent=cycles\tcomm=x\tpid=1\ttid=1\tcpu=2\ttime=1.0'
	# On the line of the event.
	printf '%s\n' '   x 1 1.0: 1 cycles:   1f f+0x1 (/bin/x)' '  x.c:5' \
		'   x 1 1.0: 1 cycles:   1f f+0x1 (/bin/x)' '  x.c:6' >f
	prof-cat f | grep '^ctx\|^sample' | cut -f 1-7 | diff - <(bars <<-'E'
	ctx|0|-|0|0|5|-
	sample|0|1|1|event=cycles|comm=x|tid=1
	ctx|1|-|0|0|6|-
	sample|1|1|1|event=cycles|comm=x|tid=1
	E
	)
	# Without it addresses are not told apart.
	printf 'x 1 1.0: 1 cycles: \n\t%s f+0x1 (/bin/x)\n\n' 1f 2f 3f >f
	[ "$(prof-cat f | grep -c '^ctx')" = 1 ]
	[ "$(prof-cat --addr f | grep -c '^ctx')" = 3 ]
}

# addresses PROGRAM LIBRARY FORM: each instruction of leaf() and lib() as a sample, called by
# main(), as perf script prints them, into FORM.perf; in `want`, what addr2line says: file,
# line, samples there and below it.  FORM: offset, in the file, as since Linux 5.14; process.
addresses() {
	perl - "$@" <<-'E'
	use strict;
	my ($exe, $lib, $form) = @ARGV;
	my (%segment, %at, %line, %self, %below);
	my %base = ($exe => 0, $lib => 0x7f1122345000);
	sub insns {
		my ($file, $name) = @_;
		my (@v, $in);
		for (`objdump -d --no-show-raw-insn $file`) {
			$in = $2 eq $name if /^([0-9a-f]+) <(.*)>:/;
			push @v, [hex $1, $2] if $in && /^ +([0-9a-f]+):\s+(.*)/;
		}
		return @v;
	}
	sub line {
		my ($file, $addr) = @_;
		my $hex = sprintf '0x%x', $addr;
		$line{$file, $addr} //= `addr2line -e $file $hex`;
		return $line{$file, $addr} =~ /^(.*):([1-9]\d*)/ ? "$1\t$2" : '';
	}
	for my $file ($exe, $lib) {
		for (`readelf -hlW $file`) {
			push @{$segment{$file}}, [hex $1, hex $2, hex $3]
			    if /^ +LOAD +(\S+) (\S+) \S+ (\S+)/;
			$base{$file} = 0x55aa00000000 if /Type: +DYN/ && $file eq $exe;
		}
	}
	# As perf prints an address of the file.
	sub printed {
		my ($file, $addr) = @_;
		return $addr + $base{$file} if $form eq 'process';
		for (@{$segment{$file}}) {
			my ($offset, $v, $n) = @$_;
			return $addr - $v + $offset if $addr >= $v && $addr < $v + $n;
		}
	}
	my @main = insns($exe, 'main');
	my $first = $main[0][0];
	open my $out, '>', "$form.perf";
	my $sample = sub {
		my ($file, $name, $from, $addr, $after) = @_;
		my %seen = (line($file, $addr) => 1);
		$self{line($file, $addr)}++;
		print $out "p 1 1.0: 1 cycles: \n";
		printf $out "\t%16x %s+0x%x (%s)\n", printed($file, $addr), $name, $addr - $from, $file;
		if ($after) {
			printf $out "\t%16x main+0x%x (%s)\n", printed($exe, $after), $after - $first, $exe;
			$seen{line($exe, $after - 1)} = 1;
		}
		print $out "\n";
		$below{$_}++ for keys %seen;
	};
	# The last stack first: where a process has loaded the file is seen from the bottom.
	for my $i (0 .. $#main) {
		my ($addr, $text) = @{$main[$i]};
		$sample->($exe, 'main', $first, $addr);
		next unless $text =~ /call.*<(leaf|lib)(\@plt)?>/;
		my $file = $1 eq 'lib' ? $lib : $exe;
		my @insns = insns($file, $1);
		$sample->($file, $1, $insns[0][0], $_->[0], $main[$i + 1][0]) for @insns;
	}
	open my $want, '>', 'want';
	print $want join("\t", $_, $self{$_} // 0, $below{$_}), "\n" for grep { $_ } sort keys %below;
	E
}

# costs OPTION...: names of rows, samples there and below it, by prof-top; by file and line,
# if the options do not say otherwise.
costs() {
	prof-top --tsv -n 0 --events samples -b file,line "$@" | awk -F '\t' -v OFS='\t' '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ f = "function" in c ? $c["function"] OFS : "" }
		$c["line"] != "-" || f { print f $c["file"], $c["line"], $c["samples"], $c["samples.incl"] }' | sort
}

@test "without mappings a function tells where its object is, if it is shorter than a page" {
	reads_executables
	cat >p.c <<-'E'
	void brief(void)
	{
		__asm__(".skip 16, 0x90");
	}

	void lengthy(void)
	{
		__asm__(".skip 5000, 0x90");
	}

	int main(void)
	{
		brief();
		lengthy();
		return 0;
	}
	E
	"${CC:-cc}" -g -O0 -fPIE -pie -o p p.c
	# A page further its address would be in the long one, too.
	in_function() {
		local at
		at=$((0x$(nm p | awk -v name="$1" '$3 == name { print $1 }') + 8))
		printf 'p 1 1.0: 1 cycles:\n\t%x %s (%s)\n\n' $((0x555555554000 + at)) "$1" \
			"$PWD/p" >x.perf
		prof-top --quiet --tsv -b line x.perf | sed 1d | cut -f 1,2 >got
		addr2line -e p $(printf %x $at) | tr : '\t' >want
	}
	in_function brief
	diff want got
	in_function lengthy
	echo '-	-' | diff - got
}

@test "addresses get the lines of their objects, callers those of the call" {
	local kind form
	reads_executables
	cat >lib.c <<-'E'
	static inline __attribute__((always_inline)) int mix(int a, int b)
	{
		a ^= b << 3;
		return a + b * 31;
	}

	__attribute__((noinline)) int lib(int n)
	{
		int s = n;
		while (n-- > 0)
			s = mix(s, n);
		return s;
	}
	E
	cat >p.c <<-'E'
	#include <stdlib.h>
	int lib(int n);
	__attribute__((noinline)) int leaf(int n)
	{
		int s = 0;
		while (n-- > 0)
			s += s >> n ^ n / 3;
		return s;
	}

	int main(int argc, char **argv)
	{
		int a = leaf(argc);
		int b = lib(a);
		if (b == 12345)
			return 1;
		leaf(b);
		lib(a +
			(int)strtol(*argv, NULL, 0));
		return 0;
	}
	E
	"${CC:-cc}" -g -O2 -fPIC -shared -o lib.so lib.c
	for kind in pie no-pie; do
		"${CC:-cc}" -g -O1 -fno-optimize-sibling-calls -f$kind -$kind -o $kind p.c "$PWD/lib.so"
		for form in offset process; do
			addresses "$PWD/$kind" "$PWD/lib.so" $form
			[ "$(wc -l <want)" -ge 12 ]
			silent costs $form.perf | diff -u want -
			# The same from the stream.
			prof-cat --addr $form.perf | silent costs | diff -u want -
		done
	done
	# The source is beside them.
	prof-annotate --tsv --all --context 0 --events samples offset.perf | awk -F '\t' '
		$1 == "line" { print $2 "\t" $3 "\t" $6 "\t" $7 }' | sort | diff -u want -
	prof-annotate offset.perf | has -E '^ *[0-9]+ .* 14  int b = lib\(a\);$'
	[ "$(prof-top --tsv -b file offset.perf | cut -f 1 | sed 1d | sort)" = "$(printf '%s\n' \
		"$PWD/lib.c" "$PWD/p.c")" ]
	prof-grep --in file 'lib\.c$' offset.perf | prof-top --tsv | sed 1d | cut -f 1 | sort |
		diff - <(printf '%s\n' lib main)
	prof-diff -b line --tsv offset.perf offset.perf | has -P "^$PWD/p.c\t14\t"
	prof-merge -b line offset.perf | has -P '^ctx\t.*\t14\t-$'
	# Nothing is looked up where nobody asks.
	silent prof-cat offset.perf | lacks - '^file'
	# What the user names is used, wherever it was.
	sed "s,$PWD/no-pie,/nowhere/no-pie," offset.perf >away.perf
	costs away.perf 2>err >got
	has "^prof-top: no symbols for /nowhere/no-pie: functions there have no lines$" err
	lacks got 'p\.c'
	silent costs --exe no-pie away.perf | diff -u want -
	sed "s,$PWD/lib.so,/nowhere/lib.so," away.perf >f
	exits_with 1 'the profile has no lines: compile the program with -g, and give it with --exe, or use perf script -F +srcline --full-source-path' \
		prof-annotate f
	# In another build the functions are elsewhere: that is not guessed.
	sed -i 's/ lib+/ other+/' away.perf
	costs --exe no-pie away.perf 2>err >got
	has -E "^prof-top: $PWD/lib.so: [0-9]+ addresses of the profile are in other functions there, as in another build: no lines for them$" err
	diff -u <(grep p.c want) got
}

@test "of what was inlined at an address, the innermost has its line" {
	local at
	reads_executables
	cat >i.c <<-'E'
	static inline __attribute__((always_inline)) int in(int a)
	{
		return a / 3;
	}

	__attribute__((noinline)) int f(int a)
	{
		return in(a) + 1;
	}

	int main(int argc, char **argv)
	{
		return f(argc) + (argv == 0);
	}
	E
	"${CC:-cc}" -g -O2 -fno-pie -no-pie -o i i.c
	at=$(objdump -d i | awk '/<f>:/ { f = 1 } f && /imul/ { sub(":", ""); print $1; exit }')
	[ "$(addr2line -e i "0x$at")" = "$PWD/i.c:3" ]
	printf 'i 1 1.0: 1 cycles: \n\t%s in+0x4 (inlined)\n\t%s f+0x4 (%s)\n\n' "$at" "$at" "$PWD/i" >p
	costs -b function,line p | diff - <(bars <<-E
	f|-|-|0|1
	in|$PWD/i.c|3|1|1
	E
	)
	prof-annotate --quiet --all --context 0 p | has -E ' 3\* '
	# Without frames of their own, they are the function's.
	printf 'i 1 1.0: 1 cycles: \n\t%s f+0x4 (%s)\n\n' "$at" "$PWD/i" >p
	costs -b function,line p | diff - <(bars <<<"f|$PWD/i.c|3|1|1")
	# A line that perf has printed stays.
	printf 'i 1 1.0: 1 cycles: \n\t%s f+0x4 (%s)\n  x.c:77\n\n' "$at" "$PWD/i" >p
	costs -b function,line p | diff - <(bars <<<'f|x.c|77|1|1')
}

@test "a missing period is absent; a late one is reported" {
	printf '%s\n' 'x 1 1.0: cycles: ' '	1f f (/bin/x)' '' 'x 1 1.0: 7 cycles: ' \
		'	1f f (/bin/x)' '' >f
	prof-cat f | grep '^event\|^sample' | cut -f 1-4 | diff - <(bars <<-'E'
	event|0|samples|-
	event|1|period|cycles
	sample|0|1|-
	sample|0|1|7
	E
	)
	# In none there is no such event.
	sed -i 's/ 7 / /' f
	prof-cat f | grep '^event\|^sample' | cut -f 1-4 | diff - <(bars <<-'E'
	event|0|samples|-
	sample|0|1|event=cycles
	sample|0|1|event=cycles
	E
	)
	for ((i = 0; i < 3000; i++)); do cat f; done >late
	printf '%s\n' 'x 1 1.0: 7 cycles: ' '	1f f (/bin/x)' '' >>late
	prof-cat late >got 2>err
	[ "$(grep -c '^sample	0	1	event' got)" = 6001 ]
	echo 'prof-cat: warning: late: dropped periods, as the first events of the file have none: 1 sample' |
		diff - err
}

@test "several events of perf's are several events, never added up" {
	printf '%s\n' 'x 1 1.0: 5 cycles: ' '	1f f (/bin/x)' '' 'x 1 1.0: 7 page-faults:u: ' \
		'	2f g (/bin/x)' '' 'x 1 1.0: 9 cycles: ' '	1f f (/bin/x)' '' >f
	silent prof-cat f >got
	grep '^part\|^event\|^sample' got | diff - <(bars <<-'E'
	part|1
	event|0|cycles.samples|-|-|-|calls=absent|sample=1
	event|1|cycles|cycles|-|-|calls=absent|default=1
	event|2|page-faults:u.samples|-|-|-|calls=absent|sample=1
	event|3|page-faults:u|-|-|-|calls=absent
	sample|0|1|5|event=cycles|comm=x|tid=1
	sample|1|0|0|1|7|event=page-faults:u|comm=x|tid=1
	sample|0|1|9|event=cycles|comm=x|tid=1
	E
	)
	# The first one, by its period, everywhere.
	prof-top --quiet f | sed 1q | diff - <(echo '14 cycles in 1 profile, 1 part')
	prof-to folded --quiet --root none f | awk '{ n[$1] += $2 } END { print n["f"], n["g"] + 0 }' | diff - <(echo 14 0)
	prof-to svg --quiet f >f.svg
	grep -qF '14 cycles' f.svg
	prof-top --tsv --events page-faults:u,page-faults:u.samples f | cut -f 1,5,7 | diff - <(printf '%s\t%s\t%s\n' \
		function page-faults:u page-faults:u.samples g 7 1 f 0 0)
	# The names are words of --events.
	sed 's|cycles:|cpu_core/cycles/u:|' f | prof-top --tsv --events cpu_core.cycles.u | cut -f 1,5 | diff - \
		<(printf '%s\t%s\n' function cpu_core.cycles.u f 14 g 0)
	# One that comes after the first 64 KB begins a part of the run, with all facts.
	{ echo '# cmdline : x'; for i in {1..3000}; do printf '%s\n' 'x 1 1.0: 5 cycles: ' '	1f f (/bin/x)' ''; done
		cat f; } >late
	prof-cat late | grep '^part\|^meta\|^event\|^sample' | uniq -c | sed 's/^ *//' | diff - <(bars <<-'E'
	1 part|1
	1 meta|format|perf
	1 meta|cmd|x
	1 event|0|samples|-|-|-|calls=absent|counts=cycles
	1 event|1|period|cycles|-|-|calls=absent|counts=cycles|default=1
	3001 sample|0|1|5|event=cycles|comm=x|tid=1
	1 part|1
	1 meta|format|perf
	1 meta|cmd|x
	1 event|0|samples|-|-|-|calls=absent|counts=cycles
	1 event|1|period|cycles|-|-|calls=absent|counts=cycles|default=1
	1 event|2|page-faults:u.samples|-|-|-|calls=absent|sample=1
	1 event|3|page-faults:u|-|-|-|calls=absent
	1 sample|1|0|0|1|7|event=page-faults:u|comm=x|tid=1
	1 sample|0|1|9|event=cycles|comm=x|tid=1
	E
	)
	prof-top --quiet late | sed 1q | diff - <(echo '15,014 cycles of period in 1 profile, 2 parts: x')
	# Files of one event each, which is not the same.
	sed 3q f >a
	sed -n 4,6p f >b
	for t in prof-top prof-merge prof-tree; do
		fails_with "event 'samples' counts 'page-faults', and counted 'cycles' before: they cannot be added up|event 'period' has a different unit" $t a b
	done
	sed 's/:u:/:/; s/page-faults/instructions/' b >c
	fails_with "event 'period' counts 'instructions', and counted 'page-faults' before: they cannot be added up" prof-top b c
	perl -e 'print "x 1 1.0: 1 e$_:\n\t1f f+0x1 (/bin/x)\n\n" for 1 .. 1001' >many
	fails_with 'more than 1000 events: choose some with perf script -e' prof-cat many
	sed -n 1,3000p many >most
	brief 10 prof-top --quiet -n 1 most | sed 1q | diff - <(echo '1 e1 in 1 profile, 1 part')
}

@test "the period of each event, as perf report weighs" {
	# Recorded with perf record -e cpu-clock -c 1000000 -e page-faults -c 1, in part.
	printf '%s\n' 'spin 9 1.0: 1000000 cpu-clock: ' '	1f a (/spin)' '' 'spin 9 1.1: 1000000 cpu-clock: ' '	1f a (/spin)' '' \
		'spin 9 1.2: 3000000 cpu-clock: ' '	2f b (/spin)' '' >f
	prof-top --quiet f | awk '$NF == "[/spin]" { print $2, $6 }' | diff - <(printf '%s\n' '60.00 b' '40.00 a')
}

@test "units of perf's events" {
	printf '%s\n' 'x 1 1.0: 5 cycles: ' '	1f f (/bin/x)' '' 'x 1 1.0: 7 page-faults:u: ' \
		'	2f g (/bin/x)' '' 'x 1 1.0: 9 cycles: ' '	1f f (/bin/x)' '' >f
	# Units: of one event, whatever its modifiers.
	while read -r event unit; do
		sed "s/cycles:/$event:/; /page/,+2d" <f | prof-cat | grep '^event	1' | cut -f 4 |
			diff - <(echo "$unit")
	done <<-'E'
	cycles:ppp cycles
	cpu_core\/cycles\/ cycles
	cpu_core\/cycles\/u cycles
	cpu-clock:u ns
	task-clock ns
	instructions:u -
	sched:sched_switch -
	E
}

@test "trace points: their text is not taken for a frame, and is reported as dropped" {
	frames >f <<-'E'
	x     1 [000] 1.000000: sched:sched_switch: prev_comm=x prev_pid=1 ==> next_comm=y (z)
	>ffffffff81000010 schedule+0x10 ([kernel.kallsyms])

	x     1 [000] 2.000000: syscalls:sys_enter: 7f nr: 5 (a, b)
	>ffffffff81000020 entry+0x10 ([kernel.kallsyms])

	E
	prof-cat f 2>err | sed -n 's/^func	[0-9]*	\([^	]*\).*/\1/p' | diff - <(printf '%s\n' schedule entry)
	has 'f: dropped the text after the event.s name: 2 samples$' err
}

@test "what is no sample is skipped and counted" {
	frames >f <<-'E'
	Warning:
	Processed 123 events and lost 2 chunks!

	Check IO/CPU overload!

	x 12/12 1.000000: PERF_RECORD_MMAP2 12/12: [0x400000(0x1000) @ 0 08:02 3 4]: r-xp /bin/x
	0x1f8 [0x60]: PERF_RECORD_COMM: x:12/12
	x 12/12 1.000000: 1 cycles: 
	>1f f+0x1 (/bin/x)
	        0x4f/0x5f/P/-/-/0  0x6f/0x7f/M/-/-/0
	 ABI:2    AX:0x0    BX:0x1

	x 12/12 2.000000: 1 cycles: 
	>1f f+0x1 (/bin/x)
	        0x4f/0x5f/P/-/-/0  0x6f/0x7f/M/-/-/0
	 ABI:2    AX:0x0    BX:0x1

	E
	prof-cat f 2>err | grep -c '^sample' | diff - <(echo 2)
	diff err - <<-'E'
	prof-cat: f: skipped PERF_RECORD_*, which are not samples: 1 line
	prof-cat: f: skipped perf's messages: 4 lines
	prof-cat: f: skipped branches, registers and instructions: 4 lines
	E
	[ "$(prof-cat --probe f)" = 'f: perf' ]
	prof-cat --quiet f 2>&1 >/dev/null | diff /dev/null -
}

@test "bad lines are errors with their place, and --lenient skips them" {
	printf '%s\n' 'x 1 1.0: 1 cycles: ' '	1f f+0x1 (/bin/x)' '	WEIRD' '	2f g+0x1 (/bin/x)' '' \
		'what is this' '	3f h+0x1 (/bin/x)' '' 'x 1 1.0: 2 cycles: ' '	1f f+0x1 (/bin/x)' '' >f
	fails_with '^prof-cat: f:3: expected a frame, ADDRESS NAME \(OBJECT\), found .\\x09WEIRD.$' prof-cat f
	prof-cat --lenient f >got 2>err
	diff err - <<-'E'
	prof-cat: warning: skipped: f:3: expected a frame, ADDRESS NAME (OBJECT), found '\x09WEIRD'
	prof-cat: warning: skipped: f:6: expected an event, NAME PID TIME: EVENT:, found 'what is this'
	prof-cat: warning: skipped: f:7: expected an event before its frames, found '\x093f h+0x1 (/bin/x)'
	prof-cat: warning: f: 3 malformed or truncated lines skipped
	E
	grep '^sample\|skipped' got | diff - <(bars <<-'E'
	sample|1|1|1|event=cycles|comm=x|tid=1
	sample|2|1|2|event=cycles|comm=x|tid=1
	meta|skipped|3
	E
	)
	# The same line in each of many stacks is as many errors.
	for ((i = 0; i < 5; i++)); do sed -n 1,5p f; done >g
	prof-cat --lenient g 2>&1 >/dev/null | has '^prof-cat: warning: g: 5 malformed'
	# After stacks that were there before lines are counted, too.
	{ for ((i = 0; i < 5; i++)); do sed -n 9,11p f; done; echo 'oh no'; } >g
	fails_with "^prof-cat: g:16: expected an event" prof-cat g
	# A frame after the empty line, and one before any event.
	printf '%s\n' 'x 1 1.0: 1 cycles: ' '' '	1f f+0x1 (/bin/x)' >g
	fails_with '^prof-cat: g:3: expected an event before its frames' prof-cat g
	printf '%s\n' '	123456789abcdef01 f (/bin/x)' >h
	fails_with '^prof-cat: h:1: expected an event before' prof-cat --from perf h
	{ sed -n 1p f; cat h; } >g
	fails_with '^prof-cat: g:2: expected a frame' prof-cat --from perf g
}

@test "frames without the line of their event: the message names the fields to ask perf for" {
	local heading
	for heading in '' 'sh ' '16699 ' 'cpu-clock:ppp: '; do
		printf '%s\n\tffffffff821e5a67 clear_page_erms\n\t    7f3a12 main (/bin/sh)\n\n' "$heading" >f
		fails_with "^prof-cat: f: unknown format \(the output of 'perf script', it seems, with too few fields: run 'perf script -F comm,tid,time,period,event,ip,sym,dso'\)$" prof-cat f
	done
	# What that prints is read.
	printf 'sh 16699 13899.622475:     500000 cpu-clock:ppp: \n\tffffffff821e5a67 clear_page_erms\n\t    7f3a12 main (/bin/sh)\n\n' |
		prof-cat | has -x 'sample	1	1	500000	event=cpu-clock:ppp	comm=sh	tid=16699'
	# One with the object is best: lines need it, too.  Its absence is said once.
	printf 'sh 1 1.0: 1 cycles: \n\t1f f\n\t2f g\n\nsh 1 1.0: 1 cycles: \n\t3f f\n\n' >g
	prof-cat g 2>err >out
	diff err - <<<"prof-cat: g: functions have no object, and so no lines: 'perf script -F +dso' prints it"
	printf 'sh 1 1.0: 1 cycles: \n\t1f f ([unknown])\n\t1f g+0x1 (/bin/sh)\n\n' >g
	silent prof-cat g >out
	# One such line is anything.
	printf '\n\t123 abc\n\n' >f
	prof-cat f 2>err || :
	lacks err 'perf script'
}

@test "perf report is rejected by name" {
	printf '%s\n' '# To display the perf.data header info, please use --header/--header-only options.' \
		'#' '# Samples: 57  of event '\''cpu-clock'\' '# Event count (approx.): 14250000' '#' \
		'# Overhead  Command  Shared Object      Symbol' '    93.75%  calc     calc               [.] find' >f
	fails_with "f: unknown format \(the output of 'perf report', which has no samples: use perf.data itself\)" prof-cat f
	fails_with "f:1: the output of 'perf report'" prof-cat --from perf f
	fails_with 'perf cannot be written' prof-to perf f
}

@test "without an empty line, or a newline, after its last stack a file is truncated" {
	printf '%s\n' 'x 1 1.0: 1 cycles: ' '	1f f+0x1 (/bin/x)' '' 'x 1 1.0: 2 cycles: ' '	1f f+0x1 (/bin/x)' >f
	fails_with '^prof-cat: f:5: the file is truncated: the last event has no empty line after it$' \
		prof-cat f
	fails_with 'standard input:5: the file is truncated: the last event has no empty line after it$' \
		eval 'cat f | prof-cat'
	lacks fails.out '^end'
	cat f | prof-cat --lenient 2>err | grep -c '^sample' | diff - <(echo 2)
	has 'may be truncated there$' err
	# A line that is truncated is not read: its name may be another one's beginning.
	head -c -5 f >g
	fails_with '^prof-cat: g:5: the file is truncated: its last line has no newline$' prof-cat g
	fails_with 'the file is truncated: its last line has no newline' eval 'cat g | prof-cat'
	prof-cat --lenient g 2>err | grep -c '^sample' | diff - <(echo 2)
	prof-cat --lenient g 2>err | lacks - bi$
	# An event without a stack, where others have one; and where none has: then the
	# name of its thread is right-aligned.
	{ sed 3q f; sed -n 1p f; } >g
	fails_with 'standard input:4: the file is truncated: the last event' eval 'cat g | prof-cat'
	sed -n 1p f >g
	fails_with 'standard input:1: the file is truncated: the last event' eval 'cat g | prof-cat'
	sed -n 1p f | sed 's/^/               /' | silent prof-cat --from perf | grep -c '^sample' | diff - <(echo 1)
	# Where no stack has one, none is missed.
	sed -i '/^$/d' f
	silent eval 'cat f | prof-cat' | grep -c '^sample' | diff - <(echo 2)
}

@test "a name that looks like an address is no frame, nor is what stands before or behind one" {
	# Without times and stacks, a thread called dc.
	printf '%s\n' '              dc  2718 page-faults:  ffffffff817554ea elf_load ([kernel.kallsyms])' \
		'              dc  2718 page-faults:  ffffffff81111111 other ([kernel.kallsyms])' >f
	prof-to folded --quiet --root none f | diff - <(printf '%s\n' 'elf_load 1' 'other 1')
	# -F addr, -F uregs
	echo 'w  1  1.5:    7 page-faults:     563b70ec6028 bss+0x0 (/w) ffffffff817554ea elf_load+0x28a ([kernel.kallsyms])' >f
	prof-to folded --quiet --root none f | diff - <(echo 'elf_load 7')
	echo 'w  1  1.5:    7 cpu-clock:     563b70ec6028 f+0x0 (/w) ABI:2    SP:0x7ffe    IP:0x7f91 ' >f
	prof-to folded --root none f 2>err | diff - <(echo 'f 7')
	has "dropped the text after the event's name: 1 sample" err
	# Registers that end like a line of source do not make it the frame's.
	echo 'w  1  1.5:    7 cpu-clock:     563b70ec6028 f+0x0 (/w) ABI:2    SP:123 ' >f
	prof-cat --quiet f | has -P '^ctx\t0\t-\t0\t-\t-\t-$'
	# A newline that is lost.
	printf '%s\n' 'v  1  1.5:    8 cpu-clock: ' '	12 b+0x1 (/w)v  1  1.6:    8 cpu-clock: ' '	13 c+0x1 (/w)' '' >f
	fails_with 'f:2: expected a frame' prof-cat f
}

@test "a line of source says that its frame is inlined" {
	printf '%s\n' 'w 1 1.0: 1 cpu-clock: ' '	 1172 inl+0x19' '  w.c:6 (inlined)' '	 1172 leaf+0x19 (/w)' '  w.c:7' '' \
		'w 1 1.1: 5 page-faults: ' '	 1172 leaf+0x19 (/w)' '  w.c:7' '' >f
	prof-top --tsv -b function,object f 2>err | cut -f 1,3 | has -x 'inl	/w'
	prof-cat --quiet f | has -P '^ctx\t1\t0\t.*\tinlined=1$'
}

@test "a sample may have no label at all" {
	echo '143.481555: 1y11y1' >f
	prof-cat --from perf f 2>err >got
	grep '^sample' got | diff - <(printf 'sample\t-\t1\n')
	prof-cat got | diff got -
}

@test "rows by thread and process, from labels" {
	printf '%s\n' 'a 12/13 1.0: 5 cycles: ' '	1f f+0x1 (/bin/x)' '' 'b 12/14 1.0: 7 cycles: ' \
		'	2f g+0x1 (/bin/x)' '	1f f+0x1 (/bin/x)' '' 'a 12/13 1.0: 9 cycles: ' '' >f
	prof-top --tsv --events period -b thread f | cut -f 1,3,4 | diff - \
		<(printf '%s\t%s\t%s\n' thread period period.incl 'a 13' 14 14 'b 14' 7 7)
	prof-top --tsv --events period -b pid f | cut -f 1,3 | diff - <(printf '%s\t%s\n' pid period 12 21)
	prof-top --tsv --events period -b thread,function f | cut -f 1,2,6- | sort >table
	has -P '^a 13\tf\t5\t5$' table
	has -P '^b 14\tf\t0\t7$' table
	has -P '^a 13\t-\t9\t9$' table
}

@test "folded stacks begin with the thread" {
	printf '%s\n' 'my app 12/13 1.0: 5 cycles: ' '	2f g+0x1 (/bin/x)' '	1f f;h+0x1 (/bin/x)' '' \
		'other 14 1.0: 7 cycles: ' '	2f g+0x1 (/bin/x)' '	1f f;h+0x1 (/bin/x)' '' 'my app 12/13 1.0: 9 cycles: ' '' >f
	prof-to folded --quiet f | diff - <(printf '%s\n' 'my app;f:h;g 5' 'other;f:h;g 7' 'my app 9')
	prof-to folded --quiet --root pid f | diff - <(printf '%s\n' 'my app-12;f:h;g 5' 'other-?;f:h;g 7' 'my app-12 9')
	prof-to folded --quiet --root tid f | diff - <(printf '%s\n' 'my app-12/13;f:h;g 5' 'other-?/14;f:h;g 7' 'my app-12/13 9')
	prof-to folded --root none f 2>err | diff - <(printf '%s\n' 'f:h;g 12')
	has 'samples without a stack (1)' err
	prof-to folded --quiet --events samples f | diff - <(printf '%s\n' 'my app;f:h;g 1' 'other;f:h;g 1' 'my app 1')
	# As a stream, too, and not those of others.
	prof-cat f | prof-to folded --quiet | diff - <(prof-to folded --quiet f)
	prof-merge --quiet f | prof-to folded --quiet | sort | diff - <(prof-to folded --quiet f | sort)
	# Other formats have labels of this name, too: the thread is first if asked for.
	prof-cat f | sed 's/^meta	format	perf$/meta	format	pprof/' >other.prof
	prof-to folded --quiet --events period other.prof | diff - <(printf '%s\n' 'f:h;g 12')
	prof-to folded --quiet --events period --root comm other.prof |
		diff - <(printf '%s\n' 'my app;f:h;g 5' 'other;f:h;g 7' 'my app 9')
	printf 'a;b 1\n' >g
	for root in '' '--root comm' '--root none'; do
		prof-to folded --strict $root g | diff g -
	done
	prof-to folded --quiet g f g | diff - <(cat g; prof-to folded --quiet --events samples f; cat g)
}

@test "a recording has the samples, periods and frames that awk finds in it" {
	zstdcat "$repo/share/examples/calc.perf.zst" >f
	[ "$(prof-cat --probe f)" = 'f: perf' ]
	awk '/^calc/ { n++; sum += $4 } END { print n, sum }' f >want
	[ "$(cut -d ' ' -f 1 want)" -gt 50 ]
	prof-cat f | awk -F '\t' '/^sample/ { n += $3; sum += $4 } END { print n, sum }' | diff want -
	# Stacks as stackcollapse-perf.pl makes them.
	awk '/^calc/ { comm = $1; period = $4; stack = ""; next }
		/^\t/ { sub(/\+0x[0-9a-f]+$/, "", $2); stack = ";" $2 stack }
		/^$/ && comm { sum[comm stack] += period; comm = "" }
		END { for (s in sum) print s, sum[s] }' f | sort >want
	prof-merge f | prof-to folded --quiet | sort | diff want -
	# Self and inclusive costs.
	awk '{ period = $NF; sub(/ [0-9]+$/, ""); n = split($0, v, ";"); split("", seen)
		for (i = 2; i <= n; i++) if (!seen[v[i]]++) incl[v[i]] += period
		self[v[n]] += period }
		END { for (f in incl) print f "\t" self[f] + 0 "\t" incl[f] }' want | sort >costs
	prof-top --tsv f | awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
		{ name = $col["function"] == "-" ? "[unknown]" : $col["function"]
		self[name] += $col["period"]; incl[name] += $col["period.incl"] }
		END { for (f in self) print f "\t" self[f] "\t" incl[f] }' | sort | diff costs -
	# Many times behind each other, in blocks that end anywhere.
	for ((i = 0; i < 200; i++)); do grep -v '^#' f; done >many
	prof-cat many | awk -F '\t' '/^sample/ { n += $3; sum += $4 } END { print n, sum }' |
		diff <(awk '/^calc/ { n++; sum += $4 } END { print n, sum }' many) -
	prof-cat many | grep -c '^ctx' | diff - <(prof-cat f | grep -c '^ctx')
}

@test "memory follows the stacks, not the file; a stack has a limit" {
	zstdcat "$repo/share/examples/calc.perf.zst" | grep -v '^#' >f
	limited 160000 prof-top -n 1 <(for ((i = 0; i < 3000; i++)); do cat f; done) >got
	has '^3,918.4 s of period ' got
	{ echo 'x 1 1.0: 1 cycles: '; perl -e 'print "\t1f f+0x1 (/bin/x)\n" x 150000'; echo; } >f
	fails_with ': a stack of more than 1 MiB: see --max-line$' prof-cat --max-line 1 f
	brief 5 prof-top --quiet f >got
	has '^1 cycles of period' got
	# Of many names, stacks and threads no square comes.
	perl -e 'print "x$_ $_ 1.0: 1 e:\n\t1f f$_+0x1 (/bin/x$_)\n\n" for 1 .. 30000' >f
	brief 20 prof-top --quiet -n 1 f >got
	has '^30,000 period' got
}

@test "nothing else is taken for it" {
	local f

	for f in "$repo"/share/examples/* "$repo"/tests/fuzz/corpus/*/*; do
		case $f in *.perf.zst | */corpus/perf/*) continue ;; esac
		[[ ! $(prof-cat --probe "$f" || :) =~ ': perf'($|,) ]] || { echo "$f"; return 1; }
	done
	printf '%s\n' '[  12.345678] usb 1-1: new high-speed device' '[  12.345679] usb 1-1: done' >f
	fails_with 'unknown format' prof-cat f
	printf '%s\n' 'Nov 22 10:10:55 host prog[12]: text' 'Nov 22 10:10:56 host prog[12]: text' >f
	fails_with 'unknown format' prof-cat f
	printf 'x 1 1.0: 1 cycles: \0\n\t1f f (x)\n' >f
	fails_with 'unknown format' prof-cat f
	# A list with parentheses below a heading; a text with a number in it.
	printf '%s\n' '**** Slowest:' '    23 ms: f (3 times, 7 ms each)' \
		'     9 ms: sort<int> (2 times, 4 ms each)' >f
	fails_with 'unknown format' prof-cat f
	printf '[{"headers":"%s","text":"HTTP/1.1 200 OK\\r\\nDate: today"}]\n' \
		"$(printf '%064d' 0)" >f
	fails_with 'unknown format' prof-cat f
	# As perf writes it without the thread and the time.
	printf 'cycles: \n\t%16s f (/bin/x)\n\n' 1f >f
	[ "$(prof-cat --probe f)" = 'f: perf' ]
}

@test "usual lines of frames are read like all others" {
	cat >frames <<-'E'
	           1462a handle_amd+0xa (/usr/lib/ld-linux.so.2)
	ffffffff815e477e do_fault+0x1e ([kernel.kallsyms])
	               0 [unknown] ([unknown])
	    7fd254e968a8 [unknown] (/usr/lib/libstdc++.so.6.0.30)
	            1a2b operator+(int, char)+0x1f (/bin/x)
	            1a2c operator+ (/bin/x)
	            1a2d a+0x12+0x3 (/bin/x)
	            1a2e std::f<int (*)(char)>(x)+0x10 (/bin/x)
	            1a2f gone+0x1 (/tmp/a (deleted))
	            1a30 gone+0x1 (/tmp/a+0x12)
	            1a31 with blanks +0x1 (/tmp/a b)
	            1a32 no_offset (/bin/x)
	            1a33 in (/bin/y) z+0x1 (/bin/x)
	            1a34 odd+0xg1 (/bin/x)
	            1a35 inl (inlined)
	            1a35 outer+0x5 (/bin/x)
	1234567890abcdef deep+0x1 ([vdso])
	           1a36  two+0x1 (/bin/x)
	           1a37 two+0x1  (/bin/x)
	 1a38 x+0x1 (/bin/x)
	 a x ()
	 b (/bin/x)
	 c +0x1 (/bin/x)
	 d ;+0x2 (/b;n)
	 e f+0x1 (/bin/x) 
	E
	for ((i = 1; i <= $(wc -l <frames); i++)); do
		echo 'prog 1 1.0: 7 cycles:'
		sed -n "$i,\$p" frames | sed $'s/^/\t/'
		echo
	done >tabs
	# A line that does not begin with a tab takes the other way.
	sed $'s/^\t/ /' tabs >blanks
	for options in '' --addr; do
		# shellcheck disable=SC2086
		prof-cat $options tabs 2>tabs.err >tabs.prof
		# shellcheck disable=SC2086
		prof-cat $options blanks 2>blanks.err | diff tabs.prof -
		diff <(sed 's/tabs//' tabs.err) <(sed 's/blanks//' blanks.err)
	done
	prof-cat --quiet tabs | grep '^func' | cut -f 3,5 | sed -n 1,8p | diff - <(bars <<-'E'
	handle_amd|0
	do_fault|1
	-|-
	-|2
	operator+(int, char)|3
	operator+|3
	a+0x12|3
	std::f<int (*)(char)>(x)|3
	E
	)
	# The same, added up by name: each frame of the list is the leaf once.
	prof-top --tsv -n 0 tabs | awk -F '\t' '$1 == "handle_amd" || $1 == "deep" { print $1, $5 }' |
		sort | diff - <(printf '%s\n' 'deep 1' 'handle_amd 1')
}
