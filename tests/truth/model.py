# SPDX-License-Identifier: ISC
"""Random programs of which every answer is known.

A program is a forest of activations.  An activation is of a function, has costs of its
own at places, and makes calls, each of which is an activation.  All truths follow from
the stacks of the costs: what a stack contains counts once, which is how the manual
defines inclusive cost.  Nothing here knows how the tools compute theirs.
"""
from collections import namedtuple
import copy

# A name, the path of a file and that of an object; all but the name may be None.
Func = namedtuple('Func', 'name file object')

# Where an activation is at the moment: the file is that of the line, which differs from
# the function's in inlined code.
Frame = namedtuple('Frame', 'func file line')

# The cost of one stack; the frames begin at the root.
Stack = namedtuple('Stack', 'frames costs labels part')


class Own:
    """A cost of an activation's own."""
    __slots__ = 'file', 'line', 'costs', 'labels'

    def __init__(self, file, line, costs, labels=()):
        self.file, self.line, self.costs, self.labels = file, line, costs, labels


class Call:
    __slots__ = 'file', 'line', 'callee'

    def __init__(self, file, line, callee):
        self.file, self.line, self.callee = file, line, callee


class Act:
    """An activation."""
    __slots__ = 'func', 'own', 'calls'

    def __init__(self, func, own=None, calls=None):
        self.func, self.own, self.calls = func, own or [], calls or []

    def walk(self):
        yield self
        for call in self.calls:
            yield from call.callee.walk()


class Part:
    def __init__(self, events, facts, roots):
        self.events, self.facts, self.roots = events, facts, roots

    def acts(self):
        for root in self.roots:
            yield from root.walk()


class Profile:
    def __init__(self, parts):
        self.parts = parts

    def acts(self):
        for part in self.parts:
            yield from part.acts()

    @property
    def events(self):
        """Those of all parts, in the order in which they appear."""
        found = []
        for part in self.parts:
            found += [e for e in part.events if e not in found]
        return found

    def size(self):
        return sum(1 + len(a.own) for a in self.acts()) + len(self.parts)

    def stacks(self):
        for part in self.parts:
            yield from part_stacks(part)

    def steps(self):
        """All calls: the caller's frame, the callee, the cost below, the part."""
        for part in self.parts:
            for act in part.acts():
                for call in act.calls:
                    yield (Frame(act.func, call.file, call.line), call.callee.func,
                           below(call.callee, len(part.events)), part)

    def changed(self, func=None, own=None, calls=None, costs=None, facts=None, events=None):
        """A copy, in which each is what the function makes of it."""
        parts = []
        for part in self.parts:
            keep = part.events if events is None else [e for e in part.events if e in events]
            index = [part.events.index(e) for e in keep]

            def act_of(act):
                new = Act(func(act.func) if func else act.func)
                for o in act.own:
                    file, line = own(act, o.file, o.line) if own else (o.file, o.line)
                    values = tuple(o.costs[i] for i in index)
                    new.own.append(Own(file, line, tuple(map(costs, values)) if costs else values,
                                       o.labels))
                for c in act.calls:
                    where = calls or own
                    file, line = where(act, c.file, c.line) if where else (c.file, c.line)
                    new.calls.append(Call(file, line, act_of(c.callee)))
                return new
            parts.append(Part(keep, dict(facts(part.facts) if facts else part.facts),
                              [act_of(r) for r in part.roots]))
        return Profile(parts)


def add(a, b):
    return tuple(x + y for x, y in zip(a, b))


def below(act, n):
    """What an activation costs with all that it calls."""
    total = (0,) * n
    for a in act.walk():
        for o in a.own:
            total = add(total, o.costs)
    return total


def part_stacks(part):
    def visit(act, above):
        for o in act.own:
            yield Stack(above + (Frame(act.func, o.file, o.line),), o.costs, o.labels, part)
        for c in act.calls:
            yield from visit(c.callee, above + (Frame(act.func, c.file, c.line),))
    for root in part.roots:
        yield from visit(root, ())


