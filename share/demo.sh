#!/bin/sh
# SPDX-License-Identifier: ISC
# The main job, on a real profile that is shipped: decode, keep what is ours,
# encode for other programs, rank.
#
#	share/demo.sh [DIRECTORY OF THE PROGRAMS]
set -eu

cd "$(dirname "$0")/.."
bin=$(cd "${1:-build/bin}" && pwd)
PATH=$bin:$PATH
profile=share/examples/wordcount.callgrind.zst
mine=$(mktemp)
trap 'rm -f "$mine"' EXIT

# Prints a command, then runs it; in a pipeline every part must succeed.
show()
{
	printf '\n$ %s\n' "$1"
	mine=$mine bash -euo pipefail -c "$1"
}

show "prof-cat --probe $profile"
show "prof-cat $profile | prof-grep --in object 'wordcount\$' | prof-to callgrind >\"\$mine\""
show "prof-top -n 5 \"\$mine\""
show "prof-top --callers '^calloc\$' $profile"

# Is it what it should be?
first=$(prof-top --tsv -n 1 --events Ir "$mine" | cut -f 1,5 | tail -n 1)
if [ "$first" != "insert'2	1035295" ]; then
	echo "demo: the first function is wrong: $first" >&2
	exit 1
fi
