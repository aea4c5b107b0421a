# SPDX-License-Identifier: ISC
# shellcheck shell=bash
# A terminal of tmux for what needs one.

unset NO_COLOR TMUX
export LC_ALL=C.UTF-8 TERM=xterm-256color

# stop: ends the terminal.
stop() {
	[ ! -v socket ] || tmux -S "$socket" kill-server 2>/dev/null || true
	unset socket
}

# start SIZE COMMAND: runs it in a terminal; its status is shown after it ends.
start() {
	stop
	socket=$(mktemp -u socket.XXX)
	rm -f modes
	tmux -S "$socket" -f /dev/null new-session -d -x "${1%x*}" -y "${1#*x}" \
		"PATH='$PATH' sh -c 'trap : INT TERM; $2; echo status \$?; stty -a >modes; cat'" \; set status off
}

# press KEY...
press() {
	tmux -S "$socket" send-keys "$@"
}

seen() {
	tmux -S "$socket" capture-pane -p
}

# soon COMMAND...: waits until it succeeds.
soon() {
	local i
	for ((i = 0; i < 100; i++)); do
		if "$@" >/dev/null; then return; fi
		sleep 0.1
	done
	echo "not in 10 s: $*"
	seen
	return 1
}

# has_line OPTION TEXT: grep's option; the screen is kept in a file.
has_line() {
	seen >screen
	grep -q "$1" -e "$2" screen
}

# shows [-E] TEXT: waits until it is on the screen.
shows() {
	if [ "$1" = -E ]; then soon has_line -E "$2"; else soon has_line -F "$1"; fi
}

no_line() {
	! has_line -F "$1" || false
}

# gone TEXT: waits until it is not on the screen.
gone() {
	soon no_line "$1"
}

# selected: the line that is.
selected() {
	tmux -S "$socket" capture-pane -pe | sed -n '2,$p' | grep -E $'\e\\[(0;)?7m' | sed 's/\x1b\[[0-9;]*m//g; s/ *$//'
}

is_selected() {
	selected | tr -s ' ' >selection
	grep -qE -e "$1" selection
}

# selects REGEX: waits until the line that is selected, with single spaces, matches.
selects() {
	soon is_selected "$1"
}
