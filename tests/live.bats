#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: browse io prof-top prof-view
# Profiles that go on: prof-top --live and --follow, and prof-view in a terminal of tmux.

load tools.bash
load terminal.bash

# until_has FILE TEXT: waits until the file has a line with the text.
until_has() {
	local i
	for ((i = 0; i < 100; i++)); do
		if grep -qF -- "$2" "$1"; then return; fi
		sleep 0.1
	done
	echo "$1 does not get: $2"
	cat "$1"
	return 1
}

# feed FILE COMMAND...: runs the command in the background, with the FIFO `in` for its input,
# which descriptor 7 writes.
feed() {
	mkfifo in
	"${@:2}" <in >"$1" 2>err &
	pid=$!
	exec 7>in
}

teardown() {
	exec 7>&-
	stop
	[ ! -v pid ] || kill "$pid" 2>/dev/null || true
}

@test "tables follow a pipe that goes on, and the last one is of all" {
	feed out prof-top --live=0.2 --from folded
	printf 'main;a 1\nmain;b 2\n' >&7
	until_has out '3 samples in 1 profile'
	# A line without its end is not read yet.
	printf 'main;a 5\nmain;b 1' >&7
	until_has out '8 samples in 1 profile'
	until_has out ', 0 samples per second'
	lacks out '9 samples'
	printf '0\n' >&7
	exec 7>&-
	wait "$pid"
	printf 'main;a 1\nmain;b 2\nmain;a 5\nmain;b 10\n' | prof-top --from folded >want
	tail -n "$(wc -l <want)" out | diff want -
	grep -E '^live [0-9]+\.[0-9] s, [0-9]+ samples per second$' out
	[ ! -s err ]
}

@test "Ctrl-C leaves the last table, and a status that says so" {
	feed out env --default-signal=INT prof-top --live=0.2 --from folded
	printf 'main;a 1\nmain;b 2\n' >&7
	until_has out '3 samples in 1 profile'
	kill -INT "$pid"
	status=0
	wait "$pid" || status=$?
	[ "$status" = 130 ]
	printf 'main;a 1\nmain;b 2\n' | prof-top --from folded >want
	tail -n "$(wc -l <want)" out | diff want -
	grep -F 'interrupted: the result covers the input read so far' err
}

@test "a file that grows is followed" {
	printf 'main;a 1\n' >grows.folded
	env --default-signal=INT prof-top --follow --live=0.2 grows.folded >out 2>err &
	pid=$!
	until_has out '1 samples in 1 profile'
	printf 'main;b 41\n' >>grows.folded
	until_has out '42 samples in 1 profile'
	kill -INT "$pid"
	status=0
	wait "$pid" || status=$?
	[ "$status" = 130 ]
	prof-top grows.folded >want
	tail -n "$(wc -l <want)" out | diff want -
}

@test "what perf script prints is shown while it comes" {
	local all half
	zstd -qdo all.perf "$TESTS/../share/examples/calc.perf.zst"
	# The first half ends with a whole stack.
	awk 'BEGIN { RS = ""; ORS = "\n\n" } NR <= 40' all.perf >half.perf
	half=$(prof-top half.perf | sed -n '1s/ in .*//p')
	all=$(prof-top all.perf | sed -n '1s/ in .*//p')
	[ "$half" != "$all" ]
	feed out prof-top --live=0.2
	cat half.perf >&7
	until_has out "$half in 1 profile"
	tail -c +$(($(stat -c %s half.perf) + 1)) all.perf >&7
	until_has out "$all in 1 profile"
	exec 7>&-
	wait "$pid"
	prof-top all.perf >want
	tail -n "$(wc -l <want)" out | diff want -
}

@test "what cannot go on is rejected, and seconds are seconds" {
	printf 'rules: []\nmin-cost: 10\n' >r.yaml
	fails_with '^prof-top: --live and --follow cannot be combined with rules' \
		prof-top --live --rules r.yaml "$TESTS/../share/examples/calc.folded"
	fails_with "^prof-top: --live: expected seconds, such as 0.5, at most 4294.967295, found '0'" \
		prof-top --live=0 x
	# 2^32 microseconds do not fit.
	fails_with "at most 4294.967295, found '4294.967296'" prof-top --live=4294.967296 x
	prof-top --live=4294.967295 "$TESTS/../share/examples/calc.folded" >got
	fails_with "found '1%'" prof-top --live=1% x
	fails_with "found 'x'" prof-top --live=x x
	prof-top --live "$TESTS/../share/examples/calc.folded" >got
	prof-top "$TESTS/../share/examples/calc.folded" | diff - got
}

