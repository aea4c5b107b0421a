#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Compares the two forms of prof-report: its JSON has the numbers of its Markdown.

    report.py [--commands] BUDGET,BUDGET... ARGUMENT...

Runs prof-report with these arguments and budgets in both forms.  Each is within its budget, or
an error and nothing else, and the last ones the same again; parts are no more than their totals; percentages
are those of the costs beside them; what is shown and what is left out is the same in all.  With
--commands, each command that the JSON names runs.
Prints the numbers of pages of each form.
"""
import fractions, json, re, subprocess, sys

seen = set()


def run(form, budget, arguments, times):
    done = [subprocess.run(["prof-report", "--quiet"] + form + ["--budget", str(budget)] + arguments,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(times)]
    text = done[0].stdout.decode(errors="surrogateescape")
    assert done[-1].stdout == done[0].stdout, "not the same again"
    if done[0].returncode not in (0, 1):
        assert done[0].returncode == 2 and not text, (done[0].returncode, text)
        assert b"--budget: the metadata" in done[0].stderr, done[0].stderr
        return None
    assert 0 < len(done[0].stdout) <= budget, (form, budget, len(done[0].stdout))
    return text


def number(n):
    """A number beyond 2^53 is a string."""
    return int(n) if isinstance(n, str) else n


def percent(part, whole):
    """Two decimals, halves away from 0."""
    share = fractions.Fraction(number(part) * 10000, number(whole))
    sign = -1 if share < 0 else 1
    return sign * int(abs(share) + fractions.Fraction(1, 2)) / 100


def same_percent(got, part, whole):
    if part is None or not number(whole):
        assert got is None, (got, part, whole)
    elif isinstance(part, int):
        assert abs(got - percent(part, whole)) < 1e-9, (got, part, whole)


def same_change(got, old, change):
    if not number(old) or number(change) == -number(old):
        assert got is None, (got, old, change)
    else:
        same_percent(got, change, abs(number(old)))


# ---- the Markdown ----

def cells(row):
    """Splits a row of a table; names lose their backticks."""
    parts = re.split(r"(?<!\\) ?\| ?", row.strip())[1:-1]
    return [re.sub(r"^(`+)( ?)(.*)\2\1$", r"\3", c.strip()).replace("\\|", "|") for c in parts]


def table(page, heading):
    at = page.find("\n## %s\n" % heading)
    if at < 0:
        return [], []
    rows = [cells(r) for r in page[at + 4:].split("\n## ")[0].split("\n") if r.startswith("|")]
    return (rows[0], rows[2:]) if rows else ([], [])


def plain(cell):
    """A cell without the marks of bounds, digits without commas."""
    return re.sub(r"^[~?<>]+ ?", "", cell).replace(",", "").replace("+", "")


def same_number(head, cell, n):
    """The cell has the number, in the event's own unit or, rounded, in a readable one."""
    if n is None:
        assert cell == "-", (cell, n)
    elif re.fullmatch(r"-?\d+", plain(cell)) and "/" not in head:
        assert int(plain(cell)) == number(n), (cell, n)


def same_share(cell, share, words):
    if share is None:
        assert cell in words, (cell, share)
    else:
        assert float(plain(cell)) == float(share), (cell, share)


def same_name(cell, row):
    name = row["function"]
    assert cell == ("???" if name is None else name) or "\\x" in cell, (cell, name)


def same_functions(page, data):
    head, rows = table(page, "Functions")
    incl = "inclusive" in head
    for r, f in zip(rows, data["functions"]):
        same_number(head[0], r[0], f["self"])
        same_share(r[1], f["self_percent"], ("-",))
        if incl:
            same_number(head[0], r[2], f["inclusive"])
            same_share(r[3], f["inclusive_percent"], ("-",))
        same_name(r[4 if incl else 2], f)


def same_changes(page, data):
    for heading in "Grew", "Shrank":
        head, rows = table(page, heading)
        shift = any(h.startswith("runs") for h in head)
        for r, f in zip(rows, data[heading.lower()]):
            for cell, key in zip(r, ("old", "new", "change")):
                same_number(head[0], cell, f[key])
            same_share(r[3], f["change_percent"], ("new", "gone", "from 0", "to 0", ""))
            assert (number(f["change"]) > 0) == (heading == "Grew")
            if "inclusive" in head:
                same_number(head[0], r[4 + shift], f["inclusive_change"])
            same_name(r[head.index("function")], f)


def same_lines(page, data):
    diff = "grew" in data
    head, rows = table(page, "Changed lines" if diff else "Hottest lines")
    for r, f in zip(rows, data["lines"]):
        same_number(head[0], r[0], f["change" if diff else "self"])
        same_share(r[1], f["change_percent" if diff else "self_percent"], ("-", "new", "gone"))
        place = ("%s:%s" % (f["file"], f["line"])) if f["file"] else "line %s" % f["line"]
        assert r[2] == place or "\\x" in r[2], (r, f)
        same_name(r[3], f)
        if "source" in head:
            assert r[4] == (f["source"] or "") or "\\x" in r[4], (r, f)


