# SPDX-License-Identifier: ISC
"""Writers of formats that have stacks; see write_graph.py."""
import json
from model import Act, Call, Func, Own, part_stacks
from write_graph import Names, dash, header, joined, values


def plain(profile, func, event, file=lambda f: None):
    """One part with one event, and frames that are functions, at no line."""
    first = profile.events[0]
    p = profile.changed(func=func, own=lambda a, _, line: (file(func(a.func)), None),
                        events=[first])
    p = joined(p.parts)
    p.parts[0].events = [event]
    for act in p.acts():
        for o in act.own:
            o.labels = ()
    return p


def below_root(profile, name):
    """All of it below one function, from which its own place has no line."""
    root = Func(name, None, None)
    for part in profile.parts:
        if [r.func for r in part.roots] != [root]:
            part.roots = [Act(root, [], [Call(None, None, r) for r in part.roots])]
    return profile


def counted(profile, event, count):
    """With a second event, of which each cost is 1."""
    for part in profile.parts:
        if count not in part.events:
            part.events = [event, count]
            for act in part.acts():
                for o in act.own:
                    o.costs = o.costs + (1,)
    return profile


UNKNOWN = Func(None, None, None)


class Samples:
    """The stream, with samples of contexts."""
    name, kind, calls = 'samples', 'stacks', ('calls=absent',)

    def project(self, profile):
        return profile.changed()

    def write(self, profile, rng, run=1):
        lines = ['prof\t1']
        names = Names(lines)

        def ctx(frames):
            if not frames or frames[0].func == UNKNOWN:
                return '-'
            up, f = ctx(frames[:-1]), frames[-1]
            return names.number('ctx', frames, [up, names.func(f.func), names.file(f.file),
                                                dash(f.line), '-'])
        for part in profile.parts:
            header(lines, part, run, self.calls)
            stacks = list(part_stacks(part))
            rng.shuffle(stacks)
            for s in stacks:
                id = ctx(s.frames)
                lines.append('\t'.join(['sample', id] + values(s.costs, rng) +
                                       ['%s=%s' % label for label in s.labels]))
        lines.append('end')
        return ('\n'.join(lines) + '\n').encode()


class Stackless(Samples):
    """The same with a sample that has no context, and events that calls may have."""
    name, calls = 'stackless', ()

    def project(self, profile):
        p = profile.changed()
        for part in p.parts[-1:]:
            part.roots.append(Act(UNKNOWN, [Own(None, None, (7,) * len(part.events))]))
        return p


class Folded:
    name, kind = 'folded', 'stacks'

    def project(self, profile):
        # A line with a ';' is what the format is recognised by.
        return below_root(plain(profile, lambda f: Func(f.name, None, None), 'samples'), 'all')

    def write(self, profile, rng):
        lines = [';'.join(f.func.name for f in s.frames) + ' %d' % s.costs[0]
                 for s in profile.stacks()]
        rng.shuffle(lines)
        return ('\n'.join(lines) + '\n').encode()


class Pprof:
    """Protocol buffers, not compressed."""
    name, kind = 'pprof', 'stacks'

    def project(self, profile):
        p = profile.changed(own=lambda a, file, line: (a.func.file, line))
        p = p.changed(costs=lambda c: c % 2 ** 62)
        return joined(p.parts)

    @staticmethod
    def varint(n):
        out = b''
        while n > 127:
            out += bytes([n & 127 | 128])
            n >>= 7
        return out + bytes([n])

    def number(self, field, n):
        return self.varint(field << 3) + self.varint(n) if n else b''

    def bytes(self, field, data):
        return self.varint(field << 3 | 2) + self.varint(len(data)) + data

    def write(self, profile, rng):
        part = profile.parts[0]
        strings, mappings, funcs, places = {'': 0}, {}, {}, {}
        packed = rng.random() < 0.7

        def text(s):
            return strings.setdefault(s, len(strings))

        def integers(field, ns):
            if packed:
                return self.bytes(field, b''.join(map(self.varint, ns)))
            return b''.join(self.varint(field << 3) + self.varint(n) for n in ns)

        def mapping(path):
            return 0 if path is None else mappings.setdefault(path, len(mappings) + 1)

        def place(frames):      # the outermost first
            lines = b''
            for f in reversed(frames):
                # A function is of the object of its location.
                n = funcs.setdefault(f.func, len(funcs) + 1)
                lines += self.bytes(4, self.number(1, n) + self.number(2, f.line or 0))
            key = mapping(frames[0].func.object), lines
            return places.setdefault(key, len(places) + 1)

        out = b''
        for e in part.events:
            out += self.bytes(1, self.number(1, text(e)) + self.number(2, text('count')))
        stacks = list(part_stacks(part))
        rng.shuffle(stacks)
        for s in stacks:
            locations, i = [], 0
            while i < len(s.frames):
                j = i + 1
                # Some frames are inlined into the one before.
                while j < len(s.frames) and rng.random() < 0.2 and \
                        s.frames[j].func.object == s.frames[i].func.object:
                    j += 1
                locations.append(place(s.frames[i:j]))
                i = j
            sample = integers(1, locations[::-1]) + integers(2, s.costs)
            for k, v in s.labels:
                sample += self.bytes(3, self.number(1, text(k)) + self.number(2, text(v)))
            out += self.bytes(2, sample)
        for path, n in mappings.items():
            out += self.bytes(3, self.number(1, n) + self.number(2, n << 32) +
                              self.number(3, (n + 1) << 32) + self.number(5, text(path)))
        for (m, lines), n in places.items():
            out += self.bytes(4, self.number(1, n) + self.number(2, m) + lines)
        for f, n in funcs.items():
            out += self.bytes(5, self.number(1, n) + self.number(2, text(f.name)) +
                              self.number(3, text(f.name)) + self.number(4, text(f.file or '')))
        for s in strings:
            out += self.bytes(6, s.encode())
        return out


