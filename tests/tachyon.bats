#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# Files of Python's sampling profiler, as tachyon.py writes them by CPython's documentation,
# which also prints what is in them.

load tools.bash

tachyon() {
	python3 "$TESTS/tachyon.py" "$@"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
}

# As tachyon.py prints them.
samples() {
	prof-cat --quiet "$1" | awk -F '\t' '
		$1 == "file" { file[$2] = $3 }
		$1 == "func" { name[$2] = $3 }
		$1 == "ctx" { f = name[$4] "(" ($5 == "-" ? "" : file[$5]) ":" ($6 == "-" ? "" : $6) ")"
			s[$2] = ($3 == "-" ? "" : s[$3] ";") f }
		$1 == "sample" { for (k in v) delete v[k]
			for (k = 5; k <= NF; k++) { split($k, a, "="); v[a[1]] = a[2] }
			n[v["tid"] ";" v["interpreter"] ";" v["state"] ";" s[$2]] += $3
			if ($4 != 1000 * $3) print "time:", $0 }
		END { for (k in n) print n[k] "\t" k }' | sort
}

@test "each sample of each form of the format, in both byte orders" {
	local seed=1 form
	for form in '' --big --wide --zstd --stats '--big --wide --zstd --stats'; do
		for seed in 1 2 3; do
			# shellcheck disable=SC2086
			tachyon $form --seed $seed --samples 500 x | sort >want
			[ "$(wc -l <want)" -gt 300 ]
			samples x | same want -
		done
		[ "$(prof-cat --probe x)" = 'x: tachyon' ]
	done
	samples "$TESTS/../share/examples/app.tachyon" >got
	tachyon --seed 8 --samples 200 --zstd app | sort | same - got
	cmp app "$TESTS/../share/examples/app.tachyon"
}

@test "metadata, events and frames" {
	tachyon --wide x >/dev/null
	prof-cat x | sed -n '/^\(meta\|event\|part\)/p' | same - <(tabs <<-'E'
	part  1  positions=line
	meta  format  tachyon
	meta  creator  Python 3.15.2
	meta  tachyon.mode  cpu
	event  0  samples  -  -  -  calls=absent  default=1
	event  1  time  us  -  -  calls=absent  sample=1000
	E
	)
	# Code without a file or a line has neither.
	prof-cat x | has '^func	[0-9]*	<native>	-	-	-$'
	prof-cat x | has '	state=gil,cpu$'
}

@test "samples without frames are counted in a note" {
	perl -e '
		my $s = pack("Q<L<C", 1, 0, 1) . "\1\1\0";	# FULL, no frame
		my $at = 64 + length $s;
		print pack("L<L<C4Q<Q<L<L<Q<Q<L<x8", 0x54414348, 1, 3, 15, 0, 0, 0, 1000, 1, 1, $at, $at, 0), $s,
			pack("L<L<Q<x16", 0, 0, $at + 32)' >x
	prof-cat x 2>err >/dev/null
	has 'samples of threads without frames are not counted: 1$' <err
}

@test "malformed input is an error with its byte" {
	tachyon --samples 30 x >/dev/null
	size=$(wc -c <x)
	while IFS='|' read -r at bytes says; do
		cp x bad
		printf "$bytes" | dd of=bad bs=1 seek="$at" conv=notrunc status=none
		exits_with 2 "$says" prof-cat --from tachyon bad
	done <<-E
	0|XXXX|bad: byte 0: expected 'TACH' in either byte order
	4|\2|bad: byte 4: version 2 of the format is not supported
	20|\0\0\0\0\1|bad: byte 20: an interval of 4294967296 microseconds
	36|\377\377\377\377|bad: byte 28: the tables are not where the header has them
	76|\11|unknown encoding of a stack: 9
	28|\377|samples, but the header has
	$((size - 32))|\377\377\377\377|4294967295 strings do not fit there
	$((size - 28))|\377\377\377\377|4294967295 frames do not fit there
	$((size - 24))|\1|the file is truncated, or followed by other data
	E
	# The table of strings ends with the last one that may be referred to.
	table() {
		perl -e 'my ($n, $path, $name) = @ARGV; my $s = pack("Q<L<C", 1, 0, 1) . "\1\1\1\0"; my $at = 64 + length $s;
			my $t = "\1f" x $n; my $f = pack("C7", $path, $name, 2, 0, 0, 0, 255);
			print pack("L<L<C4Q<Q<L<L<Q<Q<L<x8", 0x54414348, 1, 3, 15, 0, 0, 0, 1, 1, 1, $at,
				$at + length $t, 0), $s, $t, $f,
				pack("L<L<Q<x16", $n, 1, $at + length($t . $f) + 32)' "$@" >y
	}
	table 3 2 2
	prof-cat y | has -P '^func\t0\tf\t0\t'
	for of in '3 2' '2 3'; do
		# shellcheck disable=SC2086
		table 3 $of
		exits_with 2 'a frame refers to a string that is not there' prof-cat y
	done
	tachyon --samples 30 --zstd x >/dev/null
	printf '\377\377' | dd of=x bs=1 seek=80 conv=notrunc status=none
	exits_with 2 'the samples are damaged: ' prof-cat x
}

@test "a stack may grow with each sample, and samples be very many" {
	shape tachyon:deep 20000 >deep
	prof-cat deep | has -c '^sample'
	[ "$(brief 10 prof-cat deep | grep -c '^sample')" = 20000 ]
	# Samples that are packed are limited as a whole file is.
	perl -e 'my $n = 3000000; print pack("Q<L<C", 1, 0, 1), "\1\1\1\0", pack("Q<L<C", 1, 0, 0), pack("C4", $n & 127 | 128,
		$n >> 7 & 127 | 128, $n >> 14 & 127 | 128, $n >> 21), "\1\1" x $n' | zstd -qc >packed
	perl -e 'my $s = do { local $/; <STDIN> }; my $at = 64 + length $s; my $t = "\1f"; my $f = "\0\0\2\0\0\0\xff";
		print pack("L<L<C4Q<Q<L<L<Q<Q<L<x8", 0x54414348, 1, 3, 15, 0, 0, 0, 1, 3000001, 1, $at, $at + 2, 1), $s, $t, $f,
			pack("L<L<Q<x16", 1, 1, $at + length($t . $f) + 32)' <packed >x
	[ "$(wc -c <x)" -lt 2000 ]
	prof-cat x | awk -F '\t' '$1 == "sample" { n += $3 } END { print n }' | same - <(echo 3000001)
	exits_with 2 'the samples have more than 1 MiB: see --max-whole' prof-cat --max-whole 1 x
}
