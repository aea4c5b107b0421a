# SPDX-License-Identifier: ISC
# of: codec symbol
# gmon.out: what programs built with -pg write, against gprof; then each flavour
# and each rule of symbols by hand.

load helper.bash

real=$BATS_TEST_DIRNAME/real
programs=$BATS_TEST_DIRNAME/programs

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	local c=("${CC:-cc}" -g -O1 -pg)

	"${c[@]}" -pie -fPIE -o pie "$programs/ticks.c" "$programs/ticks2.c"
	"${c[@]}" -no-pie -o fixed "$programs/ticks.c" "$programs/ticks2.c"
	"${c[@]}" -static -o static "$programs/ticks.c" "$programs/ticks2.c"
	g++ -g -O1 -pg -o names "$programs/ticks.cc"
	perl -e 'print "#include \"ticks.h\"\nvolatile unsigned sink;\n";
		print "__attribute__((noinline)) void f$_(void) { work(",
		    50 + $_ % 7 * 30, ");", $_ % 20 ? " f" . ($_ - 1) . "();" : "",
		    $_ % 50 == 49 ? " f" . int($_ / 2) . "();" : "", " }\n" for 0 .. 3999;
		print "int main(void) { while (left(300)) {";
		print " f", 20 * $_ + 19, "();" for 0 .. 199;
		print " } return 0; }\n"' >many.c
	"${c[@]}" -O0 -I "$programs" -o many many.c
	for p in pie fixed static names many; do
		GMON_OUT_PREFIX="$p" "./$p"
		mv "$p".[0-9]* "$p.gmon"
	done
}

# gmon LAYOUT: x.gmon from a description on standard input.
gmon() {
	perl "$real/gmon_write.pl" "$1" >x.gmon
}

# body [OPTION...]: the records of x.gmon behind the header, but the last.
body() {
	silent prof-cat "$@" x.gmon | sed '1,/^event/d; /^event/d; $d'
}

# gives [OPTION...]: these are the records on standard input.
gives() {
	tabs >want
	body "$@" >got
	same want got
}

# symbols: nm's output from standard input, "ADDRESS TYPE NAME".
symbols() {
	while read -r addr type name; do
		printf '%016x %s %s\n' "$((addr))" "$type" "$name"
	done >syms
}

# real NAME: a file of setup_file.
real() {
	printf '%s\n' "$made/$1"
}

@test "a compressed executable has the same names, but for bzip2, in which none is read" {
	local a zip
	a=$(real fixed)
	silent prof-cat --exe "$a" "$a.gmon" | sed '/^object/d' >want
	grep -q '	main	' want
	for zip in gzip xz; do
		$zip -c "$a" >program
		silent prof-cat --exe program "$a.gmon" | sed '/^object/d' | diff want -
	done
	bzip2 -c "$a" >program
	exits_with 2 'program: it is compressed by bzip2: decompress it first' \
		prof-cat --exe program "$a.gmon"
}

# ---- real programs, and gprof ----

@test "programs of all kinds: prof-top has the times of gprof" {
	local p

	reads_executables
	for p in pie fixed static names many; do
		perl "$real/gprof.pl" "$(real $p)" "$(real $p.gmon)"
		# Printed to a hundredth of a second, ticks are rounded: more of them.
		perl "$real/gmon_times.pl" 700 <"$(real $p.gmon)" >more.gmon
		perl "$real/gprof.pl" "$(real $p)" more.gmon | tee said
		grep -Eq '^[0-9]+ functions' said
	done
	# The last one was the one of many.
	[ "$(sed 's/ functions.*//' said)" -ge 4000 ]
}

@test "cycles are gprof's, and a member's calls to outside are its own" {
	reads_executables
	perl "$real/gmon_times.pl" 700 <"$(real pie.gmon)" >more.gmon
	perl "$real/gprof.pl" "$(real pie)" more.gmon | has ' 5 in cycles$'
	gprof -b -q "$(real pie)" more.gmon >said
	grep -q 'even <cycle .> \[' said
	grep -q 'odd <cycle .> \[' said
	# What its calls cost is handed to those that call the cycle, and nothing
	# inside it.
	silent prof-cat "$(real pie)" more.gmon | spelt >x
	awk -F '\t' '$1 == "call" && $2 ~ /^odd / && $6 ~ /^even / { n++
		if ($10) exit 1 } END { if (!n) exit 1 }' x
	awk -F '\t' '$1 == "call" && $2 ~ /^main / && $6 ~ /^even / { n += $10 }
		END { if (!n) exit 1 }' x
}

@test "functions of one name in two files are two" {
	local p

	reads_executables
	for p in pie fixed static; do
		silent prof-cat "$(real $p)" "$(real $p.gmon)" >x
		awk -F '\t' -v OFS='\t' '$1 == "file" { f[$2] = $3 }
			$1 == "func" && $3 == "same" { sub(/.*\//, "", f[$4])
				print f[$4], $6 ~ /^0x[0-9a-f]+$/ }' x | sort >got
		printf 'ticks.c\t1\nticks2.c\t1\n' >want
		same want got
	done
}

@test "lines are those of the code, in inlined functions too" {
	reads_executables
	silent prof-cat "$(real pie)" "$(real pie.gmon)" | spelt >x
	awk -F '\t' '$1 == "cost" && $3 ~ /ticks.h$/ { print $4 }' x | sort -u >got
	grep -n 'while (n--)\|sink = sink' "$programs/ticks.h" | sed 's/:.*//' >want
	[ -s got ]
	[ -z "$(comm -13 <(sort want) got)" ]
	# glibc keeps the upper bits only of where a call comes from.
	awk -F '\t' '$1 == "call" && $2 ~ /^main / && $6 ~ /^second / { print $4 }' x >got
	[ "$(cat got)" -ge "$(sed -n '/^main(/=' "$programs/ticks.c")" ]
	[ "$(cat got)" -le "$(sed -n '$=' "$programs/ticks.c")" ]
	silent prof-top --by file --tsv "$(real pie)" "$(real pie.gmon)" | has 'ticks\.h'
}

@test "C++ names are demangled, and the linker's name is the key" {
	local exe gmon

	reads_executables
	exe=$(real names) gmon=$(real names.gmon)
	silent prof-cat "$exe" "$gmon" >x
	awk -F '\t' '$1 == "func" && $6 != "-" { print $6 }' x | c++filt >want
	awk -F '\t' '$1 == "func" && $6 != "-" { print $3 }' x >got
	same want got
	grep -qxF 'shapes::Box<int, 2>::grow(int)' got
	grep -qxF 'shapes::area(double)' got
	grep -qxF 'shapes::area(int)' got
	grep -qF 'shapes::(anonymous namespace)::hidden' got
	awk -F '\t' '$1 == "func" && $3 ~ /^shapes::area.int/ { print $6 }' x >got
	echo _ZN6shapes4areaEi >want
	same want got
	# As the linker has them: the same functions, without a key.
	awk -F '\t' '$1 == "func" { print $6 == "-" ? $3 : $6 }' x | sort >want
	silent prof-cat --no-demangle "$exe" "$gmon" >y
	awk -F '\t' '$1 == "func" { print $3 }' y | sort >got
	same want got
	awk -F '\t' '$1 == "func" && $6 != "-" { exit 1 }' y
}

@test "what is read without an executable are addresses, and the same sums" {
	local p

	reads_executables
	for p in pie static; do
		silent prof-cat "$(real $p.gmon)" >x
		silent prof-cat "$(real $p)" "$(real $p.gmon)" >y
		grep -q '	gmon.layout	gmon	little	64$' x
		[ "$(self_sums x)" = "$(self_sums y)" ]
		[ "$(grep -c ^call x)" = "$(grep -c ^call y)" ]
		# No cost has a function; a callee is its address.
		lacks x '^cost\t[^-]'
		lacks x '^func\t[0-9]+\t[^-]'
		same <(grep ^total x) <(grep ^total y)
	done
}

@test "a program that calls a library built with -pg is a profile of itself" {
	reads_executables
	echo 'void inner(void) { } void outer(void) { inner(); }' >lib.c
	echo 'void outer(void), inner(void); int main(void) { outer(); inner(); }' >m.c
	"${CC:-cc}" -pg -fPIC -shared -o liblib.so lib.c
	"${CC:-cc}" -g -pg -o m m.c ./liblib.so
	./m
	silent prof-cat m gmon.out | spelt | awk -F '\t' '{ print $1, $2, $8, $9 }' |
		sed 's/0x.*[0-9a-f] 1$/addr 1/' >got
	printf 'call main (%s, m) addr 1\n' "$PWD/m.c" "$PWD/m.c" >want
	same want got
}

@test "LD_PROFILE: a library's functions, and calls from elsewhere" {
	reads_executables
	echo '#include "ticks.h"
		volatile unsigned sink;
		void leaf(unsigned n) { work(n); }
		void outer(unsigned n) { work(n); leaf(n); leaf(n / 2); }' >lib.c
	echo '#include "ticks.h"
		void outer(unsigned), leaf(unsigned);
		int main(void) { int i; for (i = 0; i < 2000; i++) { outer(40000); leaf(10); } }' >m.c
	"${CC:-cc}" -g -O1 -I "$programs" -fPIC -shared -Wl,-soname,libx.so -o libx.so lib.c
	"${CC:-cc}" -g -O1 -I "$programs" -Wl,-z,lazy -o m m.c ./libx.so
	LD_LIBRARY_PATH=. LD_PROFILE=libx.so LD_PROFILE_OUTPUT=$PWD ./m
	[ "$(prof-cat --probe libx.so.profile)" = 'libx.so.profile: gmon' ]
	silent prof-cat libx.so libx.so.profile >x
	grep -q '^meta	gmon.layout	ld	little	64$' x
	spelt x | awk -F '\t' '$1 == "call" { sub(/ .*/, "", $2); sub(/ .*/, "", $6)
		print $2, $6, $9 }' | sort >got
	printf '%s\n' '- leaf 2000' '- outer 2000' 'outer leaf 2000' 'outer leaf 2000' >want
	same want got
	[ "$(self_sums x)" = "$(awk -F '\t' '$1 == "total" { print $3 }' x)" ]
	spelt x | awk -F '\t' '$1 == "cost" { sub(/ .*/, "", $2); print $2 }' | sort -u >got
	printf '%s\n' leaf outer >want
	same want got
}

