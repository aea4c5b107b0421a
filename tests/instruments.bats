#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# Call trees that Instruments has copied, of known values.  There is no other program here that
# could say what is in them.

load tools.bash

example=$BATS_TEST_DIRNAME/../share/examples/calc.instruments

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
}

# The frames of a copy, "VALUE FRAMES".
stacks() {
	prof-cat --quiet "$1" | awk -F '\t' '$1 == "func" { name[$2] = $3 }
		$1 == "ctx" { s[$2] = ($3 == "-" ? "" : s[$3] ";") name[$4] }
		$1 == "sample" { print $3, s[$2] }'
}

event() {
	prof-cat --quiet "$1" | grep '^event' | cut -f 3-6
}

@test "self weights are the costs, inclusive ones come near the weights in front" {
	prof-top --quiet --tsv --exact -n 0 --by function "$example" | awk -F '\t' '
		NR > 1 { printf "%s %g %g\n", $1, $5 / 1e6, $6 / 1e6 }' | head -n 4 | same - <(cat <<-'E'
	find 549 549
	<Unknown Address> 147 147
	strtod 58 58
	assign 35 680
	E
	)
	prof-cat "$example" 2>err >/dev/null
	has 'the weights are rounded, as Instruments shows them$' <err
	[ "$(event "$example")" = "$(printf 'time\tns\t-\tas rounded by Instruments')" ]
}

@test "each unit, and blanks before the first symbol" {
	bars >a <<-'E'
	Weight|Self Weight|Symbol Names
	3.00 min  100.0%|2.00 min|   start
	30.00 s   10.0%|30.25 s|    a
	2.00 ms|2.50 ms|     b
	2.00 µs|2 µs|     c
	7 ns|7 ns|    d
	1 s|-|   next
	E
	stacks a | same - <(cat <<-'E'
	120000000000 start
	30250000000 start;a
	2500000 start;a;b
	2000 start;a;c
	7 start;d
	E
	)
	bars >b <<-'E'
	Running Time|Self (ms)||Symbol Name
	4273.0ms   99.9%|1.5|	|main
	4271.0ms   99.9%|4271| | work()
	E
	stacks b | same - <(printf '%s\n' '1500000 main' '4271000000 main;work()')
	bars >c <<-'E'
	Weight|Self Weight||Symbol Name
	96.08 Gc  100.0%|-| |app (40414)
	404.75 Mc   0.4%|404.75 Mc| | elapsed
	1.34 Kc   0.0%|1.34 Kc| |  a
	532 cycles    0.0%|532 cycles| | b
	E
	stacks c | same - <(printf '%s\n' '404750000 app (40414);elapsed' '1340 app (40414);elapsed;a' '532 app (40414);b')
	[ "$(event c)" = "$(printf 'cycles\t-\t-\tas rounded by Instruments')" ]
}

@test "of allocations the counts are read, without those of callees" {
	bars >a <<-'E'
	Bytes Used|Count||Symbol Name
	 429.93 MB     100.0%|84671| |start
	 217.09 MB      50.4%|42749| | delta()
	 217.09 MB      50.4%|42749| |  malloc
	  71.38 MB      16.6%|40000| | alpha()
	E
	stacks a | same - <(printf '%s\n' '1922 start' '42749 start;delta();malloc' '40000 start;alpha()')
	prof-cat a 2>err >/dev/null
	has 'the bytes are rounded, and dropped; the counts are kept$' <err
	sed 's/40000/50000/' a >bad
	exits_with 2 'bad:5: more than the allocations that its caller has left' prof-cat bad
}

@test "malformed input is an error with its line" {
	while IFS='|' read -r line text says; do
		printf '%b' 'Weight\tSelf Weight\tSymbol Name\n4 s 100%\t1 s\tmain\n3 s 75%\t3 s\t work\n' >good
		silent prof-cat --quiet good >/dev/null
		sed "${line}c\\$text" good >bad
		exits_with 2 "prof-cat: bad:$line: $says" prof-cat --from instruments bad
	done <<-'E'
	1|Weight\tSelf Weight|expected a heading from 'Weight' to 'Symbol Name'
	1|Weight\tSymbol Name|no column of self weights or counts
	3|3 s 75%\t3 s|expected a weight and a symbol between TABs
	3|3 s 75%\t3 parsecs\t work|expected a weight such as '846.00 ms'
	3|3 s 75%\t0.0000000001 s\t work|expected a weight such as '846.00 ms'
	3|3 s 75%\t3 Mc\t work|expected a weight in the unit of those above
	3|3 s 75%\t3 s\t  work|the symbol is more than one level deeper
	3|3 s 75%\t99999999999999999999 s\t work|expected a weight such as
	E
	printf 'Weight\tSelf Weight\tSymbol Name\n' >bad
	exits_with 2 'the copy is truncated: it has no call tree' prof-cat bad
	head -c -1 "$example" >cut
	exits_with 2 'is truncated' prof-cat cut
	prof-cat --lenient cut >/dev/null
	# Instruments 16 does not end its last line.
	printf 'Weight\tSelf Weight\tSymbol Names\n4 s\t1 s\tmain\n3 s\t3 s\t work' >plural
	stacks plural | same - <(printf '%s\n' '1000000000 main' '3000000000 main;work')
	prof-cat plural 2>&1 >/dev/null | has 'the last line has no newline: the copy may be truncated there'
	prof-cat <plural >got
	cat plural | exits_with 2 'is truncated' prof-cat -
}
