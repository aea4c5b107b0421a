#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: io
# Compressed profiles as input: by content, in frames and members, in pipes.

load tools.bash

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	gcc -g -O0 -o calls "$BATS_TEST_DIRNAME/real/calls.c"
	callgrind calls.cg --cache-sim=yes ./calls
}

# reads FILE...: each, as a file and through standard input, is the profile.
reads() {
	local f
	prof-cat "$(cg calls.cg)" >want.prof
	for f; do
		prof-cat "$f" | cmp - want.prof
		prof-cat <"$f" | cmp - want.prof
		cat "$f" | prof-cat - | cmp - want.prof
	done
}

# The other formats, by the programs that write them: they are only read.
others='xz bzip2 lz4'

@test "zstd and gzip are read, recognised by content and not by name" {
	f=$(cg calls.cg)
	zstd -q -c "$f" >a.zst
	gzip -c "$f" >a.gz
	cp a.zst called.gz
	cp a.gz called.zst
	cp a.zst plain
	cp "$f" plain.zst
	reads a.zst a.gz called.gz called.zst plain plain.zst
	prof-cat --probe a.zst called.zst plain.zst >got
	printf 'a.zst: callgrind, zstd\ncalled.zst: callgrind, gzip\nplain.zst: callgrind\n' |
		diff -u - got
}

@test "xz, bzip2 and lz4 are read, whatever their programs make of a file" {
	f=$(cg calls.cg)
	for z in $others; do
		$z -qc "$f" >called.$z.gz
		$z -q9c "$f" >best.$z
		$z -q1c <"$f" >fast.$z
		[ "$(prof-cat --probe called.$z.gz)" = "called.$z.gz: callgrind, $z" ]
	done
	xz -c --check=sha256 --x86 --lzma2=preset=6,dict=96MiB "$f" >filters.xz
	xz -c --block-size=5000 "$f" >blocks.xz
	lz4 -qc -B4 -BD -BX --content-size "$f" >blocks.lz4
	lz4 -qc --no-frame-crc "$f" >unchecked.lz4
	reads called.* best.* fast.* filters.xz blocks.* unchecked.lz4
	prof-cat --version | has 'liblzma [0-9.]*, libbz2 [0-9.]*, liblz4 [0-9.]*'
}

@test "what cannot be written is rejected, not written uncompressed" {
	for z in xz:xz bz2:bzip2 lz4:lz4; do
		exits_with 2 "--output: cannot write ${z#*:}: use .zst or .gz, or pipe to ${z#*:}" \
			prof-cat "$(cg calls.cg)" -o "out.${z%:*}"
	done
	[ "$(ls)" = "$(printf '%s\n' err out)" ]
	prof-cat "$(cg calls.cg)" --gzip -o out.xz
	gzip -dc <out.xz | cmp - <(prof-cat "$(cg calls.cg)")
}

@test "xz, bzip2 and lz4 are read in several streams, with zeros after them" {
	f=$(cg calls.cg)
	split -b 20000 "$f" piece.
	for z in $others; do
		: | $z -qc >empty.$z
		{
			cat empty.$z
			for p in piece.*; do $z -qc "$p"; done
			cat empty.$z
			head -c 512 /dev/zero
		} >more.$z
		prof-cat --probe empty.$z >got || true
		echo "empty.$z: empty, $z" | diff - got
	done
	{ lz4 -qc piece.aa; printf '\120\052\115\030\003\000\000\000abc'
		cat "$f" | tail -c +20001 | lz4 -qc; } >skip.lz4
	reads more.* skip.lz4
}

@test "an xz file that asks for much memory is rejected, not read in part" {
	xz -c --lzma2=preset=6,dict=512MiB "$(cg calls.cg)" >much.xz
	fails_with '^prof-cat: much.xz: corrupt xz data: it needs more than 128 MiB of memory$' \
		prof-cat much.xz
	limited 400000 prof-cat --probe much.xz 2>err || true
	has 'more than 128 MiB' err
}