# ---- where symbols come from ----

@test "an executable whose symbols cannot be read is named" {
	reads_executables
	head -c 12000 "$(real fixed)" >cut
	exits_with 2 'prof-cat: cut: ' prof-cat cut "$(real fixed.gmon)"
	"${CC:-cc}" -static -s -o static "$programs/ticks.c" "$programs/ticks2.c"
	exits_with 2 'prof-cat: static: ' prof-cat static "$(real fixed.gmon)"
}

@test "separate debug information is found by build id and by debug link" {
	local g

	reads_executables
	g=$(real fixed.gmon)
	cp "$(real fixed)" exe
	silent prof-cat exe "$g" | spelt >want
	objcopy --only-keep-debug exe exe.debug
	strip -o bare exe
	exits_with 2 'bare: no symbols of functions (stripped?)' prof-cat bare "$g"
	# The path of the object is that of the executable.
	sed 's/, exe)/, bare)/g' want >want.bare
	objcopy --add-gnu-debuglink=exe.debug bare
	silent prof-cat bare "$g" | spelt >got
	same want.bare got
	mkdir .debug
	mv exe.debug .debug/
	silent prof-cat bare "$g" | spelt >got
	same want.bare got
	rm -r .debug
	exits_with 2 'bare: no symbols of functions (stripped?)' prof-cat bare "$g"

	"${CC:-cc}" -g -O1 -Wl,--build-id -no-pie -pg -o id "$programs/ticks.c" "$programs/ticks2.c"
	local id
	id=$(readelf -n id | sed -n 's/.*Build ID: //p')
	[ -n "$id" ]
	objcopy --only-keep-debug id "id.debug"
	strip -o bare id
	mkdir -p ".build-id/${id:0:2}"
	mv id.debug ".build-id/${id:0:2}/${id:2}.debug"
	./id 100
	exits_with 2 'bare: no symbols of functions (stripped?)' prof-cat bare gmon.out
	silent prof-cat id gmon.out | spelt >want
	sed -i 's/, id)/, bare)/g' want
	# It is looked for in the system's directory only, which is root's.
	local root=/usr/lib/debug/.build-id
	if mkdir -p "$root/${id:0:2}" 2>/dev/null && [ -w "$root/${id:0:2}" ]; then
		cp ".build-id/${id:0:2}/${id:2}.debug" "$root/${id:0:2}/"
		prof-cat bare gmon.out >x || true
		rm "$root/${id:0:2}/${id:2}.debug"
		rmdir --ignore-fail-on-non-empty "$root/${id:0:2}" "$root"
		spelt x >got
		same want got
	fi
}

@test "an executable is for the files after it; two of them and theirs" {
	local a b

	reads_executables
	a=$(real pie) b=$(real names)
	silent prof-cat "$a" "$a.gmon" "$b" "$b.gmon" >x
	awk -F '\t' '$1 == "part" { print $2 } $1 == "meta" && $2 == "source" { print $3 }' x >got
	printf '%s\n' 1 "$a.gmon" 2 "$b.gmon" >want
	same want got
	silent prof-cat "$a" "$a.gmon" | spelt >want
	silent prof-cat "$b" "$b.gmon" | spelt >>want
	spelt x >got
	same want got
	# One for two files; --exe instead of it.
	silent prof-cat "$a" "$a.gmon" "$a.gmon" | spelt >got
	silent prof-cat "$a" "$a.gmon" | spelt >x
	cat x x >want
	same want got
	silent prof-cat --exe "$a" "$a.gmon" | spelt >got
	same x got
	exits_with 2 '--exe and --syms cannot be combined' \
		prof-cat --exe "$a" --syms "$a" "$a.gmon"
}

@test "an executable alone means its gmon.out" {
	local p

	reads_executables
	p=$(real pie)
	silent prof-cat "$p" "$p.gmon" | spelt | sed 's/, [^ ]*pie)/, pie)/g' >want
	mkdir beside here
	cp "$p" beside/pie
	exits_with 2 'beside/pie: an executable, but no gmon.out is in this directory or next to it' \
		prof-cat beside/pie
	lacks out '^end'
	cp "$p.gmon" beside/gmon.out
	prof-cat beside/pie 2>err | spelt | sed 's/, [^ ]*pie)/, pie)/g' >got
	same want got
	echo 'prof-cat: reading beside/gmon.out for beside/pie' >want.err
	same want.err err
	silent prof-cat --quiet beside/pie >/dev/null
	# This directory's comes first.
	cp "$(real fixed.gmon)" beside/gmon.out
	cp "$p.gmon" gmon.out
	prof-cat beside/pie 2>err | spelt | sed 's/, [^ ]*pie)/, pie)/g' >got
	same want got
	echo 'prof-cat: reading gmon.out for beside/pie' >want.err
	same want.err err
	# Behind its profile, which would be counted twice.
	exits_with 2 'beside/pie: name the executable before its profiles (./gmon.out comes before it)' \
		prof-cat ./gmon.out beside/pie
	lacks out '^end'
	exits_with 2 'beside/pie: name the executable before its profiles (gmon.out comes before it)' \
		prof-cat gmon.out beside/pie "$p" "$p.gmon"
	# The first of two executables, and the last.
	prof-cat beside/pie "$p" "$p.gmon" 2>err | spelt | sed 's/, [^ ]*pie)/, pie)/g' >got
	cat want want | same - got
	same want.err err
	# Each has its own symbols.
	mkdir other
	cp "$(real names)" other
	cp "$(real names.gmon)" other/gmon.out
	rm gmon.out
	cp "$p.gmon" beside/gmon.out
	for p in beside/pie other/names; do
		prof-cat --quiet "$p" | spelt
	done >want
	prof-cat --quiet beside/pie other/names | spelt >got
	same want got
}

