#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: prof-top util
# What shells complete.  Each shell is a real one.

bats_require_minimum_version 1.5.0

load shells.bash

setup() {
	repo=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
	PATH=${PROF_BIN:-$repo/build/bin}:$PATH
	export PATH repo
	export LC_ALL=C.UTF-8
	cd "$BATS_TEST_TMPDIR" || return 1
	cat >callgrind.out.1 <<-'END'
	version: 1
	events: Ir Dr Dw
	ob=/bin/prog
	fl=a.c
	fn=main
	1 10 1 1
	fn=std::vector<int, a>::push_back(int)
	2 5 1 1
	fn=std::map::find
	3 5 1 1
	fn=fib'2
	4 5 1 1
	fn=it's "$x" \ `y`
	5 5
	END
	cp callgrind.out.1 'my file.cg'
}

@test "bash completes options and their words" {
	in_bash prof-top --by | expect --by
	in_bash prof-top --cal | expect --callers --callees
	# All that the program has, and no other.
	for t in prof-annotate prof-cat prof-grep prof-merge prof-diff prof-to prof-top prof-tree prof-view prof-report; do
		in_bash $t -- | sed 's/=$//' | uniq >got
		diff <($t --list-options | cut -f 1) got
	done
	in_bash prof-diff a b --scope '' | expect function total both
	in_bash prof-diff a b --scope=t | expect total
	in_bash prof-top --color= | expect always never auto
	in_bash prof-top --help | expect --help= --help	# either will do
	in_bash prof-top --help=a | expect all
	in_bash prof-top --by file,l | expect file,line
	in_bash prof-top --by file,f | expect file,function	# once is enough
	in_bash prof-top -rb o | expect object
	in_bash prof-top -bo | expect -bobject
	in_bash prof-top -n '' | expect ''
	# The second tab shows what they are for.
	type=63 in_bash prof-top --cal | expect '--callers  list the callers of matching functions' \
		'--callees  list the functions that matching functions call'
}

@test "bash completes formats and rules" {
	in_bash prof-to '' >got
	prof-cat --list-formats | awk -F '\t' '$2 ~ /write/ { print $1 }' | diff -u - got
	in_bash prof-to js | expect json
	in_bash prof-to --strict js | expect json
	in_bash prof-to json js | expect ''
	in_bash prof-cat --from=gmon-b | expect gmon-bsd44 gmon-bsd
	in_bash prof-cat --from js | expect ''	# it is only written
	in_bash prof-top --rules rec | expect recursion
	# Files of rules, no others.
	: >record.yaml
	: >record.out
	mkdir records
	in_bash prof-top --rules rec | expect recursion record.yaml records/
}

@test "bash completes the events of the profile on the line" {
	sed 's/Ir Dr Dw/Cy Cz Dr/' callgrind.out.1 >other
	in_bash prof-top other --events C | expect Cy Cz
	in_bash prof-top --events C | expect ''
	in_bash prof-top --events '' | expect Ir Dr Dw	# the newest here
	in_bash prof-top other -k Dr,C | expect Dr,Cy Dr,Cy.incl Dr,Cz Dr,Cz.incl
	in_bash prof-top -k '' | expect self inclusive calls function file object Ir Ir.incl Dr Dr.incl \
		Dw Dw.incl
	in_bash prof-top "'my file.cg'" --events=Ir+D | expect Ir+Dr Ir+Dw
	in_bash prof-diff other other --fail-over D | expect Dr
	# Behind the cursor, too.
	bash --norc -c '. "$repo/completions/prof.bash"
		COMP_LINE="prof-top --events C other" COMP_CWORD=2
		COMP_WORDS=(prof-top --events C other)
		_prof prof-top; echo "${COMPREPLY[@]}"' | expect 'Cy Cz'
	# What an option writes is not read.
	in_bash prof-cat -o other --events C | expect ''
}

