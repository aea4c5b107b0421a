# SPDX-License-Identifier: ISC
# shellcheck shell=bash
# What all test files share.  Each test runs in its own directory.

bats_require_minimum_version 1.5.0

repo=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
export PROF_BUILD=${PROF_BUILD:-$repo/build}
PROF_BIN=${PROF_BIN:-$PROF_BUILD/bin}
PATH=$PROF_BIN:$PATH
export PATH LC_ALL=C TZ=UTC
set -o pipefail
unset COLUMNS LINES NO_COLOR
# The tools look for objects in caches of the user's, which may have those of the tests.
export GOCACHE=${GOCACHE:-${HOME:-/tmp}/.cache/go-build} HOME=${BATS_RUN_TMPDIR:-/nonexistent}
unset XDG_CACHE_HOME DEBUGINFOD_CACHE_PATH
# script(1) runs its command with $SHELL.
export PAGER= SHELL=/bin/sh

# needs PROGRAM: it is built, which `make check-NAME` does before.
needs() {
	[ -x "$PROF_BUILD/$1" ] || env -u MAKEFLAGS -u MAKELEVEL "${MAKE:-make}" -s -C "$repo" \
		B="${PROF_BUILD#"$repo"/}" "${PROF_BUILD#"$repo"/}/$1"
}

# The path from there to the files of setup_file(): unlike TMPDIR, it has no blanks or
# other characters that are special to the shell.
made=.

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	made=$(realpath --relative-to=. "$BATS_FILE_TMPDIR")
}

# formats_that read|write: the names of the formats that are, or of FORMAT alone if it is.
# Tests that go over formats have the tag `format`: `make check FORMAT=x` runs them for x.
formats_that() {
	prof-cat --list-formats | awk -F '\t' -v use="$1" -v only="${FORMAT-}" '
		$2 ~ use && (only == "" || $1 == only) { print $1 }'
}

# TABs are hard to see in a heredoc.  There fields are separated by two or more blanks
tabs() {
	sed -E 's/  +/\t/g'
}

# or between "|".
bars() {
	tr '|' '\t'
}

# exits_with STATUS TEXT COMMAND...: it exits with STATUS and prints TEXT on
# stderr.  Its output is in the files `out` and `err`.
exits_with() {
	local want=$1 text=$2 got=0
	shift 2
	"$@" >out 2>err || got=$?
	if [ "$got" -ne "$want" ] || ! grep -qF -- "$text" err; then
		printf 'command: %s\nexpected: status %s, "%s"\nfound: status %s, "%s"\n' \
			"$*" "$want" "$text" "$got" "$(cat err)"
		return 1
	fi
}

# narrow COMMAND...: with the instructions that any processor has (lib/util/wide.h).
narrow() {
	GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2 "$@"
}

# silent COMMAND...: it succeeds and prints nothing on stderr.
silent() {
	local got=0
	"$@" 2>err || got=$?
	if [ "$got" -ne 0 ] || [ -s err ]; then
		printf 'command: %s\nstatus %s: %s\n' "$*" "$got" "$(cat err)" >&2
		return 1
	fi
}

# has GREP-ARGUMENT...: a line matches.  Reads all lines, so that the writer of a pipe
# does not lose its reader.
has() {
	[ "$(grep -c "$@")" -gt 0 ]
}

# lacks FILE REGEX: no line matches.
lacks() {
	local got=0
	grep -nP -e "$2" "$1" || got=$?
	[ "$got" -eq 1 ]	# not 2: it has been looked at
}

# same EXPECTED-FILE FILE
same() {
	diff -u "$1" "$2"
}

# limited KIB COMMAND...: with that much memory, or without a limit where sanitizers
# need more for their shadows.
limited() {
	(
		case $PROF_BIN in *build-san*) ;; *) ulimit -v "$1" ;; esac
		exec "${@:2}"
	)
}

# A build without elfutils reads no executables; the default one has it.
reads_executables() {
	if prof-cat --version | has 'no elfutils'; then skip 'built without elfutils'; fi
}

# brief SECONDS COMMAND...: in that much processor time, or without a limit where
# sanitizers take more.  The bound distinguishes quadratic from linear time, a factor
# of ten away from both.
brief() {
	(
		case $PROF_BIN in *build-san*) ;; *) ulimit -t "$1" ;; esac
		"${@:2}"
	)
}

# shape NAME N: a profile with much of one thing, by tests/cost/shapes.pl.
shape() {
	perl -e 'require shift; print text_of(@ARGV)' "$repo/tests/cost/shapes.pl" "$@"
}

# valgrind_to OUT TOOL [OPTION...] COMMAND...: a profile of the command, whose
# environment has only PATH.
valgrind_to() {
	local out=$1 tool=$2
	shift 2
	env -i PATH="$PATH" valgrind -q --tool="$tool" --"$tool"-out-file="$out" \
		"$@" >/dev/null 2>valgrind.log || { cat valgrind.log >&2; return 1; }
}

# graph EVENTS: a file for Callgrind's readers, of lines
#	NAME COST...
#	CALLER > CALLEE COUNT COST...		from line 5, to line 9
#	CALLER : LINE > CALLEE COUNT COST...
graph() {
	awk -v events="$1" '
	BEGIN { print "events: " events; print "fl=f.c" }
	$2 == ">" { line = 5; k = 3 }
	$2 == ":" { line = $3; k = 5 }
	$2 == ">" || $2 == ":" {
		printf "fn=%s\ncfn=%s\ncalls=%s 9\n%d", $1, $k, $(k + 1), line
		for (i = k + 2; i <= NF; i++) printf " %s", $i
		print ""
		next
	}
	{ printf "fn=%s\n1", $1; for (i = 2; i <= NF; i++) printf " %s", $i; print "" }'
}

# The records of a place with names spelt out: function (its file, its object), so
# that streams with different numbers can be compared.
spelt() {
	awk -F '\t' -v OFS='\t' '
	$1 == "prof" { split("", o); split("", f); split("", fn)
		o["-"] = f["-"] = fn["-"] = "-" }
	$1 == "object" { o[$2] = $3 }
	$1 == "file" { f[$2] = $3 }
	$1 == "func" { fn[$2] = $3 " (" f[$4] ", " o[$5] ")" }
	$1 == "cost" || $1 == "call" || $1 == "jump" || $1 == "raw" { $2 = fn[$2] }
	$1 == "cost" || $1 == "call" || $1 == "jump" { $3 = f[$3] }
	$1 == "call" { $6 = fn[$6] }
	$1 == "jump" { $6 = fn[$6]; $7 = f[$7] }
	$1 == "cost" || $1 == "call" || $1 == "jump" || $1 == "raw"' "$@"
}

# The sums of self cost in a stream, one word per event.
self_sums() {
	awk -F '\t' '
	$1 == "event" && $2 != "-" && $2 >= n { n = $2 + 1 }
	$1 == "cost" { for (i = 6; i <= NF; i++) if ($i !~ /=/) s[i - 6] += $i }
	END { for (i = 0; i < n; i++) printf "%s%.0f", (i ? " " : ""), s[i]; print "" }' "$@"
}
