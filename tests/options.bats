#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec util
# The options of formats belong to one input or output: those of several in one process
# do not meddle with each other.  prof-to, in a process for each, says what is right.

load helper.bash

setup_file() {
	needs tests/options
}

# together CONVERSION...: each "FILE FORMAT OPTION...", in one process and in one each; no
# two of the same file come to the same.
together() {
	local -a all=() words
	local i file format

	rm -f alone.* one.*

	for ((i = 1; i <= $#; i++)); do
		read -ra words <<<"${!i}"
		file=${words[0]} format=${words[1]}
		all+=("$file" "$format" "one.$i" "${words[@]:2}" ,)
		prof-to "$format" "${words[@]:2}" -o "alone.$i" "$file" 2>/dev/null
	done
	"$PROF_BUILD/tests/options" "${all[@]}"
	for ((i = 1; i <= $#; i++)); do
		same "alone.$i" "one.$i"
	done
	[ "$(cksum alone.* | sort -u -k 1,2 | wc -l)" = $# ]
}

@test "two encoders of a format have different options" {
	local examples=$repo/share/examples
	local calc=$examples/calc.perf.zst

	together "$calc svg --color-by name --title Names" \
		"$calc svg --flame --static --color-by object" "$calc svg" \
		"$calc svg --root tid" "$calc svg --min-width 20%"
	together "$calc folded" "$calc folded --root pid" "$calc folded --root none"
	together "$calc dot --nodes 3" "$calc dot" "$calc dot --min-node 20%"
	together "$examples/calc.gmon.zst gmon --layout big32" \
		"$examples/calc.gmon.zst gmon --layout little64" \
		"$examples/calc.gmon.zst gmon-bsd --layout big64"
	together "$examples/sort.aprof aprof --aprof-version 0" \
		"$examples/sort.aprof aprof"
	together "$examples/wordcount.callgrind.zst tsv" \
		"$examples/wordcount.callgrind.zst tsv --records call" \
		"$examples/wordcount.callgrind.zst tsv --records jump"
}

@test "two inputs of a format have different options" {
	local examples=$repo/share/examples

	together "$examples/calc.perf.zst prof" "$examples/calc.perf.zst prof --addr" \
		"$examples/calc.perf.zst prof --times" "$examples/calc.perf.zst prof --times --addr"
	together "$examples/tasks.firefox.zst prof --times" "$examples/tasks.firefox.zst prof"
	together "$examples/pages.massif.zst prof --all-snapshots" "$examples/pages.massif.zst prof"
	echo 'P1;T2:3;f.py:g:4;h (f.py:7) 5' >lines.folded
	together 'lines.folded prof' 'lines.folded prof --frames py-spy' \
		'lines.folded prof --frames austin'
	cp "$repo/tests/fuzz/corpus/pprof-legacy/heap" a.heap
	together 'a.heap prof --estimate-heap' 'a.heap prof'
}

@test "the names of one input are demangled, and those of another are not" {
	local gmon=$repo/share/examples/calc.gmon.zst

	sed 's/ find$/ _Z4findi/' "$repo/share/examples/calc.syms" >cxx.syms
	together "$gmon prof --syms cxx.syms" "$gmon prof --syms cxx.syms --no-demangle"
	[ "$(awk -F '\t' '/^func/ && /find/ { print $3 }' alone.1)" = 'find(int)' ]
	[ "$(awk -F '\t' '/^func/ && /find/ { print $3 }' alone.2)" = _Z4findi ]
}

# Each of these has a reason beside it in the sources.
of_the_process() {
	cat <<-'E'
	lib/browse/terminal.c  curses
	lib/browse/terminal.c  curses_library
	lib/browse/terminal.c  terminal
	lib/codec/codec.c  text
	lib/io/input.c  total
	lib/io/interrupt.c  before
	lib/io/interrupt.c  came
	lib/io/output.c  abandoned
	lib/io/pager.c  own_stderr
	lib/io/pager.c  pager
	lib/io/pager.c  to_pager
	lib/io/progress.c  state
	lib/io/snapshot.c  copy
	lib/io/snapshot.c  is_copy
	lib/io/snapshot.c  on
	lib/io/unpack_bzip2.c  libbz2
	lib/io/unpack_bzip2.c  libbz2_library
	lib/io/unpack_isal.c  libisal
	lib/io/unpack_isal.c  libisal_library
	lib/io/unpack_lz4.c  liblz4
	lib/io/unpack_lz4.c  liblz4_library
	lib/io/unpack_xz.c  liblzma
	lib/io/unpack_xz.c  liblzma_library
	lib/symbol/elfutils.c  dw
	lib/symbol/elfutils.c  elf
	lib/symbol/elfutils.c  libdw
	lib/symbol/elfutils.c  libelf
	lib/util/diag.c  slot
	lib/util/diag.c  turn
	lib/util/library.c  lock
	lib/util/mem.c  mem_failed
	lib/util/pattern.c  c_locale
	lib/util/pattern.c  live
	lib/util/suggest.c  b
	lib/util/suggest.c  best
	E
}

@test "what can be written of the library's own data is of the process" {
	local c

	cd "$repo"
	for c in lib/*/*.c lib/*/*/*.c; do
		# Not what only the loader writes, nor what sanitizers add.
		objdump -t "$PROF_BUILD/${c%.c}.o" | awk -v c="$c" '
			$0 ~ / O \.(data|bss|tdata|tbss)/ && $0 !~ /\.rel\.ro/ && $NF !~ /san/ {
				sub(/\.[0-9]+$/, "", $NF); print c "  " $NF }'
	done | sort >"$BATS_TEST_TMPDIR/found"
	diff <(of_the_process) "$BATS_TEST_TMPDIR/found"
}
