# SPDX-License-Identifier: ISC
# Calls whose number is known: python3 -m cProfile -o calls.pstats calls.py
import json


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


class Sum:
    def of(self, n):
        return sum(x for x in range(n))


for i in range(10):
    fib(8)
    Sum().of(50)
    json.dumps({"a": [1, 2]})
