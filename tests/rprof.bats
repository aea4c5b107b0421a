#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# R's Rprof(): against what summaryRprof() of R 4.2 printed of the example (real/tasks.rprof-*),
# and on lines of known values.

load tools.bash

example=$BATS_TEST_DIRNAME/../share/examples/tasks.rprof.zst

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	printf '%s\n' 'memory profiling: GC profiling: line profiling: sample.interval=20000' \
		'#File 1: a.R' ':10:20:300:4:1#5 "work" 1#2 "main" ' \
		':12:20:100:7:"<GC>" 1#6 "work" 1#2 "main" ' ':11:30:400:0:1#2 "main" 1#9 ' ':11:30:400:0:' >small
}

@test "self and total times and memory are those of summaryRprof()" {
	prof-top --quiet --tsv --exact -n 0 --by function --events time,growth "$example" | awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ printf "%s\t%d\t%d\t%d\n", $1, $at["time"], $at["time.incl"], $at["growth.incl"] }' | sort >got
	[ "$(wc -l <got)" -ge 15 ]
	same "$TESTS/real/tasks.rprof-summary" got
}

@test "times of lines are those of summaryRprof()" {
	prof-cat --quiet "$example" | awk -F '\t' '
		$1 == "file" { file[$2] = $3 }
		$1 == "ctx" { up[$2] = $3; place[$2] = $5 == "-" ? "" : file[$5] "#" $6 }
		$1 == "sample" {	# the innermost place, and all of the stack once
			for (p in seen) delete seen[p]
			first = 1
			for (c = $2; c != "-"; c = up[c]) {
				if (place[c] == "") continue
				if (first) self[place[c]] += $3
				first = 0
				if (!(place[c] in seen)) total[place[c]] += $3
				seen[place[c]]
			} }
		END { for (p in total) printf "%s\t%d\t%d\n", p, self[p], total[p] }' | sort >got
	[ "$(wc -l <got)" -ge 8 ]
	same "$TESTS/real/tasks.rprof-lines" got
}

@test "frames have their lines, memory grows from sample to sample" {
	prof-cat --quiet small | diff - <(tabs <<-'E'
	prof  1
	part  1  positions=line
	meta  format  rprof
	event  0  time  us  -  -  calls=absent  sample=20000
	event  1  samples  -  -  -  calls=absent
	event  2  growth  B  -  growth of the memory in use since the sample before  calls=absent
	event  3  duplications  -  -  objects duplicated since the sample before  calls=absent
	file  0  a.R
	func  0  main  -  -  -
	ctx  0  -  0  0  2  -
	func  1  work  -  -  -
	ctx  1  0  1  0  5  -
	sample  1  20000  1  0  4
	ctx  2  0  1  0  6  -
	func  2  <GC>  -  -  -
	ctx  3  2  2  -  -  -
	sample  3  20000  1  16  7
	ctx  4  -  -  0  9  -
	ctx  5  4  0  0  2  -
	sample  5  20000  1  380  0
	end
	E
	)
	prof-cat small 2>err >/dev/null
	has 'samples without a function are not counted, as in summaryRprof(): 1$' <err
}

@test "names with quotes and blanks are whole" {
	printf '%s\n' 'sample.interval=1000' '"odd "name"" "a b" "x"y" ' '"" "f" ' '"1#2 " "g" ' >odd
	prof-cat odd | awk -F '\t' '$1 == "func" { print $3 }' | same - <(printf '%s\n' 'x"y' 'a b' 'odd "name"' f '' g '1#2 ')
}

@test "each header is a part, with its own interval" {
	printf '%s\n' 'sample.interval=1000' '"f" ' 'GC profiling: sample.interval=20000' '"f" ' '"g" ' >two
	prof-top --tsv --quiet --by function two | tail -n +2 | cut -f 1,5 | same - <(printf 'f\t21000\ng\t20000\n')
	[ "$(prof-cat two | grep -c ^part)" = 2 ]
	sed 's/$/\r/' two >crlf
	prof-cat crlf | same <(prof-cat two) -
}

@test "malformed input is an error with its line" {
	while IFS='|' read -r line text says; do
		sed "${line}c\\$text" small >bad
		exits_with 2 "prof-cat: bad:$line: $says" prof-cat --from rprof bad
		prof-cat --lenient --from rprof bad >/dev/null 2>err || [ "$line" = 1 ]
	done <<-'E'
	1|memory profiling: sample.interval=0|expected a header
	1|"main" |expected 'sample.interval=N'
	2|#File x: a.R|expected '#File N: PATH'
	2|#File 0: a.R|expected '#File N: PATH'
	3|"work" "main" |expected ':N:N:N:N:'
	3|:1:2:3:4:work main|expected '"FUNCTION" '
	3|:1:2:3:4:"work|expected '"FUNCTION" '
	3|:1:2:3:4:2#5 "work" |the line '#File 2:' is missing
	3|:1:2:3:99999999999999999999:"work" |expected ':N:N:N:N:'
	E
	head -c -1 small >cut
	exits_with 2 'is truncated' prof-cat cut
	# What a header has that is none changes nothing.
	printf '%s\n' 'sample.interval=1000' '"f" ' '"g" ' >plain
	sed '2a memory profiling: GC profiling: sample.interval=20000x' plain >bad
	prof-cat plain >want
	prof-cat --lenient bad 2>err | prof-cat | sed '/^meta.skipped/d' | same want -
	has 'bad:3: expected a header that ends' <err
}

@test "a stack that R has truncated is reported" {
	shape rprof:deep 2000 >deep
	prof-cat deep >/dev/null 2>err
	has 'stacks of 10000 bytes, from which R drops the outermost functions: 1$' <err
	shape rprof:quotes 100000 >quotes
	brief 2 exits_with 2 'expected' prof-cat quotes
}
