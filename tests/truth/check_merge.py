# SPDX-License-Identifier: ISC
"""prof-merge: every record with every --op and --by."""
import math
import random
from fractions import Fraction
import model
import read
import write_graph
from check_top import FORMATS, write
from runs import random_runs
from tools import Finding

OPS = ['sum', 'min', 'max', 'median', 'mean', 'stats']
BYS = [None, None, 'function', 'object', 'function,line', 'file', 'line', 'total', 'object,file']


def make(rng, n=None):
    case = random_runs(rng, n or rng.choice((1, 2, 2, 3, 3, 4, 5)),
                       ['stream', 'callgrind', 'samples', 'pprof', 'cachegrind', 'folded'],
                       parts=rng.choice((1, 1, 2)), labels=rng.random() < 0.3)
    case['op'], case['by'] = rng.choice(OPS), rng.choice(BYS)
    # Some runs did not measure the last event.
    case['lacks'] = []
    if len(case['profiles'][0].events) > 1 and case['format'] != 'folded':
        for i, p in enumerate(case['profiles']):
            if rng.random() < 0.25:
                case['profiles'][i] = p.changed(events=p.events[:1])
    return case


def make_absent(rng):
    """Streams, in which some records have no value of an event."""
    case = make(rng, rng.choice((1, 2, 3, 4)))
    case['format'] = 'stream'
    case['by'] = rng.choice((None, 'function'))
    case['absent'] = True
    return case


def absent(case, run, key, event):
    """Whether the record of this run has '-' for the event."""
    return 'absent' in case and \
        random.Random('%s %s %s %s' % (case['seed'], run, key, event)).random() < 0.25


def place(frame, by):
    """What is left of a place."""
    f = frame.func
    if by is None:
        return (f.name, f.file, f.object), frame.file, frame.line
    lines = 'file' in by or 'line' in by
    if 'function' in by:
        func = f.name, f.file, f.object
    else:       # some place in a file or an object
        func = None, frame.file if lines else None, f.object if 'object' in by else None
    return func, frame.file if lines else func[1], frame.line if 'line' in by else None


def callee(f, by):
    return place(model.Frame(f, f.file, None), by)[0]


def run_records(case, index):
    """The records of a run: values by event, which may be None, and counts."""
    profile, by = case['profiles'][index], case['by']
    by = by.split(',') if by else None
    found = {}

    def put(key, events, costs, count=None):
        have = found.setdefault(key, {})
        for e, c in list(zip(events, costs)) + ([('count', count)] if count else []):
            have.setdefault(e, None)
            if c is not None:
                have[e] = (have[e] or 0) + c
    for part in profile.parts:
        if FORMATS[case['format']].kind == 'stacks':
            for s in model.part_stacks(part):
                key = 'sample', tuple(place(f, by) for f in s.frames), tuple(sorted(s.labels))
                put(key, part.events, s.costs)
        else:
            costs, calls = write_graph.records(part)
            for (f, file, line), v in costs.items():
                v = [None if absent(case, index, (f, file, line), e) else c
                     for e, c in zip(part.events, v)]
                put(('cost',) + place(model.Frame(f, file, line), by), part.events, v)
            for (f, file, line, g), (count, v) in calls.items():
                v = [None if absent(case, index, (f, file, line, g), e) else c
                     for e, c in zip(part.events, v)]
                put(('call',) + place(model.Frame(f, file, line), by) + (callee(g, by),),
                    part.events, v, count)
    return found