class Speedscope:
    name, kind = 'speedscope', 'stacks'

    def project(self, profile):
        p = plain(profile, lambda f: Func(f.name, f.file, None), 'samples')
        return p.changed(costs=lambda c: c % 2 ** 50)

    def write(self, profile, rng):
        frames, samples, weights = [], [], []
        stacks = list(profile.stacks())
        evented = rng.random() < 0.5

        def number(f):
            frame = {'name': f.func.name}
            if f.func.file is not None:
                frame['file'] = f.func.file
            if frame not in frames:
                frames.append(frame)
            return frames.index(frame)
        numbered = [[number(f) for f in s.frames] for s in stacks]
        data = {'type': 'evented' if evented else 'sampled', 'name': 'p', 'unit': 'none',
                'startValue': 0, 'endValue': sum(s.costs[0] for s in stacks)}
        if evented:
            events, open, at = [], [], 0
            for s, ids in zip(stacks, numbered):
                same = 0
                while same < min(len(open), len(ids)) and open[same] == ids[same]:
                    same += 1
                while len(open) > same:
                    events.append({'type': 'C', 'frame': open.pop(), 'at': at})
                for id in ids[same:]:
                    events.append({'type': 'O', 'frame': id, 'at': at})
                    open.append(id)
                at += s.costs[0]
            while open:
                events.append({'type': 'C', 'frame': open.pop(), 'at': at})
            data['events'] = events
        else:
            data['samples'], data['weights'] = numbered, [s.costs[0] for s in stacks]
        return json.dumps({'$schema': 'https://www.speedscope.app/file-format-schema.json',
                           'shared': {'frames': frames}, 'profiles': [data]}).encode()


class Perf:
    """What perf script prints: each sample is one, and has a period."""
    name, kind = 'perf', 'stacks'

    def project(self, profile):
        p = plain(profile, lambda f: Func(f.name, None, f.object or '/bin/y'), 'period')
        p = p.changed(costs=lambda c: c % 2 ** 60 or 1)
        p.parts[0].events = ['samples', 'period']
        for act in p.acts():
            for o in act.own:
                o.costs = (1,) + o.costs
        return p

    def write(self, profile, rng):
        out = []
        for i, s in enumerate(profile.stacks()):
            out.append('prog 77/77 %d.%06d: %d cycles: ' % (10 + i, rng.randrange(10 ** 6),
                                                            s.costs[1]))
            for f in reversed(s.frames):
                out.append('\t%16x %s+0x%x (%s)' % (rng.randrange(2 ** 40), f.func.name,
                                                   rng.randrange(256), f.func.object))
            out.append('')
        return ('\n'.join(out) + '\n').encode()


class Cpuprofile:
    """V8's, of which the nodes have the number of samples."""
    name, kind = 'cpuprofile', 'stacks'

    def project(self, profile):
        p = plain(profile, lambda f: Func(f.name, f.file, None), 'samples')
        return p.changed(costs=lambda c: c % 2 ** 30)

    def write(self, profile, rng):
        nodes = [{'id': 1, 'callFrame': {'functionName': '(root)', 'scriptId': '0', 'url': '',
                                         'lineNumber': -1, 'columnNumber': -1},
                  'hitCount': 0, 'children': []}]
        ids = {(): nodes[0]}
        for s in profile.stacks():
            path = ()
            for f in s.frames:
                up, path = path, path + (f.func,)
                if path not in ids:
                    node = {'id': len(nodes) + 1, 'callFrame': {
                        'functionName': f.func.name, 'scriptId': '0', 'url': f.func.file or '',
                        'lineNumber': -1, 'columnNumber': -1}, 'hitCount': 0, 'children': []}
                    ids[path] = node
                    ids[up]['children'].append(node['id'])
                    nodes.append(node)
            ids[path]['hitCount'] += s.costs[0]
        return json.dumps({'nodes': nodes, 'startTime': 0, 'endTime': 0}).encode()


