#!/bin/sh
# SPDX-License-Identifier: ISC
# Makes static pages of the manual and the pictures: no script, nothing from elsewhere.
#
#	share/html/site.sh DIRECTORY		needs mandoc
set -eu

mkdir -p "$1/pictures"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
cp share/html/style.css "$out"
cp share/pictures/*.svg "$out/pictures"

pages=$(ls man/*.[157])

# page_name FILE: its page's name.
page_name()
{
	echo "$(basename "$1").html"
}

# Links to pages that are here; of others the names alone.
here=
for page in $pages; do
	here="$here|$(page_name "$page")"
done

for page in $pages; do
	mandoc -T html -O man=%N.%S.html,style=style.css,toc "$page" |
		sed -E "s/href=\"(${here#|})\"/ref=\"\\1\"/g
			s/<a class=\"Xr\" href=\"[^\"]*\"[^>]*>([^<]*)<\\/a>/<span class=\"Xr\">\\1<\\/span>/g
			s/ ref=\"/ href=\"/g
			s/^<body>$/<body>\\n<nav><a href=\"index.html\">prof<\\/a><\\/nav>/" \
		>"$out/$(page_name "$page")"
done

# A section that a page names is often of another one, mostly prof(7).
for page in $pages; do
	file=$out/$(page_name "$page")
	grep -oE 'href="#[^"]*"' "$file" | sed 's/href="#//; s/"$//' | sort -u >"$out/sections"
	while read -r section; do
		grep -qF "id=\"$section\"" "$file" && continue
		at=$(cd "$out" && grep -lF "id=\"$section\"" prof.7.html ./*.html | head -n 1)
		[ -n "$at" ] || { echo "site.sh: $page: no section '$section'" >&2; exit 1; }
		sed "s|href=\"#$section\"|href=\"${at#./}#$section\"|g" "$file" >"$file.new"
		mv "$file.new" "$file"
	done <"$out/sections"
done
rm "$out/sections"

# about FILE: what the page is for, its .Nd.
about()
{
	sed -n 's/^\.Nd //p' "$1"
}

# list FILE...: pages with what they are for.
list()
{
	echo '<dl>'
	for page in "$@"; do
		name=$(basename "$page")
		printf '<dt><a href="%s.html">%s(%s)</a></dt>\n<dd>%s</dd>\n' "$name" \
			"${name%.*}" "${name##*.}" "$(about "$page")"
	done
	echo '</dl>'
}

{
	cat <<-E
	<!DOCTYPE html>
	<html lang="en">
	<head>
	<meta charset="utf-8"/>
	<meta name="viewport" content="width=device-width, initial-scale=1.0"/>
	<link rel="stylesheet" href="style.css" type="text/css"/>
	<title>prof $(cat VERSION)</title>
	</head>
	<body>
	<h1>prof $(cat VERSION)</h1>
	<p>Unix tools for profiles of CPU time and memory. They read the file that your profiler
	writes, show it in the terminal, compare two versions of a program, fail a build that got
	slower, and convert it for other viewers, exactly.</p>
	<p><img src="pictures/view.svg" alt="The call tree of a program in prof-view"/></p>
	<p><strong>Begin with <a href="prof-guide.7.html">prof-guide(7)</a></strong>: your profiler,
	step by step.</p>
	<h2>Tools</h2>
	E
	# shellcheck disable=SC2046 # no page has a blank in its name
	list $(ls man/*.1)
	echo '<h2>Overview, files and formats</h2>'
	list man/prof.7 man/prof-guide.7 man/prof-rules.5 man/prof-formats.7 man/prof-stream.5 \
		man/prof-fleet.7
	cat <<-E
	<h2>A difference, drawn</h2>
	<p><img src="pictures/tasks-sieve.svg" alt="Difference of two flame graphs: orange grew,
	blue shrank"/></p>
	</body>
	</html>
	E
} >"$out/index.html"
