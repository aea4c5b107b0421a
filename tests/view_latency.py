#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Measures the processor time that prof-view takes for each key, in milliseconds.

    view_latency.py KEYS COMMAND...

KEYS are separated by commas: characters, or UP, DOWN, LEFT, RIGHT, ENTER and BACK.  Each is
pressed when the one before is done; the first line is the time until the first screen.
"""
import fcntl, os, pty, select, struct, sys, termios, time

NAMES = {"DOWN": "\x1b[B", "UP": "\x1b[A", "LEFT": "\x1b[D", "RIGHT": "\x1b[C",
         "ENTER": "\r", "BACK": "\x7f"}


def used(pid):
    """Returns the nanoseconds of processor time of all threads."""
    total = 0
    for task in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/schedstat" % (pid, task)) as f:
            total += int(f.read().split()[0])
    return total


def settle(pid, fd):
    """Waits until it neither draws nor computes; returns what it has used."""
    quiet, before = 0, used(pid)
    while quiet < 8:
        if select.select([fd], [], [], 0.05)[0]:
            os.read(fd, 65536)
            quiet = 0
        now = used(pid)
        quiet = 0 if now != before else quiet + 1
        before = now
    return before


def main():
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execvp(sys.argv[2], sys.argv[2:])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    before = settle(pid, fd)
    print("%8.1f  open" % (before / 1e6))
    for key in sys.argv[1].split(","):
        os.write(fd, NAMES.get(key, key).encode())
        now = settle(pid, fd)
        print("%8.1f  %s" % ((now - before) / 1e6, key))
        before = now
    os.write(fd, b"q")
    os.waitpid(pid, 0)


main()
