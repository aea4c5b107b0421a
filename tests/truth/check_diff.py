# SPDX-License-Identifier: ISC
"""prof-diff: every row, of two runs or of several a side, and the status of its gate."""
import math
from fractions import Fraction
import model
import read
from check_top import FORMATS, certain, namesakes, spelt, write
from runs import random_runs
from tools import Finding

BYS = ['function', 'function', 'file', 'object', 'total', 'function,line', 'object,file', 'line']
DIFF_FORMATS = ['stream', 'callgrind', 'levels', 'samples', 'folded', 'pprof', 'cachegrind',
                'speedscope']


def make(rng):
    case = random_runs(rng, 2, DIFF_FORMATS, parts=rng.choice((1, 1, 2)))
    case['by'] = rng.choice(BYS).split(',')
    case['way'] = rng.choice(('table', 'stream'))
    return case


def make_acyclic(rng):
    """Without cycles all numbers are certain."""
    case = random_runs(rng, 2, [f for f in DIFF_FORMATS if f != 'levels'], cycles=False,
                       parts=rng.choice((1, 1, 2)))
    case['by'] = rng.choice(('function', 'function', 'total')).split(',')
    case['way'] = rng.choice(('table', 'stream'))
    return case


def make_match(rng):
    """Two builds: clones, other folders, levels of recursion."""
    case = random_runs(rng, 2, ['stream', 'callgrind', 'samples', 'pprof'])
    case['by'], case['way'] = ['function'], 'table'
    case['match'] = rng.choice(('clones', 'rust', 'clones,rust', 'folders'))
    suffix = {'clones': ['.isra.0', '.constprop.1', '.part.3', '.cold', '.llvm.77'],
              'rust': ['::h0123456789abcdef', '::hfedcba9876543210']}
    for side in 0, 1:
        chosen = {}

        def named(f):
            if f not in chosen:
                s = [x for m in case['match'].split(',') for x in suffix.get(m, [])]
                chosen[f] = rng.choice([''] + s) if s else ''
            return f._replace(name=f.name.replace('z.isra.0', 'z') + chosen[f])
        if case['match'] == 'folders' and side:
            def named(f):
                return f._replace(name=f.name.replace('z.isra.0', 'z'),
                                  file=f.file and '/new/place/' + f.file,
                                  object=f.object and '/new' + f.object)

            def moved(a, file, line):
                return file and '/new/place/' + file, line
            case['profiles'][side] = case['profiles'][side].changed(func=named, own=moved)
        else:
            case['profiles'][side] = case['profiles'][side].changed(func=named)
    return case


def plain_name(key, names, match):
    """The row without what --match ignores."""
    import re
    name = key[names.index('function')]
    if 'clones' in match:
        name = re.sub(r'\.(isra|constprop|part|llvm)\.\d+$|\.cold$', '', name)
    if 'rust' in match:
        name = re.sub(r'::h[0-9a-f]{16}$', '', name)
    if match == 'folders':
        return (name,)
    return (name,) + key[1:]


def truths(case, profile, names):
    """The truth of a side, its functions called as on the other side."""
    by, match = case['by'], case.get('match')
    if not match:
        return model.Truth(profile, names, by)
    if match == 'folders':
        func = lambda f: f._replace(file=None, object=None)
    else:
        func = lambda f: f._replace(name=plain_name((f.name,), ['function'], match)[0])
    return model.Truth(profile.changed(func=func), names, by)