@test "nm's output has the same functions as the executable" {
	local p

	reads_executables
	for p in pie static names; do
		nm "$(real $p)" >syms
		silent prof-cat "$(real $p)" "$(real $p.gmon)" >x
		silent prof-cat --syms syms "$(real $p.gmon)" >y
		# Without files and lines, and with addresses for lines.
		spelt x | awk -F '\t' -v OFS='\t' '{ sub(/ \([^ ]*$/, "", $2); sub(/ \([^ ]*$/, "", $6)
			sub(/ \([^ ]*, [^ ]*$/, "", $2); sub(/ \([^ ]*, [^ ]*$/, "", $6)
			$3 = $4 = "-"; if ($1 == "call") $7 = "-"; print }' | sort >want
		spelt y | awk -F '\t' -v OFS='\t' '{ sub(/ \([^ ]*$/, "", $2); sub(/ \([^ ]*$/, "", $6)
			sub(/ \([^ ]*, [^ ]*$/, "", $2); sub(/ \([^ ]*, [^ ]*$/, "", $6)
			print }' | sort >got
		same want got
	done
	echo nothing >syms
	exits_with 2 'syms: no symbols of functions (stripped?)' \
		prof-cat --syms syms "$(real pie.gmon)"
	exits_with 2 'none: No such file or directory' prof-cat --syms none "$(real pie.gmon)"
}

@test "of several symbols at one address it is the one that gprof takes" {
	local n

	reads_executables
	cat >x.c <<-'E'
	#include "ticks.h"
	volatile unsigned sink;
	#define AS(name) __attribute__((alias(#name)))
	void _one(unsigned n) { work(n); }
	void one(unsigned) AS(_one);
	static void two(unsigned n) { work(n); }
	void two_global(unsigned) AS(two);
	void __three(unsigned n) { work(n); }
	void _three(unsigned) AS(__three);
	void a_weak(unsigned) __attribute__((weak, alias("four")));
	void four(unsigned n) { work(n); }
	static void _five(unsigned n) { work(n); }
	static void five(unsigned) AS(_five);
	void six(unsigned n) { work(n); }
	__asm__(".globl six_label\n.set six_label, six\n");
	int main(void)
	{
		int i;
		for (i = 0; i < 300; i++) {
			_one(9); two(9); __three(9); four(9); _five(9); five(9); six(9);
		}
		while (left(50))
			work(1000);
		return 0;
	}
	E
	for n in "" -static; do
		"${CC:-cc}" -g -O0 -pg $n -I "$programs" -o x x.c
		./x
		gprof -b -p x gmon.out | awk '$4 ~ /^[0-9]+$/ && $4 >= 300 { print $NF, $4 }' |
			sort >want
		[ "$(wc -l <want)" -ge 6 ]
		silent prof-top --tsv -n 0 x gmon.out |
			awk -F '\t' 'NR > 1 && $4 >= 300 { print $1, $4 }' | sort >got
		same want got
	done
}

@test "functions of other formats are named by address, those of the executable" {
	symbols <<-'E'
	0x1000 T one
	0x2000 T two
	E
	tabs <<-'E' >x.prof
	prof  1
	part  1  positions=addr,line
	event  0  Ir  -  -  -
	object  0  /was/there/syms  -
	object  1  /lib/libc.so  -
	func  0  0x0000000000001004  -  0  -
	func  1  0x1004  -  1  -
	func  2  0x1004'2  -  0  -
	func  3  0x\x00  -  0  -
	func  4  -  -  0  -
	func  5  -  -  1  -
	func  6  0x0fff  -  0  -
	cost  0  -  3  -  1
	cost  1  -  -  -  1
	cost  2  -  -  -  1
	cost  3  -  -  -  1
	cost  4  -  -  0x2004  1
	cost  5  -  -  0x2004  1
	cost  6  -  -  -  1
	cost  -  -  -  0x1008  1
	call  4  -  -  0x2004  5  -  0x1004  1
	call  0  -  -  -  -  -  0x2008  1
	jump  -  -  -  0x2004  -  -  -  0x1004  1  2
	end
	E
	silent prof-cat --syms syms x.prof | spelt >got
	tabs <<-'E' >want
	cost  one (-, /was/there/syms)  -  3  -  1
	cost  0x1004 (-, /lib/libc.so)  -  -  -  1
	cost  one'2 (-, /was/there/syms)  -  -  -  1
	cost  0x\x00 (-, /was/there/syms)  -  -  -  1
	cost  two (-, /was/there/syms)  -  -  0x2004  1
	cost  - (-, /lib/libc.so)  -  -  0x2004  1
	cost  0x0fff (-, /was/there/syms)  -  -  -  1
	cost  one (-, /was/there/syms)  -  -  0x1008  1
	call  two (-, /was/there/syms)  -  -  0x2004  - (-, /lib/libc.so)  -  0x1004  1
	call  one (-, /was/there/syms)  -  -  -  two (-, /was/there/syms)  -  0x2008  1
	jump  two (-, /was/there/syms)  -  -  0x2004  one (-, /was/there/syms)  -  -  0x1004  1  2
	E
	same want got
}

@test "an executable of another profile is rejected" {
	reads_executables
	exits_with 2 "$(real fixed.gmon): is not a profile of $(real pie): 0x" \
		prof-cat "$(real pie)" "$(real fixed.gmon)"
	lacks out '^end'
	exits_with 2 "$(real pie.gmon): is not a profile of $(real static): 0x" \
		prof-cat --exe "$(real static)" "$(real pie.gmon)"
	"${CC:-cc}" -c -o x.o "$programs/ticks2.c"
	exits_with 2 'x.o: an ELF file, but not an executable or library' prof-cat x.o "$(real pie.gmon)"
	head -c 100 "$(real pie)" >cut
	exits_with 2 'cut: ' prof-cat cut "$(real pie.gmon)"
}

# ---- flavours ----

@test "GNU's file in all byte orders and word sizes" {
	local l order bits v

	for l in le64 be64 le32 be32; do
		order=little bits=64
		[ "${l#be}" = "$l" ] || order=big
		[ "${l%32}" = "$l" ] || bits=32
		for v in 0 1; do
			gmon $l <<-E
			magic $v
			hist 0x8000 0x8010 4 100 seconds s
			bins 0 7 0 65535
			arc 0x8004 0x8008 4294967295
			arc 0x8005 0x8008 1
			E
			[ "$(prof-cat --probe x.gmon)" = 'x.gmon: gmon' ]
			silent prof-cat x.gmon >got
			tabs <<-E >want
			prof  1
			part  1  positions=addr
			meta  format  gmon
			meta  gmon.layout  gmon  $order  $bits
			meta  gmon.hist  0x8000  0x8010  4  100  seconds  s
			event  0  time  s  -  -  calls=propagated  sample=1000000  scale=1/100000000
			cost  -  -  -  0x8004  7000000
			cost  -  -  -  0x800c  65535000000
			func  0  -  -  -  0x8008
			call  -  -  -  0x8004  0  -  0x8008  4294967295  0
			call  -  -  -  0x8005  0  -  0x8008  1  0
			total  run  65542000000
			end
			E
			same want got
		done
	done
}

@test "basic blocks: with names in version 0; their number of 4 or 8 bytes" {
	local l

	for l in le64 be64 le32 be32; do
		gmon $l <<-'E'
		magic 0
		hist 0x8000 0x8010 4 100 seconds s
		bins 0 1 0 0
		blocks 2
		block 0x8000 5 a.c main 12
		block 0x8008 4000000000 b.c other 1
		E
		gives <<-'E'
		cost  -  -  -  0x8004  1000000
		cost  -  -  -  0x8000  0  5
		cost  -  -  -  0x8008  0  4000000000
		total  run  1000000  4000000005
		E
		silent prof-cat x.gmon | has '^event	1	blocks	-	-	executions of basic blocks	calls=absent$'
		# A number of 8 bytes is what glibc writes of a long.
		for n in blocks ${l:2}; do
			n=${n/64/blocks64}
			[ "$n" != 32 ] || continue
			gmon $l <<-E
			magic 1
			$n 3
			block 0x8000 5
			block 0x8004 0
			block 0x8008 6
			arc 0x8000 0x8008 2
			E
			prof-cat x.gmon 2>err | grep '^cost\|^call' >got
			tabs <<-'E' >want
			cost  -  -  -  0x8000  0  5
			cost  -  -  -  0x8004  0  0
			cost  -  -  -  0x8008  0  6
			call  -  -  -  0x8000  0  -  0x8008  2  0
			E
			same want got
			echo 'prof-cat: warning: x.gmon: no histogram: only calls are known' >want
			same want err
		done
	done
}

@test "4.4BSD's file, bins of 8, 16, 32 and 64 bits" {
	local l bits n s

	for l in le64 be64 le32 be32; do
		while read -r bits n s; do
			gmon $l <<-E
			bsd44 0x8000 0x8010 $((4 * n)) 128 $bits
			bins$s 0 7 0 60000
			long 0x8004 0x8008 3
			long 0x8006 0x8008 4294967295
			E
			[ "$(prof-cat --probe x.gmon)" = 'x.gmon: gmon-bsd44' ]
			gives <<-'E'
			cost  -  -  -  0x8004  7000000
			cost  -  -  -  0x800c  60000000000
			func  0  -  -  -  0x8008
			call  -  -  -  0x8004  0  -  0x8008  3  0
			call  -  -  -  0x8006  0  -  0x8008  4294967295  0
			total  run  60007000000
			E
			silent prof-cat x.gmon | has 'scale=1/128000000$'
			prof-cat --from gmon-bsd44 x.gmon | same <(prof-cat x.gmon) -
		done <<-'E'
		0 2
		16 2
		32 4 32
		-32 4 32
		64 8 64
		E
	done
	gmon le64 <<-'E'
	bsd44 0x8000 0x8008 8 0 -32
	bins32 1 0xffffffff
	E
	exits_with 2 'x.gmon: byte 44: bin 1 is negative' prof-cat x.gmon
	lacks out '^end'
	gmon le64 <<-'E'
	bsd44 0x8000 0x8010 4 100 8
	bins8 0 7 0 255
	E
	gives <<-'E'
	cost  -  -  -  0x8004  7000000
	cost  -  -  -  0x800c  255000000
	total  run  262000000
	E
	# pmcstat tells no rate: ticks.
	gmon le64 <<-'E'
	bsd44 0x8000 0x8008 4 0 16
	bins 1 2
	E
	silent prof-cat x.gmon | has '^event	0	time	ticks	-	-	calls=propagated	sample=1000000	scale=1/1000000$'
}

junk_note='the spare words of the header are not initialised, as with MinGW: bins are read as 16 bits'
narrow_note='calls are counted in 32 bits, as on Windows: the upper halves of the counts are read as padding'

@test "4.4BSD's spare words that MinGW has not initialised mean nothing" {
	local l spare f="$repo/share/examples/calc.gmon-bsd44"

	perl -0777 -pe 'substr($_, 20, 4) = "\0\0\x7f\xf8"' "$f" >x.gmon
	silent prof-cat "$f" >want
	prof-cat x.gmon >got 2>err
	same want got
	[ "$(cat err)" = "prof-cat: x.gmon: $junk_note" ]
	for l in le64 be64 le32 be32; do
		while read -r spare; do
			gmon $l <<-E
			bsd44 0x8000 0x8010 8 100 $spare
			bins 0 7 0 60000
			long 0x8004 0x8008 3
			E
			prof-cat x.gmon 2>err | grep '^cost\|^call\|^total' >got
			tabs <<-'E' >want
			cost  -  -  -  0x8004  7000000
			cost  -  -  -  0x800c  60000000000
			call  -  -  -  0x8004  0  -  0x8008  3  0
			total  run  60007000000
			E
			same want got
			[ "$(cat err)" = "prof-cat: x.gmon: $junk_note" ]
		done <<-'E'
		964 969 969
		8 0x764f6e3d 0x20
		-2 0x762f98da 0x49ad8d
		-2147483648 0 0
		0 0 0x20
		24 0 0
		E
	done
}

@test "Windows' counts of calls have 32 bits, and padding after them" {
	local spare
	# counts BITS [SPARE SPARE]: what comes of the arcs on standard input.
	counts() {
		{ printf '%s\n' "bsd44 0x8000 0x8010 8 100 $*" 'bins 0 0 0 0'; cat; } |
			gmon ${l:-le64}
		prof-cat x.gmon 2>err | awk -F '\t' '$1 == "call" { print $9 }' | xargs >got
	}
	# Nothing else in the header, or junk there, and one arc or more.
	for spare in '0 0 0' '964 969 969'; do
		counts $spare <<-'E'
		long 0x8004 0x8008 0x3b800000001
		long 0x8008 0x800c 0x3b8ffffffff
		long 0x8008 0x8004 0x3b800000000
		E
		[ "$(cat got)" = '1 4294967295 0' ]
		[ "$(grep -v 'spare words' err)" = "prof-cat: warning: x.gmon: $narrow_note" ]
	done
	counts 964 0 0 <<<'long 0x8004 0x8008 0x3b800000001'
	[ "$(cat got)" = 1 ]
	# Words have 64 bits where they are not alike, where the header is FreeBSD's, and
	# in the other byte order.
	counts 0 <<-'E'
	long 0x8004 0x8008 0x100000005
	long 0x8008 0x800c 1
	E
	[ "$(cat got)" = '4294967301 1' ]
	[ ! -s err ]
	counts 0 <<<'long 0x8004 0x8008 0x100000005'
	[ "$(cat got)" = 4294967301 ]
	counts 16 <<-'E'
	long 0x8004 0x8008 0x100000005
	long 0x8008 0x800c 0x100000001
	E
	[ "$(cat got)" = '4294967301 4294967297' ]
	[ ! -s err ]
	# What prof-to writes says so itself, for whoever cannot ask.
	silent prof-cat x.gmon >want
	prof-to gmon-bsd44 x.gmon | silent prof-cat | same want -
	l=be64 counts 964 0 0 <<<'long 0x8004 0x8008 0x3b800000001'
	[ "$(cat got)" = 4088808865793 ]
}

@test "a file as before 4.4BSD" {
	local l

	for l in le64 be64 le32 be32; do
		gmon $l <<-'E'
		bsd 0x8000 0x8010 8
		bins 0 7 0 60000
		long 0x8004 0x8008 3
		E
		[ "$(prof-cat --probe x.gmon)" = 'x.gmon: gmon-bsd' ]
		gives <<-'E'
		cost  -  -  -  0x8004  7000000
		cost  -  -  -  0x800c  60000000000
		func  0  -  -  -  0x8008
		call  -  -  -  0x8004  0  -  0x8008  3  0
		total  run  60007000000
		E
		prof-cat --from gmon-bsd x.gmon | same <(prof-cat x.gmon) -
		silent prof-cat x.gmon | has "^meta	gmon.layout	bsd	"
		exits_with 2 'x.gmon: byte ' prof-cat --from gmon-bsd44 x.gmon
	done
}

@test "LD_PROFILE's file: arcs count from the histogram's beginning" {
	local l

	for l in le64 be64 le32 be32; do
		gmon $l <<-'E'
		magic 0x1ffff
		u32 0
		E
		perl -e 'local $/; $_ = <STDIN>; print substr($_, 1)' >hist < <(
			perl "$real/gmon_write.pl" $l <<-'E'
			hist 0x8000 0x8010 4 100 seconds s
			E
		)
		{
			cat x.gmon hist
			perl "$real/gmon_write.pl" $l <<-'E'
			bins 0 7 0 1
			u32 1
			u32 2
			bare 0x4 0x8 3
			bare 0 0x8 1
			bare 0 0 0
			bare 0 0 0
			E
		} >y.gmon
		mv y.gmon x.gmon
		[ "$(prof-cat --probe x.gmon)" = 'x.gmon: gmon' ]
		gives <<-'E'
		cost  -  -  -  0x8004  7000000
		cost  -  -  -  0x800c  1000000
		func  0  -  -  -  0x8008
		call  -  -  -  0x8004  0  -  0x8008  3  0
		call  -  -  -  0x0  0  -  0x8008  1  0
		total  run  8000000
		E
		# What comes after the zeros is no part of it.
		cat x.gmon x.gmon >y.gmon
		exits_with 2 "byte $(wc -c <x.gmon): expected zeros after the arcs: if several files were put together with cat, merge them with prof-merge" \
			prof-cat y.gmon
	done
}

@test "files that are none are not taken for old ones" {
	head -c 3000 /dev/zero >zeros
	perl -e 'print pack "Q<*", map { $_ * 0x10001 } 1 .. 400' >numbers
	printf 'a line of text that is long enough to be a header\n' >text
	for f in zeros numbers text "$(command -v perl)"; do
		prof-cat --probe "$f" >out 2>err || true
		lacks out gmon
	done
	# A header alone is not enough, nor is one that fits with what does not.
	gmon le32 <<<'bsd 0x8000 0x8010 8'
	[ "$(prof-cat --probe x.gmon)" = 'x.gmon: unknown' ]
	head -c 8 /dev/zero >>x.gmon
	[ "$(prof-cat --probe x.gmon)" = 'x.gmon: gmon-bsd' ]
	perl -e 'print pack "L<3", 0x8004, 0x9000, 1' >>x.gmon
	[ "$(prof-cat --probe x.gmon)" = 'x.gmon: gmon-bsd' ]
	[ "$(prof-cat --probe <x.gmon)" = 'standard input: gmon-bsd' ]
	[ "$(gzip -c x.gmon | prof-cat --probe)" = 'standard input: gmon-bsd, gzip' ]
	perl -e 'print pack "L<3", 0x7004, 0x9000, 1' >>x.gmon
	exits_with 2 'x.gmon: unknown format' prof-cat x.gmon
	exits_with 2 'x.gmon: byte 32: an arc from 0x7004 to 0x9000, neither of which is in the histogram' \
		prof-cat --from gmon-bsd x.gmon
	gmon le32 <<-'E'
	bsd 0x8000 0x8100 8
	bins 0 0 0 0
	E
	[ "$(prof-cat --probe x.gmon)" = 'x.gmon: unknown' ]
	# One that is larger than what is looked at first.
	{
		echo 'bsd 0x8000 0x88000 262144'
		seq 131072 | sed 's/.*/bins 1/'
		echo 'long 0x8004 0x8008 3'
	} | gmon be64
	[ "$(prof-cat --probe x.gmon)" = 'x.gmon: gmon-bsd' ]
	head -c -1 x.gmon >y.gmon
	exits_with 2 'y.gmon: unknown format' prof-cat y.gmon
	exits_with 2 'zeros: ' prof-cat --from gmon zeros
	exits_with 2 'zeros: ' prof-cat --from gmon-bsd zeros
	exits_with 2 'text: ' prof-cat --from gmon-bsd44 text
}

# ---- histograms ----

@test "histograms of equal ranges are summed, beyond 16 bits" {
	gmon le64 <<-'E'
	magic 1
	hist 0x8000 0x8008 2 100 seconds s
	bins 65535 1
	arc 0x8000 0x8004 1
	hist 0x8000 0x8008 2 100 seconds s
	bins 65535 0
	hist 0x9000 0x9008 2 100 seconds s
	bins 0 3
	hist 0x8000 0x8008 2 100 seconds s
	bins 1 0
	E
	gives <<-'E'
	cost  -  -  -  0x8000  131071000000
	cost  -  -  -  0x8004  1000000
	cost  -  -  -  0x9004  3000000
	func  0  -  -  -  0x8004
	call  -  -  -  0x8000  0  -  0x8004  1  0
	total  run  131075000000
	E
	silent prof-cat x.gmon | grep '^meta	gmon.hist' >got
	tabs <<-'E' >want
	meta  gmon.hist  0x8000  0x8008  2  100  seconds  s
	meta  gmon.hist  0x9000  0x9008  2  100  seconds  s
	E
	same want got
}

@test "histograms that do not go together are an error that names both" {
	local second text

	while IFS='|' read -r second text; do
		gmon le64 <<-E
		magic 1
		hist 0x8000 0x8010 4 100 seconds s
		bins 0 0 0 0
		$second
		bins 1 2 3 4 5
		E
		exits_with 2 "x.gmon: byte 69: $text" prof-cat x.gmon
		lacks out '^end'
	done <<-'E'
	hist 0x8008 0x8018 4 100 seconds s|histograms overlap: 0x8000 to 0x8010, and 0x8008 to 0x8018, of 4 and 4 bins
	hist 0x8000 0x8010 5 100 seconds s|histograms overlap: 0x8000 to 0x8010, and 0x8000 to 0x8010, of 4 and 5 bins
	hist 0x9000 0x9020 4 100 seconds s|histograms with bins of different widths: 0x8000 to 0x8010, and 0x9000 to 0x9020
	hist 0x9000 0x9010 4 100 pages p|a histogram of 'pages' after one of 'seconds'
	hist 0x9000 0x9000 4 100 seconds s|a histogram without addresses: from 0x9000 to 0x9000
	hist 0x9010 0x9000 4 100 seconds s|a histogram without addresses: from 0x9010 to 0x9000
	E
	shape gmon:histograms-back 1000 >x.gmon
	[ "$(prof-cat x.gmon | grep -c '^meta	gmon.hist')" = 1000 ]
	shape gmon:histograms-back 1001 >x.gmon
	exits_with 2 'x.gmon: byte 43020: more than 1000 histograms of different addresses' prof-cat x.gmon
}

@test "histograms of different rates: the first one's holds, and is warned of" {
	gmon le64 <<-'E'
	magic 1
	hist 0x8000 0x8008 2 100 seconds s
	bins 1 0
	hist 0x8000 0x8008 2 250 seconds s
	bins 1 0
	E
	prof-cat x.gmon >got 2>err
	echo "prof-cat: warning: x.gmon: histograms have different rates: the first one's is used for all" >want
	same want err
	grep -q 'scale=1/100000000$' got
	grep -q '^cost	-	-	-	0x8000	2000000$' got
}

@test "other dimensions than seconds are another event" {
	gmon le64 <<-'E'
	magic 1
	hist 0x8000 0x8008 2 10 pages p
	bins 1 0
	E
	silent prof-cat x.gmon | has '^event	0	pages	-	-	-	calls=propagated	sample=1000000	scale=1/10000000$'
}

@test "bins whose width is no whole number begin where they do" {
	gmon le64 <<-'E'
	magic 1
	hist 0x8000 0x800a 4 100 seconds s
	bins 1 2 3 4
	E
	# Of 2.5 bytes: from 0, 2.5, 5 and 7.5, the first whole bytes.
	gives <<-'E'
	cost  -  -  -  0x8000  1000000
	cost  -  -  -  0x8003  2000000
	cost  -  -  -  0x8005  3000000
	cost  -  -  -  0x8008  4000000
	total  run  10000000
	E
	gmon le64 <<-'E'
	magic 1
	hist 0x8000 0x8003 4 100 seconds s
	bins 1 2 3 4
	E
	exits_with 2 'byte 20: a histogram with more bins (4) than addresses: from 0x8000 to 0x8003' prof-cat x.gmon
}

@test "a bin over several functions is split by largest remainder" {
	symbols <<-'E'
	0x8000 T first
	0x8002 t second
	0x8006 T third
	E
	# Shares of 2, 4 and 2 eighths; ties go to the lower address.
	while read -r ticks a b c; do
		gmon le64 <<-E
		magic 1
		hist 0x8000 0x8008 1 100 seconds s
		bins $ticks
		E
		silent prof-cat --syms syms x.gmon |
			awk -F '\t' '$1 == "cost" { print $5, $6 }' >got
		printf '%s\n' "0x8000 ${a}000000" "0x8002 ${b}000000" "0x8006 ${c}000000" |
			grep -v ' 0000000$' >want
		same want got
	done <<-'E'
	8 2 4 2
	1 0 1 0
	2 1 1 0
	3 1 1 1
	5 1 3 1
	6 2 3 1
	7 2 3 2
	65535 16384 32767 16384
	E
	# Behind the first two bytes nobody is known.
	symbols <<-'E'
	0x8004 T only
	E
	gmon le64 <<-'E'
	magic 1
	hist 0x8000 0x8008 1 100 seconds s
	bins 5
	E
	gives --syms syms <<-'E'
	object  0  syms  -
	func  0  -  -  0  -
	cost  0  -  -  0x8000  3000000
	func  1  only  -  0  -
	cost  1  -  -  0x8004  2000000
	total  run  5000000
	E
}

@test "a bin over a whole program is split among all of its functions" {
	perl -e 'printf "%016x T f%d\n", 0x8000 + 2 * $_, $_ for 0 .. 999' >syms
	gmon le64 <<-'E'
	magic 1
	hist 0x8000 0x87d0 1 100 seconds s
	bins 3000
	E
	silent prof-cat --syms syms x.gmon | awk -F '\t' '$1 == "cost" { print $6 }' |
		sort | uniq -c | tr -s ' ' >got
	echo ' 1000 3000000' >want
	same want got
}

@test "a bin that reaches far beyond a program is split, too" {
	local n addr

	reads_executables
	n=$(real static)
	addr=$(nm "$n" | sed -n 's/^\([0-9a-f]*\) T main$/\1/p')
	gmon le64 <<-E
	magic 1
	hist 0x$addr 0x7fffffffffffffff 1 100 seconds s
	bins 65535
	E
	silent timeout 20 prof-cat "$n" x.gmon >x
	[ "$(self_sums x)" = 65535000000 ]
}

# ---- calls ----

@test "time is handed to callers by their share of the calls, in whole numbers" {
	symbols <<-'E'
	0x8000 T main
	0x8010 T other
	0x8020 T leaf
	E
	gmon le64 <<-'E'
	magic 1
	hist 0x8000 0x8030 12 100 seconds s
	bins 1 0 0 0 2 0 0 0 4 0 0 0
	arc 0x8004 0x8020 1
	arc 0x8014 0x8020 1
	arc 0x8018 0x8020 1
	arc 0x8008 0x8010 5
	arc 0x8014 0x8010 7	# itself
	E
	# 4 ticks by three calls: 1333334 and twice 1333333.
	silent prof-cat --syms syms x.gmon | grep '^call' >got
	tabs <<-'E' >want
	call  0  -  -  0x8004  2  -  0x8020  1  1333334
	call  1  -  -  0x8014  2  -  0x8020  1  1333333
	call  1  -  -  0x8018  2  -  0x8020  1  1333333
	call  0  -  -  0x8008  1  -  0x8010  5  4666666
	call  1  -  -  0x8014  1  -  0x8010  7  0
	E
	same want got
	silent prof-top --tsv --syms syms x.gmon | cut -f 1,4-6 >got
	tabs <<-'E' >want
	function  calls  time  time.incl
	leaf  3  4000000  4000000
	other  5  2000000  4666666
	main  0  1000000  7000000
	E
	same want got
}

@test "a cycle's time is shared among those that call it from outside" {
	symbols <<-'E'
	0x8000 T main
	0x8010 T ping
	0x8020 T pong
	0x8030 T leaf
	E
	gmon le64 <<-'E'
	magic 1
	hist 0x8000 0x8040 4 100 seconds s
	bins 1 10 20 30
	arc 0x8004 0x8010 1
	arc 0x8008 0x8020 3
	arc 0x8014 0x8020 9
	arc 0x8024 0x8010 9
	arc 0x8014 0x8030 1
	arc 0x8024 0x8030 2
	E
	silent prof-cat --syms syms x.gmon | awk -F '\t' '$1 == "call" { print $10 }' >got
	printf '%s000000\n' 15 45 0 0 10 20 | sed 's/^0*$/0/' >want
	same want got
	silent prof-top --tsv --syms syms x.gmon | cut -f 1,4-6 >got
	tabs <<-'E' >want
	function  calls  time  time.incl
	leaf  3  30000000  30000000
	pong  12  20000000  40000000
	ping  10  10000000  20000000
	main  0  1000000  61000000
	E
	same want got
}

@test "an arc with a count of 0 makes no cycle" {
	symbols <<-'E'
	0x8000 T main
	0x8010 T leaf
	E
	gmon le64 <<-'E'
	magic 1
	hist 0x8000 0x8020 2 100 seconds s
	bins 1 2
	arc 0x8004 0x8010 7
	arc 0x8014 0x8000 0
	E
	silent prof-top --tsv --syms syms x.gmon | cut -f 1,4-6 >got
	tabs <<-'E' >want
	function  calls  time  time.incl
	leaf  7  2000000  2000000
	main  0  1000000  3000000
	E
	same want got
}

# ---- bad files ----

@test "errors in a file are reported with the byte" {
	local at text what

	while IFS='|' read -r at text what; do
		tr ';' '\n' <<<"$what" | gmon le64
		exits_with 2 "prof-cat: x.gmon: byte $at: $text" prof-cat x.gmon
		lacks out '^end'
	done <<-'E'
	4|format version 2 is not supported, only 0 and 1 are|magic 2
	20|expected the tag of a record (0, 1 or 2), found 7|magic 1;u8 7
	41|expected the tag of a record (0, 1 or 2), found 3|magic 1;arc 0x8000 0x8004 1;u8 3;u8 0
	66|the file is truncated: a histogram has 4 bins, but only 2 are there|magic 1;hist 0x8000 0x8010 4 100 seconds s;bins 1 2;u8 1
	61|the file is truncated: a histogram has 4294967295 bins, but only 0 are there|magic 1;hist 0x8000 0x800000000000 4294967295 100 seconds s
	34|the file is truncated: in the header of a histogram|magic 1;u8 0;u32 1;u32 2;u32 3;u8 0
	20|a histogram whose dimension is not text|magic 1;hist 0x8000 0x8010 4 100 sec\x01 s;bins 1 2 3 4
	E
}

@test "a file that is truncated is not silently whole, but where a record ends" {
	local n size

	gmon le64 <<-'E'
	magic 1
	hist 0x8000 0x8010 4 100 seconds s
	bins 1 2 3 4
	arc 0x8004 0x8008 5
	arc 0x8004 0x800c 6
	blocks 2
	block 0x8000 3
	block 0x8004 4
	E
	mv x.gmon whole
	size=$(wc -c <whole)
	# The header; the histogram; the arcs.  There is no mark of the end.
	for ((n = 1; n < size; n++)); do
		head -c $n whole >x.gmon
		case $n in
		20 | 69 | 90 | 111)
			prof-cat x.gmon >out 2>err
			tail -n 1 out | has -x end
			;;
		*)
			exits_with 2 'prof-cat: x.gmon: ' prof-cat x.gmon
			lacks out '^end'
			[ $n -lt 8 ] || has "x.gmon: byte $n: the file is truncated: " err
			;;
		esac
	done
	prof-cat whole >/dev/null
	for l in 'bsd44 0x8000 0x8010 8 100 0' 'bsd 0x8000 0x8010 8'; do
		gmon le64 <<-E
		$l
		bins 1 2 3 4
		long 0x8004 0x8008 5
		E
		mv x.gmon whole
		size=$(wc -c <whole)
		for ((n = 1; n < size; n++)); do
			[ $n -ne $((size - 24)) ] || continue
			head -c $n whole >x.gmon
			exits_with 2 'x.gmon: byte ' prof-cat --from "gmon-${l%% *}" x.gmon
			lacks out '^end'
			[ $n -lt 40 ] || has "byte $n: the file is truncated: " err
		done
	done
}

