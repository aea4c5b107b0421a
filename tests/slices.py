# SPDX-License-Identifier: ISC
"""slices.py SEED: writes a random trace, and on standard output what is true of it: by
process, thread, category and stack the time in nanoseconds, without what is nested in it,
and the number of events."""
import json
import random
import sys

rand = random.Random(int(sys.argv[1]))
step = rand.choice([1, 1000])		# times are whole microseconds, or not
truth = {}


def time(ns):
    return str(ns // 1000) if step == 1000 else "%d.%03d" % divmod(ns, 1000)


def put(out, order, thread, name, category, begin, end, inner):
    """One event, or two, around those that inner() puts; its duration."""
    event = {"name": name, "ph": "X", "ts": begin, "dur": end - begin, **thread}
    if category:
        event["cat"] = category
    if order == "pairs":
        del event["dur"]
        event["ph"] = "B"
    if order in ("pairs", "begin"):
        out.append(event)
    nested = inner()
    if order in ("end", "shuffled"):
        out.append(event)
    if order == "pairs":
        named = {"name": name} if rand.random() < .5 else {}
        out.append({"ph": "E", "ts": end, **named, **thread})
    return end - begin - nested


def grow(out, order, thread, begin, end, stack):
    """Events one after another between two times, with others inside; their duration."""
    at, total = begin, 0
    for _ in range(rand.randint(0, 4) if len(stack) < 6 else 0):
        room = (end - at) // step
        if room < 3:
            break
        a = at + rand.randint(0, room // 2) * step
        b = a + rand.randint(1, (end - a) // step) * step
        if order in ("end", "shuffled") and (a, b) == (begin, end):
            b -= step			# which of the two is inside is not known
        name, category = rand.choice("fghijk"), rand.choice(["c1", "c2", None])
        below = stack + (name,)
        own = put(out, order, thread, name, category, a, b,
                  lambda: grow(out, order, thread, a, b, below))
        row = truth.setdefault((thread["pid"], thread["tid"], category or "-", below), [0, 0])
        row[0] += own
        row[1] += 1
        total += b - a
        at = b
    return total


threads = []
for pid in range(1, rand.randint(2, 4)):
    for tid in range(1, rand.randint(2, 5)):
        events, order = [], rand.choice(["pairs", "begin", "end", "shuffled"])
        grow(events, order, {"pid": pid, "tid": rand.choice([tid, "t%d" % tid])}, 0,
             10 ** rand.randint(4, 9) // 1000 * 1000, ())
        if order == "shuffled":
            rand.shuffle(events)
        threads.append(events)
rows = []
while any(threads):			# of the threads in turns, each in its order
    event = rand.choice([t for t in threads if t]).pop(0)
    items = ["%s:%s" % (json.dumps(k), time(v) if k in ("ts", "dur") else json.dumps(v))
             for k, v in event.items()]
    rand.shuffle(items)
    rows.append("{" + ",".join(items) + "}")
with open("random.trace", "w") as f:
    f.write(rand.choice(["[%s]", '{"a":[1,{"b":2}],"traceEvents":[%s],"c":"ns"}']) % ",\n".join(rows))
for key, (own, number) in truth.items():
    print(*key[:3], ";".join(key[3]), own, number, sep="\t")
