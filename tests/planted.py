#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Plants problems in programs, records these, and looks for the problems in what tools print.

    planted.py [-f FORMAT] [PROBLEM...]		build/bin is first in PATH

A problem is in one line of one function of a generated C program of forty functions, which
call each other and all cost something.  Its share is in one build; it grew in two builds, of
which the second has twice as much of it.  A reader takes what a tool names first: the first
row of the page's table, or of those that grew, and the first row of the other tool that names
a function.  "first" counts rows of the planted function, "line" those with its line, or the
line of the loop around it; "three" counts functions among the first three rows, as a planted
call makes the function that it calls expensive as well.
Prints a row for each format and problem, then the sums of each format.
"""
import os, random, re, shutil, subprocess, sys, tempfile

# The bodies of planted functions: LINE marks the line to be found.  N is the amount of it.
CPU = {
    "hot loop": "for (long i = 0; i < 400 * N; i++)\n\t\tx = x * 6364136223846793005ul + 1;\t/*LINE*/",
    "column copy": "for (long i = 0; i < 256; i++)\n\t\tfor (long j = 0; j < 2 * N; j++)\n"
                   "\t\t\ttable[(j % 128) * 256 + i] = table[(j % 128 + 128) * 256 + i];\t/*LINE*/",
    "accidental square": "for (long i = 0; i < 60 * N; i++)\n\t\tif (text[i % sizeof text] != 'y')\n"
                         "\t\t\tx += length(text);\t/*LINE*/",
    "lock": "for (long i = 0; i < 150 * N; i++) {\n"
            "\t\twhile (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) ; x++; "
            "__atomic_store_n(&lock, 0, __ATOMIC_SEQ_CST);\t/*LINE*/\n\t}",
    "division": "for (long i = 1; i < 250 * N; i++)\n\t\tx += (x | 1) / (unsigned long)i;\t/*LINE*/",
    "linear search": "for (long i = 0; i < 8 * N; i++)\n\t\tfor (long j = 0; j < 64; j++)\n"
                     "\t\t\tif (table[j] == x + i) x ^= j;\t/*LINE*/",
    "bubble sort": "unsigned long v[64];\n\tfor (long r = 0; r < N / 4 + 1; r++) {\n"
                   "\t\tfor (long i = 0; i < 64; i++) v[i] = 64 - i;\n"
                   "\t\tfor (long i = 0; i < 64; i++)\n\t\t\tfor (long j = 0; j + 1 < 64; j++)\n"
                   "\t\t\t\tif (v[j] > v[j + 1]) { x = v[j]; v[j] = v[j + 1]; v[j + 1] = x; }\t/*LINE*/\n\t}",
    "byte by byte": "unsigned char *to = (unsigned char *)table, *from = to + sizeof table / 2;\n"
                    "\tfor (long i = 0; i < 300 * N; i++)\n"
                    "\t\tto[i % 1024] = from[i % 1024] + (unsigned char)x;\t/*LINE*/",
    "digits": "for (long i = 0; i < 50 * N; i++)\n"
              "\t\tfor (unsigned long v = (unsigned long)i | 1 << 20; v; v /= 10)\t/*LINE*/\n\t\t\tx += v % 2;",
    "popcount": "for (long i = 0; i < 8 * N; i++)\n\t\tfor (int b = 0; b < 64; b++)\n"
                "\t\t\tx += (unsigned long)i >> b & 1;\t/*LINE*/",
    "polling": "for (volatile long i = 0; i < 350 * N; i++)\t/*LINE*/\n\t\t;",
    "append from the start": "for (long i = 0; i < 10 * N; i++) {\n\t\tlong end = 0;\n"
                             "\t\twhile (text[end]) end++;\t/*LINE*/\n\t\ttext[end - 1] = 'x'; x += end;\n\t}",
    "bitwise checksum": "for (long i = 0; i < 60 * N; i++)\n\t\tfor (int b = 0; b < 8; b++)\n"
                        "\t\t\tx = x >> 1 ^ (x & 1 ? 0xedb88320ul : 0);\t/*LINE*/",
    "invariant in a loop": "for (long i = 0; i < 6 * N; i++) {\n\t\tunsigned long sum = 0;\n"
                           "\t\tfor (long j = 0; j < 100; j++)\n\t\t\tsum += table[j];\t/*LINE*/\n"
                           "\t\tx += sum % (i + 1);\n\t}",
    "matrix product": "for (long r = 0; r < N / 10 + 1; r++)\n\t\tfor (long i = 0; i < 16; i++)\n"
                      "\t\t\tfor (long j = 0; j < 16; j++)\n\t\t\t\tfor (long k = 0; k < 16; k++)\n"
                      "\t\t\t\t\ttable[i * 16 + j] += table[i * 16 + k] * table[k * 16 + j];\t/*LINE*/",
    "colliding hashes": "for (long i = 0; i < 12 * N; i++)\n"
                        "\t\tfor (unsigned long at = i % 4; table[at] != (unsigned long)(i % 50 + 4); at++)\n"
                        "\t\t\tx += at;\t/*LINE*/",
    "trial division": "for (unsigned long i = 3; i < 12 * (unsigned long)N; i += 2)\n"
                      "\t\tfor (unsigned long d = 3; d * d <= i && d < 60; d += 2)\n\t\t\tx += i % d == 0;\t/*LINE*/",
    "zeroed each time": "for (long i = 0; i < 4 * N; i++) {\n\t\tvolatile unsigned long v[100];\n"
                        "\t\tfor (int j = 0; j < 100; j++)\n\t\t\tv[j] = 0;\t/*LINE*/\n\t\tx += v[i % 100];\n\t}",
}
HEAP = {
    "leak": "for (long i = 0; i < N; i++)\n\t\tlast = malloc(200);\t/*LINE*/",
    "oversized buffer": "last = malloc(200 * N);\t/*LINE*/\n\tmemset(last, 1, 200 * N);\n\tx += *last;",
}
WORDS = "read parse sort pack scan hash split join fill drop mark walk".split()

# Of each format: what its programs are compiled with, how they are recorded as {file}, the
# other tool's command, and options of prof-report.
CPU_FORMATS = {
    "callgrind": ("", "valgrind --tool=callgrind --callgrind-out-file={file} ./{exe} 100",
                  "callgrind_annotate {file}", ""),
    "cachegrind": ("", "valgrind --tool=cachegrind --cachegrind-out-file={file} ./{exe} 100",
                   "cg_annotate {file}", ""),
    "perf": ("-fno-omit-frame-pointer", "perf record -q -e cpu-clock -F 2000 -g -o {file} ./{exe} 10000",
             "perf report --stdio --no-children -g none -i {file}", ""),
    "gprof": ("-pg", "./{exe} 40000; mv gmon.out {file}", "gprof ./{exe} {file}", "--exe ./{exe}"),
    "pprof": ("", "CPUPROFILE={file} CPUPROFILE_FREQUENCY=1000 "
              "LD_PRELOAD=libprofiler.so.0 ./{exe} 20000", "go tool pprof -top ./{exe} {file}", "--exe ./{exe}"),
}
HEAP_FORMATS = {
    "dhat": ("", "valgrind --tool=dhat --dhat-out-file={file} ./{exe} 100", "", "--rules allocators"),
    "massif": ("", "valgrind --tool=massif --massif-out-file={file} ./{exe} 100", "ms_print {file}",
               "--rules allocators"),
    "memcheck": ("", "valgrind --xtree-memory=full --xtree-memory-file={file} ./{exe} 100",
                 "callgrind_annotate {file}", "--rules allocators"),
    "heaptrack": ("", "rm -f track*; heaptrack -o track ./{exe} 100; mv track* {file}",
                  "cp {file} track.zst; heaptrack_print track.zst", "--rules allocators"),
    "pprof": ("-fno-omit-frame-pointer", "rm -f track*; HEAPPROFILE=track HEAP_PROFILE_ALLOCATION_INTERVAL=100000 "
              "LD_PRELOAD=libtcmalloc_and_profiler.so.4 ./{exe} 100; mv $(ls track*.heap | tail -1) {file}",
              "go tool pprof -top ./{exe} {file}", "--exe ./{exe} --rules allocators"),
}


def names(seed):
    draw = random.Random(seed)
    made = []
    while len(made) < 40:
        name = "%s_%s_%d" % (draw.choice(WORDS), draw.choice(WORDS), draw.randrange(90))
        if name not in made:
            made.append(name)
    return made, draw


def noise(problem, work, i):
    """The work of any other function."""
    if problem in HEAP:
        return ["\tchar *p = malloc(%d * n);" % work, "\tx += p != 0;", "\tkept[%d] = p;" % i]
    return ["\tfor (long i = 0; i < %d * n; i++)" % work, "\t\tx = (x << 3 ^ x >> 5) + %d;" % i]


def program(problem, seed, amount):
    """Returns the source, the planted function and its line."""
    made, draw = names(seed)
    planted = made[draw.randrange(20, 40)]
    text = ["#include <stdlib.h>", "#include <string.h>",
            "static unsigned long table[65536]; static int lock; static char *last, *kept[40], *volatile keep;",
            'static char text[40] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";',
            "__attribute__((noinline)) static unsigned long length(const char *s)",
            "{\tunsigned long n = 0; while (n < 12 && s[n]) n++; return n; }"]
    calls = {}
    for i, name in reversed(list(enumerate(made))):
        below = [m for m in made[i + 1:] if calls.get(m, 0) < 2][:draw.randrange(1, 3)]
        for m in below:
            calls[m] = calls.get(m, 0) + 1
        work = draw.randrange(8, 40)
        text += ["__attribute__((noinline)) unsigned long %s(unsigned long x, long n)" % name, "{"]
        if name == planted:
            body = {**CPU, **HEAP}[problem]
            text += ("\t" + re.sub(r"\bN\b", "(%d * n)" % amount, body)).split("\n")
        else:
            text += noise(problem, work, i)
        text += ["\tx += %s(x, n);" % m for m in below if not calls[m] > 1]
        text += ["\treturn x;", "}"]
    text += ["int main(int argc, char **argv)", "{",
             "\tunsigned long x = 1; long n = argc > 1 ? atol(argv[1]) : 400;",
             "\tfor (long i = 0; i < 65536; i++) table[i] = i;"]
    text += ["\tx += %s(x, n);" % m for m in made]
    text += ["\tvolatile unsigned long result = x; keep = last ? last : *kept;", "\treturn result == 42;", "}"]
    line = next(n for n, t in enumerate(text, 1) if "/*LINE*/" in t)
    return "\n".join(text) + "\n", planted, line


def run(command, cwd):
    done = subprocess.run(command, cwd=cwd, shell=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout.decode("latin1")


# ---- the readers ----

def rows_below(page, heading):
    """The first three rows of the table below this heading."""
    at = page.find("\n## " + heading + "\n")
    rows = [r for r in page[at + 4:].split("\n## ")[0].split("\n") if r.startswith("|")]
    return rows[2:5] if at >= 0 else []


def judge(page, planted, line, heading):
    rows = rows_below(page, heading)
    of = [bool(re.search(r"`%s\b" % planted, r)) for r in rows]
    first = bool(of) and of[0]
    return first, first and bool(re.search(r"\.c:(%d|%d)`" % (line - 1, line), rows[0])), any(of)


def judge_other(text, planted):
    rows = [r for r in text.split("\n") if re.search(r"\b([a-z]+_[a-z]+_\d+|length)\b", r)]
    return bool(rows) and planted in rows[0], any(planted in r for r in rows[:3])


# ---- the experiment ----

def record(problem, seed, form, where):
    """Returns the planted function and its line; the builds "old" and "new" are recorded."""
    flags, command, _, _ = form
    for exe, amount in ("old", 1), ("new", 2):
        source, planted, line = program(problem, seed, amount)
        open(os.path.join(where, "app.c"), "w").write(source)
        run("gcc -g -O1 -fno-inline %s -o %s app.c" % (flags, exe), where)
        run(command.format(file=exe + ".profile", exe=exe), where)
    return planted, line


def sides(options):
    """The options of two sides: each has its program."""
    exe = "./%s " if "--exe" in options else "%.0s"
    more = options.replace("--exe ./{exe}", "")
    return "%s %s old.profile -- %s new.profile" % (more, exe % "old", exe % "new")


def measure(problem, seed, form, where):
    """Returns the row of a problem: of its share, of its growth, of the other tool."""
    planted, line = record(problem, seed, form, where)
    options = form[3]
    share = run("prof-report --include . %s new.profile" % options.format(exe="new"), where)
    grew = run("prof-report --include . " + sides(options), where)
    other = run(form[2].format(file="new.profile", exe="new"), where) if form[2] else ""
    return [*judge(share, planted, line, "Functions"), len(share.encode("latin1")),
            *judge(grew, planted, line, "Grew"), len(grew.encode("latin1")),
            *judge_other(other, planted), len(other)]


HEADS = ("format", "problem", "first", "line", "three", "bytes", "grew first", "line", "three", "bytes",
         "other first", "three", "bytes")


def main():
    words = sys.argv[1:]
    only = words.pop(words.index("-f") + 1) if "-f" in words else None
    wanted = [w for w in words if w != "-f"] or [*CPU, *HEAP]
    where = tempfile.mkdtemp()
    sums = {}
    print(*HEADS, sep="\t")
    for seed, problem in enumerate([*CPU, *HEAP]):
        if problem not in wanted:
            continue
        for name, form in (CPU_FORMATS if problem in CPU else HEAP_FORMATS).items():
            if only and name != only:
                continue
            row = measure(problem, seed, form, where)
            print(name, problem, *map(int, row), sep="\t", flush=True)
            key = name if problem in CPU else name + " (heap)"
            sums[key] = [a + b for a, b in zip(sums.get(key, [0] * 12), [1] + [int(v) for v in row])]
    print()
    for name, (n, *sum_of) in sums.items():
        print(name, "%d problems" % n, *sum_of, sep="\t")
    shutil.rmtree(where)


main()