fifth_is_b() {
	seen | sed -n 5p | grep -E ' b$'
}

@test "a screen follows a pipe, and what is selected stays selected" {
	mkfifo in
	start 80x12 'prof-view --from folded <in'
	exec 7>in
	printf 'main;a 10\nmain;b 2\n' >&7
	shows '12 samples in 1 profile'
	press j
	selects ' b$'
	# b becomes the first one.
	printf 'main;b 20\n' >&7
	shows '32 samples in 1 profile'
	soon fifth_is_b
	selects ' b$'
	press p
	shows ', paused'
	printf 'main;c 100\n' >&7
	sleep 0.7
	seen | grep '32 samples in 1 profile'
	press p
	shows '132 samples in 1 profile'
	selects ' b$'
	exec 7>&-
	shows ', ended'
	press c
	shows '... | prof-top'
	press q
	shows 'status 0'
}

# await_rate: waits for a number of samples per second that is not 0, and writes it to `rate`.
await_rate() {
	local i
	for ((i = 0; i < 100; i++)); do
		seen | sed -nE '1s/.*, ([0-9,]+) samples per second.*/\1/p' | tr -d , >rate
		if grep -q '[1-9]' rate; then return; fi
		sleep 0.02
	done
	seen
	return 1
}

@test "the last second has what came in it alone" {
	mkfifo in
	start 80x12 'prof-view --from folded <in'
	exec 7>in
	printf 'main;a 10\nmain;b 2\n' >&7
	shows '12 samples in 1 profile'
	sleep 1.5
	press d
	shows ', the last second'
	shows '0 samples in 1 profile, 1 part'
	lacks screen '2 parts'
	printf 'main;b 20\nmain;d 7\n' >&7
	shows '27 samples in 1 profile, 1 part'
	lacks screen '2 parts'
	# It is of a second, and of the time, a fifth or more, that may pass between two.
	await_rate
	[ "$(cat rate)" -ge 9 ]
	[ "$(cat rate)" -le 28 ]
	seen | grep -E '^ *20 +74\.07 .* b$'
	seen | grep -E '^ *0 +0\.00 .* a$'
	press d
	shows '39 samples in 1 profile'
	press q
	shows 'status 0'
}

@test "the last second has each event by itself" {
	mkfifo in
	start 80x12 'prof-view <in'
	exec 7>in
	bars >&7 <<-'E'
	prof|1
	part|1|positions=line
	event|0|A|-|-|-
	event|1|B|-|-|-
	func|0|f|-|-|-
	cost|0|-|3|-|0|40
	cost|0|-|4|-|2
	E
	shows '2 A in 1 profile'
	sleep 1.5
	press d
	shows ', the last second'
	press e
	shows 'show this event'
	press j Enter
	shows '0 B in 1 profile'
	printf 'cost\t0\t-\t3\t-\t7\t1\n' >&7
	shows '1 B in 1 profile'
	seen | grep -E '^ *1 +100\.00 .* f$'
	press q
	shows 'status 0'
}

@test "the rate of the last second is that of the time between the two profiles" {
	mkfifo in
	start 80x12 'prof-view --from folded <in'
	exec 7>in
	printf 'main;a 10\n' >&7
	shows '10 samples in 1 profile'
	sleep 1.2
	press d
	shows ', the last second'
	# The profile before is that of before the pause, or was made when it began.
	press p
	shows ', paused'
	sleep 3
	printf 'main;b 4000\n' >&7
	press p
	await_rate
	[ "$(cat rate)" -le 2000 ]
	exec 7>&-
	press q
	shows 'status 0'
}

@test "folded lines of a tree, and the zoomed stack, stay so" {
	mkfifo in
	start 80x14 'prof-view --from folded <in'
	exec 7>in
	printf 'main;a;x 4\nmain;a;z 6\nmain;b;y 5\n' >&7
	shows '15 samples in 1 profile'
	press 3
	shows 'x'
	press j x
	shows '2 more'
	printf 'main;b;y 50\n' >&7
	shows '65 samples in 1 profile'
	shows '─a  … 2 more'
	shows '─b; y'
	press 6
	shows 'all'
	press j j Enter
	shows '55 samples  84.62 %  b'
	printf 'main;a;x 100\n' >&7
	shows '55 samples  33.33 %  b'
	seen | sed -n 2p | grep '^b'
}

