#!/bin/sh
# SPDX-License-Identifier: ISC
# Checks in CI whether a program has become slower, by counts of instructions, or with
# TOOL=dhat or TOOL=massif whether it needs more memory:
#
#	ci-gate.sh OLD.c NEW.c [option of prof-diff ...] <input
#
# compiles both versions, each in a directory of its own, runs both under
# Valgrind with the same input and compares.  The last line on standard error
# and the exit status give the result:
#
#	0	pass: no cost grew
#	1	fail: a cost grew, and a table shows which
#	2	broken: a version does not compile or run, or cannot be compared
#
# The cost of a function or of the whole program has grown if it is more than 1 %
# higher, and the difference is more than 0.1 % of the whole; options of prof-diff
# change these limits.  CC, CFLAGS and ARGS, the program's arguments, may be set:
# words separated by blanks.
#
# Of DHAT's counts all bytes (tb), those at the peak (gb) and those at the end (eb) are
# compared; `--fail-over ebk=0` would compare the blocks at the end.  Massif has the peak.
set -u

say() {
	echo "ci-gate: $*" >&2
}

broken() {
	say "broken: $*"
	exit 2
}

# profile NAME SOURCE: leaves NAME.out.  Headers beside the source are found.
# shellcheck disable=SC2086 # words
profile() {
	mkdir "$work/$1" || broken "cannot create a work directory"
	cp "$2" "$work/$1/program.c" || broken "$2 cannot be read"
	${CC:-cc} ${CFLAGS:--g -O1} -I "$(dirname "$2")" -o "$work/$1/program" \
		"$work/$1/program.c" -lm || broken "$2 does not compile"
	valgrind -q --tool="$tool" --"$tool"-out-file="$work/$1.out" \
		"$work/$1/program" ${ARGS:-} <"$work/input" >/dev/null 2>"$work/log" || {
		status=$?
		cat "$work/log" >&2
		broken "$2 does not run: status $status"
	}
}

[ $# -ge 2 ] || broken 'usage: ci-gate.sh OLD.c NEW.c [option ...] <input'
old=$1 new=$2
shift 2
tool=${TOOL:-callgrind}
case $tool in
# What a function allocates is not to be malloc's.
dhat) set -- --rules allocators --fail-over tb=1%,gb=1%,eb=1% "$@" ;;
callgrind | massif) set -- --fail-over 1% "$@" ;;
*) broken "TOOL is none of callgrind, dhat and massif: $tool" ;;
esac

work=$(mktemp -d) || broken 'cannot create a work directory'
trap 'rm -rf "$work"' EXIT
trap 'broken interrupted' HUP INT TERM
cat >"$work/input" || broken 'no input'
profile old "$old"
profile new "$new"

status=0
prof-diff --min-cost 0.1% "$@" "$work/old.out" "$work/new.out" || status=$?
case $status in
0) say 'pass: no cost grew' ;;
1) say "fail: a cost grew from $old to $new" ;;
*) broken 'the comparison failed' ;;
esac
exit "$status"
