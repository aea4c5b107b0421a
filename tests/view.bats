#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: browse prof-view
# prof-view in a terminal of tmux: what is seen equals what the tools print.

load tools.bash
load terminal.bash

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	examples=$(realpath "$TESTS/../share/examples")
	f=w.cg
	zstd -qdo $f "$examples/wordcount.callgrind.zst"
	zstd -qdo h.cg "$examples/wordcount-hash.callgrind.zst"
}

teardown() {
	stop
}

# same COMMAND [N]: waits until the first N lines that the command prints are on the screen.
same() {
	sh -c "$1" | sed 's/ *$//' >want
	[ "$(wc -l <want)" -gt 3 ]
	soon wanted "${2:-10}"
}

wanted() {
	seen | sed 's/ *$//' >got
	head -n "$1" want | while IFS= read -r line; do
		grep -qxF -- "$line" got || { echo "not on the screen: $line" >missing; exit 1; }
	done || { cat missing; return 1; }
}

@test "the table, callers and callees, and trees are those that the tools print" {
	start 100x40 "prof-view $f"
	shows ' Functions'
	same "prof-top --width 100 -n 200 $f" 30
	press j a
	shows "Callers and callees  of insert'2"
	same "prof-top --width 100 --callers \"^insert'2$\" --callees \"^insert'2$\" $f"
	press 3
	shows ' Tree'
	same "prof-tree --width 100 -n 2000 --min 1% $f" 30
	press 4
	shows ' Tree of callers'
	same "prof-tree --width 100 -n 2000 --min 1% --callers $f" 20
	press q
	shows 'status 0'
}

@test "each screen shows its command, which prints the same" {
	start 120x40 "prof-view $f"
	shows ' Functions'
	press o o
	shows 'sorted by inclusive'
	press c
	shows "prof-top -k inclusive $f"
	same "prof-top --width 120 -n 200 -k inclusive $f" 25
	press '&' C-u 'read_word' Enter
	shows 'only read_word'
	press c
	shows "prof-grep -e read_word $f | prof-top -k inclusive"
	same "prof-grep -e read_word $f | prof-top -k inclusive -n 200 --width 120" 10
	press '!' C-u getc Enter
	shows 'and -v getc'
	press c
	shows "prof-grep -e read_word $f | prof-grep -v -e getc | prof-top"
	same "prof-grep -e read_word $f | prof-grep -v -e getc | prof-top -k inclusive -n 200 --width 120" 5
	press u u y q
	shows 'status 0'
	shows "$ prof-top -k inclusive"
}

@test "rules are turned on and off, and the bar has the share of the total that is left" {
	start 120x40 "prof-view $f"
	shows ' Functions'
	press R
	shows '[ ] libc '
	press / libc Enter
	selects libc
	press Enter
	shows '[x] libc '
	press 1
	shows '100.00 % left:  rules libc'
	same "prof-top --width 120 --rules libc -n 200 $f" 30
	press c
	shows "prof-top --rules libc $f"
	press '&' C-u '^read_word$' Enter
	shows '34.09 % left:  only ^read_word$  rules libc'
	press c
	shows "prof-grep --rules libc -e '^read_word$' $f | prof-top"
	sh -c "prof-grep --rules libc -e '^read_word$' $f | prof-top" | grep '1,667,136  34.09  34.09'
	press u R
	shows '[x] libc '
	press / libc Enter
	selects libc
	press Enter
	shows '[ ] libc '
	press 1
	same "prof-top --width 120 -n 200 $f" 30
	gone ' left:'
	press q
	start 120x40 "prof-view --rules libc $f -- h.cg"
	shows ' Functions'
	same "prof-diff --rules libc $f -- h.cg | prof-top --width 120 -n 200" 10
	press c
	shows "prof-diff --rules=libc $f -- h.cg | prof-top"
	press R
	shows '[ ] libc '
	start 120x40 "prof-cat $f | prof-view --rules libc"
	shows 'rules libc'
	press c
	shows '... | prof-top --rules libc'
}

