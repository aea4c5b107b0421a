# SPDX-License-Identifier: ISC
# of: rules
# The rules that are shipped, on profiles of real programs.

load helper.bash

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	local o p=$repo/tests/programs

	"${CC:-cc}" -g -O1 -o runtime "$p/runtime.c"
	callgrind runtime ./runtime
	for o in 0 1; do
		"${CXX:-c++}" -g -O$o -std=c++17 -pthread -o library.O$o "$p/library.cc"
		callgrind library.O$o ./library.O$o
		callgrind library.O$o.mangled --demangle=no ./library.O$o
	done
	for o in 1 2; do	# two builds of one program
		"${CC:-cc}" -g -O$o -o clones "$p/clones.c"
		callgrind clones.O$o --separate-recs=2 ./clones
	done
	nm clones >clones.nm
	"${CC:-cc}" -g -O2 -o clones "$p/clones.c"
	callgrind clones --separate-recs=2 ./clones
	"${CC:-cc}" -g -O1 -o clones.plain "$p/clones.c"
	callgrind clones.plain --separate-recs=2 ./clones.plain
}

# callgrind NAME COMMAND...: NAME.callgrind
callgrind() {
	valgrind -q --tool=callgrind --callgrind-out-file="$1.callgrind" "${@:2}" \
		>/dev/null 2>&1
}

# real NAME...: profiles of setup_file.
real() {
	printf "$made/%s.callgrind\n" "$@"
}

# functions [OBJECT] <STREAM: those that it knows, in objects that match.
functions() {
	awk -F '\t' -v want="$1" '
	$1 == "object" { o[$2] = $3 }
	$1 == "func" && o[$5] ~ want { print $3 }' | sort -u
}

# view RULES FILE: what is left is in the file `view`, and with file and object of each
# function and file of each line in `spelt`; both as it was in `all` and `all.spelt`.
view() {
	prof-cat "$2" >all
	prof-grep --quiet --rules "$1" "$2" >view
	spelt all | sort >all.spelt
	spelt view | sort >view.spelt
}

# program_totals FILE: of a callgrind file, by callgrind_annotate.
program_totals() {
	callgrind_annotate "$1" | awk '/PROGRAM TOTALS/ { gsub(",", "", $1); print $1 }'
}

# of_run FILE: the total of the run that a stream has.
of_run() {
	awk -F '\t' '$1 == "total" && $2 == "run" { print $3 }' "$1"
}

# ---- libc, glib, qt, system ----

# self_of FILE OBJECT [OPTION...]: the self cost of the functions in objects that match.
self_of() {
	prof-top --tsv --quiet -n 0 --events Ir "${@:3}" "$1" | awk -F '\t' -v want="$2" '
		NR > 1 && $3 ~ want { n += $5 } END { print n + 0 }'
}

@test "libc: what the C library costs is that of its callers" {
	f=$(real library.O0)
	[ "$(self_of "$f" '/libc[.-]')" -gt 10000 ]
	# What calls main() is called by nobody.
	prof-top --tsv --quiet -n 0 --events Ir --rules libc "$f" >left
	awk -F '\t' '$3 ~ /\/libc[.-]/ && $4 > 0 && $4 != "-"' left >in_libc
	[ "$(cut -f 1 in_libc | grep -cvE 'libc_start|below main')" = 0 ]
	[ "$(self_of "$f" . --rules libc)" = "$(self_of "$f" .)" ]
}

@test "glib, qt and system know their libraries by their objects" {
	local l
	printf '%s\n' 'events: Ir' 'ob=/usr/bin/app' 'fn=main' '1 1' >f.cg
	for l in /usr/lib/x86_64-linux-gnu/libglib-2.0.so.0.7400.6 /lib/libgobject-2.0.so.0 /usr/lib64/libgio-2.0.so \
		/usr/lib/libQt5Core.so.5.15.8 /opt/qt/lib/libQt6Widgets.so.6 /usr/lib/qt6/plugins/platforms/libqxcb.so \
		/usr/lib/x86_64-linux-gnu/libgtk-3.so.0 /usr/local/lib/libmine.so; do
		printf '%s\n' 'ob=/usr/bin/app' 'fn=main' "cob=$l" "cfn=in_$l" 'calls=1 1' '1 10' "ob=$l" "fn=in_$l" '1 10' >>f.cg
	done
	prof-top --tsv --quiet --rules glib f.cg | cut -f 1,5 | sed 's,.*/,,' | sort | diff - <(sort <<-'E' | tabs
		function  Ir
		libQt5Core.so.5.15.8  10
		libQt6Widgets.so.6  10
		libqxcb.so  10
		libgtk-3.so.0  10
		libmine.so  10
		main  31
	E
	)
	prof-top --tsv --quiet --rules qt f.cg | awk -F '\t' '$1 == "main" { print $5 }' | diff - <(echo 31)
	prof-top --tsv --quiet --rules system f.cg | cut -f 1,5 | sed 's,in_/.*/,,' | sort | diff - <(sort <<-'E' | tabs
		function  Ir
		[libglib-2.0]  10
		[libgobject-2.0]  10
		[libgio-2.0]  10
		[libQt5Core]  10
		[libqxcb]  10
		[libgtk-3]  10
		libQt6Widgets.so.6  10
		libmine.so  10
		main  1
	E
	)
	prof-top --tsv --quiet --rules system "$repo/share/examples/calc.perf.zst" | cut -f 1 | has -x '\[libc\]'
}

