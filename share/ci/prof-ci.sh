#!/bin/sh
# SPDX-License-Identifier: ISC
# Compares what a program costs at two revisions of its git repository: builds both, each in
# a directory of its own, records both, and gates.
#
#	prof-ci.sh [option ...] BASE [option of prof-report ...]
#
#	BASE		the old revision: a branch, a tag, a commit
#	--build CMD	builds the program in a directory with the source; default: make
#	--run CMD	the program with its arguments; needed
#	--input FILE	its standard input; default: none
#	--tool NAME	callgrind (default), massif, dhat, perf
#	--runs N	runs of each revision, in turn; default: 1, with perf 10
#	--out DIR	the directory for results; default: prof-ci
#
# The results are report.md, which is also for a job's summary, report.json, the profiles
# old.* and new.*, and a picture: difference.svg, or with callgrind new.svg.
#
# The exit status is 0 if no cost grew by more than 1 % (2 % with perf), 1 if one did, and
# 2 if a revision cannot be built, run or compared.  Options of prof-report change the limits:
# --fail-over LIST, --limits FILE, --min-cost N, --strict.
set -u

fail() {
	echo "prof-ci: $*" >&2
	exit 2
}

build=make run='' input=/dev/null tool=callgrind runs='' out=prof-ci
while [ $# -gt 1 ]; do
	case $1 in
	--build) build=$2 ;;
	--run) run=$2 ;;
	--input) input=$2 ;;
	--tool) tool=$2 ;;
	--runs) runs=$2 ;;
	--out) out=$2 ;;
	*) break ;;
	esac
	shift 2
done
[ $# -ge 1 ] && [ -n "$run" ] || fail 'usage: prof-ci.sh --run CMD [option ...] BASE'
base=$1
shift
limit=1%
case $tool in
callgrind | massif | dhat) runs=${runs:-1} ;;
perf) runs=${runs:-10} limit=2% ;;
*) fail "--tool: expected callgrind, massif, dhat or perf, found '$tool'" ;;
esac
[ -r "$input" ] || fail "--input: cannot read $input"
input=$(realpath "$input")
mkdir -p "$out" && out=$(realpath "$out") || fail "--out: cannot make $out"
rm -f "$out"/old.* "$out"/new.* "$out"/report.* "$out"/difference.svg

# The builds are always in the same place, as profiles have the paths of sources.
work=$out/work
rm -rf "$work"
mkdir "$work" || fail 'cannot make a directory for the builds'
trap 'rm -rf "$work"; git worktree prune' EXIT
trap 'exit 2' HUP INT TERM

# checkout SIDE REVISION: builds it in a directory of its own.
checkout() {
	git worktree add -q --detach "$work/$1" "$2" 2>"$work/log" || {
		cat "$work/log" >&2
		fail "$2 is no revision of this repository"
	}
	(cd "$work/$1" && sh -c "$build") >"$work/log" 2>&1 || {
		cat "$work/log" >&2
		fail "$2 does not build"
	}
}

# record SIDE N: records one run.
record() {
	profile=$out/$1.$2.$tool
	case $tool in
	perf) set -- "$1" perf record -q -g -o "$profile" -- ;;
	*) set -- "$1" valgrind -q --tool="$tool" "--$tool-out-file=$profile" ;;
	esac
	side=$1
	shift
	# shellcheck disable=SC2086 # words
	(cd "$work/$side" && "$@" $run) <"$input" >/dev/null 2>"$work/log" || {
		status=$?
		cat "$work/log" >&2
		fail "the $side revision does not run: status $status"
	}
	# With the names in it, a profile needs the build no more.
	prof-cat --quiet -o "$profile.prof.zst" "$profile" && rm -f "$profile" ||
		fail "the profile of the $side revision cannot be read"
}

checkout old "$base"
checkout new HEAD
n=0
while [ $((n += 1)) -le "$runs" ]; do
	record old $n
	record new $n
done

sources='-I '$work/new
case $tool in
# What a function allocates is not to be malloc's.
dhat) rules='--rules allocators' ;;
*) rules='' ;;
esac
status=0
# The first --fail-over is the default; another replaces it.
# shellcheck disable=SC2086 # words
prof-report $rules $sources --fail-over $limit --min-cost 0.1% "$@" "$out"/old.* -- "$out"/new.* \
	>"$out/report.md" || status=$?
[ $status -le 1 ] || fail 'the comparison failed'
# shellcheck disable=SC2086
prof-report --json --quiet $rules $sources --fail-over $limit --min-cost 0.1% "$@" "$out"/old.* \
	-- "$out"/new.* >"$out/report.json" 2>/dev/null || [ $? = 1 ] || fail 'no JSON'
# Callgrind counts calls, which are no stacks: those of one revision can be estimated.
# shellcheck disable=SC2086
case $tool in
callgrind) prof-to --quiet svg --estimate -o "$out/new.svg" "$out/new.1.$tool.prof.zst" ;;
*) prof-diff --quiet $rules "$out"/old.* -- "$out"/new.* |
	prof-to --quiet svg -o "$out/difference.svg" ;;
esac || fail 'no picture'
cat "$out/report.md"
exit $status