class Cputimes:
    """V8's, with the times of samples: each lasts until the next one."""
    name, kind = 'cputimes', 'stacks'

    def project(self, profile):
        p = plain(profile, lambda f: Func(f.name, f.file, None), 'time')
        p = p.changed(costs=lambda c: c % 2 ** 40)
        return counted(p, 'time', 'samples')

    def write(self, profile, rng):
        def frame(name, url):
            return {'functionName': name, 'scriptId': '0', 'url': url, 'lineNumber': -1,
                    'columnNumber': -1}
        nodes = [{'id': 1, 'callFrame': frame('(root)', ''), 'children': []}]
        ids, samples, deltas, at = {(): nodes[0]}, [], [], 0
        start = rng.randrange(10 ** 6)
        last = 0
        for s in rng.sample(list(profile.stacks()), len(list(profile.stacks()))):
            path = ()
            for f in s.frames:
                up, path = path, path + (f.func,)
                if path not in ids:
                    ids[path] = {'id': len(nodes) + 1,
                                 'callFrame': frame(f.func.name, f.func.file or ''),
                                 'children': []}
                    ids[up]['children'].append(ids[path]['id'])
                    nodes.append(ids[path])
            samples.append(ids[path]['id'])
            deltas.append(last)
            last = s.costs[0]
            at += last
        return json.dumps({'nodes': nodes, 'startTime': start, 'endTime': start + at,
                           'samples': samples, 'timeDeltas': deltas}).encode()


class Dhat:
    """Valgrind's DHAT: bytes and blocks by stack."""
    name, kind = 'dhat', 'stacks'

    def project(self, profile):
        p = plain(profile, lambda f: Func(f.name, f.file, None if f.file else f.object or '/bin/y'),
                  'tb', lambda f: f.file)
        p = p.changed(costs=lambda c: c % 2 ** 50,
                      own=lambda a, file, line: (file, 1 if file else None))
        return counted(p, 'tb', 'tbk')

    def write(self, profile, rng):
        table, points = ['[root]'], []

        def number(f):
            where = f.func.file + ':1' if f.func.file else 'in ' + f.func.object
            text = ': %s (%s)' % (f.func.name, where)
            for i, t in enumerate(table):
                if t.endswith(text):
                    return i
            table.append('0x%X%s' % (4096 + 16 * len(table), text))
            return len(table) - 1
        for s in profile.stacks():
            points.append({'tb': s.costs[0], 'tbk': 1,
                           'fs': [number(f) for f in reversed(s.frames)]})
        return json.dumps({'dhatFileVersion': 2, 'mode': 'heap', 'verb': 'Allocated',
                           'bklt': False, 'bkacc': False, 'cmd': 'prog', 'pid': 7,
                           'tu': 'instrs', 'te': 100, 'pps': points, 'ftbl': table}).encode()


class Heapprofile:
    """V8's sampling heap profile: bytes of stacks."""
    name, kind = 'heapprofile', 'stacks'

    def project(self, profile):
        p = plain(profile, lambda f: Func(f.name, f.file, None), 'bytes', lambda f: f.file)
        return below_root(p.changed(costs=lambda c: c % 2 ** 50), '(root)')

    def write(self, profile, rng):
        def node(name, url):
            return {'callFrame': {'functionName': name, 'scriptId': '0', 'url': url,
                                  'lineNumber': -1, 'columnNumber': -1},
                    'selfSize': 0, 'id': 1, 'children': []}
        head, ids = node('(root)', ''), {}
        ids[()] = head
        for s in profile.stacks():
            path = ()
            for f in s.frames[1:]:
                up, path = path, path + (f.func,)
                if path not in ids:
                    ids[path] = node(f.func.name, f.func.file or '')
                    ids[up]['children'].append(ids[path])
            ids[path]['selfSize'] += s.costs[0]
        return json.dumps({'head': head, 'samples': []}).encode()


FORMATS = {f.name: f for f in (Samples(), Stackless(), Folded(), Pprof(), Speedscope(), Perf(),
                               Cpuprofile(), Cputimes(), Dhat(), Heapprofile())}
