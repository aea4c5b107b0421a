#!/bin/sh
# SPDX-License-Identifier: ISC
# Has a program got slower?  A gate for CI, on counts of instructions:
#
#	ci-gate.sh OLD.c NEW.c [option of prof-diff ...] <input
#
# compiles both versions, each in a directory of its own, runs both under
# Callgrind with the same input and compares.  The last line on standard error
# says what came out, and so does the exit status:
#
#	0	pass: nothing got dearer
#	1	fail: something did, and a table says what
#	2	broken: a version does not compile or run, or cannot be compared
#
# A function, or the whole, is dearer if it costs more than 1 % more, and that is
# more than 0.1 % of the whole; options say otherwise.  CC, CFLAGS and ARGS, the
# program's arguments, may be set, words with blanks between them.
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
	mkdir "$work/$1" || broken "no directory to work in"
	cp "$2" "$work/$1/program.c" || broken "$2 cannot be read"
	${CC:-cc} ${CFLAGS:--g -O1} -I "$(dirname "$2")" -o "$work/$1/program" \
		"$work/$1/program.c" -lm || broken "$2 does not compile"
	valgrind -q --tool=callgrind --callgrind-out-file="$work/$1.out" \
		"$work/$1/program" ${ARGS:-} <"$work/input" >/dev/null ||
		broken "$2 does not run: status $?"
}

[ $# -ge 2 ] || broken 'usage: ci-gate.sh OLD.c NEW.c [option ...] <input'
old=$1 new=$2
shift 2

work=$(mktemp -d) || broken 'no directory to work in'
trap 'rm -rf "$work"' EXIT
trap 'broken interrupted' HUP INT TERM
cat >"$work/input" || broken 'no input'
profile old "$old"
profile new "$new"

cd "$work" || broken "$work"
status=0
prof-diff --fail-over 1% --min-cost 0.1% "$@" old.out new.out || status=$?
case $status in
0) say 'pass: nothing got dearer' ;;
1) say "fail: from $old to $new something got dearer" ;;
*) broken 'no comparison' ;;
esac
exit "$status"
