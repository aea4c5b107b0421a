#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
# Writes a recording of Java Flight Recorder, from lines on standard input:
#
#	chunk [version=2.1] [state=0] [flags=1] [ticks=1000000000] [size=N] [metadata=N]
#	type ID NAME			a type, in the metadata
#	field NAME ID [pool] [array] [TYPE=VALUE]
#					a field of the last type, of type ID; with an annotation
#	standard			the types of stacks, and those of the events 100 to 103
#	constant ID KEY VALUE...	of a type
#	method KEY CLASS NAME [DESCRIPTOR]
#	stack KEY [truncated] METHOD:LINE:TYPE...
#	thread KEY NAME TID
#	class KEY NAME
#	event ID VALUE...
#	pools				ends an event of constants; those that follow are in another
#	bytes HEX			anything, among the events
#	ending HEX			the same behind the chunk
#
# A chunk without types has those of the chunk before it.  A value is a whole number (N, or
# N/BYTES if flags=0), b:N a byte, f:N a float, x:HEX, or a string: s:TEXT in UTF-8, l:TEXT in
# Latin-1, u:TEXT in UTF-16, p:N a constant, e: the empty one, and n: none; _ is a blank.

import struct
import sys

STANDARD = '''
type 1 long
type 2 int
type 3 boolean
type 4 java.lang.String
type 5 float
type 20 jdk.types.Symbol
field string 4
type 21 java.lang.Class
field name 20 pool
type 22 jdk.types.Method
field type 21 pool
field name 20 pool
field descriptor 20 pool
type 23 jdk.types.FrameType
field description 4
type 24 jdk.types.StackFrame
field method 22 pool
field lineNumber 2
field bytecodeIndex 2
field type 23 pool
type 25 jdk.types.StackTrace
field truncated 3
field frames 24 array
type 26 java.lang.Thread
field osName 4
field osThreadId 1
field javaName 4
type 27 jdk.types.ThreadState
field name 4
type 40 jdk.jfr.Timespan
type 41 jdk.jfr.DataAmount
type 100 jdk.ExecutionSample
field startTime 1
field sampledThread 26 pool
field stackTrace 25 pool
field state 27 pool
type 101 jdk.ObjectAllocationSample
field startTime 1
field eventThread 26 pool
field stackTrace 25 pool
field objectClass 21 pool
field weight 1 40=TICKS 41=BYTES
type 102 jdk.JavaMonitorEnter
field startTime 1
field duration 1 40=TICKS
field eventThread 26 pool
field stackTrace 25 pool
field monitorClass 21 pool
type 103 profiler.WallClockSample
field startTime 1
field stackTrace 25 pool
field samples 2
constant 23 1 s:Interpreted
constant 23 2 s:JIT_compiled
constant 23 3 s:Inlined
constant 23 4 s:Native
constant 27 1 s:STATE_RUNNABLE
'''


def packed(n):
    n &= 2 ** 64 - 1
    out = b''
    while len(out) < 8 and n >= 0x80:
        out += bytes([n & 0x7f | 0x80])
        n >>= 7
    return out + bytes([n])