def combined(op, values):
    """Of the values of a record in the runs that measured the event: what may be there,
    as a list of (suffix, what may be printed)."""
    known = [v for v in values if v is not None]
    n = [v for v in known if v is not MISSING]
    if not n:       # no run has a value, but in some the record is not there
        return None if not known or op == 'sum' else EITHER
    v = sorted(0 if x is MISSING else x for x in known)
    mean = Fraction(sum(v), len(v))
    if op == 'sum':
        return {'': sum(v)}
    if op in ('min', 'max'):
        return {'': v[0] if op == 'min' else v[-1]}
    if op == 'median':
        return {'': v[(len(v) - 1) // 2]}
    if op == 'mean':
        return {'': mean}
    sd = math.sqrt(sum((x - mean) ** 2 for x in v) / (len(v) - 1)) if len(v) > 1 else None
    return {'': mean, '.runs': len(n), '.min': v[0], '.max': v[-1], '.sd': sd}


MISSING = object()
EITHER = {k: (None, 0) for k in ('', '.runs', '.min', '.max', '.sd')}


def near(got, want):
    """A mean and a deviation are rounded to nearest; all else is what it is."""
    if isinstance(want, tuple):
        return got in want
    if want is None or got is None:
        return want is got
    if isinstance(want, int):
        return got == want
    if isinstance(want, Fraction) and isinstance(got, Fraction):
        return got == want      # in parts of a unit, nothing is rounded
    return abs(got - want) <= Fraction(1, 2) + Fraction(abs(want)) / 10 ** 12


def verify(case, tools):
    op, by = case['op'], case['by']
    files = []
    for i in range(len(case['profiles'])):
        if 'absent' in case:
            files.append(tools.file('in%d.stream' % i, with_absent(case, i)))
        else:
            files.append(write(case, tools, i, 'in%d' % i))
    args = ['--op', op] if op != 'sum' else []
    if by:
        args += ['--by', by]
    out = tools.call('prof-merge', *args, *files)
    command = tools.shown()
    stream = read.Stream(out)
    runs = [run_records(case, i) for i in range(len(files))]
    events = []
    for p in case['profiles']:
        events += [e for e in p.events if e not in events]
    if not stream.parts:
        yield Finding('no part', command, 'one part', 'none')
        return
    part = stream.parts[0]
    got = {}
    for kind in 'cost', 'call', 'sample':
        for key, values, count, labels in part[kind]:
            if kind == 'sample':
                key = tuple((f[0] or (None, None, None), f[1], f[2]) for f in key), labels
            else:
                key = (key[0] or (None, None, None),) + key[1:]
                if kind == 'call':
                    key = key[:3] + (key[3] or (None, None, None),)
            if (kind,) + key in got:
                yield Finding('record twice', command, 'once', (kind, key))
            got[(kind,) + key] = dict(zip(part['events'], values), count=count)
    totals = [{e: sum(s.costs[s.part.events.index(e)] for s in p.stacks()
                      if e in s.part.events) for e in p.events} for p in case['profiles']]
    for key in {k for r in runs for k in r} | set(got):
        want = {}
        for e in events + (['count'] if key[0] == 'call' else []):
            values = []
            for i, r in enumerate(runs):
                if e != 'count' and e not in case['profiles'][i].events:
                    continue        # not measured
                values.append(r[key].get(e) if key in r else MISSING)
            result = combined(op, values)
            if result is None:
                result = {'': None}
            if result is EITHER and op != 'stats':
                result = {'': (None, 0)}
            if e == 'count':
                result = {'': result['']}
            want.update({e + k: v for k, v in result.items()})
        if key not in got:
            if any(v for v in want.values() if v != (None, 0)):
                yield Finding('record missing', command, (key, want), 'nothing')
            continue
        if not any(key in r for r in runs):
            yield Finding('record that is not', command, 'none', (key, got[key]))
            continue
        for e, v in want.items():
            if e not in got[key]:
                if v is not None and v != (None, 0):
                    yield Finding('event missing', command, (key, e, v), got[key])
            elif e == 'count' and isinstance(v, Fraction) and abs(got[key][e] - v) < 1:
                pass        # rounded, so that all calls of a function add up
            elif not near(got[key][e], v):
                yield Finding('value of ' + (e.split('.')[1] if '.' in e else op), command,
                              (key, e, shown(v)), got[key][e])
    if 'absent' in case:
        return
    for e in events:
        result = combined(op, [t[e] for t in totals if e in t])['']
        total = part['total'].get('run')
        found = total[part['events'].index(e)] if total else None
        if not near(found, result) and not (result == 0 and found is None):
            yield Finding('total', command, (e, shown(result)), found)


def shown(v):
    return float(v) if isinstance(v, Fraction) and v.denominator > 1 else v


def with_absent(case, run):
    """The stream of a run, with '-' for what is absent."""
    lines = ['prof\t1']
    names = write_graph.Names(lines)
    for part in case['profiles'][run].parts:
        write_graph.header(lines, part, 1)
        costs, calls = write_graph.records(part)
        for key, v in list(costs.items()) + list(calls.items()):
            call = len(key) == 4
            line = ['call' if call else 'cost', names.func(key[0]), names.file(key[1]),
                    write_graph.dash(key[2]), '-']
            if call:
                line += [names.func(key[3]), '-', '-', str(v[0])]
                v = v[1]
            line += ['-' if absent(case, run, key, e) else str(c)
                     for e, c in zip(part.events, v)]
            lines.append('\t'.join(line))
    lines.append('end')
    return '\n'.join(lines) + '\n'


CHECKS = {
    'merge': (make, verify),
    'absent': (make_absent, verify),
}