# without: builds the program without any library that is optional, in `b`.  tests.bats runs
# these tests, too, maybe at the same time; make(1) has no blanks in names, as TMPDIR may.
without() {
	local h
	b=${PROF_BUILD:-$repo/build}/unpack-no
	mkdir -p "$b/none"
	# Headers that it must not need.
	for h in lzma bzlib lz4frame isa-l/igzip_lib dwarf gelf libiberty/demangle curses; do
		mkdir -p "$b/none/$(dirname "$h")"
		echo '#error "this is optional"' >"$b/none/$h.new"
		cmp -s "$b/none/$h.new" "$b/none/$h.h" || cp "$b/none/$h.new" "$b/none/$h.h"
	done
	flock "$b.lock" make -s -C "$repo" B="$b" CFLAGS=-O0 CPPFLAGS="-I$b/none" \
		{LIBLZMA,LIBBZ2,LIBLZ4,ISAL,ELFUTILS,IBERTY,NCURSES}=no "$b/bin/prof-cat" >log 2>&1
}

@test "a program built without a library reports it for files that need it" {
	without
	has '^libzstd [0-9.]*, zlib [0-9.]*, no elfutils, no libiberty: .*, no ncurses$' \
		<("$b/bin/prof-cat" --version)
	for z in $others; do
		$z -qc "$(cg calls.cg)" >a.$z
		fails_with "a.$z: compressed by $z: this program was built without its library: decompress it first\$" \
			"$b/bin/prof-cat" a.$z
		fails_with "a.$z: compressed by $z: this" "$b/bin/prof-cat" --probe a.$z
	done
	gzip -c "$(cg calls.cg)" | "$b/bin/prof-cat" | cmp - <(prof-cat "$(cg calls.cg)")
}

@test "a library that few runs need is loaded by them alone, and missed by them alone" {
	local file=(lzma.so.5 bz2.so.1.0 lz4.so.1) of=($others) i
	f=$(cg calls.cg)
	mkdir broken
	for l in lib{lzma.so.5,bz2.so.1.0,bz2.so.1,lz4.so.1,isal.so.2,dw.so.1,elf.so.1}; do
		: >"broken/$l"
	done
	missing() { LD_LIBRARY_PATH=broken:$LD_LIBRARY_PATH "$@"; }
	missing prof-cat "$f" | cmp - <(prof-cat "$f")
	# What the other library inflates is the same.
	gzip -c "$f" >a.gz
	missing prof-cat a.gz | cmp - <(prof-cat "$f")
	for i in 0 1 2; do
		${of[i]} -qc "$f" >a.${of[i]}
		fails_with "a.${of[i]}: compressed by ${of[i]}: .*lib${file[i]}: .*: decompress it first\$" \
			missing prof-cat a.${of[i]}
	done
	missing prof-cat --version >version
	has 'libzstd .*, zlib .*, no elfutils: .*libelf.so.1: ' version
	lacks version 'ISA-L|lzma|bz2|lz4'
	has '^libzstd .*, zlib .*, ISA-L, liblzma .*, libbz2 .*, liblz4 .*, elfutils 0' \
		<(prof-cat --version)
	printf 'main;[calls+0x1] 1\n' >a.folded
	fails_with 'calls: .*libelf.so.1: ' missing prof-top --exe "$BATS_FILE_TMPDIR/calls" a.folded
}

@test "several frames and members are read as one file" {
	f=$(cg calls.cg)
	split -b 20000 "$f" piece.
	[ "$(ls piece.* | wc -l)" -ge 3 ]
	for p in piece.*; do
		zstd -q -c "$p" >>frames.zst
		gzip -c "$p" >>members.gz
	done
	: | zstd -q -c >empty.zst
	: | gzip -c >empty.gz
	cat empty.zst frames.zst empty.zst >more.zst
	cat empty.gz members.gz empty.gz >more.gz
	# A skippable frame, and the zeros that tapes leave.
	{ printf '\120\052\115\030\003\000\000\000abc'; cat frames.zst; } >skip.zst
	{ cat members.gz; head -c 700 /dev/zero; } >padded.gz
	reads frames.zst members.gz more.zst more.gz skip.zst padded.gz
}

@test "compressed files are read when they come in small pieces" {
	f=$(cg calls.cg)
	prof-cat "$f" >want
	zstd -q -c "$f" >a.zst
	gzip -c "$f" >a.gz
	for z in $others; do
		$z -qc "$f" >a.$z
	done
	for a in a.zst a.gz a.xz a.bzip2 a.lz4; do
		perl -e '$| = 1; local $/ = \1021; while (<STDIN>) {
			print; select undef, undef, undef, 0.0005 }' <$a |
			prof-cat | cmp - want
		# The first bytes one by one: the magic comes in pieces.
		{ head -c 1 $a; sleep 0.05; head -c 2 $a | tail -c 1; sleep 0.05
			tail -c +3 $a; } | prof-cat | cmp - want
	done
}