@test "tables are sorted and grouped as those of prof-top" {
	start 120x40 "prof-view $f"
	shows ' Functions'
	press o o o
	shows 'sorted by calls'
	same "prof-top --width 120 -n 200 -k calls $f" 30
	press r
	shows 'sorted by calls, reversed'
	same "prof-top --width 120 -n 200 -k calls -r $f" 30
	press c
	shows "prof-top -k calls -r $f"
	press j j r
	shows 'sorted by calls'
	gone reversed
	same "prof-top --width 120 -n 200 -k calls $f" 30
	# The first one, again.
	soon selected_is "$(sed -n 4p want)"
	press O O O l
	shows 'function,line'
	press j j j Enter
	shows ' Functions'
	press c
	shows "prof-top -b function,line $f"
	same "prof-top --width 120 -b function,line -n 200 $f" 30
	press /
	shows -E '^/_$'
	press C-c
	# Of few samples a single one is seen in the share that is left.
	printf '%s\n' 'a;b 3' 'a;c 7' >few.folded
	start 80x20 'prof-view few.folded'
	shows ' Functions'
	press '&' C-u '^b$' Enter
	shows '30.00 % left:  only ^b$'
	# What is not known cannot be entered.
	bars >unnamed.prof <<-'E'
	prof|1
	part|1
	event|0|ns|ns|-|-
	func|0|-|-|-|-
	cost|0|-|-|-|5
	end
	E
	start 80x20 'prof-view unnamed.prof'
	shows ' Functions'
	press Enter
	shows 'the row has no function, file or object to enter'
	# A filter begins as the selected function.
	printf '%s\n' 'a;b(int) 7' 'a;bint 3' >signature.folded
	start 80x20 'prof-view signature.folded'
	shows ' Functions'
	press '&' Enter
	shows '70.00 % left:  only ^b\(int\)$'
}

@test "a profile comes from a pipe, a difference from two sides" {
	start 100x30 "prof-cat $f | prof-view"
	shows ' Functions'
	same "prof-top --width 100 -n 200 $f" 20
	press c
	shows '... | prof-top'
	press q
	shows 'status 0'
	stop
	start 110x30 "prof-view $f -- h.cg"
	shows ' Functions'
	same "prof-diff $f -- h.cg | prof-top --width 110 -n 200" 10
	press c
	shows "prof-diff $f -- h.cg | prof-top"
}

# Spaces are single in these.
selected_is() {
	selected | tr -s ' ' >selection
	grep -qxF -e "$(tr -s ' ' <<<"$1")" selection
}

# selected_above PATTERN: the line of `all` that is selected is above the one that matches.
selected_above() {
	selected | tr -s ' ' >selection
	local n from
	n=$(grep -nxF -f selection all | cut -d: -f1)
	from=$(grep -n -e "$1" all | cut -d: -f1)
	[ "${n:-$from}" -lt "$from" ]
}

names_are() {
	seen | tr -s ' ' | grep ' name_' | sed 's/ *$//' >got
	cmp -s got "$1"
}

# names_end_with FILE: each of its lines is on the screen.
names_end_with() {
	seen | tr -s ' ' | sed 's/ *$//' >got
	if grep -vxF -f got "$1"; then return 1; fi
}

