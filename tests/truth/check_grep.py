# SPDX-License-Identifier: ISC
"""prof-grep: every record that is kept; what prof-top makes of it; --where."""
import re
from fractions import Fraction
import model
import read
import write_graph
from check_top import FORMATS, judge, random_case, spelt, write
from tools import Finding


def make(rng, cycles=None, formats=('stream', 'callgrind', 'levels', 'samples', 'pprof',
                                    'folded')):
    case = random_case(rng, formats=list(formats), parts=rng.choice((1, 1, 2)),
                       inlined=rng.random() < 0.2,
                       cycles=rng.random() < 0.6 if cycles is None else cycles)
    kind = FORMATS[case['format']].kind
    funcs = sorted({a.func for a in case['profiles'][0].acts()}, key=str)
    f = rng.choice(funcs)
    where = rng.choice(('function', 'function', 'function', 'file', 'object', 'any'))
    case['in'] = where
    name = f.file if where == 'file' else f.object if where == 'object' else f.name
    name = name or f.name
    case['fixed'] = rng.random() < 0.5
    case['x'] = rng.random() < 0.6
    if case['x']:
        if rng.random() < 0.5:
            name = re.sub(r"'\d+$", '', name)
    elif len(name) > 2 and rng.random() < 0.7:
        i = rng.randrange(len(name) - 1)
        name = name[i:rng.randint(i + 1, len(name))]
    case['pattern'] = name if case['fixed'] else re.sub(r'([\\^$.|?*+(){}\[\]])', r'\\\1', name)
    case['v'] = rng.random() < 0.25
    case['role'] = rng.choice(('self', 'caller', 'callee', 'any')) \
        if kind == 'graph' and not case['v'] and rng.random() < 0.3 else None
    # Places of frames would tell callers apart: only folded stacks have none.
    sides = {'A': None, 'B': None}
    if kind == 'graph' or case['format'] == 'folded' and not case['v']:
        for side in sides:
            if rng.random() < 0.35:
                sides[side] = rng.choice((0, 1, 1, 2, 3, 'all'))
    case['sides'] = sides
    return case


def make_marks(rng):
    case = make(rng, rng.random() < 0.7, ('stream', 'callgrind', 'levels'))
    case['inlined'] = False
    return case


def make_acyclic_marks(rng):
    case = make(rng, False, ('stream', 'callgrind', 'samples', 'folded'))
    case['role'], case['v'], case['sides']['B'] = None, False, None
    return case


def matcher(case):
    """Whether a name matches, which may be unknown."""
    pattern = re.escape(case['pattern']) if case['fixed'] else case['pattern']

    def match(name):
        if name is None:
            return False
        if not case['x']:
            return re.search(pattern, name) is not None
        return any(re.fullmatch(pattern, n) for n in (name, re.sub(r"'\d+$", '', name)))
    return match


def names_match(case, match, func, file):
    """Whether a place does, or a function if its file is given."""
    what = case['in']
    return what in ('function', 'any') and match(func.name) or \
        what in ('object', 'any') and match(func.object) or \
        what in ('file', 'any') and (match(func.file) or match(file))


class Kept:
    """What is kept of a call graph."""

    def __init__(self, case):
        match = matcher(case)
        role, inverted = case['role'] or 'any', case['v']
        profile = case['profiles'][0]
        funcs, lines, calls = set(), set(), set()
        for part in profile.parts:
            funcs |= write_graph.ran(part)
            costs, steps = write_graph.records(part)
            calls |= {(k[0], k[3]) for k in steps}
            for k in list(costs) + list(steps):
                if case['in'] in ('file', 'any') and match(k[1]) and not inverted:
                    lines.add(k[0])
        start = {f for f in funcs if names_match(case, match, f, f.file) != inverted} | lines

        def side(limit, edges):
            """The functions and how far away they are."""
            if not limit:
                return {}
            far = {f: 0 for f in start}
            todo, n = set(start), 0
            while todo and (limit == 'all' or n < limit):
                n += 1
                todo = {b for a, b in edges if a in todo and b not in far}
                far.update({f: n for f in todo})
            return far
        self.after = side(case['sides']['A'], calls)
        self.before = side(case['sides']['B'], {(b, a) for a, b in calls})

        def cost(func, file):
            if any(s.get(func, 0) > 0 for s in (self.after, self.before)):
                return True
            return role in ('self', 'any') and names_match(case, match, func, file) != inverted

        def call(func, file, callee):
            if any(func in s and callee in s for s in (self.after, self.before)):
                return True
            a = names_match(case, match, func, file)
            b = names_match(case, match, callee, callee.file)
            if inverted:
                return not a and not b
            return role in ('caller', 'any') and a or role in ('callee', 'any') and b
        self.cost, self.call = cost, call


