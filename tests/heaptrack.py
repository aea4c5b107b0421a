#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
# Folded stacks of a stream from heaptrack, as heaptrack_print -F prints them:
#
#	prof-cat FILE | tests/heaptrack.py EVENT | sort
#
# heaptrack_print leaves out operator new, what is above main and the like, and above an
# address that is 0; it has the functions of an address from the innermost to the outermost.
import os
import sys

NEW = {"operator new(unsigned long)", "operator new[](unsigned long)",
       "operator new(unsigned int)", "operator new[](unsigned int)"}
STOP = {"main", "__libc_start_main", "__static_initialization_and_destruction_0"}


def field(s):
    return None if s == "-" else s


path, func, ctx, event = {}, {}, {}, {}


def frame(name, file):
    return name + (" (%s)" % os.path.basename(path[file]) if file is not None else "")


def addresses(c):
    """The addresses of a stack from the leaf on: the frames of each, innermost first."""
    while c is not None:
        inner = []
        while ctx[c][5]:
            inner.append(ctx[c])
            c = ctx[c][0]
        outer = ctx[c]
        yield inner + [outer], outer[4]
        c = outer[0]


def folded(c):
    out = []
    for frames, addr in addresses(c):
        name = func.get(frames[0][1])
        if addr is None and frames[0][1] is None:
            break
        if name in NEW:
            continue
        out.append("".join(frame(func.get(f[1]) or ("" if i else addr), f[2]) + ";"
                           for i, f in enumerate(frames)))
        if name in STOP:
            break
    return "".join(reversed(out)) if c is not None else "??"


for line in sys.stdin.buffer.read().decode(errors="surrogateescape").splitlines():
    f = line.split("\t")
    if f[0] == "event":
        event[f[2]] = int(f[1])
    elif f[0] == "file":
        path[f[1]] = f[2]
    elif f[0] == "func":
        func[f[1]] = field(f[2])
    elif f[0] == "ctx":
        ctx[f[1]] = (field(f[2]), field(f[3]), field(f[4]), field(f[5]), field(f[6]), "inlined=1" in f[7:])
    elif f[0] == "sample":
        values = f[2:] + ["0"] * 5
        text = "%s %s\n" % (folded(field(f[1])), values[event[sys.argv[1]]])
        sys.stdout.buffer.write(text.encode(errors="surrogateescape"))
