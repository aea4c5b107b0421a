#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec report util view
# Names that are markup, commands, control characters, lines of a format or no text at all,
# through every format and every view: nothing is run, nothing is taken for more than a
# name, and what comes back is the name, or what the manual says of it.

load tools.bash
load shells.bash
load small.bash

export repo

# All that are read and written, but for those that have no such names.
read_back=$(formats_that read,write | grep -vx 'aprof\|gmon.*\|xprof' || :)

setup_file() {
	local f which
	cd "$BATS_FILE_TMPDIR" || return 1
	mkdir small
	(cd small && small_profiles)
	"$TESTS/hostile.pl" make .
	for f in $read_back json svg dot; do
		mkdir -p to/$f
		for which in $(which $f); do
			prof-to $f --quiet -o to/$f/$which prof/$which
		done
	done
}

# Whatever runs a name makes X.
teardown() {
	[ ! -e X ]
}

# which FORMAT: what the names are called that it can hold; all in one that is not read.
which() {
	local want=$made/want/$1
	[ -e "$want" ] || want=$made/want/prof
	sed -n 's/^== //p' "$want"
}

# come_back FORMAT COMMAND: the names in the streams that COMMAND writes for each `which`
# are those that are wanted.
come_back() {
	local which
	for which in $(which "$1"); do
		echo "== $which"
		eval "$2" 2>>err || echo "$which: status $?" >>err
	done | "$TESTS/hostile.pl" names "$1" >got
	diff <(cut -c 1-200 $made/want/$1) <(cut -c 1-200 got)
	cmp $made/want/$1 got
	cat err
	[ ! -s err ]
}

# ---- formats ----

