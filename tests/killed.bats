#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec io
# Processes that are killed, at any moment: who reads on must notice, and a file
# that is written is the old one or the new one.

load tools.bash

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	awk 'BEGIN {
		print "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\nevents: Ir Dr"
		for (f = 0; f < 500; f++) {
			print "fl=a.c\nfn=f" f
			for (l = 1; l <= 600; l++) print l, f + l, l
		}
		print "totals: 1 1" }' >large.cg
	prof-cat large.cg >large.prof
	awk -v n=6000 'BEGIN {
		print "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\nevents: Ir Dr" >"costs"
		print "c a sort\nv 4\nk 730\nm blocks" >"points"
		print "PROFILE-FEEDBACK-DATA: 4.3 1 0 0\nOBJFILE: /src/a.o " n \
		    " 955555555 20 0 0x1234abcd" >"counters"
		print "prof\t1\npart\t1\tpositions=addr\nmeta\tformat\tgmon\n" \
		    "meta\tgmon.hist\t0x1000\t0x5000\t4096\t100\tseconds\ts\n" \
		    "event\t0\ttime\ts\t-\t-\tscale=1/100" >"calls"
		for (i = 1; i <= n; i++) {
			if (i % 60 == 1) print "fl=a.c\nfn=f" i >"costs"
			print i, i * i, i >"costs"
			print "main;work" i % 9 ";f" i " " i >"stacks"
			print "r \"f" i "\" \"/bin/sort\" " i "\np " i \
			    " 1 80 80 80 6400 1 80 7 7 7 49" >"points"
			print "PROC: f" i " 0x1 1 0 0 " i "\n0 " i >"counters"
			printf "call\t-\t-\t-\t0x%x\t-\t-\t0x%x\t%d\n", 4096 + i, 8192 + i, i >"calls"
		}
		print "totals: 1 1" >"costs"
		print "end" >"calls" }'
	# As programs write it that know no `totals:`.
	sed '/^creator/d; /^totals/d' costs >other
	cat >die.c <<-'E'
	#include <signal.h>
	#include <stdlib.h>
	#include <sys/syscall.h>
	#include <unistd.h>
	ssize_t write(int fd, const void *p, size_t n)
	{
		static int done;
		ssize_t r = syscall(SYS_write, fd, p, n);
		if (fd == 1 && ++done == atoi(getenv("DIE")))
			kill(getpid(), SIGKILL);
		return r;
	}
	E
	gcc -w -D_GNU_SOURCE -shared -fPIC -o die.so die.c
}

# What each encoder writes much of, a format and a profile in each line.
encoders() {
	local f from

	formats_that write | while read -r f; do
		case $f in
		# They write all at once, when all is there.
		pprof | pstats | svg | dot) continue ;;
		tsv) from='costs stacks' ;;
		callgrind) from='costs other' ;;
		aprof) from=points ;;
		xprof) from=counters ;;
		gmon*) from=calls ;;
		prof) from=stacks ;;
		*)
			from=costs
			if prof-to $f --help | has '^needs: *stacks$'; then from=stacks; fi ;;
		esac
		printf "$f %s\n" $from
	done
}

# refused FORMAT FILE: whoever reads it from a pipe sees that it is not the whole.
refused() {
	local tool
	case $1 in
	json) run ! jq -es '.[-1].record == "end"' $2 2>/dev/null ;;
	speedscope | firefox | cpuprofile) run ! jq -es 'length == 1' $2 2>/dev/null ;;
	text) [ ! -s $2 ] || [ "$(tail -c 1 $2)" != '' ] || has '^(truncated here' $2 ;;
	*)
		for tool in prof-merge prof-top; do
			fails_with "^$tool: standard input:" bash -c "cat $2 | $tool"
		done ;;
	esac
}

# How many bytes are read before a process is killed, which waits for more then.
moments='1 5000 300000 2000000'

