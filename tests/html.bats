#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: prof-top
# The manual as pages: complete, linked, and with nothing from elsewhere.

load tools.bash

@test "each page of the manual is there, and every link has an end" {
	local page link file
	"$TESTS/../share/html/site.sh" site
	[ "$(cd site && ls *.html | wc -l)" = "$(($(ls "$TESTS"/../man/*.[157] | wc -l) + 1))" ]
	for page in site/*.html; do
		echo "$page"
		grep -q 'name="viewport"' "$page"
		while read -r link; do
			file=${link%%#*}
			[ -z "$file" ] || [ -f "site/$file" ]
			[[ $link != *'#'* ]] || grep -qF "id=\"${link#*#}\"" "site/${file:-${page#site/}}"
		done < <(grep -oE '(href|src)="[^"]*"' "$page" | sed 's/^[a-z]*="//; s/"$//' | sort -u)
		run -1 grep -nE '(href|src)="[a-z]+:|<script|@import|url\(' "$page" site/style.css
	done
	# All pages can be reached from the first one.
	for page in "$TESTS"/../man/*.[157]; do
		grep -qF "href=\"$(basename "$page").html\"" site/index.html
	done
	# What a page says is there.
	grep -q 'href="prof-formats.7.html"' site/prof-top.1.html
	grep -q 'insert' site/prof.7.html
	for page in site/pictures/*.svg; do xmllint --noout "$page"; done
}
