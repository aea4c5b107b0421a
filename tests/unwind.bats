# SPDX-License-Identifier: ISC
# of: symbol
# Stacks from registers and a copy of the stack: of a program that records itself, whose
# stacks glibc and libdw tell, too.

load tools.bash

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	chmod o+x "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR/test" .
}


# recording BYTES FLAG...: f, and in `want` what glibc says.
recording() {
	cc -rdynamic "${@:2}" -o recording "$TESTS/recording.c" -ldl
	./recording f "$1" >want
}

# stacks: the functions of the program in f, leaf first.
stacks() {
	prof-cat --quiet --times f 2>/dev/null | awk -F '\t' '
		$1 == "object" { object[$2] = $3 }
		$1 == "func" { name[$2] = $3; of[$2] = object[$5] }
		$1 == "ctx" { parent[$2] = $3; func_of[$2] = $4 }
		$1 == "sample" { line = ""
			for (c = $2; c != "-"; c = parent[c])
				if (of[func_of[c]] ~ /recording$/)
					line = line name[func_of[c]] " "
			print line }'
}

# addresses: of each sample in f, leaf first, in the form of libdw_stacks.
addresses() {
	prof-cat --quiet --times --addr f 2>/dev/null | awk -F '\t' '
		$1 == "func" && $3 == "[truncated]" { truncated = $2 }
		$1 == "ctx" { parent[$2] = $3; func_of[$2] = $4; addr[$2] = substr($7, 3) }
		$1 == "sample" { line = ""
			for (c = $2; c != "-"; c = parent[c])
				if (func_of[c] != truncated || truncated == "")
					line = line " " addr[c]
			print line }'
}

libdw_stacks() {
	# shellcheck disable=SC2046
	cc -o libdw_stacks $(pkg-config --cflags libdw libelf) "$TESTS/libdw_stacks.c" \
		$(pkg-config --libs libdw libelf)
	./libdw_stacks f | sed 's/^[0-9]* [0-9]*//'
}

@test "stacks are those that glibc unwinds" {
	[ "$(uname -m)" = x86_64 ] || return 0
	for flags in '-O0' '-O2' '-O2 -fcf-protection=none' '-O1 -fno-pie -no-pie' '-O3 -g'; do
		# shellcheck disable=SC2086
		recording 60000 $flags
		stacks >got
		[ "$(wc -l <want)" = 7 ]
		diff want got || {
			echo "compiled with $flags"
			return 1
		}
	done
}

@test "stacks are those that libdw unwinds, also by .debug_frame, and of thousands of frames" {
	[ "$(uname -m)" = x86_64 ] || return 0
	for flags in '-O2' '-O2 -g -fno-asynchronous-unwind-tables -fno-unwind-tables'; do
		# shellcheck disable=SC2086
		recording 60000 $flags
		libdw_stacks >want
		addresses >got
		[ "$(wc -l <want)" = 7 ]
		[ "$(wc -w <want)" -gt 80 ]
		diff want got || {
			echo "compiled with $flags"
			return 1
		}
	done
	./recording f 65000 tiny >/dev/null
	libdw_stacks >want
	[ "$(wc -w <want)" -gt 7000 ]
	addresses | diff want -
}

@test "callers that are missing are a frame, and counted by their reason" {
	[ "$(uname -m)" = x86_64 ] || return 0
	recording 4000 -O2
	prof-cat f >got 2>err
	n=$(sed -n 's/^meta	truncated stacks	//p' got)
	[ "$n" -ge 1 ]
	[ "$n" -lt 7 ]
	grep -q "^prof-cat: f: $n stacks are larger than their copy, and lack callers" err
	# It is the root of these, and of no other.
	awk -F '\t' '$1 == "func" { name[$2] = $3 }
		$1 == "ctx" { root[$2] = $3 == "-" ? name[$4] : root[$3] }
		$1 == "sample" { n[root[$2]] += $3 }
		END { print n["[truncated]"], n["_start"] }' got | has -x "$n $((7 - n))"
	prof-top --tsv f 2>/dev/null | grep -c '\[truncated\]' | has -x 1
}
