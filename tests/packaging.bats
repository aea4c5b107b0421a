#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Releases: the tarball, and programs that do not tell where they were built.

repo=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
unset SOURCE_DATE_EPOCH

# Two unpacked releases, in places whose names differ in length: `one`, made from a
# copy of this tree, and `second tree`, made from `one`.  Files there are for their
# owner alone, and one is of another time.
setup_file() {
	cd "$BATS_FILE_TMPDIR"
	version=$(cat "$repo/VERSION")
	mkdir copy
	tar -C "$repo" --exclude=./.git --exclude='./build*' -cf - . | tar -C copy -xf -
	dist copy SOURCE_DATE_EPOCH=1700000000
	unpack copy one
	touch -d 2001-02-03 one/NEWS.md
	TZ=Asia/Tokyo LC_ALL=C.UTF-8 dist one
	unpack one 'second tree'
}

setup() {
	cd "$BATS_FILE_TMPDIR"
	version=$(cat "$repo/VERSION")
}

# In its own build/, wherever the make that runs the tests has its.
tree() {
	make -s -C "$1" B=build SAN= "${@:2}"
}

dist() {
	tree "$1" dist "${@:2}"
}

unpack() {
	mkdir tmp
	(umask 077 && tar -C tmp --no-same-permissions -xzf "$1/build/prof-$version.tar.gz")
	mv "tmp/prof-$version" "$2"
	rmdir tmp
}

@test "make dist makes the same bytes of the same tree, and of a release" {
	cmp "copy/build/prof-$version.tar.gz" "one/build/prof-$version.tar.gz"
	# Neither a name nor a time stands in gzip's header.
	[ "$(od -An -tx1 -N8 "one/build/prof-$version.tar.gz")" = ' 1f 8b 08 00 00 00 00 00' ]
}

@test "a release has what the tree has, of nobody, of one time, executable or not" {
	tar --numeric-owner --utc -tvzf "one/build/prof-$version.tar.gz" >listing
	[ "$(awk '{ print $2, $4, $5 }' listing | sort -u)" = '0/0 2023-11-14 22:13' ]
	[ "$(cut -c 1-10 listing | sort -u | tr '\n' ' ')" = '-rw-r--r-- -rwxr-xr-x ' ]
	awk '{ print $6 }' listing >names
	LC_ALL=C sort -u names | cmp - names
	grep -qx "prof-$version/.ci/run" names
	grep -E 'rwx' listing | grep -q " prof-$version/share/debian/rules$"
	grep -E 'rw-r--' listing | grep -q " prof-$version/LICENSE$"
	diff -r "$repo/lib" one/lib
	diff -r "$repo/tests" one/tests
}

@test "the programs do not tell where they were built" {
	tree one CFLAGS='-O0 -g' build/bin/prof-cat
	tree 'second tree' CFLAGS='-O0 -g' build/bin/prof-cat
	cmp one/build/bin/prof-cat 'second tree/build/bin/prof-cat'
	# They have debugging information, which is where it would stand.
	readelf -S one/build/bin/prof-cat | grep -q '\.debug_info'
}
