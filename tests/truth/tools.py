# SPDX-License-Identifier: ISC
"""Runs the programs, and keeps what was run and what for."""
import os
import shlex
import subprocess
from collections import namedtuple

# What is wrong, with which command, what is true and what was printed.
Finding = namedtuple('Finding', 'what command expected found')


class Wrong(Exception):
    """The program did not do what it had to, at all."""


class Tools:
    def __init__(self, bin, dir):
        self.bin, self.dir, self.ran, self.count = bin, dir, [], 0
        self.env = {'PATH': bin + ':' + os.environ['PATH'], 'LC_ALL': 'C', 'TZ': 'UTC',
                    'HOME': dir, 'TMPDIR': dir, 'PROF_KEY': 'k'}

    def file(self, name, data):
        """A file of this content; its name is what commands use."""
        with open(os.path.join(self.dir, name), 'wb') as f:
            f.write(data if isinstance(data, bytes) else data.encode())
        return name

    def begin(self):
        """A new case: nothing has been run."""
        self.ran = []
        for name in os.listdir(self.dir):
            path = os.path.join(self.dir, name)
            if os.path.isfile(path):
                os.unlink(path)

    def shown(self):
        return '; '.join(self.ran[-1:])

    def call(self, *args, into=None, statuses=(0,)):
        """Runs a program; its output as text, or into a file, whose name it returns.
        With several statuses, the status and the output."""
        self.count += 1
        done = subprocess.run([os.path.join(self.bin, args[0])] + list(args[1:]), cwd=self.dir,
                              env=self.env, stdin=subprocess.DEVNULL, capture_output=True)
        self.ran.append(' '.join(map(shlex.quote, args)) + (' >' + into if into else ''))
        self.errors = done.stderr.decode(errors='surrogateescape')
        if done.returncode not in statuses:
            raise Wrong('status %d: %s' % (done.returncode, self.errors.strip()))
        if into:
            self.file(into, done.stdout)
            out = into
        else:
            out = done.stdout.decode(errors='surrogateescape')
        return out if len(statuses) == 1 else (done.returncode, out)
