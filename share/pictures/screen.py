#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Draws a screen of a program as SVG: what it shows in a terminal of tmux after some keys.

    screen.py COLUMNSxLINES KEYS COMMAND >PICTURE.svg

KEYS are separated by blanks, in tmux's names; the COMMAND is for the shell.
"""
import os, re, subprocess, sys, tempfile, time
from xml.sax.saxutils import escape

WIDTH, HEIGHT, SIZE = 7.2, 15, 12	# of a cell; of letters
BACK, FRONT = "#fdfdfd", "#24292e"
BASIC = {33: "#9a6700", 36: "#0e7490"}
LIKE = {208: "#c2570a", 39: "#0969da"}	# legible ones for the tools' two colours


def run(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


def capture(size, keys, command):
    """Returns the lines of the screen, with escapes, when they no longer change."""
    socket = os.path.join(tempfile.mkdtemp(), "socket")
    tmux = ["tmux", "-S", socket, "-f", "/dev/null"]
    columns, lines = size.split("x")
    run(*tmux, "new-session", "-d", "-x", columns, "-y", lines,
        "TERM=xterm-256color LC_ALL=C.UTF-8 " + command, ";", "set", "status", "off")
    for key in [None] + keys:
        if key:
            run(*tmux, "send-keys", key)
        before = None
        while True:
            time.sleep(0.4)
            now = run(*tmux, "capture-pane", "-peN")
            if now == before and now.strip():
                break
            before = now
    run(*tmux, "kill-server")
    return before.split("\n")[:int(lines)]


def cells(line, state):
    """Yields runs of text and their looks: colour, bold, dim, reverse."""
    for escapes, text in re.findall(r"((?:\x1b\[[0-9;]*m)*)([^\x1b]*)", line):
        for codes in re.findall(r"\x1b\[([0-9;]*)m", escapes):
            codes = [int(c or 0) for c in codes.split(";")]
            while codes:
                c = codes.pop(0)
                if c == 0:
                    state.clear()
                elif c in (1, 2, 7):
                    state[c] = True
                elif c == 38 and codes[0] == 5:
                    state["color"] = LIKE.get(codes[1], FRONT)
                    codes = codes[2:]
                elif c == 39:
                    state.pop("color", None)
                elif c in BASIC:
                    state["color"] = BASIC[c]
        if text:
            yield text, dict(state)


def draw(lines, columns):
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="'
           'ui-monospace,DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="%d">'
           % (columns * WIDTH + 16, len(lines) * HEIGHT + 16, SIZE),
           '<rect width="100%%" height="100%%" rx="6" fill="%s" stroke="#d0d7de"/>' % BACK]
    state = {}
    for n, line in enumerate(lines):
        x = 0
        for text, look in cells(line, state):
            color, back = look.get("color", FRONT), None
            if look.get(7):
                color, back = BACK, color
            at = (8 + x * WIDTH, 8 + n * HEIGHT)
            if back:
                out.append('<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>'
                           % (at[0], at[1], len(text) * WIDTH, HEIGHT, back))
            if text.strip():
                out.append('<text x="%.1f" y="%d" textLength="%.1f" lengthAdjust="spacing'
                           'AndGlyphs" xml:space="preserve" fill="%s"%s%s>%s</text>'
                           % (at[0], at[1] + SIZE - 1, len(text) * WIDTH, color,
                              ' font-weight="bold"' if look.get(1) else "",
                              ' opacity="0.6"' if look.get(2) else "", escape(text)))
            x += len(text)
    out.append("</svg>")
    return "\n".join(out) + "\n"


lines = capture(sys.argv[1], sys.argv[2].split(), sys.argv[3])
sys.stdout.write(draw(lines, int(sys.argv[1].split("x")[0])))
