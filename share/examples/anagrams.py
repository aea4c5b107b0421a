#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Words of a text that have the same letters."""
import re
import sys


class Group:
    def __init__(self, word):
        self.words = {word}

    def add(self, word):
        self.words.add(word)


class Groups:
    def __init__(self):
        self.by_letters = {}

    def add(self, word):
        key = letters(word)
        if key in self.by_letters:
            self.by_letters[key].add(word)
        else:
            self.by_letters[key] = Group(word)

    def found(self):
        return [g.words for g in self.by_letters.values() if len(g.words) > 1]


def merge(a, b):
    both = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            both.append(a[i])
            i += 1
        else:
            both.append(b[j])
            j += 1
    return both + a[i:] + b[j:]


def sort(s):
    if len(s) < 2:
        return s
    half = len(s) // 2
    return merge(sort(s[:half]), sort(s[half:]))


def letters(word):
    return ''.join(sort(list(word)))


def main(path):
    groups = Groups()
    with open(path) as f:
        for word in re.findall('[a-z]+', f.read().lower()):
            groups.add(word)
    for words in sorted(groups.found(), key=min):
        print(*sorted(words))


if __name__ == '__main__':
    main(sys.argv[1])