# ---- allocators ----

@test "allocators: what Valgrind replaces is charged to its callers, and nothing else" {
	cd "$BATS_FILE_TMPDIR"
	valgrind -q --tool=dhat --dhat-out-file=library.dhat ./library.O1 >/dev/null 2>&1
	prof-top --quiet --tsv -n 0 --events tb library.dhat >all
	prof-top --quiet --tsv -n 0 --events tb --rules allocators library.dhat >left
	awk -F '\t' '$3 ~ /\/vgpreload_/ { print $1 }' all | sort >gone
	grep -qx malloc gone
	grep -qx 'operator new(unsigned long)' gone
	awk -F '\t' '$3 !~ /\/vgpreload_/ { print $1, $2, $3, $6 }' all | sort >want
	awk -F '\t' '{ print $1, $2, $3, $6 }' left | sort | same want -
}

# ---- no-runtime ----

# without_runtime OBJECT FILE: what is left of a profile of a program.
without_runtime() {
	view no-runtime "$2"
	# Of these nothing, not as a caller either.
	lacks view '\tld-linux|\S*/(ld-linux|vgpreload_)'
	functions <view >left
	lacks left '^(\(below main\)|_start|_init|_fini|_dl_.*|__libc_start_.*|__libc_csu.*|__libc_early_init.*|__do_global.*|(de)?register_tm_clones|frame_dummy)\b(?!_engine)'
	# All that is left is as it was, and nothing is new.
	[ -s view.spelt ]
	comm -13 all.spelt view.spelt >new
	same /dev/null new
	# All of the program is there, but for the runtime in it: cost, and calls within
	# it and into libc of what has a name there.
	awk -F '\t' -v own="$1)" '
	$2 !~ /^(\(below main\)|_start|_init|_fini|frame_dummy) / &&
	    index($2, own) && ($1 != "call" || index($6, own) ||
	    $6 ~ /^(malloc|free|strdup|puts|printf|getc|calloc|qsort_r) /)' all.spelt >own
	grep -q '^call' own
	comm -23 own view.spelt | same /dev/null -
	# Of libc what is gone is known to be no function of others.
	functions /libc <all >libc
	functions /libc <view | comm -23 libc - >gone
	[ -s gone ]
	lacks gone '^(?!\(below main\)|__libc_(start|early_init|setup|init)|__?(call_|run_)|_init_first|__init_misc|_IO_cleanup|__(libc_)?(pthread_)?tunable|__pthread_(tunables|initialize)|__lll_elision_init|__ctype_init|__x86_|init_cacheinfo|call_(init|fini)|_dl_)'
	# Percentages are of the program.
	[ "$(of_run view)" = "$(of_run all)" ]
	[ "$(self_sums view | cut -d ' ' -f 1)" -lt "$(self_sums all | cut -d ' ' -f 1)" ]
	prof-top -n 0 --events Ir view | sed -n 1p >top
	prof-top -n 0 --events Ir all | sed -n 1p | same - top
	prof-top -n 9999 --events Ir all | awk '/  main  / { print $1, $2 }' >want
	[ -s want ]
	prof-top -n 9999 --events Ir view | awk '/  main  / { print $1, $2 }' | same want -
}

@test "no-runtime: what runs before and after main is gone, what main calls is not" {
	without_runtime /runtime "$(real runtime)"
	[ "$(of_run view)" = "$(program_totals "$(real runtime)")" ]
	functions '/runtime$' <view >own
	for f in after at_exit before call_init fini init main _start_engine; do
		grep -qx "$f" own
	done
	for f in malloc free puts printf strdup; do
		grep -qx "$f" left
	done
}

@test "no-runtime: the profile that is shipped" {
	without_runtime /wordcount "$repo/share/examples/wordcount.callgrind.zst"
	functions '/wordcount$' <view | grep -v ^0x >own
	printf '%s\n' by_count collect "collect'2" insert "insert'2" main read_word |
		same - own
	for f in __strcmp_avx2 malloc calloc getc tolower qsort_r; do
		grep -qx "$f" left
	done
}

# ---- cxx-std ----

# Of mangled names, one a line, those that are the library's, by the grammar of names:
# https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling-structure
of_library() {
	grep -E '^_Z+(N[rVK]*[RO]?)?(S[tabsiod]|9__gnu_cxx|10__cxxabiv1)|^_Z(nw|na|dl|da)' "$@"
}

# What demanglers call by another name, some of them.
demangled() {
	c++filt | sed 's/std::basic_ostream<char, std::char_traits<char> >/std::ostream/g' |
		sort -u
}

