#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: io prof-annotate prof-cat prof-diff prof-grep prof-merge prof-report prof-to prof-top prof-tree prof-view util
# What every tool promises: options, messages, exit statuses, bad files, full
# disks, closed pipes, terminals.

load tools.bash

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	bars >small.prof <<-'END'
	prof|1
	part|1
	meta|cmd|./a
	event|0|Ir|-|-|-
	file|0|a.c
	func|0|main|0|-|-
	cost|0|0|1|-|10
	total|run|10
	end
	END
	# Enough output of every tool to fill any pipe.
	awk 'BEGIN { OFS = "\t"
		print "prof", 1; print "part", 1; print "event", 0, "Ir", "-", "-", "-"
		print "file", 0, "a_file_with_quite_a_long_name.c"
		for (i = 0; i < 60000; i++) {
			print "func", i, "a_function_with_quite_a_long_name_" i, 0, "-", "-"
			print "cost", i, 0, i, "-", i + 1
			if (i) print "call", 0, 0, 1, "-", i, i, "-", 1, i + 1
		}
		print "end" }' >large.prof
	printf 'version: 1\nevents: Ir\nfl=a.c\nfn=main\n1 10\n' >small.cg
}

# The tools, with the operands that come before files.
tools() {
	local p
	for p in "$PROF_BIN"/prof-*; do
		p=${p##*/}
		case $p in
		prof-annotate) echo "$p --all" ;;
		prof-grep) echo "$p ." ;;
		prof-to) echo "$p callgrind" ;;
		prof-tree) echo "$p --tsv --min 0" ;;
		prof-diff) echo "$p $(cg small.prof)" ;;
		prof-report) echo "$p --budget 1000000" ;;
		prof-view | prof-*.*) ;;	# it needs a terminal: view.bats
		*) echo "$p" ;;
		esac
	done
}

# False for prof-diff, which takes two files and no other number of them: what is
# tested here with one or many stands in diff.bats.
any_files() {
	[ "${tool%% *}" != prof-diff ]
}

# False for prof-diff, too, and for prof-report, whose page has commands with the names of
# its files: what is tested here with other names stands in report.bats.
any_names() {
	any_files && [ "${tool%% *}" != prof-report ]
}

# each COMMAND...: runs it with each tool as $tool (a list of words).
each() {
	local tool n=0
	while read -r tool; do
		echo "with $tool"	# seen when it fails, as set -e is in force
		"$@" </dev/null
		n=$((n + 1))
	done < <(tools)
	[ $n -ge 4 ]
}

# refuses TEXT FILE...: exit 2 and one line "tool: ...TEXT" on standard error,
# no complete stream on standard output.
refuses() {
	local text=$1
	shift
	fails_with "^${tool%% *}: .*$text" $tool "$@"
	[ "$(wc -l <fails.err)" = 1 ] || { cat fails.err; return 1; }
	[ "$(tail -n 1 fails.out)" != end ]
}

# misused TEXT COMMAND...: exit 2, what is wrong and the usage, nothing else.
misused() {
	local text=$1
	shift
	fails_with "^${tool%% *}: $text" "$@"
	[ "$(wc -l <fails.err)" = 2 ]
	tail -n 1 fails.err | has "^usage: ${tool%% *} "
	[ ! -s fails.out ]
}

# ---- options ----

@test "--help all is on standard output and has every option that --list-options has" {
	check() {
		local p=${tool%% *} name letter rest
		$p --help all >help 2>err
		[ ! -s err ]
		head -n 1 help | has "^usage: $p "
		$p --help=all | cmp - help
		$p -h all | cmp - help
		$p all --help | cmp - help
		$p --help | cmp - <($p -h)
		$p --list-options >options
		[ "$(wc -l <options)" -ge 8 ]
		grep -q '^--help	-h	' options
		while IFS=$'\x01' read -r name letter rest; do
			[ -n "$letter" ] && letter="$letter, " || letter='    '
			grep -Eq -e "^  $letter$name( |=|\$)" help ||
				{ echo "$name is not in --help all"; return 1; }
		done < <(tr '\t' '\001' <options)
		# And no other.
		[ "$(grep -o '^ .*--[a-z][-a-z]*' help | sort -u | wc -l)" = "$(wc -l <options)" ]
	}
	each check
}

@test "prof-to FORMAT --help describes the format as --list-formats does" {
	local f
	prof-cat --list-formats | awk -F '\t' '{ print $1 ": " $3 }' >want
	for f in $(cut -d : -f 1 want); do
		prof-to "$f" --help | sed -n 4p
	done | diff want -
	# Without one, the formats that there are.
	prof-cat --list-formats | awk -F '\t' '$2 ~ /write/ { print $1 }' >want
	[ "$(wc -l <want)" -gt 15 ]
	prof-to --help | sed -n '/^pictures/,/^$/p' | sed 's/^[a-z]* *//; s/([^)]*)//g' |
		tr -s ', \n' '\n' | grep . | sort | diff <(sort want) -
	# By purpose, with another name, which is the same format.
	prof-to --help | has -x 'pictures    svg (flamegraph), dot (graphviz)'
	printf 'main;f 1\n' >stack
	for f in flamegraph:svg graphviz:dot collapsed:folded gecko:firefox gprof:gmon; do
		prof-to --help | has "${f#*:} (${f%:*})"
	done
	for f in flamegraph:svg collapsed:folded gecko:firefox; do
		prof-to "${f%:*}" stack | same - <(prof-to "${f#*:}" stack)
	done
	prof-to --help | has '^viewers .*speedscope, firefox'
	prof-to --help | has '^tables .*tsv, json'
	prof-to --help | has '^profilers .*callgrind, .*pprof'
	for f in flame:svg gv:dot devtools:cpuprofile stackcollapse:folded golang:pprof; do
		run -2 prof-to "${f%:*}"
		has "unknown format '${f%:*}': did you mean ${f#*:}?" <<<"$output"
	done
	run -2 prof-cat --from java
	has "cannot read format 'java': did you mean jfr?" <<<"$output"
}

