#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# share/magic: what file(1) says of profiles, against prof-cat --probe and against
# all sorts of other files.

load helper.bash

magic=$BATS_TEST_DIRNAME/../share/magic
programs=$BATS_TEST_DIRNAME/programs

# The format that a description is of, "-" if it is of none.
formats() {
	sed 's/^Callgrind profile\>.*/callgrind/; s/^Cachegrind profile\>.*/cachegrind/
		s/^aprof report\>.*/aprof/; s/^prof stream\>.*/prof/
		s/^Sun profile feedback\>.*/xprof/
		s/^Massif profile\>.*/massif/
		s/^gperftools CPU profile\>.*/pprof-legacy/; s/^pprof text\>.*/pprof-legacy/
		s/^macOS sample\>.*/macos-sample/
		s/^Java Flight Recorder recording\>.*/jfr/
		s/^Python profile\>.*/pstats/; s/^Tachyon profile\>.*/tachyon/
		s/^Rprof profile\>.*/rprof/; s/^GHC profile\>.*/ghc/
		s/^Instruments call tree\>.*/instruments/
		s/^gmon.out profile, GNU\>.*/gmon/; s/^LD_PROFILE profile\>.*/gmon/
		s/^gmon.out profile, 4\.4BSD\>.*/gmon-bsd44/; t; s/.*/-/'
}

# describes TEXT FILE...: all of file's description; and prof-cat knows it, too.
describes() {
	local text=$1 f got
	shift
	for f in "$@"; do
		got=$(file -b -m "$magic" "$f")
		if [ "$got" != "$text" ] ||
			[ "$(prof-cat --probe "$f")" != "$f: $(formats <<<"$got")" ]; then
			printf '%s\nexpected: %s\nfound: %s\nprof-cat: %s\n' "$f" "$text" \
				"$got" "$(prof-cat --probe "$f")"
			return 1
		fi
	done
}

# Profiles by those who make them.
setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	"${CC:-cc}" -g -O1 -o work "$programs/work.c"
	valgrind -q --tool=callgrind --callgrind-out-file=callgrind.out ./work >/dev/null
	"${CC:-cc}" -g -O1 -pg -no-pie -o ticks "$programs/ticks.c" "$programs/ticks2.c"
	./ticks 100 >/dev/null
}

@test "it compiles without a message" {
	run -0 file -C -m "$magic"
	[ -z "$output" ]
	[ -s magic.mgc ]
	run -0 file -c -m "$magic"
	run -1 grep -v '^Warning: using regular magic file' <<<"$(grep -i warning <<<"$output")"
	# As compiled it says the same.
	[ "$(file -b -m ./magic.mgc "$BATS_FILE_TMPDIR/gmon.out")" = \
		"$(file -b -m "$magic" "$BATS_FILE_TMPDIR/gmon.out")" ]
}

