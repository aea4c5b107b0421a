# SPDX-License-Identifier: ISC
"""prof-top: every row of every --by, callers and callees, formulas."""
from fractions import Fraction
import model
import read
import write_graph
import write_stacks
from tools import Finding

FORMATS = {**write_graph.FORMATS, **write_stacks.FORMATS}
BYS = ['function', 'function', 'file', 'object', 'total', 'function,line', 'object,file',
       'thread', 'thread,function', 'line,function', 'function,object', 'cmd']
LINES = ['line', 'object,line', 'thread,line']


def by_for(rng, profile, bys=BYS):
    facts = [p.facts for p in profile.parts]
    while True:
        by = rng.choice(bys).split(',')
        if all(k not in ('thread', 'cmd') or all(k in f for f in facts) for k in by):
            return by


def random_case(rng, **fixed):
    """A profile in some format."""
    shape = dict(events=rng.choice((('Ir',), ('Ir', 'Dr'), ('Ir', 'Dr', 'Dw'))),
                 acts=rng.choice((3, 6, 12, 30)), cycles=rng.random() < 0.6,
                 parts=rng.choice((1, 1, 1, 2, 3)), labels=rng.random() < 0.3,
                 direct=rng.random() < 0.7, big=rng.random() < 0.1)
    formats = fixed.pop('formats', [f for f in FORMATS if f != 'stackless'])
    shape.update(fixed)
    format = FORMATS[rng.choice(formats)]
    profile = model.random_profile(rng, **shape)
    # Every format has to have a cost somewhere.
    act = profile.parts[0].roots[0]
    while act.calls:
        act = act.calls[0].callee
    if not act.own:
        act.own.append(model.Own(act.func.file, 1, (1,) * len(profile.parts[0].events)))
    profile = format.project(profile)
    return {'format': format.name, 'profiles': [profile], 'seed': rng.randrange(10 ** 6),
            'inlined': shape.get('inlined', False)}


def write(case, tools, index=0, name='in'):
    import random
    format = FORMATS[case['format']]
    return tools.file('%s.%s' % (name, format.name),
                      format.write(case['profiles'][index], random.Random(case['seed'] + index)))


# ---- rows ----

def make(rng):
    case = random_case(rng)
    case['by'] = by_for(rng, case['profiles'][0])
    return case


def make_chain(rng):
    """Through other tools first, which change nothing."""
    case = random_case(rng, formats=[f for f in FORMATS if f not in ('pstats', 'tsv', 'stackless')],
                       labels=False, big=False)
    case['by'] = by_for(rng, case['profiles'][0], [b for b in BYS if 'thread' not in b and
                                                   b != 'cmd'])
    stages = [['prof-cat'], ['prof-merge'], ['prof-to', 'prof'], ['prof-grep', '-e', ''],
              ['prof-cat', '--zstd'], ['prof-merge', '-j', '1']]
    if case['by'] == ['function']:
        stages.append(['prof-merge', '--by', 'function'])
    if FORMATS[case['format']].kind == 'graph':
        stages.append(['prof-to', 'callgrind'])
    case['chain'] = [rng.choice(stages) for _ in range(rng.choice((1, 2, 3)))]
    return case


def make_lines(rng):
    case = random_case(rng, acts=rng.choice((3, 6, 12)))
    case['by'] = by_for(rng, case['profiles'][0], LINES)
    return case


def make_stackless(rng):
    case = random_case(rng, formats=['stackless'], labels=False)
    case['by'] = by_for(rng, case['profiles'][0], BYS + LINES)
    return case


def make_inlined(rng):
    case = random_case(rng, inlined=True, formats=[f for f in FORMATS if f != 'pstats'])
    case['by'] = by_for(rng, case['profiles'][0], BYS + LINES)
    return case


def expected_rows(truth):
    return set(truth.all) | set(truth.own)


