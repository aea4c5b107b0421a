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
	nm lib.so | awk '$3 ~ /^(exported|hidden|other)$/ { print "0x" $1, $3 }' | sort >symbols
	[ "$(awk '{ print $2 }' symbols | xargs)" = 'exported hidden other' ]
	functions lib.so $(awk '{ print $1 }' symbols) | awk '{ print $2 }' >got
	printf '%s\n' exported hidden other >want
	same want got
	strip lib.so
	functions lib.so $(awk '{ print $1 }' symbols) | awk '{ print $2 }' >got
	printf '%s\n' exported - other >want
	same want got
}
