#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: util view
# Names are what others have written: on a terminal they do nothing, and for
# programs they are what they are, whatever bytes are in them.

load tools.bash

# What may not come to a terminal from a name: ESC, BEL, DEL, CSI of 8 bits and
# in UTF-8, a turn of direction.
bad=$'\e[31m\a\x7f\x9b2J\xc2\x9b3J\xe2\x80\xae'
seen='\x1b[31m\x07\x7f\x9b2J\xc2\x9b3J\xe2\x80\xae'

# What becomes of it, for perl -p, which has lines as bytes.
spell='s/(\e|\a|\x7f|(?<![\xc2-\xdf])\x9b|\xc2\x9b|\xe2\x80\xae)/join "", map { sprintf "\\x%02x", $_ } unpack "C*", $1/ge'

# Names and facts with it, in a file whose name has it, too, and a newline.
setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	export name="x$bad"$'\ny.cg'
	cat >"$name" <<-E
	# callgrind format
	version: 1
	creator: callgrind-3.19.0
	cmd: run$bad
	desc: D: d$bad
	event: Ir : i$bad
	events: Ir
	ob=o$bad
	fl=f$bad
	fn=main$bad
	1 10
	cfn=work$bad
	calls=1 2
	2 5
	fn=work$bad
	2 5
	totals: 15
	E
}

# tame COMMAND: nothing of `bad` comes to a terminal from it, standard error
# included, and what can be seen of it does.
tame() {
	echo "$1"
	(cd "$BATS_FILE_TMPDIR" && TERM=dumb script -qc "stty cols 200; $1" /dev/null </dev/null) >got
	run -1 grep -P '[^\t\r\n -~\x80-\xff]|\x9b|\xe2\x80\xae' got
	grep -qF -- "$seen" got || { cat -v got; return 1; }
}

@test "control characters in names and metadata are visible on a terminal, in all views" {
	for c in prof-cat 'prof-grep main' prof-merge 'prof-diff "$name"' 'prof-to text' \
	    prof-top 'prof-top -b file' 'prof-top -b object' 'prof-top --callers main' \
	    'prof-top --callees main' 'prof-top -b line,file' prof-tree 'prof-tree --callers' \
	    'prof-tree --long --min 0' 'prof-tree --markdown' prof-annotate \
	    'prof-annotate --whole'; do
		tame "$c \"\$name\""
	done
}

@test "control characters are also visible on a terminal in machine-readable output" {
	local c
	for c in prof callgrind cachegrind tsv 'tsv --records call' 'folded --estimate' json \
	    'speedscope --estimate' 'firefox --estimate' 'cpuprofile --estimate'; do
		# JSON has other words for them, wherever it goes.
		seen=$([[ $c =~ ^(json|speedscope|firefox|cpuprofile) ]] && echo '\u001b[31m\u0007\u007f\udc9b2J' || echo "$seen") \
			tame "prof-to $c \"\$name\""
		# Lines and fields are what they are elsewhere.
		cd "$BATS_FILE_TMPDIR"
		prof-to $c --quiet "$name" | perl -pe "$spell" >want
		script -qc "prof-to $c --quiet \"\$name\"" /dev/null </dev/null |
			tr -d '\r' | diff -u <(expand want) <(expand)
		cd "$BATS_TEST_TMPDIR"
	done
	for c in --tsv '--tsv --callers work' '--tsv -b file'; do
		tame "prof-top $c \"\$name\""
	done
	for c in 'prof-tree --tsv' 'prof-tree --tsv --callers' 'prof-annotate --tsv'; do
		tame "$c \"\$name\""
	done
	sed 's/^2 5$/2 6/' "$BATS_FILE_TMPDIR/$name" >"$BATS_FILE_TMPDIR/new.cg"
	tame 'prof-diff --tsv "$name" new.cg'
	tame 'prof-to tsv -o /dev/tty "$name"'
	# Not in a line's place in the buffer, either: many writes.
	cd "$BATS_FILE_TMPDIR"
	awk '{ print } /^1 10/ { for (i = 2; i < 9000; i++) print "fn=é" i "\n" i, i }' "$name" >long.cg
	prof-to tsv --quiet long.cg | perl -pe "$spell" >want
	[ "$(wc -c <want)" -gt 200000 ]
	script -qc 'prof-to tsv --quiet long.cg' /dev/null </dev/null | tr -d '\r' |
		diff -u want -
}

@test "binary data is not written to a terminal" {
	cd "$BATS_FILE_TMPDIR"
	prof-cat "$name" >x.prof
	local c
	for c in 'prof-cat --zstd' 'prof-cat --gzip' 'prof-merge --zstd' \
	    'prof-to tsv --gzip' 'prof-to pprof' 'prof-to pstats' 'prof-to gmon' 'prof-to gmon-bsd44' 'prof-to gmon-bsd' \
	    'prof-cat --zstd -o /dev/tty' 'prof-to gmon -o /dev/tty'; do
		echo "$c"
		on_terminal 200 24 "$c x.prof; echo status \$?" >got
		printf '%s: %s: will not write binary data to a terminal: use -o FILE or a pipe\nstatus 2\n' \
			"${c%% *}" "$(case $c in */dev/tty) echo /dev/tty ;; *) echo standard output ;; esac)" |
			diff -u - got
	done
	on_terminal 200 24 'prof-cat --zstd x.prof | prof-cat --gzip | gzip -dc | cmp - x.prof; echo $?' |
		has -x 0
}

