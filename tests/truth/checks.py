# SPDX-License-Identifier: ISC
"""The table of all checks: how many cases make check has of each, and which wait for
a mend of a fault that they find."""
from collections import namedtuple
import check_top

Check = namedtuple('Check', 'make verify cases waits')

MODULES = [check_top]

#	check: cases in make check, and what it waits for
TABLE = {
    'top': (300, None),
    'lines': (100, 'a line that calls a function with costs on the same line'),
    'inlined': (100, 'inclusive costs of files and lines with inlined code'),
    'calls': (100, None),
    'formula': (100, None),
}


def table():
    found = {}
    for module in MODULES:
        for name, (make, verify) in module.CHECKS.items():
            cases, waits = TABLE[name]
            found[name] = Check(make, verify, cases, waits)
    return found
