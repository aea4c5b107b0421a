#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: view
# Tables that have to fit: how names and paths are shortened, and what is left out.

load tools.bash

# name ROOM NAME: the name of the only function, where it has so many columns.
name() {
	printf '%s 1\n' "$2" >one
	# By name: no column sums what is above.
	prof-top --quiet --from folded -k function --width $((22 + $1)) one |
		sed -n '4s/^ *1  100.00 *//p'
}

@test "C++ and Rust names lose first what tells least" {
	rb='std::_Rb_tree<int, std::pair<int const, int>, std::less<int> >::_M_lower_bound(std::_Rb_tree_node<int>*, int const&)'
	realloc='void std::vector<int, std::allocator<int> >::_M_realloc_insert<int const&>(__gnu_cxx::__normal_iterator<int*, std::vector<int> >, int const&)'
	less='bool operator< <char, std::char_traits<char> >(std::string const&, std::string const&)'
	while IFS='|' read -r room of want; do
		echo "$room $of"
		case $of in rb) of=$rb ;; realloc) of=$realloc ;; less) of=$less ;; esac
		[ "${want:=$of}" = "$(name "$room" "$of")" ]
	done <<-'E'
	200|rb|
	60|rb|std::_Rb_tree<…>::_M_lower_bound(…)
	25|rb|…::_M_lower_bound(…)
	60|realloc|std::vector<…>::_M_realloc_insert<…>(…)
	40|less|operator< <…>(…)
	25|operator new(unsigned long, std::align_val_t)|operator new(…)
	25|binary_operator(unsigned, char const*)|binary_operator(…)
	60|(anonymous namespace)::Parser::parse(int, char const*) const|
	40|(anonymous namespace)::Parser::parse(int, char const*) const|…::Parser::parse(…) const
	40|<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop|<Vec<T,A> as Drop>::drop
	25|core::ptr::drop_in_place<alloc::vec::Vec<u8>>|…::ptr::drop_in_place<…>
	40|std::function<void (int)>::operator()(int) const|std::function<…>::operator()(int) const
	40|runtime/pprof.(*profileBuilder).appendLocsForStack|runtime/pprof.(*pro…).appendLocsForStack
	40|foo::bar(int, long, unsigned long) [clone .isra.0]|foo::bar(…) [clone .isra.0]
	24|foo::bar(int, long, unsigned long) [clone .isra.0]|foo::bar(…) [.isra.0]
	25|a_long_name_of_c_that_goes_on_and_ends|a_long_name_…_on_and_ends
	E
	for odd in '<' '>' 'a<b' operator 'x::' '::' '((((((((((((((((((((((((((((((' 'operator()' $'<\xff>(('; do
		name 30 "$odd" >/dev/null
	done
}

@test "rows that would look the same are distinguished" {
	printf '%s\n' 'main;x::A<char>::make_one_of_them(int, unsigned long, void*) 5' \
		'main;y::B<wchar_t>::make_one_of_them(int, unsigned long, int*) 6' \
		'main;z::Another<int, int, int, int>::other_name(int, unsigned long, int*) 7' >f
	prof-top --quiet -k function --width 65 f >got
	has 'x::A<char>::.*void\*)$' got
	has 'y::B<wchar.* int\*)$' got
	has '…::other_name(…)$' got
	# Both ends may be the same: then what is between them is shown.
	a=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
	printf '%s\n' "main;${a}1$a 5" "main;${a}2$a 6" >f
	prof-top --quiet --width 60 f >got
	has " aaaaaaa*…aa1aaa*…\$" got
	has " aaaaaaa*…aa2aaa*…\$" got
	[ "$(sed 's/…/./g' got | awk 'length > 60')" = '' ]
}

@test "paths are as long as it takes to tell them apart, the same in each row" {
	printf '%s\n' 'events: Ir' 'ob=/usr/lib/a/libx.so' 'fl=/src/a/main.c' 'fn=f' '1 5' 'ob=/usr/lib/b/libx.so' \
		'fl=/src/b/main.c' 'fn=g' '1 4' 'fl=/src/b/other.c' 'fn=h' '1 3' 'ob=/bin/y' 'fl=main.c' 'fn=i' '1 2' >f.cg
	prof-top --quiet --width 100 f.cg | sed -n '4,7p' | sed 's/^.* 0  //; s/  / /g' | diff - <(cat <<-'E'
		f a/main.c [a/libx.so]
		g b/main.c [b/libx.so]
		h other.c [b/libx.so]
		i main.c [y]
	E
	)
	prof-top --quiet f.cg | has 'f  /src/a/main.c  \[/usr/lib/a/libx.so\]$'
}