@test "a format that is described is so in each example" {
	for f in "$BATS_TEST_DIRNAME"/../share/examples/*; do
		case $f in
		*.zst) zstdcat "$f" >"$(basename "$f" .zst)" ;;
		*) cp "$f" . ;;
		esac
	done
	prof-cat --list-formats | awk -F '\t' '$2 ~ /read/ { print $1 }' | while read -r format; do
		what=$(file -b -m "$magic" ./*."$format" | formats | sort -u)
		echo "$format: $what"
		[ "$what" = - ] || [ "$what" = "$format" ]
	done
	# And nothing else there is a profile.
	file -b -m "$magic" ./*.c ./*.sh ./*.md ./*.syms | formats >got
	[ "$(sort -u got)" = - ]
}

@test "callgrind's, by Callgrind and by others" {
	local v='--tool=callgrind -q' who
	cp "$BATS_FILE_TMPDIR/work" .
	who=$(valgrind --version | sed 's/^valgrind/callgrind/; s/\.GIT//')
	valgrind $v --callgrind-out-file=plain ./work 'a b' >/dev/null
	valgrind $v --callgrind-out-file=instr --dump-instr=yes --dump-line=no ./work 'a b' >/dev/null
	valgrind $v --callgrind-out-file=long --compress-strings=no --compress-pos=no \
		--cache-sim=yes --branch-sim=yes --collect-jumps=yes ./work 'a b' >/dev/null
	describes "Callgrind profile, version 1, by $who, of ./work a b" plain instr long
	# Before it had a mark in the first line, and with nothing in it.
	for f in plain instr long; do
		sed 1d $f >$f.old
	done
	sed -n '2,/^events/p' plain >empty.old
	describes "Callgrind profile, version 1, by $who, of ./work a b" ./*.old
	# Ours.
	prof-to callgrind plain >again
	describes "Callgrind profile, version 1, by $who, of ./work a b" again
	# As others begin.
	body() {
		sed -n '/^fl=/,$p' long
	}
	{ printf 'version: 1\ncreator: xdebug 3.1.6\ncmd: /srv/x.php\npart: 1\npositions: line\n\nevents: Time_(10ns) Memory_(bytes)\n\n'
		body; } >xdebug
	describes 'Callgrind profile, version 1, by xdebug 3.1.6, of /srv/x.php' xdebug
	{ printf 'positions: instr line\nevents: cpu(ms)\n\n'; body; } >positions
	{ printf 'events: Ir\n'; body; } >events
	{ printf 'event: ns : Nanoseconds\nevents: ns\n'; body; } >event
	describes 'Callgrind profile' positions events event
	{ printf 'cmd: ./a\nevents: Ir\n\nfl=(1) a.c\nfn=(1) f\n1 5\n'; } >cmd
	describes 'Callgrind profile, of ./a' cmd
	# Whatever the text is in.
	sed 's/\(fn=.*\)main/\1m\xe9\x01n/' plain >bytes
	run -1 cmp -s plain bytes
	describes "Callgrind profile, version 1, by $who, of ./work a b" bytes
}

@test "cachegrind's" {
	cp "$BATS_FILE_TMPDIR/work" .
	valgrind -q --tool=cachegrind --cachegrind-out-file=plain ./work 1 >/dev/null
	valgrind -q --tool=cachegrind --cachegrind-out-file=branch --branch-sim=yes ./work 1 >/dev/null
	cg_merge -o sum plain plain
	cg_diff plain plain >diff
	prof-to cachegrind plain >again
	sed '/^desc:/d' plain >bare
	describes 'Cachegrind profile, of ./work 1' plain branch sum again bare
	describes 'Cachegrind profile, of ./work 1; ./work 1' diff
}

@test "Massif's" {
	cp "$BATS_FILE_TMPDIR/work" .
	valgrind -q --tool=massif --massif-out-file=massif ./work 1 >/dev/null
	describes 'Massif profile, of ./work 1' massif
	valgrind -q --tool=dhat --dhat-out-file=dhat ./work 1 >/dev/null 2>&1
	[ "$(file -b -m "$magic" dhat)" = 'JSON text data' ]
	sed 's/^heap_tree=.*//' massif >other
	file -b -m "$magic" other | formats | has -x -e -
}

@test "gmon.out: flavours, byte orders, sizes of words" {
	local g=$BATS_FILE_TMPDIR/gmon.out bits end order
	describes 'gmon.out profile, GNU version 1, little-endian, 64-bit, 100 samples/s' "$g"
	for bits in 32 64; do
		for end in little big; do
			order="$end-endian, $bits-bit"
			prof-to gmon --layout $end$bits "$g" >g
			describes "gmon.out profile, GNU version 1, $order, 100 samples/s" g
			# Another rate: it stands before the 16 bytes of what is counted.
			perl -0777 -pe 's/....(?=seconds\0)/pack "L'$([ $end = big ] && echo '>' || echo '<')'", 1024/es' \
				<g >rate
			describes "gmon.out profile, GNU version 1, $order, 1024 samples/s" rate
			prof-to gmon-bsd44 --layout $end$bits "$g" >g
			describes "gmon.out profile, 4.4BSD, $order, 100 samples/s" g
			# Calls alone do not tell the size.
			prof-cat "$g" | grep -vE '^(cost|total|meta	gmon.hist)' |
				prof-to gmon --layout $end$bits --quiet >calls
			describes "gmon.out profile, GNU version 1, $end-endian" calls
			# What has no mark is left alone.
			prof-to gmon-bsd --quiet --layout $end$bits "$g" >old
			[ "$(file -b -m "$magic" old)" = data ]
		done
	done
}

