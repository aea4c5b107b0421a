#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: prof-annotate prof-cat prof-diff prof-grep prof-merge prof-report prof-to prof-top prof-tree prof-view
# The manual and the README against the programs.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/.."
	export LC_ALL=C
	PATH=${PROF_BIN:-$PWD/build/bin}:$PATH
	build=${PROF_BUILD:-$PWD/build}
	pages=(man/*.[157])
}

tools() {
	"${MAKE:-make}" -s -p -n help 2>/dev/null | sed -n 's/^CMDS = //p' |
		tr ' ' '\n'
}

# The options of a tool as its table has them: "-o" and "--output", sorted.
table_of() {
	"$1" --list-options | awk -F '\t' '{ print $1; if ($2) print $2 }' | sort
}

@test "every tool has a page, and every page is of something" {
	tools | grep -q .
	for t in $(tools); do
		[ -f "man/$t.1" ]
		grep -q "^\\.Xr $t 1" man/prof.7
	done
	for p in man/*.1; do
		{ tools; echo prof; } | grep -qx "$(basename "$p" .1)"
	done
	run -2 prof nosuch
	run -2 prof nosuch --help
	# prof names them all, in its own words.
	prof --help | awk '/^  / { print "prof-" $1 }' | sort | diff - <(tools | sort)
	diff <(prof --help | awk '/^  / { print $1 }') <(sed -n 's/^\.It Xr prof-\(.*\) 1/\1/p' man/prof.1)
}

@test "prof help fits a screen, and each of its commands runs" {
	local n=0 line
	prof help >"$BATS_TEST_TMPDIR/help"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/help")" -le 23 ]
	run -1 grep -E '.{80}' "$BATS_TEST_TMPDIR/help"
	playground
	cp callgrind.out.1 FILE
	cp callgrind.out.1 OLD
	cp callgrind.out.2 NEW
	cp tasks.pprof.gz perf.data
	mkdir -p runs
	cp callgrind.out.[12] old
	cp callgrind.out.[12] new
	cp callgrind.out.1 runs
	rm -f old/*.c new/*.c
	while read -r line; do
		echo "$line"
		case $line in
		*'prof view'*) continue ;;	# it needs a terminal
		*'prof to svg'*) cp tasks.pprof.gz FILE ;;	# and this, stacks
		esac
		bash -euo pipefail -c "$line" >out </dev/null
		[[ $line = *' -o '* || $line = *--fail-over* ]] || [ -s out ]
		n=$((n + 1))
	done < <(sed -nE 's/^  (.*  )?(prof [a-z]+ .*)/\2/p' "$BATS_TEST_TMPDIR/help" | sed 's/   .*//')
	[ $n -ge 17 ]
}

@test "mandoc reports nothing about any page" {
	for p in "${pages[@]}"; do
		got=0
		mandoc -Tlint -Wstyle "$p" >"$BATS_TEST_TMPDIR/lint" 2>/dev/null || got=$?
		[ $got -lt 5 ]	# it has run
		# Of this machine's index of pages it may say what it likes.
		run -1 grep -v 'referenced manual not found' "$BATS_TEST_TMPDIR/lint"
	done
}

@test "sections stand in OpenBSD's order, EXIT STATUS and EXAMPLES among them" {
	for p in man/*.1; do
		got=$(sed -n 's/^\.Sh //p' "$p")
		want=$(printf '%s\n' NAME SYNOPSIS DESCRIPTION ENVIRONMENT FILES \
			'EXIT STATUS' EXAMPLES DIAGNOSTICS 'SEE ALSO' STANDARDS \
			HISTORY AUTHORS CAVEATS BUGS | grep -Fx "$got")
		echo "$p: $got"
		[ "$got" = "$want" ]
		grep -qx 'EXIT STATUS' <<<"$got"
		grep -qx EXAMPLES <<<"$got"
		# It begins with three.
		[ "$(sed -n '/^\.Sh DESCRIPTION/,/^\.Ed/p' "$p" | sed '1,/^\.Bd/d' | grep -c '\bprof\b')" -ge 3 ]
	done
}

# The options in a list of a page, sorted: ".It Fl o Ar file , Fl -output Ar file".
listed() {
	sed -n 's/^\.It Fl //p' | sed 's/ , Fl /\n/g' | sed 's/ .*//; s/^/-/' | sort
}