def verify(case, tools):
    by = case['by']
    if 'function' in by and any(namesakes(p) for p in case['profiles']):
        return
    names = model.columns_of(by)
    files = [write(case, tools, i, 'in%d' % i) for i in (0, 1)]
    sides = [truths(case, p, names) for p in case['profiles']]
    events = case['profiles'][0].events
    args = ['-b', ','.join(by)]
    match = case.get('match')
    if match and match != 'folders':
        args += ['--match', match]
    if case['way'] == 'table':
        out = tools.call('prof-diff', '--quiet', '--tsv', *args, *files)
    else:
        tools.call('prof-diff', '--quiet', *args, *files, into='diff')
        out = tools.call('prof-top', '--quiet', '--tsv', *(['-b', ','.join(by)]), 'diff')
    command = '; '.join(tools.ran[-2:])
    columns, rows = read.table(out)
    at = {c: i for i, c in enumerate(columns)}
    if columns[:len(names)] != names:
        yield Finding('columns', command, names, columns)
        return
    seen = {}
    for row in rows:
        key = tuple(row[:len(names)])
        if match:
            key = plain_name(key, names, match)
            if match == 'folders':
                key += (None, None)
        if key in seen:
            yield Finding('row twice', command, 'once', row)
        seen[key] = row
    kind = FORMATS[case['format']].kind
    zero = (0,) * len(events)
    for key in {k for t in sides for k in set(t.own) | set(t.all)} | set(seen):
        old, new = [t.own.get(key, zero) for t in sides]
        if key not in seen:
            if any(old) or any(new):
                yield Finding('row missing', command, (key, old, new), 'nothing')
            continue
        row = seen[key]
        for i, e in enumerate(events):
            got = [row[at[c]] for c in (e + '.old', e + '.new', e)]
            want = [str(old[i]), str(new[i]), str(new[i] - old[i])]
            if got != want:
                yield Finding('own costs', command, (key, e, want), got)
            if kind == 'flat':
                continue
            got = [row[at[c]] for c in (e + '.old.incl', e + '.new.incl', e + '.incl')]
            if None not in got and int(got[0]) + int(got[2]) != int(got[1]):
                yield Finding('old and change are not new', command, key, got)
            for suffix, cost in zip(('.old', '.new', ''), (
                    *[t.all.get(key, zero)[i] for t in sides],
                    sides[1].all.get(key, zero)[i] - sides[0].all.get(key, zero)[i])):
                # A later column says what each is.
                what = row[at[e + suffix + '.incl.bound']] \
                    if e + suffix + '.incl.bound' in at else None
                shown = int(row[at[e + suffix + '.incl']] or 0)
                if what == 'exact' and shown != cost or what == 'least' and shown > cost or \
                        what == 'most' and shown < cost:
                    yield Finding('inclusive cost that is %s' % what, command,
                                  (key, e + suffix, cost), shown)
            # A difference that is written has no functions in rows of several: bounds.
            if 'function' not in by:
                continue
            if all(kind == 'stacks' or sure(case, t, key) for t in sides):
                a, b = [t.all.get(key, zero)[i] for t in sides]
                if got != [str(a), str(b), str(b - a)]:
                    yield Finding('inclusive costs', command, (key, e, [a, b, b - a]), got)
        if kind == 'graph' and 'line' not in by:
            got = [row[at[c]] if c in at else '0' for c in ('calls.old', 'calls.new')]
            want = [str(t.calls.get(key, 0)) for t in sides]
            if got != want:
                yield Finding('calls', command, (key, want), got)
    if kind != 'flat' and names and not match:
        yield from marks(case, tools, files, args, sides, names)


def sure(case, truth, key):
    """Of lines, a difference knows less than each side: the functions are added up."""
    return certain(case, truth, key) and ('line' not in case['by'] or 'function' in case['by'])


def marks(case, tools, files, args, sides, names):
    """A change without a mark is the truth."""
    event = case['profiles'][0].events[0]
    out = tools.call('prof-diff', '--quiet', '--exact', '--long', '-n', '0', '--events', event,
                     *args, *files)
    command = tools.shown()
    header, rows = read.people(out)
    if 'inclusive' not in header:
        return
    where, looks = header.index('inclusive'), {}
    shown = [c for c in names if c in header]
    for key in {k for t in sides for k in t.all}:
        cells = spelt(names, key)
        looks.setdefault(tuple(cells[c] for c in shown), []).append(key)
    for row in rows:
        keys = looks.get(tuple(row[header.index(c)] for c in shown), [])
        if len(keys) != 1 or not row[where]:
            continue
        value, mark = read.number(row[where])
        old, new = [t.all.get(keys[0], (0,))[0] for t in sides]
        known = all(FORMATS[case['format']].kind == 'stacks' or sure(case, t, keys[0])
                    for t in sides)
        value = value or 0
        if mark == '~' and value > new - old or mark == '<' and value < new - old:
            yield Finding('wrong bound', command, (keys[0], event, new - old), row[where])
        elif not mark and value != new - old:
            yield Finding('unmarked change but wrong', command, (keys[0], event, new - old), value)
        elif mark and known:
            yield Finding('mark of what is certain', command, (keys[0], event, new - old),
                          row[where])


# ---- shares ----

def make_normalize(rng):
    case = random_runs(rng, 2, DIFF_FORMATS, cycles=False, events=('Ir',))
    case['by'] = ['function']
    return case