@test "columns that are the same in all rows are omitted if space is short, and noted" {
	printf '%s\n' 'f 5' 'g 6' >f
	prof-top --from folded --width 80 f | diff - <(cat <<-'E'
		11 samples in 1 profile, 1 part

		self samples      %   sum %  function
		           6  54.55   54.55  g
		           5  45.45  100.00  f
		inclusive cost: self cost, everywhere
		11 samples, 95 % intervals: 10 % may be 0.0 to 40.4 %, 1 % may be 0.0 to 22.1 %
	E
	)
	prof-top --from folded f | has 'inclusive'
	printf '%s\n' 'f 7' 'g 6' >g
	prof-diff --from folded f g | prof-top --width 80 | tail -n +3 | diff - <(cat <<-'E'

		old self samples  new  change       %  function
		               5    7      +2  +40.00  f
		              11   13      +2  +18.18  total
		inclusive cost: self cost, in all these rows
		11 and 13 samples: random variation may change 10 % by 276 %, 1 % by 873 %
	E
	)
	prof-diff --from folded f g | prof-top | has 'inclusive  *%  function'
	printf '%s\n' 'events: Ir' 'ob=/bin/x' 'fl=a.c' 'fn=f' '1 5' 'fn=g' '2 3' >f.cg
	prof-top --width 80 f.cg | tail -n 2 | diff - <(printf '%s\n' 'object: /bin/x, everywhere' 'inclusive cost: self cost, everywhere')
	prof-top --width 80 f.cg | lacks /dev/stdin '\[.*x\]'
	prof-top --width 0 f.cg | has '\[/bin/x\]$'
	prof-top --long f.cg | diff - <(prof-top f.cg)
	# A filter may leave one object; all of the profile is asked.
	printf '%s\n' 'ob=/bin/y' 'fn=h' '1 1' >>f.cg
	prof-top --width 80 -n 1 f.cg | has '  \[x\]$'
}

@test "--long and --width on a terminal" {
	printf 'events: Ir\nfn=%s\n1 1\n' 'ns::function(a_type_with_a_long_name, another_type_with_a_long_name)' >f.cg
	on_terminal 60 24 'prof-top --color=never f.cg' | has 'ns::function(…)$'
	on_terminal 60 24 'prof-top --color=never --long f.cg' | has 'another_type_with_a_long_name)$'
	on_terminal 60 24 'prof-top --color=never --width 120 f.cg' | has 'another_type_with_a_long_name)$'
	on_terminal 120 24 'prof-top --color=never --width 60 f.cg' | has 'ns::function(…)$'
}

@test "a terminal that does not know its size has 80 columns" {
	# wide N: a table as wide as that.
	wide() {
		printf 'events: Ir\nfn=f(%s)\n1 1\n' "$(printf "%$(($1 - 35))s" | tr ' ' x)" >f.cg
		on_terminal 200 24 'prof-top --color=never f.cg' | has -x " .\{$(($1 - 1))\}"
	}
	wide 80
	on_terminal 0 0 'prof-top --color=never f.cg' | has ' f(x*)$'
	wide 81
	on_terminal 81 24 'prof-top --color=never f.cg' | has ' f(x*)$'
	on_terminal 0 0 'prof-top --color=never f.cg' | has ' f(…)$'
}

@test "a long head of a column is shortened, its end kept, as wide as what is below" {
	local e
	e=first_$(printf '%60s' | tr ' ' x)_last
	printf '%s\n' "events: $e" 'fn=f' '1 5' >f.cg
	# Of 63 columns the first half and the last.
	prof-top --width 0 f.cg | sed -n 3,4p | sed 's/  *[%0-9.]* .*//' | diff - <(printf '%s\n' \
		"self first_xxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxxxxxxx_last" '')
	prof-tree --width 0 f.cg | has '^first_xx*…xx*_last  *%'
	prof-top --width 0 f.cg | sed -n 4p | has '^ \{62\}5  100'
	# Of the old length there was no end, and no sign of it.
	printf 'events: %s\nfn=f\n1 5\n' "$(printf 'ä%.0s' $(seq 70))" >g.cg
	prof-tree --width 0 g.cg | sed -n 3p | has -E '^(ä){31}…(ä){31}  '
}

@test "the remainder is of what rows are sorted by" {
	printf '%s\n' 'events: Ir Dr' 'fn=f' '1 5 1' 'fn=g' '2 3 7' 'fn=h' '2 2 2' >f.cg
	prof-top -n 1 f.cg | tail -n 1 | diff - <(echo '… 2 more, 50.00 %')
	prof-top -n 1 -k Dr --events Ir,Dr f.cg | tail -n 1 | diff - <(echo '… 2 more, 30.00 % Dr')
	prof-top -n 1 -k function f.cg | tail -n 1 | diff - <(echo '… 2 more, 50.00 % self')
}

@test "paths of callers and callees are as short as in a table" {
	f=$(cd "$BATS_TEST_DIRNAME/../share/examples" && pwd)/wordcount.callgrind.zst
	prof-top --quiet --width 80 --callers '^main$' --callees '^main$' "$f" >got
	has '^1,669,305  34.14  5,642      read_word  wordcount.c  \[wordcount\]$' <got
	prof-top --quiet --width 80 --callers '^getc$' "$f" >got
	has '^callers of getc  getc.c  \[libc.so.6\]$' <got
	[ "$(awk 'length > 80' got)" = '' ]
	prof-top --quiet --callers '^getc$' "$f" | has '^callers of getc  ./libio/./libio/getc.c'
}

@test "a heading fits: what was compared, and the filters" {
	local long=a/very/long/path/to/the/profile/that/was/recorded/on/monday
	mkdir -p $long
	printf 'main;f 5\nmain;g 6\n' >$long/old.folded
	printf 'main;f 7\nmain;g 6\n' >$long/new.folded
	prof-diff $long/old.folded $long/new.folded >d
	prof-top --width 80 d >got
	has '^old: a/very/.*….*/old.folded, new: a/very/.*….*/new.folded$' <got
	[ "$(awk 'length > 90' got)" = '' ]
	prof-top d | has -x "old: $long/old.folded, new: $long/new.folded"
	prof-grep --quiet 'main|a pattern that is as long as it takes to be wider than a terminal is' $long/old.folded |
		prof-top --width 80 >got
	has '^filter: main|a pattern.*…' <got
	[ "$(awk 'length > 82' got)" = '' ]
}