@test "of a large table the rows in view are printed, and all are searched" {
	awk 'BEGIN { print "events: Ir"
		for (i = 0; i < 3000; i++) printf "fn=name_%d\n1 %d\n", i, (i * 7919) % 3001 % 40 + 1 }' >big.cg
	prof-top -n 0 --width 80 big.cg | tr -s ' ' >all
	start 80x24 'prof-view big.cg'
	shows ' Functions'
	press G
	# The last rows, with the sums of all rows before them.
	grep ' name_' all | tail -n 19 >want
	soon names_are want
	press / 'name_1234$' Enter
	shows 'no other match below'
	press N
	soon selected_is "$(grep ' name_1234$' all)"
	# And on, to rows above and below.
	press C-b C-b C-b C-b C-b C-b
	soon selected_above ' name_1234$'
	press g
	soon selected_is "$(sed -n 4p all)"
	stop
	# A difference, too.
	sed 's/^1 /1 2/' big.cg >new.cg
	prof-diff big.cg new.cg | prof-top -n 0 --width 80 | tr -s ' ' | grep ' name_' | tail -n 5 >want
	start 80x24 'prof-view big.cg -- new.cg'
	shows ' Functions'
	press G
	soon names_end_with want
}

@test "source has its hottest line in view, and events can be chosen" {
	sed 's/^    /\t/' >hot.c <<-E
	int cold(int n)
	{
	    return n;
	}

	int hot(int n)
	{
	    n += 1;
	    n *= 3;
	    return n;
	}
	E
	cat >cg <<-E
	# callgrind format
	cmd: hot
	events: Ir Dr
	fl=hot.c
	fn=hot
	8 10 1
	9 700 90
	10 5 400
	fn=cold
	3 7 3
	E
	start 80x12 'prof-view cg'
	shows ' Functions'
	press s
	shows 'n *= 3;'
	shows -E '700 +96.95.* 9  +n \*= 3;'
	same 'prof-annotate --width 80 --min 0 --whole --function "^hot$" cg | tail -n +10 | head -n 4'
	press Escape
	shows ' Functions'
	press e j Enter
	shows 'by Dr'
	shows -E '^ *491 +99.39 .* hot'
	press s
	shows 'return n;'
	shows -E ' 400 .* 10  +return n;'
	# What another event costs is no cost of this one.
	printf '%s\n' 'events: Ir Dr' fl=a.c fn=f '2 10 1' '3 4' >none
	start 80x12 'prof-view --events Ir,Dr none'
	shows ' Functions'
	press e j Enter
	shows 'by Dr'
	press s
	shows 'source missing'
	same 'prof-annotate --width 80 --events Dr --min 0 --whole none' 12
}

@test "commands have the options that their tools have, and the files as words" {
	mkdir src
	printf '%s\n' one two three >src/hot.c
	printf '%s\n' 'events: Ir Dr' fl=hot.c fn=hot '2 10 1' >'my cg'
	start 100x12 'prof-view -Isrc --events Dr -- "my cg"'
	shows ' Functions'
	press c
	shows "prof-top --events=Dr 'my cg'"
	press s
	shows ' two'
	press y q
	shows 'status 0'
	seen | sed -n 's/^\$ \(prof-annotate.*\)/\1/p' >command
	has -F "prof-annotate --events=Dr --include src --min 0 --whole --function '^hot$' 'my cg'" <command
	sh -c "$(cat command)" >printed
	has ' two$' <printed
	# Those of prof-view alone are not prof-diff's.
	start 100x12 'prof-view --include src --any-source "my cg" -- "my cg"'
	shows 'no change'
	press c
	shows "prof-diff 'my cg' -- 'my cg' | prof-top"
}

second_is_rest() {
	seen | sed -n 2p | grep '^rest'
}

@test "stacks are as wide as their costs, and the selected one is described" {
	printf 'main;work 75\nmain;rest 25\n' >s.folded
	start 80x12 'prof-view s.folded'
	shows ' Functions'
	press w
	shows 'rest'
	seen >got
	# 60 and 20 of 80 columns, a blank after each.
	[ "$(sed -n 4p got | awk '{ print length($1) }')" -gt 20 ]
	[ "$(sed -n 4p got | perl -CS -ne 'print index($_, "rest")')" = 60 ]
	press j j
	shows '75 samples  75.00 %  work'
	press Right
	shows '25 samples  25.00 %  rest'
	press Enter
	shows '25 samples  25.00 %  rest'
	soon second_is_rest
	press a
	shows 'of rest'
	same 'prof-top --width 80 --callers "^rest$" --callees "^rest$" s.folded' 3
	press e Enter
	shows 'by samples'
	press w
	shows ' all'
	press c
	shows 'prof-to --events samples svg s.folded'
	# A call graph has no stacks; of a difference none can be estimated.
	start 80x12 "prof-view $f"
	shows ' Functions'
	press w c
	shows "prof-to --estimate svg $f"
	prof-to --estimate svg $f | has '^<svg'
	start 80x12 "prof-view $f -- h.cg"
	shows ' Functions'
	press w c
	shows "prof-diff $f -- h.cg | prof-tree"
}

