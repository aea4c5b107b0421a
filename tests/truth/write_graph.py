# SPDX-License-Identifier: ISC
"""Writers of formats that have costs at places and calls.

Each format has project(), which leaves in a profile what the format can hold, and
write(), which makes a file of what project() has left.  How it is spelt, and in which
order, is up to a generator of random numbers.
"""
import marshal
from model import Act, Func, Own, Part, Profile, add, below, part_stacks, with_levels


def records(part):
    """What a call graph keeps of activations: own costs by place; calls by place and
    callee, their number and their cost, summed over the activations."""
    costs, calls, n = {}, {}, len(part.events)
    for act in part.acts():
        for o in act.own:
            key = act.func, o.file, o.line
            costs[key] = add(costs.get(key, (0,) * n), o.costs)
        for c in act.calls:
            key = act.func, c.file, c.line, c.callee.func
            count, cost = calls.get(key, (0, (0,) * n))
            calls[key] = count + 1, add(cost, below(c.callee, n))
    return costs, calls


def ran(part):
    """All functions, also those that have no costs and make no calls."""
    return {a.func for a in part.acts()}


def dash(value):
    return '-' if value is None else str(value)


class Names:
    """The definitions of a stream, made where they are first used."""

    def __init__(self, lines):
        self.lines, self.ids = lines, {}

    def number(self, kind, key, fields):
        if (kind, key) not in self.ids:
            n = sum(1 for k, _ in self.ids if k == kind)
            self.ids[kind, key] = n
            self.lines.append('\t'.join([kind, str(n)] + fields))
        return str(self.ids[kind, key])

    def file(self, path):
        return '-' if path is None else self.number('file', path, [path])

    def object(self, path):
        return '-' if path is None else self.number('object', path, [path, '-'])

    def func(self, f):
        if ('func', f) in self.ids:
            return str(self.ids['func', f])
        return self.number('func', f, [f.name, self.file(f.file), self.object(f.object), '-'])


def header(lines, part, run, attrs=()):
    lines.append('part\t%d' % run)
    for key, value in part.facts.items():
        lines.append('meta\t%s\t%s' % (key, value))
    for i, e in enumerate(part.events):
        lines.append('\t'.join(['event', str(i), e, '-', '-', '-'] + list(attrs)))


def values(costs, rng):
    v = [dash(c) for c in costs]
    while rng.random() < 0.5 and v and v[-1] == '0':
        v.pop()
    return v


class Stream:
    name, kind = 'stream', 'graph'

    def project(self, profile):
        return profile.changed()

    def write(self, profile, rng, run=1, totals=True):
        lines = ['prof\t1']
        names = Names(lines)
        for part in profile.parts:
            header(lines, part, run)
            costs, calls = records(part)
            body = [('cost', k, v) for k, v in costs.items()] + \
                [('call', k, v) for k, v in calls.items()]
            rng.shuffle(body)
            for f in sorted(ran(part), key=str):
                if rng.random() < 0.3 or f not in {k[0] for k in costs}:
                    names.func(f)
            for kind, key, value in body:
                place = [names.func(key[0]), names.file(key[1]), dash(key[2]), '-']
                if kind == 'cost':
                    line = [kind] + place + values(value, rng)
                else:
                    line = [kind] + place + [names.func(key[3]), '-', '-', str(value[0])] + \
                        values(value[1], rng)
                lines.append('\t'.join(line))
            if totals and rng.random() < 0.5:
                total = (0,) * len(part.events)
                for s in part_stacks(part):
                    total = add(total, s.costs)
                lines.append('\t'.join(['total', 'run'] + list(map(str, total))))
        lines.append('end')
        return ('\n'.join(lines) + '\n').encode()


class Callgrind:
    name, kind = 'callgrind', 'graph'
    creator = None

    def project(self, profile):
        return profile.changed(facts=lambda facts: {k: v for k, v in facts.items()
                                                    if k in ('thread', 'cmd', 'pid', 'part')})

    def write(self, profile, rng):
        lines = ['# callgrind format', 'version: 1']
        if self.creator:
            lines.append('creator: ' + self.creator)
        numbers, compress = {}, rng.random() < 0.5

        def spelt(kind, value):
            value = '???' if value is None else value
            if not compress:
                return value
            if (kind, value) in numbers:
                return '(%d)' % numbers[kind, value]
            numbers[kind, value] = 1 + len(numbers)
            return '(%d) %s' % (numbers[kind, value], value)

        for n, part in enumerate(profile.parts):
            if n:
                lines.append('')
            if part.facts:
                for key in 'pid', 'cmd', 'thread':
                    if key in part.facts:
                        lines.append('%s: %s' % (key, part.facts[key]))
            lines += ['positions: line', 'events: ' + ' '.join(part.events), '']
            costs, calls = records(part)
            blocks = {}
            for key, v in costs.items():
                blocks.setdefault(key[0], []).append((key, v))
            for key, v in calls.items():
                blocks.setdefault(key[0], []).append((key, v))
            for f in ran(part):
                blocks.setdefault(f, [])
            last = None         # the line that a relative one refers to
            total = (0,) * len(part.events)
            for f, body in rng.sample(sorted(blocks.items(), key=lambda b: str(b[0])),
                                      len(blocks)):
                rng.shuffle(body)
                lines.append('ob=' + spelt('ob', f.object))
                lines.append('fl=' + spelt('fl', f.file))
                lines.append('fn=' + spelt('fn', f.name))
                file = f.file
                for key, v in body:
                    if key[1] != file or self.creator:
                        lines.append(('fe=' if key[1] == f.file else 'fi=') + spelt('fl', key[1]))
                        file = key[1]
                    line = key[2] or 0
                    if len(key) == 4:
                        g = key[3]
                        lines.append('cob=' + spelt('ob', g.object))
                        lines.append('cfi=' + spelt('fl', g.file))
                        lines.append('cfn=' + spelt('fn', g.name))
                        lines.append('calls=%d 0' % v[0])
                        cost = v[1]
                    else:
                        cost = v
                        total = add(total, cost)
                    where = str(line)
                    if last is not None and line and last and not self.creator and \
                            rng.random() < 0.4:
                        where = '*' if line == last else '%+d' % (line - last)
                    last = line
                    lines.append(' '.join([where] + values(cost, rng)))
                if rng.random() < 0.5:
                    lines.append('')
            if self.creator or rng.random() < 0.5:
                lines += ['', 'totals: ' + ' '.join(map(str, total))]
        return ('\n'.join(lines) + '\n').encode()


