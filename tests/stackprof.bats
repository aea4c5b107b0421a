#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# Ruby's profiles by stackprof: against stackprof itself, on what it records here, and on
# files of known values.

load tools.bash

corpus=$BATS_TEST_DIRNAME/fuzz/corpus/stackprof

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	ruby "$TESTS/programs/samples.rb" samples.dump
	sed 's/, raw: true//; s/:cpu, /:object, /; s/interval: 1000/interval: 1/' \
		"$TESTS/programs/samples.rb" >graph.rb
	sed 's/:cpu, /:wall, /' "$TESTS/programs/samples.rb" >wall.rb
	echo 'StackProf.run(mode: :object, out: ARGV[0], interval: 1) { 50.times { |i| [i].map { |j| "#{j}" } } }' >>graph.rb
	ruby graph.rb graph.dump
	ruby wall.rb wall.dump
	for f in samples graph wall; do
		stackprof --json $f.dump >$f
	done
	zstdcat "$TESTS/../share/examples/tasks.stackprof.zst" | jq -c '.samples += 2' >tasks
	jq -c 'del(.raw, .raw_lines, .raw_timestamp_deltas, .raw_sample_timestamps)' tasks >bare
	stackprof --json samples.dump samples.dump >sum
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return 1
}

# functions FILE: by name the samples, and those with callees, as stackprof has them: frames
# of one name are added up.  A sample of a thread without frames is in the JSON alone.
functions() {
	jq -r '.samples - ([.frames[].samples] | add) | select(. > 0) | "\(.) \(.) -"' "$1" >frameless
	stackprof --text --limit 0 "$1" | sed -n '/ FRAME$/,$s/^ *\([0-9]*\) *([0-9.]*%) *\([0-9]*\) *([0-9.]*%) *\(.*\)/\2 \1 \3/p' |
		awk '{ n = $0; sub(/^[0-9]* [0-9]* /, "", n); self[n] += $1; total[n] += $2 }
		END { for (n in self) print self[n], total[n], n }' | sort - frameless
}

@test "each function has the samples of stackprof --text" {
	# Frames of one name, file and line are one function, which no stack has twice.
	for f in samples wall tasks; do
		[ "$(prof-cat --probe $f)" = "$f: stackprof" ]
		jq -r '[.frames[]] | group_by([.name, .file, .line])[] | select(length > 1)[0].name' $f |
			sort -u >several
		functions $f |
			grep -vEf <(sed 's/[<>()?*.]/[&]/g; s/.*/^[0-9]* [0-9]* &$/' several) >want
		[ "$(wc -l <want)" -ge 4 ]
		prof-top --quiet --tsv -n 0 --events samples $f | awk -F '\t' '
			FILENAME == "several" { several[$1]; next } FNR > 1 { self[$1] += $5; total[$1] += $6 }
			END { for (n in self) if (!(n in several)) print self[n], total[n], n }' several - |
			sort | diff want -
		# Of all, the samples of their own.
		functions $f | cut -d ' ' -f 1,3- | sort >want
		prof-top --quiet --tsv -n 0 --events samples $f | awk -F '\t' 'NR > 1 { self[$1] += $5 }
			END { for (n in self) print self[n], n }' | sort | diff want -
	done
	# Without stacks, too: `total` has what is inclusive; so do several dumps that were added up.
	for f in bare graph sum; do
		echo $f
		[ "$(prof-cat --probe $f)" = "$f: stackprof" ]
		functions $f >want
		prof-top --quiet --tsv -n 0 --events samples,total $f | awk -F '\t' 'NR > 1 {
			self[$1] += $5; total[$1] += $7 }
			END { for (n in self) print self[n], total[n], n }' | sort | diff want -
	done
}

@test "each stack has the samples of stackprof --stackcollapse" {
	for f in samples tasks; do
		stackprof --stackcollapse $f | awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n }
			END { for (s in sum) print s, sum[s] }' | sort >want
		[ "$(wc -l <want)" -ge 1 ]
		prof-cat --quiet $f | awk -F '\t' '$1 == "func" { name[$2] = $3 }
			$1 == "ctx" { stack[$2] = ($3 == "-" ? "" : stack[$3] ";") name[$4] }
			$1 == "sample" { sum[stack[$2]] += $3 }
			END { for (s in sum) if (s != "") print s, sum[s] }' | sort | diff want -
	done
}

