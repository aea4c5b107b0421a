#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: prof-cat prof-top
# prof-guide(7): each command that it shows runs, with the profilers that the README's
# command installs; where one is not there, a profile of it in share/examples stands for
# what it records.

load tools.bash

examples=$TESTS/../share/examples
page=$TESTS/../man/prof-guide.7

# shown SECTION N: the Nth display of a section.
shown() {
	awk -v section="$1" -v n="$2" '
		/^\.Sh / { here = substr($0, 5) == section }
		here && /^\.Bd/ { k++; shows = k == n; next }
		/^\.Ed/ { shows = 0 }
		shows' "$page"
}

# record SECTION: in a shell, as a reader would type it.
record() {
	bash -euo pipefail -c "$(shown "$1" 1)" >recorded 2>&1 </dev/null || { cat recorded; return 1; }
}

# look SECTION [STATUS]: each command prints something, and ends with 0, or at most STATUS.
look() {
	local line status n=0
	while read -r line; do
		echo "$1: $line"
		status=0
		bash -euo pipefail -c "$line" >looked 2>err </dev/null || status=$?
		[ $status -le "${2:-0}" ] || { cat err; return 1; }
		case $line in
		*' -o '*) [ -s "$(sed 's/.* -o //; s/ .*//' <<<"$line")" ] ;;
		prof-view*) ;;	# needs a terminal
		*) [ -s looked ] || [ $status = 1 ] ;;
		esac
		n=$((n + 1))
	done < <(shown "$1" 2 | grep -v '^prof-view ')
	[ $n -ge 2 ]
}

programs() {
	cat >app.c <<-'E'
	#include <stdio.h>
	#include <stdlib.h>

	__attribute__((noinline)) int
	is_prime(int n)
	{
		int i;

		for (i = 2; i * i <= n; i++)
			if (n % i == 0)
				return 0;
		return n > 1;
	}

	int
	main(void)
	{
		int i, n = 0, *p = malloc(4000000);

		for (i = 0; i < 1000000; i++)
			n += p[i] = is_prime(i);
		printf("%d\n", n);
		return 0;
	}
	E
	cat >app.py <<-'E'
	def is_prime(n):
	    return n > 1 and all(n % i for i in range(2, int(n ** .5) + 1))
	print(sum(is_prime(i) for i in range(20000)))
	E
	cat >app.php <<-'E'
	<?php
	function is_prime($n) { for ($i = 2; $i * $i <= $n; $i++) if ($n % $i == 0) return 0; return 1; }
	for ($n = 0, $i = 2; $i < 5000; $i++) $n += is_prime($i);
	echo $n;
	E
	cat >app.rb <<-'E'
	def prime?(n) = (2..Integer.sqrt(n)).none? { |i| n % i == 0 }
	puts (2..200000).count { |n| prime?(n) }
	E
	cat >app.pl <<-'E'
	sub is_prime { my $n = shift; for (my $i = 2; $i * $i <= $n; $i++) { return 0 unless $n % $i } 1 }
	my $n = 0;
	$n += is_prime($_) for 2 .. 5000;
	print "$n\n";
	E
	cat >app_test.go <<-'E'
	package app

	import "testing"

	//go:noinline
	func isPrime(n int) bool {
		for i := 2; i*i <= n; i++ {
			if n%i == 0 {
				return false
			}
		}
		return n > 1
	}

	var kept [][]byte

	func BenchmarkPrimes(b *testing.B) {
		for i := 0; i < b.N; i++ {
			for n := 0; n < 100000; n++ {
				if isPrime(n) {
					kept = append(kept, make([]byte, 100))
				}
			}
		}
	}
	E
	echo 'module app' >go.mod
}

@test "every section of the guide has commands, and a test" {
	local section
	while read -r section; do
		echo "$section"
		[ "$(shown "$section" 1 | wc -l)" -ge 1 ]
		[ "$(shown "$section" 2 | wc -l)" -ge 3 ]
		[ "$(shown "$section" 2 | wc -l)" -le 6 ]
		grep -qF -e "	look '$section'" -e "	look $section" "$BATS_TEST_FILENAME"
	done < <(sed -n 's/^\.Sh //p' "$page" | grep -vxE 'NAME|DESCRIPTION|SEE ALSO')
}

@test "bpftrace, DTrace and debuggers: stacks as text" {
	zstd -qdo app.stacks "$examples/calc.stacks.zst"
	look 'BPFTRACE, DTRACE AND DEBUGGERS'
}

@test "perf and Rust: a recording" {
	zstd -qdo perf.data "$examples/calc.perfdata.zst"
	prof-cat --quiet perf.data >old.prof
	cp old.prof new.prof
	# No program of that build is here, so that there are no lines.
	look 'PERF: C AND C++ ON LINUX' 1
	look 'RUST PROGRAMS'
}

@test "Valgrind and gprof: exact counts, and times" {
	programs
	record 'VALGRIND: EXACT COUNTS'
	look 'VALGRIND: EXACT COUNTS'
	record GPROF
	look GPROF
}

@test "Go: a benchmark's time and memory" {
	programs
	rm app.c	# which Go would want to compile
	GOFLAGS=-mod=mod GOCACHE=$PWD/cache record GO
	look GO
}

@test "Python, PHP, Perl" {
	programs
	record PYTHON
	look PYTHON
	record PHP
	look PHP
	record PERL
	look PERL
}

@test "Ruby: stacks" {
	programs
	record RUBY
	look RUBY
}

@test "Node.js and Java: profiles of theirs" {
	cp "$examples"/{tasks.cpuprofile,pages.heapprofile}.zst .
	zstd -qd --rm *.zst
	look 'NODE.JS AND BROWSERS'
	zstd -qdo app.jfr "$examples/tasks.jfr.zst"
	look JAVA
}

@test "heaps" {
	programs
	cc -g -o app app.c
	record 'HEAPS AND ALLOCATORS'
	look 'HEAPS AND ALLOCATORS'
}

@test "coverage by gcov, profiles of Haskell and R" {
	programs
	record 'COVERAGE AND COUNTS'
	look 'COVERAGE AND COUNTS'
	cp "$examples/tasks.ghc" app.prof
	zstd -qdo app.Rprof "$examples/tasks.rprof.zst"
	look 'HASKELL AND R'
}

@test "a trace of a compiler" {
	zstd -qdo app.json "$examples/wordcount.trace.zst"
	look 'BUILD TIMES AND TRACES'
}

@test "a gate, a fleet, a page for a model" {
	programs
	sed 's/i < 1000000/i < 900000/' app.c >old.c
	cc -g -o app old.c
	record 'CONTINUOUS INTEGRATION'
	mv new.out old.out
	cc -g -o app app.c
	record 'CONTINUOUS INTEGRATION'
	mkdir old new runs
	cp old.out old/1
	cp old.out old/2
	cp new.out new/1
	cp new.out new/2
	look 'CONTINUOUS INTEGRATION' 1
	cp old.out new.out runs
	record FLEETS
	look FLEETS
	prof-cat --quiet old.out >old.prof
	prof-cat --quiet new.out >new.prof
	cp new.prof app.prof
	record 'LANGUAGE MODELS'
	look 'LANGUAGE MODELS'
}