# The calls of each function in a stream.
calls_of() {
	awk -F '\t' '
	$1 == "func" { name[$2] = $3 }
	$1 == "call" { n[name[$6]] += $8 }
	END { for (f in n) print n[f] "\t" f }' "$1" | sort
}

# library PROFILE: the one of mangled names is beside it.
library() {
	view cxx-std "$(real "$1")"
	# What is the library's is known of mangled names, and is gone.
	prof-cat "$(real "$1.mangled")" | functions "/$1$" >mangled
	of_library mangled >library.mangled
	[ "$(wc -l <library.mangled)" -gt 25 ]
	comm -23 mangled library.mangled | demangled >want
	functions "/$1$" <view | demangled | same want -
	# There are names that neither a prefix nor what is in them tells.
	for f in 'text::cmp(std::' 'std::map<.*> text::index<' '^std::ostream& text::operator<<' \
	    '^text::word::operator std::vector' '^(anonymous namespace)::mystd::sort(' \
	    '^bool text::operator< <int>(std::' '::heap<.*::operator()<int>'; do
		grep -q -e "$f" want
	done
	# Nothing of the library is left that anybody calls, in no object.
	functions /libstdc <view >left
	calls_of view | cut -f 2 | comm -12 left - | same /dev/null -
	# The program's functions are called as often as before.
	calls_of all | awk -F '\t' 'NR == FNR { want[$0]; next } $2 in want' want - >calls
	[ "$(wc -l <calls)" -gt 10 ]
	calls_of view | awk -F '\t' 'NR == FNR { want[$0]; next } $2 in want' want - |
		same calls -
	# Cost went to callers and nowhere else.
	[ "$(self_sums view)" = "$(self_sums all)" ]
	prof-to callgrind --quiet view >view.callgrind
	[ "$(program_totals view.callgrind)" = "$(program_totals "$(real "$1")")" ]
	callgrind_annotate --threshold=100 view.callgrind | awk '
		/PROGRAM TOTALS/ { rows = 1; gsub(",", "", $1); total = $1; next }
		rows && /^ *[0-9,]+ \(/ { gsub(",", "", $1); sum += $1 }
		/Auto-annotated/ { rows = 0 }
		END { exit sum != total }'
	for f in "$(real "$1")" view.callgrind; do
		callgrind_annotate --inclusive=yes --threshold=100 "$f" |
			awk '/:main \[/ { print $1 }'
	done >main
	[ "$(wc -l <main)" = 2 ]
	[ "$(uniq main | wc -l)" = 1 ]
}

@test "cxx-std: the library is folded, and not what takes or returns its types (-O0)" {
	library library.O0
}

@test "cxx-std: so it is where much is inlined (-O1)" {
	library library.O1
	# That is why the rules do not ask for files.
	prof-cat "$(real library.O1)" | spelt |
		has -E '^cost	(_ZN12_GLOBAL__N_110apply|[^	]*text::)[^	]*include/c\+\+'
}

# judged RULES <NAMES: of functions that main calls those that stay.
judged() {
	sed 's/^/main;/; s/$/ 1/' >names.folded
	prof-grep --quiet --rules "$1" names.folded >view
	[ "$(awk -F '\t' '$1 == "sample" { n += $3 } END { print n }' view)" = \
	    "$(wc -l <names.folded)" ]
	prof-to folded --quiet view | sed -n 's/^main;\(.*\) 1$/\1/p'
}

@test "cxx-std: names that are hard to tell" {
	cat >ours <<-'E'
	std::vector<int, std::allocator<int> > ours::make<int>(std::string)
	std::enable_if<(4ul)<(8ul), int>::type ours::f<int>(std::less<int>)
	unsigned long (anonymous namespace)::f<std::string>(std::string const&)
	ours::operator std::string() const
	ours::box<std::string>::operator std::string const&() const
	bool ours::operator==<std::string>(ours::box<std::string> const&, std::string)
	std::ostream& ours::operator<< <int>(std::ostream&, ours::box<int> const&)
	ours::f(std::string)::{lambda(std::string)#1}::operator()(std::string) const
	void ours::f<int>(std::string)::{lambda(int)#1}::operator()(int) const
	ours::operator new(unsigned long)
	mystd::f(int)
	ours::std::f(int)
	stdlib_init
	standard
	_ZN4ours1fESt6vectorIiSaIiEE
	__cxa_atexit
	E
	cat >theirs <<-'E'
	std::f(ours::box<int>)
	std::operator<<(std::ostream&, char)
	std::vector<ours::box<int>, std::allocator<ours::box<int> > >::operator[](unsigned long)
	std::__cxx11::basic_string<char>::operator std::basic_string_view<char>() const
	void std::sort<ours::box<int>*, bool (*)(int, std::string)>(int*, int*)
	ours::box<std::string>&& std::forward<ours::box<std::string> >(ours::box<std::string>&)
	ours::f()::{lambda(std::string)#1}& std::forward<ours::f()::{lambda(std::string)#1}&>(int)
	decltype (((forward<int>)({parm#1})).f()) std::invoke<int>(int&&)
	bool std::operator< <char, std::char_traits<char> >(std::string const&, char const*)
	std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)
	std::unique_ptr<int, std::default_delete<int> >::operator->() const
	non-virtual thunk to std::iostream::~iostream()
	std::call_once<void ()>(std::once_flag&)::{lambda()#1}::operator()() const
	__gnu_cxx::new_allocator<int>::allocate(unsigned long, void const*)
	int* __gnu_cxx::__ops::f<int>(int*)
	__cxxabiv1::__class_type_info::__do_dyncast(long)
	std::__debug::vector<int>::f()
	operator new(unsigned long)
	operator delete[](void*, unsigned long)
	__cxa_throw
	__dynamic_cast
	_ZNSt6vectorIiSaIiEE9push_backEOi
	_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc
	_Znwm
	E
	sort ours theirs | judged cxx-std >left
	sort ours | same - left
}

# ---- rust-std ----

# The profiles have been made from words.rs, which says how.
@test "rust-std: the library is folded, and not the program's traits and types" {
	cat >v0 <<-'E'
	<[u64] as words::Weigh>::weigh
	<[u64] as words::Weigh>::weigh::{closure#0}
	<alloc::vec::Vec<words::Word> as words::Weigh>::weigh
	<alloc::vec::Vec<words::Word> as words::Weigh>::weigh::{closure#0}
	<words::Random as core::iter::traits::iterator::Iterator>::by_ref
	<words::Random as core::iter::traits::iterator::Iterator>::next
	<words::Random as core::iter::traits::iterator::Iterator>::size_hint
	<words::Random as core::ops::drop::Drop>::drop
	<words::Word as core::clone::Clone>::clone
	<words::Word as core::cmp::Ord>::cmp
	<words::Word as core::cmp::PartialEq>::eq
	<words::Word as core::cmp::PartialEq>::ne
	<words::Word as core::convert::From<&str>>::from
	<words::Word as core::fmt::Display>::fmt
	<words::Word as core::hash::Hash>::hash::<std::hash::random::DefaultHasher>
	main
	words::by_length
	words::by_length::{closure#0}
	words::count
	words::largest::<u64>
	words::largest::<words::Word>
	words::main
	words::main::{closure#0}
	words::main::{closure#1}
	words::stdlike::core
	words::stdlike::core::{closure#0}
	E
	# Much is inlined.
	cat >legacy <<-'E'
	<[u64] as words::Weigh>::weigh
	<alloc::vec::Vec<words::Word> as words::Weigh>::weigh
	<words::Random as core::iter::traits::iterator::Iterator>::next
	<words::Word as core::convert::From<&str>>::from
	<words::Word as core::fmt::Display>::fmt
	main
	words::by_length
	words::count
	words::largest
	words::main
	words::stdlike::core
	E
	for m in v0 legacy; do
		view rust-std "$repo/tests/real/words.$m.callgrind.zst"
		functions '/words$' <view | grep -v below | same $m -
		[ "$(functions '/words$' <all | wc -l)" -gt 50 ]
		[ "$(self_sums view)" = "$(self_sums all)" ]
		calls_of all | awk -F '\t' 'NR == FNR { want[$0]; next } $2 in want' $m - >calls
		calls_of view | awk -F '\t' 'NR == FNR { want[$0]; next } $2 in want' $m - |
			same calls -
		[ "$(wc -l <calls)" -gt 8 ]
		prof-to callgrind --quiet view >view.callgrind
		prof-to callgrind --quiet all >all.callgrind
		for f in all view; do
			callgrind_annotate --inclusive=yes --threshold=100 $f.callgrind |
				awk '/:words::main \[/ { print $1 }'
		done >main
		[ "$(wc -l <main)" = 2 ]
		[ "$(uniq main | wc -l)" = 1 ]
	done
	# That is why the rules do not ask for files.
	spelt all | has -E '^cost	<\[u64\] as words::Weigh>::weigh \(/rustc/'
}

@test "rust-std: names that are hard to tell, and their hashes" {
	cat >ours <<-'E'
	<&words::Words as core::iter::traits::collect::IntoIterator>::into_iter
	<&words::Words as core::ops::arith::Add<u64>>::add
	<T as words::Weigh>::weigh
	<alloc::string::String as core::convert::From<words::Word>>::from
	<core::option::Option<words::Word> as words::core::Weigh>::weigh
	<dyn words::Weigh>::weigh
	<words::Of<alloc::vec::Vec<u8>>>::new
	<words::Word as core::fmt::Display>::fmt
	corelib::f
	stdx::f
	words::alloc::f
	words::std
	E
	cat >theirs <<-'E'
	<! as core::fmt::Debug>::fmt
	<&T as core::fmt::Debug>::fmt
	<&words::Word as core::fmt::Debug>::fmt
	<&mut words::Random as core::iter::traits::iterator::Iterator>::next
	<(A, B) as core::fmt::Debug>::fmt
	<*const u8>::add
	<I as core::iter::traits::collect::IntoIterator>::into_iter
	<[words::Word] as core::fmt::Debug>::fmt
	<[words::Word]>::sort_by::<words::by_length>
	<alloc::string::String as core::convert::From<alloc::boxed::Box<str>>>::from
	<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop
	<alloc::vec::Vec<words::Word>>::push
	<alloc::vec::Vec<words::Word> as core::clone::Clone>::clone
	<dyn core::any::Any>::is::<words::Word>
	<str as core::fmt::Display>::fmt
	<u64 as core::fmt::Display>::fmt
	<words::main::{closure#0} as core::ops::function::FnOnce<()>>::call_once::{shim:vtable#0}
	__rust_alloc
	__rustc::__rust_dealloc
	alloc::vec::Vec<T,A>::push
	core::ptr::drop_in_place<words::Word>
	hashbrown::map::make_hash::<words::Word>
	rust_eh_personality
	std::rt::lang_start::{{closure}}
	_ZN4core3fmt5write17h0123456789abcdefE
	E
	sort ours theirs | judged rust-std >left
	same ours left

	# An instance each, made by the compiler or twice, is one function.
	cat >hashes.folded <<-'E'
	words::main::h0123456789abcdef;words::count::h0123456789abcdef 1
	words::main::h0123456789abcdef;words::count::hfedcba9876543210 2
	words::main::h0123456789abcdef;words::count::hfedcba9876543210.llvm.77 4
	words[846817f741e54dfd]::main;<words[846817f741e54dfd]::Of<words[846817f741e54dfd]::Word>>::new;core[846817f741e54dfd]::f 8
	E
	prof-merge --rules rust-std hashes.folded | prof-to folded | sort >got
	printf '%s\n' 'words::main;<words::Of<words::Word>>::new 8' 'words::main;words::count 7' |
		same - got
}

# ---- clones, recursion ----

# by_name EXPRESSION FILE: self cost of each function and object, when sed has been at
# the names.
by_name() {
	prof-to tsv --quiet "$2" | tail -n +2 | cut -f 2,4,8 | sed -E "$1" |
		awk -F '\t' '{ n[$1 "\t" $2] += $3 } END { for (i in n) print i "\t" n[i] }' |
		sort
}

clone="s/(\.(constprop|isra|part|cold)(\.[0-9]+)?)+('[0-9]+)?	/\4	/"
level="s/'[0-9]+	/	/"

@test "clones: those of gcc -O2 are the functions that they are of" {
	for f in add_up.constprop distance.isra slow.part; do
		prof-cat "$(real clones.O2)" | functions '/clones$' | has "^$f"
	done
	by_name "$clone" "$(real clones.O2)" >want
	prof-grep --rules clones "$(real clones.O2)" >view
	by_name '' view | same want -
	functions <view >left
	lacks left '\.(constprop|isra|part|cold)'
	# All that the object file has, and what no program of gcc's has.
	awk '$2 ~ /[tT]/ { print $3 }' "$BATS_FILE_TMPDIR/clones.nm" >names
	grep -q '^checked\.cold$' names
	cat >>names <<-'E'
	f(std::vector<int>) [clone .isra.0] [clone .part.1]
	g(int) [clone .constprop.0]'2
	h.part.0'3
	k.llvm.1234567
	m.lto_priv.0.cold
	E
	judged clones <names >left
	printf '%s\n' 'f(std::vector<int>)' "g(int)'2" "h'3" k m >want
	grep -A 9 '^f(' left | same want -
	head -n -5 names | sed -E 's/\.(constprop|isra|part|cold).*//' | sort -u >want
	head -n -5 left | sort -u | same want -
}

@test "clones and recursion: two builds compare as prof-diff --match has it" {
	prof-diff "$(real clones.O1)" "$(real clones.O2)" >plain.diff
	for m in clones recursion; do
		prof-diff --match $m "$(real clones.O1)" "$(real clones.O2)" >matched
		prof-diff --rules $m "$(real clones.O1)" "$(real clones.O2)" >ruled
		grep -q . matched
		for f in plain.diff matched ruled; do
			prof-to tsv --quiet "$f" | sort >$f.tsv
		done
		diff <(prof-top -n 999 ruled | grep -v '^filter:\|^$') \
		    <(prof-top -n 999 matched | grep -v '^filter:\|^$')
		run -1 same plain.diff.tsv ruled.tsv
	done
}

@test "recursion: all levels of a function are one" {
	prof-cat "$(real clones.O2)" | functions '/clones$' >was
	for f in even "even'2" odd "odd'2"; do
		grep -qx "$f" was
	done
	by_name "$level" "$(real clones.O2)" >want
	prof-grep --rules recursion "$(real clones.O2)" >view
	by_name '' view | same want -
	functions <view >left
	lacks left "'[0-9]+\$"
	# What even() calls itself with and what main() calls it with.
	calls_of <(prof-cat "$(real clones.O2)") | awk -F '\t' -v OFS='\t' '
		{ sub(/\x27[0-9]+$/, "", $2); n[$2] += $1 }
		END { for (f in n) print n[f], f }' | sort >want
	calls_of view | same want -
}

# ---- cpython ----

# The profiles have been made from words.py, which says how.
@test "cpython: the interpreter is in groups, and nothing is lost" {
	local k n
	for k in symbols plain; do
		view cpython "$repo/tests/real/words.$k.callgrind.zst"
		[ "$(self_sums view)" = "$(self_sums all)" ]
		[ "$(of_run view)" = "$(of_run all)" ]
		# What is left of the interpreter is what is before it.
		functions /python <view >left
		lacks left '^(?!main$|_start$|\(below main\))'
		# And of all else, nothing has changed.
		for f in all view; do
			prof-to tsv --quiet $f | tail -n +2 | cut -f 2-4,8 |
				awk -F '\t' '$3 !~ /\/python3/ && $1 !~ /^\[/' | sort >$f.others
		done
		[ -s all.others ]
		same all.others view.others
		prof-to tsv --quiet view | awk -F '\t' '
			$2 ~ /^\[/ { n[$2] += $8; all += $8 }
			END { for (f in n) printf "%.0f\t%s\n", 100 * n[f] / all, f }' |
			sort -k 2 >$k.groups
	done
	# By the source files, without the rules, about: names count, too.
	cut -f 2 symbols.groups >names
	printf '[python%s]\n' ': bytecode' ': import and compiler' ': memory' ': modules' \
	    ': objects' '' | sort | same - names
	zstd -dcq "$repo/tests/real/words.symbols.callgrind.zst" | prof-to tsv --quiet |
		tail -n +2 | awk -F '\t' '$4 ~ /\/python3/ {
			k = "other"
			if ($2 ~ /traverse|^visit_|^PyObject_GC/)
				k = "memory"
			else if ($3 ~ /\/Python\/(ceval|frame|specialize)\.c$/)
				k = "bytecode"
			else if ($3 ~ /\/(gcmodule|obmalloc|pyarena)\.c$/)
				k = "memory"
			else if ($3 ~ /\/Objects\//)
				k = "objects"
			else if ($3 ~ /\/(Parser\/|Python\/(compile|symtable|marshal|import|ast|Python-ast|pythonrun))/)
				k = "import and compiler"
			n[k] += $8; all += $8 }
		END { for (k in n) printf "%.0f\t[python: %s]\n", 100 * n[k] / all, k }' |
		grep -v other | sort -k 2 >files
	join -t '	' -1 2 -2 2 files symbols.groups | awk -F '\t' '
		{ d = $3 - $2; if (d < -3 || d > 3) { print; bad = 1 } n++ }
		END { exit bad || n != 4 }'
}

# ---- anonymous ----

# A profile of each format, as a.FORMAT and b.FORMAT.
each_format() {
	local p n
	export PROF_KEY='a long key that nobody knows'

	prof-to callgrind --quiet "$(real clones.O1)" >a.callgrind
	prof-to callgrind --quiet "$(real clones.O2)" >b.callgrind
	for n in 1 2; do
		(cd "$BATS_FILE_TMPDIR" && valgrind -q --tool=cachegrind --cache-sim=yes \
		    --cachegrind-out-file="$BATS_TEST_TMPDIR/$n.cg" ./runtime $n >/dev/null 2>&1)
	done
	mv 1.cg a.cachegrind
	mv 2.cg b.cachegrind
	for p in a b; do
		prof-merge --quiet --syms "$repo/share/examples/calc.syms" \
		    "$repo/share/examples/calc.gmon.zst" >$p.gmon
	done
	cat >a.folded <<-'E'
	start;secret_main;secret'2;secret_leaf 10
	start;secret_main;[unknown] 3
	E
	sed 's/10$/12/' a.folded >b.folded
	cat >a.aprof <<-'E'
	c a remark on sorting
	v 4
	k 800
	m blocks
	a ./sorter
	f ./sorter of inputs
	r "outer(sort*)" "/opt/secret/sorter" 0
	u 0 "_Z5outerP4sort"
	q 0 1 800 800 800 640000 1 800 70 70 70 4900
	r "inner" "/opt/secret/sorter" 1
	q 1 100 730 730 730 532900 1 730 230 230 230 52900
	x 0 0 -1
	x 1 1 0
	E
	sed 's/730/740/g; s/532900/547600/' a.aprof >b.aprof
	cat >a.xprof <<-'E'
	PROFILE-FEEDBACK-DATA: 4.3 1 1 1
	OBJFILE: /secret/a.o 2 955555555 120 4 0x1234abcd
	PROC: secret_main 0x1 3 1 1 0
	max 99
	sum 103
	0 1
	1 99
	2 3
	VP_INT 0 60 7
	VP_INT 0 9 -1
	VP_INT 0 0
	VP_INT 0 0
	PROC: secret_work 0x2 1 1 1 1
	0 99
	VP_PROC 0 99 secret_target
	VP_PROC 0 0
	VP_PROC 0 0
	VP_PROC 0 0
	PROGRAM: /secret/program 1
	OBJREF: /secret/a.o
	E
	sed 's/99$/98/; s/103$/102/; s/0 99 s/0 98 s/' a.xprof >b.xprof
	# Some of every kind of record, and whatever may hold names.
	tabs >a.prof <<-'E'
	prof  1
	tag  note  may  func:func:key  text:str:key
	part  0  positions=line  attribute=ofpart
	meta  creator  creatorname
	meta  cmd  commandname  word
	meta  pid  99999
	meta  desc  descriptive
	meta  comment  commentary
	meta  source  sourcename
	meta  thread  3
	meta  part  2
	meta  diff  oldname  newname
	meta  filter  filtered
	meta  format  callgrind
	meta  callgrind.other  something
	meta  unheard  unheardof
	event  0  Ir  unit  -  described  scale=1/10  calls=absent  attribute=ofevent
	event  -  double  -  2 Ir  derivation
	object  0  pathname  objectkey  attribute=ofobject
	object  1  elsewhere  -
	file  0  filename
	file  1  headername
	file  2  notused
	func  0  functionname  0  0  functionkey  attribute=offunction
	func  1  -  1  0  namelesskey  attribute=ofnameless
	func  2  homeless  -  -  -
	func  3  neverran  1  1  -
	func  4  with\ttabs  -  -  -
	ctx  0  -  0  0  1  -  attribute=ofcontext
	ctx  1  0  1  1  2  -
	cost  0  1  7:3  0x10  30  attribute=ofcost
	cost  1  0  8  -  -
	cost  -  0  8  -  3
	call  0  0  9  -  2  2  -  5  40  attribute=ofcall
	jump  0  0  9  -  0  1  7  -  3  4
	sample  1  20  label=oflabel
	point  2  -  8  1  10  10  10  100  10  10  10  10  100  -  -  -  -  -  -  -
	vprof  0  1  INT  3  7
	vprof  0  2  PROC  3  valuename
	raw  0  rawtext
	note  0  notetext
	total  run  100
	end
	E
	sed 's/	30	/	31	/' a.prof >b.prof
}

# strings STREAM: what is in it by name, but for names of events; of paths what is
# between slashes as well; of four bytes at least.  Numbers may be any other's, and
# some words are the stream's.
strings() {
	awk -F '\t' '
	function say(s,   i, n, w) {
		print s
		n = split(s, w, "/")
		for (i = 1; i <= n; i++)
			print w[i]
	}
	$1 == "event" { event[$3]; if ($6 != "-") say($6) }
	$1 == "object" || $1 == "file" { say($3); say($4) }
	$1 == "func" { say($3); say($6) }
	$1 == "meta" { for (i = 3; i <= NF; i++) say($i) }
	$1 == "raw" || $1 == "note" { say($3) }
	$1 == "vprof" { say($6) }
	{ for (i = 3; i <= NF; i++) if ($i ~ /^[a-z.]+=/ &&
	    $i !~ /^(positions|calls|scale|role|of)=/) { sub(/^[^=]*=/, "", $i); say($i) } }
	' "$1" | grep -E '.{4}' | grep -vxE '[0-9]+|file|function|object|even|event|prof|part|meta|cost|call|jump|func|line' |
		sort -u
}

# numbers STREAM: of each record what is no name and no reference.
numbers() {
	sed -E '/^(meta|note|raw|file|object|func|ctx|tag)/d; s/	[a-z.]+=[^	]*//g' "$1" |
	awk -F '\t' -v OFS='\t' '
	$1 == "cost" || $1 == "call" || $1 == "jump" { $2 = $3 = "" }
	$1 == "call" { $6 = "" }
	$1 == "jump" { $6 = $7 = "" }
	$1 == "sample" || $1 == "point" { $2 = ""; if ($1 == "point") $3 = "" }
	$1 == "vprof" { $2 = ""; if ($6 !~ /^-?[0-9]*$/) $6 = "" }
	$1 == "event" { $6 = "" }
	{ print }' | sort
}

@test "anonymous: nothing of any format's names is left, and all of its numbers" {
	local f
	each_format
	for f in a.callgrind a.cachegrind a.gmon a.folded a.aprof a.xprof a.prof; do
		prof-cat "$f" >in
		prof-grep --quiet --rules anonymous "$f" >out
		strings in >names
		[ "$(wc -l <names)" -ge 5 ]
		if grep -F -f names out; then
			echo "left of $f"
			false
		fi
		# No fact but these, and pseudonyms where there were names.
		lacks out '^meta\t(?!(part|thread|runs|estimate|skipped)\t)'
		lacks out '^(func|file|object)\t\d+\t(?!-|(function|file|object)-[0-9a-f]{16}\t?)'
		lacks out '^func\t\d+\t(?!(-|function-[0-9a-f]{16})\t\S+\t\S+\t(-|function-[0-9a-f]{16})$)'
		lacks out '^(raw|tag|note|object\t\d+\t\S+\t(?!(-|object-[0-9a-f]{16})$))'
		numbers in >numbers.in
		numbers out | same numbers.in -
	done
	# What one is to have seen, to believe the rest.
	strings <(prof-cat a.prof) >names
	for f in ofpart described ofobject objectkey functionkey ofcontext oflabel rawtext \
	    notetext valuename sourcename; do
		grep -qx "$f" names
	done
	grep -q $'\tscale=1/10\tcalls=absent$' out
	grep -q '^vprof	0	2	PROC	3	function-' out
}

@test "anonymous: a name has one pseudonym by each key, and no other name has it" {
	local f
	each_format
	for f in a.callgrind a.gmon a.aprof a.xprof a.prof; do
		prof-grep --rules anonymous "$f" >one
		prof-grep --rules anonymous "$f" | cmp - one
		PROF_KEY=another prof-grep --rules anonymous "$f" >two
		grep -oE -e '-[0-9a-f]{16}' one | sort -u >one.names
		grep -oE -e '-[0-9a-f]{16}' two | sort -u >two.names
		[ -s one.names ]
		comm -12 one.names two.names | same /dev/null -
		[ "$(wc -l <one.names)" = "$(wc -l <two.names)" ]
	done
	PROF_KEY='' prof-grep --rules anonymous a.prof 2>err >two
	grep -q 'PROF_KEY is not set' err
	run -1 cmp -s one two
}

# rows STREAM...: the rows of a table without names.
rows() {
	prof-to tsv --quiet "$@" | awk -F '\t' -v OFS='\t' '
	NR == 1 { for (i = 1; i <= NF; i++)
		drop[i] = $i ~ /^(part|stack|function|function\.file|object|file)$/ }
	{ s = ""; for (i = 1; i <= NF; i++) if (!drop[i]) s = s OFS $i; print s }' | sort
}

@test "anonymous: profiles differ and sum up as they did" {
	local f p
	each_format
	for f in callgrind cachegrind gmon folded prof; do
		for p in a b; do
			prof-grep --quiet --rules anonymous $p.$f >$p.anonymous
		done
		prof-diff a.$f b.$f >want.diff
		prof-diff a.anonymous b.anonymous >diff
		prof-merge a.$f b.$f >want.sum
		prof-merge a.anonymous b.anonymous >sum
		for p in diff sum; do
			rows want.$p >want
			[ "$(wc -l <want)" -gt 2 ]
			rows $p | same want -
		done
		# A difference has the names of its files in it.
		prof-diff a.$f b.$f | prof-grep --quiet --rules anonymous >hidden
		rows hidden | same <(rows want.diff) -
		lacks hidden '^meta\t(diff|filter)|[ab]\.'"$f"
	done
}

# ---- where they are ----

@test "prof-rules(5) has each of the rules that are shipped, with what it is for" {
	sed -n '/^\.Sh RULES THAT ARE INSTALLED/,/^\.Sh /p' "$repo/man/prof-rules.5" |
		sed -n 's/^\.It Cm //p' >listed
	(cd "$repo/share/rules" && ls ./*.yaml) | sed 's|^\./||; s/\.yaml$//' | same listed -
	prof-grep --list-rules >list
	cut -f 1 list | same listed -
	cut -f 3 list >descriptions
	run -1 grep -nvE '^.{20,}$' descriptions
	for f in "$repo"/share/rules/*.yaml; do
		silent prof-grep --check-rules "$f"
	done
}

@test "--list-rules: those of one's own are before those that are installed" {
	mkdir -p config/prof/rules home/.config/prof/rules
	export HOME=$PWD/home XDG_CONFIG_HOME=$PWD/config
	own=$PWD/config/prof/rules
	cat >"$own/clones.yaml" <<-'E'
	description: mine
	rules: [drop: {function: leaf}]
	E
	printf 'description: "two\\nlines"\n' >"$own/zz.yaml"
	printf 'rules:\n  - fold: {functoin: x}\n' >"$own/broken.yaml"
	printf 'description: no rules\n' >"$own/other.txt"
	silent prof-grep --list-rules >list
	awk -F '\t' -v own="$own" '$2 == own { print $1 "\t" $3 }' list >got
	grep -F "broken	$own/broken.yaml:2:" got | grep functoin
	grep -qx 'clones	mine' got
	grep -qx 'zz	two lines' got
	run -1 grep -q other list
	{ (cd "$repo/share/rules" && ls) | sed 's/\.yaml$//'; echo broken; echo zz; } |
		sort | same - <(cut -f 1 list)
	# They are what is used, and the installed ones without them.
	printf 'main;leaf 1\nmain;leaf.part.0 2\nmain;x 4\n' >f.folded
	[ "$(prof-to folded --quiet --rules clones f.folded)" = 'main;x 4' ]
	exits_with 2 broken.yaml:2: prof-grep --rules broken f.folded
	export XDG_CONFIG_HOME=$PWD/nowhere
	[ "$(prof-merge --quiet --rules clones f.folded | prof-to folded | sort | tr '\n' ,)" = \
	    'main;leaf 3,main;x 4,' ]
	# Without the variable, ~/.config; a relative one is none.
	mv "$own/zz.yaml" home/.config/prof/rules
	unset XDG_CONFIG_HOME
	prof-grep --list-rules | has "^zz	$HOME/.config/prof/rules	two lines$"
	XDG_CONFIG_HOME=config prof-grep --list-rules | has '^clones	[^	]*/share/prof/rules	'
}
