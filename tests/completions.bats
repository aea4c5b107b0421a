#!/usr/bin/env bats
# What shells complete.  Each shell is a real one.

bats_require_minimum_version 1.5.0

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

# in_bash WORD...: the replies for the last word, a line each.  The words stand as
# the user would write them, bash's breaks at "=" and ":" included.
in_bash() {
	bash --norc --noprofile -c '
		. "$repo/completions/prof.bash"
		IFS=" "
		COMP_LINE=$*
		COMP_POINT=${#COMP_LINE}
		COMP_WORDS=()
		COMP_TYPE=${type:-9}
		for word; do	# a quoted one is left whole
			case $word in
			[\"\'"'"']*) COMP_WORDS+=("$word") ;;
			*)
				while IFS= read -r part; do
					COMP_WORDS+=("$part")
				done < <(sed -E "s/(:+|=)/\n\1\n/g; s/\n\$//" <<<"$word") ;;
			esac
		done
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_prof "$1"
		printf "%s\n" "${COMPREPLY[@]}"
	' bash "$@" 2>&1
}

# expect LINES...: they are what is on standard input, in that order.
expect() {
	diff -u <(printf '%s\n' "$@") -
}

@test "bash completes options and their words" {
	in_bash prof-top --by | expect --by
	in_bash prof-top --cal | expect --callers --callees
	# All that the program has, and no other.
	for t in prof-cat prof-grep prof-merge prof-diff prof-to prof-top; do
		in_bash $t -- | sed 's/=$//' >got
		diff <($t --list-options | cut -f 1) got
	done
	in_bash prof-diff a b --scope '' | expect function total both
	in_bash prof-diff a b --scope=t | expect total
	in_bash prof-top --color= | expect always never auto
	in_bash prof-top --by file,l | expect file,line
	in_bash prof-top -rb o | expect object
	in_bash prof-top -bo | expect -bobject
	in_bash prof-top -n '' | expect ''
	# The second tab shows what they are for.
	type=63 in_bash prof-top --cal | expect '--callers  who calls the functions that match' \
		'--callees  whom the functions that match call'
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
	: >record.yaml
	in_bash prof-top --rules rec | expect recursion record.yaml
}

@test "bash completes the events of the profile on the line" {
	sed 's/Ir Dr Dw/Cy Cz Dr/' callgrind.out.1 >other
	in_bash prof-top other --events C | expect Cy Cz
	in_bash prof-top --events C | expect ''
	in_bash prof-top --events '' | expect Ir Dr Dw	# the newest here
	in_bash prof-top other -k Dr,C | expect Dr,Cy Dr,Cz
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