def with_levels(profile, most=2):
    """Each level of recursion of a function gets a name of its own, as Callgrind does:
    f, f'2, and so on up to the most, which also has what is deeper."""
    def visit(act, depth):
        n = depth.get(act.func, 0) + 1
        level = min(n, most)
        name = act.func.name if level == 1 else "%s'%d" % (act.func.name, level)
        new = Act(act.func._replace(name=name), list(act.own))
        depth = dict(depth)
        depth[act.func] = n
        new.calls = [Call(c.file, c.line, visit(c.callee, depth)) for c in act.calls]
        return new
    return Profile([Part(p.events, p.facts, [visit(r, {}) for r in p.roots])
                    for p in profile.parts])


# ---- keys ----

def key_of(columns, by, frame, part):
    """The cells of a row, as the table for programs calls its columns."""
    cells = []
    for column in columns:
        if column == 'function':
            cells.append(frame.func.name)
        elif column == 'object':
            cells.append(frame.func.object)
        elif column == 'file':
            cells.append(frame.file if 'file' in by or 'line' in by else frame.func.file)
        elif column == 'line':
            cells.append(frame.line)
        else:
            cells.append(part.facts.get(column))
    return tuple(None if c is None else str(c) for c in cells)


def columns_of(by):
    """The name columns of a table for a list of --by."""
    found = []
    for item in by:
        if item == 'function':
            new = ['function'] + [c for c in ('file', 'object') if c not in by and
                                  not (c == 'file' and 'line' in by)]
        elif item == 'line':
            new = ['file', 'line'] if 'file' not in by else ['line']
        elif item == 'total':
            new = []
        else:
            new = [item]
        found += [c for c in new if c not in found]
    return found


class Truth:
    """Of all rows of a profile under a key: own cost, inclusive cost, calls."""

    def __init__(self, profile, columns, by, events=None):
        self.events = events or profile.events
        zero = (0,) * len(self.events)
        self.own, self.all, self.calls = {}, {}, {}
        self.total = zero
        self.callers = {}       # functions that make calls, by row

        def values(costs, part):
            have = dict(zip(part.events, costs))
            return tuple(have.get(e, 0) for e in self.events)

        for s in profile.stacks():
            v = values(s.costs, s.part)
            keys = [key_of(columns, by, f, s.part) for f in s.frames]
            self.own[keys[-1]] = add(self.own.get(keys[-1], zero), v)
            self.total = add(self.total, v)
            for k in set(keys):
                self.all[k] = add(self.all.get(k, zero), v)
        graph = {}
        for part in profile.parts:
            for act in part.acts():
                for c in act.calls:
                    a = key_of(columns, by, Frame(act.func, c.file, c.line), part)
                    f = c.callee.func
                    b = key_of(columns, by, Frame(f, f.file, None), part)
                    graph.setdefault(a, set()).add(b)
                    self.callers.setdefault(a, set()).add((act.func, id(part) if
                                                           'function' not in by else 0))
                    self.all.setdefault(a, zero)
                    self.all.setdefault(b, zero)
                    if a != b:
                        self.calls[b] = self.calls.get(b, 0) + 1
        self.cycles = in_cycles(graph)
        # Rows below which there may be more of the same row.
        self.nested, at, calls, edges = set(), {}, {}, set()
        for s in profile.stacks():
            at.setdefault(key_of(columns, by, s.frames[-1], s.part), set()).add(s.frames[-1].func)
        for frame, callee, cost, part in profile.steps():
            calls.setdefault(frame.func, set()).add(callee)
            key = key_of(columns, by, frame, part)
            at.setdefault(key, set()).add(frame.func)
            edges.add((key, callee))
        to = {f: reach(calls, f) for f in {g for _, g in edges}}
        for key, callee in edges:
            if at[key] & (to[callee] | {callee}):
                self.nested.add(key)


def reach(graph, start):
    found, todo = set(), [start]
    while todo:
        for b in graph.get(todo.pop(), ()):
            if b not in found:
                found.add(b)
                todo.append(b)
    return found


def in_cycles(graph):
    """What can reach itself through something else."""
    to = {a: reach(graph, a) for a in graph}
    return {a for a in graph if any(b != a and a in to.get(b, ()) for b in to[a])}


# ---- random programs ----

NAMES = ['main', 'f', 'g', 'h', 'alpha', 'beta_2', 'ns::k(int)', 'operator new', 'z.isra.0', 'x1']
FILES = ['a.c', 'src/b.c', 'src/long name.cc', None]
OBJECTS = ['/bin/x', '/usr/lib/libq.so.6', None]