def verify_normalize(case, tools):
    names = model.columns_of(case['by'])
    files = [write(case, tools, i, 'in%d' % i) for i in (0, 1)]
    if any(namesakes(p) for p in case['profiles']):
        return
    old, new = [model.Truth(p, names, case['by']) for p in case['profiles']]
    if not old.total[0] or not new.total[0]:
        return      # there are no shares
    out = tools.call('prof-diff', '--quiet', '--normalize', '--tsv', *files)
    command = tools.shown()
    columns, rows = read.table(out)
    at = {c: i for i, c in enumerate(columns)}
    e = case['profiles'][0].events[0]
    kind = FORMATS[case['format']].kind
    for row in rows:
        key = tuple(row[:3])
        for suffix, of in ('', 'own'), ('.incl', 'all'):
            if suffix and (kind == 'flat' or kind == 'graph' and case['format'] == 'levels'):
                continue
            a, b = [getattr(t, of).get(key, (0,))[0] for t in (old, new)]
            want = Fraction(b * old.total[0], new.total[0])
            got = read.scaled(row, at, e + '.new' + suffix)
            if read.scaled(row, at, e + '.old' + suffix) != a:
                yield Finding('old cost', command, (key, a), row[at[e + '.old' + suffix]])
            # Exact in parts of a unit, or else rounded to nearest; of a sum of calls, each.
            near = 0 if e + '.new.unit' in at else Fraction(1, 2) if not suffix else 1
            if got is None or abs(got - want) > near:
                yield Finding('share' + suffix, command, (key, float(want)), got)


# ---- several runs ----

def make_several(rng):
    n = rng.randint(2, 4), rng.randint(2, 4)
    case = random_runs(rng, sum(n), ['stream', 'callgrind', 'samples', 'folded', 'pprof'],
                       cycles=rng.random() < 0.2)
    case['sides'] = n
    case['by'] = rng.choice(BYS[:4]).split(',')
    return case


def verify_several(case, tools):
    by, names = case['by'], model.columns_of(case['by'])
    if any(namesakes(p) for p in case['profiles']):
        return
    files = [write(case, tools, i, 'in%d' % i) for i in range(len(case['profiles']))]
    a = case['sides'][0]
    out = tools.call('prof-diff', '--quiet', '--tsv', '-b', ','.join(by), *files[:a], '--',
                     *files[a:])
    command = tools.shown()
    columns, rows = read.table(out)
    at = {c: i for i, c in enumerate(columns)}
    runs = [model.Truth(p, names, by) for p in case['profiles']]
    events = case['profiles'][0].events
    kind = FORMATS[case['format']].kind
    seen = {tuple(row[:len(names)]): row for row in rows}
    zero = (0,) * len(events)
    for key in {k for t in runs for k in t.all}:
        if key not in seen:
            if any(any(t.own.get(key, zero)) for t in runs):
                yield Finding('row missing', command, key, 'nothing')
            continue
        row = seen[key]
        for i, e in enumerate(events):
            for suffix, of in ('', 'own'), ('.incl', 'all'):
                if suffix and kind != 'stacks' and not all(certain(case, t, key) for t in runs):
                    continue
                sides = [[getattr(t, of).get(key, zero)[i] for t in runs[:a]],
                         [getattr(t, of).get(key, zero)[i] for t in runs[a:]]]
                means = [Fraction(sum(v), len(v)) for v in sides]
                got = [read.scaled(row, at, e + s + suffix) for s in ('.old', '.new', '')]
                near = 0 if e + '.unit' in at else Fraction(1, 2)
                if None in got or any(abs(g - m) > near for g, m in zip(got, means)):
                    yield Finding('means' + suffix, command,
                                  (key, e, sides, list(map(float, means))),
                                  [g is not None and float(g) for g in got])
                elif got[1] - got[0] != got[2]:
                    yield Finding('old and change are not new', command, key, got)
                if len(sides[0]) == len(sides[1]):
                    v = [sum((x - m) ** 2 for x in s) / (len(s) - 1)
                         for s, m in zip(sides, means)]
                    # Of whole numbers: no less than that of their rounding.
                    want = max(math.sqrt(sum(v) / 2), math.sqrt(1 / 12))
                    found = read.scaled(row, at, e + suffix + '.noise')
                    if found is None or abs(float(found) - want) > 1e-4 * want + 1e-9:
                        yield Finding('noise' + suffix, command, (key, e, want), found)


# ---- gates ----