def arguments(case):
    args = ['--in', case['in']] if case['in'] != 'function' else []
    args += ['-F'] * case['fixed'] + ['-x'] * case['x'] + ['-v'] * case['v']
    if case['role']:
        args += ['--role', case['role']]
    for side, n in case['sides'].items():
        if n is not None:
            args += ['-' + side, str(n)]
    return args + ['-e', case['pattern']]


def kept_stacks(case):
    match, profile = matcher(case), case['profiles'][0]
    stacks = list(profile.stacks())
    hit = [[names_match(case, match, f.func, f.file) for f in s.frames] for s in stacks]
    above = set()       # the contexts above a match
    n = case['sides']['B']
    for s, h in zip(stacks, hit):
        for i, yes in enumerate(h):
            if yes and n:
                for j in range(0 if n == 'all' else max(0, i - n), i):
                    above.add(s.frames[:j + 1])
    return [s for s, h in zip(stacks, hit)
            if any(h) != case['v'] or s.frames in above]


def summed(pairs):
    found = {}
    for key, values in pairs:
        found[key] = model.add(found[key], values) if key in found else values
    return {k: v for k, v in found.items()}


def verify(case, tools):
    profile, file = case['profiles'][0], write(case, tools)
    kind = FORMATS[case['format']].kind
    out = tools.call('prof-grep', '--quiet', *arguments(case), file, statuses=(0, 1))[1]
    command = tools.shown()
    stream = read.Stream(out)
    if not stream.ended:
        yield Finding('no end', command, 'end', 'none')
    if len(stream.parts) != len(profile.parts):
        yield Finding('parts', command, len(profile.parts), len(stream.parts))
        return
    keep = Kept(case) if kind == 'graph' else None
    stacks = kept_stacks(case) if kind == 'stacks' else None
    for part, got in zip(profile.parts, stream.parts):
        if kind == 'graph':
            costs, calls = write_graph.records(part)
            want = {}
            for (f, path, line), v in costs.items():
                if keep.cost(f, path):
                    want['cost', tuple(f), path, line] = v
            for (f, path, line, g), (count, v) in calls.items():
                if keep.call(f, path, g):
                    want['call', tuple(f), path, line, tuple(g)] = v + (count,)
            have = summed([(('cost',) + k, v) for k, v, _, _ in got['cost']] +
                          [(('call',) + k, v + (c,)) for k, v, c, _ in got['call']])
        else:
            want = summed([(tuple((tuple(f.func), f.file, f.line) for f in s.frames), s.costs)
                           for s in stacks if s.part is part])
            have = summed([(k, v) for k, v, _, _ in got['sample']])
        for key in set(want) | set(have):
            a, b = want.get(key), have.get(key)
            if a != b and (any(a or ()) or any(b or ())):
                yield Finding('record lost' if b is None else 'record too many' if a is None
                              else 'record changed', command, (key, a), b)