@test "nothing is allocated for counts that cannot be" {
	local l what limit=300000

	while IFS='|' read -r l what; do
		tr ';' '\n' <<<"$what" | gmon $l
		exits_with 2 'the file is truncated: ' limited $limit prof-cat x.gmon
	done <<-'E'
	le64|magic 1;hist 0x8000 0x800000000000 4294967295 100 seconds s;bins 1 2 3
	be32|magic 1;hist 0x8000 0x80000000 4294967295 100 seconds s;bins 1 2 3
	le64|magic 1;blocks 4294967295;block 1 2
	le64|magic 1;blocks64 0xffffffffffffffff;block 1 2;block 3 4
	le64|magic 0;blocks 4294967295;block 1 2 a b 3
	E
	gmon le64 <<-'E'
	bsd44 0x8000 0x7fffffff0000 2147483600 100 0
	bins 1 2
	E
	exits_with 2 'the file is truncated: ' limited $limit prof-cat x.gmon
	gmon le64 <<-'E'
	bsd 0x8000 0x7fffffff 2147483600
	bins 1 2
	E
	exits_with 2 'the file is truncated: ' limited $limit prof-cat --from gmon-bsd x.gmon
}

@test "a file that ends after its header has neither time nor calls" {
	gmon le64 <<<'magic 1'
	prof-top --tsv x.gmon >got 2>err
	echo 'prof-top: warning: x.gmon: no histogram: only calls are known' >want
	same want err
	[ "$(wc -l <got)" -eq 1 ]
}

