#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec stream
# share/examples: what the README there says of each profile, and what the
# profilers' own programs do.

load helper.bash

examples=$BATS_TEST_DIRNAME/../share/examples
real=$BATS_TEST_DIRNAME/real

# The file's format, as its name says.
format_of() {
	local f=${1#*.}
	f=${f%.zst}
	echo "${f%.gz}"
}

# No test goes over nothing.
setup_file() {
	[ -n "${FORMAT-}" ] || [ "$(profiles | wc -l)" -gt 10 ]
}

# The files that are profiles.
profiles() {
	(cd "$examples" && for f in *; do
		if formats_that read | has -x "$(format_of "$f")"; then echo "$f"; fi
	done)
}

# The rows of the README's table: file, what it is, what to try.
rows() {
	sed -n 's/^| `\(.*\) |$/\1/p' "$examples/README.md" | sed 's/` | /\t/; s/ | `\?/\t/; s/`$//'
}

unpacked() {
	case $1 in
	*.zst) zstdcat "$examples/$1" ;;
	*) cat "$examples/$1" ;;
	esac
}

events_of() {
	sed -n 's/^events: *//p' "$1"
}

# bats test_tags=format
@test "the README has a row for each file, and a file for each row" {
	rows | cut -f 1 | sort >got
	(cd "$examples" && printf '%s\n' *) | grep -v README.md | sort | diff - got
	[ -z "$(rows | awk -F '\t' 'NF < 2 || length($2) < 8')" ]
}

# bats test_tags=format
@test "each format that is read has an example, and its file is named so" {
	profiles | while read -r f; do format_of "$f"; done | sort -u |
		diff <(formats_that read | sort) -
	for f in $(profiles); do
		want=$(format_of "$f")
		[[ $f != *.zst ]] || want=$want,\ zstd
		[[ $f != *.gz ]] || want=$want,\ gzip
		[ "$(prof-cat --probe "$examples/$f")" = "$examples/$f: $want" ]
	done
}

@test "the commands in the README print something" {
	rows | awk -F '\t' '$3 { print $3 }' >try
	[ "$(wc -l <try)" -ge "$(profiles | wc -l)" ]
	cp -r "$examples" here
	while IFS= read -r command; do
		echo "$command"
		(cd here && sh -ec "$command") >out 2>err </dev/null
		[ -s out ] || [ "$(cat err)" = 'ci-gate: pass: no cost grew' ]
	done <try
	# And of each profile there is one.
	for f in $(profiles); do
		grep -qF " $f" try
	done
	(cd "$examples" && "$BATS_TEST_DIRNAME/examples.pl" README.md)
}

# bats test_tags=format
@test "back in its own format each is the same" {
	for f in $(profiles); do
		echo "$f"
		formats_that write | has -x "$(format_of "$f")" || continue
		prof-cat "$examples/$f" >want
		prof-to "$(format_of "$f")" --strict want >back
		prof-cat back | cmp - want
		# Callgrind's blank lines are not kept, nor how it spells "desc", nor the
		# order of pprof's tables, Python's references to what came before, nor what V8
		# writes of no importance here.
		[[ $f == *.callgrind.* || $f == *.pprof.* || $f == *.pstats.* ||
			$f == *.cpuprofile.* ]] || unpacked "$f" | cmp - back
	done
}

@test "callgrind_annotate and cg_annotate have the costs of prof-top" {
	unpacked wordcount.callgrind.zst >callgrind.out
	callgrind_annotate --threshold=100 --auto=no callgrind.out |
		perl "$real/annotate.pl" >want
	prof-top --by file,function --tsv callgrind.out |
		perl "$real/table.pl" /dev/null $(events_of callgrind.out) >got
	[ "$(wc -l <want)" -gt 100 ]
	same want got
	unpacked wordcount.cachegrind.zst >cachegrind.out
	cg_annotate --threshold=0 --auto=no cachegrind.out |
		perl "$real/annotate.pl" cachegrind >want
	prof-top --by file,function --tsv cachegrind.out |
		perl "$real/table.pl" /dev/null $(events_of cachegrind.out) >got
	[ "$(wc -l <want)" -gt 100 ]
	same want got
}

# What gprof says: function, ticks, calls.
gprof_says() {
	gprof -b -p --external-symbol-table="$examples/calc.syms" any "$1" |
		awk '$1 ~ /^[0-9.]+$/ && NF == 7 { printf "%s\t%.0f\t%s\n", $7, $3 * 100, $4 }' | sort
}

# And prof-top; it counts millionths of a tick.
we_say() {
	prof-top --tsv -n 0 --syms "$examples/calc.syms" "$1" |
		awk -F '\t' 'NR > 1 && $4 > 0 { printf "%s\t%.0f\t%s\n", $1, $5 / 1000000, $4 }' |
		sort
}