def verify_marks(case, tools):
    """What prof-top says of what is left, by the records that are left of each cost."""
    profile, file = case['profiles'][0], write(case, tools)
    kind = FORMATS[case['format']].kind
    tools.call('prof-grep', '--quiet', *arguments(case), file, into='kept', statuses=(0, 1))
    event = profile.events[0]
    out = tools.call('prof-top', '--quiet', '--exact', '--events', event, 'kept')
    command = '; '.join(tools.ran[-2:])
    header, rows = read.people(out)
    if 'inclusive' not in header:
        return
    own, left, total = {}, {}, 0
    if kind == 'graph':
        keep, into, out_of = Kept(case), {}, {}
        for s in profile.stacks():
            total += s.costs[0]
            frames = s.frames
            seen = [keep.call(a.func, a.file, b.func) for a, b in zip(frames, frames[1:])] + \
                [keep.cost(frames[-1].func, frames[-1].file)]
            if seen[-1]:
                own[frames[-1].func] = own.get(frames[-1].func, 0) + s.costs[0]
            # Of a function calls into it are left, and what it did: the larger is shown.
            for f in {b.func for yes, b in zip(seen, frames[1:]) if yes}:
                into[f] = into.get(f, 0) + s.costs[0]
            for f in {a.func for yes, a in zip(seen, frames) if yes}:
                out_of[f] = out_of.get(f, 0) + s.costs[0]
        left = {f: max(into.get(f, 0), out_of.get(f, 0)) for f in set(into) | set(out_of)}
    else:
        total = sum(s.costs[0] for s in profile.stacks())
        for s in kept_stacks(case):
            own[s.frames[-1].func] = own.get(s.frames[-1].func, 0) + s.costs[0]
            for f in {f.func for f in s.frames}:
                left[f] = left.get(f, 0) + s.costs[0]
    # Which cycles the filter has hidden is not in what is left.
    sure = not any(f.func == callee for f, callee, _, _ in profile.steps()) and \
        not model.Truth(profile, ['function', 'file', 'object'], ['function']).cycles
    looks, where = {}, header.index('inclusive')
    shown = [c for c in ('function', 'file', 'object') if c in header]
    for f in {a.func for a in profile.acts()}:
        cells = spelt(('function', 'file', 'object'), f)
        looks.setdefault(tuple(cells[c] for c in shown), []).append(f)
    for row in rows:
        funcs = looks.get(tuple(row[header.index(c)] for c in shown), [])
        if len(funcs) != 1:
            continue
        f = funcs[0]
        value, _ = read.number(row[0])
        if value != own.get(f, 0):
            yield Finding('own cost', command, (f, own.get(f, 0)), value)
        value, mark = read.number(row[where])
        yield from judge(command, f, value, mark, left.get(f, 0), kind == 'stacks', sure, True)
        if total and row[1] != '-' and \
                abs(Fraction(row[1]) - Fraction(own.get(f, 0) * 100, total)) > \
                Fraction(501, 100000):
            yield Finding('percentage', command, own.get(f, 0) * 100 / total, row[1])


# ---- --where ----

def make_where(rng):
    case = random_case(rng, formats=['stream', 'callgrind', 'samples', 'pprof'],
                       labels=True, parts=rng.choice((1, 2, 3)), events=('Ir',), cycles=False)
    stacks = FORMATS[case['format']].kind == 'stacks'
    conditions = []
    for _ in range(rng.choice((1, 1, 2))):
        key = rng.choice(('tag', 'thread', 'thread') if stacks else ('thread',))
        value = rng.choice('uv' if key == 'tag' else '123')
        conditions.append((key, rng.choice('=~'), value))
    case['where'] = conditions
    return case


def verify_where(case, tools):
    profile, file = case['profiles'][0], write(case, tools)

    def holds(s):
        for key in {k for k, _, _ in case['where']}:
            value = s.part.facts.get(key, dict(s.labels).get(key))
            if not any(value is not None and (value == v if op == '=' else v in value)
                       for k, op, v in case['where'] if k == key):
                return False
        return True
    args = []
    for condition in case['where']:
        args += ['--where', ''.join(condition)]
    want = {}
    for s in profile.stacks():
        if holds(s):
            want[s.frames[-1].func] = want.get(s.frames[-1].func, 0) + s.costs[0]
    status, out = tools.call('prof-top', '--quiet', '--tsv', *args, file, statuses=(0, 1))
    command = tools.shown()
    if status == 1:
        if any(want.values()):
            yield Finding('nothing kept', command, want, out)
        return
    columns, rows = read.table(out)
    e = columns.index(profile.events[0])
    got = {model.Func(*row[:3]): int(row[e]) for row in rows if row[e] != '0'}
    if got != {f: v for f, v in want.items() if v}:
        yield Finding('rows', command, want, got)


CHECKS = {
    'grep': (make, verify),
    'grep-top': (make_acyclic_marks, verify_marks),
    'grep-cycles': (make_marks, verify_marks),
    'where': (make_where, verify_where),
}