@test "--version is the tool's name and the version in VERSION" {
	check() {
		${tool%% *} --version >out 2>err
		[ ! -s err ]
		[ "$(head -n 1 out)" = "${tool%% *} (prof) $(cat "$TESTS/../VERSION")" ]
	}
	each check
}

@test "an unknown option is reported, with the usage, exit status 2" {
	check() {
		misused "unknown option '--nosuch'" $tool --nosuch "$(cg small.prof)"
		misused "unknown option '--nosuch'" $tool "$(cg small.prof)" --nosuch=1
		misused "unknown option '-Z'" $tool -Z "$(cg small.prof)"
		misused '--quiet takes no argument' $tool --quiet=1 "$(cg small.prof)"
		misused '--from needs an argument: FORMAT' $tool --from
		misused "--from: cannot read format 'nosuch'; known formats: .*callgrind" \
			$tool --from nosuch "$(cg small.prof)"
	}
	each check
}

@test "options may come after operands, -- ends them, a letter's argument may stick to it" {
	check() {
		any_names || return 0
		local p=${tool%% *} before=${tool#"${tool%% *}"}
		$tool "$(cg small.prof)" >want
		[ -s want ]
		$p --quiet $before "$(cg small.prof)" | cmp - want
		$tool "$(cg small.prof)" --quiet | cmp - want
		cp "$(cg small.prof)" ./--quiet
		$tool -- --quiet | cmp - want
		$tool --quiet -- --quiet | cmp - want
		rm ./--quiet
	}
	each check
	prof-grep -emain "$(cg small.prof)" | has '^cost'
	prof-grep -ive MAIN "$(cg small.prof)" >got || [ $? = 1 ]
	run -1 grep -q '^cost' got
	prof-top -n1 --tsv "$(cg large.prof)" | wc -l >got
	[ "$(cat got)" = 2 ]
}

@test "- and no FILE are standard input" {
	check() {
		any_names || return 0
		$tool "$(cg small.prof)" >want
		$tool <"$(cg small.prof)" | cmp - want
		$tool - <"$(cg small.prof)" | cmp - want
		$tool -- - <"$(cg small.prof)" | cmp - want
		cat "$(cg small.prof)" | $tool | cmp - want
	}
	each check
}

@test "misuse of single tools is reported" {
	tool=prof-grep misused 'no pattern given' prof-grep
	tool=prof-to misused 'no format given; known formats: callgrind.*, prof' prof-to
	tool=prof-to misused "unknown format 'nosuch'; known formats: callgrind" prof-to nosuch
	tool=prof-cat misused '--zstd and --gzip cannot be combined' prof-cat --zstd --gzip x
}

# ---- did you mean ----

# says MESSAGE COMMAND...: exit 2, the message is all there is, but for the usage.
says() {
	local want=$1 status=0
	shift
	"$@" >out 2>err || status=$?
	[ "$status" = 2 ]
	grep -v '^usage: ' err | diff -u - <(echo "$want")
}

@test "a mistyped option or value gets a suggestion" {
	local in
	check() {
		says "${tool%% *}: unknown option '--evnts': did you mean --events?" \
			$tool --evnts Ir x
		says "${tool%% *}: unknown option '--LENIENT': did you mean --lenient?" \
			$tool --LENIENT x
		says "${tool%% *}: unknown option '--colonnade'" $tool --colonnade x
	}
	each check
	says "prof-merge: unknown option '--outptu': did you mean --output?" \
		prof-merge --outptu=x
	# Of the tool's own.
	says "prof-cat: unknown option '--callers'" prof-cat --callers x
	says "prof-top: unknown option '--caller': did you mean --callers?" \
		prof-top --caller x
	# Of a word of four letters two may be wrong, not three.
	says "prof-top: unknown option '--llers': did you mean --callers?" prof-top --llers x
	says "prof-top: unknown option '--lers'" prof-top --lers x
	in='--in: expected one of function|file|object|any, found'
	says "prof-merge: --op: expected one of sum|min|max|median|mean|stats, found 'mdian': did you mean median?" \
		prof-merge --op mdian x
	says "prof-grep: $in 'fucntion': did you mean function?" prof-grep --in fucntion . x
	says "prof-grep: $in 'qqqqqqqq'" prof-grep --in qqqqqqqq . x
	says "prof-top: --color: expected one of always|never|auto, found 'nver': did you mean never?" \
		prof-top --color=nver x
	says "prof-to: --records: expected one of cost|call|jump|sample|point|vprof|raw|total, found 'calls': did you mean call?" \
		prof-to tsv --records calls x
}

@test "a mistyped format, or word of --by or --match, gets a suggestion" {
	local reads writes by
	reads=$(prof-cat --list-formats | awk -F '\t' '$2 ~ /read/ { print $1 }' | paste -sd, | sed 's/,/, /g')
	writes=$(prof-cat --list-formats | awk -F '\t' '$2 ~ /write/ { print $1 }' | paste -sd, | sed 's/,/, /g')
	says "prof-to: unknown format 'callgrnd': did you mean callgrind?; known formats: $writes" \
		prof-to callgrnd x
	says "prof-to: unknown format 'perfetto'; known formats: $writes" prof-to perfetto x
	says "prof-cat: --from: cannot read format 'cachgrind': did you mean cachegrind?; known formats: $reads" \
		prof-cat --from cachgrind x
	# What can be written only is not meant.
	says "prof-cat: --from: cannot read format 'jsno'; known formats: $reads" prof-cat --from jsno x
	by='--by: expected function, file, object, line, addr, part, thread, comm, pid, cmd, source or total, found'
	says "prof-top: $by 'fiel': did you mean file?" prof-top --by fiel x
	says "prof-merge: $by 'threads': did you mean thread?" prof-merge --by file,threads x
	says "prof-diff: $by 'colour'" prof-diff --by colour x y
	says "prof-diff: --match: expected clones, rust, recursion, found 'recursoin': did you mean recursion?" \
		prof-diff --match clones,recursoin x y
	says "prof-diff: --match: expected clones, rust, recursion, found 'xyz'" \
		prof-diff --match xyz x y
}

@test "a mistyped event or column gets a suggestion" {
	local there
	printf 'version: 1\nevents: Ir Dr Bcm\nfl=a.c\nfn=main\n1 10 2 1\n' | tee b.cg >a.cg
	there='events: Ir, Dr, Bcm'
	says "prof-cat: --events: no event 'Irr': did you mean Ir?; $there" \
		prof-cat --events Irr a.cg
	says "prof-cat: --events: no event 'BCM': did you mean Bcm?; $there" \
		prof-cat --events Dr,BCM a.cg
	# Half of it is something else.
	says "prof-cat: --events: no event 'Dw'; $there" prof-cat --events Dw a.cg
	says "prof-cat: --events: no event 'cycles'; $there" prof-cat --events cycles a.cg
	there="$there (E.incl is inclusive cost; -k also takes self, inclusive, calls, function, file, object)"
	says "prof-top: no event 'Irr': did you mean Ir?; $there" prof-top --events Irr a.cg
	says "prof-top: no event 'Bmc': did you mean Bcm?; $there" prof-top -k Bmc a.cg
	says "prof-top: no event 'Ir.inlc': did you mean Ir.incl?; $there" \
		prof-top -k Ir.inlc a.cg
	says "prof-top: no event 'Irr': did you mean Ir?; $there" prof-top -k Irr.incl a.cg
	says "prof-top: no event 'fucntion': did you mean function?; $there" \
		prof-top -k fucntion a.cg
	says "prof-top: no event 'cals': did you mean calls?; $there" prof-top -k Ir,cals a.cg
	says "prof-top: no event 'nosuch'; $there" prof-top -k nosuch a.cg
	# Columns are no events.
	says "prof-top: no event 'cals'; $there" prof-top --events cals a.cg
	says "prof-diff: --fail-over: the profiles have no event 'Irr': did you mean Ir?" \
		prof-diff --fail-over Irr=1 a.cg b.cg
	says "prof-diff: --fail-over: the profiles have no event 'cycles'" \
		prof-diff --fail-over cycles=1 a.cg b.cg
	# A name from a file is shown as it can be seen.
	printf 'version: 1\nevents: cyc\033les\nfl=a.c\nfn=main\n1 10\n' >esc.cg
	says "prof-cat: --events: no event 'cycles': did you mean cyc\x1bles?; events: cyc\x1bles" \
		prof-cat --events cycles esc.cg
	echo 'events: Irr' >r.yaml
	says "prof-cat: ./r.yaml: events: no event 'Irr': did you mean Ir?; events: Ir, Dr, Bcm" \
		prof-cat --rules ./r.yaml a.cg
	echo 'min-cost: { self: 1, event: Bmc }' >r.yaml
	says "prof-cat: ./r.yaml: no event 'Bmc': did you mean Bcm?" prof-cat --rules ./r.yaml a.cg
	echo 'min-cost: { self: 1, event: cycles }' >r.yaml
	says "prof-cat: ./r.yaml: no event 'cycles'" prof-cat --rules ./r.yaml a.cg
}

# ---- files that are no profiles ----

@test "a missing file, an empty directory and a loop of links are reported, exit status 2" {
	ln -s loop loop
	mkdir dir
	check() {
		refuses 'nosuch: No such file or directory$' nosuch
		refuses 'loop: Too many levels of symbolic links$' loop
		refuses 'standard input: Is a directory$' - <dir
		any_files || return 0
		refuses 'dir: no files in this directory \(hidden files and symbolic links are skipped\)$' dir
		refuses 'nosuch: No such file or directory$' "$(cg small.prof)" nosuch
	}
	each check
}

@test "a directory stands for the files in and below it, by name, except hidden ones and links" {
	local f n=0
	mkdir -p a runs/b/.git runs/d
	for f in a/1 runs/10 runs/9 runs/b/2 runs/B runs/b.c runs/.x runs/b/.git/y; do
		n=$((n + 1))
		sed "s/10$/$((10 ** n))/" "$(cg small.prof)" >$f
	done
	ln -s 9 runs/latest
	ln -s ../a runs/linked
	ln -s runs all
	mkfifo runs/pipe
	check() {
		any_names || return 0
		$tool runs/10 runs/9 runs/B runs/b/2 runs/b.c >want
		grep -q . want
		$tool runs | cmp - want
		$tool runs/ | cmp - want
		$tool runs/10 all/9 runs/B runs/b runs/b.c >want
		$tool runs/10 all/9 runs/B runs/b/2 runs/b.c | cmp - want
	}
	each check
	[ "$(prof-cat --probe all)" = "$(printf 'all/%s: prof\n' 10 9 B b/2 b.c)" ]
	# Not the pattern, nor the format.
	mkdir tsv main
	prof-grep main runs | cmp - <(prof-grep -e main runs)
	prof-to tsv runs | cmp - <(prof-to tsv -- runs)
	exits_with 2 'comparing runs needs at least two old profiles, found 1' prof-diff "$(cg small.prof)" runs
	prof-diff runs runs | cmp - <(prof-diff runs/10 runs/9 runs/B runs/b/2 runs/b.c -- runs)
	tool=prof-diff misused 'expected two files, found 0' prof-diff
}

@test "a directory that contains the -o file is rejected" {
	mkdir runs
	cp "$(cg small.prof)" runs/a
	prof-merge -o runs/sum runs
	tool=prof-merge misused 'runs/sum: the output file is in the directory runs' prof-merge -o runs/sum runs
	prof-merge runs/a | cmp - runs/sum
	tool=prof-diff misused 'runs/sum: the output file is in the directory runs' prof-diff -o runs/sum runs runs
	prof-merge -o runs/sum runs/a runs/sum
	prof-merge runs/a runs/a | cmp - runs/sum
}

@test "an unreadable file is reported, exit status 2" {
	cp "$(cg small.prof)" secret
	chmod 000 secret
	# Root reads everything, unless it may not.
	may=
	[ "$(id -u)" != 0 ] ||
		may='setpriv --bounding-set=-dac_override,-dac_read_search'
	check() {
		local tool_=$tool
		fails_with "^${tool%% *}: secret: Permission denied$" $may $tool_ secret
		[ "$(wc -l <fails.err)" = 1 ]
	}
	each check
}

@test "an empty file is reported as empty, exit status 2" {
	: >empty
	check() {
		any_files || return 0
		refuses 'empty: empty file: ' empty
		refuses 'standard input: empty file: ' - </dev/null
		# valgrind leaves an empty one beside those of the threads.
		$tool empty "$(cg small.prof)" >out 2>err
		[ "$(cat err)" = "${tool%% *}: warning: empty: empty, skipped" ]
		run -2 $tool empty empty
		[[ "$output" = *': all files are empty' ]]
	}
	each check
}

@test "an unknown format is reported, and how to list the known ones" {
	echo 'Dear diary,' >letter
	printf '\177ELF\002\001\001' >elf
	check() {
		refuses "letter: unknown format; 'prof-cat --list-formats' lists the known ones" letter
		any_files || {
			misused 'expected two profiles, found 1: elf is an executable$' $tool elf
			return 0
		}
		# As a build without elfutils says, which cannot look.
		refuses 'elf: (not a valid ELF file|built without elfutils)' elf
	}
	each check
}

@test "a file that is not what --from says is rejected" {
	check() {
		refuses 'small.cg:1: ' --from prof "$(cg small.cg)"
		refuses 'small.prof:[0-9]*: ' --from callgrind "$(cg small.prof)"
		$tool --from prof "$(cg small.prof)" >out
		[ -s out ]
	}
	each check
}

@test "an error says file and line" {
	sed 's/^cost.*/&\tx/' "$(cg small.prof)" >bad.prof
	printf 'events: Ir\nfl=a.c\nfn=main\n1 x\n' >bad.cg
	check() {
		refuses 'bad.prof:7: cost: ' bad.prof
		refuses 'bad.cg:4: ' bad.cg
		refuses 'standard input:7: cost: ' - <bad.prof
	}
	each check
}

# ---- compressed files that are broken ----

# The formats of compression, by the programs that write them.
packers='zstd gzip xz bzip2 lz4'

@test "a compressed file that is truncated is rejected" {
	for z in $packers; do
		$z -qc "$(cg small.prof)" >a.$z
	done
	check() {
		for z in $packers; do
			head -c $(($(wc -c <a.$z) / 2)) a.$z >cut
			refuses "cut: the $z data is truncated" cut
			refuses "standard input: the $z data is truncated" - <cut
		done
	}
	each check
}

@test "a compressed file with a changed byte is rejected" {
	for z in $packers; do
		a=a.$z
		$z -qc "$(cg large.prof)" >$a
		for at in 1000 5000 20000 100000; do
			{ head -c $at $a; printf '\377\377'; tail -c +$((at + 3)) $a; } >bad
			cmp -s $a bad && continue
			tool='prof-grep nosuch' refuses 'bad: |bad:[0-9]+: ' bad
		done
		# The checksum at the end.
		{ head -c -9 $a; printf '\1\2\3\4\5\6\7\10\11'; } >bad
		tool='prof-grep nosuch' refuses 'bad: ' bad
	done
}

@test "garbage after a compressed file is rejected" {
	for z in $packers; do
		{ $z -qc "$(cg small.prof)"; echo garbage; } >bad.$z
	done
	check() {
		refuses 'bad.zstd: corrupt zstd data' bad.zstd
		for z in gzip xz bzip2 lz4; do
			refuses "bad.$z: corrupt $z data: garbage after the last member" bad.$z
		done
	}
	each check
}

# ---- output ----

@test "an output that is a thousand times as large as the input is announced" {
	shape tachyon:deep 2100 >x
	prof-to json x >/dev/null 2>err
	has -x 'prof-to: warning: standard output: more than 100 MiB so far, over 1000 times the input' <err
	# Not one of less, nor of less than a thousand times.
	shape tachyon:deep 1000 >x
	silent prof-to json x >/dev/null
	seq -f 'main;f%.0f 1' 700000 >x
	[ "$(silent prof-to json x | wc -c)" -gt 104857600 ]
}

@test "a full disk is reported, exit status 2" {
	check() {
		local status=0
		$tool "$(cg small.prof)" >/dev/full 2>err || status=$?
		[ $status = 2 ]
		[ "$(cat err)" = "${tool%% *}: standard output: No space left on device" ]
		status=0
		$tool "$(cg large.prof)" >/dev/full 2>err || status=$?
		[ $status = 2 ]
		[ "$(cat err)" = "${tool%% *}: standard output: No space left on device" ]
		for option in --help --version --list-options; do
			status=0
			${tool%% *} $option >/dev/full 2>err || status=$?
			[ $status = 2 ]
			grep -q "^${tool%% *}: .*No space left on device$" err
		done
	}
	each check
	for option in --probe --list-formats '-o /dev/full' --zstd --gzip; do
		status=0
		prof-cat $option "$(cg small.prof)" >/dev/full 2>err || status=$?
		[ $status = 2 ]
		grep -q '^prof-cat: .*: No space left on device$' err
	done
}

# into_closed COMMAND...: runs it with a pipe as output that nobody reads, and leaves its exit
# status in a file.
into_closed() {
	rm -f status closed
	{
		until [ -e closed ]; do sleep 0.01; done
		"$@" 2>err || echo $? >status
	} | { exec <&- && touch closed; }
}

@test "a closed pipe ends a tool by SIGPIPE, quietly" {
	check() {
		into_closed env --default-signal $tool "$(cg large.prof)"
		[ "$(cat status)" = 141 ]
		[ ! -s err ]
	}
	each check
}

@test "where SIGPIPE is ignored, a closed pipe is exit status 2 and no message" {
	check() {
		into_closed env --ignore-signal=PIPE $tool "$(cg large.prof)"
		[ "$(cat status)" = 2 ]
		[ ! -s err ]
	}
	each check
}

@test "standard output that is closed is an error" {
	check() {
		local status=0
		$tool "$(cg small.prof)" >&- 2>err || status=$?
		[ $status = 2 ]
		grep -q "^${tool%% *}: standard output: " err
	}
	each check
}

# ---- terminals ----

@test "a terminal as standard input is one line of usage, exit status 2" {
	check() {
		any_files || return 0
		on_terminal 80 24 "stty -echo; $tool; echo status \$?" >got
		grep -q "^${tool%% *}: standard input is a terminal" got
		[ "$(grep -c '^usage: ' got)" = 1 ]
		tail -n 1 got | has -x 'status 2'
		# With a file it is of no interest.
		on_terminal 80 24 "$tool $(cg small.prof); echo status \$?" >got
		tail -n 1 got | has -x 'status 0'
	}
	each check
}

# ---- prof-cat's questions ----

@test "--probe prints the format of each file, by content" {
	cp "$(cg small.prof)" a.txt
	gzip -c "$(cg small.cg)" >b.bin
	gzip -c "$(cg small.prof)" >c
	run -0 prof-cat --probe a.txt b.bin c
	[ "$output" = 'a.txt: prof
b.bin: callgrind, gzip
c: prof, gzip' ]
	echo hello >d
	: >e
	run -1 prof-cat --probe a.txt d e
	[ "$output" = 'a.txt: prof
d: unknown
e: empty' ]
	run -0 prof-cat --probe <c
	[ "$output" = 'standard input: prof, gzip' ]
	fails_with '^prof-cat: nosuch: No such file' prof-cat --probe a.txt nosuch
}

@test "--list-formats has a line for each format: name, read or write, what it is, file names" {
	prof-cat --list-formats >got
	[ "$(awk -F'\t' 'NF < 3 || NF > 4 || $2 !~ /^(read|write|read,write)$/' got)" = '' ]
	grep -q '^callgrind	read,write	' got
	grep -q '^prof	read,write	' got
	grep -q '^gmon	read,write	.*	gmon.out \*.gmon$' got
	# The same formats as messages have.
	prof-to nosuch 2>err || true
	for name in $(awk -F'\t' '$2 ~ /write/ { print $1 }' got); do
		grep -q "known formats: .*\b$name\b" err
	done
}

@test "prof-grep on a terminal reports a pattern that is a profile" {
	local usage='usage: prof-grep [options] PATTERN [FILE...]'
	local terminal='prof-grep: standard input is a terminal'
	prof-cat --gzip "$(cg small.prof)" >callgrind.out.1
	echo 'main' >main
	for o in '' -c -q -v; do
		on_terminal 80 24 "prof-grep $o callgrind.out.1; echo status \$?" >got
		printf '%s\n' "$terminal, and the pattern 'callgrind.out.1' is a file: use prof-grep PATTERN FILE" \
			"$usage" 'status 2' | diff -u - got
	done
	# Neither what is no profile nor what is not there.
	for p in main nosuch .; do
		on_terminal 80 24 "prof-grep $p; echo status \$?" >got
		printf '%s\n' "$terminal, not a profile" "$usage" 'status 2' | diff -u - got
	done
	# It is a pattern where something is read, and where it must be one.
	run -1 prof-grep callgrind.out.1 <callgrind.out.1
	on_terminal 80 24 "prof-grep callgrind.out.1 callgrind.out.1 >/dev/null; echo status \$?" >got
	echo 'status 1' | diff -u - got
	on_terminal 80 24 "prof-grep -e callgrind.out.1; echo status \$?" >got
	head -n 1 got | diff -u <(echo "$terminal, not a profile") -
}

@test "without a file on a terminal, the one with the usual name is named" {
	local t
	mkdir usual
	cd usual
	for t in prof-top prof-tree prof-annotate prof-cat; do
		on_terminal 80 24 "$t; echo status \$?" >got
		head -n 1 got | diff -u <(echo "$t: standard input is a terminal, not a profile") -
		>perf.data
		on_terminal 80 24 "$t; echo status \$?" >got
		head -n 1 got | diff -u <(echo "$t: standard input is a terminal, not a profile:" \
			"to read perf.data, type '$t perf.data'") -
		tail -n 1 got | has -x 'status 2'
		rm perf.data
	done
	# Tools whose first operand is another have no such command.
	>perf.data
	on_terminal 80 24 'prof-to callgrind; echo status $?' >got
	head -n 1 got | diff -u <(echo 'prof-to: standard input is a terminal, not a profile') -
}

@test "-o leaves nothing behind when standard input is a terminal" {
	on_terminal 80 24 'prof-cat -o out.prof' >got
	grep -q '^usage: prof-cat' got
	rm got
	[ -z "$(ls)" ]
}

@test "-o leaves nothing behind when it is interrupted" {
	mkfifo pipe
	env --default-signal prof-cat -o out.prof pipe &
	exec 7>pipe
	cat "$(cg small.prof)" >&7
	kill -TERM $!
	status=0
	wait $! || status=$?
	[ $status = 143 ]
	exec 7>&-
	rm pipe
	[ -z "$(ls)" ]
}

@test "where SIGPIPE is ignored, --help into a closed pipe has no message either" {
	(trap '' PIPE; sleep 0.2; prof-cat --help 2>err || echo $? >status) | true
	[ "$(cat status)" = 2 ]
	[ ! -s err ]
}

@test "an input that is the output is rejected" {
	check() {
		any_files || return 0
		# These have nothing to write before their input has ended.
		case ${tool%% *} in prof-top | prof-tree | prof-annotate | prof-report) return 0 ;; esac
		cp "$(cg small.prof)" same.prof
		fails_with '^[a-z-]+: same.prof: the input file is the output file$' \
			bash -c "$tool same.prof >>same.prof"
		cp "$(cg small.prof)" same.prof
		fails_with 'the input file is the output file$' \
			bash -c "$tool <same.prof >>same.prof"
		cp "$(cg small.prof)" same.prof
		ln -f same.prof hard.prof
		fails_with '^[a-z-]+: hard.prof: the input file is the output file$' \
			bash -c "$tool hard.prof >>same.prof"
	}
	each check
	# Devices and pipes may be both.
	prof-cat </dev/null >/dev/null 2>err || true
	run -1 grep 'output file' err
}

@test "standard input may be non-blocking" {
	cat >slowly.pl <<-'END'
	use strict; use warnings; use Fcntl;
	pipe my $r, my $w or die;
	fcntl $r, F_SETFL, fcntl($r, F_GETFL, 0) | O_NONBLOCK or die;
	my $pid = fork;
	if (!$pid) { close $w; open STDIN, '<&', $r or die; exec @ARGV or die }
	close $r;
	$w->autoflush(1);
	for ("version: 1\nevents: Ir\n", "fl=a.c\nfn=ma", "in\n", "1 10\n") {
		select undef, undef, undef, 0.1;
		print $w $_;
	}
	close $w;
	waitpid $pid, 0;
	exit $? >> 8;
	END
	check() {
		any_names || return 0
		$tool "$(cg small.cg)" >want
		perl slowly.pl $tool >got 2>err
		[ ! -s err ]
		cmp got want
	}
	each check
}

@test "--lenient takes a compressed file that is truncated, as far as it goes" {
	{
		printf 'version: 1\nevents: Ir\nfl=a.c\nfn=main\n'
		awk 'BEGIN { srand(1); for (i = 1; i <= 100000; i++) print i, int(rand() * 30000) }'
	} >long.cg
	gzip -c long.cg >whole
	head -c 400000 whole >cut.gz
	zstd -qc long.cg >whole
	head -c 400000 whole >cut.zst
	for f in cut.gz cut.zst; do
		check() {
			refuses "^|$f: the .* data is truncated: it ends inside a frame" $f
			$tool --lenient $f >got 2>err
			grep "^${tool%% *}: warning: skipped: $f: the .* data is truncated: it ends inside a frame$" \
				err >told
			grep -c truncated err | diff - <(echo 2) # and the number of lines
			[ "$(wc -l <told)" -eq 1 ]
		}
		each check
		prof-cat --lenient $f 2>err >got
		[ "$(tail -n 1 got)" = end ]
		[ "$(grep -c '^cost' got)" -gt 5000 ]
		grep -q '^meta	skipped	' got
	done
	# Any other failure stays one.
	sed '5s/.*/1 36893488147419103232/' long.cg | gzip -c >whole
	head -c 400000 whole >large.gz
	fails_with "^prof-to: callgrind: .* does not fit 64 bits$" prof-to callgrind --lenient large.gz
	run -1 grep '^totals' fails.out
	fails_with '^prof-cat: standard output: No space left' \
		bash -c 'prof-cat --lenient cut.gz >/dev/full'
}

@test "an empty file among several is ignored, wherever it is" {
	: >empty
	gzip -c empty >empty.gz
	prof-cat "$(cg small.prof)" "$(cg small.cg)" >want
	for order in 'empty small.prof small.cg' 'small.prof empty small.cg' \
	    'small.prof small.cg empty' 'empty small.prof empty small.cg'; do
		files=
		for f in $order; do
			[ $f = empty ] && files="$files empty" || files="$files $(cg $f)"
		done
		prof-cat $files >got 2>err
		cmp got want
		grep -q '^prof-cat: warning: empty: empty, skipped$' err
		run -1 grep -v 'empty, skipped$' err
	done
	# What comes through a pipe may have been cut off: no.
	fails_with '^prof-cat: standard input: empty file: ' prof-cat "$(cg small.prof)" - < <(:)
	fails_with '^prof-cat: standard input: empty file: ' prof-cat "$(cg small.prof)" - </dev/null
}

@test "other kinds of files are named if their first bytes identify them" {
	printf '\002\041\114\030abc' >a
	lzma -c /dev/null >b
	printf '\377\376e\0' >c
	printf '\376\377\0e' >d
	printf '\357\273\277prof\t1\nend\n' >e
	printf '{\n"a": 1 }\n' >g
	fails_with '^prof-cat: g: unknown format \(JSON\)$' prof-cat g
	fails_with '^prof-cat: a: unknown format \(lz4.s old format: decompress it first\)$' prof-cat a
	fails_with '^prof-cat: b: unknown format \(LZMA: decompress it first\)$' prof-cat b
	fails_with '^prof-cat: c: unknown format \(UTF-16 text, as PowerShell writes: run .iconv -f UTF-16 -t UTF-8. on it\)$' prof-cat c
	fails_with '^prof-cat: d: unknown format \(UTF-16 text, as PowerShell writes: run .iconv -f UTF-16 -t UTF-8. on it\)$' prof-cat d
	fails_with '^prof-cat: e: unknown format \(text with a UTF-8 byte order mark\)$' prof-cat e
}

# bats test_tags=producer
@test "unsupported files of profilers are reported with the command that converts them" {
	local bytes advice n=0
	while IFS='|' read -r bytes advice; do
		# shellcheck disable=SC2059
		printf -- "$bytes" >file
		echo "$bytes"
		fails_with "^prof-top: file: unknown format \($advice\)$" prof-top file
		n=$((n + 1))
	done <<-'END'
		%72s\002\0\002\300|an event trace of Windows: run 'samply import --save-only' on it, on Windows
		Function Stack,CPU Time:Self,Module\nmain,0,app\n|a report of VTune: run 'inferno-collapse-vtune' on it
		<?xml version="1.0"?>\n<trace-query-result>\n|an export of Instruments: run 'inferno-collapse-xctrace' on it
		hdrb\nhetb|an event log of GHC: run the program with \+RTS -P
		<!DOCTYPE html>\n<html>\n<style>\n\t#hl {position: absolute; display: none}\n|a page of async-profiler: record with '-o collapsed', or to a file named .jfr
		TN:\nSF:/src/a.c\nDA:1,2\nend_of_record\n|a tracefile of lcov: use the coverage data that it comes from, by 'gcov --json-format' or 'llvm-cov export'
		\201rforpl\377|a raw profile of LLVM: run 'llvm-profdata merge' on it, then llvm-cov export
		\377lprofi\201|a profile of LLVM: run 'llvm-cov export' on the program with -instr-profile
		Nettrace\x14\0\0\0!FastSerialization.1|a trace of .NET: run 'dotnet-trace convert --format Speedscope' on it
		memray\0\013\0|a capture of memray: run 'memray transform speedscope' on it
		v 10400 3\nx 5 ./app\nX app\n|raw data of heaptrack: run 'heaptrack --interpret' on them, or pipe them through heaptrack_interpret
		go 1.22 trace\0\0\0|an execution trace of Go: run 'go tool trace -pprof=sync' on it, or net, syscall or sched
		tr\375P\0|a trace of Tracy, which exports no format that prof reads
		NVR\0\010\0\0\0|a report of Nsight Compute, which has counters of kernels, not stacks: run 'ncu --import' on it
		SQLite format 3\0|an SQLite database, as Nsight Systems exports: query it with sqlite3, and print lines 'main;function 12'
		SIMPLEPERF\0|data of simpleperf: run its report_sample.py
		\nFlat profile:\n\nEach sample counts|the output of gprof: use gmon.out itself, after the program
		--------\nProfile data file 'callgrind.out' (creator: callgrind-3.19.0)\n|the output of callgrind_annotate: use callgrind.out itself
		Type: cpu\nShowing nodes accounting for 10ms|the output of pprof: use the profile itself
		jdk.ExecutionSample {\n|the output of 'jfr print': use the recording itself
		-----\nCommand:            ./a\nMassif arguments:   (none)\n|the output of ms_print: use massif.out itself
	END
	[ $n = 21 ]
	# Of what the producers write.
	printf 'int main(void) { return 0; }\n' >counted.c
	gcc --coverage -o counted counted.c && ./counted
	fails_with "counts of gcov: run 'gcov --json-format' on it" prof-top ./*counted.gcda
	printf '%s\n' 'void f(void) { }' 'int main(void) { f(); return 0; }' >timed.c
	gcc -pg -o timed timed.c && ./timed && gprof timed gmon.out >printed
	fails_with 'the output of gprof: use gmon.out itself, after the program' prof-top printed
	zstd -qdc "$repo/share/examples/pages.massif.zst" >massif.out
	ms_print massif.out >printed
	fails_with 'the output of ms_print: use massif.out itself' prof-top printed
	zstd -qdc "$repo/share/examples/wordcount.callgrind.zst" >callgrind.out
	callgrind_annotate callgrind.out >printed
	fails_with 'the output of callgrind_annotate: use callgrind.out itself' prof-top printed
	go tool pprof -top "$repo/share/examples/tasks.pprof.gz" >printed
	fails_with 'the output of pprof: use the profile itself' prof-top printed
}

@test "--probe takes no file of the system for a profile" {
	# A few thousand, of all kinds; every machine has others.
	find /usr /etc -xdev -type f -size -4096k -readable ! -path '*/prof/*' 2>/dev/null |
		LC_ALL=C sort | awk '{ file[n++] = $0 }
		END { step = n > 6000 ? n / 6000 : 1; for (i = 0; i < n; i += step) print file[int(i)] }' >files
	[ "$(wc -l <files)" -gt 1000 ]
	xargs -d '\n' -n 1000 prof-cat --probe <files >got 2>err || true
	# Go's sources have damaged bzip2 files, for its tests.
	run -1 grep -v ': corrupt bzip2 data: ' err
	[ "$(cat got err | wc -l)" -eq "$(wc -l <files)" ]
	# What is claimed is read, and nothing is of the format that claims without a mark.
	grep -vE ': (unknown|executable|empty|truncated)(, [a-z0-9]*)?$' got >claimed || true
	cat claimed
	lacks claimed ': gmon-bsd'
	while read -r file; do
		prof-cat "${file%: *}" >out 2>err
	done <claimed
}

@test "--probe goes on after a file that cannot be read" {
	cp "$(cg small.cg)" a.cg
	echo hello >letter
	fails_with '^prof-cat: nosuch: No such file or directory$' \
		prof-cat --probe nosuch letter a.cg
	printf 'letter: unknown\na.cg: callgrind\n' | diff -u - fails.out
	[ "$(wc -l <fails.err)" = 1 ]
}

@test "an input that is the output is rejected, and left as it was" {
	printf 'prof\t1\npart\t1\nevent\t0\tIr\t-\t-\t-\nfunc\t0\tf\t-\t-\t-\ncost\t0\t-\t1\t-\t5\nend\n' >want
	cp want same
	fails_with 'is the output file' bash -c 'prof-cat same >>same'
	cmp want same
	cp want other
	fails_with 'is the output file' bash -c 'prof-cat other same >>same'
	cmp want same
}

@test "standard input that is the output is called so" {
	printf 'prof\t1\npart\t1\nend\n' >same
	fails_with '^prof-cat: standard input: the input file is the output file' \
		bash -c 'prof-cat - <same >>same'
}

@test "lenient counts a truncation once" {
	{ printf 'version: 1\nevents: Ir\nfl=a.c\nfn=f\n'
	  awk 'BEGIN { srand(1); for (i = 1; i < 20000; i++) print i, int(rand() * 30000) }'
	} | gzip -c >whole
	head -c 60000 whole >cut.gz
	prof-cat --lenient cut.gz 2>err | grep '^meta	skipped' >got
	printf 'meta\tskipped\t1\n' | diff -u - got
}

@test "--probe distinguishes a truncated compressed file from an empty one" {
	seq 10000 | gzip -c >whole
	head -c 12 whole >cut.gz
	prof-cat --probe cut.gz >got 2>err || true
	echo "cut.gz: truncated, gzip" | diff - got
}

@test "a part without the chosen event is left out with a note, and if all are so it is an error" {
	local f
	tabs >some <<-'E'
	prof  1
	part  1
	event  0  a  us  -  -
	func  0  f  -  -  -
	ctx  0  -  0  -  -  -
	sample  0  5
	part  2
	event  0  a  us  -  -
	event  1  b  us  -  -
	sample  0  7  9
	part  3
	event  0  a  us  -  -
	sample  0  5
	end
	E
	sed '/^event/d; s/^\(sample.0\).*/\1/' some >none
	for f in folded svg speedscope firefox cpuprofile; do
		prof-to "$f" --events b some >"got.$f" 2>note
		[ "$f" = svg ] || has 'parts without the event (2)' <note
		exits_with 2 ', or none that --events names' prof-to "$f" none
	done
	echo 'f 9' | same - got.folded
	has '>b: 9 us in 3 parts, of which 2 lack it<' got.svg
	for f in speedscope firefox cpuprofile; do
		prof-top --quiet "got.$f" | has '^ *9  *100.00 .* f$'
	done
}