@test "Ctrl-C ends the program that is measured, not the view; its error is reported" {
	start 80x12 'sh -c "trap - INT; while :; do echo \"main;a 1\"; sleep 0.1; done" | prof-view --from folded'
	shows 'samples in 1 profile'
	press C-c
	shows ', ended'
	press q
	shows 'status 0'
	printf 'main;a 1\nmain;b 2\nmain;c x\n' >bad.folded
	start 80x12 '{ head -n 2 bad.folded; sleep 1; tail -n 1 bad.folded; } | prof-view --from folded'
	shows '3 samples in 1 profile'
	shows 'standard input:3: '
	seen | grep '3 samples in 1 profile'
	press q
	shows 'status 2'
	# What was reported before it is shown, too, and printed at the end.
	large=170141183460469231731687303715884105727
	printf 'main;a 10\nmain;c x\nmain;b %s\nmain;b %s\n' $large $large >large.folded
	start 80x14 '{ head -n 1 large.folded; sleep 1; sed 1d large.folded; } |
		prof-view --from folded --lenient 2>err'
	shows '10 samples in 1 profile'
	shows 'warning: skipped: standard input:2: '
	shows '128 bits'
	press q
	shows 'status 2'
	has 'prof-view: warning: skipped: standard input:2: ' <err
	has 'prof-view: .*128 bits' <err
}

@test "what the input is warned of is shown whole in a narrow window, and printed at the end" {
	# Lines that are skipped, each with a warning of its own, of more than 2048 bytes.
	long=$(printf 'x%.0s' {1..300})
	{ echo 'main;a 10'; for i in {1..9}; do echo "main;$long $i?"; done; } >warned
	prof-top --from folded --lenient - <warned 2>want >table
	[ "$(wc -l <want)" = 10 ]
	for quiet in '' --quiet; do
		start 60x40 "{ head -n 1 warned; sleep 1; tail -n +2 warned; } | prof-view $quiet --from folded --lenient 2>err"
		shows '10 samples in 1 profile'
		shows ', ended'
		# Each of them begins a line, the last ends the screen.
		shows 'warning: skipped: standard input:10: '
		shows '9 malformed or truncated lines'
		seen | sed -n 1p | has ended
		[ "$(seen | tr -d '\n' | grep -o 'skipped: standard input:' | wc -l)" -ge 9 ]
		press j
		gone 'warning:'
		press q
		shows 'status 0'
		sed 's/prof-view/prof-top/' err | diff want -
	done
}

@test "a screen is drawn at most five times a second, from no more memory" {
	cat >watch.py <<-'E'
	import fcntl, os, pty, re, select, struct, sys, termios, time
	pid, fd = pty.fork()
	if pid == 0:
	    os.environ["TERM"] = "xterm"
	    os.execvp("sh", ["sh", "-c", "yes 'main;a;b;c 1' | prof-view --from folded"])
	fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

	def memory():
	    """The most of a process whose parent is prof-view."""
	    most = 0
	    for p in filter(str.isdigit, os.listdir("/proc")):
	        try:
	            status = open("/proc/%s/status" % p).read()
	            parent = re.search(r"PPid:\s*(\d+)", status).group(1)
	            own = open("/proc/%s/comm" % p).read(), open("/proc/%s/comm" % parent).read()
	        except OSError:
	            continue
	        high = re.search(r"VmHWM:\s*(\d+)", status)	# none: it has ended
	        if high and own[0] == own[1] == "prof-view\n":
	            most = max(most, int(high.group(1)))
	    return most

	def redraws(seconds):
	    """Reads what is drawn: the number of times after a silence."""
	    n, end, last = 0, time.time() + seconds, 0
	    while time.time() < end:
	        if select.select([fd], [], [], 0.1)[0]:
	            os.read(fd, 65536)
	            n += time.time() - last > 0.05
	            last = time.time()
	    return n

	redraws(2)
	before = memory()
	n = redraws(4)
	after = memory()
	os.write(fd, b"q")
	os.waitpid(pid, 0)
	print("KiB", before, after, "redraws", n)
	sys.exit(not (0 < before and after < before * 1.2 + 1000 and 4 <= n <= 21))
	E
	timeout 60 python3 watch.py
}
