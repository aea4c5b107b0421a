# SPDX-License-Identifier: ISC
"""The table of all checks: how many cases make check has of each, and which wait for
a mend of a fault that they find."""
from collections import namedtuple
import check_diff
import check_events
import check_grep
import check_merge
import check_more
import check_points
import check_rules
import check_to
import check_top
import check_tree

Check = namedtuple('Check', 'make verify cases waits')

MODULES = [check_top, check_merge, check_diff,
           check_grep, check_tree, check_rules, check_to, check_more, check_points, check_events]

#	check: cases in make check, and what it waits for
TABLE = {
    'top': (300, None),
    'lines': (100, None),
    'inlined': (100, None),
    'stackless': (50, None),
    'chain': (100, None),
    'calls': (100, None),
    'formula': (100, None),
    'merge': (200, None),
    'absent': (50, None),
    'diff': (150, None),
    'diff-cycles': (100, None),
    'match': (60, None),
    'normalize': (50, None),
    'several': (80, None),
    'gate': (150, None),
    'gate-cycles': (60, None),
    'grep': (250, None),
    'grep-top': (100, None),
    'grep-cycles': (100, None),
    'where': (60, None),
    'rules': (150, None),
    'rules-calls': (100, None),
    'fold': (60, None),
    'fold-cycles': (60, None),
    'estimate': (80, None),
    'svg': (80, None),
    'dot': (80, None),
    'convert': (100, None),
    'order': (60, None),
    'rules-diff': (60, None),
    'min-share': (60, None),
    'planted': (20, None),
    'points': (60, None),
    'points-rows': (30, None),
    'lacks': (40, None),
    'derived': (30, None),
    'threads': (40, None),
    'match-levels': (40, None),
    'tree': (150, None),
    'tree-diff': (60, None),
    'tree-calls': (100, None),
    'tree-cycles': (60, None),
}


def table():
    found = {}
    for module in MODULES:
        for name, (make, verify) in module.CHECKS.items():
            cases, waits = TABLE[name]
            found[name] = Check(make, verify, cases, waits)
    return found