@test "stacks of a difference are as wide as the larger cost, and described as in the tree" {
	printf 'main;work 10\nmain;rest 20\nmain;old 10\n' >a.folded
	printf 'main;work 20\nmain;rest 10\nmain;new 10\n' >b.folded
	start 60x12 'prof-view a.folded -- b.folded'
	shows ' Functions'
	press w
	# 10, 10, 20 and 20 of 60 columns, though the changes cancel each other.
	shows -E '^new▁{6} old▁{6} rest▁{15} work▁{15} ?$'
	shows '0 samples  0.00 %  all'
	press j j
	shows '+10 samples  new  new'
	press l
	shows '-10 samples  gone  old'
	press l
	shows '-10 samples  -50.00 %  rest'
	press l
	shows '+10 samples  +100.00 %  work'
}

@test "all notes about a page are shown" {
	printf '%s\n' 'events: Ir Dr' ob=/lib/x.so fn=0x1000 '1 5 7' fn=main '1 2 3' >a.cg
	printf '%s\n' 'events: Ir' fn=main '1 2' >b.cg
	start 80x14 'prof-view a.cg b.cg'
	shows ' Functions'
	press e j Enter
	shows '1 of 2 parts has no Dr'
	shows '70.00 % of Dr in x.so has no names'
	has '1 of 2 parts has no Dr' screen
}

@test "trees begin with threads only where those of prof-tree do" {
	printf '%s\n' 'prof 1' 'part 1' 'event 0 n - - -' 'func 0 main - - -' \
		'func 1 f - - -' 'ctx 0 - 0 - - -' 'ctx 1 0 1 - - -' 'sample 1 3 comm=worker' \
		'sample 0 2 comm=worker' end | tr ' ' '\t' >s
	start 80x12 'prof-view s'
	shows ' Functions'
	press t
	same 'prof-tree --width 80 --min 1% s' 5
	prof-report s | sed -n '/^## Heaviest paths/,/^##  /p' | has '40.00  main$'
}

@test "the least cost of a tree is lowered and raised tenfold, at once" {
	printf 'main;a 997\nmain;b 3\n' >s
	start 80x14 'prof-view --from folded s'
	shows ' Functions'
	press t
	shows 'main; a'
	shows '1 more, 0.30 %'
	press '>'
	gone '1 more'
	same 'prof-tree --width 80 --min 0.1% --from folded s' 4
	press '<'
	shows '1 more'
	same 'prof-tree --width 80 --min 1% --from folded s' 4
	press '<' '<' '<' '>' '>'
	shows '0.30'
}

@test "search, folding, and going back keep their place" {
	start 100x30 "prof-view $f"
	shows ' Functions'
	press / 'malloc$'
	shows 'malloc$_'
	press Enter
	selects ' _int_malloc '
	press a
	shows 'of _int_malloc'
	press Escape
	shows ' Functions'
	press a
	shows 'of _int_malloc'
	press 3
	shows ' Tree'
	press j j
	shows '__strcmp_avx2'
	press x
	shows '5 more, 53.40 %'
	press x
	shows 'insert  … 3 more, 0.04 %'
}

