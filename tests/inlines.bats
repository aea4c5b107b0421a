# SPDX-License-Identifier: ISC
# of: codec filter symbol
# --inlines: functions that were inlined at addresses of stacks, against addr2line.

load tools.bash

setup_file() {
	chmod o+x "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR/file" "$BATS_FILE_TMPDIR"
	cd "$BATS_FILE_TMPDIR" || return 1
	cat >prog.c <<-'E'
	#include <stdlib.h>
	static inline __attribute__((always_inline)) int mix(int n)
	{
		for (int i = 0; i < 9; i++)
			n = n * 31 ^ n >> 3;
		return n;
	}
	static inline __attribute__((always_inline)) int twice(int n)
	{
		return mix(n) +
		    mix(n + 1);
	}
	static inline __attribute__((always_inline)) int same(int n) { return mix(n); }
	int __attribute__((noinline)) work(int n)
	{
		int t = twice(n);
		if (t & 1)
			t += same(t);
		return t + rand();
	}
	int main(int argc, char **argv)
	{
		(void)argv;
		return work(mix(argc));
	}
	E
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
}

# recording FLAG...: the program, and f, a sample at each of its instructions.
recording() {
	cc -O2 "$@" -o prog "$BATS_FILE_TMPDIR/prog.c"
	samples
}

# samples: f, one at each instruction of prog.
samples() {
	objdump -d --no-show-raw-insn -j .text prog | sed -n 's/^ *\([0-9a-f]*\):.*/0x\1/p' >all
	{
		echo 'event cpu-clock 1 0 1000 ip tid time chain'
		echo 'feature 3 host'
		readelf -lW prog | perl -ne '/LOAD +(\w+) +(\w+) +\w+ +\w+ +(\w+) R E/ and
			printf "mmap 7 0x%x %s %s %s prot=5 1\n", hex $2, $3, $1, "'"$PWD"'/prog"'
		awk '{ print "sample 0 ip=" $1, "tid=7 time=" NR + 10, "chain=" $1 }' all
	} | python3 "$TESTS/perfdata.py" >f
}

# inlined [COMMAND...]: of each address, in order, the functions inlined there, innermost first,
# and their lines if the command asks for them.
inlined() {
	"$@" | awk -F '\t' '
		$1 == "func" { name[$2] = $3 }
		$1 == "ctx" { parent[$2] = $3; func_of[$2] = $4; line[$2] = $6 == "-" ? "?" : $6
			addr[$2] = $7; in_[$2] = $8 == "inlined=1" }
		$1 == "sample" { text = addr[$2]
			for (c = $2; in_[c]; c = parent[c])
				text = text " " name[func_of[c]] ":" line[c]
			print text " :" line[c] }' | sort
}

# The same from addr2line.
oracle() {
	addr2line -e prog -afi <all | perl -ne 'chomp;
		sub out { $v[-1] =~ s/.*:/:/, print "$addr @v\n" if @v }
		if (/^0x0*(\w+)/) { out(); ($addr, $name, @v) = ("0x$1") }
		elsif (!$name) { $name = $_ }
		else { push @v, $name . ":" . (/:(\d+)/ && $1 ? $1 : "?"); $name = "" }
		END { out() }' | sort
}

@test "functions that were inlined are frames, and calls have their lines" {
	for flags in '-g' '-g -gdwarf-4' '-g -ffunction-sections' '-g -flto'; do
		# shellcheck disable=SC2086
		recording $flags
		oracle | grep mix >want
		grep -q ' mix:[0-9]* twice:1[01] :16$' want
		inlined prof-grep --quiet --inlines --in file . f | grep mix >got
		diff want got || {
			echo "compiled with $flags"
			return 1
		}
	done
}

@test "also a hundred of them, one in the other, with blocks between" {
	perl -e 'print "volatile int x;\n"; $in = "static inline __attribute__((always_inline)) void";
		print "$in f1(int n) { x = n; }\n";
		printf "$in f%d(int n) { { volatile int y = n; f%d(y); } }\n", $_, $_ - 1 for 2 .. 100;
		print "int main(int n, char **v) { (void)v; f100(n); return 0; }\n"' >deep.c
	cc -O2 -g -o prog deep.c
	samples
	oracle | sed 's/ [^ ]*:/ :/g' | grep ' :.* :' >want
	[ "$(awk '{ print NF }' want | sort -n | tail -n 1)" = 102 ]
	inlined prof-grep --quiet --inlines --in file . f | sed 's/ [^ ]*:/ :/g' | grep ' :.* :' >got
	same want got
}