def make_gate(rng, cycles=False):
    case = random_runs(rng, 2, DIFF_FORMATS if cycles else
                       [f for f in DIFF_FORMATS if f != 'levels'], cycles=cycles,
                       change=rng.choice((0.05, 0.5)), moved=rng.choice((0, 0.05, 0.15)))
    case['by'] = rng.choice(BYS[:4]).split(',')
    case['over'] = {e: rng.choice(('0', '5', '10', '12.5', '100', '33.333333'))
                    for e in case['profiles'][0].events if rng.random() < 0.7} or \
        {case['profiles'][0].events[0]: '1'}
    case['min'] = rng.choice(('0', '1', '7', '100', '0.5%', '10%', None))
    case['scope'] = rng.choice((None, 'function', 'total', 'both'))
    case['metric'] = rng.choice((None, 'self', 'inclusive'))
    if FORMATS[case['format']].kind == 'flat' and case['metric'] == 'inclusive':
        case['metric'] = None
    return case


def make_gate_cycles(rng):
    case = make_gate(rng, True)
    case['metric'], case['scope'] = 'inclusive', 'function'
    if FORMATS[case['format']].kind == 'flat':
        case['metric'] = 'self'
    return case


def verify_gate(case, tools):
    by, names = case['by'], model.columns_of(case['by'])
    if any(namesakes(p) for p in case['profiles']):
        return
    files = [write(case, tools, i, 'in%d' % i) for i in (0, 1)]
    sides = [model.Truth(p, names, by) for p in case['profiles']]
    events = case['profiles'][0].events
    kind = FORMATS[case['format']].kind
    args = ['-b', ','.join(by), '--fail-over', ','.join(
        '%s=%s%%' % (e, p) for e, p in case['over'].items())]
    for option, value in (('--min-cost', case['min']), ('--scope', case['scope']),
                          ('--metric', case['metric'])):
        if value:
            args += [option, value]
    least = case['min'] or '0.01%'
    inclusive = case['metric'] == 'inclusive'
    grown, unsure, whole, came = set(), set(), False, False
    zero = (0,) * len(events)
    for e, percent in case['over'].items():
        i = events.index(e)
        floor = Fraction(least) if '%' not in least else \
            Fraction(least[:-1]) * sides[0].total[i] / 100

        def over(old, new):
            return new - old > Fraction(percent) * old / 100 and new - old > floor
        if case['scope'] != 'function':
            whole |= over(sides[0].total[i], sides[1].total[i])
        if case['scope'] == 'total':
            continue
        for key in {k for t in sides for k in set(t.all) | set(t.own)}:
            costs = [(t.all if inclusive else t.own).get(key, zero)[i] for t in sides]
            if over(*costs):
                grown.add(key)
                # Of both scopes: what is new is none where others save what it costs.
                came |= case['scope'] in (None, 'both') and not costs[0] and \
                    sides[0].total[i] >= sides[1].total[i]
            if inclusive and kind == 'graph' and not all(certain(case, t, key) for t in sides):
                unsure.add(key)
    if came:
        return
    status, out = tools.call('prof-diff', '--quiet', '--tsv', *args, *files,
                             statuses=(0, 1, 2) if unsure else (0, 1))
    command = tools.shown()
    if status == 2:
        if 'could be checked' not in tools.errors:
            yield Finding('status 2', command, '0 or 1', tools.errors)
        return
    want = 1 if grown or whole else 0
    if grown - unsure or whole or not unsure:
        if status != want:
            yield Finding('status', command, (want, sorted(grown, key=str)), status)
            return
    elif status == 0 and want == 1 and not tools.errors:
        yield Finding('passes in silence', command, (want, sorted(grown, key=str)), status)
    elif status == 1 and want == 0 and not any(m in out for m in '~?'):
        yield Finding('fails of what has not grown', command, want, out)
    if status == 1 and not unsure and names:
        columns, rows = read.table(out)
        got = {tuple(row[:len(names)]) for row in rows}
        if got != grown:
            yield Finding('rows that have grown', command, sorted(grown, key=str),
                          sorted(got, key=str))


CHECKS = {
    'diff': (make_acyclic, verify),
    'diff-cycles': (make, verify),
    'match': (make_match, verify),
    'normalize': (make_normalize, verify_normalize),
    'several': (make_several, verify_several),
    'gate': (make_gate, verify_gate),
    'gate-cycles': (make_gate_cycles, verify_gate),
}
