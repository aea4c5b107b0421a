# SPDX-License-Identifier: ISC
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

@test "symbols of an executable are those that nm calls T, W or t" {
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
	functions x 0x1000 0x1010 0x1020 0x1030 0x1050 >got
	same want got
	functions x 0x1018 0x1040 >got
	printf '%s\n' '0x1018 data' '0x1040 weak' >want
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