@test "whoever reads from a tool that is killed notices, at any moment" {
	cd "$BATS_FILE_TMPDIR" || return 1
	mkfifo in a b
	local n reader writer middle status last victim
	for n in $moments $(wc -c <large.cg); do
		for last in prof-cat 'prof-grep -c f1' prof-merge 'prof-to callgrind' \
		    'prof-top --tsv' 'prof-tree --tsv' 'prof-annotate --tsv'; do
			for victim in writer middle; do
				rm -f opened.*
				prof-cat in >a &
				writer=$!
				{ : >opened.middle; exec prof-grep f1; } <a >b &
				middle=$!
				{ : >opened.reader; exec $last; } <b >got 2>said &
				reader=$!
				exec 4>in
				# Who dies before its pipe is open leaves the next one waiting.
				until [ -e opened.middle ] && [ -e opened.reader ]; do
					sleep 0.01
				done
				head -c $n large.cg >&4
				kill -9 ${!victim}
				exec 4>&-
				status=0
				wait ${!victim} || status=$?
				[ $status = 137 ]
				status=0
				wait $reader || status=$?
				[ $status = 2 ]
				grep -Eq "^${last%% *}: standard input:.* (truncated|empty)" said
				[ "$(tail -n 1 got)" != end ]
				run -1 grep '^totals' got
				wait
			done
		done
	done
}

# bats test_tags=format
@test "what was made of a cut profile passes for a whole one in no format" {
	cd "$BATS_FILE_TMPDIR" || return 1
	local format from n begun
	while read -r format from; do
		begun=0
		prof-cat $from >whole.prof
		for n in 2000 20000 100000 131072 $(($(wc -c <whole.prof) - 1)) \
		    $(($(wc -c <whole.prof) - 4)); do
			echo "$format of $from, cut at $n"
			fails_with '^prof-to: standard input:' bash -c \
				"head -c $n whole.prof | prof-to $format --quiet >part"
			refused $format part
			if [ -s part ]; then
				begun=1
			fi
		done
		# It was put to the test by those that write as they read.
		case $format in
		callgrind | cachegrind | folded | prof | tsv | json | text) [ $begun = 1 ] ;;
		esac
	done < <(encoders)
}

@test "what was rejected passes for a whole profile in no format" {
	cd "$BATS_FILE_TMPDIR" || return 1
	local format tool
	# What is whole, but not all that was to be written.
	prof-cat stacks >whole.prof
	for format in tsv folded callgrind cachegrind; do
		fails_with "^prof-to: $format cannot hold" bash -c \
			"sed 's/^\(sample.*\)/\1	a=b/' whole.prof | prof-to $format --strict >part"
		[ "$(wc -c <part)" -gt 50000 ]
		refused $format part
	done
	# Rankings are of all or nothing.
	for tool in 'prof-top --tsv' 'prof-top --json' 'prof-top --tsv --callees .' prof-top \
	    'prof-diff --tsv costs' 'prof-diff --json costs' prof-tree 'prof-tree --tsv' \
	    'prof-tree --json --callers' prof-annotate 'prof-annotate --tsv'; do
		fails_with ' (the profile is truncated|cut):' bash -c "head -c 300000 large.cg >cut; $tool cut"
		[ ! -s fails.out ]
	done
}

# bats test_tags=format
@test "what a killed program has written passes for a whole profile in no format" {
	cd "$BATS_FILE_TMPDIR" || return 1
	local format from n status
	while read -r format from; do
		prof-cat $from >whole.prof
		# All of its writes but the last.
		for ((n = 1; ; n++)); do
			status=0
			env ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD="$PWD/die.so" DIE=$n \
				prof-to $format --quiet whole.prof >part || status=$?
			[ $status = 137 ]
			prof-to $format --quiet whole.prof | cmp -s - part && break
			echo "$format of $from, killed after write $n"
			[ "$(wc -c <part)" -gt 1000 ]
			refused $format part
		done
		[ $n -gt 2 ]
	done < <(encoders)
}

