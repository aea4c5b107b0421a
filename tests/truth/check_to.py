# SPDX-License-Identifier: ISC
"""prof-to: estimated stacks, the numbers in svg and dot, and conversions."""
import html
import re
from fractions import Fraction
import model
import read
from check_top import FORMATS, judge, random_case, write
from check_tree import STACKS
from tools import Finding


# ---- estimated stacks ----

def make_estimate(rng):
    case = random_case(rng, formats=['stream', 'callgrind', 'levels'], events=('Ir',),
                       cycles=rng.random() < 0.5, parts=1, shared=False, big=False)
    return case


def verify_estimate(case, tools):
    """Own costs are exact; so are stacks where each function has one caller."""
    profile, file = case['profiles'][0], write(case, tools)
    out = tools.call('prof-to', 'folded', '--quiet', '--estimate', file)
    command = tools.shown()
    own, stacks = {}, {}
    for line in out.splitlines():
        path, cost = line.rsplit(' ', 1)
        names = tuple(path.split(';'))
        if names[0] != '[estimate]':
            yield Finding('root', command, '[estimate]', names[0])
        own[names[-1]] = own.get(names[-1], 0) + int(cost)
        stacks[names[1:]] = stacks.get(names[1:], 0) + int(cost)
    want, true = {}, {}
    for s in profile.stacks():
        names = tuple(f.func.name for f in s.frames)
        want[names[-1]] = want.get(names[-1], 0) + s.costs[0]
        true[names] = true.get(names, 0) + s.costs[0]
    for name in set(want) | set(own):
        if want.get(name, 0) != own.get(name, 0):
            yield Finding('own cost', command, (name, want.get(name, 0)), own.get(name, 0))
    callers, roots = {}, {r.func for r in profile.parts[0].roots}
    for frame, callee, _, _ in profile.steps():
        callers.setdefault(callee, set()).add(frame.func)
    recursive = any(f in model.reach({a: {b} for b, s in callers.items() for a in s}, f)
                    for f in callers)
    one = all(len(s) == 1 for s in callers.values()) and not roots & set(callers)
    if one and not recursive and len(roots) == 1:
        a = {k: v for k, v in true.items() if v}
        b = {k: v for k, v in stacks.items() if v}
        if a != b:
            yield Finding('stacks of functions with one caller', command, a, b)


# ---- flame graphs ----

def make_svg(rng):
    return random_case(rng, formats=STACKS, labels=False, shared=False, parts=1)


def verify_svg(case, tools):
    profile, file = case['profiles'][0], write(case, tools)
    event = profile.events[0]
    whole, own = {}, {}
    total = 0
    for s in profile.stacks():
        names = tuple(f.func.name for f in s.frames)
        total += s.costs[0]
        own[names] = own.get(names, 0) + s.costs[0]
        for i in range(len(names)):
            whole[names[:i + 1]] = whole.get(names[:i + 1], 0) + s.costs[0]
    if not total:
        return
    out = tools.call('prof-to', 'svg', '--quiet', '--static', '--min-width', '0', '--events',
                     event, file)
    command = tools.shown()
    frames = []
    for m in re.finditer(r'<rect x="([\d.]+)%" y="(\d+)" width="([\d.]+)%"[^>]*><title>([^<]*)'
                         '</title>', out):
        x, width = (round(float(percent) * 1e4) for percent in m.group(1, 3))
        y = int(m.group(2))
        lines = html.unescape(m.group(4)).split('\n')
        cost = re.match(r'([\d,]+)', lines[1])
        mine = re.search(r'own ([\d,]+)', lines[1])
        share = re.search(r'([\d.]+) %', lines[1])
        frames.append((lines[0], int(cost.group(1).replace(',', '')),
                       int(mine.group(1).replace(',', '')) if mine else None, x, y, width,
                       share.group(1)))
    # Nothing is said of the own cost where it is all, or nothing.
    got = sorted((f[0], f[1], f[2] or 0) for f in frames[1:])
    want = sorted((p[-1], c, own.get(p, 0) if own.get(p) != c else 0)
                  for p, c in whole.items() if c)
    if got != want:
        yield Finding('frames', command, [w for w in want if w not in got],
                      [g for g in got if g not in want] or 'not all of them')
    if frames[0][1] != total:
        yield Finding('the whole', command, total, frames[0][1])
    for name, cost, _, x, y, width, share in frames:
        # Its width, in millionths of the whole, and its share.
        if abs(width - Fraction(10 ** 6 * cost, total)) > 1:
            yield Finding('width', command, (name, float(Fraction(10 ** 6 * cost, total))), width)
        if abs(Fraction(share) - Fraction(100 * cost, total)) > Fraction(501, 100000):
            yield Finding('share', command, (name, float(Fraction(100 * cost, total))), share)


# ---- call graphs ----

def make_dot(rng):
    return random_case(rng, formats=['stream', 'callgrind', 'samples', 'folded', 'pprof'],
                       shared=False)


