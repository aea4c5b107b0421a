#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Writes recordings as `perf record` does, from lines of text: tests say what is in them.

    perfdata.py [option...] <lines >perf.data

Options: big (the other byte order), pipe (the form for pipes), zstd, zstd2 (packed, the
older and the newer record), cut=N (pieces of N bytes when packed), frame=N (so many bytes
in each, which is whole), flush (each record is a piece of the packed stream, as it is),
attr=N (bytes of an event's attributes), killed (perf did not end: no size, no features),
records (without a header, as the other files of a directory).

Lines; numbers as Python has them:
    event NAME TYPE CONFIG PERIOD FIELD...       fields of its samples, as SAMPLE has them
    id EVENT ID
    group EVENT FORMAT                           read_format
    frequency EVENT                              its PERIOD is a number per second
    inherit EVENT                                children have counters of their own
    monotonic EVENT                              its times are of CLOCK_MONOTONIC (-k 1)
    branches EVENT TYPE                          branch_sample_type; 0x800: calls
    feature NUMBER TEXT...                       a string; 11: words of a command; 7: available
                                                 and online processors; 10, 24: a number
    build PATH HEX
    mmap PID START SIZE OFFSET PATH [prot=N] [id=HEX] [data] [kernel|guest] TIME
    ksymbol START SIZE NAME [gone] TIME
    comm PID TID NAME [exec] TIME
    fork PID PARENT TID FROM TIME
    exit PID PARENT TID FROM TIME
    deferred PID/TID COOKIE A,B,... TIME         the user's stack of samples with the cookie
    lost N, lostsamples N, throttle, round, unknown
    sample EVENT FIELD=VALUE... [kernel|guest]   chain=A,B,...; read=VALUE:ID,...;
                                                 branch=FROM:TO,...; raw=PID:PERIOD:A,B,...;
                                                 regs=SP:IP (x86-64's); stack=WORD,... or empty
    raw TYPE MISC HEX                            any record
"""
import struct
import subprocess
import sys

FIELDS = {
    'ip': 1, 'tid': 2, 'time': 4, 'addr': 8, 'read': 0x10, 'chain': 0x20, 'id': 0x40,
    'cpu': 0x80, 'period': 0x100, 'stream': 0x200, 'raw': 0x400, 'branch': 0x800,
    'regs': 0x1000, 'stack': 0x2000, 'weight': 0x4000, 'identifier': 0x10000,
    'physaddr': 0x80000,
}
SAMPLE_ID_ALL = 1 << 18

order = '<'
events = []
records = []
builds = []
features = {}


def number(s):
    return int(s, 0)


def pack(form, *values):
    return struct.pack(order + form, *values)


def padded(b, to=8):
    return b + bytes(-len(b) % to)


def text(s):
    return padded(s.encode() + b'\0')


def record(kind, misc, body):
    records.append(pack('IHH', kind, misc, 8 + len(body)) + body)


def option(words, name):
    for word in words:
        if word == name:
            words.remove(word)
            return True
        if word.startswith(name + '='):
            words.remove(word)
            return word[len(name) + 1:]
    return None


def trailer(time, pid=0, tid=0):
    """What ends the records of the kernel, by the fields of the first event."""
    fields = events[0]['fields'] if events else []
    b = b''
    if 'tid' in fields:
        b += pack('II', pid & 0xffffffff, tid & 0xffffffff)
    for name, value in (('time', time), ('id', 0), ('stream', 0)):
        if name in fields:
            b += pack('Q', value)
    if 'cpu' in fields:
        b += pack('II', 0, 0)
    if 'identifier' in fields:
        b += pack('Q', 0)
    return b


def attr(e, size):
    flags = SAMPLE_ID_ALL | 1 << 10 * (not e['period'] or e['frequency']) | e['inherit'] << 1
    flags |= e['monotonic'] << 25
    if order == '>':    # bit-fields begin at the other end of each byte
        flags = sum((flags >> i & 1) << ((i & ~7) | (7 - (i & 7))) for i in range(64))
    sample = sum(FIELDS[f] for f in e['fields'])
    b = pack('IIQQQQQ', e['type'], size, e['config'], e['period'], sample,
             e['read_format'], flags)
    b += bytes(24) + pack('QQ', e['branches'], 0xff0fff)
    b += pack('Ii', 0, e['monotonic']) + bytes(size)
    return b[:size]


def put_mmap(words):
    kernel, guest, data = (option(words, name) for name in ('kernel', 'guest', 'data'))
    prot, build = option(words, 'prot'), option(words, 'id')
    pid, start, size, offset, path, time = words
    pid = number(pid)
    misc = (1 if kernel else 4 if guest else 2) | (0x2000 if data else 0)
    b = pack('IIQQQ', pid & 0xffffffff, pid & 0xffffffff, number(start), number(size),
             number(offset))
    if prot or build:
        if build:
            key = bytes.fromhex(build)
            b += pack('BBH', len(key), 0, 0) + padded(key, 20)
            misc |= 0x4000
        else:
            b += pack('IIQQ', 8, 1, 77, 0)
        b += pack('II', number(prot or '5'), 2)
    record(10 if prot or build else 1, misc, b + text(path) + trailer(number(time), pid, pid))


def put_ksymbol(words):
    gone = option(words, 'gone')
    start, size, name, time = words
    record(17, 0, pack('QIHH', number(start), number(size), 1, 1 if gone else 0) + text(name) +
           trailer(number(time)))


def put_comm(words):
    misc = 0x2000 if option(words, 'exec') else 0
    pid, tid, name, time = words
    record(3, misc, pack('II', number(pid), number(tid)) + text(name) +
           trailer(number(time), number(pid), number(tid)))


def put_fork(kind, words):
    pid, parent, tid, come, time = map(number, words)
    record(kind, 0, pack('IIIIQ', pid, parent, tid, come, time) + trailer(time, pid, tid))


def addresses(value):
    chain = [number(a) & (1 << 64) - 1 for a in value.split(',') if value != '0']
    return pack('Q', len(chain)) + b''.join(pack('Q', a) for a in chain)


def put_deferred(words):
    thread, cookie, chain, time = words
    pid, tid = map(number, (thread.split('/') * 2)[:2])
    record(22, 2, pack('Q', number(cookie)) + addresses(chain) +
           trailer(number(time), pid, tid))


def put_sample(words):
    misc = 1 if option(words, 'kernel') else 5 if option(words, 'guest') else 2
    e = events[number(words[0])]
    v = dict(word.split('=', 1) for word in words[1:])
    b = b''
    for name in ('identifier', 'ip', 'tid', 'time', 'addr', 'id', 'stream', 'cpu', 'period',
                 'read', 'chain', 'raw', 'branch', 'regs', 'stack', 'weight', 'physaddr'):
        if name not in e['fields']:
            continue
        value = v.get(name, '0')
        if name == 'tid':
            pid, tid = (value.split('/') * 2)[:2]
            b += pack('ii', number(pid), number(tid))
        elif name == 'cpu':
            b += pack('II', number(value), 0)
        elif name == 'read':
            members = [m.split(':') for m in value.split(',')]
            if e['read_format'] & 8:
                b += pack('Q', len(members))
            for m in members:
                b += pack('Q', number(m[0]))
                if e['read_format'] & 4:
                    b += pack('Q', number(m[1]))
        elif name == 'chain':
            b += addresses(value)
        elif name == 'raw':
            raw = bytes(12)
            if ':' in value:
                pid, period, chain = value.split(':')
                raw = pack('IIQ', number(pid), number(pid), number(period)) + addresses(chain)
                raw += bytes(12)
            b += pack('I', len(raw)) + raw
        elif name == 'regs':
            sp, ip = map(number, value.split(':'))
            b += pack('Q20Q', 2, *[0] * 7, sp, ip, *[0] * 11)
        elif name == 'stack':
            words = [number(w) for w in value.split(',')] if value else []
            b += pack('Q', 64) + padded(b''.join(pack('Q', w) for w in words), 64)[:64]
            b += bytes(64 * (not words)) + pack('Q', 8 * len(words))
        elif name == 'branch':
            pairs = [p.split(':') for p in value.split(',') if ':' in p] or [('0', '0')]
            b += pack('Q', len(pairs))
            for p in pairs:
                b += pack('QQQ', number(p[0]), number(p[1]), 0)
        else:
            b += pack('Q', number(value))
    record(9, misc, b)


def put_line(words):
    kind = words.pop(0)
    if kind == 'event':
        events.append({'name': words[0], 'type': number(words[1]), 'config': number(words[2]),
                       'period': number(words[3]), 'fields': words[4:], 'ids': [],
                       'read_format': 0, 'inherit': False, 'frequency': False, 'monotonic': False,
                       'branches': 0})
    elif kind == 'id':
        events[number(words[0])]['ids'].append(number(words[1]))
    elif kind == 'group':
        events[number(words[0])]['read_format'] = number(words[1])
    elif kind == 'branches':
        events[number(words[0])]['branches'] = number(words[1])
    elif kind == 'deferred':
        put_deferred(words)
    elif kind in ('inherit', 'frequency', 'monotonic'):
        events[number(words[0])][kind] = True
    elif kind == 'feature':
        features[number(words[0])] = words[1:]
    elif kind == 'build':
        builds.append((words[0], bytes.fromhex(words[1])))
    elif kind == 'mmap':
        put_mmap(words)
    elif kind == 'ksymbol':
        put_ksymbol(words)
    elif kind == 'comm':
        put_comm(words)
    elif kind in ('fork', 'exit'):
        put_fork(7 if kind == 'fork' else 4, words)
    elif kind == 'lost':
        record(2, 0, pack('QQ', 0, number(words[0])) + trailer(0))
    elif kind == 'lostsamples':
        record(13, 0, pack('Q', number(words[0])) + trailer(0))
    elif kind == 'throttle':
        record(5, 0, pack('QQQ', 0, 0, 0) + trailer(0))
    elif kind == 'round':
        record(68, 0, b'')
    elif kind == 'sample':
        put_sample(words)
    elif kind == 'raw':
        record(number(words[0]), number(words[1]), bytes.fromhex(words[2]))
    else:
        sys.exit('unknown line: ' + kind)


def string(s):
    b = s.encode() + b'\0'
    b += bytes(-len(b) % 64)
    return pack('I', len(b)) + b


def build_record(path, key):
    b = pack('i', -1) + padded(key, 20) + pack('BBH', len(key), 0, 0) + text(path)
    return pack('IHH', 67, 0x8000, 8 + len(b)) + b


def sections(size):
    all = dict()
    for n, words in features.items():
        all[n] = pack('I', len(words) // 2) + b''.join(map(string, words)) if n == 28 else \
            pack('II', *map(number, words)) if n == 7 else \
            pack('Q', number(words[0])) if n in (10, 24) else \
            string(' '.join(words)) if n != 11 else \
            pack('I', len(words)) + b''.join(map(string, words))
    if builds:
        all[2] = b''.join(build_record(*b) for b in builds)
    all[12] = pack('II', len(events), size) + b''.join(
        attr(e, size) + pack('I', len(e['ids'])) + string(e['name']) +
        b''.join(pack('Q', i) for i in e['ids']) for e in events)
    return all


def flushed():
    """Each record in a block of its own, as it is, in a frame that does not end."""
    z = [(len(r) << 3).to_bytes(3, 'little') + r for r in records]
    z[0] = bytes.fromhex('28b52ffd 0058') + z[0]
    return b''.join(pack('IHH', 81, 0, 8 + len(part)) + part for part in z)


def zstd(data):
    return subprocess.run(['zstd', '-qc'], input=data, capture_output=True, check=True).stdout


def packed(data, how, piece, frame):
    if frame:
        parts = [zstd(data[i:i + frame]) for i in range(0, len(data), frame)]
    else:
        z = zstd(data)
        parts = [z[i:i + piece] for i in range(0, len(z), piece)]
    out = b''
    for part in parts:
        if how == 'zstd2':
            body = pack('Q', len(part)) + padded(part)
            out += pack('IHH', 83, 0, 8 + len(body)) + body
        else:
            out += pack('IHH', 81, 0, 8 + len(part)) + part
    return out


def main(options):
    global order
    opt = dict((o.split('=') + ['1'])[:2] for o in options)
    order = '>' if 'big' in opt else '<'
    lines = [line.split() for line in sys.stdin if line.strip() and line[0] != '#']
    for words in sorted(lines, key=lambda w: w[0] not in ('event', 'id', 'group', 'inherit', 'frequency',
                                                     'monotonic', 'branches')):
        put_line(words)
    size = int(opt.get('attr', 128))
    data = flushed() if 'flush' in opt else b''.join(records)
    for how in ('zstd', 'zstd2'):
        if how in opt:
            data = packed(data, how, int(opt.get('cut', 1000)), int(opt.get('frame', 0)))
    if 'records' in opt:
        sys.stdout.buffer.write(data)
        return
    magic = pack('Q', 0x32454c4946524550)
    if 'pipe' in opt:
        out = magic + pack('Q', 16)
        for e in events:
            body = attr(e, size) + b''.join(pack('Q', i) for i in e['ids'])
            out += pack('IHH', 64, 0, 8 + len(body)) + body
        for n, section in sorted(sections(size).items()):
            body = padded(pack('Q', n) + section)
            out += pack('IHH', 80, 0, 8 + len(body)) + body
        sys.stdout.buffer.write(out + data)
        return
    ids = b''.join(pack('Q', i) for e in events for i in e['ids'])
    attrs_at = 104 + len(ids)
    attrs, at = b'', 104
    for e in events:
        attrs += attr(e, size) + pack('QQ', at, 8 * len(e['ids']))
        at += 8 * len(e['ids'])
    data_at = attrs_at + len(attrs)
    all = {} if 'killed' in opt else sections(size)
    table, contents = b'', b''
    at = data_at + len(data) + 16 * len(all)
    bits = [0] * 4
    for n, section in sorted(all.items()):
        bits[n // 64] |= 1 << n % 64
        table += pack('QQ', at, len(section))
        at += len(section)
        contents += section
    if all and 3 not in all and order == '>':
        sys.exit('a recording of the other byte order needs the feature 3')
    head = magic + pack('QQQQQQQQ', 104, size + 16, attrs_at, len(attrs), data_at,
                        0 if 'killed' in opt else len(data), 0, 0)
    head += b''.join(pack('Q', b) for b in bits)
    sys.stdout.buffer.write(head + ids + attrs + data + table + contents)


main(sys.argv[1:])
