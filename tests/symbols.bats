# SPDX-License-Identifier: ISC
# of: filter symbol
# From addresses of an executable to functions, files and lines: machines that mark
# addresses or have descriptors, debug information of all kinds, against addr2line.

load helper.bash

programs=$BATS_TEST_DIRNAME/programs

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	reads_executables
}

# elf LAYOUT MACHINE: x, an executable from a description on standard input.
elf() {
	perl "$BATS_TEST_DIRNAME/real/elf_write.pl" "$@" >x
}

# at EXE ADDR...: a line of each address: function, its file, file and line.
at() {
	{
		printf 'prof\t1\npart\t1\nevent\t0\tIr\t-\t-\t-\n'
		printf 'cost\t-\t-\t-\t0x%x\t1\n' "${@:2}"
		echo end
	} >at.prof
	silent prof-cat --exe "$1" at.prof | spelt | awk -F '\t' '{
		sub(/, [^,]*\)$/, "", $2); sub(/ \(/, " ", $2); print $5, $2, $3 ":" $4 }'
}

# functions EXE ADDR...: their functions.
functions() {
	at "$@" | awk '{ print $1, $2 }'
}

# gmon_at EXE ADDR...: their functions in a gmon.out, of calls to them from the first one.
gmon_at() {
	local at
	{
		printf 'gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
		for at in "${@:2}"; do
			perl -e 'print pack "CQ<Q<L<", 1, hex $ARGV[0], hex $ARGV[1], 1' "$2" "$at"
		done
	} >at.gmon
	prof-cat "$1" at.gmon 2>warnings | awk -F '\t' '$1 == "func" { name[$2] = $3 }
		$1 == "call" { print $8, name[$6] }'
}

# text EXE: all addresses of its code that the compiler made.
text() {
	local at
	at=$(readelf -SW "$1" | sed -n 's/.* \.text  *PROGBITS  *\([0-9a-f]*\) [0-9a-f]* \([0-9a-f]*\).*/0x\1 0x\2/p')
	seq "$((${at% *}))" "$((${at% *} + ${at#* } - 1))"
}

# sources EXE: of all of these addresses file and line.
sources() {
	local all
	mapfile -t all < <(text "$1")
	at "$1" "${all[@]}" | awk '{ print $1, $NF }'
}

# theirs EXE: the same, as addr2line has it, but for lines that are none.
theirs() {
	text "$1" | xargs printf '0x%x\n' | addr2line -a -e "$1" | paste -d ' ' - - |
		sed -E 's/^0x0*/0x/; s/ \(discr.*//; s/ .*:[?0]$/ -:-/'
}

# ---- symbols ----

@test "the bit that marks functions of Thumb and MIPS16 is no part of their address" {
	local machine

	cat >description <<-'E'
	code .text 0x8000 0x100
	symbol $t 0x8000 .text none local
	symbol main 0x8001 .text func global
	symbol cmp 0x8011 .text func local
	symbol $a 0x8020 .text none local
	symbol wide 0x8020 .text func global
	symbol $d 0x8030 .text none local
	E
	printf '%s\n' '0x8000 main' '0x800f main' '0x8010 cmp' '0x8011 cmp' \
		'0x801f cmp' '0x8020 wide' '0x8030 wide' >want
	for machine in 40 8; do
		elf le32 $machine <description
		functions x 0x8000 0x800f 0x8010 0x8011 0x801f 0x8020 0x8030 >got
		same want got
	done
	# A call has it, or, summed by gprof -s, has it not.
	perl "$BATS_TEST_DIRNAME/real/gmon_write.pl" le32 >x.gmon <<-'E'
	magic 1
	hist 0x8000 0x8020 16 100 seconds s
	bins 0 1 0 0 0 0 0 0 7 0 0 0 0 0 0 0
	arc 0x8007 0x8011 5
	arc 0x8006 0x8010 6
	E
	silent prof-top --tsv x x.gmon | cut -f 1,4,5 >got
	tabs >want <<-'E'
	function  calls  time
	cmp  11  7000000
	main  0  1000000
	E
	same want got
	# Of other machines functions begin at any byte.
	elf le32 3 <description
	functions x 0x8010 0x8011 >got
	printf '%s\n' '0x8010 main' '0x8011 cmp' >want
	same want got
}