@test "a page lists the options that its tool has, and no others; prof(7) the common ones" {
	local common=$BATS_TEST_TMPDIR/common page=$BATS_TEST_TMPDIR/page
	sed -n '/^\.Sh COMMON OPTIONS/,/^\.Sh INPUT/p' man/prof.7 | listed >"$common"
	for t in $(tools); do
		listed <"man/$t.1" >"$page"
		table_of "$t" >"$BATS_TEST_TMPDIR/table"
		echo "$t: page against table"
		comm -12 "$common" "$BATS_TEST_TMPDIR/table" | tee -a "$BATS_TEST_TMPDIR/had" |
			sort - "$page" | diff - "$BATS_TEST_TMPDIR/table"
		grep -qx '\.Sx COMMON OPTIONS' "man/$t.1"
	done
	# Several tools have each of them.
	sort "$BATS_TEST_TMPDIR/had" | uniq -d | diff - "$common"
}

@test "--list-options has the words of an argument, and they can be given" {
	f=share/examples/wordcount.callgrind.zst
	for t in $(tools); do
		case $t in
		prof-grep) set -- . ;;
		prof-to) set -- tsv ;;
		prof-diff) set -- $f ;;
		prof-view) continue ;;	# it needs a terminal
		*) set -- ;;
		esac
		"$t" --list-options | awk -F '\t' -v OFS='\t' '
			NF != 5 { exit 1 } $5 { print $1, $5 }' >"$BATS_TEST_TMPDIR/words"
		[ "${PIPESTATUS[1]}" -eq 0 ]
		while IFS=$'\t' read -r option words; do
			for word in ${words//|/ }; do
				echo "$t $option=$word"
				case $option=$word in
				--scope=* | --metric=*) "$t" "$@" --fail-over 1% "$option=$word" $f >/dev/null ;;
				--aprof-version=*) "$t" aprof "$option=$word" -o /dev/null <(printf '%s\n' 'v 4' 'r "f" "i" 1') ;;
				--layout=*) "$t" gmon --layout="$word" -o /dev/null share/examples/calc.gmon.zst ;;
				--root=*) "$t" $([ "$t" != prof-to ] || echo folded) "$option=$word" share/examples/calc.folded >/dev/null ;;
				--color-by=*) "$t" svg "$option=$word" share/examples/calc.folded >/dev/null ;;
				*) "$t" "$@" "$option=$word" $f >/dev/null 2>"$BATS_TEST_TMPDIR/err" ;;
				esac
			done
		done <"$BATS_TEST_TMPDIR/words"
	done
	# An ARG may be absent; one that only "=" gives says so.
	prof-top --list-options >"$BATS_TEST_TMPDIR/list"
	grep -qxP -e '--tsv\t\t\tprint exact, TAB-separated values with a header\t' "$BATS_TEST_TMPDIR/list"
	grep -qxP -e '--color\t\t=WHEN\tcolor the output: always, never, auto\talways\|never\|auto' "$BATS_TEST_TMPDIR/list"
	grep -qP -e '^--by\t-b\tLIST\t.*\tfunction\|file\|' "$BATS_TEST_TMPDIR/list"
}

@test "a page's synopsis has no option that its tool lacks" {
	for t in $(tools); do
		table_of "$t" >"$BATS_TEST_TMPDIR/table"
		for o in $(sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESC/p' "man/$t.1" |
			grep -o 'Fl [^ ]*' | sed 's/Fl /-/'); do
			echo "$t: $o"
			grep -qxe "$o" "$BATS_TEST_TMPDIR/table"
		done
	done
}

