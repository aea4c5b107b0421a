# SPDX-License-Identifier: ISC
# shellcheck shell=bash
# What shells complete; repo is the folder of the completions.

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

# in_zsh LINE...: what becomes of each with a TAB behind it, all matches inserted.
in_zsh() {
	cat >zsh.zsh <<-'END'
	zmodload zsh/zpty
	zpty z zsh -f -i
	zpty -w z "PS1= PS2= RPS1=; unsetopt zle_bracketed_paste prompt_cr prompt_sp
		fpath=(\$repo/completions \$fpath); autoload -Uz compinit; compinit -u -D
		all() { compstate[insert]=all compstate[list]= }
		shown() { comppostfuncs=(all); zle complete-word; print -r -- \"{{\$BUFFER}}\"; BUFFER= }
		zle -N shown; bindkey '^I' shown; print REA''DY"
	zpty -r z out '*READY*'
	for line; do
		zpty -w -n z "$line"$'\t'
		zpty -r z out '*{{*}}*'
		out=${${out##*\{\{}%\}\}*}
		print -r -- ${out% }
	done
	zpty -d z
	END
	TERM=dumb timeout 300 env PATH="${zsh_path:-$PATH}" zsh -f zsh.zsh "$@" 2>&1
}

# in_fish LINE...: the candidates for the end of each, without their descriptions.
in_fish() {
	HOME=$PWD fish --no-config -c '. $repo/completions/prof.fish
		for line in $argv; complete -C $line; end' -- "$@" 2>&1 | cut -f 1
}

# expect LINES...: they are what is on standard input, in that order.
expect() {
	diff -u <(printf '%s\n' "$@") -
}
