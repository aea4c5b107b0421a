#!/bin/sh
# Has a program got slower?  A gate for CI, on counts of instructions:
#
#	ci-gate.sh OLD.c NEW.c [option of prof-diff ...] <input
#
# compiles both versions, each in a directory of its own, runs both under
# Callgrind with the same input and compares.  The exit status is prof-diff's:
# 0 if nothing got dearer, 1 if something did, with a table of it, and 2 if the
# gate itself is broken.  CC, CFLAGS and ARGS, the program's arguments, may be set.
set -u
[ $# -ge 2 ] || { echo "usage: ci-gate.sh OLD.c NEW.c [option ...] <input" >&2; exit 2; }
old=$1 new=$2
shift 2
[ $# -gt 0 ] || set -- --fail-over 1% --min-cost 0.1%

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
cat >"$work/input" || exit 2

# profile NAME SOURCE: leaves NAME.out.
profile() {
	mkdir "$work/$1" && cp "$2" "$work/$1/program.c" &&
		${CC:-cc} ${CFLAGS:--g -O1} -o "$work/$1/program" "$work/$1/program.c" -lm &&
		valgrind -q --tool=callgrind --callgrind-out-file="$work/$1.out" \
			"$work/$1/program" ${ARGS:-} <"$work/input" >/dev/null
}

profile old "$old" || exit 2
profile new "$new" || exit 2
cd "$work" || exit 2
prof-diff "$@" old.out new.out
