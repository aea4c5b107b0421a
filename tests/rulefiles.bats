# SPDX-License-Identifier: ISC
# The rules that are shipped, on profiles of real programs.

load helper

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
	printf "$BATS_FILE_TMPDIR/%s.callgrind\n" "$@"
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
	prof-top -n 0 --events Ir view | head -n 1 >top
	prof-top -n 0 --events Ir all | head -n 1 | same - top
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
		/Auto-annotated/ { exit }
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
		grep -qE '^cost	(_ZN12_GLOBAL__N_110apply|[^	]*text::)[^	]*include/c\+\+'
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
	spelt all | grep -qE '^cost	<\[u64\] as words::Weigh>::weigh \(/rustc/'
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
		prof-cat "$(real clones.O2)" | functions '/clones$' | grep -q "^$f"
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
			k = $2 ~ /traverse|^visit_|^PyObject_GC/ ? "memory" :
			    $3 ~ /\/Python\/(ceval|frame|specialize)\.c$/ ? "bytecode" :
			    $3 ~ /\/(gcmodule|obmalloc|pyarena)\.c$/ ? "memory" :
			    $3 ~ /\/Objects\// ? "objects" :
			    $3 ~ /\/(Parser\/|Python\/(compile|symtable|marshal|import|ast|Python-ast|pythonrun))/ ?
			    "import and compiler" : "other"
			n[k] += $8; all += $8 }
		END { for (k in n) printf "%.0f\t[python: %s]\n", 100 * n[k] / all, k }' |
		grep -v other | sort -k 2 >files
	join -t '	' -1 2 -2 2 files symbols.groups | awk -F '\t' '
		{ d = $3 - $2; if (d < -3 || d > 3) { print; bad = 1 } n++ }
		END { exit bad || n != 4 }'
}
