#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# Flame graphs: what is drawn, against prof-top and arithmetic, and that nothing of a
# profile is markup.  What script does is in tests/viewers.

load tools.bash

examples=$(realpath "$BATS_TEST_DIRNAME/../share/examples")

# frames FILE [OPTION...]: "DEPTH X WIDTH CLASS NAME COST" of each.
frames() {
	prof-to --quiet svg --static "${@:2}" "$1" | "$TESTS/svg.pl"
}

# words: the lines above the picture.
words() {
	perl -0777 -ne 's/.*<g id="head">//s; print "$1\n" while /<text[^>]*>(.*?)<\/text>/g' "$@"
}

@test "the frames of a function come to what prof-top has, however it calls itself" {
	prof-cat --quiet "$examples/tasks.pprof.gz" >tasks.prof
	frames tasks.prof --events cpu --min-width 0 >got
	[ "$(wc -l <got)" -gt 60 ]
	perl -F'\t' -lane '
		@open = (@open[0 .. $F[0] - 1], $F[4]);
		($cost = $F[5]) =~ s/ .*|,//g;
		$sum{$F[4]} += $cost if $F[0] && !grep { $_ eq $F[4] } @open[0 .. $F[0] - 1];
		END { print "$_\t$sum{$_}" for sort keys %sum }' got >sums
	prof-top --tsv -n 0 --events cpu tasks.prof | awk -F '\t' 'NR > 1 { print $1 "\t" $6 }' |
		sort | same - sums
	# The whole is the total.
	head -n 1 got | cut -f 2- | diff - <(printf '0\t1000000\tt0\tall\t540,000,000 ns, 100.00 %%\n')
}

@test "a frame is as wide as its cost, brothers are in the order of their names" {
	printf '%s\n' 'a;c 25' 'a;b 50' 'a 5' 'd;b 20' >f
	frames f | cut -f 1-3,5 | tabs | diff - <(tabs <<-'E'
		0  0  1000000  all
		1  0  800000  a
		2  0  500000  b
		2  500000  250000  c
		1  800000  200000  d
		2  800000  200000  b
	E
	)
	frames f | cut -f 6 | sed -n 2p | diff - <(echo '80 samples, 80.00 %; own 5, 5.00 %')
	# The root is above, or below.
	prof-to svg f >f.svg
	prof-to svg --flame f >g.svg
	has 'y="32" .*<title>c$' f.svg
	has 'y="0" .*<title>c$' g.svg
	has 'y="32" .*<title>all$' g.svg
	# Percentages are of the whole program, as everywhere.
	prof-cat f | prof-grep -x d | prof-to svg >h.svg
	words h.svg | has -x '20 samples of 100'
	words h.svg | has '^filter: .*d'
	has -x '20 samples, 20.00 %.*' h.svg
}

@test "narrow frames are omitted, counted and reported" {
	for i in {1..1000}; do echo "main;f$i $i"; done >f
	frames f --min-width 0 >all
	[ "$(wc -l <all)" = 1002 ]
	frames f >some
	n=$(wc -l <some)
	# 0.1 % of 500500 is 500.5
	[ "$n" = 502 ]
	prof-to svg f | words | has -x 'width: inclusive cost; not drawn: 500 frames narrower than 0.1 %'
	frames f --min-width 50% | cut -f 5 | diff - <(printf '%s\n' all main)
	prof-to svg --min-width 0% f | words | has -x 'width: inclusive cost'
	fails_with "min-width: expected a share, such as 0.5%, found 'x'" prof-to svg --min-width x f
}

@test "a difference from nothing, to nothing and of nothing has no percentage of 0" {
	# heading OLD NEW: what is said of the totals.
	heading() {
		prof-diff --from folded "$1" "$2" | prof-to svg | words | grep ^old.*samples
	}
	printf '%s\n' 'm;a 0' 'm;b 0' >none
	printf '%s\n' 'm;a 3' 'm;b 2' >some
	[ "$(heading none some)" = 'old 0 samples, new 5 samples (new)' ]
	[ "$(heading some none)" = 'old 5 samples, new 0 samples (gone)' ]
	[ "$(heading none none)" = 'old 0 samples, new 0 samples' ]
	prof-diff --from folded none none >none.prof
	frames none.prof | cut -f 5-6 | diff - <(printf 'all\t0 samples; old 0 samples; new 0 samples\n')
	prof-diff --from folded none some >new.prof
	frames new.prof | cut -f 5-6 | grep -P '^a\t' |
		diff - <(printf 'a\t+3 samples (new); old 0 samples; new 3 samples, 60.00 %%\n')
	frames <(printf 'm;a 0\n') --from folded | cut -f 5-6 | diff - <(printf 'all\t0 samples\n')
}

