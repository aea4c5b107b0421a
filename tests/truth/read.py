# SPDX-License-Identifier: ISC
"""Readers of what the programs print: tables for programs and for people, the stream."""
import re
from fractions import Fraction


def text(cell):
    """A cell of a table for programs: None is absent."""
    if cell == '-':
        return None
    return re.sub(r'\\(x00|.)', lambda m: {'t': '\t', 'n': '\n', 'r': '\r', 'x00': '\0'}
                  .get(m.group(1), m.group(1)), cell)


def table(out):
    """The columns and the rows of --tsv."""
    lines = out.split('\n')
    assert lines.pop() == '', 'no newline at the end'
    columns = lines[0].split('\t')
    return columns, [[text(c) for c in line.split('\t')] for line in lines[1:]]


def scaled(row, at, column):
    """The cost in a column of --tsv, in its unit: values may be parts of one."""
    cell = row[at[column]] if column in at else None
    if cell is None:
        return None
    unit = column.replace('.incl', '').replace('.noise', '') + '.unit'
    part = re.match(r'1/(\d+)', row[at[unit]] or '') if unit in at else None
    return Fraction(cell) / int(part.group(1)) if part else Fraction(cell)


def number(cell):
    """A number of a table for people, and its mark."""
    mark = ''
    if cell[:1] in '~?!<':
        mark, cell = cell[0], cell[1:]
    if cell == '-':
        return None, '-'
    return int(cell.replace(',', '').replace('+', '')), mark


NAMES = {'function', 'file', 'object', 'line', 'thread', 'cmd', 'part', 'pid', 'source'}


def people(out):
    """The rows of a table for people: the header's cells, and each row's.  Numbers end
    where their header does, and may be missing; names follow each other."""
    lines = out.split('\n')
    start = lines.index('') + 1 if '' in lines else 0
    cells = [(m.group(), m.start(), m.end())
             for m in re.finditer(r'\S+(?: \S+)*', lines[start])]
    numbers = [c for c in cells if c[0] not in NAMES]
    names = cells[len(numbers):]
    header, rows = [c[0] for c in cells], []
    for line in lines[start + 1:]:
        row, at = [], 0
        for _, _, end in numbers:
            row.append(line[at:end].strip())
            at = end
        rest = line[at:].strip()
        if not re.fullmatch(r'[~?!<]?[-+]?[\d,.]+|-', row[0]):
            break
        row += re.split(r'  +', rest) if names else []
        if len(row) != len(header):
            break
        rows.append(row)
    return header, rows


class Stream:
    """A stream, its names spelt out."""

    def __init__(self, out):
        self.parts, self.ended = [], False
        names = {'object': [], 'file': [], 'func': [], 'ctx': []}
        for line in out.split('\n'):
            f = line.split('\t')
            tag = f[0]
            if tag == 'prof':
                names = {k: [] for k in names}
            elif tag == 'end':
                self.ended = True
            elif tag == 'object':
                names[tag].append(text(f[2]))
            elif tag == 'file':
                names[tag].append(text(f[2]))
            elif tag == 'func':
                names[tag].append((text(f[2]), self.ref(names['file'], f[3]),
                                   self.ref(names['object'], f[4])))
            elif tag == 'ctx':
                up = names['ctx'][int(f[2])] if f[2] != '-' else ()
                frame = (names['func'][int(f[3])] if f[3] != '-' else None,
                         self.ref(names['file'], f[4]), self.line(f[5]))
                names[tag].append(up + (frame,))
            elif tag == 'part':
                self.parts.append({'events': [], 'facts': [], 'cost': [], 'call': [],
                                   'sample': [], 'total': {}, 'scales': []})
            elif tag == 'meta':
                self.parts[-1]['facts'].append((text(f[1]),) + tuple(map(text, f[2:])))
            elif tag == 'event':
                if f[1] != '-':
                    self.parts[-1]['events'].append(text(f[2]))
                    scale = [a for a in f[6:] if a.startswith('scale=1/')]
                    self.parts[-1]['scales'].append(int(scale[0][8:]) if scale else 1)
            elif tag == 'cost':
                key = (names['func'][int(f[1])] if f[1] != '-' else None,
                       self.ref(names['file'], f[2]), self.line(f[3]))
                self.put('cost', key, f[5:])
            elif tag == 'call':
                key = (names['func'][int(f[1])] if f[1] != '-' else None,
                       self.ref(names['file'], f[2]), self.line(f[3]),
                       names['func'][int(f[5])])
                self.put('call', key, f[9:], None if f[8] == '-' else int(f[8]))
            elif tag == 'sample':
                self.put('sample', names['ctx'][int(f[1])] if f[1] != '-' else (), f[2:])
            elif tag == 'total':
                self.parts[-1]['total'][f[1]] = self.values(f[2:])[0]

    @staticmethod
    def ref(names, field):
        return None if field == '-' else names[int(field)]

    @staticmethod
    def line(field):
        return None if field == '-' else int(field.split(':')[0])

    def values(self, fields):
        n = len(self.parts[-1]['events'])
        scales = self.parts[-1]['scales']
        values = []
        for i, field in enumerate(fields):
            if field != '-' and not re.fullmatch(r'-?\d+', field):
                break
            values.append(None if field == '-' else int(field) if i >= len(scales) or
                          scales[i] == 1 else Fraction(int(field), scales[i]))
        labels = tuple(sorted(tuple(f.split('=', 1)) for f in fields[len(values):]))
        return tuple(values + [0] * (n - len(values))), labels

    def put(self, kind, key, fields, count=None):
        values, labels = self.values(fields)
        self.parts[-1][kind].append((key, values, count, labels))