@test "LD_PROFILE's" {
	# Only a library that calls something by a table is profiled.
	echo 'void leaf(void) { } void outer(void) { leaf(); }' >lib.c
	echo 'void outer(void); int main(void) { outer(); return 0; }' >m.c
	"${CC:-cc}" -fPIC -shared -Wl,-soname,libx.so -o libx.so lib.c
	"${CC:-cc}" -Wl,-z,lazy -o m m.c ./libx.so
	LD_LIBRARY_PATH=. LD_PROFILE=libx.so LD_PROFILE_OUTPUT=$PWD ./m
	describes 'LD_PROFILE profile of a shared library, little-endian, 64-bit, 100 samples/s' \
		libx.so.profile
}

@test "aprof's, Sun's, and the stream" {
	local v examples=$BATS_TEST_DIRNAME/../share/examples
	{ echo 'c a comment'; sed 2q "$examples/sort.aprof"; echo 'f ./sort 600'
		sed 1,2d "$examples/sort.aprof"; } >of
	describes 'aprof report, version 2, of ./sort 600' of
	for v in 0 2; do
		prof-to aprof --quiet --aprof-version $v "$examples/sort.aprof" >v$v
		describes "aprof report, version $v" v$v
	done
	for v in 1:6 3:9 4:11 5:13 6:15 6:17; do
		{ echo "v ${v%:*}"; echo 'r "f" "/bin/x" 0'
			printf 'p 0'; printf ' 7%.0s' $(seq "${v#*:}"); echo; } >r
		describes "aprof report, version ${v%:*}" r
	done
	for v in 3.1 4.3 4.4; do
		sed "1s/ [0-9.]* / $v /" "$examples/wordcount.xprof" >x
		describes "Sun profile feedback, version $v" x
	done
	prof-cat "$examples/wordcount.xprof" >s
	describes 'prof stream, version 1' s
}

@test "types of media" {
	cd "$BATS_FILE_TMPDIR"
	[ "$(file -b --mime-type -m "$magic" callgrind.out gmon.out | paste -sd ' ')" = \
		'application/x-kcachegrind application/x-profile' ]
	prof-cat gmon.out >s
	[ "$(file -b --mime-type -m "$magic" s)" = text/plain ]
}

@test "in ~/.magic it is added to the types that file has itself" {
	mkdir home
	cp "$magic" home/.magic
	prof-cat "$BATS_FILE_TMPDIR/gmon.out" >s
	HOME=$PWD/home file -b s "$BATS_FILE_TMPDIR/callgrind.out" "$BATS_FILE_TMPDIR/ticks" >got
	sed 's/[ ,].*//' got | paste -sd ' ' >words
	[ "$(cat words)" = 'prof Callgrind ELF' ]
}

@test "nothing else is a profile: what resembles one" {
	mkdir other
	printf 'version: 1\nevents:\n  - fn=1\n' >other/yaml
	printf 'version: 1\ncreator: Ann\nevents: push\non: main\n' >other/actions
	printf 'events: all of them\n\nfn key=value\n' >other/notes
	printf 'cmd: ls -l\nevents: none\n' >other/log
	printf 'desc: an example\ncmd: ls\n' >other/desc
	printf 'gmon is a program of mine\n' >other/gmon
	printf 'prof\tstudent\n1\t2\n' >other/table
	printf 'prof\t1\tx\n' >other/three
	printf 'profile 1\n' >other/profile
	printf 'c a comment\nc of Fortran\n      v 4\n' >other/fortran
	printf 'v 1.0 2.0 3.0\nv 1 2 3\nf 1 2 3\n' >other/obj
	printf 'c x\nv 4\np cnf 3 2\n1 2 0\n' >other/cnf
	printf 'main;a;b 5\nmain 3\n' >other/folded
	file -b -m "$magic" other/* | formats | sort -u >got
	[ "$(cat got)" = - ]
}

# Files that came with the system, and this project's own.
@test "nothing else is a profile: all text files at hand" {
	find /etc /usr/include /usr/share/doc /usr/share/perl /usr/share/man /usr/lib/python3* \
		/usr/bin -type f -size -300k 2>/dev/null >list || true
	find "$BATS_TEST_DIRNAME"/../{cmd,lib,man,tests,completions} -type f \
		! -name '*.callgrind.zst' ! -path '*/fuzz/corpus/*' >>list
	[ "$(wc -l <list)" -gt 2000 ]
	file -m "$magic" -N -F '' -f list | sed 's/^[^ ]* //' | formats | sort | uniq -c >got
	cat got
	[ "$(awk '{ print $2 }' got)" = - ]
}
