# SPDX-License-Identifier: ISC
"""Profiles whose events differ, formulas that a profile brings along, threads in labels,
and levels of recursion that --match makes one."""
import model
import read
from check_top import namesakes, random_case, write
from runs import random_runs
from tools import Finding


# ---- events that some files lack ----

def make_lacks(rng):
    case = random_runs(rng, rng.choice((2, 3)), ['stream', 'callgrind', 'samples', 'cachegrind'],
                       events=('Ir', 'Dr'), cycles=False)
    for i in range(1, len(case['profiles'])):
        if rng.random() < 0.6:
            case['profiles'][i] = case['profiles'][i].changed(events=('Ir',))
    case['by'] = [rng.choice(('function', 'object', 'total'))]
    return case


def verify_lacks(case, tools):
    """Costs are those of the files that have the event."""
    by, names = case['by'], model.columns_of(case['by'])
    files = [write(case, tools, i, 'in%d' % i) for i in range(len(case['profiles']))]
    out = tools.call('prof-top', '--quiet', '--tsv', '-b', ','.join(by), '--events', 'Ir,Dr',
                     *files)
    command = tools.shown()
    columns, rows = read.table(out)
    at = {c: i for i, c in enumerate(columns)}
    runs = [model.Truth(p, names, by, ('Ir', 'Dr')) for p in case['profiles']]
    for row in rows:
        key = tuple(row[:len(names)])
        for i, e in enumerate(('Ir', 'Dr')):
            want = sum(t.own.get(key, (0, 0))[i] for t in runs)
            # No file with this row may have the event.
            if row[at[e]] != str(want) and not (row[at[e]] is None and want == 0):
                yield Finding('own cost', command, (key, e, want), row[at[e]])


# ---- derived events ----

def make_derived(rng):
    case = random_case(rng, events=('Ir', 'Dr', 'Dw'), formats=['callgrind'], parts=1, cycles=False)
    case['terms'] = [(rng.choice((1, 2, 10)), e) for e in rng.sample(('Ir', 'Dr', 'Dw'),
                                                                    rng.randint(1, 3))]
    return case


def verify_derived(case, tools):
    profile = case['profiles'][0]
    file = write(case, tools)
    with open(tools.dir + '/' + file) as f:
        text = f.read()
    formula = ' + '.join(('%d ' % c if c != 1 else '') + e for c, e in case['terms'])
    text = text.replace('events: ', 'event: Mine = %s : of mine\nevents: ' % formula)
    file = tools.file('derived.callgrind', text)
    out = tools.call('prof-top', '--quiet', '--tsv', '--events', 'Mine', file)
    command = tools.shown()
    columns, rows = read.table(out)
    at = {c: i for i, c in enumerate(columns)}
    truth = model.Truth(profile, ['function', 'file', 'object'], ['function'])
    index = {e: i for i, e in enumerate(profile.events)}
    for row in rows:
        key = tuple(row[:3])
        for column, of in ('Mine', truth.own), ('Mine.incl', truth.all):
            want = sum(c * of.get(key, (0, 0, 0))[index[e]] for c, e in case['terms'])
            if row[at[column]] != str(want):
                yield Finding(column, command, (key, want), row[at[column]])


# ---- threads of perf ----

def make_threads(rng):
    case = random_case(rng, formats=['perf'], labels=False)
    case['threads'] = rng.randint(1, 3)
    case['by'] = rng.choice(('thread', 'pid', 'thread,function'))
    return case


def verify_threads(case, tools):
    """Samples belong to the threads whose labels they have."""
    import random
    profile, rng = case['profiles'][0], random.Random(case['seed'])
    lines, own = [], {}
    for i, s in enumerate(profile.stacks()):
        t = rng.randrange(case['threads'])
        comm, pid, tid = 'w%d' % (t % 2), 70 + t // 2, 80 + t
        lines.append('%s %d/%d %d.000001: %d cycles: ' % (comm, pid, tid, 10 + i, s.costs[1]))
        lines += ['\t%16x %s+0x1 (%s)' % (4096, f.func.name, f.func.object)
                  for f in reversed(s.frames)]
        lines.append('')
        key = (comm, pid, tid) if 'thread' in case['by'] else (pid,)
        if 'function' in case['by']:
            key += (s.frames[-1].func.name, s.frames[-1].func.object)
        own[key] = own.get(key, 0) + s.costs[1]
    file = tools.file('in.perf', '\n'.join(lines) + '\n')
    out = tools.call('prof-top', '--quiet', '--tsv', '-b', case['by'], '--events', 'period', file)
    command = tools.shown()
    columns, rows = read.table(out)
    e = columns.index('period')
    got = {}
    for row in rows:
        if row[e] == '0':
            continue
        cell = row[0]
        if 'thread' in case['by']:      # its name and number, however they are put together
            key = [k for k in own if k[0] in cell and str(k[2]) in cell and
                   ('function' not in case['by'] or
                    (row[columns.index('function')], row[columns.index('object')]) == k[3:])]
        else:
            key = [k for k in own if str(k[0]) in cell]
        if len(key) != 1:
            yield Finding('thread that is not', command, sorted(own), row)
            continue
        got[key[0]] = int(row[e])
    if got != own:
        yield Finding('rows', command, own, got)


# ---- levels of recursion as one ----

def make_levels(rng):
    case = random_runs(rng, 2, ['levels'], events=('Ir',))
    case['by'], case['match'] = ['function'], 'recursion'
    return case


def verify_levels(case, tools):
    names = ['function', 'file', 'object']
    if any(namesakes(p) for p in case['profiles']):
        return
    files = [write(case, tools, i, 'in%d' % i) for i in (0, 1)]

    def plain(f):
        return f._replace(name=f.name.split("'")[0])
    sides = [model.Truth(p.changed(func=plain), names, ['function']) for p in case['profiles']]
    out = tools.call('prof-diff', '--quiet', '--tsv', '--match', 'recursion', *files)
    command = tools.shown()
    columns, rows = read.table(out)
    at = {c: i for i, c in enumerate(columns)}
    seen = {tuple(row[:3]): row for row in rows}
    for key in set(seen) | {k for t in sides for k in t.own}:
        old, new = [t.own.get(key, (0,))[0] for t in sides]
        if key not in seen:
            if old or new:
                yield Finding('row missing', command, (key, old, new), 'nothing')
            continue
        row = seen[key]
        got = [row[at['Ir' + s]] for s in ('.old', '.new', '')]
        if got != [str(old), str(new), str(new - old)]:
            yield Finding('own cost', command, (key, old, new), got)
        for side, s in zip(sides, ('.old', '.new')):
            value = row[at['Ir%s.incl' % s]]
            want = side.all.get(key, (0,))[0]
            if value is not None and (int(value) > want or
                                      key not in side.cycles and int(value) != want):
                yield Finding('inclusive cost', command, (key, s, want), value)


CHECKS = {
    'lacks': (make_lacks, verify_lacks),
    'derived': (make_derived, verify_derived),
    'threads': (make_threads, verify_threads),
    'match-levels': (make_levels, verify_levels),
}
