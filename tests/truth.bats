#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: filter graph prof-diff prof-grep prof-merge prof-to prof-top prof-tree rules sum view
# shellcheck shell=bash
# Generated programs of which every answer is known: tests/truth/run.

load helper.bash

@test "what is printed of generated programs is true" {
	"$repo/tests/truth/run" --bin "$PROF_BIN" --keep "$PWD/found"
}

# liar TOOL: one that adds 1 to some of the digits that it prints, and gives the other
# answer where the status is one.
liar() {
	cat >"wrong/$1" <<-E
	#!/usr/bin/env perl
	open my \$f, '-|', '$PROF_BIN/$1', @ARGV or die;
	while (<\$f>) { s/(?<=[0-9 \t])([3-8])(?=\b)/\$1 + 1/e; print }
	close \$f;
	exit(grep(/^--fail-over/, @ARGV) && \$? >> 8 < 2 ? !(\$? >> 8) : \$? >> 8);
	E
	chmod +x "wrong/$1"
}

@test "what is not true is found by each check" {
	mkdir wrong
	for tool in "$PROF_BIN"/prof-*; do liar "$(basename "$tool")"; done
	"$repo/tests/truth/run" --list | sed 's/ .*//' | sort >checks
	run -1 "$repo/tests/truth/run" --bin wrong --all --cases 12 --stop 0
	# What is sorted and chosen is compared with what the same program prints.
	grep -vx order checks >want
	sed -n 's/^ *[0-9]*  \([a-z-]*\): .*/\1/p' <<<"$output" | sort -u | same want -
	# One that is found is kept, made smaller, with the command that finds it again.
	run -1 "$repo/tests/truth/run" --bin wrong --only top --cases 9 --stop 1 --keep found
	mapfile -t again < <(sed -n 's/^  again: *//p' found/*own_cost*/README)
	[[ "${again[0]}" = 'tests/truth/run --only top --seed 1 --from '* ]]
	# shellcheck disable=SC2086
	(cd "$repo" && run -1 ${again[0]} --bin "$OLDPWD/wrong" --stop 0)
	run -0 "$repo/tests/truth/run" --bin "$PROF_BIN" ${again[0]#*run }
}