def verify(case, tools):
    profile, by = case['profiles'][0], case['by']
    kind = FORMATS[case['format']].kind
    file = write(case, tools)
    for i, stage in enumerate(case.get('chain', ())):
        # prof-grep keeps all that has a name, which these have.
        to = ['-o', 'out%d' % i] if stage[0] != 'prof-grep' else []
        tools.call(*stage, '--quiet', *to, file, into=None if to else 'out%d' % i, statuses=(0, 1))
        file = 'out%d' % i
    events = profile.events
    out = tools.call('prof-top', '--quiet', '--tsv', '-b', ','.join(by), '--events',
                     ','.join(events), file)
    command = '; '.join(tools.ran)
    columns, rows = read.table(out)
    at = {c: i for i, c in enumerate(columns)}
    names = model.columns_of(by)
    if columns[:len(names)] != names:
        yield Finding('columns', command, names, columns)
        return
    truth = model.Truth(profile, names, by)
    if 'function' in by and len(by) > 1 and namesakes(profile):
        return      # rows of functions that differ in their files alone look alike
    seen = {}
    for row in rows:
        key = tuple(row[:len(names)])
        if key in seen:
            yield Finding('row twice', command, 'once', key)
        seen[key] = row
        if key not in truth.all and key not in truth.own and any(
                row[at[e]] not in ('0', None) for e in events):
            yield Finding('row that is not', command, 'no such row', row)
    zero = (0,) * len(events)
    for key, own in truth.own.items():
        if any(own) and key not in seen:
            yield Finding('row missing', command, (key, own), 'nothing')
    for key, row in seen.items():
        own = truth.own.get(key, zero)
        for i, e in enumerate(events):
            if row[at[e]] != str(own[i]):
                yield Finding('own cost', command, (key, e, own[i]), row[at[e]])
        if kind == 'graph' and 'line' not in by and not case['inlined']:
            want = truth.calls.get(key, 0)
            if row[at['calls']] != str(want):
                yield Finding('calls', command, (key, want), row[at['calls']])
    if kind != 'flat':
        yield from inclusive(case, tools, file, truth, names, seen, at)


def namesakes(profile):
    funcs = {a.func for a in profile.acts()}
    return len({(f.name, f.object) for f in funcs}) < len(funcs)


def spelt(columns, key):
    """How a table for people has the names."""
    return {c: '[%s]' % (k or '???') if c == 'object' else k or '???'
            for c, k in zip(columns, key)}


def inclusive(case, tools, file, truth, names, seen, at):
    """Costs without a mark are the truth, bounds are bounds."""
    profile, by = case['profiles'][0], case['by']
    # Python's profilers measure those of functions.
    kind = FORMATS[case['format']].kind
    exact = kind == 'stacks' or kind == 'measured' and set(by) == {'function'}
    events = profile.events
    out = tools.call('prof-top', '--quiet', '--exact', '-b', ','.join(by), '--events',
                     ','.join(events), file)
    command = '; '.join(tools.ran[:-2] + tools.ran[-1:])
    header, rows = read.people(out)
    if not names:
        return
    where = [i for i, h in enumerate(header) if h == 'inclusive']
    if len(where) != len(events):
        if case['format'] != 'pstats' or by != ['function']:
            return      # no inclusive costs at all
    if len(rows) != len(seen):
        yield Finding('number of rows', command, len(seen), len(rows))
    shown = [c for c in names if c in header]
    # Rows that look alike are told apart in the other table only.
    looks = {}
    for key in model_keys(truth):
        cells = spelt(names, key)
        looks.setdefault(tuple(cells[c] for c in shown), []).append(key)
    for row in rows:
        keys = looks.get(tuple(row[header.index(c)] for c in shown), [])
        if len(keys) != 1:
            continue
        key = keys[0]
        for i, e in enumerate(events):
            value, mark = read.number(row[where[i]])
            want = truth.all.get(key, (0,) * len(events))[i]
            yield from judge(command, (key, e), value, mark, want, exact,
                             sure=certain(case, truth, key),
                             unknown=len(truth.callers.get(key, ())) > 1 and 'line' in by)
            bare = seen[key][at[e + '.incl']] if key in seen else None
            if bare is not None and mark != '-' and bare != str(value):
                yield Finding('tables differ', command, (key, e, bare), value)
            if truth.total[i] > 0 and mark != '-' and row[where[i] + 1] != '-':
                share = Fraction(value * 100, truth.total[i])
                if abs(Fraction(row[where[i] + 1]) - share) > Fraction(501, 100000):
                    yield Finding('percentage', command, (key, e, float(share)),
                                  row[where[i] + 1])