class Levels(Callgrind):
    """As Callgrind itself writes it: levels of recursion have names of their own."""
    name, creator = 'levels', 'callgrind-3.22.0'

    def project(self, profile):
        return with_levels(super().project(profile))


def flat(profile, func, frame=lambda f: f):
    """A profile without calls: each cost is an activation of its own."""
    parts = []
    for part in profile.parts:
        roots = []
        for s in part_stacks(part):
            f = frame(s.frames[-1])
            roots.append(Act(func(f), [Own(f.file, f.line, s.costs)]))
        parts.append(Part(part.events, {}, roots))
    return parts


def joined(parts):
    """One part."""
    return Profile([Part(parts[0].events, {}, [r for p in parts for r in p.roots])])


class Cachegrind:
    name, kind = 'cachegrind', 'flat'

    def project(self, profile):
        return joined(flat(profile, lambda f: Func(f.func.name, f.file, None)))

    def write(self, profile, rng):
        part = profile.parts[0]
        lines = ['desc: generated', 'cmd: prog', 'events: ' + ' '.join(part.events)]
        costs = sorted(records(part)[0].items(), key=str)
        rng.shuffle(costs)
        total = (0,) * len(part.events)
        for (f, file, line), v in costs:
            lines += ['fl=' + (f.file or '???'), 'fn=' + f.name,
                      ' '.join([str(line or 0)] + list(map(str, v)))]
            total = add(total, v)
        lines.append('summary: ' + ' '.join(map(str, total)))
        return ('\n'.join(lines) + '\n').encode()


class Table:
    """A table of costs."""
    name, kind = 'tsv', 'flat'

    def project(self, profile):
        return joined(flat(profile, lambda f: f.func))

    def write(self, profile, rng):
        part = profile.parts[0]
        lines = ['\t'.join(['function', 'function.file', 'object', 'file', 'line', 'addr'] +
                           part.events)]
        costs = sorted(records(part)[0].items(), key=str)
        rng.shuffle(costs)
        for (f, file, line), v in costs:
            lines.append('\t'.join([f.name, dash(f.file), dash(f.object), dash(file),
                                    dash(line), '-'] + list(map(str, v))))
        return ('\n'.join(lines) + '\n').encode()


class Pstats:
    """Python's: the inclusive time of each function is measured."""
    name, kind = 'pstats', 'measured'
    event = 'time'

    def project(self, profile):
        """Functions are in files, and all that they do is at the line where they start."""
        p = profile.changed(func=lambda f: Func(f.name, f.file or 'z.py', None),
                            own=lambda a, file, line: (a.func.file or 'z.py', 1),
                            events=profile.events[:1])
        # Longer times do not fit the fractions that Python writes.
        p = p.changed(costs=lambda c: c % 10 ** 12)
        p = joined(p.parts)
        p.parts[0].events = ['time']
        for act in p.acts():
            for o in act.own:
                o.labels = ()
        return p

    def write(self, profile, rng):
        part, stats = profile.parts[0], {}

        def key(f):
            return f.file, 1, f.name

        def visit(act, above, caller, inside):
            s = stats.setdefault(key(act.func), [0, 0, 0, 0, {}])
            own, cost = sum(o.costs[0] for o in act.own), below(act, 1)[0]
            outer = act.func not in above
            s[0] += outer
            s[1] += 1
            s[2] += own
            s[3] += cost if outer else 0
            if caller is not None:
                e = s[4].setdefault(key(caller), [0, 0, 0, 0])
                edge = (caller, act.func)
                first = edge not in inside
                e[0] += first
                e[1] += 1
                e[2] += own
                e[3] += cost if first else 0
                inside = inside | {edge}
            for c in act.calls:
                visit(c.callee, above | {act.func}, act.func, inside)
        for root in part.roots:
            visit(root, frozenset(), None, frozenset())
        return marshal.dumps({k: (s[0], s[1], s[2] / 1e9, s[3] / 1e9,
                                  {c: (e[0], e[1], e[2] / 1e9, e[3] / 1e9)
                                   for c, e in s[4].items()})
                              for k, s in stats.items()})


FORMATS = {f.name: f for f in (Stream(), Callgrind(), Levels(), Cachegrind(), Table(), Pstats())}
