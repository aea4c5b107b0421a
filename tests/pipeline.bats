#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: io prof-cat prof-grep prof-to prof-top stream
# The tools joined by pipes, from a real profile back to a real tool, and the
# files that they write.

load tools.bash
load small.bash

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	gcc -g -O0 -o calls "$BATS_TEST_DIRNAME/real/calls.c"
	callgrind calls.cg --cache-sim=yes ./calls
	callgrind jumps.cg --dump-instr=yes --dump-line=yes --collect-jumps=yes ./calls
	callgrind plain.cg --compress-strings=no --compress-pos=no ./calls
	callgrind parts.cg --combine-dumps=yes --dump-every-bb=1000 ./calls 200
}

annotate() {
	callgrind_annotate --threshold=100 --auto=no "$@"
}

# tree NAME: what callgrind_annotate --tree=both shows of a function in the
# file on standard input: callers, itself, callees.  Blanks are made one;
# objects and percentages go: it has no object for what has no cost.
tree() {
	perl -e '
		my $name = shift; local $/ = "";
		while (<STDIN>) {
			next unless / \*  \S*:\Q$name\E(?: \[|$)/m;
			s/ \[[^\[\]]*\]$//gm; s/\( *[\d.]+%\)//g; s/ \. / 0 /g;
			s/ \. / 0 /g; s/ +/ /g; s/^ //gm; s/\n+\z/\n/;
			print;
		}' "$1"
}

# ---- the main job ----

@test "a profile filtered to main shows callgrind_annotate what the original did" {
	prof-cat "$(cg calls.cg)" | prof-grep -x main | prof-to callgrind >main.callgrind
	annotate --inclusive=yes --tree=both "$(cg calls.cg)" >before
	annotate --inclusive=yes --tree=both main.callgrind >after
	tree main <before >want
	tree main <after >got
	grep -q ' < .*:(below main) (1x)$' want
	[ "$(grep -c ' > ' want)" -ge 5 ]
	grep -q ' > .*calls.c:branchy (1x)$' want
	diff -u want got
	# Callees that only main calls: their inclusive cost, and main's call.
	for f in work branchy; do
		tree $f <before | grep -v ' > ' >want
		tree $f <after >got
		[ "$(grep -c ' < .*calls.c:main (1x)$' want)" = 1 ]
		diff -u want got
	done
	# leaf is called by work, too: only main's share is left.
	tree leaf <before | grep ' < .*:main ' >want
	tree leaf <after | grep ' < ' >got
	[ -s want ]
	diff -u want got
}

@test "a profile filtered to main has main's self cost and the program's total" {
	prof-grep -x main "$(cg calls.cg)" | prof-to callgrind >main.callgrind
	annotate "$(cg calls.cg)" | perl "$TESTS/real/annotate.pl" |
		grep 'calls.c	main	' >want
	annotate main.callgrind | perl "$TESTS/real/annotate.pl" |
		awk -F'\t' '{ for (i = 3; i <= NF; i++) if ($i) { print; break } }' >got
	diff -u want got
	annotate "$(cg calls.cg)" | grep 'PROGRAM TOTALS' >want
	annotate main.callgrind | grep 'PROGRAM TOTALS' >got
	diff -u want got
	grep -c '^summary:' main.callgrind
	grep -qx 'desc: prof filter: -x main' main.callgrind
}

@test "there and back, callgrind_annotate sees no difference" {
	for name in calls jumps plain; do
		for tree in none both; do
			prof-cat "$(cg $name.cg)" | prof-to callgrind >back.cg
			# Its tables of lines, too, where it finds sources.  Of equal
			# costs perl's hashes say which comes first.
			export PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0
			callgrind_annotate --threshold=100 --tree=$tree --inclusive=yes \
				"$(cg $name.cg)" | sed "s|$(cg $name.cg)|FILE|; s| \[[?]*\]\$||" >want
			callgrind_annotate --threshold=100 --tree=$tree --inclusive=yes \
				back.cg | sed 's|back.cg|FILE|; s| \[[?]*\]$||' >got
			[ "$(wc -l <want)" -gt 200 ]
			diff -u want got | sed -n 1,40p
			cmp -s want got
		done
	done
}

@test "one process and three in a pipe give the same bytes" {
	prof-cat "$(cg calls.cg)" | prof-grep _dl | prof-to callgrind >three
	prof-grep _dl "$(cg calls.cg)" | prof-to callgrind >two
	diff -u three two
	prof-to callgrind "$(cg calls.cg)" >one
	prof-cat "$(cg calls.cg)" | prof-cat | prof-cat - | prof-to callgrind >four
	diff -u one four
	prof-top --tsv "$(cg calls.cg)" >direct
	prof-cat "$(cg calls.cg)" | prof-top --tsv >piped
	prof-top --tsv one | diff -u direct -
	diff -u direct piped
}

@test "one process and two reject the same, in the same words" {
	local from to
	small_profiles
	for from in $formats; do
		prof-cat $from >stream
		for to in $formats; do
			echo "$from to $to" | tee -a one.err two.err one.out >>two.out
			prof-to $to $from >>one.out 2>>one.err || echo "status $?" >>one.err
			prof-to $to stream >>two.out 2>>two.err || echo "status $?" >>two.err
		done
		# Names are looked for, and roundings reported, when a file is read.
		sed "s/^prof-to: $from:/prof-to: stream:/
			/^prof-to: no symbols for /d; /^prof-to: .* have no names/d
			/^prof-to: stream:[0-9]*: .* are rounded/d" one.err >said
		same said two.err
		cmp one.out two.out
		rm one.err two.err one.out two.out
	done
}

@test "conversion keeps the program's totals, of each part" {
	for name in calls jumps plain parts; do
		grep -E '^(totals|summary):' "$(cg $name.cg)" | sed 's/: */: /' >want
		prof-cat "$(cg $name.cg)" | prof-to callgrind | grep -E '^(totals|summary):' >got
		[ -s want ]
		diff -u want got
	done
	[ "$(grep -c '^totals' "$(cg parts.cg)")" -ge 3 ]
}

@test "streams that are joined by cat are read as one" {
	prof-cat "$(cg calls.cg)" >a
	prof-cat "$(cg plain.cg)" >b
	cat a b | prof-top --tsv --events Ir >got
	prof-top --tsv --events Ir a b >want
	diff -u want got
	cat a b | prof-cat >both
	[ "$(grep -c '^prof	1$' both)" = 1 ]
	[ "$(grep -c '^end$' both)" = 1 ]
	[ "$(grep -c '^part	' both)" = 2 ]
	prof-top --tsv --events Ir both | diff -u want -
}

# ---- files ----

@test "--zstd and --gzip write what zstd and gzip read" {
	f=$(cg calls.cg)
	prof-cat "$f" >want
	prof-cat --zstd "$f" | zstd -q -d -c | cmp - want
	prof-cat --gzip "$f" | gzip -d -c | cmp - want
	[ "$(prof-cat --zstd "$f" | wc -c)" -lt $(($(wc -c <want) / 2)) ]
	[ "$(prof-cat --gzip "$f" | wc -c)" -lt $(($(wc -c <want) / 2)) ]
	prof-to callgrind "$f" >want
	prof-to callgrind --zstd "$f" | zstd -q -d -c | cmp - want
	prof-to callgrind --gzip "$f" | gzip -d -c | cmp - want
	fails_with 'cannot be combined' prof-cat --zstd --gzip "$f"
}

@test "-o writes a file, compressed as its name says" {
	f=$(cg calls.cg)
	prof-cat "$f" >want
	prof-cat -o out.prof "$f"
	cmp out.prof want
	prof-cat "$f" --output=out.zst
	zstd -q -t out.zst
	zstd -q -d -c out.zst | cmp - want
	prof-cat -o out.gz "$f"
	gzip -t out.gz
	gzip -d -c out.gz | cmp - want
	prof-cat -o out.prof --zstd "$f"
	zstd -q -d -c <out.prof | cmp - want
	prof-cat -o - "$f" | cmp - want
	prof-to callgrind -o out.cg "$f"
	prof-top --tsv out.cg | cmp - <(prof-top --tsv "$f")
	ls >names
	printf '%s\n' names out.cg out.gz out.prof out.zst want | diff -u - names
}

@test "-o is complete or not at all: bad input leaves the old file" {
	sed '$d' <(prof-cat "$(cg calls.cg)") >cut.prof
	for suffix in prof zst gz; do
		echo old >out.$suffix
		fails_with 'the stream is truncated' prof-cat -o out.$suffix cut.prof
		[ "$(cat out.$suffix)" = old ]
		rm out.$suffix
		fails_with 'the stream is truncated' prof-to callgrind -o out.$suffix cut.prof
	done
	fails_with 'No such file' prof-cat -o out.prof "$(cg calls.cg)" nosuch
	fails_with 'No such file' prof-cat -o nosuch/out.prof "$(cg calls.cg)"
	ls >names
	printf '%s\n' cut.prof fails.err fails.out names | diff -u - names
}

@test "-o may be the file that is read" {
	prof-cat "$(cg calls.cg)" >want
	cp want same
	prof-cat -o same same
	cmp same want
	cp "$(cg calls.cg)" same
	prof-to prof same -o same
	cmp same want
}

@test "a new file has the mode that umask leaves" {
	umask 027
	prof-cat -o out.prof "$(cg calls.cg)"
	[ "$(stat -c %a out.prof)" = 640 ]
}

@test "an unknown object is ??? again in callgrind's format" {
	callgrind_annotate --threshold=100 --auto=no "$(cg calls.cg)" | grep -c '\[???\]$' >want
	prof-to callgrind "$(cg calls.cg)" >back.cg
	callgrind_annotate --threshold=100 --auto=no back.cg | grep -c '\[???\]$' >got
	[ "$(cat want)" -gt 0 ]
	diff -u want got
}

@test "-o follows a link, and the file it leads to keeps its mode" {
	f=$(cg calls.cg)
	prof-cat "$f" >want
	echo old >real.prof
	chmod 600 real.prof
	mkdir dir
	ln -s ../real.prof dir/link
	prof-cat -o dir/link "$f"
	[ -L dir/link ]
	[ ! -L real.prof ]
	cmp real.prof want
	[ "$(stat -c %a real.prof)" = 600 ]
	chmod 1755 real.prof
	prof-cat -o real.prof "$f"
	[ "$(stat -c %a real.prof)" = 1755 ]
	[ "$(ls dir)" = link ]
	fails_with 'No such file' prof-cat -o dir/link nosuch
	cmp real.prof want
	[ "$(ls dir)" = link ]
}

@test "-o follows a link to a file that is not there yet" {
	f=$(cg calls.cg)
	prof-cat "$f" >want
	mkdir dir
	ln -s ../deep dir/link
	ln -s dir/new deep
	ln -s "$PWD/dir/link" link
	prof-cat -o link "$f"
	[ -L link ]
	[ -L dir/link ]
	[ -L deep ]
	cmp dir/new want
	[ "$(ls dir | sort | xargs)" = 'link new' ]
	rm dir/new
	fails_with 'No such file' prof-cat -o link nosuch
	[ "$(ls dir)" = link ]
	ln -s loop loop
	fails_with '^prof-cat: loop: Too many levels of symbolic links$' prof-cat -o loop "$f"
	[ -L loop ]
	ln -s nowhere/x lost
	fails_with '^prof-cat: lost: No such file or directory$' prof-cat -o lost "$f"
	[ -L lost ]
}

@test "-o goes on where a descriptor is that it names" {
	f=$(cg calls.cg)
	prof-cat "$f" >body
	{ echo before; cat body; echo after; } >want
	ln -s /dev/stdout link
	for name in /dev/stdout /dev/fd/1 /proc/self/fd/1 link; do
		echo "$name"
		{ echo before; prof-cat -o "$name" "$f"; echo after; } >out
		cmp out want
		{ echo before; prof-cat -o "$name" "$f"; echo after; } | cmp - want
	done
	[ -L link ]
	{ echo before >&3; prof-cat -o /dev/fd/3 "$f"; echo after >&3; } 3>out
	cmp out want
	{ echo before; prof-cat --zstd -o /dev/stdout "$f"; echo after; } >out
	tail -c +8 out | head -c -6 | zstd -dc | cmp - body
	fails_with '^prof-cat: /dev/fd/9: Bad file descriptor$' prof-cat -o /dev/fd/9 "$f" 9>&-
	cp body same
	fails_with 'is the output file' prof-cat -o /dev/fd/3 same 3>>same
	cmp same body
}

@test "-o makes no set-user-ID file whose owner is another than the old one's" {
	f=$(cg calls.cg)
	: >own
	chmod 6755 own
	prof-cat -o own "$f"
	[ "$(stat -c %a own)" = 6755 ]
	# Root would see such files; anybody sees them so.
	cat >other.c <<-'E'
	#include <fcntl.h>
	#include <stdlib.h>
	#include <sys/stat.h>
	#define OTHER(stat, fstatat) int stat(const char *p, struct stat *st) { \
		int r = fstatat(AT_FDCWD, p, st, 0); \
		if (getenv("UID_OFF")) st->st_uid++; else st->st_gid++; \
		return r; }
	OTHER(stat, fstatat)
	OTHER(stat64, fstatat64)
	E
	gcc -w -D_GNU_SOURCE -shared -fPIC -o other.so other.c
	for off in UID_OFF=1 NONE=1; do
		: >old
		chmod 7755 old
		env ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD="$PWD/other.so" $off \
			prof-cat -o old "$f"
		[ "$(stat -c %a old)" = 1755 ]
	done
}

