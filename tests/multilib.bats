# SPDX-License-Identifier: ISC
# gmon.out of real programs of other word sizes and byte orders: make check-all.
# On Debian: gcc-multilib gcc-powerpc-linux-gnu libc6-dev-powerpc-cross qemu-user.

load helper.bash

programs=$BATS_TEST_DIRNAME/programs

# compare EXE GMON LAYOUT
compare() {
	silent prof-cat "$2" | sed -n 's/^meta	gmon.layout	//p' | tr '\t' ' ' >got
	echo "$3" >want
	same want got
	perl "$BATS_TEST_DIRNAME/real/gprof.pl" "$1" "$2"
	# Another machine's executable names functions and lines, too.
	silent prof-cat "$1" "$2" | spelt | grep -q "^cost	[a-z0-9]* .*ticks.h	[0-9]"
}

@test "programs of 32 bits" {
	local how

	for how in -pie -no-pie -static; do
		gcc -m32 -g -O1 -pg $how -o x "$programs/ticks.c" "$programs/ticks2.c"
		./x
		compare x gmon.out 'gmon little 32'
	done
}

@test "a program of a machine with the other byte order" {
	powerpc-linux-gnu-gcc -static -g -O1 -pg -o x "$programs/ticks.c" "$programs/ticks2.c"
	qemu-ppc ./x 600
	GPROF=powerpc-linux-gnu-gprof NM=powerpc-linux-gnu-nm compare x gmon.out 'gmon big 32'
}