@test "function descriptors of 64-bit PowerPC are looked up" {
	elf be64 21 <<-'E'
	code .text 0x10000000 0x100
	data .opd 0x10020000 0x10000000 0x10030000 0 0x10000010 0x10030000 0 0x10000020 0x10030000 0
	symbol main 0x10020000 .opd func global
	symbol cmp 0x10020018 .opd func local
	symbol .old 0x10000020 .text func global
	symbol old 0x10020030 .opd func global
	E
	functions x 0x10000000 0x1000000f 0x10000010 0x1000001f 0x10000020 >got
	printf '%s\n' '0x10000000 main' '0x1000000f main' '0x10000010 cmp' \
		'0x1000001f cmp' '0x10000020 old' >want
	same want got
}

@test "functions of gmon.out are of symbols that nm calls T, W or t, of others all" {
	elf le64 62 <<-'E'
	code .text 0x1000 0x100
	data .data 0x2000 0
	symbol first 0x1000 .text func global
	symbol data 0x1010 .text object global
	symbol weak_data 0x1018 .text object weak
	symbol label 0x1020 .text none global
	symbol weak 0x1030 .text func weak
	symbol indirect 0x1040 .text 10 global
	symbol special 0x1050 .text 13 global
	symbol elsewhere 0x2000 .data func global
	E
	nm -n x | sed -n 's/ [TWt] / /p' | sed 's/^0*/0x/' >want
	[ "$(wc -l <want)" -eq 5 ]
	gmon_at x 0x1000 0x1010 0x1020 0x1030 0x1050 >got
	same want got
	gmon_at x 0x1018 0x1040 >got
	printf '%s\n' '0x1018 data' '0x1040 weak' >want
	same want got
	nm -n x | sed -n 's/ [TWtVi] / /p' | sed 's/^0*/0x/' >want
	[ "$(wc -l <want)" -eq 7 ]
	functions x 0x1000 0x1010 0x1018 0x1020 0x1030 0x1040 0x1050 >got
	same want got
}

@test "where only exported symbols are left, static functions have no name" {
	cat >lib.c <<-'E'
	static volatile int sink;
	__attribute__((noinline)) void exported(void) { sink = 1; }
	__attribute__((noinline)) static void hidden(void) { sink = 2; }
	__attribute__((noinline)) void other(void) { hidden(); }
	E
	"${CC:-cc}" -g -fno-toplevel-reorder -fPIC -shared -o lib.so lib.c
	nm -n lib.so | awk '$3 ~ /^(exported|hidden|other)$/ { print "0x" $1, $3 }' |
		sed 's/^0x0*/0x/' >want
	[ "$(cut -d ' ' -f 2 want | xargs)" = 'exported hidden other' ]
	mapfile -t addresses < <(cut -d ' ' -f 1 want)
	functions lib.so "${addresses[@]}" >got
	same want got
	strip lib.so
	sed -i 's/hidden/-/' want
	functions lib.so "${addresses[@]}" >got
	same want got
}

# sized EXE: of each address of .text the functions that nm -S has there and that begin
# last, with a "=" between names of the same, "-" for none.
sized() {
	{ nm -S "$1"; echo; text "$1"; } | perl -e '
		while (<STDIN>) {
			last if !/\S/;
			push @f, [ hex $1, hex $2, $3 ] if /^(\w+) (\w{8,}) [TtWi] (.*)/;
		}
		while (my $at = <STDIN>) {
			my ($from, %name) = -1;
			for (@f) {
				next if $at < $_->[0] || $at >= $_->[0] + $_->[1] || $_->[0] < $from;
				%name = () if $_->[0] > $from;
				$from = $_->[0];
				$name{$_->[2]} = 1;
			}
			printf "0x%x %s\n", $at, %name ? join "=", sort keys %name : "-";
		}'
}

