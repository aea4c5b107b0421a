# SPDX-License-Identifier: ISC
"""Options together: order and limits of tables, rules in differences, little costs,
changes that are planted into runs that differ by chance."""
from fractions import Fraction
import model
import read
from check_diff import DIFF_FORMATS
from check_rules import costs_of_stacks, decided, random_rules, viewed, written
from check_top import BYS, FORMATS, by_for, random_case, write
from model import Func
from runs import random_runs
from tools import Finding


# ---- order and limits ----

def make_order(rng):
    case = random_case(rng, events=('Ir', 'Dr'), formats=['stream', 'callgrind', 'samples', 'pprof',
                                                         'cachegrind', 'tsv'])
    case['by'] = by_for(rng, case['profiles'][0], BYS)
    flat = FORMATS[case['format']].kind == 'flat'
    columns = ['Ir', 'Dr'] + ([] if flat else ['Ir.incl', 'Dr.incl'])
    case['k'] = rng.sample(columns, rng.choice((1, 1, 2)))
    case['r'] = rng.random() < 0.3
    case['n'] = rng.choice((None, 0, 1, 3))
    case['min'] = rng.choice((None, None, '%s%s%s' % (
        rng.choice(columns), rng.choice(('>', '>=')), rng.choice(('0', '1', '9', '5%', '20%')))))
    return case


def verify_order(case, tools):
    """Chosen and sorted rows are those of the whole table."""
    profile, by, file = case['profiles'][0], case['by'], write(case, tools)
    names = model.columns_of(by)
    args = ['-b', ','.join(by), '--events', 'Ir,Dr']
    out = tools.call('prof-top', '--quiet', '--tsv', *args, file)
    columns, rows = read.table(out)
    at = {c: i for i, c in enumerate(columns)}
    truth = model.Truth(profile, names, by)

    def value(row, column):
        v = row[at[column]]
        return None if v is None else int(v)
    args += ['-k', ','.join(case['k'])] + ['-r'] * case['r']
    if case['min']:
        args += ['--min', case['min']]
    if case['n'] is not None:
        args += ['-n', str(case['n'])]
    got = read.table(tools.call('prof-top', '--quiet', '--tsv', *args, file))[1]
    command = tools.shown()
    want = rows
    if case['min']:
        column, op, least = case['min'].partition('>=' if '>=' in case['min'] else '>')
        event = column.split('.')[0]
        limit = Fraction(least[:-1]) * truth.total[('Ir', 'Dr').index(event)] / 100 \
            if '%' in least else int(least)
        want = [r for r in rows if value(r, column) is not None and
                (value(r, column) >= limit if op == '>=' else value(r, column) > limit)]
    keys = [tuple(value(r, k) for k in case['k']) for r in got]
    if not any(None in k for k in keys) and \
            keys != sorted(keys, reverse=not case['r']):
        yield Finding('order', command, sorted(keys, reverse=not case['r']), keys)
    n = case['n'] or len(want)
    if len(got) != min(n, len(want)):
        yield Finding('number of rows', command, min(n, len(want)), len(got))
    if any(r not in want for r in got):
        yield Finding('rows', command, 'rows of the whole table', [r for r in got if r not in want])
    if case['n'] and got and not any(None in k for k in keys):
        rest = [tuple(value(r, k) for k in case['k']) for r in want if r not in got]
        if rest and (max(rest) > min(keys) if not case['r'] else min(rest) < max(keys)):
            yield Finding('rows left out', command, 'the others', keys)


# ---- differences under rules ----

def make_rules_diff(rng):
    case = random_runs(rng, 2, [f for f in DIFF_FORMATS if f not in ('levels', 'cachegrind')],
                       cycles=False)
    stacks = FORMATS[case['format']].kind == 'stacks'
    case['rules'] = random_rules(rng, case['profiles'][0],
                                 ['rename', 'group', 'fold', 'drop', 'keep'] if stacks else
                                 ['rename', 'group'])
    return case


def verify_rules_diff(case, tools):
    files = [write(case, tools, i, 'in%d' % i) for i in (0, 1)]
    rules = tools.file('rules.yaml', written(case['rules']))
    event = case['profiles'][0].events[0]
    sides = []
    for profile in case['profiles']:
        table = {a.func: decided(case['rules'], a.func) for a in profile.acts()}
        if FORMATS[case['format']].kind == 'stacks':
            own, whole = costs_of_stacks(profile, table)
        else:
            t = model.Truth(viewed(profile, table), ['function', 'file', 'object'], ['function'])
            own = {Func(*k): v[0] for k, v in t.own.items()}
            whole = {Func(*k): v[0] if k not in t.cycles else None for k, v in t.all.items()}
        sides.append((own, whole))
    names = {f.name for own, whole in sides for f in whole}
    if len(names) < len({f for own, whole in sides for f in whole}):
        return      # who is whose partner is another question
    out = tools.call('prof-diff', '--quiet', '--tsv', '--rules', './' + rules, '--events', event,
                     *files)
    command = tools.shown() + '  # ' + written(case['rules']).replace('\n', ' ')
    columns, rows = read.table(out)
    at = {c: i for i, c in enumerate(columns)}
    seen = {Func(*row[:3]): row for row in rows}
    for f in set(seen) | {f for own, whole in sides for f in whole}:
        want = [str(own.get(f, 0)) for own, _ in sides]
        got = [seen[f][at[event + s]] if f in seen else '0' for s in ('.old', '.new')]
        if got != want:
            yield Finding('own cost', command, (f, want), got)
        want = [whole.get(f, 0) for _, whole in sides]
        if None in want or f not in seen:
            continue
        got = [seen[f][at[event + s + '.incl']] for s in ('.old', '.new')]
        if got != list(map(str, want)):
            yield Finding('inclusive cost', command, (f, want), got)


