# SPDX-License-Identifier: ISC
# Work for an interpreter to be profiled at: text, trees, sorting, numbers.
import collections, hashlib, json, re, sys, zlib
import argparse, csv, decimal, difflib, io, textwrap, xml.etree.ElementTree as ET

seed = 1
def rand(n):
    global seed
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed // 65536 % n

def words(n):
    return ["%s%d" % ("abcdefghij"[rand(10)] * (1 + rand(4)), rand(300)) for _ in range(n)]

def tree(depth):
    return {} if depth == 0 else {w: tree(depth - 1) for w in words(3)}

def rounds(n):
    for i in range(n):
        text = " ".join(words(40))
        count = collections.Counter(re.findall(r"([a-j]+)(\d+)", text))
        lines = textwrap.wrap(text, 30)
        back = json.loads(json.dumps({"t": tree(4), "l": lines}, indent=1))
        digest = hashlib.sha256(zlib.compress(repr(back).encode())).hexdigest()
        list(difflib.unified_diff(sorted(lines), lines))
        ET.fromstring("<a>%s</a>" % "".join("<b i='%s'/>" % w for w in words(20)))
        out = io.StringIO()
        csv.writer(out).writerows(sorted(count.items(), key=lambda p: (-p[1], p[0])))
        sum(decimal.Decimal(w[-1]) / 7 for w in words(10))
    return digest

print(rounds(int(sys.argv[1])))