def certain(case, truth, key):
    """What the manual says is certain: what is in no cycle; of lines, what makes no calls
    within one."""
    if 'function' not in case['by'] and (case['format'] == 'levels' or any(
            stage[0] == 'prof-grep' for stage in case.get('chain', ()))):
        return False        # nor after a filter, whatever it kept
    if case['inlined']:
        return False
    return key not in (truth.nested if 'line' in case['by'] else truth.cycles)


def model_keys(truth):
    return set(truth.all) | set(truth.own)


def judge(command, what, value, mark, want, exact, sure, unknown=False):
    """Whether a cost with this mark is true.  What is sure needs no mark."""
    if mark == '' and value != want:
        yield Finding('unmarked but wrong', command, (what, want), value)
    elif mark == '~' and value > want:
        yield Finding('~ above the truth', command, (what, want), '~%d' % value)
    elif mark == '?' and value < want:
        yield Finding('? below the truth', command, (what, want), '?%d' % value)
    elif mark == '!':
        yield Finding('! of a true profile', command, (what, want), '!%d' % value)
    elif mark == '-' and (exact or not unknown):
        yield Finding('unknown', command, (what, want), '-')
    elif mark and mark != '-' and (exact or sure):
        yield Finding('mark of what is certain', command, (what, want), '%s%d' % (mark, value))


# ---- callers and callees ----

def make_calls(rng):
    case = random_case(rng, formats=[f for f in FORMATS if FORMATS[f].kind != 'flat'])
    case['way'] = rng.choice(('callers', 'callees'))
    case['parts'] = 1
    return case


def verify_calls(case, tools):
    profile, way = case['profiles'][0], case['way']
    file, kind = write(case, tools), FORMATS[case['format']].kind
    n, want, counts = len(profile.events), {}, {}
    if kind in ('graph', 'measured'):
        for frame, callee, cost, part in profile.steps():
            k = frame.func, callee
            want[k] = model.add(want.get(k, (0,) * n), cost)
            counts[k] = counts.get(k, 0) + 1
    else:
        for s in profile.stacks():
            funcs = [f.func for f in s.frames]
            for k in set(zip(funcs, funcs[1:])):
                want[k] = model.add(want.get(k, (0,) * n), s.costs)
    # What has no cost may be left out.
    none = not any(any(v) for v in want.values())
    statuses = (0, 2) if none else (0,)
    got = tools.call('prof-top', '--quiet', '--tsv', '--%s' % way, '', '--events',
                     ','.join(profile.events), file, statuses=statuses)
    if none:
        return
    command = tools.shown()
    columns, rows = read.table(got)
    at = {c: i for i, c in enumerate(columns)}
    role = way[:-1]
    mine = [at[c] for c in ('function', 'file', 'object')]
    other = [at['%s.%s' % (role, c)] for c in ('function', 'file', 'object')]
    seen = {}
    for row in rows:
        a, b = model.Func(*[row[i] for i in mine]), model.Func(*[row[i] for i in other])
        key = (b, a) if way == 'callers' else (a, b)
        if key in seen:
            yield Finding('pair twice', command, 'once', row)
        seen[key] = row
    for key in set(want) | set(seen):
        if key not in want:
            yield Finding('pair that is not', command, 'no such pair', seen[key])
            continue
        if key not in seen:
            if any(want[key]) or kind != 'stacks':
                yield Finding('pair missing', command, (key, want[key]), 'nothing')
            continue
        row = seen[key]
        if kind == 'graph' and row[at['calls']] != str(counts[key]):
            yield Finding('number of calls', command, (key, counts[key]), row[at['calls']])
        if kind == 'measured':
            continue        # what a call costs is not what its levels add up to
        for i, e in enumerate(profile.events):
            if row[at[e + '.incl']] != str(want[key][i]):
                yield Finding('cost of calls', command, (key, e, want[key][i]),
                              row[at[e + '.incl']])


