# SPDX-License-Identifier: ISC
"""Rule files: what rename, group, fold, drop and keep make of stacks and call graphs."""
import re
import model
import read
from check_top import judge, random_case, spelt, write
from model import Act, Call, Func, Own, Part, Profile
from tools import Finding

STACKS = ['samples', 'folded', 'pprof', 'speedscope', 'perf']


def random_rules(rng, profile, actions):
    funcs = sorted({a.func for a in profile.acts()}, key=str)
    rules = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        action = rng.choice(actions)
        chosen = rng.sample(funcs, min(len(funcs), rng.choice((1, 1, 2, 3))))
        what = rng.choice(('function', 'function', 'function', 'file', 'object'))
        names = {f.name if what == 'function' else getattr(f, what) for f in chosen} - {None}
        if not names:
            what, names = 'function', {f.name for f in chosen}
        pattern = '^(%s)$' % '|'.join(re.sub(r'([\\^$.|?*+(){}\[\]])', r'\\\1', n)
                                       for n in sorted(names))
        if what != 'function':
            pattern = pattern[1:-1]
        rule = {'action': action, 'what': what, 'pattern': pattern,
                'unless': rng.random() < 0.15 and rng.choice(funcs).name or None}
        if action == 'rename':
            rule['what'] = 'function'
            if what != 'function':
                rule['pattern'] = '^[a-h]'
            rule['to'] = rng.choice(('f', 'new', r'\0x', 'g'))
        elif action == 'group':
            rule['as'] = rng.choice(('[G]', '[H]', 'f'))
        rules.append(rule)
    return rules


def written(rules):
    """The file, in YAML."""
    lines = ['rules:']
    for r in rules:
        items = ["%s: '%s'" % (r['what'], r['pattern'].replace("'", "''"))]
        if r['unless']:
            escaped = re.sub(r'([\\^$.|?*+(){}\[\]])', r'\\\1', r['unless'])
            items.append("unless: {function: '^%s$'}" % escaped.replace("'", "''"))
        if r['action'] == 'rename':
            items.append("to: '%s'" % r['to'])
        elif r['action'] == 'group':
            items.append("as: '%s'" % r['as'])
        lines.append('  - %s: {%s}' % (r['action'], ', '.join(items)))
    return '\n'.join(lines) + '\n'


def decided(rules, func):
    """The function's names after the rules, and what becomes of it."""
    decision, now, group = None, func, None
    for r in rules:
        name = {'function': now.name, 'file': now.file, 'object': now.object}[r['what']]
        m = name is not None and re.search(r['pattern'], name)
        if not m or r['unless'] == now.name:
            continue
        if r['action'] == 'rename':
            to = r['to'].replace(r'\0', m.group())
            now = now._replace(name=now.name[:m.start()] + to + now.name[m.end():])
        elif r['action'] == 'group':
            now, group = Func(r['as'], None, None), r['as']
        elif decision is None:
            decision = r['action']
    if decision is None and any(r['action'] == 'keep' for r in rules):
        decision = 'drop'
    return now, decision, group


def viewed_stack(frames, table):
    """The functions of a stack under the rules; None if it is dropped."""
    out, fate = [], None
    for i, f in enumerate(frames):
        now, decision, group = table[f.func]
        fate = decision if not (decision == 'fold' and i) else fate
        if decision == 'drop' or decision == 'fold' and i:
            continue
        if out and group and out[-1] == (now, group):
            continue
        out.append((now, group))
    # What is folded shares the fate of its caller.
    return None if fate == 'drop' else [f for f, _ in out]


def make(rng):
    case = random_case(rng, formats=STACKS, labels=False)
    case['rules'] = random_rules(rng, case['profiles'][0],
                                 ['rename', 'group', 'fold', 'fold', 'drop', 'keep'])
    return case


def rows_of(out, events):
    columns, rows = read.table(out)
    at = {c: i for i, c in enumerate(columns)}
    return {Func(*row[:3]): [(row[at[e]], row[at[e + '.incl']]) for e in events] for row in rows}


def costs_of_stacks(profile, table):
    """Own and inclusive costs of functions in the view that the table decides."""
    own, whole = {}, {}
    for s in profile.stacks():
        funcs = viewed_stack(s.frames, table)
        if funcs:
            own[funcs[-1]] = own.get(funcs[-1], 0) + s.costs[0]
            for f in set(funcs):
                whole[f] = whole.get(f, 0) + s.costs[0]
    return own, whole


