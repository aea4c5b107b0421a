#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# A file that is read twice is the same profile twice, in each format, with each option
# that changes how it is read: nothing of a file is lost because one before it had it, too.

load tools.bash
load small.bash

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	export PROGRAM=$BATS_FILE_TMPDIR/prog
	small_profiles
	cat >prog.c <<-'E'
	int sum;
	__attribute__((noinline)) void leaf(int n) { while (n--) sum += n; }
	__attribute__((noinline)) void work(int n) { leaf(n); sum++; }
	int main(void) { work(100); return sum == 0; }
	E
	cc -g -O1 -no-pie -fno-optimize-sibling-calls -o other prog.c
	nm other >addr.syms
	profiles_of_addresses $(awk '
		{ at[$3] = $1 } END { print at["leaf"], at["work"], at["main"] }' addr.syms)
	mv other prog
	cp "$BATS_TEST_DIRNAME"/fuzz/corpus/pprof-legacy/heap sampled
	printf '%s\n' 'main;work 5' 'main 2' >folded	# of one event: two would be a difference
	printf '%s\n' 'main (a.py:7);f (b.py:3) 5' 'main (a.py:7) 2' >py-spy
	printf '%s\n' 'P1;T2;a.py:main:7;b.py:f:3 5' 'P1;T2;a.py:main:7 2' >austin
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return 1
}

# Profiles of nothing but addresses of leaf, work and main: names of functions in
# addr.folded and addr.prof, places in addr.places, frames of an object in others.
profiles_of_addresses() {
	local leaf work main

	leaf=$((0x$1 + 1)) work=$((0x$2 + 1)) main=$((0x$3 + 1))
	printf '0x%x;0x%x;0x%x 5\n0x%x;0x%x 2\n' $main $work $leaf $main $work >addr.folded
	prof-cat addr.folded >addr.prof
	printf '%s\n' 'prof|1' 'part|1' 'event|0|n|-|-|-' "cost|-|-|-|$(printf 0x%x $leaf)|5" \
		"cost|-|-|-|$(printf 0x%x $work)|2" end | bars >addr.places
	"$TESTS/pprof.pl" >addr.pprof <<-END
	1 message
	  1 varint 1
	2 message
	  1 packed 1 2 3
	  2 varint 5
	2 message
	  1 packed 2 3
	  2 varint 2
	3 message
	  1 varint 1
	  2 varint $((0x400000))
	  3 varint $((0x500000))
	  5 varint 2
	4 message
	  1 varint 1
	  2 varint 1
	  3 varint $leaf
	4 message
	  1 varint 2
	  2 varint 1
	  3 varint $work
	4 message
	  1 varint 3
	  2 varint 1
	  3 varint $main
	6 string
	6 string samples
	6 string $PROGRAM
	END
	prof-cat --quiet addr.pprof >raw.prof
	"$TESTS/otlp.pl" samples <raw.prof | "$TESTS/pprof.pl" >addr.otlp
	{
		echo 'heap profile: 1: 5 [1: 5] @ heapprofile'
		printf '1: 5 [1: 5] @ 0x%x 0x%x 0x%x\n' $leaf $((work + 1)) $((main + 1))
		printf '\nMAPPED_LIBRARIES:\n00400000-00500000 r-xp 00000000 08:01 77 %s\n' "$PROGRAM"
	} >addr.pprof-legacy
	printf '{"meta": {"preprocessedProfileVersion": 61, "categories": []}, "libs": [{"path": "%s"}],
	"shared": {"stackTable": {"length": 2, "prefix": [null, 0], "frame": [0, 1]},
	"frameTable": {"length": 2, "func": [0, 1], "address": [%d, %d]},
	"funcTable": {"length": 2, "name": [0, 1], "resource": [0, 0], "source": [null, null]},
	"resourceTable": {"length": 1, "lib": [0], "name": [2]}, "sources": {"length": 0, "filename": []},
	"stringArray": ["0x%x", "0x%x", "prog"]}, "threads": [{"name": "t", "pid": 1, "tid": 1,
	"samples": {"length": 2, "stack": [0, 1], "time": [1, 2]}}]}\n' \
		"$PROGRAM" $main $work $main $work >addr.firefox
}

# records FILE...: what it has, names and stacks spelt out, the parts numbered alike.
records() {
	prof-to json --quiet "$@" | sed -E '/^\{"record":"(prof|end|func|object|file)"/d
		/"key":"source"/d; s/"run":[0-9]+/"run":0/; s/"source":"[^"]*",//'
}

# is_twice FILE OPTION...
is_twice() {
	local file=$1
	shift
	records "$@" "$file" >once
	[ -s once ]
	cat once once >want
	records "$@" "$file" "$file" | same want - >&2
	# Sums: of both at once, each by a process of its own, each summed before.
	prof-merge --quiet -j1 "$@" "$file" "$file" >sum
	prof-merge --quiet -j2 "$@" "$file" "$file" | cmp sum -
	prof-merge --quiet -j1 "$@" "$file" >one
	prof-merge --quiet one one | cmp sum -
	# No change: neither for people nor for a gate.
	prof-diff --quiet --fail-over 0% "$@" "$file" "$file"
	prof-diff --quiet "$@" "$file" "$file" >change
	prof-top --quiet -n 0 change >top
	has 'total, no change$' <top
	prof-top --tsv --quiet -n 0 change | awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) change[i] = $i ~ /^change/ }
		NR > 1 { for (i = 1; i <= NF; i++) if (change[i] && $i != 0) exit 1 }'
}

# What changes how some format is read, but for --frames.
reading='--lenient --inlines --no-demangle --times --addr --estimate-heap --all-snapshots --details'

