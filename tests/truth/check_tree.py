# SPDX-License-Identifier: ISC
"""prof-tree: every row of the tree, callees or callers below."""
import model
import read
from check_top import random_case, write
from runs import random_runs
from tools import Finding

STACKS = ['samples', 'folded', 'pprof', 'speedscope', 'cpuprofile']


def make(rng):
    case = random_case(rng, formats=STACKS, labels=False)
    case['callers'] = rng.random() < 0.5
    funcs = sorted({a.func for a in case['profiles'][0].acts()}, key=str)
    case['function'] = rng.choice(funcs) if rng.random() < 0.4 else None
    return case


def make_calls(rng):
    case = random_case(rng, formats=['stream', 'callgrind'], cycles=False, parts=1)
    case['callers'], case['function'] = rng.random() < 0.3, None
    return case


def make_cycles(rng):
    case = random_case(rng, formats=['stream', 'callgrind', 'levels'], cycles=True, parts=1)
    case['callers'], case['function'] = False, None
    return case


def quoted(name):
    import re
    return '^' + re.sub(r'([\\^$.|?*+(){}\[\]])', r'\\\1', name) + '$'


def paths(stacks, case):
    """Costs by path: that with all below it, and its own."""
    whole, own, twice = {}, {}, False
    for funcs, cost in stacks:
        root = case['function']
        if case['callers']:
            funcs = funcs[::-1]
            if root is None:
                begins = [funcs]
            else:       # which of several levels calls are of is not said
                begins = []
                for name in {f for f in funcs if f.name == root.name}:
                    twice |= funcs.count(name) > 1
                    begins.append(funcs[funcs.index(name):])
        elif root is None:
            begins = [funcs]
        else:
            begins = [funcs[funcs.index(f):] for f in {f for f in funcs if f.name == root.name}]
        for path in begins:
            for i in range(len(path)):
                p = path[:i + 1]
                whole[p] = whole.get(p, 0) + cost
            own[path] = own.get(path, 0) + cost
    return whole, own, twice


def rows_by_path(out, event):
    columns, rows = read.table(out)
    at = {c: i for i, c in enumerate(columns)}
    found, ids = [], {}
    for row in rows:
        f = model.Func(*[row[at[c]] for c in ('function', 'file', 'object')])
        up = ids.get(row[at['parent']], ())
        path = up + (f,) if row[at['thread']] is None else up
        ids[row[at['id']]] = path
        found.append((path, row, {c: row[i] for c, i in at.items()}))
    return found


def verify(case, tools):
    profile, file = case['profiles'][0], write(case, tools)
    event = profile.events[0]
    stacks = [(tuple(f.func for f in s.frames), s.costs[0]) for s in profile.stacks()]
    args = ['--callers'] * case['callers']
    if case['function']:
        args += ['--function', quoted(case['function'].name)]
    whole, own, twice = paths(stacks, case)
    if twice:
        return
    none = not any(whole.values())
    status, out = tools.call('prof-tree', '--quiet', '--tsv', '--min', '0', '--events', event,
                             *args, file, statuses=(0, 2) if none else (0, 0))
    if none:
        return
    command = tools.shown()
    seen = set()
    for path, row, cell in rows_by_path(out, event):
        if path in seen:
            yield Finding('path twice', command, 'once', path)
        seen.add(path)
        want = whole.get(path), own.get(path, 0)
        got = int(cell[event + '.incl']), int(cell[event])
        # What is below callers is not their own cost.
        if case['callers']:
            want, got = want[:1], got[:1]
        if want[0] is None:
            if got[0]:
                yield Finding('path that is not', command, 'none', (path, got))
        elif got != want:
            yield Finding('cost', command, (path, want), got)
        again = path[-1] in path[:-1]
        if (cell['recursion'] == 'recursion') != again:
            yield Finding('recursion', command, (path, again), cell['recursion'])
        if cell['estimated'] is not None:
            yield Finding('estimate of stacks', command, 'exact', row)
    for path, cost in whole.items():
        if cost and path not in seen:
            yield Finding('path missing', command, (path, cost), 'nothing')


def contracted(funcs):
    """Levels of recursion in one line."""
    return tuple(f for i, f in enumerate(funcs) if i == 0 or funcs[i - 1] != f)


