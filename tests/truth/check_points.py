# SPDX-License-Identifier: ISC
"""Reports of aprof: costs by the size of the input, which also count calls."""
import model
import read
from check_top import random_case
from model import Func
from tools import Finding


def make(rng):
    case = random_case(rng, formats=['stream'], events=('Ir',), parts=1, big=False,
                       cycles=rng.random() < 0.7)
    p = case['profiles'][0]
    case['profiles'] = [p.changed(func=lambda f: Func(f.name, None, f.object))]
    case['by'] = ['function']
    return case


def make_rows(rng):
    case = make(rng)
    case['by'] = [rng.choice(('object', 'total'))]
    return case


def size(act):
    """Of the input of an activation: some number."""
    return 1 + len(act.calls) + len(act.own) % 3


def write(profile):
    points, names = {}, {}

    def visit(act, above):
        cost = model.below(act, 1)[0]
        own = sum(o.costs[0] for o in act.own)
        id = names.setdefault(act.func, len(names))
        p = points.setdefault((id, size(act)), [cost, cost, 0, 0, 0, 0])
        p[0], p[1] = min(p[0], cost), max(p[1], cost)
        p[2] += cost
        p[3] += 1
        p[4] += cost if act.func not in above else 0
        p[5] += own
        for c in act.calls:
            visit(c.callee, above | {act.func})
    for root in profile.parts[0].roots:
        visit(root, frozenset())
    lines = ['v 2', 'm Ir', 'k %d' % sum(s.costs[0] for s in profile.stacks())]
    for f, id in names.items():
        lines.append('r "%s" "%s" %d' % (f.name, f.object or 'NONE', id))
        lines += ['p %d %d %s' % (key[0], key[1], ' '.join(map(str, p)))
                  for key, p in points.items() if key[0] == id]
    return '\n'.join(lines) + '\n'


def verify(case, tools):
    profile, by = case['profiles'][0], case['by']
    file = tools.file('in.aprof', write(profile))
    names = model.columns_of(by)
    truth = model.Truth(profile, names, by)
    activations, sizes = {}, {}
    for act in profile.acts():
        key = model.key_of(names, by, model.Frame(act.func, None, None), None)
        activations[key] = activations.get(key, 0) + 1
        sizes.setdefault(key, set()).add(size(act))
    out = tools.call('prof-top', '--quiet', '--tsv', '-b', ','.join(by), file)
    command = tools.shown()
    columns, rows = read.table(out)
    at = {c: i for i, c in enumerate(columns)}
    people = tools.call('prof-top', '--quiet', '--exact', '-b', ','.join(by), file)
    marked = any(c in people for c in '~?!')
    for row in rows:
        key = tuple(row[:len(names)])
        for column, want in (('Ir', truth.own.get(key, (0,))[0]),
                             ('Ir.incl', truth.all.get(key, (0,))[0]),
                             ('calls', activations.get(key, 0)),
                             ('sizes', len(sizes.get(key, ()))),
                             ('size.min', min(sizes.get(key, {0}))),
                             ('size.max', max(sizes.get(key, {0})))):
            if column == 'calls' and by != ['function'] or column == 'Ir.incl' and marked:
                continue
            if row[at[column]] != str(want):
                yield Finding(column, command, (key, want), row[at[column]])
    if {tuple(r[:len(names)]) for r in rows} != set(activations):
        yield Finding('rows', command, sorted(activations, key=str), rows)


CHECKS = {
    'points': (make, verify),
    'points-rows': (make_rows, verify),
}