@test "control characters in messages and names of files are seen on a terminal" {
	sed 's/^totals.*/bogus'"$bad"'/' "$BATS_FILE_TMPDIR/$name" >"$BATS_FILE_TMPDIR/b$bad"
	bad_file="b$bad"
	export bad bad_file
	for tool in prof-cat 'prof-grep -e main' prof-merge 'prof-diff "$name"' 'prof-to text' \
	    prof-top prof-tree prof-annotate; do
		for arg in '"no$bad"' '"$bad_file"' '--events "$bad" "$name"' '"--$bad"' \
		    '--from "$bad" "$name"' '--rules "$bad" "$name"' \
		    '--where "$bad" "$name"' '--lenient "$bad_file" >/dev/null'; do
			tame "$tool $arg"
		done
	done
	tame 'prof-to "$bad" "$name"'
	tame 'prof-cat --probe "$name" "no$bad"'
	tame 'prof-grep -c main "$name" "$name"'
	tame 'prof-grep -l main "$name"'
	tame 'prof-grep "($bad" "$name"'
	tame 'prof-grep -f "no$bad" "$name"'
	tame 'prof-cat -o "no$bad/x" "$name"'
	tame 'prof-cat --syms "no$bad" "$name"'
	# A message is a line: no name begins another one.
	fails_with '^prof-cat: no\\x0aprof-cat: ' prof-cat $'no\nprof-cat: all is well'
	[ "$(wc -l <fails.err)" = 1 ]
}

@test "a machine-readable list of file names has their bytes" {
	cd "$BATS_FILE_TMPDIR" || return 1
	[ "$(prof-grep -l main "$name")" = "$name" ]
	[ "$(prof-cat --probe "$name")" = "$name: callgrind" ]
}

# A stream with each byte but NUL in the names, as prof-stream(5) escapes them.
all_bytes() {
	perl -e '
		my $all = join "", map { chr } 1 .. 255;
		$all =~ s/\\/\\\\/g; $all =~ s/\t/\\t/g; $all =~ s/\n/\\n/g;
		$all =~ s/\r/\\r/g;
		print "prof\t1\npart\t1\tpositions=line\nmeta\tcmd\t$all\n",
		    "event\t0\tIr\t-\t-\t-\n", "object\t0\to$all\t-\nfile\t0\tf$all\n",
		    "func\t0\tn$all\t0\t0\t-\ncost\t0\t0\t1\t-\t5\nend\n"'
}