@test "files and other rows without functions are searched by their lines" {
	start 80x14 "prof-view $f"
	shows ' Functions'
	press l j Enter
	shows -E 'calls  file$'
	press / '^.* dl-LOOKUP\.c$' Enter
	selects ' dl-lookup.c$'
	press N
	shows 'no other match above'
}

@test "a search looks at the bytes of names, as that of the tools does" {
	printf 'main;%s\n' 'grau 9' 'grün 3' >u.folded
	start 80x14 "prof-view --from folded u.folded"
	shows ' Functions'
	press / '^gr..n$' Enter
	selects ' grün$'
}

@test "the end of a long pattern is seen while it is typed" {
	start 40x10 "prof-view $f"
	shows ' Functions'
	press / "$(printf 'aé%.0s' {1..30})" xyz
	shows -E '^/….*aéaéxyz_$'
	[ "$(seen | tail -n 1 | perl -CS -ne 'chomp; print length')" = 40 ]
	press C-u short
	shows -E '^/short_$'
}

@test "the hottest line and the share that is left are those of a derived event, too" {
	seq 4 >hot.c
	printf '%s\n' 'event: Sum = Ir + Dr' 'events: Ir Dr' fl=hot.c fn=hot '1 100 5' \
		'2 10 1' '3 50 400' '4 1 1' fn=cold '4 432 0' >cg
	start 80x14 'prof-view cg'
	shows ' Functions'
	press e j j Enter
	shows 'by Sum'
	press s
	selects '^ *450 .* 3 +3$'
	press k k '*'
	selects '^ *450 .* 3 +3$'
	press '&' C-u '^hot$' Enter
	shows '56.80 % left:  only ^hot$'
}

@test "the screen fits its terminal at any width, and after a change of it" {
	for size in 40x10 80x24 200x60; do
		start $size "prof-view $f"
		shows ' Functions'
		for key in 1 a 3 4 6 e '?'; do
			press 1 $key
			sleep 0.2
			[ "$(seen | wc -l)" -le "${size#*x}" ]
		done
		tmux -S "$socket" resize-window -x 61 -y 20
		press 1 g
		same "prof-top --width 61 -n 200 $f" 10
		stop
	done
}

# left: the program's screen is.
left() {
	[ "$(tmux -S "$socket" display -p '#{alternate_on}')" = 0 ]
}

# restored: the modes of the terminal are those of a line, shortly after the end.
restored() {
	soon grep -qw echo modes
	grep -qw icanon modes
	left
}

@test "what is printed at the end must be written" {
	start 100x24 "prof-view $f >/dev/full 2>err"
	shows ' Functions'
	press Y q
	shows 'status 2'
	has -x 'prof-view: standard output: No space left on device' <err
	for option in --help --version help; do
		exits_with 2 'prof: standard output: No space left on device' \
			sh -c "prof $option >/dev/full"
	done
}

@test "the screen around a function begins at the function, below its callers" {
	start 100x24 "prof-view $f"
	shows ' Functions'
	press j j Enter
	shows 'Callers and callees  of read_word'
	press s
	shows ' Source  of read_word'
	press BSpace
	shows 'Callers and callees'
	press k s
	shows ' Source  of main'
}

@test "the terminal is restored after q, Ctrl-C, signals and errors" {
	for how in q C-c; do
		start 80x24 "prof-view $f"
		shows ' Functions'
		press $how
		shows 'status '
		restored
	done
	for how in TERM HUP QUIT SEGV; do
		start 80x24 "prof-view $f & pid=\$!; echo \$pid >pid; fg; wait \$pid"
		shows ' Functions'
		kill -$how "$(cat pid)"
		shows "status $((128 + $(kill -l $how)))"
		restored
	done
	# No more memory; sanitizers have theirs already.
	[[ $PROF_BUILD != *-san ]] || return 0
	awk 'BEGIN { for (i = 0; i < 30000; i++) print "main;a" i ";b" i % 99 ";c" i " 1" }' >large.folded
	start 80x24 "prof-view large.folded & pid=\$!; echo \$pid >pid; wait \$pid"
	shows ' Functions'
	prlimit --pid "$(cat pid)" --as=1000
	press 3 4 6
	shows 'out of memory'
	shows 'status 2'
	restored
}