@test "a difference: callers carry the change, what is gone is there" {
	printf '%s\n' 'm;a 10' 'm;b 20' 'm;c 30' 'm;d 40' >old
	printf '%s\n' 'm;a 15' 'm;b 5' 'm;d 40' 'm;e 7' >new
	prof-diff old new >diff.prof
	frames diff.prof | cut -f 1-5 | tabs | diff - <(tabs <<-'E'
		0  0  1000000  d3  all
		1  0  1000000  d3  m
		2  0  133928  u3  a
		2  133928  178572  d4  b
		2  312500  267857  x  c
		2  580357  357143  s  d
		2  937500  62500  n  e
	E
	)
	frames diff.prof | cut -f 5-6 | diff - <(tabs <<-'E'
		all  -33 samples (-33.00 %); old 100 samples, 100.00 %; new 67 samples, 100.00 %
		m  -33 samples (-33.00 %); old 100 samples, 100.00 %; new 67 samples, 100.00 %
		a  +5 samples (+50.00 %); old 10 samples, 10.00 %; new 15 samples, 22.39 %
		b  -15 samples (-75.00 %); old 20 samples, 20.00 %; new 5 samples, 7.46 %
		c  -30 samples (gone); old 30 samples, 30.00 %; new 0 samples, 0.00 %
		d  0 samples (0.00 %); old 40 samples, 40.00 %; new 40 samples, 59.70 %
		e  +7 samples (new); old 0 samples, 0.00 %; new 7 samples, 10.45 %
	E
	)
	prof-to svg diff.prof >f.svg
	words f.svg | has -x 'old: old, new: new'
	words f.svg | has -x 'old 100 samples, new 67 samples (-33.00 %)'
	# Without colours: a bar for what shrunk, a sign in each label.
	has -F '<text x="3" y="10.5">+50.00 % a</text>' f.svg
	has -F '<text x="3" y="10.5">gone c</text>' f.svg
	has -F '<pattern id="d4"' f.svg
	# Colours are of the old cost, as labels are, and what is doubled is as dark as what
	# is halved.
	words f.svg | has -xF 'colour: change of inclusive cost, relative to the old cost; a bar marks frames that shrank'
	words f.svg | has -x 'width: the larger of old and new self cost, with callees'
	words f.svg | grep -E '^[-+] ?[1-9l]' | diff - <(printf '%s\n' '+100 % and more' '+40 %' '+10 %' '+ less' \
		'- less' '-10 %' '-30 %' '-50 % and more')
	printf 'm;%s 1000\n' a b c d e f g h >old
	printf 'm;%s\n' 'a 2000' 'b 1400' 'c 1100' 'd 1099' 'e 500' 'f 700' 'g 900' 'h 901' >new
	prof-diff old new | prof-to svg --static | "$TESTS/svg.pl" | tail -n +3 | cut -f 4 | tr '\n' ' ' |
		diff - <(echo -n 'u4 u3 u2 u1 d4 d3 d2 d1 ')
	fails_with 'the change of samples has no sides: choose events with --events of prof-diff' \
		prof-to svg --events samples diff.prof
	fails_with 'some parts are differences, and others are not' eval 'prof-cat diff.prof old | prof-to svg'
}