@test "calls and lines are those of the JSON" {
	for f in bare graph; do
		jq -r '.frames as $f | $f | to_entries[] | .value as $v | ($v.edges // {} | to_entries[] |
			"\($v.name) > \($f[.key].name) \(.value)"), ($v.lines // {} | to_entries[] |
			select(.value[1] > 0) | "\($v.name) \($v.file):\(.key) \(.value[1])")' $f | sort >want
		[ "$(grep -c ' > ' want)" -ge 3 ]
		prof-cat --quiet $f | awk -F '\t' '$1 == "file" { file[$2] = $3 } $1 == "func" { name[$2] = $3 }
			$1 == "call" { print name[$2] " > " name[$6], $10 }
			$1 == "cost" && $4 != "-" { print name[$2], file[$3] ":" $4, $6 }' | sort | diff want -
	done
}

@test "each member is read as known" {
	prof-cat "$corpus/raw" 2>err | diff - <(tabs <<-'E'
	prof  1
	part  1  positions=line
	meta  format  stackprof
	meta  creator  stackprof
	meta  stackprof.mode  wall
	meta  sampling  samples: every 1000 us
	meta  lost  1 samples of 10 (10.00 %)
	meta  stackprof.gc_samples  1
	event  0  samples  -  -  -  calls=absent
	event  1  time  us  -  since the sample before  calls=absent
	file  0  /a.rb
	func  0  <main>  0  -  -
	func  1  Object#work  0  -  3  start=3
	func  2  Object#work  0  -  4  start=4
	func  3  (garbage collection)  -  -  -
	ctx  0  -  0  0  9  -
	ctx  1  0  1  0  4  -
	sample  1  4  100
	ctx  2  1  2  0  5  -
	sample  2  3  180
	ctx  3  -  3  -  -  -
	sample  3  1  80
	sample  -  1  0
	end
	E
	)
	grep -q 'warning: .*: 1 samples of 10 (10.00 %) were missed$' err
	prof-cat "$corpus/graph" | diff - <(tabs <<-'E'
	prof  1
	part  1  positions=line
	meta  format  stackprof
	meta  creator  stackprof
	meta  stackprof.mode  object
	meta  sampling  samples: every 2 objects
	meta  stackprof.missed_samples  12
	meta  stackprof.gc_samples  0
	meta  stackprof.metadata  host  a\tb
	meta  stackprof.metadata  n  7
	event  0  samples  -  -  -
	event  1  total  -  -  samples with those of callees  calls=absent  inclusive=samples
	file  0  /a.rb
	func  0  main  0  -  -
	func  1  work  0  -  -  start=3
	cost  0  0  9  -  1
	cost  0  0  -  -  1  12
	call  0  0  -  -  1  -  -  -  10
	cost  1  0  4  -  8
	cost  1  0  -  -  2  10
	call  1  0  -  -  1  -  -  -  4
	end
	E
	)
	# Blocks without a line cannot be told apart but by their number, and need not with stacks.
	sed 's/"line":[0-9]*/"line":null/' "$corpus/raw" >same
	prof-cat --quiet same | grep '^func.*Object#work' | diff - <(tabs <<<'func  1  Object#work  0  -  0')
	sed '/^"raw"/,$d' same | sed '$s/,$/}/' | prof-cat --quiet | grep '^func.*Object#work' | diff - <(tabs <<-'E'
	func  1  Object#work  0  -  18446744073709551002
	func  2  Object#work  0  -  30
	E
	)
	# Times are weights only of the clock, and only if each sample has one.
	sed 's/"wall"/"cpu"/' "$corpus/raw" | prof-cat --quiet | lacks - '^event	1'
	sed 's/,80\]/]/' "$corpus/raw" | prof-cat --quiet | lacks - '^event	1'
	# Numbers beyond 2^53 that differ in the last digit are different frames.
	[ "$(prof-cat --quiet "$corpus/raw" | grep -c '^func')" = 4 ]
	# Samples without a frame, and more samples in frames or stacks than in all.
	sed '/^"raw"/,$d' "$corpus/raw" | sed '$s/,$/}/' >graph
	own=$(jq '[.frames[].samples] | add' graph)
	rest=$((9007199254740993 - own))
	sed 's/"samples":9,/"samples":9007199254740993,/' graph | prof-cat --quiet | sed -n 's/^cost	-	//p' |
		same - <(printf -- '-\t-\t-\t%s\t%s\n' $rest $rest)
	sed 's/"samples":9,/"samples":1,/' graph | prof-cat 2>&1 >/dev/null |
		has "the frames have $((own - 1)) samples more than the total$"
	sed 's/"samples":9/"samples":7/' "$corpus/raw" | prof-cat 2>&1 >/dev/null |
		has 'the stacks have 1 samples more than the total$'
}