@test "the words and sentences of the manual and of messages get no harder to read" {
	prose=(man/*.[157] README.md CONTRIBUTING.md NEWS.md cmd/*.[ch] lib/*/*.[ch] lib/*/*/*.[ch])
	tests/prose.pl tests/prose.tsv "${prose[@]}"
	# It sees what it looks for.
	printf '%s\n' '# T' '' 'A folder that is said, too, is truncated.' '' \
		"$(yes word | head -n 26 | tr '\n' ' ')." >"$BATS_TEST_TMPDIR/bad.md"
	printf '0\t\\bfolders?\\b\tdirectory\n0\t\\bnot there\\b\tabsent\n' >"$BATS_TEST_TMPDIR/words"
	run -1 tests/prose.pl "$BATS_TEST_TMPDIR/words" "$BATS_TEST_TMPDIR/bad.md"
	grep -q "bad.md:3: 'folder': directory" <<<"$output"
	grep -q 'bad.md:5: 26 words' <<<"$output"
	run -1 grep 'not there' <<<"$output"
	printf '%s\n' '/* "no folder here" */' 'say("%s: no files in "' '    "this folder");' 'key("folder");' \
		>"$BATS_TEST_TMPDIR/bad.c"
	run -1 tests/prose.pl "$BATS_TEST_TMPDIR/words" "$BATS_TEST_TMPDIR/bad.c"
	[ "$output" = "1 times, 0 allowed:
$BATS_TEST_TMPDIR/bad.c:2: 'folder': directory" ]
}

@test "every option that a page mentions is one of some tool" {
	{
		for t in $(tools); do
			table_of "$t"
		done
		printf '%s\n' --tool=callgrind --tool=cachegrind	# valgrind's
	} >"$BATS_TEST_TMPDIR/tables"
	for p in "${pages[@]}"; do
		for o in $(sed -n '/^\.Bd/,/^\.Ed/d; p' "$p" |
			grep -oE '\bFl [^ ]+' | sed 's/Fl /-/'); do
			echo "$p: $o"
			grep -qxe "$o" "$BATS_TEST_TMPDIR/tables"
		done
	done
}

@test "--help all has the options that the table has, and a usage line" {
	for t in $(tools); do
		"$t" --help all >"$BATS_TEST_TMPDIR/help"
		head -n 1 "$BATS_TEST_TMPDIR/help" | grep -q "^usage: $t "
		grep -q "^manual: $t(1)" "$BATS_TEST_TMPDIR/help"
		options_in "$BATS_TEST_TMPDIR/help" >"$BATS_TEST_TMPDIR/listed"
		echo "$t: help against table"
		diff "$BATS_TEST_TMPDIR/listed" <(table_of "$t")
	done
}

# options_in FILE: the options that a help has, as table_of has them.
options_in() {
	sed -n 's/^  *\(-.*\)/\1/p' "$1" | sed 's/^\(-[a-zA-Z]\), /\1\n/' | sed 's/[ =].*//' | sort -u
}

# A regular expression is RE in the help, which has little room.
@test "--help names arguments as the manuals do, in capitals" {
	local t name arg
	for t in $(tools); do
		"$t" --list-options | awk -F '\t' '$3 { print $1, $3 }' | grep -v '[|=,>]' |
			while read -r name arg; do
			echo "$t $name $arg" >&2
			[[ "$arg" =~ ^[A-Z]+$ ]]
			[ "$arg" != RE ] || arg=REGEX
			grep -qE "^\.It .*Fl -${name#--} Ar ${arg,,}( |\$)" "man/$t.1" man/prof.7
		done
	done
}

@test "--help fits a screen, and has what makes the tool that tool" {
	local t o n shown
	# All tools have these, and those that write, these.
	for t in $(tools); do
		table_of "$t"
	done | sort | uniq -c | awk -v n="$(tools | wc -l)" '$1 == n { print $2 }' >"$BATS_TEST_TMPDIR/common"
	grep -qxe --events "$BATS_TEST_TMPDIR/common"
	grep -qxe --quiet "$BATS_TEST_TMPDIR/common"
	printf '%s\n' -o --output --zstd --gzip --no-pager >>"$BATS_TEST_TMPDIR/common"
	for t in $(tools); do
		"$t" --help >"$BATS_TEST_TMPDIR/help"
		echo "$t"
		[ "$(awk 'length > 79' "$BATS_TEST_TMPDIR/help" | tee /dev/stderr | wc -l)" = 0 ]
		[ "$(wc -l <"$BATS_TEST_TMPDIR/help")" -le 24 ]
		options_in "$BATS_TEST_TMPDIR/help" >"$BATS_TEST_TMPDIR/own"
		[ "$(comm -12 "$BATS_TEST_TMPDIR/own" <(sort "$BATS_TEST_TMPDIR/common") | tee /dev/stderr | wc -l)" = 0 ]
		for o in $(case $t in
			prof-annotate) echo --asm --function --file --min ;;
			prof-cat) echo --probe --info ;;
			prof-grep) echo --invert-match --in --count ;;
			prof-merge) echo --op --by --keep-going ;;
			prof-top) echo --by --sort --rows --min --callers ;;
			prof-tree) echo --function --callers --min ;;
			prof-view) echo --follow ;;
			prof-report) echo --budget --fail-over ;;
			prof-diff) echo --fail-over --match --by ;;
			prof-to) echo --strict --losses --estimate ;;
			esac); do
			grep -qxe "$o" "$BATS_TEST_TMPDIR/own"
		done
		# The last line counts those of its own that are left out.
		n=$("$t" --help all | awk 'NR > 3 && /^$/ { exit } /^ +-/' | wc -l)
		shown=$(grep -c '^ *-' "$BATS_TEST_TMPDIR/help")
		[ "$t" != prof-to ] || n=$shown	# more comes before its options
		n=$((n - shown))
		tail -n 1 "$BATS_TEST_TMPDIR/help" >"$BATS_TEST_TMPDIR/last"
		if [ "$n" = 0 ]; then
			grep -q "^$t --help all: options for input, " "$BATS_TEST_TMPDIR/last"
		else
			grep -q "^$t --help all: $n more, and options for input, " "$BATS_TEST_TMPDIR/last"
		fi
	done
	# Formats, too.
	for t in $(prof-cat --list-formats | cut -f 1); do
		[ "$(prof-to "$t" --help | wc -l)" -le 24 ]
		[ "$(prof-to "$t" --help | awk 'length > 79' | wc -l)" = 0 ]
	done
	prof-to svg --help | grep -q '^ *--flame '
	prof-to svg --help all | grep -q '^ *--events '
	run -1 grep -e --flame <(prof-to dot --help all)
}