# ---- profiles of other formats ----

@test "a profile of several objects needs the executable, whose functions it keeps" {
	reads_executables
	tabs >x.prof <<-'E'
	prof  1
	part  1  positions=addr
	event  0  Ir  -  -  -
	object  0  /usr/bin/many  -
	object  1  /lib/libc.so  -
	func  0  main  -  0  -
	func  1  malloc  -  1  -
	cost  0  -  -  0x1000  7
	cost  1  -  -  0x1000  5
	call  0  -  -  0x1004  1  -  0x1000  1  5
	end
	E
	exits_with 2 "prof-to: gmon: function 'malloc': a file holds one object" prof-to gmon x.prof
	prof-to gmon --exe "$(real many)" x.prof -o x.gmon 2>note
	[ "$(cat note)" = 'prof-to: gmon cannot hold: costs of functions not in the executable (1), calls of functions not in the executable (1)' ]
	[ "$(prof-cat x.gmon | grep -c '^cost')" = 1 ]
}

@test "costs without addresses go where the executable has their function" {
	reads_executables
	tabs >x.prof <<-'E'
	prof  1
	part  1  positions=line
	event  0  Ir  -  -  -
	func  0  main  -  -  -
	func  1  f7'2  -  -  -
	cost  0  -  1  -  7
	cost  1  -  2  -  5
	call  0  -  1  -  1  -  -  3  5
	end
	E
	exits_with 2 'addresses are needed: give the executable with --exe' prof-to gmon x.prof
	prof-to gmon --exe "$(real many)" x.prof -o x.gmon 2>note
	[ "$(cat note)" = 'prof-to: gmon cannot hold: inclusive costs of calls (1)' ]
	gprof -b -p "$(real many)" x.gmon | awk '$NF == "main" || $NF == "f7" { print $NF, $3 }' |
		sort >got
	printf 'f7 5.00\nmain 7.00\n' >want
	same want got
	prof-top --tsv "$(real many)" x.gmon | awk -F '\t' '$1 == "f7" { print $4, $5 }' >got
	echo '3 5000000' >want
	same want got
}