# bad CHANGE TEXT
bad() {
	sed "$1" "$corpus/${3-raw}" >bad
	run -1 cmp -s "$corpus/${3-raw}" bad
	exits_with 2 "$2" prof-cat --from stackprof --quiet bad
	[ "$(tail -n 1 out)" != end ]
}

@test "every error has a place" {
	bad 's/"frames"/"frame"/' "the member 'frames' is missing"
	bad '1s/"samples":9,//' "the member 'samples' is missing"
	bad 's/"samples":9/"samples":-9/' 'bad: byte 55: a number out of range'
	bad 's/"1":{/"30":{/' "two frames with the number '30'"
	bad 's/"total_samples":3/"total_samples":-3/' 'expected a number of samples'
	bad 's/"line":3/"line":-3/' 'expected a line'
	bad 's/"raw":\[2,18446744073709551001/"raw":[2,18446744073709551003/' "a frame that is not in frames: '18446744073709551003'"
	bad 's/"raw":\[2,18446744073709551001/"raw":[2,"x"/' 'expected a number'
	bad 's/,30,3,1,1,1\]/,30,3,1,1]/' 'the list ends inside a stack'
	bad 's/,30,3,1,1,1\]/,30,3,1,1,-1]/' 'a number out of range'
	bad 's/"raw_lines":\[2/"raw_lines":[3/' 'raw_lines has another number here than raw'
	bad 's/"raw_lines":\[2,9/"raw_lines":[2,-9/' 'a number out of range'
	bad 's/3,1,0,1\]/3,1,0]/' 'the list ends inside a stack'
	bad 's/3,1,0,1\]/3,1,0,1,1]/' 'raw_lines goes on after the end of raw'
	bad 's/"edges":{"20":10/"edges":{"21":10/' "a call of a frame that is not in frames: '21'" graph
	bad 's/"edges":{"20":10/"edges":{"20":-10/' 'expected a number of samples' graph
	bad 's/"edges":{"20":10/"edges":{"20":9223372036854775808/' 'expected a number of samples' graph
	sed 's/"edges":{"20":10/"edges":{"20":9223372036854775807/' "$corpus/graph" >most
	prof-cat most | has 9223372036854775807
	bad 's/"lines":{"9"/"lines":{"x"/' "expected a line, found 'x'" graph
	bad 's/\[12,1\]/[12]/' 'expected two numbers of samples' graph
	bad 's/\[12,1\]/[12,1,1]/' 'expected two numbers of samples' graph
	bad '$s/}}}}$/}}}/' 'the file is truncated' graph
	bad '$s/$/{}/' 'there is more after the end' graph
}

@test "a dump names stackprof --json" {
	exits_with 2 "samples.dump: unknown format (a dump of stackprof: run 'stackprof --json' on it)" prof-top samples.dump
	exits_with 2 "unknown format (a dump of stackprof: run 'stackprof --json' on it)" prof-top graph.dump
	ruby -e 'File.binwrite("other", Marshal.dump({ a: 1 }))'
	exits_with 2 'unknown format;' prof-top other
}

@test "many frames, deep stacks and many calls cost little" {
	for s in frames twins deep stairs edges lines; do
		shape stackprof:$s 50000 >x
		brief 5 prof-cat --quiet x >out
		[ "$(wc -l <out)" -gt 8 ]
	done
}
