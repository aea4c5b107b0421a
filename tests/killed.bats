#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
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
}

# How many bytes are read before a process is killed, which waits for more then.
moments='1 5000 300000 2000000'

@test "whoever reads from a tool that is killed notices, at any moment" {
	cd "$BATS_FILE_TMPDIR" || return 1
	mkfifo in a b
	local n reader writer middle status last victim
	for n in $moments $(wc -c <large.cg); do
		for last in prof-cat 'prof-grep -c f1' prof-merge 'prof-to callgrind' \
		    'prof-top --tsv'; do
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
				grep -Eq "^${last%% *}: standard input:.* (cut|empty)" said
				[ "$(tail -n 1 got)" != end ]
				run ! grep '^totals' got
				wait
			done
		done
	done
}

@test "-o leaves the old file and nothing beside it, whenever a signal comes" {
	cd "$BATS_TEST_TMPDIR" || return 1
	local n pid status sig
	mkfifo in
	mkdir d
	echo old >d/out
	for sig in INT TERM HUP QUIT PIPE XCPU XFSZ; do
		for n in $moments; do
			# Shells have what is in the background ignore SIGINT and SIGQUIT.
			perl -e '$SIG{INT} = $SIG{QUIT} = "DEFAULT"; exec @ARGV' \
				prof-to callgrind -o d/out in &
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

@test "nothing else is opened, nothing is executed, nobody is asked" {
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
		env ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD="$PWD/watch.so" WATCH=9 "$@" 9>>opened >/dev/null 2>&1
	}
	head -n 400 large.prof | sed '$a\end' >s.prof
	zstd -qf s.prof
	: >opened
	for tool in prof-cat 'prof-grep f0' prof-merge 'prof-diff s.prof' 'prof-to json' prof-top \
	    'prof-grep -c f0' 'prof-cat --probe'; do
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
	run ! grep -v '^open \(./ticks\|gmon.out\|/usr/lib/debug/.*\|.*/ticks.*\)$' opened
	grep -qx 'open gmon.out' opened
}