@test "-o leaves the old file and nothing beside it, whenever a signal comes" {
	cd "$BATS_TEST_TMPDIR" || return 1
	local n pid status sig
	mkfifo in
	mkdir d
	echo old >d/out
	for sig in INT TERM HUP QUIT PIPE XCPU XFSZ; do
		for n in $moments; do
			# Shells have what is in the background ignore SIGINT and SIGQUIT, nohup
			# all that it starts SIGHUP.
			env --default-signal prof-to callgrind -o d/out in &
			pid=$!
			exec 4>in
			head -c $n "$BATS_FILE_TMPDIR/large.prof" >&4
			[ $n -lt 100000 ] || [ "$(ls -A d | wc -l)" = 2 ]
			kill -$sig $pid
			status=0
			wait $pid || status=$?
			exec 4>&-
			[ $((status - 128)) = "$(kill -l $sig)" ]
			[ "$(ls -A d)" = out ]
			[ "$(cat d/out)" = old ]
		done
	done
}

@test "a long stream goes through in little memory" {
	cd "$BATS_FILE_TMPDIR" || return 1
	local n
	# A thread's stack counts, too: 8 MB where a file is compressed.
	for n in {1..8}; do cat large.prof; done >long.prof
	[ "$(wc -c <long.prof)" -gt 30000000 ]
	for tool in prof-cat 'prof-grep -v nosuch' 'prof-to tsv' 'prof-to callgrind'; do
		limited 65536 $tool --quiet <long.prof | wc -c >got
		[ "$(cat got)" -gt 10000000 ]
	done
}

@test "nothing else is opened, nothing is executed, nothing is contacted" {
	cd "$BATS_FILE_TMPDIR" || return 1
	cat >watch.c <<-'E'
	#define _GNU_SOURCE
	#include <dlfcn.h>
	#include <fcntl.h>
	#include <stdarg.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <unistd.h>
	static void say(const char *what, const char *path)
	{
		dprintf(atoi(getenv("WATCH")), "%s %s\n", what, path);
	}
	int open(const char *p, int flags, ...)
	{
		int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open"), mode;
		va_list ap;
		va_start(ap, flags);
		mode = va_arg(ap, int);
		say("open", p);
		return real(p, flags, mode);
	}
	int open64(const char *p, int flags, ...) { say("open", p); return open(p, flags); }
	FILE *fopen(const char *p, const char *mode)
	{
		FILE *(*real)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen");
		say("open", p);
		return real(p, mode);
	}
	E
	# Without headers, which know them better.
	cat >never.c <<-'E'
	void abort(void);
	#define NEVER(name) int name(void) { abort(); }
	NEVER(fork) NEVER(vfork) NEVER(execve) NEVER(execv) NEVER(execvp) NEVER(execl)
	NEVER(posix_spawn) NEVER(system) NEVER(popen) NEVER(socket) NEVER(connect)
	NEVER(getaddrinfo)
	E
	gcc -w -fno-builtin -shared -fPIC -o watch.so watch.c never.c -ldl
	# Sanitizers want to be the first library, but can live with another one.
	watch() {
		env ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=./watch.so WATCH=9 "$@" 9>>opened >/dev/null 2>&1
	}
	head -n 400 large.prof | sed '$a\end' >s.prof
	zstd -qf s.prof
	: >opened
	for tool in prof-cat 'prof-grep f0' prof-merge 'prof-diff s.prof' 'prof-to json' prof-top \
	    'prof-grep -c f0' 'prof-cat --probe' prof-tree; do
		watch $tool s.prof
		watch $tool s.prof.zst
	done
	sort -u opened >got
	printf 'open s.prof\nopen s.prof.zst\n' | diff - got
	# Debugging information is looked for, though no server is asked.
	gcc -g -pg -no-pie -o ticks "$TESTS/programs/ticks.c" "$TESTS/programs/ticks2.c"
	./ticks 2
	: >opened
	DEBUGINFOD_URLS=http://localhost:1 watch prof-top -b line ./ticks
	run -1 grep -v '^open \(./ticks\|gmon.out\|/usr/lib/debug/.*\|.*/ticks.*\)$' opened
	grep -qx 'open gmon.out' opened
}