@test "bash completes functions as the shell and the pattern need them" {
	in_bash prof-grep ma | expect main
	in_bash prof-top callgrind.out.1 --callers ma | expect main
	in_bash prof-grep -v ma | expect main
	in_bash prof-grep -e main ma | expect ''	# that is a file
	in_bash prof-grep main ma | expect ''
	in_bash prof-grep -iA 2 ma | expect main
	# Readline replaces what stands behind the last colon, or the quote.
	in_bash prof-grep std::m | expect map::find
	in_bash prof-grep std:: | expect 'vector\<int\,\ a\>::push_back\\\(int\\\)' map::find
	in_bash prof-grep "'std::v" | expect 'std::vector<int, a>::push_back\(int\)'
	in_bash prof-grep "'std::vector<int, a>::push_back(" |
		expect 'std::vector<int, a>::push_back\(int\)'
	in_bash prof-grep -F "'std::v" | expect 'std::vector<int, a>::push_back(int)'
	in_bash prof-grep fi | expect "fib\\'2"
	in_bash prof-grep "'fi" | expect "fib'\\''2"
	in_bash prof-grep '"fi' | expect "fib'2"
	# What the shell makes of it is the name, and finds it.
	for start in it "'it" '"it'; do
		reply=$(in_bash prof-grep -F "$start")
		case $start in [\'\"]*) reply=${start:0:1}$reply${start:0:1} ;; esac
		echo "$reply"
		bash -c "prof-grep -c -F $reply callgrind.out.1" | expect 1
		reply=$(in_bash prof-grep "$start")
		case $start in [\'\"]*) reply=${start:0:1}$reply${start:0:1} ;; esac
		echo "$reply"
		bash -c "prof-grep -c $reply callgrind.out.1" | expect 1
	done
}

# falls_back WORD...: what readline does where there is no reply.
falls_back() {
	bash --norc -i -c '
		. "$repo/completions/prof.bash"
		compopt() { echo "$*"; }
		COMP_LINE=$* COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_prof "$1"' bash "$@" 2>/dev/null | grep -qx -- '+o default' && echo no || echo files
}

@test "where no file is wanted bash offers none" {
	mkdir empty
	cd empty
	[ "$(falls_back prof-diff --fail-over '')" = no ]
	[ "$(falls_back prof-grep '')" = no ]
	[ "$(falls_back prof-top --callers '')" = no ]
	[ "$(falls_back prof-top --rules x)" = no ]
	[ "$(falls_back prof-top '')" = files ]
	[ "$(falls_back prof-grep main '')" = files ]
	[ "$(falls_back prof-cat -o '')" = files ]
}

@test "without a file on the line or a name like a profile's, any profile is used" {
	mkdir other
	mv callgrind.out.1 other/mine
	cd other
	echo 'no profile' >newer.txt
	touch -d '1 hour ago' mine
	in_bash prof-grep ma | expect main
	in_zsh 'prof-grep ma' | expect 'prof-grep main'
	in_fish 'prof-grep ma' | expect main
}

@test "zsh completes options and their words" {
	in_zsh 'prof-top --cal' 'prof-diff a b --scope ' 'prof-diff a b --scope=t' \
		'prof-top --color=al' 'prof-top --by file,f' 'prof-top -rb o' 'prof-top -bo' \
		'prof-top -n ' | expect 'prof-top --callees --callers=' \
		'prof-diff a b --scope both function total' 'prof-diff a b --scope=total' \
		'prof-top --color=always' 'prof-top --by file,function,' 'prof-top -rb object,' \
		'prof-top -bobject,' 'prof-top -n'
	# All that the program has, and no other.
	for t in prof-annotate prof-cat prof-grep prof-merge prof-diff prof-to prof-top prof-tree prof-view prof-report; do
		in_zsh "$t --" | tr ' ' '\n' | sed '1d; s/=$//' >got
		diff <($t --list-options | cut -f 1 | sort) <(sort got)
	done
}

@test "zsh completes formats and rules" {
	: >recent.out
	in_zsh 'prof-to js' 'prof-to --strict js' 'prof-to json js' 'prof-cat --from=gmon-b' \
		'prof-cat --from js' 'prof-top --rules rec' | expect 'prof-to json' \
		'prof-to --strict json' 'prof-to json js' \
		'prof-cat --from=gmon-bsd --from=gmon-bsd44' 'prof-cat --from js' \
		'prof-top --rules recursion'
}

@test "zsh completes the events of the profile on the line" {
	sed 's/Ir Dr Dw/Cy Cz Dr/' callgrind.out.1 >other
	in_zsh 'prof-top other --events C' 'prof-top --events C' 'prof-top --events ' \
		'prof-top other -k Dr,C' 'prof-top -k ' 'prof-top my\ file.cg --events=Ir+I' \
		'prof-diff other other --fail-over D' 'prof-cat -o other --events C' |
		expect 'prof-top other --events Cy Cz,' 'prof-top --events C' \
		'prof-top --events Dr Dw Ir,' \
		'prof-top other -k Dr,Cy Dr,Cy.incl Dr,Cz Dr,Cz.incl,' \
		'prof-top -k Dr Dr.incl Dw Dw.incl Ir Ir.incl calls file function inclusive object self,' \
		'prof-top my\ file.cg --events=Ir+Ir,' 'prof-diff other other --fail-over Dr,' \
		'prof-cat -o other --events C'
}

@test "zsh completes functions as the shell and the pattern need them" {
	in_zsh 'prof-grep ma' 'prof-top --callers=ma' 'prof-grep -vi ma' 'prof-grep main ma' \
		'prof-grep -e main ma' 'prof-grep std::' "prof-grep 'std::v" \
		"prof-grep 'std::vector<int, a>::push_back(" "prof-grep -F 'std::v" |
		expect 'prof-grep main' 'prof-top --callers=main' 'prof-grep -vi main' \
		'prof-grep main ma' 'prof-grep -e main ma' \
		'prof-grep std::map::find std::vector\<int,\ a\>::push_back\\\(int\\\)' \
		"prof-grep 'std::vector<int, a>::push_back\\(int\\)'" \
		"prof-grep 'std::vector<int, a>::push_back\\(int\\)'" \
		"prof-grep -F 'std::vector<int, a>::push_back(int)'"
	# What the shell makes of it is the name, and finds it.
	in_zsh 'prof-grep -c -F it' "prof-grep -c 'it" 'prof-grep -c "it' 'prof-grep -c fi' >lines
	[ "$(wc -l <lines)" = 4 ]
	while IFS= read -r line; do
		echo "$line"
		zsh -f -c "$line callgrind.out.1" | expect 1
	done <lines
}

@test "fish completes options and their words" {
	in_fish 'prof-top --cal' | expect --callees --callers
	HOME=$PWD fish --no-config -c '. $repo/completions/prof.fish
		complete -C "prof-top --by"' |
		expect $'--by\tone row per function, file, object, line, ...'
	for t in prof-annotate prof-cat prof-grep prof-merge prof-diff prof-to prof-top prof-tree prof-view prof-report; do
		in_fish "$t --" | sed 's/=$//' | sort -u >got
		diff <($t --list-options | cut -f 1 | sort) got
	done
	in_fish 'prof-diff a b --scope ' | expect both function total
	in_fish 'prof-diff a b --scope=t' | expect --scope=total
	in_fish 'prof-top --color=' | expect --color={always,auto,never}
	in_fish 'prof-top --help=' | expect --help={all,own}
	in_fish 'prof-top --by file,l' | expect file,line
	in_fish 'prof-top --by file,f' | expect file,function
	in_fish 'prof-top -bo' | expect -bobject
	[ -z "$(in_fish 'prof-top -n ')" ]
}

@test "fish completes formats and rules" {
	in_fish 'prof-to js' 'prof-to --strict js' 'prof-to json js' | expect json json
	in_fish 'prof-cat --from=gmon-b' | expect --from=gmon-bsd --from=gmon-bsd44
	# Fish offers also words in whose description these letters follow each other.
	in_fish 'prof-to svg' | expect svg
	[ -z "$(in_fish 'prof-cat --from svg' | grep -x svg)" ]
	: >recent.out
	: >recent.yaml
	in_fish 'prof-top --rules rec' | sort | expect recent.yaml recursion
}

@test "fish completes the events of the profile on the line" {
	sed 's/Ir Dr Dw/Cy Cz Dr/' callgrind.out.1 >other
	in_fish 'prof-top other --events C' | expect Cy Cz
	in_fish 'prof-top --events ' | expect Dr Dw Ir
	in_fish 'prof-top other -k Dr,C' | expect Dr,Cy Dr,Cy.incl Dr,Cz Dr,Cz.incl
	in_fish 'prof-top -k ' | sort | expect Dr Dr.incl Dw Dw.incl Ir Ir.incl calls file \
		function inclusive object self
	in_fish 'prof-top my\ file.cg --events=Ir+D' | expect --events=Ir+Dr --events=Ir+Dw
	in_fish 'prof-diff other other --fail-over D' | expect Dr
	[ -z "$(in_fish 'prof-cat -o other --events C')" ]
}

@test "fish completes functions as the shell and the pattern need them" {
	in_fish 'prof-grep ma' 'prof-grep -vi ma' | expect main main
	in_fish 'prof-top --callers=ma' | expect --callers=main
	[ -z "$(in_fish 'prof-grep main ma' 'prof-grep -e main ma')" ]
	in_fish 'prof-grep std::' | expect std::map::find 'std::vector<int, a>::push_back\(int\)'
	in_fish "prof-grep 'std::v" | expect 'std::vector<int, a>::push_back\(int\)'
	in_fish "prof-grep -F 'std::v" | expect 'std::vector<int, a>::push_back(int)'
	# What is shown is the name, and finds it.
	prof-grep -c "$(in_fish 'prof-grep it')" callgrind.out.1 | expect 1
	prof-grep -c -F "$(in_fish 'prof-grep -F it')" callgrind.out.1 | expect 1
}

# A function that would be an option where it stands.
with_dashes() {
	printf '%s\n' 'events: Ir' 'fn=main' '1 1' 'fn=-[NSString length]' '2 2' 'fn=-v' '3 3' >callgrind.out.1
}

@test "bash offers -- before a function that begins with -, for the operand" {
	with_dashes
	in_bash prof-grep '' | expect main --
	in_bash prof-grep m | expect main
	in_bash prof-grep - >got
	head -n 1 got | expect --
	sed 1d got | sed 's/=$//' | uniq | diff <(prof-grep --list-options | cut -f 1) -
	in_bash prof-top - | run ! grep -x -- --
	in_bash prof-grep main - | run ! grep -x -- --
	in_bash prof-grep -- '' | expect main '-\\\[NSString\ length\]' -v
	in_bash prof-grep -F -- - | expect '-\[NSString\ length\]' -v
	in_bash prof-grep -e - | expect '-\\\[NSString\ length\]' -v
	in_bash prof-top --callers - | expect '-\\\[NSString\ length\]' -v
	bash -c "prof-grep -c -- $(in_bash prof-grep -- '-[') callgrind.out.1" | expect 1
}

@test "zsh offers -- before a function that begins with -, for the operand" {
	with_dashes
	in_zsh 'prof-grep ' 'prof-grep m' 'prof-grep -- ' 'prof-grep -- -v' 'prof-grep -e -' 'prof-top --callers=-v' |
		expect 'prof-grep -- main' 'prof-grep main' \
		'prof-grep -- -\\\[NSString\ length\] -v main' 'prof-grep -- -v' \
		'prof-grep -e -\\\[NSString\ length\] -v' 'prof-top --callers=-v'
}

@test "fish offers -- before a function that begins with -, for the operand" {
	with_dashes
	in_fish 'prof-grep ' | expect main --
	in_fish 'prof-grep m' | expect main
	in_fish 'prof-grep -- ' | sort | expect '-\[NSString length]' -v main
	in_fish 'prof-grep -F -- -' | sort | expect '-[NSString length]' -v
	in_fish 'prof-grep -e ' | sort | expect '-\[NSString length]' -v main
	[ -z "$(in_fish 'prof-grep -- main ma' 'prof-grep -- -v ma')" ]
	prof-grep -c -- "$(in_fish 'prof-grep -- -\\')" callgrind.out.1 | expect 1
}

# Two parts, with facts that are shared, and such as shells take amiss.
with_facts() {
	for i in 1 2; do
		echo 'part'
		printf 'meta\t%s\n' "pid	$i" 'format	x' "cmd	./p $i \"a b\" \$HOME it's \\\\ x*" \
			'desc	one	two' 'desc	a,b' 'comment	a\nb'
		printf '%s\n' 'event	0	Ir	-	-	-'
		printf '%s\n' "func	$((i - 1))	main	-	-	-" "cost	$((i - 1))	-	1	-	5"
	done | sed 's/^part/&\t1/; 1i prof\t1
		$a end'
}

@test "bash completes the metadata of the profile on the line" {
	with_facts >p.prof
	facts=(pid=1 format=x './p 1' desc=one desc=two pid=2 './p 2')
	in_bash prof-cat p.prof --where '' | sed 's/^cmd=\(.*[12]\).*/\1/; s/\\//g' | expect "${facts[@]}"
	in_bash prof-cat p.prof --where=d | expect desc=one desc=two
	in_bash prof-cat p.prof --where pid=2,d | expect 2,desc=one 2,desc=two
	in_bash prof-cat p.prof --where nothing | expect ''
	# What the shell makes of it selects the part.
	for start in cmd=./p\\\ 2 "'cmd=./p 2" '"cmd=./p 2' "'pid=2,cmd=./p 2"; do
		reply=$(in_bash prof-cat p.prof --where "$start" | head -n 1)
		case $start in
		[\'\"]*) reply=${start:0:1}$reply${start:0:1} ;;
		*) reply=cmd=$reply ;;
		esac
		echo "$reply"
		eval "prof-cat --where $reply p.prof" | grep -P '^meta\tpid' | expect $'meta\tpid\t2'
	done
}

@test "zsh completes the metadata of the profile on the line" {
	with_facts >p.prof
	in_zsh 'prof-cat p.prof --where d' 'prof-cat p.prof --where=pid=2,f' \
		'prof-cat p.prof --where p' 'prof-cat p.prof --where nothing' |
		expect 'prof-cat p.prof --where desc=one desc=two' \
		'prof-cat p.prof --where=pid=2,format=x' 'prof-cat p.prof --where pid=1 pid=2' \
		'prof-cat p.prof --where nothing'
	in_zsh 'prof-cat p.prof --where cmd=./p\ 2' "prof-cat p.prof --where 'cmd=./p 2" \
		'prof-cat p.prof --where "cmd=./p 2' "prof-cat p.prof --where='pid=2,cmd=./p 2" >lines
	[ "$(wc -l <lines)" = 4 ]
	while IFS= read -r line; do
		echo "$line"
		zsh -f -c "$line" | grep -P '^meta\tpid' | expect $'meta\tpid\t2'
	done <lines
}

@test "fish completes the metadata of the profile on the line" {
	with_facts >p.prof
	in_fish 'prof-cat p.prof --where ' | sed 's/^cmd=\(.*[12]\).*/\1/' | sort |
		expect './p 1' './p 2' desc=one desc=two format=x pid=1 pid=2
	in_fish 'prof-cat p.prof --where=pid=2,f' | expect --where=pid=2,format=x
	for start in cmd=./p\\\ 2 "'cmd=./p 2" '"cmd=./p 2' "'pid=2,cmd=./p 2"; do
		reply=$(in_fish "prof-cat p.prof --where $start")
		echo "$reply"
		prof-cat --where "$reply" p.prof | grep -P '^meta\tpid' | expect $'meta\tpid\t2'
	done
}

@test "a profile is found after ~ and variables, and nothing is run" {
	mkdir 'a dir'
	sed 's/Ir Dr Dw/Cy Cz Dr/' callgrind.out.1 >'a dir/x'
	zstd -q 'a dir/x'
	export HOME="$PWD/a dir" D="$PWD/a dir"
	for file in '~/x' '$D/x.zst' '"$D/x"' 'a\ dir/x' "'a dir/x.zst'"; do
		echo "$file"
		in_bash prof-top "$file" --events C | expect Cy Cz
		in_zsh "prof-top $file --events C" | expect "prof-top $file --events Cy Cz,"
		fish --no-config -c '. $repo/completions/prof.fish; complete -C $argv' \
			"prof-top $file --events C" | cut -f 1 | expect Cy Cz
	done
	in_bash prof-top '${D}/x' --events C | expect Cy Cz
	in_zsh 'prof-top "${D}"/x --events C' | expect 'prof-top "${D}"/x --events Cy Cz,'
	in_bash prof-top '$(touch bad)' --events I | expect Ir
	in_zsh 'prof-top $(touch bad) --events I' | expect 'prof-top $(touch bad) --events Ir,'
	in_fish 'prof-top (touch bad) --events I' | expect Ir
	[ ! -e bad ]
}

@test "in a pipeline zsh and fish see the profile that its beginning reads" {
	sed 's/Ir Dr Dw/Cy Cz Dr/; s/=main/=other/' callgrind.out.1 >x
	in_zsh 'prof-cat x | prof-grep o' 'true; prof-cat x | prof-grep o | prof-top --events C' \
		'prof-diff x x | prof-top -k C' 'prof-cat x | prof-top callgrind.out.1 --events ' \
		'prof-cat x; prof-top --events C' 'prof-cat x && prof-top --events C' |
		expect 'prof-cat x | prof-grep other' \
		'true; prof-cat x | prof-grep o | prof-top --events Cy Cz,' \
		'prof-diff x x | prof-top -k Cy Cy.incl Cz Cz.incl,' \
		'prof-cat x | prof-top callgrind.out.1 --events Dr Dw Ir,' \
		'prof-cat x; prof-top --events C' 'prof-cat x && prof-top --events C'
	in_fish 'prof-cat x | prof-grep o' | expect other
	in_fish 'true; prof-cat x | prof-grep o | prof-top --events C' | expect Cy Cz
	in_fish 'prof-diff x x | prof-top -k C' | expect Cy Cy.incl Cz Cz.incl
	in_fish 'prof-cat x | prof-top callgrind.out.1 --events ' | expect Dr Dw Ir
	[ -z "$(in_fish 'prof-cat x; prof-top --events C')" ]
}

@test "without a profile nothing is completed, and nothing printed" {
	rm callgrind.out.1 "my file.cg"
	for line in 'prof-grep ' 'prof-top --events ' 'prof-top --where '; do
		read -ra words <<<"$line"
		in_bash "${words[@]}" '' | expect ''
		in_zsh "$line" | expect "${line% }"
	done
	in_bash prof-top -k '' | expect self inclusive calls function file object
	[ -z "$(in_fish 'prof-top --events ' 'prof-top --where ')" ]
	# Nor do options of the user's shell matter.
	bash --norc -c 'set -u; shopt -s failglob; . "$repo/completions/prof.bash"
		COMP_LINE="prof-top --events " COMP_CWORD=2 COMP_TYPE=9
		COMP_WORDS=(prof-top --events "")
		_prof prof-top; echo "${#COMPREPLY[@]}"' 2>&1 | expect 0
}

@test "no shell waits for a profile that takes long to read" {
	mkdir bin
	real=$(command -v prof-cat)
	export real
	cat >bin/prof-cat <<-'END'
	#!/bin/sh
	case $1 in --list-*) exec "$real" "$@" ;; esac
	printf 'prof\t1\npart\t1\nevent\t0\tIr\t-\t-\t-\nfunc\t0\tmain\t-\t-\t-\nfunc\t1\tma'
	exec sleep 60
	END
	chmod +x bin/prof-cat
	PATH=$PWD/bin:$PATH
	SECONDS=0
	in_bash prof-top --events I | expect Ir
	in_bash prof-top --callers m | expect main
	in_zsh 'prof-top --events I' 'prof-top --callers m' |
		expect 'prof-top --events Ir,' 'prof-top --callers main'
	in_fish 'prof-top --events I' 'prof-top --callers m' | expect Ir main
	[ $SECONDS -lt 20 ]
}

@test "without timeout no shell waits for a profile that does not end" {
	mkdir bin
	real=$(command -v prof-cat)
	export real
	for t in awk bash cat cut diff env fish grep head mkdir sed sort tr zsh \
		prof-annotate prof-grep prof-merge prof-diff prof-to prof-top prof-tree prof-view prof-report; do
		ln -s "$(command -v $t)" bin
	done
	cat >bin/prof-cat <<-'END'
	#!/bin/bash
	case $1 in --list-*) exec "$real" "$@" ;; esac
	printf 'prof\t1\npart\t1\nmeta\tpid\t7\nevent\t0\tIr\t-\t-\t-\nfunc\t0\tmain\t-\t-\t-\n'
	exec awk 'BEGIN { for (;;) print "cost\t0\t-\t1\t-\t1" }'
	END
	chmod +x bin/prof-cat
	ulimit -t 30
	SECONDS=0
	(
		PATH=$PWD/bin
		if type timeout; then exit 1; fi
		in_bash prof-top --events I | expect Ir
		in_bash prof-top --callers m | expect main
		in_bash prof-top --where p | expect pid=7
		in_fish 'prof-top --events I' 'prof-top --callers m' 'prof-top --where p' |
			expect Ir main pid=7
		# Who started the shell may have had it ignore SIGPIPE.
		trap '' PIPE
		in_bash prof-top --events I | expect Ir
		in_fish 'prof-top --events I' | expect Ir
	)
	zsh_path=$PWD/bin in_zsh 'prof-top --events I' 'prof-top --callers m' \
		'prof-top --where p' | expect 'prof-top --events Ir,' \
		'prof-top --callers main' 'prof-top --where pid=7'
	[ $SECONDS -lt 30 ]
}

@test "prof completes its tools, and then what they complete" {
	tools=$(prof --help | awk '/^  /{ print $1 }')
	[ "$(wc -w <<<"$tools")" -ge 8 ]
	in_bash prof '' | expect $tools
	in_bash prof t | expect top tree to
	in_bash prof top --cal | expect --callers --callees
	in_bash prof to js | expect json
	in_bash prof grep -F 'ma' | expect main
	in_zsh 'prof an' 'prof to spe' 'prof top --revers' |
		expect 'prof annotate' 'prof to speedscope' 'prof top --reverse'
	in_fish 'prof an' 'prof to spe' 'prof top --revers' 'prof grep fi' |
		expect annotate speedscope --reverse "fib'2"
}