@test "gprof has the times of prof-top, for each flavour" {
	# It wants some executable; the symbols are those of nm.
	echo 'int main(void) { return 0; }' >any.c
	"${CC:-cc}" -o any any.c
	unpacked calc.gmon.zst >calc.gmon
	gprof_says calc.gmon >want
	cat want
	[ "$(grep -c . want)" -ge 6 ]
	[ "$(head -n 2 want | tail -n 1)" = $'atom\t2\t6300000' ]
	for f in calc.gmon "$examples/calc.gmon-bsd44" "$examples/calc.gmon-bsd"; do
		echo "$f"
		we_say "$f" | same want -
	done
	# In the layout of this machine they are gprof's to read, too.
	for f in gmon-bsd44 gmon-bsd; do
		prof-to $f --layout little64 "$examples/calc.$f" >again
		gprof_says again >got
		same want got
	done
	# All that was made of it has the same ticks.
	we_say "$examples/calc.prof" | same want -
	cut -f 1,2 want | awk '$2' >ticks
	awk -F '\t' 'NR > 1 { t[$1] += $7 } END { for (f in t) printf "%s\t%.0f\n", f, t[f] / 1000000 }' \
		"$examples/calc.tsv" | sort | same ticks -
	sed 's/.*;//' "$examples/calc.folded" | awk '{ t[$1] += $2 } END {
		for (f in t) printf "%s\t%.0f\n", f, t[f] / 1000000 }' | sort | same ticks -
}

@test "the sums of sort.aprof are those of its points" {
	awk '$1 == "r" { split($0, r, "\""); name[$NF] = r[2] }
		$1 == "p" { occ[$2] += $7; self[$2] += $9 }
		END { for (i in name) printf "%s\t%d\t%d\n", name[i], occ[i], self[i] }' \
		"$examples/sort.aprof" | sort >want
	prof-top --tsv "$examples/sort.aprof" | awk -F '\t' -v OFS='\t' '
		NR > 1 { print $1, $4, $5 }' | sort | same want -
	prof-top --growth --tsv "$examples/sort.aprof" |
		awk -F '\t' '{ print $1 ": " $10 }' | grep -E '^(multiply|insertion_sort|merge_sort):' >got
	printf '%s\n' 'multiply: n^3' 'insertion_sort: n^2' 'merge_sort: n log n' | same - got
}

# calls_of EVENT FILE...: of the functions of calc or wordcount that are called, and
# main: a sample may fall into what starts a program.
calls_of() {
	prof-top --tsv -n 0 --events "$1" "${@:2}" |
		awk -F '\t' '$3 ~ /(wordcount|calc)[^/]*$/ && ($4 > 0 || $1 == "main") &&
			$1 !~ /^0x/ { print $1, $4 }' | sort
}

@test "the README's commands make them again" {
	cp "$examples"/*.{R,c,go,hs,py,rb} .
	# But for perf's: it must be the kernel's own, and be allowed to sample; and for
	# bpftrace's, too; and for those of Node, Java, R, GHC and clang, which are no part of
	# these tests: tests/viewers has Node.
	awk '/^```sh$/ { on = 1; b = ""; next }
		/^```$/ { if (on && b !~ /perf record|bpftrace|Rscript|ghc |(^|\n)(node|java|clang) /) printf "%s", b; on = 0 }
		{ b = b $0 "\n" }' "$examples/README.md" >make.sh
	grep -q 'prof-to xprof' make.sh
	run -1 grep -q 'perf record' make.sh
	sh -ec "$(cat make.sh)" >log 2>&1 || { cat log; return 1; }
	# They are in their formats, and all there that these commands make.
	for f in $(profiles); do
		[ -e "$f" ] || continue
		echo "$f" >>made
		[ "$(prof-cat --probe "$f")" = "$(cd "$examples" && prof-cat --probe "$f")" ]
	done
	[ "$(wc -l <made)" -ge 19 ]
	# Counts are exact,
	same "$examples/wordcount.xprof" wordcount.xprof
	for f in 'Ir wordcount.callgrind.zst' 'Ir wordcount-hash.callgrind.zst' \
		'time --syms calc.syms calc.gmon.zst'; do
		calls_of $f >got
		(cd "$examples" && calls_of $f) >want
		[ "$(wc -l <want)" -ge 6 ]
		same want got
	done
	# functions the same, those of the program at least,
	for d in . "$examples"; do
		prof-cat "$d/wordcount.cachegrind.zst" |
			awk -F '\t' '$1 == "file" { file[$2] = $3 }
				$1 == "func" && file[$4] ~ /\/wordcount.c$/ { print $3 }' | sort
	done >got
	[ "$(sort got | uniq -c | awk '{ print $1, $2 }' | paste -sd ' ')" = \
		'2 by_count 2 collect 2 insert 2 main 2 read_word' ]
	# and what is made of a profile is the same to the byte.
	cp "$examples"/calc.{gmon.zst,syms} .
	grep -E '^prof-(to|cat) .*calc\.gmon\.zst$' make.sh >derived.sh
	[ "$(wc -l <derived.sh)" = 5 ]
	sh -e derived.sh 2>/dev/null
	for f in calc.gmon-bsd44 calc.gmon-bsd calc.folded calc.tsv calc.prof; do
		cmp "$examples/$f" $f
	done
}

# bats test_tags=format
@test "the examples are small and know no path but their own" {
	[ "$(cat "$examples"/* | wc -c)" -lt 262144 ]
	for f in "$examples"/*; do
		# Every recording of Java's describes its 150 types: 38 KB, packed.
		[ "$(wc -c <"$f")" -lt "$([[ $f == *.jfr.zst ]] && echo 45056 || echo 30720)" ]
		unpacked "${f##*/}" | grep -aoE '/(tmp|home|root|usr/src)/[^ "]*' |
			sed '\,^/usr/src/prof\(/\|$\),d' >paths || true
		[ ! -s paths ] || { echo "$f"; cat paths; return 1; }
		# What is over 10 KB is compressed, but for the list of them.
		[[ $f == *.zst || $f == *.md ]] || [ "$(wc -c <"$f")" -lt 10240 ]
	done
}
