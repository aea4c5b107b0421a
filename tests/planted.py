#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Plants a problem in a program, records it, and looks for it in what tools print.

    planted.py [PROBLEM...] [--keep DIR]

Each of twenty problems is one function of a C program of forty, and one line of that function.
A tool finds the function if one of its first three rows is of it, since a planted call makes
what it calls expensive as well, and the line if that row names it, or the line before it, which
has the loop.  Of a difference, the rows are those that grew.
Prints for each format and tool how many of the problems were found, and the bytes it took.
"""
import os, random, re, shutil, subprocess, sys, tempfile

# The bodies of planted functions: LINE marks the line to be found.  `n` scales them.
PROBLEMS = {
    "hot loop": "for (long i = 0; i < 400 * n; i++)\n\t\tx = x * 6364136223846793005ul + 1;\t/*LINE*/",
    "column order": "for (long i = 0; i < 256; i++)\n\t\tfor (long j = 0; j < 2 * n; j++)\n"
                    "\t\t\tx += table[(j % 256) * 256 + i];\t/*LINE*/",
    "accidental square": "for (long i = 0; i < 30 * n; i++)\n\t\tif (text[i % sizeof text] != 'y')\n"
                         "\t\t\tx += length(text);\t/*LINE*/",
    "division": "for (long i = 1; i < 150 * n; i++)\n\t\tx += (x | 1) / (unsigned long)i;\t/*LINE*/",
    "linear search": "for (long i = 0; i < 8 * n; i++)\n\t\tfor (long j = 0; j < 64; j++)\n"
                     "\t\t\tif (table[j] == x + i) x ^= j;\t/*LINE*/",
    "bubble sort": "unsigned long v[64];\n\tfor (long r = 0; r < n / 4; r++) {\n"
                   "\t\tfor (long i = 0; i < 64; i++) v[i] = 64 - i;\n"
                   "\t\tfor (long i = 0; i < 64; i++)\n\t\t\tfor (long j = 0; j + 1 < 64; j++)\n"
                   "\t\t\t\tif (v[j] > v[j + 1]) { x = v[j]; v[j] = v[j + 1]; v[j + 1] = x; }\t/*LINE*/\n\t}",
    "byte by byte": "unsigned char *to = (unsigned char *)table, *from = to + sizeof table / 2;\n"
                    "\tfor (long i = 0; i < 300 * n; i++)\n"
                    "\t\tto[i % 1024] = from[i % 1024] + (unsigned char)x;\t/*LINE*/",
    "digits": "for (long i = 0; i < 30 * n; i++)\n\t\tfor (unsigned long v = (unsigned long)i | 1 << 20; v; v /= 10)\t/*LINE*/\n"
              "\t\t\tx += v % 2;",
    "popcount": "for (long i = 0; i < 6 * n; i++)\n\t\tfor (int b = 0; b < 64; b++)\n"
                "\t\t\tx += (unsigned long)i >> b & 1;\t/*LINE*/",
    "polling": "for (volatile long i = 0; i < 250 * n; i++)\t/*LINE*/\n\t\t;",
}
BASE = ["hot loop", "column order", "accidental square", "division", "linear search",
        "bubble sort", "byte by byte", "digits", "popcount", "polling"]
WORDS = "read parse sort pack scan hash split join fill drop mark walk".split()


def names(seed):
    draw = random.Random(seed)
    made = []
    while len(made) < 40:
        name = "%s_%s_%d" % (draw.choice(WORDS), draw.choice(WORDS), draw.randrange(90))
        if name not in made:
            made.append(name)
    return made, draw


def program(problem, seed, share):
    """Returns the source, the planted function and its line; share 0: nothing is planted."""
    made, draw = names(seed)
    planted = made[draw.randrange(20, 40)]
    text = ['static unsigned long table[65536]; static char text[40] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";',
            "__attribute__((noinline)) static unsigned long length(const char *s)",
            "{\tunsigned long n = 0; while (n < 12 && s[n]) n++; return n; }"]
    calls = {}
    for i, name in reversed(list(enumerate(made))):
        below = [m for m in made[i + 1:] if calls.get(m, 0) < 2][:draw.randrange(1, 3)]
        for m in below:
            calls[m] = calls.get(m, 0) + 1
        # The noise: every function costs something, and calls one or two others.
        work = draw.randrange(8, 40)
        text += ["__attribute__((noinline)) unsigned long %s(unsigned long x, long n)" % name, "{"]
        if name == planted and share:
            text += ["\t" + PROBLEMS[problem].replace("n;", "%d * n;" % share)]
        else:
            text += ["\tfor (long i = 0; i < %d * n; i++)" % work, "\t\tx = (x << 3 ^ x >> 5) + %d;" % i]
        text += ["\tx += %s(x, n);" % m for m in below if not calls[m] > 1]
        text += ["\treturn x;", "}"]
    text += ["int main(int argc, char **argv)", "{", "\tunsigned long x = 1; long n = argc > 1 ? __builtin_strtol_(argv[1]) : 400;"]
    text += ["\tfor (long i = 0; i < 65536; i++) table[i] = i;"]
    text += ["\tx += %s(x, n);" % m for m in made]
    text += ["\treturn x == 42;", "}"]
    source = "\n".join(text).replace("__builtin_strtol_", "atol")
    source = "#include <stdlib.h>\n" + source + "\n"
    line = next((n for n, t in enumerate(source.split("\n"), 1) if "/*LINE*/" in t), 0)
    return source, planted, line


def run(command, cwd, **more):
    done = subprocess.run(command, cwd=cwd, shell=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, **more)
    return done.stdout.decode("latin1")


# Of each format: how a program is compiled and recorded as FILE, and the other tool's command.
FORMATS = {
    "callgrind": ("", "valgrind --tool=callgrind --callgrind-out-file={file} ./{exe} 100",
                  "callgrind_annotate {file}", 6),
    "cachegrind": ("", "valgrind --tool=cachegrind --cachegrind-out-file={file} ./{exe} 100",
                   "cg_annotate {file}", 6),
    "perf": ("-fno-omit-frame-pointer", "perf record -q -e cpu-clock -F 2000 -g -o {file} ./{exe} 60000",
             "perf report --stdio --no-children -g none -i {file}", 6),
    "gprof": ("-pg", "./{exe} 100000; mv gmon.out {file}", "gprof ./{exe} {file}", 6),
    "pprof": ("-lprofiler -Wl,--no-as-needed", "CPUPROFILE={file} CPUPROFILE_FREQUENCY=1000 "
              "LD_PRELOAD=libprofiler.so.0 ./{exe} 60000", "go tool pprof -top ./{exe} {file}", 6),
}


def first_rows(page, heading):
    """The first three rows of the table below this heading."""
    at = page.find("\n## " + heading + "\n")
    rows = [r for r in page[at + 4:].split("\n## ")[0].split("\n") if r.startswith("|")]
    return rows[2:5] if at >= 0 else []


def report(files, exe, where):
    return run("prof-report --include . %s%s" % ("--exe ./%s " % exe if exe else "", files), where)


def judge(page, planted, line, heading):
    rows = [r for r in first_rows(page, heading) if "`%s`" % planted in r]
    return bool(rows), any(re.search(r"\.c:(%d|%d)\b" % (line - 1, line), r) for r in rows)


def main():
    wanted = [a for a in sys.argv[1:] if not a.startswith("-")] or BASE
    where = tempfile.mkdtemp()
    print("format\tproblem\tkind\tfunction\tline\tbytes\tother function\tother bytes")
    for n, problem in enumerate(wanted):
        for form, (flags, record, other, _) in FORMATS.items():
            pages = {}
            for side, share in ("old", 1), ("new", 2):
                source, planted, line = program(problem, n, share)
                exe = side
                open(os.path.join(where, "app.c"), "w").write(source)
                run("gcc -g -O1 -fno-inline %s -o %s app.c %s" % (
                    flags if not flags.startswith("-l") else "", exe, ""), where)
                run(record.format(file=side + "." + form, exe=exe), where)
            symbols = "new" if form in ("gprof", "pprof") else ""
            page = report("new." + form, symbols, where)
            text = run(other.format(file="new." + form, exe="new"), where)
            rank = [l for l in text.split("\n") if re.search(r"\b[a-z]+_[a-z]+_\d+\b", l)]
            print(form, problem, "share", *judge(page, planted, line, "Functions"), len(page),
                  any(planted in r for r in rank[:3]), len(text), sep="\t")
            sides = "./old old.%s -- ./new new.%s" if symbols else "old.%s -- new.%s"
            page = report(sides % (form, form), "", where)
            print(form, problem, "grew", *judge(page, planted, line, "Grew"),
                  len(page), "", "", sep="\t", flush=True)
    shutil.rmtree(where)


main()