@test "functions that Callgrind knows by their address are named, of the executable alone" {
	local at

	reads_executables
	at=$(nm "$(real fixed)" | awk '$3 == "main" { print $1 }')
	tabs >x.prof <<-E
	prof  1
	part  1  positions=line
	event  0  Ir  -  -  -
	object  0  /elsewhere/fixed  -
	object  1  /lib/other  -
	func  0  0x$at  -  0  -
	func  1  0x$at'2  -  0  -
	func  2  0x$at  -  1  -
	cost  0  -  -  -  7
	cost  1  -  -  -  5
	cost  2  -  -  -  3
	end
	E
	prof-top --tsv --by function,object --exe "$(real fixed)" x.prof |
		awk -F '\t' 'NR > 1 { print $1, $3, $5 }' >got
	tabs >want <<-E
	main /elsewhere/fixed 7
	main'2 /elsewhere/fixed 5
	0x$at /lib/other 3
	E
	same want got
	# Of another program nothing is named, and that is said.
	prof-top --exe "$(real fixed)" x.prof 2>note >got
	[ "$(cat note)" = 'prof-top: 20.00 % of Ir in other has no names: keep its symbols, or see --exe' ]
	sed -i 's,/elsewhere/fixed,/elsewhere/built-anew,' x.prof
	prof-top --exe "$(real fixed)" x.prof 2>note >got
	grep -q "^prof-top: no function is in an object named '.*fixed': its symbols are not used$" note
	lacks got main
	# Nor of another build.
	awk -F '\t' -v OFS='\t' '$1 == "object" && $2 == 0 { $3 = "/elsewhere/fixed"; $4 = "0102030405060708" } 1' \
		x.prof >y.prof
	prof-top --exe "$(real fixed)" y.prof 2>note >got
	grep -c '^prof-top: warning: .*fixed is not used for /elsewhere/fixed: its build ID is .*, but the profile.s is 0102030405060708: ' note |
		has -x 1
	lacks note 'no function is in an object'
	lacks got main
}

@test "--layout chooses byte order and word size, the format's name the flavour" {
	gmon le64 <<-'E'
	magic 1
	hist 0x8000 0x8010 4 100 seconds s
	bins 0 7 0 65535
	arc 0x8004 0x8008 3
	E
	prof-cat x.gmon | grep -v gmon.layout >want
	for l in little32 little64 big32 big64; do
		for f in gmon gmon-bsd44; do
			prof-to $f --layout $l x.gmon -o y.gmon
			prof-cat y.gmon >y.prof
			grep -q "gmon.layout	.*	${l%??}	${l#${l%??}}\$" y.prof
			grep -v gmon.layout y.prof >got
			same want got
		done
	done
	exits_with 2 '--layout is only for gmon' prof-to callgrind --layout big32 x.gmon
}

@test "prof-top reports where to get names if functions have none" {
	gmon le64 <<-'E'
	magic 1
	hist 0x8000 0x8010 4 100 seconds s
	bins 0 7 0 1
	E
	prof-top x.gmon 2>note
	[ "$(cat note)" = 'prof-top: no function has a name: give the executable with --exe' ]
	silent prof-top --by addr x.gmon >got
	grep -q '0x8004' got
	silent prof-top --quiet x.gmon >got
}

@test "one of several functions of a name is written at the address in its key" {
	symbols <<-'E'
	0x8000 t work
	0x8010 T main
	0x8020 t work
	E
	tabs >x.prof <<-'E'
	prof  1
	part  1
	event  0  time  s  -  -  scale=1/100
	func  0  work  -  -  0x8000
	func  1  work'2  -  -  0x8020
	func  2  work  -  -  0x8010
	func  3  work  -  -  0x8024
	func  4  work  -  -  -
	cost  0  -  -  -  3
	cost  1  -  -  -  4
	cost  2  -  -  -  10
	cost  3  -  -  -  20
	cost  4  -  -  -  40
	end
	E
	prof-to gmon --syms syms x.prof >x.gmon 2>note
	grep -q ': costs of functions not in the executable (3)$' note
	silent prof-cat --syms syms x.gmon | awk '$1 == "cost" { print $5, $6 }' >got
	printf '%s\n' '0x8000 3000000' '0x8020 4000000' >want
	same want got
}

