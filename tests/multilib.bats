# SPDX-License-Identifier: ISC
# of: codec symbol
# gmon.out of real programs of other word sizes and byte orders, and executables of
# other machines and compilers: make check-all.
# On Debian: clang qemu-user gcc-aarch64-linux-gnu gcc-arm-linux-gnueabihf gcc-i686-linux-gnu
# gcc-mipsel-linux-gnu gcc-powerpc-linux-gnu gcc-powerpc64-linux-gnu libc6-dev-arm64-cross
# libc6-dev-armhf-cross libc6-dev-i386-cross libc6-dev-mipsel-cross libc6-dev-powerpc-cross
# libc6-dev-ppc64-cross; and of arm64 the packages of CONTRIBUTING, "Installing".

load helper.bash

programs=$BATS_TEST_DIRNAME/programs

# profile MACHINE EMULATOR [OPTION...]: x and its gmon.out.
profile() {
	"$1-gcc" -g -O1 -pg "${@:3}" -o x "$programs/ticks.c" "$programs/ticks2.c"
	"$2" -L "/usr/$1" ./x 600
}

# compare EXE GMON LAYOUT
compare() {
	silent prof-cat "$2" | sed -n 's/^meta	gmon.layout	//p' | tr '\t' ' ' >got
	echo "$3" >want
	same want got
	perl "$BATS_TEST_DIRNAME/real/gprof.pl" "$1" "$2"
	# Another machine's executable names functions and lines, too.
	silent prof-cat "$1" "$2" | spelt | has "^cost	[a-z0-9]* .*ticks.h	[0-9]"
}

# compare_with TOOLS LAYOUT: x and its gmon.out, also summed by gprof, which may
# change addresses.
compare_with() {
	export GPROF=$1-gprof NM=$1-nm
	compare x gmon.out "$2"
	"$GPROF" -s x gmon.out
	compare x gmon.sum "$2"
}

@test "programs of 32 bits" {
	local how

	for how in -pie -no-pie -static; do
		profile i686-linux-gnu qemu-i386 $how
		compare_with i686-linux-gnu 'gmon little 32'
	done
}

@test "a program of a machine with the other byte order" {
	profile powerpc-linux-gnu qemu-ppc -static
	compare_with powerpc-linux-gnu 'gmon big 32'
}

@test "programs of ARM, Thumb or not; of MIPS" {
	local how

	for how in -mthumb '-mthumb -static' -marm; do
		# shellcheck disable=SC2086
		profile arm-linux-gnueabihf qemu-arm $how
		compare_with arm-linux-gnueabihf 'gmon little 32'
	done
	profile mipsel-linux-gnu qemu-mipsel -static
	compare_with mipsel-linux-gnu 'gmon little 32'
}

@test "programs of 64-bit PowerPC, with function descriptors" {
	local how tool

	# gprof's names have a dot, and it leaves static functions out.
	sed 's/noinline)) static/noinline))/' "$programs/ticks.h" >ticks.h
	sed 's/\<same\>/same_1/' "$programs/ticks.c" >ticks.c
	cp "$programs/ticks2.c" .
	for tool in gprof nm; do
		printf '#!/bin/sh\npowerpc64-linux-gnu-%s "$@" | sed "s/\\([[:blank:]]\\)[.]\\([a-zA-Z_]\\)/\\1\\2/"\n' \
			"${tool/nm/nm --synthetic}" >dotless-$tool
		chmod +x dotless-$tool
	done
	PATH=$PWD:$PATH
	for how in -no-pie '-pie -fPIE' '-no-pie -mcall-aixdesc'; do
		# shellcheck disable=SC2086
		programs=$PWD profile powerpc64-linux-gnu qemu-ppc64 $how
		compare_with dotless 'gmon big 64'
	done
}

@test "clang's programs, which have no .debug_aranges" {
	local how

	for how in '-O1 -g' '-O1 -gdwarf-4' '-O0 -g -gsplit-dwarf'; do
		# shellcheck disable=SC2086
		clang $how -pg -o x "$programs/ticks.c" "$programs/ticks2.c"
		readelf -SW x | has debug_info
		lacks <(readelf -SW x) debug_aranges
		./x 600
		compare x gmon.out 'gmon little 64'
	done
}

# unwound MACHINE RUN OPTION...: a recording that a program makes of its own stacks has those
# that glibc unwinds, but through a signal, for which there is no table.
unwound() {
	"$1-gcc" -rdynamic "${@:3}" -o recording "$BATS_TEST_DIRNAME/recording.c" -ldl
	# shellcheck disable=SC2086
	$2 ./recording f 60000 | sed '/ interrupted /d' >want
	[ "$(wc -l <want)" = 6 ]
	prof-cat --quiet --times f 2>/dev/null | awk -F '\t' '
		$1 == "object" { object[$2] = $3 }
		$1 == "func" { name[$2] = $3; of[$2] = object[$5] }
		$1 == "ctx" { parent[$2] = $3; func_of[$2] = $4 }
		$1 == "sample" && ++n != 5 { line = ""
			for (c = $2; c != "-"; c = parent[c])
				if (of[func_of[c]] ~ /recording$/)
					line = line name[func_of[c]] " "
			print line }' >got
	same want got
}

@test "stacks of 32-bit x86, and of ARM64, also with signed return addresses" {
	local i386=/usr/i686-linux-gnu/lib arm64='qemu-aarch64 -cpu max -L /usr/aarch64-linux-gnu'

	unwound i686-linux-gnu "$i386/ld-linux.so.2 --library-path $i386" -O2
	unwound i686-linux-gnu "$i386/ld-linux.so.2 --library-path $i386" -O0
	unwound aarch64-linux-gnu "$arm64" -O2
	unwound aarch64-linux-gnu "$arm64" -O2 -mbranch-protection=standard
	unwound aarch64-linux-gnu "$arm64" -O1 -mbranch-protection=pac-ret+leaf
}

@test "static programs of ARM64 show what those of this machine show" {
	local b=$PROF_BUILD/arm64 f n=0

	make -s -C "$repo" B="$b" CROSS=aarch64-linux-gnu- CFLAGS='-O1 -g' static
	tar --strip-components 1 -xzf "$b"/prof-*-linux-aarch64.tar.gz
	has aarch64 <(file bin/prof)
	for f in share/prof/examples/*.{zst,gz,folded,prof,otlp,tachyon}; do
		same <(prof-top "$f" 2>&1) <(qemu-aarch64 bin/prof top "$f" 2>&1)
		n=$((n + 1))
	done
	[ "$n" -gt 25 ]
}
