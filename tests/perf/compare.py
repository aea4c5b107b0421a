#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""compare.py BIN DIR [NAME...]: reads recordings of perf by prof-cat of BIN and by perf, and
compares every sample: thread, time, event, period, command, and each function and object of
its stack; and the shares of commands and objects.  The recordings of recordings.py (NAME:
only these) are made in DIR, unless they are there; a NAME with a slash is a recording's path.

It prints a row for each recording, then what differs by kind, with an example of each.  Kinds
in which perf is known to be wrong, or both are right, have a reason; any other difference is
an error: the status is then 1.  Needs perf, nm, and the right to record."""
import collections
import functools
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from recordings import PROGRAMS, RAW, RECORDINGS, SOURCES

REASONS = {
    "alias": "another name of the same address: both right",
    "return address": "perf names the function after a call that ends one: ours right",
    "embedded": "code of a program's own file that its jitdump has, too: both right",
    "plt": "perf counts the entries of a procedure linkage table wrongly: ours is as binutils'",
    "private": "a file that a recording may not name (SECURITY.md), without a build ID in it",
    "other machine": "perf takes this machine's kernel and vdso for those of the recording",
    "garbage": "perf drops a whole chain that has an address it takes for a mark: ours right",
    "false root": "perf takes 0 or -1 for a caller, where the copy of the stack ends: ours right",
    "perf ends early": "perf's unwinder knows no more callers: ours right",
    "perf's limit": "perf shows 127 callers of a longer chain: ours right",
    "end of the copy": "the caller is where the copy of the stack ends: one of them has it",
    "perf skips callers": "perf's unwinder leaves out frames, or takes data for some: ours right",
    "unnamed by perf": "ours has a name in the symbols of the file",
}
WRONG = ("missing", "added", "command", "period", "unnamed by us", "function", "object", "length",
         "share")
HEAD = re.compile(r"^\s*(.+?)\s+(-?\d+)/(-?\d+)\s+(\d+\.\d+):\s+(\d+)\s+(\S+?):"
                  r"(?:\s*|\s+([0-9a-f]+ .* \(.*\)))$")
FRAME = re.compile(r"^\s*([0-9a-f]+) (.*?) \((.*)\)$")
JITTED = re.compile(r"/jit(ted)?-\d+(-\d+)?\.(so|dump)$")
UNKNOWN = "[unknown]"


def run(command, **more):
    return subprocess.run(command, capture_output=True, env=ENV, **more)


def lines(command):
    return run(command).stdout.decode("utf-8", "surrogateescape").split("\n")


# ---- what perf says: {(pid, tid, time, event): [(comm, period, frames)]} ----

def plain(event):
    """Without modifiers, which perf adds to events that have no name in the recording."""
    return re.sub(r":[a-zA-Z]+$", "", event)


def perf_frame(text):
    """(name, object, offset in the function, address)"""
    m = FRAME.match(text)
    name, _, offset = m[2].rpartition("+0x")
    return name or m[2], m[3], int(offset, 16) if name else 0, int(m[1], 16)


def perf_samples(path):
    samples = collections.defaultdict(list)
    for line in lines(["perf", "script", "-i", path, "--no-inline", "--no-demangle", "--ns", "-F",
                       "comm,pid,tid,time,period,event,ip,sym,symoff,dso"]):
        head = None if line.startswith("\t") else HEAD.match(line)
        if head:
            comm, pid, tid, time, period, event, alone = head.groups()
            frames = [perf_frame(alone)] if alone else []
            samples[pid, tid, time, plain(event)].append((comm, period, frames))
        elif line.strip():
            frames.append(perf_frame(line))
    return samples


# ---- what we say ----

def unescape(s):
    return re.sub(r"\\(?:x([0-9a-fA-F]{2})|(.))", lambda m: chr(int(m[1], 16)) if m[1] else
                  {"t": "\t", "n": "\n", "r": "\r"}.get(m[2], m[2]), s)


def our_samples(path):
    samples = collections.defaultdict(list)
    objects, functions, contexts = {}, {}, {}
    out = run([BIN + "/prof-cat", "--quiet", "--times", "--addr", "--no-demangle", path])
    if out.returncode:
        sys.exit("prof-cat %s: %s" % (path, out.stderr.decode()))
    for line in out.stdout.decode("utf-8", "surrogateescape").split("\n"):
        f = line.split("\t")
        if f[0] == "object":
            objects[f[1]] = unescape(f[2])
        elif f[0] == "func":
            name = unescape(f[2]) if f[2] != "-" else UNKNOWN
            functions[f[1]] = (name, objects.get(f[4], UNKNOWN))
        elif f[0] == "ctx":
            contexts[f[1]] = (f[2], functions[f[3]] + (int(f[6], 16) if f[6] != "-" else 0,))
        elif f[0] == "sample":
            labels = dict(unescape(l).split("=", 1) for l in f if re.match(r"[a-z]+=", l))
            values = [v for v in f[2:] if re.fullmatch(r"-?\d+", v)]
            period = next((v for v in values[1::2] if v != "0"), "0")
            frames, at = [], f[1]
            while at != "-":
                at, frame = contexts[at]
                frames.append(frame)
            tid, time = labels["tid"], labels.get("time", "0.000000000")
            samples[labels["pid"], tid, time, plain(labels["event"])].append(
                (labels.get("comm", ":" + tid), period, frames))
    return samples


# ---- names ----

@functools.lru_cache(maxsize=None)
def symbols(path):
    """The addresses of each name in a file, and in its debug information."""
    names = collections.defaultdict(set)
    if path.startswith("[kernel") or path.startswith("[") and path != "[vdso]":
        for line in open("/proc/kallsyms"):
            f = line.split()
            names[f[2]].add(f[0])
        return names
    if re.match(r"/tmp/perf-\d+\.map$", path):
        for line in open(path, errors="surrogateescape"):
            start, _, name = line.rstrip("\n").split(" ", 2)
            names[name].add(start)
        return names
    files = [path]
    note = run(["readelf", "-n", path]).stdout.decode()
    for key in re.findall(r"Build ID: (\w+)", note):
        files += ["/usr/lib/debug/.build-id/%s/%s.debug" % (key[:2], key[2:])]
    for file in files:
        for option in ([], ["-D"], ["--synthetic"], ["--synthetic", "-D"]):
            for line in lines(["nm"] + option + [file]):
                f = line.split()
                if len(f) == 3:
                    names[f[2]].add(int(f[0], 16))
                    names[f[2].split("@")[0]].add(int(f[0], 16))
    return names


def is_public(path):
    """May all users read it?"""
    while path != "/":
        if not os.stat(path).st_mode & 1:
            return False
        path = os.path.dirname(path)
    return True


def are_aliases(a, b, path):
    if path == "[vdso]":
        return a.replace("__vdso_", "") == b.replace("__vdso_", "")
    names = symbols(path)
    return bool(names.get(a, set()) & names.get(b, set()))


# ---- comparing ----

def is_of_here(path):
    """Was it recorded on this machine, with this kernel?"""
    header = run(["perf", "report", "--header-only", "-i", path]).stdout.decode(errors="replace")
    here = os.uname()
    return "hostname : %s\n" % here.nodename in header and \
        "os release : %s\n" % here.release in header


def kind_of_frame(perf, ours, caller):
    """None: they are equal."""
    name, path, offset, addr = perf
    if path == "inlined":
        return "function"
    if name == ours[0] and (path == ours[1] or name == UNKNOWN):
        return None     # of an address without a symbol, perf has no object in some cases
    if name == ours[0] and JITTED.search(path) and JITTED.search(ours[1]):
        return None
    if path != ours[1] and UNKNOWN not in (path, ours[1]):
        return "embedded" if JITTED.search(path) else "object"
    if caller and offset == 0 and name != UNKNOWN:
        return "return address"
    if name == UNKNOWN:
        return "unnamed by perf"
    if ours[0] == UNKNOWN:
        return "unnamed by us" if not os.path.exists(path) or is_public(path) else "private"
    if name.endswith("@plt") and ours[2] & ~15 in symbols(path).get(ours[0], ()):
        return "plt"
    return "alias" if are_aliases(name, ours[0], path) else "function"


def kinds_of_stack(perf, ours, dwarf):
    """The kinds in which two stacks differ, each with an example."""
    if not perf:
        return {"garbage": ours} if ours else {}
    kinds = {}
    cut = ours and ours[-1][0] == "[truncated]"
    ours = ours[:-1] if cut else ours
    if len(perf) != len(ours):
        rest = perf[len(ours):]
        if dwarf and len(perf) < len(ours):
            kinds["perf ends early"] = (perf[-1], ours[len(perf)])
        elif dwarf and len(rest) == 1 and rest[0][0] == UNKNOWN:
            kinds["false root"] = rest
        elif len(perf) == 127 and len(ours) > 127:
            kinds["perf's limit"] = (len(perf), len(ours))
        elif cut and len(rest) == 1:
            kinds["end of the copy"] = rest
        else:
            kinds["length"] = (perf, ours)
    for i, (a, b) in enumerate(zip(perf, ours)):
        kind = kind_of_frame(a, b, i > 0)
        if dwarf and kind in ("function", "object", "unnamed by perf") and len(perf) < len(ours):
            kinds.setdefault("perf skips callers", (perf[i:], ours[i:]))
            break
        if kind:
            kinds.setdefault(kind, (a, b))
    return kinds


def compare(path, ours_path):
    perf, ours = perf_samples(path), our_samples(ours_path)
    dwarf = any("STACK_USER" in line for line in lines(["perf", "evlist", "-v", "-i", path]))
    count, example = collections.Counter(), {}
    here = is_of_here(path)

    def add(kind, what):
        if kind == "unnamed by us" and not here and what[1][0][1][0] == "[":
            kind = "other machine"
        count[kind] += 1
        example.setdefault(kind, what)

    for key in perf.keys() | ours.keys():
        a, b = perf.get(key, []), ours.get(key, [])
        for sample in a[len(b):]:
            add("missing", (key, sample))
        for sample in b[len(a):]:
            add("added", (key, sample))
        for x, y in zip(a, b):
            count["samples"] += 1
            kinds = kinds_of_stack(x[2], y[2], dwarf)
            if x[0] != y[0]:
                kinds["command"] = (x[0], y[0])
            if x[1] != y[1]:
                kinds["period"] = (x[1], y[1])
            for kind, what in kinds.items():
                add(kind, (key, what))
            if not kinds:
                count["equal"] += 1
    if path == ours_path:
        a, b = perf_shares(path), our_shares(ours)
        for key in a.keys() | b.keys():
            if a[key] != b[key]:
                add("share", (key, a[key], b[key]))
    return count, example


def short_name(path):
    """A module is [NAME] or a file."""
    name = os.path.basename(path) if path[0] == "/" else path
    return re.sub(r"^\[(.*)\]$", r"\1", re.sub(r"\.ko(\..z|\.zst)?$", "", name)).replace("-", "_")


def perf_shares(path):
    """What perf report says: the period of each event, command and object."""
    shares = collections.Counter()
    for line in lines(["perf", "report", "--stdio", "-i", path, "--no-group", "--no-children",
                       "--no-branch-stack", "--no-inline", "-g", "none", "-s", "comm,dso",
                       "-F", "period,comm,dso", "-w", "0,32,0", "-t", "|"]):
        event = re.match(r"# Samples: .* of events? '(.*)'$", line)
        row = re.match(r" *(\d+) *\|(.*?) *\|(.*?) *$", line)
        if event:
            of = plain(event[1])
        elif row:
            name = re.sub(r"^\[JIT\] tid (\d+)$", r"perf-\1.map", row[3])
            shares[of, row[2], short_name(name)] += int(row[1])
    return shares


def our_shares(samples):
    shares = collections.Counter()
    for key, several in samples.items():
        for comm, period, frames in several:
            shares[key[3], comm, short_name(frames[0][1])] += int(period)
    return shares


# ---- recordings ----

def make(directory, name):
    path = os.path.join(directory, name + ".data")
    if os.path.exists(path):
        return path
    what = RECORDINGS[name]
    command = what.replace("%%", "%").replace("%s", path) if "%s" in what else \
        "perf record -q -o %s %s" % (path, what.replace("%%", "%"))
    out = run(["sh", "-c", command], cwd=directory)
    if not os.path.exists(path):
        sys.exit("%s: %s" % (command, out.stderr.decode()))
    return path


def make_programs(directory):
    for name, text in SOURCES.items():
        if not os.path.exists(os.path.join(directory, name)):
            open(os.path.join(directory, name), "w").write(text)
    for name, command in PROGRAMS.items():
        if not os.path.exists(os.path.join(directory, name)):
            subprocess.run(command, shell=True, check=True, cwd=directory)


def main():
    names = sys.argv[3:] or list(RECORDINGS)
    os.makedirs(DIR, exist_ok=True)
    total, examples = collections.Counter(), {}
    rows = [(name, name, name) if "/" in name else (name, None, None) for name in names]
    if any(row[1] is None for row in rows):
        make_programs(DIR)
    for name, path, _ in rows:
        path = path or make(DIR, name)
        pairs = [(name, path)]
        if name in RAW:
            pairs += [(RAW[name], path + ".raw")]
        for label, ours in pairs:
            count, example = compare(path, ours)
            total.update(count)
            print("%-18s %7d samples, %7d equal%s" % (
                os.path.basename(label), count["samples"], count["equal"], "".join(
                    ", %s %d" % (k, n) for k, n in sorted(count.items())
                    if k not in ("samples", "equal"))), flush=True)
            for kind, what in example.items():
                examples.setdefault(kind, []).append((label, what))
    print("\n%d recordings, %d samples, %d equal" % (len(rows), total["samples"], total["equal"]))
    for kind, n in total.most_common():
        if kind in ("samples", "equal"):
            continue
        print("%7d %s: %s" % (n, kind, REASONS.get(kind, "AN ERROR")))
        for label, what in examples[kind][:3 if kind in REASONS else 9]:
            print("        %s: %s" % (label, str(what)[:600]))
    sys.exit(any(total[kind] for kind in WRONG))


if len(sys.argv) < 3:
    sys.exit(__doc__)
BIN, DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
ENV = dict(os.environ, LC_ALL="C.UTF-8", HOME=DIR)
main()