@test "--help all fits a terminal: headings, no line too long, an example" {
	local own writes
	tools >"$BATS_TEST_TMPDIR/tools"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/tools")" -ge 6 ]
	while read -r t; do
		"$t" --help all >"$BATS_TEST_TMPDIR/help"
		echo "$t"
		[ "$(awk 'length > 79' "$BATS_TEST_TMPDIR/help" | tee /dev/stderr | wc -l)" = 0 ]
		[ "$(wc -l <"$BATS_TEST_TMPDIR/help")" -le 100 ]
		# The options of each group: its own first, -o where it writes.
		own=$(case $t in
		prof-annotate) echo showing: ;;
		prof-cat) echo formats: ;;
		prof-grep) echo matching: ;;
		prof-merge) echo merging: ;;
		prof-top) echo ranking: ;;
		prof-tree) echo tree: ;;
		prof-view) echo browsing: ;;
		prof-report) echo reporting: ;;
		prof-diff) echo comparing: ;;
		prof-to) echo encoding: aprof: folded: gmon, gmon-bsd44, gmon-bsd: tsv: svg: dot: ;;
		esac)
		writes='' gzip=''
		if table_of "$t" | grep -qxe --output; then writes='output: ' gzip=1; fi
		if table_of "$t" | grep -qxe --no-pager; then writes="${writes}terminal: "; fi
		[ "$(grep -E '^[-a-z0-9, ]+:$' "$BATS_TEST_TMPDIR/help" | paste -sd ' ')" = \
			"$own ${writes}input: folded: pprof-legacy: perf, perfdata, jfr, firefox: massif: trace: general:" ]
		for pair in input:--events input:--lenient general:--quiet \
			${gzip:+output:--gzip}; do
			sed -n "/^${pair%%:*}:\$/,/^\$/p" "$BATS_TEST_TMPDIR/help" |
				grep -qe " ${pair#*:}\b"
		done
		# A blank line before each heading, and before what is last.
		own=1
		if [ "$t" = prof-to ]; then own=3; fi
		[ "$(grep -c '^$' "$BATS_TEST_TMPDIR/help")" = \
			"$(($(grep -cE '^[-a-z0-9, ]+:$' "$BATS_TEST_TMPDIR/help") + own))" ]
		tail -n 1 "$BATS_TEST_TMPDIR/help" | grep -qx "manual: $t(1), prof(7)"
		tail -n 2 "$BATS_TEST_TMPDIR/help" | head -n 1 | grep -qE "^example: .*\b$t\b"
	done <"$BATS_TEST_TMPDIR/tools"
}