@test "JSON and tables are valid with any bytes in names, and hold them" {
	all_bytes >all.prof
	prof-cat all.prof | cmp - all.prof
	# A tree is of stacks or calls.
	sed 's/^cost.*/ctx\t0\t-\t0\t-\t-\t-\nsample\t0\t5/' all.prof >stack.prof
	for c in 'prof-to json all.prof' 'prof-top --json all.prof' \
	    'prof-top --json -b file all.prof' 'prof-tree --json stack.prof' \
	    'prof-tree --json --callers stack.prof' 'prof-annotate --json all.prof'; do
		$c >got.json
		jq -e . got.json >/dev/null
		# A strict one takes it, too, and finds the names, once the bytes that are
		# no UTF-8 are put back for U+DCxx.
		perl -MJSON::PP -e '
			local $/; my $s = <STDIN>; $s =~ s/\\udc([89a-f][0-9a-f])/chr hex $1/ge;
			my @v = map { JSON::PP->new->decode($_) } split /\n/, $s; our $all = join "", map { chr } 1 .. 255;
			sub has { my $x = shift; ref $x eq "HASH" ? grep has($_), values %$x :
				ref $x ? grep has($_), @$x : index($x // "", $all) >= 0 }
			has(\@v) or die' <got.json
		run -1 grep -P '[\x00-\x09\x0b-\x1f\x7f]' got.json
	done
	# A row has as many fields as the header, and the name is there.
	for c in 'prof-to tsv all.prof' 'prof-top --tsv all.prof' 'prof-tree --tsv stack.prof'; do
		$c >got.tsv
		awk -F '\t' 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad || NR != 2 }' got.tsv
		perl -e '
			my %unescape = (t => "\t", n => "\n", r => "\r", "\\" => "\\");
			chomp(my $head = <STDIN>); my @head = split /\t/, $head;
			my ($at) = grep { $head[$_] eq "function" } 0 .. $#head;
			my $name = (split /\t/, <STDIN>)[$at];
			$name =~ s/\\(.)/$unescape{$1}/ge;
			die unless $name eq join "", "n", map { chr } 1 .. 255' <got.tsv
	done
}

# ---- the pager ----

# paged COMMAND: what a terminal gets from it, without carriage returns.
paged() {
	TERM=xterm script -qec "stty cols 80 rows 24; $1" /dev/null </dev/null | tr -d '\r'
}

@test "prof-cat and prof-grep go through \$PAGER on a terminal, and nowhere else" {
	printf 'main;f 5\nmain;g 6\n' >f
	for c in 'prof-cat f' 'prof-grep main f'; do
		paged "PAGER='sed s/^/paged:/' $c" >got
		[ "$(grep -c '^paged:' got)" = "$(wc -l <got)" ]
		has '^paged:sample  main;g  *6$' <got
		for plain in 'PAGER=' 'PAGER="  "' 'PAGER=cat' 'TERM=dumb PAGER=nosuch'; do
			paged "$plain $c" | sed 's/\x1b\[[0-9]*m//g' |
				diff - <(sed 's/^paged://; s/\x1b\[[0-9]*m//g' got)
		done
		paged "PAGER='sed s/^/paged:/' $c --no-pager" >plain
		run -1 grep paged: plain
		PAGER='sed s/^/paged:/' $c >out
		run -1 grep paged: out
	done
	paged "PAGER='sed s/^/paged:/' prof-grep -c main f" | diff - <(echo 2)
	paged "PAGER='sed s/^/paged:/' prof-cat -o file f" | diff - /dev/null
	[ "$(tail -n 1 file)" = end ]
}

@test "without \$PAGER it is less, which ends by itself where all fits" {
	printf 'main;f 5\n' >f
	mkdir bin
	printf '#!/bin/sh\necho "less $* $LESS"; cat >/dev/null\n' >bin/less
	chmod +x bin/less
	paged "unset PAGER; PATH=$PWD/bin:$PATH prof-cat f" | diff - <(echo 'less  FRX')
	paged "unset PAGER; LESS=S PATH=$PWD/bin:$PATH prof-cat f" | diff - <(echo 'less  S')
}

@test "the pager's end: a reader who has seen enough, one that cannot run, errors after it" {
	printf 'main;f %d\n' {1..20000} >f
	paged "PAGER='head -n 1' prof-cat f; echo \$?" | sed 's/\x1b\[[0-9]*m//g' |
		diff - <(printf 'record  run\n0\n')
	head -n 3 f >short
	paged "PAGER=nosuch prof-cat --lenient short; echo \$?" >got
	has 'cannot run the pager: set PAGER, or use --no-pager' <got
	[ "$(tail -n 1 got)" = 2 ]
	# Of a list of commands, one that a signal has ended has run.
	paged "PAGER='head -n 1; exit 141' prof-cat f; echo \$?" | tail -n 1 | diff - <(echo 0)
	# A message that comes while it runs goes through it; the last one comes after it.
	printf 'main 5\nx\n' >bad
	paged "PAGER='sed s/^/paged:/' prof-cat --from folded bad; echo \$?" >got
	has "^prof-cat: bad:2: expected a stack and a count, found 'x'" <got
	[ "$(tail -n 1 got)" = 2 ]
	paged "PAGER='sed s/^/paged:/' prof-cat --from folded --lenient bad; echo \$?" >got
	has '^paged:prof-cat: warning: skipped: bad:2: ' <got
	[ "$(tail -n 1 got)" = 0 ]
}

@test "a signal does not leave the pager behind, which shares the terminal with the shell" {
	printf 'main;f 5\n' >f
	printf '#!/bin/sh\ncat >/dev/null; touch waits; sleep 1; echo ends\n' >slow
	chmod +x slow
	# All is written, and prof-cat waits.
	paged "PAGER=./slow prof-cat f & until [ -e waits ]; do sleep 0.1; done; sleep 0.2; kill \$!; wait \$!; echo \$?" |
		sed '/Terminated/d' | diff - <(printf 'ends\n143\n')
}

# The line itself is tested in merge.bats.
@test "tools that write at the end show how far they have read, the others have their output" {
	local n=0 args
	seq -f 'main;f %g' 40 >x.folded
	echo '{ head -c 60 x.folded; sleep 1.2; tail -c +61 x.folded; } | "$@" >/dev/null' >cmd.sh
	printf '%s\n' 'prof-top -' 'prof-tree -' 'prof-annotate -' 'prof-merge -' 'prof-diff x.folded -' \
		'prof-grep -A 1 main -' 'prof-to folded --estimate -' >reads
	printf '%s\n' 'prof-cat -' 'prof-grep main -' 'prof-to folded -' >writes
	while read -r args; do
		n=$((n + 1))
		TERM=xterm script -qec "sh cmd.sh $args" /dev/null </dev/null >shown.$n &
	done < <(cat reads writes)
	wait
	grep -oE 'prof-[a-z]+: .* of standard input' $(seq -f shown.%g $n) >got
	cat got
	while read -r tool _; do
		echo "$tool: 0 MB of standard input"
	done <reads | sed 's/^prof-diff: /&file 2 of 2, /' | same - <(sed 's/^[^:]*://' got)
}