@test "names of C++, Rust (old and new) and D are demangled, linker names are keys" {
	if prof-cat --version | has 'no libiberty'; then skip 'built without libiberty'; fi
	# Each parameter is written out, and referred to where it is: the next ones are no longer.
	local i params=
	for ((i = 0; i < 30; i++)); do params+=S1a1bQf; done
	symbols <<-E
	0x8000 T _RNvNtCs1234_7mycrate3foo3bar
	0x8004 T _D3std5stdio5writeFZv
	0x8008 t _ZN7mycrate3foo17h0123456789abcdefE
	0x800c T _ZN3FooIiE3barEv
	0x8010 T _D1m1fF${params}Zv
	E
	gmon le64 <<-'E'
	magic 1
	hist 0x8000 0x8014 5 100 seconds s
	bins 1 2 3 4 5
	E
	silent prof-cat --syms syms x.gmon >x
	grep '^func' x | cut -f 3,6 >got
	tabs >want <<-E
	mycrate::foo::bar  _RNvNtCs1234_7mycrate3foo3bar
	std.stdio.write()  _D3std5stdio5writeFZv
	mycrate::foo  _ZN7mycrate3foo17h0123456789abcdefE
	Foo<int>::bar()  _ZN3FooIiE3barEv
	$(c++filt --format=dlang "_D1m1fF${params}Zv")  _D1m1fF${params}Zv
	E
	same want got
	silent prof-cat --no-demangle --syms syms x.gmon >x
	grep -q '	_ZN3FooIiE3barEv	-	0	-$' x
}

# Of a hundred bytes they would become gigabytes.
@test "names that would become too long stay as the linker has them" {
	bombs() {
		perl -e 'require shift; print "$_\n" for bombs(@ARGV)' \
			"$repo/tests/cost/shapes.pl" "$1"
	}
	{ bombs 1; bombs 26; } | awk '{ printf "%016x T %s\n", 4080 + 16 * NR, $0 }' >symbols.nm
	shape gmon:arcs-chain 7 >x.gmon
	brief 5 limited 131072 prof-cat --quiet --syms symbols.nm x.gmon >x
	grep '^func' x | cut -f 3 | sort >got
	{
		bombs 26
		cat <<-'E'
		a.b(int[int], int[int][int[int]])
		a::<(u8, u8), ((u8, u8), (u8, u8))>
		f(std::pair<int, int>, std::pair<std::pair<int, int>, std::pair<int, int> >)
		E
	} | sort | same - got
}

@test "names of D are read up to 32,768 bytes" {
	if prof-cat --version | has 'no libiberty'; then skip 'built without libiberty'; fi
	local n long
	for n in 32760 32761; do
		long=$(printf "%${n}s" '' | tr ' ' a)
		echo "0x8000 T _D$n${long}i" | symbols
		gmon le64 <<-'E'
		magic 1
		hist 0x8000 0x8004 1 100 seconds s
		bins 1
		E
		prof-cat --quiet --syms syms x.gmon | sed -n 's/^func\t0\t\([^\t]*\).*/\1/p' >got
		if [ $n = 32760 ]; then echo "$long"; else echo "_D$n${long}i"; fi | same - got
	done
}

@test "a histogram that no file can hold is rejected when it is written" {
	local hist

	while read -r hist; do
		tabs <<-E | sed "s/HIST/$hist/" | tr ' ' '\t' >x.prof
		prof  1
		part  1
		meta  gmon.hist  HIST  seconds  s
		event  0  time  s  -  -  scale=1/100
		cost  -  -  -  0x1000  5
		end
		E
		exits_with 2 'gmon: malformed metadata gmon.hist' prof-to gmon x.prof
	done <<-'E'
	0x1000 0x1010 8 4294967296
	0x1000 0x1010 4294967296 100
	0x1000 0x1010 17 100
	0x1010 0x1000 8 100
	0x100g 0x1010 8 100
	0x1000 - 8 100
	0x1000 0x1010 08 100
	0x1000 0x1010 -8 100
	E
}

@test "a layout that no file can have is rejected when it is written" {
	local layout

	for layout in 'mips little 64' 'gmon middle 64' 'gmon little 16' 'gmon little' -; do
		tabs <<-E | sed "s/LAYOUT/$layout/" | tr ' ' '\t' >x.prof
		prof  1
		part  1
		meta  gmon.layout  LAYOUT
		event  0  time  s  -  -  scale=1/100
		cost  -  -  -  0x1000  5
		end
		E
		exits_with 2 'gmon: malformed metadata gmon.layout' prof-to gmon x.prof
	done
}

@test "tables of callers also name their columns" {
	gmon le64 <<-'E'
	magic 1
	hist 0x8000 0x8010 4 100 seconds s
	bins 0 7 0 1
	arc 0x8000 0x8004 3
	E
	printf '%016x T %s\n' $((0x8000)) main $((0x8004)) leaf >syms
	silent prof-top --callers leaf --tsv --syms syms x.gmon | cut -f 1,4,7- >got
	tabs >want <<-'E'
	function  caller.function  calls  time.incl  time.unit
	leaf  main  3  8000000  1/100000000 s
	E
	same want got
	silent prof-top --callers leaf --json --syms syms x.gmon |
		grep -o '"calls".*' >got
	echo '"calls":3,"time.incl":8000000,"time.unit":"1/100000000 s"}' >want
	same want got
}

@test "a gmon.out that is an executable is rejected" {
	reads_executables
	mkdir twice
	cp "$(real fixed)" twice/exe
	cp "$(real fixed)" twice/gmon.out
	cd twice
	exits_with 2 'gmon.out: an executable' prof-cat exe
}

@test "sizes that a profile states take neither memory nor disk space" {
	profile() {
		printf '%s\n' 'prof|1' 'part|1' 'meta|format|gmon' \
			"meta|gmon.hist|0x0|0x400000000|$1|100|seconds|s" \
			'event|0|time|s|-|-|calls=propagated|scale=1/100' \
			"cost|-|-|-|0x3ffff0000|$2" "call|-|-|-|0x1|-|-|0x2|$3|0" end |
			tr '|' '\t'
	}
	large='gmon: the file would exceed a gigabyte'
	profile 4294967295 7 1 >bins
	profile 100 4611686018427387904 1 >ticks
	profile 100 1 18446744073709551615 >calls
	for f in bins ticks calls; do
		(
			ulimit -f 1024
			exits_with 2 "$large" limited 32768 prof-to gmon -o out.gmon "$f"
		)
		[ ! -e out.gmon ]
	done
	# Many bins of nothing, and as many ticks as two records hold of one.
	profile 5000000 65536 4294967296 >fits
	limited 32768 prof-to gmon fits >x.gmon
	[ "$(wc -c <x.gmon)" -eq $((20 + 2 * (41 + 2 * 5000000) + 2 * 21)) ]
	prof-cat x.gmon >got
	grep -P '^cost\t-\t-\t-\t0x3ff[0-9a-f]*\t65536000000$' got
	[ "$(grep -c '^call' got)" -eq 2 ]
}

@test "one more than a record holds, once and twice, goes to another record" {
	local n h c
	for n in 65535 65536 131070 131071; do
		h=$(((n + 65534) / 65535))
		for c in 4294967295 4294967296 8589934590 8589934591; do
			printf '%s\n' 'prof|1' 'part|1' 'meta|format|gmon' \
				'event|0|time|s|-|-|calls=propagated|scale=1/100' \
				"cost|-|-|-|0x10|$n" "call|-|-|-|0x12|-|-|0x10|$c|0" end |
				tr '|' '\t' | prof-to gmon --strict >x.gmon
			[ "$(wc -c <x.gmon)" -eq \
				$((20 + 43 * h + 21 * ((c + 4294967294) / 4294967295))) ]
			prof-cat x.gmon | awk -F '\t' '
				$1 == "cost" { n += $6 } $1 == "call" { c += $9 }
				END { printf "%.0f %.0f\n", n / 1000000, c }' >got
			echo "$n $c" | same - got
		done
	done
}

@test "a total that is not the sum of the costs is dropped, and reported" {
	local total
	for total in run sum; do
		printf '%s\n' 'prof|1' 'part|1' 'event|0|ticks|-|-|-' 'cost|-|-|-|0x10|5' \
			"total|$total|5" end | tr '|' '\t' >x.prof
		prof-to gmon --losses x.prof >lost
		run -1 grep -E 'total|run' lost
		sed "s/^total.*/total|$total|7/" x.prof | tr '|' '\t' >y.prof
		prof-to gmon --losses y.prof >lost
		has -E '^(the cost of the run outside its lines|totals) \(1\)$' <lost
	done
}

@test "a bin that is full, but no more, is in one histogram with its neighbours" {
	local n
	# One record of two bins; or three of one bin each.
	for n in 65535:$((20 + 41 + 4)) 65536:$((20 + 3 * (41 + 2))); do
		printf '%s\n' 'prof|1' 'part|1' 'event|0|ticks|-|-|-' "cost|-|-|-|0x10|${n%:*}" \
			'cost|-|-|-|0x12|1' end | tr '|' '\t' | prof-to gmon --strict >x.gmon
		[ "$(wc -c <x.gmon)" = "${n#*:}" ]
		prof-cat x.gmon | grep -c '^cost' | same <(echo 2) -
	done
}

@test "a profile is of an executable if half of its addresses are in its code" {
	local main
	reads_executables
	main=0x$(nm "$(real fixed)" | sed -n 's/^0*\([0-9a-f]*\) T main$/\1/p')
	of() {
		{ printf '%s\n' 'prof|1' 'part|1' 'event|0|time|s|-|-|scale=1/100'
		printf 'cost|-|-|-|%s|1\n' "$@"; echo end; } | tr '|' '\t' | prof-to gmon >x.gmon
		prof-cat --exe "$(real fixed)" x.gmon
	}
	of $main 0x10 | grep -c '^cost' | same <(echo 2) -
	exits_with 2 "is not a profile of $(real fixed): 0x20, for example" of $main 0x10 0x20
}