@test "compressed streams are also read" {
	prof-cat "$(cg calls.cg)" | zstd -q | prof-top --tsv >got
	prof-top --tsv "$(cg calls.cg)" | diff -u - got
	prof-cat --zstd "$(cg calls.cg)" | prof-grep -x main | prof-to callgrind --gzip |
		prof-cat | grep -c '^call	' >got
	prof-grep -x main "$(cg calls.cg)" | grep -c '^call	' | diff -u - got
}

@test "a line may be as long as --max-line says, compressed or not" {
	# long BYTES: a profile whose third line, "fn=" and a name, has so many.
	long() {
		printf 'version: 1\nevents: Ir\nfn='
		head -c $(($1 - 3)) /dev/zero | tr '\0' a
		printf '\n1 7\n'
	}
	long 1048576 >fits
	long 1048577 >over
	prof-top --max-line 1 --tsv fits | tail -n 1 | cut -f 1 >got
	[ "$(wc -c <got)" = 1048574 ]
	fails_with 'over:3: the line is longer than 1 MiB: see --max-line$' prof-top --max-line 1 over
	gzip over
	fails_with 'over.gz:3: the line is longer than 1 MiB' prof-top --max-line 1 over.gz
	prof-top --tsv over.gz | tail -n 1 | cut -f 1 >got
	[ "$(wc -c <got)" = 1048575 ]
	# 64 MiB where nothing is said, of some kilobytes; 0 is no limit.
	long 67108865 | zstd -q >bomb.zst
	[ "$(wc -c <bomb.zst)" -lt 10000 ]
	fails_with 'bomb.zst:3: the line is longer than 64 MiB' prof-cat bomb.zst
	[ "$(prof-cat --max-line 0 bomb.zst | grep '^func' | cut -f 3 | wc -c)" = 67108863 ]
}

@test "what is read as a whole may have seven times as much as a line" {
	{
		printf 'gmon\1\0\0\0'
		head -c 16777300 /dev/zero
	} | zstd -q >g.zst
	[ "$(wc -c <g.zst)" -lt 2000 ]
	fails_with 'g.zst: larger than 7 MiB, in a format that is read whole: see --max-whole$' \
		prof-cat --max-line 1 g.zst
	fails_with 'g.zst: larger than 2 MiB' prof-cat --max-whole 2 g.zst
	fails_with 'g.zst: byte 16777308: the file is truncated' prof-cat --max-line 1 --max-whole 0 g.zst
	fails_with 'g.zst: byte 16777308: the file is truncated' prof-cat --max-line 0 g.zst
	# So half a gigabyte is enough for whatever is packed small.
	{
		printf 'gmon\1\0\0\0'
		head -c 1000000000 /dev/zero
	} | zstd -q >h.zst
	fails_with 'h.zst: larger than 448 MiB' limited 640000 prof-cat h.zst
}

@test "zlib and ISA-L read gzip's members in the same way" {
	# The other one is not in the programs that are tested, which say what is.
	local how b
	if prof-cat --version | has ISA-L; then
		without
	else
		b=${PROF_BUILD:-$repo/build}/inflate-yes
		flock "$b.lock" make -s -C "$repo" B="$b" CFLAGS=-O0 ISAL=yes "$b/bin/prof-cat" >log 2>&1
	fi
	gzip -c "$(cg calls.cg)" >one.gz
	cat one.gz one.gz >two.gz
	cp one.gz zeros.gz
	head -c 1000 /dev/zero >>zeros.gz
	(cat one.gz; echo garbage) >garbage.gz
	(cat one.gz; head -c 5 one.gz) >header.gz
	head -c -3 one.gz >trailer.gz
	head -c 2000 one.gz >cut.gz
	(head -c -8 one.gz; printf '12345678') >sum.gz
	(head -c -4 one.gz; printf 'size') >size.gz
	(printf '\037\213\007'; tail -c +4 one.gz) >method.gz
	: | gzip >empty.gz
	cat empty.gz empty.gz one.gz >late.gz
	for f in *.gz; do
		for how in "$PROF_BIN/prof-cat" "$b/bin/prof-cat"; do
			status=0
			"$how" --quiet <$f >out 2>err || status=$?
			echo "$f: $status $(cksum <out) $(sed 's/[^:]*: //; s/length check/data check/' err)"
		done
	done >got
	cat got
	sed -n 'p;n' got >want
	sed -n 'n;p' got | diff want -
	[ "$(grep -c ': 2 ' want)" = 8 ]
}