@test "-o writes no message into the file where standard error is closed" {
	printf 'events: A\nfl=m.c\nfn=root\n1 -7\n' >neg.cg
	prof-to callgrind neg.cg >want 2>err
	[ -s err ]
	prof-to callgrind -o got neg.cg 2>&-
	cmp got want
	prof-to callgrind -o got neg.cg <&- >&- 2>&-
	cmp got want
	prof-cat neg.cg "$(cg calls.cg)" >want
	prof-cat --lenient -o got neg.cg "$(cg calls.cg)" <&- 2>&-
	cmp got want
	status=0
	prof-cat -o new nosuch 2>&- || status=$?
	[ $status = 2 ]
	[ ! -e new ]
}

@test "an interrupt ends what a producer still writes, and what came is shown" {
	local live="$BATS_TEST_DIRNAME/live.pl"
	printf 'main;a 3\nmain;b 1\nmain;c' >part
	for tool in 'prof-top --tsv' 'prof-tree --tsv'; do
		status=0
		"$live" part $tool >got 2>err || status=$?
		[ $status = 130 ]
		[ "$(tail -n 1 err)" = "${tool%% *}: interrupted: the result covers the input read so far" ]
		has 'skipped: standard input:3: ' err
		# As if it had ended there.
		head -n 2 part | $tool 2>/dev/null | diff - got
	done
	# Records that others read are truncated, as they are: no `end`.
	for tool in prof-cat prof-merge; do
		status=0
		"$live" part $tool >got 2>err || status=$?
		[ $status = 130 ]
		lacks got '^end$'
	done
	status=0
	"$live" /dev/null prof-top >got 2>err || status=$?
	[ $status = 2 ]
	has 'standard input: empty' err
}

@test "an input of which every read fails is an error, and the end" {
	sleep 60 3>&- &
	# Not the memory that it has before it is sleep(1), which then ends.
	until [ "$(cat "/proc/$!/comm")" = sleep ]; do :; done
	exits_with 2 'prof-cat: standard input: Input/output error' timeout 20 prof-cat <"/proc/$!/mem"
	kill $!
}
