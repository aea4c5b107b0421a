# SPDX-License-Identifier: ISC
# of: symbol
# The reader of line programs, against libdw: each row and each name of a file.  What
# lines the programs make of them is in symbols.bats, against addr2line.

load helper.bash

programs=$BATS_TEST_DIRNAME/programs

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	reads_executables
	needs tests/lines
	ln -s "$PROF_BUILD/tests/lines" .
	cp "$programs"/ticks* .
}

setup() {
	reads_executables
	cd "$BATS_FILE_TMPDIR" || return 1
}

# c EXE OPTION...: compiled from several files.
c() {
	"${CC:-cc}" "${@:2}" -o "$1" ticks.c ticks2.c
}

# read_all UNITS FILE: it has at least so many, of which none is left to libdw.
read_all() {
	silent ./lines same "$2" >got
	awk -F '\t' -v n="$1" '{ print } $2 < n || $3 { exit 1 }' got
}

@test "all versions of DWARF are read, and nothing of them is left to libdw" {
	local v

	for v in 2 3 4 5; do
		c x -gdwarf-$v -O2
		read_all 2 x
		# The same from relative paths, in 64 bits, with other opcodes.
		c x -gdwarf-$v -O1 -ffile-prefix-map="$PWD"=.
		read_all 2 x
		c x -gdwarf-$v -gno-as-loc-support -gno-variable-location-views
		read_all 2 x
		g++ -gdwarf-$v -O2 -o x ticks.cc
		read_all 1 x
	done
	for v in 3 4 5; do
		c x -gdwarf-$v -gdwarf64
		read_all 2 x
	done
}

@test "so are units that are optimised, dropped, split and compressed" {
	local v

	for v in 4 5; do
		c x -gdwarf-$v -O2 -flto
		read_all 2 x
		c x -gdwarf-$v -O2 -ffunction-sections -Wl,--gc-sections
		read_all 2 x
		c x -gdwarf-$v -gsplit-dwarf
		read_all 2 x
		objcopy --compress-debug-sections x
		read_all 2 x
		objcopy --only-keep-debug x y
		read_all 2 y
	done
}

@test "so are a thousand functions in no order, and those of Go" {
	local i

	for ((i = 0; i < 1000; i++)); do
		echo "__attribute__((section(\".text.$((i * 7919 % 1009))\"))) int f$i(int n)"
		echo "{ return n * $i + 1; }"
	done >order.c
	echo 'int main(void) { return 0; }' >>order.c
	"${CC:-cc}" -g -o x order.c -Wl,--sort-section=name
	read_all 1 x
	echo 'package main; import "fmt"; func main() { fmt.Println("x") }' >x.go
	GOCACHE=$PWD/cache go build -o x x.go
	read_all 20 x
	[ "$(cut -f 2 got)" -lt 1000 ]
}

# at EXE ADDR...: file and line of each.
at() {
	{
		printf 'prof\t1\npart\t1\nevent\t0\tIr\t-\t-\t-\n'
		printf 'cost\t-\t-\t-\t0x%x\t1\n' "${@:2}"
		echo end
	} >at.prof
	silent prof-cat --exe "$1" at.prof | spelt | awk -F '\t' '$1 == "cost" { print $3 ":" $4 }'
}

@test "both orders of bytes, both sizes of addresses and other forms of names are read" {
	local layout

	printf '%s\n' sub/b.h:10 sub/b.h:8 sub/b.h:8 /top/a.c:8 /top/a.c:8 -:- >want
	for layout in le64 be64 le32 be32; do
		{
			echo 'code .text 0x1000 0x200'
			echo 'symbol f 0x1000 .text func global'
			perl "$BATS_TEST_DIRNAME/real/dwarf_write.pl" $layout
		} | perl "$BATS_TEST_DIRNAME/real/elf_write.pl" $layout 62 >x
		read_all 1 x
		at x 0x1000 0x1001 0x1102 0x1103 0x1113 0x1114 >got
		same want got
	done
}

@test "what is unusual is left to libdw" {
	cat >x.s <<-'E'
	.text
	main: nop
	.globl main
	.section .note.GNU-stack,""
	.section .debug_line
	lines: .4byte 9f - 1f
	1: .2byte 3
	.4byte 3f - 2f
	2: .byte 1, 1, -5, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1
	.asciz "dir"
	.byte 0
	.asciz "a.c"
	.byte 1, 0, 0, 0
	3: .byte 0, 9, 2
	.8byte main
	.ifdef DEFINE		# a file within the program
	.byte 0, 8, 3
	.asciz "b.c"
	.byte 1, 0, 0, 4, 2
	.endif
	.ifdef BIG		# a line beyond 2^31
	.byte 3, 0xff, 0xff, 0xff, 0xff, 7
	.endif
	.ifdef PRIVATE		# an opcode of no standard
	.byte 0, 2, 0x80, 7
	.endif
	.byte 22, 2, 1, 0, 1, 1
	9:
	.section .debug_abbrev
	.byte 1, 0x11, 0, 0x10, 6, 0x11, 1, 0x12, 1, 0, 0, 0
	.section .debug_info
	.4byte 9f - 1f
	1: .2byte 3
	.4byte 0
	.byte 8, 1
	.4byte lines
	.8byte main, main + 1
	9:
	E
	: >want
	for define in NONE DEFINE PRIVATE BIG; do
		"${CC:-cc}" -Wa,--defsym,$define=1 -o $define x.s
		./lines same $define
		addr2line -e $define 0x$(nm $define | sed -n 's/ T main$//p') >>want
	done | cut -f 3 >left
	printf '0\n1\n1\n1\n' | same - left
	sed -i '$d' want	# which programs read in different ways
	# It finds the same.
	for define in NONE DEFINE PRIVATE; do
		at $define "0x$(nm $define | sed -n 's/ T main$//p')"
	done >got
	same want got
	[ "$(sort -u want | wc -l)" -eq 2 ]
}

@test "a damaged line program is read as libdw reads it, or left to it" {
	local v tried=0

	echo 'int f(int i) { return i + 1; }
	#include "in.h"
	int main(void) { return f(2) + g(3); }' | tr -d '\t' >small.c
	echo 'static int g(int i) { while (i--) f(i); return 1; }' >in.h
	for v in 2 3 4 5; do
		"${CC:-cc}" -gdwarf-$v -O1 -o small -nostdlib -static -Wl,-emain small.c
		silent ./lines flip small >got
		cat got
		# Many bits are of names, columns and lines: with others the program is
		# good, too.
		awk -F '\t' '{ exit !($3 > $2 / 3 && $3 < $2) }' got
		tried=$((tried + $(cut -f 2 got)))
	done
	[ $tried -gt 2500 ]
}