def verify(case, tools):
    profile, file = case['profiles'][0], write(case, tools)
    rules = tools.file('rules.yaml', written(case['rules']))
    event = profile.events[0]
    table = {a.func: decided(case['rules'], a.func) for a in profile.acts()}
    own, whole = costs_of_stacks(profile, table)
    out = tools.call('prof-top', '--quiet', '--tsv', '--events', event, '--rules', './' + rules,
                     file)
    command = tools.shown() + '  # ' + written(case['rules']).replace('\n', ' ')
    got = rows_of(out, [event])
    for f in set(got) | set(whole):
        want = str(own.get(f, 0)), str(whole.get(f, 0))
        have = got.get(f, [('0', '0')])[0]
        if have != want:
            yield Finding('view of stacks', command, (f, want), have)


# ---- call graphs ----

FOLDS = ['fold'], ['rename', 'group', 'fold']


def make_graph(rng, cycles=False, actions=(['rename', 'group'], ['rename'], ['group'])):
    case = random_case(rng, formats=['stream', 'callgrind'], cycles=cycles, parts=1)
    case['rules'] = random_rules(rng, case['profiles'][0], rng.choice(actions))
    return case


def make_fold(rng):
    """Folds of functions that someone calls, or that no one calls, but not both."""
    while True:
        case = make_graph(rng, False, FOLDS)
        p = case['profiles'][0]
        if not {r.func for r in p.parts[0].roots} & {g for _, g, _, _ in p.steps()}:
            return case


def make_graph_cycles(rng):
    return make_graph(rng, rng.random() < 0.7, FOLDS)


def viewed(profile, table):
    """The activations under the rules: those that are folded are not there, and their
    callers have what they cost and make their calls, from where they were called."""
    def visit(act):
        now, _, group = table[act.func]
        new = Act(now, [Own(o.file, o.line, o.costs) for o in act.own])

        def take(call, file, line):
            f = call.callee
            if table[f.func][1] == 'fold':
                for o in f.own:
                    new.own.append(Own(file, line, o.costs))
                for c in f.calls:
                    take(c, file, line)
            else:
                new.calls.append(Call(file, line, visit(f)))
        for c in act.calls:
            take(c, c.file, c.line)
        return new
    return Profile([Part(p.events, p.facts, [visit(r) for r in p.roots])
                    for p in profile.parts])


def verify_graph(case, tools):
    profile, file = case['profiles'][0], write(case, tools)
    rules = tools.file('rules.yaml', written(case['rules']))
    event = profile.events[0]
    table = {a.func: decided(case['rules'], a.func) for a in profile.acts()}
    view = viewed(profile, table)
    truth = model.Truth(view, ['function', 'file', 'object'], ['function'])
    out = tools.call('prof-top', '--exact', '--events', event, '--rules', './' + rules, file)
    command = tools.shown() + '  # ' + written(case['rules']).replace('\n', ' ')
    estimated = 'folded function' in tools.errors
    header, rows = read.people(out)
    where = header.index('inclusive') if 'inclusive' in header else None
    looks, total = {}, 0
    shown = [c for c in ('function', 'file', 'object') if c in header]
    for key in set(truth.all) | set(truth.own):
        cells = spelt(('function', 'file', 'object'), key)
        looks.setdefault(tuple(cells[c] for c in shown), []).append(key)
    for row in rows:
        value, _ = read.number(row[0])
        total += value
        keys = looks.get(tuple(row[header.index(c)] for c in shown), [])
        if estimated or len(keys) != 1:
            continue
        want = truth.own.get(keys[0], (0,))[0]
        if value != want:
            yield Finding('own cost', command, (keys[0], want), row[0])
        if where is not None:
            value, mark = read.number(row[where])
            yield from judge(command, keys[0], value, mark, truth.all.get(keys[0], (0,))[0],
                             False, keys[0] not in truth.cycles, False)
    want = truth.total[0]
    if total != want:
        yield Finding('sum of own costs', command, want, total)
    if not estimated:
        missing = {k for k, v in truth.own.items() if v[0]} - \
            {k for keys in looks.values() for k in keys}
        if missing:
            yield Finding('row missing', command, missing, 'nothing')


CHECKS = {
    'rules': (make, verify),
    'rules-calls': (make_graph, verify_graph),
    'fold': (make_fold, verify_graph),
    'fold-cycles': (make_graph_cycles, verify_graph),
}