# ---- formulas ----

def make_formula(rng):
    case = random_case(rng, events=('Ir', 'Dr', 'Dw'),
                       formats=['stream', 'callgrind', 'samples', 'pprof', 'cachegrind', 'tsv'])
    case['by'] = by_for(rng, case['profiles'][0], ['function', 'function', 'object', 'total'])
    terms, text = {}, []
    for e in rng.sample(('Ir', 'Dr', 'Dw'), rng.randint(1, 3)):
        c = rng.choice((1, 1, 2, 10, 3))
        minus = rng.random() < 0.25 and bool(text)
        terms[e] = -c if minus else c
        sign = ('- ' if minus else '+ ') if text else ''
        text.append(sign + ('' if c == 1 else rng.choice(('%d ', '%d * ')) % c) + e)
    case['formula'] = ' '.join(text)
    case['terms'] = terms
    case['ratio'] = rng.choice((None, 'Ir', 'Dr', 'Dr + Dw'))
    return case


def verify_formula(case, tools):
    profile, by = case['profiles'][0], case['by']
    file = write(case, tools)
    names = model.columns_of(by)
    truth = model.Truth(profile, names, by)
    formula, ratio = case['formula'], case['ratio']
    events = [formula, 'Ir'] + (['%s / %s' % (formula, ratio)] if ratio else [])
    out = tools.call('prof-top', '--quiet', '--tsv', '-b', ','.join(by), '--events',
                     ','.join(events), file)
    command = tools.shown()
    columns, rows = read.table(out)
    base = columns.index('calls') + 1
    have = {e: i for i, e in enumerate(profile.events)}
    exact = FORMATS[case['format']].kind == 'stacks' or \
        FORMATS[case['format']].kind == 'graph' and not truth.cycles
    positive = all(c > 0 for c in case['terms'].values())
    # A formula that is just an event is one with Ir.
    single = formula == 'Ir'
    for row in rows:
        key = tuple(row[:len(names)])
        own = truth.own.get(key, (0,) * 3)
        want = sum(c * own[have[e]] for e, c in case['terms'].items())
        if row[base] != str(want):
            yield Finding('formula', command, (key, want), row[base])
        if exact and positive and key in truth.all:
            want_all = sum(c * truth.all[key][have[e]] for e, c in case['terms'].items())
            if row[base + 1] != str(want_all):
                yield Finding('inclusive formula', command, (key, want_all), row[base + 1])
        if ratio:
            i = base + (2 if single else 4)
            under = sum(own[have[e]] for e in ratio.split(' + '))
            if under == 0:
                if row[i] is not None:
                    yield Finding('quotient by 0', command, (key, '-'), row[i])
            elif row[i] is None or abs(float(row[i]) - want / under) > \
                    6e-6 * abs(want / under) + 1e-300:
                yield Finding('quotient', command, (key, want / under), row[i])


# ---- numbers in pictures ----
CHECKS = {
    'top': (make, verify),
    'chain': (make_chain, verify),
    'lines': (make_lines, verify),
    'inlined': (make_inlined, verify),
    'stackless': (make_stackless, verify),
    'calls': (make_calls, verify_calls),
    'formula': (make_formula, verify_formula),
}