@test "ticks a second are a number of 32 bits" {
	rate() {
		printf '%s\n' 'prof|1' 'part|1' "event|0|time|s|-|-|scale=1/$1" \
			"cost|-|-|-|0x10|$2" end | tr '|' '\t' >x
		prof-to gmon --quiet x
	}
	rate 4294967295 4294967294 | prof-cat | grep -x 'cost	-	-	-	0x10	4294967294000000'
	exits_with 2 "event 'time' divides a second, or its unit, into more than 2^32 parts" \
		rate 4294967296 4294967295
	# Three quarters of a second: four ticks a second are enough.
	rate 4294967296 3221225472 | prof-cat | grep -x 'cost	-	-	-	0x10	3000000'
}

@test "any time becomes seconds; what is no time is reported where it looks like it" {
	local unit scale flavour
	event() {
		{ printf '%s\n' 'prof|1' 'part|1' "event|0|$1|$2|-|-|scale=1/$3"
		printf 'cost|-|-|-|%s\n' '0x10|25' '0x14|30'; echo end; } | tr '|' '\t'
	}
	for unit in s ms us ns; do
		for scale in 1 2 5; do
			event time $unit $scale >x.prof
			for flavour in gmon gmon-bsd44; do
				prof-to $flavour --strict x.prof >x.gmon
				# Seconds, of both.
				for x in x.prof x.gmon; do
					prof-cat $x | perl -F'\t' -lane '
						BEGIN { %in = (s => 1, ms => 1e3, us => 1e6, ns => 1e9) }
						$per = $in{$F[3]} * (/scale=1\/(\d+)/)[0] if $F[0] eq "event";
						printf "%s %.12g\n", $F[4], $F[5] / $per if $F[0] eq "cost"' >$x.s
				done
				[ "$(wc -l <x.prof.s)" = 2 ]
				diff x.prof.s x.gmon.s
			done
		done
	done
	event Ir - 1 | prof-to gmon --strict >x.gmon
	prof-cat x.gmon | grep '^event' | cut -f 3,4 | diff - <(printf 'Ir\t-\n')
	event Ir - 1 | prof-to gmon-bsd44 --losses >lost
	echo 'events that are no time (1 is written as a second) (1)' | diff - lost
	event Ir - 1 | prof-to gmon-bsd --losses >lost
	has -x 'events that are no time (1 is written as a tick) (1)' <lost
	event size B 1 | prof-to gmon --losses >lost
	echo 'units of events (1)' | diff - lost
	event cpu ms 1 | prof-to gmon --losses >lost
	echo 'names of events (1)' | diff - lost
	event cpu ticks 1 | sed '2s/$/\nmeta\tgmon.hist\t0x10\t0x20\t8\t100\tseconds\ts/' | prof-to gmon --losses |
		sort | diff - <(printf '%s\n' 'names of events (1)' 'units of events (1)')
	# The same profile twice.
	event time ms 1 >x.prof
	prof-merge x.prof x.prof | prof-to gmon --quiet >x.gmon
	prof-top --exact -b addr x.gmon | sed 1q | diff - <(echo '0.110000000 s of time in 1 profile, 1 part')
	# Ticks of which it is not known how many are a second stay that.
	event time ticks 5 | prof-to gmon --strict >x.gmon
	prof-cat x.gmon | grep '^event' | cut -f 3,4 | diff - <(printf 'time\tticks\n')
	prof-cat x.gmon | grep '^cost' | cut -f 6 | diff - <(printf '%s\n' 5000000 6000000)
	event time ticks 10 >x.prof
	exits_with 2 'a cost is not a whole number of ticks' prof-to gmon x.prof
	# Where a profile states its histograms they may contradict its event.
	for rate in 0 100; do
		event time "$([ $rate = 0 ] && echo s || echo ticks)" 1 |
			sed "2s/\$/\nmeta\tgmon.hist\t0x10\t0x20\t8\t$rate\tseconds\ts/" >x.prof
		prof-to gmon --losses x.prof | diff - <(echo 'units of events (1)')
	done
	# Nanoseconds of a clock that ticks 100 times a second do not fill the file.
	event time ns 1 | sed '/^cost/s/$/0000000/' >x.prof
	prof-to gmon --strict x.prof >x.gmon
	prof-cat x.gmon | grep '^event' | has 'scale=1/20000000$'
}

@test "executions of blocks are numbers of 64 bits" {
	ran() {
		printf '%s\n' 'prof|1' 'part|1' 'event|0|time|s|-|-|scale=1/100' \
			'event|1|blocks|-|-|-|calls=absent' "cost|-|-|-|0x10|1|$1" end | tr '|' '\t' >x
		prof-to gmon --quiet x
	}
	ran 18446744073709551615 | prof-cat | grep -x 'cost	-	-	-	0x10	0	18446744073709551615'
	exits_with 2 "function '???': a cost is negative or too large" ran 18446744073709551616
	exits_with 2 "function '???': a cost is negative or too large" ran -1
}

@test "a dimension is a text of 15 characters; a truncated one is reported" {
	named() {
		printf 'prof\t1\npart\t1\nevent\t0\t%s\t-\t-\t-\ncost\t-\t-\t-\t0x10\t7\nend\n' "$1"
	}
	named 'exactly 15 long' | silent prof-to gmon --strict >x.gmon
	prof-cat x.gmon | grep -P '^event\t0\texactly 15 long\t'
	while IFS='|' read -r name dim; do
		exits_with 2 'gmon cannot hold: names of events (1)' \
			prof-to gmon --strict <(named "$name")
		named "$name" | prof-to gmon --quiet >x.gmon
		prof-cat x.gmon | cut -f 1-3 | grep -xF "event	0	$dim"
	done <<-'E'
	sixteen long is 6|sixteen long is
	größe|gr____e
	a\tb|a_b
	E
}

@test "addresses that are frames of stacks get names, in the stream and in prof-top" {
	printf '0000000000001000 T main\n0000000000001020 T work\n' >syms
	printf '0x1000;0x1024 5\n0x1000 2\n' >x.folded
	prof-cat --syms syms x.folded | prof-to folded | sort >got
	printf 'main 2\nmain;work 5\n' | diff - got
	prof-to folded --syms syms x.folded | sort | diff got -
	prof-top --tsv --syms syms x.folded | cut -f 1 | sed 1d | sort | paste -sd ' ' |
		has -x 'main work'
}

@test "executables among the files of a comparison are no runs, and each side has its own" {
	cp "$made"/{fixed,pie}{,.gmon} .
	prof-diff --tsv --quiet ./fixed fixed.gmon -- ./pie pie.gmon >want
	has -P '^leaf\t' <want
	lacks want '0x[0-9a-f]{6}'
	# Without "--", of one run each, and of one executable for both sides.
	prof-diff --tsv --quiet ./fixed fixed.gmon ./pie pie.gmon | cmp - want
	prof-diff --tsv --quiet ./fixed fixed.gmon -- fixed.gmon >same
	prof-diff --tsv --quiet ./fixed fixed.gmon fixed.gmon | cmp - same
	lacks same '0x[0-9a-f]{6}'
	# Two runs each.
	prof-diff --quiet ./fixed fixed.gmon fixed.gmon -- ./pie pie.gmon pie.gmon >runs.prof
	has -P '^meta\testimate\tmeans of 2 old and 2 new runs' runs.prof
	exits_with 2 'expected two files, found 3' prof-diff ./fixed fixed.gmon ./pie pie.gmon fixed.gmon
	exits_with 2 'needs at least two old profiles, found 1' \
		prof-diff ./fixed fixed.gmon -- ./pie pie.gmon pie.gmon
}

@test "BSD's one histogram holds all costs and callees of a profile that states none" {
	cat >x.prof <<-'E'
	prof	1
	part	1	positions=addr
	event	0	s	s	1000000	Time
	func	0	a	-	-	-
	func	1	b	-	-	-
	cost	0	-	-	0x8422	20000
	cost	1	-	-	0x8822	30000
	call	1	-	-	0x9001	0	-	0x9021	5	0
	call	1	-	-	0x10	0	-	0x8003	6	0
	end
	E
	for l in little32 little64 big32 big64; do
		for f in gmon-bsd44 gmon-bsd; do
			prof-to $f --quiet --layout $l x.prof -o y.gmon
			prof-cat --from $f y.gmon >got
			awk '$1 == "cost" { print $5, $NF }' got | same <(printf '%s\n' \
				'0x8422 20000000000' '0x8822 30000000000') -
			has '0x9001	[0-9]*	-	0x9021	5	' got
			has '0x10	[0-9]*	-	0x8003	6	' got
		done
	done
}

@test "BSD's flavour refuses a call that is outside the histogram that the profile states" {
	gmon le64 <<-'E'
	magic 1
	hist 0x8000 0x8010 4 100 seconds s
	bins 0 7 0 1
	arc 0x7000 0x9000 3
	E
	exits_with 2 'the call from 0x7000 to 0x9000 is outside the histogram' \
		prof-to gmon-bsd44 --quiet x.gmon
	prof-to gmon --quiet x.gmon | silent prof-cat | same <(prof-cat x.gmon) -
}
