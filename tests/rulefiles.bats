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