@test "code is of the symbol whose size covers it, or of none" {
	local all link

	cat >x.c <<-'E'
	#include <stdio.h>
	#include <stdlib.h>
	volatile int z;
	static void __attribute__((cold, noinline)) fail(const char *s) { puts(s); abort(); }
	int __attribute__((noinline)) rare(int n)
	{
		if (__builtin_expect(n == 77777, 0)) {
			z = 3;
			fail("rare");
		}
		return z += n;
	}
	struct s { int a, b; };
	static int __attribute__((noinline)) isra(struct s *p, int k)
	{
		(void)k;
		return z += p->a;
	}
	int main(int argc, char **argv)
	{
		struct s s = { argc, 2 };
		(void)argv;
		return rare(argc) + isra(&s, 3);
	}
	__asm__(".text\n.type first, @function\nfirst: nop\n.size first, 1\n"
	    ".skip 40, 0x90\n"		/* of nobody */
	    ".type rusty$LT$T$GT$, @function\nrusty$LT$T$GT$: .skip 9, 0x90\n"
	    ".size rusty$LT$T$GT$, 9\n.skip 11, 0x90\n"
	    ".type outer, @function\nouter: .skip 5, 0x90\n"
	    ".type f.part.0, @function\nf.part.0: .skip 3, 0x90\n.size f.part.0, 3\n"
	    "in_outer: .skip 5, 0x90\n.size outer, 13\n.skip 7, 0x90\n"
	    ".type f.cold.1, @function\nf.cold.1: .skip 3, 0x90\n.size f.cold.1, 3\n"
	    ".skip 20, 0x90\n");
	E
	for link in -no-pie -pie; do
		"${CC:-cc}" -O2 -ffunction-sections $link -o x x.c
		nm x | has 'rare.cold'
		sized x >want
		mapfile -t all < <(cut -d ' ' -f 1 want)
		functions x "${all[@]}" | join - want >both
		[ "$(wc -l <both)" -eq "${#all[@]}" ]
		# Start files have functions without a size.
		awk '$3 != "-" && !index("=" $3 "=", "=" $2 "=")' both >differ
		same /dev/null differ
	done
	# What is between has no neighbour's name.
	nm -n x | sed -n 's/^0*\(.*\) t \(rusty.*\|outer\|f.cold.1\)$/\1/p' >begin
	[ "$(wc -l <begin)" -eq 3 ]
	mapfile -t all < <(while read -r at; do
		printf '0x%x\n' $((0x$at - 1)) $((0x$at)) $((0x$at + 4)) $((0x$at + 6)) $((0x$at + 8)) \
			$((0x$at + 13)); done <begin)
	functions x "${all[@]}" | cut -d ' ' -f 2 | paste -sd ' ' - >got
	echo '- rusty$LT$T$GT$ rusty$LT$T$GT$ rusty$LT$T$GT$ rusty$LT$T$GT$ -' \
		'- outer outer f.part.0 outer -' '- f.cold.1 - - - -' >want
	same want got
	# A list of nm has no sizes, but -S.
	nm -S x >syms
	{ echo 'prof	1'; echo 'part	1'; echo 'event	0	Ir	-	-	-'
	printf 'cost\t-\t-\t-\t%s\t1\n' "${all[@]}"; echo end; } >at.prof
	silent prof-cat --syms syms at.prof | spelt | awk -F '\t' '{ sub(/ .*/, "", $2); print $2 }' |
		paste -sd ' ' - >got
	same want got
}

@test "stubs that call functions of other objects are named after them" {
	local how

	cat >x.c <<-'E'
	#include <stdio.h>
	#include <stdlib.h>
	int main(int argc, char **argv) { puts(argv[0]); free(malloc(argc)); return abs(argc); }
	E
	for how in -no-pie '-pie -Wl,-z,lazy' '-pie -Wl,-z,now' '-pie -fcf-protection -Wl,-z,ibtplt'; do
		# shellcheck disable=SC2086
		"${CC:-cc}" $how -o x x.c
		objdump -d x | sed -n 's/^0*\(.*\) <\(.*@plt\)>:$/0x\1 \2/p' >want
		[ "$(wc -l <want)" -ge 3 ]
		mapfile -t all < <(cut -d ' ' -f 1 want)
		functions x "${all[@]}" >got
		same want got
		# All bytes of one, and none of what they share.
		at=$(sed -n 's/ puts@plt//p' want)
		functions x $((at + 5)) | has 'puts@plt'
		functions x "0x$(objdump -h x | awk '$2 == ".plt" { print $4 }')" | has -x '.* -'
	done
}