@test "nothing in a name is markup, script or a control character" {
	printf '%s\n' '<script>alert(1)</script>;a&b "c" ]]> <!-- 3' $'esc\e[31m\x01;\xff\xfe bytes 4' \
		$'\xe2\x80\xaeturned;\xef\xbf\xbf;wide \xe6\xbc\xa2 5' '</title></rect></svg>;-- 6' >f
	prof-to --quiet --from folded svg f >f.svg
	xmllint --noout f.svg
	[ "$(xmllint --xpath 'count(//*[local-name()="script"])' f.svg)" = 1 ]
	[ "$(xmllint --xpath 'count(//*[local-name()="svg"])' f.svg)" -gt 2 ]
	frames f --from folded >got
	cut -f 5 got | has -xF '<script>alert(1)</script>'
	cut -f 5 got | has -xF 'a&b "c" ]]> <!--'
	cut -f 5 got | has -xF 'esc\x1b[31m\x01'
	cut -f 5 got | has -xF $'\xef\xbf\xbd\xef\xbf\xbd bytes'
	cut -f 5 got | has -xF '\xe2\x80\xaeturned'
	cut -f 5 got | has -xF $'\xef\xbf\xbd'
	cut -f 5 got | has -xF '</title></rect></svg>'
	prof-to --quiet --from folded svg --title '</title><script>' f | xmllint --noout -
	# A megabyte is truncated, and said.
	{ echo 'a;b 2'; head -c 1000000 /dev/zero | tr '\0' x; echo ' 1'; } >f
	fails_with 'the ends of very long names' prof-to svg --from folded --strict f
	prof-to --quiet --from folded svg f >f.svg
	[ "$(wc -c <f.svg)" -lt 30000 ]
	xmllint --noout f.svg
}

@test "attributes say what the picture looks like: a program needs no style sheet" {
	prof-to svg --static --quiet --events cpu "$examples/tasks.pprof.gz" >a.svg
	prof-diff --events cpu "$examples/tasks.pprof.gz" "$examples/tasks-sieve.pprof.gz" | prof-to svg >b.svg
	for f in a b; do
		[ "$(xmllint --xpath 'count(//*[local-name()="rect"])' $f.svg)" -gt 30 ]
		[ "$(xmllint --xpath 'count(//*[local-name()="rect"][not(@fill)])' $f.svg)" = 0 ]
		[ "$(xmllint --xpath 'count(/*[@fill and @font-family and @font-size])' $f.svg)" = 1 ]
		[ "$(xmllint --xpath 'count(//*[@id="frames"][@stroke and not(@viewBox)])' $f.svg)" = 1 ]
		lacks $f.svg 'var\('
		# What script draws has the colours of the rest.
		grep -o 'class="[a-zA-Z]*[0-9]*" fill="[^"]*"' $f.svg | sort -u | tr -d '"' >looks
		[ "$(wc -l <looks)" -ge 5 ]
		[ $f = a ] || while IFS=' =' read -r _ class _ fill; do
			grep -qF ".$class { fill: $fill; " $f.svg || [ $class = back ]
		done <looks
	done
	has -F '<rect class="back" fill="#fff" width="100%"' a.svg
}

@test "names are shortened as in tables: the method is left" {
	printf '%s\n' 'void ns::store<std::string, unsigned long>::insert_or_sum(std::string const&, unsigned long) 30' \
		'bool std::operator><char, std::char_traits<char> >(std::string const&) 8' \
		'std::vector<std::string, std::allocator<std::string> >::_M_realloc_insert<std::string const&>(int) 14' \
		'main 48' >f
	prof-to svg --from folded --static f | perl -ne 'print "$1\n" if /<text x="3"[^>]*>(.*?)<\/text>/' |
		diff - <(printf '%s\n' all 'operator&gt;' main '_M_realloc_insert(int)' \
			'ns::store&lt;…&gt;::insert_or_sum(…)')
	# An underscore is inside of its frame: a baseline of 10.5, below which 3 of 12 pixels are.
	prof-to svg --from folded f >f.svg
	[ "$(grep -c '<text x="3" y="10.5">' f.svg)" = 5 ]
	# Script has no more to do than to leave out scopes.
	xmllint --xpath '//*[@id="short"]/text()' f.svg | sed '/^$/d' | sort | diff - <(
		printf '%s\t%s\n' \
		'bool std::operator&gt;&lt;char, std::char_traits&lt;char&gt; &gt;(std::string const&amp;)' 'std::operator&gt;&lt;…&gt;(…)' \
		'std::vector&lt;std::string, std::allocator&lt;std::string&gt; &gt;::_M_realloc_insert&lt;std::string const&amp;&gt;(int)' \
		'std::vector&lt;…&gt;::_M_realloc_insert&lt;…&gt;(int)' \
		'void ns::store&lt;std::string, unsigned long&gt;::insert_or_sum(std::string const&amp;, unsigned long)' \
		'ns::store&lt;…&gt;::insert_or_sum(…)')
}

