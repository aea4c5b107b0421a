#!/bin/sh
# SPDX-License-Identifier: ISC
# The tools at work, on a small program that is recorded here: by gprof, which each compiler
# has, and by Valgrind and perf, if they are there and may.  Ends with status 1 if a tool
# does not do what this says.
#
#	share/demo.sh [DIRECTORY OF THE PROGRAMS]
set -eu

source=$(cd "$(dirname "$0")" && pwd)/demo.c
bin=$(cd "${1:-build/bin}" && pwd)
PATH=$bin:$PATH
export PAGER=cat LC_ALL=C.UTF-8
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cp "$source" shop.c

bold='' plain='' width=' --width 80'
if [ -t 1 ]; then
	bold=$(printf '\033[1m') plain=$(printf '\033[0m') width=''
fi

fail()
{
	echo "demo: $*" >&2
	exit 1
}

# say TEXT: what to see in the commands that follow.
say()
{
	printf '\n%s# %s%s\n' "$bold" "$1" "$plain"
}

# show COMMAND [STATUS]: prints it, runs it, and expects this exit status; in a pipeline the
# last one that is not 0.
show()
{
	status=0
	printf '$ %s\n' "$1"
	bash -uo pipefail -c "$1" </dev/null || status=$?
	[ "$status" = "${2:-0}" ] || fail "expected status ${2:-0}, found $status: $1"
}

say 'Record a program: it adds up the orders of customers.'
show 'cc -pg -g -O1 -fno-inline -static -o shop shop.c && ./shop'

say 'Which functions cost most?  find() has nearly all of it.'
show "prof-top -n 5$width ./shop"

say 'Who calls it?'
show "prof-tree --function '^main\$' --min 2%$width ./shop"

say 'Which lines?  A search through all customers, for each order.'
show "prof-annotate --function '^find\$' --min 5% --context 1$width ./shop"

say 'Keep the profile, with all names, and find customers by a hash table.'
show 'prof-cat --quiet -o old.prof ./shop'
show 'cc -pg -g -O1 -fno-inline -static -DINDEX -o shop shop.c && ./shop'
show 'prof-cat --quiet -o new.prof ./shop'

say 'What did the change do?'
show "prof-diff --quiet -n 4$width old.prof new.prof"

say 'A gate for CI: status 1 if somebody goes back.'
show "prof-diff --quiet --fail-over 50% --min-cost 10%$width new.prof old.prof" 1
echo "status 1"

say 'A pipeline: only our own file, for KCachegrind; percentages are still of the program.'
show "prof-cat --quiet old.prof | prof-grep --in file 'shop\\.c' | prof-to callgrind -o mine.callgrind"
show "prof-top -n 3$width mine.callgrind"

say 'A truncated file is an error, in every part of a pipeline.'
show 'head -c 700 old.prof | prof-cat | prof-grep find | prof-top' 2
echo "status 2"

if command -v valgrind >/dev/null; then
	say 'Exact counts, by Valgrind: the same in each run.'
	show 'cc -g -O1 -fno-inline -o shop shop.c'
	show 'valgrind -q --tool=callgrind --callgrind-out-file=shop.callgrind ./shop 2000'
	show "prof-top -n 3$width shop.callgrind"
fi

if perf record -q -e cpu-clock -o perf.data true >/dev/null 2>&1; then
	say 'Sampled stacks, by perf, which need no frame pointers.'
	show 'cc -g -O1 -fno-inline -o shop shop.c'
	show 'perf record -q --call-graph dwarf,4096 -e cpu-clock -F 500 -o perf.data ./shop 2>/dev/null'
	show "prof-tree --quiet --min 2%$width perf.data"
fi

say 'Pictures for a browser, and a page for a pull request.'
pictures=$(mktemp -d "${TMPDIR:-/tmp}/prof-demo.XXXXXX")
show "prof-to --quiet svg --estimate -o $pictures/old.svg old.prof"
show "prof-to --quiet dot new.prof >$pictures/new.dot"
show "prof-report --quiet old.prof -- new.prof >$pictures/report.md"
show "prof-cat --quiet -o $pictures/old.prof old.prof"
printf '\nNow open %s in a browser, or type: %s/prof-view %s\n' "$pictures/old.svg" "$bin" \
	"$pictures/old.prof"

# Is it what it says?
first=$(prof-top --tsv -n 1 mine.callgrind | sed 1d | cut -f 1)
[ "$first" = find ] || fail "the first function is wrong: '$first'"