def verify_dot(case, tools):
    profile, file = case['profiles'][0], write(case, tools)
    event, kind = profile.events[0], FORMATS[case['format']].kind
    truth = model.Truth(profile, ['function'], ['function'])
    if not truth.total[0]:
        return
    out = tools.call('prof-to', 'dot', '--quiet', '--nodes', '0', '--min-node', '0',
                     '--min-edge', '0', '--events', event, file)
    command = tools.shown()
    names, seen = {}, {}
    numeral = r'([~?!]?)([\d,]+|-)'
    for m in re.finditer(r'^\s*(n\d+) \[label=.*?tooltip="(.*?)"', out, re.M):
        lines = m.group(2).replace('\\"', '"').split('\\n')
        names[m.group(1)] = lines[0]
        mine = re.search(r'\\nself ([\d,]+)', m.group(2))
        incl = re.search(r'\\ninclusive ' + numeral, m.group(2))
        key = (lines[0],)
        seen[key] = m.group(2)
        want = truth.own.get(key, (0,))[0]
        if mine is None or int(mine.group(1).replace(',', '')) != want:
            yield Finding('own cost', command, (key, want), m.group(2))
        if incl:
            value, mark = read.number(incl.group(1) + incl.group(2))
            yield from judge(command, key, value, mark, truth.all[key][0], kind != 'graph',
                             key not in truth.cycles)
        calls = re.search(r'\\n([\d,]+) calls?$', m.group(2))
        if kind == 'graph' and (calls is None or int(calls.group(1).replace(',', '')) !=
                                truth.calls.get(key, 0)):
            yield Finding('calls', command, (key, truth.calls.get(key, 0)), m.group(2))
    for key, cost in truth.all.items():
        if cost[0] and key not in seen:
            yield Finding('box missing', command, (key, cost), sorted(seen))
    want, counts = {}, {}
    if kind == 'graph':
        for frame, callee, cost, _ in profile.steps():
            k = frame.func.name, callee.name
            want[k] = want.get(k, 0) + cost[0]
            counts[k] = counts.get(k, 0) + 1
    else:
        for s in profile.stacks():
            funcs = [f.func.name for f in s.frames]
            for k in set(zip(funcs, funcs[1:])):
                want[k] = want.get(k, 0) + s.costs[0]
    for m in re.finditer(r'^\s*(n\d+) -> (n\d+) \[.*?tooltip="(.*?)"', out, re.M):
        key = names[m.group(1)], names[m.group(2)]
        cost = re.search(r'\\n([\d,]+)', m.group(3))
        calls = re.search(r'\\n([\d,]+) calls?$', m.group(3))
        value = int(cost.group(1).replace(',', '')) if cost else None
        if value != want.get(key):
            yield Finding('cost of an edge', command, (key, want.get(key)), m.group(3))
        if kind == 'graph' and (calls is None or
                                int(calls.group(1).replace(',', '')) != counts.get(key)):
            yield Finding('calls of an edge', command, (key, counts.get(key)), m.group(3))


# ---- conversions ----

TARGETS = ['prof', 'folded', 'pprof', 'speedscope', 'firefox', 'cpuprofile']


def make_convert(rng):
    graph = rng.random() < 0.3
    case = random_case(rng, formats=['stream', 'callgrind', 'levels'] if graph else
                       STACKS + ['perf', 'heapprofile'], labels=False, parts=1)
    case['target'] = rng.choice(['prof', 'callgrind']) if graph else rng.choice(TARGETS)
    case['profiles'][0] = case['profiles'][0].changed(costs=lambda c: c % 2 ** 40)
    return case


def verify_convert(case, tools):
    """What is read, written in another format and read again has the same costs."""
    profile, file = case['profiles'][0], write(case, tools)
    event, target = profile.events[0], case['target']
    own, whole, graph = {}, {}, FORMATS[case['format']].kind == 'graph'
    for s in profile.stacks():
        names = [f.func.name for f in s.frames]
        own[names[-1]] = own.get(names[-1], 0) + s.costs[0]
        for name in set(names):
            whole[name] = whole.get(name, 0) + s.costs[0]
    if not any(own.values()):
        return
    root = ['--root', 'none'] if target == 'folded' and case['format'] == 'perf' else []
    tools.call('prof-to', target, '--quiet', '--events', event, *root, '-o', 'out', file)
    out = tools.call('prof-top', '--quiet', '--tsv', '--from', target, 'out')
    command = '; '.join(tools.ran[-2:])
    columns, rows = read.table(out)
    e = columns.index('calls') + 1
    got, got_all, names = {}, {}, {}
    for row in rows:
        got[row[0]] = got.get(row[0], 0) + int(row[e])
        names[row[0]] = names.get(row[0], 0) + 1
        got_all[row[0]] = row[e + 1]
    for name in set(own) | set(got):
        if own.get(name, 0) != got.get(name, 0):
            yield Finding('own cost in ' + target, command, (name, own.get(name, 0)),
                          got.get(name, 0))
        elif not graph and names.get(name) == 1 and \
                str(whole.get(name, 0)) != got_all[name] and \
                len({a.func for a in profile.acts() if a.func.name == name}) == 1:
            yield Finding('inclusive cost in ' + target, command, (name, whole.get(name)),
                          got_all[name])


CHECKS = {
    'estimate': (make_estimate, verify_estimate),
    'svg': (make_svg, verify_svg),
    'dot': (make_dot, verify_dot),
    'convert': (make_convert, verify_convert),
}