class Chunk:
    types, packs = [], True

    def __init__(self, options):
        self.options = {'version': '2.1', 'state': '0', 'flags': '1', 'ticks': '1000000000'}
        self.options.update(o.split('=') for o in options)
        Chunk.packs = int(self.options['flags']) & 1
        self.body, self.ending, self.own = b'', b'', False
        self.constants, self.symbols = {}, {}

    def number(self, n, width=8):
        return packed(n) if self.packs else (n & (1 << 8 * width) - 1).to_bytes(width, 'big')

    def value(self, word):
        kind, _, rest = word.partition(':')
        text = rest.replace('_', ' ')
        if not _:
            n, _, width = word.partition('/')
            return self.number(int(n, 0), int(width or 8))
        if kind == 'u':
            units = text.encode('utf-16-be')
            return b'\4' + self.number(len(units) // 2, 4) + b''.join(self.number(u, 2)
                for u in struct.unpack('>%dH' % (len(units) // 2), units))
        if kind == 's' or kind == 'l':
            raw = text.encode('utf-8' if kind == 's' else 'latin-1')
            return (b'\3' if kind == 's' else b'\5') + self.number(len(raw), 4) + raw
        return {'n': lambda: b'\0', 'e': lambda: b'\1',
            'p': lambda: b'\2' + self.number(int(rest)), 'b': lambda: bytes([int(rest)]),
            'f': lambda: struct.pack('>f', float(rest)),
            'x': lambda: bytes.fromhex(rest)}[kind]()

    def event(self, type_id, fields):
        inner = self.number(type_id) + fields
        size = len(inner) + (4 if not self.packs else 1)
        while self.packs and len(packed(size)) + len(inner) != size:
            size += 1
        return self.number(size, 4) + inner

    def constant(self, type_id, key, value):
        self.constants.setdefault(type_id, []).append(self.number(key) + value)

    def symbol(self, name):
        if name not in self.symbols:
            self.symbols[name] = len(self.symbols) + 1
            self.constant(20, self.symbols[name], self.value('s:' + name))
        return self.symbols[name]

    def line(self, tag, *w):
        if tag == 'type':
            if not self.own:
                self.own, Chunk.types = True, []
            self.types.append((w[1], w[0], []))
        elif tag == 'field':
            self.types[-1][2].append(w)
        elif tag == 'standard':
            for line in STANDARD.strip().split('\n'):
                self.line(*line.split())
        elif tag == 'constant':
            self.constant(int(w[0]), int(w[1]), b''.join(map(self.value, w[2:])))
        elif tag == 'class':
            self.constant(21, int(w[0]), self.number(self.symbol(w[1])))
        elif tag == 'method':
            key = self.symbol(w[1]) + 1000
            self.constant(21, key, self.number(self.symbol(w[1])))
            self.constant(22, int(w[0]), self.number(key) + self.number(self.symbol(w[2])) +
                self.number(self.symbol(w[3]) if len(w) > 3 else 0))
        elif tag == 'stack':
            frames = [f.split(':') for f in w[1:] if f != 'truncated']
            self.constant(25, int(w[0]), bytes(['truncated' in w]) +
                self.number(len(frames), 4) + b''.join(self.number(int(m)) +
                self.number(int(line) & 0xffffffff, 4) + self.number(0, 4) +
                self.number(int(kind)) for m, line, kind in frames))
        elif tag == 'thread':
            self.constant(26, int(w[0]), self.value('n:') + self.number(int(w[2])) +
                self.value('s:' + w[1]))
        elif tag == 'event':
            self.body += self.event(int(w[0]), b''.join(map(self.value, w[1:])))
        elif tag == 'pools':
            self.body += self.pools()
            self.constants, self.symbols = {}, {}
        else:
            self.__dict__[{'bytes': 'body', 'ending': 'ending'}[tag]] += bytes.fromhex(w[0])

    def pools(self):
        return self.event(1, self.number(0) * 3 + b'\0' + self.number(len(self.constants), 4) +
            b''.join(self.number(t) + self.number(len(v), 4) + b''.join(v)
            for t, v in self.constants.items()))

    def metadata(self):
        strings = []

        def index(s):
            if s not in strings:
                strings.append(s)
            return self.number(strings.index(s), 4)

        def element(name, attrs, children=()):
            return (index(name) + self.number(len(attrs), 4) +
                b''.join(index(k) + index(v) for k, v in attrs.items()) +
                self.number(len(children), 4) + b''.join(children))

        def field(name, of, *more):
            attrs = {'name': name, 'class': of}
            attrs.update({'constantPool': 'true'} if 'pool' in more else {})
            attrs.update({'dimension': '1'} if 'array' in more else {})
            return element('field', attrs, [element('annotation', dict(zip(('class', 'value'),
                m.split('=')))) for m in more if '=' in m])

        tree = element('root', {}, [element('metadata', {}, [element('class',
            {'name': n, 'id': i}, [field(*f) for f in fields]) for n, i, fields in self.types]),
            element('region', {'locale': 'en_US', 'gmtOffset': '0'})])
        return self.event(0, self.number(0) * 3 + self.number(len(strings), 4) +
            b''.join(self.value('s:' + s.replace(' ', '_')) for s in strings) + tree)

    def write(self, out):
        o = self.options
        pools = len(self.body) + 68
        body = self.body + self.pools()
        at = int(o.get('metadata', len(body) + 68))
        body += self.metadata()
        major, minor = map(int, o['version'].split('.'))
        out.write(struct.pack('>4sHHQQQQQQQBHB', b'FLR\0', major, minor,
            int(o.get('size', len(body) + 68)), pools, at, 1000000000000000000, 5000000000,
            1000, int(o['ticks']), int(o['state']), 0, int(o['flags'])))
        out.write(body + self.ending)


chunk = None
for words in (line.split() for line in sys.stdin):
    if not words or words[0].startswith('#'):
        continue
    if words[0] == 'chunk':
        if chunk:
            chunk.write(sys.stdout.buffer)
        chunk = Chunk(words[1:])
    else:
        chunk.line(*words)
chunk.write(sys.stdout.buffer)