# bats test_tags=format
@test "names come back from each format that is written" {
	local f
	for f in $read_back; do
		echo "$f"
		come_back $f "prof-cat --quiet --from $f $made/to/$f/\$which"
		# What a name looks like is no other format.
		(cd $made && { prof-cat --probe to/$f/* || [ $? = 1 ]; }) |
			sed "/: $f\(, gzip\)\?$/d" |
			diff <([ $f != folded ] || printf 'to/folded/%s: unknown\n' control nul osc) -
	done
}

@test "the change of a name that a format cannot hold is reported" {
	# What becomes of some is said.
	exits_with 2 'empty names (written as none) (3)' prof-to pprof --strict $made/prof/empty
	exits_with 2 "stacks that end in a number (the blank before it written as ':') (2)" \
		prof-to folded --strict $made/prof/count
	exits_with 2 'blanks before names' prof-to callgrind --strict $made/prof/count
	exits_with 2 'line breaks in names' prof-to cachegrind --strict $made/prof/newline
	exits_with 2 'tsv: event 0 has no name' prof-to tsv $made/prof/empty
}

# bats test_tags=format
@test "a name in a file of any format is a name, or the file is rejected" {
	local f name which got
	for f in $formats; do
		echo "$f"
		# The longest that stands in it as it is.
		name=$(prof-cat --quiet $made/small/$f | awk -F '\t' '$1 == "func" { print length($3), $3 }' |
			sort -rn | sed 's/^[0-9]* //' | while read -r n; do
				if has -aF -- "$n" $made/small/$f; then echo "$n"; fi; done | sed -n 1p)
		[ -n "$name" ] || continue
		for which in csi nul newline record lines bytes empty long; do
			NAME=$name perl -e '
				sub slurp { local ($/, @ARGV) = (undef, @_); <> }
				my ($text, $by) = map { slurp($_) } @ARGV;
				print $text =~ s/\Q$ENV{NAME}\E/$by/gr' $made/small/$f $made/name/$which >x
			got=0
			prof-cat --from $f x >x.prof 2>err || got=$?
			echo "$which: $got"
			[ $got = 0 ] || { [ $got = 2 ] && has '^prof-cat: x:' <err; }
			[ $got = 2 ] || prof-cat x.prof | cmp - x.prof
		done
	done
}

# bats test_tags=format
@test "names come from each format that other programs write" {
	local f
	for f in $(formats_that '^read$'); do
		echo "$f"
		case $f in
		# A name of 100 kB leaves no event in the first 64, which a warning says.
		perf) come_back $f "prof-cat --quiet --from $f $made/$f/\$which 2>/dev/null" ;;
		# OpenTelemetry's message, by another encoder.
		otlp) come_back $f "otlp <$made/prof/\$which | prof-cat --quiet --from $f" ;;
		*)
			[ -d $made/$f ] || continue
			come_back $f "prof-cat --quiet --from $f $made/$f/\$which" ;;
		esac
	done
}

@test "names come from PHP" {
	come_back xdebug "prof-cat --quiet $made/xdebug/\$which"
}

# otlp: the stream of standard input as OpenTelemetry's message, whose strings have \xHH
# for what the stream has otherwise.
otlp() {
	perl -pe '
		my %byte = (n => 10, r => 13, t => 9, "\\" => 92, "-" => 45);
		s/\\(x00|.)/sprintf "\\x%02x", $byte{$1} \/\/ 0/ge;
		s/^(event\t0\t)[^\t]*/$1samples/; s/\tcomm=.*//; s/^(?=part)/meta\tformat\tx\n/' |
		"$TESTS/otlp.pl" samples | "$TESTS/pprof.pl"
}

@test "other readers find the names, too" {
	# JSON, with Python's surrogateescape for bytes that are no text.
	python3 - $made <<-'E'
	import json, os, sys

	def strings(x):
	    if isinstance(x, str):
	        yield x.encode('utf-8', 'surrogateescape')
	    for y in x.values() if isinstance(x, dict) else x if isinstance(x, list) else ():
	        yield from strings(y)

	dir = sys.argv[1]
	for which in os.listdir(dir + '/name'):
	    name = open(dir + '/name/' + which, 'rb').read()
	    for f in 'speedscope', 'firefox', 'cpuprofile', 'json':
	        text = open(f'{dir}/to/{f}/{which}', encoding='utf-8', newline='\n').read()
	        found = [json.loads(t) for t in (text.rstrip('\n').split('\n') if f == 'json' else [text])]
	        assert name in strings(found), (f, which)
	E
	# Python's pstats, and what it writes.
	python3 - $made <<-'E'
	import marshal, os, pstats, sys
	dir = sys.argv[1]
	os.mkdir('pstats')
	for which in os.listdir(dir + '/name'):
	    name = open(dir + '/name/' + which, 'rb').read().decode('utf-8', 'surrogateescape')
	    functions = pstats.Stats(f'{dir}/to/pstats/{which}').stats
	    assert (name, name) in ((k[0], k[2]) for k in functions), which
	    marshal.dump({(name, 7, name): (1, 1, 0.5, 0.5, {})}, open('pstats/' + which, 'wb'))
	E
	come_back pstats 'prof-cat --quiet --from pstats pstats/$which'
	# pprof's messages, of which the name is a string.
	cat >strings.proto <<-'E'
	syntax = "proto3";
	message Strings { repeated bytes string = 6; }
	E
	local which
	for which in $(which pprof); do
		gzip -dc $made/to/pprof/$which | protoc --decode=Strings strings.proto |
			sed -n 's/^string: "\(.*\)"$/\1/p' >strings
		perl -ne 'chomp; s/\\([0-7]{3}|.)/length $1 == 3 ? chr oct $1 :
			{ n => "\n", r => "\r", t => "\t" }->{$1} \/\/ $1/ge; print unpack("H*", $_), "\n"' \
			strings >got
		perl -0777 -ne 'print unpack("H*", $_), "\n"' $made/name/$which >want
		has -xFf want got
	done
	# Valgrind's own programs, whose events are words.
	for which in control csi format; do
		callgrind_annotate $made/to/callgrind/$which >got
		has -F "$(head -c 3 $made/name/$which)" got
		cg_annotate $made/to/cachegrind/$which >got
		has -F "$(head -c 3 $made/name/$which)" got
	done
}

@test "pictures are well-formed, and have no other script than their own" {
	xmllint --nonet --noout $made/to/svg/*
	prof-to svg --quiet --min-width 0 $made/all.prof >f.svg
	[ "$(xmllint --xpath 'count(//*[local-name()="script"])' f.svg)" = 1 ]
	[ "$(xmllint --xpath 'count(//*[local-name()="img"])' f.svg)" = 0 ]
	prof-to svg --quiet --static --min-width 0 $made/all.prof >s.svg
	lacks s.svg '<script|<img|onerror=(?!alert\(1\)&gt;)'
	"$TESTS/svg.pl" s.svg | cut -f 5 | sort -u >got
	# Each function, main and the whole.
	[ "$(wc -l <got)" = $(($(which prof | wc -l) + 1)) ]
	has -xF '<script>alert(1)</script><img src=x onerror=alert(1)>' got
	has -xF 'a\x1b[31m\x1b[2Jb' got
	has -xF 'a\xe2\x80\xaeb\xe2\x81\xa6c\xe2\x80\x8f' got
	prof-to dot --quiet --nodes 0 --min-node 0 --min-edge 0 $made/all.prof |
		dot -Tsvg >d.svg 2>err
	cat err
	[ ! -s err ]
	xmllint --nonet --noout d.svg
	lacks d.svg '<script|<img|<a [^>]*xlink:href'
	[ "$(grep -c 'class="node"' d.svg)" = "$(which prof | wc -l)" ]
	for f in $made/to/dot/{empty,long,bytes,backslash,record}; do
		silent dot -Tsvg "$f" >d.svg
		xmllint --nonet --noout d.svg
	done
}

# ---- terminals ----

# tame COMMAND: of what it writes to a terminal nothing is taken for a command.
tame() {
	TERM=xterm script -qec "stty cols 1000; $1" /dev/null </dev/null >tty || :
	"$TESTS/hostile.pl" raw <tty >raw
	[ ! -s raw ] || { echo "$1"; cat raw; return 1; }
	[ -s tty ]
}

@test "control sequences are made visible" {
	local which
	for which in csi osc c1 control return bidi; do
		run -1 tame "cat $made/name/$which"
	done
	for which in tag width bytes stack; do
		tame "cat $made/name/$which; printf '\033[1mbold\033[0m\n'"
	done
}

@test "what has no width and what is no character is seen on a terminal, and kept elsewhere" {
	printf '%b\n' 'a\xe2\x80\x8bb;c\xef\xbf\xbed 3' 'e\xf0\x9f\xbf\xbff\xe2\x82\xac;\xef\xbb\xbfg 4' \
		'h\xe2\x81\xa0\xef\xb8\x8f 5' >f.folded
	script -qec 'prof-top f.folded' /dev/null </dev/null | tr -d '\r' >got
	for name in 'a\xe2\x80\x8bb' 'c\xef\xbf\xbed' 'e\xf0\x9f\xbf\xbff€' '\xef\xbb\xbfg' \
	    'h\xe2\x81\xa0\xef\xb8\x8f'; do
		has -F "  $name" got || { cat got; return 1; }
	done
	# As they are: to a pipe, and back from other formats.
	prof-top --tsv f.folded | has -F "$(printf 'a\xe2\x80\x8bb')"
	prof-cat f.folded | grep '^func' | cut -f 3 >want
	for format in pprof speedscope json; do
		prof-to $format --quiet -o p f.folded 2>/dev/null
		case $format in
		json) jq -r 'select(.record == "func").name' p ;;
		*) prof-cat p | grep '^func' | cut -f 3 ;;
		esac | sort | diff <(sort want) -
	done
	prof-to svg --quiet f.folded | xmllint --noout -
}

@test "no name commands a terminal, in any view or format" {
	local c
	ln -s $made/all.prof p
	sed -E 's/^(sample\t[0-9]+\t)7/\18/' p >old
	for c in prof-cat 'prof-cat --info' 'prof-grep main' prof-merge 'prof-diff -n 0 old' \
	    'prof-top -n 0' 'prof-top -n 0 --callers .' 'prof-top -n 0 -b file,object' \
	    'prof-top -n 0 -b line,file' 'prof-tree -n 0 --min 0' \
	    'prof-tree -n 0 --min 0 --callers' 'prof-tree -n 0 --min 0 --long' \
	    'prof-tree -n 0 --min 0 --markdown' 'prof-annotate --whole' 'prof-to text' \
	    'prof-to dot --nodes 0' 'prof-to svg --min-width 0' 'prof-to speedscope' \
	    'prof-to firefox' 'prof-to cpuprofile' 'prof-to folded' 'prof-to tsv' \
	    'prof-to json' 'prof-to callgrind' 'prof-to cachegrind' 'prof-top --json' \
	    'prof-top --tsv' 'prof-tree -n 0 --min 0 --json' 'prof-tree -n 0 --min 0 --tsv' \
	    'prof-diff --tsv old'; do
		echo "$c"
		tame "$c p"
		case $c in
		*info | prof-annotate*) ;;
		*json | *speedscope | *firefox | *cpuprofile) has -F '\u001b[31m' tty ;;
		*dot*) has -F 'a\\x1b[31m\\x1b[2Jb' tty ;;
		*) has -F 'a\x1b[31m\x1b[2Jb' tty ;;
		esac
	done
}

@test "no heading, message or name of a file commands a terminal, and none runs" {
	local which
	for which in $(which prof | grep -vx nul); do
		n=$(cat $made/name/$which; echo .)
		export n=${n%.} p=$made/prof/$which
		tame 'prof-cat --info "$p"; prof-top "$p"; prof-tree "$p"; prof-to svg --static "$p"
			prof-top --events="$n" "$p"; prof-cat --where="comm=$n" "$p"
			prof-top --where="$n" "$p"; prof-top --by="$n" "$p"; prof-cat --from="$n" "$p"
			prof-top --rules="$n" "$p"; prof-cat --syms="$n" "$p"; prof-grep -e "$n" "$p"
			prof-grep -F -e "$n" "$p"; prof-to -- "$n" "$p"; prof-cat -- "$n"
			prof-to svg --static --title="$n" "$p"; prof-annotate -- "$n" "$p"; prof-top "$n=$n"'
		# A file that is called so, and is none of the formats, or not whole.
		case $n in */* | '' | xxx*) continue ;; esac
		mkdir dir
		sed '$d' "$p" >"dir/$n"
		tame 'cd dir; prof-cat -- "$n"; prof-top -- *; prof-cat --probe -- *; prof-cat --lenient -- "$n"
			prof-cat -- "$n" "$n"; prof-grep -l -- main "$n"; prof-merge -- "$n"; prof-cat -o "$n" -- "$n"
			prof-cat --zstd -o "$n" -- "../$p"; prof-top -- "$n"'
		[ ! -e dir/X ]
		rm -r dir
	done
}

# ---- shells ----

# Names that need no escape in the stream: others are not offered.
offered() {
	local which
	for which in $(which prof); do
		perl -0777 -ne 'print "$_\n" unless /[\t\n\r\0]|^-?$/' $made/name/$which
	done | sed '/^x\{100\}/d'
	echo main
}

@test "what shells complete are the names, and nothing of them runs" {
	local LC_ALL=C.UTF-8
	cp $made/all.prof callgrind.out.1
	for which in substitution command option csi count; do
		cp $made/all.prof "./$(cat $made/name/$which).callgrind"
	done
	touch -d '1 hour ago' -- *.callgrind
	offered | LC_ALL=C sort >want
	[ "$(wc -l <want)" = 21 ]
	in_bash prof-grep -F -- '' >replies
	eval "printf '%s\n' $(tr '\n' ' ' <replies)" | LC_ALL=C sort | diff -a want -
	in_zsh 'prof-grep -F -- ' | sed 's/^prof-grep -F/print -rl/' >line
	zsh -f line | LC_ALL=C sort | diff -a want -
	in_fish 'prof-grep -F -- ' | LC_ALL=C sort | diff -a want -
	# Events, facts and files, whatever they are called.
	for which in substitution command csi bytes tag count; do
		cp $made/prof/$which callgrind.out.1
		in_bash prof-top --events '' >reply
		[ "$(wc -l <reply)" = 1 ]
		eval "prof-top --quiet --events=$(cat reply) callgrind.out.1" >got || :
		in_bash prof-cat --where '' >reply
		in_bash prof-cat ./ >reply
		in_zsh 'prof-top --events ' 'prof-cat --where ' 'prof-cat ./' >reply
		in_fish 'prof-top --events ' 'prof-cat --where ' 'prof-cat ./' >reply
		[ -s reply ]
	done
	[ ! -e X ]
}
