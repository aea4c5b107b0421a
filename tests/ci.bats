#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: prof-diff prof-report
# share/ci: the script compares two revisions of a repository; the files for GitHub and GitLab
# call it with options that it has.

load tools.bash

ci=$TESTS/../share/ci

# repository: three revisions of a program; the second costs the same, the third more.
repository() {
	git init -q app
	cd app
	git config user.name tests
	git config user.email tests@example.org
	cat >app.c <<-'E'
	#include <stdio.h>
	#include <stdlib.h>

	static unsigned
	mix(unsigned a)
	{
		return a * 2654435761u ^ a >> 13;
	}

	int
	main(int argc, char **argv)
	{
		unsigned i, sum = 0, n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
		char *p = malloc(4000);

		for (i = 0; i < n; i++)
			sum += mix(i);
		printf("%u %d\n", sum, getchar() + !p);
		return 0;
	}
	E
	printf 'app: app.c\n\tcc -g -O0 -o app app.c\n' >Makefile
	echo x >input
	git add .
	git commit -qm one
	echo >>app.c
	git commit -qam two
	sed -i 's/^return a \*/return a + 1 - 1 == a ? mix2(a) : a */; s/^static unsigned$/&\nmix2(unsigned a)\n{\nreturn a * 3 ^ a >> 7 ^ a << 3 ^ (a + 1) * 5;\n}\n\n&/' app.c
	git commit -qam three
}

@test "a revision that costs the same passes, one that costs more fails, with a report" {
	repository
	git checkout -q HEAD~1
	run -0 --separate-stderr "$ci/prof-ci.sh" --run './app 20000' --input input HEAD~1
	has '^- Gate on `Ir`: passed\.$' <<<"$output"
	git checkout -q -
	run -1 --separate-stderr "$ci/prof-ci.sh" --run './app 20000' --input input HEAD~1
	has '^- Gate on `Ir`: failed: 1 function and the total over the limit\.$' <<<"$output"
	[ "$output" = "$(cat prof-ci/report.md)" ]
	grep -q '`mix2` | `[^`]*app.c:[0-9]*`' prof-ci/report.md
	grep -q '`return a \* 3 ^' prof-ci/report.md	# the source of the new revision
	[ "$(jq -r '.grew[0].function' prof-ci/report.json)" = mix2 ]
	xmllint --noout prof-ci/new.svg
	[ "$(ls prof-ci)" = "$(printf '%s\n' new.1.callgrind.prof.zst new.svg \
		old.1.callgrind.prof.zst report.json report.md)" ]
	[ "$(git worktree list | wc -l)" = 1 ]
	# Limits of one's own, and the same report again.
	run -0 --separate-stderr "$ci/prof-ci.sh" --run './app 20000' --input input HEAD~1 \
		--fail-over 500% --min-cost 90%
	cp prof-ci/report.md want
	run -0 --separate-stderr "$ci/prof-ci.sh" --run './app 20000' --input input HEAD~1 \
		--fail-over 500% --min-cost 90%
	diff want prof-ci/report.md
}

@test "heaps of two revisions are compared by DHAT and Massif" {
	repository
	sed -i 's/malloc(4000)/malloc(90000)/' app.c
	git commit -qam four
	for tool in dhat massif; do
		run -1 --separate-stderr "$ci/prof-ci.sh" --tool $tool --run ./app --input input \
			HEAD~1
		[ "$status" = 1 ] || { echo "$stderr"; return 1; }
		xmllint --noout prof-ci/difference.svg
		grep -q '`main`' prof-ci/report.md
	done
}

@test "what cannot be built, run or compared is neither a pass nor a failure" {
	repository
	fails() {
		run -2 --separate-stderr "$ci/prof-ci.sh" "${@:2}"
		grep -q -- "$1" <<<"$stderr" || { echo "$stderr"; return 1; }
		[ "$(git worktree list | wc -l)" = 1 ]
	}
	fails 'usage: ' HEAD
	fails "expected callgrind, massif, dhat or perf, found 'gprof'" --tool gprof --run ./app HEAD
	fails 'nosuch is no revision of this repository' --run ./app nosuch
	fails 'HEAD~1 does not build' --run ./app --build false HEAD~1
	fails 'the old revision does not run: status 127' --run ./nosuch HEAD~1
	fails 'the comparison failed' --run ./app HEAD~1 --fail-over x
	fails 'cannot read nosuch' --run ./app --input nosuch HEAD~1
}

@test "the files for GitHub and GitLab are YAML, and call the script as it is called" {
	yamllint -d '{extends: relaxed, rules: {line-length: {max: 100}, document-start: disable}}' \
		"$ci"/*.yml
	python3 - "$ci" <<-'E'
	import re, sys, yaml
	ci = sys.argv[1]
	script = open(ci + "/prof-ci.sh").read()
	options = set(re.findall(r"^\t(--[a-z]+)\)", script, re.M))
	assert len(options) == 6, options
	action = yaml.safe_load(open(ci + "/action.yml"))
	assert action["runs"]["using"] == "composite"
	step = action["runs"]["steps"][0]
	used = set(re.findall(r"inputs\.([a-z-]+)", str(step["env"])))
	assert used == set(action["inputs"]), used
	for name in set(re.findall(r"\$\{?([A-Z_]+)", step["run"])):
	    assert name in step["env"] or name.startswith("GITHUB_"), name
	job = yaml.safe_load(open(ci + "/gitlab.yml"))["prof"]
	lines = step["run"] + " ".join(job["script"])
	given = set(re.findall(r"(--[a-z-]+)", lines)) - {"--fail-over"}
	assert given and given <= options, given
	for name in set(re.findall(r"\$\{?([A-Z_]+)", " ".join(job["script"]))):
	    assert name in job["variables"] or name.startswith("CI_"), name
	E
	# The steps of the action run.
	repository
	python3 -c 'import sys, yaml; print(yaml.safe_load(open(sys.argv[1]))["runs"]["steps"][0]["run"])' \
		"$ci/action.yml" >step.sh
	run -1 env GITHUB_ACTION_PATH="$ci" GITHUB_STEP_SUMMARY="$PWD/summary" BASE=HEAD~1 BUILD=make \
		RUN='./app 20000' TOOL=callgrind RUNS= FAIL_OVER=1% bash -e step.sh
	grep -q '^- Gate on `Ir`: failed' summary
}
