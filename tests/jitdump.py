#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Writes a jitdump, as programs do that generate code, from lines of text.

    jitdump.py [option...] <lines >jit-7.dump

Options: big (the other byte order), pid=N, version=N, flags=N.

Lines; numbers as Python has them:
    load TIME INDEX ADDRESS SIZE NAME [pid=N]
    move TIME INDEX ADDRESS SIZE
    lines TIME ADDRESS LINE FILE
    close TIME
    raw HEX
"""
import struct
import sys

options = dict((o.split('=') + ['1'])[:2] for o in sys.argv[1:])
order = '>' if 'big' in options else '<'
pid = int(options.get('pid', 7))


def pack(form, *values):
    return struct.pack(order + form, *values)


def record(kind, time, body):
    return pack('IIQ', kind, 16 + len(body), time) + body


def line(words):
    kind, words = words[0], words[1:]
    if kind == 'raw':
        return bytes.fromhex(words[0])
    of = pid
    if words[-1].startswith('pid='):
        of = int(words.pop()[4:])
    if kind == 'load':
        time, index, addr, size = (int(w, 0) for w in words[:4])
        name = ' '.join(words[4:]).encode() + b'\0'
        return record(0, time, pack('IIQQQQ', of, of, addr, addr, size, index) + name +
                      b'\xc3' * size)
    if kind == 'move':
        time, index, addr, size = (int(w, 0) for w in words)
        return record(1, time, pack('IIQQQQQ', of, of, addr, 0, addr, size, index))
    if kind == 'lines':
        time, addr, number = (int(w, 0) for w in words[:3])
        return record(2, time, pack('QQQII', addr, 1, addr, number, 0) +
                      words[3].encode() + b'\0')
    return record(3, int(words[0], 0), b'')


out = pack('IIIIIIQQ', 0x4a695444, int(options.get('version', 1)), 40, 62, 0, pid, 1,
           int(options.get('flags', 0)))
out += b''.join(line(l.split()) for l in sys.stdin if l.strip())
sys.stdout.buffer.write(out)