@test "what does not fit a line of --help all goes on below, no word of it lost" {
	for t in $(tools); do
		"$t" --help all | awk '
			/^  / && substr($0, 28, 1) == " " { text = substr($0, 29)
				if ($0 ~ /^ +-/) printf "%s%s", sep, text
				else printf " %s", text
				sep = "\n" }
			END { print "" }' >"$BATS_TEST_TMPDIR/help"
		"$t" --list-options | cut -f 4 >"$BATS_TEST_TMPDIR/table"
		echo "$t"
		diff <(sort -u "$BATS_TEST_TMPDIR/help") <(sort -u "$BATS_TEST_TMPDIR/table")
	done
}

@test "a page spells its tool's usage" {
	for t in $(tools); do
		# "FORMAT [options] [FILE...]" is "format [options] [file ...]"
		usage=$("$t" --help | sed -n "1s/^usage: $t //p" |
			tr 'A-Z' 'a-z' | sed 's/file\.\.\./file .../')
		echo "$t: $usage"
		mandoc -Tascii -O width=200 "man/$t.1" | sed 's/.\x08//g' |
			tr -s ' ' | grep -qF " $t $usage"
	done
}

@test "prof-stream(5) has the table of records that the program has" {
	# The display under RECORDS, its continuation lines joined.
	sed -n '/^\.Sh THE RECORDS$/,/^\.Ed/p' man/prof-stream.5 |
		sed '1,/^\.Bd/d; /^\.Ed/d' |
		awk '/^ /{ sub(/^ +/, ""); line = line " " $0; next }
			NR > 1 { print line } { line = $0 } END { print line }' |
		tr -s ' ' >"$BATS_TEST_TMPDIR/page"
	[ -x "$build/tests/table" ] || "${MAKE:-make}" -s test-programs
	"$build/tests/table" >"$BATS_TEST_TMPDIR/program"
	[ -s "$BATS_TEST_TMPDIR/program" ]
	diff "$BATS_TEST_TMPDIR/page" "$BATS_TEST_TMPDIR/program"
}

@test "prof-stream(5) describes every record" {
	for tag in $(sed -n '/^\.Sh THE RECORDS$/,/^\.Ed/p' man/prof-stream.5 |
		sed '1,/^\.Bd/d; /^\.Ed/d; /^ /d; s/ .*//'); do
		echo "$tag"
		grep -qE "^\\.It Ic $tag( |\$)" man/prof-stream.5
	done
}

