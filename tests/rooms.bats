#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: browse codec filter graph io report rules stream sum symbol util view
# The rooms of lib/, against the table of them in CONTRIBUTING.md.

load tools.bash

setup() {
	cd "$TESTS/.."
}

# rooms: "ROOM MAY..." for each row of the table.
rooms() {
	perl -ne 'if (/^\| `(\w+)` \|.*\|([^|]*)\|$/) {
		my ($room, $may) = ($1, $2);
		print join(" ", $room, $may =~ /`(\w+)`/g), "\n"
	}' CONTRIBUTING.md
}

# arrows FOLDER: "FILE INCLUDED", both from FOLDER on.
arrows() {
	perl -e '
	use File::Find;
	my $top = shift;
	find({ no_chdir => 1, wanted => sub {
		return if !/\.[ch]$/;
		(my $dir = substr $_, length("$top/")) =~ s,[^/]*$,,;
		open my $f, "<", $_ or die "$_: $!";
		for my $q (map { /^#include "(.*)"/ ? $1 : () } <$f>) {
			$q = "$dir$q" if !-e "$top/$q";
			print substr($_, length("$top/")), " $q\n" if -e "$top/$q";
		}
	} }, $top)' "$1"
}

# upward FOLDER: the includes that the table does not allow.
upward() {
	rooms >"$BATS_TEST_TMPDIR/rooms"
	arrows "$1" | awk 'NR == FNR { may[$1 " " $1]; for (i = 2; i <= NF; i++) may[$1 " " $i]; next }
		{ split($1, a, "/"); split($2, b, "/") }
		!((a[1] " " b[1]) in may) { print $1 " includes " $2 }' "$BATS_TEST_TMPDIR/rooms" -
}

# in_circles: those of the lines "FROM TO" that lead back to where they begin.
in_circles() {
	perl -ne '
	my ($from, $to) = split;
	$to{$from}{$to} = 1 if $from ne $to;
	END {
		for my $start (sort keys %to) {
			my %seen;
			my @todo = keys %{$to{$start}};
			while (defined(my $at = pop @todo)) {
				push @todo, keys %{$to{$at} // {}} if !$seen{$at}++;
			}
			print "$start\n" if $seen{$start};
		}
	}'
}

# circles FOLDER: files, a header and its source being one, that include each other
# in a circle.
circles() {
	arrows "$1" | perl -pe 's/\.[ch]\b//g' | in_circles
}

# call_circles OBJECT...: those that use functions or data of each other in a circle.
call_circles() {
	nm -A -g "$@" | perl -ne '
	my ($file, $symbol) = /^(.*?):.* (\S+)$/ or next;
	if (/ U \S+$/) { $uses{$file}{$symbol} = 1 } else { $of{$symbol} = $file }
	END {
		for my $file (keys %uses) {
			print "$file $of{$_}\n" for grep { $of{$_} } keys %{$uses{$file}};
		}
	}' | in_circles
}

@test "every room is in the table, and nothing else is in lib" {
	[ "$(rooms | wc -l)" -ge 10 ]
	rooms | cut -d ' ' -f 1 | sort | diff - <(ls lib | sort)
	[ -z "$(find lib -maxdepth 1 -type f)" ]
}

@test "no room includes what is above it" {
	upward lib >"$BATS_TEST_TMPDIR/got"
	diff /dev/null "$BATS_TEST_TMPDIR/got"
}

@test "no files include each other in a circle" {
	circles lib >"$BATS_TEST_TMPDIR/got"
	diff /dev/null "$BATS_TEST_TMPDIR/got"
}

@test "no files call each other in a circle" {
	# Those of sources that are gone may be there, too.
	find lib cmd -name '*.c' | sed "s,^,${PROF_BUILD:-build}/,; s/c$/o/" >"$BATS_TEST_TMPDIR/objects"
	call_circles $(cat "$BATS_TEST_TMPDIR/objects") >"$BATS_TEST_TMPDIR/got"
	diff /dev/null "$BATS_TEST_TMPDIR/got"
}

@test "an upward include and a circle are found" {
	mkdir -p "$BATS_TEST_TMPDIR/lib/util" "$BATS_TEST_TMPDIR/lib/stream"
	cd "$BATS_TEST_TMPDIR"
	cp "$TESTS/../CONTRIBUTING.md" .
	echo '#include "stream/b.h"' >lib/util/a.c
	touch lib/util/a.h
	echo '#include "util/a.h"' >lib/stream/b.h
	[ "$(upward lib)" = 'util/a.c includes stream/b.h' ]
	[ "$(circles lib | xargs)" = 'stream/b util/a' ]
}

@test "a circle of calls is found" {
	cd "$BATS_TEST_TMPDIR"
	echo 'int b(void); int a(void) { return b(); }' >a.c
	echo 'int a(void); int b(void) { return a(); }' >b.c
	echo 'int a(void); int c(void) { return a(); }' >c.c
	"${CC:-cc}" -c a.c b.c c.c
	[ "$(call_circles a.o b.o c.o | xargs)" = 'a.o b.o' ]
}

@test "headers have the guard of their place" {
	find lib cmd -name '*.h' | while read -r f; do
		guard=PROF_$(sed 's,^lib/,,; s,^cmd/,,; s,\.h$,,; s,[^a-z0-9],_,g' <<<"$f" |
			tr a-z A-Z)_H
		grep -qx "#ifndef $guard" "$f" || echo "$f: not $guard"
	done >"$BATS_TEST_TMPDIR/got"
	diff /dev/null "$BATS_TEST_TMPDIR/got"
}

@test "a machine without numbers of 128 bits is told so" {
	run -1 "${CC:-cc}" -fsyntax-only -U__SIZEOF_INT128__ -D_GNU_SOURCE -iquote lib lib/util/num.c
	[[ $output = *'prof needs a compiler and a machine with __int128: those of 64 bits'* ]]
}

@test "no line of a source is wider than 100 columns" {
	# shellcheck disable=SC2046
	perl -ne 'chomp; 1 while s/\t/" " x (8 - $-[0] % 8)/e; utf8::decode($_);
		print "$ARGV: $_\n" if length > 100' $(find lib cmd tests -name '*.[ch]') >"$BATS_TEST_TMPDIR/wide"
	diff /dev/null "$BATS_TEST_TMPDIR/wide"
}
