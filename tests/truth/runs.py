# SPDX-License-Identifier: ISC
"""Several runs of one program: the same functions, other costs and calls."""
import copy
import model
from check_top import FORMATS


def variant(rng, profile, change=0.5, shape=0.15):
    """Another run: costs differ, some calls are not made, some once more."""
    p = copy.deepcopy(profile)

    def visit(act):
        for o in act.own:
            if rng.random() < change:
                o.costs = tuple(max(0, c + rng.randint(-c // 3 - 2, c // 3 + 2)) for c in o.costs)
        for c in list(act.calls):
            if rng.random() < shape:
                act.calls.remove(c)
            else:
                visit(c.callee)
                if rng.random() < shape:
                    act.calls.append(copy.deepcopy(c))
    for part in p.parts:
        for r in part.roots:
            visit(r)
    return p


def random_runs(rng, n, formats, change=0.5, moved=0.15, **shape):
    """A case with n runs in one format."""
    shape = dict(dict(events=rng.choice((('Ir',), ('Ir', 'Dr'))), acts=rng.choice((3, 6, 12, 25)),
                      cycles=rng.random() < 0.4, parts=1, direct=rng.random() < 0.6,
                      shared=False), **shape)
    format = FORMATS[rng.choice(formats)]
    base = model.random_profile(rng, **shape)
    act = base.parts[0].roots[0]
    while act.calls:
        act = act.calls[0].callee
    act.own.append(model.Own(act.func.file, 1, (7,) * len(base.parts[0].events)))
    profiles = [base]
    while len(profiles) < n:
        p = variant(rng, base, change, moved)
        if any(s.costs[0] for s in p.stacks()):     # an empty file is no profile
            profiles.append(p)
    return {'format': format.name, 'profiles': [format.project(p) for p in profiles],
            'seed': rng.randrange(10 ** 6), 'inlined': shape.get('inlined', False)}