@test "the pages' tables of formats are those of the programs" {
	tests/formats.pl "${pages[@]}"
	[ "$(grep -c '^\.\\" made: ' man/prof-formats.7)" -gt 20 ]
	grep -q '^\.\\" made: written' man/prof-to.1
}

@test "formats.pl sees a wrong word, and adds a new format" {
	mkdir "$BATS_TEST_TMPDIR/bin"
	page=$BATS_TEST_TMPDIR/page.7
	sed '/made: holds/,/end$/s/ in aprof/ in callgrind/' man/prof-formats.7 >"$page"
	run -1 tests/formats.pl "$page"
	tests/formats.pl -u "$page"
	diff man/prof-formats.7 "$page"
	for t in prof-cat prof-to; do
		cat >"$BATS_TEST_TMPDIR/bin/$t" <<-E
		#!/bin/sh
		case "\$*" in
		--list-formats) $(command -v prof-cat) --list-formats |
			sed '1a\\new\tread\tnews, and more\t*.new *.n' ;;
		new*) exec $(command -v prof-to) massif --help ;;
		*) exec $(command -v prof-to) "\$@" ;;
		esac
		E
		chmod +x "$BATS_TEST_TMPDIR/bin/$t"
	done
	PATH=$BATS_TEST_TMPDIR/bin:$PATH tests/formats.pl -u "$page"
	diff man/prof-formats.7 "$page" | grep '^>' | tail -n 6 | diff - <(printf '> %s\n' \
		'.Ss new' '.\" made: new' 'News, and more; read.' 'Its files are called' \
		'.Pa *.new , *.n .' '.\" end') || { diff man/prof-formats.7 "$page"; return 1; }
	[ "$(mandoc -Tlint -Wwarning "$page" | wc -l)" = 0 ]
}

@test "every page points to the pages that there are" {
	grep -q '^\.Xr prof-formats 7' man/prof.7
	for t in $(tools); do
		echo "$t"
		grep -q '^\.Xr prof-formats 7' "man/$t.1"
	done
	for p in "${pages[@]}"; do
		sed -n 's/^\.Xr \(prof[-a-z]*\) \([157]\).*/\1.\2/p' "$p" | sort -u |
			while read -r x; do
				echo "$p: $x"
				[ -f "man/$x" ]
			done
	done
}

@test "the pages' examples print the output shown" {
	tests/examples.pl "${pages[@]}"
}

@test "the README's pipelines print the output shown" {
	tests/examples.pl README.md
}

# The files that the pages' scripts read and have not made.
playground() {
	local examples=$PWD/share/examples
	cd "$BATS_TEST_TMPDIR"
	cp "$examples"/* .
	cp /usr/share/common-licenses/BSD text
	mkdir old new build
	cp calc.c old
	cp calc.c new
	for i in 1 2 3 4 5 6 7 8 9; do
		echo "v$i = ($i + 2) * 3"
	done >input
	cc -g -pg -fno-inline -o build/calc calc.c
	cp build/calc calc
	./calc <input >/dev/null
	cc -g -O1 -fno-inline -o program calc.c
	cc -g -o sort sort.c
	valgrind -q --tool=callgrind --callgrind-out-file=old.out ./program input >/dev/null
	zstdcat wordcount.callgrind.zst | tee callgrind.out.1 >callgrind.out.1234
	rm wordcount.callgrind.zst
	zstd -qdo perf.data calc.perfdata.zst
	zstdcat wordcount-hash.callgrind.zst >callgrind.out.2
	for i in 1 2; do tee old.$i.prof <callgrind.out.1 >new.$i.prof; done
	sed 's/^cmd:.*/cmd: httpd\nthread: 1/' callgrind.out.1234 >callgrind.out.1234-01
	printf '%s\n' 'v 1' 'm Ir' 'r "sort" "/bin/x" 0' 'p 0 10 900 1300 2200 0 2' \
		'p 0 20 2800 2800 2800 0 1' >report.aprof
}