@test "a process' addresses are found in the object, its names in its debug information" {
	local id root=/usr/lib/debug/.build-id at offset base f n=0

	mkdir -p "$root/xx" 2>/dev/null || return 0	# it is root's
	rmdir "$root/xx"
	cat >lib.c <<-'E'
	volatile int z;
	int one(int n) { return z += n; }
	static int __attribute__((noinline)) two(int n) { return z -= n; }
	int three(int n) { return two(n) * 3; }
	E
	"${CC:-cc}" -g -O1 -fPIC -shared -Wl,--build-id -Wl,-z,separate-code -o lib.so lib.c
	id=$(readelf -n lib.so | sed -n 's/.*Build ID: //p')
	objcopy --only-keep-debug lib.so lib.debug
	read -r offset base < <(readelf -lW lib.so | awk '$1 == "LOAD" && / E / { print $2, $3 }')
	{
		printf 'prof\t1\npart\t1\nmeta\tformat\tpprof\nevent\t0\tsamples\tcount\t-\t-\n'
		printf 'object\t0\t%s\t%s\tstart=0x7f0000000000\tlimit=0x7f0000010000\toffset=0x%x\n' \
			"$PWD/lib.so" "$id" "$offset"
		printf 'func\t0\t-\t-\t0\t-\n'
	} >x.prof
	for f in one two three; do
		at=$(nm lib.so | sed -n "s/ [tT] $f\$//p")
		printf 'ctx\t%d\t-\t0\t-\t-\t0x%x\n' $((n)) $((0x$at - base + 0x7f0000000000 + 3))
		printf 'sample\t%d\t%d\n' $((n)) $((n++ + 1))
	done >>x.prof
	echo end >>x.prof
	prof-to pprof x.prof >x.pb
	strip lib.so
	printf 'one 1\nthree 3\ntwo 2\n' >want
	mkdir -p "$root/${id:0:2}"
	cp lib.debug "$root/${id:0:2}/${id:2}.debug"
	prof-top --tsv x.pb >top 2>notes || true
	mv lib.so away
	prof-top --tsv x.pb >gone.top 2>gone.notes || true
	rm "$root/${id:0:2}/${id:2}.debug"
	rmdir --ignore-fail-on-non-empty "$root/${id:0:2}" "$root"
	tail -n +2 top | cut -f 1,5 | tr '\t' ' ' | sort >got
	same want got
	[ ! -s notes ]
	# Debug information alone does not tell where in the object an address is.
	has "no symbols for $PWD/lib.so: functions there have no names" gone.notes
	tail -n +2 gone.top | cut -f 1 | sort -u >got
	run -1 grep -E 'one|two|three' got
	# Addresses of the file it has.
	at=$(nm lib.debug | sed -n 's/ t two$//p')
	functions lib.debug "$((0x$at))" | has two
}

# ---- files and lines ----

@test "lines need no .debug_aranges, which not every compiler writes" {
	local how

	mkdir src
	cp "$programs"/ticks* src
	for how in -gdwarf-4 -gdwarf-5 '-gdwarf-5 -ffunction-sections -Wl,--gc-sections'; do
		# shellcheck disable=SC2086
		"${CC:-cc}" $how -O2 -o with src/ticks.c src/ticks2.c
		theirs with >want
		grep -q "$PWD/src/ticks.h:[0-9]" want
		sources with >got
		same want got
		objcopy --remove-section .debug_aranges with without
		sources without >got
		same want got
	done
}