@test "also in lambdas, in methods of local classes and in nested functions" {
	sed -n '/ mix(int n)$/,/^}/p' "$BATS_FILE_TMPDIR/prog.c" | tee in.cc >in.c
	cat >>in.cc <<-'E'
	volatile long v;
	template <typename F> __attribute__((noipa)) long call(const F &f) { return f(v); }
	int main(int argc, char **)
	{
		struct local {
			static __attribute__((noinline)) long get(long n) { return mix(n + v) + 3; }
		};
		auto lambda = [&](long n) __attribute__((noinline)) { return mix(n + v) + argc; };
		return (int)(call(lambda) + local::get(argc));
	}
	E
	cat >>in.c <<-'E'
	volatile long v;
	int main(int argc, char **argv)
	{
		long factor = v;
		{
			__attribute__((noinline)) long nested(long n) { return mix(n + factor) + 1; }
			return (int)nested(argc * 10);
		}
	}
	E
	local in
	for in in in.cc in.c; do
		"$([ $in = in.c ] && echo gcc || echo g++)" -O2 -g -o prog $in
		samples
		# The innermost name is that of the symbol in addr2line: lines are compared.
		oracle | sed 's/ [^ ]*:/ :/g' | grep ' :.* :' >want
		[ "$(awk '{ print $NF }' want | sort -u | wc -l)" = $([ $in = in.c ] && echo 1 || echo 2) ]
		inlined prof-grep --quiet --inlines --in file . f | grep ' mix' | sed 's/ [^ ]*:/ :/g' >got
		diff want got
	done
}

@test "also where debug information is in a file of its own" {
	recording -g
	inlined prof-cat --quiet --inlines f | sed 's/^[^ ]*//' | grep mix >want
	recording -g -gsplit-dwarf -gdwarf-5
	ls ./*.dwo
	inlined prof-cat --quiet --inlines f | sed 's/^[^ ]*//' | grep mix >got
	diff want got
}

@test "without the option there are none, and costs by line are the same with it" {
	recording -g
	prof-cat --quiet f >got
	lacks got inlined=1
	prof-cat --quiet --inlines f | has 'inlined=1$'
	prof-top --quiet -b line -n 99 f | awk '$NF ~ /^[0-9]+$/ { print $1, $NF }' | sort >plain
	[ "$(wc -l <plain)" -gt 5 ]
	prof-top --quiet --inlines -b line -n 99 f |
		awk '$NF ~ /^[0-9]+$/ && $1 > 0 { print $1, $NF }' | sort | diff plain -
}

@test "a profile that has inlined frames gets no others" {
	recording -g
	prof-cat --quiet --inlines f >once
	prof-cat --quiet --inlines once | diff once -
	# What the program before has left out is added to its addresses.
	prof-cat --quiet --addr f | prof-cat --quiet --inlines >got
	inlined cat once >want
	inlined cat got | diff want -
}

@test "the output of perf script gets them, too" {
	recording -g
	oracle | grep ' twice:' >want
	cut -d ' ' -f 1 want | while read -r a; do
		printf 'prog 7 1.000000: 1 cpu-clock: \n\t%s work+0x1 (%s/prog)\n\n' \
			"${a#0x}" "$PWD"
	done >text
	prof-cat --quiet --from perf --inlines --times text >got
	inlined cat got | sed 's/:[0-9?]*/:/g' | diff <(sed 's/:[0-9?]*/:/g' want) -
}

@test "a line of an inlined function may be in another file than the function" {
	printf 'for (int i = 0; i < 9; i++)\n\tn = n * 31 ^ n >> 3;\n' >body.inc
	cat >prog.c <<-'E'
	static inline __attribute__((always_inline)) int mix(int n)
	{
	#include "body.inc"
		return n;
	}
	int main(int argc, char **argv) { (void)argv; return mix(argc); }
	E
	cc -O2 -g -o prog prog.c
	samples
	addr2line -e prog -ai <all | awk '/^0x/ { getline; sub(/ .*/, ""); sub(/.*\//, ""); print }' |
		grep '\.[a-z]*:[1-9]' | sort | uniq -c >want
	grep -q 'body.inc:2$' want
	prof-grep --quiet --inlines --in file . f | awk -F '\t' '
		$1 == "file" { sub(/.*\//, "", $3); file[$2] = $3 }
		$1 == "ctx" { place[$2] = file[$5] ":" $6 }
		$1 == "sample" && place[$2] ~ /\.[a-z]*:[1-9]/ { print place[$2] }' | sort | uniq -c | diff want -
}
