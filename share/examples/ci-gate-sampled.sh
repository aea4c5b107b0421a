#!/bin/sh
# SPDX-License-Identifier: ISC
# Checks in CI whether a program has become slower, by samples of its time:
#
#	ci-gate-sampled.sh OLD.c NEW.c [option of prof-diff ...] <input
#
# compiles both versions for gprof, runs them in turn RUNS times each (10) with the
# same input and compares.  Time differs from run to run, so a cost has grown only if
# it stands out of that, is more than 2 % higher, and the difference is more than 0.5 %
# of the whole; options of prof-diff change these limits.  Of 100 gates between equal
# versions one fails.  What a function must cost, and how much slower it must be, to be
# seen is in prof-diff(1).
#
# The result, CC, CFLAGS and ARGS are as of ci-gate.sh: the last line on standard error
# and the exit status say pass (0), fail (1) or broken (2).
set -u

say() {
	echo "ci-gate: $*" >&2
}

broken() {
	say "broken: $*"
	exit 2
}

# build NAME SOURCE.  Headers beside the source are found.
# shellcheck disable=SC2086 # words
build() {
	mkdir "$work/$1" || broken "cannot create a work directory"
	cp "$2" "$work/$1/program.c" || broken "$2 cannot be read"
	${CC:-cc} ${CFLAGS:--g -O1} -pg -no-pie -fno-pie -I "$(dirname "$2")" \
		-o "$work/$1/program" "$work/$1/program.c" -lm || broken "$2 does not compile"
}

# run NAME I: leaves the profile NAME.I.prof.
# shellcheck disable=SC2086 # words
run() {
	(cd "$work/$1" && ./program ${ARGS:-} <"$work/input" >/dev/null) ||
		broken "the $1 version does not run: status $?"
	prof-cat "$work/$1/program" "$work/$1/gmon.out" >"$work/$1.$2.prof" ||
		broken "the $1 version has no profile"
}

[ $# -ge 2 ] || broken 'usage: ci-gate-sampled.sh OLD.c NEW.c [option ...] <input'
old=$1 new=$2
shift 2
work=$(mktemp -d) || broken 'cannot create a work directory'
trap 'rm -rf "$work"' EXIT
trap 'broken interrupted' HUP INT TERM
cat >"$work/input" || broken 'no input'
build old "$old"
build new "$new"

# In turn, so that what slows the machine down slows both.
i=0
while [ "$i" -lt "${RUNS:-10}" ]; do
	i=$((i + 1))
	run old "$i"
	run new "$i"
done

status=0
prof-diff --fail-over 2% --min-cost 0.5% "$@" "$work"/old.*.prof -- "$work"/new.*.prof || status=$?
case $status in
0) say 'pass: no cost grew' ;;
1) say "fail: a cost grew from $old to $new" ;;
*) broken 'the comparison failed' ;;
esac
exit "$status"
