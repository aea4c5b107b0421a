# SPDX-License-Identifier: ISC
# shellcheck shell=bash
# A small profile in each format that is read, made by prof-to where it can be, or
# that of share/examples.

formats=$(formats_that read)

# small_profiles: FORMAT, FORMAT.gz and FORMAT.zst in this directory, and prog.syms.
small_profiles() {
	local f

	cat >calls.cg <<-'E'
	# callgrind format
	version: 1
	creator: callgrind-3.19.0
	cmd: ./prog
	events: Ir Dr
	ob=prog
	fl=a.c
	fn=main
	1 10 2
	cfn=_Z4workPi
	calls=3 5
	2 30 6
	fn=_Z4workPi
	5 30 6
	totals: 40 8
	E
	printf '%016x T %s\n' 4096 main 4128 _Z4workPi >prog.syms
	bars >ticks.prof <<-'E'
	prof|1
	part|1|positions=addr
	meta|format|gmon
	meta|gmon.layout|gmon|little|64
	meta|gmon.hist|0x1000|0x1040|16|100|seconds|s
	event|0|time|s|-|-|calls=propagated|scale=1/100000000
	cost|-|-|-|0x1004|1000000
	cost|-|-|-|0x1028|3000000
	func|0|-|-|-|0x1020
	call|-|-|-|0x1008|0|-|0x1020|3|0
	call|-|-|-|0x1024|0|-|0x1020|4|0
	end
	E
	cat >aprof <<-'E'
	c a sort
	v 4
	k 730
	m blocks
	r "main" "/bin/sort" 0
	q 0 1 80 80 80 6400 1 80 7 7 7 49
	r "sort(int*)" "/bin/sort" 1
	q 1 10 73 73 73 5329 1 73 23 23 23 529
	x 0 0 -1
	x 1 1 0
	E
	cat >counters <<-'E'
	PROFILE-FEEDBACK-DATA: 4.3 1 1 0
	OBJFILE: /src/a.o 2 955555555 20 4 0x1234abcd
	PROC: main 0x1 2 1 1 0
	max 99
	sum 100
	0 1
	1 99
	VP_INT 0 60 7
	VP_INT 0 39 -1
	VP_INT 0 0
	VP_INT 0 0
	PROC: work 0x2 1 1 0 0
	0 99
	PROGRAM: /src/a.out 1
	OBJREF: /src/a.o
	E
	sed 's/^ /\t/' >perf <<-'E'
	# cmdline : perf record -g ./prog
	prog   12/13    [001]    7.000100:        250 cycles:u:
	             1031 work+0x11 (/bin/prog)
	             1008 main+0x8 (/bin/prog)

	prog   12/13    [001]    7.000200:        250 cycles:u:
	 ffffffff81000010 entry ([kernel.kallsyms])
	             1008 main+0x8 (/bin/prog)

	E
	cat >pprof-legacy <<-'E'
	goroutine profile: total 5
	3 @ 0x401011 0x402021
	#	0x401010	work+0x10	/src/a.c:7
	#	0x402020	main+0x20	/src/a.c:12

	2 @ 0x402031
	#	0x402030	main+0x30	/src/a.c:13

	E
	cat >massif <<-'E'
	desc: --massif-out-file=massif
	cmd: ./prog
	time_unit: i
	#-----------
	snapshot=0
	#-----------
	time=0
	mem_heap_B=0
	mem_heap_extra_B=0
	mem_stacks_B=0
	heap_tree=empty
	#-----------
	snapshot=1
	#-----------
	time=730
	mem_heap_B=96
	mem_heap_extra_B=16
	mem_stacks_B=0
	heap_tree=peak
	n2: 96 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
	 n1: 64 0x401011: work (a.c:7)
	  n0: 64 0x402021: main (a.c:12)
	 n0: 32 in 2 places, all below massif's threshold (1.00%)
	E
	cat >dhat <<-'E'
	{"dhatFileVersion":2
	,"mode":"heap","verb":"Allocated"
	,"bklt":true,"bkacc":false
	,"tu":"instrs","Mtu":"Minstr","tuth":500
	,"cmd":"./prog","pid":12,"te":730,"tg":700
	,"pps":
	 [{"tb":64,"tbk":2,"tl":90,"mb":64,"mbk":2,"gb":64,"gbk":2,"eb":0,"ebk":0,"fs":[1,2]}]
	,"ftbl":["[root]","0x401011: work (a.c:7)","0x402021: main (a.c:12)"]
	}
	E
	cat >heapprofile <<-'E'
	{"head":{"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,
	"columnNumber":-1},"selfSize":0,"id":1,"children":[{"callFrame":{"functionName":"load",
	"scriptId":"9","url":"file:///src/a.js","lineNumber":6,"columnNumber":13},
	"selfSize":64,"id":2,"children":[]}]}}
	E
	cat >trace <<-'E'
	[{"ph":"P","name":"Profile","pid":7,"tid":8,"id":"0x1","ts":1,"args":{"data":{"startTime":5}}},
	{"ph":"P","name":"ProfileChunk","pid":7,"tid":9,"id":"0x1","ts":2,"args":{"data":{"endTime":90,
	"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":0}},
	{"id":2,"parent":1,"callFrame":{"functionName":"work","url":"a.js","lineNumber":6,"scriptId":1}}],
	"samples":[2,2]},"timeDeltas":[5,30]}}}]
	E
	cat >stacks <<-'E'
	Attaching 1 probe...

	@[
	    work+16
	    main+8
	, prog]: 3
	@[
	    main+48
	, prog]: 2
	E
	cat >coverage <<-'E'
	{"gcc_version": "12.2.0", "files": [{"file": "a.c", "functions": [{"name": "_Z4workPi",
	"demangled_name": "work(int*)", "start_line": 5, "execution_count": 3}, {"name": "main",
	"demangled_name": "main", "start_line": 1, "execution_count": 1}], "lines": [
	{"line_number": 1, "function_name": "main", "count": 1, "unexecuted_block": false},
	{"line_number": 5, "function_name": "_Z4workPi", "count": 30},
	{"line_number": 6, "function_name": "_Z4workPi", "count": 0}]}]}
	E
	bars >instruments <<-'E'
	Weight|Self Weight|Symbol Name
	40.00 ms  100.0%|10.00 ms|main
	30.00 ms   75.0%|30.00 ms| work
	E
	printf '%s\n' 'memory profiling: GC profiling: line profiling: sample.interval=20000' \
		'#File 1: a.R' ':10:20:300:4:1#5 "work" 1#2 "main" ' \
		':12:20:100:7:"<GC>" 1#6 "work" 1#2 "main" ' ':12:30:100:0:1#2 "main" ' >rprof
	bars >ghc <<-'E'
	|Sat Nov 28 08:50 2026 Time and Allocation Profiling Report  (Final)

	|   prog +RTS -P -RTS

	|total time  =        0.04 secs   (40 ticks @ 1000 us, 1 processor)
	|total alloc =       4,096 bytes  (excludes profiling overheads)

	COST CENTRE MODULE SRC       no. entries  %time %alloc   %time %alloc  ticks  bytes

	MAIN        MAIN   <built-in>   1      0    0.0    1.2   100.0  100.0      0     48
	 main       Main   a.hs:1:1-9   2      1   25.0   24.4   100.0   98.8     10   1000
	  work      Main   a.hs:5:3-7   3      3   75.0   74.4    75.0   74.4     30   3048
	E
	python3 "$BATS_TEST_DIRNAME/tachyon.py" --samples 20 tachyon >/dev/null
	for f in $formats; do
		case $f in
		aprof | perf | stacks | pprof-legacy | massif | dhat | heapprofile | trace) ;;
		coverage | instruments | rprof | ghc | tachyon) ;;
		xprof) prof-to xprof counters >xprof ;;
		folded | cpuprofile | speedscope | firefox)
			prof-to $f --quiet --estimate calls.cg | zcat -f >$f ;;
		gmon*) prof-to $f --quiet ticks.prof >$f ;;
		*) prof-to $f --quiet calls.cg 2>/dev/null | zcat -f >$f ||
			zstdcat -f "$(ls -S "$BATS_TEST_DIRNAME"/../share/examples/*."$f"* |
				tail -n 1)" | zcat -f >$f ;;
		esac
		prof-cat --gzip $f >/dev/null	# it is one
		gzip -nc $f >$f.gz
		zstd -qc --check $f >$f.zst
	done
}
