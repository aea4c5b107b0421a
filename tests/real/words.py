# SPDX-License-Identifier: ISC
# Some of everything that an interpreter does.  The profiles beside this file were made
# from it, on Debian 12, with the symbols of python3-dbg and without them:
#
#	valgrind --tool=callgrind --toggle-collect=Py_RunMain python3 -I -S -X utf8 words.py
#
# The numbers of lines are left out, for size:
#
#	prof-cat callgrind.out.* | awk -F'\t' -v OFS='\t' '
#		$1 == "cost" || $1 == "call" { $4 = "-" }
#		$1 == "call" { $7 = "-" } { print }' | prof-merge | prof-to callgrind


class Word:
    def __init__(self, text):
        self.text = text

    def __lt__(self, other):
        return self.text < other.text


def words(n):
    x = 7
    for _ in range(n):
        x = x * 1103515245 + 12345 & 0x7FFFFFFF
        yield Word("%x" % (x % 97))


def count(of):
    n = {}
    for w in of:
        n[w.text] = n.get(w.text, 0) + 1
    return n


cycles = [[] for _ in range(300)]
for c in cycles:
    c.append(cycles)
exec(compile("def f(a, b):\n    return {a: [b, a + b]}\nx = [f(i, 3) for i in range(99)]", "x", "exec"), {})
print(len(count(sorted(words(500)))), sum(3**i for i in range(50)))
