#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Runs the tools on all examples in many widths: prints the lines that are wider, and the
numbers that are not those of the same table in any width.

usage: screen.py EXAMPLES"""
import fcntl
import glob
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unicodedata
from concurrent.futures import ThreadPoolExecutor

TOP = [['prof-top', '-n', '8'] + more for more in ([], ['--events', 'ALL'], ['--growth'],
    ['-k', 'calls'], ['--values'], ['--callers', '^main$', '--callees', '^main$'])]
TREE = [['prof-tree'], ['prof-tree', '--callers']]
ANNOTATE = [['prof-annotate', '--min', '5%'], ['prof-annotate', '--events', 'ALL', '--min', '5%']]
FEW = [40, 61, 80, 133]
EVERY = range(40, 201)


def columns(line):
    line = re.sub('\x1b\\[[0-9;]*m', '', line)
    return sum(0 if unicodedata.category(c) in ('Mn', 'Me') else
               2 if unicodedata.east_asian_width(c) in 'WF' else 1 for c in line)


def run(command):
    p = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, check=False)
    if p.returncode not in (0, 1, 2):
        sys.exit('%s: status %d' % (' '.join(command), p.returncode))
    return p.stdout.decode('utf-8', 'replace').split('\n')


def on_terminal(command, width):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack('HHHH', 50, width, 0, 0))
    p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs,
                         stderr=subprocess.DEVNULL, env=dict(os.environ, TERM='xterm'))
    os.close(theirs)
    out = b''
    try:
        while True:
            more = os.read(ours, 65536)
            if not more:
                break
            out += more
    except OSError:
        pass
    os.close(ours)
    p.wait()
    return out.decode('utf-8', 'replace').replace('\r', '').split('\n')


NUMBER = re.compile(r'[-+]*[0-9][0-9,.]*$')


def words(lines):
    return {word.strip('~<?!,:;()%') for line in lines for word in line.split()}


def numbers(lines):
    """Those that lines begin with, and what looks like the rest of one."""
    for line in lines:
        for word in line.split():
            number = word.strip('~<?!,:;()%')
            # Dots are of a chain, a colon of a deep level.
            if word[0] == '…' or word[-1] == ':' or not re.search('[0-9]', word) or \
                    not NUMBER.match(number.replace('…', '0')):
                break
            yield number


def check(command, widths):
    whole = None
    wrong = []
    for width in widths:
        lines = run(command + ['--width', str(width)])
        if lines == ['']:
            return wrong, 0         # there is no such table
        if whole is None:
            whole = words(run(command))
        wrong += ['%s --width %d: %d columns: %s' % (' '.join(command), width, columns(line),
                  line) for line in lines if columns(line) > width]
        wrong += ['%s --width %d: %s is no number of it' % (' '.join(command), width, n)
                  for n in numbers(lines) if n not in whole]
    return wrong, 1


def check_terminal(command, widths):
    wrong = []
    for width in widths:
        wrong += ['%s on %d columns: %s' % (' '.join(command), width, line)
                  for line in on_terminal(command, width) if columns(line) > width]
    return wrong, 1


def events(path):
    names = [line.split('\t')[2] for line in run(['prof-cat', path]) if
             line.startswith('event\t')]
    return ','.join(dict.fromkeys(names))


def commands(paths):
    """(function, command, widths): each table of each example."""
    full = {'calc.folded', 'sort.aprof', 'tasks.pprof.gz', 'wordcount.callgrind.zst'}
    for path in paths:
        every = os.path.basename(path) in full
        names = events(path)
        for how in TOP + TREE + ANNOTATE:
            plain = len(how) < 4 and every
            yield (check, [names if w == 'ALL' else w for w in how] + ['--quiet', path],
                   EVERY if plain and how[0] == 'prof-top' else range(40, 201, 11) if every
                   else FEW)
        yield check_terminal, ['prof-cat', '--quiet', '--info', path], FEW
        yield check_terminal, ['prof-cat', '--quiet', path], FEW
    for tool in 'cat', 'grep', 'merge', 'diff', 'to', 'top', 'tree', 'annotate':
        yield check_terminal, ['prof-' + tool, '--help'], range(40, 201, 13)


def differences(folder):
    for old, new in (('tasks.pprof.gz', 'tasks-sieve.pprof.gz'),
                     ('wordcount.callgrind.zst', 'wordcount-hash.callgrind.zst'),
                     ('pages-leak.dhat.zst', 'pages.dhat.zst')):
        a, b = os.path.join(folder, old), os.path.join(folder, new)
        yield check, ['prof-diff', '--quiet', '-n', '30', a, b], range(40, 201, 3)
        yield check, ['prof-diff', '--quiet', '-n', '30', '--fdr', '100%', a, a, '--', b, b], \
            range(40, 201, 5)
        diff = '%s-%s.diff' % (old, new)
        with open(diff, 'wb') as out:
            subprocess.run(['prof-diff', '--quiet', a, b], stdout=out, check=True)
        for how in [['prof-top', '-n', '9'], ['prof-tree'], ['prof-tree', '--callers'],
                    ['prof-top', '--callers', '^main$']]:
            yield check, how + ['--quiet', diff], range(40, 201, 10)
        diff += '.lines'
        with open(diff, 'wb') as out:
            subprocess.run(['prof-diff', '--quiet', '-b', 'function,line', a, b], stdout=out,
                           check=True)
        yield check, ['prof-annotate', '--quiet', diff], range(40, 201, 20)


def main():
    folder = sys.argv[1]
    paths = [p for p in sorted(glob.glob(folder + '/*')) if
             run(['prof-cat', '--probe', p]) != [''] and
             not p.endswith(('.c', '.go', '.js', '.py', '.sh', '.md', '.syms'))]
    jobs = list(commands(paths)) + list(differences(folder))
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda job: job[0](*job[1:]), jobs))
    for wrong, _ in results:
        for line in wrong[:3]:
            print(line)
    print(len(paths), 'examples,', sum(n for _, n in results), 'tables')


main()