@test "the pages' scripts work, the tutorial's among them" {
	playground
	mkdir runs
	cp callgrind.out.[12] callgrind.out.1234 runs
	PATH=$BATS_TEST_DIRNAME/../share/fleet:$PATH
	# Those of prof-guide(7) are in guide.bats.
	set -- ${pages[@]/man\/prof-guide.7}
	"$BATS_TEST_DIRNAME/examples.pl" -s "${@/#/$OLDPWD/}"
}

@test "examples.pl sees a wrong example" {
	printf '```\n$ echo a; echo b >&2\na\nb\n```\n' >"$BATS_TEST_TMPDIR/good.md"
	tests/examples.pl "$BATS_TEST_TMPDIR/good.md"
	printf '```\n$ echo a\nb\n```\n' >"$BATS_TEST_TMPDIR/bad.md"
	run -1 tests/examples.pl "$BATS_TEST_TMPDIR/bad.md"
	run -1 tests/examples.pl LICENSE	# no command at all
}

@test "the README's commands are one line each and name the packages" {
	demo=$(grep 'make demo' README.md)
	check=$(grep '&& make check$' README.md)
	viewers=$(grep '&& make check-viewers$' README.md)
	[ "$(wc -l <<<"$demo")" -eq 1 ]
	[ "$(wc -l <<<"$check")" -eq 1 ]
	[ "$(wc -l <<<"$viewers")" -eq 1 ]
	for p in gcc libc6-dev make pkg-config libzstd-dev zlib1g-dev libdw-dev \
		libiberty-dev; do
		grep -qw -- "$p" <<<"$demo"
		grep -qw -- "$p" <<<"$check"
	done
	for p in gcc libc6-dev make pkg-config libzstd-dev zlib1g-dev libyaml-dev bats jq nodejs npm chromium; do
		grep -qw -- "$p" <<<"$viewers"
	done
	for p in g++ bats valgrind perl mandoc zstd gzip xz-utils bzip2 lz4 jq miller sqlite3 binutils parallel zsh fish file python3; do
		grep -qw -- "$p" <<<"$check"
	done
	for p in libzstd-devel zlib-devel pkgconf-pkg-config; do
		grep -qw -- "$p" README.md
	done
}

@test "the demo shows what it announces" {
	export TMPDIR=$BATS_TEST_TMPDIR
	run -0 share/demo.sh "${PROF_BIN:-build/bin}" </dev/null
	echo "$output"
	# Most of the time, in the table of gprof's times and after the pipeline.
	[ "$(grep -cE '^ +[0-9.]+ +[5-9][0-9]\.[0-9]+ .* 2,000,000  find  shop\.c' <<<"$output")" -ge 2 ]
	grep -qE '^ +[0-9.]+ +[0-9.]+ +-[0-9.]+ .*  find' <<<"$output"	# the change
	grep -qx 'status 1' <<<"$output"
	grep -q '^prof-top: .*the stream is truncated' <<<"$output"
	grep -qE '^11,[0-9,]+ .* 2,000  find' <<<"$output"	# by Valgrind
	run -1 grep -E '^.{101}' <(grep -v '^[$#]\|^prof-\|^Now open' <<<"$output")
	xmllint --noout "$TMPDIR"/prof-demo.*/old.svg
}

@test "the demo fails where a program does" {
	mkdir "$BATS_TEST_TMPDIR/bin"
	for t in $(tools); do
		ln -s "$(command -v "$t")" "$BATS_TEST_TMPDIR/bin/"
	done
	rm "$BATS_TEST_TMPDIR/bin/prof-grep"
	printf '#!/bin/sh\nexit 2\n' >"$BATS_TEST_TMPDIR/bin/prof-grep"
	chmod +x "$BATS_TEST_TMPDIR/bin/prof-grep"
	run -1 share/demo.sh "$BATS_TEST_TMPDIR/bin" </dev/null
	grep -q '^demo: expected status 0, found 2: prof-cat ' <<<"$output"
}