# ---- little costs ----

def make_share(rng):
    case = random_case(rng, formats=['samples', 'folded', 'pprof', 'stream', 'callgrind'],
                       cycles=False, labels=False, events=('Ir',))
    case['share'] = rng.choice(('min-share: 5%', 'min-share: 20%', 'min-cost: 10',
                                'min-share: {self: 3%}', 'min-cost: {inclusive: 100}'))
    return case


def verify_share(case, tools):
    """What costs little is dropped, nothing else."""
    profile, file = case['profiles'][0], write(case, tools)
    rules = tools.file('rules.yaml', case['share'] + '\n')
    event = profile.events[0]
    truth = model.Truth(profile, ['function', 'file', 'object'], ['function'])
    number = case['share'].split(': ', 1)[1].strip('{}').split(': ')[-1]
    limit = Fraction(number[:-1]) * truth.total[0] / 100 if '%' in number else int(number)
    costs = truth.own if 'self' in case['share'] else truth.all
    stay = {k for k in truth.all if costs.get(k, (0,))[0] >= limit}
    out = tools.call('prof-top', '--quiet', '--tsv', '--events', event, '--rules', './' + rules,
                     file)
    command = tools.shown() + '  # ' + case['share']
    columns, rows = read.table(out)
    e = columns.index(event)
    want = {k: truth.own.get(k, (0,))[0] for k in stay}
    if FORMATS[case['format']].kind == 'stacks':
        # A function that stays has no row if it is in no stack that is left.
        left = {}
        for s in profile.stacks():
            if tuple(s.frames[-1].func) in stay:
                for f in {tuple(f.func) for f in s.frames} & stay:
                    left[f] = left.get(f, 0) + s.costs[0]
        for row in rows:
            key = tuple(row[:3])
            if key in left and row[e + 1] != str(left[key]):
                yield Finding('inclusive cost', command, (key, left[key]), row)
    got = {tuple(row[:3]): int(row[e]) for row in rows}
    for key in set(got) | {k for k, v in want.items() if v}:
        if key not in stay:
            yield Finding('stays', command, (key, costs.get(key), float(limit)), got[key])
        elif got.get(key, 0) != want[key]:
            yield Finding('own cost', command, (key, want[key]), got.get(key))


# ---- planted changes ----

def make_planted(rng):
    """Runs whose costs differ by chance; the new ones are the old ones in another order,
    but for a function that has grown."""
    n = rng.choice((4, 5, 6))
    funcs = rng.randint(12, 40)
    base = [10 ** 6 // (i + 1) + 50 for i in range(funcs)]
    noise = rng.choice((0.002, 0.01))
    costs = [[max(0, int(b * (1 + noise * rng.uniform(-1, 1)))) for _ in range(n)] for b in base]
    # Some functions are seen in a few of the runs only.
    sparse = rng.randint(0, 20)
    for i in range(sparse):
        costs.append([rng.choice((0, 0, 0, 1, 2)) for _ in range(n)])
    planted = rng.randrange(min(funcs, 12)) if rng.random() < 0.7 else None
    new = [rng.sample(c, n) for c in costs]
    if planted is not None:
        factor = rng.choice((2, 3))
        new[planted] = [c * factor for c in new[planted]]
    profiles = []
    for side in costs, new:
        for run in range(n):
            root = model.Act(Func('main', None, None))
            for i, c in enumerate(side):
                # A function with two lines, each of a part of its cost.
                a = c[run] // 3
                child = model.Act(Func('f%d' % i, None, None),
                                  [model.Own(None, 1, (a,)), model.Own(None, 2, (c[run] - a,))])
                root.calls.append(model.Call(None, 1, child))
            profiles.append(model.Profile([model.Part(['samples'], {}, [root])]))
    format = rng.choice(('folded', 'stream', 'samples'))
    profiles = [FORMATS[format].project(p) for p in profiles]
    return {'format': format, 'profiles': profiles, 'seed': rng.randrange(10 ** 6), 'n': n,
            'planted': None if planted is None else 'f%d' % planted, 'inlined': False,
            'scope': rng.choice(('function', 'both', 'total'))}


def verify_planted(case, tools):
    n, planted = case['n'], case['planted']
    files = [write(case, tools, i, 'in%d' % i) for i in range(2 * n)]
    status, out = tools.call('prof-diff', '--quiet', '--tsv', '--fail-over', '20%', '--scope',
                             case['scope'], *files[:n], '--', *files[n:], statuses=(0, 1))
    command = tools.shown()
    totals = [sum(s.costs[0] for p in case['profiles'][i:i + n] for s in p.stacks())
              for i in (0, n)]
    grown = totals[1] * 100 > totals[0] * 120
    want = 1 if planted and case['scope'] != 'total' or grown and case['scope'] != 'function' else 0
    if status != want:
        yield Finding('status', command, (want, planted, grown), (status, out))
    elif status == 1 and case['scope'] != 'total':
        rows = [r[0] for r in read.table(out)[1]]
        if rows != [planted]:
            yield Finding('rows', command, planted, rows)


CHECKS = {
    'order': (make_order, verify_order),
    'rules-diff': (make_rules_diff, verify_rules_diff),
    'min-share': (make_share, verify_share),
    'planted': (make_planted, verify_planted),
}