def same_callers(page, data):
    at = page.find("\n## Callers of what")
    rows = re.findall(r"^- `.*", page[at:].split("\n\n")[1], re.M) if at >= 0 else []
    for r, f in zip(rows, data["callers"]):
        shares = [float(s) for s in re.findall(r" (-?[\d.]+) %", r)]
        want = [f["inclusive_percent"]] + [c["percent"] for c in f["callers"]]
        assert shares[:len(want)] == [float(w) for w in want], (r, f)
        more = re.search(r"(\d+) more", r)
        assert int(more.group(1) if more else 0) == f["more_callers"], (r, f)


def same_title(page, data):
    head = page.split(":")[0].split("\n")[0]
    found = re.match(r"# ([+-]?[\d,]+) \S", head)
    if found and data["unit"] is None and " of " not in head:
        assert int(plain(found.group(1))) == number(data["total"]), (head, data["total"])


# ---- the JSON alone ----

def check_single(data):
    total = data["total"]
    for f in data["functions"] + data["lines"]:
        same_percent(f["self_percent"], f["self"], total)
        if "inclusive" in f:
            same_percent(f["inclusive_percent"], f["inclusive"], total)
    for rows in data["functions"], data["lines"]:
        own = [number(f["self"]) for f in rows if f["self"] is not None]
        if own and min(own) >= 0 and max(own) <= number(total) and not cumulative(data):
            assert sum(own) <= number(total), (sum(own), total)
    for f in data["callers"]:
        for c in f["callers"]:
            same_percent(c["percent"], c["cost"], total)
            assert number(c["cost"]) > 0
        assert number(f["more_cost"]) >= 0 and (f["more_callers"] > 0 or number(f["more_cost"]) == 0)


def cumulative(data):
    return any(p["parent"] is None and number(p["inclusive"]) > number(data["total"]) for p in data["paths"])


def check_diff(data):
    assert number(data["new_total"]) - number(data["old_total"]) == number(data["total"])
    for f in data["grew"] + data["shrank"] + data["lines"]:
        assert number(f["new"]) - number(f["old"]) == number(f["change"])
        if f["change_percent"] is not None or "inclusive_change" not in f:
            same_change(f["change_percent"], f["old"], f["change"])


def check_paths(data):
    cost = "change" if "grew" in data else "inclusive"
    below = {}
    for i, p in enumerate(data["paths"]):
        assert p["id"] == i + 1 and p["frames"] and (p["parent"] is None or p["parent"] < p["id"])
        if cost == "inclusive":
            same_percent(p["inclusive_percent"], p["inclusive"], data["total"])
            assert p["self"] is None or p["estimated"] or number(p["self"]) <= number(p["inclusive"])
        if p["parent"]:
            below.setdefault(p["parent"], []).append(p)
    for up, rows in below.items():
        if cost == "inclusive" and not any(r["estimated"] for r in rows):
            assert sum(number(r[cost]) for r in rows) <= number(data["paths"][up - 1][cost]), rows


def shown(data, key):
    if key == "changes":
        return len(data["grew"]) + len(data["shrank"])
    return 1 if key in ("certainty", "next") and data[key] else len(data[key])


def check_left_out(data, alls):
    """Shown and left out are as many at any budget."""
    for key in (["changes"] if "grew" in data else ["functions"]) + ["paths", "lines", "callers",
                                                                     "certainty", "next"]:
        rows = shown(data, key) + data["left_out"].get(key, {"rows": 0})["rows"]
        assert alls.setdefault(key, rows) == rows, (key, alls[key], rows)
    for key in data["left_out"]:
        assert key in alls and data["left_out"][key]["rows"] > 0, data["left_out"]


def run_commands(data):
    commands = [n["command"] for n in data["next"]]
    commands += [o["command"] for o in data["left_out"].values() if o["command"]]
    for c in commands:
        if c in seen or c.startswith("..."):
            continue
        seen.add(c)
        done = subprocess.run(["bash", "-o", "pipefail", "-c", c], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        assert done.returncode == 0, (c, done.stderr)


def main():
    words = sys.argv[1:]
    commands = words[0] == "--commands"
    budgets, arguments = words[commands], words[commands + 1:]
    pages, objects, alls = 0, 0, {}
    budgets = [int(b) for b in budgets.split(",")]
    for budget in budgets:
        times = 2 if budget == budgets[-1] else 1
        page = run([], budget, arguments, times)
        text = run(["--json"], budget, arguments, times)
        pages += page is not None
        objects += text is not None
        if text is None:
            continue
        data = json.loads(text)
        (check_diff if "grew" in data else check_single)(data)
        check_paths(data)
        check_left_out(data, alls)
        if page:
            (same_changes if "grew" in data else same_functions)(page, data)
            same_title(page, data)
            same_lines(page, data)
            same_callers(page, data)
        if commands:
            run_commands(data)
    print(pages, objects)


main()
