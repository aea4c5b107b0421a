#!/bin/sh
# SPDX-License-Identifier: ISC
# licences.sh DIRECTORY: copies there the licences of the Debian packages that archives come
# from, whose names it reads as `ld --trace` prints them.
set -eu

archives=$(sed -n 's/^(*\([^()]*\.a\).*/\1/p' | sort -u | xargs readlink -f | sort -u)
command -v dpkg >/dev/null || {
	echo "licences.sh: there is no dpkg: add the licences of these yourself:" "$archives" >&2
	exit 0
}

# An archive that is in no package ends this, as its licence would be missing.
owners=$(echo "$archives" | xargs dpkg -S)

mkdir -p "$1"
for package in $(echo "$owners" | sed 's/: .*//; s/:.*//' | sort -u); do
	cp -L "/usr/share/doc/$package/copyright" "$1/$package"
done

# Those that the packages only refer to.
common=/usr/share/common-licenses
grep -ho "$common/[A-Z][A-Za-z0-9.-]*[A-Za-z0-9]" "$1"/* | sort -u | while read -r text; do
	cp -L "$text" "$1"
done
