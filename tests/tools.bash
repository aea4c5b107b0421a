# SPDX-License-Identifier: ISC
# shellcheck shell=bash
# What the tests of the tools share besides helper.bash.

load helper.bash

export TESTS=$BATS_TEST_DIRNAME

# fails_with TEXT COMMAND...: exit status 2, TEXT (a regular expression) on
# standard error, where what helps against it may follow.  Its output is in the files
# `fails.out` and `fails.err`.
fails_with() {
	local text=$1 status=0
	shift
	"$@" >fails.out 2>fails.err || status=$?
	if [ "$status" != 2 ]; then
		echo "expected exit status 2, found $status: $*"
		cat fails.err
		return 1
	fi
	if ! grep -Eq -e "$text" <(sed 's/ (--lenient reads the intact part)$//' fails.err); then
		echo "expected on standard error: $text"
		echo "found:"
		cat fails.err
		return 1
	fi
}

# on_terminal COLUMNS LINES COMMAND: its output on a terminal of that size, whatever
# its exit status.
on_terminal() {
	{ TERM=${TERM_IS-xterm} script -qec "stty cols $1 rows $2; $3" /dev/null </dev/null ||
		:; } | tr -d '\r'
}

# callgrind OUT COMMAND...: a profile of the command.
callgrind() {
	local out=$1
	shift
	valgrind --tool=callgrind --callgrind-out-file="$out" "$@" \
		>/dev/null 2>"$out.log" || {
		cat "$out.log"
		return 1
	}
}

# cg NAME: a file that setup_file() has made.
cg() {
	echo $made/$1
}

# A difference whose sum does not fit 128 bits, though each record's change does, and the
# sums of both sides do.
large_change() {
	local q=42535295865117307932921825928971026432	# 2^125
	printf '%s\n' 'prof|1' 'part|1' 'event|0|c|-|-|-|calls=absent|role=delta' \
		'event|1|c.old|-|-|-|calls=absent|of=c|role=old' \
		'event|2|c.new|-|-|-|calls=absent|of=c|role=new' \
		'func|0|f|-|-|-' 'func|1|g|-|-|-' 'ctx|0|-|0|-|-|-' 'ctx|1|0|1|-|-|-' \
		"sample|0|85070591730234615865843651857942052864|-$q|$q" \
		"sample|1|85070591730234615865843651857942052864|-$q|$q" end | bars
}

# counts FILE NUMBER...: functions f1 and so on that cost so much Ir, 0 being none; no Dr.
counts() {
	local name=$1 i=0 cost
	shift
	{
		echo 'events: Ir Dr'
		for cost; do
			i=$((i + 1))
			[ "$cost" = 0 ] || printf 'fn=f%d\n1 %s\n' $i "$cost"
		done
	} >"$name"
}