# twice NAMES FILE...: each, with no option, with all of those, and with the options NAMES.
twice() {
	local file options

	for file in "${@:2}"; do
		for options in '' "$reading" "$1"; do
			echo "$file $options"	# the last one printed is the one that fails
			is_twice "$file" $options
		done
	done
}

@test "the options that change how a file is read are those that are tried here" {
	prof-cat --help all | sed -n '/^input:/,/^general:/s/^ *\(--[a-z-]*\).*/\1/p' | sort >got
	{
		tr ' ' '\n' <<<"$reading --syms --exe --frames"
		# What is left, what only some traces have, how much may be read, and where
		# objects are looked for.
		printf '%s\n' --slices --sysroot --kallsyms --events --where --rules --from --max-line --max-whole
	} | sort -u | same got -
}

# bats test_tags=format
@test "each format, small" {
	twice '--syms prog.syms' $formats
}

# bats test_tags=format
@test "the examples" {
	{ prof-cat --probe "$BATS_TEST_DIRNAME"/../share/examples/* || :; } |
		sed -n "/: unknown$/d; s/: ${FORMAT-}.*//p" >list
	[ "$(wc -l <list)" -ge 27 ] || [ -n "${FORMAT-}" ]
	while read -r f; do
		echo "$f"
		is_twice "$f"
		is_twice "$f" $reading
	done <list
	is_twice "$repo/share/examples/wordcount.trace.zst" --slices --details
}

@test "addresses, which the executable or the objects have names for" {
	twice '--syms addr.syms' addr.folded addr.prof addr.places addr.pprof addr.otlp \
		addr.pprof-legacy addr.firefox raw.prof sampled
	is_twice addr.folded --exe prog
	is_twice addr.places --exe prog
	is_twice addr.pprof --exe prog
	# They have the names in both.
	for f in folded prof places; do
		prof-top --tsv --quiet -n 0 --by function --syms addr.syms addr.$f addr.$f >got
		lacks got '^0x'
		has -P '^work\t.*\t4(\t|$)' <got
	done
	for f in pprof otlp pprof-legacy firefox; do
		prof-top --tsv --quiet -n 0 --by function addr.$f addr.$f >got
		lacks got '^0x'
		has ^work <got
	done
}

@test "frames with files and lines" {
	is_twice py-spy --frames py-spy
	is_twice austin --frames austin
}

@test "files of several formats, one after the other" {
	# Those after the first have contexts in common with it.
	for f in addr.prof raw.prof addr.pprof addr.otlp; do
		records --syms addr.syms $f >once
		records --syms addr.syms addr.folded $f addr.pprof-legacy $f | sed '/^{"record":"meta"/d' >both
		records --syms addr.syms addr.folded | cat - once | sed '/^{"record":"meta"/d' >want
		records --syms addr.syms addr.pprof-legacy | cat - once | sed '/^{"record":"meta"/d' >>want
		same want both
	done
}

@test "an executable names the files after it, whatever was read before" {
	prof-to json --quiet addr.folded prog addr.folded addr.folded | grep '"sample"' | cut -d : -f 4- >got
	sed -n 3,4p got | cmp - <(sed -n 5,6p got)
	sed -n 1,2p got | lacks - main
	sed -n 3,4p got | grep -c '"main"' | same - <(echo 2)
}

@test "what --keep-going reads again has its names" {
	echo 'profile: cut' >bad
	prof-merge --quiet addr.folded --syms addr.syms >want
	status=0
	prof-merge --quiet --keep-going --syms addr.syms addr.folded bad >got 2>err || status=$?
	[ $status = 0 ] || [ $status = 1 ]
	same <(grep '^ctx\|^sample\|^func' want) <(grep '^ctx\|^sample\|^func' got)
}

# What a profile counts: the sum of all numbers that its samples, costs and points have.
counted() {
	prof-to json --quiet "$@" | jq -s 'map(select(.record | IN("sample", "cost", "point", "vprof")) |
		del(.line, .addr, .size) | map(numbers) | add) | add'
}

# put_together FILE...: with itself behind it; the formats that read it are in $read.
put_together() {
	local f file

	for file; do
		echo "$file"
		f=$(prof-cat --probe "$file" | sed 's/.*: //; s/,.*//')
		zcat -f "$file" >one
		cat one one >two
		if prof-cat --from "$f" two >stream 2>err; then
			read+=" $f"
			jq -en "$(counted --from "$f" one) * 2 == $(counted stream)"
		else
			has -P '^prof-cat: two:( byte)? ?[0-9]+: ' <err
		fi
		# Nor is what is no part of it taken for nothing.
		{ cat one; echo; echo 'what is this?'; } >more
		if prof-cat --from "$f" more >stream 2>err; then
			has -P "^prof-cat: warning: more:( byte)? ?[0-9]+: (not a|unknown) line " <err
		fi
	done
}

# bats test_tags=format
@test "files put together with cat are read to the end, or rejected with a place" {
	local f read=

	put_together $formats
	# These hold several, as prof-formats(7) says.
	for f in $formats; do
		case $f in
		cachegrind | callgrind | folded | macos-sample | perf | prof | stacks | xprof)
			[[ " $read " = *" $f "* ]] ;;
		esac
	done
}

@test "other files put together with cat are read to the end, or rejected with a place" {
	local read=

	put_together addr.pprof-legacy sampled \
		"$BATS_TEST_DIRNAME"/../share/examples/calc.{gmon-bsd,gmon-bsd44,macos-sample} \
		"$BATS_TEST_DIRNAME"/fuzz/corpus/pprof-legacy/*
	[ "$read" = ' macos-sample' ]
}