@test "lines are those of the executable where the rest is split off" {
	local version

	for version in 4 5; do
		"${CC:-cc}" -gdwarf-$version -O1 -o whole "$programs/ticks.c" "$programs/ticks2.c"
		"${CC:-cc}" -gdwarf-$version -gsplit-dwarf -O1 -o split "$programs/ticks.c" \
			"$programs/ticks2.c"
		rm -f ./*.dwo
		objcopy --remove-section .debug_aranges split
		sources whole >want
		grep -q 'ticks2.c:[0-9]' want
		sources split >got
		same want got
	done
}

@test "lines of a function that the linker has dropped cover no other code" {
	local how f

	perl -e 'print "volatile int x;\nvoid dropped(void)\n{\n", "\tx = 1;\n" x 2000, "}\n",
		"__attribute__((noinline)) void f(void)\n{\n", "\tx = 2;\n" x 100, "}\n",
		"int main(void) { f(); return 0; }\n"' >t.c
	# f_of EXE: the addresses of f.
	f_of() {
		nm -S "$1" | sed -n 's/^\(.*\) \(.*\) T f$/0x\1 0x\2/p' |
			{ read -r at size; seq $((at)) $((at + size - 1)); }
	}
	for how in -gdwarf-4 -gdwarf-5; do
		"${CC:-cc}" $how -O1 -ffunction-sections -o all t.c
		f_of all | xargs printf '0x%x\n' | addr2line -e all | sed 's/.*://' >want
		[ "$(sort -u want | wc -l)" -ge 100 ]
		"${CC:-cc}" $how -O1 -ffunction-sections -Wl,--gc-sections -o some t.c
		run -1 grep dropped <(nm some)
		mapfile -t f < <(f_of some)
		at some "${f[@]}" | sed 's/.*://' >got
		same want got
	done
}

@test "paths whose beginning the compiler removed or renamed are relative, and not in the root" {
	local how

	mkdir src
	cp "$programs"/ticks* src
	for how in 'gcc -gdwarf-4' 'gcc -gdwarf-5'; do
		# shellcheck disable=SC2086
		$how -O2 "-fdebug-prefix-map=$PWD=" -o removed src/ticks.c src/ticks2.c
		theirs removed >want
		grep -q ' src/ticks2.c:[0-9]' want
		sources removed >got
		same want got
	done
	# A name in its place stands once before each, in both versions.
	echo 'int main(void) { return 0; }' >in.c
	for how in 'gcc -gdwarf-4' 'gcc -gdwarf-5'; do
		# shellcheck disable=SC2086
		$how "-fdebug-prefix-map=$PWD=src" -o renamed in.c
		at renamed "0x$(nm renamed | sed -n 's/ T main$//p')" | cut -d ' ' -f 2- >got
		echo 'main src/in.c src/in.c:1' >want
		same want got
	done
}

@test "a function's file is its own, also where inlined code begins it" {
	echo 'static inline __attribute__((always_inline)) void work(void) { sink = sink * 3; }' >in.h
	cat >own.c <<-'E'
	volatile unsigned sink;
	#include "in.h"
	__attribute__((noinline)) void f(void) { work(); }
	int main(void) { f(); return 0; }
	E
	"${CC:-cc}" -g -O2 -o own own.c
	at own "0x$(nm own | sed -n 's/ T f$//p')" | cut -d ' ' -f 2- >got
	echo "f $PWD/own.c $PWD/in.h:1" >want
	same want got
}

@test "debug information of no code, or of the same code many times, costs little" {
	echo 'int main(void) { return 0; }' >main.c
	echo 'int data;' >data.c
	"${CC:-cc}" -g -c data.c
	"${CC:-cc}" -g0 -o none main.c data.o
	at none "0x$(nm none | sed -n 's/ T main$//p')" | cut -d ' ' -f 2- >got
	echo 'main - -:-' >want
	same want got
	# 24,000 units that share a list of 20,000 ranges.
	cat >many.s <<-'E'
	.globl main
	main: ret
	.section .note.GNU-stack,""
	.section .debug_abbrev
	.uleb128 1, 0x11
	.byte 0
	.uleb128 0x55, 0x17, 0x11, 1
	.byte 0, 0, 0
	.section .debug_info
	.rept 24000
	.4byte 2f - 1f
	1: .2byte 4
	.4byte 0
	.byte 8
	.uleb128 1
	.4byte 0
	.8byte main
	2:
	.endr
	.section .debug_ranges
	.rept 20000
	.8byte 0, 1
	.endr
	.8byte 0, 0
	E
	"${CC:-cc}" -no-pie -o many many.s
	[ "$(stat -c %s many)" -lt 1000000 ]
	(
		silent() { limited 400000 "$@"; }
		at many "0x$(nm many | sed -n 's/ T main$//p')" | cut -d ' ' -f 2- >got
	)
	same want got
}

@test "symbols that are of several objects, which alternate, cost no more than of one" {
	awk 'BEGIN { for (i = 1; i <= 200000; i++) printf "%x T f%d\n", 4096 + i * 16, i }' >list
	{
		tabs <<-'E'
		prof  1
		part  1
		event  0  Ir  -  -  -
		object  0  /x/list  -
		object  1  /y/list  -
		func  0  -  -  0  -
		func  1  -  -  1  -
		E
		awk 'BEGIN { for (i = 0; i < 200000; i++)
			printf "cost\t%d\t-\t-\t0x%x\t1\n", i % 2, 4112 + 16 * int(i % 4 / 2) }'
		echo end
	} >two.prof
	brief 2 prof-top --tsv --syms list two.prof >got
	tabs >want <<-'E'
	function  object  Ir
	f1  /x/list  50000
	f1  /y/list  50000
	f2  /x/list  50000
	f2  /y/list  50000
	E
	cut -f 1,3,5 got | same want -
}