@test "a function without a name has its object's, without directories" {
	bars >f <<-'E'
	prof|1
	part|1
	event|0|Ir|-|-|-
	object|0|/lib/x.so|-
	func|0|-|-|0|-
	ctx|0|-|0|-|-|-
	sample|0|7
	end
	E
	prof-to svg --static f | perl -ne 'print "$1\n" if /<text x="3"[^>]*>(.*?)<\/text>/' |
		diff - <(printf '%s\n' all '??? x.so')
}

@test "a static picture has a size and no script, the other one fills its window" {
	prof-to svg --static "$examples/calc.folded" >s.svg
	has -F 'width="1200" viewBox="0 0 1200 ' s.svg
	lacks s.svg 'script|foreignObject|onclick'
	prof-to svg "$examples/calc.folded" >f.svg
	head -n 1 f.svg | has -F 'width="100%"'
	has -F '<script><![CDATA[' f.svg
	# Without script the same frames and labels are there.
	diff <(grep '<rect x=' s.svg) <(grep '<rect x=' f.svg)
	diff <(grep '<text x="3"' s.svg) <(grep '<text x="3"' f.svg)
	grep '<text x="3"' f.svg | has '>product<'
	lacks f.svg 'https?://(?!www.w3.org)'
}

@test "the picture is as high as its deepest stack, whether that is odd or even" {
	local stack=main n
	for n in 2 3 4 5 6; do
		echo "$stack 1" | prof-to svg --from folded --static >s.svg
		# The frames and one for all, 16 high, end where the rest of the page begins.
		has -F "id=\"frames\" y=\"106\" width=\"100%\" height=\"$((16 * n))\"" s.svg
		stack+=";f$n"
	done
	# A frame that is just as wide as the least is drawn.
	printf '%s\n' 'main;a 50' 'main;b 49' 'main;c 1' >f
	frames f --min-width 50% | cut -f 5 | sort | diff - <(printf '%s\n' a all main)
}

@test "colours show the object, the file, the name or the cost, as the legend explains" {
	prof-cat --quiet "$examples/tasks.pprof.gz" >f
	prof-to svg f | words | has -x 'colour: self cost'
	prof-to svg f | words | has -x '10 % and more'
	prof-to svg --color-by file f | words >by_file
	has -x 'colour: file' by_file
	has -x 'zsortinterface.go' by_file
	has -x 'others' by_file
	prof-to svg --color-by object f | words | has -x 'tasks'
	prof-to svg --color-by name f | words | has -x "colour: by the function's name"
	# The way back is in the line of the matches.
	prof-to svg f | sed -n 's/.*id="matched"[^>]* y="\([0-9]*\)".*id="reset"[^>]* y="\([0-9]*\)".*/\1 \2/p' |
		awk '$1 != $2 { exit 1 } END { if (NR != 1) exit 1 }'
	# By name: the same in every picture.
	frames f --color-by name | awk -F '\t' '$5 == "main.isPrime" { print $4 }' | sort -u >one
	prof-cat f | prof-grep isPrime | prof-to --quiet svg --static --color-by name | "$TESTS/svg.pl" |
		awk -F '\t' '$5 == "main.isPrime" { print $4 }' | sort -u | diff one -
	[ "$(wc -l <one)" = 1 ]
	# Each class has a colour of its own: two for a file, and two for the others.
	{ printf '%s\n' $'prof\t1' $'part\t1' $'event\t0\tn\t-\t-\t-'
		for i in {0..19}; do
			printf 'file\t%d\tf%d.c\nfunc\t%d\tg%d\t%d\t-\t-\n' $i $((i / 2)) $i $i $i
			printf 'ctx\t%d\t-\t%d\t-\t-\t-\nsample\t%d\t%d\n' $i $i $i $((40 - i))
		done; echo end; } >many
	prof-to svg --static --min-width 0 --color-by file many |
		sed -n 's/.* class="\([a-hA-H]\)" fill="\([^"]*\)".*/\1 \2/p' | sort -u >got
	[ "$(wc -l <got)" -ge 12 ]
	[ -z "$(cut -c 1 got | uniq -d)" ]
	[ -z "$(cut -c 3- got | sort | uniq -d)" ]
	cut -c 1 got | has -ix h
	# By heat, the default: own cost, of the whole.
	frames f --color-by heat | diff <(frames f) -
	frames f --min-width 0 | awk -F '\t' '
		{ own = $6; sub(/; tasks$/, "", own); sub(/.*, /, "", own) }
		$4 == "t5" && own + 0 < 10 { print "not hot: " $0 }
		$4 == "t0" && $6 ~ /own/ { print "not cold: " $0 }
		$4 == "t5" { n++ }
		END { if (n < 2) print "nothing is hot" }' | diff - /dev/null
}

