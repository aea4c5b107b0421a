#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# Call graphs for Graphviz: numbers against prof-top, and what Graphviz makes of them.

load tools.bash

examples=$BATS_TEST_DIRNAME/../share/examples

# drawn FILE: its nodes, a line each: function, file, object, calls, self and inclusive
# cost, as prof-top --tsv has them.
drawn() {
	dot -Tdot_json "$1" | jq -r '
	def number: gsub("[~?!,]"; "") | split(" ")[0];
	def line($word): map(select(startswith($word)))[0] // null |
	    if . then .[($word | length):] else "-" end;
	.objects[] | select(.name | test("^n[0-9]+$")) | .tooltip | split("\\n") |
	[.[0], line("in "), line("of "),
	    (map(select(test("^[0-9,]+ calls?$")))[0] // "-" | number),
	    (line("self ") | number), (line("inclusive ") | number)] | join("\t")' | sort
}

# edges FILE: its edges: caller, callee, calls, cost.
edges() {
	dot -Tdot_json "$1" | jq -r '
	def number: gsub(","; "") | split(" ")[0];
	.edges[]? | .tooltip | split("\\n") | [(.[0] | split(" → ")[]),
	    (map(select(test("^[0-9,]+ calls?$")))[0] // "-" | number), (.[1] | number)] |
	    join("\t")' | sort
}

# heading FILE: the lines of the graph's label.
heading() {
	dot -Tdot_json "$1" | jq -r .label | sed 's/\\l/\n/g' | sed '/^$/d'
}

# labels FILE: "NAME: LABEL" of each node, by its first line, with blanks for newlines.
labels() {
	dot -Tdot_json "$1" | jq -r '.objects[]? | select(.name | test("^n[0-9]+$")) |
	    .label | gsub("\\\\n"; " ")'
}

# well_formed FILE: XML, as far as Graphviz writes it.
well_formed() {
	perl -e '
	use Encode;
	local $/;
	my $s = decode("UTF-8", scalar(<>), Encode::FB_CROAK);
	die "control character\n" if $s =~ /[\x00-\x08\x0b\x0c\x0e-\x1f]/;
	$s =~ s/<\?.*?\?>|<!--.*?-->|<!DOCTYPE.*?>//gs;
	my @open;
	while ($s =~ /\G([^<]*)<(\/?)([\w:]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/gc) {
		for my $text ($1, $4) {
			die "entity: $text\n" if $text =~ /&(?!#?\w+;)/;
		}
		next if $5;
		$2 ? (pop @open) eq $3 || die "</$3>\n" : push @open, $3;
	}
	die "at ", pos $s, "\n" if @open || substr($s, pos $s || 0) !~ /^\s*$/;
	' "$1"
}

all='--quiet --nodes 0 --min-node 0 --min-edge 0'

@test "functions and calls have the numbers of prof-top, to the last one" {
	local f
	printf '%s\n' 'a;b;a;b;c 5' 'a;b 2' 'a;c;c 3' 'd 1' >rec.folded
	graph Ir >rec.callgrind <<-'X'
	main 1
	main > a 2 90
	a 10
	a > b 3 70
	b 20
	b > a 2 30
	b > c 1 40
	c 40
	X
	for f in "$examples"/{wordcount.callgrind.zst,calc.folded,calc.perf.zst,tasks.pprof.gz} \
	    "$examples"/{wordcount.cachegrind.zst,sort.aprof,wordcount.xprof} rec.*; do
		echo "$f"
		prof-to dot $all "$f" >x.dot
		event=$(prof-cat "$f" | awk -F '\t' '$1 == "event" && (!n++ || /\tdefault=1$/) { e = $3 } END { print e }')
		prof-top --tsv --events "$event" "$f" 2>/dev/null | sed 1d | cut -f 1-6 |
			sort >want
		[ -s want ]
		drawn x.dot | sed 's/^???	/-	/' | diff want -
		prof-top --tsv --events "$event" --callees . "$f" 2>/dev/null | sed 1d |
			cut -f 1,4,7,8 | sort >want
		edges x.dot | diff want -
	done
}

@test "recursion in stacks counts once" {
	printf '%s\n' 'a;b;a;b;c 5' 'a;b 2' 'c;d 1' >x.folded
	prof-to dot --quiet x.folded >x.dot
	drawn x.dot | cut -f 1,5,6 >got
	printf '%s\n' 'a  0  7' 'b  2  7' 'c  5  6' 'd  1  1' | tabs | diff - got
	edges x.dot >got
	printf '%s\n' 'a  b  -  7' 'b  a  -  5' 'b  c  -  5' 'c  d  -  1' | tabs | diff - got
	[ "$(labels x.dot | grep '^b')" = 'b 7 (87.50 %) self 2 (25.00 %)' ]
}

@test "omissions are reported, and add up" {
	local f=$examples/wordcount.callgrind.zst
	prof-to dot --quiet "$f" >x.dot
	rows=$(prof-top --tsv "$f" | sed 1d | wc -l)
	calls=$(prof-top --tsv --callees . "$f" | sed 1d | wc -l)
	heading x.dot | sed -n 2,3p >got
	cat >want <<-X
	26 of $rows functions; left out: $((rows - 26)) below 0.5 %
	29 of $calls edges; left out: 2 below 0.1 %, $((calls - 31)) of functions left out
	X
	diff want got
	[ "$(drawn x.dot | wc -l) $(edges x.dot | wc -l)" = '26 29' ]
	# They are those of at least half a percent.
	prof-top --tsv --events Ir "$f" | awk -F '\t' 'NR > 1 && $6 * 200 >= 4890211' | sort >want
	drawn x.dot | diff want -
	# As many as are asked for, and of which share.
	prof-to dot --quiet --nodes 8 --min-node 1% --min-edge 30 "$f" >x.dot
	[ "$(drawn x.dot | wc -l)" = 8 ]
	heading x.dot | sed -n '2p' | has -E '^8 of 286 functions; left out: 2[0-9]{2} below 1 %, [0-9]+ over --nodes 8$'
	heading x.dot | tr -c '0-9.\n' ' ' | awk 'NR == 2 && $1 + $3 + $5 == $2 && ++n
		NR == 3 && $1 + $3 + (NF > 4 ? $5 : 0) == $2 && ++n
		END { exit n != 2 }'
	# Nothing.
	prof-to dot $all "$f" >x.dot
	[ "$(heading x.dot | sed '1d; /^larger letters/d')" = "286 of 286 functions
394 of 394 edges" ]
	fails_with "--min-node: expected a share, .* found 'x'" prof-to dot --min-node x "$f"
	fails_with '--nodes is only for dot' prof-to json --nodes 3 "$f"
}

@test "a function of many small calls is connected, and a hot one below deep stacks is there" {
	# hub costs half of all, in a thousand calls of functions that cost little.
	awk 'BEGIN { for (i = 0; i < 1000; i++) print "main;f" i ";hub 1\nmain;work 1" }' >x.folded
	prof-to dot --quiet x.folded >x.dot
	drawn x.dot | cut -f 1 | xargs >got
	has -x 'f0 hub main work' got
	edges x.dot | cut -f 1,2 | xargs -n 2 | sort | xargs >got
	has -x 'f0 hub main f0 main work' got
	# So it is where two ways lead to a function that costs more.
	awk 'BEGIN { print "main;f;g 1000\nmain;g 900"
		for (i = 0; i < 1000; i++) print "main;h" i ";k 1" }' >x.folded
	prof-to dot --quiet x.folded >x.dot
	drawn x.dot | cut -f 1 | xargs | same - <(echo f g h0 k main)
	edges x.dot | cut -f 1,2 | xargs -n 2 | has -x 'h0 k'
	# 100 frames of 100 %, of which 60 are drawn.
	awk 'BEGIN { s = "f0"; for (i = 1; i < 100; i++) s = s ";f" i
		print s ";hot 9"; print s ";cold;colder 1" }' >x.folded
	prof-to dot --quiet x.folded >x.dot
	[ "$(drawn x.dot | wc -l)" = 60 ]
	drawn x.dot | has '^hot	'
	drawn x.dot | has '^f0	'
}

@test "the functions of a cycle are in a frame, with the marks of prof-top" {
	prof-to dot --quiet "$examples/calc.prof" >x.dot
	dot -Tdot_json x.dot | jq -r '[.objects[] | .name] as $names |
	    .objects[] | select(.nodes) | .label, (.nodes[] | $names[.])' >got
	[ "$(head -n 1 got)" = 'cycle of 3 functions' ]
	for n in $(sed 1d got); do
		sed -n "s/^\t*$n \[label=\"\([a-z]*\).*/\1/p" x.dot
	done | sort | xargs >members
	has -x 'atom product sum' members
	mark=$(prof-top "$examples/calc.prof" | awk '$7 == "atom" { print $4 }')
	[ "$mark" = '~1.16' ]
	labels x.dot >got
	has -xF "atom $mark s (73.89 %) self 0.02 s (1.27 %)" got
	has -xF 'sum ~0.02 s (1.27 %) self 0.02 s (1.27 %)' got
	has -E 'n0 -> n5 .*75.80 %.*penwidth=4.5' x.dot
	heading x.dot | has -xF '~ lower bound: in a recursive cycle'
	# Of which only some are drawn.
	prof-to dot --quiet --nodes 4 "$examples/calc.prof" >x.dot
	has -F 'cycle of 3 functions, 1 of them here' x.dot
	# No percentage of what counts more than once.
	prof-to dot --quiet "$examples/wordcount.callgrind.zst" >x.dot
	sed -n 's/.*n\([0-9]*\) -> n\1 \[label="\([^"]*\)".*/\2/p' x.dot >got
	has -xF '  11,091,383\n  38,481 calls' got
	has -xF '  1,151,645\n  995 calls' got
}

@test "a difference: old, new and change, with signs, colors and lines" {
	prof-diff "$examples"/wordcount{,-hash}.callgrind.zst >d.prof
	prof-to dot --quiet d.prof >x.dot
	labels x.dot >got
	has -xF -e '- insert 2,746,874 → 791,688 -1,955,186 (-71.18 %) self 135,291 → 147,683, +12,392 (+9.16 %)' got
	has -xF 'new: hash self 0 → 283,200 +283,200 (new)' got
	has -F "gone: insert'2 2,434,581 → 0 -2,434,581 (gone)" got
	has -F '+ collect 23,980 → 30,478 +6,498 (+27.10 %)' got
	has -E 'label="new: hash.*fillcolor="#f[^"]*", style="filled,rounded,bold"' x.dot
	has -E "label=\"gone: insert'2.*style=\"filled,rounded,dashed\"" x.dot
	has -F 'label="  0 → 283,200\n  +283,200 (new)"' x.dot
	has -E '#d94801", style="bold"' x.dot
	has -E '#2171b5", style="dashed"' x.dot
	heading x.dot | sed -n 1p | has '^-1,959,681 Ir between two profiles'
	# The numbers of all of them.
	prof-to dot $all d.prof >x.dot
	prof-top --tsv d.prof >top
	dot -Tdot_json x.dot | jq -r '.objects[] | select(.name | test("^n[0-9]+$")) | .tooltip |
	    gsub("[~,]"; "") | split("\\n") | [.[0]] + (map(select(startswith("self ")))[0] |
	    ltrimstr("self ") | split(" → ")) | join("\t")' | sort >got
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $1 "\t" $at["Ir.old"] "\t" $at["Ir.new"] }' top | sort | diff - got
	# Nothing has changed.
	prof-diff "$examples"/calc.folded{,} | prof-to dot --quiet >x.dot
	[ "$(drawn x.dot)" = '' ]
	heading x.dot | has -E '^0 of [0-9]+ functions; left out: [0-9]+ below 0.5 % of the largest$'
}

@test "a function's letters are as large as its self cost" {
	printf '%s\n' 'main;a 64' 'main;b 9' 'main;c 4' 'main;d 1' 'main 22' >x.folded
	prof-to dot x.folded >x.dot
	# The share is 64 %, 22 %, 9 % and 4 %: 7, 3, 2 and 1 eighths of its root, or none.
	dot -Tdot_json x.dot | jq -r '.objects[]? | select(.name | test("^n[0-9]+$")) |
		(.label | split("\\n")[0]) + " " + (.fontsize // "12")' | sort |
		diff - <(printf '%s\n' 'a 24' 'b 16' 'c 14' 'd 12' 'main 18')
	heading x.dot | has -x 'larger letters: self cost; darker box: inclusive cost'
}

@test "names do not do anything" {
	printf 'main;%s 1\n' $'\xff\xfe"q\\te\\' '<b>x</b>' 'a&amp' $'tab\tq' '\N\G\E\T\H\L' \
		'"]->y[' $'\x01\x1b[31m' $'\xe2\x80\xae' '\' '&#65' '</svg>' 'javascript:alert(1)' \
		>x.folded
	prof-to dot --quiet --from folded x.folded >x.dot
	dot -Tsvg x.dot >x.svg 2>err
	diff /dev/null err
	well_formed x.svg
	sed -n 's/.*<text[^>]*>\(.*\)<.*/\1/p' x.svg | sed 's/&#45;/-/g' >got
	sed -n 's/.*xlink:title="\(.*\)&#10;self .*/\1/p' x.svg | sed 's/&#45;/-/g' >tooltips
	while IFS= read -r t; do
		echo "$t"
		has -xF -e "$t" got
		has -xF -e "$t" tooltips
	done <<-'X'
	\xff\xfe&quot;q\te\
	&lt;b&gt;x&lt;/b&gt;
	a&amp;amp
	tab\x09q
	\N\G\E\T\H\L
	&quot;]-&gt;y[
	\x01\x1b[31m
	\xe2\x80\xae
	\
	&amp;#65
	&lt;/svg&gt;
	javascript:alert(1)
	X
	[ "$(dot -Tdot_json x.dot | jq '[.objects[], .edges[]] | length')" = 25 ]
	lacks x.svg '<script|<a [^>]*xlink:href'
	# What is an entity would be its character.
	printf '%s\n' 'a&lt;b&#65;c 1' 'a&lt;b&#65;c > &amp; 1 2' '&amp; 2' | graph Ir >x
	prof-to dot --quiet x | dot -Tsvg >x.svg
	has -F '>a&amp;lt;b&amp;#65;c<' x.svg
	has -F 'xlink:title="a&amp;lt;b&amp;#65;c → &amp;amp;&#10;' x.svg
}

@test "a name of a megabyte is truncated, which is a loss" {
	perl -e 'print "main;", "x" x 1000000, "e 1\nmain;", "\x80" x 100000, " 1\n"' >x.folded
	silent prof-to dot --from folded x.folded >x.dot
	fails_with 'ends of long names \(2\)' prof-to dot --strict --from folded x.folded
	[ "$(wc -c <x.dot)" -lt 60000 ]
	dot -Tsvg x.dot >x.svg
	well_formed x.svg
	has -E 'xlink:title="x{1023}…x{1023}e&#10;' x.svg
	exits_with 2 'dot cannot hold: ' prof-to dot --strict --from folded x.folded
	# C++, on a few lines.
	printf 'std::vector<std::pair<int, long>, std::allocator<std::pair<int, long> > >::push_back(std::pair<int, long> const&) 1\nmain;f 1\n' >x.folded
	prof-to dot --quiet --from folded x.folded | sed -n 's/.*\[label="\(std[^"]*\).*/\1/p' |
		sed 's/\\n/\n/g' >got
	[ "$(wc -l <got)" = 4 ]
	[ "$(wc -L <got)" -le 37 ]
}

@test "every example becomes a picture" {
	local f
	for f in "$examples"/*; do
		prof-cat --probe "$f" >/dev/null 2>&1 || continue
		echo "$f"
		prof-to dot --quiet "$f" >x.dot
		silent dot -Tsvg x.dot >x.svg
		well_formed x.svg
		[ "$(grep -c 'class="node"' x.svg)" = "$(drawn x.dot | wc -l)" ]
		# The same of its stream.
		prof-cat --quiet "$f" | prof-to dot --quiet | diff x.dot -
	done
	printf '<g><a x="1"></g>' >bad
	run -255 well_formed bad
}

@test "functions that share a name are distinguished" {
	prof-to dot --quiet "$examples/wordcount.callgrind.zst" >x.dot
	labels x.dot >got
	has -xF '(below main) [wordcount] 4,786,885 (97.89 %) self 11 (0.00 %)' got
	has -xF '(below main) libc_start_call_main.h 4,785,899 (97.87 %) self 25 (0.00 %)' got
	has -xF 'main 4,784,168 (97.83 %) self 62,221 (1.27 %)' got
}

@test "negative costs, a total of 0, costs of 0, no cost, no function" {
	printf '%s\n' 'main -5' 'main > f 2 -10' 'f -10' | graph Ir >x
	prof-to dot --quiet x >x.dot
	labels x.dot >got
	printf '%s\n' 'main -15 (100.00 %) self -5 (33.33 %)' 'f self -10 (66.67 %)' | diff - got
	printf '%s\n' 'main -5' 'main > f 2 5' 'f 5' | graph Ir >x
	prof-to dot --quiet x >x.dot
	labels x.dot >got
	printf '%s\n' 'f self 5' 'main 0 self -5' | diff - got
	printf '%s\n' 'main 0' 'main > f 2 0' 'f 0' | graph Ir >x
	prof-to dot --quiet x >x.dot
	drawn x.dot | cut -f 1,4-6 >got
	printf '%s\n' 'f  2  0  0' 'main  0  0  0' | tabs | diff - got
	[ "$(edges x.dot)" = $'main\tf\t2\t0' ]
	printf 'prof\t1\nend\n' | prof-to dot >x.dot
	[ "$(heading x.dot)" = "0 profiles, 0 parts
0 of 0 functions
0 of 0 edges" ]
	dot -Tsvg x.dot >x.svg
	well_formed x.svg
	bars <<-'X' | prof-to dot --quiet >x.dot
	prof|1
	part|1
	func|0|a|-|-|-
	func|1|b|-|-|-
	call|0|-|-|-|1|-|-|7
	end
	X
	edges x.dot >got
	dot -Tsvg x.dot >x.svg
	[ "$(grep -c 7 got)" = 1 ]
	bars <<-'X' >x.prof
	prof|1
	part|1
	event|0|n|-|-|-
	func|0|a|-|-|-
	vprof|0|1|INT|3|7
	end
	X
	fails_with 'dot needs costs or calls, but the profile has none' prof-to dot x.prof
}

@test "parts are joined; with several events the first, or that of --events, is drawn" {
	printf '%s\n' 'main 1 10' 'main > f 2 5 50' 'f 5 50' | graph 'A B' >x
	silent prof-to dot x >out
	[ "$(drawn out | cut -f 1,5,6 | xargs)" = 'f 5 5 main 1 6' ]
	fails_with 'further events \(1\)' prof-to dot --strict x
	silent prof-to dot --quiet --events B x >x.dot
	[ "$(drawn x.dot | cut -f 1,5,6 | xargs)" = 'f 50 50 main 10 60' ]
	prof-to dot --events 'A + B' x 2>err >x.dot
	[ "$(drawn x.dot | cut -f 1,5,6 | xargs)" = 'f 55 55 main 11 66' ]
	lacks err 'further events'
	fails_with 'which part a cost belongs to \(1\)' prof-to dot --strict x x
	prof-to dot x x >out
	[ "$(drawn out | cut -f 1,4-6 | xargs)" = 'f 4 10 10 main 0 2 12' ]
	heading out | has -x '12 A in 2 profiles, 2 parts'
	# The filter and the command are there.
	prof-grep -x f x | prof-to dot --quiet >x.dot
	heading x.dot | has -xF 'filter: -x f'
}

@test "a graph that was truncated is no graph" {
	printf 'main;a 1\n' >x.folded
	printf 'prof\t1\npart\t1\n' >cut
	fails_with 'cut' prof-to dot cut
	[ ! -s fails.out ]
	# Neither is one that was stopped.
	prof-to dot --quiet "$examples/calc.folded" >x.dot
	sed '$d' x.dot >cut
	run -1 dot -Tsvg cut
	fails_with 'No space' sh -c 'prof-to dot x.folded >/dev/full'
}

@test "other words suggest dot" {
	for w in GV callgraph graph dott; do
		fails_with "unknown format '$w': did you mean dot\?" prof-to $w
	done
}

@test "a long chain, a wide hub and many functions take no long" {
	awk 'BEGIN { for (i = 0; i < 100000; i++) printf "f%d;", i; print "x 1" }' >chain
	brief 10 prof-to dot --quiet --from folded --nodes 1000 chain >x.dot
	[ "$(drawn x.dot | wc -l)" = 1000 ]
	awk 'BEGIN { print "events: Ir"; for (i = 0; i < 100000; i++)
		print "fn=f" i "\n1 1\ncfn=hub\ncalls=1 1\n1 1" }' >hub
	brief 10 prof-to dot --quiet --nodes 0 --min-node 0 --min-edge 0 hub >x.dot
	[ "$(grep -c ' -> ' x.dot)" = 100000 ]
}
