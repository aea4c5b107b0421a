#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
# Lists the events with stacks of a recording of Java Flight Recorder, one a line: its name,
# how many it stands for, its weights, thread, state, class, and its frames, leaf first, each
# with its line and the type of its code.  Equal lines are counted.
#
#	jfr print --json --stack-depth 2048 FILE | jfr_events.py jfr
#	prof-cat --times FILE | jfr_events.py prof
#
# Both are the same if the recording has a pool with each constant.

import collections
import decimal
import json
import re
import sys

WEIGHTS = ['weight', 'tlabSize', 'allocationSize', 'objectSize', 'samplingPeriod', 'timeSpan',
    'duration', 'bytesRead', 'bytesWritten', 'size']
THREADS = ['sampledThread', 'eventThread']
CLASSES = ['objectClass', 'monitorClass', 'parkedClass', 'thrownClass']
ELEMENTS = {'Z': 'boolean', 'B': 'byte', 'S': 'short', 'C': 'char', 'I': 'int', 'J': 'long',
    'F': 'float', 'D': 'double'}
NO_STACK = '[no stack]:-:-'


def show(rows):
    """Leaves out events that never have a stack, unless they are sampled."""
    have = {name for (name, *_, frames) in rows if frames != NO_STACK}
    for row, n in sorted(rows.items()):
        if row[0] in have or row[0].endswith('Sample'):
            print(n, *row, sep='\t')


# ---- jfr print ----

def nanoseconds(duration):
    hours, minutes, seconds = re.fullmatch(
        r'PT(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?[\d.]+)S)?', duration).groups()
    return int(((int(hours or 0) * 60 + int(minutes or 0)) * 60 +
        decimal.Decimal(seconds or 0)) * 10 ** 9)


def java_class(name):
    element = name.lstrip('[')
    arrays = len(name) - len(element)
    if arrays and re.fullmatch('L.*;', element):
        element = element[1:-1]
    elif arrays:
        element = ELEMENTS.get(element, element)
    return re.sub(r'/(?!\d)', '.', element) + '[]' * arrays


def frame_of(frame):
    method = frame['method']
    of = java_class(method['type']['name'] or '') if method['type'] else ''
    line = frame['lineNumber']
    return '%s:%s:%s' % ('.'.join(x for x in (of, method['name']) if x),
        line if line and line > 0 else '-', frame['type'])


def stack_of(stack):
    frames = [frame_of(f) for f in stack['frames']] if stack else []
    if stack and stack['truncated']:
        frames.append('[truncated]:-:-')
    return ';'.join(frames) or NO_STACK


def weight_of(value):
    return nanoseconds(value) if isinstance(value, str) else value


def first(values, keys):
    return next((values[k] for k in keys if values.get(k)), None)


def from_jfr():
    rows = collections.Counter()
    for event in json.load(sys.stdin)['recording']['events']:
        v = event['values']
        if 'stackTrace' not in v:
            continue
        weights = [weight_of(v[k]) for k in WEIGHTS if k in v and
            not isinstance(v[k], float)][:3]
        thread, of = first(v, THREADS), first(v, CLASSES)
        rows[event['type'].split('.')[-1],
            ' '.join(str(w) for w in weights if w),
            (thread and (thread['javaName'] or thread['osName'])) or '-',
            (thread and thread['osThreadId']) or '-', v.get('state') or '-',
            java_class(of['name']) if of else '-', v.get('path') or '-',
            stack_of(v['stackTrace'])] += v['samples'] if 'samples' in v else 1
    show(rows)


# ---- prof-cat ----

def text(field):
    return '' if field == '-' else re.sub(r'\\(x..|.)', lambda m: {
        't': '\t', 'n': '\n', 'r': '\r'}.get(m[1]) or
        (chr(int(m[1][1:], 16)) if m[1][0] == 'x' and len(m[1]) > 1 else m[1]), field)


def attributes(fields):
    return {k: text(v) for k, v in (f.split('=', 1) for f in fields)}


def from_prof():
    rows, names, functions, contexts = collections.Counter(), [], [], []
    for line in sys.stdin:
        tag, *c = line.rstrip('\n').split('\t')
        if tag == 'event':
            names.append(c[1])
        elif tag == 'func':
            functions.append(text(c[1]))
        elif tag == 'ctx':
            name = functions[int(c[2])]
            a = attributes(c[6:])
            kind = ('-' if name in ('[no stack]', '[truncated]') else
                'Inlined' if 'inlined' in a else a.get('jfr.type', 'JIT compiled'))
            contexts.append((c[1], '%s:%s:%s' % (name, c[4], kind)))
        elif tag == 'sample':
            values = [f for f in c[1:] if '=' not in f]
            a = attributes(c[1 + len(values):])
            column = names.index(a['event'])
            at, frames = c[0], []
            while at != '-':
                at, frame = contexts[int(at)]
                frames.append(frame)
            weights = [v for n, v in zip(names, values) if n.startswith(a['event'] + '.')]
            rows[a['event'], ' '.join(w for w in weights if w != '0'), a.get('comm', '-'),
                a.get('tid', '-'), a.get('state', '-'), a.get('class', '-'),
                a.get('path', '-'), ';'.join(frames)] += int(values[column])
    show(rows)


sys.setrecursionlimit(10000)
{'jfr': from_jfr, 'prof': from_prof}[sys.argv[1]]()