@test "stacks are needed, estimated ones are marked, threads come first" {
	fails_with 'svg needs stacks, but the profile has only costs of functions: use --estimate' \
		prof-to svg "$examples/wordcount.callgrind.zst"
	prof-to --quiet svg --estimate "$examples/wordcount.callgrind.zst" >f.svg
	words f.svg | has '^ESTIMATED, not measured: '
	has '<title>\[estimate\]$' f.svg
	frames "$examples/calc.perf.zst" | sed -n 2p | cut -f 1,5 | diff - <(printf '1\tcalc\n')
	frames "$examples/calc.perf.zst" --root none | sed -n 2p | cut -f 1,5 | diff - <(printf '1\t__libc_start_call_main\n')
	frames "$examples/calc.perf.zst" --root tid | sed -n 2p | cut -f 1,5 | diff - <(printf '1\tcalc-?/896\n')
	fails_with 'is only for folded, svg' prof-to pprof --root none "$examples/calc.perf.zst"
}

@test "parts are summed; with several events one is drawn; a cost below 0 has no width" {
	prof-cat "$examples/calc.folded" "$examples/calc.folded" >two
	# A picture says itself what it shows: what else there was is told if asked for.
	silent prof-to svg two >f.svg
	words f.svg | has -x '314,000,000 samples in 2 parts'
	fails_with 'svg cannot hold: .*which part a stack belongs to \(1\)' prof-to svg --strict two
	silent prof-to svg "$examples/tasks.pprof.gz" >f.svg
	fails_with 'svg cannot hold: .*further events \(1\)' prof-to svg --strict "$examples/tasks.pprof.gz"
	prof-to --quiet svg "$examples/tasks.pprof.gz" | words | has -x 'cpu: 540.0 ms'
	prof-to --quiet svg --events samples "$examples/tasks.pprof.gz" | words | has -x '54 samples'
	tabs >f <<-'E'
	prof  1
	part  1
	event  0  n  -  -  -
	func  0  f  -  -  -
	func  1  g  -  -  -
	ctx  0  -  0  -  -  -
	ctx  1  -  1  -  -  -
	sample  0  -5
	sample  1  10
	end
	E
	fails_with 'the width of costs below 0' prof-to svg --strict f
	silent prof-to svg f >f.svg
	words f.svg | has -x 'width: inclusive cost; not drawn: 1 frame narrower than 0.1 %; no width: costs below 0, 1'
	echo 'a;b 2' >g.folded
	prof-cat "$examples/tasks.pprof.gz" g.folded >g
	silent prof-to svg g >f.svg
	words f.svg | has -x 'cpu: 540.0 ms in 2 parts, of which 1 lacks it'
	frames f | cut -f 3,5,6 | diff - <(printf '%s\n' '1000000	all	5 n, 100.00 %' '1000000	g	10 n, 200.00 %')
}