def verify_calls(case, tools):
    """Of a call graph, what is not marked as an estimate is true."""
    profile, file = case['profiles'][0], write(case, tools)
    event = profile.events[0]
    stacks = [(contracted([f.func for f in s.frames]), s.costs[0]) for s in profile.stacks()]
    whole, own, _ = paths(stacks, case)
    none = not any(whole.values()) or not any(True for _ in profile.steps())
    status, out = tools.call('prof-tree', '--quiet', '--tsv', '--min', '0', '--events', event,
                             *(['--callers'] * case['callers']), file,
                             statuses=(0, 2) if none else (0, 0))
    if none:
        return
    command = tools.shown()
    rows = rows_by_path(out, event)
    children = {}
    for path, row, cell in rows:
        children[path[:-1]] = children.get(path[:-1], 0) + int(cell[event + '.incl'])
    for path, row, cell in rows:
        got, mine = int(cell[event + '.incl']), int(cell[event])
        estimated = (cell['estimated'] or '').split(',')
        if 'cost' not in estimated and got != whole.get(path, 0):
            yield Finding('unmarked but wrong', command, (path, whole.get(path, 0)), got)
        if not case['callers'] and 'self' not in estimated and mine != own.get(path, 0):
            yield Finding('unmarked own cost', command, (path, own.get(path, 0)), mine)
        if not case['callers']:
            more, lost = int(cell[event + '.more']), int(cell[event + '.lost'])
            if mine + children.get(path, 0) + more + lost != got:
                yield Finding('does not add up', command, (path, got),
                              (mine, children.get(path, 0), more, lost))
        if got < 0 or mine < 0:
            yield Finding('negative', command, path, (got, mine))
    roots = sum(int(cell[event + '.incl']) for path, _, cell in rows if len(path) == 1)
    total = sum(c for _, c in stacks)
    if not case['callers'] and roots != total:
        yield Finding('roots', command, total, roots)


def verify_cycles(case, tools):
    """With cycles, lines of functions that are in none."""
    profile, file = case['profiles'][0], write(case, tools)
    event = profile.events[0]
    truth = model.Truth(profile, ['function', 'file', 'object'], ['function'])
    stacks = [(contracted([f.func for f in s.frames]), s.costs[0]) for s in profile.stacks()]
    whole, own, _ = paths(stacks, case)
    none = not any(whole.values()) or not any(True for _ in profile.steps())
    status, out = tools.call('prof-tree', '--quiet', '--tsv', '--min', '0', '--events', event,
                             file, statuses=(0, 2) if none else (0, 0))
    if none:
        return
    command = tools.shown()
    total, roots = sum(c for _, c in stacks), 0
    for path, row, cell in rows_by_path(out, event):
        got, mine = int(cell[event + '.incl']), int(cell[event])
        estimated = (cell['estimated'] or '').split(',')
        if len(path) == 1:
            roots += got
            if 'cost' not in estimated and got != whole.get(path, 0):
                yield Finding('root', command, (path, whole.get(path, 0)), got)
                continue
        if not any(tuple(f) in truth.cycles for f in path):
            if 'cost' not in estimated and got != whole.get(path, 0):
                yield Finding('unmarked but wrong', command, (path, whole.get(path, 0)), got)
            if 'self' not in estimated and mine != own.get(path, 0):
                yield Finding('unmarked own cost', command, (path, own.get(path, 0)), mine)
        elif 'cost' not in estimated and not any(tuple(f) in truth.cycles for f in path[:-1]):
            # The first of a cycle: all of it on behalf of what is above.
            want = sum(c for funcs, c in stacks if funcs[:len(path)] == path)
            if len(path) > 1 and got != want:
                yield Finding('entry of a cycle', command, (path, want), got)
        if int(cell[event + '.more']) < 0 or int(cell[event + '.lost']) < 0 or got < 0 or mine < 0:
            yield Finding('negative', command, path, row)
    if roots != total:
        yield Finding('roots', command, total, roots)


# ---- trees of differences ----

def make_diff(rng):
    case = random_runs(rng, 2, STACKS, shared=False)
    case['callers'], case['function'] = rng.random() < 0.3, None
    return case


def verify_diff(case, tools):
    event = case['profiles'][0].events[0]
    sides = []
    for p in case['profiles']:
        stacks = [(tuple(f.func for f in s.frames), s.costs[0]) for s in p.stacks()]
        sides.append(paths(stacks, case)[:2])
    files = [write(case, tools, i, 'in%d' % i) for i in (0, 1)]
    tools.call('prof-diff', '--quiet', '--events', event, *files, into='diff')
    whole = [w for w, _ in sides]
    none = all(whole[0].get(k, 0) == whole[1].get(k, 0) for w in whole for k in w)
    status, out = tools.call('prof-tree', '--quiet', '--tsv', '--min', '0',
                             *(['--callers'] * case['callers']), 'diff',
                             statuses=(0, 2) if none else (0, 0))
    if none:
        return
    command = '; '.join(tools.ran)
    seen = set()
    for path, row, cell in rows_by_path(out, event):
        seen.add(path)
        old, new = [w.get(path, 0) for w in whole]
        got = [int(cell[event + s + '.incl'] or 0) for s in ('.old', '.new', '')]
        if got != [old, new, new - old]:
            yield Finding('cost', command, (path, old, new), got)
        if not case['callers']:
            old, new = [o.get(path, 0) for _, o in sides]
            got = [int(cell[event + s] or 0) for s in ('.old', '.new', '')]
            if got != [old, new, new - old]:
                yield Finding('own cost', command, (path, old, new), got)
    for path in set(whole[0]) | set(whole[1]):
        if whole[0].get(path, 0) != whole[1].get(path, 0) and path not in seen:
            yield Finding('path missing', command, path, 'nothing')


CHECKS = {
    'tree-diff': (make_diff, verify_diff),
    'tree': (make, verify),
    'tree-calls': (make_calls, verify_calls),
    'tree-cycles': (make_cycles, verify_cycles),
}
