#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Presses random keys in prof-view, and checks that `q` still ends it.

    view_walk.py SEED KEYS COMMAND...

The terminal changes its size now and then.  After the walk `q` must end the program, with
status 0, and the terminal must have the modes that it had before.
"""
import fcntl, os, pty, random, select, signal, struct, sys, termios, time

SPECIAL = ["\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F"]
KEYS = list("jkjkjk aatTswelRpd?oOrxx*<>1234566nNuucyYgGbhz\r\r\r\r\x7f\x7f\t") + SPECIAL
TYPED = ["/a\r", "/[\r", "/zzz\r", "/e\x1b", "&\x15^m\r", "&\r", "!\r", "!\x15lib\r",
         "&\x15nothing-is-named-so\r", "&\x15(\r", "u", "u"]


def resize(fd, rng):
    size = struct.pack("HHHH", rng.randint(1, 60), rng.randint(1, 200), 0, 0)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, size)


def drain(fd, seconds):
    """Reads what is there."""
    while select.select([fd], [], [], seconds)[0]:
        os.read(fd, 65536)
        seconds = 0


def start(fd, tty, command, term):
    """Runs the command in the terminal: returns its process."""
    pid = os.fork()
    if pid == 0:
        os.setsid()
        fcntl.ioctl(tty, termios.TIOCSCTTY, 0)
        for standard in range(3):
            os.dup2(tty, standard)
        os.close(fd)
        os.environ["TERM"] = term
        os.execvp(command[0], command)
    return pid


def ended(pid):
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def main():
    rng = random.Random(int(sys.argv[1]))
    keys = int(sys.argv[2])
    fd, tty = pty.openpty()
    modes = termios.tcgetattr(tty)
    pid = start(fd, tty, sys.argv[3:], rng.choice(["xterm-256color", "vt100", "screen"]))
    resize(fd, rng)
    pressed = []
    drain(fd, 5)
    for _ in range(keys):
        if ended(pid):
            break
        if rng.random() < 0.02:
            resize(fd, rng)
            pressed.append("<size>")
        key = rng.choice(TYPED) if rng.random() < 0.06 else rng.choice(KEYS)
        pressed.append(repr(key))
        os.write(fd, key.encode())
        drain(fd, 0.005)
    deadline = time.time() + 60
    while not ended(pid) and time.time() < deadline:
        os.write(fd, b"\rq")
        drain(fd, 0.2)
    if not ended(pid):
        os.kill(pid, signal.SIGKILL)
    status = os.waitpid(pid, 0)[1]
    if status or termios.tcgetattr(tty) != modes:
        print("seed", sys.argv[1], "status", status, "modes",
              termios.tcgetattr(tty) == modes, "after", " ".join(pressed[-30:]))
        return 1
    return 0


sys.exit(main())
