#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: prof-top
# Releases: the tarball, static programs, which do not tell where they were built, and what
# packages say of the project.

repo=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
PATH=${PROF_BIN:-$repo/build/bin}:$PATH
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

@test "a release has what the tree has, without owner, of one time, executable or not" {
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

# The static tarballs of both trees; `static` has what is in one.
static() {
	[ ! -e static ] || return 0
	tree one CFLAGS='-O0 -g' static
	tree 'second tree' CFLAGS='-O0 -g' static
	linux=prof-$version-linux-$(uname -m)
	mkdir static
	tar --strip-components 1 -C static -xzf "one/build/$linux.tar.gz"
	echo "$linux" >linux
}

@test "neither the programs nor their tarball tell where or when they were built" {
	static
	linux=$(cat linux)
	cmp "one/build/$linux/bin/prof" "second tree/build/$linux/bin/prof"
	# They have debugging information, which is where it would stand.
	readelf -S "one/build/$linux/bin/prof" | grep -q '\.debug_info'
	cmp "one/build/$linux.tar.gz" "second tree/build/$linux.tar.gz"
	[ "$(tar --numeric-owner --utc -tvzf "one/build/$linux.tar.gz" |
		awk '{ print $2, $4, $5 }' | sort -u)" = '0/0 2023-11-14 22:13' ]
	cd one/build
	sha256sum "$linux.tar.gz" "prof-$version.tar.gz" | cmp - SHA256SUMS
}

# What the static program shows of each example is what the other one shows, and in an empty
# root, which has no file but these.
@test "the static program needs no other file" {
	static
	[ "$(readelf -ldW static/bin/prof | grep -c -e INTERP -e NEEDED)" = 0 ]
	alone=(chroot "$PWD/static" /bin/prof)
	[ "$(id -u)" = 0 ] || alone=("$PWD/static/bin/prof")
	cd static
	diff <("${alone[@]}" top --version) <(prof-top --version | sed 's/ISA-L, //')
	for f in share/prof/examples/*.{zst,gz,folded,prof,otlp,tachyon}; do
		# Those have addresses of the machine's C library, which the root has not.
		[[ $f != *legacy* ]] || continue
		diff <("${alone[@]}" top "$f" 2>&1) <(prof-top "$f" 2>&1)
	done
	f=share/prof/examples/wordcount.callgrind.zst
	diff <("${alone[@]}" top --rules recursion $f) <(prof-top --rules recursion $f)
	for z in xz bzip2 lz4; do
		$z -c share/prof/examples/calc.folded >a.$z
		diff <("${alone[@]}" top a.$z) <(prof-top share/prof/examples/calc.folded)
		rm a.$z
	done
}

@test "the static tarball has all that is installed, and the licences of what is linked" {
	static
	tree one PREFIX=/usr DESTDIR="$PWD/root" CFLAGS='-O0 -g' STATIC=yes \
		B="build/$(cat linux)" install
	(cd root/usr && find . ! -type d | sort) >want
	(cd static && find . ! -type d ! -path './share/doc/*' | sort) | diff want -
	(cd static/share/doc/prof && ls) | diff - <(printf '%s\n' LICENSE NEWS.md README.md libraries)
	for library in libzstd-dev libdw-dev libiberty-dev libc6-dev LGPL-3; do
		[ -s static/share/doc/prof/libraries/$library ]
	done
}

# installs PATTERN: the packages in the README's command in which it stands, without
# what every build in Debian has.
installs() {
	sed -n "/$1/s/.*apt-get install \([^&\`]*\).*/\1/p" "$repo/README.md" | tr -s ' ' '\n' |
		grep -vx -e '-.*' -e gcc -e g++ -e libc6-dev -e make -e binutils -e gzip -e perl |
		sort
}

# The packages that the Debian package is built with, a line each, those for tests
# alone with their mark.
needs() {
	awk '/^[^ ]/ { on = $1 == "Build-Depends:" } on' "$repo/share/debian/control" |
		sed 's/^[^ ]*:\{0,1\} *//; s/,$//; /^debhelper/d' | sort
}

@test "the Debian package is built and tested with what the README names" {
	installs '^| Debian' >want
	grep -qx libzstd-dev want
	needs | sed '/<!nocheck>$/d' | diff -u want -
	installs '&& make check$' >want
	grep -qx valgrind want
	needs | sed 's/ <!nocheck>$//' | sort | diff -u want -
	# The installed package is tested with no others.
	sed -n 's/^Depends: @, //p' "$repo/share/debian/tests/control" | sed 's/, /\n/g' |
		grep -vx -e gcc -e libc6-dev -e perl | sort | tee few | comm -23 - want | diff /dev/null -
	[ "$(wc -l <few)" -ge 3 ]
}

@test "the Debian package has the version and the licence of the project" {
	sed -n '1s/^prof-tools (\(.*\)-[^-]*) .*/\1/p' "$repo/share/debian/changelog" | diff "$repo/VERSION" -
	sed -n '3s/^Copyright (c) //p' "$repo/LICENSE" >holder
	sed -n 's/^Copyright: //p' "$repo/share/debian/copyright" | diff holder -
	sed '1,4d' "$repo/LICENSE" >text
	sed '1,/^License: ISC$/d' "$repo/share/debian/copyright" |
		sed '1,/^License: ISC$/d; s/^ //; s/^\.$//' | diff text -
}

@test "packages for other systems have the project's version and needs" {
	cd "$repo"
	v=$(cat VERSION)
	[ "$(sed -n 's/^Version: *//p' share/rpm/prof-tools.spec)" = "$v" ]
	[ "$(sed -n 's/^pkgver=//p' share/alpine/APKBUILD)" = "$v" ]
	sed -n 's/^| Fedora .*dnf install \([^`]*\)`.*/\1/p' README.md | tr ' ' '\n' | sort |
		diff - <(sed -n 's/^BuildRequires: *//p' share/rpm/prof-tools.spec)
	grep -q "^  url \".*/prof-$v.tar.gz\"$" share/homebrew/prof-tools.rb
	sed -n 's/^| Homebrew .*brew install \([^`]*\)`.*/\1/p' README.md | tr ' ' '\n' | sort |
		diff - <(sed -n 's/^  depends_on "\([^"]*\)".*/\1/p' share/homebrew/prof-tools.rb | sort)
}

@test "the formula has the sum of the release" {
	tree one formula
	sum=$(sha256sum <"one/build/prof-$version.tar.gz" | cut -d ' ' -f 1)
	grep -qx "  sha256 \"$sum\"" one/build/prof-tools.rb
	diff <(grep -v '^  sha256' "$repo/share/homebrew/prof-tools.rb") \
		<(grep -v '^  sha256' one/build/prof-tools.rb)
}

# The files that an RPM package lists are all those that are installed, and no others.
@test "the RPM package has all that is installed" {
	static
	sed -n '/^%files/,/^$/p' "$repo/share/rpm/prof-tools.spec" |
		sed -n 's,%{_bindir},/bin,; s,%{_mandir},/share/man,; s,%{_datadir},/share,; /^\//p' >globs
	(cd static && find . ! -type d ! -path './share/doc/*' | cut -c 2-) >files
	while read -r f; do
		for g in $(cat globs); do
			# shellcheck disable=SC2053
			[[ $f != $g && $f != $g/* ]] || continue 2
		done
		echo "$f is not packaged"
	done <files >missing
	diff /dev/null missing
	for g in $(cat globs); do
		# shellcheck disable=SC2086
		ls -d static$g >/dev/null
	done
}