def random_profile(rng, events=('Ir',), acts=24, cycles=True, inlined=False, parts=1,
                   objects=True, labels=False, big=False, zeros=0.2, direct=True,
                   shared=True, most=1000):
    """What it is like follows from the arguments: whether calls may close cycles,
    whether functions may call themselves (direct), whether several functions share a
    name, and so on."""
    n = rng.randint(1, 8)
    files = rng.sample(FILES, rng.randint(1, len(FILES)))
    objs = rng.sample(OBJECTS, rng.randint(1, len(OBJECTS))) if objects else [None]
    funcs = []
    names = rng.sample(NAMES, len(NAMES))
    while len(funcs) < n:
        name = rng.choice(names[:n]) if shared and rng.random() < 0.2 else names[len(funcs)]
        f = Func(name, rng.choice(files), rng.choice(objs))
        if f not in funcs:
            funcs.append(f)

    def cost():
        if rng.random() < zeros:
            return 0
        return rng.randint(1, 10 ** 24 if big else rng.choice((9, most)))

    def place(func):
        file = func.file
        if inlined and rng.random() < 0.3:
            file = rng.choice(files)
        return file, rng.randint(1, 6) if rng.random() < 0.95 else None

    def make(index, budget, depth):
        func = funcs[index]
        act = Act(func)
        for _ in range(rng.choice((0, 1, 1, 2))):
            file, line = place(func)
            label = ()
            if labels and rng.random() < 0.6:
                label = (('tag', rng.choice(('u', 'v'))),)
            act.own.append(Own(file, line, tuple(cost() for _ in events), label))
        while budget[0] > 0 and depth < 12 and rng.random() < 0.75:
            if cycles:
                to = rng.randrange(n)
                if not direct and to == index:
                    continue
            else:
                low = index if direct and rng.random() < 0.2 else index + 1
                if low >= n:
                    break
                to = rng.randint(low, n - 1) if low > index else index
            budget[0] -= 1
            file, line = place(func)
            act.calls.append(Call(file, line, make(to, budget, depth + 1)))
        return act

    made = []
    for i in range(parts):
        budget = [rng.randint(0, acts)]
        roots = [make(0 if rng.random() < 0.8 else rng.randrange(n), budget, 0)]
        while budget[0] > 0:
            budget[0] -= 1
            roots.append(make(rng.randrange(n) if rng.random() < 0.3 else 0, budget, 0))
        facts = {'thread': str(i + 1), 'cmd': 'prog -x', 'pid': '77'} if parts > 1 else {}
        made.append(Part(list(events), facts, roots))
    return Profile(made)


# ---- smaller ones ----

def smaller(profile):
    """Copies of a profile, each smaller in one way."""
    def paths(part):
        def visit(act, path):
            yield path
            for i, c in enumerate(act.calls):
                yield from visit(c.callee, path + (i,))
        for i, r in enumerate(part.roots):
            yield from visit(r, (i,))

    def find(part, path):
        act = part.roots[path[0]]
        for i in path[1:]:
            act = act.calls[i].callee
        return act

    if len(profile.parts) > 1:
        for i in range(len(profile.parts)):
            p = copy.deepcopy(profile)
            del p.parts[i]
            yield p
    for n, part in enumerate(profile.parts):
        for path in list(paths(part)):
            if len(path) == 1:
                if len(part.roots) > 1:
                    p = copy.deepcopy(profile)
                    del p.parts[n].roots[path[0]]
                    yield p
                continue
            p = copy.deepcopy(profile)      # without it
            del find(p.parts[n], path[:-1]).calls[path[-1]]
            yield p
            act = find(part, path)
            p = copy.deepcopy(profile)      # its calls by its caller
            up = find(p.parts[n], path[:-1])
            call = up.calls[path[-1]]
            if call.callee.calls:
                up.calls[path[-1]:path[-1] + 1] = [
                    Call(call.file, call.line, c.callee) for c in call.callee.calls]
                yield p
        for path in list(paths(part)):
            act = find(part, path)
            for i in range(len(act.own)):
                p = copy.deepcopy(profile)
                del find(p.parts[n], path).own[i]
                yield p
            for i, o in enumerate(act.own):
                for value in (0, 1, 10):
                    to = tuple(min(c, value) if c > 0 else c for c in o.costs)
                    if to != o.costs:
                        p = copy.deepcopy(profile)
                        find(p.parts[n], path).own[i].costs = to
                        yield p