@test "metadata that the picture shows is not reported as dropped, other is" {
	tabs >f <<-'E'
	prof  1
	part  1
	meta  cmd  ./a.out
	meta  filter  drop g
	meta  estimate  stacks, from costs and calls
	event  0  n  -  -  -
	func  0  f  -  -  -
	ctx  0  -  0  -  -  -
	sample  0  5
	end
	E
	prof-to svg --strict f | words >got
	has -x 'command: ./a.out' got
	has -x 'filter: drop g' got
	has -x 'ESTIMATED, not measured: stacks, from costs and calls' got
	sed -i 's/meta	cmd/meta	desc/' f
	fails_with 'svg cannot hold: metadata \(1\)$' prof-to svg --strict f
}

@test "a filter of any part is in the heading, also one within the text of another" {
	bars >f <<-'E'
	prof|1
	part|1
	meta|filter|function fold
	event|0|n|-|-|-
	func|0|f|-|-|-
	ctx|0|-|0|-|-|-
	sample|0|5
	part|2
	meta|filter|function f
	event|0|n|-|-|-
	sample|0|2
	part|3
	meta|filter|function f
	event|0|n|-|-|-
	sample|0|1
	end
	E
	prof-to svg f | words | has -x 'filter: function fold; function f'
}

@test "seconds and milliseconds of two parts are not added up" {
	printf 'prof|1\npart|1\nevent|0|t|s|-|-%s\nfunc|0|f|-|-|-\nctx|0|-|0|-|-|-\nsample|0|5\n' '' | bars >seconds
	printf 'part|2\nevent|0|t|%s|-|-%s\nsample|0|7\nend\n' ms '' s '|scale=1/1000' s '' | bars |
		split -l 4 - part.
	fails_with "f:9: event 't' has a different unit than before: 1/1 'ms', not 1/1 's'" \
		eval 'cat seconds part.aa >f; prof-to svg f'
	fails_with "f:9: event 't' has a different unit than before: 1/1000 's', not 1/1 's'" \
		eval 'cat seconds part.ab >f; prof-to svg f'
	cat seconds part.ac | prof-to svg | words | has -x 't: 12 s in 2 parts'
}

@test "a change that does not fit 128 bits is an error" {
	large_change >big.prof
	fails_with ': a sum does not fit 128 bits' prof-to svg big.prof
}

@test "an empty profile is an empty picture, a truncated one gives none" {
	printf 'prof\t1\npart\t1\nevent\t0\tn\t-\t-\t-\nend\n' >f
	prof-to svg f >f.svg
	xmllint --noout f.svg
	prof-cat "$examples/calc.folded" >whole
	head -c 300 whole >cut
	fails_with 'cut' prof-to svg cut
	lacks fails.out '</svg>'
	fails_with 'cut' prof-to svg -o whole.svg cut
	[ ! -e whole.svg ]
}

@test "a frame takes less than 200 bytes, and memory goes by contexts" {
	perl -e 'for $i (1 .. 30000) { print "main;module", $i % 50, ";class", $i % 1000, ";method", $i % 5000, ";leaf$i ", $i % 97 + 1, "\n" }' >f
	prof-to svg --min-width 0 f >f.svg
	[ "$(prof-to svg --min-width 0 --static f | grep -c '<rect x="[0-9.]*%" y="[0-9]*" width="[0-9.]*%" height="15".*<title>')" -gt 36000 ]
	[ "$(($(wc -c <f.svg) / 36000))" -lt 200 ]
	for i in {1..40}; do cat f; done >g
	limited 200000 prof-to svg g >g.svg
	words g.svg | has -x "$(perl -e '$n += ($_ % 97 + 1) * 40 for 1 .. 30000; $_ = $n; 1 while s/(\d)(\d{3})\b/$1,$2/; print') samples"
}

@test "a part without samples is of the total, as in prof-tree" {
	{
		printf '%s\n' 'prof|1' 'part|1' 'event|0|t|-|-|-' 'func|0|f|-|-|-' 'ctx|0|-|0|-|-|-' \
			'sample|0|10' 'total|run|100' 'part|2' 'event|0|t|-|-|-' 'total|run|300' end
	} | bars >two.prof
	prof-tree two.prof | has '^10  2\.50 '
	prof-to svg --quiet two.prof | has '2\.50 \?%'
}
