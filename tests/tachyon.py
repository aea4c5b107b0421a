#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Writes files of Python's sampling profiler as InternalDocs/profiling_binary_format.md of
CPython describes them, and what is in them.

	tests/tachyon.py [options] OUT		prints the sums of its samples:
						N<TAB>thread;interpreter;state;frames
	--big, --wide, --zstd, --stats		byte order, 64 bits for the number of samples,
						compression, the optional statistics
	--seed N --samples N
"""
import argparse
import collections
import random
import struct
import subprocess

FULL, SUFFIX, POP_PUSH = 1, 2, 3
STATES = ['gil', 'cpu', 'unknown', 'wait-gil', 'exception', 'main']


def varint(n):
    out = b''
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def zigzag(n):
    return varint(n << 1 if n >= 0 else (-n << 1) - 1)


class Names(dict):
    def number(self, name):
        return self.setdefault(name, len(self))


def encode(new, old, rng):
    """A stack, innermost first, in one of the ways that it may be written."""
    shared = 0
    while shared < min(len(new), len(old)) and new[-1 - shared] == old[-1 - shared]:
        shared += 1
    fresh = new[:len(new) - shared]
    frames = varint(len(fresh)) + b''.join(map(varint, fresh))
    kind = rng.choice([FULL, SUFFIX, POP_PUSH])
    if kind == FULL:
        return kind, varint(len(new)) + b''.join(map(varint, new))
    return kind, varint(shared if kind == SUFFIX else len(old) - shared) + frames


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('out')
    for flag in 'big', 'wide', 'zstd', 'stats':
        parser.add_argument('--' + flag, action='store_true')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--samples', type=int, default=300)
    a = parser.parse_args()
    rng = random.Random(a.seed)
    order = '>' if a.big else '<'
    strings, frames = Names(), Names()
    threads = [(140000000000000 + 7, 0), (5, 0), (5, 3)]
    before = collections.defaultdict(list)
    sums = collections.Counter()
    body, count = b'', 0

    def frame(depth):
        file, name = rng.choice([('app.py', 'main'), ('app.py', 'f'), ('/lib/s\u00e9.py', 'f'),
                                 ('~', '<native>')])
        line = -1 if file == '~' else depth + rng.randrange(3) + 1
        return file, name, line

    def text(thread, state, stack):
        names = [STATES[i] for i in range(6) if state >> i & 1]
        where = [f'{n}({"" if f == "~" else f}:{l if l > 0 else ""})' for f, n, l in stack]
        return f'{thread[0]};{thread[1] or ""};{",".join(names)};' + ';'.join(reversed(where))

    while count < a.samples:
        thread = rng.choice(threads)
        head = struct.pack(order + 'QI', *thread)
        if before[thread] and rng.random() < .4:
            n = rng.randrange(1, 6)
            body += head + b'\0' + varint(n)
            for _ in range(n):
                state = rng.choice([1, 3, 3, 40])
                body += varint(rng.randrange(5000)) + bytes([state])
                sums[text(thread, state, before[thread])] += 1
            count += n
            continue
        stack = list(before[thread])
        del stack[:rng.randrange(4)]
        for _ in range(rng.randrange(5)):
            stack.insert(0, frame(len(stack)))
        stack = stack or [frame(0)]
        ids = []
        for f, n, l in stack:
            ids.append(frames.number((strings.number(f), strings.number(n), l)))
        old = [frames[strings[f], strings[n], l] for f, n, l in before[thread]]
        kind, how = encode(ids, old, rng)
        state = rng.randrange(64)
        body += head + bytes([kind]) + varint(rng.randrange(5000)) + bytes([state]) + how
        sums[text(thread, state, stack)] += 1
        before[thread] = stack
        count += 1
    if a.zstd:
        body = subprocess.run(['zstd', '-q', '-c'], input=body, stdout=subprocess.PIPE,
                              check=True).stdout
    table = b''.join(varint(len(s.encode())) + s.encode() for s in strings)
    frame_table = b''.join(varint(f) + varint(n) + zigzag(l) + zigzag(0) + zigzag(4) +
                           zigzag(7) + b'\xff' for f, n, l in frames)
    at = 64 + len(body)
    head = struct.pack(order + 'II', 0x54414348, 1) + bytes([3, 15, 2, 0])
    head += struct.pack(order + 'QQ' + ('QIQQII' if a.wide else 'IIQQI'), 1700000000000000,
                        1000, count, len(threads), at, at + len(table), a.zstd,
                        *([2] if a.wide else []))
    stats = struct.pack(order + 'ddddII', .3, 999., 0., 0., 3, 0) + b'TACHSTAT' + \
        struct.pack(order + 'II', 1, 56) if a.stats else b''
    size = at + len(table) + len(frame_table) + len(stats) + 32
    foot = struct.pack(order + 'IIQ', len(strings), len(frames), size) + bytes(16)
    with open(a.out, 'wb') as out:
        out.write(head.ljust(64, b'\0') + body + table + frame_table + stats + foot)
    for key, n in sorted(sums.items()):
        print(n, key, sep='\t')


main()
