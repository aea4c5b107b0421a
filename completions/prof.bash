# SPDX-License-Identifier: ISC
# shellcheck shell=bash
# Completion of prof, prof-annotate, prof-cat, prof-grep, prof-merge, prof-diff, prof-to,
# prof-top, prof-tree, prof-view and prof-report for bash.  What can be completed is what the programs say that
# they have.

# The word $1 without its quotes, in $_prof_word.  $_prof_kept is how much of it
# stands before what readline will replace, which begins behind a character of
# COMP_WORDBREAKS or a quote; $_prof_quote is a quote that is still open.
_prof_unquote() {
	local s=$1 c i
	_prof_word='' _prof_quote='' _prof_kept=0
	for ((i = 0; i < ${#s}; i++)); do
		c=${s:i:1}
		if [[ $c == "$_prof_quote" ]]; then
			_prof_quote=''
		elif [[ ! $_prof_quote && $c == [\'\"] ]]; then
			_prof_quote=$c _prof_kept=${#_prof_word}
		elif [[ $c == \\ && $_prof_quote != \' ]]; then
			((++i))
			_prof_word+=${s:i:1}
		else
			_prof_word+=$c
			if [[ ! $_prof_quote && $COMP_WORDBREAKS == *"$c"* ]]; then
				_prof_kept=${#_prof_word}
			fi
		fi
	done
}

# The words of the line in $_prof_words, the number of the one at the cursor in
# $_prof_at: bash has cut them at COMP_WORDBREAKS, too.
_prof_split() {
	local rest=$COMP_LINE i word
	_prof_words=() _prof_at=0
	for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
		word=${COMP_WORDS[i]}
		if ((i)) && [[ $word && $rest == "$word"* ]]; then
			_prof_words[${#_prof_words[@]} - 1]+=$word
		else
			_prof_words+=("$word")
		fi
		rest=${rest#*"$word"}
		((i != COMP_CWORD)) || _prof_at=$((${#_prof_words[@]} - 1))
	done
}

# What --list-options says of option $1: $_prof_arg, $_prof_choices.
_prof_option() {
	local long letter
	while IFS=$'\037' read -r long letter _prof_arg _ _prof_choices; do
		[[ $1 != "$long" && $1 != "$letter" ]] || return 0
	done <<<"$_prof_list"
	_prof_arg='' _prof_choices=''
}

# Is the argument of option word $1 the next word?  $_prof_arg is what it is then.
_prof_takes() {
	local i
	_prof_arg=''
	case $1 in
	--*=*) ;;
	--*)
		_prof_option "$1"
		[[ $_prof_arg != =* ]] || _prof_arg='' ;;
	*)
		for ((i = 1; i < ${#1}; i++)); do
			_prof_option "-${1:i:1}"
			if [[ $_prof_arg ]]; then
				((i + 1 == ${#1})) || _prof_arg=''
				return
			fi
		done ;;
	esac
}

# The records $1 of the profiles on the line, else of the newest one here.  Of a
# pipeline, bash shows the command at the cursor only.
_prof_records() {
	local files=() f limit=() IFS=$'\n'
	shopt -u failglob	# in a subshell, as all calls are
	for f in "${_prof_files[@]}"; do
		# Of what the shell expands, that which runs no command.
		f=${f/#\~\//"$HOME"/}
		[[ ! $f =~ ^\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?(.*) ]] ||
			f=${!BASH_REMATCH[1]-}${BASH_REMATCH[2]}
		[[ ! -f $f ]] || files+=("$f")
	done
	if ((!${#files[@]})); then
		# The patterns are expanded here, each one with and without a suffix.
		for f in $(prof-cat --list-formats 2>/dev/null | cut -f 4 |
			tr ' ' '\n' | sed '/./!d; p; s/$/.zst/; p; s/zst$/gz/'); do
			[[ -f $f && (! ${files[0]-} || $f -nt ${files[0]}) ]] && files=("$f")
		done
	fi
	if ((!${#files[@]})); then
		# Of the newest few that are called otherwise, the first that is one.
		for f in $(ls -t 2>/dev/null | head -n 20); do
			[[ -f $f ]] && prof-cat --probe -- "$f" >/dev/null 2>&1 && files=("$f") && break
		done
	fi
	((${#files[@]})) || return
	# Nobody waits for a large profile: what has been read until then will do.
	# There are systems without timeout.
	if type timeout >/dev/null 2>&1; then
		limit=(timeout 0.3)
	fi
	"${limit[@]}" prof-cat --lenient -- "${files[@]}" 2>/dev/null |
		head -c 32000000 2>/dev/null | case $1 in
	event) awk -F '\t' '$1 == "event" && NF > 3 { print $3 }
		$1 ~ /^(cost|call|jump|sample|point|vprof|raw|total|end)$/ { exit }' ;;
	# A line that was cut has no six fields.
	func) awk -F '\t' '/^func\t/ && NF >= 6 && !seen[$3]++ { print $3 }' ;;
	# Nor does another line follow it.  A comma ends a value.
	meta) awk -F '\t' 'facts { printf "%s", facts; facts = "" }
		/^meta\t/ { for (i = 3; i <= NF; i++)
			if ($i != "-" && $i !~ /,/ && !seen[$2, $i]++)
				facts = facts $2 "=" $i "\n" }' ;;
	# What needs an escape can hardly be typed, but for a backslash.
	esac | sed 's/\\\\/\
/g; /\\/d; s/\n/\\/g; /^$/d'
}

# Names of functions; where they are regular expressions, as such.  A name is also
# found by what a regular expression has before its special characters.
_prof_functions() {
	local word fixed=''
	for word in "${_prof_words[@]}"; do
		[[ $word != --fixed-strings && $word != -[!-]*F* && $word != -F* ]] || fixed=1
	done
	_prof_records func | word=${_prof_word#"$_prof_lead"} fixed=$fixed awk '
		{ r = $0; gsub(/[[\\^$*+?(){|]/, "\\\\&", r) }
		index($0, ENVIRON["word"]) == 1 || index(r, ENVIRON["word"]) == 1 {
			print ENVIRON["fixed"] ? $0 : r }'
}

# The same for the operand of prof-grep: names that begin with "-" only behind "--",
# which is offered in their place.
_prof_pattern() {
	_prof_functions | awk -v ended="$ended" 'ended || !/^-/ { print; next }
		!dashes++ { print "--" }'
}

# The formats that can be read, or written.
_prof_formats() {
	prof-cat --list-formats 2>/dev/null |
		awk -F '\t' -v what="$1" '$2 ~ what { print $1 }'
}

# Lines of standard input that continue the word at the cursor become replies, with
# $1 before them.  A regular expression continues what it matches, too.
_prof_reply() {
	local line before=$_prof_lead$1
	# In bytes: what is no text would take the end of its line along.
	while LC_ALL=C IFS= read -r line; do
		line=$before$line
		[[ $line == "$_prof_word"* ||
			($_prof_kept == 0 && ${line//\\/} == "$_prof_word"*) ]] || continue
		line=${line:_prof_kept}
		case $_prof_quote in
		\') line=${line//\'/\'\\\'\'} ;;
		\")
			line=${line//\\/\\\\} line=${line//\"/\\\"}
			line=${line//\$/\\\$} line=${line//\`/\\\`} ;;
		*) [[ $line != *[!A-Za-z0-9_./:=,+-]* ]] || printf -v line %q "$line" ;;
		esac
		COMPREPLY+=("$line")
	done
}

# The options; with what they are for if they are only shown, not inserted.
_prof_options() {
	local long arg help
	while IFS=$'\037' read -r long _ arg help _; do
		[[ $long == "$_prof_word"* ]] || continue
		# An argument that may be left out.
		[[ $arg != =* ]] || COMPREPLY+=("$long=")
		COMPREPLY+=("$long")
		[[ $COMP_TYPE != 63 ]] || COMPREPLY[${#COMPREPLY[@]} - 1]+="  $help"
	done <<<"$_prof_list"
}

# Lines of standard input that are not in the list $1 yet.
_prof_unlisted() {
	LC_ALL=C grep -vxF -e "${1//,/$'\n'}"
}

# The rules that are installed, and what may be a file of them.
_prof_rules() {
	local word=${_prof_word#"$_prof_lead"}
	prof-grep --list-rules 2>/dev/null | cut -f 1
	compgen -f -- "$word" | grep -E '\.ya?ml$'
	compgen -d -S / -- "$word"
}

# Completes an argument that --list-options calls $1, with the words $2.
_prof_argument() {
	local before='' word=${_prof_word#"$_prof_lead"} between='[^A-Za-z0-9_.]'
	[[ $1 == FILE ]] || compopt +o default 2>/dev/null
	# Of a list, or a formula, the last name.
	[[ $1 != KEY=VALUE ]] || between=,
	[[ ! $word =~ ^.*$between ]] || before=${BASH_REMATCH[0]}
	case $1 in
	COL*)
		_prof_reply "$before" < <({
			echo "${2//|/$'\n'}"
			_prof_records event | sed 'p; s/$/.incl/'
		} | _prof_unlisted "$before") ;;
	KEY=VALUE)
		_prof_reply "$before" < <(_prof_records meta) ;;
	*LIST*)
		if [[ $2 ]]; then
			_prof_reply "$before" < <(_prof_unlisted "$before" <<<"${2//|/$'\n'}")
		else
			_prof_reply "$before" < <(_prof_records event | _prof_unlisted "$before")
		fi ;;
	FILE) ;;	# readline's own
	DIR) compopt -o dirnames 2>/dev/null ;;
	'FILE|NAME')
		_prof_reply '' < <(_prof_rules)
		[[ ${#COMPREPLY[@]} != 1 || $COMPREPLY != */ ]] || compopt -o nospace 2>/dev/null ;;
	FORMAT) _prof_reply '' < <(_prof_formats read) ;;
	RE | PATTERN) _prof_reply '' < <(_prof_functions) ;;
	*)
		[[ ! $2 ]] || _prof_reply '' <<<"${2//|/$'\n'}" ;;
	esac
}

_prof_tool() {
	local _prof_word _prof_quote _prof_kept _prof_words _prof_at _prof_list
	local _prof_arg='' _prof_choices='' _prof_lead='' _prof_files=()
	local i word ended='' operands=0 pattern=1 here='' here_arg here_choices

	COMPREPLY=()
	_prof_list=$("$1" --list-options 2>/dev/null | tr '\t' '\037')
	_prof_split
	# What is before the cursor says what is there; files may stand behind it.
	for ((i = 1; i < ${#_prof_words[@]}; i++)); do
		if ((i == _prof_at)); then
			here=$ended,$operands,$pattern
			here_arg=$_prof_arg here_choices=$_prof_choices
			_prof_arg=''
			continue
		fi
		_prof_unquote "${_prof_words[i]}"
		word=$_prof_word
		if [[ $_prof_arg ]]; then
			_prof_arg=''
		elif [[ $ended || $word != -?* ]]; then
			operands=$((operands + 1))
			_prof_files+=("$word")
		elif [[ $word == -- ]]; then
			ended=1
		else
			case $word in
			--regexp* | --file | --file=* | --where* | --events* | --rules* | -[!-]*[ef]* | -[ef]*)
				pattern='' ;;
			esac
			_prof_takes "$word"
		fi
	done
	IFS=, read -r ended operands pattern <<<"$here"
	_prof_unquote "${_prof_words[_prof_at]}"
	if [[ $here_arg ]]; then
		_prof_argument "$here_arg" "$here_choices"
	elif [[ ! $ended && $_prof_word == --*=* ]]; then
		_prof_lead=${_prof_word%%=*}=
		_prof_option "${_prof_lead%=}"
		_prof_argument "${_prof_arg#=}" "$_prof_choices"
	elif [[ ! $ended && $_prof_word == -[!-]?* ]]; then
		_prof_lead=${_prof_word:0:2}
		_prof_option "$_prof_lead"
		[[ ! $_prof_arg ]] || _prof_argument "$_prof_arg" "$_prof_choices"
	elif [[ ! $ended && $_prof_word == -* ]]; then
		[[ $1 != *prof-grep || $_prof_word != - || $operands != 0 || ! $pattern ]] ||
			_prof_reply '' < <(_prof_pattern)
		_prof_options
	elif [[ $1 == *prof-to && $operands == 0 ]]; then
		_prof_reply '' < <(_prof_formats write)
	elif [[ $1 == *prof-grep && $operands == 0 && $pattern ]]; then
		compopt +o default 2>/dev/null
		_prof_reply '' < <(_prof_pattern)
	fi
}

# prof TOOL ... is completed as prof-TOOL ...
_prof() {
	if [[ $1 != prof && $1 != */prof ]]; then
		_prof_tool "$1"
	elif ((COMP_CWORD == 1)); then
		mapfile -t COMPREPLY < <(compgen -W "$("$1" --help | awk '/^  / { printf "%s ", $1 }')" \
			-- "${COMP_WORDS[1]}")
	else
		COMP_LINE=$1-${COMP_LINE#*prof[[:blank:]]}
		COMP_WORDS=("$1-${COMP_WORDS[1]}" "${COMP_WORDS[@]:2}")
		((COMP_CWORD--))
		_prof_tool "${COMP_WORDS[0]}"
	fi
}

complete -o default -F _prof prof prof-annotate prof-cat prof-grep prof-merge prof-diff prof-to prof-top prof-tree prof-view prof-report