@test "Ctrl-Z stops it with the terminal restored, and fg shows the screen again" {
	start 80x12 "bash --norc -i"
	press "PS1=; prof-view $f" Enter
	shows ' Functions'
	press j j
	press C-z
	shows 'Stopped'
	press 'stty -a >modes' Enter
	restored
	press 'clear; fg' Enter
	shows ' Functions'
	press q
	soon left
	rm modes
	press 'echo status $?; stty -a >modes' Enter
	shows 'status 0'
	restored
}

# coloured FILE [TEXT]: writes the screen with its colours; it has the text.
coloured() {
	tmux -S "$socket" capture-pane -pe >"$1"
	grep -qF -e "${2:-}" "$1"
}

@test "colours are those that the terminal has" {
	printf 'main;a 10\nmain;b 2\n' >s.folded
	# Its numbers from 8 on are red, green and blue.
	printf 'direct|a terminal of millions,\n\tcolors#0x1000000, pairs#0x7fff, RGB,\n\tsetaf=%s,\n\tuse=xterm,\n' \
		'\E[%?%p1%{8}%<%t3%p1%d%e38\:2\:\:%p1%{65536}%/%d\:%p1%{256}%/%{255}%&%d\:%p1%{255}%&%d%;m' >direct.ti
	tic -x -o terminfo direct.ti
	for term in vt100:none xterm:33 xterm-256color:208 direct:33; do
		start 80x12 "TERMINFO_DIRS=$PWD/terminfo:/etc/terminfo:/lib/terminfo:/usr/share/terminfo \
			TERM=${term%:*} prof-view s.folded"
		shows ' Functions'
		press j
		case ${term#*:} in
		none)
			selects ' b$'
			coloured got
			run -1 grep -E $'\e\\[(38|33)' got
			;;
		33) soon coloured got $'\e[33m83.33' ;;
		208) soon coloured got $'\e[38;5;208m83.33' ;;
		esac
	done
	start 80x12 'TERM=dumb prof-view s.folded'
	shows "prof-view: the terminal 'dumb' cannot show screens: set TERM"
	shows 'status 2'
	start 80x12 'TERM=none-such prof-view s.folded'
	shows "prof-view: the terminal 'none-such' is unknown: set TERM"
}

@test "names cannot write escapes, and without colours there are none" {
	printf 'main;e\e[31mvil\e]0;x\a;\xc2\x9b2J 5\n' >bad.folded
	start 80x24 'prof-view --from folded bad.folded'
	shows '\x1b[31mvil'
	press a 1 w
	shows 'all'
	stop
	NO_COLOR=1 start 80x24 "prof-view $f"
	shows ' Functions'
	tmux -S "$socket" capture-pane -pe >got
	run -1 grep -F '38;5' got
}

@test "without a terminal there is an error, and bad input is reported" {
	run -2 --separate-stderr setsid -w prof-view "$f" </dev/null
	[[ $stderr == *'/dev/tty: '*'needs a terminal'* ]]
	run -2 --separate-stderr prof-view missing
	[[ $stderr == 'prof-view: missing: '* ]]
	on_terminal 80 24 prof-view >got
	[ "$(sed '/^usage: /d' got)" = 'prof-view: standard input is a terminal, not a profile' ]
	echo 'no profile' >bad
	run -2 --separate-stderr prof-view bad
	[[ $stderr == *'bad:'* ]]
	run -2 --separate-stderr setsid -w prof-view "$f" -- missing </dev/null
	[[ $stderr == *'missing'* ]]
}

@test "random keys do no harm, in any format, and leave the terminal as it was" {
	"$TESTS/view_walks" "$(dirname "$(command -v prof-view)")" 25 60
}
